//! Words the library's remedies for errors as advice for the command line.

use hippodrome::error::{Argument, Remedy, alternatives, joined};
use std::path::Path;

/// Joins remedies into one clause. Returns `None` if there are none.
pub fn advice(remedies: &[Remedy]) -> Option<String> {
    let clauses: Vec<String> = remedies.iter().map(phrase).collect();
    (!clauses.is_empty()).then(|| alternatives(&clauses))
}

fn phrase(remedy: &Remedy) -> String {
    let job = |verb: &str, path: &String| format!("hippo job {verb} {}", quoted(path));
    match remedy {
        Remedy::Do(advice) => advice.to_string(),
        Remedy::LeaveOut(all) => format!("leave out {}", named(all, "and")),
        Remedy::Change(all) => format!("change {}", named(all, "or")),
        Remedy::Give(all) => match all[..] {
            [Argument::Graph] => "give it with --graph GRAPH".into(),
            [Argument::Board] => "name the board with --board ROWSxCOLS".into(),
            [Argument::Vary] => "choose one with --vary NAME=VALUES".into(),
            _ => format!("give {}", named(all, "or")),
        },
        Remedy::Set(argument, values) => {
            format!("use {} {}", flag(*argument), joined(values, "or"))
        }
        Remedy::Raise(argument) => format!("raise {}", flag(*argument)),
        Remedy::Lower(argument) => format!("lower {}", flag(*argument)),
        Remedy::GiveBudget => "give a budget such as --attempts 1M".into(),
        Remedy::LeaveOutEntrant => "leave it out of --solvers".into(),
        Remedy::CountByClass => "count class by class with --out DIR".into(),
        Remedy::RecordPheromone => {
            "write one with 'hippo enumerate 8x8 --solver ace --pheromone FILE'".into()
        }
        Remedy::OtherFolder => "choose another folder".into(),
        Remedy::MakeJob => "make one with --out or 'hippo job plan'".into(),
        Remedy::Resume(path) => format!("resume it with --resume {}", quoted(path)),
        Remedy::FreeSpace => "free some space, then resume with --resume".into(),
        Remedy::RaiseFileLimit => "raise the limit of file sizes, then resume with --resume".into(),
        Remedy::RunUnit(path, unit) => format!("run it with: {} {unit}", job("run-unit", path)),
        Remedy::MergePartial(path) => {
            format!("merge what is done with: {} --partial", job("merge", path))
        }
        Remedy::MergePart(path, part) => {
            format!("merge it first with: {} --part {part}", job("merge", path))
        }
        Remedy::MergeAgain(path) => format!("make it again with: {}", job("merge", path)),
    }
}

/// Returns what an argument is called on the command line.
fn flag(argument: Argument) -> &'static str {
    match argument {
        Argument::Board => "the board",
        Argument::Holes => "--holes and --mask",
        Argument::Leaper => "--leaper",
        Argument::Graph => "--graph",
        Argument::Closed => "--closed",
        Argument::Start => "--start",
        Argument::End => "--end",
        Argument::Solver => "--solver",
        Argument::Solvers => "--solvers",
        Argument::Params => "--param",
        Argument::Seed => "--seed",
        Argument::Distinct => "--distinct",
        Argument::Dedup => "--dedup",
        Argument::Where => "--where",
        Argument::Attempts => "--attempts",
        Argument::AttemptsPerStart => "--attempts-per-start",
        Argument::Moves => "--moves",
        Argument::Threads => "--threads",
        Argument::Memory => "--memory",
        Argument::Kind => "--kind",
        Argument::By => "--by",
        Argument::Classes => "--classes",
        Argument::Confirm => "--confirm",
        Argument::Vary => "--vary",
        Argument::Format => "--format",
        Argument::Size => "--size",
        Argument::Columns => "--columns",
        Argument::Clues => "--clues",
    }
}

fn named(arguments: &[Argument], word: &str) -> String {
    let flags: Vec<&str> = arguments.iter().map(|&argument| flag(argument)).collect();
    joined(&flags, word)
}

/// Quotes a word for a shell.
pub fn quoted(word: &str) -> String {
    let plain = word.chars().all(|c| c.is_alphanumeric() || "-_=:,./+".contains(c));
    if plain { word.into() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Quotes a path for a shell.
pub fn quoted_path(path: &Path) -> String {
    quoted(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hippo;
    use clap::CommandFactory;

    #[test]
    fn remedies_say_what_to_type() {
        let path = || "my job".to_string();
        let all = [
            (vec![], None),
            (vec![Remedy::GiveBudget], Some("give a budget such as --attempts 1M")),
            (
                vec![Remedy::LeaveOut(vec![Argument::By, Argument::Classes]), Remedy::OtherFolder],
                Some("leave out --by and --classes, or choose another folder"),
            ),
            (
                vec![Remedy::RunUnit(path(), 3), Remedy::MergePartial(path())],
                Some(
                    "run it with: hippo job run-unit 'my job' 3, or merge what is done with: hippo job merge 'my job' --partial",
                ),
            ),
        ];
        for (remedies, said) in all {
            assert_eq!(advice(&remedies).as_deref(), said);
        }
    }

    #[test]
    fn every_flag_exists() {
        let mut commands = vec![Hippo::command()];
        let mut flags = Vec::new();
        while let Some(command) = commands.pop() {
            let longs = command.get_arguments().filter_map(clap::Arg::get_long);
            flags.extend(longs.map(|long| format!("--{long}")));
            commands.extend(command.get_subcommands().cloned());
        }
        for &argument in Argument::ALL {
            let named = flag(argument).split(' ').filter(|word| word.starts_with("--"));
            let unknown: Vec<&str> =
                named.filter(|word| !flags.iter().any(|f| f == word)).collect();
            assert!(unknown.is_empty(), "{argument:?}: {unknown:?}");
        }
    }
}
