//! `ace`, `mace`, `ants-random`: ants that lay pheromone on the moves they made.
//!
//! In every cycle one ant starts from each square and goes from square to square until it is stuck,
//! choosing among the free squares by the pheromone on the moves; long paths then lay more of it
//! than short ones, and some evaporates. `ace` is one colony; it learns a part of the tours and in
//! the end repeats itself. `mace` begins again with a fresh colony after so many cycles, and
//! `ants-random` never learns.
//! Source: Hingston & Kendall (2004, 2005); the 2020 comparison for `deposit=tcd2020`.
//! Cost: see [`colony`], and `kernel.rs` for boards of at most 64 squares; some 7 ns a move there.
//! Limits: boards of at most 2^20 squares; nothing is proved.
//! Departures: (1) boards of other sizes than the papers' 5x5, 6x6 and 8x8 restart after a number of
//! cycles whose logarithm lies on the line through the nearest two of them, at most 100,000;
//! (2) a budget may end a run within a cycle, by sending fewer ants; (3) small graphs take the kernel
//! unless `kernel=plain`: single-precision weights, chance of 24 bits and the like, see `kernel.rs`.
//! See [`colony`] for those of the plain cycle.

pub mod colony;
mod kernel;

use crate::bits::Bits;
use crate::board::Square;
use crate::budget::{Allotment, Budget};
use crate::params::{Kind, Param, Values};
use crate::problem::Problem;
use crate::run::{End, Frame, Run};
use crate::solver::{Info, Prepared, Promise, Solver, Unsupported};
use colony::{Colony, Plain, Rule};
use kernel::{Kernel, Stream};
use std::ops::ControlFlow;

/// One colony: a registry entry.
pub struct Ace;

/// One colony after another: a registry entry.
pub struct Mace;

/// Ants that do not learn: a registry entry.
pub struct Random;

static ACE: Info = Info {
    name: "ace",
    summary: "An ant colony: choices by pheromone, which the longer paths lay more of.",
    source: "Hingston & Kendall 2004",
    good_for: "watching a colony learn; some 500,000 tours of 8x8 from one run",
    params: &[CYCLES_OF_ACE, ALPHA, RHO, Q, INITIAL, DEPOSIT, BETA, KERNEL],
    measures: &[],
};

static MACE: Info = Info {
    name: "mace",
    summary: "Ant colonies one after another, each begun afresh before it repeats itself.",
    source: "Hingston & Kendall 2005; TCD 2020",
    good_for: "distinct tours without end, spread more widely than by a rule",
    params: &[CYCLES_OF_MACE, ALPHA, RHO, Q, INITIAL, DEPOSIT, BETA, KERNEL],
    measures: &[],
};

static RANDOM: Info = Info {
    name: "ants-random",
    summary: "Ants that choose among the free squares by chance alone.",
    source: "Hingston & Kendall 2005, Figure 4",
    good_for: "the baseline that shows what ants learn",
    params: &[KERNEL],
    measures: &[],
};

const CYCLES_OF_ACE: Param = Param {
    name: "cycles",
    default: "100k",
    kind: Kind::Int { min: 1, max: 1_000_000_000_000 },
    help: "Cycles of the colony.",
};

const CYCLES_OF_MACE: Param = Param {
    name: "cycles",
    default: "0",
    kind: Kind::Int { min: 0, max: 1_000_000_000_000 },
    help: "Cycles before a new colony begins; 0 for the paper's 84 on 5x5, 260 on 6x6, 27,000 on 8x8, and the like on other boards.",
};

const ALPHA: Param = Param {
    name: "alpha",
    default: "1",
    kind: Kind::Real { min: 0.0, max: 10.0 },
    help: "Power of the pheromone in a choice: 0 ignores it, more follows it more closely.",
};

const RHO: Param = Param {
    name: "rho",
    default: "0.25",
    kind: Kind::Real { min: 0.0, max: 1.0 },
    help: "Share of the pheromone that evaporates in a cycle.",
};

const Q: Param = Param {
    name: "q",
    default: "1",
    kind: Kind::Real { min: 0.0, max: 1000.0 },
    help: "Pheromone that a complete tour lays on each of its moves.",
};

const INITIAL: Param = Param {
    name: "initial",
    default: "0.000001",
    kind: Kind::Real { min: 0.0, max: 1000.0 },
    help: "Pheromone on every move at the outset.",
};

const DEPOSIT: Param = Param {
    name: "deposit",
    default: "paper",
    kind: Kind::Choice(&[
        ("paper", "q (moves - i) / (squares - 1 - i) for move i from 0: more for early moves"),
        ("constant", "q, however long the path"),
        ("length", "q moves / (squares - 1): in proportion to the length"),
        ("tcd2020", "q (moves - i) / (squares - i), as the 2020 comparison has it"),
    ]),
    help: "What an ant lays on the moves it made.",
};

const BETA: Param = Param {
    name: "beta",
    default: "0",
    kind: Kind::Real { min: 0.0, max: 10.0 },
    help: "Power of Warnsdorff's factor 1 / (1 + onward moves) in a choice: 0 as in the paper; more finds more tours, less evenly spread.",
};

const KERNEL: Param = Param {
    name: "kernel",
    default: "fast",
    kind: Kind::Choice(&[
        (
            "fast",
            "by vectors, where the graph has at most 64 squares with at most 8 moves each, alpha is 0 or 1, and beta 0",
        ),
        (
            "portable",
            "as fast, but without vectors, as on processors that have none: the same tours",
        ),
        ("plain", "the paper's own steps, one ant after the other"),
    ]),
    help: "How the cycles are computed; tours differ, their statistics do not.",
};

/// Squares and cycles per restart that the 2005 paper found best.
const PAPER_CYCLES: [(f64, f64); 3] = [(25.0, 84.0), (36.0, 260.0), (64.0, 27_000.0)];

/// No board restarts later by itself; the 2004 paper's runs were as long.
const MOST_CYCLES: f64 = 100_000.0;

/// Ants that do not learn make up units of about this many moves.
const UNIT_MOVES: u64 = 1 << 20;

/// Squares of the largest board: a cycle is an ant from each of them.
const MOST_SQUARES: usize = 1 << 20;

/// Cycles per restart where none are given.
pub(crate) fn usual_cycles(squares: usize) -> u64 {
    let squares = squares as f64;
    let [small, middle, large] = PAPER_CYCLES;
    let (from, to) = if squares <= middle.0 { (small, middle) } else { (middle, large) };
    let slope = (to.1 / from.1).ln() / (to.0 - from.0);
    let cycles = from.1 * (slope * (squares - from.0)).exp();
    cycles.clamp(1.0, MOST_CYCLES).round() as u64
}

impl Solver for Ace {
    fn info(&self) -> &'static Info {
        &ACE
    }

    fn lays_pheromone(&self) -> bool {
        true
    }

    fn prepare(
        &self,
        problem: &Problem,
        values: &Values,
    ) -> Result<Box<dyn Prepared>, Unsupported> {
        Ready::prepare(problem, Rule::new(values), values.int("cycles"), false, values)
    }
}

impl Solver for Mace {
    fn info(&self) -> &'static Info {
        &MACE
    }

    fn lays_pheromone(&self) -> bool {
        true
    }

    fn prepare(
        &self,
        problem: &Problem,
        values: &Values,
    ) -> Result<Box<dyn Prepared>, Unsupported> {
        let cycles = match values.int("cycles") {
            0 => usual_cycles(problem.graph().order()),
            given => given,
        };
        Ready::prepare(problem, Rule::new(values), cycles, true, values)
    }
}

impl Solver for Random {
    fn info(&self) -> &'static Info {
        &RANDOM
    }

    fn prepare(
        &self,
        problem: &Problem,
        values: &Values,
    ) -> Result<Box<dyn Prepared>, Unsupported> {
        let moves = (problem.start_count() * problem.graph().order()) as u64;
        Ready::prepare(problem, Rule::RANDOM, (UNIT_MOVES / moves).max(1), true, values)
    }
}

struct Ready {
    problem: Problem,
    rule: Rule,
    cycles: u64,
    /// Whether a new colony follows when one has made its cycles.
    restarts: bool,
    /// For the kernel; none if the plain colony is asked for or the graph is large.
    bits: Option<Bits>,
    /// Whether the kernel is to do without vectors.
    portable: bool,
}

impl Ready {
    fn prepare(
        problem: &Problem,
        rule: Rule,
        cycles: u64,
        restarts: bool,
        values: &Values,
    ) -> Result<Box<dyn Prepared>, Unsupported> {
        let squares = problem.graph().order();
        if squares > MOST_SQUARES {
            return Err(Unsupported(format!(
                "ants take boards of at most {MOST_SQUARES} squares and this has {squares}; use warnsdorff"
            )));
        }
        let kernel = values.word("kernel");
        let bits = if kernel == "plain" { None } else { Bits::new(problem.graph()) };
        let portable = kernel == "portable";
        Ok(Box::new(Ready { problem: problem.clone(), rule, cycles, restarts, bits, portable }))
    }

    /// The kernel, if it can do what is asked.
    fn kernel(&self) -> Option<Kernel> {
        let bits = self.bits.as_ref()?;
        let rule = match self.rule {
            Rule { beta, .. } if beta != 0.0 => return None,
            // Without regard to pheromone: all edges alike, always.
            Rule { alpha: 0.0, .. } => Rule::RANDOM,
            rule @ Rule { alpha: 1.0, .. } => rule,
            _ => return None,
        };
        let deposit = kernel::Deposit::new(bits.n, |moves, i| rule.laid(moves, i, bits.n));
        let starts: Vec<Square> = self.problem.starts().iter().collect();
        let kernel = Kernel::new(bits, &starts, rule.initial, rule.rho, deposit)?;
        Some(if self.portable { kernel.portable() } else { kernel })
    }

    /// Runs the kernel for the colony's cycles. The last sends no more ants than the allotment has
    /// attempts, or moves if each of them went over the whole board.
    fn fast(&self, kernel: &mut Kernel, run: &mut Run<'_>) -> ControlFlow<()> {
        let order = self.problem.graph().order();
        let (whole, longest) = (self.problem.start_count() as u64, (order as u64 - 1).max(1));
        let Allotment { mut attempts, mut moves, .. } = *run.allotment();
        let mut stream = Stream::new(&mut run.rng);
        for _ in 0..self.cycles {
            let ants = whole.min(attempts).min(moves.div_ceil(longest));
            let made = kernel.cycle(ants as usize, &mut stream);
            attempts -= ants;
            moves = moves.saturating_sub(made);
            let flow = run.charge(ants, made);
            if run.is_watched() {
                kernel.paths(0, |path| {
                    (1..=path.len()).try_for_each(|length| run.frame(&Frame::Path(&path[..length])))
                })?;
            }
            kernel.paths(order, |tour| run.claim(tour))?;
            flow?;
            if ants < whole {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Runs a colony for its cycles.
    fn colony<C: Colony, const WATCH: bool>(
        &self,
        colony: &mut C,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        let order = self.problem.graph().order();
        let mut rng = run.rng.clone();
        for _ in 0..self.cycles {
            colony.cycle(&mut rng, |path| {
                if WATCH {
                    // Ants of a cycle do not see each other, so each may be shown when it is done.
                    for length in 1..=path.len() {
                        run.frame(&Frame::Path(&path[..length]))?;
                    }
                }
                let flow = run.charge(1, path.len() as u64 - 1);
                if path.len() == order {
                    run.claim(path)?;
                }
                flow
            })?;
        }
        ControlFlow::Continue(())
    }
}

/// What unit `unit` gets of a total that units take in turn, `each` at most; `None` if none is left.
/// The first unit is there even if it gets nothing, so that a run without a budget is not complete.
fn turn(total: u64, unit: u64, each: u64) -> Option<u64> {
    let left = total.saturating_sub(unit.saturating_mul(each));
    (left > 0 || unit == 0).then_some(left.min(each))
}

impl Prepared for Ready {
    fn promise(&self) -> Promise {
        Promise { exhausts: false, repeats: true, complete: false }
    }

    fn bound(&self) -> Option<u64> {
        let attempts = self.cycles.saturating_mul(self.problem.start_count() as u64);
        (!self.restarts).then_some(attempts)
    }

    /// One colony after the other takes its attempts. What moves they take is not known before, so
    /// a limit of moves is taken as if every ant went over the whole board.
    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        let (ants, start) = (self.problem.start_count() as u64, self.problem.start());
        let whole = budget.split(0, 1, ants, start);
        let attempts = self.cycles.saturating_mul(ants);
        if !self.restarts {
            let attempts = attempts.min(whole.attempts);
            return (unit == 0).then_some(Allotment { attempts, ..whole });
        }
        let moves = attempts.saturating_mul(self.problem.graph().order() as u64);
        Some(Allotment {
            start,
            attempts: turn(whole.attempts, unit, attempts)?,
            moves: turn(whole.moves, unit, moves)?,
        })
    }

    fn run(&self, _: u64, run: &mut Run<'_>) -> End {
        // Whether the cycles or the budget ended it: it may not have seen all it could.
        let _ = if let Some(mut kernel) = self.kernel() {
            let flow = self.fast(&mut kernel, run);
            run.leave_pheromone(|| kernel.pheromone().collect());
            flow
        } else {
            let mut colony = Plain::new(&self.problem, self.rule);
            let flow = match run.is_watched() {
                false => self.colony::<_, false>(&mut colony, run),
                true => self.colony::<_, true>(&mut colony, run),
            };
            let graph = self.problem.graph();
            let moves = graph.vertices().flat_map(|v| graph.neighbours(v).map(move |w| (v, w)));
            run.leave_pheromone(|| {
                moves.zip(colony.pheromone()).map(|((v, w), level)| (v, w, level)).collect()
            });
            flow
        };
        End::Limit
    }
}

#[cfg(test)]
mod faithful;
#[cfg(test)]
mod tests;
