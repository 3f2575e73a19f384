//! Tests that production curves are correct at every point, for any solver, number of threads and filter.

use crate::lab::{choice, closed, count, graph, on_one_thread, open, variants};
use hippodrome::count::{BigUint, Count, CountKind, CountMonitor};
use hippodrome::lab::curve::{Curve, CurvePoint, MOST_POINTS};
use hippodrome::lab::enumerate::{Dedup, EnumerateError, Enumeration, TourFilter};
use hippodrome::search::{Budget, Control};
use hippodrome::tour::Distinct;

fn curve(run: &Enumeration) -> Curve {
    count(run).curve.expect("a curve was asked for")
}

fn attempts(number: u64) -> Budget {
    Budget { attempts: Some(number), ..Budget::UNLIMITED }
}

#[test]
fn a_curve_ends_with_the_summary_and_never_falls() {
    for variant in variants() {
        let run = on_one_thread(open("5x5"), variant.choice.clone());
        if run.promise().is_err() {
            continue;
        }
        let run = Enumeration { curve: Some(7), budget: attempts(3000), seed: 5, ..run };
        let name = variant.name;
        let (one, two) = (
            count(&Enumeration { threads: 1, ..run.clone() }),
            count(&Enumeration { threads: 2, ..run }),
        );
        let (curve, total) = (one.curve.expect("a curve"), one.total);
        assert_eq!(Some(&curve), two.curve.as_ref(), "{name}: threads");
        let Some(last) = curve.points.last() else {
            assert_eq!(total.attempts, 0, "{name}");
            continue;
        };
        let CurvePoint { attempts, tours, distinct, repeated, closed } = *last;
        let counts = (total.attempts, total.tours, total.distinct, total.closed);
        assert_eq!((attempts, tours, distinct, closed), counts, "{name}");
        assert_eq!(repeated, tours - distinct, "{name}");
        for pair in curve.points.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            assert!(a.attempts < b.attempts && a.tours <= b.tours, "{name}: {pair:?}");
            assert!(a.distinct <= b.distinct && a.repeated <= b.repeated, "{name}: {pair:?}");
        }
        assert!(curve.points.len() <= MOST_POINTS + 1, "{name}");
    }
}

#[test]
fn every_point_agrees_with_a_run_of_that_many_attempts() {
    for (solver, params) in [("mace", ["cycles=3"]), ("ants-random", ["kernel=plain"])] {
        let run = Enumeration::new(open("5x5"), choice(solver, &params));
        let run = Enumeration { curve: Some(25), budget: attempts(2000), threads: 2, ..run };
        let points = curve(&run).points;
        assert_eq!(points.len(), 80, "{solver}");
        for point in points.iter().step_by(9) {
            let short =
                Enumeration { budget: attempts(point.attempts), curve: None, ..run.clone() };
            let total = count(&short).total;
            let counts = (total.attempts, total.tours, total.distinct);
            assert_eq!((point.attempts, point.tours, point.distinct), counts, "{solver}");
        }
    }
}

#[test]
fn a_curve_counts_filtered_and_distinct_tours() {
    let run = Enumeration::new(open("6x6"), choice("mace", &["cycles=260"]));
    let run = Enumeration { curve: Some(36), budget: attempts(100_000), ..run };
    let kept = Enumeration { keep: Some(TourFilter::Closed), ..run.clone() };
    let last = *curve(&kept).points.last().unwrap();
    assert!(last.closed > 0 && last.closed == last.distinct, "{last:?}");
    assert!(last.repeated > 0 && last.repeated + last.distinct < last.tours, "{last:?}");
    let all = |run: &Enumeration| run.count_all(&Control::default());
    // No tour of a square board with even side is its own image, rotated or reversed.
    let six = Enumeration { distinct: Distinct::Symmetry, ..run.clone() };
    assert_eq!(all(&six), Some(6_637_920 / 16));
    let small = Enumeration { problem: open("5x6"), ..run };
    let cycles = Enumeration { keep: Some(TourFilter::Closed), ..small.clone() };
    assert_eq!(all(&cycles), Some(2 * 30 * 8));
    let lines = Enumeration { distinct: Distinct::Undirected, ..small.clone() };
    assert_eq!(all(&lines), Some(37_568 / 2));
    let classes = Enumeration { distinct: Distinct::Symmetry, ..small };
    let counted = Count { classes: true, ..Count::new(graph("5x6"), CountKind::Open) };
    let counted = counted.run(&CountMonitor::default()).unwrap().classes.unwrap();
    assert_eq!(all(&classes).map(BigUint::from), Some(counted));
    assert_eq!(all(&Enumeration::new(open("8x8"), choice::<&str>("mace", &[]))), None);
    let stop = Control::default();
    stop.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(kept.count_all(&stop), None);
}

#[test]
fn tours_that_are_only_counted_have_a_curve_too() {
    // Without a curve, the workers only count these tours and do not send them.
    let run = Enumeration::new(closed("6x6"), choice::<&str>("exact", &[]));
    let run = Enumeration { all: true, threads: 2, ..run };
    let (plain, recorded) = (count(&run), count(&Enumeration { curve: Some(1), ..run }));
    assert_eq!(plain.total, recorded.total);
    let curve = recorded.curve.unwrap();
    let last = curve.points.last().unwrap();
    assert_eq!((last.distinct, last.repeated), (36 * 2 * 9862, 0));
    assert_eq!(last.attempts, plain.total.attempts);
    let rate = last.tours as f64 / last.attempts as f64;
    assert_eq!(curve.rate, rate);
}

#[test]
fn a_curve_without_duplicate_detection_is_rejected() {
    let run = Enumeration::new(open("5x5"), choice::<&str>("mace", &[]));
    let run = Enumeration { dedup: Dedup::None, curve: Some(25), budget: attempts(100), ..run };
    let refused = run.run(&Control::default(), None).unwrap_err();
    assert_eq!(refused, EnumerateError::Blind);
    assert_eq!(run.promise().unwrap_err(), refused);
    let exact = Enumeration { choice: choice::<&str>("exact", &[]), all: true, ..run };
    let exact = Enumeration { budget: Budget::UNLIMITED, ..exact };
    assert_eq!(curve(&exact).points.last().unwrap().distinct, 1728);
}

#[test]
fn the_rate_agrees_with_separate_restarts() {
    let cycles = 60;
    let run = Enumeration::new(open("5x5"), choice("mace", &["cycles=60"]));
    let run = Enumeration { curve: Some(25), budget: attempts(cycles * 25 * 30), ..run };
    let whole = Curve { known: run.count_all(&Control::default()), ..curve(&run) };
    // Count the distinct tours of each restart separately.
    let mut alone = 0;
    for restart in 1..=30 {
        let until = |n: u64| {
            let mut tours = Vec::new();
            let mut take = |tour: hippodrome::tour::Verified<'_>| {
                tours.push(tour.squares().to_vec());
                std::ops::ControlFlow::Continue(())
            };
            let all = Enumeration { dedup: Dedup::None, curve: None, ..run.clone() };
            let all = Enumeration { budget: attempts(n * cycles * 25), ..all };
            all.run(&Control::default(), Some(&mut take)).unwrap();
            tours
        };
        let earlier = if restart == 1 { 0 } else { until(restart - 1).len() };
        let mut own = until(restart).split_off(earlier);
        own.sort();
        own.dedup();
        alone += own.len() as u64;
    }
    let last = whole.points.last().unwrap();
    assert_eq!(whole.rate, alone as f64 / last.attempts as f64);
    assert!(alone > last.distinct, "restarts overlap");
    // The restarts overlap about as much as the formula predicts.
    let predicted = whole.predicted(last.attempts);
    let ratio = last.distinct as f64 / predicted;
    assert!((0.85..1.1).contains(&ratio), "{} and {predicted}", last.distinct);
}
