//! Runs the missing units of a job on this machine and merges the results.

use super::{Job, JobFolder, UnitResult, UnitState};
use crate::search::on_each;
use crate::store::StoreError;
use crate::store::monitor::{JobEvent, JobMonitor};
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The progress of running units on this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Number of units that are done.
    pub done: u64,
    /// Whether all units are done.
    pub all: bool,
}

/// Runs a unit unless it is done. Returns whether it is done now.
pub fn run_unit<J: Job + ?Sized>(
    job: &J,
    folder: &JobFolder,
    unit: u64,
    watch: JobMonitor<'_>,
) -> Result<bool, StoreError> {
    let before = match folder.state(job, unit)? {
        UnitState::Done(_) => return Ok(true),
        UnitState::Damaged(error) => {
            watch.tell(JobEvent::Damaged(&error));
            None
        }
        UnitState::Missing => None,
        UnitState::Unfinished(sealed) => sealed.note["reached"].as_u64(),
    };
    if watch.stopped() {
        return Ok(false);
    }
    let mut out = folder.unit_writer(unit, watch)?;
    let UnitResult { whole, reached, note } = job.run_unit(unit, &mut out, watch)?;
    if !whole && before.is_some_and(|before| before >= reached) {
        return Ok(false);
    }
    let note = json!({
        "unit": unit, "job": folder.mark(), "terms": job.terms(unit), "whole": whole,
        "reached": reached, "note": note,
    });
    out.seal(&note)?;
    Ok(whole)
}

/// Runs, on `threads` threads, the units whose results are missing, damaged or unfinished. The first error
/// stops all threads.
pub fn run_missing<J: Job + ?Sized>(
    job: &J,
    folder: &JobFolder,
    threads: usize,
    watch: JobMonitor<'_>,
) -> Result<Ran, StoreError> {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let failed = AtomicBool::new(false);
    let ended = on_each(threads, || {
        while !watch.stopped() && !failed.load(Relaxed) {
            let unit = next.fetch_add(1, Relaxed);
            if unit >= job.units() {
                break;
            }
            match run_unit(job, folder, unit, watch) {
                Ok(true) => {
                    done.fetch_add(1, Relaxed);
                    watch.tell(JobEvent::Done(unit));
                }
                Ok(false) => break,
                Err(error) => {
                    failed.store(true, Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(())
    });
    ended.into_iter().collect::<Result<(), StoreError>>()?;
    let done = done.into_inner();
    Ok(Ran { done, all: done == job.units() })
}

/// Runs the missing units and merges the results, unless stopped. If a result turns out to be damaged during
/// the merge, its unit is run again, but only once.
pub fn complete<J: Job + ?Sized>(
    job: &J,
    folder: &JobFolder,
    threads: usize,
    watch: JobMonitor<'_>,
) -> Result<(Ran, Option<J::Summary>), StoreError> {
    let mut again = true;
    loop {
        let ran = run_missing(job, folder, threads, watch)?;
        if !ran.all && watch.stopped() {
            return Ok((ran, None));
        }
        match job.merge(folder, watch) {
            Err(error) if error.is_damage() && again => watch.tell(JobEvent::Damaged(&error)),
            merged => return merged.map(|summary| (ran, Some(summary))),
        }
        again = false;
    }
}
