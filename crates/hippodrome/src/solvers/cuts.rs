//! `cuts`: joins the cycles of 2-factors; clauses rule out cycles that cannot be joined.
//!
//! A 2-factor has two edges at every vertex, so it is a set of cycles. The first 2-factors come from
//! matchings, the later ones from a satisfiability solver with one variable per edge. Exchanges of edges join
//! the cycles; if only one cycle remains, it is a tour. Otherwise each cycle, before and after joining,
//! becomes a clause: some chosen edge must leave the cycle. The solver then finds another 2-factor, or proves
//! that there is none, and therefore no tour. Open tours are closed through an added vertex. If the graph is
//! bipartite, a matching alone proves that there is no 2-factor, which could take the solver very long.
//! Source: Dantzig, Fulkerson & Johnson (1954) for cuts on demand; Soh, Le Berre, Roussel, Banbara &
//! Tamura (2014) for cuts as clauses; Berge (1957) for the matching.
//! Cost: O(edges) per matching; no bound per call of the solver, typically milliseconds for thousands of
//! edges.
//! Limits: 2^24 edges; with more than 2^20 edges and vertices only matchings are tried, which can prove only
//! that there is no 2-factor.
//! Departures: (1) edges that no tour can use, or that every tour uses, are decided first (`ring.rs`).
//! (2) Up to four edges are exchanged, not only two. (3) Every tour found becomes a clause as well, so the
//! search lists all tours.

mod clauses;
mod ring;
mod sat;

use self::clauses::Encoding;
use self::ring::{Ring, two_colours};
use super::all_ways::{claim_all, show};
use super::two_factor::{FactorGraph, Joined, TwoFactor, join};
use crate::board::Square;
use crate::problem::Problem;
use crate::search::{
    Allotment, Budget, End, EventKind, FactorSource, Family, Footprint, Info, Measure, Offer,
    Params, Preparation, Prepared, Promise, Resources, Run, SearchEvent, Solver, StopCheck,
    Unsupported, Values, params,
};
use rand::RngExt;
use rand::seq::SliceRandom;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// The registry entry.
pub struct Cuts;

/// Maximum number of edges. Limited by memory, as in `exact`.
const EDGES_UP_TO: u64 = 1 << 24;
/// Maximum number of edges and vertices for the satisfiability solver. Chosen by hand: the solver needs
/// minutes for one 2-factor of a board with a million edges.
const SOLVED_UP_TO: usize = 1 << 20;
/// Maximum number of edges that an exchange drops. Chosen by hand: each further edge multiplies the cost by
/// about the degree.
const LONGEST: usize = 4;
/// Mean degree above which only exchanges of two edges are tried, for the same reason.
const SPARSE: usize = 16;

/// Number of matchings that `find` tries before other methods. If a graph has a tour, one of the first
/// matchings usually gives it. Chosen by hand.
const FEW: u64 = 10;

/// Number of kicks per matching of a graph with odd cycles. Chosen by hand.
const KICKS: u64 = 200;
/// Number of failed matchings on a graph with odd cycles after which the solver takes over. Chosen by hand.
const FAILURES: u64 = 3;

params! {
    /// Parameters of `cuts`.
    struct CutsParams {
        matchings: u64 = "20" in 0..=1_000_000, "2-factors made by matching before the satisfiability solver makes them.";
    }
}

const FACTORS: Measure = Measure { name: "factors", help: "2-factors made by matching." };
const MODELS: Measure =
    Measure { name: "models", help: "2-factors made by the satisfiability solver." };
const CYCLES: Measure = Measure { name: "cycles", help: "Cycles of a 2-factor." };
const CUTS: Measure = Measure { name: "cuts", help: "Clauses added for cycles." };

static INFO: Info = Info {
    name: "cuts",
    title: "Joined cycles with cuts",
    family: Family::Construction,
    summary: "Joins the cycles of 2-factors; a satisfiability solver rules out those that cannot be joined.",
    source: "Dantzig, Fulkerson & Johnson 1954; Soh et al. 2014; Berge 1957",
    good_for: "boards with holes, large leapers and any sparse graph: a tour, or a proof that there is none",
    params: CutsParams::PARAMS,
    events: &[
        EventKind::Path,
        EventKind::Moves,
        EventKind::Reduced,
        EventKind::Factor,
        EventKind::NoFactor,
        EventKind::Joined,
        EventKind::Cut,
        EventKind::NoTour,
    ],
    measures: &[FACTORS, MODELS, CYCLES, CUTS],
    footprint: Footprint { shared: 0, per_thread: 400 },
    offers: &[
        Offer::one_tour(45, &[], Some(FEW), |p| {
            let most = if p.graph().board().is_none() { Offer::SMALL } else { Offer::LARGE };
            p.graph().order() > most
        }),
        Offer::one_tour(70, &[], None, |p| p.graph().order() > Offer::SMALL),
    ],
    ..Info::PLAIN
};

impl Solver for Cuts {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let graph = problem.graph();
        let most = graph.move_count().map_or(0, |moves| graph.order() as u64 * moves as u64 / 2);
        let edges = if most > EDGES_UP_TO { most } else { graph.edges() };
        if edges > EDGES_UP_TO {
            return Err(Unsupported(format!(
                "cuts keeps at most {EDGES_UP_TO} edges in memory, and {graph} may have {edges}; use solver divide or warnsdorff"
            )));
        }
        let solved = edges as usize + graph.order() <= SOLVED_UP_TO;
        let params = CutsParams::from_values(values);
        Ok(Box::new(PreparedCuts { problem: problem.clone(), params, solved }))
    }
}

struct PreparedCuts {
    problem: Problem,
    params: CutsParams,
    /// Whether the satisfiability solver takes over after the matchings.
    solved: bool,
}

impl Prepared for PreparedCuts {
    fn promise(&self) -> Promise {
        if self.solved { Promise::COMPLETE } else { Promise::ENDLESS }
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        let starts = self.problem.start_count() as u64;
        (unit == 0).then(|| budget.split(0, 1, starts, None))
    }

    fn run(&self, _: u64, run: &mut Run<'_>) -> End {
        let graph = self.problem.graph();
        if graph.order() == 1 && !self.problem.is_closed() {
            let only: Vec<Square> = graph.vertices().collect();
            return End::of(claim_all(&self.problem, only, run), true);
        }
        let stop_check = run.stop_check();
        let mut ring = Ring::new(&self.problem);
        ring.shuffle(&mut run.rng);
        let kept = ring.reduce();
        let left = kept.as_ref().map_or(0, Vec::len);
        let reduced = SearchEvent::Reduced { edges: ring.edges.len(), left };
        if run.event(&reduced).is_break() {
            return End::Limit;
        }
        let Some(kept) = kept else {
            let _ = run.charge(1, 0);
            return End::Exhausted { proof: true };
        };
        let targets = vec![2; ring.vertices];
        let ends = kept.iter().map(|&edge| ring.edges[edge as usize]).collect();
        let Some(graph) = FactorGraph::new(ends, targets, &stop_check).continue_value() else {
            return End::Limit;
        };
        let mut search = CutSearch {
            problem: &self.problem,
            ring: &ring,
            graph: &graph,
            stop_check: &stop_check,
            longest: if graph.ends.len() <= SPARSE / 2 * graph.order() { LONGEST } else { 2 },
            found: HashSet::new(),
        };
        let most = if self.solved { self.params.matchings } else { u64::MAX };
        match search.match_and_join(most, run) {
            ControlFlow::Break(()) => End::Limit,
            ControlFlow::Continue(Matched::NoFactor) => End::Exhausted { proof: true },
            ControlFlow::Continue(Matched::Tried) if self.solved => {
                End::of(search.solve(run), true)
            }
            ControlFlow::Continue(Matched::Tried) => End::Exhausted { proof: false },
        }
    }
}

/// How the matchings ended.
enum Matched {
    /// There is no 2-factor, and so no tour.
    NoFactor,
    /// The requested number of matchings was tried, or too many of them failed.
    Tried,
}

struct CutSearch<'a> {
    problem: &'a Problem,
    ring: &'a Ring,
    graph: &'a FactorGraph,
    stop_check: &'a StopCheck<'a>,
    /// Maximum number of edges that an exchange drops.
    longest: usize,
    /// The tours found, as sorted lists of edges.
    found: HashSet<Vec<u32>>,
}

impl CutSearch<'_> {
    /// Sends the cycles of a factor, if the run is watched.
    fn show_factor(
        &self,
        factor: &TwoFactor,
        source: FactorSource,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        if !run.is_watched() {
            return ControlFlow::Continue(());
        }
        run.event(&SearchEvent::Factor { cycles: factor.cycles(), source })?;
        self.show_moves(factor, run)
    }

    /// Sends what joining cycles took, if the run is watched.
    fn show_joined(&self, joined: &Joined, run: &mut Run<'_>) -> ControlFlow<()> {
        if !run.is_watched() {
            return ControlFlow::Continue(());
        }
        run.event(&joined.effort.event(&joined.factor))?;
        self.show_moves(&joined.factor, run)
    }

    /// Sends the moves of a factor, and a path of them.
    fn show_moves(&self, factor: &TwoFactor, run: &mut Run<'_>) -> ControlFlow<()> {
        run.event(&SearchEvent::Moves(&self.ring.moves(factor)))?;
        run.event(&SearchEvent::Path(&self.ring.strand(factor)))
    }

    /// Creates 2-factors by matching, with the edges in random order, and joins their cycles.
    fn match_and_join(&mut self, most: u64, run: &mut Run<'_>) -> ControlFlow<(), Matched> {
        let mut order: Vec<u32> = (0..self.graph.ends.len() as u32).collect();
        let bipartite = two_colours(self.graph.order(), &self.graph.ends).is_some();
        let mut failed = 0;
        for _ in 0..most {
            run.check_limits()?;
            order.shuffle(&mut run.rng);
            let (rng, mut kicks) = (&mut run.rng, if bipartite { 0 } else { KICKS });
            let kick = |choices: usize| {
                kicks = u64::checked_sub(kicks, 1)?;
                (choices > 0).then(|| rng.random_range(0..choices))
            };
            let given = order.iter().copied();
            let near = self.graph.factor_with_kicks(given, self.stop_check, kick);
            let Some(factor) = near.and_then(|edges| TwoFactor::new(self.graph, &edges)) else {
                self.stop_check.spend(0)?;
                run.charge(1, self.graph.order() as u64)?;
                // If there are odd cycles, augmenting paths may miss a factor.
                if bipartite {
                    run.event(&SearchEvent::NoFactor)?;
                    return ControlFlow::Continue(Matched::NoFactor);
                }
                failed += 1;
                if failed == FAILURES {
                    break;
                }
                continue;
            };
            run.readings.count(&FACTORS, 1);
            self.show_factor(&factor, FactorSource::Matching, run)?;
            let flow = run.charge(1, self.graph.order() as u64);
            let joined = join(self.graph, factor, self.longest, self.stop_check)?;
            run.readings.sample(&CYCLES, joined.effort.cycles as f64);
            self.show_joined(&joined, run)?;
            if joined.is_one {
                self.take(&joined.factor, run)?;
            }
            flow?;
        }
        ControlFlow::Continue(Matched::Tried)
    }

    /// Finds models, joins their cycles, and adds a clause for each cycle, until there are no more models.
    fn solve(&mut self, run: &mut Run<'_>) -> ControlFlow<()> {
        let mut encoding = Encoding::new(self.graph, self.stop_check);
        for tour in &self.found {
            encoding.exclude(tour);
        }
        while let Some(edges) = encoding.model()? {
            let Some(factor) = TwoFactor::new(self.graph, &edges) else {
                return ControlFlow::Break(());
            };
            run.readings.count(&MODELS, 1);
            self.show_factor(&factor, FactorSource::Solver, run)?;
            let flow = run.charge(1, self.graph.order() as u64);
            let mut cuts = encoding.cut(&factor);
            let one = cuts == 0;
            if one {
                encoding.exclude(&edges);
                self.take(&factor, run)?;
                flow?;
                continue;
            }
            let joined = join(self.graph, factor, self.longest, self.stop_check)?;
            self.show_joined(&joined, run)?;
            let Joined { factor, is_one, effort } = joined;
            run.readings.sample(&CYCLES, effort.cycles as f64);
            if !is_one && effort.pairs + effort.longer > 0 {
                cuts += encoding.cut(&factor);
            }
            run.readings.count(&CUTS, cuts);
            run.event(&SearchEvent::Cut { clauses: cuts })?;
            if is_one && let Some(edges) = self.take(&factor, run)? {
                encoding.exclude(&edges);
            }
            flow?;
        }
        if self.found.is_empty() {
            run.event(&SearchEvent::NoTour)?;
        }
        ControlFlow::Continue(())
    }

    /// Claims a tour unless it was found before; returns its edges.
    fn take(&mut self, tour: &TwoFactor, run: &mut Run<'_>) -> ControlFlow<(), Option<Vec<u32>>> {
        let on = |edge: &u32| {
            let [a, b] = self.graph.ends[*edge as usize];
            tour.mates[a as usize].contains(&b)
        };
        let edges: Vec<u32> = (0..self.graph.ends.len() as u32).filter(on).collect();
        if !self.found.insert(edges.clone()) {
            return ControlFlow::Continue(None);
        }
        let squares = self.ring.tour(tour);
        show(&squares, run)?;
        claim_all(self.problem, squares, run)?;
        ControlFlow::Continue(Some(edges))
    }
}
