use super::*;
use crate::board::{Board, Graph};
use std::sync::atomic::Ordering::Relaxed;

fn tuning(shape: &str, solver: &str, vary: &[&str]) -> Tuning {
    let problem = Problem::open(Graph::knight(Board::parse(shape).unwrap()));
    let vary = vary.iter().map(|v| Vary::parse(v).unwrap()).collect();
    Tuning { vary, runs: 6, attempts: 1000, ..Tuning::new(problem, solver) }
}

fn run(tuning: &Tuning) -> Tuned {
    tuning.run(&Control::default()).unwrap()
}

/// Returns the trial for runs whose curves are known in advance.
fn planted(counts: &[&[u64]]) -> Trial {
    let mut sums = Sums::default();
    for run in counts {
        let point = |(index, &distinct): (usize, &u64)| CurvePoint {
            attempts: 10 * (index as u64 + 1),
            distinct,
            ..CurvePoint::default()
        };
        sums.add(&run.iter().enumerate().map(point).collect::<Vec<_>>());
    }
    sums.trial(Vec::new())
}

#[test]
fn the_peak_of_a_planted_curve_is_found() {
    // Means 1, 6, 7 of 10, 20, 30 attempts: rates 0.1, 0.3, 0.2333.
    let trial = planted(&[&[0, 4, 8], &[2, 8, 6]]);
    let peak = trial.peak().unwrap();
    assert_eq!((peak.attempts, peak.rate), (20, 0.3));
    // The standard deviation of 4 and 8 is 2.828; divide by the root of 2 runs and by 20 attempts.
    assert!((peak.error.unwrap() - 0.1).abs() < 1e-12, "{peak:?}");
    assert!(!trial.is_cut());
    assert!(planted(&[&[0, 1, 3]]).is_cut());
    assert_eq!(planted(&[&[0, 1, 3]]).peak().unwrap().error, None);
    assert_eq!(planted(&[&[0, 0]]).peak(), None);
}

#[test]
fn rates_end_with_the_shortest_run() {
    let trial = planted(&[&[1, 2, 3], &[1, 2], &[1, 2, 3, 4]]);
    assert_eq!(trial.runs, 3);
    assert_eq!(trial.points.iter().map(|p| p.attempts).collect::<Vec<_>>(), [10, 20]);
    assert!(trial.points.iter().all(|p| (p.rate - 0.1).abs() < 1e-12 && p.error == Some(0.0)));
}

#[test]
fn the_best_value_has_the_highest_peak() {
    let mut tuned = Tuned { trials: Vec::new(), interrupted: false, seconds: 0.0 };
    assert!(tuned.best().is_none());
    for counts in [[0, 4], [3, 3], [2, 5]] {
        tuned.trials.push(planted(&[&counts]));
    }
    let (best, peak) = tuned.best().unwrap();
    assert_eq!((best, peak.attempts), (&tuned.trials[1], 10));
}

#[test]
fn threads_do_not_matter() {
    let on = |threads| run(&Tuning { threads, ..tuning("5x5", "ace", &["alpha=0.5,1,1.5"]) });
    let (one, two) = (on(1), on(2));
    assert_eq!(one.trials, two.trials);
    assert_eq!(one.trials.len(), 3);
    assert!(one.best().is_some());
}

#[test]
fn a_rate_is_what_separate_runs_give() {
    let tuning = Tuning { attempts: 500, ..tuning("5x5", "ace", &["rho=0.1,0.25"]) };
    let tuned = run(&tuning);
    for (setting, trial) in tuning.settings().unwrap().iter().zip(&tuned.trials) {
        assert_eq!(setting.params, trial.params);
        assert_eq!((trial.runs, trial.points.len()), (6, 20));
        for point in &trial.points {
            let found = |&seed: &u64| {
                let mut run = tuning.enumeration(setting, seed);
                run.budget.attempts = Some(point.attempts);
                run.curve = None;
                run.run(&Control::default(), None).unwrap().total.distinct
            };
            let all: u64 = tuning.seeds().iter().map(found).sum();
            let rate = all as f64 / 6.0 / point.attempts as f64;
            assert!((point.rate - rate).abs() < 1e-12, "{point:?} and {rate}");
        }
    }
}

#[test]
fn every_combination_is_tried_and_nothing_restarts() {
    let tuning = Tuning {
        fixed: vec!["q=2".into()],
        ..tuning("5x5", "mace", &["alpha=1,2", "rho=0.1,0.2,0.3"])
    };
    let settings = tuning.settings().unwrap();
    let listed: Vec<String> = settings.iter().map(|s| words(&s.params)).collect();
    assert_eq!(listed[..2], ["alpha=1 rho=0.1", "alpha=1 rho=0.2"]);
    assert_eq!((listed.len(), listed[5].as_str()), (6, "alpha=2 rho=0.3"));
    for setting in settings {
        let values = setting.choice.values;
        assert_eq!(values.get("cycles"), Some(&ParamValue::Int(40)));
        assert_eq!(values.get("q"), Some(&ParamValue::Real(2.0)));
    }
    let given = Tuning { fixed: vec!["cycles=7".into()], ..tuning.clone() };
    let cycles = |tuning: &Tuning, setting: usize| {
        tuning.settings().unwrap()[setting].choice.values.get("cycles").cloned()
    };
    assert_eq!(cycles(&given, 0), Some(ParamValue::Int(7)));
    let vary = vec![Vary::parse("cycles=3,5").unwrap()];
    let varied = Tuning { vary, ..tuning };
    assert_eq!(cycles(&varied, 1), Some(ParamValue::Int(5)));
    assert_eq!((given.cycle(), varied.cycle()), (None, None));
}

#[test]
fn a_cycle_of_a_group_is_one_of_all_its_colonies() {
    let groups = Tuning { fixed: vec!["colonies=3".into()], ..tuning("5x5", "colonies", &[]) };
    assert_eq!((groups.cycle(), tuning("5x5", "mace", &[]).cycle()), (Some(75), Some(25)));
    assert_eq!(tuning("5x5", "warnsdorff", &[]).cycle(), None);
}

#[test]
fn any_solver_and_any_parameter_can_be_tuned() {
    let tuned = run(&tuning("6x6", "warnsdorff", &["ties=random,roth"]));
    let (_, peak) = tuned.best().unwrap();
    assert!(peak.rate > 0.2, "{peak:?}");
    let tuned = run(&tuning("5x5", "exact", &["ties=first,random"]));
    assert!(tuned.best().is_some());
}

#[test]
fn invalid_tunings_are_rejected() {
    let refused = |tuning: Tuning| tuning.settings().err().unwrap().to_string();
    assert!(refused(tuning("5x5", "warnsdorff", &[])).contains("its parameters are ties"));
    assert!(refused(tuning("5x5", "ace", &["alfa=1"])).contains("did you mean alpha?"));
    assert!(refused(tuning("5x5", "ace", &["alpha=1,11"])).contains("from 0 to 10"));
    assert!(refused(tuning("5x5", "ace", &["alpha=1,1.0"])).contains("alpha=1 is listed twice"));
    assert!(refused(tuning("5x5", "ace", &["alpha=1", "alpha=2"])).contains("alpha is given more"));
    let fixed = Tuning { fixed: vec!["alpha=1".into()], ..tuning("5x5", "ace", &[]) };
    assert!(refused(fixed).contains("alpha is given more than once"));
    let many = ["alpha=0..10:0.1", "rho=0..1:0.1"];
    assert!(refused(tuning("5x5", "ace", &many)).contains("1111 combinations"));
}

#[test]
fn an_interrupt_keeps_only_finished_runs() {
    let control = Control::default();
    control.interrupt.store(true, Relaxed);
    let tuned = tuning("5x5", "ace", &[]).run(&control).unwrap();
    assert!(tuned.interrupted && tuned.best().is_none());
    assert!(tuned.trials.iter().all(|t| t.runs == 0 && t.points.is_empty()));
}

#[test]
fn the_usual_budget_is_twice_the_papers_restart() {
    let usual = |shape: &str| {
        let job = Tuning::new(tuning(shape, "ace", &[]).problem, "ace");
        (job.attempts, job.runs)
    };
    assert_eq!(usual("5x5"), (4200, 100));
    assert_eq!(usual("6x6"), (18_720, 100));
    assert_eq!(usual("8x8"), (3_456_000, 10));
    assert_eq!(usual("300x300"), (2982, 10));
    assert_eq!(usual("1x1").1, 100);
}

#[test]
fn curves_have_one_line_per_point() {
    let tuned =
        run(&Tuning { runs: 1, attempts: 50, ..tuning("5x5", "ace", &["alpha=1", "q=2,3"]) });
    let mut out = Vec::new();
    tuned.write_csv(&mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "alpha,q,attempts,rate,error");
    assert_eq!(lines.len(), 1 + 2 * 2);
    assert!(lines[1].starts_with("1,2,25,0.0") && lines[4].starts_with("1,3,50,"), "{text}");
}
