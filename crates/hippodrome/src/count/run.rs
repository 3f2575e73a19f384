//! What the runs of a count share, and one sweep over all vertices. How two halves meet is in `meet.rs`.

use super::layer::Layer;
use super::program::Program;
use super::rule::TransitionRule;
use super::tally::{SummedTally, Tally};
use super::watch::{CountMonitor, StopReason};
use super::weighted_graph::WeightedGraph;
use crate::search::Progress;

/// What the runs of one count share.
#[derive(Clone, Copy)]
pub(super) struct CountContext<'a> {
    pub threads: usize,
    pub watch: &'a CountMonitor,
    /// A fault that a check must find.
    #[cfg(test)]
    pub fault: Option<TallyFault>,
}

/// One state's tally is one too many.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TallyFault {
    /// Since it was written.
    Kept,
    /// From the start, as if a rule were wrong.
    Made,
}

impl CountContext<'_> {
    /// From now on without the fault.
    pub fn spare(&mut self) {
        #[cfg(test)]
        {
            self.fault = None;
        }
    }

    /// Takes the vertices of a program one by one.
    pub fn carry_out<R: TransitionRule, C: Tally>(
        &self,
        program: &Program,
    ) -> Result<Layer<R::Key, C>, StopReason> {
        let mut layer: Layer<R::Key, C> = Layer::of(R::empty());
        for (done, step) in program.steps.iter().enumerate() {
            layer = layer.advance::<R>(step, self.threads, self.watch)?;
            self.watch.step(super::order::states(step.frontier, done + 1), 0);
            #[cfg(test)]
            if let Some(fault) = self.fault.filter(|_| done == 0) {
                let state = layer.parts.iter_mut().flatten().next();
                state.into_iter().for_each(|s| s.1 = s.1.plus(C::ONE).unwrap_or(C::ONE));
                if fault == TallyFault::Made {
                    layer.ledger = C::ONE.enter(layer.ledger);
                }
            }
        }
        layer.settle();
        Ok(layer)
    }

    /// One sweep over all vertices in an order: the tally of the state in which nothing is left.
    pub fn sweep<R: TransitionRule, C: SummedTally>(
        &self,
        net: &WeightedGraph,
        order: &[usize],
    ) -> Result<C::Sum, StopReason> {
        let program = Program::new(net, order, &[], true);
        let layer = self.carry_out::<R, C>(&program)?;
        let mut sum = C::Sum::default();
        for (key, tally) in layer.parts.into_iter().flatten() {
            debug_assert!(key == R::empty());
            C::gather(&mut sum, tally, C::ONE);
        }
        Ok(sum)
    }
}
