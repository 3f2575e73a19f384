//! An arc of a table: one choice in a state, packed into a word.
//!
//! ```text
//!   63                44 43   42     41         30 29             0
//!   threshold (20 bits)  last mirror code (12 bits) link (30 bits)
//! ```
//!
//! `link` is the index of the next state's first arc in the next layer. `threshold` is 2^20 C / W, rounded
//! down, where C is the number of covers that this arc and the arcs before it in the state lead to, and W is
//! the number of covers that the state leads to.

/// Number of bits in a threshold: all bits of a word that the other fields do not use.
pub(super) const THRESHOLD_BITS: u32 = 20;
pub(super) const THRESHOLD_AT: u32 = 64 - THRESHOLD_BITS;
pub(super) const LAST: u64 = 1 << 43;
pub(super) const MIRROR: u64 = 1 << 42;
pub(super) const CODE_AT: u32 = 30;
pub(super) const LINK_MASK: u64 = (1 << CODE_AT) - 1;

/// A packed arc.
#[derive(Clone, Copy)]
pub(super) struct PackedArc(pub(super) u64);

impl PackedArc {
    #[inline]
    pub(super) fn threshold(self) -> u64 {
        self.0 >> THRESHOLD_AT
    }

    #[inline]
    pub(super) fn is_last(self) -> bool {
        self.0 & LAST != 0
    }

    #[inline]
    pub(super) fn mirrors(self) -> bool {
        self.0 & MIRROR != 0
    }

    #[inline]
    pub(super) fn code(self) -> usize {
        (self.0 >> CODE_AT & 0xfff) as usize
    }

    #[inline]
    pub(super) fn link(self) -> u32 {
        (self.0 & LINK_MASK) as u32
    }
}

/// Returns 2^20 C / W, rounded down, where C is `covers` and W is `whole`. A floating-point guess is
/// corrected with integer arithmetic.
pub(super) fn threshold(covers: u128, whole: u128) -> u64 {
    let scaled = covers << THRESHOLD_BITS;
    let mut guess = (covers as f64 / whole as f64 * (1u64 << THRESHOLD_BITS) as f64) as u128;
    while guess * whole > scaled {
        guess -= 1;
    }
    while (guess + 1) * whole <= scaled {
        guess += 1;
    }
    guess as u64
}
