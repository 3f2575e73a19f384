//! The heuristic of Al-Gharaibeh et al.: at an impasse, take the square with the fewest onward moves.
//!
//! Their example counts the moves to free squares ("square 43 has 7 legal moves" where the empty
//! board has 8), so degrees count free squares only, unless `degree=static`. They do not specify how ties are
//! broken: `ties` decides. "Other heuristic functions" are their future work: Pohl's and Roth's second
//! criteria, as in `warnsdorff`, apply before `ties`.

use super::chromosome::{Gene, GeneGraph};
use super::operators::least;
use super::repair::Repair;
use crate::board::Graph;
use crate::search::{Unsupported, choice, params};
use crate::solvers::tie_break::RothDistance;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

choice! {
    /// How the next square is chosen at an impasse.
    pub(super) enum Heuristic {
        Warnsdorff = "warnsdorff", "the fewest onward moves";
        Pohl = "pohl", "the fewest onward moves, then the smallest sum of onward moves one level down";
        Roth = "roth", "the fewest onward moves, then the square farthest from the centre";
    }
}

choice! {
    /// Which onward moves are counted.
    pub(super) enum Degree {
        Live = "live", "moves to squares that are still free, as in the paper's example";
        Static = "static", "moves on the empty board";
    }
}

choice! {
    /// How ties are broken.
    pub(super) enum GeneTies {
        First = "first", "the lowest move number";
        Last = "last", "the highest move number";
        Random = "random", "a random choice";
    }
}

params! {
    /// Parameters of repair by Warnsdorff's rule.
    pub(super) struct HeuristicParams {
        heuristic: Heuristic = Warnsdorff, "Choice of the next square at an impasse.";
        degree: Degree = Live, "Which onward moves are counted.";
        ties: GeneTies = First, "How ties between equally good squares are broken.";
    }
}

enum Second {
    Nothing,
    Pohl,
    Roth(RothDistance),
}

/// Warnsdorff's rule with its ties.
pub(super) struct FewestMoves {
    second: Second,
    live: bool,
    ties: GeneTies,
}

impl FewestMoves {
    pub(super) fn new(graph: &Graph, params: &HeuristicParams) -> Result<FewestMoves, Unsupported> {
        let second = match params.heuristic {
            Heuristic::Warnsdorff => Second::Nothing,
            Heuristic::Pohl => Second::Pohl,
            Heuristic::Roth => Second::Roth(RothDistance::new(graph, "heuristic")?),
        };
        Ok(FewestMoves { second, live: params.degree == Degree::Live, ties: params.ties })
    }

    /// Returns the key to minimise: the onward moves, then the second criterion.
    fn key<F: GeneGraph>(&self, field: &F, free: &F::Set, place: u32) -> (u32, u64) {
        let near = || (0..field.genes(place)).map(|gene| field.target(place, gene));
        let onward = match self.live {
            true => field.onward(free, place),
            false => near().filter(|&to| to != place).count() as u32,
        };
        let second = match self.second {
            Second::Nothing => 0,
            Second::Pohl => near()
                .filter(|&to| F::has(free, to) && to != place)
                .map(|to| u64::from(field.onward(free, to)))
                .sum(),
            Second::Roth(roth) => u64::MAX - roth.of(field.square(place)),
        };
        (onward, second)
    }

    /// Chooses the best gene at an impasse.
    fn best<F: GeneGraph>(
        &self,
        field: &F,
        free: &F::Set,
        place: u32,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<(Gene, u32)> {
        let moves = (0..field.genes(place)).map(|gene| (gene, field.target(place, gene)));
        let free_moves = moves.filter(|&(_, to)| F::has(free, to));
        let ranked = free_moves.map(|(gene, to)| (self.key(field, free, to), (gene, to)));
        least(ranked, |equals| match self.ties {
            GeneTies::First => false,
            GeneTies::Last => true,
            GeneTies::Random => rng.random_range(0..equals) == 0,
        })
    }
}

impl Repair for FewestMoves {
    #[inline(always)]
    fn next_move<F: GeneGraph>(
        &self,
        field: &F,
        free: &F::Set,
        place: u32,
        wanted: Gene,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<(Gene, u32)> {
        let to = field.target(place, wanted);
        if F::has(free, to) {
            return Some((wanted, to));
        }
        self.best(field, free, place, rng)
    }
}
