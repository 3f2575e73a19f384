//! Animated GIF of a growing tour.
//!
//! All frames share one palette, chosen from the last frame. A frame contains only the rectangle that
//! changed, with unchanged pixels transparent. Three layers (board and moves, squares, the moving mark)
//! are kept, so each frame paints only its new parts.

use super::DrawError;
use super::colour::Rgb;
use super::picture::Picture;
use super::raster::Raster;
use foldhash::HashMap;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::borrow::Cow;
use std::io::{self, Write};

/// Most frames, including the last one, which is held.
pub(super) const FRAMES: usize = 128;
/// Longest side in pixels.
pub(super) const LONGEST: u32 = 600;
/// In hundredths of a second: the whole growth, the shortest and longest frame, the pause at the end.
const GROWTH: usize = 900;
const SHORTEST: u16 = 4;
const LONGEST_STEP: u16 = 25;
const PAUSE: u16 = 200;

/// Returns the number of frames of a tour with `total` squares.
pub(super) fn frames(total: usize) -> usize {
    total.min(FRAMES - 1) + 1
}

/// Writes the animation of a tour with `total` squares, `speed` times as fast as usual, with or without its ends marked.
pub(super) fn write(
    picture: &Picture<'_>,
    total: usize,
    (speed, ends): (f32, bool),
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let (width, height) = picture.layout.size;
    let mut board = Raster::new((width, height))?;
    picture.ground(&mut board)?;
    let mut finished = Raster::new((width, height))?;
    picture.paint(&mut finished)?;
    let mut palette = FramePalette::from(&finished, &picture.palette.all());

    let mut out = Encoder::new(out, width as u16, height as u16, &palette.table)?;
    out.set_repeat(Repeat::Infinite)?;
    let growing = frames(total) - 1;
    let delay = ((GROWTH / growing.max(1)) as u16).clamp(SHORTEST, LONGEST_STEP);
    // Browsers slow down frames shorter than two hundredths.
    let delay = ((f32::from(delay) / speed).round() as u16).max(2);
    let mut trail = board;
    let mut stops = Raster::new((width, height))?;
    let (mut shown, mut reached) = (Vec::new(), 0);
    for frame in 1..=growing {
        // The first frame shows the start square, the last the end.
        let last = if growing > 1 { (frame - 1) * (total - 1) / (growing - 1) } else { 0 };
        let from = if frame == 1 { 0 } else { reached + 1 };
        picture.moves(&mut trail, reached..last)?;
        picture.stops(&mut stops, from..last + 1)?;
        reached = last;
        let mut sheet = trail.clone();
        sheet.lay(&stops);
        if ends {
            picture.start(&mut sheet)?;
        }
        if last > 0 {
            picture.head(&mut sheet, last)?;
        }
        write_frame(&mut out, &palette.indices(&sheet), &mut shown, width, delay)?;
    }
    write_frame(&mut out, &palette.indices(&finished), &mut shown, width, PAUSE)?;
    Ok(out.into_inner()?.flush()?)
}

/// Writes the difference between `shown` and `now`, and updates `shown`.
fn write_frame(
    out: &mut Encoder<&mut dyn Write>,
    now: &[u8],
    shown: &mut Vec<u8>,
    width: u32,
    delay: u16,
) -> Result<(), DrawError> {
    let width = width as usize;
    let fresh = shown.is_empty();
    let changed = |i: usize| fresh || now[i] != shown[i];
    let rows = now.len() / width;
    let row_changed = |y: &usize| (0..width).any(|x| changed(y * width + x));
    let top = (0..rows).find(row_changed).unwrap_or(0);
    let bottom = (0..rows).rev().find(row_changed).unwrap_or(0);
    let column_changed = |x: &usize| (top..=bottom).any(|y| changed(y * width + x));
    let left = (0..width).find(column_changed).unwrap_or(0);
    let right = (0..width).rev().find(column_changed).unwrap_or(0);
    let places = (top..=bottom).flat_map(|y| (left..=right).map(move |x| y * width + x));
    let buffer: Vec<u8> =
        places.map(|i| if changed(i) { now[i] } else { FramePalette::CLEAR }).collect();
    out.write_frame(&Frame {
        delay,
        dispose: DisposalMethod::Keep,
        transparent: Some(FramePalette::CLEAR),
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        buffer: Cow::Owned(buffer),
        ..Frame::default()
    })?;
    shown.clear();
    shown.extend_from_slice(now);
    Ok(())
}

/// The shared palette, with a cache of the nearest entry per colour.
struct FramePalette {
    table: Vec<u8>,
    known: HashMap<[u8; 3], u8>,
}

impl FramePalette {
    /// The transparent entry: unchanged.
    const CLEAR: u8 = 255;

    /// Chooses 255 colours for the sheet, including those in `kept`.
    fn from(sheet: &Raster, kept: &[Rgb]) -> FramePalette {
        let (width, height) = (sheet.pixels.width() as usize, sheet.pixels.height() as usize);
        // Every other row is a sufficient sample.
        let rows: Vec<&[u8]> = sheet.pixels.data().chunks_exact(4 * width).step_by(2).collect();
        let rows = &mut rows.concat();
        let frame = Frame::from_rgba_speed(width as u16, height.div_ceil(2) as u16, rows, 8);
        let mut table = frame.palette.unwrap_or_default();
        table.resize(3 * 256, 0);
        // Frequent colours must not displace rare ones, such as the ink of the marks.
        for &Rgb(colour) in kept {
            let entry = 3 * usize::from(nearest(&table, colour));
            table[entry..entry + 3].copy_from_slice(&colour);
        }
        FramePalette { table, known: HashMap::default() }
    }

    /// Converts the sheet to palette entries.
    fn indices(&mut self, sheet: &Raster) -> Vec<u8> {
        let FramePalette { table, known } = self;
        let mut last = ([0; 3], nearest(table, [0; 3]));
        let entry = |pixel: &[u8]| {
            let colour = [pixel[0], pixel[1], pixel[2]];
            if colour != last.0 {
                last = (colour, *known.entry(colour).or_insert_with(|| nearest(table, colour)));
            }
            last.1
        };
        sheet.pixels.data().chunks_exact(4).map(entry).collect()
    }
}

/// Returns the palette entry nearest to a colour.
fn nearest(table: &[u8], colour: [u8; 3]) -> u8 {
    let far = |entry: &[u8]| -> u32 {
        entry.iter().zip(colour).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let entries = table.chunks_exact(3).zip(0..FramePalette::CLEAR);
    entries.min_by_key(|(entry, _)| far(entry)).map_or(0, |(_, index)| index)
}

// Here because no other file uses the encoder.
impl From<EncodingError> for DrawError {
    fn from(error: EncodingError) -> DrawError {
        match error {
            EncodingError::Io(error) => DrawError::Io(error),
            other => DrawError::Io(io::Error::other(other)),
        }
    }
}
