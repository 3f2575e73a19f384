//! Tests of sheets with several tours, of captions below single ones, and of the tours that ship.

mod lab;

use hippodrome_web::limits::Limits;
use lab::{Answer, Lab};
use serde_json::{Value, json};

/// A tour of 3x4 in moves, and one in digits.
const MOVES: &str = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3";

fn sheet(lab: &Lab, form: &str, tours: &[&str], more: Value) -> Answer {
    let mut body = json!({ "ground": { "board": "3x4" }, "tours": tours, "form": form });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    lab.post("/api/sheet", &body)
}

fn draw(lab: &Lab, form: &str, look: Value) -> Answer {
    let body = json!({ "ground": { "board": "3x4" }, "tour": MOVES, "form": form, "look": look });
    lab.post("/api/draw", &body)
}

#[test]
fn a_sheet_is_a_pdf_an_svg_or_a_png() {
    let lab = Lab::new(Limits::default());
    let tours = [MOVES; 48];
    let more = json!({ "title": "Tours & <more>", "look": { "caption": "No. {n}, {symmetry}", "size": 900 } });
    for (form, kind, start) in [
        ("pdf", "application/pdf", &b"%PDF"[..]),
        ("svg", "image/svg+xml", b"<svg"),
        ("png", "image/png", b"\x89PNG"),
    ] {
        let answer = sheet(&lab, form, &tours, more.clone());
        assert_eq!(answer.status, 200, "{answer:?}");
        assert!(answer.head.contains(kind), "{}", answer.head);
        assert!(answer.body.starts_with(start), "{form}");
    }
    let svg = String::from_utf8(sheet(&lab, "svg", &tours[..3], more).body).unwrap();
    assert!(svg.contains("Tours &amp; &lt;more&gt;") && !svg.contains("<more>"), "{svg}");
    assert_eq!(svg.matches("hippodrome-tour-").count(), 3, "it carries its tours");
}

#[test]
fn captions_are_drawn_below_a_tour() {
    let lab = Lab::new(Limits::default());
    for form in ["svg", "png", "pdf"] {
        let plain = draw(&lab, form, json!({ "size": 2048 }));
        let captioned =
            draw(&lab, form, json!({ "size": 2048, "caption": "{crossings} crossings" }));
        assert_eq!((plain.status, captioned.status), (200, 200), "{form}");
        assert!(captioned.body.len() > plain.body.len(), "{form}");
    }
    let svg = draw(&lab, "svg", json!({ "caption": "</title><script>alert(1)</script>" })).body;
    let svg = String::from_utf8(svg).unwrap();
    assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script>"), "{svg}");
    let blank = draw(&lab, "svg", json!({ "caption": " " })).body;
    assert_eq!(blank, draw(&lab, "svg", json!({ "caption": null })).body);
    for form in ["gif", "moves", "json"] {
        let with = draw(&lab, form, json!({ "caption": "ignored" }));
        assert_eq!(with.body, draw(&lab, form, json!({})).body, "{form} has no captions");
    }
}

#[test]
fn historic_tours_are_listed_with_their_sources() {
    let lab = Lab::new(Limits::default());
    let answer = lab.get("/api/historic");
    assert_eq!(answer.status, 200, "{answer:?}");
    let all = answer.json();
    let beverley = all.as_array().unwrap().iter().find(|tour| tour["id"] == "beverley").unwrap();
    assert_eq!((&beverley["year"], &beverley["kind"]), (&json!("1848"), &json!("semi-magic")));
    assert_eq!(beverley["tour"]["magic"], "semi");
    assert_eq!(beverley["tour"]["squares"].as_array().unwrap().len(), 64);
    for key in ["title", "author", "source", "board"] {
        assert!(beverley[key].as_str().is_some_and(|text| !text.is_empty()), "{key}");
    }
}
