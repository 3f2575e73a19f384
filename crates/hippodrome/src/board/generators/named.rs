//! Single graphs with a name, all without a Hamiltonian cycle.

use super::GraphSize;
use super::families::{pairs, petersen};

pub(super) fn coxeter_size(_: &[u64]) -> Result<GraphSize, &'static str> {
    Ok(GraphSize { vertices: 28, edges: 42 })
}

/// Its vertices are the triples from seven points that are not lines of the Fano plane; disjoint triples are
/// joined.
pub(super) fn coxeter(_: &[u64]) -> Vec<(u32, u32)> {
    let lines = [0, 1, 2, 3, 4, 5, 6]
        .map(|shift| [0, 1, 3].map(|point| 1u32 << ((point + shift) % 7)).iter().sum::<u32>());
    let triples: Vec<u32> = pairs(7)
        .flat_map(|(a, b)| (b + 1..7).map(move |c| 1 << a | 1 << b | 1 << c))
        .filter(|triple| !lines.contains(triple))
        .collect();
    let disjoint = |&(u, v): &(u32, u32)| triples[u as usize] & triples[v as usize] == 0;
    pairs(triples.len() as u32).filter(disjoint).collect()
}

pub(super) fn tutte_size(_: &[u64]) -> Result<GraphSize, &'static str> {
    Ok(GraphSize { vertices: 46, edges: 69 })
}

/// Tutte (1946): a centre and three fragments of 15 vertices.
pub(super) fn tutte(_: &[u64]) -> Vec<(u32, u32)> {
    #[rustfmt::skip]
    const LATER: [&[u32]; 44] = [
        &[1, 2, 3], &[4, 26], &[10, 11], &[18, 19], &[5, 33], &[6, 29], &[7, 27], &[8, 14],
        &[9, 38], &[10, 37], &[39], &[12, 39], &[13, 35], &[14, 15], &[34], &[16, 22],
        &[17, 44], &[18, 43], &[45], &[20, 45], &[21, 41], &[22, 23], &[40], &[24, 27],
        &[25, 32], &[26, 31], &[33], &[28], &[29, 32], &[30], &[31, 33], &[32],
        &[], &[], &[35, 38], &[36], &[37, 39], &[38], &[], &[],
        &[41, 44], &[42], &[43, 45], &[44],
    ];
    (0..).zip(LATER).flat_map(|(u, later)| later.iter().map(move |&v| (u, v))).collect()
}

pub(super) fn meredith_size(_: &[u64]) -> Result<GraphSize, &'static str> {
    Ok(GraphSize { vertices: 70, edges: 140 })
}

/// Meredith (1973): the Petersen graph with its spokes doubled and a complete bipartite graph of 4 and
/// 3 vertices in place of each vertex; each of the 4 takes one of the edges.
pub(super) fn meredith(_: &[u64]) -> Vec<(u32, u32)> {
    let inside = |group: u32| {
        let first = 7 * group;
        (0..4).flat_map(move |u| (4..7).map(move |v| (first + u, first + v)))
    };
    let mut edges: Vec<(u32, u32)> = (0..10).flat_map(inside).collect();
    let mut taken = [0; 10];
    let mut port = |group: u32| {
        let free = &mut taken[group as usize];
        *free += 1;
        7 * group + *free - 1
    };
    for (u, v) in petersen(&[5, 2]) {
        let spoke = v == u + 5;
        for _ in 0..if spoke { 2 } else { 1 } {
            edges.push((port(u), port(v)));
        }
    }
    edges
}
