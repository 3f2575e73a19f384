//! Transition rules: the successors of a state, for paths that must form one cycle or for degrees alone.

use super::join::{Joiner, StateGroup};
use super::key::{FrontierKey, Linked, SlotState, StateKey, is_sound, link, place};
use super::pairing::{PAIRS, rank};
use super::program::{Decide, FrontierStep, SlotEdge};
use super::tally::SummedTally;
use std::marker::PhantomData;

/// The states of one kind of count, and their transitions.
pub(super) trait TransitionRule: Copy + Send + Sync + 'static {
    /// A packed state.
    type Key: StateKey;
    /// Largest number of slots.
    const SLOTS: usize;
    /// Returns the state before the first step and after the last.
    fn empty() -> Self::Key;
    /// Returns whether a key is the canonical encoding of a state.
    fn is_sound(key: Self::Key) -> bool;
    /// Returns the number of edges at the vertex in a slot.
    fn degree(key: Self::Key, slot: usize) -> u64;
    /// Adds the edge between two slots if allowed; the first has fewer than two edges.
    fn add(step: &FrontierStep, key: Self::Key, a: usize, b: usize) -> Option<Self::Key>;
    /// Removes the vertex from a slot.
    fn release(key: Self::Key, slot: usize) -> Self::Key;
    /// Returns the number that identifies the pairing of the vertices with one edge.
    fn number(key: Self::Key, slots: &[Option<usize>]) -> u32;
    /// Adds to `sum` the product of the tallies of every pair of states, one from each half, that together
    /// form a complete cycle or set of cycles. The degrees of the two groups are complementary.
    fn join<C: SummedTally>(
        joiner: &mut Joiner<'_, C>,
        degrees: u64,
        groups: (&StateGroup<C>, &StateGroup<C>),
        sum: &mut C::Sum,
    );

    /// Packs the degrees of the vertices in the given slots, two bits each; a missing slot has degree 0.
    #[inline]
    fn degrees(key: Self::Key, slots: &[Option<usize>]) -> u64 {
        slots.iter().enumerate().fold(0, |degrees, (index, slot)| match *slot {
            Some(slot) => degrees | Self::degree(key, slot) << (2 * index),
            None => degrees,
        })
    }

    /// Emits every successor of a state, with the weight of the chosen edges and the edges themselves.
    #[inline]
    fn follow(step: &FrontierStep, key: Self::Key, emit: &mut impl FnMut(Self::Key, i32, Chosen)) {
        // A vertex without undecided edges must have two edges; a vertex with one undecided edge, at least
        // one.
        let mut emit = |key, weight, chosen| {
            if step.spent.iter().all(|&slot| Self::degree(key, slot) == 2)
                && step.last.iter().all(|&slot| Self::degree(key, slot) > 0)
            {
                emit(key, weight, chosen);
            }
        };
        match &step.decide {
            Decide::Vertex { slot, forced, free, heir } => {
                let (slot, mut need) = (*slot, 2 - Self::degree(key, *slot));
                let (mut key, mut weight) = (key, 1);
                for branch in forced {
                    if need == 0 {
                        return;
                    }
                    let Some(next) = Self::add(step, key, slot, branch.slot) else { return };
                    (key, weight, need) = (next, weight * branch.weight, need - 1);
                }
                // If the edge to the heir is chosen, the slot stays the end of a path and now belongs to the
                // heir.
                if let Some(heir) = heir {
                    if need > 0 {
                        let weight = weight * heir.weight;
                        let heir = &mut |key, weight, chosen: Chosen| {
                            emit(key, weight, Chosen { heir: true, ..chosen });
                        };
                        choose::<Self>(step, (key, weight), slot, (free, need - 1), heir);
                    }
                    if heir.forced {
                        return;
                    }
                }
                let mut leave = |key, weight, chosen| {
                    emit(Self::release(key, slot), weight, chosen);
                };
                choose::<Self>(step, (key, weight), slot, (free, need), &mut leave);
            }
            Decide::Edge { ends: [a, b], weight, forced } => {
                if Self::degree(key, *a) < 2
                    && let Some(key) = Self::add(step, key, *a, *b)
                {
                    emit(key, *weight, Chosen::NOTHING);
                }
                if !forced {
                    emit(key, 1, Chosen::NOTHING);
                }
            }
        }
    }
}

/// Emits every way to add `need` edges, at most two, to the vertex in a slot.
#[inline(always)]
fn choose<R: TransitionRule>(
    step: &FrontierStep,
    (key, weight): (R::Key, i32),
    slot: usize,
    (free, need): (&[SlotEdge], u64),
    emit: &mut impl FnMut(R::Key, i32, Chosen),
) {
    let mut one_of = |from: usize, key, weight, other: Option<u8>| {
        for (index, branch) in free.iter().enumerate().skip(from) {
            if let Some(key) = R::add(step, key, slot, branch.slot) {
                let free = [other, Some(index as u8)];
                emit(key, weight * branch.weight, Chosen { free, heir: false });
            }
        }
    };
    match need {
        0 => emit(key, weight, Chosen::NOTHING),
        1 => one_of(0, key, weight, None),
        _ => {
            for (index, first) in free.iter().enumerate() {
                if let Some(key) = R::add(step, key, slot, first.slot) {
                    one_of(index + 1, key, weight * first.weight, Some(index as u8));
                }
            }
        }
    }
}

/// The edges that a vertex step chose, besides the forced ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    /// Positions of the chosen edges in the step's list of free edges, which has fewer entries than there are
    /// slots.
    pub free: [Option<u8>; 2],
    /// Whether the edge to the heir was chosen.
    pub heir: bool,
}

impl Chosen {
    const NOTHING: Chosen = Chosen { free: [None; 2], heir: false };
}

/// The rule for paths that must form one cycle.
#[derive(Clone, Copy)]
pub(super) struct Paths<K>(PhantomData<K>);

impl<K: FrontierKey> TransitionRule for Paths<K> {
    type Key = K;
    const SLOTS: usize = K::SLOTS;

    fn empty() -> K {
        K::bare()
    }

    fn is_sound(key: K) -> bool {
        is_sound(key)
    }

    #[inline(always)]
    fn degree(key: K, slot: usize) -> u64 {
        match place(key, slot) {
            SlotState::Bare => 0,
            SlotState::End(_) => 1,
            SlotState::Inner => 2,
        }
    }

    /// Adds an edge; a cycle may close only if it contains every vertex.
    #[inline(always)]
    fn add(step: &FrontierStep, key: K, a: usize, b: usize) -> Option<K> {
        match link(key, a, b) {
            Linked::Joined(key) => Some(key),
            Linked::Rejected => None,
            Linked::Closed(key) => {
                let slots = step.closing.as_ref()?;
                slots.iter().all(|&slot| Self::degree(key, slot) == 2).then_some(key)
            }
        }
    }

    #[inline(always)]
    fn release(key: K, slot: usize) -> K {
        key.set(slot, slot)
    }

    #[inline]
    fn number(key: K, slots: &[Option<usize>]) -> u32 {
        // `ends` maps the place of an end to its slot, `place_of` maps the slot to the place.
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

    fn join<C: SummedTally>(
        joiner: &mut Joiner<'_, C>,
        degrees: u64,
        groups: (&StateGroup<C>, &StateGroup<C>),
        sum: &mut C::Sum,
    ) {
        // Without path ends, no cycle passes through both halves.
        let ends = ends_among(degrees);
        if ends > 0 {
            joiner.join(ends / 2, groups, sum);
        }
    }
}

/// Returns how many of the packed degrees are 1.
pub(super) fn ends_among(degrees: u64) -> usize {
    (degrees & 0x5555_5555_5555_5555).count_ones() as usize
}

/// The rule for degrees alone: every vertex gets two edges, which may form several cycles. A key has two bits
/// per slot.
#[derive(Clone, Copy)]
pub(super) struct Degrees;

impl TransitionRule for Degrees {
    type Key = u64;
    const SLOTS: usize = 32;

    fn empty() -> u64 {
        0
    }

    fn is_sound(key: u64) -> bool {
        (0..Self::SLOTS).all(|slot| Self::degree(key, slot) <= 2)
    }

    #[inline(always)]
    fn degree(key: u64, slot: usize) -> u64 {
        key >> (2 * slot) & 3
    }

    #[inline(always)]
    fn add(_: &FrontierStep, key: u64, a: usize, b: usize) -> Option<u64> {
        (Self::degree(key, b) < 2).then(|| key + (1 << (2 * a)) + (1 << (2 * b)))
    }

    #[inline(always)]
    fn release(key: u64, slot: usize) -> u64 {
        key & !(3 << (2 * slot))
    }

    fn number(_: u64, _: &[Option<usize>]) -> u32 {
        0
    }

    fn join<C: SummedTally>(
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
