//! `backbite`: a Markov chain that reverses parts at the ends of a tour, for boards too wide for exact
//! sampling.
//!
//! A step picks one of the two ends of a tour and draws a move from it. The move leads to another square of
//! the tour. It replaces the tour's move from that square towards the chosen end, and the part in between is
//! reversed. A step and its reverse have the same probability (one in twice the maximum degree), and moves
//! off the board leave the tour unchanged. So the uniform distribution over tours is stationary. The chain
//! returns one tour every `steps` steps.
//! Source: Mansfield 1982; Oberdorf et al. 2006, for walks on lattices.
//! Cost: a step that reverses a part costs half the board on average; other steps take constant time.
//! Limits: **approximate**. Tours of a chain resemble each other, and the number of steps that makes
//! them independent is unknown. On narrow boards the chain does not connect all tours: from one
//! undirected tour it reached 2,952 of 3,048 tours on 3x10, 24 of 744 on 4x6 and 432 of 864 on 5x5, so it
//! never becomes uniform there; on 6x6 it reaches all 3,318,960 tours. Closed tours occur at random, one in
//! twelve on 8x8. A given end is fixed; with both ends given no step is possible.
//! Departures: (1) each unit is a separate chain that starts with a tour found by `find` and makes
//! `warm` warm-up steps. (2) Steps never exchange the colours of the ends, so a tour with free ends
//! is returned in either direction with equal probability.

use crate::board::{Graph, Square};
use crate::problem::theorems::known;
use crate::problem::{Goal, Problem};
use crate::search::{
    Allotment, Budget, Control, End, EventKind, Family, Info, Measure, Params, Preparation,
    Prepared, Purpose, Resources, Run, SearchEvent, Solver, Stage, StagedSearch, Status,
    Unsupported, Values, params,
};
use crate::solvers::cuts::Cuts;
use crate::solvers::divide::Divide;
use crate::solvers::exact::Exact;
use crate::solvers::frontier::Frontier;
use crate::solvers::rotation::rotate;
use crate::solvers::warnsdorff::Warnsdorff;
use crate::tour::Tour;
use rand::RngExt;
use std::ops::ControlFlow;

/// The registry entry.
pub struct Backbite;

static INFO: Info = Info {
    name: "backbite",
    title: "Markov chain (backbite)",
    family: Family::Random,
    summary: "A Markov chain that reverses end parts of a tour; its tours become nearly uniform over time.",
    source: "Mansfield 1982; Oberdorf et al. 2006",
    good_for: "approximately uniform open tours of boards that are too wide for `uniform`",
    params: BackbiteParams::PARAMS,
    events: &[EventKind::Path, EventKind::FirstTour, EventKind::Reversal, EventKind::Reversals],
    measures: &[TURNED],
    ..Info::PLAIN
};

params! {
    /// Parameters of `backbite`.
    struct BackbiteParams {
        steps: u64 = "0" in 0..=1 << 40, "Steps from one tour to the next; 0 for 8 times the number of squares.";
        warm: u64 = "0" in 0..=1 << 40, "Steps before the first tour; 0 for 200 times the number of squares.";
    }
}

const TURNED: Measure = Measure { name: "turned", help: "Steps that reversed a part of the tour." };

/// Maximum number of squares. Chosen by hand: a step may cost half the board.
const MOST_SQUARES: usize = 1 << 20;
/// Maximum number of moves in the search for the first tour of a chain. Chosen by hand, not tuned.
const FIRST_MOVES: u64 = 20_000_000;
/// Solvers that are tried in order to find the first tour of a chain.
const FIRST: &[&dyn Solver] = &[&Warnsdorff, &Divide, &Exact, &Frontier, &Cuts];
/// Number of tours per unit. A unit is one chain. Chosen by hand: the warm-up is then about 1% of the steps.
const UNIT: u64 = 2048;
/// Number of moves between two charges to the budget. Chosen by hand: about a millisecond.
const CHARGED_MOVES: u64 = 1 << 16;

impl Solver for Backbite {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let graph = problem.graph();
        if graph.order() > MOST_SQUARES {
            let most =
                format!("backbite supports at most {MOST_SQUARES} squares; {graph} has more");
            return Err(Unsupported(most));
        }
        if problem.start().is_some() && problem.end().is_some() {
            return Err(Unsupported(
                "backbite changes a path at a free end, but both ends are fixed; leave the start or the end free"
                    .into(),
            ));
        }
        let or_squares = |steps: u64, times: u64| match steps {
            0 => times * graph.order() as u64,
            steps => steps,
        };
        let BackbiteParams { steps, warm } = BackbiteParams::from_values(values);
        Ok(Box::new(PreparedBackbite {
            problem: problem.clone(),
            steps: or_squares(steps, 8),
            warm: or_squares(warm, 200),
        }))
    }
}

struct PreparedBackbite {
    problem: Problem,
    steps: u64,
    warm: u64,
}

/// The state of a chain.
pub(crate) struct Chain<'g> {
    graph: &'g Graph,
    /// The maximum degree of a square.
    most: usize,
    path: Vec<Square>,
    /// Index of each square in the path.
    place: Vec<u32>,
    /// Whether the tour's first square may change, and whether its last square may.
    free: [bool; 2],
    near: Vec<Square>,
}

impl<'g> Chain<'g> {
    pub(crate) fn new(graph: &'g Graph, path: Vec<Square>, free: [bool; 2]) -> Chain<'g> {
        let mut place = vec![0; graph.len()];
        (0..).zip(&path).for_each(|(at, &square)| place[square.index()] = at);
        let most = graph.vertices().map(|v| graph.degree(v)).max().unwrap_or(0);
        Chain { graph, most, path, place, free, near: Vec::new() }
    }

    pub(crate) fn path(&self) -> &[Square] {
        &self.path
    }

    /// Makes one step; returns the number of squares reversed.
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
        let at = self.place[bitten.index()] as usize;
        let turned = if at_last { at + 1..last + 1 } else { 0..at };
        let length = turned.len();
        if length < 2 {
            return 0;
        }
        rotate(&mut self.path, &mut self.place, turned);
        length
    }
}

impl PreparedBackbite {
    /// Finds a random first tour; returns `None` if none was found.
    fn first(&self, run: &mut Run<'_>) -> Option<Result<Vec<Square>, End>> {
        let (start, end) = (self.problem.start(), self.problem.end());
        let open = Problem::new(self.problem.graph().clone(), Goal::Open, start, end).ok()?;
        let search = StagedSearch {
            problem: &open,
            seed: run.rng.random(),
            threads: 1,
            budget: Budget {
                moves: Some(run.allotment().moves.min(FIRST_MOVES)),
                ..Budget::UNLIMITED
            },
            control: &Control::default(),
        };
        let (tour, impossible, moves) = match known(&open).is_impossible() {
            true => (None, true, 0),
            false => {
                let stages = Stage::offered(FIRST, Purpose::OneTour, &open);
                let found = search.run(&stages).ok()?;
                (found.tour, found.status == Status::Complete, found.moves)
            }
        };
        let mut flow = run.charge(0, moves);
        if run.is_watched() {
            // If no tour was found in time, show only a square on which it could start.
            let square = start.or_else(|| self.problem.graph().vertices().next());
            let path = tour.as_ref().map_or(square.as_slice(), Tour::squares);
            let mut shown = run.event(&SearchEvent::Path(path));
            if let (ControlFlow::Continue(()), Some(tour)) = (shown, &tour) {
                shown = run.event(&SearchEvent::FirstTour { ends: ends(tour.squares()) });
            }
            flow = if shown.is_break() { shown } else { flow };
        }
        Some(match tour {
            Some(tour) if flow.is_continue() => Ok(tour.squares().to_vec()),
            None if impossible => Err(End::Exhausted { proof: true }),
            _ => Err(End::Limit),
        })
    }
}

impl Prepared for PreparedBackbite {
    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        let whole = budget.split(0, 1, self.problem.start_count() as u64, None);
        // The moves of a chain are not known in advance, so a limit on moves allows only one unit.
        let size = if budget.moves.is_some() { u64::MAX } else { UNIT };
        let spent = unit.saturating_mul(size);
        let none = (budget.moves.is_some() && unit > 0) || spent >= whole.attempts;
        (!none).then(|| Allotment { attempts: (whole.attempts - spent).min(size), ..whole })
    }

    fn run(&self, _: u64, run: &mut Run<'_>) -> End {
        if known(&self.problem).is_impossible() {
            return End::Exhausted { proof: true };
        }
        let first = match self.first(run) {
            Some(Ok(first)) => first,
            Some(Err(end)) => return end,
            None => return End::Limit,
        };
        let free = [self.problem.start().is_none(), self.problem.end().is_none()];
        let mut chain = Chain::new(self.problem.graph(), first, free);
        let _ = match run.is_watched() {
            false => self.walk::<false>(&mut chain, run),
            true => self.walk::<true>(&mut chain, run),
        };
        End::Limit
    }
}

/// Returns the first and the last square.
fn ends(path: &[Square]) -> (Square, Square) {
    (path[0], path[path.len() - 1])
}

/// Sends a step that reversed `length` squares, and the path after it. `before` are the ends before the step.
fn show_reversal(
    before: (Square, Square),
    length: usize,
    path: &[Square],
    run: &mut Run<'_>,
) -> ControlFlow<()> {
    // The end that stays is not part of what was reversed.
    let event = if before.0 == path[0] {
        let at = path.len() - length;
        let (kept, reversed) = (path[at - 1], &path[at..]);
        let cut = (kept, path[path.len() - 1]);
        SearchEvent::Reversal { end: before.1, added: (before.1, kept), cut, reversed }
    } else {
        let (kept, reversed) = (path[length], &path[..length]);
        let cut = (kept, path[0]);
        SearchEvent::Reversal { end: before.0, added: (before.0, kept), cut, reversed }
    };
    run.event(&event)?;
    run.event(&SearchEvent::Path(path))
}

impl PreparedBackbite {
    fn walk<const WATCH: bool>(&self, chain: &mut Chain<'_>, run: &mut Run<'_>) -> ControlFlow<()> {
        let attempts = run.allotment().attempts;
        for number in 0..attempts {
            let steps = if number == 0 { self.warm } else { self.steps };
            let (mut turned, mut moves) = (0, 0);
            for _ in 0..steps {
                let before = WATCH.then(|| ends(chain.path()));
                let squares = chain.step(&mut run.rng) as u64;
                if let (Some(before), true) = (before, squares > 0) {
                    show_reversal(before, squares as usize, chain.path(), run)?;
                }
                turned += u64::from(squares > 0);
                moves += 1 + squares;
                if moves >= CHARGED_MOVES {
                    run.charge(0, moves)?;
                    moves = 0;
                }
            }
            run.readings.count(&TURNED, turned);
            if WATCH {
                let ends = ends(chain.path());
                run.event(&SearchEvent::Reversals { steps, reversed: turned, ends })?;
            }
            let flow = run.charge(1, moves);
            if chain.free == [true, true] && run.rng.random_bool(0.5) {
                let turned: Vec<Square> = chain.path().iter().rev().copied().collect();
                run.claim(turned)?;
            } else {
                run.claim(chain.path())?;
            }
            flow?;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::lab::bias::{Aspect, Aspects};
    use crate::lab::chi_square::distance;
    use crate::lab::enumerate::{Dedup, Enumeration};
    use crate::lab::find::{Outcome, TourSearch};
    use crate::solvers::registry::{Choice, SOLVERS};
    use crate::tour::Verified;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::collections::HashSet;

    fn knight(board: &str) -> Problem {
        Problem::open(Graph::knight(Board::parse(board).unwrap()))
    }

    /// Counts the undirected tours that can be reached by steps from the first tour of `exact`.
    fn reached(board: &str) -> usize {
        let problem = knight(board);
        let choice = Choice::new::<&str>("exact", &[]).unwrap();
        let mut first = Vec::new();
        let mut take = |tour: Verified<'_>| {
            first = tour.squares().to_vec();
            ControlFlow::Break(())
        };
        let run = Enumeration { threads: 1, ..Enumeration::new(problem.clone(), choice) };
        run.run(&Control::default(), Some(&mut take)).unwrap();
        let canon = |mut path: Vec<Square>| {
            if path[0] > path[path.len() - 1] {
                path.reverse();
            }
            path
        };
        let mut seen = HashSet::from([canon(first.clone())]);
        let mut waiting = vec![first];
        let graph = problem.graph();
        while let Some(path) = waiting.pop() {
            for turned in [false, true] {
                let mut path = path.clone();
                if turned {
                    path.reverse();
                }
                let last = path[path.len() - 1];
                for (at, &square) in path.iter().enumerate() {
                    let mut next = path.clone();
                    next[at + 1..].reverse();
                    if graph.adjacent(last, square) && seen.insert(canon(next.clone())) {
                        waiting.push(next);
                    }
                }
            }
        }
        seen.len()
    }

    #[test]
    fn steps_do_not_reach_every_tour_of_a_narrow_board() {
        assert!((2..3048).contains(&reached("3x10")));
        assert!((1..744).contains(&reached("4x6")));
        assert_eq!(reached("5x5"), 864 / 2);
    }

    #[test]
    fn a_chain_begins_with_the_solvers_that_offer_one_tour() {
        let offers = |solvers: &[&'static dyn Solver]| -> Vec<_> {
            let infos = solvers.iter().map(|solver| solver.info());
            let ranks = infos.flat_map(|info| info.offers.iter().map(|offer| (info.name, offer)));
            let one = ranks.filter(|(_, offer)| offer.purpose == Purpose::OneTour);
            one.map(|(name, offer)| (name, offer.rank)).collect()
        };
        let (mut own, mut all) = (offers(FIRST), offers(SOLVERS));
        own.sort_unstable();
        all.sort_unstable();
        assert_eq!(own, all);
    }

    #[test]
    fn a_step_and_its_reverse_are_equally_likely() {
        let problem = knight("5x5");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let path: Vec<Square> = {
            let search = TourSearch {
                problem: problem.clone(),
                choice: None,
                seed: 1,
                threads: 1,
                budget: Budget::UNLIMITED,
            };
            match search.run(&Control::default()).unwrap().outcome {
                Outcome::Found(tour) => tour.squares().to_vec(),
                other => panic!("{other:?}"),
            }
        };
        let mut chain = Chain::new(problem.graph(), path, [true, true]);
        // Over a long run, the transitions between two tours balance.
        let mut flows = std::collections::HashMap::new();
        for _ in 0..2_000_000 {
            let before = chain.path().to_vec();
            if chain.step(&mut rng) > 0 {
                *flows.entry((before, chain.path().to_vec())).or_insert(0i64) += 1;
            }
        }
        assert!(flows.len() > 1000);
        for ((from, to), &there) in &flows {
            let back = flows.get(&(to.clone(), from.clone())).copied().unwrap_or(0);
            let error = ((there + back) as f64).sqrt();
            assert!(((there - back) as f64).abs() < 6.0 * error, "{there} and {back}");
        }
    }

    #[test]
    fn on_6x6_the_chain_is_nearly_uniform() {
        let problem = knight("6x6");
        let aspects = Aspects::new(problem.graph());
        let choice = Choice::new::<&str>("backbite", &[]).unwrap();
        let budget = Budget { attempts: Some(40_000), ..Budget::UNLIMITED };
        let run =
            Enumeration { budget, dedup: Dedup::None, ..Enumeration::new(problem.clone(), choice) };
        let mut counts = aspects.none();
        let mut take = |tour: Verified<'_>| {
            aspects.count(&tour, &mut counts);
            ControlFlow::Continue(())
        };
        run.run(&Control::default(), Some(&mut take)).unwrap();
        // Closed: 710,064 of 6,637,920; corners: 524,486 each (Table 3 of the 2005 paper).
        let closed = distance(counts.of(Aspect::Closed), &[5_927_856.0, 710_064.0]);
        assert!(closed.variation < 0.01, "{closed:?}");
        let starts = counts.of(Aspect::Start);
        let corners = [0, 5, 30, 35].map(|s: usize| starts[s]).iter().sum::<u64>();
        let share = corners as f64 / 40_000.0;
        assert!((share - 4.0 * 524_486.0 / 6_637_920.0).abs() < 0.02, "{share}");
    }
}
