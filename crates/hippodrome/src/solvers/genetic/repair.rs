//! Repair at an impasse, where a gene leads off the board or onto a visited square.

use super::chromosome::{Gene, GeneGraph};
use super::heuristic::FewestMoves;
use rand_xoshiro::Xoshiro256PlusPlus;

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
