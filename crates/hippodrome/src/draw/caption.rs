//! Captions of figures: a text with placeholders such as `{n}`, filled in for each tour.

use crate::error::{Diagnostic, joined};
use crate::numerals::grouped;
use crate::tour::Verified;
use thiserror::Error;

/// A text with placeholders.
///
/// `{{` and `}}` stand for braces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caption(Vec<Part>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Text(String),
    Value(&'static Placeholder),
}

/// One placeholder of captions.
#[derive(PartialEq, Eq, Debug)]
pub struct Placeholder {
    /// The word between the braces.
    pub name: &'static str,
    /// Its meaning.
    pub help: &'static str,
    /// The longest value to leave room for.
    longest: &'static str,
}

/// All placeholders.
pub const PLACEHOLDERS: &[Placeholder] = &[
    Placeholder { name: "n", help: "number of the tour in its file, from 1", longest: "8888" },
    Placeholder { name: "board", help: "board or graph, as in 8x8", longest: "88x88" },
    Placeholder { name: "squares", help: "number of squares", longest: "888" },
    Placeholder { name: "closed", help: "closed or open", longest: "closed" },
    Placeholder { name: "start", help: "first square", longest: "m8" },
    Placeholder { name: "end", help: "last square", longest: "m8" },
    Placeholder {
        name: "symmetry",
        help: "symmetry of the line, as in half-turn",
        longest: "mirror and half-turn",
    },
    Placeholder { name: "magic", help: "none, semi or full", longest: "semi" },
    Placeholder { name: "turns", help: "squares at which the line turns", longest: "88" },
    Placeholder { name: "crossings", help: "pairs of moves that cross", longest: "888" },
];

/// An invalid caption.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum CaptionError {
    /// An unknown placeholder.
    #[error("unknown placeholder {{{name}}} in the caption: expected {}", listed())]
    Unknown {
        /// The word between the braces.
        name: String,
    },
    /// A brace without its partner.
    #[error("unbalanced brace in the caption '{0}': write {{{{ or }}}} for a brace itself")]
    Brace(String),
}

impl Diagnostic for CaptionError {}

fn listed() -> String {
    let names: Vec<String> = PLACEHOLDERS.iter().map(|p| format!("{{{}}}", p.name)).collect();
    joined(&names.iter().map(String::as_str).collect::<Vec<_>>(), "or")
}

impl Caption {
    /// Parses a text with placeholders.
    pub fn parse(text: &str) -> Result<Caption, CaptionError> {
        let unbalanced = || CaptionError::Brace(text.to_string());
        let (mut parts, mut plain) = (Vec::new(), String::new());
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(after) = rest.strip_prefix("{{").or(rest.strip_prefix("}}")) {
                plain.push_str(&rest[..1]);
                rest = after;
                continue;
            }
            let inside = rest.strip_prefix('{').ok_or_else(unbalanced)?;
            let (name, after) = inside.split_once('}').ok_or_else(unbalanced)?;
            let known = PLACEHOLDERS.iter().find(|p| p.name == name.trim());
            let known = known.ok_or_else(|| CaptionError::Unknown { name: name.trim().into() })?;
            parts.push(Part::Text(std::mem::take(&mut plain)));
            parts.push(Part::Value(known));
            rest = after;
        }
        plain.push_str(rest);
        parts.push(Part::Text(plain));
        Ok(Caption(parts))
    }

    /// Fills in the values of tour number `n`.
    pub fn fill(&self, tour: &Verified<'_>, n: u64) -> String {
        let name = |square: Option<_>| square.map_or(String::new(), |&s| tour.graph().name(s));
        let shape = |pick: fn(&crate::tour::LineShape) -> u64| {
            tour.shape().map_or("unknown".into(), |shape| pick(&shape).to_string())
        };
        self.each(|placeholder| match placeholder.name {
            "n" => n.to_string(),
            "board" => tour.graph().to_string(),
            "squares" => grouped(tour.squares().len() as u64),
            "closed" => if tour.is_closed() { "closed" } else { "open" }.into(),
            "start" => name(tour.squares().first()),
            "end" => name(tour.squares().last()),
            "symmetry" => tour.classify().symmetry().into(),
            "magic" => tour.magic().to_string(),
            "turns" => shape(|shape| shape.turns),
            _ => shape(|shape| shape.crossings),
        })
    }

    /// Returns a text as long as the longest caption to expect, for the layout.
    pub(super) fn longest(&self) -> String {
        self.each(|placeholder| placeholder.longest.into())
    }

    fn each(&self, value: impl Fn(&Placeholder) -> String) -> String {
        let parts = self.0.iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Value(placeholder) => value(placeholder),
        });
        parts.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Graph};
    use crate::tour::verify;

    fn filled(caption: &str) -> String {
        let board = Board::parse("3x4").unwrap();
        let names = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split(' ');
        let squares = names.map(|name| board.square(name).unwrap()).collect();
        let tour = verify(&Graph::knight(board), squares).unwrap();
        Caption::parse(caption).unwrap().fill(&tour.view(), 7)
    }

    #[test]
    fn every_placeholder_is_filled() {
        assert_eq!(filled("No. {n}, {symmetry}, {closed}"), "No. 7, half-turn, open");
        assert_eq!(filled("{board} {squares} {start}-{end} {magic}"), "3x4 12 a1-d3 none");
        assert_eq!(filled("{{{ n }}} 100%"), "{7} 100%");
        assert_eq!(filled("{turns} {crossings}").split(' ').count(), 2);
        for placeholder in PLACEHOLDERS {
            let text = filled(&format!("<{{{}}}>", placeholder.name));
            assert!(text.len() > 2 && !text.contains('{'), "{text}");
        }
    }

    #[test]
    fn unknown_placeholders_and_single_braces_are_refused() {
        let said = |text: &str| Caption::parse(text).unwrap_err().to_string();
        assert!(said("No. {number}").contains("{number}") && said("{x}").contains("{crossings}"));
        for wrong in ["{n", "n}", "{{n}", "}"] {
            assert!(said(wrong).contains("brace"), "{wrong}");
        }
    }
}
