//! What a unit of an enumeration has counted, as its record keeps it.

use crate::search::{End, Measure, Reading, Readings, Stats};
use serde_json::{Map, Value, json};

/// What a unit has counted.
#[derive(Default)]
pub(in crate::store) struct Note {
    pub(in crate::store) stats: Stats,
    /// Tours that were to be kept, repeats included.
    pub(in crate::store) kept: u64,
    /// Keys in its runs.
    pub(in crate::store) keys: u64,
    pub(in crate::store) readings: Readings,
    pub(in crate::store) unproved: bool,
    pub(in crate::store) limit: bool,
}

impl Note {
    pub(super) fn add(&mut self, stats: Stats, readings: &Readings, end: End) {
        self.stats += stats;
        self.readings.merge(readings);
        match end {
            End::Exhausted { proof } => self.unproved |= !proof,
            End::Limit => self.limit = true,
        }
    }

    pub(super) fn write(&self) -> Value {
        let Stats { attempts, moves, tours, closed } = self.stats;
        let reading = |reading: Reading| match reading {
            Reading::Count(n) => json!(n),
            Reading::Spread { times, sum, min, max } => json!([times, sum, min, max]),
        };
        let readings: Map<String, Value> =
            self.readings.iter().map(|(name, r)| (name.into(), reading(r))).collect();
        json!({
            "attempts": attempts, "moves": moves, "tours": tours, "closed": closed,
            "kept": self.kept, "keys": self.keys, "readings": readings,
            "unproved": self.unproved, "limit": self.limit,
        })
    }

    pub(super) fn read(note: &Value) -> Note {
        let number = |key: &str| note[key].as_u64().unwrap_or(0);
        let (attempts, moves) = (number("attempts"), number("moves"));
        let (tours, closed) = (number("tours"), number("closed"));
        Note {
            stats: Stats { attempts, moves, tours, closed },
            kept: number("kept"),
            keys: number("keys"),
            readings: Readings::default(),
            unproved: note["unproved"] == true,
            limit: note["limit"] == true,
        }
    }

    /// A note, with the readings of the measures that a solver declares.
    pub(in crate::store) fn recall(note: &Value, measures: &'static [Measure]) -> Note {
        let mut whole = Note::read(note);
        for measure in measures {
            let reading = match &note["readings"][measure.name] {
                Value::Array(spread) => {
                    let real = |i: usize| spread.get(i).and_then(Value::as_f64).unwrap_or(0.0);
                    let times = spread.first().and_then(Value::as_u64).unwrap_or(0);
                    Reading::Spread { times, sum: real(1), min: real(2), max: real(3) }
                }
                Value::Number(n) => Reading::Count(n.as_u64().unwrap_or(0)),
                _ => continue,
            };
            whole.readings.add(measure.name, reading);
        }
        whole
    }
}
