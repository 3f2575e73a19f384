//! The library's source as text: paths, types and functions of each file.

use std::collections::BTreeMap;
use std::path::Path;

/// A source file without comments and unit tests.
pub struct File {
    /// Path of the file below `src`.
    pub name: String,
    /// The layer to which the file belongs.
    pub layer: String,
    /// The code of the file without comments.
    code: String,
    /// The code of the file with comments.
    text: String,
}

/// A function and its length.
pub struct Function {
    /// File and name of the function.
    pub name: String,
    /// Number of lines from the signature to the closing brace.
    pub lines: usize,
    /// Whether a comment gives the reason for its length.
    pub reason: bool,
}

/// Returns every file of the library except its root and its unit tests.
pub fn files() -> Vec<File> {
    let all = files_of("hippodrome");
    assert!(all.len() > 150, "{}", all.len());
    all
}

/// Returns every source file of the interface crates except their roots and unit tests.
pub fn files_of_edges() -> Vec<File> {
    let all: Vec<File> =
        ["hippo", "hippodrome-web", "hippodrome-py"].into_iter().flat_map(files_of).collect();
    assert!(all.len() > 60, "{}", all.len());
    all
}

fn files_of(name: &str) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
    let mut all = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "lib.rs" && !name.ends_with("tests.rs") {
                all.push(File::new(&name, &std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    all
}

/// Returns the layers in the order of the table in `lib.rs`.
pub fn layers() -> Vec<String> {
    let lines = include_str!("../../../src/lib.rs").lines();
    let rows = lines.filter_map(|line| line.strip_prefix("//! | [`")?.split_once("`] |"));
    rows.map(|(name, _)| name.to_string()).collect()
}

/// Splits `a, b::{c, d}, e` at its outer commas.
fn items(list: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut all) = (0, 0, Vec::new());
    for (at, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                all.push(list[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
    }
    all.push(list[begin..].trim());
    all.retain(|item| !item.is_empty());
    all
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// Collects the first two names of each path at the start of `text`, which is the text after
/// `crate::`.
fn heads(text: &str, all: &mut Vec<Vec<String>>) {
    let branches = |text: &str| -> Option<Vec<String>> {
        let inner = text.strip_prefix('{')?;
        let mut depth = 1;
        let end = inner.find(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0
        })?;
        Some(items(&inner[..end]).into_iter().map(String::from).collect())
    };
    if let Some(list) = branches(text) {
        list.iter().for_each(|item| heads(item, all));
        return;
    }
    let first = word(text);
    if first.is_empty() {
        return;
    }
    let rest = text[first.len()..].strip_prefix("::").unwrap_or("");
    let seconds = branches(rest).unwrap_or_else(|| vec![rest.to_string()]);
    for second in seconds {
        let path = [first, word(&second)].into_iter().filter(|name| !name.is_empty());
        all.push(path.map(String::from).collect());
    }
}

impl File {
    /// Creates a file with this name and text.
    pub fn new(name: &str, text: &str) -> File {
        // Unit tests come last.
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_string();
        let uncommented = |line: &str| line.split("//").next().unwrap().to_string();
        let code = text.lines().map(uncommented).collect::<Vec<_>>().join("\n");
        let layer = name.split(['/', '.']).next().unwrap().to_string();
        File { name: name.into(), layer, code, text }
    }

    /// Returns the module of the layer that it belongs to; none for the layer's root.
    pub fn module(&self) -> Option<&str> {
        Some(word(self.name.split_once('/')?.1))
    }

    /// Returns the first two names of each path to something in the crate, as seen from its root.
    pub fn paths_from_root(&self) -> Vec<Vec<String>> {
        let mut all = Vec::new();
        for (at, _) in self.code.match_indices("crate::") {
            heads(&self.code[at + "crate::".len()..], &mut all);
        }
        // `super` of a/b.rs is a, of a/b/c.rs it is a::b.
        let own: Vec<&str> = self.name.trim_end_matches(".rs").split('/').collect();
        for (at, _) in self.code.match_indices("super::") {
            if self.code[..at].ends_with("super::") || self.code[..at].ends_with("(in ") {
                continue;
            }
            let mut rest = &self.code[at..];
            let mut depth = own.len();
            while let Some(more) = rest.strip_prefix("super::") {
                (rest, depth) = (more, depth.saturating_sub(1));
            }
            let mut found = Vec::new();
            heads(rest, &mut found);
            for path in found {
                let whole = own[..depth].iter().map(|name| name.to_string()).chain(path);
                all.push(whole.take(2).collect());
            }
        }
        all
    }

    /// Returns the names that a layer's root re-exports, with the module of each.
    pub fn reexports(&self) -> BTreeMap<String, String> {
        let mut origins = BTreeMap::new();
        for statement in self.code.split(';') {
            let Some(at) = statement.find("use ") else { continue };
            if !statement[..at].trim_end().ends_with("pub") && !statement[..at].ends_with(") ") {
                continue;
            }
            let Some((module, rest)) = statement[at + 4..].split_once("::") else { continue };
            let list = rest.trim().trim_start_matches('{').trim_end_matches('}');
            for item in items(list) {
                origins.insert(item.split(' ').next_back().unwrap().into(), module.trim().into());
            }
        }
        origins
    }

    /// Returns the names of its structs, enums and traits that other files can use.
    pub fn shared_types(&self) -> Vec<String> {
        let visible = |line: &str| {
            let rest = line.trim_start().strip_prefix("pub")?;
            let rest = rest.strip_prefix('(').map_or(Some(rest), |r| Some(r.split_once(')')?.1))?;
            let rest = rest.trim_start();
            let kind = ["struct ", "enum ", "trait "].iter().find_map(|k| rest.strip_prefix(k))?;
            Some(word(kind).to_string())
        };
        self.code.lines().filter_map(visible).collect()
    }

    /// Returns whether its code, without unit tests, contains a text.
    pub fn contains(&self, text: &str) -> bool {
        self.code.contains(text)
    }

    /// Returns its functions.
    pub fn functions(&self) -> Vec<Function> {
        let lines: Vec<&str> = self.text.lines().collect();
        let mut all = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let code = line.split("//").next().unwrap();
            let Some((before, after)) = code.split_once("fn ") else { continue };
            let words = ["pub", "const", "async", "unsafe"];
            let signature =
                before.split_whitespace().all(|w| words.contains(&w) || w.starts_with("pub("));
            if !signature || code.trim_end().ends_with(';') {
                continue;
            }
            let closing = format!("{}}}", " ".repeat(indent));
            let Some(length) = lines[at..].iter().position(|l| *l == closing) else { continue };
            let above = lines[..at].iter().rev().take_while(|l| {
                let l = l.trim_start();
                l.starts_with("//") || l.starts_with("#[")
            });
            let reason = above.into_iter().any(|l| l.contains("Long because "));
            let name = format!("{}: {}", self.name, word(after));
            all.push(Function { name, lines: length + 1, reason });
        }
        all
    }
}
