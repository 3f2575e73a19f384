//! `hippo solvers` lists the registered solvers.

use crate::OutputMode;
use crate::fail::{DONE, Fail};
use clap::Args;
use hippodrome::search::{Info, Param, ParamKind};
use hippodrome::solvers::registry::{Choice, SOLVERS};
use serde_json::{Value, json};

/// List the solvers, or describe one and its parameters
#[derive(Args)]
#[command(after_help = "Example:\n  hippo solvers warnsdorff")]
pub struct Solvers {
    /// Solver to describe
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Solvers {
    /// Prints all solvers, or one solver with its parameters.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        if let Some(name) = &self.name {
            let info = Choice::new::<&str>(name, &[])?.solver.info();
            mode.print(|| describe(info), || in_words(info))?;
            return Ok(DONE);
        }
        let infos = || SOLVERS.iter().map(|solver| solver.info());
        mode.print(
            || infos().map(describe).collect(),
            || {
                let width = infos().map(|i| i.name.len()).max().unwrap_or(0);
                let entry = |i: &Info| {
                    format!(
                        "{:width$}  {}\n{:width$}  Good for {}.\n",
                        i.name, i.summary, "", i.good_for
                    )
                };
                let list: String = infos().map(entry).collect();
                format!("{list}\n'hippo solvers NAME' lists a solver's parameters.")
            },
        )?;
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
        "title": info.title,
        "family": info.family,
        "summary": info.summary,
        "good_for": info.good_for,
        "source": info.source,
        "params": info.params.iter().map(param).collect::<Value>(),
        "measures": info.measures.iter().map(|m| json!({ "name": m.name, "help": m.help })).collect::<Value>(),
    })
}

fn in_words(info: &Info) -> String {
    let Info { name, summary, good_for, source, .. } = info;
    let mut text = format!("{name}: {summary}\nGood for {good_for}.\nSource: {source}.\n");
    text += &match info.params {
        [] => "\nIt has no parameters.\n".into(),
        [first, ..] => format!("\nParameters, as in --param {}={}:\n", first.name, first.default),
    };
    for param in info.params {
        text += &format!("\n  {} (default {}): {}\n", param.name, param.default, param.help);
        match words(&param.kind) {
            [] => text += &format!("      {}\n", param.kind),
            words => {
                for (word, meaning) in words {
                    text += &format!("      {word:13} {meaning}\n");
                }
            }
        }
        if matches!(param.kind, ParamKind::Order(_)) {
            text += "      DIGITS        any permutation of the move numbers, as in 04251736\n";
        }
    }
    if !info.measures.is_empty() {
        text += "\nStatistics, which 'hippo enumerate' prints:\n\n";
    }
    for measure in info.measures {
        text += &format!("  {}: {}\n", measure.name, measure.help);
    }
    text
}
