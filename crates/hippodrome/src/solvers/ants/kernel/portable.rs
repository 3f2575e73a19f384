//! The step of a group of eight ants in plain code.

use super::march::Random;
use super::stream::word;
use super::{Ants, EDGES, Field, LOW, MAX, STAY};

/// 2^-24: the distance of neighbouring random numbers.
pub(super) const GRAIN: f32 = 1.0 / (1 << 24) as f32;

/// Moves the ants of a group, but for those without weights before them, which are the answer.
#[inline(always)]
pub(super) fn group(
    field: &Field,
    ants: &mut Ants,
    group: usize,
    step: usize,
    random: &Random,
) -> u8 {
    let group = group % 8;
    let mut all_low = 0;
    for j in 0..8 {
        let first = usize::from(ants.first[group][j]);
        let (mut sum, mut sums) = (0.0, [0.0; 8]);
        for (k, total) in sums.iter_mut().enumerate() {
            let edge = (first + k) % EDGES;
            let free = ants.unvisited[group][j] >> (field.to[edge] / 8 % 64) & 1 == 1;
            sum += if free { field.weight[edge] } else { 0.0 };
            *total = sum;
        }
        let mark = sum * ((word(random, j) >> 8) as f32 * GRAIN);
        let lane = sums[..7].iter().filter(|&&sum| sum <= mark).count();
        let low = sum < LOW;
        let edge = (first + lane) as u16 + if low { STAY } else { 0 };
        let to = field.to[usize::from(edge) % (2 * EDGES)];
        ants.path[step % MAX][group][j] = edge;
        ants.first[group][j] = to;
        ants.unvisited[group][j] &= !(1 << (to / 8 % 64));
        all_low |= u8::from(low) << j;
    }
    all_low
}

/// Lays the pheromone of one step of a group.
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
