//! The page: paper beside ours, made from definitions and records alone.

use super::{
    CellVerdict, Definition, Erratum, ExperimentRecords, ExperimentScale, Grid, JudgedCell, Probe,
    figures, judge_all,
};
use crate::numerals::{grouped_digits, long_time};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What was kept of each experiment.
pub type Archive = BTreeMap<String, ExperimentRecords>;

/// How many cells got each verdict, in a line.
pub fn tally<'a>(judged: impl IntoIterator<Item = &'a JudgedCell<'a>>) -> String {
    let mut counts: BTreeMap<(CellVerdict, bool), usize> = BTreeMap::new();
    for cell in judged {
        let unexplained = cell.verdict == CellVerdict::Differs && cell.cell.because.is_none();
        *counts.entry((cell.verdict, unexplained)).or_default() += 1;
    }
    let count = |verdict, unexplained| counts.get(&(verdict, unexplained)).copied().unwrap_or(0);
    let always = [
        (count(CellVerdict::Exact, false), "cells exact"),
        (count(CellVerdict::Within, false), "within error"),
        (count(CellVerdict::Differs, false), "differ (explained)"),
        (count(CellVerdict::Erratum, false), "errata"),
    ];
    let if_any = [
        (count(CellVerdict::Differs, true), "differ without an explanation"),
        (count(CellVerdict::Holds, false), "claims hold"),
        (count(CellVerdict::Fails, false), "claims do not hold"),
        (count(CellVerdict::Told, false), "told without a verdict"),
        (count(CellVerdict::NotRun, false), "not run at this scale"),
    ];
    let shown = always.into_iter().chain(if_any.into_iter().filter(|(number, _)| *number > 0));
    shown.map(|(number, words)| format!("{number} {words}")).collect::<Vec<_>>().join(", ")
}

/// The pictures of an experiment, of the largest runs there are, with their names.
pub fn pictures(definition: &Definition, kept: &ExperimentRecords) -> Vec<(String, String)> {
    let mut drawn = kept.values().rev().map(|record| figures(definition, record));
    drawn.find(|all| !all.is_empty()).unwrap_or_default()
}

/// The page. Pictures are looked for in the folder `figures` beside it.
pub fn page(definitions: &[Definition], errata: &[Erratum], archive: &Archive) -> String {
    let nothing = ExperimentRecords::default();
    let kept = |d: &Definition| archive.get(&d.id).unwrap_or(&nothing);
    let mut text = String::from(HEAD);
    let judged: Vec<Vec<JudgedCell<'_>>> =
        definitions.iter().map(|d| judge_all(d, kept(d))).collect();
    let _ = writeln!(text, "\n**In all: {}.**\n", tally(judged.iter().flatten()));
    text += "| experiment | question | runs | verdicts |\n|---|---|---|---|\n";
    for (d, cells) in definitions.iter().zip(&judged) {
        let (link, runs, verdicts) = (link(&d.id), size_in_words(d, kept(d)), brief(cells));
        let _ = writeln!(text, "| {link} | {} | {runs} | {verdicts} |", d.question);
    }
    for d in definitions {
        text += &section(d, kept(d));
    }
    text += &list(errata);
    text
}

const HEAD: &str = "# The papers, asked again

Made by `hippo reproduce --out docs` from `docs/records` and `crates/hippodrome/experiments`; not written by hand. Every
cell has a rule in its definition. Most were fixed before their runs, some by those who knew earlier
measurements; where a rule, a start square or the number of runs was chosen after results were seen, the answer
says so, and claims whose bounds turned out to ask something else than the paper says are told without a verdict. *Exact*: the same number. *Within error*: the paper's number lies in the 99% interval of the
difference, by Student's law, from the spread of our runs and the number of runs of both sides (the paper's
runs are taken to scatter as ours); its half width stands after ±. *Differs*: it does not; the reason is told
where there is one. *Erratum*: the paper contradicts itself or what can be counted, and ours is the number
corrected as told; these are the cells among the errata that are listed at the end. *Holds* and *does not
hold*: a claim in words, with the bounds that were fixed for it. *Not run*: it needs larger runs than there
are yet. Cells without a verdict are told for what they are worth; some numbers are printed by two papers and
asked twice. *Full* runs have the papers' size, *quick* ones are smaller; how long full runs take is guessed
from the time of quick ones, beside other work, and likely too long. hk2004 and hk2005 are Hingston &
Kendall, gs2004 Gordon & Slocum, ag2007 Al-Gharaibeh et al., tcd2020 the comparison of 2020.
";

/// A link to an experiment's section.
fn link(id: &str) -> String {
    format!("[{id}](#{})", id.replace('.', ""))
}

/// Verdicts in a few words.
fn brief(cells: &[JudgedCell<'_>]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| cell.verdict != CellVerdict::Told) {
        *counts.entry(cell.verdict.words()).or_default() += 1;
    }
    let parts: Vec<String> = counts.iter().map(|(words, n)| format!("{n} {words}")).collect();
    parts.join(", ")
}

/// What was run, and how long the rest would take.
fn size_in_words(definition: &Definition, kept: &ExperimentRecords) -> String {
    let (quick, full) = (ExperimentScale::Quick, ExperimentScale::Full);
    let whole = |scale| kept.get(&scale).is_some_and(|r| r.is_whole(definition, scale));
    if whole(full) {
        return "full".into();
    }
    let same = definition.probe.values().all(Probe::is_one_size);
    let guess = kept.get(&quick).and_then(|r| r.guess_full(definition, quick));
    let guess =
        guess.map_or(String::new(), |s| format!("; full: about {} on 2 cores", long_time(s / 2.0)));
    match (kept.contains_key(&full), whole(quick)) {
        (_, true) if same => "full".into(),
        (true, _) => format!("full in part{guess}"),
        (false, true) => format!("quick only{guess}"),
        (false, false) if kept.contains_key(&quick) => "quick in part".into(),
        (false, false) => "none".into(),
    }
}

fn section(definition: &Definition, kept: &ExperimentRecords) -> String {
    let Definition { id, paper, question, answer, .. } = definition;
    let mut text = format!("\n## {id}\n\n{paper}. {question}\n\n");
    if kept.is_empty() {
        return text + "Not run.\n";
    }
    let _ = writeln!(text, "{answer} (Runs: {}.)\n", size_in_words(definition, kept));
    let judged = judge_all(definition, kept);
    if judged.iter().any(|j| j.cell.square.is_none()) {
        text += "| | paper | ours | verdict |\n|---|---|---|---|\n";
    }
    for cell in judged.iter().filter(|j| j.cell.square.is_none()) {
        let paper = cell.cell.paper.as_deref().unwrap_or("");
        let (ours, words) = (cell.in_words(), cell.verdict_in_words(definition));
        let _ = writeln!(text, "| {} | {paper} | {ours} | {words} |", cell.cell.name);
    }
    for (number, grid) in definition.grid.iter().enumerate() {
        let of = |j: &&JudgedCell<'_>| j.cell.square.as_ref().is_some_and(|s| s.0 == number);
        text += &board(grid, &judged.iter().filter(of).collect::<Vec<_>>());
    }
    for (name, _) in pictures(definition, kept) {
        let _ = writeln!(text, "\n![{id}](figures/{name})");
    }
    let differs = [CellVerdict::Differs, CellVerdict::Fails, CellVerdict::Erratum];
    let mut told = Vec::new();
    for JudgedCell { cell, .. } in judged.iter().filter(|j| differs.contains(&j.verdict)) {
        let Some(because) = cell.because.as_ref().filter(|because| !told.contains(because)) else {
            continue;
        };
        told.push(because);
        let name = match &cell.square {
            Some((number, _)) => &definition.grid[*number].name,
            None => &cell.name,
        };
        let _ = writeln!(text, "\n- {name}: {because}.");
    }
    text
}

/// A board of values: the paper's above ours.
fn board(grid: &Grid, cells: &[&JudgedCell<'_>]) -> String {
    fn rank<'c>(cell: &JudgedCell<'c>) -> &'c str {
        let square = cell.cell.square.as_ref().map_or("", |s| s.1.as_str());
        square.trim_start_matches(|c: char| c.is_ascii_lowercase())
    }
    let rows = || cells.chunk_by(|a, b| rank(a) == rank(b));
    let wide = rows().map(<[_]>::len).max().unwrap_or(0);
    let flip = if grid.flip { "; the figure is read with its lowest row at the top" } else { "" };
    let mut text = format!(
        "\n{} by square, the paper's number above ours{flip}. \
         `=` exact, `≈` within error, `≠` differs, `!` erratum.\n\n|{}\n|{}\n",
        grid.name,
        "   |".repeat(wide + 1),
        "---|".repeat(wide + 1)
    );
    for row in rows() {
        let entry = |cell: &&JudgedCell<'_>| {
            let mark = match cell.verdict {
                CellVerdict::Exact => " =",
                CellVerdict::Within => " ≈",
                CellVerdict::Differs => " ≠",
                CellVerdict::Erratum => " !",
                _ => "",
            };
            let paper = cell.cell.paper.as_deref().unwrap_or("");
            let paper = paper.parse().map_or(paper.into(), number);
            format!("{paper}<br>{}{mark}", cell.ours.map_or("–".into(), number))
        };
        let entries: Vec<String> = row.iter().map(entry).collect();
        let _ = writeln!(text, "| **{}** | {} |", rank(row[0]), entries.join(" | "));
    }
    let pair = |cell: &&JudgedCell<'_>| Some((cell.cell.paper.as_ref()?.parse().ok()?, cell.ours?));
    let as_read: Vec<(f64, f64)> = cells.iter().filter_map(pair).collect();
    let flipped = as_read.chunks(wide.max(1)).rev().flatten();
    let flipped: Vec<(f64, f64)> =
        as_read.iter().zip(flipped).map(|(paper, ours)| (paper.0, ours.1)).collect();
    let full = cells.len() == wide * wide;
    if let (Some(as_read), Some(flipped), true) =
        (correlation(&as_read), correlation(&flipped), full)
    {
        let (one, two) = if grid.flip { (flipped, as_read) } else { (as_read, flipped) };
        let _ = writeln!(
            text,
            "\nCorrelation of paper and ours: {one:.2} as printed, {two:.2} upside down."
        );
    }
    text
}

fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let n = pairs.len() as f64;
    let (a, b) = pairs.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
    let sum = |f: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>();
    let (x, y) = (sum(&|p| (p.0 - a).powi(2)), sum(&|p| (p.1 - b).powi(2)));
    (x > 0.0 && y > 0.0).then(|| sum(&|p| (p.0 - a) * (p.1 - b)) / (x * y).sqrt())
}

fn list(errata: &[Erratum]) -> String {
    let mut text = String::from(
        "\n## Errata\n\nWhere the papers contradict themselves, each other, or what can be counted.\n\n\
         | paper | where | printed | right | evidence |\n|---|---|---|---|---|\n",
    );
    for Erratum { paper, place, printed, right, evidence, shown_by } in errata {
        let links: Vec<String> = shown_by.iter().map(|id| link(id)).collect();
        let shown =
            if links.is_empty() { String::new() } else { format!(" ({})", links.join(", ")) };
        let _ = writeln!(text, "| {paper} | {place} | {printed} | {right} | {evidence}{shown} |");
    }
    text
}

// Beside the page, whose words these are.
impl JudgedCell<'_> {
    /// Ours, with its interval where the rule looks at one.
    pub fn in_words(&self) -> String {
        let Some(value) = self.ours else { return String::new() };
        match self.interval {
            Some((_, high)) => format!("{} ± {}", number(value), number(high - value)),
            None => number(value),
        }
    }

    /// The verdict, with the scale where it is not the definition's largest.
    fn verdict_in_words(&self, definition: &Definition) -> String {
        let changes = !definition.probe.values().all(Probe::is_one_size);
        match (self.verdict, self.scale) {
            (CellVerdict::Told, _) => String::new(),
            (verdict, Some(ExperimentScale::Quick)) if changes => {
                format!("{} (quick)", verdict.words())
            }
            (verdict, _) => verdict.words().into(),
        }
    }
}

/// A number with as many digits as say something.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return if value > 0.0 { "∞".into() } else { "–".into() };
    }
    if value.fract() == 0.0 && value.abs() < 9e15 {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", grouped_digits(&format!("{:.0}", value.abs())));
    }
    if value.abs() >= 1e4 {
        return number(value.round());
    }
    let digits = (2 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    format!("{value:.digits$}")
}
