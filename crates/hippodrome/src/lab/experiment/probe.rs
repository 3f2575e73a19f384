//! Runs the probes of an experiment.

use super::record::POINTS;
use super::{Definition, ExperimentRecord, ExperimentScale, Measured, Probe, ProbeRuns};
use crate::board::Square;
use crate::board::move_weights::MoveWeight;
use crate::error::{Argument, Diagnostic, ErrorKind, Remedy};
use crate::lab::curve::CurvePoint;
use crate::lab::distinct::Bloom;
use crate::lab::enumerate::{Dedup, EnumerateError, Enumeration, Summary, Totals};
use crate::lab::runs::make_runs;
use crate::problem::Problem;
use crate::search::{Artifact, ArtifactKind, ArtifactRequest, Control, Reading, Status, seeds};
use crate::solvers::registry::Choice;
use crate::tour::{Hints, read_tours, verify};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;
use thiserror::Error;

/// Why an experiment failed.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum ExperimentError {
    /// A solver does not support a problem.
    #[error("experiment {0}: {1}")]
    Run(String, EnumerateError),
    /// The distinct tours of a run do not fit in memory.
    #[error("experiment {0}: the distinct tours do not fit in memory")]
    Full(String),
}

impl Diagnostic for ExperimentError {
    fn kind(&self) -> ErrorKind {
        match self {
            ExperimentError::Run(_, error) => error.kind(),
            ExperimentError::Full(_) => ErrorKind::Memory,
        }
    }

    fn remedies(&self) -> Vec<Remedy> {
        match self {
            ExperimentError::Run(_, error) => error.remedies(),
            ExperimentError::Full(_) => vec![Remedy::Lower(Argument::Threads)],
        }
    }
}

/// Number of points that are kept at the start of a curve, because logarithmic axes enlarge that part.
const EARLY: usize = 12;

/// The runs of an experiment, to be executed.
pub struct ExperimentRun<'a> {
    /// The experiment to run.
    pub definition: &'a Definition,
    /// How large the runs are.
    pub scale: ExperimentScale,
    /// Master seed.
    pub seed: u64,
    /// Number of threads; only the measured times depend on it.
    pub threads: usize,
    /// The control that can interrupt the runs.
    pub control: &'a Control,
    /// Earlier records whose runs are reused.
    pub known: Vec<&'a ExperimentRecord>,
}

/// One planned run.
struct ProbeRun<'a> {
    of: &'a str,
    problem: &'a Problem,
    seed: u64,
}

impl ExperimentRun<'_> {
    /// Executes the runs that are missing; `keep` receives the record after each run. An interrupt ends the
    /// work early and leaves an incomplete record.
    pub fn run(
        &self,
        keep: &mut (dyn FnMut(&ExperimentRecord) + Send),
    ) -> Result<ExperimentRecord, ExperimentError> {
        let mut record = ExperimentRecord::new(self.definition, self.scale, self.seed);
        for (name, probe) in &self.definition.probe {
            let checksum = probe.checksum(self.scale);
            let runs = probe.check.iter().map(|text| read(text)).collect();
            record.probes.insert(name.clone(), ProbeRuns { checksum, runs });
            self.measure(name, probe, &mut record, keep)?;
            if self.control.interrupt.load(Relaxed) {
                break;
            }
        }
        Ok(record)
    }

    /// Executes the runs of a probe, one per seed and problem.
    fn measure(
        &self,
        name: &str,
        probe: &Probe,
        record: &mut ExperimentRecord,
        keep: &mut (dyn FnMut(&ExperimentRecord) + Send),
    ) -> Result<(), ExperimentError> {
        let Ok(Some((choice, problems))) = probe.parts() else { return Ok(()) };
        let of_seed =
            |seed| problems.iter().map(move |(of, problem)| ProbeRun { of, problem, seed });
        let all: Vec<ProbeRun<'_>> =
            seeds(self.seed, probe.runs(self.scale)).into_iter().flat_map(of_seed).collect();
        let mut made: Vec<Option<Measured>> =
            all.iter().map(|job| self.made(probe, job).cloned()).collect();
        let missing: Vec<usize> = (0..all.len()).filter(|&n| made[n].is_none()).collect();
        // Many runs go in parallel, on one thread each. Few runs go one after another, each on all threads.
        let many = missing.len() >= self.threads;
        let (abreast, threads) = if many { (self.threads.max(1), 1) } else { (1, self.threads) };
        let store = |record: &mut ExperimentRecord, made: &[Option<Measured>]| {
            let runs = &mut record.probes.entry(name.into()).or_default().runs;
            *runs = made.iter().flatten().cloned().collect();
        };
        store(record, &made);
        let run = |job: u64| self.one(probe, &choice, &all[missing[job as usize]], threads);
        make_runs(abreast, missing.len() as u64, self.control, run, |job, run| {
            made[missing[job as usize]] = Some(run);
            store(record, &made);
            keep(record);
        })
    }

    /// Returns the result of a run if one of the known records contains it.
    fn made(&self, probe: &Probe, job: &ProbeRun<'_>) -> Option<&Measured> {
        let checksum = probe.checksum(self.scale);
        let runs = self.known.iter().flat_map(|record| record.probes.values());
        let same = runs.filter(|runs| runs.checksum == checksum).flat_map(|runs| &runs.runs);
        same.into_iter().find(|run| run.seed == job.seed && run.of == job.of)
    }

    /// Executes one run; returns `None` if it was interrupted.
    fn one(
        &self,
        probe: &Probe,
        choice: &Choice,
        job: &ProbeRun<'_>,
        threads: usize,
    ) -> Result<Option<Measured>, ExperimentError> {
        let own = Control {
            interrupt: self.control.interrupt.clone(),
            artifact: probe.pheromone.then(|| ArtifactRequest::new(ArtifactKind::MoveWeights)),
            ..Control::default()
        };
        let run = Enumeration {
            seed: job.seed,
            threads,
            budget: probe.budget(self.scale),
            all: probe.goes_on(self.scale),
            by_start: probe.by_start,
            curve: probe.curve.then_some(1),
            dedup: if probe.bitmaps.is_some() { Dedup::Bloom } else { Dedup::Exact },
            bloom: Bloom {
                hashes: probe.bitmaps.unwrap_or(1),
                measure: probe.bitmaps.is_some(),
                ..Bloom::default()
            },
            ..Enumeration::new(job.problem.clone(), choice.clone())
        };
        let id = || self.definition.id.clone();
        let control = if probe.pheromone { &own } else { self.control };
        let summary = run.run(control, None).map_err(|e| ExperimentError::Run(id(), e))?;
        if summary.full {
            return Err(ExperimentError::Full(id()));
        }
        if summary.status == Status::Interrupted {
            return Ok(None);
        }
        let graph = job.problem.graph();
        let name = |square| graph.name(square);
        let mut values = values(&summary, name);
        values.insert("core_seconds".into(), rounded(summary.seconds * threads as f64));
        let laid = own.artifact.and_then(ArtifactRequest::into_artifact);
        let laid = laid.and_then(Artifact::into_move_weights).unwrap_or_default();
        let amount = |&(from, to, amount): &MoveWeight| (name(from), name(to), rounded(amount));
        Ok(Some(Measured {
            of: job.of.into(),
            seed: job.seed,
            values,
            curve: summary.curve.map_or(Vec::new(), |curve| thin(&curve.points)),
            pheromone: laid.iter().map(amount).collect(),
        }))
    }
}

/// Reads and verifies a printed tour.
fn read(text: &str) -> Measured {
    let mut values = BTreeMap::new();
    for claim in read_tours(text, &Hints::default()).into_iter().flatten() {
        let tour = verify(&claim.graph, claim.squares);
        let closed = tour.as_ref().is_ok_and(|tour| tour.classify().closed);
        values.insert("tours".into(), f64::from(u8::from(tour.is_ok())));
        values.insert("closed".into(), f64::from(u8::from(closed)));
    }
    Measured { of: text.into(), values, ..Measured::default() }
}

/// Thins out a curve. Keeps its last point, and its first points for the sake of logarithmic axes.
fn thin(points: &[CurvePoint]) -> Vec<(u64, u64, u64)> {
    let every = points.len().div_ceil(POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let keep = |n: &usize| *n < EARLY || (n + 1).is_multiple_of(every) || *n == last;
    let point = |n: usize| (points[n].attempts, points[n].distinct, points[n].repeated);
    (0..points.len()).filter(keep).map(point).collect()
}

/// Rounds a measurement that is not a count to six significant digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

fn values(summary: &Summary, name: impl Fn(Square) -> String) -> BTreeMap<String, f64> {
    let mut values = BTreeMap::new();
    let mut put = |name: String, value: f64| {
        if value != 0.0 {
            values.insert(name, value);
        }
    };
    let Totals { attempts, tours, distinct, closed, moves } = summary.total;
    for (name, value) in [
        ("attempts", attempts),
        ("tours", tours),
        ("distinct", distinct),
        ("closed", closed),
        ("moves", moves),
        ("lost", summary.lost.unwrap_or(0)),
    ] {
        put(name.into(), value as f64);
    }
    for (&square, &Totals { attempts, tours, distinct, .. }) in &summary.by_start {
        for (of, value) in [("attempts", attempts), ("tours", tours), ("distinct", distinct)] {
            put(format!("{}.{of}", name(square)), value as f64);
        }
    }
    for (name, reading) in summary.readings.iter() {
        match reading {
            Reading::Count(count) => put(name.into(), count as f64),
            Reading::Spread { times, sum, min, max } => {
                put(format!("{name}.times"), times as f64);
                put(format!("{name}.mean"), rounded(sum / times.max(1) as f64));
                put(format!("{name}.least"), rounded(min));
                put(format!("{name}.most"), rounded(max));
            }
        }
    }
    values
}
