//! `exact`: a complete search for tours that chooses edges instead of extending a single path.
//!
//! A tour is a set of edges, two at every vertex, that form one cycle; an open tour becomes a cycle
//! through an added vertex. Three rules decide further edges: a vertex with two chosen edges loses its other
//! edges; an edge that would close a short cycle is dropped; a vertex that needs all its remaining edges
//! takes them. The search branches only when no rule applies. The rules and the choice of the vertex follow
//! Rubin (1974) and Knuth's HAMDANCE; dropped edges are restored by Knuth's dancing cells.
//!
//! Cost: O(V + E) memory; exponential time for lists and proofs, about five moves per leaf of the
//! search tree on boards. On boards up to 500x500, the first leaf is usually a tour, found in O(E log V).
//! Limits: at most 2^24 edges, that is 2048x2048 for the knight, which takes 1.3 GB.
//!
//! Departures:
//! 1. Choices are binary (take or exclude an edge); HAMDANCE tries all edges of a vertex.
//! 2. The first edge tried leads to the neighbour with the fewest edges to spare (Warnsdorff).
//! 3. Colours decide where tours may end, and edges that no 2-factor uses are dropped at the root.
//! 4. When all open tours are listed, symmetries of the board save most of the work.
//! 5. While a part of the search has found no tour and has `restarts` left, it restarts with ties
//!    broken at random. The tree searched before a restart contains no tour, so no tour is found
//!    twice.

mod cover;
mod ends;
mod factor;
mod search;
mod show;
mod tournament;

use self::ends::{Decisions, Model};
use self::search::{EdgeSearch, Luck};
use crate::board::Square;
use crate::problem::Problem;
use crate::search::{
    Allotment, Budget, End, EventKind, Family, Footprint, Info, Offer, Params, Preparation,
    Prepared, Promise, Purpose, Resources, Run, SearchEvent, Solver, Unsupported, Values, choice,
    params,
};

/// Minimum number of parts into which a large search is split. Chosen by hand, not tuned: there are many more
/// parts than threads, so that unequal parts balance out.
const PARTS: usize = 64;
/// Maximum number of squares of a board whose search is split; on larger boards an exhaustive search is
/// infeasible. Chosen by hand.
const SPLIT_UP_TO: usize = 4096;
/// Maximum number of edges. Limited by memory: 1.3 GB for 2048x2048.
const EDGES_UP_TO: u64 = 1 << 24;

choice! {
    /// How ties between vertices are broken.
    pub(super) enum VertexTies {
        First = "first", "the first vertex: sweeps across large boards and rarely fails";
        Random = "random", "a random choice, so another seed finds another tour";
    }
}

params! {
    /// Parameters of `exact`.
    pub(super) struct ExactParams {
        restarts: u64 = "10" in 0..=1_000_000, "Number of restarts, with random ties, before a part of the search is searched completely.";
        ties: VertexTies = First, "How ties between vertices with equally few options are broken.";
    }
}

static INFO: Info = Info {
    name: "exact",
    title: "Edge-by-edge search",
    family: Family::Search,
    summary: "Complete search that chooses edges and draws all consequences.",
    source: "Rubin 1974; Knuth, HAMDANCE; Régin 1994 for the edges dropped at the root",
    good_for: "all tours of a small board, proofs that there is none, one tour of a large board",
    params: ExactParams::PARAMS,
    events: &[
        EventKind::Path,
        EventKind::Edges,
        EventKind::Part,
        EventKind::Branch,
        EventKind::Forced,
        EventKind::Contradiction,
        EventKind::Exclude,
        EventKind::Restart,
        EventKind::NoTour,
    ],
    footprint: Footprint { shared: 350, per_thread: 0 },
    offers: &[
        // Try random ties first, so that the seed matters.
        Offer::one_tour(50, &["ties=random"], Some(200), |p| p.graph().order() <= Offer::LARGE),
        // A tour of a large board is usually among the first leaves; small graphs are searched to the end.
        Offer::one_tour(60, &["ties=first"], Some(2_000), |p| p.graph().order() > Offer::SMALL),
        Offer::one_tour(60, &["ties=first"], None, |p| p.graph().order() <= Offer::SMALL),
        Offer::always(Purpose::EveryTour, &[]),
    ],
    ..Info::PLAIN
};

/// The registry entry.
pub struct Exact;

impl Solver for Exact {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        ready(problem, &ExactParams::from_values(values))
    }
}

/// Prepares this search for use by another solver, with typed parameters.
pub(super) fn ready(problem: &Problem, params: &ExactParams) -> Preparation {
    let graph = problem.graph();
    let most = graph.move_count().map_or(0, |moves| graph.order() as u64 * moves as u64 / 2);
    if most > EDGES_UP_TO {
        return Err(Unsupported(format!(
            "exact keeps at most {EDGES_UP_TO} edges in memory, and {graph} may have {most}; use a board of at most about 2048x2048"
        )));
    }
    let random = match params.ties {
        VertexTies::First => false,
        VertexTies::Random => true,
    };
    let luck = Luck { restarts: params.restarts, random };
    let starts = problem.start_count() as u64;
    if graph.order() == 1 {
        let alone = (!problem.is_closed()).then(|| problem.starts().iter().collect());
        return Ok(Box::new(PreparedExact { work: Work::Alone(alone), luck, starts }));
    }
    let work = match Model::new(problem) {
        None => Work::Alone(None),
        Some(model) => {
            let parts = split(&model, graph.order());
            Work::Parts(Box::new(model), parts)
        }
    };
    Ok(Box::new(PreparedExact { work, luck, starts }))
}

/// Splits the search into parts, in the order in which a single search would reach them.
fn split(model: &Model, order: usize) -> Vec<Decisions> {
    let mut parts: Vec<(Decisions, bool)> =
        model.roots.iter().map(|root| (root.clone(), true)).collect();
    let mut search = EdgeSearch::new(model);
    while order <= SPLIT_UP_TO && parts.len() < PARTS && parts.iter().any(|(_, open)| *open) {
        let mut finer = Vec::with_capacity(2 * parts.len());
        for (part, open) in parts {
            match if open { search.branch(&part) } else { None } {
                None => finer.push((part, false)),
                Some(dart) => {
                    for take in [true, false] {
                        let mut child = part.clone();
                        child.push((dart, take));
                        finer.push((child, true));
                    }
                }
            }
        }
        parts = finer;
    }
    if parts.iter().any(|(_, open)| *open) {
        parts.into_iter().map(|(part, _)| part).collect()
    } else {
        model.roots.clone()
    }
}

enum Work {
    /// No search is needed: there is no tour, or the board is a single square.
    Alone(Option<Vec<Square>>),
    Parts(Box<Model>, Vec<Decisions>),
}

struct PreparedExact {
    work: Work,
    luck: Luck,
    starts: u64,
}

impl Prepared for PreparedExact {
    fn promise(&self) -> Promise {
        Promise::COMPLETE
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        let units = match &self.work {
            Work::Alone(_) => 1,
            Work::Parts(_, parts) => parts.len() as u64,
        };
        (unit < units).then(|| budget.split(unit, units, self.starts, None))
    }

    fn run(&self, unit: u64, run: &mut Run<'_>) -> End {
        match &self.work {
            Work::Alone(tour) => {
                if tour.is_none() && run.event(&SearchEvent::NoTour).is_break() {
                    return End::Limit;
                }
                let flow = run.charge(1, 0);
                let claimed = tour.as_ref().map(|tour| run.claim(&tour[..]));
                if claimed.is_some_and(|c| c.is_break()) || flow.is_break() {
                    return End::Limit;
                }
                End::Exhausted { proof: true }
            }
            Work::Parts(model, parts) => {
                let Some(part) = parts.get(unit as usize) else {
                    return End::Exhausted { proof: true };
                };
                let mut search = EdgeSearch::new(model);
                if run.is_watched() {
                    search.run::<true>(part, self.luck, run)
                } else {
                    search.run::<false>(part, self.luck, run)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
