//! Compares the ants with the papers' formulas and figures.

use super::colony::{ColonyRule, Deposit, PlainColony};
use super::params::usual_cycles;
use crate::board::graph_file::read_graph;
use crate::board::{Board, Graph, Square};
use crate::lab::enumerate::{Dedup, Enumeration, Summary};
use crate::problem::{Goal, Problem};
use crate::search::{Budget, Control};
use crate::solvers::registry::Choice;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::ops::ControlFlow;

const PAPER: ColonyRule =
    ColonyRule { alpha: 1.0, beta: 0.0, rho: 0.25, q: 1.0, initial: 1e-6, deposit: Deposit::Paper };

fn open(board: &str, leaper: &str) -> Problem {
    Problem::open(Graph::leaper(Board::parse(board).unwrap(), leaper.parse().unwrap()))
}

fn five() -> Problem {
    open("5x5", "1,2")
}

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Returns the paths of the next cycle.
fn cycle(colony: &mut PlainColony, rng: &mut Xoshiro256PlusPlus) -> Vec<Vec<Square>> {
    let mut paths = Vec::new();
    let flow = colony.cycle(rng, |path| {
        paths.push(path.to_vec());
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    paths
}

/// Returns the pheromone on each edge, which is given by its two squares.
fn by_edge(problem: &Problem, colony: &PlainColony) -> HashMap<(Square, Square), f64> {
    let graph = problem.graph();
    let edges = Square::below(graph.len()).flat_map(|u| graph.neighbours(u).map(move |v| (u, v)));
    edges.zip(colony.pheromone().iter().copied()).collect()
}

fn enumerate(board: &str, solver: &str, params: &[&str], attempts: u64, seed: u64) -> Summary {
    let choice = Choice::new(solver, params).unwrap();
    let mut run = Enumeration::new(open(board, "1,2"), choice);
    run.budget.attempts = Some(attempts);
    run.seed = seed;
    run.run(&Control::default(), None).unwrap()
}

/// Returns the mean and the standard error, over several seeds, of a colony's number of distinct tours per
/// attempt.
fn production(board: &str, solver: &str, params: &[&str], attempts: u64, seeds: u64) -> (f64, f64) {
    let rate = |seed| {
        let total = enumerate(board, solver, params, attempts, seed).total;
        assert_eq!(total.attempts, attempts);
        total.distinct as f64 / attempts as f64
    };
    let rates: Vec<f64> = (1..=seeds).map(rate).collect();
    let mean = rates.iter().sum::<f64>() / seeds as f64;
    let variance = rates.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / (seeds - 1) as f64;
    (mean, (variance / seeds as f64).sqrt())
}

/// The sum of the differences between outcomes and their probabilities; it is far from 0 if the probabilities
/// are wrong.
#[derive(Default)]
struct Calibration {
    excess: f64,
    variance: f64,
}

impl Calibration {
    fn add(&mut self, happened: bool, probability: f64) {
        self.excess += f64::from(u8::from(happened)) - probability;
        self.variance += probability * (1.0 - probability);
    }

    fn deviations(&self) -> f64 {
        self.excess / self.variance.sqrt()
    }
}

#[test]
fn a_seed_reproduces_paths_and_pheromone() {
    let run = |seed| {
        let (mut colony, mut rng) = (PlainColony::new(&five(), PAPER), generator(seed));
        let paths: Vec<_> = (0..30).flat_map(|_| cycle(&mut colony, &mut rng)).collect();
        (paths, colony.pheromone().to_vec())
    };
    assert!(run(5) == run(5) && run(5) != run(6));
}

#[test]
fn every_attempt_is_a_maximal_path_from_its_start_square() {
    let holed = Board::parse("5x6").unwrap().with_holes([3, 14].map(Square::new)).unwrap();
    let file = read_graph("g", "a b\nb c\nc d\nd a\na c\nd e\ne f\n").unwrap();
    let from =
        Problem::new(Graph::knight(holed.clone()), Goal::Open, Some(Square::new(7)), None).unwrap();
    let whole = Problem::open(Graph::knight(holed));
    for problem in
        [five(), whole, from, open("4x5", "1,3"), Problem::open(file), open("1x1", "1,2")]
    {
        let graph = problem.graph();
        for rule in [PAPER, ColonyRule { beta: 1.5, ..PAPER }, ColonyRule::RANDOM] {
            let (mut colony, mut rng) = (PlainColony::new(&problem, rule), generator(1));
            for _ in 0..40 {
                let paths = cycle(&mut colony, &mut rng);
                assert!(paths.iter().map(|p| p[0]).eq(problem.starts().iter()));
                for path in paths {
                    let visited = |s: &Square| path.contains(s);
                    assert!(path.windows(2).all(|p| graph.adjacent(p[0], p[1])));
                    assert!((1..path.len()).all(|i| !path[..i].contains(&path[i])));
                    assert!(graph.neighbours(path[path.len() - 1]).all(|s| visited(&s)));
                }
            }
        }
    }
}

#[test]
fn the_pheromone_of_three_squares_agrees_with_the_formula() {
    let problem = open("1x3", "0,1");
    for (deposit, ab, bc, from_b) in [
        (Deposit::Paper, 1.0, 1.0, 0.5),
        (Deposit::Tcd2020, 2.0 / 3.0, 0.5, 1.0 / 3.0),
        (Deposit::Constant, 1.0, 1.0, 1.0),
        (Deposit::Length, 1.0, 1.0, 0.5),
    ] {
        let rule = ColonyRule { q: 4.0, initial: 0.5, deposit, ..PAPER };
        let mut colony = PlainColony::new(&problem, rule);
        let paths = cycle(&mut colony, &mut generator(2));
        let side = paths[1][1];
        let t = by_edge(&problem, &colony);
        let evaporated = 0.75 * 0.5;
        let near = |edge, laid: f64| {
            let expected = evaporated + 4.0 * laid;
            assert!((t[&edge] - expected).abs() < 1e-12, "{deposit:?} {edge:?}: {}", t[&edge]);
        };
        near((Square::new(0), Square::new(1)), ab);
        near((Square::new(2), Square::new(1)), ab);
        near((Square::new(1), side), bc + from_b);
        near((Square::new(1), Square::new(2 - side.number())), bc);
    }
}

#[test]
fn the_pheromone_of_three_cycles_on_5x5_agrees_with_the_paths() {
    let (problem, mut rng) = (five(), generator(3));
    let mut colony = PlainColony::new(&problem, PAPER);
    let mut expected = by_edge(&problem, &colony);
    let mut off_by_one: f64 = 0.0;
    for _ in 0..3 {
        expected.values_mut().for_each(|t| *t *= 0.75);
        for path in cycle(&mut colony, &mut rng) {
            let moves = path.len() as f64 - 1.0;
            for (i, step) in path.windows(2).enumerate() {
                let laid = (moves - i as f64) / (24.0 - i as f64);
                *expected.get_mut(&(step[0], step[1])).unwrap() += laid;
                off_by_one = off_by_one.max(laid - (moves - 1.0 - i as f64) / (23.0 - i as f64));
            }
        }
    }
    for (edge, t) in by_edge(&problem, &colony) {
        assert!((t - expected[&edge]).abs() < 1e-12, "{edge:?}: {t}, not {}", expected[&edge]);
    }
    assert!(off_by_one > 0.01, "an index off by one would not be seen");
}

#[test]
fn first_moves_of_a_fresh_colony_are_uniform_even_without_any_pheromone() {
    for rule in [
        PAPER,
        ColonyRule { initial: 0.0, ..PAPER },
        ColonyRule { rho: 1.0, ..PAPER },
        ColonyRule::RANDOM,
    ] {
        let problem = five();
        let (mut rng, mut counts) = (generator(4), HashMap::new());
        let colonies = 4000.0;
        for _ in 0..colonies as u32 {
            for path in cycle(&mut PlainColony::new(&problem, rule), &mut rng) {
                *counts.entry((path[0], path[1])).or_insert(0.0) += 1.0;
            }
        }
        let graph = problem.graph();
        let edges = graph.vertices().flat_map(|u| graph.neighbours(u).map(move |v| (u, v)));
        let square = edges.map(|(u, v)| {
            let expected = colonies / graph.degree(u) as f64;
            (counts.get(&(u, v)).unwrap_or(&0.0) - expected).powi(2) / expected
        });
        let square: f64 = square.sum();
        let degrees = 2.0 * graph.edges() as f64 - 25.0;
        let deviations = (square - degrees) / (2.0 * degrees).sqrt();
        assert!(deviations.abs() < 5.0, "{rule:?}: {square} with {degrees} degrees of freedom");
    }
}

#[test]
fn ants_of_one_cycle_do_not_follow_each_other() {
    let problem = five();
    let graph = problem.graph();
    let (mut rng, mut calibration) = (generator(5), Calibration::default());
    for _ in 0..1000 {
        let paths = cycle(&mut PlainColony::new(&problem, PAPER), &mut rng);
        for (ant, path) in paths.iter().enumerate() {
            let earlier = |to: Square| {
                paths[..ant].iter().any(|p| p.windows(2).any(|step| step == [path[0], to]))
            };
            let used = graph.neighbours(path[0]).filter(|&to| earlier(to)).count();
            calibration.add(earlier(path[1]), used as f64 / graph.degree(path[0]) as f64);
        }
    }
    assert!(calibration.variance > 1000.0);
    assert!(calibration.deviations().abs() < 5.0, "{}", calibration.deviations());
}

#[test]
fn choices_have_the_probabilities_of_the_formula() {
    let problem = five();
    let graph = problem.graph();
    for (alpha, beta) in [(1.0, 0.0), (2.0, 0.0), (0.5, 0.0), (0.0, 0.0), (1.0, 1.0), (0.7, 2.0)] {
        let mut rng = generator(6);
        let mut buckets: [Calibration; 3] = Default::default();
        for _ in 0..1000 {
            let mut colony = PlainColony::new(&problem, ColonyRule { alpha, beta, ..PAPER });
            for _ in 0..2 {
                cycle(&mut colony, &mut rng);
            }
            let t = by_edge(&problem, &colony);
            for path in cycle(&mut colony, &mut rng) {
                // Only one neighbour of the second square is visited: the first square.
                let weight = |to: Square| {
                    let guide = (1.0 / graph.degree(to) as f64).powf(beta);
                    t[&(path[0], to)].powf(alpha) * guide
                };
                let sum: f64 = graph.neighbours(path[0]).map(weight).sum();
                for to in graph.neighbours(path[0]) {
                    let probability = weight(to) / sum;
                    let bucket = usize::from(probability > 0.2) + usize::from(probability > 0.5);
                    buckets[bucket].add(path[1] == to, probability);
                }
            }
        }
        for bucket in buckets.iter().filter(|b| b.variance > 0.0) {
            let deviations = bucket.deviations();
            assert!(deviations.abs() < 5.0, "alpha {alpha}, beta {beta}: {deviations}");
        }
    }
}

#[test]
fn alpha_zero_is_random_path_by_path() {
    let problem = five();
    let (mut blind, mut random) = (
        PlainColony::new(&problem, ColonyRule { alpha: 0.0, ..PAPER }),
        PlainColony::new(&problem, ColonyRule::RANDOM),
    );
    let (mut one, mut other) = (generator(7), generator(7));
    for _ in 0..100 {
        assert_eq!(cycle(&mut blind, &mut one), cycle(&mut random, &mut other));
    }
}

#[test]
fn unused_edges_evaporate_to_zero_and_can_still_be_chosen() {
    // Four squares in a ring, and ants that deposit nothing.
    let problem = open("2x2", "0,1");
    let (mut colony, mut rng) =
        (PlainColony::new(&problem, ColonyRule { q: 0.0, ..PAPER }), generator(8));
    let mut first_ways = [0; 2];
    for number in 0..6000 {
        let paths = cycle(&mut colony, &mut rng);
        assert!(paths.iter().all(|p| p.len() == 4));
        if number >= 3000 {
            assert!(colony.pheromone().iter().all(|&t| t == 0.0));
            first_ways[usize::from(paths[0][1] == Square::new(1))] += 1;
        }
    }
    assert!(first_ways.iter().all(|n| (1350..1650).contains(n)), "{first_ways:?}");
}

#[test]
fn exactly_the_requested_attempts_are_made() {
    for (solver, params) in [
        ("mace", vec!["cycles=7"]),
        ("mace", vec!["cycles=7", "local=rotation", "rotations=500"]),
        ("mace", vec!["cycles=7", "hopeless=dead-ends"]),
        ("colonies", vec!["cycles=7"]),
        ("colonies", vec!["cycles=7", "repulsion=0", "local=rotation", "rotations=500"]),
        ("ace", vec![]),
        ("ants-random", vec![]),
    ] {
        for attempts in [1, 24, 25, 26, 174, 175, 176, 10_001] {
            let total = enumerate("5x5", solver, &params, attempts, 1).total;
            assert_eq!(total.attempts, attempts, "{solver}");
        }
    }
    assert_eq!(enumerate("5x5", "ace", &["cycles=10"], 1000, 1).total.attempts, 250);
    let mut run = Enumeration::new(five(), Choice::new("mace", &["cycles=3"]).unwrap());
    run.budget = Budget { attempts_per_start: Some(11), ..Budget::UNLIMITED };
    assert_eq!(run.run(&Control::default(), None).unwrap().total.attempts, 275);
}

#[test]
fn every_kind_keeps_a_move_limit() {
    for solver in ["ace", "mace", "ants-random"] {
        let mut run = Enumeration::new(five(), Choice::new::<&str>(solver, &[]).unwrap());
        (run.budget.moves, run.dedup) = (Some(200_000), Dedup::None);
        let moves = run.run(&Control::default(), None).unwrap().total.moves;
        assert!((120_000..200_024).contains(&moves), "{solver}: {moves}");
    }
}

#[test]
fn cycles_per_restart_are_the_papers_and_grow_with_the_board() {
    let cycles = [25, 36, 64].map(usual_cycles);
    assert_eq!(cycles, [84, 260, 27_000]);
    let all: Vec<u64> = (1..200).map(usual_cycles).collect();
    assert!(all.is_sorted() && all[0] >= 1 && all[198] == 100_000);
}

#[test]
fn a_colony_on_5x5_produces_what_the_paper_says_and_random_ants_less() {
    let (rate, error) = production("5x5", "mace", &[], 84 * 25, 100);
    assert!((rate - 0.0138).abs() < 5.0 * error && error < 0.001, "{rate} ± {error}");
    let (random, _) = production("5x5", "ants-random", &[], 84 * 25, 100);
    assert!(random > 0.0 && random < rate / 2.0, "{random}");
}

#[test]
fn a_colony_on_6x6_produces_what_the_paper_says() {
    let (rate, error) = production("6x6", "mace", &[], 260 * 36, 60);
    assert!((rate - 0.0467).abs() < 5.0 * error && error < 0.004, "{rate} ± {error}");
}

#[test]
fn restarts_find_all_1728_tours_of_5x5() {
    let mut run = Enumeration::new(five(), Choice::new::<&str>("mace", &[]).unwrap());
    run.budget = Budget { attempts: Some(4_000_000), tours: Some(1728), ..Budget::UNLIMITED };
    let total = run.run(&Control::default(), None).unwrap().total;
    assert_eq!((total.distinct, total.closed), (1728, 0));
    assert!(total.attempts > 800_000, "{}", total.attempts);
}

#[test]
fn the_kernel_and_the_plain_colony_produce_equally_many_tours() {
    for (board, solver, setting, attempts) in [
        ("5x5", "mace", "deposit=paper", 84 * 25),
        ("5x5", "mace", "deposit=constant", 84 * 25),
        ("5x5", "mace", "deposit=length", 84 * 25),
        ("5x5", "mace", "deposit=tcd2020", 84 * 25),
        ("5x5", "mace", "alpha=0", 84 * 25),
        ("5x5", "ants-random", "", 84 * 25),
        ("6x6", "mace", "deposit=paper", 260 * 36),
    ] {
        let [fast, plain] = ["kernel=fast", "kernel=plain"].map(|kernel| {
            let params: Vec<&str> =
                [setting, kernel].into_iter().filter(|p| !p.is_empty()).collect();
            production(board, solver, &params, attempts, 100)
        });
        let error = fast.1.hypot(plain.1);
        assert!((fast.0 - plain.0).abs() < 4.0 * error, "{board} {setting}: {fast:?} {plain:?}");
        assert!(error > 0.0 && error < 0.1 * plain.0 + 0.0005, "{board} {setting}: {error}");
    }
}

#[test]
fn unsupported_rules_fall_back_to_the_plain_colony() {
    let tours = |board: &str, params: &[&str]| {
        let total = enumerate(board, "mace", params, 3000, 1).total;
        (total.attempts, total.moves, total.tours)
    };
    for (board, param, same) in [
        ("5x5", "alpha=1", false),
        ("5x5", "alpha=0", false),
        ("5x5", "alpha=2", true),
        ("5x5", "beta=1", true),
        ("5x13", "alpha=1", true),
    ] {
        let alike = tours(board, &[param]) == tours(board, &[param, "kernel=plain"]);
        assert_eq!(alike, same, "{param} on {board}");
    }
}
