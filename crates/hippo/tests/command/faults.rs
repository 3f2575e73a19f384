//! Tests that a job gives the same result even if it is killed, interrupted, started twice, or runs out of
//! disk space.

use crate::common::{folder, json, run};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// An enumeration of 6x6 that takes about 50 ms and has several units.
const JOB: &str = "enumerate 6x6 --solver mace --attempts 30k --seed 3 --json";

fn start(arguments: &str, hold: Option<&str>) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("hippo"));
    command.args(arguments.split_whitespace()).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(hold) = hold {
        command.env("HIPPO_HOLD", hold);
    }
    command.spawn().expect("the command starts")
}

/// Waits until a condition holds.
fn wait_until(what: impl Fn() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(40), "it never comes to that");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn table(job: &Path) -> Vec<u8> {
    std::fs::read(job.join("tours.parquet")).expect("a table")
}

/// Returns the parts of the result that must be the same after every fault.
fn figures(summary: &Value) -> Vec<Value> {
    ["status", "attempts", "tours", "distinct", "closed", "moves"]
        .map(|key| summary[key].clone())
        .into()
}

/// A random number generator that gives the same numbers in every run of the tests.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// Creates a folder and runs the job in it without faults. Returns the folder, the table and the figures.
fn quiet(name: &str) -> (PathBuf, Vec<u8>, Vec<Value>) {
    let place = folder(&format!("faults-{name}"));
    let job = place.join("quiet");
    let summary = json(&format!("{JOB} --out {}", job.display()));
    (place, table(&job), figures(&summary))
}

/// Resumes a killed job, or starts it again if it was killed before it had a folder.
fn go_on(job: &Path) -> Value {
    match job.join("job.json").exists() {
        true => json(&format!("enumerate --resume {} --json", job.display())),
        false => json(&format!("{JOB} --out {}", job.display())),
    }
}

/// Kills the job at randomly chosen times when the given phase begins.
fn kill_in(phase: &str, many: u64) {
    let (place, expected, figures_expected) = quiet(phase);
    let mut chance = Chance(many);
    for kill in 0..26 {
        let job = place.join("job");
        let _ = std::fs::remove_dir_all(&job);
        let hold = format!("{phase}:{}", 1 + chance.below(many));
        let mut child = start(&format!("{JOB} --out {}", job.display()), Some(&hold));
        let mut said = String::new();
        BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut said).expect("a line");
        assert_eq!(said, "held\n", "{hold}");
        child.kill().expect("killed");
        child.wait().expect("an end");
        if kill % 4 == 0 && job.join("job.json").exists() {
            // Kill the job again while it is resumed.
            let resume = format!("enumerate --resume {} --json", job.display());
            let mut child = start(&resume, None);
            std::thread::sleep(Duration::from_micros(chance.below(30_000)));
            let _ = child.kill();
            child.wait().expect("an end");
        }
        let summary = go_on(&job);
        assert_eq!(figures(&summary), figures_expected, "{hold}");
        assert!(table(&job) == expected, "{hold}");
        let left = std::fs::read_dir(job.join("units")).expect("a list").flatten();
        assert!(left.into_iter().all(|e| e.file_name().to_string_lossy().ends_with(".unit")));
    }
}

#[test]
fn a_job_killed_while_writing_units_ends_with_the_same_result() {
    kill_in("write", 4 * 64);
}

#[test]
fn a_job_killed_while_sorting_ends_with_the_same_result() {
    kill_in("sort", 4);
}

#[test]
fn a_job_killed_while_merging_ends_with_the_same_result() {
    kill_in("merge", 65);
}

#[test]
fn a_job_killed_while_renaming_ends_with_the_same_result() {
    kill_in("rename", 2 * (4 + 2));
}

#[test]
fn a_job_killed_at_any_instant_ends_with_the_same_result() {
    let (place, expected, figures_expected) = quiet("instants");
    let mut chance = Chance(1);
    for _ in 0..25 {
        let job = place.join("job");
        let _ = std::fs::remove_dir_all(&job);
        let mut child = start(&format!("{JOB} --out {}", job.display()), None);
        std::thread::sleep(Duration::from_micros(chance.below(120_000)));
        let _ = child.kill();
        child.wait().expect("an end");
        let summary = go_on(&job);
        assert_eq!(figures(&summary), figures_expected);
        assert!(table(&job) == expected);
    }
}

#[test]
fn an_interrupted_job_keeps_everything_and_says_how_to_resume() {
    let place = folder("faults-interrupt");
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let job = place.join(signal);
        let large = "enumerate 6x6 --solver mace --attempts 400M --seed 5 --json";
        let mut child = start(&format!("{large} --out {}", job.display()), None);
        std::thread::sleep(Duration::from_millis(500));
        let begun = Instant::now();
        let sent =
            Command::new("sh").args(["-c", "kill $0 $1", signal, &child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
        assert_eq!(child.wait().expect("an end").code(), Some(code));
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        let text = |stream: &mut dyn Read| {
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("text");
            text
        };
        let said = text(&mut child.stderr.take().expect("a pipe"));
        assert!(said.contains(&format!("hippo enumerate --resume {}", job.display())), "{said}");
        let summary: Value =
            serde_json::from_str(&text(&mut child.stdout.take().expect("a pipe"))).expect("JSON");
        assert_eq!(summary["status"], "interrupted");
        let status = json(&format!("job status {} --json", job.display()));
        assert_eq!(
            (&status["attempts"], &status["tours"]),
            (&summary["attempts"], &summary["tours"])
        );
        let merged = json(&format!("job merge {} --partial --json", job.display()));
        assert_eq!(merged["tours"], summary["tours"]);
        assert!(merged["distinct"].as_u64() > Some(0));
        if !summary["distinct"].is_null() {
            assert_eq!(merged["distinct"], summary["distinct"]);
        }
        assert_eq!(run(&format!("check {}", job.display())).code, 0);
    }
}

#[test]
fn an_interrupted_job_is_resumed_to_the_same_result() {
    let (place, expected, figures_expected) = quiet("go-on");
    // The job must be long enough that it has not ended when the signal arrives.
    let large = JOB.replace("30k", "20M");
    for units in 0..4 {
        let job = place.join(units.to_string());
        let mut child = start(&format!("{large} --out {}", job.display()), None);
        let done = || std::fs::read_dir(job.join("units")).map_or(0, Iterator::count);
        wait_until(|| job.join("job.json").exists() && done() >= units);
        let sent =
            Command::new("sh").args(["-c", "kill $0 $1", "-INT", &child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
        assert_eq!(child.wait().expect("an end").code(), Some(130), "{units}");
        assert_eq!(status(&job), 4, "{units}");
    }
    // The same with a short job, which is interrupted at an arbitrary point.
    let mut interrupted = 0;
    for number in 0..12 {
        let job = place.join(format!("short-{number}"));
        let mut child = start(&format!("{JOB} --out {}", job.display()), None);
        wait_until(|| job.join("job.json").exists());
        std::thread::sleep(Duration::from_millis(number));
        let _ =
            Command::new("sh").args(["-c", "kill $0 $1", "-INT", &child.id().to_string()]).status();
        interrupted += u32::from(child.wait().expect("an end").code() == Some(130));
        assert_eq!(figures(&go_on(&job)), figures_expected);
        assert!(table(&job) == expected);
    }
    assert!(interrupted > 0, "no signal came in time");
}

fn status(job: &Path) -> i32 {
    run(&format!("job status {}", job.display())).code
}

#[test]
fn signals_within_a_second_count_as_one() {
    let job = folder("faults-together").join("job");
    let large = JOB.replace("30k", "400M");
    let mut child = start(&format!("{large} --out {}", job.display()), None);
    wait_until(|| job.join("job.json").exists());
    let id = child.id().to_string();
    let both = format!("kill -INT {id}; kill -TERM {id}; kill -INT {id}");
    assert!(Command::new("sh").args(["-c", &both]).status().expect("a shell").success());
    let code = child.wait().expect("an end").code();
    assert!(matches!(code, Some(130 | 143)), "{code:?}");
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    assert!(said.contains("hippo enumerate --resume"), "{said}");
    let left = std::fs::read_dir(job.join("units")).expect("a list").flatten();
    assert!(left.into_iter().all(|e| e.file_name().to_string_lossy().ends_with(".unit")));
}

#[test]
fn a_second_process_is_rejected() {
    let place = folder("faults-two");
    let job = place.join("job");
    let mut first = start(&format!("{JOB} --out {}", job.display()), Some("sort:2"));
    let mut said = String::new();
    BufReader::new(first.stderr.take().expect("a pipe")).read_line(&mut said).expect("a line");
    assert_eq!(said, "held\n");
    let begun = Instant::now();
    for arguments in ["enumerate --resume JOB", "job run-unit JOB 0", "job merge JOB --partial"] {
        let ran = run(&arguments.replace("JOB", &job.display().to_string()));
        assert!(ran.code == 1 && ran.err.contains("is in use by another process"), "{}", ran.err);
    }
    assert_eq!(run(&format!("job status {}", job.display())).code, 4);
    assert!(begun.elapsed() < Duration::from_secs(3));
    first.kill().expect("killed");
    first.wait().expect("an end");
    assert_eq!(run(&format!("enumerate --resume {}", job.display())).code, 0);
}

/// A limit on file sizes simulates a full disk: writing beyond the limit fails.
#[test]
fn a_file_that_cannot_grow_is_named_and_the_job_can_be_resumed() {
    let (place, expected, figures_expected) = quiet("limit");
    let job = place.join("job");
    let mut files = Vec::new();
    // Blocks have 512 or 1024 bytes, depending on the shell. Units take about 11 KB, the table 14 KB.
    for blocks in [0, 1, 8, 12, 24] {
        let _ = std::fs::remove_dir_all(&job);
        let hippo = assert_cmd::cargo::cargo_bin("hippo");
        let script = format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec {} {JOB} --out {} 2>&1",
            hippo.display(),
            job.display(),
        );
        let ran = Command::new("sh").args(["-c", &script]).output().expect("a shell");
        if ran.status.success() {
            continue;
        }
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert_eq!(ran.status.code(), Some(1), "{blocks}: {said}");
        assert!(
            said.contains(
                "file too large; raise the limit of file sizes, then resume with --resume"
            ),
            "{blocks}: {said}"
        );
        assert_eq!(figures(&go_on(&job)), figures_expected, "{blocks}");
        assert!(table(&job) == expected, "{blocks}");
        files.push(said);
    }
    for part in ["job.json", ".unit", "tours.parquet"] {
        assert!(files.iter().any(|said| said.contains(part)), "{part}: {files:#?}");
    }
}

/// Fills a small file system, which is mounted in a namespace. If that is not permitted, `./test` skips this
/// test and says so.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_the_job_goes_on_when_there_is_room() {
    let (place, expected, _) = quiet("full");
    let disk = place.join("disk");
    std::fs::create_dir_all(&disk).expect("a folder");
    let script = format!(
        "set -e; mount -t tmpfs -o size=256k none {disk}; cd {disk}
         head -c \"$1\" /dev/zero > ballast
         # What is said is kept elsewhere: there may be no room for a word here.
         if {hippo} {JOB} --out job 2> {place}/said; then echo no error; exit 1; fi
         cat {place}/said; {hippo} job status job --json || test $? = 4
         rm ballast; {hippo} enumerate --resume job --json > summary; cat job/tours.parquet > {place}/table",
        disk = disk.display(),
        place = place.display(),
        hippo = assert_cmd::cargo::cargo_bin("hippo").display(),
    );
    let inside = |room: u64| {
        let ballast = (256 * 1024 - room).to_string();
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", &script, "sh", &ballast]).output()
    };
    let may = Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|s| s.success());
    assert!(may, "unshare -rm is not permitted; skip this test with --skip a_full_disk_is_named");
    let mut phases = Vec::new();
    for room in [24, 40, 56, 72, 88] {
        let ran = inside(room << 10).expect("a script");
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        let wrong = String::from_utf8_lossy(&ran.stderr).into_owned();
        if said.contains("no error") {
            continue;
        }
        assert!(ran.status.success(), "{room}: {said} {wrong}");
        assert!(
            said.contains("no space left on device; free some space, then resume with --resume"),
            "{said}"
        );
        assert!(std::fs::read(place.join("table")).expect("a table") == expected, "{room}");
        phases.push(said.lines().next().unwrap_or_default().to_string());
    }
    assert!(phases.iter().any(|said| said.contains(".unit")), "{phases:?}");
    eprintln!("{phases:#?}");
}

#[test]
fn a_count_killed_after_any_unit_is_resumed_to_the_same_number() {
    let place = folder("faults-count");
    let plain = json("count 5x5 --json");
    let whole = place.join("whole");
    json(&format!("count 5x5 --json --out {}", whole.display()));
    let units = std::fs::read_dir(whole.join("units")).expect("a list").count();
    // The phase `rename` begins twice per unit: before and after the file is renamed.
    let last = 2 * units;
    for at in [1, 2, 3, 4, units, units + 5, last - 2, last - 1, last] {
        let job = place.join(at.to_string());
        let begin = format!("count 5x5 --json --out {}", job.display());
        let mut child = start(&begin, Some(&format!("rename:{at}")));
        let mut said = String::new();
        BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut said).expect("a line");
        child.kill().expect("killed");
        child.wait().expect("an end");
        assert_eq!(said, "held\n", "{at}");
        let counted = match job.join("job.json").exists() {
            true => json(&format!("count --resume {} --json", job.display())),
            false => json(&begin),
        };
        assert_eq!(counted["directed"], plain["directed"], "{at}");
        let record = std::fs::read(job.join("record.json")).expect("a record");
        let record: Value = serde_json::from_slice(&record).expect("JSON");
        assert_eq!(
            (&record["directed"], &record["status"]),
            (&plain["directed"], &"complete".into())
        );
        let status = json(&format!("job status {} --json", job.display()));
        assert_eq!((&status["done"], &status["next"]), (&status["units"], &Value::Null));
    }
}

#[test]
fn an_interrupted_count_says_how_to_resume() {
    let job = folder("faults-count-interrupt").join("job");
    let child = start(&format!("count 6x7 --json --out {}", job.display()), None);
    while !job.join("units/00000000.unit").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent =
        Command::new("sh").args(["-c", "kill $0 $1", "-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(&format!("hippo count --resume {}", job.display())), "{said}");
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(summary["status"], "interrupted");
    let status = run(&format!("job status {} --json", job.display()));
    assert_eq!(status.code, 4);
    let status: Value = serde_json::from_str(&status.out).expect("JSON");
    assert_eq!(status["done"], summary["units_done"]);
    assert!(status["done"].as_u64() > Some(0));
}

#[test]
fn the_units_of_a_count_are_run_and_merged_by_any_scheduler() {
    let job = folder("faults-count-units").join("job");
    let path = job.display();
    let mut child = start(&format!("count 5x6 --out {path}"), Some("rename:3"));
    let mut said = String::new();
    BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut said).expect("a line");
    child.kill().expect("killed");
    child.wait().expect("an end");
    assert_eq!(run(&format!("job merge {path}")).code, 1);
    let partial = run(&format!("job merge {path} --partial --json"));
    assert_eq!(partial.code, 4, "{}", partial.err);
    assert_eq!(run(&format!("job run-unit {path} 100000")).code, 2);
    assert_eq!(run(&format!("job merge {path} --part 1")).code, 2);
    assert_eq!(run(&format!("job merge {path} --rows 1")).code, 2);
    assert_eq!(run(&format!("enumerate --resume {path}")).code, 2);
    let units = {
        let status = run(&format!("job status {path} --json"));
        let status: Value = serde_json::from_str(&status.out).expect("JSON");
        status["units"].as_u64().expect("units")
    };
    for unit in (0..units).rev() {
        assert_eq!(run(&format!("job run-unit {path} {unit}")).code, 0);
    }
    let merged = json(&format!("job merge {path} --json"));
    let plain = json("count 5x6 --json");
    assert_eq!(
        (&merged["directed"], &merged["undirected"]),
        (&plain["directed"], &plain["undirected"])
    );
    assert!(merged["checks"].as_array().expect("checks").iter().any(|c| c["name"] == "cycles"));
}

#[test]
fn a_planned_count_is_resumed_and_its_damaged_unit_runs_again() {
    let job = folder("faults-count-planned").join("job");
    let path = job.display();
    let forecast = json(&format!("count 5x5 --out {path} --dry-run --json"));
    assert!(!job.exists(), "a dry run leaves nothing behind");
    let planned = json(&format!("job plan-count 5x5 --out {path} --json"));
    let tours = run(&format!("check {path}"));
    assert!(
        tours.code == 2 && tours.err.contains("contains a count, which has no tours"),
        "{}",
        tours.err
    );
    assert_eq!(planned["units"], forecast["units"]);
    assert_eq!(run("job plan-count 5x5").code, 2);
    let status = || -> Value {
        let status = run(&format!("job status {path} --json"));
        serde_json::from_str(&status.out).expect("JSON")
    };
    assert_eq!((&status()["done"], &status()["next"]), (&0.into(), &0.into()));
    let counted = json(&format!("count --resume {path} --json"));
    assert_eq!(counted["directed"], json("count 5x5 --json")["directed"]);
    let unit = job.join("units/00000001.unit");
    let mut bytes = std::fs::read(&unit).expect("a unit");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&unit, bytes).expect("written");
    assert_eq!((&status()["damaged"], &status()["next"]), (&serde_json::json!([1]), &1.into()));
    let again = json(&format!("count --resume {path} --json"));
    assert_eq!(again["directed"], counted["directed"]);
    assert_eq!(
        (&status()["damaged"], &status()["done"]),
        (&serde_json::json!([]), &planned["units"])
    );
}
