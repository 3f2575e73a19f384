//! Detects the family of a text by its first lines.
//!
//! In this order: a vertex of the given graph; `<` of an SVG; a keyword of TSPLIB; `{"` or `[{` of JSON
//! objects; the given graph, whatever the text; more than ten digits in a row, or a square followed
//! by a number, for digits; otherwise rows of numbers or squares. Titles and borders are
//! skipped, so that the first line with data decides.

use super::ReadError;
use super::digits::is_number;
use super::ground::Ground;
use super::json::JsonReader;
use super::row::{Cells, Event, RowReader};
use super::source::TextSource;
use super::svg::SvgReader;
use super::table::TableReader;
use super::tsplib::TsplibReader;
use crate::board::graph_file::begins_tsplib;
use crate::tour::Notation;

/// Maximum number of pieces that are looked at.
const HEAD: usize = 1000;

/// The reader of a family of notations.
pub(super) enum TextFamily {
    Table(Box<TableReader>),
    Vertices,
    Digits,
    Json(JsonReader),
    Tsplib(Box<TsplibReader>),
    Svg(SvgReader),
}

impl TextFamily {
    fn table(hash_rows: bool) -> TextFamily {
        TextFamily::Table(Box::new(TableReader::new(hash_rows)))
    }
}

/// Returns the reader of a text, by the notation if it is known.
pub(super) fn detect(
    source: &mut TextSource<'_>,
    ground: &Ground<'_>,
    notation: Option<Notation>,
) -> Result<TextFamily, ReadError> {
    match notation {
        Some(Notation::Digits) => return Ok(TextFamily::Digits),
        Some(Notation::Tsplib) => return Ok(TextFamily::Tsplib(Box::default())),
        Some(Notation::Moves) if ground.file().is_some() => return Ok(TextFamily::Vertices),
        Some(Notation::Moves) => return Ok(TextFamily::table(false)),
        Some(Notation::Json) | None => {}
        Some(_) => return Ok(TextFamily::table(true)),
    }
    let json = notation == Some(Notation::Json);
    for index in 0..HEAD {
        let Some(piece) = source.peek(index)? else { break };
        let text = piece.text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let text = text.to_string();
        let first = text.split_whitespace().next().unwrap_or_default();
        if json || text.starts_with(['{', '[']) {
            if !json && ground.file_has(first) {
                return Ok(TextFamily::Vertices);
            }
            if begins_objects(source, index)? || (json && !text.starts_with('[')) {
                return Ok(TextFamily::Json(JsonReader::default()));
            }
        }
        if ground.file_has(first) {
            return Ok(TextFamily::Vertices);
        }
        if first.starts_with('<') {
            return Ok(TextFamily::Svg(SvgReader::default()));
        }
        if begins_tsplib(&text) {
            return Ok(TextFamily::Tsplib(Box::default()));
        }
        if ground.file().is_some() {
            return Ok(TextFamily::Vertices);
        }
        if let Some(family) = by_data(&text, source, index)? {
            return Ok(family);
        }
    }
    Ok(if ground.file().is_some() { TextFamily::Vertices } else { TextFamily::table(true) })
}

/// Returns the family of a line with data; `None` for titles and borders.
fn by_data(
    text: &str,
    source: &mut TextSource<'_>,
    index: usize,
) -> Result<Option<TextFamily>, ReadError> {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    if is_number(first) && first.len() > 10 {
        return Ok(Some(TextFamily::Digits));
    }
    let mut events = Vec::new();
    RowReader::default().feed(1, text, true, &mut events);
    let named = match events.first() {
        // Rows in brackets may end on a later line.
        None => return Ok(text.starts_with(['[', '(', '{']).then(|| TextFamily::table(true))),
        Some(Event::Gap | Event::Prose { .. } | Event::Comment(_)) => return Ok(None),
        Some(Event::Bad { names, .. }) => *names,
        Some(Event::Row(row)) => matches!(row.cells, Cells::Names(_)),
    };
    if is_square(first) {
        let second = match words.next() {
            Some(word) => word.to_string(),
            None => word_after(source, index)?,
        };
        if !second.is_empty() && is_number(&second) {
            return Ok(Some(TextFamily::Digits));
        }
    }
    Ok(Some(TextFamily::table(!named)))
}

/// Returns whether a word is the name of a square.
fn is_square(word: &str) -> bool {
    let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    letters > 0 && letters < word.len() && is_number(&word[letters..])
}

/// Returns the first word of the next line that is neither blank nor a comment.
fn word_after(source: &mut TextSource<'_>, index: usize) -> Result<String, ReadError> {
    for ahead in index + 1..index + HEAD {
        let Some(piece) = source.peek(ahead)? else { break };
        let text = piece.text.trim();
        if !text.is_empty() && !text.starts_with('#') {
            return Ok(text.split_whitespace().next().unwrap_or_default().to_string());
        }
    }
    Ok(String::new())
}

/// Returns whether JSON objects begin here: `{"`, `{}`, or a list of them.
fn begins_objects(source: &mut TextSource<'_>, index: usize) -> Result<bool, ReadError> {
    let mut brace = false;
    for ahead in index..index + HEAD {
        let Some(piece) = source.peek(ahead)? else { break };
        for c in piece.text.chars().filter(|c| !c.is_whitespace()) {
            match c {
                '[' if !brace => {}
                '{' if !brace => brace = true,
                '"' | '}' => return Ok(brace),
                _ => return Ok(false),
            }
        }
    }
    Ok(brace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tour::Hints;

    fn detected(text: &str) -> &'static str {
        let hints = Hints::default();
        let mut source = TextSource::new(text.as_bytes());
        match detect(&mut source, &Ground::new(&hints), None).unwrap() {
            TextFamily::Table(table) if table.hash_rows() => "numbers",
            TextFamily::Table(_) => "squares",
            TextFamily::Vertices => "vertices",
            TextFamily::Digits => "digits",
            TextFamily::Json(_) => "json",
            TextFamily::Tsplib(_) => "tsplib",
            TextFamily::Svg(_) => "svg",
        }
    }

    #[test]
    fn the_first_lines_determine_the_family() {
        let cases = [
            ("a1 c2 b4\n", "squares"),
            ("# two tours\n# 12\na1 c2\n", "squares"),
            ("a1\n", "squares"),
            ("Tour 12, 8x8\n\na1 c2\n", "squares"),
            ("", "numbers"),
            ("e4 4365 036\n", "digits"),
            ("e4\n43650\n", "digits"),
            ("Tour 1\ne4 43650\n", "digits"),
            ("436503601672471233367072352466\n", "digits"),
            (" 1 # 3\n # 2 4\n", "numbers"),
            ("# 1\n# 2\n", "numbers"),
            ("#\n5 6\n", "numbers"),
            ("+---+\n| 1 |\n", "numbers"),
            ("[\n[1, 2],\n", "numbers"),
            ("{{1,2},{3,4}}", "numbers"),
            ("  {\"squares\":[]}", "json"),
            ("[\n  {\n    \"squares\"", "json"),
            ("NAME : x\nTYPE : TOUR\n", "tsplib"),
            ("<?xml version=\"1.0\"?>\n<svg/>", "svg"),
        ];
        for (text, family) in cases {
            assert_eq!(detected(text), family, "{text}");
        }
    }
}
