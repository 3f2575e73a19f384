//! A tour described by its blocks: any part of it can be written down without the rest.
//!
//! The tour is a list of *strands*: a path of a block, repeated along a row of like blocks. So a
//! square is a start, plus a multiple of the distance between blocks, plus an entry of a table, and
//! both questions, where the knight is at a time and when it is on a square, are arithmetic after
//! one binary search. A board of 10^8 squares has some 10^4 strands and a few kilobytes of tables.

use super::block::{Cell, NotFound, Shape};
use super::cuts::Cuts;
use super::snake::{Arm, Leg, Onward, Snake};
use super::view::View;
use crate::board::{Board, Square};
use crate::problem::Problem;
use crate::problem::theorems::{Existence, Finding, closes, knight_rectangle, known};
use crate::search::Unsupported;
use std::ops::Range;

/// One head may hold both ends of a tour if they lie within so many rows and columns of each other.
const SPAN: u32 = 16;
/// By how much the head may be larger than it need be, one after the other.
const MARGINS: [u32; 3] = [0, 8, 24];

/// A path of a block, repeated.
#[derive(Debug)]
struct Strand {
    /// When the knight enters it.
    first: u64,
    /// Where the path's squares are in the tables, and how many.
    table: (u32, u32),
    /// What is added to the table for the first block.
    base: u32,
    /// What is added for each further block.
    stride: u32,
    /// The first block's column of the grid.
    from: u32,
    /// Whether the path is traversed from its end.
    backwards: bool,
}

/// The strands of a block, by path: none has more than four.
type Strands = [u32; 4];

/// A tour of a rectangle, ready to be asked.
#[derive(Debug)]
pub struct Construction {
    board: Board,
    view: View,
    rows: Cuts,
    cols: Cuts,
    strands: Vec<Strand>,
    tables: Vec<u32>,
    /// Blocks by row and column of the grid and, by path, their strands.
    legs: Vec<(Leg, Strands)>,
    closed: bool,
    /// When the tour as described is on the first square of the tour as wanted.
    turn: u64,
    reversed: bool,
}

/// Why there is no construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Proved: there is no such tour.
    Impossible(Finding),
    /// The construction does not serve.
    Unsupported(Unsupported),
}

fn unsupported(reason: String) -> Refusal {
    Refusal::Unsupported(Unsupported(reason))
}

type Ends = (Option<Square>, Option<Square>);

impl Construction {
    /// A tour that answers the problem.
    pub fn new(problem: &Problem) -> Result<Construction, Refusal> {
        let graph = problem.graph();
        let Some(board) = knight_rectangle(graph) else {
            return Err(unsupported(
                "divide joins blocks into knight's tours of rectangles without holes; use exact or warnsdorff for other boards and pieces".into(),
            ));
        };
        let turns_back = closes(board);
        // Reasons take longer to write than small tours.
        let certain = turns_back && problem.start().is_none() && problem.end().is_none();
        if !certain && let Existence::Impossible(finding) = known(problem) {
            return Err(Refusal::Impossible(finding));
        }
        match (problem.start(), problem.end()) {
            (start, None) if turns_back => {
                let mut tour = Construction::build(board, None)?;
                tour.begin_at(start.unwrap_or(0));
                Ok(tour)
            }
            (None, Some(end)) if turns_back => {
                let mut tour = Construction::build(board, None)?;
                tour.begin_at(end);
                tour.begin_at(tour.square(1));
                Ok(tour)
            }
            (None, Some(end)) => {
                let tour = Construction::build(board, Some((Some(end), None)))?;
                Ok(Construction { reversed: true, ..tour })
            }
            (None, None) => Construction::build(board, Some((Some(0), None)))
                .or_else(|_| Construction::build(board, Some((None, None)))),
            ends => Construction::build(board, Some(ends)),
        }
    }

    /// A closed tour, or an open one with ends that may be given.
    fn build(board: &Board, ends: Option<Ends>) -> Result<Construction, Refusal> {
        let tour = match ends {
            Some((Some(start), Some(end))) => Construction::between(board, start, end),
            _ => Construction::around(board, ends),
        };
        tour.map_err(|none| refusal(board, none))
    }

    /// A tour with both ends given. A start for which no blocks are found may serve as the end, or
    /// may lie better in a mirror image.
    fn between(board: &Board, start: Square, end: Square) -> Result<Construction, NotFound> {
        let default = View::of(board);
        let other = View { tilted: !default.tilted, ..default };
        let views = [default, other].into_iter().filter(|view| view.serves(board));
        let mut none = NotFound { proof: false };
        for view in views.flat_map(|view| View::mirrors(view.tilted)) {
            for (ends, reversed) in [((start, end), false), ((end, start), true)] {
                let both = Some((Some(ends.0), Some(ends.1)));
                match Construction::with_head(board, view, both, &[ends.0], 0) {
                    Ok(tour) => return Ok(Construction { reversed, ..tour }),
                    Err(found) => none = found,
                }
                if none.proof {
                    return Err(none);
                }
            }
        }
        let apart = |of: fn(&Board, Square) -> u32| of(board, start).abs_diff(of(board, end));
        if apart(Board::row).max(apart(Board::col)) > SPAN {
            return Err(none);
        }
        Construction::around(board, Some((Some(start), Some(end))))
    }

    /// A tour whose head holds the ends that are given.
    fn around(board: &Board, ends: Option<Ends>) -> Result<Construction, NotFound> {
        let fixed = ends.into_iter().flat_map(|(start, end)| start.into_iter().chain(end));
        let held: Vec<Square> = fixed.collect();
        // What no head is found for may have a larger one, or one in a mirror image.
        let view = View::of(board);
        let larger = MARGINS.map(|margin| (view, margin));
        let mirrored = View::mirrors(view.tilted).skip(1).map(|view| (view, 0));
        let mut tour = Err(NotFound { proof: false });
        for (view, margin) in larger.into_iter().chain(mirrored) {
            tour = Construction::with_head(board, view, ends, &held, margin);
            if !matches!(tour, Err(NotFound { proof: false })) {
                break;
            }
        }
        tour
    }

    /// The tour of a board whose head holds these squares and what is around them. That there is none
    /// is proved only for whole boards.
    fn with_head(
        board: &Board,
        view: View,
        ends: Option<Ends>,
        held: &[Square],
        margin: u32,
    ) -> Result<Construction, NotFound> {
        let cell = |square: Square| view.cell(board, square);
        let cut = |side: u32, of: fn(Cell) -> u32| {
            let at = held.iter().map(|&square| of(cell(square)));
            let (low, high) = (at.clone().min(), at.max());
            let (low, high) = (low.unwrap_or(0), high.unwrap_or(0));
            Cuts::new(side, low.saturating_sub(margin), (side - 1).min(high + margin))
        };
        let (height, width) = view.size(board);
        let (rows, cols) = (cut(height, |cell| cell.0), cut(width, |cell| cell.1));
        if cols.parts() == 1 && rows.parts() > 1 {
            let view = View { tilted: !view.tilted, ..view };
            return Construction::with_head(board, view, ends, held, margin);
        }
        let shape = match ends {
            None => Shape::Cycle,
            Some((start, end)) => Shape::Path { start: start.map(cell), end: end.map(cell) },
        };
        let whole = rows.parts() == 1 && cols.parts() == 1;
        let snake = Snake::new(rows, cols, shape)
            .map_err(|none| NotFound { proof: none.proof && whole })?;
        let mut tour = Construction {
            board: board.clone(),
            view,
            rows,
            cols,
            strands: Vec::new(),
            tables: Vec::new(),
            legs: Vec::new(),
            closed: ends.is_none(),
            turn: 0,
            reversed: false,
        };
        tour.weave(snake);
        Ok(tour)
    }

    /// Lists the strands in the order of the tour.
    fn weave(&mut self, Snake { head, arms, onward }: Snake) {
        let legs = arms.iter().map(|arm| arm.legs.len()).sum::<usize>();
        let more = onward.as_ref().map_or(0, Onward::legs);
        self.strands.reserve(2 * (legs + more) + 3);
        self.legs.reserve(legs + more + 1);
        let mut loom = Loom { tables: Vec::new(), now: 0 };
        self.weave_around(&mut loom, head, arms);
        if let Some(Onward { legs, last, arm }) = onward {
            for leg in legs {
                let strand = self.strand(&mut loom, &leg, 0, (true, false));
                self.legs.push((leg, [strand, 0, 0, 0]));
            }
            self.weave_around(&mut loom, last, arm);
        }
        self.legs.sort_by_key(|(leg, _)| leg.place());
        // Where two arms share a block, each knows its own strands; the others are 0.
        self.legs.dedup_by(|(leg, strands), (before, all)| {
            let same = leg.place() == before.place();
            if same {
                all.iter_mut().zip(strands).for_each(|(all, strand)| *all += *strand);
            }
            same
        });
    }

    /// Lists the strands of a block and of the arms that leave it and come back.
    fn weave_around(&mut self, loom: &mut Loom, head: Leg, arms: impl IntoIterator<Item = Arm>) {
        let mut strands = Strands::default();
        let mut arms = arms.into_iter();
        for (path, strand) in strands.iter_mut().enumerate().take(head.block.paths.len()) {
            *strand = self.strand(loom, &head, path, (true, false));
            let Some(arm) = arms.next() else { continue };
            let first = self.legs.len();
            for leg in &arm.legs {
                let (path, mut strands) = (arm.paths(leg).0, Strands::default());
                strands[path] = self.strand(loom, leg, path, (true, arm.backwards));
                self.legs.push((leg.clone(), strands));
            }
            for (at, leg) in (first..self.legs.len()).zip(&arm.legs).rev() {
                if let Some(path) = arm.paths(leg).1 {
                    self.legs[at].1[path] = self.strand(loom, leg, path, (false, arm.backwards));
                }
            }
        }
        self.legs.push((head, strands));
    }

    /// Adds the strand of one path of a leg, along the arm or against it, the path as it was found
    /// or backwards.
    fn strand(
        &mut self,
        loom: &mut Loom,
        leg: &Leg,
        path: usize,
        (along, backwards): (bool, bool),
    ) -> u32 {
        let corner = leg.turned((0, 0));
        let table = loom.table(leg, path, backwards, || {
            let zero = self.number(corner);
            let step = |cell: Cell, is_there: bool| match is_there {
                true => self.number(leg.turned(cell)).wrapping_sub(zero),
                false => 0,
            };
            let down = step((1, 0), leg.block.rows > 1);
            let right = step((0, 1), leg.block.cols > 1);
            let away =
                |&(row, col): &Cell| row.wrapping_mul(down).wrapping_add(col.wrapping_mul(right));
            let (first, cells) = (self.tables.len(), &leg.block.paths[path]);
            self.tables.extend(cells.iter().map(away));
            if backwards {
                self.tables[first..].reverse();
            }
            (first as u32, cells.len() as u32)
        });
        let (from, to) = if along { leg.cols } else { (leg.cols.1, leg.cols.0) };
        let base = |part| {
            let (row, col) = (self.rows.origin(leg.row), self.cols.origin(part));
            self.number((row + corner.0, col + corner.1))
        };
        let next = (from + u32::from(to > from)).saturating_sub((to < from).into());
        let stride = base(next).wrapping_sub(base(from));
        let first = loom.now;
        self.strands.push(Strand { first, table, base: base(from), stride, from, backwards });
        loom.now += u64::from(table.1) * u64::from(leg.count());
        (self.strands.len() - 1) as u32
    }

    /// The number of a square by row and column of the grid.
    fn number(&self, cell: Cell) -> Square {
        self.view.square(&self.board, cell)
    }

    /// Number of squares.
    #[expect(clippy::len_without_is_empty, reason = "a tour always has a square")]
    pub fn len(&self) -> u64 {
        self.board.len() as u64
    }

    /// Makes a closed tour begin on another square; an open one stays as it is.
    pub fn begin_at(&mut self, square: Square) {
        if self.closed {
            self.turn = self.time(square);
        }
    }

    /// Where the knight is after `index` moves.
    pub fn square(&self, index: u64) -> Square {
        let mut one = Vec::with_capacity(1);
        self.write(index..index + 1, &mut one);
        one[0]
    }

    /// After how many moves the knight is on a square.
    pub fn index(&self, square: Square) -> u64 {
        let time = self.time(square);
        let index =
            if time >= self.turn { time - self.turn } else { time + self.len() - self.turn };
        if self.reversed { self.len() - 1 - index } else { index }
    }

    /// When the tour as described is on a square.
    fn time(&self, square: Square) -> u64 {
        let (row, col) = self.view.cell(&self.board, square);
        let (band, part) = (self.rows.holding(row), self.cols.holding(col));
        let (leg, strands) =
            &self.legs[self.legs.partition_point(|(leg, _)| leg.place() <= (band, part)) - 1];
        let cell = (row - self.rows.origin(band), col - self.cols.origin(part));
        let (path, place) = leg.block.place(leg.turned(cell));
        let strand = &self.strands[strands[path] as usize];
        let length = u64::from(strand.table.1);
        let place = if strand.backwards { length - 1 - place } else { place };
        strand.first + u64::from(part.abs_diff(strand.from)) * length + place
    }

    /// The whole tour.
    pub fn tour(&self) -> Vec<Square> {
        let mut squares = Vec::with_capacity(self.board.len());
        self.write(0..self.len(), &mut squares);
        squares
    }

    /// Appends a part of the tour, from and to numbers of moves.
    pub fn write(&self, part: Range<u64>, squares: &mut Vec<Square>) {
        let (len, before) = (self.len(), squares.len());
        let Range { start, end } =
            if self.reversed { len - part.end..len - part.start } else { part };
        let (start, end) = (start + self.turn, end + self.turn);
        self.lay(start.min(len)..end.min(len), squares);
        self.lay(start.max(len) - len..end.max(len) - len, squares);
        if self.reversed {
            squares[before..].reverse();
        }
    }

    /// Appends a part of the tour as described.
    fn lay(&self, part: Range<u64>, squares: &mut Vec<Square>) {
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
                squares.extend(here.iter().map(|&away| base.wrapping_add(away)));
                at += here.len() as u64;
                base = base.wrapping_add(strand.stride);
                rest = table;
            }
            number += 1;
        }
    }
}

/// What is kept while strands are listed: the tables so far, by kind of block, how it lies, which of
/// its paths, and whether that is traversed from its end; those of length 0 are not made yet.
struct Loom {
    tables: Vec<(u32, u32)>,
    now: u64,
}

impl Loom {
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

fn refusal(board: &Board, none: NotFound) -> Refusal {
    if none.proof {
        return Refusal::Impossible(Finding {
            theorem: "complete search",
            reason: format!("the {board} board has no tour with these ends"),
        });
    }
    unsupported(format!(
        "divide finds no blocks of {board} for these ends; leave the start or the end free, name others, or use exact on boards of up to about 2048x2048"
    ))
}
