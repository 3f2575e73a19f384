//! What the documents say agrees with the registry and the commands.

use hippodrome::solvers::registry::SOLVERS;
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

/// A path that leads out of a crate is missing from its package.
#[test]
fn nothing_is_included_from_outside_a_crate() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<_> = fs::read_dir(&crates).expect("crates").flatten().collect();
    folders.retain(|entry| entry.path().join("src").is_dir());
    assert_eq!(folders.len(), 4);
    let mut included = 0;
    for folder in folders {
        let mut open = vec![folder.path().join("src")];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(fs::read_dir(&path).expect("a folder").flatten().map(|e| e.path()));
                continue;
            }
            let depth = path.strip_prefix(folder.path()).expect("inside").components().count() - 1;
            for line in fs::read_to_string(&path).expect("text").lines() {
                let Some((_, after)) = line.split_once("include_") else { continue };
                let Some((_, file)) = after.split_once("!(") else { continue };
                included += 1;
                let up = file.matches("../").count();
                assert!(up <= depth, "{}: {line}", path.display());
            }
        }
    }
    assert!(included > 3, "{included}");
}
