//! Draws covers from a table with equal probability and rejects those that are not tours.
//!
//! In a state that leads to W covers, an arc that leads to C of them must be taken with probability C/W. The
//! choice uses a random number x of 20 bits and, only when needed, a random number u below W. Let C' be the
//! number of covers of an arc and of the arcs before it, and 2^20 C' = T W + R with R < W. The chosen arc is
//! the first for which (x, u) is less than (T, R) in lexicographic order. Exactly 2^20 C' of the 2^20 W
//! equally likely pairs are less, so the probabilities are exact. A path through the table has probability
//! C1/W1 · C2/W2 · …, where each C equals the next W, so every cover has probability 1 / covers.
//!
//! A cover is rejected as soon as its moves close a cycle that misses a square. Rejection depends only on the
//! cover, so the accepted covers are uniform among the tours.
//!
//! Many covers are drawn in turn, one step each, so that their memory accesses overlap. Every tour takes the
//! same number of steps, so the order in which tours are completed does not depend on which tours they are.

use super::arc::{PackedArc, THRESHOLD_BITS};
use super::sweep::{Sweep, SweepVertex};
use super::table::CoverTable;
use crate::board::Square;
use rand::Rng;

/// Number of covers drawn in turn: more than the loads that a core can have in flight, and few enough for
/// their state to stay in the first-level cache. Chosen by hand, not tuned. Must not change: the tours of a
/// seed depend on it.
const POOL: usize = 48;
/// Flag in a recorded choice: the step used the mirror image of the state.
const MIRRORED: u16 = 1 << 15;

/// Marks a missing neighbour.
const NONE: SweepVertex = SweepVertex::MAX;

/// A cover being drawn.
#[derive(Clone, Copy)]
struct Draw {
    /// Index of the first arc of the draw's current state.
    at: u32,
    step: u16,
    mirrored: bool,
    /// Number of moves still to choose.
    left: u16,
}

/// The result of drawing one cover.
pub(super) struct Finished<'d> {
    /// Whether the cover is a tour.
    pub(super) whole: bool,
    /// Number of squares decided.
    pub(super) decided: u64,
    sweep: &'d Sweep,
    choices: &'d [u16],
}

impl Finished<'_> {
    /// Returns the chosen neighbours of each vertex, with the extra vertex last.
    pub(super) fn chosen(&self) -> Vec<[SweepVertex; 2]> {
        let mut near = vec![[NONE; 2]; self.sweep.squares.len() + 1];
        let mut join = |u: SweepVertex, v: SweepVertex| {
            for (from, to) in [(u, v), (v, u)] {
                let place = &mut near[from as usize];
                place[usize::from(place[0] != NONE)] = to;
            }
        };
        self.sweep.joined.iter().for_each(|&(u, v)| join(u, v));
        for (step, &choice) in self.sweep.steps.iter().zip(self.choices) {
            let joins = step.joins(choice & MIRRORED != 0, (choice & !MIRRORED) as usize);
            joins.pairs().iter().for_each(|&(u, v)| join(u, v));
        }
        near
    }

    /// Returns the number of squares in the first closed part; `None` if nothing is closed.
    pub(super) fn closed_part(&self) -> Option<usize> {
        let (near, extra) = (self.chosen(), self.sweep.extra());
        (0..near.len() as SweepVertex).find_map(|from| {
            let (mut before, mut here) = (from, near[from as usize][0]);
            let mut count = usize::from(from != extra);
            while here != from {
                let [one, two] = *near.get(here as usize)?;
                count += usize::from(here != extra);
                (before, here) = (here, if one == before { two } else { one });
            }
            Some(count)
        })
    }
}

/// The covers being drawn in turn.
pub(super) struct Drawer<'t> {
    sweep: &'t Sweep,
    table: &'t CoverTable,
    draws: Vec<Draw>,
    /// For each draw and each vertex at which a path ends, the other end of that path.
    mates: Vec<SweepVertex>,
    /// For each draw, the choices made at its steps.
    choices: Vec<u16>,
    /// Number of squares that are decided at the end of each step.
    decided: Vec<u64>,
    fresh: Vec<SweepVertex>,
}

impl<'t> Drawer<'t> {
    pub(super) fn new(sweep: &'t Sweep, table: &'t CoverTable) -> Drawer<'t> {
        let mut fresh: Vec<SweepVertex> = (0..=sweep.extra()).collect();
        if let Some((u, v)) = sweep.joined {
            fresh.swap(u.into(), v.into());
        }
        let mut sum = 0;
        let mut count = |squares: usize| {
            sum += squares as u64;
            sum
        };
        Drawer {
            sweep,
            table,
            draws: Vec::new(),
            mates: Vec::new(),
            choices: Vec::new(),
            decided: sweep.steps.iter().map(|step| count(step.squares())).collect(),
            fresh,
        }
    }

    /// Draws `covers` covers; passes each to `finished`, which may stop the drawing.
    pub(super) fn draw<B>(
        &mut self,
        covers: u64,
        rng: &mut impl Rng,
        mut finished: impl FnMut(&Finished<'_>, &mut dyn Rng) -> std::ops::ControlFlow<B>,
    ) -> std::ops::ControlFlow<B> {
        let (steps, vertices) = (self.sweep.steps.len(), self.fresh.len());
        let new = Draw { at: 0, step: 0, mirrored: false, left: self.sweep.moves as u16 };
        let pool = covers.min(POOL as u64) as usize;
        self.draws = vec![new; pool];
        self.mates = self.fresh.repeat(pool);
        self.choices = vec![0; pool * steps];
        let mut begun = pool as u64;
        let mut ahead = Vec::with_capacity(pool);
        while !self.draws.is_empty() {
            // Load the first arc of every state at once, so that the memory accesses overlap.
            let arc = |draw: &Draw| self.table.layers[draw.step as usize].arcs[draw.at as usize];
            ahead.clear();
            ahead.extend(self.draws.iter().map(arc));
            let mut slot = 0;
            while slot < self.draws.len() {
                let Some(whole) = self.advance(slot, PackedArc(ahead[slot]), rng) else {
                    slot += 1;
                    continue;
                };
                let step = self.draws[slot].step as usize;
                let decided = self.decided[step];
                let choices = &self.choices[slot * steps..slot * steps + step + 1];
                finished(&Finished { whole, decided, sweep: self.sweep, choices }, rng)?;
                if begun < covers {
                    begun += 1;
                    self.draws[slot] = new;
                    self.mates[slot * vertices..(slot + 1) * vertices].copy_from_slice(&self.fresh);
                    slot += 1;
                } else {
                    self.remove(slot);
                    ahead.swap_remove(slot);
                }
            }
        }
        std::ops::ControlFlow::Continue(())
    }

    /// Removes a draw; the last draw takes its slot.
    fn remove(&mut self, slot: usize) {
        let (steps, vertices) = (self.sweep.steps.len(), self.fresh.len());
        let last = self.draws.len() - 1;
        self.draws.swap_remove(slot);
        self.mates.copy_within(last * vertices.., slot * vertices);
        self.mates.truncate(last * vertices);
        self.choices.copy_within(last * steps.., slot * steps);
        self.choices.truncate(last * steps);
    }

    /// Advances a draw by one step. Returns `None` if steps remain, otherwise whether the cover is a tour.
    /// `chosen` is the first arc of the state.
    #[inline]
    fn advance(&mut self, slot: usize, mut chosen: PackedArc, rng: &mut impl Rng) -> Option<bool> {
        let (steps, vertices) = (self.sweep.steps.len(), self.fresh.len());
        let draw = &mut self.draws[slot];
        let step = draw.step as usize;
        let x = rng.next_u64() >> (64 - THRESHOLD_BITS);
        let mut at = draw.at as usize;
        while !chosen.is_last() && x >= chosen.threshold() {
            if x == chosen.threshold() {
                chosen = resolve(self.table, step, draw.at, x, rng);
                break;
            }
            at += 1;
            chosen = PackedArc(self.table.layers[step].arcs[at]);
        }
        let (code, mirrored) = (chosen.code(), draw.mirrored);
        self.choices[slot * steps + step] = code as u16 | if mirrored { MIRRORED } else { 0 };
        let mates = &mut self.mates[slot * vertices..(slot + 1) * vertices];
        for &(u, v) in self.sweep.steps[step].joins(mirrored, code).pairs() {
            let (a, b) = (mates[u as usize], mates[v as usize]);
            draw.left -= 1;
            if a == v && draw.left > 0 {
                return Some(false);
            }
            mates[a as usize] = b;
            mates[b as usize] = a;
        }
        draw.at = chosen.link();
        draw.mirrored ^= chosen.mirrors();
        if step + 1 == steps {
            return Some(true);
        }
        draw.step += 1;
        None
    }
}

/// Chooses the arc with the help of u when x equals a threshold; see the top of this file.
#[cold]
fn resolve(table: &CoverTable, step: usize, at: u32, x: u64, rng: &mut impl Rng) -> PackedArc {
    let (layer, after) = (&table.layers[step], &table.layers[step + 1]);
    let whole = layer.covers(layer.state(at));
    let u = below(rng, whole);
    let mut covers = 0;
    for &arc in &layer.arcs[at as usize..] {
        let arc = PackedArc(arc);
        covers += after.covers(after.state(arc.link()));
        let rest = (covers << THRESHOLD_BITS).saturating_sub(u128::from(arc.threshold()) * whole);
        if arc.is_last() || x < arc.threshold() || (x == arc.threshold() && u < rest) {
            return arc;
        }
    }
    unreachable!("every state has a last arc")
}

/// Returns a uniform random number below `bound`.
pub(super) fn below(rng: &mut (impl Rng + ?Sized), bound: u128) -> u128 {
    let shift = (bound - 1).leading_zeros().min(127);
    loop {
        let bits = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        if bits >> shift < bound {
            return bits >> shift;
        }
    }
}

/// Writes a tour as a cycle of vertices that starts at `from` and goes to its first or second neighbour.
pub(super) fn cycle(
    near: &[[SweepVertex; 2]],
    from: SweepVertex,
    direction: usize,
    out: &mut Vec<SweepVertex>,
) {
    out.clear();
    let (mut before, mut here) = (from, near[from as usize][direction]);
    out.push(from);
    while here != from {
        out.push(here);
        let [one, two] = near[here as usize];
        (before, here) = (here, if one == before { two } else { one });
    }
}

/// Returns the squares of the given vertices.
pub(super) fn squares(sweep: &Sweep, path: &[SweepVertex]) -> Vec<Square> {
    path.iter().map(|&v| sweep.squares[v as usize]).collect()
}
