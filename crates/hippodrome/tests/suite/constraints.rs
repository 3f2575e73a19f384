//! Tests required and forbidden moves: complete solvers agree with brute force, and solvers that
//! would answer wrongly refuse.

use crate::lab::{choice, collect, graph, on_one_thread};
use hippodrome::board::graph_file::read_graph;
use hippodrome::board::{Graph, Square};
use hippodrome::lab::enumerate::{EnumerateError, Enumeration};
use hippodrome::lab::find::{Outcome, TourSearch};
use hippodrome::problem::theorems::{Existence, known};
use hippodrome::problem::{Edge, Goal, Problem};
use hippodrome::search::{Budget, Control, Resources, Status};
use hippodrome::solvers::divide::{Construction, Refusal};
use hippodrome::solvers::registry::SOLVERS;
use hippodrome::tour::Distinct;
use hippodrome::uniform::Sampler;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;

/// Complete solvers: name and parameters.
const COMPLETE: &[(&str, &[&str])] = &[
    ("exact", &[]),
    ("exact", &["ties=random", "restarts=0"]),
    ("backtrack", &[]),
    ("frontier", &[]),
    ("cuts", &[]),
    ("scan", &["probe=3"]),
    ("best-first", &[]),
    ("warnsdorff", &["backtrack=moves"]),
];

/// Returns boards and graphs of fewer than twelve squares that have tours.
fn small_graphs() -> Vec<Graph> {
    let names =
        ["3x4-a1", "3x4-a1-c3", "3x3-b2", "3x3/0,1", "2x4/0,1", "2x4/0,1+1,1", "3x3/0,1+1,1-b2"];
    let boards = names.iter().map(|name| {
        let (ground, leaper) = name.split_once('/').unwrap_or((name, "1,2"));
        let (leaper, holes) =
            leaper.split_once('-').map_or((leaper, String::new()), |(l, h)| (l, format!("-{h}")));
        graph(&format!("{ground}{holes}/{leaper}"))
    });
    boards.chain([graph("petersen"), graph("wheel"), graph("1x2/0,1")]).collect()
}

fn random_graph(rng: &mut Xoshiro256PlusPlus) -> Graph {
    let n = rng.random_range(3..=8);
    let mut text: String = (0..n).map(|v| format!("v{v} v{}\n", (v + 1) % n)).collect();
    for _ in 0..rng.random_range(0..2 * n) {
        let (u, v) = (rng.random_range(0..n), rng.random_range(0..n));
        if u != v {
            text += &format!("v{u} v{v}\n");
        }
    }
    read_graph("random.txt", &text).unwrap()
}

fn moves(graph: &Graph) -> Vec<Edge> {
    let all = graph.vertices();
    all.flat_map(|u| graph.neighbours(u).filter(move |&v| u < v).map(move |v| (u, v))).collect()
}

/// Lists every tour of a graph by plain recursion.
fn every_tour(graph: &Graph, path: &mut Vec<Square>, tours: &mut Vec<Vec<Square>>) {
    if path.len() == graph.order() {
        tours.push(path.clone());
        return;
    }
    for next in graph.vertices() {
        let fits = path.last().is_none_or(|&here| graph.adjacent(here, next));
        if fits && !path.contains(&next) {
            path.push(next);
            every_tour(graph, path, tours);
            path.pop();
        }
    }
}

/// Returns whether a tour solves a problem, directly by the definition.
fn answers(problem: &Problem, tour: &[Square]) -> bool {
    let (first, last) = (tour[0], tour[tour.len() - 1]);
    let mut used: Vec<(Square, Square)> = tour.windows(2).map(|step| (step[0], step[1])).collect();
    if problem.is_closed() {
        used.push((last, first));
    }
    let uses = |&(u, v): &Edge| used.contains(&(u, v)) || used.contains(&(v, u));
    (!problem.is_closed() || tour.len() > 2 && problem.graph().adjacent(last, first))
        && problem.start().is_none_or(|s| s == first)
        && problem.end().is_none_or(|e| e == last)
        && problem.required().iter().all(uses)
        && !problem.forbidden().iter().any(uses)
}

fn some_of(moves: &[Edge], most: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<Edge> {
    let count = rng.random_range(0..=most);
    (0..count).map(|_| moves[rng.random_range(0..moves.len())]).collect()
}

#[test]
fn complete_solvers_find_every_constrained_tour_and_no_other() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut graphs = small_graphs();
    graphs.extend((0..60).map(|_| random_graph(&mut rng)));
    let (mut found, mut none, mut closed_by_other_move) = (0, 0, 0);
    for graph in graphs {
        let (moves, vertices) = (moves(&graph), graph.vertices().collect::<Vec<_>>());
        let mut tours = Vec::new();
        every_tour(&graph, &mut Vec::new(), &mut tours);
        for round in 0..20 {
            let mut pick = |of: usize| {
                let at = rng.random_range(0..vertices.len());
                (round % of == 0).then_some(vertices[at])
            };
            let goal = if round % 2 == 0 { Goal::Open } else { Goal::Closed };
            let (start, end) = (pick(3), pick(4));
            let (required, forbidden) =
                (some_of(&moves, 2, &mut rng), some_of(&moves, 2, &mut rng));
            let Ok(problem) = Problem::new(graph.clone(), goal, start, end)
                .and_then(|p| p.requiring(required))
                .and_then(|p| p.forbidding(forbidden))
            else {
                continue;
            };
            let expected: BTreeSet<&Vec<Square>> =
                tours.iter().filter(|tour| answers(&problem, tour)).collect();
            found += expected.len();
            none += usize::from(expected.is_empty());
            closed_by_other_move += expected
                .iter()
                .filter(|tour| {
                    let (first, last) = (tour[0], tour[tour.len() - 1]);
                    let edge = (first.min(last), first.max(last));
                    !problem.is_closed() && problem.forbidden().contains(&edge)
                })
                .count();
            for (name, params) in COMPLETE {
                let run = on_one_thread(problem.clone(), choice(name, params));
                let (listed, summary) = collect(&run);
                let context = format!("{name} {params:?} {problem:?}");
                assert_eq!(summary.status, Status::Complete, "{context}");
                assert_eq!(listed.len(), expected.len(), "{context}");
                assert_eq!(listed.iter().collect::<BTreeSet<_>>(), expected, "{context}");
            }
            check_verdict(&problem, !expected.is_empty());
        }
    }
    assert!(found > 5000 && none > 300 && closed_by_other_move > 0, "{found} {none}");
}

fn check_verdict(problem: &Problem, exists: bool) {
    match known(problem) {
        Existence::Exists(_) => assert!(exists && !problem.is_constrained(), "{problem:?}"),
        Existence::Impossible(finding) => assert!(!exists, "{problem:?} {finding}"),
        Existence::Open => {}
    }
    let search = TourSearch { threads: 1, ..TourSearch::new(problem.clone()) };
    match search.run(&Control::default()).unwrap().outcome {
        Outcome::Found(tour) => assert!(answers(problem, tour.squares())),
        outcome => assert!(!exists && matches!(outcome, Outcome::Impossible(_)), "{outcome:?}"),
    }
}

/// Creates a problem with free ends and required moves.
fn constrained(board: &str, goal: Goal, required: &[(&str, &str)]) -> Problem {
    let graph = graph(board);
    let at = |name: &str| graph.vertex(name).unwrap();
    let edges: Vec<Edge> = required.iter().map(|(u, v)| (at(u), at(v))).collect();
    Problem::new(graph.clone(), goal, None, None).unwrap().requiring(edges).unwrap()
}

#[test]
fn required_moves_of_five_by_five_are_those_of_its_tours() {
    let all = collect(&on_one_thread(Problem::open(graph("5x5")), choice::<&str>("exact", &[]))).0;
    for required in [[("a1", "b3"), ("c3", "d5")], [("a1", "c2"), ("b3", "a5")]] {
        let problem = constrained("5x5", Goal::Open, &required);
        let expected: BTreeSet<&Vec<Square>> =
            all.iter().filter(|tour| answers(&problem, tour)).collect();
        let (listed, summary) = collect(&on_one_thread(problem, choice::<&str>("exact", &[])));
        assert_eq!((summary.status, listed.len()), (Status::Complete, expected.len()));
        assert_eq!(listed.iter().collect::<BTreeSet<_>>(), expected);
        assert!(expected.len() > 10);
    }
}

#[test]
fn cycles_are_counted_from_one_square_with_constraints_too() {
    let corner = [("a1", "b3"), ("a1", "c2")];
    for (required, cycles) in [(&corner[..], 9862), (&[], 9862)] {
        let problem = constrained("6x6", Goal::Closed, required);
        let forbidden =
            [problem.graph().vertex("c3").unwrap(), problem.graph().vertex("d5").unwrap()];
        let run = |problem: &Problem| {
            let run = on_one_thread(problem.clone(), choice::<&str>("exact", &[]));
            let run = Enumeration { distinct: Distinct::Cycle, ..run };
            run.run(&Control::default(), None).unwrap().total.distinct
        };
        // Every closed tour uses both moves of a corner.
        assert_eq!(run(&problem), cycles);
        let [u, v] = forbidden;
        let without = run(&problem.clone().forbidding([(u, v)]).unwrap());
        let with = run(&problem.clone().requiring([(u, v)]).unwrap());
        assert!(without > 0 && with > 0);
        assert_eq!(without + with, cycles);
    }
}

#[test]
fn every_solver_filters_or_refuses_constraints() {
    let problem = constrained("6x6", Goal::Open, &[("c3", "d5"), ("d4", "c2")]);
    for solver in SOLVERS {
        let name = solver.info().name;
        let budget = Budget { attempts: Some(300), moves: Some(200_000), ..Budget::UNLIMITED };
        let run =
            Enumeration { budget, ..on_one_thread(problem.clone(), choice::<&str>(name, &[])) };
        let refuses = matches!(name, "divide" | "uniform");
        match run.run(
            &Control::default(),
            Some(&mut |tour| {
                assert!(answers(&problem, tour.squares()), "{name}");
                std::ops::ControlFlow::Continue(())
            }),
        ) {
            Ok(_) => assert!(!refuses, "{name}"),
            Err(EnumerateError::Unsupported { reason, .. }) => {
                assert!(
                    refuses && reason.to_string().contains("require or forbid moves"),
                    "{name} {reason}"
                );
            }
            Err(error) => panic!("{name}: {error}"),
        }
        assert!(!solver.info().constructs.is_some_and(|constructs| constructs(&problem)));
    }
}

#[test]
fn tables_and_constructions_refuse_constraints() {
    let problem = constrained("6x6", Goal::Closed, &[("c3", "d5")]);
    assert!(Sampler::new(&problem, &Resources::default()).is_err());
    assert!(matches!(Construction::new(&problem), Err(Refusal::Unsupported(_))));
    // A search for one tour needs neither tables nor constructions.
    let large = constrained("60x60", Goal::Closed, &[("c3", "d5"), ("z20", "x21")]);
    let found =
        TourSearch { threads: 1, ..TourSearch::new(large.clone()) }.run(&Control::default());
    assert!(answers(&large, found.unwrap().tour().unwrap().squares()));
}

#[cfg(feature = "store")]
#[test]
fn no_job_is_planned_for_a_constrained_problem() {
    use hippodrome::store::{EnumerationJob, identity};
    let free = on_one_thread(Problem::closed(graph("6x6")), choice::<&str>("exact", &[]));
    let problem = constrained("6x6", Goal::Closed, &[("c3", "d5")]);
    let run = Enumeration { problem, ..free.clone() };
    assert_ne!(identity(&run), identity(&free));
    assert!(hippodrome::store::enumeration(&identity(&run)).is_err());
    let control = std::sync::Arc::new(Control::default());
    let refused = EnumerationJob::planned(run, &control).map(drop).unwrap_err();
    assert_eq!(refused.to_string(), "a job folder cannot keep required or forbidden moves");
}
