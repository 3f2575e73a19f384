//! Numbers of edges that are dropped when a graph is built.

use crate::numerals::counted;
use std::fmt;

/// The numbers of loops and repeated edges that were dropped when a graph was built.
///
/// Undirected graphs are often written with every edge in both directions; in such a list, the second
/// direction does not count as a repetition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DroppedEdges {
    /// Number of edges from a vertex to itself.
    pub loops: u64,
    /// Number of repetitions of edges that were already listed.
    pub repeats: u64,
}

impl DroppedEdges {
    /// Counts the entries dropped from the list `listed`, which contains `different` distinct edges.
    pub(super) fn count(listed: &[(u32, u32)], different: usize) -> DroppedEdges {
        let loops = listed.iter().filter(|(u, v)| u == v).count();
        let kept = listed.len() - loops;
        let needed = if kept > different && both_ways(listed, different) {
            2 * different
        } else {
            different
        };
        DroppedEdges { loops: loops as u64, repeats: (kept - needed) as u64 }
    }

    /// Returns whether nothing was dropped.
    pub fn is_none(self) -> bool {
        self == DroppedEdges::default()
    }
}

/// Returns whether the list contains every edge in both directions.
fn both_ways(listed: &[(u32, u32)], different: usize) -> bool {
    let mut arcs: Vec<(u32, u32)> = listed.iter().filter(|(u, v)| u != v).copied().collect();
    arcs.sort_unstable();
    arcs.dedup();
    arcs.len() == 2 * different
}

/// Formats the numbers as `2 loops and 5 repeated edges`.
impl fmt::Display for DroppedEdges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let loops = counted(self.loops, "loop");
        let repeats = counted(self.repeats, "repeated edge");
        match (self.loops, self.repeats) {
            (0, _) => f.write_str(&repeats),
            (_, 0) => f.write_str(&loops),
            _ => write!(f, "{loops} and {repeats}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Csr;

    fn dropped(edges: &[(u32, u32)]) -> (u64, u64) {
        let names = (0..4).map(|n| n.to_string()).collect();
        let DroppedEdges { loops, repeats } = Csr::new("t".into(), names, edges).dropped();
        (loops, repeats)
    }

    #[test]
    fn both_directions_everywhere_are_no_repetition() {
        assert_eq!(dropped(&[(0, 1), (1, 2)]), (0, 0));
        assert_eq!(dropped(&[(0, 1), (1, 0), (1, 2), (2, 1)]), (0, 0));
        assert_eq!(dropped(&[(0, 1), (1, 0), (1, 2)]), (0, 1));
        assert_eq!(dropped(&[(0, 1), (0, 1), (1, 2), (1, 2)]), (0, 2));
        assert_eq!(dropped(&[(0, 1), (1, 0), (0, 1), (3, 3), (3, 3)]), (2, 1));
        assert_eq!(dropped(&[]), (0, 0));
    }

    #[test]
    fn the_numbers_are_said_in_words() {
        let said = |loops, repeats| DroppedEdges { loops, repeats }.to_string();
        assert_eq!(said(2, 5), "2 loops and 5 repeated edges");
        assert_eq!((said(1, 0), said(0, 1000)), ("1 loop".into(), "1,000 repeated edges".into()));
    }
}
