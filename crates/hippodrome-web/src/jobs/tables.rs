//! The tables of solvers. They are built one at a time, because they can be large, and are shared by all
//! jobs.

use super::{Job, failed, interrupted};
use crate::remedy::message;
use hippodrome::problem::Problem;
use hippodrome::search::Resources;
use hippodrome::solvers::registry::Choice;
use hippodrome::uniform::{Sampler, cache_folder, in_use, shared_table};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// Time between two checks of whether another job has finished building its table.
const POLL: Duration = Duration::from_millis(10);

/// Locked while a table is being built.
static BUILDING: Mutex<()> = Mutex::new(());

/// Returns the table of a problem, either shared or newly built. Publishes what the job is waiting for in the
/// meantime.
pub(super) fn table(job: &Job, problem: &Problem, memory: usize) -> Result<Arc<Sampler>, String> {
    job.keep_table();
    if let Some(found) = in_use(problem) {
        return Ok(found);
    }
    let _building = turn(job)?;
    job.publish_state(&json!({ "state": "running", "doing": "table" }));
    let stop = || job.is_stopped();
    let folder = cache_folder();
    let resources =
        Resources { memory, threads: 1, stop: &stop, cache: folder.as_deref(), progress: None };
    shared_table(problem, &resources).map_err(|e| message(&e))
}

/// Builds a table if one of the solvers needs one. `Err` contains the final state of the job.
pub(super) fn table_if_needed<'c>(
    job: &Job,
    problem: &Problem,
    choices: impl IntoIterator<Item = &'c Choice>,
) -> Result<Option<Arc<Sampler>>, Value> {
    let Some(memory) = choices.into_iter().find_map(Choice::table_memory) else {
        return Ok(None);
    };
    match table(job, problem, memory) {
        Err(_) if job.is_stopped() => Err(interrupted()),
        Err(error) => Err(failed(error)),
        Ok(table) => {
            job.publish_state(&json!({ "state": "running" }));
            Ok(Some(table))
        }
    }
}

/// Waits until no other job is building a table, or until this job is stopped.
fn turn(job: &Job) -> Result<MutexGuard<'static, ()>, String> {
    let mut published = false;
    loop {
        match BUILDING.try_lock() {
            Ok(turn) => return Ok(turn),
            Err(TryLockError::Poisoned(turn)) => return Ok(turn.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
        if job.is_stopped() {
            return Err("stopped while another table was built".into());
        }
        if !published {
            published = true;
            job.publish_state(&json!({ "state": "running", "doing": "turn" }));
        }
        std::thread::sleep(POLL);
    }
}

/// Blocks the building of tables, so that a test can see jobs wait for it.
#[cfg(test)]
pub(super) fn hold_turn() -> MutexGuard<'static, ()> {
    BUILDING.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::super::race::RaceRequest;
    use super::super::tests::{last, until};
    use super::super::watch::WatchRequest;
    use super::super::{Jobs, Submission, Task};
    use super::*;
    use crate::limits::Limits;

    fn task(submission: Submission) -> Task {
        let Submission::Task(task) = submission else { panic!("it is possible") };
        task
    }

    #[test]
    fn a_watch_and_a_race_can_be_stopped_while_they_wait_for_a_table() {
        let limits = Limits::default();
        let jobs = Jobs::new(limits);
        let other = hold_turn();
        let watch = r#"{"ground":{"board":"4x7"},"method":{"solver":"uniform"},"pinned":true}"#;
        let watch: WatchRequest = serde_json::from_str(watch).unwrap();
        let race = r#"{"ground":{"board":"4x7"},"entrants":[{"solver":"uniform"}],
            "spending":{"attempts":"1000"},"runs":1}"#;
        let race: RaceRequest = serde_json::from_str(race).unwrap();
        for task in [
            task(watch.prepare(limits.memory).unwrap()),
            task(race.prepare(limits.memory).unwrap()),
        ] {
            let job = jobs.submit(task).unwrap();
            until(|| last(&job).contains("turn"));
            jobs.stop(&job);
            until(|| last(&job).contains("interrupted"));
        }
        drop(other);
    }
}
