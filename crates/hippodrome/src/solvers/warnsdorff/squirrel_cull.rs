//! Squirrel & Cull's tie-breaks: move orders that switch when the knight stands on given squares.
//!
//! The rule applies to an m x m board, m ≥ 5, with the start in the corner (1,1). The table is from the
//! authors, by m modulo 8 (or 16). Rows and columns count from 1 at the start corner, and moves 1 to 8 are
//! our move numbers 0 to 7. The authors claim a tour for m ≥ 112; the rule finds one for all m from 5 to 420
//! except 74.

use super::terrain::{OnwardCount, PaddedTerrain, Terrain};
use super::walk::{conclude, follow};
use crate::board::{Graph, Square, Symmetry};
use crate::problem::Problem;
use crate::search::{MoveOption, Run, SearchEvent, TieBreaker, Unsupported};
use std::ops::ControlFlow;

/// The move orders of one board size.
pub(super) struct Schedule {
    graph: Graph,
    side: u32,
    /// Move orders; each except the first has the (row, column) where it begins.
    stages: Vec<((i64, i64), &'static str)>,
}

impl Schedule {
    /// Creates the schedule of a square board for the knight.
    pub(super) fn new(graph: &Graph) -> Result<Schedule, Unsupported> {
        let square =
            |b: &&crate::board::Board| b.rows() == b.cols() && b.rows() >= 5 && b.is_full();
        let board =
            graph.board().filter(square).filter(|_| graph.piece().is_some_and(|p| p.is_knight()));
        let Some(board) = board else {
            return Err(Unsupported(
                "squirrel-cull is for knights on full square boards of at least 5x5; use ties=pohl or ties=roth".into(),
            ));
        };
        let m = i64::from(board.rows());
        Ok(Schedule { graph: graph.clone(), side: board.rows(), stages: stages(m) })
    }

    /// Returns the corners that a tour of the problem may start from.
    pub(super) fn corners(&self, problem: &Problem) -> Vec<Square> {
        let side = self.side;
        let corners = [0, side - 1, side * (side - 1), side * side - 1].map(Square::new);
        corners.into_iter().filter(|&s| problem.start().is_none_or(|start| start == s)).collect()
    }

    /// Returns the symmetry that maps a1 to the corner `start`.
    fn corner(&self, start: Square) -> Option<Symmetry> {
        let board = self.graph.board()?;
        use Symmetry::{HalfTurn, Identity, LeftRight, TopBottom};
        [Identity, LeftRight, TopBottom, HalfTurn]
            .into_iter()
            .find(|s| s.apply(board, Square::default()) == start)
    }

    /// Makes one walk from the corner `start`.
    pub(super) fn walk(&self, start: Square, run: &mut Run<'_>) -> ControlFlow<()> {
        let orders: Vec<Vec<usize>> = self
            .stages
            .iter()
            .map(|(_, order)| order.bytes().map(|b| usize::from(b - b'1')).collect())
            .collect();
        let terrains: Vec<PaddedTerrain> =
            orders.iter().filter_map(|order| PaddedTerrain::new(&self.graph, order)).collect();
        let (Some(terrain), Some(turn)) = (terrains.first(), self.corner(start)) else {
            return ControlFlow::Continue(());
        };
        let triggers: Vec<Option<usize>> =
            self.stages.iter().map(|(at, _)| self.place(terrain, *at)).collect();
        let mut stage = 0;
        let mut current = terrain;
        let next = |counts: &[u8], here: usize, _: usize, _: &mut Run<'_>| {
            if triggers.get(stage + 1) == Some(&Some(here)) {
                stage += 1;
                current = &terrains[stage];
            }
            // `min_by_key` returns the first minimum, so the move order of the stage breaks ties.
            let best = current.near(here).min_by_key(|&p| counts[p]);
            ControlFlow::Continue(best.filter(|&p| counts[p] != u8::BLOCKED))
        };
        let corner = terrain.place(Square::default());
        let (mut path, charged) =
            follow::<_, false>(terrain, &mut terrain.counts(), corner, run, next)?;
        if let (Some(board), true) = (self.graph.board(), turn != Symmetry::Identity) {
            path.iter_mut().for_each(|s| *s = turn.apply(board, *s));
        }
        if run.is_watched() {
            self.show(&path, run)?;
        }
        conclude(path, charged, terrain.order(), run)
    }

    /// Sends the choices of a finished walk. The order of a stage decides ties.
    fn show(&self, path: &[Square], run: &mut Run<'_>) -> ControlFlow<()> {
        let mut free = vec![true; self.graph.len()];
        run.event(&SearchEvent::Start { square: path[0] })?;
        for (at, &from) in path.iter().enumerate() {
            free[from.index()] = false;
            run.event(&SearchEvent::Path(&path[..=at]))?;
            let near = |square: Square| self.graph.neighbours(square).filter(|s| free[s.index()]);
            let Some(&chosen) = path.get(at + 1) else { continue };
            let options: Vec<MoveOption> = near(from)
                .map(|square| {
                    let onward = near(square).count() as u32;
                    MoveOption { square, onward, second: None }
                })
                .collect();
            let (step, ties) = (at + 1, TieBreaker::Order);
            run.event(&SearchEvent::Choice { step, from, options: &options, chosen, ties })?;
        }
        if path.len() < self.graph.order() {
            let square = path[path.len() - 1];
            run.event(&SearchEvent::DeadEnd { square, visited: path.len() })?;
        }
        ControlFlow::Continue(())
    }

    /// Returns the place of a square given by row and column from 1; `None` if it is off the board.
    fn place(&self, terrain: &PaddedTerrain, (row, col): (i64, i64)) -> Option<usize> {
        let on = |at: i64| u32::try_from(at - 1).ok().filter(|&at| at < self.side);
        Some(terrain.place(Square::new(on(row)? * self.side + on(col)?)))
    }
}

fn stages(m: i64) -> Vec<((i64, i64), &'static str)> {
    let first = |order| ((0, 0), order);
    match m % 8 {
        0 => vec![
            first("34261578"),
            ((m - 1, m - 2), "87642135"),
            ((2, 2), "51867342"),
            ((m - 8, 1), "51342678"),
            ((7, m - 3), "21435678"),
        ],
        1 => vec![
            first("34261578"),
            ((m - 1, m - 2), "87642135"),
            ((2, 2), "51324678"),
            ((m - 6, (m + 9) / 2), "32481765"),
        ],
        2 => vec![
            first("34261578"),
            ((6, 1), "87642135"),
            ((3, 1), "54132678"),
            ((m - 15, 4), "52431678"),
            ((10, m - 2), "85647123"),
            ((5, (m - 6) / 2), "15746823"),
        ],
        3 => vec![
            first("34625718"),
            ((m - 1, m - 2), "42681357"),
            ((m - 6, m), "86512347"),
            ((2, 5), "51867342"),
            ((m - 10, 3), "61825437"),
            (((m + 1) / 2, m - 2), "71642538"),
        ],
        4 => vec![
            first("34261578"),
            ((m - 1, m - 2), "87642135"),
            ((2, 2), "51867342"),
            ((m - 8, 1), "51342678"),
            ((10, m - 5), "86753421"),
            ((13, (m + 2) / 2), "78563421"),
        ],
        5 => vec![
            first("34261578"),
            ((m - 1, m - 2), "87642135"),
            ((2, 2), "51324678"),
            ((m - 2, if m % 16 == 5 { (m - 5) / 2 } else { (m - 13) / 2 }), "15234678"),
        ],
        6 => vec![
            first("34261578"),
            ((6, 1), "87642135"),
            ((3, 1), "54132678"),
            ((m - 10, 1), "52431678"),
            ((10, m - 2), "85647123"),
            ((3, (m + 8) / 2), "12453678"),
        ],
        _ => vec![
            first("34625718"),
            ((m - 1, m - 2), "42681357"),
            ((m - 6, m), "86512347"),
            ((2, 5), "51867342"),
            ((m - 6, 3), "61825437"),
            (((m + 1) / 2, m - 2), "61357284"),
        ],
    }
}
