//! Divides a board into blocks and finds the snake through them.
//!
//! ```text
//!   ┌───┬───┬─────┬───┐    Both sides are divided into parts of eight and one of another length,
//!   │ ◀─┼─◀─┼──◀──┼─▲ │    which form a grid of blocks. The block in the special row and column is
//!   ├───┼───┼─────┼─┼─┤    the *head*. Two arms leave it, one to the right and then upwards, one
//!   │ ┌─┼─◀─┼head─┼▶┘ │    to the left and then downwards; each zigzags through the remaining rows
//!   ├─┼─┼───┼─────┼───┤    of blocks. The tour follows an arm, covers one half of each block, turns
//!   │ ▼─┼─▶─┼──▶──┼─▶ │    around in the last one and covers the other halves on its way back.
//!   └───┴───┴─────┴───┘
//! ```
//!
//! Consider an arm that goes right from block to block and up at the end of each row. Every gate is then the
//! same pair of parallel moves, two squares ahead and one to the side:
//!
//! ```text
//!    · · ·│· · ·        b and a: the second last and the last square of the block's second row;
//!    · b a│· · ·        d and c: the first and the second square of the next block's first row.
//!    · · ·│d c ·        The tour goes out by a-c and returns by d-b.
//! ```
//!
//! The other directions are mirror images; for the upward gates the picture is mirrored in a diagonal.
//!
//! On a board with four rows the squares form two halves, and a tour crosses between them only once.
//! So if a tour begins between two arms, it goes out and back through one half of an arm, then out and back
//! through the other half; see [`BaseBoard::halves`].
//!
//! A tour that begins in the head and ends in another block covers each block between the two by one
//! path, entered by a-c or by d-b depending on the colours. Beyond the tour's last block, the arm continues
//! like any other arm.

use super::block::{BaseBoard, BlockGate, Coord, NotFound, RouteShape};
use super::cuts::SideCuts;
use std::sync::Arc;

/// The side by which an arm enters or leaves a block, as seen along the arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Heading {
    Across,
    Upwards,
}

impl Heading {
    fn entry(self) -> BlockGate {
        let back = if self == Heading::Across { (0, 1) } else { (1, 0) };
        BlockGate { out: (0, 0), back }
    }

    fn exit(self, rows: u32, cols: u32) -> BlockGate {
        match self {
            Heading::Across => BlockGate { out: (1, cols - 1), back: (1, cols - 2) },
            Heading::Upwards => BlockGate { out: (rows - 1, cols - 2), back: (rows - 2, cols - 2) },
        }
    }
}

/// A run of consecutive blocks in one row of the grid that are all equal.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub(super) block: Arc<BaseBoard>,
    /// Kind of the block; legs of the same kind have the same block.
    pub(super) kind: usize,
    /// Row of the grid.
    pub(super) row: u32,
    /// First and last column of the grid, in the order in which the arm visits them.
    pub(super) cols: (u32, u32),
    /// Whether the block is mirrored vertically, and whether it is mirrored horizontally.
    pub(super) flip: (bool, bool),
}

impl Leg {
    /// Returns the grid row and the smallest grid column.
    pub(super) fn place(&self) -> (u32, u32) {
        (self.row, self.cols.0.min(self.cols.1))
    }

    /// Returns the number of blocks.
    pub(super) fn count(&self) -> u32 {
        self.cols.0.abs_diff(self.cols.1) + 1
    }

    /// Converts a cell between the block as found and the block as placed, in either direction.
    pub(super) fn turned(&self, cell: Coord) -> Coord {
        mirrored(cell, (self.block.rows, self.block.cols), self.flip)
    }
}

/// Mirrors a cell of a rectangle, vertically and horizontally as `flip` says.
pub(super) fn mirrored((row, col): Coord, (rows, cols): (u32, u32), flip: (bool, bool)) -> Coord {
    (if flip.0 { rows - 1 - row } else { row }, if flip.1 { cols - 1 - col } else { col })
}

/// A board divided into blocks, in the order of the tour.
pub(super) struct Snake {
    pub(super) head: Leg,
    /// The arms that leave the head and return to it.
    pub(super) arms: Vec<Arm>,
    /// The last arm, if the tour ends in another block.
    pub(super) onward: Option<OnwardArm>,
}

/// The blocks on one side of the head.
pub(super) struct Arm {
    pub(super) legs: Vec<Leg>,
    /// Index of the arm's first path in each block; its second path comes next. Other paths belong to another
    /// arm.
    pub(super) first: usize,
    /// Whether outbound and inbound paths are exchanged.
    pub(super) backwards: bool,
}

impl Arm {
    /// Returns the outbound and the inbound path of a block; there is no inbound path where the arm
    /// turns around.
    pub(super) fn paths(&self, leg: &Leg) -> (usize, Option<usize>) {
        let back = leg.block.paths.get(self.first + 1).filter(|path| !path.is_empty());
        match (back, self.backwards) {
            (None, _) => (self.first, None),
            (Some(_), false) => (self.first, Some(self.first + 1)),
            (Some(_), true) => (self.first + 1, Some(self.first)),
        }
    }
}

/// Which part of its blocks an arm covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
    Whole,
    Half(usize),
}

/// The arm in which the tour ends.
pub(super) struct OnwardArm {
    /// The blocks on the way, each covered by one path.
    pub(super) legs: Vec<Leg>,
    /// The block with the last square.
    pub(super) last: Leg,
    /// The legs beyond that block.
    pub(super) arm: Option<Arm>,
}

impl OnwardArm {
    /// Returns the total number of legs.
    pub(super) fn legs(&self) -> usize {
        self.legs.len() + 1 + self.arm.as_ref().map_or(0, |arm| arm.legs.len())
    }
}

impl Snake {
    /// Finds all blocks. `shape` describes the tour in cells of the board; the tour starts in the head.
    pub(super) fn new(
        rows: SideCuts,
        cols: SideCuts,
        shape: RouteShape,
    ) -> Result<Snake, NotFound> {
        let (height, width) = (rows.special, cols.special);
        let home = (rows.before, cols.before);
        let block_of = |(row, col): Coord| (rows.holding(row), cols.holding(col));
        let inside = |cell: Coord| {
            let (row, col) = block_of(cell);
            (cell.0 - rows.origin(row), cell.1 - cols.origin(col))
        };
        let rotate = |(row, col): Coord| (height - 1 - row, width - 1 - col);
        let upright = way_on(rows, cols).map(|way| way.exit(height, width));
        let turned = way_on(rows.reversed(), cols.reversed()).map(|way| way.exit(height, width));
        let in_halves = height == 4
            && rows.parts() == 1
            && upright.is_some()
            && matches!(shape, RouteShape::Path { start: Some(_), end: None });
        let turned = turned.into_iter().flat_map(|gate| match in_halves {
            false => vec![(gate, true, Share::Whole)],
            true => (0..2).map(|half| (half_exit(width, half), true, Share::Half(half))).collect(),
        });
        let turned = turned.map(|(BlockGate { out, back }, turned, share)| {
            (BlockGate { out: rotate(out), back: rotate(back) }, turned, share)
        });
        let upright = upright.map(|gate| (gate, false, Share::Whole));
        let mut exits: Vec<(BlockGate, bool, Share)> = upright.into_iter().chain(turned).collect();
        let mut links = Links::default();
        let mut onward = None;
        let shape = match shape {
            RouteShape::Cycle => RouteShape::Cycle,
            RouteShape::Path { start: Some(start), end: Some(end) } if block_of(end) != home => {
                let towards = block_of(end) < home;
                let at = exits.iter().position(|exit| exit.1 == towards);
                let (gate, ..) = exits.remove(at.ok_or(NotFound { proof: false })?);
                let start = inside(start);
                let (leave, outside) = gate.side(start, (height, width));
                let stretches = stretches(rows, cols, towards, Some(block_of(end)));
                let goal = (block_of(end), inside(end));
                onward = Some(links.onward(stretches, outside, goal)?);
                RouteShape::Path { start: Some(start), end: Some(leave) }
            }
            RouteShape::Path { start, end } => {
                RouteShape::Path { start: start.map(inside), end: end.map(inside) }
            }
        };
        let gates = exits.iter().map(|exit| exit.0).collect();
        let block = BaseBoard::find((height, width), gates, shape, false)?;
        let arms: Result<_, _> = (block.passed.iter())
            .map(|&(gate, backwards)| {
                let (_, turned, share) = exits[gate];
                let stretches = stretches(rows, cols, turned, None);
                let (first, cover) = match share {
                    Share::Whole => (0, Traversal::BothWays),
                    Share::Half(half) => (2 * half, Traversal::InHalves),
                };
                Ok(Arm { legs: links.legs(stretches, cover)?, first, backwards })
            })
            .collect();
        let cols = (cols.before, cols.before);
        let head = Leg { block, kind: HEAD, row: rows.before, cols, flip: (false, false) };
        Ok(Snake { head, arms: arms?, onward })
    }
}

/// Returns the direction in which the upper right arm leaves the head, if there is such an arm.
fn way_on(rows: SideCuts, cols: SideCuts) -> Option<Heading> {
    match (cols.after, rows.after) {
        (0, 0) => None,
        (0, _) => Some(Heading::Upwards),
        _ => Some(Heading::Across),
    }
}

/// The height and width of a block in an arm, and the sides by which the arm enters and leaves it.
type Link = (u32, u32, Heading, Option<Heading>);

/// A leg whose block has not been found yet.
struct Stretch {
    link: Link,
    row: u32,
    cols: (u32, u32),
    flip: (bool, bool),
}

impl Stretch {
    fn holds(&self, (row, col): (u32, u32)) -> bool {
        let (from, to) = self.cols;
        self.row == row && (from.min(to)..=from.max(to)).contains(&col)
    }

    fn leg(&self, (block, kind): (Arc<BaseBoard>, usize)) -> Leg {
        Leg { block, kind, row: self.row, cols: self.cols, flip: self.flip }
    }
}

/// Returns the stretches of the upper right arm, or of the lower left one if the board is rotated by
/// half a turn. The block `alone`, if given, is a separate stretch.
fn stretches(
    rows: SideCuts,
    cols: SideCuts,
    turned: bool,
    alone: Option<(u32, u32)>,
) -> Vec<Stretch> {
    let turn = |cuts: SideCuts, really: bool| if really { cuts.reversed() } else { cuts };
    let (rows, last) = (turn(rows, turned), cols.last());
    let mut all = Vec::with_capacity(4 * (rows.parts() - rows.before) as usize);
    for row in rows.before..rows.parts() {
        let flip = (turned, turned != ((row - rows.before) % 2 == 1));
        let cols = turn(cols, flip.1);
        let first = if row == rows.before { cols.before + 1 } else { 0 };
        let length = rows.length(row);
        let exit = if row < rows.last() { Some(Heading::Upwards) } else { None };
        let row = if turned { rows.last() - row } else { row };
        let along = |col: u32| if flip.1 { last - col } else { col };
        let alone = alone.filter(|alone| alone.0 == row).map_or(first, |alone| along(alone.1));
        // Blocks between these columns are equal.
        let mut marks = [
            first,
            first + u32::from(first == 0),
            cols.before,
            cols.before + 1,
            last,
            last + 1,
            alone,
            alone + 1,
        ];
        marks.sort_unstable();
        let pairs = marks.windows(2).filter(|m| (first..=last).contains(&m[0]) && m[0] < m[1]);
        for (from, to) in pairs.map(|m| (m[0], m[1] - 1)) {
            let entry = if from == 0 { Heading::Upwards } else { Heading::Across };
            let exit = if from < last { Some(Heading::Across) } else { exit };
            let link = (length, cols.length(from), entry, exit);
            all.push(Stretch { link, row, cols: (along(from), along(to)), flip });
        }
    }
    all
}

/// How a block of an arm is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Traversal {
    /// By an outbound and an inbound path, or by one path where the arm ends.
    BothWays,
    /// By one path, which enters by the outer side (`true`) or the inner side of the gate.
    AtOneGo(bool),
    /// By outbound and inbound paths in each of two halves.
    InHalves,
}

/// Kinds of blocks that occur only once. The kinds of the arms' blocks are numbered after these.
const HEAD: usize = 0;
const LAST: usize = 1;

/// The kinds of blocks that the arms consist of; there are only a few.
#[derive(Default)]
struct Links {
    known: Vec<(Link, Traversal, Arc<BaseBoard>)>,
    /// Index of the last lookup. Rows are similar, so the next lookup is likely to find the next entry.
    last: usize,
}

impl Links {
    /// Returns the blocks of an arm through which the tour goes out and returns.
    fn legs(
        &mut self,
        stretches: impl IntoIterator<Item = Stretch>,
        cover: Traversal,
    ) -> Result<Vec<Leg>, NotFound> {
        stretches.into_iter().map(|s| Ok(s.leg(self.link(s.link, cover)?))).collect()
    }

    /// Returns the blocks of the arm in which the tour ends. The tour enters the arm by the outer or the
    /// inner side of the first gate, and ends in a cell of one of the blocks.
    fn onward(
        &mut self,
        stretches: Vec<Stretch>,
        mut outside: bool,
        (goal, end): ((u32, u32), Coord),
    ) -> Result<OnwardArm, NotFound> {
        let mut legs = Vec::new();
        let mut stretches = stretches.into_iter();
        for stretch in stretches.by_ref() {
            let (rows, cols, entry, exit) = stretch.link;
            let enter = entry.entry().other(outside);
            if stretch.holds(goal) {
                let gates: Vec<_> = exit.iter().map(|way| way.exit(rows, cols)).collect();
                let end = mirrored(end, (rows, cols), stretch.flip);
                let shape = RouteShape::Path { start: Some(enter), end: Some(end) };
                let block = BaseBoard::find((rows, cols), gates, shape, false)?;
                let arm = match block.passed.first() {
                    Some(&(_, backwards)) => {
                        let legs = self.legs(stretches, Traversal::BothWays)?;
                        Some(Arm { legs, first: 0, backwards })
                    }
                    None => None,
                };
                return Ok(OnwardArm { legs, last: stretch.leg((block, LAST)), arm });
            }
            legs.push(stretch.leg(self.link(stretch.link, Traversal::AtOneGo(outside))?));
            outside = exit.is_some_and(|way| way.exit(rows, cols).side(enter, (rows, cols)).1);
        }
        Err(NotFound { proof: false })
    }

    /// Returns a block of an arm, and the kind of the block.
    fn link(&mut self, link: Link, cover: Traversal) -> Result<(Arc<BaseBoard>, usize), NotFound> {
        let (next, count) = (self.last + 1, self.known.len());
        let mut order = (next..count).chain(0..next.min(count));
        if let Some(at) = order.find(|&at| (self.known[at].0, self.known[at].1) == (link, cover)) {
            self.last = at;
            return Ok((self.known[at].2.clone(), LAST + 1 + at));
        }
        let (rows, cols, entry, exit) = link;
        let exit = exit.map(|way| way.exit(rows, cols));
        let block = match cover {
            Traversal::BothWays => {
                let gates = std::iter::once(entry.entry()).chain(exit);
                BaseBoard::find((rows, cols), gates.collect(), RouteShape::Cycle, true)?
            }
            Traversal::AtOneGo(outside) => {
                let enter = entry.entry().other(outside);
                let leave = exit.map(|gate| gate.side(enter, (rows, cols)).0);
                let shape = RouteShape::Path { start: Some(enter), end: leave };
                BaseBoard::find((rows, cols), Vec::new(), shape, false)?
            }
            Traversal::InHalves => Arc::new(BaseBoard::halves(cols, exit.is_none())?),
        };
        self.known.push((link, cover, block.clone()));
        self.last = count;
        Ok((block, LAST + 1 + count))
    }
}

/// Returns the gate by which one half of an arm that is covered in halves leaves the head.
fn half_exit(width: u32, half: usize) -> BlockGate {
    let (outer, inner) = if half == 0 { (3, 2) } else { (0, 1) };
    BlockGate { out: (outer, width - 1), back: (inner, width - 1) }
}

// Defined here because only snakes pass gates.
impl BlockGate {
    /// Returns the gate square by which a path from `start` leaves a block after covering it, and whether
    /// that is the outer square. The colours decide which square it is.
    fn side(self, start: Coord, (rows, cols): (u32, u32)) -> (Coord, bool) {
        let colour = |(row, col): Coord| (row + col) % 2;
        let differs = rows * cols % 2 == 0;
        let outside = (colour(start) != colour(self.out)) == differs;
        (if outside { self.out } else { self.back }, outside)
    }

    /// Returns the cell by which an arm enters the next block if it leaves by the outer (or inner)
    /// side of its gate.
    fn other(self, outside: bool) -> Coord {
        if outside { self.back } else { self.out }
    }
}
