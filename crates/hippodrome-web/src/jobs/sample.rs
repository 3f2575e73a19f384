//! A gallery: tours by the dozen, uniform or by any solver, those only that are wanted.

use super::watch::Ready;
use super::{Job, failed};
use crate::limits::GALLERY;
use crate::news::Topic;
use crate::pace::Pace;
use crate::refusal::Refusal;
use crate::setup::{Ground, Method, impossible, verdict};
use crate::tours::describe;
use hippodrome::driver::Status;
use hippodrome::enumerate::{Enumeration, Keep};
use hippodrome::problem::Problem;
use hippodrome::sample::{Making, Sampler, Stream, cache_folder};
use hippodrome::tour::{Magic, Verified};
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long is drawn for tours of a rare kind.
const PATIENCE: Duration = Duration::from_secs(30);
/// Time between two pictures.
const PICTURE: Duration = Duration::from_millis(100);

/// The table that was made last, for the next dozen.
static LAST: Mutex<Option<(String, Arc<Sampler>)>> = Mutex::new(None);

/// What is to be drawn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sample {
    ground: Ground,
    /// Another solver than `uniform`.
    method: Option<Method>,
    #[serde(default)]
    seed: u64,
    tours: u64,
    /// `symmetric`, `semi-magic` or none.
    #[serde(default)]
    keep: Option<String>,
}

impl Sample {
    pub(crate) fn ready(self, memory: usize) -> Result<Ready, Refusal> {
        if !(1..=GALLERY).contains(&self.tours) {
            return Err(Refusal::large(format!("ask for 1 to {GALLERY} tours")));
        }
        let keep = match self.keep.as_deref().filter(|name| !name.is_empty()) {
            None => None,
            Some(name) => {
                let found = Keep::CHOICES.iter().find(|(known, ..)| *known == name);
                Some(
                    found
                        .ok_or_else(|| Refusal::wrong(format!("'{name}' is not a kind of tour")))?
                        .1,
                )
            }
        };
        let problem = self.ground.problem()?;
        let choice = self.method.map(|method| method.choice(memory)).transpose()?;
        let choice = choice.filter(|choice| choice.name() != "uniform");
        if let Some(finding) = impossible(&problem) {
            return Ok(Ready::Impossible(verdict(&finding)));
        }
        let (seed, tours) = (self.seed, self.tours);
        Ok(Ready::Job(
            Pace::new(None, false),
            Box::new(move |job| {
                let mut gallery = Gallery::new(job, keep, tours);
                let end = match choice {
                    Some(choice) => {
                        let run =
                            Enumeration { seed, threads: 1, ..Enumeration::new(problem, choice) };
                        gallery.gather(&run)
                    }
                    None => gallery.draw(&problem, seed, memory),
                };
                gallery.show();
                end.unwrap_or_else(failed)
            }),
        ))
    }
}

/// What has been drawn.
struct Gallery<'j> {
    job: &'j Job,
    keep: Option<Keep>,
    wanted: u64,
    drawn: u64,
    tours: Vec<Value>,
    begun: Instant,
    shown: Instant,
}

impl<'j> Gallery<'j> {
    fn new(job: &'j Job, keep: Option<Keep>, wanted: u64) -> Gallery<'j> {
        let now = Instant::now();
        Gallery { job, keep, wanted, drawn: 0, tours: Vec::new(), begun: now, shown: now }
    }

    /// Looks at one tour; `Break` when there are enough, or none come.
    fn take(&mut self, tour: &Verified<'_>) -> ControlFlow<()> {
        self.drawn += 1;
        if self.keep.is_none_or(|keep| keeps(keep, tour)) {
            self.tours.push(describe(tour));
        }
        if self.shown.elapsed() > PICTURE {
            self.show();
        }
        let late = self.drawn.is_multiple_of(256) && self.begun.elapsed() > PATIENCE;
        let stopped = self.job.interrupt.load(Relaxed);
        if self.tours.len() as u64 >= self.wanted || late || stopped {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn show(&mut self) {
        self.shown = Instant::now();
        let frame = json!({ "drawn": self.drawn, "wanted": self.wanted, "tours": self.tours });
        self.job.news.publish(Topic::Frame, &frame);
    }

    fn done(&self, status: &str) -> Value {
        json!({
            "state": "done",
            "status": status,
            "drawn": self.drawn,
            "seconds": self.begun.elapsed().as_secs_f64(),
        })
    }

    /// Uniform tours, from a table that is made first.
    fn draw(&mut self, problem: &Problem, seed: u64, memory: usize) -> Result<Value, String> {
        let sampler = self.table(problem, memory)?;
        self.job.tell(&json!({ "state": "running", "doing": "draw" }));
        self.begun = Instant::now();
        let stream = Stream { tours: u64::MAX, seed, threads: 1 };
        let control = self.job.control();
        let report = stream.run(&sampler, &control, &mut |tour| self.take(&tour));
        report.map_err(|e| e.to_string())?;
        let status = if self.tours.len() as u64 >= self.wanted { "complete" } else { "limit" };
        Ok(self.done(status))
    }

    fn table(&self, problem: &Problem, memory: usize) -> Result<Arc<Sampler>, String> {
        let name = format!(
            "{:?} {:?} {} {:?} {:?}",
            problem.graph().board(),
            problem.graph().piece(),
            problem.is_closed(),
            problem.start(),
            problem.end()
        );
        let kept = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, sampler)) = kept.filter(|(known, _)| *known == name) {
            return Ok(sampler);
        }
        // One table at a time: they may be large.
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        *last = None;
        self.job.tell(&json!({ "state": "running", "doing": "table" }));
        let interrupt = Arc::clone(&self.job.interrupt);
        let folder = cache_folder();
        let making = Making {
            memory,
            threads: 1,
            stop: &|| interrupt.load(Relaxed),
            cache: folder.as_deref(),
            watch: None,
        };
        let sampler = Arc::new(Sampler::new(problem, &making).map_err(|e| e.to_string())?);
        *last = Some((name, Arc::clone(&sampler)));
        Ok(sampler)
    }

    /// Distinct tours of a solver, as it finds them.
    fn gather(&mut self, run: &Enumeration) -> Result<Value, String> {
        let control = self.job.control();
        let mut take = |tour: Verified<'_>| self.take(&tour);
        let summary = run.run(&control, Some(&mut take)).map_err(|e| e.to_string())?;
        Ok(self.done(match summary.status {
            _ if self.tours.len() as u64 >= self.wanted => "complete",
            Status::Complete | Status::Exhausted => "exhausted",
            Status::Limit | Status::Interrupted => "limit",
        }))
    }
}

fn keeps(keep: Keep, tour: &Verified<'_>) -> bool {
    match keep {
        Keep::Closed => tour.is_closed(),
        Keep::SemiMagic => tour.magic() != Magic::None,
        Keep::Magic => tour.magic() == Magic::Full,
        Keep::Symmetric => !tour.symmetries().is_empty(),
    }
}
