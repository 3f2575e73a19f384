//! A gallery: tours by the dozen, uniform or by any solver, those only that are wanted.

use super::tables::table;
use super::watch::Ready;
use super::{Job, Task, failed};
use crate::limits::{GALLERY, Limits};
use crate::news::Topic;
use crate::pace::Pace;
use crate::refusal::Refusal;
use crate::remedy::told;
use crate::setup::{Ground, Method, impossible, verdict};
use crate::tours::describe;
use hippodrome::lab::enumerate::{Enumeration, TourFilter};
use hippodrome::problem::Problem;
use hippodrome::search::{Budget, Status};
use hippodrome::tour::{Magic, Verified};
use hippodrome::uniform::TourStream;
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Time between two pictures.
const PICTURE: Duration = Duration::from_millis(100);

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
    pub(crate) fn ready(self, limits: &Limits) -> Result<Ready, Refusal> {
        let (memory, patience) = (limits.memory, limits.drawing);
        if !(1..=GALLERY).contains(&self.tours) {
            return Err(Refusal::large(format!("ask for 1 to {GALLERY} tours")));
        }
        let keep = match self.keep.as_deref().filter(|name| !name.is_empty()) {
            None => None,
            Some(name) => {
                let found = TourFilter::CHOICES.iter().find(|(known, ..)| *known == name);
                Some(
                    found
                        .ok_or_else(|| Refusal::wrong(format!("'{name}' is not a kind of tour")))?
                        .1,
                )
            }
        };
        let problem = self.ground.problem()?;
        let choice = self.method.as_ref().map(|method| method.choice(memory)).transpose()?;
        let choice = choice.filter(|choice| choice.name() != "uniform");
        if let Some(finding) = impossible(&problem) {
            return Ok(Ready::Impossible(verdict(&finding)));
        }
        let (seed, tours) = (self.seed, self.tours);
        let work = move |job: &Job| {
            let mut gallery = Gallery::new(job, keep, tours, patience);
            let end = match choice {
                Some(choice) => {
                    let budget = Budget { time: Some(patience), ..Budget::UNLIMITED };
                    let run = Enumeration {
                        seed,
                        threads: 1,
                        budget,
                        ..Enumeration::new(problem, choice)
                    };
                    gallery.gather(&run)
                }
                None => gallery.draw(&problem, seed, memory),
            };
            gallery.show();
            match end {
                Err(_) if job.interrupt.load(Relaxed) => gallery.done("interrupted"),
                end => end.unwrap_or_else(failed),
            }
        };
        let method = self.method.map_or_else(|| "uniform".to_string(), |method| method.typed());
        Ok(Ready::Job(Task {
            kind: "sample",
            about: json!({ "ground": self.ground, "methods": [method], "seed": seed }),
            pace: Pace::new(None, false),
            pinned: false,
            work: Box::new(work),
        }))
    }
}

/// What has been drawn.
struct Gallery<'j> {
    job: &'j Job,
    keep: Option<TourFilter>,
    wanted: u64,
    drawn: u64,
    tours: Vec<Value>,
    patience: Duration,
    begun: Instant,
    shown: Instant,
}

impl<'j> Gallery<'j> {
    fn new(job: &'j Job, keep: Option<TourFilter>, wanted: u64, patience: Duration) -> Gallery<'j> {
        let now = Instant::now();
        Gallery { job, keep, wanted, drawn: 0, tours: Vec::new(), patience, begun: now, shown: now }
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
        let late = self.begun.elapsed() > self.patience;
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
        let sampler = table(self.job, problem, memory)?;
        self.job.tell(&json!({ "state": "running", "doing": "draw" }));
        self.begun = Instant::now();
        let stream = TourStream { tours: u64::MAX, seed, threads: 1 };
        let control = self.job.control();
        let report = stream.run(&sampler, &control, &mut |tour| self.take(&tour));
        report.map_err(|e| told(&e))?;
        let status = if self.tours.len() as u64 >= self.wanted { "complete" } else { "limit" };
        Ok(self.done(status))
    }

    /// Distinct tours of a solver, as it finds them.
    fn gather(&mut self, run: &Enumeration) -> Result<Value, String> {
        let control = self.job.control();
        let mut take = |tour: Verified<'_>| self.take(&tour);
        let summary = run.run(&control, Some(&mut take)).map_err(|e| told(&e))?;
        Ok(self.done(match summary.status {
            _ if self.tours.len() as u64 >= self.wanted => "complete",
            Status::Complete | Status::Exhausted => "exhausted",
            Status::Limit => "limit",
            Status::Interrupted if self.job.interrupt.load(Relaxed) => "interrupted",
            Status::Interrupted => "limit",
        }))
    }
}

fn keeps(keep: TourFilter, tour: &Verified<'_>) -> bool {
    match keep {
        TourFilter::Closed => tour.is_closed(),
        TourFilter::SemiMagic => tour.magic() != Magic::None,
        TourFilter::Magic => tour.magic() == Magic::Full,
        TourFilter::Symmetric => !tour.symmetries().is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::Jobs;
    use crate::jobs::tables::hold_turn;
    use std::sync::Arc;

    fn submit(jobs: &Arc<Jobs>, limits: &Limits, text: &str) -> Arc<Job> {
        let sample: Sample = serde_json::from_str(text).unwrap();
        let Ready::Job(task) = sample.ready(limits).unwrap() else { panic!("it is possible") };
        jobs.submit(task).unwrap()
    }

    /// The last state of a job, once it is over.
    fn last(job: &Job) -> String {
        let begun = Instant::now();
        while !job.news.since(0).over {
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
        String::from_utf8_lossy(job.news.since(0).texts.last().unwrap()).into_owned()
    }

    #[test]
    fn a_gallery_that_waits_for_anothers_table_can_be_ended() {
        let limits = Limits::default();
        let jobs = Jobs::new(limits);
        let other = hold_turn();
        let job = submit(&jobs, &limits, r#"{"ground":{"board":"5x7"},"tours":3}"#);
        let begun = Instant::now();
        let waits = || {
            let texts = job.news.since(0).texts;
            String::from_utf8_lossy(texts.last().unwrap()).contains("turn")
        };
        while !waits() {
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not wait");
            std::thread::sleep(Duration::from_millis(2));
        }
        jobs.end(&job);
        assert!(last(&job).contains("interrupted"));
        drop(other);
        let job = submit(&jobs, &limits, r#"{"ground":{"board":"5x6"},"tours":3}"#);
        assert!(last(&job).contains("complete"));
    }

    #[test]
    fn a_method_that_finds_nothing_is_not_asked_for_ever() {
        let limits = Limits { drawing: Duration::from_millis(300), ..Limits::default() };
        let jobs = Jobs::new(limits);
        let text = r#"{"ground":{"board":"20x20","closed":true},"method":{"solver":"ants-random"},"tours":3}"#;
        let last = last(&submit(&jobs, &limits, text));
        assert!(last.contains("limit") && last.contains("\"drawn\":0"), "{last}");
    }
}
