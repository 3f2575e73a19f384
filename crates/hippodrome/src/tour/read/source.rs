//! The text of a file in pieces of at most a mebibyte, so that memory does not grow with the file.
//!
//! A piece is one line. Longer lines are cut behind a character that ends a word, so no word is ever
//! divided; only a run of digits, which may be a whole tour, is kept together. Text that cannot be
//! cut, control characters and bytes that are not UTF-8 are errors, found before memory grows.

use super::{ReadError, ReadFault};
use std::collections::VecDeque;
use std::io::{self, BufRead};

/// Maximum bytes of a piece, except for runs of digits.
const PIECE: usize = 1 << 20;
/// Maximum digits in a row: a tour in digits of the largest board.
const DIGITS: usize = 1 << 32;

/// A line, or a part of a long one.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Its line, from 1.
    pub(super) line: usize,
    /// Its text, without the end of the line.
    pub(super) text: String,
    /// Whether it is the last part of its line.
    pub(super) ends: bool,
}

/// A text that is read piece by piece.
pub(super) struct TextSource<'r> {
    input: Box<dyn BufRead + 'r>,
    /// Bytes read and not yet handed out.
    pending: Vec<u8>,
    /// The number of the line that is being read.
    line: usize,
    /// Pieces that were looked at and will be handed out.
    ahead: VecDeque<Piece>,
    over: bool,
}

impl<'r> TextSource<'r> {
    pub(super) fn new(input: impl BufRead + 'r) -> TextSource<'r> {
        let input = Box::new(input);
        TextSource { input, pending: Vec::new(), line: 1, ahead: VecDeque::new(), over: false }
    }

    /// Returns the next piece, or `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Piece>, ReadError> {
        match self.ahead.pop_front() {
            Some(piece) => Ok(Some(piece)),
            None => self.read(),
        }
    }

    /// Hands out a piece again.
    pub(super) fn back(&mut self, piece: Piece) {
        self.ahead.push_front(piece);
    }

    /// Looks at the piece `index` places ahead without handing it out.
    pub(super) fn peek(&mut self, index: usize) -> Result<Option<&Piece>, ReadError> {
        while self.ahead.len() <= index {
            match self.read()? {
                Some(piece) => self.ahead.push_back(piece),
                None => return Ok(None),
            }
        }
        Ok(self.ahead.get(index))
    }

    /// Returns the next line as a whole, however long.
    pub(super) fn next_line(&mut self) -> Result<Option<Piece>, ReadError> {
        let Some(mut whole) = self.next()? else { return Ok(None) };
        while !whole.ends {
            let Some(more) = self.next()? else { break };
            whole.text.push_str(&more.text);
            whole.ends = more.ends;
        }
        Ok(Some(whole))
    }

    /// Returns the next whole line that is neither blank nor a comment.
    pub(super) fn next_entry(&mut self) -> Result<Option<Piece>, ReadError> {
        while let Some(whole) = self.next_line()? {
            let content = whole.text.trim();
            if !content.is_empty() && !content.starts_with('#') {
                return Ok(Some(whole));
            }
        }
        Ok(None)
    }

    /// Reads a piece from the input. After an error there are no more.
    fn read(&mut self) -> Result<Option<Piece>, ReadError> {
        if self.over {
            return Ok(None);
        }
        let line = self.line;
        let read = self.read_piece();
        if !matches!(read, Ok(Some(_))) {
            self.over = true;
        }
        read.map_err(|fault| ReadError { line, fault })
    }

    fn read_piece(&mut self) -> Result<Option<Piece>, ReadFault> {
        // The pending bytes have no end of a line, and no place to cut before this.
        let mut searched = 0;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(ReadFault::Unreadable(error.kind())),
            };
            let rest = self.pending.len();
            if chunk.is_empty() {
                return if rest == 0 { Ok(None) } else { self.hand_out(rest, true).map(Some) };
            }
            let window = &chunk[..chunk.len().min(PIECE + searched - rest)];
            let end = window.iter().position(|&b| b == b'\n');
            let taken = end.map_or(window.len(), |end| end + 1);
            self.pending.extend_from_slice(&window[..taken]);
            self.input.consume(taken);
            if end.is_some() {
                return self.hand_out(rest + taken, true).map(Some);
            }
            if rest + taken < searched + PIECE {
                continue;
            }
            let tail = &self.pending[searched..];
            if let Some(at) = last_cut(tail) {
                return self.hand_out(searched + at, false).map(Some);
            }
            if !tail.iter().all(u8::is_ascii_digit) || self.pending.len() > DIGITS {
                text(&self.pending)?;
                return Err(ReadFault::Endless);
            }
            searched += PIECE;
        }
    }

    /// Hands out the first `length` bytes.
    fn hand_out(&mut self, length: usize, ends: bool) -> Result<Piece, ReadFault> {
        let rest = self.pending.split_off(length);
        let mut bytes = std::mem::replace(&mut self.pending, rest);
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        let mut content = text(&bytes)?.to_string();
        if self.line == 1 && content.starts_with('\u{feff}') {
            content.remove(0);
        }
        let piece = Piece { line: self.line, text: content, ends };
        self.line += usize::from(ends);
        Ok(piece)
    }
}

/// Returns the bytes as text, if they are.
fn text(bytes: &[u8]) -> Result<&str, ReadFault> {
    let strange = |b: &u8| *b < b' ' && !matches!(b, b'\t' | b'\r' | b'\n' | 0x0c);
    if bytes.iter().any(strange) {
        return Err(ReadFault::NotText);
    }
    std::str::from_utf8(bytes).map_err(|_| ReadFault::NotText)
}

/// Returns the position behind the last byte after which a line may be cut.
fn last_cut(bytes: &[u8]) -> Option<usize> {
    let cuts = |at: &usize| {
        let (this, next) = (bytes[at - 1], bytes.get(*at).copied().unwrap_or(0x80));
        match this {
            b' ' | b'\t' | b',' | b';' | b'|' | b'&' | b']' | b')' | b'}' | b'-' | b'>' => {
                next.is_ascii()
            }
            _ => !this.is_ascii() && next.is_ascii(),
        }
    };
    (1..bytes.len()).rev().find(cuts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn pieces(bytes: &[u8]) -> Result<Vec<Piece>, ReadError> {
        let mut source = TextSource::new(BufReader::with_capacity(7, bytes));
        let mut all = Vec::new();
        while let Some(piece) = source.next()? {
            all.push(piece);
        }
        Ok(all)
    }

    #[test]
    fn lines_keep_their_numbers_and_lose_their_ends() {
        let all = pieces("\u{feff}a1\n\nb2 é\nlast".as_bytes()).unwrap();
        let all: Vec<_> = all.iter().map(|p| (p.line, p.text.as_str(), p.ends)).collect();
        assert_eq!(all, [(1, "a1", true), (2, "", true), (3, "b2 é", true), (4, "last", true)]);
        assert!(pieces(b"").unwrap().is_empty());
    }

    #[test]
    fn a_long_line_is_cut_between_words_and_put_together_again() {
        for word in ["a1 ", "a1→", "aa100-", "12,"] {
            let line = word.repeat(3 * PIECE / word.len());
            let all = pieces(line.as_bytes()).unwrap();
            assert!(all.len() > 2 && all.iter().all(|p| p.line == 1), "{word}");
            assert!(all.iter().all(|p| p.text.len().is_multiple_of(word.len())), "{word}");
            let mut source = TextSource::new(line.as_bytes());
            assert_eq!(source.next_line().unwrap().unwrap().text, line);
        }
        let digits = "3".repeat(3 * PIECE) + "\n1\n";
        assert_eq!(pieces(digits.as_bytes()).unwrap().len(), 2);
    }

    #[test]
    fn junk_is_refused_before_it_takes_memory() {
        let endless = |byte: u8| {
            let mut source = TextSource::new(BufReader::new(io::repeat(byte)));
            let fault = source.next().unwrap_err().fault;
            assert!(source.pending.capacity() < 8 * PIECE);
            assert!(source.next().unwrap().is_none());
            fault
        };
        assert_eq!(endless(b'x'), ReadFault::Endless);
        assert_eq!(endless(0), ReadFault::NotText);
        assert_eq!(endless(0xff), ReadFault::NotText);
        for junk in [&b"\x89PNG\r\n\x1a\n"[..], b"1 2\n\xff\xfe1\0", b"a1 \x00"] {
            assert_eq!(pieces(junk).unwrap_err().fault, ReadFault::NotText, "{junk:?}");
        }
        let mut stream = io::repeat(b'1').take(3).chain(io::repeat(b' '));
        let mut source = TextSource::new(BufReader::new(&mut stream));
        assert_eq!(source.next().unwrap().unwrap().text.len(), PIECE - 1);
    }
}
