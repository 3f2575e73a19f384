//! Classes of ends. Ends that a symmetry maps to each other have equal counts.

use super::checks::{Checker, agree};
use super::ends_plan::EndsPlan;
use super::fixed_ends::FixedEnds;
use super::{BigUint, Count, CountError, CountKind, CountMonitor, Counted};
use crate::board::{Square, Symmetry};

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

// Part of `Count` kept beside `EndClass`, which only it makes.
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
        // On a board that is too wide there would be very many pairs.
        let fits = |ends, first: bool| match first {
            true => self.planned(self.task(ends)).map(|_| ()),
            false => Ok(()),
        };
        Ok(self.end_classes_with(watch, fits)?.into_iter().map(|(class, ())| class).collect())
    }

    /// The same, each with what is made of it; told whether it is the first.
    pub(super) fn end_classes_with<T>(
        &self,
        watch: &CountMonitor,
        made: impl Fn(FixedEnds, bool) -> Result<T, CountError>,
    ) -> Result<Vec<(EndClass, T)>, CountError> {
        if self.impossible(FixedEnds::Free).is_some() {
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
        let mut counted = self.counted(undirected, "classes of ends", None);
        Checker { count: self, counted: &mut counted, watch }.orbits()?;
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
        let cycles =
            EndsPlan::new(&closed, FixedEnds::Free)?.count(&closed, watch)?.0 * self.graph.order();
        agree(
            &mut counted.checks,
            "cycles",
            "the tours between ends that a move joins, which are the cycles without a move,",
            &sum,
            &cycles,
        )
    }
}
