//! Contact sheets: figures in columns with captions below a title, on one picture or on pages of a PDF.
//!
//! Figures of a page are kept until it is full, then painted and written, so a PDF of any length needs the
//! memory of one page. An SVG or PNG is one page of paper, or without paper one long picture: its height is
//! known only at the end.

#[cfg(test)]
mod tests;

use super::colour::Palette;
use super::glyph::{first_unknown, text};
use super::layout::Space;
use super::lettering::{Lettering, lines_at};
use super::markup::SvgPen;
use super::paper::{PageFormat, PageGrid};
use super::pdf::PdfFile;
use super::pen::{Pen, Point, Stroke, part};
use super::picture::Picture;
use super::placed::PlacedPen;
use super::raster::Raster;
use super::{Caption, DrawError, Drawable, Paper, Style, Theme};
use crate::board::{Graph, Square};
use crate::tour::{Tour, Verified, tour_json};
use std::io::Write;

/// Heights of letters in pixels: of the title, of captions (a share of the width of a figure, within bounds).
const TITLE: f32 = 15.0;
const CAPTION: (f32, f32, f32) = (0.07, 6.5, 10.0);
/// Most lines of a title and of a caption.
const LINES: usize = 3;
/// Most figures of a sheet in one picture, and its longest side in pixels as PNG.
const FIGURES: usize = 2000;
const LONGEST: f32 = 16_384.0;

/// Options of a contact sheet.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Paper; `None` for one picture as long as needed, or A4 in a PDF.
    pub paper: Option<Paper>,
    /// Whether the paper lies on its longer side.
    pub landscape: bool,
    /// Figures per row; `None` adapts to the page.
    pub columns: Option<u32>,
    /// Title of every page.
    pub title: Option<String>,
    /// Caption of every tour.
    pub caption: Option<Caption>,
    /// Style of the figures; its size is the width of a sheet without paper.
    pub style: Style,
}

/// Format of a contact sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SheetFormat {
    /// One picture with lines, which carries its tours.
    Svg,
    /// One picture with pixels.
    Png,
    /// Pages.
    Pdf,
}

/// What a sheet shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SheetReport {
    /// Number of figures.
    pub figures: u64,
    /// Number of pages.
    pub pages: u64,
    /// Whether squares are too small for the numbers asked for.
    pub small_squares: bool,
}

/// A figure that waits for its page.
struct Entry {
    shown: Shown,
    caption: String,
}

enum Shown {
    Tour(Tour),
    Board(Graph, Vec<(Square, String)>),
}

/// Writes a contact sheet figure by figure.
pub struct SheetWriter<'a> {
    sheet: Sheet,
    out: SheetOutput<'a>,
    palette: &'static Palette,
    title: Option<Lettering>,
    grid: Option<PageGrid>,
    page: Vec<Entry>,
    report: SheetReport,
}

enum SheetOutput<'a> {
    Pdf(PdfFile<'a>),
    Picture(&'a mut dyn Write, SheetFormat),
}

impl<'a> SheetWriter<'a> {
    /// Starts a sheet.
    pub fn new(
        mut sheet: Sheet,
        format: SheetFormat,
        out: &'a mut dyn Write,
    ) -> Result<SheetWriter<'a>, DrawError> {
        sheet.style.checked_size()?;
        if format == SheetFormat::Pdf {
            sheet.paper = sheet.paper.or(Some(Paper::A4));
        }
        let longest = sheet.caption.as_ref().map(Caption::longest);
        for text in sheet.title.iter().chain(&longest) {
            if let Some(c) = first_unknown(text) {
                return Err(DrawError::Character(c));
            }
        }
        let (width, _, margin) = sheet.format(0.0).page();
        let title = sheet.title.as_ref().map(|title| {
            Lettering::fit(title, TITLE, width - 2.0 * margin, 2)
                .ok_or_else(|| DrawError::NoRoom { text: title.clone() })
        });
        let out = match format {
            SheetFormat::Pdf => {
                SheetOutput::Pdf(PdfFile::open(out, sheet.title.as_deref().unwrap_or("Tours"))?)
            }
            format => SheetOutput::Picture(out, format),
        };
        Ok(SheetWriter {
            palette: Palette::of(sheet.style.theme),
            title: title.transpose()?,
            sheet,
            out,
            grid: None,
            page: Vec::new(),
            report: SheetReport::default(),
        })
    }

    /// Adds a tour, number `n` for its caption.
    pub fn add(&mut self, tour: &Verified<'_>, n: u64) -> Result<(), DrawError> {
        let caption = self.sheet.caption.as_ref().map_or(String::new(), |c| c.fill(tour, n));
        self.push(Entry { shown: Shown::Tour(tour.clone().into_tour()), caption })
    }

    /// Adds a board with texts in some squares, and a caption.
    pub fn add_board(
        &mut self,
        graph: &Graph,
        texts: &[(Square, String)],
        caption: &str,
    ) -> Result<(), DrawError> {
        let shown = Shown::Board(graph.clone(), texts.to_vec());
        self.push(Entry { shown, caption: caption.into() })
    }

    fn push(&mut self, entry: Entry) -> Result<(), DrawError> {
        if let Some(c) = first_unknown(&entry.caption) {
            return Err(DrawError::Character(c));
        }
        if self.grid.is_none() {
            // For the number of figures on a page, assume that there are many.
            self.grid = Some(self.grid_for(&entry, usize::MAX)?);
        }
        let fit = self.grid.as_ref().and_then(PageGrid::per_page);
        match (&self.out, fit) {
            (SheetOutput::Pdf(_), Some(fit)) if self.page.len() >= fit => self.write_page(false)?,
            (SheetOutput::Picture(..), Some(fit)) if self.page.len() >= fit => {
                return Err(DrawError::SeveralPages { fit });
            }
            (SheetOutput::Picture(..), None) if self.page.len() >= FIGURES => {
                return Err(DrawError::LongSheet { most: FIGURES });
            }
            _ => {}
        }
        self.report.figures += 1;
        self.page.push(entry);
        Ok(())
    }

    /// Writes the last page and the end of the file.
    pub fn finish(mut self) -> Result<SheetReport, DrawError> {
        if self.page.is_empty() {
            return Err(DrawError::EmptySheet);
        }
        self.write_page(true)?;
        if let SheetOutput::Pdf(file) = self.out {
            file.close()?;
        }
        Ok(self.report)
    }

    fn grid_for(&self, first: &Entry, count: usize) -> Result<PageGrid, DrawError> {
        let head = self.title.as_ref().map_or(0.0, |title| title.height() + 1.2 * TITLE);
        let longest = self.sheet.caption.as_ref().map(Caption::longest);
        let text = longest.as_ref().filter(|longest| longest.len() > first.caption.len());
        let text = text.unwrap_or(&first.caption);
        let height = |width: f32| match text.trim() {
            "" => Ok(0.0),
            text => fitted(text, width).map(|letters| letters.height() + letters.letter),
        };
        first.figure(|figure| self.sheet.format(head).grid(&figure, count, height))
    }

    fn write_page(&mut self, last: bool) -> Result<(), DrawError> {
        if self.report.pages == 0 && last {
            // One page only: few figures are drawn larger.
            let count = self.page.len();
            let first = self.page.first().map(|first| self.grid_for(first, count)).transpose()?;
            let fits = |grid: &PageGrid| grid.per_page().is_none_or(|fit| fit >= count);
            if let Some(grid) = first.filter(fits) {
                self.grid = Some(grid);
            }
        }
        let Some(grid) = self.grid.clone() else { return Ok(()) };
        let entries = std::mem::take(&mut self.page);
        self.report.pages += 1;
        let several = self.report.pages > 1 || !last;
        let page = SheetPage {
            sheet: &self.sheet,
            palette: self.palette,
            title: self.title.as_ref(),
            grid: &grid,
            number: several.then_some(self.report.pages),
            entries: &entries,
        };
        let size = grid.size(entries.len());
        let mut small = false;
        match &mut self.out {
            SheetOutput::Pdf(file) => {
                file.page(size, |pen| page.paint(pen, &mut small))?;
            }
            SheetOutput::Picture(out, SheetFormat::Png) => {
                let scale = self.sheet.scale(size);
                if scale * size.0.max(size.1) > LONGEST {
                    let (one, all) = (grid.size(1).1, LONGEST / scale);
                    let row = (grid.size(grid.columns + 1).1 - one).max(1.0);
                    let rows = 1 + ((all - one) / row).max(0.0) as usize;
                    return Err(DrawError::LongSheet { most: rows * grid.columns });
                }
                let pixels = (scale * size.0, scale * size.1);
                let mut raster = Raster::new((pixels.0.ceil() as u32, pixels.1.ceil() as u32))?;
                raster.rect((0.0, 0.0), pixels, self.palette.page)?;
                let mut pen = PlacedPen { pen: &mut raster, origin: (0.0, 0.0), scale };
                page.paint(&mut pen, &mut small)?;
                raster.write_png(out)?;
            }
            SheetOutput::Picture(out, _) => {
                let whole = (size.0.ceil() as u32, size.1.ceil() as u32);
                let title = self.sheet.title.as_deref().unwrap_or("Tours");
                let mut pen = SvgPen::open(out, whole, title)?;
                for (number, entry) in (1..).zip(&entries) {
                    if let Shown::Tour(tour) = &entry.shown {
                        pen.metadata(&tour_json(&tour.view()), number)?;
                    }
                }
                pen.rect((0.0, 0.0), size, self.palette.page)?;
                page.paint(&mut pen, &mut small)?;
                pen.close()?;
            }
        }
        self.report.small_squares |= small;
        Ok(())
    }
}

impl Sheet {
    /// Creates a sheet without title and captions.
    pub fn new(style: Style) -> Sheet {
        Sheet { paper: None, landscape: false, columns: None, title: None, caption: None, style }
    }

    /// Returns the format of its pages below a title of a height.
    fn format(&self, head: f32) -> PageFormat {
        let Sheet { paper, landscape, columns, .. } = *self;
        PageFormat { paper, landscape, columns, width: self.style.size, head }
    }

    /// Returns the pixels per unit of a PNG: paper is drawn at 192 per inch unless a size is given.
    fn scale(&self, size: Point) -> f32 {
        match (self.paper, self.style.size) {
            (None, _) => 1.0,
            (Some(_), None) => 2.0,
            (Some(_), Some(asked)) => asked as f32 / size.0.max(size.1),
        }
    }
}

impl Entry {
    /// Shows the figure.
    fn figure<R>(&self, show: impl FnOnce(Drawable<'_>) -> R) -> R {
        match &self.shown {
            Shown::Tour(tour) => show(Drawable::Tour(&tour.view())),
            Shown::Board(graph, texts) => show(Drawable::Board(graph, texts)),
        }
    }
}

/// Fits a caption into the width of its figure.
fn fitted(caption: &str, width: f32) -> Result<Lettering, DrawError> {
    let (share, least, most) = CAPTION;
    let height = (share * width).clamp(least, most);
    Lettering::fit(caption, height, width, LINES)
        .ok_or_else(|| DrawError::NoRoom { text: caption.into() })
}

/// One page with its figures.
struct SheetPage<'a> {
    sheet: &'a Sheet,
    palette: &'static Palette,
    title: Option<&'a Lettering>,
    grid: &'a PageGrid,
    /// Its number, if there are several.
    number: Option<u64>,
    entries: &'a [Entry],
}

impl SheetPage<'_> {
    fn paint(&self, pen: &mut dyn Pen, small: &mut bool) -> Result<(), DrawError> {
        let (width, height) = self.grid.size(self.entries.len());
        if self.sheet.style.theme == Theme::Dark {
            pen.rect((0.0, 0.0), (width, height), self.palette.page)?;
        }
        if let Some(title) = self.title {
            let top = (width / 2.0, self.grid.margin);
            part(pen, "title", |pen| title.paint(pen, top, self.palette.ink))?;
        }
        for (index, entry) in self.entries.iter().enumerate() {
            pen.begin("figure")?;
            entry.figure(|figure| self.figure(pen, figure, index, small))?;
            self.caption(pen, entry.caption.trim(), index)?;
            pen.end()?;
        }
        if let Some(number) = self.number {
            let height = 0.55 * TITLE;
            let at = (width / 2.0, self.grid.size(self.entries.len()).1 - 0.5 * self.grid.margin);
            let line = Stroke::solid(self.palette.label, 0.13 * height);
            pen.stroke(&text(&number.to_string(), at, height), &line)?;
        }
        Ok(())
    }

    fn figure(
        &self,
        pen: &mut dyn Pen,
        figure: Drawable<'_>,
        index: usize,
        small: &mut bool,
    ) -> Result<(), DrawError> {
        let (x, y) = self.grid.corner(index);
        let style = &self.sheet.style;
        let picture = Picture::new(figure, style, Space::Within(self.grid.figure))?;
        *small |= style.numbers && !figure.path().is_empty() && picture.layout.numbers.is_none();
        let (width, height) = picture.layout.size;
        let scale = (self.grid.figure.0 / width as f32).min(self.grid.figure.1 / height as f32);
        let aside = (self.grid.figure.0 - scale * width as f32) / 2.0;
        picture.paint_figure(&mut PlacedPen { pen, origin: (x + aside, y), scale })
    }

    fn caption(&self, pen: &mut dyn Pen, caption: &str, index: usize) -> Result<(), DrawError> {
        if caption.is_empty() {
            return Ok(());
        }
        let (x, y) = self.grid.corner(index);
        let (width, height) = self.grid.figure;
        let mut letters = fitted(caption, width)?;
        // A caption longer than the layout expects gets smaller letters.
        while letters.height() + letters.letter > self.grid.caption + 0.1 {
            let lines = lines_at(letters.letter, self.grid.caption - letters.letter);
            letters = Lettering::fit(caption, 0.94 * letters.letter, width, lines)
                .ok_or_else(|| DrawError::NoRoom { text: caption.into() })?;
        }
        let top = (x + width / 2.0, y + height + letters.letter);
        letters.paint(pen, top, self.palette.ink)?;
        Ok(())
    }
}
