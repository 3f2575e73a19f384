//! Compares parallel colonies with `mace` and with each other.

use super::*;
use crate::board::{Board, Graph};
use crate::lab::enumerate::{Dedup, Enumeration, Summary};
use crate::search::{Control, Measure, Reading};
use crate::solvers::registry::Choice;
use rand::SeedableRng;

fn enumeration(board: &str, solver: &str, params: &[&str], seed: u64) -> Enumeration {
    let problem = Problem::open(Graph::knight(Board::parse(board).unwrap()));
    let run = Enumeration::new(problem, Choice::new(solver, params).unwrap());
    Enumeration { seed, dedup: Dedup::None, ..run }
}

/// Returns all tours in order, duplicates included, and the summary.
fn tours(run: &Enumeration) -> (Vec<Vec<Square>>, Summary) {
    let mut tours = Vec::new();
    let mut take = |tour: crate::tour::Verified<'_>| {
        tours.push(tour.squares().to_vec());
        ControlFlow::Continue(())
    };
    let summary = run.run(&Control::default(), Some(&mut take)).unwrap();
    (tours, summary)
}

fn count(summary: &Summary, measure: &Measure) -> f64 {
    match summary.readings.get(measure) {
        Some(Reading::Count(n)) => n as f64,
        other => panic!("{}: {other:?}", measure.name),
    }
}

#[test]
fn without_repulsion_and_exchange_colonies_equal_mace() {
    let mut found = 0;
    for (board, cycles, budgets) in [
        ("5x5", "cycles=40", [1, 999, 1_000, 1_001, 4_321, 9_000]),
        ("6x6", "cycles=60", [36, 2_159, 2_160, 2_161, 10_007, 20_000]),
        ("5x13", "cycles=20", [65, 1_299, 1_300, 1_301, 5_003, 7_000]),
    ] {
        for (index, budget) in budgets.into_iter().enumerate() {
            for (seed, colonies) in [(1, "colonies=4"), (2, "colonies=3"), (3, "colonies=1")] {
                for kernel in ["kernel=fast", "kernel=plain"] {
                    let alone = ["repulsion=0", colonies, cycles, kernel];
                    let mut one = enumeration(board, "colonies", &alone, seed);
                    let mut other = enumeration(board, "mace", &[cycles, kernel], seed);
                    // Limit the attempts, to end within a cycle, a colony or a group; or limit the moves.
                    (one.budget.attempts, one.budget.moves) = match index {
                        0 => (None, Some(budget * 1_000)),
                        _ => (Some(budget), None),
                    };
                    other.budget = one.budget;
                    (one.threads, other.threads) = (1 + index % 2, 2);
                    let (one, other) = (tours(&one), tours(&other));
                    let what = format!("{board} {budget} {seed} {colonies} {kernel}");
                    assert!(one.0 == other.0, "{what}");
                    assert_eq!(one.1.total, other.1.total, "{what}");
                    found += one.0.len();
                }
            }
        }
    }
    assert!(found > 2_000, "{found}");
}

#[test]
fn lockstep_without_repulsion_finds_the_same_tours() {
    // The exchange is never reached, but it makes the colonies run in lockstep.
    for (board, attempts) in [("5x5", 4 * 84 * 25), ("6x6", 4 * 260 * 36)] {
        for kernel in ["kernel=fast", "kernel=plain"] {
            let [mut step, mut alone] = ["exchange=1M", "exchange=0"].map(|exchange| {
                let mut run = enumeration(board, "colonies", &["repulsion=0", exchange, kernel], 5);
                run.budget.attempts = Some(attempts);
                tours(&run)
            });
            assert!(step.0 != alone.0, "the order differs");
            step.0.sort();
            alone.0.sort();
            assert!(step.0 == alone.0 && step.1.total == alone.1.total, "{board} {kernel}");
            assert_eq!(step.1.readings, alone.1.readings);
        }
    }
}

#[test]
fn readings_count_the_tours_of_each_colony_and_shared_tours() {
    use std::collections::HashSet;
    let attempts = 84 * 25;
    let mut run = enumeration("5x5", "colonies", &["repulsion=0", "colonies=3"], 2);
    run.budget.attempts = Some(3 * attempts);
    let summary = tours(&run).1;
    // Run the same three colonies with `mace`, which emits the tours colony by colony.
    let sets: Vec<HashSet<Vec<Square>>> = (1..=3)
        .map(|colonies| {
            let mut run = enumeration("5x5", "mace", &[], 2);
            let mut earlier = 0;
            if colonies > 1 {
                run.budget.attempts = Some((colonies - 1) * attempts);
                earlier = tours(&run).0.len();
            }
            run.budget.attempts = Some(colonies * attempts);
            tours(&run).0.into_iter().skip(earlier).collect()
        })
        .collect();
    let all: HashSet<_> = sets.iter().flatten().collect();
    let several = all.iter().filter(|t| sets.iter().filter(|set| set.contains(**t)).count() > 1);
    let expected = [sets.iter().map(HashSet::len).sum::<usize>(), all.len(), several.count()]
        .map(|n| n as f64);
    assert_eq!([COLONY_TOURS, GROUP_TOURS, SHARED_TOURS].map(|m| count(&summary, &m)), expected);
    assert!(expected[2] > 0.0, "some tours are shared, or this shows little");
}

#[test]
fn pheromone_of_the_others_repels() {
    let factors = |own: &[f64], others: &[f64], repulsion| {
        let sum: Vec<f64> = own.iter().zip(others).map(|(own, others)| own + others).collect();
        let mut factors = Vec::new();
        repel(own, &sum, repulsion, &mut factors);
        factors
    };
    assert_eq!(factors(&[1.0, 1.0], &[1.0, 3.0], 1.0), [0.75, 0.25]);
    assert_eq!(factors(&[5.0, 0.0], &[1.0, 3.0], 2.0), [0.5625, 0.0625]);
    assert_eq!(factors(&[1.0, 2.0], &[0.0, 0.0], 1.0), [1.0, 1.0]);
    assert_eq!(factors(&[1.0, 2.0], &[4.0, 0.0], 1.0), [0.0, 1.0]);
    assert_eq!(factors(&[1.0, 2.0], &[4.0, 0.0], 0.0), [1.0, 1.0]);
}

fn group(params: &[&str]) -> ColonyGroup {
    let problem = Problem::open(Graph::knight(Board::parse("5x5").unwrap()));
    let choice = Choice::new("colonies", params).unwrap();
    let ColoniesParams { group, mace } = ColoniesParams::from_values(&choice.values);
    ColonyGroup {
        ready: PreparedColonies::new(&problem, mace.rule, 84, true, &mace.ants).unwrap(),
        params: group,
    }
}

fn bodies(group: &ColonyGroup) -> Vec<GroupColony> {
    (0..group.params.colonies).map(|c| group.body(Xoshiro256PlusPlus::seed_from_u64(c))).collect()
}

#[test]
fn an_exchange_keeps_the_mean_and_brings_colonies_nearer() {
    for kernel in ["kernel=fast", "kernel=plain"] {
        let mut bodies = bodies(&group(&["colonies=3", kernel]));
        for (number, body) in bodies.iter_mut().enumerate() {
            body.levels().iter_mut().for_each(|level| *level = (number * number) as f64);
        }
        exchange(&mut bodies, 0.5, &mut Vec::new());
        let mean = 5.0 / 3.0;
        for (body, old) in bodies.iter_mut().zip([0.0, 1.0, 4.0]) {
            let expected = (old + mean) / 2.0;
            assert!(body.levels().iter().all(|level| (level - expected).abs() < 1e-12));
        }
        exchange(&mut bodies, 1.0, &mut Vec::new());
        assert!(
            bodies.iter_mut().flat_map(|b| b.levels().to_vec()).all(|l| (l - mean).abs() < 1e-12)
        );
    }
}

/// Returns the mean and the standard error, over several seeds, of a figure that is measured in a run on 5x5.
fn mean(params: &[&str], figure: impl Fn(&Summary) -> f64) -> (f64, f64) {
    let seeds = 60;
    let of_seed = |seed| {
        let mut run = enumeration("5x5", "colonies", params, seed);
        run.budget.attempts = Some(4 * 84 * 25);
        figure(&run.run(&Control::default(), None).unwrap())
    };
    let all: Vec<f64> = (1..=seeds).map(of_seed).collect();
    let mean = all.iter().sum::<f64>() / seeds as f64;
    let variance = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (seeds - 1) as f64;
    (mean, (variance / seeds as f64).sqrt())
}

#[test]
fn repelled_kernel_and_plain_colonies_produce_equally_many_tours() {
    for params in [["repulsion=1", "exchange=0"], ["repulsion=0.3", "exchange=20"]] {
        for measure in [GROUP_TOURS, COLONY_TOURS] {
            let [fast, plain] = ["kernel=fast", "kernel=plain"]
                .map(|kernel| mean(&[&params[..], &[kernel]].concat(), |s| count(s, &measure)));
            let error = fast.1.hypot(plain.1);
            assert!((fast.0 - plain.0).abs() < 4.0 * error, "{params:?}: {fast:?} {plain:?}");
            assert!(error > 0.0 && error < 0.15 * plain.0, "{params:?}: {fast:?} {plain:?}");
        }
    }
}

#[test]
fn a_colony_avoids_the_edges_of_the_others() {
    let group = group(&["colonies=2", "repulsion=4"]);
    for kernel in [true, false] {
        let mut bodies = bodies(&group);
        if !kernel {
            let rng = Xoshiro256PlusPlus::seed_from_u64(9);
            bodies[0] = GroupColony::Plain { colony: Box::new(group.ready.plain()), rng };
        }
        let own = bodies[0].levels().to_vec();
        // The other colony has pheromone on every second edge only.
        let others = |edge: usize| if edge.is_multiple_of(2) { own[edge] * 10.0 } else { 0.0 };
        let sum: Vec<f64> = own.iter().enumerate().map(|(e, t)| t + others(e)).collect();
        bodies[0].weigh(&sum, 4.0, &mut Vec::new());
        let (weights, rows): (Vec<f64>, Vec<std::ops::Range<usize>>) = match &bodies[0] {
            GroupColony::Fast { weights, .. } => {
                (weights.clone(), (0..weights.len() / 8).map(|v| 8 * v..8 * v + 8).collect())
            }
            GroupColony::Plain { colony, .. } => {
                (colony.weights().to_vec(), colony.levels_by_square().map(|(row, _)| row).collect())
            }
        };
        for row in rows {
            let all: f64 = row.clone().map(others).sum();
            for edge in row {
                let part = if all > 0.0 { others(edge) / all } else { 0.0 };
                let expected = own[edge] * (1.0 - part).powi(4);
                let off = (weights[edge] - expected).abs();
                assert!(off <= 1e-9 * own[edge], "{edge}: {}, {expected}", weights[edge]);
            }
        }
    }
}
