//! How fast a watched search goes: at full speed, so many steps a second, or step by step.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Pictures a second of a search that goes faster than they do.
const PICTURES: f64 = 20.0;
/// Searches up to this speed show every step.
const EVERY_STEP: f64 = 60.0;
/// The slowest and the fastest speed, in steps a second.
pub(crate) const SPEEDS: (f64, f64) = (0.2, 1e7);

/// What is asked of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Orders {
    /// Whether it rests.
    pub(crate) paused: bool,
    /// Steps a second; none is full speed.
    pub(crate) speed: Option<f64>,
    /// Steps it may make though it rests.
    pub(crate) steps: u64,
    /// Whether it is to end.
    stop: bool,
}

/// What a search is to do after a picture was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Go {
    /// Make so many steps until the next look; at full speed, look at the clock as well.
    Steps(u64),
    /// Go on at full speed.
    Full,
    /// End.
    End,
}

/// The orders of one search.
pub(crate) struct Pace {
    orders: Mutex<Orders>,
    changed: Condvar,
    called: AtomicBool,
}

impl Pace {
    pub(crate) fn new(speed: Option<f64>, paused: bool) -> Pace {
        let orders = Orders { paused, speed, steps: 0, stop: false };
        Pace { orders: Mutex::new(orders), changed: Condvar::new(), called: AtomicBool::new(false) }
    }

    fn lock(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Orders)) {
        change(&mut self.lock());
        self.called.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// The orders as they are.
    pub(crate) fn orders(&self) -> Orders {
        *self.lock()
    }

    /// Pauses, or lets it go on.
    pub(crate) fn pause(&self, paused: bool) {
        self.change(|orders| (orders.paused, orders.steps) = (paused, 0));
    }

    /// Sets the speed.
    pub(crate) fn hurry(&self, speed: Option<f64>) {
        self.change(|orders| orders.speed = speed.map(|s| s.clamp(SPEEDS.0, SPEEDS.1)));
    }

    /// Pauses after so many more steps.
    pub(crate) fn step(&self, steps: u64) {
        self.change(|orders| {
            orders.paused = true;
            orders.steps = orders.steps.saturating_add(steps).min(1 << 32);
        });
    }

    /// Ends the search.
    pub(crate) fn stop(&self) {
        self.change(|orders| orders.stop = true);
    }

    /// Whether orders have changed since the search last waited.
    #[inline]
    pub(crate) fn is_called(&self) -> bool {
        self.called.load(Relaxed)
    }

    /// Waits until it is time for more steps after a picture shown at `since`. `resting` is told when
    /// the search comes to rest, and when it goes on.
    pub(crate) fn wait(&self, since: Instant, mut resting: impl FnMut(bool)) -> Go {
        let mut orders = self.lock();
        let mut rests = false;
        loop {
            self.called.store(false, Relaxed);
            if orders.stop {
                return Go::End;
            }
            if orders.paused && orders.steps > 0 {
                let steps = std::mem::take(&mut orders.steps);
                return Go::Steps(steps);
            }
            if orders.paused {
                if !rests {
                    rests = true;
                    resting(true);
                }
                orders = self.changed.wait(orders).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            if rests {
                rests = false;
                resting(false);
            }
            let Some(speed) = orders.speed else { return Go::Full };
            let steps = if speed > EVERY_STEP { (speed / PICTURES).ceil() } else { 1.0 };
            let due = since + Duration::from_secs_f64(steps / speed);
            let Some(left) = due.checked_duration_since(Instant::now()).filter(|l| !l.is_zero())
            else {
                return Go::Steps(steps as u64);
            };
            orders =
                self.changed.wait_timeout(orders, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_rests_makes_the_steps_it_is_told_and_no_more() {
        let pace = Pace::new(None, true);
        pace.step(1);
        pace.step(2);
        assert_eq!(pace.wait(Instant::now(), |_| unreachable!()), Go::Steps(3));
        assert!(pace.orders().paused && !pace.is_called());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let mut told = Vec::new();
                (pace.wait(Instant::now(), |rests| told.push(rests)), told)
            });
            while pace.orders().steps > 0 {}
            pace.pause(false);
            let (go, told) = waiting.join().unwrap();
            assert_eq!(go, Go::Full);
            assert!(told.is_empty() || told == [true, false], "{told:?}");
        });
        pace.stop();
        assert_eq!(pace.wait(Instant::now(), |_| {}), Go::End);
    }

    #[test]
    fn slow_searches_show_every_step_and_fast_ones_twenty_pictures_a_second() {
        let long_ago = Instant::now().checked_sub(Duration::from_secs(9)).unwrap();
        for (speed, steps) in [(5.0, 1), (60.0, 1), (1000.0, 50), (1e6, 50_000)] {
            let pace = Pace::new(Some(speed), false);
            assert_eq!(pace.wait(long_ago, |_| {}), Go::Steps(steps));
        }
        let pace = Pace::new(Some(50.0), false);
        let begun = Instant::now();
        assert_eq!(pace.wait(begun, |_| {}), Go::Steps(1));
        assert!(begun.elapsed() >= Duration::from_millis(19));
    }
}
