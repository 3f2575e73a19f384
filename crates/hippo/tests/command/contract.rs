//! Tests of the interface that scripts rely on: the keys of JSON objects, and the exit codes.

use crate::common::{feed, file, json, run};
use serde_json::Value;

fn assert_keys(object: &Value, keys: &[&str]) {
    assert_eq!(object["schema"], 1, "{object}");
    for key in keys {
        assert!(object.get(key).is_some(), "no '{key}' in {object}");
    }
}

const FOUND: [&str; 10] = [
    "status", "board", "solver", "seed", "closed", "squares", "attempts", "moves", "seconds",
    "reason",
];
const SUMMARY: [&str; 11] = [
    "status", "board", "solver", "seed", "attempts", "tours", "distinct", "closed", "moves",
    "seconds", "out",
];

#[test]
fn find_prints_the_same_keys_for_every_outcome() {
    for (arguments, status, code) in [
        ("find 5x5 --json", "found", 0),
        ("find 4x4 --json", "impossible", 3),
        ("find 3x3 --solver exact --json", "impossible", 3),
        ("find 20x20 --closed --solver backtrack --attempts 10 --json", "limit", 4),
        ("find 5x5 --start b1 --solver warnsdorff --attempts 10 --json", "impossible", 3),
    ] {
        let ran = run(arguments);
        let object: Value = serde_json::from_str(&ran.out).expect(arguments);
        assert_keys(&object, &FOUND);
        assert_eq!((&object["status"], ran.code), (&Value::from(status), code), "{arguments}");
        assert_eq!(object["squares"].is_array(), status == "found", "{arguments}");
        assert_eq!(object["reason"].is_string(), status != "found", "{arguments}");
        assert_eq!(ran.err, "", "{arguments}");
    }
    let found = json("find 6x6 --closed --start c3 --seed 7 --json");
    assert_eq!(found["closed"], true);
    assert_eq!(found["seed"], 7);
    assert_eq!(found["squares"][0], "c3");
    assert_eq!(found["squares"].as_array().map(Vec::len), Some(36));
}

#[test]
fn find_prints_holes_leaper_and_graph() {
    let holes = json("find 5x5 --holes c3,a1 --json");
    assert_eq!(holes["holes"], serde_json::json!(["a1", "c3"]));
    assert_eq!(json("find 5x5 --leaper 0,1 --json")["leaper"], "0,1");
    let graph = file("contract.edges", "1 2\n2 3\n");
    let on_graph = json(&format!("find --graph {graph} --json"));
    assert_eq!((&on_graph["graph"], &on_graph["board"]), (&"contract.edges".into(), &Value::Null));
}

#[test]
fn summaries_of_enumerate_have_the_same_keys_for_every_outcome() {
    for (arguments, status, code) in [
        ("enumerate 5x5 --all --json", "complete", 0),
        ("enumerate 5x5 --tours 3 --json", "limit", 0),
        ("enumerate 5x5 --solver warnsdorff --param ties=all --all --json", "exhausted", 0),
        ("enumerate 4x4 --all --json", "impossible", 3),
        ("enumerate 4x4 --attempts 10 --json", "impossible", 3),
        ("enumerate 8x8 --solver backtrack --attempts 10 --json", "limit", 4),
    ] {
        let ran = run(arguments);
        let object: Value = serde_json::from_str(&ran.out).expect(arguments);
        assert_keys(&object, &SUMMARY);
        assert_eq!((&object["status"], ran.code), (&Value::from(status), code), "{arguments}");
        if code == 3 {
            assert!(object["reason"].is_string(), "{arguments}");
        }
    }
}

#[test]
fn printed_tours_are_json_lines_with_the_summary_last() {
    let ran = run("enumerate 5x5 --tours 4 --print --json");
    let lines: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert_eq!(lines.len(), 5);
    for tour in &lines[..4] {
        assert_keys(tour, &["squares", "closed"]);
    }
    assert_keys(&lines[4], &SUMMARY);
    assert_eq!(lines[4]["distinct"], 4);
}

#[test]
fn enumerate_counts_by_start_square_on_request() {
    let object = json("enumerate 3x4 --solver backtrack --all --by start --json");
    let by_start = object["by_start"].as_object().expect("by_start");
    let sum = |key: &str| by_start.values().map(|t| t[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(by_start.len(), 12);
    assert_eq!((sum("tours"), sum("attempts")), (16, 168));
}

#[test]
fn a_dry_run_of_find_names_the_solvers_that_would_be_tried() {
    let plan = json("find 1000x1000 --closed --dry-run --json");
    assert_eq!(plan["solvers"][0], "divide");
    assert_eq!((&plan["memory"], &plan["seconds_at_most"]), (&4_000_000.into(), &600.0.into()));
    let plan = json("find 4x4 --closed --dry-run --json");
    assert_eq!(plan["solvers"].as_array().unwrap().len(), 0);
    assert!(plan["theorem"].as_str().unwrap().contains("4x4"), "{plan}");
    let words = run("find 8x8 --solver exact --dry-run");
    assert!(words.out.contains("tour of 8x8 with exact"), "{}", words.out);
}

#[test]
fn a_dry_run_prints_the_plan_only() {
    let plan = json("enumerate 8x8 --solver exact --all --dry-run --json");
    assert_keys(&plan, &["board", "solver", "threads", "starts", "memory", "disk"]);
    assert!(plan.get("tours").is_none());
}

#[test]
fn check_prints_one_line_per_tour() {
    let ran = feed("check --json --board 3x4", "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3\na1 b1\n");
    let lines: Vec<Value> = ran.out.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    assert_eq!((ran.code, lines.len()), (1, 3));
    for line in &lines[..2] {
        assert_keys(line, &["valid", "closed", "magic", "symmetry", "error"]);
        assert_eq!(line["type"], "tour");
    }
    assert_eq!((&lines[2]["type"], &lines[2]["invalid"]), (&"summary".into(), &1.into()));
    assert!(ran.err.ends_with("2 tours: 1 valid, 1 invalid\n"), "{}", ran.err);
    assert_eq!((&lines[0]["valid"], &lines[0]["magic"]), (&true.into(), &"none".into()));
    assert_eq!(lines[1]["error"], "step 2: a1 to b1 is not a move");
    assert_eq!(feed("check", "a1\n").code, 0);
    assert_eq!(feed("check", "").code, 1);
}

#[test]
fn board_names_the_theorems() {
    let board = json("board 4x4 --json");
    assert_keys(&board, &["board", "squares", "moves", "degrees", "open", "closed"]);
    assert_eq!(board["open"]["exists"], false);
    assert_eq!(board["closed"]["theorem"], "Schwenk 1991");
    assert_eq!(json("board 8x8 --json")["closed"]["exists"], true);
}

#[test]
fn the_list_of_solvers_agrees_with_their_descriptions() {
    let all = json("solvers --json");
    for solver in all.as_array().expect("an array") {
        assert_keys(solver, &["name", "summary", "good_for", "params"]);
        let name = solver["name"].as_str().expect("a name");
        assert_eq!(&json(&format!("solvers {name} --json")), solver);
        let text = run(&format!("solvers {name}")).out;
        for param in solver["params"].as_array().expect("params") {
            assert_keys_of_param(param);
            assert!(text.contains(param["name"].as_str().unwrap()), "{text}");
        }
    }
}

fn assert_keys_of_param(param: &Value) {
    for key in ["name", "default", "range", "help"] {
        assert!(param[key].is_string(), "no '{key}' in {param}");
    }
}

#[test]
fn errors_are_objects_with_a_kind_and_a_hint() {
    let folder = crate::common::folder("errors");
    let (job, elsewhere) = (folder.join("job"), folder.join("none"));
    let (job, elsewhere) = (job.display(), elsewhere.display());
    assert_eq!(run(&format!("enumerate 5x5 --all --out {job} --quiet")).code, 0);
    for (arguments, code, kind, message, hint) in [
        ("find 8by8", 2, "invalid", "'8by8' is not a board", "write ROWSxCOLS"),
        ("find 8x8 --seed x", 2, "invalid", "invalid value 'x' for --seed", "write a whole number"),
        ("find 8x8 --sed 1", 2, "invalid", "unexpected argument '--sed'", "did you mean --seed?"),
        (
            "find 8x8 --start a1 --end a1",
            2,
            "invalid",
            "start and end are both a1",
            "change --start or --end",
        ),
        (
            "enumerate 6x6 --solver mace --all",
            2,
            "unsupported",
            "solver mace cannot exhaust",
            "give a budget such as --attempts 1M",
        ),
        (
            "count 6x6 --classes --start a1",
            2,
            "invalid",
            "with a fixed start or end",
            "leave out --by and --classes, or leave out --start and --end",
        ),
        (
            "count 8x8 --memory 1M",
            1,
            "memory",
            "of memory, but only 1.0 MiB is allowed",
            "raise --memory, count class by class with --out DIR, or count a narrower board",
        ),
        ("check /nowhere/at/all", 1, "io", "cannot read /nowhere/at/all", "check the name"),
        (
            &format!("enumerate 5x5 --all --out {job}"),
            2,
            "exists",
            "already contains a job",
            "resume it with --resume",
        ),
        (
            &format!("job status {elsewhere}"),
            2,
            "missing",
            "is not a job folder",
            "make one with --out or 'hippo job plan'",
        ),
    ] {
        let ran = run(&format!("{arguments} --json"));
        assert_eq!(ran.code, code, "{arguments}: {}", ran.err);
        let object: Value = serde_json::from_str(&ran.out).expect(arguments);
        assert_keys(&object, &["status", "kind", "message", "hint"]);
        assert_eq!(
            (&object["status"], &object["kind"]),
            (&"error".into(), &kind.into()),
            "{object}"
        );
        let [said, advised] = ["message", "hint"].map(|key| object[key].as_str().unwrap());
        assert!(said.contains(message) && advised.starts_with(hint), "{object}");
        assert_eq!(ran.err.lines().last(), Some(format!("hippo: {said}; {advised}").as_str()));
        assert_eq!(run(arguments).out, "", "{arguments}");
    }
}

#[test]
fn packagers_get_completions_and_manual_pages() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(run(&format!("completions {shell}")).out.contains("HIPPO_COMPLETE"), "{shell}");
    }
    assert!(run("man").out.contains(".TH hippo 1"));
    assert!(run("man find").out.contains(".TH hippo-find 1"));
}

#[test]
fn help_goes_to_standard_output_and_shows_an_example() {
    for command in
        ["find", "enumerate", "tune", "check", "draw", "convert", "board", "solvers", "man"]
    {
        let ran = run(&format!("{command} --help"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{command}");
        assert!(ran.out.contains("\nExample:\n  hippo "), "{}", ran.out);
        assert_eq!(run(&format!("{command} -h")).out, ran.out);
        let more = run(&format!("help {command}"));
        assert!(more.code == 0 && more.out.len() >= ran.out.len(), "{}", more.out);
    }
    let bare = run("");
    assert_eq!((bare.code, bare.out.as_str()), (2, ""));
    assert!(bare.err.contains("hippo find 8x8"), "{}", bare.err);
    assert!(run("--version").out.starts_with("hippo "));
}

#[test]
fn statistics_name_the_number_of_their_attempts() {
    let whole = json("enumerate 6x6 --closed --solver neural --attempts 1000 --json");
    assert_eq!(whole["statistics_attempts"], whole["attempts"]);
    assert_eq!(whole["statistics"]["one_cycle"], whole["tours"]);
    let cut = json("enumerate 6x6 --closed --solver neural --tours 5 --json");
    assert!(cut["statistics_attempts"].as_u64() < cut["attempts"].as_u64(), "{cut}");
    let text = run("enumerate 6x6 --closed --solver neural --tours 5").out;
    assert!(text.contains("statistics cover"), "{text}");
}

#[test]
fn a_solver_that_reaches_its_own_limit_names_it() {
    let early = json("enumerate 5x5 --solver ace --param cycles=10 --attempts 100k --json");
    assert_eq!((&early["attempts"], &early["status"]), (&250.into(), &"limit".into()));
    assert!(early["reason"].as_str().is_some_and(|r| r.contains("hippo solvers ace")), "{early}");
    let none = run("find 8x8 --solver ace --param cycles=1 --start a1");
    assert!(none.code == 4 && none.err.contains("the limit of ace itself"), "{}", none.err);
}

#[test]
fn a_truncated_genetic_run_is_not_a_failed_run() {
    let cut = json("enumerate 8x8 --start a1 --solver repair-only --attempts 1 --json");
    let statistics = &cut["statistics"];
    assert_eq!(statistics["strings_of_a_run"]["max"], 1.0, "{cut}");
    assert_eq!((&statistics["cut_runs"], &statistics["failed_runs"]), (&1.into(), &0.into()));
    let whole = json("enumerate 8x8 --start a1 --solver ga --param runs=1 --json");
    let statistics = &whole["statistics"];
    assert_eq!((&statistics["cut_runs"], &statistics["failed_runs"]), (&0.into(), &1.into()));
    assert_eq!(whole["attempts"], 1_000_000);
}
