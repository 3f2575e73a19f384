//! The step of a group of eight ants in plain code, and the rare cases of both paths.

use super::stream::word;
use super::{Ants, EDGES, Field, LOW, MAX};

/// 2^-24: the distance of neighbouring random numbers.
pub(super) const GRAIN: f32 = 1.0 / (1 << 24) as f32;

/// Moves the eight ants of a group, or notes that they are stuck.
#[inline(always)]
pub(super) fn group(field: &Field, ants: &mut Ants, group: usize, step: usize, random: &[u64; 4]) {
    let group = group % 8;
    let mut low = 0;
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
        ants.path[step % MAX][group][j] = (first + lane) as u16;
        low |= u8::from(sum < LOW) << j;
    }
    low &= (ants.filled >> (8 * group)) as u8;
    if low != 0 {
        rescue(field, ants, group, step, random, low);
    }
    for j in 0..8 {
        let to = field.to[usize::from(ants.path[step % MAX][group][j]) % EDGES];
        ants.first[group][j] = to;
        ants.unvisited[group][j] &= !(1 << (to / 8 % 64));
    }
}

/// Ants in `low` have no weight to speak of before them: either they have just got stuck, or all
/// their free edges are faint, and they choose by the pheromone itself; if that is gone, too,
/// uniformly.
#[cold]
#[inline(never)]
pub(super) fn rescue(
    field: &Field,
    ants: &mut Ants,
    group: usize,
    step: usize,
    random: &[u64; 4],
    mut low: u8,
) {
    let group = group % 8;
    while low != 0 {
        let j = low.trailing_zeros() as usize % 8;
        low &= low - 1;
        let first = usize::from(ants.first[group][j]) % EDGES;
        let unvisited = ants.unvisited[group][j];
        let row = first..first + 8;
        let is_free = |&edge: &usize| unvisited >> (field.to[edge] / 8 % 64) & 1 == 1;
        if unvisited & field.attacks[first / 8 % MAX] == 0 {
            ants.stuck[ants.stuck_now % MAX] = (8 * group + j) as u8;
            ants.stuck_now += 1;
            continue;
        }
        let free = row.clone().filter(is_free).count();
        let total: f64 = row.clone().filter(is_free).map(|edge| field.level[edge]).sum();
        let portion = f64::from(word(random, j)) / (1_u64 << 32) as f64;
        let mut left = portion * if total > 0.0 { total } else { free as f64 };
        let mut chosen = first;
        for edge in row.filter(is_free) {
            let weight = if total > 0.0 { field.level[edge] } else { 1.0 };
            if weight > 0.0 {
                chosen = edge;
                if left < weight {
                    break;
                }
                left -= weight;
            }
        }
        ants.path[step % MAX][group][j] = chosen as u16;
    }
}

/// Lays the pheromone of one step of a group.
#[inline(always)]
pub(super) fn lay(
    level: &mut [f64; EDGES],
    edges: &[u16; 8],
    moves: &[f64; 8],
    [slope, offset, now]: [f64; 3],
) {
    for (&edge, &moves) in edges.iter().zip(moves) {
        level[usize::from(edge) % EDGES] += if moves > now { slope * moves + offset } else { 0.0 };
    }
}
