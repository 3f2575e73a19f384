//! Definitions of experiments: the question, the runs and the papers' values.

use super::cell::{ExperimentCell, Grid};
use super::figure::Figure;
use super::record::{is_arithmetic, probe_of};
use crate::board::{Board, Graph};
use crate::problem::{Goal, Problem};
use crate::search::Budget;
use crate::solvers::registry::Choice;
use serde::Deserialize;
use std::collections::BTreeMap;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

/// The size of an experiment's runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExperimentScale {
    /// Smaller runs: all experiments in about ten minutes.
    Quick,
    /// The papers' size.
    Full,
}

impl ExperimentScale {
    /// All scales with their names and descriptions.
    pub const CHOICES: &[(&str, ExperimentScale, &str)] = &[
        ("quick", ExperimentScale::Quick, "Smaller runs, all of them in about ten minutes"),
        ("full", ExperimentScale::Full, "The papers' size"),
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            ExperimentScale::Quick => "quick",
            ExperimentScale::Full => "full",
        }
    }
}

/// One table, figure or quoted number of a paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Identifier: paper and name, as in `hk2005.table2`.
    #[serde(skip)]
    pub id: String,
    /// Citation: paper and place.
    pub paper: String,
    /// The question.
    pub question: String,
    /// The answer, in a few sentences.
    pub answer: String,
    /// The runs, by name.
    #[serde(default)]
    pub probe: BTreeMap<String, Probe>,
    /// The paper's values; after parsing, also those of the grids.
    #[serde(default)]
    pub cell: Vec<ExperimentCell>,
    /// Boards of values.
    #[serde(default)]
    pub grid: Vec<Grid>,
    /// Figures drawn from the measurements.
    #[serde(default)]
    pub figure: Vec<Figure>,
}

/// Runs of one solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Boards, one run on each.
    #[serde(default)]
    pub boards: Vec<String>,
    /// The solver, as name or name:param=value.
    #[serde(default)]
    pub solver: String,
    /// Whether to search for closed tours only.
    #[serde(default)]
    pub closed: bool,
    /// Start squares, one run from each; empty for one run from all squares.
    #[serde(default)]
    pub starts: Vec<String>,
    /// Whether to exhaust the search space. Quick runs do so only if they have no budget.
    #[serde(default)]
    pub all: bool,
    /// Whether to count tours by start square.
    #[serde(default)]
    pub by_start: bool,
    /// Whether to record the production curve.
    #[serde(default)]
    pub curve: bool,
    /// Whether to record the pheromone of the first colony.
    #[serde(default)]
    pub pheromone: bool,
    /// Number of bitmaps that detect duplicates; lost tours are counted.
    pub bitmaps: Option<usize>,
    /// Attempts of a run.
    attempts: Option<u64>,
    /// Attempts from each start square.
    attempts_per_start: Option<u64>,
    /// Moves of a run.
    moves: Option<u64>,
    /// Distinct tours of a run.
    tours: Option<u64>,
    /// Number of runs, each with its own seed.
    runs: Option<u64>,
    /// Overrides for quick runs.
    #[serde(default)]
    pub quick: ProbeSize,
    /// Expected attempts of all runs, to estimate their time if the budget does not determine it.
    pub expected: Option<u64>,
    /// Printed tours, as digits, to read and verify instead of running a search.
    #[serde(default)]
    pub check: Vec<String>,
}

/// Overrides of a run's budget and the number of runs.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct ProbeSize {
    /// Attempts.
    pub attempts: Option<u64>,
    /// Attempts from each start square.
    pub attempts_per_start: Option<u64>,
    /// Moves.
    pub moves: Option<u64>,
    /// Distinct tours.
    pub tours: Option<u64>,
    /// Number of runs, each with its own seed.
    pub runs: Option<u64>,
}

/// An invalid definition.
#[derive(Error, Debug)]
pub enum DefinitionError {
    /// The TOML does not parse.
    #[error("experiment {0}: {1}")]
    Text(String, Box<toml::de::Error>),
    /// A board, square, solver or measure is invalid.
    #[error("experiment {0}: {1}")]
    Content(String, String),
}

impl crate::error::Diagnostic for DefinitionError {}

impl Definition {
    /// Parses a definition and checks that everything it names exists.
    pub fn parse(id: &str, text: &str) -> Result<Definition, DefinitionError> {
        let mut definition: Definition =
            toml::from_str(text).map_err(|e| DefinitionError::Text(id.into(), Box::new(e)))?;
        definition.id = id.into();
        let wrong = |what: String| DefinitionError::Content(id.into(), what);
        for (number, grid) in definition.grid.iter().enumerate() {
            definition.cell.extend(grid.cells(number).map_err(wrong)?);
        }
        for (name, probe) in &definition.probe {
            probe.parts().map_err(|e| wrong(format!("probe {name}: {e}")))?;
        }
        for cell in &definition.cell {
            if !cell.fits() {
                return Err(wrong(format!("cell {}: its numbers do not fit its rule", cell.name)));
            }
            for asked in [Some(&cell.ours), cell.over.as_ref()].into_iter().flatten() {
                if !definition.has(asked) {
                    return Err(wrong(format!("cell {}: no probe for '{asked}'", cell.name)));
                }
            }
        }
        let drawn = definition.figure.iter().flat_map(Figure::probes);
        if let Some(missing) = drawn.into_iter().find(|name| !definition.probe.contains_key(*name))
        {
            return Err(wrong(format!("figure: no probe '{missing}'")));
        }
        Ok(definition)
    }

    /// Returns whether the probe that a cell asks for exists.
    fn has(&self, asked: &str) -> bool {
        is_arithmetic(asked) || self.probe.contains_key(probe_of(asked))
    }
}

/// A solver, and its problems with their names in a record.
pub type ProbeParts = (Choice, Vec<(String, Problem)>);

impl Probe {
    /// Returns the overrides of a scale.
    fn changes(&self, scale: ExperimentScale) -> ProbeSize {
        if scale == ExperimentScale::Quick { self.quick } else { ProbeSize::default() }
    }

    /// Returns the number of runs at a scale.
    pub fn runs(&self, scale: ExperimentScale) -> u64 {
        self.changes(scale).runs.or(self.runs).unwrap_or(1)
    }

    /// Returns the budget of a run at a scale.
    pub fn budget(&self, scale: ExperimentScale) -> Budget {
        let changed = self.changes(scale);
        Budget {
            attempts: changed.attempts.or(self.attempts),
            attempts_per_start: changed.attempts_per_start.or(self.attempts_per_start),
            moves: changed.moves.or(self.moves),
            tours: changed.tours.or(self.tours),
            time: None,
        }
    }

    /// Returns whether both scales have runs of the same size.
    pub fn is_one_size(&self) -> bool {
        let [quick, full] =
            [ExperimentScale::Quick, ExperimentScale::Full].map(|s| (self.budget(s), self.runs(s)));
        quick == full
    }

    /// Returns the ratio of the work at full scale to the work at another scale, if both have the same kind
    /// of limit.
    pub(super) fn times(&self, scale: ExperimentScale) -> Option<f64> {
        let runs = self.runs(ExperimentScale::Full) as f64 / self.runs(scale) as f64;
        let limits = |b: Budget| [b.attempts, b.attempts_per_start, b.moves, b.tours];
        let (full, other) = (self.budget(ExperimentScale::Full), self.budget(scale));
        if full.is_unlimited() && other.is_unlimited() {
            return Some(runs);
        }
        let both = limits(full).into_iter().zip(limits(other)).find_map(|(a, b)| a.zip(b));
        both.map(|(a, b)| runs * a as f64 / b.max(1) as f64)
    }

    /// Returns whether the runs exhaust the search space at a scale.
    pub fn goes_on(&self, scale: ExperimentScale) -> bool {
        self.all && self.budget(scale).is_unlimited()
    }

    /// Returns a checksum that identifies the runs at a scale. Records with another checksum are not reused.
    pub fn checksum(&self, scale: ExperimentScale) -> String {
        format!("{:016x}", xxh3_64(self.identity(scale).as_bytes()))
    }

    /// Returns the text behind [`Probe::checksum`]. The format is spelled out here, so renaming a field does
    /// not invalidate records.
    fn identity(&self, scale: ExperimentScale) -> String {
        let Probe { boards, solver, closed, starts, by_start, check, .. } = self;
        let Probe { curve, pheromone, bitmaps, .. } = self;
        let Budget { attempts, attempts_per_start, moves, tours, .. } = self.budget(scale);
        let goes_on = self.goes_on(scale);
        format!(
            "{boards:?} {solver} {closed} {starts:?} {by_start} {curve} {pheromone} {bitmaps:?} \
             Size {{ attempts: {attempts:?}, attempts_per_start: {attempts_per_start:?}, \
             moves: {moves:?}, tours: {tours:?}, runs: None }} {check:?} {goes_on}"
        )
    }

    /// Returns the solver, and every problem with its name in the record; `None` if the probe only reads
    /// tours.
    pub fn parts(&self) -> Result<Option<ProbeParts>, Box<dyn std::error::Error>> {
        if !self.check.is_empty() {
            return Ok(None);
        }
        let mut words = self.solver.split(':');
        let name = words.next().unwrap_or_default();
        let choice = Choice::new(name, &words.collect::<Vec<_>>())?;
        let goal = if self.closed { Goal::Closed } else { Goal::Open };
        let mut problems = Vec::new();
        for board in &self.boards {
            let graph = Graph::knight(Board::parse(board)?);
            if self.starts.is_empty() {
                problems.push((board.clone(), Problem::new(graph, goal, None, None)?));
                continue;
            }
            let all: Vec<String> = graph.vertices().map(|square| graph.name(square)).collect();
            let starts = if self.starts == ["all"] { &all } else { &self.starts };
            for start in starts {
                let from = graph.vertex(start)?;
                let problem = Problem::new(graph.clone(), goal, Some(from), None)?;
                problems.push((format!("{board} {start}"), problem));
            }
        }
        Ok(Some((choice, problems)))
    }
}
