//! Reproduces numbers printed in the papers, with corrections of misprints.

use crate::lab::{choice, closed, collect, count, graph, open, open_from};
use hippodrome::board::Square;
use hippodrome::lab::enumerate::{Dedup, Enumeration, Totals};
use hippodrome::problem::Problem;
use hippodrome::search::{Budget, Status};
use hippodrome::tour::{Distinct, Hints, Notation, read_tours, verify};
use std::collections::BTreeMap;

/// Table 1 of Hingston & Kendall (2005): depth-first search on 5x5, tours tried and found.
const TABLE_1: [[(u64, u64); 5]; 5] = [
    [(625_308, 304), (727_156, 0), (595_892, 56), (727_156, 0), (625_308, 304)],
    [(727_156, 0), (601_036, 56), (384_804, 0), (601_036, 56), (727_156, 0)],
    [(595_892, 56), (384_804, 0), (252_400, 64), (384_804, 0), (595_892, 56)],
    [(727_156, 0), (601_036, 56), (384_804, 0), (601_036, 56), (727_156, 0)],
    [(625_308, 304), (727_156, 0), (595_892, 56), (727_156, 0), (625_308, 304)],
];
/// The misprinted cell of Table 1: row, column, and the correct number of attempts.
const MISPRINT: (usize, usize, u64) = (2, 2, 254_400);

/// Table 2: Warnsdorff tours on 5x5, tours tried and found.
const TABLE_2: [[(u64, u64); 5]; 5] = [
    [(32, 32), (72, 0), (20, 16), (72, 0), (32, 32)],
    [(72, 0), (20, 16), (2, 0), (20, 16), (72, 0)],
    [(20, 16), (2, 0), (64, 64), (2, 0), (20, 16)],
    [(72, 0), (20, 16), (2, 0), (20, 16), (72, 0)],
    [(32, 32), (72, 0), (20, 16), (72, 0), (32, 32)],
];

fn everything(problem: Problem, solver: &str, params: &[&str]) -> Enumeration {
    let run = Enumeration::new(problem, choice(solver, params));
    Enumeration { threads: 2, all: true, by_start: true, ..run }
}

/// Returns attempts and tours by row and column.
fn table(by_start: &BTreeMap<Square, Totals>) -> [[(u64, u64); 5]; 5] {
    let cell = |r, c| by_start[&Square::from_index(5 * r + c)];
    std::array::from_fn(|r| std::array::from_fn(|c| (cell(r, c).attempts, cell(r, c).tours)))
}

#[test]
fn table_1_is_reproduced_except_for_the_centre() {
    let (row, col, true_attempts) = MISPRINT;
    let mut expected = TABLE_1;
    assert_eq!(expected[row][col].0, 252_400);
    expected[row][col].0 = true_attempts;
    for order in ["a", "b", "tcd", "random"] {
        let run = everything(open("5x5"), "backtrack", &[&format!("order={order}")]);
        let summary = count(&run);
        assert_eq!(table(&summary.by_start), expected, "order {order}");
        assert_eq!(summary.status, Status::Complete);
        let Totals { attempts, tours, distinct, closed, .. } = summary.total;
        assert_eq!((attempts, tours, distinct, closed), (14_899_808, 1728, 1728, 0));
    }
    let printed: u64 = TABLE_1.iter().flatten().map(|cell| cell.0).sum();
    assert_eq!(printed, 14_897_808, "the total as printed has the same misprint");
}

#[test]
fn table_2_is_reproduced() {
    let summary = count(&everything(open("5x5"), "warnsdorff", &["ties=all"]));
    assert_eq!(table(&summary.by_start), TABLE_2);
    let Totals { attempts, tours, closed, .. } = summary.total;
    assert_eq!((attempts, tours, closed), (936, 320, 0), "the text says 856 attempts");
    assert_eq!(summary.status, Status::Exhausted);
}

#[test]
fn the_warnsdorff_tours_of_6x6_and_8x8_are_counted() {
    for (board, attempts, tours, closed) in
        [("6x6", 2176, 1984, 360), ("8x8", 8_656_104, 7_894_584, 1_188_384)]
    {
        let total = count(&everything(open(board), "warnsdorff", &["ties=all"])).total;
        assert_eq!((total.attempts, total.tours, total.closed), (attempts, tours, closed));
    }
}

#[test]
fn every_tour_of_6x6_is_found_and_table_3_is_reproduced() {
    let summary = count(&everything(open("6x6"), "exact", &[]));
    assert_eq!(summary.status, Status::Complete);
    assert_eq!((summary.total.distinct, summary.total.closed), (6_637_920, 710_064));
    for (square, tours) in
        [(0, 524_486), (1, 289_050), (7, 173_402), (2, 115_837), (8, 49_578), (14, 52_662)]
    {
        assert_eq!(summary.by_start[&Square::new(square)].tours, tours, "from square {square}");
    }
}

#[test]
fn the_closed_tours_of_6x6_are_9862_cycles_in_1245_classes() {
    let mut run = everything(closed("6x6"), "exact", &[]);
    run.distinct = Distinct::Cycle;
    assert_eq!(count(&run).total.distinct, 9862);
    run.distinct = Distinct::Symmetry;
    let (tours, summary) = collect(&run);
    assert_eq!((summary.total.distinct, summary.status), (1245, Status::Complete));
    let mut classes: BTreeMap<&str, u64> = BTreeMap::new();
    for tour in tours {
        let tour = verify(&graph("6x6"), tour).unwrap();
        *classes.entry(tour.classify().symmetry()).or_default() += 1;
    }
    let expected = [("half-turn", 17), ("none", 1223), ("quarter-turn", 5)];
    assert!(classes.iter().map(|(k, n)| (*k, *n)).eq(expected), "{classes:?}");
    assert_eq!(8 * 1223 + 4 * 17 + 2 * 5, 9862);
}

#[test]
fn gordon_and_slocums_printed_strings_are_tours_from_e4() {
    let graph = graph("8x8");
    for (string, closed) in [
        ("4365036016724712333670723524663671602124642256571064102143461072", false),
        ("4365036016724712333614725657142761602124570254301603452070565417", true),
    ] {
        // Moves are numbered as in Figure 1: 0 is two rows down and one column right.
        let mut squares = vec![graph.vertex("e4").unwrap()];
        for digit in string[..63].bytes() {
            let here = squares[squares.len() - 1];
            squares.push(graph.step(here, usize::from(digit - b'0')).unwrap());
        }
        let tour = verify(&graph, squares).unwrap();
        assert_eq!(tour.is_closed(), closed);
        let notation = Some(Notation::Digits);
        let hints = Hints { graph: Some(graph.clone()), notation, ..Hints::default() };
        let read = read_tours(&format!("e4 {string}"), &hints);
        assert_eq!(read[0].as_ref().unwrap().squares, tour.squares());
    }
}

/// Returns the tours that a search finds within a number of attempts.
fn first_tours(solver: &str, params: &[&str], problem: Problem, attempts: u64) -> Vec<Vec<Square>> {
    let run = Enumeration::new(problem, choice(solver, params));
    let budget = Budget { attempts: Some(attempts), ..Budget::UNLIMITED };
    collect(&Enumeration { budget, ..run }).0
}

/// Returns the first tour from the corner that plain recursion finds when it tries the moves in the
/// given order.
fn first_by_hand(moves: [(i32, i32); 8], side: i32) -> Vec<Square> {
    fn go(path: &mut Vec<(i32, i32)>, moves: &[(i32, i32); 8], side: i32) -> bool {
        let (r, c) = path[path.len() - 1];
        path.len() as i32 == side * side
            || moves.iter().any(|(up, right)| {
                let next = (r + up, c + right);
                let on = (0..side).contains(&next.0) && (0..side).contains(&next.1);
                on && !path.contains(&next) && {
                    path.push(next);
                    go(path, moves, side) || path.pop().is_none()
                }
            })
    }
    let mut path = vec![(0, 0)];
    assert!(go(&mut path, &moves, side));
    path.iter().map(|(r, c)| Square::new((r * side + c) as u32)).collect()
}

#[test]
fn the_move_orders_are_those_of_the_papers() {
    // (rows up, columns right). Figure 1: two down and one right, then counter-clockwise.
    let circle = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)];
    let second = [0, 4, 2, 5, 1, 7, 3, 6].map(|i: usize| circle[i]);
    let tcd = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)];
    let from_a1 = || open_from("5x5", "a1");
    for (order, moves) in [("a", circle), ("b", second), ("tcd", tcd), ("04251736", second)] {
        let found = first_tours("backtrack", &[&format!("order={order}")], from_a1(), u64::MAX);
        assert_eq!(found[0], first_by_hand(moves, 5), "order {order}");
        assert_eq!(found.len(), 304);
    }
    let [a, b, tcd] = ["order=a", "order=b", "order=tcd"]
        .map(|order| first_tours("backtrack", &[order], from_a1(), 50_000));
    assert!(a != b && b != tcd && a != tcd);
}

#[test]
fn scan_stays_where_tours_appear_and_finds_some_where_backtracking_finds_none() {
    // 500 attempts from each of the 36 squares: b2 has its first tour after 779, a1 after 1654.
    let attempts = 18_000;
    assert!(first_tours("backtrack", &["order=a"], open("6x6"), attempts).is_empty());
    let scan = first_tours("scan", &["order=a", "probe=800"], open("6x6"), attempts);
    let b2 = graph("6x6").vertex("b2").unwrap();
    assert_eq!(scan.iter().map(|tour| tour[0]).collect::<Vec<_>>(), [b2; 2]);
}

#[test]
fn scan_continues_when_the_last_attempt_of_a_probe_is_the_tour() {
    let run = Enumeration::new(open_from("5x5", "a1"), choice("backtrack", &["order=a"]));
    let first = Budget { tours: Some(1), ..Budget::UNLIMITED };
    let attempts = count(&Enumeration { budget: first, ..run.clone() }).total.attempts;
    for probe in [attempts - 1, attempts, attempts + 1] {
        let scan = choice("scan", &[format!("probe={probe}")]);
        let summary = count(&Enumeration { choice: scan, ..run.clone() });
        assert_eq!((summary.total.tours, summary.status), (304, Status::Complete), "{probe}");
    }
}

/// Counts the start squares from which a deterministic rule finds a tour, and all start squares.
fn successes(board: &str, ties: &str) -> (u64, u64) {
    let total = count(&everything(open(board), "warnsdorff", &[&format!("ties={ties}")])).total;
    (total.tours, total.attempts)
}

#[test]
fn squirrel_and_cull_fail_only_on_side_74() {
    for side in (5..=130).chain([200, 201, 420]) {
        let found = successes(&format!("{side}x{side}"), "squirrel-cull");
        assert_eq!(found, if side == 74 { (0, 4) } else { (4, 4) }, "side {side}");
    }
}

#[test]
fn deterministic_rules_succeed_from_the_known_number_of_squares() {
    assert_eq!(successes("8x8", "fixed"), (63, 64));
    assert_eq!(successes("8x8", "pohl"), (58, 64));
    assert_eq!(successes("8x8", "roth"), (64, 64));
}

#[test]
fn roth_succeeds_from_a1_on_every_side_up_to_150_and_pohl_on_all_except_two() {
    let fails = |ties: &str| -> Vec<u32> {
        let fails = |side: &u32| {
            let problem = open_from(&format!("{side}x{side}"), "a1");
            let run = Enumeration::new(problem, choice("warnsdorff", &[ties]));
            count(&run).total.tours == 0
        };
        (5..=150).filter(fails).collect()
    };
    assert_eq!(fails("ties=roth"), [0; 0]);
    assert_eq!(fails("ties=pohl"), [17, 135]);
}

#[test]
fn random_ties_succeed_in_98_of_100_walks_on_8x8() {
    let mut run = Enumeration::new(open("8x8"), choice("warnsdorff", &["ties=random"]));
    let attempts = 100_000;
    run.budget.attempts = Some(attempts);
    run.dedup = Dedup::None;
    let total = count(&run).total;
    let rate = total.tours as f64 / attempts as f64;
    let sigma = (0.979_f64 * 0.021 / attempts as f64).sqrt();
    assert_eq!(total.attempts, attempts);
    assert!((rate - 0.979).abs() < 5.0 * sigma + 0.0005, "{rate}");
}
