//! Heat maps: squares and moves coloured by their use relative to the expected use. Red is more, blue is
//! less; full colour is four times as often or a quarter.

use super::colour::{Palette, Rgb};
use super::glyph::text;
use super::pen::{Path, Pen, Point, Stroke, part};
use super::{DrawError, Style, board_up_to};
use crate::board::{Board, Graph, Square};
use std::io;

const MORE: Rgb = Rgb([0xb2, 0x18, 0x2b]);
const LESS: Rgb = Rgb([0x21, 0x66, 0xac]);
/// Binary logarithm of the ratio at full colour.
const FULL: f64 = 2.0;
/// Height of the text below the boards, as a share of the width.
const WRITING: f32 = 0.09;
/// Steps of the scale between ratio 1 and full colour.
const SHADES: i32 = 4;
/// Longest board that can be drawn.
const LONGEST: u32 = 60;

/// Data of a heat map: observed use divided by expected use.
pub struct Heat {
    /// The board.
    pub graph: Graph,
    /// Ratio of each square by number; `None` if unknown.
    pub squares: Vec<Option<f64>>,
    /// Ratio of each move.
    pub moves: Vec<(Square, Square, f64)>,
    /// Title.
    pub title: String,
}

/// Layout of a heat map.
pub(super) struct HeatPicture<'a> {
    heat: &'a Heat,
    board: &'a Board,
    palette: &'static Palette,
    cell: f32,
    /// Width and height of the picture.
    pub(super) size: (u32, u32),
}

impl<'a> HeatPicture<'a> {
    pub(super) fn new(heat: &'a Heat, style: &Style) -> Result<HeatPicture<'a>, DrawError> {
        let board = board_up_to(LONGEST, &heat.graph)?;
        let long = board.rows().max(board.cols());
        // Two boards side by side, a margin of one square around each, and text below them.
        let (wide, high) = ((2 * board.cols() + 3) as f32, (board.rows() + 2) as f32);
        let writing = WRITING * wide;
        let cell = match style.checked_size()? {
            Some(size) => size as f32 / wide.max(high + writing),
            None => (480.0 / long as f32).clamp(12.0, 60.0).floor(),
        };
        let size = ((wide * cell).ceil() as u32, ((high + writing) * cell).ceil() as u32);
        Ok(HeatPicture { heat, board, palette: Palette::of(style.theme), cell, size })
    }

    /// Paints squares on the left and moves on the right.
    pub(super) fn paint(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let (width, height) = self.size;
        pen.rect((0.0, 0.0), (width as f32, height as f32), self.palette.page)?;
        part(pen, "squares", |pen| self.squares(pen))?;
        part(pen, "moves", |pen| self.moves(pen))?;
        part(pen, "legend", |pen| self.legend(pen))
    }

    fn squares(&self, pen: &mut dyn Pen) -> io::Result<()> {
        for square in self.board.iter() {
            let ratio = self.heat.squares.get(square.index()).copied().flatten();
            let colour = ratio.map_or(self.palette.hole, |ratio| self.colour(ratio));
            pen.rect(self.corner(square, 0), (self.cell - 1.0, self.cell - 1.0), colour)?;
        }
        Ok(())
    }

    fn moves(&self, pen: &mut dyn Pen) -> io::Result<()> {
        for square in self.board.iter() {
            let shade =
                if self.board.is_dark(square) { self.palette.dark } else { self.palette.light };
            pen.tiles(&[self.corner(square, 1)], self.cell, shade)?;
        }
        let mut moves: Vec<&(Square, Square, f64)> = self.heat.moves.iter().collect();
        // Strongest last, on top.
        moves.sort_by(|a, b| a.2.ln().abs().total_cmp(&b.2.ln().abs()));
        for &(from, to, ratio) in moves {
            let centre = |square| {
                let (x, y) = self.corner(square, 1);
                (x + self.cell / 2.0, y + self.cell / 2.0)
            };
            let strength = strength(ratio).abs();
            let line = Stroke::solid(self.colour(ratio), self.cell * (0.03 + 0.12 * strength));
            pen.stroke(&Path::through([centre(from), centre(to)]), &line)?;
        }
        Ok(())
    }

    /// Paints the captions of the boards and the colour scale.
    fn legend(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let (wide, high) = (self.size.0 as f32, self.size.1 as f32);
        let unit = 0.014 * wide;
        let line = Stroke::solid(self.palette.label, (0.13 * unit).max(0.8));
        let below = (self.board.rows() + 1) as f32 * self.cell + 1.4 * unit;
        for (board, caption) in [(0, "starts"), (1, "moves")] {
            let middle = 1.0 + board as f32 * (self.board.cols() + 1) as f32;
            let middle = (middle + self.board.cols() as f32 / 2.0) * self.cell;
            pen.stroke(&text(caption, (middle, below), unit), &line)?;
        }
        let (step, top) = (0.035 * wide, high - 4.0 * unit);
        for shade in -SHADES..=SHADES {
            let ratio = (f64::from(shade) / f64::from(SHADES) * FULL).exp2();
            let left = wide / 2.0 + (shade as f32 - 0.5) * step;
            pen.rect((left, top), (step - 1.0, unit), self.colour(ratio))?;
            if shade % 2 == 0 {
                let label = format!("{ratio}x");
                pen.stroke(&text(&label, (left + step / 2.0, top + 2.3 * unit), unit), &line)?;
            }
        }
        Ok(())
    }

    fn corner(&self, square: Square, board: u32) -> Point {
        let left = 1 + board * (self.board.cols() + 1) + self.board.col(square);
        let down = self.board.rows() - self.board.row(square);
        (left as f32 * self.cell, down as f32 * self.cell)
    }

    fn colour(&self, ratio: f64) -> Rgb {
        let strength = strength(ratio);
        let end = if strength > 0.0 { MORE } else { LESS };
        self.palette.between.mix(end, strength.abs())
    }
}

/// Returns the strength of a ratio, from -1 (a quarter or less) to 1 (four times or more).
fn strength(ratio: f64) -> f32 {
    (ratio.log2() / FULL).clamp(-1.0, 1.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_colour_is_four_times_or_a_quarter() {
        for (ratio, expected) in [(1.0, 0.0), (4.0, 1.0), (100.0, 1.0), (0.25, -1.0), (0.0, -1.0)] {
            assert_eq!(strength(ratio), expected, "{ratio}");
        }
        assert!((strength(2.0) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn a_heat_map_shows_every_square_and_every_move() {
        let graph = Graph::knight(Board::parse("5x5").unwrap());
        let moves = graph
            .vertices()
            .flat_map(|u| graph.neighbours(u).filter(move |&v| u < v).map(move |v| (u, v, 2.0)))
            .collect();
        let heat = Heat { squares: vec![Some(0.5); 25], moves, title: "t".into(), graph };
        let mut text = Vec::new();
        crate::draw::heat_svg(&heat, &Style::default(), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let moves = text.split("class=\"legend\"").next().unwrap();
        assert_eq!(moves.matches("stroke=\"").count(), 48, "{text}");
    }
}
