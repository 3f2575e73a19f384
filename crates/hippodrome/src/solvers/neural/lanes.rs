//! Runs several trials of the network in parallel, one per SIMD lane.
//!
//! A row holds one byte per lane, and the compiler vectorises the loops over rows. When a trial
//! comes to rest or reaches its limit, its lane starts the next trial. Each trial passes through the
//! same states as in the plain network, and results are delivered in the order of the trials.

use super::net::{NeuralNet, generator};
use super::state::{LOWER, UPPER};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// Number of SIMD lanes: the number of bytes in an AVX2 register. Not tuned on other machines.
const LANES: usize = 32;

type LaneRow = [i8; LANES];

/// Number of sweeps between two stop checks. Chosen by hand.
const SWEEPS_PER_LOOK: u64 = 256;

/// How a trial ended.
pub(super) struct Ended {
    /// Number of sweeps made; if the network came to rest, the last sweep changed nothing.
    pub sweeps: u64,
    pub rest: bool,
    /// The active neurons.
    pub active: Vec<u32>,
    /// The trial's generator.
    pub rng: Xoshiro256PlusPlus,
}

/// A trial in a lane.
#[derive(Clone)]
struct Running {
    trial: u64,
    sweeps: u64,
    rng: Xoshiro256PlusPlus,
}

/// The network states of all lanes.
pub(super) struct Lanes<'n> {
    net: &'n NeuralNet,
    target_sum: Vec<i8>,
    u: Vec<LaneRow>,
    /// Outputs: 0, or -1 for active.
    v: Vec<LaneRow>,
    degree: Vec<LaneRow>,
    /// Degrees before the sweep, for synchronous updates.
    before: Vec<LaneRow>,
    synchronous: bool,
}

impl<'n> Lanes<'n> {
    /// Returns whether degrees and changes fit in a byte.
    pub fn fit(net: &NeuralNet) -> bool {
        let joined = |&v: &u32| net.graph.arcs(v).len();
        net.graph.ends.iter().all(|ends| ends.iter().map(joined).sum::<usize>() <= 120)
    }

    pub fn new(net: &'n NeuralNet, synchronous: bool) -> Lanes<'n> {
        Lanes {
            net,
            target_sum: (0..net.neurons()).map(|neuron| net.target_sum(neuron)).collect(),
            u: vec![[0; LANES]; net.neurons()],
            v: vec![[0; LANES]; net.neurons()],
            degree: vec![[0; LANES]; net.graph.order()],
            before: vec![[0; LANES]; net.graph.order()],
            synchronous,
        }
    }

    fn begin(&mut self, lane: usize, rng: &mut Xoshiro256PlusPlus) {
        self.u.iter_mut().for_each(|row| row[lane] = 0);
        self.v.iter_mut().for_each(|row| row[lane] = 0);
        self.degree.iter_mut().for_each(|row| row[lane] = 0);
        self.net.draw(rng, |neuron| {
            self.v[neuron][lane] = -1;
            self.net.graph.ends[neuron].iter().for_each(|&v| self.degree[v as usize][lane] += 1);
        });
    }

    /// Updates every neuron. The result is nonzero in the lanes where an input changed. Not inlined,
    /// so that its rows stay in registers.
    #[inline(never)]
    fn sweep<const AT_ONCE: bool>(&mut self) -> LaneRow {
        let mut restless = [0; LANES];
        if AT_ONCE {
            self.before.copy_from_slice(&self.degree);
        }
        let rows = self.u.iter_mut().zip(&mut self.v);
        for ((&[a, b], &target), (u, v)) in
            self.net.graph.ends.iter().zip(&self.target_sum).zip(rows)
        {
            let seen = if AT_ONCE { &self.before } else { &self.degree };
            let (at_a, at_b) = (seen[a as usize], seen[b as usize]);
            let mut more: LaneRow = [0; LANES];
            for lane in 0..LANES {
                let change = target.wrapping_sub(at_a[lane]).wrapping_sub(at_b[lane]);
                restless[lane] |= change;
                u[lane] = u[lane].saturating_add(change);
                let (above, below) = (-i8::from(u[lane] > UPPER), -i8::from(u[lane] < LOWER));
                let now = above | (v[lane] & !below);
                more[lane] = v[lane].wrapping_sub(now);
                v[lane] = now;
            }
            for at in [a, b] {
                let degree = &mut self.degree[at as usize];
                (0..LANES).for_each(|lane| degree[lane] = degree[lane].wrapping_add(more[lane]));
            }
        }
        restless
    }

    /// Checks that the degrees in each lane match its active neurons and that outputs are 0 or -1.
    /// Cost: about one sweep.
    #[cfg(any(test, debug_assertions))]
    fn sanity(&self) -> Result<(), String> {
        use crate::solvers::sanity::ensure;
        let mut degree = vec![[0i8; LANES]; self.net.graph.order()];
        for (neuron, row) in self.v.iter().enumerate() {
            ensure!(row.iter().all(|v| [0, -1].contains(v)), "outputs of neuron {neuron}: {row:?}");
            for &v in &self.net.graph.ends[neuron] {
                degree[v as usize].iter_mut().zip(row).for_each(|(degree, v)| *degree -= v);
            }
        }
        for (v, (degree, known)) in degree.iter().zip(&self.degree).enumerate() {
            ensure!(degree == known, "vertex {v} has degrees {degree:?}");
        }
        Ok(())
    }

    fn active(&self, lane: usize) -> Vec<u32> {
        let neurons = self.v.iter().enumerate().filter(|(_, row)| row[lane] != 0);
        neurons.map(|(neuron, _)| neuron as u32).collect()
    }

    /// Runs trials 0, 1, … of a unit, each for at most `limit` sweeps, and delivers them in order.
    pub fn run(
        &mut self,
        key: u64,
        trials: u64,
        limit: u64,
        check_limits: impl Fn() -> ControlFlow<()>,
        mut deliver: impl FnMut(Ended) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut lanes: [Option<Running>; LANES] = [const { None }; LANES];
        let mut waiting: VecDeque<Option<Ended>> = VecDeque::new();
        let (mut next, mut delivered, mut looked) = (0, 0, 0);
        while delivered < trials {
            for (at, lane) in lanes.iter_mut().enumerate() {
                if lane.is_none() && next < trials {
                    let mut rng = generator(key, next);
                    self.begin(at, &mut rng);
                    *lane = Some(Running { trial: next, sweeps: 0, rng });
                    waiting.push_back(None);
                    next += 1;
                }
            }
            let restless =
                if self.synchronous { self.sweep::<true>() } else { self.sweep::<false>() };
            for (at, lane) in lanes.iter_mut().enumerate() {
                let Some(running) = lane else { continue };
                running.sweeps += 1;
                let rest = restless[at] == 0;
                if rest || running.sweeps == limit {
                    let Running { trial, sweeps, rng } = running.clone();
                    let ended = Ended { sweeps, rest, active: self.active(at), rng };
                    waiting[(trial - delivered) as usize] = Some(ended);
                    *lane = None;
                }
            }
            while let Some(Some(_)) = waiting.front() {
                let ended = waiting.pop_front().flatten();
                delivered += 1;
                ended.map_or(ControlFlow::Continue(()), &mut deliver)?;
            }
            looked += 1;
            if looked % SWEEPS_PER_LOOK == 0 {
                #[cfg(debug_assertions)]
                crate::solvers::sanity::assert_sane(self.sanity());
                check_limits()?;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::net::{BoardNetwork, NetworkGoal, Order};
    use super::*;
    use crate::board::{Board, Graph, Square};
    use crate::search::StopCheck;

    #[test]
    fn planted_faults_are_found() {
        let graph = Graph::knight(Board::parse("6x6").unwrap());
        let endless = StopCheck::endless();
        let (start, goal) = (Square::default(), NetworkGoal::Closed);
        let made = BoardNetwork::new(&graph, start, goal, Order::Tcd, &endless);
        let ControlFlow::Continue(network) = made else { unreachable!() };
        let mut lanes = Lanes::new(&network.net, false);
        (0..LANES).for_each(|lane| lanes.begin(lane, &mut generator(1, lane as u64)));
        for _ in 0..5 {
            lanes.sweep::<false>();
            assert_eq!(lanes.sanity(), Ok(()));
        }
        lanes.degree[7][3] += 1;
        assert!(lanes.sanity().unwrap_err().contains("vertex 7"));
        lanes.degree[7][3] -= 1;
        lanes.v[9][31] = 1;
        assert!(lanes.sanity().unwrap_err().contains("neuron 9"));
    }
}
