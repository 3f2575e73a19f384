//! The tables of solvers. They are built one at a time, because they can be large, and are shared by all
//! jobs.

use super::{Job, failed, interrupted};
use crate::remedy::message;
use hippodrome::problem::Problem;
use hippodrome::search::{Progress, Resources};
use hippodrome::solvers::registry::Choice;
use hippodrome::uniform::{Sampler, cache_folder, in_use, shared_table};
use serde_json::{Value, json};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// Time between two checks of whether another job has finished building its table.
const POLL: Duration = Duration::from_millis(10);
/// Time between two reports of a table that is being built or waited for, so that viewers see that it goes on.
const REPORT_INTERVAL: Duration = Duration::from_millis(400);

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
    let construction = Construction::new();
    job.publish_state(&construction.state());
    let stop = || job.is_stopped();
    let folder = cache_folder();
    let progress = Some(&construction as &dyn Progress);
    let resources =
        Resources { memory, threads: 1, stop: &stop, cache: folder.as_deref(), progress };
    std::thread::scope(|scope| {
        // The sender is dropped inside the scope, even if the construction panics, which ends the reports.
        let (finished, waiting) = channel::<()>();
        let construction = &construction;
        scope.spawn(move || {
            while waiting.recv_timeout(REPORT_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                job.publish_state(&construction.state());
            }
        });
        let made = shared_table(problem, &resources);
        drop(finished);
        made.map_err(|e| message(&e))
    })
}

/// The progress of a table that is being built.
struct Construction {
    begun: Instant,
    known: Mutex<KnownProgress>,
}

/// What the library has reported about the table.
#[derive(Clone, Copy, Default)]
struct KnownProgress {
    /// The cost of all steps and of those that are finished.
    cost: (f64, f64),
    /// Upper bound on the size of the table in bytes, known after the first third.
    bytes: Option<u64>,
}

impl Construction {
    fn new() -> Construction {
        Construction { begun: Instant::now(), known: Mutex::default() }
    }

    fn change(&self, change: impl FnOnce(&mut KnownProgress)) {
        change(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Returns the state to publish.
    fn state(&self) -> Value {
        let KnownProgress { cost: (all, done), bytes } =
            *self.known.lock().unwrap_or_else(PoisonError::into_inner);
        json!({
            "state": "running",
            "doing": "table",
            "bytes": bytes,
            "share": (all > 0.0).then(|| (done / all).min(1.0)),
            "seconds": self.begun.elapsed().as_secs_f64(),
        })
    }
}

impl Progress for Construction {
    fn expect(&self, cost: f64) {
        self.change(|known| known.cost.0 += cost);
    }

    fn step(&self, cost: f64, _states: u64) {
        self.change(|known| known.cost.1 += cost);
    }

    fn forecast(&self, bytes: u64) {
        self.change(|known| known.bytes = Some(bytes));
    }
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
    let begun = Instant::now();
    let mut reported: Option<Instant> = None;
    loop {
        match BUILDING.try_lock() {
            Ok(turn) => return Ok(turn),
            Err(TryLockError::Poisoned(turn)) => return Ok(turn.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
        if job.is_stopped() {
            return Err("stopped while another table was built".into());
        }
        if reported.is_none_or(|at| at.elapsed() >= REPORT_INTERVAL) {
            reported = Some(Instant::now());
            let seconds = begun.elapsed().as_secs_f64();
            let state = json!({ "state": "running", "doing": "turn", "seconds": seconds });
            job.publish_state(&state);
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
    use crate::spec::ProblemSpec;

    #[test]
    fn a_table_in_construction_reports_its_share_and_then_its_size() {
        let construction = Construction::new();
        let state = construction.state();
        assert_eq!((&state["doing"], &state["share"]), (&json!("table"), &Value::Null));
        construction.expect(4.0);
        construction.step(1.0, 10);
        assert_eq!(construction.state()["share"], 0.25);
        assert_eq!(construction.state()["bytes"], Value::Null);
        construction.forecast(1 << 30);
        construction.step(4.0, 10);
        let state = construction.state();
        assert_eq!((&state["share"], &state["bytes"]), (&json!(1.0), &json!(1u64 << 30)));
        assert!(state["seconds"].as_f64() >= Some(0.0));
    }

    #[test]
    fn the_forecast_of_a_table_is_an_upper_bound_of_its_size() {
        let problem: ProblemSpec =
            serde_json::from_str(r#"{"board":"6x6","closed":true}"#).unwrap();
        let construction = Construction::new();
        let resources = Resources { progress: Some(&construction), ..Resources::on(1) };
        let table = Sampler::new(&problem.problem().unwrap(), &resources).unwrap();
        let state = construction.state();
        let bytes = state["bytes"].as_u64().unwrap();
        assert!(bytes >= table.bytes() as u64, "{bytes}");
        assert!(state["share"].as_f64() > Some(0.9), "{state}");
    }

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
        for task in
            [task(watch.prepare(limits.memory).unwrap()), task(race.prepare(&limits).unwrap())]
        {
            let job = jobs.submit(task).unwrap();
            until(|| last(&job).contains("turn"));
            jobs.stop(&job);
            until(|| last(&job).contains("interrupted"));
        }
        drop(other);
    }
}
