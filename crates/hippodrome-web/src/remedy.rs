//! Words the remedies for library errors, using the names of the page's controls.

use hippodrome::error::{Argument, Diagnostic, Remedy, alternatives, joined};

/// Returns the message of a library error, followed by what to do about it on the page.
pub(crate) fn message(error: &dyn Diagnostic) -> String {
    let clauses: Vec<String> = error.remedies().iter().filter_map(phrase).collect();
    match clauses.is_empty() {
        true => error.to_string(),
        false => format!("{error}; {}", alternatives(&clauses)),
    }
}

/// Puts a remedy into words. Returns `None` if the page has no control for it.
fn phrase(remedy: &Remedy) -> Option<String> {
    Some(match remedy {
        Remedy::Do(advice) => advice.to_string(),
        Remedy::LeaveOut(all) => format!("clear {}", named(all, "and")?),
        Remedy::Change(all) => format!("change {}", named(all, "or")?),
        Remedy::Give(all) => format!("set {}", named(all, "or")?),
        Remedy::Set(Argument::Format, values) => format!("export {}", joined(values, "or")),
        Remedy::Set(argument, values) => {
            format!("set {} to {}", control(*argument)?, joined(values, "or"))
        }
        Remedy::Raise(argument) => format!("raise {}", control(*argument)?),
        Remedy::Lower(argument) => format!("lower {}", control(*argument)?),
        Remedy::GiveBudget => "set a budget".into(),
        Remedy::LeaveOutEntrant => "remove it from the race".into(),
        // The page has no access to files and folders.
        Remedy::CountByClass
        | Remedy::RecordPheromone
        | Remedy::OtherFolder
        | Remedy::MakeJob
        | Remedy::Resume(_)
        | Remedy::FreeSpace
        | Remedy::RaiseFileLimit
        | Remedy::RunUnit(..)
        | Remedy::MergePartial(_)
        | Remedy::MergePart(..)
        | Remedy::MergeAgain(_) => return None,
    })
}

/// Returns the name of the control for an argument, if there is one.
fn control(argument: Argument) -> Option<&'static str> {
    Some(match argument {
        Argument::Board => "Rows and Columns",
        Argument::Holes => "the holes",
        Argument::Leaper => "Piece",
        Argument::Closed => "Closed",
        Argument::Start => "Start",
        Argument::End => "End",
        Argument::Solver | Argument::Solvers => "Solver",
        Argument::Params => "the solver's parameters",
        Argument::Seed => "Seed",
        Argument::Attempts | Argument::Moves => "the budget",
        Argument::Graph
        | Argument::Distinct
        | Argument::Dedup
        | Argument::Where
        | Argument::AttemptsPerStart
        | Argument::Threads
        | Argument::Memory
        | Argument::Kind
        | Argument::By
        | Argument::Classes
        | Argument::Confirm
        | Argument::Vary
        | Argument::Format
        | Argument::Size
        | Argument::Columns
        | Argument::Clues => return None,
    })
}

fn named(arguments: &[Argument], word: &str) -> Option<String> {
    let controls: Option<Vec<&str>> = arguments.iter().map(|&a| control(a)).collect();
    Some(joined(&controls?, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippodrome::lab::race::RaceError;
    use hippodrome::problem::ProblemError;

    #[test]
    fn remedies_name_only_controls_that_the_page_has() {
        let ends = message(&ProblemError::SameEnds("a1".into()));
        assert!(ends.ends_with("; change Start or End"), "{ends}");
        let full = message(&RaceError::Full("mace".into()));
        assert_eq!(full, "the distinct tours of mace do not fit in memory; give a smaller budget");
    }
}
