//! Layers of states: all threads expand a layer into parts chosen by hash, then merge each part.
//!
//! A part is merged in a small open-addressing table that stays in the cache. The order in which threads add
//! does not change a sum, so counts do not depend on the number of threads. A *ledger*, the wrapping sum of
//! tallies, checks each step: the sum of the tallies that it reads must equal the sum of those that the
//! previous step wrote, and the sum of the tallies that it merges must equal the sum of those that it
//! emitted.

use super::chunks::{Chunks, Lists, lists};
use super::key::StateKey;
use super::monitor::{CountMonitor, StopReason};
use super::program::FrontierStep;
use super::rule::TransitionRule;
use super::tally::Tally;
use crate::search::on_each;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Largest number of states for which a layer is advanced on one thread, which takes a few milliseconds.
/// Chosen by hand, not tuned.
const SMALL: usize = 1 << 15;
/// Target number of states per part: with its free entries, a table takes 128 to 256 KiB for two-word states,
/// which fits into an L2 cache. Chosen by hand, not tuned.
const PART: usize = 1 << 13;
/// Largest number of parts; every thread writes to all of them. Chosen by hand, not tuned.
const PARTS: usize = 1 << 12;
/// Number of states that a worker takes at a time: about a millisecond of work, so that all workers finish at
/// about the same time. Chosen by hand.
const PIECE: usize = 1 << 12;
/// Number of states sampled to estimate the number of successors. The mean is accurate to a few percent, and
/// it only sets the number of parts.
const SAMPLE: usize = 1 << 10;
/// Approximate number of states per layer whose keys a debug build checks: a few hundred reveal a wrong rule
/// at once.
const CHECKED: usize = 1 << 8;
/// Largest number of bytes of emptied lists that are kept for the next step: allocating fresh memory takes as
/// long as filling it. Chosen by hand; it is small compared with the layers of a count that empties that many
/// lists.
const SPARE: u64 = 256 << 20;

/// Distinct states with their tallies, in parts.
pub(super) struct Layer<K, C> {
    pub parts: Vec<Vec<(K, C)>>,
    /// The sum of the tallies, as computed by [`Tally::enter`].
    pub ledger: u64,
    /// Emptied lists for reuse.
    spare: Vec<Vec<(K, C)>>,
}

/// A hash table that adds up the tallies of equal states.
struct TallyTable<K, C> {
    entries: Vec<(K, C)>,
    mask: usize,
    held: usize,
}

impl<K: StateKey, C: Tally> TallyTable<K, C> {
    fn new() -> TallyTable<K, C> {
        TallyTable { entries: Vec::new(), mask: 0, held: 0 }
    }

    /// Empties the table and makes room for about `states` states.
    fn reset(&mut self, states: usize) {
        let size = states.max(8).next_power_of_two();
        self.entries.clear();
        self.entries.resize(size, (K::NONE, C::ONE));
        (self.mask, self.held) = (size - 1, 0);
    }

    /// Adds a tally to a state; returns false on overflow.
    #[inline(always)]
    fn add(&mut self, key: K, tally: C) -> bool {
        let mut at = key.hash() as usize & self.mask;
        loop {
            let entry = &mut self.entries[at];
            if entry.0 == key {
                return match entry.1.plus(tally) {
                    Some(sum) => {
                        entry.1 = sum;
                        true
                    }
                    None => false,
                };
            }
            if entry.0 == K::NONE {
                *entry = (key, tally);
                self.held += 1;
                if self.held * 4 > self.entries.len() * 3 {
                    self.grow();
                }
                return true;
            }
            at = (at + 1) & self.mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.entries.len() * 2;
        let old = std::mem::replace(&mut self.entries, vec![(K::NONE, C::ONE); size]);
        self.mask = size - 1;
        for entry in old.into_iter().filter(|e| e.0 != K::NONE) {
            let mut at = entry.0.hash() as usize & self.mask;
            while self.entries[at].0 != K::NONE {
                at = (at + 1) & self.mask;
            }
            self.entries[at] = entry;
        }
    }

    fn take(&self) -> Vec<(K, C)> {
        let mut states = Vec::with_capacity(self.held);
        states.extend(self.entries.iter().filter(|e| e.0 != K::NONE));
        states
    }
}

/// Returns a tally multiplied by an edge weight.
#[inline(always)]
pub(super) fn weigh<C: Tally>(tally: C, weight: i32) -> Option<C> {
    if weight == 1 { Some(tally) } else { tally.times(weight) }
}

impl<K: StateKey, C: Tally> Layer<K, C> {
    /// Makes a layer with one state.
    pub fn of(key: K) -> Layer<K, C> {
        let ledger = C::ONE.enter(0);
        Layer { parts: vec![vec![(key, C::ONE)]], ledger, spare: Vec::new() }
    }

    /// Frees the emptied lists.
    pub fn free_spare(&mut self) {
        self.spare = Vec::new();
    }

    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// Returns the number of bytes that `states` states take.
    pub fn bytes(states: usize) -> u64 {
        (states * size_of::<(K, C)>()) as u64
    }

    /// Returns the states in pieces for workers to take.
    fn pieces(&self) -> Vec<&[(K, C)]> {
        self.parts.iter().flat_map(|part| part.chunks(PIECE)).collect()
    }

    /// Applies a step to every state and merges equal successors.
    pub fn advance<R: TransitionRule<Key = K>>(
        self,
        step: &FrontierStep,
        threads: usize,
        monitor: &CountMonitor,
    ) -> Result<Layer<K, C>, StopReason> {
        monitor.poll()?;
        let next = match self.len() <= SMALL {
            true => self.advance_alone::<R>(step, monitor)?,
            false => self.advance_on::<R>(step, threads, monitor)?,
        };
        debug_assert_eq!(next.sanity::<R>(step), Ok(()));
        Ok(next)
    }

    /// Advances the layer on several threads, part by part.
    fn advance_on<R: TransitionRule<Key = K>>(
        self,
        step: &FrontierStep,
        threads: usize,
        monitor: &CountMonitor,
    ) -> Result<Layer<K, C>, StopReason> {
        let ahead = self.estimate_successors::<R>(step);
        monitor.hold(Self::bytes(self.len() + ahead))?;
        let parts = (ahead / PART).next_power_of_two().min(PARTS);
        let (gathered, emitted) = self.expand::<R>(step, parts, threads, monitor)?;
        let merged = Self::merge::<R>(gathered, threads, monitor)?;
        if merged.ledger == emitted { Ok(merged) } else { Err(StopReason::Ledger) }
    }

    /// Applies a step to every state; returns the successors in one list per part, and their ledger.
    fn expand<R: TransitionRule<Key = K>>(
        mut self,
        step: &FrontierStep,
        parts: usize,
        threads: usize,
        monitor: &CountMonitor,
    ) -> Result<(Lists<(K, C)>, u64), StopReason> {
        let shift = 64 - parts.trailing_zeros();
        let (next, overflow) = (AtomicUsize::new(0), AtomicBool::new(false));
        let share = self.spare.len().div_ceil(threads);
        let spare = Mutex::new(std::mem::take(&mut self.spare));
        let pieces = self.pieces();
        let expand = || {
            let own = {
                let mut spare = spare.lock().unwrap_or_else(|e| e.into_inner());
                let kept = spare.len().saturating_sub(share);
                spare.split_off(kept)
            };
            let mut out = Chunks::new(parts, own);
            let (mut spilt, mut read, mut emitted) = (false, 0, 0);
            while let Some(piece) = pieces.get(next.fetch_add(1, Relaxed)) {
                if monitor.stopped() {
                    break;
                }
                for &(key, tally) in *piece {
                    read = tally.enter(read);
                    R::follow(step, key, &mut |key, weight, _| match weigh(tally, weight) {
                        Some(tally) => {
                            emitted = tally.enter(emitted);
                            // With only one part, the shift by 64 is out of range.
                            let part = key.hash().checked_shr(shift).unwrap_or(0) as usize;
                            out.push(part, (key, tally));
                        }
                        None => spilt = true,
                    });
                }
                monitor.advance(piece.len() as u64);
            }
            overflow.fetch_or(spilt, Relaxed);
            (out, read, emitted)
        };
        let outs = on_each(threads, expand);
        monitor.poll()?;
        let mut gathered = lists(parts);
        let (mut held, mut read, mut emitted) = (0, 0, 0);
        for (out, one, other) in outs {
            (read, emitted) = (C::total(read, one), C::total(emitted, other));
            held += out.append_to(&mut gathered);
        }
        monitor.hold(Self::bytes(held))?;
        match () {
            () if overflow.into_inner() => Err(StopReason::Overflow),
            () if read != self.ledger => Err(StopReason::Ledger),
            () => Ok((gathered, emitted)),
        }
    }

    /// Merges equal states, part by part.
    fn merge<R: TransitionRule<Key = K>>(
        gathered: Lists<(K, C)>,
        threads: usize,
        monitor: &CountMonitor,
    ) -> Result<Layer<K, C>, StopReason> {
        let (next, overflow) = (AtomicUsize::new(0), AtomicBool::new(false));
        let capacity = gathered.iter().flatten().map(Vec::capacity).sum();
        let keep = Self::bytes(capacity) <= SPARE;
        let parts = gathered.len();
        let gathered: Vec<_> = gathered.into_iter().map(Mutex::new).collect();
        let merge = || {
            let mut table = TallyTable::<K, C>::new();
            let (mut merged, mut spare, mut spilt) = (Vec::new(), Vec::new(), false);
            loop {
                let part = next.fetch_add(1, Relaxed);
                let Some(lists) = gathered.get(part) else { break };
                if monitor.stopped() {
                    break;
                }
                let lists = std::mem::take(&mut *lists.lock().unwrap_or_else(|e| e.into_inner()));
                table.reset(lists.iter().map(Vec::len).sum());
                for mut list in lists {
                    for &(key, tally) in &list {
                        spilt |= !table.add(key, tally);
                    }
                    if keep {
                        list.clear();
                        spare.push(list);
                    }
                }
                merged.push((part, table.take()));
            }
            overflow.fetch_or(spilt, Relaxed);
            let states = merged.iter().flat_map(|(_, states)| states);
            let ledger = states.fold(0, |ledger, state| state.1.enter(ledger));
            (merged, spare, ledger)
        };
        let parts = (0..parts).map(|_| Vec::new()).collect();
        let mut layer = Layer { parts, ledger: 0, spare: Vec::new() };
        for (merged, spare, ledger) in on_each(threads, merge) {
            merged.into_iter().for_each(|(part, states)| layer.parts[part] = states);
            layer.spare.extend(spare);
            layer.ledger = C::total(layer.ledger, ledger);
        }
        monitor.poll()?;
        if overflow.into_inner() { Err(StopReason::Overflow) } else { Ok(layer) }
    }

    /// Checks the invariants after a step: tallies add up to the ledger; states are well formed, fit the
    /// frontier, are in the part given by their hash, and occur once. Only a sample of the keys is checked.
    fn sanity<R: TransitionRule<Key = K>>(&self, step: &FrontierStep) -> Result<(), String> {
        let sum = self.parts.iter().flatten().fold(0, |ledger, state| state.1.enter(ledger));
        if sum != self.ledger {
            return Err(format!("tallies add up to {sum}, but the ledger has {}", self.ledger));
        }
        let shift = 64 - self.parts.len().trailing_zeros();
        let mask = (self.len() / CHECKED).next_power_of_two() as u64 - 1;
        let mut keys = Vec::new();
        for (part, states) in self.parts.iter().enumerate() {
            // Sampling by hash selects both or neither of two equal states.
            for &(key, _) in states.iter().filter(|state| state.0.hash() & mask == 0) {
                if !R::is_sound(key) {
                    return Err(format!("a key in part {part} is not a state"));
                }
                let degree = |slot: usize| R::degree(key, slot);
                let touched = (0..R::SLOTS).filter(|&slot| degree(slot) > 0).count();
                let ends = (0..R::SLOTS).filter(|&slot| degree(slot) == 1).count();
                let wrong = match () {
                    () if touched > step.frontier => "touches more squares than the frontier has",
                    () if ends % 2 == 1 => "has a path with one end",
                    () if step.spent.iter().any(|&slot| degree(slot) != 2)
                        || step.last.iter().any(|&slot| degree(slot) == 0) =>
                    {
                        "leaves a square that cannot be finished"
                    }
                    () if key.hash().checked_shr(shift).unwrap_or(0) != part as u64 => {
                        "is in another part than its hash"
                    }
                    () => "",
                };
                if !wrong.is_empty() {
                    return Err(format!("a key in part {part} {wrong}"));
                }
                keys.push(key);
            }
        }
        keys.sort_unstable();
        let twice = keys.windows(2).any(|pair| pair[0] == pair[1]);
        if twice { Err("a state occurs twice".into()) } else { Ok(()) }
    }

    /// Estimates the number of successors before merging.
    fn estimate_successors<R: TransitionRule<Key = K>>(&self, step: &FrontierStep) -> usize {
        let states = self.len();
        let (mut seen, mut followed) = (0, 0);
        let stride = states / SAMPLE + 1;
        for &(key, _) in self.parts.iter().flatten().step_by(stride) {
            seen += 1;
            R::follow(step, key, &mut |_, _, _| followed += 1);
        }
        (states as f64 * followed as f64 / seen.max(1) as f64) as usize
    }

    fn advance_alone<R: TransitionRule<Key = K>>(
        self,
        step: &FrontierStep,
        monitor: &CountMonitor,
    ) -> Result<Layer<K, C>, StopReason> {
        let mut table = TallyTable::<K, C>::new();
        let (states, mut fits) = (self.len(), true);
        let (mut read, mut emitted) = (0, 0);
        table.reset(states * 2);
        for (key, tally) in self.parts.into_iter().flatten() {
            read = tally.enter(read);
            R::follow(step, key, &mut |key, weight, _| {
                fits &= weigh(tally, weight).is_some_and(|tally| {
                    emitted = tally.enter(emitted);
                    table.add(key, tally)
                });
            });
        }
        monitor.advance(states as u64);
        monitor.hold(Self::bytes(states + table.held))?;
        let states = table.take();
        let ledger = states.iter().fold(0, |ledger, state| state.1.enter(ledger));
        match () {
            () if !fits => Err(StopReason::Overflow),
            () if read != self.ledger || ledger != emitted => Err(StopReason::Ledger),
            () => Ok(Layer { parts: vec![states], ledger, spare: self.spare }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::key::{Wide, inner};
    use super::super::program::Program;
    use super::super::rule::{Degrees, Paths};
    use super::super::weighted_graph::WeightedGraph;
    use super::*;
    use crate::board::{Board, Graph};

    /// Makes a layer in the middle of a board, with the step that made it.
    fn halfway<R: TransitionRule>(board: &str, steps: usize) -> (Layer<R::Key, u64>, FrontierStep) {
        let (net, squares) = WeightedGraph::of(&Graph::knight(Board::parse(board).unwrap()));
        let order: Vec<usize> = (0..squares.len()).collect();
        let program = Program::new(&net, &order, &[], true);
        let monitor = CountMonitor::default();
        let mut layer = Layer::of(R::empty());
        for step in &program.steps[..steps] {
            layer = layer.advance_on::<R>(step, 2, &monitor).unwrap();
        }
        (layer, program.steps[steps - 1].clone())
    }

    /// Returns the error of the sanity check after `fault` has changed a layer.
    fn planted<R: TransitionRule>(fault: impl FnOnce(&mut Layer<R::Key, u64>)) -> String {
        let (mut layer, step) = halfway::<R>("5x6", 4);
        assert!(layer.len() <= CHECKED, "every state is checked");
        assert_eq!(layer.sanity::<R>(&step), Ok(()));
        fault(&mut layer);
        layer.sanity::<R>(&step).unwrap_err()
    }

    fn first<K, C>(layer: &mut Layer<K, C>) -> &mut (K, C) {
        layer.parts.iter_mut().flatten().next().unwrap()
    }

    #[test]
    fn sanity_finds_each_planted_fault() {
        type Narrow = Paths<u64>;
        let tally = planted::<Narrow>(|layer| first(layer).1 += 1);
        assert!(tally.contains("tallies add up to"), "{tally}");
        let twice = planted::<Narrow>(|layer| {
            let state = *first(layer);
            layer.parts[0].push(state);
            layer.ledger = state.1.enter(layer.ledger);
        });
        assert!(twice.contains("twice"), "{twice}");
        // More squares than the frontier of 5x6 has; a number that no slot has; an end whose mate does not
        // point back.
        let wide = planted::<Narrow>(|layer| {
            let state = first(layer);
            state.0 = (0..16).fold(state.0, inner);
        });
        assert!(wide.contains("more squares than the frontier"), "{wide}");
        let number = planted::<Paths<Wide>>(|layer| {
            let state = first(layer);
            state.0 = crate::count::key::FrontierKey::set(state.0, 24, 31);
        });
        assert!(number.contains("not a state"), "{number}");
        let mate = planted::<Narrow>(|layer| {
            let state = first(layer);
            state.0 = crate::count::key::FrontierKey::set(state.0, 15, 3);
        });
        assert!(mate.contains("not a state"), "{mate}");
        let degree = planted::<Degrees>(|layer| first(layer).0 |= 3);
        assert!(degree.contains("not a state"), "{degree}");
        let path = planted::<Degrees>(|layer| first(layer).0 = 1);
        assert!(path.contains("one end"), "{path}");
    }

    #[test]
    fn sanity_finds_a_state_in_another_part() {
        let (mut layer, step) = halfway::<Degrees>("6x8", 21);
        let parts = layer.parts.len();
        assert!(parts > 1);
        assert_eq!(layer.sanity::<Degrees>(&step), Ok(()));
        layer.parts.swap(0, parts - 1);
        let said = layer.sanity::<Degrees>(&step).unwrap_err();
        assert!(said.contains("another part"), "{said}");
    }
}
