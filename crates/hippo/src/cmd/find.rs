//! `hippo find`: one tour.

use crate::Manner;
use crate::args::{BudgetArgs, ProblemArgs, WorkArgs, choose};
use crate::fail::{DONE, Fail, IMPOSSIBLE, LIMIT};
use crate::interrupt::Signals;
use crate::progress;
use crate::tours::{Format, Output, StyleArgs, write_one};
use clap::Args;
use hippodrome::find::{Found, Outcome, Search};
use hippodrome::problem::Problem;
use hippodrome::run::Control;
use serde_json::{Value, json};
use std::io::Write;

/// Find one tour
#[derive(Args)]
#[command(after_help = "Example:\n  hippo find 8x8 --start a1 --format svg -o tour.svg")]
pub struct Find {
    #[command(flatten)]
    problem: ProblemArgs,
    /// The solver, as name or name:param=value [default: picked to suit the board]
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// A parameter of the solver; see 'hippo solvers NAME'
    #[arg(long, value_name = "NAME=VALUE", requires = "solver")]
    param: Vec<String>,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    work: WorkArgs,
    /// How the tour is written [default: by the name of the output, else grid]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write the tour to a file in place of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
    #[command(flatten)]
    style: StyleArgs,
}

impl Find {
    /// Searches and writes the tour.
    pub fn run(self, manner: Manner) -> Result<u8, Fail> {
        let problem = self.problem.problem()?;
        let natural = if problem.graph().board().is_some() { Format::Grid } else { Format::Moves };
        let named = self.output.as_deref().and_then(Format::of_file);
        let format = self.format.or(named).unwrap_or(natural);
        format.check(problem.graph())?;
        let mut out = Output::open(self.output.as_deref(), format == Format::Png && !manner.json)?;
        let search = Search {
            choice: self.solver.as_deref().map(|s| choose(s, &self.param)).transpose()?,
            seed: self.work.seed,
            threads: self.work.threads(),
            budget: self.budget.budget(None),
            problem,
        };
        let control = Control::default();
        let signals = Signals::set(&control.interrupt);
        let starts = search.problem.start_count() as u64;
        let found =
            progress::during(manner, &search.budget, starts, &control, || search.run(&control))?;
        let code = match &found.outcome {
            Outcome::Found(_) => DONE,
            Outcome::Impossible(_) => IMPOSSIBLE,
            Outcome::Limit => LIMIT,
            Outcome::Interrupted => signals.code(),
        };
        let board = search.problem.graph();
        if manner.json {
            writeln!(out, "{}", describe(&found, &search.problem, search.seed))?;
            out.finish()?;
            return Ok(code);
        }
        match &found.outcome {
            Outcome::Found(tour) => {
                write_one(&tour.view(), format, &self.style.style(), &mut out)?;
                out.finish()?;
            }
            Outcome::Impossible(finding) => {
                eprintln!(
                    "hippo: {board} has no such tour: {} ({})",
                    finding.reason, finding.theorem
                );
            }
            Outcome::Limit => eprintln!(
                "hippo: no tour of {board} found after {} attempts; try another --seed, --solver or a larger budget",
                found.attempts
            ),
            Outcome::Interrupted => {
                eprintln!("hippo: interrupted after {} attempts, no tour found", found.attempts)
            }
        }
        Ok(code)
    }
}

fn describe(found: &Found, problem: &Problem, seed: u64) -> Value {
    let graph = problem.graph();
    let (status, tour, reason) = match &found.outcome {
        Outcome::Found(tour) => ("found", Some(tour), None),
        Outcome::Impossible(f) => {
            ("impossible", None, Some(format!("{} ({})", f.reason, f.theorem)))
        }
        Outcome::Limit => {
            ("limit", None, Some("the budget is spent, or the method can see no more".into()))
        }
        Outcome::Interrupted => ("interrupted", None, Some("interrupted".into())),
    };
    let mut object = json!({
        "schema": 1,
        "status": status,
        "solver": found.solver,
        "seed": seed,
        "closed": tour.map(|t| t.is_closed()),
        "attempts": found.attempts,
        "moves": found.moves,
        "seconds": found.seconds,
        "reason": reason,
    });
    if let Some(tour) = tour {
        object["squares"] = tour.squares().iter().map(|&s| Value::from(graph.name(s))).collect();
    }
    name_board(&mut object, problem);
    object
}

/// Adds the board, and holes and leaper where they matter.
pub fn name_board(object: &mut Value, problem: &Problem) {
    let graph = problem.graph();
    let (Some(board), Some(piece)) = (graph.board(), graph.piece()) else {
        object["graph"] = graph.to_string().into();
        object["board"] = Value::Null;
        return;
    };
    object["board"] = board.shape().into();
    if !board.is_full() {
        object["holes"] = board.holes().map(|s| board.name(s)).collect();
    }
    if !piece.is_knight() {
        object["leaper"] = piece.to_string().into();
    }
}
