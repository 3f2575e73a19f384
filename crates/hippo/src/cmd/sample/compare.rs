//! `hippo sample --compare SOLVER` measures the bias of a solver against exactly uniform tours.

use super::Sample;
use crate::OutputMode;
use crate::args::choose;
use crate::cmd::enumerate::in_json;
use crate::fail::{DONE, Fail, LIMIT, complain};
use crate::interrupt::Signals;
use crate::output::{Output, with_board};
use crate::progress;
use crate::tours::Format;
use hippodrome::board::{Graph, Square};
use hippodrome::draw::{self, Heat};
use hippodrome::lab::bias::{Aspect, AspectCounts, Aspects, Bias, compare};
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::numerals::{counted, grouped};
use hippodrome::search::{Budget, Control};
use hippodrome::solvers::registry::Choice;
use hippodrome::tour::Verified;
use hippodrome::uniform::{Sampler, TourStream};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Default for the number of distinct tours that the solver must find at least.
const TOURS: u64 = 20_000;
/// Default for the maximum number of attempts in all runs of the solver.
const ATTEMPTS: u64 = 64_000_000;
/// Number of uniform tours per tour of the solver; then the minimum and maximum size of the uniform sample.
const TIMES: u64 = 4;
const LEAST: u64 = 200_000;
const MOST: u64 = 1_000_000;
/// Number of fresh uniform samples, and their maximum size. The distance of larger samples is almost zero.
const FRESH: u64 = 8;
const FRESH_TOURS: u64 = 100_000;

/// The result of a comparison.
struct Found {
    choice: Choice,
    runs: Vec<AspectCounts>,
    whole: AspectCounts,
    uniform: AspectCounts,
    biases: Vec<Bias>,
    attempts: u64,
}

/// Rejects a request for a heat map that cannot be drawn.
pub fn check_heat(heat: &str, graph: &Graph) -> Result<(), Fail> {
    if !matches!(Format::of_file(Some(heat))?, Some(Format::Svg | Format::Png)) {
        return Err(Fail::usage("a heat map is a picture; end the name in .svg or .png"));
    }
    if graph.board().is_none() {
        return Err(Fail::usage(
            "a heat map shows the squares of a board, and a --graph has none; leave out --heat",
        ));
    }
    Ok(())
}

impl Sample {
    /// Runs the solver, draws uniform tours and prints how the two differ.
    pub(super) fn compare(
        &self,
        solver: &str,
        sampler: &Arc<Sampler>,
        (control, signals): (&Control, &Signals),
        mode: OutputMode,
        mut out: Output,
    ) -> Result<u8, Fail> {
        let choice = choose(solver, &[])?;
        let heat = Output::beside(self.heat.as_deref(), "--heat")?;
        let aspects = Aspects::new(sampler.problem().graph());
        let found = progress::during(mode, None, control, None, || {
            self.measure(choice, sampler, &aspects, control)
        })?;
        if control.interrupt.load(Relaxed) {
            let text = "interrupted before the comparison was made";
            return Err(Fail::interrupted(signals.code(), text));
        }
        if found.whole.tours == 0 {
            complain(&format!(
                "{} found no tour in {}; give more --attempts",
                found.choice.name(),
                counted(found.attempts, "attempt")
            ));
            return Ok(LIMIT);
        }
        let graph = sampler.problem().graph();
        match mode.json {
            true => writeln!(out, "{}", describe(&found, self.work.seed, graph, &aspects))?,
            false => write!(out, "{}", in_words(&found, graph, &aspects))?,
        }
        out.finish(mode)?;
        if let Some(mut file) = heat {
            let map = heat_map(&found, graph, &aspects);
            match Format::of_file(self.heat.as_deref())? {
                Some(Format::Png) => draw::heat_png(&map, &self.style.style(), &mut file)?,
                _ => draw::heat_svg(&map, &self.style.style(), &mut file)?,
            }
            file.finish(mode)?;
        }
        Ok(DONE)
    }

    fn measure(
        &self,
        choice: Choice,
        sampler: &Arc<Sampler>,
        aspects: &Aspects,
        control: &Control,
    ) -> Result<Found, Fail> {
        let (mut runs, mut spent) = (Vec::new(), 0);
        let share = |total: u64| (total / self.runs).max(1);
        let run = |seed: u64, attempts: u64| -> Result<(AspectCounts, u64), Fail> {
            let job = Enumeration {
                seed,
                threads: self.work.threads(),
                budget: Budget { attempts: Some(attempts), ..Budget::UNLIMITED },
                ..Enumeration::new(sampler.problem().clone(), choice.clone())
            };
            let mut counts = aspects.none();
            let mut take = |tour: Verified<'_>| {
                aspects.count(&tour, &mut counts);
                ControlFlow::Continue(())
            };
            let spent = job.run(control, Some(&mut take))?.total.attempts;
            Ok((counts, spent))
        };
        let attempts = match self.attempts {
            Some(attempts) => share(attempts),
            // Limit attempts instead of tours, because only attempts are split over the start squares.
            None => {
                let (wanted, most) = (share(self.tours.unwrap_or(TOURS)), share(ATTEMPTS));
                let mut attempts = most.min(16 * sampler.problem().start_count() as u64);
                let mut before = 0;
                while attempts < most {
                    let tours = run(self.work.seed, attempts)?.0.tours;
                    // If four times as many attempts find almost no new tours, the board has few others.
                    let spent = tours > 0 && tours < before + before / 16 + 1;
                    if tours >= wanted || spent || control.interrupt.load(Relaxed) {
                        break;
                    }
                    (before, attempts) = (tours, most.min(4 * attempts));
                }
                attempts
            }
        };
        for number in 0..self.runs {
            let (counts, more) = run(self.work.seed + number, attempts)?;
            runs.push(counts);
            spent += more;
        }
        let mut whole = aspects.none();
        runs.iter().for_each(|run| whole.add(run));
        let draw = |tours: u64, seed: u64| {
            let stream = TourStream { tours, seed, threads: self.work.threads() };
            aspects.uniform(sampler, stream, control).map_err(Fail::from)
        };
        let uniform = draw((TIMES * whole.tours).clamp(LEAST, MOST), self.work.seed)?;
        let tours = whole.tours.clamp(1, FRESH_TOURS);
        // Use seeds other than that of the large sample.
        let fresh = (1..=FRESH).map(|i| draw(tours, self.work.seed + 1_000_000 + i));
        let fresh = fresh.collect::<Result<Vec<_>, _>>()?;
        let biases = compare(&runs, &uniform, &fresh);
        Ok(Found { choice, runs, whole, uniform, biases, attempts: spent })
    }
}

fn describe(found: &Found, seed: u64, graph: &Graph, aspects: &Aspects) -> Value {
    let bias = |b: &Bias| {
        let once = b.aspect.is_single();
        json!({
            "aspect": b.aspect.name(), "variation": b.distance.variation, "error": b.error,
            "by_chance": b.by_chance, "by_chance_at_most": b.by_chance_at_most,
            "chi_square": finite(b.distance.chi_square), "freedom": b.distance.freedom,
            "chi_square_by_chance": finite(b.chi_square_by_chance),
            "p_value": once.then_some(b.distance.p_value),
        })
    };
    let pair = |aspect, index| json!({ "share": share(&found.whole, aspect, index), "uniform": share(&found.uniform, aspect, index) });
    let squares = |aspect| -> Map<String, Value> {
        graph.vertices().map(|v| (graph.name(v), pair(aspect, v.index()))).collect()
    };
    let moves = aspects.moves().into_iter().enumerate().map(|(i, (u, v))| {
        let mut entry = pair(Aspect::Moves, i);
        entry["move"] = json!([graph.name(u), graph.name(v)]);
        entry
    });
    let turns = aspects.turns().into_iter().enumerate().map(|(i, degrees)| {
        let mut entry = pair(Aspect::Turns, i);
        entry["degrees"] = json!(degrees);
        entry
    });
    let params: Map<String, Value> =
        found.choice.values.iter().map(|(name, value)| (name.into(), in_json(value))).collect();
    let object = json!({
        "schema": 1, "solver": found.choice.name(), "params": params, "seed": seed,
        "runs": found.runs.len(), "attempts": found.attempts, "tours": found.whole.tours,
        "uniform_tours": found.uniform.tours,
        "bias": found.biases.iter().map(bias).collect::<Vec<_>>(),
        "start": squares(Aspect::Start), "end": squares(Aspect::End),
        "closed": pair(Aspect::Closed, 1),
        "moves": moves.collect::<Vec<_>>(), "turns": turns.collect::<Vec<_>>(),
    });
    with_board(object, graph)
}

/// Returns the number if it is finite; JSON has no infinity.
fn finite(x: f64) -> Option<f64> {
    Some(x).filter(|x| x.is_finite())
}

fn share(counts: &AspectCounts, aspect: Aspect, index: usize) -> f64 {
    let counts = counts.of(aspect);
    counts[index] as f64 / counts.iter().sum::<u64>().max(1) as f64
}

fn in_words(found: &Found, graph: &Graph, aspects: &Aspects) -> String {
    let mut text = format!(
        "{} on {graph}: {}, distinct within each of {}, in {}, against {}\n\n",
        found.choice.name(),
        counted(found.whole.tours, "tour"),
        counted(found.runs.len() as u64, "run"),
        counted(found.attempts, "attempt"),
        counted(found.uniform.tours, "uniform tour"),
    );
    text += "aspect   distance ± error   by chance (at most)   chi-square (by chance)   p if independent\n";
    for b in &found.biases {
        let error = b.error.map_or("      ?".into(), |e| format!("{e:7.4}"));
        let p =
            if b.aspect.is_single() { format!("{:.2e}", b.distance.p_value) } else { "-".into() };
        let _ = writeln!(
            text,
            "{:7}  {:8.4} {error}   {:9.4} ({:7.4})   {:10.1} ({:9.1})   {p}",
            b.aspect.name(),
            b.distance.variation,
            b.by_chance,
            b.by_chance_at_most,
            b.distance.chi_square,
            b.chi_square_by_chance,
        );
    }
    text += "\ndistance: total variation, 0 for equal distributions, 1 for disjoint ones\n";
    let percent = |aspect, index| {
        let of = |counts| 100.0 * share(counts, aspect, index);
        (of(&found.whole), of(&found.uniform))
    };
    let (ours, true_share) = percent(Aspect::Closed, 1);
    let _ = writeln!(text, "\nclosed: {ours:.2}% (uniform {true_share:.2}%)");
    if let Some(board) = graph.board().filter(|b| b.cols() <= 12 && b.rows() <= 40) {
        text += "\nstart squares in percent: solver, then uniform\n";
        for row in (0..board.rows()).rev() {
            let cell = |counts: &AspectCounts, col| match board.has(board.at(row, col)) {
                true => format!(
                    "{:6.2}",
                    100.0 * share(counts, Aspect::Start, board.at(row, col).index())
                ),
                false => "     #".into(),
            };
            let line = |counts| (0..board.cols()).map(|col| cell(counts, col)).collect::<String>();
            let _ = writeln!(text, "{}   |{}", line(&found.whole), line(&found.uniform));
        }
    }
    text += "\nturns in degrees\n";
    for (index, degrees) in aspects.turns().into_iter().enumerate() {
        let (ours, true_share) = percent(Aspect::Turns, index);
        if ours + true_share > 0.0 {
            let _ = writeln!(text, "{degrees:7.2}  {ours:6.2}%  (uniform {true_share:.2}%)");
        }
    }
    let ratio = |index: usize| {
        let (ours, true_share) = percent(Aspect::Moves, index);
        ours / true_share
    };
    let mut moves: Vec<(usize, (Square, Square))> =
        aspects.moves().into_iter().enumerate().collect();
    moves.retain(|&(index, _)| ratio(index).is_finite());
    moves.sort_by(|a, b| ratio(b.0).total_cmp(&ratio(a.0)));
    let named = |&(index, (u, v)): &(usize, (Square, Square))| {
        format!("{}-{} {:.2}", graph.name(u), graph.name(v), ratio(index))
    };
    let most: Vec<String> = moves.iter().take(4).map(named).collect();
    let least: Vec<String> = moves.iter().rev().take(4).map(named).collect();
    let _ = writeln!(
        text,
        "\nmoves used most, compared with uniform: {}\nleast: {}\nof {} moves",
        most.join(", "),
        least.join(", "),
        grouped(moves.len() as u64)
    );
    text
}

fn heat_map(found: &Found, graph: &Graph, aspects: &Aspects) -> Heat {
    let ratio = |aspect, index| {
        let true_share = share(&found.uniform, aspect, index);
        (true_share > 0.0).then(|| share(&found.whole, aspect, index) / true_share)
    };
    let moves = aspects.moves().into_iter().enumerate();
    let moves = moves.filter_map(|(i, (u, v))| Some((u, v, ratio(Aspect::Moves, i)?)));
    Heat {
        squares: (0..graph.len()).map(|v| ratio(Aspect::Start, v)).collect(),
        moves: moves.collect(),
        title: format!(
            "Start squares and moves of {} on {graph}: red more often than in uniform tours, blue less",
            found.choice.name()
        ),
        graph: graph.clone(),
    }
}
