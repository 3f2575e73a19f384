//! Exactly uniform tours: `cargo bench --bench sample`.
//!
//! The making of tables and the drawing of tours. Every timing asserts its answer: the number of
//! covers, and the share of them that are tours. `-- --quick` leaves out the open tours of 8x8, and
//! `-- --strict` fails where a figure is not what it should be.
#![allow(clippy::print_stdout, missing_docs)]

mod lab;

use hippodrome::problem::Problem;
use hippodrome::sample::{Making, Sampler};
use lab::{expect, is_quick, knight, seconds};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() {
    draw("6x6", true, 36_236, 9_862, (0.2, 1 << 30, 0.0));
    draw("6x6", false, 10_284_288, 3_318_960, (0.2, 1 << 30, 0.0));
    draw("8x8", true, 56_691_832_946_529, 13_267_364_410_532, (15.0, 3 << 29, 20_000.0));
    if !is_quick() {
        let (covers, tours) = (41_997_392_972_965_432, 9_795_914_085_489_952);
        draw("8x8", false, covers, tours, (120.0, 6 << 30, 10_000.0));
    }
}

/// Makes the table of a board and draws covers for some seconds on one thread.
fn draw(
    board: &str,
    closed: bool,
    covers: u128,
    tours: u128,
    (most_seconds, most_bytes, least_rate): (f64, usize, f64),
) {
    let graph = knight(board);
    let problem = if closed { Problem::closed(graph) } else { Problem::open(graph) };
    let (time, sampler) = seconds(|| Sampler::new(&problem, &Making::default()).expect("a table"));
    assert_eq!(sampler.covers(), covers, "covers of {board}");
    let bytes = sampler.bytes();
    expect(time <= most_seconds && bytes <= most_bytes, "a table of {board} in time and memory");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut drawn, mut found, mut spent) = (0, 0, 0.0);
    while spent < if is_quick() { 1.0 } else { 5.0 } {
        let (time, more) = seconds(|| sampler.tours_among(1 << 18, &mut rng));
        (drawn, found, spent) = (drawn + (1 << 18), found + more, spent + time);
    }
    let share = tours as f64 / covers as f64;
    let (mean, error) = (drawn as f64 * share, (drawn as f64 * share * (1.0 - share)).sqrt());
    assert!((found as f64 - mean).abs() < 5.0 * error, "{found} of {drawn} covers are tours");
    expect(found as f64 / spent >= least_rate, "enough tours a second");
    println!(
        "sample {board} {}: table of {covers} covers in {time:.2} s, {:.1} MB; {:.0} covers and {:.0} tours a second on 1 thread, {:.3}% accepted (exactly {:.3}%)",
        if closed { "closed" } else { "open" },
        bytes as f64 / 1e6,
        drawn as f64 / spent,
        found as f64 / spent,
        100.0 * found as f64 / drawn as f64,
        100.0 * share,
    );
}
