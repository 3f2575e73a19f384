//! Evaluation: a chromosome is decoded move by move, and repaired where a gene is illegal.
//!
//! Fitness is the number of legal moves. A fixed end square can only be entered last; for closed
//! tours the last gene must lead back to the start.

use super::chromosome::{Gene, GeneGraph, SmallGeneGraph};
use super::repair::{LowestGene, Repair};
use crate::board::{Graph, Square};
use crate::problem::Problem;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The conditions under which a path solves the problem.
#[derive(Clone, Copy)]
pub(super) struct Target {
    /// Number of moves that may lead to any free square.
    free: usize,
    /// The required last square.
    end: Option<Square>,
    /// Number of moves after which every square is visited.
    all: usize,
    /// Number of moves of a solution: one more for a closed tour.
    pub(super) moves: usize,
}

impl Target {
    pub(super) fn new(problem: &Problem) -> Target {
        let all = problem.graph().order() - 1;
        let end = problem.end().filter(|_| all > 0);
        // Two squares have no closed tour.
        let moves = match (problem.is_closed(), all) {
            (false, _) => all,
            (true, 0 | 1) => usize::MAX,
            (true, _) => all + 1,
        };
        Target { free: all - usize::from(end.is_some()), end, all, moves }
    }
}

/// Decodes the chromosomes of one problem.
pub(super) struct Decoder<'a, F: GeneGraph, M> {
    pub(super) field: &'a F,
    pub(super) repair: &'a M,
    pub(super) target: Target,
    end: Option<u32>,
}

/// A chromosome being decoded.
pub(super) struct Course<'c, S> {
    pub(super) genes: &'c mut [Gene],
    /// The places visited. There is one more place than genes, for the closing move.
    pub(super) path: &'c mut [u32],
    pub(super) head: Head<S>,
}

/// Progress of decoding. Separate from the course, so it can stay in registers.
#[derive(Default)]
pub(super) struct Head<S> {
    /// Number of legal moves made.
    pub(super) moves: usize,
    /// The last place.
    place: u32,
    /// Places that are free.
    pub(super) free: S,
}

impl<'c, S> Course<'c, S> {
    /// Creates a course with some known moves. The contents of `free` do not matter.
    pub(super) fn new(
        genes: &'c mut [Gene],
        path: &'c mut [u32],
        moves: usize,
        free: S,
    ) -> Course<'c, S> {
        let place = path[moves];
        Course { genes, path, head: Head { moves, place, free } }
    }

    /// Returns the genes of the moves up to `until`, their targets, and the head.
    fn parts(&mut self, until: usize) -> (&mut [Gene], &mut [u32], &mut Head<S>) {
        (&mut self.genes[..until], &mut self.path[1..=until], &mut self.head)
    }
}

impl<'a, F: GeneGraph, M: Repair> Decoder<'a, F, M> {
    pub(super) fn new(field: &'a F, repair: &'a M, target: Target) -> Decoder<'a, F, M> {
        Decoder { field, repair, target, end: target.end.map(|square| field.place(square)) }
    }

    /// Starts with the known moves of the course. Moves that depend on the end square or the start are
    /// decoded again.
    pub(super) fn begin(&self, course: &mut Course<'_, F::Set>) {
        let head = &mut course.head;
        head.moves = head.moves.min(self.target.free);
        head.place = course.path[head.moves];
        self.field.reset(&mut head.free, &course.path[..=head.moves]);
        if let Some(end) = self.end {
            F::take(&mut head.free, end);
        }
    }

    /// Makes the next move, within the given genes and places; returns whether there was one.
    #[inline(always)]
    fn step(
        &self,
        genes: &mut [Gene],
        places: &mut [u32],
        head: &mut Head<F::Set>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> bool {
        let at = head.moves;
        if at >= genes.len() || at >= places.len() {
            return false;
        }
        let found = self.repair.next_move(self.field, &head.free, head.place, genes[at], rng);
        let Some((gene, to)) = found else { return false };
        genes[at] = gene;
        places[at] = to;
        F::take(&mut head.free, to);
        (head.moves, head.place) = (at + 1, to);
        true
    }

    /// Makes at most `pace` moves, and returns whether more may follow.
    pub(super) fn advance(
        &self,
        course: &mut Course<'_, F::Set>,
        pace: usize,
        rng: &mut Xoshiro256PlusPlus,
    ) -> bool {
        let until = self.target.free.min(course.head.moves.saturating_add(pace));
        let (genes, places, head) = course.parts(until);
        while self.step(genes, places, head, rng) {}
        head.moves == until && until < self.target.free
    }

    /// Decodes two courses alternately. They are independent, so a processor decodes both in little more time
    /// than one.
    pub(super) fn race(
        &self,
        one: &mut Course<'_, F::Set>,
        two: &mut Course<'_, F::Set>,
        rng: &mut Xoshiro256PlusPlus,
    ) {
        let (genes, places, head) = one.parts(self.target.free);
        let (more_genes, more_places, other) = two.parts(self.target.free);
        let (mut first, mut second) = (std::mem::take(head), std::mem::take(other));
        while self.step(genes, places, &mut first, rng)
            && self.step(more_genes, more_places, &mut second, rng)
        {}
        while self.step(genes, places, &mut first, rng) {}
        while self.step(more_genes, more_places, &mut second, rng) {}
        (*head, *other) = (first, second);
    }

    /// Makes the moves to the fixed end and back to the start, if they are required.
    pub(super) fn finish(&self, course: &mut Course<'_, F::Set>, rng: &mut Xoshiro256PlusPlus) {
        let Target { free, all, moves, .. } = self.target;
        let start = course.path[0];
        // A path that starts on the end square cannot succeed.
        let end = self.end.filter(|&end| course.head.moves == free && end != start);
        if let Some(end) = end {
            let (genes, places, head) = course.parts(all);
            self.field.only(&mut head.free, end);
            self.step(genes, places, head, rng);
        }
        if course.head.moves == all && moves == all + 1 {
            let (genes, places, head) = course.parts(moves);
            self.field.only(&mut head.free, start);
            self.step(genes, places, head, rng);
        }
    }
}

/// Evaluates given chromosomes with Gordon & Slocum's repair outside a run, for benches.
pub struct Evaluator {
    field: Box<SmallGeneGraph>,
    /// The place of each square.
    places: Vec<u32>,
    target: Target,
    paths: [Vec<u32>; 2],
    /// Unused by this repair.
    rng: Xoshiro256PlusPlus,
}

impl Evaluator {
    /// Creates an evaluator for open tours; `None` if the graph is too large or its moves are in an
    /// unsupported order.
    pub fn new(graph: &Graph) -> Option<Evaluator> {
        let target = Target::new(&Problem::open(graph.clone()));
        let field = SmallGeneGraph::new(graph)?;
        let places = Square::below(graph.len()).map(|square| field.place(square)).collect();
        let paths = [vec![0; graph.order() + 1], vec![0; graph.order() + 1]];
        let rng = Xoshiro256PlusPlus::seed_from_u64(0);
        Some(Evaluator { field, places, target, paths, rng })
    }

    /// Repairs two chromosomes, with one gene per square, each from its own start square. Returns their
    /// numbers of legal moves.
    pub fn repair(&mut self, starts: [Square; 2], [one, two]: [&mut [u16]; 2]) -> [usize; 2] {
        let walk = Decoder::new(&*self.field, &LowestGene, self.target);
        let [first, second] = &mut self.paths;
        [first[0], second[0]] = starts.map(|start| self.places[start.index()]);
        let mut one = Course::new(one, first, 0, 0);
        let mut two = Course::new(two, second, 0, 0);
        walk.begin(&mut one);
        walk.begin(&mut two);
        walk.race(&mut one, &mut two, &mut self.rng);
        [one.head.moves, two.head.moves]
    }
}
