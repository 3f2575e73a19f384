//! Row charts: named rows with a value and its interval, or a box plot.

use super::{Axis, ChartSheet};

/// Height of a row, in pixels.
pub(super) const HEIGHT: f64 = 30.0;

/// The mark of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// A value with an optional interval.
    Interval {
        /// The value.
        value: f64,
        /// The interval.
        around: Option<(f64, f64)>,
    },
    /// Minimum, lower quartile, median, upper quartile, maximum.
    Quartiles([f64; 5]),
    /// No value.
    Nothing,
}

/// A named row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name.
    pub name: String,
    /// Mark.
    pub mark: Mark,
}

/// A chart of named rows.
#[derive(Clone, Debug)]
pub struct RowChart {
    /// Title.
    pub title: String,
    /// Horizontal axis.
    pub axis: Axis,
    /// The rows, from the top, in the order of their colours.
    pub rows: Vec<Row>,
}

impl Mark {
    fn values(&self) -> Vec<f64> {
        match *self {
            Mark::Interval { value, around } => {
                let (low, high) = around.unwrap_or((value, value));
                vec![low, value, high]
            }
            Mark::Quartiles(five) => five.to_vec(),
            Mark::Nothing => Vec::new(),
        }
    }
}

impl RowChart {
    /// Draws the chart as SVG.
    pub fn svg(&self) -> String {
        let longest = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        let height = self.rows.len() as f64 * HEIGHT + 92.0;
        let left = (longest as f64 * 7.3 + 28.0).clamp(90.0, 320.0);
        let across = self.axis.over(self.rows.iter().flat_map(|row| row.mark.values()));
        let mut sheet = ChartSheet::new(&self.title, (height, left), across, None);
        for (entry, row) in self.rows.iter().enumerate() {
            let y = sheet.y(entry as f64);
            sheet.label((left - 12.0, y + 4.0), "end", &row.name);
            if !row.mark.values().iter().any(|&v| self.axis.shows(v)) {
                sheet.label((left + 8.0, y + 4.0), "start", "none");
                continue;
            }
            match row.mark {
                Mark::Interval { value, around } => {
                    if let Some((low, high)) = around {
                        let ends = [(sheet.x(low), y), (sheet.x(high), y)];
                        sheet.trace(entry, &ends, 3.0);
                    }
                    let at = (sheet.x(value), y);
                    sheet.dot(entry, at, 5.5);
                }
                Mark::Quartiles(five) => {
                    let [least, lower, median, upper, most] = five.map(|v| sheet.x(v));
                    sheet.trace(entry, &[(least, y), (lower, y)], 1.5);
                    sheet.trace(entry, &[(upper, y), (most, y)], 1.5);
                    sheet.block(entry, (lower, y - 8.0), (upper - lower, 16.0));
                    sheet.trace(entry, &[(median, y - 8.0), (median, y + 8.0)], 3.0);
                }
                Mark::Nothing => {}
            }
        }
        sheet.svg()
    }
}
