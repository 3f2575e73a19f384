//! Toughness: a set of vertices whose removal leaves more parts than that of a tour can (Chvátal
//! 1973).
//!
//! A closed tour without k vertices falls into at most k parts. An open tour falls into at most
//! k + 1, one less for each of its ends among the removed. With both ends fixed the tour is closed by
//! a move between its ends, so these count as joined. Finding the best set is hard, so a few orders
//! of removal are tried, each with all its prefixes: by falling degree, and the neighbours of a
//! growing set of vertices no two of which are joined, chosen greedily from everywhere and from
//! either colour class. The last are the colouring argument for a part of the graph. On small graphs
//! all pairs are tried, too. What is found is made smaller before it is reported.
//!
//! Cost: a prefix order is checked backwards with a disjoint-set forest, nearly linear in squares and
//! moves. Past [`WEIGHED`] squares or moves nothing is tried.

use super::certificate::{Certificate, Evidence, Listed};
use super::walk::Connectivity;
use super::{Finding, noun, nouns};
use crate::board::{Graph, Square};
use crate::problem::Problem;
use fixedbitset::FixedBitSet;

/// Name of the argument.
pub(super) const NAME: &str = "toughness";

/// Graphs with more squares, or with more than eight times as many moves, are left out.
const WEIGHED: usize = 1 << 17;

/// Pairs are tried if squares times squares and moves are at most this.
const PAIRS_UP_TO: usize = 1 << 21;

/// Finds vertices whose removal leaves too many parts for a tour, in a connected graph of at least 3 squares.
pub(super) fn find(problem: &Problem, walked: &Connectivity) -> Option<Finding> {
    let graph = problem.graph();
    let order = graph.order();
    if order > WEIGHED || graph.len() > 4 * WEIGHED {
        return None;
    }
    let mut degrees = vec![0; graph.len()];
    graph.vertices().for_each(|v| degrees[v.index()] = graph.degree(v) as u32);
    let ends: usize = degrees.iter().map(|&degree| degree as usize).sum();
    if ends > 16 * WEIGHED {
        return None;
    }
    let weigher = Weigher { problem, graph };
    let mut removed = weigher.first_prefix(&by_degree(graph, &degrees));
    let classes: &[Option<bool>] =
        if walked.classes.is_some() { &[Some(false), Some(true), None] } else { &[None] };
    for class in classes {
        let may =
            |v: Square| class.is_none_or(|second| walked.second.contains(v.index()) == second);
        removed =
            removed.or_else(|| weigher.first_prefix(&around_independent(graph, &degrees, may)));
    }
    if order * (order + ends) <= PAIRS_UP_TO {
        removed = removed.or_else(|| weigher.pair());
    }
    let removed = weigher.shrunk(removed?);
    Some(weigher.finding(&removed))
}

/// All squares, those with the most moves first.
fn by_degree(graph: &Graph, degrees: &[u32]) -> Vec<Square> {
    let mut all: Vec<Square> = graph.vertices().collect();
    all.sort_by_key(|v| std::cmp::Reverse(degrees[v.index()]));
    all
}

/// The neighbours of vertices no two of which are joined, in the order in which these are chosen:
/// the one with the fewest neighbours not yet removed first, among those that `may` be chosen.
fn around_independent(graph: &Graph, degrees: &[u32], may: impl Fn(Square) -> bool) -> Vec<Square> {
    let mut left = degrees.to_vec();
    let mut buckets: Vec<Vec<Square>> = Vec::new();
    let put = |buckets: &mut Vec<Vec<Square>>, v: Square, degree: u32| {
        let at = degree as usize;
        if buckets.len() <= at {
            buckets.resize_with(at + 1, Vec::new);
        }
        buckets[at].push(v);
    };
    for v in graph.vertices().filter(|&v| may(v)) {
        put(&mut buckets, v, left[v.index()]);
    }
    // Of equal ones the first is chosen first.
    buckets.iter_mut().for_each(|bucket| bucket.reverse());
    let mut done = FixedBitSet::with_capacity(graph.len());
    let (mut removed, mut lowest) = (Vec::new(), 0);
    while lowest < buckets.len() {
        let Some(v) = buckets[lowest].pop() else {
            lowest += 1;
            continue;
        };
        if done.contains(v.index()) || left[v.index()] as usize != lowest {
            continue;
        }
        done.insert(v.index());
        for w in graph.neighbours(v) {
            if done.put(w.index()) {
                continue;
            }
            removed.push(w);
            for x in graph.neighbours(w).filter(|x| !done.contains(x.index())) {
                left[x.index()] -= 1;
                if may(x) {
                    put(&mut buckets, x, left[x.index()]);
                    lowest = lowest.min(left[x.index()] as usize);
                }
            }
        }
    }
    removed
}

/// Counts parts and compares them with what tours of a problem allow.
struct Weigher<'p> {
    problem: &'p Problem,
    graph: &'p Graph,
}

impl Weigher<'_> {
    /// The two fixed ends, if they count as joined.
    fn joined_ends(&self) -> Option<(Square, Square)> {
        self.problem.start().zip(self.problem.end())
    }

    /// The number of parts in which a tour can be without some of its vertices, of which `fixed` are
    /// fixed ends. Fixed ends that are both there count as joined.
    fn most(&self, removed: usize, fixed: usize) -> usize {
        match (self.problem.is_closed(), self.joined_ends()) {
            (true, None) => removed,
            // Closed, or made closed: neighbours on the tour leave no part between them.
            (_, Some(_)) => removed - usize::from(fixed == 2),
            (false, None) => removed + 1 - fixed,
        }
    }

    /// The vertices with which a vertex is joined.
    fn near(&self, v: Square) -> impl Iterator<Item = Square> + '_ {
        let other = self.joined_ends().and_then(|(s, e)| match v {
            _ if v == s => Some(e),
            _ if v == e => Some(s),
            _ => None,
        });
        self.graph.neighbours(v).chain(other)
    }

    fn is_fixed(&self, v: Square) -> bool {
        [self.problem.start(), self.problem.end()].contains(&Some(v))
    }

    /// The shortest prefix whose removal leaves too many parts. The removed vertices are added again
    /// from the last to the first, so that parts only join.
    fn first_prefix(&self, removed: &[Square]) -> Option<Vec<Square>> {
        let mut parts = Parts::without(self, removed);
        let mut fixed = removed.iter().filter(|&&v| self.is_fixed(v)).count();
        let mut found = None;
        for count in (1..=removed.len()).rev() {
            if parts.count > self.most(count, fixed) {
                found = Some(count);
            }
            let v = removed[count - 1];
            fixed -= usize::from(self.is_fixed(v));
            parts.add(self, v);
        }
        found.map(|count| removed[..count].to_vec())
    }

    /// Two vertices whose removal leaves too many parts.
    fn pair(&self) -> Option<Vec<Square>> {
        let squares: Vec<Square> = self.graph.vertices().collect();
        let mut number = vec![0; self.graph.len()];
        squares.iter().enumerate().for_each(|(at, v)| number[v.index()] = at);
        let near: Vec<Vec<usize>> = squares
            .iter()
            .map(|&v| self.graph.neighbours(v).map(|w| number[w.index()]).collect())
            .collect();
        for (u, &first) in squares.iter().enumerate() {
            let pieces = Pieces::without(&near, u);
            for (v, &second) in squares.iter().enumerate().skip(u + 1) {
                let fixed = usize::from(self.is_fixed(first)) + usize::from(self.is_fixed(second));
                let (pair, most) = (vec![first, second], self.most(2, fixed));
                // Where fixed ends count as joined there may be fewer.
                if pieces[v] as usize > most && Parts::without(self, &pair).count > most {
                    return Some(pair);
                }
            }
        }
        None
    }

    /// A smaller set that leaves too many parts as well: vertices go back as long as that holds.
    fn shrunk(&self, mut removed: Vec<Square>) -> Vec<Square> {
        let mut parts = Parts::without(self, &removed);
        let mut fixed = removed.iter().filter(|&&v| self.is_fixed(v)).count();
        loop {
            let before = removed.len();
            let mut left = before;
            removed.retain(|&v| {
                let of_these = usize::from(self.is_fixed(v));
                let count = parts.count + 1 - parts.touched(self, v);
                let goes = left > 1 && count > self.most(left - 1, fixed - of_these);
                if goes {
                    parts.add(self, v);
                    left -= 1;
                    fixed -= of_these;
                }
                !goes
            });
            if removed.len() == before {
                removed.sort_unstable();
                return removed;
            }
        }
    }

    fn finding(&self, removed: &[Square]) -> Finding {
        let (graph, nouns) = (self.graph, nouns(self.graph));
        let certificate = Certificate::parts(graph, removed);
        let fixed = removed.iter().filter(|&&v| self.is_fixed(v)).count();
        let (count, pieces) = (removed.len(), certificate.part_count);
        let joined = self.joined_ends().filter(|&(s, e)| {
            !self.problem.is_closed() && !removed.contains(&s) && !removed.contains(&e)
        });
        let (tour, most) = match joined {
            // Said of the parts themselves: the two ends may be in different ones.
            Some((s, e)) => {
                let counted = Parts::without(self, removed).count as u64;
                let apart = usize::from(counted < pieces);
                let where_ = if apart == 1 { "different parts" } else { "the same part" };
                let (s, e) = (graph.name(s), graph.name(e));
                (format!("a tour between {s} and {e}, which are in {where_},"), count + apart)
            }
            None => {
                let goal = if self.problem.is_closed() { "a closed tour" } else { "a tour" };
                let ends = match fixed {
                    0 => String::new(),
                    1 if self.problem.is_closed() => String::new(),
                    1 => " that ends there".into(),
                    _ => " that begins and ends there".into(),
                };
                (format!("{goal}{ends}"), self.most(count, fixed))
            }
        };
        let limit =
            if most == 1 { "stay in one".into() } else { format!("fall into at most {most}") };
        let squares = match count {
            1 => format!("the {}", noun(graph)),
            _ => format!("the {count} {nouns}"),
        };
        let reason = format!(
            "remove {squares} {}: the rest of {graph} falls into {pieces} parts, but {tour} would {limit}",
            Listed(graph, removed)
        );
        let (certificate, evidence) =
            (Some(Box::new(certificate)), Evidence::Removed(removed.to_vec()));
        Finding { theorem: NAME, reason, certificate, evidence }
    }
}

/// A disjoint-set forest of the vertices that are there, and the number of parts they are in.
struct Parts {
    /// 0 for vertices that are not there, otherwise the parent plus 1.
    parent: Vec<u32>,
    count: usize,
}

impl Parts {
    fn without(weigher: &Weigher<'_>, removed: &[Square]) -> Parts {
        let graph = weigher.graph;
        let mut gone = FixedBitSet::with_capacity(graph.len());
        removed.iter().for_each(|v| gone.insert(v.index()));
        let mut parts = Parts { parent: vec![0; graph.len()], count: 0 };
        for v in graph.vertices().filter(|v| !gone.contains(v.index())) {
            parts.add(weigher, v);
        }
        parts
    }

    fn has(&self, v: Square) -> bool {
        self.parent[v.index()] != 0
    }

    fn root(&mut self, v: Square) -> u32 {
        let mut at = v.index() as u32;
        loop {
            let up = self.parent[at as usize] - 1;
            if up == at {
                return at;
            }
            // Halves the path.
            self.parent[at as usize] = self.parent[up as usize];
            at = up;
        }
    }

    fn join(&mut self, u: Square, v: Square) {
        let (a, b) = (self.root(u), self.root(v));
        if a != b {
            self.parent[a.max(b) as usize] = a.min(b) + 1;
            self.count -= 1;
        }
    }

    /// Adds a vertex that is not there.
    fn add(&mut self, weigher: &Weigher<'_>, v: Square) {
        self.parent[v.index()] = v.index() as u32 + 1;
        self.count += 1;
        for w in weigher.near(v) {
            if self.has(w) {
                self.join(v, w);
            }
        }
    }

    /// The number of parts that a vertex which is not there would join.
    fn touched(&mut self, weigher: &Weigher<'_>, v: Square) -> usize {
        let mut roots: Vec<u32> = Vec::new();
        for w in weigher.near(v) {
            if self.has(w) {
                roots.push(self.root(w));
            }
        }
        roots.sort_unstable();
        roots.dedup();
        roots.len()
    }
}

/// For each vertex the number of parts without it and one given vertex (Hopcroft & Tarjan 1973).
struct Pieces<'a> {
    near: &'a [Vec<usize>],
    seen: Vec<u32>,
    low: Vec<u32>,
    clock: u32,
    /// Number of parts attached to the rest only through each vertex.
    hanging: Vec<u32>,
}

impl Pieces<'_> {
    fn without(near: &[Vec<usize>], gone: usize) -> Vec<u32> {
        let n = near.len();
        let mut walk =
            Pieces { near, seen: vec![0; n], low: vec![0; n], clock: 0, hanging: vec![0; n] };
        walk.seen[gone] = u32::MAX;
        let mut parts = 0;
        let mut is_root = vec![false; n];
        for (v, root) in is_root.iter_mut().enumerate() {
            if walk.seen[v] == 0 {
                parts += 1;
                *root = true;
                walk.visit(v, usize::MAX);
            }
        }
        let hanging = walk.hanging.iter().zip(is_root);
        hanging.map(|(&hanging, root)| parts - 1 + hanging + u32::from(!root)).collect()
    }

    /// Recursion is as deep as the graph is large, which [`PAIRS_UP_TO`] limits.
    fn visit(&mut self, v: usize, parent: usize) {
        self.clock += 1;
        (self.seen[v], self.low[v]) = (self.clock, self.clock);
        let near = self.near;
        for &w in &near[v] {
            match self.seen[w] {
                u32::MAX => {}
                0 => {
                    self.visit(w, v);
                    self.low[v] = self.low[v].min(self.low[w]);
                    self.hanging[v] += u32::from(self.low[w] >= self.seen[v]);
                }
                seen if w != parent => self.low[v] = self.low[v].min(seen),
                _ => {}
            }
        }
    }
}
