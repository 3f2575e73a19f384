//! Pairings of ends, numbered; and whether two of them make one cycle together.
//!
//! The ends of the paths at a cut stand in order. Their pairing is numbered by the mate of the first
//! end among the others, and then by the pairing of those that remain. Two halves make one cycle if
//! the union of their pairings is one. For up to [`TABLED`] pairs that is looked up in a table of bits;
//! for more, the pair of the first end in one half is contracted in the other, which leaves one pair less.

use super::tally::Tally;
use std::sync::OnceLock;

/// Pairs up to which a table is made in a large count: 10,395² bits are 13 MB.
const TABLED: usize = 6;
/// States from which the large tables are worth their making.
const MANY: usize = 1 << 19;
/// Pairs up to which a table is always made.
const SMALL: usize = 4;

/// Most pairs whose numbers fit.
pub(super) const PAIRS: usize = 9;

/// How many pairings there are of so many pairs: 1·3·5·…
pub(super) const fn pairings(pairs: usize) -> u32 {
    let (mut product, mut odd) = (1, 1);
    while odd < 2 * pairs as u32 {
        product *= odd;
        odd += 2;
    }
    product
}

/// Mates of ends, by place.
pub(super) type Mates = [u8; 2 * PAIRS];

/// The number of a pairing.
pub(super) fn rank(mates: &Mates, pairs: usize) -> u32 {
    let (mut number, mut free) = (0, (1u32 << (2 * pairs)) - 1);
    for left in (0..pairs).rev() {
        let first = free.trailing_zeros();
        let mate = mates[first as usize];
        free &= !(1 << first | 1 << mate);
        // Free ends below the mate: its place among the others.
        number = number * (2 * left as u32 + 1) + (free & ((1 << mate) - 1)).count_ones();
    }
    number
}

/// The pairing of a number.
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

/// Whether two pairings make one cycle.
fn is_cycle(one: &Mates, other: &Mates, pairs: usize) -> bool {
    let (mut at, mut passed) = (0, 0);
    loop {
        at = other[one[at as usize] as usize];
        passed += 1;
        if at == 0 {
            return passed == pairs;
        }
    }
}

/// Which pairings of some number of pairs make one cycle: a row of bits for each.
struct Table {
    words: usize,
    bits: Vec<u64>,
}

impl Table {
    fn new(pairs: usize) -> Table {
        let count = pairings(pairs) as usize;
        let all: Vec<Mates> = (0..count as u32).map(|n| unrank(n, pairs)).collect();
        let words = count.div_ceil(64);
        let mut bits = vec![0; count * words];
        for (i, one) in all.iter().enumerate() {
            for (j, other) in all[..=i].iter().enumerate() {
                if is_cycle(one, other, pairs) {
                    bits[i * words + j / 64] |= 1 << (j % 64);
                    bits[j * words + i / 64] |= 1 << (i % 64);
                }
            }
        }
        Table { words, bits }
    }

    fn row(&self, number: u32) -> &[u64] {
        let at = number as usize * self.words;
        &self.bits[at..at + self.words]
    }
}

/// States at a cut that have the same ends: pairings and tallies, by number.
pub(super) type Group<C> = [(u32, C)];

/// The tables of one count, made as they are needed.
#[derive(Default)]
pub(super) struct Tables {
    tables: [OnceLock<Table>; TABLED + 1],
}

impl Tables {
    fn table(&self, pairs: usize, large: bool) -> Option<&Table> {
        let most = if large { TABLED } else { SMALL };
        let table = self.tables.get(pairs)?;
        if pairs <= most { Some(table.get_or_init(|| Table::new(pairs))) } else { table.get() }
    }

    /// Adds up the products of all states of two groups that make one cycle together.
    pub fn join<C: Tally>(
        &self,
        pairs: usize,
        (one, other): (&Group<C>, &Group<C>),
        large: bool,
        sum: &mut C::Sum,
    ) {
        if let Some(table) = self.table(pairs, large) {
            for &(number, tally) in one {
                let row = table.row(number);
                match C::chosen(row, other) {
                    Some(Some(chosen)) => C::gather(sum, tally, chosen),
                    Some(None) => {}
                    None => {
                        let is_set = |p: &&(u32, C)| row[p.0 as usize / 64] >> (p.0 % 64) & 1 == 1;
                        gather_all(sum, tally, other.iter().filter(is_set).map(|p| p.1));
                    }
                }
            }
        } else if one.len() * other.len() < 64 || pairs <= TABLED {
            let others: Vec<Mates> = other.iter().map(|p| unrank(p.0, pairs)).collect();
            for &(number, tally) in one {
                let mates = unrank(number, pairs);
                let with = others.iter().zip(other).filter(|(o, _)| is_cycle(&mates, o, pairs));
                gather_all(sum, tally, with.map(|(_, p)| p.1));
            }
        } else {
            self.contract(pairs, one, other, large, sum);
        }
    }

    /// Contracts in one group what the first end's mate is in the other.
    fn contract<C: Tally>(
        &self,
        pairs: usize,
        one: &Group<C>,
        other: &Group<C>,
        large: bool,
        sum: &mut C::Sum,
    ) {
        let rest = pairings(pairs - 1);
        let unranked: Vec<Mates> = one.iter().map(|p| unrank(p.0, pairs)).collect();
        let (mut contracted, mut bucket) = (Vec::new(), Vec::new());
        for same_mate in other.chunk_by(|a, b| a.0 / rest == b.0 / rest) {
            let mate = (same_mate[0].0 / rest) as u8 + 1;
            bucket.clear();
            bucket.extend(same_mate.iter().map(|p| (p.0 % rest, p.1)));
            contracted.clear();
            for (mates, state) in unranked.iter().zip(one) {
                if mates[0] != mate {
                    contracted.push((rank(&without(mates, mate, pairs), pairs - 1), state.1));
                }
            }
            contracted.sort_unstable_by_key(|p| p.0);
            self.join(pairs - 1, (&contracted, &bucket), large, sum);
        }
    }
}

/// The pairing without the first end and another that is not its mate, whose mates become a pair.
fn without(mates: &Mates, gone: u8, pairs: usize) -> Mates {
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

/// Adds the product of one tally with the sum of others.
fn gather_all<C: Tally>(sum: &mut C::Sum, tally: C, others: impl Iterator<Item = C>) {
    let mut subtotal: Option<C> = None;
    for other in others {
        subtotal = match subtotal {
            None => Some(other),
            Some(so_far) => match so_far.plus(other) {
                Some(total) => Some(total),
                None => {
                    C::gather(sum, tally, so_far);
                    Some(other)
                }
            },
        };
    }
    if let Some(subtotal) = subtotal {
        C::gather(sum, tally, subtotal);
    }
}

/// Whether so many states are worth the largest table.
pub(super) fn is_large(states: usize) -> bool {
    states >= MANY
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

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

    #[test]
    fn every_way_to_join_groups_gives_the_same() {
        let tables = Tables::default();
        for pairs in 2..=8 {
            let step = 1 + pairings(pairs) as usize / 90;
            let group = |first: u32| -> Vec<(u32, u64)> {
                let numbers = (first..pairings(pairs)).step_by(step);
                numbers.map(|n| (n, u64::from(n % 7 + 1))).collect()
            };
            let (one, other) = (group(0), group(1));
            let mut plain = 0u64;
            for a in &one {
                for b in &other {
                    if is_cycle(&unrank(a.0, pairs), &unrank(b.0, pairs), pairs) {
                        plain += a.1 * b.1;
                    }
                }
            }
            for large in [false, true] {
                let (mut joined, mut contracted) = (Default::default(), Default::default());
                tables.join(pairs, (&one[..], &other[..]), large && pairs != 6, &mut joined);
                tables.contract(pairs, &one, &other, false, &mut contracted);
                assert_eq!(joined.whole(), BigUint::from(plain), "{pairs}");
                assert_eq!(contracted.whole(), BigUint::from(plain), "{pairs}");
            }
        }
    }
}
