//! Deduplication in memory: exact, or by the bitmaps of the 2005 paper.

use super::{Dedup, Enumeration, TourSink};
use crate::lab::distinct::{Bitmaps, DistinctSet, Seen};

/// Remembers the tours seen so far.
pub(super) enum Deduplicator {
    Exact(DistinctSet),
    /// The paper's bitmaps. If their errors are counted, also an exact set and the number of errors so far.
    Bloom(Bitmaps, Option<(DistinctSet, u64)>),
}

impl Deduplicator {
    /// Creates an empty deduplicator for keys of `words` words that uses at most about `memory` bytes.
    pub(super) fn new(run: &Enumeration, words: usize, memory: usize) -> Deduplicator {
        let exact = || DistinctSet::new(words, memory);
        match run.dedup {
            Dedup::Bloom => Deduplicator::Bloom(
                Bitmaps::new(&run.bloom),
                run.bloom.measure.then(|| (exact(), 0)),
            ),
            Dedup::Exact | Dedup::None => Deduplicator::Exact(exact()),
        }
    }

    /// Returns the number of new tours that were mistaken for duplicates, if they are counted.
    pub(super) fn lost(&self) -> Option<u64> {
        match self {
            Deduplicator::Bloom(_, Some((_, lost))) => Some(*lost),
            _ => None,
        }
    }
}

impl TourSink for Deduplicator {
    #[inline]
    fn accept(&mut self, key: &[u64]) -> Seen {
        match self {
            Deduplicator::Exact(set) => set.insert(key),
            Deduplicator::Bloom(maps, exact) => {
                let seen = if maps.insert(key) { Seen::New } else { Seen::Repeat };
                if let Some((set, lost)) = exact {
                    match set.insert(key) {
                        Seen::Full => return Seen::Full,
                        truth => *lost += u64::from(truth == Seen::New && seen == Seen::Repeat),
                    }
                }
                seen
            }
        }
    }
}
