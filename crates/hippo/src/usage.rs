//! Rewords the errors of the argument parser: each becomes one sentence that says what to type.

use crate::args::intended_board;
use crate::fail::Fail;
use crate::synonyms::{COMMANDS, OPTIONS, meant};
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command};
use hippodrome::error::joined;
use hippodrome::search::nearest;
use std::error::Error as _;

/// Turns an error of the argument parser into one sentence. Help and version texts are printed unchanged.
pub fn explain(error: &Error, mut hippo: Command) -> Fail {
    hippo.build();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
            Ok(()) => Fail::silent(crate::fail::DONE),
            Err(error) => error.into(),
        },
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            Fail::silent(crate::fail::USAGE)
        }
        _ => Fail::usage(sentence(error, &hippo)),
    }
}

fn sentence(error: &Error, hippo: &Command) -> String {
    let words = |kind| words(error.get(kind));
    let first = |kind| words(kind).first().map(|word| bare(word)).unwrap_or_default();
    let option = first(ContextKind::InvalidArg);
    let value = first(ContextKind::InvalidValue);
    let called = called(hippo);
    let command = called.get_bin_name().unwrap_or("hippo");
    let names = || called.get_subcommands().map(Command::get_name).filter(|&name| name != "help");
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let given = first(ContextKind::InvalidSubcommand);
            let hint = match meant(COMMANDS, &given) {
                [] => did_you_mean(&given, &names().collect::<Vec<_>>()),
                known => format!("did you mean {}?", joined(known, "or")),
            };
            format!("there is no command '{given}'; {hint}")
        }
        ErrorKind::MissingSubcommand => {
            let names: Vec<&str> = names().collect();
            format!("no command is given; choose from {}", names.join(", "))
        }
        ErrorKind::UnknownArgument if negative_board().is_some() => {
            let given = negative_board().unwrap_or_default();
            format!("'{given}' is not a board; write ROWSxCOLS with sides of at least 1, as in 8x8")
        }
        ErrorKind::UnknownArgument => {
            let hint = match similar_option(&option, called).or_else(|| board_in_parts(&option)) {
                Some(near) => format!("did you mean {near}?"),
                None if option.starts_with('-') => format!("see '{command} --help'"),
                None => format!("leave it out, or see '{command} --help'"),
            };
            format!("unexpected argument '{option}'; {hint}")
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
            let hint = did_you_mean(&value, &listed);
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
            format!("{missing} is missing; add it, or see '{command} --help'")
        }
        _ => {
            let text = error.render().to_string();
            let said = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            format!("{said}; see '{command} --help'")
        }
    }
}

/// Suggests the most similar word, or lists all words if none is similar.
pub fn did_you_mean(given: &str, names: &[&str]) -> String {
    match nearest(given, names.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("choose from {}", names.join(", ")),
    }
}

/// Returns the bare name of an argument: `--solver` for `--solver <NAME>`, `SHELL` for `<SHELL>`.
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

/// Returns the option of a command that was probably meant: one with a similar name, or a synonym.
fn similar_option(typed: &str, command: &Command) -> Option<String> {
    let longs: Vec<&str> = command.get_arguments().filter_map(Arg::get_long).collect();
    let takes_board = command.get_positionals().any(|arg| arg.get_id() == "board");
    let known = |word: &&&str| match word.split(' ').next() {
        Some("-o") => longs.contains(&"output"),
        Some(word) if word.starts_with("--") => longs.contains(&&word[2..]),
        _ => takes_board,
    };
    if let Some(word) = meant(OPTIONS, typed).iter().find(known) {
        return Some(match *word {
            "ROWSxCOLS" => "the board alone, as in 8x8".into(),
            word => word.into(),
        });
    }
    // The parser reads -solver as -s.
    let single = words_typed().find(|word| word.starts_with(typed) && !word.starts_with("--"));
    let name = match typed.strip_prefix("--") {
        Some(name) => name.into(),
        None => single?.trim_start_matches('-').split('=').next().unwrap_or_default().to_string(),
    };
    let similar = nearest(&name, longs.iter().copied()).filter(|_| name.len() > 1);
    similar.map(|long| format!("--{long}"))
}

/// Returns the board that was typed as several words: `8 8` or `8 x 8`.
fn board_in_parts(typed: &str) -> Option<String> {
    let words: Vec<String> = words_typed().collect();
    let at = words.iter().position(|word| word == typed).filter(|&at| at > 0)?;
    let last = (at + 2).min(words.len());
    // Of two equal words, as in `8 8`, the first is found.
    let parts = [&words[at - 1..=at], &words[at - 1..last], &words[at..last]];
    let board = |part: &&[String]| intended_board(&part.join(" ")).filter(|_| part.len() > 1);
    parts.iter().find_map(board)
}

fn words_typed() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).filter_map(|word| word.into_string().ok())
}

/// Returns a word such as `-3x4`, which looks like an option but is meant as a board.
fn negative_board() -> Option<String> {
    let is_side = |side: &str| {
        let digits = side.strip_prefix('-').unwrap_or(side);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    words_typed().find(|word| {
        let sides = word.split_once('x');
        word.starts_with('-') && sides.is_some_and(|(rows, cols)| is_side(rows) && is_side(cols))
    })
}

/// Returns the subcommand that the typed words name, or `hippo` itself.
fn called(hippo: &Command) -> &Command {
    let mut command = hippo;
    for word in words_typed() {
        match command.find_subcommand(&word) {
            Some(below) => command = below,
            None if word.starts_with('-') => {}
            None => break,
        }
    }
    command
}
