//! Integration tests in one program, because linking one program per file takes minutes.

mod conformance;
mod constraints;
mod counts;
mod determinism;
mod errors;
mod explaining;
mod fuzz;
mod graph_files;
mod graphs;
mod lab;
mod neural;
mod notation;
mod oracles;
mod papers;
mod production;
mod repeats;
mod spellings;
#[cfg(feature = "store")]
mod store;
mod structure;
mod verifier;
mod watching;
