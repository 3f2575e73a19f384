//! The numbers that states carry. Every addition is checked for overflow.

use num_bigint::{BigInt, BigUint};

/// A number of partial tours. Operations return `None` on overflow.
pub(super) trait Tally: Copy + Default + Send + Sync + 'static {
    /// The tally of the initial state.
    const ONE: Self;
    /// Returns the sum.
    fn plus(self, other: Self) -> Option<Self>;
    /// Returns the tally multiplied by an edge weight.
    fn times(self, weight: i32) -> Option<Self>;
    /// Adds the tally to a ledger, a wrapping sum.
    fn enter(self, ledger: u64) -> u64;
    /// Adds two ledgers.
    fn total(one: u64, other: u64) -> u64 {
        one.wrapping_add(other)
    }
}

/// A tally whose products can be added up.
pub(super) trait SummedTally: Tally {
    /// The type of a sum of products, which never overflows.
    type Sum: Default + Send;
    /// Adds the product of two tallies to a sum.
    fn gather(sum: &mut Self::Sum, one: Self, other: Self);
    /// Adds another sum, multiplied by `times`, to a sum.
    fn repeat(sum: &mut Self::Sum, other: Self::Sum, times: u32);
    /// Returns the sum of the tallies whose bits are set in a row; `None` on overflow.
    #[inline(always)]
    fn chosen(row: &[u64], group: &[(u32, Self)]) -> Option<Self> {
        let mut chosen = group.iter().filter(|state| is_set(row, state.0));
        chosen.try_fold(Self::default(), |sum, state| sum.plus(state.1))
    }
}

/// Returns whether a bit of a row is set.
#[inline(always)]
pub(super) fn is_set(row: &[u64], number: u32) -> bool {
    row[number as usize / 64] >> (number % 64) & 1 == 1
}

/// A sum of products that uses a big number only when needed.
#[derive(Default)]
pub(super) struct Total {
    small: u128,
    large: BigUint,
}

impl Total {
    /// Returns the sum as one number.
    pub fn whole(self) -> BigUint {
        self.large + self.small
    }
}

macro_rules! tally {
    ($($number:ty),*) => {$(
        impl Tally for $number {
            const ONE: $number = 1;

            #[inline(always)]
            fn plus(self, other: $number) -> Option<$number> {
                self.checked_add(other)
            }

            #[inline(always)]
            fn times(self, weight: i32) -> Option<$number> {
                self.checked_mul(weight.try_into().ok()?)
            }

            #[inline(always)]
            fn enter(self, ledger: u64) -> u64 {
                ledger.wrapping_add(self as u64)
            }
        }
    )*};
}
// `i128` is for weights that may be negative.
tally!(u64, u128, i128);

macro_rules! summed {
    ($($number:ty),*) => {$(
        impl SummedTally for $number {
            type Sum = Total;

            #[inline(always)]
            fn gather(sum: &mut Total, one: $number, other: $number) {
                let product = u128::from(one).checked_mul(other.into());
                match product.and_then(|product| sum.small.checked_add(product)) {
                    Some(total) => sum.small = total,
                    None => sum.large += BigUint::from(one) * other,
                }
            }

            fn repeat(sum: &mut Total, other: Total, times: u32) {
                let small = other.small.checked_mul(times.into());
                match small.and_then(|small| sum.small.checked_add(small)) {
                    Some(total) if other.large == BigUint::ZERO => sum.small = total,
                    _ => sum.large += other.whole() * times,
                }
            }

            // Branchless: whether a bit is set is unpredictable.
            #[inline(always)]
            fn chosen(row: &[u64], group: &[(u32, $number)]) -> Option<$number> {
                let (mut sum, mut over): ($number, bool) = (0, false);
                for &(number, tally) in group {
                    let bit = row[number as usize / 64] >> (number % 64) & 1;
                    let (next, full) = sum.overflowing_add(tally & (0 as $number).wrapping_sub(bit.into()));
                    (sum, over) = (next, over | full);
                }
                (!over).then_some(sum)
            }
        }
    )*};
}
summed!(u64, u128);

impl SummedTally for i128 {
    type Sum = BigInt;

    fn gather(sum: &mut BigInt, one: i128, other: i128) {
        *sum += BigInt::from(one) * other;
    }

    fn repeat(sum: &mut BigInt, other: BigInt, times: u32) {
        *sum += other * times;
    }
}

/// A number modulo the prime 2^61 - 1.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Residue(pub u64);

impl Residue {
    /// The modulus.
    pub const PRIME: u64 = (1 << 61) - 1;

    /// Reduces a number below 2^124. Since 2^61 is congruent to 1, folding twice leaves an excess of at most
    /// three.
    #[inline(always)]
    fn reduced(value: u128) -> Residue {
        let fold = |value: u128| (value & u128::from(Residue::PRIME)) + (value >> 61);
        Residue(fold(fold(value)) as u64).plus(Residue(0)).unwrap_or_default()
    }
}

impl Tally for Residue {
    const ONE: Residue = Residue(1);

    #[inline(always)]
    fn plus(self, other: Residue) -> Option<Residue> {
        Some(Residue(self.enter(other.0)))
    }

    #[inline(always)]
    fn times(self, weight: i32) -> Option<Residue> {
        let weight = i128::from(weight).rem_euclid(i128::from(Residue::PRIME)) as u128;
        Some(Residue::reduced(u128::from(self.0) * weight))
    }

    #[inline(always)]
    fn enter(self, ledger: u64) -> u64 {
        let sum = ledger + self.0;
        if sum >= Residue::PRIME { sum - Residue::PRIME } else { sum }
    }

    fn total(one: u64, other: u64) -> u64 {
        Residue(one).enter(other)
    }
}

impl SummedTally for Residue {
    type Sum = u64;

    #[inline(always)]
    fn gather(sum: &mut u64, one: Residue, other: Residue) {
        *sum = Residue::reduced(u128::from(*sum) + u128::from(one.0) * u128::from(other.0)).0;
    }

    fn repeat(sum: &mut u64, other: u64, times: u32) {
        Self::gather(sum, Residue(other), Residue(times.into()));
    }
}
