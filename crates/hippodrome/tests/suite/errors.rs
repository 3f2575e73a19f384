//! The library's texts name the matter; flags, keywords and controls are named at the edges.

use std::fs;
use std::path::{Path, PathBuf};

/// Commands of `hippo`; a library text that names one speaks for the command line.
const COMMANDS: [&str; 18] = [
    "find",
    "enumerate",
    "sample",
    "count",
    "tune",
    "race",
    "reproduce",
    "check",
    "draw",
    "convert",
    "export",
    "store",
    "job",
    "board",
    "solvers",
    "serve",
    "completions",
    "man",
];

/// The head of docs/REPRODUCTION.md tells how the page was made; it is a document, not an error.
const PROVENANCE: (&str, &str) = ("lab/experiment/page.rs", "Made by `hippo reproduce --out docs`");

/// Whether a line of code, comments aside, names a flag or a command line.
fn speaks_for_the_command(line: &str) -> bool {
    let line = line.trim_start();
    if line.starts_with("//") {
        return false;
    }
    // Custom properties of a style sheet follow `;`, `{` or `var(`.
    let flag = line.match_indices("--").any(|(at, dashes)| {
        let styled = line[..at].ends_with([';', '{']) || line[..at].ends_with("var(");
        let name =
            line[at + dashes.len()..].starts_with(|c: char| c.is_ascii_lowercase() || c == '{');
        name && !styled
    });
    let command = line.match_indices("hippo ").any(|(at, word)| {
        let next: &str = &line[at + word.len()..];
        let next = next.split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or_default();
        COMMANDS.contains(&next)
    });
    flag || command
}

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, all),
            false if path.extension().is_some_and(|kind| kind == "rs") => all.push(path),
            false => {}
        }
    }
}

#[test]
fn no_text_of_the_library_names_a_flag() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 100, "{} files", files.len());
    let (mut found, mut exceptions) = (Vec::new(), 0);
    for path in files.iter().filter(|path| !path.ends_with("tests.rs")) {
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for (number, line) in code.lines().enumerate() {
            if path.ends_with(PROVENANCE.0) && line.starts_with(PROVENANCE.1) {
                exceptions += 1;
            } else if speaks_for_the_command(line) {
                found.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert_eq!(exceptions, 1, "the exception is no longer needed");
}

#[test]
fn flags_and_command_lines_are_recognised() {
    for line in [
        r#"    #[error("{0} has no tours; give --attempts 1M")]"#,
        r#"    let hint = ", or --threads 1";"#,
        r#"    format!("{path} has --{field} already")"#,
        r#"    "make it again with 'hippo job merge {0}'""#,
        r#"    "count a narrower board, as in hippo count 6x8""#,
    ] {
        assert!(speaks_for_the_command(line), "{line}");
    }
    for line in [
        r#"    // As `--all` of the command."#,
        r#"    ":root{color-scheme:light dark;--page:#fff;--ink:#000}""#,
        r#"    "body{background:var(--page)}""#,
        r#"    "a unit contains an invalid tour -- which is a bug""#,
        r#"    "hippodrome counts boards""#,
    ] {
        assert!(!speaks_for_the_command(line), "{line}");
    }
}
