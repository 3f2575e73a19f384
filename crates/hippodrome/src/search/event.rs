//! What a watched search reports besides tours: where it is, what it remembers, and what it has just done.
//!
//! Events are named by their content, not by the solver, and carry values. A page draws them, and
//! [`narrate`](crate::search::narrate) makes a sentence of each. Only the watched variant of a search sends them.
//! A solver declares the kinds it sends in its [`Info`](crate::search::Info). As JSON, an event is
//! `{"kind": "choice", "of": {…}}`: squares are numbers, and an added vertex of a link is `null`.

use crate::board::Square;
use crate::board::move_weights::MoveWeight;
use serde::Serialize;

/// Two vertices of a chosen or possible move. `None` is a vertex added to close open tours, so the other one is an
/// end of the tour.
pub type Link = (Option<Square>, Option<Square>);

/// A state of a search, or something that it has just done. Paths are its steps.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", content = "of", rename_all = "kebab-case")]
pub enum SearchEvent<'a> {
    /// The knight's path so far.
    Path(&'a [Square]),
    /// The path of a backtracking search and its untried squares.
    Stack {
        /// The knight's path so far.
        path: &'a [Square],
        /// Untried squares, ordered by depth.
        untried: &'a [Square],
        /// Index of the first untried square of each depth.
        marks: &'a [usize],
    },
    /// The chosen moves, connected or not.
    Moves(&'a [(Square, Square)]),
    /// The current weight of each move.
    MoveWeights(&'a [MoveWeight]),
    /// The fitness of every member of a population, in moves.
    Population(&'a [u32]),
    /// The paths of three members of a population.
    Members {
        /// The path of the fittest member.
        best: &'a [Square],
        /// The path of the member in the middle.
        median: &'a [Square],
        /// The path of the least fit member.
        worst: &'a [Square],
    },
    /// All edges that a search has decided. The other edges are still possible.
    Edges {
        /// Edges that follow from the choices or from the problem.
        forced: &'a [Link],
        /// Edges tried.
        chosen: &'a [Link],
        /// Edges that no tour uses after the choices.
        excluded: &'a [Link],
    },
    /// The number of partial tours that wait to be extended, by their number of squares.
    Queue(&'a [u64]),
    /// One of several solvers begins.
    Stage {
        /// Its name.
        solver: &'static str,
        /// Maximum number of attempts, if there is a limit.
        attempts: Option<u64>,
    },
    /// An attempt begins on a square.
    Start {
        /// The square.
        square: Square,
    },
    /// A square is chosen among the free ones by its onward moves.
    Choice {
        /// Number of the move, from 1.
        step: usize,
        /// The square to leave.
        from: Square,
        /// The free squares a move away.
        options: &'a [MoveOption],
        /// The square entered.
        chosen: Square,
        /// What decides between squares with equally few onward moves.
        ties: TieBreaker,
    },
    /// The path cannot be continued.
    DeadEnd {
        /// Its last square.
        square: Square,
        /// Number of its squares.
        visited: usize,
    },
    /// The next of several squares is tried, after others have failed.
    Retry {
        /// Number of the move, from 1.
        step: usize,
        /// The square to leave.
        from: Square,
        /// The square entered.
        chosen: Square,
        /// Squares that are still to be tried from there.
        left: usize,
    },
    /// Moves are undone to continue elsewhere.
    Back {
        /// Number of moves undone.
        moves: usize,
        /// The last square of the path that is left.
        to: Square,
    },
    /// A start square gets a budget of its own.
    Probe {
        /// The square.
        square: Square,
        /// Attempts before the search gives it up.
        attempts: u64,
    },
    /// A start square is given up for now.
    GiveUp {
        /// The square.
        square: Square,
    },
    /// The best partial path is extended in all ways.
    Extend {
        /// Number of its squares.
        length: usize,
        /// Its last square.
        square: Square,
        /// Its evaluation.
        evaluation: f64,
        /// Number of new paths.
        added: usize,
        /// Number of paths in the queue.
        waiting: usize,
    },
    /// One of several parts of a search begins: some edges are taken, some excluded.
    Part {
        /// Edges taken.
        taken: &'a [Link],
        /// Edges excluded.
        excluded: &'a [Link],
    },
    /// An edge is tried at the vertex with the fewest options.
    Branch {
        /// The vertex; `None` is an added one.
        vertex: Option<Square>,
        /// Edges that it may still use.
        left: u32,
        /// Edges that it lacks: 1 or 2.
        needs: u32,
        /// The edge tried.
        edge: Link,
        /// Number of edges tried and not yet excluded, with this one.
        depth: usize,
    },
    /// Edges that follow from the choices so far.
    Forced(&'a [ForcedEdge]),
    /// The choices so far allow no tour.
    Contradiction {
        /// The vertex that has fewer edges left than it needs, if that is the reason.
        short: Option<ShortVertex>,
    },
    /// The last edge tried is excluded.
    Exclude {
        /// The edge.
        edge: Link,
        /// Number of edges tried that remain.
        depth: usize,
    },
    /// The search restarts with random ties.
    Restart {
        /// Number of the restart, from 1.
        round: u64,
    },
    /// A cycle of an ant colony has ended.
    Cycle(CycleReport),
    /// A generation of a population is complete.
    Generation(GenerationReport),
    /// All neurons of a network were updated.
    Sweep {
        /// Number of the sweep, from 1.
        number: u64,
        /// Active moves.
        active: usize,
        /// Squares with exactly two active moves.
        satisfied: usize,
        /// Closed cycles of squares with two active moves each.
        cycles: usize,
    },
    /// A network has ended its trial.
    Rest {
        /// Sweeps made, if one network was watched.
        sweeps: Option<u64>,
        /// Number of cycles that cover all squares; `None` if it did not come to rest on such cycles.
        cycles: Option<u64>,
    },
    /// Moves were exchanged until every vertex had two.
    Mended {
        /// Moves before.
        before: usize,
        /// Moves of these that are kept.
        kept: usize,
    },
    /// Two moves at every vertex: a set of cycles.
    Factor {
        /// Number of cycles.
        cycles: u64,
        /// Where it comes from.
        source: FactorSource,
    },
    /// There is no set of cycles, and so no tour.
    NoFactor,
    /// Cycles were joined by exchanging moves.
    Joined {
        /// Cycles before.
        cycles: u64,
        /// Exchanges of two moves.
        pairs: u64,
        /// Exchanges of more moves.
        longer: u64,
        /// Cycles that are left.
        left: u64,
    },
    /// Conditions were added that exclude cycles.
    Cut {
        /// Their number.
        clauses: u64,
    },
    /// Edges are decided before the search.
    Reduced {
        /// Edges of the graph.
        edges: usize,
        /// Edges of these that a tour may use.
        left: usize,
    },
    /// A board is divided into blocks.
    Division {
        /// Lengths of the parts of the rows, and of the columns.
        parts: [&'a [u32]; 2],
    },
    /// A tour passes from one block to another.
    Crossing {
        /// Number of the move, from 1.
        step: u64,
        /// The squares of the move.
        squares: (Square, Square),
        /// Row and column of the block that it enters, from 1.
        block: (u32, u32),
        /// The move between the same two blocks in the other direction, if there is exactly one and it is known.
        back: Option<(Square, Square)>,
    },
    /// A cover of the board is drawn.
    Cover {
        /// Squares decided until it was complete or a cycle closed.
        decided: u64,
        /// Squares of the part that closed too early, if one did.
        closed: Option<usize>,
    },
    /// A tour from which others are made.
    FirstTour {
        /// Its ends.
        ends: (Square, Square),
    },
    /// A move from an end of a tour is added, a move of the tour is cut, and the part in between is reversed.
    Reversal {
        /// The end, before the step.
        end: Square,
        /// The move added, from the end.
        added: (Square, Square),
        /// The move cut. Its second square is the new end.
        cut: (Square, Square),
        /// The squares of the part, in the order of the path after the step.
        reversed: &'a [Square],
    },
    /// End parts of a tour were reversed.
    Reversals {
        /// Steps made.
        steps: u64,
        /// Steps of these that reversed a part.
        reversed: u64,
        /// The ends of the tour after them.
        ends: (Square, Square),
    },
    /// A vertex is finished in a sweep over the graph.
    Layer {
        /// Number of the layer, from 1, added vertices not counted.
        number: u64,
        /// The vertex.
        square: Square,
        /// States of the frontier before it.
        states: u64,
        /// All vertices finished so far, this one last.
        finished: &'a [Square],
    },
    /// No way to continue is left, so there is no tour.
    NoTour,
    /// A tour is found.
    Tour {
        /// Its squares.
        squares: &'a [Square],
        /// Whether it is closed.
        closed: bool,
    },
}

/// A free square a move away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MoveOption {
    /// The square.
    pub square: Square,
    /// Its number of free squares a move away.
    pub onward: u32,
    /// The value that decides ties, for [`TieBreaker::Pohl`] and [`TieBreaker::Roth`].
    pub second: Option<u64>,
}

/// What decides between squares with equally few onward moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreaker {
    /// A random choice.
    Random,
    /// The order of the moves.
    Order,
    /// The order of the squares; all of them are tried.
    Ascending,
    /// The smallest sum of the onward moves of the next squares.
    Pohl,
    /// The greatest distance from the centre, squared, in halves of a square.
    Roth,
}

/// An edge that every tour uses after the choices so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ForcedEdge {
    /// The vertex that has no other edge left for it; `None` is an added one.
    pub at: Option<Square>,
    /// The edge.
    pub edge: Link,
}

/// A vertex that has fewer edges left than it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ShortVertex {
    /// The vertex; `None` is an added one.
    pub vertex: Option<Square>,
    /// Edges that it may still use.
    pub left: u32,
    /// Edges that it lacks.
    pub needs: u32,
}

/// The result of a cycle of an ant colony.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CycleReport {
    /// Number of the cycle, from 1.
    pub number: u64,
    /// Number of the colony in its group, from 1, if there are several.
    pub colony: Option<u64>,
    /// Ants sent.
    pub ants: u64,
    /// Squares of the longest path.
    pub longest: usize,
    /// Mean number of squares of a path.
    pub mean: f64,
    /// Paths over all squares.
    pub whole: u64,
    /// Total pheromone before and after the cycle.
    pub total: (f64, f64),
    /// The move with the most pheromone, and its amount.
    pub strongest: Option<MoveWeight>,
}

/// A generation of a population.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GenerationReport {
    /// Number of the generation, from 1.
    pub number: u64,
    /// Most legal moves of a member.
    pub best: u32,
    /// Mean number of legal moves.
    pub mean: f64,
    /// Moves of a tour.
    pub needed: u32,
    /// Pairs of parents that were crossed; `None` if all members are drawn at random.
    pub crossed: Option<u64>,
    /// Pairs of parents.
    pub pairs: u64,
    /// Genes that repair has changed; `None` without repair.
    pub repaired: Option<u64>,
}

/// Where a set of cycles comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactorSource {
    /// A matching.
    Matching,
    /// The satisfiability solver.
    Solver,
}

/// Kinds of events, as a solver declares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each is documented at the event of the same name")]
pub enum EventKind {
    Path,
    Stack,
    Moves,
    MoveWeights,
    Population,
    Members,
    Edges,
    Queue,
    Stage,
    Start,
    Choice,
    DeadEnd,
    Retry,
    Back,
    Probe,
    GiveUp,
    Extend,
    Part,
    Branch,
    Forced,
    Contradiction,
    Exclude,
    Restart,
    Cycle,
    Generation,
    Sweep,
    Rest,
    Mended,
    Factor,
    NoFactor,
    Joined,
    Cut,
    Reduced,
    Division,
    Crossing,
    Cover,
    FirstTour,
    Reversal,
    Reversals,
    Layer,
    NoTour,
    Tour,
}

impl EventKind {
    /// Returns whether an event of this kind only shows a state that is drawn: it has no sentence.
    pub fn is_drawn(self) -> bool {
        use EventKind::*;
        matches!(self, Path | Moves | MoveWeights | Population | Members | Edges | Queue)
    }

    /// Returns whether an event of this kind ends a round of many steps, so that it is worth keeping until the next
    /// one.
    pub fn ends_round(self) -> bool {
        use EventKind::*;
        matches!(
            self,
            Cycle
                | Generation
                | Rest
                | Cover
                | Reversals
                | Factor
                | Joined
                | Division
                | Stage
                | Tour
        )
    }
}

impl SearchEvent<'_> {
    /// Returns the path, if the event is a step of the search.
    pub fn path(&self) -> Option<&[Square]> {
        match self {
            SearchEvent::Path(path) | SearchEvent::Stack { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Returns the kind.
    pub fn kind(&self) -> EventKind {
        match self {
            SearchEvent::Path(_) => EventKind::Path,
            SearchEvent::Stack { .. } => EventKind::Stack,
            SearchEvent::Moves(_) => EventKind::Moves,
            SearchEvent::MoveWeights(_) => EventKind::MoveWeights,
            SearchEvent::Population(_) => EventKind::Population,
            SearchEvent::Members { .. } => EventKind::Members,
            SearchEvent::Edges { .. } => EventKind::Edges,
            SearchEvent::Queue(_) => EventKind::Queue,
            SearchEvent::Stage { .. } => EventKind::Stage,
            SearchEvent::Start { .. } => EventKind::Start,
            SearchEvent::Choice { .. } => EventKind::Choice,
            SearchEvent::DeadEnd { .. } => EventKind::DeadEnd,
            SearchEvent::Retry { .. } => EventKind::Retry,
            SearchEvent::Back { .. } => EventKind::Back,
            SearchEvent::Probe { .. } => EventKind::Probe,
            SearchEvent::GiveUp { .. } => EventKind::GiveUp,
            SearchEvent::Extend { .. } => EventKind::Extend,
            SearchEvent::Part { .. } => EventKind::Part,
            SearchEvent::Branch { .. } => EventKind::Branch,
            SearchEvent::Forced(_) => EventKind::Forced,
            SearchEvent::Contradiction { .. } => EventKind::Contradiction,
            SearchEvent::Exclude { .. } => EventKind::Exclude,
            SearchEvent::Restart { .. } => EventKind::Restart,
            SearchEvent::Cycle(_) => EventKind::Cycle,
            SearchEvent::Generation(_) => EventKind::Generation,
            SearchEvent::Sweep { .. } => EventKind::Sweep,
            SearchEvent::Rest { .. } => EventKind::Rest,
            SearchEvent::Mended { .. } => EventKind::Mended,
            SearchEvent::Factor { .. } => EventKind::Factor,
            SearchEvent::NoFactor => EventKind::NoFactor,
            SearchEvent::Joined { .. } => EventKind::Joined,
            SearchEvent::Cut { .. } => EventKind::Cut,
            SearchEvent::Reduced { .. } => EventKind::Reduced,
            SearchEvent::Division { .. } => EventKind::Division,
            SearchEvent::Crossing { .. } => EventKind::Crossing,
            SearchEvent::Cover { .. } => EventKind::Cover,
            SearchEvent::FirstTour { .. } => EventKind::FirstTour,
            SearchEvent::Reversal { .. } => EventKind::Reversal,
            SearchEvent::Reversals { .. } => EventKind::Reversals,
            SearchEvent::Layer { .. } => EventKind::Layer,
            SearchEvent::NoTour => EventKind::NoTour,
            SearchEvent::Tour { .. } => EventKind::Tour,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn an_event_is_json_with_the_name_of_its_kind() {
        let [a, b] = [3, 8].map(Square::new);
        let (path, links) = ([a, b], [(Some(a), Some(b)), (None, Some(a))]);
        let json = |event: &SearchEvent<'_>| {
            let value = serde_json::to_value(event).unwrap();
            assert_eq!(value["kind"], json!(event.kind()));
            value["of"].clone()
        };
        assert_eq!(json(&SearchEvent::Path(&path)), json!([3, 8]));
        assert_eq!(json(&SearchEvent::NoTour), Value::Null);
        let part = SearchEvent::Part { taken: &links, excluded: &[] };
        assert_eq!(json(&part), json!({ "taken": [[3, 8], [null, 3]], "excluded": [] }));
        let options = &[MoveOption { square: b, onward: 2, second: None }];
        let ties = TieBreaker::Random;
        let choice = SearchEvent::Choice { step: 1, from: a, options, chosen: b, ties };
        let option = json!({ "square": 8, "onward": 2, "second": null });
        let expected =
            json!({ "step": 1, "from": 3, "options": [option], "chosen": 8, "ties": "random" });
        assert_eq!(json(&choice), expected);
        let source = FactorSource::Matching;
        let factor = json(&SearchEvent::Factor { cycles: 7, source });
        assert_eq!(factor, json!({ "cycles": 7, "source": "matching" }));
    }
}
