//! One tour: by theorem "no", else by the solvers that serve the problem best, in turn.

use crate::lab::enumerate::{EnumerateError, Enumeration};
use crate::problem::Problem;
use crate::problem::theorems::{Existence, Finding, knight_rectangle, known};
use crate::search::{Budget, Control, Status};
use crate::solvers::portfolio::{self, LARGE, Stage};
use crate::solvers::registry::Choice;
use crate::tour::Tour;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// What is sought, and how.
pub struct TourSearch {
    /// The problem.
    pub problem: Problem,
    /// The solver; picked to suit the problem if `None`.
    pub choice: Option<Choice>,
    /// Master seed.
    pub seed: u64,
    /// Number of threads; the result does not depend on it.
    pub threads: usize,
    /// Budget of the whole search.
    pub budget: Budget,
}

/// How a search ended.
#[derive(Debug)]
pub enum Outcome {
    /// A tour.
    Found(Box<Tour>),
    /// Proved to be impossible, by theorem or by complete search.
    Impossible(Finding),
    /// Out of budget, or the method can see no more, which proves nothing.
    Limit,
    /// Stopped from outside.
    Interrupted,
}

/// What a search found, and what it cost.
#[derive(Debug)]
pub struct Found {
    /// How it ended.
    pub outcome: Outcome,
    /// The solver that ended it; `None` for a theorem.
    pub solver: Option<&'static str>,
    /// Attempts of all solvers.
    pub attempts: u64,
    /// Moves of all solvers.
    pub moves: u64,
    /// Whether the last solver ended by itself, bounded by its parameters.
    pub bounded: bool,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl TourSearch {
    /// How long a search goes on that was given no budget.
    pub const PATIENCE: Duration = Duration::from_secs(600);

    /// Looks for a tour.
    pub fn run(&self, control: &Control) -> Result<Found, EnumerateError> {
        let begun = Instant::now();
        let mut found = Found {
            outcome: Outcome::Limit,
            solver: None,
            attempts: 0,
            moves: 0,
            bounded: false,
            seconds: 0.0,
        };
        let stages = match &self.choice {
            Some(choice) => vec![(choice.clone(), Budget::UNLIMITED)],
            None => stages(&self.problem),
        };
        if let Existence::Impossible(finding) = known(&self.problem) {
            found.outcome = Outcome::Impossible(finding);
        } else {
            let last = stages.len() - 1;
            let rectangle = knight_rectangle(self.problem.graph()).is_some();
            let mut refusal = None;
            for (index, (choice, own)) in stages.into_iter().enumerate() {
                found.solver = Some(choice.name());
                let spent = match self.stage(choice, own, control, &mut found) {
                    Err(EnumerateError::Unsupported { solver, reason }) if index < last => {
                        // On rectangles this says which ends would do, the last resort only its size.
                        refusal = refusal.or((rectangle && solver == "divide").then_some(reason));
                        continue;
                    }
                    Err(EnumerateError::Unsupported { reason, .. }) if self.choice.is_none() => {
                        let graph = self.problem.graph().to_string();
                        let reason = refusal.unwrap_or(reason);
                        return Err(EnumerateError::NoSolver { graph, reason });
                    }
                    result => result?,
                };
                if !matches!(found.outcome, Outcome::Limit) || control.late() || spent {
                    break;
                }
            }
        }
        found.seconds = begun.elapsed().as_secs_f64();
        Ok(found)
    }

    /// The solvers that are tried, in order.
    pub fn solvers(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = match &self.choice {
            Some(choice) => vec![choice.name()],
            None => stages(&self.problem).iter().map(|(choice, _)| choice.name()).collect(),
        };
        names.dedup();
        names
    }

    /// Whether the tour is surely built from blocks, so that nothing but the tour needs memory.
    pub fn builds(&self) -> bool {
        let named = self.choice.as_ref().is_some_and(|choice| choice.name() == "divide");
        let picked = self.choice.is_none() && self.problem.graph().order() > LARGE;
        let between = self.problem.start().is_some() && self.problem.end().is_some();
        (named || picked) && !between && knight_rectangle(self.problem.graph()).is_some()
    }

    /// Runs one solver until it has a tour or its own budget, or that of the search, is spent. Tells
    /// whether it was that of the search.
    fn stage(
        &self,
        choice: Choice,
        own: Budget,
        control: &Control,
        found: &mut Found,
    ) -> Result<bool, EnumerateError> {
        let left = |total: Option<u64>, spent: u64| total.map(|t| t.saturating_sub(spent));
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        let name = choice.name();
        let run = Enumeration {
            seed: self.seed,
            threads: self.threads,
            budget: Budget {
                attempts: least(own.attempts, left(self.budget.attempts, found.attempts)),
                moves: least(own.moves, left(self.budget.moves, found.moves)),
                tours: Some(1),
                ..self.budget
            },
            ..Enumeration::new(self.problem.clone(), choice)
        };
        let mut tour = None;
        let mut take = |t: crate::tour::Verified<'_>| {
            tour = Some(t.into_tour());
            ControlFlow::Break(())
        };
        let summary = run.run(control, Some(&mut take))?;
        found.attempts += summary.total.attempts;
        found.moves += summary.total.moves;
        found.bounded = summary.bounded;
        found.outcome = match (tour, summary.status) {
            (Some(tour), _) => Outcome::Found(Box::new(tour)),
            (None, Status::Interrupted) => Outcome::Interrupted,
            (None, Status::Complete) => Outcome::Impossible(Finding {
                theorem: "complete search",
                reason: format!("solver {name} has searched everything and there is no such tour"),
            }),
            (None, _) => Outcome::Limit,
        };
        let none_left = |total: Option<u64>, spent: u64| left(total, spent) == Some(0);
        Ok(none_left(self.budget.attempts, found.attempts)
            || none_left(self.budget.moves, found.moves)
            || (own == Budget::UNLIMITED && summary.status == Status::Limit && !summary.bounded))
    }
}

/// The solvers of the portfolio for a problem, and what each may spend.
fn stages(problem: &Problem) -> Vec<(Choice, Budget)> {
    let choice = |Stage { solver, values, budget }| (Choice { solver, values }, budget);
    portfolio::stages(problem).into_iter().map(choice).collect()
}
