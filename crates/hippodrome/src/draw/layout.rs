//! Where everything goes: the size of the picture, of a square, and the centre of each vertex.
//!
//! Boards keep their shape. Up to [`LINE_SQUARES`] squares the moves are drawn as lines; beyond that
//! a line diagram is a grey blur, and each square becomes a pixel (or a share of one). The vertices
//! of a graph without a board stand on a circle, clockwise from the top.

use super::glyph::text_width;
use super::pen::Point;
use super::{DrawError, Style};
use crate::board::{Board, Graph, Square};
use std::f32::consts::TAU;

/// More squares than this are shown as pixels.
pub(super) const LINE_SQUARES: usize = 120 * 120;
/// Longer boards than this are shown as pixels.
const LINE_SIDE: u32 = 400;
/// Squares smaller than this are shown as pixels.
const LINE_CELL: f32 = 4.0;
/// Boards longer than this have no coordinates, circles with more vertices no names.
const LABELLED: u32 = 30;
const LABELLED_CIRCLE: usize = 72;
/// The largest radius of the disc behind a number, in squares.
const DISC: f32 = 0.36;
/// The least height of a digit that can be read.
const READABLE: f32 = 5.5;
/// The largest picture that is made without being asked for.
const AUTO_LINES: f32 = 2400.0;
const AUTO_PIXELS: (u32, u32) = (1000, 2000);

/// The geometry of one picture.
pub(super) struct Layout {
    /// Width and height in pixels.
    pub(super) size: (u32, u32),
    /// Side of a square, or the room a vertex has.
    pub(super) cell: f32,
    /// Height of move numbers, and radius of the discs behind them, if they are drawn.
    pub(super) numbers: Option<(f32, f32)>,
    /// Height of coordinates or names, if they are drawn.
    pub(super) labels: Option<f32>,
    /// How squares become places.
    pub(super) place: Place,
}

/// How squares become places.
pub(super) enum Place {
    /// Squares with room for lines; the board's top left corner.
    Lines(Board, Point),
    /// Squares as pixels; the board's top left corner, and its size in pixels.
    Pixels(Board, Point, (u32, u32)),
    /// Vertices on a circle: its centre, its radius, how many there are.
    Circle(Point, f32, usize),
}

impl Layout {
    /// Lays out a picture, `style.size` or `limit` pixels long at most.
    pub(super) fn new(
        graph: &Graph,
        style: &Style,
        limit: Option<u32>,
    ) -> Result<Layout, DrawError> {
        let size = match (style.checked_size()?, limit) {
            (Some(size), Some(limit)) => Some(size.min(limit)),
            (size, limit) => size.or(limit),
        };
        Ok(match graph.board() {
            Some(board) => Layout::of_board(board, style, size),
            None => Layout::of_circle(graph, style, size),
        })
    }

    fn of_board(board: &Board, style: &Style, size: Option<u32>) -> Layout {
        let long = board.rows().max(board.cols());
        let labelled = style.coordinates && long <= LABELLED;
        let margin_of = |cell: f32| {
            if labelled { (0.5 * cell).clamp(15.0, 30.0) } else { 0.3 * cell.clamp(26.0, 60.0) }
        };
        let (cell, margin) = match size {
            Some(size) => {
                let margin = margin_of(size as f32 / (long + 1) as f32).min(0.1 * size as f32);
                let cell = (size as f32 - 2.0 * margin) / long as f32;
                // Whole pixels keep the edges of the squares sharp.
                let cell = if cell >= 8.0 { cell.floor() } else { cell };
                (cell, (size as f32 - cell * long as f32) / 2.0)
            }
            None => {
                let calm = (880.0 / long as f32).clamp(10.0, 80.0);
                let readable = Layout::numbered_cell(board.squares());
                let wanted = style.numbers && readable * long as f32 <= AUTO_LINES;
                let cell = if wanted { calm.max(readable) } else { calm }.ceil();
                (cell, margin_of(cell))
            }
        };
        if board.len() > LINE_SQUARES || long > LINE_SIDE || cell < LINE_CELL {
            return Layout::of_pixels(board, size);
        }
        let margin = margin.floor();
        let side = |squares: u32| (squares as f32 * cell + 2.0 * margin).round() as u32;
        Layout {
            size: (side(board.cols()), side(board.rows())),
            cell,
            numbers: Layout::numbers(cell, board.squares()).filter(|_| style.numbers),
            labels: labelled.then_some((0.2 * cell).clamp(6.0, 13.0)),
            place: Place::Lines(board.clone(), (margin, margin)),
        }
    }

    fn of_pixels(board: &Board, size: Option<u32>) -> Layout {
        let long = board.rows().max(board.cols());
        let size = size.unwrap_or(long.clamp(AUTO_PIXELS.0, AUTO_PIXELS.1) * 22 / 21);
        let margin = (size / 44).max(1);
        let room = (size - 2 * margin).max(1);
        // Whole pixels a square, or whole squares a pixel.
        let side = |squares: u32| match room / long {
            0 => squares.div_ceil(long.div_ceil(room)),
            pixels => squares * pixels,
        };
        let (width, height) = (side(board.cols()), side(board.rows()));
        let corner = (margin as f32, margin as f32);
        Layout {
            size: (width + 2 * margin, height + 2 * margin),
            cell: width.max(height) as f32 / long as f32,
            numbers: None,
            labels: None,
            place: Place::Pixels(board.clone(), corner, (width, height)),
        }
    }

    fn of_circle(graph: &Graph, style: &Style, size: Option<u32>) -> Layout {
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
        Layout {
            size: (size, size),
            cell,
            numbers: Layout::numbers(cell, order).filter(|_| style.numbers),
            labels: labelled.then_some(height),
            place: Place::Circle((middle, middle), radius, order),
        }
    }

    /// The radius of a disc that holds the largest number, its digits `height` tall.
    fn disc(order: usize, height: f32) -> f32 {
        let width = text_width(&"8".repeat(order.to_string().len()), height);
        width.hypot(height) / 2.0 + 0.3 * height
    }

    /// The smallest square in which the largest number, in its disc, can be read.
    fn numbered_cell(order: usize) -> f32 {
        Layout::disc(order, READABLE) / DISC
    }

    /// Height and disc of the numbers in squares of a given size, if they can be read there.
    fn numbers(cell: f32, order: usize) -> Option<(f32, f32)> {
        let fitting = cell / Layout::numbered_cell(order) * READABLE;
        // Larger squares leave more of the path to see, not only more of the number.
        let height = fitting.min((0.2 * cell).max(9.0));
        (fitting >= READABLE).then(|| (height, Layout::disc(order, height)))
    }

    /// The centre of a square or vertex.
    pub(super) fn centre(&self, square: Square) -> Point {
        match &self.place {
            Place::Lines(board, corner) | Place::Pixels(board, corner, _) => {
                let across = board.col(square) as f32 + 0.5;
                let down = (board.rows() - 1 - board.row(square)) as f32 + 0.5;
                (corner.0 + across * self.cell, corner.1 + down * self.cell)
            }
            Place::Circle(middle, radius, order) => {
                let (sin, cos) = (TAU * square.number() as f32 / *order as f32).sin_cos();
                (middle.0 + radius * sin, middle.1 - radius * cos)
            }
        }
    }

    /// The top left corner of a square.
    pub(super) fn corner(&self, square: Square) -> Point {
        let (x, y) = self.centre(square);
        (x - self.cell / 2.0, y - self.cell / 2.0)
    }

    /// Whether moves are drawn as lines.
    pub(super) fn has_lines(&self) -> bool {
        !matches!(self.place, Place::Pixels(..))
    }
}
