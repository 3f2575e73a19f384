//! Line charts.

use super::{Axis, ChartSheet};

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Name, written at the end of the line.
    pub name: String,
    /// Points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// A line chart.
#[derive(Clone, Debug)]
pub struct LineChart {
    /// Title.
    pub title: String,
    /// Horizontal and vertical axis.
    pub axes: (Axis, Axis),
    /// The lines, in the order of their colours.
    pub lines: Vec<Line>,
}

/// Minimum distance between names.
const GAP: f64 = 15.0;

impl LineChart {
    /// Draws the chart as SVG.
    pub fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let (across, up) = &self.axes;
        let ranges = (across.over(points().map(|p| p.0)), up.over(points().map(|p| p.1)));
        let mut sheet = ChartSheet::new(&self.title, (400.0, 76.0), ranges.0, Some(ranges.1));
        let shown = |p: &&(f64, f64)| across.shows(p.0) && up.shows(p.1);
        let mut ends = Vec::new();
        for (entry, line) in self.lines.iter().enumerate() {
            let places: Vec<(f64, f64)> =
                line.points.iter().filter(shown).map(|p| (sheet.x(p.0), sheet.y(p.1))).collect();
            let Some(&end) = places.last() else { continue };
            sheet.trace(entry, &places, 2.0);
            sheet.dot(entry, end, 3.0);
            ends.push((entry, end));
        }
        // From the top, move each name clear of the one above.
        ends.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
        let mut free = f64::NEG_INFINITY;
        let mut heights: Vec<f64> = Vec::new();
        for (_, end) in &ends {
            heights.push(end.1.max(free));
            free = heights[heights.len() - 1] + GAP;
        }
        // Move names that are below the axis up again.
        let mut room = sheet.bottom;
        for height in heights.iter_mut().rev() {
            *height = height.min(room);
            room = *height - GAP;
        }
        for ((entry, end), y) in ends.into_iter().zip(heights) {
            let x = sheet.right + 12.0;
            sheet.trace(entry, &[end, (x, y)], 0.8);
            sheet.label((x + 4.0, y + 4.0), "start", &self.lines[entry].name);
        }
        sheet.svg()
    }
}
