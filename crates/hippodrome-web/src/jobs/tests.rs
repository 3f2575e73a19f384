use super::*;
use crate::pace::{Next, Pace};
use std::sync::mpsc::channel;

fn limits() -> Limits {
    let grace = Duration::from_millis(20);
    Limits { running: 2, waiting: 3, grace, absence: grace, ..Limits::default() }
}

fn task(work: Work) -> Task {
    Task { kind: "watch", about: json!({}), pace: Pace::new(None, false), pinned: false, work }
}

/// Waits until a condition holds.
pub(super) fn until(what: impl Fn() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(20), "timed out");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Returns work that continues until it is stopped.
fn endless() -> Work {
    Box::new(|job| {
        until(|| job.is_stopped());
        interrupted()
    })
}

#[test]
fn a_limited_number_of_jobs_run_and_wait() {
    let jobs = Jobs::new(limits());
    let taken: Vec<_> = (0..5).map(|_| jobs.submit(task(endless())).unwrap()).collect();
    let refused = jobs.submit(task(endless())).map(|job| job.id.clone());
    assert_eq!(refused.unwrap_err().0.as_u16(), 429);
    let list = jobs.list();
    assert_eq!((list["running"].as_u64(), list["waiting"].as_u64()), (Some(2), Some(3)));
    jobs.stop(&taken[3]);
    assert_eq!(jobs.list()["waiting"], 2);
    jobs.stop(&taken[0]);
    until(|| jobs.list()["waiting"] == 1);
    jobs.stop_all();
    jobs.join();
    assert_eq!(jobs.list()["running"], 0);
}

#[test]
fn an_unwatched_job_ends_unless_it_is_pinned() {
    let jobs = Jobs::new(limits());
    let one = jobs.submit(task(endless())).unwrap();
    let pinned = jobs.submit(task(endless())).unwrap();
    pinned.pin(true);
    one.add_viewer();
    std::thread::sleep(Duration::from_millis(40));
    jobs.tidy();
    assert!(!one.is_stopped(), "it is watched");
    one.remove_viewer();
    until(|| {
        jobs.tidy();
        jobs.get(&one.id).is_err()
    });
    assert!(one.snapshot.since(0).closed && !pinned.is_stopped());
    jobs.stop_all();
    jobs.join();
}

#[test]
fn only_the_latest_finished_jobs_are_kept() {
    let jobs = Jobs::new(Limits { kept: 3, grace: Duration::from_secs(600), ..limits() });
    let mut last = String::new();
    for _ in 0..50 {
        let work = Box::new(|_: &Job| json!({ "state": "done" }));
        let job = jobs.submit(task(work)).unwrap();
        until(|| job.snapshot.since(0).closed);
        last.clone_from(&job.id);
    }
    jobs.tidy();
    assert_eq!(jobs.list()["jobs"].as_array().map(Vec::len), Some(3));
    assert!(jobs.get(&last).is_ok());
}

#[test]
fn work_that_panics_is_reported_and_releases_its_place() {
    let jobs = Jobs::new(limits());
    let (sender, receiver) = channel();
    let job = jobs.submit(task(Box::new(|_| panic!("on purpose")))).unwrap();
    until(|| job.snapshot.since(0).closed);
    let texts = job.snapshot.since(0).texts;
    assert!(std::str::from_utf8(texts.last().unwrap()).unwrap().contains("which is a bug"));
    let next = move |_: &Job| {
        let _ = sender.send(());
        json!({})
    };
    jobs.submit(task(Box::new(next))).unwrap();
    receiver.recv_timeout(Duration::from_secs(20)).unwrap();
}

/// Returns work that does nothing but follow its pace.
fn paced() -> Work {
    Box::new(|job| {
        loop {
            match job.next(Instant::now()) {
                Next::Stop => break,
                Next::Rest => job.rest(),
                Next::Steps(_) | Next::FullSpeed => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        interrupted()
    })
}

fn pause(job: &Job, paused: bool) {
    job.change_pace(|pace| pace.pause(paused));
}

fn rests(jobs: &Jobs, job: &Job) -> bool {
    jobs.core().scheduler.sleeps(&job.id)
}

/// Returns the last message of a job.
pub(super) fn last(job: &Job) -> String {
    String::from_utf8_lossy(job.snapshot.since(0).texts.last().unwrap()).into_owned()
}

fn is(job: &Job, state: &str) -> bool {
    last(job).contains(&format!("\"state\":\"{state}\""))
}

#[test]
fn a_resting_job_frees_its_place_and_queues_to_continue() {
    let jobs = Jobs::new(Limits { running: 1, absence: Duration::from_secs(600), ..limits() });
    let first = jobs.submit(task(paced())).unwrap();
    first.add_viewer();
    let second = jobs.submit(task(paced())).unwrap();
    second.add_viewer();
    assert!(is(&second, "waiting"));
    pause(&first, true);
    until(|| is(&second, "running"));
    assert_eq!(jobs.list()["running"], 1);
    pause(&first, false);
    until(|| is(&first, "waiting"));
    second.remove_viewer();
    until(|| jobs.list()["waiting"] == 0);
    assert!(rests(&jobs, &second) && !rests(&jobs, &first), "the second rests, as it is unwatched");
    second.add_viewer();
    until(|| jobs.list()["waiting"] == 1);
    jobs.stop(&second);
    until(|| second.snapshot.since(0).closed);
    assert!(!first.snapshot.since(0).closed && jobs.list()["running"] == 1);
    jobs.stop_all();
    jobs.join();
    assert_eq!(jobs.list()["running"], 0);
}

#[test]
fn a_limited_number_of_jobs_rest_and_watched_ones_are_displaced_last() {
    let grace = Duration::from_secs(600);
    let jobs = Jobs::new(Limits { resting: 2, grace, absence: grace, ..limits() });
    let rest = |watched: bool| {
        let job = jobs.submit(task(paced())).unwrap();
        if watched {
            job.add_viewer();
        }
        pause(&job, true);
        until(|| rests(&jobs, &job));
        job
    };
    let all: Vec<_> = [true, false, true].into_iter().map(rest).collect();
    until(|| all[1].snapshot.since(0).closed);
    assert!(last(&all[1]).contains("displaced"));
    let latest = rest(true);
    until(|| all[0].snapshot.since(0).closed);
    assert!(!all[2].snapshot.since(0).closed && !latest.snapshot.since(0).closed);
    jobs.stop_all();
    jobs.join();
}

#[test]
fn a_table_is_freed_some_time_after_its_last_use() {
    let jobs = Jobs::new(limits());
    let job = jobs.submit(Task { pinned: true, ..task(endless()) }).unwrap();
    assert!(jobs.core().lease.is_none(), "a job without a table keeps none");
    job.keep_table();
    jobs.tidy();
    assert!(jobs.core().lease.is_some());
    until(|| {
        jobs.tidy();
        jobs.core().lease.is_none()
    });
    assert!(!job.snapshot.since(0).closed, "though a pinned job continues");
    jobs.stop(&job);
}
