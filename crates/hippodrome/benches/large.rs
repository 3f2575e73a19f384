//! Large boards: `cargo bench -- large`.
//!
//! The time to describe a tour and write it is compared with the time to write the same number of consecutive
//! integers to freshly allocated memory. The time to describe a tour grows with the sides of the board, not
//! its area. Verification is timed separately. Ratios are medians of interleaved pairs. Blocks are found
//! beforehand; the first line shows how long that takes. `--quick` stops at 10^6 squares, and `--strict`
//! fails if a figure misses its threshold.

use crate::lab::{expect, is_quick, median, seconds};
use hippodrome::board::{Board, Graph};
use hippodrome::problem::{Goal, Problem};
use hippodrome::solvers::divide::Construction;
use hippodrome::tour::verify;
use std::hint::black_box;

pub fn main() {
    let quick = is_quick();
    let sides = if quick { &[100, 1000][..] } else { &[100, 316, 1000, 3162, 10_000] };
    first_use();
    println!(
        "description; tour (ns per square); plain writing; ratio without and with description; verification"
    );
    for goal in [Goal::Closed, Goal::Open] {
        for &side in sides {
            // Open tours use odd sides, for which there is no closed tour; the head of an open tour contains
            // both ends.
            one_size(goal, side + u64::from(goal == Goal::Open && side % 2 == 0), quick);
        }
    }
    one_by_one();
}

fn problem(rows: u64, cols: u64, goal: Goal) -> Problem {
    let graph = Graph::knight(Board::new(rows, cols).expect("a board"));
    Problem::new(graph, goal, None, None).expect("a problem")
}

fn construct(problem: &Problem) -> Construction {
    Construction::new(problem).expect("a construction")
}

fn first_use() {
    let (time, tour) = seconds(|| construct(&problem(1000, 1000, Goal::Closed)).tour());
    assert_eq!(tour.len(), 1_000_000);
    expect(time <= 0.020, "1000x1000 in 20 ms, blocks and all");
    println!("first closed tour of 1000x1000, blocks and all: {:.1} ms", time * 1e3);
}

fn one_size(goal: Goal, side: u64, quick: bool) {
    let problem = problem(side, side, goal);
    let squares = (side * side) as u32;
    let pairs = if quick { 3 } else { (40_000_000 / squares).clamp(3, 101) };
    black_box(construct(&problem));
    let plain = || drop(black_box((0..black_box(squares)).collect::<Vec<u32>>()));
    let mut times = [const { Vec::new() }; 5];
    for _ in 0..pairs {
        let (describing, tour) = seconds(|| construct(&problem));
        let (writing, line) = seconds(|| tour.tour());
        drop(black_box(line));
        let (baseline, ()) = seconds(plain);
        let both = (describing + writing) / baseline;
        let all = [describing, writing, baseline, writing / baseline, both];
        for (list, time) in times.iter_mut().zip(all) {
            list.push(time);
        }
    }
    let [describing, writing, baseline, ratio, both] = times.map(median);
    let line = construct(&problem).tour();
    let (checking, tour) = seconds(|| verify(problem.graph(), line));
    assert_eq!(tour.expect("a tour").is_closed(), goal == Goal::Closed);
    let each = |time: f64| time * 1e9 / f64::from(squares);
    println!(
        "{goal:?} {side}x{side}: {:.3} ms; {:.3} ms ({:.2}); {:.3} ms ({:.2}); {ratio:.2}, {both:.2}; {:.3} ms ({:.2})",
        describing * 1e3,
        writing * 1e3,
        each(writing),
        baseline * 1e3,
        each(baseline),
        checking * 1e3,
        each(checking)
    );
    expect(ratio <= 4.0, "written within four times of plain writing");
    expect(side < 1000 || both <= 4.0, "10^6 squares and more described and written within it");
    let total = describing + writing;
    expect(side > 1001 || total <= 0.020, "1000x1000 in 20 ms");
    expect(total <= 2.0 && checking <= 2.0, "10,000x10,000 in 2 s, and verified in 2 s");
}

/// Times single lookups on a board that is too large to write.
fn one_by_one() {
    let tour = construct(&problem(65_000, 65_000, Goal::Closed));
    let asked = 1_000_000;
    let step = tour.len() / asked;
    let (time, same) =
        seconds(|| (0..asked).all(|k| tour.index(tour.square(k * step)) == k * step));
    assert!(same);
    println!("65000x65000: a square by its time and back in {:.0} ns", time * 1e9 / asked as f64);
}
