//! Exact counts: how many tours there are, without listing them.
//!
//! The vertices are finished one after another. What the finished part does at the *frontier*, the
//! unfinished vertices that it touches, is a state: each of them is bare, inside a path, or the end of
//! a path whose other end is there, too. Equal states are merged and their numbers added, so the work
//! grows with the states, not with the tours. A narrow or small board takes one *sweep*; on boards like
//! 8x8 two *halves* meet at two rows that neither finishes, and pairs of states are counted that make
//! one cycle together. Open tours are cycles through an apex that is joined to every square.
//!
//! Source: Knuth, The Art of Computer Programming 7.1.4 (SIMPATH) for frontier states; McKay (1997) for
//! closed tours of 8x8 from two halves. Cost: exponential in the shorter side, linear in the longer one.
//! Limits: a frontier of 25 squares; in practice memory (`plan` tells).
//! Not here: the solver [`exact`](crate::solvers), which lists tours.
//!
//! No number overflows: tallies are added with a check, in 64 bits, then 128, then in rows of
//! words that widen before they are full (`count/big.rs`).
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
mod layer;
mod meet;
mod orbits;
mod order;
mod pairing;
mod plan;
mod program;
mod rule;
mod run;
mod tally;
mod task;
mod watch;
mod weighted_graph;

#[cfg(test)]
mod tests;

pub use conflict::CountConflict;
pub(crate) use cycles::{CycleLimits, CycleSweep};
pub use ends::EndClass;
pub use forecast::Forecast;
pub use num_bigint::BigUint;
pub use plan::CountPlan;
pub use watch::CountMonitor;

use crate::board::{Graph, Square, Symmetry};
use crate::numerals::in_bytes;
use crate::problem::theorems::{Existence, Finding, known};
use crate::problem::{Goal, Problem};
use fixed_ends::FixedEnds;
use key::FrontierKey;
use run::CountContext;
use task::{PlannedTask, Task};
use thiserror::Error;
use watch::StopReason;

/// Most squares of a board that is counted. Chosen by hand: 3x1000 takes 0.07 s, and time grows with
/// the square of the length, so that this is some minutes.
const SQUARES: usize = 100_000;
/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountKind {
    /// Open tours, re-entrant ones included.
    Open,
    /// Closed tours.
    Closed,
    /// Sets of cycles that together visit every square once.
    TwoFactors,
    /// One path of two squares or more and any number of cycles that together visit every square once.
    PathCovers,
}

impl CountKind {
    /// Every kind with its name and meaning.
    pub const CHOICES: &[(&str, CountKind, &str)] = &[
        ("open", CountKind::Open, "tours with two ends, re-entrant ones included"),
        ("closed", CountKind::Closed, "tours that return to their start"),
        ("two-factors", CountKind::TwoFactors, "cycles that visit every square once together"),
        (
            "path-covers",
            CountKind::PathCovers,
            "one path, of two squares or more, and cycles that visit every square once together",
        ),
    ];

    /// The kind's name.
    pub fn name(self) -> &'static str {
        CountKind::CHOICES.iter().find(|row| row.1 == self).map_or("", |row| row.0)
    }

    fn is_tour(self) -> bool {
        matches!(self, CountKind::Open | CountKind::Closed)
    }
}

/// What a count is broken down by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The first square.
    Start,
    /// Both ends, up to symmetry.
    Ends,
}

/// A count to be made.
#[derive(Clone, Debug)]
pub struct Count {
    /// What tours go over.
    pub graph: Graph,
    /// What is counted.
    pub kind: CountKind,
    /// The first square, if it is fixed.
    pub start: Option<Square>,
    /// The last square, if it is fixed.
    pub end: Option<Square>,
    /// What the count is broken down by.
    pub by: Option<By>,
    /// Whether tours are counted up to symmetry, too.
    pub classes: bool,
    /// Whether a large count is confirmed by a second run with another order of the vertices.
    pub confirm: bool,
    /// Number of threads.
    pub threads: usize,
    /// A fault that a check must find.
    #[cfg(test)]
    pub(crate) fault: Option<run::TallyFault>,
}

/// A check that a count has passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What kind of check it is.
    pub name: &'static str,
    /// What was compared.
    pub detail: String,
}

/// A count that was made.
#[derive(Clone, Debug)]
pub struct Counted {
    /// Directed tours; none for kinds that have no direction.
    pub directed: Option<BigUint>,
    /// Undirected tours, cycles or covers.
    pub undirected: BigUint,
    /// How it was counted.
    pub method: &'static str,
    /// Why the count is zero, if that is known without counting.
    pub reason: Option<Finding>,
    /// What the count agrees with.
    pub checks: Vec<Check>,
    /// Directed tours from each square.
    pub by_start: Option<Vec<(Square, BigUint)>>,
    /// Undirected tours between two squares, up to symmetry.
    pub by_ends: Option<Vec<EndClass>>,
    /// Undirected tours up to symmetry.
    pub classes: Option<BigUint>,
}

/// Why there is no count.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum CountError {
    /// Interrupted from outside.
    #[error("interrupted before the count was done")]
    Interrupted,
    /// The frontier is too wide.
    #[error(
        "{graph} is too large to count: {slots} squares are open at a time, and at most 25 can be; count a board whose shorter side is at most 8, such as 6x8"
    )]
    TooWide {
        /// The graph.
        graph: String,
        /// Slots needed.
        slots: usize,
    },
    /// There are too many squares.
    #[error(
        "{graph} is too large to count: it has {squares} squares, and at most {SQUARES} can be counted; count a shorter board"
    )]
    TooLong {
        /// The graph.
        graph: String,
        /// Its squares.
        squares: usize,
    },
    /// It would not fit.
    #[error(
        "counting {graph} needs more than the {} of memory allowed, at least {}", in_bytes(u128::from(*allowed)), in_bytes(u128::from(*needed))
    )]
    Memory {
        /// The graph.
        graph: String,
        /// Bytes allowed.
        allowed: u64,
        /// Bytes needed.
        needed: u64,
        /// Whether a job folder could count it, one class of ends at a time.
        by_class: bool,
    },
    /// The count contradicts itself.
    #[error(
        "the count failed a check and is not given: {0}; report this as a fault of the program"
    )]
    Check(String),
    /// Tours that symmetries keep could not be counted.
    #[error("the symmetric tours of {0} are too many or too hard to count")]
    Classes(String),
    /// A breakdown or fixed ends where they have no meaning.
    #[error(transparent)]
    Meaningless(#[from] CountConflict),
}

impl Count {
    /// A count with free ends and nothing asked beside.
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

    fn context<'a>(&self, watch: &'a CountMonitor) -> CountContext<'a> {
        CountContext {
            threads: self.threads,
            watch,
            #[cfg(test)]
            fault: self.fault,
        }
    }

    fn stopped(&self, stop: StopReason, watch: &CountMonitor) -> CountError {
        let graph = self.graph.to_string();
        match stop {
            StopReason::Interrupted => CountError::Interrupted,
            StopReason::Memory(needed) => {
                let by_class = self.kind == CountKind::Open && self.ends() == FixedEnds::Free;
                CountError::Memory { graph, allowed: watch.memory, needed, by_class }
            }
            StopReason::Slots(slots) => CountError::TooWide { graph, slots },
            StopReason::Ledger => {
                CountError::Check("states read are not the states written".into())
            }
            StopReason::Overflow => {
                CountError::Check("a number was too large for its words".into())
            }
        }
    }

    /// The ends that are fixed.
    fn ends(&self) -> FixedEnds {
        match (self.start, self.end) {
            (Some(s), Some(e)) => FixedEnds::Both(s, e),
            (Some(s), None) | (None, Some(s)) => FixedEnds::One(s),
            (None, None) => FixedEnds::Free,
        }
    }

    /// Whether what is asked for has a meaning.
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

    /// Why there is nothing to count, if a theorem says so.
    fn impossible(&self, ends: FixedEnds) -> Option<Finding> {
        let goal = match self.kind {
            CountKind::Open => Goal::Open,
            CountKind::Closed => Goal::Closed,
            _ => return None,
        };
        let (start, end) = ends.pair();
        let problem = Problem::new(self.graph.clone(), goal, start, end).ok()?;
        match known(&problem) {
            Existence::Impossible(finding) => Some(finding),
            _ => None,
        }
    }

    /// The symmetries as maps of the squares, the identity first; no map twice, as on boards of one row.
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

    /// Whether the graph may be walked through at all.
    fn check_size(&self) -> Result<(), CountError> {
        let graph = || self.graph.to_string();
        if self.graph.order() > SQUARES {
            return Err(CountError::TooLong { graph: graph(), squares: self.graph.order() });
        }
        match self.graph.board().map(|b| b.rows().min(b.cols()) as usize) {
            // A shape of few squares may lie in a large frame.
            Some(side) if side > key::Wide::SLOTS && self.graph.order() > order::GREEDY => {
                Err(CountError::TooWide { graph: graph(), slots: side })
            }
            _ => Ok(()),
        }
    }

    /// A task with the cheapest way to do it.
    fn planned(&self, task: Task) -> Result<PlannedTask, CountError> {
        match task.plans() {
            Ok(mut plans) => Ok(PlannedTask { task, plan: plans.swap_remove(0) }),
            Err(slots) => Err(CountError::TooWide { graph: self.graph.to_string(), slots }),
        }
    }

    /// Plans the count for the memory of a monitor: once, for its forecast and its run.
    pub fn plan(&self, watch: &CountMonitor) -> Result<CountPlan, CountError> {
        CountPlan::new(self, watch)
    }

    /// Plans the count, makes it and every check.
    pub fn run(&self, watch: &CountMonitor) -> Result<Counted, CountError> {
        self.plan(watch)?.run(watch)
    }

    /// A count of so many undirected tours or covers, before its checks.
    fn counted(
        &self,
        undirected: BigUint,
        method: &'static str,
        reason: Option<Finding>,
    ) -> Counted {
        let ways = match (self.kind, self.ends()) {
            // A cycle through the move from the end to the start is passed in one direction.
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
