//! Ants, comparing the kernel with the plain colony: `cargo bench -- ants`.
//!
//! Every tour of every run is verified. The bench asserts that runs which should find the same tours do find
//! them. Ratios are medians of interleaved pairs; `--quick` makes fewer and shorter runs, and `--strict`
//! fails if a figure misses its threshold.

use crate::lab::{self, compare, expect, interleave, knight};
use hippodrome::lab::enumerate::{Dedup, Enumeration, Summary, Totals};
use hippodrome::search::{Budget, Control};
use hippodrome::tour::{Verified, Verifier};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Number of attempts of one colony: the paper restarts a colony after 27,000 cycles of 64 ants.
const COLONY: u64 = 27_000 * 64;

pub fn main() {
    let quick = lab::is_quick();
    let pairs = if quick { 3 } else { 11 };
    kernel_and_plain(pairs, if quick { COLONY / 8 } else { COLONY });
    two_threads(pairs, if quick { 1 } else { 4 });
    // Unless quick, make a total of 100 million attempts with verification.
    verification(pairs.max(10), if quick { COLONY / 4 } else { 6 * COLONY });
    growth(pairs, if quick { 1 } else { 4 });
}

fn mace(params: &[&str], attempts: u64, seed: u64) -> Enumeration {
    let budget = Budget { attempts: Some(attempts), ..Budget::UNLIMITED };
    Enumeration { threads: 1, budget, seed, dedup: Dedup::None, ..lab::job("8x8", "mace", params) }
}

/// Runs an enumeration, with every tour verified.
fn run(job: &Enumeration) -> Summary {
    let summary = job.run(&Control::default(), None).expect("tours, all of them");
    assert_eq!(Some(summary.total.attempts), job.budget.attempts);
    assert!(summary.total.tours > 0);
    summary
}

/// Returns millions of moves per second.
fn speed(summary: &Summary) -> f64 {
    summary.total.moves as f64 / summary.seconds / 1e6
}

fn kernel_and_plain(pairs: usize, attempts: u64) {
    let of = |kernel| move |seed| speed(&run(&mace(&[kernel], attempts, seed)));
    println!("mace on 8x8, 1 thread, {attempts} attempts, M moves/s");
    let (fast, plain, ratio) = interleave(pairs, of("kernel=fast"), of("kernel=plain"));
    println!("  kernel {fast:.0}, plain {plain:.1}  ratio {ratio:.2}");
    expect(ratio >= 6.0, "a kernel 6 times as fast as the plain colony");
    expect(plain >= 30.0, "a plain colony of 30 M moves/s");
    let (portable, plain, ratio) = interleave(pairs, of("kernel=portable"), of("kernel=plain"));
    println!("  without vectors {portable:.0}, plain {plain:.1}  ratio {ratio:.2}");
    expect(ratio >= 1.0, "a kernel without vectors as fast as the plain colony");
    let [with, without] =
        ["kernel=fast", "kernel=portable"].map(|kernel| run(&mace(&[kernel], attempts, 1)).total);
    assert_eq!(with, without);
}

fn two_threads(pairs: usize, times: u64) {
    let found: RefCell<Option<Totals>> = RefCell::default();
    let on = |threads| {
        // Short colonies, so that threads have equal work.
        let job = mace(&["cycles=2700"], times * COLONY, 1);
        let total = run(&Enumeration { threads, dedup: Dedup::Exact, ..job }).total;
        assert_eq!(*found.borrow_mut().get_or_insert(total), total);
    };
    let (one, two, ratio) = compare(pairs, || on(1), || on(2));
    println!("mace on 8x8, duplicates removed, {} attempts", times * COLONY);
    println!("  1 thread {one:.2} s, 2 threads {two:.2} s  ratio {ratio:.2}");
    expect(ratio >= 1.8, "two threads 1.8 times as fast as one");
}

/// Measures the cost of verification: the extra time of a run that verifies every tour twice.
fn verification(pairs: usize, attempts: u64) {
    let verifier = Verifier::new(&knight("8x8"));
    let taking = |seed, take: &mut dyn FnMut(Verified<'_>) -> ControlFlow<()>| {
        let job = mace(&[], attempts, seed);
        let summary = job.run(&Control::default(), Some(take)).expect("tours, all of them");
        (summary.total.tours, summary.seconds)
    };
    let once = |seed| taking(seed, &mut |_| ControlFlow::Continue(())).1;
    let twice = |seed| {
        let mut again = 0;
        let (tours, seconds) = taking(seed, &mut |tour| {
            again += u64::from(verifier.check(Cow::Borrowed(tour.squares())).is_ok());
            ControlFlow::Continue(())
        });
        assert!(tours > 0 && again == tours);
        seconds
    };
    let (twice, once, ratio) = interleave(pairs, twice, once);
    let cost = ratio - 1.0;
    println!(
        "verification of mace on 8x8, 1 thread, {} attempts in total",
        pairs as u64 * attempts
    );
    println!("  once {once:.2} s, twice {twice:.2} s  cost {:.1}%", 100.0 * cost);
    expect(cost < 0.1, "verification for less than a tenth of the time");
}

/// Checks that the time per move does not grow with the age of a colony.
fn growth(pairs: usize, times: u64) {
    let of = |cycles: u64| {
        move |seed| {
            let params = [&*format!("cycles={cycles}")];
            1e3 / speed(&run(&mace(&params, cycles * 64, seed)))
        }
    };
    let (few, many) = (2_500 * times, 25_000 * times);
    let (long, short, ratio) = interleave(pairs, of(many), of(few));
    println!("one colony on 8x8, 1 thread, ns per move: linear growth is a ratio of 1");
    println!("  {few} cycles {short:.2}, {many} cycles {long:.2}  ratio {ratio:.2}");
    expect(ratio <= 1.25, "linear growth with the cycles");
}
