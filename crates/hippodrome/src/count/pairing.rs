//! The numbering of pairings of path ends, and the test whether two pairings form one cycle.
//!
//! The path ends at a cut are in a fixed order. The number of a pairing combines the place of the first end's
//! mate among the other ends with the number of the pairing of the rest.

/// Largest number of pairs for which the degrees and the number of the pairing fit into one word: two bits
/// for each of 18 ends and 26 bits for a number below 17!! make 62 bits.
pub(super) const PAIRS: usize = 9;

/// Returns the number of pairings of 2n ends: 1·3·5·…·(2n-1).
pub(super) const fn pairings(pairs: usize) -> u32 {
    let (mut product, mut odd) = (1, 1);
    while odd < 2 * pairs as u32 {
        product *= odd;
        odd += 2;
    }
    product
}

/// The mate of each end, indexed by the place of the end.
pub(super) type Mates = [u8; 2 * PAIRS];

/// Returns the number of a pairing.
pub(super) fn rank(mates: &Mates, pairs: usize) -> u32 {
    let (mut number, mut free) = (0, (1u32 << (2 * pairs)) - 1);
    for left in (0..pairs).rev() {
        let first = free.trailing_zeros();
        let mate = mates[first as usize];
        free &= !(1 << first | 1 << mate);
        // The mate's place among the others is the number of free ends below it.
        number = number * (2 * left as u32 + 1) + (free & ((1 << mate) - 1)).count_ones();
    }
    number
}

/// Returns the pairing with a given number.
pub(super) fn unrank(number: u32, pairs: usize) -> Mates {
    let mut digits = [0; PAIRS];
    let mut rest = number;
    for (left, digit) in digits[..pairs].iter_mut().enumerate() {
        *digit = rest % (2 * left as u32 + 1);
        rest /= 2 * left as u32 + 1;
    }
    let (mut mates, mut free) = ([0; 2 * PAIRS], (1u32 << (2 * pairs)) - 1);
    for &digit in digits[..pairs].iter().rev() {
        let first = free.trailing_zeros();
        free &= free - 1;
        let mut below = free;
        for _ in 0..digit {
            below &= below - 1;
        }
        let mate = below.trailing_zeros();
        free &= !(1 << mate);
        mates[first as usize] = mate as u8;
        mates[mate as usize] = first as u8;
    }
    mates
}

/// Returns whether two pairings form one cycle.
pub(super) fn is_cycle(one: &Mates, other: &Mates, pairs: usize) -> bool {
    let (mut at, mut passed) = (0, 0);
    loop {
        at = other[one[at as usize] as usize];
        passed += 1;
        if at == 0 {
            return passed == pairs;
        }
    }
}

/// Removes the first end and another one that is not its mate; their mates become a pair.
pub(super) fn without(mates: &Mates, gone: u8, pairs: usize) -> Mates {
    let mut joined = *mates;
    let (a, b) = (mates[0], mates[gone as usize]);
    (joined[a as usize], joined[b as usize]) = (b, a);
    let place = |end: u8| end - 1 - u8::from(end > gone);
    let mut rest = [0; 2 * PAIRS];
    for end in (1..2 * pairs as u8).filter(|&end| end != gone) {
        rest[place(end) as usize] = place(joined[end as usize]);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_pairings_agree() {
        for pairs in 1..=7 {
            for number in (0..pairings(pairs)).step_by(1 + pairings(pairs) as usize / 1000) {
                let mates = unrank(number, pairs);
                assert_eq!(rank(&mates, pairs), number);
                let ends = 0..2 * pairs as u8;
                assert!(ends.clone().all(|e| mates[mates[e as usize] as usize] == e));
            }
        }
    }
}
