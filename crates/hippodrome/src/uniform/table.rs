//! The table of a sweep: for every state the ways on, weighted by the covers they lead to.
//!
//! A forward pass finds the states that can be reached, a backward pass counts the covers each leads
//! to and drops those that lead to none. What remains is a graph whose paths from the first state
//! are the covers, one each. A state's ways on are its *arcs*, the likeliest first, with what is
//! needed to choose among them packed into a word:
//!
//! ```text
//!   63                44 43   42     41         30 29             0
//!   threshold (20 bits)  last mirror code (12 bits) link (30 bits)
//! ```
//!
//! `link` is the place of the next state's arcs in the next layer. With C the covers of an arc and
//! of those before it in the state and W the covers of the state, `threshold` is the whole part of
//! 2^20 C / W. Covers are counted in whole numbers, never rounded; see `draw.rs` for the rest.

use super::sweep::{Sweep, SweepStep};
use crate::search::{Resources, Unsupported, in_order};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use thiserror::Error;

/// Bits of a threshold.
pub(super) const THRESHOLD_BITS: u32 = 20;
const THRESHOLD_AT: u32 = 64 - THRESHOLD_BITS;
const LAST: u64 = 1 << 43;
const MIRROR: u64 = 1 << 42;
const CODE_AT: u32 = 30;
const LINK_MASK: u64 = (1 << CODE_AT) - 1;
/// Covers are fewer than this, so that thresholds can be computed in 128 bits.
const MOST_COVERS: u128 = 1 << (127 - THRESHOLD_BITS);
/// What a step of either pass costs, roughly.
const FORTH: f64 = 1.0;
const BACK: f64 = 2.0;
/// Parts into which a layer is divided among threads.
const BLOCKS: usize = 64;

/// A way on, packed.
#[derive(Clone, Copy)]
pub(super) struct PackedArc(pub(super) u64);

impl PackedArc {
    #[inline]
    pub(super) fn threshold(self) -> u64 {
        self.0 >> THRESHOLD_AT
    }

    #[inline]
    pub(super) fn is_last(self) -> bool {
        self.0 & LAST != 0
    }

    #[inline]
    pub(super) fn mirrors(self) -> bool {
        self.0 & MIRROR != 0
    }

    #[inline]
    pub(super) fn code(self) -> usize {
        (self.0 >> CODE_AT & 0xfff) as usize
    }

    #[inline]
    pub(super) fn link(self) -> u32 {
        (self.0 & LINK_MASK) as u32
    }
}

/// The states before a step.
#[derive(Default)]
pub(super) struct CoverLayer {
    /// Arcs of all states.
    pub(super) arcs: Vec<u64>,
    /// Where the arcs of each state begin, ascending.
    pub(super) first: Vec<u32>,
    /// Covers of each state: lower halves, and upper ones where there are any.
    pub(super) low: Vec<u64>,
    pub(super) high: Vec<u64>,
}

impl CoverLayer {
    /// Covers that a state leads to.
    pub(super) fn covers(&self, state: usize) -> u128 {
        let high = self.high.get(state).copied().unwrap_or(0);
        u128::from(high) << 64 | u128::from(self.low[state])
    }

    /// The state whose arcs begin at a place.
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

/// The table: a layer for each step, and one for the end.
pub(super) struct CoverTable {
    pub(super) layers: Vec<CoverLayer>,
    /// Number of covers.
    pub(super) covers: u128,
}

/// Why there is no table.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum TableError {
    /// The problem is not one for tables.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// Not enough memory allowed.
    #[error(
        "the table of {graph} takes more than the {allowed} allowed; give more memory, or use solver backbite"
    )]
    Memory {
        /// The board.
        graph: String,
        /// Memory allowed.
        allowed: String,
    },
    /// Too many covers to count.
    #[error("{0} has more than 10^32 covers, too many for the table; try a smaller board")]
    Numbers(String),
    /// Stopped from outside.
    #[error("interrupted while the table was being made")]
    Stopped,
}

/// How a table fails before it is known of which board.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    Memory,
    Numbers,
    Stopped,
}

/// Tells the progress that a step of this cost is done.
fn advance(resources: &Resources<'_>, cost: f64, states: usize) {
    resources.progress.inspect(|progress| progress.step(cost, states as u64));
}

/// Fails if the work is stopped or holds too many bytes.
fn check(resources: &Resources<'_>, bytes: usize) -> Result<(), Failure> {
    match ((resources.stop)(), bytes > resources.memory) {
        (true, _) => Err(Failure::Stopped),
        (_, true) => Err(Failure::Memory),
        _ => Ok(()),
    }
}

impl CoverTable {
    /// Makes the table of a sweep.
    pub(super) fn new(sweep: &Sweep, resources: &Resources<'_>) -> Result<CoverTable, Failure> {
        let whole = sweep.steps.len() as f64 * (FORTH + BACK);
        resources.progress.inspect(|progress| progress.expect(whole));
        let mut reached = Reached::new(sweep, resources)?.states;
        let mut layers = vec![CoverLayer { first: vec![0], low: vec![1], ..CoverLayer::default() }];
        let mut bytes = reached.iter().map(|states| 4 * states.len()).sum::<usize>();
        let mut live = Live::last(sweep);
        for (index, step) in sweep.steps.iter().enumerate().rev() {
            let states = reached.pop().unwrap_or_default();
            let after = layers.last().unwrap_or_else(|| unreachable!("there is a last layer"));
            let next = sweep.steps.get(index + 1);
            let weigh = Weigh { sweep, step, next, live: &live, after };
            let (layer, kept) = weigh.all(&states, resources)?;
            bytes = bytes + layer.bytes() - 4 * states.len();
            live = Live::new(&kept, step.ranking.size(sweep.ends));
            layers.push(layer);
            advance(resources, BACK, states.len());
            check(resources, bytes)?;
        }
        layers.reverse();
        Ok(CoverTable::of(layers))
    }

    /// The table of some layers, the first state first.
    pub(super) fn of(layers: Vec<CoverLayer>) -> CoverTable {
        let root = layers.first().filter(|layer| !layer.low.is_empty());
        let covers = root.map_or(0, |layer| layer.covers(0));
        CoverTable { layers, covers }
    }

    /// Its size.
    pub(super) fn bytes(&self) -> usize {
        self.layers.iter().map(CoverLayer::bytes).sum()
    }
}

/// The blocks of a layer: where each begins.
fn block(len: usize, blocks: usize, index: usize) -> std::ops::Range<usize> {
    len * index / blocks..len * (index + 1) / blocks
}

/// What can be reached from the first state.
pub(super) struct Reached {
    /// The numbers of the states before each step, ascending.
    pub(super) states: Vec<Vec<u32>>,
    /// Arcs between them.
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
            advance(resources, FORTH, found.len());
            check(resources, bytes)?;
            reached.push(found);
        }
        Ok(Reached { states: reached, arcs })
    }

    /// Bytes of the table at most: states that lead to no cover are still among these.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.arcs + 20 * self.states.iter().map(|states| states.len() as u64).sum::<u64>()
    }
}

/// Which numbers are states that lead to a cover, and the how many-th each is.
struct Live {
    words: Vec<(u64, u32)>,
}

impl Live {
    fn new(kept: &[u32], size: usize) -> Live {
        let mut words = vec![(0u64, 0u32); size.div_ceil(64)];
        for &number in kept {
            words[number as usize / 64].0 |= 1 << (number % 64);
        }
        let mut before = 0;
        for word in &mut words {
            word.1 = before;
            before += word.0.count_ones();
        }
        Live { words }
    }

    /// The one state of the end.
    fn last(sweep: &Sweep) -> Live {
        Live::new(&[sweep.ends as u32], sweep.ends as usize + 1)
    }

    #[inline]
    fn state(&self, number: u32) -> Option<usize> {
        let (bits, before) = self.words[number as usize / 64];
        let bit = 1 << (number % 64);
        (bits & bit != 0).then(|| before as usize + (bits & (bit - 1)).count_ones() as usize)
    }
}

/// Counts the covers of a layer's states from those of the layer after it.
struct Weigh<'a> {
    sweep: &'a Sweep,
    step: &'a SweepStep,
    next: Option<&'a SweepStep>,
    live: &'a Live,
    after: &'a CoverLayer,
}

/// What one block of a layer comes to.
#[derive(Default)]
struct LayerBlock {
    kept: Vec<u32>,
    layer: CoverLayer,
    overflow: bool,
}

impl Weigh<'_> {
    /// The layer of the states that lead to a cover, and their numbers.
    fn all(
        &self,
        states: &[u32],
        resources: &Resources<'_>,
    ) -> Result<(CoverLayer, Vec<u32>), Failure> {
        let blocks = BLOCKS.min(states.len()).max(1);
        let parts = in_order(resources.threads, blocks, |index| {
            self.part(&states[block(states.len(), blocks, index)], resources)
        });
        let mut layer = CoverLayer::default();
        let mut kept = Vec::new();
        let total = |len: fn(&LayerBlock) -> usize| parts.iter().map(len).sum::<usize>();
        layer.arcs.reserve_exact(total(|b| b.layer.arcs.len()));
        layer.first.reserve_exact(total(|b| b.layer.first.len()));
        layer.low.reserve_exact(total(|b| b.layer.low.len()));
        if layer.arcs.capacity() > LINK_MASK as usize {
            return Err(Failure::Memory);
        }
        for part in parts {
            if part.overflow {
                return Err(Failure::Numbers);
            }
            let base = layer.arcs.len() as u32;
            layer.arcs.extend(part.layer.arcs);
            layer.first.extend(part.layer.first.iter().map(|first| base + first));
            layer.low.extend(part.layer.low);
            layer.high.extend(part.layer.high);
            kept.extend(part.kept);
        }
        if layer.high.iter().all(|&high| high == 0) {
            layer.high = Vec::new();
        }
        Ok((layer, kept))
    }

    fn part(&self, states: &[u32], resources: &Resources<'_>) -> LayerBlock {
        let mut block = LayerBlock::default();
        let mut ways: Vec<(u128, u64)> = Vec::new();
        if (resources.stop)() {
            return block;
        }
        for &number in states {
            ways.clear();
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
                    let way = mirror | u64::from(code) << CODE_AT | u64::from(link);
                    ways.push((self.after.covers(state), way));
                }
            });
            if !ways.is_empty() {
                block.push(number, &mut ways);
            }
        }
        block
    }
}

impl LayerBlock {
    fn push(&mut self, number: u32, ways: &mut [(u128, u64)]) {
        ways.sort_unstable_by(|a, b| b.cmp(a));
        let whole = ways.iter().fold(0u128, |sum, way| sum.saturating_add(way.0));
        if whole >= MOST_COVERS {
            self.overflow = true;
            return;
        }
        self.kept.push(number);
        self.layer.first.push(self.layer.arcs.len() as u32);
        self.layer.low.push(whole as u64);
        self.layer.high.push((whole >> 64) as u64);
        let mut covers = 0;
        let last = ways.len() - 1;
        for (index, &(more, way)) in ways.iter().enumerate() {
            covers += more;
            let limit = if index == last { LAST } else { threshold(covers, whole) << THRESHOLD_AT };
            self.layer.arcs.push(way | limit);
        }
    }
}

/// The whole part of 2^20 C / W. Floating point only guesses; the answer is checked in whole numbers.
pub(super) fn threshold(covers: u128, whole: u128) -> u64 {
    let scaled = covers << THRESHOLD_BITS;
    let mut guess = (covers as f64 / whole as f64 * (1u64 << THRESHOLD_BITS) as f64) as u128;
    while guess * whole > scaled {
        guess -= 1;
    }
    while (guess + 1) * whole <= scaled {
        guess += 1;
    }
    guess as u64
}
