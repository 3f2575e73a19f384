//! Tours that a symmetry of the board maps to themselves, counted on the folded board.
//!
//! A symmetry g that maps a closed tour to itself either shifts it along itself or reverses it. *Shifted*:
//! the tour winds |g| times round a cycle of the folded board, whose squares are the orbits of g. The *sheet*
//! of a square is the power of g that takes the first square of its orbit there. A cycle of the folded board
//! unfolds to one tour exactly if it returns to its first orbit on a sheet that generates the group; for a
//! half turn or reflection (|g| = 2) and for a quarter turn (|g| = 4) these are the odd sheets. So the number
//! of shifted tours is half the difference between two sums over the cycles of the folded board: the first
//! counts each cycle as 1, and the second has a factor -1 for every step that changes the sheet by an odd
//! number. *Reversed* (|g| = 2): the tour has two fixed points, each a square that g fixes or a move that g
//! reverses. Between them, the tour follows a path over the whole folded board. An open tour can only be
//! reversed, and has one fixed point, in its middle.

use super::monitor::StopReason;
use super::run::CountContext;
use super::task::Task;
use super::weighted_graph::WeightedGraph;
use num_bigint::BigInt;

/// Largest number of vertices for which cycles are listed instead of counted on the folded board: a quarter
/// turn folds eight vertices to two, and a cycle needs three.
const LISTED: usize = 8;

/// A board folded by a symmetry.
struct Folded {
    /// The orbits; the weight of an edge is the number of edges from one orbit to the other.
    all: WeightedGraph,
    /// The same graph, but an edge that changes the sheet by an odd number counts as -1.
    signed: WeightedGraph,
    /// Orbits of one vertex.
    fixed: Vec<usize>,
    /// Orbits of two vertices joined by an edge.
    turned: Vec<usize>,
    /// Whether every orbit has as many squares as the symmetry's order.
    even: bool,
    /// The first vertex of each orbit.
    first: Vec<usize>,
}

fn order_of(map: &[usize]) -> usize {
    let mut image = map.to_vec();
    let mut order = 1;
    while image.iter().enumerate().any(|(v, &i)| v != i) {
        image = image.iter().map(|&v| map[v]).collect();
        order += 1;
    }
    order
}

fn fold(net: &WeightedGraph, map: &[usize]) -> Folded {
    let order = order_of(map);
    let (mut orbit, mut sheet) = (vec![usize::MAX; map.len()], vec![0; map.len()]);
    let (mut first, mut sizes) = (Vec::new(), Vec::new());
    for v in 0..map.len() {
        if orbit[v] == usize::MAX {
            let (mut at, mut steps) = (v, 0);
            while orbit[at] == usize::MAX {
                (orbit[at], sheet[at]) = (first.len(), steps);
                (at, steps) = (map[at], steps + 1);
            }
            first.push(v);
            sizes.push(steps);
        }
    }
    let mut folded = Folded {
        all: WeightedGraph::empty(first.len()),
        signed: WeightedGraph::empty(first.len()),
        fixed: (0..first.len()).filter(|&o| sizes[o] == 1).collect(),
        turned: Vec::new(),
        even: sizes.iter().all(|&size| size == order),
        first,
    };
    for (here, &v) in folded.first.iter().enumerate() {
        for edge in net.near(v) {
            let there = orbit[edge.to];
            if there == here {
                folded.turned.push(here);
            } else if here < there && sizes[here] >= sizes[there]
                || here > there && sizes[here] > sizes[there]
            {
                // The larger orbit sees every edge between the two orbits once.
                folded.all.join(here, there, 1);
                folded.signed.join(here, there, if sheet[edge.to] % 2 == 0 { 1 } else { -1 });
            }
        }
    }
    folded.signed = folded.signed.without_zero_edges();
    folded
}

/// A counter of tours on folded boards; `task` is the count on the whole board.
pub(super) struct OrbitCounter<'a> {
    pub task: &'a Task,
    pub squares: usize,
    pub context: &'a CountContext<'a>,
}

impl OrbitCounter<'_> {
    fn run(&self, net: WeightedGraph, first: &[usize]) -> Result<BigInt, StopReason> {
        let orbits = first.len();
        let folded = |order: &Vec<usize>| -> Vec<usize> {
            order.iter().filter_map(|v| first.iter().position(|f| f == v)).collect()
        };
        let mut orders: Vec<Vec<usize>> = self.task.orders.iter().map(folded).collect();
        orders.push(super::order::greedy(&net, orbits, 0));
        orders.iter_mut().for_each(|order| order.extend(orbits..net.order()));
        let task = Task {
            net,
            orders,
            maps: Vec::new(),
            board_maps: Vec::new(),
            line: 1,
            many_cycles: false,
        };
        let plans = task.plans().map_err(StopReason::Slots)?;
        task.run::<i128>(&plans[0], self.context)
    }

    /// Counts the closed tours that a symmetry maps to themselves.
    pub fn closed(&self, map: &[usize]) -> Result<BigInt, StopReason> {
        if self.squares <= LISTED {
            return Ok(BigInt::from(kept_of_list(&self.task.net, map)));
        }
        let folded = fold(&self.task.net, map);
        let mut kept = BigInt::ZERO;
        if folded.even {
            let all = self.run(folded.all.clone(), &folded.first)?;
            if all != BigInt::ZERO {
                kept += (all - self.run(folded.signed, &folded.first)?) / 2;
            }
        }
        let ends = folded.fixed.len() + folded.turned.len();
        if order_of(map) == 2 && ends >= 2 && folded.fixed.len() <= 2 {
            let orbits = folded.first.len();
            let joined = folded.fixed.iter().chain(&folded.turned).copied();
            let mut net = folded.all.with_apex(joined);
            folded.fixed.iter().for_each(|&f| net.force(orbits, f));
            kept += self.run(net, &folded.first)?;
        }
        Ok(kept)
    }

    /// Counts the open tours that a symmetry reverses.
    pub fn open(&self, map: &[usize]) -> Result<BigInt, StopReason> {
        let folded = fold(&self.task.net, map);
        let mut kept = BigInt::ZERO;
        if order_of(map) == 2 && folded.fixed.len() <= 1 && folded.first.len() > 1 {
            // A fixed square can only be in the middle of the tour.
            let middles = if folded.fixed.is_empty() { &folded.turned } else { &folded.fixed };
            for &middle in middles {
                let orbits = folded.first.len();
                let mut net = folded.all.clone().with_apex(0..orbits);
                net.force(orbits, middle);
                kept += self.run(net, &folded.first)?;
            }
        }
        Ok(kept)
    }
}

/// Lists the Hamiltonian cycles of a tiny graph and counts those that `map` maps to themselves.
fn kept_of_list(net: &WeightedGraph, map: &[usize]) -> u32 {
    fn extend(net: &WeightedGraph, map: &[usize], path: &mut Vec<usize>, kept: &mut u32) {
        let (last, whole) = (path[path.len() - 1], path.len() == net.order());
        for edge in net.near(last) {
            // Each cycle is found in both directions; count the one whose second vertex is smaller.
            if whole && edge.to == path[0] && path[1] < last {
                let next = |v: usize| {
                    let at = path.iter().position(|&p| p == v).unwrap_or(0);
                    [path[(at + 1) % path.len()], path[(at + path.len() - 1) % path.len()]]
                };
                *kept += u32::from(path.iter().all(|&v| next(map[v]).contains(&map[next(v)[0]])));
            }
            if !path.contains(&edge.to) {
                path.push(edge.to);
                extend(net, map, path, kept);
                path.pop();
            }
        }
    }
    let mut kept = 0;
    if net.order() > 2 {
        extend(net, map, &mut vec![0], &mut kept);
    }
    kept
}
