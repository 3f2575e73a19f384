//! What an experiment asks, and how it is run.

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

/// How large the runs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExperimentScale {
    /// Small honest runs: all experiments in some ten minutes.
    Quick,
    /// The papers' size.
    Full,
}

impl ExperimentScale {
    /// All scales with their names and meanings.
    pub const CHOICES: &[(&str, ExperimentScale, &str)] = &[
        ("quick", ExperimentScale::Quick, "Smaller runs, all of them in about ten minutes"),
        ("full", ExperimentScale::Full, "The papers' size"),
    ];

    /// Its name.
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
    /// Paper and name, as in `hk2005.table2`.
    #[serde(skip)]
    pub id: String,
    /// Where in which paper.
    pub paper: String,
    /// The question.
    pub question: String,
    /// What the answer is, in a sentence or two.
    pub answer: String,
    /// The runs, by name.
    #[serde(default)]
    pub probe: BTreeMap<String, Probe>,
    /// The paper's values and what they are compared with; after parsing those of the grids, too.
    #[serde(default)]
    pub cell: Vec<ExperimentCell>,
    /// Boards full of values.
    #[serde(default)]
    pub grid: Vec<Grid>,
    /// Pictures of what was measured.
    #[serde(default)]
    pub figure: Vec<Figure>,
}

/// Runs of one solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// The boards; a run on each.
    #[serde(default)]
    pub boards: Vec<String>,
    /// The solver, as name or name:param=value.
    #[serde(default)]
    pub solver: String,
    /// Closed tours only.
    #[serde(default)]
    pub closed: bool,
    /// Start squares; a run from each. All at once if there are none.
    #[serde(default)]
    pub starts: Vec<String>,
    /// To the end of the solver's space; in quick runs only where no budget is given for them.
    #[serde(default)]
    pub all: bool,
    /// Tours by start square are wanted.
    #[serde(default)]
    pub by_start: bool,
    /// The production curve is wanted.
    #[serde(default)]
    pub curve: bool,
    /// The pheromone of the first colony is wanted.
    #[serde(default)]
    pub pheromone: bool,
    /// Repeats are found by so many bitmaps, and the tours so lost are counted.
    pub bitmaps: Option<usize>,
    /// Attempts of a run.
    attempts: Option<u64>,
    /// Attempts from each start square.
    attempts_per_start: Option<u64>,
    /// Moves of a run.
    moves: Option<u64>,
    /// Distinct tours of a run.
    tours: Option<u64>,
    /// Runs, each with a seed of its own.
    runs: Option<u64>,
    /// What is different in quick runs.
    #[serde(default)]
    pub quick: ProbeSize,
    /// Attempts of all runs together where no budget tells, to guess how long they take.
    pub expected: Option<u64>,
    /// Tours that are not searched for but read, in digits, and verified.
    #[serde(default)]
    pub check: Vec<String>,
}

/// Budget of a run, and number of runs.
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
    /// Runs, each with a seed of its own.
    pub runs: Option<u64>,
}

/// What is wrong with a definition.
#[derive(Error, Debug)]
pub enum DefinitionError {
    /// It is no TOML of this kind.
    #[error("experiment {0}: {1}")]
    Text(String, Box<toml::de::Error>),
    /// A board, square, solver or measure is wrong.
    #[error("experiment {0}: {1}")]
    Content(String, String),
}

impl crate::error::Diagnostic for DefinitionError {}

impl Definition {
    /// Reads a definition and checks that all it names is there.
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

    /// Whether there is a probe for what a cell asks.
    fn has(&self, asked: &str) -> bool {
        is_arithmetic(asked) || self.probe.contains_key(probe_of(asked))
    }
}

/// A solver, and problems with the names they have in a record.
pub type ProbeParts = (Choice, Vec<(String, Problem)>);

impl Probe {
    /// What is different at a scale.
    fn changes(&self, scale: ExperimentScale) -> ProbeSize {
        if scale == ExperimentScale::Quick { self.quick } else { ProbeSize::default() }
    }

    /// Number of runs at a scale.
    pub fn runs(&self, scale: ExperimentScale) -> u64 {
        self.changes(scale).runs.or(self.runs).unwrap_or(1)
    }

    /// Budget of a run at a scale.
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

    /// Whether the runs of both scales have the same size.
    pub fn is_one_size(&self) -> bool {
        let [quick, full] =
            [ExperimentScale::Quick, ExperimentScale::Full].map(|s| (self.budget(s), self.runs(s)));
        quick == full
    }

    /// How many times the work of another scale the papers' is, if both are told in the same terms.
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

    /// Whether it goes to the end of the solver's space at a scale.
    pub fn goes_on(&self, scale: ExperimentScale) -> bool {
        self.all && self.budget(scale).is_unlimited()
    }

    /// A checksum of what is run at a scale: runs of another are runs of something else.
    pub fn checksum(&self, scale: ExperimentScale) -> String {
        format!("{:016x}", xxh3_64(self.identity(scale).as_bytes()))
    }

    /// The text whose checksum identifies the runs in records. Written out by hand, so that renaming a field
    /// does not invalidate records.
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

    /// The solver, and every problem with the name it has in the record; none if tours are read.
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
