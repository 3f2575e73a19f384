//! Finds the pairs of states, one from each half, that together form one cycle.
//!
//! Two states with the same path ends form one cycle if the union of their pairings is one cycle. For at most
//! four pairs of ends, this is looked up in a bit table. For more pairs, the states of the second half are
//! grouped by the mate of their first end. Contracting that pair in the states of the first half leaves one
//! pair fewer, and states that become equal are merged. Therefore joining two groups of states does not
//! compare every state of one with every state of the other: with six pairs of ends and thousands of states
//! per group, the work falls to about a twentieth.

use super::pairing::{Mates, PAIRS, is_cycle, pairings, rank, unrank, without};
use super::tally::{SummedTally, Tally, is_set};
use std::sync::OnceLock;

/// Largest number of pairs for which a bit table is used: a row takes two words for the 105 pairings of four
/// pairs, and would take fifteen for the 945 pairings of five.
const SMALL: usize = 4;
/// Largest number of pairs for which a large count looks up contractions in a table. The 135,135 pairings of
/// seven pairs contract to the 10,395 pairings of six, whose numbers fit into 16 bits; the contractions of
/// eight pairs would not fit.
const TABLED: usize = 7;
/// Smallest number of states for which a table of contractions is worth its cost: for seven pairs it has 1.8
/// million entries. Chosen by hand, not tuned.
const MANY: usize = 1 << 19;
/// Marks a contraction that would close a cycle too early.
const NEVER: u16 = u16::MAX;

/// States with the same path ends at a cut, each as the number of its pairing and its tally.
pub(super) type StateGroup<C> = [(u32, C)];

/// A bit table that says which pairings form one cycle together: one row of bits per pairing.
struct Cycles {
    words: usize,
    bits: Vec<u64>,
}

impl Cycles {
    fn new(pairs: usize) -> Cycles {
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
        Cycles { words, bits }
    }

    fn row(&self, number: u32) -> &[u64] {
        let at = number as usize * self.words;
        &self.bits[at..at + self.words]
    }
}

/// The lookup tables of one count, each made on first use.
#[derive(Default)]
pub(super) struct JoinTables {
    cycles: [OnceLock<Cycles>; SMALL + 1],
    /// One table for each number of pairs. It holds the number of each contracted pairing, indexed by the
    /// place of the end that is joined with the first end, then by the number of the pairing.
    contractions: [OnceLock<Vec<u16>>; TABLED + 1],
}

impl JoinTables {
    fn cycles(&self, pairs: usize) -> &Cycles {
        self.cycles[pairs].get_or_init(|| Cycles::new(pairs))
    }

    fn contraction(&self, pairs: usize) -> Option<&[u16]> {
        let all = |pairs: usize| {
            let mates: Vec<Mates> = (0..pairings(pairs)).map(|n| unrank(n, pairs)).collect();
            let image = |mates: &Mates, mate: u8| {
                contracted(mates, mate, pairs).and_then(|n| n.try_into().ok()).unwrap_or(NEVER)
            };
            let with = |mate: u8| mates.iter().map(move |mates| image(mates, mate));
            (1..2 * pairs as u8).flat_map(with).collect()
        };
        Some(self.contractions.get(pairs)?.get_or_init(|| all(pairs)))
    }

    /// Makes a joiner for one thread of a count with `states` states.
    pub fn joiner<C: Tally>(&self, states: usize) -> Joiner<'_, C> {
        Joiner { tables: self, large: states >= MANY, scratch: Default::default() }
    }
}

/// Returns the number of the pairing that remains when the first end is joined with the end `mate`; `None` if
/// the two are already a pair.
fn contracted(mates: &Mates, mate: u8, pairs: usize) -> Option<u32> {
    (mates[0] != mate).then(|| rank(&without(mates, mate, pairs), pairs - 1))
}

/// The working memory of one thread that joins groups.
pub(super) struct Joiner<'t, C> {
    tables: &'t JoinTables,
    large: bool,
    /// Contracted states, indexed by their number of pairs.
    scratch: [JoinScratch<C>; PAIRS + 1],
}

/// A buffer for contracted states.
#[derive(Default)]
struct JoinScratch<C> {
    states: Vec<(u32, C)>,
    partners: Vec<(u32, C)>,
    /// For each pairing, its index in `states` and the turn in which that index was written.
    places: Vec<(u32, u32)>,
    turn: u32,
}

impl<C: Tally> JoinScratch<C> {
    /// Replaces the states by new ones, whose pairings have numbers below `count`. Equal states are merged
    /// unless the sum of their tallies overflows.
    fn fill(&mut self, states: impl Iterator<Item = (u32, C)>, count: u32) {
        self.states.clear();
        self.places.resize(count as usize, (0, 0));
        self.turn = self.turn.checked_add(1).unwrap_or_else(|| {
            self.places.fill((0, 0));
            1
        });
        for (number, tally) in states {
            let place = &mut self.places[number as usize];
            if place.1 == self.turn
                && let Some(sum) = self.states[place.0 as usize].1.plus(tally)
            {
                self.states[place.0 as usize].1 = sum;
            } else {
                *place = (self.states.len() as u32, self.turn);
                self.states.push((number, tally));
            }
        }
    }
}

impl<C: SummedTally> Joiner<'_, C> {
    /// Adds to `sum` the product of the tallies of every pair of states, one from each group, that forms one
    /// cycle. Both groups are sorted by number.
    pub fn join(
        &mut self,
        pairs: usize,
        groups: (&StateGroup<C>, &StateGroup<C>),
        sum: &mut C::Sum,
    ) {
        let (one, other) = groups;
        if one.len() < other.len() {
            self.contract(pairs, other, one, sum);
        } else {
            self.contract(pairs, one, other, sum);
        }
    }

    /// Joins two groups; only the second needs to be sorted. Idea: for each possible mate of the first end,
    /// take the states of the second group in which the two are paired, contract this pair in the first
    /// group, merge equal states, and recurse with one pair fewer until the bit table applies.
    fn contract(
        &mut self,
        pairs: usize,
        one: &StateGroup<C>,
        other: &StateGroup<C>,
        sum: &mut C::Sum,
    ) {
        if pairs <= SMALL {
            return self.look_up(pairs, one, other, sum);
        }
        let table = if self.large { self.tables.contraction(pairs) } else { None };
        let mates: Vec<Mates> = match table {
            Some(_) => Vec::new(),
            None => one.iter().map(|state| unrank(state.0, pairs)).collect(),
        };
        let rest = pairings(pairs - 1);
        let mut scratch = std::mem::take(&mut self.scratch[pairs - 1]);
        for same_mate in other.chunk_by(|a, b| a.0 / rest == b.0 / rest) {
            let place = same_mate[0].0 / rest;
            scratch.partners.clear();
            scratch.partners.extend(same_mate.iter().map(|state| (state.0 % rest, state.1)));
            match table {
                Some(table) => {
                    let count = pairings(pairs) as usize;
                    let row = &table[place as usize * count..][..count];
                    let image = |&(number, tally): &(u32, C)| (row[number as usize], tally);
                    let images = one.iter().map(image).filter(|state| state.0 != NEVER);
                    scratch.fill(images.map(|state| (state.0.into(), state.1)), rest);
                }
                None => {
                    let image = |mates: &Mates| contracted(mates, place as u8 + 1, pairs);
                    let images = mates.iter().zip(one);
                    scratch.fill(images.filter_map(|(m, state)| Some((image(m)?, state.1))), rest);
                }
            }
            self.contract(pairs - 1, &scratch.states, &scratch.partners, sum);
        }
        self.scratch[pairs - 1] = scratch;
    }

    /// Joins two groups by looking up each pair of states in the bit table.
    fn look_up(&self, pairs: usize, one: &StateGroup<C>, other: &StateGroup<C>, sum: &mut C::Sum) {
        let table = self.tables.cycles(pairs);
        for &(number, tally) in one {
            let row = table.row(number);
            match C::chosen(row, other) {
                Some(chosen) => C::gather(sum, tally, chosen),
                None => {
                    let chosen = other.iter().filter(|state| is_set(row, state.0));
                    chosen.for_each(|state| C::gather(sum, tally, state.1));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    /// Compares every pair of states.
    fn plain(pairs: usize, one: &StateGroup<u64>, other: &StateGroup<u64>) -> BigUint {
        let mut sum = BigUint::ZERO;
        for a in one {
            for b in other {
                if is_cycle(&unrank(a.0, pairs), &unrank(b.0, pairs), pairs) {
                    sum += BigUint::from(a.1) * b.1;
                }
            }
        }
        sum
    }

    #[test]
    fn joining_groups_equals_comparing_every_pair_of_states() {
        let tables = JoinTables::default();
        for (states, factor) in [(1, 1), (MANY, 1), (MANY, u64::MAX / 9)] {
            let mut joiner = tables.joiner::<u64>(states);
            for pairs in 1..=8 {
                let count = pairings(pairs) as usize;
                let group = |first: u32, some: usize| -> Vec<(u32, u64)> {
                    let numbers = (first..pairings(pairs)).step_by(1 + count / some);
                    numbers.map(|n| (n, u64::from(n % 7 + 1) * factor)).collect()
                };
                for (some, others) in [(90, 90), (700, 3), (5, 400)] {
                    let (one, other) = (group(0, some), group(1, others));
                    let mut joined = Default::default();
                    joiner.join(pairs, (&one, &other), &mut joined);
                    assert_eq!(joined.whole(), plain(pairs, &one, &other), "{pairs} {some}");
                }
            }
        }
    }
}
