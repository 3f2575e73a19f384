//! `hippo board` prints facts about a board that need no search.

use crate::OutputMode;
use crate::args::BoardArgs;
use crate::fail::{DONE, Fail};
use crate::output::{Output, with_board};
use crate::pictures::size;
use crate::tours::Format;
use clap::Args;
use hippodrome::board::Graph;
use hippodrome::draw::{self, DrawError, Panel, Style, Theme};
use hippodrome::numerals::{counted, grouped};
use hippodrome::problem::theorems::{Colours, Evidence, Existence, Facts, Finding, explain, facts};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Print facts about a board, and theorems on whether tours exist
#[derive(Args)]
#[command(after_help = "Example:\n  hippo board 4x4 --explain -o why.svg")]
pub struct Board {
    #[command(flatten)]
    board: BoardArgs,
    /// Also say step by step why there is no tour
    #[arg(long, help_heading = "Explanation")]
    explain: bool,
    /// Draw the reason as .svg or .png
    #[arg(long, short, value_name = "FILE", help_heading = "Explanation", requires = "explain")]
    output: Option<String>,
    /// Longer side of the picture in pixels, at most
    #[arg(long, value_name = "PIXELS", value_parser = size, allow_negative_numbers = true, help_heading = "Explanation", requires = "output")]
    size: Option<u32>,
    /// Light lines on a dark page
    #[arg(long, help_heading = "Explanation", requires = "output")]
    dark: bool,
}

impl Board {
    /// Prints the facts.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let graph = self.board.graph()?;
        let facts = facts(&graph);
        let picture = self.picture(&graph, &facts)?;
        let why = self.explain.then(|| reasons(&graph, &facts));
        let text = || [in_words(&graph, &facts), in_steps(why.as_deref())].concat();
        mode.print(|| describe(&graph, &facts, why.as_deref()), text)?;
        if let Some((mut out, draw)) = picture {
            draw(&graph, &panels(&facts), &self.style(), &mut out)?;
            out.finish(mode)?;
        }
        Ok(DONE)
    }

    fn style(&self) -> Style {
        let theme = if self.dark { Theme::Dark } else { Theme::Light };
        Style { size: self.size, theme, ..Style::default() }
    }

    /// Opens the file of the picture, if one is asked for.
    fn picture(&self, graph: &Graph, facts: &Facts) -> Result<Option<(Output, Draw)>, Fail> {
        let Some(file) = self.output.as_deref() else { return Ok(None) };
        let draw: Draw = match Format::of_file(Some(file))? {
            Some(Format::Svg) => draw::why_svg,
            Some(Format::Png) => draw::why_png,
            _ => {
                return Err(Fail::usage(format!(
                    "'{file}' does not name a picture of a reason; end the name in .svg or .png"
                )));
            }
        };
        if panels(facts).is_empty() {
            return Err(Fail::usage(format!(
                "no theorem rules out tours of {graph}, so there is no reason to draw; leave out -o"
            )));
        }
        Ok(Output::beside(Some(file), "-o")?.map(|out| (out, draw)))
    }
}

/// Draws reasons.
type Draw = fn(&Graph, &[Panel<'_>], &Style, &mut dyn Write) -> Result<(), DrawError>;

/// Returns what is impossible, and whether it is about closed tours.
fn impossible(facts: &Facts) -> impl Iterator<Item = (&Finding, bool)> {
    let both = [(&facts.open, false), (&facts.closed, true)];
    both.into_iter().filter_map(|(verdict, closed)| match verdict {
        Existence::Impossible(finding) => Some((finding, closed)),
        Existence::Exists(_) | Existence::Open => None,
    })
}

/// Returns the boards of a picture; without open tours the closed ones need no reason of the same kind.
fn panels(facts: &Facts) -> Vec<Panel<'_>> {
    let mut panels: Vec<Panel<'_>> = impossible(facts)
        .filter(|(finding, _)| finding.evidence != Evidence::None)
        .map(|(finding, closed)| Panel { evidence: &finding.evidence, closed })
        .collect();
    panels.dedup_by(|later, first| later.evidence == first.evidence);
    panels
}

/// A reason in steps.
struct Steps {
    closed: bool,
    lines: Vec<String>,
}

fn reasons(graph: &Graph, facts: &Facts) -> Vec<Steps> {
    let steps = |(finding, closed)| Steps { closed, lines: explain::steps(graph, closed, finding) };
    impossible(facts).map(steps).collect()
}

fn in_steps(why: Option<&[Steps]>) -> String {
    let Some(why) = why else { return String::new() };
    if why.is_empty() {
        return "\nno theorem rules out tours, so there is nothing to explain".into();
    }
    let told = why.iter().filter(|steps| !steps.lines.is_empty());
    told.map(|Steps { closed, lines }| {
        let kind = if *closed { "closed tour" } else { "open tour" };
        let lines: String = lines.iter().map(|line| format!("\n  {line}")).collect();
        format!("\n\nwhy there is no {kind}:{lines}")
    })
    .collect()
}

fn in_words(graph: &Graph, facts: &Facts) -> String {
    let (square, joined) =
        if graph.board().is_some() { ("square", "move") } else { ("vertex", "edge") };
    let (squares, moves) = (counted(facts.squares, square), counted(facts.moves, joined));
    let degree = |(moves, squares): &(u32, u64)| format!("{} with {moves}", grouped(*squares));
    let degrees: Vec<String> = facts.degrees.iter().map(degree).collect();
    let alternates = graph.piece().is_some_and(|p| p.pairs().iter().all(|(a, b)| (a + b) % 2 == 1));
    let colours = match facts.colours {
        Colours::Two(dark, light) if alternates => {
            let (dark, light) = (grouped(dark), grouped(light));
            format!("colours: {dark} dark and {light} light, every move changes colour")
        }
        Colours::Two(one, other) => {
            let (one, other) = (grouped(one), grouped(other));
            format!("two classes, of {one} and {other}: every {joined} leads from one to the other")
        }
        Colours::Mixed => format!("not bipartite: some cycle has an odd number of {joined}s"),
        Colours::Unknown => "colours: unknown, because the graph is too large".into(),
    };
    let mut lines = vec![
        format!("{graph}: {squares}, {moves} between them"),
        format!("{joined}s per {square}: {}", degrees.join(", ")),
        colours,
    ];
    lines.extend(facts.parts.map(|parts| format!("connected parts: {parts}")));
    lines.extend(facts.symmetries.map(|symmetries| format!("symmetries: {symmetries}")));
    lines.extend([("open", &facts.open), ("closed", &facts.closed)].map(|(kind, verdict)| {
        match verdict {
            Existence::Exists(finding) => format!("{kind} tours: yes: {finding}"),
            Existence::Impossible(finding) => format!("{kind} tours: none: {finding}"),
            Existence::Open => format!("{kind} tours: no theorem decides; try 'hippo find'"),
        }
    }));
    lines.join("\n  ")
}

fn describe(graph: &Graph, facts: &Facts, why: Option<&[Steps]>) -> Value {
    let degrees: Map<String, Value> =
        facts.degrees.iter().map(|(moves, squares)| (moves.to_string(), json!(squares))).collect();
    let verdict = |v: &Existence| {
        let exists = match v {
            Existence::Exists(_) => json!(true),
            Existence::Impossible(_) => json!(false),
            Existence::Open => Value::Null,
        };
        let finding = v.finding();
        let mut verdict = json!({ "exists": exists, "theorem": finding.map(|f| f.theorem), "reason": finding.map(|f| &f.reason) });
        if let Some(certificate) = finding.and_then(|f| f.certificate.as_ref()) {
            verdict["certificate"] = json!(certificate);
        }
        verdict
    };
    let colours = match facts.colours {
        Colours::Two(dark, light) => json!([dark, light]),
        _ => Value::Null,
    };
    let mut object = json!({
        "squares": facts.squares,
        "hole_count": facts.holes,
        "moves": facts.moves,
        "degrees": degrees,
        "colours": colours,
        "parts": facts.parts,
        "symmetries": facts.symmetries,
        "open": verdict(&facts.open),
        "closed": verdict(&facts.closed),
    });
    for Steps { closed, lines } in why.unwrap_or_default() {
        object[if *closed { "closed" } else { "open" }]["steps"] = json!(lines);
    }
    with_board(object, graph)
}
