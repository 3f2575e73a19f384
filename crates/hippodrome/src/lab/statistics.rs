//! Means, shares and differences, with confidence intervals.
//!
//! Intervals use Student's t for means, Welch's t for differences and Wilson's score (1927) for shares. They
//! assume independent runs from one distribution; with few runs from a skewed distribution they are too
//! narrow.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Mean and standard deviation of a quantity over some runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Number of runs.
    pub runs: usize,
    /// Mean over the runs.
    pub mean: f64,
    /// Standard deviation over the runs; `None` for fewer than two runs.
    pub deviation: Option<f64>,
    /// Smallest and largest possible value of the quantity; intervals are clamped to this range.
    pub range: (f64, f64),
}

impl Spread {
    /// Computes the mean and the standard deviation of some values; returns `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Spread> {
        let runs = values.len();
        if runs == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / runs as f64;
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        let deviation = (runs > 1).then(|| (squares / (runs - 1) as f64).sqrt());
        Some(Spread { runs, mean, deviation, range: (f64::NEG_INFINITY, f64::INFINITY) })
    }

    /// Sets the range of possible values.
    pub fn within(self, least: f64, most: f64) -> Spread {
        Spread { range: (least, most), ..self }
    }

    /// Returns the variance of the mean.
    fn variance(&self) -> Option<f64> {
        self.deviation.map(|d| d * d / self.runs as f64)
    }

    /// Returns the confidence interval of the mean; `None` for fewer than two runs.
    pub fn interval(&self, confidence: f64) -> Option<(f64, f64)> {
        let half = student(confidence, (self.runs - 1) as f64) * self.variance()?.sqrt();
        let (least, most) = self.range;
        Some(((self.mean - half).max(least), (self.mean + half).min(most)))
    }

    /// Returns the confidence interval of this mean minus the other mean; `None` if either has fewer than two
    /// runs.
    pub fn less(&self, other: &Spread, confidence: f64) -> Option<(f64, f64)> {
        let (own, others) = (self.variance()?, other.variance()?);
        let (variance, difference) = (own + others, self.mean - other.mean);
        if variance == 0.0 {
            return Some((difference, difference));
        }
        let part = |v: f64, runs: usize| v * v / (runs - 1) as f64;
        let freedom = variance * variance / (part(own, self.runs) + part(others, other.runs));
        let half = student(confidence, freedom) * variance.sqrt();
        Some((difference - half, difference + half))
    }
}

/// Returns the quantile of Student's t distribution for a two-sided interval.
fn student(confidence: f64, freedom: f64) -> f64 {
    let law = StudentsT::new(0.0, 1.0, freedom.max(1.0));
    law.map_or(f64::INFINITY, |law| law.inverse_cdf(0.5 + confidence / 2.0))
}

/// Returns the confidence interval of a share, given `hits` successes in `trials` trials.
pub fn share_interval(hits: u64, trials: u64, confidence: f64) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let z = Normal::standard().inverse_cdf(0.5 + confidence / 2.0);
    let (n, p) = (trials as f64, hits as f64 / trials as f64);
    let scale = 1.0 + z * z / n;
    let centre = (p + z * z / (2.0 * n)) / scale;
    let half = z / scale * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    // Rounding must not exclude the estimate: for 5 of 5 the upper end is computed as less than 1.
    ((centre - half).clamp(0.0, p), (centre + half).clamp(p, 1.0))
}

/// Returns the minimum, lower quartile, median, upper quartile and maximum; `None` if there are no values.
pub fn quartiles(values: &[f64]) -> Option<[f64; 5]> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)? as f64;
    let at = |share: f64| {
        let place = share * last;
        let below = sorted[place.floor() as usize];
        below + (sorted[place.ceil() as usize] - below) * place.fract()
    };
    Some([0.0, 0.25, 0.5, 0.75, 1.0].map(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn near(found: (f64, f64), expected: (f64, f64)) {
        assert!(
            (found.0 - expected.0).abs() < 1e-3 && (found.1 - expected.1).abs() < 1e-3,
            "{found:?}, not {expected:?}"
        );
    }

    #[test]
    fn intervals_match_the_tables() {
        // t with 4 degrees of freedom at 95%: 2.776; the deviation of 1..5 is 1.5811.
        let spread = Spread::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        near(spread.interval(0.95).unwrap(), (3.0 - 1.9632, 3.0 + 1.9632));
        // Two equal groups: 8 degrees of freedom, 2.306.
        let other = Spread::of(&[11.0, 12.0, 13.0, 14.0, 15.0]).unwrap();
        near(other.less(&spread, 0.95).unwrap(), (10.0 - 2.306, 10.0 + 2.306));
        // Wilson for 0 and 5 of 10.
        near(share_interval(0, 10, 0.95), (0.0, 0.2775));
        near(share_interval(5, 10, 0.95), (0.2366, 0.7634));
    }

    #[test]
    fn an_interval_of_a_share_contains_the_share() {
        for trials in 1..=200 {
            for hits in 0..=trials {
                let share = hits as f64 / trials as f64;
                for confidence in [0.9, 0.95, 0.99] {
                    let (low, high) = share_interval(hits, trials, confidence);
                    assert!(0.0 <= low && low <= share, "{hits} of {trials}: {low}");
                    assert!(share <= high && high <= 1.0, "{hits} of {trials}: {high}");
                }
            }
        }
    }

    #[test]
    fn an_interval_stays_within_the_range_of_its_values() {
        // Three widely spread runs: Student's interval alone extends below 0.
        let rate = Spread::of(&[1.0, 2.0, 900.0]).unwrap();
        assert!(rate.interval(0.95).unwrap().0 < 0.0);
        let (low, high) = rate.within(0.0, f64::INFINITY).interval(0.95).unwrap();
        assert!(low == 0.0 && high > rate.mean);
        let share = Spread::of(&[0.0, 1.0]).unwrap().within(0.0, 1.0);
        assert_eq!(share.interval(0.95), Some((0.0, 1.0)));
    }

    #[test]
    fn one_run_has_no_interval() {
        let one = Spread::of(&[7.0]).unwrap();
        assert!(Spread::of(&[]).is_none() && one.interval(0.95).is_none());
        assert!(one.less(&one, 0.99).is_none());
        let same = Spread::of(&[7.0, 7.0]).unwrap();
        assert_eq!(same.less(&same, 0.99), Some((0.0, 0.0)));
        assert_eq!(share_interval(0, 0, 0.95), (0.0, 1.0));
        assert!(quartiles(&[]).is_none());
    }

    #[test]
    fn quartiles_are_interpolated() {
        assert_eq!(quartiles(&[5.0, 1.0, 4.0, 2.0, 3.0]), Some([1.0, 2.0, 3.0, 4.0, 5.0]));
        assert_eq!(quartiles(&[1.0, 2.0]), Some([1.0, 1.25, 1.5, 1.75, 2.0]));
    }

    #[test]
    fn an_interval_of_a_difference_has_its_nominal_coverage() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut draw = |runs: usize, wide: f64| {
            // The sum of twelve uniform numbers minus six is close to normal.
            let one = |rng: &mut Xoshiro256PlusPlus| {
                wide * ((0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0)
            };
            let values: Vec<f64> = (0..runs).map(|_| one(&mut rng)).collect();
            Spread::of(&values).unwrap()
        };
        let trials = 4000;
        let holds = (0..trials).filter(|_| {
            let (low, high) = draw(5, 1.0).less(&draw(8, 3.0), 0.95).unwrap();
            low <= 0.0 && 0.0 <= high
        });
        let share = holds.count() as f64 / f64::from(trials);
        assert!((0.935..0.965).contains(&share), "{share}");
    }
}
