//! Jobs, their folders, and a way to run their missing units on this machine.

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

/// A list of numbered, independent, idempotent units, and a way to merge their results. Jobs do not depend on
/// solvers.
pub trait Job: Sync {
    /// The result of merging.
    type Summary;

    /// Returns the kind of the job, in one word.
    fn kind(&self) -> &'static str;

    /// Returns the identity of the job. Settings that may change when the job is resumed (a growing budget,
    /// threads, memory) are not part of it.
    fn identity(&self) -> Identity;

    /// Returns the number of units; `u64::MAX` for an endless job.
    fn units(&self) -> u64;

    /// Returns the terms of a unit: the settings that affect its result but are not part of the identity,
    /// such as its share of the budget. A result with other terms is kept until the unit is run again.
    fn terms(&self, unit: u64) -> Value {
        let _ = unit;
        Value::Null
    }

    /// Runs one unit and writes its result. Unless `watch` stops it, the same unit with the same memory limit
    /// gives the same bytes on any machine. With another memory limit the bytes may differ, but the merged
    /// table is the same.
    fn run_unit(
        &self,
        unit: u64,
        out: &mut SealedWriter<'_>,
        watch: JobMonitor<'_>,
    ) -> Result<UnitResult, StoreError>;

    /// Merges the existing results (see [`JobFolder::results`]) and writes the record.
    fn merge(&self, folder: &JobFolder, watch: JobMonitor<'_>)
    -> Result<Self::Summary, StoreError>;
}

/// The outcome of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitResult {
    /// Whether the unit finished. An interrupted unit is run again later; its result is kept until then.
    pub whole: bool,
    /// A measure of the unit's progress. The result of an interrupted unit does not replace an earlier result
    /// with the same or more progress.
    pub reached: u64,
    /// Further data to store with the result's sections.
    pub note: Value,
}
