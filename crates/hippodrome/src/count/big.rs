//! Sweeps with numbers of any size, for long boards.
//!
//! Tallies are rows of words in one table. One step adds fewer than 2^40 rows to any row. Rows are widened as
//! soon as one of them has fewer than 44 bits to spare, so no addition can overflow.

use super::key::StateKey;
use super::monitor::StopReason;
use super::program::Program;
use super::rule::TransitionRule;
use super::run::CountContext;
use super::weighted_graph::WeightedGraph;
use crate::search::Progress;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use num_bigint::BigUint;

/// Upper bound on a row's highest word before a step. It leaves 44 bits to spare, and a step needs 40.
const ROOM: u64 = 1 << 20;

struct WideRows<K> {
    keys: Vec<K>,
    words: Vec<u64>,
    width: usize,
}

impl<K> WideRows<K> {
    /// Returns the sum of all rows modulo 2^64.
    fn ledger(&self) -> u64 {
        self.words.chunks(self.width).fold(0, |sum, row| sum.wrapping_add(row[0]))
    }

    /// Widens every row by one word if any row is nearly full.
    fn widen(&mut self) {
        let width = self.width;
        if self.words.chunks(width).all(|row| row[width - 1] < ROOM) {
            return;
        }
        let mut wider = Vec::with_capacity(self.words.len() + self.keys.len());
        for row in self.words.chunks(width) {
            wider.extend_from_slice(row);
            wider.push(0);
        }
        (self.words, self.width) = (wider, width + 1);
    }
}

/// Adds one row to another of the same width.
fn add(sum: &mut [u64], other: &[u64]) {
    let mut carry = false;
    for (word, &more) in sum.iter_mut().zip(other) {
        let (half, over) = word.overflowing_add(more);
        let (whole, again) = half.overflowing_add(u64::from(carry));
        (*word, carry) = (whole, over || again);
    }
    debug_assert!(!carry, "rows have room to spare");
}

/// Counts by one sweep over all vertices in the given order. Edges must have weight 1.
pub(super) fn sweep<R: TransitionRule>(
    net: &WeightedGraph,
    order: &[usize],
    context: &CountContext<'_>,
) -> Result<BigUint, StopReason> {
    let program = Program::new(net, order, &[], true);
    let mut rows = WideRows { keys: vec![R::empty()], words: vec![1], width: 1 };
    let mut ledger = rows.ledger();
    for (done, step) in program.steps.iter().enumerate() {
        context.monitor.poll()?;
        rows.widen();
        let width = rows.width;
        let mut index: HashTable<usize> = HashTable::with_capacity(rows.keys.len());
        let mut next = WideRows::<R::Key> {
            keys: Vec::with_capacity(rows.keys.len()),
            words: Vec::new(),
            width,
        };
        let (mut read, mut emitted) = (0u64, 0u64);
        for (number, (&key, row)) in rows.keys.iter().zip(rows.words.chunks(width)).enumerate() {
            if number % (1 << 12) == 0 {
                context.monitor.poll()?;
            }
            read = read.wrapping_add(row[0]);
            R::follow(step, key, &mut |key, weight, _| {
                debug_assert_eq!(weight, 1);
                emitted = emitted.wrapping_add(row[0]);
                let WideRows { keys, words, .. } = &mut next;
                let at = |&n: &usize| keys[n].hash();
                match index.entry(key.hash(), |&n| keys[n] == key, at) {
                    Entry::Occupied(place) => {
                        let at = *place.get() * width;
                        add(&mut words[at..at + width], row);
                    }
                    Entry::Vacant(place) => {
                        place.insert(keys.len());
                        keys.push(key);
                        words.extend_from_slice(row);
                    }
                }
            });
        }
        let bytes = |rows: &WideRows<R::Key>| rows.words.len() * 8 + size_of_val(&rows.keys[..]);
        context.monitor.hold((bytes(&rows) + bytes(&next)) as u64)?;
        let cost = super::order::states(step.frontier, done + 1);
        context.monitor.step(cost, rows.keys.len() as u64);
        if read != std::mem::replace(&mut ledger, next.ledger()) || ledger != emitted {
            return Err(StopReason::Ledger);
        }
        rows = next;
    }
    let halves = rows.words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
    Ok(if rows.keys.is_empty() { BigUint::ZERO } else { BigUint::new(halves.collect()) })
}
