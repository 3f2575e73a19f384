//! Compaction: a unit with many runs merges them into one run before its file is completed.
//!
//! Merging all units reads all their runs at the same time, with one buffer per run. With at most
//! [`MOST_RUNS`] runs per unit, the buffers stay large enough, however many tours there are.

use crate::store::keys::TourKey;
use crate::store::runs::{KeyMerge, PARTS, sections_of};
use crate::store::{JobMonitor, SealedWriter, StoreError};

/// Largest number of runs per unit: a thousand units then have 16 thousand runs, and each run has a buffer of
/// a few KB.
const MOST_RUNS: usize = 16;

/// Merges the runs written so far into one if there are too many. Returns the number of keys in the merged
/// run, or `None` if the runs are unchanged. The runs of an interrupted unit are not merged.
pub(super) fn compact<K: TourKey>(
    out: &mut SealedWriter<'_>,
    width: usize,
    memory: usize,
    watch: JobMonitor<'_>,
) -> Result<Option<u64>, StoreError> {
    let runs = out.so_far()?;
    if runs.sections.len() / PARTS <= MOST_RUNS {
        return Ok(None);
    }
    let mut fresh = out.replacement()?;
    let mut count = 0;
    for part in 0..PARTS {
        if watch.stopped() {
            return Ok(None);
        }
        let mut keys =
            KeyMerge::<K>::new(&sections_of([(0, &runs)].into_iter(), part), width, memory, watch)?;
        loop {
            match keys.next() {
                Ok(Some((key, _))) => {
                    count += 1;
                    key.words().iter().try_for_each(|word| fresh.write(&word.to_le_bytes()))?;
                }
                Ok(None) => break,
                Err(StoreError::Stopped) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        fresh.end_section();
        fresh.sync()?;
    }
    *out = fresh;
    Ok(Some(count))
}
