//! Checks the structure of the source: layers, no module cycles, unique type names, short functions.
//!
//! The source is read as text: rustfmt makes it regular enough. Unit tests do not count.

mod source;

use source::{File, files, files_of_edges, layers};
use std::collections::{BTreeMap, BTreeSet};

/// Type names with two meanings, and the reason for each.
const SHARED_NAMES: &[(&str, &str)] = &[];

/// Maximum number of lines of a function, unless a comment gives the reason for its length.
const LONG: usize = 80;

/// Returns the later layers that `file`, a file of `layer`, uses.
fn upward<'a>(layers: &'a [String], layer: &str, file: &File) -> Vec<&'a str> {
    let place = |name: &str| layers.iter().position(|known| known == name);
    let own = place(layer).unwrap_or_else(|| panic!("{layer} is not in the table of lib.rs"));
    let used: BTreeSet<usize> =
        file.paths_from_root().iter().filter_map(|path| place(&path[0])).collect();
    used.into_iter().filter(|&other| other > own).map(|other| layers[other].as_str()).collect()
}

#[test]
fn a_module_uses_only_the_layers_above_it() {
    let layers = layers();
    let roots: BTreeSet<String> = files().iter().map(|file| file.layer.clone()).collect();
    assert_eq!(roots, layers.iter().cloned().collect(), "modules, and the table of lib.rs");
    for file in files() {
        let found = upward(&layers, &file.layer, &file);
        assert!(found.is_empty(), "{} uses {found:?}, which come after {}", file.name, file.layer);
        // The root may re-export from any layer.
        for path in file.paths_from_root() {
            assert!(layers.contains(&path[0]), "{} uses crate::{}", file.name, path[0]);
        }
    }
}

#[test]
fn a_planted_upward_arrow_is_found() {
    let layers = ["board", "search", "solvers", "store"].map(String::from);
    let planted = |text: &str| {
        let file = File::new("search/run.rs", text);
        upward(&layers, "search", &file).join(" ")
    };
    assert_eq!(planted("use crate::board::Square;\nuse super::budget::Budget;"), "");
    assert_eq!(planted("use crate::store::JobFolder;"), "store");
    assert_eq!(
        planted("use crate::{\n    board::Square,\n    solvers::{ants, exact},\n};"),
        "solvers"
    );
    assert_eq!(planted("fn f() {\n    crate::store::open();\n}"), "store");
    assert_eq!(planted("use super::super::store::JobFolder;"), "store");
    assert_eq!(planted("/// See [`x`](crate::store::X).\nfn f() {}"), "");
    assert_eq!(planted("fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::store::X;\n}"), "");
}

/// Returns, for each module of a layer, the other modules that it uses. A type defined in the layer's root
/// belongs to no module; a re-exported type belongs to the module that defines it.
fn uses_within(layer: &str, files: &[File]) -> BTreeMap<String, BTreeSet<String>> {
    let root = files.iter().find(|file| file.name == format!("{layer}.rs"));
    let origins = root.map(File::reexports).unwrap_or_default();
    let mut uses = BTreeMap::<String, BTreeSet<String>>::new();
    for file in files.iter().filter(|file| file.layer == layer) {
        let Some(module) = file.module() else { continue };
        let used = uses.entry(module.to_string()).or_default();
        for path in file.paths_from_root().iter().filter(|path| path[0] == layer && path.len() > 1)
        {
            let origin = origins.get(&path[1]).unwrap_or(&path[1]);
            if origin != module {
                used.insert(origin.clone());
            }
        }
    }
    uses
}

/// Returns the modules that use themselves, directly or indirectly.
fn in_cycles(uses: &BTreeMap<String, BTreeSet<String>>) -> Vec<&String> {
    let reaches = |from: &String, to: &String| {
        let mut seen = BTreeSet::new();
        let mut next: Vec<&String> = uses[from].iter().collect();
        while let Some(module) = next.pop() {
            if module == to {
                return true;
            }
            if seen.insert(module) {
                next.extend(uses.get(module).into_iter().flatten());
            }
        }
        false
    };
    uses.keys().filter(|module| reaches(module, module)).collect()
}

#[test]
fn the_modules_of_a_layer_have_no_cycle() {
    let files = files();
    for layer in layers() {
        let uses = uses_within(&layer, &files);
        assert_eq!(in_cycles(&uses), [""; 0], "{layer}: {uses:#?}");
    }
}

#[test]
fn a_planted_cycle_is_found() {
    let root =
        File::new("store.rs", "mod job;\nmod merge;\nmod sealed;\npub use merge::{Merged, merge};");
    let job = File::new("store/job.rs", "use super::sealed::Sealed;\nuse crate::store::Merged;");
    let merge = File::new("store/merge/parts.rs", "use super::super::job::Job;");
    let sealed = File::new("store/sealed.rs", "use crate::board::Square;");
    let files = [root, job, merge, sealed];
    assert_eq!(in_cycles(&uses_within("store", &files)), ["job", "merge"]);
    assert_eq!(in_cycles(&uses_within("store", &files[..2])), [""; 0]);
}

#[test]
fn a_type_name_has_one_meaning() {
    let mut places = BTreeMap::<String, Vec<String>>::new();
    for file in files() {
        for name in file.shared_types() {
            places.entry(name).or_default().push(file.name.clone());
        }
    }
    let twice: BTreeMap<_, _> = places.iter().filter(|(_, places)| places.len() > 1).collect();
    let known: BTreeSet<&str> = SHARED_NAMES.iter().map(|(name, _)| *name).collect();
    let found: BTreeSet<&str> = twice.keys().map(|name| name.as_str()).collect();
    assert!(known.len() <= 10, "{known:?}");
    assert_eq!(found, known, "{twice:#?}");
}

#[test]
fn a_long_function_gives_its_reason() {
    let mut long = Vec::new();
    for file in files().into_iter().chain(files_of_edges()) {
        long.extend(file.functions().into_iter().filter(|f| f.lines > LONG && !f.reason));
    }
    let listed: Vec<String> = long.iter().map(|f| format!("{} ({})", f.name, f.lines)).collect();
    assert!(listed.is_empty(), "split these or put 'Long because …' above them: {listed:#?}");
    let text = format!("fn short() {{\n}}\n\nfn long() {{\n{}}}\n", "    work();\n".repeat(LONG));
    let planted = File::new("lab/planted.rs", &text).functions();
    assert_eq!(
        planted.iter().map(|f| (f.lines, f.reason)).collect::<Vec<_>>(),
        [(2, false), (82, false)]
    );
    let said = File::new(
        "lab/planted.rs",
        &text.replace("fn long", "// Long because it is a table.\nfn long"),
    );
    assert!(said.functions()[1].reason);
}

#[test]
fn files_that_the_architecture_names_exist() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let places = [
        "crates/hippodrome/src",
        "crates",
        "crates/hippo/src",
        "crates/hippodrome-web",
        "crates/hippodrome-web/src",
        "crates/hippodrome-web/page",
        "crates/hippodrome",
        "crates/hippodrome/src/solvers",
        "crates/hippodrome/src/uniform",
        "crates/hippodrome/src/lab",
        "crates/hippodrome/src/board",
        "crates/hippodrome-py",
        "crates/hippodrome-py/python/hippodrome",
    ];
    let is_file = |name: &&str| [".rs", ".js", ".py"].iter().any(|ending| name.ends_with(ending));
    let named: BTreeSet<&str> = text.split('`').skip(1).step_by(2).filter(is_file).collect();
    assert!(named.len() > 80, "{}", named.len());
    let missing = |name: &&&str| !places.iter().any(|place| root.join(place).join(name).exists());
    assert_eq!(named.iter().filter(missing).collect::<Vec<_>>(), [&""; 0]);
}

#[test]
fn threads_start_in_one_place() {
    let starts = ["thread::scope", "thread::spawn", "thread::Builder", "available_parallelism"];
    let found = |file: &File| starts.iter().any(|text| file.contains(text));
    let places: Vec<String> = files().into_iter().filter(found).map(|file| file.name).collect();
    assert_eq!(places, ["search/threads.rs"]);
}
