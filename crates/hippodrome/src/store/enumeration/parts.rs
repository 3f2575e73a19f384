//! Parallel merging of parts on several machines: first the keys of each part are merged, then the row groups
//! that begin in each part are encoded. The final merge concatenates the encoded row groups.
//!
//! Each file has a checksum of its inputs. If a file is missing, damaged or made from other inputs, the final
//! merge does that part of the work itself.

use super::EnumerationJob;
use super::rows::{
    CREDITED, Credit, EncodedRows, RowGroup, TourReader, UnitResults, credit_one, encode,
};
use crate::store::keys::{TourKey, with_key};
use crate::store::runs::{KeyMerge, PARTS};
use crate::store::table::TableLayout;
use crate::store::{
    Job, JobEvent, JobFolder, JobMonitor, JobPhase, Sealed, SealedWriter, StoreError,
};
use bytes::Bytes;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

fn place(folder: &JobFolder) -> PathBuf {
    folder.path().join("parts")
}

fn keys_of(folder: &JobFolder, part: usize) -> PathBuf {
    place(folder).join(format!("{part:02}.part"))
}

fn rows_of(folder: &JobFolder, part: usize) -> PathBuf {
    place(folder).join(format!("{part:02}.rows"))
}

/// Opens the results of all units, which are the inputs of one part's file.
fn results(
    job: &EnumerationJob,
    folder: &JobFolder,
    part: usize,
    file: &Path,
    watch: JobMonitor<'_>,
) -> Result<UnitResults, StoreError> {
    if part >= PARTS {
        let (path, last) = (folder.path().display().to_string(), PARTS as u64 - 1);
        return Err(StoreError::NoPart { path, part: part as u64, last });
    }
    let place = place(folder);
    std::fs::create_dir_all(&place).map_err(StoreError::io("make", &place))?;
    watch.tell(JobEvent::Phase(JobPhase::Merge, file));
    let results = UnitResults::of(job, folder)?;
    if results.done < job.units() {
        folder.expect_all(job)?;
    }
    Ok(results)
}

/// Opens a file, if it exists, is undamaged and was made from these inputs.
fn made(path: &Path, inputs: &str, watch: JobMonitor<'_>) -> Result<Option<Sealed>, StoreError> {
    let whole = Sealed::open(path).and_then(|file| match file {
        Some(file) if file.note["inputs"] == inputs => file.verify().map(|()| Some(file)),
        _ => Ok(None),
    });
    unless_damaged(whole, watch)
}

/// Reports damage to a file and treats a damaged file as missing.
fn unless_damaged<T>(
    found: Result<Option<T>, StoreError>,
    watch: JobMonitor<'_>,
) -> Result<Option<T>, StoreError> {
    match found {
        Err(error) if error.is_damage() => {
            watch.tell(JobEvent::Damaged(&error));
            Ok(None)
        }
        found => found,
    }
}

/// Makes a writer for a file to be made from these inputs; returns `None` if the file exists already. Returns
/// an error if `watch` stops the job.
fn begin<'w>(
    path: &Path,
    inputs: &str,
    watch: JobMonitor<'w>,
) -> Result<Option<SealedWriter<'w>>, StoreError> {
    if made(path, inputs, watch)?.is_some() {
        return Ok(None);
    }
    watch.check()?;
    SealedWriter::new(path, watch).map(Some)
}

/// Opens the merged keys of a part, if they were made from these inputs, with the credits of the units.
pub(super) fn merged_keys(
    folder: &JobFolder,
    part: usize,
    inputs: &str,
    watch: JobMonitor<'_>,
) -> Result<Option<(Sealed, Credit)>, StoreError> {
    let file = made(&keys_of(folder, part), inputs, watch)?;
    Ok(file.map(|file| {
        let credit = credit_of(&file.note);
        (file, credit)
    }))
}

fn credit_of(note: &Value) -> Credit {
    let entry = |e: &Value| {
        let number = |i: usize| e.get(i).and_then(Value::as_u64);
        Some((number(0)? as u32, (number(1)?, number(2)?)))
    };
    note["credit"].as_array().into_iter().flatten().filter_map(entry).collect()
}

/// Merges one part of all units into its own file, unless the file exists already or `watch` stops the job.
/// All units must be done. Returns whether this call wrote the file.
pub fn merge_part(
    job: &EnumerationJob,
    folder: &JobFolder,
    part: usize,
    watch: JobMonitor<'_>,
) -> Result<bool, StoreError> {
    let path = keys_of(folder, part);
    let results = results(job, folder, part, &path, watch)?;
    let (sections, inputs) = results.part(part);
    let Some(mut out) = begin(&path, &inputs, watch)? else { return Ok(false) };
    let credit = with_key!(job.packer.words(), K => {
        let memory = job.run.memory / 2;
        let mut keys = KeyMerge::<K>::new(&sections, job.packer.words(), memory, watch)?;
        let mut reader = TourReader::new(job);
        let mut credit = Credit::new();
        while let Some((key, unit)) = keys.next()? {
            let (_, closed) = reader.read(key.words())?;
            credit_one(&mut credit, unit, closed);
            key.words().iter().try_for_each(|word| out.write(&word.to_le_bytes()))?;
        }
        credit
    });
    out.end_section();
    let credit: Vec<Value> = credit.iter().map(|(u, (n, c))| json!([u, n, c])).collect();
    out.seal(&json!({ "inputs": inputs, "credit": credit }))?;
    Ok(true)
}

/// The merged keys of all parts of a job, in order.
struct MergedParts {
    parts: Vec<Sealed>,
    /// The index of the first row of each part, followed by the total number of rows.
    first: Vec<u64>,
    /// The checksum of the inputs of all parts.
    inputs: String,
}

impl MergedParts {
    fn of(
        results: &UnitResults,
        folder: &JobFolder,
        width: usize,
    ) -> Result<MergedParts, StoreError> {
        let (mut parts, mut first, mut hash) = (Vec::new(), vec![0], Xxh3::new());
        for part in 0..PARTS {
            let (_, inputs) = results.part(part);
            let file = Sealed::open(&keys_of(folder, part))?;
            let Some(file) = file.filter(|file| file.note["inputs"] == inputs) else {
                let path = folder.path().display().to_string();
                return Err(StoreError::Unmerged { path, part: part as u64 });
            };
            hash.update(inputs.as_bytes());
            let rows = file.sections.first().map_or(0, |keys| keys.length / (8 * width as u64));
            first.push(first[part] + rows);
            parts.push(file);
        }
        Ok(MergedParts { parts, first, inputs: format!("{:016x}", hash.digest()) })
    }
}

/// Encodes the row groups that begin in one part, unless their file exists already or `watch` stops the job.
/// All parts must be merged. Returns whether this call wrote the file.
pub fn encode_part(
    job: &EnumerationJob,
    folder: &JobFolder,
    part: usize,
    watch: JobMonitor<'_>,
) -> Result<bool, StoreError> {
    let path = rows_of(folder, part);
    let results = results(job, folder, part, &path, watch)?;
    let merged = MergedParts::of(&results, folder, job.packer.words())?;
    let Some(mut out) = begin(&path, &merged.inputs, watch)? else { return Ok(false) };
    let layout = results.layout(job.packer.words())?;
    let groups = with_key!(job.packer.words(), K => {
        encode_rows::<K>(job, &merged, part, &layout, &mut out, watch)
    })?;
    out.seal(&json!({ "inputs": merged.inputs, "groups": groups }))?;
    Ok(true)
}

/// Encodes the row groups, one section each; returns the numbers of rows and of closed tours in each group.
fn encode_rows<K: TourKey>(
    job: &EnumerationJob,
    merged: &MergedParts,
    part: usize,
    layout: &TableLayout,
    out: &mut SealedWriter<'_>,
    watch: JobMonitor<'_>,
) -> Result<Vec<Value>, StoreError> {
    let size = layout.rows as u64;
    let groups = merged.first[part].div_ceil(size)..merged.first[part + 1].div_ceil(size);
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let mut reader = TourReader::new(job);
    let memory = job.run.memory / 4;
    // All keys of a part are larger than the keys of the part before.
    let onward: Vec<_> = merged.parts[part..].iter().map(|file| (CREDITED, file, 0)).collect();
    let mut keys = KeyMerge::<K>::new(&onward, job.packer.words(), memory, watch)?;
    // These rows belong to a group that began in an earlier part.
    for _ in merged.first[part]..groups.start * size {
        keys.next()?;
    }
    let mut counted = Vec::new();
    for index in groups {
        let mut group = Vec::with_capacity(layout.rows);
        while group.len() < layout.rows
            && let Some((key, _)) = keys.next()?
        {
            group.push(key);
        }
        let credit = vec![CREDITED; group.len()];
        let group = RowGroup { index: index as usize, keys: group, credit };
        let (encoded, counts) = encode(group, layout, &mut reader)?;
        out.write(&encoded.bytes)?;
        out.end_section();
        counted.push(json!(counts));
    }
    Ok(counted)
}

/// The encoded row groups of all parts, with the credits of the units.
pub(super) struct EncodedParts {
    files: Vec<Sealed>,
    pub(super) credit: Vec<Credit>,
}

impl EncodedParts {
    /// Opens the encoded row groups, if all parts have been encoded from the current results.
    pub(super) fn of(
        results: &UnitResults,
        folder: &JobFolder,
        width: usize,
        watch: JobMonitor<'_>,
    ) -> Result<Option<EncodedParts>, StoreError> {
        unless_damaged(EncodedParts::look(results, folder, width), watch)
    }

    fn look(
        results: &UnitResults,
        folder: &JobFolder,
        width: usize,
    ) -> Result<Option<EncodedParts>, StoreError> {
        let mut files = Vec::new();
        for part in 0..PARTS {
            match Sealed::open(&rows_of(folder, part))? {
                Some(file) => files.push(file),
                None => return Ok(None),
            }
        }
        let merged = match MergedParts::of(results, folder, width) {
            Err(StoreError::Unmerged { .. }) => return Ok(None),
            merged => merged?,
        };
        if files.iter().any(|file| file.note["inputs"] != merged.inputs) {
            return Ok(None);
        }
        let credit = merged.parts.iter().map(|file| credit_of(&file.note)).collect();
        Ok(Some(EncodedParts { files, credit }))
    }

    /// Returns the row groups in order. Reading a group verifies its checksum; a damaged file is removed, so
    /// that the next merge makes it again.
    pub(super) fn groups(&self) -> impl Iterator<Item = Result<EncodedRows, StoreError>> {
        let in_file = |file: &Sealed| {
            let file = file.clone();
            (0..file.sections.len()).map(move |index| {
                let bytes = file.bytes(index).inspect_err(|error| {
                    if error.is_damage() {
                        let _ = std::fs::remove_file(&file.path);
                    }
                });
                Ok(EncodedRows { bytes: Bytes::from(bytes?), credit: Credit::new() })
            })
        };
        self.files.iter().flat_map(in_file)
    }
}

/// Removes the files of parts after the table is complete.
pub(super) fn remove_parts(folder: &JobFolder) {
    // A leftover file wastes space but does no harm.
    let _ = std::fs::remove_dir_all(place(folder));
}
