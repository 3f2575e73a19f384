//! Tests of `hippo sample` and `hippo count --estimate`, run as users run them.

use crate::common::{finish, folder, hippo, json, run};
use serde_json::Value;

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

#[test]
fn the_requested_number_of_tours_is_drawn() {
    let one = run("sample 5x6 --seed 3");
    assert_eq!((one.code, lines(&one.out).len()), (0, 5), "{}", one.err);
    let many = run("sample 5x6 -n 7 --seed 3 --quiet");
    assert_eq!((many.code, lines(&many.out).len()), (0, 7));
    assert!(many.err.is_empty(), "{}", many.err);
    let checked = crate::common::feed("check --board 5x6", &many.out);
    assert_eq!(checked.code, 0, "{}", checked.err);
}

#[test]
fn json_has_one_line_per_tour() {
    let ran = run("sample 6x6 --closed --start a1 -n 4 --json");
    assert_eq!(lines(&ran.out).len(), 4);
    for line in lines(&ran.out) {
        let tour: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!((tour["schema"].as_u64(), tour["closed"].as_bool()), (Some(1), Some(true)));
        assert_eq!(tour["squares"][0], "a1");
        assert_eq!(tour["squares"].as_array().map(Vec::len), Some(36));
    }
}

#[test]
fn the_sample_does_not_depend_on_threads() {
    let on = |threads| run(&format!("sample 6x6 -n 3000 --seed 9 --quiet --threads {threads}")).out;
    assert!(on(1) == on(2) && !on(1).is_empty());
    assert_ne!(run("sample 6x6 --seed 1").out, run("sample 6x6 --seed 2").out);
}

#[test]
fn impossible_samples_have_a_proof() {
    let ran = run("sample 5x5 --closed");
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("Schwenk"), "{}", ran.err);
    assert_eq!(json("sample 5x5 --closed --json")["status"], "impossible");
    let ends = run("sample 6x6 --start a1 --end c1");
    assert_eq!(ends.code, 3, "{}", ends.err);
}

#[test]
fn a_board_that_is_too_wide_is_rejected_with_advice() {
    let ran = run("sample 9x9");
    assert_eq!(ran.code, 2);
    let advice = "'hippo enumerate 9x9 --solver backbite --tours 1000 --print'";
    assert!(ran.err.contains(advice), "{}", ran.err);
    assert_eq!(run("sample 6x6 -n 2 --format gif").code, 2);
    assert_eq!(run("sample 6x6 -n 0").code, 2);
    assert_eq!(run("sample 8x8 --memory 1M --no-cache").code, 2);
}

#[test]
fn a_table_is_kept_in_the_cache_folder_and_read_the_second_time() {
    let place = folder("cache");
    let sample = |extra: &str| {
        let mut command = hippo(&format!("sample 6x7 -n 2 --seed 5 {extra}"));
        command.env("XDG_CACHE_HOME", &place);
        finish(command)
    };
    let none = sample("--no-cache");
    assert!(!place.join("hippodrome").exists(), "{}", none.err);
    let first = sample("");
    assert!(first.err.contains("built and kept in") && first.err.contains("MiB"), "{}", first.err);
    let second = sample("");
    assert!(second.err.contains("read from"), "{}", second.err);
    assert_eq!((&first.out, &second.out), (&none.out, &none.out));
    let file = std::fs::read_dir(place.join("hippodrome")).expect("a folder").next();
    let file = file.expect("a file").expect("a file").path();
    let mut bytes = std::fs::read(&file).expect("readable");
    bytes[1000] ^= 1;
    std::fs::write(&file, bytes).expect("writable");
    let third = sample("");
    assert!(third.err.contains("making it again") && third.out == none.out, "{}", third.err);
    assert!(sample("").err.contains("read from"));
}

#[test]
fn a_solver_is_compared_with_uniform_tours() {
    let place = folder("heat");
    let heat = place.join("heat.svg");
    let found = json(&format!(
        "sample 5x6 --compare warnsdorff:ties=random -n 1000 --runs 4 --heat {} --json",
        heat.display()
    ));
    assert_eq!((&found["solver"], &found["runs"]), (&"warnsdorff".into(), &4.into()));
    let aspects: Vec<&str> = found["bias"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|b| b["aspect"].as_str())
        .collect();
    assert_eq!(aspects, ["start", "end", "moves", "closed", "turns"]);
    let start = &found["bias"][0];
    let of = |name: &str| start[name].as_f64().expect("a number");
    assert!(of("variation") > of("by_chance_at_most") && of("error") > 0.0, "{start}");
    assert!(std::fs::read_to_string(heat).expect("a picture").contains("<svg"));
    let words = run("sample 5x6 --compare uniform -n 1000 --runs 2");
    assert!(words.out.contains("start squares in percent"), "{}{}", words.out, words.err);
    assert_eq!(run("sample 6x6 --compare unknown").code, 2);
}

#[test]
fn numbers_of_tours_are_estimated_with_an_interval() {
    let found = json("count 6x6 --closed --estimate --trials 20k --json");
    let of = |name: &str| found[name].as_f64().expect("a number");
    assert!(of("low") < 9862.0 && 9862.0 < of("high") && of("confidence") == 0.95, "{found}");
    assert_eq!((&found["method"], &found["kind"]), (&"covers".into(), &"closed".into()));
    let ants = json("count 5x5 --estimate --method ants --trials 40k --json");
    assert!((ants["estimate"].as_f64().expect("a number") - 1728.0).abs() < 300.0, "{ants}");
    assert!(found["directed"].is_null() && found["undirected"].is_null(), "{found}");
    assert_eq!(found["checks"][0]["detail"], "36236 covers, counted exactly");
    assert!(found["peak_bytes"].as_u64() > Some(0), "{found}");
    let none = json("count 5x5 --closed --estimate --json");
    assert_eq!((&none["estimate"], &none["directed"]), (&0.0.into(), &"0".into()));
}

#[test]
fn a_dry_run_prints_the_size_of_the_table_and_builds_none() {
    let plan = json("sample 6x6 --closed --dry-run --no-cache --json");
    assert!(plan["kept"].is_null() && plan["states"].as_u64() > Some(100), "{plan}");
    let words = run("sample 6x6 --closed --dry-run --no-cache");
    assert!(words.out.starts_with("would build the table of 6x6"), "{}", words.out);
}

#[test]
fn an_invalid_heat_map_is_rejected_before_the_search() {
    let edges = folder("heat-graph").join("square.txt");
    std::fs::write(&edges, "a b\nb c\nc d\nd a\n").expect("writable");
    let ran = run(&format!("sample --graph {} --compare exact --heat x.svg", edges.display()));
    assert!(ran.code == 2 && ran.err.contains("leave out --heat"), "{}", ran.err);
}
