//! Tests of `hippo count`: output, errors and interrupts.

use crate::common::{file, json, run};
use std::time::{Duration, Instant};

#[test]
fn a_count_is_printed_with_its_checks() {
    let ran = run("count 6x6 --closed --classes");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("6x6: 9,862 closed tours, 19,724 directed\n"), "{}", ran.out);
    assert!(ran.out.contains("up to symmetry: 1,245"), "{}", ran.out);
    assert!(ran.out.contains("check order: ") && ran.out.contains("check orbits: "), "{}", ran.out);
    let open = run("count 5x5");
    assert!(open.out.starts_with("5x5: 1,728 open tours, 864 undirected\n"), "{}", open.out);
}

#[test]
fn json_has_the_documented_form() {
    let object = json("count 5x5 --by start --json");
    let keys = [
        "schema",
        "board",
        "kind",
        "directed",
        "undirected",
        "method",
        "checks",
        "seconds",
        "peak_bytes",
    ];
    assert!(keys.iter().all(|key| !object[key].is_null()), "{object}");
    assert_eq!((&object["directed"], &object["undirected"]), (&"1728".into(), &"864".into()));
    assert_eq!((&object["kind"], &object["board"]), (&"open".into(), &"5x5".into()));
    let starts = object["by_start"].as_object().unwrap();
    assert_eq!((starts.len(), &starts["a1"], &starts["b1"]), (25, &"304".into(), &"0".into()));
    let classes = json("count 6x6 --closed --classes --json");
    assert_eq!((&classes["classes"], &classes["directed"]), (&"1245".into(), &"19724".into()));
    let covers = json("count 5x5 --kind path-covers --json");
    assert_eq!((&covers["undirected"], covers["directed"].is_null()), (&"2252".into(), true));
    let ends = json("count 3x4 --by ends --json");
    let rows = ends["by_ends"].as_array().unwrap();
    let pairs = |row: &serde_json::Value| {
        row["pairs"].as_u64().unwrap() * row["undirected"].as_str().unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(rows.iter().map(pairs).sum::<u64>(), 8);
}

#[test]
fn fixed_ends_count_their_tours() {
    assert_eq!(json("count 5x5 --start a1 --json")["directed"], "304");
    assert_eq!(json("count 5x5 --end a1 --json")["directed"], "304");
    let both = json("count 6x6 --closed --start a1 --end b3 --json");
    // Every cycle uses both moves of the corner.
    assert_eq!((&both["directed"], &both["undirected"]), (&"9862".into(), &"9862".into()));
}

#[test]
fn a_count_of_zero_has_its_reason() {
    for (arguments, reason) in [
        ("count 5x5 --closed", "Schwenk"),
        ("count 1001x1001 --closed", "Schwenk"),
        ("count 4x4 --holes a1,c1,a3", "colouring"),
        ("count 5x5 --start b1", "colour"),
        ("count 3x3", "Chia & Ong"),
        ("count 8x8 --leaper 2,2", "connectivity"),
    ] {
        let begun = Instant::now();
        let ran = run(arguments);
        assert_eq!(ran.code, 0, "{arguments}: {}", ran.err);
        assert!(ran.out.contains(": 0 ") && ran.out.contains(reason), "{arguments}: {}", ran.out);
        assert!(begun.elapsed() < Duration::from_secs(5), "{arguments}");
        let object = json(&format!("{arguments} --json"));
        assert_eq!((&object["undirected"], object["reason"].is_string()), (&"0".into(), true));
    }
}

#[test]
fn unsupported_counts_are_rejected_in_one_sentence() {
    let parted = file("parted.edges", "1 2\n2 3\n3 1\n4 5\n5 6\n6 4\n");
    let disconnected = run(&format!("count --graph {parted} --closed"));
    assert_eq!(disconnected.code, 0);
    assert!(disconnected.out.contains(": 0 ") && disconnected.out.contains("reason: "));
    for (arguments, code, fragment) in [
        ("count 30x30", 1, "too large to count"),
        ("count 60000x60000", 1, "too large to count"),
        ("count 8x8 --holes a1 --start a1", 2, "square a1 is a hole"),
        ("count 7x7 --memory 1M", 1, "is allowed"),
        ("count 12x12 --closed --memory 50M", 1, "is allowed"),
        ("count --graph PARTED --classes", 2, "symmetries of a graph are not known"),
        ("count 5x5 --closed --kind open", 2, "do not go together"),
        ("count 5x5 --kind two-factors --start a1", 2, "are counted without a start"),
        ("count 5x5 --start a1 --by start", 2, "has no breakdown"),
        ("count 5x5 --kind odd", 2, "choose from open, closed, two-factors, path-covers"),
        ("count 5x5 --seed 7", 2, "--estimate"),
        ("count", 2, "no board is given; write ROWSxCOLS"),
    ] {
        let ran = run(&format!("{} --quiet", arguments.replace("PARTED", &parted)));
        assert_eq!(ran.code, code, "{arguments}: {}", ran.err);
        assert!(
            ran.err.contains(fragment) && ran.err.lines().count() == 1,
            "{arguments}: {}",
            ran.err
        );
        assert_eq!(ran.out, "", "{arguments}");
    }
}

#[test]
fn a_dry_run_prints_the_plan() {
    let ran = run("count 7x8 --closed --dry-run");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("by halves") && ran.out.contains("states at a time"), "{}", ran.out);
    let object = json("count 7x8 --closed --dry-run --json");
    assert!(object["bytes"].as_u64().unwrap() > 1 << 24, "{object}");
    let seconds = |arguments: &str| json(arguments)["seconds"].as_f64().unwrap();
    let whole = seconds("count 6x6 --dry-run --json");
    assert!(whole > 0.0 && seconds("count 6x6 --by ends --dry-run --json") > 2.0 * whole);
}

#[test]
fn a_small_shape_is_counted_in_a_frame_of_any_size() {
    let mut lines = vec![format!("...{}", "#".repeat(37)); 4];
    lines.resize(40, "#".repeat(40));
    let mask = file("framed.mask", lines.join("\n"));
    assert_eq!(json(&format!("count --mask {mask} --json"))["directed"], "16");
}

#[test]
fn a_count_of_a_long_board_has_a_second_check() {
    let object = json("count 5x100 --closed --json");
    let names: Vec<&str> =
        object["checks"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"order") || names.contains(&"orbits"), "{names:?}");
}

#[test]
fn classes_are_printed_even_if_there_are_none() {
    for (board, classes) in [("5x5 --closed", "0"), ("1x1", "1")] {
        assert_eq!(json(&format!("count {board} --classes --json"))["classes"], classes, "{board}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_long_count_soon() {
    for what in [&["7x8"][..], &["3x400", "--by", "ends"]] {
        let program = assert_cmd::cargo::cargo_bin("hippo");
        let mut child = std::process::Command::new(program)
            .args([&["count"], what, &["--quiet"]].concat())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(500));
        let begun = Instant::now();
        let id = child.id().to_string();
        assert!(
            std::process::Command::new("sh")
                .args(["-c", "kill $0 $1", "-INT", &id])
                .status()
                .unwrap()
                .success()
        );
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(130), "{what:?}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{what:?}: {:?}", begun.elapsed());
    }
}

#[test]
fn a_series_has_one_line_per_board() {
    let ran = run("count 3x4..3x7");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 4, "{}", ran.out);
    assert_eq!(lines[0], "3x4: 16 open tours, 8 undirected");
    assert_eq!(ran.err, "no linear recurrence is confirmed by these 4 counts\n");
    let ran = run("count 5x5..6x6 --format b-file");
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("5 1728\n6 6637920\n", ""));
    let ran = run("count 3x10..3x12:2 --closed --csv --classes");
    let rows: Vec<&str> = ran.out.lines().map(|row| row.rsplit_once(',').unwrap().0).collect();
    assert_eq!(rows, ["board,directed,undirected,classes", "3x10,32,16,6", "3x12,352,176,44"]);
}

#[test]
fn narrow_boards_obey_a_recurrence() {
    let ran = run("count 3x4..3x100:2 --closed --json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let last: serde_json::Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
    assert_eq!((&last["type"], &last["boards"]), (&"summary".into(), &49.into()));
    let found = &last["conjecture"];
    assert_eq!((&found["order"], &found["confirmed"]), (&21.into(), &7.into()));
    assert_eq!(found["coefficients"][3], "-1000");
    let ran = run("count 3x4..3x80:2 --closed --quiet");
    assert!(!ran.out.contains("conjecture"), "39 counts do not determine it: {}", ran.out);
}

#[test]
fn a_series_that_makes_no_sense_is_rejected() {
    for (arguments, fragment) in [
        ("count 3x4..2x9", "write the smaller board first"),
        ("count 3x4..5x9", "let one side grow"),
        ("count 3x4..3x9:0", "invalid step '0'"),
        ("count 3x4..3x9 --by start", "--by and a series of boards do not go together"),
        ("count 3x4..3x9 --json --csv", "--json and --format do not go together"),
        ("count --csv --graph cube:3", "need a board"),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.contains("conjecture")), (2, false), "{arguments}");
        assert!(ran.err.contains(fragment), "{arguments}: {}", ran.err);
    }
}
