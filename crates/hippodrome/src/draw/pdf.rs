//! The pen that writes PDF, and the file it writes: vector pages that leave one by one.
//!
//! A page is compressed and written as soon as it is painted, so memory holds one page and, for the table at
//! the end of the file, eight bytes per object. The objects are made by `pdf-writer`, which would collect the
//! whole file; header, table and trailer are therefore written here. Pages share one dictionary of
//! images and opacities.

use super::colour::Rgb;
use super::pen::{Op, Path, Pen, Point, Stroke};
use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Chunk, Content, Filter, Finish, Name, Rect, Ref, Settings, TextStr};
use std::collections::BTreeSet;
use std::io::{self, Write};
use tiny_skia::Pixmap;

/// Points per pixel: 72 of an inch beside 96.
const POINTS: f32 = 0.75;
/// Compression level, of 10.
const LEVEL: u8 = 6;
/// Objects with a fixed number.
const CATALOG: i32 = 1;
const PAGES: i32 = 2;
const RESOURCES: i32 = 3;
const INFO: i32 = 4;

/// A PDF that is written page by page.
pub(super) struct PdfFile<'a> {
    out: &'a mut dyn Write,
    /// Bytes written.
    length: u64,
    /// Position of each object, by number from 1; 0 until it is written.
    positions: Vec<u64>,
    pages: Vec<Ref>,
    /// Opacities used, in percent.
    opacities: BTreeSet<u8>,
    images: Vec<Ref>,
}

impl<'a> PdfFile<'a> {
    /// Writes the header.
    pub(super) fn open(out: &'a mut dyn Write, title: &str) -> io::Result<PdfFile<'a>> {
        let mut file = PdfFile {
            out,
            length: 0,
            positions: vec![0; INFO as usize],
            pages: Vec::new(),
            opacities: BTreeSet::new(),
            images: Vec::new(),
        };
        // The second line marks the file as binary.
        file.write(b"%PDF-1.7\n%\x80\x80\x80\x80\n")?;
        let mut chunk = new_chunk();
        let mut info = chunk.indirect(Ref::new(INFO)).dict();
        info.pair(Name(b"Title"), TextStr(title));
        info.pair(Name(b"Producer"), TextStr("Hippodrome"));
        info.finish();
        file.object(INFO, &chunk)?;
        Ok(file)
    }

    /// Paints a page of a size in pixels and writes it.
    pub(super) fn page<E: From<io::Error>>(
        &mut self,
        (width, height): Point,
        paint: impl FnOnce(&mut dyn Pen) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut content = Content::with_settings(Settings { pretty: false });
        content.transform([POINTS, 0.0, 0.0, -POINTS, 0.0, POINTS * height]);
        content.set_line_join(LineJoinStyle::RoundJoin);
        let mut pen = PdfPen { content, file: self };
        paint(&mut pen)?;
        let content = pen.content.finish();
        let (page, stream) = (self.reserve(), self.reserve());
        let bytes = compress_to_vec_zlib(&content, LEVEL);
        let mut chunk = new_chunk();
        chunk.stream(Ref::new(stream), &bytes).filter(Filter::FlateDecode);
        self.object(stream, &chunk)?;
        let mut chunk = new_chunk();
        let mut object = chunk.page(Ref::new(page));
        object.media_box(Rect::new(0.0, 0.0, POINTS * width, POINTS * height));
        object.parent(Ref::new(PAGES));
        object.contents(Ref::new(stream));
        object.pair(Name(b"Resources"), Ref::new(RESOURCES));
        object.finish();
        self.object(page, &chunk)?;
        self.pages.push(Ref::new(page));
        Ok(())
    }

    /// Writes the list of pages, the shared dictionary, the table of objects and the trailer.
    pub(super) fn close(mut self) -> io::Result<()> {
        let mut chunk = new_chunk();
        let count = i32::try_from(self.pages.len()).map_err(io::Error::other)?;
        chunk.pages(Ref::new(PAGES)).kids(self.pages.iter().copied()).count(count);
        self.object(PAGES, &chunk)?;
        let mut chunk = new_chunk();
        let mut resources = chunk.indirect(Ref::new(RESOURCES)).dict();
        let mut states = resources.insert(Name(b"ExtGState")).dict();
        for &percent in &self.opacities {
            let mut state = states.insert(Name(opacity_name(percent).as_bytes())).dict();
            state.pair(Name(b"CA"), f32::from(percent) / 100.0);
        }
        states.finish();
        let mut images = resources.insert(Name(b"XObject")).dict();
        for (number, &image) in self.images.iter().enumerate() {
            images.pair(Name(image_name(number).as_bytes()), image);
        }
        images.finish();
        resources.finish();
        self.object(RESOURCES, &chunk)?;
        let mut chunk = new_chunk();
        let mut catalog = chunk.indirect(Ref::new(CATALOG)).dict();
        catalog.pair(Name(b"Type"), Name(b"Catalog"));
        catalog.pair(Name(b"Pages"), Ref::new(PAGES));
        catalog.finish();
        self.object(CATALOG, &chunk)?;
        let table = self.length;
        let size = self.positions.len() + 1;
        self.write(format!("xref\n0 {size}\n0000000000 65535 f \n").as_bytes())?;
        for position in std::mem::take(&mut self.positions) {
            self.write(format!("{position:010} 00000 n \n").as_bytes())?;
        }
        let trailer = format!(
            "trailer\n<</Size {size}/Root {CATALOG} 0 R/Info {INFO} 0 R>>\nstartxref\n{table}\n%%EOF\n"
        );
        self.write(trailer.as_bytes())?;
        self.out.flush()
    }

    /// Returns the number of a new object.
    fn reserve(&mut self) -> i32 {
        self.positions.push(0);
        self.positions.len() as i32
    }

    /// Writes one object.
    fn object(&mut self, number: i32, chunk: &Chunk) -> io::Result<()> {
        self.positions[number as usize - 1] = self.length;
        self.write(chunk.as_bytes())?;
        self.write(b"\n")
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

fn new_chunk() -> Chunk {
    Chunk::with_settings(Settings { pretty: false })
}

fn opacity_name(percent: u8) -> String {
    format!("o{percent}")
}

fn image_name(number: usize) -> String {
    format!("i{number}")
}

/// A pen that paints one page; coordinates are pixels, as in the other pens.
struct PdfPen<'p, 'a> {
    content: Content,
    file: &'p mut PdfFile<'a>,
}

/// Rounds to hundredths of a pixel, for short numbers.
fn short(x: f32) -> f32 {
    (x * 100.0).round() / 100.0
}

impl PdfPen<'_, '_> {
    fn fill(&mut self, Rgb(rgb): Rgb) {
        let [r, g, b] = rgb.map(unit);
        self.content.set_fill_rgb(r, g, b);
    }

    fn line(&mut self, Rgb(rgb): Rgb, width: f32, cap: LineCapStyle) {
        let [r, g, b] = rgb.map(unit);
        self.content.set_stroke_rgb(r, g, b).set_line_width(short(width)).set_line_cap(cap);
    }

    /// Adds a circle to the path, as four curves.
    fn circle(&mut self, (x, y): Point, radius: f32) {
        // Control points at this share of the radius differ from a circle by less than a thousandth.
        let k = 0.552_284_8 * radius;
        let at = |dx: f32, dy: f32| (short(x + dx), short(y + dy));
        let curves = [
            [at(radius, k), at(k, radius), at(0.0, radius)],
            [at(-k, radius), at(-radius, k), at(-radius, 0.0)],
            [at(-radius, -k), at(-k, -radius), at(0.0, -radius)],
            [at(k, -radius), at(radius, -k), at(radius, 0.0)],
        ];
        let (x, y) = at(radius, 0.0);
        self.content.move_to(x, y);
        for [a, b, c] in curves {
            self.content.cubic_to(a.0, a.1, b.0, b.1, c.0, c.1);
        }
        self.content.close_path();
    }
}

/// Returns a byte of a colour as a share, in thousandths.
fn unit(byte: u8) -> f32 {
    (f32::from(byte) / 255.0 * 1000.0).round() / 1000.0
}

impl Pen for PdfPen<'_, '_> {
    fn rect(&mut self, corner: Point, size: Point, colour: Rgb) -> io::Result<()> {
        self.fill(colour);
        self.content.rect(short(corner.0), short(corner.1), short(size.0), short(size.1));
        self.content.fill_nonzero();
        Ok(())
    }

    fn tiles(&mut self, corners: &[Point], side: f32, colour: Rgb) -> io::Result<()> {
        if corners.is_empty() {
            return Ok(());
        }
        self.fill(colour);
        for &(x, y) in corners {
            self.content.rect(short(x), short(y), short(side), short(side));
        }
        self.content.fill_nonzero();
        Ok(())
    }

    fn disc(&mut self, centre: Point, radius: f32, colour: Rgb) -> io::Result<()> {
        self.fill(colour);
        self.circle(centre, radius);
        self.content.fill_nonzero();
        Ok(())
    }

    fn ring(&mut self, centre: Point, radius: f32, width: f32, colour: Rgb) -> io::Result<()> {
        self.line(colour, width, LineCapStyle::ButtCap);
        self.circle(centre, radius);
        self.content.stroke();
        Ok(())
    }

    fn stroke(&mut self, path: &Path, stroke: &Stroke) -> io::Result<()> {
        let flat = stroke.flat || stroke.dash.is_some();
        let cap = if flat { LineCapStyle::ButtCap } else { LineCapStyle::RoundCap };
        let special = stroke.opacity < 1.0 || stroke.dash.is_some();
        if special {
            self.content.save_state();
        }
        if stroke.opacity < 1.0 {
            let percent = (stroke.opacity * 100.0).round() as u8;
            self.file.opacities.insert(percent);
            self.content.set_parameters(Name(opacity_name(percent).as_bytes()));
        }
        if let Some((dash, gap)) = stroke.dash {
            self.content.set_dash_pattern([short(dash), short(gap)], 0.0);
        }
        self.line(stroke.colour, stroke.width, cap);
        for op in &path.0 {
            match *op {
                Op::Move((x, y)) => self.content.move_to(short(x), short(y)),
                Op::Line((x, y)) => self.content.line_to(short(x), short(y)),
                Op::Curve(a, b, c) => {
                    let [a, b, c] = [a, b, c].map(|(x, y)| (short(x), short(y)));
                    self.content.cubic_to(a.0, a.1, b.0, b.1, c.0, c.1)
                }
            };
        }
        self.content.stroke();
        if special {
            self.content.restore_state();
        }
        Ok(())
    }

    fn image(&mut self, corner: Point, size: Point, pixels: &Pixmap) -> io::Result<()> {
        let rgb: Vec<u8> =
            pixels.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
        let bytes = compress_to_vec_zlib(&rgb, LEVEL);
        let number = self.file.reserve();
        let mut chunk = new_chunk();
        let mut image = chunk.image_xobject(Ref::new(number), &bytes);
        image.filter(Filter::FlateDecode);
        image.width(pixels.width() as i32).height(pixels.height() as i32);
        image.color_space().device_rgb();
        image.bits_per_component(8);
        image.finish();
        self.file.object(number, &chunk)?;
        let name = image_name(self.file.images.len());
        self.file.images.push(Ref::new(number));
        // The page is upside down, as in the other pens; an image is not.
        let matrix = [size.0, 0.0, 0.0, -size.1, corner.0, corner.1 + size.1];
        self.content.save_state().transform(matrix);
        self.content.x_object(Name(name.as_bytes())).restore_state();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_points_to_every_object() {
        let mut out = Vec::new();
        let mut file = PdfFile::open(&mut out, "Tours (ä)").unwrap();
        for page in 0..3 {
            file.page((400.0, 300.0), |pen| {
                let line = Stroke::solid(Rgb([10, 20, 30]), 2.0);
                let faint = Stroke { opacity: 0.5, dash: Some((3.0, 2.0)), ..line };
                pen.stroke(&Path::through([(0.0, 0.0), (page as f32, 5.0)]), &faint)?;
                pen.image((1.0, 1.0), (9.0, 9.0), &Pixmap::new(2, 2).unwrap())
            })
            .unwrap();
        }
        file.close().unwrap();
        let text = String::from_utf8_lossy(&out).into_owned();
        assert!(text.starts_with("%PDF-1.7\n") && text.ends_with("%%EOF\n"));
        let start: usize =
            text.rsplit("startxref\n").next().unwrap().lines().next().unwrap().parse().unwrap();
        assert!(out[start..].starts_with(b"xref\n0 14\n"));
        let table = String::from_utf8_lossy(&out[start..]).into_owned();
        for (number, line) in table.lines().skip(3).take(13).enumerate() {
            let at: usize = line[..10].parse().unwrap();
            let head = format!("{} 0 obj", number + 1);
            assert!(out[at..].starts_with(head.as_bytes()), "{number}: {line}");
        }
    }
}
