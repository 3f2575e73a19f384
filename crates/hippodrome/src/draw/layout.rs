//! Layout: the size of the picture and of a square, and the centre of each vertex.
//!
//! Up to [`LINE_SQUARES`] squares the moves are drawn as lines. Beyond that lines would blur, and each square
//! becomes a pixel or a part of one. The vertices of a graph without a board are on a circle, clockwise
//! from the top.

use super::glyph::text_width;
use super::pen::Point;
use super::{DrawError, Style};
use crate::board::{Board, Graph, Square};
use std::f32::consts::TAU;

/// Boards with more squares are drawn as pixels.
pub(super) const LINE_SQUARES: usize = 120 * 120;
/// Longer boards are drawn as pixels.
const LINE_SIDE: u32 = 400;
/// Smaller squares are drawn as pixels.
const LINE_CELL: f32 = 4.0;
/// Longer boards have no coordinates, circles with more vertices no names.
const LABELLED: u32 = 30;
const LABELLED_CIRCLE: usize = 72;
/// Largest radius of the disc behind a number, in squares.
const DISC: f32 = 0.36;
/// Smallest readable height of a digit.
const READABLE: f32 = 5.5;
/// Largest picture without a requested size.
const AUTO_LINES: f32 = 2400.0;
const AUTO_PIXELS: (u32, u32) = (1000, 2000);

/// The geometry of one picture.
pub(super) struct PictureLayout {
    /// Width and height in pixels.
    pub(super) size: (u32, u32),
    /// Side of a square, or space per vertex.
    pub(super) cell: f32,
    /// Height of move numbers and radius of the discs behind them, if drawn.
    pub(super) numbers: Option<(f32, f32)>,
    /// Height of coordinates or names, if drawn.
    pub(super) labels: Option<f32>,
    /// Placement of squares.
    pub(super) place: Placement,
}

/// Placement of squares.
pub(super) enum Placement {
    /// Squares with room for lines; the board's top left corner.
    Lines(Board, Point),
    /// Squares as pixels; the board's top left corner, and its size in pixels.
    Pixels(Board, Point, (u32, u32)),
    /// Vertices on a circle: centre, radius, number.
    Circle(Point, f32, usize),
}

impl PictureLayout {
    /// Lays out a picture of at most `style.size` or `limit` pixels.
    pub(super) fn new(
        graph: &Graph,
        style: &Style,
        limit: Option<u32>,
    ) -> Result<PictureLayout, DrawError> {
        let size = match (style.checked_size()?, limit) {
            (Some(size), Some(limit)) => Some(size.min(limit)),
            (size, limit) => size.or(limit),
        };
        Ok(match graph.board() {
            Some(board) => PictureLayout::of_board(board, style, size),
            None => PictureLayout::of_circle(graph, style, size),
        })
    }

    fn of_board(board: &Board, style: &Style, size: Option<u32>) -> PictureLayout {
        let long = board.rows().max(board.cols());
        let labelled = style.coordinates && long <= LABELLED;
        let margin_of = |cell: f32| {
            if labelled { (0.5 * cell).clamp(15.0, 30.0) } else { 0.3 * cell.clamp(26.0, 60.0) }
        };
        let (cell, margin) = match size {
            Some(size) => {
                let margin = margin_of(size as f32 / (long + 1) as f32).min(0.1 * size as f32);
                let cell = (size as f32 - 2.0 * margin) / long as f32;
                // Whole pixels keep the edges of squares sharp.
                let cell = if cell >= 8.0 { cell.floor() } else { cell };
                (cell, (size as f32 - cell * long as f32) / 2.0)
            }
            None => {
                let calm = (880.0 / long as f32).clamp(10.0, 80.0);
                let readable = PictureLayout::numbered_cell(board.squares());
                let wanted = style.numbers && readable * long as f32 <= AUTO_LINES;
                let cell = if wanted { calm.max(readable) } else { calm }.ceil();
                (cell, margin_of(cell))
            }
        };
        if board.len() > LINE_SQUARES || long > LINE_SIDE || cell < LINE_CELL {
            return PictureLayout::of_pixels(board, size);
        }
        let margin = margin.floor();
        let side = |squares: u32| (squares as f32 * cell + 2.0 * margin).round() as u32;
        PictureLayout {
            size: (side(board.cols()), side(board.rows())),
            cell,
            numbers: PictureLayout::numbers(cell, board.squares()).filter(|_| style.numbers),
            labels: labelled.then_some((0.2 * cell).clamp(6.0, 13.0)),
            place: Placement::Lines(board.clone(), (margin, margin)),
        }
    }

    fn of_pixels(board: &Board, size: Option<u32>) -> PictureLayout {
        let long = board.rows().max(board.cols());
        let size = size.unwrap_or(long.clamp(AUTO_PIXELS.0, AUTO_PIXELS.1) * 22 / 21);
        let margin = (size / 44).max(1);
        let room = (size - 2 * margin).max(1);
        // Whole pixels per square, or whole squares per pixel.
        let side = |squares: u32| match room / long {
            0 => squares.div_ceil(long.div_ceil(room)),
            pixels => squares * pixels,
        };
        let (width, height) = (side(board.cols()), side(board.rows()));
        let corner = (margin as f32, margin as f32);
        PictureLayout {
            size: (width + 2 * margin, height + 2 * margin),
            cell: width.max(height) as f32 / long as f32,
            numbers: None,
            labels: None,
            place: Placement::Pixels(board.clone(), corner, (width, height)),
        }
    }

    fn of_circle(graph: &Graph, style: &Style, size: Option<u32>) -> PictureLayout {
        let order = graph.order();
        let size = size.unwrap_or(if order <= 400 { 800 } else { 1200 });
        let height = 0.014 * size as f32;
        let names = Square::below(order).map(|v| text_width(&graph.name(v), height));
        let labelled = style.coordinates && order <= LABELLED_CIRCLE && size >= 300;
        let widest = if labelled { names.fold(0.0, f32::max) } else { 0.0 };
        let labelled = labelled && widest <= 0.12 * size as f32;
        let discs = if style.numbers { 0.02 * size as f32 } else { 0.0 };
        let margin = if labelled { widest + 3.0 * height } else { 0.035 * size as f32 } + discs;
        let radius = size as f32 / 2.0 - margin;
        let cell = (TAU * radius / order as f32).min(0.1 * size as f32);
        let middle = size as f32 / 2.0;
        PictureLayout {
            size: (size, size),
            cell,
            numbers: PictureLayout::numbers(cell, order).filter(|_| style.numbers),
            labels: labelled.then_some(height),
            place: Placement::Circle((middle, middle), radius, order),
        }
    }

    /// Returns the radius of a disc around the largest number, with digits `height` tall.
    fn disc(order: usize, height: f32) -> f32 {
        let width = text_width(&"8".repeat(order.to_string().len()), height);
        width.hypot(height) / 2.0 + 0.3 * height
    }

    /// Returns the smallest square in which the largest number is readable.
    fn numbered_cell(order: usize) -> f32 {
        PictureLayout::disc(order, READABLE) / DISC
    }

    /// Returns height and disc of the numbers in squares of a size, if they are readable.
    fn numbers(cell: f32, order: usize) -> Option<(f32, f32)> {
        let fitting = cell / PictureLayout::numbered_cell(order) * READABLE;
        // Larger squares show more of the path, not only larger numbers.
        let height = fitting.min((0.2 * cell).max(9.0));
        (fitting >= READABLE).then(|| (height, PictureLayout::disc(order, height)))
    }

    /// Returns the centre of a square or vertex.
    pub(super) fn centre(&self, square: Square) -> Point {
        match &self.place {
            Placement::Lines(board, corner) | Placement::Pixels(board, corner, _) => {
                let across = board.col(square) as f32 + 0.5;
                let down = (board.rows() - 1 - board.row(square)) as f32 + 0.5;
                (corner.0 + across * self.cell, corner.1 + down * self.cell)
            }
            Placement::Circle(middle, radius, order) => {
                let (sin, cos) = (TAU * square.number() as f32 / *order as f32).sin_cos();
                (middle.0 + radius * sin, middle.1 - radius * cos)
            }
        }
    }

    /// Returns the top left corner of a square.
    pub(super) fn corner(&self, square: Square) -> Point {
        let (x, y) = self.centre(square);
        (x - self.cell / 2.0, y - self.cell / 2.0)
    }

    /// Returns whether moves are drawn as lines.
    pub(super) fn has_lines(&self) -> bool {
        !matches!(self.place, Placement::Pixels(..))
    }
}
