//! Required and forbidden moves of a problem.
//!
//! A closed tour uses the move from its last square to its first; an open tour does not, even if
//! that is a move of the graph. Either way constraints do not depend on the direction of a tour.

use super::{Problem, ProblemError};
use crate::board::Square;
use std::sync::Arc;

/// A move without a direction: the smaller square first.
pub type Edge = (Square, Square);

/// The required and the forbidden moves, each sorted and without duplicates.
#[derive(Clone, Debug, Default)]
pub(super) struct Constraints {
    required: Vec<Edge>,
    forbidden: Vec<Edge>,
}

impl Constraints {
    /// Returns whether a tour uses all required moves and no forbidden one.
    ///
    /// A tour uses each move at most once, so counting the required ones is enough.
    pub(super) fn admit(&self, squares: &[Square], is_closed: bool) -> bool {
        let closing = squares.last().zip(squares.first()).filter(|_| is_closed);
        let steps = squares.windows(2).map(|step| (step[0], step[1]));
        let mut missing = self.required.len();
        for (u, v) in steps.chain(closing.map(|(&last, &first)| (last, first))) {
            let edge = (u.min(v), u.max(v));
            if self.forbidden.binary_search(&edge).is_ok() {
                return false;
            }
            missing -= usize::from(self.required.binary_search(&edge).is_ok());
        }
        missing == 0
    }
}

impl Problem {
    /// Adds moves that every tour must use.
    ///
    /// ```
    /// use hippodrome::board::{Board, Graph};
    /// use hippodrome::problem::Problem;
    /// let graph = Graph::knight(Board::parse("5x5").unwrap());
    /// let at = |name| graph.vertex(name).unwrap();
    /// let (corner, next) = (at("a1"), at("b3"));
    /// let problem = Problem::open(graph).requiring([(corner, next)]).unwrap();
    /// assert_eq!(problem.required().len(), 1);
    /// ```
    pub fn requiring(
        self,
        edges: impl IntoIterator<Item = (Square, Square)>,
    ) -> Result<Problem, ProblemError> {
        self.constrained(edges, |constraints| &mut constraints.required)
    }

    /// Adds moves that no tour may use.
    pub fn forbidding(
        self,
        edges: impl IntoIterator<Item = (Square, Square)>,
    ) -> Result<Problem, ProblemError> {
        self.constrained(edges, |constraints| &mut constraints.forbidden)
    }

    /// Returns the required moves, sorted.
    pub fn required(&self) -> &[Edge] {
        self.constraints.as_ref().map_or(&[], |constraints| &constraints.required)
    }

    /// Returns the forbidden moves, sorted.
    pub fn forbidden(&self) -> &[Edge] {
        self.constraints.as_ref().map_or(&[], |constraints| &constraints.forbidden)
    }

    /// Returns whether any move is required or forbidden.
    pub fn is_constrained(&self) -> bool {
        self.constraints.is_some()
    }

    fn constrained(
        mut self,
        edges: impl IntoIterator<Item = (Square, Square)>,
        list: impl Fn(&mut Constraints) -> &mut Vec<Edge>,
    ) -> Result<Problem, ProblemError> {
        let mut constraints = self.constraints.as_deref().cloned().unwrap_or_default();
        for (u, v) in edges {
            self.expect_edge(u, v)?;
            list(&mut constraints).push((u.min(v), u.max(v)));
        }
        let edges = list(&mut constraints);
        edges.sort_unstable();
        edges.dedup();
        self.expect_consistent(&constraints)?;
        if !(constraints.required.is_empty() && constraints.forbidden.is_empty()) {
            self.constraints = Some(Arc::new(constraints));
        }
        Ok(self)
    }

    fn expect_edge(&self, u: Square, v: Square) -> Result<(), ProblemError> {
        let graph = self.graph();
        if let Some(foreign) = [u, v].into_iter().find(|&v| !graph.has(v)) {
            return Err(ProblemError::NoVertex(foreign, graph.to_string()));
        }
        if !graph.adjacent(u, v) {
            return Err(ProblemError::NoMove(graph.name(u), graph.name(v), graph.to_string()));
        }
        Ok(())
    }

    fn expect_consistent(&self, constraints: &Constraints) -> Result<(), ProblemError> {
        let Constraints { required, forbidden } = constraints;
        let name = |v: Square| self.graph().name(v);
        if let Some(&(u, v)) = required.iter().find(|edge| forbidden.binary_search(edge).is_ok()) {
            return Err(ProblemError::RequiredAndForbidden(name(u), name(v)));
        }
        let mut ends: Vec<Edge> = required.iter().flat_map(|&(u, v)| [(u, v), (v, u)]).collect();
        ends.sort_unstable();
        match ends.windows(3).find(|three| three[0].0 == three[2].0) {
            Some(three) => {
                let others = [three[0].1, three[1].1, three[2].1].map(name);
                Err(ProblemError::ThreeRequired(name(three[0].0), others))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Graph};

    #[test]
    fn wrong_constraints_are_refused_by_name() {
        let graph = Graph::knight(Board::parse("5x5").unwrap());
        let edge = |from: &str, to: &str| (graph.vertex(from).unwrap(), graph.vertex(to).unwrap());
        let open = || Problem::open(graph.clone());
        let told = |made: Result<Problem, ProblemError>| made.unwrap_err().to_string();
        let outside = (Square::new(0), Square::new(99));
        insta::assert_snapshot!(
            [
                told(open().requiring([edge("a1", "a2")])),
                told(open().forbidding([edge("a1", "a1")])),
                told(open().forbidding([outside])),
                told(
                    open()
                        .requiring([edge("a1", "b3")])
                        .and_then(|p| p.forbidding([edge("b3", "a1")]))
                ),
                told(open().requiring([edge("c3", "a2"), edge("b1", "c3"), edge("c3", "a4")])),
            ]
            .join("\n"),
            @r"
        there is no move from a1 to a2 on 5x5; require and forbid only moves that exist
        there is no move from a1 to a1 on 5x5; require and forbid only moves that exist
        there is no vertex number 99 in 5x5; name one of its vertices
        the move a1 to b3 is both required and forbidden
        the moves from c3 to b1, a2 and a4 are required, but a tour uses at most two moves of a square
        "
        );
    }

    #[test]
    fn each_edge_is_listed_once_with_the_smaller_square_first() {
        let graph = Graph::knight(Board::parse("5x5").unwrap());
        let edge = |from: &str, to: &str| (graph.vertex(from).unwrap(), graph.vertex(to).unwrap());
        let problem = Problem::open(graph.clone());
        assert!(!problem.clone().requiring([]).unwrap().is_constrained());
        let problem = problem
            .requiring([edge("c3", "a2"), edge("a1", "b3")])
            .and_then(|p| p.requiring([edge("b3", "a1"), edge("a2", "c3")]))
            .and_then(|p| p.forbidding([edge("c2", "a1")]))
            .unwrap();
        assert_eq!(problem.required(), [edge("a1", "b3"), edge("a2", "c3")]);
        assert_eq!(problem.forbidden(), [edge("a1", "c2")]);
        assert!(problem.is_constrained() && problem.starting_at(Square::new(3)).is_constrained());
    }
}
