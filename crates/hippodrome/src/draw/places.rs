//! Positions of the vertices of a graph without a board: on a circle in the order of the tour, or given.

use super::Drawable;
use super::pen::Point;
use crate::board::Square;
use std::f32::consts::TAU;

/// Largest graph whose closest vertices are looked for.
const COMPARED: usize = 2000;

/// Positions in the square from (-1, -1) to (1, 1), top left first, and the space per vertex.
pub(super) struct VertexLayout {
    pub(super) at: Vec<Point>,
    /// Distance between neighbours.
    pub(super) apart: f32,
}

impl VertexLayout {
    /// VertexLayout the vertices of a figure: at the positions of its graph, or on a circle, clockwise from the top.
    pub(super) fn new(figure: &Drawable<'_>) -> VertexLayout {
        match figure.graph().positions() {
            Some(given) => VertexLayout::given(given),
            None => VertexLayout::circle(figure.path(), figure.graph().order()),
        }
    }

    /// A circle in the order of the tour, or of the numbers if there is none.
    fn circle(path: &[Square], order: usize) -> VertexLayout {
        let turn = |time: usize| {
            let (sin, cos) = (TAU * time as f32 / order as f32).sin_cos();
            (sin, -cos)
        };
        let mut at: Vec<Point> = (0..order).map(turn).collect();
        for (time, square) in path.iter().enumerate() {
            at[square.index()] = turn(time);
        }
        VertexLayout { at, apart: (TAU / order as f32).min(0.3) }
    }

    /// Scales given positions, whose y grows upwards, to the square.
    fn given(positions: &[(f64, f64)]) -> VertexLayout {
        let extent = |pick: fn(&(f64, f64)) -> f64| {
            let values = positions.iter().map(pick).filter(|v| v.is_finite());
            values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)))
        };
        let (x, y) = (extent(|p| p.0), extent(|p| p.1));
        let half = ((x.1 - x.0).max(y.1 - y.0) / 2.0).max(f64::MIN_POSITIVE);
        let middle = ((x.0 + x.1) / 2.0, (y.0 + y.1) / 2.0);
        let scaled = |&(x, y): &(f64, f64)| {
            let at = (((x - middle.0) / half) as f32, ((middle.1 - y) / half) as f32);
            if at.0.is_finite() && at.1.is_finite() { at } else { (0.0, 0.0) }
        };
        let at: Vec<Point> = positions.iter().map(scaled).collect();
        let even = 2.0 / (at.len() as f32).sqrt().max(1.0);
        let mut apart = even.min(0.3);
        if at.len() <= COMPARED {
            for (index, a) in at.iter().enumerate() {
                let near = at[..index].iter().map(|b| (a.0 - b.0).hypot(a.1 - b.1));
                apart = near.fold(apart, f32::min);
            }
        }
        VertexLayout { at, apart: apart.max(0.05 * even) }
    }
}
