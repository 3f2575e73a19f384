//! Pens: a picture is painted on a [`Pen`], which writes SVG or PDF or sets pixels, so all show the same
//! strokes.

use super::colour::Rgb;
use std::io;
use tiny_skia::Pixmap;

/// A position in pixels from the top left corner.
pub(super) type Point = (f32, f32);

/// One command of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Op {
    /// Move without drawing.
    Move(Point),
    /// A straight line.
    Line(Point),
    /// A cubic Bézier curve: two control points and the end.
    Curve(Point, Point, Point),
}

impl Op {
    /// Returns the end point.
    pub(super) fn end(&self) -> Point {
        match *self {
            Op::Move(p) | Op::Line(p) | Op::Curve(_, _, p) => p,
        }
    }
}

/// Strokes that are drawn together.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Path(pub(super) Vec<Op>);

impl Path {
    /// Creates a polyline.
    pub(super) fn through(points: impl IntoIterator<Item = Point>) -> Path {
        let ops = points.into_iter().enumerate();
        Path(ops.map(|(i, p)| if i == 0 { Op::Move(p) } else { Op::Line(p) }).collect())
    }
}

/// The style of a stroke. Ends and corners are round unless it is dashed or `flat`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Stroke {
    pub(super) colour: Rgb,
    pub(super) width: f32,
    pub(super) opacity: f32,
    /// Lengths of dash and gap.
    pub(super) dash: Option<(f32, f32)>,
    /// Butt caps.
    pub(super) flat: bool,
}

impl Stroke {
    /// Creates a solid stroke.
    pub(super) fn solid(colour: Rgb, width: f32) -> Stroke {
        Stroke { colour, width, opacity: 1.0, dash: None, flat: false }
    }
}

/// A drawing surface.
pub(super) trait Pen {
    /// Begins a named part of the picture.
    fn begin(&mut self, _part: &str) -> io::Result<()> {
        Ok(())
    }
    /// Ends it.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
    /// Fills a rectangle by its top left corner, width and height.
    fn rect(&mut self, corner: Point, size: Point, colour: Rgb) -> io::Result<()>;
    /// Fills equal squares by their top left corners.
    fn tiles(&mut self, corners: &[Point], side: f32, colour: Rgb) -> io::Result<()>;
    /// Fills a circle.
    fn disc(&mut self, centre: Point, radius: f32, colour: Rgb) -> io::Result<()>;
    /// Strokes a circle, `width` wide.
    fn ring(&mut self, centre: Point, radius: f32, width: f32, colour: Rgb) -> io::Result<()>;
    /// Strokes a path.
    fn stroke(&mut self, path: &Path, stroke: &Stroke) -> io::Result<()>;
    /// Draws pixels, scaled to a width and height.
    fn image(&mut self, corner: Point, size: Point, pixels: &Pixmap) -> io::Result<()>;
}

/// Paints a named part of the picture.
pub(super) fn part(
    pen: &mut dyn Pen,
    name: &str,
    paint: impl FnOnce(&mut dyn Pen) -> io::Result<()>,
) -> io::Result<()> {
    pen.begin(name)?;
    paint(pen)?;
    pen.end()
}
