//! A gallery: a few dozen tours with a chosen property, drawn uniformly or found by a solver.

use super::fill::Fill;
use super::tables::table;
use super::{Job, Submission, Task, UPDATE_INTERVAL, failed};
use crate::api_error::ApiError;
use crate::limits::{Limits, MAX_GALLERY_TOURS};
use crate::remedy::message;
use crate::snapshot::Topic;
use crate::spec::{ProblemSpec, SolverSpec, impossible};
use crate::tours::describe;
use hippodrome::lab::enumerate::{Enumeration, TourFilter};
use hippodrome::problem::Problem;
use hippodrome::search::{Budget, Status};
use hippodrome::tour::Verified;
use hippodrome::uniform::{NAME as UNIFORM, TourStream};
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Time limit of a search whose gallery can be filled with other tours of the kind.
const FILLED_AFTER: Duration = Duration::from_secs(4);

/// A request for a gallery.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SampleRequest {
    ground: ProblemSpec,
    /// The solver. If it is not given, tours are drawn uniformly.
    method: Option<SolverSpec>,
    #[serde(default)]
    seed: u64,
    tours: u64,
    /// The name of a filter in [`TourFilter::CHOICES`]. If it is empty or not given, all tours are kept.
    #[serde(default)]
    keep: Option<String>,
}

impl SampleRequest {
    /// Checks the request.
    pub(crate) fn prepare(self, limits: &Limits) -> Result<Submission, ApiError> {
        let (memory, time) = (limits.memory, limits.drawing);
        if !(1..=MAX_GALLERY_TOURS).contains(&self.tours) {
            return Err(ApiError::too_large(format!(
                "invalid number of tours {}: expected 1 to {MAX_GALLERY_TOURS}",
                self.tours
            )));
        }
        let keep = match self.keep.as_deref().filter(|name| !name.is_empty()) {
            None => None,
            Some(name) => {
                let found = TourFilter::CHOICES.iter().find(|(known, ..)| *known == name);
                let unknown = || ApiError::unprocessable(format!("unknown kind of tour '{name}'"));
                Some(found.ok_or_else(unknown)?.1)
            }
        };
        let problem = self.ground.small_problem()?;
        let choice = self.method.as_ref().map(|method| method.choice(memory)).transpose()?;
        let choice = choice.filter(|choice| choice.table_memory().is_none());
        if let Some(verdict) = impossible(&problem) {
            return Ok(Submission::Impossible(verdict));
        }
        let (seed, tours) = (self.seed, self.tours);
        let work = move |job: &Job| {
            let fill = Fill::new(&problem, keep, seed);
            let time = if fill.is_some() { time.min(FILLED_AFTER) } else { time };
            let mut gallery = Gallery { fill, ..Gallery::new(job, keep, tours, time) };
            let end = match choice {
                Some(choice) => {
                    let budget = Budget { time: Some(time), ..Budget::UNLIMITED };
                    let run = Enumeration::new(problem, choice);
                    gallery.enumerate(&Enumeration { seed, threads: 1, budget, ..run })
                }
                None => gallery.draw(&problem, seed, memory),
            };
            let end = gallery.fill_up(end);
            gallery.publish();
            match end {
                Err(_) if job.is_stopped() => gallery.done(Status::Interrupted.word()),
                end => end.unwrap_or_else(failed),
            }
        };
        let method = self.method.map_or_else(|| UNIFORM.to_string(), |method| method.typed());
        Ok(Submission::Task(Task::new("sample", &self.ground, &[method], seed, work)))
    }
}

/// The tours drawn so far.
struct Gallery<'j> {
    job: &'j Job,
    keep: Option<TourFilter>,
    wanted: u64,
    drawn: u64,
    tours: Vec<Value>,
    /// Tours for the places that the search leaves empty, if there are such.
    fill: Option<Fill>,
    /// Time limit, counted from `begun`.
    time: Duration,
    begun: Instant,
    published: Instant,
}

impl<'j> Gallery<'j> {
    fn new(job: &'j Job, keep: Option<TourFilter>, wanted: u64, time: Duration) -> Gallery<'j> {
        let now = Instant::now();
        let (drawn, tours, fill) = (0, Vec::new(), None);
        Gallery { job, keep, wanted, drawn, tours, fill, time, begun: now, published: now }
    }

    /// Adds a tour if it passes the filter. Returns `Break` when there are enough tours, the time is up, or
    /// the job is stopped.
    fn take(&mut self, tour: &Verified<'_>) -> ControlFlow<()> {
        self.drawn += 1;
        if self.keep.is_none_or(|keep| keep.keeps(tour)) {
            self.tours.push(describe(tour));
            if let Some(fill) = &mut self.fill {
                fill.exclude(tour.squares());
            }
        }
        if self.published.elapsed() > UPDATE_INTERVAL {
            self.publish();
        }
        let late = self.begun.elapsed() > self.time;
        let stopped = self.job.is_stopped();
        if self.is_full() || late || stopped {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn publish(&mut self) {
        self.published = Instant::now();
        let frame = json!({ "drawn": self.drawn, "wanted": self.wanted, "tours": self.tours });
        self.job.snapshot.publish(Topic::Frame, &frame);
    }

    fn is_full(&self) -> bool {
        self.tours.len() as u64 >= self.wanted
    }

    /// Fills the places that the search has left empty. A search that failed, because its table does not fit
    /// in memory for example, does not matter if there are tours to fill them.
    fn fill_up(&mut self, end: Result<Value, String>) -> Result<Value, String> {
        let Some(mut fill) = self.fill.take() else { return end };
        let found = self.tours.len();
        while !self.is_full() && !self.job.is_stopped() {
            let Some((tour, source)) = fill.next() else { break };
            let mut described = describe(&tour.view());
            described["shipped"] = json!(source);
            self.tours.push(described);
            if self.published.elapsed() > UPDATE_INTERVAL {
                self.publish();
            }
        }
        match self.tours.len() > found && !self.job.is_stopped() {
            true => Ok(self.done(if self.is_full() { "complete" } else { "limit" })),
            false => end,
        }
    }

    fn done(&self, status: &str) -> Value {
        json!({
            "state": "done",
            "status": status,
            "drawn": self.drawn,
            "seconds": self.begun.elapsed().as_secs_f64(),
        })
    }

    /// Builds a table and draws uniform tours from it.
    fn draw(&mut self, problem: &Problem, seed: u64, memory: usize) -> Result<Value, String> {
        let sampler = table(self.job, problem, memory)?;
        self.job.publish_state(&json!({ "state": "running", "doing": "draw" }));
        self.begun = Instant::now();
        let stream = TourStream { tours: u64::MAX, seed, threads: 1 };
        let control = self.job.control();
        let report = stream.run(&sampler, &control, &mut |tour| self.take(&tour));
        report.map_err(|e| message(&e))?;
        let status = if self.is_full() { "complete" } else { "limit" };
        Ok(self.done(status))
    }

    /// Adds the distinct tours that a solver finds, in the order in which it finds them.
    fn enumerate(&mut self, run: &Enumeration) -> Result<Value, String> {
        let control = self.job.control();
        let mut take = |tour: Verified<'_>| self.take(&tour);
        let summary = run.run(&control, Some(&mut take)).map_err(|e| message(&e))?;
        Ok(self.done(match summary.status {
            _ if self.is_full() => "complete",
            Status::Complete | Status::Exhausted => "exhausted",
            Status::Limit => "limit",
            status @ Status::Interrupted if self.job.is_stopped() => status.word(),
            Status::Interrupted => "limit",
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::Jobs;
    use crate::jobs::tables::hold_turn;
    use crate::jobs::tests::{last, until};
    use std::sync::Arc;

    fn submit(jobs: &Arc<Jobs>, limits: &Limits, text: &str) -> Arc<Job> {
        let sample: SampleRequest = serde_json::from_str(text).unwrap();
        let Submission::Task(task) = sample.prepare(limits).unwrap() else {
            panic!("it is possible")
        };
        jobs.submit(task).unwrap()
    }

    /// Waits for a job to end, and returns its final state.
    fn end(job: &Job) -> String {
        until(|| job.snapshot.since(0).closed);
        last(job)
    }

    #[test]
    fn a_gallery_that_waits_for_the_table_of_another_job_can_be_stopped() {
        let limits = Limits::default();
        let jobs = Jobs::new(limits);
        let other = hold_turn();
        let job = submit(&jobs, &limits, r#"{"ground":{"board":"5x7"},"tours":3}"#);
        until(|| last(&job).contains("turn"));
        jobs.stop(&job);
        assert!(end(&job).contains("interrupted"));
        drop(other);
        let job = submit(&jobs, &limits, r#"{"ground":{"board":"5x6"},"tours":3}"#);
        assert!(end(&job).contains("complete"));
    }

    #[test]
    fn a_gallery_of_a_rare_kind_is_filled_with_tours_that_say_their_source() {
        let limits = Limits { drawing: Duration::from_millis(200), ..Limits::default() };
        let jobs = Jobs::new(limits);
        for (ground, keep, method) in [
            (r#"{"board":"8x8","closed":true}"#, "symmetric", r#"{"solver":"ants-random"}"#),
            (r#"{"board":"8x8"}"#, "semi-magic", r#"{"solver":"warnsdorff"}"#),
            // The table does not fit in memory.
            (r#"{"board":"20x20","closed":true}"#, "symmetric", "null"),
        ] {
            let text = format!(
                r#"{{"ground":{ground},"method":{method},"tours":5,"keep":"{keep}","seed":3}}"#
            );
            let job = submit(&jobs, &limits, &text);
            let end = end(&job);
            assert!(end.contains("complete"), "{text}: {end}");
            let texts = job.snapshot.since(0).texts;
            let frame = texts.iter().find(|text| text.starts_with(b"event: frame")).unwrap();
            let data = std::str::from_utf8(frame).unwrap().split_once("data: ").unwrap().1;
            let frame: Value = serde_json::from_str(data).unwrap();
            let tours = frame["tours"].as_array().unwrap();
            assert_eq!(tours.len(), 5, "{text}");
            let is_kind = |tour: &Value| match keep {
                "symmetric" => tour["symmetry"] != "none",
                _ => tour["magic"] != "none",
            };
            assert!(tours.iter().all(|tour| is_kind(tour) && tour["shipped"].is_string()));
        }
    }

    #[test]
    fn a_gallery_without_tours_ends_at_its_time_limit() {
        let limits = Limits { drawing: Duration::from_millis(300), ..Limits::default() };
        let jobs = Jobs::new(limits);
        let text = r#"{"ground":{"board":"20x20","closed":true},"method":{"solver":"ants-random"},"tours":3}"#;
        let end = end(&submit(&jobs, &limits, text));
        assert!(end.contains("limit") && end.contains("\"drawn\":0"), "{end}");
    }
}
