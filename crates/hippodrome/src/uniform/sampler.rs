//! Samplers: a problem with its sweep and its table, from which tours are drawn.

use super::cache::{self, CacheMiss};
use super::draw::{Drawer, Finished, below, cycle, squares};
use super::sweep::{Sweep, SweepVertex};
use super::table::{CoverTable, Failure, Reached, TableError};
use crate::board::Square;
use crate::numerals::in_bytes;
use crate::problem::Problem;
use crate::search::Resources;
use rand::Rng;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The resources that a table would need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableForecast {
    /// Number of reachable states.
    pub states: u64,
    /// Upper bound on the bytes of the table.
    pub bytes: u64,
    /// The cache file of the table, if there is one.
    pub kept: Option<PathBuf>,
}

/// Where a table came from, and the state of its cache file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The file that the table was read from or written to.
    pub file: Option<PathBuf>,
    /// Size of that file in bytes.
    pub bytes: u64,
    /// Whether the table was read from the file.
    pub read: bool,
    /// Why the cache file could not be read or written, if that failed.
    pub trouble: Option<String>,
}

/// Smallest size in bytes of a table worth caching: smaller tables are made in a fraction of a second. Chosen
/// by hand.
const WORTH_A_FILE: usize = 4 << 20;

/// A table from which exactly uniform tours of one problem are drawn.
pub struct Sampler {
    problem: Problem,
    sweep: Sweep,
    table: CoverTable,
    origin: Origin,
}

impl Sampler {
    /// Reads the table of a problem from the cache, or makes it.
    pub fn new(problem: &Problem, resources: &Resources<'_>) -> Result<Sampler, TableError> {
        let sweep = Sweep::new(problem)?;
        let file = resources.cache.map(|folder| cache::path(folder, &sweep));
        let mut origin = Origin::default();
        if let Some(path) = &file {
            let size = std::fs::metadata(path).map_or(0, |file| file.len());
            if size > resources.memory as u64 {
                return Err(explain(Failure::Memory, problem, resources.memory));
            }
            match cache::read(path, &sweep) {
                Ok(table) => {
                    let origin = Origin { bytes: size, read: true, file, ..origin };
                    return Ok(Sampler { problem: problem.clone(), sweep, table, origin });
                }
                Err(CacheMiss::None) => {}
                Err(CacheMiss::Damaged(why)) => {
                    origin.trouble = Some(format!("{}: {why}; making it again", path.display()));
                }
            }
        }
        let table = CoverTable::new(&sweep, resources);
        let table = table.map_err(|failure| explain(failure, problem, resources.memory))?;
        if let Some(path) = file.filter(|_| table.bytes() >= WORTH_A_FILE) {
            match cache::write(&path, &sweep, &table) {
                Ok(bytes) => origin = Origin { file: Some(path), bytes, ..origin },
                Err(error) => {
                    let why = format!("cannot write {}: {error}", path.display());
                    origin.trouble = Some(why);
                }
            }
        }
        Ok(Sampler { problem: problem.clone(), sweep, table, origin })
    }

    /// Forecasts the table of a problem. A forecast takes about a third of the time that the table would
    /// take.
    pub fn forecast(
        problem: &Problem,
        resources: &Resources<'_>,
    ) -> Result<TableForecast, TableError> {
        let sweep = Sweep::new(problem)?;
        let kept = resources.cache.map(|folder| cache::path(folder, &sweep)).filter(|p| p.exists());
        let reached = Reached::new(&sweep, resources);
        let reached = reached.map_err(|failure| explain(failure, problem, resources.memory))?;
        let states = reached.states.iter().map(|states| states.len() as u64).sum();
        Ok(TableForecast { states, bytes: reached.bytes(), kept })
    }

    /// Returns where the table came from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns the number of covers. For closed tours a cover is a set of cycles over all squares; for open
    /// tours, it is a path between the free or given ends, and any number of cycles. If there are no covers,
    /// there are no tours.
    pub fn covers(&self) -> u128 {
        self.table.covers
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Raises the probability of the first arc of every state by a percentage, to inject a bias.
    #[cfg(test)]
    pub(super) fn perturb(&mut self, percent: u64) {
        self.table.layers.iter_mut().for_each(|layer| layer.perturb(percent));
    }

    #[cfg(test)]
    pub(super) fn arcs(&self) -> Vec<u64> {
        self.table.layers.iter().flat_map(|layer| layer.arcs.iter().copied()).collect()
    }

    /// Draws `covers` covers, if the problem has any, and passes each to `finished`, which may stop the
    /// drawing.
    pub(super) fn draw<B>(
        &self,
        covers: u64,
        rng: &mut impl Rng,
        finished: impl FnMut(&Finished<'_>, &mut dyn Rng) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self.table.covers {
            0 => ControlFlow::Continue(()),
            _ => Drawer::new(&self.sweep, &self.table).draw(covers, rng, finished),
        }
    }

    /// Draws `covers` covers and returns how many of them are tours.
    pub fn tours_among(&self, covers: u64, rng: &mut impl Rng) -> u64 {
        let mut tours = 0;
        let _: ControlFlow<()> = self.draw(covers, rng, |finished, _| {
            tours += u64::from(finished.whole);
            ControlFlow::Continue(())
        });
        tours
    }

    /// Returns a drawn cover as a tour. The start and the direction are random unless the problem fixes them.
    pub(super) fn tour(&self, finished: &Finished<'_>, rng: &mut dyn Rng) -> Vec<Square> {
        let near = finished.chosen();
        let vertex =
            |s: Square| self.sweep.squares.partition_point(|&other| other < s) as SweepVertex;
        let extra = self.sweep.extra();
        let mut path = Vec::with_capacity(near.len());
        match (self.problem.start(), self.problem.end()) {
            (Some(start), Some(end)) if start == end => path.push(vertex(start)),
            // The sweep joins the given ends first, so the first neighbour of the start is the end.
            (Some(start), Some(_)) => cycle(&near, vertex(start), 1, &mut path),
            (start, end) if self.problem.is_closed() => {
                let anywhere = |rng: &mut dyn Rng| below(rng, extra.into()) as SweepVertex;
                let from = start.or(end).map_or_else(|| anywhere(rng), vertex);
                cycle(&near, from, below(rng, 2) as usize, &mut path);
            }
            (None, None) => {
                cycle(&near, extra, below(rng, 2) as usize, &mut path);
                path.remove(0);
            }
            // The first neighbour of the extra vertex is the given end.
            _ => {
                cycle(&near, extra, 0, &mut path);
                path.remove(0);
            }
        }
        if self.problem.start().is_none() && self.problem.end().is_some() {
            path.reverse();
        }
        squares(&self.sweep, &path)
    }

    /// Returns the moves of a cover, for live views.
    pub(super) fn moves(&self, finished: &Finished<'_>) -> Vec<(Square, Square)> {
        let (squares, graph) = (&self.sweep.squares, self.problem.graph());
        let mut moves = Vec::with_capacity(squares.len());
        for (&from, near) in squares.iter().zip(&finished.chosen()) {
            let near = near.iter().filter_map(|&v| squares.get(v as usize).copied());
            moves.extend(
                near.filter(|&to| from < to && graph.adjacent(from, to)).map(|to| (from, to)),
            );
        }
        moves
    }

    /// Returns the longest path or cycle of a cover, for live views.
    pub(super) fn strand(&self, finished: &Finished<'_>) -> Vec<Square> {
        let near = finished.chosen();
        let graph = self.problem.graph();
        let mut best = Vec::new();
        for from in 0..self.sweep.squares.len() {
            let mut path: Vec<Square> = vec![self.sweep.squares[from]];
            let (mut before, mut here) = (from, from);
            // Edges to the extra vertex, and between given ends, are not moves.
            let onward = |before: usize, here: usize| {
                let real = |&&v: &&SweepVertex| {
                    let next = self.sweep.squares.get(v as usize);
                    next.is_some_and(|&next| graph.adjacent(self.sweep.squares[here], next))
                };
                near[here].iter().filter(real).map(|&v| v as usize).find(|&v| v != before)
            };
            while let Some(next) = onward(before, here).filter(|&next| next != from) {
                (before, here) = (here, next);
                path.push(self.sweep.squares[here]);
            }
            if path.len() > best.len() {
                best = path;
            }
        }
        best
    }
}

fn explain(failure: Failure, problem: &Problem, memory: usize) -> TableError {
    let graph = problem.graph().to_string();
    match failure {
        Failure::Memory => TableError::Memory { graph, allowed: in_bytes(memory as u128) },
        Failure::Numbers => TableError::Numbers(graph),
        Failure::Stopped => TableError::Stopped,
    }
}
