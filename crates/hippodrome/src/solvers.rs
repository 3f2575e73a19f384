//! The algorithms, one file each.
pub mod exact;
