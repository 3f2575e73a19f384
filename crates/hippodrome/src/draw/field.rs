//! Boards too large for lines: each square has the colour of the time of its visit.
//!
//! One pass over the tour. A pixel shared by several squares gets their mean colour, so the time is
//! proportional to the number of squares, and memory to the number of pixels.

use super::DrawError;
use super::colour::{Palette, Ramp, Rgb};
use super::rim::Rim;
use crate::board::{Board, Square};
use tiny_skia::{Pixmap, PremultipliedColorU8};

/// Draws the board in `width` by `height` pixels.
pub(super) fn pixels(
    path: &[Square],
    board: &Board,
    (width, height): (u32, u32),
    ramp: &Ramp,
    palette: &Palette,
) -> Result<Pixmap, DrawError> {
    let size = DrawError::Size { asked: width.max(height) };
    let mut pixels = Pixmap::new(width, height).ok_or(size)?;
    let (rows, cols) = (board.rows(), board.cols());
    let mut sums = vec![[0u64; 4]; pixels.pixels().len().min(board.len())];
    // One sum per square, or per pixel if there are fewer pixels.
    let share = cols.div_ceil(width).max(rows.div_ceil(height)).max(1);
    let across = cols.div_ceil(share);
    let total = path.len();
    for (time, &square) in path.iter().enumerate() {
        let down = (rows - 1 - board.row(square)) / share;
        let slot = down as usize * across as usize + (board.col(square) / share) as usize;
        let Rgb(colour) = ramp.colour(ramp.step(time, total));
        if let Some(sum) = sums.get_mut(slot) {
            for (part, byte) in sum.iter_mut().zip(colour) {
                *part += u64::from(byte);
            }
            sum[3] += 1;
        }
    }
    let down = rows.div_ceil(share);
    let rim = Rim::of(board);
    for y in 0..height {
        for x in 0..width {
            let (row, col) = (y * down / height, x * across / width);
            let slot = row as usize * across as usize + col as usize;
            let corner = || board.at(rows - 1 - (row * share).min(rows - 1), col * share);
            let colour = match sums.get(slot) {
                Some(&[r, g, b, n]) if n > 0 => Rgb([r, g, b].map(|part| (part / n) as u8)),
                _ if !rim.is_empty() && rim.has(corner()) => palette.page,
                _ => palette.hole,
            };
            let [r, g, b] = colour.0;
            if let Some(opaque) = PremultipliedColorU8::from_rgba(r, g, b, 255) {
                pixels.pixels_mut()[(y * width + x) as usize] = opaque;
            }
        }
    }
    Ok(pixels)
}
