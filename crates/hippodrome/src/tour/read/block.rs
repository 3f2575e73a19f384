//! Blocks of rows: the text of one tour, whatever its layout.
//!
//! A block ends at a gap, at a change between numbers and squares, and before a row that repeats an
//! entry of a block that is already a tour. So lists with one tour per line, stacked grids and
//! tours with one square per line need no mode. Memory is bounded: a block whose entries repeat is
//! no tour, and does not grow for long.

use super::row::{Cells, EMPTY, HOLE, Marks, TextRow};
use fixedbitset::FixedBitSet;
use std::collections::HashSet;

/// Cells by which a block may grow after its entries repeat, in addition to three times its size.
const SLACK: usize = 1 << 16;

/// The rows of one tour.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The line of each row.
    pub(super) lines: Vec<usize>,
    /// The end of each row in `cells`.
    ends: Vec<usize>,
    pub(super) cells: Cells,
    pub(super) marks: Marks,
    pub(super) round: bool,
    pub(super) pieces: bool,
    pub(super) huge: Option<String>,
}

impl Block {
    pub(super) fn new(row: TextRow) -> Block {
        Block {
            lines: vec![row.line],
            ends: vec![row.cells.len()],
            cells: row.cells,
            marks: row.marks,
            round: row.round,
            pieces: row.pieces,
            huge: row.huge,
        }
    }

    /// Returns whether a row is of the same kind.
    pub(super) fn takes(&self, row: &TextRow) -> bool {
        let same = matches!(
            (&self.cells, &row.cells),
            (Cells::Numbers(_), Cells::Numbers(_)) | (Cells::Names(_), Cells::Names(_))
        );
        same && self.round == row.round
    }

    /// Adds a row of the same kind.
    pub(super) fn push(&mut self, row: TextRow) {
        match (&mut self.cells, row.cells) {
            (Cells::Numbers(own), Cells::Numbers(more)) => own.extend(more),
            (Cells::Names(own), Cells::Names(more)) => own.extend(more),
            _ => return,
        }
        self.lines.push(row.line);
        self.ends.push(self.cells.len());
        self.marks.add(row.marks);
        self.pieces &= row.pieces;
        self.huge = self.huge.take().or(row.huge);
    }

    /// Returns the line of the first row.
    pub(super) fn line(&self) -> usize {
        self.lines[0]
    }

    /// Returns the number of rows.
    pub(super) fn rows(&self) -> usize {
        self.ends.len()
    }

    /// Returns the numbers of each row; none if the block lists squares.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &[u32]> + Clone {
        let numbers: &[u32] = match &self.cells {
            Cells::Numbers(numbers) => numbers,
            Cells::Names(_) => &[],
        };
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(from, &to)| numbers.get(from..to).unwrap_or_default())
    }

    /// Returns each row as a block of its own.
    pub(super) fn split(&self) -> Vec<Block> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let part = |(row, (from, &to)): (usize, (usize, &usize))| Block {
            lines: vec![self.lines[row]],
            ends: vec![to - from],
            cells: match &self.cells {
                Cells::Numbers(numbers) => Cells::Numbers(numbers[from..to].to_vec()),
                Cells::Names(names) => Cells::Names(names[from..to].to_vec()),
            },
            huge: self.huge.clone(),
            ..*self
        };
        starts.zip(&self.ends).enumerate().map(part).collect()
    }

    /// Removes the empty cells outside of borders, and makes other empty cells holes.
    pub(super) fn trim_borders(&mut self) {
        let outside = |cell: Option<&u32>| cell == Some(&EMPTY);
        let left = self.numbers().all(|row| outside(row.first()));
        let right = self.numbers().all(|row| row.len() > 1 && outside(row.last()));
        let Cells::Numbers(numbers) = &mut self.cells else { return };
        if left || right {
            let mut kept = Vec::with_capacity(numbers.len());
            let mut from = 0;
            for end in &mut self.ends {
                kept.extend_from_slice(
                    &numbers[from + usize::from(left)..*end - usize::from(right)],
                );
                from = *end;
                *end = kept.len();
            }
            *numbers = kept;
        }
        for number in numbers.iter_mut().filter(|n| **n == EMPTY) {
            *number = HOLE;
        }
    }
}

/// The entries of a block that were seen.
#[derive(Default)]
pub(super) struct SeenEntries {
    numbers: FixedBitSet,
    /// The first squares and pairs; later ones are not remembered.
    places: HashSet<(u32, u32), foldhash::fast::RandomState>,
    /// Size of the block when an entry was repeated first.
    repeated: Option<usize>,
}

/// Maximum number of squares and pairs that are remembered.
const PLACES: usize = 1 << 20;

impl SeenEntries {
    /// Adds the entries of a row to those of a block of `size` cells. Returns whether one is repeated.
    pub(super) fn add(&mut self, cells: &Cells, size: usize) -> bool {
        let mut repeated = false;
        let mut put = |place: (u32, u32)| {
            repeated |= if self.places.len() < PLACES {
                !self.places.insert(place)
            } else {
                self.places.contains(&place)
            };
        };
        match cells {
            Cells::Names(names) => names.iter().for_each(|&place| put(place)),
            Cells::Numbers(pair) if pair.len() == 2 => put((pair[0], pair[1])),
            Cells::Numbers(numbers) => {
                // Zeros may be holes, and numbers far beyond the size are errors.
                let near = 1..64 * (size + 1024);
                for number in numbers.iter().map(|&n| n as usize).filter(|n| near.contains(n)) {
                    if number >= self.numbers.len() {
                        self.numbers.grow((number + 1).next_power_of_two());
                    }
                    repeated |= self.numbers.put(number);
                }
            }
        }
        if repeated {
            self.repeated.get_or_insert(size);
        }
        repeated
    }

    /// Returns whether a block of `size` cells has grown too far after an entry was repeated.
    pub(super) fn is_hopeless(&self, size: usize) -> bool {
        self.repeated.is_some_and(|at| size > 4 * at + SLACK)
    }
}
