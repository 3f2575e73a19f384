//! Tests of known numbers and answers that the command must give.

use crate::common::{file, json, run};
use serde_json::Value;

fn assert_counts(arguments: &str, expected: &[(&str, u64)]) {
    let summary = json(&format!("enumerate {arguments} --json"));
    for &(key, value) in expected {
        assert_eq!(summary[key], value, "{key} of enumerate {arguments}");
    }
}

#[test]
fn backtracking_lists_the_164_tours_of_4x5() {
    assert_counts(
        "4x5 --solver backtrack --all",
        &[("attempts", 229_740), ("tours", 164), ("distinct", 164), ("closed", 0)],
    );
}

#[test]
fn every_warnsdorff_tour_is_counted() {
    let all = |board: &str, tours, closed, attempts| {
        assert_counts(
            &format!("{board} --solver warnsdorff --param ties=all --all"),
            &[("tours", tours), ("closed", closed), ("attempts", attempts)],
        );
    };
    all("5x5", 320, 0, 936);
    all("6x6", 1984, 360, 2176);
}

#[test]
fn exact_search_finds_all_tours_of_5x6_and_its_8_cycles() {
    assert_counts(
        "5x6 --solver exact --all",
        &[("tours", 37_568), ("distinct", 37_568), ("closed", 2 * 30 * 8)],
    );
    assert_counts("5x6 --closed --all --distinct cycle", &[("distinct", 8), ("closed", 8)]);
}

#[test]
fn impossible_problems_name_the_theorem() {
    for (arguments, reason) in [
        ("4x4", "falls into 6 parts"),
        ("4x4 --closed", "close the cycle a1-c2-d4-b3-a1 of 4 of 16 squares"),
        ("5x5 --closed", "13 dark and 12 light squares"),
        ("5x5 --closed", "Schwenk"),
        ("5x5 --start a2", "colouring"),
        ("8x8 --start a1 --end c1", "colouring"),
        ("4x10 --closed", "Schwenk"),
        ("8x8 --holes a1,c1", "colouring"),
        ("3x3", "3x3"),
    ] {
        let ran = run(&format!("find {arguments}"));
        assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{arguments}");
        assert!(ran.err.contains(reason), "{arguments}: {}", ran.err);
    }
}

#[test]
fn possible_problems_are_solved() {
    let cross = file("cross.mask", "##..##\n##..##\n......\n......\n##..##\n##..##\n");
    let ring = file(
        "ring.mask",
        "........\n........\n........\n...##...\n...##...\n........\n........\n........\n",
    );
    for (arguments, squares) in [
        ("1x1".to_string(), 1),
        ("3x4".to_string(), 12),
        ("5x5 --start a1".to_string(), 25),
        ("6x6 --closed".to_string(), 36),
        ("8x8 --start a1 --end h7".to_string(), 64),
        ("8X8".to_string(), 64),
        ("100x100".to_string(), 10_000),
        (format!("--mask {cross}"), 20),
        (format!("--mask {ring} --closed"), 60),
    ] {
        let found = json(&format!("find {arguments} --json"));
        assert_eq!(found["status"], "found", "{arguments}");
        assert_eq!(found["squares"].as_array().map(Vec::len), Some(squares), "{arguments}");
    }
    let ends = json("find 8x8 --start a1 --end h7 --json");
    assert_eq!((&ends["squares"][0], &ends["squares"][63]), (&"a1".into(), &"h7".into()));
}

#[test]
fn large_numbers_are_grouped_for_people() {
    let ran = run("enumerate 5x5 --all");
    assert!(ran.out.contains("1,728 distinct tours, 0 of them closed (complete)"), "{}", ran.out);
    let ran = run("enumerate 5x5 --solver backtrack --start a1 --all");
    assert!(ran.out.contains("625,308 attempts and 1,735,078 moves"), "{}", ran.out);
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    for arguments in [
        "find 8x8 --json",
        "find 8x8 --closed --seed 5 --json",
        "find 40x40 --solver warnsdorff --json",
        "enumerate 4x5 --solver backtrack --all --by start --json",
        "enumerate 6x6 --solver backtrack --param order=random --attempts 200k --print --json",
        "enumerate 8x8 --solver warnsdorff --attempts 2000 --print --json",
        "enumerate 8x8 --solver warnsdorff --tours 100 --print --json",
        "enumerate 8x8 --solver scan --attempts 100k --print --json",
        "enumerate 6x6 --solver exact --tours 500 --print --json",
        "enumerate 5x6 --all --distinct symmetry --json",
    ] {
        let lines = |threads: u32| -> Vec<Value> {
            let ran = run(&format!("{arguments} --threads {threads}"));
            let timeless = |line: &str| {
                let mut object: Value = serde_json::from_str(line).expect(line);
                let methods = object.get_mut("methods").and_then(Value::as_array_mut);
                for part in methods.into_iter().flatten() {
                    part["seconds"] = Value::Null;
                }
                object.as_object_mut().map(|o| o.remove("seconds"));
                object
            };
            ran.out.lines().map(timeless).collect()
        };
        assert_eq!(lines(1), lines(2), "{arguments}");
    }
}

#[test]
fn large_rectangles_have_tours_at_once() {
    for (arguments, closed) in [
        ("3x20001", false),
        ("1000x3 --closed --end b7", true),
        ("301x200 --closed --start e5", true),
        ("99x101 --start e5", false),
        ("4x777 --start a4", false),
    ] {
        let found = json(&format!("find {arguments} --json"));
        assert_eq!((&found["solver"], &found["attempts"]), (&"divide".into(), &1.into()));
        assert_eq!(found["closed"], closed, "{arguments}");
    }
}
