//! Permutation tests over seeds: the kernel and the plain colony must have the same distribution.
//!
//! Tours of one colony resemble each other, so a whole colony is one observation. It consists of the share of
//! attempts that gave a tour, the share that gave a distinct tour, the share of closed tours, their
//! distribution over the start squares, the total pheromone after 1, 2, 4, ... cycles, and the final
//! pheromone on each edge. The distance between two samples of colonies is the distance between their means.
//! To get the p-value, all colonies are divided at random into two samples, many times: the p-value is the
//! share of divisions whose distance is at least as large as the observed one. The same test must detect
//! faults that are planted on purpose.

mod planted;

use super::colony::{ColonyRule, Deposit, PlainColony};
use super::kernel::{self, Kernel, RandomStream};
use crate::board::bits::Bits;
use crate::board::{Board, Graph, Square};
use crate::problem::Problem;
use planted::{Planted, PlantedFault};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

const PAPER: ColonyRule =
    ColonyRule { alpha: 1.0, beta: 0.0, rho: 0.25, q: 1.0, initial: 1e-6, deposit: Deposit::Paper };

/// A rule under which the first evaporation removes the initial pheromone, so that early ants often find no
/// pheromone on any free edge. The paper's colonies reach that state after about 2,500 cycles.
const BARE: ColonyRule = ColonyRule { initial: f64::MIN_POSITIVE, ..PAPER };

const FIVE: ColonySetting = ColonySetting { board: "5x5", rule: PAPER, cycles: 84, colonies: 200 };
const SIX: ColonySetting = ColonySetting { board: "6x6", rule: PAPER, cycles: 260, colonies: 100 };
const EIGHT: ColonySetting = ColonySetting { board: "8x8", rule: PAPER, cycles: 600, colonies: 60 };

/// Number of random divisions into two samples; the smallest p-value is 1 / (this + 1).
const DIVISIONS: usize = 4_999;

/// The p-value below which two samples are judged to have different distributions.
const LEVEL: f64 = 0.001;

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The measurements of a sample, each with its name and one row of numbers per colony.
type Sample = Vec<(&'static str, Vec<Vec<f64>>)>;

/// A colony in one of the three implementations.
enum AnyColony {
    Plain(PlainColony, Xoshiro256PlusPlus),
    Fast(Box<Kernel>, RandomStream),
    Planted(Planted),
}

#[derive(Clone, Copy)]
enum Way {
    Plain,
    Fast,
    Planted(PlantedFault),
}

/// A board, and the rule, the number of cycles and the number of the colonies on it.
#[derive(Clone, Copy)]
struct ColonySetting {
    board: &'static str,
    rule: ColonyRule,
    cycles: usize,
    colonies: u64,
}

impl ColonySetting {
    fn problem(&self) -> Problem {
        Problem::open(Graph::knight(Board::parse(self.board).unwrap()))
    }

    fn ants(&self, way: Way, seed: u64) -> AnyColony {
        let (problem, rule) = (self.problem(), self.rule);
        match way {
            Way::Plain => AnyColony::Plain(PlainColony::new(&problem, rule), generator(seed)),
            Way::Planted(fault) => {
                AnyColony::Planted(Planted::new(&problem, rule, generator(seed), fault))
            }
            Way::Fast => {
                let bits = Bits::new(problem.graph()).unwrap();
                let starts: Vec<Square> = problem.starts().iter().collect();
                let deposit = kernel::DepositTable::new(bits.n, |m, i| rule.laid(m, i, bits.n));
                let kernel = Kernel::new(&bits, &starts, rule.initial, rule.rho, deposit).unwrap();
                AnyColony::Fast(Box::new(kernel), RandomStream::new(&mut generator(seed)))
            }
        }
    }

    fn sample(&self, way: Way, first_seed: u64) -> Sample {
        let mut sample: Sample = vec![];
        for seed in first_seed..first_seed + self.colonies {
            let measured = self.measure(&mut self.ants(way, seed));
            if sample.is_empty() {
                sample.extend(measured.iter().map(|(name, _)| (*name, vec![])));
            }
            for ((_, rows), (_, row)) in sample.iter_mut().zip(measured) {
                rows.push(row);
            }
        }
        sample
    }

    fn measure(&self, ants: &mut AnyColony) -> Vec<(&'static str, Vec<f64>)> {
        let problem = self.problem();
        let graph = problem.graph();
        let (mut tours, mut closed, mut attempts) = (0.0, 0.0, 0.0);
        let (mut starts, mut distinct) = (vec![0.0; graph.len()], HashSet::new());
        let mut amounts = vec![];
        for cycle in 1..=self.cycles {
            ants.cycle(&mut |path| {
                attempts += 1.0;
                if path.len() == graph.order() {
                    tours += 1.0;
                    starts[path[0].index()] += 1.0;
                    closed += f64::from(u8::from(graph.adjacent(path[0], path[path.len() - 1])));
                    distinct.insert(path.to_vec());
                }
            });
            if cycle.is_power_of_two() {
                amounts.push(ants.pheromone(graph).iter().sum());
            }
        }
        let share = |part: f64| part / f64::max(tours, 1.0);
        vec![
            ("rate", vec![tours / attempts]),
            ("distinct", vec![distinct.len() as f64 / attempts]),
            ("closed", vec![share(closed)]),
            ("starts", starts.into_iter().map(share).collect()),
            ("amount", amounts),
            ("pheromone", ants.pheromone(graph)),
        ]
    }
}

impl AnyColony {
    fn cycle(&mut self, see: &mut dyn FnMut(&[Square])) {
        let visit = |path: &[Square]| {
            see(path);
            ControlFlow::Continue(())
        };
        let flow = match self {
            AnyColony::Plain(colony, rng) => colony.cycle(rng, visit),
            AnyColony::Fast(kernel, stream) => {
                kernel.cycle(usize::MAX, stream);
                kernel.paths(0, visit)
            }
            AnyColony::Planted(colony) => {
                colony.cycle(see);
                ControlFlow::Continue(())
            }
        };
        assert!(flow.is_continue());
    }

    /// Returns the pheromone on each edge, ordered by square and then by destination.
    fn pheromone(&self, graph: &Graph) -> Vec<f64> {
        let levels = match self {
            AnyColony::Plain(colony, _) => colony.pheromone().to_vec(),
            AnyColony::Planted(colony) => colony.pheromone(),
            AnyColony::Fast(kernel, _) => {
                return kernel.pheromone().map(|(_, _, level)| level).collect();
            }
        };
        let edges = graph.vertices().flat_map(|u| graph.neighbours(u).map(move |v| (u, v)));
        let by_edge: BTreeMap<(Square, Square), f64> = edges.zip(levels).collect();
        by_edge.into_values().collect()
    }
}

/// Returns the share of random divisions in which the means of the two samples are at least as far apart as
/// those of the given samples. Distances are in units of each number's standard deviation; the result is 1 if
/// no number varies. Stops early once the p-value must exceed `level`, and then returns a lower bound.
fn p_value(one: &[Vec<f64>], other: &[Vec<f64>], level: f64) -> f64 {
    assert_eq!(one.len(), other.len());
    let mut rows: Vec<Vec<f64>> = one.iter().chain(other).cloned().collect();
    let count = rows.len() as f64;
    for column in 0..rows[0].len() {
        let mean = rows.iter().map(|row| row[column]).sum::<f64>() / count;
        let variance = rows.iter().map(|row| (row[column] - mean).powi(2)).sum::<f64>() / count;
        let scale = if variance > 0.0 { variance.sqrt().recip() } else { 0.0 };
        rows.iter_mut().for_each(|row| row[column] = (row[column] - mean) * scale);
    }
    let mut sum = vec![0.0; rows[0].len()];
    let mut distance = |rows: &[Vec<f64>]| -> f64 {
        sum.fill(0.0);
        rows.iter().for_each(|row| sum.iter_mut().zip(row).for_each(|(s, x)| *s += x));
        sum.iter().map(|s| s * s).sum()
    };
    let observed = distance(&rows[..one.len()]);
    let (mut rng, mut as_far) = (generator(0), 1);
    for _ in 0..DIVISIONS {
        for i in 0..one.len() {
            let j = rng.random_range(i..rows.len());
            rows.swap(i, j);
        }
        as_far += usize::from(distance(&rows[..one.len()]) >= observed * (1.0 - 1e-9));
        if as_far as f64 > level * (DIVISIONS + 1) as f64 {
            break;
        }
    }
    as_far as f64 / (DIVISIONS + 1) as f64
}

/// Compares the kernel with another implementation. Yields the name and the p-value of each measurement,
/// computed lazily.
fn against_the_kernel(
    setting: ColonySetting,
    other: Way,
) -> impl Iterator<Item = (&'static str, f64)> {
    let (fast, other) = (setting.sample(Way::Fast, 1), setting.sample(other, 1_000_001));
    fast.into_iter().zip(other).map(|((name, a), (_, b))| (name, p_value(&a, &b, LEVEL)))
}

fn assert_faithful(setting: ColonySetting) {
    let apart = against_the_kernel(setting, Way::Plain).find(|(_, p)| *p <= LEVEL);
    assert_eq!(apart, None, "{}", setting.board);
}

fn assert_rejected(setting: ColonySetting, fault: PlantedFault) {
    let mut p_values = against_the_kernel(setting, Way::Planted(fault));
    assert!(p_values.any(|(_, p)| p < LEVEL), "{} {fault:?}", setting.board);
}

#[test]
fn kernel_and_plain_colony_agree_on_5x5() {
    assert_faithful(FIVE);
    assert_faithful(ColonySetting { rule: BARE, ..FIVE });
}

#[test]
fn kernel_and_plain_colony_agree_on_6x6() {
    assert_faithful(SIX);
}

#[test]
fn kernel_and_plain_colony_agree_on_8x8() {
    assert_faithful(EIGHT);
}

#[test]
fn kernel_and_plain_colony_agree_when_pheromone_underflows() {
    assert_faithful(ColonySetting { rule: BARE, ..SIX });
}

#[test]
fn moves_counted_from_one_are_detected() {
    for setting in [FIVE, SIX, EIGHT] {
        assert_rejected(setting, PlantedFault::IndexFromOne);
    }
}

#[test]
fn deposits_during_the_cycle_are_detected() {
    for setting in [FIVE, SIX, EIGHT] {
        assert_rejected(setting, PlantedFault::DuringTheCycle);
    }
}

#[test]
fn always_taking_the_first_free_edge_is_detected() {
    for setting in [FIVE, SIX] {
        assert_rejected(ColonySetting { rule: BARE, ..setting }, PlantedFault::FirstFreeEdge);
    }
}

#[test]
fn without_a_fault_the_third_colony_equals_the_plain_one() {
    for setting in [FIVE, ColonySetting { rule: BARE, ..SIX }, EIGHT] {
        let graph = setting.problem().graph().clone();
        let [mut plain, mut other] =
            [Way::Plain, Way::Planted(PlantedFault::None)].map(|way| setting.ants(way, 3));
        for _ in 0..40 {
            let [mut paths, mut again] = [vec![], vec![]];
            plain.cycle(&mut |path| paths.push(path.to_vec()));
            other.cycle(&mut |path| again.push(path.to_vec()));
            assert_eq!(paths, again);
            assert_eq!(plain.pheromone(&graph), other.pheromone(&graph));
        }
        let AnyColony::Planted(other) = other else { unreachable!() };
        // With the paper's parameters every free edge has pheromone for thousands of cycles.
        assert_eq!(other.blind > 100, setting.rule == BARE, "{}", other.blind);
    }
}

#[test]
fn shifted_distributions_are_detected_and_equal_ones_are_not() {
    let rows = |seed, shift: f64| -> Vec<Vec<f64>> {
        let mut rng = generator(seed);
        (0..60).map(|_| vec![rng.random::<f64>(), rng.random::<f64>() + shift, 7.0]).collect()
    };
    let p = |shift| (2..12).map(move |seed| p_value(&rows(1, 0.0), &rows(seed, shift), 1.0));
    assert!(p(0.0).all(|p| p > 0.01) && p(0.0).any(|p| p < 0.6));
    assert!(p(0.3).all(|p| p < LEVEL));
    assert_eq!(p_value(&rows(1, 0.0), &rows(1, 0.0), 1.0), 1.0);
}
