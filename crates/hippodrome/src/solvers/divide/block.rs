//! Base boards: small rectangles covered by paths that begin and end at gates.
//!
//! A gate is a pair of squares: the tour leaves the block by one, visits other parts of the board,
//! and returns by the other. For the search a gate is an extra vertex adjacent to its two squares.
//! So a cover of the block by paths becomes one tour of a slightly larger graph, which `exact` finds. No
//! block is stored in the program: each is searched for when it is first needed, with the same result in
//! every run.

use crate::board::{Csr, Graph, Square};
use crate::problem::{Goal, Problem};
use crate::search::{Budget, Control, Driver, Params, Status};
use crate::solvers::exact::{self, ExactParams, VertexTies};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Row and column.
pub(super) type Coord = (u32, u32);

/// Maximum number of searches per block: the first breaks ties by order, the others at random. Measured: many
/// short searches find more blocks than few long ones (12 searches of 6,400 leaves were tried). If all
/// searches for a block fail, they take about 50 ms; they cannot be interrupted.
const TRIES: u64 = 16;
/// Maximum number of leaves per search; see [`TRIES`].
const LEAVES: u64 = 800;
/// Maximum number of moves in all searches for a block. Measured on 4x101: the construction succeeds from 120
/// start squares; with half the moves, from 116.
const MOVES: u64 = 1 << 18;
/// Maximum number of moves per square, for large blocks that need more than [`MOVES`]. Chosen by hand.
const MOVES_EACH: u64 = 8;
/// Maximum number of tours in one search that may be rejected because they pass a gate in the wrong
/// direction. Chosen by hand, not tuned.
const MISFITS: usize = 200;

/// The squares by which a tour leaves a block and returns to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BlockGate {
    pub(super) out: Coord,
    pub(super) back: Coord,
}

/// The route formed by the paths of a block and its gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum RouteShape {
    Cycle,
    Path { start: Option<Coord>, end: Option<Coord> },
}

/// A rectangle covered by paths.
#[derive(Debug)]
pub(super) struct BaseBoard {
    pub(super) rows: u32,
    pub(super) cols: u32,
    /// Paths in the order of the tour, with a gate between each path and the next. A cycle with
    /// gates begins after its first gate.
    pub(super) paths: Vec<Vec<Coord>>,
    /// The gates in the order in which the tour passes them, and whether it passes each in the reverse
    /// direction.
    pub(super) passed: Vec<(usize, bool)>,
    /// For each cell, row by row: its path, and its index in that path.
    places: Vec<(u8, u32)>,
}

/// Size, gates, shape, and whether gates are one-way.
type BlockKey = ((u32, u32), Vec<BlockGate>, RouteShape, bool);

type Answer = Result<Arc<BaseBoard>, NotFound>;

/// The blocks found so far, and those for which the search failed. Boards share most of them.
static KNOWN: LazyLock<Mutex<HashMap<BlockKey, Answer, FixedState>>> =
    LazyLock::new(Mutex::default);
/// Maximum number of stored blocks. Limited by memory: at most about 20 MB.
const KEPT: usize = 4096;
/// Maximum number of squares of a stored block. Chosen by hand: larger blocks are heads, which boards rarely
/// share.
const KEPT_AREA: u32 = 256;

/// Failure to find a block: none exists, or the search gave up.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotFound {
    pub(super) proof: bool,
}

impl BaseBoard {
    fn new(
        (rows, cols): (u32, u32),
        paths: Vec<Vec<Coord>>,
        passed: Vec<(usize, bool)>,
    ) -> BaseBoard {
        let mut places = vec![(0, 0); (rows * cols) as usize];
        for (path, cells) in paths.iter().enumerate() {
            for (at, &(row, col)) in cells.iter().enumerate() {
                places[(row * cols + col) as usize] = (path as u8, at as u32);
            }
        }
        let block = BaseBoard { rows, cols, paths, passed, places };
        #[cfg(debug_assertions)]
        crate::solvers::sanity::assert_sane(block.sanity());
        block
    }

    /// Checks a block: it has at most four paths of knight's moves, they cover every cell once, and
    /// `places` matches them. Cost: O(cells).
    #[cfg(any(test, debug_assertions))]
    fn sanity(&self) -> Result<(), String> {
        use crate::solvers::sanity::ensure;
        ensure!(self.paths.len() <= 4, "{} paths", self.paths.len());
        let mut covered = 0;
        for (path, cells) in self.paths.iter().enumerate() {
            for (at, &(row, col)) in cells.iter().enumerate() {
                ensure!(row < self.rows && col < self.cols, "({row}, {col}) is outside");
                let place = self.place((row, col));
                ensure!(place == (path, at as u64), "({row}, {col}) is at {place:?}");
            }
            let is_move =
                |pair: &[Coord]| pair[0].0.abs_diff(pair[1].0) * pair[0].1.abs_diff(pair[1].1) == 2;
            ensure!(cells.windows(2).all(is_move), "path {path} makes other moves than a knight's");
            covered += cells.len();
        }
        ensure!(covered == self.places.len(), "{covered} cells are covered");
        Ok(())
    }

    /// Covers a rectangle by paths, or returns a stored cover. With `strict` the tour passes every
    /// gate from `out` to `back`.
    pub(super) fn find(
        size: (u32, u32),
        gates: Vec<BlockGate>,
        shape: RouteShape,
        strict: bool,
    ) -> Answer {
        let key = (size, gates, shape, strict);
        let lock = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        let answer = BaseBoard::search(size, &key.1, shape, strict).map(Arc::new);
        let mut known = lock();
        if known.len() < KEPT && (answer.is_err() || size.0 * size.1 <= KEPT_AREA) {
            known.insert(key, answer.clone());
        }
        answer
    }

    fn search(
        (rows, cols): (u32, u32),
        gates: &[BlockGate],
        shape: RouteShape,
        strict: bool,
    ) -> Result<BaseBoard, NotFound> {
        let number = |(row, col): Coord| row * cols + col;
        let doors: Vec<Door> =
            gates.iter().map(|gate| (number(gate.out), number(gate.back))).collect();
        let (goal, start, end) = match shape {
            // A cycle may begin anywhere; here it begins at a gate if there is one.
            RouteShape::Cycle if gates.is_empty() => (Goal::Closed, Some(0), None),
            RouteShape::Cycle => (Goal::Closed, Some(rows * cols), None),
            RouteShape::Path { start, end } => (Goal::Open, start.map(number), end.map(number)),
        };
        let (start, end) = (start.map(Square::new), end.map(Square::new));
        let problem = Problem::new(graph(rows, cols, &doors), goal, start, end)
            .map_err(|_| NotFound { proof: true })?;
        let fits = |tour: &[u32]| {
            !strict || passed(tour, rows * cols, &doors).all(|(_, wrong_way)| !wrong_way)
        };
        let tour = first(&problem, fits)?;
        let passed = passed(&tour, rows * cols, &doors).collect();
        let paths = tour.split(|&v| v >= rows * cols).filter(|path| !path.is_empty());
        let paths = paths.map(|path| path.iter().map(|v| (v / cols, v % cols)).collect()).collect();
        Ok(BaseBoard::new((rows, cols), paths, passed))
    }

    /// Covers a block of four rows in two halves. In each column a half has one outer square and the
    /// adjacent inner square; the side alternates from column to column. Moves from an outer square
    /// stay in its half and lead to an inner square one or two columns away. Each half has an
    /// outbound and an inbound path; in the last block of the arm it has a single path.
    ///
    /// ```text
    ///    o · o · o ·      An arm enters the half `o` by the inner square of the first column, leaves
    ///    o · o · o ·      by the outer square of the last, returns by the inner one, and leaves
    ///    · o · o · o      the block by the outer square of the first column.
    ///    · o · o · o
    /// ```
    pub(super) fn halves(cols: u32, ends: bool) -> Result<BaseBoard, NotFound> {
        let outer = |col: u32| (if col.is_multiple_of(2) { 0 } else { 3 }, col);
        let inner = |col: u32| (if col.is_multiple_of(2) { 1 } else { 2 }, col);
        let half = if ends {
            // Outer squares have even numbers, inner squares odd numbers.
            let near =
                |col: u32| (col.saturating_sub(2)..cols.min(col + 3)).filter(move |&c| c != col);
            let edges: Vec<_> =
                (0..cols).flat_map(|col| near(col).map(move |c| (2 * col, 2 * c + 1))).collect();
            let names = (0..2 * cols).map(|v| v.to_string()).collect();
            let graph = Graph::File(Arc::new(Csr::new("half of a block".into(), names, &edges)));
            let problem =
                Problem::new(graph, Goal::Open, Some(Square::new(1)), Some(Square::new(0)))
                    .map_err(|_| NotFound { proof: true })?;
            let cell = |&v: &u32| if v % 2 == 0 { outer(v / 2) } else { inner(v / 2) };
            [first(&problem, |_| true)?.iter().map(cell).collect(), Vec::new()]
        } else {
            let out = |col: u32| if col.is_multiple_of(2) { inner(col) } else { outer(col) };
            let back = |col: u32| if col.is_multiple_of(2) { outer(col) } else { inner(col) };
            [(0..cols).map(out).collect(), (0..cols).rev().map(back).collect::<Vec<Coord>>()]
        };
        let flipped = half.each_ref().map(|path: &Vec<Coord>| {
            path.iter().map(|&(row, col)| (3 - row, col)).collect::<Vec<Coord>>()
        });
        let paths = half.into_iter().chain(flipped).collect();
        Ok(BaseBoard::new((4, cols), paths, Vec::new()))
    }

    /// Returns the path that covers a cell, and the index of the cell in it.
    pub(super) fn place(&self, (row, col): Coord) -> (usize, u64) {
        let (path, at) = self.places[(row * self.cols + col) as usize];
        (path.into(), at.into())
    }
}

/// The numbers of the two squares of a gate: the one out and the one back.
type Door = (u32, u32);

/// Builds the knight's graph of a rectangle, with one extra vertex per gate.
fn graph(rows: u32, cols: u32, doors: &[Door]) -> Graph {
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

/// Returns the gates that a tour of that graph passes, each with whether it is passed in the wrong direction.
fn passed(tour: &[u32], area: u32, doors: &[Door]) -> impl Iterator<Item = (usize, bool)> {
    tour.iter().enumerate().filter(move |(_, v)| **v >= area).map(move |(at, v)| {
        let gate = (v - area) as usize;
        let before = tour[if at == 0 { tour.len() - 1 } else { at - 1 }];
        (gate, before != doors[gate].0)
    })
}

/// Returns the vertices of the first tour that satisfies `fits`.
fn first(problem: &Problem, fits: impl Fn(&[u32]) -> bool) -> Result<Vec<u32>, NotFound> {
    let mut left = MOVES.max(problem.graph().order() as u64 * MOVES_EACH);
    for seed in 0..TRIES {
        let ties = if seed == 0 { VertexTies::First } else { VertexTies::Random };
        let params = ExactParams { ties, ..ExactParams::defaults() };
        let prepared = exact::ready(problem, &params).map_err(|_| NotFound { proof: false })?;
        let plan = Driver {
            problem,
            solver: "exact",
            prepared: &*prepared,
            seed,
            budget: Budget { attempts: Some(LEAVES), moves: Some(left), ..Budget::UNLIMITED },
            control: &Control::default(),
        };
        let (mut found, mut seen) = (None, 0);
        let report = plan.run(
            1,
            Some(&mut |tour, _| {
                seen += 1;
                let vertices: Vec<u32> = tour.squares().iter().map(|v| v.number()).collect();
                if fits(&vertices) {
                    found = Some(vertices);
                } else if seen < MISFITS {
                    return ControlFlow::Continue(());
                }
                ControlFlow::Break(())
            }),
        );
        if let Some(tour) = found {
            return Ok(tour);
        }
        let report = report.map_err(|_| NotFound { proof: false })?;
        if report.status == Status::Complete {
            return Err(NotFound { proof: true });
        }
        left = left.saturating_sub(report.stats.moves);
        if left == 0 {
            break;
        }
    }
    Err(NotFound { proof: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_faults_are_found() {
        let sound = || BaseBoard::search((5, 6), &[], RouteShape::Cycle, false).unwrap();
        assert_eq!(sound().sanity(), Ok(()));
        type Planted = fn(&mut BaseBoard);
        let faults: [(Planted, &str); 4] = [
            (|b| _ = b.paths[0].pop(), "29 cells"),
            (|b| b.paths[0].swap(3, 4), "is at"),
            (|b| b.paths[0].push((5, 0)), "outside"),
            (|b| b.paths.extend([(); 4].map(|()| Vec::new())), "5 paths"),
        ];
        for (fault, named) in faults {
            let mut broken = sound();
            fault(&mut broken);
            let found = broken.sanity().unwrap_err();
            assert!(found.contains(named), "{found}");
        }
        let mut jumps = sound();
        jumps.paths[0].swap(3, 4);
        let [a, b] = [3, 4].map(|at| jumps.paths[0][at]);
        for (at, (row, col)) in [(3, a), (4, b)] {
            jumps.places[(row * 6 + col) as usize] = (0, at);
        }
        assert!(jumps.sanity().unwrap_err().contains("other moves"));
    }
}
