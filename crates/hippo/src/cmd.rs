//! The commands, one file each.

pub mod board;
pub mod check;
pub mod convert;
pub mod draw;
pub mod enumerate;
pub mod find;
pub mod packaging;
pub mod race;
pub mod reproduce;
pub mod solvers;
pub mod tune;
