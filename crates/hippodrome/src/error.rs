//! The interface of every error of the library: its kind and its remedies.
//!
//! An error's message names the problem and the values, but no flag, keyword or control: the command,
//! Python and the page phrase each [`Remedy`] in their own terms.

/// Kind of an error; edges choose exit codes, exception classes and statuses by it.
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
    /// Work that this depends on is not done yet.
    NotReady,
    /// Another process is using a folder.
    InUse,
    /// A file is damaged.
    Damaged,
    /// Reading or writing failed.
    Io,
    /// More memory is needed than is allowed or available.
    Memory,
    /// Interrupted by the caller.
    Interrupted,
    /// A bug in Hippodrome.
    Bug,
    /// Anything else that failed while running.
    Failed,
}

impl ErrorKind {
    /// Name of the kind in JSON.
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

/// Declares the arguments together with the list of all of them.
macro_rules! arguments {
    ($($name:ident,)+) => {
        /// An argument of a search, a count or a job: a flag, a keyword or a control at the edges.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names are those of the glossary and of the edges")]
        pub enum Argument {
            $($name,)+
        }

        impl Argument {
            /// All arguments, for tests that an edge names every one.
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
}

/// A way to resolve an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Advice that no edge phrases otherwise, such as "try a smaller board".
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
    /// Record a file of pheromone.
    RecordPheromone,
    /// Choose another folder.
    OtherFolder,
    /// Make a job folder.
    MakeJob,
    /// Resume the job in this folder.
    Resume(String),
    /// Free space on the disk, then resume the job.
    FreeSpace,
    /// Raise the limit of file sizes, then resume the job.
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

/// An error as edges show it: its sentence, its kind and its remedies.
pub trait Diagnostic: std::error::Error {
    /// Kind of the error.
    fn kind(&self) -> ErrorKind {
        ErrorKind::Invalid
    }

    /// Alternatives that may help, the best first. Without any, the sentence says what is expected.
    fn remedies(&self) -> Vec<Remedy> {
        Vec::new()
    }
}

/// Joins alternatives as in "do this, do that, or do the other".
pub fn alternatives(clauses: &[String]) -> String {
    match clauses {
        [rest @ .., last] if !rest.is_empty() => format!("{}, or {last}", rest.join(", ")),
        few => few.concat(),
    }
}

/// Joins names by a word, as in "a, b and c".
pub fn joined(names: &[&str], word: &str) -> String {
    match names {
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
        assert_eq!(Argument::Origin as usize + 1, Argument::ALL.len());
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
