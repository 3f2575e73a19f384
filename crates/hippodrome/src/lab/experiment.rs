//! Experiments: every table, figure and quoted number of the papers, measured with our solvers.
//!
//! ```text
//!   definition (TOML) ─▶ probes run ─▶ record (JSON) ─▶ cells judged ─▶ page
//! ```
//!
//! A definition contains the question, the paper's values, the runs that answer the question, and the rule
//! for each verdict. All of this is fixed before anything is run. A probe is a set of solver runs, and its
//! measurements go into a record. Verdicts and the page depend only on definitions and records, so they can
//! be regenerated at any time.

mod cell;
mod definition;
mod errata;
mod figure;
mod page;
mod probe;
mod record;
mod verdict;

pub use cell::{CellRule, ExperimentCell, Grid};
pub use definition::{Definition, DefinitionError, ExperimentScale, Probe};
pub use errata::{Erratum, parse_errata};
pub use figure::figures;
pub use page::{Archive, page, pictures, tally};
pub use probe::{ExperimentError, ExperimentRun};
pub use record::{ExperimentRecord, Measured, ProbeRuns};
pub use verdict::{CellVerdict, ExperimentRecords, JudgedCell, judge, judge_all};

macro_rules! texts {
    ($($id:literal),* $(,)?) => {
        &[$(($id, include_str!(concat!("../../experiments/", $id, ".toml")))),*]
    };
}

/// All definitions in display order, each with its identifier and its TOML text.
const TEXTS: &[(&str, &str)] = texts![
    "hk2004.dfs",
    "hk2004.warnsdorff",
    "hk2004.ace",
    "hk2004.fig1",
    "hk2004.fig2",
    "hk2004.restarts",
    "hk2004.allstarts",
    "hk2004.deposit",
    "hk2004.rho-alpha",
    "hk2005.fig3",
    "hk2005.table1",
    "hk2005.table2",
    "hk2005.fig4",
    "hk2005.table3",
    "hk2005.warnsdorff6",
    "hk2005.rate6",
    "hk2005.fig5",
    "hk2005.hashing",
    "hk2005.fig6",
    "hk2005.table4",
    "hk2005.prediction",
    "hk2005.dfs8",
    "hk2005.cost",
    "gs2004.fig2-3",
    "gs2004.scan",
    "gs2004.n75",
    "gs2004.fig4-5",
    "gs2004.fig6-7",
    "gs2004.fig8-9",
    "gs2004.fig10-11",
    "gs2004.fig12",
    "ag2007.fig3",
    "ag2007.fig4",
    "ag2007.fig5",
    "ag2007.table1",
    "tcd2020.nn-rate",
    "tcd2020.nn-growth",
    "tcd2020.aco-rate",
    "tcd2020.ties50",
    "tcd2020.fig2",
    "tcd2020.improvements",
];

const ERRATA: &str = include_str!("../../experiments/errata.toml");

/// Returns the known errata of the papers.
pub fn errata() -> Result<Vec<Erratum>, DefinitionError> {
    parse_errata(ERRATA)
}

/// Returns all definitions in display order.
pub fn experiments() -> Result<Vec<Definition>, DefinitionError> {
    TEXTS.iter().map(|(id, text)| Definition::parse(id, text)).collect()
}

#[cfg(test)]
mod tests;
