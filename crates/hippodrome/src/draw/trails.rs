//! The pheromone of a colony: one small board for each move of the piece, in which a square is the
//! darker the more pheromone lies on that move from it. On a dark page it is the lighter.
//!
//! This is Figure 2 of Hingston & Kendall (2004). All boards share one scale, from nothing to the
//! greatest amount; squares from which the move would leave the board are left empty.

use super::colour::Palette;
use super::pen::{Op, Path, Pen, Point, Stroke};
use super::{DrawError, Style};
use crate::board::Board;
use crate::pheromone::Pheromone;
use std::io;

/// Boards side by side.
const ACROSS: usize = 4;
/// Shades of grey.
const SHADES: usize = 64;
/// The longest board that is drawn.
const LONGEST: u32 = 200;
/// Length of the longer side of one board where no size is asked for.
const SIDE: f32 = 224.0;

/// Boards laid out and ready to be painted.
pub(super) struct Trails<'a> {
    pheromone: &'a Pheromone,
    board: &'a Board,
    moves: &'a [(i32, i32)],
    palette: &'static Palette,
    /// Side of a square.
    cell: f32,
    /// Space around boards.
    gap: f32,
    /// Width and height of the picture.
    pub(super) size: (u32, u32),
}

impl<'a> Trails<'a> {
    pub(super) fn new(pheromone: &'a Pheromone, style: &Style) -> Result<Trails<'a>, DrawError> {
        let graph = pheromone.graph();
        let (Some(board), Some(piece)) = (graph.board(), graph.piece()) else {
            return Err(DrawError::NoBoard { graph: graph.to_string() });
        };
        let long = board.rows().max(board.cols());
        if long > LONGEST {
            return Err(DrawError::TooLargeForTrails { graph: graph.to_string() });
        }
        let moves = piece.moves();
        let across = moves.len().min(ACROSS);
        let down = moves.len().div_ceil(across);
        // The gap between boards and the sides of the picture, all in squares.
        let gap = (0.16 * long as f32).max(1.0);
        let wide = across as f32 * (board.cols() as f32 + gap) + gap;
        let high = down as f32 * (board.rows() as f32 + 2.0 * gap) + gap;
        let cell = match style.checked_size()? {
            Some(size) => size as f32 / wide.max(high),
            None => (SIDE / long as f32).round().max(2.0),
        };
        let cell = if cell >= 4.0 { cell.floor() } else { cell };
        let size = ((wide * cell).ceil() as u32, (high * cell).ceil() as u32);
        let palette = Palette::of(style.theme);
        Ok(Trails { pheromone, board, moves, palette, cell, gap: (gap * cell).floor(), size })
    }

    /// What the picture shows, in words.
    pub(super) fn title(&self) -> String {
        let (count, graph) = (self.moves.len(), self.pheromone.graph());
        format!("Pheromone on {graph}: a board for each of the {count} moves, stronger for more")
    }

    /// Paints everything.
    pub(super) fn paint(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let (width, height) = self.size;
        pen.rect((0.0, 0.0), (width as f32, height as f32), self.palette.page)?;
        let most = self.pheromone.amounts().iter().map(|a| a.2).fold(0.0, f64::max);
        for (code, &step) in self.moves.iter().enumerate() {
            pen.begin("move")?;
            let corner = self.corner(code);
            self.squares(pen, code, corner, most)?;
            self.frame(pen, corner)?;
            self.arrow(pen, step, corner)?;
            pen.end()?;
        }
        Ok(())
    }

    /// The top left corner of the board of a move.
    fn corner(&self, code: usize) -> Point {
        let (col, row) = ((code % ACROSS) as f32, (code / ACROSS) as f32);
        let (width, height) =
            (self.board.cols() as f32 * self.cell, self.board.rows() as f32 * self.cell);
        (self.gap + col * (width + self.gap), 2.0 * self.gap + row * (height + 2.0 * self.gap))
    }

    fn squares(&self, pen: &mut dyn Pen, code: usize, (x, y): Point, most: f64) -> io::Result<()> {
        let (board, graph) = (self.board, self.pheromone.graph());
        let mut shades = vec![Vec::new(); SHADES];
        for &(from, to, amount) in self.pheromone.amounts() {
            if graph.code(from, to) == Some(code) {
                let share = if most > 0.0 { amount / most } else { 0.0 };
                let across = board.col(from) as f32 * self.cell;
                let down = (board.rows() - 1 - board.row(from)) as f32 * self.cell;
                shades[(share * (SHADES - 1) as f64) as usize].push((x + across, y + down));
            }
        }
        for (shade, corners) in shades.iter().enumerate() {
            // Even nothing is told from a square without the move.
            let share = 0.06 + 0.94 * shade as f32 / (SHADES - 1) as f32;
            pen.tiles(corners, self.cell, self.palette.page.mix(self.palette.ink, share))?;
        }
        Ok(())
    }

    fn frame(&self, pen: &mut dyn Pen, (x, y): Point) -> io::Result<()> {
        let (right, low) =
            (x + self.board.cols() as f32 * self.cell, y + self.board.rows() as f32 * self.cell);
        let path = Path::through([(x, y), (right, y), (right, low), (x, low), (x, y)]);
        pen.stroke(&path, &Stroke::solid(self.palette.label, (0.02 * self.gap).max(1.0)))
    }

    /// The move itself, above its board: a dot where it begins and an arrow's head where it ends.
    fn arrow(&self, pen: &mut dyn Pen, (rows, cols): (i32, i32), (x, y): Point) -> io::Result<()> {
        let (rows, cols) = (rows as f32, cols as f32);
        let reach = rows.abs().max(cols.abs());
        let unit = 0.62 * self.gap / reach;
        let middle = (x + self.board.cols() as f32 * self.cell / 2.0, y - self.gap);
        let at = |share: f32| (middle.0 + share * cols * unit, middle.1 - share * rows * unit);
        let (tail, tip) = (at(-1.0), at(1.0));
        let length = rows.hypot(cols);
        let (along, up) = (cols / length, -rows / length);
        let barb = 0.32 * self.gap;
        let wing = |turn: f32| {
            let (sin, cos) = turn.sin_cos();
            (tip.0 - barb * (along * cos - up * sin), tip.1 - barb * (up * cos + along * sin))
        };
        let mut path = Path::through([tail, tip]);
        path.0.extend([Op::Move(wing(0.5)), Op::Line(tip), Op::Line(wing(-0.5))]);
        let width = (0.07 * self.gap).max(1.0);
        pen.disc(tail, 1.6 * width, self.palette.ink)?;
        pen.stroke(&path, &Stroke::solid(self.palette.ink, width))
    }
}
