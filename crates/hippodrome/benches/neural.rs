//! The network: `cargo bench -- neural`.
//!
//! Compares trials in parallel lanes with the same trials computed neuron by neuron, and times closed tours
//! of large boards. Every timing asserts its answer; `--quick` takes fewer pairs, and `--strict` fails if a
//! figure misses its threshold.

use crate::lab::{expect, is_quick, knight, median, seconds};
use hippodrome::board::Board;
use hippodrome::lab::enumerate::{Enumeration, Summary};
use hippodrome::problem::Problem;
use hippodrome::search::{Budget, Control};
use hippodrome::solvers::neural::{TrialMethod, outcomes};
use hippodrome::solvers::registry::Choice;
use std::hint::black_box;

pub fn main() {
    let quick = is_quick();
    side_by_side(if quick { 3 } else { 11 });
    for (board, attempts) in [("20x20", 10), ("50x50", 100), ("200x200", 10)] {
        for blocks in ["blocks=0", "blocks=8"] {
            large(board, if quick { attempts.min(10) } else { attempts }, blocks);
        }
    }
}

/// Runs trials for closed tours on one thread; returns seconds and summary.
fn trials(board: &str, solver: &str, params: &[&str], attempts: u64) -> (f64, Summary) {
    let choice = Choice::new(solver, params).expect("a solver");
    let budget = Budget { attempts: Some(attempts), ..Budget::UNLIMITED };
    let run = Enumeration {
        threads: 1,
        budget,
        ..Enumeration::new(Problem::closed(knight(board)), choice)
    };
    seconds(|| run.run(&Control::default(), None).expect("a run"))
}

/// Times the trials alone, unverified, by both methods; then as a complete solver run.
fn side_by_side(pairs: usize) {
    for name in ["6x6", "8x8", "12x12"] {
        let board = Board::parse(name).expect("a board");
        let timed = |way| seconds(|| outcomes(black_box(&board), 1, 5000, way));
        let mut times = Vec::new();
        let mut tours = 0;
        for _ in 0..pairs {
            let ((plain, slow), (fast, same)) =
                (timed(TrialMethod::Plain), timed(TrialMethod::Lanes));
            assert!(slow == same, "trial by trial the same");
            tours = same.iter().filter(|trial| trial.one_cycle == Some(true)).count();
            times.push((plain, fast));
        }
        let ratio = median(times.iter().map(|t| t.0 / t.1).collect());
        let each = |time: fn(&(f64, f64)) -> f64| {
            1e3 * median(times.iter().map(time).collect()) / tours as f64
        };
        expect(name != "8x8" || ratio >= 5.0, "8x8 at least 5 times as fast as the plain network");
        let (time, found) = trials(name, "neural", &[], 20_000);
        println!(
            "neural {name}, 5000 trials, {tours} tours, 1 thread: plain {:.4} ms a tour, side by side {:.4} ms, ratio {ratio:.2}; as a solver, verified, {:.4} ms",
            each(|t| t.0),
            each(|t| t.1),
            1e3 * time / found.total.tours as f64
        );
    }
}

fn large(board: &str, attempts: u64, blocks: &str) {
    let (time, summary) = trials(board, "neural-join", &[blocks], attempts);
    let tours = summary.total.tours;
    assert!(tours <= attempts);
    expect(tours * 100 >= attempts * 95, "95 of 100 trials joined");
    println!(
        "neural-join {board} {blocks}: {tours} of {attempts} trials, {:.1} ms a closed tour, 1 thread, verified",
        1e3 * time / tours.max(1) as f64
    );
}
