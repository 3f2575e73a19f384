//! Tests of job folders on the command line: created, resumed, read, combined and rejected.

use crate::common::{feed, folder, json, run};
use serde_json::Value;
use std::path::Path;

/// A short enumeration of 6x6.
const SMALL: &str = "enumerate 6x6 --solver mace --attempts 30k --seed 3";

fn place(name: &str) -> String {
    folder(&format!("store-{name}")).join("job").display().to_string()
}

#[test]
fn a_folder_gives_the_summary_of_the_run_in_memory() {
    let job = place("summary");
    let kept = json(&format!("{SMALL} --json --out {job}"));
    let plain = json(&format!("{SMALL} --json"));
    assert_eq!(kept["out"], job.as_str());
    assert_eq!(plain["out"], Value::Null);
    for key in [
        "status", "board", "solver", "seed", "attempts", "tours", "distinct", "closed", "moves",
        "params",
    ] {
        assert_eq!(kept[key], plain[key], "{key}");
    }
    let record: Value = serde_json::from_str(
        &std::fs::read_to_string(Path::new(&job).join("record.json")).expect("a record"),
    )
    .expect("JSON");
    assert_eq!((&record["distinct"], &record["job"]["seed"]), (&kept["distinct"], &kept["seed"]));
    let checked = json(&format!("check {job} --json"));
    assert_eq!((&checked["valid"], &checked["tours"]), (&true.into(), &kept["distinct"]));
    assert_eq!(checked["closed"], kept["closed"]);
    let again = json(&format!("enumerate --resume {job} --json"));
    assert_eq!(again["distinct"], kept["distinct"]);
}

#[test]
fn the_steps_of_a_job_give_what_one_command_gives() {
    let (whole, steps) = (place("whole"), place("steps"));
    assert_eq!(run(&format!("{SMALL} --out {whole}")).code, 0);
    let forecast = json(&format!("job plan {} --out {steps} --dry-run --json", &SMALL[10..]));
    let planned = json(&format!("job plan {} --out {steps} --json", &SMALL[10..]));
    let units = planned["units"].as_u64().expect("a number");
    assert_eq!(forecast["units"], units);
    assert!(units > 2);
    let status = run(&format!("job status {steps}"));
    assert!(status.code == 4 && status.out.contains("next: hippo job run-unit"), "{}", status.out);
    let early = run(&format!("job merge {steps}"));
    assert!(
        early.code == 1 && early.err.contains("are not done (the first is 0)"),
        "{}",
        early.err
    );
    for unit in (0..units).rev() {
        assert_eq!(run(&format!("job run-unit {steps} {unit}")).code, 0);
        let status = json(&format!("job status {steps} --json"));
        assert_eq!(status["done"], units - unit);
    }
    assert_eq!(run(&format!("job run-unit {steps} {units}")).code, 2);
    assert_eq!(run(&format!("job merge {steps} --part 5")).code, 0);
    assert_eq!(run(&format!("job merge {steps} --part 64")).code, 2);
    let early = run(&format!("job merge {steps} --rows 5"));
    assert!(early.code == 1 && early.err.contains("part 0 of"), "{}", early.err);
    for step in ["part", "rows"] {
        for part in 0..64 {
            let merged = json(&format!("job merge {steps} --{step} {part} --json"));
            assert_eq!(merged[step], part);
        }
    }
    assert_eq!(run(&format!("job merge {steps}")).code, 0);
    let table = |job: &str| std::fs::read(Path::new(job).join("tours.parquet")).expect("a table");
    assert!(table(&whole) == table(&steps));
    assert_eq!(run(&format!("job status {steps}")).code, 0);
}

#[test]
fn rows_are_exported_in_any_notation() {
    let job = place("export");
    assert_eq!(run(&format!("enumerate 5x5 --all --out {job}")).code, 0);
    let all = run(&format!("export {job}"));
    assert_eq!(all.out.lines().count(), 1728);
    let some = run(&format!("export {job} --from 100 --to 102 --format digits"));
    assert_eq!(some.out.lines().count(), 3);
    let moves = feed("convert --format moves --board 5x5", &some.out);
    let expected: Vec<&str> = all.out.lines().skip(99).take(3).collect();
    assert_eq!(moves.out.lines().collect::<Vec<_>>(), expected);
    for wrong in ["--from 1729", "--to 1729", "--from 5 --to 4", "--format png", "--from 0"] {
        assert_eq!(run(&format!("export {job} {wrong}")).code, 2, "{wrong}");
    }
    let table = format!("{job}/tours.parquet");
    assert_eq!(run(&format!("export {table} --to 1")).out.lines().count(), 1);
    assert_eq!(run(&format!("export {job}-none")).code, 1);
}

#[test]
fn sets_are_joined_and_searched() {
    let at = |name: &str| folder("store-sets").parent().expect("a folder").join(name);
    let [one, two, both, rest] = ["s1", "s2", "both.parquet", "rest.parquet"].map(|name| {
        let path = at(name);
        let _ = std::fs::remove_dir_all(&path);
        path.display().to_string()
    });
    let mace = "enumerate 5x5 --solver mace --attempts 60k";
    let first = json(&format!("{mace} --seed 1 --json --out {one}"))["distinct"].clone();
    json(&format!("{mace} --seed 2 --json --out {two}"));
    let union = json(&format!("store union {one} {two} -o {both} --json"))["tours"].clone();
    let difference =
        json(&format!("store difference {both} {two} -o {rest} --json"))["tours"].clone();
    let other = json(&format!("store info {two} --json"))["tours"].clone();
    let number = |value: &Value| value.as_u64().expect("a number");
    assert_eq!(number(&union), number(&difference) + number(&other));
    assert!(number(&difference) > 0 && number(&difference) <= number(&first));
    assert_eq!(run(&format!("check {rest}")).code, 0);
    let tour = run(&format!("export {rest} --to 1")).out;
    let ask = |set: &str| feed(&format!("store contains {set}"), &tour);
    assert_eq!((ask(&one).code, ask(&one).out.as_str()), (0, "tour 1: found\n"));
    assert_eq!((ask(&two).code, ask(&two).out.as_str()), (4, "tour 1: not found\n"));
    let info = run(&format!("store info {one}"));
    assert!(
        info.out.contains("solver: mace") && info.out.contains("bytes per tour"),
        "{}",
        info.out
    );
    let foreign = feed(&format!("store contains {one}"), &run("find 6x6 --format moves").out);
    assert!(foreign.code == 2 && foreign.err.contains("contains tours of 5x5"), "{}", foreign.err);
}

#[test]
fn options_that_contradict_a_job_are_rejected() {
    let job = place("refused");
    assert_eq!(run(&format!("{SMALL} --out {job}")).code, 0);
    for (arguments, said) in [
        (format!("{SMALL} --out {job}"), "already contains a job; resume it with --resume"),
        (format!("enumerate --resume {job} --seed 4"), "its seed is 3, not 4"),
        (format!("enumerate 5x5 --resume {job}"), "its board is 6x6, not 5x5"),
        (format!("enumerate --resume {job} --solver ace"), "its solver is mace, not ace"),
        (
            format!("enumerate --resume {job} --param alpha=2"),
            "its params is alpha=1, not alpha=2; choose another folder, or leave out --param",
        ),
        (format!("enumerate --resume {job} --closed"), "its closed is false, not true"),
        (
            format!("enumerate 6x6 --holes a1 --resume {job}"),
            "its holes is none, not a1; choose another folder, or leave out --holes and --mask",
        ),
        (
            format!("enumerate --resume {job} --distinct cycle"),
            "its distinct is directed, not cycle",
        ),
        (format!("enumerate --resume {job} --where magic"), "its where is none, not magic"),
        (
            format!("enumerate --resume {job} --attempts 10k"),
            "already has a budget of 30000 attempts, and a resumed job can only grow; raise --attempts",
        ),
        (format!("enumerate --resume {job} --dedup none"), "always removes duplicates exactly"),
        (format!("enumerate --resume {job} --bloom-hashes 3"), "leave out --bloom-hashes"),
        (format!("enumerate --resume {job} --print"), "--print does not work with a job folder"),
        (format!("{SMALL} --print --out {job}2"), "prints the tours of the finished job"),
        (format!("{SMALL} --curve c.csv --out {job}2"), "the finished job has the curve in"),
        (format!("{SMALL} --by start --out {job}2"), "a column for the start square"),
        (format!("{SMALL} --dedup bloom --out {job}2"), "always removes duplicates exactly"),
        (format!("{SMALL} --tours 5 --out {job}2"), "give --attempts or --moves"),
        (format!("job plan 6x6 --attempts 1k --time 5s --out {job}2"), "leave out --time"),
        (
            format!("job run-unit {job} x"),
            "invalid value 'x' for N; write a whole number of at least 0",
        ),
        (format!("job merge {job} --part x"), "write a whole number of at least 0"),
        ("enumerate 5x5 --all --out /".into(), "is neither empty nor a job folder"),
        ("job plan 5x5 --solver mace --time 1s --out nowhere".into(), "give --attempts or --moves"),
        ("job plan 5x5 --solver mace --tours 9 --out nowhere".into(), "give --attempts or --moves"),
        ("job plan 5x5 --all".into(), "give one with --out"),
    ] {
        let ran = run(&arguments);
        assert!(ran.code == 2 && ran.err.contains(said), "{arguments}: {} {}", ran.code, ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{arguments}: {}", ran.err);
    }
    assert_eq!(run(&format!("{SMALL} --resume {job}")).code, 0);
    assert_eq!(run(&format!("enumerate --resume {job}-none")).code, 2);
    let text = std::fs::read_to_string(format!("{job}/job.json")).expect("a description");
    std::fs::write(format!("{job}/job.json"), text.replace("\"format\": 1", "\"format\": 7"))
        .expect("written");
    let ran = run(&format!("enumerate --resume {job}"));
    assert!(ran.code == 2 && ran.err.contains("a format of version 7"), "{}", ran.err);
}

#[test]
fn a_board_with_holes_is_another_board() {
    let job = place("holed");
    let holed = "enumerate 5x5 --holes a1 --solver mace --attempts 20k";
    assert_eq!(run(&format!("{holed} --out {job}")).code, 0);
    let ran = run(&format!("enumerate 5x5 --resume {job}"));
    assert!(ran.code == 2 && ran.err.contains("its holes is a1, not none"), "{}", ran.err);
    assert_eq!(run(&format!("enumerate 5x5 --holes a1 --resume {job}")).code, 0);
    let tour = run(&format!("export {job} --to 1")).out;
    let ask = |shape: &str| feed(&format!("store contains {job} {shape}"), &tour).code;
    assert_eq!(
        (ask("--board 5x5 --holes a1"), ask("--board 5x5 --holes a1 --leaper 1,2+0,1")),
        (0, 2)
    );
}

#[test]
fn an_impossible_job_is_not_planned() {
    let job = place("impossible");
    for command in ["job plan", "enumerate"] {
        let ran = run(&format!("{command} 4x4 --attempts 1k --out {job}"));
        assert!(ran.code == 3 && ran.out.contains("(impossible)"), "{command}: {}", ran.out);
        assert!(!Path::new(&job).exists());
    }
    assert_eq!(run(&format!("job plan 4x4 --all --out {job}")).code, 0);
}

#[test]
fn a_larger_budget_resumes_a_job() {
    let (short, long) = (place("short"), place("long"));
    assert_eq!(run(&format!("{SMALL} --out {short}")).code, 0);
    let grown = json(&format!("enumerate --resume {short} --attempts 70k --json"));
    let at_once = json(&format!("{} --out {long} --json", SMALL.replace("30k", "70k")));
    for key in ["attempts", "tours", "distinct", "closed", "moves"] {
        assert_eq!(grown[key], at_once[key], "{key}");
    }
    let table = |job: &str| std::fs::read(Path::new(job).join("tours.parquet")).expect("a table");
    assert!(table(&short) == table(&long));
}

#[test]
fn a_time_limit_ends_a_job_that_can_be_resumed() {
    for asked in ["8x8 --solver warnsdorff --param ties=random", "6x6 --solver mace"] {
        let job = place("time");
        let first = json(&format!("enumerate {asked} --time 250ms --json --out {job}"));
        assert_eq!(first["status"], "limit", "{asked}");
        assert!(first["distinct"].as_u64() > Some(0), "{asked}");
        assert!(first["seconds"].as_f64() < Some(5.0), "{asked}: {}", first["seconds"]);
        let second = json(&format!("enumerate --resume {job} --time 250ms --json"));
        assert!(second["tours"].as_u64() > Some(0), "{asked}");
        assert_eq!(run(&format!("check {job}")).code, 0, "{asked}");
    }
}

#[test]
fn damaged_stores_are_named() {
    let job = place("damaged");
    assert_eq!(run(&format!("enumerate 5x5 --all --out {job}")).code, 0);
    let unit = format!("{job}/units/00000002.unit");
    let mut bytes = std::fs::read(&unit).expect("a unit");
    bytes[30] ^= 1;
    std::fs::write(&unit, &bytes).expect("written");
    // The quick check does not find the damage. Reading the file does, and the error says what to do.
    assert_eq!(json(&format!("job status {job} --json"))["damaged"], serde_json::json!([]));
    let seen = json(&format!("job status {job} --verify --json"));
    assert_eq!((&seen["damaged"], &seen["next"]), (&serde_json::json!([2]), &2.into()));
    let ran = run(&format!("job merge {job}"));
    let again = format!(
        "00000002.unit is damaged: the checksum of a section is wrong; run it with: hippo job run-unit {job} 2"
    );
    assert!(ran.code == 1 && ran.err.contains(&again), "{}", ran.err);
    assert_eq!(run(&format!("job run-unit {job} 2")).code, 0);
    assert_eq!(run(&format!("job merge {job}")).code, 0);
    std::fs::write(&unit, &bytes).expect("written");
    let ran = run(&format!("enumerate --resume {job}"));
    assert!(ran.code == 0 && ran.err.contains("00000002.unit is damaged"), "{}", ran.err);
    assert!(ran.out.contains("1,728 distinct tours"), "{}", ran.out);
    let table = format!("{job}/tours.parquet");
    let mut bytes = std::fs::read(&table).expect("a table");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&table, bytes).expect("written");
    for arguments in [
        format!("check {job}"),
        format!("check {table}"),
        format!("store info {job}"),
        format!("export {job}"),
        format!("store union {job} {job} -o {job}.parquet"),
        format!("job status {job} --verify"),
    ] {
        let ran = run(&arguments);
        let said = ran.code == 1 && ran.err.contains("tours.parquet is damaged");
        assert!(said && ran.out.is_empty(), "{arguments}: {}", ran.err);
    }
    assert_eq!(run("store info Cargo.toml").code, 1);
    std::fs::remove_file(&table).expect("removed");
    let ran = run(&format!("check {job}"));
    assert!(ran.code == 1 && ran.err.contains("has no tours.parquet yet"), "{}", ran.err);
}

#[test]
fn the_papers_bitmaps_report_their_error() {
    let bloom =
        "enumerate 5x5 --all --dedup bloom --bloom-hashes 1 --bloom-bits 2000 --bloom-error";
    let found = json(&format!("{bloom} --json"));
    let number = |key: &str| found[key].as_u64().expect("a number");
    assert!(number("lost") > 100);
    assert_eq!(number("lost") + number("distinct"), 1728);
    assert!(run(bloom).out.contains("lost: the bitmaps took them for duplicates"));
    assert_eq!(json("enumerate 5x5 --all --dedup bloom --json")["distinct"], 1728);
    assert_eq!(run("enumerate 5x5 --all --bloom-bits 9").code, 2);
}
