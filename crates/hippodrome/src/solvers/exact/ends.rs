//! Tours of a problem as Hamiltonian cycles of a slightly larger graph, and back.
//!
//! Open tours become cycles through an added apex joined to every square a tour may end on. Where
//! squares can be coloured like a chessboard and both colours are equally frequent, the ends differ
//! in colour: then there are two apexes, one a colour, joined by an edge that every cycle uses.
//! Where a board has symmetries and both ends are free, it is enough to look for tours that start on
//! one square of each orbit; their images are all others. An undirected tour between two orbits is
//! looked for from the one that comes first.

use super::cover::{Arc, Cover};
use crate::board::Square;
use crate::problem::Problem;
use crate::run::Run;
use crate::symmetry::Symmetry;
use std::ops::ControlFlow;

/// Orbits are used up to this many squares; beyond, nobody lists all tours.
const ORBITS_UP_TO: usize = 256;

/// Edges to take (`true`) or to exclude, one after the other.
pub(super) type Decisions = Vec<(Arc, bool)>;

/// The graph to be searched, and what its cycles mean.
pub(super) struct Model {
    pub(super) cover: Cover,
    /// The parts of the search: together they hold every cycle once.
    pub(super) roots: Vec<Decisions>,
    pub(super) apex: Option<u32>,
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
    /// For each orbit, one symmetry for each of its squares.
    maps: Vec<Vec<Vec<Square>>>,
}

impl Orbits {
    fn new(problem: &Problem) -> Option<Orbits> {
        let graph = problem.graph();
        let free = !problem.is_closed() && problem.start().is_none() && problem.end().is_none();
        if !free || graph.order() > ORBITS_UP_TO {
            return None;
        }
        let all = Symmetry::maps(graph);
        if all.len() == 1 {
            return None;
        }
        let mut orbits: Vec<(Square, Vec<Vec<Square>>)> = Vec::new();
        for square in graph.vertices() {
            let at = |map: &Vec<Square>| map[square as usize];
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
            maps.iter().for_each(|map| rank[map[*square as usize] as usize] = index as u32);
        }
        let (first, maps) = orbits.into_iter().unzip();
        Some(Orbits { rank, first, maps })
    }

    /// For each orbit with an end of a tour: its first square is an end, no square of an orbit
    /// before it is one. `ends` are the arcs that make a square an end.
    fn roots(&self, always: &Decisions, ends: &[(Arc, Square)]) -> Vec<Decisions> {
        let root = |(rank, first): (u32, &Square)| {
            let &(arc, _) = ends.iter().find(|(_, square)| square == first)?;
            let before = ends.iter().filter(|(_, square)| self.rank[*square as usize] < rank);
            let mut root = always.clone();
            root.push((arc, true));
            root.extend(before.map(|&(arc, _)| (arc, false)));
            Some(root)
        };
        (0..).zip(&self.first).filter_map(root).collect()
    }
}

/// The neighbours of each vertex in one table.
struct Table {
    offsets: Vec<usize>,
    targets: Vec<u32>,
}

impl Table {
    fn of(&self, v: u32) -> &[u32] {
        &self.targets[self.offsets[v as usize]..self.offsets[v as usize + 1]]
    }

    /// A colour for each vertex, alternating along a search of the graph from vertex 0, and whether
    /// neighbours always differ. `None` if the search does not reach every vertex.
    fn colours(&self) -> Option<(Vec<u8>, bool)> {
        let order = self.offsets.len() - 1;
        let mut colour = vec![u8::MAX; order];
        let (mut seen, mut proper) = (vec![0], true);
        colour[0] = 0;
        let mut next = 0;
        while let Some(&v) = seen.get(next) {
            next += 1;
            let other = 1 - colour[v as usize];
            for &w in self.of(v) {
                if colour[w as usize] == u8::MAX {
                    colour[w as usize] = other;
                    seen.push(w);
                }
                proper &= colour[w as usize] == other;
            }
        }
        (seen.len() == order).then_some((colour, proper))
    }
}

impl Model {
    /// The model of a problem; `None` if connectivity or colours already rule tours out.
    pub(super) fn new(problem: &Problem) -> Option<Model> {
        let graph = problem.graph();
        let squares: Vec<Square> = graph.vertices().collect();
        let mut number = vec![0; graph.len()];
        (0..).zip(&squares).for_each(|(v, &s)| number[s as usize] = v);
        let mut table = Table { offsets: vec![0], targets: Vec::new() };
        for &s in &squares {
            table.targets.extend(graph.neighbours(s).map(|t| number[t as usize]));
            table.offsets.push(table.targets.len());
        }
        let order = squares.len();
        let all = 0..order as u32;
        let (colour, proper) = table.colours()?;
        let dark = colour.iter().filter(|&&c| c == 1).count();
        let surplus = if proper { dark.abs_diff(order - dark) } else { 0 };
        if surplus > 1 || (problem.is_closed() && (surplus > 0 || order < 3)) {
            return None;
        }
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(table.targets.len() / 2 + order);
        for u in all.clone() {
            edges.extend(table.of(u).iter().filter(|&&v| u < v).map(|&v| (u, v)));
        }
        let fixed = [problem.start(), problem.end()].map(|s| s.map(|s| number[s as usize]));
        let inner = edges.len();
        let mut root = Decisions::new();
        let mut take = |index: Option<usize>| index.map(|at| root.push((2 * at as Arc, true)));
        let apexes = if problem.is_closed() {
            if let [Some(s), Some(e)] = fixed {
                take(edges.iter().position(|&edge| edge == (s.min(e), s.max(e))))?;
            }
            0
        } else if proper && surplus == 0 {
            if let [Some(s), Some(e)] = fixed
                && colour[s as usize] == colour[e as usize]
            {
                return None;
            }
            for side in 0..2 {
                let on = |v: &u32| colour[*v as usize] == side;
                let end = fixed.into_iter().flatten().find(on);
                let may_end = |v: &u32| on(v) && end.is_none_or(|end| end == *v);
                edges.extend(
                    all.clone().filter(may_end).map(|v| (v, (order + side as usize) as u32)),
                );
            }
            take(Some(edges.len()))?;
            edges.push((order as u32, order as u32 + 1));
            2
        } else {
            let major = u8::from(2 * dark > order);
            let may_end = |v: &u32| surplus == 0 || colour[*v as usize] == major;
            edges.extend(all.filter(may_end).map(|v| (v, order as u32)));
            for end in fixed.into_iter().flatten() {
                take(edges.iter().position(|&edge| edge == (end, order as u32)))?;
            }
            1
        };
        let cover = Cover::new(order, order + apexes, &edges);
        let ends =
            edges.iter().enumerate().skip(inner).filter(|(_, edge)| (edge.0 as usize) < order);
        let ends: Vec<_> =
            ends.map(|(at, edge)| (2 * at as Arc, squares[edge.0 as usize])).collect();
        let orbits = Orbits::new(problem);
        let roots = orbits.as_ref().map_or_else(|| vec![root.clone()], |o| o.roots(&root, &ends));
        let apex = (apexes > 0).then_some(order as u32);
        let (start, end) = (problem.start(), problem.end());
        Some(Model { cover, roots, apex, squares, start, end, orbits })
    }

    /// The square of a vertex, unless it was added.
    pub(super) fn square(&self, vertex: u32) -> Option<Square> {
        self.squares.get(vertex as usize).copied()
    }

    /// The squares of the chosen path that begins where `from` leads, `from` itself left out.
    pub(super) fn walk(&self, cover: &Cover, from: u32, path: &mut Vec<Square>) {
        path.clear();
        let order = self.squares.len();
        let first = cover.links(from).iter().find(|&&v| (v as usize) < order);
        let (mut before, mut next) = (from, first.copied());
        while let Some(at) = next.filter(|&v| (v as usize) < order && v != from) {
            path.push(self.squares[at as usize]);
            (before, next) = (at, cover.onward(before, at));
        }
    }

    /// Claims the tours that a closed cycle stands for. `path` and `image` are room to work in.
    pub(super) fn claim(
        &self,
        cover: &Cover,
        run: &mut Run<'_>,
        path: &mut Vec<Square>,
        image: &mut Vec<Square>,
    ) -> ControlFlow<()> {
        match self.apex {
            Some(apex) => {
                self.walk(cover, apex, path);
                self.claim_open(run, path, image)
            }
            None => {
                self.walk(cover, 0, path);
                path.push(self.squares[0]);
                self.claim_closed(run, path)
            }
        }
    }

    fn claim_open(
        &self,
        run: &mut Run<'_>,
        path: &mut [Square],
        image: &mut Vec<Square>,
    ) -> ControlFlow<()> {
        let (first, last) = (path[0], path[path.len() - 1]);
        if let Some(orbits) = &self.orbits {
            let rank = |s: Square| orbits.rank[s as usize];
            let foreign = |s: Square| (rank(s), s != orbits.first[rank(s) as usize]);
            if foreign(first) > foreign(last) {
                path.reverse();
            }
            for map in &orbits.maps[rank(path[0]) as usize] {
                image.clear();
                image.extend(path.iter().map(|&s| map[s as usize]));
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
