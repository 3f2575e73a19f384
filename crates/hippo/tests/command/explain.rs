//! `--explain`: searches and impossibilities in sentences.

use crate::common::{file, run};
use serde_json::Value;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_explained_search_prints_the_tour_of_the_plain_one() {
    for arguments in [
        "5x5 --solver warnsdorff",
        "6x6 --closed --solver exact",
        "5x5",
        "5x6 --solver mace --seed 3",
    ] {
        let plain = run(&format!("find {arguments}"));
        let told = run(&format!("find {arguments} --explain --steps 5"));
        assert_eq!((told.code, &told.out), (0, &plain.out), "{arguments}");
        let said = told.err.lines().filter(|line| !line.starts_with("tried ")).count();
        assert!((5..=6).contains(&said), "{arguments}: {}", told.err);
    }
}

#[test]
fn sentences_are_bounded_and_the_rest_is_counted() {
    let ran = run("find 8x8 --solver warnsdorff --explain --steps 3");
    let said: Vec<&str> = ran.err.lines().collect();
    assert_eq!(said[0], "attempt 1 starts on a1");
    assert!(
        said[1].starts_with("move 1: from a1, ") && said[2].starts_with("move 2: "),
        "{said:?}"
    );
    assert_eq!(said[3], "… 62 more steps");
    let missing = run("find 8x8 --steps 3");
    assert!(missing.code == 2 && missing.err.contains("--explain"), "{}", missing.err);
}

#[test]
fn with_json_sentences_are_lines_before_the_result() {
    let ran = run("find 5x5 --start a1 --solver warnsdorff --explain --steps 4 --json");
    let lines = lines(&ran.out);
    let steps: Vec<&Value> = lines.iter().filter(|line| line["type"] == "step").collect();
    assert_eq!(steps.len(), 4, "{}", ran.out);
    assert_eq!((&steps[1]["number"], &steps[1]["kind"]), (&Value::from(2), &Value::from("choice")));
    assert!(steps[1]["text"].as_str().unwrap().starts_with("move 1: from a1, "));
    assert_eq!(lines[4]["type"], "steps-left-out");
    assert_eq!(lines.last().unwrap()["status"], "found");
    assert!(lines.iter().all(|line| line["schema"] == 1));
}

#[test]
fn an_explained_enumeration_has_the_same_summary() {
    let arguments = "enumerate 3x4 --solver backtrack --all --print";
    let (plain, told) = (run(arguments), run(&format!("{arguments} --explain --steps 30")));
    assert_eq!((told.code, &told.out), (0, &plain.out));
    assert!(told.err.contains("dead end on ") && told.err.contains("go back "), "{}", told.err);
    let folder = run("enumerate 3x4 --all --explain --out /nowhere/at/all");
    assert!(
        folder.code == 2 && folder.err.contains("--explain does not work with a job folder"),
        "{}",
        folder.err
    );
}

#[test]
fn a_board_without_tours_is_explained_and_drawn() {
    let ran = run("board 4x4 --explain");
    assert!(ran.out.contains("why there is no open tour:\n  remove 4 squares: b2, c2, b3, c3"));
    assert!(
        ran.out.contains("so every closed tour uses a1-c2, a1-b3, c2-d4, b3-d4"),
        "{}",
        ran.out
    );
    let json = &lines(&run("board 4x4 --explain --json").out)[0];
    assert_eq!(json["open"]["certificate"]["part_count"], 6);
    assert_eq!(json["closed"]["steps"].as_array().unwrap().len(), 4);
    for (name, begins) in [("why.svg", &b"<"[..]), ("why.png", b"\x89PNG")] {
        let path = file(name, "");
        let ran = run(&format!("board 3x8 --explain -o {path}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(std::fs::read(&path).unwrap().starts_with(begins), "{name}");
    }
    for (arguments, says) in [
        ("board 8x8 --explain -o why.svg", "leave out -o"),
        ("board 4x4 --explain -o why.txt", "end the name in .svg or .png"),
        ("board 4x4 -o why.svg", "--explain"),
        ("board 4x1000 --explain -o why.svg", "at most 40x40"),
    ] {
        let ran = run(arguments);
        assert!(ran.code == 2 && ran.err.contains(says), "{arguments}: {} {}", ran.code, ran.err);
    }
}
