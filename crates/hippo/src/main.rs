//! The `hippo` command. This file lists its subcommands; each has a file in `cmd/`.

mod args;
mod cmd;
mod complete;
mod explain;
mod fail;
mod graphs;
mod interrupt;
mod output;
mod pictures;
mod progress;
mod ranges;
mod readings;
mod remedy;
mod synonyms;
mod tours;
mod trace;
mod usage;

use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use fail::Fail;
use output::OutputMode;
use std::process::ExitCode;

/// Find, enumerate, sample, count, check and draw knight's tours, and make puzzles of them.
#[derive(Parser)]
#[command(name = "hippo", version, propagate_version = true, arg_required_else_help = true)]
#[command(disable_help_flag = true, disable_version_flag = true, max_term_width = 100)]
#[command(next_help_heading = args::COMMON)]
#[command(after_help = after_help())]
struct Hippo {
    /// Print results as JSON on standard output
    #[arg(long, global = true, display_order = 1000)]
    json: bool,
    /// Print no progress and no remarks on standard error
    #[arg(long, short, global = true, display_order = 1001)]
    quiet: bool,
    /// Print help
    #[arg(long, short, global = true, display_order = 1002, action = ArgAction::HelpShort)]
    help: Option<bool>,
    /// Print version
    #[arg(long, short = 'V', global = true, display_order = 1003, action = ArgAction::Version)]
    version: Option<bool>,
    #[command(subcommand)]
    command: Command,
}

/// Returns the end of the help page: where to start, and the exit codes.
fn after_help() -> String {
    let codes = fail::EXIT_CODES.iter().map(|(code, meaning)| format!("  {code:<8}  {meaning}\n"));
    format!(
        "Exit status:\n{}\nStart with: hippo find 8x8\nMore on a command: hippo help find",
        codes.collect::<String>()
    )
}

#[derive(Subcommand)]
enum Command {
    Find(cmd::find::Find),
    Enumerate(cmd::enumerate::Enumerate),
    Sample(cmd::sample::Sample),
    Count(cmd::count::Count),
    Tune(cmd::tune::Tune),
    Race(cmd::race::Race),
    Reproduce(cmd::reproduce::Reproduce),
    Check(cmd::check::Check),
    Draw(cmd::draw::Draw),
    Puzzle(cmd::puzzle::PuzzleCommand),
    Convert(cmd::convert::Convert),
    Export(cmd::export::Export),
    Store(cmd::store::Store),
    Job(cmd::job::Job),
    Board(cmd::board::Board),
    Solvers(cmd::solvers::Solvers),
    Cache(cmd::cache::Cache),
    Serve(cmd::serve::Serve),
    Completions(cmd::packaging::Completions),
    Man(cmd::packaging::Man),
}

fn run(hippo: Hippo) -> Result<u8, Fail> {
    let mode = OutputMode { json: hippo.json, quiet: hippo.quiet };
    graphs::set_mode(mode);
    match hippo.command {
        Command::Find(c) => c.run(mode),
        Command::Enumerate(c) => c.run(mode),
        Command::Sample(c) => c.run(mode),
        Command::Count(c) => c.run(mode),
        Command::Tune(c) => c.run(mode),
        Command::Race(c) => c.run(mode),
        Command::Reproduce(c) => c.run(mode),
        Command::Check(c) => c.run(mode),
        Command::Draw(c) => c.run(mode),
        Command::Puzzle(c) => c.run(mode),
        Command::Convert(c) => c.run(mode),
        Command::Export(c) => c.run(mode),
        Command::Store(c) => c.run(mode),
        Command::Job(c) => c.run(mode),
        Command::Board(c) => c.run(mode),
        Command::Solvers(c) => c.run(mode),
        Command::Cache(c) => c.run(mode),
        Command::Serve(c) => c.run(mode),
        Command::Completions(c) => c.run(),
        Command::Man(c) => c.run(Hippo::command()),
    }
}

fn asks_for_json() -> bool {
    std::env::args_os().skip(1).take_while(|word| word != "--").any(|word| word == "--json")
}

fn main() -> ExitCode {
    complete::answer();
    let parsed = Hippo::command().try_get_matches().and_then(|matches| {
        let mut hippo = Hippo::from_arg_matches(&matches)?;
        if let (Command::Enumerate(c), Some((_, given))) =
            (&mut hippo.command, matches.subcommand())
        {
            c.note_given(given);
        }
        Ok(hippo)
    });
    // A command line that does not parse may still ask for JSON.
    let json = parsed.as_ref().map_or_else(|_| asks_for_json(), |hippo| hippo.json);
    let outcome = parsed.map_err(|e| usage::explain(&e, Hippo::command())).and_then(run);
    let code = outcome.unwrap_or_else(|fail| fail.report(json));
    ExitCode::from(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Hippo::command().debug_assert();
    }

    /// Returns the commands at all levels, except `help`.
    fn commands() -> Vec<clap::Command> {
        let mut hippo = Hippo::command();
        hippo.build();
        let (mut open, mut all) = (vec![hippo], Vec::new());
        while let Some(command) = open.pop() {
            let own = command.get_subcommands().filter(|c| c.get_name() != "help");
            open.extend(own.cloned());
            all.push(command);
        }
        all.remove(0);
        all
    }

    #[test]
    fn every_command_shows_an_example() {
        for mut command in commands() {
            let help = command.render_help().to_string();
            assert!(help.contains("Example:") && help.contains("  hippo "), "{command}");
        }
    }

    #[test]
    fn every_option_takes_one_line_and_common_options_are_last() {
        for command in commands() {
            let help = command.clone().term_width(100).render_help().to_string();
            let wrapped = help.lines().find(|line| line.starts_with("           "));
            assert_eq!(wrapped, None, "{command}");
            let headings = help.lines().filter(|l| l.ends_with(':') && !l.starts_with(' '));
            let headings: Vec<&str> = headings.filter(|l| *l != "Example:").collect();
            assert_eq!(headings.last(), Some(&"Common options:"), "{command}");
        }
    }

    #[test]
    fn choices_that_are_not_listed_are_in_the_sentence() {
        for command in commands() {
            let options = command.get_arguments().filter(|a| a.is_hide_possible_values_set());
            for option in options.filter(|option| !option.get_possible_values().is_empty()) {
                let help = option.get_help().map(ToString::to_string).unwrap_or_default();
                let values = option.get_possible_values();
                let pictures = ["svg", "png", "gif", "pdf"];
                let named = |v: &str| help.contains(v) || pictures.contains(&v);
                assert!(values.iter().all(|v| named(v.get_name())), "{command} {option}");
            }
        }
    }
}
