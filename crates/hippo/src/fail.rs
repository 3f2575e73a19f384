//! How a command fails: one sentence and an exit code.

use std::io;

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

/// A failure: what to say, and the exit code.
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

    /// A failed operation on a file.
    pub fn file(doing: &str, path: &str, error: &io::Error) -> Fail {
        let hint = match error.kind() {
            io::ErrorKind::NotFound => "; check the name",
            io::ErrorKind::InvalidData => "; it is not text",
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
            eprintln!("hippo: {}", self.message);
        }
        self.code
    }
}

/// Output that nobody reads any more is no error: the command ends silently.
impl From<io::Error> for Fail {
    fn from(error: io::Error) -> Fail {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Fail { code: DONE, message: String::new() },
            _ => Fail::file("write to", "standard output", &error),
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
    hippodrome::leaper::LeaperError,
    hippodrome::graph::VertexError,
    hippodrome::problem::ProblemError,
    hippodrome::solver::ChoiceError,
);

impl From<hippodrome::enumerate::EnumerateError> for Fail {
    fn from(error: hippodrome::enumerate::EnumerateError) -> Fail {
        match error {
            hippodrome::enumerate::EnumerateError::BadClaim(claim) => Fail::run_time(claim),
            wrong => Fail::usage(wrong),
        }
    }
}

/// Help and version go out as they are; errors are folded into one sentence.
impl From<clap::Error> for Fail {
    fn from(error: clap::Error) -> Fail {
        use clap::error::ErrorKind;
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                let _ = error.print();
                return Fail { code: DONE, message: String::new() };
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                let _ = error.print();
                return Fail { code: USAGE, message: String::new() };
            }
            _ => {}
        }
        let text = error.render().to_string();
        let (mut said, mut usage) = (Vec::new(), "hippo");
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
            if let Some(rest) = line.strip_prefix("Usage: ") {
                let words: Vec<&str> = rest.split(' ').take(2).collect();
                usage = if words.get(1).is_some_and(|w| w.chars().all(char::is_alphabetic)) {
                    rest.match_indices(' ').nth(1).map_or(rest, |(at, _)| &rest[..at])
                } else {
                    words[0]
                };
            } else if !line.starts_with("For more information") {
                said.push(line.trim_start_matches("error: ").trim_start_matches("tip: "));
            }
        }
        Fail::usage(format!("{}; see '{usage} --help'", said.join("; ").replace(":;", ":")))
    }
}
