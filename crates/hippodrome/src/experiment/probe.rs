//! Runs the probes of an experiment.

use super::{Definition, Measured, Probe, Record, Scale};
use crate::budget::Budget;
use crate::driver::Status;
use crate::enumerate::{EnumerateError, Enumeration, Summary, Tally};
use crate::measure::Reading;
use crate::run::{Control, seeds};
use crate::tour::{Hints, Verified, read_tours, verify};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Runs an experiment; `None` if it was interrupted.
pub fn run(
    definition: &Definition,
    scale: Scale,
    seed: u64,
    threads: usize,
    control: &Control,
) -> Result<Option<Record>, EnumerateError> {
    let mut probes = BTreeMap::new();
    for (name, probe) in &definition.probe {
        let Some(runs) = measure(probe, scale, seed, threads, control)? else { return Ok(None) };
        if !runs.is_empty() {
            probes.insert(name.clone(), runs);
        }
    }
    Ok(Some(Record {
        id: definition.id.clone(),
        scale: scale.name().into(),
        version: env!("CARGO_PKG_VERSION").into(),
        seed,
        definition: definition.checksum.clone(),
        probes,
    }))
}

/// All runs of a probe: of every problem as many as there are seeds.
fn measure(
    probe: &Probe,
    scale: Scale,
    seed: u64,
    threads: usize,
    control: &Control,
) -> Result<Option<Vec<Measured>>, EnumerateError> {
    if !probe.check.is_empty() {
        return Ok(Some(probe.check.iter().map(|text| read(text)).collect()));
    }
    let Some(size) = probe.size(scale) else { return Ok(Some(Vec::new())) };
    let Ok((choice, problems)) = probe.parts() else { return Ok(Some(Vec::new())) };
    let mut all = Vec::new();
    for seed in seeds(seed, size.runs.unwrap_or(1)) {
        for (of, problem) in &problems {
            let run = Enumeration {
                seed,
                threads,
                budget: Budget {
                    attempts: size.attempts,
                    attempts_per_start: size.attempts_per_start,
                    moves: size.moves,
                    tours: size.tours,
                    time: None,
                },
                all: probe.all,
                by_start: probe.by_start,
                ..Enumeration::new(problem.clone(), choice.clone())
            };
            let mut take = |_: Verified<'_>| ControlFlow::Continue(());
            // Only tours that are looked at one by one tell when the first was found.
            let looks = size.tours.is_some() || size.attempts.is_some();
            let summary = run.run(control, if looks { Some(&mut take) } else { None })?;
            if summary.status == Status::Interrupted {
                return Ok(None);
            }
            let graph = problem.graph();
            let values = values(&summary, |square| graph.name(square));
            all.push(Measured { of: of.clone(), seed, values });
        }
    }
    Ok(Some(all))
}

/// A printed tour, read and verified.
fn read(text: &str) -> Measured {
    let mut values = BTreeMap::new();
    for claim in read_tours(text, &Hints::default()).into_iter().flatten() {
        let tour = verify(&claim.graph, claim.squares);
        let closed = tour.as_ref().is_ok_and(|tour| tour.classify().closed);
        values.insert("tours".into(), f64::from(u8::from(tour.is_ok())));
        values.insert("closed".into(), f64::from(u8::from(closed)));
    }
    Measured { of: text.into(), seed: 0, values }
}

fn values(summary: &Summary, name: impl Fn(u32) -> String) -> BTreeMap<String, f64> {
    let mut values = BTreeMap::new();
    let mut put = |name: String, value: f64| _ = values.insert(name, value);
    let Tally { attempts, tours, distinct, closed, moves } = summary.total;
    for (name, value) in [
        ("attempts", attempts),
        ("tours", tours),
        ("distinct", distinct),
        ("closed", closed),
        ("moves", moves),
    ] {
        put(name.into(), value as f64);
    }
    put("seconds".into(), summary.seconds);
    if let Some(first) = summary.first {
        put("first.attempts".into(), first.attempts as f64);
        put("first.moves".into(), first.moves as f64);
    }
    for (&square, tally) in &summary.by_start {
        let square = name(square);
        put(format!("{square}.attempts"), tally.attempts as f64);
        put(format!("{square}.tours"), tally.tours as f64);
        put(format!("{square}.distinct"), tally.distinct as f64);
    }
    for (name, reading) in summary.readings.iter() {
        match reading {
            Reading::Count(count) => put(name.into(), count as f64),
            Reading::Spread { times, sum, min, max } => {
                put(format!("{name}.times"), times as f64);
                put(format!("{name}.mean"), sum / times.max(1) as f64);
                put(format!("{name}.least"), min);
                put(format!("{name}.most"), max);
            }
        }
    }
    values
}
