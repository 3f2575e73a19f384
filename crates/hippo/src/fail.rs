//! The failure of a command: the error, what to do about it, and the exit code.

use crate::output::Unwritten;
use crate::remedy::advice;
use hippodrome::draw::DrawError;
use hippodrome::error::{Diagnostic, ErrorKind, Remedy};
use hippodrome::tour::NotationError;
use serde_json::json;
use std::io::{self, Write};

/// Exit code for success.
pub const DONE: u8 = 0;
/// Exit code for a run-time error.
pub const RUN_TIME: u8 = 1;
/// Exit code for wrong usage, or for a solver that does not support the problem.
pub const USAGE: u8 = 2;
/// Exit code for a proof that no such tour exists.
pub const IMPOSSIBLE: u8 = 3;
/// Exit code for no result: a limit was reached, or a heuristic exhausted its search space.
pub const LIMIT: u8 = 4;

/// The exit codes, as listed in the help and the manual.
pub const EXIT_CODES: &[(&str, &str)] = &[
    ("0", "Done, or found; a count of 0 is a result"),
    ("1", "Run-time error; for 'check': a tour is invalid"),
    ("2", "Wrong usage, or a solver that does not support the problem"),
    ("3", "Proved impossible"),
    ("4", "A limit was reached, or a heuristic's space exhausted, without a result"),
    ("130, 143", "Interrupted by Ctrl-C or SIGTERM; results so far are kept"),
];

/// Prints one line on standard error that says why there is no result.
pub fn complain(message: &str) {
    let mut line = String::from("hippo: ");
    for c in message.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line.push('\n');
    // If writing to standard error fails, there is nowhere to report it.
    let _ = io::stderr().write_all(line.as_bytes());
}

/// The failure of a command: the error, the advice, and the exit code.
#[derive(Debug)]
pub struct Fail {
    code: u8,
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
}

impl Fail {
    /// Returns a failure caused by wrong usage. The part after the last "; " says what to type instead.
    pub fn usage(text: impl ToString) -> Fail {
        Fail::new(USAGE, ErrorKind::Invalid, &text.to_string())
    }

    /// Returns a failure caused by a run-time error. The part after the last "; " says what to do.
    pub fn run_time(text: impl ToString) -> Fail {
        Fail::new(RUN_TIME, ErrorKind::Failed, &text.to_string())
    }

    /// Returns the failure for a library error, with its remedies worded for the command line.
    pub fn of(error: &dyn Diagnostic) -> Fail {
        Fail::advising(error, &error.remedies())
    }

    /// Returns the failure for a library error, with the given remedies instead of the error's own.
    pub fn advising(error: &dyn Diagnostic, remedies: &[Remedy]) -> Fail {
        let code = if error.kind().is_usage() { USAGE } else { RUN_TIME };
        match advice(remedies) {
            None => Fail::new(code, error.kind(), &error.to_string()),
            hint => Fail { code, kind: error.kind(), message: error.to_string(), hint },
        }
    }

    /// Returns the failure for a library error in the content of a file.
    pub fn inside(file: &str, error: &dyn Diagnostic) -> Fail {
        let fail = Fail::of(error);
        Fail { code: RUN_TIME, message: format!("{file}: {}", fail.message), ..fail }
    }

    /// Returns the same failure with the exit code for wrong usage.
    pub fn into_usage(self) -> Fail {
        Fail { code: USAGE, ..self }
    }

    /// Returns a failure that has no message, or whose message has already been printed.
    pub fn silent(code: u8) -> Fail {
        Fail::new(code, ErrorKind::Failed, "")
    }

    /// Returns a failure caused by a signal that stopped the work before it had a result.
    pub fn interrupted(code: u8, text: &str) -> Fail {
        Fail::new(code, ErrorKind::Interrupted, text)
    }

    fn new(code: u8, kind: ErrorKind, text: &str) -> Fail {
        let (message, hint) = match text.rsplit_once("; ") {
            Some((message, hint)) => (message, Some(hint.to_string())),
            None => (text, None),
        };
        Fail { code, kind, message: message.into(), hint }
    }

    /// Returns the failure for an operation on a file that failed.
    pub fn file(doing: &str, path: &str, error: &io::Error) -> Fail {
        let hint = match error.kind() {
            io::ErrorKind::NotFound => Some("check the name"),
            io::ErrorKind::InvalidData => Some("give a text file"),
            io::ErrorKind::IsADirectory => Some("give a file"),
            io::ErrorKind::PermissionDenied => Some("check its permissions"),
            io::ErrorKind::StorageFull => Some("free some space and try again"),
            _ => None,
        };
        let error = match error.kind() {
            io::ErrorKind::InvalidData => "it is not text".into(),
            _ => error.to_string(),
        };
        let error = error.split(" (os error").next().unwrap_or(&error).to_lowercase();
        let message = format!("cannot {doing} {path}: {error}");
        Fail { code: RUN_TIME, kind: ErrorKind::Io, message, hint: hint.map(String::from) }
    }

    /// Returns the same failure, with a part of its advice replaced.
    pub fn instead(mut self, part: &str, by: &str) -> Fail {
        self.hint = self.hint.map(|hint| hint.replace(part, by));
        self
    }

    /// Returns the error followed by the advice.
    pub fn text(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.message),
            None => self.message.clone(),
        }
    }

    /// Prints the error and returns the exit code. With `json`, also prints the error as an object on
    /// standard output.
    pub fn report(self, json: bool) -> u8 {
        if self.message.is_empty() {
            return self.code;
        }
        complain(&self.text());
        if json {
            let status = match self.kind {
                ErrorKind::Interrupted => "interrupted",
                _ => "error",
            };
            let object = json!({
                "schema": 1, "status": status, "kind": self.kind.name(),
                "message": self.message, "hint": self.hint,
            });
            // A closed pipe changes neither the message nor the exit code.
            let _ = writeln!(io::stdout(), "{object}");
        }
        self.code
    }
}

/// A closed pipe is not an error: in that case the command ends silently.
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

macro_rules! of_the_library {
    ($($error:path),* $(,)?) => {$(
        impl From<$error> for Fail {
            fn from(error: $error) -> Fail {
                Fail::of(&error)
            }
        }
    )*};
}
of_the_library!(
    hippodrome::board::BoardError,
    hippodrome::board::LeaperError,
    hippodrome::board::SeriesError,
    hippodrome::board::VertexError,
    hippodrome::count::CountError,
    hippodrome::draw::CaptionError,
    hippodrome::lab::enumerate::EnumerateError,
    hippodrome::lab::puzzle::PuzzleError,
    hippodrome::lab::race::RaceError,
    hippodrome::lab::tune::TuneError,
    hippodrome::problem::ProblemError,
    hippodrome::search::BadClaim,
    hippodrome::search::memory::TooLarge,
    hippodrome::solvers::registry::ChoiceError,
    hippodrome::store::StoreError,
    hippodrome::tour::Unavailable,
);

impl From<DrawError> for Fail {
    fn from(error: DrawError) -> Fail {
        match error {
            DrawError::Io(error) => error.into(),
            error => Fail::of(&error),
        }
    }
}

impl From<NotationError> for Fail {
    fn from(error: NotationError) -> Fail {
        match error {
            NotationError::Io(error) => error.into(),
            error => Fail::of(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippodrome::lab::enumerate::EnumerateError;

    #[test]
    fn a_failure_separates_the_error_from_the_advice() {
        let fail = Fail::usage("'a; b' is not a board; write ROWSxCOLS");
        assert_eq!((fail.message.as_str(), fail.code), ("'a; b' is not a board", USAGE));
        assert_eq!(fail.hint.as_deref(), Some("write ROWSxCOLS"));
        let fail = Fail::from(EnumerateError::Endless("mace"));
        let said = "solver mace cannot exhaust its search space with these parameters; give a budget such as --attempts 1M";
        assert_eq!((fail.text().as_str(), fail.code), (said, USAGE));
        assert_eq!(fail.kind.name(), "unsupported");
    }
}
