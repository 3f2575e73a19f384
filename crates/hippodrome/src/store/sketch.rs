//! An estimate of the number of distinct tours found so far, for progress bars, in 4 KB of memory.
//!
//! Source: Flajolet, Fusy, Gandouet & Meunier, "HyperLogLog", 2007, with its correction for small numbers.
//! The standard error is 1.6%. The estimate never affects results.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use xxhash_rust::xxh3::xxh3_64;

/// Number of registers.
pub(super) const REGISTERS: usize = 1 << 12;

/// An estimator whose registers are shared by all threads.
pub(super) struct Sketch(Box<[AtomicU8]>);

impl Default for Sketch {
    fn default() -> Sketch {
        Sketch((0..REGISTERS).map(|_| AtomicU8::new(0)).collect())
    }
}

impl Sketch {
    /// Counts a key, which may be a duplicate, in this sketch and in the shared sketch, if one is given.
    #[inline]
    pub(super) fn count(&self, key: &[u64], shared: Option<&Sketch>) {
        let mut bytes = [0; 64];
        let hash = if key.len() <= 8 {
            let words = bytes.chunks_exact_mut(8).zip(key);
            words.for_each(|(place, word)| place.copy_from_slice(&word.to_le_bytes()));
            xxh3_64(&bytes[..8 * key.len()])
        } else {
            xxh3_64(&key.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
        };
        let register = hash as usize % REGISTERS;
        let rank = (hash >> REGISTERS.ilog2()).leading_zeros() - REGISTERS.ilog2() + 1;
        if self.raise(register, rank as u8)
            && let Some(shared) = shared
        {
            shared.raise(register, rank as u8);
        }
    }

    /// Raises a register to a rank; returns false if it already has this rank or a higher one.
    fn raise(&self, register: usize, rank: u8) -> bool {
        let higher = self.0[register].load(Relaxed) < rank;
        if higher {
            self.0[register].fetch_max(rank, Relaxed);
        }
        higher
    }

    /// Merges the registers of another sketch.
    pub(super) fn add(&self, registers: &[u8]) {
        let ours = registers.iter().take(REGISTERS).enumerate();
        for (register, &rank) in ours {
            self.raise(register, rank);
        }
    }

    /// Returns the registers, for storage.
    pub(super) fn registers(&self) -> Vec<u8> {
        self.0.iter().map(|register| register.load(Relaxed)).collect()
    }

    /// Estimates the number of distinct keys.
    pub(super) fn estimate(&self) -> u64 {
        let m = REGISTERS as f64;
        let (mut sum, mut empty) = (0.0, 0.0);
        for register in &self.0 {
            let rank = register.load(Relaxed);
            sum += (-f64::from(rank)).exp2();
            empty += f64::from(u8::from(rank == 0));
        }
        let estimate = 0.7213 / (1.0 + 1.079 / m) * m * m / sum;
        let small = estimate <= 2.5 * m && empty > 0.0;
        (if small { m * (m / empty).ln() } else { estimate }) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_close_and_ignore_duplicates() {
        for n in [0, 10, 1000, 10_000, 1_000_000] {
            let (one, two, shared) = (Sketch::default(), Sketch::default(), Sketch::default());
            for key in 0..n {
                one.count(&[key, 7, key * key], Some(&shared));
                two.count(&[key, 7, key * key], None);
            }
            one.add(&two.registers());
            assert_eq!(shared.registers(), one.registers());
            let error = (one.estimate() as f64 - n as f64).abs();
            assert!(error <= 0.06 * n as f64, "{n}: {}", one.estimate());
        }
    }
}
