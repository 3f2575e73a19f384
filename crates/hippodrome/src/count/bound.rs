//! An upper bound on the states and bytes of a large count, computed before the count.
//!
//! Idea: run the same steps over the degrees of the frontier vertices alone. There are few degree vectors,
//! and the run counts the ways that lead to each. The number of states with a given degree vector is at most
//! the number of ways, and at most the number of pairings of its path ends. The size of a layer is at most
//! the sum, over all degree vectors, of the smaller of these two bounds; measured layers reach about half of
//! it.

use super::key::{FrontierKey, Wide};
use super::layer::Layer;
use super::meet::{MERGED, SLICE};
use super::monitor::StopReason;
use super::program::Program;
use super::rule::{Degrees, TransitionRule, ends_among};
use super::tally::Tally;
use super::task::{Method, PlannedTask, Task, TaskPlan};
use super::{Count, CountError, CountMonitor};

/// Number of states below which a count needs no forecast: it takes a few seconds and less than a gigabyte.
/// Chosen by hand.
pub(super) const LARGE: f64 = 2e7;
/// Upper bound on the factor by which a layer exceeds [`MERGED`] after deciding one more edge; the measured
/// factor was 1.2.
const OVER: f64 = 1.25;
/// Approximate ratio of the bytes of path states to the bytes of degree states. Rounded by hand; too low a
/// ratio only allows the forecast itself more memory.
const SHARE: u64 = 8;
/// Upper bound on the number of successors per state that a sweep holds before merging; the measured value
/// was 2.7 on 7x7 and 3.7 on 8x8.
const FOLLOWERS: u64 = 4;
/// Size of a tally in bytes.
const TALLY: u64 = 8;
/// A number of ways, which may exceed any integer type.
impl Tally for f64 {
    const ONE: f64 = 1.0;

    fn plus(self, other: f64) -> Option<f64> {
        Some(self + other)
    }

    fn times(self, weight: i32) -> Option<f64> {
        Some(self * f64::from(weight))
    }

    /// Returns the ledger unchanged, because floating-point sums depend on their order.
    fn enter(self, ledger: u64) -> u64 {
        ledger
    }
}

/// Returns the largest number of states held at once, and the number of bytes that they and their successors
/// take.
pub(super) fn needed(
    count: &Count,
    PlannedTask { task, plan }: &PlannedTask,
    monitor: &CountMonitor,
) -> Result<(u64, u64), CountError> {
    // A forecast may use only a fraction of the memory of its count; a count by degrees is its own forecast.
    let share = if task.many_cycles { 1 } else { SHARE };
    let memory = monitor.memory / share;
    let own =
        CountMonitor { interrupt: monitor.interrupt.clone(), memory, ..CountMonitor::default() };
    let enough = monitor.memory / TALLY;
    let most = most_states(task, plan, count.threads, &own, enough).map_err(|stop| match stop {
        StopReason::Memory(bytes) => count.stopped(StopReason::Memory(share * bytes), monitor),
        stop => count.stopped(stop, monitor),
    })?;
    let narrow = task.many_cycles || plan.slots <= u64::SLOTS;
    let key = if narrow { size_of::<u64>() } else { size_of::<Wide>() };
    let bytes = |states: u64| states * (key as u64 + TALLY);
    // The successors of a sweep's largest layer are held before they are merged: 2.7 times the states of the
    // layer were measured on 7x7, and 3.7 times on 8x8 with covers.
    let largest = bytes(most.iter().copied().max().unwrap_or(0));
    let most = most.iter().sum();
    let twice = match plan.method {
        Method::Halves(_) => largest.max(SLICE.min(2 * bytes(most))),
        Method::Sweep(_) => FOLLOWERS * largest,
    };
    Ok((most, bytes(most) + twice))
}

/// Returns the size of the largest layer, one number for each half if the halves differ. Stops early at a
/// layer of more than `enough` states.
fn most_states(
    task: &Task,
    plan: &TaskPlan,
    threads: usize,
    monitor: &CountMonitor,
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
            layer = layer.advance::<Degrees>(step, threads, monitor)?;
            let bound = |&(key, ways): &(u64, f64)| {
                ways.min((0..ends_among(key) / 2).map(|pair| (2 * pair + 1) as f64).product())
            };
            let paths = if task.many_cycles {
                layer.len() as f64
            } else {
                layer.parts.iter().flatten().map(bound).sum()
            };
            // Large layers leave these edges to the matching.
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
