//! Base boards: small rectangles covered by paths that begin and end at gates.
//!
//! A gate is a pair of squares: there the tour leaves the block, sees other parts of the board, and
//! comes back. To the search a gate is a vertex of its own, joined to its two squares, so that a
//! cover of the block by paths is one tour of a slightly larger graph, which `exact` finds. None is
//! written down here: each is found when it is first needed, by the same steps in every run.

use crate::budget::Budget;
use crate::driver::{Plan, Status};
use crate::graph::{Csr, Graph};
use crate::problem::{Goal, Problem};
use crate::run::Control;
use crate::solver::{Choice, Solver};
use crate::solvers::exact::Exact;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Row and column.
pub(super) type Cell = (u32, u32);

/// Searches before a block is given up: one with ties as they come, the others at random.
const TRIES: u64 = 12;
/// Leaves of one search.
const LEAVES: u64 = 6_400;
/// Tours of one search that pass a gate the wrong way.
const REJECTED: usize = 200;

/// Where a tour leaves a block, and where it comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gate {
    pub(super) out: Cell,
    pub(super) back: Cell,
}

/// What the paths of a block make up once its gates are passed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Cycle,
    Path { start: Option<Cell>, end: Option<Cell> },
}

/// A covered rectangle.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) rows: u32,
    pub(super) cols: u32,
    /// Paths in the order of the tour, a gate between each and the next. A cycle with gates begins
    /// at its first gate.
    pub(super) paths: Vec<Vec<Cell>>,
    /// The gates in the order in which the tour passes them.
    pub(super) passed: Vec<usize>,
    /// For each cell, row by row, its path and its place there.
    places: Vec<(u8, u32)>,
}

/// There is no such block, or none was found.
#[derive(Debug)]
pub(super) struct NotFound {
    pub(super) proof: bool,
}

impl Block {
    /// Covers a rectangle by paths.
    pub(super) fn find(
        (rows, cols): (u32, u32),
        gates: &[Gate],
        shape: Shape,
    ) -> Result<Block, NotFound> {
        let number = |(row, col): Cell| row * cols + col;
        let area = rows * cols;
        let doors: Vec<(u32, u32)> =
            gates.iter().map(|gate| (number(gate.out), number(gate.back))).collect();
        let goal = match shape {
            // A cycle may begin anywhere; at a gate is best.
            Shape::Cycle => (Goal::Closed, Some(if gates.is_empty() { 0 } else { area }), None),
            Shape::Path { start, end } => (Goal::Open, start.map(number), end.map(number)),
        };
        let graph = graph(rows, cols, &doors);
        let problem = Problem::new(graph, goal.0, goal.1, goal.2);
        let tour = search(&problem.map_err(|_| NotFound { proof: true })?, area, &doors)?;
        Ok(Block::cut(rows, cols, &tour))
    }

    /// Cuts a tour of the graph with gates into paths.
    fn cut(rows: u32, cols: u32, tour: &[u32]) -> Block {
        let area = rows * cols;
        let mut places = vec![(0, 0); area as usize];
        let mut paths = Vec::new();
        for path in tour.split(|&v| v >= area).filter(|path| !path.is_empty()) {
            for (at, &v) in path.iter().enumerate() {
                places[v as usize] = (paths.len() as u8, at as u32);
            }
            paths.push(path.iter().map(|v| (v / cols, v % cols)).collect());
        }
        let passed = tour.iter().filter(|&&v| v >= area).map(|v| (v - area) as usize).collect();
        Block { rows, cols, paths, passed, places }
    }

    /// The path that covers a cell, and where on it.
    pub(super) fn place(&self, (row, col): Cell) -> (usize, u64) {
        let (path, at) = self.places[(row * self.cols + col) as usize];
        (path.into(), at.into())
    }
}

/// The knight's graph of a rectangle, with a vertex for each gate.
fn graph(rows: u32, cols: u32, doors: &[(u32, u32)]) -> Graph {
    let mut edges = Vec::new();
    for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        for (up, right) in [(1, 2), (2, 1), (2, -1), (1, -2)] {
            let beside = col.checked_add_signed(right).filter(|&c| c < cols);
            if let Some(c) = beside.filter(|_| row + up < rows) {
                edges.push((row * cols + col, (row + up) * cols + c));
            }
        }
    }
    for (door, &(out, back)) in (rows * cols..).zip(doors) {
        edges.extend([(out, door), (door, back)]);
    }
    let order = rows as usize * cols as usize + doors.len();
    let names = (0..order).map(|v| v.to_string()).collect();
    Graph::File(Arc::new(Csr::new(format!("block {rows}x{cols}"), names, &edges)))
}

/// A tour that passes every gate from `out` to `back`.
fn search(problem: &Problem, area: u32, doors: &[(u32, u32)]) -> Result<Vec<u32>, NotFound> {
    let passes = |tour: &[u32]| {
        let before = |at: usize| tour[if at == 0 { tour.len() - 1 } else { at - 1 }];
        let well = |(at, &v): (usize, &u32)| v < area || before(at) == doors[(v - area) as usize].0;
        tour.iter().enumerate().all(well)
    };
    for seed in 0..TRIES {
        let ties = if seed == 0 { "ties=first" } else { "ties=random" };
        let prepared = Choice::new("exact", &[ties])
            .ok()
            .and_then(|choice| Exact.prepare(problem, &choice.values).ok())
            .ok_or(NotFound { proof: false })?;
        let (mut found, mut rejected) = (None, 0);
        let plan = Plan {
            problem,
            solver: "exact",
            prepared: &*prepared,
            seed,
            budget: Budget { attempts: Some(LEAVES), ..Budget::UNLIMITED },
            control: &Control::default(),
        };
        let report = plan.run(
            1,
            Some(&mut |tour, _| {
                if passes(tour.squares()) {
                    found = Some(tour.squares().to_vec());
                }
                rejected += 1;
                if found.is_some() || rejected == REJECTED {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            }),
        );
        match (found, report) {
            (Some(tour), _) => return Ok(tour),
            (None, Ok(report)) if report.status == Status::Complete => {
                return Err(NotFound { proof: true });
            }
            _ => {}
        }
    }
    Err(NotFound { proof: false })
}
