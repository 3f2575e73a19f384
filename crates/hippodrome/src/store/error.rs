//! Errors of job folders and sets of tours.

use crate::count::CountError;
use crate::durable::DurableError;
use crate::error::{Argument, Diagnostic, ErrorKind, Remedy};
use crate::lab::enumerate::EnumerateError;
use crate::numerals::counted;
use std::io;
use std::path::Path;
use thiserror::Error;

/// An error of a job folder or a set of tours.
#[derive(Error, Debug)]
pub enum StoreError {
    /// An operation on a file failed.
    #[error("cannot {doing} {path}: {}", reason(error))]
    Io {
        /// The operation that failed.
        doing: &'static str,
        /// Path of the file.
        path: String,
        /// The system's error.
        error: io::Error,
    },
    /// Another process is using the folder.
    #[error("{0} is in use by another process")]
    InUse(String),
    /// The folder contains no job.
    #[error("{0} is not a job folder: it has no job.json")]
    NoJob(String),
    /// The job has not been merged yet.
    #[error("{0} has no tours.parquet yet")]
    NotMerged(String),
    /// The folder has a table, but not the unit results that the table was merged from.
    #[error("{0} has tours.parquet but no unit results to merge it from: cannot resume it")]
    NoResults(String),
    /// The folder already contains a job.
    #[error("{0} already contains a job")]
    Exists(String),
    /// The folder already contains other files.
    #[error("{0} is neither empty nor a job folder")]
    NotEmpty(String),
    /// The folder was written by another version.
    #[error("{path} has {what} {found}, but this version supports {known}")]
    Version {
        /// Path of the folder.
        path: String,
        /// The thing that has a version.
        what: &'static str,
        /// The version found in the folder.
        found: String,
        /// The version that is supported.
        known: String,
    },
    /// The folder contains another job.
    #[error("{path} contains another job: its {field} is {there}, not {here}")]
    Other {
        /// Path of the folder.
        path: String,
        /// The name of the field that differs.
        field: String,
        /// The value in the folder.
        there: String,
        /// The requested value.
        here: String,
    },
    /// The new budget is smaller than the old one.
    #[error("{path} already has {}, and a resumed job can only grow", limit(*.argument, *.before))]
    Smaller {
        /// Path of the folder.
        path: String,
        /// The argument that sets the limit.
        argument: Argument,
        /// The value of the limit in the folder; `None` if there is no limit.
        before: Option<u64>,
    },
    /// The enumeration was rejected.
    #[error(transparent)]
    Enumerate(#[from] EnumerateError),
    /// The count was rejected or failed.
    #[error(transparent)]
    Count(CountError),
    /// A file is damaged.
    #[error("{path} is damaged: {what}")]
    Damaged {
        /// Path of the file.
        path: String,
        /// A description of the damage.
        what: String,
    },
    /// The file is not a table of tours.
    #[error(
        "{0} is not a Parquet file of tours; give a job folder, or a file that Hippodrome has written"
    )]
    NotTours(String),
    /// The unit does not exist.
    #[error("there is no unit {unit} in {path}; units are numbered from 0 to {last}")]
    NoUnit {
        /// Path of the folder.
        path: String,
        /// The unit number that was given.
        unit: u64,
        /// The largest unit number.
        last: u64,
    },
    /// The part does not exist.
    #[error("there is no part {part} in {path}; parts are numbered from 0 to {last}")]
    NoPart {
        /// Path of the folder.
        path: String,
        /// The part number that was given.
        part: u64,
        /// The largest part number.
        last: u64,
    },
    /// A unit that is to be merged is not done yet.
    #[error("{} of {path} {} not done (the first is {first})", counted(*left, "unit"), if *left == 1 { "is" } else { "are" })]
    Undone {
        /// Path of the folder.
        path: String,
        /// Number of units that are not done.
        left: u64,
        /// The first unit that is not done.
        first: u64,
    },
    /// A part that is to be encoded has not been merged yet.
    #[error("part {part} of {path} is not merged")]
    Unmerged {
        /// Path of the folder.
        path: String,
        /// The first part that has not been merged.
        part: u64,
    },
    /// The caller interrupted the job; no results are lost.
    #[error("interrupted")]
    Stopped,
    /// Job folders do not support the request.
    #[error("{0}")]
    Refused(String, Vec<Remedy>),
    /// The job itself failed.
    #[error("{0}")]
    Job(String),
}

/// Describes a limit in words.
fn limit(argument: Argument, limit: Option<u64>) -> String {
    let things = match argument {
        Argument::Moves => "moves",
        Argument::AttemptsPerStart => "attempts per start",
        _ => "attempts",
    };
    match limit {
        Some(limit) => format!("a budget of {limit} {things}"),
        None => format!("no limit of {things}"),
    }
}

/// Returns the argument that sets a field of a job.
fn argument(field: &str) -> Option<Argument> {
    Some(match field {
        "board" => Argument::Board,
        "holes" => Argument::Holes,
        "leaper" => Argument::Leaper,
        "graph" => Argument::Graph,
        "closed" => Argument::Closed,
        "start" => Argument::Start,
        "end" => Argument::End,
        "solver" => Argument::Solver,
        "params" => Argument::Params,
        "seed" => Argument::Seed,
        "distinct" => Argument::Distinct,
        "where" => Argument::Where,
        _ => return None,
    })
}

/// Returns the system's error message without its error number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

fn remedy_for(error: &io::Error) -> Option<Remedy> {
    Some(match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Remedy::FreeSpace,
        io::ErrorKind::FileTooLarge => Remedy::RaiseFileLimit,
        io::ErrorKind::ReadOnlyFilesystem => Remedy::Do("choose a folder that can be written"),
        io::ErrorKind::AlreadyExists => Remedy::OtherFolder,
        io::ErrorKind::NotADirectory => Remedy::Do("give a folder"),
        io::ErrorKind::NotFound => Remedy::Do("check the name"),
        io::ErrorKind::PermissionDenied => Remedy::Do("check its permissions"),
        _ => return None,
    })
}

/// Returns the remedy for a damaged file. A table can be merged again if its folder still contains the job.
fn mend(path: &str) -> Option<Remedy> {
    let path = Path::new(path);
    if path.extension().is_none_or(|kind| kind != "parquet") {
        return None;
    }
    let folder = path.parent().filter(|folder| folder.join("job.json").exists());
    Some(match folder {
        Some(folder) => Remedy::MergeAgain(folder.display().to_string()),
        None => Remedy::Do("make it again, or copy it again from its source"),
    })
}

impl From<DurableError> for StoreError {
    fn from(DurableError { doing, path, error }: DurableError) -> StoreError {
        StoreError::Io { doing, path: path.display().to_string(), error }
    }
}

impl StoreError {
    /// Makes the error for a failed operation on a file.
    pub fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.display().to_string();
        move |error| StoreError::Io { doing, path, error }
    }

    /// Makes the error for a damaged file.
    pub(super) fn damaged(path: &Path, what: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: path.display().to_string(), what: what.into() }
    }

    /// Returns whether the error reports a damaged file.
    pub fn is_damage(&self) -> bool {
        matches!(self, StoreError::Damaged { .. })
    }
}

impl Diagnostic for StoreError {
    fn kind(&self) -> ErrorKind {
        match self {
            StoreError::Io { .. } => ErrorKind::Io,
            StoreError::InUse(_) => ErrorKind::InUse,
            StoreError::NoJob(_) => ErrorKind::Missing,
            StoreError::NotMerged(_) | StoreError::Undone { .. } | StoreError::Unmerged { .. } => {
                ErrorKind::NotReady
            }
            StoreError::Exists(_) | StoreError::NotEmpty(_) => ErrorKind::Exists,
            StoreError::Version { .. } | StoreError::Refused(..) => ErrorKind::Unsupported,
            StoreError::Other { .. }
            | StoreError::Smaller { .. }
            | StoreError::NoUnit { .. }
            | StoreError::NoPart { .. } => ErrorKind::Invalid,
            StoreError::Enumerate(error) => error.kind(),
            StoreError::Count(error) => error.kind(),
            StoreError::Damaged { .. } => ErrorKind::Damaged,
            StoreError::Stopped => ErrorKind::Interrupted,
            StoreError::NoResults(_) | StoreError::NotTours(_) | StoreError::Job(_) => {
                ErrorKind::Failed
            }
        }
    }

    fn remedies(&self) -> Vec<Remedy> {
        match self {
            StoreError::Io { error, .. } => remedy_for(error).into_iter().collect(),
            StoreError::InUse(_) => {
                vec![Remedy::Do("wait until it has ended"), Remedy::OtherFolder]
            }
            StoreError::NoJob(_) => vec![Remedy::MakeJob],
            StoreError::NotMerged(path) => {
                vec![Remedy::Resume(path.clone()), Remedy::MergePartial(path.clone())]
            }
            StoreError::NoResults(_) | StoreError::NotEmpty(_) => vec![Remedy::OtherFolder],
            StoreError::Exists(path) => vec![Remedy::Resume(path.clone()), Remedy::OtherFolder],
            StoreError::Version { .. } => {
                vec![Remedy::Do("use the version that made it"), Remedy::OtherFolder]
            }
            StoreError::Other { field, .. } => {
                let asked = argument(field).map(|argument| Remedy::LeaveOut(vec![argument]));
                [Remedy::OtherFolder].into_iter().chain(asked).collect()
            }
            StoreError::Smaller { argument, .. } => {
                vec![Remedy::Raise(*argument), Remedy::LeaveOut(vec![*argument])]
            }
            StoreError::Enumerate(error) => error.remedies(),
            StoreError::Count(error) => error.remedies(),
            StoreError::Damaged { path, .. } => mend(path).into_iter().collect(),
            StoreError::Undone { path, first, .. } => {
                vec![Remedy::RunUnit(path.clone(), *first), Remedy::MergePartial(path.clone())]
            }
            StoreError::Unmerged { path, part } => vec![Remedy::MergePart(path.clone(), *part)],
            StoreError::Refused(_, remedies) => remedies.clone(),
            _ => Vec::new(),
        }
    }
}
