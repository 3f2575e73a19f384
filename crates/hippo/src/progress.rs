//! A progress bar on standard error, only on a terminal and only for work that takes a while.

use crate::OutputMode;
use hippodrome::count::CountMonitor;
use hippodrome::search::{Budget, Control};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Quick commands show no bar at all.
const BAR_DELAY: Duration = Duration::from_millis(700);

/// Does `work` while a bar shows what the control counts.
pub fn during<T>(
    mode: OutputMode,
    budget: &Budget,
    starts: u64,
    control: &Control,
    distinct: Option<&(dyn Fn() -> u64 + Sync)>,
    work: impl FnOnce() -> T,
) -> T {
    if mode.quiet || !std::io::stderr().is_terminal() {
        return work();
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| watch(budget, starts, control, distinct, &done));
        let result = work();
        done.store(true, Relaxed);
        result
    })
}

/// Does `work` while a bar shows how far a count is.
pub fn counting<T>(mode: OutputMode, watched: &CountMonitor, work: impl FnOnce() -> T) -> T {
    if mode.quiet || !std::io::stderr().is_terminal() {
        return work();
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| watch_count(watched, &done));
        let result = work();
        done.store(true, Relaxed);
        result
    })
}

/// A bar of units, for jobs whose units take long.
pub struct Units(Option<ProgressBar>);

impl Units {
    /// For so many units.
    pub fn new(mode: OutputMode, units: u64) -> Units {
        if mode.quiet || !std::io::stderr().is_terminal() {
            return Units(None);
        }
        let bar = ProgressBar::with_draw_target(Some(units), ProgressDrawTarget::stderr_with_hz(8));
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30.cyan/dim} {pos} of {len} units  eta {eta}")
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        Units(Some(bar))
    }

    /// One more is done.
    pub fn advance(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }

    /// All is done.
    pub fn end(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

fn watch_count(watched: &CountMonitor, done: &AtomicBool) {
    let begun = Instant::now();
    while begun.elapsed() < BAR_DELAY {
        if done.load(Relaxed) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr_with_hz(8))
        .with_elapsed(begun.elapsed());
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30.cyan/dim} {percent:>3}%  {msg}  eta {eta}")
    {
        bar.set_style(style);
    }
    while !done.load(Relaxed) {
        bar.set_length(watched.whole.load(Relaxed).max(1));
        bar.set_position(watched.done.load(Relaxed));
        bar.set_message(format!("{} states", HumanCount(watched.states.load(Relaxed))));
        bar.tick();
        std::thread::sleep(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}

fn watch(
    budget: &Budget,
    starts: u64,
    control: &Control,
    distinct: Option<&(dyn Fn() -> u64 + Sync)>,
    done: &AtomicBool,
) {
    let begun = Instant::now();
    while begun.elapsed() < BAR_DELAY {
        if done.load(Relaxed) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let per_start = budget.attempts_per_start.map(|n| n.saturating_mul(starts));
    let length = budget.attempts.into_iter().chain(per_start).min();
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(8))
        .with_elapsed(begun.elapsed());
    let style = match length {
        Some(_) => "{bar:30.cyan/dim} {percent:>3}%  {msg}  eta {eta}",
        None => "{spinner:.cyan} {elapsed}  {msg}",
    };
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    while !done.load(Relaxed) {
        let (attempts, tours) = (control.attempts.load(Relaxed), control.tours.load(Relaxed));
        let moves = control.moves.load(Relaxed);
        bar.set_position(attempts);
        let rate = moves as f64 / begun.elapsed().as_secs_f64() / 1e6;
        let tours = match distinct {
            Some(distinct) => format!("about {} distinct tours", HumanCount(distinct())),
            None => format!("{} tours", HumanCount(tours)),
        };
        bar.set_message(format!("{} attempts, {tours}, {rate:.1} M moves/s", HumanCount(attempts)));
        bar.tick();
        std::thread::sleep(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}
