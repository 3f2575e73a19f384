//! Progress bars on standard error. They appear only on a terminal, and only for work that takes a while.
//!
//! A bar fits in 40 columns, because a line that wraps cannot be erased. Messages are cut at the edge.

use crate::OutputMode;
use hippodrome::count::CountMonitor;
use hippodrome::problem::Problem;
use hippodrome::search::{Budget, Control};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Time before a bar appears. Quick commands therefore show none.
const BAR_DELAY: Duration = Duration::from_millis(700);

/// Returns the number of attempts that a budget allows: the length of the progress bar.
pub fn attempts(budget: &Budget, problem: &Problem) -> Option<u64> {
    let starts = problem.start_count() as u64;
    let per_start = budget.attempts_per_start.map(|n| n.saturating_mul(starts));
    budget.attempts.into_iter().chain(per_start).min()
}

/// Runs `work` while a bar of `length` attempts, or a spinner, shows the counters in the control.
pub fn during<T>(
    mode: OutputMode,
    length: Option<u64>,
    control: &Control,
    distinct: Option<&(dyn Fn() -> u64 + Sync)>,
    work: impl FnOnce() -> T,
) -> T {
    let begun = Instant::now();
    let update = |bar: &ProgressBar| {
        let attempts = control.attempts.load(Relaxed);
        bar.set_position(attempts);
        let rate = control.moves.load(Relaxed) as f64 / begun.elapsed().as_secs_f64() / 1e6;
        let tours = match distinct {
            Some(distinct) => format!("about {} distinct tours", HumanCount(distinct())),
            None => format!("{} tours", HumanCount(control.tours.load(Relaxed))),
        };
        bar.set_message(format!("{tours}, {} attempts, {rate:.1} M moves/s", HumanCount(attempts)));
    };
    shown(mode, length, update, work)
}

/// Runs `work` while a bar shows the progress of a count.
pub fn counting<T>(mode: OutputMode, watched: &CountMonitor, work: impl FnOnce() -> T) -> T {
    let update = |bar: &ProgressBar| {
        bar.set_length(watched.whole.load(Relaxed).max(1));
        bar.set_position(watched.done.load(Relaxed));
        bar.set_message(format!("{} states", HumanCount(watched.states.load(Relaxed))));
    };
    shown(mode, Some(1), update, work)
}

/// Runs `work` while `update` keeps a bar up to date; without a `length`, the bar is a spinner.
fn shown<T>(
    mode: OutputMode,
    length: Option<u64>,
    update: impl Fn(&ProgressBar) + Sync,
    work: impl FnOnce() -> T,
) -> T {
    if !visible(mode) {
        return work();
    }
    let done = AtomicBool::new(false);
    let watch = || {
        let begun = Instant::now();
        while begun.elapsed() < BAR_DELAY {
            if done.load(Relaxed) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let bar = bar(
            length,
            match length {
                Some(_) => "{bar:12.cyan/dim} {percent:>3}% eta {eta}  {wide_msg}",
                None => "{spinner:.cyan} {elapsed}  {wide_msg}",
            },
        );
        let bar = bar.with_elapsed(begun.elapsed());
        while !done.load(Relaxed) {
            update(&bar);
            bar.tick();
            std::thread::sleep(Duration::from_millis(100));
        }
        bar.finish_and_clear();
    };
    std::thread::scope(|scope| {
        scope.spawn(watch);
        let result = work();
        done.store(true, Relaxed);
        result
    })
}

fn visible(mode: OutputMode) -> bool {
    !mode.quiet && std::io::stderr().is_terminal()
}

fn bar(length: Option<u64>, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(8));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// A progress bar that counts the units of a job.
pub struct Units(Option<ProgressBar>);

impl Units {
    /// Shows a bar for the given number of units.
    pub fn new(mode: OutputMode, units: u64) -> Units {
        if !visible(mode) {
            return Units(None);
        }
        let bar = bar(Some(units), "{bar:12.cyan/dim} {pos} of {len} units, eta {eta}");
        bar.enable_steady_tick(Duration::from_millis(500));
        Units(Some(bar))
    }

    /// Advances the bar by one unit.
    pub fn advance(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }

    /// Removes the bar.
    pub fn end(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
