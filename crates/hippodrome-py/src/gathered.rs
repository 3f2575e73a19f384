//! Collects tours within a memory limit.

use crate::arguments::{Given, memory};
use crate::arrays::Cells;
use crate::errors::{out_of_memory, usage};
use crate::search::many;
use hippodrome::board::Graph;
use hippodrome::numerals::in_bytes;
use hippodrome::search::memory::available;
use hippodrome::tour::Verified;
use pyo3::prelude::*;
use std::ops::ControlFlow;

/// The tours collected during a run.
pub struct Gathered {
    pub graph: Graph,
    pub cells: Cells,
    /// One byte per tour: 1 if it is closed.
    pub closed: Vec<u8>,
    limit: MemoryLimit,
}

/// The memory limit for collected tours.
#[derive(Clone, Copy)]
pub struct MemoryLimit {
    bytes: u128,
    /// Whether the limit was passed as an argument.
    given: bool,
}

impl MemoryLimit {
    /// Returns the given limit, or by default half of the available memory, because the search and other
    /// processes need the rest.
    pub fn new(given: Given<'_, '_>) -> PyResult<MemoryLimit> {
        let given = memory(given)?;
        let half = || available().map_or(u128::MAX, |bytes| bytes / 2);
        let bytes = given.map_or_else(half, |bytes| bytes as u128);
        Ok(MemoryLimit { bytes, given: given.is_some() })
    }

    /// Describes the limit in an error message.
    fn describe(&self) -> String {
        let state = if self.given { "allowed" } else { "available" };
        format!("{} are {state}", in_bytes(self.bytes))
    }
}

impl Gathered {
    /// Returns an empty collection.
    pub fn new(graph: &Graph, limit: MemoryLimit) -> Gathered {
        let cells = Cells::new(graph.len());
        Gathered { graph: graph.clone(), cells, closed: Vec::new(), limit }
    }

    /// Returns the number of bytes that the given number of tours takes.
    fn bytes(&self, tours: u64) -> u128 {
        let own = self.graph.order() * self.cells.width() + 1;
        u128::from(tours) * own as u128
    }

    /// Reserves memory for the given number of tours. An error message ends with the advice `instead`.
    pub fn expect(&mut self, tours: u64, instead: &str) -> PyResult<()> {
        let bytes = self.bytes(tours);
        let allowed = bytes <= self.limit.bytes;
        if allowed && self.reserve(tours as usize) {
            return Ok(());
        }
        let why = match allowed {
            true => "that much is not available".into(),
            false => self.limit.describe(),
        };
        let (count, needed) = (many(tours, "tour"), in_bytes(bytes));
        Err(usage(format!(
            "{count} of {} take {needed} of memory and {why}; {instead}",
            self.graph
        )))
    }

    /// Reserves memory for more tours. Returns false if there is not enough memory.
    fn reserve(&mut self, tours: usize) -> bool {
        let cells = self.cells.reserve(tours * self.graph.order());
        cells && self.closed.try_reserve_exact(tours).is_ok()
    }

    /// Adds a tour. Returns `Break` if it does not fit.
    #[inline]
    pub fn push(&mut self, tour: &Verified<'_>) -> ControlFlow<()> {
        if self.closed.len() == self.closed.capacity() && !self.grow() {
            return ControlFlow::Break(());
        }
        self.cells.extend_squares(tour.squares());
        self.closed.push(u8::from(tour.is_closed()));
        ControlFlow::Continue(())
    }

    /// Doubles the capacity, up to the limit.
    #[cold]
    fn grow(&mut self) -> bool {
        let most = self.limit.bytes / self.bytes(1);
        let more = most.saturating_sub(self.len() as u128).min(self.len().max(64) as u128) as usize;
        more > 0 && self.reserve(more)
    }

    /// Returns the error for a collection that is full.
    pub fn full(&self) -> PyErr {
        let (count, bytes) = (many(self.len() as u64, "tour"), self.bytes(self.len() as u64));
        out_of_memory(format!(
            "{count} of {} fill {} of memory, and {}; raise memory=, pass collect=False to count them, or store them in a folder with plan()",
            self.graph,
            in_bytes(bytes),
            self.limit.describe(),
        ))
    }

    /// Returns the number of tours.
    pub fn len(&self) -> usize {
        self.closed.len()
    }
}
