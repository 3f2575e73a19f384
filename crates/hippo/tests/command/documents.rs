//! Tests that the documents agree with the registry and the source, and that their links resolve.

use hippodrome::solvers::registry::SOLVERS;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the root folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the paths, relative to the root, of the files in the repository that have one of these extensions.
pub fn files(extensions: &[&str]) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), vec![root()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if path.is_dir() {
                let foreign =
                    name.starts_with('.') || ["target", "node_modules", "venv"].contains(&&*name);
                open.extend((!foreign).then_some(path));
            } else if path.extension().is_some_and(|e| extensions.iter().any(|known| e == *known)) {
                let path = path.strip_prefix(root()).expect("below the root");
                found.push(path.display().to_string().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// Returns the name and the text of each document in the repository.
pub fn texts() -> Vec<(String, String)> {
    let read = |name: String| {
        let text = document(&name);
        (name, text)
    };
    files(&["md"]).into_iter().map(read).collect()
}

/// Returns the lines of a document that are outside its code blocks, without inline code.
fn prose(text: &str) -> impl Iterator<Item = String> {
    let mut code = false;
    let lines = text.lines().filter(move |line| {
        code ^= line.starts_with("```");
        !code && !line.starts_with("    ")
    });
    // Backticks separate text and code, which alternate; every other part is text.
    lines.map(|line| line.split('`').step_by(2).collect())
}

/// Returns the anchors that a code-hosting site makes from the headings of a document.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut uses = BTreeMap::<String, usize>::new();
    let fences = text.lines().scan(false, |code, line| {
        *code ^= line.starts_with("```");
        Some((*code, line))
    });
    let headings = fences.filter(|(code, line)| !code && line.starts_with('#'));
    let slug = |(_, line): (bool, &str)| {
        let kept = line.trim_start_matches('#').trim().to_lowercase();
        let kept = kept.replace(|c: char| !c.is_alphanumeric() && !" -_".contains(c), "");
        let (slug, number) = (kept.replace(' ', "-"), uses.entry(kept).or_default());
        *number += 1;
        if *number == 1 { slug } else { format!("{slug}-{}", *number - 1) }
    };
    headings.map(slug).collect()
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let mut links = 0;
    for (name, text) in texts() {
        let folder = root().join(&name).parent().expect("a folder").to_owned();
        for line in prose(&text) {
            let inline = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            let pictures = line.split(" src=\"").skip(1).filter_map(|rest| rest.split('"').next());
            for link in inline.chain(pictures).filter(|link| !link.contains("://")) {
                links += 1;
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = if file.is_empty() { root().join(&name) } else { folder.join(file) };
                assert!(target.exists(), "{name}: {link} is missing");
                if !anchor.is_empty() {
                    let anchors = anchors(&fs::read_to_string(target).expect("a document"));
                    assert!(anchors.contains(anchor), "{name}: no heading for {link}: {anchors:?}");
                }
            }
        }
    }
    assert!(links > 50, "{links} links");
}

#[test]
fn headings_make_the_anchors_that_forges_make() {
    let text = "# A day's work: 6x6, or more\n```sh\n# no heading\n```\n## `b_c` (2005)\n## Same\n## Same\n";
    let expected = ["a-days-work-6x6-or-more", "b_c-2005", "same", "same-1"];
    assert_eq!(anchors(text), expected.map(String::from).into());
}

#[test]
fn the_book_has_every_page_of_the_docs() {
    let summary = document("docs/SUMMARY.md");
    for name in files(&["md"]) {
        let Some(page) = name.strip_prefix("docs/") else { continue };
        let listed = page == "SUMMARY.md" || summary.contains(&format!("({page})"));
        assert!(listed, "docs/SUMMARY.md does not list {page}");
    }
}

#[test]
fn the_guide_lists_the_registry() {
    let rows: Vec<String> = SOLVERS
        .iter()
        .map(|s| s.info())
        .map(|i| format!("| `{}` | {} | {} |", i.name, i.good_for, i.source))
        .collect();
    let guide = document("docs/guide/researchers.md");
    let table: Vec<&str> = guide
        .lines()
        .skip_while(|l| !l.starts_with("| solver |"))
        .skip(2)
        .take_while(|l| l.starts_with('|'))
        .collect();
    assert_eq!(
        table,
        rows,
        "the table of docs/guide/researchers.md should be:\n{}",
        rows.join("\n")
    );
}

/// The documentation tests run the code on the front page, so this test makes them cover the guide as well.
#[test]
fn rust_in_the_guide_is_on_the_front_page_of_the_library() {
    let (guide, library) =
        (document("docs/guide/developers.md"), document("crates/hippodrome/src/lib.rs"));
    let code = guide.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    for line in code.expect("a Rust block").lines().filter(|line| !line.is_empty()) {
        assert!(library.contains(&format!("//! {line}\n")), "not in lib.rs: {line}");
    }
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

/// A file outside a crate would be missing from the published package of the crate.
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
