//! Chi-square tests, total variation distance, and confidence intervals for proportions.

use statrs::distribution::{Beta, ChiSquared, ContinuousCDF};

/// How far some counts are from a distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The chi-square statistic.
    pub chi_square: f64,
    /// Degrees of freedom: the number of possible categories minus one.
    pub freedom: u64,
    /// Probability that a sample from the distribution has a chi-square statistic at least this large.
    pub p_value: f64,
    /// Total variation distance: half the sum of the absolute differences between shares.
    pub variation: f64,
}

/// Returns the distance between counts and a distribution. A count in an impossible category makes the
/// chi-square statistic infinite.
pub fn distance(counts: &[u64], law: &[f64]) -> Distance {
    let total = counts.iter().sum::<u64>() as f64;
    let mass: f64 = law.iter().sum();
    let pairs = counts.iter().zip(law).map(|(&count, &share)| (count as f64, share / mass));
    let (mut chi_square, mut variation) = (0.0, 0.0);
    for (count, share) in pairs {
        variation += (count / total - share).abs() / 2.0;
        if share > 0.0 {
            chi_square += (count - total * share).powi(2) / (total * share);
        } else if count > 0.0 {
            chi_square = f64::INFINITY;
        }
    }
    let freedom = (law.iter().filter(|&&share| share > 0.0).count() as u64).saturating_sub(1);
    Distance { chi_square, freedom, p_value: p_value(chi_square, freedom), variation }
}

/// Returns the distance between two samples, which tests whether both come from the same distribution.
pub fn two_samples(one: &[u64], other: &[u64]) -> Distance {
    let (n, m) = (one.iter().sum::<u64>() as f64, other.iter().sum::<u64>() as f64);
    let (mut chi_square, mut variation, mut categories) = (0.0, 0.0, 0u64);
    for (&a, &b) in one.iter().zip(other) {
        let (a, b) = (a as f64, b as f64);
        variation += (a / n - b / m).abs() / 2.0;
        if a + b > 0.0 {
            categories += 1;
            chi_square += (a * (m / n).sqrt() - b * (n / m).sqrt()).powi(2) / (a + b);
        }
    }
    let freedom = categories.saturating_sub(1);
    Distance { chi_square, freedom, p_value: p_value(chi_square, freedom), variation }
}

fn p_value(chi_square: f64, freedom: u64) -> f64 {
    match ChiSquared::new(freedom as f64) {
        _ if chi_square.is_infinite() => 0.0,
        Ok(law) if freedom > 0 => law.sf(chi_square),
        // A single category carries no information.
        _ => 1.0,
    }
}

/// Returns the Clopper-Pearson interval of a proportion, given `hits` successes in `trials` trials. The
/// interval contains the true proportion with at least the given confidence, even for tiny proportions.
pub fn proportion(hits: u64, trials: u64, confidence: f64) -> (f64, f64) {
    let tail = (1.0 - confidence) / 2.0;
    let (h, n) = (hits as f64, trials as f64);
    let quantile = |a: f64, b: f64, p: f64| Beta::new(a, b).map_or(f64::NAN, |b| b.inverse_cdf(p));
    let low = if hits == 0 { 0.0 } else { quantile(h, n - h + 1.0, tail) };
    let high = if hits == trials { 1.0 } else { quantile(h + 1.0, n - h, 1.0 - tail) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loaded_die_differs_from_a_fair_one() {
        let fair = distance(&[95, 105, 98, 102, 101, 99], &[1.0; 6]);
        assert_eq!(fair.freedom, 5);
        assert!((fair.chi_square - 0.6).abs() < 1e-12 && fair.p_value > 0.98, "{fair:?}");
        let loaded = distance(&[50, 100, 100, 100, 100, 150], &[1.0; 6]);
        assert!((loaded.chi_square - 50.0).abs() < 1e-9 && loaded.p_value < 1e-8, "{loaded:?}");
        assert!((loaded.variation - 50.0 / 600.0).abs() < 1e-12);
        assert_eq!(distance(&[1, 1], &[1.0, 0.0]).p_value, 0.0);
    }

    #[test]
    fn equal_samples_have_no_distance() {
        let same = two_samples(&[10, 20, 30], &[100, 200, 300]);
        assert!(same.chi_square < 1e-9 && same.variation < 1e-12 && same.p_value > 0.999);
        assert!(two_samples(&[100, 0], &[0, 100]).p_value < 1e-9);
        assert_eq!(two_samples(&[0, 25_574], &[0, 200_003]).p_value, 1.0);
    }

    #[test]
    fn intervals_of_proportions_match_the_tables() {
        // Clopper & Pearson's chart: 8 of 10 at 95% gives 0.444 to 0.975.
        let (low, high) = proportion(8, 10, 0.95);
        assert!((low - 0.4439).abs() < 1e-3 && (high - 0.9748).abs() < 1e-3, "{low} {high}");
        assert_eq!(proportion(0, 10, 0.95).0, 0.0);
        assert_eq!(proportion(10, 10, 0.95).1, 1.0);
    }
}
