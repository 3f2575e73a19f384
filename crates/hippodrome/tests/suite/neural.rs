//! Compares the network's rates with those of the papers, and its kernels with each other.

use crate::lab::{choice, closed, count, graph, open};
use hippodrome::board::{Board, Square};
use hippodrome::lab::enumerate::{Enumeration, Summary};
use hippodrome::problem::{Goal, Problem};
use hippodrome::search::{Budget, Reading};
use hippodrome::solvers::neural::{TrialMethod, outcomes};

fn trials(problem: Problem, solver: &str, params: &[&str], attempts: u64) -> Enumeration {
    let budget = Budget { attempts: Some(attempts), ..Budget::UNLIMITED };
    Enumeration { threads: 2, budget, ..Enumeration::new(problem, choice(solver, params)) }
}

fn counted(summary: &Summary, measure: &str) -> u64 {
    let found = summary.readings.iter().find(|(name, _)| *name == measure);
    match found {
        Some((_, Reading::Count(n))) => n,
        Some((_, Reading::Spread { times, .. })) => times,
        None => 0,
    }
}

/// Checks the percentages of trials that converge and that give a tour. On 8x8 the paper has 19.4%
/// tours.
#[test]
fn convergence_and_tours_are_as_frequent_as_in_the_papers() {
    for (board, order, converged, tours) in [
        ("6x6", "update=ascending", 97.0, 29.0),
        ("8x8", "update=ascending", 95.0, 22.4),
        ("10x10", "update=ascending", 95.0, 15.0),
        ("12x12", "update=ascending", 94.0, 7.8),
        ("8x8", "update=tcd", 95.5, 19.4),
    ] {
        let attempts = 12_000;
        let summary = count(&trials(closed(board), "neural", &[order], attempts));
        assert_eq!(summary.total.attempts, attempts);
        let rate = |n: u64| 100.0 * n as f64 / attempts as f64;
        let (rests, one) = (counted(&summary, "converged"), counted(&summary, "one_cycle"));
        let found = (rate(rests), rate(one));
        assert!((found.0 - converged).abs() < 1.5, "{board} {order}: {found:?}");
        assert!((found.1 - tours).abs() < 1.5, "{board} {order}: {found:?}");
        assert_eq!(summary.total.tours, one);
        assert_eq!(rests, one + counted(&summary, "several_cycles"));
        assert_eq!(rests, counted(&summary, "iterations"));
    }
}

#[test]
fn synchronous_updates_hardly_ever_settle() {
    let summary = count(&trials(closed("8x8"), "neural", &["update=synchronous"], 10_000));
    assert!((1..100).contains(&counted(&summary, "converged")), "{:?}", summary.readings);
}

#[test]
fn all_methods_give_the_same_outcome_of_a_trial() {
    for name in ["6x6", "8x8", "5x8", "14x14"] {
        let board = Board::parse(name).unwrap();
        let plain = outcomes(&board, 5, 300, TrialMethod::Plain);
        for way in [TrialMethod::Sparse, TrialMethod::Lanes] {
            assert!(outcomes(&board, 5, 300, way) == plain, "{way:?} on {name}");
        }
        let unsettled = plain.iter().filter(|trial| trial.one_cycle.is_none()).count();
        assert!((1..60).contains(&unsettled), "{unsettled} of 300 on {name}");
    }
}

#[test]
fn closed_tours_begin_equally_often_on_every_square() {
    let mut run = trials(closed("6x6"), "neural", &[], 36_000);
    run.by_start = true;
    let summary = count(&run);
    assert_eq!(summary.by_start.len(), 36);
    for tally in summary.by_start.values() {
        assert_eq!(tally.attempts, 1000);
        assert!((200..360).contains(&tally.tours), "{tally:?}");
    }
}

#[test]
fn open_tours_are_found_if_no_closed_one_exists_or_ends_are_fixed() {
    let summary = count(&trials(open("5x5"), "neural", &[], 30_000));
    assert_eq!(summary.total.closed, 0);
    assert!(summary.total.distinct > 1000, "{} of 1728", summary.total.distinct);
    let joined = count(&trials(open("5x5"), "neural-join", &[], 30_000));
    assert!(joined.total.distinct > 1200, "{} of 1728", joined.total.distinct);
    let board = graph("8x8");
    let ends = [0, 1].map(|end| Some(Square::new(end)));
    for goal in [Goal::Open, Goal::Closed] {
        let problem = Problem::new(board.clone(), goal, ends[0], ends[1]).unwrap();
        let found = count(&trials(problem, "neural", &[], 1000)).total.tours;
        assert_eq!(found > 50, goal == Goal::Open, "{goal:?}: {found}");
    }
    let back =
        Problem::new(board.clone(), Goal::Closed, Some(Square::new(0)), Some(Square::new(10)))
            .unwrap();
    let found = count(&trials(back, "neural-join", &[], 100)).total;
    assert_eq!((found.tours, found.closed), (100, 100));
}

#[test]
fn joining_never_fails_on_20x20_and_50x50() {
    for blocks in ["blocks=0", "blocks=8"] {
        for seed in 1..=10 {
            let run = trials(closed("20x20"), "neural-join", &[blocks], 1);
            assert_eq!(count(&Enumeration { seed, ..run }).total.tours, 1, "{blocks} seed {seed}");
        }
        let summary = count(&trials(closed("50x50"), "neural-join", &[blocks], 100));
        assert!(summary.total.tours >= 95, "{blocks}: {} of 100", summary.total.tours);
    }
}

#[test]
fn joining_supports_odd_boards_holes_other_pieces_and_graphs() {
    for (problem, params, least) in [
        (open("21x21"), "tours=auto", 10),
        (open("21x21"), "blocks=7", 10),
        (closed("20x20-c3-d3-k9-k10"), "tours=auto", 18),
        (closed("16x16/1,4"), "tours=auto", 15),
        (closed("16x16/0,1"), "blocks=6", 20),
        (open("petersen"), "tours=open", 1),
        (closed("wheel"), "tours=auto", 5),
    ] {
        let found = count(&trials(problem.clone(), "neural-join", &[params], 20)).total.tours;
        assert!(found >= least, "{} {params}: {found} of 20", problem.graph());
    }
}

#[test]
fn a_move_limit_ends_trials_that_never_rest() {
    let params = ["iterations=1G"];
    let run = Enumeration::new(closed("8x8"), choice("neural", &params));
    let budget = Budget { moves: Some(1_000_000), ..Budget::UNLIMITED };
    let summary = count(&Enumeration { budget, ..run });
    assert!(summary.total.tours > 0 && summary.total.moves <= 1_000_000, "{:?}", summary.total);
}
