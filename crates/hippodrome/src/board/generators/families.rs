//! Families of graphs with simple rules.
//!
//! Sizes are computed in `u128`, so that no argument overflows. The lists of edges are made for sizes
//! within the limits only, where every number fits into a `u32`.

use super::GraphSize;

pub(super) type SizeResult = Result<GraphSize, &'static str>;

pub(super) fn sized(vertices: u128, edges: u128) -> SizeResult {
    Ok(GraphSize { vertices, edges })
}

/// Edges between successive vertices of a cycle from `first`.
fn ring(first: u32, length: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..length).map(move |at| (first + at, first + (at + 1) % length))
}

pub(super) fn petersen_size(values: &[u64]) -> SizeResult {
    let (n, k) = (u128::from(values[0]), u128::from(values[1]));
    if n < 3 || k < 1 || 2 * k >= n {
        return Err("N must be at least 3, and K at least 1 and less than half of N");
    }
    sized(2 * n, 3 * n)
}

/// An outer cycle, spokes, and inner edges from each vertex to the K-th after it.
pub(super) fn petersen(values: &[u64]) -> Vec<(u32, u32)> {
    let (n, k) = (values[0] as u32, values[1] as u32);
    let inner = (0..n).flat_map(|at| [(at, n + at), (n + at, n + (at + k) % n)]);
    ring(0, n).chain(inner).collect()
}

pub(super) fn cube_size(values: &[u64]) -> SizeResult {
    match values[0] {
        d @ 1..=63 => sized(1 << d, u128::from(d) << (d - 1)),
        _ => Err("D must be from 1 to 63"),
    }
}

/// An edge for each pair of numbers that differ in one bit.
pub(super) fn cube(values: &[u64]) -> Vec<(u32, u32)> {
    let bits = values[0] as u32;
    let rising = |v: u32| (0..bits).map(move |bit| (v, v | 1 << bit)).filter(|(u, v)| u != v);
    (0..1 << bits).flat_map(rising).collect()
}

pub(super) fn flower_size(values: &[u64]) -> SizeResult {
    let n = u128::from(values[0]);
    if n < 3 || n.is_multiple_of(2) {
        return Err("N must be odd and at least 3");
    }
    sized(4 * n, 6 * n)
}

/// N stars with three leaves; one leaf of each is on the short cycle, two are on the long one.
pub(super) fn flower(values: &[u64]) -> Vec<(u32, u32)> {
    let n = values[0] as u32;
    let stars = (0..n).flat_map(|at| [1, 2, 3].map(|leaf| (at, at + leaf * n)));
    stars.chain(ring(n, n)).chain(ring(2 * n, 2 * n)).collect()
}

pub(super) fn cycle_size(values: &[u64]) -> SizeResult {
    match values[0] {
        0..3 => Err("N must be at least 3"),
        n => sized(n.into(), n.into()),
    }
}

pub(super) fn cycle(values: &[u64]) -> Vec<(u32, u32)> {
    ring(0, values[0] as u32).collect()
}

pub(super) fn path_size(values: &[u64]) -> SizeResult {
    match values[0] {
        0 => Err("N must be at least 1"),
        n => sized(n.into(), u128::from(n) - 1),
    }
}

pub(super) fn path(values: &[u64]) -> Vec<(u32, u32)> {
    (1..values[0] as u32).map(|v| (v - 1, v)).collect()
}

pub(super) fn complete_size(values: &[u64]) -> SizeResult {
    match u128::from(values[0]) {
        0 => Err("N must be at least 1"),
        n => sized(n, n * (n - 1) / 2),
    }
}

/// All pairs of vertices in lexicographic order.
pub(super) fn pairs(order: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..order).flat_map(move |u| (u + 1..order).map(move |v| (u, v)))
}

pub(super) fn complete(values: &[u64]) -> Vec<(u32, u32)> {
    pairs(values[0] as u32).collect()
}

pub(super) fn bipartite_size(values: &[u64]) -> SizeResult {
    let (a, b) = (u128::from(values[0]), u128::from(values[1]));
    if a == 0 || b == 0 {
        return Err("A and B must be at least 1");
    }
    sized(a + b, a * b)
}

pub(super) fn bipartite(values: &[u64]) -> Vec<(u32, u32)> {
    let (a, b) = (values[0] as u32, values[1] as u32);
    (0..a).flat_map(|u| (a..a + b).map(move |v| (u, v))).collect()
}
