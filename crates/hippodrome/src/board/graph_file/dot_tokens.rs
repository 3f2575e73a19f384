//! The tokens of DOT.

use super::{GraphFault, Located, shorten};
use std::borrow::Cow;

/// A token of DOT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DotToken<'t> {
    /// A bare word or number.
    Word(&'t str),
    /// A quoted string or HTML.
    Quoted(Cow<'t, str>),
    /// One of `{}[];,=:+`.
    Sign(char),
    /// `--`, or `->` if directed.
    Edge {
        /// Whether it is an arrow.
        directed: bool,
    },
    /// The end of the text.
    End,
}

impl DotToken<'_> {
    /// Returns the token as in messages.
    pub(super) fn shown(&self) -> String {
        match self {
            DotToken::Word(word) => format!("'{}'", shorten(word)),
            DotToken::Quoted(text) => format!("\"{}\"", shorten(text)),
            DotToken::Sign(sign) => format!("'{sign}'"),
            DotToken::Edge { directed: true } => "'->'".into(),
            DotToken::Edge { directed: false } => "'--'".into(),
            DotToken::End => "the end of the file".into(),
        }
    }
}

/// Splits a text into tokens.
#[derive(Clone)]
pub(super) struct DotTokens<'t> {
    text: &'t str,
    at: usize,
    /// The line that `at` is in.
    pub(super) line: usize,
}

impl<'t> DotTokens<'t> {
    pub(super) fn new(text: &'t str) -> DotTokens<'t> {
        DotTokens { text, at: 0, line: 1 }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip(&mut self, bytes: usize) {
        let passed = &self.text.as_bytes()[self.at..self.at + bytes];
        self.line += passed.iter().filter(|&&b| b == b'\n').count();
        self.at += bytes;
    }

    fn missing<T>(&self, expected: &'static str) -> Result<T, Located> {
        Err((self.line, GraphFault::Syntax { expected, found: "the end of the file".into() }))
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) -> Result<(), Located> {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            self.skip(blanks);
            let rest = self.rest();
            let line_begins = self.at == 0 || self.text[..self.at].ends_with('\n');
            if rest.starts_with("//") || (rest.starts_with('#') && line_begins) {
                self.skip(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                let Some(end) = rest.find("*/") else { return self.missing("'*/'") };
                self.skip(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    /// Returns the next token.
    pub(super) fn next(&mut self) -> Result<DotToken<'t>, Located> {
        self.skip_blanks()?;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(DotToken::End) };
        for (mark, directed) in [("--", false), ("->", true)] {
            if rest.starts_with(mark) {
                self.skip(2);
                return Ok(DotToken::Edge { directed });
            }
        }
        match first {
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' | '+' => {
                self.skip(1);
                Ok(DotToken::Sign(first))
            }
            '"' => self.quoted(),
            '<' => self.html(),
            _ => self.word(),
        }
    }

    /// Reads a name or a number; a number followed by letters is neither.
    fn word(&mut self) -> Result<DotToken<'t>, Located> {
        let rest = self.rest();
        let letter =
            |c: char| c.is_alphanumeric() || c == '_' || (!c.is_ascii() && !c.is_whitespace());
        let sign = rest.starts_with('-');
        let body = &rest[usize::from(sign)..];
        let end = body.find(|c: char| !letter(c) && c != '.').unwrap_or(body.len());
        let word = &rest[..end + usize::from(sign)];
        let number = word.parse::<f64>().is_ok() && !word.contains(['e', 'E', 'n', 'N', 'f', 'F']);
        let name = !sign && !word.contains('.') && !word.starts_with(|c: char| c.is_ascii_digit());
        if word.is_empty() || !(number || name) {
            let found = rest.chars().next().map_or(String::new(), |c| c.to_string());
            let found = format!("'{}'", shorten(if word.is_empty() { &found } else { word }));
            let expected = "a name, which is quoted if it has other characters than letters and digits or begins with a digit";
            return Err((self.line, GraphFault::Syntax { expected, found }));
        }
        self.skip(word.len());
        Ok(DotToken::Word(word))
    }

    /// Reads a string; a backslash keeps a quote and joins lines.
    fn quoted(&mut self) -> Result<DotToken<'t>, Located> {
        let rest = &self.rest()[1..];
        let mut escaped = false;
        let end = rest.bytes().position(|b| {
            let closes = b == b'"' && !escaped;
            escaped = b == b'\\' && !escaped;
            closes
        });
        let Some(end) = end else { return self.missing("'\"', which ends the string") };
        let text = &rest[..end];
        let text = match text.contains('\\') {
            true => text.replace("\\\r\n", "").replace("\\\n", "").replace("\\\"", "\"").into(),
            false => Cow::Borrowed(text),
        };
        self.skip(end + 2);
        Ok(DotToken::Quoted(text))
    }

    /// Reads HTML, in which brackets are nested.
    fn html(&mut self) -> Result<DotToken<'t>, Located> {
        let rest = self.rest();
        let mut depth = 0usize;
        let end = rest.bytes().position(|b| {
            match b {
                b'<' => depth += 1,
                b'>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        let Some(end) = end else { return self.missing("'>', which ends the HTML") };
        let text = &rest[1..end];
        self.skip(end + 1);
        Ok(DotToken::Quoted(text.into()))
    }
}
