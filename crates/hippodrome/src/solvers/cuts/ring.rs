//! The graph whose Hamiltonian cycles are the tours of a problem, and the edges that are decided
//! before any search.
//!
//! Open tours are closed through added vertices. There is either one apex, adjacent to every square that may
//! be an end, or a chain: one end of the chain is adjacent to the squares that may be first, the other to the
//! squares that may be last. A vertex with only two edges left needs both: they are *forced*. If a vertex has
//! two forced edges, its other edges are removed. The edge between the two ends of a path of forced edges is
//! also removed, unless the path contains all vertices. Each removal may force other edges, until nothing
//! changes.

use crate::board::Square;
use crate::problem::{Edge, Problem};
use crate::solvers::two_factor::{NONE, TwoFactor};
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;

/// The graph in which to find Hamiltonian cycles.
pub(super) struct Ring {
    /// Number of vertices: the squares in order, then vertices that divide required edges, then vertices that
    /// close open tours.
    pub vertices: usize,
    /// The two vertices of each edge.
    pub edges: Vec<[u32; 2]>,
    squares: Vec<Square>,
    /// The first vertex that closes open tours.
    closing: usize,
}

impl Ring {
    pub fn new(problem: &Problem) -> Ring {
        let graph = problem.graph();
        let squares: Vec<Square> = graph.vertices().collect();
        let mut number = vec![NONE; graph.len()];
        for (index, square) in (0..).zip(&squares) {
            number[square.index()] = index;
        }
        let mut edges = Vec::new();
        for (index, &square) in (0..).zip(&squares) {
            let later = graph.neighbours(square).map(|n| number[n.index()]).filter(|&n| n > index);
            edges.extend(later.map(|n| [index, n]));
        }
        let numbered = |&(u, v): &Edge| [number[u.index()], number[v.index()]];
        let forbidden: HashSet<[u32; 2]> = problem.forbidden().iter().map(numbered).collect();
        edges.retain(|edge| !forbidden.contains(edge));
        let (vertices, closing) = (squares.len(), usize::MAX);
        let mut ring = Ring { vertices, edges, squares, closing };
        let ends = [problem.start(), problem.end()].map(|end| end.map(|s| number[s.index()]));
        let mut required: Vec<[u32; 2]> = problem.required().iter().map(numbered).collect();
        if let (true, [Some(start), Some(end)]) = (problem.is_closed(), ends) {
            required.push([start.min(end), start.max(end)]);
        }
        required.sort_unstable();
        required.dedup();
        required.into_iter().for_each(|edge| ring.require(edge));
        ring.closing = ring.vertices;
        if !problem.is_closed() {
            ring.close(ends);
        }
        ring
    }

    /// Adds the vertices that connect the last square of an open tour to the first. If every move changes
    /// colour, so do the new edges, and only squares of suitable colours may be ends.
    fn close(&mut self, ends: [Option<u32>; 2]) {
        let squares = self.squares.len() as u32;
        let colours = two_colours(self.vertices, &self.edges);
        let of = |colour: bool| -> Vec<u32> {
            let fits = |&v: &u32| colours.as_ref().is_none_or(|c| c[v as usize] == colour);
            (0..squares).filter(fits).collect()
        };
        // If both colours have equally many squares, the ends differ in colour; otherwise both have the more
        // frequent colour.
        let more = of(true).len() > of(false).len();
        let even = squares.is_multiple_of(2);
        let allowed: [Vec<u32>; 2] = match (&colours, ends) {
            (_, [Some(start), Some(end)]) => [vec![start], vec![end]],
            (None, [Some(one), None] | [None, Some(one)]) => {
                [vec![one], (0..squares).filter(|&v| v != one).collect()]
            }
            (None, [None, None]) => [(0..squares).collect(), Vec::new()],
            (Some(colours), [Some(one), None] | [None, Some(one)]) => {
                let others = of(colours[one as usize] != even);
                [vec![one], others.into_iter().filter(|&v| v != one).collect()]
            }
            (Some(_), [None, None]) if even => [of(false), of(true)],
            (Some(_), [None, None]) => [of(more), Vec::new()],
        };
        let first = self.vertices as u32;
        let [some, others] = allowed;
        self.add_vertex(some);
        if others.is_empty() {
            return;
        }
        // Add a chain of vertices with two edges each; its length keeps the colours alternating.
        self.add_vertex([first]);
        let chain = if colours.is_some() && even { 2 } else { 1 };
        for _ in 1..chain {
            self.add_vertex([self.vertices as u32 - 1]);
        }
        let last = self.vertices as u32 - 1;
        self.add_vertex(others.into_iter().chain([last]));
    }

    fn add_vertex(&mut self, near: impl IntoIterator<Item = u32>) {
        let new = self.vertices as u32;
        self.edges.extend(near.into_iter().map(|v| [v, new]));
        self.vertices += 1;
    }

    /// Divides an edge by two new vertices, so that every cycle uses it. If there is no such edge, adds a
    /// vertex without edges, so that no cycle exists.
    fn require(&mut self, edge: [u32; 2]) {
        let [a, b] = edge;
        let before = self.edges.len();
        self.edges.retain(|&other| other != edge);
        if self.edges.len() == before {
            return self.add_vertex([]);
        }
        // Add two vertices, so that colours still alternate.
        self.add_vertex([a]);
        self.add_vertex([b, self.vertices as u32 - 1]);
    }

    /// Numbers the edges at random, which makes searches depend on the seed.
    pub fn shuffle(&mut self, rng: &mut Xoshiro256PlusPlus) {
        self.edges.shuffle(rng);
    }

    /// Returns the squares of a tour.
    pub fn tour(&self, tour: &TwoFactor) -> Vec<Square> {
        // In an open tour, the last vertex lies between the last and the first square.
        let first = self.vertices - 1;
        let walk = tour.along(first as u32, tour.mates[first][0]);
        walk.iter().filter_map(|&v| self.squares.get(v as usize).copied()).collect()
    }

    /// Returns the square that the factor joins to `from` by the edge to `next`. A required move is divided by two
    /// added vertices.
    fn target(&self, factor: &TwoFactor, from: u32, next: u32) -> Option<u32> {
        let (mut before, mut here) = (from, next);
        while (self.squares.len()..self.closing).contains(&(here as usize)) {
            let [one, other] = factor.mates[here as usize];
            (before, here) = (here, if one == before { other } else { one });
        }
        ((here as usize) < self.squares.len()).then_some(here)
    }

    /// Returns the moves of a factor.
    pub fn moves(&self, factor: &TwoFactor) -> Vec<(Square, Square)> {
        let mut moves = Vec::with_capacity(self.squares.len());
        for (v, &square) in (0..).zip(&self.squares) {
            let targets = factor.mates[v as usize].into_iter();
            let targets = targets.filter_map(|next| self.target(factor, v, next));
            let later = targets.filter(|&to| to > v);
            moves.extend(later.map(|to| (square, self.squares[to as usize])));
        }
        moves
    }

    /// Returns the squares of a factor from the first square on, until the cycle closes or leaves the board.
    pub fn strand(&self, factor: &TwoFactor) -> Vec<Square> {
        let mut path = vec![self.squares[0]];
        let (mut here, mut next) = (0, Some(factor.mates[0][0]));
        while let Some(to) = next.and_then(|next| self.target(factor, here, next)) {
            if to == 0 {
                break;
            }
            path.push(self.squares[to as usize]);
            let back = factor.mates[to as usize];
            let came = |&v: &u32| v == here || self.target(factor, to, v) == Some(here);
            next = back.into_iter().find(|v| !came(v));
            here = to;
        }
        path
    }

    /// Returns the edges that a tour may use; `None` if there is no tour.
    pub fn reduce(&self) -> Option<Vec<u32>> {
        let mut reduction = Reduction::new(self);
        let mut waiting: Vec<u32> = (0..self.vertices as u32).collect();
        while let Some(v) = waiting.pop() {
            reduction.force_two(v, &mut waiting)?;
        }
        let kept = |&edge: &u32| reduction.state[edge as usize] != EdgeState::Removed;
        Some((0..self.edges.len() as u32).filter(kept).collect())
    }
}

/// Colours the vertices so that the ends of every edge differ in colour; `None` if that is impossible.
pub(super) fn two_colours(vertices: usize, edges: &[[u32; 2]]) -> Option<Vec<bool>> {
    let mut near = vec![Vec::new(); vertices];
    for &[a, b] in edges {
        near[a as usize].push(b);
        near[b as usize].push(a);
    }
    let mut colours = vec![None; vertices];
    let mut reached = Vec::new();
    for root in 0..vertices {
        if colours[root].is_none() {
            colours[root] = Some(false);
            reached.push(root);
        }
        while let Some(v) = reached.pop() {
            let other = colours[v].map(|colour: bool| !colour);
            for &w in &near[v] {
                match colours[w as usize] {
                    None => {
                        colours[w as usize] = other;
                        reached.push(w as usize);
                    }
                    same if same != other => return None,
                    _ => {}
                }
            }
        }
    }
    Some(colours.into_iter().map(|colour| colour == Some(true)).collect())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EdgeState {
    Free,
    Forced,
    Removed,
}

struct Reduction<'r> {
    ring: &'r Ring,
    near: Vec<Vec<(u32, u32)>>,
    state: Vec<EdgeState>,
    /// Number of remaining edges at each vertex, and of forced edges among them.
    degree: Vec<u32>,
    forced: Vec<u32>,
    /// For each end of a path of forced edges: the other end, and the number of vertices of the path.
    other_end: Vec<u32>,
    length: Vec<usize>,
}

impl Reduction<'_> {
    fn new(ring: &Ring) -> Reduction<'_> {
        let mut near = vec![Vec::new(); ring.vertices];
        for (edge, &[a, b]) in (0..).zip(&ring.edges) {
            near[a as usize].push((b, edge));
            near[b as usize].push((a, edge));
        }
        Reduction {
            ring,
            state: vec![EdgeState::Free; ring.edges.len()],
            degree: near.iter().map(|edges| edges.len() as u32).collect(),
            forced: vec![0; ring.vertices],
            other_end: (0..ring.vertices as u32).collect(),
            length: vec![1; ring.vertices],
            near,
        }
    }

    /// Forces the edges of a vertex that has only two; `None` if it has fewer.
    fn force_two(&mut self, v: u32, waiting: &mut Vec<u32>) -> Option<()> {
        match self.degree[v as usize] {
            0 | 1 => return None,
            2 => {}
            _ => return Some(()),
        }
        for index in 0..self.near[v as usize].len() {
            let (to, edge) = self.near[v as usize][index];
            if self.state[edge as usize] == EdgeState::Free {
                self.force(v, to, edge, waiting)?;
            }
        }
        Some(())
    }

    fn force(&mut self, v: u32, to: u32, edge: u32, waiting: &mut Vec<u32>) -> Option<()> {
        self.state[edge as usize] = EdgeState::Forced;
        for end in [v, to] {
            self.forced[end as usize] += 1;
            if self.forced[end as usize] > 2 {
                return None;
            }
        }
        let [a, b] = [v, to].map(|end| self.other_end[end as usize]);
        if a == to {
            // The edge closes a cycle.
            return (self.length[v as usize] == self.ring.vertices).then_some(());
        }
        let length = self.length[a as usize] + self.length[b as usize];
        for (end, other) in [(a, b), (b, a)] {
            self.other_end[end as usize] = other;
            self.length[end as usize] = length;
        }
        for end in [v, to] {
            if self.forced[end as usize] == 2 {
                self.remove_at(end, |_| true, waiting);
            }
        }
        if length < self.ring.vertices {
            // Scan the end with fewer edges: the other may be a hub.
            let fewer = |v: u32| self.near[v as usize].len();
            let (near, far) = if fewer(a) <= fewer(b) { (a, b) } else { (b, a) };
            self.remove_at(near, |other| other == far, waiting);
        }
        waiting.push(to);
        Some(())
    }

    /// Removes the free edges from a vertex to the vertices selected by `which`.
    fn remove_at(&mut self, v: u32, which: impl Fn(u32) -> bool, waiting: &mut Vec<u32>) {
        for index in 0..self.near[v as usize].len() {
            let (to, edge) = self.near[v as usize][index];
            if self.state[edge as usize] == EdgeState::Free && which(to) {
                self.state[edge as usize] = EdgeState::Removed;
                for end in [v, to] {
                    self.degree[end as usize] -= 1;
                    waiting.push(end);
                }
            }
        }
    }
}
