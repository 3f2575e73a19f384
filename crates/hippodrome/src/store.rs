//! Large jobs on disk: folders of units that can be stopped at any instant and gone on with.
//!
//! A [`Job`] is a list of numbered, independent, idempotent units and a way to merge their results;
//! it may be an enumeration, a count or anything else, and knows no solver. A [`JobFolder`] keeps it:
//!
//! ```text
//! DIR/job.json        what identifies the job, its budget, the version of the format
//! DIR/lock            held while a process works here
//! DIR/units/N.unit    the result of unit N: sections and a note, each with a checksum
//! DIR/parts/P.part    part P of all units merged, where that is done apart, until all is merged
//! DIR/parts/P.rows    the rows of the table that begin in part P, where they are encoded apart
//! DIR/tours.parquet   all tours of an enumeration, merged
//! DIR/record.json     what ran, and what came of it; of a count, the number of each class of ends
//! DIR/curve.csv       attempts, tours, distinct, repeated and closed ones, unit by unit
//! ```
//!
//! Every file is written under a temporary name, synced, renamed, and its folder synced, so that it
//! is whole or not there. A file that is cut or altered is noticed by its checksum when it is read, and
//! named; if it is a unit's, the unit is done again. A sync that fails is fatal: what the disk holds is then not known, and trying
//! again would not tell.

mod counts;
mod enumeration;
mod identity;
mod job;
mod keys;
mod monitor;
mod record;
mod runs;
mod sealed;
mod set;
mod sketch;
mod table;

pub use counts::{CountJob, CountJobSummary};
pub use enumeration::{EnumerationJob, JobChange, Merged, encode_part, merge_part};
pub use identity::{enumeration, identity, restated};
pub use job::{
    FORMAT, Identity, Job, JobFolder, MissingUnits, Ran, UnitResult, UnitState, complete,
    run_missing, run_unit,
};
pub use monitor::{JobEvent, JobMonitor, JobPhase};
pub use record::check_record;
pub use runs::PARTS;
pub use sealed::{Sealed, SealedWriter, Section};
pub use set::{Checked, SetOperation, TourSet};

use crate::count::CountError;
use crate::durable::DurableError;
use crate::lab::enumerate::EnumerateError;
use crate::numerals::plural;
use std::io;
use std::path::Path;
use thiserror::Error;

/// What can go wrong with a store.
#[derive(Error, Debug)]
pub enum StoreError {
    /// A failed operation on a file.
    #[error("cannot {doing} {path}: {}", reason(error))]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: String,
        /// What went wrong.
        error: io::Error,
    },
    /// Another process works on the folder.
    #[error("{0} is in use by another process; wait until it has ended, or give another folder")]
    InUse(String),
    /// No job there.
    #[error(
        "{0} is not a job folder, for it has no job.json; make one with --out or 'hippo job plan'"
    )]
    NoJob(String),
    /// A job that has not been merged.
    #[error(
        "{0} has no tours.parquet yet; go on with --resume {0}, or merge what there is with 'hippo job merge {0} --partial'"
    )]
    NotMerged(String),
    /// Tours, and none of the results they were merged from.
    #[error(
        "{0} has tours.parquet and no results of units to merge it from; it is left as it is, and to go on give another folder"
    )]
    NoResults(String),
    /// A job there already.
    #[error("{0} holds a job already; go on with it by --resume {0}, or give another folder")]
    Exists(String),
    /// Something else there already.
    #[error("{0} is not empty and not a job folder; give another folder")]
    NotEmpty(String),
    /// A folder that another version has written.
    #[error(
        "{path} has {what} {found}, and this hippo works with {known}; use the version that made it, or another folder"
    )]
    Version {
        /// The folder.
        path: String,
        /// What has a version.
        what: &'static str,
        /// The version found.
        found: String,
        /// The version known.
        known: String,
    },
    /// A folder of another job.
    #[error(
        "{path} holds another job: its {field} is {there}, not {here}; give another folder, or leave out {}",
        option(field)
    )]
    Other {
        /// The folder.
        path: String,
        /// What differs.
        field: String,
        /// The value there.
        there: String,
        /// The value asked for.
        here: String,
    },
    /// A budget that would undo work.
    #[error(
        "{path} has --{field} {before} already; a job can only grow, so give more or leave --{field} out"
    )]
    Smaller {
        /// The folder.
        path: String,
        /// Which limit.
        field: &'static str,
        /// What it was before.
        before: String,
    },
    /// The enumeration is not possible.
    #[error(transparent)]
    Enumerate(#[from] EnumerateError),
    /// The count is not possible, or failed.
    #[error(transparent)]
    Count(CountError),
    /// A file that is not as it was written.
    #[error("{path} is damaged: {what}")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// A file of something else.
    #[error(
        "{0} is not a Parquet file of tours; give a job folder, or a file that hippo has written"
    )]
    NotTours(String),
    /// No such unit.
    #[error("there is no unit {unit} in {path}; units are numbered from 0 to {last}")]
    NoUnit {
        /// The folder.
        path: String,
        /// The number given.
        unit: u64,
        /// The last number.
        last: u64,
    },
    /// No such part.
    #[error("there is no part {part} in {path}; parts are numbered from 0 to {last}")]
    NoPart {
        /// The folder.
        path: String,
        /// The number given.
        part: u64,
        /// The last number.
        last: u64,
    },
    /// Units are to be merged that are not done.
    #[error("{} of {path} {} not done, the first is {first}", units(*left), if *left == 1 { "is" } else { "are" })]
    Undone {
        /// The folder.
        path: String,
        /// How many.
        left: u64,
        /// The first of them.
        first: u64,
    },
    /// Rows cannot be encoded before all parts are merged.
    #[error(
        "part {part} of {path} is not merged; begin with: hippo job merge {path} --part {part}"
    )]
    Unmerged {
        /// The folder.
        path: String,
        /// The first such part.
        part: u64,
    },
    /// Told to stop while merging; nothing is lost.
    #[error("interrupted")]
    Stopped,
    /// What cannot be asked of a folder.
    #[error("{0}")]
    Refused(String),
    /// What the job itself says.
    #[error("{0}")]
    Job(String),
}

impl From<DurableError> for StoreError {
    fn from(DurableError { doing, path, error }: DurableError) -> StoreError {
        StoreError::Io { doing, path: path.display().to_string(), error }
    }
}

/// What of a command line tells a field of a job.
fn option(field: &str) -> String {
    match field {
        "board" => "the board".into(),
        "holes" => "the board, --holes and --mask".into(),
        "params" => "--param".into(),
        "kind" => "--resume".into(),
        other => format!("--{other}"),
    }
}

/// The system's words without its number, and what to do where that is plain.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text).to_lowercase();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            format!("{text}; make room and go on with --resume")
        }
        io::ErrorKind::FileTooLarge => {
            format!("{text}; raise the limit of file sizes and go on with --resume")
        }
        io::ErrorKind::ReadOnlyFilesystem => format!("{text}; give a folder that can be written"),
        io::ErrorKind::AlreadyExists => format!("{text}; give another folder"),
        io::ErrorKind::NotADirectory => format!("{text}; give a folder"),
        io::ErrorKind::NotFound => format!("{text}; check the name"),
        io::ErrorKind::PermissionDenied => format!("{text}; check its permissions"),
        _ => text,
    }
}

fn units(count: u64) -> String {
    format!("{count} {}", plural(count, "unit"))
}

impl StoreError {
    /// Makes an error of a failed operation on a file.
    pub fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.display().to_string();
        move |error| StoreError::Io { doing, path, error }
    }

    /// Whether something else has to be asked for: what a folder refuses, not what its disk does.
    pub fn is_usage(&self) -> bool {
        match self {
            StoreError::Enumerate(error) => error.is_usage(),
            StoreError::Count(error) => error.is_usage(),
            StoreError::Exists(_)
            | StoreError::NotEmpty(_)
            | StoreError::NoJob(_)
            | StoreError::Version { .. }
            | StoreError::Other { .. }
            | StoreError::Smaller { .. }
            | StoreError::NoUnit { .. }
            | StoreError::NoPart { .. }
            | StoreError::Refused(_) => true,
            _ => false,
        }
    }

    /// Whether a file was not as it was written.
    pub fn is_damage(&self) -> bool {
        matches!(self, StoreError::Damaged { .. })
    }
}
