//! Problems, solvers and budgets, as specified in requests.

use crate::api_error::ApiError;
use crate::limits::{MAX_IMAGE_SIDE, MAX_RACE_SIDE, MAX_SIDE};
use hippodrome::board::{Board, Graph, Leaper};
use hippodrome::problem::theorems::{Existence, Finding, known};
use hippodrome::problem::{Goal, Problem};
use hippodrome::search::{Budget, Param, ParamKind, number};
use hippodrome::solvers::registry::{Choice, SOLVERS};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Maximum length of a leap. Leapers with longer leaps need boards with sides of at least 34 squares (Knuth
/// 1994).
const MAX_REACH: u32 = 16;
/// Maximum number of pairs A,B that form a piece. With at most 32 moves per square, frames stay small.
const MAX_PAIRS: usize = 4;
/// Maximum time limit of a run in seconds. In a race, each run may occupy a place for this time.
const MAX_SECONDS: f64 = 600.0;

/// A problem: a board, a piece, and constraints on the tour.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProblemSpec {
    board: String,
    #[serde(default)]
    holes: Vec<String>,
    leaper: Option<String>,
    #[serde(default)]
    closed: bool,
    start: Option<String>,
    end: Option<String>,
}

impl ProblemSpec {
    /// Returns the board with its holes, or an error if a side is longer than `side`.
    fn board(&self, side: u32) -> Result<Board, ApiError> {
        let board = Board::parse(&self.board).map_err(|e| match e {
            e @ hippodrome::board::BoardError::TooLarge { .. } => ApiError::too_large(e),
            e => e.into(),
        })?;
        if board.rows().max(board.cols()) > side {
            return Err(ApiError::too_large(format!(
                "board {} is too large: {}",
                board.shape(),
                sides(side)
            )));
        }
        if self.holes.len() > board.len() {
            return Err(ApiError::too_large("more holes than squares"));
        }
        let holes = self.holes.iter().map(|name| board.place(name));
        Ok(board.with_holes(holes.collect::<Result<Vec<_>, _>>()?)?)
    }

    fn graph(&self, side: u32) -> Result<Graph, ApiError> {
        let board = self.board(side)?;
        let leaper = self.leaper.as_deref().map_or(Ok(Leaper::knight()), str::parse)?;
        if leaper.reach() > MAX_REACH || leaper.pairs().len() > MAX_PAIRS {
            return Err(ApiError::too_large(format!(
                "unsupported piece: the page allows leaps up to {MAX_REACH} squares, and {MAX_PAIRS} kinds of move"
            )));
        }
        Ok(Graph::leaper(board, leaper))
    }

    fn problem_within(&self, side: u32) -> Result<Problem, ApiError> {
        let graph = self.graph(side)?;
        let vertex = |name: &Option<String>| {
            let name = name.as_ref().filter(|name| !name.is_empty());
            name.map(|name| graph.vertex(name)).transpose()
        };
        let (start, end) = (vertex(&self.start)?, vertex(&self.end)?);
        let goal = if self.closed { Goal::Closed } else { Goal::Open };
        Ok(Problem::new(graph, goal, start, end)?)
    }

    /// Returns the problem, on a board small enough to be painted.
    pub(crate) fn problem(&self) -> Result<Problem, ApiError> {
        self.problem_within(MAX_SIDE)
    }

    /// Returns the problem, on a board small enough that dozens of its tours can be shown at once.
    pub(crate) fn small_problem(&self) -> Result<Problem, ApiError> {
        self.problem_within(MAX_RACE_SIDE)
    }

    /// Returns the problem, on a board that may be so large that it can only be shown as an image.
    pub(crate) fn large_problem(&self) -> Result<Problem, ApiError> {
        self.problem_within(MAX_IMAGE_SIDE)
    }
}

/// Returns the limits on the sides of a board as part of a message.
fn sides(side: u32) -> String {
    match side {
        MAX_RACE_SIDE => format!("sides have at most {side} squares in a race or a gallery"),
        _ => format!("sides have at most {MAX_SIDE} squares, or {MAX_IMAGE_SIDE} for an image"),
    }
}

/// Describes the theorem that makes a problem impossible, if there is one.
pub(crate) fn impossible(problem: &Problem) -> Option<Value> {
    match known(problem) {
        Existence::Impossible(finding) => Some(verdict(&finding)),
        Existence::Exists(_) | Existence::Open => None,
    }
}

/// Describes an impossible problem as JSON.
pub(crate) fn verdict(finding: &Finding) -> Value {
    json!({ "theorem": finding.theorem, "reason": finding.reason })
}

/// A solver and the values of its parameters, named as on the command line.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SolverSpec {
    solver: String,
    #[serde(default)]
    params: BTreeMap<String, String>,
}

impl SolverSpec {
    /// Returns the solver with the values of its parameters. A table is limited to `memory` bytes.
    pub(crate) fn choice(&self, memory: usize) -> Result<Choice, ApiError> {
        let mut params = self.params.clone();
        let info = SOLVERS.iter().map(|solver| solver.info()).find(|i| i.name == self.solver);
        let limit = info.and_then(|info| info.param(info.table_memory?));
        if let Some(Param { name, kind: ParamKind::Int { min, .. }, .. }) = limit {
            let most = (memory >> 20) as u64;
            let asked = params.get(*name).and_then(|text| number(text)).unwrap_or(most);
            params.insert((*name).into(), asked.clamp(*min, most.max(*min)).to_string());
        }
        let pairs: Vec<String> =
            params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Ok(Choice::new(&self.solver, &pairs)?)
    }

    /// Returns the solver as typed on the command line: `name:param=value`.
    pub(crate) fn typed(&self) -> String {
        let pairs = self.params.iter().map(|(name, value)| format!(":{name}={value}"));
        std::iter::once(self.solver.clone()).chain(pairs).collect()
    }
}

/// A budget with numbers written as on the command line. An empty field means no limit.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BudgetSpec {
    #[serde(default)]
    attempts: String,
    #[serde(default)]
    moves: String,
    #[serde(default)]
    tours: String,
    #[serde(default)]
    seconds: Option<f64>,
}

impl BudgetSpec {
    pub(crate) fn budget(&self) -> Result<Budget, ApiError> {
        let count = |name: &str, text: &str| match text.trim() {
            "" => Ok(None),
            text => match number(text) {
                None | Some(0) => Err(ApiError::unprocessable(format!(
                    "invalid value '{text}' for {name}: expected a number of at least 1, such as 1000, 20k or 1.5M"
                ))),
                some => Ok(some),
            },
        };
        let time = match self.seconds {
            Some(s) if !(0.001..=MAX_SECONDS).contains(&s) => {
                return Err(ApiError::unprocessable(format!(
                    "invalid value {s} for seconds: expected 0.001 to {MAX_SECONDS}"
                )));
            }
            seconds => seconds.map(Duration::from_secs_f64),
        };
        Ok(Budget {
            attempts: count("attempts", &self.attempts)?,
            moves: count("moves", &self.moves)?,
            tours: count("tours", &self.tours)?,
            attempts_per_start: None,
            time,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground(text: &str) -> Result<Problem, u16> {
        let ground: ProblemSpec = serde_json::from_str(text).map_err(|_| 400u16)?;
        ground.problem().map_err(|error| error.0.as_u16())
    }

    #[test]
    fn boards_are_bounded_and_checked() {
        assert_eq!(ground(r#"{"board":"128x128"}"#).unwrap().graph().order(), 16_384);
        let large: ProblemSpec = serde_json::from_str(r#"{"board":"61x8"}"#).unwrap();
        let refused = large.small_problem().unwrap_err();
        assert!(refused.0.as_u16() == 413 && refused.1.contains("60 squares in a race"));
        let problem =
            ground(r#"{"board":"5x6","holes":["a1","c3"],"closed":true,"start":"b1"}"#).unwrap();
        assert_eq!(problem.graph().order(), 28);
        assert!(problem.is_closed() && problem.start().is_some());
        for (text, code) in [
            (r#"{"board":"129x8"}"#, 413),
            (r#"{"board":"99999999999x99999999999"}"#, 413),
            (r#"{"board":"8x8","leaper":"1,300"}"#, 413),
            (r#"{"board":"8"}"#, 422),
            (r#"{"board":"8x8","holes":["z9"]}"#, 422),
            (r#"{"board":"8x8","start":"a1","end":"a1"}"#, 422),
            (r#"{"board":"2x1","holes":["a1","a2"]}"#, 422),
            (r#"{"board":"2x1","holes":["a1","a2","a1"]}"#, 413),
            (r#"{"board":"8x8","colour":1}"#, 400),
        ] {
            assert_eq!(ground(text).map(|p| p.graph().order()), Err(code), "{text}");
        }
    }

    #[test]
    fn budgets_are_read_as_users_write_them() {
        let spending = |text| serde_json::from_str::<BudgetSpec>(text).unwrap().budget();
        let budget = spending(r#"{"attempts":"20k","moves":" ","seconds":2.5}"#).unwrap();
        assert_eq!((budget.attempts, budget.moves), (Some(20_000), None));
        assert_eq!(budget.time, Some(Duration::from_millis(2500)));
        for wrong in [
            r#"{"attempts":"many"}"#,
            r#"{"tours":"0"}"#,
            r#"{"seconds":1e9}"#,
            r#"{"seconds":-1}"#,
        ] {
            assert_eq!(spending(wrong).unwrap_err().0.as_u16(), 422, "{wrong}");
        }
    }

    #[test]
    fn the_memory_of_a_table_is_bounded() {
        let method = |memory: &str| SolverSpec {
            solver: hippodrome::uniform::NAME.into(),
            params: [("memory".to_string(), memory.to_string())].into(),
        };
        for (asked, given) in [("100", 100), ("1G", 2048), ("7", 64)] {
            let choice = method(asked).choice(2 << 30).unwrap();
            assert_eq!(choice.table_memory(), Some(given << 20));
        }
    }
}
