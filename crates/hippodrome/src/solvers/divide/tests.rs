use super::*;
use crate::board::{Board, Square};
use crate::graph::Graph;
use crate::problem::Goal;
use crate::theorems::{Verdict, known};
use crate::tour::verify;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

type Ends = (Option<Square>, Option<Square>);

fn problem(rows: u64, cols: u64, goal: Goal, (start, end): Ends) -> Problem {
    let graph = Graph::knight(Board::new(rows, cols).unwrap());
    Problem::new(graph, goal, start, end).unwrap()
}

/// The construction, after its tour was verified and found to answer the problem.
fn built(problem: &Problem) -> Result<Construction, Refusal> {
    let tour = Construction::new(problem)?;
    let graph = problem.graph();
    let squares = verify(graph, tour.tour()).unwrap_or_else(|fault| panic!("{graph}: {fault}"));
    assert!(problem.admits(&squares.view()), "{problem:?}");
    Ok(tour)
}

/// A tour exactly if theorems promise one.
fn check(rows: u64, cols: u64) {
    for goal in [Goal::Open, Goal::Closed] {
        let problem = problem(rows, cols, goal, (None, None));
        match (known(&problem), built(&problem)) {
            (Verdict::Impossible(no), Err(Refusal::Impossible(why))) => assert_eq!(no, why),
            (Verdict::Exists(_), Ok(_)) => {}
            (verdict, other) => panic!("{rows}x{cols}: {verdict:?}, {:?}", other.err()),
        }
    }
}

#[test]
fn every_rectangle_up_to_sixty_has_the_tours_that_theorems_promise() {
    for rows in 1..=60 {
        (rows..=60).for_each(|cols| check(rows, cols));
    }
}

#[test]
fn upright_rectangles_have_them_as_well() {
    for rows in 1..=70 {
        (1..rows.min(20)).for_each(|cols| check(rows, cols));
    }
}

#[test]
fn long_boards_and_large_ones_have_them() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for (rows, cols) in [(3, 100_001), (3, 100_002), (100_003, 3), (5, 9999), (4, 777), (7777, 4)] {
        check(rows, cols);
    }
    for _ in 0..8 {
        check(rng.random_range(5..=2000), rng.random_range(5..=3000));
    }
}

#[test]
fn times_and_squares_can_be_asked_one_by_one() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for _ in 0..300 {
        let (rows, cols) = (rng.random_range(3..80), rng.random_range(7..80));
        let start = rng.random_range(0..rows * cols) as Square;
        let end = rng.random_bool(0.5);
        let ends = if end { (None, Some(start)) } else { (Some(start), None) };
        let Ok(tour) = built(&problem(rows, cols, Goal::Open, ends)) else { continue };
        for (index, &square) in (0..).zip(&tour.tour()) {
            assert_eq!((tour.square(index), tour.index(square)), (square, index), "{rows}x{cols}");
        }
    }
}

#[test]
fn explore() {
    for (rows, cols) in [
        (3, 16),
        (3, 17),
        (3, 24),
        (3, 31),
        (3, 40),
        (4, 16),
        (4, 23),
        (4, 40),
        (5, 17),
        (7, 31),
        (17, 19),
        (21, 41),
        (15, 17),
    ] {
        let mut bad = Vec::new();
        let mut n = 0;
        let t = std::time::Instant::now();
        for s in 0..rows * cols {
            let p = problem(rows, cols, Goal::Open, (Some(s as u32), None));
            match built(&p) {
                Ok(_) => n += 1,
                Err(Refusal::Impossible(_)) => {}
                Err(Refusal::Unsupported(_)) => bad.push((s / cols, s % cols)),
            }
        }
        println!(
            "{rows}x{cols}: {n} ok, {} bad {:?} {:?}",
            bad.len(),
            &bad[..bad.len().min(30)],
            t.elapsed()
        );
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for (rows, cols) in [
        (16, 16),
        (17, 17),
        (24, 30),
        (40, 40),
        (41, 41),
        (100, 5),
        (90, 6),
        (300, 301),
        (3, 50),
        (4, 50),
    ] {
        let (mut n, mut no, mut bad) = (0, 0, Vec::new());
        let t = std::time::Instant::now();
        for _ in 0..60 {
            let s = rng.random_range(0..rows * cols) as u32;
            let e = rng.random_range(0..rows * cols) as u32;
            if s == e {
                continue;
            }
            let p = problem(rows, cols, Goal::Open, (Some(s), Some(e)));
            match built(&p) {
                Ok(_) => n += 1,
                Err(Refusal::Impossible(_)) => no += 1,
                Err(Refusal::Unsupported(_)) => bad.push((s, e)),
            }
        }
        println!(
            "{rows}x{cols}: ends {n} ok, {no} impossible, {} bad {:?} {:?}",
            bad.len(),
            &bad[..bad.len().min(30)],
            t.elapsed()
        );
    }
}
