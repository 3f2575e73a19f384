//! GML: nested lists of keys and values, `graph [ node [ id 1 label "a" ] edge [ source 1 target 2 ] ]`.
//!
//! Vertices are named by their labels if all have different ones, otherwise by their ids. Coordinates are those of
//! `graphics [ x 1.0 y 2.0 ]`. Other keys are skipped, but for graphs within nodes, which are refused. A directed
//! graph is read if every edge has its opposite. Written here because no kept crate reads GML.

use super::vertices::{LocatedEdges, Places, VertexNames};
use super::{GraphFault, GraphParts, Located, shorten};
use std::borrow::Cow;
use std::collections::HashSet;

/// Maximum depth of lists.
const DEPTH: usize = 100;
/// Tokens examined to recognise the format.
const HEAD: usize = 200;

/// A token of GML.
#[derive(Clone, Copy, Debug, PartialEq)]
enum GmlToken<'t> {
    Key(&'t str),
    Number(&'t str),
    Text(&'t str),
    Open,
    Close,
}

/// Splits a text into tokens with their lines.
struct GmlTokens<'t> {
    text: &'t str,
    line: usize,
}

impl<'t> GmlTokens<'t> {
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.text.split_at(bytes);
        self.line += taken.bytes().filter(|&b| b == b'\n').count();
        self.text = rest;
        taken
    }

    /// Returns the next token and its line; `None` at the end.
    fn next(&mut self) -> Result<Option<(usize, GmlToken<'t>)>, Located> {
        loop {
            let blanks = self.text.len() - self.text.trim_start().len();
            self.take(blanks);
            if !self.text.starts_with('#') {
                break;
            }
            self.take(self.text.find('\n').unwrap_or(self.text.len()));
        }
        let line = self.line;
        let Some(first) = self.text.chars().next() else { return Ok(None) };
        let token = match first {
            '[' | ']' => {
                self.take(1);
                if first == '[' { GmlToken::Open } else { GmlToken::Close }
            }
            '"' => {
                let Some(end) = self.text[1..].find('"') else {
                    let found = "the end of the file".into();
                    return Err((
                        line,
                        GraphFault::Syntax { expected: "'\"', which ends the string", found },
                    ));
                };
                GmlToken::Text(&self.take(end + 2)[1..=end])
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '"');
                let word = self.take(self.text.find(ends).unwrap_or(self.text.len()));
                let key = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                    && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
                match key {
                    _ if word.parse::<f64>().is_ok() && !first.is_alphabetic() => {
                        GmlToken::Number(word)
                    }
                    true => GmlToken::Key(word),
                    false => {
                        let found = format!("'{}'", shorten(word));
                        return Err((
                            line,
                            GraphFault::Syntax { expected: "a key, a number or a string", found },
                        ));
                    }
                }
            }
        };
        Ok(Some((line, token)))
    }
}

/// Returns whether keys and values lead to `graph [`.
pub(super) fn looks_like(text: &str) -> bool {
    let mut tokens = GmlTokens { text, line: 1 };
    let mut before = None;
    for _ in 0..HEAD {
        match tokens.next() {
            Ok(Some((_, GmlToken::Open))) if before == Some(GmlToken::Key("graph")) => return true,
            Ok(Some((_, token))) => before = Some(token),
            _ => return false,
        }
    }
    false
}

/// A node or an edge while its list is read.
#[derive(Default)]
struct GmlItem<'t> {
    line: usize,
    id: Option<&'t str>,
    label: Option<&'t str>,
    source: Option<&'t str>,
    target: Option<&'t str>,
    x: Option<f64>,
    y: Option<f64>,
}

/// Nodes and edges of a text.
#[derive(Default)]
struct Gml<'t> {
    graphs: usize,
    directed: bool,
    item: GmlItem<'t>,
    nodes: Vec<GmlItem<'t>>,
    edges: Vec<(usize, &'t str, &'t str)>,
}

impl<'t> Gml<'t> {
    fn open(&mut self, line: usize, path: &[&str]) -> Result<(), GraphFault> {
        match path {
            ["graph"] => {
                self.graphs += 1;
                if self.graphs > 1 {
                    return Err(GraphFault::SecondGraph);
                }
            }
            ["graph", "node" | "edge"] => self.item = GmlItem { line, ..GmlItem::default() },
            ["graph", .., "graph"] => {
                return Err(GraphFault::Unsupported(
                    "a graph within a node",
                    "give one graph without nested ones",
                ));
            }
            _ => {}
        }
        Ok(())
    }

    fn value(&mut self, path: &[&str], key: &str, token: GmlToken<'t>) {
        let (GmlToken::Number(value) | GmlToken::Text(value)) = token else { return };
        let item = &mut self.item;
        match (path, key) {
            (["graph"], "directed") => self.directed = value != "0",
            (["graph", "node"], "id") => item.id = Some(value),
            (["graph", "node"], "label") => item.label = Some(value),
            (["graph", "edge"], "source") => item.source = Some(value),
            (["graph", "edge"], "target") => item.target = Some(value),
            (["graph", "node", "graphics"] | ["graph", "node"], "x") => item.x = value.parse().ok(),
            (["graph", "node", "graphics"] | ["graph", "node"], "y") => item.y = value.parse().ok(),
            _ => {}
        }
    }

    fn close(&mut self, path: &[&str]) -> Result<(), Located> {
        let item = &self.item;
        let missing = |expected| (item.line, GraphFault::Syntax { expected, found: "none".into() });
        match path {
            ["graph", "node"] => {
                item.id.ok_or_else(|| missing("an id in the node"))?;
                self.nodes.push(std::mem::take(&mut self.item));
            }
            ["graph", "edge"] => {
                let source = item.source.ok_or_else(|| missing("a source in the edge"))?;
                let target = item.target.ok_or_else(|| missing("a target in the edge"))?;
                self.edges.push((item.line, source, target));
            }
            _ => {}
        }
        Ok(())
    }

    fn parts(self) -> Result<GraphParts, Located> {
        let mut ids = VertexNames::default();
        let mut places = Places::default();
        for node in &self.nodes {
            let id = node.id.unwrap_or_default();
            let vertex = ids.declare(id.into()).map_err(|fault| (node.line, fault))?;
            if let (Some(x), Some(y)) = (node.x, node.y) {
                places.set(vertex, x, y);
            }
        }
        let mut edges = LocatedEdges::default();
        for (line, source, target) in self.edges {
            let end = |id| ids.find(id).map_err(|fault| (line, fault));
            edges.push(line, (end(source)?, end(target)?)).map_err(|fault| (line, fault))?;
        }
        if self.directed {
            edges.check_symmetric(&ids)?;
        }
        let positions = places.complete(self.nodes.len());
        let mut seen = HashSet::new();
        let labels = self
            .nodes
            .iter()
            .map(|node| node.label.map(decoded).filter(|label| seen.insert(label.clone())));
        let names = match labels.collect::<Option<Vec<_>>>() {
            Some(labels) => {
                let mut names = VertexNames::default();
                for (node, label) in self.nodes.iter().zip(labels) {
                    names.declare(label).map_err(|fault| (node.line, fault))?;
                }
                names.into_names()
            }
            None => ids.into_names(),
        };
        Ok(GraphParts { positions, ..GraphParts::new(names, edges.edges) })
    }
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let mut tokens = GmlTokens { text, line: 1 };
    let mut gml = Gml::default();
    let mut path: Vec<&str> = Vec::new();
    let syntax = |line, expected, token: Option<GmlToken<'_>>| {
        let found = match token {
            Some(GmlToken::Key(word) | GmlToken::Number(word)) => format!("'{}'", shorten(word)),
            Some(GmlToken::Text(word)) => format!("\"{}\"", shorten(word)),
            Some(GmlToken::Open) => "'['".into(),
            Some(GmlToken::Close) => "']'".into(),
            None => "the end of the file".into(),
        };
        (line, GraphFault::Syntax { expected, found })
    };
    while let Some((line, token)) = tokens.next()? {
        match token {
            GmlToken::Close if !path.is_empty() => {
                gml.close(&path)?;
                path.pop();
            }
            GmlToken::Key(key) => match tokens.next()? {
                Some((_, GmlToken::Open)) => {
                    path.push(key);
                    if path.len() > DEPTH {
                        return Err((line, GraphFault::Depth(DEPTH)));
                    }
                    gml.open(line, &path).map_err(|fault| (line, fault))?;
                }
                Some((_, value @ (GmlToken::Number(_) | GmlToken::Text(_)))) => {
                    gml.value(&path, key, value)
                }
                Some((line, other)) => return Err(syntax(line, "a value", Some(other))),
                None => return Err(syntax(tokens.line, "a value", None)),
            },
            other => return Err(syntax(line, "a key", Some(other))),
        }
    }
    if !path.is_empty() {
        return Err(syntax(tokens.line, "']'", None));
    }
    if gml.graphs == 0 {
        return Err(syntax(1, "graph [", None));
    }
    gml.parts()
}

/// Replaces the character entities of a string.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        result.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(';').unwrap_or(0);
        let entity = if end == 0 { "" } else { &rest[1..end] };
        let number = entity.strip_prefix('#').and_then(|digits| match digits.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => digits.parse().ok(),
        });
        let named = [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\'')];
        let named = named.iter().find(|(name, _)| *name == entity).map(|&(_, c)| c);
        match number.and_then(char::from_u32).or(named) {
            Some(c) => {
                result.push(c);
                rest = &rest[end + 1..];
            }
            None => {
                result.push('&');
                rest = &rest[1..];
            }
        }
    }
    result.push_str(rest);
    result.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "Creator \"me\"\ngraph [\n  directed 0\n";

    #[test]
    fn labels_are_names_if_they_differ() {
        let edges = "edge [ source 0 target 1 ]\n]\n";
        let two = |one: &str, other: &str| {
            read(&format!("{HEAD}node [ id 0 {one} ]\nnode [ id 1 {other} ]\n{edges}"))
        };
        assert_eq!(two("label \"a\"", "label \"b &amp; &#228;\"").unwrap().names, ["a", "b & ä"]);
        assert_eq!(two("label \"a\"", "label \"a\"").unwrap().names, ["0", "1"]);
        assert_eq!(two("label \"a\"", "").unwrap().names, ["0", "1"]);
        let placed = two("graphics [ x 1 y -2.5 w 9 ]", "graphics [ x 3 y 4 ]").unwrap();
        assert_eq!(placed.positions, Some(vec![(1.0, -2.5), (3.0, 4.0)]));
    }

    #[test]
    fn faults_name_their_line() {
        let nodes = "node [ id 0 ]\nnode [ id 1 ]\n";
        for (text, line, said) in [
            (format!("{HEAD}{nodes}edge [ source 0 target 7 ]\n]"), 6, "no vertex '7'"),
            (format!("{HEAD}{nodes}edge [ source 0 ]\n]"), 6, "expected a target"),
            (format!("{HEAD}{nodes}node [ id 1 ]\n]"), 6, "declared twice"),
            (format!("{HEAD}node [ label \"x\" ]\n]"), 4, "expected an id"),
            (format!("{HEAD}{nodes}edge [ source 0 target 1 ]\n"), 7, "expected ']'"),
            (format!("{HEAD}{nodes}]\n]"), 7, "expected a key, but found ']'"),
            (format!("{HEAD}{nodes}]\ngraph [ ]"), 7, "a second graph"),
            (format!("{HEAD}node [ id 0 graph [ ] ]\n]"), 4, "is not supported"),
            (format!("{HEAD}node [ id \"0 ]\n]"), 4, "which ends the string"),
            (format!("{HEAD}node 0 1 ]\n]"), 4, "expected a key"),
            (
                "graph [ directed 1\nnode [ id 0 ] node [ id 1 ]\nedge [ source 0 target 1 ] ]"
                    .into(),
                3,
                "none back",
            ),
        ] {
            let (at, fault) = read(&text).unwrap_err();
            assert!(fault.to_string().contains(said), "{text}: {fault}");
            assert_eq!(at, line, "{text}: {fault}");
        }
        let deep = "graph [ ".repeat(100_000);
        assert!(read(&deep).is_err());
        assert!(matches!(
            read(&format!("graph [ {}", "x [ ".repeat(1000))),
            Err((_, GraphFault::Depth(_)))
        ));
    }
}
