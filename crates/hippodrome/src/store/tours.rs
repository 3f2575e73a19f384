//! An enumeration as a job: its units leave sorted runs of packed tours, repeats removed.
//!
//! A unit of the job is one unit of the solver, or some in a row where they are short. Its seeds come
//! from the solver's units and its share of the budget from the whole budget, so that all units
//! together find what the same enumeration finds in memory. With a larger budget, units whose share
//! has grown are done again and new ones added. A tour is kept in its canonical form (for
//! [`Distinct::Directed`] that is the tour itself): of tours that count as one, whichever is found, the
//! same one is kept.

mod compact;
mod note;

pub(super) use note::Note;

use compact::compact;

use super::identity::identity;
use super::keys::{Buffer, Key, key_bytes, with_key};
use super::runs::{Parting, write_run};
use super::sketch::Sketch;
use super::{
    Event, Identity, Job, JobFolder, JobMonitor, Phase, Sealed, SealedWriter, State, StoreError,
    UnitResult,
};
use crate::error::{Argument, Remedy};
use crate::lab::enumerate::{Dedup, EnumerateError, Enumeration, count_units};
use crate::problem::Problem;
use crate::search::{Allotment, Budget, Control, Driver, End, Prepared, Stats};
use crate::tour::{Distinct, Packer, Verified, Verifier};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use xxhash_rust::xxh3::Xxh3;

/// Moves that make a unit worth a file of its own.
const UNIT_MOVES: u64 = 100_000_000;
/// A job with an end has no more units than this at first,
const MOST_UNITS: u64 = 1024;
/// Most units of the solver in one of an endless job.
const MOST_GROUPED: u64 = 1 << 16;
/// and no fewer than this, if the solver has as many.
const FEWEST_UNITS: u64 = 64;

/// Bytes of keys that are gathered before they are sorted and written, however much memory there is:
/// who interrupts a job does not wait for more.
const MOST_GATHERED: usize = 64 << 20;

/// An enumeration that is kept in a folder.
pub struct EnumerationJob {
    pub(super) run: Enumeration,
    pub(super) problem: Problem,
    /// What is known of units without the solver's tables.
    pub(super) outline: Box<dyn Prepared>,
    /// The solver, once a unit is run.
    prepared: OnceLock<Box<dyn Prepared>>,
    preparing: Mutex<()>,
    pub(super) packer: Packer,
    pub(super) control: Arc<Control>,
    group: u64,
    units: u64,
    sketch: Sketch,
}

/// How many of the solver's units make one of the job's.
fn grouping(prepared: &dyn Prepared, problem: &Problem, budget: &Budget) -> u64 {
    let attempts = prepared.allot(0, budget).map_or(u64::MAX, |share| share.attempts);
    let moves = attempts.saturating_mul(problem.graph().order() as u64);
    let worth = UNIT_MOVES.div_ceil(moves.max(1));
    match count_units(prepared, budget) {
        Some(n) => worth.clamp(n.div_ceil(MOST_UNITS).max(1), n.div_ceil(FEWEST_UNITS).max(1)),
        None => worth.min(MOST_GROUPED),
    }
}

/// The grouping of a job whose budget may have grown: the same, unless its files would be too many.
/// Results of another grouping count as unfinished, so that this costs what little was done.
fn regrouping(prepared: &dyn Prepared, problem: &Problem, budget: &Budget, group: u64) -> u64 {
    match count_units(prepared, budget) {
        Some(n) if n.div_ceil(group) <= 16 * MOST_UNITS => group,
        Some(_) => grouping(prepared, problem, budget).max(group),
        // Larger groups of endless jobs were made by mistake: none of their units ever ended.
        None if group > MOST_GROUPED => grouping(prepared, problem, budget),
        None => group,
    }
}

fn no_end(n: u64) -> Option<u64> {
    (n < u64::MAX).then_some(n)
}

impl EnumerationJob {
    /// A new job and its folder.
    pub fn create(
        path: &Path,
        run: Enumeration,
        control: &Arc<Control>,
    ) -> Result<(JobFolder, EnumerationJob), StoreError> {
        let job = EnumerationJob::planned(run, control)?;
        Ok((job.folder(path)?, job))
    }

    /// A new job that has no folder yet.
    pub fn planned(run: Enumeration, control: &Arc<Control>) -> Result<EnumerationJob, StoreError> {
        EnumerationJob::new(run, None, control)
    }

    /// Makes the folder of a new job.
    pub fn folder(&self, path: &Path) -> Result<JobFolder, StoreError> {
        JobFolder::create(path, (self.kind(), self.identity()), self.plan())
    }

    /// The job of a folder. `change` may change what is no part of its identity: threads, memory, and
    /// the budget, which may only grow.
    pub fn resume(
        folder: &mut JobFolder,
        change: impl FnOnce(&mut Enumeration),
        control: &Arc<Control>,
    ) -> Result<EnumerationJob, StoreError> {
        let job = EnumerationJob::of(folder, change, control)?;
        folder.revise(job.plan())?;
        Ok(job)
    }

    /// As [`EnumerationJob::resume`], leaving the folder as it is.
    pub fn of(
        folder: &JobFolder,
        change: impl FnOnce(&mut Enumeration),
        control: &Arc<Control>,
    ) -> Result<EnumerationJob, StoreError> {
        let name = || folder.path().display().to_string();
        if folder.kind() != "enumeration" {
            let (path, there) = (name(), folder.kind().into());
            let (field, here) = ("kind".into(), "enumeration".into());
            return Err(StoreError::Other { path, field, there, here });
        }
        let number = |key: &str| folder.plan()[key].as_u64();
        let budget = Budget {
            attempts: number("attempts"),
            attempts_per_start: number("attempts_per_start"),
            moves: number("moves"),
            ..Budget::UNLIMITED
        };
        let mut run = super::identity::enumeration(folder.identity())?;
        run.budget = budget;
        change(&mut run);
        let grown = [
            (Argument::Attempts, budget.attempts, run.budget.attempts),
            (Argument::AttemptsPerStart, budget.attempts_per_start, run.budget.attempts_per_start),
            (Argument::Moves, budget.moves, run.budget.moves),
        ];
        for (argument, before, now) in grown {
            if now.unwrap_or(u64::MAX) < before.unwrap_or(u64::MAX) {
                return Err(StoreError::Smaller { path: name(), argument, before });
            }
        }
        EnumerationJob::new(run, number("group"), control)
    }

    fn new(
        run: Enumeration,
        group: Option<u64>,
        control: &Arc<Control>,
    ) -> Result<EnumerationJob, StoreError> {
        if run.budget.tours.is_some() {
            let matter = "a job folder cannot stop at a number of distinct tours, which is known only after merging";
            let instead = Remedy::Give(vec![Argument::Attempts, Argument::Moves]);
            return Err(StoreError::Refused(matter.into(), vec![instead]));
        }
        if run.dedup != Dedup::Exact {
            let matter = "a job folder always removes duplicates exactly";
            let remedy = Remedy::LeaveOut(vec![Argument::Dedup]);
            return Err(StoreError::Refused(matter.into(), vec![remedy]));
        }
        let (problem, outline) = run.planned()?;
        let (known, budget) = (outline.as_ref(), &run.budget);
        let group = match group {
            Some(group) => regrouping(known, &problem, budget, group.max(1)),
            None => grouping(known, &problem, budget),
        };
        let units = count_units(known, budget);
        let units = units.map_or(u64::MAX, |units| units.div_ceil(group));
        let packer = Packer::new(problem.graph());
        Ok(EnumerationJob {
            run,
            problem,
            outline,
            prepared: OnceLock::new(),
            preparing: Mutex::new(()),
            packer,
            control: Arc::clone(control),
            group,
            units,
            sketch: Sketch::default(),
        })
    }

    fn plan(&self) -> Value {
        let Budget { attempts, attempts_per_start, moves, .. } = self.run.budget;
        json!({
            "attempts": attempts, "attempts_per_start": attempts_per_start, "moves": moves,
            "group": self.group,
        })
    }

    /// From now on a limit of time runs.
    pub fn begin(&self) {
        self.run.set_deadline(&self.control);
    }

    /// What is enumerated.
    pub fn enumeration(&self) -> &Enumeration {
        &self.run
    }

    /// About how many distinct tours its units have found so far.
    pub fn distinct_so_far(&self) -> u64 {
        // An estimate may be beyond what there can be.
        self.sketch.estimate().min(self.control.tours.load(std::sync::atomic::Ordering::Relaxed))
    }

    /// Counts what units done before have found, for progress bars.
    pub fn recall(&self, folder: &JobFolder) -> Result<(), StoreError> {
        for (_, state) in folder.results(self, JobMonitor::nobody())? {
            if let State::Done(sealed) = state {
                self.recall_result(&sealed);
            }
        }
        Ok(())
    }

    /// As [`EnumerationJob::recall`], for one unit that may have been done elsewhere. True if it is done.
    pub fn recall_unit(&self, folder: &JobFolder, unit: u64) -> Result<bool, StoreError> {
        match folder.glance(self, unit)? {
            State::Done(sealed) => self.recall_result(&sealed),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn recall_result(&self, sealed: &Sealed) {
        use std::sync::atomic::Ordering::Relaxed;
        let note = Note::read(&sealed.note["note"]);
        self.control.attempts.fetch_add(note.stats.attempts, Relaxed);
        self.control.moves.fetch_add(note.stats.moves, Relaxed);
        self.control.tours.fetch_add(note.stats.tours, Relaxed);
        let sketch = sealed.sections.len().checked_sub(1).map(|last| sealed.bytes(last));
        // Damage is noticed when the unit is looked at.
        if let Some(Ok(registers)) = sketch {
            self.sketch.add(&registers);
        }
    }

    /// What the results that are there have counted, whole or not: statistics, and keys on disk.
    pub fn counted(&self, folder: &JobFolder) -> Result<(Stats, u64), StoreError> {
        let (mut stats, mut keys) = (Stats::default(), 0);
        for (_, state) in folder.results(self, JobMonitor::nobody())? {
            if let State::Done(sealed) | State::Unfinished(sealed) = state {
                let note = Note::read(&sealed.note["note"]);
                stats += note.stats;
                keys += note.keys;
            }
        }
        Ok((stats, keys))
    }

    /// The solver's units that make one of the job's, with their shares of the budget.
    fn members(&self, unit: u64) -> impl Iterator<Item = (u64, Allotment)> + '_ {
        let first = unit.saturating_mul(self.group);
        let members = first..first.saturating_add(self.group);
        members.map_while(|u| Some((u, self.outline.allot(u, &self.run.budget)?)))
    }

    /// The solver ready to run; whoever comes first makes it so. Whoever goes on with a job may do so
    /// beforehand, to hear of it before anything is changed.
    pub fn prepare(&self) -> Result<&dyn Prepared, StoreError> {
        let _alone = self.preparing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.prepared.get().is_none() {
            let prepared = self.run.prepare(&self.problem, &self.control);
            let prepared = prepared.map_err(|error| match error {
                EnumerateError::Stopped => StoreError::Stopped,
                other => other.into(),
            })?;
            let _ = self.prepared.set(prepared);
        }
        Ok(self.prepared.get().unwrap_or(&self.outline).as_ref())
    }

    fn fill<K: Key>(
        &self,
        unit: u64,
        out: &mut SealedWriter<'_>,
        watch: JobMonitor<'_>,
    ) -> Result<UnitResult, StoreError> {
        let width = self.packer.words();
        let share = (self.run.memory / 2 / self.run.threads.max(1)).min(MOST_GATHERED);
        let mut runs = Runs {
            buffer: Buffer::<K>::new(share / key_bytes(width)),
            parting: Parting::new(self.packer.bits() * self.packer.per_word()),
            out,
            watch,
            keys: 0,
        };
        let graph = self.problem.graph();
        let verifier = Verifier::new(graph);
        let mut canon = self.problem.canon(self.run.distinct);
        let plan = Driver {
            problem: &self.problem,
            solver: self.run.choice.name(),
            prepared: self.prepare()?,
            seed: self.run.seed,
            budget: self.run.budget,
            control: &self.control,
        };
        let mut note = Note::default();
        let mut packed = Vec::new();
        let own = Sketch::default();
        let mut whole = true;
        for (member, share) in self.members(unit) {
            if self.control.must_stop() {
                whole = false;
                break;
            }
            let mut failed = None;
            let mut take = |tour: Verified<'_>, _: &Stats| {
                if self.run.keep.is_some_and(|keep| !keep.keeps(&tour)) {
                    return ControlFlow::Continue(());
                }
                note.kept += 1;
                match self.run.distinct {
                    Distinct::Directed => self.packer.pack(tour.squares(), &mut packed),
                    _ => self.packer.pack(canon.form(&tour), &mut packed),
                }
                own.count(&packed);
                match runs.add(&packed) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => {
                        failed = Some(error);
                        ControlFlow::Break(())
                    }
                }
            };
            let done = plan.unit(member, share, &verifier, Some(&mut take), None);
            if let Some(error) = failed {
                return Err(error);
            }
            let done = done.map_err(|claim| StoreError::Job(claim.to_string()))?;
            let spent = done.stats.attempts >= share.attempts;
            whole &= done.end != End::Limit || spent || !self.control.must_stop();
            note.add(done.stats, &done.readings, done.end);
            // Between units of a group, so that the bar moves.
            self.sketch.add(&own.registers());
        }
        runs.spill()?;
        let keys = runs.keys;
        let memory = self.run.memory / 2 / self.run.threads.max(1);
        note.keys = compact::<K>(out, width, memory, watch)?.unwrap_or(keys);
        out.write(&own.registers())?;
        out.end_section();
        Ok(UnitResult { whole, reached: note.stats.attempts, note: note.write() })
    }
}

/// The runs of a unit that is being run.
struct Runs<'u, 'w, K> {
    buffer: Buffer<K>,
    parting: Parting,
    out: &'u mut SealedWriter<'w>,
    watch: JobMonitor<'u>,
    keys: u64,
}

impl<K: Key> Runs<'_, '_, K> {
    #[inline]
    fn add(&mut self, words: &[u64]) -> Result<(), StoreError> {
        let Err(key) = self.buffer.push(K::of(words)) else { return Ok(()) };
        self.watch.tell(Event::Phase(Phase::Sort, self.out.path()));
        if !self.buffer.settle() {
            self.write()?;
            // Little is left to be synced at the end, which may come as an interrupt.
            self.out.sync()?;
        }
        // There is room now.
        let _ = self.buffer.push(key);
        Ok(())
    }

    fn spill(&mut self) -> Result<(), StoreError> {
        self.watch.tell(Event::Phase(Phase::Sort, self.out.path()));
        self.buffer.settle();
        self.write()
    }

    fn write(&mut self) -> Result<(), StoreError> {
        self.keys += self.buffer.keys().len() as u64;
        write_run(self.buffer.keys(), self.parting, self.out, self.watch)?;
        self.buffer.clear();
        Ok(())
    }
}

impl Job for EnumerationJob {
    type Summary = super::Merged;

    fn kind(&self) -> &'static str {
        "enumeration"
    }

    fn identity(&self) -> Identity {
        identity(&self.run)
    }

    fn units(&self) -> u64 {
        self.units
    }

    fn terms(&self, unit: u64) -> Value {
        let (mut hash, mut units) = (Xxh3::new(), 0u64);
        let (mut attempts, mut moves) = (0u64, 0u64);
        for (_, share) in self.members(unit) {
            units += 1;
            attempts = attempts.saturating_add(share.attempts);
            moves = moves.saturating_add(share.moves);
            hash.update(&share.attempts.to_le_bytes());
            hash.update(&share.moves.to_le_bytes());
        }
        json!({
            "attempts": no_end(attempts), "moves": no_end(moves), "units": units,
            "digest": format!("{:016x}", hash.digest()),
        })
    }

    fn run_unit(
        &self,
        unit: u64,
        out: &mut SealedWriter<'_>,
        watch: JobMonitor<'_>,
    ) -> Result<UnitResult, StoreError> {
        with_key!(self.packer.words(), K => self.fill::<K>(unit, out, watch))
    }

    fn merge(
        &self,
        folder: &JobFolder,
        watch: JobMonitor<'_>,
    ) -> Result<super::Merged, StoreError> {
        super::merge::merge(self, folder, watch)
    }
}
