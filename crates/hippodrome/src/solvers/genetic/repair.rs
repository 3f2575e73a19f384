//! Repair at an impasse, where a gene leads off the board or onto a visited square.

use super::chromosome::{Gene, GeneGraph};
use super::heuristic::FewestMoves;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cell::Cell;

/// A rule for the next move: the move of the gene, or a replacement if that is illegal.
pub(super) trait Repair {
    /// Returns a gene that leads from `place` into `free`, and its target; `None` ends the path.
    /// `wanted` is the gene of the chromosome, which is kept if it is legal.
    fn next_move<F: GeneGraph>(
        &self,
        field: &F,
        free: &F::Set,
        place: u32,
        wanted: Gene,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<(Gene, u32)>;

    /// Returns the number of genes replaced since the last call, if they are counted.
    fn take_count(&self) -> Option<u64> {
        None
    }
}

/// A repair that counts the genes it replaces, for runs that are watched.
pub(super) struct CountedRepair<'m, M> {
    repair: &'m M,
    replaced: Cell<u64>,
}

impl<'m, M> CountedRepair<'m, M> {
    pub(super) fn new(repair: &'m M) -> CountedRepair<'m, M> {
        CountedRepair { repair, replaced: Cell::new(0) }
    }
}

impl<M: Repair> Repair for CountedRepair<'_, M> {
    fn next_move<F: GeneGraph>(
        &self,
        field: &F,
        free: &F::Set,
        place: u32,
        wanted: Gene,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<(Gene, u32)> {
        let found = self.repair.next_move(field, free, place, wanted, rng);
        let replaces = found.is_some_and(|(gene, _)| gene != wanted);
        self.replaced.set(self.replaced.get() + u64::from(replaces));
        found
    }

    fn take_count(&self) -> Option<u64> {
        Some(self.replaced.take())
    }
}

/// The repair of a solver.
pub(super) enum RepairRule {
    Leave,
    Lowest,
    Fewest(FewestMoves),
}

/// No repair: the path ends at an impasse.
pub(super) struct NoRepair;

/// Gordon & Slocum's repair: the other genes are tried in the order 000, 001, ….
pub(super) struct LowestGene;

impl Repair for NoRepair {
    #[inline(always)]
    fn next_move<F: GeneGraph>(
        &self,
        field: &F,
        free: &F::Set,
        place: u32,
        wanted: Gene,
        _: &mut Xoshiro256PlusPlus,
    ) -> Option<(Gene, u32)> {
        let to = field.target(place, wanted);
        F::has(free, to).then_some((wanted, to))
    }
}

impl Repair for LowestGene {
    #[inline(always)]
    fn next_move<F: GeneGraph>(
        &self,
        field: &F,
        free: &F::Set,
        place: u32,
        wanted: Gene,
        _: &mut Xoshiro256PlusPlus,
    ) -> Option<(Gene, u32)> {
        field.lowest(free, place, wanted)
    }
}
