//! Reads JSON: one object per tour, on one line or pretty-printed, alone or in a list; and SVGs with
//! such an object.
//!
//! Objects without `squares` are skipped, because summaries may appear among tours. After an invalid
//! object, reading continues at the next line that begins with `{`. Names are collected in one
//! string, so a square needs no allocation.

use super::ground::{Ground, Said};
use super::{Claims, ReadError, ReadFault, claim_at};
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// The fields read from an object.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct TourObject<'t> {
    #[serde(default, borrow)]
    board: Option<Cow<'t, str>>,
    #[serde(default)]
    holes: Option<Names>,
    #[serde(default, borrow)]
    leaper: Option<Cow<'t, str>>,
    #[serde(default, borrow)]
    graph: Option<Cow<'t, str>>,
    #[serde(default)]
    squares: Option<Names>,
}

impl TourObject<'_> {
    fn said(&self) -> Said<'_> {
        Said {
            board: self.board.as_deref(),
            holes: self.holes.as_ref().map(|names| names.iter().collect()),
            leaper: self.leaper.as_deref(),
            graph: self.graph.as_deref(),
        }
    }
}

/// A list of names in one string.
#[derive(Default)]
struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.text[start..end])
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Names, D::Error> {
        deserializer.deserialize_seq(NamesVisitor)
    }
}

struct NamesVisitor;

impl<'de> Visitor<'de> for NamesVisitor {
    type Value = Names;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of names of squares")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Names, A::Error> {
        let mut names = Names::default();
        while seq.next_element_seed(Name(&mut names))?.is_some() {}
        Ok(names)
    }
}

/// One name that is added to a list.
struct Name<'n>(&'n mut Names);

impl<'de> serde::de::DeserializeSeed<'de> for Name<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a square")
    }

    fn visit_str<E>(self, name: &str) -> Result<(), E> {
        self.0.text.push_str(name);
        self.0.ends.push(self.0.text.len());
        Ok(())
    }
}

pub(super) fn read(text: &str, ground: &mut Ground<'_>) -> Claims {
    read_from(text, 1, ground)
}

/// Reads a text whose first line is line `line` of its file.
fn read_from(mut rest: &str, mut line: usize, ground: &mut Ground<'_>) -> Claims {
    let mut claims = Vec::new();
    let skip = |rest: &mut &str, line: &mut usize, bytes: usize| {
        *line += rest.as_bytes()[..bytes].iter().filter(|&&b| b == b'\n').count();
        *rest = &rest[bytes..];
    };
    loop {
        let between = |c: char| c.is_ascii_whitespace() || matches!(c, '[' | ']' | ',');
        let gap = rest.len() - rest.trim_start_matches(between).len();
        skip(&mut rest, &mut line, gap);
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<TourObject<'_>>();
        let used = match stream.next() {
            None => return claims,
            Some(Ok(object)) => {
                if let Some(squares) = &object.squares {
                    claims.push(claim_at(line, ground.named(&object.said(), squares.iter())));
                }
                stream.byte_offset()
            }
            Some(Err(error)) => {
                let message = error.to_string();
                let end = message.rfind(" at line ").unwrap_or(message.len());
                let fault = ReadFault::Json(message[..end].to_string());
                let next = rest.find("\n{").map_or(rest.len(), |at| at + 1);
                // A truncated object is detected only at the next one.
                let breadth = rest[..next].matches('\n').count().max(1);
                let inside = error.line().saturating_sub(1);
                let line = line + if inside < breadth { inside } else { 0 };
                claims.push(Err(ReadError { line, fault }));
                next
            }
        };
        skip(&mut rest, &mut line, used);
    }
}

/// Reads the objects in the `<metadata id="hippodrome-tour">` elements of SVGs.
pub(super) fn read_svg(text: &str, ground: &mut Ground<'_>) -> Claims {
    let mut claims = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find("<metadata").map(|at| from + at) {
        let Some(start) = text[open..].find('>').map(|at| open + at + 1) else { break };
        let end = text[start..].find("</metadata").map_or(text.len(), |at| start + at);
        if text[open..start].contains("hippodrome-tour") {
            let line = 1 + text[..start].matches('\n').count();
            claims.extend(read_from(&unescaped(&text[start..end]), line, ground));
        }
        from = end;
    }
    claims
}

/// Returns the text with the five named entities of XML replaced.
fn unescaped(text: &str) -> String {
    let mut plain = text.to_string();
    for (entity, character) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ] {
        plain = plain.replace(entity, character);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Argument, Diagnostic, Remedy};
    use crate::tour::{Claim, Hints, read_tours};

    fn lines_and_boards(text: &str) -> Vec<Result<(usize, String), usize>> {
        let claims = read_tours(text, &Hints::default());
        let short = |c: Result<Claim, ReadError>| match c {
            Ok(claim) => Ok((claim.line, claim.graph.to_string())),
            Err(error) => Err(error.line),
        };
        claims.into_iter().map(short).collect()
    }

    #[test]
    fn summaries_are_skipped_and_bad_objects_reported() {
        let text = concat!(
            "{\"squares\":[\"a1\"],\"board\":\"1x2\",\"status\":\"found\",\"seed\":7}\n",
            "{\"squares\":[\"a1\"\n",
            "{\"squares\":\"a1\"}\n",
            "{\"squares\":null,\"reason\":\"no tour\"}\n",
            "{\"tours\":3,\"board\":\"8x8\"}\n",
            "{\"squares\":[\"a1\",\"c2\"],\"leaper\":\"1,3\",\"holes\":[\"b1\"],\"board\":\"3x4\"}\n",
        );
        let last = "3x4 with 1 hole for the 1,3-leaper".to_string();
        assert_eq!(lines_and_boards(text), [Ok((1, "1x2".into())), Err(2), Err(3), Ok((6, last))]);
    }

    #[test]
    fn pretty_printed_objects_and_lists_are_read() {
        let object = "{\n  \"squares\": [\n    \"a1\",\n    \"c2\"\n  ]\n}";
        assert_eq!(lines_and_boards(object), [Ok((1, "3x3".into()))]);
        let list = format!("[\n{object},\n{object}\n]\n");
        assert_eq!(lines_and_boards(&list), [Ok((2, "3x3".into())), Ok((8, "3x3".into()))]);
    }

    #[test]
    fn the_tour_of_an_svg_is_read_back() {
        let object = "{\"board\":\"5x6\",\"squares\":[\"a1\",\"b3\"]}".replace('"', "&quot;");
        let svg = format!(
            "<svg>\n<metadata>mine</metadata>\n<metadata id='hippodrome-tour'>{object}</metadata></svg>"
        );
        assert_eq!(lines_and_boards(&svg), [Ok((3, "5x6".into()))]);
        let bare = read_tours("<svg></svg>", &Hints::default());
        assert_eq!(bare[0].as_ref().unwrap_err().fault, ReadFault::Svg);
    }

    #[test]
    fn contradictions_with_the_hints_are_reported() {
        let text = "{\"board\":\"3x4\",\"leaper\":\"1,3\",\"squares\":[\"a1\"]}";
        let read = |hints: &Hints| read_tours(text, hints).remove(0);
        let board = |b: &str| Some(crate::board::Board::parse(b).unwrap());
        assert!(read(&Hints { board: board("3x4"), ..Hints::default() }).is_ok());
        let wrong = read(&Hints { board: board("4x3"), ..Hints::default() }).unwrap_err();
        assert!(wrong.to_string().contains("says board 3x4 but 4x3 was given"), "{wrong}");
        let wrong = read(&Hints { leaper: "1,2".parse().ok(), ..Hints::default() }).unwrap_err();
        assert!(wrong.to_string().contains("says leaper 1,3 but 1,2 was given"), "{wrong}");
        let graph = read_tours("{\"graph\":\"petersen\",\"squares\":[\"1\"]}", &Hints::default());
        let error = graph[0].as_ref().unwrap_err();
        assert!(error.to_string().contains("graph 'petersen'"), "{error}");
        assert_eq!(error.remedies(), [Remedy::Give(vec![Argument::Graph])]);
    }

    #[test]
    fn a_huge_board_with_holes_is_rejected_before_it_takes_memory() {
        let text = "{\"board\":\"65000x65000\",\"holes\":[\"b1\"],\"squares\":[\"a1\"]}";
        assert_eq!(lines_and_boards(text), [Err(1)]);
    }
}
