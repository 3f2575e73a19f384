//! Charts as SVG for light and dark pages.
//!
//! A chart defines its axes and draws its marks on a `ChartSheet`, which maps values to positions; frame,
//! grid, ticks, labels and colours are common to all charts. The colours are those of Okabe & Ito (2008),
//! which remain distinct with colour blindness; from the ninth on, lines are also dashed. Page and text
//! colours follow `prefers-color-scheme`.
//!
//! ```
//! use hippodrome::draw::chart::{Axis, Line, LineChart};
//! let line = Line { name: "mace".into(), points: vec![(0.0, 0.0), (200_000.0, 18_500.0)] };
//! let chart = LineChart {
//!     title: "Distinct tours".into(),
//!     axes: (Axis::linear("attempts"), Axis::linear("distinct tours")),
//!     lines: vec![line],
//! };
//! assert!(chart.svg().starts_with("<svg"));
//! ```

mod lines;
mod rows;
mod scale;

pub use lines::{Line, LineChart};
pub use rows::{Mark, Row, RowChart};
pub use scale::Axis;

use super::escape::Escaped;
use crate::numerals::short;
use scale::AxisScale;
use std::fmt::Write;

/// Width of every chart, in pixels.
const WIDTH: f64 = 720.0;

/// Colours of the marks, and dashes of lines beyond them.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d1f", "#7f7f7f"];
const DASHES: [&str; 3] = ["none", "7 4", "2 4"];

const STYLE: &str = "\
.hd{font:13px system-ui,sans-serif}.hd text{fill:#3c3a36}.hd .t{font-weight:600;font-size:15px}\
.hd .g{stroke:#e3e0da}.hd .a{stroke:#8a867e}.hd .page{fill:#fdfcfa}\
@media(prefers-color-scheme:dark){.hd text{fill:#d9d5cc}.hd .g{stroke:#3a3833}\
.hd .a{stroke:#8a867e}.hd .page{fill:#1b1a18}}";

/// The page of a chart with title, axes and grid.
struct ChartSheet {
    text: String,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    across: AxisScale,
    up: Option<AxisScale>,
}

impl ChartSheet {
    /// Creates a sheet with a height and left margin. Without a vertical axis it has named rows.
    fn new(
        title: &str,
        (height, left): (f64, f64),
        across: AxisScale,
        up: Option<AxisScale>,
    ) -> ChartSheet {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hd\" width=\"{WIDTH}\" \
             height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n\
             <title>{0}</title><style>{STYLE}</style>\n\
             <rect class=\"page\" width=\"{WIDTH}\" height=\"{height}\"/>\n\
             <text class=\"t\" x=\"16\" y=\"24\">{0}</text>\n",
            Escaped(title)
        );
        // Line names are to the right of the line ends.
        let right = if up.is_some() { WIDTH - 150.0 } else { WIDTH - 24.0 };
        let mut sheet =
            ChartSheet { text, left, right, top: 40.0, bottom: height - 52.0, across, up };
        sheet.frame();
        sheet
    }

    /// Returns the finished chart.
    fn svg(self) -> String {
        self.text + "</svg>\n"
    }

    /// Returns the horizontal position of a value.
    fn x(&self, value: f64) -> f64 {
        self.left + self.across.share(value) * (self.right - self.left)
    }

    /// Returns the vertical position of a value, or of a row counted from 0.
    fn y(&self, value: f64) -> f64 {
        match &self.up {
            Some(up) => self.bottom - up.share(value) * (self.bottom - self.top),
            None => self.top + (value + 0.5) * rows::HEIGHT,
        }
    }

    fn frame(&mut self) {
        let ChartSheet { left, right, top, bottom, .. } = *self;
        for tick in self.across.ticks() {
            let x = self.x(tick);
            self.line("g", (x, top), (x, bottom));
            self.label((x, bottom + 20.0), "middle", &short(tick));
        }
        for tick in self.up.as_ref().map_or(Vec::new(), AxisScale::ticks) {
            let y = self.y(tick);
            self.line("g", (left, y), (right, y));
            self.label((left - 8.0, y + 4.0), "end", &short(tick));
        }
        self.line("a", (left, bottom), (right, bottom));
        let name = self.across.axis.name.clone();
        self.label(((left + right) / 2.0, bottom + 42.0), "middle", &name);
        if let Some(up) = &self.up {
            let (y, name) = ((top + bottom) / 2.0, Escaped(&up.axis.name));
            let _ = writeln!(
                self.text,
                "<text transform=\"translate(18 {y:.1}) rotate(-90)\" text-anchor=\"middle\">{name}</text>",
            );
        }
    }

    /// Draws a line of the frame.
    fn line(&mut self, class: &str, (x, y): (f64, f64), (right, low): (f64, f64)) {
        let _ = writeln!(
            self.text,
            "<line class=\"{class}\" x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{low:.1}\"/>"
        );
    }

    /// Draws a text.
    fn label(&mut self, (x, y): (f64, f64), anchor: &str, text: &str) {
        let text = Escaped(text);
        let _ = writeln!(
            self.text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    /// Draws a polyline in the colour of an entry.
    fn trace(&mut self, entry: usize, places: &[(f64, f64)], width: f64) {
        let (colour, dash) = (COLOURS[entry % COLOURS.len()], entry / COLOURS.len());
        let dash = DASHES[dash % DASHES.len()];
        let _ = write!(
            self.text,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
             stroke-dasharray=\"{dash}\" stroke-linejoin=\"round\" points=\""
        );
        for (x, y) in places {
            let _ = write!(self.text, "{x:.1},{y:.1} ");
        }
        self.text += "\"/>\n";
    }

    /// Draws a dot.
    fn dot(&mut self, entry: usize, (x, y): (f64, f64), radius: f64) {
        let colour = COLOURS[entry % COLOURS.len()];
        let _ = writeln!(
            self.text,
            "<circle fill=\"{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>"
        );
    }

    /// Draws a box by its top left corner, width and height.
    fn block(&mut self, entry: usize, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let colour = COLOURS[entry % COLOURS.len()];
        let _ = writeln!(
            self.text,
            "<rect fill=\"{colour}\" fill-opacity=\"0.3\" stroke=\"{colour}\" x=\"{x:.1}\" y=\"{y:.1}\" \
             width=\"{width:.1}\" height=\"{height:.1}\"/>"
        );
    }
}

#[cfg(test)]
mod tests;
