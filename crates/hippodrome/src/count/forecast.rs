//! What a large count will take, told before it is made.

use super::bound::{LARGE, needed};
use super::ends_plan::EndsPlan;
use super::task::Method;
use super::watch::StopReason;
use super::{Count, CountError, CountMonitor};

/// States of the largest layer for a second of one thread, measured from 7x7 to 8x10: as many steps are
/// made of them as the frontier is long. By halves,
const BY_HALVES: f64 = 1.7e6;
/// by a sweep,
const BY_SWEEP: f64 = 4.5e5;
/// and of degrees alone, of which most are there at most steps.
const BY_DEGREES: f64 = 2.5e5;
/// Small counts: states of all steps for a second of one thread, between the 2.7 million of 6x8 closed
/// and the 7 million of 7x8.
const IN_ALL: f64 = 4e6;

/// What a count will take.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// How it is done.
    pub method: &'static str,
    /// Squares in the frontier, at most.
    pub frontier: usize,
    /// Counts that are added up, one after the other; each takes as much.
    pub parts: usize,
    /// States held at a time, at most; none for a count that is small.
    pub states: Option<u64>,
    /// Bytes for them; none for a count that is small.
    pub bytes: Option<u64>,
    /// How long all of it takes, a breakdown included: a guess that may be wrong by a factor of two.
    pub seconds: f64,
}

impl Forecast {
    /// Forecasts a count whose breakdown has about `breakdown` states; an error if it takes far more than the
    /// memory allowed.
    pub(super) fn new(
        count: &Count,
        whole: &EndsPlan,
        breakdown: f64,
        watch: &CountMonitor,
    ) -> Result<Forecast, CountError> {
        let (cost, parts, first) = (whole.cost(), whole.parts.len(), whole.parts.first());
        let mut forecast = Forecast {
            method: first.map_or("theorem", |first| first.plan.name()),
            frontier: first.map_or(0, |first| first.plan.slots),
            parts,
            states: None,
            bytes: None,
            seconds: cost / IN_ALL,
        };
        if let Some(first) = first.filter(|first| first.plan.cost >= LARGE) {
            let known = whole.needed.map_or_else(|| needed(count, first, watch), Ok);
            let (most, needed) = known?;
            if needed / 2 > watch.memory {
                return Err(count.stopped(StopReason::Memory(needed), watch));
            }
            (forecast.states, forecast.bytes) = (Some(most), Some(needed));
            let rate = match first.plan.method {
                _ if first.task.many_cycles => BY_DEGREES,
                Method::Halves(_) => BY_HALVES,
                Method::Sweep(_) => BY_SWEEP,
            };
            forecast.seconds = (most * parts as u64) as f64 / rate;
        }
        forecast.seconds *= (1.0 + breakdown / cost.max(1.0)) / count.threads as f64;
        Ok(forecast)
    }
}
