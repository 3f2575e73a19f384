//! Tests of jobs that use the whole server: step-by-step searches, galleries, races, and images that are read
//! back.

mod lab;

use hippodrome_web::limits::Limits;
use lab::{Lab, until};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn watch(solver: &str, more: Value) -> Value {
    let mut body = json!({ "kind": "watch", "ground": { "board": "6x6" }, "method": { "solver": solver }, "seed": 3 });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn change_pace(lab: &Lab, id: &str, what: Value) {
    let answer = lab.post(&format!("/api/jobs/{id}/pace"), &what);
    assert_eq!(answer.status, 204, "{answer:?}");
}

#[test]
fn a_paused_search_goes_step_by_step() {
    let lab = Lab::new(Limits::default());
    let id = lab.job(&watch("backtrack", json!({ "paused": true })));
    let mut events = lab.watch(&id);
    let first = events.until("frame", |_| true);
    assert_eq!((first["n"].as_u64(), first["path"].as_array().unwrap().len()), (Some(1), 1));
    events.until("state", |state| state["paused"] == true);
    for n in 2..6 {
        change_pace(&lab, &id, json!({ "step": 1 }));
        let frame = events.until("frame", |_| true);
        assert_eq!(frame["n"], n);
        let path = frame["path"].as_array().unwrap();
        assert_eq!(path.len(), n, "there is no dead end yet");
        let text = frame["text"].as_str().unwrap();
        assert!(text.starts_with(&format!("move {}: ", n - 1)), "{text}");
        assert_eq!(frame["untried"].as_array().unwrap().len(), path.len());
    }
    change_pace(&lab, &id, json!({ "step": 100 }));
    assert_eq!(events.until("frame", |_| true)["n"], 105);
    change_pace(&lab, &id, json!({ "speed": 2000.0 }));
    change_pace(&lab, &id, json!({ "pause": false }));
    let begun = Instant::now();
    let frame = events.until("frame", |frame| frame["n"].as_u64() > Some(900));
    assert!(begun.elapsed() > Duration::from_millis(300), "{frame}");
    change_pace(&lab, &id, json!({ "speed": null }));
    events.until("frame", |frame| frame["n"].as_u64() > Some(100_000));
    let ended = lab.ask("DELETE", &format!("/api/jobs/{id}"), &lab.own(), b"");
    assert_eq!(ended.status, 204);
    assert_eq!(events.until("state", |state| state["state"] == "done")["status"], "interrupted");
    assert!(events.next().is_none(), "the stream ends with the job");
}

#[test]
fn methods_publish_their_memory() {
    let lab = Lab::new(Limits::default());
    for (solver, key) in [("mace", "laid"), ("neural", "moves"), ("ga-repair", "fitness")] {
        let id = lab.job(&watch(solver, json!({})));
        let mut events = lab.watch(&id);
        let context = events.until("context", |context| !context[key].is_null());
        assert!(context["round"].as_u64() > Some(0), "{solver}");
        let frame = events.until("frame", |frame| frame["attempts"].as_u64() > Some(0));
        assert!(frame["moves"].as_u64() > Some(0), "{solver}");
        lab.ask("DELETE", &format!("/api/jobs/{id}"), &lab.own(), b"");
    }
}

#[test]
fn a_search_pauses_at_tours_and_describes_them() {
    let lab = Lab::new(Limits::default());
    let id = lab.job(&watch("warnsdorff", json!({ "rest_at_tours": true })));
    let mut events = lab.watch(&id);
    let tour = events.until("tour", |_| true);
    assert_eq!(tour["squares"].as_array().unwrap().len(), 36);
    assert!(tour["crossings"].as_u64() > Some(10) && tour["turns"].as_u64() > Some(10), "{tour}");
    assert_eq!(tour["number"], 1);
    let frame = events.until("frame", |frame| frame["path"].as_array().unwrap().len() == 36);
    assert!(frame["attempts"].as_u64() > Some(0) && frame["moves"].as_u64() > Some(30), "{frame}");
    assert!(frame["text"].as_str().unwrap().starts_with("found: a tour from "), "{frame}");
    let kinds = frame["events"].as_array().unwrap();
    assert_eq!(kinds.last().unwrap()["kind"], "tour", "{frame}");
    let rests = events.until("state", |state| state["paused"] == true);
    assert_eq!(rests["found"], true, "a tour paused it");
    change_pace(&lab, &id, json!({ "pause": false }));
    assert_eq!(events.until("tour", |_| true)["number"], 2);
    let body = json!({ "ground": { "board": "6x6" }, "tour": tour["digits"] });
    let read = lab.post("/api/tour", &body).json();
    assert_eq!(read["squares"], tour["squares"]);
}

#[test]
fn a_search_can_begin_at_a_step() {
    let lab = Lab::new(Limits::default());
    let one = lab.job(&watch("warnsdorff", json!({ "paused": true })));
    let mut events = lab.watch(&one);
    events.until("state", |state| state["paused"] == true);
    for _ in 1..20 {
        change_pace(&lab, &one, json!({ "step": 1 }));
    }
    let walked = events.until("frame", |frame| frame["n"] == 20);
    let other = lab.job(&watch("warnsdorff", json!({ "step": 20, "speed": 1.0 })));
    let mut events = lab.watch(&other);
    let jumped = events.until("frame", |_| true);
    for key in ["n", "path", "text", "events", "moves"] {
        assert_eq!(jumped[key], walked[key], "{key}");
    }
    let choice = &jumped["events"][0];
    assert_eq!((&choice["kind"], &choice["of"]["step"]), (&json!("choice"), &json!(19)));
    assert_eq!(choice["of"]["chosen"], jumped["path"][19]);
    let state = events.until("state", |state| state["paused"] == true);
    assert_eq!(state["found"], false);
    change_pace(&lab, &other, json!({ "step": 1 }));
    let next = events.until("frame", |_| true);
    assert_eq!(next["n"], 21);
    assert!(next["seconds"].as_f64() < Some(5.0), "pauses are not counted: {next}");
}

#[test]
fn the_latest_message_shows_the_whole_state() {
    let lab = Lab::new(Limits::default());
    let keys = [
        ("exact", &["edges"][..]),
        ("best-first", &["queue"]),
        ("ga-repair", &["members", "curve", "whole"]),
        ("mace", &["curve", "whole"]),
        ("cuts", &["moves", "cycles"]),
        ("neural-join", &["moves", "cycles"]),
    ];
    for (solver, keys) in keys {
        let id = lab.job(&watch(solver, json!({ "step": 2000 })));
        let mut events = lab.watch(&id);
        let context = events.until("context", |_| true);
        for key in keys {
            assert!(!context[key].is_null(), "{solver}: {key} in {context}");
        }
        lab.ask("DELETE", &format!("/api/jobs/{id}"), &lab.own(), b"");
    }
}

#[test]
fn a_finished_job_reports_its_status() {
    let lab = Lab::new(Limits::default());
    let mut body = watch("exact", json!({ "spending": { "tours": "5" } }));
    body["ground"] = json!({ "board": "5x5" });
    let mut events = lab.watch(&lab.job(&body));
    let done = events.until("state", |state| state["state"] == "done");
    assert_eq!((done["status"].as_str(), done["distinct"].as_u64()), (Some("limit"), Some(5)));
    body["ground"] = json!({ "board": "3x4", "holes": ["b2"] });
    let answer = lab.post("/api/jobs", &body);
    if answer.status == 201 {
        let mut events = lab.watch(answer.json()["id"].as_str().unwrap());
        let done = events.until("state", |state| state["state"] == "done");
        assert_eq!(
            (done["status"].as_str(), done["distinct"].as_u64()),
            (Some("complete"), Some(0))
        );
    }
    body["ground"] = json!({ "board": "30x30" });
    body["method"] = json!({ "solver": "uniform" });
    let mut events = lab.watch(&lab.job(&body));
    let failed = events.until("state", |state| state["state"] == "failed");
    assert!(failed["reason"].as_str().unwrap().contains("uniform"), "{failed}");
}

#[test]
fn an_impossible_board_is_reported_before_any_search() {
    let lab = Lab::new(Limits::default());
    let ground = json!({ "board": "5x5", "closed": true });
    for kind in ["watch", "sample"] {
        let mut body = json!({ "kind": kind, "ground": ground });
        match kind {
            "watch" => body["method"] = json!({ "solver": "mace" }),
            _ => body["tours"] = json!(12),
        }
        let answer = lab.post("/api/jobs", &body);
        assert_eq!(answer.status, 200, "{answer:?}");
        let finding = &answer.json()["impossible"];
        assert!(finding["theorem"].as_str().is_some() && finding["reason"].as_str().is_some());
    }
    let facts = lab.post("/api/board", &ground).json();
    assert!(facts["impossible"]["reason"].as_str().unwrap().contains("5x5"), "{facts}");
    assert_eq!(facts["squares"], 25);
    assert_eq!(facts["counts"], json!({ "open": "1728" }));
    assert_eq!(facts["counts_source"], "open: OEIS A165134");
    let facts = lab.post("/api/board", &json!({ "board": "8x8" })).json();
    assert_eq!(facts["counts"]["closed"], "26534728821064");
    let facts = lab.post("/api/board", &json!({ "board": "8x8", "holes": ["a1"] })).json();
    assert!(facts["counts"].is_null() && facts["counts_source"].is_null(), "{facts}");
    let found = lab.post("/api/find", &json!({ "ground": ground })).json();
    assert!(found["impossible"].is_object());
}

#[test]
fn a_gallery_contains_the_requested_tours() {
    let lab = Lab::new(Limits::default());
    let gallery = |ground: Value, keep: Value| {
        let body =
            json!({ "kind": "sample", "ground": ground, "tours": 12, "keep": keep, "seed": 5 });
        let mut events = lab.watch(&lab.job(&body));
        let frame = events.until("frame", |frame| frame["tours"].as_array().unwrap().len() == 12);
        let done = events.until("state", |state| state["state"] == "done");
        assert_eq!(done["status"], "complete");
        frame["tours"].as_array().unwrap().clone()
    };
    let closed = gallery(json!({ "board": "6x6", "closed": true }), Value::Null);
    assert!(closed.iter().all(|tour| tour["closed"] == true));
    assert_eq!(
        closed,
        gallery(json!({ "board": "6x6", "closed": true }), Value::Null),
        "the same seed draws the same tours"
    );
    let symmetric = gallery(json!({ "board": "6x6", "closed": true }), json!("symmetric"));
    assert!(symmetric.iter().all(|tour| tour["symmetry"] != "none"));
}

#[test]
fn images_are_drawn_and_read_back() {
    let lab = Lab::new(Limits::default());
    let ground = json!({ "board": "6x6", "holes": ["a1", "b1"] });
    let found = lab.post("/api/find", &json!({ "ground": ground, "seed": 4 })).json();
    let squares = found["tour"]["squares"].as_array().unwrap();
    let name = |square: &Value| {
        let square = square.as_u64().unwrap();
        format!("{}{}", char::from(b'a' + (square % 6) as u8), square / 6 + 1)
    };
    let names: Vec<String> = squares.iter().map(name).collect();
    let draw = |form: &str| {
        let body = json!({ "ground": ground, "tour": names.join(" "), "form": form, "look": { "numbers": true } });
        let answer = lab.post("/api/draw", &body);
        assert_eq!(answer.status, 200, "{form}: {answer:?}");
        answer
    };
    let starts = [
        ("png", &b"\x89PNG"[..]),
        ("gif", b"GIF89a"),
        ("svg", b"<svg"),
        ("json", b"{"),
        ("tsplib", b"NAME"),
    ];
    for (form, start) in starts {
        let body = draw(form).body;
        let text = String::from_utf8_lossy(&body[..body.len().min(200)]).into_owned();
        assert!(body.starts_with(start) || text.contains("<svg"), "{form}: {text}");
    }
    for form in ["svg", "grid", "moves", "digits", "json"] {
        let text = String::from_utf8(draw(form).body).unwrap();
        let read = lab.post("/api/tour", &json!({ "ground": ground, "tour": text })).json();
        assert_eq!(read["squares"].as_array(), Some(squares), "{form}");
    }
    let image = json!({ "ground": { "board": "100x90" }, "image": { "size": 300 } });
    let large = lab.post("/api/find", &image);
    assert!(large.body.starts_with(b"\x89PNG"), "{:?}", large.head);
}

#[test]
fn a_resting_search_does_not_block_others() {
    let lab = Lab::new(Limits { running: 1, ..Limits::default() });
    let id = lab.job(&watch("warnsdorff", json!({ "rest_at_tours": true })));
    let mut events = lab.watch(&id);
    events.until("state", |state| state["paused"] == true);
    let gallery = json!({ "kind": "sample", "ground": { "board": "5x6" }, "tours": 4 });
    let mut other = lab.watch(&lab.job(&gallery));
    assert_eq!(other.until("state", |state| state["state"] == "done")["status"], "complete");
    change_pace(&lab, &id, json!({ "rest": false }));
    change_pace(&lab, &id, json!({ "pause": false }));
    events.until("tour", |tour| tour["number"].as_u64() > Some(20));
}

#[test]
fn a_search_without_viewers_rests_until_one_returns() {
    let lab = Lab::new(Limits { grace: Duration::from_millis(50), ..Limits::default() });
    let id = lab.job(&watch("ants-random", json!({})));
    let mut events = lab.watch(&id);
    events.until("frame", |frame| frame["n"].as_u64() > Some(1000));
    drop(events);
    until("it rests", || lab.load()["jobs"][0]["resting"] == true);
    assert_eq!(lab.load()["running"], 0);
    let mut events = lab.watch(&id);
    let first = events.until("frame", |_| true)["n"].as_u64();
    events.until("frame", |frame| frame["n"].as_u64() > first);
}

#[test]
fn searches_and_races_survive_a_refresh_of_the_page() {
    let lab = Lab::new(Limits { grace: Duration::from_millis(50), ..Limits::default() });
    let race = json!({
        "kind": "race", "ground": { "board": "6x6" }, "runs": 1, "seed": 1,
        "entrants": [{ "solver": "mace" }], "spending": { "attempts": "1G" },
    });
    for body in [watch("ants-random", json!({})), race] {
        let id = lab.job(&body);
        let mut events = lab.watch(&id);
        events.until("frame", |_| true);
        drop(events);
        std::thread::sleep(Duration::from_millis(300));
        let mut events = lab.watch(&id);
        events.until("about", |about| about["kind"] == body["kind"]);
        events.until("frame", |_| true);
        lab.ask("DELETE", &format!("/api/jobs/{id}"), &lab.own(), b"");
    }
}

#[test]
fn a_search_that_ends_unwatched_shows_its_last_frame_and_its_board() {
    let lab = Lab::new(Limits::default());
    let mut body = watch(
        "exact",
        json!({ "spending": { "tours": "5" }, "pinned": true, "rest_at_tours": true }),
    );
    body["ground"] = json!({ "board": "5x5", "holes": [] });
    let id = lab.job(&body);
    until("it is over", || lab.load()["jobs"][0]["over"] == true);
    let mut events = lab.watch(&id);
    let about = events.until("about", |_| true);
    assert_eq!((&about["ground"]["board"], &about["methods"]), (&json!("5x5"), &json!(["exact"])));
    let frame = events.until("frame", |_| true);
    assert_eq!((&frame["distinct"], frame["path"].as_array().unwrap().len()), (&json!(5), 25));
}

#[test]
fn methods_race_side_by_side() {
    let lab = Lab::new(Limits::default());
    let method = |name: &str| json!({ "solver": name });
    let body = json!({
        "kind": "race", "ground": { "board": "6x6" }, "runs": 1, "seed": 1,
        "entrants": [method("mace"), method("ants-random"), method("backtrack")],
        "spending": { "attempts": "1G" },
    });
    let mut events = lab.watch(&lab.job(&body));
    let frame = events.until("frame", |frame| {
        let all = frame["standings"].as_array().unwrap();
        all.iter().filter(|entrant| entrant["attempts"].as_u64() > Some(0)).count() >= 2
    });
    assert!(frame["standings"].as_array().unwrap().iter().all(|entrant| entrant["done"] == 0));
}

#[test]
fn a_race_shows_the_beginning_of_the_first_runs() {
    let lab = Lab::new(Limits::default());
    let method = |name: &str| json!({ "solver": name });
    let begun = Instant::now();
    let mut body = json!({
        "kind": "race", "ground": { "board": "6x6" }, "runs": 1, "seed": 4,
        "entrants": [method("mace"), method("warnsdorff"), method("backtrack")],
        "spending": { "attempts": "200" },
    });
    let mut events = lab.watch(&lab.job(&body));
    let traces = events.until("context", |_| true)["traces"].clone();
    let frame = events.until("frame", |frame| frame["standings"][0]["done"] == 1);
    for (trace, standing) in
        traces.as_array().unwrap().iter().zip(frame["standings"].as_array().unwrap())
    {
        assert_eq!((&trace["name"], &trace["clock"]), (&standing["name"], &json!("attempts")));
        assert_eq!(trace["whole"], true, "{}", trace["name"]);
        let states = trace["states"].as_array().unwrap();
        assert!((3..=120).contains(&states.len()), "{}", states.len());
        let last = states.last().unwrap();
        // It is the same run, so it finds the same tours.
        assert_eq!(last["distinct"], standing["distinct"], "{}", trace["name"]);
        let ats: Vec<_> = states.iter().map(|state| state["moves"].as_u64().unwrap()).collect();
        assert!(ats.is_sorted(), "{ats:?}");
    }
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());

    body["spending"] = json!({ "tours": "1" });
    let mut events = lab.watch(&lab.job(&body));
    let traces = events.until("context", |_| true)["traces"].clone();
    assert_eq!(traces[1]["clock"], "moves");
    let last = traces[1]["states"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["path"].as_array().unwrap().len(), 36, "warnsdorff finds a tour at once");
    assert_eq!(last["distinct"], 1);
    let done = events.until("state", |state| state["state"] == "done");
    assert_eq!(done["status"], "complete");
}

#[test]
fn a_race_to_a_tour_ends_though_a_method_finds_none() {
    let lab = Lab::new(Limits { drawing: Duration::from_millis(400), ..Limits::default() });
    let body = json!({
        "kind": "race", "ground": { "board": "30x30", "closed": true }, "runs": 1,
        "entrants": [{ "solver": "ants-random" }], "spending": { "tours": "1" },
    });
    let begun = Instant::now();
    let mut events = lab.watch(&lab.job(&body));
    let trace = events.until("context", |_| true)["traces"][0].clone();
    let last = trace["states"].as_array().unwrap().last().unwrap().clone();
    assert!(last["at"].as_u64() > Some(0) && last["distinct"] == 0, "{last}");
    let done = events.until("state", |state| state["state"] == "done");
    assert_eq!(done["status"], "complete");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn an_unwatched_job_ends_unless_it_is_pinned() {
    let brief = Duration::from_millis(300);
    let lab = Lab::new(Limits { running: 2, grace: brief, absence: brief, ..Limits::default() });
    let (one, pinned) =
        (lab.job(&watch("ants-random", json!({}))), lab.job(&watch("ants-random", json!({}))));
    change_pace(&lab, &pinned, json!({ "pin": true }));
    let mut events = lab.watch(&one);
    events.until("frame", |_| true);
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(lab.load()["running"], 2, "one is watched, the other pinned");
    drop(events);
    until("the one ends", || {
        let load = lab.load();
        load["running"] == 1 && load["jobs"].as_array().unwrap().len() == 1
    });
    let mut events = lab.watch(&pinned);
    let first = events.until("frame", |_| true)["n"].as_u64();
    assert!(events.until("frame", |_| true)["n"].as_u64() > first);
}

#[test]
fn shutdown_ends_running_jobs_and_open_streams() {
    let lab = Lab::new(Limits::default());
    let id = lab.job(&watch("ants-random", json!({})));
    let (mut one, _stalled) = (lab.watch(&id), lab.stall(&id));
    one.until("frame", |_| true);
    assert!(lab.end() < Duration::from_secs(10));
}
