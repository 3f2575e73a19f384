//! An enumeration as a job: each unit writes sorted runs of packed tours without duplicates.
//!
//! A unit of the job is one unit of the solver, or several consecutive ones if they are short. Seeds depend
//! only on the solver's units, and their shares only on the whole budget, so all units together find the same
//! tours as the enumeration in memory. When the budget grows, units whose share has grown are run again and
//! new units are added. A tour is stored in canonical form (for `--distinct directed`, as it is), so the
//! stored tour does not depend on which of several equivalent tours was found.

mod compact;
mod merge;
mod note;
mod parts;
mod plan;
mod rows;
mod unit;

pub use merge::Merged;
pub use parts::{encode_part, merge_part};
pub use plan::JobChange;

use super::StoreError;
use super::identity::{enumeration, identity};
use super::job::{Identity, Job, JobFolder, UnitResult, UnitState, complete};
use super::keys::with_key;
use super::monitor::JobMonitor;
use super::sealed::{Sealed, SealedWriter};
use super::sketch::Sketch;
use crate::error::{Argument, Remedy};
use crate::lab::enumerate::{Dedup, EnumerateError, Enumeration};
use crate::problem::Problem;
use crate::search::{Allotment, Control, Prepared, Stats};
use crate::tour::Packer;
use note::UnitNote;
use plan::{EnumerationPlan, grouping};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use xxhash_rust::xxh3::Xxh3;

const KIND: &str = "enumeration";

/// Largest number of keys that are merged after an interrupt; merging them takes well under a second.
const QUICKLY_MERGED: u64 = 1_000_000;

/// An enumeration in a job folder.
pub struct EnumerationJob {
    run: Enumeration,
    problem: Problem,
    /// The solver without its tables, which is enough to plan units.
    outline: Box<dyn Prepared>,
    /// The solver, prepared when the first unit runs.
    prepared: OnceLock<Box<dyn Prepared>>,
    preparing: Mutex<()>,
    packer: Packer,
    control: Arc<Control>,
    group: u64,
    units: u64,
    sketch: Sketch,
}

impl EnumerationJob {
    /// Plans a new job and creates its folder.
    pub fn create(
        path: &Path,
        run: Enumeration,
        control: &Arc<Control>,
    ) -> Result<(JobFolder, EnumerationJob), StoreError> {
        let job = EnumerationJob::planned(run, control)?;
        Ok((job.folder(path)?, job))
    }

    /// Creates a job that runs at once. Unlike [`EnumerationJob::create`], this prepares the solver first, so
    /// that an unsupported problem leaves no folder behind.
    pub fn begin(
        path: &Path,
        run: Enumeration,
        control: &Arc<Control>,
    ) -> Result<(JobFolder, EnumerationJob), StoreError> {
        JobFolder::expect_none(path)?;
        let job = EnumerationJob::planned(run, control)?;
        job.prepare()?;
        Ok((job.folder(path)?, job))
    }

    /// Plans a new job without a folder.
    pub fn planned(run: Enumeration, control: &Arc<Control>) -> Result<EnumerationJob, StoreError> {
        EnumerationJob::new(run, None, control)
    }

    fn folder(&self, path: &Path) -> Result<JobFolder, StoreError> {
        JobFolder::create(path, (KIND, self.identity()), self.plan())
    }

    /// Opens the job in a folder and applies the changes that the caller requests.
    pub fn resume(
        folder: &mut JobFolder,
        change: JobChange,
        control: &Arc<Control>,
    ) -> Result<EnumerationJob, StoreError> {
        let job = EnumerationJob::of(folder, change, control)?;
        folder.revise(job.plan())?;
        Ok(job)
    }

    /// Opens the job like [`EnumerationJob::resume`], but does not change the folder.
    pub fn of(
        folder: &JobFolder,
        change: JobChange,
        control: &Arc<Control>,
    ) -> Result<EnumerationJob, StoreError> {
        folder.expect(KIND, &change.restated)?;
        let plan = EnumerationPlan::of(folder)?;
        let mut run = enumeration(folder.identity())?;
        run.budget = plan.budget();
        change.apply(&mut run, folder)?;
        EnumerationJob::new(run, plan.group, control)
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
        if run.problem.is_constrained() {
            let matter = "a job folder cannot keep required or forbidden moves";
            return Err(StoreError::Refused(matter.into(), Vec::new()));
        }
        let (problem, outline) = run.planned()?;
        let (group, units) = grouping(outline.as_ref(), &problem, &run.budget, group);
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
            units: units.unwrap_or(u64::MAX),
            sketch: Sketch::default(),
        })
    }

    fn plan(&self) -> Value {
        json!(EnumerationPlan::new(&self.run.budget, self.group))
    }

    /// Runs the missing units and merges the results. Time limits begin with this call. If the job is
    /// interrupted, the results are merged only if merging is quick.
    pub fn run(
        &self,
        folder: &JobFolder,
        watch: JobMonitor<'_>,
    ) -> Result<Option<Merged>, StoreError> {
        self.recall(folder)?;
        self.run.set_deadline(&self.control);
        let merged = match complete(self, folder, self.run.threads, watch) {
            Err(StoreError::Stopped) => None,
            completed => completed?.1,
        };
        if merged.is_none() && self.counted(folder)?.1 <= QUICKLY_MERGED {
            return self.merge(folder, watch.unstopped()).map(Some);
        }
        Ok(merged)
    }

    /// Returns the enumeration.
    pub fn enumeration(&self) -> &Enumeration {
        &self.run
    }

    /// Estimates the number of distinct tours found so far.
    pub fn distinct_so_far(&self) -> u64 {
        // The estimate may exceed the number of tours found.
        self.sketch.estimate().min(self.control.tours.load(Relaxed))
    }

    /// Adds the results of earlier runs to the progress.
    fn recall(&self, folder: &JobFolder) -> Result<(), StoreError> {
        for (_, state) in folder.results(self, JobMonitor::silent())? {
            if let UnitState::Done(sealed) = state {
                self.recall_result(&sealed);
            }
        }
        Ok(())
    }

    /// Adds the result of a unit, which may have run elsewhere, to the progress. Returns whether the unit is
    /// done.
    pub fn recall_unit(&self, folder: &JobFolder, unit: u64) -> Result<bool, StoreError> {
        match folder.glance(self, unit)? {
            UnitState::Done(sealed) => self.recall_result(&sealed),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn recall_result(&self, sealed: &Sealed) {
        // Damage is reported when the results are merged.
        let Ok(note) = UnitNote::of(sealed) else { return };
        let Stats { attempts, moves, tours, .. } = note.stats;
        self.control.attempts.fetch_add(attempts, Relaxed);
        self.control.moves.fetch_add(moves, Relaxed);
        self.control.tours.fetch_add(tours, Relaxed);
        let sketch = sealed.sections.len().checked_sub(1).map(|last| sealed.bytes(last));
        // Damage is reported when the unit is read.
        if let Some(Ok(registers)) = sketch {
            self.sketch.add(&registers);
        }
    }

    /// Returns the total statistics of all results, finished or not, and their total number of keys on disk.
    pub fn counted(&self, folder: &JobFolder) -> Result<(Stats, u64), StoreError> {
        let (mut stats, mut keys) = (Stats::default(), 0);
        for (_, state) in folder.results(self, JobMonitor::silent())? {
            if let UnitState::Done(sealed) | UnitState::Unfinished(sealed) = state {
                let note = UnitNote::of(&sealed)?;
                stats += note.stats;
                keys += note.keys;
            }
        }
        Ok((stats, keys))
    }

    /// Returns the solver's units that make up one unit of the job, with their shares of the budget.
    fn members(&self, unit: u64) -> impl Iterator<Item = (u64, Allotment)> + '_ {
        let first = unit.saturating_mul(self.group);
        let members = first..first.saturating_add(self.group);
        members.map_while(|u| Some((u, self.outline.allot(u, &self.run.budget)?)))
    }

    /// Prepares the solver; this happens only once for all units.
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
}

impl Job for EnumerationJob {
    type Summary = Merged;

    fn kind(&self) -> &'static str {
        KIND
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
        let no_end = |n: u64| (n < u64::MAX).then_some(n);
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
        with_key!(self.packer.words(), K => unit::run_unit::<K>(self, unit, out, watch))
    }

    fn merge(&self, folder: &JobFolder, watch: JobMonitor<'_>) -> Result<Merged, StoreError> {
        with_key!(self.packer.words(), K => merge::merge::<K>(self, folder, watch))
    }
}
