//! Runs every example in the help pages and the documents, and checks the hint that `find` prints.
//!
//! In a document, a `text` block directly after an `sh` block shows what the commands in the `sh` block
//! print. The test compares it with the actual output; `…` stands for any text.

use crate::common::{folder, hippo};
use crate::documents::{root, texts};
use assert_cmd::Command;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

/// An example that needs some preparation before it can run.
struct Special {
    /// The example as shown: a line, or the first line of a block that forms one script.
    example: &'static str,
    /// The script to run, with `{}` where the example goes.
    script: &'static str,
    /// Why the preparation is needed.
    why: &'static str,
}

const SPECIAL: &[Special] = &[
    Special {
        example: "hippo job run-unit six 0",
        script: "plan_six && {}",
        why: "needs a planned job",
    },
    Special {
        example: "hippo job merge six",
        script: "plan_six && for i in $(seq 0 6); do hippo job run-unit six $i || exit; done; {}",
        why: "needs a job whose units are done",
    },
    Special {
        example: "hippo job status six --verify",
        script: "make_jobs six && {}",
        why: "needs a job",
    },
    Special { example: "hippo store info six", script: "make_jobs six && {}", why: "needs a job" },
    Special {
        example: "hippo store union jobs/a jobs/b -o both.parquet",
        script: "make_jobs jobs/a jobs/b && {}",
        why: "needs two jobs",
    },
    Special {
        example: "hippo store difference jobs/a jobs/b -o only-a.parquet",
        script: "make_jobs jobs/a jobs/b && {}",
        why: "needs two jobs",
    },
    Special {
        example: "hippo find 5x5 --format moves | hippo store contains tours5",
        script: "hippo enumerate 5x5 --all --out tours5 && {}",
        why: "needs a job",
    },
    Special {
        example: "hippo job submit six --scheduler tcp://127.0.0.1:8786",
        script: "plan_six; stub bin/python3 'exit 77'; {} 2> said; lacks_package",
        why: "needs a cluster: the error is the missing Python package, not wrong usage",
    },
    Special {
        example: "hippo man find | man -l -",
        script: "man() { grep -q '^.TH hippo-find'; }; {}",
        why: "man may be missing, and waits for a key on a terminal",
    },
    Special {
        example: "hippo serve --open",
        script: r#"stub bin/xdg-open 'echo "$1" > opened'; cp bin/xdg-open bin/open
            {} --port 0 > said & server=$!
            for i in $(seq 200); do test -s opened && break; sleep 0.05; done
            kill $server; wait $server; test $? = 143 -a -s opened && grep -qF "$(cat opened)" said &&
            sed 's#\(127.0.0.1\):[0-9]*#\1:4747#' said"#,
        why: "runs until it is stopped; port 4747 may be taken, and no browser should open",
    },
    Special {
        example: "hippo job plan 8x8 --solver mace --attempts 10G --out /shared/mace",
        script: "on_one_machine; {}",
        why: "/shared may be missing, and 10G attempts take hours",
    },
    Special {
        example: "hippo job submit /shared/mace --scheduler tcp://HOST:8786 --python venv/bin/python",
        script: "on_one_machine; stub venv/bin/python 'exit 77'; {} 2> said; lacks_package",
        why: "needs a cluster: the error is the missing Python package, not wrong usage",
    },
    Special {
        example: r#"units=$(hippo job status --json /shared/mace | python3 -c 'import json,sys; print(json.load(sys.stdin)["units"])')"#,
        script: r#"on_one_machine; set -e
            python3() { sed 's/.*"units":\([0-9]*\).*/\1/'; }
            sbatch() { for SLURM_ARRAY_TASK_ID in $(seq 0 "${1#--array=0-}"); do eval "$5"; done; }
            {}"#,
        why: "needs Slurm, so sbatch runs the array here; Python may be missing",
    },
];

/// Shell functions that the scripts of special examples use.
const FUNCTIONS: &str = r#"
plan_six() { hippo job plan 6x6 --solver mace --attempts 60k --out six; }
make_jobs() {
    for job; do
        seed=$((seed + 1)); mkdir -p "$(dirname "$job")"
        hippo enumerate 6x6 --solver mace --attempts 60k --seed $seed --out "$job" || return
    done
}
stub() { mkdir -p "$(dirname "$1")"; printf '#!/bin/sh\n%s\n' "$2" > "$1"; chmod +x "$1"; }
lacks_package() { test $? = 1 && grep -q 'no package hippodrome' said || { cat said >&2; false; }; }
on_one_machine() {
    mkdir -p shared
    hippo() { command hippo $(echo "$*" | sed 's#/shared#shared#; s/10G/2M/'); }
}
"#;

/// Lines of the documents that are not run, each with the reason.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo run --release -- find 8x8", "builds the command"),
    ("./test", "runs these tests"),
    (
        "python3 -m venv venv && venv/bin/pip install ./crates/hippodrome-py",
        "builds the Python package, as ./test does",
    ),
    (
        "python3 -m venv venv && venv/bin/pip install './crates/hippodrome-py[dask]'",
        "builds the Python package, as ./test does",
    ),
    ("pip install ./crates/hippodrome-py", "builds the Python package, as ./test does"),
    (
        "dask scheduler --host 127.0.0.1 --port 8786 --dashboard-address 127.0.0.1:8787",
        "starts a cluster",
    ),
    (
        "dask worker tcp://127.0.0.1:8786 --nworkers 8 --nthreads 1 --memory-limit 4GB --death-timeout 10",
        "starts a cluster",
    ),
];

/// A help page or a document, with its blocks of examples.
struct Page {
    name: String,
    blocks: Vec<Block>,
}

/// A block of examples.
struct Block {
    /// The lines of the block. A block that forms one script is a single step.
    steps: Vec<String>,
    /// The output that the document shows, if it shows any.
    output: Option<String>,
}

impl Page {
    fn steps(&self) -> impl Iterator<Item = &String> {
        self.blocks.iter().flat_map(|block| &block.steps)
    }
}

/// Returns a line without its comment.
fn command(line: &str) -> &str {
    line.split_once(" #").map_or(line, |(command, _)| command).trim()
}

/// Returns the exit code stated in the comment of an example, as in `# exit 3: impossible`; 0 if none is
/// stated.
fn announced(example: &str) -> i32 {
    let comment = example.split_once(" #").and_then(|(_, comment)| comment.split_once("exit "));
    let digits = comment.and_then(|(_, code)| code.split(|c: char| !c.is_ascii_digit()).next());
    digits.map_or(0, |code| code.parse().expect("a number after 'exit'"))
}

/// Returns the indented lines below a heading of a help page.
fn below<'a>(text: &'a str, heading: &str) -> impl Iterator<Item = &'a str> {
    let lines = text.lines().skip_while(move |l| l.trim_end_matches(['s', ':']) != heading).skip(1);
    lines.take_while(|l| l.starts_with("  "))
}

/// Returns the help pages of all commands. Each page lists the subcommands to read next.
fn help_pages() -> Vec<Page> {
    let (mut pages, mut names) = (Vec::new(), vec![String::from("hippo")]);
    while let Some(name) = names.pop() {
        let words = name.trim_start_matches("hippo");
        let shown = hippo(&format!("{words} --help")).env("COLUMNS", "80").output().expect("runs");
        assert!(shown.status.success(), "{name} --help");
        let text = String::from_utf8(shown.stdout).expect("the help is text");
        let entries = below(&text, "Command").filter(|l| !l.starts_with("   "));
        let commands = entries.filter_map(|l| l.split_whitespace().next()).filter(|&c| c != "help");
        names.extend(commands.map(|command| format!("{name} {command}")));
        // Examples within a sentence, as in "Start with: hippo find 8x8".
        let within = text.lines().filter_map(|l| l.split_once(": hippo "));
        let within = within.filter(|&(before, _)| before != "Usage");
        let mut examples: Vec<String> = within.map(|(_, rest)| format!("hippo {rest}")).collect();
        for line in below(&text, "Example").map(str::trim) {
            match examples.last_mut() {
                // A continuation of a line that the help page has wrapped.
                Some(last) if !line.starts_with("hippo ") => last.extend([" ", line]),
                _ => examples.push(line.to_owned()),
            }
        }
        let blocks = vec![Block { steps: examples, output: None }];
        pages.push(Page { name: format!("{name} --help"), blocks });
    }
    assert!(pages.len() > 20, "the lists of commands cannot be read");
    pages
}

/// Returns the documents with their shell blocks.
fn documents() -> Vec<Page> {
    let page = |(name, text): (String, String)| {
        let blocks = shell_blocks(&name, &text);
        Page { name, blocks }
    };
    texts().into_iter().map(page).collect()
}

/// Returns the `sh` blocks of a document, each with the `text` block that directly follows it.
fn shell_blocks(name: &str, text: &str) -> Vec<Block> {
    let (mut blocks, mut lines) = (Vec::<Block>::new(), text.lines());
    let mut after_shell = false;
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            after_shell &= line.is_empty();
            continue;
        };
        let shell = ["", "bash", "shell", "console"].contains(&language);
        assert!(!shell, "{name}: name the language of a block, sh for shell: {line}");
        let content: Vec<&str> = lines.by_ref().take_while(|&line| line != "```").collect();
        match language {
            "sh" => blocks.push(Block { steps: steps(name, &content), output: None }),
            "text" if after_shell => {
                blocks.last_mut().expect("a block").output = Some(content.join("\n"));
            }
            _ => {}
        }
        after_shell = language == "sh";
    }
    blocks
}

/// Splits a block into lines, unless it forms one script.
fn steps(name: &str, block: &[&str]) -> Vec<String> {
    let first = block.first().copied().unwrap_or_default();
    if !first.starts_with("hippo ") && special(first).is_some() {
        return vec![block.join("\n") + "\n"];
    }
    let left_out = |line: &str| NOT_RUN.iter().any(|&(other, _)| other == command(line));
    let lines = block.iter().filter(|line| !line.trim().is_empty() && !left_out(line));
    let checked = lines.inspect(|line| {
        assert!(line.starts_with("hippo "), "{name}: neither run nor in NOT_RUN: {line}");
    });
    checked.map(|&line| line.to_owned()).collect()
}

/// Returns whether a text equals the shown text, in which each `…` stands for any text.
fn matches(shown: &str, text: &str) -> bool {
    let mut parts = shown.trim_end().split('…');
    let Some(mut rest) = text.trim_end().strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[test]
fn an_ellipsis_stands_for_any_text() {
    assert!(matches("a b\nc", "a b\nc\n"));
    assert!(matches("6x6: … tours\n…", "6x6: 9,862 tours\n  in 0.1 s\n"));
    assert!(matches("…b…d", "abcd"));
    assert!(!matches("a", "a b"));
    assert!(!matches("…c…b…", "abcd"));
    assert!(!matches("a…d", "abc"));
}

fn special(example: &str) -> Option<&'static Special> {
    let first = example.lines().next().unwrap_or_default();
    SPECIAL.iter().find(|special| special.example == command(first))
}

/// Runs the examples of a page in order, in one folder, and describes the examples that fail.
fn failures(page: &Page) -> Vec<String> {
    let folder = folder(&page.name.replace([' ', '/'], "-"));
    fs::create_dir(folder.join("docs")).expect("created");
    for name in ["petersen.txt", "beverley.txt"] {
        let copy = folder.join("docs").join(name);
        fs::copy(root().join("docs").join(name), copy).expect("copied");
    }
    let mut failures = Vec::new();
    for Block { steps, output } in &page.blocks {
        let mut printed = String::new();
        for step in steps {
            printed += &run_step(&folder, step).unwrap_or_else(|failure| {
                failures.push(format!("{}: {failure}", page.name));
                String::new()
            });
        }
        if let Some(shown) = output.as_ref().filter(|shown| !matches(shown, &printed)) {
            let command = steps.join("\n");
            failures
                .push(format!("{}: {command}\nshown:\n{shown}\nprinted:\n{printed}", page.name));
        }
    }
    fs::remove_dir_all(&folder).expect("removed");
    failures
}

/// Runs an example and returns its standard output, or its standard error if the output is empty. `Err` says
/// how the example failed.
fn run_step(folder: &Path, example: &str) -> Result<String, String> {
    let hippo = assert_cmd::cargo::cargo_bin("hippo");
    let commands = hippo.parent().expect("a folder").display();
    let line = if example.contains('\n') { example } else { command(example) };
    let (script, why) = match special(example) {
        Some(Special { script, why, .. }) => {
            (format!("{FUNCTIONS}{}", script.replace("{}", line)), format!(" ({why})"))
        }
        None => (line.to_owned(), String::new()),
    };
    let ran = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .env("PATH", format!("{}/bin:{commands}:/usr/bin:/bin", folder.display()))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .timeout(Duration::from_secs(60))
        .output()
        .expect("sh runs");
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    // A script that is killed by the timeout has no exit code.
    let (code, expected) = (ran.status.code().unwrap_or(-1), announced(example));
    if code != expected {
        let remarks = err.trim_end().replace('\n', "\n  ");
        return Err(format!("{line}\n  exit code {code}, expected {expected}{why}\n  {remarks}"));
    }
    Ok(if out.is_empty() { err } else { out }.into_owned())
}

/// Runs the examples of several pages in parallel.
fn run(pages: Vec<Page>) {
    let (pages, failed) = (Mutex::new(pages.into_iter()), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some(page) = pages.lock().expect("no panic").next() else { break };
                    let found = failures(&page);
                    failed.lock().expect("no panic").extend(found);
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no panic");
    assert!(failed.is_empty(), "examples that fail: {}\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_example_of_the_help_runs() {
    run(help_pages());
}

#[test]
fn every_shell_block_of_the_documents_runs() {
    let pages = documents();
    let outputs = |page: &Page| page.blocks.iter().filter(|block| block.output.is_some()).count();
    for name in ["README.md", "docs/guide/teachers.md", "docs/guide/collectors.md"] {
        let page = pages.iter().find(|page| page.name == name);
        assert!(page.is_some_and(|page| outputs(page) > 2), "{name} shows no output");
    }
    run(pages);
}

#[test]
fn every_command_has_an_example_that_can_be_pasted() {
    for page in help_pages() {
        assert!(page.steps().next().is_some(), "{} has no example", page.name);
        for example in page.steps() {
            // The help is indented by two columns.
            assert!(example.len() <= 78, "{}: wrapped at 80 columns: {example}", page.name);
        }
    }
}

#[test]
fn every_special_case_is_still_shown() {
    let pages: Vec<Page> = help_pages().into_iter().chain(documents()).collect();
    let shown: BTreeSet<&str> = pages
        .iter()
        .flat_map(Page::steps)
        .filter_map(|example| Some(command(example.lines().next()?)))
        .collect();
    for Special { example, .. } in SPECIAL {
        assert!(shown.contains(*example), "shown nowhere, so remove it from SPECIAL: {example}");
    }
    let texts = texts();
    for &(line, why) in NOT_RUN {
        let there = texts.iter().any(|(_, text)| text.lines().any(|l| command(l) == line));
        assert!(there, "shown nowhere, so remove it from NOT_RUN: {line} ({why})");
    }
}

/// Runs a command in a terminal, and returns what the terminal shows.
#[cfg(target_os = "linux")]
fn on_a_terminal(place: &Path, arguments: &str) -> String {
    let hippo = assert_cmd::cargo::cargo_bin("hippo");
    let line = format!("'{}' {arguments}", hippo.display());
    let ran = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(place)
        .env("SHELL", "/bin/sh")
        .timeout(Duration::from_secs(60))
        .output()
        .expect(
            "this test needs 'script' of util-linux; install it, as with apt-get install bsdutils",
        );
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{line}: {said} (script needs a pseudo-terminal: /dev/pts)");
    String::from_utf8(ran.stdout).expect("text")
}

#[cfg(target_os = "linux")]
#[test]
fn find_ends_with_a_hint_on_a_terminal() {
    let place = folder("hint");
    fs::copy(root().join("docs/petersen.txt"), place.join("petersen.txt")).expect("copied");
    for arguments in ["find 8x8", "find 5x5 --start a1", "find --graph petersen.txt"] {
        let shown = on_a_terminal(&place, arguments);
        let hint = shown.lines().last().expect("a line");
        assert!(hint.starts_with("Next: ") && hint.len() <= 80, "{arguments}: {shown}");
        assert_eq!(shown.matches("Next: ").count(), 1, "{arguments}");
        for part in ["-o tour.svg", "hippo serve --open"] {
            assert!(hint.contains(part), "{hint}");
        }
        // The hint works for these arguments.
        let picture = format!("{arguments} -o tour.svg");
        let drawn = hippo(&picture).current_dir(&place).output().expect("runs");
        assert!(drawn.status.success(), "{picture}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn find_gives_no_hint_when_piped_or_given_a_format() {
    let place = folder("no-hint");
    for arguments in [
        "find 6x6 --quiet",
        "find 6x6 --json",
        "find 6x6 --format moves",
        "find 6x6 -o tour.txt",
        "find 6x6 --dry-run",
        "find 6x6 2> remarks; cat remarks",
        "find 6x6 | cat",
    ] {
        let shown = on_a_terminal(&place, arguments);
        assert!(!shown.contains("Next:"), "{arguments}: {shown}");
    }
    let piped = hippo("find 8x8").output().expect("runs");
    assert!(piped.status.success() && piped.stderr.is_empty());
    assert!(!String::from_utf8_lossy(&piped.stdout).contains("Next:"));
}
