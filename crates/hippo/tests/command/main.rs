//! The command from outside, as one program: a program for each file would be linked for minutes.

mod bad_input;
mod common;
mod contract;
mod count;
mod documents;
mod earlier_version;
#[cfg(unix)]
mod examples;
#[cfg(unix)]
mod faults;
mod must_show;
mod pictures;
mod race;
mod reproduce;
mod round_trip;
mod sample;
mod store;
mod streams;
mod tune;
mod words;
