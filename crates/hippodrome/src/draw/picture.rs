//! The picture of a tour in layers: page and board, moves, marks. Each layer can be painted on any [`Pen`];
//! the animation paints the moves a few at a time.
//!
//! Moves are coloured by time. Where two cross, the later one passes over the earlier one with a narrow gap
//! on either side. The start is a disc, the end a ring; the closing move of a closed tour is dashed.

use super::colour::{Palette, Ramp, Rgb, readable_on};
use super::glyph::{text, text_width};
use super::layout::{PictureLayout, Placement};
use super::pen::{Op, Path, Pen, Point, Stroke, part};
use super::{DrawError, Style, field};
use crate::board::{Board, Square};
use crate::tour::Verified;
use std::io;
use std::ops::Range;

/// Longest tour with gaps at crossings; in longer ones they would be narrower than a pixel.
const WOVEN: usize = 1000;

/// A tour with its layout and colours.
pub(super) struct Picture<'a> {
    tour: &'a Verified<'a>,
    pub(super) layout: PictureLayout,
    pub(super) palette: &'static Palette,
    ramp: Ramp,
}

impl<'a> Picture<'a> {
    /// Lays out a tour; `limit` bounds the longer side in pixels.
    pub(super) fn new(
        tour: &'a Verified<'a>,
        style: &Style,
        limit: Option<u32>,
    ) -> Result<Picture<'a>, DrawError> {
        let layout = PictureLayout::new(tour.graph(), style, limit)?;
        let coloured = style.coloured || !layout.has_lines();
        let ramp = if coloured { Ramp::of(style.theme) } else { Ramp::plain(style.theme) };
        Ok(Picture { tour, layout, palette: Palette::of(style.theme), ramp })
    }

    /// Paints everything.
    pub(super) fn paint(&self, pen: &mut dyn Pen) -> Result<(), DrawError> {
        let all = 0..self.tour.squares().len();
        self.ground(pen)?;
        if let Placement::Pixels(board, corner, size) = &self.layout.place {
            let pixels = field::pixels(self.tour, board, *size, &self.ramp, self.palette)?;
            pen.image(*corner, &pixels)?;
        } else {
            part(pen, "path", |pen| {
                self.closing(pen)?;
                self.moves(pen, all.clone())
            })?;
            part(pen, "squares", |pen| self.stops(pen, all))?;
        }
        Ok(part(pen, "ends", |pen| {
            self.end(pen)?;
            self.start(pen)
        })?)
    }

    /// Paints page, board, holes and coordinates.
    pub(super) fn ground(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let (width, height) = self.layout.size;
        pen.rect((0.0, 0.0), (width as f32, height as f32), self.palette.page)?;
        match &self.layout.place {
            Placement::Lines(board, corner) => {
                part(pen, "board", |pen| self.squares(pen, board, *corner))?;
                part(pen, "coordinates", |pen| self.coordinates(pen, board))
            }
            Placement::Pixels(..) => Ok(()),
            Placement::Circle(middle, radius, order) => {
                part(pen, "board", |pen| pen.ring(*middle, *radius, 1.0, self.palette.dark))?;
                part(pen, "coordinates", |pen| self.names(pen, *middle, *radius, *order))
            }
        }
    }

    fn squares(&self, pen: &mut dyn Pen, board: &Board, corner: Point) -> io::Result<()> {
        let side = self.layout.cell;
        let size = (board.cols() as f32 * side, board.rows() as f32 * side);
        pen.rect(corner, size, self.palette.light)?;
        // Small squares fade, so that they do not distract from the path.
        let contrast = ((side - 8.0) / 32.0).clamp(0.0, 1.0);
        let shade = self.palette.light.mix(self.palette.dark, contrast);
        if shade != self.palette.light {
            let dark = board.iter().filter(|&s| board.is_dark(s));
            let dark: Vec<Point> = dark.map(|s| self.layout.corner(s)).collect();
            pen.tiles(&dark, side, shade)?;
        }
        let holes: Vec<Point> = board.holes().map(|s| self.layout.corner(s)).collect();
        pen.tiles(&holes, side, self.palette.hole)?;
        let mut hatch = Path::default();
        for (x, y) in holes {
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

    fn coordinates(&self, pen: &mut dyn Pen, board: &Board) -> io::Result<()> {
        let Some(height) = self.layout.labels else { return Ok(()) };
        let line = Stroke::solid(self.palette.label, 0.13 * height);
        let away = 0.5 * self.layout.cell + 0.95 * height;
        for col in 0..board.cols() {
            let name = board.name(board.at(0, col));
            let (x, y) = self.layout.centre(board.at(0, col));
            pen.stroke(&text(name.trim_end_matches('1'), (x, y + away), height), &line)?;
        }
        for row in 0..board.rows() {
            let (x, y) = self.layout.centre(board.at(row, 0));
            pen.stroke(&text(&(row + 1).to_string(), (x - away, y), height), &line)?;
        }
        Ok(())
    }

    fn names(&self, pen: &mut dyn Pen, middle: Point, radius: f32, order: usize) -> io::Result<()> {
        let Some(height) = self.layout.labels else { return Ok(()) };
        let line = Stroke::solid(self.palette.label, 0.13 * height);
        for v in Square::below(order) {
            let name = self.tour.graph().name(v);
            let (x, y) = self.layout.centre(v);
            let (right, down) = ((x - middle.0) / radius, (y - middle.1) / radius);
            let disc = self.layout.numbers.map_or(0.0, |(_, disc)| 1.2 * disc);
            let out =
                disc.max(0.6 * height) + height + text_width(&name, height) / 2.0 * right.abs();
            pen.stroke(&text(&name, (x + out * right, y + out * down), height), &line)?;
        }
        Ok(())
    }

    /// Returns the width of the path.
    fn width(&self) -> f32 {
        match self.layout.place {
            Placement::Circle(..) => (0.07 * self.layout.cell).clamp(0.35, 3.0),
            _ => (0.075 * self.layout.cell).clamp(1.2, 5.0),
        }
    }

    fn colour(&self, time: usize) -> Rgb {
        self.ramp.colour(self.ramp.step(time, self.tour.squares().len()))
    }

    /// Paints the moves that start within a range of times.
    pub(super) fn moves(&self, pen: &mut dyn Pen, times: Range<usize>) -> io::Result<()> {
        let squares = self.tour.squares();
        let total = squares.len();
        let last = times.end.min(total.saturating_sub(1));
        let woven = total <= WOVEN;
        let mut from = times.start;
        while from < last {
            // One stroke per colour.
            let step = self.ramp.step(from, total);
            let mut to = from + 1;
            while !woven && to < last && self.ramp.step(to, total) == step {
                to += 1;
            }
            let points = squares[from..=to].iter().map(|&s| self.layout.centre(s));
            let path = Path::through(points);
            if woven {
                self.gap(pen, &path)?;
            }
            pen.stroke(&path, &Stroke::solid(self.ramp.colour(step), self.width()))?;
            from = to;
        }
        Ok(())
    }

    /// Paints the gap around a move in those it crosses, except near its ends, where moves meet.
    fn gap(&self, pen: &mut dyn Pen, path: &Path) -> io::Result<()> {
        let &[from, to] = path.0.as_slice() else { return Ok(()) };
        let (from, to) = (from.end(), to.end());
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let cut = (0.5 * self.layout.cell / dx.hypot(dy)).min(0.5);
        let at = |t: f32| (from.0 + t * dx, from.1 + t * dy);
        let ground = match self.layout.place {
            Placement::Circle(..) => self.palette.page,
            _ => self.palette.between,
        };
        let line = Stroke { flat: true, ..Stroke::solid(ground, 2.1 * self.width()) };
        pen.stroke(&Path::through([at(cut), at(1.0 - cut)]), &line)
    }

    /// Paints the closing move, if there is one.
    pub(super) fn closing(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let squares = self.tour.squares();
        let (true, Some(&first), Some(&last)) =
            (self.tour.is_closed(), squares.first(), squares.last())
        else {
            return Ok(());
        };
        let path = Path::through([last, first].map(|s| self.layout.centre(s)));
        let width = self.width();
        let dash = Some((2.2 * width.max(1.5), 1.6 * width.max(1.5)));
        let line = Stroke::solid(self.colour(squares.len() - 1), width);
        pen.stroke(&path, &Stroke { dash, opacity: 0.75, ..line })
    }

    /// Paints dots or numbers on the squares visited within a range of times.
    pub(super) fn stops(&self, pen: &mut dyn Pen, times: Range<usize>) -> io::Result<()> {
        let radius = match self.layout.numbers {
            Some((_, disc)) => disc,
            None if self.layout.cell >= 14.0 => 0.85 * self.width(),
            None => return Ok(()),
        };
        for time in times {
            let centre = self.layout.centre(self.tour.squares()[time]);
            let colour = self.colour(time);
            pen.disc(centre, radius, colour)?;
            self.number(pen, time, readable_on(colour))?;
        }
        Ok(())
    }

    fn number(&self, pen: &mut dyn Pen, time: usize, colour: Rgb) -> io::Result<()> {
        let Some((height, _)) = self.layout.numbers else { return Ok(()) };
        let centre = self.layout.centre(self.tour.squares()[time]);
        let line = Stroke::solid(colour, 0.14 * height);
        pen.stroke(&text(&(time + 1).to_string(), centre, height), &line)
    }

    /// Returns the radius of the marks at both ends.
    fn mark(&self) -> f32 {
        let (width, height) = self.layout.size;
        match (&self.layout.place, self.layout.numbers) {
            (_, Some((_, disc))) => 1.15 * disc,
            // Small compared with the shorter side, too.
            (Placement::Pixels(..), _) => {
                (0.009 * width.max(height) as f32).min(0.04 * width.min(height) as f32)
            }
            (Placement::Circle(..), _) => (0.2 * self.layout.cell).clamp(5.0, 10.0),
            _ => (0.21 * self.layout.cell).clamp(5.5, 14.0),
        }
        .max(2.5)
    }

    /// Paints the start as a disc, or as a ring where squares are pixels, to keep them visible.
    pub(super) fn start(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let Some(&square) = self.tour.squares().first() else { return Ok(()) };
        let (centre, radius) = (self.layout.centre(square), self.mark());
        if !self.layout.has_lines() {
            return self.open_ring(pen, centre, radius, 0.6 * radius);
        }
        pen.disc(centre, 1.22 * radius, self.palette.page)?;
        pen.disc(centre, radius, self.palette.ink)?;
        self.number(pen, 0, self.palette.page)
    }

    /// Paints a ring that is visible on any background and leaves its inside visible.
    fn open_ring(
        &self,
        pen: &mut dyn Pen,
        centre: Point,
        radius: f32,
        width: f32,
    ) -> io::Result<()> {
        pen.ring(centre, radius, width + 0.5 * self.mark(), self.palette.page)?;
        pen.ring(centre, radius, width, self.palette.ink)
    }

    /// Paints the end as a ring, larger if the start is too close for both marks.
    pub(super) fn end(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let [Some(&first), Some(&last)] = [self.tour.squares().first(), self.tour.squares().last()]
        else {
            return Ok(());
        };
        let (start, centre, mark) =
            (self.layout.centre(first), self.layout.centre(last), self.mark());
        let near = (start.0 - centre.0).hypot(start.1 - centre.1) < 1.6 * mark;
        let radius = if near { 2.1 * mark } else { mark };
        if !self.layout.has_lines() {
            return self.open_ring(pen, centre, radius, 0.3 * mark);
        }
        let width = if self.layout.numbers.is_some() { 0.12 * radius } else { 0.4 * mark };
        pen.disc(centre, radius + 0.22 * mark, self.palette.page)?;
        pen.ring(centre, radius - width / 2.0, width, self.palette.ink)?;
        self.number(pen, self.tour.squares().len() - 1, self.palette.ink)
    }

    /// Paints a mark on the square reached at a time, for animations.
    pub(super) fn head(&self, pen: &mut dyn Pen, time: usize) -> io::Result<()> {
        let centre = self.layout.centre(self.tour.squares()[time]);
        pen.ring(centre, 1.1 * self.mark(), 0.3 * self.mark(), self.palette.ink)
    }
}
