//! Bias: the distance between a method's tours and uniform tours.
//!
//! Five properties of tours are counted: start squares, end squares, moves, closed tours and turning angles.
//! A method's counts are compared with those of a large, exactly uniform sample. The distance between two
//! samples is never zero, so it is reported with the distances of fresh uniform samples of the same size.
//! Tours of one run may be correlated, so the standard error is a jackknife over independent runs, not over
//! tours.

use crate::board::{Graph, Square};
use crate::lab::chi_square::{Distance, two_samples};
use crate::search::{BadClaim, Control};
use crate::tour::Verified;
use crate::uniform::{Sampler, TourStream};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A property of tours that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aspect {
    /// The first square of the tour.
    Start,
    /// The last square of the tour.
    End,
    /// The moves of the tour, without their direction.
    Moves,
    /// Whether the tour is closed.
    Closed,
    /// The angles between one move and the next.
    Turns,
}

impl Aspect {
    /// All aspects.
    pub const ALL: [Aspect; 5] =
        [Aspect::Start, Aspect::End, Aspect::Moves, Aspect::Closed, Aspect::Turns];

    /// Returns the name of the aspect, as used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Aspect::Start => "start",
            Aspect::End => "end",
            Aspect::Moves => "moves",
            Aspect::Closed => "closed",
            Aspect::Turns => "turns",
        }
    }

    /// Returns whether each tour adds exactly one to the counts of the aspect. Only then is the chi-square
    /// p-value valid.
    pub fn is_single(self) -> bool {
        matches!(self, Aspect::Start | Aspect::End | Aspect::Closed)
    }
}

/// The categories in which every aspect is counted on a given graph.
pub struct Aspects {
    graph: Graph,
    /// Index of each move, which is given by its lower and its higher square number.
    moves: BTreeMap<(Square, Square), usize>,
    /// Index of each angle, which is given in hundredths of a degree.
    turns: BTreeMap<u32, usize>,
}

/// The counts of all aspects over a set of tours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AspectCounts {
    /// Number of tours counted.
    pub tours: u64,
    by_aspect: [Vec<u64>; 5],
}

impl AspectCounts {
    /// Returns the counts of an aspect by category: squares by number, moves in the order of
    /// [`Aspects::moves`], open before closed, and angles in the order of [`Aspects::turns`].
    pub fn of(&self, aspect: Aspect) -> &[u64] {
        &self.by_aspect[aspect as usize]
    }

    /// Adds the counts of another set of tours.
    pub fn add(&mut self, other: &AspectCounts) {
        self.change(other, |a, b| *a += b);
        self.tours += other.tours;
    }

    fn without(&self, other: &AspectCounts) -> AspectCounts {
        let mut rest = self.clone();
        rest.change(other, |a, b| *a -= b);
        rest.tours -= other.tours;
        rest
    }

    fn change(&mut self, other: &AspectCounts, change: impl Fn(&mut u64, u64)) {
        for (mine, others) in self.by_aspect.iter_mut().zip(&other.by_aspect) {
            mine.iter_mut().zip(others).for_each(|(a, &b)| change(a, b));
        }
    }
}

impl Aspects {
    /// Creates the categories for a graph.
    pub fn new(graph: &Graph) -> Aspects {
        let mut moves = BTreeMap::new();
        for u in graph.vertices() {
            for v in graph.neighbours(u).filter(|&v| u < v) {
                let next = moves.len();
                moves.insert((u, v), next);
            }
        }
        let steps = graph.piece().map_or(&[][..], |piece| piece.moves());
        let angles = steps.iter().flat_map(|&a| steps.iter().map(move |&b| angle(a, b)));
        let mut turns: BTreeMap<u32, usize> = angles.map(|angle| (angle, 0)).collect();
        turns.values_mut().enumerate().for_each(|(index, place)| *place = index);
        Aspects { graph: graph.clone(), moves, turns }
    }

    /// Returns all moves in the order of [`AspectCounts::of`], each with its lower square number first.
    pub fn moves(&self) -> Vec<(Square, Square)> {
        let mut moves: Vec<_> = self.moves.iter().collect();
        moves.sort_unstable_by_key(|(_, place)| **place);
        moves.into_iter().map(|(&ends, _)| ends).collect()
    }

    /// Returns all angles in degrees, in the order of [`AspectCounts::of`]; 0 means straight ahead.
    pub fn turns(&self) -> Vec<f64> {
        self.turns.keys().map(|&angle| f64::from(angle) / 100.0).collect()
    }

    /// Returns counts in which every number is zero.
    pub fn none(&self) -> AspectCounts {
        let (squares, moves, turns) = (self.graph.len(), self.moves.len(), self.turns.len());
        let by_aspect = [squares, squares, moves, 2, turns].map(|n| vec![0; n]);
        AspectCounts { tours: 0, by_aspect }
    }

    /// Adds a tour to the counts.
    pub fn count(&self, tour: &Verified<'_>, counts: &mut AspectCounts) {
        let squares = tour.squares();
        let (Some(&first), Some(&last)) = (squares.first(), squares.last()) else { return };
        let [starts, ends, moves, closed, turns] = &mut counts.by_aspect;
        counts.tours += 1;
        starts[first.index()] += 1;
        ends[last.index()] += 1;
        closed[usize::from(tour.is_closed())] += 1;
        for pair in squares.windows(2) {
            moves[self.moves[&(pair[0].min(pair[1]), pair[0].max(pair[1]))]] += 1;
        }
        let Some(board) = self.graph.board() else { return };
        let step = |a: Square, b: Square| {
            let difference = |to: u32, from: u32| to as i32 - from as i32;
            (difference(board.row(b), board.row(a)), difference(board.col(b), board.col(a)))
        };
        for three in squares.windows(3) {
            let angle = angle(step(three[0], three[1]), step(three[1], three[2]));
            turns[self.turns[&angle]] += 1;
        }
    }

    /// Counts the tours that a uniform stream draws.
    pub fn uniform(
        &self,
        sampler: &Arc<Sampler>,
        stream: TourStream,
        control: &Control,
    ) -> Result<AspectCounts, BadClaim> {
        let mut counts = self.none();
        stream.run(sampler, control, &mut |tour| {
            self.count(&tour, &mut counts);
            ControlFlow::Continue(())
        })?;
        Ok(counts)
    }
}

/// Returns the angle between two moves, in hundredths of a degree.
fn angle((a, b): (i32, i32), (c, d): (i32, i32)) -> u32 {
    let (cross, dot) = (f64::from(a * d - b * c), f64::from(a * c + b * d));
    (100.0 * cross.abs().atan2(dot).to_degrees()).round() as u32
}

/// The bias of a method in one aspect.
#[derive(Clone, Copy, Debug)]
pub struct Bias {
    /// The aspect compared.
    pub aspect: Aspect,
    /// Distance between the method's tours and uniform tours.
    pub distance: Distance,
    /// Standard error of the total variation distance, estimated from the method's runs; `None` for a single
    /// run.
    pub error: Option<f64>,
    /// Mean total variation distance of fresh uniform samples of the same size.
    pub by_chance: f64,
    /// The largest of those distances.
    pub by_chance_at_most: f64,
    /// Mean chi-square statistic of those samples.
    pub chi_square_by_chance: f64,
}

/// Compares a method's runs with a uniform sample, and compares fresh uniform samples of the same size with
/// it.
pub fn compare(runs: &[AspectCounts], uniform: &AspectCounts, fresh: &[AspectCounts]) -> Vec<Bias> {
    let Some((first, rest)) = runs.split_first() else { return Vec::new() };
    let mut whole = first.clone();
    rest.iter().for_each(|run| whole.add(run));
    let bias = |aspect: Aspect| {
        let from_uniform =
            |counts: &AspectCounts| two_samples(counts.of(aspect), uniform.of(aspect));
        let chance: Vec<Distance> = fresh.iter().map(from_uniform).collect();
        let mean = |part: fn(&Distance) -> f64| {
            chance.iter().map(part).sum::<f64>() / chance.len().max(1) as f64
        };
        let without: Vec<f64> =
            runs.iter().map(|run| from_uniform(&whole.without(run)).variation).collect();
        Bias {
            aspect,
            distance: from_uniform(&whole),
            error: (runs.len() > 1).then(|| jackknife(&without)),
            by_chance: mean(|d| d.variation),
            by_chance_at_most: chance.iter().map(|d| d.variation).fold(0.0, f64::max),
            chi_square_by_chance: mean(|d| d.chi_square),
        }
    };
    Aspect::ALL.into_iter().map(bias).collect()
}

/// Returns the jackknife standard error, given one value per run that was computed without that run.
fn jackknife(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    ((n - 1.0) / n * values.iter().map(|v| (v - mean).powi(2)).sum::<f64>()).sqrt()
}

/// Returns the distance between a method's start squares and those of uniform tours, and the mean distance
/// expected by chance (by a normal approximation).
pub fn start_bias(starts: &[u64], uniform: &[u64]) -> (Distance, f64) {
    let (n, m) = (starts.iter().sum::<u64>() as f64, uniform.iter().sum::<u64>() as f64);
    let spread = |&count: &u64| {
        let share = count as f64 / m;
        (share * (1.0 - share) * (1.0 / n + 1.0 / m)).sqrt()
    };
    let mean_of_absolute = (2.0 / std::f64::consts::PI).sqrt() / 2.0;
    (two_samples(starts, uniform), mean_of_absolute * uniform.iter().map(spread).sum::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::lab::enumerate::Enumeration;
    use crate::problem::Problem;
    use crate::search::Budget;
    use crate::search::Resources;
    use crate::solvers::registry::Choice;

    fn uniform(tours: u64, seed: u64) -> (Aspects, AspectCounts) {
        let problem = Problem::open(Graph::knight(Board::parse("6x6").unwrap()));
        let aspects = Aspects::new(problem.graph());
        let sampler = Arc::new(Sampler::new(&problem, &Resources::default()).unwrap());
        let stream = TourStream { tours, seed, threads: 2 };
        let counts = aspects.uniform(&sampler, stream, &Control::default()).unwrap();
        (aspects, counts)
    }

    #[test]
    fn uniform_tours_show_no_bias_and_warnsdorff_tours_do() {
        let (aspects, whole) = uniform(100_000, 1);
        let fresh: Vec<AspectCounts> = (2..8).map(|seed| uniform(5000, seed).1).collect();
        let none = compare(&[uniform(2500, 20).1, uniform(2500, 21).1], &whole, &fresh);
        for bias in &none {
            let Bias { aspect, distance, by_chance, error, .. } = *bias;
            assert!(distance.variation < 2.0 * by_chance + 1e-3, "{bias:?}");
            assert!(!aspect.is_single() || distance.p_value > 1e-3, "{bias:?}");
            assert!(error.is_some_and(|e| e < 0.1), "{bias:?}");
        }
        let choice = Choice::new("warnsdorff", &["ties=random"]).unwrap();
        let problem = Problem::open(Graph::knight(Board::parse("6x6").unwrap()));
        let budget = Budget { attempts: Some(5000), ..Budget::UNLIMITED };
        let run = Enumeration { budget, ..Enumeration::new(problem, choice) };
        let mut counts = aspects.none();
        let mut take = |tour: Verified<'_>| {
            aspects.count(&tour, &mut counts);
            ControlFlow::Continue(())
        };
        run.run(&Control::default(), Some(&mut take)).unwrap();
        let biased = compare(&[counts.clone()], &whole, &fresh);
        assert!(biased.iter().any(|b| b.distance.variation > 3.0 * b.by_chance_at_most));
        let (distance, chance) = start_bias(counts.of(Aspect::Start), whole.of(Aspect::Start));
        assert!(distance.p_value < 1e-6 && distance.variation > 2.0 * chance, "{distance:?}");
    }

    #[test]
    fn start_squares_of_uniform_tours_match_table_3_of_the_2005_paper() {
        let (aspects, counts) = uniform(200_000, 3);
        let table = [524_486u64, 289_050, 115_837, 173_402, 49_578, 52_662];
        let class = |s: Square| {
            let near = |x: u32| x.min(5 - x);
            let board = aspects.graph.board().unwrap();
            let (a, b) = (near(board.row(s)), near(board.col(s)));
            [[0, 1, 2], [1, 3, 4], [2, 4, 5]][a as usize][b as usize]
        };
        let law: Vec<f64> = (0..36).map(|s| table[class(Square::new(s))] as f64).collect();
        assert_eq!(law.iter().sum::<f64>(), 6_637_920.0);
        let found = crate::lab::chi_square::distance(counts.of(Aspect::Start), &law);
        assert!(found.p_value > 1e-3, "{found:?}");
    }

    #[test]
    fn a_knight_has_seven_turning_angles() {
        let aspects = Aspects::new(&Graph::knight(Board::parse("5x5").unwrap()));
        assert_eq!(aspects.turns(), [0.0, 36.87, 53.13, 90.0, 126.87, 143.13, 180.0]);
        assert_eq!(aspects.moves().len(), 48);
    }
}
