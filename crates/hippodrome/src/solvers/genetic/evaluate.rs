//! Evaluation: a chromosome is followed move by move, and mended where it leads nowhere.
//!
//! Fitness is the number of legal moves. Where the end square is fixed it may be entered last only;
//! where closed tours are asked for, the last gene has to lead back to the start.

use super::chromosome::{Field, Gene, Small};
use super::repair::{Lowest, Mend};
use crate::board::Square;
use crate::graph::Graph;
use crate::problem::Problem;
use rand::SeedableRng;
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

/// How chromosomes of one problem are followed.
pub(super) struct Walk<'a, F: Field, M> {
    pub(super) field: &'a F,
    pub(super) mend: &'a M,
    pub(super) target: Target,
    end: Option<u32>,
}

/// A chromosome being followed.
pub(super) struct Course<'c, S> {
    pub(super) genes: &'c mut [Gene],
    /// The places visited; one more than genes, for the closing move.
    pub(super) path: &'c mut [u32],
    /// Legal moves made.
    pub(super) moves: usize,
    /// The last place, set when it begins; to read it from the path would take longer.
    pub(super) place: u32,
    /// Places that are free.
    pub(super) free: S,
}

impl<'a, F: Field, M: Mend> Walk<'a, F, M> {
    pub(super) fn new(field: &'a F, mend: &'a M, target: Target) -> Walk<'a, F, M> {
        Walk { field, mend, target, end: target.end.map(|square| field.place(square)) }
    }

    /// Begins with as many moves as the course says are known; those that hang on the end square or
    /// on the start are made again.
    pub(super) fn begin(&self, course: &mut Course<'_, F::Set>) {
        course.moves = course.moves.min(self.target.free);
        course.place = course.path[course.moves];
        self.field.reset(&mut course.free, &course.path[..=course.moves]);
        if let Some(end) = self.end {
            F::take(&mut course.free, end);
        }
    }

    /// Makes one move, or says that it cannot.
    #[inline(always)]
    fn step(
        &self,
        course: &mut Course<'_, F::Set>,
        until: usize,
        rng: &mut Xoshiro256PlusPlus,
    ) -> bool {
        let moves = course.moves;
        if moves >= until {
            return false;
        }
        let (place, gene) = (course.place, &mut course.genes[moves]);
        let Some((mended, to)) = self.mend.mend(self.field, &course.free, place, *gene, rng) else {
            return false;
        };
        *gene = mended;
        F::take(&mut course.free, to);
        course.path[moves + 1] = to;
        (course.moves, course.place) = (moves + 1, to);
        true
    }

    /// Goes on by `pace` moves at most; whether more may follow.
    pub(super) fn go_on(
        &self,
        course: &mut Course<'_, F::Set>,
        pace: usize,
        rng: &mut Xoshiro256PlusPlus,
    ) -> bool {
        let until = self.target.free.min(course.moves.saturating_add(pace));
        while self.step(course, until, rng) {}
        course.moves == until && until < self.target.free
    }

    /// Follows two courses in turn: neither waits for the other, so a processor makes a move of each
    /// in little more time than one takes.
    pub(super) fn race<'c>(
        &self,
        mut one: Course<'c, F::Set>,
        mut two: Course<'c, F::Set>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> [Course<'c, F::Set>; 2] {
        let until = self.target.free;
        while self.step(&mut one, until, rng) && self.step(&mut two, until, rng) {}
        while self.step(&mut one, until, rng) {}
        while self.step(&mut two, until, rng) {}
        [one, two]
    }

    /// Makes the moves to the fixed end and back to the start, where they are asked for.
    pub(super) fn finish(&self, course: &mut Course<'_, F::Set>, rng: &mut Xoshiro256PlusPlus) {
        // A path that begins on the end square comes to nothing.
        let end = self.end.filter(|&end| course.moves == self.target.free && end != course.path[0]);
        if let Some(end) = end {
            self.field.only(&mut course.free, end);
            self.step(course, self.target.all, rng);
        }
        if course.moves == self.target.all && self.target.moves == self.target.all + 1 {
            self.field.only(&mut course.free, course.path[0]);
            self.step(course, self.target.moves, rng);
        }
    }
}

/// Evaluation with Gordon & Slocum's repair for whoever has chromosomes of their own: the solvers'
/// code, apart from any run.
pub struct Evaluator {
    field: Box<Small>,
    target: Target,
    paths: [Vec<u32>; 2],
    /// Repair asks nothing of it.
    rng: Xoshiro256PlusPlus,
}

impl Evaluator {
    /// For open tours; `None` if the graph has more than 64 squares, or squares with as many moves.
    pub fn new(graph: &Graph) -> Option<Evaluator> {
        let target = Target::new(&Problem::open(graph.clone()));
        let paths = || vec![0; graph.order() + 1];
        let rng = Xoshiro256PlusPlus::seed_from_u64(0);
        Some(Evaluator { field: Small::new(graph)?, target, paths: [paths(), paths()], rng })
    }

    /// Repairs two chromosomes, each of as many genes as the graph has squares and from its own start
    /// square; their legal moves.
    pub fn repair(&mut self, starts: [Square; 2], [one, two]: [&mut [u16]; 2]) -> [usize; 2] {
        let walk = Walk::new(&*self.field, &Lowest, self.target);
        let [first, second] = &mut self.paths;
        (first[0], second[0]) = (self.field.place(starts[0]), self.field.place(starts[1]));
        let mut one = Course { genes: one, path: first, moves: 0, place: 0, free: 0 };
        let mut two = Course { genes: two, path: second, moves: 0, place: 0, free: 0 };
        walk.begin(&mut one);
        walk.begin(&mut two);
        walk.race(one, two, &mut self.rng).map(|course| course.moves)
    }
}
