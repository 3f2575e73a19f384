//! Pictures of a reason why there is no tour: coloured parts, forced moves, numbered colours.
//!
//! One board per reason, side by side, each with a line of text below it:
//!
//! - removed squares are crossed out, and each part that is left has a colour and a number;
//! - forced moves are thick lines, and the square with too few moves left has a ring;
//! - dark and light squares are numbered, so that they can be counted;
//! - the outer and the inner lines of four have two colours.

use super::colour::{Palette, Rgb, readable_on};
use super::glyph::{text, text_width};
use super::pen::{Op, Path, Pen, Point, Stroke, part};
use super::{DrawError, Style};
use crate::board::{Board, Graph, Square};
use crate::problem::theorems::explain::parts;
use crate::problem::theorems::{Evidence, ForcedCases, ForcedMoves};
use std::io;

/// Longest board that can be drawn.
const LONGEST: u32 = 40;

/// Colours of parts, in order, for readers with any colour vision (after Okabe and Ito).
const PARTS: [Rgb; 8] = [
    Rgb([0x56, 0xb4, 0xe9]),
    Rgb([0xe6, 0x9f, 0x00]),
    Rgb([0x00, 0x9e, 0x73]),
    Rgb([0xcc, 0x79, 0xa7]),
    Rgb([0xf0, 0xe4, 0x42]),
    Rgb([0x00, 0x72, 0xb2]),
    Rgb([0xd5, 0x5e, 0x00]),
    Rgb([0x9a, 0x9a, 0x9a]),
];
const FORCED: Rgb = Rgb([0x00, 0x72, 0xb2]);
const STUCK: Rgb = Rgb([0xd5, 0x5e, 0x00]);

/// One board of a picture: what it shows, and the text below it.
pub struct Panel<'a> {
    /// What is drawn on the board.
    pub evidence: &'a Evidence,
    /// Whether it is about closed tours.
    pub closed: bool,
}

/// A board with marks, and the text below it.
struct Scene<'a> {
    marks: Marks<'a>,
    caption: String,
}

/// The marks on one board.
enum Marks<'a> {
    Plain,
    Colours,
    Parts(&'a [Square]),
    Squares(&'a [Square]),
    Lines {
        rows: bool,
    },
    Moves {
        common: &'a [(Square, Square)],
        forced: &'a ForcedMoves,
        split: Option<((Square, Square), bool)>,
    },
}

/// Layout of the boards.
pub(super) struct WhyPicture<'a> {
    graph: &'a Graph,
    board: &'a Board,
    scenes: Vec<Scene<'a>>,
    palette: &'static Palette,
    cell: f32,
    /// Width of a board with its margins, in squares.
    wide: f32,
    /// Width and height of the picture.
    pub(super) size: (u32, u32),
}

impl<'a> WhyPicture<'a> {
    pub(super) fn new(
        graph: &'a Graph,
        panels: &[Panel<'a>],
        style: &Style,
    ) -> Result<WhyPicture<'a>, DrawError> {
        let small = |board: &&Board| board.rows().max(board.cols()) <= LONGEST;
        let Some(board) = graph.board().filter(small) else {
            return Err(DrawError::NotExplained { graph: graph.to_string() });
        };
        let scenes: Vec<Scene<'a>> = panels.iter().flat_map(|panel| scenes(graph, panel)).collect();
        let longest = scenes.iter().map(|scene| text_width(&scene.caption, 0.3));
        let wide = (board.cols() as f32 + 2.0).max(longest.fold(0.0, f32::max) + 1.0);
        let (across, down) = (scenes.len().max(1) as f32 * wide, board.rows() as f32 + 3.0);
        let cell = match style.checked_size()? {
            Some(size) => size as f32 / across.max(down),
            None => (1200.0 / across.max(down)).clamp(16.0, 64.0).floor(),
        };
        let size = ((across * cell).ceil() as u32, (down * cell).ceil() as u32);
        Ok(WhyPicture { graph, board, scenes, palette: Palette::of(style.theme), cell, wide, size })
    }

    /// Returns the title.
    pub(super) fn title(&self) -> String {
        let captions: Vec<&str> = self.scenes.iter().map(|scene| scene.caption.as_str()).collect();
        format!("Why {} has no tour: {}", self.graph, captions.join("; "))
    }

    /// Paints everything.
    pub(super) fn paint(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let (width, height) = self.size;
        pen.rect((0.0, 0.0), (width as f32, height as f32), self.palette.page)?;
        for (at, scene) in self.scenes.iter().enumerate() {
            let place = Place { picture: self, at: at as f32 };
            part(pen, "board", |pen| place.ground(pen))?;
            part(pen, "marks", |pen| place.marks(pen, &scene.marks))?;
            part(pen, "coordinates", |pen| place.coordinates(pen))?;
            part(pen, "caption", |pen| place.caption(pen, &scene.caption))?;
        }
        Ok(())
    }
}

/// Returns the boards that show a reason.
fn scenes<'a>(graph: &'a Graph, panel: &Panel<'a>) -> Vec<Scene<'a>> {
    let goal = if panel.closed { "no closed tour" } else { "no tour" };
    let scene = |marks, text: String| vec![Scene { marks, caption: format!("{goal} - {text}") }];
    match panel.evidence {
        Evidence::None => scene(Marks::Plain, "no picture".into()),
        Evidence::Colours => {
            let dark = graph.board().map_or(0, |b| b.iter().filter(|&v| b.is_dark(v)).count());
            scene(Marks::Colours, format!("{dark} dark and {} light", graph.order() - dark))
        }
        Evidence::FewMoves(squares) => {
            let first = squares.first().map_or(String::new(), |&v| graph.name(v));
            scene(Marks::Squares(squares), format!("too few moves at {first}"))
        }
        Evidence::Removed(removed) => {
            let text = match (removed.len(), parts(graph, removed).len()) {
                (0, left) => format!("{left} parts"),
                (gone, left) => format!("{gone} removed and {left} parts left"),
            };
            scene(Marks::Parts(removed), text)
        }
        Evidence::Forced(forced) => {
            let text = match forced.stuck {
                Some(stuck) => format!("stuck on {}", graph.name(stuck)),
                None => "forced moves close too early".into(),
            };
            scene(Marks::Moves { common: &[], forced, split: None }, text)
        }
        Evidence::Cases(cases) => {
            let ForcedCases { forced: common, split, cases } = &**cases;
            let both = [true, false].into_iter().zip(cases);
            both.map(|(used, forced)| {
                let name = format!("{}-{}", graph.name(split.0), graph.name(split.1));
                let word = if used { "with" } else { "without" };
                let stuck =
                    forced.stuck.map_or(String::new(), |v| format!(" stuck on {}", graph.name(v)));
                let marks = Marks::Moves { common, forced, split: Some((*split, used)) };
                Scene { marks, caption: format!("{goal} - {word} {name}{stuck}") }
            })
            .collect()
        }
        &Evidence::FourLines(rows) => {
            let lines = if rows { "rows" } else { "columns" };
            scene(Marks::Lines { rows }, format!("outer and inner {lines}"))
        }
    }
}

/// The place of one board in the picture.
struct Place<'p, 'a> {
    picture: &'p WhyPicture<'a>,
    at: f32,
}

impl Place<'_, '_> {
    /// Returns the top left corner of a square.
    fn corner(&self, square: Square) -> Point {
        let WhyPicture { board, cell, wide, .. } = *self.picture;
        let left = (wide - board.cols() as f32) / 2.0 + self.at * wide;
        let across = left + board.col(square) as f32;
        let down = 1.0 + (board.rows() - 1 - board.row(square)) as f32;
        (across * cell, down * cell)
    }

    fn centre(&self, square: Square) -> Point {
        let (half, (x, y)) = (self.picture.cell / 2.0, self.corner(square));
        (x + half, y + half)
    }

    fn tile(&self, pen: &mut dyn Pen, square: Square, colour: Rgb) -> io::Result<()> {
        pen.tiles(&[self.corner(square)], self.picture.cell, colour)
    }

    fn write(
        &self,
        pen: &mut dyn Pen,
        what: &str,
        centre: Point,
        share: f32,
        ink: Rgb,
    ) -> io::Result<()> {
        let height = share * self.picture.cell;
        pen.stroke(&text(what, centre, height), &Stroke::solid(ink, 0.13 * height))
    }

    fn line(
        &self,
        pen: &mut dyn Pen,
        (u, v): (Square, Square),
        share: f32,
        colour: Rgb,
    ) -> io::Result<()> {
        let path = Path::through([self.centre(u), self.centre(v)]);
        pen.stroke(&path, &Stroke::solid(colour, share * self.picture.cell))
    }

    fn ground(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let WhyPicture { board, palette, .. } = *self.picture;
        for square in board.iter() {
            let shade = if board.is_dark(square) { palette.dark } else { palette.light };
            self.tile(pen, square, shade)?;
        }
        board
            .holes()
            .collect::<Vec<_>>()
            .into_iter()
            .try_for_each(|v| self.tile(pen, v, palette.hole))
    }

    fn coordinates(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let WhyPicture { board, palette, cell, .. } = *self.picture;
        for col in 0..board.cols() {
            let (x, y) = self.centre(board.at(0, col));
            let name = board.name(board.at(0, col));
            self.write(pen, name.trim_end_matches('1'), (x, y + 0.8 * cell), 0.2, palette.label)?;
        }
        for row in 0..board.rows() {
            let (x, y) = self.centre(board.at(row, 0));
            self.write(pen, &(row + 1).to_string(), (x - 0.8 * cell, y), 0.2, palette.label)?;
        }
        Ok(())
    }

    fn caption(&self, pen: &mut dyn Pen, caption: &str) -> io::Result<()> {
        let WhyPicture { board, palette, cell, wide, .. } = *self.picture;
        let middle = (self.at + 0.5) * wide * cell;
        let below = (board.rows() as f32 + 2.2) * cell;
        self.write(pen, caption, (middle, below), 0.3, palette.ink)
    }

    fn marks(&self, pen: &mut dyn Pen, marks: &Marks<'_>) -> io::Result<()> {
        let WhyPicture { graph, board, palette, .. } = *self.picture;
        match *marks {
            Marks::Plain => Ok(()),
            Marks::Colours => self.colours(pen),
            Marks::Parts(removed) => self.parts(pen, removed),
            Marks::Squares(squares) => squares.iter().try_for_each(|&v| {
                let near: Vec<Square> = graph.neighbours(v).collect();
                near.into_iter().try_for_each(|w| self.line(pen, (v, w), 0.07, FORCED))?;
                self.ring(pen, v)
            }),
            Marks::Lines { rows } => {
                let inner =
                    |v: Square| matches!(if rows { board.row(v) } else { board.col(v) }, 1 | 2);
                board.iter().collect::<Vec<_>>().into_iter().try_for_each(|v| {
                    let colour = PARTS[usize::from(inner(v))];
                    let share = if board.is_dark(v) { 0.15 } else { 0.6 };
                    self.tile(pen, v, colour.mix(palette.page, share))
                })
            }
            Marks::Moves { common, forced, split } => {
                common.iter().try_for_each(|&edge| self.line(pen, edge, 0.05, palette.label))?;
                forced.moves.iter().try_for_each(|&edge| self.line(pen, edge, 0.09, FORCED))?;
                if let Some(((u, v), used)) = split {
                    let cell = self.picture.cell;
                    let dash = (!used).then_some((0.15 * cell, 0.15 * cell));
                    let line = Stroke { dash, ..Stroke::solid(STUCK, 0.1 * cell) };
                    pen.stroke(&Path::through([self.centre(u), self.centre(v)]), &line)?;
                }
                forced.stuck.map_or(Ok(()), |v| self.ring(pen, v))
            }
        }
    }

    fn ring(&self, pen: &mut dyn Pen, v: Square) -> io::Result<()> {
        let cell = self.picture.cell;
        pen.ring(self.centre(v), 0.36 * cell, 0.09 * cell, STUCK)
    }

    /// Numbers the squares of each colour.
    fn colours(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let WhyPicture { board, palette, .. } = *self.picture;
        for (is_dark, colour) in [(true, PARTS[5]), (false, PARTS[4])] {
            let ground = colour.mix(palette.page, 0.25);
            for (number, v) in (1..).zip(board.iter().filter(|&v| board.is_dark(v) == is_dark)) {
                self.tile(pen, v, ground)?;
                self.write(pen, &number.to_string(), self.centre(v), 0.3, readable_on(ground))?;
            }
        }
        Ok(())
    }

    /// Crosses out the removed squares, and colours and numbers the parts with their moves.
    fn parts(&self, pen: &mut dyn Pen, removed: &[Square]) -> io::Result<()> {
        let WhyPicture { graph, palette, cell, .. } = *self.picture;
        let parts = parts(graph, removed);
        for (at, part) in parts.iter().enumerate() {
            let ground = PARTS[at % PARTS.len()].mix(palette.page, 0.3);
            part.iter().try_for_each(|&v| self.tile(pen, v, ground))?;
        }
        for &v in removed {
            self.tile(pen, v, palette.hole)?;
            let ((x, y), low, high) = (self.corner(v), 0.25 * cell, 0.75 * cell);
            let cross = Path(vec![
                Op::Move((x + low, y + low)),
                Op::Line((x + high, y + high)),
                Op::Move((x + low, y + high)),
                Op::Line((x + high, y + low)),
            ]);
            pen.stroke(&cross, &Stroke::solid(palette.page, 0.08 * cell))?;
        }
        for (at, part) in parts.iter().enumerate() {
            let ink = PARTS[at % PARTS.len()].mix(palette.ink, 0.5);
            for &u in part {
                let later: Vec<Square> =
                    graph.neighbours(u).filter(|&v| u < v && part.contains(&v)).collect();
                later.into_iter().try_for_each(|v| self.line(pen, (u, v), 0.05, ink))?;
            }
        }
        for (number, part) in (1..).zip(&parts) {
            let ground = PARTS[(number - 1) % PARTS.len()].mix(palette.page, 0.3);
            for &v in part {
                pen.disc(self.centre(v), 0.24 * cell, ground)?;
                self.write(pen, &number.to_string(), self.centre(v), 0.26, readable_on(ground))?;
            }
        }
        Ok(())
    }
}
