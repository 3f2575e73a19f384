//! The forecast of the memory and time of a large count.

use super::bound::{LARGE, needed};
use super::ends_plan::EndsPlan;
use super::monitor::StopReason;
use super::task::Method;
use super::{Count, CountError, CountMonitor};

/// Rate of a count by halves: the number of states in its largest layer, per second and thread. Measured from
/// 7x7 to 8x10; the rate allows for the number of steps, which grows with the size of the frontier.
const BY_HALVES: f64 = 1.7e6;
/// The same rate for a sweep.
const BY_SWEEP: f64 = 4.5e5;
/// The same rate for a sweep over degrees alone, where most steps hold most of the states.
const BY_DEGREES: f64 = 2.5e5;
/// Rate of a small count: the number of states in all its steps, per second and thread. The value is between
/// the 2.7 million measured for 6x8 closed and the 7 million for 7x8.
const IN_ALL: f64 = 4e6;

/// The resources that a count will need.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Name of the counting method.
    pub method: &'static str,
    /// Largest number of squares in the frontier at once.
    pub frontier: usize,
    /// Number of counts of about the same cost that are run one after the other and added up.
    pub parts: usize,
    /// Largest number of states held at once; `None` for a small count.
    pub states: Option<u64>,
    /// Number of bytes that these states and their successors take; `None` for a small count.
    pub bytes: Option<u64>,
    /// Total time in seconds, breakdown included. This is an estimate that may be wrong by a factor of two.
    pub seconds: f64,
}

impl Forecast {
    /// Forecasts a count whose breakdown has about `breakdown` states. Returns an error if the count needs far
    /// more memory than allowed.
    pub(super) fn new(
        count: &Count,
        whole: &EndsPlan,
        breakdown: f64,
        monitor: &CountMonitor,
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
            let known = whole.needed.map_or_else(|| needed(count, first, monitor), Ok);
            let (most, needed) = known?;
            if needed / 2 > monitor.memory {
                return Err(count.stopped(StopReason::Memory(needed), monitor));
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
