//! Merging the units of an enumeration: exactly, in little memory, to `tours.parquet`.
//!
//! The runs of all units are merged part by part. This thread merges; others verify, encode and
//! compress groups of rows; the groups are appended in order. What was done apart ([`super::parts`]) is
//! taken from there. The first unit that has a tour is credited with it, so that the production curve in
//! the order of units is exact.

use super::keys::{Key, with_key};
use super::parts::{EncodedParts, merged_keys, remove_parts};
use super::record::forget_record;
use super::runs::{Merge, PARTS, sections_of};
use super::sealed::{Appearing, Sealed};
use super::table::{Layout, Rows, TableWriter};
use super::tours::{EnumerationJob, Note};
use super::{Event, Job, JobFolder, JobMonitor, Phase, State, StoreError, TourSet};
use crate::board::Square;
use crate::lab::curve::CurvePoint;
use crate::lab::enumerate::{Summary, Totals};
use crate::search::{Readings, Stats, Status};
use crate::tour::{Packer, Verifier};
use bytes::Bytes;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use xxhash_rust::xxh3::Xxh3;

/// Keys that were credited to a unit when their part was merged.
pub(super) const CREDITED: u32 = u32::MAX;
/// Bytes that one thread takes for a row it encodes, its columns, and what they become.
const ENCODER: usize = 128;

/// What merging gives.
#[derive(Debug)]
pub struct Merged {
    /// What was found.
    pub summary: Summary,
    /// The table of tours.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: u64,
    /// XXH3 of its bytes, which are the same however the job was run.
    pub checksum: u64,
    /// Units whose results are whole, and merged.
    pub done: u64,
    /// Units in all, unless there is no end to them.
    pub units: Option<u64>,
}

impl Merged {
    /// What came of the job, as JSON tells it.
    pub fn describe(&self) -> Value {
        let total = &self.summary.total;
        json!({
            "attempts": total.attempts, "tours": total.tours, "distinct": total.distinct,
            "closed": total.closed, "moves": total.moves, "units": self.units,
            "units_done": self.done, "bytes": self.bytes,
            "xxh3": format!("{:016x}", self.checksum),
        })
    }
}

/// The results of units, in order, and what is to be known of all of them.
pub(super) struct Results {
    files: Vec<(u32, Sealed)>,
    notes: Vec<Note>,
    pub(super) done: u64,
}

impl Results {
    pub(super) fn of(job: &EnumerationJob, folder: &JobFolder) -> Result<Results, StoreError> {
        let (mut files, mut notes, mut done) = (Vec::new(), Vec::new(), 0);
        let measures = job.enumeration().choice.solver.info().measures;
        for (unit, state) in folder.results(job, JobMonitor::nobody())? {
            done += u64::from(matches!(state, State::Done(_)));
            match state {
                State::Done(sealed) | State::Unfinished(sealed) => {
                    notes.push(Note::recall(&sealed.note["note"], measures));
                    let unit = u32::try_from(unit).ok().filter(|&unit| unit < CREDITED);
                    let many = || StoreError::Job("it has 2^32 units or more".into());
                    files.push((unit.ok_or_else(many)?, sealed));
                }
                State::Damaged(error) => return Err(error),
                State::Missing => {}
            }
        }
        Ok(Results { files, notes, done })
    }

    /// How tables of these tours are written.
    pub(super) fn layout(&self, width: usize) -> Result<Layout, StoreError> {
        Layout::new(width, self.notes.iter().map(|note| note.kept).sum())
    }

    /// Where the keys of a part lie, and what makes them what they are.
    pub(super) fn part(&self, part: usize) -> (Vec<(u32, &Sealed, usize)>, String) {
        let files: Vec<(u32, &Sealed)> =
            self.files.iter().map(|(unit, file)| (*unit, file)).collect();
        let sections = sections_of(&files, part);
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

/// Distinct tours and closed ones among them, by the number of the unit credited.
pub(super) type Credit = BTreeMap<u32, (u64, u64)>;

/// Verifies packed tours and tells their first square and whether they are closed.
pub(super) struct Reader<'j> {
    packer: &'j Packer,
    verifier: Verifier,
    squares: Vec<Square>,
}

impl<'j> Reader<'j> {
    pub(super) fn new(job: &'j EnumerationJob) -> Reader<'j> {
        let verifier = Verifier::new(job.problem.graph());
        Reader { packer: &job.packer, verifier, squares: Vec::new() }
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

/// A group of rows on its way to be encoded, and back.
pub(super) struct Work<K> {
    pub(super) index: usize,
    pub(super) keys: Vec<K>,
    pub(super) credit: Vec<u32>,
}

pub(super) struct Encoded {
    pub(super) bytes: Bytes,
    pub(super) rows: u64,
    pub(super) closed: u64,
    pub(super) credit: Credit,
}

pub(super) fn encode<K: Key>(
    work: Work<K>,
    layout: &Layout,
    reader: &mut Reader<'_>,
) -> Result<Encoded, StoreError> {
    let mut rows = Rows { keys: work.keys, start: Vec::new(), closed: Vec::new() };
    let mut credit = Credit::new();
    for (key, &unit) in rows.keys.iter().zip(&work.credit) {
        let (start, closed) = reader.read(key.words())?;
        rows.start.push(start);
        rows.closed.push(closed);
        if unit != CREDITED {
            let (new, new_closed) = credit.entry(unit).or_default();
            *new += 1;
            *new_closed += u64::from(closed);
        }
    }
    let closed = rows.closed.iter().filter(|&&closed| closed).count() as u64;
    let bytes = layout.encode(&rows)?;
    Ok(Encoded { bytes, rows: rows.keys.len() as u64, closed, credit })
}

/// Bytes on their way to a file, counted and summed up.
struct Summed<W> {
    out: W,
    hash: Xxh3,
    bytes: u64,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Appends groups of rows in order, whatever order they come in.
struct Appender<'w> {
    table: TableWriter<Summed<Appearing<'w>>>,
    path: PathBuf,
    next: usize,
    early: BTreeMap<usize, Encoded>,
    rows: u64,
    closed: u64,
    credit: Credit,
}

impl Appender<'_> {
    fn take(&mut self, index: usize, encoded: Encoded) -> Result<(), StoreError> {
        self.early.insert(index, encoded);
        while let Some(encoded) = self.early.remove(&self.next) {
            self.table.append(&encoded.bytes, &self.path)?;
            self.next += 1;
            self.rows += encoded.rows;
            self.closed += encoded.closed;
            add(&mut self.credit, encoded.credit);
        }
        Ok(())
    }
}

fn add(credit: &mut Credit, more: Credit) {
    for (unit, (new, closed)) in more {
        let sum = credit.entry(unit).or_default();
        *sum = (sum.0 + new, sum.1 + closed);
    }
}

/// Merges all there is.
pub(super) fn merge(
    job: &EnumerationJob,
    folder: &JobFolder,
    watch: JobMonitor<'_>,
) -> Result<Merged, StoreError> {
    with_key!(job.packer.words(), K => merge_all::<K>(job, folder, watch))
}

fn merge_all<K: Key>(
    job: &EnumerationJob,
    folder: &JobFolder,
    watch: JobMonitor<'_>,
) -> Result<Merged, StoreError> {
    let begun = Instant::now();
    let path = folder.path().join("tours.parquet");
    watch.tell(Event::Phase(Phase::Merge, &path));
    let results = Results::of(job, folder)?;
    // A table without tours can be made again from nothing; one that cannot be read is left alone.
    let tours = || TourSet::open(folder.path()).map_or(1, |set| set.len());
    if results.files.is_empty() && path.exists() && tours() > 0 {
        return Err(StoreError::NoResults(folder.path().display().to_string()));
    }
    let layout = results.layout(job.packer.words())?;
    let out = Summed { out: Appearing::new(&path, watch)?, hash: Xxh3::new(), bytes: 0 };
    let mut appender = Appender {
        table: TableWriter::new(&layout, out)?,
        path: path.clone(),
        next: 0,
        early: BTreeMap::new(),
        rows: 0,
        closed: 0,
        credit: Credit::new(),
    };
    match EncodedParts::of(&results, folder, job.packer.words(), watch)? {
        Some(parts) => lay_end_to_end(parts, &mut appender, watch)?,
        None => merge_here::<K>(job, folder, &results, &layout, &mut appender, watch)?,
    }
    finish(job, folder, &results, appender, (begun, watch))
}

/// Takes groups of rows that were encoded apart.
fn lay_end_to_end(
    parts: EncodedParts,
    appender: &mut Appender<'_>,
    watch: JobMonitor<'_>,
) -> Result<(), StoreError> {
    for (index, encoded) in parts.groups().enumerate() {
        if watch.stopped() {
            return Err(StoreError::Stopped);
        }
        appender.take(index, encoded?)?;
    }
    parts.credit.into_iter().for_each(|credit| add(&mut appender.credit, credit));
    Ok(())
}

/// Merges, verifies and encodes, on all threads.
fn merge_here<K: Key>(
    job: &EnumerationJob,
    folder: &JobFolder,
    results: &Results,
    layout: &Layout,
    appender: &mut Appender<'_>,
    watch: JobMonitor<'_>,
) -> Result<(), StoreError> {
    let (threads, memory) = (job.enumeration().threads, job.enumeration().memory);
    let encoders = (memory / 2 / (ENCODER * layout.rows)).clamp(1, threads.max(1));
    let (to_do, work) = sync_channel::<Work<K>>(1);
    let (done, encoded) = channel();
    let work = Mutex::new(work);
    let path = appender.path.clone();
    std::thread::scope(|scope| {
        for _ in 0..encoders {
            let done = done.clone();
            scope.spawn(|| work_off(&work, done, layout, job));
        }
        drop(done);
        let rows = layout.rows;
        let mut feed = Feed { to_do, rows, index: 0, keys: Vec::new(), credit: Vec::new() };
        for part in 0..PARTS {
            if watch.stopped() {
                return Err(StoreError::Stopped);
            }
            watch.tell(Event::Phase(Phase::Merge, &path));
            let (sections, inputs) = results.part(part);
            let merged = merged_keys(folder, part, &inputs, watch)?;
            let sections = match &merged {
                Some((file, credit)) => {
                    add(&mut appender.credit, credit.clone());
                    vec![(CREDITED, file, 0)]
                }
                None => sections,
            };
            let mut keys = Merge::<K>::new(&sections, job.packer.words(), memory / 4, watch)?;
            while let Some((key, unit)) = keys.next()? {
                if feed.push(key, unit) {
                    feed.send(&encoded, appender)?;
                }
            }
        }
        feed.send(&encoded, appender)?;
        drop(feed);
        encoded.iter().try_for_each(|(index, encoded)| appender.take(index, encoded?))
    })
}

/// Gathers keys into groups of rows and hands them to whoever encodes.
struct Feed<K> {
    to_do: std::sync::mpsc::SyncSender<Work<K>>,
    /// Keys of a full group.
    rows: usize,
    index: usize,
    keys: Vec<K>,
    credit: Vec<u32>,
}

impl<K: Key> Feed<K> {
    /// True if the group is full.
    #[inline]
    fn push(&mut self, key: K, unit: u32) -> bool {
        self.keys.push(key);
        self.credit.push(unit);
        self.keys.len() == self.rows
    }

    fn send(
        &mut self,
        encoded: &Receiver<(usize, Result<Encoded, StoreError>)>,
        appender: &mut Appender<'_>,
    ) -> Result<(), StoreError> {
        let keys = std::mem::take(&mut self.keys);
        let credit = std::mem::take(&mut self.credit);
        if !keys.is_empty() {
            // Nobody takes it only if all have failed, which they have said.
            let _ = self.to_do.send(Work { index: self.index, keys, credit });
            self.index += 1;
        }
        encoded.try_iter().try_for_each(|(index, encoded)| appender.take(index, encoded?))
    }
}

fn work_off<K: Key>(
    work: &Mutex<Receiver<Work<K>>>,
    done: Sender<(usize, Result<Encoded, StoreError>)>,
    layout: &Layout,
    job: &EnumerationJob,
) {
    let mut reader = Reader::new(job);
    loop {
        let next = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(next) = next else { return };
        let index = next.index;
        if done.send((index, encode(next, layout, &mut reader))).is_err() {
            return;
        }
    }
}

/// Ends the table and writes what else there is to be known.
fn finish(
    job: &EnumerationJob,
    folder: &JobFolder,
    results: &Results,
    appender: Appender<'_>,
    (begun, watch): (Instant, JobMonitor<'_>),
) -> Result<Merged, StoreError> {
    let Appender { table, path, rows, closed, credit, .. } = appender;
    let units = Some(job.units()).filter(|&units| units < u64::MAX);
    let all = units == Some(results.done);
    let points = curve(results, &credit);
    let mut stats = Stats::default();
    let mut readings = Readings::default();
    let (mut unproved, mut limit) = (false, !all);
    for note in &results.notes {
        stats += note.stats;
        readings.merge(&note.readings);
        unproved |= note.unproved;
        limit |= note.limit;
    }
    let status = match (limit, unproved) {
        (true, _) if !all && job.control.interrupt.load(Relaxed) => Status::Interrupted,
        (true, _) => Status::Limit,
        (false, true) => Status::Exhausted,
        (false, false) => Status::Complete,
    };
    let Stats { attempts, moves, tours, .. } = stats;
    let total = Totals { attempts, tours, distinct: rows, closed, moves };
    let out = table.finish(about(job, &total), &path)?;
    let (bytes, checksum) = (out.bytes, out.hash.digest());
    // Whoever is killed between the two leaves a table without a record, not with that of another.
    forget_record(folder.path())?;
    out.out.finish()?;
    remove_parts(folder);
    folder.write("curve.csv", watch, |out| CurvePoint::write_csv(&points, out))?;
    let summary = Summary {
        status,
        total,
        by_start: BTreeMap::new(),
        full: false,
        lost: None,
        bounded: job.outline.bound().is_some_and(|bound| attempts >= bound),
        readings,
        measured: attempts,
        first: None,
        curve: None,
        seconds: begun.elapsed().as_secs_f64(),
    };
    Ok(Merged { summary, path, bytes, checksum, done: results.done, units })
}

/// What was found after each unit, in their order.
fn curve(results: &Results, credit: &Credit) -> Vec<CurvePoint> {
    let mut point = CurvePoint::default();
    let mut kept = 0;
    let after = |((unit, _), note): (&(u32, Sealed), &Note)| {
        let (new, closed) = credit.get(unit).copied().unwrap_or_default();
        kept += note.kept;
        point.attempts += note.stats.attempts;
        point.tours += note.stats.tours;
        point.distinct += new;
        point.closed += closed;
        point.repeated = kept - point.distinct;
        point
    };
    results.files.iter().zip(&results.notes).map(after).collect()
}

/// What the table tells of itself.
fn about(job: &EnumerationJob, total: &Totals) -> Vec<(String, String)> {
    let identity = job.identity();
    let in_text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
    let told = ["board", "graph", "holes", "leaper", "solver", "params", "seed", "distinct"];
    let facts = told.iter().filter_map(|&k| Some((k.to_string(), in_text(identity.get(k)?))));
    let mut about: Vec<(String, String)> = facts.collect();
    let mut tell = |key: &str, value: String| about.push((key.into(), value));
    tell("job", Value::Object(identity.clone()).to_string());
    tell("version", env!("CARGO_PKG_VERSION").into());
    tell("bits", job.packer.bits().to_string());
    if let Some(piece) = job.problem.graph().piece() {
        tell("moves_up_right", json!(piece.moves()).to_string());
    }
    for (key, count) in [
        ("attempts", total.attempts),
        ("tours_found", total.tours),
        ("tours_distinct", total.distinct),
        ("tours_closed", total.closed),
        ("moves", total.moves),
    ] {
        tell(key, count.to_string());
    }
    about
}
