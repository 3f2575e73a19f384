//! Compaction: the runs of a unit that has many are merged to one.
//!
//! Merging all units reads their runs side by side, a piece of memory for each. With at most
//! [`MOST_RUNS`] runs a unit there is room for useful pieces however many tours there are. The unit's
//! result is whole before and after, so that it may be killed, stopped or done twice.

use super::super::keys::{Key, with_key};
use super::super::runs::{Merge, PARTS, sections_of};
use super::super::{Folder, Sealed, StoreError, Watch};
use super::Tours;

/// Runs that a unit may have.
const MOST_RUNS: usize = 16;

impl Tours<'_> {
    /// Makes one run of the runs of a unit that is done, if there are too many and nobody stops it.
    pub(super) fn compact(
        &self,
        folder: &Folder,
        unit: u64,
        watch: Watch<'_>,
    ) -> Result<(), StoreError> {
        let file = Sealed::open(&folder.unit_path(unit))?;
        let Some(file) = file.filter(|file| file.sections.len() / PARTS > MOST_RUNS) else {
            return Ok(());
        };
        match with_key!(self.packer.words(), K => self.rewrite::<K>(folder, unit, &file, watch)) {
            // It stays as it is.
            Err(StoreError::Stopped) => Ok(()),
            done => done,
        }
    }

    fn rewrite<K: Key>(
        &self,
        folder: &Folder,
        unit: u64,
        file: &Sealed,
        watch: Watch<'_>,
    ) -> Result<(), StoreError> {
        let width = self.packer.words();
        let memory = self.run.memory / 2 / self.run.threads.max(1);
        let mut out = folder.unit_writer(unit, watch)?;
        let mut count = 0u64;
        for part in 0..PARTS {
            if watch.stopped() {
                return Err(StoreError::Stopped);
            }
            let sections = sections_of(&[(0, file)], part);
            let mut keys = Merge::<K>::new(&sections, width, memory, watch)?;
            while let Some((key, _)) = keys.next()? {
                count += 1;
                key.words().iter().try_for_each(|word| out.write(&word.to_le_bytes()))?;
            }
            out.end_section();
        }
        // What follows the runs is kept as it is.
        for section in file.sections.len() / PARTS * PARTS..file.sections.len() {
            out.write(&file.bytes(section)?)?;
            out.end_section();
        }
        let mut note = file.note.clone();
        note["note"]["keys"] = count.into();
        out.seal(&note)
    }
}
