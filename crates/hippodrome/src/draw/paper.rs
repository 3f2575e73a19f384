//! Sizes of paper, and the grid of figures on a page.

use super::pen::Point;
use super::{DrawError, Drawable};
use std::fmt;

/// Pixels per millimetre, at 96 per inch.
const MM: f32 = 96.0 / 25.4;
/// Space around the figures on paper.
const MARGIN: f32 = 15.0 * MM;
/// Space around the figures of a picture without paper.
const NARROW: f32 = 24.0;
/// Width of a sheet without paper.
const WIDTH: u32 = 1200;
/// Smallest width of a figure: about a centimetre.
const SMALLEST: f32 = 40.0;
/// How much lower a figure may be to make room for another row.
const SHRUNK: f32 = 0.8;
/// Columns unless a number is given: on an upright page, on others.
const USUAL: (u32, u32) = (4, 6);

/// A size of paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paper {
    /// 210 by 297 millimetres.
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// All sizes.
    pub const ALL: [Paper; 2] = [Paper::A4, Paper::Letter];

    /// Width and height in pixels, upright.
    fn size(self) -> Point {
        match self {
            Paper::A4 => (210.0 * MM, 297.0 * MM),
            Paper::Letter => (816.0, 1056.0),
        }
    }
}

/// `a4` or `letter`.
impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Paper::A4 => "a4",
            Paper::Letter => "letter",
        })
    }
}

/// The grid of figures on a page, in pixels.
#[derive(Clone, Debug)]
pub(super) struct PageGrid {
    /// Width of the page, and its height if it is of paper.
    pub(super) width: f32,
    pub(super) height: Option<f32>,
    pub(super) margin: f32,
    /// Space that the title takes above the figures.
    pub(super) head: f32,
    pub(super) columns: usize,
    /// Width and height of a figure.
    pub(super) figure: Point,
    /// Space between figures.
    pub(super) gap: f32,
    /// Height of the caption below a figure.
    pub(super) caption: f32,
}

/// What a grid is made for.
pub(super) struct PageFormat {
    pub(super) paper: Option<Paper>,
    pub(super) landscape: bool,
    pub(super) columns: Option<u32>,
    /// Width of a sheet without paper.
    pub(super) width: Option<u32>,
    pub(super) head: f32,
}

impl PageFormat {
    /// Returns the width of the page, its height if it is of paper, and its margin.
    pub(super) fn page(&self) -> (f32, Option<f32>, f32) {
        match self.paper.map(Paper::size) {
            Some((short, long)) if self.landscape => (long, Some(short), MARGIN),
            Some((short, long)) => (short, Some(long), MARGIN),
            None => (self.width.unwrap_or(WIDTH) as f32, None, NARROW),
        }
    }

    /// Lays out pages for figures like `first`, at most `count` of them; `caption` gives the height
    /// of captions for a width.
    pub(super) fn grid(
        &self,
        first: &Drawable<'_>,
        count: usize,
        caption: impl Fn(f32) -> Result<f32, DrawError>,
    ) -> Result<PageGrid, DrawError> {
        let (width, height, margin) = self.page();
        let room = width - 2.0 * margin;
        let gap_of = |columns: f32| (0.14 * room / columns).clamp(8.0, 36.0);
        let wide = |columns: u32| {
            let columns = columns as f32;
            (room - (columns - 1.0) * gap_of(columns)) / columns
        };
        let usual = if height > Some(width) { USUAL.0 } else { USUAL.1 };
        let usual = usual.min(count.max(1) as u32);
        let columns = self.columns.unwrap_or(usual);
        if columns == 0 || wide(columns) < SMALLEST {
            let most = (1..).take_while(|&n| wide(n) >= SMALLEST).last().unwrap_or(1);
            return Err(DrawError::Columns { asked: columns, most });
        }
        let wide = wide(columns);
        let caption = caption(wide)?;
        let (across, down) = first.shape();
        let mut high = wide * down / across;
        let (columns, gap) = (columns as usize, gap_of(columns as f32));
        if let Some(height) = height {
            let room = height - 2.0 * margin - self.head;
            high = high.min(room - caption);
            // Somewhat smaller figures may make room for one more row.
            let rows = ((room + gap) / (high + caption + gap)).floor();
            let lower = (room + gap) / (rows + 1.0) - caption - gap;
            if lower >= SHRUNK * high && count > rows as usize * columns {
                high = lower;
            }
        }
        let figure = (wide, high.max(SMALLEST));
        let head = self.head;
        Ok(PageGrid { width, height, margin, head, columns, figure, gap, caption })
    }
}

impl PageGrid {
    fn pitch(&self) -> f32 {
        self.figure.1 + self.caption + self.gap
    }

    /// Returns the number of figures on a page of paper; without paper there is no limit.
    pub(super) fn per_page(&self) -> Option<usize> {
        let room = self.height? - 2.0 * self.margin - self.head;
        let rows = ((room + self.gap) / self.pitch() + 0.001).floor().max(1.0) as usize;
        Some(rows * self.columns)
    }

    /// Returns the size of a page with a number of figures.
    pub(super) fn size(&self, figures: usize) -> Point {
        let rows = figures.div_ceil(self.columns) as f32;
        let needed = 2.0 * self.margin + self.head + rows * self.pitch() - self.gap;
        (self.width, self.height.unwrap_or(needed))
    }

    /// Returns the top left corner of a figure.
    pub(super) fn corner(&self, index: usize) -> Point {
        let (row, col) = ((index / self.columns) as f32, (index % self.columns) as f32);
        let x = self.margin + col * (self.figure.0 + self.gap);
        (x, self.margin + self.head + row * self.pitch())
    }
}
