//! The network as it is written down: every neuron of every sweep is updated.

use super::net::NeuralNet;
use super::trials::NetworkTrial;
use crate::search::StopCheck;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// The state of one trial.
pub(super) struct PlainTrial<'n> {
    net: &'n NeuralNet,
    /// Inputs, kept within a byte.
    pub u: Vec<i8>,
    /// Outputs.
    pub v: Vec<bool>,
    /// Active neurons at each vertex.
    degree: Vec<i32>,
    /// The same before the sweep, where all neurons are updated at once.
    before: Option<Vec<i32>>,
}

impl<'n> PlainTrial<'n> {
    pub fn new(net: &'n NeuralNet, synchronous: bool) -> PlainTrial<'n> {
        PlainTrial {
            net,
            u: vec![0; net.neurons()],
            v: vec![false; net.neurons()],
            degree: vec![0; net.vertices()],
            before: synchronous.then(|| vec![0; net.vertices()]),
        }
    }
}

impl NetworkTrial for PlainTrial<'_> {
    fn begin(&mut self, rng: &mut Xoshiro256PlusPlus, _: &StopCheck<'_>) -> ControlFlow<()> {
        self.u.fill(0);
        self.v.fill(false);
        self.degree.fill(0);
        self.net.draw(rng, |neuron| {
            self.v[neuron] = true;
            self.net.ends[neuron].iter().for_each(|&v| self.degree[v as usize] += 1);
        });
        ControlFlow::Continue(())
    }

    fn sweep(&mut self, patience: &StopCheck<'_>) -> ControlFlow<(), bool> {
        let mut rest = true;
        if let Some(before) = &mut self.before {
            before.copy_from_slice(&self.degree);
        }
        for (neuron, &[a, b]) in self.net.ends.iter().enumerate() {
            let seen = self.before.as_ref().unwrap_or(&self.degree);
            let want = i32::from(self.net.wants[a as usize] + self.net.wants[b as usize]);
            let change = want - seen[a as usize] - seen[b as usize];
            rest &= change == 0;
            let u = (i32::from(self.u[neuron]) + change).clamp(-128, 127);
            self.u[neuron] = u as i8;
            let v = u > 3 || u >= 0 && self.v[neuron];
            if v != self.v[neuron] {
                self.v[neuron] = v;
                let step = if v { 1 } else { -1 };
                self.degree[a as usize] += step;
                self.degree[b as usize] += step;
            }
            patience.spend(1)?;
        }
        ControlFlow::Continue(rest)
    }

    fn is_active(&self, neuron: u32) -> bool {
        self.v[neuron as usize]
    }
}
