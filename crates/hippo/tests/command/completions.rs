//! Tests of the completions for bash, zsh and fish, and of the manual pages.

use crate::common::{finish, hippo, run};
use std::process::Command;

/// Returns the words that may come next, as the completion script for fish receives them.
fn complete(line: &str) -> Vec<String> {
    let mut command = hippo("--");
    command.env("HIPPO_COMPLETE", "fish").args(line.split(' '));
    let ran = finish(command);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{line}");
    ran.out.lines().map(|l| l.split('\t').next().unwrap_or(l).to_string()).collect()
}

fn assert_completes(line: &str, words: &[&str]) {
    let found = complete(line);
    for word in words {
        assert!(found.iter().any(|f| f == word), "{line}: {word} is not in {found:?}");
    }
}

#[test]
fn solvers_parameters_and_choices_are_completed() {
    assert_eq!(complete("hippo enu"), ["enumerate"]);
    assert_eq!(complete("hippo find --sol"), ["--solver"]);
    assert_eq!(complete("hippo find 8x8 --solver warn"), ["warnsdorff"]);
    assert_eq!(complete("hippo find 8x8 --solver=warn"), ["--solver=warnsdorff"]);
    assert_completes("hippo find 8x8 --solver ", &["exact", "mace", "backbite"]);
    assert_eq!(complete("hippo race 8x8 --solvers mace,warn"), ["mace,warnsdorff"]);
    assert_eq!(complete("hippo race 8x8 --solvers mace,warnsdorff:ti"), ["mace,warnsdorff:ties="]);
    assert_completes("hippo find --solver warnsdorff:ties=", &["warnsdorff:ties=random"]);
    assert_eq!(complete("hippo sample 6x6 --compare warn"), ["warnsdorff"]);
    assert_eq!(complete("hippo find --solver warnsdorff --param ti"), ["ties="]);
    assert_completes("hippo find --solver warnsdorff --param ties=", &["ties=random", "ties=all"]);
    assert_completes("hippo enumerate --solver=mace --param ", &["alpha=", "rho="]);
    assert!(!complete("hippo enumerate --solver=mace --param ").contains(&"ties=".to_string()));
    assert_completes("hippo tune --vary al", &["alpha="]);
    assert_completes("hippo tune --vary alpha=", &["alpha=1"]);
    assert_eq!(complete("hippo solvers back"), ["backtrack", "backbite"]);
    assert_eq!(complete("hippo find 8x8 --format g"), ["grid", "gif"]);
    assert_eq!(complete("hippo enumerate --dedup bl"), ["bloom"]);
    assert_eq!(complete("hippo check --from gr"), ["grid"]);
    assert_eq!(complete("hippo man enu"), ["enumerate"]);
    assert_eq!(complete("hippo job run"), ["run-unit"]);
    assert_eq!(complete("hippo completions zs"), ["zsh"]);
    assert_completes("hippo reproduce hk2005", &["hk2005", "hk2005.table1"]);
    assert_completes("hippo find --graph Car", &["Cargo.toml"]);
}

/// Starts a shell with `hippo` on its path, and returns the lines that it prints; `None` if the shell is not
/// installed.
fn in_shell(shell: &str, arguments: &[&str]) -> Option<Vec<String>> {
    let hippo = assert_cmd::cargo::cargo_bin("hippo");
    let folder = hippo.parent().expect("a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let Ok(output) = Command::new(shell).args(arguments).env("PATH", path).output() else {
        eprintln!("skipped: {shell} is not installed");
        return None;
    };
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && err.is_empty(), "{shell}: {err}");
    Some(String::from_utf8_lossy(&output.stdout).lines().map(String::from).collect())
}

const LINES: [(&str, &[&str]); 5] = [
    ("hippo find 8x8 --solver warn", &["warnsdorff"]),
    ("hippo race 8x8 --solvers mace,warn", &["mace,warnsdorff"]),
    ("hippo find --solver warnsdorff --param ties=ra", &["ties=random"]),
    ("hippo find --solver warnsdorff:ties=ra", &["warnsdorff:ties=random"]),
    ("hippo find 8x8 --format g", &["grid", "gif"]),
];

#[test]
fn bash_completes_and_replaces_only_the_end_of_a_word() {
    let script = "source <(hippo completions bash)
        COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:' COMP_LINE=$1 COMP_POINT=${#1}
        _hippo && printf '%s\\n' \"${COMPREPLY[@]}\"";
    for (line, words) in LINES {
        let Some(found) = in_shell("bash", &["--norc", "-c", script, "bash", line]) else { return };
        // Bash keeps the text before the last = or :.
        let ends: Vec<&str> =
            words.iter().map(|w| w.rsplit(['=', ':']).next().unwrap_or(w)).collect();
        assert_eq!(found, ends, "{line}");
    }
}

#[test]
fn fish_completes() {
    let script = "hippo completions fish | source; complete -C $argv[1]";
    for (line, words) in LINES {
        let Some(found) = in_shell("fish", &["--no-config", "-c", script, line]) else { return };
        let found: Vec<&str> = found.iter().filter_map(|l| l.split('\t').next()).collect();
        assert_eq!(found, words, "{line}");
    }
}

#[test]
fn zsh_completes() {
    // The completion system of zsh needs a terminal, so the test replaces the function that shows the words.
    let script = "compdef() { :; }
        _describe() { local name=$3 entry; for entry in \"${(@P)name}\"; do
            entry=${entry//\\\\:/@}; entry=${entry%%:*}; print -r -- ${entry//@/:}; done }
        source <(hippo completions zsh)
        words=(${(z)1}) CURRENT=${#words}
        _hippo";
    for (line, words) in LINES {
        let Some(found) = in_shell("zsh", &["-f", "-c", script, "zsh", line]) else { return };
        assert_eq!(found, words, "{line}");
    }
}

#[test]
fn manual_pages_have_the_usual_sections() {
    for command in ["man", "man find", "man job plan"] {
        let page = run(command);
        assert_eq!((page.code, page.err.as_str()), (0, ""), "{command}");
        let headings: Vec<&str> = page.out.lines().filter_map(|l| l.strip_prefix(".SH ")).collect();
        let mut expected = vec!["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS"];
        expected.retain(|&name| name != "COMMANDS" || command == "man");
        expected.extend(["\"EXIT STATUS\"", "ENVIRONMENT", "FILES", "EXAMPLES", "\"SEE ALSO\""]);
        assert_eq!(headings, expected, "{command}");
        for word in ["130, 143", "XDG\\_CACHE\\_HOME", "NO\\_COLOR", "hippodrome/*.table", "hippo"]
        {
            let plain = word.replace("\\_", "_");
            assert!(page.out.contains(word) || page.out.contains(&plain), "{command}: {word}");
        }
        assert!(page.out.contains("hippo find 8x8") || page.out.contains("hippo job plan 6x6"));
    }
}

#[test]
fn the_help_lists_the_exit_codes() {
    let help = run("--help").out;
    for code in ["  0  ", "  1  ", "  2  ", "  3  ", "  4  ", "  130, 143  "] {
        assert!(help.lines().any(|line| line.starts_with(code)), "{code}: {help}");
    }
}
