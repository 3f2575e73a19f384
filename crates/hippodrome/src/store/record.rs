//! `record.json`: the job, the machine and the results.

use super::StoreError;
use super::job::JobFolder;
use super::monitor::JobMonitor;
use super::table::sum_of;
use serde_json::{Value, json};
use std::fs;

/// Returns the processor's name, if the system reports it.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

/// Writes the record of a merged job: its status, its number of units (if finite), its number of finished
/// units, the time, the number of threads and the fields of its result.
pub(super) fn write_record(
    folder: &JobFolder,
    status: &str,
    (units, units_done): (Option<u64>, u64),
    (seconds, threads): (f64, usize),
    mut record: Value,
) -> Result<(), StoreError> {
    let machine = json!({
        "system": std::env::consts::OS, "architecture": std::env::consts::ARCH,
        "processor": processor(), "threads": threads,
    });
    for (key, value) in [
        ("schema", json!(1)),
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("status", json!(status)),
        ("job", json!(folder.identity())),
        ("plan", json!(folder.plan())),
        ("units", json!(units)),
        ("units_done", json!(units_done)),
        ("seconds", json!(seconds)),
        ("machine", machine),
    ] {
        record[key] = value;
    }
    folder.write("record.json", JobMonitor::silent(), |out| writeln!(out, "{record:#}"))
}

/// Removes the record of a folder whose table is about to be replaced.
pub(super) fn forget_record(folder: &std::path::Path) -> Result<(), StoreError> {
    let path = folder.join("record.json");
    match fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(StoreError::io("remove", &path)(error))
        }
        _ => Ok(()),
    }
}

/// Compares the table of a folder with its record; does nothing if there is no record.
pub fn check_record(folder: &std::path::Path) -> Result<(), StoreError> {
    let path = folder.join("record.json");
    let Ok(text) = fs::read(&path) else { return Ok(()) };
    let record: Value =
        serde_json::from_slice(&text).map_err(|_| StoreError::damaged(&path, "it is not JSON"))?;
    let table = folder.join("tours.parquet");
    let summed = fs::File::open(&table).and_then(|file| {
        let length = file.metadata()?.len();
        Ok((length, sum_of(&file, (0, length))?))
    });
    let (length, sum) = summed.map_err(StoreError::io("read", &table))?;
    let said = &record["table"];
    if said["bytes"] != json!(length) || said["xxh3"] != format!("{sum:016x}") {
        let what = "its bytes differ from those that record.json describes";
        return Err(StoreError::damaged(&table, what));
    }
    Ok(())
}
