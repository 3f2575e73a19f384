//! The plan of a count, made once and used by its forecast, its run, its checks and its breakdown.

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
    pub(super) fn new(count: &Count, watch: &CountMonitor) -> Result<CountPlan, CountError> {
        count.check_meaning()?;
        let mut whole = EndsPlan::new(count, count.ends())?;
        whole.split(count, watch)?;
        let breakdown = Breakdown::new(count, &whole, watch)?;
        Ok(CountPlan { count: count.clone(), whole, breakdown })
    }

    /// Foretells what the count will take; an error if that is far more than the memory allowed.
    pub fn forecast(&self, watch: &CountMonitor) -> Result<Forecast, CountError> {
        Forecast::new(&self.count, &self.whole, self.breakdown.cost(), watch)
    }

    /// Makes the count and every check.
    pub fn run(&self, watch: &CountMonitor) -> Result<Counted, CountError> {
        let count = &self.count;
        let before = watch.states.load(Relaxed);
        let (undirected, method) = self.whole.count(count, watch)?;
        let states = watch.states.load(Relaxed) - before;
        let mut counted = count.counted(undirected, method, self.whole.reason.clone());
        Checker { count, counted: &mut counted, watch }.check(&self.whole, states)?;
        self.breakdown.run(count, &mut counted, watch)?;
        Ok(counted)
    }
}
