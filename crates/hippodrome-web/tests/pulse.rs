//! Tests of the pulse, by which a page notices that the server is gone, is another one, or has other jobs.

mod lab;

use hippodrome_web::limits::Limits;
use lab::{Lab, until};
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn pulses_come_every_second_and_without_secrets() {
    let lab = Lab::new(Limits::default());
    let begun = Instant::now();
    let mut pulses = lab.events("/api/pulse");
    let first = pulses.until("pulse", |_| true);
    assert!(begun.elapsed() < Duration::from_millis(900), "the first one comes at once");
    let second = pulses.until("pulse", |_| true);
    assert!(begun.elapsed() < Duration::from_millis(2500), "{:?}", begun.elapsed());
    assert_eq!(first, second);
    assert_eq!(first["version"], env!("CARGO_PKG_VERSION"));
    let id = first["server"].as_str().unwrap();
    assert!(id.len() == 32 && id != lab.token, "{id}");
    assert_eq!(first.as_object().unwrap().len(), 3, "nothing else is sent");
    let other = Lab::new(Limits::default());
    assert_ne!(other.events("/api/pulse").until("pulse", |_| true)["server"], first["server"]);
}

#[test]
fn the_counter_changes_with_the_list_of_jobs() {
    let lab = Lab::new(Limits::default());
    let mut pulses = lab.events("/api/pulse");
    let mut counter = pulses.until("pulse", |_| true)["jobs"].clone();
    let mut changed = |what: &str| {
        let begun = Instant::now();
        let pulse = pulses.until("pulse", |pulse| pulse["jobs"] != counter);
        assert!(begun.elapsed() < Duration::from_millis(900), "{what}");
        counter = pulse["jobs"].clone();
    };
    let body = json!({ "kind": "watch", "ground": { "board": "8x8" }, "method": { "solver": "ants-random" }, "seed": 1 });
    let id = lab.job(&body);
    changed("a job was started");
    let mut events = lab.watch(&id);
    events.until("frame", |_| true);
    changed("it has a viewer");
    lab.ask("DELETE", &format!("/api/jobs/{id}"), &lab.own(), b"");
    changed("it was stopped");
}

#[test]
fn pulses_are_limited_and_end_with_the_server() {
    let lab = Lab::new(Limits { pulses: 2, ..Limits::default() });
    let mut held: Vec<_> = (0..2).map(|_| lab.events("/api/pulse")).collect();
    held.iter_mut().for_each(|pulses| drop(pulses.until("pulse", |_| true)));
    assert_eq!(lab.get("/api/pulse").status, 429);
    drop(held.pop());
    until("the closed one is forgotten", || {
        let mut pulses = lab.events("/api/pulse");
        pulses.next().is_some_and(|(name, _)| name == "pulse")
    });
    let mut last = held.swap_remove(0);
    assert!(lab.end() < Duration::from_secs(2));
    while last.next().is_some() {}
}
