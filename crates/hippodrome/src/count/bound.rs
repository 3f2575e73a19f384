//! A bound on the states and bytes of a large count, found before it is made.
//!
//! The degrees at the frontier are few, and the same steps over degrees alone tell for each how many ways
//! lead there. States with these degrees are at most as many as the ways, and as the pairings of the
//! ends. Their sum bounds every layer from above; measured layers are about half of it.

use super::key::{FrontierKey, Wide};
use super::layer::Layer;
use super::meet::{MERGED, SLICE};
use super::program::Program;
use super::rule::{Degrees, TransitionRule, ends_among};
use super::tally::Tally;
use super::task::{Method, PlannedTask, Task, TaskPlan};
use super::watch::StopReason;
use super::{Count, CountError, CountMonitor};

/// Counts of fewer states need no forecast: they take some seconds and less than a gigabyte. Chosen by hand.
pub(super) const LARGE: f64 = 2e7;
/// How far one more edge takes a layer beyond [`MERGED`]; measured: 1.2.
const OVER: f64 = 1.25;
/// Degrees alone take about such a share of the bytes that paths take. Rounded by hand; too small a share only
/// allows the forecast itself more memory.
const SHARE: u64 = 8;
/// States that follow one of a sweep, before equal ones are added up: measured 2.7 on 7x7 and 3.7 on 8x8.
const FOLLOWERS: u64 = 4;
/// Bytes of a tally.
const TALLY: u64 = 8;
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
    let narrow = task.many_cycles || plan.slots <= u64::SLOTS;
    let key = if narrow { size_of::<u64>() } else { size_of::<Wide>() };
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
            let sides = if cut.mirror.is_some() { 1 } else { 2 };
            Program::of_halves(&task.net, cut).into_iter().take(sides).collect()
        }
    };
    let mut all = Vec::new();
    for program in programs {
        let mut most = 0.0f64;
        let mut layer = Layer::<u64, f64>::of(Degrees::empty());
        for (index, step) in program.steps.iter().chain(&program.edges).enumerate() {
            layer = layer.advance::<Degrees>(step, threads, watch)?;
            let bound = |&(key, ways): &(u64, f64)| {
                ways.min((0..ends_among(key) / 2).map(|pair| (2 * pair + 1) as f64).product())
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
