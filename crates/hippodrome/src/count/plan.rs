//! The plan of a count, made once for its forecast, its run, its checks and its breakdown.

use super::breakdown::Breakdown;
use super::checks::Checker;
use super::ends_plan::EndsPlan;
use super::forecast::Forecast;
use super::{Count, CountError, CountMonitor, Counted};
use std::sync::atomic::Ordering::Relaxed;

/// A count with the tasks that add up to it and to its breakdown; see [`Count::plan`].
#[derive(Clone, Debug)]
pub struct CountPlan {
    count: Count,
    whole: EndsPlan,
    breakdown: Breakdown,
}

impl CountPlan {
    pub(super) fn new(count: &Count, monitor: &CountMonitor) -> Result<CountPlan, CountError> {
        count.check_meaning()?;
        let mut whole = EndsPlan::new(count, count.ends())?;
        whole.split(count, monitor)?;
        let breakdown = Breakdown::new(count, &whole, monitor)?;
        Ok(CountPlan { count: count.clone(), whole, breakdown })
    }

    /// Forecasts the resources of the count. Returns an error if it needs far more memory than allowed.
    pub fn forecast(&self, monitor: &CountMonitor) -> Result<Forecast, CountError> {
        Forecast::new(&self.count, &self.whole, self.breakdown.cost(), monitor)
    }

    /// Runs the count and every check.
    pub fn run(&self, monitor: &CountMonitor) -> Result<Counted, CountError> {
        let count = &self.count;
        let before = monitor.states.load(Relaxed);
        let (undirected, method) = self.whole.count(count, monitor)?;
        let states = monitor.states.load(Relaxed) - before;
        let mut counted = count.counted(undirected, method, self.whole.reason.clone());
        Checker { count, counted: &mut counted, monitor }.check(&self.whole, states)?;
        self.breakdown.run(count, &mut counted, monitor)?;
        Ok(counted)
    }
}
