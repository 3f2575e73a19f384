//! Unbiased estimates of the number of tours, with confidence intervals.
//!
//! *Covers*: the estimate is the exact number of covers times the share of sampled covers that are tours. A
//! cover is a set of moves, two at every square; it is a tour if the moves form a single cycle. The share has
//! a Clopper-Pearson interval, so the interval of the estimate has at least the requested confidence on any
//! board.
//!
//! *Ants*: a colony learns, its pheromone is frozen, and new ants follow it. A tour that an ant finds with
//! probability p counts 1/p, and a stuck walk counts 0. The expected value of the mean is the number of
//! tours, provided that every tour has a positive probability. Therefore every move keeps some pheromone,
//! several colonies are mixed, and the pheromone is made symmetric under the symmetries of the board. The
//! interval comes from a bootstrap over batches. **Limits:** a few walks with large weights may dominate the
//! sum. Until such walks occur, the estimate is too low and the interval too short. `share` is the
//! contribution of the largest batch; trust an estimate only if `share` is small.
//!
//! The neural network allows no such estimate. On 8x8 its trials start in one of 2^168 states, and many
//! states converge to the same tour. The probability of a tour is proportional to the number of those states,
//! which cannot be computed from the tour. In contrast, the probability of an ant's tour is the product of
//! the probabilities of its choices.

use crate::board::{Square, Symmetry};
use crate::lab::chi_square::proportion;
use crate::lab::enumerate::{EnumerateError, Enumeration};
use crate::problem::Problem;
use crate::search::{
    Artifact, ArtifactKind, ArtifactRequest, BadClaim, Budget, Control, Driver, Purpose,
};
use crate::solvers::registry::Choice;
use crate::tour::Verifier;
use crate::uniform::{NAME, Sampler};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// An estimate of the number of undirected tours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimated number.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Confidence level of the interval.
    pub confidence: f64,
    /// Number of covers sampled, or number of ants.
    pub trials: u64,
    /// Number of trials that gave a tour.
    pub tours: u64,
    /// Contribution of the largest batch of ants to the sum, from 0 to 1; 0 for covers.
    pub share: f64,
}

/// Settings of an estimate.
#[derive(Clone, Copy, Debug)]
pub struct EstimateSettings {
    /// Number of covers to sample, or number of ants.
    pub trials: u64,
    /// Confidence level of the interval, from 0 to 1.
    pub confidence: f64,
    /// Master seed.
    pub seed: u64,
    /// Number of threads; the estimate does not depend on it.
    pub threads: usize,
}

/// Estimates the number of tours from sampled covers.
pub fn by_covers(
    sampler: &Arc<Sampler>,
    effort: EstimateSettings,
    control: &Control,
) -> Result<Estimate, BadClaim> {
    let prepared = sampler.prepared();
    let plan = Driver {
        problem: sampler.problem(),
        solver: NAME,
        prepared: &*prepared,
        seed: effort.seed,
        budget: Budget { attempts: Some(effort.trials), ..Budget::UNLIMITED },
        control,
    };
    let stats = plan.run(effort.threads, None)?.stats;
    let covers = sampler.covers() as f64;
    let (low, high) = match stats.attempts {
        0 if covers > 0.0 => (0.0, 1.0),
        0 => (0.0, 0.0),
        drawn => proportion(stats.tours, drawn, effort.confidence),
    };
    Ok(Estimate {
        estimate: covers * stats.tours as f64 / stats.attempts.max(1) as f64,
        low: covers * low,
        high: covers * high,
        confidence: effort.confidence,
        trials: stats.attempts,
        tours: stats.tours,
        share: 0.0,
    })
}

/// Number of colonies whose pheromone is mixed.
const COLONIES: u64 = 12;
/// Number of cycles per colony, each with one ant per square: enough to learn, too few to converge.
const CYCLES: u64 = 60;
/// Minimum pheromone on a move, relative to the mean pheromone on the moves from the same square.
const FLOOR: f64 = 0.02;
/// Number of batches in the bootstrap.
const BATCHES: u64 = 200;
/// Number of resamples in the bootstrap.
const RESAMPLES: usize = 2000;

/// Frozen pheromone that ants follow.
pub struct FrozenTrails {
    /// Neighbours of each square, each with the pheromone on the move to it.
    onward: Vec<Vec<(Square, f64)>>,
    squares: Vec<Square>,
    /// Exponent of the penalty for squares with many onward moves; see [`FrozenTrails::learn`].
    beta: i32,
    closed: bool,
    problem: Problem,
}

impl FrozenTrails {
    /// Trains colonies and freezes their pheromone. `beta` is the exponent of the penalty for squares with
    /// many onward moves, as in Warnsdorff's rule; 0 uses pheromone only.
    pub fn learn(
        problem: &Problem,
        beta: i32,
        seed: u64,
        control: &Control,
    ) -> Result<FrozenTrails, EnumerateError> {
        let graph = problem.graph();
        let mut laid = vec![vec![0.0; graph.len()]; graph.len()];
        let maps = Symmetry::maps(graph);
        for colony in 0..COLONIES {
            let Some(choice) = Choice::offered(Purpose::MoveWeights, problem) else { break };
            let attempts = Some(CYCLES * problem.start_count() as u64);
            let job = Enumeration {
                seed: seed.wrapping_mul(COLONIES).wrapping_add(colony),
                threads: 1,
                budget: Budget { attempts, ..Budget::UNLIMITED },
                ..Enumeration::new(problem.clone(), choice)
            };
            let own = Control {
                interrupt: control.interrupt.clone(),
                artifact: Some(ArtifactRequest::new(ArtifactKind::MoveWeights)),
                ..Control::default()
            };
            job.run(&own, None)?;
            let left = own.artifact.and_then(ArtifactRequest::into_artifact);
            let weights = left.and_then(Artifact::into_move_weights).unwrap_or_default();
            for (from, to, amount) in weights {
                for map in &maps {
                    laid[map[from.index()].index()][map[to.index()].index()] += amount;
                }
            }
        }
        let onward = Square::below(graph.len()).map(|v| {
            let row = &laid[v.index()];
            let near: Vec<Square> = graph.neighbours(v).collect();
            let mean = near.iter().map(|&u| row[u.index()]).sum::<f64>() / near.len() as f64;
            // Without pheromone all moves are equal.
            let level = |u: Square| if mean > 0.0 { row[u.index()] / mean } else { 1.0 };
            near.iter().map(|&u| (u, level(u).max(FLOOR))).collect()
        });
        Ok(FrozenTrails {
            onward: onward.collect(),
            squares: graph.vertices().collect(),
            beta,
            closed: problem.is_closed(),
            problem: problem.clone(),
        })
    }

    /// Walks one ant; returns 1/p if it completes a tour of probability p, and 0 if it gets stuck.
    fn walk(
        &self,
        rng: &mut Xoshiro256PlusPlus,
        visited: &mut [bool],
        path: &mut Vec<Square>,
    ) -> f64 {
        visited.fill(false);
        path.clear();
        let starts = self.problem.start().map_or(self.squares.len(), |_| 1);
        let start = self.problem.start();
        let start = start.unwrap_or_else(|| self.squares[rng.random_range(0..starts)]);
        let mut weight = starts as f64;
        visited[start.index()] = true;
        path.push(start);
        let mut here = start;
        let mut ways: Vec<(Square, f64)> = Vec::with_capacity(16);
        while path.len() < self.squares.len() {
            ways.clear();
            let free = |u: Square| !visited[u.index()];
            for &(next, level) in self.onward[here.index()].iter().filter(|way| free(way.0)) {
                let more = self.onward[next.index()].iter().filter(|way| free(way.0)).count();
                // A square without onward moves can only be the last.
                if more > 0 || path.len() + 1 == self.squares.len() {
                    ways.push((next, level / f64::from(more.max(1) as u32).powi(self.beta)));
                }
            }
            let sum: f64 = ways.iter().map(|way| way.1).sum();
            let mut left = rng.random::<f64>() * sum;
            let Some(&last) = ways.last() else { return 0.0 };
            let chosen = ways.iter().find(|way| {
                left -= way.1;
                left < 0.0
            });
            let &(next, level) = chosen.unwrap_or(&last);
            weight *= sum / level;
            visited[next.index()] = true;
            path.push(next);
            here = next;
        }
        weight
    }

    /// Estimates the number of undirected tours with `effort.trials` ants.
    pub fn estimate(&self, effort: EstimateSettings, control: &Control) -> Estimate {
        let batches = BATCHES.min(effort.trials).max(1);
        let sizes =
            |batch: u64| effort.trials * (batch + 1) / batches - effort.trials * batch / batches;
        let work =
            |batch: usize| self.batch(batch as u64, sizes(batch as u64), effort.seed, control);
        let sums = crate::search::in_order(effort.threads, batches as usize, work);
        let tours = sums.iter().map(|s| s.1).sum();
        let trials: u64 = (0..batches).map(sizes).sum();
        // If the start is free, ants find a closed tour from each of its squares and in both directions, and
        // an open tour in both directions.
        let each = match (self.closed, self.problem.start().is_some()) {
            (true, false) => 2.0 * self.squares.len() as f64,
            (true, true) | (false, false) => 2.0,
            (false, true) => 1.0,
        };
        let values: Vec<f64> = sums.iter().map(|s| s.0 / each).collect();
        let whole: f64 = values.iter().sum();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(effort.seed ^ 0xb007);
        let resample = |_| {
            let pick = |_| values[rng.random_range(0..values.len())];
            (0..values.len()).map(pick).sum::<f64>() / trials as f64
        };
        let mut means: Vec<f64> = (0..RESAMPLES).map(resample).collect();
        means.sort_by(f64::total_cmp);
        let tail = (1.0 - effort.confidence) / 2.0;
        let at = |share: f64| means[((RESAMPLES - 1) as f64 * share).round() as usize];
        Estimate {
            estimate: whole / trials as f64,
            low: at(tail),
            high: at(1.0 - tail),
            confidence: effort.confidence,
            trials,
            tours,
            share: values.iter().copied().fold(0.0, f64::max) / whole.max(f64::MIN_POSITIVE),
        }
    }

    /// Returns the sum of the weights and the number of tours in a batch. Every tour is verified.
    fn batch(&self, batch: u64, ants: u64, seed: u64, control: &Control) -> (f64, u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
                ^ (batch + 1).wrapping_mul(0xd134_2543_de82_ef95),
        );
        let verifier = Verifier::new(self.problem.graph());
        let mut visited = vec![false; self.onward.len()];
        let mut path = Vec::with_capacity(self.squares.len());
        let (mut sum, mut tours) = (0.0, 0);
        for _ in 0..ants {
            let weight = self.walk(&mut rng, &mut visited, &mut path);
            if weight > 0.0 {
                let verified = verifier.check(path.as_slice().into());
                if verified.is_ok_and(|tour| self.problem.admits(&tour)) {
                    sum += weight;
                    tours += 1;
                }
            }
            if control.must_stop() {
                break;
            }
        }
        (sum, tours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Graph};
    use crate::search::Resources;

    fn knight(board: &str, closed: bool) -> Problem {
        let graph = Graph::knight(Board::parse(board).unwrap());
        if closed { Problem::closed(graph) } else { Problem::open(graph) }
    }

    fn effort(trials: u64, seed: u64) -> EstimateSettings {
        EstimateSettings { trials, confidence: 0.95, seed, threads: 2 }
    }

    #[test]
    fn cover_intervals_contain_the_known_numbers() {
        for (board, closed, known) in
            [("6x6", true, 9862.0), ("6x7", true, 1_067_638.0), ("5x6", false, 18_784.0)]
        {
            let problem = knight(board, closed);
            let sampler = Arc::new(Sampler::new(&problem, &Resources::default()).unwrap());
            let within = |seed: &u64| {
                let found = by_covers(&sampler, effort(2000, *seed), &Control::default()).unwrap();
                (found.low..=found.high).contains(&known)
            };
            let held = (0..100).filter(within).count();
            assert!((88..=100).contains(&held), "{board}: {held} of 100");
        }
    }

    #[test]
    fn a_board_without_covers_has_no_tours() {
        let problem = knight("3x3", true);
        let sampler = Arc::new(Sampler::new(&problem, &Resources::default()).unwrap());
        let found = by_covers(&sampler, effort(100, 1), &Control::default()).unwrap();
        assert_eq!((found.estimate, found.high, sampler.covers()), (0.0, 0.0, 0));
    }

    #[test]
    fn ants_estimate_the_known_numbers_of_small_boards() {
        for (board, known, trials) in [("5x5", 864.0, 60_000), ("6x6", 3_318_960.0, 200_000)] {
            let problem = knight(board, false);
            let trails = FrozenTrails::learn(&problem, 2, 1, &Control::default()).unwrap();
            let found = trails.estimate(effort(trials, 1), &Control::default());
            let off = (found.estimate / known - 1.0).abs();
            assert!(off < 0.1 && found.low < known && known < found.high, "{board}: {found:?}");
            let one = EstimateSettings { threads: 1, ..effort(trials, 1) };
            assert_eq!(trails.estimate(one, &Control::default()), found, "{board}");
        }
    }
}
