use super::*;

type TestScheduler = Scheduler<()>;

fn limits() -> Limits {
    Limits { running: 1, waiting: 2, resting: 2, kept: 2, ..Limits::default() }
}

fn submit(scheduler: &mut TestScheduler, id: &str, now: Instant) -> Result<(), Refused> {
    scheduler.submit(id, (Pace::default(), false), Arc::default(), (), now)
}

fn pause(scheduler: &mut TestScheduler, id: &str, paused: bool) -> bool {
    scheduler.change_pace(id, |pace| pace.pause(paused))
}

/// Returns the name of a job's phase, or "removed" if the job is unknown.
fn phase(scheduler: &TestScheduler, id: &str) -> &'static str {
    match scheduler.get(id).map(|entry| entry.phase) {
        Some(Phase::Queued) => "queued",
        Some(Phase::Running) => "running",
        Some(Phase::Resting { .. }) => "resting",
        Some(Phase::Requeued { .. }) => "requeued",
        Some(Phase::Stopping { placed: true, .. }) => "stopping",
        Some(Phase::Stopping { placed: false, .. }) => "stopping without a place",
        Some(Phase::Done) => "done",
        None => "removed",
    }
}

/// Returns a scheduler with one job, `x`, in the given phase.
fn in_phase(name: &str, now: Instant) -> TestScheduler {
    let mut scheduler = Scheduler::new(limits());
    submit(&mut scheduler, "x", now).unwrap();
    if name == "queued" {
        return scheduler;
    }
    scheduler.start_next().unwrap();
    if ["resting", "requeued", "stopping without a place"].contains(&name) {
        pause(&mut scheduler, "x", true);
        assert!(scheduler.rest("x", now));
    }
    match name {
        "requeued" => assert!(pause(&mut scheduler, "x", false)),
        "stopping" | "stopping without a place" => assert_eq!(scheduler.stop("x"), Stop::Asked),
        "done" => assert_eq!(scheduler.finish("x"), Some(false)),
        _ => {}
    }
    scheduler
}

/// Checks the invariants that hold in every state.
fn check(scheduler: &TestScheduler) {
    assert!(scheduler.running() <= scheduler.limits.running);
    let mut queued: Vec<&str> = scheduler.queue.iter().map(String::as_str).collect();
    queued.sort_unstable();
    let waits = |entry: &Entry<()>| matches!(entry.phase, Phase::Queued | Phase::Requeued { .. });
    let waiting: Vec<&str> =
        scheduler.jobs.iter().filter(|(_, e)| waits(e)).map(|(id, _)| id.as_str()).collect();
    assert_eq!(queued, waiting, "the queue holds the jobs that wait for a place, once each");
    let resting = scheduler.entries().filter(|e| e.resting_since().is_some()).count();
    assert!(resting <= scheduler.limits.resting);
    for entry in scheduler.entries() {
        let interrupted = entry.signals.interrupt.load(Relaxed);
        match entry.phase {
            Phase::Stopping { .. } => assert!(interrupted),
            Phase::Done => {}
            _ => assert!(!interrupted),
        }
    }
}

const PHASES: [&str; 7] =
    ["queued", "running", "resting", "requeued", "stopping", "stopping without a place", "done"];

type Event = fn(&mut TestScheduler, Instant);

/// Every event, with the phase to which it leads from each of [`PHASES`]; "" means that the phase does not
/// change.
const TRANSITIONS: [(&str, Event, [&str; 7]); 13] = [
    ("start_next", |s, _| _ = s.start_next(), ["running", "", "", "running", "", "", ""]),
    ("rest, not asked for", |s, now| _ = s.rest("x", now), [""; 7]),
    (
        "pause and rest",
        |s, now| {
            pause(s, "x", true);
            s.rest("x", now);
        },
        ["", "resting", "", "", "", "", ""],
    ),
    ("continue", |s, _| _ = pause(s, "x", false), ["", "", "requeued", "", "", "", ""]),
    (
        "step",
        |s, _| _ = s.change_pace("x", |pace| pace.step(1)),
        ["", "", "requeued", "", "", "", ""],
    ),
    ("pause", |s, _| _ = pause(s, "x", true), [""; 7]),
    ("add_viewer", |s, _| _ = s.add_viewer("x"), [""; 7]),
    ("remove_viewer", |s, now| _ = s.remove_viewer("x", now), [""; 7]),
    ("pin", |s, _| _ = s.pin("x", true), [""; 7]),
    (
        "stop",
        |s, _| _ = s.stop("x"),
        ["done", "stopping", "stopping without a place", "stopping without a place", "", "", ""],
    ),
    ("finish", |s, _| _ = s.finish("x"), ["", "done", "", "", "done", "done", ""]),
    (
        "close",
        |s, _| _ = s.close(),
        ["done", "stopping", "stopping without a place", "stopping without a place", "", "", ""],
    ),
    (
        "forget_finished",
        |s, now| s.forget_finished(now + Duration::from_secs(3600)),
        ["", "", "", "", "", "", "removed"],
    ),
];

#[test]
fn every_event_in_every_phase_follows_the_table() {
    let now = Instant::now();
    for (name, event, expected) in TRANSITIONS {
        for (from, to) in PHASES.into_iter().zip(expected) {
            let mut scheduler = in_phase(from, now);
            assert_eq!(phase(&scheduler, "x"), from);
            check(&scheduler);
            event(&mut scheduler, now);
            let to = if to.is_empty() { from } else { to };
            assert_eq!(phase(&scheduler, "x"), to, "{name} while {from}");
            check(&scheduler);
        }
    }
}

/// Events that may end the rest of a job without viewers, with the phase after each event.
const RETURNS: [(&str, Event, &str); 6] = [
    ("add_viewer", |s, _| assert!(s.add_viewer("x")), "requeued"),
    ("pin", |s, _| assert!(s.pin("x", true)), "requeued"),
    ("unpin", |s, _| assert!(!s.pin("x", false)), "resting"),
    ("continue", |s, _| assert!(!pause(s, "x", false)), "resting"),
    ("step", |s, _| assert!(s.change_pace("x", |pace| pace.step(1))), "requeued"),
    ("remove_viewer", |s, now| assert!(!s.remove_viewer("x", now)), "resting"),
];

#[test]
fn an_unwatched_resting_job_returns_when_it_is_watched_pinned_or_stepped() {
    let now = Instant::now();
    for (name, event, to) in RETURNS {
        let mut scheduler = in_phase("running", now);
        scheduler.add_viewer("x");
        scheduler.remove_viewer("x", now);
        assert!(scheduler.rest("x", now), "{name}");
        event(&mut scheduler, now);
        assert_eq!(phase(&scheduler, "x"), to, "{name}");
        check(&scheduler);
    }
}

#[test]
fn a_job_that_is_done_keeps_its_pace_and_counts_its_viewers() {
    let now = Instant::now();
    let mut scheduler = in_phase("done", now);
    let pace = scheduler.get("x").unwrap().pace();
    assert!(!scheduler.change_pace("x", |pace| pace.set_speed(Some(5.0))));
    assert!(!pause(&mut scheduler, "x", true));
    assert_eq!(scheduler.get("x").unwrap().pace(), pace);
    assert!(!scheduler.add_viewer("x") && !scheduler.pin("x", true));
    let entry = scheduler.get("x").unwrap();
    assert!(entry.viewers() == 1 && entry.is_pinned() && entry.is_done());
}

#[test]
fn events_of_an_unknown_job_change_nothing() {
    let now = Instant::now();
    for (name, event, _) in TRANSITIONS {
        let mut scheduler = Scheduler::new(limits());
        event(&mut scheduler, now);
        assert_eq!(scheduler.entries().count(), 0, "{name}");
    }
    let mut scheduler: TestScheduler = Scheduler::new(limits());
    assert_eq!(scheduler.stop("x"), Stop::Ignored);
    assert_eq!(scheduler.finish("x"), None);
    assert_eq!(scheduler.next("x", now, now), Ok(Next::Stop));
    assert!(!scheduler.sleeps("x"));
}

#[test]
fn a_job_stopped_in_the_queue_is_done_at_once_and_the_next_moves_up() {
    let now = Instant::now();
    let mut scheduler = in_phase("running", now);
    submit(&mut scheduler, "second", now).unwrap();
    submit(&mut scheduler, "third", now).unwrap();
    assert_eq!(scheduler.stop("second"), Stop::Dequeued);
    assert_eq!(phase(&scheduler, "second"), "done");
    assert_eq!(scheduler.queue, ["third"]);
    assert!(scheduler.start_next().is_none(), "x still has the only place");
    assert_eq!(scheduler.finish("x"), Some(false));
    assert!(scheduler.start_next().is_some());
    assert_eq!(phase(&scheduler, "third"), "running");
    check(&scheduler);
}

#[test]
fn a_job_that_rests_releases_its_place_and_runs_again_only_with_a_place() {
    let now = Instant::now();
    let mut scheduler = in_phase("resting", now);
    assert_eq!(scheduler.running(), 0);
    submit(&mut scheduler, "other", now).unwrap();
    assert!(scheduler.start_next().is_some());
    assert!(pause(&mut scheduler, "x", false));
    assert!(scheduler.start_next().is_none() && scheduler.sleeps("x"), "the other has the place");
    assert_eq!(scheduler.next("x", now, now), Ok(Next::FullSpeed), "its pace is not to rest");
    pause(&mut scheduler, "other", true);
    assert!(scheduler.rest("other", now));
    assert!(scheduler.start_next().is_some());
    assert_eq!((phase(&scheduler, "x"), phase(&scheduler, "other")), ("running", "resting"));
    check(&scheduler);
}

#[test]
fn a_job_that_is_stopped_at_rest_ends_without_a_place() {
    let now = Instant::now();
    let mut scheduler = in_phase("resting", now);
    submit(&mut scheduler, "other", now).unwrap();
    assert!(scheduler.start_next().is_some());
    assert_eq!(scheduler.stop("x"), Stop::Asked);
    assert!(!scheduler.sleeps("x"), "its thread wakes up");
    assert_eq!(scheduler.next("x", now, now), Ok(Next::Stop));
    assert_eq!(scheduler.running(), 1);
    assert_eq!(scheduler.finish("x"), Some(false));
    assert_eq!(scheduler.running(), 1, "it had none to free");
}

#[test]
fn work_that_returns_or_panics_frees_its_place_for_the_next() {
    let now = Instant::now();
    for from in ["running", "stopping"] {
        let mut scheduler = in_phase(from, now);
        submit(&mut scheduler, "next", now).unwrap();
        assert!(scheduler.start_next().is_none(), "{from}");
        assert_eq!(scheduler.finish("x"), Some(false));
        assert!(scheduler.start_next().is_some(), "{from}");
    }
}

#[test]
fn an_unwatched_job_is_abandoned_after_some_minutes_unless_it_is_pinned() {
    let begun = Instant::now();
    let at = |seconds| begun + Duration::from_secs(seconds);
    let mut scheduler = in_phase("running", begun);
    assert!(scheduler.abandoned(at(10)).is_empty());
    assert_eq!(scheduler.abandoned(at(11)), ["x"], "no viewer has come");
    scheduler.add_viewer("x");
    assert!(scheduler.abandoned(at(100_000)).is_empty(), "it is watched");
    scheduler.remove_viewer("x", at(1000));
    assert!(scheduler.abandoned(at(1180)).is_empty());
    assert_eq!(scheduler.abandoned(at(1181)), ["x"], "the last viewer left three minutes ago");
    scheduler.pin("x", true);
    assert!(scheduler.abandoned(at(100_000)).is_empty(), "it is pinned");
    scheduler.pin("x", false);
    scheduler.stop("x");
    assert!(scheduler.abandoned(at(100_000)).is_empty(), "it is stopping already");
}

#[test]
fn a_search_rests_when_its_last_viewer_leaves_and_returns_with_the_next() {
    let now = Instant::now();
    let mut scheduler = in_phase("running", now);
    assert!(!scheduler.rest("x", now), "it had no viewer yet, so it does not rest");
    scheduler.add_viewer("x");
    scheduler.add_viewer("x");
    scheduler.remove_viewer("x", now);
    assert!(!scheduler.rest("x", now), "the other client still watches");
    scheduler.remove_viewer("x", now);
    assert_eq!(scheduler.next("x", now, now), Ok(Next::Rest));
    assert!(scheduler.rest("x", now));
    assert!(scheduler.add_viewer("x"));
    assert_eq!(phase(&scheduler, "x"), "requeued");
    check(&scheduler);
}

#[test]
fn a_pinned_search_continues_without_viewers_even_from_a_tour() {
    let now = Instant::now();
    let mut scheduler = in_phase("running", now);
    scheduler.add_viewer("x");
    scheduler.pin("x", true);
    scheduler.change_pace("x", |pace| pace.pause_at_tours = true);
    scheduler.change_pace("x", Pace::tour_found);
    assert!(scheduler.rest("x", now));
    assert!(scheduler.remove_viewer("x", now), "the rest ends as the viewer leaves");
    assert!(scheduler.start_next().is_some());
    assert!(!scheduler.rest("x", now), "and it does not rest without viewers");
    pause(&mut scheduler, "x", true);
    assert!(scheduler.rest("x", now), "a viewer can still pause it");
    assert!(!scheduler.pin("x", false) && !scheduler.pin("x", true));
    assert_eq!(phase(&scheduler, "x"), "resting");
}

#[test]
fn two_clients_share_the_places_and_a_third_is_refused() {
    let now = Instant::now();
    let mut scheduler = in_phase("running", now);
    submit(&mut scheduler, "second", now).unwrap();
    submit(&mut scheduler, "third", now).unwrap();
    let refused = submit(&mut scheduler, "fourth", now);
    assert_eq!(refused, Err(Refused::Full { running: 1, queued: 2 }));
    pause(&mut scheduler, "x", true);
    assert!(scheduler.rest("x", now));
    assert!(scheduler.start_next().is_some());
    assert!(pause(&mut scheduler, "x", false));
    assert_eq!(scheduler.queue, ["third", "x"], "a job that returns waits behind the others");
    assert!(submit(&mut scheduler, "fourth", now).is_ok(), "returning jobs do not count as queued");
    assert_eq!(scheduler.close(), ["fourth", "third"], "jobs that had not begun");
    assert_eq!(submit(&mut scheduler, "fifth", now), Err(Refused::Closed));
    assert_eq!((phase(&scheduler, "x"), scheduler.queue.len()), ("stopping without a place", 0));
    scheduler.finish("second");
    assert!(scheduler.start_next().is_none());
}

#[test]
fn too_many_resting_jobs_displace_unwatched_ones_first() {
    let begun = Instant::now();
    let mut scheduler = Scheduler::new(Limits { waiting: 9, ..limits() });
    let rest = |scheduler: &mut TestScheduler, id: &str, seconds, viewers, pinned| {
        submit(scheduler, id, begun).unwrap();
        scheduler.start_next().unwrap();
        (0..viewers).for_each(|_| _ = scheduler.add_viewer(id));
        scheduler.pin(id, pinned);
        pause(scheduler, id, true);
        assert!(scheduler.rest(id, begun + Duration::from_secs(seconds)));
        check(scheduler);
    };
    rest(&mut scheduler, "watched", 1, 1, false);
    rest(&mut scheduler, "unwatched", 2, 0, false);
    rest(&mut scheduler, "pinned", 3, 0, true);
    assert_eq!(phase(&scheduler, "unwatched"), "stopping without a place");
    assert_eq!(scheduler.finish("unwatched"), Some(true), "it was displaced");
    rest(&mut scheduler, "later", 4, 1, false);
    assert_eq!(phase(&scheduler, "pinned"), "stopping without a place");
    rest(&mut scheduler, "latest", 5, 1, false);
    assert_eq!(scheduler.finish("watched"), Some(true), "it has rested longest");
    assert_eq!((phase(&scheduler, "later"), phase(&scheduler, "latest")), ("resting", "resting"));
    assert_eq!(scheduler.stop("pinned"), Stop::Ignored);
    assert_eq!(scheduler.finish("pinned"), Some(true), "a later stop does not change the cause");
}

#[test]
fn a_job_that_its_viewers_have_left_gives_its_place_to_one_that_waits() {
    let begun = Instant::now();
    let grace = limits().grace;
    let at = |graces: u32| begun + graces * grace;
    let mut scheduler = in_phase("running", begun);
    scheduler.add_viewer("x");
    submit(&mut scheduler, "y", begun).unwrap();
    scheduler.make_room(at(9));
    assert_eq!(phase(&scheduler, "x"), "running", "it is watched");
    scheduler.remove_viewer("x", at(9));
    scheduler.make_room(at(10));
    assert_eq!(phase(&scheduler, "x"), "running", "the page may be refreshing");
    scheduler.pin("x", true);
    scheduler.make_room(at(12));
    assert_eq!(phase(&scheduler, "x"), "running", "it is pinned");
    scheduler.pin("x", false);
    scheduler.make_room(at(12));
    assert_eq!(phase(&scheduler, "x"), "stopping");
    assert_eq!(scheduler.finish("x"), Some(true), "it was displaced");
    let mut alone = in_phase("running", begun);
    alone.add_viewer("x");
    alone.remove_viewer("x", begun);
    alone.make_room(at(12));
    assert_eq!(phase(&alone, "x"), "running", "no job waits");
}

#[test]
fn results_are_kept_for_viewers_up_to_a_limit_and_a_time() {
    let begun = Instant::now();
    let mut scheduler = Scheduler::new(limits());
    for (seconds, id) in ["a", "b", "c", "d"].into_iter().enumerate() {
        submit(&mut scheduler, id, begun + Duration::from_secs(seconds as u64)).unwrap();
        scheduler.start_next().unwrap();
        scheduler.finish(id);
    }
    scheduler.add_viewer("a");
    scheduler.forget_finished(begun);
    let known = |s: &TestScheduler| s.jobs.keys().cloned().collect::<String>();
    assert_eq!(known(&scheduler), "acd", "the watched one, and the two latest of the others");
    scheduler.pin("c", true);
    scheduler.forget_finished(begun + Duration::from_secs(60));
    assert_eq!(known(&scheduler), "ac", "the pinned one stays");
}

#[test]
fn signals_reach_the_thread_of_a_job_without_the_lock() {
    let now = Instant::now();
    let signals = Arc::new(Signals::default());
    let mut scheduler: TestScheduler = Scheduler::new(limits());
    scheduler.submit("x", (Pace::default(), false), Arc::clone(&signals), (), now).unwrap();
    scheduler.start_next().unwrap();
    pause(&mut scheduler, "x", true);
    assert!(signals.pace_changed.load(Relaxed) && !signals.interrupt.load(Relaxed));
    assert_eq!(scheduler.next("x", now, now), Ok(Next::Rest));
    assert!(!signals.pace_changed.load(Relaxed), "the change was seen");
    scheduler.stop("x");
    assert!(signals.pace_changed.load(Relaxed) && signals.interrupt.load(Relaxed));
    assert_eq!(scheduler.next("x", now, now), Ok(Next::Stop));
}

#[test]
fn random_events_keep_the_invariants() {
    let mut now = Instant::now();
    let mut scheduler = Scheduler::new(Limits { running: 2, waiting: 3, ..limits() });
    let mut state: u64 = 1;
    let mut random = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let (mut done, mut rests) = (0, 0);
    for event in 0..50_000 {
        now += Duration::from_millis(random(2000));
        let known = scheduler.jobs.len().max(1) as u64;
        let id = scheduler.jobs.keys().nth(random(known) as usize).cloned().unwrap_or_default();
        let before = phase(&scheduler, &id);
        match random(14) {
            0 | 1 => _ = submit(&mut scheduler, &format!("job {event}"), now),
            2 | 3 => _ = scheduler.start_next(),
            4 | 5 => rests += u64::from(scheduler.rest(&id, now)),
            6 => _ = pause(&mut scheduler, &id, true),
            7 => _ = pause(&mut scheduler, &id, false),
            8 => _ = scheduler.add_viewer(&id),
            9 => _ = scheduler.remove_viewer(&id, now),
            10 => _ = scheduler.pin(&id, random(2) == 0),
            11 if random(4) == 0 => _ = scheduler.stop(&id),
            12 => done += u64::from(scheduler.finish(&id).is_some()),
            13 => scheduler.forget_finished(now),
            _ => {}
        }
        check(&scheduler);
        let after = phase(&scheduler, &id);
        assert!(before != "done" || ["done", "removed"].contains(&after), "{event}: {after}");
    }
    assert!(done > 100 && rests > 50, "{done} jobs were done, {rests} rests");
}
