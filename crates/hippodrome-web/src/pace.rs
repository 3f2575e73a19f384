//! The pace of a watched search: full speed, a number of steps per second, or step by step.

use std::time::{Duration, Instant};

/// Frames per second of a search that makes more than [`EVERY_STEP`] steps per second: enough to look like
/// motion.
const FRAME_RATE: f64 = 20.0;
/// Maximum speed, in steps per second, at which every step is shown: the refresh rate of common screens.
const EVERY_STEP: f64 = 60.0;
/// The minimum and maximum speed in steps per second: five seconds per step, and nearly full speed.
const SPEEDS: (f64, f64) = (0.2, 1e7);
/// Maximum number of steps that may be requested, so that the sum of several requests does not overflow.
const MAX_STEPS: u64 = 1 << 32;

/// The pace that viewers choose for a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pace {
    /// Whether the search is paused.
    pub(crate) paused: bool,
    /// Steps per second; `None` means full speed.
    pub(crate) speed: Option<f64>,
    /// Number of steps that the search may make although it is paused.
    steps: u64,
    /// Whether the search pauses at every tour.
    pub(crate) pause_at_tours: bool,
    /// Whether a tour paused the search, rather than a viewer.
    paused_by_tour: bool,
    /// Whether the search rests because its last viewer has left.
    unattended: bool,
}

/// What a search does after showing a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Make this number of steps, then show a frame.
    Steps(u64),
    /// Run at full speed, and show a frame at regular intervals.
    FullSpeed,
    /// Rest until the pace changes.
    Rest,
    /// End the search.
    Stop,
}

impl Pace {
    pub(crate) fn new(speed: Option<f64>, paused: bool) -> Pace {
        Pace { paused, speed: speed.map(within_limits), ..Pace::default() }
    }

    fn may_step(&self) -> bool {
        self.paused && self.steps > 0
    }

    /// Returns whether the search must rest.
    pub(crate) fn is_to_rest(&self) -> bool {
        !self.may_step() && (self.paused || self.unattended)
    }

    /// Pauses the search, or lets it continue.
    pub(crate) fn pause(&mut self, paused: bool) {
        (self.paused, self.steps, self.paused_by_tour) = (paused, 0, false);
    }

    /// Pauses the search at a tour, if viewers have chosen that.
    pub(crate) fn tour_found(&mut self) {
        if self.pause_at_tours {
            (self.paused, self.steps, self.paused_by_tour) = (true, 0, true);
        }
    }

    /// Returns whether a tour paused the search.
    pub(crate) fn is_paused_by_tour(&self) -> bool {
        self.paused && self.paused_by_tour
    }

    /// Sets whether the search rests because it is `unattended`. A search that is pinned and has no viewers
    /// continues if a tour paused it.
    pub(crate) fn attend(&mut self, unattended: bool, pinned_unwatched: bool) {
        self.unattended = unattended;
        if pinned_unwatched && self.paused_by_tour {
            (self.paused, self.paused_by_tour) = (false, false);
        }
    }

    /// Sets the speed in steps per second; `None` means full speed.
    pub(crate) fn set_speed(&mut self, speed: Option<f64>) {
        self.speed = speed.map(within_limits);
    }

    /// Pauses the search after `steps` more steps.
    pub(crate) fn step(&mut self, steps: u64) {
        (self.paused, self.paused_by_tour) = (true, false);
        self.steps = self.steps.saturating_add(steps).min(MAX_STEPS);
    }

    /// Returns what the search does after the frame shown at `shown_at`. `Err` contains the time left until
    /// the next step is due.
    pub(crate) fn next(&mut self, shown_at: Instant, now: Instant) -> Result<Next, Duration> {
        if self.may_step() {
            return Ok(Next::Steps(std::mem::take(&mut self.steps)));
        }
        if self.is_to_rest() {
            return Ok(Next::Rest);
        }
        let Some(speed) = self.speed else { return Ok(Next::FullSpeed) };
        let steps = if speed > EVERY_STEP { (speed / FRAME_RATE).ceil() } else { 1.0 };
        let due = shown_at + Duration::from_secs_f64(steps / speed);
        match due.saturating_duration_since(now) {
            Duration::ZERO => Ok(Next::Steps(steps as u64)),
            left => Err(left),
        }
    }
}

fn within_limits(speed: f64) -> f64 {
    speed.clamp(SPEEDS.0, SPEEDS.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(pace: &mut Pace) -> Next {
        let now = Instant::now();
        pace.next(now, now).unwrap()
    }

    #[test]
    fn a_paused_search_makes_only_the_requested_steps() {
        let mut pace = Pace::new(None, true);
        pace.step(1);
        pace.step(2);
        assert_eq!(next(&mut pace), Next::Steps(3));
        assert!(pace.paused);
        assert_eq!(next(&mut pace), Next::Rest);
        pace.step(u64::MAX);
        pace.step(1);
        assert_eq!(next(&mut pace), Next::Steps(MAX_STEPS));
        pace.step(5);
        pace.pause(false);
        assert_eq!(next(&mut pace), Next::FullSpeed, "requested steps are dropped");
    }

    #[test]
    fn an_unattended_search_rests_and_a_pinned_one_does_not_stay_at_a_tour() {
        let mut pace = Pace::new(None, false);
        pace.tour_found();
        assert_eq!(next(&mut pace), Next::FullSpeed, "pausing at tours is off");
        pace.pause_at_tours = true;
        pace.attend(true, false);
        assert_eq!(next(&mut pace), Next::Rest);
        pace.attend(false, false);
        assert_eq!(next(&mut pace), Next::FullSpeed);
        assert!(!pace.is_paused_by_tour());
        pace.tour_found();
        assert!(pace.is_paused_by_tour());
        assert_eq!(next(&mut pace), Next::Rest);
        pace.attend(false, true);
        assert_eq!(next(&mut pace), Next::FullSpeed, "it continues unwatched");
        pace.pause(true);
        assert!(!pace.is_paused_by_tour());
        pace.attend(false, true);
        assert_eq!(next(&mut pace), Next::Rest, "a viewer paused it");
    }

    #[test]
    fn slow_searches_show_every_step_and_fast_ones_twenty_frames_per_second() {
        let shown = Instant::now();
        let later = shown + Duration::from_secs(9);
        for (speed, steps) in [(5.0, 1), (60.0, 1), (1000.0, 50), (1e6, 50_000)] {
            assert_eq!(Pace::new(Some(speed), false).next(shown, later), Ok(Next::Steps(steps)));
        }
        let mut pace = Pace::new(Some(50.0), false);
        let soon = shown + Duration::from_millis(5);
        assert_eq!(pace.next(shown, soon), Err(Duration::from_millis(15)));
        assert_eq!(pace.next(shown, shown + Duration::from_millis(20)), Ok(Next::Steps(1)));
        pace.set_speed(Some(0.0));
        assert_eq!(pace.speed, Some(SPEEDS.0));
    }
}
