//! Exact counting: finds the number of tours without listing them.
//!
//! The count processes the vertices one by one. A *state* describes how the paths built so far meet the
//! *frontier*, the set of unfinished vertices with a finished neighbour: each frontier vertex is bare (no
//! edge), inner (two edges), or the end of a path whose other end is also on the frontier. Equal states are
//! merged and their *tallies*, the numbers of partial tours they stand for, are added, so the work grows with
//! the number of states, not with the number of tours. A narrow or small board is counted in one *sweep* over
//! all vertices. A board like 8x8 is split into two *halves* that meet at two rows, which neither half
//! finishes; the count adds up the pairs of states, one from each half, that together form one cycle. An open
//! tour is a cycle through an apex, an extra vertex joined to every square.
//!
//! Source: Knuth, The Art of Computer Programming 7.1.4 (SIMPATH) for frontier states; McKay (1997) for
//! closed tours of 8x8 from two halves. Cost: exponential in the shorter side, linear in the longer one.
//! Limits: at most 25 squares in the frontier; in practice, memory is the limit (the plan made by
//! [`Count::plan`] forecasts how much is needed). To list the tours themselves, use the solver
//! [`exact`](crate::solvers).
//!
//! Additions of tallies are checked for overflow. A count that overflows 64 bits is repeated in 128 bits and,
//! if these overflow too, with tallies of several words, which are widened before they can overflow
//! (`count/big.rs`).
//!
//! ```
//! use hippodrome::board::Board;
//! use hippodrome::count::{Count, CountKind, CountMonitor};
//! use hippodrome::board::Graph;
//! let count = Count::new(Graph::knight(Board::parse("6x6")?), CountKind::Closed);
//! assert_eq!(count.run(&CountMonitor::default())?.undirected.to_string(), "9862");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod big;
mod bound;
mod breakdown;
mod checks;
mod chunks;
mod conflict;
mod cycles;
mod describe;
mod ends;
mod ends_plan;
mod fixed_ends;
mod forecast;
mod join;
mod key;
mod known;
mod layer;
mod meet;
mod monitor;
mod orbits;
mod order;
mod pairing;
mod plan;
mod program;
mod recurrence;
mod rule;
mod run;
mod tally;
mod task;
mod weighted_graph;

#[cfg(test)]
mod tests;

pub use conflict::CountConflict;
pub(crate) use cycles::{CycleLimits, CycleSweep};
pub use ends::EndClass;
pub use forecast::Forecast;
pub use known::{KnownCount, KnownCounts};
pub use monitor::CountMonitor;
pub use num_bigint::BigUint;
pub use plan::CountPlan;
pub use recurrence::Recurrence;

use crate::board::{Graph, Square, Symmetry};
use crate::numerals::in_bytes;
use crate::problem::theorems::{Existence, Finding, known};
use crate::problem::{Goal, Problem};
use fixed_ends::FixedEnds;
use key::FrontierKey;
use monitor::StopReason;
use run::CountContext;
use task::{PlannedTask, Task};
use thiserror::Error;

/// Largest number of squares of a graph whose tours can be counted. Chosen by hand: 3x1000 takes 0.07 s, and
/// time grows with the square of the length, so the largest board takes a few minutes.
const SQUARES: usize = 100_000;
/// The kind of thing that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountKind {
    /// Open tours, re-entrant ones included.
    Open,
    /// Closed tours.
    Closed,
    /// Sets of cycles that together visit every square once.
    TwoFactors,
    /// Sets of one path of two or more squares and any number of cycles that together visit every square
    /// once.
    PathCovers,
}

impl CountKind {
    /// All kinds, each with its name and meaning.
    pub const CHOICES: &[(&str, CountKind, &str)] = &[
        ("open", CountKind::Open, "tours with two ends, re-entrant ones included"),
        ("closed", CountKind::Closed, "tours that return to their start"),
        ("two-factors", CountKind::TwoFactors, "cycles that together visit every square once"),
        (
            "path-covers",
            CountKind::PathCovers,
            "one path of two or more squares, and cycles, that together visit every square once",
        ),
    ];

    /// Returns the kind's name.
    pub fn name(self) -> &'static str {
        CountKind::CHOICES.iter().find(|row| row.1 == self).map_or("", |row| row.0)
    }

    fn is_tour(self) -> bool {
        matches!(self, CountKind::Open | CountKind::Closed)
    }
}

/// The way in which a count is broken down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// By the first square of the tour.
    Start,
    /// By the two ends of the tour, up to symmetry.
    Ends,
}

/// The specification of a count: the graph, what to count and how.
#[derive(Clone, Debug)]
pub struct Count {
    /// The graph that tours visit.
    pub graph: Graph,
    /// The kind of thing to count.
    pub kind: CountKind,
    /// The first square, if it is fixed.
    pub start: Option<Square>,
    /// The last square, if it is fixed.
    pub end: Option<Square>,
    /// How to break down the count, if at all.
    pub by: Option<By>,
    /// Whether to count tours up to symmetry as well.
    pub classes: bool,
    /// Whether to confirm a large count by a second run with another order of the vertices.
    pub confirm: bool,
    /// Number of threads.
    pub threads: usize,
    /// A fault that a test injects; a check must detect it.
    #[cfg(test)]
    pub(crate) fault: Option<run::TallyFault>,
}

/// A check that a count has passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The name of the check.
    pub name: &'static str,
    /// The numbers that the check compared.
    pub detail: String,
}

/// The result of a count.
#[derive(Clone, Debug)]
pub struct Counted {
    /// Number of directed tours; `None` for kinds without a direction.
    pub directed: Option<BigUint>,
    /// Number of undirected tours, two-factors or path covers.
    pub undirected: BigUint,
    /// The name of the counting method.
    pub method: &'static str,
    /// Why the count is zero, if a theorem proves it.
    pub reason: Option<Finding>,
    /// The checks that the count passed.
    pub checks: Vec<Check>,
    /// Number of directed tours that start at each square, if this breakdown was requested.
    pub by_start: Option<Vec<(Square, BigUint)>>,
    /// Classes of pairs of ends with their numbers of undirected tours, if this breakdown was requested.
    pub by_ends: Option<Vec<EndClass>>,
    /// Number of undirected tours up to symmetry, if requested.
    pub classes: Option<BigUint>,
}

/// Why a count failed.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum CountError {
    /// The caller interrupted the count.
    #[error("interrupted before the count finished")]
    Interrupted,
    /// The frontier is too wide.
    #[error(
        "{graph} is too large to count: a sweep would keep {slots} squares in its frontier, more than 25; use a board with at most 8 rows or columns, such as 6x8, or a piece with shorter leaps"
    )]
    TooWide {
        /// The name of the graph.
        graph: String,
        /// Number of squares in the frontier.
        slots: usize,
    },
    /// There are too many squares.
    #[error(
        "{graph} is too large to count: it has {squares} squares, and the limit is {SQUARES}; count a smaller board"
    )]
    TooLong {
        /// The name of the graph.
        graph: String,
        /// Number of squares in the graph.
        squares: usize,
    },
    /// The count needs more memory than allowed.
    #[error(
        "counting {graph} needs at least {} of memory, but only {} is allowed",
        in_bytes(u128::from(*needed)),
        in_bytes(u128::from(*allowed))
    )]
    Memory {
        /// The name of the graph.
        graph: String,
        /// Number of bytes allowed.
        allowed: u64,
        /// Number of bytes needed, at least.
        needed: u64,
        /// Whether the count could be run in a job folder, one class of ends at a time.
        by_class: bool,
    },
    /// A check failed.
    #[error("the count failed a check and was discarded: {0}; please report this bug")]
    Check(String),
    /// The symmetric tours could not be counted.
    #[error(
        "the symmetric tours of {0} could not be counted: the count needs too much memory or too wide a frontier"
    )]
    Classes(String),
    /// The combination of arguments has no meaning.
    #[error(transparent)]
    Meaningless(#[from] CountConflict),
}

impl Count {
    /// Makes a count with free ends and no breakdown.
    pub fn new(graph: Graph, kind: CountKind) -> Count {
        Count {
            graph,
            kind,
            start: None,
            end: None,
            by: None,
            classes: false,
            confirm: false,
            threads: 1,
            #[cfg(test)]
            fault: None,
        }
    }

    fn context<'a>(&self, monitor: &'a CountMonitor) -> CountContext<'a> {
        CountContext {
            threads: self.threads,
            monitor,
            #[cfg(test)]
            fault: self.fault,
        }
    }

    fn stopped(&self, stop: StopReason, monitor: &CountMonitor) -> CountError {
        let graph = self.graph.to_string();
        match stop {
            StopReason::Interrupted => CountError::Interrupted,
            StopReason::Memory(needed) => {
                let by_class = self.kind == CountKind::Open && self.ends() == FixedEnds::Free;
                CountError::Memory { graph, allowed: monitor.memory, needed, by_class }
            }
            StopReason::Slots(slots) => CountError::TooWide { graph, slots },
            StopReason::Ledger => {
                CountError::Check("the tallies read are not the tallies written".into())
            }
            StopReason::Overflow => CountError::Check("a number overflowed".into()),
        }
    }

    /// Returns which ends of the tours are fixed.
    fn ends(&self) -> FixedEnds {
        match (self.start, self.end) {
            (Some(s), Some(e)) => FixedEnds::Both(s, e),
            (Some(s), None) | (None, Some(s)) => FixedEnds::One(s),
            (None, None) => FixedEnds::Free,
        }
    }

    /// Rejects combinations of arguments that have no meaning.
    fn check_meaning(&self) -> Result<(), CountError> {
        let fixed = self.ends() != FixedEnds::Free;
        if [self.start, self.end].iter().flatten().any(|&end| !self.graph.has(end)) {
            return Err(CountConflict::EndOffBoard.into());
        }
        if self.start.is_some() && self.start == self.end && self.graph.order() > 1 {
            return Err(CountConflict::SameEnds.into());
        }
        if !self.kind.is_tour() && (fixed || self.by.is_some() || self.classes) {
            return Err(CountConflict::Covers.into());
        }
        if self.classes && self.graph.board().is_none() {
            return Err(CountConflict::NoSymmetries.into());
        }
        if fixed && (self.by.is_some() || self.classes) {
            return Err(CountConflict::FixedEnds.into());
        }
        Ok(())
    }

    /// Returns the reason why the count is zero, if a theorem proves it.
    fn impossible(&self, ends: FixedEnds) -> Option<Finding> {
        let goal = match self.kind {
            CountKind::Open => Goal::Open,
            CountKind::Closed => Goal::Closed,
            _ => return None,
        };
        let (start, end) = ends.pair();
        let problem = Problem::new(self.graph.clone(), goal, start, end).ok()?;
        match known(&problem) {
            Existence::Impossible(finding) if finding.settles_counts() => Some(finding),
            _ => None,
        }
    }

    /// Returns the symmetries as maps of the squares, the identity first. Symmetries with equal maps, as on
    /// boards with one row, are listed once.
    fn symmetries(&self) -> Vec<(Symmetry, Vec<Square>)> {
        let known = match self.graph.board() {
            Some(board) => Symmetry::of(board),
            None => vec![Symmetry::Identity],
        };
        let mut distinct: Vec<(Symmetry, Vec<Square>)> = Vec::new();
        for (symmetry, map) in known.into_iter().zip(Symmetry::maps(&self.graph)) {
            let same = |other: &Vec<Square>| {
                self.graph.vertices().all(|v| map[v.index()] == other[v.index()])
            };
            if !distinct.iter().any(|(_, other)| same(other)) {
                distinct.push((symmetry, map));
            }
        }
        distinct
    }

    /// Rejects graphs that are too large even to plan.
    fn check_size(&self) -> Result<(), CountError> {
        let graph = || self.graph.to_string();
        if self.graph.order() > SQUARES {
            return Err(CountError::TooLong { graph: graph(), squares: self.graph.order() });
        }
        match self.graph.board().map(|b| b.rows().min(b.cols()) as usize) {
            // A board with few squares may have many rows and columns.
            Some(side) if side > key::Wide::SLOTS && self.graph.order() > order::GREEDY => {
                Err(CountError::TooWide { graph: graph(), slots: side })
            }
            _ => Ok(()),
        }
    }

    /// Plans a task with its cheapest method.
    fn planned(&self, task: Task) -> Result<PlannedTask, CountError> {
        match task.plans() {
            Ok(mut plans) => Ok(PlannedTask { task, plan: plans.swap_remove(0) }),
            Err(slots) => Err(CountError::TooWide { graph: self.graph.to_string(), slots }),
        }
    }

    /// Plans the count for the memory that the monitor allows. The same plan is used for the forecast and for
    /// the run.
    pub fn plan(&self, monitor: &CountMonitor) -> Result<CountPlan, CountError> {
        CountPlan::new(self, monitor)
    }

    /// Plans and runs the count, then runs every check.
    pub fn run(&self, monitor: &CountMonitor) -> Result<Counted, CountError> {
        self.plan(monitor)?.run(monitor)
    }

    /// Makes the result of a count; its checks have not run yet.
    fn counted(
        &self,
        undirected: BigUint,
        method: &'static str,
        reason: Option<Finding>,
    ) -> Counted {
        let ways = match (self.kind, self.ends()) {
            // With both ends fixed, each cycle through the edge between them is one directed tour.
            (_, FixedEnds::Both(..)) => 1u32,
            (CountKind::Open, ends) if ends != FixedEnds::Free || self.graph.order() == 1 => 1,
            _ => 2,
        };
        Counted {
            directed: self.kind.is_tour().then(|| &undirected * ways),
            undirected,
            method,
            reason,
            checks: Vec::new(),
            by_start: None,
            by_ends: None,
            classes: None,
        }
    }
}
