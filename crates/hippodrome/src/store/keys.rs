//! Packed tours as sortable keys, collected in memory up to a limit.

/// A packed tour. Two tours are equal exactly if their keys are equal, and keys are ordered by the moves of
/// their tours.
pub(super) trait TourKey: Ord + Clone + Send + Sync + 'static {
    /// Makes a key from words.
    fn of(words: &[u64]) -> Self;
    /// Returns the words of the key.
    fn words(&self) -> &[u64];
}

impl<const W: usize> TourKey for [u64; W] {
    #[inline]
    fn of(words: &[u64]) -> [u64; W] {
        let mut key = [0; W];
        key.copy_from_slice(&words[..W]);
        key
    }

    #[inline]
    fn words(&self) -> &[u64] {
        self
    }
}

impl TourKey for Box<[u64]> {
    fn of(words: &[u64]) -> Box<[u64]> {
        words.into()
    }

    fn words(&self) -> &[u64] {
        self
    }
}

/// Evaluates an expression with the key type for the given number of words: short keys are stored inline,
/// longer keys on the heap.
macro_rules! with_key {
    ($words:expr, $Key:ident => $body:expr) => {
        match $words {
            1 => {
                type $Key = [u64; 1];
                $body
            }
            2 => {
                type $Key = [u64; 2];
                $body
            }
            3 => {
                type $Key = [u64; 3];
                $body
            }
            5 => {
                type $Key = [u64; 5];
                $body
            }
            _ => {
                type $Key = Box<[u64]>;
                $body
            }
        }
    };
}
pub(super) use with_key;

/// Returns the number of bytes of memory that a key of `words` words takes.
pub(super) fn key_bytes(words: usize) -> usize {
    with_key!(words, K => size_of::<K>())
        + if matches!(words, 1..=3 | 5) { 0 } else { 8 * words + 16 }
}

/// A buffer for the keys of one unit; duplicates are removed whenever it is full.
pub(super) struct KeyBuffer<K> {
    /// The keys; they are sorted and unique directly after [`KeyBuffer::settle`].
    pub(super) keys: Vec<K>,
    capacity: usize,
}

impl<K: TourKey> KeyBuffer<K> {
    /// Makes a buffer with room for `capacity` keys.
    pub(super) fn new(capacity: usize) -> KeyBuffer<K> {
        KeyBuffer { keys: Vec::new(), capacity: capacity.max(2) }
    }

    /// Adds a key, or returns it as an error if the buffer is full.
    #[inline]
    pub(super) fn push(&mut self, key: K) -> Result<(), K> {
        if self.keys.len() == self.keys.capacity() && !self.grow() {
            return Err(key);
        }
        self.keys.push(key);
        Ok(())
    }

    /// Doubles the allocated capacity, up to the limit; returns whether there is room now.
    fn grow(&mut self) -> bool {
        let room = (2 * self.keys.capacity()).clamp(1 << 10, self.capacity.max(1 << 10));
        if self.keys.len() >= room {
            return false;
        }
        self.keys.reserve_exact(room - self.keys.len());
        true
    }

    /// Sorts the keys and removes duplicates. Returns whether more than half of the capacity is free.
    pub(super) fn settle(&mut self) -> bool {
        self.keys.sort_unstable();
        self.keys.dedup();
        2 * self.keys.len() < self.keys.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_respects_its_limit_and_drops_duplicates() {
        for words in [1, 2, 3, 4, 5, 9] {
            with_key!(words, K => {
                let mut buffer = KeyBuffer::<K>::new(1 << 11);
                let mut n = 0u64;
                while buffer.push(K::of(&vec![n % 700; words])).is_ok() {
                    n += 1;
                }
                assert_eq!(n, 1 << 11);
                assert!(buffer.settle());
                assert_eq!(buffer.keys.len(), 700);
                assert!(buffer.keys.is_sorted());
                assert!(buffer.push(K::of(&vec![0; words])).is_ok());
            });
        }
        assert_eq!(key_bytes(3), 24);
        assert_eq!(key_bytes(7), 16 + 56 + 16);
    }
}
