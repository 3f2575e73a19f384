//! One depth-first walk through a graph: finds its components, two colours and cut squares.
//!
//! Hopcroft & Tarjan (1973): `low` is the earliest square reachable from a subtree by one more move.
//! A child whose subtree reaches nothing earlier than its parent closes a *block*; the parent is
//! then a cut square, unless it is the root and has no other child. A block whose subtree closes no
//! other block is a *leaf*: it meets the rest in one square. The walk does not recurse: each square
//! stores its parent and the number of moves tried. Cost: linear; four `u32` and two bits per square.

use crate::board::{Graph, Neighbours, Square};
use fixedbitset::FixedBitSet;

/// The result of a walk.
pub(super) struct Connectivity {
    /// Number of connected components.
    pub(super) parts: u64,
    /// Number of squares in the root's component.
    pub(super) reached: u64,
    /// Sizes of the two colour classes, if every move changes colour.
    pub(super) classes: Option<[u64; 2]>,
    /// Which squares have the second colour.
    pub(super) second: FixedBitSet,
    /// The square whose removal leaves the most pieces, and the number of pieces (at least 2).
    pub(super) cut: Option<(Square, u32)>,
    /// Number of leaf blocks without the root's own (1 if the root's component is one block).
    pub(super) leaves: u32,
    /// A square of a leaf block that is not a cut square.
    pub(super) tip: Option<Square>,
}

/// The target of move number `k`, counting moves off the board.
enum NextMove {
    To(Square),
    Nowhere,
    NoMore,
}

fn branch(graph: &Graph, extra: Option<(Square, Square)>, v: Square, k: u32) -> NextMove {
    let index = k as usize;
    let count = match graph.neighbours(v) {
        Neighbours::File(targets) => {
            let targets = targets.as_slice();
            if let Some(&to) = targets.get(index) {
                return NextMove::To(to);
            }
            targets.len()
        }
        Neighbours::Leaper { .. } => {
            let count = graph.move_count().unwrap_or(0);
            if index < count {
                return graph.step(v, index).map_or(NextMove::Nowhere, NextMove::To);
            }
            count
        }
    };
    match extra {
        Some((s, e)) if index == count && v == s => NextMove::To(e),
        Some((s, e)) if index == count && v == e => NextMove::To(s),
        _ => NextMove::NoMore,
    }
}

/// Walks through the graph from `root`, then from every square not yet reached. The two squares of
/// `extra` count as adjacent; the colours are then unreliable.
pub(super) fn walk(graph: &Graph, root: Square, extra: Option<(Square, Square)>) -> Connectivity {
    let len = graph.len();
    let mut found = Connectivity {
        parts: 0,
        reached: 0,
        classes: Some([0, 0]),
        second: FixedBitSet::with_capacity(len),
        cut: None,
        leaves: 0,
        tip: None,
    };
    let mut search = LowPoints {
        marks: vec![Visit::default(); len],
        closed: FixedBitSet::with_capacity(len),
        clock: 0,
    };
    for from in std::iter::once(root).chain(graph.vertices()) {
        if search.marks[from.index()].seen == 0 {
            search.part(graph, from, extra, &mut found);
            found.parts += 1;
            if found.parts == 1 {
                found.reached = u64::from(search.clock);
            }
        }
    }
    found
}

/// The state of a square in a walk. Times count from 1; 0 marks an unseen square.
#[derive(Clone, Default)]
struct Visit {
    seen: u32,
    low: u32,
    parent: Square,
    tried: u32,
}

/// The tables of a walk.
struct LowPoints {
    marks: Vec<Visit>,
    /// Squares whose subtree has closed a block.
    closed: FixedBitSet,
    clock: u32,
}

impl LowPoints {
    fn enter(&mut self, v: Square, parent: Square) {
        self.clock += 1;
        self.marks[v.index()] = Visit { seen: self.clock, low: self.clock, parent, tried: 0 };
    }

    /// Walks through the component of `root`, which must be unseen.
    fn part(
        &mut self,
        graph: &Graph,
        root: Square,
        extra: Option<(Square, Square)>,
        found: &mut Connectivity,
    ) {
        // Blocks closed at the current square are counted when the walk leaves it; `pieces` holds the
        // nonzero counts of the squares on the way back to the root.
        let mut pieces: Vec<(Square, u32)> = Vec::new();
        self.enter(root, root);
        count(found, root);
        let mut v = root;
        loop {
            let here = v.index();
            let next = branch(graph, extra, v, self.marks[here].tried);
            self.marks[here].tried += 1;
            match next {
                NextMove::Nowhere => {}
                NextMove::To(u) if self.marks[u.index()].seen == 0 => {
                    self.enter(u, v);
                    found.second.set(u.index(), !found.second.contains(here));
                    count(found, u);
                    v = u;
                }
                NextMove::To(u) => {
                    if found.second.contains(u.index()) == found.second.contains(here) {
                        found.classes = None;
                    }
                    if u != self.marks[here].parent {
                        self.marks[here].low = self.marks[here].low.min(self.marks[u.index()].seen);
                    }
                }
                NextMove::NoMore => {
                    let closings = pieces.pop_if(|top| top.0 == v).map_or(0, |top| top.1);
                    let left = closings + u32::from(v != root);
                    if left >= 2 && found.cut.is_none_or(|(_, most)| left > most) {
                        found.cut = Some((v, left));
                    }
                    if v == root {
                        return;
                    }
                    v = self.leave(v, &mut pieces, found);
                }
            }
        }
    }

    /// Returns from `v` to its parent.
    fn leave(
        &mut self,
        v: Square,
        pieces: &mut Vec<(Square, u32)>,
        found: &mut Connectivity,
    ) -> Square {
        let parent = self.marks[v.index()].parent;
        let (child, up) = (v.index(), parent.index());
        self.marks[up].low = self.marks[up].low.min(self.marks[child].low);
        let closes = self.marks[child].low >= self.marks[up].seen;
        if closes {
            match pieces.last_mut() {
                Some(top) if top.0 == parent => top.1 += 1,
                _ => pieces.push((parent, 1)),
            }
            if !self.closed.contains(child) {
                found.leaves += 1;
                found.tip = Some(v);
            }
        }
        if closes || self.closed.contains(child) {
            self.closed.insert(up);
        }
        parent
    }
}

fn count(found: &mut Connectivity, v: Square) {
    let colour = usize::from(found.second.contains(v.index()));
    if let Some(classes) = &mut found.classes {
        classes[colour] += 1;
    }
}
