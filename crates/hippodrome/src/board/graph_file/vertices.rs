//! The vertices of a file by their names, and edges between them with their lines.

use super::{GraphFault, Located, MAX_EDGES, MAX_VERTICES, shorten};
use crate::numerals::grouped;
use std::borrow::Cow;
use std::collections::HashMap;

/// Vertices in the order of their first appearance.
#[derive(Default)]
pub(super) struct VertexNames<'t> {
    numbers: HashMap<Cow<'t, str>, u32>,
    names: Vec<Cow<'t, str>>,
}

impl<'t> VertexNames<'t> {
    /// Returns the number of a vertex, which is added if it is new.
    pub(super) fn add(&mut self, name: Cow<'t, str>) -> Result<u32, GraphFault> {
        if let Some(&number) = self.numbers.get(&name) {
            return Ok(number);
        }
        check_name(&name)?;
        let number = self.names.len() as u32;
        if u64::from(number) >= MAX_VERTICES {
            let found = format!("more than {}", grouped(MAX_VERTICES));
            return Err(GraphFault::TooManyVertices { found, limit: MAX_VERTICES });
        }
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        Ok(number)
    }

    /// Adds a vertex that must be new.
    pub(super) fn declare(&mut self, name: Cow<'t, str>) -> Result<u32, GraphFault> {
        if self.numbers.contains_key(&name) {
            return Err(GraphFault::Twice(shorten(&name)));
        }
        self.add(name)
    }

    /// Returns the number of a vertex that must exist.
    pub(super) fn find(&self, name: &str) -> Result<u32, GraphFault> {
        self.numbers.get(name).copied().ok_or_else(|| GraphFault::Undeclared(shorten(name)))
    }

    pub(super) fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns the names in order.
    pub(super) fn into_names(self) -> Vec<String> {
        drop(self.numbers);
        self.names.into_iter().map(Cow::into_owned).collect()
    }
}

/// Refuses names that a list of edges can contain only by mistake.
fn check_name(name: &str) -> Result<(), GraphFault> {
    let hidden = |c: char| c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}');
    if name.trim().is_empty() {
        return Err(GraphFault::NoName);
    }
    if name.contains(hidden) {
        return Err(GraphFault::Hidden(shorten(&name.escape_default().to_string())));
    }
    Ok(())
}

/// Edges, each with its line.
#[derive(Default)]
pub(super) struct LocatedEdges {
    pub(super) edges: Vec<(u32, u32)>,
    lines: Vec<u32>,
}

impl LocatedEdges {
    /// Adds an edge.
    pub(super) fn push(&mut self, line: usize, edge: (u32, u32)) -> Result<(), GraphFault> {
        if self.edges.len() as u64 >= MAX_EDGES {
            let found = format!("more than {}", grouped(MAX_EDGES));
            return Err(GraphFault::TooManyEdges { found });
        }
        self.edges.push(edge);
        self.lines.push(u32::try_from(line).unwrap_or(u32::MAX));
        Ok(())
    }

    /// Checks that every edge from u to v has one from v to u, so that a directed graph is undirected.
    pub(super) fn check_symmetric(&self, names: &VertexNames<'_>) -> Result<(), Located> {
        let mut sorted = self.edges.clone();
        sorted.sort_unstable();
        let single = |&(u, v): &(u32, u32)| sorted.binary_search(&(v, u)).is_err();
        let Some(at) = self.edges.iter().position(single) else { return Ok(()) };
        let (u, v) = self.edges[at];
        let [from, to] = [u, v].map(|end| shorten(names.name(end)));
        Err((self.lines[at] as usize, GraphFault::Directed { from, to }))
    }
}

/// Positions of the vertices in a plane, complete or none.
#[derive(Default)]
pub(super) struct Places(Vec<Option<(f64, f64)>>);

impl Places {
    /// Sets the position of a vertex.
    pub(super) fn set(&mut self, vertex: u32, x: f64, y: f64) {
        let at = vertex as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, None);
        }
        self.0[at] = Some((x, y)).filter(|_| x.is_finite() && y.is_finite());
    }

    /// Returns the positions if each of `count` vertices has one.
    pub(super) fn complete(self, count: usize) -> Option<Vec<(f64, f64)>> {
        let all: Option<Vec<(f64, f64)>> = self.0.into_iter().collect();
        all.filter(|all| count > 0 && all.len() == count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_and_empty_names_are_refused() {
        let mut names = VertexNames::default();
        assert_eq!(names.add("a b".into()), Ok(0));
        assert_eq!(names.add("é".into()), Ok(1));
        assert_eq!(names.add(" ".into()), Err(GraphFault::NoName));
        assert!(matches!(names.add("\u{feff}1".into()), Err(GraphFault::Hidden(_))));
        assert!(matches!(names.add("1\0".into()), Err(GraphFault::Hidden(_))));
        assert!(matches!(names.declare("é".into()), Err(GraphFault::Twice(_))));
        assert!(matches!(names.find("x"), Err(GraphFault::Undeclared(_))));
    }

    #[test]
    fn positions_are_complete_and_finite_or_none() {
        let mut places = Places::default();
        places.set(1, 1.0, 2.0);
        places.set(0, 0.0, 2.0);
        assert_eq!(places.complete(2), Some(vec![(0.0, 2.0), (1.0, 2.0)]));
        let mut places = Places::default();
        places.set(0, f64::NAN, 2.0);
        assert_eq!(places.complete(1), None);
        assert_eq!(Places::default().complete(0), None);
    }
}
