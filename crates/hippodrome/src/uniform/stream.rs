//! A stream of exactly uniform tours, the same on any number of threads.

use super::prepared::NAME;
use super::sampler::Sampler;
use crate::search::{BadClaim, Budget, Control, Driver, Moment, RunReport};
use crate::tour::Verified;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Number of covers after which the search for a first tour gives up. Chosen by hand, not tuned.
const BASE_COVERS: u64 = 20_000_000;
/// Number of further covers allowed per requested tour. Chosen by hand, far above the four covers that a
/// closed tour of 8x8 takes on average.
const COVERS_PER_TOUR: u64 = 10_000;

/// A request for uniform tours.
#[derive(Clone, Copy, Debug)]
pub struct TourStream {
    /// Number of tours to draw; duplicates are kept.
    pub tours: u64,
    /// Master seed.
    pub seed: u64,
    /// Number of threads, which does not change the tours.
    pub threads: usize,
}

impl TourStream {
    /// Draws tours and passes each to `take`, which may stop the drawing. The number of covers is limited, so
    /// fewer tours than requested are drawn if too few covers are tours.
    pub fn run(
        &self,
        sampler: &Arc<Sampler>,
        control: &Control,
        take: &mut dyn FnMut(Verified<'_>) -> ControlFlow<()>,
    ) -> Result<RunReport, BadClaim> {
        let prepared = sampler.prepared();
        let attempts = BASE_COVERS.saturating_add(self.tours.saturating_mul(COVERS_PER_TOUR));
        let plan = Driver {
            problem: sampler.problem(),
            solver: NAME,
            prepared: &*prepared,
            seed: self.seed,
            budget: Budget { attempts: Some(attempts), ..Budget::UNLIMITED },
            control,
        };
        let mut left = self.tours;
        let mut consumer = |tour: Verified<'_>, _: &Moment| {
            left -= 1;
            take(tour)?;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        plan.run(self.threads, Some(&mut consumer))
    }
}
