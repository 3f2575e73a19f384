//! `record.json`: what ran, on what, and what came of it.

use super::StoreError;
use super::job::{Identity, JobFolder};
use super::monitor::JobMonitor;
use serde::Serialize;
use serde_json::{Value, json};
use std::fs;

/// The machine that a job was merged on.
#[derive(Serialize)]
struct Machine {
    system: &'static str,
    architecture: &'static str,
    /// The processor's name, where the system tells it.
    processor: Option<String>,
    threads: usize,
}

impl Machine {
    fn new(threads: usize) -> Machine {
        let processor = || {
            let text = fs::read_to_string("/proc/cpuinfo").ok()?;
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_string())
        };
        let (system, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
        Machine { system, architecture, processor: processor(), threads }
    }
}

/// What every record has, and the result of its own.
#[derive(Serialize)]
struct JobRecord<'r, R> {
    schema: u64,
    version: &'static str,
    status: &'r str,
    job: &'r Identity,
    plan: &'r Value,
    units: Option<u64>,
    units_done: u64,
    seconds: f64,
    machine: Machine,
    #[serde(flatten)]
    result: &'r R,
}

/// Writes the record of a job that was merged: its status, its units, if there is an end to them, and those done, and
/// the seconds and threads it took.
pub(super) fn write_record(
    folder: &JobFolder,
    status: &str,
    (units, units_done): (Option<u64>, u64),
    (seconds, threads): (f64, usize),
    result: &impl Serialize,
) -> Result<(), StoreError> {
    let record = JobRecord {
        schema: 1,
        version: env!("CARGO_PKG_VERSION"),
        status,
        job: folder.identity(),
        plan: folder.plan(),
        units,
        units_done,
        seconds,
        machine: Machine::new(threads),
        result,
    };
    // By way of a value, whose keys are sorted.
    let record = json!(record);
    folder.write("record.json", JobMonitor::silent(), |out| writeln!(out, "{record:#}"))
}

/// Removes the record of a folder, whose table is about to become another.
pub(super) fn forget_record(folder: &std::path::Path) -> Result<(), StoreError> {
    let path = folder.join("record.json");
    match fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(StoreError::io("remove", &path)(error))
        }
        _ => Ok(()),
    }
}

/// Compares the table of a folder with what its record says of it; nothing if there is no record.
pub fn check_record(folder: &std::path::Path) -> Result<(), StoreError> {
    let path = folder.join("record.json");
    let Ok(text) = fs::read(&path) else { return Ok(()) };
    let damaged = |path: &std::path::Path, what: &str| StoreError::Damaged {
        path: path.display().to_string(),
        what: what.into(),
    };
    let record: Value =
        serde_json::from_slice(&text).map_err(|_| damaged(&path, "it is not JSON"))?;
    let table = folder.join("tours.parquet");
    let mut file = fs::File::open(&table).map_err(StoreError::io("read", &table))?;
    let (mut hash, mut length) = (xxhash_rust::xxh3::Xxh3::new(), 0);
    let mut piece = vec![0; 1 << 20];
    loop {
        let read = std::io::Read::read(&mut file, &mut piece);
        let read = read.map_err(StoreError::io("read", &table))?;
        if read == 0 {
            break;
        }
        hash.update(&piece[..read]);
        length += read as u64;
    }
    let said = &record["table"];
    if said["bytes"] != json!(length) || said["xxh3"] != format!("{:016x}", hash.digest()) {
        return Err(damaged(&table, "its bytes differ from those that record.json describes"));
    }
    Ok(())
}
