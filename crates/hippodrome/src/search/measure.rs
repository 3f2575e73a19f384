//! Measures that a solver reports beyond attempts, moves and tours.
//!
//! A measure is declared in the solver's [`Info`](crate::search::Info). Each unit takes its own readings, and
//! the readings are added up in unit order, so the totals do not depend on the number of threads. A unit that
//! is stopped early because enough tours were found contributes no readings.

/// The declaration of a measure.
#[derive(Debug)]
pub struct Measure {
    /// Name of the measure, with its words joined by underscores, as in JSON.
    pub name: &'static str,
    /// One sentence that says what is measured.
    pub help: &'static str,
}

/// The value of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// A count.
    Count(u64),
    /// Samples of a quantity, summarised.
    Spread {
        /// Number of samples.
        times: u64,
        /// Sum of the samples.
        sum: f64,
        /// Smallest sample.
        min: f64,
        /// Largest sample.
        max: f64,
    },
}

impl Reading {
    fn add(&mut self, other: Reading) {
        match (self, other) {
            (Reading::Count(n), Reading::Count(more)) => *n += more,
            (
                Reading::Spread { times, sum, min, max },
                Reading::Spread { times: others, sum: more, min: least, max: most },
            ) => {
                *times += others;
                *sum += more;
                *min = min.min(least);
                *max = max.max(most);
            }
            // A measure is either counted or sampled.
            (this, other) => debug_assert!(false, "{this:?} and {other:?}"),
        }
    }
}

/// Readings by name, in the order in which they were first taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readings(Vec<(&'static str, Reading)>);

impl Readings {
    /// Adds `n` to the count of a measure.
    pub fn count(&mut self, measure: &Measure, n: u64) {
        self.add(measure.name, Reading::Count(n));
    }

    /// Adds one sample to a measure.
    pub fn sample(&mut self, measure: &Measure, x: f64) {
        self.add(measure.name, Reading::Spread { times: 1, sum: x, min: x, max: x });
    }

    /// Adds the readings of another unit.
    pub fn merge(&mut self, other: &Readings) {
        other.0.iter().for_each(|&(name, reading)| self.add(name, reading));
    }

    /// Adds a reading to the reading of the same name.
    pub(crate) fn add(&mut self, name: &'static str, reading: Reading) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => sum.add(reading),
            None => self.0.push((name, reading)),
        }
    }

    /// Iterates over names and readings.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Reading)> + '_ {
        self.0.iter().copied()
    }

    /// Returns the reading of a measure, if there is one.
    pub fn get(&self, measure: &Measure) -> Option<Reading> {
        self.iter().find(|(name, _)| *name == measure.name).map(|(_, reading)| reading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESTS: Measure = Measure { name: "rests", help: "" };
    const LENGTH: Measure = Measure { name: "length", help: "" };

    #[test]
    fn the_readings_of_units_add_up() {
        let (mut one, mut two) = (Readings::default(), Readings::default());
        one.count(&RESTS, 2);
        two.sample(&LENGTH, 3.0);
        two.sample(&LENGTH, 1.5);
        two.count(&RESTS, 5);
        one.merge(&two);
        assert_eq!(one.get(&RESTS), Some(Reading::Count(7)));
        let spread = Reading::Spread { times: 2, sum: 4.5, min: 1.5, max: 3.0 };
        assert_eq!(one.get(&LENGTH), Some(spread));
        assert_eq!(one.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["rests", "length"]);
    }
}
