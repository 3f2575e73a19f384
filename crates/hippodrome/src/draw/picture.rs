//! The picture of a figure in layers: ground, moves, marks. Each layer can be painted on any [`Pen`];
//! the animation paints the moves a few at a time.
//!
//! Moves are coloured by time. Where two cross, the later one passes over the earlier one with a narrow gap
//! on either side. The start is a disc, the end a ring; the closing move of a closed tour is dashed.

use super::backdrop::Backdrop;
use super::colour::{Palette, Ramp, Rgb, readable_on};
use super::glyph::text;
use super::layout::{PictureLayout, Placement, Space};
use super::pen::{Path, Pen, Point, Stroke, part};
use super::{DrawError, Drawable, Style, Theme, field};
use crate::board::Square;
use std::io;
use std::ops::Range;

/// Longest tour with gaps at crossings; in longer ones they would be narrower than a pixel.
const WOVEN: usize = 1000;

/// A figure with its layout and colours.
pub(super) struct Picture<'a> {
    figure: Drawable<'a>,
    path: &'a [Square],
    pub(super) layout: PictureLayout,
    pub(super) palette: &'static Palette,
    ramp: Ramp,
    /// Whether both ends are marked.
    ends: bool,
    outlined: bool,
    /// Whether later moves pass over earlier ones; black lines would look broken.
    woven: bool,
}

impl<'a> Picture<'a> {
    /// Lays out a figure in a space.
    pub(super) fn new(
        figure: Drawable<'a>,
        style: &Style,
        space: Space,
    ) -> Result<Picture<'a>, DrawError> {
        let layout = PictureLayout::new(&figure, style, space)?;
        let path = figure.path();
        if path.is_empty() && !layout.has_lines() {
            return Err(DrawError::TooLargeForBlank { graph: figure.graph().to_string() });
        }
        let coloured = style.is_coloured() || !layout.has_lines();
        let ramp = if coloured { Ramp::of(style.theme) } else { Ramp::plain(style.theme) };
        let palette = Palette::of(style.theme);
        let outlined = Backdrop::is_outlined(style.theme, path);
        let woven = style.theme != Theme::Mono;
        Ok(Picture { figure, path, layout, palette, ramp, ends: style.ends, outlined, woven })
    }

    /// Paints everything on a page of its own.
    pub(super) fn paint(&self, pen: &mut dyn Pen) -> Result<(), DrawError> {
        self.under().page(pen)?;
        self.paint_figure(pen)
    }

    /// Paints everything but the page.
    pub(super) fn paint_figure(&self, pen: &mut dyn Pen) -> Result<(), DrawError> {
        let all = 0..self.path.len();
        self.under().paint(pen)?;
        if let Drawable::Board(_, texts) = self.figure {
            return self.texts(pen, texts);
        }
        if let Placement::Pixels(board, corner, size) = &self.layout.place {
            let pixels = field::pixels(self.path, board, *size, &self.ramp, self.palette)?;
            pen.image(*corner, (size.0 as f32, size.1 as f32), &pixels)?;
        } else {
            part(pen, "path", |pen| {
                self.closing(pen)?;
                self.moves(pen, all.clone())
            })?;
            part(pen, "squares", |pen| self.stops(pen, all))?;
        }
        if !self.ends {
            return Ok(());
        }
        Ok(part(pen, "ends", |pen| {
            self.end(pen)?;
            self.start(pen)
        })?)
    }

    /// Paints page, board, holes and coordinates.
    pub(super) fn ground(&self, pen: &mut dyn Pen) -> io::Result<()> {
        self.under().page(pen)?;
        self.under().paint(pen)
    }

    fn under(&self) -> Backdrop<'_> {
        Backdrop {
            graph: self.figure.graph(),
            path: self.path,
            layout: &self.layout,
            palette: self.palette,
            outlined: self.outlined,
        }
    }

    /// Paints the texts in the squares of a board without a tour.
    fn texts(&self, pen: &mut dyn Pen, texts: &[(Square, String)]) -> Result<(), DrawError> {
        let wide = |text: &&String| text.chars().count();
        let Some(longest) = texts.iter().map(|(_, text)| text).max_by_key(wide) else {
            return Ok(());
        };
        let small = || DrawError::SmallSquares { text: longest.clone() };
        let height = self.layout.text_height(longest).ok_or_else(small)?;
        let line = Stroke::solid(self.palette.ink, 0.11 * height);
        Ok(part(pen, "squares", |pen| {
            texts.iter().try_for_each(|(square, shown)| {
                pen.stroke(&text(shown, self.layout.centre(*square), height), &line)
            })
        })?)
    }

    /// Returns the width of the path.
    fn width(&self) -> f32 {
        match self.layout.place {
            Placement::Vertices(..) => (0.07 * self.layout.cell).clamp(0.35, 3.0),
            _ if self.layout.fine => (0.075 * self.layout.cell).clamp(0.35, 5.0),
            _ => (0.075 * self.layout.cell).clamp(1.2, 5.0),
        }
    }

    fn colour(&self, time: usize) -> Rgb {
        self.ramp.colour(self.ramp.step(time, self.path.len()))
    }

    /// Paints the moves that start within a range of times.
    pub(super) fn moves(&self, pen: &mut dyn Pen, times: Range<usize>) -> io::Result<()> {
        let squares = self.path;
        let total = squares.len();
        let last = times.end.min(total.saturating_sub(1));
        let woven = total <= WOVEN && self.woven;
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
            Placement::Vertices(..) => self.palette.page,
            _ => self.palette.between,
        };
        let line = Stroke { flat: true, ..Stroke::solid(ground, 2.1 * self.width()) };
        pen.stroke(&Path::through([at(cut), at(1.0 - cut)]), &line)
    }

    /// Paints the closing move, if there is one.
    pub(super) fn closing(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let squares = self.path;
        let (true, Some(&first), Some(&last)) =
            (self.figure.is_closed(), squares.first(), squares.last())
        else {
            return Ok(());
        };
        let path = Path::through([last, first].map(|s| self.layout.centre(s)));
        let width = self.width();
        let dash = Some((2.2 * width.max(1.5), 1.6 * width.max(1.5)));
        let line = Stroke::solid(self.colour(squares.len() - 1), width);
        match self.ends {
            true => pen.stroke(&path, &Stroke { dash, opacity: 0.75, ..line }),
            // Without ends it is a move like the others.
            false => pen.stroke(&path, &line),
        }
    }

    /// Paints dots or numbers on the squares visited within a range of times.
    pub(super) fn stops(&self, pen: &mut dyn Pen, times: Range<usize>) -> io::Result<()> {
        let radius = match self.layout.numbers {
            Some((_, disc)) => disc,
            None if self.layout.cell >= 14.0 => 0.85 * self.width(),
            None => return Ok(()),
        };
        for time in times {
            let centre = self.layout.centre(self.path[time]);
            let colour = self.colour(time);
            pen.disc(centre, radius, colour)?;
            self.number(pen, time, readable_on(colour))?;
        }
        Ok(())
    }

    fn number(&self, pen: &mut dyn Pen, time: usize, colour: Rgb) -> io::Result<()> {
        let Some((height, _)) = self.layout.numbers else { return Ok(()) };
        let centre = self.layout.centre(self.path[time]);
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
            (Placement::Vertices(..), _) => (0.2 * self.layout.cell).clamp(5.0, 10.0),
            _ if self.layout.fine => return (0.21 * self.layout.cell).min(14.0),
            _ => (0.21 * self.layout.cell).clamp(5.5, 14.0),
        }
        .max(2.5)
    }

    /// Paints the start as a disc, or as a ring where squares are pixels, to keep them visible.
    pub(super) fn start(&self, pen: &mut dyn Pen) -> io::Result<()> {
        let Some(&square) = self.path.first() else { return Ok(()) };
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
        let [Some(&first), Some(&last)] = [self.path.first(), self.path.last()] else {
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
        self.number(pen, self.path.len() - 1, self.palette.ink)
    }

    /// Paints a mark on the square reached at a time, for animations.
    pub(super) fn head(&self, pen: &mut dyn Pen, time: usize) -> io::Result<()> {
        let centre = self.layout.centre(self.path[time]);
        pen.ring(centre, 1.1 * self.mark(), 0.3 * self.mark(), self.palette.ink)
    }
}
