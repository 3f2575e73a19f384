//! `record.json`: what ran, on what, and what came of it.

use super::{EnumerationJob, Job, JobFolder, JobMonitor, Merged, StoreError};
use crate::search::Status;
use serde_json::{Value, json};
use std::fs;

/// The word for a status.
fn word(merged: &Merged) -> &'static str {
    match merged.summary.status {
        Status::Complete if merged.summary.total.distinct == 0 => "impossible",
        Status::Complete => "complete",
        Status::Exhausted => "exhausted",
        Status::Limit => "limit",
        Status::Interrupted => "interrupted",
    }
}

/// The processor's name, where the system tells it.
pub(super) fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

/// Writes the record of a job that was merged after so many seconds.
pub fn write_record(
    folder: &JobFolder,
    job: &EnumerationJob,
    merged: &Merged,
    seconds: f64,
) -> Result<(), StoreError> {
    let total = &merged.summary.total;
    let object = json!({
        "schema": 1,
        "version": env!("CARGO_PKG_VERSION"),
        "status": word(merged),
        "job": job.identity(),
        "plan": folder.plan(),
        "units": merged.units,
        "units_done": merged.done,
        "attempts": total.attempts,
        "moves": total.moves,
        "tours": total.tours,
        "distinct": total.distinct,
        "closed": total.closed,
        "seconds": seconds,
        "table": {
            "file": "tours.parquet",
            "bytes": merged.bytes,
            "xxh3": format!("{:016x}", merged.checksum),
        },
        "machine": {
            "system": std::env::consts::OS,
            "architecture": std::env::consts::ARCH,
            "processor": processor(),
            "threads": job.enumeration().threads,
        },
    });
    folder.write("record.json", JobMonitor::nobody(), |out| writeln!(out, "{object:#}"))
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
