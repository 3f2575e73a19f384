//! Layout: the size of the picture and of a square, and the centre of each vertex.
//!
//! Up to [`LINE_SQUARES`] squares the moves are drawn as lines. Beyond that lines would blur, and each square
//! becomes a pixel or a part of one. A figure on a sheet fills a box; paper shows finer lines than a screen, so
//! its squares may be smaller.

use super::glyph::text_width;
use super::pen::Point;
use super::places::VertexLayout;
use super::{DrawError, Drawable, Style};
use crate::board::{Board, Square};

/// Boards with more squares are drawn as pixels.
pub(super) const LINE_SQUARES: usize = 120 * 120;
/// Longer boards are drawn as pixels.
const LINE_SIDE: u32 = 400;
/// Smaller squares are drawn as pixels, on a screen and on a sheet.
const LINE_CELL: f32 = 4.0;
const LINE_CELL_ON_SHEET: f32 = 1.5;
/// Longer boards have no coordinates, circles with more vertices no names.
const LABELLED: u32 = 30;
const LABELLED_CIRCLE: usize = 72;
/// Squares of a figure on a sheet that are smaller have no coordinates.
const LABELLED_CELL: f32 = 26.0;
/// Space around a figure without coordinates on a sheet.
const HAIR: f32 = 1.5;
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
    /// Whether lines may be finer than on a screen.
    pub(super) fine: bool,
    /// Placement of squares.
    pub(super) place: Placement,
}

/// The space that a picture has.
#[derive(Clone, Copy)]
pub(super) enum Space {
    /// A picture of its own, at most this long.
    Alone(Option<u32>),
    /// A figure on a sheet, in a box of this width and height.
    Within(Point),
}

/// Placement of squares.
pub(super) enum Placement {
    /// Squares with room for lines; the board's top left corner.
    Lines(Board, Point),
    /// Squares as pixels; the board's top left corner, and its size in pixels.
    Pixels(Board, Point, (u32, u32)),
    /// Vertices of a graph by number, and the middle of the picture.
    Vertices(Vec<Point>, Point),
}

impl PictureLayout {
    /// Lays out a figure in a space; a picture of its own is at most `style.size` long.
    pub(super) fn new(
        figure: &Drawable<'_>,
        style: &Style,
        space: Space,
    ) -> Result<PictureLayout, DrawError> {
        match (figure.graph().board(), space) {
            (Some(board), Space::Alone(limit)) => {
                Ok(PictureLayout::of_board(board, style, Space::side(style, limit)?))
            }
            (Some(board), Space::Within(room)) => Ok(PictureLayout::of_figure(board, style, room)),
            (None, Space::Alone(limit)) => {
                let usual = if figure.graph().order() <= 400 { 800 } else { 1200 };
                let side = Space::side(style, limit)?.unwrap_or(usual);
                PictureLayout::of_graph(figure, style, side)
            }
            (None, Space::Within((width, height))) => {
                let layout = PictureLayout::of_graph(figure, style, width.min(height) as u32)?;
                Ok(PictureLayout { fine: true, ..layout })
            }
        }
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
            fine: false,
            place: Placement::Lines(board.clone(), (margin, margin)),
        }
    }

    /// Lays out a board in a box on a sheet.
    fn of_figure(board: &Board, style: &Style, (width, height): Point) -> PictureLayout {
        let (cols, rows) = (board.cols() as f32, board.rows() as f32);
        let rough = (width / (cols + 1.0)).min(height / (rows + 1.0));
        let labelled =
            style.coordinates && cols.max(rows) <= LABELLED as f32 && rough >= LABELLED_CELL;
        let margin = if labelled { (0.5 * rough).clamp(15.0, 30.0) } else { HAIR };
        let cell = ((width - 2.0 * margin) / cols).min((height - 2.0 * margin) / rows);
        if board.len() > LINE_SQUARES || cell < LINE_CELL_ON_SHEET {
            return PictureLayout::of_pixels(board, Some(width.min(height) as u32));
        }
        let side = |squares: f32| (squares * cell + 2.0 * margin).floor() as u32;
        PictureLayout {
            size: (side(cols), side(rows)),
            cell,
            numbers: PictureLayout::numbers(cell, board.squares()).filter(|_| style.numbers),
            labels: labelled.then_some((0.2 * cell).clamp(6.0, 13.0)),
            fine: true,
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
            fine: false,
            place: Placement::Pixels(board.clone(), corner, (width, height)),
        }
    }

    fn of_graph(
        figure: &Drawable<'_>,
        style: &Style,
        side: u32,
    ) -> Result<PictureLayout, DrawError> {
        let (graph, size) = (figure.graph(), side as f32);
        let places = VertexLayout::new(figure);
        let order = graph.order();
        let height = 0.014 * size;
        let names = Square::below(order).map(|v| text_width(&graph.name(v), height));
        let labelled = style.coordinates && order <= LABELLED_CIRCLE && side >= 300;
        let widest = if labelled { names.fold(0.0, f32::max) } else { 0.0 };
        let labelled = labelled && widest <= 0.12 * size;
        let discs = if style.numbers { 0.02 * size } else { 0.0 };
        let margin = if labelled { widest + 3.0 * height } else { 0.035 * size } + discs;
        let (middle, radius) = (size / 2.0, size / 2.0 - margin);
        let cell = (places.apart * radius).min(0.1 * size);
        let at = places.at.iter().map(|(x, y)| (middle + radius * x, middle + radius * y));
        Ok(PictureLayout {
            size: (side, side),
            cell,
            numbers: PictureLayout::numbers(cell, order).filter(|_| style.numbers),
            labels: labelled.then_some(height),
            fine: false,
            place: Placement::Vertices(at.collect(), (middle, middle)),
        })
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
            Placement::Vertices(at, middle) => at.get(square.index()).copied().unwrap_or(*middle),
        }
    }

    /// Returns the top left corner of a square.
    pub(super) fn corner(&self, square: Square) -> Point {
        let (x, y) = self.centre(square);
        (x - self.cell / 2.0, y - self.cell / 2.0)
    }

    /// Returns the height of texts in the squares, the longest of which is given, if they are readable.
    pub(super) fn text_height(&self, longest: &str) -> Option<f32> {
        let wide = 0.8 * self.cell / text_width(longest, 1.0).max(0.1);
        Some(wide.min(0.36 * self.cell)).filter(|&height| height >= READABLE)
    }

    /// Returns whether moves are drawn as lines.
    pub(super) fn has_lines(&self) -> bool {
        !matches!(self.place, Placement::Pixels(..))
    }
}

impl Space {
    /// Returns the longer side of a picture of its own, if it is bounded.
    fn side(style: &Style, limit: Option<u32>) -> Result<Option<u32>, DrawError> {
        Ok(match (style.checked_size()?, limit) {
            (Some(size), Some(limit)) => Some(size.min(limit)),
            (size, limit) => size.or(limit),
        })
    }
}
