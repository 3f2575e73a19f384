//! The chromosomes of a generation, row by row.

use super::chromosome::Gene;
use super::evaluate::Course;

/// The chromosomes of a generation with their paths.
pub(super) struct Population {
    order: usize,
    genes: Vec<Gene>,
    /// The places of each path. There is one more place than genes, for the closing move.
    paths: Vec<u32>,
    /// Number of legal moves of each chromosome.
    pub(super) fitness: Vec<u32>,
}

impl Population {
    /// Creates `population` chromosomes of zeros, with paths that begin on `start`.
    pub(super) fn new(population: usize, order: usize, start: u32) -> Population {
        Population {
            order,
            genes: vec![0; population * order],
            paths: vec![start; population * (order + 1)],
            fitness: vec![0; population],
        }
    }

    /// Returns the genes of a chromosome.
    pub(super) fn genes(&self, at: usize) -> &[Gene] {
        &self.genes[at * self.order..][..self.order]
    }

    /// Returns the places of a path: the start, and one place per legal move.
    pub(super) fn path(&self, at: usize) -> &[u32] {
        &self.paths[at * (self.order + 1)..][..=self.fitness[at] as usize]
    }

    /// Returns the genes of a chromosome and the whole buffer of its path.
    pub(super) fn row(&mut self, at: usize) -> (&mut [Gene], &mut [u32]) {
        let (order, stride) = (self.order, self.order + 1);
        (&mut self.genes[at * order..][..order], &mut self.paths[at * stride..][..stride])
    }

    /// Returns the courses of two adjacent chromosomes with some known moves.
    pub(super) fn pair<S: Default>(&mut self, at: usize, known: [usize; 2]) -> [Course<'_, S>; 2] {
        let (order, stride) = (self.order, self.order + 1);
        let (one, two) = self.genes[at * order..][..2 * order].split_at_mut(order);
        let (first, second) = self.paths[at * stride..][..2 * stride].split_at_mut(stride);
        [
            Course::new(one, first, known[0], S::default()),
            Course::new(two, second, known[1], S::default()),
        ]
    }

    /// Replaces a chromosome by one of another population.
    pub(super) fn copy(&mut self, at: usize, from: &Population, which: usize) {
        let (genes, path) = self.row(at);
        genes.copy_from_slice(from.genes(which));
        let known = from.path(which);
        path[..known.len()].copy_from_slice(known);
        self.fitness[at] = from.fitness[which];
    }

    /// Returns all indices, worst first, with ties in ascending order.
    pub(super) fn ranks(&self) -> Vec<usize> {
        let mut ranks: Vec<usize> = (0..self.fitness.len()).collect();
        ranks.sort_by_key(|&at| self.fitness[at]);
        ranks
    }
}
