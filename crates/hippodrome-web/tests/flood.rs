//! Tests that the server survives floods of requests and viewers: it refuses most of them, and its memory
//! hardly grows.

mod lab;

use hippodrome_web::limits::Limits;
use lab::{Lab, resident, until};
use serde_json::{Value, json};
use std::io::Read;
use std::net::TcpStream;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Memory is measured for the whole process, so these tests run one at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Returns a request for a search that never ends by itself.
fn endless() -> Value {
    json!({ "kind": "watch", "ground": { "board": "8x8" }, "method": { "solver": "ants-random" }, "seed": 1 })
}

#[test]
fn most_of_a_thousand_jobs_are_refused() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let limits = Limits { running: 2, waiting: 4, ..Limits::default() };
    let lab = Lab::new(limits);
    let mut counts = std::collections::BTreeMap::new();
    let before = resident();
    for _ in 0..1000 {
        let answer = lab.post("/api/jobs", &endless());
        *counts.entry(answer.status).or_insert(0) += 1;
        if answer.status == 429 {
            assert!(answer.head.to_lowercase().contains("retry-after"), "{answer:?}");
        }
    }
    assert_eq!(counts, [(201, 6), (429, 994)].into());
    let grown = resident().saturating_sub(before);
    eprintln!("1,000 posts: {counts:?}, memory grew by {} KiB", grown >> 10);
    assert!(grown < 32 << 20, "{grown} bytes");
    let load = lab.load();
    assert_eq!((load["running"].as_u64(), load["waiting"].as_u64()), (Some(2), Some(4)));
    assert!(lab.end() < Duration::from_secs(10), "it ends while jobs wait and run");
}

/// Returns the number of steps that a search has made.
fn steps(lab: &Lab, id: &str) -> u64 {
    let mut events = lab.watch(id);
    events.until("frame", |_| true);
    let frame = events.until("frame", |_| true);
    frame["n"].as_u64().unwrap()
}

#[test]
fn two_hundred_stalled_viewers_cost_little_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // Long paths fill the buffers in about a second. The stall limit leaves time for all viewers to connect.
    let limits = Limits { stall: Duration::from_secs(3), running: 1, ..Limits::default() };
    let lab = Lab::new(limits);
    let mut job = endless();
    job["ground"] = json!({ "board": "128x128" });
    job["method"] = json!({ "solver": "backtrack" });
    let id = lab.job(&job);
    let first = steps(&lab, &id);
    let before = resident();
    let stalled: Vec<TcpStream> = (0..200).map(|_| lab.stall(&id)).collect();
    until("all of them are watching", || lab.load()["jobs"][0]["viewers"] == 200);
    let begun = Instant::now();
    let mut most = 0;
    while begun.elapsed() < Duration::from_secs(2) {
        most = most.max(resident());
        std::thread::sleep(Duration::from_millis(50));
    }
    let grown = most.saturating_sub(before);
    assert!(steps(&lab, &id) > first, "the search continues");
    eprintln!("200 stalled streams: memory grew by {} KiB", grown >> 10);
    assert!(grown < 128 << 20, "{grown} bytes");
    until("their connections are closed", || lab.load()["jobs"][0]["viewers"].as_u64() < Some(3));
    let mut buffer = [0; 1 << 16];
    let mut one = &stalled[0];
    while one.read(&mut buffer).is_ok_and(|n| n > 0) {}
    assert!(lab.end() < Duration::from_secs(10));
}
