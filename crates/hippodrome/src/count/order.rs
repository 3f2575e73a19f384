//! Orders in which a count processes the vertices, and the places where an order is cut into halves.
//!
//! The number of states grows by a factor of about three for each vertex in the frontier, so orders are
//! compared by the estimated number of states, summed over all steps. On a board, lines parallel to the
//! shorter side are taken one after the other. Within a line, every second square is taken first, and the
//! others on the way back. This keeps the knight's frontier at exactly two lines. On other graphs, the next
//! vertex is one that adds the fewest vertices to the frontier.

use super::pairing::PAIRS;
use super::weighted_graph::WeightedGraph;
use crate::board::{Board, Graph, Square};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Largest number of vertices at a cut: two bits per vertex and the number of a pairing fit into one word.
pub(super) const BETWEEN: usize = 2 * PAIRS;

/// Largest number of vertices for which a count tries greedy orders. Chosen by hand, not tuned.
pub(super) const GREEDY: usize = 400;
/// Largest number of vertices for which counting by halves is considered. There is a limit because the cost
/// of every cut of an order is estimated. Chosen by hand, twice the number of squares of 8x10; longer boards
/// are counted by one sweep.
const HALVES: usize = 160;

/// Natural logarithm of the factor by which the number of states grows per frontier vertex, measured for the
/// knight on several boards.
const GROWTH: f64 = 1.16;

/// Factor by which the number of states grows for each decided edge between vertices of the cut: on 8x8, six
/// such edges raise it from 18.5 to 79 million, and 1.27^6 is 4.2.
const WIDENING: f64 = 1.27;

/// Estimates the number of states with `frontier` vertices in the frontier after `done` vertices are
/// finished. The formula and its constant 0.65 are fitted by hand to measured layers of knight's boards:
/// early layers do not have all the states that their frontier allows.
pub(super) fn states(frontier: usize, done: usize) -> f64 {
    if frontier == 0 {
        return 1.0;
    }
    let f = frontier as f64;
    (GROWTH * f * (1.0 - (-(done as f64) / (0.65 * f)).exp())).exp()
}

/// Returns the size of the frontier after each vertex of an order is finished.
pub(super) fn frontiers(net: &WeightedGraph, order: &[usize]) -> Vec<usize> {
    let mut seen = vec![false; net.order()];
    let mut live = 0;
    order
        .iter()
        .map(|&v| {
            if !std::mem::replace(&mut seen[v], true) {
                live += 1;
            }
            for edge in net.near(v) {
                if !std::mem::replace(&mut seen[edge.to], true) {
                    live += 1;
                }
            }
            live -= 1;
            live
        })
        .collect()
}

/// Estimates the number of states for an order, summed over all steps.
pub(super) fn cost(net: &WeightedGraph, order: &[usize]) -> f64 {
    frontiers(net, order).iter().enumerate().map(|(i, &f)| states(f, i + 1)).sum()
}

/// A cut of a graph into two halves that meet at vertices that neither half finishes.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// The vertices that each half finishes, in order.
    pub sides: [Vec<usize>; 2],
    /// For each half, the edges between vertices of the cut that this half decides.
    pub edges: [Vec<(usize, usize)>; 2],
    /// The symmetry that maps the first half to the second, if there is one.
    pub mirror: Option<Vec<usize>>,
    /// A symmetry that maps each half to itself, if there is one.
    pub keep: Option<Vec<usize>>,
    /// Estimated total number of states; other work is expressed as the number of states that would cost as
    /// much.
    pub cost: f64,
    /// The part of `cost` that remains when both halves are done: the cost of matching them.
    pub meeting: f64,
}

impl Cut {
    /// Returns by how many whole lines the halves differ in size. The larger half has most of the states, so
    /// cuts in the middle are best. If the graph has no lines, the result is 0, so that only costs are
    /// compared.
    fn uneven(&self, line: usize) -> usize {
        if line == 1 { 0 } else { self.sides[0].len().abs_diff(self.sides[1].len()) / line }
    }
}

/// Lists the orders to try. Vertices that are not squares (an apex) come last in each.
pub(super) fn candidates(
    net: &WeightedGraph,
    graph: &Graph,
    squares: &[Square],
) -> Vec<Vec<usize>> {
    let mut orders = Vec::new();
    if let Some(board) = graph.board() {
        let along_rows = board.rows() >= board.cols();
        let width = board.rows().min(board.cols());
        let place = |v: usize| {
            let (row, col) = (board.row(squares[v]), board.col(squares[v]));
            if along_rows { (row, col) } else { (col, row) }
        };
        // On the way back, the last odd place comes first.
        let zigzag = |at: u32| if at.is_multiple_of(2) { at } else { 2 * width - at };
        for returning in [false, true] {
            let key = |&v: &usize| {
                let (line, at) = place(v);
                (line, if returning { zigzag(at) } else { at })
            };
            let mut order: Vec<usize> = (0..squares.len()).collect();
            order.sort_by_key(key);
            orders.push(order);
        }
    }
    if net.order() <= GREEDY && graph.board().is_none_or(|b| !b.is_full()) {
        let start = (0..squares.len()).min_by_key(|&v| net.near(v).len()).unwrap_or(0);
        orders.push(greedy(net, squares.len(), start));
        orders.push(greedy(net, squares.len(), 0));
    } else if orders.is_empty() {
        orders.push((0..squares.len()).collect());
    }
    for order in &mut orders {
        order.extend(squares.len()..net.order());
    }
    orders
}

/// Lists the orders for a second count. On a board whose sides differ, lines parallel to the shorter side are
/// taken one after the other; on a square board, the columns. The squares within each line are taken in
/// reverse order.
pub(super) fn crosswise(net: &WeightedGraph, board: &Board, squares: usize) -> Vec<Vec<usize>> {
    let places: Vec<Square> = board.iter().collect();
    let along_rows = board.rows() > board.cols();
    let mut order: Vec<usize> = (0..squares).collect();
    order.sort_by_key(|&v| {
        let (row, col) = (board.row(places[v]), board.col(places[v]));
        if along_rows { (row, board.cols() - col) } else { (col, board.rows() - row) }
    });
    order.extend(squares..net.order());
    vec![order]
}

/// Makes an order greedily: the next vertex is the one that adds the fewest vertices to the frontier; ties go
/// to the vertex that entered the frontier first. Cost: O(edges log edges), using a heap whose outdated
/// entries are skipped.
pub(super) fn greedy(net: &WeightedGraph, count: usize, start: usize) -> Vec<usize> {
    greedy_within(net, count, start, (&[], usize::MAX)).unwrap_or_default()
}

/// Makes a greedy order without the `hubs`, which count as part of the frontier from the beginning. Returns
/// `None` as soon as more than `widest` other vertices are in the frontier, so that wide graphs cost little.
fn greedy_within(
    net: &WeightedGraph,
    count: usize,
    start: usize,
    (hubs, widest): (&[usize], usize),
) -> Option<Vec<usize>> {
    let mut entered = vec![usize::MAX; net.order()];
    let mut done = vec![false; net.order()];
    for &hub in hubs {
        (entered[hub], done[hub]) = (0, true);
    }
    // The number of vertices that each vertex adds to the frontier: itself and its neighbours.
    let fresh = |v: usize| 1 + net.near(v).iter().filter(|e| !done[e.to]).count();
    let mut adds: Vec<usize> = (0..net.order()).map(fresh).collect();
    let mut waiting: BinaryHeap<Reverse<(usize, usize, usize)>> =
        (0..count).filter(|&v| !done[v]).map(|v| Reverse((adds[v], usize::MAX, v))).collect();
    let (mut order, mut clock, mut next) = (Vec::with_capacity(count), 0, start);
    loop {
        done[next] = true;
        order.push(next);
        if clock > widest.saturating_add(order.len()) {
            return None;
        }
        for v in std::iter::once(next).chain(net.near(next).iter().map(|e| e.to)) {
            if entered[v] != usize::MAX {
                continue;
            }
            // The chosen vertex leaves as soon as it enters, so its entry does not advance the clock.
            entered[v] = if v == next { usize::MAX - 1 } else { clock };
            clock += usize::from(v != next);
            adds[v] -= 1;
            for e in net.near(v) {
                adds[e.to] -= 1;
                if e.to < count && !done[e.to] {
                    waiting.push(Reverse((adds[e.to], entered[e.to], e.to)));
                }
            }
            if v < count && !done[v] {
                waiting.push(Reverse((adds[v], entered[v], v)));
            }
        }
        loop {
            match waiting.pop() {
                Some(Reverse((adding, since, v))) => {
                    if !done[v] && adding == adds[v] && since == entered[v] {
                        next = v;
                        break;
                    }
                }
                None => return Some(order),
            }
        }
    }
}

/// A vertex is a hub if it has more edges than this, and more than four times the mean number of edges.
/// Chosen by hand: in graphs with hubs, a few vertices have hundreds of edges and the others about five.
const HUB: usize = 16;
/// Largest number of hubs that an order puts last: each hub occupies a slot during the whole sweep.
const HUBS: usize = 12;
/// Number of start vertices for greedy orders, spread over the graph. Chosen by hand.
const STARTS: usize = 8;

/// Lists orders with a narrow frontier: the usual orders of a board, and greedy orders from several start
/// vertices with the hubs last. A greedy order is left out if its frontier exceeds `widest` vertices.
pub(super) fn narrow(
    net: &WeightedGraph,
    graph: &Graph,
    squares: &[Square],
    widest: usize,
) -> Vec<Vec<usize>> {
    let count = squares.len();
    let mut orders =
        if graph.board().is_some() { candidates(net, graph, squares) } else { Vec::new() };
    let edges: usize = (0..count).map(|v| net.near(v).len()).sum();
    let most = HUB.max(4 * edges / count.max(1));
    let hubs: Vec<usize> = (0..count).filter(|&v| net.near(v).len() > most).collect();
    let hubs = if hubs.len() <= HUBS && hubs.len() < count { hubs } else { Vec::new() };
    let others: Vec<usize> = (0..count).filter(|v| !hubs.contains(v)).collect();
    let Some(&least) = others.iter().min_by_key(|&&v| net.near(v).len()) else { return orders };
    let spread = (0..STARTS).map(|n| others[n * others.len() / STARTS]);
    let mut starts: Vec<usize> = std::iter::once(least).chain(spread).collect();
    starts.dedup();
    for start in starts {
        let Some(mut order) = greedy_within(net, count, start, (&hubs, widest)) else { continue };
        order.extend(&hubs);
        order.extend(count..net.order());
        orders.push(order);
    }
    orders
}

/// Returns the cheapest cut of an order into halves. Cuts between whole lines of `line` vertices are preferred:
/// cuts in the middle of a line give more states. The second half may be ordered by a symmetry of the board,
/// even by one that moves the ends.
pub(super) fn cut(
    net: &WeightedGraph,
    order: &[usize],
    maps: Maps<'_>,
    line: usize,
) -> Option<Cut> {
    if net.order() > HALVES {
        return None;
    }
    let best = |step: usize| {
        let places = (step..order.len()).step_by(step);
        let cuts = places.filter_map(|at| cut_at(net, order, at, maps));
        cuts.min_by(|a, b| a.uneven(step).cmp(&b.uneven(step)).then(a.cost.total_cmp(&b.cost)))
    };
    best(line).or_else(|| best(1))
}

/// The symmetries of the weighted graph, followed by those of the board.
type Maps<'a> = (&'a [Vec<usize>], &'a [Vec<usize>]);

fn cut_at(
    net: &WeightedGraph,
    order: &[usize],
    at: usize,
    (maps, board_maps): Maps<'_>,
) -> Option<Cut> {
    let field = CutOrder::new(net, order, at)?;
    field.mirrored(maps).or_else(|| field.apart(maps, board_maps))
}

/// An order with a place to cut it.
struct CutOrder<'a> {
    net: &'a WeightedGraph,
    order: &'a [usize],
    /// The vertices that the first half finishes.
    first: &'a [usize],
    side: Vec<Side>,
    /// Number of vertices at the cut.
    between: usize,
    /// The edges between vertices at the cut.
    inside: Vec<(usize, usize)>,
    /// Number of vertices that the second half finishes.
    far: usize,
}

impl<'a> CutOrder<'a> {
    fn new(net: &'a WeightedGraph, order: &'a [usize], at: usize) -> Option<CutOrder<'a>> {
        let first = &order[..at];
        let mut side = vec![Side::Far; net.order()];
        for edge in first.iter().flat_map(|&v| net.near(v)) {
            side[edge.to] = Side::Between;
        }
        first.iter().for_each(|&v| side[v] = Side::Near);
        let is_between = |v: usize| side[v] == Side::Between;
        let onward = |v: usize| net.near(v).iter().map(|e| e.to).filter(move |&w| v < w);
        let inside = (0..net.order())
            .filter(|&v| is_between(v))
            .flat_map(|v| onward(v).filter(|&w| is_between(w)).map(move |w| (v, w)))
            .collect();
        let between = (0..net.order()).filter(|&v| is_between(v)).count();
        let far = net.order() - at - between;
        let possible = far > 0 && between <= BETWEEN;
        possible.then_some(CutOrder { net, order, first, side, between, inside, far })
    }

    fn is_far(&self, v: usize) -> bool {
        self.side[v] == Side::Far
    }

    /// Returns whether a map is a symmetry, other than the identity, that maps each half to itself.
    fn is_kept(&self, map: &[usize]) -> bool {
        let moves = map.iter().enumerate().any(|(v, &image)| v != image);
        moves && is_involution(map) && self.first.iter().all(|&v| self.side[map[v]] == Side::Near)
    }

    /// Returns whether a map swaps the halves.
    fn is_swapped(&self, map: &[usize]) -> bool {
        let first = self.first;
        self.far == first.len() && is_involution(map) && first.iter().all(|&v| self.is_far(map[v]))
    }

    /// Finds a map that swaps the halves and, if there is one, a map that keeps each half.
    fn find<'m>(&self, maps: &'m [Vec<usize>]) -> Option<(&'m Vec<usize>, Option<&'m Vec<usize>>)> {
        let mirror = maps.iter().find(|map| self.is_swapped(map))?;
        let keep = maps.iter().find(|map| self.is_kept(map));
        Some((mirror, keep.filter(|keep| commute(mirror, keep))))
    }

    /// Estimates the number of states of a half that finishes `order` and has decided `edges` edges at the
    /// cut.
    fn states(&self, order: &[usize], edges: usize) -> f64 {
        states(self.between, order.len()) * WIDENING.powi(edges as i32)
    }

    /// Estimates the number of states that a half passes through while it decides `edges` edges.
    fn deciding(&self, order: &[usize], edges: usize) -> f64 {
        (1..=edges).map(|n| self.states(order, n)).sum()
    }

    /// Makes the second half as the mirror image of the first.
    fn mirrored(&self, maps: &[Vec<usize>]) -> Option<Cut> {
        let first = self.first;
        let (mirror, keep) = self.find(maps)?;
        let (keep, edges) = match (keep, share(&self.inside, mirror, keep)) {
            (keep, Some(edges)) => (keep, edges),
            (_, None) => (None, share(&self.inside, mirror, None)?),
        };
        let wide = self.states(first, edges[0].len());
        let equivalent = if keep.is_some() { 4.0 } else { 2.0 };
        let deciding = self.deciding(first, edges[0].len());
        let meeting = deciding + matching(wide, wide, self.between) / equivalent;
        let cost = cost(self.net, first) + meeting;
        let second = first.iter().map(|&v| mirror[v]).collect();
        let (mirror, keep) = (Some(mirror.clone()), keep.cloned());
        Some(Cut { sides: [first.to_vec(), second], edges, mirror, keep, cost, meeting })
    }

    /// Makes two halves that are not mirror images of each other.
    fn apart(&self, maps: &[Vec<usize>], board_maps: &[Vec<usize>]) -> Option<Cut> {
        let (net, first) = (self.net, self.first);
        let second = self.second(board_maps)?;
        let keep = maps.iter().find(|map| self.is_kept(map));
        let edges = self.shares(&second, keep, board_maps);
        let [one, other] =
            [(0, first), (1, &second)].map(|(n, order)| self.states(order, edges[n].len()));
        let deciding =
            self.deciding(first, edges[0].len()) + self.deciding(&second, edges[1].len());
        let meeting = deciding + matching(one, other, self.between);
        let cost = cost(net, first) + cost(net, &second) + meeting;
        // The symmetry must also map each share of the edges to itself.
        let whole = |keep: &&Vec<usize>| {
            edges.iter().all(|share| share.iter().all(|&e| share.contains(&image(keep, e))))
        };
        let keep = keep.filter(whole).cloned();
        Some(Cut { sides: [first.to_vec(), second], edges, mirror: None, keep, cost, meeting })
    }

    /// Finds the cheapest order of the vertices that the second half finishes: the order backwards, or its
    /// image under a symmetry.
    fn second(&self, board_maps: &[Vec<usize>]) -> Option<Vec<usize>> {
        let far = |vertices: &mut dyn Iterator<Item = usize>| -> Vec<usize> {
            vertices.filter(|&v| self.is_far(v)).collect()
        };
        let backwards = far(&mut self.order.iter().rev().copied());
        let images = board_maps.iter().map(|map| far(&mut self.order.iter().map(|&v| map[v])));
        let all = images.chain([backwards]);
        all.min_by(|a, b| cost(self.net, a).total_cmp(&cost(self.net, b)))
    }

    /// Distributes the edges at the cut between the halves. Fixed ends may break the mirror symmetry; the
    /// edges that it still maps to edges are shared symmetrically, and each other edge goes to the half with
    /// fewer states.
    fn shares(
        &self,
        second: &[usize],
        keep: Option<&Vec<usize>>,
        board_maps: &[Vec<usize>],
    ) -> [Vec<(usize, usize)>; 2] {
        let (mut edges, mut others) = ([Vec::new(), Vec::new()], self.inside.clone());
        if let Some((mirror, keep)) = self.find(board_maps) {
            let is_regular = |&edge: &(usize, usize)| {
                let images = [Some(mirror), keep].into_iter().flatten().map(|map| image(map, edge));
                images.chain([edge]).all(|image| self.inside.contains(&image))
            };
            let (regular, irregular): (Vec<_>, Vec<_>) =
                self.inside.iter().partition(|e| is_regular(e));
            if let Some(shared) = share(&regular, mirror, keep) {
                (edges, others) = (shared, irregular);
            }
        }
        for &edge in &others {
            let twin = keep.map_or(edge, |keep| image(keep, edge));
            if edge <= twin {
                let [one, other] =
                    [(0, self.first), (1, second)].map(|(n, o)| self.states(o, edges[n].len()));
                let less = usize::from(other < one);
                edges[less].push(edge);
                if edge < twin {
                    edges[less].push(twin);
                }
            }
        }
        edges
    }
}

fn commute(one: &[usize], other: &[usize]) -> bool {
    (0..one.len()).all(|v| one[other[v]] == other[one[v]])
}

fn is_involution(map: &[usize]) -> bool {
    map.iter().enumerate().all(|(v, &image)| map[image] == v)
}

fn image(map: &[usize], (u, v): (usize, usize)) -> (usize, usize) {
    (map[u].min(map[v]), map[u].max(map[v]))
}

/// Distributes edges between two halves so that `mirror` maps one share to the other and `keep` maps each
/// share to itself. Returns `None` if that is impossible.
fn share(
    edges: &[(usize, usize)],
    mirror: &[usize],
    keep: Option<&Vec<usize>>,
) -> Option<[Vec<(usize, usize)>; 2]> {
    let mut shares = [Vec::new(), Vec::new()];
    for &edge in edges {
        if shares.iter().flatten().any(|&known| known == edge) {
            continue;
        }
        let twin = keep.map_or(edge, |keep| image(keep, edge));
        if image(mirror, edge) == edge || image(mirror, edge) == twin {
            return None;
        }
        for one in if twin == edge { vec![edge] } else { vec![edge, twin] } {
            shares[0].push(one);
            shares[1].push(image(mirror, one));
        }
    }
    Some(shares)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Near,
    Between,
    Far,
}

/// Estimates the cost of matching two layers over `between` vertices, in states: about one pair of states in
/// 3^`between` has degrees that fit. The factor 0.25 was chosen by hand and does not account for the
/// contraction of pairs.
fn matching(one: f64, other: f64, between: usize) -> f64 {
    one + other + one * other / (0.25 * 3f64.powi(between as i32))
}
