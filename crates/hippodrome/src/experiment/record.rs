//! What the runs of an experiment measured: small, and enough to judge every cell.

use super::Scale;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What an experiment measured.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Record {
    /// The experiment.
    pub id: String,
    /// `quick` or `full`.
    pub scale: String,
    /// Version of the library.
    pub version: String,
    /// Master seed.
    pub seed: u64,
    /// A checksum of the definition it was run by.
    pub definition: String,
    /// The runs of each probe.
    pub probes: BTreeMap<String, Vec<Measured>>,
}

/// What one run measured, by name.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Measured {
    /// Board and start square.
    pub of: String,
    /// Seed.
    pub seed: u64,
    /// Attempts, tours, and so on.
    pub values: BTreeMap<String, f64>,
}

impl Record {
    /// The values that a cell asks for, one a run; none if its probe was left out.
    fn values(&self, path: &str) -> Option<Vec<f64>> {
        let (probe, measure) = path.split_once('.')?;
        let runs = self.probes.get(probe)?;
        // What a run did not see, such as a start square without a tour, it has none of.
        Some(runs.iter().map(|run| run.values.get(measure).copied().unwrap_or(0.0)).collect())
    }

    /// The value asked for, such as `most ga.distinct`, and the values it is made of.
    pub fn ask(&self, asked: &str) -> Option<(f64, Vec<f64>)> {
        let (how, path) = asked.rsplit_once(' ').unwrap_or(("mean", asked));
        let values = self.values(path)?;
        let number = values.len().max(1) as f64;
        let value = match how {
            "sum" => values.iter().sum(),
            "least" => values.iter().copied().fold(f64::INFINITY, f64::min),
            "most" => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            "failed" => values.iter().filter(|v| **v == 0.0).count() as f64 / number,
            _ => values.iter().sum::<f64>() / number,
        };
        Some((value, values))
    }

    /// Whether it is of this scale.
    pub fn is_of(&self, scale: Scale) -> bool {
        self.scale == scale.name()
    }
}
