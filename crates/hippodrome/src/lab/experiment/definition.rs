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

/// How large the runs of an experiment are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExperimentScale {
    /// Smaller runs; all experiments together take about ten minutes.
    Quick,
    /// Runs of the same size as in the papers.
    Full,
}

impl ExperimentScale {
    /// All scales, each with its name and its description.
    pub const CHOICES: &[(&str, ExperimentScale, &str)] = &[
        ("quick", ExperimentScale::Quick, "Smaller runs, all of them in about ten minutes"),
        ("full", ExperimentScale::Full, "The papers' size"),
    ];

    /// Returns the name of the scale.
    pub fn name(self) -> &'static str {
        match self {
            ExperimentScale::Quick => "quick",
            ExperimentScale::Full => "full",
        }
    }
}

/// The definition of an experiment, which reproduces one table, figure or quoted number of a paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Identifier, made of the paper and a name, as in `hk2005.table2`.
    #[serde(skip)]
    pub id: String,
    /// Citation: the paper, and the place in it.
    pub paper: String,
    /// The question that the experiment asks.
    pub question: String,
    /// The answer to the question, in a few sentences.
    pub answer: String,
    /// The runs, grouped into named probes.
    #[serde(default)]
    pub probe: BTreeMap<String, Probe>,
    /// The paper's values; after parsing, these include the values of the grids.
    #[serde(default)]
    pub cell: Vec<ExperimentCell>,
    /// Boards of values.
    #[serde(default)]
    pub grid: Vec<Grid>,
    /// Figures to draw from the measurements.
    #[serde(default)]
    pub figure: Vec<Figure>,
}

/// A set of runs of one solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Boards; each seed gives one run per board.
    #[serde(default)]
    pub boards: Vec<String>,
    /// The solver, as `name` or `name:param=value`.
    #[serde(default)]
    pub solver: String,
    /// Whether to search for closed tours only.
    #[serde(default)]
    pub closed: bool,
    /// Start squares; each seed gives one run per start square. If empty, a run starts from all squares.
    #[serde(default)]
    pub starts: Vec<String>,
    /// Whether the runs exhaust their search space. Runs with a budget do not.
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
    /// Number of bitmaps that detect duplicates; if given, lost tours are counted as well.
    pub bitmaps: Option<usize>,
    /// Maximum number of attempts per run.
    attempts: Option<u64>,
    /// Maximum number of attempts per start square.
    attempts_per_start: Option<u64>,
    /// Maximum number of moves per run.
    moves: Option<u64>,
    /// Maximum number of distinct tours per run.
    tours: Option<u64>,
    /// Number of runs, each with its own seed.
    runs: Option<u64>,
    /// Changes that apply to quick runs.
    #[serde(default)]
    pub quick: ProbeSize,
    /// Expected number of attempts in all runs together, from which their time is estimated if the budget
    /// does not determine it.
    pub expected: Option<u64>,
    /// Printed tours, written as digits, to be read and verified; if given, no search is run.
    #[serde(default)]
    pub check: Vec<String>,
}

/// Changes to the budget of a run and to the number of runs.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct ProbeSize {
    /// Maximum number of attempts.
    pub attempts: Option<u64>,
    /// Maximum number of attempts per start square.
    pub attempts_per_start: Option<u64>,
    /// Maximum number of moves.
    pub moves: Option<u64>,
    /// Maximum number of distinct tours.
    pub tours: Option<u64>,
    /// Number of runs, each with its own seed.
    pub runs: Option<u64>,
}

/// Why a definition is invalid.
#[derive(Error, Debug)]
pub enum DefinitionError {
    /// The text is not valid TOML, or its fields do not match a definition.
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

    /// Returns whether the probe that a query names exists.
    fn has(&self, asked: &str) -> bool {
        is_arithmetic(asked) || self.probe.contains_key(probe_of(asked))
    }
}

/// A solver, and its problems, each with its name in a record.
pub type ProbeParts = (Choice, Vec<(String, Problem)>);

impl Probe {
    /// Returns the changes that apply at a scale.
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

    /// Returns whether the runs have the same size at both scales.
    pub fn is_one_size(&self) -> bool {
        let [quick, full] =
            [ExperimentScale::Quick, ExperimentScale::Full].map(|s| (self.budget(s), self.runs(s)));
        quick == full
    }

    /// Returns the ratio of the work at full scale to the work at another scale, if both are limited in the
    /// same way.
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

    /// Returns whether the runs exhaust their search space at a scale.
    pub fn goes_on(&self, scale: ExperimentScale) -> bool {
        self.all && self.budget(scale).is_unlimited()
    }

    /// Returns a checksum that identifies the runs at a scale. A record with a different checksum is not
    /// reused.
    pub fn checksum(&self, scale: ExperimentScale) -> String {
        format!("{:016x}", xxh3_64(self.identity(scale).as_bytes()))
    }

    /// Returns the text from which [`Probe::checksum`] is computed. The format is spelled out here, so that
    /// renaming a field does not invalidate records.
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

    /// Returns the solver, and each problem with its name in the record; `None` if the probe only reads
    /// printed tours.
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
