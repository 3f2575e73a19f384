//! Searches for one tour: first applies theorems that may rule it out, then tries suitable solvers in order.

use crate::lab::enumerate::EnumerateError;
use crate::problem::Problem;
use crate::problem::theorems::{Existence, Finding, known};
use crate::search::{
    Budget, Control, FirstTour, Info, Observer, Purpose, Stage, StageError, StageReport,
    StagedSearch, Status, cores,
};
use crate::solvers::registry::{Choice, SOLVERS};
use crate::tour::Tour;
use std::time::{Duration, Instant};

/// A search for one tour.
pub struct TourSearch {
    /// The problem to solve.
    pub problem: Problem,
    /// The solver to use; `None` selects suitable solvers.
    pub choice: Option<Choice>,
    /// Master seed.
    pub seed: u64,
    /// Number of threads; the result does not depend on it.
    pub threads: usize,
    /// Budget of the whole search.
    pub budget: Budget,
}

/// How a search ended.
#[derive(Debug)]
pub enum Outcome {
    /// A tour was found.
    Found(Box<Tour>),
    /// A theorem or a complete search proved that there is no tour.
    Impossible(Finding),
    /// The budget is spent, or a heuristic has exhausted its search space; this proves nothing.
    Limit,
    /// The search was interrupted.
    Interrupted,
}

/// The result and cost of a search.
#[derive(Debug)]
pub struct Found {
    /// How the search ended.
    pub outcome: Outcome,
    /// The solver that ended the search; `None` if a theorem did.
    pub solver: Option<&'static Info>,
    /// Number of attempts of all solvers together.
    pub attempts: u64,
    /// Number of moves of all solvers together.
    pub moves: u64,
    /// Whether the last solver stopped at a bound set by its parameters.
    pub bounded: bool,
    /// Reports on the solvers that were tried, in order; empty if a theorem ended the search.
    pub stages: Vec<StageReport>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

impl Found {
    /// Returns the tour, if one was found.
    pub fn tour(&self) -> Option<&Tour> {
        match &self.outcome {
            Outcome::Found(tour) => Some(tour),
            _ => None,
        }
    }
}

impl TourSearch {
    /// Creates a search that selects suitable solvers and uses seed 1, all cores, and a time limit of
    /// [`TourSearch::DEFAULT_TIME`].
    pub fn new(problem: Problem) -> TourSearch {
        TourSearch {
            problem,
            choice: None,
            seed: 1,
            threads: cores(),
            budget: Budget { time: Some(TourSearch::DEFAULT_TIME), ..Budget::UNLIMITED },
        }
    }

    /// Time limit of a search that is given no other budget.
    pub const DEFAULT_TIME: Duration = Duration::from_secs(600);

    /// Runs the search.
    pub fn run(&self, control: &Control) -> Result<Found, EnumerateError> {
        self.decide(control, None)
    }

    /// As [`TourSearch::run`], on this thread, with an observer of the search. The tour is the same.
    pub fn watch(
        &self,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<Found, EnumerateError> {
        self.decide(control, Some(observer))
    }

    fn decide(
        &self,
        control: &Control,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Found, EnumerateError> {
        let begun = Instant::now();
        let mut found = match known(&self.problem) {
            Existence::Impossible(finding) => Found {
                outcome: Outcome::Impossible(finding),
                solver: None,
                attempts: 0,
                moves: 0,
                bounded: false,
                stages: Vec::new(),
                seconds: 0.0,
            },
            Existence::Exists(_) | Existence::Open => self.search(control, observer)?,
        };
        found.seconds = begun.elapsed().as_secs_f64();
        Ok(found)
    }

    fn search(
        &self,
        control: &Control,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Found, EnumerateError> {
        let &TourSearch { ref problem, seed, threads, budget, .. } = self;
        let search = StagedSearch { problem, seed, threads, budget, control };
        let stages = self.stages();
        let first = match observer {
            None => search.run(&stages),
            Some(observer) => search.watch(&stages, observer),
        };
        let first = first.map_err(|error| match error {
            StageError::Refused { solver, reason } if self.choice.is_some() => {
                EnumerateError::Unsupported { solver, reason }
            }
            StageError::Refused { reason, .. } => {
                EnumerateError::NoSolver { graph: problem.graph().to_string(), reason }
            }
            StageError::BadClaim(claim) => claim.into(),
        })?;
        let FirstTour { tour, status, solver, attempts, moves, bounded, stages } = first;
        let outcome = match (tour, status) {
            (Some(tour), _) => Outcome::Found(Box::new(tour)),
            (None, Status::Interrupted) => Outcome::Interrupted,
            (None, Status::Complete) => Outcome::Impossible(Finding::new(
                "complete search",
                format!(
                    "{} has no such tour: solver {} has searched everything",
                    problem.graph(),
                    solver.name
                ),
            )),
            (None, Status::Exhausted | Status::Limit) => Outcome::Limit,
        };
        Ok(Found { outcome, solver: Some(solver), attempts, moves, bounded, stages, seconds: 0.0 })
    }

    fn stages(&self) -> Vec<Stage> {
        match &self.choice {
            Some(Choice { solver, values }) => {
                vec![Stage { solver: *solver, values: values.clone(), attempts: None }]
            }
            None => Stage::offered(SOLVERS, Purpose::OneTour, &self.problem),
        }
    }

    /// Returns the solvers in the order in which they are tried. If the first one is certain to construct a
    /// tour, it is the only one.
    pub fn solvers(&self) -> Vec<&'static Info> {
        let mut all: Vec<_> = self.stages().iter().map(|stage| stage.solver.info()).collect();
        if all.first().and_then(|info| info.constructs).is_some_and(|builds| builds(&self.problem))
        {
            all.truncate(1);
        }
        all.dedup_by_key(|info| info.name);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Graph};

    fn stages(problem: Problem) -> Vec<String> {
        let search =
            TourSearch { problem, choice: None, seed: 1, threads: 1, budget: Budget::UNLIMITED };
        let typed = |stage: &Stage| {
            let info = stage.solver.info();
            let values = stage.values.iter();
            let given = values.filter(|(name, value)| {
                info.param(name).is_some_and(|param| param.default != value.to_string())
            });
            let given = given.map(|(name, value)| format!(" {name}={value}")).collect::<String>();
            let limit = stage.attempts.map_or(String::new(), |n| format!(" x{n}"));
            format!("{}{given}{limit}", info.name)
        };
        search.stages().iter().map(typed).collect()
    }

    #[test]
    fn each_problem_has_its_stages() {
        let graph = |board: &str| Graph::knight(Board::parse(board).unwrap());
        let (small, large) = (graph("8x8"), graph("51x50"));
        let exact = ["exact ties=random x200", "exact"];
        assert_eq!(stages(Problem::closed(small.clone())), exact);
        let narrow = [exact[0], "frontier width=14 states=8000000 x1", exact[1]];
        assert_eq!(stages(Problem::open(graph("4x4"))), narrow);
        assert_eq!(stages(Problem::open(small)), ["warnsdorff x40", exact[0], exact[1]]);
        let cuts = ["cuts x10", "exact x2000", "cuts"];
        assert_eq!(stages(Problem::closed(large.clone())), [&["divide"], &cuts[..]].concat());
        let walks = ["warnsdorff ties=squirrel-cull x1", "warnsdorff ties=roth x4"];
        let walks_and_cuts = [&walks[..], &cuts].concat();
        assert_eq!(stages(Problem::open(large)), [&["divide"], &walks_and_cuts[..]].concat());
        let board = Board::parse("51x50").unwrap();
        let hole = board.place("c3").unwrap();
        let holed = Graph::knight(board.with_holes([hole]).unwrap());
        assert_eq!(stages(Problem::open(holed)), walks_and_cuts);
        let ring: String = (0..70).map(|v| format!("{v} {}\n", (v + 1) % 70)).collect();
        let ring = crate::board::graph_file::read_graph("ring", &ring).unwrap();
        let file =
            ["frontier width=14 states=8000000 x1", "cuts x10", exact[0], "exact x2000", "cuts"];
        assert_eq!(stages(Problem::closed(ring)), file);
    }

    #[test]
    fn a_large_rectangle_needs_no_memory_for_a_search() {
        let search = |board: &str| TourSearch {
            problem: Problem::open(Graph::knight(Board::parse(board).unwrap())),
            choice: None,
            seed: 1,
            threads: 1,
            budget: Budget::UNLIMITED,
        };
        let names = |board: &str| -> Vec<_> {
            search(board).solvers().iter().map(|info| info.name).collect()
        };
        assert_eq!(names("60x60"), ["divide"]);
        assert_eq!(names("8x8"), ["warnsdorff", "exact"]);
    }
}
