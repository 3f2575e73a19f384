//! The pen that writes SVG as a stream, with named groups and the tour in a metadata element, so that a
//! picture can be read back.

use super::colour::Rgb;
use super::escape::ElementText;
use super::pen::{Op, Path, Pen, Point, Stroke};
use serde_json::Value;
use std::fmt;
use std::io::{self, Write};
use tiny_skia::Pixmap;

/// A pen that writes SVG elements.
pub(super) struct SvgPen<'a> {
    out: &'a mut dyn Write,
}

impl<'a> SvgPen<'a> {
    /// Writes the start of a picture: size, and title for screen readers.
    pub(super) fn open(
        out: &'a mut dyn Write,
        (width, height): (u32, u32),
        title: &str,
    ) -> io::Result<SvgPen<'a>> {
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" fill=\"none\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">"
        )?;
        write!(out, "<title>")?;
        ElementText(out).write_all(title.as_bytes())?;
        writeln!(out, "</title>")?;
        Ok(SvgPen { out })
    }

    /// Writes a tour that the picture shows. Its number, from 1, is 0 if there is no other.
    pub(super) fn metadata(&mut self, tour: &Value, number: usize) -> io::Result<()> {
        match number {
            0 => write!(self.out, "<metadata id=\"hippodrome-tour\">")?,
            n => write!(self.out, "<metadata id=\"hippodrome-tour-{n}\">")?,
        }
        serde_json::to_writer(io::BufWriter::new(ElementText(self.out)), tour)?;
        writeln!(self.out, "</metadata>")
    }

    /// Writes the end of the picture.
    pub(super) fn close(self) -> io::Result<()> {
        writeln!(self.out, "</svg>")?;
        self.out.flush()
    }
}

impl Pen for SvgPen<'_> {
    fn begin(&mut self, part: &str) -> io::Result<()> {
        writeln!(self.out, "<g class=\"{part}\">")
    }

    fn end(&mut self) -> io::Result<()> {
        writeln!(self.out, "</g>")
    }

    fn rect(&mut self, corner: Point, size: Point, colour: Rgb) -> io::Result<()> {
        let (x, y, w, h) = (Short(corner.0), Short(corner.1), Short(size.0), Short(size.1));
        writeln!(
            self.out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{colour}\"/>"
        )
    }

    fn tiles(&mut self, corners: &[Point], side: f32, colour: Rgb) -> io::Result<()> {
        if corners.is_empty() {
            return Ok(());
        }
        write!(self.out, "<path fill=\"{colour}\" d=\"")?;
        let side = Short(side);
        for &(x, y) in corners {
            write!(self.out, "M{} {}h{side}v{side}h-{side}z", Short(x), Short(y))?;
        }
        writeln!(self.out, "\"/>")
    }

    fn disc(&mut self, (x, y): Point, radius: f32, colour: Rgb) -> io::Result<()> {
        let (x, y, r) = (Short(x), Short(y), Short(radius));
        writeln!(self.out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{colour}\"/>")
    }

    fn ring(&mut self, (x, y): Point, radius: f32, width: f32, colour: Rgb) -> io::Result<()> {
        let (x, y, r, w) = (Short(x), Short(y), Short(radius), Short(width));
        writeln!(
            self.out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" stroke=\"{colour}\" stroke-width=\"{w}\"/>"
        )
    }

    fn stroke(&mut self, path: &Path, stroke: &Stroke) -> io::Result<()> {
        let (colour, width) = (stroke.colour, Short(stroke.width));
        write!(self.out, "<path stroke=\"{colour}\" stroke-width=\"{width}\"")?;
        if stroke.opacity < 1.0 {
            write!(self.out, " opacity=\"{}\"", Short(stroke.opacity))?;
        }
        if let Some((dash, gap)) = stroke.dash {
            write!(self.out, " stroke-dasharray=\"{} {}\"", Short(dash), Short(gap))?;
        }
        if stroke.flat || stroke.dash.is_some() {
            write!(self.out, " stroke-linecap=\"butt\"")?;
        }
        write!(self.out, " d=\"")?;
        for op in &path.0 {
            match *op {
                Op::Move((x, y)) => write!(self.out, "M{} {}", Short(x), Short(y))?,
                Op::Line((x, y)) => write!(self.out, "L{} {}", Short(x), Short(y))?,
                Op::Curve(a, b, c) => {
                    let [a, b, c] = [a, b, c].map(|(x, y)| (Short(x), Short(y)));
                    write!(self.out, "C{} {} {} {} {} {}", a.0, a.1, b.0, b.1, c.0, c.1)?;
                }
            }
        }
        writeln!(self.out, "\"/>")
    }

    fn image(&mut self, corner: Point, size: Point, pixels: &Pixmap) -> io::Result<()> {
        let (x, y, w, h) = (Short(corner.0), Short(corner.1), Short(size.0), Short(size.1));
        write!(
            self.out,
            "<image x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" \
             image-rendering=\"pixelated\" href=\"data:image/png;base64,"
        )?;
        base64(&pixels.encode_png().map_err(io::Error::other)?, self.out)?;
        writeln!(self.out, "\"/>")
    }
}

/// A coordinate in hundredths of a pixel, without trailing zeros.
struct Short(f32);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (f64::from(self.0) * 100.0).round() as i64;
        if hundredths < 0 {
            f.write_str("-")?;
        }
        let (whole, part) = (hundredths.abs() / 100, hundredths.abs() % 100);
        match (part, part % 10) {
            (0, _) => write!(f, "{whole}"),
            (_, 0) => write!(f, "{whole}.{}", part / 10),
            _ => write!(f, "{whole}.{part:02}"),
        }
    }
}

fn base64(bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut line = Vec::with_capacity(4096);
    for chunk in bytes.chunks(3072) {
        line.clear();
        for three in chunk.chunks(3) {
            let byte = |i: usize| three.get(i).map_or(0, |&b| u32::from(b));
            let word = byte(0) << 16 | byte(1) << 8 | byte(2);
            let sign = |i: usize| SIGNS[(word >> (18 - 6 * i)) as usize & 63];
            line.extend((0..4).map(|i| if i <= three.len() { sign(i) } else { b'=' }));
        }
        out.write_all(&line)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short_and_rounded() {
        let short: Vec<String> =
            [0.0, 1.5, 2.25, -0.5, 3.004, 2.999, -12.3].map(|x| Short(x).to_string()).to_vec();
        assert_eq!(short, ["0", "1.5", "2.25", "-0.5", "3", "3", "-12.3"]);
    }

    #[test]
    fn base64_pads_its_last_group() {
        for (text, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")] {
            let mut out = Vec::new();
            base64(text.as_bytes(), &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), coded);
        }
    }
}
