//! Aids for ants: stop an ant whose path is hopeless, or rotate the path of a stuck ant.
//!
//! A rotation begins at the head of the path, where the ant is stuck, and picks an earlier square of the path
//! that is one move away. The part of the path after that square is reversed. The square that used to follow
//! it becomes the new head, and the ant continues from there. Rotations after which the ant can move are
//! preferred. Among these the new edge is chosen by its pheromone, or uniformly if there is none. The start
//! square is kept.
//! Source: Hingston & Kendall (2005), Section 5, "a local search component"; the rotation is Pósa's
//! (1976).
//! Cost: O(degree squared) to choose a rotation, plus the length of the reversed part.
//! Departures: (1) the paper does not specify the local search; (2) deposits depend on the final path and its
//! length, even if the ant was stopped; (3) the path of a stopped ant is not rotated, even if a rotation
//! might complete it.

use super::PlainColony;
use super::hopeless::{Hopeless, Outlook};
use crate::board::{Graph, Square};
use crate::solvers::rotation::rotate;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The aids that the ants of a colony get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aids {
    /// Which partial tours are abandoned as hopeless.
    pub hopeless: Hopeless,
    /// Maximum number of rotations per ant.
    pub rotations: u64,
}

impl Aids {
    /// No aids, as in the papers.
    pub const NONE: Aids = Aids { hopeless: Hopeless::Off, rotations: 0 };
}

/// Counters of the aids, summed over all ants of a colony.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Helped {
    /// Number of ants that were stopped as hopeless.
    pub given_up: u64,
    /// Sum over those ants of the number of squares that each had not visited.
    pub left: u64,
    /// Number of rotations made.
    pub turns: u64,
    /// Number of complete tours by ants that made at least one rotation.
    pub turned_tours: u64,
}

/// State of the aids of a colony.
pub(super) struct Aided {
    aids: Aids,
    outlook: Outlook,
    /// Index of the reverse of each edge.
    back: Vec<u32>,
    /// Position of each visited square in the path.
    place: Vec<u32>,
    /// Candidate edges for a rotation, with running sums of their weights.
    ways: Vec<(u32, f64)>,
    pub(super) helped: Helped,
}

impl Aided {
    pub(super) fn new(graph: &Graph, rows: &[u32], targets: &[Square], aids: Aids) -> Aided {
        let whole = rows.windows(2).map(|r| r[1] - r[0]).collect();
        let row = |s: Square| rows[s.index()] as usize..rows[s.index() + 1] as usize;
        let lead_back = |from: Square, edge: usize| {
            let there = row(targets[edge]);
            let back = targets[there.clone()].iter().position(|&s| s == from);
            (there.start + back.expect("moves lead both ways")) as u32
        };
        let squares = Square::below(graph.len());
        let back = match aids.rotations {
            0 => Vec::new(),
            _ => squares
                .flat_map(|s| row(s).map(move |e| (s, e)))
                .map(|(s, e)| lead_back(s, e))
                .collect(),
        };
        Aided {
            aids,
            outlook: Outlook::new(whole, graph.order()),
            back,
            place: vec![0; graph.len()],
            ways: Vec::new(),
            helped: Helped::default(),
        }
    }
}

// The aids of a colony, kept apart from the steps of the paper.
impl PlainColony {
    fn near(&self, square: Square) -> &[Square] {
        &self.targets[self.row(square)]
    }

    /// Sends one ant until it is stopped, or until it is stuck and no rotation is left. Returns the number of
    /// its moves; each rotation counts as one move.
    pub(super) fn walk_aided<const GUIDED: bool>(
        &mut self,
        aided: &mut Aided,
        start: Square,
        rng: &mut Xoshiro256PlusPlus,
    ) -> u64 {
        let mut sums = std::mem::take(&mut self.sums);
        self.free.fill(1.0);
        self.path.clear();
        self.used.clear();
        aided.outlook.reset();
        self.enter(start, aided);
        let (mut here, mut turns) = (start, 0);
        while !self.is_hopeless(here, aided) {
            // A rotation changes only the head, so the outlook need not be updated until the next
            // step.
            let next = loop {
                let next = self.choose::<GUIDED>(here, &mut sums, rng);
                let full = self.path.len() == self.order;
                if next.is_some() || full || turns == aided.aids.rotations {
                    break next;
                }
                let Some(edge) = self.choose_turn(here, aided, rng) else { break None };
                here = self.turn(edge, aided);
                turns += 1;
            };
            let Some(edge) = next else { break };
            self.used.push(edge as u32);
            here = self.targets[edge];
            self.enter(here, aided);
        }
        self.sums = sums;
        aided.helped.turns += turns;
        aided.helped.turned_tours += u64::from(turns > 0 && self.path.len() == self.order);
        self.used.len() as u64 + turns
    }

    fn enter(&mut self, square: Square, aided: &mut Aided) {
        self.free[square.index()] = 0.0;
        aided.place[square.index()] = self.path.len() as u32;
        self.path.push(square);
        if aided.aids.hopeless != Hopeless::Off {
            aided.outlook.visit(square, &self.targets[self.row(square)], &self.free);
        }
    }

    /// Returns whether the ant that has just moved to `head` is stopped as hopeless.
    fn is_hopeless(&self, head: Square, aided: &mut Aided) -> bool {
        let outlook = &mut aided.outlook;
        let hopeless = match aided.aids.hopeless {
            Hopeless::Off => false,
            Hopeless::DeadEnds => outlook.has_dead_ends(),
            Hopeless::Connected => {
                outlook.has_dead_ends() || outlook.is_cut(head, |s| self.near(s), &self.free)
            }
        };
        // A stuck ant does not count as stopped, because stopping it saves nothing.
        let given_up = hopeless && self.near(head).iter().any(|&s| self.free[s.index()] > 0.0);
        if given_up {
            aided.helped.given_up += 1;
            aided.helped.left += outlook.left() as u64;
        }
        given_up
    }

    /// Chooses an edge for a rotation, from the head where the ant is stuck to an earlier square of the path.
    fn choose_turn(
        &self,
        head: Square,
        aided: &mut Aided,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<usize> {
        let Aided { ways, back, place, .. } = aided;
        let last = self.path.len() - 1;
        let after = |edge: usize| self.path[place[self.targets[edge].index()] as usize + 1];
        let goes_on =
            |edge: &usize| self.near(after(*edge)).iter().any(|&s| self.free[s.index()] > 0.0);
        // Rotating at the square before the head changes nothing.
        let turns = self.row(head).filter(|&e| after(e) != head);
        let any = turns.clone().any(|e| goes_on(&e));
        ways.clear();
        let mut sum = 0.0;
        for edge in turns.filter(|e| !any || goes_on(e)) {
            sum += self.weights[back[edge] as usize];
            ways.push((edge as u32, sum));
        }
        debug_assert_eq!(self.path[last], head);
        let point = sum * rng.random::<f64>();
        let at = ways.iter().filter(|way| way.1 <= point).count();
        match ways.len() {
            0 => None,
            count if at == count => Some(ways[rng.random_range(0..count)].0 as usize),
            _ => Some(ways[at].0 as usize),
        }
    }

    /// Rotates the path along an edge from its head; returns the new head.
    fn turn(&mut self, edge: usize, aided: &mut Aided) -> Square {
        let at = aided.place[self.targets[edge].index()] as usize;
        let end = self.path.len();
        rotate(&mut self.path, &mut aided.place, at + 1..end);
        self.used[at] = aided.back[edge];
        self.used[at + 1..].reverse();
        self.used[at + 1..].iter_mut().for_each(|edge| *edge = aided.back[*edge as usize]);
        self.path[self.path.len() - 1]
    }
}
