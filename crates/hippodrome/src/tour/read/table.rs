//! Reads tours from rows of numbers or squares: gathers blocks, and reads each in the way that makes a tour.

use super::block::{Block, SeenEntries};
use super::ground::Ground;
use super::reading::{Rules, choose};
use super::row::{Cells, Event, RowReader, TextRow, unknown_name};
use super::source::TextSource;
use super::{Claim, Queue, ReadError, ReadFault, TourReading};
use crate::tour::{GridOrigin, Notation};

/// Maximum number of times that a block with repeated entries is read to see whether it is complete.
const TRIES: usize = 100;
/// Entries of a block at which it is first tested for endless repetition.
const REPETITION: usize = 1 << 20;

/// The state between pieces of text.
pub(super) struct TableReader {
    rows: RowReader,
    block: Option<Block>,
    seen: SeenEntries,
    tries: usize,
    /// Whether rows are skipped up to the next gap, because one is damaged.
    skips: bool,
    /// Entries of the last tour that was one row: the next is expected to be one, too.
    habit: Option<usize>,
    /// The origin that a comment states.
    origin: Option<GridOrigin>,
    /// How the first tour was read.
    first: Option<TourReading>,
    /// Number of lines of prose, and the first with its first word.
    prose: usize,
    first_prose: Option<(usize, String)>,
    events: Vec<Event>,
}

impl TableReader {
    /// Creates a reader; `hash_rows` says whether lines that begin with `#` may be rows.
    pub(super) fn new(hash_rows: bool) -> TableReader {
        TableReader {
            rows: RowReader::new(hash_rows),
            block: None,
            seen: SeenEntries::default(),
            tries: 0,
            skips: false,
            habit: None,
            origin: None,
            first: None,
            prose: 0,
            first_prose: None,
            events: Vec::new(),
        }
    }

    #[cfg(test)]
    pub(super) fn hash_rows(&self) -> bool {
        self.rows.hash_rows()
    }

    /// Returns the number of lines of prose, and the first of them.
    pub(super) fn prose(&self) -> (usize, usize) {
        (self.prose, self.first_prose.as_ref().map_or(0, |(line, _)| *line))
    }

    /// Returns the error of a text without tours.
    pub(super) fn nothing(&self) -> ReadError {
        match &self.first_prose {
            Some((line, word)) => ReadError { line: *line, fault: unknown_name(1, word) },
            None => ReadError { line: 1, fault: ReadFault::Nothing },
        }
    }

    /// Reads a piece. Returns whether there may be more.
    pub(super) fn advance(
        &mut self,
        source: &mut TextSource<'_>,
        ground: &mut Ground<'_>,
        rules: Rules,
        queue: &mut Queue,
    ) -> Result<bool, ReadError> {
        let mut events = std::mem::take(&mut self.events);
        let piece = source.next()?;
        let more = piece.is_some();
        match piece {
            Some(piece) => self.rows.feed(piece.line, &piece.text, piece.ends, &mut events),
            None => self.rows.finish(&mut events),
        }
        if let Some(fault) = self.rows.repetition(REPETITION) {
            return Err(fault);
        }
        let origin = self.origin.filter(|_| rules.origin == GridOrigin::default());
        let rules = Rules { origin: origin.unwrap_or(rules.origin), ..rules };
        for event in events.drain(..) {
            self.take(event, ground, rules, queue);
        }
        self.events = events;
        Ok(more)
    }

    fn take(&mut self, event: Event, ground: &mut Ground<'_>, rules: Rules, queue: &mut Queue) {
        match event {
            Event::Row(row) => self.row(row, ground, rules, queue),
            Event::Gap => {
                self.finish(ground, rules, queue);
                self.skips = false;
            }
            Event::Prose { line, word } => {
                self.finish(ground, rules, queue);
                self.skips = false;
                self.prose += 1;
                self.first_prose.get_or_insert((line, word));
            }
            Event::Comment(text) => {
                let stated = text.strip_prefix("origin ").and_then(|words| words.parse().ok());
                self.origin = stated.or(self.origin);
            }
            Event::Bad { .. } if self.skips => {}
            Event::Bad { error, names } => {
                if names {
                    self.finish(ground, rules, queue);
                }
                self.block = None;
                self.skips = !names;
                queue.push_back(Err(error));
            }
        }
    }

    fn row(&mut self, row: TextRow, ground: &mut Ground<'_>, rules: Rules, queue: &mut Queue) {
        if self.skips && matches!(row.cells, Cells::Numbers(_)) {
            return;
        }
        if self.block.as_ref().is_some_and(|block| !block.takes(&row)) {
            self.finish(ground, rules, queue);
        }
        let Some(block) = &mut self.block else {
            if self.habit != Some(row.cells.len()) || row.round {
                self.begin(row);
                return;
            }
            let block = Block::new(row.clone());
            match self.read(block, ground, rules) {
                (claim, true) => self.admit(claim, queue),
                _ => self.begin(row),
            }
            return;
        };
        let repeated = self.seen.add(&row.cells, block.cells.len());
        if repeated && self.tries < TRIES {
            self.tries += 1;
            let so_far = block.clone();
            if let (claim, true) = self.read(so_far, ground, rules) {
                self.admit(claim, queue);
                self.begin(row);
                return;
            }
        }
        let Some(block) = &mut self.block else { return };
        block.push(row);
        if self.seen.is_hopeless(block.cells.len()) {
            self.skips = matches!(block.cells, Cells::Numbers(_));
            self.finish(ground, rules, queue);
        }
    }

    fn begin(&mut self, row: TextRow) {
        self.seen = SeenEntries::default();
        self.tries = 0;
        self.seen.add(&row.cells, 0);
        self.block = Some(Block::new(row));
    }

    /// Reads a block in the way that makes a tour.
    fn read(
        &self,
        mut block: Block,
        ground: &mut Ground<'_>,
        rules: Rules,
    ) -> (Result<Claim, ReadError>, bool) {
        if let Some(graph) = ground.file() {
            let error = match Notation::Grid.supports(graph) {
                Err(error) => error.into(),
                Ok(()) => ReadFault::Nothing,
            };
            return (Err(ReadError { line: block.line(), fault: error }), false);
        }
        block.trim_borders();
        choose(&block, ground, rules)
    }

    /// Reads the gathered block: as one tour, or as one per row.
    fn finish(&mut self, ground: &mut Ground<'_>, rules: Rules, queue: &mut Queue) {
        let Some(block) = self.block.take() else { return };
        let (rows, cells) = (block.rows(), block.cells.len());
        let named = matches!(block.cells, Cells::Names(_));
        if rows == 1 {
            let (claim, tour) = self.read(block, ground, rules);
            self.habit = tour.then_some(cells);
            self.admit(claim, queue);
            return;
        }
        let parts = if block.round { Vec::new() } else { block.split() };
        let (claim, tour) = self.read(block, ground, rules);
        if !tour && !parts.is_empty() {
            let mut read: Vec<_> =
                parts.into_iter().map(|part| self.read(part, ground, rules)).collect();
            let is_list = |(claim, tour): &(Result<Claim, ReadError>, bool)| {
                *tour && claim.as_ref().is_ok_and(|claim| claim.reading.is_list())
            };
            if named || read.iter().any(is_list) {
                for (claim, tour) in read.drain(..) {
                    let length = claim.as_ref().map(|claim| claim.squares.len()).ok();
                    self.habit = length.filter(|_| tour).or(self.habit);
                    self.admit(claim, queue);
                }
                return;
            }
        }
        self.admit(claim, queue);
    }

    /// Passes on a claim, unless its notation is not that of the first.
    fn admit(&mut self, claim: Result<Claim, ReadError>, queue: &mut Queue) {
        queue.push_back(claim.and_then(|claim| {
            let before = *self.first.get_or_insert(claim.reading);
            if before.is_of_kind(&claim.reading) {
                return Ok(claim);
            }
            let fault = ReadFault::Mixed { before, here: claim.reading };
            Err(ReadError { line: claim.line, fault })
        }));
    }
}
