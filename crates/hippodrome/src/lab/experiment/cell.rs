//! The paper's values, and the rules by which ours are compared with them.

use crate::board::Board;
use serde::Deserialize;

/// A value of the paper, and the rule by which ours is compared with it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentCell {
    /// What it is.
    pub name: String,
    /// As the paper has it; none if it is ours alone.
    pub paper: Option<String>,
    /// Ours: `probe.measure`, of the runs their mean; `sum`, `least`, `most`, `failed`, `found`, `overlap`
    /// or `peak` before it asks for something else, as in `most ga.distinct`. `probe@square.measure` asks
    /// for the runs from one square. Numbers joined by `*` and `/` are the paper's own, worked out.
    pub ours: String,
    /// What it is divided by.
    pub over: Option<String>,
    /// A number that it is divided by as well.
    pub per: Option<f64>,
    /// The rule.
    pub rule: CellRule,
    /// The paper's number, or the corrected one.
    value: Option<f64>,
    /// Number of runs that the paper's number is the mean of.
    paper_runs: Option<u64>,
    /// What the paper claims at least.
    pub at_least: Option<f64>,
    /// What it claims at most.
    pub at_most: Option<f64>,
    /// Judged at the paper's scale only.
    #[serde(default)]
    pub full: bool,
    /// Why ours differs, and what shows it.
    pub because: Option<String>,
    /// The square of a board full of values, and the number of that board in its definition.
    #[serde(skip)]
    pub square: Option<(usize, String)>,
}

/// How ours is compared with the paper's.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum CellRule {
    /// The same number.
    Exact,
    /// The same within the 99% interval of the difference, by the spread of our runs and the number of
    /// runs of both sides.
    Interval,
    /// The paper contradicts itself or what can be counted; ours is to be the corrected number.
    Erratum,
    /// The paper claims at least or at most so much.
    Claim,
    /// Told without a verdict.
    Told,
}

impl ExperimentCell {
    /// The paper's number, or the corrected one; a definition without the one its rule needs is refused.
    pub fn value(&self) -> f64 {
        self.value.unwrap_or(f64::NAN)
    }

    /// Number of runs that the paper's number is the mean of.
    pub fn paper_runs(&self) -> u64 {
        self.paper_runs.unwrap_or(1)
    }

    /// Whether it has what its rule needs, and nothing else.
    pub(super) fn fits(&self) -> bool {
        let bounds = self.at_least.is_some() || self.at_most.is_some();
        match self.rule {
            CellRule::Exact | CellRule::Erratum => self.value.is_some() && !bounds,
            CellRule::Interval => self.value.is_some() && self.paper_runs.is_some() && !bounds,
            CellRule::Claim => self.value.is_none() && bounds,
            CellRule::Told => self.value.is_none() && !bounds,
        }
    }
}

/// A board full of values: a cell for every square.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// What they are.
    pub name: String,
    /// The board.
    pub board: String,
    /// The paper's values, a line a row, the top row first; `-` where it has none, and
    /// `printed!corrected` where it contradicts itself.
    pub paper: String,
    /// The figure has its lowest row at the top.
    #[serde(default)]
    pub flip: bool,
    /// Ours, as in a cell; `*` is the square.
    pub ours: String,
    /// What it is divided by.
    pub over: Option<String>,
    /// A number that it is divided by as well.
    pub per: Option<f64>,
    /// The rule of all.
    pub rule: CellRule,
    /// Number of runs that the paper's numbers are means of.
    pub paper_runs: Option<u64>,
    /// Judged at the paper's scale only.
    #[serde(default)]
    pub full: bool,
    /// Why some of ours differ.
    pub because: Option<String>,
}

impl Grid {
    /// The cells, row by row from the top of the board; what is wrong with it otherwise.
    pub(super) fn cells(&self, number: usize) -> Result<Vec<ExperimentCell>, String> {
        let board = Board::parse(&self.board).map_err(|e| e.to_string())?;
        let mut rows: Vec<Vec<&str>> =
            self.paper.trim().lines().map(|line| line.split_whitespace().collect()).collect();
        if self.flip {
            rows.reverse();
        }
        let (high, wide) = (board.rows() as usize, board.cols() as usize);
        if rows.len() != high || rows.iter().any(|row| row.len() != wide) {
            return Err(format!(
                "grid {}: it does not have the shape of {}",
                self.name, self.board
            ));
        }
        let mut cells = Vec::new();
        let squares =
            (0..board.rows()).rev().flat_map(|row| (0..board.cols()).map(move |col| (row, col)));
        for (text, (row, col)) in rows.concat().into_iter().zip(squares) {
            if text == "-" {
                continue;
            }
            let square = board.name(board.at(row, col));
            let (printed, right) = match text.split_once('!') {
                Some((printed, right)) => (printed, Some(right)),
                None => (text, None),
            };
            let value = right.unwrap_or(printed).parse::<f64>();
            let value = value.map_err(|_| format!("grid {}: '{text}' is no number", self.name))?;
            let rule = if right.is_some() { CellRule::Erratum } else { self.rule };
            cells.push(ExperimentCell {
                name: format!("{}, {square}", self.name),
                paper: Some(printed.into()),
                ours: self.ours.replace('*', &square),
                over: self.over.as_ref().map(|over| over.replace('*', &square)),
                per: self.per,
                rule,
                value: (rule != CellRule::Told).then_some(value),
                paper_runs: self.paper_runs.filter(|_| rule == CellRule::Interval),
                at_least: None,
                at_most: None,
                full: self.full,
                because: self.because.clone(),
                square: Some((number, square)),
            });
        }
        Ok(cells)
    }
}
