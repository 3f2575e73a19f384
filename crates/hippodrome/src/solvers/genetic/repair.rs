//! What is done where a chromosome comes to an impasse: its gene leads off the board or onto a square
//! visited before.

use super::chromosome::{Field, Gene};
use super::heuristic::Fewest;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Finds the next move: the one a gene stands for, or another where that leads nowhere.
pub(super) trait Mend {
    /// A gene that leads from `place` into `free`, and where; `None` to end the path. `wanted` is the
    /// chromosome's own gene, which is kept if it does.
    fn mend<F: Field>(
        &self,
        field: &F,
        free: &F::Set,
        place: u32,
        wanted: Gene,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<(Gene, u32)>;
}

/// Which way it is done.
pub(super) enum Mending {
    Leave,
    Lowest,
    Fewest(Fewest),
}

/// Not at all: the path ends there.
pub(super) struct Leave;

/// Gordon & Slocum's repair: the other genes are tried in the order 000, 001, ….
pub(super) struct Lowest;

impl Mend for Leave {
    #[inline(always)]
    fn mend<F: Field>(
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

impl Mend for Lowest {
    #[inline(always)]
    fn mend<F: Field>(
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
