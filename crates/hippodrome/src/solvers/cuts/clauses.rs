//! The clauses of a 2-factor: exactly two edges at every vertex, and cuts.
//!
//! If a vertex has at most [`PAIRWISE_UP_TO`] edges, one clause per triple of edges forbids choosing all
//! three, and one clause per edge requires at least one of the other edges. If it has more, additional
//! variables count the chosen edges one after another (Sinz 2005), so that the number of clauses is linear in
//! the degree.

use super::sat::Sat;
use crate::search::StopCheck;
use crate::solvers::two_factor::{FactorGraph, TwoFactor};
use std::ops::ControlFlow;

/// Maximum number of edges of a vertex that gets no counter. Measured on graphs of degree 14: with clauses on
/// triples the solver takes half the time. Above 20 edges there would be thousands of such clauses per
/// vertex.
const PAIRWISE_UP_TO: usize = 20;

/// A satisfiability problem whose models are 2-factors.
pub(super) struct Encoding<'a> {
    graph: &'a FactorGraph,
    sat: Sat<'a>,
}

/// Returns the literal that says that an edge is chosen. Variables are numbered from 1; a negative number is
/// a negated literal.
fn literal(edge: u32) -> i32 {
    edge as i32 + 1
}

impl<'a> Encoding<'a> {
    pub fn new(graph: &'a FactorGraph, stop_check: &'a StopCheck<'a>) -> Encoding<'a> {
        let mut sat = Sat::new(graph.ends.len(), stop_check);
        for v in 0..graph.order() as u32 {
            let edges: Vec<i32> = graph.arcs(v).iter().map(|&(_, edge)| literal(edge)).collect();
            exactly_two(&mut sat, &edges);
        }
        Encoding { graph, sat }
    }

    /// Returns the edges of a 2-factor that satisfies all clauses; `None` if there is none. Breaks if the
    /// search is stopped.
    pub fn model(&mut self) -> ControlFlow<(), Option<Vec<u32>>> {
        match self.sat.solve() {
            None => ControlFlow::Break(()),
            Some(false) => ControlFlow::Continue(None),
            Some(true) => {
                let all = 0..self.graph.ends.len() as u32;
                let chosen = all.filter(|&edge| self.sat.value(literal(edge)));
                ControlFlow::Continue(Some(chosen.collect()))
            }
        }
    }

    /// Excludes one 2-factor.
    pub fn exclude(&mut self, edges: &[u32]) {
        let clause: Vec<i32> = edges.iter().map(|&edge| -literal(edge)).collect();
        self.sat.add(&clause);
    }

    /// Adds a clause for every cycle: some chosen edge must leave the cycle. Returns the number of clauses,
    /// which is 0 if there is only one cycle.
    pub fn cut(&mut self, factor: &TwoFactor) -> u64 {
        let mut cycle = vec![u32::MAX; self.graph.order()];
        let mut cycles = 0;
        for v in 0..self.graph.order() {
            if cycle[v] == u32::MAX {
                for w in factor.along(v as u32, factor.mates[v][0]) {
                    cycle[w as usize] = cycles;
                }
                cycles += 1;
            }
        }
        if cycles == 1 {
            return 0;
        }
        let mut leaving = vec![Vec::new(); cycles as usize];
        for (edge, &[a, b]) in (0..).zip(&self.graph.ends) {
            let [a, b] = [a, b].map(|v| cycle[v as usize]);
            if a != b {
                leaving[a as usize].push(literal(edge));
                leaving[b as usize].push(literal(edge));
            }
        }
        // If there are two cycles, both have the same leaving edges.
        leaving.truncate(if cycles == 2 { 1 } else { cycles as usize });
        for clause in &leaving {
            self.sat.add(clause);
        }
        leaving.len() as u64
    }
}

fn exactly_two(sat: &mut Sat<'_>, edges: &[i32]) {
    if edges.len() > PAIRWISE_UP_TO {
        return count_two(sat, edges);
    }
    for (left_out, _) in edges.iter().enumerate() {
        let others: Vec<i32> =
            edges.iter().enumerate().filter(|&(at, _)| at != left_out).map(|(_, &e)| e).collect();
        sat.add(&others);
    }
    if edges.len() < 2 {
        sat.add(&[]);
    }
    for (third, &c) in edges.iter().enumerate() {
        for (second, &b) in edges[..third].iter().enumerate() {
            for &a in &edges[..second] {
                sat.add(&[-a, -b, -c]);
            }
        }
    }
}

/// Requires that exactly two edges are chosen, by means of a counter. After each edge, variable `n` of a row
/// says that more than `n` of the edges so far are chosen.
fn count_two(sat: &mut Sat<'_>, edges: &[i32]) {
    let mut before: Vec<i32> = Vec::new();
    for (index, &edge) in edges.iter().enumerate() {
        let row: Vec<i32> = (0..(index + 1).min(3)).map(|_| sat.variable()).collect();
        for (n, &more) in row.iter().enumerate() {
            let same = before.get(n).copied();
            let fewer = n.checked_sub(1).map(|n| before[n]);
            // The variable holds if and only if it held before this edge, or this edge is chosen and raises
            // the count.
            if let Some(same) = same {
                sat.add(&[-same, more]);
            }
            let one_more: Vec<i32> = [-edge, more].into_iter().chain(fewer.map(|f| -f)).collect();
            sat.add(&one_more);
            let by_edge: Vec<i32> = [-more, edge].into_iter().chain(same).collect();
            sat.add(&by_edge);
            if let Some(fewer) = fewer {
                let by_fewer: Vec<i32> = [-more, fewer].into_iter().chain(same).collect();
                sat.add(&by_fewer);
            }
        }
        before = row;
    }
    sat.add(&[before[1]]);
    sat.add(&[-before[2]]);
}
