//! Merges the units of an enumeration into `tours.parquet`, exactly and in little memory.
//!
//! The runs of all units are merged part by part. The calling thread merges; other threads verify, encode and
//! compress row groups, which are appended in order. Parts already merged separately ([`super::parts`]) are
//! reused. Each tour is credited to the first unit that found it, so the production curve, taken in the order
//! of units, is exact.

use super::EnumerationJob;
use super::parts::{EncodedParts, merged_keys, remove_parts};
use super::rows::{
    CREDITED, Credit, EncodedRows, RowGroup, TourReader, UnitResults, add_credit, encode,
};
use crate::durable::DurableFile;
use crate::lab::curve::CurvePoint;
use crate::lab::enumerate::{GroupCounts, Summary, Totals};
use crate::search::beside;
use crate::store::keys::TourKey;
use crate::store::record::{forget_record, write_record};
use crate::store::runs::{KeyMerge, PARTS};
use crate::store::table::{TableLayout, TableWriter};
use crate::store::{Job, JobEvent, JobFolder, JobMonitor, JobPhase, StoreError, TourSet};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::Xxh3;

/// Number of bytes per row that an encoding thread needs for its columns and their encoded form.
const ENCODER: usize = 128;

/// The result of merging. In JSON, the totals are fields on the same level as the others.
#[derive(Debug, Serialize)]
pub struct Merged {
    /// The totals over all units.
    #[serde(flatten, serialize_with = "total_alone")]
    pub summary: Summary,
    /// Path of the table of tours.
    #[serde(skip)]
    pub path: PathBuf,
    /// Size of the table in bytes.
    pub bytes: u64,
    /// XXH3 checksum of the table, which does not depend on how the job was run.
    #[serde(rename = "xxh3", serialize_with = "in_hex")]
    pub checksum: u64,
    /// Number of finished, merged units.
    #[serde(rename = "units_done")]
    pub done: u64,
    /// Total number of units, if the job is finite.
    pub units: Option<u64>,
}

fn total_alone<S: Serializer>(summary: &Summary, to: S) -> Result<S::Ok, S::Error> {
    summary.total.serialize(to)
}

fn in_hex<S: Serializer>(checksum: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&format!("{checksum:016x}"))
}

/// A writer that counts bytes and computes their checksum.
struct ChecksumWriter<W> {
    out: W,
    hash: Xxh3,
    bytes: u64,
}

impl<W: Write> Write for ChecksumWriter<W> {
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

/// A writer that appends row groups in order, even if they arrive out of order.
struct Appender {
    table: TableWriter<ChecksumWriter<DurableFile>>,
    path: PathBuf,
    next: usize,
    early: BTreeMap<usize, EncodedRows>,
    credit: Credit,
}

impl Appender {
    fn take(&mut self, index: usize, encoded: EncodedRows) -> Result<(), StoreError> {
        self.early.insert(index, encoded);
        while let Some(encoded) = self.early.remove(&self.next) {
            self.table.append(&encoded.bytes, &self.path)?;
            self.next += 1;
            add_credit(&mut self.credit, encoded.credit);
        }
        Ok(())
    }
}

/// Merges all results and writes the table, the curve and the record.
pub(super) fn merge<K: TourKey>(
    job: &EnumerationJob,
    folder: &JobFolder,
    watch: JobMonitor<'_>,
) -> Result<Merged, StoreError> {
    let path = folder.path().join("tours.parquet");
    watch.tell(JobEvent::Phase(JobPhase::Merge, &path));
    let results = UnitResults::of(job, folder)?;
    // A table without tours can be overwritten; a table that cannot be read is not.
    let tours = || TourSet::open(folder.path()).map_or(1, |set| set.len());
    if results.files.is_empty() && path.exists() && tours() > 0 {
        return Err(StoreError::NoResults(folder.path().display().to_string()));
    }
    let layout = results.layout(job.packer.words())?;
    let out = ChecksumWriter { out: DurableFile::create(&path)?, hash: Xxh3::new(), bytes: 0 };
    let mut appender = Appender {
        table: TableWriter::new(&layout, out)?,
        path,
        next: 0,
        early: BTreeMap::new(),
        credit: Credit::new(),
    };
    match EncodedParts::of(&results, folder, job.packer.words(), watch)? {
        Some(parts) => append_encoded(parts, &mut appender, watch)?,
        None => merge_here::<K>(job, folder, &results, &layout, &mut appender, watch)?,
    }
    finish(job, folder, &results, appender, watch)
}

/// Appends row groups that were encoded separately.
fn append_encoded(
    parts: EncodedParts,
    appender: &mut Appender,
    watch: JobMonitor<'_>,
) -> Result<(), StoreError> {
    for (index, encoded) in parts.groups().enumerate() {
        watch.check()?;
        appender.take(index, encoded?)?;
    }
    parts.credit.into_iter().for_each(|credit| add_credit(&mut appender.credit, credit));
    Ok(())
}

/// Merges, verifies and encodes the keys on all threads.
fn merge_here<K: TourKey>(
    job: &EnumerationJob,
    folder: &JobFolder,
    results: &UnitResults,
    layout: &TableLayout,
    appender: &mut Appender,
    watch: JobMonitor<'_>,
) -> Result<(), StoreError> {
    let (threads, memory) = (job.run.threads, job.run.memory);
    let encoders = (memory / 2 / (ENCODER * layout.rows)).clamp(1, threads.max(1));
    let (to_do, work) = sync_channel::<RowGroup<K>>(1);
    let (done, encoded) = channel();
    let work = Mutex::new(work);
    let path = appender.path.clone();
    let encoder = |done| || work_off(&work, done, layout, job);
    // The last worker takes the original sender, so the channel closes when all workers end.
    let workers = std::iter::repeat_n(done, encoders).map(encoder);
    let merge = || {
        let rows = layout.rows;
        let mut feed = GroupFeed { to_do, rows, index: 0, keys: Vec::new(), credit: Vec::new() };
        for part in 0..PARTS {
            watch.check()?;
            watch.tell(JobEvent::Phase(JobPhase::Merge, &path));
            let (sections, inputs) = results.part(part);
            let merged = merged_keys(folder, part, &inputs, watch)?;
            let sections = match &merged {
                Some((file, credit)) => {
                    add_credit(&mut appender.credit, credit.clone());
                    vec![(CREDITED, file, 0)]
                }
                None => sections,
            };
            let mut keys = KeyMerge::<K>::new(&sections, job.packer.words(), memory / 4, watch)?;
            while let Some((key, unit)) = keys.next()? {
                if feed.push(key, unit) {
                    feed.send(&encoded, appender)?;
                }
            }
        }
        feed.send(&encoded, appender)?;
        drop(feed);
        encoded.iter().try_for_each(|(index, encoded)| appender.take(index, encoded?))
    };
    beside(workers, merge).0
}

/// A collector of keys that sends full row groups to the encoding threads.
struct GroupFeed<K> {
    to_do: std::sync::mpsc::SyncSender<RowGroup<K>>,
    /// Number of keys in a full group.
    rows: usize,
    index: usize,
    keys: Vec<K>,
    credit: Vec<u32>,
}

impl<K: TourKey> GroupFeed<K> {
    /// Adds a key; returns whether the group is full.
    #[inline]
    fn push(&mut self, key: K, unit: u32) -> bool {
        self.keys.push(key);
        self.credit.push(unit);
        self.keys.len() == self.rows
    }

    fn send(
        &mut self,
        encoded: &Receiver<(usize, Result<EncodedRows, StoreError>)>,
        appender: &mut Appender,
    ) -> Result<(), StoreError> {
        let keys = std::mem::take(&mut self.keys);
        let credit = std::mem::take(&mut self.credit);
        if !keys.is_empty() {
            // Sending fails only if all threads have failed, and each has reported its error.
            let _ = self.to_do.send(RowGroup { index: self.index, keys, credit });
            self.index += 1;
        }
        encoded.try_iter().try_for_each(|(index, encoded)| appender.take(index, encoded?))
    }
}

fn work_off<K: TourKey>(
    work: &Mutex<Receiver<RowGroup<K>>>,
    done: Sender<(usize, Result<EncodedRows, StoreError>)>,
    layout: &TableLayout,
    job: &EnumerationJob,
) {
    let mut reader = TourReader::new(job);
    loop {
        let next = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(next) = next else { return };
        let index = next.index;
        let encoded = encode(next, layout, &mut reader).map(|(encoded, _)| encoded);
        if done.send((index, encoded)).is_err() {
            return;
        }
    }
}

/// Finishes the table, and writes the curve and the record.
fn finish(
    job: &EnumerationJob,
    folder: &JobFolder,
    results: &UnitResults,
    appender: Appender,
    watch: JobMonitor<'_>,
) -> Result<Merged, StoreError> {
    let Appender { table, path, credit, .. } = appender;
    let units = Some(job.units()).filter(|&units| units < u64::MAX);
    let (done, all) = (results.done, units == Some(results.done));
    let interrupted = job.control.interrupt.load(Relaxed);
    let (total, report, points) =
        GroupCounts::add_up(results.credited(&credit), (all, interrupted));
    let ChecksumWriter { out, hash, bytes } = table.finish(about(job, &total), &path)?;
    // The old record is removed first: a crash leaves a table without a record, never with a stale one.
    forget_record(folder.path())?;
    watch.finish(out)?;
    remove_parts(folder);
    folder.write("curve.csv", watch, |out| CurvePoint::write_csv(&points, out))?;
    let summary = Summary::new(report, total, job.outline.bound(), watch.seconds());
    let merged = Merged { summary, path, bytes, checksum: hash.digest(), done, units };
    let status = merged.summary.status.verdict(total.distinct);
    let took = (merged.summary.seconds, job.run.threads);
    let xxh3 = format!("{:016x}", merged.checksum);
    let mut result = json!(total);
    result["table"] = json!({ "file": "tours.parquet", "bytes": bytes, "xxh3": xxh3 });
    write_record(folder, status, (units, done), took, result)?;
    Ok(merged)
}

/// Returns the metadata of the table.
fn about(job: &EnumerationJob, total: &Totals) -> Vec<(String, String)> {
    let identity = job.identity();
    let in_text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
    let fields = ["board", "graph", "holes", "leaper", "solver", "params", "seed", "distinct"];
    let facts = fields.iter().filter_map(|&k| Some((k.to_string(), in_text(identity.get(k)?))));
    let mut about: Vec<(String, String)> = facts.collect();
    let mut add = |key: &str, value: String| about.push((key.into(), value));
    add("job", Value::Object(identity.clone()).to_string());
    add("version", env!("CARGO_PKG_VERSION").into());
    add("bits", job.packer.bits().to_string());
    if let Some(piece) = job.problem.graph().piece() {
        add("moves_up_right", json!(piece.moves()).to_string());
    }
    for (key, count) in [
        ("attempts", total.attempts),
        ("tours_found", total.tours),
        ("tours_distinct", total.distinct),
        ("tours_closed", total.closed),
        ("moves", total.moves),
    ] {
        add(key, count.to_string());
    }
    about
}
