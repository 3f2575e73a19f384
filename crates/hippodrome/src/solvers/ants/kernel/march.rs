//! A cycle from evaporation to deposits, given how a group steps.

use super::{Ants, EDGES, End, FAINT, Field, GONE, MAX, Stream};

/// What a group does for one step of a cycle: field, ants, group, step, eight random words.
pub(super) type Random = [u64; 4];

/// A cycle of ants that stand on their start squares. `fill` draws random words, `group` moves the
/// ants of a group, `lay` lays the pheromone of one step of a group: see the portable ones.
#[inline(always)]
pub(super) fn cycle(
    field: &mut Field,
    ants: &mut Ants,
    stream: &mut Stream,
    fill: impl Fn(&mut Stream, &mut [Random]),
    group: impl Fn(&Field, &mut Ants, usize, usize, &Random),
    lay: impl Fn(&mut [f64; EDGES], &[u16; 8], &[f64; 8], [f64; 3]),
) {
    evaporate(field);
    let mut random = [[0; 4]; 8];
    for step in 0..field.n.min(MAX) {
        let groups = (ants.filled.count_ones() as usize).div_ceil(8).min(8);
        fill(stream, &mut random[..groups]);
        ants.stuck_now = 0;
        for (index, random) in random[..groups].iter().enumerate() {
            group(field, ants, index, step, random);
        }
        if ants.stuck_now > 0 {
            close_ranks(ants, step);
        }
    }
    deposit(field, ants, lay);
}

#[inline(always)]
fn evaporate(field: &mut Field) {
    let Field { level, weight, keep, .. } = field;
    for (level, weight) in level.iter_mut().zip(weight) {
        let value = *level * *keep;
        *level = if value < GONE { 0.0 } else { value };
        *weight = if value < FAINT { 0.0 } else { value } as f32;
    }
}

/// Ants that got stuck leave; the last ones take their slots.
#[inline(never)]
fn close_ranks(ants: &mut Ants, step: usize) {
    for &slot in ants.stuck[..ants.stuck_now.min(MAX)].iter().rev() {
        let (slot, last) = (usize::from(slot) % MAX, ants.filled.count_ones() as usize - 1);
        let last = last % MAX;
        ants.filled >>= 1;
        ants.first[slot / 8][slot % 8] = ants.first[last / 8][last % 8];
        ants.unvisited[slot / 8][slot % 8] = ants.unvisited[last / 8][last % 8];
        ants.ends[ants.ended % MAX] = End { moves: step as u8, slot: slot as u8, last: last as u8 };
        ants.ended += 1;
    }
}

/// Lays what the ants' moves have earned, from the last step to the first.
#[inline(always)]
fn deposit(
    field: &mut Field,
    ants: &Ants,
    lay: impl Fn(&mut [f64; EDGES], &[u16; 8], &[f64; 8], [f64; 3]),
) {
    // Of the ants in the slots; 0 in those not filled.
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
