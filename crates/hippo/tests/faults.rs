//! Jobs that are killed, interrupted, disputed and short of room end up as if nothing had happened.
#![cfg(unix)]

mod common;

use common::{folder, json, run};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// An enumeration of 6x6 that takes some 50 ms and has several units.
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

fn table(job: &Path) -> Vec<u8> {
    std::fs::read(job.join("tours.parquet")).expect("a table")
}

/// What must not depend on what happened.
fn figures(summary: &Value) -> Vec<Value> {
    ["status", "attempts", "tours", "distinct", "closed", "moves"]
        .map(|key| summary[key].clone())
        .into()
}

/// Numbers by chance, the same in every run of the tests.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// A place, and the job that nothing happens to.
fn quiet(name: &str) -> (PathBuf, Vec<u8>, Vec<Value>) {
    let place = folder(&format!("faults-{name}"));
    let job = place.join("quiet");
    let summary = json(&format!("{JOB} --out {}", job.display()));
    (place, table(&job), figures(&summary))
}

/// Goes on with a job that was killed; one that was killed before it was a job begins anew.
fn go_on(job: &Path) -> Value {
    match job.join("job.json").exists() {
        true => json(&format!("enumerate --resume {} --json", job.display())),
        false => json(&format!("{JOB} --out {}", job.display())),
    }
}

/// Kills the job at the beginnings of a phase, some chosen by chance among so many.
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
            // Once more, while it goes on.
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
fn a_job_killed_while_writing_units_ends_as_if_it_had_not_been() {
    kill_in("write", 4 * 64);
}

#[test]
fn a_job_killed_while_sorting_ends_as_if_it_had_not_been() {
    kill_in("sort", 4);
}

#[test]
fn a_job_killed_while_merging_ends_as_if_it_had_not_been() {
    kill_in("merge", 65);
}

#[test]
fn a_job_killed_while_renaming_ends_as_if_it_had_not_been() {
    kill_in("rename", 2 * (4 + 2));
}

#[test]
fn a_job_killed_at_any_instant_ends_as_if_it_had_not_been() {
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
fn an_interrupted_job_keeps_everything_and_says_how_to_go_on() {
    let place = folder("faults-interrupt");
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let job = place.join(signal);
        let large = "enumerate 6x6 --solver mace --attempts 400M --seed 5 --json";
        let mut child = start(&format!("{large} --out {}", job.display()), None);
        std::thread::sleep(Duration::from_millis(900));
        let begun = Instant::now();
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
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
fn an_interrupted_job_goes_on_to_the_same_end() {
    let (place, expected, figures_expected) = quiet("go-on");
    let mut interrupted = 0;
    for wait in [10, 30, 50, 70, 90] {
        let job = place.join(wait.to_string());
        let mut child = start(&format!("{JOB} --out {}", job.display()), None);
        std::thread::sleep(Duration::from_millis(wait));
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        interrupted += u32::from(child.wait().expect("an end").code() == Some(130));
        assert_eq!(figures(&go_on(&job)), figures_expected);
        assert!(table(&job) == expected);
    }
    eprintln!("{interrupted} of 5 were still running");
}

#[test]
fn the_second_process_is_refused_at_once() {
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

/// On a small file system of its own, which needs the right to mount one, or to make a namespace in
/// which to: without, the test says so and ends.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_the_job_goes_on_when_there_is_room() {
    let (place, expected, _) = quiet("full");
    let disk = place.join("disk");
    std::fs::create_dir_all(&disk).expect("a folder");
    let script = format!(
        "set -e; mount -t tmpfs -o size=256k none {disk}; cd {disk}
         head -c \"$1\" /dev/zero > ballast
         if {hippo} {JOB} --out job 2> said; then echo no error; exit 1; fi
         cat said; {hippo} job status job --json || test $? = 4
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
    if !Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|s| s.success()) {
        eprintln!("no right to mount a file system; nothing was tested");
        return;
    }
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
            said.contains("no space left on device; make room and go on with --resume"),
            "{said}"
        );
        assert!(std::fs::read(place.join("table")).expect("a table") == expected, "{room}");
        phases.push(said.lines().next().unwrap_or_default().to_string());
    }
    assert!(phases.iter().any(|said| said.contains(".unit")), "{phases:?}");
    eprintln!("{phases:#?}");
}
