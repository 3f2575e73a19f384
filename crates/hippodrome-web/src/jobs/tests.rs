use super::*;
use crate::pace::{Go, Pace};
use std::sync::mpsc::channel;

fn limits() -> Limits {
    let grace = Duration::from_millis(20);
    Limits { running: 2, waiting: 3, grace, absence: grace, ..Limits::default() }
}

fn task(work: Work) -> Task {
    Task { kind: "watch", about: json!({}), pace: Pace::new(None, false), pinned: false, work }
}

fn until(what: impl Fn() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not come about");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Work that goes on until it is told to end.
fn endless() -> Work {
    Box::new(|job| {
        until(|| job.interrupt.load(Relaxed));
        json!({ "state": "done", "status": "interrupted" })
    })
}

#[test]
fn as_many_run_as_may_and_a_few_wait() {
    let jobs = Jobs::new(limits());
    let taken: Vec<_> = (0..5).map(|_| jobs.submit(task(endless())).unwrap()).collect();
    let refused = jobs.submit(task(endless())).map(|job| job.id.clone());
    assert_eq!(refused.unwrap_err().0.as_u16(), 429);
    let list = jobs.list();
    assert_eq!((list["running"].as_u64(), list["waiting"].as_u64()), (Some(2), Some(3)));
    jobs.end(&taken[3]);
    assert_eq!(jobs.list()["waiting"], 2);
    jobs.end(&taken[0]);
    until(|| jobs.list()["waiting"] == 1);
    jobs.end_all();
    jobs.join();
    assert_eq!(jobs.list()["running"], 0);
}

#[test]
fn what_nobody_watches_ends_unless_it_is_pinned() {
    let jobs = Jobs::new(limits());
    let one = jobs.submit(task(endless())).unwrap();
    let pinned = jobs.submit(task(endless())).unwrap();
    pinned.pin(true);
    one.arrive();
    std::thread::sleep(Duration::from_millis(40));
    jobs.tidy();
    assert!(!one.interrupt.load(Relaxed), "somebody watches it");
    one.leave();
    until(|| {
        jobs.tidy();
        jobs.get(&one.id).is_err()
    });
    assert!(one.over.load(Relaxed) && !pinned.interrupt.load(Relaxed));
    jobs.end_all();
    jobs.join();
}

#[test]
fn of_jobs_that_are_done_only_the_latest_are_kept() {
    let jobs = Jobs::new(Limits { kept: 3, grace: Duration::from_secs(600), ..limits() });
    let mut last = String::new();
    for _ in 0..50 {
        let work = Box::new(|_: &Job| json!({ "state": "done" }));
        let job = jobs.submit(task(work)).unwrap();
        until(|| job.over.load(Relaxed));
        last.clone_from(&job.id);
    }
    jobs.tidy();
    assert_eq!(jobs.list()["jobs"].as_array().map(Vec::len), Some(3));
    assert!(jobs.get(&last).is_ok());
}

#[test]
fn work_that_panics_is_reported_and_gives_its_place_back() {
    let jobs = Jobs::new(limits());
    let (told, heard) = channel();
    let job = jobs.submit(task(Box::new(|_| panic!("on purpose")))).unwrap();
    until(|| job.over.load(Relaxed));
    let texts = job.news.since(0).texts;
    assert!(std::str::from_utf8(texts.last().unwrap()).unwrap().contains("which is a bug"));
    let next = move |_: &Job| {
        let _ = told.send(());
        json!({})
    };
    jobs.submit(task(Box::new(next))).unwrap();
    heard.recv_timeout(Duration::from_secs(20)).unwrap();
}

/// Work that does nothing but heed its pace.
fn heedful() -> Work {
    Box::new(|job| {
        loop {
            match job.pace.wait(Instant::now()) {
                Go::End => break,
                Go::Rest => job.rest(),
                Go::Steps(_) | Go::Full => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        json!({ "state": "done", "status": "interrupted" })
    })
}

fn last(job: &Job) -> String {
    String::from_utf8_lossy(job.news.since(0).texts.last().unwrap()).into_owned()
}

fn is(job: &Job, state: &str) -> bool {
    last(job).contains(&format!("\"state\":\"{state}\""))
}

#[test]
fn who_rests_keeps_nobody_waiting_and_waits_before_going_on() {
    let jobs = Jobs::new(Limits { running: 1, absence: Duration::from_secs(600), ..limits() });
    let first = jobs.submit(task(heedful())).unwrap();
    first.arrive();
    let second = jobs.submit(task(heedful())).unwrap();
    second.arrive();
    assert!(is(&second, "waiting"));
    first.pace.pause(true);
    until(|| is(&second, "running"));
    assert_eq!(jobs.list()["running"], 1);
    first.pace.pause(false);
    until(|| is(&first, "waiting"));
    second.leave();
    until(|| jobs.list()["waiting"] == 0);
    assert!(first.placed.load(Relaxed), "the second rests, as nobody watches it");
    second.arrive();
    until(|| jobs.list()["waiting"] == 1);
    jobs.end(&second);
    until(|| second.over.load(Relaxed));
    assert!(!first.over.load(Relaxed) && jobs.list()["running"] == 1);
    jobs.end_all();
    jobs.join();
    assert_eq!(jobs.list()["running"], 0);
}

#[test]
fn only_so_many_rest_and_those_who_are_watched_go_last() {
    let grace = Duration::from_secs(600);
    let jobs = Jobs::new(Limits { resting: 2, grace, absence: grace, ..limits() });
    let rests = |watched: bool| {
        let job = jobs.submit(task(heedful())).unwrap();
        if watched {
            job.arrive();
        }
        job.pace.pause(true);
        until(|| job.resting_since().is_some());
        job
    };
    let all: Vec<_> = [true, false, true].into_iter().map(rests).collect();
    until(|| all[1].over.load(Relaxed));
    assert!(last(&all[1]).contains("displaced"));
    let latest = rests(true);
    until(|| all[0].over.load(Relaxed));
    assert!(!all[2].over.load(Relaxed) && !latest.over.load(Relaxed));
    jobs.end_all();
    jobs.join();
}

#[test]
fn a_table_is_freed_some_time_after_its_last_use() {
    let jobs = Jobs::new(limits());
    let job = jobs.submit(Task { pinned: true, ..task(endless()) }).unwrap();
    assert!(jobs.table().lease.is_none(), "a job without a table keeps none");
    job.keep_table();
    jobs.tidy();
    assert!(jobs.table().lease.is_some());
    until(|| {
        jobs.tidy();
        jobs.table().lease.is_none()
    });
    assert!(!job.over.load(Relaxed), "though a pinned job goes on");
    jobs.end(&job);
}
