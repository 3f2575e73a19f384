//! A stream of exactly uniform tours, the same on any number of threads.

use super::prepared::NAME;
use super::sampler::Sampler;
use crate::search::{BadClaim, Budget, Control, Driver, Moment, RunReport};
use crate::tour::Verified;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Covers that are drawn before a problem without a tour so far is given up. Chosen by hand, not tuned.
const PATIENCE: u64 = 20_000_000;
/// Covers for each tour that is asked for. Chosen by hand, far above the four of closed 8x8 tours.
const COVERS_A_TOUR: u64 = 10_000;

/// How tours are drawn.
#[derive(Clone, Copy, Debug)]
pub struct TourStream {
    /// Tours to be drawn; repeats are not removed.
    pub tours: u64,
    /// Master seed.
    pub seed: u64,
    /// Number of threads; the tours do not depend on it.
    pub threads: usize,
}

impl TourStream {
    /// Draws, and hands each tour to `take`, which may end it. Fewer tours than asked for come
    /// where next to none of the covers are tours, after so many covers that hope is lost.
    pub fn run(
        &self,
        sampler: &Arc<Sampler>,
        control: &Control,
        take: &mut dyn FnMut(Verified<'_>) -> ControlFlow<()>,
    ) -> Result<RunReport, BadClaim> {
        let prepared = sampler.prepared();
        let attempts = PATIENCE.saturating_add(self.tours.saturating_mul(COVERS_A_TOUR));
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
