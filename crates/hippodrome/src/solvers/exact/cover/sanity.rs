//! Checks a path cover against its undo steps.

use super::{PathCover, UndoStep};
use crate::solvers::sanity::ensure;

// Checks for debug builds, kept separate from the cover.
impl PathCover {
    /// Checks a cover that is neither closed nor dead. The undo steps determine the whole state, so
    /// a check after [`back_to`](PathCover::back_to) shows that undoing restored it. Cost: O(V + E
    /// + steps).
    ///
    /// 1. The row of a vertex contains each of its darts once, and `place` is the index.
    /// 2. The number of darts that a vertex has lost equals the number of steps that dropped one.
    /// 3. The chosen edges are those of the steps; they determine the links, in both directions, and
    ///    the need of each vertex.
    /// 4. The two ends of a path are each other's mates; a vertex without a path is its own mate.
    /// 5. A possible dart of a vertex with a need leads to another such vertex, and its reverse is possible.
    /// 6. No possible edge joins the two ends of a path: it would close a short cycle.
    pub(in super::super) fn sanity(&self) -> Result<(), String> {
        ensure!(!self.closed, "the cycle is closed");
        self.check_rows()?;
        self.check_links()?;
        self.check_mates()?;
        for v in (0..self.order() as u32).filter(|&v| self.vertices[v as usize].need > 0) {
            for &dart in self.darts(v) {
                let w = self.head(dart);
                let open = self.vertices[w as usize].need > 0;
                ensure!(open && self.is_possible(dart), "possible edge {v}-{w} is one-sided");
                let mate = self.vertices[v as usize].mate;
                ensure!(w != mate, "possible edge {v}-{w} closes a short cycle");
            }
        }
        Ok(())
    }

    /// Returns the cost of a check, measured in steps.
    #[cfg(debug_assertions)]
    pub(in super::super) fn size(&self) -> u64 {
        (self.order() + self.cells.len() + self.steps.len()) as u64
    }

    fn check_rows(&self) -> Result<(), String> {
        let mut dropped = vec![0; self.order()];
        self.touched(0).for_each(|v| dropped[v as usize] += 1);
        let ends = self.vertices[1..].iter().map(|v| v.row).chain([self.cells.len() as u32]);
        for (v, (vertex, end)) in (0..).zip(self.vertices.iter().zip(ends)) {
            let at = vertex.row as usize..end as usize;
            for (place, &dart) in at.clone().zip(&self.cells[at.clone()]) {
                ensure!(self.head(dart ^ 1) == v, "dart {dart} is in the row of {v}");
                let known = self.place[dart as usize] as usize;
                ensure!(known == place, "dart {dart} is at {place}, not at {known}");
            }
            let left = (at.len() as u32).checked_sub(dropped[v as usize]);
            ensure!(left == Some(vertex.degree), "vertex {v} has degree {}", vertex.degree);
        }
        Ok(())
    }

    fn check_links(&self) -> Result<(), String> {
        let mut chosen = vec![Vec::new(); self.order()];
        let mut count = 0;
        for step in &self.steps {
            if let UndoStep::Choose(dart) = *step {
                let (u, v) = (self.head(dart ^ 1), self.head(dart));
                chosen[u as usize].push(v);
                chosen[v as usize].push(u);
                count += 1;
            }
        }
        ensure!(count == self.chosen, "{count} edges are chosen, not {}", self.chosen);
        for (v, chosen) in (0..).zip(&chosen) {
            let need = self.vertices[v as usize].need as usize;
            ensure!(need + chosen.len() == 2, "vertex {v} needs {need} more than {chosen:?}");
            ensure!(self.links(v) == chosen, "vertex {v} is linked to {:?}", self.links(v));
        }
        Ok(())
    }

    fn check_mates(&self) -> Result<(), String> {
        for v in (0..self.order() as u32).filter(|&v| self.vertices[v as usize].need > 0) {
            let (mut before, mut end) = (v, v);
            while let Some(next) = self.onward(before, end) {
                ensure!(next != v, "the path of {v} is a cycle");
                (before, end) = (end, next);
            }
            let mate = self.vertices[v as usize].mate;
            ensure!(mate == end, "the path from {v} ends in {end}, not in {mate}");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Creates the cover of the knight's graph on 5x6.
    fn cover() -> PathCover {
        let squares = (0..30u32).flat_map(|u| (u..30).map(move |v| [u, v]));
        let is_move = |&[u, v]: &[u32; 2]| {
            let (rows, cols) = ((u / 6).abs_diff(v / 6), (u % 6).abs_diff(v % 6));
            rows * cols == 2
        };
        PathCover::new(30, 30, &squares.filter(is_move).collect::<Vec<_>>())
    }

    /// Returns a possible dart at random.
    fn some_dart(cover: &PathCover, rng: &mut Xoshiro256PlusPlus) -> u32 {
        let open = |&v: &u32| cover.vertices[v as usize].need > 0;
        let open: Vec<u32> = (0..30).filter(open).collect();
        *cover.darts(*open.choose(rng).unwrap()).choose(rng).unwrap()
    }

    /// Degree, need, mate if there is one, links, and the possible darts in order.
    type Seen = (u32, u32, Option<u32>, Vec<u32>, Vec<u32>);

    /// Returns the visible state of each vertex.
    fn seen(cover: &PathCover) -> Vec<Seen> {
        let of = |v: u32| {
            let vertex = &cover.vertices[v as usize];
            let mut darts = cover.darts(v).to_vec();
            darts.sort_unstable();
            let mate = Some(vertex.mate).filter(|_| vertex.need > 0);
            (vertex.degree, vertex.need, mate, cover.links(v).to_vec(), darts)
        };
        (0..30).map(of).collect()
    }

    #[test]
    fn undoing_restores_every_earlier_state() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut undone = 0;
        for _ in 0..200 {
            let mut cover = cover();
            let mut stack = vec![(0, seen(&cover))];
            for _ in 0..40 {
                let (mark, take) = (cover.mark(), rng.random_bool(0.6));
                let before = seen(&cover);
                let dart = some_dart(&cover, &mut rng);
                if cover.decide(dart, take).is_ok() && !cover.is_closed() {
                    assert_eq!(cover.sanity(), Ok(()));
                    stack.push((mark, before));
                    continue;
                }
                let back = rng.random_range(0..stack.len());
                cover.back_to(mark);
                assert_eq!(seen(&cover), before);
                while stack.len() > back + 1 {
                    let (mark, before) = stack.pop().unwrap();
                    cover.back_to(mark);
                    assert_eq!(seen(&cover), before);
                    undone += 1;
                }
                assert_eq!(cover.sanity(), Ok(()));
            }
        }
        assert!(undone > 500, "{undone}");
    }

    #[test]
    fn planted_faults_are_found() {
        let mut sound = cover();
        let path = [(0, 8), (8, 12)];
        for (u, v) in path {
            let dart = sound.between(u, v).unwrap();
            assert!(sound.decide(dart, true).is_ok());
        }
        assert_eq!(sound.sanity(), Ok(()));
        type Fault = fn(&mut PathCover);
        let faults: [(Fault, &str); 8] = [
            (|c| c.cells.swap(0, 1), "dart"),
            (|c| c.place[5] += 1, "dart"),
            (|c| c.vertices[20].degree -= 1, "degree"),
            (|c| c.steps.push(UndoStep::Drop(20)), "degree"),
            (|c| c.chosen += 1, "chosen"),
            (|c| c.vertices[20].need = 1, "needs"),
            (|c| c.link[8] = [12, 13], "linked"),
            (|c| c.vertices[0].mate = 0, "ends in"),
        ];
        for (fault, named) in faults {
            let mut broken = sound.clone();
            fault(&mut broken);
            let found = broken.sanity().unwrap_err();
            assert!(found.contains(named), "{found}");
        }
        // Record a step that drops only one side of an edge.
        let dart = sound.darts(20)[0];
        sound.swap_out(dart);
        assert!(sound.sanity().unwrap_err().contains("one-sided"));
    }
}
