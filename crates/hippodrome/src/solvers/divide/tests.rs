use super::*;
use crate::board::Board;
use crate::graph::Graph;
use crate::problem::Goal;
use crate::theorems::{Verdict, known};
use crate::tour::verify;

fn problem(rows: u64, cols: u64, goal: Goal) -> Problem {
    let graph = Graph::knight(Board::new(rows, cols).unwrap());
    Problem::new(graph, goal, None, None).unwrap()
}

fn check(problem: &Problem) {
    let graph = problem.graph();
    match (known(problem), Construction::new(problem)) {
        (Verdict::Impossible(_), Err(Refusal::Impossible(_))) => {}
        (Verdict::Exists(_), Ok(tour)) => {
            let tour = verify(graph, tour.tour()).unwrap_or_else(|f| panic!("{graph}: {f}"));
            assert!(problem.admits(&tour.view()), "{graph}");
        }
        (verdict, other) => panic!("{graph} {:?}: {verdict:?} {:?}", problem, other.err()),
    }
}

#[test]
fn every_rectangle_up_to_sixty_has_the_tours_that_theorems_promise() {
    for rows in 1..=60 {
        for cols in rows..=60 {
            check(&problem(rows, cols, Goal::Open));
            check(&problem(rows, cols, Goal::Closed));
        }
    }
}
