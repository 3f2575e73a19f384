//! The network on large boards: updates only neurons whose input changes.
//!
//! Late in a trial nearly all squares have two moves, and a neuron between two such squares does
//! not change. The other neurons are kept in an ordered set and updated in the order of the plain
//! network, so every state is the same. Cost: about ten neurons examined per neuron that fires.

use super::net::NeuralNet;
use super::state::NetworkState;
use super::trials::NetworkTrial;
use crate::search::StopCheck;
#[cfg(debug_assertions)]
use crate::solvers::sanity::{CheckSchedule, assert_sane};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// The cost of a check, in sweeps of a network nearly at rest; see [`CheckSchedule`].
#[cfg(debug_assertions)]
const CHECK_SWEEPS: u64 = 8;

/// A set of small integers with fast successor search: a two-level bitmap.
struct OrderedSet {
    words: Vec<u64>,
    groups: Vec<u64>,
}

impl OrderedSet {
    fn new(len: usize) -> OrderedSet {
        let words = len.div_ceil(64);
        OrderedSet { words: vec![0; words], groups: vec![0; words.div_ceil(64)] }
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

    /// Returns the smallest member that is at least `from`.
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
    state: NetworkState<'n>,
    /// Neurons whose input changes.
    restless: OrderedSet,
    /// Neurons that change their output in this sweep, for synchronous updates.
    firing: Option<Vec<u32>>,
    #[cfg(debug_assertions)]
    checks: CheckSchedule,
}

impl<'n> SparseTrial<'n> {
    pub fn new(net: &'n NeuralNet, synchronous: bool) -> SparseTrial<'n> {
        SparseTrial {
            state: NetworkState::new(net),
            restless: OrderedSet::new(net.neurons()),
            firing: synchronous.then(Vec::new),
            #[cfg(debug_assertions)]
            checks: CheckSchedule::default(),
        }
    }

    #[inline]
    fn change(&self, neuron: usize) -> i32 {
        self.state.net.change(neuron, &self.state.degree)
    }

    /// Toggles the output of a neuron and re-examines its neighbours. On a dense graph there are many.
    fn fire(&mut self, neuron: usize, stop_check: &StopCheck<'_>) -> ControlFlow<()> {
        self.state.fire(neuron);
        let (net, ends) = (self.state.net, self.state.net.graph.ends[neuron]);
        for &(_, near) in ends.iter().flat_map(|&v| net.graph.arcs(v)) {
            let restless = self.change(near as usize) != 0;
            self.restless.put(near as usize, restless);
        }
        let looked: usize = ends.iter().map(|&v| net.graph.arcs(v).len()).sum();
        stop_check.spend(looked as u64)
    }

    /// Checks the state between two sweeps. Besides [`NetworkState::sanity`], the set must contain
    /// exactly the neurons whose input changes, and its groups must mark exactly its nonempty words.
    /// Cost: O(neurons).
    #[cfg(any(test, debug_assertions))]
    fn sanity(&self) -> Result<(), String> {
        use crate::solvers::sanity::ensure;
        self.state.sanity()?;
        for neuron in 0..self.state.net.neurons() {
            let known = self.restless.words[neuron / 64] >> (neuron % 64) & 1 == 1;
            let restless = self.change(neuron) != 0;
            ensure!(known == restless, "neuron {neuron} is restless: {restless}, not {known}");
        }
        for (word, &members) in self.restless.words.iter().enumerate() {
            let known = self.restless.groups[word / 64] >> (word % 64) & 1 == 1;
            ensure!(known != (members == 0), "word {word} is in its group: {known}");
        }
        Ok(())
    }
}

impl NetworkTrial for SparseTrial<'_> {
    fn begin(
        &mut self,
        rng: &mut Xoshiro256PlusPlus,
        stop_check: &StopCheck<'_>,
    ) -> ControlFlow<()> {
        self.state.draw(rng);
        for neuron in 0..self.state.net.neurons() {
            let restless = self.change(neuron) != 0;
            self.restless.put(neuron, restless);
            stop_check.spend(1)?;
        }
        ControlFlow::Continue(())
    }

    fn sweep(&mut self, stop_check: &StopCheck<'_>) -> ControlFlow<(), bool> {
        #[cfg(debug_assertions)]
        if self.checks.is_due(1, CHECK_SWEEPS) {
            assert_sane(self.sanity());
        }
        let (mut at, mut rest) = (0, true);
        while let Some(neuron) = self.restless.next(at) {
            rest = false;
            let change = self.change(neuron);
            if self.state.update(neuron, change) {
                match &mut self.firing {
                    Some(firing) => firing.push(neuron as u32),
                    None => self.fire(neuron, stop_check)?,
                }
            }
            at = neuron + 1;
        }
        if let Some(firing) = &mut self.firing {
            let mut fired = std::mem::take(firing);
            fired.drain(..).try_for_each(|neuron| self.fire(neuron as usize, stop_check))?;
            self.firing = Some(fired);
        }
        ControlFlow::Continue(rest)
    }

    fn is_active(&self, neuron: u32) -> bool {
        self.state.v[neuron as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::net::{BoardNetwork, NetworkGoal, Order, generator};
    use super::*;
    use crate::board::{Board, Graph, Square};

    #[test]
    fn planted_faults_are_found() {
        let graph = Graph::knight(Board::parse("20x20").unwrap());
        let endless = StopCheck::endless();
        let (start, goal) = (Square::default(), NetworkGoal::Closed);
        let made = BoardNetwork::new(&graph, start, goal, Order::Tcd, &endless);
        let ControlFlow::Continue(network) = made else { unreachable!() };
        let mut trial = SparseTrial::new(&network.net, false);
        assert!(trial.begin(&mut generator(1, 0), &endless).is_continue());
        for _ in 0..20 {
            assert!(trial.sweep(&endless).is_continue());
            assert_eq!(trial.sanity(), Ok(()));
        }
        trial.state.v[5] ^= true;
        assert!(trial.sanity().unwrap_err().contains("active neurons"));
        trial.state.v[5] ^= true;
        let restless = trial.change(9) != 0;
        trial.restless.put(9, !restless);
        assert!(trial.sanity().unwrap_err().contains("neuron 9"));
        trial.restless.put(9, restless);
        trial.restless.groups[0] ^= 1;
        assert!(trial.sanity().unwrap_err().contains("word 0"));
    }
}
