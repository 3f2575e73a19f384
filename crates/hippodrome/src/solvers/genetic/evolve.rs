//! The generations of a run: who is bred from whom, and who stays.

use super::census::Census;
use super::chromosome::{Field, Gene, draw};
use super::edges::Edges;
use super::evaluate::{Course, Target, Walk};
use super::operators::{Mutation, Roulette, one_point};
use super::repair::Mend;
use crate::board::Square;
use crate::run::{Frame, Run};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::{ControlFlow, Range};

/// Where the chromosomes of a generation come from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// All are drawn afresh.
    Fresh,
    /// They are bred from those of the generation before.
    Bred(Breeding),
}

/// How they are bred.
#[derive(Clone, Copy)]
pub(super) struct Breeding {
    /// Share of the pairs that are crossed.
    pub(super) crossover: f64,
    /// Share of the bits that are flipped.
    pub(super) mutation: f64,
    pub(super) operator: Operator,
    pub(super) replace: Replace,
}

/// How pairs are crossed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    OnePoint,
    EdgeRecombination,
}

/// Who makes way for whom.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Replace {
    /// Children take the place of all, but the best of all takes that of the worst child.
    Elitist,
    /// Children take the place of all.
    All,
    /// The worst quarter of the parents gives way to better ones before they are paired.
    Parents,
    /// The worst quarter of the parents gives way to better children, and the others stay.
    Survivors,
}

/// The size of a run.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) population: usize,
    pub(super) generations: u64,
}

/// The chromosomes of a generation with their paths.
struct Population {
    order: usize,
    genes: Vec<Gene>,
    /// The places of each path; one more than genes, for the closing move.
    paths: Vec<u32>,
    /// Legal moves.
    fitness: Vec<u32>,
}

impl Population {
    fn new(population: usize, order: usize, start: u32) -> Population {
        Population {
            order,
            genes: vec![0; population * order],
            paths: vec![start; population * (order + 1)],
            fitness: vec![0; population],
        }
    }

    fn genes(&self, at: usize) -> &[Gene] {
        &self.genes[at * self.order..][..self.order]
    }

    fn path(&self, at: usize) -> &[u32] {
        &self.paths[at * (self.order + 1)..][..=self.fitness[at] as usize]
    }

    fn row(&mut self, at: usize) -> (&mut [Gene], &mut [u32]) {
        let (order, stride) = (self.order, self.order + 1);
        (&mut self.genes[at * order..][..order], &mut self.paths[at * stride..][..stride])
    }

    /// Two neighbours, begun with some moves that are known.
    fn pair<S: Default>(&mut self, at: usize, known: [usize; 2]) -> [Course<'_, S>; 2] {
        let (order, stride) = (self.order, self.order + 1);
        let (one, two) = self.genes[at * order..][..2 * order].split_at_mut(order);
        let (first, second) = self.paths[at * stride..][..2 * stride].split_at_mut(stride);
        [
            Course::new(one, first, known[0], S::default()),
            Course::new(two, second, known[1], S::default()),
        ]
    }

    fn copy(&mut self, at: usize, from: &Population, which: usize) {
        let (genes, path) = self.row(at);
        genes.copy_from_slice(from.genes(which));
        let known = from.path(which);
        path[..known.len()].copy_from_slice(known);
        self.fitness[at] = from.fitness[which];
    }

    /// The numbers of all, worst first; of equals the first.
    fn ranks(&self) -> Vec<usize> {
        let mut ranks: Vec<usize> = (0..self.fitness.len()).collect();
        ranks.sort_by_key(|&at| self.fitness[at]);
        ranks
    }
}

/// One run from one start square.
pub(super) struct Evolution<'a, F: Field, M> {
    walk: Walk<'a, F, M>,
    size: Size,
    census: Census,
    rng: Xoshiro256PlusPlus,
    now: Population,
    next: Population,
    generation: u64,
    /// For one path at a time.
    free: F::Set,
    squares: Vec<Square>,
}

impl<'a, F: Field, M: Mend> Evolution<'a, F, M> {
    pub(super) fn new(
        field: &'a F,
        mend: &'a M,
        target: Target,
        size: Size,
        start: Square,
        rng: Xoshiro256PlusPlus,
    ) -> Evolution<'a, F, M> {
        let population = || Population::new(size.population, field.order(), field.place(start));
        Evolution {
            walk: Walk::new(field, mend, target),
            size,
            census: Census::default(),
            rng,
            now: population(),
            next: population(),
            generation: 1,
            free: field.empty(),
            squares: vec![0; field.order() + 1],
        }
    }

    /// Runs all generations, and reports on them even if told to stop. Gives the generator back.
    pub(super) fn run(
        mut self,
        source: Source,
        run: &mut Run<'_>,
    ) -> (ControlFlow<()>, Xoshiro256PlusPlus) {
        let flow = self.generations(source, run);
        self.census.end_run(&mut run.readings);
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

    /// Closes the generation; whether another follows.
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
        ControlFlow::Continue(())
    }

    /// A pair of chromosomes, or the last of an odd number.
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
        ControlFlow::Continue(())
    }

    /// Crosses the copies of two parents, or leaves them as they are.
    fn cross(&mut self, nursery: &mut Nursery<F>, first: usize, parents: [usize; 2]) {
        if !self.rng.random_bool(nursery.breeding.crossover) {
            return;
        }
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

    /// Takes over the part of a parent's path that its child shares; how many moves that are.
    fn inherit(&mut self, at: usize, parent: usize) -> usize {
        let (genes, path) = self.next.row(at);
        let (theirs, walked) = (self.now.genes(parent), self.now.path(parent));
        let same = genes.iter().zip(theirs).take(walked.len() - 1).take_while(|(a, b)| a == b);
        let known = same.count();
        path[..=known].copy_from_slice(&walked[..=known]);
        known
    }

    /// Evaluates a pair of chromosomes of which some moves are known.
    fn evaluate(&mut self, first: usize, known: [usize; 2], run: &mut Run<'_>) -> ControlFlow<()> {
        let pace = run.pace(self.walk.field.order());
        self.pair(first).for_each(|at| self.census.string(self.next.genes(at)));
        if self.pair(first).len() < 2 || pace < u64::MAX {
            let mut pair = self.pair(first).zip(known);
            return pair.try_for_each(|(at, known)| self.follow(at, known, pace as usize, run));
        }
        let Evolution { walk, next, rng, .. } = self;
        let [mut one, mut two] = next.pair(first, known);
        walk.begin(&mut one);
        walk.begin(&mut two);
        walk.race(&mut one, &mut two, rng);
        walk.finish(&mut one, rng);
        walk.finish(&mut two, rng);
        let moves = [one.head.moves, two.head.moves];
        let mut pair = self.pair(first).zip(moves);
        pair.try_for_each(|(at, moves)| self.conclude(at, moves, 0, run))
    }

    /// Evaluates one chromosome, charging for its moves on the way.
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
        while walk.go_on(&mut course, pace, rng) {
            run.charge(0, (course.head.moves - charged) as u64)?;
            charged = course.head.moves;
        }
        walk.finish(&mut course, rng);
        let moves = course.head.moves;
        self.free = course.head.free;
        self.conclude(at, moves, charged, run)
    }

    /// Charges for a chromosome, and shows its path to whoever may want to see it.
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

    /// Shows the path of a chromosome to whoever watches, and claims it if it is a tour.
    fn show(&mut self, at: usize, tour: bool, run: &mut Run<'_>) -> ControlFlow<()> {
        let field = self.walk.field;
        let path = self.next.path(at);
        let path = &path[..path.len().min(field.order())];
        let squares = &mut self.squares[..path.len()];
        squares.iter_mut().zip(path).for_each(|(square, &place)| *square = field.square(place));
        run.frame(&Frame::Path(squares))?;
        if tour {
            self.census.tour(squares, self.generation);
            run.claim(&*squares)?;
        }
        ControlFlow::Continue(())
    }
}

/// What breeding needs from one generation to the next.
struct Nursery<F: Field> {
    breeding: Breeding,
    wheel: Roulette,
    /// Parents in the order they are paired, where that is not left to the wheel.
    pool: Vec<usize>,
    edges: Edges,
    free: F::Set,
}

impl<F: Field> Nursery<F> {
    fn new(field: &F, breeding: Breeding) -> Nursery<F> {
        let places = match breeding.operator {
            Operator::OnePoint => 0,
            Operator::EdgeRecombination => field.places(),
        };
        let (wheel, pool) = (Roulette::default(), Vec::new());
        Nursery { breeding, wheel, pool, edges: Edges::new(places), free: field.empty() }
    }

    fn select(&mut self, now: &Population, rng: &mut Xoshiro256PlusPlus) {
        self.wheel.set(&now.fitness);
        if self.breeding.replace != Replace::Parents {
            return;
        }
        self.pool = now.ranks();
        for at in 0..self.pool.len() / 4 {
            let other = self.wheel.spin(rng);
            if now.fitness[other] > now.fitness[self.pool[at]] {
                self.pool[at] = other;
            }
        }
        self.pool.shuffle(rng);
    }

    fn parents(&self, first: usize, rng: &mut Xoshiro256PlusPlus) -> [usize; 2] {
        match self.breeding.replace {
            Replace::Parents => [self.pool[first], self.pool[(first + 1) % self.pool.len()]],
            _ => [self.wheel.spin(rng), self.wheel.spin(rng)],
        }
    }

    /// Lets those of the parents' generation that stay take their places among the children.
    fn settle(&mut self, parents: &mut Population, children: &mut Population) {
        match self.breeding.replace {
            Replace::All | Replace::Parents => {}
            Replace::Elitist => {
                let (best, worst) = (first_best(&parents.fitness), first_worst(&children.fitness));
                children.copy(worst, parents, best);
            }
            Replace::Survivors => {
                let (worst, mut best) = (parents.ranks(), children.ranks());
                best.reverse();
                for (&old, &new) in worst.iter().zip(&best).take(worst.len() / 4) {
                    if children.fitness[new] > parents.fitness[old] {
                        parents.copy(old, children, new);
                    }
                }
                std::mem::swap(parents, children);
            }
        }
    }
}

fn first_best(fitness: &[u32]) -> usize {
    let best = fitness.iter().max();
    fitness.iter().position(|f| Some(f) == best).unwrap_or(0)
}

fn first_worst(fitness: &[u32]) -> usize {
    let worst = fitness.iter().min();
    fitness.iter().position(|f| Some(f) == worst).unwrap_or(0)
}
