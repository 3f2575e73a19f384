//! `ga`, `ga-repair`, `ga-heuristic`, and the controls `repair-only`, `heuristic-only`: genetic
//! algorithms on the moves of a tour, written in binary.
//!
//! A chromosome is decoded from the start square until a gene leads off the board or onto a visited
//! square; its fitness is the number of moves until then. Repair replaces that gene by the lowest
//! legal one, or by the one that leads where the fewest moves are, and decoding goes on; the
//! chromosome is rewritten. Fit chromosomes are more likely to be crossed and make up the next
//! generation; the controls draw every generation at random.
//! Source: Gordon & Slocum (2004); Al-Gharaibeh, Qawagneh & Al-Zahawi (2007); Whitley, Starkweather
//! & Shaner (1991) for `operator=edge-recombination`.
//! Cost: O(squares) per chromosome, 0.1 us on 8x8; a child's path is copied from its parent up to
//! the first gene in which they differ.
//! Limits: population x squares is at most 2^25; nothing is proved.
//! What the sources leave open: (1) selection is by roulette for the 2004 paper, too, and the point
//! of crossover may lie between any two bits; (2) of equally good or bad chromosomes the first
//! counts as best or worst; (3) generation 1 is the random one, so a run evaluates population x
//! generations chromosomes; (4) "a maximum of a quarter of the chromosomes (worst) are replaced by
//! better chromosomes" in 2007: `replace=parents`, before pairing, is the default,
//! `replace=survivors` the other reading (with `parents` the roulette picks the replacements of the
//! worst quarter, and every chromosome left is a parent once; with `survivors` the last of equally
//! good children is taken first); (5) degrees and ties of the heuristic, see `heuristic.rs`; (6)
//! its rate of crossover, 85 to 95%, is 0.9.
//! Departures: (7) a fixed end square may be entered last only; (8) for closed tours the closing
//! move counts for fitness and is repaired like the others.

mod breeding;
mod census;
mod chromosome;
mod edges;
mod evaluate;
mod evolve;
mod heuristic;
mod operators;
mod population;
mod repair;

use crate::board::{Graph, Square};
use crate::problem::{Problem, Starts};
use crate::search::{
    Allotment, Budget, End, Info, Param, ParamKind, Prepared, Promise, Run, Solver, Unsupported,
    Values,
};
use breeding::{Breeding, Operator, Replace};
use chromosome::{Gene, GeneGraph, LargeGeneGraph, SmallGeneGraph, most_moves};
pub use evaluate::Evaluator;
use evaluate::Target;
use evolve::{Evolution, RunSize, Source};
use heuristic::{DEGREE, FewestMoves, HEURISTIC, TIES};
use repair::{LowestGene, NoRepair, Repair, RepairRule};
use std::ops::ControlFlow;

/// No repair: a registry entry.
pub struct Ga;

/// Repair by the lowest move that goes on: a registry entry.
pub struct GaRepair;

/// Repair by Warnsdorff's rule: a registry entry.
pub struct GaHeuristic;

/// Random chromosomes, repaired: a registry entry.
pub struct RepairOnly;

/// Random chromosomes, repaired by Warnsdorff's rule: a registry entry.
pub struct HeuristicOnly;

static GA: Info = Info {
    name: "ga",
    summary: "A genetic algorithm on the moves of a tour, without repair.",
    source: "Gordon & Slocum 2004, Section III; Lee 2000",
    good_for: "the baseline that finds no tour of 8x8",
    params: &[
        RUNS,
        POPULATION,
        GENERATIONS_2004,
        CROSSOVER_2004,
        MUTATION_2004,
        OPERATOR,
        REPLACE_2004,
    ],
    measures: census::MEASURES_OF_BREEDING,
};

static GA_REPAIR: Info = Info {
    name: "ga-repair",
    summary: "A genetic algorithm whose chromosomes are repaired by the first move that goes on.",
    source: "Gordon & Slocum 2004",
    good_for: "some 80 tours of 8x8, on average, from a million chromosomes that start on one square",
    params: GA.params,
    measures: census::MEASURES_OF_BREEDING,
};

static GA_HEURISTIC: Info = Info {
    name: "ga-heuristic",
    summary: "A genetic algorithm whose chromosomes are repaired by Warnsdorff's rule.",
    source: "Al-Gharaibeh et al. 2007",
    good_for: "some 65 tours of 8x8, on average, from 2,500 chromosomes that start on one square",
    params: &[
        RUNS,
        POPULATION,
        GENERATIONS_2007,
        CROSSOVER_2007,
        MUTATION_2007,
        OPERATOR,
        REPLACE_2007,
        HEURISTIC,
        DEGREE,
        TIES,
    ],
    measures: census::MEASURES_OF_BREEDING,
};

static REPAIR_ONLY: Info = Info {
    name: "repair-only",
    summary: "Random chromosomes, repaired by the first move that goes on.",
    source: "Gordon & Slocum 2004, Section V.B",
    good_for: "the control that shows what evolution adds to repair",
    params: &[RUNS, POPULATION, GENERATIONS_2004],
    measures: census::MEASURES,
};

static HEURISTIC_ONLY: Info = Info {
    name: "heuristic-only",
    summary: "Random chromosomes, repaired by Warnsdorff's rule.",
    source: "Al-Gharaibeh et al. 2007, Section 3.2",
    good_for: "the control that shows what evolution adds to the rule",
    params: &[RUNS, POPULATION, GENERATIONS_2007, HEURISTIC, DEGREE, TIES],
    measures: census::MEASURES,
};

const RUNS: Param = Param {
    name: "runs",
    default: "5",
    kind: ParamKind::Int { min: 0, max: 1_000_000_000 },
    help: "Runs from each start square; 0 for as many as the budget allows.",
};

const POPULATION: Param = Param {
    name: "population",
    default: "50",
    kind: ParamKind::Int { min: 2, max: 1_000_000 },
    help: "Chromosomes of a generation.",
};

const fn generations(default: &'static str) -> Param {
    Param {
        name: "generations",
        default,
        kind: ParamKind::Int { min: 1, max: 1_000_000_000 },
        help: "Generations of a run; the first is drawn at random.",
    }
}

const GENERATIONS_2004: Param = generations("20k");
const GENERATIONS_2007: Param = generations("50");

const fn crossover(default: &'static str) -> Param {
    Param {
        name: "crossover",
        default,
        kind: ParamKind::Real { min: 0.0, max: 1.0 },
        help: "Share of the pairs that are crossed; the others are copied.",
    }
}

const CROSSOVER_2004: Param = crossover("0.8");
const CROSSOVER_2007: Param = crossover("0.9");

const fn mutation(default: &'static str) -> Param {
    Param {
        name: "mutation",
        default,
        kind: ParamKind::Real { min: 0.0, max: 1.0 },
        help: "Probability of each bit to be flipped.",
    }
}

const MUTATION_2004: Param = mutation("0.01");
const MUTATION_2007: Param = mutation("0.005");

const OPERATOR: Param = Param {
    name: "operator",
    default: "one-point",
    kind: ParamKind::Choice(&[
        ("one-point", "what lies behind a random point between two bits is exchanged"),
        ("edge-recombination", "children are put together from the moves of both parents"),
    ]),
    help: "How pairs are crossed.",
};

const fn replace(default: &'static str) -> Param {
    Param {
        name: "replace",
        default,
        kind: ParamKind::Choice(&[
            (
                "elitist",
                "children replace all, then the best of all before replaces the worst child",
            ),
            ("all", "children replace all"),
            (
                "parents",
                "better ones replace the worst quarter before they are paired; children replace all",
            ),
            (
                "survivors",
                "the best children replace the worst quarter, if better; the others stay",
            ),
        ]),
        help: "Who makes way for whom from one generation to the next.",
    }
}

const REPLACE_2004: Param = replace("elitist");
const REPLACE_2007: Param = replace("parents");

/// Genes of the largest population. Chosen by memory: some 400 MB with the paths of two
/// generations.
const MOST_GENES: usize = 1 << 25;

fn breeding(values: &Values) -> Source {
    let operator = match values.word("operator") {
        "edge-recombination" => Operator::EdgeRecombination,
        _ => Operator::OnePoint,
    };
    let replace = match values.word("replace") {
        "all" => Replace::All,
        "parents" => Replace::Parents,
        "survivors" => Replace::Survivors,
        _ => Replace::Elitist,
    };
    let (crossover, mutation) = (values.real("crossover"), values.real("mutation"));
    Source::Bred(Breeding { crossover, mutation, operator, replace })
}

macro_rules! solver {
    ($name:ident, $info:ident, $source:expr, $mending:expr) => {
        impl Solver for $name {
            fn info(&self) -> &'static Info {
                &$info
            }

            fn prepare(
                &self,
                problem: &Problem,
                values: &Values,
            ) -> Result<Box<dyn Prepared>, Unsupported> {
                let mending: fn(&Graph, &Values) -> Result<RepairRule, Unsupported> = $mending;
                let mending = mending(problem.graph(), values)?;
                let source: fn(&Values) -> Source = $source;
                Ready::prepare(problem, values, source(values), mending)
            }
        }
    };
}

solver!(Ga, GA, breeding, |_, _| Ok(RepairRule::Leave));
solver!(GaRepair, GA_REPAIR, breeding, |_, _| Ok(RepairRule::Lowest));
solver!(GaHeuristic, GA_HEURISTIC, breeding, |g, v| FewestMoves::new(g, v).map(RepairRule::Fewest));
solver!(RepairOnly, REPAIR_ONLY, |_| Source::Fresh, |_, _| Ok(RepairRule::Lowest));
solver!(HeuristicOnly, HEURISTIC_ONLY, |_| Source::Fresh, |g, v| FewestMoves::new(g, v)
    .map(RepairRule::Fewest));

/// Squares and moves, tabled or computed.
enum AnyGeneGraph {
    Small(Box<SmallGeneGraph>),
    Large(LargeGeneGraph),
}

struct Ready {
    ground: AnyGeneGraph,
    starts: Starts,
    target: Target,
    source: Source,
    mending: RepairRule,
    size: RunSize,
    /// Runs from each start square; 0 for no end.
    runs: u64,
}

impl Ready {
    fn prepare(
        problem: &Problem,
        values: &Values,
        source: Source,
        mending: RepairRule,
    ) -> Result<Box<dyn Prepared>, Unsupported> {
        let graph = problem.graph();
        let (population, order) = (values.int("population") as usize, graph.order());
        if population.saturating_mul(order) > MOST_GENES {
            return Err(Unsupported(format!(
                "a population of {population} chromosomes of {order} genes is too large, the limit being {MOST_GENES} genes; use a smaller population or warnsdorff"
            )));
        }
        if most_moves(graph) > usize::from(Gene::MAX) {
            return Err(Unsupported(format!(
                "a gene tells {} moves apart and this has more from one square; use warnsdorff",
                Gene::MAX
            )));
        }
        let ground = match SmallGeneGraph::new(graph) {
            Some(small) => AnyGeneGraph::Small(small),
            None => AnyGeneGraph::Large(LargeGeneGraph::new(graph)),
        };
        Ok(Box::new(Ready {
            ground,
            starts: problem.starts(),
            target: Target::new(problem),
            source,
            mending,
            size: RunSize { population, generations: values.int("generations") },
            runs: values.int("runs"),
        }))
    }

    fn evaluations(&self) -> u64 {
        self.size.generations.saturating_mul(self.size.population as u64)
    }

    fn on<F: GeneGraph>(&self, field: &F, start: Square, run: &mut Run<'_>) -> ControlFlow<()> {
        match &self.mending {
            RepairRule::Leave => self.runs(field, &NoRepair, start, run),
            RepairRule::Lowest => self.runs(field, &LowestGene, start, run),
            RepairRule::Fewest(fewest) => self.runs(field, fewest, start, run),
        }
    }

    /// The runs of a unit: one, or all from its square where moves are limited.
    fn runs<F: GeneGraph, M: Repair>(
        &self,
        field: &F,
        repair: &M,
        start: Square,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        let mut rng = run.rng.clone();
        let mut left = match (run.allotment().moves, self.runs) {
            (u64::MAX, _) => 1,
            (_, 0) => u64::MAX,
            (_, runs) => runs,
        };
        while left > 0 {
            left -= 1;
            let before = run.moves();
            let evolution = Evolution::new(field, repair, self.target, self.size, start, rng);
            let (flow, used) = evolution.run(self.source, run);
            flow?;
            rng = used;
            if run.moves() == before {
                // A square from which no move can be made would never spend a budget of moves.
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Prepared for Ready {
    fn promise(&self) -> Promise {
        Promise { exhausts: false, repeats: true, complete: false }
    }

    fn bound(&self) -> Option<u64> {
        let runs = self.runs.saturating_mul(self.starts.count());
        (self.runs > 0).then(|| runs.saturating_mul(self.evaluations()))
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        let round = unit / self.starts.count();
        if self.runs > 0 && round >= self.runs {
            return None;
        }
        budget.rounds(unit, &self.starts, self.evaluations())
    }

    fn run(&self, unit: u64, run: &mut Run<'_>) -> End {
        let Some(start) = self.starts.get(unit % self.starts.count()) else { return End::Limit };
        let _ = match &self.ground {
            AnyGeneGraph::Small(small) => self.on(&**small, start, run),
            AnyGeneGraph::Large(large) => self.on(large, start, run),
        };
        // Whether its generations or the budget ended it: it may not have seen all it could.
        End::Limit
    }
}

#[cfg(test)]
mod tests;
