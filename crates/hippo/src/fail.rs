//! How a command fails: one sentence and an exit code.

use crate::output::Unwritten;
use hippodrome::store::StoreError;
use std::io::{self, Write};

/// Done, or found.
pub const DONE: u8 = 0;
/// Something went wrong while running.
pub const RUN_TIME: u8 = 1;
/// Wrong usage, or a solver that does not take the problem.
pub const USAGE: u8 = 2;
/// Proved impossible.
pub const IMPOSSIBLE: u8 = 3;
/// A limit was reached, or a heuristic's space exhausted, without a result.
pub const LIMIT: u8 = 4;

/// Says on standard error, in one line, why there is no result.
pub fn complain(message: &str) {
    let mut line = String::from("hippo: ");
    for c in message.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line.push('\n');
    // Nobody is left to tell if this fails.
    let _ = io::stderr().write_all(line.as_bytes());
}

/// A failure: what to say, and the exit code.
#[derive(Debug)]
pub struct Fail {
    code: u8,
    message: String,
}

impl Fail {
    /// Wrong usage.
    pub fn usage(message: impl ToString) -> Fail {
        Fail { code: USAGE, message: message.to_string() }
    }

    /// An error while running.
    pub fn run_time(message: impl ToString) -> Fail {
        Fail { code: RUN_TIME, message: message.to_string() }
    }

    /// A failure that has nothing to say, or has said it.
    pub fn silent(code: u8) -> Fail {
        Fail { code, message: String::new() }
    }

    /// A failed operation on a file.
    pub fn file(doing: &str, path: &str, error: &io::Error) -> Fail {
        let hint = match error.kind() {
            io::ErrorKind::NotFound => "; check the name",
            io::ErrorKind::InvalidData => {
                return Fail::run_time(format!(
                    "cannot {doing} {path}: it is not text; give a text file"
                ));
            }
            io::ErrorKind::IsADirectory => "; give a file",
            io::ErrorKind::PermissionDenied => "; check its permissions",
            io::ErrorKind::StorageFull => "; make room and try again",
            _ => "",
        };
        let error = error.to_string();
        let error = error.split(" (os error").next().unwrap_or(&error).to_lowercase();
        Fail::run_time(format!("cannot {doing} {path}: {error}{hint}"))
    }

    /// Says what is wrong and gives the exit code.
    pub fn report(self) -> u8 {
        if !self.message.is_empty() {
            complain(&self.message);
        }
        self.code
    }
}

/// Output that nobody reads any more is no error: the command ends silently.
impl From<io::Error> for Fail {
    fn from(error: io::Error) -> Fail {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Fail::silent(DONE),
            _ => match error.get_ref().and_then(|inner| inner.downcast_ref::<Unwritten>()) {
                Some(Unwritten { path, error }) => Fail::file("write", path, error),
                None => Fail::file("write to", "standard output", &error),
            },
        }
    }
}

macro_rules! usage {
    ($($error:path),* $(,)?) => {$(
        impl From<$error> for Fail {
            fn from(error: $error) -> Fail {
                Fail::usage(error)
            }
        }
    )*};
}
usage!(
    hippodrome::board::BoardError,
    hippodrome::board::LeaperError,
    hippodrome::board::VertexError,
    hippodrome::problem::ProblemError,
    hippodrome::solvers::registry::ChoiceError,
);

impl From<hippodrome::lab::enumerate::EnumerateError> for Fail {
    fn from(error: hippodrome::lab::enumerate::EnumerateError) -> Fail {
        if error.is_usage() { Fail::usage(error) } else { Fail::run_time(error) }
    }
}

impl From<hippodrome::search::memory::TooLarge> for Fail {
    fn from(error: hippodrome::search::memory::TooLarge) -> Fail {
        Fail::run_time(error)
    }
}

impl From<StoreError> for Fail {
    fn from(error: StoreError) -> Fail {
        if error.is_usage() { Fail::usage(error) } else { Fail::run_time(error) }
    }
}

impl From<hippodrome::lab::tune::TuneError> for Fail {
    fn from(error: hippodrome::lab::tune::TuneError) -> Fail {
        match error {
            hippodrome::lab::tune::TuneError::Run(error) => error.into(),
            full @ hippodrome::lab::tune::TuneError::Full => Fail::run_time(full),
            wrong => Fail::usage(wrong),
        }
    }
}

impl From<hippodrome::lab::race::RaceError> for Fail {
    fn from(error: hippodrome::lab::race::RaceError) -> Fail {
        match error {
            hippodrome::lab::race::RaceError::Entrant { .. } => Fail::usage(error),
            hippodrome::lab::race::RaceError::Full(_)
            | hippodrome::lab::race::RaceError::Uniform(_) => Fail::run_time(error),
        }
    }
}
