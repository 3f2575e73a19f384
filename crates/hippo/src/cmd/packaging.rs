//! `hippo completions` and `hippo man`, which print files for packagers.

use crate::complete;
use crate::fail::{DONE, EXIT_CODES, Fail};
use crate::usage::did_you_mean;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};
use std::io::{self, Write};

/// Print a completion script for a shell
#[derive(Args)]
#[command(after_help = "Example:\n  hippo completions bash > hippo.bash")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Prints the completion script.
    pub fn run(self) -> Result<u8, Fail> {
        let mut script = Vec::new();
        complete::write_script(&self.shell.to_string(), &mut script)?;
        io::stdout().lock().write_all(&script)?;
        Ok(DONE)
    }
}

/// Print the manual page of hippo or of a command
#[derive(Args)]
#[command(after_help = "Example:\n  hippo man find | man -l -")]
pub struct Man {
    /// The command, as in find or job plan [default: all of hippo]
    #[arg(value_name = "COMMAND")]
    of: Vec<String>,
}

impl Man {
    /// Prints the manual page.
    pub fn run(self, hippo: Command) -> Result<u8, Fail> {
        let mut hippo = without_help(hippo);
        hippo.build();
        let mut command = &hippo;
        for name in &self.of {
            command = command.find_subcommand(name).ok_or_else(|| {
                let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
                Fail::usage(format!("there is no command '{name}'; {}", did_you_mean(name, &names)))
            })?;
        }
        let text = page(command.clone(), &hippo)?;
        io::stdout().lock().write_all(text.as_bytes())?;
        Ok(DONE)
    }
}

/// Removes the `help` subcommands.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "XDG_CACHE_HOME",
        "Folder of caches, if it is an absolute path. The default is ~/.cache. On macOS it is ~/Library/Caches, on Windows %LOCALAPPDATA%.",
    ),
    ("NO_COLOR", "If set and not empty, help and progress bars have no colours."),
    (
        complete::VARIABLE,
        "Set by completion scripts, which ask hippo for the words that may follow.",
    ),
];

const FILES: &[(&str, &str)] = &[
    (
        "~/.cache/hippodrome/*.table",
        "Tables of exact draws, kept by sample, count --estimate and the solver uniform. They can be deleted at any time: hippo cache clear.",
    ),
    (
        "DIR/job.json, DIR/units/, DIR/record.json",
        "A job folder (--out DIR): its definition, the results of its units, and the record of the finished job.",
    ),
    (
        "DIR/tours.parquet, DIR/curve.csv",
        "The distinct tours of a finished enumeration, and its production curve.",
    ),
];

/// Returns the manual page of a command.
fn page(command: Command, hippo: &Command) -> Result<String, Fail> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (notes, examples) = help.split_once("Example:\n").unwrap_or((&help, ""));
    let is_hippo = command.get_name() == hippo.get_name();
    let usage = command.clone().render_usage().to_string();
    let has_commands = command.has_subcommands();
    let man = clap_mangen::Man::new(command.subcommand_help_heading("COMMANDS"))
        .manual("Hippodrome")
        .source(format!("hippo {}", hippo.get_version().unwrap_or_default()));
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    section(&mut text, "SYNOPSIS", |roff| {
        let form = usage.trim_start_matches("Usage: ");
        roff.text([bold(form)]);
    })?;
    man.render_description_section(&mut text)?;
    if !is_hippo && !notes.trim().is_empty() {
        let mut roff = Roff::new();
        for line in notes.trim().lines() {
            roff.control("PP", []);
            roff.text([roman(line)]);
        }
        roff.to_writer(&mut text)?;
    }
    if has_commands {
        man.render_subcommands_section(&mut text)?;
    }
    let mut options = Vec::new();
    man.render_options_section(&mut options)?;
    text.extend(under_one_heading(&String::from_utf8_lossy(&options)).into_bytes());
    terms(&mut text, "EXIT STATUS", EXIT_CODES, bold)?;
    terms(&mut text, "ENVIRONMENT", ENVIRONMENT, bold)?;
    terms(&mut text, "FILES", FILES, italic)?;
    let examples = if is_hippo { EXAMPLES } else { examples };
    section(&mut text, "EXAMPLES", |roff| {
        roff.control("nf", []);
        for line in examples.lines() {
            roff.text([roman(line.trim())]);
        }
        roff.control("fi", []);
    })?;
    section(&mut text, "SEE ALSO", |roff| {
        let others = hippo.get_subcommands().filter(|_| is_hippo).map(Command::get_name);
        let others = others.map(|name| format!("hippo-{name}"));
        let pages: Vec<String> = if is_hippo { others.collect() } else { vec!["hippo".into()] };
        let last = pages.len() - 1;
        for (at, page) in pages.iter().enumerate() {
            let comma = if at < last { "," } else { "" };
            roff.text([bold(page), roman(format!("(1){comma}"))]);
        }
        roff.control("PP", []);
        roff.text([roman(
            "The guide, in docs/guide of the source: one page for each kind of reader.",
        )]);
    })?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

const EXAMPLES: &str = "hippo find 8x8
hippo find 8x8 --closed -o tour.svg
hippo enumerate 5x5 --all --print
hippo sample 6x6 --closed -n 1000
hippo count 6x6 --closed
hippo serve --open";

fn section(out: &mut Vec<u8>, name: &str, body: impl FnOnce(&mut Roff)) -> io::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", [name]);
    body(&mut roff);
    roff.to_writer(out)
}

fn terms(
    out: &mut Vec<u8>,
    name: &str,
    entries: &[(&str, &str)],
    style: fn(String) -> Inline,
) -> io::Result<()> {
    section(out, name, |roff| {
        for (term, meaning) in entries {
            roff.control("TP", []);
            roff.text([style(term.to_string())]);
            roff.text([roman(*meaning)]);
        }
    })
}

/// Turns the help headings of the options into subsections of one section.
fn under_one_heading(options: &str) -> String {
    let mut text = String::from(".SH OPTIONS\n");
    for line in options.lines().filter(|&line| line != ".SH OPTIONS") {
        text += &match line.strip_prefix(".SH ") {
            Some(heading) => {
                let name = heading.trim_matches('"').to_lowercase();
                let (first, rest) = name.split_at(1);
                format!(".SS \"{}{rest}\"\n", first.to_uppercase())
            }
            None => format!("{line}\n"),
        };
    }
    text
}
