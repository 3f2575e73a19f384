//! Random regular graphs by the pairing model.
//!
//! Every vertex gets D ends, the ends are shuffled and paired. A pair that is a loop or repeats an edge
//! is exchanged with a random edge: (u,v) and (x,y) become (u,x) and (v,y) if both are new. The number
//! of such pairs is about D²/4 whatever N is, so the time is linear. If D is at least N/2, the graph is
//! the complement of one with a smaller degree. The result is nearly uniform, and connected with high
//! probability if D is at least 3; neither is enforced.

use super::GraphSize;
use super::families::pairs;
use hashbrown::HashSet;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Exchanges tried for one pair before the pairing is drawn again.
const TRIES: usize = 1000;

pub(super) fn size(values: &[u64]) -> Result<GraphSize, &'static str> {
    let (order, degree) = (u128::from(values[0]), u128::from(values[1]));
    if degree == 0 || degree >= order || !(order * degree).is_multiple_of(2) {
        return Err("D must be at least 1 and less than N, and one of them even");
    }
    Ok(GraphSize { vertices: order, edges: order * degree / 2 })
}

pub(super) fn edges(values: &[u64]) -> Vec<(u32, u32)> {
    let (order, degree) = (values[0] as u32, values[1] as u32);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(values[2]);
    let dense = degree >= order.div_ceil(2);
    let drawn = if dense { order - 1 - degree } else { degree };
    // A pairing without bad pairs has a positive probability, so this ends.
    let mut edges = loop {
        if let Some(edges) = paired(order, drawn, &mut rng) {
            break edges;
        }
    };
    if !dense {
        return edges;
    }
    edges.sort_unstable();
    let mut absent = edges.into_iter().peekable();
    pairs(order).filter(|pair| absent.next_if_eq(pair).is_none()).collect()
}

/// Returns a number below a bound.
fn below(bound: usize, rng: &mut impl Rng) -> usize {
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}

fn ordered(u: u32, v: u32) -> (u32, u32) {
    (u.min(v), u.max(v))
}

/// Draws a pairing and repairs it; `None` if no exchange is found.
fn paired(order: u32, degree: u32, rng: &mut impl Rng) -> Option<Vec<(u32, u32)>> {
    let mut ends: Vec<u32> =
        (0..order).flat_map(|v| std::iter::repeat_n(v, degree as usize)).collect();
    for last in (1..ends.len()).rev() {
        ends.swap(last, below(last + 1, rng));
    }
    let mut edges: Vec<(u32, u32)> =
        ends.chunks_exact(2).map(|pair| ordered(pair[0], pair[1])).collect();
    drop(ends);
    let mut present = HashSet::<_, foldhash::fast::FixedState>::with_capacity_and_hasher(
        edges.len(),
        Default::default(),
    );
    let is_bad =
        |edge: (u32, u32), present: &mut HashSet<_, _>| edge.0 == edge.1 || !present.insert(edge);
    let mut bad: Vec<usize> =
        (0..edges.len()).filter(|&at| is_bad(edges[at], &mut present)).collect();
    while let Some(&at) = bad.last() {
        let exchange = (0..TRIES).find_map(|_| {
            let (other, flip) = (below(edges.len(), rng), below(2, rng) == 1);
            let ((u, v), (x, y)) = (edges[at], edges[other]);
            let (x, y) = if flip { (y, x) } else { (x, y) };
            let (one, two) = (ordered(u, x), ordered(v, y));
            let new = u != x && v != y && one != two;
            let new = new && !present.contains(&one) && !present.contains(&two);
            (new && bad.binary_search(&other).is_err()).then_some((other, one, two))
        });
        let (other, one, two) = exchange?;
        present.remove(&edges[other]);
        present.extend([one, two]);
        (edges[at], edges[other]) = (one, two);
        bad.pop();
    }
    Some(edges)
}
