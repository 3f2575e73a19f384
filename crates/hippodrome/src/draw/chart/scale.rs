//! Axes: ranges and ticks.

/// A labelled axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Name, with its unit.
    pub name: String,
    /// Whether the axis is logarithmic; it then omits values that are not positive.
    pub logarithmic: bool,
}

impl Axis {
    /// Creates a linear axis that includes zero.
    pub fn linear(name: &str) -> Axis {
        Axis { name: name.into(), logarithmic: false }
    }

    /// Creates a logarithmic axis.
    pub fn logarithmic(name: &str) -> Axis {
        Axis { name: name.into(), logarithmic: true }
    }

    /// Returns whether the axis can show a value.
    pub(super) fn shows(&self, value: f64) -> bool {
        value.is_finite() && (!self.logarithmic || value > 0.0)
    }

    /// Returns the axis with a range that contains all values.
    pub(super) fn over(&self, values: impl IntoIterator<Item = f64>) -> AxisScale {
        let shown = values.into_iter().filter(|&v| self.shows(v));
        let (least, most) = shown
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = match (least.is_finite(), self.logarithmic) {
            (false, true) => (1.0, 10.0),
            (false, false) => (0.0, 1.0),
            (true, true) => {
                let low = 10f64.powf(least.log10().floor());
                (low, 10f64.powf(most.log10().ceil()).max(low * 10.0))
            }
            (true, false) => {
                let (low, high) = (least.min(0.0), most.max(0.0));
                let step = step(if high > low { high - low } else { 1.0 });
                ((low / step).floor() * step, ((high / step).ceil() * step).max(step))
            }
        };
        AxisScale { axis: self.clone(), low, high }
    }
}

/// An axis with its range.
pub(super) struct AxisScale {
    pub(super) axis: Axis,
    low: f64,
    high: f64,
}

impl AxisScale {
    /// Returns the position of a value on the axis, from 0 to 1.
    pub(super) fn share(&self, value: f64) -> f64 {
        let along = |v: f64| if self.axis.logarithmic { v.log10() } else { v };
        let (low, high) = (along(self.low), along(self.high));
        ((along(value) - low) / (high - low)).clamp(0.0, 1.0)
    }

    pub(super) fn ticks(&self) -> Vec<f64> {
        if self.axis.logarithmic {
            let (first, last) = (self.low.log10().round() as i32, self.high.log10().round() as i32);
            let every = ((last - first) / 8 + 1) as usize;
            return (first..=last).step_by(every).map(|e| 10f64.powi(e)).collect();
        }
        let step = step(self.high - self.low);
        let (first, last) = ((self.low / step).round() as i64, (self.high / step).round() as i64);
        (first..=last).map(|n| n as f64 * step).collect()
    }
}

/// Returns a round step, about a fifth of a range.
fn step(range: f64) -> f64 {
    let rough = range / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|s| s * power >= rough * 0.999);
    step.unwrap_or(10.0) * power
}
