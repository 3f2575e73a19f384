//! Compares `frontier` and `cuts` with brute force on random graphs, and with known verdicts.

use crate::lab::{collect, on_one_thread};
use hippodrome::board::graph_file::read_graph;
use hippodrome::board::{Graph, Square};
use hippodrome::lab::enumerate::Dedup;
use hippodrome::lab::find::{Outcome, TourSearch};
use hippodrome::problem::{Goal, Problem};
use hippodrome::search::{Budget, Control, Status};
use hippodrome::solvers::registry::Choice;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;

fn graph(title: &str, order: usize, edges: &[(usize, usize)]) -> Graph {
    // Give every vertex a loop, so that vertices without edges are named too. The reader drops loops.
    let loops = (0..order).map(|v| format!("v{v} v{v}\n"));
    let edges = edges.iter().map(|(u, v)| format!("v{u} v{v}\n"));
    read_graph(title, &loops.chain(edges).collect::<String>()).unwrap()
}

/// Lists all Hamiltonian paths by plain recursion.
fn brute_force(graph: &Graph) -> Vec<Vec<Square>> {
    fn extend(graph: &Graph, path: &mut Vec<Square>, all: &mut Vec<Vec<Square>>) {
        if path.len() == graph.order() {
            all.push(path.clone());
        }
        let here = path[path.len() - 1];
        for next in graph.vertices() {
            if graph.adjacent(here, next) && !path.contains(&next) {
                path.push(next);
                extend(graph, path, all);
                path.pop();
            }
        }
    }
    let mut all = Vec::new();
    for start in graph.vertices() {
        extend(graph, &mut vec![start], &mut all);
    }
    all
}

fn random_graph(rng: &mut Xoshiro256PlusPlus, number: usize) -> Graph {
    let order = rng.random_range(3..=8);
    let density = rng.random_range(0.25..0.75);
    let pairs = (0..order).flat_map(|v| (0..v).map(move |u| (u, v)));
    let edges: Vec<_> = pairs.filter(|_| rng.random_bool(density)).collect();
    graph(&format!("random {number}"), order, &edges)
}

#[test]
fn frontier_and_cuts_list_the_tours_of_2000_random_graphs() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(22);
    let choices = ["frontier", "cuts"].map(|name| Choice::new::<&str>(name, &[]).unwrap());
    let (mut impossible, mut tours) = (0, 0);
    for number in 0..2000 {
        let graph = random_graph(&mut rng, number);
        let all = brute_force(&graph);
        let mut end = || Square::new(rng.random_range(0..graph.order() as u32));
        let (one, other) = (end(), end());
        let ends = [(None, None), (Some(one), None), (None, Some(other)), (Some(one), Some(other))];
        let goal = if number % 2 == 0 { Goal::Open } else { Goal::Closed };
        for (start, end) in ends {
            let Ok(problem) = Problem::new(graph.clone(), goal, start, end) else { continue };
            let answers = |path: &&Vec<Square>| {
                let (first, last) = (path[0], path[path.len() - 1]);
                (goal == Goal::Open || graph.adjacent(last, first))
                    && start.is_none_or(|s| s == first)
                    && end.is_none_or(|e| e == last)
            };
            let mut expected: Vec<_> = all.iter().filter(answers).cloned().collect();
            expected.sort();
            for choice in &choices {
                let run = on_one_thread(problem.clone(), choice.clone());
                let (mut found, summary) = collect(&run);
                found.sort();
                let what = format!("{} on {graph} {goal:?} {start:?}..{end:?}", choice.name());
                assert_eq!(summary.status, Status::Complete, "{what}");
                assert_eq!(found, expected, "{what}");
            }
            impossible += usize::from(expected.is_empty());
            tours += expected.len();
        }
    }
    assert!(impossible > 1000 && tours > 100_000, "{impossible} without a tour, {tours} tours");
}

/// Returns whether `find` finds a cycle; `None` if it does not decide.
fn decides(graph: Graph, solver: Option<&str>) -> Option<bool> {
    let search = TourSearch {
        choice: solver.map(|name| Choice::new::<&str>(name, &[]).unwrap()),
        threads: 1,
        budget: Budget { moves: Some(20_000_000), ..Budget::UNLIMITED },
        ..TourSearch::new(Problem::closed(graph))
    };
    match search.run(&Control::default()).unwrap().outcome {
        Outcome::Found(_) => Some(true),
        Outcome::Impossible(_) => Some(false),
        Outcome::Limit | Outcome::Interrupted => None,
    }
}

fn generalized_petersen(n: usize, k: usize) -> Graph {
    let edges: Vec<_> =
        (0..n).flat_map(|i| [(i, (i + 1) % n), (i, n + i), (n + i, n + (i + k) % n)]).collect();
    graph(&format!("generalized Petersen {n},{k}"), 2 * n, &edges)
}

/// Creates the flower snark with `n` petals: one star per petal, with the leaves joined in a cycle of n and a
/// cycle of 2n.
fn flower_snark(n: usize) -> Graph {
    let at = |petal: usize, part: usize| 4 * (petal % n) + part;
    let mut edges = Vec::new();
    for petal in 0..n {
        edges.extend((1..4).map(|part| (at(petal, 0), at(petal, part))));
        edges.push((at(petal, 1), at(petal + 1, 1)));
        let (two, three) = if petal + 1 == n { (3, 2) } else { (2, 3) };
        edges.push((at(petal, 2), at(petal + 1, two)));
        edges.push((at(petal, 3), at(petal + 1, three)));
    }
    graph(&format!("flower snark {n}"), 4 * n, &edges)
}

#[test]
fn known_graphs_without_a_cycle_are_proved() {
    // Alspach (1983): generalized Petersen graphs with k = 2 and n = 5 modulo 6 have no cycle.
    for n in [5, 11, 17, 101] {
        assert_eq!(decides(generalized_petersen(n, 2), None), Some(false), "{n}");
    }
    for n in [7, 9, 100, 102] {
        assert_eq!(decides(generalized_petersen(n, 2), None), Some(true), "{n}");
    }
    for n in [5, 7, 21, 51] {
        assert_eq!(decides(flower_snark(n), None), Some(false), "{n}");
    }
    for solver in ["frontier", "cuts", "exact"] {
        assert_eq!(decides(generalized_petersen(5, 2), Some(solver)), Some(false), "{solver}");
        assert_eq!(decides(flower_snark(5), Some(solver)), Some(false), "{solver}");
    }
}

#[test]
fn hubs_do_not_widen_the_frontier() {
    // A long ladder with every tenth rung missing, and five hubs, each joined to every fifth vertex of the
    // ladder.
    let length = 300;
    let mut edges: Vec<_> =
        (0..length - 1).flat_map(|i| [(i, i + 1), (length + i, length + i + 1)]).collect();
    edges.extend((0..length).filter(|i| i % 10 != 3).map(|i| (i, length + i)));
    edges.extend((0..2 * length).map(|v| (v, 2 * length + v % 5)));
    let hubs = graph("ladder with hubs", 2 * length + 5, &edges);
    assert_eq!(decides(hubs, Some("frontier")), Some(true));
}

#[test]
fn uniform_tours_of_frontier_are_uniform() {
    let wheel: Vec<_> = (0..6).flat_map(|i| [(i, (i + 1) % 6), (i, 6)]).collect();
    let problem = Problem::open(graph("wheel", 7, &wheel));
    let all = brute_force(problem.graph()).len();
    let choice = Choice::new("frontier", &["draw=uniform"]).unwrap();
    let mut run = on_one_thread(problem, choice);
    let per_tour = 200;
    run.budget.attempts = Some(per_tour * all as u64);
    run.dedup = Dedup::None;
    let mut counts: HashMap<Vec<Square>, u64> = HashMap::new();
    for tour in collect(&run).0 {
        *counts.entry(tour).or_default() += 1;
    }
    assert_eq!(counts.len(), all);
    let expected = per_tour as f64;
    let chi_square: f64 = counts.values().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
    let freedom = all as f64 - 1.0;
    // Allow five standard deviations; the seed is fixed.
    assert!(chi_square < freedom + 5.0 * (2.0 * freedom).sqrt(), "{chi_square} for {freedom}");
}
