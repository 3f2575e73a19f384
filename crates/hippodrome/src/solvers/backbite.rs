//! `backbite`: a Markov chain that turns ends of a tour, for boards too wide for exact sampling.
//!
//! One of the two ends of a tour bites back: a move from the end to a square of the tour, drawn
//! among all squares that the piece could reach, replaces the move that follows that square, and the
//! part behind it is turned round. Every such step can be undone by one of the same probability (a
//! draw of one in twice the greatest number of moves), steps that lead nowhere leave the tour as it
//! is, and so the uniform law over tours is kept. A tour is handed on every so many steps.
//! Source: Mansfield 1982; Oberdorf et al. 2006, for walks on lattices.
//! Cost: half the board for a step that turns, nothing for one that does not.
//! Limits: **approximate**. Nothing says how many steps wipe out the first tour, and on some boards
//! tours lie apart: on 3x10 the steps do not lead from every tour to every other, so that the chain
//! is wrong there however long it runs. Closed tours are taken as they come, which is seldom: on wide
//! boards use `neural-join`. A given end stays where it is; given both, nothing can turn.
//! Departures: (1) the ends are taken as a chain's state, so that every unit begins with a tour that
//! a complete search with random ties finds and is warmed up by `warm` steps.

use crate::board::Square;
use crate::budget::{Allotment, Budget};
use crate::find::{Outcome, Search};
use crate::graph::Graph;
use crate::measure::Measure;
use crate::params::{Kind, Param, Values};
use crate::problem::Problem;
use crate::run::{Control, End, Frame, Run};
use crate::solver::{Info, Prepared, Promise, Solver, Unsupported};
use rand::RngExt;
use std::ops::ControlFlow;

/// The registry entry.
pub struct Backbite;

static INFO: Info = Info {
    name: "backbite",
    summary: "Turns an end of a tour again and again: a Markov chain whose tours are nearly uniform, in time.",
    source: "Mansfield 1982; Oberdorf et al. 2006",
    good_for: "approximately uniform open tours of boards that are too wide for `uniform`",
    params: &[STEPS, WARM],
    measures: &[TURNED],
};

const STEPS: Param = Param {
    name: "steps",
    default: "0",
    kind: Kind::Int { min: 0, max: 1 << 40 },
    help: "Steps from one tour to the next; 0 for 8 times the number of squares.",
};

const WARM: Param = Param {
    name: "warm",
    default: "0",
    kind: Kind::Int { min: 0, max: 1 << 40 },
    help: "Steps before the first tour; 0 for 200 times the number of squares.",
};

const TURNED: Measure = Measure { name: "turned", help: "Steps that turned a part of the tour." };

/// Squares of the largest board.
const MOST_SQUARES: usize = 1 << 20;
/// Tours of a unit: one chain.
const UNIT: u64 = 2048;

impl Solver for Backbite {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(
        &self,
        problem: &Problem,
        values: &Values,
    ) -> Result<Box<dyn Prepared>, Unsupported> {
        let graph = problem.graph();
        if graph.order() > MOST_SQUARES {
            let most = format!("chains take at most {MOST_SQUARES} squares; {graph} has more");
            return Err(Unsupported(most));
        }
        if problem.start().is_some() && problem.end().is_some() {
            return Err(Unsupported(
                "with both ends given no end can turn; leave out --start or --end".into(),
            ));
        }
        let or_squares = |steps: u64, times: u64| match steps {
            0 => times * graph.order() as u64,
            steps => steps,
        };
        Ok(Box::new(Ready {
            problem: problem.clone(),
            steps: or_squares(values.int("steps"), 8),
            warm: or_squares(values.int("warm"), 200),
        }))
    }
}

struct Ready {
    problem: Problem,
    steps: u64,
    warm: u64,
}

/// The state of a chain.
pub(crate) struct Chain<'g> {
    graph: &'g Graph,
    /// The greatest number of moves of a square.
    most: usize,
    path: Vec<Square>,
    /// Where in the path each square stands.
    place: Vec<u32>,
    /// Which ends may turn: the first, the last.
    free: [bool; 2],
    near: Vec<Square>,
}

impl<'g> Chain<'g> {
    pub(crate) fn new(graph: &'g Graph, path: Vec<Square>, free: [bool; 2]) -> Chain<'g> {
        let mut place = vec![0; graph.len()];
        (0..).zip(&path).for_each(|(at, &square)| place[square as usize] = at);
        let most = graph.vertices().map(|v| graph.degree(v)).max().unwrap_or(0);
        Chain { graph, most, path, place, free, near: Vec::new() }
    }

    pub(crate) fn path(&self) -> &[Square] {
        &self.path
    }

    /// One step; the number of squares that were turned.
    pub(crate) fn step(&mut self, rng: &mut impl RngExt) -> usize {
        let last = self.path.len() - 1;
        let at_last = rng.random_bool(0.5);
        let which = rng.random_range(0..self.most.max(1));
        if !self.free[usize::from(at_last)] || last == 0 {
            return 0;
        }
        let end = if at_last { self.path[last] } else { self.path[0] };
        self.near.clear();
        self.near.extend(self.graph.neighbours(end));
        let Some(&bitten) = self.near.get(which) else { return 0 };
        let at = self.place[bitten as usize] as usize;
        let turned = if at_last { at + 1..last + 1 } else { 0..at };
        let length = turned.len();
        if length < 2 {
            return 0;
        }
        self.path[turned.clone()].reverse();
        for at in turned {
            self.place[self.path[at] as usize] = at as u32;
        }
        length
    }
}

impl Ready {
    /// A tour to begin with, by chance: `None` if there is none, or none was found.
    fn first(&self, run: &mut Run<'_>) -> Option<Result<Vec<Square>, End>> {
        let open = Problem::new(
            self.problem.graph().clone(),
            crate::problem::Goal::Open,
            self.problem.start(),
            self.problem.end(),
        );
        let search = Search {
            problem: open.ok()?,
            choice: None,
            seed: run.rng.random(),
            threads: 1,
            budget: Budget { moves: Some(run.allotment().moves), ..Budget::UNLIMITED },
        };
        let found = search.run(&Control::default()).ok()?;
        let flow = run.charge(0, found.moves);
        Some(match found.outcome {
            Outcome::Found(tour) if flow.is_continue() => Ok(tour.squares().to_vec()),
            Outcome::Impossible(_) => Err(End::Exhausted { proof: true }),
            _ => Err(End::Limit),
        })
    }
}

impl Prepared for Ready {
    fn promise(&self) -> Promise {
        Promise { exhausts: false, repeats: true, complete: false }
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        let whole = budget.split(0, 1, self.problem.start_count() as u64, None);
        // What moves a chain takes is not known before, so a limit of moves makes one unit.
        let size = if budget.moves.is_some() { u64::MAX } else { UNIT };
        let spent = unit.saturating_mul(size);
        let none = (budget.moves.is_some() && unit > 0) || spent >= whole.attempts;
        (!none).then(|| Allotment { attempts: (whole.attempts - spent).min(size), ..whole })
    }

    fn run(&self, _: u64, run: &mut Run<'_>) -> End {
        let first = match self.first(run) {
            Some(Ok(first)) => first,
            Some(Err(end)) => return end,
            None => return End::Limit,
        };
        let free = [self.problem.start().is_none(), self.problem.end().is_none()];
        let mut chain = Chain::new(self.problem.graph(), first, free);
        let _ = self.walk(&mut chain, run);
        End::Limit
    }
}

impl Ready {
    fn walk(&self, chain: &mut Chain<'_>, run: &mut Run<'_>) -> ControlFlow<()> {
        let attempts = run.allotment().attempts;
        for number in 0..attempts {
            let steps = if number == 0 { self.warm } else { self.steps };
            let (mut turned, mut moves) = (0, 0);
            for _ in 0..steps {
                let squares = chain.step(&mut run.rng) as u64;
                turned += u64::from(squares > 0);
                moves += 1 + squares;
                if moves >= 1 << 16 {
                    run.charge(0, moves)?;
                    moves = 0;
                }
            }
            run.readings.count(&TURNED, turned);
            if run.is_watched() {
                run.frame(&Frame::Path(chain.path()))?;
            }
            let flow = run.charge(1, moves);
            run.claim(chain.path())?;
            flow?;
        }
        ControlFlow::Continue(())
    }
}
