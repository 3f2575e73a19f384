//! The interface shared by all errors of the library: their kind and their remedies.
//!
//! The message of an error states the problem and the values, but names no flag, keyword or control: the
//! command, Python and the page word each [`Remedy`] in their own terms.

/// The kind of an error, which determines the exit code, the Python exception class and the HTTP status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// A value, or a combination of values, is invalid.
    Invalid,
    /// A solver, method or version does not support the request.
    Unsupported,
    /// A file or folder already exists.
    Exists,
    /// A file, folder or name does not exist.
    Missing,
    /// Work that the request depends on is not done yet.
    NotReady,
    /// Another process is using a folder.
    InUse,
    /// A file is damaged.
    Damaged,
    /// Reading or writing failed.
    Io,
    /// More memory is needed than is allowed or available.
    Memory,
    /// The caller interrupted the work.
    Interrupted,
    /// The error is a bug in Hippodrome.
    Bug,
    /// The work failed for another reason.
    Failed,
}

impl ErrorKind {
    /// Returns the name that the kind has in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Invalid => "invalid",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::Exists => "exists",
            ErrorKind::Missing => "missing",
            ErrorKind::NotReady => "not-ready",
            ErrorKind::InUse => "in-use",
            ErrorKind::Damaged => "damaged",
            ErrorKind::Io => "io",
            ErrorKind::Memory => "memory",
            ErrorKind::Interrupted => "interrupted",
            ErrorKind::Bug => "bug",
            ErrorKind::Failed => "failed",
        }
    }

    /// Returns whether the request itself is wrong.
    pub fn is_usage(self) -> bool {
        matches!(
            self,
            ErrorKind::Invalid | ErrorKind::Unsupported | ErrorKind::Exists | ErrorKind::Missing
        )
    }
}

/// Declares the arguments, and a list of all of them.
macro_rules! arguments {
    ($($name:ident,)+) => {
        /// An argument of a search, a count or a job: a flag of the command, a keyword of Python, a control
        /// of the page.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names are those of the glossary and of the edges")]
        pub enum Argument {
            $($name,)+
        }

        impl Argument {
            /// All arguments, for tests that the command, Python and the page name every one.
            pub const ALL: &[Argument] = &[$(Argument::$name,)+];
        }
    };
}

arguments! {
    Board,
    Holes,
    Leaper,
    Graph,
    Closed,
    Start,
    End,
    Solver,
    Solvers,
    Params,
    Seed,
    Distinct,
    Dedup,
    Where,
    Attempts,
    AttemptsPerStart,
    Moves,
    Threads,
    Memory,
    Kind,
    By,
    Classes,
    Confirm,
    Vary,
    Format,
    From,
    Origin,
    Size,
    Columns,
    Clues,
}

/// A way to resolve an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Follow this advice, which is worded the same in the command, in Python and on the page, such as "try a
    /// smaller board".
    Do(&'static str),
    /// Leave out all of these arguments.
    LeaveOut(Vec<Argument>),
    /// Change one of these arguments.
    Change(Vec<Argument>),
    /// Give one of these arguments.
    Give(Vec<Argument>),
    /// Give this argument one of these values.
    Set(Argument, &'static [&'static str]),
    /// Give this argument a larger value.
    Raise(Argument),
    /// Give this argument a smaller value.
    Lower(Argument),
    /// Give a budget of attempts, moves or time.
    GiveBudget,
    /// Leave the entrant out of the race.
    LeaveOutEntrant,
    /// Count in a job folder, one class of ends at a time.
    CountByClass,
    /// Record a pheromone file.
    RecordPheromone,
    /// Choose another folder.
    OtherFolder,
    /// Make a job folder.
    MakeJob,
    /// Resume the job in this folder.
    Resume(String),
    /// Free space on the disk, then resume the job.
    FreeSpace,
    /// Raise the limit on file sizes, then resume the job.
    RaiseFileLimit,
    /// Run this unit of the job in this folder.
    RunUnit(String, u64),
    /// Merge the units of this folder that are done.
    MergePartial(String),
    /// Merge this part of the job in this folder.
    MergePart(String, u64),
    /// Merge the job in this folder again.
    MergeAgain(String),
}

/// An error as it is shown to users: its message, its kind and its remedies.
pub trait Diagnostic: std::error::Error {
    /// Returns the kind of the error.
    fn kind(&self) -> ErrorKind {
        ErrorKind::Invalid
    }

    /// Returns the remedies that may help, best first. If there are none, the message says what is expected.
    fn remedies(&self) -> Vec<Remedy> {
        Vec::new()
    }
}

/// Joins alternatives into one text, as in "do this, do that, or do the other".
pub fn alternatives(clauses: &[String]) -> String {
    match clauses {
        [rest @ .., last] if !rest.is_empty() => format!("{}, or {last}", rest.join(", ")),
        few => few.concat(),
    }
}

/// Joins names into one text, with `word` before the last, as in "a, b and c".
pub fn joined<S: AsRef<str>>(names: &[S], word: &str) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match &names[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{} {word} {last}", rest.join(", ")),
        few => few.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_arguments_has_each_once() {
        let numbers = Argument::ALL.iter().map(|&argument| argument as usize);
        assert!(numbers.eq(0..Argument::ALL.len()));
        assert_eq!(Argument::Clues as usize + 1, Argument::ALL.len());
    }

    #[test]
    fn lists_read_as_english() {
        let clauses = ["wait".to_string(), "try again".into(), "give up".into()];
        let said = [0, 1, 2, 3].map(|many| alternatives(&clauses[..many]));
        assert_eq!(said, ["", "wait", "wait, or try again", "wait, try again, or give up"]);
        assert_eq!(joined(&["a"], "and"), "a");
        assert_eq!(joined(&["a", "b", "c"], "and"), "a, b and c");
    }
}
