//! `ace`, `mace`, `ants-random`: ant colony optimisation with pheromone on moves.
//!
//! In every cycle one ant starts from each square and moves until it is stuck. It chooses among the free
//! squares by the pheromone on the moves. At the end of the cycle, ants deposit pheromone on their paths,
//! long paths more than short ones; some pheromone evaporates before the next cycle. `ace` is one colony; it
//! learns some of the tours and finally repeats itself. `mace` starts a new colony after a fixed number of
//! cycles, and `ants-random` never learns. Two ideas from the last section of the 2005 paper are options:
//! stop an ant when its path cannot become a tour (`hopeless`), and rotate the end of a stuck path (`local`);
//! see `colony/aided.rs`.
//! `colony/aided.rs`.
//! Source: Hingston & Kendall (2004, 2005); the 2020 comparison for `deposit=tcd2020`.
//! Cost: see [`colony`]; for boards of at most 64 squares see `kernel.rs`, where a move takes about 4.5 ns.
//! Limits: boards of at most 2^20 squares; proves nothing.
//! Departures: (1) for sizes other than the papers' 5x5, 6x6 and 8x8, the number of cycles before a restart
//! is interpolated or extrapolated log-linearly from the nearest two of these sizes, up to 100,000; (2) a
//! budget may end a run within a cycle, in which case the last cycle sends fewer ants; (3) small graphs use
//! the kernel unless `kernel=plain` is set; the kernel has single-precision weights and 24 random bits per
//! choice, see `kernel.rs`. See [`colony`] for the departures of the plain cycle.

mod colonies;
pub mod colony;
mod kernel;
mod overlap;
mod params;
mod prepared;
mod watch;

pub use colonies::Colonies;

use crate::problem::Problem;
use crate::search::{
    ArtifactKind, EventKind, Family, Info, Measure, Offer, Params, Preparation, Purpose, Resources,
    Solver, Tunable, Values,
};
use colony::ColonyRule;
use params::*;
use prepared::PreparedColonies;

/// Registry entry of `ace`: one colony.
pub struct Ace;

/// Registry entry of `mace`: one colony after another.
pub struct Mace;

/// Registry entry of `ants-random`: ants that do not learn.
pub struct AntsRandom;

static ACE: Info = Info {
    name: "ace",
    title: "Ant colony (ACE)",
    family: Family::Nature,
    summary: "An ant colony: ants choose moves by pheromone, and longer paths deposit more of it.",
    source: "Hingston & Kendall 2004",
    good_for: "watching a colony learn; some 500,000 tours of 8x8 from one run",
    params: AceParams::PARAMS,
    events: &[EventKind::Path, EventKind::MoveWeights, EventKind::Cycle],
    measures: MEASURES,
    artifacts: &[ArtifactKind::MoveWeights],
    rounds: Some("cycles"),
    offers: &[Offer::always(Purpose::MoveWeights, &["kernel=plain"])],
    tuning: Some(&TUNABLE),
    ..Info::PLAIN
};

static MACE: Info = Info {
    name: "mace",
    title: "Ant colony (MACE)",
    family: Family::Nature,
    summary: "Ant colonies one after another: a new colony starts before the old one repeats itself.",
    source: "Hingston & Kendall 2005; TCD 2020",
    good_for: "any number of distinct tours, more varied than those of a fixed rule",
    params: MaceParams::PARAMS,
    events: &[EventKind::Path, EventKind::MoveWeights, EventKind::Cycle],
    measures: MEASURES,
    artifacts: &[ArtifactKind::MoveWeights],
    rounds: Some("cycles"),
    tuning: Some(&TUNABLE),
    ..Info::PLAIN
};

static RANDOM: Info = Info {
    name: "ants-random",
    title: "Ants that do not learn",
    family: Family::Nature,
    summary: "Ants that choose among the free squares at random.",
    source: "Hingston & Kendall 2005, Figure 4",
    good_for: "the baseline that shows what ants learn",
    params: AntParams::PARAMS,
    events: &[EventKind::Path, EventKind::MoveWeights, EventKind::Cycle],
    measures: MEASURES,
    rounds: Some("cycles"),
    ..Info::PLAIN
};

/// The default tuning: the paper varies alpha, but shows the values only in a figure.
const TUNABLE: Tunable =
    Tunable { vary: "alpha=0.5..2:0.25", length: "cycles", cycle: None, learned };

/// The measures that the options `hopeless` and `local` report.
const MEASURES: &[Measure] = &[STOPPED, STOPPED_LEFT, TURNS, TURNED_TOURS];

/// Number of moves per unit for ants that do not learn. Chosen by hand: about 5 ms with the kernel.
const UNIT_MOVES: u64 = 1 << 20;

impl Solver for Ace {
    fn info(&self) -> &'static Info {
        &ACE
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let AceParams { cycles, rule, ants } = AceParams::from_values(values);
        Ok(Box::new(PreparedColonies::new(problem, rule, cycles, false, &ants)?))
    }
}

impl Solver for Mace {
    fn info(&self) -> &'static Info {
        &MACE
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let params = MaceParams::from_values(values);
        Ok(Box::new(PreparedColonies::new(
            problem,
            params.rule,
            params.cycles(problem),
            true,
            &params.ants,
        )?))
    }
}

impl Solver for AntsRandom {
    fn info(&self) -> &'static Info {
        &RANDOM
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let moves = (problem.start_count() * problem.graph().order()) as u64;
        let (cycles, ants) = ((UNIT_MOVES / moves).max(1), AntParams::from_values(values));
        Ok(Box::new(PreparedColonies::new(problem, ColonyRule::RANDOM, cycles, true, &ants)?))
    }
}

#[cfg(test)]
mod faithful;
#[cfg(test)]
mod tests;
