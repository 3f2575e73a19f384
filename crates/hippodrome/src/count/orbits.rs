//! Tours that a symmetry of the board maps to themselves, counted on the board folded up by it.
//!
//! A closed tour that a symmetry g keeps is turned along itself by g, or reversed.
//! *Turned*: the tour winds |g| times round a cycle of the folded board, whose squares are the orbits
//! of g. Such a cycle unfolds to one tour exactly if it comes back on another sheet: on an odd one,
//! for a half turn or a reflection (|g| = 2), and for a quarter turn (|g| = 4) as well, since 1 and 3 are
//! what generates the group. So these are half the difference between all cycles of the folded board and
//! the same sum with a minus for every step that changes the sheet by an odd number.
//! *Reversed* (|g| = 2): there are two fixed points along the tour, each a square that g keeps or a move
//! that it turns round. Between them lies a path over all of the folded board.
//! An open tour can only be reversed, and has one such point in its middle.

use super::run::CountContext;
use super::task::Task;
use super::watch::StopReason;
use super::weighted_graph::WeightedGraph;
use num_bigint::BigInt;

/// Cycles of at most this many vertices are listed: folded by a quarter turn, eight vertices become two, and a cycle
/// needs three.
const LISTED: usize = 8;

/// A board folded up by a symmetry.
struct Folded {
    /// Orbits joined by as many edges as lead from one to the other.
    all: WeightedGraph,
    /// The same, an edge that changes the sheet by an odd number counted as -1.
    signed: WeightedGraph,
    /// Orbits of one vertex.
    fixed: Vec<usize>,
    /// Orbits of two vertices that are joined.
    turned: Vec<usize>,
    /// Whether all orbits are as large as the symmetry's order.
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
                // From the larger orbit every edge between the two is seen once.
                folded.all.join(here, there, 1);
                folded.signed.join(here, there, if sheet[edge.to] % 2 == 0 { 1 } else { -1 });
            }
        }
    }
    folded.signed = folded.signed.without_void();
    folded
}

/// What the tasks on a folded board share with the one on the board.
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
        let task =
            Task { net, orders, maps: Vec::new(), turns: Vec::new(), line: 1, many_cycles: false };
        let plans = task.plans().map_err(StopReason::Slots)?;
        task.run::<i128>(&plans[0], self.context)
    }

    /// Closed tours that a symmetry keeps.
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

    /// Open tours that a symmetry reverses.
    pub fn open(&self, map: &[usize]) -> Result<BigInt, StopReason> {
        let folded = fold(&self.task.net, map);
        let mut kept = BigInt::ZERO;
        if order_of(map) == 2 && folded.fixed.len() <= 1 && folded.first.len() > 1 {
            // A square that stays where it is can only be the middle.
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

/// Lists the Hamiltonian cycles of a tiny graph and counts those that a map keeps.
fn kept_of_list(net: &WeightedGraph, map: &[usize]) -> u32 {
    fn extend(net: &WeightedGraph, map: &[usize], path: &mut Vec<usize>, kept: &mut u32) {
        let (last, whole) = (path[path.len() - 1], path.len() == net.order());
        for edge in net.near(last) {
            // Each cycle is met in both directions: take the one whose second vertex is the smaller.
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
