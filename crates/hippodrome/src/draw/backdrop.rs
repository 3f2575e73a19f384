//! What lies under a tour: the page, the squares and holes of a board with its coordinates, or the edges and
//! names of a graph.

use super::Theme;
use super::colour::Palette;
use super::glyph::{text, text_width};
use super::layout::{PictureLayout, Placement};
use super::pen::{Op, Path, Pen, Point, Stroke, part};
use super::rim::Rim;
use crate::board::{Board, Graph, Square};
use foldhash::HashSet;
use std::io;

/// Most edges of a graph that are drawn beside its tour.
const EDGES: usize = 20_000;

/// The ground of a picture.
pub(super) struct Backdrop<'a> {
    pub(super) graph: &'a Graph,
    /// The tour, if there is one.
    pub(super) path: &'a [Square],
    pub(super) layout: &'a PictureLayout,
    pub(super) palette: &'static Palette,
    /// Whether squares are outlined instead of shaded.
    pub(super) outlined: bool,
}

impl Backdrop<'_> {
    /// Returns whether the squares of a theme are outlined: always without a tour, to be written on.
    pub(super) fn is_outlined(theme: Theme, path: &[Square]) -> bool {
        theme == Theme::Mono || path.is_empty()
    }

    /// Paints the page.
    pub(super) fn page(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let (width, height) = self.layout.size;
        pen.rect((0.0, 0.0), (width as f32, height as f32), self.palette.page)
    }

    /// Paints board, holes and coordinates, or the edges and names of a graph.
    pub(super) fn paint(&self, pen: &mut dyn Pen) -> io::Result<()> {
        match &self.layout.place {
            Placement::Lines(board, corner) => {
                let rim = Rim::of(board);
                part(pen, "board", |pen| self.squares(pen, board, *corner, &rim))?;
                part(pen, "coordinates", |pen| self.coordinates(pen, board))
            }
            Placement::Pixels(..) => Ok(()),
            Placement::Vertices(at, middle) => {
                part(pen, "board", |pen| self.edges(pen))?;
                part(pen, "coordinates", |pen| self.names(pen, at, *middle))
            }
        }
    }

    fn corners(&self, squares: impl Iterator<Item = Square>) -> Vec<Point> {
        squares.map(|s| self.layout.corner(s)).collect()
    }

    fn squares(
        &self,
        pen: &mut dyn Pen,
        board: &Board,
        corner: Point,
        rim: &Rim,
    ) -> io::Result<()> {
        let side = self.layout.cell;
        if rim.is_empty() {
            let size = (board.cols() as f32 * side, board.rows() as f32 * side);
            pen.rect(corner, size, self.palette.light)?;
        } else {
            pen.tiles(&self.corners(board.iter()), side, self.palette.light)?;
        }
        // Small squares fade, so that they do not distract from the path.
        let contrast = ((side - 8.0) / 32.0).clamp(0.0, 1.0);
        let shade = self.palette.light.mix(self.palette.dark, contrast);
        if shade != self.palette.light {
            let dark = self.corners(board.iter().filter(|&s| board.is_dark(s)));
            pen.tiles(&dark, side, shade)?;
        }
        let holes = self.corners(board.holes().filter(|&s| !rim.has(s)));
        pen.tiles(&holes, side, self.palette.hole)?;
        self.hatch(pen, &holes)?;
        if self.outlined { self.outlines(pen, board) } else { Ok(()) }
    }

    fn hatch(&self, pen: &mut dyn Pen, holes: &[Point]) -> io::Result<()> {
        let side = self.layout.cell;
        let mut hatch = Path::default();
        for &(x, y) in holes {
            for (from, to) in
                [((0.0, 0.5), (0.5, 0.0)), ((0.0, 1.0), (1.0, 0.0)), ((0.5, 1.0), (1.0, 0.5))]
            {
                hatch.0.push(Op::Move((x + from.0 * side, y + from.1 * side)));
                hatch.0.push(Op::Line((x + to.0 * side, y + to.1 * side)));
            }
        }
        let line =
            Stroke { flat: true, ..Stroke::solid(self.palette.hatch, (0.03 * side).max(0.6)) };
        if hatch.0.is_empty() { Ok(()) } else { pen.stroke(&hatch, &line) }
    }

    fn outlines(&self, pen: &mut dyn Pen, board: &Board) -> io::Result<()> {
        let side = self.layout.cell;
        let mut lines = Path::default();
        for (x, y) in self.corners(board.iter()) {
            let (right, low) = (x + side, y + side);
            lines.0.extend([Op::Move((x, y)), Op::Line((right, y)), Op::Line((right, low))]);
            lines.0.extend([Op::Line((x, low)), Op::Line((x, y))]);
        }
        let line = Stroke::solid(self.palette.grid, (0.02 * side).clamp(0.4, 1.2));
        pen.stroke(&lines, &line)
    }

    /// Paints files below the lowest square of each column, and ranks beside the leftmost of each row.
    fn coordinates(&self, pen: &mut dyn Pen, board: &Board) -> io::Result<()> {
        let Some(height) = self.layout.labels else { return Ok(()) };
        let line = Stroke::solid(self.palette.label, 0.13 * height);
        let away = 0.5 * self.layout.cell + 0.95 * height;
        // Two labels share a hole only if they have room.
        let near = self.layout.cell >= 3.2 * height;
        for col in 0..board.cols() {
            let lowest = (0..board.rows()).find(|&row| board.has(board.at(row, col)));
            let Some(row) = lowest.map(|row| if near { row } else { 0 }) else { continue };
            let (x, y) = self.layout.centre(board.at(row, col));
            let name = board.name(board.at(0, col));
            pen.stroke(&text(name.trim_end_matches('1'), (x, y + away), height), &line)?;
        }
        for row in 0..board.rows() {
            let leftmost = (0..board.cols()).find(|&col| board.has(board.at(row, col)));
            let Some(col) = leftmost.map(|col| if near { col } else { 0 }) else { continue };
            let (x, y) = self.layout.centre(board.at(row, col));
            pen.stroke(&text(&(row + 1).to_string(), (x - away, y), height), &line)?;
        }
        Ok(())
    }

    /// Paints the edges of a graph that its tour does not use, as thin chords.
    fn edges(&self, pen: &mut dyn Pen) -> io::Result<()> {
        if self.graph.edges() > EDGES as u64 {
            return Ok(());
        }
        let pair = |u: Square, v: Square| (u.min(v), u.max(v));
        let mut used: HashSet<(Square, Square)> =
            self.path.windows(2).map(|w| pair(w[0], w[1])).collect();
        if let (Some(&first), Some(&last)) = (self.path.first(), self.path.last()) {
            used.insert(pair(first, last));
        }
        let mut chords = Path::default();
        for u in self.graph.vertices() {
            for v in self.graph.neighbours(u).filter(|&v| u < v && !used.contains(&(u, v))) {
                chords.0.push(Op::Move(self.layout.centre(u)));
                chords.0.push(Op::Line(self.layout.centre(v)));
            }
        }
        let width = (0.02 * self.layout.cell).clamp(0.3, 1.2);
        if chords.0.is_empty() {
            return Ok(());
        }
        pen.stroke(&chords, &Stroke::solid(self.palette.grid, width))
    }

    /// Paints the names of vertices, away from the middle.
    fn names(&self, pen: &mut dyn Pen, at: &[Point], middle: Point) -> io::Result<()> {
        let Some(height) = self.layout.labels else { return Ok(()) };
        let line = Stroke::solid(self.palette.label, 0.13 * height);
        for (v, &(x, y)) in Square::below(at.len()).zip(at) {
            let name = self.graph.name(v);
            let (dx, dy) = (x - middle.0, y - middle.1);
            let far = dx.hypot(dy);
            let (right, down) = if far > height { (dx / far, dy / far) } else { (0.0, -1.0) };
            let disc = self.layout.numbers.map_or(0.0, |(_, disc)| 1.2 * disc);
            let out =
                disc.max(0.6 * height) + height + text_width(&name, height) / 2.0 * right.abs();
            pen.stroke(&text(&name, (x + out * right, y + out * down), height), &line)?;
        }
        Ok(())
    }
}
