//! Tests that the texts in the repository avoid certain phrases, for each of which there is a plainer
//! alternative.
//!
//! In documents, web pages, experiments and notebooks, the test reads the whole text; in source files, it
//! reads comments, string literals and function names. It also finds phrases that continue on the next line.
//! A single word in quotes or backticks is a name, such as a key in a file format, and is not checked.

use crate::documents::{files, root};
use std::fs;

/// A phrase to avoid, and what to write instead.
const PHRASES: &[(&str, &str)] = &[
    ("whoever", "name the program, file or method"),
    ("nobody", "name what is missing"),
    ("somebody", "name the program, file or method"),
    ("those who", "name the readers, or the code"),
    ("who has to", "say what happens: 'on stop, discard …'"),
    ("so many", "'the first n', 'at most k'"),
    ("for want of", "'because there is no …'"),
    ("is not possible for", "'invalid value … for …: expected …'"),
    ("told", "'reported', 'given', 'printed'"),
    ("a line a", "'one line per …'"),
    ("lies in the queues", "'queued'"),
    ("lie by", "'wait', 'are kept in memory'"),
    ("how long work may", "'stop check for …'"),
    ("charges nothing", "'is not charged to the budget'"),
    ("which nobody looks for", "'duplicate detection'"),
    ("repeats looked for", "'duplicate detection'"),
    ("solver serves", "'solver supports'"),
    ("left as it is", "'cannot resume it', 'unchanged'"),
    ("to go on give", "'choose …'"),
    ("go on with", "'resume', 'continue'"),
    ("makes what was renamed", "'fsyncs the directory'"),
    ("what was renamed last", "'fsyncs the directory'"),
    ("what is no", "'invalid …'"),
    ("beyond this many", "'larger …'"),
    ("will see its end", "'is infeasible'"),
    ("what would be done", "'the plan'"),
    ("and do nothing", "'and exit'"),
    ("all chance", "'random seed'"),
    ("ask the papers", "'rerun the papers' experiments'"),
    ("any but this machine's", "'other than loopback'"),
    ("lets others use", "'exposes the server'"),
    ("cannot be heard", "'connection lost'"),
    ("rest at every", "'pause at each'"),
    ("what it knows", "'the method's memory'"),
    ("goes on unwatched", "'keeps running in the background'"),
    ("take it home", "'export'"),
    ("by that alone", "'… alone are at distance …'"),
    ("what is not claimed", "'limitations'"),
    ("what is kept", "name the files, tours or results"),
    ("time runs", "'start the deadline'"),
];

/// A separator between two texts, which no phrase contains.
const GAP: &str = "\u{0}";

/// A word in lower case, and the number of the line that it is on.
type Word = (String, usize);

/// Splits a text that begins on line `line` into words.
fn words(text: &str, mut line: usize, found: &mut Vec<Word>) {
    let characters: Vec<char> = text.chars().chain([' ']).collect();
    let inner = |c: char| c.is_alphanumeric() || c == '\'' || c == '_';
    let mut start = None;
    for (at, &c) in characters.iter().enumerate() {
        match start {
            None if inner(c) && c != '\'' => start = Some(at),
            Some(from) if !inner(c) => {
                let before = from.checked_sub(1).map(|at| characters[at]);
                let named = (c == '`' || c == '"') && before == Some(c);
                let word: String = characters[from..at].iter().collect::<String>().to_lowercase();
                let word = if named { GAP } else { word.trim_end_matches('\'') };
                found.push((word.to_owned(), line));
                start = None;
            }
            _ => {}
        }
        line += usize::from(c == '\n');
    }
}

/// Returns the words in the texts of a source file: comments, string literals and function names.
fn texts_of_source(source: &str, extension: &str) -> Vec<Word> {
    let python = extension.starts_with("py");
    let comment = if python { "#" } else { "//" };
    let quotes: &[&str] = match extension {
        "rs" => &["\""],
        "js" => &["\"", "'", "`"],
        _ => &["\"\"\"", "'''", "\"", "'"],
    };
    let (mut found, mut rest, mut line) = (Vec::new(), source, 1);
    let mut gap = false;
    while let Some(first) = rest.chars().next() {
        let function = rest.strip_prefix("fn ").or(rest.strip_prefix("def "));
        let quote = quotes.iter().find(|&&quote| rest.starts_with(quote));
        let length = if rest.starts_with(comment) {
            rest.find('\n').unwrap_or(rest.len())
        } else if !python && rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(name) = function {
            rest.len() - name.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len()
        } else if let Some(hashes) = raw_string(rest).filter(|_| extension == "rs") {
            let end = format!("\"{hashes}");
            let from = hashes.len() + 2;
            rest[from..].find(&end).map_or(rest.len(), |at| from + at + end.len())
        } else if let Some(quote) = quote {
            literal(rest, quote)
        } else {
            0
        };
        if length == 0 {
            // A quotation mark in a Rust character literal does not begin a string literal.
            let mark = ["'\"'", "'\\\"'"].into_iter().find(|mark| rest.starts_with(mark));
            let skipped = mark.filter(|_| extension == "rs").map_or(first.len_utf8(), str::len);
            gap |= !first.is_whitespace();
            line += usize::from(first == '\n');
            rest = &rest[skipped..];
            continue;
        }
        if gap || quote.is_some() || function.is_some() {
            found.push((GAP.to_owned(), line));
        }
        let text = &rest[..length];
        match function {
            Some(_) => words(&text.replace('_', " "), line, &mut found),
            None => words(&without_arguments(text), line, &mut found),
        }
        gap = quote.is_some() || function.is_some();
        line += text.matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// Returns the hashes of a raw string literal, if the text begins with one.
fn raw_string(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('r')?;
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    rest[hashes..].starts_with('"').then_some(&rest[..hashes])
}

/// Returns the length of the literal at the start of the text, including its quotes.
fn literal(text: &str, quote: &str) -> usize {
    let mut at = quote.len();
    while at < text.len() && !text[at..].starts_with(quote) {
        let escaped = text[at..].starts_with('\\');
        at += text[at..].chars().take(1 + usize::from(escaped)).map(char::len_utf8).sum::<usize>();
    }
    (at + quote.len()).min(text.len())
}

/// Returns a literal without the names of interpolated values such as `{name}`.
fn without_arguments(text: &str) -> String {
    let mut kept = String::new();
    for (index, part) in text.split('{').enumerate() {
        let name = |c: char| c.is_alphanumeric() || "_.:?()$".contains(c);
        let after = part.trim_start_matches(name);
        let argument = index > 0 && after.starts_with('}');
        kept += if argument { &after[1..] } else { part };
    }
    kept.replace("\\n", "  ")
}

/// Returns the words of a file.
fn words_of(name: &str, text: &str) -> Vec<Word> {
    let extension = name.rsplit('.').next().unwrap_or_default();
    if ["rs", "js", "py", "pyi"].contains(&extension) {
        return texts_of_source(text, extension);
    }
    let mut found = Vec::new();
    words(text, 1, &mut found);
    found
}

/// Returns the phrases that occur in a list of words, each with its alternative and the number of its line.
fn phrases(words: &[Word]) -> Vec<(&'static str, &'static str, usize)> {
    let mut found = Vec::new();
    for &(phrase, instead) in PHRASES {
        let sought: Vec<&str> = phrase.split(' ').collect();
        let there = words.windows(sought.len()).filter(|w| w.iter().map(|(w, _)| w).eq(&sought));
        found.extend(there.map(|window| (phrase, instead, window[0].1)));
    }
    found
}

#[test]
fn texts_are_in_plain_english() {
    let mut found = Vec::new();
    let mut names = files(&["rs", "py", "pyi", "md", "toml", "js", "html", "ipynb"]);
    names.push("test".to_owned());
    assert!(names.len() > 300, "{} files", names.len());
    for name in names.iter().filter(|name| !name.ends_with("tests/command/words.rs")) {
        let text = fs::read_to_string(root().join(name)).expect("a text");
        for (phrase, instead, line) in phrases(&words_of(name, &text)) {
            found.push(format!("{name}:{line}: '{phrase}'; better: {instead}"));
        }
    }
    found.sort();
    assert!(found.is_empty(), "phrases to avoid: {}\n{}", found.len(), found.join("\n"));
}

#[test]
fn phrases_are_found_in_every_kind_of_text() {
    let lines = |name: &str, text: &str| -> Vec<usize> {
        let mut lines: Vec<usize> = phrases(&words_of(name, text)).iter().map(|p| p.2).collect();
        lines.sort_unstable();
        lines
    };
    let none: [usize; 0] = [];
    assert_eq!(lines("a.md", "There are so\nmany, and\n*Whoever* reads."), [1, 3]);
    assert_eq!(lines("a.md", "The name `told` is still read."), none);
    assert_eq!(lines("a.rs", "/// Counts so\n/// many.\nlet told = 1;"), [1]);
    assert_eq!(
        lines("a.rs", "let a = '\"';\nfail(\"was told {told}\");\nfn a_line_a_row() {}"),
        [2, 3]
    );
    assert_eq!(lines("a.rs", "let a = r#\"no \"so many\"\"#; let b = \"\\\" so many\";"), [1, 1]);
    assert_eq!(lines("a.rs", "alias = \"told\"\n// The former `told`.\n(\"so\", \"many\")"), none);
    let python =
        "def nobody_waits():\n    \"\"\"Prints\n    a line a row.\"\"\"\n    told = 1  # So many.";
    assert_eq!(lines("a.py", python), [1, 3, 4]);
    assert_eq!(lines("a.js", "/* so\n * many */ told(`to whoever`, 'for want of it');"), [1, 2, 2]);
}
