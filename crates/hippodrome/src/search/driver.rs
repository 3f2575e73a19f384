//! The driver: runs units on several threads, delivers their tours in order and enforces the budget. It does
//! not depend on any particular solver.
//!
//! Workers take units in order and run them. The calling thread receives the tours of unit 0, then of
//! unit 1, and so on, so the result does not depend on the number of threads. A worker that is ahead of the
//! consumer waits when the channel of its unit is full or when too many squares are queued in total, so
//! memory stays bounded. If the consumer breaks, the statistics include all earlier units, and the current
//! unit up to the last tour that was delivered.

mod gate;

use crate::board::Square;
use crate::problem::Problem;
use crate::search::{
    Allotment, Budget, Control, End, Ends, Observer, Prepared, Readings, Run, Sink, Stats, Status,
    beside,
};
use crate::tour::{Batch, TourFault, Verified, Verifier};
use gate::Gate;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// Size of a batch of tours, in squares, at which the batch is sent.
const BATCH_SQUARES: usize = 1 << 16;
/// Maximum number of batches by which a unit may be ahead of the consumer.
const BATCHES_AHEAD: usize = 512;
/// Maximum number of units that may be finished before the consumer reaches them.
const UNITS_AHEAD: usize = 1024;

/// The result of a whole run.
#[derive(Debug)]
pub struct RunReport {
    /// How the run ended.
    pub status: Status,
    /// Counters summed over all units.
    pub stats: Stats,
    /// Counters by start square. Units without a start square are not included.
    pub by_start: BTreeMap<Square, Stats>,
    /// Measures reported by the units that were not stopped early.
    pub readings: Readings,
    /// Number of attempts made by those units.
    pub measured: u64,
}

impl RunReport {
    /// Creates the report of a run that has no units.
    pub(crate) fn new(status: Status) -> RunReport {
        RunReport {
            status,
            stats: Stats::default(),
            by_start: BTreeMap::new(),
            readings: Readings::default(),
            measured: 0,
        }
    }
}

/// A solver claimed a tour that the verifier rejects, which is a bug in the solver.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error(
    "solver {solver} claimed a tour that the verifier rejects, which is a bug; please report it: {fault}"
)]
pub struct BadClaim {
    /// Name of the solver.
    pub solver: &'static str,
    /// Why the claim is invalid.
    pub fault: TourFault,
}

impl crate::error::Diagnostic for BadClaim {
    fn kind(&self) -> crate::error::ErrorKind {
        crate::error::ErrorKind::Bug
    }
}

/// The definition of a run, without the consumer of its tours.
pub struct Driver<'a> {
    /// The problem to solve.
    pub problem: &'a Problem,
    /// Name of the solver; the seeds of its units depend on it.
    pub solver: &'static str,
    /// The prepared solver.
    pub prepared: &'a dyn Prepared,
    /// Master seed.
    pub seed: u64,
    /// Budget of the whole run. The consumer, not the driver, enforces the limit `tours`.
    pub budget: Budget,
    /// Stop flags and live counters.
    pub control: &'a Control,
}

/// When a tour was found.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Number of the unit that found the tour.
    pub unit: u64,
    /// Counters of all earlier units, plus the counters of this unit at the moment it found the tour.
    pub stats: Stats,
}

/// A callback that receives each tour; returning `Break` ends the run.
pub type Consumer<'a> = &'a mut dyn FnMut(Verified<'_>, &Moment) -> ControlFlow<()>;

struct Tally {
    report: RunReport,
    ends: Ends,
}

impl Tally {
    fn new() -> Tally {
        Tally { report: RunReport::new(Status::Complete), ends: Ends::default() }
    }

    fn add(&mut self, start: Option<Square>, stats: Stats, end: End) {
        self.report.stats += stats;
        if let Some(start) = start {
            *self.report.by_start.entry(start).or_default() += stats;
        }
        self.ends.add(end);
    }

    fn finish_unit(&mut self, start: Option<Square>, done: &Done) {
        self.add(start, done.stats, done.end);
        self.report.readings.merge(&done.readings);
        self.report.measured += done.stats.attempts;
    }

    fn finish(mut self, control: &Control) -> RunReport {
        self.report.status = self.ends.status(control.interrupt.load(Relaxed));
        self.report
    }
}

impl Driver<'_> {
    /// Runs all units on `threads` threads. Without a consumer, tours are only verified and counted.
    pub fn run(
        &self,
        threads: usize,
        consumer: Option<Consumer<'_>>,
    ) -> Result<RunReport, BadClaim> {
        if threads <= 1 { self.run_here(consumer, None) } else { self.run_apart(threads, consumer) }
    }

    /// Runs all units on this thread and sends events to an observer.
    pub fn watch(
        &self,
        observer: &mut dyn Observer,
        consumer: Consumer<'_>,
    ) -> Result<RunReport, BadClaim> {
        self.run_here(Some(consumer), Some(observer))
    }

    /// Runs one unit.
    pub(crate) fn unit<'r>(
        &'r self,
        unit: u64,
        allotment: Allotment,
        verifier: &'r Verifier,
        sink: Option<Sink<'r>>,
        observer: Option<&'r mut dyn Observer>,
    ) -> Result<Done, BadClaim> {
        if allotment.attempts == 0 || allotment.moves == 0 {
            return Ok(Done {
                stats: Stats::default(),
                readings: Readings::default(),
                end: End::Limit,
            });
        }
        let seed = (self.seed, self.solver, unit);
        let mut run =
            Run::new(seed, self.problem, verifier, allotment, self.control, sink, observer);
        let end = self.prepared.run(unit, &mut run);
        let finished = run.finish().map_err(|fault| BadClaim { solver: self.solver, fault });
        finished.map(|(stats, readings)| Done { stats, readings, end })
    }

    fn run_here(
        &self,
        mut consumer: Option<Consumer<'_>>,
        mut observer: Option<&mut dyn Observer>,
    ) -> Result<RunReport, BadClaim> {
        let mut tally = Tally::new();
        let verifier = Verifier::new(self.problem.graph());
        for unit in 0.. {
            let Some(allotment) = self.prepared.allot(unit, &self.budget) else { break };
            if self.control.must_stop() {
                tally.ends.limit = true;
                break;
            }
            let mut enough = None;
            let before = tally.report.stats;
            let mut taking = consumer.as_mut().map(|take| {
                |tour: Verified<'_>, stats: &Stats| {
                    let flow = take(tour, &Moment { unit, stats: before + *stats });
                    if flow.is_break() {
                        enough = Some(*stats);
                    }
                    flow
                }
            });
            let sink = taking.as_mut().map(|take| take as Sink<'_>);
            let watch: Option<&mut dyn Observer> = match &mut observer {
                Some(o) => Some(&mut **o),
                None => None,
            };
            let done = self.unit(unit, allotment, &verifier, sink, watch)?;
            if let Some(stats) = enough {
                tally.add(allotment.start, stats, End::Limit);
                break;
            }
            tally.finish_unit(allotment.start, &done);
        }
        Ok(tally.finish(self.control))
    }

    fn run_apart(
        &self,
        threads: usize,
        mut consumer: Option<Consumer<'_>>,
    ) -> Result<RunReport, BadClaim> {
        let (queue, units) = sync_channel::<Unit>(UNITS_AHEAD);
        let next = Mutex::new(Next { unit: 0, queue: Some(queue), cut: false });
        let gate = Gate::default();
        let with_tours = consumer.is_some();
        let mut tally = Tally::new();
        let mut bad = None;
        let workers = (0..threads).map(|_| || self.work(&next, &gate, with_tours));
        beside(workers, || {
            'units: for (number, unit) in (0..).zip(units) {
                gate.serve(number);
                let before = tally.report.stats;
                for message in unit.messages {
                    match message {
                        Message::Tours(batch, stats) => {
                            gate.leave(batch.squares());
                            let Some(consumer) = &mut consumer else { continue };
                            let mut at = 0;
                            let flow = batch.visit(self.problem.graph(), |index, tour| {
                                at = index;
                                let stats = before + stats[index];
                                consumer(tour, &Moment { unit: number, stats })
                            });
                            // On stop, discard queued batches.
                            if flow.is_break() || self.control.must_stop() {
                                tally.add(unit.start, stats[at], End::Limit);
                                break 'units;
                            }
                        }
                        Message::End(Ok(done)) => tally.finish_unit(unit.start, &done),
                        Message::End(Err(claim)) => {
                            bad = Some(claim);
                            break 'units;
                        }
                    }
                }
            }
            self.control.stop.store(true, Relaxed);
            gate.open();
        });
        // Reset the flag: a staged search uses the same control for its next run.
        self.control.stop.store(false, Relaxed);
        tally.ends.limit |= next.into_inner().unwrap_or_else(PoisonError::into_inner).cut;
        bad.map_or_else(|| Ok(tally.finish(self.control)), Err)
    }

    /// Takes the next unit and announces it to the consumer, both under the same lock.
    fn take(&self, next: &Mutex<Next>) -> Option<(u64, Allotment, SyncSender<Message>)> {
        let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
        let unit = next.unit;
        let allotment = self.prepared.allot(unit, &self.budget);
        next.cut |= allotment.is_some() && self.control.must_stop();
        let Some(allotment) = allotment.filter(|_| !next.cut) else {
            next.queue = None;
            return None;
        };
        let (sender, messages) = sync_channel(BATCHES_AHEAD);
        next.queue.as_ref()?.send(Unit { start: allotment.start, messages }).ok()?;
        next.unit += 1;
        Some((unit, allotment, sender))
    }

    /// Takes and runs units until there are no more.
    fn work(&self, next: &Mutex<Next>, gate: &Gate, with_tours: bool) {
        let verifier = Verifier::new(self.problem.graph());
        loop {
            let Some((unit, allotment, messages)) = self.take(next) else { return };
            let mut batch = Batch::default();
            let mut stamps = Vec::new();
            let flush = |batch: &mut Batch, stamps: &mut Vec<Stats>| {
                gate.enter(unit, batch.squares());
                let tours = Message::Tours(std::mem::take(batch), std::mem::take(stamps));
                match messages.send(tours) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            };
            let mut sink = |tour: Verified<'_>, stats: &Stats| {
                batch.push(tour);
                stamps.push(*stats);
                if batch.squares() < BATCH_SQUARES && stats.tours > 64 {
                    return ControlFlow::Continue(());
                }
                flush(&mut batch, &mut stamps)
            };
            let sink: Option<Sink<'_>> = if with_tours { Some(&mut sink) } else { None };
            let outcome = self.unit(unit, allotment, &verifier, sink, None);
            if batch.len() > 0 && flush(&mut batch, &mut stamps).is_break() {
                return;
            }
            if messages.send(Message::End(outcome)).is_err() {
                return;
            }
        }
    }
}

/// The number of the next unit, and the queue on which units are announced to the consumer. The queue is
/// `None` once no more units are taken.
struct Next {
    unit: u64,
    queue: Option<SyncSender<Unit>>,
    cut: bool,
}

/// What the consumer knows about a unit.
struct Unit {
    start: Option<Square>,
    messages: Receiver<Message>,
}

enum Message {
    Tours(Batch, Vec<Stats>),
    End(Result<Done, BadClaim>),
}

/// The result of a unit.
pub(crate) struct Done {
    pub(crate) stats: Stats,
    pub(crate) readings: Readings,
    pub(crate) end: End,
}
