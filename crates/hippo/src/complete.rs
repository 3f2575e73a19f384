//! Shell completion. The completion script asks the command itself which words may come next.
//!
//! Solver names, parameters and option values therefore always agree with the registry and the parser.

use crate::Hippo;
use clap::{Arg, Command, CommandFactory, ValueHint};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};
use hippodrome::lab::experiment::experiments;
use hippodrome::search::{Info, Param, ParamKind};
use hippodrome::solvers::registry::SOLVERS;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

/// The environment variable that a completion script sets to the name of its shell.
pub const VARIABLE: &str = "HIPPO_COMPLETE";

const SHELLS: Shells<'static> = Shells(&[&BashScript, &Elvish, &Fish, &Powershell, &ZshScript]);

/// Prints completions and ends the process, if a completion script started it.
pub fn answer() {
    let command = || with_values(Hippo::command());
    CompleteEnv::with_factory(command).var(VARIABLE).shells(SHELLS).complete();
}

/// Writes the completion script for a shell.
pub fn write_script(shell: &str, out: &mut dyn Write) -> io::Result<()> {
    let unknown = || io::Error::other(format!("no completions for {shell}"));
    let completer = SHELLS.completer(shell).ok_or_else(unknown)?;
    completer.write_registration(VARIABLE, "hippo", "hippo", "hippo", out)
}

/// Adds completion of values to the arguments of a command and its subcommands.
fn with_values(command: Command) -> Command {
    command.mut_args(with_value).mut_subcommands(with_values)
}

fn with_value(arg: Arg) -> Arg {
    let kind = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    match (arg.get_id().as_str(), kind.as_deref()) {
        ("solver" | "solvers" | "compare" | "name", Some(_)) => {
            arg.add(ArgValueCompleter::new(complete_solver))
        }
        ("param" | "vary", Some(_)) => arg.add(ArgValueCompleter::new(complete_param)),
        ("ids", Some(_)) => arg.add(ArgValueCompleter::new(complete_experiment)),
        (_, Some("COMMAND")) => arg.add(ArgValueCompleter::new(complete_command)),
        (_, Some("NOTATION")) => arg.add(ArgValueCompleter::new(complete_notation)),
        (_, Some("FILE" | "GRAPH")) => arg.value_hint(ValueHint::FilePath),
        (_, Some("DIR")) => arg.value_hint(ValueHint::DirPath),
        (_, Some("SET" | "OTHER")) => arg.value_hint(ValueHint::AnyPath),
        _ => arg,
    }
}

fn infos() -> impl Iterator<Item = &'static Info> {
    SOLVERS.iter().map(|solver| solver.info())
}

/// Returns the words that begin with the typed text.
fn beginning(
    typed: &OsStr,
    words: impl Iterator<Item = (String, &'static str)>,
) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    words
        .filter(|(word, _)| word.starts_with(&*typed))
        .map(|(word, help)| {
            CompletionCandidate::new(word).help((!help.is_empty()).then(|| help.into()))
        })
        .collect()
}

/// Completes a solver given as `name` or `name:param=value`.
fn complete_solver(typed: &OsStr) -> Vec<CompletionCandidate> {
    let text = typed.to_string_lossy();
    let Some((head, pair)) = text.rsplit_once(':') else {
        return beginning(typed, infos().map(|info| (info.name.into(), info.summary)));
    };
    let name = head.split(':').next();
    let pairs = pairs(infos().filter(|info| Some(info.name) == name), pair);
    beginning(typed, pairs.into_iter().map(|(pair, help)| (format!("{head}:{pair}"), help)))
}

/// Completes `param=value` for the solver on the command line, or for all solvers if none is given.
fn complete_param(typed: &OsStr) -> Vec<CompletionCandidate> {
    let words: Vec<String> = std::env::args().collect();
    let after = words.iter().zip(words.iter().skip(1)).find(|(word, _)| *word == "--solver");
    let joined = || words.iter().find_map(|word| word.strip_prefix("--solver="));
    let solver = after.map(|(_, name)| name.as_str()).or_else(joined);
    let name = solver.and_then(|solver| solver.split(':').next());
    let known = infos().filter(|info| name.is_none_or(|name| info.name == name));
    beginning(typed, pairs(known, &typed.to_string_lossy()).into_iter())
}

/// Returns `param=` for every parameter, or `param=value` once the name of a parameter has been typed.
fn pairs(infos: impl Iterator<Item = &'static Info>, typed: &str) -> Vec<(String, &'static str)> {
    let mut seen = BTreeSet::new();
    let params = infos.flat_map(|info| info.params);
    let Some((name, _)) = typed.split_once('=') else {
        let fresh = params.filter(|param| seen.insert(param.name));
        return fresh.map(|param| (format!("{}=", param.name), param.help)).collect();
    };
    let values = params.filter(|param| param.name == name).flat_map(values);
    let fresh = values.filter(|(value, _)| seen.insert(*value));
    fresh.map(|(value, help)| (format!("{name}={value}"), help)).collect()
}

fn values(param: &'static Param) -> Vec<(&'static str, &'static str)> {
    match param.kind {
        ParamKind::Choice(words) | ParamKind::Order(words) => words.to_vec(),
        ParamKind::Int { .. } | ParamKind::Real { .. } => vec![(param.default, "the default")],
    }
}

/// Completes the name of an experiment or a paper.
fn complete_experiment(typed: &OsStr) -> Vec<CompletionCandidate> {
    let ids: Vec<String> = experiments().unwrap_or_default().into_iter().map(|d| d.id).collect();
    let papers: BTreeSet<String> =
        ids.iter().filter_map(|id| Some(id.split_once('.')?.0.to_string())).collect();
    beginning(typed, papers.into_iter().chain(ids).map(|id| (id, "")))
}

fn complete_command(typed: &OsStr) -> Vec<CompletionCandidate> {
    let hippo = Hippo::command();
    beginning(typed, hippo.get_subcommands().map(|c| (c.get_name().to_string(), "")))
}

fn complete_notation(typed: &OsStr) -> Vec<CompletionCandidate> {
    let words = ["grid", "moves", "digits", "json", "tsplib"];
    beginning(typed, words.into_iter().map(|word| (word.to_string(), "")))
}

/// The completion script for bash. Bash splits words at `=` and `:`, and replaces only the part after the
/// last of these characters.
struct BashScript;

const BASH: &str = r#"_hippo() {
    local line=${COMP_LINE:0:COMP_POINT} breaks=${COMP_WORDBREAKS//[^=:]/} head=
    local -a words
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    local index=$((${#words[@]} - 1))
    local word=${words[index]} IFS=$'\n'
    [[ -n $breaks ]] && head=${word%"${word##*[$breaks]}"}
    COMPREPLY=($(HIPPO_COMPLETE=bash _CLAP_IFS=$'\n' _CLAP_COMPLETE_INDEX=$index \
        hippo -- "${words[@]}" 2> /dev/null))
    COMPREPLY=("${COMPREPLY[@]#"$head"}")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/] ]] && compopt -o nospace 2> /dev/null
    return 0
}
complete -o bashdefault -o default -F _hippo hippo
"#;

/// The completion script for zsh. It adds no space after a name that ends in `=` or `/`.
struct ZshScript;

const ZSH: &str = r#"#compdef hippo
_hippo() {
    local -a lines open whole
    local line
    lines=("${(@f)$(HIPPO_COMPLETE=zsh _CLAP_IFS=$'\n' _CLAP_COMPLETE_INDEX=$((CURRENT - 1)) \
        hippo -- "${(@)words[1,CURRENT]}" 2> /dev/null)}")
    for line in $lines; do
        if [[ $line == *[=/] || $line == *[=/]:* ]]; then open+=("$line"); else whole+=("$line"); fi
    done
    (( $#open )) && _describe -V value open -S ''
    (( $#whole )) && _describe -V value whole
    return 0
}
if [[ $funcstack[1] == _hippo ]]; then _hippo "$@"; else compdef _hippo hippo; fi
"#;

macro_rules! own_script {
    ($shell:ident, $base:ident, $script:ident) => {
        impl EnvCompleter for $shell {
            fn name(&self) -> &'static str {
                $base.name()
            }
            fn is(&self, name: &str) -> bool {
                $base.is(name)
            }
            fn write_registration(
                &self,
                _: &str,
                _: &str,
                _: &str,
                _: &str,
                out: &mut dyn Write,
            ) -> io::Result<()> {
                out.write_all($script.as_bytes())
            }
            fn write_complete(
                &self,
                command: &mut Command,
                words: Vec<OsString>,
                folder: Option<&Path>,
                out: &mut dyn Write,
            ) -> io::Result<()> {
                $base.write_complete(command, words, folder, out)
            }
        }
    };
}
own_script!(BashScript, Bash, BASH);
own_script!(ZshScript, Zsh, ZSH);
