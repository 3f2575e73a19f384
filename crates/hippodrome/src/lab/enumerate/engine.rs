//! The engine of all enumerations, whether in memory or on disk.
//!
//! It filters the tours of the units, brings them into canonical form, packs them into keys and counts them.
//! The keys go to a [`TourSink`]. In memory, the sink is a set that decides immediately which keys are new.
//! On disk, the keys are sorted and merged later.

use super::{Enumeration, Totals, TourFilter, WhenFull};
use crate::board::Square;
use crate::lab::curve::{Curve, CurvePoint, Recorder};
use crate::lab::distinct::{DistinctSet, Seen};
use crate::problem::Problem;
use crate::search::{Allotment, BadClaim, Driver, End, Ends, Moment, Readings, RunReport, Stats};
use crate::tour::{Canon, Packer, Verified, Verifier};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Receives the tours that pass the filter. Each arrives as a key, its packed canonical form, so that
/// equivalent tours have equal keys.
pub trait TourSink {
    /// Takes a key; returns whether it is new. [`Seen::Full`] ends the run.
    fn accept(&mut self, key: &[u64]) -> Seen;
}

/// Filters, packs and counts tours on their way to a sink.
pub(super) struct Intake<'s> {
    filter: Option<TourFilter>,
    keyed: Option<Keyed<'s>>,
    production: Option<Production>,
    pub(super) total: Totals,
    /// Number of tours that passed the filter, including duplicates.
    kept: u64,
    /// Statistics at the time of the first tour that passed the filter.
    pub(super) first: Option<Stats>,
    pub(super) by_start: Option<BTreeMap<Square, Totals>>,
    /// Whether the sink or the curve is full.
    pub(super) full: bool,
    when_full: WhenFull,
}

/// A sink, and what is needed to make its keys.
struct Keyed<'s> {
    canon: Canon,
    packer: Packer,
    key: Vec<u64>,
    sink: &'s mut dyn TourSink,
}

/// The production curve so far, and the tours of the current unit.
struct Production {
    recorder: Recorder,
    memory: usize,
    /// The current unit. Its tours are in `own`, except that the first unit needs no set of its own.
    unit: u64,
    own: Option<DistinctSet>,
    /// Sum over the units of the number of distinct tours in each unit.
    fresh: u64,
}

impl Production {
    /// Counts a tour of `unit` and returns whether it is new to the unit. `new` says whether it is new to the
    /// run; this also answers the question for the first unit and for tours without a key.
    fn found(&mut self, unit: u64, new: bool, key: Option<&[u64]>) -> Seen {
        let own = key.filter(|_| unit > 0).map(|key| {
            if self.unit != unit {
                (self.unit, self.own) = (unit, None);
            }
            let empty = || DistinctSet::new(key.len(), self.memory);
            self.own.get_or_insert_with(empty).insert(key)
        });
        let seen = own.unwrap_or(if new { Seen::New } else { Seen::Repeat });
        self.fresh += u64::from(seen == Seen::New);
        seen
    }
}

impl<'s> Intake<'s> {
    /// Creates the intake of a run; without a sink, every tour that passes the filter counts as new.
    pub(super) fn new(
        run: &Enumeration,
        problem: &Problem,
        sink: Option<&'s mut dyn TourSink>,
    ) -> Intake<'s> {
        let keyed = sink.map(|sink| {
            let (canon, packer) = (problem.canon(run.distinct), Packer::new(problem.graph()));
            Keyed { canon, packer, key: Vec::new(), sink }
        });
        let production = |step| {
            let recorder = Recorder::new(step);
            Production { recorder, memory: run.set_memory(), unit: 0, own: None, fresh: 0 }
        };
        Intake {
            filter: run.keep,
            keyed,
            production: run.curve.map(production),
            total: Totals::default(),
            kept: 0,
            first: None,
            by_start: run.by_start.then(BTreeMap::new),
            full: false,
            when_full: run.when_full,
        }
    }

    /// Takes a tour; returns whether it passes the filter and is new. If the sink is full, a tour that it does not
    /// know is not counted as distinct.
    #[inline]
    pub(super) fn take(&mut self, tour: &Verified<'_>, moment: &Moment) -> bool {
        let before = self.point();
        if let Some(production) = &mut self.production {
            production.recorder.before(moment.stats.attempts, before);
        }
        self.count(tour, |total| total.tours += 1);
        if self.filter.is_some_and(|filter| !filter.keeps(tour)) {
            return false;
        }
        let seen = self.keyed.as_mut().map_or(Seen::New, |keyed| {
            keyed.packer.pack(keyed.canon.form(tour), &mut keyed.key);
            keyed.sink.accept(&keyed.key)
        });
        if seen == Seen::Full {
            self.full = true;
            return self.when_full == WhenFull::Continue;
        }
        let new = seen == Seen::New;
        if let Some(production) = &mut self.production {
            let key = self.keyed.as_ref().map(|keyed| &keyed.key[..]);
            self.full = production.found(moment.unit, new, key) == Seen::Full;
        }
        self.kept += 1;
        if new {
            self.first.get_or_insert(moment.stats);
            self.count(tour, |total| {
                total.distinct += 1;
                total.closed += u64::from(tour.is_closed());
            });
        }
        new
    }

    /// Adds to the overall totals and to the totals of the tour's start square.
    fn count(&mut self, tour: &Verified<'_>, add: impl Fn(&mut Totals)) {
        add(&mut self.total);
        if let Some(by_start) = &mut self.by_start {
            add(by_start.entry(tour.squares()[0]).or_default());
        }
    }

    fn point(&self) -> CurvePoint {
        self.total.point(self.kept)
    }

    /// Ends the production curve, if there is one, after `attempts` attempts.
    pub(super) fn curve(&mut self, attempts: u64) -> Option<Curve> {
        let Production { recorder, fresh, .. } = self.production.take()?;
        let rate = fresh as f64 / attempts.max(1) as f64;
        Some(Curve { points: recorder.finish(attempts, self.point()), rate, known: None })
    }
}

/// The counts of a group, which consists of the solver's units that form one unit of a job. The number of
/// distinct tours is not known until the groups are merged.
#[derive(Clone, Debug, Default)]
pub struct GroupCounts {
    pub(crate) stats: Stats,
    /// Number of tours that passed the filter, including duplicates.
    pub(crate) kept: u64,
    pub(crate) readings: Readings,
    pub(crate) ends: Ends,
}

impl GroupCounts {
    fn add(&mut self, other: &GroupCounts) {
        self.stats += other.stats;
        self.kept += other.kept;
        self.readings.merge(&other.readings);
        self.ends |= other.ends;
    }

    /// Runs units of the solver one after another on the calling thread, until the sink is full or the
    /// control stops the run. Returns their counts, and whether every unit ran to its end.
    pub fn run(
        run: &Enumeration,
        driver: &Driver<'_>,
        units: impl Iterator<Item = (u64, Allotment)>,
        sink: &mut dyn TourSink,
    ) -> Result<(GroupCounts, bool), BadClaim> {
        let verifier = Verifier::new(driver.problem.graph());
        let mut intake = Intake::new(run, driver.problem, Some(sink));
        let (mut counts, mut whole) = (GroupCounts::default(), true);
        for (unit, share) in units {
            if intake.full || driver.control.must_stop() {
                whole = false;
                break;
            }
            let mut take = |tour: Verified<'_>, stats: &Stats| {
                intake.take(&tour, &Moment { unit, stats: *stats });
                if intake.full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let done = driver.unit(unit, share, &verifier, Some(&mut take), None)?;
            let spent = done.stats.attempts >= share.attempts;
            whole &= done.end != End::Limit || spent || !driver.control.must_stop();
            counts.stats += done.stats;
            counts.readings.merge(&done.readings);
            counts.ends.add(done.end);
        }
        counts.kept = intake.kept;
        Ok((counts, whole))
    }

    /// Adds up the counts of groups. Each group comes with two numbers: how many distinct tours it was the
    /// first to find, and how many of these are closed. Returns the totals, the report, and the production
    /// curve with one point per group. `all` says whether all groups of the run are given.
    pub fn add_up<'g>(
        groups: impl Iterator<Item = (&'g GroupCounts, (u64, u64))>,
        (all, interrupted): (bool, bool),
    ) -> (Totals, RunReport, Vec<CurvePoint>) {
        let mut sum = GroupCounts::default();
        let (mut total, mut points) = (Totals::default(), Vec::new());
        for (group, (distinct, closed)) in groups {
            sum.add(group);
            let Stats { attempts, moves, tours, .. } = sum.stats;
            let (distinct, closed) = (total.distinct + distinct, total.closed + closed);
            total = Totals { attempts, tours, distinct, closed, moves };
            points.push(total.point(sum.kept));
        }
        sum.ends.limit |= !all;
        let mut report = RunReport::new(sum.ends.status(!all && interrupted));
        (report.stats, report.readings, report.measured) =
            (sum.stats, sum.readings, sum.stats.attempts);
        (total, report, points)
    }
}
