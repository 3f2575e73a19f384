//! A pen that paints a picture smaller or larger, at a place on another pen.

use super::colour::Rgb;
use super::pen::{Op, Path, Pen, Point, Stroke};
use std::io;
use tiny_skia::Pixmap;

/// A pen that scales about the origin and then moves it to a point.
pub(super) struct PlacedPen<'a> {
    pub(super) pen: &'a mut dyn Pen,
    /// Where the origin goes.
    pub(super) origin: Point,
    pub(super) scale: f32,
}

impl PlacedPen<'_> {
    fn at(&self, (x, y): Point) -> Point {
        (self.origin.0 + self.scale * x, self.origin.1 + self.scale * y)
    }

    fn sized(&self, (width, height): Point) -> Point {
        (self.scale * width, self.scale * height)
    }
}

impl Pen for PlacedPen<'_> {
    fn begin(&mut self, part: &str) -> io::Result<()> {
        self.pen.begin(part)
    }

    fn end(&mut self) -> io::Result<()> {
        self.pen.end()
    }

    fn rect(&mut self, corner: Point, size: Point, colour: Rgb) -> io::Result<()> {
        self.pen.rect(self.at(corner), self.sized(size), colour)
    }

    fn tiles(&mut self, corners: &[Point], side: f32, colour: Rgb) -> io::Result<()> {
        let corners: Vec<Point> = corners.iter().map(|&corner| self.at(corner)).collect();
        self.pen.tiles(&corners, self.scale * side, colour)
    }

    fn disc(&mut self, centre: Point, radius: f32, colour: Rgb) -> io::Result<()> {
        self.pen.disc(self.at(centre), self.scale * radius, colour)
    }

    fn ring(&mut self, centre: Point, radius: f32, width: f32, colour: Rgb) -> io::Result<()> {
        self.pen.ring(self.at(centre), self.scale * radius, self.scale * width, colour)
    }

    fn stroke(&mut self, path: &Path, stroke: &Stroke) -> io::Result<()> {
        let op = |op: &Op| match *op {
            Op::Move(p) => Op::Move(self.at(p)),
            Op::Line(p) => Op::Line(self.at(p)),
            Op::Curve(a, b, c) => Op::Curve(self.at(a), self.at(b), self.at(c)),
        };
        let path = Path(path.0.iter().map(op).collect());
        let dash = stroke.dash.map(|dash| self.sized(dash));
        self.pen.stroke(&path, &Stroke { width: self.scale * stroke.width, dash, ..*stroke })
    }

    fn image(&mut self, corner: Point, size: Point, pixels: &Pixmap) -> io::Result<()> {
        self.pen.image(self.at(corner), self.sized(size), pixels)
    }
}
