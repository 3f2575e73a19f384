//! One tour at once, by the solvers that suit the board. Whoever leaves before ends the search.

use crate::refusal::Refusal;
use crate::setup::{Ground, Method, impossible, verdict};
use crate::tours::{Form, Look, describe, render};
use hippodrome::lab::find::{Outcome, TourSearch};
use hippodrome::search::{Budget, Control};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// How long a search may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is sought.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sought {
    ground: Ground,
    #[serde(default)]
    method: Option<Method>,
    #[serde(default)]
    seed: u64,
    /// An image in place of squares.
    #[serde(default)]
    image: Option<Look>,
}

/// Ends a search when whoever asked for it has gone.
pub(crate) struct Leash(pub(crate) Arc<AtomicBool>);

impl Drop for Leash {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The answer: JSON, or an image.
pub(crate) enum Answer {
    Told(Value),
    Shown(&'static str, Vec<u8>),
}

impl Sought {
    /// Searches, until `interrupt` is set.
    pub(crate) fn find(self, memory: usize, interrupt: Arc<AtomicBool>) -> Result<Answer, Refusal> {
        let problem = match self.image {
            Some(_) => self.ground.large_problem()?,
            None => self.ground.problem()?,
        };
        if let Some(finding) = impossible(&problem) {
            return Ok(Answer::Told(json!({ "schema": 1, "impossible": verdict(&finding) })));
        }
        let search = TourSearch {
            problem,
            choice: self.method.map(|method| method.choice(memory)).transpose()?,
            seed: self.seed,
            threads: 1,
            budget: Budget { time: Some(PATIENCE), ..Budget::UNLIMITED },
        };
        let mut control = Control::default();
        control.interrupt = interrupt;
        let found = search.run(&control).map_err(Refusal::of)?;
        let mut told = json!({
            "schema": 1,
            "solver": found.solver.map(|info| info.name),
            "attempts": found.attempts,
            "moves": found.moves,
            "seconds": found.seconds,
        });
        match (&found.outcome, self.image) {
            (Outcome::Found(tour), Some(look)) => {
                let (kind, bytes) = render(&tour.view(), Form::Png, look)?;
                return Ok(Answer::Shown(kind, bytes));
            }
            (Outcome::Found(tour), None) => told["tour"] = describe(&tour.view()),
            (Outcome::Impossible(finding), _) => told["impossible"] = verdict(finding),
            (Outcome::Limit | Outcome::Interrupted, _) => told["limit"] = json!(true),
        }
        Ok(Answer::Told(told))
    }
}
