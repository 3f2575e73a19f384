//! The commands, one file each.

pub mod board;
pub mod check;
pub mod convert;
pub mod count;
pub mod draw;
pub mod enumerate;
pub mod estimate;
pub mod find;
pub mod packaging;
pub mod sample;
pub mod solvers;
pub mod tune;
