//! The state of a network in one trial, and the update rule of its neurons.

use super::net::NeuralNet;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Input above which a neuron becomes active; Takefuji & Lee (1992).
pub(super) const UPPER: i8 = 3;
/// Input below which a neuron becomes inactive; Takefuji & Lee (1992).
pub(super) const LOWER: i8 = 0;

/// Inputs and outputs of all neurons, and the active neurons at each vertex.
pub(super) struct NetworkState<'n> {
    pub net: &'n NeuralNet,
    /// Inputs, clamped to a byte.
    pub u: Vec<i8>,
    /// Outputs.
    pub v: Vec<bool>,
    /// Number of active neurons at each vertex.
    pub degree: Vec<i32>,
}

impl<'n> NetworkState<'n> {
    /// Creates a state without active neurons.
    pub fn new(net: &'n NeuralNet) -> NetworkState<'n> {
        NetworkState {
            net,
            u: vec![0; net.neurons()],
            v: vec![false; net.neurons()],
            degree: vec![0; net.graph.order()],
        }
    }

    /// Draws the initial state of a trial.
    pub fn draw(&mut self, rng: &mut Xoshiro256PlusPlus) {
        self.u.fill(0);
        self.v.fill(false);
        self.degree.fill(0);
        self.net.draw(rng, |neuron| {
            self.v[neuron] = true;
            self.net.graph.ends[neuron].iter().for_each(|&v| self.degree[v as usize] += 1);
        });
    }

    /// Updates the input of a neuron and returns whether its output must change.
    #[inline]
    pub fn update(&mut self, neuron: usize, change: i32) -> bool {
        let u = (i32::from(self.u[neuron]) + change).clamp(-128, 127) as i8;
        self.u[neuron] = u;
        let v = u > UPPER || u >= LOWER && self.v[neuron];
        v != self.v[neuron]
    }

    /// Toggles the output of a neuron.
    #[inline]
    pub fn fire(&mut self, neuron: usize) {
        self.v[neuron] = !self.v[neuron];
        let step = if self.v[neuron] { 1 } else { -1 };
        self.net.graph.ends[neuron].iter().for_each(|&v| self.degree[v as usize] += step);
    }
}

#[cfg(any(test, debug_assertions))]
impl NetworkState<'_> {
    /// Checks that the degree of each vertex equals its number of active neurons. Cost: O(neurons).
    pub fn sanity(&self) -> Result<(), String> {
        use crate::solvers::sanity::ensure;
        for v in 0..self.net.graph.order() {
            let near = self.net.graph.arcs(v as u32).iter();
            let active = near.filter(|&&(_, neuron)| self.v[neuron as usize]).count();
            ensure!(active as i32 == self.degree[v], "vertex {v} has {active} active neurons");
        }
        Ok(())
    }
}
