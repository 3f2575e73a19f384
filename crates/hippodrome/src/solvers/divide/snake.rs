//! How a board is cut into blocks, and the snake that goes through them.
//!
//! ```text
//!   ┌───┬───┬─────┬───┐    Both sides are cut into eights and one part of its own length, which
//!   │ ◀─┼─◀─┼──◀──┼─▲ │    make a grid of blocks. The block in the special row and column is
//!   ├───┼───┼─────┼─┼─┤    the *head*. Two arms leave it, one to the right and then upwards, one
//!   │ ┌─┼─◀─┼head─┼▶┘ │    to the left and then downwards; each goes to and fro through all the
//!   ├─┼─┼───┼─────┼───┤    blocks on its way. The tour goes out along an arm, covers one half of
//!   │ ▼─┼─▶─┼──▶──┼─▶ │    each block, turns in the last one and covers the other halves on its
//!   └───┴───┴─────┴───┘    way back.
//! ```
//!
//! In the direction of an arm, an arm that goes right from block to block and climbs at the end of
//! each row, every gate is the same pair of parallel moves, two ahead and one to the side:
//!
//! ```text
//!    · · ·│· · ·        b and a: the second last and the last square of the block's second row;
//!    · b a│· · ·        d and c: the first and the second square of the next block's first row.
//!    · · ·│d c ·        The tour goes out by a-c and returns by d-b.
//! ```
//!
//! The other directions are mirror images, and upwards the picture is mirrored in a diagonal.

use super::block::{Block, Cell, Gate, NotFound, Shape};
use std::sync::Arc;

/// The length of all parts but one.
const UNIT: u32 = 8;

/// One side of a board, cut into parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cuts {
    /// Units before the special part.
    pub(super) before: u32,
    special: u32,
    after: u32,
}

impl Cuts {
    /// Cuts a side so that the special part, which is as short as can be but not shorter than a
    /// unit, holds everything from `low` to `high`.
    pub(super) fn new(side: u32, low: u32, high: u32) -> Cuts {
        let units = (side / UNIT).saturating_sub(1);
        let before = units.min(low / UNIT);
        let least = side - units * UNIT;
        let more = (high + 1).saturating_sub(before * UNIT + least).div_ceil(UNIT);
        Cuts { before, special: least + more * UNIT, after: units - before - more }
    }

    /// Number of parts.
    pub(super) fn parts(&self) -> u32 {
        self.before + 1 + self.after
    }

    fn last(&self) -> u32 {
        self.before + self.after
    }

    /// Length of a part.
    pub(super) fn length(&self, part: u32) -> u32 {
        if part == self.before { self.special } else { UNIT }
    }

    /// Where a part begins.
    pub(super) fn origin(&self, part: u32) -> u32 {
        part * UNIT + if part > self.before { self.special - UNIT } else { 0 }
    }

    /// The part that holds a row or column.
    pub(super) fn holding(&self, at: u32) -> u32 {
        let beyond = self.before * UNIT + self.special;
        if at >= beyond {
            self.before + 1 + (at - beyond) / UNIT
        } else {
            self.before.min(at / UNIT)
        }
    }

    fn reversed(self) -> Cuts {
        Cuts { before: self.after, after: self.before, ..self }
    }
}

/// Where an arm enters or leaves a block, as seen along the arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Way {
    Across,
    Upwards,
}

impl Way {
    fn entry(self) -> Gate {
        let back = if self == Way::Across { (0, 1) } else { (1, 0) };
        Gate { out: (0, 0), back }
    }

    fn exit(self, rows: u32, cols: u32) -> Gate {
        match self {
            Way::Across => Gate { out: (1, cols - 1), back: (1, cols - 2) },
            Way::Upwards => Gate { out: (rows - 1, cols - 2), back: (rows - 2, cols - 2) },
        }
    }
}

/// Like blocks in a row of the grid, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub(super) block: Arc<Block>,
    /// Row of the grid.
    pub(super) row: u32,
    /// First and last column of the grid in the order of the arm.
    pub(super) cols: (u32, u32),
    /// Whether the block is turned upside down, and left to right.
    pub(super) flip: (bool, bool),
}

impl Leg {
    /// How many blocks there are.
    pub(super) fn count(&self) -> u32 {
        self.cols.0.abs_diff(self.cols.1) + 1
    }

    /// Whether the tour comes this way again.
    pub(super) fn returns(&self) -> bool {
        self.block.paths.len() > 1
    }

    /// Turns a cell of the block as it was found into a cell of the block as it lies, or back.
    pub(super) fn turned(&self, (row, col): Cell) -> Cell {
        let (rows, cols) = (self.block.rows, self.block.cols);
        (
            if self.flip.0 { rows - 1 - row } else { row },
            if self.flip.1 { cols - 1 - col } else { col },
        )
    }
}

/// A board cut into blocks: the head and its arms, in the order of the tour.
pub(super) struct Snake {
    pub(super) head: Leg,
    pub(super) arms: Vec<Arm>,
}

/// The blocks on one side of the head.
pub(super) struct Arm {
    pub(super) legs: Vec<Leg>,
    /// Whether the tour goes out by what is elsewhere the way back.
    pub(super) backwards: bool,
}

impl Snake {
    /// Finds all blocks. `shape` is what the head is made of, in cells of the board.
    pub(super) fn new(rows: Cuts, cols: Cuts, shape: Shape) -> Result<Snake, NotFound> {
        let (height, width) = (rows.special, cols.special);
        let upright = way_on(rows, cols).map(|way| (way.exit(height, width), false));
        let turned = way_on(rows.reversed(), cols.reversed()).map(|way| {
            let rotate = |(row, col): Cell| (height - 1 - row, width - 1 - col);
            let Gate { out, back } = way.exit(height, width);
            (Gate { out: rotate(out), back: rotate(back) }, true)
        });
        let (gates, turns): (Vec<_>, Vec<_>) = upright.into_iter().chain(turned).unzip();
        let (top, left) = (rows.origin(rows.before), cols.origin(cols.before));
        let inside = |(row, col): Cell| (row - top, col - left);
        let shape = match shape {
            Shape::Cycle => Shape::Cycle,
            Shape::Path { start, end } => {
                Shape::Path { start: start.map(inside), end: end.map(inside) }
            }
        };
        let block = Block::find((height, width), gates, shape, false)?;
        let mut links = Links::default();
        let arms: Result<_, _> = (block.passed.iter())
            .map(|&(gate, backwards)| {
                Ok(Arm { legs: links.legs(rows, cols, turns[gate])?, backwards })
            })
            .collect();
        let cols = (cols.before, cols.before);
        Ok(Snake { head: Leg { block, row: rows.before, cols, flip: (false, false) }, arms: arms? })
    }
}

/// How the upper right arm leaves the head, if there is anything to go to.
fn way_on(rows: Cuts, cols: Cuts) -> Option<Way> {
    match (cols.after, rows.after) {
        (0, 0) => None,
        (0, _) => Some(Way::Upwards),
        _ => Some(Way::Across),
    }
}

/// Height, width, entry and exit of a block of an arm.
type Link = (u32, u32, Way, Option<Way>);

/// The blocks that the arms are made of: a few kinds, over and over.
#[derive(Default)]
struct Links(Vec<(Link, Arc<Block>)>);

impl Links {
    /// The blocks of the upper right arm, or of the lower left one if the board is turned by half a turn.
    fn legs(&mut self, rows: Cuts, cols: Cuts, turned: bool) -> Result<Vec<Leg>, NotFound> {
        let turn = |cuts: Cuts, really: bool| if really { cuts.reversed() } else { cuts };
        let (rows, last) = (turn(rows, turned), cols.last());
        let mut legs = Vec::new();
        for row in rows.before..rows.parts() {
            let flip = (turned, turned != ((row - rows.before) % 2 == 1));
            let cols = turn(cols, flip.1);
            let first = if row == rows.before { cols.before + 1 } else { 0 };
            // Blocks are alike between these columns.
            let mut marks = [
                first,
                first + u32::from(first == 0),
                cols.before,
                cols.before + 1,
                last,
                last + 1,
            ];
            marks.sort_unstable();
            let stretches =
                marks.windows(2).filter(|m| (first..=last).contains(&m[0]) && m[0] < m[1]);
            for (from, to) in stretches.map(|m| (m[0], m[1] - 1)) {
                let entry = if from == 0 { Way::Upwards } else { Way::Across };
                let exit = match (from < last, row < rows.last()) {
                    (true, _) => Some(Way::Across),
                    (false, true) => Some(Way::Upwards),
                    (false, false) => None,
                };
                let block = self.link((rows.length(row), cols.length(from), entry, exit))?;
                let row = if turned { rows.last() - row } else { row };
                let cols = if flip.1 { (last - from, last - to) } else { (from, to) };
                legs.push(Leg { block, row, cols, flip });
            }
        }
        Ok(legs)
    }

    /// A block of an arm: a way out and a way back, or one path where the arm ends.
    fn link(&mut self, link: Link) -> Result<Arc<Block>, NotFound> {
        if let Some((_, block)) = self.0.iter().find(|known| known.0 == link) {
            return Ok(block.clone());
        }
        let (rows, cols, entry, exit) = link;
        let gates = std::iter::once(entry.entry()).chain(exit.map(|way| way.exit(rows, cols)));
        let block = Block::find((rows, cols), gates.collect(), Shape::Cycle, true)?;
        self.0.push((link, block.clone()));
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other_and_hold_what_they_should() {
        for side in 1..=100 {
            for low in 0..side {
                for high in low..side.min(low + 30) {
                    let cuts = Cuts::new(side, low, high);
                    let mut next = 0;
                    for part in 0..cuts.parts() {
                        assert_eq!(cuts.origin(part), next);
                        next += cuts.length(part);
                        assert!((cuts.origin(part)..next).all(|at| cuts.holding(at) == part));
                    }
                    assert_eq!(next, side);
                    assert!([low, high].iter().all(|&at| cuts.holding(at) == cuts.before));
                }
            }
        }
    }
}
