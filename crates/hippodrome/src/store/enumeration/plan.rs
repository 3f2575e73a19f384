//! What of an enumeration's job may change: its budget, which only grows, and how its units are grouped.

use crate::error::Argument;
use crate::lab::enumerate::{Enumeration, count_units};
use crate::problem::Problem;
use crate::search::{Budget, Prepared};
use crate::store::{Identity, JobFolder, StoreError};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Moves that make a unit worth a file of its own: some seconds of work.
const UNIT_MOVES: u64 = 100_000_000;
/// A job with an end has at most this many units at first: files that a folder lists in a moment,
const MOST_UNITS: u64 = 1024;
/// and at least this many, if the solver has as many: enough for the cores of a machine.
const FEWEST_UNITS: u64 = 64;
/// Most units of the solver in one of an endless job: its first unit ends within minutes.
const MOST_GROUPED: u64 = 1 << 16;

/// How a run of a job differs from the one before. What is left out stays as it is.
#[derive(Clone, Debug, Default)]
pub struct JobChange {
    /// What the caller takes the job to be, field by field; a folder of another job is refused. See
    /// [`restated`](crate::store::restated).
    pub restated: Identity,
    /// Asks for every tour: no limits but those given here.
    pub all: bool,
    /// Limits, which may only grow; that of time is for this run alone.
    pub budget: Budget,
    /// Number of threads.
    pub threads: Option<usize>,
    /// Memory in bytes.
    pub memory: Option<usize>,
    /// Folder for tables that take long to make.
    pub tables: Option<PathBuf>,
}

impl JobChange {
    /// Changes the enumeration of a folder, unless that would undo work.
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

/// What `job.json` keeps of an enumeration beside its identity.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct EnumerationPlan {
    attempts: Option<u64>,
    attempts_per_start: Option<u64>,
    moves: Option<u64>,
    /// Units of the solver in one of the job's.
    pub(super) group: Option<u64>,
}

impl EnumerationPlan {
    pub(super) fn new(budget: &Budget, group: u64) -> EnumerationPlan {
        let Budget { attempts, attempts_per_start, moves, .. } = *budget;
        EnumerationPlan { attempts, attempts_per_start, moves, group: Some(group) }
    }

    /// Reads the plan of a folder. One of another form is damage: taken for nothing, it would lift every limit.
    pub(super) fn of(folder: &JobFolder) -> Result<EnumerationPlan, StoreError> {
        let file = folder.path().join("job.json");
        EnumerationPlan::deserialize(folder.plan())
            .map_err(|_| StoreError::damaged(&file, "its plan has another form"))
    }

    pub(super) fn budget(&self) -> Budget {
        let EnumerationPlan { attempts, attempts_per_start, moves, .. } = *self;
        Budget { attempts, attempts_per_start, moves, ..Budget::UNLIMITED }
    }
}

/// Returns how many of the solver's units make one of the job's, and the number of these, if there is an end to
/// them. `group` is the number until now, of a job whose budget may have grown.
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
    // The same grouping, unless its files would be too many. Results of another grouping count as unfinished, so
    // that this costs what little was done.
    let group = match (group.map(|group| group.max(1)), units) {
        (None, _) => fresh(),
        (Some(group), Some(n)) if n.div_ceil(group) <= 16 * MOST_UNITS => group,
        (Some(group), Some(_)) => fresh().max(group),
        // Larger groups of endless jobs were made by mistake: none of their units ever ended.
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
    fn a_plan_of_another_form_is_damage_and_stays_as_it_is() {
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
            let told = resumed.map(drop).unwrap_err().to_string();
            assert!(told.ends_with("job.json is damaged: its plan has another form"), "{told}");
            assert_eq!(fs::read(path.join("job.json")).unwrap(), before);
        }
        fs::remove_dir_all(path).unwrap();
    }
}
