//! Tests of the output of `hippo race`.

use crate::common::{folder, json, run};
use serde_json::Value;
use std::fs;

/// Removes the times in seconds from the result of a race.
fn counts(mut race: Value) -> Value {
    for row in race.as_array_mut().expect("an array") {
        let row = row.as_object_mut().expect("an object");
        for key in ["seconds_to_first", "distinct_a_second"] {
            row.remove(key).expect(key);
        }
    }
    race
}

#[test]
fn a_race_has_the_documented_keys_with_any_number_of_threads() {
    let race = |threads: u32| {
        json(&format!(
            "race 6x6 --solvers mace,warnsdorff:ties=random,ga-repair --attempts 5k --runs 3 --seed 4 \
             --threads {threads} --json"
        ))
    };
    let result = race(1);
    assert_eq!(counts(result.clone()), counts(race(2)));
    let rows = result.as_array().expect("an array");
    let names: Vec<_> = rows.iter().map(|row| row["solver"].as_str().expect("a name")).collect();
    assert_eq!(names, ["mace", "warnsdorff:ties=random", "ga-repair"]);
    for row in rows {
        for key in [
            "schema",
            "runs",
            "attempts",
            "tours",
            "distinct",
            "closed",
            "hit_ratio",
            "failed_runs",
            "seconds_to_first",
            "start_bias",
            "moves",
        ] {
            assert!(row.get(key).is_some(), "no '{key}' in {row}");
        }
        assert_eq!((&row["runs"], &row["attempts"]), (&3.into(), &15_000.into()));
    }
    let bias = rows[1]["start_bias"].as_f64().expect("a small board has a law");
    assert!(
        (0.0..=1.0).contains(&bias) && bias > rows[1]["start_bias_by_chance"].as_f64().unwrap()
    );
}

#[test]
fn a_race_writes_a_page_and_a_table() {
    let place = folder("race-files");
    let (page, table) = (place.join("race.html"), place.join("race.csv"));
    let ran = run(&format!(
        "race 5x5 --solvers mace,backtrack,ga --attempts 3k --runs 2 --html {} --csv {}",
        page.display(),
        table.display()
    ));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("distinct tours than") && ran.out.contains("start bias"));
    let html = fs::read_to_string(page).expect("a page");
    assert!(html.starts_with("<!doctype html>") && html.trim_end().ends_with("</html>"));
    assert_eq!(html.matches("<svg").count(), 8);
    for outside in ["src=", "href=", "@import", "url("] {
        assert!(!html.contains(outside), "the page needs {outside}");
    }
    let lines = fs::read_to_string(table).expect("a table");
    assert_eq!(lines.lines().count(), 7);
}

#[test]
fn invalid_races_are_rejected_with_a_hint() {
    for (arguments, code, words) in [
        ("race 8x8 --solvers unknown", 2, "unknown"),
        ("race 8x8 --solvers mice", 2, "mace"),
        ("race 8x8 --solvers mace:alpha=many", 2, "alpha"),
        ("race 8x8 --solvers mace:strength=1", 2, "strength"),
        ("race 8x8 --solvers mace,mace", 2, "twice"),
        ("race 8x8 --solvers mace --runs 0", 2, "runs"),
        ("race 8x8", 2, "--solvers"),
        ("race 8x8 --solvers mace,", 2, "solver"),
        ("race 4x4 --solvers mace", 3, "impossible"),
        ("race 8x8 --holes a1 --solvers mace,divide --attempts 10", 2, "divide cannot start"),
        ("race 6x6 --solvers mace --html - --attempts 10", 2, "--html"),
        ("race 6x6 --solvers mace --html /nowhere/x.html --attempts 10", 1, "/nowhere/x.html"),
        ("race 6x6 --solvers ga --attempts 100 --runs 2", 4, ""),
    ] {
        let ran = run(arguments);
        assert_eq!(ran.code, code, "{arguments}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments}: {}", ran.err);
        assert!(!ran.err.contains("panicked"), "{arguments}: {}", ran.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_not() {
    let ran = run("race 5x5 --solvers mace --attempts 1k --runs 2 --html /dev/full");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("/dev/full"), "{}", ran.err);
}
