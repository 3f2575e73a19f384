//! Words the remedies for library errors, using Python keywords and methods.

use hippodrome::error::{Argument, Remedy, alternatives, joined};

/// Joins the remedies that apply in Python into one clause.
pub fn advice(remedies: &[Remedy]) -> Option<String> {
    let clauses: Vec<String> = remedies.iter().filter_map(phrase).collect();
    (!clauses.is_empty()).then(|| alternatives(&clauses))
}

fn phrase(remedy: &Remedy) -> Option<String> {
    Some(match remedy {
        Remedy::Do(advice) => advice.to_string(),
        Remedy::LeaveOut(all) => format!("leave out {}", named(all, "and")?),
        Remedy::Change(all) => format!("change {}", named(all, "or")?),
        Remedy::Give(all) => format!("pass {}", named(all, "or")?),
        Remedy::Set(argument, values) => {
            let quoted = |value: &&str| match value.parse::<u64>() {
                Ok(number) => number.to_string(),
                Err(_) => format!("\"{value}\""),
            };
            let values: Vec<String> = values.iter().map(quoted).collect();
            format!("pass {}={}", keyword(*argument)?, values.join(" or "))
        }
        Remedy::Raise(argument) => format!("raise {}=", keyword(*argument)?),
        Remedy::Lower(argument) => format!("lower {}=", keyword(*argument)?),
        Remedy::GiveBudget => "pass a budget such as attempts=1_000_000".into(),
        Remedy::LeaveOutEntrant => "leave it out of solvers".into(),
        Remedy::CountByClass => "count class by class with plan_count()".into(),
        Remedy::OtherFolder => "choose another folder".into(),
        Remedy::MakeJob => "create one with plan() or plan_count()".into(),
        Remedy::Resume(path) => format!("run its missing units with Job({path:?})"),
        Remedy::FreeSpace => "free disk space and run it again".into(),
        Remedy::RaiseFileLimit => "raise the file size limit and run it again".into(),
        Remedy::RunUnit(..) => "run the missing units".into(),
        Remedy::MergePartial(_) => "merge the finished units with partial=True".into(),
        Remedy::MergePart(_, part) => format!("merge it first with merge_part({part})"),
        Remedy::MergeAgain(path) => format!("rebuild it with Job({path:?}).merge()"),
        Remedy::RecordPheromone => return None,
    })
}

/// Returns the keyword for an argument, if Python has one.
fn keyword(argument: Argument) -> Option<&'static str> {
    Some(match argument {
        Argument::Board | Argument::Graph => "board",
        Argument::Holes => "holes",
        Argument::Leaper => "leaper",
        Argument::Closed => "closed",
        Argument::Start => "start",
        Argument::End => "end",
        Argument::Solver => "solver",
        Argument::Solvers => "solvers",
        Argument::Params => "params",
        Argument::Seed => "seed",
        Argument::Distinct => "distinct",
        Argument::Dedup => "dedup",
        Argument::Where => "where",
        Argument::Attempts => "attempts",
        Argument::AttemptsPerStart => "attempts_per_start",
        Argument::Moves => "moves",
        Argument::Threads => "threads",
        Argument::Memory => "memory",
        Argument::Kind => "kind",
        Argument::By => "by",
        Argument::Classes => "classes",
        Argument::Confirm => "confirm",
        Argument::Size => "size",
        Argument::Columns => "columns",
        Argument::Clues => "clues",
        Argument::Vary | Argument::Format => return None,
    })
}

fn named(arguments: &[Argument], word: &str) -> Option<String> {
    let keywords: Option<Vec<&str>> = arguments.iter().map(|&a| keyword(a)).collect();
    Some(joined(&keywords?, word))
}
