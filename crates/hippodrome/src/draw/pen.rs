//! What a picture is drawn with. A picture is painted once, on a [`Pen`]; one pen writes SVG, the
//! other sets pixels, so that both show the same strokes.

use super::colour::Rgb;
use std::io;
use tiny_skia::Pixmap;

/// A place in pixels, from the top left corner.
pub(super) type Point = (f32, f32);

/// One piece of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Op {
    /// Lift the pen and go there.
    Move(Point),
    /// A straight line.
    Line(Point),
    /// A cubic curve: two handles, then its end.
    Curve(Point, Point, Point),
}

impl Op {
    /// Where it leads.
    pub(super) fn end(&self) -> Point {
        match *self {
            Op::Move(p) | Op::Line(p) | Op::Curve(_, _, p) => p,
        }
    }
}

/// Strokes to be drawn in one go.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Path(pub(super) Vec<Op>);

impl Path {
    /// A polyline.
    pub(super) fn through(points: impl IntoIterator<Item = Point>) -> Path {
        let ops = points.into_iter().enumerate();
        Path(ops.map(|(i, p)| if i == 0 { Op::Move(p) } else { Op::Line(p) }).collect())
    }
}

/// How a path is stroked. Ends and corners are round unless it is dashed or `flat`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Stroke {
    pub(super) colour: Rgb,
    pub(super) width: f32,
    pub(super) opacity: f32,
    /// Lengths of dash and gap.
    pub(super) dash: Option<(f32, f32)>,
    /// Ends cut off square.
    pub(super) flat: bool,
}

impl Stroke {
    /// A solid stroke.
    pub(super) fn solid(colour: Rgb, width: f32) -> Stroke {
        Stroke { colour, width, opacity: 1.0, dash: None, flat: false }
    }
}

/// Something to draw on.
pub(super) trait Pen {
    /// Begins a named part of the picture.
    fn begin(&mut self, _part: &str) -> io::Result<()> {
        Ok(())
    }
    /// Ends it.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
    /// A filled rectangle by its top left corner, width and height.
    fn rect(&mut self, corner: Point, size: Point, colour: Rgb) -> io::Result<()>;
    /// Equal filled squares by their top left corners.
    fn tiles(&mut self, corners: &[Point], side: f32, colour: Rgb) -> io::Result<()>;
    /// A filled circle.
    fn disc(&mut self, centre: Point, radius: f32, colour: Rgb) -> io::Result<()>;
    /// The outline of a circle, `width` wide.
    fn ring(&mut self, centre: Point, radius: f32, width: f32, colour: Rgb) -> io::Result<()>;
    /// A stroked path.
    fn stroke(&mut self, path: &Path, stroke: &Stroke) -> io::Result<()>;
    /// Pixels, one to one.
    fn image(&mut self, corner: Point, pixels: &Pixmap) -> io::Result<()>;
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
