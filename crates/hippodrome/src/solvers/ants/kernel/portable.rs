//! The step of a group of eight ants, in plain code without vector instructions.

use super::march::RandomWords;
use super::stream::word;
use super::{Ants, EDGES, LOW, MAX, PheromoneField, RandomStream, STAY, march};

/// 2^-24, the distance between adjacent random numbers; this is the precision of f32.
pub(super) const GRAIN: f32 = 1.0 / (1 << 24) as f32;

/// Runs a whole cycle; see [`march::cycle`].
pub(super) fn cycle(field: &mut PheromoneField, ants: &mut Ants, stream: &mut RandomStream) {
    march::cycle(field, ants, stream, RandomStream::fill, choose, advance, lay);
}

/// Marks the current vertices of a group as visited and chooses an edge for each ant. Ants whose free edges
/// have no weight do not move; returns the set of these ants.
#[inline(always)]
pub(super) fn choose(
    field: &PheromoneField,
    ants: &mut Ants,
    group: usize,
    step: usize,
    random: &RandomWords,
) -> u8 {
    let group = group % 8;
    let (weights, to) = (field.weight.as_chunks::<8>().0, field.to.as_chunks::<8>().0);
    let mut all_low = 0;
    for j in 0..8 {
        let first = usize::from(ants.first[group][j]);
        let vertex = first / 8 % MAX;
        ants.unvisited[group][j] &= !(1 << vertex);
        let (weights, to) = (&weights[vertex], &to[vertex]);
        let unvisited = ants.unvisited[group][j];
        // Build the mask from the sign instead of branching: the branch would be unpredictable.
        let w: [f32; 8] = std::array::from_fn(|k| {
            let free = ((unvisited << (63 - to[k] / 8 % 64)) as i64 >> 63) as u32;
            f32::from_bits(weights[k].to_bits() & free)
        });
        let (sums, sum) = prefix_sums(w);
        let mark = sum * ((word(random, j) >> 8) as f32 * GRAIN);
        let lane = sums.iter().filter(|&&sum| sum <= mark).count();
        let low = sum < LOW;
        let edge = (first + lane) as u16 + if low { STAY } else { 0 };
        ants.path[step % MAX][group][j] = edge;
        all_low |= u8::from(low) << j;
    }
    all_low
}

/// Returns the sums of the first one, two, … seven weights, and the sum of all eight. The additions form
/// short chains in the same order as in the vector code, and a weight of 0 adds exactly nothing.
#[inline(always)]
pub(super) fn prefix_sums(w: [f32; 8]) -> ([f32; 7], f32) {
    let p1 = w[0] + w[1];
    let p3 = p1 + (w[2] + w[3]);
    let p5 = p3 + (w[4] + w[5]);
    ([w[0], p1, p1 + w[2], p3, p3 + w[4], p5, p5 + w[6]], p5 + (w[6] + w[7]))
}

/// Moves the ants of a group along the edges they have chosen.
#[inline(always)]
pub(super) fn advance(field: &PheromoneField, ants: &mut Ants, group: usize, step: usize) {
    let group = group % 8;
    for j in 0..8 {
        let edge = usize::from(ants.path[step % MAX][group][j]);
        ants.first[group][j] = field.to[edge % (2 * EDGES)];
    }
}

/// Deposits the pheromone of a group for one step.
#[inline(always)]
pub(super) fn lay(
    level: &mut [f64; 2 * EDGES],
    edges: &[u16; 8],
    moves: &[f64; 8],
    [slope, offset, now]: [f64; 3],
) {
    for (&edge, &moves) in edges.iter().zip(moves) {
        level[usize::from(edge) % (2 * EDGES)] +=
            if moves > now { slope * moves + offset } else { 0.0 };
    }
}
