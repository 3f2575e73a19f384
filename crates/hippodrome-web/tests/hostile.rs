//! Tests of requests that the page never sends: each one gets the right status and has no effect.

mod lab;

use hippodrome_web::limits::Limits;
use lab::{Lab, until};
use serde_json::{Value, json};
use std::io::{ErrorKind, Read, Write};
use std::time::Duration;

/// Returns a request for a search that never ends by itself.
fn endless() -> Value {
    json!({ "kind": "watch", "ground": { "board": "8x8" }, "method": { "solver": "ants-random" }, "seed": 1 })
}

#[test]
fn wrong_hosts_and_origins_are_refused() {
    let lab = Lab::new(Limits::default());
    let own = lab.address.to_string();
    let port = lab.address.port();
    let page = |host: &str, more: &str| {
        lab.ask("GET", "/", &format!("host: {host}\r\n{more}"), b"").status
    };
    assert_eq!(page(&own, ""), 200);
    assert_eq!(page(&format!("localhost:{port}"), ""), 200);
    for host in ["evil.example", "evil.example:80", "127.0.0.1", "169.254.169.254:80"] {
        assert_eq!(page(host, ""), 403, "{host}");
    }
    assert_eq!(page(&format!("rebound.example:{port}"), ""), 403);
    assert_eq!(lab.ask("GET", "/", "", b"").status, 403, "no host at all");
    assert_eq!(page(&own, "host: evil.example\r\n"), 403, "two hosts");
    assert_eq!(
        lab.ask("GET", &format!("http://{own}/"), &format!("host: {own}\r\n"), b"").status,
        403
    );
    for origin in ["http://evil.example", "null", "https://127.0.0.1", &format!("https://{own}")] {
        assert_eq!(page(&own, &format!("origin: {origin}\r\n")), 403, "{origin}");
        let headers =
            lab.own().replace(&format!("origin: http://{own}"), &format!("origin: {origin}"));
        let posted = lab.ask("POST", "/api/jobs", &headers, endless().to_string().as_bytes());
        assert_eq!(posted.status, 403, "{origin}");
    }
    let foreign = format!("{}sec-fetch-site: cross-site\r\n", lab.own());
    for path in ["/api/solvers", "/api/pulse", "/api/historic"] {
        assert_eq!(lab.ask("GET", path, &foreign, b"").status, 403, "{path}");
        assert_eq!(lab.ask("GET", path, "host: evil.example\r\n", b"").status, 403, "{path}");
    }
    assert_eq!(lab.ask("GET", "/", &foreign, b"").status, 200, "a link may lead to the page");
    assert_eq!(lab.load()["jobs"], json!([]), "no job was started");
}

#[test]
fn state_changing_requests_need_the_token() {
    let lab = Lab::new(Limits::default());
    for token in
        ["", "x-hippodrome-token: \r\n", "x-hippodrome-token: 0123456789abcdef0123456789abcdef\r\n"]
    {
        let headers = format!("host: {}\r\ncontent-type: application/json\r\n{token}", lab.address);
        for (method, path) in [
            ("POST", "/api/jobs"),
            ("POST", "/api/board"),
            ("POST", "/api/sheet"),
            ("DELETE", "/api/jobs/x"),
            ("GET", "/api/jobs"),
            ("PUT", "/"),
        ] {
            assert_eq!(
                lab.ask(method, path, &headers, b"{}").status,
                403,
                "{method} {path} {token}"
            );
        }
    }
}

#[test]
fn every_answer_forbids_foreign_scripts() {
    let lab = Lab::new(Limits::default());
    for path in ["/", "/page/main.js", "/api/solvers", "/nothing", "/api/jobs"] {
        let head = lab.get(path).head.to_lowercase();
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
            "cache-control:",
        ] {
            assert!(head.contains(header), "{path} lacks {header}:\n{head}");
        }
        assert!(!head.contains("unsafe-inline") && !head.contains("access-control-allow"));
    }
}

#[test]
fn only_the_files_of_the_page_are_served() {
    let lab = Lab::new(Limits::default());
    assert_eq!(lab.get("/page/main.js").status, 200);
    for path in [
        "/page/../Cargo.toml",
        "/page/..%2fCargo.toml",
        "/page/%2e%2e/%2e%2e/Cargo.toml",
        "/page/....//Cargo.toml",
        "/page//etc/passwd",
        "/page/%2fetc%2fpasswd",
        "/page/main.js%00.css",
        "/page/main.js/",
        "/page/",
        "/page/index.html",
        "/../../etc/passwd",
        "/etc/passwd",
        "/.git/config",
        "/api/jobs/../../etc/passwd",
        "/api/jobs/%2e%2e/events",
    ] {
        let answer = lab.get(path);
        assert!([400, 404, 405].contains(&answer.status), "{path}: {answer:?}");
    }
}

#[test]
fn bodies_and_boards_are_limited() {
    let lab = Lab::new(Limits::default());
    let huge = vec![b' '; (256 << 10) + 1];
    for path in ["/api/jobs", "/api/board", "/api/draw", "/api/sheet", "/api/tour", "/api/find"] {
        assert_eq!(lab.ask("POST", path, &lab.own(), &huge).status, 413, "{path}");
    }
    // A request whose declared length is too large is refused before the body is sent.
    let claim =
        format!("POST /api/jobs HTTP/1.1\r\n{}content-length: 99999999999\r\n\r\n", lab.own());
    assert_eq!(lab.raw(claim.as_bytes()).status, 413);
    // Chunks without a declared length are refused too.
    let mut chunked =
        format!("POST /api/jobs HTTP/1.1\r\n{}transfer-encoding: chunked\r\n\r\n", lab.own())
            .into_bytes();
    for _ in 0..40 {
        chunked.extend_from_slice(b"2000\r\n");
        chunked.extend(std::iter::repeat_n(b' ', 0x2000));
        chunked.extend_from_slice(b"\r\n");
    }
    assert_eq!(lab.raw(&chunked).status, 413);
    let watch = |board: &str| {
        let mut body = endless();
        body["ground"]["board"] = json!(board);
        lab.post("/api/jobs", &body).status
    };
    assert_eq!(
        (watch("129x60"), watch("60000x60000"), watch("99999999999999999999x9")),
        (413, 413, 413)
    );
    assert_eq!((watch("0x8"), watch("8"), watch("8x-8"), watch("8x8x8")), (422, 422, 422, 422));
    let image = |board: &str| {
        let body = json!({ "ground": { "board": board }, "image": {} });
        lab.post("/api/find", &body).status
    };
    assert_eq!((image("2001x3"), image("70x70")), (413, 200));
    for kind in ["race", "sample"] {
        let mut body = json!({ "kind": kind, "ground": { "board": "61x60" } });
        match kind {
            "sample" => body["tours"] = json!(1),
            _ => {
                body["entrants"] = json!([{ "solver": "warnsdorff" }]);
                body["spending"] = json!({ "attempts": "1" });
                body["runs"] = json!(1);
            }
        }
        let answer = lab.post("/api/jobs", &body);
        assert!(answer.status == 413 && answer.error().contains("60 squares"), "{answer:?}");
    }
    let gallery = json!({ "kind": "sample", "ground": { "board": "5x5" }, "tours": 1_000_000 });
    assert_eq!(lab.post("/api/jobs", &gallery).status, 413);
}

#[test]
fn malformed_requests_are_refused_with_a_sentence() {
    let lab = Lab::new(Limits::default());
    let deep = "[".repeat(100_000);
    for body in [
        "",
        "{",
        "null",
        "[]",
        "{}",
        "{\"kind\":\"watch\"}",
        "{\"kind\":\"dance\"}",
        "\u{0}\u{1}",
        "{\"kind\":1e999}",
        &deep,
    ] {
        let answer = lab.ask("POST", "/api/jobs", &lab.own(), body.as_bytes());
        assert_eq!(answer.status, 400, "{}", &body[..body.len().min(40)]);
        assert!(answer.error().contains("invalid request"), "{answer:?}");
    }
    let invalid = [b"{\"kind\":\"".as_slice(), &[0xff, 0xfe], b"\"}"].concat();
    assert_eq!(lab.ask("POST", "/api/jobs", &lab.own(), &invalid).status, 400);
    let plain = lab.own().replace("application/json", "text/plain");
    assert_eq!(lab.ask("POST", "/api/jobs", &plain, b"{}").status, 415, "a form of another site");
    for (field, value) in [
        ("solver", json!("dijkstra")),
        ("params", json!({ "ties": "none" })),
        ("params", json!({ "x": "1" })),
    ] {
        let mut body = endless();
        body["method"] = json!({ "solver": "warnsdorff" });
        body["method"][field] = value;
        assert_eq!(lab.post("/api/jobs", &body).status, 422, "{body}");
    }
    for tour in ["", "a1 a2", "z99", "e4 999", "💥", "{}", "<svg/>", "1 2 3"] {
        let body = json!({ "ground": { "board": "5x5" }, "tour": tour });
        assert_eq!(lab.post("/api/tour", &body).status, 422, "{tour}");
    }
    let garbage = lab.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n");
    assert!(garbage.status == 400 || garbage.status == 0, "{garbage:?}");
    assert_eq!(lab.get("/").status, 200, "it is still there");
}

#[test]
fn a_slow_request_head_times_out() {
    let lab = Lab::new(Limits { stall: Duration::from_millis(300), ..Limits::default() });
    let mut stream = lab.open(b"GET / HTTP/1.1\r\nhost: ");
    stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    until("the connection is closed", || {
        let written = stream.write_all(b"a");
        let read = stream.read(&mut [0; 64]);
        let closed = match read {
            Ok(n) => n == 0,
            Err(e) => !matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        };
        closed || written.is_err()
    });
    let id = lab.job(&endless());
    std::thread::sleep(Duration::from_millis(100));
    let mut events = lab.watch(&id);
    events.until("frame", |frame| frame["n"].as_u64() > Some(1000));
}

#[test]
fn the_number_of_streams_is_limited() {
    let lab = Lab::new(Limits { streams: 3, ..Limits::default() });
    let id = lab.job(&endless());
    let held: Vec<_> = (0..3).map(|_| lab.watch(&id)).collect();
    until("three are watching", || lab.load()["jobs"][0]["viewers"] == 3);
    let refused = lab.get(&format!("/api/jobs/{id}/events"));
    assert_eq!(refused.status, 429, "{refused:?}");
    drop(held);
    assert_eq!(lab.get("/api/jobs/0123/events").status, 404);
}

#[test]
fn sheets_and_captions_are_limited_and_verified() {
    let lab = Lab::new(Limits::default());
    let tour = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3";
    let sheet = |board: &str, tours: Value, more: Value| {
        let mut body = json!({ "ground": { "board": board }, "tours": tours, "form": "svg" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = lab.post("/api/sheet", &body);
        (answer.status, answer.error())
    };
    assert_eq!(sheet("3x4", json!([]), json!({})).0, 413);
    assert_eq!(sheet("3x4", json!(vec![tour; 49]), json!({})).0, 413);
    assert_eq!(sheet("61x8", json!([tour]), json!({})).0, 413);
    let (status, error) = sheet("3x4", json!([tour, "a1 a2 a3"]), json!({}));
    assert!(status == 422 && error.starts_with("tour 2: "), "{error}");
    assert_eq!(sheet("3x4", json!(tour), json!({})).0, 400, "not a list");
    assert_eq!(sheet("3x4", json!([tour]), json!({ "form": "exe" })).0, 400);
    for (field, text, status) in [
        ("caption", "{n".to_string(), 422),
        ("caption", "{secret}".into(), 422),
        ("caption", "\u{202e}".into(), 422),
        ("caption", "x".repeat(501), 413),
        ("caption", "x".repeat(400), 422),
    ] {
        let answer = sheet("3x4", json!([tour]), json!({ "look": { field: text } }));
        assert_eq!(answer.0, status, "{answer:?}");
        let body = json!({ "ground": { "board": "3x4" }, "tour": tour, "form": "png", "look": { field: text } });
        assert_eq!(lab.post("/api/draw", &body).status, status, "{body}");
    }
    for (title, status) in [("x".repeat(501), 413), ("\u{0}".into(), 422), ("x".repeat(400), 422)] {
        assert_eq!(sheet("3x4", json!([tour]), json!({ "title": title })).0, status);
    }
}
