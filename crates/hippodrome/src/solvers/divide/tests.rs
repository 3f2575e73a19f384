use super::*;
use crate::board::{Board, Graph, Square};
use crate::problem::Goal;
use crate::problem::theorems::{Existence, known};
use crate::tour::verify;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

type EndSquares = (Option<Square>, Option<Square>);

fn problem(rows: u64, cols: u64, goal: Goal, (start, end): EndSquares) -> Problem {
    let graph = Graph::knight(Board::new(rows, cols).unwrap());
    Problem::new(graph, goal, start, end).unwrap()
}

/// Returns the construction after checking that its tour is valid and solves the problem.
fn built(problem: &Problem) -> Result<Construction, Refusal> {
    let tour = Construction::new(problem)?;
    let graph = problem.graph();
    let squares = verify(graph, tour.tour()).unwrap_or_else(|fault| panic!("{graph}: {fault}"));
    assert!(problem.admits(&squares.view()), "{problem:?}");
    Ok(tour)
}

/// Checks that a tour is constructed if and only if the theorems promise one.
fn check(rows: u64, cols: u64) {
    for goal in [Goal::Open, Goal::Closed] {
        let problem = problem(rows, cols, goal, (None, None));
        match (known(&problem), built(&problem)) {
            (Existence::Impossible(no), Err(Refusal::Impossible(why))) => assert_eq!(no, why),
            (Existence::Exists(_), Ok(_)) => {}
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
fn upright_rectangles_have_the_tours_that_theorems_promise() {
    for rows in 1..=70 {
        (1..rows.min(20)).for_each(|cols| check(rows, cols));
    }
}

#[test]
fn long_and_large_boards_have_the_tours_that_theorems_promise() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for (rows, cols) in [(3, 100_001), (3, 100_002), (100_003, 3), (5, 9999), (4, 777), (7777, 4)] {
        check(rows, cols);
    }
    for _ in 0..8 {
        check(rng.random_range(5..=2000), rng.random_range(5..=3000));
    }
}

#[test]
fn times_and_squares_agree_one_by_one() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut tours = [0; 3];
    for turn in 0..300 {
        let (rows, cols) = (rng.random_range(3..80), rng.random_range(7..80));
        let mut square = || Some(Square::new(rng.random_range(0..rows * cols) as u32));
        let ends = [(square(), None), (None, square()), (square(), square())][turn % 3];
        let Ok(tour) = built(&problem(rows, cols, Goal::Open, ends)) else { continue };
        tours[turn % 3] += 1;
        for (index, &square) in (0..).zip(&tour.tour()) {
            assert_eq!((tour.square(index), tour.index(square)), (square, index), "{rows}x{cols}");
        }
    }
    assert!(tours.iter().all(|&number| number > 25), "{tours:?}");
}

/// Counts the problems with these ends that have a tour; all others must be proved impossible.
fn solved(rows: u64, cols: u64, ends: impl Iterator<Item = EndSquares>) -> usize {
    let problems = ends.map(|ends| problem(rows, cols, Goal::Open, ends));
    let answer = |problem: Problem| match built(&problem) {
        Ok(_) => true,
        Err(Refusal::Impossible(_)) => false,
        Err(refusal) => panic!("{problem:?}: {refusal:?}"),
    };
    problems.map(answer).filter(|&found| found).count()
}

#[test]
fn any_square_of_the_right_colour_can_be_the_start() {
    let starts = |rows, cols| Square::below((rows * cols) as usize).map(|s| (Some(s), None));
    for (rows, cols) in [(5, 17), (7, 31), (15, 17), (17, 19), (33, 9)] {
        assert_eq!(solved(rows, cols, starts(rows, cols)), (rows * cols).div_ceil(2) as usize);
    }
    assert_eq!(solved(3, 24, starts(3, 24)), 72);
    // On four rows, a tour starts in the first or the last row.
    assert_eq!(solved(4, 16, starts(4, 16)), 32);
    assert_eq!(solved(4, 45, starts(4, 45)), 90);
    assert_eq!(solved(60, 4, starts(60, 4)), 120);
    assert!(solved(3, 31, starts(3, 31)) > 40);
}

#[test]
fn every_corner_can_be_the_start() {
    for (rows, cols) in [(3, 101), (4, 100), (4, 103), (103, 4), (5, 99), (99, 101), (16, 200)] {
        let (last, right) = (rows * cols - 1, cols - 1);
        let corners = [0, right, last - right, last].map(|s| Square::new(s as u32));
        assert_eq!(solved(rows, cols, corners.iter().map(|&s| (Some(s), None))), 4);
        assert_eq!(solved(rows, cols, corners.iter().map(|&e| (None, Some(e)))), 4);
    }
}

#[test]
fn both_ends_may_be_given() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    for (rows, cols) in [(16, 16), (17, 17), (24, 30), (40, 40), (41, 41), (80, 12)] {
        let mut square = || Square::new(rng.random_range(0..(rows * cols) as u32));
        let mut pair = || (square(), square());
        let ends: Vec<_> = (0..40).map(|_| pair()).filter(|(s, e)| s != e).collect();
        let found = solved(rows, cols, ends.iter().map(|&(s, e)| (Some(s), Some(e))));
        assert!(found >= 5, "{rows}x{cols}: {found}");
    }
    // No head is found that contains both of these ends.
    assert_eq!(
        solved(100, 5, std::iter::once((Some(Square::new(488)), Some(Square::new(207))))),
        1
    );
}

/// Returns whether the colours allow a tour of a square board from one of the squares to the other.
fn allowed(side: u64, (start, end): (Square, Square)) -> bool {
    let colour = |square: Square| {
        let number = u64::from(square.number());
        (number / side + number % side) % 2
    };
    let (s, e) = (colour(start), colour(end));
    start != end && if side.is_multiple_of(2) { s != e } else { s == 0 && e == 0 }
}

/// Checks that every pair of ends allowed by the colours has a tour; returns their number.
fn check_pairs(side: u64, pairs: impl Iterator<Item = (Square, Square)>) -> usize {
    let pairs = pairs.filter(|&pair| allowed(side, pair));
    let mut count = 0;
    for (start, end) in pairs {
        let problem = problem(side, side, Goal::Open, (Some(start), Some(end)));
        if let Err(refusal) = built(&problem) {
            panic!("{side}x{side} from {start:?} to {end:?}: {refusal:?}");
        }
        count += 1;
    }
    count
}

#[test]
fn small_squares_have_tours_between_all_squares_of_the_right_colours() {
    for side in 6..=9 {
        let squares = Square::below((side * side) as usize);
        // By symmetry the start lies in an eighth of the board.
        let eighth = squares.clone().filter(|&s| {
            let (row, col) = (u64::from(s.number()) / side, u64::from(s.number()) % side);
            row <= col && col < side.div_ceil(2)
        });
        let pairs = eighth.flat_map(|s| squares.clone().map(move |e| (s, e)));
        assert!(check_pairs(side, pairs) > 80);
    }
}

#[test]
fn large_squares_have_tours_between_any_squares_of_the_right_colours() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(13);
    for (from, to, rounds) in [(10, 50, 250), (50, 300, 60), (300, 2000, 8)] {
        for _ in 0..rounds {
            let side = rng.random_range(from..to);
            let mut square = || Square::new(rng.random_range(0..(side * side) as u32));
            check_pairs(side, [(square(), square()), (square(), square())].into_iter());
        }
    }
}

#[test]
fn ends_may_be_corners_edges_centres_or_adjacent() {
    for side in [16, 17, 23, 24, 31, 64, 101, 1001] {
        let at = |row: u64, col: u64| Square::new((row * side + col) as u32);
        let (last, half) = (side - 1, side / 2);
        let places = [
            at(0, 0),
            at(0, 1),
            at(1, 1),
            at(0, last),
            at(last, 0),
            at(last, last - 1),
            at(half, 0),
            at(last, half),
            at(half, half),
            at(half, half + 1),
            at(half + 1, half + 1),
            at(last, last),
        ];
        let pairs = places.iter().flat_map(|&s| places.map(|e| (s, e)));
        let pairs = pairs.enumerate().filter(|(at, _)| side < 200 || at % 10 == 0);
        assert!(check_pairs(side, pairs.map(|(_, pair)| pair)) > 5);
    }
}

#[test]
fn a_closed_tour_ends_on_the_given_square() {
    let (rows, cols) = (50, 60);
    let graph = problem(rows, cols, Goal::Closed, (None, None)).graph().clone();
    for start in [0, 700, 1234, 2999].map(Square::new) {
        for end in graph.neighbours(start) {
            let ends = (Some(start), Some(end));
            built(&problem(rows, cols, Goal::Closed, ends)).unwrap();
        }
    }
}

fn enumerate(problem: Problem, budget: Budget) -> crate::lab::enumerate::Summary {
    let choice = crate::solvers::registry::Choice::new::<&str>("divide", &[]).unwrap();
    let run = crate::lab::enumerate::Enumeration {
        budget,
        ..crate::lab::enumerate::Enumeration::new(problem, choice)
    };
    run.run(&crate::search::Control::default(), None).unwrap()
}

#[test]
fn an_enumeration_has_one_tour_for_each_start() {
    let ends = (None, None);
    let all = enumerate(problem(5, 6, Goal::Closed, ends), Budget::UNLIMITED);
    assert_eq!((all.total.tours, all.total.attempts, all.total.moves), (30, 30, 30 * 29));
    assert_eq!(all.status, crate::search::Status::Exhausted);
    let odd = enumerate(problem(17, 17, Goal::Open, ends), Budget::UNLIMITED).total;
    assert_eq!((odd.tours, odd.distinct, odd.attempts), (145, 145, 289));
    let none = enumerate(problem(4, 6, Goal::Closed, ends), Budget::UNLIMITED);
    assert_eq!((none.status, none.total.tours), (crate::search::Status::Complete, 0));
}

#[test]
fn a_move_limit_is_kept() {
    for moves in [1, 10, 65_536, 200_000] {
        let budget = Budget { moves: Some(moves), ..Budget::UNLIMITED };
        let cut = enumerate(problem(1000, 1000, Goal::Closed, (None, None)), budget);
        assert_eq!((cut.status, cut.total.tours), (crate::search::Status::Limit, 0));
        assert_eq!(cut.total.moves, moves);
    }
    // A limit of exactly one tour's moves allows that tour.
    let budget = Budget { moves: Some(100 * 100 - 1), ..Budget::UNLIMITED };
    let one = enumerate(problem(100, 100, Goal::Closed, (None, None)), budget).total;
    assert_eq!((one.attempts, one.tours, one.moves), (1, 1, 9999));
}

#[test]
fn a_time_limit_is_kept_between_starts() {
    let time = std::time::Duration::from_millis(1);
    let budget = Budget { time: Some(time), ..Budget::UNLIMITED };
    let cut = enumerate(problem(4, 101, Goal::Open, (None, None)), budget);
    assert_eq!(cut.status, crate::search::Status::Limit);
    assert!(cut.total.attempts < 404, "{:?}", cut.total);
}

#[test]
fn an_interrupt_is_obeyed_before_the_next_start() {
    let choice = crate::solvers::registry::Choice::new::<&str>("divide", &[]).unwrap();
    let problem = problem(4, 99, Goal::Open, (None, None));
    let run = crate::lab::enumerate::Enumeration {
        threads: 1,
        ..crate::lab::enumerate::Enumeration::new(problem, choice)
    };
    let control = crate::search::Control::default();
    let mut take = |_: crate::tour::Verified<'_>| {
        control.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let cut = run.run(&control, Some(&mut take)).unwrap();
    assert_eq!((cut.status, cut.total.attempts), (crate::search::Status::Interrupted, 1));
}

#[test]
fn a_failed_block_search_is_not_repeated() {
    let hopeless = problem(4, 1000, Goal::Open, (Some(Square::new(500)), Some(Square::new(3502))));
    let search = || {
        let begun = std::time::Instant::now();
        assert!(matches!(Construction::new(&hopeless), Err(Refusal::Unsupported(_))));
        begun.elapsed()
    };
    let first = search();
    // On a busy machine, other load disturbs only some of these measurements.
    let second = (0..5).map(|_| search()).min().unwrap_or(first);
    assert!(second * 2 < first, "{first:?}, then {second:?}");
}

#[test]
fn a_tour_passes_between_blocks_once_there_and_once_back() {
    let ends =
        |start: Option<u32>, end: Option<u32>| (start.map(Square::new), end.map(Square::new));
    for (rows, cols) in [(24, 24), (25, 30), (41, 18), (17, 52)] {
        let last = (rows * cols - 1) as u32;
        for (goal, ends) in [
            (Goal::Closed, ends(None, None)),
            (Goal::Open, ends(None, None)),
            (Goal::Open, ends(Some(0), None)),
            (Goal::Open, ends(None, Some(last))),
            (Goal::Open, ends(Some(last), Some(last % 2))),
        ] {
            let problem = problem(rows, cols, goal, ends);
            let Ok(tour) = Construction::new(&problem) else { continue };
            let watch = BlockWatch::new(&tour, problem.graph());
            let [down, across] = &watch.parts;
            assert_eq!(down.iter().sum::<u32>() as u64, rows);
            assert_eq!(across.iter().sum::<u32>() as u64, cols);
            let blocks = down.len() * across.len();
            let crossings: usize = watch.crossings.values().map(Vec::len).sum();
            assert!(
                crossings <= 2 * blocks,
                "{rows}x{cols} {ends:?}: {crossings}, {blocks} blocks"
            );
        }
    }
}
