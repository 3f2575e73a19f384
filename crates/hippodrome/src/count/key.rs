//! Frontier states packed into one or two words.
//!
//! Each slot of the frontier holds a slot number that encodes the state of its square. A *bare* square,
//! without an edge, holds the number of its own slot. The *end* of a path holds the slot of the other end,
//! which points back. An *inner* square, with two edges, holds the number of the next slot; that slot does
//! not point back, because only the two ends of a path point to each other. So "inner" needs no extra value,
//! and 16 slots fit into 64 bits. A slot without a square looks bare.

use std::fmt::Debug;

/// A packed state.
pub(super) trait StateKey: Copy + Ord + Send + Sync + Debug + 'static {
    /// A value that no state has.
    const NONE: Self;
    /// Returns a hash whose bits all depend on the whole key.
    fn hash(self) -> u64;
}

/// A packed state of paths.
pub(super) trait FrontierKey: StateKey {
    /// Number of slots.
    const SLOTS: usize;
    /// Returns the state with every slot bare.
    fn bare() -> Self;
    /// Returns the number that a slot holds.
    fn get(self, slot: usize) -> usize;
    /// Returns the key with another number in a slot.
    fn set(self, slot: usize, value: usize) -> Self;
}

/// Mixes a key so that every bit of the result depends on every bit of the key.
#[inline(always)]
pub(super) fn mix(key: u64) -> u64 {
    let product = u128::from(key ^ 0x2d35_8dcc_aa6c_78a5) * 0x9e37_79b9_7f4a_7c15_u128;
    (product >> 64) as u64 ^ product as u64
}

impl StateKey for u64 {
    // No state has this value: every slot of a path state would hold 15, and every degree would be 3.
    const NONE: u64 = u64::MAX;

    #[inline(always)]
    fn hash(self) -> u64 {
        mix(self)
    }
}

impl FrontierKey for u64 {
    const SLOTS: usize = 16;

    fn bare() -> u64 {
        0xfedc_ba98_7654_3210
    }

    #[inline(always)]
    fn get(self, slot: usize) -> usize {
        (self >> (4 * slot) & 15) as usize
    }

    #[inline(always)]
    fn set(self, slot: usize, value: usize) -> u64 {
        let at = 4 * slot;
        self & !(15 << at) | (value as u64) << at
    }
}

/// A key with 25 slots of five bits each. It consists of two words instead of a `u128`, so that a tally next
/// to it needs no padding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Wide {
    high: u64,
    low: u64,
}

impl Wide {
    #[inline(always)]
    fn whole(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    #[inline(always)]
    fn of(whole: u128) -> Wide {
        Wide { high: (whole >> 64) as u64, low: whole as u64 }
    }
}

impl StateKey for Wide {
    const NONE: Wide = Wide { high: u64::MAX, low: u64::MAX };

    #[inline(always)]
    fn hash(self) -> u64 {
        mix(self.low ^ mix(self.high))
    }
}

impl FrontierKey for Wide {
    const SLOTS: usize = 25;

    fn bare() -> Wide {
        Wide::of((0..25).fold(0, |key, slot| key | slot << (5 * slot)))
    }

    #[inline(always)]
    fn get(self, slot: usize) -> usize {
        (self.whole() >> (5 * slot) & 31) as usize
    }

    #[inline(always)]
    fn set(self, slot: usize, value: usize) -> Wide {
        let at = 5 * slot;
        Wide::of(self.whole() & !(31 << at) | (value as u128) << at)
    }
}

/// The state of one slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SlotState {
    Bare,
    /// The end of a path whose other end is in the given slot.
    End(usize),
    Inner,
}

/// Reads one slot.
#[inline(always)]
pub(super) fn place<K: FrontierKey>(key: K, slot: usize) -> SlotState {
    let other = key.get(slot);
    if other == slot {
        SlotState::Bare
    } else if key.get(other) == slot {
        SlotState::End(other)
    } else {
        SlotState::Inner
    }
}

/// Marks a slot as inner.
#[inline(always)]
pub(super) fn inner<K: FrontierKey>(key: K, slot: usize) -> K {
    key.set(slot, (slot + 1) % K::SLOTS)
}

/// Returns whether every slot is bare, the end of a path whose other end points back, or inner in its
/// canonical encoding.
pub(super) fn is_sound<K: FrontierKey>(key: K) -> bool {
    let fits = |slot| match place(key, slot) {
        SlotState::Inner => key.get(slot) == (slot + 1) % K::SLOTS,
        SlotState::Bare | SlotState::End(_) => true,
    };
    let numbers_fit = (0..K::SLOTS).all(|slot| key.get(slot) < K::SLOTS);
    key != K::NONE && numbers_fit && (0..K::SLOTS).all(fits)
}

/// The result of adding an edge to a state.
pub(super) enum Linked<K> {
    /// Two paths became one.
    Joined(K),
    /// A path became a cycle.
    Closed(K),
    /// An end of the edge already has two edges.
    Rejected,
}

/// Adds the edge between two slots.
#[inline(always)]
pub(super) fn link<K: FrontierKey>(key: K, a: usize, b: usize) -> Linked<K> {
    let far = |slot| match place(key, slot) {
        SlotState::Bare => Some(slot),
        SlotState::End(other) => Some(other),
        SlotState::Inner => None,
    };
    let (Some(far_a), Some(far_b)) = (far(a), far(b)) else { return Linked::Rejected };
    if far_b == a {
        return Linked::Closed(inner(inner(key, a), b));
    }
    let mut joined = key.set(far_a, far_b).set(far_b, far_a);
    if far_a != a {
        joined = inner(joined, a);
    }
    if far_b != b {
        joined = inner(joined, b);
    }
    Linked::Joined(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grows_and_closes<K: FrontierKey>() {
        let last = K::SLOTS - 1;
        let mut key = K::bare();
        let path = [last, 3, 0, 7, 1];
        for pair in path.windows(2) {
            let Linked::Joined(next) = link(key, pair[0], pair[1]) else { panic!("no path") };
            key = next;
        }
        assert_eq!(place(key, last), SlotState::End(1));
        assert_eq!(place(key, 1), SlotState::End(last));
        for slot in [3, 0, 7] {
            assert_eq!(place(key, slot), SlotState::Inner);
        }
        assert!(
            (0..K::SLOTS).filter(|&s| place(key, s) == SlotState::Bare).count() == K::SLOTS - 5
        );
        assert!(matches!(link(key, 2, 3), Linked::Rejected));
        let Linked::Closed(key) = link(key, last, 1) else { panic!("no cycle") };
        assert!(path.iter().all(|&slot| place(key, slot) == SlotState::Inner));
        assert_ne!(key, K::NONE);
    }

    #[test]
    fn paths_grow_and_close_in_every_key() {
        grows_and_closes::<u64>();
        grows_and_closes::<Wide>();
    }

    #[test]
    fn all_slots_inner_is_not_a_pairing() {
        let full = (0..16).fold(u64::bare(), inner);
        assert!((0..16).all(|slot| place(full, slot) == SlotState::Inner));
    }
}
