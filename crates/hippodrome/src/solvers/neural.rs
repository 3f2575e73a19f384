//! `neural`, `neural-join`: a network of McCulloch-Pitts neurons with hysteresis, one for each
//! move.
//!
//! A neuron is active or not; its input U rises where its two squares have fewer active moves than
//! the two they want, and falls where they have more: dU = 4 - (moves of one) - (moves of the
//! other). It becomes active when U > 3 and inactive when U < 0. Neurons are updated in turn, sweep
//! after sweep, from a random state until nothing changes. At rest the active moves are cycles: one
//! cycle is a tour; on several, `neural` starts another trial and `neural-join` joins them.
//! Source: Takefuji & Lee (1992), as described by the 2020 comparison, which also proposes the
//! blocks.
//! Cost: 55 sweeps of 168 neurons per trial on 8x8, 277 of 1,368 on 20x20; see `lanes.rs` for small
//! boards and `sparse.rs` for large ones.
//! Limits: from 3 squares to 2^24 neurons: closed tours of 2048x2048, open ones of 1830x1830;
//! nothing is proved. 19% of the trials are tours on 8x8, 6% on 12x12 and 0.1% on 20x20. One trial
//! in 20 never rests: two squares, one with a move too many or too few, repeat with a short period;
//! more sweeps do not help, and on larger boards such trials are more frequent (14% on 50x50).
//! Departures: (1) U is kept within -128 and 127; on knights' boards with sequential updates it
//! stays within -20 and 20 anyhow. (2) An open tour's ends want one active move; where the end is
//! free, it is the neighbour of an extra vertex that is joined to every square, and one of whose
//! neurons is active initially. (3) A state of rest in which a square does not have what it wants
//! (a star of three leaves has one) does not count as converged. (4) A trial that does not rest is
//! a failed attempt of `neural`; `neural-join` mends it (`two_factor.rs`). (5) Blocks come to rest on any
//! cycles, not on one each: all are joined in the end.
//!
//! Tours belong to start squares: each unit has one, and the closed tours it finds begin there, in
//! a random direction.

mod blocks;
mod factor;
mod join;
mod lanes;
mod net;
mod plain;
mod sparse;
mod state;
mod trials;

pub use trials::{TrialMethod, TrialOutcome, outcomes};

use crate::board::{Graph, Leaper};
use crate::problem::theorems::known;
use crate::problem::{Problem, Starts};
use crate::search::{
    Allotment, Budget, End, Footprint, Info, Measure, Params, Preparation, Prepared, Resources,
    Run, Solver, Unsupported, Values, choice, params,
};
use blocks::cuts;
use lanes::Lanes;
use net::{BoardNetwork, NetworkGoal, Order};
use plain::PlainTrial;
use sparse::SparseTrial;
use std::ops::ControlFlow;
use trials::TrialUnit;

/// The network alone: a registry entry.
pub struct Neural;

/// The network, its cycles joined: a registry entry.
pub struct NeuralJoin;

static NEURAL: Info = Info {
    name: "neural",
    summary: "A network with a neuron for each move that comes to rest on a set of cycles; one cycle is a tour.",
    source: "Takefuji & Lee 1992; TCD 2020",
    good_for: "closed tours of boards up to 12x12 without any search",
    params: NeuralParams::PARAMS,
    measures: &[CONVERGED, ONE_CYCLE, SEVERAL_CYCLES, SWEEPS],
    rounds: Some("sweeps"),
    footprint: FOOTPRINT,
    prefers_closed: true,
    ..Info::PLAIN
};

static NEURAL_JOIN: Info = Info {
    name: "neural-join",
    summary: "The same network; the cycles it comes to rest on are joined by exchanging moves.",
    source: "Takefuji & Lee 1992; TCD 2020, blocks",
    good_for: "closed tours of large boards, each unlike the last; boards with holes, other graphs",
    params: NeuralJoinParams::PARAMS,
    measures: &[
        CONVERGED,
        ONE_CYCLE,
        SEVERAL_CYCLES,
        SWEEPS,
        MENDED,
        JOINED,
        CYCLES,
        PAIRS,
        LONGER,
    ],
    rounds: Some("sweeps"),
    footprint: FOOTPRINT,
    prefers_closed: true,
    ..Info::PLAIN
};

choice! {
    /// The order in which neurons are updated.
    enum Update {
        Tcd = "tcd", "one after the other, squares row by row, from each the moves (2,1), (1,2), (-1,2), … of the 2020 comparison, as (rows up, columns right) from a1; other leapers and graphs ascend";
        Ascending = "ascending", "one after the other, from each square by the squares they lead to: a few more of the trials are tours";
        Synchronous = "synchronous", "all neurons of a sweep at once, which hardly ever comes to rest";
    }
}

choice! {
    /// What the network is to find.
    enum Sought {
        Auto = "auto", "closed tours, unless the end is fixed or a theorem rules closed tours out";
        Open = "open", "open tours, unless closed ones are asked for: their ends want one move, and an extra vertex stands for the free end";
    }
}

params! {
    /// Parameters of a trial.
    struct TrialParams {
        iterations: u64 = "0" in 0..=1_000_000_000, "Sweeps over all neurons before a trial is given up; 0 for 4 times the number of squares, at least 100.";
        tours: Sought = Auto, "What the network is to find.";
    }
}

params! {
    /// Parameters of `neural`.
    struct NeuralParams {
        update: Update = Tcd, "The order in which neurons are updated.";
        trial: TrialParams;
    }
}

params! {
    /// Parameters of `neural-join`.
    struct NeuralJoinParams {
        trial: TrialParams;
        blocks: u64 = "0" in 0..=1 << 16, "Side of a block in squares, each with a network of its own; 0 for one network, less than 6 for 6.";
    }
}

const CONVERGED: Measure =
    Measure { name: "converged", help: "Trials at rest with two moves on every square." };
const ONE_CYCLE: Measure = Measure { name: "one_cycle", help: "Those that are one cycle: a tour." };
const SEVERAL_CYCLES: Measure =
    Measure { name: "several_cycles", help: "Those of several cycles, which are no tours." };
const SWEEPS: Measure = Measure {
    name: "iterations",
    help: "Sweeps until rest of networks that came to rest, block by block where there are blocks.",
};
const MENDED: Measure =
    Measure { name: "mended", help: "Trials whose squares were given their moves by mending." };
const JOINED: Measure =
    Measure { name: "joined", help: "Trials whose cycles were joined to a tour." };
const CYCLES: Measure = Measure { name: "cycles", help: "Cycles before joining." };
const PAIRS: Measure = Measure { name: "pairs", help: "Exchanges of two moves in a trial." };
const LONGER: Measure =
    Measure { name: "longer_exchanges", help: "Exchanges of three to five moves in a trial." };

/// Neurons of the largest network. Chosen by memory; see [`NEURON_BYTES`].
const MOST_NEURONS: u64 = 1 << 24;
/// Bytes that a thread keeps per neuron, its share of a knight's square included: an estimate, for
/// what a refusal says.
const NEURON_BYTES: u64 = 45;

/// A knight's square has four moves, about, and each thread a network.
const FOOTPRINT: Footprint = Footprint { shared: 0, per_thread: 4 * NEURON_BYTES };

/// Networks with more neurons are not computed in lanes but by `sparse.rs`. Chosen by hand: between
/// 12x12, which has 440, and 20x20, which has 1,368.
const LANE_NEURONS: usize = 700;

/// Neurons of all trials of a unit, unless one trial has more. Chosen by hand.
const UNIT_NEURONS: usize = 1 << 18;

/// Trials of a unit at most. Chosen by hand, not tuned.
const UNIT_TRIALS: usize = 1024;

/// Sweeps of a trial where no limit is given. Chosen by hand: trials of 8x8 that come to rest take
/// 55 sweeps on average, and those that do not are periodic, so that more do not help
/// (METHODOLOGY.md).
fn usual_iterations(squares: usize) -> u64 {
    (4 * squares as u64).max(100)
}

impl Solver for Neural {
    fn info(&self) -> &'static Info {
        &NEURAL
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let params = NeuralParams::from_values(values);
        PreparedNeural::prepare(problem, &params.trial, params.update, None)
    }
}

impl Solver for NeuralJoin {
    fn info(&self) -> &'static Info {
        &NEURAL_JOIN
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let params = NeuralJoinParams::from_values(values);
        PreparedNeural::prepare(problem, &params.trial, Update::Tcd, Some(params.blocks as u32))
    }
}

struct PreparedNeural {
    graph: Graph,
    starts: Starts,
    shape: NetworkGoal,
    order: Order,
    synchronous: bool,
    limit: Option<u64>,
    /// The side of blocks, 0 for none, where cycles are joined.
    join: Option<u32>,
}

impl PreparedNeural {
    fn prepare(
        problem: &Problem,
        trial: &TrialParams,
        update: Update,
        join: Option<u32>,
    ) -> Preparation {
        let (graph, order) = (problem.graph(), problem.graph().order());
        if order < 3 {
            return Err(Unsupported(format!(
                "the network takes 3 squares or more and this has {order}; use exact"
            )));
        }
        if join.is_some_and(|side| side > 0) && graph.board().is_none() {
            return Err(Unsupported(
                "only boards can be cut into blocks; use blocks=0".to_string(),
            ));
        }
        let open = match trial.tours {
            _ if problem.is_closed() => false,
            Sought::Open => true,
            Sought::Auto => known(&Problem::closed(graph.clone())).is_impossible(),
        };
        let shape = match problem.end() {
            Some(end) => NetworkGoal::Open(Some(end)),
            None if open => NetworkGoal::Open(None),
            None => NetworkGoal::Closed,
        };
        let moves = graph.move_count().map(|each| order as u64 * each as u64 / 2);
        let extra = if shape == NetworkGoal::Open(None) { order as u64 - 1 } else { 0 };
        let neurons = moves.unwrap_or_else(|| graph.edges()) + extra;
        if neurons > MOST_NEURONS {
            let gigabytes = |neurons: u64| (neurons * NEURON_BYTES) as f64 / 1e9;
            return Err(Unsupported(format!(
                "the network has a neuron for each move, at most {MOST_NEURONS} ({:.1} GB a thread), and {graph} may have {neurons} ({:.1} GB a thread); use divide, warnsdorff or a smaller board",
                gigabytes(MOST_NEURONS),
                gigabytes(neurons)
            )));
        }
        Ok(Box::new(PreparedNeural {
            graph: graph.clone(),
            starts: problem.starts(),
            shape,
            order: match update {
                Update::Tcd if graph.piece().is_some_and(Leaper::is_knight) => Order::Tcd,
                Update::Tcd | Update::Ascending | Update::Synchronous => Order::Ascending,
            },
            synchronous: update == Update::Synchronous,
            limit: Some(trial.iterations).filter(|&given| given > 0),
            join,
        }))
    }
}

impl Prepared for PreparedNeural {
    /// Each start square takes trials for tours that begin there, round by round.
    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        // A knight's board has nearly four moves per square.
        let trials = (UNIT_NEURONS / (4 * self.graph.order())).clamp(1, UNIT_TRIALS);
        budget.rounds(unit, &self.starts, trials as u64)
    }

    fn run(&self, unit: u64, run: &mut Run<'_>) -> End {
        let Some(start) = self.starts.get(unit % self.starts.count()) else { return End::Limit };
        let field =
            BoardNetwork::new(&self.graph, start, self.shape, self.order, &run.stop_check());
        let ControlFlow::Continue(field) = &field else { return End::Limit };
        let (net, synchronous) = (&field.net, self.synchronous);
        let mut work = TrialUnit {
            field,
            synchronous,
            limit: self.limit,
            joins: self.join.is_some(),
            moves: run.allotment().moves,
        };
        let blocks = self.graph.board().zip(self.join).filter(|&(board, side)| cuts(board, side));
        let lanes = net.neurons() <= LANE_NEURONS && Lanes::fit(net);
        // Whether trials or budget ended it: it may not have seen all it could.
        let _ = match (blocks, run.is_watched()) {
            (Some((board, side)), false) => work.block_by_block::<false>(board, side, run),
            (Some((board, side)), true) => work.block_by_block::<true>(board, side, run),
            (None, true) => work.one_by_one::<true>(PlainTrial::new(net, synchronous), run),
            _ if lanes => work.side_by_side(run),
            _ => work.one_by_one::<false>(SparseTrial::new(net, synchronous), run),
        };
        End::Limit
    }
}

#[cfg(test)]
mod tests;
