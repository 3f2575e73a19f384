//! Measures how much ten viewers slow down a search at full speed.
//!
//! The same search, with the same number of attempts, runs alternately without and with ten viewers; the
//! result is the ratio of the median times. The benchmark asserts that both find the same tours, and that
//! viewers see frames.

#[path = "../tests/lab/mod.rs"]
mod lab;

use hippodrome_web::limits::Limits;
use lab::Lab;
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;

const VIEWERS: usize = 10;

fn search(attempts: u64) -> Value {
    json!({
        "kind": "watch",
        "ground": { "board": "8x8" },
        "method": { "solver": "backtrack" },
        "seed": 1,
        "spending": { "attempts": attempts.to_string() },
    })
}

/// Runs one search. Returns its seconds, its results, and the number of frames that all viewers saw.
fn run(lab: &Lab, attempts: u64, viewers: usize) -> (f64, Value, usize) {
    let id = lab.job(&search(attempts));
    let watching: Vec<_> = (0..viewers).map(|_| lab.watch(&id)).collect();
    let pinned = lab.post(&format!("/api/jobs/{id}/pace"), &json!({ "pin": true }));
    assert_eq!(pinned.status, 204);
    let threads: Vec<_> = watching
        .into_iter()
        .map(|mut events| {
            std::thread::spawn(move || {
                let mut frames = 0;
                while let Some((name, _)) = events.next() {
                    frames += usize::from(name == "frame");
                }
                frames
            })
        })
        .collect();
    let seen: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    if viewers == 0 {
        // No viewer may connect before the search is done.
        lab::until("the search is done", || {
            std::thread::sleep(Duration::from_millis(100));
            lab.load()["running"] == 0
        });
    }
    let done = lab.watch(&id).until("state", |state| state["state"] == "done");
    let found = json!([done["attempts"], done["moves"], done["distinct"]]);
    (done["seconds"].as_f64().unwrap(), found, seen)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    if std::env::args().any(|arg| arg == "--list") {
        let _ = writeln!(std::io::stdout(), "viewers: benchmark");
        return;
    }
    let mut named = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).peekable();
    if named.peek().is_some() && !named.any(|arg| arg == "viewers") {
        return;
    }
    let quick = std::env::args().any(|arg| arg == "--quick");
    let strict = std::env::args().any(|arg| arg == "--strict");
    let (rounds, attempts) = if quick { (3, 1_000_000) } else { (11, 20_000_000) };
    let lab = Lab::new(Limits { running: 1, grace: Duration::from_secs(600), ..Limits::default() });
    let (mut alone, mut watched, mut frames) = (Vec::new(), Vec::new(), 0);
    let (_, expected, _) = run(&lab, attempts, 0);
    for _ in 0..rounds {
        let (seconds, found, _) = run(&lab, attempts, 0);
        assert_eq!(found, expected);
        alone.push(seconds);
        let (seconds, found, seen) = run(&lab, attempts, VIEWERS);
        assert_eq!(found, expected, "viewers do not change the result");
        assert!(seen >= VIEWERS, "{seen} frames");
        watched.push(seconds);
        frames += seen;
    }
    let (alone, watched) = (median(alone), median(watched));
    let slowed = watched / alone - 1.0;
    let _ = writeln!(
        std::io::stdout(),
        "search of {attempts} attempts: {alone:.3} s alone, {watched:.3} s with {VIEWERS} viewers ({:+.1}%), \
         {frames} frames seen; medians of {rounds} runs each",
        100.0 * slowed
    );
    assert!(!strict || slowed < 0.05, "ten viewers slow the search by more than 5%");
}
