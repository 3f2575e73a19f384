//! A watched search, which shows its steps at the pace that viewers choose.

use super::context::MethodContext;
use super::step_events::StepEvents;
use super::tables::table_if_needed;
use super::{Job, Submission, Task, failed};
use crate::api_error::ApiError;
use crate::pace::{Next, Pace};
use crate::remedy::message;
use crate::snapshot::Topic;
use crate::spec::{BudgetSpec, ProblemSpec, SolverSpec, impossible};
use crate::tours::describe;
use hippodrome::board::{Graph, Square};
use hippodrome::lab::enumerate::{Enumeration, WhenFull};
use hippodrome::search::narrate::sentence;
use hippodrome::search::{Control, Moment, Observer, SearchEvent, Stats};
use hippodrome::tour::{Tour, Verified};
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
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
    /// The step at which the search pauses; it makes the steps before it at full speed.
    step: Option<u64>,
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
            when_full: WhenFull::Continue,
            ..Enumeration::new(problem, choice)
        };
        let mut pace = Pace::new(self.speed, self.paused || self.step.is_some());
        pace.pause_at_tours = self.rest_at_tours;
        let first = self.step.unwrap_or(1).max(1);
        let work = move |job: &Job| watch(&run, first, job);
        let task = Task::new("watch", &self.ground, &[self.method.typed()], self.seed, work);
        Ok(Submission::Task(Task { pace, pinned: self.pinned, ..task }))
    }
}

/// Runs the search, and returns the final state of the job. Step `first` is the first that is shown.
fn watch(run: &Enumeration, first: u64, job: &Job) -> Value {
    let begun = Instant::now();
    let awaits_viewer = || !job.is_watched() && !job.is_pinned();
    while awaits_viewer() && !job.is_stopped() && begun.elapsed() < FIRST_VIEWER_TIMEOUT {
        std::thread::sleep(Duration::from_millis(2));
    }
    let _table = match table_if_needed(job, &run.problem, [&run.choice]) {
        Ok(table) => table,
        Err(end) => return end,
    };
    let control = job.control();
    let view = RefCell::new(View::new(job, &control, run.problem.graph(), first));
    let mut take = |tour: Verified<'_>, moment: &Moment| {
        let mut view = view.borrow_mut();
        view.note(tour, &moment.stats);
        view.tour_found()
    };
    let summary = run.watch(&control, &mut ViewObserver(&view), &mut take);
    let mut view = view.into_inner();
    view.publish_end();
    match summary {
        Err(error) => failed(message(&error)),
        Ok(summary) => {
            let mut last = json!(summary.total);
            last["state"] = json!("done");
            last["status"] = json!(summary.status.word());
            last["seconds"] = json!(view.seconds());
            if summary.full {
                last["distinct_at_least"] = json!(true);
            }
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
                let graph = view.graph;
                view.context.update(graph, event);
                view.tell(event, so_far);
                ControlFlow::Continue(())
            }
        }
    }
}

/// The data about a search that viewers see.
struct View<'j> {
    job: &'j Job,
    control: &'j Control,
    graph: &'j Graph,
    /// The first step that is shown.
    first: u64,
    steps: u64,
    /// The number of the step at which to check the pace and the clock again.
    look_at: u64,
    /// Number of steps between two checks at full speed.
    stride: u64,
    shown_at: Instant,
    /// Time spent searching before `resumed_at`. Waits of the pace and pauses are not included.
    searched: Duration,
    resumed_at: Instant,
    path: Vec<Square>,
    untried: Option<Vec<usize>>,
    /// What the search has just done, in words.
    text: String,
    /// Whether the text is about a tour.
    tells_tour: bool,
    events: StepEvents,
    so_far: Stats,
    distinct: u64,
    closed: u64,
    context: MethodContext,
    /// The last tour, until it has been published.
    tour: Option<Tour>,
    /// The step after which the last tour was shown at the chosen pace.
    toured: Option<u64>,
    /// The counters of the last frame.
    published: Option<(u64, Stats)>,
}

impl<'j> View<'j> {
    fn new(job: &'j Job, control: &'j Control, graph: &'j Graph, first: u64) -> View<'j> {
        View {
            job,
            control,
            graph,
            first,
            steps: 0,
            look_at: first,
            stride: 64,
            shown_at: Instant::now(),
            searched: Duration::ZERO,
            resumed_at: Instant::now(),
            path: Vec::new(),
            untried: None,
            text: String::new(),
            tells_tour: false,
            events: StepEvents::default(),
            so_far: Stats::default(),
            distinct: 0,
            closed: 0,
            context: MethodContext::default(),
            tour: None,
            toured: None,
            published: None,
        }
    }

    #[inline]
    fn step(&mut self, event: &SearchEvent<'_>, so_far: &Stats) -> ControlFlow<()> {
        self.steps += 1;
        self.so_far = *so_far;
        if self.steps < self.look_at {
            // Show the next step instead, so that what happens before it is known.
            if self.job.is_pace_changed() && !self.is_running_up() {
                self.look_at = self.steps + 1;
            }
            return ControlFlow::Continue(());
        }
        self.look(event)
    }

    /// Returns whether the next step is shown, unless the search runs at full speed.
    fn is_due(&self) -> bool {
        self.steps + 1 >= self.look_at
    }

    /// Returns whether the search makes the steps before the first that is shown.
    fn is_running_up(&self) -> bool {
        self.steps < self.first && self.first > 1 && self.job.pace().paused
    }

    /// Keeps an event if the next step is shown, and its sentence also if the event ends a round.
    fn tell(&mut self, event: &SearchEvent<'_>, so_far: &Stats) {
        if self.is_due() {
            let text = sentence(self.graph, event, so_far);
            self.events.push(self.steps, event, text);
        } else if event.kind().ends_round()
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
        let before = self.steps - 1;
        self.events.push(before, event, sentence(self.graph, event, &self.so_far));
        match self.events.text(before) {
            Some(text) => self.text = text,
            // The sentence about a tour does not fit the steps after it.
            None if self.tells_tour => self.text.clear(),
            None => {}
        }
        self.tells_tour = false;
        self.publish_if_seen(before);
        self.keep_pace()
    }

    /// Waits or rests as the pace requires. Returns `Break` when the job is stopped.
    fn keep_pace(&mut self) -> ControlFlow<()> {
        let job = self.job;
        self.searched += self.resumed_at.elapsed();
        let next = loop {
            let next = job.next(self.shown_at);
            if next != Next::Rest {
                break next;
            }
            if job.pace().paused {
                publish_pace(job);
            }
            job.rest();
            publish_pace(job);
        };
        self.shown_at = Instant::now();
        self.resumed_at = self.shown_at;
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

    /// Keeps a tour.
    fn note(&mut self, tour: Verified<'_>, so_far: &Stats) {
        self.so_far = *so_far;
        if !self.is_full() {
            self.distinct += 1;
            self.closed += u64::from(tour.is_closed());
        }
        self.path.clear();
        self.path.extend_from_slice(tour.squares());
        self.untried = None;
        let found = SearchEvent::Tour { squares: tour.squares(), closed: tour.is_closed() };
        if let Some(text) = sentence(self.graph, &found, so_far) {
            self.text = text;
            self.tells_tour = true;
        }
        self.events.push(self.steps, &found, None);
        self.tour = Some(tour.into_tour());
    }

    /// Shows the last tour and follows the pace, or pauses if viewers have chosen that. Of the tours between two
    /// steps, the pace applies to the first.
    fn tour_found(&mut self) -> ControlFlow<()> {
        let job = self.job;
        if self.is_running_up() {
            return ControlFlow::Continue(());
        }
        let pace = job.pace();
        if pace.pause_at_tours && (job.is_watched() || !job.is_pinned()) {
            job.change_pace(Pace::tour_found);
            self.publish_if_seen(self.steps);
            return self.keep_pace();
        }
        let is_paced = pace.paused || pace.speed.is_some();
        if is_paced && self.is_due() && self.toured.replace(self.steps) != Some(self.steps) {
            self.publish_if_seen(self.steps);
            return self.keep_pace();
        }
        if self.shown_at.elapsed() >= FRAME_INTERVAL {
            self.shown_at = Instant::now();
            self.publish_if_seen(self.steps);
        }
        ControlFlow::Continue(())
    }

    /// Publishes the view if the job has viewers. Also publishes it if the search stays at this step, so that
    /// later viewers see it. The events are those since step `since`.
    fn publish_if_seen(&mut self, since: u64) {
        if self.job.is_watched() || self.job.pace().paused || self.steps <= self.first {
            self.publish(since);
        }
    }

    /// Publishes what has not been published when the search ends.
    fn publish_end(&mut self) {
        self.searched += self.resumed_at.elapsed();
        self.resumed_at = Instant::now();
        if self.published != Some((self.steps, self.so_far)) || self.tour.is_some() {
            self.publish(self.steps);
        }
    }

    /// Returns whether the memory for duplicate detection is full.
    fn is_full(&self) -> bool {
        self.control.distinct_full.load(Relaxed)
    }

    /// Returns the time spent searching, in seconds.
    fn seconds(&self) -> f64 {
        (self.searched + self.resumed_at.elapsed()).as_secs_f64()
    }

    fn publish(&mut self, since: u64) {
        let snapshot = &self.job.snapshot;
        if let Some(tour) = self.tour.take() {
            let mut described = describe(&tour.view());
            described["number"] = json!(self.distinct);
            snapshot.publish(Topic::Tour, &described);
        }
        if let Some(context) = self.context.take_change(self.graph) {
            snapshot.publish(Topic::Context, &context);
        }
        self.published = Some((self.steps, self.so_far));
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
            "seconds": self.seconds(),
            "events": self.events.take(since),
        });
        if let Some(untried) = &self.untried {
            frame["untried"] = json!(untried);
        }
        if self.is_full() {
            frame["distinct_at_least"] = json!(true);
        }
        snapshot.publish(Topic::Frame, &frame);
    }
}

/// Publishes whether the search is paused, and whether a tour paused it.
fn publish_pace(job: &Job) {
    let pace = job.pace();
    let found = pace.is_paused_by_tour();
    job.publish_state(&json!({ "state": "running", "paused": pace.paused, "found": found }));
}

/// Returns the number of untried squares at each depth of the search.
fn untried_by_depth(all: usize, marks: &[usize]) -> Vec<usize> {
    let next = marks[1..].iter().copied().chain([all]);
    marks.iter().zip(next).map(|(&from, to)| to - from).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Jobs;
    use super::super::tests::{last, until};
    use super::*;
    use crate::limits::Limits;
    use hippodrome::search::Budget;

    #[test]
    fn a_search_goes_on_when_the_memory_for_duplicates_is_full() {
        let text = r#"{"board":"5x5"}"#;
        let ground: ProblemSpec = serde_json::from_str(text).unwrap();
        let method: SolverSpec = serde_json::from_str(r#"{"solver":"warnsdorff"}"#).unwrap();
        let run = Enumeration {
            seed: 1,
            threads: 1,
            budget: Budget { attempts: Some(3000), ..Budget::UNLIMITED },
            memory: 1000,
            when_full: WhenFull::Continue,
            ..Enumeration::new(ground.problem().unwrap(), method.choice(1 << 30).unwrap())
        };
        let jobs = Jobs::new(Limits::default());
        let work = move |job: &Job| watch(&run, 1, job);
        let task = Task { pinned: true, ..Task::new("watch", &ground, &[], 1, work) };
        let job = jobs.submit(task).unwrap();
        until(|| job.snapshot.since(0).closed);
        let end = last(&job);
        let (_, data) = end.split_once("data: ").unwrap();
        let end: Value = serde_json::from_str(data.trim()).unwrap();
        assert_eq!((&end["status"], &end["attempts"]), (&json!("limit"), &json!(3000)), "{end}");
        assert_eq!(end["distinct_at_least"], true, "{end}");
        assert!(end["distinct"].as_u64() < end["tours"].as_u64(), "{end}");
    }

    #[test]
    fn untried_squares_are_counted_by_depth() {
        assert_eq!(untried_by_depth(7, &[0, 2, 2, 5]), [2, 0, 3, 2]);
        assert_eq!(untried_by_depth(3, &[0]), [3]);
    }
}
