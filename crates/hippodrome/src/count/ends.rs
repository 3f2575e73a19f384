//! Classes of pairs of ends. Pairs that a symmetry maps to each other have equal counts.

use super::checks::{Checker, agree};
use super::ends_plan::EndsPlan;
use super::fixed_ends::FixedEnds;
use super::{BigUint, Count, CountError, CountKind, CountMonitor, Counted};
use crate::board::{Square, Symmetry};

/// A class of pairs of ends that symmetries map to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndClass {
    /// One pair of the class.
    pub ends: [Square; 2],
    /// Number of pairs in the class.
    pub pairs: u64,
    /// Number of undirected tours between the ends of one pair.
    pub tours: BigUint,
}

// These methods of `Count` make and use `EndClass`.
impl Count {
    /// Groups the squares into classes of equivalent squares.
    pub(super) fn square_classes(&self) -> Vec<Vec<Square>> {
        let maps = Symmetry::maps(&self.graph);
        let mut seen = vec![false; self.graph.len()];
        let mut classes = Vec::new();
        for square in self.graph.vertices() {
            if !seen[square.index()] {
                let mut equivalent: Vec<Square> = maps.iter().map(|m| m[square.index()]).collect();
                equivalent.sort_unstable();
                equivalent.dedup();
                equivalent.iter().for_each(|&s| seen[s.index()] = true);
                classes.push(equivalent);
            }
        }
        classes
    }

    /// Lists the classes of pairs of ends that a tour can have, without their counts. For closed tours, the
    /// ends are joined by a move.
    pub fn end_classes(&self, monitor: &CountMonitor) -> Result<Vec<EndClass>, CountError> {
        // Fail early on a board that is too wide: it would have very many pairs.
        let fits = |ends, first: bool| match first {
            true => self.planned(self.task(ends)).map(|_| ()),
            false => Ok(()),
        };
        Ok(self.end_classes_with(monitor, fits)?.into_iter().map(|(class, ())| class).collect())
    }

    /// Lists the same classes, each with the result of `made`, which is called with the ends and with whether
    /// the class is the first.
    pub(super) fn end_classes_with<T>(
        &self,
        monitor: &CountMonitor,
        made: impl Fn(FixedEnds, bool) -> Result<T, CountError>,
    ) -> Result<Vec<(EndClass, T)>, CountError> {
        if self.impossible(FixedEnds::Free).is_some() {
            return Ok(Vec::new());
        }
        // A board too large to count would have very many pairs.
        self.check_size()?;
        let maps = Symmetry::maps(&self.graph);
        let mut classes = Vec::new();
        let squares: Vec<Square> = self.graph.vertices().collect();
        for (index, &s) in squares.iter().enumerate() {
            for &e in &squares[index + 1..] {
                monitor.poll().map_err(|stop| self.stopped(stop, monitor))?;
                let mut images: Vec<[Square; 2]> = maps
                    .iter()
                    .map(|m| {
                        let (a, b) = (m[s.index()], m[e.index()]);
                        [a.min(b), a.max(b)]
                    })
                    .collect();
                images.sort_unstable();
                images.dedup();
                if images[0] == [s, e] && self.impossible(FixedEnds::Both(s, e)).is_none() {
                    let made = made(FixedEnds::Both(s, e), classes.is_empty())?;
                    let pairs = images.len() as u64;
                    let class = EndClass { ends: [s, e], pairs, tours: BigUint::ZERO };
                    classes.push((class, made));
                }
            }
        }
        Ok(classes)
    }

    /// Counts open tours by adding up the counts of all classes of ends, and checks the sum.
    pub fn sum_up(
        &self,
        classes: Vec<EndClass>,
        monitor: &CountMonitor,
    ) -> Result<Counted, CountError> {
        // Without classes the board has one square, or a theorem gives the answer.
        if classes.is_empty() {
            return self.run(monitor);
        }
        let undirected = classes.iter().map(|class| &class.tours * class.pairs).sum();
        let mut counted = self.counted(undirected, "classes of ends", None);
        Checker { count: self, counted: &mut counted, monitor }.orbits()?;
        self.check_cycles(&mut counted, &classes, monitor)?;
        counted.by_ends = Some(classes);
        Ok(counted)
    }

    /// Checks the number of tours whose ends are joined by a move: each such tour is a cycle without one of
    /// its moves.
    fn check_cycles(
        &self,
        counted: &mut Counted,
        classes: &[EndClass],
        monitor: &CountMonitor,
    ) -> Result<(), CountError> {
        let is_joined = |c: &&EndClass| self.graph.neighbours(c.ends[0]).any(|n| n == c.ends[1]);
        let joined = classes.iter().filter(is_joined).map(|class| &class.tours * class.pairs);
        let sum: BigUint = joined.sum();
        if self.graph.order() <= 2 {
            return Ok(());
        }
        let closed = Count { kind: CountKind::Closed, ..self.clone() };
        let cycles = EndsPlan::new(&closed, FixedEnds::Free)?.count(&closed, monitor)?.0
            * self.graph.order();
        agree(
            &mut counted.checks,
            "cycles",
            "the tours whose ends a move joins (cycles without one move)",
            &sum,
            &cycles,
        )
    }
}
