//! `ga`, `ga-repair`, `ga-heuristic`, and the controls `repair-only` and `heuristic-only`: genetic
//! algorithms on chromosomes that encode the moves of a tour in binary.
//!
//! A chromosome is decoded from the start square until a gene leads off the board or onto a visited
//! square; its fitness is the number of moves until then. Repair replaces that gene by the lowest
//! legal gene, or by the gene that leads to the square with the fewest onward moves, and decoding
//! continues; the replacement stays in the chromosome. Fitter chromosomes are more likely to be
//! crossed to form the next generation. The controls draw every generation at random.
//! Source: Gordon & Slocum (2004); Al-Gharaibeh, Qawagneh & Al-Zahawi (2007); Whitley, Starkweather
//! & Shaner (1991) for `operator=edge-recombination`.
//! Cost: O(squares) per chromosome, 0.1 us on 8x8; a child's path is copied from its parent up to
//! the first gene that differs.
//! Limits: population x squares is at most 2^25; proves nothing.
//! Interpretations where the sources are silent: (1) selection is by roulette for the 2004 paper as well, and
//! the crossover point may lie between any two bits; (2) if several chromosomes are equally best or worst,
//! the first of them counts; (3) generation 1 is the random generation, so a run evaluates population x
//! generations chromosomes; (4) "a maximum of a quarter of the chromosomes (worst) are replaced by better
//! chromosomes" (2007) has two readings. The default, `replace=parents`, replaces before pairing: the
//! roulette picks replacements for the worst quarter, and then every chromosome is a parent once.
//! `replace=survivors` is the other reading: the best children replace the worst quarter of the parents; of
//! equally good children, the last is taken first. (5) Degrees and ties of the heuristic: see `heuristic.rs`;
//! (6) the crossover rate of the heuristic, given as 85 to 95%, is 0.9.
//! Departures: (7) a fixed end square can only be entered last; (8) for closed tours, the closing move counts
//! towards fitness and is repaired like other moves.

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
    Allotment, Budget, End, EventKind, Family, Info, Param, Params, Preparation, Prepared,
    Resources, Run, Solver, Unsupported, Values, params,
};
use breeding::{Breeding, Replace};
use chromosome::{Gene, GeneGraph, LargeGeneGraph, SmallGeneGraph, most_moves};
pub use evaluate::Evaluator;
use evaluate::Target;
use evolve::{Evolution, RunSize, Source};
use heuristic::{FewestMoves, HeuristicParams};
use repair::{CountedRepair, LowestGene, NoRepair, Repair, RepairRule};
use std::ops::ControlFlow;

/// Registry entry of a genetic algorithm or its control.
pub struct Genetic {
    info: &'static Info,
    /// Whether generations are bred; otherwise they are all drawn at random.
    breeds: bool,
    repair: fn(&Graph, &Values) -> Result<RepairRule, Unsupported>,
}

/// The genetic algorithm without repair.
pub static GA: Genetic = Genetic {
    info: &Info {
        name: "ga",
        title: "Genetic algorithm",
        family: Family::Nature,
        summary: "A genetic algorithm on the moves of a tour, without repair.",
        source: "Gordon & Slocum 2004, Section III; Lee 2000",
        good_for: "a baseline, which finds no tour of 8x8",
        params: BRED,
        ..BREEDS
    },
    breeds: true,
    repair: |_, _| Ok(RepairRule::Leave),
};

/// The genetic algorithm with repair by the lowest legal move.
pub static GA_REPAIR: Genetic = Genetic {
    info: &Info {
        name: "ga-repair",
        title: "Genetic with repair",
        family: Family::Nature,
        summary: "A genetic algorithm whose chromosomes are repaired with the first legal move.",
        source: "Gordon & Slocum 2004",
        good_for: "about 80 tours of 8x8 per million chromosomes, all from the same start square",
        params: BRED,
        ..BREEDS
    },
    breeds: true,
    repair: |_, _| Ok(RepairRule::Lowest),
};

/// The genetic algorithm with repair by Warnsdorff's rule.
pub static GA_HEURISTIC: Genetic = Genetic {
    info: &Info {
        name: "ga-heuristic",
        title: "Genetic with Warnsdorff",
        family: Family::Nature,
        summary: "A genetic algorithm whose chromosomes are repaired by Warnsdorff's rule.",
        source: "Al-Gharaibeh et al. 2007",
        good_for: "about 65 tours of 8x8 per 2,500 chromosomes, all from the same start square",
        params: &Param::with_defaults::<10>(
            &[RunParams::PARAMS, Breeding::PARAMS, HeuristicParams::PARAMS],
            &[
                ("generations", GENERATIONS_2007),
                ("crossover", "0.9"),
                ("mutation", "0.005"),
                ("replace", Replace::Parents.word()),
            ],
        ),
        ..BREEDS
    },
    breeds: true,
    repair: fewest_moves,
};

/// The control that draws random chromosomes and repairs them.
pub static REPAIR_ONLY: Genetic = Genetic {
    info: &Info {
        name: "repair-only",
        title: "Repair without evolution",
        family: Family::Nature,
        summary: "Random chromosomes, repaired with the first legal move.",
        source: "Gordon & Slocum 2004, Section V.B",
        good_for: "the control that shows what evolution adds to repair",
        params: RunParams::PARAMS,
        measures: census::MEASURES,
        ..BREEDS
    },
    breeds: false,
    repair: |_, _| Ok(RepairRule::Lowest),
};

/// The control that draws random chromosomes and repairs them by Warnsdorff's rule.
pub static HEURISTIC_ONLY: Genetic = Genetic {
    info: &Info {
        name: "heuristic-only",
        title: "Warnsdorff without evolution",
        family: Family::Nature,
        summary: "Random chromosomes, repaired by Warnsdorff's rule.",
        source: "Al-Gharaibeh et al. 2007, Section 3.2",
        good_for: "the control that shows what evolution adds to the rule",
        params: &Param::with_defaults::<6>(
            &[RunParams::PARAMS, HeuristicParams::PARAMS],
            &[("generations", GENERATIONS_2007)],
        ),
        measures: census::MEASURES,
        ..BREEDS
    },
    breeds: false,
    repair: fewest_moves,
};

/// Fields shared by all entries; the controls override the measures.
const BREEDS: Info = Info {
    measures: census::MEASURES_OF_BREEDING,
    events: &[EventKind::Path, EventKind::Population, EventKind::Members, EventKind::Generation],
    rounds: Some("generations"),
    ..Info::PLAIN
};

/// Parameters of `ga` and `ga-repair`.
const BRED: &[Param] = &Param::join::<7>(&[RunParams::PARAMS, Breeding::PARAMS]);

/// Number of generations per run in the 2007 paper.
const GENERATIONS_2007: &str = "50";

params! {
    /// Parameters of all runs; the default number of generations is from the 2004 paper.
    struct RunParams {
        runs: u64 = "5" in 0..=1_000_000_000, "Runs per start square; 0 for as many as the budget allows.";
        population: u64 = "50" in 2..=1_000_000, "Chromosomes per generation.";
        generations: u64 = "20k" in 1..=1_000_000_000, "Generations per run; the first is drawn at random.";
    }
}

/// Maximum number of genes in a population. Limited by memory: about 400 MB with the paths of two
/// generations.
const MOST_GENES: usize = 1 << 25;

fn fewest_moves(graph: &Graph, values: &Values) -> Result<RepairRule, Unsupported> {
    FewestMoves::new(graph, &HeuristicParams::from_values(values)).map(RepairRule::Fewest)
}

impl Solver for Genetic {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let graph = problem.graph();
        let mending = (self.repair)(graph, values)?;
        let RunParams { runs, population, generations } = RunParams::from_values(values);
        let (population, order) = (population as usize, graph.order());
        if population.saturating_mul(order) > MOST_GENES {
            return Err(Unsupported(format!(
                "a population of {population} chromosomes of {order} genes is too large: the limit is {MOST_GENES} genes; use a smaller population or warnsdorff"
            )));
        }
        if most_moves(graph) > usize::from(Gene::MAX) {
            return Err(Unsupported(format!(
                "a gene encodes at most {} moves, and a square of {graph} has more; use warnsdorff",
                Gene::MAX
            )));
        }
        let ground = match SmallGeneGraph::new(graph) {
            Some(small) => AnyGeneGraph::Small(small),
            None => AnyGeneGraph::Large(LargeGeneGraph::new(graph)),
        };
        Ok(Box::new(PreparedGenetic {
            ground,
            starts: problem.starts(),
            target: Target::new(problem),
            source: match self.breeds {
                true => Source::Bred(Breeding::from_values(values)),
                false => Source::Fresh,
            },
            mending,
            size: RunSize { population, generations },
            runs,
        }))
    }
}

/// The graph with its moves in tables, or computed on demand.
enum AnyGeneGraph {
    Small(Box<SmallGeneGraph>),
    Large(LargeGeneGraph),
}

struct PreparedGenetic {
    ground: AnyGeneGraph,
    starts: Starts,
    target: Target,
    source: Source,
    mending: RepairRule,
    size: RunSize,
    /// Number of runs per start square; 0 for no limit.
    runs: u64,
}

impl PreparedGenetic {
    fn evaluations(&self) -> u64 {
        self.size.generations.saturating_mul(self.size.population as u64)
    }

    fn on<F: GeneGraph>(&self, field: &F, start: Square, run: &mut Run<'_>) -> ControlFlow<()> {
        match &self.mending {
            RepairRule::Leave => self.runs(field, &NoRepair, start, run),
            RepairRule::Lowest => self.repaired(field, &LowestGene, start, run),
            RepairRule::Fewest(fewest) => self.repaired(field, fewest, start, run),
        }
    }

    /// Makes the runs of a unit; counts the genes that repair replaces if the run is watched.
    fn repaired<F: GeneGraph, M: Repair>(
        &self,
        field: &F,
        repair: &M,
        start: Square,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        match run.is_watched() {
            true => self.runs(field, &CountedRepair::new(repair), start, run),
            false => self.runs(field, repair, start, run),
        }
    }

    /// Executes the runs of a unit: one run, or all runs from its start square if moves are limited.
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
                // A start square without moves would never spend a budget of moves.
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Prepared for PreparedGenetic {
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
        // Neither the last generation nor the budget exhausts the search space.
        End::Limit
    }
}

#[cfg(test)]
mod tests;
