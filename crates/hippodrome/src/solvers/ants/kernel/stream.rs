//! Draws eight random words at a time, from four parallel xoshiro256++ generators. Each of their 64-bit
//! outputs gives two 32-bit words. The code is plain; when compiled for AVX2 it becomes vector code.

use rand::Rng;

/// Four generators in parallel, stored as `state[word][generator]`.
#[derive(Clone)]
pub(in super::super) struct RandomStream {
    pub(super) state: [[u64; 4]; 4],
}

impl RandomStream {
    /// Creates four generators whose states, 1,024 bits in total, are drawn from another generator.
    pub(in super::super) fn new(rng: &mut impl Rng) -> RandomStream {
        let mut state = [[0; 4]; 4];
        for generator in 0..4 {
            for word in &mut state {
                word[generator] = rng.next_u64();
            }
            // The only state that the generator cannot leave.
            if state.iter().all(|word| word[generator] == 0) {
                state[0][generator] = 1;
            }
        }
        RandomStream { state }
    }

    /// Fills `out` with eight words per row; see [`word`].
    #[inline(always)]
    pub(super) fn fill(&mut self, out: &mut [[u64; 4]]) {
        let [mut a, mut b, mut c, mut d] = self.state;
        for out in out {
            *out = each(a, each(a, d, |a, d| a.wrapping_add(d).rotate_left(23)), u64::wrapping_add);
            let t = b;
            c = each(c, a, |c, a| c ^ a);
            d = each(d, b, |d, b| d ^ b);
            b = each(b, c, |b, c| b ^ c);
            a = each(a, d, |a, d| a ^ d);
            c = each(c, t, |c, t| c ^ t << 17);
            d = each(d, d, |d, _| d.rotate_left(45));
        }
        self.state = [a, b, c, d];
    }
}

#[inline(always)]
fn each(a: [u64; 4], b: [u64; 4], f: impl Fn(u64, u64) -> u64) -> [u64; 4] {
    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])]
}

/// Returns word `j` of a row.
#[inline(always)]
pub(super) fn word(row: &[u64; 4], j: usize) -> u32 {
    (row[j / 2 % 4] >> (32 * (j % 2))) as u32
}
