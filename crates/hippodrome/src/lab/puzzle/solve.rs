//! Complete search for the tours that have given numbers on given squares.
//!
//! Every number keeps the set of squares where it can still be, and every square the set of its numbers. A square
//! is struck out for a number if no neighbour can have the number before, or none the number after, or if one
//! neighbour would have to have both. A number with one square, or a square with one number, is settled.
//! Where nothing can be struck out, the search branches on the number or square with the fewest choices,
//! so every tour is found exactly once.
//! Cost: a node strikes out until nothing changes, at worst about the cube of the number of squares.
//! Limits: with few clues far apart the sets are large, and the search is no match for `exact`.

use crate::board::{Graph, Square};

/// Clues to be solved: numbers with their squares.
pub struct ClueSet {
    /// The squares by dense number.
    squares: Vec<Square>,
    /// Neighbours of each square, as sets of dense numbers.
    near: Vec<BitRow>,
    closed: bool,
    root: Candidates,
    /// Whether a clue contradicts the board or another clue.
    contradictory: bool,
}

/// The solutions of a set of clues.
#[derive(Clone, Debug)]
pub struct Solutions {
    /// The squares of each solution in order, up to the number asked for.
    pub found: Vec<Vec<Square>>,
    /// Nodes of the search.
    pub nodes: u64,
    /// Whether there are no others: neither a limit nor the number asked for ended the search.
    pub complete: bool,
}

/// A set of small numbers.
type BitRow = Vec<u64>;

/// What is still possible: squares by number and numbers by square, both from 0.
#[derive(Clone)]
struct Candidates {
    words: usize,
    by_number: Vec<u64>,
    by_square: Vec<u64>,
}

impl Candidates {
    /// Everything is possible.
    fn all(order: usize) -> Candidates {
        let words = order.div_ceil(64);
        let mut row = vec![u64::MAX; words];
        if !order.is_multiple_of(64) {
            row[words - 1] = (1 << (order % 64)) - 1;
        }
        let table = row.repeat(order);
        Candidates { words, by_number: table.clone(), by_square: table }
    }

    fn squares(&self, number: usize) -> &[u64] {
        &self.by_number[number * self.words..(number + 1) * self.words]
    }

    fn numbers(&self, square: usize) -> &[u64] {
        &self.by_square[square * self.words..(square + 1) * self.words]
    }

    fn has(&self, number: usize, square: usize) -> bool {
        self.squares(number)[square / 64] >> (square % 64) & 1 == 1
    }

    fn strike(&mut self, number: usize, square: usize) {
        self.by_number[number * self.words + square / 64] &= !(1 << (square % 64));
        self.by_square[square * self.words + number / 64] &= !(1 << (number % 64));
    }
}

fn size(row: &[u64]) -> u32 {
    row.iter().map(|word| word.count_ones()).sum()
}

/// The members of a set, as far as it matters.
enum Members {
    None,
    One(usize),
    Several,
}

/// Returns the only member of a set, if it has one.
fn only(row: impl IntoIterator<Item = u64>) -> Members {
    let mut one = None;
    for (index, word) in row.into_iter().enumerate().filter(|&(_, word)| word != 0) {
        if one.is_some() || !word.is_power_of_two() {
            return Members::Several;
        }
        one = Some(64 * index + word.trailing_zeros() as usize);
    }
    one.map_or(Members::None, Members::One)
}

/// Iterates over the members of a set.
fn members(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(index, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(64 * index + bit)
        })
    })
}

/// Work that is left to do in a node.
#[derive(Clone)]
struct Agenda {
    /// Numbers whose squares have to be looked at, because a number beside them has fewer squares than before.
    revise: Vec<bool>,
    /// Numbers and squares that have fewer choices than before.
    numbers: Vec<bool>,
    squares: Vec<bool>,
}

impl Agenda {
    fn new(order: usize, all: bool) -> Agenda {
        Agenda { revise: vec![all; order], numbers: vec![all; order], squares: vec![all; order] }
    }
}

impl ClueSet {
    /// Creates the search for tours with these numbers, from 1, on these squares.
    pub fn new(graph: &Graph, closed: bool, clues: &[(usize, Square)]) -> ClueSet {
        let squares: Vec<Square> = graph.vertices().collect();
        let order = squares.len();
        let dense = |square: Square| squares.binary_search(&square).ok();
        let words = order.div_ceil(64);
        let near = squares.iter().map(|&square| {
            let mut row = vec![0; words];
            for next in graph.neighbours(square).filter_map(dense) {
                row[next / 64] |= 1 << (next % 64);
            }
            row
        });
        let near = near.collect();
        // A closed tour has at least three squares.
        let mut contradictory = closed && order < 3;
        let mut root = Candidates::all(order);
        for &(number, square) in clues {
            let Some(square) = dense(square).filter(|_| (1..=order).contains(&number)) else {
                contradictory = true;
                continue;
            };
            for other in (0..order).filter(|&other| other != square) {
                root.strike(number - 1, other);
            }
            for other in (0..order).filter(|&other| other != number - 1) {
                root.strike(other, square);
            }
        }
        ClueSet { squares, near, closed, root, contradictory }
    }

    /// The same search for tours that have a number elsewhere than on a square.
    pub fn excluding(mut self, (number, square): (usize, Square)) -> ClueSet {
        if let Ok(square) = self.squares.binary_search(&square)
            && (1..=self.squares.len()).contains(&number)
        {
            self.root.strike(number - 1, square);
        }
        self
    }

    /// Finds up to `most` solutions in up to `nodes` nodes.
    pub fn count(&self, most: usize, nodes: u64, stop: &dyn Fn() -> bool) -> Solutions {
        let mut solutions = Solutions { found: Vec::new(), nodes: 0, complete: true };
        if !self.contradictory {
            let agenda = Agenda::new(self.squares.len(), true);
            self.descend(self.root.clone(), agenda, (most, nodes, stop), &mut solutions);
        }
        solutions
    }

    fn descend(
        &self,
        mut state: Candidates,
        mut agenda: Agenda,
        limits: (usize, u64, &dyn Fn() -> bool),
        solutions: &mut Solutions,
    ) {
        let (most, nodes, stop) = limits;
        if solutions.nodes >= nodes || solutions.found.len() >= most || stop() {
            solutions.complete = false;
            return;
        }
        solutions.nodes += 1;
        if !self.strike_out(&mut state, &mut agenda) {
            return;
        }
        let order = self.squares.len();
        let numbers = (0..order).map(|n| (size(state.squares(n)), n, true));
        let squares = (0..order).map(|s| (size(state.numbers(s)), s, false));
        let open = numbers.chain(squares).filter(|choice| choice.0 > 1);
        let Some((_, index, by_number)) = open.min() else {
            let squares = (0..order).filter_map(|n| members(state.squares(n)).next());
            solutions.found.push(squares.map(|square| self.squares[square]).collect());
            return;
        };
        let row = if by_number { state.squares(index) } else { state.numbers(index) };
        for choice in members(row) {
            let (number, square) = if by_number { (index, choice) } else { (choice, index) };
            let (mut next, mut agenda) = (state.clone(), Agenda::new(order, false));
            self.settle(&mut next, (number, square), &mut agenda);
            self.descend(next, agenda, limits, solutions);
        }
    }

    /// Strikes out what is impossible until nothing changes; returns false at a contradiction.
    fn strike_out(&self, state: &mut Candidates, agenda: &mut Agenda) -> bool {
        let order = self.squares.len();
        let mut row = vec![0; state.words];
        loop {
            let mut idle = true;
            for number in 0..order {
                if std::mem::take(&mut agenda.revise[number]) {
                    idle = false;
                    row.copy_from_slice(state.squares(number));
                    for square in members(&row) {
                        if !self.is_possible(state, number, square) {
                            self.strike(state, (number, square), agenda);
                        }
                    }
                }
            }
            for index in 0..order {
                if std::mem::take(&mut agenda.numbers[index]) {
                    idle = false;
                    match only(state.squares(index).iter().copied()) {
                        Members::None => return false,
                        Members::One(square) => self.settle(state, (index, square), agenda),
                        Members::Several => {}
                    }
                }
                if std::mem::take(&mut agenda.squares[index]) {
                    idle = false;
                    match only(state.numbers(index).iter().copied()) {
                        Members::None => return false,
                        Members::One(number) => self.settle(state, (number, index), agenda),
                        Members::Several => {}
                    }
                }
            }
            if idle {
                return true;
            }
        }
    }

    /// Strikes out a square for a number, and notes what to look at again.
    fn strike(
        &self,
        state: &mut Candidates,
        (number, square): (usize, usize),
        agenda: &mut Agenda,
    ) {
        if state.has(number, square) {
            state.strike(number, square);
            agenda.numbers[number] = true;
            agenda.squares[square] = true;
            self.beside(number).iter().flatten().for_each(|&other| agenda.revise[other] = true);
        }
    }

    /// Strikes out everything else for a number and its square.
    fn settle(
        &self,
        state: &mut Candidates,
        (number, square): (usize, usize),
        agenda: &mut Agenda,
    ) {
        for other in 0..self.squares.len() {
            if other != square {
                self.strike(state, (number, other), agenda);
            }
            if other != number {
                self.strike(state, (other, square), agenda);
            }
        }
    }

    /// Returns the numbers before and after a number.
    fn beside(&self, number: usize) -> [Option<usize>; 2] {
        let order = self.squares.len();
        let before = number.checked_sub(1).or(self.closed.then_some(order - 1));
        let after = (number + 1 < order).then_some(number + 1).or(self.closed.then_some(0));
        [before, after]
    }

    /// Returns whether a square can still have a number, by what its neighbours can have.
    fn is_possible(&self, state: &Candidates, number: usize, square: usize) -> bool {
        let near = &self.near[square];
        let [before, after] = self
            .beside(number)
            .map(|other| Some(only(state.squares(other?).iter().zip(near).map(|(a, b)| a & b))));
        match (before, after) {
            (Some(Members::None), _) | (_, Some(Members::None)) => false,
            (Some(Members::One(one)), Some(Members::One(other))) => one != other,
            _ => true,
        }
    }
}
