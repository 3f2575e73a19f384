//! `hippo find` searches for one tour.

use crate::OutputMode;
use crate::args::{BudgetArgs, ProblemArgs, WorkArgs, choose, one_of};
use crate::explain::ExplainArgs;
use crate::fail::{DONE, Fail, IMPOSSIBLE, LIMIT, complain};
use crate::interrupt::Signals;
use crate::output::{Output, with_board};
use crate::pictures::{StyleArgs, mind_numbers};
use crate::progress;
use crate::tours::{Format, write_one};
use clap::Args;
use hippodrome::draw;
use hippodrome::lab::enumerate::EnumerateError;
use hippodrome::lab::find::{Found, Outcome, TourSearch};
use hippodrome::numerals::{counted, in_bytes};
use hippodrome::problem::Problem;
use hippodrome::problem::theorems::{Existence, Finding, known};
use hippodrome::search::{Info, Resources, StageReport, memory};
use hippodrome::tour::Tour;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::Ordering::Relaxed;

/// Find one tour
#[derive(Args)]
#[command(
    after_help = "Without a budget the search gives up after 10 minutes.\n\nExample:\n  hippo find 8x8 --start a1 --format svg -o tour.svg"
)]
pub struct Find {
    #[command(flatten)]
    problem: ProblemArgs,
    /// File to write instead of standard output; its extension sets the format
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<String>,
    /// grid|moves|digits|json|tsplib|csv|coords|numbers|latex|svg|png|gif|pdf
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::CHOICES), hide_possible_values = true, help_heading = "Output")]
    format: Option<Format>,
    /// Print the plan and exit
    #[arg(long, help_heading = "Output")]
    dry_run: bool,
    /// Solver, as name or name:param=value [default: suited to the board]
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    solver: Option<String>,
    /// Parameter of the solver; see 'hippo solvers NAME'
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Search", requires = "solver")]
    param: Vec<String>,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    explain: ExplainArgs,
    #[command(flatten)]
    style: StyleArgs,
    #[command(flatten)]
    work: WorkArgs,
}

impl Find {
    /// Searches for a tour and writes it.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let problem = self.problem.problem()?;
        let format = self.format(&problem, mode)?;
        let mut budget = self.budget.budget(None);
        let by_default = budget.is_unlimited();
        if by_default {
            budget.time = Some(TourSearch::DEFAULT_TIME);
        }
        let search = TourSearch {
            choice: self.solver.as_deref().map(|s| choose(s, &self.param)).transpose()?,
            seed: self.work.seed,
            threads: self.work.threads(),
            budget,
            problem,
        };
        let verdict = known(&search.problem);
        // Grids and pictures need to know when each square is visited.
        let grid = !mode.json && (format.notation().is_none() || format == Format::GRID);
        let solvers = if verdict.is_impossible() { Vec::new() } else { search.solvers() };
        if !solvers.is_empty() {
            memory::check(search.problem.graph(), &solvers, search.threads, grid)?;
        }
        if self.dry_run {
            return plan(&search, &verdict, (&solvers, grid), mode);
        }
        let mut out = Output::open(self.output.as_deref(), format.is_binary())?;
        let (control, signals) = Signals::control();
        let attempts = progress::attempts(&search.budget, &search.problem);
        let found = match self.explain.explain {
            true => self.explain.narrated(search.problem.graph(), mode, |narrator| {
                search.watch(&control, narrator)
            })?,
            false => progress::during(mode, attempts, &control, None, || search.run(&control))?,
        };
        let code = match &found.outcome {
            Outcome::Found(_) => DONE,
            Outcome::Impossible(_) => IMPOSSIBLE,
            Outcome::Limit => LIMIT,
            Outcome::Interrupted => signals.code(),
        };
        if let Outcome::Found(_) = found.outcome {
            out.stop_at(&control.interrupt);
        }
        let broken = |fail: Fail| match control.interrupt.load(Relaxed) {
            true => {
                complain("interrupted while writing the tour");
                Fail::silent(signals.code())
            }
            false => fail,
        };
        if let Some(tried) = methods_tried(&found) {
            mode.remark(&tried);
        }
        if mode.json {
            describe(&found, &search.problem, search.seed, &mut out)
                .map_err(Fail::from)
                .and_then(|()| out.finish(mode))
                .map_err(broken)?;
            return Ok(code);
        }
        match &found.outcome {
            Outcome::Found(tour) => {
                let style = self.style.style();
                mind_numbers(mode, &tour.view(), format, &style);
                let about = about(tour, &found, search.seed, format);
                write_one(&tour.view(), format, &style, &mut out)
                    .and_then(|()| out.finish_with(&about, mode))
                    .map_err(broken)?;
                if self.output.is_none() && self.format.is_none() {
                    hint(mode);
                }
            }
            _ => complain(&without_tour(&search, &found, by_default)),
        }
        Ok(code)
    }

    /// Returns the format in which to write the tour.
    fn format(&self, problem: &Problem, mode: OutputMode) -> Result<Format, Fail> {
        let natural = if problem.graph().board().is_some() { Format::GRID } else { Format::MOVES };
        let format = Format::asked(self.format, self.output.as_deref(), mode)?.unwrap_or(natural);
        format.check(problem.graph())?;
        Ok(format)
    }
}

/// Describes the result in one line, as in `open tour of 8x8, warnsdorff, seed 1`.
fn about(tour: &Tour, found: &Found, seed: u64, format: Format) -> String {
    let kind = if tour.is_closed() { "closed" } else { "open" };
    let solver = found.solver.map_or(String::new(), |info| format!(", {}", info.name));
    let frames = match format {
        Format::Gif => format!(", {} frames", draw::gif_frames(&tour.view())),
        _ => String::new(),
    };
    format!("{kind} tour of {}{solver}, seed {seed}{frames}", tour.graph())
}

/// Lists the methods that were tried, each with its share of the time, if there was more than one.
fn methods_tried(found: &Found) -> Option<String> {
    let is_shown = |stage: &&StageReport| stage.status != "unsupported" || stage.seconds > 0.01;
    let shares: Vec<String> = found
        .stages
        .iter()
        .filter(is_shown)
        .map(|stage| {
            let share = 100.0 * stage.seconds / found.seconds.max(f64::MIN_POSITIVE);
            let cost = match stage.status {
                "unsupported" => "does not fit".into(),
                _ => counted(stage.attempts, "attempt"),
            };
            format!("{} ({cost}, {share:.0}% of the time)", stage.solver)
        })
        .collect();
    (shares.len() > 1).then(|| format!("tried {}", shares.join(", ")))
}

/// Returns the reason why there is no tour, and what to try instead.
fn without_tour(search: &TourSearch, found: &Found, by_default: bool) -> String {
    let board = search.problem.graph();
    let attempts = counted(found.attempts, "attempt");
    let solver = found.solver;
    match &found.outcome {
        Outcome::Found(_) => String::new(),
        Outcome::Impossible(finding) => format!("impossible: {finding}"),
        Outcome::Limit if by_default && found.seconds >= TourSearch::DEFAULT_TIME.as_secs_f64() => {
            format!(
                "no tour of {board} found in 10 minutes and {attempts}; give more --time, another --solver or another --seed"
            )
        }
        Outcome::Limit if found.bounded => format!(
            "no tour of {board} found in {attempts}, the limit of {} itself; see 'hippo solvers {0}' for the parameter that sets it, or try another --solver or --seed",
            solver.map_or("the solver", |info| info.name)
        ),
        Outcome::Limit
            if !search.problem.is_closed() && solver.is_some_and(|info| info.prefers_closed) =>
        {
            format!(
                "no tour of {board} found in {attempts}; the network looks for closed tours unless a theorem excludes them; try --param tours=open, a larger budget or another --seed"
            )
        }
        Outcome::Limit => format!(
            "no tour of {board} found in {attempts}; give a larger budget, another --solver or another --seed"
        ),
        Outcome::Interrupted => format!("interrupted after {attempts}, no tour of {board} found"),
    }
}

/// Suggests what to try next, but only on a terminal.
fn hint(mode: OutputMode) {
    if io::stdout().is_terminal() {
        mode.hint("Next: add -o tour.svg for a picture, or watch solvers with hippo serve --open");
    }
}

/// Runs `--dry-run`: prints the solvers to try, the memory they need and the time limit.
fn plan(
    search: &TourSearch,
    verdict: &Existence,
    (solvers, grid): (&[&Info], bool),
    mode: OutputMode,
) -> Result<u8, Fail> {
    let graph = search.problem.graph();
    if let Some(choice) = search.choice.as_ref().filter(|_| !solvers.is_empty()) {
        choice
            .solver
            .prepare(&search.problem, &choice.values, &Resources::on(search.threads))
            .map_err(|reason| EnumerateError::Unsupported { solver: choice.name(), reason })?;
    }
    let nothing = solvers.is_empty();
    let memory = if nothing { 0 } else { memory::needed(graph, solvers, search.threads, grid) };
    let names: Vec<&str> = solvers.iter().map(|info| info.name).collect();
    let most = search.budget.time.filter(|_| !nothing).map(|time| time.as_secs_f64());
    let object = || {
        let object = json!({
            "solvers": names, "seed": search.seed, "threads": search.threads,
            "starts": search.problem.start_count(), "memory": memory as u64, "disk": 0,
            "seconds_at_most": most, "theorem": verdict.finding().map(Finding::to_string),
        });
        with_board(object, graph)
    };
    mode.print(object, || match verdict.finding() {
        Some(finding) if nothing => format!("would search nothing: {finding}"),
        _ => format!(
            "would search for a tour of {graph} with {}\n  on {}, with about {} of memory and no disk\n{}",
            names.join(", then "),
            counted(search.threads as u64, "thread"),
            in_bytes(memory),
            most.map_or(String::new(), |most| format!("  for at most {most} seconds")),
        ),
    })?;
    Ok(DONE)
}

/// The result in JSON. Squares are written one at a time, because a large board has millions of them.
struct Answer<'a> {
    about: Value,
    tour: Option<&'a Tour>,
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let about = self.about.as_object().into_iter().flatten();
        about.into_iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
        map.serialize_entry("squares", &self.tour.map(Names))?;
        map.end()
    }
}

/// The names of a tour's squares, in order.
struct Names<'a>(&'a Tour);

impl Serialize for Names<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let graph = self.0.graph();
        serializer.collect_seq(self.0.squares().iter().map(|&square| graph.name(square)))
    }
}

fn describe(found: &Found, problem: &Problem, seed: u64, out: &mut Output) -> io::Result<()> {
    let (status, tour, reason) = match &found.outcome {
        Outcome::Found(tour) => ("found", Some(tour), None),
        Outcome::Impossible(finding) => ("impossible", None, Some(finding.to_string())),
        Outcome::Limit => (
            "limit",
            None,
            Some("the budget is spent, or the solver has exhausted its search space".into()),
        ),
        Outcome::Interrupted => ("interrupted", None, Some("interrupted".into())),
    };
    let mut about = json!({
        "schema": 1,
        "status": status,
        "solver": found.solver.map(|info| info.name),
        "seed": seed,
        "closed": tour.map_or(problem.is_closed(), |t| t.is_closed()),
        "attempts": found.attempts,
        "moves": found.moves,
        "seconds": found.seconds,
        "reason": reason,
        "methods": found.stages,
    });
    if let Outcome::Impossible(Finding { certificate: Some(certificate), .. }) = &found.outcome {
        about["certificate"] = json!(certificate);
    }
    let about = with_board(about, problem.graph());
    serde_json::to_writer(&mut *out, &Answer { about, tour: tour.map(Box::as_ref) })?;
    writeln!(out)
}
