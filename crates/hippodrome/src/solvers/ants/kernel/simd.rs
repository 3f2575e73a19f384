//! The step of a group of eight ants for AVX2 and BMI2, with one ant per SIMD lane. It does the same
//! operations in the same order as the portable step, so it finds the same tours.

use super::march::RandomWords;
use super::portable::GRAIN;
use super::{Ants, EDGES, LOW, MAX, PheromoneField, RandomStream, STAY};
use std::arch::x86_64::*;

/// For every set of eight bits, the vector of masks that it selects.
#[repr(align(64))]
struct Masks([[u32; 8]; 256]);

static MASKS: Masks = Masks({
    let mut masks = [[0; 8]; 256];
    let mut i = 0;
    while i < 256 * 8 {
        masks[i / 8][i % 8] = if (i / 8) >> (i % 8) & 1 == 1 { u32::MAX } else { 0 };
        i += 1;
    }
    masks
});

/// Runs a whole cycle if this machine has the instructions, and returns whether it did; see
/// [`super::march::cycle`].
pub(super) fn cycle(
    field: &mut PheromoneField,
    ants: &mut Ants,
    stream: &mut RandomStream,
) -> bool {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2")) {
        return false;
    }
    // SAFETY: the features that the function needs were just detected.
    unsafe { detected(field, ants, stream) };
    true
}

#[target_feature(enable = "avx2,bmi2")]
fn detected(field: &mut PheromoneField, ants: &mut Ants, stream: &mut RandomStream) {
    super::march::cycle(
        field,
        ants,
        stream,
        |stream, out| fill(stream, out),
        |field, ants, group, step, random| choose(field, ants, group, step, random),
        |field, ants, group, step| advance(field, ants, group, step),
        |level, edges, moves, rule| lay(level, edges, moves, rule),
    );
}

/// Does the same as [`RandomStream::fill`].
#[inline]
#[target_feature(enable = "avx2")]
fn fill(stream: &mut RandomStream, out: &mut [RandomWords]) {
    // SAFETY: four words are 32 bytes.
    let load = |words: &[u64; 4]| unsafe { _mm256_loadu_si256(words.as_ptr().cast()) };
    // SAFETY: likewise.
    let store =
        |words: &mut [u64; 4], v| unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), v) };
    let [mut a, mut b, mut c, mut d] = stream.state.each_ref().map(load);
    for out in out {
        let sum = _mm256_add_epi64(a, d);
        let turned = _mm256_or_si256(_mm256_slli_epi64::<23>(sum), _mm256_srli_epi64::<41>(sum));
        store(out, _mm256_add_epi64(turned, a));
        let t = _mm256_slli_epi64::<17>(b);
        c = _mm256_xor_si256(c, a);
        d = _mm256_xor_si256(d, b);
        b = _mm256_xor_si256(b, c);
        a = _mm256_xor_si256(a, d);
        c = _mm256_xor_si256(c, t);
        d = _mm256_or_si256(_mm256_slli_epi64::<45>(d), _mm256_srli_epi64::<19>(d));
    }
    for (words, v) in stream.state.iter_mut().zip([a, b, c, d]) {
        store(words, v);
    }
}

/// Does the same as [`portable::lay`](super::portable::lay).
#[inline]
#[target_feature(enable = "avx2")]
fn lay(level: &mut [f64; 2 * EDGES], edges: &[u16; 8], moves: &[f64; 8], rule: [f64; 3]) {
    let [slope, offset, now] = rule.map(|x| _mm256_set1_pd(x));
    let mut amounts = [0.0; 8];
    for half in [0, 4] {
        // SAFETY: accesses four of eight numbers, from the first or the fifth on.
        unsafe {
            let moves = _mm256_loadu_pd(moves.as_ptr().add(half));
            let amount = _mm256_add_pd(_mm256_mul_pd(slope, moves), offset);
            let amount = _mm256_and_pd(amount, _mm256_cmp_pd::<_CMP_GT_OQ>(moves, now));
            _mm256_storeu_pd(amounts.as_mut_ptr().add(half), amount);
        }
    }
    for (edge, amount) in edges.iter().zip(&amounts) {
        // SAFETY: edges in paths are below `2 * EDGES`; see `choose`.
        unsafe {
            let edge = usize::from(std::ptr::read_volatile(edge));
            *level.get_unchecked_mut(edge) += amount;
        }
    }
}

/// Marks the current vertices of four ants as visited.
#[inline]
#[target_feature(enable = "avx2")]
fn visit(unvisited: &mut [u64], vertices: __m128i) {
    let here = _mm256_sllv_epi64(_mm256_set1_epi64x(1), _mm256_cvtepu16_epi64(vertices));
    let unvisited: &mut [u64; 4] = unvisited.try_into().expect("four of eight");
    // SAFETY: four words are 32 bytes.
    unsafe {
        let before = _mm256_loadu_si256(unvisited.as_ptr().cast());
        let after = _mm256_andnot_si256(here, before);
        _mm256_storeu_si256(unvisited.as_mut_ptr().cast(), after);
    }
}

/// Loads the weights of one ant's free edges.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
fn row(field: &PheromoneField, first: &u16, unvisited: &u64) -> __m256 {
    // SAFETY: first edges are multiples of 8 below `EDGES`; a square has 8 edges (`Kernel::new`
    // refuses more), so `free` is below 256; rows are 8 floats.
    unsafe {
        let first = usize::from(std::ptr::read_volatile(first));
        let unvisited = std::ptr::read_volatile(unvisited);
        let attacks = *field.attacks.as_ptr().byte_add(first);
        let free = _pext_u64(unvisited, attacks) as usize;
        let weights = _mm256_loadu_ps(field.weight.as_ptr().add(first));
        let mask = _mm256_loadu_ps(MASKS.0.as_ptr().add(free).cast());
        _mm256_and_ps(weights, mask)
    }
}

/// Does the same as [`portable::choose`](super::portable::choose).
#[inline]
#[target_feature(enable = "avx2,bmi2")]
fn choose(
    field: &PheromoneField,
    ants: &mut Ants,
    group: usize,
    step: usize,
    random: &RandomWords,
) -> u8 {
    let (group, step) = (group % 8, step % MAX);
    let (first, unvisited) = (&ants.first[group], &mut ants.unvisited[group]);
    // SAFETY: eight numbers of 2 bytes.
    let firsts = unsafe { _mm_loadu_si128(first.as_ptr().cast()) };
    // The numbers are already below 64; the explicit mask lets the compiler simplify the shifts.
    let vertices = _mm_and_si128(_mm_srli_epi16::<3>(firsts), _mm_set1_epi16(63));
    let (four, more) = unvisited.split_at_mut(4);
    visit(four, vertices);
    visit(more, _mm_srli_si128::<8>(vertices));
    let r = [
        row(field, &first[0], &unvisited[0]),
        row(field, &first[1], &unvisited[1]),
        row(field, &first[2], &unvisited[2]),
        row(field, &first[3], &unvisited[3]),
        row(field, &first[4], &unvisited[4]),
        row(field, &first[5], &unvisited[5]),
        row(field, &first[6], &unvisited[6]),
        row(field, &first[7], &unvisited[7]),
    ];
    let w = transpose(r);
    let p0 = w[0];
    // Use short chains in which a weight of 0 adds exactly nothing, as in the portable step.
    let p1 = _mm256_add_ps(w[0], w[1]);
    let p2 = _mm256_add_ps(p1, w[2]);
    let p3 = _mm256_add_ps(p1, _mm256_add_ps(w[2], w[3]));
    let p4 = _mm256_add_ps(p3, w[4]);
    let p5 = _mm256_add_ps(p3, _mm256_add_ps(w[4], w[5]));
    let p6 = _mm256_add_ps(p5, w[6]);
    let sum = _mm256_add_ps(p5, _mm256_add_ps(w[6], w[7]));
    // SAFETY: four words are 32 bytes.
    let random_vector = unsafe { _mm256_loadu_si256(random.as_ptr().cast()) };
    let portion = _mm256_cvtepi32_ps(_mm256_srli_epi32::<8>(random_vector));
    let mark = _mm256_mul_ps(sum, _mm256_mul_ps(portion, _mm256_set1_ps(GRAIN)));
    let below = |p| _mm256_castps_si256(_mm256_cmp_ps::<_CMP_LE_OQ>(p, mark));
    let add = |a, b| _mm256_add_epi32(a, b);
    let first_four = add(add(below(p0), below(p1)), add(below(p2), below(p3)));
    let lanes = add(first_four, add(add(below(p4), below(p5)), below(p6)));
    let edges = _mm256_sub_epi32(_mm256_cvtepu16_epi32(firsts), lanes);
    let low = _mm256_cmp_ps::<_CMP_LT_OQ>(sum, _mm256_set1_ps(LOW));
    let stay = _mm256_and_si256(_mm256_castps_si256(low), _mm256_set1_epi32(i32::from(STAY)));
    let edges = _mm256_add_epi32(edges, stay);
    let halves = (_mm256_castsi256_si128(edges), _mm256_extracti128_si256::<1>(edges));
    let edges = _mm_packus_epi32(halves.0, halves.1);
    // SAFETY: eight numbers of 2 bytes.
    unsafe { _mm_storeu_si128(ants.path[step][group].as_mut_ptr().cast(), edges) };
    _mm256_movemask_ps(low) as u8
}

/// Does the same as [`portable::advance`](super::portable::advance).
#[inline]
#[target_feature(enable = "avx2,bmi2")]
fn advance(field: &PheromoneField, ants: &mut Ants, group: usize, step: usize) {
    let (group, step) = (group % 8, step % MAX);
    let first = &mut ants.first[group];
    for (edge, first) in ants.path[step][group].iter().zip(first) {
        // SAFETY: an edge is a first edge plus a lane, plus possibly `STAY`, so it is below `2 *
        // EDGES`; `to` holds first edges. The access is volatile, because the compiler would
        // otherwise assemble vectors out of single numbers, which takes longer.
        unsafe {
            let edge = usize::from(std::ptr::read_volatile(edge));
            std::ptr::write_volatile(first, *field.to.get_unchecked(edge));
        }
    }
}

/// Transposes eight rows of eight numbers.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
fn transpose(r: [__m256; 8]) -> [__m256; 8] {
    let a = [
        _mm256_unpacklo_ps(r[0], r[1]),
        _mm256_unpackhi_ps(r[0], r[1]),
        _mm256_unpacklo_ps(r[2], r[3]),
        _mm256_unpackhi_ps(r[2], r[3]),
        _mm256_unpacklo_ps(r[4], r[5]),
        _mm256_unpackhi_ps(r[4], r[5]),
        _mm256_unpacklo_ps(r[6], r[7]),
        _mm256_unpackhi_ps(r[6], r[7]),
    ];
    let b = [
        _mm256_shuffle_ps::<0x44>(a[0], a[2]),
        _mm256_shuffle_ps::<0xee>(a[0], a[2]),
        _mm256_shuffle_ps::<0x44>(a[1], a[3]),
        _mm256_shuffle_ps::<0xee>(a[1], a[3]),
        _mm256_shuffle_ps::<0x44>(a[4], a[6]),
        _mm256_shuffle_ps::<0xee>(a[4], a[6]),
        _mm256_shuffle_ps::<0x44>(a[5], a[7]),
        _mm256_shuffle_ps::<0xee>(a[5], a[7]),
    ];
    [
        _mm256_permute2f128_ps::<0x20>(b[0], b[4]),
        _mm256_permute2f128_ps::<0x20>(b[1], b[5]),
        _mm256_permute2f128_ps::<0x20>(b[2], b[6]),
        _mm256_permute2f128_ps::<0x20>(b[3], b[7]),
        _mm256_permute2f128_ps::<0x31>(b[0], b[4]),
        _mm256_permute2f128_ps::<0x31>(b[1], b[5]),
        _mm256_permute2f128_ps::<0x31>(b[2], b[6]),
        _mm256_permute2f128_ps::<0x31>(b[3], b[7]),
    ]
}
