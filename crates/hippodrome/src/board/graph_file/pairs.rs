//! Rows that each name two vertices, and the rows among them that may be something else.
//!
//! Lists of edges have no mark of their own, so headers, sizes, titles and coordinates can pass for edges, and
//! one such row adds vertices that no tour reaches. Known headers are left out; other rows of that kind are
//! refused:
//!
//! 1. a first row of two words that no other row has, or of numbers that may be the size of the graph;
//! 2. a name on a line of its own in no edge, if it is first or unlike the other names;
//! 3. a word that occurs once among numbers, or a number among words;
//! 4. decimals and negative numbers, and one number in two spellings.
//!
//! Vertices are in numeric order if all names are numbers, otherwise in the order of their first appearance.

use super::vertices::{LocatedEdges, VertexNames};
use super::{GraphFault, GraphParts, Located, shorten};
use std::borrow::Cow;
use std::collections::HashSet;

/// Pairs of column names that only a header has.
const COLUMNS: &[(&str, &str)] = &[
    ("source", "target"),
    ("source", "destination"),
    ("source", "sink"),
    ("sourceid", "targetid"),
    ("sourcenode", "targetnode"),
    ("src", "dst"),
    ("src", "dest"),
    ("src", "tgt"),
    ("from", "to"),
    ("fromid", "toid"),
    ("fromnode", "tonode"),
    ("fromnodeid", "tonodeid"),
    ("fromvertex", "tovertex"),
    ("origin", "destination"),
    ("start", "end"),
    ("tail", "head"),
    ("parent", "child"),
    ("node", "neighbor"),
    ("node", "neighbour"),
    ("vertex", "neighbor"),
    ("vertex", "neighbour"),
];

/// Pairs of column names that may as well be vertices: a header only if all vertices are numbers.
const EITHER: &[(&str, &str)] = &[
    ("u", "v"),
    ("a", "b"),
    ("x", "y"),
    ("i", "j"),
    ("s", "t"),
    ("v1", "v2"),
    ("n1", "n2"),
    ("node1", "node2"),
    ("nodea", "nodeb"),
    ("vertex1", "vertex2"),
    ("vertexa", "vertexb"),
    ("id1", "id2"),
    ("end1", "end2"),
];

/// Returns whether two words are a pair of column names.
pub(super) fn are_columns(first: &str, second: &str) -> bool {
    among(COLUMNS, first, second)
}

fn among(known: &[(&str, &str)], first: &str, second: &str) -> bool {
    let plain = |word: &str| -> String {
        word.chars()
            .filter(|c| !matches!(c, ' ' | '_' | '-' | '.'))
            .flat_map(char::to_lowercase)
            .collect()
    };
    let (first, second) = (plain(first), plain(second));
    known.iter().any(|&(one, other)| (one, other) == (&first, &second))
}

fn is_number(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_digit())
}

/// Vertices and edges of rows.
#[derive(Default)]
pub(super) struct PairTable<'t> {
    names: VertexNames<'t>,
    edges: LocatedEdges,
    /// Number of rows that have a vertex, and one of these rows.
    uses: Vec<(u32, usize)>,
    /// Names on lines of their own.
    lone: Vec<(usize, u32)>,
    /// The first row, if it has two names.
    first: Option<(usize, String)>,
    rows: u64,
}

impl<'t> PairTable<'t> {
    fn add(&mut self, line: usize, name: Cow<'t, str>) -> Result<u32, Located> {
        // Also `-1`, `+5` and `1.5`, but not `a.5` or `1e5`, which may be names.
        let numeric = name.starts_with(['-', '+', '.']) || name.contains('.');
        if numeric && name.parse::<f64>().is_ok() {
            return Err((line, GraphFault::Decimal(shorten(&name))));
        }
        let vertex = self.names.add(name).map_err(|fault| (line, fault))?;
        if self.uses.len() < self.names.len() {
            self.uses.push((0, line));
        }
        Ok(vertex)
    }

    /// Adds a row of two names.
    pub(super) fn pair(&mut self, line: usize, ends: [Cow<'t, str>; 2]) -> Result<(), Located> {
        if self.rows == 0 {
            self.first = Some((line, ends.join(" ")));
        }
        self.rows += 1;
        let [u, v] = ends;
        let edge = (self.add(line, u)?, self.add(line, v)?);
        for end in [edge.0, edge.1] {
            let uses = &mut self.uses[end as usize];
            *uses = (uses.0.saturating_add(1), line);
        }
        if edge.0 == edge.1 {
            self.uses[edge.0 as usize].0 -= 1;
        }
        self.edges.push(line, edge).map_err(|fault| (line, fault))
    }

    /// Adds a row of one name, which declares a vertex.
    pub(super) fn lone(&mut self, line: usize, name: &'t str) -> Result<(), Located> {
        self.rows += 1;
        let vertex = self.add(line, name.into())?;
        self.lone.push((line, vertex));
        Ok(())
    }

    /// Returns whether a name is a vertex.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.find(name).is_ok()
    }

    /// Returns the graph; `directed` edges must be symmetric.
    pub(super) fn finish(self, directed: bool) -> Result<GraphParts, Located> {
        if self.edges.edges.is_empty() && self.names.len() > 1 {
            return Err((1, GraphFault::NoEdge));
        }
        let header = self.first_is_header()?;
        self.check_lone()?;
        let numbers = self.check_kinds(header)?;
        if directed {
            self.edges.check_symmetric(&self.names)?;
        }
        let (mut names, mut edges) = (self.names.into_names(), self.edges.edges);
        if header {
            // The header came first and no other row has its words.
            names.drain(..2);
            edges.remove(0);
            edges.iter_mut().for_each(|(u, v)| (*u, *v) = (*u - 2, *v - 2));
        }
        if numbers { in_numeric_order(names, edges) } else { Ok(GraphParts::new(names, edges)) }
    }

    /// Returns whether the first row is a header; refuses one that may be either.
    fn first_is_header(&self) -> Result<bool, Located> {
        let Some((line, text)) = &self.first else { return Ok(false) };
        let (u, v) = self.edges.edges[0];
        let rest = self.rows - 1;
        if rest == 0 {
            return Ok(false);
        }
        let (first, second) = (self.names.name(u), self.names.name(v));
        let apart = u != v
            && self.uses[u as usize].0 == 1
            && self.uses[v as usize].0 == 1
            && self.lone.iter().all(|&(_, vertex)| vertex != u && vertex != v);
        let others = || (2..self.names.len() as u32).map(|vertex| self.names.name(vertex));
        let ambiguous = Err((*line, GraphFault::HeaderOrEdge(shorten(text))));
        if are_columns(first, second) {
            return if apart { Ok(true) } else { ambiguous };
        }
        if apart && among(EITHER, first, second) && others().all(is_number) {
            return Ok(true);
        }
        match (first.parse::<u64>(), second.parse::<u64>()) {
            (Ok(one), Ok(two)) if self.may_be_size(one, two, apart) => {
                Err((*line, GraphFault::SizeOrEdge(shorten(text))))
            }
            (Ok(_), Ok(_)) => Ok(false),
            _ if apart => ambiguous,
            _ => Ok(false),
        }
    }

    /// Returns whether two numbers in the first row may count the vertices and edges of the other rows: vertices
    /// numbered from 0 or 1 up to the first, and as many edges as the second, each once or in both directions, or a
    /// line of neighbours per vertex. Either order is possible.
    fn may_be_size(&self, one: u64, two: u64, apart: bool) -> bool {
        let (u, v) = self.edges.edges[0];
        let alone = |vertex: u32| {
            let declared = || self.lone.iter().any(|&(_, lone)| lone == vertex);
            (vertex == u || vertex == v) && self.uses[vertex as usize].0 < 2 && !declared()
        };
        let others: Vec<u32> = (0..self.names.len() as u32).filter(|&v| !alone(v)).collect();
        let numbers = others.iter().map(|&v| self.names.name(v).parse::<u64>().ok());
        let last: Option<u64> =
            numbers.collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().max());
        let is_order = |number: u64| match last {
            Some(last) => number == last || Some(number) == last.checked_add(1),
            None => apart,
        };
        let rest = &self.edges.edges[1..];
        let pairs = rest.len() as u64;
        let (rows, words) = (self.rows - 1, 2 * pairs + self.lone.len() as u64);
        let different = || {
            let both: HashSet<_> = rest.iter().map(|&(u, v)| (u.min(v), u.max(v))).collect();
            both.len() as u64
        };
        let is_size = |number: u64| number == pairs || number == 2 * pairs || number == different();
        let lists = one == rows && two.checked_mul(2) == Some(words);
        let stray = apart && [one, two].iter().any(|&n| n == others.len() as u64 && is_order(n));
        stray || lists || is_order(one) && is_size(two) || is_order(two) && is_size(one)
    }

    /// Refuses names on lines of their own that may be a title, a number of vertices or an end mark.
    fn check_lone(&self) -> Result<(), Located> {
        let numbers = self
            .edges
            .edges
            .iter()
            .all(|&(u, v)| is_number(self.names.name(u)) && is_number(self.names.name(v)));
        let edges = !self.edges.edges.is_empty();
        for &(line, vertex) in self.lone.iter().filter(|(_, v)| self.uses[*v as usize].0 == 0) {
            let name = self.names.name(vertex);
            let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
            let end = ["end", "eof"].iter().any(|word| name.eq_ignore_ascii_case(word));
            let unlike = numbers && !is_number(name);
            if edges && (vertex == 0 || !plain || end || unlike) {
                return Err((line, GraphFault::Lone(shorten(name))));
            }
        }
        Ok(())
    }

    /// Returns whether all names are numbers; refuses single names of another kind.
    fn check_kinds(&self, header: bool) -> Result<bool, Located> {
        let skip = if header { 2 } else { 0 };
        let all = || (skip..self.names.len() as u32).map(|v| (v, is_number(self.names.name(v))));
        let numbers = all().filter(|&(_, number)| number).count() as u32;
        let words = self.names.len() as u32 - skip - numbers;
        let rare = words < numbers;
        if numbers != words && numbers > 0 && words > 0 {
            let single =
                |&(v, number): &(u32, bool)| number != rare && self.uses[v as usize].0 == 1;
            if let Some((vertex, _)) = all().find(single) {
                let fault = GraphFault::Unlike(shorten(self.names.name(vertex)));
                return Err((self.uses[vertex as usize].1, fault));
            }
        }
        Ok(words == 0)
    }
}

/// Sorts vertices that are numbers; refuses one number in two spellings.
fn in_numeric_order(names: Vec<String>, mut edges: Vec<(u32, u32)>) -> Result<GraphParts, Located> {
    let digits = |v: u32| names[v as usize].trim_start_matches('0');
    let mut order: Vec<u32> = (0..names.len() as u32).collect();
    order.sort_by_key(|&v| (digits(v).len(), digits(v)));
    if let Some(same) = order.windows(2).find(|pair| digits(pair[0]) == digits(pair[1])) {
        let [one, other] = [same[0], same[1]].map(|v| shorten(&names[v as usize]));
        return Err((1, GraphFault::SameNumber(one, other)));
    }
    let mut place = vec![0; names.len()];
    for (at, &v) in (0..).zip(&order) {
        place[v as usize] = at;
    }
    for (u, v) in &mut edges {
        (*u, *v) = (place[*u as usize], place[*v as usize]);
    }
    let mut names = names;
    let names = order.iter().map(|&v| std::mem::take(&mut names[v as usize])).collect();
    Ok(GraphParts::new(names, edges))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &str) -> Result<GraphParts, Located> {
        let mut table = PairTable::default();
        for (line, row) in (1..).zip(rows.split('/')) {
            match row.split_once(' ') {
                Some((u, v)) => table.pair(line, [u.into(), v.into()])?,
                None => table.lone(line, row)?,
            }
        }
        table.finish(false)
    }

    fn edges_of(rows: &str) -> usize {
        table(rows).unwrap_or_else(|(line, fault)| panic!("{rows}: {line}: {fault}")).edges.len()
    }

    #[test]
    fn known_headers_are_left_out() {
        assert_eq!(table("source target/1 2/2 3").unwrap().names, ["1", "2", "3"]);
        assert_eq!(table("From_Node To-Node/paris rome/rome oslo").unwrap().names[0], "paris");
        assert_eq!(edges_of("u v/1 2/2 3/3 1"), 3);
        assert_eq!(edges_of("node_1 node_2/1 2/2 3/3 1"), 3);
        assert_eq!(edges_of("u v/v w/w u"), 3);
        assert_eq!(edges_of("source target"), 1);
    }

    #[test]
    fn rows_that_may_be_something_else_are_refused() {
        for (rows, line, said) in [
            ("source target/source a/a b", 1, "is a header or an edge"),
            ("person friend/ann bob/bob cat", 1, "is a header or an edge"),
            ("node_1 node_2/node_3 node_4/node_4 node_5", 1, "is a header or an edge"),
            ("vertex1 vertex2/vertex3 vertex4/vertex4 vertex5", 1, "is a header or an edge"),
            ("id_1 id_2/id_3 id_4", 1, "is a header or an edge"),
            ("u v/w x/x y", 1, "is a header or an edge"),
            ("foo bar/1 2/2 3", 1, "is a header or an edge"),
            ("6 5/0 1/1 2/2 3/3 4/4 0/0 2", 1, "numbers of vertices and edges"),
            ("3 2/0 1/1 0/1 2/2 1", 1, "numbers of vertices and edges"),
            ("3 1/1 2/2 3", 0, ""),
            ("4 1/1 2/2 3/3 4/1 3", 0, ""),
            ("1 2/3 4/4 5/5 3/3 6", 0, ""),
            ("5 6/0 1/1 2/2 3/3 4/4 0/0 2", 1, "numbers of vertices and edges"),
            ("4 4/2 4/1 3/2 4/1 3", 1, "numbers of vertices and edges"),
            ("3 2/2/1 3/2", 1, "numbers of vertices and edges"),
            ("10 3/a b/b c/c a", 1, "numbers of vertices and edges"),
            ("10/0 1/1 2", 1, "stands alone"),
            ("petersen/1 2/2 3", 1, "stands alone"),
            ("1 2/2 3/EOF", 3, "stands alone"),
            ("1 2/2 3/1-2", 3, "stands alone"),
            ("a b/b c/end", 3, "stands alone"),
            ("1 2/vertices 10/2 3", 2, "unlike"),
            ("a b/b c/c a/a 7", 4, "unlike"),
            ("1 2/0.5 1.5", 2, "decimal or negative"),
            ("1 2/2 3/-1", 3, "decimal or negative"),
            ("1 2/01 3", 1, "the same number"),
            ("a/b", 1, "no line has two"),
        ] {
            match table(rows) {
                Ok(_) => assert_eq!(line, 0, "{rows}"),
                Err((at, fault)) => {
                    assert_eq!(at, line, "{rows}: {fault}");
                    assert!(fault.to_string().contains(said), "{rows}: {fault}");
                }
            }
        }
    }

    #[test]
    fn vertices_without_edges_come_after_the_edges() {
        assert_eq!(table("1 2/2 3/7").unwrap().names, ["1", "2", "3", "7"]);
        assert_eq!(table("7").unwrap().names, ["7"]);
        assert_eq!(table("0 1/1 2/2").unwrap().names.len(), 3);
    }
}
