//! What a job is, the folder that keeps it, and how its missing units are run on this machine.

mod folder;
mod run;
#[cfg(test)]
mod tests;

pub use folder::{FORMAT, Identity, JobFolder, MissingUnits, UnitState};
pub use run::{Ran, complete, run_missing, run_unit};

use super::StoreError;
use super::monitor::JobMonitor;
use super::sealed::SealedWriter;
use serde_json::Value;

/// A list of numbered, independent, idempotent units, and a way to merge their results. An
/// enumeration is one, a count may be; nothing here knows a solver.
pub trait Job: Sync {
    /// What merging gives.
    type Summary;

    /// What kind of job it is, in a word.
    fn kind(&self) -> &'static str;

    /// What identifies it, name by name. What may change while the job goes on (a budget that
    /// grows, threads, memory) has no place here.
    fn identity(&self) -> Identity;

    /// Number of units; `u64::MAX` if they go on until stopped.
    fn units(&self) -> u64;

    /// What a unit is run with beyond the identity, such as its share of the budget. A result of
    /// other terms is kept until the unit is done again.
    fn terms(&self, unit: u64) -> Value {
        let _ = unit;
        Value::Null
    }

    /// Runs one unit and writes its result. The same unit with the same memory gives the same bytes
    /// on any machine, at any time and beside any other work, unless `watch` stops it; and the same merged
    /// table with any memory.
    fn run_unit(
        &self,
        unit: u64,
        out: &mut SealedWriter<'_>,
        watch: JobMonitor<'_>,
    ) -> Result<UnitResult, StoreError>;

    /// Merges the results that there are, see [`JobFolder::results`], and writes the record.
    fn merge(&self, folder: &JobFolder, watch: JobMonitor<'_>)
    -> Result<Self::Summary, StoreError>;
}

/// How a unit ended.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitResult {
    /// Whether it is whole; one that was stopped is done again later, and its result kept until then.
    pub whole: bool,
    /// How far it got. One that was stopped does not replace a result that is as far.
    pub reached: u64,
    /// What to note of it beside its sections.
    pub note: Value,
}
