//! The page: paper beside ours, made from definitions and records alone.

use super::{Definition, Judged, Record, Verdict, judge};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many cells got each verdict, in words.
pub fn tally<'a>(judged: impl Iterator<Item = &'a Judged<'a>>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut order = Vec::new();
    for cell in judged {
        let words = match cell.verdict {
            Verdict::Differs if cell.cell.because.is_some() => "differ (explained)",
            verdict => verdict.words(),
        };
        if !order.contains(&words) {
            order.push(words);
        }
        *counts.entry(words).or_default() += 1;
    }
    order.sort_unstable();
    let parts: Vec<String> =
        order.iter().map(|words| format!("{} {words}", counts[words])).collect();
    parts.join(", ")
}

/// The page. Experiments without a record are listed as not run.
pub fn page(definitions: &[Definition], records: &BTreeMap<String, Record>) -> String {
    let mut text = String::from(
        "# The papers, asked again\n\nMade by `hippo reproduce`; not written by hand. Each cell's rule was \
         fixed before it was run:\n*exact* is the same number, *within error* the 99% interval of the \
         difference by the spread of our runs\nand the number of runs of both sides.\n",
    );
    let judged: Vec<Judged<'_>> = definitions
        .iter()
        .filter_map(|d| records.get(&d.id).map(|record| (d, record)))
        .flat_map(|(d, record)| d.cell.iter().map(move |cell| judge(cell, record)))
        .collect();
    let _ = writeln!(text, "\nIn all: {}.", tally(judged.iter()));
    for definition in definitions {
        let _ = write!(
            text,
            "\n## {}\n\n{}. {}\n\n",
            definition.id, definition.paper, definition.question
        );
        let Some(record) = records.get(&definition.id) else {
            text += "Not run.\n";
            continue;
        };
        text += "| | paper | ours | verdict |\n|---|---|---|---|\n";
        for cell in &definition.cell {
            let judged = judge(cell, record);
            let paper = cell.paper.as_deref().unwrap_or("");
            let _ = writeln!(
                text,
                "| {} | {paper} | {} | {} |",
                cell.name,
                judged.in_words(),
                judged.verdict.words()
            );
        }
        let _ = writeln!(text, "\n{} (Scale: {}.)", definition.answer, record.scale);
        for cell in definition.cell.iter().filter(|cell| cell.because.is_some()) {
            let because = cell.because.as_deref().unwrap_or_default();
            let _ = writeln!(text, "\n- {}: {because}", cell.name);
        }
    }
    text
}

impl Judged<'_> {
    /// Ours, with its interval where the rule looks at one.
    pub fn in_words(&self) -> String {
        let Some(value) = self.ours else { return String::new() };
        match self.interval {
            Some((_, high)) => format!("{} ± {}", number(value), number(high - value)),
            None => number(value),
        }
    }
}

/// A number with as many digits as say something.
fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        let digits = format!("{:.0}", value.abs());
        let mut text = String::from(if value < 0.0 { "-" } else { "" });
        for (at, digit) in digits.char_indices() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        return text;
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    format!("{value:.digits$}")
}
