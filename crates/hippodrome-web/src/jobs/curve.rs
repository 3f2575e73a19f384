//! The learning curve of a method, thinned so that it stays small and spans the whole run.

use serde_json::{Value, json};

/// Maximum number of points. Chosen by hand: about one per pixel of the figure.
const MAX_POINTS: usize = 400;

/// The best and the mean value of each round.
#[derive(Default)]
pub(super) struct LearningCurve {
    /// Every round of which the number, counted from 0, is a multiple of `2^halvings`.
    kept: Vec<Point>,
    halvings: u32,
    count: u64,
    last: Option<Point>,
}

/// Round, best value, mean value.
type Point = (u64, f64, f64);

impl LearningCurve {
    /// Adds a round.
    pub(super) fn push(&mut self, round: u64, best: f64, mean: f64) {
        let point = (round, best, (100.0 * mean).round() / 100.0);
        self.last = Some(point);
        let index = self.count;
        self.count += 1;
        if index.trailing_zeros() < self.halvings {
            return;
        }
        // One place is left for the last round.
        if self.kept.len() + 1 == MAX_POINTS {
            let mut even = false;
            self.kept.retain(|_| {
                even = !even;
                even
            });
            self.halvings += 1;
            if index.trailing_zeros() < self.halvings {
                return;
            }
        }
        self.kept.push(point);
    }

    /// Returns the points as lists, or `None` if there are none.
    pub(super) fn points(&self) -> Option<Value> {
        let last = self.last?;
        let beyond = (self.kept.last() != Some(&last)).then_some(&last);
        Some(self.kept.iter().chain(beyond).map(|point| json!(point)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_curve_keeps_evenly_spaced_points_and_the_last() {
        for rounds in [1, 5, 399, 400, 401, 12_345, 100_000] {
            let mut curve = LearningCurve::default();
            (1..=rounds).for_each(|round| curve.push(round, round as f64, 0.333));
            let points = curve.points().unwrap();
            let points = points.as_array().unwrap();
            let at: Vec<u64> = points.iter().map(|point| point[0].as_u64().unwrap()).collect();
            assert!(points.len() <= MAX_POINTS && points.len() as u64 >= rounds.min(190));
            assert_eq!((at[0], *at.last().unwrap()), (1, rounds));
            let gaps: Vec<u64> = at.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let most = gaps.iter().max().copied().unwrap_or(0);
            assert!(gaps.iter().rev().skip(1).all(|&gap| gap == most), "{rounds}: {gaps:?}");
            assert_eq!(points[0][2], 0.33);
        }
        assert_eq!(LearningCurve::default().points(), None);
    }
}
