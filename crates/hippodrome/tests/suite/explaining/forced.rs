//! What the exact search calls forced, against all tours of small boards.

use crate::lab::{choice, closed, open};
use hippodrome::board::Square;
use hippodrome::problem::Problem;
use hippodrome::search::{Budget, Control, Driver, Link, Observer, Resources, SearchEvent, Stats};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The edges of a tour, and its two ends.
type EdgesAndEnds = (BTreeSet<(Square, Square)>, (Square, Square));

/// All tours as sets of moves with their ends.
fn all_tours(problem: &Problem) -> Vec<EdgesAndEnds> {
    fn extend(problem: &Problem, path: &mut Vec<Square>, tours: &mut Vec<Vec<Square>>) {
        let graph = problem.graph();
        if path.len() == graph.order() {
            let closes = graph.adjacent(path[0], path[path.len() - 1]);
            if closes || !problem.is_closed() {
                tours.push(path.clone());
            }
            return;
        }
        for next in graph.neighbours(path[path.len() - 1]).collect::<Vec<_>>() {
            if !path.contains(&next) {
                path.push(next);
                extend(problem, path, tours);
                path.pop();
            }
        }
    }
    let mut tours = Vec::new();
    problem.graph().vertices().for_each(|v| extend(problem, &mut vec![v], &mut tours));
    let moves = |tour: &Vec<Square>| {
        let closing = problem.is_closed().then(|| [tour[tour.len() - 1], tour[0]]);
        let steps = tour.windows(2).map(|w| [w[0], w[1]]).chain(closing);
        let set = steps.map(|[u, v]| (u.min(v), u.max(v))).collect();
        (set, (tour[0], tour[tour.len() - 1]))
    };
    tours.iter().map(moves).collect()
}

/// Follows the decisions of an exact search and checks each consequence against all tours.
struct Logician {
    tours: Vec<EdgesAndEnds>,
    decisions: Vec<(Link, bool)>,
    /// Decisions of the part, which stay.
    base: usize,
    forced: usize,
    contradictions: usize,
}

impl Logician {
    fn uses(tour: &EdgesAndEnds, link: Link) -> bool {
        match link {
            (Some(u), Some(v)) => tour.0.contains(&(u.min(v), u.max(v))),
            (Some(end), None) | (None, Some(end)) => [tour.1.0, tour.1.1].contains(&end),
            (None, None) => true,
        }
    }

    fn left(&self) -> Vec<&EdgesAndEnds> {
        let fits = |tour: &&(BTreeSet<_>, _)| {
            self.decisions.iter().all(|&(link, take)| Logician::uses(tour, link) == take)
        };
        self.tours.iter().filter(fits).collect()
    }
}

impl Observer for Logician {
    fn event(&mut self, event: &SearchEvent<'_>, _: &Stats) -> ControlFlow<()> {
        match *event {
            SearchEvent::Part { taken, excluded } => {
                let all =
                    taken.iter().map(|&l| (l, true)).chain(excluded.iter().map(|&l| (l, false)));
                self.decisions = all.collect();
                self.base = self.decisions.len();
            }
            SearchEvent::Restart { .. } => self.decisions.truncate(self.base),
            SearchEvent::Branch { edge, .. } => self.decisions.push((edge, true)),
            SearchEvent::Exclude { edge, .. } => {
                while let Some((last, taken)) = self.decisions.pop() {
                    if last == edge && taken {
                        break;
                    }
                }
                self.decisions.push((edge, false));
            }
            SearchEvent::Forced(edges) => {
                self.forced += edges.len();
                for tour in self.left() {
                    assert!(edges.iter().all(|f| Logician::uses(tour, f.edge)), "{edges:?}");
                }
            }
            SearchEvent::Contradiction { .. } => {
                self.contradictions += 1;
                assert!(self.left().is_empty(), "{:?}", self.decisions);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn what_the_exact_search_calls_forced_is_in_every_tour_that_is_left() {
    let mut contradictions = 0;
    for problem in [open("3x4"), open("4x5"), open("3x7"), closed("wheel")] {
        let mut logician = Logician {
            tours: all_tours(&problem),
            decisions: Vec::new(),
            base: 0,
            forced: 0,
            contradictions: 0,
        };
        let solver = choice("exact", &["restarts=1"]);
        let prepared = solver.solver.prepare(&problem, &solver.values, &Resources::on(1)).unwrap();
        let (control, budget) = (Control::default(), Budget::UNLIMITED);
        let plan = Driver {
            problem: &problem,
            solver: "exact",
            prepared: &*prepared,
            seed: 1,
            budget,
            control: &control,
        };
        plan.watch(&mut logician, &mut |_, _| ControlFlow::Continue(())).unwrap();
        assert!(logician.forced > 0, "{}", problem.graph());
        contradictions += logician.contradictions;
    }
    assert!(contradictions > 0);
}
