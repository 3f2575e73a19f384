//! The pen that sets pixels, and PNG output.

use super::DrawError;
use super::colour::Rgb;
use super::pen::{Op, Path, Pen, Point, Stroke};
use std::io::{self, Write};
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, PixmapPaint, PremultipliedColorU8,
    Rect, StrokeDash, Transform,
};

/// A sheet of pixels, initially transparent.
#[derive(Clone)]
pub(super) struct Raster {
    pub(super) pixels: Pixmap,
}

impl Raster {
    /// Creates an empty sheet.
    pub(super) fn new((width, height): (u32, u32)) -> Result<Raster, DrawError> {
        let pixels =
            Pixmap::new(width, height).ok_or(DrawError::Size { asked: width.max(height) })?;
        Ok(Raster { pixels })
    }

    /// Blends another sheet of the same size over this one. Sheets are mostly empty, and this loop skips
    /// empty pixels faster than general blending.
    pub(super) fn lay(&mut self, over: &Raster) {
        for (under, over) in self.pixels.pixels_mut().iter_mut().zip(over.pixels.pixels()) {
            let left = 255 - u32::from(over.alpha());
            if left == 255 {
                continue;
            }
            let blend =
                |over: u8, under: u8| over.saturating_add((u32::from(under) * left / 255) as u8);
            let alpha = blend(over.alpha(), under.alpha());
            let part = |over: u8, under: u8| blend(over, under).min(alpha);
            let red = part(over.red(), under.red());
            let green = part(over.green(), under.green());
            let blue = part(over.blue(), under.blue());
            if let Some(mixed) = PremultipliedColorU8::from_rgba(red, green, blue, alpha) {
                *under = mixed;
            }
        }
    }

    /// Writes the sheet as PNG.
    pub(super) fn write_png(&self, out: &mut dyn Write) -> Result<(), DrawError> {
        let bytes = self.pixels.encode_png().map_err(io::Error::other)?;
        out.write_all(&bytes)?;
        Ok(out.flush()?)
    }
}

fn paint(Rgb([r, g, b]): Rgb, opacity: f32) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, (opacity * 255.0).round() as u8);
    paint
}

/// Degenerate shapes (a path without points, a rectangle without width) are not drawn.
impl Pen for Raster {
    fn rect(&mut self, corner: Point, size: Point, colour: Rgb) -> io::Result<()> {
        if let Some(rect) = Rect::from_xywh(corner.0, corner.1, size.0, size.1) {
            self.pixels.fill_rect(rect, &paint(colour, 1.0), Transform::identity(), None);
        }
        Ok(())
    }

    fn tiles(&mut self, corners: &[Point], side: f32, colour: Rgb) -> io::Result<()> {
        corners.iter().try_for_each(|&corner| self.rect(corner, (side, side), colour))
    }

    fn disc(&mut self, (x, y): Point, radius: f32, colour: Rgb) -> io::Result<()> {
        if let Some(circle) = PathBuilder::from_circle(x, y, radius) {
            let (paint, here) = (paint(colour, 1.0), Transform::identity());
            self.pixels.fill_path(&circle, &paint, FillRule::Winding, here, None);
        }
        Ok(())
    }

    fn ring(&mut self, (x, y): Point, radius: f32, width: f32, colour: Rgb) -> io::Result<()> {
        if let Some(circle) = PathBuilder::from_circle(x, y, radius) {
            let stroke = tiny_skia::Stroke { width, ..Default::default() };
            let (paint, here) = (paint(colour, 1.0), Transform::identity());
            self.pixels.stroke_path(&circle, &paint, &stroke, here, None);
        }
        Ok(())
    }

    fn stroke(&mut self, path: &Path, stroke: &Stroke) -> io::Result<()> {
        let mut builder = PathBuilder::new();
        for op in &path.0 {
            match *op {
                Op::Move((x, y)) => builder.move_to(x, y),
                Op::Line((x, y)) => builder.line_to(x, y),
                Op::Curve(a, b, c) => builder.cubic_to(a.0, a.1, b.0, b.1, c.0, c.1),
            }
        }
        let flat = stroke.flat || stroke.dash.is_some();
        let line = tiny_skia::Stroke {
            width: stroke.width,
            line_cap: if flat { LineCap::Butt } else { LineCap::Round },
            line_join: LineJoin::Round,
            dash: stroke.dash.and_then(|(dash, gap)| StrokeDash::new(vec![dash, gap], 0.0)),
            ..Default::default()
        };
        if let Some(path) = builder.finish() {
            let (paint, here) = (paint(stroke.colour, stroke.opacity), Transform::identity());
            self.pixels.stroke_path(&path, &paint, &line, here, None);
        }
        Ok(())
    }

    fn image(&mut self, corner: Point, size: Point, pixels: &Pixmap) -> io::Result<()> {
        let scale = (size.0 / pixels.width() as f32, size.1 / pixels.height() as f32);
        let place =
            Transform::from_row(scale.0, 0.0, 0.0, scale.1, corner.0.round(), corner.1.round());
        self.pixels.draw_pixmap(0, 0, pixels.as_ref(), &PixmapPaint::default(), place, None);
        Ok(())
    }
}
