//! DOT, the language of Graphviz: `graph { a -- b; b -- c }`.
//!
//! The grammar of Graphviz is read in full: chains, subgraphs as ends of edges, ports, attributes, comments,
//! concatenated strings and HTML. Attributes are skipped but for `pos`. A digraph is read if every edge has its
//! opposite. Stricter than Graphviz: `--` and `->` must fit the graph, `1a` is no name (Graphviz makes two vertices
//! of it), and a graph of several vertices without an edge is refused. Written here because the crates for DOT
//! bring parser generators or a whole syntax tree, and none reports lines.

use super::dot_tokens::{DotToken, DotTokens};
use super::vertices::{LocatedEdges, Places, VertexNames};
use super::{GraphFault, GraphParts, Located};
use crate::numerals::grouped;
use std::borrow::Cow;

/// Maximum depth of subgraphs.
const DEPTH: usize = 100;
/// Maximum number of edges between subgraphs: short texts stand for many of them.
const PRODUCTS: usize = 10_000_000;

/// Returns whether the text begins as a graph: `strict graph NAME {`, where two words are optional.
pub(super) fn looks_like(text: &str) -> bool {
    let mut tokens = DotTokens::new(text);
    let mut next = || tokens.next().unwrap_or(DotToken::End);
    let mut token = next();
    if is_word(&token, "strict") {
        token = next();
    }
    if !is_word(&token, "graph") && !is_word(&token, "digraph") {
        return false;
    }
    token = next();
    if matches!(token, DotToken::Word(_) | DotToken::Quoted(_)) {
        token = next();
    }
    token == DotToken::Sign('{')
}

fn is_word(token: &DotToken<'_>, word: &str) -> bool {
    matches!(token, DotToken::Word(found) if found.eq_ignore_ascii_case(word))
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let mut parser = Dot::new(text)?;
    parser.graph()?;
    if parser.directed {
        parser.edges.check_symmetric(&parser.names)?;
    }
    let Dot { names, edges, places, .. } = parser;
    if edges.edges.is_empty() && names.len() > 1 {
        let missing = GraphFault::Syntax { expected: "edges, as in a -- b", found: "none".into() };
        return Err((1, missing));
    }
    let positions = places.complete(names.len());
    Ok(GraphParts { positions, ..GraphParts::new(names.into_names(), edges.edges) })
}

/// A parser with one token of lookahead.
struct Dot<'t> {
    tokens: DotTokens<'t>,
    token: DotToken<'t>,
    /// The line of the token.
    line: usize,
    directed: bool,
    names: VertexNames<'t>,
    edges: LocatedEdges,
    places: Places,
    products: usize,
}

impl<'t> Dot<'t> {
    fn new(text: &'t str) -> Result<Dot<'t>, Located> {
        let mut parser = Dot {
            tokens: DotTokens::new(text),
            token: DotToken::End,
            line: 1,
            directed: false,
            names: VertexNames::default(),
            edges: LocatedEdges::default(),
            places: Places::default(),
            products: 0,
        };
        parser.advance()?;
        Ok(parser)
    }

    /// Returns the token and reads the next one.
    fn advance(&mut self) -> Result<DotToken<'t>, Located> {
        let next = self.tokens.next()?;
        self.line = self.tokens.line;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn unexpected<T>(&self, expected: &'static str) -> Result<T, Located> {
        Err((self.line, GraphFault::Syntax { expected, found: self.token.shown() }))
    }

    fn sign(&mut self, sign: char, expected: &'static str) -> Result<(), Located> {
        if self.token != DotToken::Sign(sign) {
            return self.unexpected(expected);
        }
        self.advance().map(|_| ())
    }

    /// Skips a sign if it is next.
    fn take(&mut self, sign: char) -> Result<bool, Located> {
        let found = self.token == DotToken::Sign(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Reads a name; strings may be joined with `+`.
    fn name(&mut self, expected: &'static str) -> Result<Cow<'t, str>, Located> {
        match self.token {
            DotToken::Word(word) => self.advance().map(|_| word.into()),
            DotToken::Quoted(_) => {
                let DotToken::Quoted(mut text) = self.advance()? else {
                    return self.unexpected(expected);
                };
                while self.take('+')? {
                    let DotToken::Quoted(more) = &self.token else {
                        return self.unexpected("a string after '+'");
                    };
                    text.to_mut().push_str(more);
                    self.advance()?;
                }
                Ok(text)
            }
            _ => self.unexpected(expected),
        }
    }

    fn graph(&mut self) -> Result<(), Located> {
        if is_word(&self.token, "strict") {
            self.advance()?;
        }
        self.directed = is_word(&self.token, "digraph");
        if !self.directed && !is_word(&self.token, "graph") {
            return self.unexpected("graph or digraph");
        }
        self.advance()?;
        if self.token != DotToken::Sign('{') {
            self.name("'{'")?;
        }
        self.sign('{', "'{'")?;
        self.statements(0)?;
        match self.token {
            DotToken::End => Ok(()),
            _ if is_word(&self.token, "graph") || is_word(&self.token, "digraph") => {
                Err((self.line, GraphFault::SecondGraph))
            }
            _ => self.unexpected("the end of the file"),
        }
    }

    /// Reads statements up to a closing brace; returns the vertices that they mention.
    fn statements(&mut self, depth: usize) -> Result<Vec<u32>, Located> {
        if depth > DEPTH {
            return Err((self.line, GraphFault::Depth(DEPTH)));
        }
        let mut members = Vec::new();
        while !self.take('}')? {
            if self.take(';')? {
                continue;
            }
            let defaults = ["graph", "node", "edge"].iter().any(|word| is_word(&self.token, word));
            if defaults {
                self.advance()?;
                if self.take('=')? {
                    self.name("a value")?;
                } else if self.attributes()?.is_none() {
                    return self.unexpected("'['");
                }
                continue;
            }
            self.statement(depth, &mut members)?;
        }
        members.sort_unstable();
        members.dedup();
        Ok(members)
    }

    /// Reads a vertex, a subgraph or a chain of edges between them.
    fn statement(&mut self, depth: usize, members: &mut Vec<u32>) -> Result<(), Located> {
        let Some(mut from) = self.operand(depth)? else { return Ok(()) };
        members.extend(&from);
        let mut chained = false;
        while let DotToken::Edge { directed } = self.token {
            if directed != self.directed {
                return self.unexpected(match self.directed {
                    true => "'->' in a digraph",
                    false => "'--' in a graph",
                });
            }
            let line = self.line;
            self.advance()?;
            let Some(to) = self.operand(depth)? else { return self.unexpected("a vertex") };
            members.extend(&to);
            if from.len() > 1 || to.len() > 1 {
                self.products = self.products.saturating_add(from.len().saturating_mul(to.len()));
            }
            if self.products > PRODUCTS {
                let found = grouped(self.products as u64);
                return Err((line, GraphFault::TooManyEdges { found }));
            }
            for &u in &from {
                for &v in &to {
                    self.edges.push(line, (u, v)).map_err(|fault| (line, fault))?;
                }
            }
            (from, chained) = (to, true);
        }
        if let Some(place) = self.attributes()?.flatten()
            && let ([vertex], false) = (&from[..], chained)
        {
            self.places.set(*vertex, place.0, place.1);
        }
        Ok(())
    }

    /// Reads a vertex or a subgraph; `None` for an attribute of the graph.
    fn operand(&mut self, depth: usize) -> Result<Option<Vec<u32>>, Located> {
        let subgraph = is_word(&self.token, "subgraph");
        if subgraph {
            self.advance()?;
            if self.token != DotToken::Sign('{') {
                self.name("a name or '{'")?;
            }
        }
        if subgraph || self.token == DotToken::Sign('{') {
            self.sign('{', "'{'")?;
            return self.statements(depth + 1).map(Some);
        }
        let line = self.line;
        let name = self.name("a vertex, '{' or '}'")?;
        if self.take('=')? {
            self.name("a value")?;
            return Ok(None);
        }
        // A port and a compass point.
        for _ in 0..2 {
            if self.take(':')? {
                self.name("a port")?;
            }
        }
        let vertex = self.names.add(name).map_err(|fault| (line, fault))?;
        Ok(Some(vec![vertex]))
    }

    /// Reads lists of attributes; returns the position that they contain. `None` if there is no list.
    fn attributes(&mut self) -> Result<Option<Option<(f64, f64)>>, Located> {
        let mut place = None;
        let mut any = false;
        while self.take('[')? {
            any = true;
            while !self.take(']')? {
                let key = self.name("an attribute or ']'")?;
                if self.take('=')? {
                    let value = self.name("a value")?;
                    if key == "pos" {
                        place = point(&value);
                    }
                }
                if !self.take(',')? {
                    self.take(';')?;
                }
            }
        }
        Ok(any.then_some(place))
    }
}

/// Parses `1.5,2` or `1.5,2!`.
fn point(text: &str) -> Option<(f64, f64)> {
    let mut numbers = text.trim().trim_end_matches('!').split([',', ' ']);
    let mut number = || numbers.next()?.trim().parse::<f64>().ok();
    Some((number()?, number()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> GraphParts {
        read(text).unwrap_or_else(|(line, fault)| panic!("{text}: {line}: {fault}"))
    }

    #[test]
    fn the_grammar_is_read() {
        for text in [
            "graph { a -- b -- c }",
            "strict graph \"a name\" { a--b; b--c; }",
            "GRAPH g {\n node [shape=box, style=\"a]b\"]; a [label=<x <b>y</b>>];\n a:n -- \"b\":p:s [w=1][c=2] b -- c }",
            "// c\n/* c\n */ graph {\n# c\nrankdir=LR edge[len=2] a -- b b -- c}",
            "graph { a -- subgraph s { b } -- c }",
            "graph { a -- { b } ; {b} -- c }",
            "digraph { a -> b -> c c -> b -> a }",
            "graph { a -- \"\" + \"b\" -- c }",
        ] {
            let GraphParts { names, mut edges, .. } = parts(text);
            assert_eq!(names, ["a", "b", "c"], "{text}");
            edges.retain(|(u, v)| u < v);
            assert_eq!(edges, [(0, 1), (1, 2)], "{text}");
        }
        assert_eq!(parts("graph { {a b} -- {c d} }").edges.len(), 4);
        assert_eq!(parts("graph { 1 -- -2.5; \"x \\\" y\" -- 1 }").names, ["1", "-2.5", "x \" y"]);
        assert_eq!(parts("graph { é -- ü }").names, ["é", "ü"]);
    }

    #[test]
    fn positions_are_kept_if_complete() {
        let text =
            "graph { a [pos=\"1.5,2!\"]; b [pos=\"0,-3\", color=red]; a -- b [pos=\"9,9\"] }";
        assert_eq!(parts(text).positions, Some(vec![(1.5, 2.0), (0.0, -3.0)]));
        assert_eq!(parts("graph { a [pos=\"1,2\"]; a -- b }").positions, None);
    }

    #[test]
    fn faults_name_their_line() {
        for (text, line, said) in [
            (
                "graph {\n a -- b\n",
                3,
                "expected a vertex, '{' or '}', but found the end of the file",
            ),
            ("graph {\n a -> b }", 2, "expected '--' in a graph, but found '->'"),
            ("digraph {\n a -- b }", 2, "expected '->' in a digraph"),
            ("digraph {\n a -> b;\n b -> c; b -> a }", 3, "an edge from b to c but none back"),
            ("graph {\n a -- b,\n c }", 2, "but found ','"),
            ("graph {\n\n 1a -- b }", 3, "found '1a'"),
            ("graph { a -- \"b }", 1, "which ends the string"),
            ("graph { a -- b } graph { c -- d }", 1, "a second graph"),
            ("graph { a b c }", 1, "expected edges"),
            ("graph { a -- b\n} rest", 2, "expected the end of the file"),
            ("graph { a.b -- c }", 1, "found 'a.b'"),
            ("graph { a -- }", 1, "expected a vertex"),
            ("graph { /* a -- b }", 1, "'*/'"),
        ] {
            let (at, fault) = read(text).unwrap_err();
            assert!(fault.to_string().contains(said), "{text}: {fault}");
            assert_eq!(at, line, "{text}: {fault}");
        }
        let deep = format!("graph {{ {} }}", "{".repeat(100_000));
        assert!(matches!(read(&deep), Err((1, GraphFault::Depth(_)))));
        let many: String = (0..4000).map(|v| format!("v{v} ")).collect();
        let product = format!("graph {{ {{ {many} }} -- {{ {many} }} }}");
        assert!(matches!(read(&product), Err((1, GraphFault::TooManyEdges { .. }))));
    }
}
