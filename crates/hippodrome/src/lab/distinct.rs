//! An exact set of tours, with a memory limit.
//!
//! The keys are the packed tours themselves, not fingerprints: equal keys are equal tours.

mod bloom;

pub(crate) use bloom::Bitmaps;
pub use bloom::Bloom;

use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// Whether a tour is new to the set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The tour was not in the set and has been added.
    New,
    /// The tour was already in the set.
    Repeat,
    /// Not known until all tours are merged.
    Later,
    /// Not known, because the set is full.
    Full,
}

/// A set of packed tours, all of the same length.
pub struct DistinctSet {
    keys: Keys,
    memory: usize,
}

/// The keys: stored inline if they have at most three words, which is enough for 8x8, and otherwise on the
/// heap.
enum Keys {
    Short(HashSet<[u64; 3], FixedState>),
    Long(HashSet<Box<[u64]>, FixedState>, usize),
}

impl DistinctSet {
    /// Creates an empty set for keys of `words` words that uses at most about `memory` bytes.
    pub fn new(words: usize, memory: usize) -> DistinctSet {
        let state = FixedState::with_seed(0);
        let keys = match words {
            0..=3 => Keys::Short(HashSet::with_hasher(state)),
            _ => Keys::Long(HashSet::with_hasher(state), words * 8),
        };
        DistinctSet { keys, memory }
    }

    /// Adds a key, which must have the set's number of words.
    pub fn insert(&mut self, key: &[u64]) -> Seen {
        let new = match &mut self.keys {
            Keys::Short(set) => {
                let mut short = [0; 3];
                short[..key.len()].copy_from_slice(key);
                // While a table grows, memory holds the old one and the new one, which is twice as large.
                if set.len() == set.capacity() && 3 * set.allocation_size() > self.memory {
                    return if set.contains(&short) { Seen::Repeat } else { Seen::Full };
                }
                set.insert(short)
            }
            Keys::Long(set, bytes) => {
                let heap = set.len() * (*bytes + 16);
                let grow = if set.len() == set.capacity() { 3 } else { 1 };
                if heap + grow * set.allocation_size() > self.memory {
                    return if set.contains(key) { Seen::Repeat } else { Seen::Full };
                }
                match set.contains(key) {
                    true => false,
                    false => set.insert(key.into()),
                }
            }
        };
        if new { Seen::New } else { Seen::Repeat }
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        match &self.keys {
            Keys::Short(set) => set.len(),
            Keys::Long(set, _) => set.len(),
        }
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_new_once() {
        for words in [1, 3, 5] {
            let mut set = DistinctSet::new(words, 1 << 20);
            let key = |n: u64| (0..words as u64).map(|w| n * w + n).collect::<Vec<_>>();
            assert!((0..1000).all(|n| set.insert(&key(n)) == Seen::New));
            assert!((0..1000).all(|n| set.insert(&key(n)) == Seen::Repeat));
            assert_eq!(set.len(), 1000);
        }
    }

    #[test]
    fn a_full_set_reports_it_and_keeps_its_keys() {
        for words in [3, 5] {
            let mut set = DistinctSet::new(words, 100_000);
            let key = |n: u64| vec![n; words];
            let held = (0..).take_while(|&n| set.insert(&key(n)) == Seen::New).count();
            assert!((500..5000).contains(&held), "{held}");
            assert_eq!(set.insert(&key(0)), Seen::Repeat);
        }
    }
}
