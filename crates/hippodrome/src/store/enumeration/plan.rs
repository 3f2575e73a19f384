//! The settings of an enumeration's job that may change: the budget, which can only grow, and the grouping of
//! solver units into units of the job.

use crate::error::Argument;
use crate::lab::enumerate::{Enumeration, count_units};
use crate::problem::Problem;
use crate::search::{Budget, Prepared};
use crate::store::{Identity, JobFolder, StoreError};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Number of moves that make a unit worth a file of its own: a few seconds of work.
const UNIT_MOVES: u64 = 100_000_000;
/// Largest number of units with which a finite job begins: listing a folder of this size is fast.
const MOST_UNITS: u64 = 1024;
/// Smallest number of units, unless the solver has fewer: enough to keep all cores of a machine busy.
const FEWEST_UNITS: u64 = 64;
/// Largest number of solver units per unit of an endless job, so that its first unit ends within minutes.
const MOST_GROUPED: u64 = 1 << 16;

/// Changes to a job when it is resumed. A field without a value keeps the job's setting.
#[derive(Clone, Debug, Default)]
pub struct JobChange {
    /// Fields of the job that the caller states again; a folder whose job differs in them is rejected. See
    /// [`restated`](crate::store::restated).
    pub restated: Identity,
    /// Whether to find every tour, without limits except those given here.
    pub all: bool,
    /// New limits, which may only be larger than before; the time limit applies to this run only.
    pub budget: Budget,
    /// New number of threads.
    pub threads: Option<usize>,
    /// New memory limit in bytes.
    pub memory: Option<usize>,
    /// Cache folder for tables.
    pub tables: Option<PathBuf>,
}

impl JobChange {
    /// Applies the changes to the enumeration of a folder. Returns an error if a limit would become smaller.
    pub(super) fn apply(self, run: &mut Enumeration, folder: &JobFolder) -> Result<(), StoreError> {
        let before = run.budget;
        if self.all {
            (run.all, run.budget) = (true, Budget::UNLIMITED);
        }
        let (given, kept) = (self.budget, run.budget);
        run.budget = Budget {
            attempts: given.attempts.or(kept.attempts),
            attempts_per_start: given.attempts_per_start.or(kept.attempts_per_start),
            moves: given.moves.or(kept.moves),
            ..given
        };
        let limits = |b: &Budget| {
            [
                (Argument::Attempts, b.attempts),
                (Argument::AttemptsPerStart, b.attempts_per_start),
                (Argument::Moves, b.moves),
            ]
        };
        for ((argument, before), (_, now)) in limits(&before).into_iter().zip(limits(&run.budget)) {
            if now.unwrap_or(u64::MAX) < before.unwrap_or(u64::MAX) {
                let path = folder.path().display().to_string();
                return Err(StoreError::Smaller { path, argument, before });
            }
        }
        run.threads = self.threads.unwrap_or(run.threads);
        run.memory = self.memory.unwrap_or(run.memory);
        run.tables = self.tables;
        Ok(())
    }
}

/// The plan of an enumeration in `job.json`, stored beside its identity.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct EnumerationPlan {
    attempts: Option<u64>,
    attempts_per_start: Option<u64>,
    moves: Option<u64>,
    /// Number of solver units per unit of the job.
    pub(super) group: Option<u64>,
}

impl EnumerationPlan {
    pub(super) fn new(budget: &Budget, group: u64) -> EnumerationPlan {
        let Budget { attempts, attempts_per_start, moves, .. } = *budget;
        EnumerationPlan { attempts, attempts_per_start, moves, group: Some(group) }
    }

    /// Reads the plan of a folder. A malformed plan is an error: treating it as empty would lift every limit.
    pub(super) fn of(folder: &JobFolder) -> Result<EnumerationPlan, StoreError> {
        let file = folder.path().join("job.json");
        EnumerationPlan::deserialize(folder.plan())
            .map_err(|_| StoreError::damaged(&file, "its plan is malformed"))
    }

    pub(super) fn budget(&self) -> Budget {
        let EnumerationPlan { attempts, attempts_per_start, moves, .. } = *self;
        Budget { attempts, attempts_per_start, moves, ..Budget::UNLIMITED }
    }
}

/// Returns the number of solver units per unit of the job and, if it is finite, the number of units of the
/// job. `group` is the current grouping of a job whose budget may have grown.
pub(super) fn grouping(
    prepared: &dyn Prepared,
    problem: &Problem,
    budget: &Budget,
    group: Option<u64>,
) -> (u64, Option<u64>) {
    let units = count_units(prepared, budget);
    let fresh = || {
        let attempts = prepared.allot(0, budget).map_or(u64::MAX, |share| share.attempts);
        let moves = attempts.saturating_mul(problem.graph().order() as u64);
        let worth = UNIT_MOVES.div_ceil(moves.max(1));
        match units {
            Some(n) => worth.clamp(n.div_ceil(MOST_UNITS).max(1), n.div_ceil(FEWEST_UNITS).max(1)),
            None => worth.min(MOST_GROUPED),
        }
    };
    // Keep the grouping unless it makes too many files. Results of another grouping count as unfinished, so a
    // change repeats the work done so far.
    let group = match (group.map(|group| group.max(1)), units) {
        (None, _) => fresh(),
        (Some(group), Some(n)) if n.div_ceil(group) <= 16 * MOST_UNITS => group,
        (Some(group), Some(_)) => fresh().max(group),
        // An earlier version made larger groups for endless jobs, whose units never ended.
        (Some(group), None) if group > MOST_GROUPED => fresh(),
        (Some(group), None) => group,
    };
    (group, units.map(|n| n.div_ceil(group)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;

    #[test]
    fn a_malformed_plan_is_damage_and_stays_unchanged() {
        let name = format!("hippodrome-{}-plan", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        let identity = Identity::new();
        let mut folder = JobFolder::create(&path, ("enumeration", identity), json!({})).unwrap();
        let plan = EnumerationPlan::of(&folder).unwrap();
        assert_eq!((plan.attempts, plan.group), (None, None));
        for plan in [json!(null), json!("all"), json!({ "attempts": "9" }), json!({ "group": -1 })]
        {
            folder.revise(plan.clone()).unwrap();
            let before = fs::read(path.join("job.json")).unwrap();
            let (change, control) = (JobChange::default(), Default::default());
            let resumed = super::super::EnumerationJob::resume(&mut folder, change, &control);
            let message = resumed.map(drop).unwrap_err().to_string();
            assert!(message.ends_with("job.json is damaged: its plan is malformed"), "{message}");
            assert_eq!(fs::read(path.join("job.json")).unwrap(), before);
        }
        fs::remove_dir_all(path).unwrap();
    }
}
