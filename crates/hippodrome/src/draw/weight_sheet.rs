//! Weights on moves, such as pheromone: one small board per move of the piece. The larger the weight of
//! that move from a square, the darker the square (lighter on a dark page).
//!
//! This is Figure 2 of Hingston & Kendall (2004). All boards share one scale from zero to the largest weight,
//! shown by a bar below them; squares from which the move leaves the board are empty.

use super::colour::{Palette, Rgb};
use super::glyph::{text, text_width};
use super::pen::{Op, Path, Pen, Point, Stroke, part};
use super::{DrawError, Style, board_up_to};
use crate::board::Board;
use crate::board::move_weights::MoveWeights;
use std::io;

/// Preferred number of boards per row, unless another gives larger squares.
const ACROSS: usize = 4;
/// Shades of grey.
const SHADES: usize = 64;
/// Longest board that can be drawn.
const LONGEST: u32 = 200;
/// Maximum size of a picture if none is requested, and maximum size of a square, in pixels.
const ROOM: (f32, f32) = (1076.0, 1600.0);
const CELL: f32 = 28.0;
/// Space around boards, as a share of the width, and its limit in pixels.
const GAP: (f32, f32) = (1.0 / 30.0, 36.0);

/// Layout of the boards.
pub(super) struct WeightSheet<'a> {
    weights: &'a MoveWeights,
    board: &'a Board,
    moves: &'a [(i32, i32)],
    palette: &'static Palette,
    /// Boards per row.
    across: usize,
    /// Side of a square.
    cell: f32,
    /// Space around boards.
    gap: f32,
    /// Width and height of the picture.
    pub(super) size: (u32, u32),
}

impl<'a> WeightSheet<'a> {
    pub(super) fn new(
        weights: &'a MoveWeights,
        style: &Style,
    ) -> Result<WeightSheet<'a>, DrawError> {
        let board = board_up_to(LONGEST, weights.graph())?;
        let moves = weights.graph().piece().map_or(&[][..], |piece| piece.moves());
        let size = style.checked_size()?.map(|size| size as f32);
        let room = size.map_or(ROOM, |size| (size, size));
        // Many moves need many rows; leave half of the space to the boards.
        let rows = moves.len().div_ceil(ACROSS) as f32;
        let gap = (GAP.0 * room.0).min(GAP.1).min(room.0 / (4.0 * rows + 4.0));
        // Wide boards are stacked, tall boards are side by side.
        let (mut across, mut cell) = (1, 0.0);
        for tried in [ACROSS, moves.len(), 2, 1] {
            let tried = tried.min(moves.len());
            let down = moves.len().div_ceil(tried);
            let wide = (room.0 - (tried + 1) as f32 * gap) / (tried * board.cols() as usize) as f32;
            let high = room.1 - (2 * down + 2) as f32 * gap;
            let side = wide.min(high / (down * board.rows() as usize) as f32);
            let side = if size.is_none() { side.min(CELL) } else { side };
            if side > cell {
                (across, cell) = (tried, side);
            }
        }
        let cell = if cell >= 4.0 { cell.floor() } else { cell };
        let down = moves.len().div_ceil(across);
        let wide = across as f32 * (board.cols() as f32 * cell + gap) + gap;
        let high = down as f32 * (board.rows() as f32 * cell + 2.0 * gap) + 2.0 * gap;
        let size = (wide.ceil() as u32, high.ceil() as u32);
        let palette = Palette::of(style.theme);
        Ok(WeightSheet { weights, board, moves, palette, across, cell, gap: gap.floor(), size })
    }

    /// Returns the title.
    pub(super) fn title(&self) -> String {
        let (count, graph) = (self.moves.len(), self.weights.graph());
        format!(
            "Pheromone on {graph}: one board for each of the {count} moves, stronger shades for more"
        )
    }

    /// Paints everything.
    pub(super) fn paint(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let (width, height) = self.size;
        pen.rect((0.0, 0.0), (width as f32, height as f32), self.palette.page)?;
        let most = self.weights.weights().iter().map(|a| a.2).fold(0.0, f64::max);
        for (code, &step) in self.moves.iter().enumerate() {
            let corner = self.corner(code);
            part(pen, "move", |pen| {
                self.squares(pen, code, corner, most)?;
                self.frame(pen, corner)?;
                self.arrow(pen, step, corner)
            })?;
        }
        part(pen, "legend", |pen| self.legend(pen, most))
    }

    /// Returns the top left corner of the board of a move.
    fn corner(&self, code: usize) -> Point {
        let (col, row) = ((code % self.across) as f32, (code / self.across) as f32);
        let (width, height) = self.board_size();
        (self.gap + col * (width + self.gap), 2.0 * self.gap + row * (height + 2.0 * self.gap))
    }

    fn board_size(&self) -> Point {
        (self.board.cols() as f32 * self.cell, self.board.rows() as f32 * self.cell)
    }

    fn squares(&self, pen: &mut dyn Pen, code: usize, (x, y): Point, most: f64) -> io::Result<()> {
        let (board, graph) = (self.board, self.weights.graph());
        let mut shades = vec![Vec::new(); SHADES];
        for &(from, to, amount) in self.weights.weights() {
            if graph.code(from, to) == Some(code) {
                let share = if most > 0.0 { amount / most } else { 0.0 };
                let across = board.col(from) as f32 * self.cell;
                let down = (board.rows() - 1 - board.row(from)) as f32 * self.cell;
                shades[(share * (SHADES - 1) as f64) as usize].push((x + across, y + down));
            }
        }
        for (shade, corners) in shades.iter().enumerate() {
            pen.tiles(corners, self.cell, self.shade(shade))?;
        }
        Ok(())
    }

    /// Returns a colour of the scale. Zero differs from a square without the move, and small weights from
    /// zero.
    fn shade(&self, shade: usize) -> Rgb {
        let share = (shade as f32 / (SHADES - 1) as f32).powf(0.8);
        self.palette.page.mix(self.palette.ink, 0.12 + 0.88 * share)
    }

    /// Paints the scale from zero to the largest weight.
    fn legend(&self, pen: &mut dyn Pen, most: f64) -> io::Result<()> {
        let height = (0.3 * self.gap).max(5.0);
        let (wide, high) = (self.size.0 as f32, self.size.1 as f32);
        let line = Stroke::solid(self.palette.label, (0.13 * height).max(0.8));
        let (zero, most) = ("0", amount(most));
        let beside = |text: &str| text_width(text, height) + height;
        let step = (0.25 * wide / SHADES as f32).max(0.5);
        let whole = beside(zero) + step * SHADES as f32 + beside(&most);
        let (left, middle) = (wide / 2.0 - whole / 2.0 + beside(zero), high - 0.9 * self.gap);
        for shade in 0..SHADES {
            let corner = (left + shade as f32 * step, middle - height / 2.0);
            // Steps overlap to hide seams.
            let size = (if shade + 1 < SHADES { 2.0 * step } else { step }, height);
            pen.rect(corner, size, self.shade(shade))?;
        }
        let right = left + SHADES as f32 * step;
        for (label, x) in [
            (zero, left - beside(zero) / 2.0 - height / 4.0),
            (most.as_str(), right + beside(&most) / 2.0 + height / 4.0),
        ] {
            pen.stroke(&text(label, (x, middle), height), &line)?;
        }
        Ok(())
    }

    fn frame(&self, pen: &mut dyn Pen, (x, y): Point) -> io::Result<()> {
        let (width, height) = self.board_size();
        let (right, low) = (x + width, y + height);
        let path = Path::through([(x, y), (right, y), (right, low), (x, low), (x, y)]);
        pen.stroke(&path, &Stroke::solid(self.palette.label, (0.02 * self.gap).max(1.0)))
    }

    /// Paints the move above its board: a dot at its start and an arrowhead at its end.
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

/// Formats a weight in about three digits.
fn amount(amount: f64) -> String {
    match amount {
        a if a >= 100.0 || a == 0.0 => format!("{a:.0}"),
        a if a >= 0.1 => format!("{a:.2}"),
        a => format!("{a:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_short() {
        let all = [0.0, 0.000_001_04, 0.25, 12.3456, 103.2].map(amount);
        assert_eq!(all, ["0", "1.0e-6", "0.25", "12.35", "103"]);
    }
}
