//! Exactly uniform tours: `cargo bench -- sample`.
//!
//! Times building and reading tables, and drawing tours; without `--quick` also checks uniformity
//! against complete lists, intervals of estimates, and open tours of 8x8. Every timing asserts its
//! answer: the number of covers, and the share of them that are tours. `--strict` fails if a time, a
//! size or a rate misses its threshold.

use crate::lab::{expect, is_quick, knight, seconds};
use hippodrome::board::Square;
use hippodrome::lab::chi_square::distance;
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::lab::estimate::{EstimateSettings, by_covers};
use hippodrome::problem::Problem;
use hippodrome::search::{Control, Resources};
use hippodrome::solvers::registry::Choice;
use hippodrome::tour::{Distinct, Verified};
use hippodrome::uniform::{Sampler, TourStream};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Bounds on a table: seconds to build it, its bytes, seconds to read it, tours per second.
struct Bounds(f64, usize, f64, f64);

pub fn main() {
    tables("6x6", true, (36_236, 9_862), Bounds(0.2, 1 << 30, 0.2, 0.0));
    tables("6x6", false, (10_284_288, 3_318_960), Bounds(0.2, 1 << 30, 0.2, 0.0));
    let closed = (56_691_832_946_529, 13_267_364_410_532);
    tables("8x8", true, closed, Bounds(15.0, 3 << 29, 1.0, 20_000.0));
    if is_quick() {
        return;
    }
    for (board, closed, distinct) in [
        ("5x5", false, Distinct::Directed),
        ("5x6", true, Distinct::Directed),
        ("6x6", true, Distinct::Cycle),
        ("5x6", false, Distinct::Directed),
    ] {
        uniformity(board, closed, distinct);
    }
    for (board, known) in [("6x6", 9_862.0), ("6x7", 1_067_638.0), ("7x8", 34_524_432_316.0)] {
        intervals(board, known);
    }
    let long = Sampler::new(&problem("8x10", true), &Resources::default()).expect("a table");
    assert_eq!(long.covers(), 21_685_973_783_906_106_737);
    drop(long);
    let covers = (41_997_392_972_965_432, 9_795_914_085_489_952);
    closed_share(&tables("8x8", false, covers, Bounds(120.0, 6 << 30, 5.0, 10_000.0)));
}

fn problem(board: &str, closed: bool) -> Problem {
    if closed { Problem::closed(knight(board)) } else { Problem::open(knight(board)) }
}

/// Builds the table of a board, reads it back, and draws covers for some seconds on one thread.
fn tables(
    board: &str,
    closed: bool,
    (covers, tours): (u128, u128),
    bounds: Bounds,
) -> Arc<Sampler> {
    let problem = problem(board, closed);
    let folder = std::env::temp_dir().join(format!("hippodrome-bench-{}", std::process::id()));
    let (making, sampler) =
        seconds(|| Sampler::new(&problem, &Resources::default()).expect("a table"));
    assert_eq!(sampler.covers(), covers, "covers of {board}");
    drop(sampler);
    let cached = Resources { cache: Some(&folder), ..Resources::default() };
    drop(Sampler::new(&problem, &cached).expect("a table"));
    let (reading, sampler) = seconds(|| Sampler::new(&problem, &cached).expect("a table"));
    let _ = std::fs::remove_dir_all(&folder);
    assert_eq!(sampler.covers(), covers, "covers of {board}, read");
    let bytes = sampler.bytes();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut drawn, mut found, mut spent) = (0, 0, 0.0);
    while spent < if is_quick() { 1.0 } else { 5.0 } {
        let (time, more) = seconds(|| sampler.tours_among(1 << 18, &mut rng));
        (drawn, found, spent) = (drawn + (1 << 18), found + more, spent + time);
    }
    let share = tours as f64 / covers as f64;
    let (mean, error) = (drawn as f64 * share, (drawn as f64 * share * (1.0 - share)).sqrt());
    let off = (found as f64 - mean) / error;
    assert!(off.abs() < 4.0, "{found} of {drawn} covers are tours");
    let Bounds(most_making, most_bytes, most_reading, least_rate) = bounds;
    let rate = found as f64 / spent;
    let kind = if closed { "closed" } else { "open" };
    expect(making <= most_making, &format!("{board} {kind} made in {most_making} s"));
    expect(bytes <= most_bytes, &format!("{board} {kind} in {most_bytes} bytes"));
    expect(reading <= most_reading, &format!("{board} {kind} read in {most_reading} s"));
    expect(rate >= least_rate, &format!("{least_rate} tours of {board} {kind} a second"));
    println!(
        "sample {board} {kind}: {covers} covers, table of {:.1} MB made in {making:.2} s, {} in {reading:.2} s; {:.0} covers and {rate:.0} tours a second on 1 thread, {:.3}% accepted (exactly {:.3}%, {off:+.1} standard errors)",
        bytes as f64 / 1e6,
        if sampler.origin().read { "read" } else { "too small to be kept, made again" },
        drawn as f64 / spent,
        100.0 * found as f64 / drawn as f64,
        100.0 * share,
    );
    Arc::new(sampler)
}

/// Compares a million drawn tours with the list of all tours, ten times.
fn uniformity(board: &str, closed: bool, distinct: Distinct) {
    let problem = problem(board, closed);
    let choice = Choice::new::<&str>("exact", &[]).expect("a solver");
    let list = Enumeration { all: true, distinct, ..Enumeration::new(problem.clone(), choice) };
    let mut canon = problem.canon(distinct);
    let mut all: HashMap<Vec<Square>, usize> = HashMap::new();
    let mut take = |tour: Verified<'_>| {
        let place = all.len();
        all.insert(canon.form(&tour).to_vec(), place);
        ControlFlow::Continue(())
    };
    list.run(&Control::default(), Some(&mut take)).expect("a list");
    let sampler = Arc::new(Sampler::new(&problem, &Resources::default()).expect("a table"));
    let mut values = Vec::new();
    for seed in 1..=10 {
        let mut counts = vec![0; all.len()];
        let mut take = |tour: Verified<'_>| {
            counts[all[canon.form(&tour)]] += 1;
            ControlFlow::Continue(())
        };
        let stream = TourStream { tours: 1_000_000, seed, threads: 2 };
        stream.run(&sampler, &Control::default(), &mut take).expect("tours");
        assert!(counts.iter().all(|&count| count > 0), "every tour of {board} appears");
        let p = distance(&counts, &vec![1.0; all.len()]).p_value;
        assert!((1e-4..1.0 - 1e-4).contains(&p), "{board}, seed {seed}: p = {p}");
        values.push(format!("{p:.3}"));
    }
    println!(
        "sample {board} {}: a million tours, every one of {} appears, p-values {}",
        if closed { "closed" } else { "open" },
        all.len(),
        values.join(" ")
    );
}

/// Counts how many of a hundred 95% intervals contain the known number of closed tours.
fn intervals(board: &str, known: f64) {
    let sampler = Sampler::new(&problem(board, true), &Resources::default()).expect("a table");
    let sampler = Arc::new(sampler);
    let held = |seed: &u64| {
        let effort = EstimateSettings { trials: 20_000, confidence: 0.95, seed: *seed, threads: 2 };
        let found = by_covers(&sampler, effort, &Control::default()).expect("an estimate");
        (found.low..=found.high).contains(&known)
    };
    let held = (1..=100).filter(held).count();
    assert!(held >= 88, "{board}: {held} of 100 intervals");
    println!("estimate {board} closed: {held} of 100 intervals hold {known}");
}

/// Checks the share of closed tours among the open tours of 8x8.
fn closed_share(sampler: &Arc<Sampler>) {
    let (tours, mut closed) = (1_000_000, 0u64);
    let mut take = |tour: Verified<'_>| {
        closed += u64::from(tour.is_closed());
        ControlFlow::Continue(())
    };
    let stream = TourStream { tours, seed: 1, threads: 2 };
    let (time, report) = seconds(|| stream.run(sampler, &Control::default(), &mut take));
    report.expect("tours");
    let share = 64.0 * 2.0 * 13_267_364_410_532.0 / 19_591_828_170_979_904.0;
    let off =
        (closed as f64 - tours as f64 * share) / (tours as f64 * share * (1.0 - share)).sqrt();
    assert!(off.abs() < 4.0, "{closed} closed tours");
    println!(
        "sample 8x8 open: {:.3}% of {tours} tours are closed (exactly {:.3}%, {off:+.1} standard errors); {:.0} a second on 2 threads, verified",
        100.0 * closed as f64 / tours as f64,
        100.0 * share,
        tours as f64 / time
    );
}
