//! Evaluation: a chromosome is followed move by move, and mended where it leads nowhere.
//!
//! Fitness is the number of legal moves. Where the end square is fixed it may be entered last only;
//! where closed tours are asked for, the last gene has to lead back to the start.

use super::chromosome::{Field, Gene};
use super::repair::Mend;
use crate::board::Square;
use crate::problem::Problem;
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a path has to be for its chromosome to be an answer.
#[derive(Clone, Copy)]
pub(super) struct Target {
    /// Moves while any free square will do.
    free: usize,
    /// The square to be entered last.
    end: Option<Square>,
    /// Moves that visit every square.
    all: usize,
    /// Moves of an answer: one more if the tour has to close.
    pub(super) moves: usize,
}

impl Target {
    pub(super) fn new(problem: &Problem) -> Target {
        let all = problem.graph().order() - 1;
        let end = problem.end().filter(|_| all > 0);
        // Two squares and the way back are not a closed tour; no path is.
        let moves = match (problem.is_closed(), all) {
            (false, _) => all,
            (true, 0 | 1) => usize::MAX,
            (true, _) => all + 1,
        };
        Target { free: all - usize::from(end.is_some()), end, all, moves }
    }
}

/// A path being made of a chromosome.
pub(super) struct Walk<'a, F: Field, M> {
    pub(super) field: &'a F,
    pub(super) mend: &'a M,
    pub(super) target: Target,
    free: F::Set,
    end: Option<u32>,
}

impl<'a, F: Field, M: Mend> Walk<'a, F, M> {
    pub(super) fn new(field: &'a F, mend: &'a M, target: Target) -> Walk<'a, F, M> {
        let end = target.end.map(|square| field.place(square));
        Walk { field, mend, target, free: field.empty(), end }
    }

    /// Begins a path of which `moves` moves are known; how many of them stand.
    pub(super) fn begin(&mut self, path: &[u32], moves: usize) -> usize {
        let moves = moves.min(self.target.free);
        self.field.reset(&mut self.free, &path[..=moves]);
        if let Some(end) = self.end {
            F::take(&mut self.free, end);
        }
        moves
    }

    /// Goes on from `moves` moves, by `pace` more at most; how many there are then, and whether the
    /// path is at its end.
    #[inline(always)]
    pub(super) fn go_on(
        &mut self,
        genes: &mut [Gene],
        path: &mut [u32],
        moves: usize,
        pace: usize,
        rng: &mut Xoshiro256PlusPlus,
    ) -> (usize, bool) {
        let until = self.target.free.min(moves.saturating_add(pace));
        let mut moves = moves;
        if moves < until {
            moves = self.follow(genes, path, moves, until, rng);
            if moves == until && until < self.target.free {
                return (moves, false);
            }
        }
        // A path that begins on the end square comes to nothing.
        let end = self.end.filter(|&end| moves == self.target.free && end != path[0]);
        if let Some(end) = end {
            self.field.only(&mut self.free, end);
            moves = self.follow(genes, path, moves, self.target.all, rng);
        }
        if moves == self.target.all && self.target.moves == self.target.all + 1 {
            self.field.only(&mut self.free, path[0]);
            moves = self.follow(genes, path, moves, self.target.moves, rng);
        }
        (moves, true)
    }

    #[inline(always)]
    fn follow(
        &mut self,
        genes: &mut [Gene],
        path: &mut [u32],
        moves: usize,
        until: usize,
        rng: &mut Xoshiro256PlusPlus,
    ) -> usize {
        let mut place = path[moves];
        for (at, (gene, step)) in
            genes[moves..until].iter_mut().zip(&mut path[moves + 1..=until]).enumerate()
        {
            let mut to = self.field.target(place, *gene);
            if !F::has(&self.free, to) {
                let Some(better) = self.mend.mend(self.field, &self.free, place, rng) else {
                    return moves + at;
                };
                *gene = better;
                to = self.field.target(place, better);
            }
            F::take(&mut self.free, to);
            *step = to;
            place = to;
        }
        until
    }
}
