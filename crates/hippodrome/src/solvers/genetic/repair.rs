//! What is done where a chromosome comes to an impasse: its gene leads off the board or onto a square
//! visited before.

use super::chromosome::{Field, Gene};
use super::heuristic::Fewest;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Finds the gene to put in place of one that leads nowhere; the knight goes on with it.
pub(super) trait Mend {
    /// A gene that leads from `place` into `free`, or `None` to end the path.
    fn mend<F: Field>(
        &self,
        field: &F,
        free: &F::Set,
        place: u32,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<Gene>;
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
        _: &F,
        _: &F::Set,
        _: u32,
        _: &mut Xoshiro256PlusPlus,
    ) -> Option<Gene> {
        None
    }
}

impl Mend for Lowest {
    #[inline(always)]
    fn mend<F: Field>(
        &self,
        field: &F,
        free: &F::Set,
        place: u32,
        _: &mut Xoshiro256PlusPlus,
    ) -> Option<Gene> {
        field.lowest(free, place)
    }
}
