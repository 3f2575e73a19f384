//! The plain program: Pósa rotations with restarts.
//!
//! A path is extended from its end to a random new neighbour. At a dead end, a random neighbour on the path
//! is chosen and the part of the path after it is reversed, which gives a new end. A full path is rotated
//! until its ends are adjacent. After too many rotations without progress the search restarts.

use super::Answer;
use hippodrome::board::{Graph, Square};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::{Duration, Instant};

/// Marks a vertex that is not on the path.
const FREE: usize = usize::MAX;

pub fn solve(graph: &Graph, limit: Duration) -> Answer {
    let begun = Instant::now();
    let vertices: Vec<Square> = graph.vertices().collect();
    let near: Vec<Vec<Square>> =
        Square::below(graph.len()).map(|v| graph.neighbours(v).collect()).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let patience = 1000 + 10 * vertices.len();
    loop {
        let mut place = vec![FREE; graph.len()];
        let first = vertices[rng.random_range(0..vertices.len())];
        let mut path = vec![first];
        place[first.index()] = 0;
        for rotation in 0..patience {
            if rotation % 16 == 0 && begun.elapsed() >= limit {
                return Answer::Undecided;
            }
            extend(&near, &mut path, &mut place, &mut rng);
            let (start, end) = (path[0], path[path.len() - 1]);
            if path.len() == vertices.len() && near[end.index()].contains(&start) {
                return Answer::Cycle(path);
            }
            let Some(pivot) = near[end.index()].choose(&mut rng) else { break };
            // A pivot next to the end changes nothing, so reverse the whole path instead.
            let pivot = place[pivot.index()];
            let from = if pivot + 2 == path.len() { 0 } else { pivot + 1 };
            path[from..].reverse();
            path[from..].iter().zip(from..).for_each(|(v, at)| place[v.index()] = at);
        }
    }
}

/// Extends the path from its end until every neighbour of the end is on it.
fn extend(
    near: &[Vec<Square>],
    path: &mut Vec<Square>,
    place: &mut [usize],
    rng: &mut Xoshiro256PlusPlus,
) {
    let mut free = Vec::<Square>::new();
    loop {
        let end = path[path.len() - 1];
        free.clear();
        free.extend(near[end.index()].iter().filter(|v| place[v.index()] == FREE));
        let Some(&next) = free.choose(rng) else { return };
        place[next.index()] = path.len();
        path.push(next);
    }
}
