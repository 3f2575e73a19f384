//! Edges of graphs that imitate those of the FHCP challenge set.
//!
//! Most of them are a cycle through all vertices with added edges, so they have a Hamiltonian cycle.

use hippodrome::board::Square;
use hippodrome::board::generators::generate;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Edges between vertices numbered from 0.
pub type Edges = Vec<(u32, u32)>;

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn ring(vertices: u32) -> Edges {
    (0..vertices).map(|v| (v, (v + 1) % vertices)).collect()
}

/// Returns the edges of a graph of the library, such as `petersen:101,2`.
pub fn generated(text: &str) -> Edges {
    let graph = generate(text, None).expect("a graph");
    let later = |v: Square| graph.neighbours(v).filter(move |&w| w > v).map(move |w| (v, w));
    graph.vertices().flat_map(later).map(|(v, w)| (v.number(), w.number())).collect()
}

/// Adds one edge between two random vertices that are not adjacent.
pub fn with_edge(mut edges: Edges, seed: u64) -> Edges {
    let mut rng = rng(seed);
    let vertices = edges.iter().map(|&(u, v)| u.max(v) + 1).max().unwrap_or(0);
    loop {
        let (u, v) = (rng.random_range(0..vertices), rng.random_range(0..vertices));
        if u != v && !edges.contains(&(u, v)) && !edges.contains(&(v, u)) {
            edges.push((u, v));
            return edges;
        }
    }
}

/// Replaces every vertex of a cubic graph by a triangle. The new graph has a Hamiltonian cycle if and only if
/// the old one has.
pub fn truncated(edges: &Edges) -> Edges {
    let vertices = edges.len() / 3 * 2;
    let mut used = vec![0; vertices];
    let mut corner = |v: u32| {
        used[v as usize] += 1;
        3 * v + used[v as usize] - 1
    };
    let mut all: Edges = edges.iter().map(|&(u, v)| (corner(u), corner(v))).collect();
    for v in 0..vertices as u32 {
        all.extend([(3 * v, 3 * v + 1), (3 * v + 1, 3 * v + 2), (3 * v, 3 * v + 2)]);
    }
    all
}

/// Returns the graph with the most edges among graphs of n vertices, n even, with only one Hamiltonian cycle
/// (Sheehan 1977): a ring, with every odd vertex joined to all later vertices. Degrees are 2, 2, 3, 4 and so
/// on.
pub fn nested(vertices: u32) -> Edges {
    let later = |v: u32| (v + 2..vertices).map(move |w| (v, w));
    ring(vertices).into_iter().chain((1..vertices).step_by(2).flat_map(later)).collect()
}

/// Returns a cycle with chords between vertices near each other, and hubs joined to a large random share of
/// all vertices.
pub fn hubs(vertices: u32, hubs: u32, seed: u64) -> Edges {
    let mut rng = rng(seed);
    let mut edges = ring(vertices);
    for v in (0..vertices).step_by(2) {
        edges.push((v, (v + rng.random_range(3..40)) % vertices));
    }
    for hub in 0..hubs {
        let hub = hub * (vertices / hubs);
        let share = rng.random_range(0.05..0.5);
        edges.extend((0..vertices).filter(|_| rng.random_bool(share)).map(|v| (hub, v)));
    }
    distinct(edges)
}

/// Returns a cycle in which every third vertex has degree 2, with chords between the other vertices.
pub fn chains(vertices: u32, seed: u64) -> Edges {
    let mut rng = rng(seed);
    let vertices = vertices / 3 * 3;
    let mut edges = ring(vertices);
    for v in (0..vertices).filter(|v| !v.is_multiple_of(3)) {
        let span = if rng.random_bool(0.1) { vertices } else { 60.min(vertices) };
        let w = (v + rng.random_range(2..span)) % vertices;
        if !w.is_multiple_of(3) && rng.random_bool(0.6) {
            edges.push((v, w));
        }
    }
    distinct(edges)
}

/// Returns a cycle through cells of 17 vertices. One vertex per cell, the hub, has degree 14; nearly all
/// other vertices have degree 4. The hub is joined to 12 vertices of its cell, and chords join cells.
pub fn cells(cells: u32, seed: u64) -> Edges {
    const CELL: u32 = 17;
    let mut rng = rng(seed);
    let vertices = CELL * cells;
    let mut edges = ring(vertices);
    // The ends of chords that are still to be paired: one per vertex joined to a hub, two per other vertex.
    let mut ends = Vec::new();
    for hub in (0..vertices).step_by(CELL as usize) {
        let joined: Vec<u32> = (hub + 2..hub + 14).collect();
        edges.extend(joined.iter().map(|&v| (hub, v)));
        ends.extend(&joined);
        ends.extend([1, 14, 15, 16].map(|step| hub + step).into_iter().flat_map(|v| [v, v]));
    }
    // Shuffle only within windows, so that chords are short.
    for window in ends.chunks_mut(3 * CELL as usize) {
        window.shuffle(&mut rng);
    }
    edges.extend(ends.chunks_exact(2).map(|pair| (pair[0], pair[1])));
    distinct(edges)
}

fn distinct(edges: Edges) -> Edges {
    let ordered = edges.into_iter().map(|(u, v)| (u.min(v), u.max(v)));
    let mut edges: Edges = ordered.filter(|(u, v)| u != v).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}
