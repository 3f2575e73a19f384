//! The table of a sweep: for every state, the choices at the next step, each weighted by the number of covers
//! that it leads to.
//!
//! A forward pass finds the reachable states. A backward pass counts the covers that each state leads to and
//! drops the states that lead to no cover. The result is a graph; its paths from the first state correspond
//! one to one to the covers. The choices of a state are its *arcs* (`arc.rs`), the likeliest first. Covers
//! are counted exactly, never rounded; `draw.rs` explains how draws use them.

use super::arc::{
    CODE_AT, LAST, LINK_MASK, MIRROR, PackedArc, THRESHOLD_AT, THRESHOLD_BITS, threshold,
};
use super::sweep::{Sweep, SweepStep};
use crate::error::{Argument, Diagnostic, ErrorKind, Remedy};
use crate::search::{Resources, Unsupported, in_order};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use thiserror::Error;

/// Upper bound on the number of covers, so that thresholds can be computed in 128 bits.
const MOST_COVERS: u128 = 1 << (127 - THRESHOLD_BITS);
/// Cost of one step of each pass, for the progress bar only. Estimated: the backward pass does two thirds of
/// the work.
const FORWARD: f64 = 1.0;
const BACKWARD: f64 = 2.0;
/// Number of blocks into which a layer is divided for the threads: enough for all threads to finish at about
/// the same time. Chosen by hand, not tuned.
const BLOCKS: usize = 64;
/// Approximate number of states that a debug build checks per layer.
const CHECKED: usize = 1 << 9;

/// The states before a step.
#[derive(Default)]
pub(super) struct CoverLayer {
    /// The arcs of all states.
    pub(super) arcs: Vec<u64>,
    /// The index of each state's first arc, ascending.
    pub(super) first: Vec<u32>,
    /// The low words of the number of covers that each state leads to.
    pub(super) low: Vec<u64>,
    /// The high words of these numbers; empty if all are zero.
    pub(super) high: Vec<u64>,
}

impl CoverLayer {
    /// Returns the number of covers that a state leads to.
    pub(super) fn covers(&self, state: usize) -> u128 {
        let high = self.high.get(state).copied().unwrap_or(0);
        u128::from(high) << 64 | u128::from(self.low[state])
    }

    /// Returns the state whose first arc has a given index.
    pub(super) fn state(&self, link: u32) -> usize {
        self.first.partition_point(|&first| first < link)
    }

    #[cfg(test)]
    pub(super) fn perturb(&mut self, percent: u64) {
        for &first in &self.first {
            let Some(arc) = self.arcs.get_mut(first as usize) else { return };
            let (threshold, rest) = (*arc >> THRESHOLD_AT, *arc & ((1 << THRESHOLD_AT) - 1));
            let more = (threshold + threshold * percent / 100).min((1 << THRESHOLD_BITS) - 1);
            *arc = more << THRESHOLD_AT | rest;
        }
    }

    fn bytes(&self) -> usize {
        8 * (self.arcs.len() + self.low.len() + self.high.len()) + 4 * self.first.len()
    }
}

/// A table of covers: one layer per step, and one for the final state.
pub(super) struct CoverTable {
    pub(super) layers: Vec<CoverLayer>,
    /// Number of covers.
    pub(super) covers: u128,
}

/// Why a table could not be made.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum TableError {
    /// The problem is not supported by tables.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The table needs more memory than allowed.
    #[error("the table of {graph} needs more than the {allowed} of memory allowed")]
    Memory {
        /// The name of the graph.
        graph: String,
        /// Amount of memory allowed, as text.
        allowed: String,
    },
    /// There are too many covers to count.
    #[error("{0} has more than 10^32 covers, too many for the table; try a smaller board")]
    Numbers(String),
    /// The caller interrupted the making of the table.
    #[error("interrupted while building the table")]
    Stopped,
}

impl Diagnostic for TableError {
    fn kind(&self) -> ErrorKind {
        match self {
            TableError::Unsupported(_) | TableError::Numbers(_) => ErrorKind::Unsupported,
            TableError::Memory { .. } => ErrorKind::Memory,
            TableError::Stopped => ErrorKind::Interrupted,
        }
    }

    fn remedies(&self) -> Vec<Remedy> {
        match self {
            TableError::Memory { .. } => {
                vec![Remedy::Raise(Argument::Memory), Remedy::Do("use solver backbite")]
            }
            _ => Vec::new(),
        }
    }
}

/// Why a table could not be made, without the board's name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    Memory,
    Numbers,
    Stopped,
}

/// Reports progress: one step of the given cost is done.
fn advance(resources: &Resources<'_>, cost: f64, states: usize) {
    resources.progress.inspect(|progress| progress.step(cost, states as u64));
}

/// Returns an error if the work was stopped or exceeds the memory limit.
fn check(resources: &Resources<'_>, bytes: usize) -> Result<(), Failure> {
    match ((resources.stop)(), bytes > resources.memory) {
        (true, _) => Err(Failure::Stopped),
        (_, true) => Err(Failure::Memory),
        _ => Ok(()),
    }
}

impl CoverTable {
    /// Makes the table of a sweep: a forward pass that collects the reachable states, and a backward pass that
    /// counts covers. Both passes run on all threads; memory peaks at the reachable states plus the table.
    pub(super) fn new(sweep: &Sweep, resources: &Resources<'_>) -> Result<CoverTable, Failure> {
        let whole = sweep.steps.len() as f64 * (FORWARD + BACKWARD);
        resources.progress.inspect(|progress| progress.expect(whole));
        let reached = Reached::new(sweep, resources)?;
        resources.progress.inspect(|progress| progress.forecast(reached.bytes()));
        let mut reached = reached.states;
        let mut layers = vec![CoverLayer { first: vec![0], low: vec![1], ..CoverLayer::default() }];
        let mut bytes = reached.iter().map(|states| 4 * states.len()).sum::<usize>();
        let mut live = LiveStates::last(sweep);
        for (index, step) in sweep.steps.iter().enumerate().rev() {
            let states = reached.pop().unwrap_or_default();
            let after = layers.last().unwrap_or_else(|| unreachable!("the layers are never empty"));
            let next = sweep.steps.get(index + 1);
            let counter = LayerCounter { sweep, step, next, live: &live, after };
            let (layer, kept) = counter.layer(&states, resources)?;
            bytes = bytes + layer.bytes() - 4 * states.len();
            live = LiveStates::new(&kept, step.ranking.size(sweep.ends));
            layers.push(layer);
            advance(resources, BACKWARD, states.len());
            check(resources, bytes)?;
        }
        layers.reverse();
        let table = CoverTable::of(layers);
        debug_assert_eq!(table.sanity(sweep), Ok(()));
        Ok(table)
    }

    /// Makes a table from layers in the order of the steps.
    pub(super) fn of(layers: Vec<CoverLayer>) -> CoverTable {
        let root = layers.first().filter(|layer| !layer.low.is_empty());
        let covers = root.map_or(0, |layer| layer.covers(0));
        CoverTable { layers, covers }
    }

    /// Checks a sample of states: only the last arc is marked as last, thresholds match the covers, arcs have
    /// codes of the step and link to states of the next layer, and the covers of these states add up to the
    /// covers of the state.
    pub(super) fn sanity(&self, sweep: &Sweep) -> Result<(), String> {
        if self.layers.len() != sweep.steps.len() + 1 {
            return Err("the number of layers is wrong".into());
        }
        for (index, step) in sweep.steps.iter().enumerate() {
            let (layer, after) = (&self.layers[index], &self.layers[index + 1]);
            let wrong =
                |state: usize, what: &str| format!("state {state} of layer {index}: {what}");
            for state in (0..layer.first.len()).step_by(layer.first.len() / CHECKED + 1) {
                let begin = layer.first[state] as usize;
                let end = layer.first.get(state + 1).map_or(layer.arcs.len(), |&end| end as usize);
                if begin >= end || end > layer.arcs.len() {
                    return Err(wrong(state, "it has no arcs"));
                }
                let (mut covers, whole) = (0, layer.covers(state));
                for (at, &arc) in layer.arcs[begin..end].iter().enumerate() {
                    let arc = PackedArc(arc);
                    let next = after.state(arc.link());
                    if after.first.get(next) != Some(&arc.link()) {
                        return Err(wrong(state, "an arc leads to no state"));
                    }
                    covers += after.covers(next);
                    let last = at + 1 == end - begin;
                    match () {
                        () if arc.code() >= step.codes() => {
                            return Err(wrong(state, "the code of an arc is too large"));
                        }
                        () if arc.is_last() != last => {
                            return Err(wrong(
                                state,
                                "an arc is wrongly marked as last or not last",
                            ));
                        }
                        () if covers > whole || (last && covers != whole) => {
                            return Err(wrong(
                                state,
                                "the covers of its arcs do not add up to its own",
                            ));
                        }
                        () if !last && arc.threshold() != threshold(covers, whole) => {
                            return Err(wrong(state, "a threshold does not match the covers"));
                        }
                        () => {}
                    }
                }
            }
        }
        let root = self.layers[0].low.first().map_or(0, |_| self.layers[0].covers(0));
        if root == self.covers {
            Ok(())
        } else {
            Err("the covers of the first state are not those of the table".into())
        }
    }

    /// Returns the size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.layers.iter().map(CoverLayer::bytes).sum()
    }
}

/// Returns the range of one block out of several.
fn block(len: usize, blocks: usize, index: usize) -> std::ops::Range<usize> {
    len * index / blocks..len * (index + 1) / blocks
}

/// The states reachable from the first one.
pub(super) struct Reached {
    /// The numbers of the states before each step, ascending.
    pub(super) states: Vec<Vec<u32>>,
    /// Number of arcs between them.
    pub(super) arcs: u64,
}

impl Reached {
    pub(super) fn new(sweep: &Sweep, resources: &Resources<'_>) -> Result<Reached, Failure> {
        let mut reached = vec![vec![0]];
        let (mut bytes, mut arcs) = (0, 0);
        for pair in sweep.steps.windows(2) {
            let (step, ranking) = (&pair[0], &pair[1].ranking);
            let states = &reached[reached.len() - 1];
            let size = ranking.size(sweep.ends).div_ceil(64);
            let seen: Vec<AtomicU64> = (0..size).map(|_| AtomicU64::new(0)).collect();
            let blocks = BLOCKS.min(states.len()).max(1);
            let counts = in_order(resources.threads, blocks, |index| {
                let mut arcs = 0;
                for &state in &states[block(states.len(), blocks, index)] {
                    step.successors(step.ranking.key(state), sweep.ends, |key, _| {
                        arcs += 1;
                        let number = ranking.number(key).0;
                        let (word, bit) = (&seen[number as usize / 64], 1 << (number % 64));
                        if word.load(Relaxed) & bit == 0 {
                            word.fetch_or(bit, Relaxed);
                        }
                    });
                }
                arcs
            });
            arcs += counts.iter().sum::<u64>();
            let mut found = Vec::new();
            for (word, bits) in seen.into_iter().map(AtomicU64::into_inner).enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    found.push((64 * word) as u32 + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
            found.shrink_to_fit();
            bytes += 4 * found.len();
            advance(resources, FORWARD, found.len());
            check(resources, bytes)?;
            reached.push(found);
        }
        Ok(Reached { states: reached, arcs })
    }

    /// Returns an upper bound on the size of the table in bytes. It is not exact, because some reachable
    /// states lead to no cover.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.arcs + 20 * self.states.iter().map(|states| states.len() as u64).sum::<u64>()
    }
}

/// The states of a layer that lead to a cover, with lookup of a state's index in constant time.
struct LiveStates {
    words: Vec<(u64, u32)>,
}

impl LiveStates {
    fn new(kept: &[u32], size: usize) -> LiveStates {
        let mut words = vec![(0u64, 0u32); size.div_ceil(64)];
        for &number in kept {
            words[number as usize / 64].0 |= 1 << (number % 64);
        }
        let mut before = 0;
        for word in &mut words {
            word.1 = before;
            before += word.0.count_ones();
        }
        LiveStates { words }
    }

    /// Makes the live states of the last layer, which contains only the final state.
    fn last(sweep: &Sweep) -> LiveStates {
        LiveStates::new(&[sweep.ends as u32], sweep.ends as usize + 1)
    }

    #[inline]
    fn state(&self, number: u32) -> Option<usize> {
        let (bits, before) = self.words[number as usize / 64];
        let bit = 1 << (number % 64);
        (bits & bit != 0).then(|| before as usize + (bits & (bit - 1)).count_ones() as usize)
    }
}

/// A counter of the covers that the states of a layer lead to, based on the next layer.
struct LayerCounter<'a> {
    sweep: &'a Sweep,
    step: &'a SweepStep,
    next: Option<&'a SweepStep>,
    live: &'a LiveStates,
    after: &'a CoverLayer,
}

/// The result for one block of a layer.
#[derive(Default)]
struct LayerBlock {
    kept: Vec<u32>,
    layer: CoverLayer,
    overflow: bool,
}

impl LayerCounter<'_> {
    /// Makes a layer of the states that lead to a cover; also returns the numbers of these states.
    fn layer(
        &self,
        states: &[u32],
        resources: &Resources<'_>,
    ) -> Result<(CoverLayer, Vec<u32>), Failure> {
        let blocks = BLOCKS.min(states.len()).max(1);
        let results = in_order(resources.threads, blocks, |index| {
            self.block(&states[block(states.len(), blocks, index)], resources)
        });
        let mut layer = CoverLayer::default();
        let mut kept = Vec::new();
        let total = |len: fn(&LayerBlock) -> usize| results.iter().map(len).sum::<usize>();
        layer.arcs.reserve_exact(total(|b| b.layer.arcs.len()));
        layer.first.reserve_exact(total(|b| b.layer.first.len()));
        layer.low.reserve_exact(total(|b| b.layer.low.len()));
        if layer.arcs.capacity() > LINK_MASK as usize {
            return Err(Failure::Memory);
        }
        for result in results {
            if result.overflow {
                return Err(Failure::Numbers);
            }
            let base = layer.arcs.len() as u32;
            layer.arcs.extend(result.layer.arcs);
            layer.first.extend(result.layer.first.iter().map(|first| base + first));
            layer.low.extend(result.layer.low);
            layer.high.extend(result.layer.high);
            kept.extend(result.kept);
        }
        if layer.high.iter().all(|&high| high == 0) {
            layer.high = Vec::new();
        }
        Ok((layer, kept))
    }

    fn block(&self, states: &[u32], resources: &Resources<'_>) -> LayerBlock {
        let mut block = LayerBlock::default();
        let mut arcs: Vec<(u128, u64)> = Vec::new();
        if (resources.stop)() {
            return block;
        }
        for &number in states {
            arcs.clear();
            let key = self.step.ranking.key(number);
            self.step.successors(key, self.sweep.ends, |key, code| {
                let (number, mirrors) = match self.next {
                    Some(next) => next.ranking.number(key),
                    None if key == self.sweep.last_key() => (self.sweep.ends as u32, false),
                    None => return,
                };
                if let Some(state) = self.live.state(number) {
                    let mirror = if mirrors { MIRROR } else { 0 };
                    let link = self.after.first[state];
                    let arc = mirror | u64::from(code) << CODE_AT | u64::from(link);
                    arcs.push((self.after.covers(state), arc));
                }
            });
            if !arcs.is_empty() {
                block.push(number, &mut arcs);
            }
        }
        block
    }
}

impl LayerBlock {
    fn push(&mut self, number: u32, arcs: &mut [(u128, u64)]) {
        arcs.sort_unstable_by(|a, b| b.cmp(a));
        let whole = arcs.iter().fold(0u128, |sum, arc| sum.saturating_add(arc.0));
        if whole >= MOST_COVERS {
            self.overflow = true;
            return;
        }
        self.kept.push(number);
        self.layer.first.push(self.layer.arcs.len() as u32);
        self.layer.low.push(whole as u64);
        self.layer.high.push((whole >> 64) as u64);
        let mut covers = 0;
        let last = arcs.len() - 1;
        for (index, &(more, arc)) in arcs.iter().enumerate() {
            covers += more;
            let limit = if index == last { LAST } else { threshold(covers, whole) << THRESHOLD_AT };
            self.layer.arcs.push(arc | limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Graph};
    use crate::problem::Problem;

    #[test]
    fn sanity_finds_each_planted_fault() {
        let problem = Problem::open(Graph::knight(Board::parse("4x5").unwrap()));
        let sweep = Sweep::new(&problem).unwrap();
        let resources = Resources::on(1);
        let made = || CoverTable::new(&sweep, &resources).unwrap();
        let table = made();
        assert_eq!(table.sanity(&sweep), Ok(()));
        // A layer whose first state has several arcs.
        let at = |layer: &CoverLayer| layer.arcs.len() > 1 && !PackedArc(layer.arcs[0]).is_last();
        let at = table.layers.iter().position(at).unwrap();
        type Fault = fn(&mut CoverLayer);
        let faults: [(Fault, &str); 6] = [
            (|layer| layer.arcs[0] ^= 1 << THRESHOLD_AT, "a threshold"),
            (|layer| layer.arcs[0] ^= LAST, "marked as last"),
            (|layer| layer.arcs[0] |= LINK_MASK, "leads to no state"),
            (|layer| layer.arcs[0] |= 0xfff << CODE_AT, "code"),
            (|layer| layer.low[0] += 1, "covers"),
            (|layer| layer.first[0] = u32::MAX, "no arcs"),
        ];
        for (fault, said) in faults {
            let mut table = made();
            fault(&mut table.layers[at]);
            let found = table.sanity(&sweep).unwrap_err();
            assert!(found.contains(said), "{said}: {found}");
        }
        let wrong = CoverTable { covers: table.covers + 1, ..made() };
        assert!(wrong.sanity(&sweep).is_err());
        let mut short = made();
        short.layers.pop();
        assert!(short.sanity(&sweep).is_err());
    }
}
