//! The network as published: each sweep updates every neuron.

use super::net::NeuralNet;
use super::state::NetworkState;
use super::trials::NetworkTrial;
use crate::search::StopCheck;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// The state of one trial.
pub(super) struct PlainTrial<'n> {
    pub state: NetworkState<'n>,
    /// Degrees before the sweep, for synchronous updates.
    before: Option<Vec<i32>>,
}

impl<'n> PlainTrial<'n> {
    pub fn new(net: &'n NeuralNet, synchronous: bool) -> PlainTrial<'n> {
        let before = synchronous.then(|| vec![0; net.graph.order()]);
        PlainTrial { state: NetworkState::new(net), before }
    }
}

impl NetworkTrial for PlainTrial<'_> {
    fn begin(&mut self, rng: &mut Xoshiro256PlusPlus, _: &StopCheck<'_>) -> ControlFlow<()> {
        self.state.draw(rng);
        ControlFlow::Continue(())
    }

    fn sweep(&mut self, stop_check: &StopCheck<'_>) -> ControlFlow<(), bool> {
        let mut rest = true;
        if let Some(before) = &mut self.before {
            before.copy_from_slice(&self.state.degree);
        }
        for neuron in 0..self.state.net.neurons() {
            let seen = self.before.as_ref().unwrap_or(&self.state.degree);
            let change = self.state.net.change(neuron, seen);
            rest &= change == 0;
            if self.state.update(neuron, change) {
                self.state.fire(neuron);
            }
            stop_check.spend(1)?;
        }
        ControlFlow::Continue(rest)
    }

    fn is_active(&self, neuron: u32) -> bool {
        self.state.v[neuron as usize]
    }
}
