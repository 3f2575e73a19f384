//! The rows of a table: the unit results that they come from, the units credited with them, and their
//! encoding.

use super::EnumerationJob;
use super::note::UnitNote;
use crate::board::Square;
use crate::lab::enumerate::GroupCounts;
use crate::store::keys::TourKey;
use crate::store::runs::sections_of;
use crate::store::table::{TableLayout, TourRows};
use crate::store::{JobFolder, JobMonitor, Sealed, StoreError, UnitState};
use crate::tour::{Packer, Verifier};
use bytes::Bytes;
use std::borrow::Cow;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::Xxh3;

/// Marks keys that were already credited to a unit when their part was merged.
pub(super) const CREDITED: u32 = u32::MAX;

/// The results of all units in order, with the counts of each.
pub(super) struct UnitResults {
    pub(super) files: Vec<(u32, Sealed)>,
    counts: Vec<GroupCounts>,
    pub(super) done: u64,
}

impl UnitResults {
    pub(super) fn of(job: &EnumerationJob, folder: &JobFolder) -> Result<UnitResults, StoreError> {
        let (mut files, mut counts, mut done) = (Vec::new(), Vec::new(), 0);
        let measures = job.run.choice.solver.info().measures;
        for (unit, state) in folder.results(job, JobMonitor::silent())? {
            done += u64::from(matches!(state, UnitState::Done(_)));
            match state {
                UnitState::Done(sealed) | UnitState::Unfinished(sealed) => {
                    counts.push(UnitNote::of(&sealed)?.counts(measures));
                    let unit = u32::try_from(unit).ok().filter(|&unit| unit < CREDITED);
                    let many = || StoreError::Job("the job has 2^32 or more units".into());
                    files.push((unit.ok_or_else(many)?, sealed));
                }
                UnitState::Damaged(error) => return Err(error),
                UnitState::Missing => {}
            }
        }
        Ok(UnitResults { files, counts, done })
    }

    /// Returns the counts of each unit, including the number of tours credited to it.
    pub(super) fn credited(
        &self,
        credit: &Credit,
    ) -> impl Iterator<Item = (&GroupCounts, (u64, u64))> {
        let units = self.files.iter().map(|(unit, _)| credit.get(unit).copied());
        self.counts.iter().zip(units.map(Option::unwrap_or_default))
    }

    /// Returns the layout of the table.
    pub(super) fn layout(&self, width: usize) -> Result<TableLayout, StoreError> {
        TableLayout::new(width, self.counts.iter().map(|counts| counts.kept).sum())
    }

    /// Returns the sections that hold the keys of a part, and the checksum of these inputs.
    pub(super) fn part(&self, part: usize) -> (Vec<(u32, &Sealed, usize)>, String) {
        let sections = sections_of(self.files.iter().map(|(unit, file)| (*unit, file)), part);
        let mut hash = Xxh3::new();
        for &(unit, file, section) in &sections {
            let section = file.sections[section];
            for word in [unit.into(), section.length, section.checksum] {
                hash.update(&word.to_le_bytes());
            }
        }
        (sections, format!("{:016x}", hash.digest()))
    }
}

/// The number of distinct tours that each unit found first, and the number of closed tours among them.
pub(super) type Credit = BTreeMap<u32, (u64, u64)>;

/// Credits a unit with a tour.
pub(super) fn credit_one(credit: &mut Credit, unit: u32, closed: bool) {
    add_credit(credit, [(unit, (1, u64::from(closed)))]);
}

/// Adds further credits.
pub(super) fn add_credit(credit: &mut Credit, more: impl IntoIterator<Item = (u32, (u64, u64))>) {
    for (unit, (new, closed)) in more {
        let sum = credit.entry(unit).or_default();
        *sum = (sum.0 + new, sum.1 + closed);
    }
}

/// A reader that verifies packed tours; for each it returns the first square and whether the tour is closed.
pub(super) struct TourReader<'j> {
    packer: &'j Packer,
    verifier: Verifier,
    squares: Vec<Square>,
}

impl<'j> TourReader<'j> {
    pub(super) fn new(job: &'j EnumerationJob) -> TourReader<'j> {
        let verifier = Verifier::new(job.problem.graph());
        TourReader { packer: &job.packer, verifier, squares: Vec::new() }
    }

    pub(super) fn read(&mut self, words: &[u64]) -> Result<(Square, bool), StoreError> {
        let wrong = |e: &dyn std::fmt::Display| {
            StoreError::Job(format!("a unit contains an invalid tour, which is a bug: {e}"))
        };
        self.packer.unpack_into(words, &mut self.squares).map_err(|e| wrong(&e))?;
        let tour = self.verifier.check(Cow::Borrowed(&self.squares)).map_err(|e| wrong(&e))?;
        Ok((tour.squares()[0], tour.is_closed()))
    }
}

/// A row group to encode.
pub(super) struct RowGroup<K> {
    pub(super) index: usize,
    pub(super) keys: Vec<K>,
    pub(super) credit: Vec<u32>,
}

/// An encoded row group.
pub(super) struct EncodedRows {
    pub(super) bytes: Bytes,
    pub(super) credit: Credit,
}

/// Verifies and encodes a row group; also returns the number of rows and the number of closed tours.
pub(super) fn encode<K: TourKey>(
    work: RowGroup<K>,
    layout: &TableLayout,
    reader: &mut TourReader<'_>,
) -> Result<(EncodedRows, [usize; 2]), StoreError> {
    let mut rows = TourRows::of(work.keys);
    let mut credit = Credit::new();
    for (key, &unit) in rows.keys.iter().zip(&work.credit) {
        let (start, closed) = reader.read(key.words())?;
        rows.start.push(start);
        rows.closed.push(closed);
        if unit != CREDITED {
            credit_one(&mut credit, unit, closed);
        }
    }
    let closed = rows.closed.iter().filter(|&&closed| closed).count();
    let bytes = layout.encode(&rows)?;
    Ok((EncodedRows { bytes, credit }, [rows.keys.len(), closed]))
}
