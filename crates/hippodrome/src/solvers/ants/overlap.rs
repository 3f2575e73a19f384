//! Counts the tours that were found by more than one colony of a group.
//!
//! A tour is identified by a 64-bit fingerprint, so a group takes at most about 40 MB. Among n tours, the
//! probability that two have the same fingerprint is about n²/2^65, less than 1 in 10 million.

use crate::board::Square;
use crate::search::{Measure, Run};
use foldhash::quality::FixedState;
use hashbrown::HashMap;
use std::hash::BuildHasher;

pub(super) const COLONY_TOURS: Measure =
    Measure { name: "colony_tours", help: "Distinct tours of each colony, added up." };

pub(super) const GROUP_TOURS: Measure =
    Measure { name: "group_tours", help: "Distinct tours of each group of colonies, added up." };

pub(super) const SHARED_TOURS: Measure = Measure {
    name: "shared_tours",
    help: "Distinct tours of a group that more than one of its colonies found.",
};

pub(super) const UNTOLD_TOURS: Measure = Measure {
    name: "untold_tours",
    help: "Tours, duplicates included, not counted because their group already had 1.8 million.",
};

/// Maximum number of distinct tours counted per group, limited by memory: it is the capacity of a table of
/// 2^21 entries, about 40 MB.
const MOST: usize = 1_800_000;

/// The tours that the colonies of a group have found.
pub(super) struct Overlap {
    /// For each fingerprint of a tour, the set of the colonies that found it, one bit per colony.
    found: HashMap<u64, u64, FixedState>,
    most: usize,
    untold: u64,
}

impl Overlap {
    pub(super) fn new() -> Overlap {
        Overlap::of_at_most(MOST)
    }

    fn of_at_most(most: usize) -> Overlap {
        Overlap { found: HashMap::with_hasher(FixedState::with_seed(0)), most, untold: 0 }
    }

    /// Records a tour found by colony number `colony`, which must be below 64.
    pub(super) fn add(&mut self, colony: usize, tour: &[Square]) {
        let fingerprint = self.found.hasher().hash_one(tour);
        if self.found.len() < self.most {
            *self.found.entry(fingerprint).or_default() |= 1 << colony;
        } else if let Some(colonies) = self.found.get_mut(&fingerprint) {
            *colonies |= 1 << colony;
        } else {
            self.untold += 1;
        }
    }

    /// Returns four numbers: the sum over the colonies of their distinct tours, the distinct tours of the
    /// whole group, the tours found by several colonies, and the tours that were not counted.
    fn counts(&self) -> [u64; 4] {
        let sizes = || self.found.values().map(|colonies| u64::from(colonies.count_ones()));
        let shared = sizes().filter(|&n| n > 1).count() as u64;
        [sizes().sum(), self.found.len() as u64, shared, self.untold]
    }

    /// Adds the counts to the readings.
    pub(super) fn note(&self, run: &mut Run<'_>) {
        let [by_colony, of_group, shared, untold] = self.counts();
        run.readings.count(&COLONY_TOURS, by_colony);
        run.readings.count(&GROUP_TOURS, of_group);
        run.readings.count(&SHARED_TOURS, shared);
        if untold > 0 {
            run.readings.count(&UNTOLD_TOURS, untold);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tour_counts_once_per_colony_and_the_excess_is_reported() {
        let mut overlap = Overlap::of_at_most(3);
        for (colony, tour) in [(0, 7), (0, 7), (1, 8), (2, 7), (63, 7), (1, 9), (1, 10), (0, 9)] {
            overlap.add(colony, &[tour, 1, 2].map(Square::new));
        }
        assert_eq!(overlap.counts(), [6, 3, 2, 1]);
    }
}
