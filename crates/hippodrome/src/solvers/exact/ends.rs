//! Converts tours of a problem to Hamiltonian cycles of a slightly larger graph, and back.
//!
//! Open tours become cycles through an added apex, which is adjacent to every possible end square.
//! If the graph is bipartite with equal colour classes, the ends differ in colour: then there are
//! two apexes, one per colour, joined by an edge that every cycle uses. If the board has symmetries
//! and both ends are free, the search covers only tours that start on one chosen square of each
//! orbit; all other tours are images of these. An undirected tour between two orbits is found once,
//! from the earlier orbit.

use super::cover::{Dart, PathCover};
use super::factor::{Fate, tour_graph};
use crate::board::{Square, Symmetry};
use crate::problem::Problem;
use crate::search::Run;
use std::ops::ControlFlow;

/// Maximum number of squares of a board for which orbits are used; on larger boards, listing all tours is
/// infeasible. Chosen by hand.
const ORBITS_UP_TO: usize = 256;

/// Maximum number of squares of a board for which the fates of edges are computed: each augmenting path costs
/// O(edges). Chosen by hand.
const FATES_UP_TO: usize = 1 << 14;

/// Edges to take (`true`) or to exclude (`false`), in order.
pub(super) type Decisions = Vec<(Dart, bool)>;

/// The graph to search, and the meaning of its cycles.
pub(super) struct Model {
    pub(super) cover: PathCover,
    /// The parts of the search; together they contain every cycle once.
    pub(super) roots: Vec<Decisions>,
    /// Number of decisions at the beginning of every root that follow from the problem.
    pub(super) always: usize,
    open: bool,
    squares: Vec<Square>,
    start: Option<Square>,
    end: Option<Square>,
    orbits: Option<Orbits>,
}

/// The orbits of the squares under the symmetries of the board, larger ones first.
struct Orbits {
    /// Rank of each square's orbit.
    rank: Vec<u32>,
    /// The first square of each orbit.
    first: Vec<Square>,
    /// For each orbit, one symmetry per square: it maps the orbit's first square to that square.
    maps: Vec<Vec<Vec<Square>>>,
}

impl Orbits {
    fn new(problem: &Problem) -> Option<Orbits> {
        let graph = problem.graph();
        let free = !problem.is_closed() && problem.start().is_none() && problem.end().is_none();
        // A symmetry may map a required move to one that is not required.
        if !free || problem.is_constrained() || graph.order() > ORBITS_UP_TO {
            return None;
        }
        let all = Symmetry::maps(graph);
        if all.len() == 1 {
            return None;
        }
        let mut orbits: Vec<(Square, Vec<Vec<Square>>)> = Vec::new();
        for square in graph.vertices() {
            let at = |map: &Vec<Square>| map[square.index()];
            if all.iter().any(|map| at(map) < square) {
                continue;
            }
            let mut maps = all.clone();
            maps.sort_by_key(at);
            maps.dedup_by_key(|map| at(map));
            orbits.push((square, maps));
        }
        orbits.sort_by_key(|(_, maps)| std::cmp::Reverse(maps.len()));
        let mut rank = vec![0; graph.len()];
        for (index, (square, maps)) in orbits.iter().enumerate() {
            maps.iter().for_each(|map| rank[map[square.index()].index()] = index as u32);
        }
        let (first, maps) = orbits.into_iter().unzip();
        Some(Orbits { rank, first, maps })
    }

    /// Returns one set of decisions per orbit of possible ends: its first square is an end, and no
    /// square of an earlier orbit is. `ends` are the darts that make a square an end.
    fn roots(&self, always: &Decisions, ends: &[(Dart, Square)]) -> Vec<Decisions> {
        let root = |(rank, first): (u32, &Square)| {
            let &(dart, _) = ends.iter().find(|(_, square)| square == first)?;
            let before = ends.iter().filter(|(_, square)| self.rank[square.index()] < rank);
            let mut root = always.clone();
            root.push((dart, true));
            root.extend(before.map(|&(dart, _)| (dart, false)));
            Some(root)
        };
        (0..).zip(&self.first).filter_map(root).collect()
    }
}

/// The graph to search, under construction.
struct Outline {
    edges: Vec<[u32; 2]>,
    colour: Vec<u8>,
    /// Whether neighbours always differ in colour.
    proper: bool,
    /// Edges that every tour uses.
    taken: Vec<[u32; 2]>,
}

impl Outline {
    /// Joins the possible ends of an open tour to one or two apexes.
    fn join_ends(&mut self, order: usize, fixed: [Option<u32>; 2]) -> Option<()> {
        let (all, apex) = (0..order as u32, order as u32);
        let dark = self.colour.iter().filter(|&&c| c == 1).count();
        let fixed = fixed.into_iter().flatten();
        if self.proper && 2 * dark == order {
            for side in 0..2 {
                let on = |v: &u32| self.colour[*v as usize] == side;
                let mut ends = fixed.clone().filter(on);
                let end = ends.next();
                if ends.next().is_some() {
                    return None;
                }
                let may_end = |v: &u32| on(v) && end.is_none_or(|end| end == *v);
                let joined = all.clone().filter(may_end).map(|v| [v, apex + u32::from(side)]);
                self.edges.extend(joined);
            }
            self.edges.push([apex, apex + 1]);
            self.taken.push([apex, apex + 1]);
            self.colour.extend([1, 0]);
        } else {
            let major = u8::from(2 * dark > order);
            let may_end = |v: &u32| !self.proper || self.colour[*v as usize] == major;
            self.edges.extend(all.filter(may_end).map(|v| [v, apex]));
            self.taken.extend(fixed.map(|v| [v, apex]));
            self.colour.push(1 - major);
        }
        Some(())
    }

    /// Drops the edges that no 2-factor uses, and records those that every 2-factor uses.
    fn prune(&mut self) -> Option<()> {
        let drawn = tour_graph(self.colour.len(), std::mem::take(&mut self.edges))?;
        let mut left = Vec::with_capacity(drawn.ends.len());
        for (&edge, fate) in drawn.ends.iter().zip(drawn.fates(&self.colour)?) {
            left.extend((fate != Fate::Excluded).then_some(edge));
            self.taken.extend((fate == Fate::Taken).then_some(edge));
        }
        let left = tour_graph(self.colour.len(), left)?;
        left.colours()?;
        self.edges = left.ends;
        Some(())
    }
}

impl Model {
    /// Creates the model of a problem; `None` if there is obviously no tour.
    pub(super) fn new(problem: &Problem) -> Option<Model> {
        let graph = problem.graph();
        let squares: Vec<Square> = graph.vertices().collect();
        let order = squares.len();
        let mut number = vec![0; graph.len()];
        (0..).zip(&squares).for_each(|(v, &s)| number[s.index()] = v);
        let mut edges: Vec<[u32; 2]> = Vec::new();
        for (u, &s) in (0..).zip(&squares) {
            let later = graph.neighbours(s).map(|t| number[t.index()]).filter(|&v| u < v);
            edges.extend(later.map(|v| [u, v]));
        }
        let numbered = |&(s, t): &(Square, Square)| [number[s.index()], number[t.index()]];
        let forbidden: Vec<[u32; 2]> = problem.forbidden().iter().map(numbered).collect();
        if !forbidden.is_empty() {
            edges.retain(|edge| forbidden.binary_search(edge).is_err());
        }
        let drawn = tour_graph(order, edges)?;
        let (colour, proper) = drawn.colours()?;
        let dark = colour.iter().filter(|&&c| c == 1).count();
        let surplus = if proper { dark.abs_diff(order - dark) } else { 0 };
        if surplus > 1 || (problem.is_closed() && (surplus > 0 || order < 3)) {
            return None;
        }
        let mut outline = Outline { edges: drawn.ends, colour, proper, taken: Vec::new() };
        outline.taken.extend(problem.required().iter().map(numbered));
        let fixed = [problem.start(), problem.end()].map(|s| s.map(|s| number[s.index()]));
        match (problem.is_closed(), fixed) {
            (false, _) => outline.join_ends(order, fixed)?,
            (true, [Some(s), Some(e)]) => outline.taken.push([s.min(e), s.max(e)]),
            (true, _) => {}
        }
        if proper && order <= FATES_UP_TO {
            outline.prune()?;
        }
        let Outline { edges, colour, taken, .. } = outline;
        let decision = |edge| Some((2 * edges.iter().position(|e| e == edge)? as Dart, true));
        let root: Decisions = taken.iter().map(decision).collect::<Option<_>>()?;
        let cover = PathCover::new(order, colour.len(), &edges);
        #[cfg(debug_assertions)]
        crate::solvers::sanity::assert_sane(cover.sanity());
        let apex = order as u32;
        let end = |(at, &[v, w]): (Dart, &[u32; 2])| {
            (v < apex && w >= apex).then(|| (2 * at, squares[v as usize]))
        };
        let ends: Vec<_> = (0..).zip(&edges).filter_map(end).collect();
        let orbits = Orbits::new(problem);
        let roots = orbits.as_ref().map_or_else(|| vec![root.clone()], |o| o.roots(&root, &ends));
        let (start, end) = (problem.start(), problem.end());
        let always = root.len();
        Some(Model {
            cover,
            roots,
            always,
            open: !problem.is_closed(),
            squares,
            start,
            end,
            orbits,
        })
    }

    /// Returns the square of a vertex; `None` for an apex.
    pub(super) fn square(&self, vertex: u32) -> Option<Square> {
        self.squares.get(vertex as usize).copied()
    }

    /// Collects the squares along the chosen edges from `at`, in the direction away from `before`, until the
    /// path ends, reaches an apex or returns to its start.
    fn walk(&self, cover: &PathCover, mut before: u32, at: u32, path: &mut Vec<Square>) {
        path.clear();
        let mut next = Some(at);
        while let Some(here) = next.filter(|&v| cover.is_square(v)) {
            path.push(self.squares[here as usize]);
            next = cover.onward(before, here).filter(|&v| v != at);
            before = here;
        }
    }

    /// Finds the longest path of chosen edges. `other` is scratch space.
    pub(super) fn longest(
        &self,
        cover: &PathCover,
        path: &mut Vec<Square>,
        other: &mut Vec<Square>,
    ) {
        path.clear();
        for v in 0..self.squares.len() as u32 {
            let links = cover.links(v);
            let before = links.iter().copied().find(|&w| !cover.is_square(w)).unwrap_or(v);
            if links.len() == 1 || before != v {
                self.walk(cover, before, v, other);
                if other.len() > path.len() {
                    std::mem::swap(path, other);
                }
            }
        }
    }

    /// Claims the tours of a closed cycle. `path` and `image` are scratch space.
    pub(super) fn claim(
        &self,
        cover: &PathCover,
        run: &mut Run<'_>,
        path: &mut Vec<Square>,
        image: &mut Vec<Square>,
    ) -> ControlFlow<()> {
        let order = self.squares.len() as u32;
        let from = if self.open { order } else { order - 1 };
        let Some(&first) = cover.links(from).iter().find(|&&v| cover.is_square(v)) else {
            return ControlFlow::Continue(());
        };
        self.walk(cover, from, first, path);
        if self.open { self.claim_open(run, path, image) } else { self.claim_closed(run, path) }
    }

    fn claim_open(
        &self,
        run: &mut Run<'_>,
        path: &mut [Square],
        image: &mut Vec<Square>,
    ) -> ControlFlow<()> {
        let (first, last) = (path[0], path[path.len() - 1]);
        if let Some(orbits) = &self.orbits {
            let rank = |s: Square| orbits.rank[s.index()];
            let foreign = |s: Square| (rank(s), s != orbits.first[rank(s) as usize]);
            if foreign(first) > foreign(last) {
                path.reverse();
            }
            for map in &orbits.maps[rank(path[0]) as usize] {
                image.clear();
                image.extend(path.iter().map(|&s| map[s.index()]));
                run.claim(&image[..])?;
                if rank(first) != rank(last) {
                    image.reverse();
                    run.claim(&image[..])?;
                }
            }
            return ControlFlow::Continue(());
        }
        let backwards =
            self.start.is_some_and(|s| s != first) || self.end.is_some_and(|e| e != last);
        if !backwards {
            run.claim(&*path)?;
        }
        if backwards || (self.start.is_none() && self.end.is_none() && path.len() > 1) {
            path.reverse();
            run.claim(&*path)?;
        }
        ControlFlow::Continue(())
    }

    fn claim_closed(&self, run: &mut Run<'_>, path: &mut Vec<Square>) -> ControlFlow<()> {
        let order = path.len();
        for _ in 0..2 {
            path.truncate(order);
            path.reverse();
            let least = (0..order).min_by_key(|&at| path[at]).unwrap_or(0);
            path.rotate_left(least);
            path.extend_from_within(..);
            for tour in path.windows(order).take(order) {
                let fits = self.start.is_none_or(|s| tour[0] == s)
                    && self.end.is_none_or(|e| tour[order - 1] == e);
                if fits {
                    run.claim(tour)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
