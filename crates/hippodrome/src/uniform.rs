//! Tours drawn exactly uniformly; the bias of every other method is measured against them.
//!
//! ```text
//!   Problem ─▶ sweep ─▶ table ─▶ draw ─▶ equally likely tours
//!             (order)  (covers)  (random)
//! ```

mod arc;
mod cache;
mod draw;
mod prepared;
mod ranking;
mod sampler;
mod shared;
mod stream;
mod sweep;
mod table;
#[cfg(test)]
mod tests;

pub use cache::{
    CachedTable, TableContent, clear as clear_cache, folder as cache_folder, list as cached_tables,
};
pub use prepared::NAME;
pub(crate) use prepared::{COVERS, TOURS, outline};
pub use sampler::{Origin, Sampler, TableForecast};
pub use shared::{Lease, in_use, shared_table};
pub use stream::TourStream;
pub use table::TableError;
