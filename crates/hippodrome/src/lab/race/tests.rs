use super::*;
use crate::board::{Board, Graph};
use std::sync::Mutex;

fn race(board: &str, solvers: &[&str], budget: Budget, runs: u64, threads: usize) -> Race {
    let entrant = |&name: &&str| Entrant {
        name: name.into(),
        choice: Choice::new::<&str>(name, &[]).unwrap(),
    };
    Race {
        problem: Problem::open(Graph::knight(Board::parse(board).unwrap())),
        entrants: solvers.iter().map(entrant).collect(),
        budget,
        runs,
        seed: 5,
        threads,
        memory: 1 << 28,
    }
}

fn attempts(number: u64) -> Budget {
    Budget { attempts: Some(number), ..Budget::UNLIMITED }
}

fn counts(race: &Race) -> Vec<Vec<(u64, Totals, Option<Stats>)>> {
    let raced = race.run(&Control::default()).unwrap();
    let of = |lap: &RaceRun| (lap.seed, lap.total, lap.first.map(|f| f.stats));
    raced.laps.iter().map(|laps| laps.iter().map(of).collect()).collect()
}

#[test]
fn counts_do_not_depend_on_threads() {
    let solvers = ["mace", "warnsdorff", "backtrack"];
    let one = counts(&race("5x5", &solvers, attempts(4000), 3, 1));
    assert_eq!(one, counts(&race("5x5", &solvers, attempts(4000), 3, 4)));
    assert!(one.iter().all(|laps| laps.len() == 3));
}

#[test]
fn a_run_equals_the_enumeration_with_its_seed() {
    let race = race("6x6", &["mace"], attempts(20_000), 2, 2);
    let raced = race.run(&Control::default()).unwrap();
    for lap in &raced.laps[0] {
        let alone = Enumeration {
            seed: lap.seed,
            budget: race.budget,
            ..Enumeration::new(race.problem.clone(), race.entrants[0].choice.clone())
        };
        let alone = alone.run(&Control::default(), None).unwrap();
        assert_eq!(alone.total, lap.total);
        assert_eq!(lap.starts.values().sum::<u64>(), lap.total.distinct);
        assert_eq!(lap.curve.last().map(|p| p.distinct), Some(lap.total.distinct));
        assert_eq!(lap.clock.last().map(|t| t.1), Some(lap.total.distinct));
        let first = lap.first.unwrap();
        assert!(first.stats.attempts > 0 && first.stats.tours == 1);
        let sooner = Enumeration {
            seed: lap.seed,
            budget: Budget { tours: Some(1), ..race.budget },
            ..Enumeration::new(race.problem.clone(), race.entrants[0].choice.clone())
        };
        let sooner = sooner.run(&Control::default(), None).unwrap();
        assert_eq!(sooner.total.attempts, first.stats.attempts);
    }
}

#[test]
fn an_entrant_is_ahead_only_if_the_runs_show_it() {
    let race = race("6x6", &["mace", "ants-random", "ga"], attempts(20_000), 5, 2);
    let raced = race.run(&Control::default()).unwrap();
    let standings = race.standings(&raced);
    assert!(ahead(&standings[0], &standings[1]) && !ahead(&standings[1], &standings[0]));
    assert!(standings.iter().all(|s| !ahead(s, s)));
    assert_eq!(standings[2].failed_runs, 5);
    assert!(standings[2].seconds_to_first.is_none() && standings[2].success().0 == 0.0);
    let single: Vec<Standing> = race
        .entrants
        .iter()
        .zip(&raced.laps)
        .map(|(e, laps)| Standing::of(e, &laps[..1], &raced.law))
        .collect();
    assert!(!ahead(&single[0], &single[2]), "one run shows nothing");
}

#[test]
fn an_entrant_that_cannot_start_is_named() {
    let mut with_a_hole = race("6x6", &["mace", "divide"], attempts(100), 1, 1);
    let board = Board::parse("6x6").unwrap();
    let hole = board.place("c3").unwrap();
    with_a_hole.problem = Problem::open(Graph::knight(board.with_holes([hole]).unwrap()));
    let refused = with_a_hole.run(&Control::default()).unwrap_err();
    let said = refused.to_string();
    assert!(said.starts_with("divide cannot start") && said.contains("without holes"), "{said}");
    assert_eq!(refused.remedies(), [Remedy::LeaveOutEntrant]);
    let interrupted = Control::default();
    interrupted.interrupt.store(true, Relaxed);
    let raced = race("6x6", &["mace"], attempts(100), 2, 1).run(&interrupted).unwrap();
    assert!(raced.interrupted && raced.laps[0].is_empty());
}

#[test]
fn start_bias_is_small_for_uniform_tours_and_large_for_equal_shares() {
    let race = race("6x6", &["uniform", "warnsdorff", "ga"], attempts(20_000), 3, 2);
    let raced = race.run(&Control::default()).unwrap();
    let standings = race.standings(&raced);
    let [uniform, warnsdorff] = [0, 1].map(|n| standings[n].start_bias.unwrap());
    assert!(uniform.distance < 2.0 * uniform.by_chance, "{uniform:?}");
    assert!(warnsdorff.distance > 5.0 * warnsdorff.by_chance, "{warnsdorff:?}");
    assert!(standings[2].start_bias.is_none(), "no tours, no bias");
}

#[test]
fn closed_tours_are_compared_with_equal_shares_and_large_tables_are_not_built() {
    let mut closed = race("6x6", &["neural"], attempts(2000), 2, 1);
    closed.problem = Problem::closed(Graph::knight(Board::parse("6x6").unwrap()));
    let raced = closed.run(&Control::default()).unwrap();
    assert!(matches!(&raced.law, Law::Equal(squares) if squares.len() == 36));
    let bias = closed.standings(&raced)[0].start_bias.unwrap();
    assert!(bias.distance < 3.0 * bias.by_chance, "{bias:?}");
    let large = race("8x8", &["warnsdorff"], attempts(100), 1, 2);
    let raced = large.run(&Control::default()).unwrap();
    assert!(raced.law.silence().is_some_and(|reason| reason.contains("too large")));
    assert!(large.standings(&raced)[0].start_bias.is_none());
}

#[test]
fn a_spectator_sees_every_run_and_changes_none() {
    let race = race("5x5", &["mace", "warnsdorff"], attempts(20_000), 3, 2);
    let done = Mutex::new(Vec::new());
    let see = |pulse: &RaceEvent<'_>| match *pulse {
        RaceEvent::UnderWay { tally, .. } => {
            assert!(tally.distinct > 0 && tally.closed <= tally.distinct);
        }
        RaceEvent::Done { who, run, lap } => {
            done.lock().unwrap().push((who, run, lap.total.distinct));
        }
    };
    let watched = race.watch(&Control::default(), &see).unwrap();
    let alone = race.run(&Control::default()).unwrap();
    let totals = |raced: &Raced| -> Vec<Vec<Totals>> {
        raced.laps.iter().map(|laps| laps.iter().map(|lap| lap.total).collect()).collect()
    };
    assert_eq!(totals(&watched), totals(&alone));
    let mut done = done.into_inner().unwrap();
    done.sort_unstable();
    let expected = (0..2).flat_map(|who| (0..3).map(move |run| (who, run)));
    let expected: Vec<_> = expected
        .map(|(who, run)| (who, run, alone.laps[who][run as usize].total.distinct))
        .collect();
    assert_eq!(done, expected);
}
