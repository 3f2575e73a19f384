//! `hippo solvers`: the registry.

use crate::OutputMode;
use crate::fail::{DONE, Fail};
use clap::Args;
use hippodrome::search::{Info, Param, ParamKind};
use hippodrome::solvers::registry::{Choice, SOLVERS};
use serde_json::{Value, json};
use std::io::{self, Write};

/// List the solvers, or tell about one and its parameters
#[derive(Args)]
#[command(after_help = "Example:\n  hippo solvers warnsdorff")]
pub struct Solvers {
    /// A solver
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Solvers {
    /// Prints the registry, or one entry.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let infos: Vec<&Info> = match &self.name {
            Some(name) => vec![Choice::new::<&str>(name, &[])?.solver.info()],
            None => SOLVERS.iter().map(|s| s.info()).collect(),
        };
        let mut out = io::stdout().lock();
        match (mode.json, &self.name) {
            (true, Some(_)) => writeln!(out, "{}", describe(infos[0]))?,
            (true, None) => {
                writeln!(out, "{}", infos.iter().map(|i| describe(i)).collect::<Value>())?
            }
            (false, Some(_)) => tell(infos[0], &mut out)?,
            (false, None) => {
                let width = infos.iter().map(|i| i.name.len()).max().unwrap_or(0);
                for info in infos {
                    writeln!(out, "{:width$}  {}", info.name, info.summary)?;
                    writeln!(out, "{:width$}  Good for {}.", "", info.good_for)?;
                }
                writeln!(out, "\n'hippo solvers NAME' lists a solver's parameters.")?;
            }
        }
        Ok(DONE)
    }
}

fn words(kind: &ParamKind) -> &'static [(&'static str, &'static str)] {
    match kind {
        ParamKind::Choice(words) | ParamKind::Order(words) => words,
        _ => &[],
    }
}

fn describe(info: &Info) -> Value {
    let param = |p: &Param| {
        let choices: Value = words(&p.kind).iter().map(|(w, _)| *w).collect();
        json!({ "name": p.name, "default": p.default, "range": p.kind.to_string(), "choices": choices, "help": p.help })
    };
    json!({
        "schema": 1,
        "name": info.name,
        "summary": info.summary,
        "good_for": info.good_for,
        "source": info.source,
        "params": info.params.iter().map(param).collect::<Value>(),
        "measures": info.measures.iter().map(|m| json!({ "name": m.name, "help": m.help })).collect::<Value>(),
    })
}

fn tell(info: &Info, out: &mut dyn Write) -> io::Result<()> {
    tell_params(info, out)?;
    if !info.measures.is_empty() {
        writeln!(out, "\nWhat it measures, in the statistics of 'hippo enumerate':\n")?;
    }
    info.measures.iter().try_for_each(|m| writeln!(out, "  {}: {}", m.name, m.help))
}

fn tell_params(info: &Info, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {}", info.name, info.summary)?;
    writeln!(out, "Good for {}.", info.good_for)?;
    writeln!(out, "Source: {}.", info.source)?;
    if info.params.is_empty() {
        return writeln!(out, "\nIt has no parameters.");
    }
    writeln!(
        out,
        "\nParameters, as in --param {}={}:",
        info.params[0].name, info.params[0].default
    )?;
    for param in info.params {
        writeln!(out, "\n  {} (default {}): {}", param.name, param.default, param.help)?;
        match words(&param.kind) {
            [] => writeln!(out, "      {}", param.kind)?,
            words => {
                for (word, meaning) in words {
                    writeln!(out, "      {word:13} {meaning}")?;
                }
                if matches!(param.kind, ParamKind::Order(_)) {
                    writeln!(
                        out,
                        "      {:13} any permutation of the move numbers, as in 04251736",
                        "DIGITS"
                    )?;
                }
            }
        }
    }
    Ok(())
}
