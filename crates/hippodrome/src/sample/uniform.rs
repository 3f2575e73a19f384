//! `uniform`: tours that are exactly uniform: every one is as likely as any other.
//!
//! A closed tour is a set of moves, two at every square, that form one cycle. Sets that may form
//! several cycles, *covers*, can be counted exactly by going over the board with a state of sixteen
//! digits, and drawn uniformly by going over it again and choosing by these counts. Covers that are
//! not one cycle are dropped; on 8x8 the 23.4% that remain are uniform among the closed tours. For
//! open tours one more vertex is joined to every square, and a cycle through it is a path.
//! Source: counting 2-factors by a frontier (broken profile) is folklore; drawing from such counts is
//! Nijenhuis & Wilf 1978, and rejection von Neumann 1951. Its use for tours is ours.
//! Cost: 8x8 has 4 million states and 20 million arcs for closed tours; see METHODOLOGY.
//! Limits: at most 8 rows or 8 columns (any board, piece or graph whose states tell of at most 16
//! squares), fewer than 10^32 covers. The share of covers that are tours falls slowly with the board.
//! Exactness: all counts are whole numbers; see `draw.rs` for the argument. What is uniform is the
//! law of each tour; tours are independent, so that repeats come as chance has them.
//!
//! A closed tour begins anywhere, and goes either way, with equal chance, unless its start is given.

use super::sampler::{Making, Sampler};
use super::shared::shared_table;
use crate::budget::{Allotment, Budget};
use crate::measure::Measure;
use crate::params::{Kind, Param, Values};
use crate::problem::Problem;
use crate::run::{End, Frame, Run};
use crate::solver::{Info, Prepared, Promise, Solver, Unsupported};
use crate::theorems::known;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The registry entry.
pub struct Uniform;

/// Its name, which goes into the seeds.
pub const NAME: &str = "uniform";

static INFO: Info = Info {
    name: NAME,
    summary: "Draws sets of cycles from exact counts until one is a single cycle: every tour is equally likely.",
    source: "this project; counts by a frontier, Nijenhuis & Wilf 1978 for drawing from them",
    good_for: "exactly uniform tours of boards with at most 8 rows or columns, open and closed",
    params: &[MEMORY],
    measures: &[COVERS, TOURS],
};

const MEMORY: Param = Param {
    name: "memory",
    default: "6144",
    kind: Kind::Int { min: 64, max: 1 << 24 },
    help: "MiB that the table of counts may take; 8x8 takes about 250 for closed tours and 1,500 for open ones.",
};

const COVERS: Measure = Measure { name: "covers", help: "Covers drawn." };
const TOURS: Measure = Measure { name: "accepted", help: "Those that are tours." };

/// Covers of a unit.
const UNIT: u64 = 4096;

impl Solver for Uniform {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(
        &self,
        problem: &Problem,
        values: &Values,
    ) -> Result<Box<dyn Prepared>, Unsupported> {
        self.prepare_with(problem, values, &Making::default())
    }

    fn outline(&self, problem: &Problem, _: &Values) -> Result<Box<dyn Prepared>, Unsupported> {
        if known(problem).is_impossible() {
            return Ok(Box::new(Ready::Impossible));
        }
        super::sweep::Sweep::new(problem)?;
        Ok(Box::new(Ready::Possible { starts: problem.start_count() as u64, sampler: None }))
    }

    fn prepare_with(
        &self,
        problem: &Problem,
        values: &Values,
        making: &Making<'_>,
    ) -> Result<Box<dyn Prepared>, Unsupported> {
        if known(problem).is_impossible() {
            return Ok(Box::new(Ready::Impossible));
        }
        let memory = values.int("memory").saturating_mul(1 << 20) as usize;
        let made = shared_table(problem, &Making { memory, ..*making });
        Ok(made.map_err(|e| Unsupported(e.to_string()))?.ready())
    }
}

impl Sampler {
    /// The solver ready to draw from this table.
    pub fn ready(self: &Arc<Self>) -> Box<dyn Prepared> {
        match self.covers() {
            // Without a cover there is no tour.
            0 => Box::new(Ready::Impossible),
            _ => Box::new(Ready::Possible {
                starts: self.problem().start_count() as u64,
                sampler: Some(Arc::clone(self)),
            }),
        }
    }
}

enum Ready {
    /// There is no tour, by theorem or for want of covers.
    Impossible,
    /// There may be tours; without a table only units are known.
    Possible { starts: u64, sampler: Option<Arc<Sampler>> },
}

impl Prepared for Ready {
    fn promise(&self) -> Promise {
        match self {
            Ready::Impossible => Promise::COMPLETE,
            Ready::Possible { .. } => Promise { exhausts: false, repeats: true, complete: false },
        }
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        let Ready::Possible { starts, .. } = self else {
            return (unit == 0).then(|| budget.split(0, 1, 1, None));
        };
        let whole = budget.split(0, 1, *starts, None);
        // What moves a cover takes is not known before, so a limit of moves makes one unit.
        let size = if budget.moves.is_some() { u64::MAX } else { UNIT };
        let spent = unit.saturating_mul(size);
        let none = (budget.moves.is_some() && unit > 0) || spent >= whole.attempts;
        (!none).then(|| Allotment { attempts: (whole.attempts - spent).min(size), ..whole })
    }

    fn run(&self, _: u64, run: &mut Run<'_>) -> End {
        let sampler = match self {
            Ready::Impossible => return End::Exhausted { proof: true },
            Ready::Possible { sampler: None, .. } => return End::Limit,
            Ready::Possible { sampler: Some(sampler), .. } => sampler,
        };
        let mut rng = run.rng.clone();
        let attempts = run.allotment().attempts;
        let (mut covers, mut tours) = (0, 0);
        let watched = run.is_watched();
        let _ = sampler.draw(attempts, &mut rng, |finished, rng| {
            covers += 1;
            if watched {
                run.frame(&Frame::Moves(&sampler.moves(finished)))?;
                run.frame(&Frame::Path(&sampler.strand(finished)))?;
            }
            let flow = run.charge(1, finished.decided);
            if finished.whole {
                tours += 1;
                run.claim(sampler.tour(finished, rng))?;
            }
            // The attempts are counted out beforehand; whatever else breaks ends the unit.
            if covers < attempts { flow } else { ControlFlow::Continue(()) }
        });
        run.readings.count(&COVERS, covers);
        run.readings.count(&TOURS, tours);
        End::Limit
    }
}
