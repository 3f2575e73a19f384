//! Compares every combination of duplicate rule and filter with brute force.

use crate::lab::{choice, graph};
use hippodrome::board::{Graph, Square, Symmetry};
use hippodrome::lab::enumerate::{Enumeration, TourFilter};
use hippodrome::problem::Problem;
use hippodrome::search::Control;
use hippodrome::tour::Distinct;
use std::collections::HashSet;

/// Lists all closed tours, by recursion.
fn closed_tours(graph: &Graph) -> Vec<Vec<Square>> {
    fn go(graph: &Graph, path: &mut Vec<Square>, tours: &mut Vec<Vec<Square>>) {
        let here = path[path.len() - 1];
        if path.len() == graph.order() && graph.adjacent(here, path[0]) {
            tours.push(path.clone());
        }
        for next in Square::below(graph.len()) {
            if graph.adjacent(here, next) && !path.contains(&next) {
                path.push(next);
                go(graph, path, tours);
                path.pop();
            }
        }
    }
    let mut tours = Vec::new();
    for start in graph.vertices() {
        go(graph, &mut vec![start], &mut tours);
    }
    tours
}

fn rotations(tour: &[Square]) -> Vec<Vec<Square>> {
    let turned = |by| tour[by..].iter().chain(&tour[..by]).copied().collect();
    (0..tour.len()).map(turned).collect()
}

/// Returns all tours that count as the same closed tour.
fn same(tour: &[Square], kind: Distinct, maps: &[Vec<Square>]) -> Vec<Vec<Square>> {
    let back: Vec<Square> = tour.iter().rev().copied().collect();
    match kind {
        Distinct::Directed => vec![tour.to_vec()],
        Distinct::Undirected => vec![tour.to_vec(), back],
        Distinct::Cycle => [rotations(tour), rotations(&back)].concat(),
        Distinct::Symmetry => {
            let image = |map: &Vec<Square>| -> Vec<Square> {
                tour.iter().map(|&s| map[s.index()]).collect()
            };
            maps.iter().flat_map(|map| same(&image(map), Distinct::Cycle, maps)).collect()
        }
    }
}

fn sums(graph: &Graph, tour: &[Square]) -> (bool, bool) {
    let board = graph.board().expect("a board");
    let (rows, cols) = (board.rows() as usize, board.cols() as usize);
    let mut number = vec![0; graph.len()];
    (1..).zip(tour).for_each(|(n, &s)| number[s.index()] = n);
    let line = |squares: Vec<usize>| squares.iter().map(|&s| number[s]).sum::<usize>();
    let equal = |sums: Vec<usize>| sums.windows(2).all(|w| w[0] == w[1]);
    let row_sums: Vec<_> =
        (0..rows).map(|r| line((0..cols).map(|c| r * cols + c).collect())).collect();
    let col_sums: Vec<_> =
        (0..cols).map(|c| line((0..rows).map(|r| r * cols + c).collect())).collect();
    let semi = equal(row_sums.clone()) && equal(col_sums);
    let down = line((0..rows.min(cols)).map(|i| i * cols + i).collect());
    let up = line((0..rows.min(cols)).map(|i| i * cols + cols - 1 - i).collect());
    (semi, semi && rows == cols && down == row_sums[0] && up == row_sums[0])
}

fn kept(graph: &Graph, tour: &[Square], keep: Option<TourFilter>, maps: &[Vec<Square>]) -> bool {
    let symmetric = || {
        let cycle: HashSet<_> = same(tour, Distinct::Cycle, maps).into_iter().collect();
        maps[1..]
            .iter()
            .any(|map| cycle.contains(&tour.iter().map(|&s| map[s.index()]).collect::<Vec<_>>()))
    };
    match keep {
        None | Some(TourFilter::Closed) => true,
        Some(TourFilter::SemiMagic) => sums(graph, tour).0,
        Some(TourFilter::Magic) => sums(graph, tour).1,
        Some(TourFilter::Symmetric) => symmetric(),
    }
}

#[test]
fn every_filter_with_every_duplicate_rule_agrees_with_brute_force() {
    // On the third board every square attacks every other, so that magic tours exist.
    for name in ["4x4/0,1", "2x4/0,1+1,1", "3x3/0,1+1,1+0,2+1,2+2,2"] {
        let graph = graph(name);
        let maps = Symmetry::maps(&graph);
        let tours = closed_tours(&graph);
        assert!(!tours.is_empty(), "{name}");
        for keep in [
            None,
            Some(TourFilter::SemiMagic),
            Some(TourFilter::Magic),
            Some(TourFilter::Symmetric),
        ] {
            let many = tours.len() > 100_000;
            if many && !matches!(keep, Some(TourFilter::Magic | TourFilter::SemiMagic)) {
                continue;
            }
            let left: Vec<_> = tours.iter().filter(|t| kept(&graph, t, keep, &maps)).collect();
            for &(word, kind, _) in Distinct::CHOICES {
                let least = |t: &&Vec<Square>| same(t, kind, &maps).into_iter().min();
                let expected = left.iter().map(least).collect::<HashSet<_>>().len();
                for solver in ["exact", "backtrack", "warnsdorff"] {
                    let params: &[&str] =
                        if solver == "warnsdorff" { &["backtrack=moves"] } else { &[] };
                    let mut run =
                        Enumeration::new(Problem::closed(graph.clone()), choice(solver, params));
                    (run.all, run.keep, run.distinct) = (true, keep, kind);
                    let total = run.run(&Control::default(), None).unwrap().total;
                    assert_eq!(total.distinct, expected as u64, "{name} {solver} {keep:?} {word}");
                }
            }
        }
    }
}

#[test]
fn a_heuristic_is_not_restricted_to_one_start_square() {
    // Every closed Warnsdorff tour of 6x6, from any square, as a cycle.
    let mut run =
        Enumeration::new(Problem::closed(graph("6x6")), choice("warnsdorff", &["ties=all"]));
    run.all = true;
    let mut cycles = HashSet::new();
    let mut take = |tour: hippodrome::tour::Verified<'_>| {
        cycles.insert(same(tour.squares(), Distinct::Cycle, &[]).into_iter().min());
        std::ops::ControlFlow::Continue(())
    };
    assert_eq!(run.run(&Control::default(), Some(&mut take)).unwrap().total.distinct, 360);
    run.distinct = Distinct::Cycle;
    let total = run.run(&Control::default(), None).unwrap().total;
    assert_eq!((total.tours, total.distinct), (360, cycles.len() as u64));
}
