//! A tour described by its blocks. Any part of the tour can be written without the rest.
//!
//! The given ends decide how the board is divided: the head contains the start, or both ends. If
//! the blocks of one division cannot be found, larger heads, mirror images and the reverse
//! direction are tried.

use super::block::{Coord, NotFound, RouteShape};
use super::cuts::SideCuts;
use super::snake::Snake;
use super::strands::{BlockGrid, Strands};
use super::view::View;
use crate::board::{Board, Square};
use crate::problem::Problem;
use crate::problem::theorems::{Existence, Finding, closes, knight_rectangle, known};
use crate::search::Unsupported;
use std::ops::Range;

/// Maximum distance, in rows and columns, between two ends in one head. One head for both ends is
/// tried if no other division is found. Chosen by hand; it was 200 before ends in different blocks
/// were supported.
const SPAN: u32 = 16;
/// Number of rows and columns by which the head is enlarged on each side, in the order in which they are
/// tried. Chosen by hand: multiples of a block, not tuned.
const MARGINS: [u32; 3] = [0, 8, 24];

/// A tour of a rectangle; squares and times are computed on demand.
#[derive(Debug)]
pub struct Construction {
    strands: Strands,
    closed: bool,
    /// The time at which the tour begins, counted along the strands.
    turn: u64,
    reversed: bool,
}

/// The reason why there is no construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such tour, which is proved.
    Impossible(Finding),
    /// The construction does not support the problem.
    Unsupported(Unsupported),
}

fn unsupported(reason: String) -> Refusal {
    Refusal::Unsupported(Unsupported(reason))
}

type EndSquares = (Option<Square>, Option<Square>);

impl Construction {
    /// Constructs a tour that solves the problem.
    pub fn new(problem: &Problem) -> Result<Construction, Refusal> {
        let graph = problem.graph();
        let Some(board) = knight_rectangle(graph) else {
            return Err(unsupported(
                "divide joins blocks into knight's tours of rectangles without holes; use exact or warnsdorff for other boards and pieces".into(),
            ));
        };
        if problem.is_constrained() {
            return Err(unsupported(
                "divide cannot require or forbid moves; use exact or another search".into(),
            ));
        }
        let turns_back = closes(board);
        // Formatting a reason takes longer than constructing a small tour.
        let certain = turns_back && problem.start().is_none() && problem.end().is_none();
        if !certain && let Existence::Impossible(finding) = known(problem) {
            return Err(Refusal::Impossible(finding));
        }
        let tour = match (problem.start(), problem.end()) {
            (start, None) if turns_back => {
                let mut tour = Construction::build(board, None)?;
                tour.begin_at(start.unwrap_or_default());
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
            (None, None) => Construction::build(board, Some((Some(Square::default()), None)))
                .or_else(|_| Construction::build(board, Some((None, None)))),
            ends => Construction::build(board, Some(ends)),
        };
        #[cfg(debug_assertions)]
        if let Ok(tour) = &tour {
            crate::solvers::sanity::assert_sane(tour.sanity());
        }
        tour
    }

    /// Constructs a closed tour, or an open one with free or given ends.
    fn build(board: &Board, ends: Option<EndSquares>) -> Result<Construction, Refusal> {
        let tour = match ends {
            Some((Some(start), Some(end))) => Construction::between(board, start, end),
            _ => Construction::around(board, ends),
        };
        tour.map_err(|none| refusal(board, none))
    }

    /// Constructs a tour with both ends given. If the blocks cannot be found, tries the reverse
    /// tour and mirror images.
    fn between(board: &Board, start: Square, end: Square) -> Result<Construction, NotFound> {
        let default = View::of(board);
        let other = View { tilted: !default.tilted, ..default };
        let views = [default, other].into_iter().filter(|view| view.is_usable(board));
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

    /// Constructs a tour whose head contains the given ends.
    fn around(board: &Board, ends: Option<EndSquares>) -> Result<Construction, NotFound> {
        let fixed = ends.into_iter().flat_map(|(start, end)| start.into_iter().chain(end));
        let held: Vec<Square> = fixed.collect();
        // If no head is found, try larger ones and mirror images.
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

    /// Constructs a tour whose head contains the squares `held` and a margin around them. If this fails, it
    /// is a proof that there is no tour only if the head is the whole board.
    fn with_head(
        board: &Board,
        view: View,
        ends: Option<EndSquares>,
        held: &[Square],
        margin: u32,
    ) -> Result<Construction, NotFound> {
        let cell = |square: Square| view.cell(board, square);
        let cut = |side: u32, of: fn(Coord) -> u32| {
            let at = held.iter().map(|&square| of(cell(square)));
            let (low, high) = (at.clone().min(), at.max());
            let (low, high) = (low.unwrap_or(0), high.unwrap_or(0));
            SideCuts::new(side, low.saturating_sub(margin), (side - 1).min(high + margin))
        };
        let (height, width) = view.size(board);
        let (rows, cols) = (cut(height, |cell| cell.0), cut(width, |cell| cell.1));
        if cols.parts() == 1 && rows.parts() > 1 {
            let view = View { tilted: !view.tilted, ..view };
            return Construction::with_head(board, view, ends, held, margin);
        }
        let shape = match ends {
            None => RouteShape::Cycle,
            Some((start, end)) => RouteShape::Path { start: start.map(cell), end: end.map(cell) },
        };
        let whole = rows.parts() == 1 && cols.parts() == 1;
        let snake = Snake::new(rows, cols, shape)
            .map_err(|none| NotFound { proof: none.proof && whole })?;
        let grid = BlockGrid { board: board.clone(), view, rows, cols };
        let strands = Strands::new(grid, snake);
        Ok(Construction { strands, closed: ends.is_none(), turn: 0, reversed: false })
    }

    /// Returns the lengths of the parts into which the rows and the columns of the board are divided.
    pub fn parts(&self) -> [Vec<u32>; 2] {
        self.strands.parts()
    }

    /// Returns the number of squares.
    #[expect(clippy::len_without_is_empty, reason = "a tour always has a square")]
    pub fn len(&self) -> u64 {
        self.strands.len()
    }

    /// Rotates a closed tour to begin on another square; an open tour is unchanged.
    pub fn begin_at(&mut self, square: Square) {
        if self.closed {
            self.turn = self.strands.time(square);
        }
    }

    /// Returns the square after `index` moves.
    pub fn square(&self, index: u64) -> Square {
        let mut one = Vec::with_capacity(1);
        self.write(index..index + 1, &mut one);
        one[0]
    }

    /// Returns the number of moves before a square.
    pub fn index(&self, square: Square) -> u64 {
        let time = self.strands.time(square);
        let index =
            if time >= self.turn { time - self.turn } else { time + self.len() - self.turn };
        if self.reversed { self.len() - 1 - index } else { index }
    }

    /// Returns the whole tour.
    pub fn tour(&self) -> Vec<Square> {
        let mut squares = Vec::with_capacity(self.strands.board().len());
        self.write(0..self.len(), &mut squares);
        squares
    }

    /// Appends a part of the tour, given as a range of move numbers.
    pub fn write(&self, part: Range<u64>, squares: &mut Vec<Square>) {
        let (len, before) = (self.len(), squares.len());
        let Range { start, end } =
            if self.reversed { len - part.end..len - part.start } else { part };
        let (start, end) = (start + self.turn, end + self.turn);
        self.strands.append(start.min(len)..end.min(len), squares);
        self.strands.append(start.max(len) - len..end.max(len) - len, squares);
        if self.reversed {
            squares[before..].reverse();
        }
    }
}

#[cfg(any(test, debug_assertions))]
impl Construction {
    /// Checks the strands, and checks for some squares that `square` and `index` are inverse functions.
    fn sanity(&self) -> Result<(), String> {
        use crate::solvers::sanity::ensure;
        self.strands.sanity(self.closed)?;
        ensure!(self.closed || self.turn == 0, "an open tour begins at time {}", self.turn);
        for index in [0, 1, self.len() / 3, self.len() / 2, self.len() - 1] {
            let index = index.min(self.len() - 1);
            let again = self.index(self.square(index));
            ensure!(again == index, "the square after {index} moves has index {again}");
        }
        Ok(())
    }
}

fn refusal(board: &Board, none: NotFound) -> Refusal {
    if none.proof {
        return Refusal::Impossible(Finding::new(
            "complete search",
            format!("the {board} board has no tour with these ends"),
        ));
    }
    unsupported(format!(
        "divide finds no blocks of {board} for these ends; leave the start or the end free, choose others, or use exact on boards up to about 2048x2048"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Graph;

    #[test]
    fn planted_faults_are_found() {
        let tour = |rows, cols| {
            let graph = Graph::knight(Board::new(rows, cols).unwrap());
            Construction::new(&Problem::open(graph)).unwrap()
        };
        assert_eq!((tour(20, 30).sanity(), tour(21, 31).sanity()), (Ok(()), Ok(())));
        let late = Construction { turn: 7, ..tour(21, 31) };
        assert!(late.sanity().unwrap_err().contains("begins at time 7"));
        let unclosed = Construction { closed: true, ..tour(21, 31) };
        assert!(unclosed.sanity().unwrap_err().contains("does not join"));
    }
}
