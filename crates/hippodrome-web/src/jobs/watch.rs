//! A search to look at: every step of it, as fast or slow as those who watch like.

use super::tables::table_if_needed;
use super::{Job, Task, failed};
use crate::news::Topic;
use crate::pace::{Go, Pace};
use crate::refusal::Refusal;
use crate::remedy::told;
use crate::setup::{Ground, Method, Spending, impossible, verdict};
use crate::tours::describe;
use hippodrome::board::{Graph, Square};
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::search::{Moment, Observer, SearchEvent, Stats};
use hippodrome::tour::{Tour, Verified};
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Time between two pictures of a search at full speed.
const PICTURE: Duration = Duration::from_millis(50);
/// Most steps between two looks at the clock at full speed.
const STRIDE: u64 = 1 << 14;
/// How long a search waits for somebody to watch its first step.
const OVERTURE: Duration = Duration::from_secs(10);
/// Bytes for the distinct tours found.
const MEMORY: usize = 128 << 20;
/// The most chromosomes of a population whose fitness is told one by one.
const BARS: usize = 400;

/// What is to be watched.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Watch {
    ground: Ground,
    method: Method,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    spending: Spending,
    /// Steps a second; none is full speed.
    speed: Option<f64>,
    /// Whether the search rests before its second step.
    #[serde(default)]
    paused: bool,
    /// Whether it rests at every tour.
    #[serde(default)]
    rest_at_tours: bool,
    /// Whether it goes on though nobody watches.
    #[serde(default)]
    pinned: bool,
}

/// A job that is ready to run, or the reason why it need not.
pub(crate) enum Ready {
    Job(Task),
    Impossible(Value),
}

impl Watch {
    pub(crate) fn ready(self, memory: usize) -> Result<Ready, Refusal> {
        let problem = self.ground.problem()?;
        let choice = self.method.choice(memory)?;
        if let Some(finding) = impossible(&problem) {
            return Ok(Ready::Impossible(verdict(&finding)));
        }
        let run = Enumeration {
            seed: self.seed,
            threads: 1,
            budget: self.spending.budget()?,
            memory: MEMORY,
            ..Enumeration::new(problem, choice)
        };
        let pace = Pace::new(self.speed, self.paused);
        pace.rest_at_tours(self.rest_at_tours);
        let methods = [self.method.typed()];
        Ok(Ready::Job(Task {
            kind: "watch",
            about: json!({ "ground": self.ground, "methods": methods, "seed": self.seed }),
            pace,
            pinned: self.pinned,
            work: Box::new(move |job| watch(&run, job)),
        }))
    }
}

/// Runs the search; its last state.
fn watch(run: &Enumeration, job: &Job) -> Value {
    let begun = Instant::now();
    let expected = || !job.is_watched() && !job.is_pinned();
    while expected() && !job.interrupt.load(Relaxed) && begun.elapsed() < OVERTURE {
        std::thread::sleep(Duration::from_millis(2));
    }
    let _table = match table_if_needed(job, &run.problem, [&run.choice]) {
        Ok(table) => table,
        Err(end) => return end,
    };
    let begun = Instant::now();
    let stage = RefCell::new(Stage::new(job, run.problem.graph()));
    let control = job.control();
    let mut take = |tour: Verified<'_>, moment: &Moment| {
        let mut stage = stage.borrow_mut();
        stage.found(tour, &moment.stats);
        let unseen = job.is_pinned() && !job.is_watched();
        if unseen || !job.pace.orders().rest_at_tours {
            return ControlFlow::Continue(());
        }
        job.pace.pause_at_tour();
        stage.show();
        stage.rest()
    };
    let summary = run.watch(&control, &mut Eye(&stage), &mut take);
    let mut stage = stage.into_inner();
    stage.show_all();
    match summary {
        Err(error) => failed(told(&error)),
        Ok(summary) => {
            let status = if summary.full { "full" } else { summary.status.word() };
            json!({
                "state": "done",
                "status": status,
                "attempts": summary.total.attempts,
                "moves": summary.total.moves,
                "tours": summary.total.tours,
                "distinct": summary.total.distinct,
                "closed": summary.total.closed,
                "seconds": begun.elapsed().as_secs_f64(),
            })
        }
    }
}

/// Looks at the search for all who watch.
struct Eye<'s, 'j>(&'s RefCell<Stage<'j>>);

impl Observer for Eye<'_, '_> {
    fn event(&mut self, event: &SearchEvent<'_>, so_far: &Stats) -> ControlFlow<()> {
        let mut stage = self.0.borrow_mut();
        match event.path() {
            Some(_) => stage.step(event, so_far),
            None => {
                stage.learn(event);
                ControlFlow::Continue(())
            }
        }
    }
}

/// What a method knows besides its path.
enum Known {
    Nothing,
    Moves(Vec<(Square, Square)>),
    Pheromone(Vec<(Square, Square, f64)>),
    Fitness(Vec<u32>),
}

/// What is to be seen of a search.
struct Stage<'j> {
    job: &'j Job,
    graph: &'j Graph,
    steps: u64,
    look_at: u64,
    stride: u64,
    shown_at: Instant,
    path: Vec<Square>,
    untried: Option<Vec<usize>>,
    so_far: Stats,
    distinct: u64,
    closed: u64,
    known: Known,
    /// Cycles, generations or sweeps: how often something was learnt.
    rounds: u64,
    rounds_told: u64,
    tour: Option<Tour>,
}

impl<'j> Stage<'j> {
    fn new(job: &'j Job, graph: &'j Graph) -> Stage<'j> {
        Stage {
            job,
            graph,
            steps: 0,
            look_at: 1,
            stride: 64,
            shown_at: Instant::now(),
            path: Vec::new(),
            untried: None,
            so_far: Stats::default(),
            distinct: 0,
            closed: 0,
            known: Known::Nothing,
            rounds: 0,
            rounds_told: 0,
            tour: None,
        }
    }

    #[inline]
    fn step(&mut self, event: &SearchEvent<'_>, so_far: &Stats) -> ControlFlow<()> {
        self.steps += 1;
        self.so_far = *so_far;
        if self.steps < self.look_at && !self.job.pace.is_called() {
            return ControlFlow::Continue(());
        }
        self.look(event)
    }

    /// Time to show something, or to wait.
    #[cold]
    fn look(&mut self, event: &SearchEvent<'_>) -> ControlFlow<()> {
        let orders = self.job.pace.orders();
        let full_speed = !orders.paused && orders.speed.is_none();
        if full_speed && !self.job.pace.is_called() && self.shown_at.elapsed() < PICTURE {
            self.stride = (self.stride * 2).min(STRIDE);
            self.look_at = self.steps + self.stride;
            return ControlFlow::Continue(());
        }
        self.path.clear();
        self.path.extend_from_slice(event.path().unwrap_or(&[]));
        self.untried = match event {
            SearchEvent::Stack { untried, marks, .. } => Some(open_ends(untried.len(), marks)),
            _ => None,
        };
        self.show();
        self.rest()
    }

    /// Waits, or rests, as the pace says.
    fn rest(&mut self) -> ControlFlow<()> {
        let job = self.job;
        let go = loop {
            let go = job.pace.wait(self.shown_at);
            if go != Go::Rest {
                break go;
            }
            if job.pace.orders().paused {
                job.tell(&json!({ "state": "running", "paused": true }));
            }
            job.rest();
            let paused = job.pace.orders().paused;
            job.tell(&json!({ "state": "running", "paused": paused }));
        };
        self.shown_at = Instant::now();
        self.look_at = match go {
            Go::Steps(steps) => self.steps + steps,
            Go::Full => {
                self.stride = (self.stride / 2).max(1);
                self.steps + self.stride
            }
            Go::Rest | Go::End => return ControlFlow::Break(()),
        };
        ControlFlow::Continue(())
    }

    fn learn(&mut self, event: &SearchEvent<'_>) {
        self.rounds += 1;
        // Whatever was known of the same kind makes room for the new.
        match (event, &mut self.known) {
            (SearchEvent::Moves(moves), Known::Moves(known)) => (*moves).clone_into(known),
            (SearchEvent::MoveWeights(laid), Known::Pheromone(known)) => (*laid).clone_into(known),
            (SearchEvent::Population(fitness), Known::Fitness(known)) => {
                (*fitness).clone_into(known)
            }
            (SearchEvent::Moves(moves), known) => *known = Known::Moves(moves.to_vec()),
            (SearchEvent::MoveWeights(laid), known) => *known = Known::Pheromone(laid.to_vec()),
            (SearchEvent::Population(fitness), known) => *known = Known::Fitness(fitness.to_vec()),
            (SearchEvent::Path(_) | SearchEvent::Stack { .. }, _) => {}
        }
    }

    fn found(&mut self, tour: Verified<'_>, so_far: &Stats) {
        self.so_far = *so_far;
        self.distinct += 1;
        self.closed += u64::from(tour.is_closed());
        self.path.clear();
        self.path.extend_from_slice(tour.squares());
        self.untried = None;
        self.tour = Some(tour.into_tour());
        if self.shown_at.elapsed() >= PICTURE {
            self.shown_at = Instant::now();
            self.show();
        }
    }

    /// Shows what there is, if there is anybody to see it.
    fn show(&mut self) {
        if self.job.is_watched() || self.job.pace.orders().paused || self.steps <= 1 {
            self.show_all();
        }
    }

    fn show_all(&mut self) {
        let news = &self.job.news;
        if let Some(tour) = self.tour.take() {
            let mut told = describe(&tour.view());
            told["number"] = json!(self.distinct);
            news.publish(Topic::Tour, &told);
        }
        if self.rounds_told < self.rounds {
            self.rounds_told = self.rounds;
            news.publish(Topic::Context, &self.context());
        }
        let mut frame = json!({
            "n": self.steps,
            "path": self.path,
            "attempts": self.so_far.attempts,
            "moves": self.so_far.moves,
            "tours": self.so_far.tours.max(self.distinct),
            "distinct": self.distinct,
            "closed": self.closed,
            "round": self.rounds,
        });
        if let Some(untried) = &self.untried {
            frame["untried"] = json!(untried);
        }
        news.publish(Topic::Frame, &frame);
    }

    fn context(&self) -> Value {
        let mut context = json!({ "round": self.rounds });
        match &self.known {
            Known::Nothing => {}
            Known::Moves(moves) => context["moves"] = json!(moves),
            Known::Fitness(fitness) => {
                let sum: f64 = fitness.iter().map(|&f| f64::from(f)).sum();
                context["fitness"] = json!(quantiles(fitness));
                context["size"] = json!(fitness.len());
                context["mean"] = json!(sum / fitness.len().max(1) as f64);
            }
            Known::Pheromone(laid) => {
                let most = laid.iter().map(|l| l.2).fold(0.0, f64::max);
                context["most"] = json!(most);
                context["laid"] = json!(levels(self.graph, laid, most));
            }
        }
        context
    }
}

/// How many squares each depth has still to try.
fn open_ends(all: usize, marks: &[usize]) -> Vec<usize> {
    let next = marks[1..].iter().copied().chain([all]);
    marks.iter().zip(next).map(|(&from, to)| to - from).collect()
}

/// Values from the greatest to the least: all, or as many as are drawn, evenly spread.
fn quantiles(fitness: &[u32]) -> Vec<u32> {
    let mut sorted = fitness.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    if sorted.len() <= BARS {
        return sorted;
    }
    let last = sorted.len() - 1;
    (0..BARS).map(|bar| sorted[bar * last / (BARS - 1)]).collect()
}

/// The share of the greatest amount on every move of every square, in letters: eight bits in two
/// hexadecimal digits, `..` where there is no such move.
fn levels(graph: &Graph, laid: &[(Square, Square, f64)], most: f64) -> String {
    let moves = graph.piece().map_or(0, |piece| piece.moves().len());
    let mut digits = vec![b'.'; 2 * moves * graph.len()];
    for &(from, to, amount) in laid {
        let Some(code) = graph.code(from, to) else { continue };
        let share = if most > 0.0 { amount / most } else { 0.0 };
        let place = 2 * (from.index() * moves + code);
        let text = format!("{:02x}", (share * 255.0) as u8);
        digits[place..place + 2].copy_from_slice(text.as_bytes());
    }
    String::from_utf8_lossy(&digits).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippodrome::board::Board;

    #[test]
    fn open_ends_are_counted_by_depth() {
        assert_eq!(open_ends(7, &[0, 2, 2, 5]), [2, 0, 3, 2]);
        assert_eq!(open_ends(3, &[0]), [3]);
    }

    #[test]
    fn a_large_population_is_told_by_its_quantiles() {
        assert_eq!(quantiles(&[3, 9, 5]), [9, 5, 3]);
        let many: Vec<u32> = (0..100_000).collect();
        let told = quantiles(&many);
        assert_eq!((told.len(), told[0], told[BARS - 1]), (BARS, 99_999, 0));
        assert!(told.windows(2).all(|pair| pair[0] - pair[1] <= 251));
    }

    #[test]
    fn levels_name_every_move_of_every_square() {
        let graph = Graph::knight(Board::parse("3x3").unwrap());
        let laid =
            [(0, 5, 1.0), (0, 7, 0.5)].map(|(u, v, laid)| (Square::new(u), Square::new(v), laid));
        let text = levels(&graph, &laid, 1.0);
        assert_eq!(text.len(), 2 * 8 * 9);
        assert_eq!(
            &text[..16],
            "....ff7f........",
            "one up and two right, then two up and one right"
        );
        assert!(text[16..].bytes().all(|b| b == b'.'));
    }
}
