//! Tests that both counting methods agree and that the checks detect faults.

use super::breakdown::Breakdown;
use super::checks::Checker;
use super::ends_plan::{Between, EndsPlan};
use super::run::{CountContext, TallyFault};
use super::tally::Residue;
use super::task::{Method, TaskPlan};
use super::*;
use crate::board::Board;

fn count(board: &str, kind: CountKind) -> Count {
    Count::new(Graph::knight(Board::parse(board).unwrap()), kind)
}

#[test]
fn sweeps_and_halves_agree_in_every_order() {
    let monitor = CountMonitor::default();
    let context = CountContext { threads: 2, monitor: &monitor, fault: None };
    for kind in [CountKind::Open, CountKind::Closed, CountKind::TwoFactors, CountKind::PathCovers] {
        for board in ["3x4", "4x5", "5x5", "3x10"] {
            let count = count(board, kind);
            let task = count.task(FixedEnds::Free);
            let plans = task.plans().unwrap();
            let halves = |p: &&TaskPlan| matches!(p.method, Method::Halves(_));
            assert!(plans.iter().filter(halves).count() >= 2 && plans.len() >= 4, "{board}");
            let numbers: Vec<BigUint> =
                plans.iter().map(|plan| task.count(plan, &context).unwrap()).collect();
            assert!(numbers.iter().all(|n| *n == numbers[0]), "{board} {kind:?}: {numbers:?}");
            let big = task.count_big(&context).unwrap();
            assert_eq!(big, numbers[0], "{board} {kind:?} in wide words");
            for plan in &plans {
                let residue = task.run::<Residue>(plan, &context).unwrap();
                assert_eq!(BigUint::from(residue), &numbers[0] % ((1u64 << 61) - 1));
            }
        }
    }
}

#[test]
fn halves_and_sweeps_agree_with_ends_on_any_side_of_the_cut() {
    let monitor = CountMonitor::default();
    let context = CountContext { threads: 2, monitor: &monitor, fault: None };
    let count = count("5x6", CountKind::Open);
    for ends in
        [(0, 1), (0, 29), (7, 8)].map(|(s, e)| FixedEnds::Both(Square::new(s), Square::new(e)))
    {
        let task = count.task(ends);
        let plans = task.plans().unwrap();
        let numbers: Vec<BigUint> =
            plans.iter().map(|p| task.count(p, &context).unwrap()).collect();
        assert!(plans.iter().any(|plan| plan.name() == "halves"), "{ends:?}");
        assert!(numbers.iter().all(|n| *n == numbers[0]), "{ends:?}: {numbers:?}");
        assert_ne!(numbers[0], BigUint::ZERO, "{ends:?}");
    }
}

#[test]
fn joining_ends_by_a_vertex_or_splitting_at_them_keeps_the_count() {
    let monitor = CountMonitor::default();
    let context = CountContext { threads: 2, monitor: &monitor, fault: None };
    let count = count("5x6", CountKind::Open);
    for ends in
        [(0, 1), (0, 29), (7, 8)].map(|(s, e)| FixedEnds::Both(Square::new(s), Square::new(e)))
    {
        let sum = |tasks: &[Task]| -> BigUint {
            let one = |task: &Task| task.count(&task.plans().unwrap()[0], &context).unwrap();
            tasks.iter().map(one).sum()
        };
        let whole = count.task(ends);
        let by_vertex = count.task_with(ends, Between::Vertex);
        let known = sum(std::slice::from_ref(&whole));
        assert_ne!(known, BigUint::ZERO, "{ends:?}");
        for plan in by_vertex.plans().unwrap() {
            assert_eq!(by_vertex.count(&plan, &context).unwrap(), known, "{ends:?}");
        }
        for task in [whole, by_vertex] {
            let once = task.split();
            let twice: Vec<Task> = once.iter().flat_map(Task::split).collect();
            assert!(once.len() >= 2 && twice.len() > once.len(), "{ends:?}");
            assert_eq!((sum(&once), sum(&twice)), (known.clone(), known.clone()), "{ends:?}");
        }
    }
}

#[test]
fn a_state_with_a_wrong_tally_fails_a_check() {
    for (board, kind) in [
        ("6x6", CountKind::Closed),
        ("5x6", CountKind::Open),
        ("6x6", CountKind::TwoFactors),
        ("6x7", CountKind::Closed),
    ] {
        let right = count(board, kind);
        assert!(
            right.run(&CountMonitor::default()).unwrap().checks.iter().any(|c| c.name == "order")
        );
        for (fault, said) in
            [(TallyFault::Made, "another order"), (TallyFault::Kept, "tallies read")]
        {
            let wrong = Count { fault: Some(fault), ..right.clone() };
            let error = wrong.run(&CountMonitor::default()).unwrap_err();
            assert!(matches!(error, CountError::Check(_)), "{board}: {error}");
            assert!(error.to_string().contains(said), "{board}: {error}");
        }
    }
}

/// Returns a function that breaks down a finished count.
fn broken_down(count: &Count, by: By) -> impl Fn(&mut Counted) -> Result<(), CountError> + use<> {
    let monitor = CountMonitor::default();
    let count = Count { by: Some(by), ..count.clone() };
    let whole = EndsPlan::new(&count, FixedEnds::Free).unwrap();
    let breakdown = Breakdown::new(&count, &whole, &monitor).unwrap();
    move |counted| breakdown.run(&count, counted, &monitor)
}

#[test]
fn each_check_fails_for_a_number_that_is_one_too_large() {
    let monitor = CountMonitor::default();
    let said = |result: Result<(), CountError>| match result {
        Err(CountError::Check(said)) => said,
        other => panic!("{other:?}"),
    };
    let grown = |counted: &Counted| Counted {
        undirected: &counted.undirected + 1u32,
        directed: counted.directed.as_ref().map(|directed| directed + 1u32),
        ..counted.clone()
    };
    for kind in [CountKind::Closed, CountKind::Open] {
        let count = count("5x6", kind);
        let right = count.run(&monitor).unwrap();
        let check = |mut counted: Counted| {
            Checker { count: &count, counted: &mut counted, monitor: &monitor }.orbits()
        };
        check(right.clone()).unwrap();
        let wrong = said(check(grown(&right)));
        assert!(wrong.contains("not a multiple of the 4 symmetries"), "{wrong}");
        let by_ends = broken_down(&count, By::Ends);
        by_ends(&mut right.clone()).unwrap();
        let wrong = said(by_ends(&mut grown(&right)));
        assert!(wrong.contains("add up to"), "{wrong}");
    }
    let open = count("5x5", CountKind::Open);
    let right = open.run(&monitor).unwrap();
    let by_start = broken_down(&open, By::Start);
    by_start(&mut right.clone()).unwrap();
    let wrong = said(by_start(&mut grown(&right)));
    assert!(wrong.contains("from each square add up to 1728, not 1729"), "{wrong}");
    let from_the_middle = Count { start: Some(Square::new(12)), ..open };
    let right = from_the_middle.run(&monitor).unwrap();
    let check = |mut counted: Counted| {
        let mut checker =
            Checker { count: &from_the_middle, counted: &mut counted, monitor: &monitor };
        checker.stabilizer(FixedEnds::One(Square::new(12)))
    };
    check(right.clone()).unwrap();
    let wrong = said(check(grown(&right)));
    assert!(wrong.contains("8 symmetries that fix the ends"), "{wrong}");
}

#[test]
fn classes_of_ends_with_a_wrong_number_are_not_added_up() {
    let monitor = CountMonitor::default();
    let open = count("5x6", CountKind::Open);
    let by_ends = Count { by: Some(By::Ends), ..open.clone() };
    let classes = by_ends.run(&monitor).unwrap().by_ends.unwrap();
    assert_eq!(
        open.sum_up(classes.clone(), &monitor).unwrap().undirected,
        BigUint::from(18_784u32)
    );
    for at in 0..classes.len() {
        let mut wrong = classes.clone();
        wrong[at].tours += 4u32;
        let joined = open.graph.neighbours(wrong[at].ends[0]).any(|n| n == wrong[at].ends[1]);
        // The symmetries do not detect a multiple of four; the check by cycles does, if a move joins the ends.
        match open.sum_up(wrong, &monitor) {
            Err(CountError::Check(said)) if joined => assert!(said.contains("cycles"), "{said}"),
            other => assert!(!joined && other.is_ok(), "{at}"),
        }
    }
}

#[test]
fn too_little_memory_ends_the_count() {
    let monitor = CountMonitor { memory: 100_000, ..CountMonitor::default() };
    let error = count("6x6", CountKind::Open).run(&monitor).unwrap_err();
    assert!(matches!(error, CountError::Memory { .. }), "{error}");
}

#[test]
fn an_interrupt_ends_the_count() {
    let monitor = CountMonitor::default();
    monitor.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    let error = count("6x6", CountKind::Open).run(&monitor).unwrap_err();
    assert_eq!(error, CountError::Interrupted);
}

#[test]
fn no_layer_is_larger_than_forecast() {
    let monitor = CountMonitor::default();
    let forecast =
        count("7x8", CountKind::Closed).plan(&monitor).unwrap().forecast(&monitor).unwrap();
    // 3,546,369 states were measured at the cut.
    let states = forecast.states.unwrap();
    assert!((3_546_369..20_000_000).contains(&states), "{states}");
}

#[test]
fn forecast_run_and_breakdown_reuse_the_plan() {
    let monitor = CountMonitor::default();
    let planned = super::task::tests::planned;
    for (kind, by, checks) in [
        // The checks plan a second order, and at most two graphs for each of three symmetries.
        (CountKind::Open, Some(By::Ends), 1..8),
        (CountKind::Open, Some(By::Start), 1..8),
        (CountKind::Closed, Some(By::Ends), 1..8),
        (CountKind::TwoFactors, None, 1..2),
    ] {
        let count = Count { by, ..count("5x6", kind) };
        let parts = match by {
            None => 0,
            Some(By::Start) => count.square_classes().len(),
            Some(By::Ends) => count.end_classes(&monitor).unwrap().len(),
        };
        let before = planned();
        let plan = count.plan(&monitor).unwrap();
        assert_eq!(planned() - before, 1 + parts, "{kind:?} {by:?}");
        let before = planned();
        plan.forecast(&monitor).unwrap();
        assert_eq!(planned(), before, "{kind:?} {by:?}");
        plan.run(&monitor).unwrap();
        let more = planned() - before;
        assert!(checks.contains(&more), "{kind:?} {by:?}: {more} plans while running");
    }
}
