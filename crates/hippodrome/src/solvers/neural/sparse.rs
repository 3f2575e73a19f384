//! The network on large boards: only neurons whose input changes are looked at.
//!
//! Late in a trial nearly all squares have their two moves, and a neuron between two of them does
//! nothing. The others are kept in an ordered set and taken in the order of the plain network, so
//! that every state is the same. Cost: some ten neurons looked at for each that fires.

use super::net::NeuralNet;
use super::trials::NetworkTrial;
use crate::search::StopCheck;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// A set of small numbers that finds the next greater one, by words and words of words.
struct Ordered {
    words: Vec<u64>,
    groups: Vec<u64>,
}

impl Ordered {
    fn new(len: usize) -> Ordered {
        let words = len.div_ceil(64);
        Ordered { words: vec![0; words], groups: vec![0; words.div_ceil(64)] }
    }

    #[inline]
    fn put(&mut self, at: usize, present: bool) {
        let (word, bit) = (at / 64, 1 << (at % 64));
        let now = &mut self.words[word];
        *now = if present { *now | bit } else { *now & !bit };
        let (group, bit) = (word / 64, 1 << (word % 64));
        let any = *now != 0;
        let now = &mut self.groups[group];
        *now = if any { *now | bit } else { *now & !bit };
    }

    /// The least member that is at least `from`.
    #[inline]
    fn next(&self, from: usize) -> Option<usize> {
        let word = from / 64;
        let here = self.words.get(word)? & u64::MAX << (from % 64);
        if here != 0 {
            return Some(64 * word + here.trailing_zeros() as usize);
        }
        let after = word + 1;
        let group = after / 64;
        let near = self.groups.get(group)? & u64::MAX << (after % 64);
        let (group, set) = if near != 0 {
            (group, near)
        } else {
            let far = self.groups[group + 1..].iter().position(|&g| g != 0)?;
            (group + 1 + far, self.groups[group + 1 + far])
        };
        let word = 64 * group + set.trailing_zeros() as usize;
        Some(64 * word + self.words[word].trailing_zeros() as usize)
    }
}

/// The state of one trial.
pub(super) struct SparseTrial<'n> {
    net: &'n NeuralNet,
    u: Vec<i8>,
    v: Vec<bool>,
    degree: Vec<i32>,
    /// Neurons whose input changes.
    restless: Ordered,
    /// Neurons that change their output in this sweep, where all are updated at once.
    firing: Option<Vec<u32>>,
}

impl<'n> SparseTrial<'n> {
    pub fn new(net: &'n NeuralNet, synchronous: bool) -> SparseTrial<'n> {
        SparseTrial {
            net,
            u: vec![0; net.neurons()],
            v: vec![false; net.neurons()],
            degree: vec![0; net.vertices()],
            restless: Ordered::new(net.neurons()),
            firing: synchronous.then(Vec::new),
        }
    }

    #[inline]
    fn change(&self, neuron: usize) -> i32 {
        let [a, b] = self.net.ends[neuron].map(|v| v as usize);
        let want = i32::from(self.net.wants[a] + self.net.wants[b]);
        want - self.degree[a] - self.degree[b]
    }

    /// A neuron changes its output; on a dense graph, many others look at it.
    fn fire(&mut self, neuron: usize, patience: &StopCheck<'_>) -> ControlFlow<()> {
        self.v[neuron] = !self.v[neuron];
        let step = if self.v[neuron] { 1 } else { -1 };
        let ends = self.net.ends[neuron];
        ends.iter().for_each(|&v| self.degree[v as usize] += step);
        for &(_, near) in ends.iter().flat_map(|&v| self.net.arcs(v)) {
            let restless = self.change(near as usize) != 0;
            self.restless.put(near as usize, restless);
        }
        let looked: usize = ends.iter().map(|&v| self.net.arcs(v).len()).sum();
        patience.spend(looked as u64)
    }
}

impl NetworkTrial for SparseTrial<'_> {
    fn begin(&mut self, rng: &mut Xoshiro256PlusPlus, patience: &StopCheck<'_>) -> ControlFlow<()> {
        self.u.fill(0);
        self.v.fill(false);
        self.degree.fill(0);
        self.net.draw(rng, |neuron| {
            self.v[neuron] = true;
            self.net.ends[neuron].iter().for_each(|&v| self.degree[v as usize] += 1);
        });
        for neuron in 0..self.net.neurons() {
            let restless = self.change(neuron) != 0;
            self.restless.put(neuron, restless);
            patience.spend(1)?;
        }
        ControlFlow::Continue(())
    }

    fn sweep(&mut self, patience: &StopCheck<'_>) -> ControlFlow<(), bool> {
        let (mut at, mut rest) = (0, true);
        while let Some(neuron) = self.restless.next(at) {
            rest = false;
            let u = (i32::from(self.u[neuron]) + self.change(neuron)).clamp(-128, 127);
            self.u[neuron] = u as i8;
            let v = u > 3 || u >= 0 && self.v[neuron];
            if v != self.v[neuron] {
                match &mut self.firing {
                    Some(firing) => firing.push(neuron as u32),
                    None => self.fire(neuron, patience)?,
                }
            }
            at = neuron + 1;
        }
        if let Some(firing) = &mut self.firing {
            let mut fired = std::mem::take(firing);
            fired.drain(..).try_for_each(|neuron| self.fire(neuron as usize, patience))?;
            self.firing = Some(fired);
        }
        ControlFlow::Continue(rest)
    }

    fn is_active(&self, neuron: u32) -> bool {
        self.v[neuron as usize]
    }
}
