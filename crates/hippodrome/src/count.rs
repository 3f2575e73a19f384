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
//! use hippodrome::{board::Board, count::{Count, Kind, Watch}, graph::Graph};
//! let count = Count::new(Graph::knight(Board::parse("6x6")?), Kind::Closed);
//! assert_eq!(count.run(&Watch::default())?.undirected.to_string(), "9862");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod big;
mod checks;
mod chunks;
mod ends;
mod forecast;
mod key;
mod layer;
mod meet;
mod net;
mod orbits;
mod order;
mod pairing;
mod program;
mod rule;
mod run;
mod tally;
mod task;
mod watch;

#[cfg(test)]
mod tests;

pub use ends::EndClass;
pub use forecast::Forecast;
pub use num_bigint::BigUint;
pub use watch::Watch;

use crate::board::{Square, in_bytes};
use crate::graph::Graph;
use crate::problem::{Goal, Problem};
use crate::symmetry::Symmetry;
use crate::theorems::{Finding, Verdict, known};
use ends::Ends;
use key::Key;
use net::Net;
use run::Crew;
use std::sync::atomic::Ordering::Relaxed;
use task::{Plan, Task};
use thiserror::Error;
use watch::Stop;

/// Most squares of a board that is counted.
const SQUARES: usize = 100_000;
/// States from which a count with two ends is worth a look at every image of them.
const WORTH_TURNING: f64 = 1e6;

/// Bytes above which a count with two ends is split.
const COMFORT: u64 = 12 << 30;

/// How two fixed ends are joined to make a cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    Edge,
    Vertex,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Open tours, re-entrant ones included.
    Open,
    /// Closed tours.
    Closed,
    /// Sets of cycles that together visit every square once.
    TwoFactors,
    /// One path and any number of cycles that together visit every square once.
    PathCovers,
}

impl Kind {
    /// Every kind with its name and meaning.
    pub const CHOICES: &[(&str, Kind, &str)] = &[
        ("open", Kind::Open, "tours with two ends, re-entrant ones included"),
        ("closed", Kind::Closed, "tours that return to their start"),
        ("two-factors", Kind::TwoFactors, "cycles that visit every square once together"),
        (
            "path-covers",
            Kind::PathCovers,
            "one path and cycles that visit every square once together",
        ),
    ];

    /// The kind's name.
    pub fn name(self) -> &'static str {
        Kind::CHOICES.iter().find(|row| row.1 == self).map_or("", |row| row.0)
    }

    fn is_tour(self) -> bool {
        matches!(self, Kind::Open | Kind::Closed)
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
    pub kind: Kind,
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
    pub(crate) fault: Option<run::Fault>,
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
        "{graph} is too large to count: {slots} squares are open at a time, and at most 25 can be; count a board whose shorter side is at most 8, as in hippo count 8x8"
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
        "counting {graph} needs more than the {} of memory allowed, about {}; give more with --memory, {instead}or count a narrower board", in_bytes(u128::from(*allowed)), in_bytes(u128::from(*needed))
    )]
    Memory {
        /// The graph.
        graph: String,
        /// Bytes allowed.
        allowed: u64,
        /// Bytes needed.
        needed: u64,
        /// What else to type.
        instead: &'static str,
    },
    /// The count contradicts itself.
    #[error(
        "the count failed a check and is not given: {0}; report this as a fault of the program"
    )]
    Check(String),
    /// Tours that symmetries keep could not be counted.
    #[error("the symmetric tours of {0} are too many or too hard to count; leave out --classes")]
    Classes(String),
    /// A breakdown or fixed ends where they have no meaning.
    #[error("{0}")]
    Meaningless(&'static str),
}

impl Count {
    /// A count with free ends and nothing asked beside.
    pub fn new(graph: Graph, kind: Kind) -> Count {
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

    fn crew<'a>(&self, watch: &'a Watch) -> Crew<'a> {
        Crew {
            threads: self.threads,
            watch,
            #[cfg(test)]
            fault: self.fault,
        }
    }

    fn stopped(&self, stop: Stop, watch: &Watch) -> CountError {
        let graph = self.graph.to_string();
        match stop {
            Stop::Interrupted => CountError::Interrupted,
            Stop::Memory(needed) => {
                let free = self.kind == Kind::Open && self.ends() == Ends::Free;
                let instead = if free { "count class by class with --out DIR, " } else { "" };
                CountError::Memory { graph, allowed: watch.memory, needed, instead }
            }
            Stop::Slots(slots) => CountError::TooWide { graph, slots },
            Stop::Ledger => CountError::Check("states read are not the states written".into()),
            Stop::Overflow => CountError::Check("a number was too large for its words".into()),
        }
    }

    /// The ends that are fixed.
    fn ends(&self) -> Ends {
        match (self.start, self.end) {
            (Some(s), Some(e)) => Ends::Both(s, e),
            (Some(s), None) | (None, Some(s)) => Ends::One(s),
            (None, None) => Ends::Free,
        }
    }

    /// Whether what is asked for has a meaning.
    fn check_meaning(&self) -> Result<(), CountError> {
        let fixed = self.ends() != Ends::Free;
        if [self.start, self.end].iter().flatten().any(|&end| !self.graph.has(end)) {
            return Err(CountError::Meaningless(
                "a fixed end is not on the board; name a square that is",
            ));
        }
        if self.start.is_some() && self.start == self.end && self.graph.order() > 1 {
            return Err(CountError::Meaningless(
                "start and end are the same; change --start or --end",
            ));
        }
        if !self.kind.is_tour() && (fixed || self.by.is_some() || self.classes) {
            return Err(CountError::Meaningless(
                "covers have no start and no classes; leave out --start, --end, --by and --classes, or count tours",
            ));
        }
        if fixed && (self.by.is_some() || self.classes) {
            return Err(CountError::Meaningless(
                "with --start or --end there is nothing to break down; leave out --by and --classes, or the ends",
            ));
        }
        Ok(())
    }

    /// Why there is nothing to count, if a theorem says so.
    fn impossible(&self, ends: Ends) -> Option<Finding> {
        let goal = match self.kind {
            Kind::Open => Goal::Open,
            Kind::Closed => Goal::Closed,
            _ => return None,
        };
        let (start, end) = ends.pair();
        let problem = Problem::new(self.graph.clone(), goal, start, end).ok()?;
        match known(&problem) {
            Verdict::Impossible(finding) => Some(finding),
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
                self.graph.vertices().all(|v| map[v as usize] == other[v as usize])
            };
            if !distinct.iter().any(|(_, other)| same(other)) {
                distinct.push((symmetry, map));
            }
        }
        distinct
    }

    /// The task of counting with such ends.
    fn task(&self, ends: Ends) -> Task {
        self.task_with(ends, Between::Edge)
    }

    /// The same; two ends are joined by an edge, or by way of a vertex.
    fn task_with(&self, ends: Ends, between: Between) -> Task {
        let (net, squares) = Net::of(&self.graph);
        let order = squares.len();
        let number = |s: Square| squares.binary_search(&s).unwrap_or(0);
        let apex = |net: Net| net.with_apex(0..order);
        let net = match (self.kind, ends) {
            (Kind::Closed | Kind::Open, Ends::Both(s, e)) => {
                let (mut net, s, e) = (net, number(s), number(e));
                if between == Between::Edge {
                    net.force(s, e);
                } else {
                    net.part(s, e);
                    net = net.with_apex([]);
                    net.force(order, s);
                    net.force(order, e);
                }
                net
            }
            (Kind::Open, Ends::One(s)) => {
                let mut net = apex(net);
                net.force(order, number(s));
                net
            }
            (Kind::Open, Ends::Free) | (Kind::PathCovers, _) => apex(net),
            (Kind::Closed | Kind::TwoFactors, _) => net,
        };
        let keeps = |map: &[Square]| match ends {
            Ends::Free => true,
            Ends::One(s) => self.kind == Kind::Closed || map[s as usize] == s,
            Ends::Both(s, e) => {
                let (a, b) = (map[s as usize], map[e as usize]);
                (a, b) == (s, e) || (a, b) == (e, s)
            }
        };
        let renumbered = |map: &Vec<Square>| -> Vec<usize> {
            let known = squares.iter().map(|&s| number(map[s as usize]));
            known.chain(order..net.order()).collect()
        };
        let all: Vec<Vec<Square>> = self.symmetries().into_iter().map(|(_, map)| map).collect();
        let maps = all.iter().filter(|map| keeps(map)).map(renumbered).collect();
        let turns = all.iter().map(renumbered).collect();
        let line = match self.graph.board() {
            Some(board) if board.is_full() => board.rows().min(board.cols()) as usize,
            _ => 1,
        };
        let orders = order::candidates(&net, &self.graph, &squares);
        Task { net, orders, maps, turns, line, many_cycles: !self.kind.is_tour() }
    }

    /// Whether the graph may be walked through at all.
    fn check_size(&self) -> Result<(), CountError> {
        let graph = || self.graph.to_string();
        if self.graph.order() > SQUARES {
            return Err(CountError::TooLong { graph: graph(), squares: self.graph.order() });
        }
        match self.graph.board().map(|b| b.rows().min(b.cols()) as usize) {
            Some(side) if side > key::Wide::SLOTS => {
                Err(CountError::TooWide { graph: graph(), slots: side })
            }
            _ => Ok(()),
        }
    }

    fn plan_for(&self, task: &Task) -> Result<Vec<Plan>, CountError> {
        task.plans().map_err(|slots| self.stopped(Stop::Slots(slots), &Watch::default()))
    }

    /// Undirected tours with such ends: by theorem, by looking, or by counting.
    fn undirected(&self, ends: Ends, watch: &Watch) -> Result<(BigUint, &'static str), CountError> {
        if self.impossible(ends).is_some() {
            return Ok((BigUint::ZERO, "theorem"));
        }
        // A cycle needs three vertices; what is left of the theorems' tiny boards has one tour.
        if self.graph.order() == 1 && self.kind == Kind::Open
            || self.graph.order() == 2 && matches!(ends, Ends::Both(..))
        {
            return Ok((BigUint::from(1u32), "definition"));
        }
        self.check_size()?;
        let parts = self.parts(ends, watch)?;
        watch.expect(parts.iter().map(|(_, plan)| plan.cost).sum());
        let mut sum = BigUint::ZERO;
        for (task, plan) in &parts {
            sum += task.count(plan, &self.crew(watch)).map_err(|s| self.stopped(s, watch))?;
        }
        Ok((sum, parts[0].1.name()))
    }

    /// The task of counting with such ends, or with their images under a symmetry of the board,
    /// whichever is the cheapest: two ends in one half are cheaper than one in each.
    fn cheapest(&self, ends: Ends) -> Result<(Task, Plan), CountError> {
        let first = |ends: Ends, between: Between| -> Result<(Task, Plan), CountError> {
            let task = self.task_with(ends, between);
            let plan = self.plan_for(&task)?.swap_remove(0);
            Ok((task, plan))
        };
        let mut best = first(ends, Between::Edge)?;
        if let Ends::Both(s, e) = ends
            && best.1.cost > WORTH_TURNING
        {
            let images = Symmetry::maps(&self.graph).into_iter();
            let images = images.map(|map| Ends::Both(map[s as usize], map[e as usize]));
            for image in images {
                // Ends in different halves: the vertex has one edge in either, an end would have more.
                let direct = first(image, Between::Edge)?;
                if let Ok(other) = first(image, Between::Vertex)
                    && other.1.cost <= direct.1.cost.min(best.1.cost)
                {
                    best = other;
                } else if direct.1.cost < best.1.cost {
                    best = direct;
                }
            }
        }
        Ok(best)
    }

    /// The task of counting with such ends; or, where that takes much memory, tasks that add up to it,
    /// one for each first move from an end: an end that may go anywhere, in a corner most of all, makes
    /// several times as many states as a square that is passed.
    fn parts(&self, ends: Ends, watch: &Watch) -> Result<Vec<(Task, Plan)>, CountError> {
        let mut parts = vec![self.cheapest(ends)?];
        if matches!(ends, Ends::Both(..)) && parts[0].1.cost >= forecast::LARGE {
            // Splitting at one end and then at the other.
            for _ in 0..2 {
                let (task, plan) = &parts[0];
                let needed = self.needed(task, plan, watch)?.1;
                if needed <= watch.memory.min(COMFORT) {
                    break;
                }
                let split: Vec<Task> = parts.iter().flat_map(|(task, _)| task.split()).collect();
                // No move, no tour: nothing is large.
                if split.is_empty() {
                    break;
                }
                let planned = |part: Task| -> Result<(Task, Plan), CountError> {
                    let plan = self.plan_for(&part)?.swap_remove(0);
                    Ok((part, plan))
                };
                parts = split.into_iter().map(planned).collect::<Result<_, _>>()?;
            }
        }
        Ok(parts)
    }

    /// Makes the count and every check.
    pub fn run(&self, watch: &Watch) -> Result<Counted, CountError> {
        self.check_meaning()?;
        let ends = self.ends();
        let reason = self.impossible(ends);
        let before = watch.states.load(Relaxed);
        let (undirected, method) = self.undirected(ends, watch)?;
        let states = watch.states.load(Relaxed) - before;
        let mut counted = Counted {
            directed: self.kind.is_tour().then(|| self.directed(&undirected)),
            undirected,
            method,
            reason,
            checks: Vec::new(),
            by_start: None,
            by_ends: None,
            classes: None,
        };
        self.check(&mut counted, states, watch)?;
        match self.by {
            Some(By::Start) => self.break_down_by_start(&mut counted, watch)?,
            Some(By::Ends) => self.break_down_by_ends(&mut counted, watch)?,
            None => {}
        }
        Ok(counted)
    }

    /// How many directed tours so many undirected ones are.
    fn directed(&self, undirected: &BigUint) -> BigUint {
        let one_way = match (self.kind, self.ends()) {
            // A cycle through the move from the end to the start is passed in one direction.
            (_, Ends::Both(..)) => true,
            (Kind::Open, ends) => ends != Ends::Free || self.graph.order() == 1,
            _ => false,
        };
        if one_way { undirected.clone() } else { undirected * 2u32 }
    }
}
