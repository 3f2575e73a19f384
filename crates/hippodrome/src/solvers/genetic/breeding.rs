//! Selection of parents, and replacement of a generation by its children.

use super::chromosome::GeneGraph;
use super::edges::Edges;
use super::operators::Roulette;
use super::population::Population;
use crate::search::{choice, params};
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cmp::Reverse;

choice! {
    /// How pairs are crossed.
    pub(super) enum Operator {
        OnePoint = "one-point", "exchange everything after a random point between two bits";
        EdgeRecombination = "edge-recombination", "build children from the moves of both parents";
    }
}

choice! {
    /// Which chromosomes are replaced.
    pub(super) enum Replace {
        Elitist = "elitist", "children replace all; then the best chromosome so far replaces the worst child";
        All = "all", "children replace all";
        Parents = "parents", "better chromosomes replace the worst quarter before pairing; children replace all";
        Survivors = "survivors", "the best children replace the worst quarter if they are better; the other parents stay";
    }
}

params! {
    /// Parameters of breeding, with the defaults of the 2004 paper.
    #[derive(Copy)]
    pub(super) struct Breeding {
        crossover: f64 = "0.8" in 0.0..=1.0, "Probability that a pair is crossed; otherwise it is copied.";
        mutation: f64 = "0.01" in 0.0..=1.0, "Probability of flipping each bit.";
        operator: Operator = OnePoint, "How pairs are crossed.";
        replace: Replace = Elitist, "Which chromosomes are replaced from one generation to the next.";
    }
}

/// The reciprocal of the share of parents that are replaced: "a maximum of a quarter of the chromosomes" in
/// Al-Gharaibeh et al. (2007).
const REPLACED_PART: usize = 4;

/// State of breeding that is carried from one generation to the next.
pub(super) struct Nursery<F: GeneGraph> {
    pub(super) breeding: Breeding,
    wheel: Roulette,
    /// Parents in the order in which they are paired, unless the roulette wheel chooses them.
    pool: Vec<usize>,
    pub(super) edges: Edges,
    pub(super) free: F::Set,
}

impl<F: GeneGraph> Nursery<F> {
    pub(super) fn new(field: &F, breeding: Breeding) -> Nursery<F> {
        let places = match breeding.operator {
            Operator::OnePoint => 0,
            Operator::EdgeRecombination => field.places(),
        };
        let (wheel, pool) = (Roulette::default(), Vec::new());
        Nursery { breeding, wheel, pool, edges: Edges::new(places), free: F::Set::default() }
    }

    /// Prepares the choice of parents from a generation.
    pub(super) fn select(&mut self, now: &Population, rng: &mut Xoshiro256PlusPlus) {
        self.wheel.set(&now.fitness);
        if self.breeding.replace != Replace::Parents {
            return;
        }
        self.pool = now.ranks();
        for at in 0..(self.pool.len() / REPLACED_PART).max(1) {
            let other = self.wheel.spin(rng);
            if now.fitness[other] > now.fitness[self.pool[at]] {
                self.pool[at] = other;
            }
        }
        self.pool.shuffle(rng);
    }

    /// Returns the parents of chromosomes `first` and `first + 1`.
    pub(super) fn parents(&self, first: usize, rng: &mut Xoshiro256PlusPlus) -> [usize; 2] {
        match self.breeding.replace {
            Replace::Parents => [self.pool[first], self.pool[(first + 1) % self.pool.len()]],
            _ => [self.wheel.spin(rng), self.wheel.spin(rng)],
        }
    }

    /// Merges surviving parents and children into the next generation, which is stored in `children`.
    pub(super) fn settle(&mut self, parents: &mut Population, children: &mut Population) {
        match self.breeding.replace {
            Replace::All | Replace::Parents => {}
            Replace::Elitist => {
                // Ties go to the first.
                let best = (0..).zip(&parents.fitness).min_by_key(|&(_, fitness)| Reverse(fitness));
                let worst = (0..).zip(&children.fitness).min_by_key(|&(_, fitness)| fitness);
                if let (Some((best, _)), Some((worst, _))) = (best, worst) {
                    children.copy(worst, parents, best);
                }
            }
            Replace::Survivors => {
                let (worst, mut best) = (parents.ranks(), children.ranks());
                best.reverse();
                for (&old, &new) in
                    worst.iter().zip(&best).take((worst.len() / REPLACED_PART).max(1))
                {
                    if children.fitness[new] > parents.fitness[old] {
                        parents.copy(old, children, new);
                    }
                }
                std::mem::swap(parents, children);
            }
        }
    }
}
