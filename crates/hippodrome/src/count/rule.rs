//! What may follow a state: paths that must become one cycle, or degrees alone.

use super::join::{Joiner, StateGroup};
use super::key::{FrontierKey, Linked, SlotState, link, mix, place};
use super::pairing::{PAIRS, rank};
use super::program::{Decide, FrontierStep, Heir, SlotEdge};
use super::tally::Tally;
use std::marker::PhantomData;

/// The states of one kind of count.
pub(super) trait TransitionRule: Copy + Send + Sync + 'static {
    /// A packed state.
    type Key: Copy + Eq + Ord + Send + Sync + 'static;
    /// Most slots of a state.
    const SLOTS: usize;
    /// A value that no state has.
    const NONE: Self::Key;
    /// Before the first step, and after the last.
    fn empty() -> Self::Key;
    /// Well mixed bits of a state.
    fn hash(key: Self::Key) -> u64;
    /// Every state that may follow a step, with the weight of the edges chosen.
    fn follow(step: &FrontierStep, key: Self::Key, emit: &mut impl FnMut(Self::Key, i32));
    /// How many edges the vertices in some slots have, two bits each; none where there is no slot.
    fn degrees(key: Self::Key, slots: &[Option<usize>]) -> u64;
    /// The number of the pairing of those with one edge.
    fn number(key: Self::Key, slots: &[Option<usize>]) -> u32;
    /// Adds up the products of states of two halves, of complementary degrees, that make a whole.
    fn join<C: Tally>(
        joiner: &mut Joiner<'_, C>,
        degrees: u64,
        groups: (&StateGroup<C>, &StateGroup<C>),
        sum: &mut C::Sum,
    );
}

/// Paths that must become one cycle.
#[derive(Clone, Copy)]
pub(super) struct Paths<K>(PhantomData<K>);

#[inline(always)]
fn holds<K: FrontierKey>(step: &FrontierStep, key: K) -> bool {
    step.spent.iter().all(|&slot| place(key, slot) == SlotState::Inner)
        && step.last.iter().all(|&slot| key.get(slot) != slot)
}

/// Adds an edge; a cycle may close only if it holds every vertex.
#[inline(always)]
fn add<K: FrontierKey>(step: &FrontierStep, key: K, a: usize, b: usize) -> Option<K> {
    match link(key, a, b) {
        Linked::Joined(key) => Some(key),
        Linked::Never => None,
        Linked::Closed(key) => {
            let slots = step.closing.as_ref()?;
            slots.iter().all(|&slot| place(key, slot) == SlotState::Inner).then_some(key)
        }
    }
}

impl<K: FrontierKey> Paths<K> {
    #[inline(always)]
    fn finish(step: &FrontierStep, key: K, weight: i32, emit: &mut impl FnMut(K, i32)) {
        if holds(step, key) {
            emit(key, weight);
        }
    }

    #[inline(always)]
    fn vertex(
        step: &FrontierStep,
        key: K,
        slot: usize,
        (forced, free, heir): (&[SlotEdge], &[SlotEdge], Option<Heir>),
        emit: &mut impl FnMut(K, i32),
    ) {
        let mut need = match place(key, slot) {
            SlotState::Bare => 2,
            SlotState::End(_) => 1,
            SlotState::Inner => 0,
        };
        let (mut key, mut weight) = (key, 1);
        for branch in forced {
            let Some(next) = add(step, key, slot, branch.slot).filter(|_| need > 0) else { return };
            (key, weight, need) = (next, weight * branch.weight, need - 1);
        }
        // The heir's edge leaves the slot as the end of a path, which is then the heir's.
        if let Some(heir) = heir.filter(|_| need > 0) {
            let weight = weight * heir.weight;
            if need == 1 {
                Self::finish(step, key, weight, emit);
            } else {
                for branch in free {
                    if let Some(key) = add(step, key, slot, branch.slot) {
                        Self::finish(step, key, weight * branch.weight, emit);
                    }
                }
            }
        }
        if heir.is_some_and(|heir| heir.forced) {
            return;
        }
        match need {
            0 => Self::finish(step, key.set(slot, slot), weight, emit),
            1 => {
                for branch in free {
                    if let Some(key) = add(step, key, slot, branch.slot) {
                        Self::finish(step, key.set(slot, slot), weight * branch.weight, emit);
                    }
                }
            }
            _ => {
                for (index, one) in free.iter().enumerate() {
                    let Some(key) = add(step, key, slot, one.slot) else { continue };
                    for other in &free[index + 1..] {
                        if let Some(key) = add(step, key, slot, other.slot) {
                            let weight = weight * one.weight * other.weight;
                            Self::finish(step, key.set(slot, slot), weight, emit);
                        }
                    }
                }
            }
        }
    }
}

impl<K: FrontierKey> TransitionRule for Paths<K> {
    type Key = K;
    const SLOTS: usize = K::SLOTS;
    const NONE: K = K::NONE;

    fn empty() -> K {
        K::bare()
    }

    #[inline(always)]
    fn hash(key: K) -> u64 {
        key.hash()
    }

    #[inline]
    fn follow(step: &FrontierStep, key: K, emit: &mut impl FnMut(K, i32)) {
        match &step.decide {
            Decide::Vertex { slot, forced, free, heir } => {
                Self::vertex(step, key, *slot, (forced, free, *heir), emit);
            }
            Decide::Edge { ends: [a, b], weight, forced } => {
                if let Some(key) = add(step, key, *a, *b) {
                    Self::finish(step, key, *weight, emit);
                }
                if !forced {
                    Self::finish(step, key, 1, emit);
                }
            }
        }
    }

    #[inline]
    fn degrees(key: K, slots: &[Option<usize>]) -> u64 {
        let mut degrees = 0;
        for (index, slot) in slots.iter().enumerate() {
            let Some(slot) = *slot else { continue };
            let degree = match place(key, slot) {
                SlotState::Bare => 0,
                SlotState::End(_) => 1,
                SlotState::Inner => 2,
            };
            degrees |= degree << (2 * index);
        }
        degrees
    }

    #[inline]
    fn number(key: K, slots: &[Option<usize>]) -> u32 {
        // Places of the ends by slot, and mates by place.
        let (mut ends, mut place_of, mut count) = ([0; 2 * PAIRS], [0; 32], 0);
        for &slot in slots.iter().flatten() {
            if let SlotState::End(_) = place(key, slot) {
                (ends[count], place_of[slot]) = (slot, count as u8);
                count += 1;
            }
        }
        let mut mates = [0; 2 * PAIRS];
        for (mate, &slot) in mates.iter_mut().zip(&ends[..count]) {
            *mate = place_of[key.get(slot)];
        }
        rank(&mates, count / 2)
    }

    fn join<C: Tally>(
        joiner: &mut Joiner<'_, C>,
        degrees: u64,
        groups: (&StateGroup<C>, &StateGroup<C>),
        sum: &mut C::Sum,
    ) {
        // Bits at even places: degree one. Without an end there is no cycle.
        let ends = (degrees & 0x5555_5555_5555_5555).count_ones() as usize;
        if ends > 0 {
            joiner.join(ends / 2, groups, sum);
        }
    }
}

/// Degrees alone: every vertex has two edges, and they may make many cycles. Two bits a slot.
#[derive(Clone, Copy)]
pub(super) struct Degrees;

#[inline(always)]
fn degree(key: u64, slot: usize) -> u64 {
    key >> (2 * slot) & 3
}

#[inline(always)]
fn more(key: u64, slot: usize) -> Option<u64> {
    (degree(key, slot) < 2).then(|| key + (1 << (2 * slot)))
}

impl Degrees {
    #[inline(always)]
    fn finish(step: &FrontierStep, key: u64, weight: i32, emit: &mut impl FnMut(u64, i32)) {
        if step.spent.iter().all(|&slot| degree(key, slot) == 2)
            && step.last.iter().all(|&slot| degree(key, slot) > 0)
        {
            emit(key, weight);
        }
    }
}

impl TransitionRule for Degrees {
    type Key = u64;
    const SLOTS: usize = 32;
    // Degree 3 does not occur.
    const NONE: u64 = u64::MAX;

    fn empty() -> u64 {
        0
    }

    #[inline(always)]
    fn hash(key: u64) -> u64 {
        mix(key)
    }

    #[inline]
    fn follow(step: &FrontierStep, key: u64, emit: &mut impl FnMut(u64, i32)) {
        match &step.decide {
            Decide::Vertex { slot, forced, free, heir } => {
                let need = 2 - degree(key, *slot);
                let mut key = key & !(3 << (2 * slot));
                let mut weight = 1;
                for branch in forced {
                    let Some(next) = more(key, branch.slot) else { return };
                    (key, weight) = (next, weight * branch.weight);
                }
                let Some(need) = need.checked_sub(forced.len() as u64) else { return };
                let heir_key = key | 1 << (2 * slot);
                let choices: [(u64, u64, i32, bool); 2] = [
                    (key, need, weight, heir.is_none_or(|heir| !heir.forced)),
                    match heir {
                        Some(h) if need > 0 => (heir_key, need - 1, weight * h.weight, true),
                        _ => (0, 0, 0, false),
                    },
                ];
                for (key, need, weight, allowed) in choices {
                    match need {
                        _ if !allowed => {}
                        0 => Self::finish(step, key, weight, emit),
                        1 => {
                            for branch in free {
                                if let Some(key) = more(key, branch.slot) {
                                    Self::finish(step, key, weight * branch.weight, emit);
                                }
                            }
                        }
                        _ => {
                            for (index, one) in free.iter().enumerate() {
                                let Some(key) = more(key, one.slot) else { continue };
                                for other in &free[index + 1..] {
                                    if let Some(key) = more(key, other.slot) {
                                        let weight = weight * one.weight * other.weight;
                                        Self::finish(step, key, weight, emit);
                                    }
                                }
                            }
                        }
                    }
                }
            }
            Decide::Edge { ends: [a, b], weight, forced } => {
                if let Some(key) = more(key, *a).and_then(|key| more(key, *b)) {
                    Self::finish(step, key, *weight, emit);
                }
                if !forced {
                    Self::finish(step, key, 1, emit);
                }
            }
        }
    }

    fn degrees(key: u64, slots: &[Option<usize>]) -> u64 {
        let at = |(index, slot): (usize, &Option<usize>)| {
            slot.map_or(0, |slot| degree(key, slot) << (2 * index))
        };
        slots.iter().enumerate().map(at).sum()
    }

    fn number(_: u64, _: &[Option<usize>]) -> u32 {
        0
    }

    fn join<C: Tally>(
        _: &mut Joiner<'_, C>,
        _: u64,
        (one, other): (&StateGroup<C>, &StateGroup<C>),
        sum: &mut C::Sum,
    ) {
        for (one, other) in one.iter().zip(other) {
            C::gather(sum, one.1, other.1);
        }
    }
}
