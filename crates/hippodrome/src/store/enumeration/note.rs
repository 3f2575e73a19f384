//! The counts of one unit of an enumeration, as stored in its result.

use crate::lab::enumerate::GroupCounts;
use crate::search::{Ends, Measure, Reading, Readings, Stats};
use crate::store::{Sealed, StoreError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The note of a unit, stored with its keys. Missing fields count as zero.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct UnitNote {
    #[serde(flatten)]
    pub(super) stats: Stats,
    kept: u64,
    /// Number of keys in the unit's runs.
    pub(super) keys: u64,
    readings: BTreeMap<String, NotedReading>,
    #[serde(flatten)]
    ends: Ends,
}

/// A stored reading: either a count, or the number of values with their sum, minimum and maximum, each of
/// which is null unless it is finite.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum NotedReading {
    Count(u64),
    Spread(u64, Option<f64>, Option<f64>, Option<f64>),
}

impl UnitNote {
    /// Makes a note from the counts and the number of keys.
    pub(super) fn new(counts: &GroupCounts, keys: u64) -> UnitNote {
        let noted = |(name, reading): (&str, Reading)| {
            let noted = match reading {
                Reading::Count(n) => NotedReading::Count(n),
                Reading::Spread { times, sum, min, max } => {
                    NotedReading::Spread(times, Some(sum), Some(min), Some(max))
                }
            };
            (name.to_string(), noted)
        };
        let GroupCounts { stats, kept, ref readings, ends } = *counts;
        UnitNote { stats, kept, keys, readings: readings.iter().map(noted).collect(), ends }
    }

    /// Reads the note of a unit's result. A malformed note is an error: if its counts were read as zero, they
    /// would seem to prove that there are no tours.
    pub(super) fn of(sealed: &Sealed) -> Result<UnitNote, StoreError> {
        UnitNote::deserialize(&sealed.note["note"])
            .map_err(|_| StoreError::damaged(&sealed.path, "its note is malformed"))
    }

    /// Returns the unit's counts, including the readings for the measures that its solver declares.
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
        GroupCounts { stats: self.stats, kept: self.kept, readings, ends: self.ends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(note: Value) -> Result<UnitNote, StoreError> {
        let note = json!({ "unit": 0, "whole": true, "note": note });
        UnitNote::of(&Sealed { path: "job/units/00000000.unit".into(), note, sections: Vec::new() })
    }

    #[test]
    fn missing_fields_count_as_zero() {
        let note = read(json!({ "tours": 3, "keys": 2, "of_later_versions": [] })).unwrap();
        let Stats { attempts, tours, .. } = note.stats;
        assert_eq!((attempts, tours, note.keys, note.kept), (0, 3, 2, 0));
    }

    #[test]
    fn a_malformed_note_is_damage() {
        for note in [
            json!(null),
            json!("done"),
            json!([1, 2]),
            json!({ "tours": "3" }),
            json!({ "keys": -1 }),
            json!({ "readings": { "depth": "deep" } }),
        ] {
            let error = read(note.clone()).map(drop).unwrap_err();
            assert!(error.is_damage(), "{note}");
            let message = "job/units/00000000.unit is damaged: its note is malformed";
            assert_eq!(error.to_string(), message);
        }
    }
}
