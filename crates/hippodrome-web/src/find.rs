//! Finds one tour, using solvers that suit the board. If the request is dropped, the search ends.

use crate::api_error::{ApiError, json_response};
use crate::spec::{ProblemSpec, SolverSpec, impossible, verdict};
use crate::tours::{Format, ImageOptions, describe, render};
use axum::response::Response;
use hippodrome::lab::find::{Outcome, TourSearch};
use hippodrome::search::{Budget, Control};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Time limit of a search. The page waits for the response, and browsers time out after some minutes.
const FIND_TIMEOUT: Duration = Duration::from_secs(20);

/// A request for one tour.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindRequest {
    ground: ProblemSpec,
    #[serde(default)]
    method: Option<SolverSpec>,
    #[serde(default)]
    seed: u64,
    /// If given, the response is an image instead of a list of squares.
    #[serde(default)]
    image: Option<ImageOptions>,
}

/// Sets a flag when dropped, so that a cancelled request ends its search.
pub(crate) struct CancelOnDrop(pub(crate) Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl FindRequest {
    /// Searches for a tour until `interrupt` is set.
    pub(crate) fn find(
        self,
        memory: usize,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Response, ApiError> {
        let problem = match &self.image {
            Some(_) => self.ground.large_problem()?,
            None => self.ground.problem()?,
        };
        if let Some(verdict) = impossible(&problem) {
            return Ok(json_response(json!({ "schema": 1, "impossible": verdict })));
        }
        let search = TourSearch {
            problem,
            choice: self.method.map(|method| method.choice(memory)).transpose()?,
            seed: self.seed,
            threads: 1,
            budget: Budget { time: Some(FIND_TIMEOUT), ..Budget::UNLIMITED },
        };
        let mut control = Control::default();
        control.interrupt = interrupt;
        let found = search.run(&control)?;
        let mut answer = json!({
            "schema": 1,
            "solver": found.solver.map(|info| info.name),
            "attempts": found.attempts,
            "moves": found.moves,
            "seconds": found.seconds,
        });
        match (&found.outcome, &self.image) {
            (Outcome::Found(tour), Some(options)) => {
                return render(&tour.view(), Format::Png, options);
            }
            (Outcome::Found(tour), None) => answer["tour"] = describe(&tour.view()),
            (Outcome::Impossible(finding), _) => answer["impossible"] = verdict(finding),
            (Outcome::Limit | Outcome::Interrupted, _) => answer["limit"] = json!(true),
        }
        Ok(json_response(answer))
    }
}
