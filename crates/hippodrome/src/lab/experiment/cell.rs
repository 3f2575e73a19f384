//! The papers' values, and the rules for comparing our values with them.

use crate::board::Board;
use serde::Deserialize;

/// A value from a paper, and the rule for comparing our value with it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentCell {
    /// Label of the cell.
    pub name: String,
    /// The value as printed in the paper; `None` if the paper has none.
    pub paper: Option<String>,
    /// A query for our value. `probe.measure` is the mean of a measure over the runs of a probe. A prefix
    /// `sum`, `least`, `most`, `failed`, `found`, `overlap` or `peak` selects another statistic, as in `most
    /// ga.distinct`. `probe@square.measure` selects the runs from one square. A query that consists of
    /// numbers joined by `*` and `/` computes the value from the paper's own numbers.
    pub ours: String,
    /// A query for the divisor of our value, in the same form as `ours`.
    pub over: Option<String>,
    /// A constant divisor of our value.
    pub per: Option<f64>,
    /// The rule for the comparison.
    pub rule: CellRule,
    /// The paper's number, or the corrected number.
    value: Option<f64>,
    /// Number of runs over which the paper averaged its number.
    paper_runs: Option<u64>,
    /// Lower bound of the paper's claim.
    pub at_least: Option<f64>,
    /// Upper bound of the paper's claim.
    pub at_most: Option<f64>,
    /// Whether to judge the cell only at full scale.
    #[serde(default)]
    pub full: bool,
    /// Why our value differs from the paper's, with the evidence.
    pub because: Option<String>,
    /// The index of the grid and the square, if the cell belongs to a grid.
    #[serde(skip)]
    pub square: Option<(usize, String)>,
}

/// How our value is compared with the paper's.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum CellRule {
    /// The numbers must be equal.
    Exact,
    /// The difference must lie within its 99% interval. The interval is computed from the spread of our runs
    /// and from the number of runs on both sides.
    Interval,
    /// The paper contradicts itself or an exact count; our value should be the corrected number.
    Erratum,
    /// The paper claims a lower bound, an upper bound or both, which our value must satisfy.
    Claim,
    /// The value is reported without a verdict.
    #[serde(alias = "told")]
    Reported,
}

impl ExperimentCell {
    /// Returns the paper's number, or the corrected number. Parsing guarantees that it exists if the rule
    /// needs it.
    pub fn value(&self) -> f64 {
        self.value.unwrap_or(f64::NAN)
    }

    /// Returns the number of runs over which the paper averaged its number.
    pub fn paper_runs(&self) -> u64 {
        self.paper_runs.unwrap_or(1)
    }

    /// Returns whether the cell has exactly the values that its rule needs.
    pub(super) fn fits(&self) -> bool {
        let bounds = self.at_least.is_some() || self.at_most.is_some();
        match self.rule {
            CellRule::Exact | CellRule::Erratum => self.value.is_some() && !bounds,
            CellRule::Interval => self.value.is_some() && self.paper_runs.is_some() && !bounds,
            CellRule::Claim => self.value.is_none() && bounds,
            CellRule::Reported => self.value.is_none() && !bounds,
        }
    }
}

/// A board of values, with one cell per square.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// Label of the grid.
    pub name: String,
    /// The board.
    pub board: String,
    /// The paper's values, one line per row with the top row first. A missing value is written as `-`, and an
    /// erratum as `printed!corrected`.
    pub paper: String,
    /// Whether the paper's figure shows the lowest row at the top.
    #[serde(default)]
    pub flip: bool,
    /// A query for our value, as in a cell; `*` stands for the square.
    pub ours: String,
    /// A query for the divisor of our value, in the same form as `ours`.
    pub over: Option<String>,
    /// A constant divisor of our value.
    pub per: Option<f64>,
    /// The rule for the comparison on all squares.
    pub rule: CellRule,
    /// Number of runs over which the paper averaged its numbers.
    pub paper_runs: Option<u64>,
    /// Whether to judge the cells only at full scale.
    #[serde(default)]
    pub full: bool,
    /// Why some of our values differ from the paper's.
    pub because: Option<String>,
}

impl Grid {
    /// Returns the cells, row by row from the top of the board, or the text of an error.
    pub(super) fn cells(&self, number: usize) -> Result<Vec<ExperimentCell>, String> {
        let board = Board::parse(&self.board).map_err(|e| e.to_string())?;
        let mut rows: Vec<Vec<&str>> =
            self.paper.trim().lines().map(|line| line.split_whitespace().collect()).collect();
        if self.flip {
            rows.reverse();
        }
        let (high, wide) = (board.rows() as usize, board.cols() as usize);
        if rows.len() != high || rows.iter().any(|row| row.len() != wide) {
            return Err(format!("grid {}: expected the shape of {}", self.name, self.board));
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
            let value =
                value.map_err(|_| format!("grid {}: '{text}' is not a number", self.name))?;
            let rule = if right.is_some() { CellRule::Erratum } else { self.rule };
            cells.push(ExperimentCell {
                name: format!("{}, {square}", self.name),
                paper: Some(printed.into()),
                ours: self.ours.replace('*', &square),
                over: self.over.as_ref().map(|over| over.replace('*', &square)),
                per: self.per,
                rule,
                value: (rule != CellRule::Reported).then_some(value),
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
