//! `colonies`: parallel ant colonies, each with its own pheromone and repelled by that of the others.
//!
//! The colonies of a group run in lockstep. An ant weights an edge by the pheromone of its own colony, as in
//! `mace`, times (1 - f)^repulsion. Here f is the share of this edge in the pheromone that the other colonies
//! have on all edges out of the ant's square. Once, after cycle number `exchange`, each colony moves its
//! pheromone towards the mean of all colonies by the fraction `share`. After the last cycle a new group
//! starts.
//! Source: the 2020 comparison, Section 4.3: "multiple colonies of ants that repel each other's
//! pheromones", which lead "to a greater pool of knowledge which might be shared by the colonies at
//! a later stage". The comparison does not specify how colonies repel each other, what they share and when,
//! how many there are, or when they end; it did not test the idea. In Sim & Sun (2003), ants are also
//! repelled by the pheromone of other colonies.
//! Cost: that of `mace`, plus one division per edge, colony and cycle, and one power unless the repulsion is
//! 1; about 40 MB to count distinct tours. A group is one unit, so threads work on different groups.
//! Limits: 64 colonies, and the limits of `mace`.
//! Departures: (1) the formula and the single exchange are our interpretation; (2) ants are repelled by the
//! pheromone at the start of the cycle; (3) tours are emitted cycle by cycle, and colony by colony within a
//! cycle. If repulsion and exchange are both 0, the colonies are independent: each runs alone with the seed
//! of the corresponding `mace` colony, so the same tours are found in the same order as by `mace`; (4) on
//! small boards with alpha 1, colonies that repel each other also use the kernel, and their weights are set
//! before each cycle; the deposits of a cycle are computed by subtraction, exact to about 1e-13.

use super::TUNABLE;
use super::colony::{PlainColony, zero_below};
use super::kernel::{GONE, Kernel, RandomStream};
use super::overlap::{COLONY_TOURS, GROUP_TOURS, Overlap, SHARED_TOURS, UNTOLD_TOURS};
use super::params::*;
use super::prepared::{ColonyBudget, PreparedColonies, note, turn};
use super::watch::ColonyWatch;
use crate::board::Square;
use crate::board::move_weights::MoveWeight;
use crate::problem::Problem;
use crate::search::{
    Allotment, Budget, End, EventKind, Family, Info, Params, Preparation, Prepared, Promise,
    Resources, Run, Solver, Tunable, Values, params,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// Registry entry of `colonies`: colonies that repel each other.
pub struct Colonies;

static INFO: Info = Info {
    name: "colonies",
    title: "Several ant colonies",
    family: Family::Nature,
    summary: "Parallel ant colonies, each repelled by the others' pheromone.",
    source: "TCD 2020, Section 4.3",
    good_for: "testing whether colonies that repel each other find more than independent ones",
    params: ColoniesParams::PARAMS,
    events: &[EventKind::Path, EventKind::MoveWeights, EventKind::Cycle],
    measures: &[
        COLONY_TOURS,
        GROUP_TOURS,
        SHARED_TOURS,
        UNTOLD_TOURS,
        STOPPED,
        STOPPED_LEFT,
        TURNS,
        TURNED_TOURS,
    ],
    rounds: Some("cycles"),
    tuning: Some(&Tunable { cycle: Some("colonies"), ..TUNABLE }),
    ..Info::PLAIN
};

params! {
    /// Parameters of a group.
    struct GroupParams {
        colonies: u64 = "4" in 1..=64, "Colonies per group.";
        repulsion: f64 = "0.1" in 0.0..=10.0, "Strength of the repulsion: exponent of 1 minus the others' share of an edge. 0 for none, which with exchange=0 is mace.";
        exchange: u64 = "0" in 0..=1_000_000_000_000, "Cycle after which the colonies of a group share their pheromone once; 0 for never.";
        share: f64 = "0.5" in 0.0..=1.0, "Fraction by which each colony's pheromone then moves towards the mean of all.";
    }
}

params! {
    /// Parameters of `colonies`.
    struct ColoniesParams {
        group: GroupParams;
        mace: MaceParams;
    }
}

impl Solver for Colonies {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let ColoniesParams { group, mace } = ColoniesParams::from_values(values);
        let cycles = mace.cycles(problem);
        let ready = PreparedColonies::new(problem, mace.rule, cycles, true, &mace.ants)?;
        Ok(Box::new(ColonyGroup { ready, params: group }))
    }
}

struct ColonyGroup {
    ready: PreparedColonies,
    params: GroupParams,
}

impl ColonyGroup {
    /// Runs independent colonies, as `mace` does.
    fn apart(&self, unit: u64, run: &mut Run<'_>, overlap: &mut Overlap) -> ControlFlow<()> {
        let whole = self.ready.whole();
        let Allotment { attempts, moves, .. } = *run.allotment();
        // A full share needs no limit: the colony ends after its last cycle anyway.
        let limit = |left: u64, whole| if left < whole { left } else { u64::MAX };
        for colony in 0..self.params.colonies {
            let attempts = turn(attempts, colony, whole.attempts);
            let (Some(attempts), Some(moves)) = (attempts, turn(moves, colony, whole.moves)) else {
                break;
            };
            let share = ColonyBudget {
                attempts: limit(attempts, whole.attempts),
                moves: limit(moves, whole.moves),
            };
            let rng = run.rng_of("mace", unit * self.params.colonies + colony);
            let number = Some(colony + 1);
            self.ready
                .colony(number, rng, share, run, |tour| overlap.add(colony as usize, tour))?;
        }
        ControlFlow::Continue(())
    }

    /// Runs colonies that repel each other or exchange pheromone, cycle by cycle.
    fn together(
        &self,
        bodies: &mut [GroupColony],
        run: &mut Run<'_>,
        overlap: &mut Overlap,
    ) -> ControlFlow<()> {
        let Allotment { attempts, moves, .. } = *run.allotment();
        let mut share = ColonyBudget { attempts, moves };
        let (mut sum, mut factors) = (Vec::new(), Vec::new());
        let order = self.ready.problem.graph().order();
        let numbers = (1..).map(|number| ColonyWatch::new(order, Some(number)));
        let mut watches: Vec<ColonyWatch> = numbers.take(bodies.len()).collect();
        for (body, watch) in bodies.iter_mut().zip(&mut watches) {
            watch.begin(run, || body.amounts(&self.ready));
        }
        for cycle in 0..self.ready.cycles {
            if cycle > 0 && cycle == self.params.exchange {
                exchange(bodies, self.params.share, &mut sum);
            }
            bodies.iter_mut().for_each(|body| body.evaporate(1.0 - self.ready.rule.rho));
            add_up(bodies, &mut sum);
            for (colony, (body, watch)) in bodies.iter_mut().zip(&mut watches).enumerate() {
                body.weigh(&sum, self.params.repulsion, &mut factors);
                let each = |tour: &[Square]| overlap.add(colony, tour);
                body.cycle(&self.ready, &mut share, (run, watch), each)?;
                watch.end(run, || body.amounts(&self.ready))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn body(&self, rng: Xoshiro256PlusPlus) -> GroupColony {
        // `GroupColony` evaporates, so the kernel's rate is 0. For alpha 0 the kernel would not learn at all.
        match self.ready.kernel(0.0).filter(|_| self.ready.rule.alpha == 1.0) {
            Some(kernel) => GroupColony::fast(kernel, rng),
            None => GroupColony::Plain { colony: Box::new(self.ready.plain()), rng },
        }
    }
}

/// Sums the pheromone of all colonies by edge.
fn add_up(bodies: &mut [GroupColony], sum: &mut Vec<f64>) {
    sum.clear();
    for body in bodies {
        let levels = body.levels();
        sum.resize(levels.len(), 0.0);
        sum.iter_mut().zip(levels).for_each(|(sum, level)| *sum += *level);
    }
}

/// Moves the pheromone of every colony towards the mean of all colonies.
fn exchange(bodies: &mut [GroupColony], share: f64, sum: &mut Vec<f64>) {
    add_up(bodies, sum);
    let part = share / bodies.len() as f64;
    for body in bodies {
        for (level, sum) in body.levels().iter_mut().zip(&*sum) {
            *level = *level * (1.0 - share) + sum * part;
        }
    }
}

/// Appends the repulsion factors of the edges out of one square. `own` is their pheromone in one colony, and
/// `sum` is its sum over all colonies.
fn repel(own: &[f64], sum: &[f64], repulsion: f64, factors: &mut Vec<f64>) {
    let others = || own.iter().zip(sum).map(|(own, sum)| (sum - own).max(0.0));
    let all: f64 = others().sum();
    factors.extend(others().map(|theirs| {
        let rest = if all > 0.0 { (1.0 - theirs / all).max(0.0) } else { 1.0 };
        if repulsion == 1.0 { rest } else { rest.powf(repulsion) }
    }));
}

/// A colony of a group.
enum GroupColony {
    Fast {
        /// Contains the weights for a cycle instead of the pheromone, and has an evaporation rate of 0.
        kernel: Box<Kernel>,
        stream: RandomStream,
        levels: Vec<f64>,
        weights: Vec<f64>,
    },
    Plain {
        colony: Box<PlainColony>,
        rng: Xoshiro256PlusPlus,
    },
}

impl GroupColony {
    fn fast(mut kernel: Kernel, mut rng: Xoshiro256PlusPlus) -> GroupColony {
        let levels = kernel.levels().to_vec();
        let stream = RandomStream::new(&mut rng);
        GroupColony::Fast { kernel: Box::new(kernel), stream, weights: levels.clone(), levels }
    }

    fn levels(&mut self) -> &mut [f64] {
        match self {
            GroupColony::Fast { levels, .. } => levels,
            GroupColony::Plain { colony, .. } => colony.levels(),
        }
    }

    /// Returns the pheromone of the colony. Call this only between cycles: it overwrites the kernel's
    /// weights.
    fn amounts(&mut self, ready: &PreparedColonies) -> Vec<MoveWeight> {
        match self {
            GroupColony::Fast { kernel, levels, .. } => {
                kernel.levels().copy_from_slice(levels);
                kernel.pheromone().collect()
            }
            GroupColony::Plain { colony, .. } => colony.amounts(ready.problem.graph()),
        }
    }

    fn evaporate(&mut self, keep: f64) {
        match self {
            GroupColony::Fast { levels, .. } => {
                levels.iter_mut().for_each(|level| *level = zero_below(GONE, *level * keep));
            }
            GroupColony::Plain { colony, .. } => colony.evaporate(),
        }
    }

    /// Computes the weights for a cycle from the pheromone of all colonies. `factors` is scratch space.
    fn weigh(&mut self, sum: &[f64], repulsion: f64, factors: &mut Vec<f64>) {
        factors.clear();
        match self {
            GroupColony::Fast { levels, weights, .. } => {
                for (own, sum) in levels.chunks(8).zip(sum.chunks(8)) {
                    repel(own, sum, repulsion, factors);
                }
                for ((weight, &own), &factor) in weights.iter_mut().zip(&*levels).zip(&*factors) {
                    *weight = zero_below(GONE, own * factor);
                }
            }
            GroupColony::Plain { colony, .. } => {
                for (row, own) in colony.levels_by_square() {
                    repel(own, &sum[row], repulsion, factors);
                }
                colony.weigh();
                colony.scale(factors);
            }
        }
    }

    fn cycle(
        &mut self,
        ready: &PreparedColonies,
        share: &mut ColonyBudget,
        watched: (&mut Run<'_>, &mut ColonyWatch),
        each: impl FnMut(&[Square]),
    ) -> ControlFlow<()> {
        match self {
            GroupColony::Fast { kernel, stream, levels, weights } => {
                kernel.levels().copy_from_slice(weights);
                let flow = ready.fast_cycle((kernel, stream), share, watched, each);
                for ((level, after), before) in levels.iter_mut().zip(kernel.levels()).zip(weights)
                {
                    *level += *after - *before;
                }
                flow
            }
            GroupColony::Plain { colony, rng } => {
                ready.slow_cycle((colony, rng), share, watched, each)
            }
        }
    }
}

impl Prepared for ColonyGroup {
    fn promise(&self) -> Promise {
        self.ready.promise()
    }

    fn cycle(&self) -> Option<u64> {
        self.ready.cycle().map(|ants| ants * self.params.colonies)
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        self.ready.part(unit, self.params.colonies, budget)
    }

    fn run(&self, unit: u64, run: &mut Run<'_>) -> End {
        let mut overlap = Overlap::new();
        let touch =
            self.params.colonies > 1 && (self.params.repulsion > 0.0 || self.params.exchange > 0);
        // As for a single colony, the end proves nothing.
        if touch {
            let seeds = (0..self.params.colonies)
                .map(|c| run.rng_of("mace", unit * self.params.colonies + c));
            let mut bodies: Vec<GroupColony> = seeds.map(|rng| self.body(rng)).collect();
            let _ = self.together(&mut bodies, run, &mut overlap);
            for body in &bodies {
                if let GroupColony::Plain { colony, .. } = body {
                    note(colony.helped(), run);
                }
            }
        } else {
            let _ = self.apart(unit, run, &mut overlap);
        }
        overlap.note(run);
        End::Limit
    }
}

#[cfg(test)]
mod tests;
