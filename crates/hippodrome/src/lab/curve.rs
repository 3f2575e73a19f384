//! Production curves: how the numbers of tours, distinct tours, duplicates and closed tours grow with the
//! attempts.
//!
//! Source: Hingston & Kendall (2004), Figure 1, and (2005), Figures 4 to 6. Their dotted line is the expected
//! number of distinct tours after n attempts, N (1 - (1 - p)^n). The formula assumes that the problem has N
//! tours and that each attempt finds each of them with probability p. The paper takes p = r / N, where r is
//! the production rate of one restart in distinct tours per attempt, so the formula gives r for n = 1. Here r
//! is the mean over all units of the run (the restarts of `mace`). A tour that several units find counts once
//! in each of them. So r n is the number of distinct tours that all units together would have found if no two
//! of them had found the same tour. The paper's r is the maximum over a selection of other runs; the paper
//! itself calls it biased. N is counted by a complete search if that is fast. Otherwise N is taken as
//! infinite, and the formula becomes n r. On 8x8 both formulas agree to nine digits after 10^8 attempts.
//!
//! Cost: at most [`MOST_POINTS`] points. Limits: the formula does not describe a run of one unit (`ace`),
//! whose duplicates all come from the unit itself.

use serde::Serialize;
use std::fmt;
use std::io::{self, Write};

/// Maximum number of points. When it is exceeded, every second point is dropped and the step is doubled.
pub const MOST_POINTS: usize = 512;

/// The counts after a given number of attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CurvePoint {
    /// Number of attempts.
    pub attempts: u64,
    /// Number of tours found, including duplicates and tours that the filter rejects.
    pub tours: u64,
    /// Number of distinct tours that pass the filter.
    pub distinct: u64,
    /// Number of duplicates among the tours that pass the filter.
    pub repeated: u64,
    /// Number of closed tours among the distinct ones.
    pub closed: u64,
}

impl CurvePoint {
    /// Writes one CSV line per point, without the predicted number.
    pub fn write_csv(points: &[CurvePoint], out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        writeln!(out, "attempts,tours,distinct,repeated,closed")?;
        points.iter().try_for_each(|point| writeln!(out, "{point}"))
    }
}

impl fmt::Display for CurvePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CurvePoint { attempts, tours, distinct, repeated, closed } = self;
        write!(f, "{attempts},{tours},{distinct},{repeated},{closed}")
    }
}

/// A production curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Points at equal steps, and one at the last attempt.
    pub points: Vec<CurvePoint>,
    /// Mean number of distinct tours per attempt within one unit: the formula's r.
    pub rate: f64,
    /// Number of distinct tours that exist, if known: the formula's N. See
    /// [`Enumeration::count_all`](crate::lab::enumerate::Enumeration::count_all).
    pub known: Option<u64>,
}

impl Curve {
    /// The columns that [`Curve::write_csv`] writes.
    pub const COLUMNS: &str = "attempts,tours,distinct,repeated,closed,predicted";

    /// Returns the number of distinct tours that the formula predicts after `attempts` attempts.
    pub fn predicted(&self, attempts: u64) -> f64 {
        predict(self.known, self.rate, attempts)
    }

    /// Writes one CSV line per point.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", Curve::COLUMNS)?;
        let mut points = self.points.iter();
        points.try_for_each(|p| writeln!(out, "{p},{:.2}", self.predicted(p.attempts)))
    }
}

/// Returns N (1 - (1 - p)^n) with p = r / N, computed accurately even if p is tiny.
pub fn predict(tours: Option<u64>, rate: f64, attempts: u64) -> f64 {
    let n = attempts as f64;
    match tours {
        None => rate * n,
        Some(0) => 0.0,
        Some(tours) => {
            let all = tours as f64;
            let chance = (rate / all).min(1.0);
            -all * (n * (-chance).ln_1p()).exp_m1()
        }
    }
}

/// Records the points of a run in progress.
pub(crate) struct Recorder {
    step: u64,
    next: u64,
    points: Vec<CurvePoint>,
}

impl Recorder {
    /// Creates a recorder that initially records one point every `step` attempts.
    pub(crate) fn new(step: u64) -> Recorder {
        let step = step.max(1);
        Recorder { step, next: step, points: Vec::new() }
    }

    /// Records the points that lie before attempt number `attempt`, which is about to change `counts`.
    #[inline]
    pub(crate) fn before(&mut self, attempt: u64, counts: CurvePoint) {
        while self.next < attempt {
            self.points.push(CurvePoint { attempts: self.next, ..counts });
            if self.points.len() > MOST_POINTS {
                self.step = self.step.saturating_mul(2);
                self.points.retain(|p| p.attempts.is_multiple_of(self.step));
            }
            self.next = self.points.last().map_or(0, |p| p.attempts).saturating_add(self.step);
        }
    }

    /// Ends the curve at `attempts` attempts, with the final counts.
    pub(crate) fn finish(mut self, attempts: u64, counts: CurvePoint) -> Vec<CurvePoint> {
        self.before(attempts, counts);
        if attempts > 0 {
            self.points.push(CurvePoint { attempts, ..counts });
        }
        self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the curve of a run that finds a tour at each listed attempt.
    fn recorded(step: u64, found: impl IntoIterator<Item = u64>, end: u64) -> Vec<(u64, u64)> {
        let (mut recorder, mut counts) = (Recorder::new(step), CurvePoint::default());
        for attempt in found {
            recorder.before(attempt, counts);
            counts.tours += 1;
        }
        recorder.finish(end, counts).iter().map(|p| (p.attempts, p.tours)).collect()
    }

    #[test]
    fn a_point_counts_the_tours_of_its_attempts_and_no_others() {
        let found = [3, 10, 10, 11, 30];
        assert_eq!(recorded(10, found, 34), [(10, 3), (20, 4), (30, 5), (34, 5)]);
        assert_eq!(recorded(10, found, 30), [(10, 3), (20, 4), (30, 5)]);
        assert_eq!(recorded(100, found, 30), [(30, 5)]);
        assert_eq!(recorded(1, [], 0), []);
    }

    #[test]
    fn a_long_run_has_few_points_at_equal_steps() {
        for end in [511, 512, 513, 5000, 1 << 20] {
            let points = recorded(1, (1..=end).step_by(3), end);
            let step = points[0].0;
            assert!(points.len() <= MOST_POINTS + 1 && points.len() >= MOST_POINTS / 2 - 1);
            assert!(step.is_power_of_two());
            for (index, &(attempts, tours)) in points.iter().enumerate() {
                assert_eq!(attempts, ((index as u64 + 1) * step).min(end));
                assert_eq!(tours, attempts.div_ceil(3), "{end} at {attempts}");
            }
        }
        let gap = recorded(1, [u64::MAX / 2], u64::MAX);
        assert!(gap.len() <= MOST_POINTS + 1 && gap.last() == Some(&(u64::MAX, 1)));
    }

    #[test]
    fn the_formula_gives_the_papers_numbers() {
        // 8x8: "The formula predicts 16,000,000 solutions" from 172,800,000 attempts at 0.0926.
        let predicted = predict(Some(19_591_828_170_979_904), 0.0926, 172_800_000);
        assert!((predicted - 16_001_280.0).abs() < 1.0, "{predicted}");
        assert!((predict(None, 0.0926, 172_800_000) - predicted).abs() < 0.01);
        // 5x5 at 0.0138: by hand, 1728 (1 - exp(-0.0138 / 1728 x 216,522)) = 1728 (1 - exp(-1.7292)).
        let predicted = predict(Some(1728), 0.0138, 216_522);
        assert!((predicted - 1421.4).abs() < 0.5, "{predicted}");
        assert_eq!(predict(Some(1728), 0.0, 1000), 0.0);
        assert_eq!(predict(Some(0), 0.1, 1000), 0.0);
        assert_eq!(predict(Some(10), 99.0, 1), 10.0);
    }

    #[test]
    fn a_curve_has_one_line_per_point() {
        let point = CurvePoint { attempts: 10, tours: 4, distinct: 2, repeated: 1, closed: 1 };
        let mut curve = Curve { points: vec![point], rate: 0.2, known: Some(0) };
        let text = |curve: &Curve| {
            let mut out = Vec::new();
            curve.write_csv(&mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(&curve), format!("{}\n10,4,2,1,1,0.00\n", Curve::COLUMNS));
        curve.known = None;
        assert_eq!(text(&curve), format!("{}\n10,4,2,1,1,2.00\n", Curve::COLUMNS));
    }
}
