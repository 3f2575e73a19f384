//! The order in which the squares of a cover are decided, and the states between the steps.
//!
//! ```text
//!   · · · · · · · ·      Squares are decided line by line, within a line in mirror-image pairs.
//!   1 0 2 0 0 1 0 0      Deciding a square chooses its moves to undecided squares. A state holds
//!   0 1 0 2 1 0 2 0      the number of moves (0, 1, 2) from decided squares (▪) to each undecided
//!   ▪ ▪ · · · · ▪ ▪      one, as ternary digits for at most 16 squares, and the number of path
//!   ▪ ▪ ▪ ▪ ▪ ▪ ▪ ▪      ends decided so far.
//! ```
//!
//! Lines are parallel to the shorter side. An open tour is a cycle through an extra vertex joined to every
//! square; an end of the tour has a move to that vertex. A square that the problem fixes as an end needs only
//! one other move.

use super::ranking::{ENDS_AT, StateRanking};
use crate::board::{Board, Graph, Square};
use crate::problem::Problem;
use crate::search::Unsupported;

/// Largest number of squares in a state: two lines of eight. Bitmaps of 3^16 states take 5 MiB; 3^18, for nine
/// columns, would need wider numbers and tables nine times as large.
const MOST_DIGITS: usize = 16;
/// Largest number of squares on a board: longer boards have too many covers, or none. Chosen by hand, far
/// above the size of boards whose tables can be made.
const MOST_SQUARES: usize = 1024;
/// Largest number of places in a key, two bits each; the bits above them hold the number of ends.
const PLACES: usize = 30;
/// Largest number of choices per step: their codes must fit into an arc.
pub(super) const MOST_CODES: usize = 1 << 12;

/// The number of a vertex: squares are numbered consecutively, and the extra vertex comes last.
pub(super) type SweepVertex = u16;

/// The conditions of a cover, and the order in which its squares are decided.
pub(super) struct Sweep {
    /// The square of each vertex.
    pub(super) squares: Vec<Square>,
    /// The steps in order.
    pub(super) steps: Vec<SweepStep>,
    /// Number of ends to choose; each is a move to the extra vertex.
    pub(super) ends: u64,
    /// Two vertices joined from the beginning: the two given ends of a tour, or its only given end and the
    /// extra vertex.
    pub(super) joined: Option<(SweepVertex, SweepVertex)>,
    /// Number of moves in a cover, including those to the extra vertex.
    pub(super) moves: usize,
    /// The signature of the sweep: two sweeps have equal signatures exactly if their tables are equal.
    pub(super) signature: Vec<u8>,
}

/// One or two squares that are decided together.
pub(super) struct SweepStep {
    places: Vec<SquareChoices>,
    /// The moves of each choice, followed by those of its mirror image.
    joins: [Vec<Joins>; 2],
    /// The numbering of the states before this step.
    pub(super) ranking: StateRanking,
}

/// A square to decide.
struct SquareChoices {
    shift: u32,
    demand: u64,
    /// The choices, indexed by the number of moves that the square still needs.
    choices: [Vec<MoveChoice>; 3],
    /// Total number of choices.
    count: u32,
}

/// A choice of moves to undecided squares.
#[derive(Clone)]
struct MoveChoice {
    /// The amount that the choice adds to the key.
    add: u64,
    /// Bits of the key that must be clear: a set bit means that the target of a move already has all its
    /// moves.
    full: u64,
    /// Number of moves in the choice that go to the extra vertex.
    ends: u64,
    code: u32,
}

/// The moves of a choice: at most two from each of two squares.
#[derive(Clone, Copy, Default)]
pub(super) struct Joins {
    count: u8,
    pairs: [(SweepVertex, SweepVertex); 4],
}

impl Joins {
    fn push(&mut self, u: SweepVertex, v: SweepVertex) {
        self.pairs[self.count as usize] = (u, v);
        self.count += 1;
    }

    #[inline]
    pub(super) fn pairs(&self) -> &[(SweepVertex, SweepVertex)] {
        &self.pairs[..self.count as usize]
    }
}

impl Sweep {
    /// Makes the sweep for a problem.
    pub(super) fn new(problem: &Problem) -> Result<Sweep, Unsupported> {
        let graph = problem.graph();
        if problem.is_constrained() {
            return Err(Unsupported(
                "tables of uniform tours cannot require or forbid moves; use exact or backbite"
                    .into(),
            ));
        }
        let narrow = graph.board().is_none_or(|b| (b.rows().min(b.cols()) as usize) <= MOST_DIGITS);
        if graph.order() > MOST_SQUARES || !narrow {
            return Err(too_wide(graph));
        }
        let layouts = LineLayout::all(graph);
        let mut sweeps = layouts.iter().map(|layout| SweepBuilder::new(problem, layout).sweep());
        let first = sweeps.next().unwrap_or_else(|| Err(too_wide(problem.graph())))?;
        // On a square board either layout may have a mirror symmetry.
        Ok(match first.is_mirrored() {
            true => first,
            false => sweeps.flatten().find(Sweep::is_mirrored).unwrap_or(first),
        })
    }

    fn is_mirrored(&self) -> bool {
        self.steps.iter().all(|step| step.ranking.is_mirrored())
    }

    /// Returns the extra vertex.
    pub(super) fn extra(&self) -> SweepVertex {
        self.squares.len() as SweepVertex
    }

    /// Returns the key of the final state.
    pub(super) fn last_key(&self) -> u64 {
        self.ends << ENDS_AT
    }
}

fn too_wide(graph: &Graph) -> Unsupported {
    Unsupported(format!(
        "exactly uniform tours need at most 8 rows or 8 columns, and at most 1,024 squares: {graph} is too large; use solver backbite for nearly uniform tours"
    ))
}

/// An arrangement of the squares in lines.
struct LineLayout {
    width: usize,
    /// Position of each vertex: its line times the width, plus its place in the line.
    position: Vec<usize>,
    /// The mirror image of each vertex, if the mirror is a symmetry of the graph.
    mirror: Option<Vec<usize>>,
}

impl LineLayout {
    /// Lists the layouts to try.
    fn all(graph: &Graph) -> Vec<LineLayout> {
        let Some(board) = graph.board() else {
            return vec![LineLayout {
                width: 1,
                position: (0..graph.order()).collect(),
                mirror: None,
            }];
        };
        let (rows, cols) = (board.rows() as usize, board.cols() as usize);
        let mut all = Vec::new();
        if cols <= rows {
            all.push(LineLayout::of(board, cols, |r, c| (r, c)));
        }
        if rows <= cols {
            all.push(LineLayout::of(board, rows, |r, c| (c, r)));
        }
        all
    }

    fn of(
        board: &Board,
        width: usize,
        turn: impl Fn(usize, usize) -> (usize, usize),
    ) -> LineLayout {
        let place = |s: Square| turn(board.row(s) as usize, board.col(s) as usize);
        let squares: Vec<(usize, usize)> = board.iter().map(place).collect();
        let position: Vec<usize> = squares.iter().map(|&(l, p)| l * width + p).collect();
        let image = |&(l, p): &(usize, usize)| {
            squares.iter().position(|&other| other == (l, width - 1 - p))
        };
        LineLayout { width, mirror: squares.iter().map(image).collect(), position }
    }
}

/// The data from which a sweep is built.
struct SweepBuilder<'p> {
    problem: &'p Problem,
    layout: &'p LineLayout,
    squares: Vec<Square>,
    near: Vec<Vec<usize>>,
    demand: Vec<u64>,
    ends: u64,
    joined: Option<(SweepVertex, SweepVertex)>,
    mirror: Option<&'p Vec<usize>>,
    /// Distance between positions that share a place in the key.
    period: usize,
}

impl<'p> SweepBuilder<'p> {
    fn new(problem: &'p Problem, layout: &'p LineLayout) -> SweepBuilder<'p> {
        let graph = problem.graph();
        let squares: Vec<Square> = graph.vertices().collect();
        let vertex = |s: Square| squares.partition_point(|&other| other < s);
        let near: Vec<Vec<usize>> =
            squares.iter().map(|&s| graph.neighbours(s).map(vertex).collect()).collect();
        let (start, end) = (problem.start().map(vertex), problem.end().map(vertex));
        let mut demand = vec![2; squares.len()];
        let extra = squares.len() as SweepVertex;
        let (ends, joined) = match (problem.is_closed(), start, end) {
            // A closed tour with both ends given is an open tour between squares that a move joins.
            (_, Some(s), Some(e)) => (0, Some((s as SweepVertex, e as SweepVertex))),
            (true, ..) => (0, None),
            (false, Some(one), None) | (false, None, Some(one)) => {
                (1, Some((one as SweepVertex, extra)))
            }
            (false, None, None) => (2, None),
        };
        for v in joined.iter().flat_map(|&(u, v)| [u, v]).filter(|&v| v < extra) {
            demand[v as usize] -= 1;
        }
        let kept =
            |mirror: &&Vec<usize>| (0..squares.len()).all(|v| demand[v] == demand[mirror[v]]);
        let mirror = layout.mirror.as_ref().filter(kept);
        let line = |v: usize| layout.position[v] / layout.width;
        let arcs = near.iter().enumerate().flat_map(|(u, near)| near.iter().map(move |&v| (u, v)));
        let reach = arcs.map(|(u, v)| line(u).abs_diff(line(v))).max().unwrap_or(0);
        let period = (reach + 1) * layout.width;
        SweepBuilder { problem, layout, squares, near, demand, ends, joined, mirror, period }
    }

    fn sweep(self) -> Result<Sweep, Unsupported> {
        let (n, graph) = (self.squares.len(), self.problem.graph());
        if self.period > PLACES {
            return Err(too_wide(graph));
        }
        let mut steps = Vec::new();
        let mut decided = vec![false; n];
        let mut touched = vec![false; n];
        let mut left = self.groups();
        while !left.is_empty() {
            let first = self.layout.position[left[0][0]] / self.layout.width;
            let same = |g: &&Vec<usize>| self.layout.position[g[0]] / self.layout.width == first;
            let line = left.iter().take_while(same).count();
            // Choosing the group that adds the fewest new squares keeps the number of states small.
            let fresh = |group: &Vec<usize>| {
                let mut fresh: Vec<usize> =
                    group.iter().flat_map(|&v| &self.near[v]).copied().collect();
                fresh.sort_unstable();
                fresh.dedup();
                let touches = group.iter().filter(|&&v| touched[v]).count() as isize;
                fresh.iter().filter(|&&u| !touched[u] && !decided[u]).count() as isize - touches
            };
            let best = (0..line).min_by_key(|&i| fresh(&left[i])).unwrap_or(0);
            let group = left.remove(best);
            let active: Vec<usize> = (0..n).filter(|&v| touched[v] && !decided[v]).collect();
            if active.len() > MOST_DIGITS {
                return Err(too_wide(graph));
            }
            let shifts = |image: &dyn Fn(usize) -> usize| -> Vec<u32> {
                active.iter().map(|&v| self.shift(image(v))).collect()
            };
            let mirrored = self.mirror.map(|mirror| shifts(&|v| mirror[v]));
            let ranking = StateRanking::new(self.period, shifts(&|v| v), mirrored);
            let mut places = Vec::new();
            let mut forward = Vec::new();
            for &v in &group {
                let onward: Vec<usize> =
                    self.near[v].iter().copied().filter(|&u| !decided[u]).collect();
                places.push(self.place(v, &onward));
                decided[v] = true;
                onward.iter().for_each(|&u| touched[u] = true);
                forward.push(onward);
            }
            if places.iter().map(|p| p.count as usize).product::<usize>() > MOST_CODES {
                return Err(Unsupported(format!(
                    "the piece has too many moves for exactly uniform tours of {graph}; use solver backbite for nearly uniform tours"
                )));
            }
            let plain = self.joins(&group, &forward, |v| v);
            let mirrored = self.mirror.map(|mirror| self.joins(&group, &forward, |v| mirror[v]));
            let joins = [plain, mirrored.unwrap_or_default()];
            steps.push(SweepStep { places, joins, ranking });
        }
        let signature = self.signature();
        let moves = (self.demand.iter().sum::<u64>() + self.ends) as usize / 2;
        let SweepBuilder { squares, ends, joined, .. } = self;
        Ok(Sweep { squares, steps, ends, joined, moves, signature })
    }

    /// Lists the groups of squares that are decided together, line by line.
    fn groups(&self) -> Vec<Vec<usize>> {
        let LineLayout { width, position, .. } = self.layout;
        let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
        for (v, &at) in position.iter().enumerate() {
            let (line, place) = (at / width, at % width);
            let key = line * width + place.min(width - 1 - place);
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.push(v),
                None => groups.push((key, vec![v])),
            }
        }
        groups.sort_unstable();
        groups.into_iter().map(|(_, group)| group).collect()
    }

    fn shift(&self, v: usize) -> u32 {
        2 * (self.layout.position[v] % self.period) as u32
    }

    /// Lists the sets of at most two moves, each with its number of ends; the index of a set is its code.
    fn options(&self, onward: &[usize]) -> Vec<(Vec<usize>, u64)> {
        let mut options = vec![(Vec::new(), 0)];
        options.extend(onward.iter().map(|&u| (vec![u], 0)));
        for (i, &u) in onward.iter().enumerate() {
            options.extend(onward[..i].iter().map(|&w| (vec![w, u], 0)));
        }
        if self.ends > 0 {
            options.push((Vec::new(), 1));
            options.extend(onward.iter().map(|&u| (vec![u], 1)));
        }
        if self.ends > 1 && self.squares.len() == 1 {
            options.push((Vec::new(), 2));
        }
        options
    }

    fn place(&self, v: usize, onward: &[usize]) -> SquareChoices {
        let options = self.options(onward);
        let mut choices = [const { Vec::new() }; 3];
        for (code, (targets, ends)) in options.iter().enumerate() {
            let mut choice =
                MoveChoice { add: ends << ENDS_AT, full: 0, ends: *ends, code: code as u32 };
            for &u in targets {
                choice.add += 1 << self.shift(u);
                choice.full |= if self.demand[u] == 2 { 2 } else { 3 } << self.shift(u);
            }
            if targets.iter().all(|&u| self.demand[u] > 0) {
                choices[targets.len() + *ends as usize].push(choice);
            }
        }
        let count = options.len() as u32;
        SquareChoices { shift: self.shift(v), demand: self.demand[v], choices, count }
    }

    /// Lists the moves for every code of a group, with vertices mapped by `image`.
    fn joins(
        &self,
        group: &[usize],
        forward: &[Vec<usize>],
        image: impl Fn(usize) -> usize,
    ) -> Vec<Joins> {
        let extra = self.squares.len() as SweepVertex;
        let mut all = vec![Joins::default()];
        for (&v, onward) in group.iter().zip(forward) {
            let from = image(v) as SweepVertex;
            let options = self.options(onward);
            all = all
                .iter()
                .flat_map(|before| {
                    options.iter().map(|(targets, ends)| {
                        let mut joins = *before;
                        targets.iter().for_each(|&u| joins.push(from, image(u) as SweepVertex));
                        (0..*ends).for_each(|_| joins.push(from, extra));
                        joins
                    })
                })
                .collect();
        }
        all
    }

    fn signature(&self) -> Vec<u8> {
        let mut words: Vec<u64> = vec![self.squares.len() as u64, self.ends];
        words.extend(self.joined.iter().flat_map(|&(u, v)| [u64::from(u), u64::from(v)]));
        words.extend(&self.demand);
        words.extend(self.layout.position.iter().map(|&p| p as u64));
        words.push(u64::from(self.mirror.is_some()));
        for near in &self.near {
            words.push(near.len() as u64);
            words.extend(near.iter().map(|&v| v as u64));
        }
        words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }
}

impl SweepStep {
    /// Returns the number of squares that the step decides.
    pub(super) fn squares(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of codes.
    pub(super) fn codes(&self) -> usize {
        self.joins[0].len()
    }

    /// Returns the moves of a choice.
    #[inline]
    pub(super) fn joins(&self, mirrored: bool, code: usize) -> &Joins {
        &self.joins[usize::from(mirrored)][code]
    }

    /// Passes every way to decide the step's squares in a state to `found`: the key of the next state, and
    /// the code of the choice.
    #[inline]
    pub(super) fn successors(&self, key: u64, ends: u64, mut found: impl FnMut(u64, u32)) {
        match self.places.as_slice() {
            [one] => one.successors(key, ends, found),
            [one, two] => one.successors(key, ends, |key, code| {
                two.successors(key, ends, |key, more| found(key, code * two.count + more));
            }),
            _ => unreachable!("a step decides one square or two"),
        }
    }
}

impl SquareChoices {
    #[inline]
    fn successors(&self, key: u64, ends: u64, mut found: impl FnMut(u64, u32)) {
        let digit = key >> self.shift & 3;
        let rest = key & !(3 << self.shift);
        let used = key >> ENDS_AT;
        let Some(need) = self.demand.checked_sub(digit) else { return };
        for choice in &self.choices[need as usize] {
            if rest & choice.full == 0 && used + choice.ends <= ends {
                found(rest + choice.add, choice.code);
            }
        }
    }
}
