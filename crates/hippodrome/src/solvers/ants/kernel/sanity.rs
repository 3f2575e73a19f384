//! Checks that the kernel's field and ants agree with the graph, and that the vector code agrees with the
//! plain code.

use super::portable::{self, prefix_sums};
use super::{Ants, EDGES, FAINT, Kernel, MAX, PheromoneField, RandomStream};
use crate::solvers::sanity::ensure;

/// The state before a cycle: the field, the ants on their start squares, and the stream of random numbers
/// they draw from.
pub(super) type Snapshot = (Box<PheromoneField>, Box<Ants>, RandomStream);

// Checks for debug builds, kept separate from the kernel.
impl Kernel {
    /// Checks a kernel before its first cycle or after any cycle. The cost is that of a few cycles.
    ///
    /// 1. The k-th edge of a vertex leads to its k-th neighbour in the order of their numbers. Padding edges
    ///    and all edges of the second half lead back to their vertex and have neither pheromone nor weight.
    /// 2. Pheromone is finite and not negative. Each weight is 0 or at least [`FAINT`]. The prefix sums of
    ///    the weights ascend and add up, within the precision of f32.
    /// 3. All ants have ended, and they are sorted by their number of moves. Each ant began on its start
    ///    square, made moves of the graph to squares it had not visited, and ended where no such move is
    ///    left.
    pub(super) fn sanity(&self) -> Result<(), String> {
        self.check_edges()?;
        self.check_amounts()?;
        self.check_paths()
    }

    fn check_edges(&self) -> Result<(), String> {
        let PheromoneField { attacks, to, level, weight, n, .. } = &*self.field;
        ensure!(*attacks == self.bits.attacks && *n == self.bits.n, "another graph");
        for v in 0..MAX {
            let near = (0..MAX).filter(|&w| attacks[v] >> w & 1 == 1);
            let mutual = near.clone().all(|w| w != v && attacks[w] >> v & 1 == 1);
            ensure!(mutual, "a move from {v} does not lead back");
            let expected = near.map(Some).chain(std::iter::repeat(None));
            for (edge, near) in (8 * v..8 * v + 8).zip(expected) {
                let there = usize::from(to[edge]);
                ensure!(there == 8 * near.unwrap_or(v), "edge {edge} leads to {there}");
                let empty = level[edge] == 0.0 && weight[edge] == 0.0;
                ensure!(near.is_some() || empty, "edge {edge} leads nowhere and holds pheromone");
            }
        }
        for edge in EDGES..2 * EDGES {
            let stays = usize::from(to[edge]) == (edge - EDGES) / 8 * 8;
            ensure!(stays && level[edge] == 0.0, "edge {edge} of the second half is in use");
        }
        Ok(())
    }

    fn check_amounts(&self) -> Result<(), String> {
        let PheromoneField { level, weight, .. } = &*self.field;
        for (edge, level) in level.iter().enumerate() {
            ensure!(level.is_finite() && *level >= 0.0, "edge {edge} holds {level}");
        }
        for (vertex, row) in weight.as_chunks::<8>().0.iter().enumerate() {
            let sound = |&w: &f32| w == 0.0 || (w.is_finite() && f64::from(w) >= FAINT);
            ensure!(row.iter().all(sound), "weights of {vertex}: {row:?}");
            let (sums, sum) = prefix_sums(*row);
            let (mut exact, all) = (0.0, sums.iter().chain([&sum]));
            for (&weight, &sum) in row.iter().zip(all.clone()) {
                exact += f64::from(weight);
                let near = (f64::from(sum) - exact).abs() <= 8.0 * f64::from(f32::EPSILON) * exact;
                ensure!(near, "prefix sums of {vertex}: {sums:?}");
            }
            ensure!(all.is_sorted(), "prefix sums of {vertex} descend: {sums:?}");
        }
        Ok(())
    }

    fn check_paths(&self) -> Result<(), String> {
        let (field, ants) = (&self.field, &self.ants);
        ensure!(ants.filled == 0 && ants.ended <= MAX, "{} ants have ended", ants.ended);
        let ends = &ants.ends[..ants.ended];
        ensure!(ends.is_sorted_by_key(|end| end.moves), "ends are out of order");
        let mut edges = vec![[0; MAX]; ends.len()];
        ants.retrace(0, |ant, step, edge| edges[ant][step] = edge);
        let mut starts = Vec::new();
        for (ant, (end, edges)) in ends.iter().zip(&edges).enumerate() {
            let moves = usize::from(end.moves);
            let mut free = self.bits.all();
            let mut here = edges[0] / 8;
            starts.push(here as u8);
            for &edge in &edges[..moves] {
                free &= !(1 << here);
                let to = usize::from(field.to[edge]) / 8;
                let legal = edge / 8 == here && field.attacks[here] & free & 1 << to != 0;
                ensure!(legal, "ant {ant} goes from {here} by edge {edge}");
                here = to;
            }
            let left = field.attacks[here] & free & !(1 << here);
            ensure!(left == 0 && edges[moves] / 8 == here, "ant {ant} ended on {here}, not stuck");
        }
        let mut expected = self.starts[..ends.len().min(self.starts.len())].to_vec();
        starts.sort_unstable();
        expected.sort_unstable();
        ensure!(starts == expected, "ants began on {starts:?}");
        Ok(())
    }

    /// Returns a copy of the state before a cycle.
    pub(super) fn snapshot(&self, stream: &RandomStream) -> Snapshot {
        (self.field.clone(), self.ants.clone(), stream.clone())
    }

    /// Checks that the plain code computes the same cycle, bit by bit.
    pub(super) fn agrees(
        &self,
        (mut field, mut ants, mut stream): Snapshot,
        after: &RandomStream,
    ) -> Result<(), String> {
        portable::cycle(&mut field, &mut ants, &mut stream);
        let bits = |level: &[f64]| level.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        ensure!(bits(&field.level) == bits(&self.field.level), "plain code lays other pheromone");
        ensure!(ants.path == self.ants.path, "plain code takes other edges");
        ensure!(stream.state == after.state, "plain code draws other random words");
        Ok(())
    }
}
