//! The library from outside, as one program: a program for each file would be linked for minutes.

mod conformance;
mod constraints;
mod counts;
mod determinism;
mod errors;
mod lab;
mod neural;
mod notation;
mod oracles;
mod papers;
mod production;
mod repeats;
#[cfg(feature = "store")]
mod store;
mod structure;
mod verifier;
mod watching;
