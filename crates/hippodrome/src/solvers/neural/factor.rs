//! 2-factors: states of rest in which every vertex has what it wants. Cycles, and a path where ends
//! are fixed.

use crate::solvers::two_factor::{FactorGraph, NONE};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The neighbours of each vertex along its active neurons; [`NONE`] beyond the ends of a path.
pub(super) struct TwoFactor {
    pub mates: Vec<[u32; 2]>,
}

impl TwoFactor {
    /// The factor of some active neurons, if every vertex has what it wants.
    pub fn new(graph: &FactorGraph, active: &[u32]) -> Option<TwoFactor> {
        let mut mates = vec![[NONE; 2]; graph.order()];
        for &neuron in active {
            let [a, b] = graph.ends[neuron as usize];
            for (v, mate) in [(a, b), (b, a)] {
                *mates[v as usize].iter_mut().find(|m| **m == NONE)? = mate;
            }
        }
        let number = |m: &[u32; 2]| m.iter().filter(|&&v| v != NONE).count() as u8;
        mates.iter().zip(&graph.wants).all(|(m, &w)| number(m) == w).then_some(TwoFactor { mates })
    }

    /// The vertices from `start` on, in a direction by chance where there are two.
    pub fn walk(&self, start: u32, rng: &mut Xoshiro256PlusPlus) -> Vec<u32> {
        let way = rng.random_range(0..2);
        let [one, other] = self.mates[start as usize];
        let second = if other == NONE || way == 0 { one } else { other };
        self.along(start, second)
    }

    /// The vertices from `start` on by way of `second`, to the end of the path or round the cycle.
    pub fn along(&self, start: u32, second: u32) -> Vec<u32> {
        let mut walk = vec![start];
        let (mut last, mut here) = (start, second);
        while here != NONE && here != start {
            walk.push(here);
            let [one, other] = self.mates[here as usize];
            (last, here) = (here, if one == last { other } else { one });
        }
        walk
    }

    /// Puts `new` in the place of a vertex's mate `old`.
    pub fn replace(&mut self, v: u32, old: u32, new: u32) {
        let mates = &mut self.mates[v as usize];
        mates[usize::from(mates[0] != old)] = new;
    }

    /// Exchanges the edges of a closed trail: the first goes, the second comes, and so on in turn.
    pub fn exchange(&mut self, trail: &[u32]) {
        let len = trail.len();
        for (at, &v) in trail.iter().enumerate() {
            let (after, before) = (trail[(at + 1) % len], trail[(at + len - 1) % len]);
            let (old, new) = if at % 2 == 0 { (after, before) } else { (before, after) };
            self.replace(v, old, new);
        }
    }
}
