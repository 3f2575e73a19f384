//! Deduplication in memory, and merging of sorted runs on disk into Parquet: `cargo bench -- store`.
//!
//! Every count is compared with the known number. `--quick` makes fewer runs, and `--strict` fails if
//! a figure misses its threshold. The bench runs in a memory file system, if there is one, and in the
//! system's temporary folder.

use crate::lab::{self, expect, median, seconds};
use hippodrome::lab::distinct::Bloom;
use hippodrome::lab::enumerate::{Dedup, Enumeration};
use hippodrome::search::Control;
use hippodrome::store::{EnumerationJob, Job, JobMonitor, run_missing};
use std::path::PathBuf;
use std::sync::Arc;

/// Number of Warnsdorff tours of 8x8, each found once.
const WARNSDORFF: u64 = 7_894_584;
/// Number of tours of 6x6.
const SIX: u64 = 6_637_920;

pub fn main() {
    let times = if lab::is_quick() { 1 } else { 5 };
    folder(times);
    bitmaps();
}

/// Returns a folder in a memory file system, if there is one, or on disk.
fn place(in_memory: bool) -> PathBuf {
    let own = format!("hippodrome-bench-{}", std::process::id());
    let memory = PathBuf::from("/dev/shm").join(&own);
    let writable = in_memory && std::fs::create_dir_all(&memory).is_ok();
    let path = if writable { memory } else { std::env::temp_dir().join(own) };
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// Times writing tours to sorted runs without duplicates, and merging the runs into a table.
fn folder(times: usize) {
    let run = Enumeration { threads: 2, ..lab::job("8x8", "warnsdorff", &["ties=all"]) };
    let (mut bare, mut gathered) = (Vec::new(), Vec::new());
    let (mut written, mut merged) = (Vec::new(), Vec::new());
    let mut size = (0, 0);
    for _ in 0..times {
        let (search, summary) = seconds(|| run.run(&Control::default(), None).expect("tours"));
        assert_eq!(summary.total.tours, WARNSDORFF);
        bare.push(search);
        for in_memory in [true, false] {
            let (path, control) = (place(in_memory), Arc::<Control>::default());
            let (folder, job) =
                EnumerationJob::create(&path, run.clone(), &control).expect("a folder");
            let (whole, ran) = seconds(|| run_missing(&job, &folder, 2, JobMonitor::silent()));
            assert!(ran.expect("units").all);
            if in_memory {
                gathered.push(whole);
                std::fs::remove_dir_all(&path).expect("removed");
                continue;
            }
            written.push(whole);
            let (merge, result) =
                seconds(|| job.merge(&folder, JobMonitor::silent()).expect("a table"));
            assert_eq!(result.summary.total.distinct, WARNSDORFF);
            merged.push(merge);
            let units = std::fs::read_dir(path.join("units")).expect("a list").flatten();
            let units: u64 = units.map(|file| file.metadata().map_or(0, |m| m.len())).sum();
            size = (units, result.bytes);
            std::fs::remove_dir_all(&path).expect("removed");
        }
    }
    let rate = |seconds: f64| WARNSDORFF as f64 / seconds / 1e6;
    let each = |bytes: u64| bytes as f64 / WARNSDORFF as f64;
    let (bare, gathered, merged) = (median(bare), median(gathered), median(merged));
    println!("every Warnsdorff tour of 8x8, {WARNSDORFF}, 2 threads");
    println!("  search alone {bare:.2} s; packed, sorted and repeats removed {gathered:.2} s");
    println!("  the same, written to disk and synced, {:.2} s", median(written));
    let insertion = rate(gathered - bare);
    println!("  {:.1} M tours/s in all, {insertion:.1} M/s beside the search", rate(gathered));
    println!("  merged to Parquet in {merged:.2} s, {:.1} M tours/s", rate(merged));
    println!("  bytes per tour: {:.1} in runs, {:.2} in Parquet", each(size.0), each(size.1));
    expect(insertion >= 8.0, "8 M tours/s inserted in memory on 2 cores");
    expect(rate(merged) >= 3.0, "3 M tours/s from disk to Parquet");
    expect(each(size.1) < 16.0, "less than 16 bytes a tour");
}

/// Times the 2005 paper's hashing scheme on all tours of 6x6.
fn bitmaps() {
    println!("bitmaps of 12 x 2^20 bits over all {SIX} tours of 6x6");
    let cases = [(4, 44_600.0, 0.05), (6, 5_480.0, 0.05), (8, 727.0, 0.15), (25, 0.0, 0.0)];
    for &(hashes, expected, within) in if lab::is_quick() { &cases[2..3] } else { &cases[..] } {
        let run = Enumeration {
            dedup: Dedup::Bloom,
            bloom: Bloom { hashes, ..Bloom::default() },
            ..lab::job("6x6", "exact", &[])
        };
        let (time, summary) = seconds(|| run.run(&Control::default(), None).expect("tours"));
        assert_eq!(summary.total.tours, SIX);
        let lost = SIX - summary.total.distinct;
        println!(
            "  {hashes:>2} bitmaps: {lost} new tours taken for repeats (about {expected} expected), {time:.2} s"
        );
        assert!((lost as f64 - expected).abs() <= within * expected, "{hashes}: {lost}");
    }
}
