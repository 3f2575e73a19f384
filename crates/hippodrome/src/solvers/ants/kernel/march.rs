//! One cycle, from evaporation to deposits, generic over the code that steps a group of eight ants.

use super::stream::word;
use super::{AntEnd, Ants, EDGES, FAINT, GONE, MAX, PheromoneField, RandomStream};

/// Eight random words; see [`word`](super::stream::word).
pub(super) type RandomWords = [u64; 4];

/// Runs one cycle; the ants must be on their start squares. `fill` draws random words. `choose` chooses edges
/// for a group and returns the ants that could not choose. `advance` moves the group. `lay` deposits the
/// pheromone of a group for one step; see `portable.rs`.
#[inline(always)]
pub(super) fn cycle(
    field: &mut PheromoneField,
    ants: &mut Ants,
    stream: &mut RandomStream,
    fill: impl Fn(&mut RandomStream, &mut [RandomWords]),
    choose: impl Fn(&PheromoneField, &mut Ants, usize, usize, &RandomWords) -> u8,
    advance: impl Fn(&PheromoneField, &mut Ants, usize, usize),
    lay: impl Fn(&mut [f64; 2 * EDGES], &[u16; 8], &[f64; 8], [f64; 3]),
) {
    evaporate(field);
    let mut random = [[0; 4]; 8];
    for step in 0..field.n.min(MAX) {
        let groups = (64 - ants.filled.leading_zeros() as usize).div_ceil(8).min(8);
        fill(stream, &mut random[..groups]);
        let mut low = 0;
        for (index, random) in random[..groups].iter().enumerate() {
            low |= u64::from(choose(field, ants, index, step, random)) << (8 * index);
        }
        // This loop is separate so that the processor can overlap several groups.
        for index in 0..groups {
            advance(field, ants, index, step);
        }
        low &= ants.filled;
        if low != 0 {
            rescue(field, ants, step, &random, low);
        }
    }
    deposit(field, ants, lay);
}

#[inline(always)]
fn evaporate(field: &mut PheromoneField) {
    let PheromoneField { level, weight, keep, .. } = field;
    for (level, weight) in level.iter_mut().zip(weight) {
        let value = *level * *keep;
        *level = if value < GONE { 0.0 } else { value };
        *weight = if value < FAINT { 0.0 } else { value } as f32;
    }
}

/// Handles the ants in the slots of `low`, whose free edges have almost no weight. An ant without a free edge
/// is stuck and leaves, and the last ant takes its slot. The other ants choose by pheromone.
#[inline(never)]
fn rescue(
    field: &PheromoneField,
    ants: &mut Ants,
    step: usize,
    random: &[RandomWords; 8],
    mut low: u64,
) {
    while low != 0 {
        // Go from the last slot to the first, so that an ant that moves into a slot has already
        // been handled.
        let slot = 63 - low.leading_zeros() as usize;
        low ^= 1 << slot;
        let (group, j) = (slot / 8, slot % 8);
        let first = usize::from(ants.first[group][j]) % EDGES;
        if ants.unvisited[group][j] & field.attacks[first / 8] != 0 {
            let edge =
                choose_faint(field, first, ants.unvisited[group][j], word(&random[group], j));
            let to = field.to[edge % EDGES];
            ants.path[step % MAX][group][j] = edge as u16;
            ants.first[group][j] = to;
            continue;
        }
        let last = (ants.filled.count_ones() as usize).saturating_sub(1) % MAX;
        ants.path[step % MAX][group][j] = first as u16;
        ants.filled >>= 1;
        ants.first[group][j] = ants.first[last / 8][last % 8];
        ants.unvisited[group][j] = ants.unvisited[last / 8][last % 8];
        ants.ends[ants.ended % MAX] =
            AntEnd { moves: step as u8, slot: slot as u8, last: last as u8 };
        ants.ended += 1;
    }
}

/// Chooses an edge for an ant whose free edges all have very little weight: by the f64 pheromone, or
/// uniformly if there is none.
#[cold]
fn choose_faint(field: &PheromoneField, first: usize, unvisited: u64, random: u32) -> usize {
    let is_free = |&edge: &usize| unvisited >> (field.to[edge] / 8 % 64) & 1 == 1;
    let free = || (first..first + 8).filter(is_free);
    let total: f64 = free().map(|edge| field.level[edge]).sum();
    let weight = |edge: usize| if total > 0.0 { field.level[edge] } else { 1.0 };
    let portion = f64::from(random) / (1_u64 << 32) as f64;
    let mut left = portion * free().map(weight).sum::<f64>();
    let mut chosen = first;
    for edge in free().filter(|&edge| weight(edge) > 0.0) {
        chosen = edge;
        if left < weight(edge) {
            break;
        }
        left -= weight(edge);
    }
    chosen
}

/// Adds the deposits of all moves, from the last step to the first.
#[inline(always)]
fn deposit(
    field: &mut PheromoneField,
    ants: &Ants,
    lay: impl Fn(&mut [f64; 2 * EDGES], &[u16; 8], &[f64; 8], [f64; 3]),
) {
    // Moves of the ant in each slot; 0 in empty slots.
    let mut moves = [[0.0; 8]; 8];
    let mut ends = ants.ends[..ants.ended.min(MAX)].iter().rev().peekable();
    let mut filled: usize = 0;
    for step in (0..field.n.min(MAX)).rev() {
        let now = step as f64;
        while let Some(end) = ends.next_if(|end| usize::from(end.moves) == step) {
            filled += 1;
            let (slot, last) = (usize::from(end.slot) % MAX, usize::from(end.last) % MAX);
            moves[last / 8][last % 8] = moves[slot / 8][slot % 8];
            moves[slot / 8][slot % 8] = now;
        }
        let rule = [field.deposit.slope[step], field.deposit.offset[step], now];
        for (edges, moves) in ants.path[step].iter().zip(&moves[..filled.div_ceil(8).min(8)]) {
            lay(&mut field.level, edges, moves, rule);
        }
    }
}
