//! Colonies prepared for a problem, run one after another by `ace`, `mace` and `ants-random`.

use super::colony::{Aids, ColonyRule, Helped, PlainColony};
use super::kernel::{self, Kernel, RandomStream};
use super::params::{AntParams, Computing, STOPPED, STOPPED_LEFT, TURNED_TOURS, TURNS};
use super::watch::ColonyWatch;
use crate::board::Square;
use crate::board::bits::Bits;
use crate::problem::Problem;
use crate::search::ArtifactKind::MoveWeights;
use crate::search::{Allotment, Artifact, Budget, End, Prepared, Run, Unsupported, break_if};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// Maximum number of squares. Chosen by hand: a cycle sends one ant from each square.
const MOST_SQUARES: usize = 1 << 20;

/// Number of squares above which the clock is checked after each ant. Chosen by hand.
const SHORT: usize = 1024;

/// What a colony may still spend.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColonyBudget {
    pub(super) attempts: u64,
    pub(super) moves: u64,
}

impl ColonyBudget {
    /// Deducts a cost from the budget. The caller must also charge it to the run.
    fn spend(&mut self, attempts: u64, moves: u64) -> ControlFlow<()> {
        self.attempts = self.attempts.saturating_sub(attempts);
        self.moves = self.moves.saturating_sub(moves);
        break_if(self.attempts == 0 || self.moves == 0)
    }
}

/// Colonies prepared for a problem.
pub(super) struct PreparedColonies {
    pub(super) problem: Problem,
    pub(super) rule: ColonyRule,
    aids: Aids,
    pub(super) cycles: u64,
    /// Whether a new colony starts after the last cycle of the previous one.
    restarts: bool,
    /// The graph as bit sets, as the kernel needs it; `None` for `kernel=plain` and for large graphs.
    bits: Option<Bits>,
    /// Whether the kernel must not use vector instructions.
    portable: bool,
}

impl PreparedColonies {
    pub(super) fn new(
        problem: &Problem,
        rule: ColonyRule,
        cycles: u64,
        restarts: bool,
        ants: &AntParams,
    ) -> Result<PreparedColonies, Unsupported> {
        let squares = problem.graph().order();
        if squares > MOST_SQUARES {
            return Err(Unsupported(format!(
                "ants support at most {MOST_SQUARES} squares, and {} has {squares}; use warnsdorff",
                problem.graph()
            )));
        }
        let bits = match ants.kernel {
            Computing::Fast | Computing::Portable => Bits::new(problem.graph()),
            Computing::Plain => None,
        };
        Ok(PreparedColonies {
            problem: problem.clone(),
            rule,
            aids: ants.aids(),
            cycles,
            restarts,
            bits,
            portable: ants.kernel == Computing::Portable,
        })
    }

    /// Creates a kernel with the given evaporation rate, if the kernel supports the rule and the graph.
    pub(super) fn kernel(&self, rho: f64) -> Option<Kernel> {
        let bits = self.bits.as_ref()?;
        let rule = match self.rule {
            ColonyRule { beta, .. } if beta != 0.0 || self.aids != Aids::NONE => return None,
            // Pheromone is ignored: all edges always have equal weight.
            ColonyRule { alpha: 0.0, .. } => ColonyRule::RANDOM,
            rule @ ColonyRule { alpha: 1.0, .. } => ColonyRule { rho, ..rule },
            _ => return None,
        };
        let deposit = kernel::DepositTable::new(bits.n, |moves, i| rule.laid(moves, i, bits.n));
        let starts: Vec<Square> = self.problem.starts().iter().collect();
        let kernel = Kernel::new(bits, &starts, rule.initial, rule.rho, deposit)?;
        Some(if self.portable { kernel.portable() } else { kernel })
    }

    /// Creates a plain colony.
    pub(super) fn plain(&self) -> PlainColony {
        PlainColony::new(&self.problem, self.rule).with_aids(self.problem.graph(), self.aids)
    }

    /// Runs one colony for all its cycles, or until its share of the budget is spent. `each` receives every
    /// tour that is claimed. One of several colonies has a number.
    pub(super) fn colony(
        &self,
        number: Option<u64>,
        mut rng: Xoshiro256PlusPlus,
        mut share: ColonyBudget,
        run: &mut Run<'_>,
        mut each: impl FnMut(&[Square]),
    ) -> ControlFlow<()> {
        let graph = self.problem.graph();
        let mut watch = ColonyWatch::new(graph.order(), number);
        if let Some(mut kernel) = self.kernel(self.rule.rho) {
            let mut stream = RandomStream::new(&mut rng);
            watch.begin(run, || kernel.pheromone().collect());
            let flow = (0..self.cycles).try_for_each(|_| {
                let random = (&mut kernel, &mut stream);
                self.fast_cycle(random, &mut share, (run, &mut watch), &mut each)?;
                watch.end(run, || kernel.pheromone().collect())
            });
            run.leave(MoveWeights, || Artifact::MoveWeights(kernel.pheromone().collect()));
            return flow;
        }
        let mut colony = self.plain();
        watch.begin(run, || colony.amounts(graph));
        let flow = (0..self.cycles).try_for_each(|_| {
            colony.evaporate();
            colony.weigh();
            let random = (&mut colony, &mut rng);
            self.slow_cycle(random, &mut share, (run, &mut watch), &mut each)?;
            watch.end(run, || colony.amounts(graph))
        });
        note(colony.helped(), run);
        run.leave(MoveWeights, || Artifact::MoveWeights(colony.amounts(graph)));
        flow
    }

    /// Runs one cycle of a kernel. If the share of the budget might not suffice for all ants, assuming that
    /// each visits the whole board, fewer ants are sent.
    pub(super) fn fast_cycle(
        &self,
        (kernel, stream): (&mut Kernel, &mut RandomStream),
        share: &mut ColonyBudget,
        (run, watch): (&mut Run<'_>, &mut ColonyWatch),
        mut each: impl FnMut(&[Square]),
    ) -> ControlFlow<()> {
        let order = self.problem.graph().order();
        let (whole, longest) = (self.problem.start_count() as u64, (order as u64 - 1).max(1));
        let ants = whole.min(share.attempts).min(share.moves.div_ceil(longest));
        let made = kernel.cycle(ants as usize, stream);
        let left = share.spend(ants, made);
        let flow = run.charge(ants, made);
        if run.is_watched() {
            kernel.paths(0, |path| watch.path(path, run))?;
        }
        kernel.paths(order, |tour| claim(tour, run, &mut each))?;
        flow?;
        left?;
        break_if(ants < whole)
    }

    /// Runs one cycle of a plain colony; the weights must have been computed.
    pub(super) fn slow_cycle(
        &self,
        (colony, rng): (&mut PlainColony, &mut Xoshiro256PlusPlus),
        share: &mut ColonyBudget,
        (run, watch): (&mut Run<'_>, &mut ColonyWatch),
        mut each: impl FnMut(&[Square]),
    ) -> ControlFlow<()> {
        let order = self.problem.graph().order();
        colony.send(usize::MAX, rng, |path, moves| {
            if run.is_watched() {
                // Ants of a cycle are independent, so each can be shown when it has finished.
                watch.path(path, run)?;
            }
            let flow = run.charge(1, moves);
            if path.len() == order {
                claim(path, run, &mut each)?;
            }
            flow?;
            if order > SHORT {
                // With aids, an ant on a large board takes more time than its moves suggest.
                run.check_limits()?;
            }
            share.spend(1, moves)
        })
    }

    /// Returns the cost of running a whole colony, assuming that every ant visits the whole board and uses
    /// all its rotations.
    pub(super) fn whole(&self) -> ColonyBudget {
        let attempts = self.cycles.saturating_mul(self.problem.start_count() as u64);
        let moves = (self.problem.graph().order() as u64).saturating_add(self.aids.rotations);
        let moves = attempts.saturating_mul(moves);
        ColonyBudget { attempts, moves }
    }

    /// Returns the part of the budget for a unit that runs `colonies` colonies. Units use up the attempts one
    /// after another. The number of moves of a unit is not known in advance, so a limit on moves is divided
    /// as if every ant visited the whole board.
    pub(super) fn part(&self, unit: u64, colonies: u64, budget: &Budget) -> Option<Allotment> {
        let (ants, start) = (self.problem.start_count() as u64, self.problem.start());
        let total = budget.split(0, 1, ants, start);
        let ColonyBudget { attempts, moves } = self.whole();
        if !self.restarts {
            let attempts = attempts.min(total.attempts);
            return (unit == 0).then_some(Allotment { attempts, ..total });
        }
        Some(Allotment {
            start,
            attempts: turn(total.attempts, unit, attempts.saturating_mul(colonies))?,
            moves: turn(total.moves, unit, moves.saturating_mul(colonies))?,
        })
    }
}

/// Claims a tour; `each` receives it if it solves the problem.
fn claim(tour: &[Square], run: &mut Run<'_>, mut each: impl FnMut(&[Square])) -> ControlFlow<()> {
    let before = run.tours();
    let flow = run.claim(tour);
    if run.tours() > before {
        each(tour);
    }
    flow
}

/// Adds the nonzero counters of the aids to the readings.
pub(super) fn note(helped: Helped, run: &mut Run<'_>) {
    for (measure, n) in [
        (&STOPPED, helped.given_up),
        (&STOPPED_LEFT, helped.left),
        (&TURNS, helped.turns),
        (&TURNED_TOURS, helped.turned_tours),
    ] {
        if n > 0 {
            run.readings.count(measure, n);
        }
    }
}

/// Returns how much of `total` unit `unit` gets if the units use it up one after another, each taking at most
/// `each`; `None` if nothing is left. The first unit exists even if it gets nothing, so that a run with a
/// budget of 0 is not reported as complete.
pub(super) fn turn(total: u64, unit: u64, each: u64) -> Option<u64> {
    let left = total.saturating_sub(unit.saturating_mul(each));
    (left > 0 || unit == 0).then_some(left.min(each))
}

impl Prepared for PreparedColonies {
    fn cycle(&self) -> Option<u64> {
        Some(self.problem.start_count() as u64)
    }

    fn bound(&self) -> Option<u64> {
        (!self.restarts).then(|| self.whole().attempts)
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        self.part(unit, 1, budget)
    }

    fn run(&self, _: u64, run: &mut Run<'_>) -> End {
        let Allotment { attempts, moves, .. } = *run.allotment();
        // Neither the last cycle nor the budget exhausts the search space.
        let _ = self.colony(None, run.rng.clone(), ColonyBudget { attempts, moves }, run, |_| {});
        End::Limit
    }
}
