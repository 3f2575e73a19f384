//! Analysis before the search: colours, connectivity, and edges that no 2-factor uses.
//!
//! A tour has two edges at every vertex: it is a 2-factor. In a bipartite graph 2-factors are
//! flows, so augmenting paths find one. An edge belongs to all 2-factors or to none if and only if its ends
//! lie in different strong components of the residual graph (Régin 1994). This rules out closed tours on all
//! boards with four rows: the remaining edges are not connected.

use crate::search::StopCheck;
use crate::solvers::two_factor::FactorGraph;

/// Which of the 2-factors contain an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// Some contain it, but not all.
    Open,
    /// All contain it.
    Taken,
    /// None contains it.
    Excluded,
}

/// Creates a graph from edges, with target degree two at every vertex.
pub(super) fn tour_graph(order: usize, edges: Vec<[u32; 2]>) -> Option<FactorGraph> {
    FactorGraph::new(edges, vec![2; order], &StopCheck::endless()).continue_value()
}

impl FactorGraph {
    /// Colours the vertices alternately in a search from vertex 0; also returns whether neighbours always
    /// have different colours. Returns `None` if the graph is not connected.
    pub(super) fn colours(&self) -> Option<(Vec<u8>, bool)> {
        let mut colour = vec![u8::MAX; self.order()];
        let (mut seen, mut proper, mut next) = (vec![0], true, 0);
        colour[0] = 0;
        while let Some(&v) = seen.get(next) {
            next += 1;
            let other = 1 - colour[v as usize];
            for &(w, _) in self.arcs(v) {
                if colour[w as usize] == u8::MAX {
                    colour[w as usize] = other;
                    seen.push(w);
                }
                proper &= colour[w as usize] == other;
            }
        }
        (seen.len() == self.order()).then_some((colour, proper))
    }

    /// Returns the fates of the edges of a bipartite graph; `None` if it has no 2-factor.
    pub(super) fn fates(&self, colour: &[u8]) -> Option<Vec<Fate>> {
        let mut used = vec![false; self.ends.len()];
        let factor = self.factor_near(0..used.len() as u32, &StopCheck::endless())?;
        factor.iter().for_each(|&edge| used[edge as usize] = true);
        let part = self.parts(|v, edge| (colour[v as usize] == 0) != used[edge as usize]);
        let fate = |(ends, &used): (&[u32; 2], &bool)| match ends.map(|v| part[v as usize]) {
            [a, b] if a == b => Fate::Open,
            _ if used => Fate::Taken,
            _ => Fate::Excluded,
        };
        Some(self.ends.iter().zip(&used).map(fate).collect())
    }

    /// Computes the strong components of the directed graph (Kosaraju). `leaves(v, edge)` returns whether the
    /// edge is directed away from `v`.
    fn parts(&self, leaves: impl Fn(u32, u32) -> bool) -> Vec<u32> {
        let order = self.order() as u32;
        let (mut seen, mut done) = (vec![false; order as usize], Vec::new());
        for root in 0..order {
            if std::mem::replace(&mut seen[root as usize], true) {
                continue;
            }
            let mut stack = vec![(root, self.arcs(root).iter())];
            while let Some((v, rest)) = stack.last_mut() {
                let v = *v;
                match rest.find(|&&(w, edge)| leaves(v, edge) && !seen[w as usize]) {
                    Some(&(w, _)) => {
                        seen[w as usize] = true;
                        stack.push((w, self.arcs(w).iter()));
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
                for &(w, edge) in self.arcs(v) {
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
    fn fates_agree_with_all_two_factors() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let (mut none, mut settled) = (0, 0);
        for round in 0..400 {
            let side = if round % 20 == 0 { 4 } else { 2 + round % 2 };
            let pairs = (0..side).flat_map(|u| (side..2 * side).map(move |v| [u, v]));
            let edges: Vec<[u32; 2]> = pairs.filter(|_| rng.random_bool(0.8)).collect();
            let colour: Vec<u8> = (0..2 * side).map(|v| u8::from(v >= side)).collect();
            let is_factor = |set: &u32| {
                let degree = |v| {
                    let at =
                        |(i, ends): &(usize, &[u32; 2])| set >> i & 1 == 1 && ends.contains(&v);
                    edges.iter().enumerate().filter(at).count()
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
            let found = tour_graph(2 * side as usize, edges.clone()).unwrap().fates(&colour);
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
