//! What an experiment asks, how it is run, and how it is judged.

use crate::board::{Board, BoardError};
use crate::graph::{Graph, VertexError};
use crate::problem::{Goal, Problem, ProblemError};
use crate::solver::{Choice, ChoiceError};
use serde::Deserialize;
use std::collections::BTreeMap;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

/// How large the runs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scale {
    /// Small honest runs: all experiments in some ten minutes.
    Quick,
    /// The papers' size.
    Full,
}

impl Scale {
    /// All scales with their names and meanings.
    pub const CHOICES: &[(&str, Scale, &str)] = &[
        ("quick", Scale::Quick, "Smaller runs, all of them in about ten minutes"),
        ("full", Scale::Full, "The papers' size"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Quick => "quick",
            Scale::Full => "full",
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
    /// A checksum of its text: a record of another text is of another experiment.
    #[serde(skip)]
    pub checksum: String,
    /// Where in which paper.
    pub paper: String,
    /// The question.
    pub question: String,
    /// What the answer is, in a sentence or two.
    pub answer: String,
    /// The runs, by name.
    #[serde(default)]
    pub probe: BTreeMap<String, Probe>,
    /// The paper's values and what they are compared with.
    pub cell: Vec<Cell>,
}

/// Runs of one solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// The boards; a run on each.
    pub boards: Vec<String>,
    /// The solver, as name or name:param=value.
    pub solver: String,
    /// Closed tours only.
    #[serde(default)]
    pub closed: bool,
    /// Start squares; a run from each. All at once if there are none.
    #[serde(default)]
    pub starts: Vec<String>,
    /// To the end of the solver's space.
    #[serde(default)]
    pub all: bool,
    /// Tours by start square are wanted.
    #[serde(default)]
    pub by_start: bool,
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
    pub quick: Size,
    /// Left out of quick runs.
    #[serde(default)]
    pub full_only: bool,
    /// Tours that are not searched for but read, in digits, and verified.
    #[serde(default)]
    pub check: Vec<String>,
}

/// Budget of a run, and number of runs.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
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

impl Size {
    /// This, where the other is silent.
    fn under(self, other: Size) -> Size {
        Size {
            attempts: other.attempts.or(self.attempts),
            attempts_per_start: other.attempts_per_start.or(self.attempts_per_start),
            moves: other.moves.or(self.moves),
            tours: other.tours.or(self.tours),
            runs: other.runs.or(self.runs),
        }
    }
}

/// A value of the paper, and the rule by which ours is compared with it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// What it is.
    pub name: String,
    /// As the paper has it; none if it is ours alone.
    pub paper: Option<String>,
    /// Ours: `probe.measure`, of the runs their mean; `sum`, `least`, `most` or `failed` before it
    /// asks for something else, as in `most ga.distinct`.
    pub ours: String,
    /// What it is divided by.
    pub over: Option<String>,
    /// A number that it is divided by as well.
    pub per: Option<f64>,
    /// The rule.
    pub rule: Rule,
    /// The paper's number, or the corrected one.
    value: Option<f64>,
    /// Number of runs that the paper's number is the mean of.
    paper_runs: Option<u64>,
    /// What the paper claims at least.
    pub at_least: Option<f64>,
    /// What it claims at most.
    pub at_most: Option<f64>,
    /// Why ours differs, and what shows it.
    pub because: Option<String>,
}

/// How ours is compared with the paper's.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The same number.
    Exact,
    /// The same within the 99% interval of the difference, by the spread of our runs and the number of
    /// runs of both sides.
    Interval,
    /// The paper contradicts itself; ours is to be the corrected number.
    Erratum,
    /// The paper claims at least or at most so much.
    Claim,
    /// Told without a verdict.
    Told,
}

impl Cell {
    /// The paper's number, or the corrected one; a definition without the one its rule needs is refused.
    pub fn value(&self) -> f64 {
        self.value.unwrap_or(f64::NAN)
    }

    /// Number of runs that the paper's number is the mean of.
    pub fn paper_runs(&self) -> u64 {
        self.paper_runs.unwrap_or(1)
    }

    /// Whether it has what its rule needs, and nothing else.
    fn fits(&self) -> bool {
        let bounds = self.at_least.is_some() || self.at_most.is_some();
        match self.rule {
            Rule::Exact | Rule::Erratum => self.value.is_some() && !bounds,
            Rule::Interval => self.value.is_some() && self.paper_runs.is_some() && !bounds,
            Rule::Claim => self.value.is_none() && bounds,
            Rule::Told => self.value.is_none() && !bounds,
        }
    }
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

impl Definition {
    /// Reads a definition and checks that all it names is there.
    pub fn parse(id: &str, text: &str) -> Result<Definition, DefinitionError> {
        let mut definition: Definition =
            toml::from_str(text).map_err(|e| DefinitionError::Text(id.into(), Box::new(e)))?;
        definition.id = id.into();
        definition.checksum = format!("{:016x}", xxh3_64(text.as_bytes()));
        let wrong = |what: String| DefinitionError::Content(id.into(), what);
        for (name, probe) in &definition.probe {
            probe.parts().map_err(|e| wrong(format!("probe {name}: {e}")))?;
        }
        for cell in &definition.cell {
            if !cell.fits() {
                return Err(wrong(format!("cell {}: its numbers do not fit its rule", cell.name)));
            }
            for asked in [Some(&cell.ours), cell.over.as_ref()].into_iter().flatten() {
                let probe = asked.split(' ').next_back().and_then(|path| path.split('.').next());
                if !probe.is_some_and(|probe| definition.probe.contains_key(probe)) {
                    return Err(wrong(format!("cell {}: no probe for '{asked}'", cell.name)));
                }
            }
        }
        Ok(definition)
    }
}

impl Probe {
    /// Budget and runs at a scale; none if it is left out there.
    pub fn size(&self, scale: Scale) -> Option<Size> {
        let Probe { attempts, attempts_per_start, moves, tours, runs, .. } = *self;
        let full = Size { attempts, attempts_per_start, moves, tours, runs };
        match scale {
            Scale::Full => Some(full),
            Scale::Quick => (!self.full_only).then(|| full.under(self.quick)),
        }
    }

    /// The solver, and every problem with the name it has in the record.
    pub fn parts(&self) -> Result<(Choice, Vec<(String, Problem)>), PartError> {
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
            for start in &self.starts {
                let from = graph.vertex(start)?;
                let problem = Problem::new(graph.clone(), goal, Some(from), None)?;
                problems.push((format!("{board} {start}"), problem));
            }
        }
        Ok((choice, problems))
    }
}

/// What is wrong with a probe.
#[derive(Error, Debug)]
#[error(transparent)]
pub enum PartError {
    /// The board.
    Board(#[from] BoardError),
    /// The start square.
    Vertex(#[from] VertexError),
    /// The problem.
    Problem(#[from] ProblemError),
    /// The solver.
    Choice(#[from] ChoiceError),
}
