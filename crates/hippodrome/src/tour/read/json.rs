//! Reads JSON objects: one per tour, on one line or pretty-printed, alone or in a list.
//!
//! Objects without `squares` are skipped, because summaries may appear among tours. An object ends
//! with its brace, or before a line that begins with `{`. Names are collected in one string, so a
//! square needs no allocation.

use super::ground::{Ground, Said};
use super::reading::Form;
use super::source::{Piece, TextSource};
use super::{Queue, ReadError, ReadFault, claim_at};
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
    fn said(&self) -> Said {
        let text = |value: &Option<Cow<'_, str>>| value.as_deref().map(String::from);
        Said {
            board: text(&self.board),
            holes: self.holes.as_ref().map(|names| names.iter().map(String::from).collect()),
            leaper: text(&self.leaper),
            graph: text(&self.graph),
        }
    }
}

/// A list of names in one string.
#[derive(Default)]
pub(super) struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> + Clone {
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

/// Most bytes of one object.
const LARGEST: usize = 1 << 32;

/// Reads objects from pieces of text.
#[derive(Default)]
pub(super) struct JsonReader {
    /// The text of the object that is open.
    object: String,
    /// The line it begins on.
    line: usize,
    /// Number of open braces.
    depth: usize,
    quoted: bool,
    escaped: bool,
    /// Whether text is skipped up to the next line that begins with an object.
    lost: bool,
    /// Whether the last piece ended in the middle of a line.
    inside: bool,
}

impl JsonReader {
    /// Reads a piece. Returns whether there may be more.
    pub(super) fn advance(
        &mut self,
        source: &mut TextSource<'_>,
        ground: &mut Ground<'_>,
        queue: &mut Queue,
    ) -> Result<bool, ReadError> {
        let Some(piece) = source.next()? else {
            self.finish(Form::Json, ground, queue);
            return Ok(false);
        };
        self.feed(&piece, Form::Json, ground, queue);
        Ok(true)
    }

    /// Reads the objects in a piece.
    pub(super) fn feed(
        &mut self,
        piece: &Piece,
        form: Form,
        ground: &mut Ground<'_>,
        queue: &mut Queue,
    ) {
        let begins = !std::mem::replace(&mut self.inside, !piece.ends);
        if begins && piece.text.starts_with('{') {
            // A truncated object ends before the next one.
            if self.depth > 0 {
                self.end(form, ground, queue);
            }
            self.lost = false;
        }
        let text = piece.text.as_str();
        let mut from = 0;
        for (at, byte) in text.bytes().enumerate() {
            if self.lost {
                break;
            }
            if self.quoted {
                self.quoted = self.escaped || byte != b'"';
                self.escaped = !self.escaped && byte == b'\\';
                continue;
            }
            match byte {
                b'"' if self.depth > 0 => self.quoted = true,
                b'{' => {
                    if self.depth == 0 {
                        (from, self.line) = (at, piece.line);
                    }
                    self.depth += 1;
                }
                b'}' if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.object.push_str(&text[from..=at]);
                        self.end(form, ground, queue);
                    }
                }
                b'[' | b']' | b',' => {}
                _ if self.depth == 0 && !byte.is_ascii_whitespace() => {
                    let fault = ReadFault::Json("expected an object".into());
                    queue.push_back(Err(ReadError { line: piece.line, fault }));
                    self.lost = true;
                }
                _ => {}
            }
        }
        if self.depth > 0 && !self.lost {
            self.object.push_str(&text[from..]);
            if piece.ends {
                self.object.push('\n');
                // No string contains the end of a line.
                self.quoted = false;
            }
            if self.object.len() > LARGEST {
                self.object.clear();
                let fault = ReadFault::Endless;
                queue.push_back(Err(ReadError { line: self.line, fault }));
                (self.depth, self.lost) = (0, true);
            }
        }
    }

    /// Ends the text.
    pub(super) fn finish(&mut self, form: Form, ground: &mut Ground<'_>, queue: &mut Queue) {
        if !self.object.is_empty() {
            self.end(form, ground, queue);
        }
    }

    /// Reads the object that was gathered.
    fn end(&mut self, form: Form, ground: &mut Ground<'_>, queue: &mut Queue) {
        let object = std::mem::take(&mut self.object);
        (self.depth, self.quoted, self.escaped) = (0, false, false);
        match serde_json::from_str::<TourObject<'_>>(object.trim_end()) {
            Ok(object) => {
                if let Some(squares) = &object.squares {
                    let read = ground.named(&object.said(), squares.iter());
                    queue.push_back(claim_at(self.line, form, read));
                }
            }
            Err(error) => {
                let message = error.to_string();
                let end = message.rfind(" at line ").unwrap_or(message.len());
                let fault = ReadFault::Json(message[..end].to_string());
                let line = self.line + error.line().saturating_sub(1);
                queue.push_back(Err(ReadError { line, fault }));
            }
        }
    }
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
        assert!(wrong.to_string().contains("has the board 3x4, but 4x3 was given"), "{wrong}");
        let wrong = read(&Hints { leaper: "1,2".parse().ok(), ..Hints::default() }).unwrap_err();
        assert!(wrong.to_string().contains("has the leaper 1,3, but 1,2 was given"), "{wrong}");
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
