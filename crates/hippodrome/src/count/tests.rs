//! Both methods agree, and a fault is found.

use super::run::Crew;
use super::task::{Method, Plan};
use super::*;
use crate::board::Board;

fn count(board: &str, kind: Kind) -> Count {
    Count::new(Graph::knight(Board::parse(board).unwrap()), kind)
}

#[test]
fn sweeps_and_halves_agree_in_every_order() {
    let watch = Watch::default();
    let crew = Crew { threads: 2, watch: &watch, corrupt: false };
    for kind in [Kind::Open, Kind::Closed, Kind::TwoFactors, Kind::PathCovers] {
        for board in ["3x4", "4x5", "5x5", "3x10"] {
            let count = count(board, kind);
            let task = count.task(Ends::Free);
            let plans = task.plans().unwrap();
            let halves = |p: &&Plan| matches!(p.method, Method::Halves(_));
            assert!(plans.iter().filter(halves).count() >= 2 && plans.len() >= 4, "{board}");
            let numbers: Vec<BigUint> =
                plans.iter().map(|plan| task.count(plan, &crew).unwrap()).collect();
            assert!(numbers.iter().all(|n| *n == numbers[0]), "{board} {kind:?}: {numbers:?}");
            let big = super::task::tests::count_big(&task, &crew).unwrap();
            assert_eq!(big, numbers[0], "{board} {kind:?} in wide words");
            for plan in &plans {
                let residue = task.residue(plan, &crew).unwrap();
                assert_eq!(BigUint::from(residue), &numbers[0] % ((1u64 << 61) - 1));
            }
        }
    }
}

#[test]
fn a_state_with_a_wrong_tally_fails_the_check() {
    for (board, kind) in [
        ("6x6", Kind::Closed),
        ("5x6", Kind::Open),
        ("6x6", Kind::TwoFactors),
        ("6x7", Kind::Closed),
    ] {
        let right = count(board, kind);
        assert!(right.run(&Watch::default()).unwrap().checks.iter().any(|c| c.name == "order"));
        let wrong = Count { corrupt: true, ..right };
        let error = wrong.run(&Watch::default()).unwrap_err();
        assert!(matches!(error, CountError::Check(_)), "{board}: {error}");
    }
}

#[test]
fn memory_that_does_not_suffice_ends_the_count() {
    let watch = Watch { memory: 100_000, ..Watch::default() };
    let error = count("6x6", Kind::Open).run(&watch).unwrap_err();
    assert!(matches!(error, CountError::Memory { .. }), "{error}");
}

#[test]
fn an_interrupt_ends_the_count() {
    let watch = Watch::default();
    watch.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    let error = count("6x6", Kind::Open).run(&watch).unwrap_err();
    assert_eq!(error, CountError::Interrupted);
}

#[test]
fn no_layer_is_larger_than_foreseen() {
    let watch = Watch::default();
    let forecast = count("7x8", Kind::Closed).forecast(&watch).unwrap();
    // 3,546,369 states were measured at the cut.
    let states = forecast.states.unwrap();
    assert!((3_546_369..20_000_000).contains(&states), "{states}");
}
