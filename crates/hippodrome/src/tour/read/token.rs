//! The words of a tour's text: numbers, squares, holes, separators and brackets.
//!
//! Characters that only join squares (arrows, dashes, quotes, chess symbols) or only draw borders are
//! skipped. Words that are none of these are kept: such a line is a title or an error.

/// A word of a text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Token<'t> {
    /// A number; [`HUGE`] and its text if it is too large to number a square.
    Number(u32, &'t str),
    /// A number that counts what follows: `1.`, `1)`, `1:`.
    Ordinal(u32),
    /// A square by its column and row, from 0; `piece` if it may begin with the letter of a piece.
    Name {
        col: u32,
        row: u32,
        piece: bool,
    },
    /// `#`, `.` and similar: a square that does not exist.
    Hole,
    /// `-`, `*`, `_`: a hole among numbers, otherwise a line.
    Dash,
    Separator(char),
    Open(char),
    Close,
    /// `\\` in LaTeX.
    RowEnd,
    /// The begin or end of an environment in LaTeX.
    Environment,
    /// A command of LaTeX.
    Command,
    /// `...`: something is left out.
    Ellipsis,
    Word(&'t str),
}

/// Stands for numbers that are too large to number a square.
pub(super) const HUGE: u32 = u32::MAX - 2;

/// A token, and whether a blank precedes it.
pub(super) type Spaced<'t> = (Token<'t>, bool);

/// Commands of LaTeX whose arguments are not part of a table's content.
const WITH_ARGUMENTS: [&str; 12] = [
    "begin",
    "end",
    "cline",
    "cmidrule",
    "caption",
    "label",
    "setlength",
    "renewcommand",
    "documentclass",
    "usepackage",
    "vspace",
    "hspace",
];

/// Splits a text. `round` says whether a round bracket is open before it.
pub(super) fn tokens<'t>(text: &'t str, mut round: bool, out: &mut Vec<Spaced<'t>>) {
    let mut rest = text;
    let mut spaced = true;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            _ if first.is_whitespace() => {
                spaced = true;
                (None, first.len_utf8())
            }
            '\\' => command(rest),
            '0'..='9' => number(rest, round),
            '-' if !before.is_alphanumeric() && follows_digit(rest) => {
                let digits = digits(&rest[1..]);
                let one = digits.trim_start_matches('0') == "1";
                let word = &rest[..=digits.len()];
                (Some(if one { Token::Hole } else { Token::Word(word) }), word.len())
            }
            '-' | '_' | '*' => {
                let run = rest.len() - rest.trim_start_matches(first).len();
                let after = rest[run..].chars().next().unwrap_or(' ');
                let joins = after == '>' || (before.is_alphanumeric() && after.is_alphanumeric());
                (Some(Token::Dash).filter(|_| !joins), run)
            }
            '.' => {
                let run = rest.len() - rest.trim_start_matches('.').len();
                (Some(if run < 3 { Token::Hole } else { Token::Ellipsis }), run)
            }
            '…' => (Some(Token::Ellipsis), first.len_utf8()),
            '#' | '·' | '•' | '■' | '█' | '▓' | '×' => {
                (Some(Token::Hole), first.len_utf8())
            }
            ',' | ';' | '&' => (Some(Token::Separator(first)), 1),
            '|' | '│' | '┃' | '║' | '┆' | '┊' | '╎' => {
                let same = |c: char| c == first;
                let run = rest.len() - rest.trim_start_matches(same).len();
                (Some(Token::Separator('|')), run)
            }
            '[' | '(' | '{' => {
                round |= first == '(';
                (Some(Token::Open(first)), 1)
            }
            ']' | ')' | '}' => {
                round &= first != ')';
                (Some(Token::Close), 1)
            }
            _ if is_skipped(first) => (None, first.len_utf8()),
            _ => {
                let length = rest.find(ends_word).unwrap_or(rest.len()).max(first.len_utf8());
                let word = &rest[..length];
                if matches!(word, "null" | "None" | "nan" | "NaN") {
                    out.push((Token::Hole, spaced));
                } else if !names(word, spaced, out) {
                    out.push((Token::Word(word), spaced));
                }
                spaced = false;
                (None, length)
            }
        };
        if let Some(token) = token {
            out.push((token, spaced));
            spaced = false;
        }
        before = rest[..length].chars().next_back().unwrap_or(' ');
        rest = &rest[length..];
    }
}

/// Characters that join squares, draw borders, quote, or stand for a piece.
fn is_skipped(c: char) -> bool {
    matches!(
        c,
        '\u{feff}' | '"' | '\'' | '`' | '$' | '+' | '=' | ':' | '>' | '~' | '–' | '—' | '−' | '⇒'
    ) || ('\u{2190}'..='\u{21ff}').contains(&c)
        || ('\u{2500}'..='\u{257f}').contains(&c)
        || ('\u{2654}'..='\u{265f}').contains(&c)
        || ('\u{2794}'..='\u{27be}').contains(&c)
        || ('\u{27f0}'..='\u{27ff}').contains(&c)
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || ",;|&()[]{}\\-#.*_…".contains(c) || is_skipped(c)
}

fn digits(text: &str) -> &str {
    &text[..text.bytes().take_while(u8::is_ascii_digit).count()]
}

fn follows_digit(text: &str) -> bool {
    text.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

/// Reads a number, an ordinal, a whole decimal, or a word that begins with a digit.
fn number(text: &str, round: bool) -> (Option<Token<'_>>, usize) {
    let word = digits(text);
    let value = word.parse().unwrap_or(u32::MAX).min(HUGE);
    let after = &text[word.len()..];
    let next = after.chars().next().unwrap_or(' ');
    match next {
        '.' => {
            let fraction = digits(&after[1..]);
            if !fraction.is_empty() {
                let length = word.len() + 1 + fraction.len();
                let whole = fraction.bytes().all(|b| b == b'0');
                let text = &text[..length];
                return (
                    Some(if whole { Token::Number(value, word) } else { Token::Word(text) }),
                    length,
                );
            }
            let dots = after.len() - after.trim_start_matches('.').len();
            (Some(Token::Ordinal(value)), word.len() + dots)
        }
        ')' if !round => (Some(Token::Ordinal(value)), word.len() + 1),
        ':' => (Some(Token::Ordinal(value)), word.len() + 1),
        _ if ends_word(next) => (Some(Token::Number(value, word)), word.len()),
        _ => {
            let length = text.find(ends_word).unwrap_or(text.len());
            (Some(Token::Word(&text[..length])), length)
        }
    }
}

/// Adds the squares that a word consists of: `a1`, `Na1`, `a1c2`. Returns whether it is such a word.
fn names<'t>(word: &str, spaced: bool, out: &mut Vec<Spaced<'t>>) -> bool {
    let before = out.len();
    let mut rest = word;
    while let Some((token, length)) = name(rest) {
        out.push((token, spaced && out.len() == before));
        rest = &rest[length..];
    }
    if !rest.is_empty() {
        out.truncate(before);
    }
    rest.is_empty() && out.len() > before
}

/// Reads the name of a square at the beginning of a word.
fn name(word: &str) -> Option<(Token<'static>, usize)> {
    let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = digits(&word[letters..]);
    if letters == 0 || letters > 7 || digits.is_empty() {
        return None;
    }
    let bytes = &word.as_bytes()[..letters];
    let capital = bytes[0].is_ascii_uppercase();
    // `Tour12` is a title.
    if letters > 3 && capital && bytes[1..].iter().all(u8::is_ascii_lowercase) {
        return None;
    }
    let fold = |col: u64, b: &u8| col * 26 + u64::from(b.to_ascii_lowercase() - b'a') + 1;
    let col = u32::try_from(bytes.iter().fold(0, fold) - 1).ok()?;
    let row = digits.parse::<u32>().ok()?.checked_sub(1)?;
    Some((Token::Name { col, row, piece: capital && letters > 1 }, letters + digits.len()))
}

/// Reads a command of LaTeX with the arguments that are not content.
fn command(text: &str) -> (Option<Token<'_>>, usize) {
    if text[1..].starts_with('\\') {
        let mut length = 2 + usize::from(text[2..].starts_with('*'));
        if text[length..].starts_with('[') {
            length += text[length..].find(']').map_or(0, |end| end + 1);
        }
        return (Some(Token::RowEnd), length);
    }
    let letters = text[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
    let name = &text[1..1 + letters];
    let mut length = 1 + letters;
    if text[1..].starts_with('#') {
        return (Some(Token::Hole), 2);
    }
    if letters == 0 {
        length += text[1..].chars().next().map_or(0, char::len_utf8);
    }
    if WITH_ARGUMENTS.contains(&name) {
        while let Some(close) = [('{', '}'), ('[', ']')]
            .iter()
            .find(|(open, _)| text[length..].starts_with(*open))
            .map(|(_, close)| *close)
        {
            length += text[length..].find(close).map_or(text.len() - length, |end| end + 1);
        }
    }
    let environment = matches!(name, "begin" | "end");
    (Some(if environment { Token::Environment } else { Token::Command }), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Token<'_>> {
        let mut out = Vec::new();
        tokens(text, false, &mut out);
        out.into_iter().map(|(token, _)| token).collect()
    }

    fn at(col: u32, row: u32) -> Token<'static> {
        Token::Name { col, row, piece: false }
    }

    #[test]
    fn squares_are_found_in_every_spelling() {
        for text in ["a1 c2", "a1-c2", "A1 -> C2", "a1→c2", "a1c2", "\"a1\" \"c2\"", "a1 – c2"]
        {
            assert_eq!(read(text), [at(0, 0), at(2, 1)], "{text}");
        }
        assert_eq!(read("aa10"), [at(26, 9)]);
        let knight = Token::Name { col: 14 * 26, row: 0, piece: true };
        assert_eq!(read("1. Na1"), [Token::Ordinal(1), knight]);
        for word in ["Tour12", "a0", "a", "zz", "8x8", "a1b"] {
            assert_eq!(read(word), [Token::Word(word)]);
        }
    }

    #[test]
    fn numbers_holes_and_lines_are_distinguished() {
        let number = |n, text| Token::Number(n, text);
        assert_eq!(read("01 2.0"), [number(1, "01"), number(2, "2")]);
        assert_eq!(read("1. 30."), [Token::Ordinal(1), Token::Ordinal(30)]);
        assert_eq!(read("1 - #"), [number(1, "1"), Token::Dash, Token::Hole]);
        assert_eq!(read("-1 -2"), [Token::Hole, Token::Word("-2")]);
        assert_eq!(read("+---+"), [Token::Dash]);
        assert_eq!(read("├──┼──┤"), []);
        assert_eq!(read("99999999999"), [number(HUGE, "99999999999")]);
        assert_eq!(read("1 ... 9")[1], Token::Ellipsis);
    }

    #[test]
    fn commands_of_latex_lose_their_arguments() {
        let number = |n, text| Token::Number(n, text);
        assert_eq!(
            read("\\begin{tabular}{|c|c|} \\hline")[..],
            [Token::Environment, Token::Command]
        );
        let row = [number(1, "1"), Token::Separator('&'), number(2, "2"), Token::RowEnd];
        assert_eq!(read("1 & 2 \\\\[2pt]"), row);
        assert_eq!(read("\\"), [Token::Command]);
        assert_eq!(read("\\é"), [Token::Command]);
    }
}
