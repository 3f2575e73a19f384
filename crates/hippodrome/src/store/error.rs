//! What can go wrong with a job folder or a set of tours.

use crate::count::CountError;
use crate::durable::DurableError;
use crate::error::{Argument, Diagnostic, ErrorKind, Remedy};
use crate::lab::enumerate::EnumerateError;
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
    #[error("{0} is in use by another process")]
    InUse(String),
    /// No job there.
    #[error("{0} is not a job folder: it has no job.json")]
    NoJob(String),
    /// A job that has not been merged.
    #[error("{0} has no tours.parquet yet")]
    NotMerged(String),
    /// Tours, and none of the results they were merged from.
    #[error("{0} has tours.parquet but no unit results to merge it from: cannot resume it")]
    NoResults(String),
    /// A job there already.
    #[error("{0} contains a job already")]
    Exists(String),
    /// Something else there already.
    #[error("{0} is neither empty nor a job folder")]
    NotEmpty(String),
    /// A folder that another version has written.
    #[error("{path} has {what} {found}, and this version supports {known}")]
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
    #[error("{path} contains another job: its {field} is {there}, not {here}")]
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
    #[error("{path} has {} already, and a job can only grow", limit(*.argument, *.before))]
    Smaller {
        /// The folder.
        path: String,
        /// Which limit.
        argument: Argument,
        /// What it was before.
        before: Option<u64>,
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
        "{0} is not a Parquet file of tours; give a job folder, or a file that Hippodrome has written"
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
    #[error("part {part} of {path} is not merged")]
    Unmerged {
        /// The folder.
        path: String,
        /// The first such part.
        part: u64,
    },
    /// Told to stop while merging; nothing is lost.
    #[error("interrupted")]
    Stopped,
    /// What a job folder does not support.
    #[error("{0}")]
    Refused(String, Vec<Remedy>),
    /// What the job itself says.
    #[error("{0}")]
    Job(String),
}

/// A limit in words.
fn limit(argument: Argument, limit: Option<u64>) -> String {
    let counted = match argument {
        Argument::Moves => "moves",
        Argument::AttemptsPerStart => "attempts per start",
        _ => "attempts",
    };
    match limit {
        Some(limit) => format!("a budget of {limit} {counted}"),
        None => format!("no limit of {counted}"),
    }
}

/// The argument that a field of a job comes from.
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

/// The system's words without its number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

fn units(count: u64) -> String {
    format!("{count} unit{}", if count == 1 { "" } else { "s" })
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

/// What may mend a damaged file: a table can be merged again where its job is.
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
    /// Makes an error of a failed operation on a file.
    pub fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.display().to_string();
        move |error| StoreError::Io { doing, path, error }
    }

    /// Makes an error of a file that is not as it was written.
    pub(super) fn damaged(path: &Path, what: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: path.display().to_string(), what: what.into() }
    }

    /// Whether a file was not as it was written.
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
