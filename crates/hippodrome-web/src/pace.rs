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
    /// Whether it rests at every tour.
    pub(crate) rest_at_tours: bool,
    /// Whether it rests for a tour, not because somebody paused it.
    at_tour: bool,
    /// Whether it rests because nobody watches.
    alone: bool,
    /// Whether it is to end.
    stop: bool,
}

impl Orders {
    fn may_step(&self) -> bool {
        self.paused && self.steps > 0
    }

    fn is_to_rest(&self) -> bool {
        !self.stop && !self.may_step() && (self.paused || self.alone)
    }
}

/// What a search is to do after a picture was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Go {
    /// Make so many steps until the next look; at full speed, look at the clock as well.
    Steps(u64),
    /// Go on at full speed.
    Full,
    /// Rest until there are other orders.
    Rest,
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
        let orders = Orders {
            paused,
            speed: speed.map(within),
            steps: 0,
            rest_at_tours: false,
            at_tour: false,
            alone: false,
            stop: false,
        };
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
        self.change(|orders| (orders.paused, orders.steps, orders.at_tour) = (paused, 0, false));
    }

    /// Pauses at a tour, if that is asked for.
    pub(crate) fn pause_at_tour(&self) {
        self.change(|orders| {
            if orders.rest_at_tours {
                (orders.paused, orders.steps, orders.at_tour) = (true, 0, true);
            }
        });
    }

    /// Rests at every tour from now on, or not.
    pub(crate) fn rest_at_tours(&self, rests: bool) {
        self.change(|orders| orders.rest_at_tours = rests);
    }

    /// Rests while it is `alone`; one that `goes_on` unwatched does not stay at a tour.
    pub(crate) fn leave_alone(&self, alone: bool, goes_on: bool) {
        self.change(|orders| {
            orders.alone = alone;
            if goes_on && orders.at_tour {
                (orders.paused, orders.at_tour) = (false, false);
            }
        });
    }

    /// Sets the speed.
    pub(crate) fn hurry(&self, speed: Option<f64>) {
        self.change(|orders| orders.speed = speed.map(within));
    }

    /// Pauses after so many more steps.
    pub(crate) fn step(&self, steps: u64) {
        self.change(|orders| {
            (orders.paused, orders.at_tour) = (true, false);
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

    /// Waits until it is time for more steps after a picture shown at `since`, or for a rest.
    pub(crate) fn wait(&self, since: Instant) -> Go {
        let mut orders = self.lock();
        loop {
            self.called.store(false, Relaxed);
            if orders.stop {
                return Go::End;
            }
            if orders.may_step() {
                return Go::Steps(std::mem::take(&mut orders.steps));
            }
            if orders.is_to_rest() {
                return Go::Rest;
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

    /// Sleeps as long as there is nothing to do but rest.
    pub(crate) fn rest(&self) {
        let mut orders = self.lock();
        while orders.is_to_rest() {
            orders = self.changed.wait(orders).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn within(speed: f64) -> f64 {
    speed.clamp(SPEEDS.0, SPEEDS.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_rests_makes_the_steps_it_is_told_and_no_more() {
        let pace = Pace::new(None, true);
        pace.step(1);
        pace.step(2);
        assert_eq!(pace.wait(Instant::now()), Go::Steps(3));
        assert!(pace.orders().paused && !pace.is_called());
        assert_eq!(pace.wait(Instant::now()), Go::Rest);
        std::thread::scope(|scope| {
            let resting = scope.spawn(|| {
                pace.rest();
                pace.wait(Instant::now())
            });
            pace.pause(false);
            assert_eq!(resting.join().unwrap(), Go::Full);
        });
        pace.stop();
        pace.pause(true);
        pace.rest();
        assert_eq!(pace.wait(Instant::now()), Go::End);
    }

    #[test]
    fn what_nobody_watches_rests_and_what_is_pinned_does_not_stay_at_a_tour() {
        let pace = Pace::new(None, false);
        pace.pause_at_tour();
        assert_eq!(pace.wait(Instant::now()), Go::Full, "nobody asked for that");
        pace.rest_at_tours(true);
        pace.leave_alone(true, false);
        assert_eq!(pace.wait(Instant::now()), Go::Rest);
        pace.leave_alone(false, false);
        assert_eq!(pace.wait(Instant::now()), Go::Full);
        pace.pause_at_tour();
        assert_eq!(pace.wait(Instant::now()), Go::Rest);
        pace.leave_alone(false, true);
        assert_eq!(pace.wait(Instant::now()), Go::Full, "it goes on unwatched");
        pace.pause(true);
        pace.leave_alone(false, true);
        assert_eq!(pace.wait(Instant::now()), Go::Rest, "whoever paused it meant it");
    }

    #[test]
    fn slow_searches_show_every_step_and_fast_ones_twenty_pictures_a_second() {
        let long_ago = Instant::now().checked_sub(Duration::from_secs(9)).unwrap();
        for (speed, steps) in [(5.0, 1), (60.0, 1), (1000.0, 50), (1e6, 50_000)] {
            let pace = Pace::new(Some(speed), false);
            assert_eq!(pace.wait(long_ago), Go::Steps(steps));
        }
        let pace = Pace::new(Some(50.0), false);
        let begun = Instant::now();
        assert_eq!(pace.wait(begun), Go::Steps(1));
        assert!(begun.elapsed() >= Duration::from_millis(19));
    }
}
