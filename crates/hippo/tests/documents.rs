//! What the documents say agrees with the registry and the commands.

use assert_cmd::Command;
use hippodrome::solver::SOLVERS;
use std::fs;
use std::path::Path;

fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    fs::read_to_string(path).expect("the document is there")
}

#[test]
fn the_readme_lists_the_registry() {
    let rows: Vec<String> = SOLVERS
        .iter()
        .map(|s| s.info())
        .map(|i| format!("| `{}` | {} | {} |", i.name, i.good_for, i.source))
        .collect();
    let readme = document("README.md");
    let table: Vec<&str> = readme
        .lines()
        .skip_while(|l| !l.starts_with("| solver |"))
        .skip(2)
        .take_while(|l| l.starts_with('|'))
        .collect();
    assert_eq!(table, rows, "README's table should be:\n{}", rows.join("\n"));
}

#[test]
fn the_methodology_says_what_each_solver_counts() {
    let text = document("METHODOLOGY.md");
    let first_cells: Vec<&str> =
        text.lines().filter_map(|l| l.strip_prefix("| ")?.split(" |").next()).collect();
    for solver in SOLVERS {
        let name = solver.info().name;
        let listed = |cell: &&str| cell.split(", ").any(|word| word == name);
        assert!(first_cells.iter().any(listed), "{name} is missing from the table of units");
    }
}

#[test]
fn every_hippo_line_of_the_readme_is_understood() {
    let readme = document("README.md");
    let lines: Vec<&str> = readme.lines().filter(|l| l.starts_with("hippo ")).collect();
    assert!(lines.len() > 10);
    for line in lines {
        let command = line.split(['#', '|']).next().expect("a line").trim();
        let mut words: Vec<&str> = command.split_whitespace().skip(1).collect();
        // `--help` makes the parser stop where it agrees with what came before.
        words.push("--help");
        Command::cargo_bin("hippo").expect("built").args(&words).assert().success();
        let subcommand = words[0];
        let help =
            Command::cargo_bin("hippo").expect("built").args([subcommand, "--help"]).output();
        let help = String::from_utf8(help.expect("runs").stdout).expect("text");
        for option in words.iter().filter(|w| w.starts_with("--") && **w != "--help") {
            let name = option.split('=').next().expect("a name");
            assert!(help.contains(name), "{subcommand} has no {name}");
        }
    }
}

#[test]
fn the_architecture_justifies_every_dependency() {
    let text = document("ARCHITECTURE.md");
    for manifest in ["crates/hippodrome/Cargo.toml", "crates/hippo/Cargo.toml"] {
        let manifest = document(manifest);
        let names = manifest.lines().filter_map(|l| l.strip_suffix(".workspace = true"));
        for name in names.filter(|n| {
            !["version", "edition", "rust-version", "license", "hippodrome"].contains(n)
        }) {
            assert!(text.contains(name), "ARCHITECTURE.md does not say why {name} is needed");
        }
    }
}
