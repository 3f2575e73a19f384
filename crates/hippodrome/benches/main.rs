//! All benches of the library. `cargo bench` runs all of them; `cargo bench -- search ants` runs those named.
//!
//! Every bench asserts the answer it times. `--quick` takes fewer and shorter runs; `--strict` fails if a ratio
//! misses its threshold, and is meant for the release profile on a quiet machine (`./test bench`).
//! `--list` names the benches.
#![allow(clippy::print_stdout, reason = "benches print figures")]

mod ants;
mod count;
mod genetic;
mod graphs;
mod lab;
mod large;
mod neural;
mod sample;
mod search;
mod store;

const BENCHES: &[(&str, fn())] = &[
    ("search", search::main),
    ("ants", ants::main),
    ("large", large::main),
    ("neural", neural::main),
    ("genetic", genetic::main),
    ("store", store::main),
    ("count", count::main),
    ("sample", sample::main),
    ("graphs", graphs::main),
];

fn main() {
    if std::env::args().any(|argument| argument == "--list") {
        BENCHES.iter().for_each(|(name, _)| println!("{name}: benchmark"));
        return;
    }
    let known = |name: &str| name == "viewers" || BENCHES.iter().any(|(bench, _)| *bench == name);
    if let Some(unknown) = std::env::args().skip(1).find(|a| !a.starts_with('-') && !known(a)) {
        println!("there is no bench '{unknown}'; --list names them");
        std::process::exit(2);
    }
    for (name, run) in BENCHES.iter().filter(|(name, _)| lab::is_selected(name)) {
        println!("== {name}");
        run();
    }
    lab::conclude();
}
