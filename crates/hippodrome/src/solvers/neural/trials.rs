//! Runs and evaluates the trials of a unit: one at a time, in parallel lanes, or block by block.

use super::blocks::blocks;
use super::lanes::{Ended, Lanes};
use super::net::{BoardNetwork, NetworkGoal, NeuralNet, Order, generator};
use super::plain::PlainTrial;
use super::sparse::SparseTrial;
use super::{
    CONVERGED, CYCLES, JOINED, LONGER, MENDED, ONE_CYCLE, PAIRS, SEVERAL_CYCLES, SWEEPS,
    usual_iterations,
};
use crate::board::{Board, Graph, Square};
use crate::search::{Run, SearchEvent, StopCheck};
use crate::solvers::two_factor::{Joined, NONE, TwoFactor, join};
use fixedbitset::FixedBitSet;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Number of trials per block before it is repaired. Chosen by hand; 10 was used at first.
const BLOCK_TRIALS: usize = 3;

/// A trial that runs alone.
pub(super) trait NetworkTrial {
    /// Begins a trial in a random state. Breaks if the search is stopped.
    fn begin(
        &mut self,
        rng: &mut Xoshiro256PlusPlus,
        stop_check: &StopCheck<'_>,
    ) -> ControlFlow<()>;

    /// Updates every neuron; returns whether the network is at rest. Breaks if the search is stopped.
    fn sweep(&mut self, stop_check: &StopCheck<'_>) -> ControlFlow<(), bool>;

    /// Returns whether a neuron is active.
    fn is_active(&self, neuron: u32) -> bool;
}

/// Maximum number of moves that an exchange drops. Chosen by hand: exchanges of two moves nearly always
/// suffice (METHODOLOGY.md).
pub(super) const LONGEST: usize = 5;

/// The network of a unit and its remaining budget.
pub(super) struct TrialUnit<'f> {
    pub field: &'f BoardNetwork,
    pub synchronous: bool,
    /// Maximum number of sweeps per trial, if it is given.
    pub limit: Option<u64>,
    /// Whether to join several cycles into a tour.
    pub joins: bool,
    /// Number of moves left in the budget.
    pub moves: u64,
}

/// How a trial ended, and whether the budget allows another.
struct Settled {
    sweeps: u64,
    rest: bool,
    flow: ControlFlow<()>,
}

impl TrialUnit<'_> {
    fn limit(&self, net: &NeuralNet) -> u64 {
        self.limit.unwrap_or(usual_iterations(net.squares()))
    }

    /// Charges for sweeps. Breaks if the budget is too small; the unfinished trial then does not
    /// count.
    fn pay(
        &mut self,
        (attempts, sweeps): (u64, u64),
        net: &NeuralNet,
        run: &mut Run<'_>,
    ) -> ControlFlow<(), ControlFlow<()>> {
        let cost = sweeps.saturating_mul(net.neurons().max(1) as u64);
        if cost > self.moves {
            let _ = run.charge(0, self.moves);
            return ControlFlow::Break(());
        }
        self.moves -= cost;
        ControlFlow::Continue(run.charge(attempts, cost))
    }

    /// Sweeps until the network is at rest or the limit is reached.
    fn settle<T: NetworkTrial>(
        &mut self,
        net: &NeuralNet,
        trial: &mut T,
        run: &mut Run<'_>,
        show: impl Fn(&T, u64, &mut Run<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<(), Settled> {
        let (limit, stop_check) = (self.limit(net), run.stop_check());
        for sweeps in 1.. {
            let rest = trial.sweep(&stop_check)?;
            show(trial, sweeps, run)?;
            let flow = self.pay((0, 1), net, run)?;
            if rest || sweeps == limit {
                return ControlFlow::Continue(Settled { sweeps, rest, flow });
            }
            flow?;
        }
        ControlFlow::Break(())
    }

    /// Runs trials one at a time.
    pub fn one_by_one<const WATCH: bool>(
        &mut self,
        mut trial: impl NetworkTrial,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        let (field, key) = (self.field, run.rng.random());
        for number in 0..run.allotment().attempts {
            let mut rng = generator(key, number);
            trial.begin(&mut rng, &run.stop_check())?;
            let Settled { sweeps, rest, flow } =
                self.settle(&field.net, &mut trial, run, |trial, number, run| {
                    if WATCH {
                        let is_active = |neuron| trial.is_active(neuron);
                        let moves = chosen(field, is_active);
                        run.event(&sweep(field, number, &moves))?;
                        run.event(&SearchEvent::Moves(&moves))?;
                        return run.event(&SearchEvent::Path(&strand(field, is_active)));
                    }
                    ControlFlow::Continue(())
                })?;
            let last = run.charge(1, 0);
            let active = active(&field.net, &trial);
            self.end::<WATCH>(Ended { sweeps, rest, active, rng }, run)?;
            flow?;
            last?;
        }
        ControlFlow::Continue(())
    }

    /// Runs the same trials in parallel lanes, with the same results and charges.
    pub fn side_by_side(&mut self, run: &mut Run<'_>) -> ControlFlow<()> {
        let (field, key, trials) = (self.field, run.rng.random(), run.allotment().attempts);
        // Do not let a trial occupy a lane beyond the sweeps that the budget can pay for.
        let payable = self.moves / field.net.neurons().max(1) as u64;
        let limit = self.limit(&field.net).min(payable.saturating_add(1));
        let mut lanes = Lanes::new(&field.net, self.synchronous);
        let run = RefCell::new(run);
        let check_limits = || run.borrow().check_limits();
        let deliver = |ended: Ended| {
            let run = &mut **run.borrow_mut();
            let flow = self.pay((1, ended.sweeps), &field.net, run)?;
            self.end::<false>(ended, run)?;
            flow
        };
        lanes.run(key, trials, limit, check_limits, deliver)
    }

    /// Runs one network per block of the board; each is restarted until it comes to rest.
    pub fn block_by_block<const WATCH: bool>(
        &mut self,
        board: &Board,
        side: u32,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        let (field, key) = (self.field, run.rng.random());
        let mut local_ids = vec![NONE; field.net.graph.order()];
        let stop_check = run.stop_check();
        let mut parts: Vec<(NeuralNet, Vec<u32>)> = Vec::new();
        for block in blocks(field, board, side) {
            parts.push(field.net.part(&block, &mut local_ids, &stop_check)?);
        }
        for number in 0..run.allotment().attempts {
            let mut rng = generator(key, number);
            let (mut all, mut rest) = (Vec::new(), true);
            let mut flow = ControlFlow::Continue(());
            for (net, global_ids) in &parts {
                flow?;
                if WATCH {
                    show_active(field, &all, run)?;
                }
                let (here, settled) = self.block(net, &mut rng, run)?;
                all.extend(here.iter().map(|&neuron| global_ids[neuron as usize]));
                rest &= settled.rest;
                flow = settled.flow;
            }
            let last = run.charge(1, 0);
            self.judge::<WATCH>((&all, rest), None, &mut rng, run)?;
            flow?;
            last?;
        }
        ControlFlow::Continue(())
    }

    /// Runs trials of one block until it comes to rest; returns the active neurons.
    fn block(
        &mut self,
        net: &NeuralNet,
        rng: &mut Xoshiro256PlusPlus,
        run: &mut Run<'_>,
    ) -> ControlFlow<(), (Vec<u32>, Settled)> {
        let mut trial = SparseTrial::new(net, self.synchronous);
        let mut left = BLOCK_TRIALS;
        loop {
            trial.begin(rng, &run.stop_check())?;
            let settled = self.settle(net, &mut trial, run, |_, _, _| ControlFlow::Continue(()))?;
            left -= 1;
            if settled.rest {
                run.readings.sample(&SWEEPS, (settled.sweeps - 1) as f64);
            }
            if settled.rest || left == 0 {
                return ControlFlow::Continue((active(net, &trial), settled));
            }
            settled.flow?;
        }
    }

    fn end<const WATCH: bool>(&self, ended: Ended, run: &mut Run<'_>) -> ControlFlow<()> {
        let Ended { sweeps, rest, active, mut rng } = ended;
        if rest {
            run.readings.sample(&SWEEPS, (sweeps - 1) as f64);
        }
        self.judge::<WATCH>((&active, rest), Some(sweeps), &mut rng, run)
    }

    /// Evaluates the final state of a trial: claims a tour, or repairs and joins its cycles.
    fn judge<const WATCH: bool>(
        &self,
        (active, rest): (&[u32], bool),
        sweeps: Option<u64>,
        rng: &mut Xoshiro256PlusPlus,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        let graph = &self.field.net.graph;
        let factor = if rest { TwoFactor::new(graph, active) } else { None };
        if WATCH {
            let cycles = factor.as_ref().map(TwoFactor::cycles);
            run.event(&SearchEvent::Rest { sweeps, cycles })?;
            show_active(self.field, active, run)?;
        }
        if let Some(factor) = &factor {
            let walk = factor.walk(self.field.start, rng);
            let one = walk.len() == graph.order();
            run.readings.count(&CONVERGED, 1);
            run.readings.count(if one { &ONE_CYCLE } else { &SEVERAL_CYCLES }, 1);
            if one {
                return run.claim(self.field.tour(&walk));
            }
        }
        if !self.joins {
            return ControlFlow::Continue(());
        }
        let stop_check = run.stop_check();
        let mended = || {
            let near = graph.factor_near(active.iter().copied(), &stop_check)?;
            run.readings.count(&MENDED, 1);
            if WATCH {
                let kept = active.iter().filter(|neuron| near.binary_search(neuron).is_ok());
                let (before, kept) = (active.len(), kept.count());
                run.event(&SearchEvent::Mended { before, kept }).continue_value()?;
                show_active(self.field, &near, run).continue_value()?;
            }
            TwoFactor::new(graph, &near)
        };
        let Some(factor) = factor.or_else(mended) else { return ControlFlow::Continue(()) };
        // A join that is stopped early counts neither as joined nor as failed.
        let Joined { factor, is_one, effort } = join(graph, factor, LONGEST, &stop_check)?;
        run.readings.sample(&CYCLES, effort.cycles as f64);
        run.readings.sample(&PAIRS, effort.pairs as f64);
        run.readings.sample(&LONGER, effort.longer as f64);
        if WATCH {
            run.event(&effort.event(&factor))?;
            let (ends, mates) = (&graph.ends, &factor.mates);
            let taken = |&neuron: &u32| {
                let [a, b] = ends[neuron as usize];
                mates[a as usize].contains(&b)
            };
            let taken: Vec<u32> = (0..ends.len() as u32).filter(taken).collect();
            show_active(self.field, &taken, run)?;
        }
        if !is_one {
            return ControlFlow::Continue(());
        }
        run.readings.count(&JOINED, 1);
        run.claim(self.field.tour(&factor.walk(self.field.start, rng)))
    }
}

/// The outcome of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialOutcome {
    /// Number of sweeps made. If the network came to rest, this includes the last sweep, which changed
    /// nothing.
    pub sweeps: u64,
    /// Whether the result is a single cycle; `None` if the trial did not converge.
    pub one_cycle: Option<bool>,
}

/// How trials are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialMethod {
    /// Neuron by neuron, as in the paper.
    Plain,
    /// Only neurons whose input changes; used on large boards.
    Sparse,
    /// In parallel SIMD lanes; used on small boards.
    Lanes,
}

/// Returns the outcomes of `trials` trials of a network for closed tours, with neurons in the order
/// of `update=tcd`. `key` selects the random states; the result does not depend on the method.
pub fn outcomes(board: &Board, key: u64, trials: u64, way: TrialMethod) -> Vec<TrialOutcome> {
    let graph = Graph::knight(board.clone());
    let start = graph.vertices().next().unwrap_or_default();
    let stop_check = StopCheck::endless();
    let ControlFlow::Continue(field) =
        BoardNetwork::new(&graph, start, NetworkGoal::Closed, Order::Tcd, &stop_check)
    else {
        return Vec::new();
    };
    let (net, limit) = (&field.net, usual_iterations(field.net.squares()));
    let mut all = Vec::new();
    let mut take = |Ended { sweeps, rest, active, mut rng }: Ended| {
        let factor = if rest { TwoFactor::new(&net.graph, &active) } else { None };
        let one = |f: TwoFactor| f.walk(field.start, &mut rng).len() == net.graph.order();
        all.push(TrialOutcome { sweeps, one_cycle: factor.map(one) });
        ControlFlow::Continue(())
    };
    let _ = match way {
        TrialMethod::Plain => in_turn(net, PlainTrial::new(net, false), (key, trials, limit), take),
        TrialMethod::Sparse => {
            in_turn(net, SparseTrial::new(net, false), (key, trials, limit), take)
        }
        TrialMethod::Lanes => {
            let check_limits = || ControlFlow::Continue(());
            Lanes::new(net, false).run(key, trials, limit, check_limits, &mut take)
        }
    };
    all
}

/// Runs trials one after another.
fn in_turn(
    net: &NeuralNet,
    mut trial: impl NetworkTrial,
    (key, trials, limit): (u64, u64, u64),
    mut take: impl FnMut(Ended) -> ControlFlow<()>,
) -> ControlFlow<()> {
    (0..trials).try_for_each(|number| {
        let mut rng = generator(key, number);
        trial.begin(&mut rng, &StopCheck::endless())?;
        let (mut sweeps, mut rest) = (0, false);
        while !rest && sweeps < limit {
            rest = trial.sweep(&StopCheck::endless())?;
            sweeps += 1;
        }
        take(Ended { sweeps, rest, active: active(net, &trial), rng })
    })
}

/// Returns the active neurons in order.
fn active(net: &NeuralNet, trial: &impl NetworkTrial) -> Vec<u32> {
    (0..net.neurons() as u32).filter(|&neuron| trial.is_active(neuron)).collect()
}

/// Sends the moves of the given neurons, and a path of them.
fn show_active(field: &BoardNetwork, active: &[u32], run: &mut Run<'_>) -> ControlFlow<()> {
    let active: FixedBitSet = active.iter().map(|&neuron| neuron as usize).collect();
    let is_active = |neuron: u32| active.contains(neuron as usize);
    run.event(&SearchEvent::Moves(&chosen(field, is_active)))?;
    run.event(&SearchEvent::Path(&strand(field, is_active)))
}

/// Returns the active moves between squares.
fn chosen(field: &BoardNetwork, is_active: impl Fn(u32) -> bool) -> Vec<(Square, Square)> {
    let squares = field.squares.len();
    let mut moves = Vec::with_capacity(squares);
    for v in 0..squares {
        for &(to, neuron) in field.net.graph.arcs(v as u32) {
            if (v..squares).contains(&(to as usize)) && is_active(neuron) {
                moves.push((field.squares[v], field.squares[to as usize]));
            }
        }
    }
    moves
}

/// Returns the event of a sweep: how many squares have their two moves, and which cycles they make.
fn sweep(field: &BoardNetwork, number: u64, moves: &[(Square, Square)]) -> SearchEvent<'static> {
    let squares =
        field.squares.iter().map(|square| square.index()).max().map_or(0, |most| most + 1);
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); squares];
    for &(u, v) in moves {
        near[u.index()].push(v.index());
        near[v.index()].push(u.index());
    }
    let satisfied = near.iter().filter(|near| near.len() == 2).count();
    let (mut seen, mut cycles) = (vec![false; squares], 0);
    for first in 0..squares {
        // A walk along squares with two moves each ends at its first square, or somewhere else.
        let (mut before, mut here) = (usize::MAX, first);
        while near[here].len() == 2 && !std::mem::replace(&mut seen[here], true) {
            let next = if near[here][0] == before { near[here][1] } else { near[here][0] };
            (before, here) = (here, next);
            cycles += usize::from(here == first);
        }
    }
    SearchEvent::Sweep { number, active: moves.len(), satisfied, cycles }
}

/// Returns the squares of one path of active moves from the start.
fn strand(field: &BoardNetwork, is_active: impl Fn(u32) -> bool) -> Vec<Square> {
    let mut seen = vec![false; field.net.graph.order()];
    let mut walk = vec![field.start];
    let mut here = Some(field.start);
    while let Some(v) = here {
        seen[v as usize] = true;
        let next = field.net.graph.arcs(v).iter().find(|&&(to, neuron)| {
            let is_square = (to as usize) < field.squares.len();
            is_square && !seen[to as usize] && is_active(neuron)
        });
        here = next.map(|&(to, _)| to);
        walk.extend(here);
    }
    field.tour(&walk)
}
