//! Tests of the command. They form one program, because linking one program per file would take minutes.

mod bad_input;
mod common;
mod completions;
mod contract;
mod count;
mod documents;
mod earlier_version;
#[cfg(unix)]
mod examples;
mod explain;
#[cfg(unix)]
mod faults;
mod graph_files;
mod graphs;
mod must_show;
mod pictures;
mod race;
mod reproduce;
mod round_trip;
mod sample;
mod store;
mod streams;
mod transforms;
mod tune;
mod words;
