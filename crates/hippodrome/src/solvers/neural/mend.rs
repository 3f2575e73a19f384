//! Gives every square its two moves where the network did not come to rest.
//!
//! Surplus moves are dropped. Then an alternating path from a square with too few moves to another
//! one, moves to be added and dropped in turn, gives both one more; it is found by breadth-first
//! search. On bipartite graphs, such as a knight's, this finds a 2-factor if there is one.
//! Source: Berge (1957), as for matchings. Cost: O(neurons) per path.

use super::net::{NONE, NeuralNet};
use crate::search::StopCheck;

struct Augmentation<'n> {
    net: &'n NeuralNet,
    patience: &'n StopCheck<'n>,
    on: Vec<bool>,
    degree: Vec<u8>,
    /// How a vertex came to lack a move: from which one, by which neuron added and which dropped.
    via: Vec<(u32, u32, u32)>,
}

/// The active neurons of a factor near the given ones; `None` if none is found, or it is told to
/// stop.
pub(super) fn mend(net: &NeuralNet, active: &[u32], patience: &StopCheck<'_>) -> Option<Vec<u32>> {
    let mut state = Augmentation {
        net,
        patience,
        on: vec![false; net.neurons()],
        degree: vec![0; net.vertices()],
        via: vec![(NONE, NONE, NONE); net.vertices()],
    };
    // Those that both of their vertices can use go first, the others are too many.
    for &neuron in active {
        let ends = net.ends[neuron as usize];
        if ends.iter().all(|&v| state.lacks(v)) {
            state.on[neuron as usize] = true;
            ends.iter().for_each(|&v| state.degree[v as usize] += 1);
        }
    }
    for v in 0..net.vertices() as u32 {
        while state.lacks(v) {
            state.augment(v)?;
        }
    }
    Some((0..net.neurons() as u32).filter(|&neuron| state.on[neuron as usize]).collect())
}

impl Augmentation<'_> {
    fn lacks(&self, v: u32) -> bool {
        self.degree[v as usize] < self.net.wants[v as usize]
    }

    /// Gives `root` and another vertex one more.
    fn augment(&mut self, root: u32) -> Option<()> {
        let mut queue = vec![root];
        let found = self.seek(root, &mut queue);
        // Only these were reached: a path is short, and the board may be large.
        queue.iter().for_each(|&v| self.via[v as usize] = (NONE, NONE, NONE));
        found
    }

    fn seek(&mut self, root: u32, queue: &mut Vec<u32>) -> Option<()> {
        let mut at = 0;
        while let Some(&here) = queue.get(at) {
            at += 1;
            for &(next, add) in self.net.arcs(here) {
                if self.on[add as usize] {
                    continue;
                }
                let twice =
                    next == root && self.degree[root as usize] + 1 == self.net.wants[root as usize];
                if self.lacks(next) && !twice {
                    if self.flip(root, here, next, add) {
                        return Some(());
                    }
                    continue;
                }
                let steps = self.net.arcs(next).len() as u64;
                if self.patience.spend(steps).is_break() {
                    return None;
                }
                for &(after, drop) in self.net.arcs(next) {
                    let new = after != root && self.via[after as usize].0 == NONE;
                    if self.on[drop as usize] && new {
                        self.via[after as usize] = (here, add, drop);
                        queue.push(after);
                    }
                }
            }
        }
        None
    }

    /// Takes the path found; `false` if it uses a neuron twice, as it can on graphs of odd cycles.
    fn flip(&mut self, root: u32, mut here: u32, last: u32, add: u32) -> bool {
        let mut changes = vec![add];
        while here != root {
            let (from, add, drop) = self.via[here as usize];
            changes.extend([add, drop]);
            here = from;
        }
        changes.sort_unstable();
        if changes.windows(2).any(|pair| pair[0] == pair[1]) {
            return false;
        }
        changes.iter().for_each(|&neuron| self.on[neuron as usize] ^= true);
        self.degree[root as usize] += 1;
        self.degree[last as usize] += 1;
        true
    }
}
