//! 2-factors: edges that give every vertex its target degree. A 2-factor consists of cycles, plus
//! one path if the ends are fixed.

use super::{FactorGraph, NONE};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The neighbours of each vertex along the edges of the factor; [`NONE`] beyond the ends of a path.
pub(crate) struct TwoFactor {
    pub mates: Vec<[u32; 2]>,
}

impl TwoFactor {
    /// Builds the factor with the given edges; `None` if a vertex misses its target degree.
    pub fn new(graph: &FactorGraph, edges: &[u32]) -> Option<TwoFactor> {
        let mut mates = vec![[NONE; 2]; graph.order()];
        for &edge in edges {
            let [a, b] = graph.ends[edge as usize];
            for (v, mate) in [(a, b), (b, a)] {
                *mates[v as usize].iter_mut().find(|m| **m == NONE)? = mate;
            }
        }
        let number = |m: &[u32; 2]| m.iter().filter(|&&v| v != NONE).count() as u8;
        mates
            .iter()
            .zip(&graph.targets)
            .all(|(m, &w)| number(m) == w)
            .then_some(TwoFactor { mates })
    }

    /// Returns the number of cycles; a path counts as one.
    pub fn cycles(&self) -> u64 {
        let (mut seen, mut cycles) = (vec![false; self.mates.len()], 0);
        // The path comes first, from one of its ends.
        let end = self.mates.iter().position(|mates| mates[1] == NONE);
        for v in end.into_iter().chain(0..self.mates.len()) {
            if !seen[v] {
                cycles += 1;
                let walk = self.along(v as u32, self.mates[v][0]);
                walk.iter().for_each(|&w| seen[w as usize] = true);
            }
        }
        cycles
    }

    /// Walks from `start` along the cycle or path, in a random direction if there are two.
    pub fn walk(&self, start: u32, rng: &mut Xoshiro256PlusPlus) -> Vec<u32> {
        let way = rng.random_range(0..2);
        let [one, other] = self.mates[start as usize];
        let second = if other == NONE || way == 0 { one } else { other };
        self.along(start, second)
    }

    /// Walks from `start` through `second` to the end of the path or around the cycle.
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

    /// Replaces the neighbour `old` of a vertex with `new`.
    pub fn replace(&mut self, v: u32, old: u32, new: u32) {
        let mates = &mut self.mates[v as usize];
        mates[usize::from(mates[0] != old)] = new;
    }

    /// Alternately drops and adds the edges of a closed trail, beginning with a drop.
    pub fn exchange(&mut self, trail: &[u32]) {
        let len = trail.len();
        for (at, &v) in trail.iter().enumerate() {
            let (after, before) = (trail[(at + 1) % len], trail[(at + len - 1) % len]);
            let (old, new) = if at % 2 == 0 { (after, before) } else { (before, after) };
            self.replace(v, old, new);
        }
    }
}
