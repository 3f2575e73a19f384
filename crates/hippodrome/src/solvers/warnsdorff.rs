//! `warnsdorff`: enters the square with the fewest onward moves.
//!
//! Of the free squares a move away, the knight enters one with the fewest free neighbours. Parameters
//! choose how to handle ties and dead ends. `ties=all` branches over every tie and so finds every
//! tour that obeys the rule. `backtrack=ties` ("iterative Warnsdorff") returns to the last tie,
//! `backtrack=moves` ("backtracking with Warnsdorff") tries all moves, best first.
//! Source: Warnsdorff (1823); Pohl (1967); Roth; Squirrel & Cull (1996); Hingston & Kendall (2004,
//! 2005) for `ties=all`; the 2020 comparison, Section 4.3, for both kinds of backtracking.
//! Cost: O(1) per move, time and memory linear in the board; about 8 ns per move, verified, for
//! `ties=all` on boards of at most 64 squares. Limits: only `backtrack=moves` proves anything.
//! Departures: (1) Pohl's rule sums the onward moves one level down; the move order breaks ties that remain
//! after Pohl's or Roth's rule; (2) by symmetry, Squirrel & Cull's start may be any corner.

mod every;
mod search;
mod squirrel_cull;
mod terrain;
mod walk;

use crate::board::{Graph, Square};
use crate::problem::{Problem, Starts};
use crate::search::{
    Allotment, Budget, End, EventKind, Family, Info, Offer, Params, Preparation, Prepared, Promise,
    Resources, Run, Solver, Unsupported, Values, choice, params,
};
use crate::solvers::move_order::MoveOrder;
use every::Every;
use squirrel_cull::Schedule;
use std::ops::{ControlFlow, RangeInclusive};
use terrain::{PaddedTerrain, PlainTerrain, Terrain};
use walk::TieRule;

/// The registry entry.
pub struct Warnsdorff;

static INFO: Info = Info {
    name: "warnsdorff",
    title: "Warnsdorff's rule",
    family: Family::Rules,
    summary: "Enters the free square with the fewest onward moves; ties and dead ends are configurable.",
    source: "Warnsdorff 1823; Pohl 1967; Squirrel & Cull 1996; Hingston & Kendall 2004; TCD 2020",
    good_for: "one tour immediately on boards up to about 100x100; every tour that obeys the rule",
    params: WarnsdorffParams::PARAMS,
    events: &[
        EventKind::Path,
        EventKind::Start,
        EventKind::Choice,
        EventKind::DeadEnd,
        EventKind::Retry,
        EventKind::Back,
    ],
    offers: &[
        // On small boards random ties succeed and are fastest; large boards need better tie-breaking.
        Offer::one_tour(10, &["ties=random"], Some(40), |p| may_end_anywhere(p, 17..=Offer::LARGE)),
        Offer::one_tour(30, &["ties=squirrel-cull"], Some(1), |p| may_end_anywhere(p, LARGE)),
        Offer::one_tour(40, &["ties=roth"], Some(4), |p| may_end_anywhere(p, LARGE)),
    ],
    ..Info::PLAIN
};

choice! {
    /// How ties between squares with equally few onward moves are broken.
    enum Ties {
        Random = "random", "a random choice, as Warnsdorff proposed";
        Fixed = "fixed", "the first in the move order";
        Pohl = "pohl", "the rule applied one level down: the smallest sum of onward moves";
        Roth = "roth", "the square farthest from the centre";
        SquirrelCull = "squirrel-cull", "move orders that switch on given squares; square boards from 5x5 on, starting in a corner";
        All = "all", "branch over every tie, in ascending order: all tours that obey the rule";
    }
}

choice! {
    /// What to do when the knight is stuck.
    enum Backtracking {
        None = "none", "end the attempt";
        Ties = "ties", "iterative Warnsdorff: return to the last tie";
        Moves = "moves", "backtracking with Warnsdorff: undo the last move and try all others, in the rule's order";
    }
}

params! {
    /// Parameters of `warnsdorff`.
    struct WarnsdorffParams {
        ties: Ties = Random, "How ties between squares with equally few onward moves are broken.";
        backtrack: Backtracking = None, "What to do when the knight is stuck.";
        moves: MoveOrder;
    }
}

/// Range of the number of squares of a board that counts as large.
const LARGE: RangeInclusive<usize> = Offer::LARGE + 1..=usize::MAX;

/// Returns whether the number of squares is in this range and the end of the tour is free.
fn may_end_anywhere(problem: &Problem, squares: RangeInclusive<usize>) -> bool {
    let order = problem.graph().order();
    !problem.is_closed() && problem.end().is_none() && squares.contains(&order)
}

/// Number of moves per unit of random walks. Chosen by hand: a few milliseconds.
const UNIT_MOVES: u64 = 1 << 18;

impl Solver for Warnsdorff {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let graph = problem.graph().clone();
        let WarnsdorffParams { ties, backtrack, moves } = WarnsdorffParams::from_values(values);
        let sequence = moves.sequence(&graph)?.ok_or_else(|| {
            Unsupported(
                "order=random is unsupported: warnsdorff has its own random choice; use ties=random with a fixed order".into(),
            )
        })?;
        let rule = match ties {
            Ties::Fixed => TieRule::First,
            Ties::All => TieRule::Ascending,
            Ties::Pohl => TieRule::Pohl,
            Ties::Roth => TieRule::roth(&graph)?,
            // The schedule of Squirrel & Cull leaves no ties.
            Ties::Random | Ties::SquirrelCull => TieRule::Random,
        };
        let mut starts = problem.starts();
        let mode = match (ties, backtrack) {
            (Ties::SquirrelCull, Backtracking::None) => {
                let schedule = Schedule::new(&graph)?;
                starts = Starts::Listed(schedule.corners(problem));
                if starts.count() == 0 {
                    return Err(Unsupported(
                        "squirrel-cull starts from a corner; start at a1, or use another rule for ties".into(),
                    ));
                }
                Mode::Scheduled(schedule)
            }
            (Ties::SquirrelCull, Backtracking::Ties | Backtracking::Moves) => {
                return Err(Unsupported(
                    "squirrel-cull has fixed move orders, so there is no choice to go back to; use backtrack=none or another rule for ties".into(),
                ));
            }
            (Ties::All, Backtracking::Moves) => {
                return Err(Unsupported(
                    "ties=all and backtrack=moves cannot be combined: both choose where the search branches; use one of them".into(),
                ));
            }
            (Ties::All, Backtracking::None | Backtracking::Ties) => match Every::new(&graph) {
                Some(every) => Mode::Every(Box::new(every)),
                None => Mode::Search { all_moves: false },
            },
            (_, Backtracking::Ties) => Mode::Search { all_moves: false },
            (_, Backtracking::Moves) => Mode::Search { all_moves: true },
            (_, Backtracking::None) => Mode::Walk,
        };
        Ok(Box::new(PreparedWarnsdorff { graph, starts, sequence, rule, mode }))
    }
}

enum Mode {
    Walk,
    Scheduled(Schedule),
    Search { all_moves: bool },
    Every(Box<Every>),
}

struct PreparedWarnsdorff {
    graph: Graph,
    starts: Starts,
    sequence: Vec<usize>,
    rule: TieRule,
    mode: Mode,
}

impl PreparedWarnsdorff {
    fn proves(&self) -> bool {
        matches!(self.mode, Mode::Search { all_moves: true })
    }

    fn walks_at_random(&self) -> bool {
        matches!((&self.mode, &self.rule), (Mode::Walk, TieRule::Random))
    }

    fn on<T: Terrain>(&self, terrain: &T, start: Square, run: &mut Run<'_>) -> ControlFlow<()> {
        let all_moves = match &self.mode {
            Mode::Search { all_moves } => Some(*all_moves),
            Mode::Every(_) => Some(false),
            Mode::Walk | Mode::Scheduled(_) => None,
        };
        match (all_moves, run.is_watched()) {
            (Some(all), false) => search::search::<T, false>(terrain, &self.rule, all, start, run),
            (Some(all), true) => search::search::<T, true>(terrain, &self.rule, all, start, run),
            (None, false) => walk::walks::<T, false>(terrain, &self.rule, start, run),
            (None, true) => walk::walks::<T, true>(terrain, &self.rule, start, run),
        }
    }
}

impl Prepared for PreparedWarnsdorff {
    fn promise(&self) -> Promise {
        let random = self.walks_at_random();
        Promise { exhausts: !random, repeats: random, complete: self.proves() }
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        if self.walks_at_random() {
            let chunk = (UNIT_MOVES / self.graph.order() as u64).max(1);
            return budget.rounds(unit, &self.starts, chunk);
        }
        budget.each(unit, &self.starts)
    }

    fn run(&self, unit: u64, run: &mut Run<'_>) -> End {
        let Some(start) = self.starts.get(unit % self.starts.count()) else { return End::Limit };
        let flow = match &self.mode {
            Mode::Every(every) if !run.is_watched() => every.search(start, run),
            Mode::Scheduled(schedule) => schedule.walk(start, run),
            _ => match PaddedTerrain::new(&self.graph, &self.sequence) {
                Some(padded) => self.on(&padded, start, run),
                None => self.on(&PlainTerrain::new(&self.graph, &self.sequence), start, run),
            },
        };
        End::of(flow, self.proves())
    }
}
