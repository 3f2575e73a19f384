//! The commands, one file each.

pub mod board;
pub mod cache;
pub mod check;
pub mod convert;
pub mod count;
pub mod draw;
pub mod enumerate;
pub mod estimate;
pub mod export;
pub mod find;
pub mod job;
pub mod packaging;
pub mod puzzle;
pub mod race;
pub mod reproduce;
pub mod sample;
pub mod serve;
pub mod solvers;
pub mod store;
pub mod submit;
pub mod tune;
