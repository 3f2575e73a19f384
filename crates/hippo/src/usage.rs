//! What the argument parser complains of, as one sentence that says what to type.

use crate::fail::Fail;
use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use hippodrome::search::nearest;
use std::error::Error as _;

/// Folds a complaint of the parser into one sentence. Help and version are printed as they are.
pub fn explain(error: &Error, hippo: &Command) -> Fail {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
            Ok(()) => Fail::silent(crate::fail::DONE),
            Err(error) => error.into(),
        },
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            Fail::silent(crate::fail::USAGE)
        }
        _ => Fail::usage(sentence(error, hippo)),
    }
}

fn sentence(error: &Error, hippo: &Command) -> String {
    let words = |kind| words(error.get(kind));
    let first = |kind| words(kind).first().map(|word| bare(word)).unwrap_or_default();
    let option = first(ContextKind::InvalidArg);
    let value = first(ContextKind::InvalidValue);
    let command = command_line(hippo);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let given = first(ContextKind::InvalidSubcommand);
            let names: Vec<&str> = hippo.get_subcommands().map(Command::get_name).collect();
            let hint = advice(&given, &names);
            format!("there is no command '{given}'; {hint}")
        }
        ErrorKind::MissingSubcommand => {
            let names: Vec<&str> = hippo.get_subcommands().map(Command::get_name).collect();
            format!("no command is given; choose from {}", names.join(", "))
        }
        ErrorKind::UnknownArgument if board_below_nothing().is_some() => {
            let given = board_below_nothing().unwrap_or_default();
            format!("'{given}' is not a board; write ROWSxCOLS with sides from 1, as in 8x8")
        }
        ErrorKind::UnknownArgument => {
            let hint = match words(ContextKind::SuggestedArg).first() {
                Some(near) => format!("did you mean {}?", bare(near)),
                None if option.starts_with('-') => format!("see '{command} --help'"),
                None => format!("leave it out, or see '{command} --help'"),
            };
            format!("{command} does not take '{option}'; {hint}")
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            let full = words(ContextKind::InvalidArg).concat();
            let listed = words(ContextKind::ValidValue);
            let hint = if listed.is_empty() {
                format!("write {}", full.replace(['<', '>'], ""))
            } else {
                format!("choose from {}", listed.join(", "))
            };
            format!("{option} needs a value; {hint}")
        }
        ErrorKind::InvalidValue => {
            let listed = words(ContextKind::ValidValue);
            let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
            let hint = match nearest(&value, listed.iter().copied()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("choose from {}", listed.join(", ")),
            };
            format!("invalid value '{value}' for {option}; {hint}")
        }
        ErrorKind::ValueValidation => {
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            format!("invalid value '{value}' for {option}; {why}")
        }
        ErrorKind::ArgumentConflict => match first(ContextKind::PriorArg) {
            prior if prior == option => format!("{option} is given twice; leave one out"),
            prior => format!("{option} and {prior} do not go together; leave one out"),
        },
        ErrorKind::MissingRequiredArgument => {
            let missing = words(ContextKind::InvalidArg).join(" and ").replace(['<', '>'], "");
            format!("{command} needs {missing} here; add it, or see '{command} --help'")
        }
        _ => {
            let text = error.render().to_string();
            let said = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            format!("{said}; see '{command} --help'")
        }
    }
}

fn advice(given: &str, names: &[&str]) -> String {
    match nearest(given, names.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("choose from {}", names.join(", ")),
    }
}

/// `--solver` of `--solver <NAME>`, `SHELL` of `<SHELL>`.
fn bare(argument: &str) -> String {
    match argument.split_once(" <") {
        Some((name, _)) => name.to_string(),
        None => argument.trim_matches(['<', '>', '[', ']']).to_string(),
    }
}

fn words(value: Option<&ContextValue>) -> Vec<String> {
    match value {
        Some(ContextValue::String(word)) => vec![word.clone()],
        Some(ContextValue::Strings(words)) => words.clone(),
        _ => Vec::new(),
    }
}

/// A word such as `-3x4`, which looks like an option and is meant as a board.
fn board_below_nothing() -> Option<String> {
    let is_side = |side: &str| {
        let digits = side.strip_prefix('-').unwrap_or(side);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).find(|word| {
        let sides = word.split_once('x');
        word.starts_with('-') && sides.is_some_and(|(rows, cols)| is_side(rows) && is_side(cols))
    })
}

/// `hippo find` if that is what was called.
fn command_line(hippo: &Command) -> String {
    let named = std::env::args_os().skip(1).find_map(|word| {
        let word = word.to_str()?;
        hippo.find_subcommand(word).map(|command| format!("hippo {}", command.get_name()))
    });
    named.unwrap_or_else(|| "hippo".into())
}
