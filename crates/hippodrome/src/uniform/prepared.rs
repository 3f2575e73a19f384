//! A sampler as a prepared solver: its units draw covers.

use super::sampler::Sampler;
use super::sweep::Sweep;
use crate::problem::Problem;
use crate::problem::theorems::known;
use crate::search::{
    Allotment, Budget, End, Measure, Preparation, Prepared, Promise, Run, SearchEvent,
};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Name of the solver. Random seeds are derived from it.
pub const NAME: &str = "uniform";

pub(crate) const COVERS: Measure = Measure { name: "covers", help: "Covers drawn." };
pub(crate) const TOURS: Measure = Measure { name: "accepted", help: "Covers that are tours." };

/// Number of covers per unit. Chosen by hand, not tuned. Must not change: the tours of a seed depend on it.
const UNIT: u64 = 4096;

/// Prepares the units of a problem without making its table.
pub(crate) fn outline(problem: &Problem) -> Preparation {
    if known(problem).is_impossible() {
        return Ok(Box::new(PreparedSampler::Impossible));
    }
    Sweep::new(problem)?;
    Ok(Box::new(PreparedSampler::Possible { starts: problem.start_count() as u64, sampler: None }))
}

/// The prepared solver: it draws from a table or, if it has none, knows only its units.
enum PreparedSampler {
    /// There is no tour, by a theorem or because there is no cover.
    Impossible,
    /// There may be tours. If there is no sampler, only the units are known.
    Possible { starts: u64, sampler: Option<Arc<Sampler>> },
}

// This method is in this file so that tables do not depend on units.
impl Sampler {
    /// Returns the solver that draws from this table.
    pub fn prepared(self: &Arc<Self>) -> Box<dyn Prepared> {
        Box::new(match self.covers() {
            // Without covers there is no tour.
            0 => PreparedSampler::Impossible,
            _ => PreparedSampler::Possible {
                starts: self.problem().start_count() as u64,
                sampler: Some(Arc::clone(self)),
            },
        })
    }
}

impl Prepared for PreparedSampler {
    fn promise(&self) -> Promise {
        match self {
            PreparedSampler::Impossible => Promise::COMPLETE,
            PreparedSampler::Possible { .. } => Promise::ENDLESS,
        }
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        let PreparedSampler::Possible { starts, .. } = self else {
            return (unit == 0).then(|| budget.split(0, 1, 1, None));
        };
        let whole = budget.split(0, 1, *starts, None);
        // The number of moves of a cover is not known in advance, so with a limit on moves all work is one
        // unit.
        let size = if budget.moves.is_some() { u64::MAX } else { UNIT };
        let spent = unit.saturating_mul(size);
        let none = (budget.moves.is_some() && unit > 0) || spent >= whole.attempts;
        (!none).then(|| Allotment { attempts: (whole.attempts - spent).min(size), ..whole })
    }

    fn run(&self, _: u64, run: &mut Run<'_>) -> End {
        let sampler = match self {
            PreparedSampler::Impossible => return End::Exhausted { proof: true },
            PreparedSampler::Possible { sampler: None, .. } => return End::Limit,
            PreparedSampler::Possible { sampler: Some(sampler), .. } => sampler,
        };
        let mut rng = run.rng.clone();
        let attempts = run.allotment().attempts;
        let (mut covers, mut tours) = (0, 0);
        let watched = run.is_watched();
        let _ = sampler.draw(attempts, &mut rng, |finished, rng| {
            covers += 1;
            if watched {
                let closed = if finished.whole { None } else { finished.closed_part() };
                run.event(&SearchEvent::Cover { decided: finished.decided, closed })?;
                run.event(&SearchEvent::Moves(&sampler.moves(finished)))?;
                run.event(&SearchEvent::Path(&sampler.strand(finished)))?;
            }
            let flow = run.charge(1, finished.decided);
            if finished.whole {
                tours += 1;
                run.claim(sampler.tour(finished, rng))?;
            }
            // The allotment already limits the attempts; a break for any other reason ends the unit.
            if covers < attempts { flow } else { ControlFlow::Continue(()) }
        });
        run.readings.count(&COVERS, covers);
        run.readings.count(&TOURS, tours);
        End::Limit
    }
}
