//! Rows of numbers or squares, from lines, brackets and tables.
//!
//! A line is a row; in brackets, the innermost bracket is one, and in LaTeX `\\` ends one. Borders,
//! file letters and titles are left out. The result is the same for all these layouts, so that
//! the readings of a tour need not know them.

use super::grid::GridFault;
use super::token::{HUGE, Spaced, Token, tokens};
use super::{ReadError, ReadFault};
use crate::board::graph_file::shorten;
use crate::board::{Board, VertexError};

/// The number of a hole.
pub(super) const HOLE: u32 = u32::MAX;
/// The number of an empty cell: a hole, or the outside of a border.
pub(super) const EMPTY: u32 = u32::MAX - 1;
/// Maximum depth of brackets: a list of grids.
const DEPTH: usize = 4;

/// The entries of a row or a block: one kind for all.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cells {
    Numbers(Vec<u32>),
    /// Columns and rows of squares, from 0.
    Names(Vec<(u32, u32)>),
}

impl Cells {
    pub(super) fn len(&self) -> usize {
        match self {
            Cells::Numbers(numbers) => numbers.len(),
            Cells::Names(names) => names.len(),
        }
    }
}

/// How the entries of a row are separated and surrounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) comma: bool,
    pub(super) semicolon: bool,
    pub(super) bar: bool,
    pub(super) ampersand: bool,
    pub(super) bracket: bool,
}

impl Marks {
    pub(super) fn add(&mut self, other: Marks) {
        self.comma |= other.comma;
        self.semicolon |= other.semicolon;
        self.bar |= other.bar;
        self.ampersand |= other.ampersand;
        self.bracket |= other.bracket;
    }
}

/// A row of entries.
#[derive(Clone, Debug)]
pub(super) struct TextRow {
    pub(super) line: usize,
    pub(super) cells: Cells,
    pub(super) marks: Marks,
    /// Whether it is a pair in round brackets, or two numbers joined by a comma.
    pub(super) round: bool,
    /// Whether every square may begin with the letter of a piece.
    pub(super) pieces: bool,
    /// The first number that is too large to number a square.
    pub(super) huge: Option<String>,
}

/// What a line of a text is.
enum LineContent {
    /// Data after this number of tokens.
    Data(usize),
    /// An event that stands for the whole line.
    Event(Event),
    /// A line that means nothing, such as a border.
    Nothing,
}

/// What a text consists of.
#[derive(Debug)]
pub(super) enum Event {
    Row(TextRow),
    /// The end of a block of rows: a blank line, or the end of a list or a table.
    Gap,
    /// A line of prose.
    Prose {
        line: usize,
        word: String,
    },
    /// A comment, without its mark.
    Comment(String),
    /// A damaged row.
    Bad {
        error: ReadError,
        names: bool,
    },
}

/// Turns pieces of text into rows.
#[derive(Default)]
pub(super) struct RowReader {
    /// Whether lines that begin with `#` may be rows with a hole.
    hash_rows: bool,
    /// The open brackets, and whether each contains brackets.
    open: Vec<(char, bool)>,
    latex: bool,
    /// Whether the next piece continues the current row.
    continued: bool,
    numbers: Vec<u32>,
    names: Vec<(u32, u32)>,
    line: usize,
    marks: Marks,
    pieces: bool,
    huge: Option<String>,
    /// Whether the last token was a separator.
    separated: bool,
    /// Length of the current row at which it is tested for repetition next.
    tested: usize,
}

/// Number of tokens of each kind in a line.
#[derive(Default)]
struct Census {
    numbers: usize,
    names: usize,
    ordinals: usize,
    holes: usize,
    words: usize,
    begins_with_data: bool,
}

impl Census {
    fn of(tokens: &[Spaced<'_>]) -> Census {
        let mut census = Census::default();
        for (token, _) in tokens {
            match token {
                Token::Number(..) => census.numbers += 1,
                Token::Name { .. } => census.names += 1,
                Token::Ordinal(_) => census.ordinals += 1,
                Token::Hole => census.holes += 1,
                Token::Word(_) => census.words += 1,
                _ => {}
            }
        }
        let first = tokens.iter().find(|(token, _)| !matches!(token, Token::Separator(_)));
        census.begins_with_data = first.is_some_and(|(t, _)| {
            matches!(t, Token::Number(..) | Token::Name { .. } | Token::Hole)
        });
        census
    }

    /// Returns whether the line is a damaged row, not prose: it has words, but too much data for a title.
    fn is_damaged(&self) -> bool {
        let data = self.numbers + self.names;
        let ahead = usize::from(self.begins_with_data);
        self.words > 0 && 2 * data + ahead > data + self.words
    }
}

/// Returns whether the tokens are the letters of files: `a b c d`.
fn is_file_letters(tokens: &[Spaced<'_>]) -> bool {
    let words = || {
        tokens.iter().filter_map(|(token, _)| match token {
            Token::Word(word) => Some(*word),
            _ => None,
        })
    };
    let data = |t: &Token<'_>| matches!(t, Token::Number(..) | Token::Name { .. });
    let letter = |(index, word): (usize, &str)| {
        let expected = (index / 26).checked_sub(1).map(|high| char::from(b'a' + (high % 26) as u8));
        let low = char::from(b'a' + (index % 26) as u8);
        let name: String = expected.into_iter().chain([low]).collect();
        word.eq_ignore_ascii_case(&name)
    };
    words().next().is_some()
        && words().enumerate().all(letter)
        && !tokens.iter().any(|(token, _)| data(token))
}

/// Returns whether the tokens are pairs such as `0,0 1,2 2,4`.
fn is_joined_pairs(tokens: &[Spaced<'_>]) -> bool {
    tokens.len() > 3
        && tokens.len().is_multiple_of(3)
        && tokens.chunks(3).all(|pair| {
            matches!(
                pair,
                [
                    (Token::Number(..), true),
                    (Token::Separator(','), false),
                    (Token::Number(..), false)
                ]
            )
        })
}

impl RowReader {
    /// Creates a reader; `hash_rows` says whether lines that begin with `#` may be rows with a hole.
    pub(super) fn new(hash_rows: bool) -> RowReader {
        RowReader { hash_rows, ..RowReader::default() }
    }

    #[cfg(test)]
    pub(super) fn hash_rows(&self) -> bool {
        self.hash_rows
    }

    /// Reads a piece and adds what it consists of to `events`.
    pub(super) fn feed(&mut self, line: usize, text: &str, ends: bool, events: &mut Vec<Event>) {
        let fresh = !self.continued && self.open.is_empty();
        let trimmed = text.trim();
        if fresh && trimmed.is_empty() && ends {
            events.push(Event::Gap);
            return;
        }
        let mut all = Vec::new();
        let code = if self.latex { text.split('%').next().unwrap_or_default() } else { text };
        tokens(code, self.open.iter().any(|(open, _)| *open == '('), &mut all);
        self.latex |= all.iter().any(|(t, _)| matches!(t, Token::Environment | Token::Command));
        let mut tokens = &all[..];
        if fresh {
            match self.sort_out(line, trimmed, tokens) {
                LineContent::Data(skipped) => tokens = &tokens[skipped..],
                LineContent::Event(event) => return events.push(event),
                LineContent::Nothing => return,
            }
            if self.open.is_empty() && is_joined_pairs(tokens) {
                for pair in tokens.chunks(3) {
                    self.take(line, pair, false, events);
                    self.end_row(true, events);
                }
                return;
            }
        }
        let census = Census::of(tokens);
        self.take(line, tokens, census.names > 0, events);
        self.continued = !ends || (self.latex && self.separated && self.open.is_empty());
        if ends && self.open.is_empty() && !self.continued {
            self.end_row(false, events);
        }
    }

    /// Returns an error if the current row is long and mostly repeats its entries. Tested when its length
    /// passes a power of two from `least` on.
    pub(super) fn repetition(&mut self, least: usize) -> Option<ReadError> {
        let length = self.numbers.len().max(self.names.len());
        if length < least.max(self.tested) {
            self.tested = if length == 0 { 0 } else { self.tested };
            return None;
        }
        self.tested = (length + 1).next_power_of_two();
        let distinct = {
            let mut last: Vec<(u32, u32)> = if self.names.is_empty() {
                self.numbers[length - least..].iter().map(|&number| (number, 0)).collect()
            } else {
                self.names[self.names.len().saturating_sub(least)..].to_vec()
            };
            last.sort_unstable();
            last.dedup();
            last.len()
        };
        let fault = ReadFault::Repetitive(length);
        (distinct < least / 2).then_some(ReadError { line: self.line, fault })
    }

    /// Ends the text.
    pub(super) fn finish(&mut self, events: &mut Vec<Event>) {
        self.end_row(false, events);
        events.push(Event::Gap);
    }

    /// Decides what a line is.
    fn sort_out(&self, line: usize, text: &str, tokens: &[Spaced<'_>]) -> LineContent {
        let census = Census::of(tokens);
        let data = census.numbers + census.names + census.ordinals;
        let comment = text.starts_with('%')
            || (text.starts_with('#') && (!self.hash_rows || census.words + census.names > 0));
        if comment {
            let text = text.trim_start_matches(['#', '%']).trim();
            return LineContent::Event(Event::Comment(text.to_string()));
        }
        let environment = tokens.iter().any(|(t, _)| *t == Token::Environment);
        if environment && data == 0 {
            return LineContent::Event(Event::Gap);
        }
        if census.words == 0 {
            return match data + census.holes {
                0 if tokens.iter().any(|(t, _)| matches!(t, Token::Open(_) | Token::Close)) => {
                    LineContent::Data(0)
                }
                0 => LineContent::Nothing,
                _ => LineContent::Data(0),
            };
        }
        if is_file_letters(tokens) {
            return LineContent::Nothing;
        }
        // `array([[1, 2],` and `board = [`: words before the brackets.
        let is_open = |(token, _): &Spaced<'_>| matches!(token, Token::Open(_));
        if let Some(first) = tokens.iter().position(is_open) {
            let inside = Census::of(&tokens[first..]);
            if inside.words == 0 && inside.numbers + inside.names > 2 {
                return LineContent::Data(first);
            }
            if tokens.last().is_some_and(is_open) {
                let after = tokens.iter().rposition(|token| !is_open(token)).map_or(0, |at| at + 1);
                return LineContent::Data(after);
            }
        }
        let word = tokens.iter().find_map(|(token, _)| match token {
            Token::Word(word) => Some(*word),
            _ => None,
        });
        let word = word.unwrap_or_default();
        if census.is_damaged() {
            let names = census.names > census.numbers;
            return LineContent::Event(bad(line, word, names, tokens));
        }
        LineContent::Event(Event::Prose { line, word: shorten(word) })
    }

    /// Adds tokens to the current row, and ends rows at brackets.
    fn take(&mut self, line: usize, tokens: &[Spaced<'_>], named: bool, events: &mut Vec<Event>) {
        for (index, &(token, _)) in tokens.iter().enumerate() {
            let separated = std::mem::take(&mut self.separated);
            match token {
                Token::Number(_, _) if named && self.is_counted(tokens, index) => {}
                Token::Number(value, text) => {
                    if value == HUGE {
                        self.huge.get_or_insert_with(|| shorten(text));
                    }
                    self.number(line, value);
                }
                Token::Ordinal(value) if !named => self.number(line, value),
                Token::Ordinal(_) => {}
                Token::Name { col, row, piece } => self.name(line, (col, row), piece),
                Token::Hole | Token::Dash if !named => self.number(line, HOLE),
                Token::Hole | Token::Dash => {}
                Token::Separator(mark) => {
                    self.mark(mark);
                    if mark == ';' && !self.open.is_empty() {
                        self.end_row(false, events);
                        continue;
                    }
                    let first = self.numbers.is_empty() && self.open.is_empty();
                    if !named && self.open.is_empty() && (separated || first) {
                        self.number(line, EMPTY);
                    }
                    self.separated = true;
                }
                Token::Open(_) | Token::Close if self.latex => {}
                Token::Open(bracket) => {
                    self.end_row(false, events);
                    self.open.push((bracket, false));
                    if self.open.len() > DEPTH {
                        let fault = ReadFault::Nested(self.open.len());
                        let error = ReadError { line, fault };
                        events.push(Event::Bad { error, names: false });
                        self.open.clear();
                        return;
                    }
                }
                Token::Close => self.close(events),
                Token::RowEnd => {
                    self.end_row(false, events);
                }
                Token::Environment => {
                    self.end_row(false, events);
                    events.push(Event::Gap);
                }
                Token::Command => {}
                Token::Ellipsis => {
                    let error = ReadError { line, fault: ReadFault::Abbreviated };
                    events.push(Event::Bad { error, names: named });
                }
                Token::Word(word) => {
                    events.push(bad(line, word, named || !self.names.is_empty(), tokens));
                }
            }
        }
    }

    /// Returns whether a number only counts the square that follows it, as in `1 a1 2 c2`.
    fn is_counted(&self, tokens: &[Spaced<'_>], index: usize) -> bool {
        let mut after = tokens[index + 1..].iter().map(|(token, _)| token);
        let next = after.find(|token| !matches!(token, Token::Separator(_)));
        matches!(next, Some(Token::Name { .. }))
    }

    fn number(&mut self, line: usize, value: u32) {
        self.begin(line);
        self.numbers.push(value);
    }

    fn name(&mut self, line: usize, place: (u32, u32), piece: bool) {
        self.begin(line);
        self.pieces &= piece;
        self.names.push(place);
    }

    fn begin(&mut self, line: usize) {
        if self.numbers.is_empty() && self.names.is_empty() {
            self.line = line;
            self.pieces = true;
        }
    }

    fn mark(&mut self, mark: char) {
        match mark {
            ',' => self.marks.comma = true,
            ';' => self.marks.semicolon = true,
            '&' => self.marks.ampersand = true,
            _ => self.marks.bar = true,
        }
    }

    fn close(&mut self, events: &mut Vec<Event>) {
        let Some((bracket, nested)) = self.open.pop() else { return };
        self.end_row(bracket == '(', events);
        if nested {
            events.push(Event::Gap);
        }
        if let Some((_, contains)) = self.open.last_mut() {
            *contains = true;
        }
        // The comma that follows a row does not belong to it.
        self.separated = false;
    }

    fn end_row(&mut self, round: bool, events: &mut Vec<Event>) {
        let trailing = std::mem::take(&mut self.separated) && self.open.is_empty();
        let mut numbers = std::mem::take(&mut self.numbers);
        let names = std::mem::take(&mut self.names);
        let mut marks = std::mem::take(&mut self.marks);
        let huge = self.huge.take();
        let (line, pieces) = (self.line, self.pieces);
        marks.bracket |= !self.open.is_empty() || round;
        if !numbers.is_empty() && !names.is_empty() {
            let error = ReadError { line, fault: ReadFault::MixedRow };
            events.push(Event::Bad { error, names: true });
            return;
        }
        if trailing && !numbers.is_empty() {
            numbers.push(EMPTY);
        }
        let empty = numbers.iter().all(|&n| n == EMPTY) && names.is_empty();
        if empty {
            return;
        }
        let cells = if names.is_empty() { Cells::Numbers(numbers) } else { Cells::Names(names) };
        events.push(Event::Row(TextRow { line, cells, marks, round, pieces, huge }));
    }
}

/// Creates the error for a word that is neither a number nor a square.
fn bad(line: usize, word: &str, names: bool, tokens: &[Spaced<'_>]) -> Event {
    let fault = if names {
        let found = |(token, _): &&Spaced<'_>| *token != Token::Word(word);
        let name = |(token, _): &&Spaced<'_>| matches!(token, Token::Name { .. });
        let step = tokens.iter().take_while(found).filter(name).count() + 1;
        unknown_name(step, word)
    } else {
        GridFault::Entry(shorten(word)).into()
    };
    Event::Bad { error: ReadError { line, fault }, names }
}

/// Creates the error for a word that is not a square.
pub(super) fn unknown_name(step: usize, word: &str) -> ReadFault {
    let place = Board::new(65535, 65535).and_then(|widest| widest.place(&shorten(word)));
    let source = match place {
        Err(error) => VertexError::Board(error),
        Ok(_) => crate::board::BoardError::SquareSyntax(shorten(word)).into(),
    };
    ReadFault::Name { step, source }
}
