//! Problems, solvers and budgets as the page describes them.

use crate::limits::{IMAGE_SIDE, SIDE};
use crate::refusal::Refusal;
use hippodrome::board::{Board, Graph, Leaper};
use hippodrome::problem::theorems::{Finding, Verdict, known};
use hippodrome::problem::{Goal, Problem};
use hippodrome::search::{Budget, number};
use hippodrome::solvers::registry::Choice;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// The farthest that a piece leaps on the page.
const REACH: u32 = 16;
/// The most pairs of a piece.
const PAIRS: usize = 4;
/// The longest a race against the clock takes for each run.
const SECONDS: f64 = 600.0;

/// A board, a piece and what is asked of the tour.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ground {
    board: String,
    #[serde(default)]
    holes: Vec<String>,
    leaper: Option<String>,
    #[serde(default)]
    closed: bool,
    start: Option<String>,
    end: Option<String>,
}

impl Ground {
    /// The board with its holes, none of its sides longer than `side`.
    fn board(&self, side: u32) -> Result<Board, Refusal> {
        let board = Board::parse(&self.board).map_err(|e| match e {
            e @ hippodrome::board::BoardError::TooLarge { .. } => Refusal::large(e),
            e => Refusal::wrong(e),
        })?;
        if board.rows().max(board.cols()) > side {
            return Err(Refusal::large(format!(
                "{} is too large here; the page takes sides up to {SIDE} to paint and watch, and up to {IMAGE_SIDE} as an image",
                board.shape()
            )));
        }
        if self.holes.len() > board.len() {
            return Err(Refusal::large("there are more holes than squares"));
        }
        let holes = self.holes.iter().map(|name| board.place(name));
        let holes = holes.collect::<Result<Vec<_>, _>>().map_err(Refusal::wrong)?;
        board.with_holes(holes).map_err(Refusal::wrong)
    }

    fn graph(&self, side: u32) -> Result<Graph, Refusal> {
        let board = self.board(side)?;
        let leaper = match &self.leaper {
            Some(text) => text.parse::<Leaper>().map_err(Refusal::wrong)?,
            None => Leaper::knight(),
        };
        if leaper.reach() > REACH || leaper.pairs().len() > PAIRS {
            return Err(Refusal::large(format!(
                "pieces on the page leap at most {REACH} squares and have at most {PAIRS} kinds of move"
            )));
        }
        Ok(Graph::leaper(board, leaper))
    }

    fn on(&self, graph: Graph) -> Result<Problem, Refusal> {
        let vertex = |name: &Option<String>| {
            let name = name.as_ref().filter(|name| !name.is_empty());
            name.map(|name| graph.vertex(name)).transpose().map_err(Refusal::wrong)
        };
        let (start, end) = (vertex(&self.start)?, vertex(&self.end)?);
        let goal = if self.closed { Goal::Closed } else { Goal::Open };
        Problem::new(graph, goal, start, end).map_err(Refusal::wrong)
    }

    /// The problem, on a board that is painted.
    pub(crate) fn problem(&self) -> Result<Problem, Refusal> {
        self.on(self.graph(SIDE)?)
    }

    /// The problem, on a board that may be shown as an image only.
    pub(crate) fn large_problem(&self) -> Result<Problem, Refusal> {
        self.on(self.graph(IMAGE_SIDE)?)
    }
}

/// The ground for an impossible problem, if theorems say so.
pub(crate) fn impossible(problem: &Problem) -> Option<Finding> {
    match known(problem) {
        Verdict::Impossible(finding) => Some(finding),
        Verdict::Exists(_) | Verdict::Open => None,
    }
}

/// What is said of an impossible problem.
pub(crate) fn verdict(finding: &Finding) -> Value {
    json!({ "theorem": finding.theorem, "reason": finding.reason })
}

/// A solver with values of its parameters, as they would be typed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Method {
    solver: String,
    #[serde(default)]
    params: BTreeMap<String, String>,
}

impl Method {
    /// The choice; the table of `uniform` gets no more than `memory` bytes.
    pub(crate) fn choice(&self, memory: usize) -> Result<Choice, Refusal> {
        let mut params = self.params.clone();
        if self.solver == "uniform" {
            let most = (memory >> 20) as u64;
            let asked = params.get("memory").and_then(|text| number(text)).unwrap_or(most);
            params.insert("memory".into(), asked.clamp(64, most.max(64)).to_string());
        }
        let pairs: Vec<String> =
            params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Choice::new(&self.solver, &pairs).map_err(Refusal::wrong)
    }

    /// As it would be typed: `name:param=value`.
    pub(crate) fn typed(&self) -> String {
        let pairs = self.params.iter().map(|(name, value)| format!(":{name}={value}"));
        std::iter::once(self.solver.clone()).chain(pairs).collect()
    }
}

/// Limits as they would be typed; an empty one is none.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spending {
    #[serde(default)]
    attempts: String,
    #[serde(default)]
    moves: String,
    #[serde(default)]
    tours: String,
    #[serde(default)]
    seconds: Option<f64>,
}

impl Spending {
    pub(crate) fn budget(&self) -> Result<Budget, Refusal> {
        let count = |name: &str, text: &str| match text.trim() {
            "" => Ok(None),
            text => match number(text) {
                None | Some(0) => Err(Refusal::wrong(format!(
                    "'{text}' is not a number of {name}; write one from 1, as in 1000, 20k or 1.5M"
                ))),
                some => Ok(some),
            },
        };
        let time = match self.seconds {
            Some(s) if !(0.001..=SECONDS).contains(&s) => {
                return Err(Refusal::wrong(format!(
                    "{s} s is not possible; give up to {SECONDS} seconds"
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
        let ground: Ground = serde_json::from_str(text).map_err(|_| 400u16)?;
        ground.problem().map_err(|refusal| refusal.0.as_u16())
    }

    #[test]
    fn boards_are_bounded_and_checked() {
        let problem =
            ground(r#"{"board":"5x6","holes":["a1","c3"],"closed":true,"start":"b1"}"#).unwrap();
        assert_eq!(problem.graph().order(), 28);
        assert!(problem.is_closed() && problem.start().is_some());
        for (text, code) in [
            (r#"{"board":"61x8"}"#, 413),
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
        let spending = |text| serde_json::from_str::<Spending>(text).unwrap().budget();
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
    fn the_table_of_uniform_tours_is_bounded() {
        let method = |memory: &str| Method {
            solver: "uniform".into(),
            params: [("memory".to_string(), memory.to_string())].into(),
        };
        for (asked, given) in [("100", 100), ("1G", 2048), ("7", 64)] {
            let choice = method(asked).choice(2 << 30).unwrap();
            assert_eq!(choice.values.int("memory"), given);
        }
    }
}
