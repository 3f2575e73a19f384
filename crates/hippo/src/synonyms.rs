//! Synonyms of commands and options, with their real names. The command suggests the real name; it does not
//! accept the synonym.
//!
//! The synonyms of solvers are in the library's registry, which the page and Python use as well.

/// Synonyms of commands, and what to type after `hippo` instead.
pub const COMMANDS: &[(&[&str], &[&str])] = &[
    (&["solve", "search", "tour", "path"], &["find"]),
    (&["generate", "gen", "create", "new", "make"], &["find", "sample"]),
    (&["list", "all", "tours", "stream"], &["enumerate"]),
    (&["random", "uniform"], &["sample"]),
    (&["number", "estimate"], &["count"]),
    (&["animate", "animation", "gif", "movie", "video"], &["draw -o tour.gif"]),
    (&["show", "plot", "render", "picture", "image", "print", "svg", "png"], &["draw"]),
    (&["verify", "validate", "test", "classify"], &["check"]),
    (&["compare", "benchmark", "bench"], &["race"]),
    (&["optimise", "optimize", "calibrate"], &["tune"]),
    (&["experiment", "experiments", "paper", "papers"], &["reproduce"]),
    (&["info", "describe", "facts", "graph"], &["board"]),
    (&["solver", "algorithm", "algorithms", "method", "methods"], &["solvers"]),
    (&["web", "server", "gui", "ui", "page"], &["serve"]),
    (&["translate", "format"], &["convert"]),
    (&["resume"], &["enumerate --resume DIR", "count --resume DIR"]),
    (&["merge", "status", "submit", "plan"], &["job"]),
    (&["union", "difference", "contains"], &["store"]),
    (&["manual"], &["man"]),
    (&["version"], &["--version"]),
];

/// Synonyms of options, and what to type instead. If there are several, the first one that the command
/// supports is suggested.
///
/// Entries that do not begin with a dash apply to every command that takes a board.
pub const OPTIONS: &[(&[&str], &[&str])] = &[
    (
        &["-n", "--limit", "--count", "--number", "--num", "--max", "--many"],
        &["--tour", "--tours", "hippo enumerate --tours N"],
    ),
    (&["--size", "--rows", "--cols", "--columns", "--width", "--height", "-b"], &["ROWSxCOLS"]),
    (&["--board"], &["ROWSxCOLS"]),
    (&["--output", "--out", "--save", "--file", "-o"], &["--output", "--out", "--html", "--print"]),
    (&["--algorithm", "--algo", "--method", "--strategy", "-s"], &["--solver", "--solvers"]),
    (&["--solvers"], &["--solver"]),
    (&["--solver"], &["--solvers", "--compare"]),
    (&["--params", "--parameter", "--set", "-p"], &["--param", "--vary"]),
    (&["--timeout", "--time-limit", "--max-time", "--seconds", "-t"], &["--time"]),
    (&["--jobs", "--cores", "--cpus", "--parallel", "-j"], &["--threads"]),
    (&["--random-seed", "--rng"], &["--seed"]),
    (&["--tries", "--iterations", "--steps"], &["--attempts", "--trials"]),
    (&["--repeat", "--repeats", "--repetitions"], &["--runs"]),
    (&["--cycle", "--cyclic", "--circuit", "--loop", "--reentrant", "-c"], &["--closed"]),
    (&["--from", "--begin", "--source"], &["--start"]),
    (&["--to", "--finish", "--target", "--stop"], &["--end"]),
    (&["--piece", "--moves-like", "--knight"], &["--leaper"]),
    (&["--remove", "--blocked", "--missing", "--without"], &["--holes"]),
    (&["--unique", "--symmetry", "--dedupe"], &["--distinct", "--classes"]),
    (&["--filter", "--only"], &["--where"]),
    (&["--list", "--show"], &["--print"]),
    (&["--type", "--as", "-f"], &["--format", "--kind"]),
    (&["--svg", "--png", "--gif", "--picture"], &["-o tour.svg", "hippo find 8x8 -o tour.svg"]),
    (&["--ram", "--mem", "-m"], &["--memory"]),
    (&["--continue"], &["--resume"]),
    (&["--plan", "--explain", "--simulate"], &["--dry-run"]),
    (&["--silent"], &["--quiet"]),
    (&["--directory", "--dir", "--folder", "-d"], &["--out"]),
];

/// Returns the real names for a synonym in a table; empty if the word is not in it.
pub fn meant(
    table: &'static [(&'static [&'static str], &'static [&'static str])],
    typed: &str,
) -> &'static [&'static str] {
    let typed = typed.to_lowercase().replace('_', "-");
    table.iter().find(|(words, _)| words.contains(&&*typed)).map_or(&[], |(_, meant)| meant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hippo;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    #[test]
    fn synonyms_of_commands_lead_to_commands() {
        let hippo = Hippo::command();
        let mut seen = BTreeSet::new();
        for (words, targets) in COMMANDS {
            for word in *words {
                assert!(hippo.find_subcommand(word).is_none() && seen.insert(word), "{word}");
                assert_eq!(meant(COMMANDS, word), *targets);
            }
            for target in *targets {
                let name = target.split(' ').next().expect("a word");
                assert!(name.starts_with('-') || hippo.find_subcommand(name).is_some(), "{target}");
            }
        }
        assert!(meant(COMMANDS, "find").is_empty());
    }

    #[test]
    fn synonyms_of_options_lead_to_options() {
        let (mut commands, mut options) = (vec![Hippo::command()], BTreeSet::new());
        while let Some(command) = commands.pop() {
            let longs = command.get_arguments().filter_map(|arg| arg.get_long());
            options.extend(longs.map(|long| format!("--{long}")));
            let shorts = command.get_arguments().filter_map(|arg| arg.get_short());
            options.extend(shorts.map(|short| format!("-{short}")));
            commands.extend(command.get_subcommands().cloned());
        }
        let mut seen = BTreeSet::new();
        for (words, targets) in OPTIONS {
            assert!(words.iter().all(|word| word.starts_with('-') && seen.insert(word)));
            for target in targets.iter().filter(|target| target.starts_with('-')) {
                let name = target.split(' ').next().expect("a word");
                assert!(options.contains(name), "{target}");
            }
        }
    }
}
