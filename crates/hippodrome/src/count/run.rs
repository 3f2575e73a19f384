//! The context of a count's runs, and counting by one sweep. Counting by two halves is in `meet.rs`.

use super::layer::Layer;
use super::monitor::{CountMonitor, StopReason};
use super::program::Program;
use super::rule::TransitionRule;
use super::tally::{SummedTally, Tally};
use super::weighted_graph::WeightedGraph;
use crate::search::Progress;

/// The settings shared by all runs of one count.
#[derive(Clone, Copy)]
pub(super) struct CountContext<'a> {
    pub threads: usize,
    pub monitor: &'a CountMonitor,
    /// A fault that a test injects; a check must detect it.
    #[cfg(test)]
    pub fault: Option<TallyFault>,
}

/// An injected fault: the tally of one state is one too large.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TallyFault {
    /// The tally is changed after the ledger was written.
    Kept,
    /// The tally is wrong from the start, as if a transition rule were wrong.
    Made,
}

impl CountContext<'_> {
    /// Removes the injected fault.
    pub fn clear_fault(&mut self) {
        #[cfg(test)]
        {
            self.fault = None;
        }
    }

    /// Runs the vertex steps of a program.
    pub fn run_steps<R: TransitionRule, C: Tally>(
        &self,
        program: &Program,
    ) -> Result<Layer<R::Key, C>, StopReason> {
        let mut layer: Layer<R::Key, C> = Layer::of(R::empty());
        for (done, step) in program.steps.iter().enumerate() {
            layer = layer.advance::<R>(step, self.threads, self.monitor)?;
            self.monitor.step(super::order::states(step.frontier, done + 1), 0);
            #[cfg(test)]
            if let Some(fault) = self.fault.filter(|_| done == 0) {
                let state = layer.parts.iter_mut().flatten().next();
                state.into_iter().for_each(|s| s.1 = s.1.plus(C::ONE).unwrap_or(C::ONE));
                if fault == TallyFault::Made {
                    layer.ledger = C::ONE.enter(layer.ledger);
                }
            }
        }
        layer.free_spare();
        Ok(layer)
    }

    /// Counts by one sweep over all vertices in the given order; the result is the tally of the final state.
    pub fn sweep<R: TransitionRule, C: SummedTally>(
        &self,
        net: &WeightedGraph,
        order: &[usize],
    ) -> Result<C::Sum, StopReason> {
        let program = Program::new(net, order, &[], true);
        let layer = self.run_steps::<R, C>(&program)?;
        let mut sum = C::Sum::default();
        for (key, tally) in layer.parts.into_iter().flatten() {
            debug_assert!(key == R::empty());
            C::gather(&mut sum, tally, C::ONE);
        }
        Ok(sum)
    }
}
