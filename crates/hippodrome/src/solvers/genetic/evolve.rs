//! The generations of a run, drawn at random or bred from each other.

use super::breeding::{Breeding, Nursery, Operator};
use super::census::RunStatistics;
use super::chromosome::{GeneGraph, draw};
use super::evaluate::{Course, Decoder, Target};
use super::operators::{Mutation, one_point};
use super::population::Population;
use super::repair::Repair;
use crate::board::Square;
use crate::search::{GenerationReport, Run, SearchEvent};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::{ControlFlow, Range};

/// The origin of the chromosomes of a generation.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// All chromosomes are drawn at random.
    Fresh,
    /// The chromosomes are bred from the previous generation.
    Bred(Breeding),
}

/// The size of a run.
#[derive(Clone, Copy)]
pub(super) struct RunSize {
    pub(super) population: usize,
    pub(super) generations: u64,
}

/// One run from one start square.
pub(super) struct Evolution<'a, F: GeneGraph, M> {
    walk: Decoder<'a, F, M>,
    size: RunSize,
    census: RunStatistics,
    rng: Xoshiro256PlusPlus,
    now: Population,
    next: Population,
    generation: u64,
    /// Pairs crossed in this generation.
    crossed: u64,
    /// Scratch for one path.
    free: F::Set,
    squares: Vec<Square>,
}

impl<'a, F: GeneGraph, M: Repair> Evolution<'a, F, M> {
    pub(super) fn new(
        field: &'a F,
        repair: &'a M,
        target: Target,
        size: RunSize,
        start: Square,
        rng: Xoshiro256PlusPlus,
    ) -> Evolution<'a, F, M> {
        let population = || Population::new(size.population, field.order(), field.place(start));
        Evolution {
            walk: Decoder::new(field, repair, target),
            size,
            census: RunStatistics::default(),
            rng,
            now: population(),
            next: population(),
            generation: 1,
            crossed: 0,
            free: F::Set::default(),
            squares: vec![Square::default(); field.order() + 1],
        }
    }

    /// Runs all generations and adds their statistics, even if it is stopped. Returns the random generator.
    pub(super) fn run(
        mut self,
        source: Source,
        run: &mut Run<'_>,
    ) -> (ControlFlow<()>, Xoshiro256PlusPlus) {
        let flow = self.generations(source, run);
        let all = self.size.generations.saturating_mul(self.size.population as u64);
        self.census.end_run(all, &mut run.readings);
        (flow, self.rng)
    }

    fn generations(&mut self, source: Source, run: &mut Run<'_>) -> ControlFlow<()> {
        self.fresh(run)?;
        match source {
            Source::Fresh => {
                while self.has_more() {
                    self.fresh(run)?;
                }
            }
            Source::Bred(breeding) => {
                let mut mutation = Mutation::new(breeding.mutation, &mut self.rng);
                let mut nursery = Nursery::new(self.walk.field, breeding);
                while self.has_more() {
                    self.breed(&mut nursery, &mut mutation, run)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Ends the generation, and returns whether another follows.
    fn has_more(&mut self) -> bool {
        self.census.end_generation();
        self.generation += 1;
        self.generation <= self.size.generations
    }

    fn fresh(&mut self, run: &mut Run<'_>) -> ControlFlow<()> {
        for first in (0..self.size.population).step_by(2) {
            for at in self.pair(first) {
                draw(self.next.row(at).0, self.walk.field.bits(), &mut self.rng);
            }
            self.evaluate(first, [0; 2], run)?;
        }
        std::mem::swap(&mut self.now, &mut self.next);
        self.show_generation(false, run)
    }

    /// Sends a report of the generation, its fitness and three of its members, if the run is watched.
    fn show_generation(&mut self, bred: bool, run: &mut Run<'_>) -> ControlFlow<()> {
        let crossed = std::mem::take(&mut self.crossed);
        if !run.is_watched() {
            return ControlFlow::Continue(());
        }
        let fitness = &self.now.fitness;
        let sum: u64 = fitness.iter().map(|&moves| u64::from(moves)).sum();
        run.event(&SearchEvent::Generation(GenerationReport {
            number: self.generation,
            best: fitness.iter().copied().max().unwrap_or(0),
            mean: sum as f64 / fitness.len().max(1) as f64,
            needed: self.walk.target.moves as u32,
            crossed: bred.then_some(crossed),
            pairs: self.size.population.div_ceil(2) as u64,
            repaired: self.walk.repair.take_count(),
        }))?;
        run.event(&SearchEvent::Population(fitness))?;
        let ranks = self.now.ranks();
        let (Some(&worst), Some(&best)) = (ranks.first(), ranks.last()) else {
            return ControlFlow::Continue(());
        };
        let member = |at| -> Vec<Square> {
            let places = self.now.path(at).iter().take(self.walk.field.order());
            places.map(|&place| self.walk.field.square(place)).collect()
        };
        let [best, median, worst] = [best, ranks[ranks.len() / 2], worst].map(member);
        run.event(&SearchEvent::Members { best: &best, median: &median, worst: &worst })
    }

    /// Returns the indices of a pair of chromosomes, or of the last of an odd number.
    fn pair(&self, first: usize) -> Range<usize> {
        first..self.size.population.min(first + 2)
    }

    fn breed(
        &mut self,
        nursery: &mut Nursery<F>,
        mutation: &mut Mutation,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        nursery.select(&self.now, &mut self.rng);
        let bits = self.walk.field.bits();
        for first in (0..self.size.population).step_by(2) {
            let parents = nursery.parents(first, &mut self.rng);
            for (at, parent) in self.pair(first).zip(parents) {
                self.next.row(at).0.copy_from_slice(self.now.genes(parent));
            }
            self.cross(nursery, first, parents);
            let mut known = [0; 2];
            for ((at, parent), known) in self.pair(first).zip(parents).zip(&mut known) {
                mutation.apply(self.next.row(at).0, bits, &mut self.rng);
                *known = self.inherit(at, parent);
            }
            self.evaluate(first, known, run)?;
        }
        nursery.settle(&mut self.now, &mut self.next);
        std::mem::swap(&mut self.now, &mut self.next);
        self.show_generation(true, run)
    }

    /// Crosses the copies of two parents with the given probability.
    fn cross(&mut self, nursery: &mut Nursery<F>, first: usize, parents: [usize; 2]) {
        if !self.rng.random_bool(nursery.breeding.crossover) {
            return;
        }
        self.crossed += 1;
        let field = self.walk.field;
        let last = first + 1 == self.size.population;
        match nursery.breeding.operator {
            Operator::OnePoint if last => {
                let mut other = self.now.genes(parents[1]).to_vec();
                one_point(self.next.row(first).0, &mut other, field.bits(), &mut self.rng);
            }
            Operator::OnePoint => {
                let [one, two] = self.next.pair::<()>(first, [0; 2]);
                one_point(one.genes, two.genes, field.bits(), &mut self.rng);
            }
            Operator::EdgeRecombination => {
                nursery.edges.learn(parents.map(|parent| self.now.path(parent)));
                for at in self.pair(first) {
                    let (genes, path) = self.next.row(at);
                    let Nursery { edges, free, .. } = nursery;
                    let child = edges.breed(field, free, path[0], genes, &mut self.rng);
                    self.census.child(child);
                }
            }
        }
    }

    /// Copies the part of the path that a child shares with its parent, and returns the number of
    /// its moves.
    fn inherit(&mut self, at: usize, parent: usize) -> usize {
        let (genes, path) = self.next.row(at);
        let (theirs, walked) = (self.now.genes(parent), self.now.path(parent));
        let same = genes.iter().zip(theirs).take(walked.len() - 1).take_while(|(a, b)| a == b);
        let known = same.count();
        path[..=known].copy_from_slice(&walked[..=known]);
        known
    }

    /// Evaluates a pair of chromosomes with some known moves.
    fn evaluate(&mut self, first: usize, known: [usize; 2], run: &mut Run<'_>) -> ControlFlow<()> {
        let pace = run.pace(self.walk.field.order());
        let mut prints = [0; 2];
        for (at, print) in self.pair(first).zip(&mut prints) {
            *print = RunStatistics::print(self.next.genes(at));
        }
        if self.pair(first).len() < 2 || pace < u64::MAX {
            let mut pair = self.pair(first).zip(known).zip(prints);
            return pair.try_for_each(|((at, known), print)| {
                self.census.string(print);
                self.follow(at, known, pace as usize, run)
            });
        }
        let Evolution { walk, next, rng, .. } = self;
        let [mut one, mut two] = next.pair(first, known);
        walk.begin(&mut one);
        walk.begin(&mut two);
        walk.race(&mut one, &mut two, rng);
        walk.finish(&mut one, rng);
        walk.finish(&mut two, rng);
        let moves = [one.head.moves, two.head.moves];
        let mut pair = self.pair(first).zip(moves).zip(prints);
        pair.try_for_each(|((at, moves), print)| {
            self.census.string(print);
            self.conclude(at, moves, 0, run)
        })
    }

    /// Evaluates one chromosome and charges its moves along the way.
    fn follow(
        &mut self,
        at: usize,
        known: usize,
        pace: usize,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        let Evolution { walk, next, rng, .. } = self;
        let (genes, path) = next.row(at);
        let free = std::mem::take(&mut self.free);
        let mut course = Course::new(genes, path, known, free);
        walk.begin(&mut course);
        let mut charged = 0;
        while walk.advance(&mut course, pace, rng) {
            run.charge(0, (course.head.moves - charged) as u64)?;
            charged = course.head.moves;
        }
        walk.finish(&mut course, rng);
        let moves = course.head.moves;
        self.free = course.head.free;
        self.conclude(at, moves, charged, run)
    }

    /// Charges a chromosome, and shows or claims its path.
    fn conclude(
        &mut self,
        at: usize,
        moves: usize,
        charged: usize,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        self.next.fitness[at] = moves as u32;
        let flow = run.charge(1, (moves - charged) as u64);
        let tour = moves == self.walk.target.moves;
        if tour || run.is_watched() {
            self.show(at, tour, run)?;
        }
        flow
    }

    /// Shows the path of a chromosome, and claims it if it is a tour.
    fn show(&mut self, at: usize, tour: bool, run: &mut Run<'_>) -> ControlFlow<()> {
        let field = self.walk.field;
        let path = self.next.path(at);
        let path = &path[..path.len().min(field.order())];
        let squares = &mut self.squares[..path.len()];
        squares.iter_mut().zip(path).for_each(|(square, &place)| *square = field.square(place));
        run.event(&SearchEvent::Path(squares))?;
        if tour {
            self.census.tour(squares, self.generation);
            run.claim(&*squares)?;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::breeding::Replace;
    use super::super::chromosome::{Gene, LargeGeneGraph, SmallGeneGraph};
    use super::super::repair::{LowestGene, NoRepair};
    use super::*;
    use crate::board::{Board, Graph};
    use crate::problem::{Goal, Problem};
    use crate::search::{Allotment, Control};
    use crate::tour::Verifier;
    use rand::SeedableRng;

    const SIZE: RunSize = RunSize { population: 21, generations: 40 };

    /// Decodes the first `moves` genes from scratch.
    fn decode<F: GeneGraph>(field: &F, genes: &[Gene], start: u32, moves: usize) -> Vec<u32> {
        let mut path = vec![start];
        for &gene in &genes[..moves] {
            path.push(field.target(path[path.len() - 1], gene));
        }
        path
    }

    /// Breeds all generations and checks that every path is legal and matches its genes. Returns the
    /// fitness of each generation.
    fn evolve<F: GeneGraph, M: Repair>(
        field: &F,
        repair: &M,
        problem: &Problem,
        breeding: Breeding,
    ) -> Vec<Vec<u32>> {
        let (verifier, control) = (Verifier::new(problem.graph()), Control::default());
        let allotment = Allotment { start: None, attempts: u64::MAX, moves: u64::MAX };
        let mut run = Run::new((1, "", 0), problem, &verifier, allotment, &control, None, None);
        let rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let start = problem.start().unwrap();
        let mut evolution = Evolution::new(field, repair, Target::new(problem), SIZE, start, rng);
        let mut mutation = Mutation::new(breeding.mutation, &mut evolution.rng);
        let mut nursery = Nursery::new(field, breeding);
        assert!(evolution.fresh(&mut run).is_continue());
        let mut fitness = Vec::new();
        while evolution.has_more() {
            assert!(evolution.breed(&mut nursery, &mut mutation, &mut run).is_continue());
            let now = &evolution.now;
            for at in 0..SIZE.population {
                let path = now.path(at);
                let moves = now.fitness[at] as usize;
                assert_eq!(decode(field, now.genes(at), path[0], moves), path);
                let squares = moves.min(field.order() - 1) + 1;
                let mut seen = path[..squares].to_vec();
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), squares, "a square twice");
            }
            fitness.push(now.fitness.clone());
        }
        fitness
    }

    fn problems() -> Vec<Problem> {
        let graph = Graph::knight(Board::parse("6x6").unwrap());
        let problem =
            |goal, end| Problem::new(graph.clone(), goal, Some(Square::new(14)), end).unwrap();
        vec![
            problem(Goal::Open, None),
            problem(Goal::Closed, None),
            problem(Goal::Open, Some(Square::new(15))),
        ]
    }

    fn breedings() -> Vec<Breeding> {
        let mut all = Vec::new();
        for operator in [Operator::OnePoint, Operator::EdgeRecombination] {
            for replace in [Replace::Elitist, Replace::All, Replace::Parents, Replace::Survivors] {
                all.push(Breeding { crossover: 0.8, mutation: 0.02, operator, replace });
            }
        }
        all
    }

    #[test]
    fn inherited_paths_match_the_genes_on_small_and_large_graphs() {
        for problem in problems() {
            let small = SmallGeneGraph::new(problem.graph()).unwrap();
            let large = LargeGeneGraph::new(problem.graph());
            for breeding in breedings() {
                let on_small = evolve(&*small, &LowestGene, &problem, breeding);
                assert_eq!(on_small, evolve(&large, &LowestGene, &problem, breeding));
                evolve(&*small, &NoRepair, &problem, breeding);
            }
        }
    }

    #[test]
    fn elitist_replacement_never_loses_the_best() {
        let problem = &problems()[0];
        let small = SmallGeneGraph::new(problem.graph()).unwrap();
        for breeding in breedings() {
            let fitness = evolve(&*small, &NoRepair, problem, breeding);
            let best: Vec<u32> = fitness.iter().map(|f| *f.iter().max().unwrap()).collect();
            let kept = matches!(breeding.replace, Replace::Elitist | Replace::Survivors);
            assert!(best.is_sorted() || !kept, "{best:?}");
            let sums: Vec<u32> = fitness.iter().map(|f| f.iter().sum()).collect();
            assert!(sums.is_sorted() || breeding.replace != Replace::Survivors, "{sums:?}");
            assert!(sums[38] > sums[0], "evolution makes them fitter: {sums:?}");
        }
    }
}
