//! Exactly uniform tours, and the bias of every other method measured against them.
//!
//! ```text
//!   Problem ─▶ sweep ─▶ table ─▶ draw ─▶ tours, each as likely as any other
//!             (order)  (covers)  (chance)
//! ```

pub mod bias;
mod cache;
mod draw;
pub mod estimate;
mod ranking;
mod sampler;
mod shared;
pub mod statistics;
mod stream;
mod sweep;
mod table;
#[cfg(test)]
mod tests;
pub mod uniform;

pub use cache::folder as cache_folder;
pub use sampler::{Forecast, Making, Origin, Sampler};
pub use shared::{Lease, in_use, shared_table};
pub use stream::Stream;
pub use table::TableError;
