//! `hippo`: the command of Hippodrome. One file a command in `cmd/`; this is their table.

mod args;
mod cmd;
mod fail;
mod graphs;
mod interrupt;
mod output;
mod progress;
mod remedy;
mod tours;
mod trace;
mod usage;

use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use fail::Fail;
use output::OutputMode;
use std::process::ExitCode;

/// Knight's tours: find, enumerate, count, check and draw them.
#[derive(Parser)]
#[command(name = "hippo", version, propagate_version = true, arg_required_else_help = true)]
#[command(disable_help_flag = true, max_term_width = 100)]
#[command(after_help = "Start with: hippo find 8x8\nMore on a command: hippo help find")]
struct Hippo {
    /// Results as JSON on standard output
    #[arg(long, global = true)]
    json: bool,
    /// No progress and no remarks on standard error
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Print help
    #[arg(long, short, global = true, action = ArgAction::HelpShort)]
    help: Option<bool>,
    #[command(subcommand)]
    command: Command,
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
    Convert(cmd::convert::Convert),
    Export(cmd::export::Export),
    Store(cmd::store::Store),
    Job(cmd::job::Job),
    Board(cmd::board::Board),
    Solvers(cmd::solvers::Solvers),
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
        Command::Convert(c) => c.run(mode),
        Command::Export(c) => c.run(mode),
        Command::Store(c) => c.run(mode),
        Command::Job(c) => c.run(mode),
        Command::Board(c) => c.run(mode),
        Command::Solvers(c) => c.run(mode),
        Command::Serve(c) => c.run(mode),
        Command::Completions(c) => c.run(Hippo::command()),
        Command::Man(c) => c.run(Hippo::command()),
    }
}

fn asks_for_json() -> bool {
    std::env::args_os().skip(1).take_while(|word| word != "--").any(|word| word == "--json")
}

fn main() -> ExitCode {
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
    let outcome = parsed.map_err(|e| usage::explain(&e, &Hippo::command())).and_then(run);
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

    #[test]
    fn every_command_shows_an_example() {
        let mut commands: Vec<clap::Command> =
            Hippo::command().get_subcommands().cloned().collect();
        while let Some(mut command) = commands.pop() {
            let help = command.render_help().to_string();
            assert!(help.contains("Example:") && help.contains("  hippo "), "{command}");
            // Rendering adds a command of its own.
            let own = command.get_subcommands().filter(|c| c.get_name() != "help");
            commands.extend(own.cloned());
        }
    }
}
