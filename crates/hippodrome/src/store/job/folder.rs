//! Job folders: their lock, the identity of their job, and the state of its units.

use super::Job;
use crate::durable::{DurableFile, is_unfinished, sync_folder};
use crate::store::StoreError;
use crate::store::monitor::{JobEvent, JobMonitor};
use crate::store::sealed::{Sealed, SealedWriter};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Version of the file format. Folders with other versions are rejected.
pub const FORMAT: u64 = 1;

/// The identity of a job, as named fields. Two jobs are the same exactly if all their fields are equal.
pub type Identity = Map<String, Value>;

/// Returns the major and minor version of this program; results depend on them.
fn release() -> String {
    let numbers: Vec<&str> = env!("CARGO_PKG_VERSION").split('.').take(2).collect();
    numbers.join(".")
}

/// A function that locks a file for this process, either exclusively or shared.
type Hold = fn(&File) -> Result<(), TryLockError>;

/// A job folder, locked by this process.
pub struct JobFolder {
    path: PathBuf,
    kind: String,
    identity: Identity,
    plan: Value,
    /// The lock file; the lock is held until this field is dropped.
    _lock: Option<File>,
}

/// The state of a unit's result.
#[derive(Debug)]
pub enum UnitState {
    /// There is no result.
    Missing,
    /// The result is damaged.
    Damaged(StoreError),
    /// The result is intact, but the unit was interrupted or ran with other terms. The result is used until
    /// the unit is run again.
    Unfinished(Sealed),
    /// The unit is done.
    Done(Sealed),
}

/// The units of a job that are not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingUnits {
    done: Vec<u64>,
    units: u64,
}

impl MissingUnits {
    /// Returns the number of units that are done.
    pub fn done(&self) -> u64 {
        self.done.len() as u64
    }

    /// Returns the number of units that are not done.
    pub fn count(&self) -> u64 {
        self.units - self.done()
    }

    /// Returns the first unit that is not done.
    pub fn first(&self) -> Option<u64> {
        self.iter().next()
    }

    /// Returns the units that are not done, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let mut done = self.done.iter().peekable();
        (0..self.units).filter(move |unit| done.next_if_eq(&unit).is_none())
    }
}

fn lock(path: &Path, hold: Hold) -> Result<File, StoreError> {
    let file = path.join("lock");
    let options = File::options().create(true).truncate(false).write(true).open(&file);
    let lock = options.map_err(StoreError::io("open", &file))?;
    match hold(&lock) {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.display().to_string())),
        Err(TryLockError::Error(error)) => Err(StoreError::io("lock", &file)(error)),
    }
}

impl JobFolder {
    /// Creates the folder of a new job and locks it exclusively. `plan` contains the settings that may change
    /// later, such as the budget.
    pub fn create(
        path: &Path,
        (kind, identity): (&str, Identity),
        plan: Value,
    ) -> Result<JobFolder, StoreError> {
        fs::create_dir_all(path).map_err(StoreError::io("make", path))?;
        JobFolder::expect_none(path)?;
        // Reject a folder with other files.
        for entry in fs::read_dir(path).map_err(StoreError::io("read", path))? {
            let entry = entry.map_err(StoreError::io("read", path))?.file_name();
            match entry.to_string_lossy().as_ref() {
                "job.json" | "lock" | "units" => {}
                part if is_unfinished(part) => {}
                _ => return Err(StoreError::NotEmpty(path.display().to_string())),
            }
        }
        let held = Some(lock(path, File::try_lock)?);
        JobFolder::expect_none(path)?;
        let units = path.join("units");
        fs::create_dir_all(&units).map_err(StoreError::io("make", &units))?;
        let folder =
            JobFolder { path: path.to_path_buf(), kind: kind.into(), identity, plan, _lock: held };
        folder.write_job()?;
        if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            sync_folder(parent)?;
        }
        Ok(folder)
    }

    /// Rejects a folder that contains a job.
    pub(in crate::store) fn expect_none(path: &Path) -> Result<(), StoreError> {
        match path.join("job.json").exists() {
            true => Err(StoreError::Exists(path.display().to_string())),
            false => Ok(()),
        }
    }

    /// Opens a folder and locks it exclusively. Removes unfinished files left by crashed processes.
    pub fn open(path: &Path) -> Result<JobFolder, StoreError> {
        let folder = JobFolder::opened(path, Some(File::try_lock))?;
        for place in [path.to_path_buf(), folder.path.join("units"), folder.path.join("parts")] {
            let entries = fs::read_dir(&place).into_iter().flatten().flatten();
            for entry in entries.filter(|e| is_unfinished(&e.file_name().to_string_lossy())) {
                fs::remove_file(entry.path()).map_err(StoreError::io("remove", &entry.path()))?;
            }
        }
        Ok(folder)
    }

    /// Opens a folder with a shared lock, so that several processes can run units.
    pub fn share(path: &Path) -> Result<JobFolder, StoreError> {
        JobFolder::opened(path, Some(File::try_lock_shared))
    }

    /// Opens a folder for reading, even while other processes work on it.
    pub fn look(path: &Path) -> Result<JobFolder, StoreError> {
        JobFolder::opened(path, None)
    }

    fn opened(path: &Path, hold: Option<Hold>) -> Result<JobFolder, StoreError> {
        let file = path.join("job.json");
        let name = || path.display().to_string();
        if !file.try_exists().map_err(StoreError::io("read", path))? {
            return Err(StoreError::NoJob(name()));
        }
        let held = hold.map(|hold| lock(path, hold)).transpose()?;
        let text = fs::read(&file).map_err(StoreError::io("read", &file))?;
        let what = "it is not the text that was written; plan the job again in another folder";
        let damaged = || StoreError::damaged(&file, what);
        let mut job: Identity = serde_json::from_slice(&text).map_err(|_| damaged())?;
        let sum = job.remove("checksum");
        let version = |what, found: Option<&Value>, known: Value| match found {
            Some(found) if *found == known => Ok(()),
            found => Err(StoreError::Version {
                path: name(),
                what,
                found: found.map_or("none".into(), in_words),
                known: in_words(&known),
            }),
        };
        version("a format of version", job.get("format"), FORMAT.into())?;
        if sum != Some(checksum(&job)) {
            return Err(damaged());
        }
        version("results of version", job.get("hippodrome"), release().into())?;
        match (job.remove("kind"), job.remove("job"), job.remove("plan")) {
            (Some(Value::String(kind)), Some(Value::Object(identity)), Some(plan)) => {
                Ok(JobFolder { path: path.to_path_buf(), kind, identity, plan, _lock: held })
            }
            _ => Err(damaged()),
        }
    }

    fn write_job(&self) -> Result<(), StoreError> {
        let mut job = json!({
            "format": FORMAT, "hippodrome": release(), "kind": self.kind, "job": self.identity,
            "plan": self.plan,
        });
        job["checksum"] = checksum(&job);
        self.write("job.json", JobMonitor::silent(), |out| writeln!(out, "{job:#}"))
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the kind of the folder's job.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Returns the identity of the folder's job.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns the mark that all results of the job carry: a checksum of its kind and identity.
    pub(in crate::store) fn mark(&self) -> Value {
        let mut job = self.identity.clone();
        job.insert("kind".into(), self.kind.clone().into());
        checksum(&job)
    }

    /// Returns the plan of the folder's job: the settings that may change later.
    pub fn plan(&self) -> &Value {
        &self.plan
    }

    /// Replaces the plan of the folder's job.
    pub fn revise(&mut self, plan: Value) -> Result<(), StoreError> {
        if self.plan != plan {
            self.plan = plan;
            self.write_job()?;
        }
        Ok(())
    }

    /// Returns an error that names the difference if the folder contains another job. Only the fields in
    /// `stated` are compared; if a field is an object, only the names that `stated` gives in it. A null field
    /// means that the job must not have this field.
    pub fn expect(&self, kind: &str, stated: &Identity) -> Result<(), StoreError> {
        let differs = |field: &str, there: &Value, here: &Value| {
            let path = self.path.display().to_string();
            // A whole graph is too long for a message.
            if let "edges" | "vertices" = field {
                let field = "graph".to_string();
                let there = self.identity.get("graph").map_or("none".into(), in_words);
                return StoreError::Other { path, field, there, here: "the one given".into() };
            }
            let (there, here) = apart(there, here);
            StoreError::Other { path, field: field.into(), there, here }
        };
        if self.kind != kind {
            return Err(differs("kind", &self.kind.clone().into(), &kind.into()));
        }
        let (missing, given): (Vec<_>, Vec<_>) = stated.iter().partition(|(_, v)| v.is_null());
        for (field, here) in given.into_iter().chain(missing) {
            let there = self.identity.get(field).unwrap_or(&Value::Null);
            let here = match (there, here) {
                (Value::Object(all), Value::Object(some)) => {
                    all.clone().into_iter().chain(some.clone()).collect()
                }
                _ => here.clone(),
            };
            if *there != here {
                return Err(differs(field, there, &here));
            }
        }
        Ok(())
    }

    /// Writes a file in the folder atomically.
    pub fn write(
        &self,
        name: &str,
        watch: JobMonitor<'_>,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), StoreError> {
        let path = self.path.join(name);
        let mut out = DurableFile::create(&path)?;
        fill(&mut out).map_err(StoreError::io("write", &path))?;
        Ok(watch.finish(out)?)
    }

    /// Returns the number of the unit whose result is in a file of this folder.
    pub fn unit_at(&self, path: &str) -> Option<u64> {
        let file = Path::new(path).strip_prefix(self.path.join("units")).ok()?;
        file.to_str()?.strip_suffix(".unit")?.parse().ok()
    }

    /// Returns the path of a unit's result.
    pub fn unit_path(&self, unit: u64) -> PathBuf {
        self.path.join("units").join(format!("{unit:08}.unit"))
    }

    /// Makes a writer for a unit's result.
    pub(in crate::store) fn unit_writer<'w>(
        &self,
        unit: u64,
        watch: JobMonitor<'w>,
    ) -> Result<SealedWriter<'w>, StoreError> {
        SealedWriter::new(&self.unit_path(unit), watch)
    }

    /// Returns the state of a unit's result; reads only the result's section table and note.
    pub fn glance<J: Job + ?Sized>(&self, job: &J, unit: u64) -> Result<UnitState, StoreError> {
        let sealed = match Sealed::open(&self.unit_path(unit)) {
            Ok(None) => return Ok(UnitState::Missing),
            Ok(Some(sealed)) => sealed,
            Err(error) if error.is_damage() => return Ok(UnitState::Damaged(error)),
            Err(error) => return Err(error),
        };
        let strange = match &sealed.note {
            note if note["unit"] != json!(unit) => Some("it belongs to another unit"),
            note if note["job"] != self.mark() => Some("it belongs to another job"),
            _ => None,
        };
        if let Some(what) = strange {
            return Ok(UnitState::Damaged(StoreError::damaged(&sealed.path, what)));
        }
        let whole = sealed.note["whole"] == true && sealed.note["terms"] == job.terms(unit);
        Ok(if whole { UnitState::Done(sealed) } else { UnitState::Unfinished(sealed) })
    }

    /// Returns the state of a unit's result like [`JobFolder::glance`], but verifies every byte.
    pub fn state<J: Job + ?Sized>(&self, job: &J, unit: u64) -> Result<UnitState, StoreError> {
        match self.glance(job, unit)? {
            UnitState::Done(sealed) | UnitState::Unfinished(sealed) => match sealed.verify() {
                Err(error) if error.is_damage() => Ok(UnitState::Damaged(error)),
                Err(error) => Err(error),
                Ok(()) => self.glance(job, unit),
            },
            state => Ok(state),
        }
    }

    /// Returns which units are not done.
    pub fn missing<J: Job + ?Sized>(&self, job: &J) -> Result<MissingUnits, StoreError> {
        let results = self.results(job, JobMonitor::silent())?.into_iter();
        let done = results.filter(|(_, state)| matches!(state, UnitState::Done(_)));
        Ok(MissingUnits { done: done.map(|(unit, _)| unit).collect(), units: job.units() })
    }

    /// Returns an error if any unit is not done.
    pub fn expect_all<J: Job + ?Sized>(&self, job: &J) -> Result<(), StoreError> {
        let missing = self.missing(job)?;
        let path = || self.path.display().to_string();
        missing.first().map_or(Ok(()), |first| {
            Err(StoreError::Undone { path: path(), left: missing.count(), first })
        })
    }

    /// Returns the numbers of the units that may have a result. For an endless job, they come from a listing
    /// of the folder. Otherwise all numbers are returned, and each file is looked up by name, because
    /// listings of network folders may be stale.
    fn numbers(&self, units: u64) -> Result<Vec<u64>, StoreError> {
        if units < u64::MAX {
            return Ok((0..units).collect());
        }
        let place = self.path.join("units");
        let mut numbers = Vec::new();
        for entry in fs::read_dir(&place).map_err(StoreError::io("read", &place))? {
            let name = entry.map_err(StoreError::io("read", &place))?.file_name();
            let name = name.to_string_lossy();
            numbers.extend(name.strip_suffix(".unit").and_then(|n| n.parse::<u64>().ok()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Returns the existing results, finished or not, in ascending order of their units.
    pub fn results<J: Job + ?Sized>(
        &self,
        job: &J,
        watch: JobMonitor<'_>,
    ) -> Result<Vec<(u64, UnitState)>, StoreError> {
        let mut results = Vec::new();
        for unit in self.numbers(job.units())? {
            match self.glance(job, unit)? {
                UnitState::Missing => continue,
                state => {
                    if let UnitState::Damaged(error) = &state {
                        watch.tell(JobEvent::Damaged(error));
                    }
                    results.push((unit, state));
                }
            }
        }
        Ok(results)
    }
}

/// Returns the checksum of a value written as JSON.
fn checksum(job: &impl Serialize) -> Value {
    format!("{:016x}", xxh3_64(json!(job).to_string().as_bytes())).into()
}

/// Formats a value for a message.
fn in_words(value: &Value) -> String {
    let list = |words: Vec<String>| words.join(",");
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".into(),
        Value::Array(items) => list(items.iter().map(in_words).collect()),
        Value::Object(map) => {
            list(map.iter().map(|(name, v)| format!("{name}={}", in_words(v))).collect())
        }
        other => other.to_string(),
    }
}

/// Formats two values for a message; if both are objects, only their differences are shown.
fn apart(one: &Value, other: &Value) -> (String, String) {
    let (Value::Object(a), Value::Object(b)) = (one, other) else {
        return (in_words(one), in_words(other));
    };
    let only = |these: &Identity, those: &Identity| {
        let mut these = these.clone();
        these.retain(|name, value| those.get(name) != Some(value));
        in_words(&Value::Object(these))
    };
    (only(a, b), only(b, a))
}
