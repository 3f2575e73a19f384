//! What a large count will take, told before it is made.
//!
//! The degrees at the frontier are few, and the same steps over degrees alone tell for each how many ways
//! lead there. States with these degrees are at most as many as the ways, and as the pairings of the
//! ends. Their sum bounds every layer from above; measured layers are about half of it.

use super::key::{FrontierKey, Wide};
use super::layer::Layer;
use super::meet::{MERGED, SLICE};
use super::plan::{EndsPlan, PlannedTask};
use super::program::Program;
use super::rule::{Degrees, TransitionRule};
use super::tally::Tally;
use super::task::{Method, Task, TaskPlan};
use super::watch::StopReason;
use super::{Count, CountError, CountMonitor};

/// Counts of fewer states need no forecast.
pub(super) const LARGE: f64 = 2e7;
/// How far one more edge takes a layer beyond [`MERGED`]; measured: 1.2.
const OVER: f64 = 1.25;
/// Degrees alone take about such a share of the bytes that paths take.
const SHARE: u64 = 8;
/// States that follow one of a sweep, before equal ones are added up.
const FOLLOWERS: u64 = 4;
/// Bytes of a tally.
const TALLY: u64 = 8;
/// States of the largest layer for a second of one thread, measured from 7x7 to 8x10: as many steps are
/// made of them as the frontier is long. By halves,
const BY_HALVES: f64 = 1.7e6;
/// by a sweep,
const BY_SWEEP: f64 = 4.5e5;
/// and of degrees alone, of which most are there at most steps.
const BY_DEGREES: f64 = 2.5e5;
/// Small counts: states of all steps for a second of one thread.
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

/// Ways, which may be very many.
impl Tally for f64 {
    const ONE: f64 = 1.0;

    fn plus(self, other: f64) -> Option<f64> {
        Some(self + other)
    }

    fn times(self, weight: i32) -> Option<f64> {
        Some(self * f64::from(weight))
    }

    /// Sums depend on their order: no ledger.
    fn enter(self, ledger: u64) -> u64 {
        ledger
    }

    type Sum = f64;

    fn gather(sum: &mut f64, one: f64, other: f64) {
        *sum += one * other;
    }

    fn repeat(sum: &mut f64, other: f64, times: u32) {
        *sum += other * f64::from(times);
    }
}

impl Forecast {
    /// Foretells a count whose breakdown has about so many states; an error if it takes far more than the
    /// memory allowed.
    pub(super) fn new(
        count: &Count,
        whole: &EndsPlan,
        breakdown: f64,
        watch: &CountMonitor,
    ) -> Result<Forecast, CountError> {
        let Some(first) = whole.parts.first() else {
            return Ok(Forecast {
                method: "theorem",
                frontier: 0,
                parts: 0,
                states: None,
                bytes: None,
                seconds: 0.0,
            });
        };
        let (cost, parts, plan) = (whole.cost(), whole.parts.len(), &first.plan);
        let mut forecast = Forecast {
            method: plan.name(),
            frontier: plan.slots,
            parts,
            states: None,
            bytes: None,
            seconds: cost / IN_ALL,
        };
        if plan.cost >= LARGE {
            let (most, needed) = whole.needed.map_or_else(|| needed(count, first, watch), Ok)?;
            if needed / 2 > watch.memory {
                return Err(count.stopped(StopReason::Memory(needed), watch));
            }
            (forecast.states, forecast.bytes) = (Some(most), Some(needed));
            let rate = match plan.method {
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

/// Returns the most states held at a time, and bytes for them.
pub(super) fn needed(
    count: &Count,
    PlannedTask { task, plan }: &PlannedTask,
    watch: &CountMonitor,
) -> Result<(u64, u64), CountError> {
    // A forecast should take little of what it foretells; degrees are foretold by themselves.
    let share = if task.many_cycles { 1 } else { SHARE };
    let memory = watch.memory / share;
    let own =
        CountMonitor { interrupt: watch.interrupt.clone(), memory, ..CountMonitor::default() };
    let enough = watch.memory / TALLY;
    let most = most_states(task, plan, count.threads, &own, enough).map_err(|stop| match stop {
        StopReason::Memory(bytes) => count.stopped(StopReason::Memory(share * bytes), watch),
        stop => count.stopped(stop, watch),
    })?;
    let key = match () {
        () if task.many_cycles || plan.slots <= u64::SLOTS => size_of::<u64>(),
        () => size_of::<Wide>(),
    };
    let bytes = |states: u64| states * (key as u64 + TALLY);
    // What follows the largest layer of a sweep is there before equal states are added up: measured,
    // 2.7 times the states on 7x7 and 3.7 times on 8x8 with covers.
    let largest = bytes(most.iter().copied().max().unwrap_or(0));
    let most = most.iter().sum();
    let twice = match plan.method {
        Method::Halves(_) => largest.max(SLICE.min(2 * bytes(most))),
        Method::Sweep(_) => FOLLOWERS * largest,
    };
    Ok((most, bytes(most) + twice))
}

/// The most states of a layer; of two halves that differ, of either.
fn most_states(
    task: &Task,
    plan: &TaskPlan,
    threads: usize,
    watch: &CountMonitor,
    enough: u64,
) -> Result<Vec<u64>, StopReason> {
    let programs: Vec<Program> = match &plan.method {
        Method::Sweep(order) => vec![Program::new(&task.net, order, &[], true)],
        Method::Halves(cut) => {
            let side = |n: usize| Program::new(&task.net, &cut.sides[n], &cut.edges[n], false);
            if cut.mirror.is_some() { vec![side(0)] } else { vec![side(0), side(1)] }
        }
    };
    let mut all = Vec::new();
    for program in programs {
        let mut most = 0.0f64;
        let mut layer = Layer::<u64, f64>::of(Degrees::empty());
        for (index, step) in program.steps.iter().chain(&program.edges).enumerate() {
            layer = layer.advance::<Degrees>(step, threads, watch)?;
            let bound = |&(key, ways): &(u64, f64)| {
                let ends = (key & 0x5555_5555_5555_5555).count_ones() as usize;
                ways.min((0..ends / 2).map(|pair| (2 * pair + 1) as f64).product())
            };
            let paths = if task.many_cycles {
                layer.len() as f64
            } else {
                layer.parts.iter().flatten().map(bound).sum()
            };
            // Large layers leave edges to the matching.
            let edges = index >= program.steps.len();
            most = most.max(if edges { paths.min(OVER * MERGED as f64) } else { paths });
            if most > enough as f64 {
                return Ok(vec![most as u64]);
            }
        }
        all.push(most as u64);
    }
    Ok(all)
}
