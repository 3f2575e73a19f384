//! Statistics of a run that both papers report: tours, first tour, distinct strings.

use super::chromosome::Gene;
use super::edges::Heritage;
use crate::board::Square;
use crate::search::{Measure, Readings};
use foldhash::fast::FixedState;
use hashbrown::HashSet;
use std::hash::BuildHasher;

const RUNS: Measure = Measure { name: "runs", help: "Runs, each from one start square." };
const CUT: Measure =
    Measure { name: "cut_runs", help: "Runs that the budget ended before their last generation." };
const FAILED: Measure =
    Measure { name: "failed_runs", help: "Runs that found no tour in all their generations." };
const AT_ONCE: Measure = Measure {
    name: "runs_with_a_tour_in_generation_1",
    help: "Runs that found a tour in their first generation.",
};
const TOURS: Measure = Measure { name: "tours_of_a_run", help: "Distinct tours per run." };
const STRINGS: Measure = Measure {
    name: "strings_of_a_run",
    help: "Distinct chromosomes per run before repair, by 64-bit fingerprints.",
};
const FIRST: Measure = Measure {
    name: "generation_of_first_tour",
    help: "Generation, from 1, with the first tour of a run; failed runs are excluded.",
};
const MOST: Measure = Measure {
    name: "most_tours_in_a_generation",
    help: "Most tours in one generation of a run, duplicates included.",
};
const MOST_NEW: Measure = Measure {
    name: "most_new_tours_in_a_generation",
    help: "Most new tours in one generation of a run.",
};
const INHERITED: Measure = Measure {
    name: "inherited_edges",
    help: "Share of the moves of children by edge recombination that a parent also makes, before mutation and repair.",
};

/// Measures of a run with random chromosomes.
pub(super) const MEASURES: &[Measure] =
    &[RUNS, CUT, FAILED, AT_ONCE, TOURS, STRINGS, FIRST, MOST, MOST_NEW];
/// Measures of a run that breeds.
pub(super) const MEASURES_OF_BREEDING: &[Measure] =
    &[RUNS, CUT, FAILED, AT_ONCE, TOURS, STRINGS, FIRST, MOST, MOST_NEW, INHERITED];

/// The statistics of one run.
#[derive(Default)]
pub(super) struct RunStatistics {
    tours: HashSet<Vec<Square>, FixedState>,
    /// Fingerprints of the strings. Two of a million strings share one with probability 3 in 10^8.
    strings: HashSet<u64, FixedState>,
    evaluated: u64,
    first: Option<u64>,
    here: u64,
    new_here: u64,
    most: u64,
    most_new: u64,
    heritage: Heritage,
}

impl RunStatistics {
    /// Returns the fingerprint of a chromosome before its evaluation.
    pub(super) fn print(genes: &[Gene]) -> u64 {
        FixedState::with_seed(0).hash_one(genes)
    }

    /// Records the evaluation of a chromosome.
    pub(super) fn string(&mut self, print: u64) {
        self.strings.insert(print);
        self.evaluated += 1;
    }

    /// Records a tour.
    pub(super) fn tour(&mut self, squares: &[Square], generation: u64) {
        self.here += 1;
        if !self.tours.contains(squares) {
            self.tours.insert(squares.to_vec());
            self.new_here += 1;
            self.first.get_or_insert(generation);
        }
    }

    /// Records a child of edge recombination.
    pub(super) fn child(&mut self, heritage: Heritage) {
        self.heritage.moves += heritage.moves;
        self.heritage.inherited += heritage.inherited;
    }

    /// Ends a generation.
    pub(super) fn end_generation(&mut self) {
        self.most = self.most.max(std::mem::take(&mut self.here));
        self.most_new = self.most_new.max(std::mem::take(&mut self.new_here));
    }

    /// Ends the run, which was to evaluate `all` chromosomes, and adds its statistics to the readings.
    pub(super) fn end_run(mut self, all: u64, readings: &mut Readings) {
        self.end_generation();
        let whole = self.evaluated >= all;
        readings.count(&RUNS, 1);
        readings.count(&CUT, u64::from(!whole));
        readings.count(&FAILED, u64::from(whole && self.first.is_none()));
        readings.count(&AT_ONCE, u64::from(self.first == Some(1)));
        readings.sample(&TOURS, self.tours.len() as f64);
        readings.sample(&STRINGS, self.strings.len() as f64);
        if let Some(first) = self.first {
            readings.sample(&FIRST, first as f64);
        }
        readings.sample(&MOST, self.most as f64);
        readings.sample(&MOST_NEW, self.most_new as f64);
        if self.heritage.moves > 0 {
            let share = self.heritage.inherited as f64 / self.heritage.moves as f64;
            readings.sample(&INHERITED, share);
        }
    }
}
