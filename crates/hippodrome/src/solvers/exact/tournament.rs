//! A tournament tree: tracks the vertex with the lowest rank, in logarithmic time per change.
//!
//! Of two vertices the lower rank wins, then the lower number. Each node of the tree stores the
//! winner below it, so a changed rank costs one walk upwards, which stops where nothing changes.

/// A tournament of vertices.
pub(super) struct Tournament {
    leaves: usize,
    nodes: Vec<u64>,
}

impl Tournament {
    /// Creates a tournament of the vertices with the given ranks.
    pub(super) fn new(ranks: impl ExactSizeIterator<Item = u32>) -> Tournament {
        let leaves = ranks.len().next_power_of_two();
        let mut nodes = vec![u64::MAX; 2 * leaves];
        for (v, rank) in ranks.enumerate() {
            nodes[leaves + v] = u64::from(rank) << 32 | v as u64;
        }
        for at in (1..leaves).rev() {
            nodes[at] = nodes[2 * at].min(nodes[2 * at + 1]);
        }
        Tournament { leaves, nodes }
    }

    /// Changes the rank of a vertex.
    pub(super) fn set(&mut self, v: u32, rank: u32) {
        let mut at = self.leaves + v as usize;
        let mut winner = u64::from(rank) << 32 | u64::from(v);
        while self.nodes[at] != winner {
            self.nodes[at] = winner;
            if at == 1 {
                return;
            }
            winner = winner.min(self.nodes[at ^ 1]);
            at /= 2;
        }
    }

    /// Returns the winner.
    pub(super) fn first(&self) -> u32 {
        self.nodes[1] as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn the_winner_is_the_least_after_any_change() {
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(5);
        for count in [1, 2, 3, 8, 37] {
            let mut ranks: Vec<u32> = (0..count).map(|_| rng.random_range(0..9)).collect();
            let mut tournament = Tournament::new(ranks.iter().copied());
            for _ in 0..200 {
                let least = (0..count).min_by_key(|&v| ranks[v]).unwrap();
                assert_eq!(tournament.first(), least as u32);
                let v = rng.random_range(0..count);
                ranks[v] = rng.random_range(0..9);
                tournament.set(v as u32, ranks[v]);
            }
        }
    }
}
