//! Tests that files written by version 0.1.0 can still be opened: jobs, counts, tables, records, tours and
//! pictures.
//!
//! The files are in `tests/fixtures`; the README there names the command that wrote each file.

use crate::common::{feed, first_json, folder, json, run};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// Copies a fixture (a file or a folder) to a folder that only this test uses.
fn copy(name: &str, test: &str) -> String {
    let to = folder(&format!("earlier-{test}")).join(name);
    fs::create_dir_all(to.parent().expect("a folder"))
        .expect("the temporary folder can be written");
    copy_all(&fixture(name), &to);
    to.display().to_string()
}

fn copy_all(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("the temporary folder can be written");
        for entry in fs::read_dir(from).expect("a folder") {
            let entry = entry.expect("an entry");
            copy_all(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::write(to, fs::read(from).expect("a fixture")).expect("written");
    }
}

fn read_json(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON")
}

/// Returns the units of a job that have results, and when each result was written.
fn written(job: &str) -> Vec<(u64, SystemTime)> {
    let unit = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().expect("UTF-8");
        let number = name.strip_suffix(".unit").expect("a unit").parse().expect("a number");
        let time = entry.metadata().and_then(|data| data.modified()).expect("a time");
        (number, time)
    };
    let entries = fs::read_dir(format!("{job}/units")).expect("units");
    let mut units: Vec<_> = entries.map(|entry| unit(entry.expect("an entry"))).collect();
    units.sort();
    units
}

/// Asserts that a resumed job kept the results of these units and wrote all others.
fn assert_kept(job: &str, before: &[(u64, SystemTime)], kept: &[u64]) {
    for (unit, time) in written(job) {
        let same = before.contains(&(unit, time));
        assert_eq!(same, kept.contains(&unit), "{job}: unit {unit}");
    }
}

/// Asserts that the table of a job equals the table of the same enumeration run without interruption.
fn assert_same_table(job: &str, enumeration: &str) {
    let whole = format!("{job}-whole");
    assert_eq!(run(&format!("enumerate {enumeration} --out {whole}")).code, 0);
    let sum = |job: &str| read_json(&format!("{job}/record.json"))["table"]["xxh3"].clone();
    assert!(sum(job).is_string());
    assert_eq!(sum(job), sum(&whole), "{enumeration}");
    let table = |job: &str| fs::read(format!("{job}/tours.parquet")).expect("a table");
    assert!(table(job) == table(&whole), "{enumeration}");
}

#[test]
fn a_finished_job_of_an_earlier_version_is_read() {
    let job = copy("enumeration-finished", "finished");
    let status = json(&format!("job status {job} --verify --json"));
    assert_eq!((&status["done"], &status["units"]), (&4.into(), &4.into()), "{status}");
    assert_eq!((&status["merged"], &status["damaged"]), (&true.into(), &json!([])), "{status}");
    let checked = json(&format!("check {job} --json"));
    assert_eq!((&checked["valid"], &checked["tours"]), (&true.into(), &92.into()), "{checked}");
    let info = json(&format!("store info {job} --json"));
    assert_eq!((&info["tours"], &info["job"]["seed"]), (&92.into(), &3.into()), "{info}");
    assert_eq!(
        run(&format!("export {job} --from 92")).out,
        "e3 d1 b2 a4 c5 e4 c3 d5 b4 a2 c1 e2 d4 b5 a3 b1 d2 b3 a1 c2 e1 d3 e5 c4 a5\n"
    );
    let before = written(&job);
    let resumed = json(&format!("enumerate --resume {job} --json"));
    assert_eq!((&resumed["distinct"], &resumed["tours"]), (&92.into(), &191.into()));
    assert_kept(&job, &before, &[0, 1, 2, 3]);
}

#[test]
fn a_job_of_an_earlier_version_takes_a_larger_budget() {
    let job = copy("enumeration-finished", "larger");
    let before = written(&job);
    let resumed = json(&format!("enumerate --resume {job} --attempts 9k --json"));
    assert_eq!(resumed["attempts"], 9000, "{resumed}");
    assert_kept(&job, &before, &[0, 1, 2]);
    assert_same_table(&job, "5x5 --solver mace --attempts 9k --seed 3");
}

#[test]
fn a_half_done_job_of_an_earlier_version_is_resumed() {
    let job = copy("enumeration-half-done", "half-done");
    let status = json(&format!("job status {job} --verify --json"));
    assert_eq!((&status["done"], &status["units"]), (&2.into(), &25.into()), "{status}");
    assert_eq!((&status["unfinished"], &status["tours"]), (&json!([0]), &260.into()), "{status}");
    let partial = json(&format!("check {job} --json"));
    assert_eq!((&partial["valid"], &partial["tours"]), (&true.into(), &148.into()), "{partial}");
    let before = written(&job);
    let resumed = json(&format!("enumerate --resume {job} --json"));
    assert_eq!((&resumed["distinct"], &resumed["status"]), (&1728.into(), &"complete".into()));
    assert_kept(&job, &before, &[2, 6]);
    assert_same_table(&job, "5x5 --solver backtrack --all");
}

#[test]
fn units_of_an_earlier_version_are_merged() {
    let job = copy("enumeration-of-a-graph", "merged");
    let early = run(&format!("job merge {job}"));
    assert_eq!(early.code, 1, "{}", early.out);
    let partial = json(&format!("job merge {job} --partial --json"));
    assert_eq!((&partial["distinct"], &partial["attempts"]), (&24.into(), &72.into()), "{partial}");
    let before = written(&job);
    for unit in 0..10 {
        assert_eq!(run(&format!("job run-unit {job} {unit}")).code, 0, "unit {unit}");
    }
    assert_kept(&job, &before, &[4]);
    assert_eq!(json(&format!("job merge {job} --json"))["distinct"], 240);
}

#[test]
fn a_job_of_an_earlier_version_keeps_its_shape_or_graph() {
    let job = copy("enumeration-of-a-shape", "shape");
    let before = written(&job);
    let resumed = json(&format!("enumerate --resume {job} --json"));
    assert_eq!((&resumed["distinct"], &resumed["closed"]), (&201.into(), &201.into()));
    assert_kept(&job, &before, &[1]);
    assert_same_table(
        &job,
        "4x5 --holes a1,b1 --leaper 1,2+0,1 --end e4 --solver mace --param rho=0.5 --attempts 6k \
         --distinct undirected --where closed",
    );
    let job = copy("enumeration-of-a-graph", "graph");
    let before = written(&job);
    let resumed = json(&format!("enumerate --resume {job} --json"));
    assert_eq!((&resumed["distinct"], &resumed["graph"]), (&240.into(), &"petersen.txt".into()));
    assert_kept(&job, &before, &[4]);
    let petersen = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/petersen.txt");
    assert_same_table(&job, &format!("--graph {} --solver backtrack --all", petersen.display()));
}

#[test]
fn counts_of_an_earlier_version_are_read_and_resumed() {
    let job = copy("count-finished", "count-finished");
    let status = json(&format!("job status {job} --verify --json"));
    assert_eq!((&status["done"], &status["merged"]), (&9.into(), &true.into()), "{status}");
    let before = written(&job);
    let count = json(&format!("count --resume {job} --json"));
    assert_eq!((&count["directed"], &count["undirected"]), (&"164".into(), &"82".into()));
    assert_eq!(count["by_ends"][2], json!({"ends": ["a1", "a4"], "pairs": 2, "undirected": "12"}));
    assert_kept(&job, &before, &[0, 1, 2, 3, 4, 5, 6, 7, 8]);

    let job = copy("count-half-done", "count-half-done");
    let status = json(&format!("job status {job} --verify --json"));
    assert_eq!((&status["done"], &status["units"]), (&3.into(), &18.into()), "{status}");
    let before = written(&job);
    let count = json(&format!("count --resume {job} --json"));
    assert_eq!((&count["directed"], &count["undirected"]), (&"104".into(), &"52".into()));
    assert_kept(&job, &before, &[3, 5, 9]);
}

// Other systems ignore XDG_CACHE_HOME.
#[cfg(target_os = "linux")]
#[test]
fn tables_of_an_earlier_version_are_sampled_from() {
    use crate::common::{finish, hippo};
    let cache = copy("cache", "cache");
    for (board, table) in [
        ("4x5", "8f43877ea982b7581feb1c8063d0e149.table"),
        ("5x6 --closed", "bdf5d9c05337894df826dbbcc2ae068c.table"),
    ] {
        let path = format!("{cache}/hippodrome/{table}");
        let before = fs::read(&path).expect("a table");
        let sample = |extra: &str| {
            let mut command = hippo(&format!("sample {board} -n 20 --seed 5 {extra}"));
            command.env("XDG_CACHE_HOME", &cache);
            finish(command)
        };
        let (read, made) = (sample(""), sample("--no-cache"));
        assert!(read.err.contains(&format!("read from {path}")), "{board}: {}", read.err);
        assert!(!made.err.contains("read from"), "{board}: {}", made.err);
        assert_eq!((read.code, read.out.lines().count()), (0, 20), "{board}");
        assert_eq!(read.out, made.out, "{board}");
        assert!(fs::read(&path).expect("a table") == before, "{board}");
    }
}

#[test]
fn a_record_of_an_earlier_version_is_not_run_again() {
    let place = copy("reproduction", "record");
    let record = format!("{place}/records/quick/hk2005.table2.json");
    let before = fs::read(&record).expect("a record");
    let ran = run(&format!("reproduce hk2005.table2 --out {place}"));
    // If the experiment ran again, its name would be on standard error.
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("51 cells exact"), "{}", ran.out);
    assert!(fs::read(&record).expect("a record") == before);
    let page = run(&format!("reproduce hk2005.table2 --page --out {place}"));
    assert_eq!((page.code, &page.out), (0, &ran.out), "{}", page.err);
    let text = fs::read_to_string(format!("{place}/REPRODUCTION.md")).expect("a page");
    assert!(text.contains("## hk2005.table2"));
}

#[test]
fn a_parquet_file_of_an_earlier_version_is_read() {
    let set = copy("tours.parquet", "parquet");
    let job = copy("enumeration-finished", "parquet-job");
    assert_eq!(json(&format!("store info {set} --json"))["tours"], 193);
    let checked = json(&format!("check {set} --json"));
    assert_eq!((&checked["valid"], &checked["tours"]), (&true.into(), &193.into()), "{checked}");
    let first = run(&format!("export {set} --to 1")).out;
    assert_eq!(
        first,
        "a3 b1 d2 e4 c5 a4 b2 d1 e3 d5 b4 a2 c3 b5 d4 e2 c1 d3 e1 c2 a1 b3 a5 c4 e5\n"
    );
    assert_eq!(feed(&format!("store contains {set}"), &first).code, 0);
    for (operation, tours) in [("union", 193), ("difference", 101)] {
        let joined = json(&format!("store {operation} {set} {job} -o {set}.{operation} --json"));
        assert_eq!(joined["tours"], tours, "{operation}");
    }
}

#[test]
fn pictures_of_an_earlier_version_hold_their_tours() {
    for (name, closed, moves) in [
        ("open.svg", false, "a1 b3 d4 e2 c1 a2 b4 d3 e1 c2 e3 d1 b2 a4 c3 e4 d2 b1 a3 c4"),
        (
            "closed.svg",
            true,
            "a1 c2 a3 b1 c3 a2 c1 e2 g3 i2 g1 f3 e1 g2 i1 j3 h2 j1 i3 h1 j2 h3 f2 d3 b2 d1 e3 f1 d2 b3",
        ),
        ("shape.svg", true, "c1 d1 e1 e2 e3 e4 d4 b3 b2 c2 c3 c4 d2 d3 b4 a4 a3 a2"),
    ] {
        let picture = copy(name, "pictures");
        let checked = first_json(&format!("check {picture} --json"));
        assert_eq!((&checked["valid"], &checked["closed"]), (&true.into(), &closed.into()));
        assert_eq!(run(&format!("convert {picture} --format moves")).out.trim_end(), moves);
        let drawn = run(&format!("draw {picture} --format svg"));
        assert_eq!(drawn.code, 0, "{name}: {}", drawn.err);
        assert_eq!(feed("convert --format moves", &drawn.out).out.trim_end(), moves, "{name}");
    }
    let picture = copy("graph.svg", "pictures");
    let petersen = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/petersen.txt");
    let on = format!("--graph {}", petersen.display());
    assert_eq!(first_json(&format!("check {picture} {on} --json"))["valid"], true);
    assert_eq!(run(&format!("convert {picture} {on}")).out, "6 8 3 2 1 0 4 9 7 5\n");
}

#[test]
fn tours_of_an_earlier_version_are_read_in_every_notation() {
    let moves = "a1 b3 a5 c4 e5 d3 e1 c2 e3 d1 b2 a4 c5 e4 d2 b1 a3 b5 d4 e2 c1 a2 b4 d5 c3\n";
    for notation in ["grid", "moves", "digits", "json", "tsplib"] {
        let tour = copy(&format!("notations/tour.{notation}"), "notations");
        assert_eq!(run(&format!("convert {tour} --format moves")).out, moves, "{notation}");
        assert_eq!(first_json(&format!("check {tour} --json"))["valid"], true, "{notation}");
    }
}

#[test]
fn pheromone_of_an_earlier_version_is_drawn() {
    let pheromone = copy("pheromone.json", "pheromone");
    let drawn = run(&format!("draw --pheromone {pheromone} --format svg"));
    assert_eq!(drawn.code, 0, "{}", drawn.err);
    assert!(drawn.out.contains("4x5"), "{}", drawn.out);
    // The picture has one board for each of the knight's eight moves.
    assert_eq!(drawn.out.matches("class=\"move\"").count(), 8);
    assert_eq!(run(&format!("draw --pheromone {pheromone} -o {pheromone}.png")).code, 0);
}
