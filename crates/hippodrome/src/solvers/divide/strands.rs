//! A tour as a list of strands. A strand is a path of a block, repeated along a row of equal blocks.
//!
//! A square of a strand is a base, plus a multiple of the distance between blocks, plus a table
//! entry. So the square at a given time and the time of a given square take one binary search and
//! some arithmetic. A board of 10^8 squares has about 10^4 strands and a few kilobytes of tables.

use super::block::Coord;
use super::cuts::SideCuts;
use super::snake::{Arm, Leg, OnwardArm, Snake};
use super::view::View;
use crate::board::{Board, Square};
use std::ops::Range;

/// A board divided into a grid of blocks.
#[derive(Debug)]
pub(super) struct BlockGrid {
    pub(super) board: Board,
    pub(super) view: View,
    pub(super) rows: SideCuts,
    pub(super) cols: SideCuts,
}

impl BlockGrid {
    /// Returns the lengths of the parts of the rows and of the columns, as on the board.
    fn parts(&self) -> [Vec<u32>; 2] {
        let lengths = |cuts: &SideCuts| (0..cuts.parts()).map(|part| cuts.length(part)).collect();
        let (mut rows, mut cols): (Vec<u32>, Vec<u32>) = (lengths(&self.rows), lengths(&self.cols));
        if self.view.tilted {
            std::mem::swap(&mut rows, &mut cols);
        }
        if self.view.flip.0 {
            rows.reverse();
        }
        if self.view.flip.1 {
            cols.reverse();
        }
        [rows, cols]
    }

    /// Returns the number of a square, given its row and column in the view.
    fn number(&self, cell: Coord) -> u32 {
        self.view.square(&self.board, cell).number()
    }
}

/// A path through a block, repeated along a row of equal blocks.
#[derive(Debug)]
struct Strand {
    /// Time at which the knight enters the strand.
    first: u64,
    /// Where the squares of the path start in the tables, and their number.
    table: (u32, u32),
    /// Offset added to table entries for the first block.
    base: u32,
    /// Offset added for each further block.
    stride: u32,
    /// Column of the first block in the grid.
    from: u32,
    /// Whether the path is traversed from its end.
    backwards: bool,
}

/// The number of the strand of each path of a block; a block has at most four paths.
type StrandNumbers = [u32; 4];

/// A tour in strands.
#[derive(Debug)]
pub(super) struct Strands {
    grid: BlockGrid,
    strands: Vec<Strand>,
    tables: Vec<u32>,
    /// The legs by grid row and column, each with the strands of its block's paths.
    legs: Vec<(Leg, StrandNumbers)>,
}

impl Strands {
    /// Returns the lengths of the parts of the rows and of the columns, as on the board.
    pub(super) fn parts(&self) -> [Vec<u32>; 2] {
        self.grid.parts()
    }

    /// Lists the strands in the order of the tour.
    pub(super) fn new(grid: BlockGrid, Snake { head, arms, onward }: Snake) -> Strands {
        let legs = arms.iter().map(|arm| arm.legs.len()).sum::<usize>();
        let legs = legs + onward.as_ref().map_or(0, OnwardArm::legs);
        let mut tour = Strands {
            grid,
            strands: Vec::with_capacity(2 * legs + 3),
            tables: Vec::new(),
            legs: Vec::with_capacity(legs + 1),
        };
        let mut known = StrandTables { tables: Vec::new(), now: 0 };
        tour.add_around(&mut known, head, arms);
        if let Some(OnwardArm { legs, last, arm }) = onward {
            for leg in legs {
                let strand = tour.add(&mut known, &leg, 0, (true, false));
                tour.legs.push((leg, [strand, 0, 0, 0]));
            }
            tour.add_around(&mut known, last, arm);
        }
        tour.legs.sort_by_key(|(leg, _)| leg.place());
        // If two arms share a block, each leg stores only its own strands, and its other entries are 0.
        tour.legs.dedup_by(|(leg, strands), (before, all)| {
            let same = leg.place() == before.place();
            if same {
                all.iter_mut().zip(strands).for_each(|(all, strand)| *all += *strand);
            }
            same
        });
        tour
    }

    /// Adds the strands of a block and of the arms that leave it and return to it.
    fn add_around(
        &mut self,
        known: &mut StrandTables,
        head: Leg,
        arms: impl IntoIterator<Item = Arm>,
    ) {
        let mut strands = StrandNumbers::default();
        let mut arms = arms.into_iter();
        for (path, strand) in strands.iter_mut().enumerate().take(head.block.paths.len()) {
            *strand = self.add(known, &head, path, (true, false));
            let Some(arm) = arms.next() else { continue };
            let first = self.legs.len();
            for leg in &arm.legs {
                let (path, mut strands) = (arm.paths(leg).0, StrandNumbers::default());
                strands[path] = self.add(known, leg, path, (true, arm.backwards));
                self.legs.push((leg.clone(), strands));
            }
            for (at, leg) in (first..self.legs.len()).zip(&arm.legs).rev() {
                if let Some(path) = arm.paths(leg).1 {
                    self.legs[at].1[path] = self.add(known, leg, path, (false, arm.backwards));
                }
            }
        }
        self.legs.push((head, strands));
    }

    /// Adds the strand of one path of a leg and returns its number. The strand goes along the arm or against
    /// it, and the path is traversed forwards or backwards.
    fn add(
        &mut self,
        known: &mut StrandTables,
        leg: &Leg,
        path: usize,
        (along, backwards): (bool, bool),
    ) -> u32 {
        let corner = leg.turned((0, 0));
        let table = known.table(leg, path, backwards, || {
            let zero = self.grid.number(corner);
            let step = |cell: Coord, is_there: bool| match is_there {
                true => self.grid.number(leg.turned(cell)).wrapping_sub(zero),
                false => 0,
            };
            let down = step((1, 0), leg.block.rows > 1);
            let right = step((0, 1), leg.block.cols > 1);
            let away =
                |&(row, col): &Coord| row.wrapping_mul(down).wrapping_add(col.wrapping_mul(right));
            let (first, cells) = (self.tables.len(), &leg.block.paths[path]);
            self.tables.extend(cells.iter().map(away));
            if backwards {
                self.tables[first..].reverse();
            }
            (first as u32, cells.len() as u32)
        });
        let (from, to) = if along { leg.cols } else { (leg.cols.1, leg.cols.0) };
        let base = |part| {
            let (row, col) = (self.grid.rows.origin(leg.row), self.grid.cols.origin(part));
            self.grid.number((row + corner.0, col + corner.1))
        };
        let next = (from + u32::from(to > from)).saturating_sub((to < from).into());
        let stride = base(next).wrapping_sub(base(from));
        let first = known.now;
        self.strands.push(Strand { first, table, base: base(from), stride, from, backwards });
        known.now += u64::from(table.1) * u64::from(leg.count());
        (self.strands.len() - 1) as u32
    }

    /// Returns the board.
    pub(super) fn board(&self) -> &Board {
        &self.grid.board
    }

    /// Returns the number of squares.
    pub(super) fn len(&self) -> u64 {
        self.grid.board.len() as u64
    }

    /// Returns the time at which the tour is on a square.
    pub(super) fn time(&self, square: Square) -> u64 {
        let BlockGrid { board, view, rows, cols } = &self.grid;
        let (row, col) = view.cell(board, square);
        let (band, part) = (rows.holding(row), cols.holding(col));
        let (leg, strands) =
            &self.legs[self.legs.partition_point(|(leg, _)| leg.place() <= (band, part)) - 1];
        let cell = (row - rows.origin(band), col - cols.origin(part));
        let (path, place) = leg.block.place(leg.turned(cell));
        let strand = &self.strands[strands[path] as usize];
        let length = u64::from(strand.table.1);
        let place = if strand.backwards { length - 1 - place } else { place };
        strand.first + u64::from(part.abs_diff(strand.from)) * length + place
    }

    /// Appends the squares of a range of times.
    pub(super) fn append(&self, part: Range<u64>, squares: &mut Vec<Square>) {
        let Range { start: mut at, end } = part;
        let mut number = self.strands.partition_point(|strand| strand.first <= at);
        while at < end {
            let strand = &self.strands[number - 1];
            let next = self.strands.get(number).map_or(self.len(), |strand| strand.first);
            let (from, length) = (strand.table.0 as usize, strand.table.1 as usize);
            let table = &self.tables[from..from + length];
            let (block, skip) = (
                (at - strand.first) / table.len() as u64,
                (at - strand.first) % table.len() as u64,
            );
            let mut base = strand.base.wrapping_add(strand.stride.wrapping_mul(block as u32));
            let mut rest = &table[skip as usize..];
            let stop = next.min(end);
            while at < stop {
                let here = &rest[..rest.len().min((stop - at) as usize)];
                squares.extend(here.iter().map(|&away| Square::new(base.wrapping_add(away))));
                at += here.len() as u64;
                base = base.wrapping_add(strand.stride);
                rest = table;
            }
            number += 1;
        }
    }
}

/// The tables built so far, by kind of block, mirror image, path, and whether the path is traversed
/// from its end. Tables of length 0 are not built yet.
struct StrandTables {
    tables: Vec<(u32, u32)>,
    /// Start time of the next strand.
    now: u64,
}

impl StrandTables {
    fn table(
        &mut self,
        leg: &Leg,
        path: usize,
        backwards: bool,
        make: impl FnOnce() -> (u32, u32),
    ) -> (u32, u32) {
        let flip = 2 * usize::from(leg.flip.0) + usize::from(leg.flip.1);
        let slot = ((4 * leg.kind + flip) * 4 + path) * 2 + usize::from(backwards);
        if slot >= self.tables.len() {
            self.tables.resize(slot + 32, (0, 0));
        }
        if self.tables[slot].1 == 0 {
            self.tables[slot] = make();
        }
        self.tables[slot]
    }
}

#[cfg(any(test, debug_assertions))]
impl Strands {
    /// Checks the description of a tour. Cost: O(blocks + strands log strands).
    ///
    /// 1. Legs tile the grid: every block of the grid belongs to one leg and has the size of that leg's
    ///    block.
    /// 2. Strands follow each other: each covers a whole number of blocks, and the last ends when all squares
    ///    are visited.
    /// 3. Strands join: a knight's move leads from each block of a strand to the next, from each
    ///    strand to the next, and from the last to the first if the tour is closed.
    /// 4. At both ends of every strand, the functions from time to square and from square to time are
    ///    inverse.
    pub(super) fn sanity(&self, closed: bool) -> Result<(), String> {
        use crate::solvers::sanity::ensure;
        let BlockGrid { board, rows, cols, .. } = &self.grid;
        let mut legs = self.legs.iter().map(|(leg, _)| leg).peekable();
        for row in 0..rows.parts() {
            let mut col = 0;
            while let Some(leg) = legs.next_if(|leg| leg.place() == (row, col)) {
                let size = (leg.block.rows, leg.block.cols);
                for col in col..col + leg.count() {
                    let expected = (rows.length(row), cols.length(col));
                    ensure!(size == expected, "block {row}, {col} is {size:?}, not {expected:?}");
                }
                col += leg.count();
            }
            ensure!(col == cols.parts(), "row {row} of the grid has no block {col}");
        }
        ensure!(legs.next().is_none(), "blocks overlap");
        let square = |time: u64| {
            let mut one = Vec::with_capacity(1);
            self.append(time..time + 1, &mut one);
            one[0]
        };
        let joins = |from: u64, to: u64| {
            let (a, b) = (square(from), square(to));
            let (rows, cols) =
                (board.row(a).abs_diff(board.row(b)), board.col(a).abs_diff(board.col(b)));
            rows * cols == 2
        };
        let ends = self.strands[1..].iter().map(|strand| strand.first).chain([self.len()]);
        for (number, (strand, end)) in self.strands.iter().zip(ends).enumerate() {
            let (first, length) = (strand.first, u64::from(strand.table.1));
            let whole = first < end && (end - first).is_multiple_of(length);
            ensure!(whole, "strand {number} lasts from {first} to {end}");
            let repeats = end - first > length;
            let on = !repeats || joins(first + length - 1, first + length);
            ensure!(on, "blocks of strand {number} do not join");
            let next = if end < self.len() { end } else { 0 };
            let on = (next == 0 && !closed) || joins(end - 1, next);
            ensure!(on, "strand {number} does not join the next");
            for time in [first, end - 1] {
                let again = self.time(square(time));
                ensure!(again == time, "the square of time {time} has time {again}");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::block::RouteShape;
    use super::*;

    fn strands(rows: u32, cols: u32) -> Strands {
        let board = Board::new(rows.into(), cols.into()).unwrap();
        let (view, rows, cols) =
            (View::of(&board), SideCuts::new(rows, 0, 0), SideCuts::new(cols, 0, 0));
        let snake = Snake::new(rows, cols, RouteShape::Cycle).unwrap();
        Strands::new(BlockGrid { board, view, rows, cols }, snake)
    }

    #[test]
    fn planted_faults_are_found() {
        assert_eq!(strands(30, 42).sanity(true), Ok(()));
        type Planted = fn(&mut Strands);
        let faults: [(Planted, &str); 8] = [
            (|s| _ = s.legs.remove(2), "no block"),
            (|s| s.legs[2].0.row += 1, "no block"),
            (|s| s.grid.cols.before += 1, "block"),
            (|s| s.strands[3].first += 1, "lasts"),
            (|s| s.strands[3].base += 1, "join"),
            (|s| s.strands.iter_mut().for_each(|strand| strand.stride += 2), "join"),
            (|s| s.tables.swap(0, 1), "has time 1"),
            (|s| s.legs.iter_mut().for_each(|(_, numbers)| numbers.reverse()), "has time"),
        ];
        for (at, (fault, named)) in faults.into_iter().enumerate() {
            let mut broken = strands(30, 42);
            fault(&mut broken);
            let found = broken.sanity(true).unwrap_err();
            assert!(found.contains(named), "{at}: {found}");
        }
    }
}
