//! Compares the aids with brute force and with what their documentation says.

use super::*;
use crate::board::Board;
use crate::board::graph_file::read_graph;
use rand::SeedableRng;
use std::collections::HashMap;

const PAPER: ColonyRule =
    ColonyRule { alpha: 1.0, beta: 0.0, rho: 0.25, q: 1.0, initial: 1e-6, deposit: Deposit::Paper };

fn boards() -> Vec<Problem> {
    let holed = Board::parse("5x5").unwrap().with_holes([1, 12].map(Square::new)).unwrap();
    let mut graphs = vec![Graph::knight(holed)];
    for (board, leaper) in [
        ("3x4", "1,2"),
        ("4x5", "1,2"),
        ("5x5", "1,2"),
        ("3x4", "0,1"),
        ("4x4", "1,3"),
        ("1x1", "1,2"),
    ] {
        graphs.push(Graph::leaper(Board::parse(board).unwrap(), leaper.parse().unwrap()));
    }
    // A square with a tail, and a graph of two components.
    graphs.push(read_graph("tail", "a b\nb c\nc d\nd a\na c\nd e\ne f\n").unwrap());
    graphs.push(read_graph("parts", "a b\nb c\nc a\nd e\ne f\nf d\n").unwrap());
    graphs.into_iter().map(Problem::open).collect()
}

/// Returns the paths and moves of the first cycles, and the counters of the aids.
fn paths(
    problem: &Problem,
    rule: ColonyRule,
    aids: Aids,
    cycles: usize,
) -> (Vec<(Vec<Square>, u64)>, Helped) {
    let mut colony = PlainColony::new(problem, rule).with_aids(problem.graph(), aids);
    let (mut rng, mut paths) = (Xoshiro256PlusPlus::seed_from_u64(1), Vec::new());
    for _ in 0..cycles {
        colony.evaporate();
        colony.weigh();
        let flow = colony.send(usize::MAX, &mut rng, |path, moves| {
            paths.push((path.to_vec(), moves));
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
    }
    (paths, colony.helped())
}

fn free<'g>(graph: &'g Graph, path: &'g [Square]) -> impl Iterator<Item = Square> + 'g {
    graph.vertices().filter(|s| !path.contains(s))
}

/// Returns whether some tour begins with this path.
fn can_be_completed(graph: &Graph, path: &mut Vec<Square>) -> bool {
    if path.len() == graph.order() {
        return true;
    }
    let ways: Vec<Square> =
        graph.neighbours(path[path.len() - 1]).filter(|s| !path.contains(s)).collect();
    ways.into_iter().any(|next| {
        path.push(next);
        let found = can_be_completed(graph, path);
        path.pop();
        found
    })
}

/// Applies the tests as the documentation of `hopeless.rs` states them.
fn is_hopeless(graph: &Graph, path: &[Square], connected: bool) -> bool {
    let left: Vec<Square> = free(graph, path).collect();
    let near = |s: Square| graph.neighbours(s).filter(|n| left.contains(n)).count();
    let beside = |s: &Square| graph.adjacent(path[path.len() - 1], *s);
    let (ends, alone): (Vec<Square>, Vec<Square>) =
        left.iter().filter(|s| near(**s) < 2).partition(|s| near(**s) == 1);
    let first = usize::from(ends.iter().any(beside));
    let dead = left.len() > 1 && (!alone.is_empty() || ends.len() - first > 1);
    dead || connected && {
        let mut met: Vec<Square> = left.first().copied().into_iter().collect();
        let mut at = 0;
        while at < met.len() {
            let more: Vec<Square> = graph
                .neighbours(met[at])
                .filter(|s| left.contains(s) && !met.contains(s))
                .collect();
            met.extend(more);
            at += 1;
        }
        met.len() < left.len()
    }
}

#[test]
fn exactly_the_ants_that_the_tests_reject_are_stopped() {
    for hopeless in [Hopeless::DeadEnds, Hopeless::Connected] {
        let mut given_up = 0;
        for problem in boards() {
            let graph = problem.graph();
            let connected = hopeless == Hopeless::Connected && graph.to_string() != "parts";
            let (paths, helped) = paths(&problem, PAPER, Aids { hopeless, rotations: 0 }, 30);
            let (mut stopped, mut left) = (0, 0);
            for (mut path, moves) in paths {
                assert_eq!(moves, path.len() as u64 - 1);
                let onward = graph.neighbours(path[moves as usize]).any(|s| !path.contains(&s));
                for length in 1..path.len() {
                    assert!(!is_hopeless(graph, &path[..length], connected), "{graph} {path:?}");
                }
                assert_eq!(
                    is_hopeless(graph, &path, connected) && onward,
                    onward,
                    "{graph} {path:?}"
                );
                if onward {
                    (stopped, left) = (stopped + 1, left + graph.order() - path.len());
                    assert!(!can_be_completed(graph, &mut path), "{graph} {path:?}");
                }
            }
            assert_eq!((helped.given_up, helped.left), (stopped, left as u64), "{graph}");
            given_up += stopped;
        }
        assert!(given_up > 1_000, "{given_up}");
    }
}

#[test]
fn connectivity_rejects_more_than_dead_ends() {
    // Use a wazir: a knight's board is almost never disconnected before it has dead ends.
    let wazir = Graph::leaper(Board::parse("6x6").unwrap(), "0,1".parse().unwrap());
    let problem = Problem::open(wazir);
    let left =
        |hopeless| paths(&problem, ColonyRule::RANDOM, Aids { hopeless, rotations: 0 }, 200).1.left;
    let (more, less) = (left(Hopeless::Connected), left(Hopeless::DeadEnds));
    assert!(more > less, "{more} {less}");
}

#[test]
fn rotated_paths_keep_their_start_and_each_rotation_is_a_move() {
    let mut all = 0;
    for problem in boards() {
        let graph = problem.graph();
        for (rule, rotations) in [(PAPER, 1), (PAPER, 5), (ColonyRule { beta: 1.0, ..PAPER }, 40)] {
            let aids = Aids { hopeless: Hopeless::Off, rotations };
            let (paths, helped) = paths(&problem, rule, aids, 40);
            let starts = problem.starts();
            let mut turns = 0;
            for (number, (path, moves)) in paths.iter().enumerate() {
                assert_eq!(Some(path[0]), starts.get(number as u64 % starts.count()));
                assert!(path.windows(2).all(|p| graph.adjacent(p[0], p[1])), "{path:?}");
                assert!((1..path.len()).all(|i| !path[..i].contains(&path[i])), "{path:?}");
                assert!(graph.neighbours(path[path.len() - 1]).all(|s| path.contains(&s)));
                let made = moves + 1 - path.len() as u64;
                assert!(made <= rotations);
                turns += made;
            }
            assert_eq!(helped.turns, turns);
            all += turns;
        }
    }
    assert!(all > 10_000, "{all}");
}

#[test]
fn the_final_path_determines_the_deposits() {
    let problem = Problem::open(Graph::knight(Board::parse("5x5").unwrap()));
    let graph = problem.graph();
    let aids = Aids { hopeless: Hopeless::Off, rotations: 10 };
    let mut colony = PlainColony::new(&problem, PAPER).with_aids(graph, aids);
    let edges = || graph.vertices().flat_map(|u| graph.neighbours(u).map(move |v| (u, v)));
    let mut expected: HashMap<_, f64> = edges().map(|edge| (edge, 1e-6)).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for _ in 0..5 {
        expected.values_mut().for_each(|t| *t *= 0.75);
        let flow = colony.cycle(&mut rng, |path| {
            for (i, step) in path.windows(2).enumerate() {
                let laid = (path.len() - 1 - i) as f64 / (24 - i) as f64;
                *expected.get_mut(&(step[0], step[1])).unwrap() += laid;
            }
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        for (edge, t) in edges().zip(colony.pheromone().iter().copied()) {
            assert!((t - expected[&edge]).abs() < 1e-12, "{edge:?}: {t}");
        }
    }
    assert!(colony.helped().turns > 100);
}

#[test]
fn rotations_prefer_heads_that_can_move_and_then_pheromone() {
    // A path of five squares with a chord from its end to its first and second square, and one free
    // square next to the second: an ant that starts on a and is stuck on e can continue only after rotating
    // at a.
    let graph = read_graph("turns", "a b\nb c\nc d\nd e\ne a\ne b\ne c\nb f\n").unwrap();
    let problem = Problem::open(graph);
    let mut colony = PlainColony::new(&problem, ColonyRule::RANDOM)
        .with_aids(problem.graph(), Aids { hopeless: Hopeless::Off, rotations: 1 });
    let mut aided = colony.aided.take().unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut tried = 0;
    for _ in 0..2_000 {
        colony.weigh();
        let before = aided.helped.turns;
        colony.walk_aided::<false>(&mut aided, Square::new(0), &mut rng);
        // After a b c d e the ant is stuck; the rotation gives a e d c b, and f follows.
        if colony.path == [0, 4, 3, 2, 1, 5].map(Square::new) {
            tried += 1;
        }
        let turned = aided.helped.turns > before;
        assert!(
            turned || colony.path != [0, 1, 2, 3, 4].map(Square::new),
            "a rotation was possible"
        );
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn rotations_find_more_tours_of_5x5() {
    let problem = Problem::open(Graph::knight(Board::parse("5x5").unwrap()));
    let tours = |rotations| {
        let aids = Aids { hopeless: Hopeless::Off, rotations };
        let (paths, helped) = paths(&problem, ColonyRule::RANDOM, aids, 400);
        let full = paths.iter().filter(|(path, _)| path.len() == 25).count() as u64;
        assert!(helped.turned_tours <= full && (rotations == 0) == (helped.turned_tours == 0));
        full
    };
    let [none, few, many] = [0, 3, 30].map(tours);
    assert!(none < few && few < many, "{none} {few} {many}");
}
