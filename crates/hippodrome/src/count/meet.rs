//! Counting by two halves that meet at vertices that neither half finishes.
//!
//! Each half decides its share of the edges between those vertices, which multiplies its states by about
//! four. A layer that has become large leaves the remaining edges to the matching: they are decided while
//! states are distributed by their degrees. Equal states are then merged later, but no larger layer is held
//! in memory. A matching that needs too much memory runs slice by slice.

use super::chunks::{Chunks, Lists, lists};
use super::join::JoinTables;
use super::key::mix;
use super::layer::{Layer, weigh};
use super::monitor::StopReason;
use super::order::{BETWEEN, Cut};
use super::pairing::pairings;
use super::program::{Decide, FrontierStep, Program};
use super::rule::{TransitionRule, ends_among};
use super::run::CountContext;
use super::tally::SummedTally;
use super::weighted_graph::WeightedGraph;
use crate::search::{Progress, on_each};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Target number of states per part and half in a matching: sorting them takes 512 KiB, which fits into a
/// cache. Chosen by hand, not tuned.
const PART: usize = 1 << 15;
/// Approximate number of bytes of the states that are distributed at a time. Chosen by hand: a slice is
/// smaller than the layers of a count that needs slices, and there are few slices.
pub(super) const SLICE: u64 = 4 << 30;
/// Largest number of states for which a layer decides one more edge itself instead of leaving it to the
/// matching: 2 GiB, enough for the 79 million states of 8x8. Leaving all edges to the matching was worse,
/// because equal states were not merged: 6x6 open took 2.2 s of processor time instead of 0.4, and 7x8 closed
/// 519 MB instead of 109.
pub(super) const MERGED: usize = 1 << 27;
/// Number of states sampled to estimate the number of states distributed. The mean is accurate to a few
/// percent, and it only sets the numbers of parts and slices.
const SAMPLE: usize = 1 << 12;

/// The layer of a half, and the edges that the half has not decided.
type UnfinishedHalf<'p, K, C> = (Layer<K, C>, &'p [FrontierStep]);

/// One half at the cut.
struct Half<'a, R: TransitionRule, C> {
    layer: &'a Layer<R::Key, C>,
    /// The edges that the half has not decided.
    edges: &'a [FrontierStep],
    /// The slots of the vertices at the cut.
    slots: Vec<Option<usize>>,
    /// Whether this is the second half, whose states are keyed by the degrees that they need from the first
    /// half.
    other: bool,
}

impl<R: TransitionRule, C: SummedTally> Half<'_, R, C> {
    /// Returns the degrees that key a state: its own in the first half, the complementary ones in the second.
    #[inline(always)]
    fn code(&self, key: R::Key, symmetry: &CutSymmetry) -> u64 {
        let degrees = R::degrees(key, &self.slots);
        if self.other { symmetry.rest(degrees) } else { degrees }
    }

    /// Returns the amount that each undecided edge adds to the packed degrees.
    fn gains(&self) -> Vec<u64> {
        let place = |slot: usize| self.slots.iter().position(|&s| s == Some(slot)).unwrap_or(0);
        let gain = |step: &FrontierStep| match step.decide {
            Decide::Edge { ends, .. } => ends.map(|slot| 1 << (2 * place(slot))).iter().sum(),
            Decide::Vertex { .. } => 0,
        };
        self.edges.iter().map(gain).collect()
    }

    /// Decides the remaining edges of a state in every way, and emits each result with its code and weight.
    #[inline(always)]
    fn decide(
        &self,
        key: R::Key,
        (symmetry, gains): (&CutSymmetry, &[u64]),
        stack: &mut Vec<(usize, R::Key, u64, i32)>,
        mut emit: impl FnMut(R::Key, u64, i32),
    ) {
        stack.push((0, key, self.code(key, symmetry), 1));
        while let Some((done, key, code, weight)) = stack.pop() {
            let Some(step) = self.edges.get(done) else {
                emit(key, code, weight);
                continue;
            };
            R::follow(step, key, &mut |next, more, _| {
                // Taking an edge always changes the state.
                let code = match (next == key, self.other) {
                    (true, _) => code,
                    (false, false) => code + gains[done],
                    (false, true) => code - gains[done],
                };
                stack.push((done + 1, next, code, weight * more));
            });
        }
    }

    /// Estimates the number of states that are distributed.
    fn estimate_successors(&self, symmetry: &CutSymmetry) -> usize {
        let states = self.layer.len();
        let (mut seen, mut dealt, mut stack) = (0, 0, Vec::new());
        let gains = self.gains();
        for &(key, _) in self.layer.parts.iter().flatten().step_by(states / SAMPLE + 1) {
            seen += 1;
            let count = |_, code, _| dealt += usize::from(symmetry.is_first(code));
            self.decide(key, (symmetry, &gains), &mut stack, count);
        }
        (states as f64 * dealt as f64 / f64::from(seen.max(1))) as usize
    }
}

// The other method, a sweep, is in `run.rs`.
impl CountContext<'_> {
    /// Counts by two halves. Idea: run each half up to the cut (a mirrored second half reuses the first),
    /// then add up the products of tallies over the pairs of states whose degrees at the cut are
    /// complementary and whose paths together form one cycle. Cost: the states of the larger half, and the
    /// matching, estimated in [`Cut::meeting`].
    pub fn meet<R: TransitionRule, C: SummedTally>(
        &self,
        net: &WeightedGraph,
        cut: &Cut,
    ) -> Result<C::Sum, StopReason> {
        let programs = Program::of_halves(net, cut);
        let mut between: Vec<usize> =
            programs.iter().flat_map(|p| p.left.iter().map(|&(v, _)| v)).collect();
        between.sort_unstable();
        between.dedup();
        let place = |v: usize| between.iter().position(|&b| b == v).unwrap_or(0);
        let moved = |map: &Vec<usize>| {
            PlaceMap::new(&between.iter().map(|&v| place(map[v])).collect::<Vec<_>>())
        };
        let symmetry = CutSymmetry {
            between: between.len(),
            mirror: cut.mirror.as_ref().map(moved),
            keep: cut.keep.as_ref().map(moved),
        };
        let slots = |left: &[(usize, usize)]| -> Vec<Option<usize>> {
            let slot = |&v: &usize| left.iter().find(|l| l.0 == v).map(|l| l.1);
            between.iter().map(slot).collect()
        };
        let (one, edges) = self.half::<R, C>(&programs[0])?;
        let own = slots(&programs[0].left);
        let first = Half::<R, C> { layer: &one, edges, slots: own, other: false };
        if let Some(map) = &cut.mirror {
            let left: Vec<_> = programs[0].left.iter().map(|l| (map[l.0], l.1)).collect();
            let second = Half { layer: &one, edges, slots: slots(&left), other: true };
            self.match_up(&first, &second, &symmetry, cut.meeting)
        } else {
            let held = Layer::<R::Key, C>::bytes(one.len());
            let (two, edges) = self.monitor.reserving(held, || self.half::<R, C>(&programs[1]))?;
            let slots = slots(&programs[1].left);
            let second = Half { layer: &two, edges, slots, other: true };
            self.match_up(&first, &second, &symmetry, cut.meeting)
        }
    }

    /// Runs one half; returns its layer and the edges that it has not decided.
    fn half<'p, R: TransitionRule, C: SummedTally>(
        &self,
        program: &'p Program,
    ) -> Result<UnfinishedHalf<'p, R::Key, C>, StopReason> {
        let mut layer = self.run_steps::<R, C>(program)?;
        let mut edges = &program.edges[..];
        while let Some((step, rest)) = edges.split_first()
            && layer.len() <= MERGED
        {
            layer = layer.advance::<R>(step, self.threads, self.monitor)?;
            edges = rest;
        }
        layer.free_spare();
        Ok((layer, edges))
    }

    /// Distributes and matches states, slice by slice.
    fn match_up<R: TransitionRule, C: SummedTally>(
        &self,
        first: &Half<'_, R, C>,
        second: &Half<'_, R, C>,
        symmetry: &CutSymmetry,
        cost: f64,
    ) -> Result<C::Sum, StopReason> {
        let ahead = [first.estimate_successors(symmetry), second.estimate_successors(symmetry)];
        let most = ahead[0].max(ahead[1]);
        let parts = (most / PART).next_power_of_two();
        let dealt = ((ahead[0] + ahead[1]) * size_of::<(u64, C)>()) as u64;
        let slices = (dealt.div_ceil(SLICE) as usize).clamp(1, parts);
        let same = std::ptr::eq(first.layer, second.layer);
        let layers = first.layer.len() + if same { 0 } else { second.layer.len() };
        self.monitor.hold(Layer::<R::Key, C>::bytes(layers) + dealt / slices as u64)?;
        let tables = JoinTables::default();
        let mut total = C::Sum::default();
        for slice in 0..slices {
            let range = parts * slice / slices..parts * (slice + 1) / slices;
            let one = self.deal(first, symmetry, parts, range.clone())?;
            let other = self.deal(second, symmetry, parts, range)?;
            let pairs: Vec<_> = one.into_iter().zip(other).map(Mutex::new).collect();
            let sum = self.join::<R, C>(&pairs, (&tables, most), symmetry, cost / parts as f64)?;
            C::repeat(&mut total, sum, 1);
        }
        Ok(total)
    }

    /// Distributes the states of a half into parts by their degrees, keeping only the parts in `range`. Both
    /// halves are keyed by the first half's degrees, so states that match are in the same part.
    fn deal<R: TransitionRule, C: SummedTally>(
        &self,
        half: &Half<'_, R, C>,
        symmetry: &CutSymmetry,
        parts: usize,
        range: Range<usize>,
    ) -> Result<Lists<(u64, C)>, StopReason> {
        let (next, overflow) = (AtomicUsize::new(0), AtomicBool::new(false));
        let gains = half.gains();
        let work = || {
            let mut out = Chunks::new(range.len(), Vec::new());
            let (mut stack, mut spilt, mut read) = (Vec::new(), false, 0);
            while let Some(part) = half.layer.parts.get(next.fetch_add(1, Relaxed)) {
                if self.monitor.stopped() {
                    break;
                }
                for &(key, tally) in part {
                    read = tally.enter(read);
                    half.decide(key, (symmetry, &gains), &mut stack, |key, code, weight| {
                        let part = mix(code) as usize & (parts - 1);
                        if !range.contains(&part) || !symmetry.is_first(code) {
                            return;
                        }
                        let number = u64::from(R::number(key, &half.slots));
                        match weigh(tally, weight) {
                            Some(tally) => {
                                out.push(part - range.start, (code << NUMBER | number, tally));
                            }
                            None => spilt = true,
                        }
                    });
                }
            }
            overflow.fetch_or(spilt, Relaxed);
            (out, read)
        };
        let mut dealt = lists(range.len());
        let mut ledger = 0;
        for (out, read) in on_each(self.threads, work) {
            ledger = C::total(ledger, read);
            out.append_to(&mut dealt);
        }
        self.monitor.poll()?;
        match () {
            () if overflow.into_inner() => Err(StopReason::Overflow),
            () if ledger != half.layer.ledger => Err(StopReason::Ledger),
            () => Ok(dealt),
        }
    }

    /// Joins the parts of one slice.
    fn join<R: TransitionRule, C: SummedTally>(
        &self,
        pairs: &[Mutex<(Part<C>, Part<C>)>],
        (tables, states): (&JoinTables, usize),
        symmetry: &CutSymmetry,
        cost: f64,
    ) -> Result<C::Sum, StopReason> {
        let next = AtomicUsize::new(0);
        let work = || {
            let (mut sum, mut joiner) = (C::Sum::default(), tables.joiner(states));
            while let Some(pair) = pairs.get(next.fetch_add(1, Relaxed)) {
                let (one, other) =
                    std::mem::take(&mut *pair.lock().unwrap_or_else(|e| e.into_inner()));
                let (one, other) = (merged(&one)?, merged(&other)?);
                debug_assert_eq!(sanity(&one).and(sanity(&other)), Ok(()));
                let mut others = other.chunk_by(|a, b| a.0 >> NUMBER == b.0 >> NUMBER).peekable();
                for group in one.chunk_by(|a, b| a.0 >> NUMBER == b.0 >> NUMBER) {
                    let code = group[0].0 >> NUMBER;
                    while others.next_if(|others| others[0].0 >> NUMBER < code).is_some() {}
                    let Some(partners) = others.next_if(|o| o[0].0 >> NUMBER == code) else {
                        continue;
                    };
                    self.monitor.poll()?;
                    let mut joined = C::Sum::default();
                    R::join(&mut joiner, code, (&bare(group), &bare(partners)), &mut joined);
                    C::repeat(&mut sum, joined, symmetry.count(code));
                }
                self.monitor.step(cost, 0);
            }
            Ok(sum)
        };
        let mut total = C::Sum::default();
        for sum in on_each(self.threads, work) {
            C::repeat(&mut total, sum?, 1);
        }
        Ok(total)
    }
}

/// Merges several lists of states into one sorted list; equal states become one.
fn merged<C: SummedTally>(lists: &[Vec<(u64, C)>]) -> Result<Vec<(u64, C)>, StopReason> {
    let mut all = lists.concat();
    all.sort_unstable_by_key(|state| state.0);
    let mut last = 0;
    for index in 1..all.len() {
        if all[index].0 == all[last].0 {
            all[last].1 = all[last].1.plus(all[index].1).ok_or(StopReason::Overflow)?;
        } else {
            last += 1;
            all[last] = all[index];
        }
    }
    all.truncate(last + 1);
    Ok(all)
}

/// Checks that the states of a part are in ascending order, and that each has degrees of at most two, an even
/// number of path ends and the number of an existing pairing.
fn sanity<C>(states: &[(u64, C)]) -> Result<(), &'static str> {
    if states.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
        return Err("states are not sorted");
    }
    for &(state, _) in states {
        let (code, number) = (state >> NUMBER, state & ((1 << NUMBER) - 1));
        let ends = ends_among(code);
        match () {
            () if code & code >> 1 & 0x5555_5555_5555_5555 != 0 => return Err("a degree is three"),
            () if ends % 2 == 1 => return Err("a path has one end"),
            () if number >= pairings(ends / 2).into() => return Err("no pairing has this number"),
            () => {}
        }
    }
    Ok(())
}

/// A permutation of the places of a cut, applied to packed degrees with one table lookup per four places.
struct PlaceMap([[u64; 256]; BETWEEN.div_ceil(4)]);

impl PlaceMap {
    fn new(map: &[usize]) -> PlaceMap {
        let mut tables = [[0; 256]; BETWEEN.div_ceil(4)];
        for (from, to) in map.iter().enumerate() {
            for (byte, moved) in tables[from / 4].iter_mut().enumerate() {
                *moved |= (byte as u64 >> (2 * (from % 4)) & 3) << (2 * to);
            }
        }
        PlaceMap(tables)
    }

    #[inline(always)]
    fn of(&self, code: u64) -> u64 {
        let bytes = self.0.iter().enumerate();
        bytes.fold(0, |moved, (n, table)| moved | table[(code >> (8 * n) & 255) as usize])
    }
}

/// The symmetries of a cut. Equivalent degree vectors give equal sums, so only the smallest of them is
/// joined.
struct CutSymmetry {
    between: usize,
    /// How the mirror symmetry permutes the places of the cut, if the second half is the image of the first.
    mirror: Option<PlaceMap>,
    /// How a symmetry that maps each half to itself permutes the places of the cut, if there is one.
    keep: Option<PlaceMap>,
}

impl CutSymmetry {
    /// Returns the complementary degrees, which the other half must have. The function is its own inverse.
    fn rest(&self, code: u64) -> u64 {
        (0xaaaa_aaaa_aaaa_aaaa & ((1 << (2 * self.between)) - 1)) - code
    }

    fn images(&self, code: u64) -> [u64; 4] {
        let keep = |code| self.keep.as_ref().map_or(code, |moved| moved.of(code));
        // The mirror image of a first-half state is a second-half state, keyed by the complement of its
        // degrees.
        let swap = |code| self.mirror.as_ref().map_or(code, |moved| self.rest(moved.of(code)));
        [code, keep(code), swap(code), swap(keep(code))]
    }

    /// Returns whether this degree vector is the smallest of those equivalent to it.
    fn is_first(&self, code: u64) -> bool {
        self.images(code).iter().all(|&image| code <= image)
    }

    /// Returns the number of degree vectors equivalent to this one, including itself.
    fn count(&self, code: u64) -> u32 {
        let mut images = self.images(code);
        images.sort_unstable();
        1 + images.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
    }
}

/// Returns the pairing numbers and tallies of packed states, without the degrees.
fn bare<C: Copy>(group: &[(u64, C)]) -> Vec<(u32, C)> {
    group.iter().map(|s| ((s.0 & ((1 << NUMBER) - 1)) as u32, s.1)).collect()
}

/// Chunks of states, each packed as the first half's degrees followed by the number of its pairing.
type Part<C> = Vec<Vec<(u64, C)>>;

/// Number of bits for the number of a pairing: 17!! < 2^26.
const NUMBER: u32 = 26;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sanity_finds_each_planted_fault_of_a_part() {
        let state = |code: u64, number: u64| (code << NUMBER | number, 1u64);
        let sound = vec![state(0b01_01, 0), state(0b01_01_01_01, 0), state(0b01_01_01_01, 2)];
        assert_eq!(sanity(&sound), Ok(()));
        for (fault, said) in [
            (vec![sound[1], sound[0]], "not sorted"),
            (vec![sound[0], sound[0]], "not sorted"),
            (vec![state(0b11_01, 0)], "three"),
            (vec![state(0b10_01, 0)], "one end"),
            (vec![state(0b01_01_01_01, 3)], "no pairing"),
        ] {
            assert!(sanity(&fault).unwrap_err().contains(said), "{said}");
        }
    }
}
