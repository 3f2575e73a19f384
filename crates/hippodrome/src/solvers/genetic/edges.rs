//! Edge recombination: a child inherits moves of its parents, regardless of their position in the
//! path.
//!
//! The neighbours of a square are the squares before and after it in either parent. The child's knight moves
//! to the free neighbour that itself has the fewest free neighbours; ties are broken at random. If no
//! neighbour is free, it moves to a random free square that is one move away. If there is none, the child's
//! remaining genes come from a parent.
//! Source: Whitley, Starkweather & Shaner (1991), named as future work by Gordon & Slocum.
//! Departure: the original is for complete graphs, where any city may come next if no edge is left;
//! here the next square must be a move away.

use super::chromosome::{Gene, GeneGraph};
use super::operators::least;
use rand::{Rng, RngExt};

/// The neighbours in both parents: at most two in each.
pub(super) struct Edges {
    near: Vec<[u32; 4]>,
    count: Vec<u8>,
}

/// Number of moves of the children, and how many of them a parent also makes, in either direction.
#[derive(Clone, Copy, Default)]
pub(super) struct Heritage {
    pub(super) moves: u64,
    pub(super) inherited: u64,
}

impl Edges {
    pub(super) fn new(places: usize) -> Edges {
        Edges { near: vec![[0; 4]; places], count: vec![0; places] }
    }

    fn list(&self, place: u32) -> &[u32] {
        &self.near[place as usize][..usize::from(self.count[place as usize])]
    }

    fn add(&mut self, from: u32, to: u32) {
        if !self.list(from).contains(&to) {
            let count = &mut self.count[from as usize];
            self.near[from as usize][usize::from(*count)] = to;
            *count += 1;
        }
    }

    /// Replaces the known moves by those of two paths.
    pub(super) fn learn(&mut self, paths: [&[u32]; 2]) {
        self.count.fill(0);
        for pair in paths.into_iter().flat_map(|path| path.windows(2)) {
            self.add(pair[0], pair[1]);
            self.add(pair[1], pair[0]);
        }
    }

    /// Overwrites `genes` with a child that starts on `place`.
    pub(super) fn breed<F: GeneGraph>(
        &self,
        field: &F,
        free: &mut F::Set,
        mut place: u32,
        genes: &mut [Gene],
        rng: &mut impl Rng,
    ) -> Heritage {
        let mut heritage = Heritage::default();
        field.reset(free, &[place]);
        let last = genes.len() - 1;
        for gene in &mut genes[..last] {
            let inherited = self.fewest::<F>(free, place, rng);
            let Some(to) = inherited.or_else(|| any(field, free, place, rng)) else { break };
            heritage.moves += 1;
            heritage.inherited += u64::from(inherited.is_some());
            *gene = field.gene(place, to).unwrap_or(0);
            F::take(free, to);
            place = to;
        }
        heritage
    }

    /// Chooses among the free neighbours of `place` in a parent one that itself has the fewest free
    /// neighbours.
    fn fewest<F: GeneGraph>(&self, free: &F::Set, place: u32, rng: &mut impl Rng) -> Option<u32> {
        let left = |place: u32| self.list(place).iter().filter(|&&to| F::has(free, to)).count();
        let free_ones = self.list(place).iter().copied().filter(|&to| F::has(free, to));
        pick(free_ones.map(|to| (left(to), to)), rng)
    }
}

fn any<F: GeneGraph>(field: &F, free: &F::Set, place: u32, rng: &mut impl Rng) -> Option<u32> {
    let near = (0..field.genes(place)).map(|gene| field.target(place, gene));
    pick(near.filter(|&to| F::has(free, to)).map(|to| (0, to)), rng)
}

/// Chooses at random among the items with the smallest number.
fn pick(from: impl Iterator<Item = (usize, u32)>, rng: &mut impl Rng) -> Option<u32> {
    least(from, |equals| rng.random_range(0..equals) == 0)
}
