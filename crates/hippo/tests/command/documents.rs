//! What the documents say agrees with the registry and the commands.

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
fn the_architecture_justifies_every_dependency() {
    let text = document("ARCHITECTURE.md");
    for manifest in [
        "crates/hippodrome/Cargo.toml",
        "crates/hippodrome-web/Cargo.toml",
        "crates/hippo/Cargo.toml",
        "crates/hippodrome-py/Cargo.toml",
    ] {
        let manifest = document(manifest);
        let names = manifest.lines().filter_map(|l| l.strip_suffix(".workspace = true"));
        let own = ["version", "edition", "rust-version", "license", "authors", "repository"];
        for name in names.filter(|n| !own.contains(n) && !n.starts_with("hippodrome")) {
            let justified = text
                .lines()
                .filter_map(|l| l.strip_prefix("| ")?.split(" |").next())
                .any(|cell| cell.split(", ").any(|word| word.split(' ').next() == Some(name)));
            assert!(justified, "ARCHITECTURE.md does not say why {name} is needed");
        }
    }
}
