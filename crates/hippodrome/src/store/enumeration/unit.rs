//! A unit of an enumeration's job: its tours, sorted into runs.

use super::EnumerationJob;
use super::compact::compact;
use super::note::UnitNote;
use crate::lab::distinct::Seen;
use crate::lab::enumerate::{GroupCounts, TourSink};
use crate::store::keys::{KeyBuffer, TourKey, key_bytes};
use crate::store::runs::{Partition, write_run};
use crate::store::sketch::Sketch;
use crate::store::{JobEvent, JobMonitor, JobPhase, SealedWriter, StoreError, UnitResult};
use serde_json::json;

/// Largest number of bytes of keys that are collected before they are sorted and written, even if more memory
/// is allowed. Sorting this many takes about a second, during which the unit does not react to an interrupt.
const MOST_GATHERED: usize = 64 << 20;

/// Runs a unit and writes its result.
pub(super) fn run_unit<K: TourKey>(
    job: &EnumerationJob,
    unit: u64,
    out: &mut SealedWriter<'_>,
    watch: JobMonitor<'_>,
) -> Result<UnitResult, StoreError> {
    let width = job.packer.words();
    let memory = job.run.memory / 2 / job.run.threads.max(1);
    let mut runs = RunSink {
        buffer: KeyBuffer::<K>::new(memory.min(MOST_GATHERED) / key_bytes(width)),
        partition: Partition::new(job.packer.bits() * job.packer.per_word()),
        out,
        watch,
        keys: 0,
        own: Sketch::default(),
        shared: &job.sketch,
        failed: None,
    };
    let driver = job.run.driver(&job.problem, job.prepare()?, &job.control);
    let ran = GroupCounts::run(&job.run, &driver, job.members(unit), &mut runs);
    if let Some(error) = runs.failed.take() {
        return Err(error);
    }
    let (counts, whole) = ran.map_err(|claim| StoreError::Job(claim.to_string()))?;
    runs.spill()?;
    let (keys, sketch) = (runs.keys, runs.own.registers());
    let keys = compact::<K>(out, width, memory, watch)?.unwrap_or(keys);
    out.write(&sketch)?;
    out.end_section();
    let note = json!(UnitNote::new(&counts, keys));
    Ok(UnitResult { whole, reached: counts.stats.attempts, note })
}

/// A sink that sorts the keys of a unit into runs without duplicates.
struct RunSink<'u, 'w, K> {
    buffer: KeyBuffer<K>,
    partition: Partition,
    out: &'u mut SealedWriter<'w>,
    watch: JobMonitor<'u>,
    /// Number of keys written.
    keys: u64,
    /// The sketch of this unit.
    own: Sketch,
    /// The sketch shared by all units.
    shared: &'u Sketch,
    /// The error that stopped the sink, if any.
    failed: Option<StoreError>,
}

impl<K: TourKey> TourSink for RunSink<'_, '_, K> {
    #[inline]
    fn accept(&mut self, words: &[u64]) -> Seen {
        self.own.count(words, Some(self.shared));
        let Err(key) = self.buffer.push(K::of(words)) else { return Seen::Later };
        if let Err(error) = self.make_room() {
            self.failed = Some(error);
            return Seen::Full;
        }
        let _ = self.buffer.push(key);
        Seen::Later
    }
}

impl<K: TourKey> RunSink<'_, '_, K> {
    /// Sorts the keys and removes duplicates; writes the keys unless this freed more than half of the buffer.
    fn make_room(&mut self) -> Result<(), StoreError> {
        if !self.settle() {
            self.write()?;
            // Sync early, so that little remains to be synced after an interrupt.
            self.out.sync()?;
        }
        Ok(())
    }

    /// Writes the keys that remain in the buffer.
    fn spill(&mut self) -> Result<(), StoreError> {
        self.settle();
        self.write()
    }

    fn settle(&mut self) -> bool {
        self.watch.tell(JobEvent::Phase(JobPhase::Sort, self.out.path()));
        self.buffer.settle()
    }

    fn write(&mut self) -> Result<(), StoreError> {
        self.keys += self.buffer.keys.len() as u64;
        write_run(&self.buffer.keys, self.partition, self.out, self.watch)?;
        self.buffer.keys.clear();
        Ok(())
    }
}
