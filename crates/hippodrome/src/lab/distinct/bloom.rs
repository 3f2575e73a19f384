//! The hashing scheme of the 2005 paper: H bitmaps, each with its own hash function.
//!
//! A tour sets one bit in every bitmap. If all bits of a candidate are already set, it counts as a duplicate.
//! So a new tour may be lost, but no tour is counted twice.
//!
//! Source: Hingston & Kendall 2005, Section 4.2, with H = 25 bitmaps of 12·2^20 bits. Cost: H hashes per tour
//! and H bitmaps of memory, however many tours there are. Limits: with m bits per bitmap, a new tour is lost
//! after n tours with probability (1 - e^(-n/m))^H; if n is much larger than m, nearly all new tours are
//! lost. Departures: 1. the paper does not name its hash functions; here they are XXH3 with H seeds.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The number and size of the bitmaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bloom {
    /// Number of bitmaps.
    pub hashes: usize,
    /// Number of bits per bitmap.
    pub bits: u64,
    /// Whether to keep an exact set as well, so that lost tours can be counted.
    pub measure: bool,
}

impl Default for Bloom {
    fn default() -> Bloom {
        Bloom { hashes: 25, bits: 12 << 20, measure: false }
    }
}

/// The bitmaps.
pub(crate) struct Bitmaps {
    maps: Vec<Vec<u64>>,
    bits: u64,
    bytes: Vec<u8>,
}

impl Bitmaps {
    /// Creates empty bitmaps.
    pub(crate) fn new(bloom: &Bloom) -> Bitmaps {
        let words = bloom.bits.div_ceil(64) as usize;
        Bitmaps { maps: vec![vec![0; words]; bloom.hashes], bits: bloom.bits, bytes: Vec::new() }
    }

    /// Sets the bits of a key; returns whether the key is new because one of them was not set.
    pub(crate) fn insert(&mut self, key: &[u64]) -> bool {
        self.bytes.clear();
        self.bytes.extend(key.iter().flat_map(|word| word.to_le_bytes()));
        let mut new = false;
        for (seed, map) in (0..).zip(&mut self.maps) {
            let bit = xxh3_64_with_seed(&self.bytes, seed) % self.bits;
            let (word, bit) = (&mut map[bit as usize / 64], 1 << (bit % 64));
            new |= *word & bit == 0;
            *word |= bit;
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tours_are_lost_as_often_as_the_formula_says() {
        let (n, m) = (50_000u64, 100_000u64);
        for hashes in [1, 2, 4, 8] {
            let mut maps = Bitmaps::new(&Bloom { hashes, bits: m, measure: false });
            let lost = (0..n).filter(|&i| !maps.insert(&[i, i * i])).count() as f64;
            let chance = |i| (1.0 - (-(i as f64) / m as f64).exp()).powi(hashes as i32);
            let expected: f64 = (0..n).map(chance).sum();
            assert!((lost - expected).abs() < 4.0 * expected.sqrt() + 1.0, "{lost} {expected}");
            assert!((0..n).all(|i| !maps.insert(&[i, i * i])));
        }
    }
}
