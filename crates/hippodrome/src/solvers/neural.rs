//! `neural`, `neural-join`: a network of McCulloch-Pitts neurons with hysteresis, one per move.
//!
//! A neuron is active or inactive. Every square should have two active moves; the input U of a
//! neuron rises if its two squares have fewer, and falls if they have more:
//! dU = 4 - (active moves of one square) - (active moves of the other).
//! A neuron becomes active when U > 3 and inactive when U < 0. A trial starts in a random state and
//! sweeps over the neurons until nothing changes: the network is at rest. The active moves then
//! form cycles. A single cycle is a tour; if there are several, `neural` starts another trial and
//! `neural-join` joins them.
//! Source: Takefuji & Lee (1992), as described by the 2020 comparison, which also proposes the
//! blocks.
//! Cost: 55 sweeps of 168 neurons per trial on 8x8, 277 sweeps of 1,368 neurons on 20x20; see
//! `lanes.rs` for small boards and `sparse.rs` for large ones.
//! Limits: at least 3 squares and at most 2^24 neurons, that is, closed tours up to 2048x2048 and open tours
//! up to 1830x1830; proves nothing. 19% of the trials give a tour on 8x8, 6% on 12x12 and 0.1% on 20x20. One
//! trial in 20 never comes to rest: two squares keep too many or too few active moves, and the states repeat
//! with a short period. More sweeps do not help, and such trials are more frequent on larger boards (14% on
//! 50x50).
//! Departures: (1) U is clamped to -128..=127; on knight's boards with sequential updates it stays
//! between -20 and 20 anyway. (2) The ends of an open tour have a target of one active move. If the
//! end is free, an extra vertex is adjacent to every square, one of its neurons is active initially,
//! and its neighbour in the result is the end. (3) The network may come to rest while a square misses its
//! target, for example on a star with three leaves. This does not count as converged. (4) A trial that does
//! not come to rest is a failed attempt of `neural`; `neural-join` repairs it (`two_factor.rs`). (5) A block
//! may come to rest on several cycles; all cycles are joined at the end.
//!
//! Each unit has one start square; the closed tours it finds begin there, in a random direction.

mod blocks;
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
    Allotment, Budget, End, EventKind, Family, Footprint, Info, Measure, Params, Preparation,
    Prepared, Resources, Run, Solver, Unsupported, Values, choice, params,
};
use blocks::cuts;
use lanes::Lanes;
use net::{BoardNetwork, NetworkGoal, Order};
use plain::PlainTrial;
use sparse::SparseTrial;
use std::ops::ControlFlow;
use trials::TrialUnit;

/// Registry entry of `neural`: the network alone.
pub struct Neural;

/// Registry entry of `neural-join`: the network, with its cycles joined.
pub struct NeuralJoin;

static NEURAL: Info = Info {
    name: "neural",
    title: "Takefuji-Lee network",
    family: Family::Nature,
    summary: "A network with one neuron per move that comes to rest on a set of cycles; a single cycle is a tour.",
    source: "Takefuji & Lee 1992; TCD 2020",
    good_for: "closed tours of boards up to 12x12 without any search",
    params: NeuralParams::PARAMS,
    events: &[EventKind::Path, EventKind::Moves, EventKind::Sweep, EventKind::Rest],
    measures: &[CONVERGED, ONE_CYCLE, SEVERAL_CYCLES, SWEEPS],
    rounds: Some("sweeps"),
    footprint: FOOTPRINT,
    prefers_closed: true,
    ..Info::PLAIN
};

static NEURAL_JOIN: Info = Info {
    name: "neural-join",
    title: "Network with joined cycles",
    family: Family::Nature,
    summary: "The same network; the cycles it comes to rest on are joined by exchanging moves.",
    source: "Takefuji & Lee 1992; TCD 2020, blocks",
    good_for: "varied closed tours of large boards; boards with holes, other graphs",
    params: NeuralJoinParams::PARAMS,
    events: &[
        EventKind::Path,
        EventKind::Moves,
        EventKind::Sweep,
        EventKind::Rest,
        EventKind::Mended,
        EventKind::Joined,
    ],
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
        Tcd = "tcd", "one at a time, squares row by row, the moves of each square in the order (2,1), (1,2), (-1,2), … of the 2020 comparison, as (rows up, columns right) from a1; other leapers and graphs use ascending";
        Ascending = "ascending", "one at a time, the moves of each square ordered by target square; slightly more trials give a tour";
        Synchronous = "synchronous", "all neurons of a sweep at once; hardly ever comes to rest";
    }
}

choice! {
    /// The kind of tour that the network looks for.
    enum Sought {
        Auto = "auto", "closed tours, unless the end is fixed or a theorem rules out closed tours";
        Open = "open", "open tours, unless closed ones are requested; the two ends have one active move each, and an extra vertex marks a free end";
    }
}

params! {
    /// Parameters of a trial.
    struct TrialParams {
        iterations: u64 = "0" in 0..=1_000_000_000, "Maximum sweeps per trial; 0 for 4 times the number of squares, at least 100.";
        tours: Sought = Auto, "The kind of tour that the network looks for.";
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
        blocks: u64 = "0" in 0..=1 << 16, "Side of a block in squares, at least 6; each block has its own network. 0 for a single network.";
    }
}

const CONVERGED: Measure =
    Measure { name: "converged", help: "Trials that came to rest with two moves on every square." };
const ONE_CYCLE: Measure =
    Measure { name: "one_cycle", help: "Converged trials with a single cycle: a tour." };
const SEVERAL_CYCLES: Measure =
    Measure { name: "several_cycles", help: "Converged trials with several cycles: no tour." };
const SWEEPS: Measure = Measure {
    name: "iterations",
    help: "Sweeps until rest, of the networks that came to rest; per block if there are blocks.",
};
const MENDED: Measure =
    Measure { name: "mended", help: "Trials repaired so that every square has its moves." };
const JOINED: Measure =
    Measure { name: "joined", help: "Trials whose cycles were joined into a tour." };
const CYCLES: Measure = Measure { name: "cycles", help: "Cycles before joining." };
const PAIRS: Measure = Measure { name: "pairs", help: "Exchanges of two moves per trial." };
const LONGER: Measure =
    Measure { name: "longer_exchanges", help: "Exchanges of three to five moves per trial." };

/// Maximum number of neurons. Limited by memory; see [`NEURON_BYTES`].
const MOST_NEURONS: u64 = 1 << 24;
/// Estimated number of bytes per neuron and thread, including a share of the bytes per square. Used in the
/// error message for networks that are too large.
const NEURON_BYTES: u64 = 45;

/// A square of a knight's board has about four moves, and each thread has its own network.
const FOOTPRINT: Footprint = Footprint { shared: 0, per_thread: 4 * NEURON_BYTES };

/// Maximum number of neurons of a network computed in SIMD lanes; `sparse.rs` computes larger networks.
/// Chosen by hand, between 12x12 (440 neurons) and 20x20 (1,368).
const LANE_NEURONS: usize = 700;

/// Desired number of neurons in all trials of a unit together; a unit has at least one trial. Chosen by hand.
const UNIT_NEURONS: usize = 1 << 18;

/// Maximum number of trials per unit. Chosen by hand, not tuned.
const UNIT_TRIALS: usize = 1024;

/// Returns the default maximum number of sweeps per trial. Chosen by hand: trials on 8x8 that come to rest
/// take 55 sweeps on average; the others are periodic, so more sweeps do not help (METHODOLOGY.md).
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
    /// Side of the blocks, 0 for no blocks; `None` if cycles are not joined.
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
                "the network needs at least 3 squares, and {graph} has {order}; use exact"
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
                "the network can have at most {MOST_NEURONS} neurons ({:.1} GB per thread), and {graph} may have {neurons} moves, each with a neuron ({:.1} GB per thread); use divide, warnsdorff or a smaller board",
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
    /// Assigns trials to the start squares in rounds.
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
        // Never exhausted: further trials may find further tours.
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
