//! Counts tours and tells which are new.

use super::{Dedup, Enumeration, Totals, TourFilter};
use crate::board::Square;
use crate::lab::curve::{CurvePoint, Recorder};
use crate::lab::distinct::{Bitmaps, DistinctSet, Seen};
use crate::problem::Problem;
use crate::search::{Moment, Stats};
use crate::tour::{Canon, Packer, Verified};
use std::collections::BTreeMap;

pub(super) struct Judge {
    keep: Option<TourFilter>,
    seen: Option<Memory>,
    repeated: u64,
    production: Option<Production>,
    pub(super) total: Totals,
    /// What had been counted when the first tour was kept.
    pub(super) first: Option<Stats>,
    pub(super) by_start: Option<BTreeMap<Square, Totals>>,
    /// Whether there is no room to tell new tours from repeats.
    pub(super) full: bool,
}

/// The tours seen.
struct Memory {
    canon: Canon,
    packer: Packer,
    set: Kept,
    key: Vec<u64>,
    bytes: usize,
}

/// How the tours seen are kept.
enum Kept {
    Exact(DistinctSet),
    /// The paper's bitmaps; the exact set beside them, if their errors are counted, and how many
    /// there were.
    Bloom(Bitmaps, Option<(DistinctSet, u64)>),
}

impl Memory {
    fn see(&mut self, tour: &Verified<'_>) -> Seen {
        self.packer.pack(self.canon.form(tour), &mut self.key);
        match &mut self.set {
            Kept::Exact(set) => set.insert(&self.key),
            Kept::Bloom(maps, exact) => {
                let seen = if maps.insert(&self.key) { Seen::New } else { Seen::Repeat };
                if let Some((set, lost)) = exact {
                    match set.insert(&self.key) {
                        Seen::Full => return Seen::Full,
                        truth => *lost += u64::from(truth == Seen::New && seen == Seen::Repeat),
                    }
                }
                seen
            }
        }
    }
}

/// The curve so far, and what each unit found by itself.
struct Production {
    recorder: Recorder,
    /// The unit being served, and the tours it found; the first needs no set of its own.
    unit: u64,
    own: Option<DistinctSet>,
    /// Distinct tours of each unit, added up.
    fresh: u64,
}

impl Production {
    /// The tour just looked up in `memory`, if there is one, was found by `unit`.
    fn found(&mut self, unit: u64, new: bool, memory: Option<&Memory>) -> Seen {
        let own = memory.filter(|_| unit > 0).map(|memory| {
            if self.unit != unit {
                (self.unit, self.own) = (unit, None);
            }
            let empty = || DistinctSet::new(memory.packer.words(), memory.bytes);
            self.own.get_or_insert_with(empty).insert(&memory.key)
        });
        let seen = own.unwrap_or(if new { Seen::New } else { Seen::Repeat });
        self.fresh += u64::from(seen == Seen::New);
        seen
    }
}

impl Judge {
    /// `looks` for repeats or takes every tour as new.
    pub(super) fn new(run: &Enumeration, problem: &Problem, looks: bool) -> Judge {
        let memory = || {
            let packer = Packer::new(problem.graph());
            // A curve takes a second set, of one unit's tours.
            let bytes = if run.curve.is_some() { run.memory / 2 } else { run.memory };
            let exact = || DistinctSet::new(packer.words(), bytes);
            let set = match run.dedup {
                Dedup::Bloom => {
                    Kept::Bloom(Bitmaps::new(&run.bloom), run.bloom.measure.then(|| (exact(), 0)))
                }
                Dedup::Exact | Dedup::None => Kept::Exact(exact()),
            };
            let canon = problem.canon(run.distinct);
            Memory { canon, packer, set, key: Vec::new(), bytes }
        };
        let production = |step| {
            let recorder = Recorder::new(step);
            Production { recorder, unit: 0, own: None, fresh: 0 }
        };
        Judge {
            keep: run.keep,
            seen: looks.then(memory),
            repeated: 0,
            production: run.curve.map(production),
            total: Totals::default(),
            first: None,
            by_start: run.by_start.then(BTreeMap::new),
            full: false,
        }
    }

    /// Whether the tour is kept and new.
    pub(super) fn counts(&mut self, tour: &Verified<'_>, moment: &Moment) -> bool {
        let before = self.point();
        if let Some(production) = &mut self.production {
            production.recorder.before(moment.stats.attempts, before);
        }
        self.count(tour, |tally| tally.tours += 1);
        if self.keep.is_some_and(|keep| !keep.keeps(tour)) {
            return false;
        }
        let seen = self.seen.as_mut().map_or(Seen::New, |memory| memory.see(tour));
        if seen == Seen::Full {
            self.full = true;
            return false;
        }
        let new = seen == Seen::New;
        if let Some(production) = &mut self.production {
            self.full = production.found(moment.unit, new, self.seen.as_ref()) == Seen::Full;
        }
        if new {
            self.first.get_or_insert(moment.stats);
            self.count(tour, |tally| {
                tally.distinct += 1;
                tally.closed += u64::from(tour.is_closed());
            });
        } else {
            self.repeated += 1;
        }
        new
    }

    /// New tours that were taken for repeats, if they are counted.
    pub(super) fn lost(&self) -> Option<u64> {
        match self.seen.as_ref().map(|memory| &memory.set) {
            Some(Kept::Bloom(_, Some((_, lost)))) => Some(*lost),
            _ => None,
        }
    }

    /// Counts for the whole and for the start square.
    fn count(&mut self, tour: &Verified<'_>, add: impl Fn(&mut Totals)) {
        add(&mut self.total);
        if let Some(by_start) = &mut self.by_start {
            add(by_start.entry(tour.squares()[0]).or_default());
        }
    }

    fn point(&self) -> CurvePoint {
        let Totals { tours, distinct, closed, .. } = self.total;
        CurvePoint { attempts: 0, tours, distinct, repeated: self.repeated, closed }
    }

    /// The points of the production curve after so many attempts, and the mean rate of a unit.
    pub(super) fn production(&mut self, attempts: u64) -> Option<(Vec<CurvePoint>, f64)> {
        let last = self.point();
        let Production { recorder, fresh, .. } = self.production.take()?;
        Some((recorder.finish(attempts, last), fresh as f64 / attempts.max(1) as f64))
    }
}
