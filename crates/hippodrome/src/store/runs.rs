//! Sorted runs of keys on disk, each divided into parts, and the k-way merge of runs.
//!
//! The file of a unit contains one or more runs. A run has one section per part, with ascending little-endian
//! keys. The first moves of a tour determine its part, so the parts of all units can be merged independently
//! and concatenated.

use super::StoreError;
use super::keys::TourKey;
use super::monitor::{JobEvent, JobMonitor, JobPhase};
use super::sealed::{Sealed, SealedWriter, SectionReader};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// Number of keys merged between two stop checks: about a millisecond of work.
const STOP_CHECK: u64 = 1 << 16;

/// Number of parts: one for each combination of a knight's first two moves.
pub const PARTS: usize = 64;

/// The map from the keys of one graph to parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partition(u32);

impl Partition {
    /// Makes the partition for keys whose first word uses `bits` bits.
    pub(super) fn new(bits: usize) -> Partition {
        Partition((bits as u32).saturating_sub(PARTS.ilog2()))
    }

    fn part(self, key: &impl TourKey) -> usize {
        (key.words()[0] >> self.0) as usize
    }
}

/// Writes sorted keys as one run with one section per part.
pub(super) fn write_run<K: TourKey>(
    keys: &[K],
    partition: Partition,
    out: &mut SealedWriter<'_>,
    watch: JobMonitor<'_>,
) -> Result<(), StoreError> {
    let mut rest = keys;
    let mut bytes = Vec::with_capacity(1 << 16);
    for part in 0..PARTS {
        let (these, others) =
            rest.split_at(rest.partition_point(|key| partition.part(key) <= part));
        rest = others;
        watch.tell(JobEvent::Phase(JobPhase::Write, out.path()));
        for piece in these.chunks(1 << 10) {
            bytes.clear();
            for word in piece.iter().flat_map(|key| key.words()) {
                bytes.extend_from_slice(&word.to_le_bytes());
            }
            out.write(&bytes)?;
        }
        out.end_section();
    }
    Ok(())
}

/// Lists the sections that hold the keys of one part in the files of units, each with the number of its unit.
pub(super) fn sections_of<'f>(
    files: impl Iterator<Item = (u32, &'f Sealed)>,
    part: usize,
) -> Vec<(u32, &'f Sealed, usize)> {
    let in_file = |(number, file): (u32, &'f Sealed)| {
        // Sections after the last complete run do not contain keys.
        let runs = file.sections.len() / PARTS * PARTS;
        let sections = (part..runs).step_by(PARTS);
        sections.filter(|&s| file.sections[s].length > 0).map(move |s| (number, file, s))
    };
    files.flat_map(in_file).collect()
}

/// A reader of the keys of one section.
struct RunReader {
    section: SectionReader,
    words: Vec<u64>,
    width: usize,
    at: usize,
    bytes: Vec<u8>,
}

impl RunReader {
    fn next<K: TourKey>(&mut self) -> Result<Option<K>, StoreError> {
        if self.at >= self.words.len() {
            if !self.section.next_piece(&mut self.bytes)? {
                return Ok(None);
            }
            let words = self.bytes.chunks_exact(8);
            self.words.clear();
            self.words.extend(words.map(|w| w.try_into().map_or(0, u64::from_le_bytes)));
            self.at = 0;
        }
        let key = K::of(&self.words[self.at..self.at + self.width]);
        self.at += self.width;
        Ok(Some(key))
    }
}

/// A merge of sorted runs. If several runs contain the same key, only the one from the first run is returned.
pub(super) struct KeyMerge<'w, K> {
    runs: Vec<(u32, RunReader)>,
    heap: BinaryHeap<Reverse<(K, u32)>>,
    last: Option<K>,
    taken: u64,
    watch: JobMonitor<'w>,
}

impl<'w, K: TourKey> KeyMerge<'w, K> {
    /// Starts to merge sections of files. Each section has a number, which is returned with its keys. The
    /// buffers take `memory` bytes in total. `watch` may stop the merge.
    pub(super) fn new(
        sections: &[(u32, &Sealed, usize)],
        width: usize,
        memory: usize,
        watch: JobMonitor<'w>,
    ) -> Result<KeyMerge<'w, K>, StoreError> {
        let count = sections.len().max(1);
        let key = 8 * width;
        // Half of a run's memory is for bytes, half for the words decoded from them.
        let piece = (memory / count / 2).clamp(1 << 12, 1 << 20).max(key) / key * key;
        let mut runs = Vec::with_capacity(count);
        let mut heap = BinaryHeap::with_capacity(count);
        for &(number, file, section) in sections {
            if file.sections[section].length % key as u64 != 0 {
                return Err(StoreError::damaged(&file.path, "a section does not hold whole keys"));
            }
            let section = file.section(section, piece);
            let (words, bytes) = (Vec::new(), Vec::new());
            let mut keys = RunReader { section, words, width, at: 0, bytes };
            if let Some(first) = keys.next()? {
                heap.push(Reverse((first, runs.len() as u32)));
                runs.push((number, keys));
            }
        }
        Ok(KeyMerge { runs, heap, last: None, taken: 0, watch })
    }

    /// Returns the next key, and the number of the first section that contains it.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<(K, u32)>, StoreError> {
        while let Some(mut top) = self.heap.peek_mut() {
            self.taken += 1;
            if self.taken.is_multiple_of(STOP_CHECK) && self.watch.stopped() {
                return Err(StoreError::Stopped);
            }
            let (number, keys) = &mut self.runs[top.0.1 as usize];
            let key = match keys.next()? {
                Some(next) => std::mem::replace(&mut top.0.0, next),
                None => PeekMut::pop(top).0.0,
            };
            if self.last.as_ref() != Some(&key) {
                self.last = Some(key.clone());
                return Ok(Some((key, *number)));
            }
        }
        Ok(None)
    }
}
