//! Tours as they come in, and the memory that they may take.

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

/// Tours as they come in.
pub struct Gathered {
    pub graph: Graph,
    pub cells: Cells,
    /// A byte a tour.
    pub closed: Vec<u8>,
    room: Room,
}

/// Memory for tours that are gathered.
#[derive(Clone, Copy)]
pub struct Room {
    bytes: u128,
    told: bool,
}

impl Room {
    /// What is given, or half of what is available: the rest is for the search and for others.
    pub fn new(given: Given<'_, '_>) -> PyResult<Room> {
        let told = memory(given)?;
        let there = || available().map_or(u128::MAX, |bytes| bytes / 2);
        Ok(Room { bytes: told.map_or_else(there, |bytes| bytes as u128), told: told.is_some() })
    }

    /// The room in words.
    fn words(&self) -> String {
        let bytes = in_bytes(self.bytes);
        if self.told { format!("{bytes} are allowed") } else { format!("{bytes} can be had") }
    }
}

impl Gathered {
    /// None yet.
    pub fn new(graph: &Graph, room: Room) -> Gathered {
        let cells = Cells::new(graph.len());
        Gathered { graph: graph.clone(), cells, closed: Vec::new(), room }
    }

    /// Bytes of so many tours.
    fn bytes(&self, tours: u64) -> u128 {
        let own = self.graph.order() * self.cells.width() + 1;
        u128::from(tours) * own as u128
    }

    /// Makes room for so many tours, if there is any, or says what else to do.
    pub fn expect(&mut self, tours: u64, instead: &str) -> PyResult<()> {
        let bytes = self.bytes(tours);
        let (count, needed) = (many(tours, "tour"), in_bytes(bytes));
        let none = |why: String| {
            usage(format!("{count} of {} take {needed} of memory and {why}; {instead}", self.graph))
        };
        if bytes > self.room.bytes {
            return Err(none(self.room.words()));
        }
        let tours = tours as usize;
        let cells = self.cells.reserve(tours * self.graph.order());
        match cells && self.closed.try_reserve_exact(tours).is_ok() {
            true => Ok(()),
            false => Err(none("that much cannot be had".into())),
        }
    }

    /// Adds a tour; breaks if there is no room for it.
    #[inline]
    pub fn push(&mut self, tour: &Verified<'_>) -> ControlFlow<()> {
        if self.closed.len() == self.closed.capacity() && !self.grow() {
            return ControlFlow::Break(());
        }
        self.cells.extend_squares(tour.squares());
        self.closed.push(u8::from(tour.is_closed()));
        ControlFlow::Continue(())
    }

    /// Makes room for as many tours again, or for what is left of it.
    #[cold]
    fn grow(&mut self) -> bool {
        let most = self.room.bytes / self.bytes(1);
        let more = most.saturating_sub(self.len() as u128).min(self.len().max(64) as u128) as usize;
        let cells = self.cells.reserve(more * self.graph.order());
        more > 0 && cells && self.closed.try_reserve_exact(more).is_ok()
    }

    /// That there is no room for more.
    pub fn full(&self) -> PyErr {
        let (count, bytes) = (many(self.len() as u64, "tour"), self.bytes(self.len() as u64));
        out_of_memory(format!(
            "{count} of {} fill {} of memory, and {}; give more with memory=, count them with collect=False, or keep them in a folder with plan()",
            self.graph,
            in_bytes(bytes),
            self.room.words(),
        ))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.closed.len()
    }
}
