//! What a unit of an enumeration has counted, as its result keeps it.

use crate::lab::enumerate::GroupCounts;
use crate::search::{Ends, Measure, Reading, Readings, Stats};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What is noted of a unit beside its keys. Fields that are missing count as nothing.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct UnitNote {
    attempts: u64,
    moves: u64,
    tours: u64,
    closed: u64,
    kept: u64,
    /// Keys in its runs.
    pub(super) keys: u64,
    readings: BTreeMap<String, NotedReading>,
    unproved: bool,
    limit: bool,
}

/// A number, or how often, sum, least and greatest, each null unless finite.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum NotedReading {
    Count(u64),
    Spread(u64, Option<f64>, Option<f64>, Option<f64>),
}

impl UnitNote {
    /// Notes what was counted, and how many keys are in the runs.
    pub(super) fn new(counts: &GroupCounts, keys: u64) -> UnitNote {
        let Stats { attempts, moves, tours, closed } = counts.stats;
        let noted = |(name, reading): (&str, Reading)| {
            let noted = match reading {
                Reading::Count(n) => NotedReading::Count(n),
                Reading::Spread { times, sum, min, max } => {
                    NotedReading::Spread(times, Some(sum), Some(min), Some(max))
                }
            };
            (name.to_string(), noted)
        };
        let readings = counts.readings.iter().map(noted).collect();
        let (kept, Ends { unproved, limit }) = (counts.kept, counts.ends);
        UnitNote { attempts, moves, tours, closed, kept, keys, readings, unproved, limit }
    }

    /// Reads a note.
    pub(super) fn read(note: &Value) -> UnitNote {
        UnitNote::deserialize(note).unwrap_or_default()
    }

    /// Returns what the unit counted, but for the solver's readings.
    pub(super) fn stats(&self) -> Stats {
        let UnitNote { attempts, moves, tours, closed, .. } = *self;
        Stats { attempts, moves, tours, closed }
    }

    /// Returns what the unit counted, with the readings of the measures that its solver declares.
    pub(super) fn counts(&self, measures: &'static [Measure]) -> GroupCounts {
        let mut readings = Readings::default();
        for measure in measures {
            let reading = match self.readings.get(measure.name) {
                Some(&NotedReading::Count(n)) => Reading::Count(n),
                Some(&NotedReading::Spread(times, sum, min, max)) => {
                    let [sum, min, max] = [sum, min, max].map(Option::unwrap_or_default);
                    Reading::Spread { times, sum, min, max }
                }
                None => continue,
            };
            readings.add(measure.name, reading);
        }
        let ends = Ends { unproved: self.unproved, limit: self.limit };
        GroupCounts { stats: self.stats(), kept: self.kept, readings, ends }
    }
}
