//! Tests of pipes, signals, files and remarks.

use crate::common::{feed, file, folder, hippo, run};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn start(arguments: &str) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("hippo"))
        .args(arguments.split_whitespace())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

fn rest(stream: Option<impl Read>) -> String {
    let mut text = String::new();
    stream.expect("a pipe").read_to_string(&mut text).expect("text");
    text
}

#[test]
fn a_closed_pipe_ends_the_command_silently() {
    for arguments in [
        "enumerate 8x8 --all --print --quiet",
        "enumerate 8x8 --all --print --json",
        "find 1000x1000 --format moves",
        "find 1000x1000 --json",
        "find 1000x1000",
    ] {
        let mut child = start(arguments);
        let mut first = [0; 1];
        let mut out = child.stdout.take().expect("a pipe");
        out.read_exact(&mut first).expect(arguments);
        drop(out);
        assert_eq!(rest(child.stderr.take()), "", "{arguments}");
        assert_eq!(child.wait().expect("an end").code(), Some(0), "{arguments}");
    }
}

/// Interrupts a command, and returns its exit code, its output and its messages.
#[cfg(unix)]
fn interrupt(arguments: &str, signal: &str) -> (Option<i32>, String, String) {
    let mut child = start(arguments);
    std::thread::sleep(Duration::from_millis(400));
    let mut out = child.stdout.take();
    let reader = std::thread::spawn(move || rest(out.take()));
    let begun = Instant::now();
    let sent =
        Command::new("sh").args(["-c", "kill $0 $1", signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let code = child.wait().expect("an end").code();
    assert!(begun.elapsed() < Duration::from_secs(2), "{arguments}: {:?}", begun.elapsed());
    (code, reader.join().expect("a reader"), rest(child.stderr.take()))
}

#[cfg(unix)]
#[test]
fn an_interrupted_enumeration_keeps_what_it_found() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        for arguments in [
            "enumerate 8x8 --solver backtrack --all --json",
            "enumerate 8x8 --solver exact --all --json",
            "enumerate 8x8 --solver exact --all --json --threads 1 --distinct undirected",
            "enumerate 30x30 --solver exact --closed --all --json",
        ] {
            let (ended, out, err) = interrupt(arguments, signal);
            assert_eq!((ended, err.as_str()), (Some(code), ""), "{arguments}");
            let summary: serde_json::Value = serde_json::from_str(&out).expect(arguments);
            assert_eq!(summary["status"], "interrupted", "{arguments}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_tuning_keeps_complete_runs() {
    let arguments = "tune 5x5 --vary alpha=1 --attempts 2000 --runs 1000000 --json";
    let (ended, out, err) = interrupt(arguments, "-INT");
    assert_eq!((ended, err.as_str()), (Some(130), ""));
    let result: serde_json::Value = serde_json::from_str(&out).expect("an object");
    assert_eq!(result["status"], "interrupted");
    let runs = result["curves"][0]["runs"].as_u64().expect("a number");
    assert!((1..1_000_000).contains(&runs), "{runs}");
    assert_eq!(result["best"]["params"]["alpha"], 1.0);
}

#[cfg(unix)]
#[test]
fn an_interrupted_race_prints_the_complete_runs() {
    let arguments = "race 5x5 --solvers mace,warnsdorff --attempts 2000 --runs 1000000 --json";
    let (ended, out, err) = interrupt(arguments, "-INT");
    assert_eq!((ended, err.as_str()), (Some(130), ""));
    let result: serde_json::Value = serde_json::from_str(&out).expect("an array");
    assert!(result[0]["interrupted"] == true && result[0]["runs"].as_u64() > Some(0));
}

#[cfg(unix)]
#[test]
fn an_interrupted_reproduction_says_how_to_resume() {
    let place = crate::common::folder("streams-reproduce");
    let arguments = format!("reproduce gs2004.fig8-9 --quiet --out {}", place.display());
    let (ended, out, err) = interrupt(&arguments, "-TERM");
    assert_eq!((ended, out.as_str()), (Some(143), ""));
    assert!(err.contains("resume with: hippo reproduce gs2004.fig8-9"), "{err}");
}

#[cfg(unix)]
#[test]
fn running_all_experiments_is_announced() {
    let (ended, _, err) = interrupt("reproduce", "-INT");
    assert_eq!(ended, Some(130));
    let said = err.lines().next().unwrap_or_default();
    assert!(said.starts_with("running 41 experiments at scale quick"), "{said}");
    assert!(said.contains("ten minutes") && said.contains("'hippo reproduce --list'"), "{said}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_list_agrees_with_its_summary() {
    let (code, out, err) = interrupt("enumerate 8x8 --all --print --json", "-INT");
    let (tours, summary) = out.trim_end().rsplit_once('\n').expect("some lines");
    let summary: serde_json::Value = serde_json::from_str(summary).expect("a summary");
    assert_eq!((code, err.as_str()), (Some(130), ""));
    assert_eq!(summary["distinct"], tours.lines().count());
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_says_so_and_leaves_no_file() {
    let folder = folder("interrupted");
    let path = folder.join("tour.svg");
    let find = format!("find 20x20 --closed --solver backtrack -o {}", path.display());
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let (ended, out, err) = interrupt(&find, signal);
        assert_eq!((ended, out.as_str()), (Some(code), ""));
        assert!(err.starts_with("hippo: interrupted after ") && err.lines().count() == 1, "{err}");
        assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 0);
    }
}

#[test]
fn a_file_appears_complete_and_is_announced() {
    let folder = folder("whole");
    let path = folder.join("tour.svg");
    let ran = run(&format!("find 8x8 -o {}", path.display()));
    let said = format!("{}: open tour of 8x8, warnsdorff, seed 1\n", path.display());
    assert_eq!((ran.code, ran.out.as_str(), ran.err), (0, "", said));
    let quiet = run(&format!("find 8x8 --quiet -o {}", path.display()));
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (0, "", ""));
    assert!(std::fs::read_to_string(&path).expect("a file").starts_with("<svg"));
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1);
}

#[test]
fn an_old_file_stays_if_there_is_no_result() {
    let old = file("old.txt", "precious");
    for (arguments, code) in [
        ("find 4x4", 3),
        ("find 20x20 --closed --solver backtrack --attempts 10", 4),
        ("find 8x8 --format jpg", 2),
    ] {
        assert_eq!(run(&format!("{arguments} -o {old}")).code, code);
        assert_eq!(std::fs::read_to_string(&old).expect("a file"), "precious", "{arguments}");
    }
    assert_eq!(feed(&format!("convert -o {old}"), "a1 b1\n").code, 1);
    assert_eq!(std::fs::read_to_string(&old).expect("a file"), "precious");
    let folder = std::path::Path::new(&old).parent().expect("a folder");
    assert_eq!(std::fs::read_dir(folder).expect("a folder").count(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_stays_a_link() {
    let target = file("target.txt", "old");
    let link = folder("link").join("link.txt");
    std::os::unix::fs::symlink(&target, &link).expect("a link");
    assert_eq!(run(&format!("find 5x5 -o {}", link.display())).code, 0);
    assert!(link.is_symlink());
    assert!(std::fs::read_to_string(&target).expect("a file").contains("25"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_a_device_stays_a_device() {
    // Use a link, so that a faulty command would replace the link and not the device.
    let full = folder("full").join("full.txt");
    std::os::unix::fs::symlink("/dev/full", &full).expect("a link");
    for arguments in ["find 8x8", "find 8x8 --json", "find 8x8 --format svg"] {
        let ran = run(&format!("{arguments} -o {}", full.display()));
        assert_eq!(ran.code, 1, "{arguments}");
        assert_eq!(
            ran.out.lines().count(),
            usize::from(arguments.contains("--json")),
            "{}",
            ran.out
        );
        let said = "full.txt: no space left on device; free some space and try again";
        assert!(ran.err.contains(said), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1);
    }
    assert!(full.is_symlink());
    for arguments in ["find 8x8", "solvers", "man", "board 8x8", "enumerate 5x5 --all", "--help"] {
        let device = std::fs::File::options().write(true).open("/dev/full").expect("a device");
        let output = Command::new(assert_cmd::cargo::cargo_bin("hippo"))
            .args(arguments.split_whitespace())
            .stdout(device)
            .output()
            .expect("the command runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        assert!(err.contains("standard output: no space left on device"), "{arguments}: {err}");
        assert_eq!(err.lines().count(), 1, "{arguments}: {err}");
    }
}

#[test]
fn files_that_cannot_be_written_are_named() {
    let nowhere = folder("nowhere").join("none").join("tour.svg");
    let ran = run(&format!("find 8x8 -o {}", nowhere.display()));
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("tour.svg: no such file or directory"), "{}", ran.err);
    let ran = run(&format!("find 8x8 -o {}", folder("a-folder").display()));
    assert!(ran.code == 2 && ran.err.contains("is not the name of a file"), "{}", ran.err);
}

#[test]
fn remarks_are_left_out_when_quiet_and_errors_are_not() {
    assert!(run("enumerate 5x5").err.starts_with("no budget given; using --attempts 1M"));
    assert_eq!(run("enumerate 5x5 --quiet").err, "");
    assert_eq!(run("enumerate 5x5 --all --print -q").err, "");
    assert!(run("enumerate 5x5 --all --print").err.contains("1,728 distinct tours"));
    assert!(run("find 4x4 --quiet").err.starts_with("hippo: impossible: "));
    assert!(run("find 0x4 --quiet").err.starts_with("hippo: board '0x4'"));
}

#[test]
fn there_is_no_bar_and_no_colour_where_there_is_no_terminal() {
    for no_colour in ["", "1"] {
        let mut command = hippo("enumerate 8x8 --solver backtrack --time 1s --threads 1");
        let output = command.env("NO_COLOR", no_colour).output().expect("the command runs");
        assert_eq!(output.stderr, b"");
        assert!(!output.stdout.contains(&0x1b));
    }
}

#[test]
fn tours_are_printed_as_they_are_found() {
    let mut child = start("enumerate 8x8 --solver backtrack --all --print --quiet");
    let mut first = String::new();
    let out = child.stdout.take().expect("a pipe");
    BufReader::new(out).read_line(&mut first).expect("a line");
    assert_eq!(first.split_whitespace().count(), 64);
    child.wait().expect("an end");
}

#[test]
fn an_interrupt_while_a_tour_is_written_leaves_no_file() {
    let file = folder("half-written").join("tour.txt");
    let mut child = start(&format!("find 6000x6000 --quiet -o {}", file.display()));
    let parts = || std::fs::read_dir(file.parent().expect("a folder")).expect("a list").flatten();
    let begun = Instant::now();
    while parts().all(|part| part.metadata().map_or(0, |m| m.len()) == 0) {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never writes");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent =
        Command::new("sh").args(["-c", "kill $0 $1", "-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    assert_eq!(parts().count(), 0, "nothing is left");
}

#[test]
fn the_cache_is_listed_and_cleared() {
    let place = folder("cache");
    let tables = place.join("hippodrome");
    std::fs::create_dir_all(&tables).expect("a folder");
    std::fs::write(tables.join("old.table"), "junk").expect("a file");
    let cache = |action: &str| {
        let mut command = hippo("");
        let ran = command.env("XDG_CACHE_HOME", &place).env("HOME", &place);
        let ran = ran.args(["cache", action, "--json"]).output().expect("the command runs");
        assert!(ran.status.success(), "{action}");
        serde_json::from_slice::<serde_json::Value>(&ran.stdout).expect("JSON")
    };
    if cfg!(all(unix, not(target_os = "macos"))) {
        let listed = cache("list");
        assert_eq!(
            (&listed["bytes"], &listed["tables"][0]["file"]),
            (&4.into(), &"old.table".into())
        );
        let cleared = cache("clear");
        assert_eq!((&cleared["removed"], &cleared["bytes"]), (&1.into(), &4.into()));
        assert_eq!(cache("list")["tables"], serde_json::json!([]));
    }
}
