//! Counts broken down by the ends of tours. Ends that a symmetry maps to each other have equal counts.

use super::{BigUint, Check, Count, CountError, CountKind, CountMonitor, Counted};
use crate::board::{Square, Symmetry};

/// Which ends are fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Free,
    One(Square),
    Both(Square, Square),
}

impl Ends {
    /// Start and end.
    pub fn pair(self) -> (Option<Square>, Option<Square>) {
        match self {
            Ends::Free => (None, None),
            Ends::One(s) => (Some(s), None),
            Ends::Both(s, e) => (Some(s), Some(e)),
        }
    }
}

/// Pairs of ends that symmetries map to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndClass {
    /// One pair of the class.
    pub ends: [Square; 2],
    /// How many pairs there are in it.
    pub pairs: u64,
    /// Undirected tours between two such ends.
    pub tours: BigUint,
}

impl Count {
    /// Squares up to symmetry, each with all that are alike.
    pub(super) fn squares_alike(&self) -> Vec<Vec<Square>> {
        let maps = Symmetry::maps(&self.graph);
        let mut seen = vec![false; self.graph.len()];
        let mut classes = Vec::new();
        for square in self.graph.vertices() {
            if !seen[square.index()] {
                let mut alike: Vec<Square> = maps.iter().map(|m| m[square.index()]).collect();
                alike.sort_unstable();
                alike.dedup();
                alike.iter().for_each(|&s| seen[s.index()] = true);
                classes.push(alike);
            }
        }
        classes
    }

    /// Pairs of ends up to symmetry, without those that no tour can have; counts still to be made.
    /// For closed tours the ends are joined by a move.
    pub fn end_classes(&self, watch: &CountMonitor) -> Result<Vec<EndClass>, CountError> {
        if self.impossible(Ends::Free).is_some() {
            return Ok(Vec::new());
        }
        // Where there is no counting, ends may be very many.
        self.check_size()?;
        let maps = Symmetry::maps(&self.graph);
        let mut classes = Vec::new();
        let squares: Vec<Square> = self.graph.vertices().collect();
        for (index, &s) in squares.iter().enumerate() {
            watch.poll().map_err(|stop| self.stopped(stop, watch))?;
            for &e in &squares[index + 1..] {
                let mut images: Vec<[Square; 2]> = maps
                    .iter()
                    .map(|m| {
                        let (a, b) = (m[s.index()], m[e.index()]);
                        [a.min(b), a.max(b)]
                    })
                    .collect();
                images.sort_unstable();
                images.dedup();
                if images[0] == [s, e] && self.impossible(Ends::Both(s, e)).is_none() {
                    if classes.is_empty() {
                        self.plan_for(&self.task(Ends::Both(s, e)))?;
                    }
                    let pairs = images.len() as u64;
                    classes.push(EndClass { ends: [s, e], pairs, tours: BigUint::ZERO });
                }
            }
        }
        Ok(classes)
    }

    pub(super) fn break_down_by_start(
        &self,
        counted: &mut Counted,
        watch: &CountMonitor,
    ) -> Result<(), CountError> {
        let mut all = Vec::new();
        for alike in self.squares_alike() {
            let tours = match (self.kind, &counted.directed) {
                // Every cycle passes every square, in two directions.
                (CountKind::Closed, Some(directed)) => directed.clone(),
                _ => self.undirected(Ends::One(alike[0]), watch)?.0,
            };
            all.extend(alike.into_iter().map(|square| (square, tours.clone())));
        }
        all.sort_unstable_by_key(|row| row.0);
        if let (CountKind::Open, Some(directed)) = (self.kind, &counted.directed) {
            let sum: BigUint = all.iter().map(|row| &row.1).sum();
            agree(
                counted.checks.as_mut(),
                "starts",
                "the counts from each square",
                &sum,
                directed,
            )?;
        }
        counted.by_start = Some(all);
        Ok(())
    }

    pub(super) fn break_down_by_ends(
        &self,
        counted: &mut Counted,
        watch: &CountMonitor,
    ) -> Result<(), CountError> {
        let mut classes = self.end_classes(watch)?;
        for class in &mut classes {
            let [s, e] = class.ends;
            class.tours = self.undirected(Ends::Both(s, e), watch)?.0;
        }
        let sum: BigUint = classes.iter().map(|class| &class.tours * class.pairs).sum();
        if self.kind == CountKind::Closed {
            // Every cycle has as many moves as squares.
            let moves = &counted.undirected * self.graph.order();
            agree(&mut counted.checks, "moves", "the cycles through each move", &sum, &moves)?;
        } else if self.graph.order() > 1 {
            let total = &counted.undirected;
            agree(&mut counted.checks, "ends", "the counts between each two ends", &sum, total)?;
        }
        counted.by_ends = Some(classes);
        Ok(())
    }
}

impl Count {
    /// The count of open tours as the sum of all classes of ends, each counted apart; checked as a whole.
    pub fn sum_up(
        &self,
        classes: Vec<EndClass>,
        watch: &CountMonitor,
    ) -> Result<Counted, CountError> {
        // Nothing to add up: one square, or a theorem.
        if classes.is_empty() {
            return self.run(watch);
        }
        let undirected = classes.iter().map(|class| &class.tours * class.pairs).sum();
        let mut counted = Counted {
            directed: Some(self.directed(&undirected)),
            undirected,
            method: "classes of ends",
            reason: None,
            checks: Vec::new(),
            by_start: None,
            by_ends: None,
            classes: None,
        };
        self.check_orbits(&mut counted, watch)?;
        self.check_cycles(&mut counted, &classes, watch)?;
        counted.by_ends = Some(classes);
        Ok(counted)
    }

    /// A cycle without one of its moves is a tour whose ends a move joins.
    fn check_cycles(
        &self,
        counted: &mut Counted,
        classes: &[EndClass],
        watch: &CountMonitor,
    ) -> Result<(), CountError> {
        let is_joined = |c: &&EndClass| self.graph.neighbours(c.ends[0]).any(|n| n == c.ends[1]);
        let joined = classes.iter().filter(is_joined).map(|class| &class.tours * class.pairs);
        let sum: BigUint = joined.sum();
        if self.graph.order() <= 2 {
            return Ok(());
        }
        let closed = Count { kind: CountKind::Closed, ..self.clone() };
        let cycles = closed.undirected(Ends::Free, watch)?.0 * self.graph.order();
        agree(
            &mut counted.checks,
            "cycles",
            "the tours between ends that a move joins, which are the cycles without a move,",
            &sum,
            &cycles,
        )
    }
}

/// Notes that two numbers agree, or fails.
pub(super) fn agree(
    checks: &mut Vec<Check>,
    name: &'static str,
    what: &str,
    one: &BigUint,
    other: &BigUint,
) -> Result<(), CountError> {
    if one != other {
        return Err(CountError::Check(format!("{what} add up to {one}, not to {other}")));
    }
    checks.push(Check { name, detail: format!("{what} add up to {one}") });
    Ok(())
}
