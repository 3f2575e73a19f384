//! The page: paper beside ours, made from definitions and records alone.

use super::{Cell, Definition, Erratum, Grid, Judged, Kept, Scale, Verdict, figures};
use crate::numerals::{grouped_digits, long_time};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What was kept of each experiment.
pub type Archive = BTreeMap<String, Kept>;

/// How many cells got each verdict, in a line.
pub fn tally<'a>(judged: impl IntoIterator<Item = &'a Judged<'a>>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for cell in judged {
        let explained = cell.cell.because.is_some();
        let words = match cell.verdict {
            Verdict::Exact => "exact",
            Verdict::Within => "within",
            Verdict::Differs if explained => "explained",
            Verdict::Differs => "unexplained",
            Verdict::Erratum => "erratum",
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Told => "told",
            Verdict::NotRun => "missing",
        };
        *counts.entry(words).or_default() += 1;
    }
    let count = |words: &str| counts.get(words).copied().unwrap_or(0);
    let mut line = format!(
        "{} cells exact, {} within error, {} differ (explained), {} errata",
        count("exact"),
        count("within"),
        count("explained"),
        count("erratum")
    );
    let more = [
        ("unexplained", "differ without an explanation"),
        ("holds", "claims hold"),
        ("fails", "claims do not hold"),
        ("told", "told without a verdict"),
        ("missing", "not run at this scale"),
    ];
    for (words, meaning) in more {
        if count(words) > 0 {
            let _ = write!(line, ", {} {meaning}", count(words));
        }
    }
    line
}

/// All cells of an experiment, judged by the largest runs there are.
pub fn judge_all<'a>(definition: &'a Definition, kept: &Kept) -> Vec<Judged<'a>> {
    definition.cell.iter().map(|cell| kept.judge(cell)).collect()
}

/// The pictures of an experiment, of the largest runs there are, with their names.
pub fn pictures(definition: &Definition, kept: &Kept) -> Vec<(String, String)> {
    let of = |scale| kept.at(scale).map(|record| figures(definition, record));
    let full = of(Scale::Full).filter(|all| !all.is_empty());
    full.or_else(|| of(Scale::Quick)).unwrap_or_default()
}

/// The page. Pictures are looked for in the folder `figures` beside it.
pub fn page(definitions: &[Definition], errata: &[Erratum], archive: &Archive) -> String {
    let nothing = Kept::default();
    let kept = |d: &Definition| archive.get(&d.id).unwrap_or(&nothing);
    let mut text = String::from(HEAD);
    let judged: Vec<Judged<'_>> = definitions.iter().flat_map(|d| judge_all(d, kept(d))).collect();
    let _ = writeln!(text, "\n**In all: {}.**\n", tally(&judged));
    text += "| experiment | question | runs | verdicts |\n|---|---|---|---|\n";
    for d in definitions {
        let link = d.id.replace('.', "");
        let cells = judge_all(d, kept(d));
        let (runs, verdicts) = (size_in_words(d, kept(d)), brief(&cells));
        let _ = writeln!(text, "| [{}](#{link}) | {} | {runs} | {verdicts} |", d.id, d.question);
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

/// Verdicts in a few words.
fn brief(cells: &[Judged<'_>]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| cell.verdict != Verdict::Told) {
        *counts.entry(cell.verdict.words()).or_default() += 1;
    }
    let parts: Vec<String> = counts.iter().map(|(words, n)| format!("{n} {words}")).collect();
    parts.join(", ")
}

/// What was run, and how long the rest would take.
fn size_in_words(definition: &Definition, kept: &Kept) -> String {
    let whole = |scale| kept.at(scale).is_some_and(|r| r.is_whole(definition, scale));
    if whole(Scale::Full) {
        return "full".into();
    }
    let same = definition.probe.values().all(|p| {
        p.checksum(Scale::Full) == p.checksum(Scale::Quick)
            && p.size(Scale::Full) == p.size(Scale::Quick)
    });
    let guess = kept.quick.as_ref().and_then(|r| r.guess_full(definition, Scale::Quick));
    let guess =
        guess.map_or(String::new(), |s| format!("; full: about {} on 2 cores", long_time(s / 2.0)));
    match (kept.full.is_some(), whole(Scale::Quick)) {
        (_, true) if same => "full".into(),
        (true, _) => format!("full in part{guess}"),
        (false, true) => format!("quick only{guess}"),
        (false, false) if kept.quick.is_some() => "quick in part".into(),
        (false, false) => "none".into(),
    }
}

fn section(definition: &Definition, kept: &Kept) -> String {
    let Definition { id, paper, question, answer, .. } = definition;
    let mut text = format!("\n## {id}\n\n{paper}. {question}\n\n");
    if kept.quick.is_none() && kept.full.is_none() {
        return text + "Not run.\n";
    }
    let _ = writeln!(text, "{answer} (Runs: {}.)\n", size_in_words(definition, kept));
    let judged = judge_all(definition, kept);
    let lone: Vec<&Judged<'_>> = judged.iter().filter(|j| j.cell.square.is_none()).collect();
    if !lone.is_empty() {
        text += "| | paper | ours | verdict |\n|---|---|---|---|\n";
        for cell in &lone {
            let paper = cell.cell.paper.as_deref().unwrap_or("");
            let (ours, words) = (cell.in_words(), cell.verdict_in_words(definition));
            let _ = writeln!(text, "| {} | {paper} | {ours} | {words} |", cell.cell.name);
        }
    }
    for (number, grid) in definition.grid.iter().enumerate() {
        let of = |j: &&Judged<'_>| j.cell.square.as_ref().is_some_and(|s| s.0 == number);
        text += &board(grid, &judged.iter().filter(of).collect::<Vec<_>>());
    }
    for (name, _) in pictures(definition, kept) {
        let _ = writeln!(text, "\n![{id}](figures/{name})");
    }
    let differs = |cell: &Cell| {
        let of = judged.iter().find(|j| std::ptr::eq(j.cell, cell));
        of.is_some_and(|j| {
            matches!(j.verdict, Verdict::Differs | Verdict::Fails | Verdict::Erratum)
        })
    };
    let mut told = Vec::new();
    for cell in definition.cell.iter().filter(|cell| differs(cell)) {
        let Some(because) = &cell.because else { continue };
        if told.contains(&because) {
            continue;
        }
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
fn board(grid: &Grid, cells: &[&Judged<'_>]) -> String {
    let mut rows: Vec<(&str, Vec<&&Judged<'_>>)> = Vec::new();
    for cell in cells {
        let square = cell.cell.square.as_ref().map_or("", |s| s.1.as_str());
        let rank = square.trim_start_matches(|c: char| c.is_ascii_lowercase());
        match rows.last_mut().filter(|row| row.0 == rank) {
            Some(row) => row.1.push(cell),
            None => rows.push((rank, vec![cell])),
        }
    }
    let wide = rows.iter().map(|row| row.1.len()).max().unwrap_or(0);
    let flip = if grid.flip { "; the figure is read with its lowest row at the top" } else { "" };
    let mut text = format!(
        "\n{} by square, the paper's number above ours{flip}. \
         `=` exact, `≈` within error, `≠` differs, `!` erratum.\n\n|{}\n|{}\n",
        grid.name,
        "   |".repeat(wide + 1),
        "---|".repeat(wide + 1)
    );
    for (rank, row) in rows {
        let entry = |cell: &&&Judged<'_>| {
            let mark = match cell.verdict {
                Verdict::Exact => " =",
                Verdict::Within => " ≈",
                Verdict::Differs => " ≠",
                Verdict::Erratum => " !",
                _ => "",
            };
            let paper = cell.cell.paper.as_deref().unwrap_or("");
            let paper = paper.parse().map_or(paper.into(), number);
            format!("{paper}<br>{}{mark}", cell.ours.map_or("–".into(), number))
        };
        let entries: Vec<String> = row.iter().map(entry).collect();
        let _ = writeln!(text, "| **{rank}** | {} |", entries.join(" | "));
    }
    let pairs = |flip: bool| -> Vec<(f64, f64)> {
        let all = |cell: &&&Judged<'_>| Some((cell.cell.paper.as_ref()?.parse().ok()?, cell.ours?));
        let found: Vec<(f64, f64)> = cells.iter().filter_map(|cell| all(&cell)).collect();
        let mut ours: Vec<f64> = found.iter().map(|pair| pair.1).collect();
        if flip && wide > 0 {
            ours = ours.chunks(wide).rev().flatten().copied().collect();
        }
        found.iter().map(|pair| pair.0).zip(ours).collect()
    };
    let full = cells.len() == wide * wide;
    if let (Some(as_read), Some(other), true) =
        (correlation(&pairs(false)), correlation(&pairs(true)), full)
    {
        let (one, two) = if grid.flip { (other, as_read) } else { (as_read, other) };
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
        let links: Vec<String> =
            shown_by.iter().map(|id| format!("[{id}](#{})", id.replace('.', ""))).collect();
        let shown =
            if links.is_empty() { String::new() } else { format!(" ({})", links.join(", ")) };
        let _ = writeln!(text, "| {paper} | {place} | {printed} | {right} | {evidence}{shown} |");
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

    /// The verdict, with the scale where it is not the definition's largest.
    fn verdict_in_words(&self, definition: &Definition) -> String {
        let changes =
            definition.probe.values().any(|p| p.size(Scale::Full) != p.size(Scale::Quick));
        match (self.verdict, self.scale) {
            (Verdict::Told, _) => String::new(),
            (verdict, Some(Scale::Quick)) if changes => format!("{} (quick)", verdict.words()),
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
