//! A watched search, which shows its steps at the pace that viewers choose.

use super::context::MethodContext;
use super::tables::table_if_needed;
use super::{Job, Submission, Task, failed};
use crate::api_error::ApiError;
use crate::pace::{Next, Pace};
use crate::remedy::message;
use crate::snapshot::Topic;
use crate::spec::{BudgetSpec, ProblemSpec, SolverSpec, impossible};
use crate::tours::describe;
use hippodrome::board::{Graph, Square};
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::search::narrate::sentence;
use hippodrome::search::{Moment, Observer, SearchEvent, Stats};
use hippodrome::tour::{Tour, Verified};
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Time between two frames of a search at full speed: 20 frames per second look like motion.
const FRAME_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum number of steps between two checks of the clock at full speed. Every solver makes more steps than
/// this in [`FRAME_INTERVAL`].
const MAX_STRIDE: u64 = 1 << 14;
/// How long a search waits for its first viewer. The wait lets the page that started the search see the first
/// step.
const FIRST_VIEWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Number of bytes for duplicate detection. At the default limit of 12 resting searches, this takes 1.5 GiB
/// in total.
const DISTINCT_TOURS_MEMORY: usize = 128 << 20;

/// A request to watch a search.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchRequest {
    ground: ProblemSpec,
    method: SolverSpec,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    spending: BudgetSpec,
    /// Steps per second; `None` means full speed.
    speed: Option<f64>,
    /// Whether the search pauses after its first step.
    #[serde(default)]
    paused: bool,
    /// Whether the search pauses at every tour.
    #[serde(default)]
    rest_at_tours: bool,
    /// Whether the search continues without viewers.
    #[serde(default)]
    pinned: bool,
}

impl WatchRequest {
    /// Checks the request. Tables are limited to `memory` bytes.
    pub(crate) fn prepare(self, memory: usize) -> Result<Submission, ApiError> {
        let problem = self.ground.problem()?;
        let choice = self.method.choice(memory)?;
        if let Some(verdict) = impossible(&problem) {
            return Ok(Submission::Impossible(verdict));
        }
        let run = Enumeration {
            seed: self.seed,
            threads: 1,
            budget: self.spending.budget()?,
            memory: DISTINCT_TOURS_MEMORY,
            ..Enumeration::new(problem, choice)
        };
        let mut pace = Pace::new(self.speed, self.paused);
        pace.pause_at_tours = self.rest_at_tours;
        let work = move |job: &Job| watch(&run, job);
        let task = Task::new("watch", &self.ground, &[self.method.typed()], self.seed, work);
        Ok(Submission::Task(Task { pace, pinned: self.pinned, ..task }))
    }
}

/// Runs the search, and returns the final state of the job.
fn watch(run: &Enumeration, job: &Job) -> Value {
    let begun = Instant::now();
    let awaits_viewer = || !job.is_watched() && !job.is_pinned();
    while awaits_viewer() && !job.is_stopped() && begun.elapsed() < FIRST_VIEWER_TIMEOUT {
        std::thread::sleep(Duration::from_millis(2));
    }
    let _table = match table_if_needed(job, &run.problem, [&run.choice]) {
        Ok(table) => table,
        Err(end) => return end,
    };
    let begun = Instant::now();
    let view = RefCell::new(View::new(job, run.problem.graph()));
    let control = job.control();
    let mut take = |tour: Verified<'_>, moment: &Moment| {
        let mut view = view.borrow_mut();
        view.tour_found(tour, &moment.stats);
        let unseen = job.is_pinned() && !job.is_watched();
        if unseen || !job.pace().pause_at_tours {
            return ControlFlow::Continue(());
        }
        job.change_pace(Pace::tour_found);
        view.publish_if_seen();
        view.keep_pace()
    };
    let summary = run.watch(&control, &mut ViewObserver(&view), &mut take);
    let mut view = view.into_inner();
    view.publish();
    match summary {
        Err(error) => failed(message(&error)),
        Ok(summary) => {
            let mut last = json!(summary.total);
            last["state"] = json!("done");
            last["status"] = json!(if summary.full { "full" } else { summary.status.word() });
            last["seconds"] = json!(begun.elapsed().as_secs_f64());
            last
        }
    }
}

/// Passes the events of a search to its view.
struct ViewObserver<'s, 'j>(&'s RefCell<View<'j>>);

impl Observer for ViewObserver<'_, '_> {
    fn event(&mut self, event: &SearchEvent<'_>, so_far: &Stats) -> ControlFlow<()> {
        let mut view = self.0.borrow_mut();
        match event.path() {
            Some(_) => view.step(event, so_far),
            None => {
                view.context.update(event);
                view.tell(event, so_far);
                ControlFlow::Continue(())
            }
        }
    }
}

/// The data about a search that viewers see.
struct View<'j> {
    job: &'j Job,
    graph: &'j Graph,
    steps: u64,
    /// The number of the step at which to check the pace and the clock again.
    look_at: u64,
    /// Number of steps between two checks at full speed.
    stride: u64,
    shown_at: Instant,
    path: Vec<Square>,
    untried: Option<Vec<usize>>,
    /// What the search has just done, in words.
    text: String,
    so_far: Stats,
    distinct: u64,
    closed: u64,
    context: MethodContext,
    /// The last tour, until it has been published.
    tour: Option<Tour>,
}

impl<'j> View<'j> {
    fn new(job: &'j Job, graph: &'j Graph) -> View<'j> {
        View {
            job,
            graph,
            steps: 0,
            look_at: 1,
            stride: 64,
            shown_at: Instant::now(),
            path: Vec::new(),
            untried: None,
            text: String::new(),
            so_far: Stats::default(),
            distinct: 0,
            closed: 0,
            context: MethodContext::default(),
            tour: None,
        }
    }

    #[inline]
    fn step(&mut self, event: &SearchEvent<'_>, so_far: &Stats) -> ControlFlow<()> {
        self.steps += 1;
        self.so_far = *so_far;
        if self.steps < self.look_at && !self.job.is_pace_changed() {
            return ControlFlow::Continue(());
        }
        self.look(event)
    }

    /// Keeps the sentence of an event if the next step is shown, or if the event ends a round.
    fn tell(&mut self, event: &SearchEvent<'_>, so_far: &Stats) {
        let due = self.steps + 1 >= self.look_at;
        if (due || event.kind().ends_round())
            && let Some(text) = sentence(self.graph, event, so_far)
        {
            self.text = text;
        }
    }

    /// Shows a frame and then follows the pace, unless the search runs at full speed and no frame is due.
    #[cold]
    fn look(&mut self, event: &SearchEvent<'_>) -> ControlFlow<()> {
        let pace = self.job.pace();
        let full_speed = !pace.paused && pace.speed.is_none();
        if full_speed && !self.job.is_pace_changed() && self.shown_at.elapsed() < FRAME_INTERVAL {
            self.stride = (self.stride * 2).min(MAX_STRIDE);
            self.look_at = self.steps + self.stride;
            return ControlFlow::Continue(());
        }
        self.path.clear();
        self.path.extend_from_slice(event.path().unwrap_or(&[]));
        self.untried = match event {
            SearchEvent::Stack { untried, marks, .. } => {
                Some(untried_by_depth(untried.len(), marks))
            }
            _ => None,
        };
        if let Some(text) = sentence(self.graph, event, &self.so_far) {
            self.text = text;
        }
        self.publish_if_seen();
        self.keep_pace()
    }

    /// Waits or rests as the pace requires. Returns `Break` when the job is stopped.
    fn keep_pace(&mut self) -> ControlFlow<()> {
        let job = self.job;
        let next = loop {
            let next = job.next(self.shown_at);
            if next != Next::Rest {
                break next;
            }
            if job.pace().paused {
                job.publish_state(&json!({ "state": "running", "paused": true }));
            }
            job.rest();
            job.publish_state(&json!({ "state": "running", "paused": job.pace().paused }));
        };
        self.shown_at = Instant::now();
        self.look_at = match next {
            Next::Steps(steps) => self.steps + steps,
            Next::FullSpeed => {
                self.stride = (self.stride / 2).max(1);
                self.steps + self.stride
            }
            Next::Rest | Next::Stop => return ControlFlow::Break(()),
        };
        ControlFlow::Continue(())
    }

    fn tour_found(&mut self, tour: Verified<'_>, so_far: &Stats) {
        self.so_far = *so_far;
        self.distinct += 1;
        self.closed += u64::from(tour.is_closed());
        self.path.clear();
        self.path.extend_from_slice(tour.squares());
        self.untried = None;
        let found = SearchEvent::Tour { squares: tour.squares(), closed: tour.is_closed() };
        self.tell(&found, so_far);
        self.tour = Some(tour.into_tour());
        if self.shown_at.elapsed() >= FRAME_INTERVAL {
            self.shown_at = Instant::now();
            self.publish_if_seen();
        }
    }

    /// Publishes the view if the job has viewers. Also publishes it if the search stays at this step, so that
    /// later viewers see it.
    fn publish_if_seen(&mut self) {
        if self.job.is_watched() || self.job.pace().paused || self.steps <= 1 {
            self.publish();
        }
    }

    fn publish(&mut self) {
        let snapshot = &self.job.snapshot;
        if let Some(tour) = self.tour.take() {
            let mut described = describe(&tour.view());
            described["number"] = json!(self.distinct);
            snapshot.publish(Topic::Tour, &described);
        }
        if let Some(context) = self.context.take_change(self.graph) {
            snapshot.publish(Topic::Context, &context);
        }
        let mut frame = json!({
            "n": self.steps,
            "path": self.path,
            "attempts": self.so_far.attempts,
            "moves": self.so_far.moves,
            "tours": self.so_far.tours.max(self.distinct),
            "distinct": self.distinct,
            "closed": self.closed,
            "round": self.context.rounds,
            "text": self.text,
        });
        if let Some(untried) = &self.untried {
            frame["untried"] = json!(untried);
        }
        snapshot.publish(Topic::Frame, &frame);
    }
}

/// Returns the number of untried squares at each depth of the search.
fn untried_by_depth(all: usize, marks: &[usize]) -> Vec<usize> {
    let next = marks[1..].iter().copied().chain([all]);
    marks.iter().zip(next).map(|(&from, to)| to - from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untried_squares_are_counted_by_depth() {
        assert_eq!(untried_by_depth(7, &[0, 2, 2, 5]), [2, 0, 3, 2]);
        assert_eq!(untried_by_depth(3, &[0]), [3]);
    }
}
