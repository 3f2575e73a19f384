//! Reads the tours that an SVG carries: objects in its `<metadata id="hippodrome-tour">` elements.

use super::ground::Ground;
use super::json::JsonReader;
use super::reading::Form;
use super::source::{Piece, TextSource};
use super::{Queue, ReadError};

const OPEN: &str = "<metadata";
const CLOSE: &str = "</metadata";

/// Finds objects in an SVG.
#[derive(Default)]
pub(super) struct SvgReader {
    /// The text since the element was opened, or the end of the text so far.
    text: String,
    /// The line on which `text` begins.
    line: usize,
    /// Whether an element is open.
    open: bool,
}

impl SvgReader {
    /// Reads a piece. Returns whether there may be more.
    pub(super) fn advance(
        &mut self,
        source: &mut TextSource<'_>,
        ground: &mut Ground<'_>,
        queue: &mut Queue,
    ) -> Result<bool, ReadError> {
        let piece = source.next()?;
        let over = piece.is_none();
        if let Some(piece) = piece {
            if self.text.is_empty() {
                self.line = piece.line;
            }
            self.text.push_str(&piece.text);
            if piece.ends {
                self.text.push('\n');
            }
        }
        loop {
            if !self.open {
                match self.text.find(OPEN) {
                    Some(at) => self.skip(at),
                    None => {
                        // The end may be the beginning of the next element.
                        let kept = self.text.len().saturating_sub(OPEN.len());
                        let kept = (0..=kept).rev().find(|&at| self.text.is_char_boundary(at));
                        self.skip(kept.unwrap_or(0));
                        return Ok(!over);
                    }
                }
                self.open = true;
            }
            let end = match self.text.find(CLOSE) {
                Some(end) => end,
                None if over => self.text.len(),
                None => return Ok(true),
            };
            if let Some(start) = self.text[..end].find('>').map(|at| at + 1)
                && self.text[..start].contains("hippodrome-tour")
            {
                let line = self.line + self.text[..start].matches('\n').count();
                objects(line, &unescaped(&self.text[start..end]), ground, queue);
            }
            self.open = false;
            if end == self.text.len() {
                return Ok(false);
            }
            self.skip(end + CLOSE.len());
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.line += self.text[..bytes].matches('\n').count();
        self.text.drain(..bytes);
    }
}

/// Reads the objects in the content of an element that begins on a line.
fn objects(line: usize, text: &str, ground: &mut Ground<'_>, queue: &mut Queue) {
    let mut reader = JsonReader::default();
    for (line, text) in (line..).zip(text.lines()) {
        let piece = Piece { line, text: text.to_string(), ends: true };
        reader.feed(&piece, Form::Svg, ground, queue);
    }
    reader.finish(Form::Svg, ground, queue);
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
