//! Tests that a seed gives the same answer on any number of threads, and that interrupts lose no results.

use crate::lab::{Variant, choice, closed, collect, count, on_one_thread, open, variants};
use hippodrome::lab::enumerate::{Dedup, Enumeration, TourFilter};
use hippodrome::lab::find::{Outcome, TourSearch};
use hippodrome::problem::Problem;
use hippodrome::search::{Budget, Control, Promise, Status};
use hippodrome::solvers::registry::SOLVERS;
use hippodrome::tour::Distinct;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Creates an enumeration by a variant, with counts by start square; `None` if the problem is unsupported.
fn enumeration(variant: &Variant, problem: &Problem) -> Option<(Enumeration, Promise)> {
    let mut run = on_one_thread(problem.clone(), variant.choice.clone());
    run.by_start = true;
    let promise = run.promise().ok()?;
    Some((run, promise))
}

/// Asserts equal results on 1, 2 and 3 threads, and returns the number of distinct tours.
fn same_on_all_threads(run: &Enumeration, what: &str) -> u64 {
    let on = |threads| collect(&Enumeration { threads, ..run.clone() });
    let (tours, summary) = on(1);
    for threads in [2, 3] {
        let (others, other) = on(threads);
        assert_eq!(others, tours, "{what}: tours on {threads} threads");
        assert_eq!(other.status, summary.status, "{what}: status on {threads} threads");
        assert_eq!(other.total, summary.total, "{what}: counts on {threads} threads");
        assert_eq!(other.by_start, summary.by_start, "{what}: by start on {threads} threads");
        assert_eq!(other.full, summary.full, "{what}: memory on {threads} threads");
    }
    // If distinct cycles are counted, but not by start square, a run may use a single start square.
    let silent = count(&Enumeration { threads: 2, by_start: false, ..run.clone() });
    assert_eq!(silent.total.distinct, summary.total.distinct, "{what}: distinct without tours");
    if matches!(run.distinct, Distinct::Directed | Distinct::Undirected) {
        assert_eq!(silent.total, summary.total, "{what}: counts without tours");
        assert_eq!(silent.status, summary.status, "{what}: status without tours");
    }
    summary.total.distinct
}

/// Runs every variant that supports the problem, and returns the solvers that found tours.
fn sweep(problem: &Problem, budget: Budget) -> BTreeSet<&'static str> {
    let mut successful = BTreeSet::new();
    for variant in variants() {
        let Some((mut run, promise)) = enumeration(&variant, problem) else { continue };
        run.budget = budget;
        run.seed = 7;
        if !promise.exhausts && budget.attempts.is_none() && budget.moves.is_none() {
            run.budget.attempts = Some(2000);
        }
        if same_on_all_threads(&run, &format!("{} {budget:?}", variant.name)) > 0 {
            successful.insert(variant.choice.name());
        }
    }
    successful
}

#[test]
fn threads_do_not_matter_without_a_limit() {
    let mut all: Vec<&str> = SOLVERS.iter().map(|s| s.info().name).collect();
    all.sort_unstable();
    assert!(sweep(&open("3x4"), Budget::UNLIMITED).iter().eq(&all));
    // divide does not support boards with holes.
    all.retain(|&name| name != "divide");
    assert!(sweep(&open("4x4-a1-d1"), Budget::UNLIMITED).iter().eq(&all));
    sweep(&closed("3x6"), Budget::UNLIMITED);
}

#[test]
fn threads_do_not_matter_under_an_attempt_limit() {
    for attempts in [1, 50, 1001] {
        sweep(&open("5x6"), Budget { attempts: Some(attempts), ..Budget::UNLIMITED });
    }
    let each = Budget { attempts_per_start: Some(17), ..Budget::UNLIMITED };
    assert!(sweep(&open("6x6"), each).contains("warnsdorff"));
}

#[test]
fn threads_do_not_matter_under_a_move_limit() {
    for moves in [1, 700, 40_000] {
        sweep(&open("5x5"), Budget { moves: Some(moves), ..Budget::UNLIMITED });
    }
}

#[test]
fn threads_do_not_matter_under_a_tour_limit() {
    // Within the moves allowed, and with the seed of the sweep, mace finds 27 distinct tours and random ants 3.
    for tours in [1, 3, 25] {
        let budget = Budget { tours: Some(tours), moves: Some(60_000), ..Budget::UNLIMITED };
        assert!(sweep(&open("5x5"), budget).contains("exact"));
    }
    let (tours, summary) = collect(&Enumeration {
        budget: Budget { tours: Some(7), ..Budget::UNLIMITED },
        ..Enumeration::new(open("5x5"), choice("backtrack", &["order=a"]))
    });
    assert_eq!((tours.len(), summary.total.tours, summary.status), (7, 7, Status::Limit));
}

#[test]
fn threads_do_not_matter_on_a_large_board() {
    for (name, params) in [("warnsdorff", "ties=random"), ("exact", "restarts=10")] {
        let mut run = Enumeration::new(open("12x12"), choice(name, &[params]));
        run.budget = Budget { attempts: Some(1500), ..Budget::UNLIMITED };
        assert!(same_on_all_threads(&run, name) > 100);
    }
}

#[test]
fn threads_do_not_matter_for_filters_and_distinctness() {
    let kept =
        [None, Some(TourFilter::Closed), Some(TourFilter::SemiMagic), Some(TourFilter::Symmetric)];
    let distinct = [Distinct::Directed, Distinct::Undirected, Distinct::Cycle, Distinct::Symmetry];
    let mut seen = BTreeSet::new();
    let pairs: Vec<_> = kept.iter().flat_map(|k| distinct.map(|d| (*k, d))).collect();
    for (which, problem) in
        [open("4x4-a1-d1"), closed("4x4-a1-d1"), open("3x4")].into_iter().enumerate()
    {
        for (number, variant) in variants().iter().enumerate() {
            let Some((mut run, promise)) = enumeration(variant, &problem) else { continue };
            if !promise.exhausts {
                run.budget.attempts = Some(500);
            }
            // Filters and deduplication depend only on a solver's promise. So each distinct promise of a
            // solver is tested with every pair of filter and deduplication, and further settings with one
            // pair each, in rotation.
            let first = seen.insert((which, variant.choice.name(), format!("{promise:?}")));
            let own = (number + 5 * which) % pairs.len();
            for &(keep, distinct) in if first { &pairs[..] } else { &pairs[own..=own] } {
                (run.keep, run.distinct) = (keep, distinct);
                same_on_all_threads(&run, &format!("{} {keep:?} {distinct:?}", variant.name));
            }
        }
    }
}

#[test]
fn coarser_kinds_of_distinctness_count_fewer_tours() {
    let mut run = Enumeration::new(open("4x4-a1-d1"), choice::<&str>("exact", &[]));
    let mut number = |distinct| {
        run.distinct = distinct;
        let total = count(&run).total;
        assert_eq!(total.tours, 352);
        (total.distinct, total.closed)
    };
    assert_eq!(number(Distinct::Directed), (352, 112));
    assert_eq!(number(Distinct::Undirected), (176, 56));
    // 112 directed closed tours are 4 cycles of 14 squares.
    assert_eq!(number(Distinct::Cycle), (120 + 4, 4));
    let (up_to_symmetry, _) = number(Distinct::Symmetry);
    assert!((88..176).contains(&up_to_symmetry), "{up_to_symmetry}");
}

#[test]
fn different_seeds_give_different_random_results() {
    for params in [["ties=random", "backtrack=none"], ["ties=random", "backtrack=moves"]] {
        let run = |seed| {
            let mut run = Enumeration::new(open("8x8"), choice("warnsdorff", &params));
            run.budget = Budget { tours: Some(20), moves: Some(100_000), ..Budget::UNLIMITED };
            collect(&Enumeration { seed, ..run }).0
        };
        assert!(run(1).len() == 20 && run(1) == run(1) && run(1) != run(2), "{params:?}");
    }
    let random = |seed| {
        let run = Enumeration::new(open("5x5"), choice("backtrack", &["order=random"]));
        let budget = Budget { tours: Some(5), ..Budget::UNLIMITED };
        collect(&Enumeration { seed, budget, ..run })
    };
    assert_eq!(random(3).0, random(3).0);
    assert_ne!(random(3).0, random(4).0);
    let fixed = |seed| {
        let run = Enumeration::new(open("5x5"), choice("backtrack", &["order=b"]));
        let budget = Budget { tours: Some(5), ..Budget::UNLIMITED };
        collect(&Enumeration { seed, budget, ..run }).0
    };
    assert_eq!(fixed(3), fixed(4));
}

#[test]
fn an_interrupt_ends_a_long_run_quickly_and_loses_nothing() {
    for (name, params) in [
        ("backtrack", vec![]),
        ("scan", vec![]),
        ("warnsdorff", vec![]),
        ("warnsdorff", vec!["ties=all"]),
        ("warnsdorff", vec!["backtrack=moves"]),
        ("best-first", vec!["nodes=4G"]),
        ("exact", vec![]),
        ("ace", vec!["cycles=1G"]),
        ("mace", vec![]),
        ("ants-random", vec![]),
        ("neural", vec!["iterations=1M"]),
        ("neural", vec!["update=synchronous"]),
        ("neural-join", vec![]),
        ("ga-repair", vec!["generations=1G"]),
        ("heuristic-only", vec!["runs=0"]),
    ] {
        for threads in [1, 2] {
            let mut run = Enumeration::new(open("8x8"), choice(name, &params));
            (run.threads, run.dedup) = (threads, Dedup::None);
            let control = Control::default();
            let interrupt = control.interrupt.clone();
            let stopper = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(60));
                interrupt.store(true, Relaxed);
                Instant::now()
            });
            let summary = run.run(&control, None).unwrap();
            let late = stopper.join().unwrap().elapsed();
            let what = format!("{name} {params:?} on {threads} threads");
            assert!(late < Duration::from_secs(2), "{what}: {late:?} late");
            assert_eq!(summary.status, Status::Interrupted, "{what}");
            let total = summary.total;
            assert!(total.attempts > 0 && total.moves > 0, "{what}: {total:?}");
            assert_eq!(control.attempts.load(Relaxed), total.attempts, "{what}");
            assert_eq!(control.moves.load(Relaxed), total.moves, "{what}");
            assert_eq!(control.tours.load(Relaxed), total.tours, "{what}");
        }
    }
}

#[test]
fn a_time_limit_ends_a_run_with_status_limit() {
    for threads in [1, 2] {
        let mut run = Enumeration::new(open("7x7"), choice::<&str>("backtrack", &[]));
        run.threads = threads;
        run.budget.time = Some(Duration::from_millis(80));
        let begun = Instant::now();
        let summary = count(&run);
        assert!((80..4000).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
        assert_eq!(summary.status, Status::Limit);
        assert!(summary.total.attempts > 1000 && summary.seconds >= 0.08);
    }
}

/// The first stage of a staged search must not end the later ones.
#[test]
fn threads_do_not_matter_for_a_staged_search() {
    // Warnsdorff's rule alone does not solve the first board, and forced moves rule out the second.
    let boards = ["3x40", "4x5-b2-d3", "4x5-c1", "6x6", "4x40", "60x60-a1-b1"];
    for (name, problem) in boards.map(|b| (b, open(b))) {
        let mut outcomes = Vec::new();
        for threads in [1, 2, 3] {
            let search = TourSearch {
                problem: problem.clone(),
                choice: None,
                seed: 5,
                threads,
                budget: Budget { time: Some(Duration::from_secs(20)), ..Budget::UNLIMITED },
            };
            let found = search.run(&Control::default()).unwrap();
            outcomes.push(match found.outcome {
                Outcome::Found(tour) => format!("{:?}", tour.squares()),
                Outcome::Impossible(finding) => finding.theorem.to_string(),
                Outcome::Limit => panic!("{name} on {threads} threads: no answer"),
                Outcome::Interrupted => panic!("{name}: unexpected interrupt"),
            });
            outcomes.push(format!("{:?} {} {}", found.solver, found.attempts, found.moves));
        }
        let second = name == "3x40";
        assert_eq!(outcomes[1].contains("exact"), second, "{name}: {}", outcomes[1]);
        assert_eq!(outcomes[..2], outcomes[2..4], "{name}");
        assert_eq!(outcomes[..2], outcomes[4..], "{name}");
    }
}
