//! `frontier`: sweeps the graph vertex by vertex, and merges partial tours with the same state.
//!
//! The frontier separates the vertices that are done from those not yet reached. The rest of a tour depends
//! only on how the edges chosen so far connect the frontier, so partial tours that agree on this share one
//! state. After the last vertex, every path back through the states is a tour; if there is none, no tour
//! exists. A greedy algorithm finds orders of the vertices with a narrow frontier; vertices with very many
//! edges come last.
//! Source: Held & Karp (1962) for states that do not record the path; Sekine, Imai & Tani (1995) and Knuth's
//! SIMPATH for frontiers. The engine is shared with `count`.
//! Cost: one to a few hundred states per vertex on nearly cubic graphs; on knight's boards, each further
//! vertex in the frontier multiplies the states by about e^1.16. Then O(vertices) per tour.
//! Limits: 25 vertices in the frontier; `states` and `memory` bound the sweep. The limit `memory` counts one
//! transition per state, but dense graphs have more.

use super::all_ways::{claim_all, show};
use crate::board::Square;
use crate::count::{CycleLimits, CycleSweep};
use crate::problem::Problem;
use crate::search::{
    Allotment, Budget, End, EventKind, Family, Info, Offer, Params, Preparation, Prepared, Promise,
    Resources, Run, SearchEvent, Solver, Unsupported, Values, choice, params,
};
use rand::RngExt;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// The registry entry.
pub struct Frontier;

choice! {
    /// Which tours are read from the states.
    pub(super) enum Draw {
        Every = "every", "each tour once";
        Uniform = "uniform", "tours at random, each with the same probability";
    }
}

params! {
    /// Parameters of `frontier`.
    pub(super) struct FrontierParams {
        draw: Draw = Every, "Which tours are read from the states.";
        width: u64 = "25" in 12..=25, "Vertices in the frontier, at most.";
        states: u64 = "1G" in 1..=1_000_000_000_000, "States before the sweep gives up.";
        memory: u64 = "2000" in 1..=1_000_000, "MiB that the states may take.";
    }
}

/// Parameters for a sweep of about a second, which `find` tries on graphs that are narrow enough. Chosen by
/// hand: graphs with thousands of vertices, five hubs and a frontier of 14 have up to 6 million states.
const NARROW: &[&str] = &["width=14", "states=8M"];

fn is_file(problem: &Problem) -> bool {
    problem.graph().board().is_none()
}

static INFO: Info = Info {
    name: "frontier",
    title: "Frontier sweep",
    family: Family::Search,
    summary: "Sweeps the graph and merges partial tours that leave the same frontier.",
    source: "Held & Karp 1962; Sekine, Imai & Tani 1995; Knuth, SIMPATH",
    good_for: "narrow boards and graphs of small width: a tour, every tour, uniform tours, or a proof that there is none",
    params: FrontierParams::PARAMS,
    events: &[EventKind::Path, EventKind::Layer, EventKind::NoTour],
    offers: &[
        Offer::one_tour(15, NARROW, Some(1), |p| is_file(p) && p.graph().order() > Offer::SMALL),
        Offer::one_tour(55, NARROW, Some(1), |p| match p.graph().board() {
            Some(board) => board.rows().min(board.cols()) <= 7,
            None => p.graph().order() <= Offer::SMALL,
        }),
    ],
    ..Info::PLAIN
};

/// Maximum number of vertices; on larger graphs, finding an order takes seconds. Chosen by hand.
const PLANNED_UP_TO: usize = 200_000;

impl Solver for Frontier {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let params = FrontierParams::from_values(values);
        let graph = problem.graph();
        if graph.order() > PLANNED_UP_TO {
            return Err(Unsupported(format!(
                "frontier takes at most {PLANNED_UP_TO} vertices, and {graph} has {}; use solver divide or cuts",
                graph.order()
            )));
        }
        let sweep = CycleSweep::new(problem, params.width as usize).map_err(|width| {
            Unsupported(format!(
                "frontier can keep at most {} vertices in its frontier, and every order of {graph} that was tried needs {width} or more; use solver cuts or exact",
                params.width
            ))
        })?;
        Ok(Box::new(PreparedFrontier { problem: problem.clone(), params, sweep }))
    }
}

struct PreparedFrontier {
    problem: Problem,
    params: FrontierParams,
    sweep: CycleSweep,
}

impl Prepared for PreparedFrontier {
    fn promise(&self) -> Promise {
        match self.params.draw {
            Draw::Every => Promise::COMPLETE,
            Draw::Uniform => Promise::ENDLESS,
        }
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        let starts = self.problem.start_count() as u64;
        (unit == 0).then(|| budget.split(0, 1, starts, None))
    }

    fn run(&self, _: u64, run: &mut Run<'_>) -> End {
        let every = self.params.draw == Draw::Every;
        if let (1, false) = (self.problem.graph().order(), self.problem.is_closed()) {
            let only: Vec<Square> = self.problem.graph().vertices().collect();
            return End::of(self.one(only, run), every);
        }
        let run = RefCell::new(run);
        let layers = RefCell::new(LayerWatch::default());
        let mut charge = |square: Option<Square>, states| {
            let mut run = run.borrow_mut();
            layers.borrow_mut().charge(square, states, &mut run)?;
            show(square.as_slice(), &mut run)?;
            run.charge(0, states)
        };
        let FrontierParams { states, memory, .. } = self.params;
        let mut limits = CycleLimits { memory: memory << 20, states, charge: &mut charge };
        let swept = self.sweep.run(&mut limits);
        if layers.borrow_mut().end(&mut run.borrow_mut()).is_break() {
            return End::Limit;
        }
        let Ok(mut cycles) = swept else { return End::Limit };
        if cycles.is_empty() {
            if run.borrow_mut().event(&SearchEvent::NoTour).is_break() {
                return End::Limit;
            }
            let _ = run.borrow_mut().charge(1, 0);
            return End::Exhausted { proof: every };
        }
        let flow = if every {
            cycles.each(&mut charge, &mut |edges| {
                self.every(self.sweep.tour(edges), &mut run.borrow_mut())
            })
        } else {
            let weighed = cycles.weigh(&mut charge);
            let drawn = |_| {
                let run = &mut **run.borrow_mut();
                let edges = cycles.draw(&mut run.rng);
                self.one(self.sweep.tour(&edges), run)
            };
            if weighed.is_err() { ControlFlow::Break(()) } else { (0u64..).try_for_each(drawn) }
        };
        End::of(flow, every)
    }
}

/// The layers of a sweep, each sent when it is complete. The sweep is charged for a layer in pieces, of which only
/// the first names the square.
#[derive(Default)]
struct LayerWatch {
    /// The squares of the layers sent.
    finished: Vec<Square>,
    /// The layer in progress.
    layer: Option<(Square, u64)>,
    /// Whether the sweep is over, so that what follows is the way back.
    over: bool,
}

impl LayerWatch {
    fn charge(
        &mut self,
        square: Option<Square>,
        states: u64,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        if self.over || !run.is_watched() {
            return ControlFlow::Continue(());
        }
        match (square, &mut self.layer) {
            (Some(square), _) => {
                self.send(run)?;
                self.layer = Some((square, states));
            }
            (None, Some((_, all))) => *all += states,
            (None, None) => {}
        }
        ControlFlow::Continue(())
    }

    /// Sends the last layer.
    fn end(&mut self, run: &mut Run<'_>) -> ControlFlow<()> {
        self.over = true;
        self.send(run)
    }

    fn send(&mut self, run: &mut Run<'_>) -> ControlFlow<()> {
        let Some((square, states)) = self.layer.take() else {
            return ControlFlow::Continue(());
        };
        self.finished.push(square);
        let number = self.finished.len() as u64;
        run.event(&SearchEvent::Layer { number, square, states, finished: &self.finished })
    }
}

impl PreparedFrontier {
    /// Claims every directed version of a tour that solves the problem.
    fn every(&self, tour: Vec<Square>, run: &mut Run<'_>) -> ControlFlow<()> {
        show(&tour, run)?;
        let flow = run.charge(1, tour.len() as u64);
        claim_all(&self.problem, tour, run)?;
        flow
    }

    /// Claims one directed version of a tour, chosen at random: a random direction and, if the tour is
    /// closed, a random start square.
    fn one(&self, mut tour: Vec<Square>, run: &mut Run<'_>) -> ControlFlow<()> {
        let (start, end) = (self.problem.start(), self.problem.end());
        if run.rng.random_bool(0.5) {
            tour.reverse();
        }
        if self.problem.is_closed() {
            let fixed = start.map(|start| tour.iter().position(|&s| s == start));
            let after = end.map(|end| tour.iter().position(|&s| s == end).map(|at| at + 1));
            let free = run.rng.random_range(0..tour.len());
            let first = fixed.or(after).flatten().unwrap_or(free);
            let length = tour.len();
            tour.rotate_left(first % length);
        }
        let last = tour.len() - 1;
        let wrong = start.is_some_and(|s| tour[0] != s) || end.is_some_and(|e| tour[last] != e);
        if wrong {
            // Reversing an open tour exchanges its ends; a closed tour keeps its start.
            let keeps = usize::from(self.problem.is_closed());
            tour[keeps..].reverse();
        }
        show(&tour, run)?;
        let flow = run.charge(1, tour.len() as u64);
        run.claim(tour)?;
        flow
    }
}
