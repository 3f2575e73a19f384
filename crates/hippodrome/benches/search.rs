//! The classical searches, compared with plain programs: `cargo bench -- search`.
//!
//! Every timing asserts its answer. Ratios are medians of interleaved pairs, because machines are
//! noisy; `--quick` takes fewer pairs, and `--strict` fails if a ratio misses its threshold.

use crate::lab::{self, compare, expect, knight, median, seconds};
use hippodrome::board::{Board, Graph, Square};
use hippodrome::lab::enumerate::{Enumeration, Summary};
use hippodrome::problem::Problem;
use hippodrome::search::{Budget, Control};
use hippodrome::solvers::registry::Choice;
use std::hint::black_box;

pub fn main() {
    let quick = lab::is_quick();
    let pairs = if quick { 3 } else { 11 };
    every_warnsdorff_tour(pairs);
    depth_first_leaves(pairs);
    every_tour_of_six_by_six(if quick { 1 } else { 5 });
    growth(if quick { 1 } else { 5 });
}

fn enumerate(
    board: &str,
    solver: &str,
    params: &[&str],
    threads: usize,
    budget: Budget,
) -> Summary {
    let job = Enumeration { threads, budget, ..lab::job(board, solver, params) };
    job.run(&Control::default(), None).expect("a run")
}

fn attacks(graph: &Graph) -> Vec<u64> {
    Square::below(64).map(|v| graph.neighbours(v).fold(0, |set, w| set | 1 << w.index())).collect()
}

/// The plain program: recursion on a u64, counting only, without verification.
fn plain_warnsdorff(
    attacks: &[u64],
    here: usize,
    unvisited: u64,
    found: &mut [u64; 3],
    first: u64,
) {
    let free = attacks[here] & unvisited;
    if free == 0 {
        found[0] += 1;
        if unvisited == 0 {
            found[1] += 1;
            found[2] += attacks[here] >> first & 1;
        }
        return;
    }
    let (mut least, mut ties, mut rest) = (9, 0u64, free);
    while rest != 0 {
        let next = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let onward = (attacks[next] & unvisited).count_ones();
        if onward < least {
            (least, ties) = (onward, 0);
        }
        if onward == least {
            ties |= 1 << next;
        }
    }
    while ties != 0 {
        let next = ties.trailing_zeros() as usize;
        ties &= ties - 1;
        plain_warnsdorff(attacks, next, unvisited & !(1 << next), found, first);
    }
}

fn every_warnsdorff_tour(pairs: usize) {
    let table = attacks(&knight("8x8"));
    let expected = [8_656_104, 7_894_584, 1_188_384];
    let plain = || {
        let mut found = [0; 3];
        for start in 0..64 {
            plain_warnsdorff(black_box(&table), start, !(1 << start), &mut found, start as u64);
        }
        assert_eq!(found, expected);
    };
    let ours = |threads| {
        let all = enumerate("8x8", "warnsdorff", &["ties=all"], threads, Budget::UNLIMITED).total;
        assert_eq!([all.attempts, all.tours, all.closed], expected);
    };
    let rate = |s: f64| 7.894_584 / s;
    let (p, o, ratio) = compare(pairs, plain, || ours(1));
    expect(ratio >= 1.5, "1.5 times as fast as the plain program");
    println!("every Warnsdorff tour of 8x8, 1 thread, verified");
    println!(
        "  plain {p:.3} s ({:.1} M tours/s)  ours {o:.3} s ({:.1} M tours/s)  ratio {ratio:.2}",
        rate(p),
        rate(o)
    );
    let (one, two, ratio) = compare(pairs, || ours(1), || ours(2));
    expect(ratio >= 1.4, "two threads faster than one");
    println!("  ours on 1 thread {one:.3} s, on 2 threads {two:.3} s  ratio {ratio:.2}");
}

fn plain_depth_first(
    near: &[Vec<usize>],
    here: usize,
    unvisited: u64,
    left: &mut u64,
    tours: &mut u64,
) {
    let mut stuck = true;
    for &next in &near[here] {
        if unvisited >> next & 1 == 1 {
            stuck = false;
            plain_depth_first(near, next, unvisited & !(1 << next), left, tours);
            if *left == 0 {
                return;
            }
        }
    }
    if stuck {
        *left -= 1;
        *tours += u64::from(unvisited == 0);
    }
}

fn depth_first_leaves(pairs: usize) {
    let graph = knight("8x8");
    let near: Vec<Vec<usize>> =
        Square::below(64).map(|v| graph.neighbours(v).map(|w| w.index()).collect()).collect();
    let each: u64 = 500_000;
    let count = |start: usize| {
        let (mut left, mut tours) = (each, 0);
        plain_depth_first(black_box(&near), start, !(1 << start), &mut left, &mut tours);
        assert_eq!(left, 0);
        tours
    };
    let expected: u64 = (0..64).map(count).sum();
    let plain = || assert_eq!((0..64).map(count).sum::<u64>(), expected);
    let budget = Budget { attempts_per_start: Some(each), ..Budget::UNLIMITED };
    let ours = || {
        let found = enumerate("8x8", "backtrack", &[], 1, budget).total;
        assert_eq!((found.attempts, found.tours), (64 * each, expected));
    };
    let rate = |s: f64| 64.0 * each as f64 / s / 1e6;
    let (p, o, ratio) = compare(pairs, plain, ours);
    expect(ratio >= 1.0, "as fast as the plain program");
    println!("depth-first leaves of 8x8, 1 thread");
    println!(
        "  plain {p:.3} s ({:.1} M attempts/s)  ours {o:.3} s ({:.1} M attempts/s)  ratio {ratio:.2}",
        rate(p),
        rate(o)
    );
}

fn every_tour_of_six_by_six(repeats: usize) {
    let one = || {
        let (time, all) = seconds(|| enumerate("6x6", "exact", &[], 1, Budget::UNLIMITED).total);
        assert_eq!((all.distinct, all.closed), (6_637_920, 710_064));
        (time, all)
    };
    let runs: Vec<_> = (0..repeats).map(|_| one()).collect();
    let (moves, attempts) = (runs[0].1.moves, runs[0].1.attempts);
    let time = median(runs.iter().map(|r| r.0).collect());
    expect(time <= 10.0, "every tour of 6x6 in 10 s");
    println!("every tour of 6x6 with exact, 1 thread, verified");
    println!(
        "  {time:.2} s, {attempts} attempts, {moves} moves ({:.2} moves a tour; plain depth-first search makes 210 billion attempts)",
        moves as f64 / 6_637_920.0
    );
}

fn growth(repeats: usize) {
    let one = |side: u32| {
        let board = Board::parse(&format!("{side}x{side}")).expect("a board");
        let problem = Problem::new(
            Graph::knight(board),
            hippodrome::problem::Goal::Open,
            Some(Square::new(0)),
            None,
        );
        let choice = Choice::new("warnsdorff", &["ties=squirrel-cull"]).expect("a solver");
        let run =
            Enumeration { threads: 1, ..Enumeration::new(problem.expect("a problem"), choice) };
        let found = run.run(&Control::default(), None).expect("a run").total;
        assert_eq!((found.tours, found.moves), (1, u64::from(side).pow(2) - 1));
    };
    let (small, large, shrink) = compare(repeats, || one(1000), || one(3000));
    let ratio = 1.0 / shrink;
    expect(ratio <= 11.0, "linear growth");
    println!("warnsdorff (squirrel-cull), verified: linear growth is a ratio of 9");
    println!(
        "  1000x1000 {:.0} ms ({:.0} ns/square)  3000x3000 {:.0} ms ({:.0} ns/square)  ratio {:.2}",
        small * 1e3,
        small * 1e3,
        large * 1e3,
        large * 1e9 / 9e6,
        ratio
    );
}
