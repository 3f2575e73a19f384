//! Tests of production curves, and of the output of `hippo tune`.

use crate::common::{folder, json, run};
use serde_json::Value;

fn lines(path: &std::path::Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).expect("the file was written");
    text.lines().map(|l| l.split(',').map(String::from).collect()).collect()
}

#[test]
fn tuning_5x5_finds_alpha_1_and_the_papers_length_of_a_run() {
    let result = json("tune 5x5 --solver ace --runs 30 --json --quiet");
    let best = &result["best"];
    assert_eq!(best["params"]["alpha"], 1.0, "{best}");
    // The paper: 2,100 attempts, 84 cycles, 0.0138. Thousands of runs here: 1,900, 76, 0.0148.
    let attempts = best["attempts"].as_u64().expect("a number");
    assert!((1500..=2500).contains(&attempts), "{best}");
    assert_eq!(best["cycles"], attempts / 25);
    let rate = best["rate"].as_f64().expect("a number");
    assert!((0.013..0.017).contains(&rate), "{best}");
}

#[test]
fn tuning_prints_its_curves_with_any_number_of_threads() {
    let tune = |threads: u32| {
        let mut result = json(&format!(
            "tune 5x5 --vary alpha=1,1.5 --vary deposit=paper,length --runs 3 --attempts 500 \
             --threads {threads} --seed 8 --json"
        ));
        result.as_object_mut().map(|o| o.remove("seconds")).expect("an object").expect("seconds");
        result
    };
    let result = tune(1);
    assert_eq!(result, tune(2));
    for key in ["schema", "board", "solver", "seed", "seeds", "runs", "attempts", "best", "curves"]
    {
        assert!(result.get(key).is_some(), "no '{key}' in {result}");
    }
    for key in ["params", "cycles", "attempts", "rate"] {
        assert!(result["best"].get(key).is_some(), "no '{key}' in {}", result["best"]);
    }
    assert_eq!(result["status"], "complete");
    let curves = result["curves"].as_array().expect("curves");
    assert_eq!(curves.len(), 4);
    let params: Value = serde_json::json!({ "alpha": 1.0, "deposit": "length" });
    assert_eq!(curves[1]["params"], params);
    for curve in curves {
        let points = curve["points"].as_array().expect("points");
        assert_eq!((points.len(), &curve["runs"]), (20, &3.into()));
        let highest = points.iter().filter_map(|p| p["rate"].as_f64()).fold(0.0, f64::max);
        assert!(highest <= result["best"]["rate"].as_f64().expect("a number"));
        if highest > 0.0 {
            assert_eq!(curve["peak"]["rate"], highest);
        }
    }
}

#[test]
fn a_single_run_of_a_tuning_can_be_repeated() {
    let tuned = json("tune 5x5 --vary rho=0.3 --runs 1 --attempts 2000 --json");
    let last = tuned["curves"][0]["points"].as_array().and_then(|p| p.last()).expect("a point");
    let (seed, rate) = (&tuned["seeds"][0], last["rate"].as_f64().expect("a number"));
    let ace = "enumerate 5x5 --solver ace --param rho=0.3 --attempts 2000 --json";
    let alone = json(&format!("{ace} --seed {seed}"));
    assert_eq!(alone["distinct"].as_f64(), Some((rate * 2000.0).round()));
    assert!(rate > 0.0);
}

#[test]
fn the_text_of_a_tuning_marks_the_best_values() {
    let file = folder("tune-curves").join("curves.csv");
    let arguments = "tune 5x5 --vary alpha=0.5,1 --runs 4 --attempts 2000 --curves";
    let ran = run(&format!("{arguments} {}", file.display()));
    assert_eq!((ran.code, ran.err), (0, format!("wrote {}\n", file.display())));
    assert!(ran.out.contains("\n* alpha=1    peak after"), "{}", ran.out);
    assert!(ran.out.contains("\n  alpha=0.5  "), "{}", ran.out);
    assert!(ran.out.contains("\nbest: alpha=1, "), "{}", ran.out);
    let lines = lines(&file);
    assert_eq!(lines[0], ["alpha", "attempts", "rate", "error"]);
    assert_eq!(lines.len(), 1 + 2 * 80);
    let left = std::fs::read_dir(file.parent().expect("a folder")).expect("read").count();
    assert_eq!(left, 1);
}

#[test]
fn tuning_prints_its_plan_and_its_default_budget() {
    let plan = json("tune 8x8 --dry-run --json --quiet");
    for (key, value) in [("settings", 7), ("runs", 10), ("attempts", 3_456_000), ("units", 70)] {
        assert_eq!(plan[key], value, "{key}");
    }
    assert!(plan["seconds_guess"].as_f64() > Some(0.0), "{plan}");
    let ran = run("tune 5x5 --vary alpha=1 --runs 1 --threads 1");
    assert_eq!(ran.err, "no --attempts given; using --attempts 4200\n");
    let ran = run("tune 8x8 --vary alpha=1 --runs 1 --attempts 3");
    assert_eq!(ran.code, 4);
    assert!(ran.out.contains("no tour was found; raise --attempts"), "{}", ran.out);
    let none = run("tune 5x5 --closed --json");
    let object: Value = serde_json::from_str(&none.out).expect("an object");
    assert_eq!((none.code, &object["status"]), (3, &"impossible".into()));
}

#[test]
fn a_production_curve_is_written_on_request() {
    let file = folder("production").join("curve.csv");
    let arguments = "enumerate 5x5 --solver mace --attempts 20k --json";
    let summary = json(&format!("{arguments} --curve {}", file.display()));
    assert_eq!(json(arguments).get("curve"), None);
    let points = summary["curve"]["points"].as_array().expect("points");
    assert_eq!(summary["curve"]["known"], "1728");
    let last = points.last().expect("a point");
    for key in ["attempts", "tours", "distinct", "closed"] {
        assert_eq!(last[key], summary[key], "{key}");
    }
    let lines = lines(&file);
    assert_eq!(lines[0].join(","), "attempts,tours,distinct,repeated,closed,predicted");
    assert_eq!(lines.len(), points.len() + 1);
    assert_eq!(lines[points.len()][2], summary["distinct"].to_string());
    let predicted = last["predicted"].as_f64().expect("a number");
    assert_eq!(lines[points.len()][5], format!("{predicted:.2}"));
    let unknown = json(&format!(
        "enumerate 7x8 --solver warnsdorff --attempts 100 --json --curve {}",
        file.display()
    ));
    assert_eq!(unknown["curve"]["known"], Value::Null);
    assert!(unknown["curve"]["points"][0]["predicted"].as_f64().expect("a number") > 0.0);
}

#[test]
fn the_default_budget_does_not_cut_a_solver_short() {
    let ran = run("enumerate 5x5 --solver ace --param cycles=50k --json");
    let summary: Value = serde_json::from_str(&ran.out).expect("an object");
    assert_eq!(summary["attempts"], 1_250_000);
    assert_eq!(ran.err, "no budget given, so ace runs to its own limit of 1,250,000 attempts\n");
    let genetic = json("enumerate 5x5 --solver ga-heuristic --json");
    assert_eq!(genetic["attempts"], 5 * 25 * 50 * 50);
    let mace = run("enumerate 5x5 --solver mace --json");
    let summary: Value = serde_json::from_str(&mace.out).expect("an object");
    assert_eq!(summary["attempts"], 1_000_000);
}
