//! What is known before any search: colours, connectivity, and edges that no 2-factor uses.
//!
//! A tour has two edges at every vertex: it is a 2-factor. In a bipartite graph 2-factors are
//! flows, so one is found by augmenting paths, and an edge is in all of them or in none exactly if
//! its ends lie in different strong components of the residual graph (Régin 1994). This settles the
//! closed tours of all boards with four rows: the edges that remain are not connected.

use std::collections::VecDeque;

/// The edges at each vertex.
pub(super) struct Incidence<'e> {
    edges: &'e [(u32, u32)],
    offsets: Vec<u32>,
    at: Vec<u32>,
}

/// What 2-factors say about an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// Some have it.
    Open,
    /// All have it.
    Taken,
    /// None has it.
    Excluded,
}

impl<'e> Incidence<'e> {
    /// The table of a graph.
    pub(super) fn new(order: usize, edges: &'e [(u32, u32)]) -> Incidence<'e> {
        let mut offsets = vec![0; order + 2];
        for &(u, v) in edges {
            offsets[u as usize + 2] += 1;
            offsets[v as usize + 2] += 1;
        }
        for v in 1..offsets.len() {
            offsets[v] += offsets[v - 1];
        }
        let mut at = vec![0; 2 * edges.len()];
        for (edge, &(u, v)) in (0..).zip(edges) {
            for end in [u, v] {
                let place = &mut offsets[end as usize + 1];
                at[*place as usize] = edge;
                *place += 1;
            }
        }
        Incidence { edges, offsets, at }
    }

    fn order(&self) -> usize {
        self.offsets.len() - 2
    }

    /// Edges at a vertex, with their other ends.
    fn around(&self, v: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        let range = self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize;
        self.at[range].iter().map(move |&edge| {
            let (a, b) = self.edges[edge as usize];
            (edge as usize, if a == v { b } else { a })
        })
    }

    /// A colour for each vertex, alternating along a search of the graph from vertex 0, and whether
    /// neighbours always differ. `None` if the graph is not connected.
    pub(super) fn colours(&self) -> Option<(Vec<u8>, bool)> {
        let mut colour = vec![u8::MAX; self.order()];
        let (mut seen, mut proper, mut next) = (vec![0], true, 0);
        colour[0] = 0;
        while let Some(&v) = seen.get(next) {
            next += 1;
            let other = 1 - colour[v as usize];
            for (_, w) in self.around(v) {
                if colour[w as usize] == u8::MAX {
                    colour[w as usize] = other;
                    seen.push(w);
                }
                proper &= colour[w as usize] == other;
            }
        }
        (seen.len() == self.order()).then_some((colour, proper))
    }

    /// The fates of the edges of a graph with two colours; `None` if it has no 2-factor.
    pub(super) fn fates(&self, colour: &[u8]) -> Option<Vec<Fate>> {
        let used = self.factor(colour)?;
        let part = self.parts(|v, edge| (colour[v as usize] == 0) != used[edge]);
        let fate = |(&(u, v), &used): (&(u32, u32), &bool)| match (
            part[u as usize] == part[v as usize],
            used,
        ) {
            (true, _) => Fate::Open,
            (false, true) => Fate::Taken,
            (false, false) => Fate::Excluded,
        };
        Some(self.edges.iter().zip(&used).map(fate).collect())
    }

    /// A 2-factor of a graph with two colours.
    fn factor(&self, colour: &[u8]) -> Option<Vec<bool>> {
        let mut used = vec![false; self.edges.len()];
        let mut degree = vec![0; self.order()];
        for (edge, &(u, v)) in self.edges.iter().enumerate() {
            if degree[u as usize] < 2 && degree[v as usize] < 2 {
                used[edge] = true;
                degree[u as usize] += 1;
                degree[v as usize] += 1;
            }
        }
        let mut reached = vec![(u32::MAX, 0, 0); self.order()];
        for (round, root) in (0..2 * self.order() as u32).map(|r| (r, r / 2)) {
            if colour[root as usize] != 0 || degree[root as usize] == 2 {
                continue;
            }
            // A shortest path that alternates between unused and used edges to a lacking vertex.
            let mut queue = VecDeque::from([root]);
            reached[root as usize].0 = round;
            let mut lacking = None;
            while let Some(v) = queue.pop_front() {
                if colour[v as usize] == 1 && degree[v as usize] < 2 {
                    lacking = Some(v);
                    break;
                }
                for (edge, w) in self.around(v) {
                    if (colour[v as usize] == 0) != used[edge] && reached[w as usize].0 != round {
                        reached[w as usize] = (round, edge, v);
                        queue.push_back(w);
                    }
                }
            }
            let mut here = lacking?;
            degree[here as usize] += 1;
            degree[root as usize] += 1;
            while here != root {
                let (_, edge, before) = reached[here as usize];
                used[edge] = !used[edge];
                here = before;
            }
        }
        (0..self.order()).all(|v| degree[v] == 2).then_some(used)
    }

    /// The strong components of the graph with its edges directed, `leaves(v, edge)` saying whether
    /// the edge leads away from `v` (Kosaraju).
    fn parts(&self, leaves: impl Fn(u32, usize) -> bool) -> Vec<u32> {
        let order = self.order() as u32;
        let (mut seen, mut done) = (vec![false; order as usize], Vec::new());
        for root in 0..order {
            if std::mem::replace(&mut seen[root as usize], true) {
                continue;
            }
            let mut stack = vec![(root, self.around(root))];
            while let Some((v, rest)) = stack.last_mut() {
                let v = *v;
                match rest.find(|&(edge, w)| leaves(v, edge) && !seen[w as usize]) {
                    Some((_, w)) => {
                        seen[w as usize] = true;
                        stack.push((w, self.around(w)));
                    }
                    None => {
                        done.push(v);
                        stack.pop();
                    }
                }
            }
        }
        let mut part = vec![u32::MAX; order as usize];
        for &root in done.iter().rev() {
            if part[root as usize] != u32::MAX {
                continue;
            }
            part[root as usize] = root;
            let mut stack = vec![root];
            while let Some(v) = stack.pop() {
                for (edge, w) in self.around(v) {
                    if !leaves(v, edge) && part[w as usize] == u32::MAX {
                        part[w as usize] = root;
                        stack.push(w);
                    }
                }
            }
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn fates_are_those_of_all_two_factors() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let (mut none, mut settled) = (0, 0);
        for round in 0..400 {
            let side = if round % 20 == 0 { 4 } else { 2 + round % 2 };
            let pairs = (0..side).flat_map(|u| (side..2 * side).map(move |v| (u, v)));
            let edges: Vec<(u32, u32)> = pairs.filter(|_| rng.random_bool(0.8)).collect();
            let colour: Vec<u8> = (0..2 * side).map(|v| u8::from(v >= side)).collect();
            let is_factor = |set: &u32| {
                let degree = |v| {
                    let at = |(i, &(a, b)): (usize, &(u32, u32))| {
                        set >> i & 1 == 1 && (a == v || b == v)
                    };
                    edges.iter().enumerate().filter(|e| at(*e)).count()
                };
                (0..2 * side).all(|v| degree(v) == 2)
            };
            let factors: Vec<u32> = (0..1 << edges.len()).filter(is_factor).collect();
            let expected = (!factors.is_empty()).then(|| {
                let fate = |i| match factors.iter().filter(|&&set| set >> i & 1 == 1).count() {
                    0 => Fate::Excluded,
                    n if n == factors.len() => Fate::Taken,
                    _ => Fate::Open,
                };
                (0..edges.len()).map(fate).collect::<Vec<_>>()
            });
            let found = Incidence::new(2 * side as usize, &edges).fates(&colour);
            assert_eq!(found, expected, "{edges:?}");
            none += u32::from(found.is_none());
            settled += u32::from(found.is_some_and(|f| f.contains(&Fate::Excluded)));
        }
        assert!(
            none > 20 && settled > 20,
            "{none} without a 2-factor, {settled} with excluded edges"
        );
    }
}
