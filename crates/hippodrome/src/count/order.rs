//! Orders of the vertices, and where to cut them.
//!
//! Cost grows with the frontier, by a factor of about three for each vertex in it, so orders are
//! compared by the sum of such powers. On a board the lines of the shorter side are taken one after the
//! other; within a line first every second square, then back along the others, which keeps the
//! knight's frontier at two lines exactly. Elsewhere the next vertex is one that adds the fewest others.

use super::net::Net;
use super::run::BETWEEN;
use crate::board::{Board, Square};
use crate::graph::Graph;

/// Vertices up to which an order is sought greedily; beyond, it would take longer than the count.
const GREEDY: usize = 400;
/// Vertices up to which two halves are thought of.
const HALVES: usize = 160;

/// Growth of states by vertex of the frontier, as a power of e: measured on knight's boards.
const GROWTH: f64 = 1.16;

/// Growth of states by edge that is decided between vertices that stay.
const WIDENING: f64 = 1.27;

/// About how many states there are with such a frontier after so many vertices.
pub(super) fn states(frontier: usize, done: usize) -> f64 {
    if frontier == 0 {
        return 1.0;
    }
    let f = frontier as f64;
    (GROWTH * f * (1.0 - (-(done as f64) / (0.65 * f)).exp())).exp()
}

/// Vertices of the frontier after each vertex of an order.
pub(super) fn frontiers(net: &Net, order: &[usize]) -> Vec<usize> {
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

/// About how many states all steps of an order have.
pub(super) fn cost(net: &Net, order: &[usize]) -> f64 {
    frontiers(net, order).iter().enumerate().map(|(i, &f)| states(f, i + 1)).sum()
}

/// Two halves that meet at vertices which neither finishes.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// What each half finishes, in order.
    pub sides: [Vec<usize>; 2],
    /// Edges between vertices that neither finishes, decided by either half.
    pub edges: [Vec<(usize, usize)>; 2],
    /// The symmetry that makes the second half of the first, if there is one.
    pub mirror: Option<Vec<usize>>,
    /// A symmetry that maps either half to itself, if there is one.
    pub keep: Option<Vec<usize>>,
    /// About how many states there are in all.
    pub cost: f64,
}

/// Orders worth a thought. Vertices past the squares (an apex) come last.
pub(super) fn candidates(net: &Net, graph: &Graph, squares: &[Square]) -> Vec<Vec<usize>> {
    let mut orders = Vec::new();
    if let Some(board) = graph.board() {
        let along_rows = board.rows() >= board.cols();
        let width = board.rows().min(board.cols());
        let place = |v: usize| {
            let (row, col) = (board.row(squares[v]), board.col(squares[v]));
            if along_rows { (row, col) } else { (col, row) }
        };
        // The last odd place first, on the way back.
        let zigzag = |at: u32| if at.is_multiple_of(2) { at } else { 2 * width - at };
        for turn in [false, true] {
            let key = |&v: &usize| {
                let (line, at) = place(v);
                (line, if turn { zigzag(at) } else { at })
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

/// Orders across the longer side, or across the rows of a square board: for a second count.
pub(super) fn crosswise(net: &Net, board: &Board, squares: usize) -> Vec<Vec<usize>> {
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

/// Next comes whichever vertex adds the fewest others to the frontier, the longest waiting first.
pub(super) fn greedy(net: &Net, count: usize, start: usize) -> Vec<usize> {
    let mut entered = vec![usize::MAX; net.order()];
    let mut done = vec![false; net.order()];
    let (mut order, mut clock, mut next) = (Vec::with_capacity(count), 0, start);
    loop {
        done[next] = true;
        order.push(next);
        for edge in net.near(next) {
            if entered[edge.to] == usize::MAX {
                entered[edge.to] = clock;
                clock += 1;
            }
        }
        let adds = |v: usize| {
            let news = net.near(v).iter().filter(|e| entered[e.to] == usize::MAX && !done[e.to]);
            news.count() + usize::from(entered[v] == usize::MAX)
        };
        match (0..count).filter(|&v| !done[v]).min_by_key(|&v| (adds(v), entered[v], v)) {
            Some(v) => next = v,
            None => return order,
        }
    }
}

/// The cut of an order into halves that is thought to cost least. `maps` are symmetries of the net,
/// `turns` those of the board, ends or not: images of a good order may be good. Cuts between whole
/// lines of `line` vertices come first: in the middle of a line there are more states.
pub(super) fn cut(
    net: &Net,
    order: &[usize],
    (maps, turns): (&[Vec<usize>], &[Vec<usize>]),
    line: usize,
) -> Option<Cut> {
    if net.order() > HALVES {
        return None;
    }
    let best = |step: usize| {
        let places = (step..order.len()).step_by(step);
        let cuts = places.filter_map(|at| cut_at(net, order, at, (maps, turns)));
        cuts.min_by(|a, b| a.cost.total_cmp(&b.cost))
    };
    best(line).or_else(|| best(1))
}

fn cut_at(
    net: &Net,
    order: &[usize],
    at: usize,
    (maps, turns): (&[Vec<usize>], &[Vec<usize>]),
) -> Option<Cut> {
    let (first, rest) = order.split_at(at);
    let mut side = vec![Side::Far; net.order()];
    for &v in first {
        for edge in net.near(v) {
            side[edge.to] = Side::Between;
        }
    }
    first.iter().for_each(|&v| side[v] = Side::Near);
    let is_far = |&v: &usize| side[v] == Side::Far;
    let between: Vec<usize> = (0..net.order()).filter(|&v| side[v] == Side::Between).collect();
    let inside = between.iter().flat_map(|&v| {
        let onward = net.near(v).iter().map(|e| e.to).filter(move |&w| v < w);
        onward.filter(|&w| side[w] == Side::Between).map(move |w| (v, w))
    });
    let inside: Vec<(usize, usize)> = inside.collect();
    let far = rest.iter().copied().filter(is_far).count();
    if far == 0 || between.len() > BETWEEN {
        return None;
    }
    let end = |order: &[usize]| states(between.len(), order.len());
    let work = |order: &[usize], edges: &[(usize, usize)]| {
        let more = |n: usize| WIDENING.powi(n as i32 + 1);
        cost(net, order) + end(order) * (0..edges.len()).map(more).sum::<f64>()
    };
    let keeps = |map: &&Vec<usize>| {
        let moves = map.iter().enumerate().any(|(v, &image)| v != image);
        moves && is_involution(map) && first.iter().all(|&v| side[map[v]] == Side::Near)
    };
    let mirrors = |map: &&Vec<usize>| {
        far == at && is_involution(map) && first.iter().all(|&v| is_far(&map[v]))
    };
    for mirror in maps.iter().filter(mirrors) {
        for keep in [maps.iter().find(keeps).filter(|keep| commute(mirror, keep)), None] {
            let Some(edges) = share(&inside, mirror, keep) else { continue };
            let second: Vec<usize> = first.iter().map(|&v| mirror[v]).collect();
            let wide = end(first) * WIDENING.powi(edges[0].len() as i32);
            let matching = matching(wide, wide, between.len());
            let cost = work(first, &edges[0]) + matching / if keep.is_some() { 4.0 } else { 2.0 };
            let (mirror, keep) = (Some(mirror.clone()), keep.cloned());
            return Some(Cut { sides: [first.to_vec(), second], edges, mirror, keep, cost });
        }
    }
    let backwards: Vec<usize> = rest.iter().rev().copied().filter(is_far).collect();
    let images = turns.iter().map(|turn| order.iter().map(|&v| turn[v]).filter(is_far).collect());
    let seconds: Vec<Vec<usize>> = images.chain([backwards]).collect();
    let by_cost = |a: &&Vec<usize>, b: &&Vec<usize>| cost(net, a).total_cmp(&cost(net, b));
    let second = seconds.iter().min_by(by_cost)?.clone();
    // Ends may spoil the symmetry of the halves, but the edges of the board are shared out as without.
    let mut edges = [Vec::new(), Vec::new()];
    let (mut shared, mut others) = (None, inside.clone());
    if let Some(mirror) = turns.iter().find(mirrors) {
        let keep = turns.iter().find(keeps).filter(|keep| commute(mirror, keep));
        let is_regular = |&edge: &(usize, usize)| {
            let images = [Some(mirror), keep].into_iter().flatten().map(|map| image(map, edge));
            images.chain([edge]).all(|image| inside.contains(&image))
        };
        let (regular, irregular): (Vec<_>, Vec<_>) = inside.iter().partition(|e| is_regular(e));
        shared = share(&regular, mirror, keep);
        if shared.is_some() {
            others = irregular;
        }
    }
    if let Some(shared) = shared {
        edges = shared;
    }
    let keep = maps.iter().find(keeps);
    let widened = |states: f64, n: usize| states * WIDENING.powi(n as i32);
    let ends = [end(first), end(&second)];
    for &edge in &others {
        let twin = keep.map_or(edge, |keep| image(keep, edge));
        if edge <= twin {
            // The half with fewer states takes the next edge, and its image.
            let [one, other] = [0, 1].map(|n: usize| widened(ends[n], edges[n].len()));
            let less = usize::from(other < one);
            edges[less].push(edge);
            if edge < twin {
                edges[less].push(twin);
            }
        }
    }
    let [one, other] = [0, 1].map(|n: usize| widened(ends[n], edges[n].len()));
    let cost =
        work(first, &edges[0]) + work(&second, &edges[1]) + matching(one, other, between.len());
    // What is kept must keep the shares as well.
    let whole = |keep: &&Vec<usize>| {
        edges.iter().all(|share| share.iter().all(|&e| share.contains(&image(keep, e))))
    };
    let keep = keep.filter(whole).cloned();
    Some(Cut { sides: [first.to_vec(), second], edges, mirror: None, keep, cost })
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

/// Shares edges out between two halves so that the mirror maps one share to the other, and what is kept
/// keeps them; none if that is not possible.
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

/// About how many states it is worth to compare two layers over so many vertices.
fn matching(one: f64, other: f64, between: usize) -> f64 {
    one + other + one * other / (0.25 * 3f64.powi(between as i32))
}
