//! Turned, reflected and reversed tours, the row of a tour in a set, and checks of many tours.

use crate::common::{feed, folder, run};

/// Converts tours, and returns what is written.
fn converted(options: &str, tours: &str) -> String {
    let ran = feed(&format!("convert --quiet {options}"), tours);
    assert_eq!(ran.code, 0, "{options}: {}", ran.err);
    ran.out
}

#[test]
fn turns_and_reflections_undo_themselves() {
    let tour = run("find 5x6 --seed 2 --format grid --quiet").out;
    for (options, times) in [
        ("--rotate 90", 4),
        ("--rotate 180", 2),
        ("--rotate 270", 4),
        ("--reflect rows", 2),
        ("--reflect columns", 2),
        ("--reflect diagonal", 2),
        ("--reflect antidiagonal", 2),
        ("--reverse", 2),
    ] {
        let step = |tour: String, _| converted(&format!("{options} --format grid"), &tour);
        assert_eq!((0..times).fold(tour.clone(), step), tour, "{options}");
        assert_ne!(step(tour.clone(), 1), tour, "{options}");
    }
    let turned = converted("--rotate 90 --format grid", &tour);
    assert_eq!(turned.lines().count(), 6, "5x6 becomes 6x5: {turned}");
}

#[test]
fn images_of_a_tour_share_a_canonical_form_and_a_key() {
    let tour = run("find 6x6 --closed --seed 4 --format moves --quiet").out;
    let canonical = converted("--canonical", &tour);
    let key = |tour: &str| {
        let ran = feed("check --class --json --board 6x6", tour);
        let line: serde_json::Value =
            serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
        line["class"].as_str().unwrap().to_string()
    };
    for options in ["--rotate 90", "--reflect diagonal", "--reverse", "--start c3"] {
        let image = converted(options, &tour);
        assert_ne!(image, tour, "{options}");
        assert_eq!(converted("--canonical", &image), canonical, "{options}");
        assert_eq!(key(&image), key(&tour), "{options}");
    }
    assert!(converted("--start c3", &tour).starts_with("c3 "));
    let other = run("find 6x6 --closed --seed 5 --format moves --quiet").out;
    assert_ne!(key(&other), key(&tour), "another class");
}

#[test]
fn an_open_tour_keeps_its_start() {
    let tour = run("find 5x5 --format moves --quiet").out;
    let ran = feed("convert --start c3", &tour);
    assert!(ran.code != 0 && ran.err.contains("the tour is open"), "{}", ran.err);
}

#[test]
fn a_tour_has_a_row_in_a_set() {
    let job = folder("rank").join("job").display().to_string();
    assert_eq!(run(&format!("enumerate 5x5 --all --out {job} --quiet")).code, 0);
    let rows = run(&format!("export {job} --from 7 --to 8 --quiet")).out;
    let ran = feed(&format!("store rank {job} --quiet"), &rows);
    assert_eq!((ran.code, ran.out.as_str()), (0, "tour 1: row 7\ntour 2: row 8\n"), "{}", ran.err);
    let elsewhere = converted("--rotate 90", &run("find 5x5 --start a1 --quiet").out);
    let ran = feed(&format!("store rank {job} --json"), &elsewhere);
    let line: serde_json::Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
    assert_eq!((ran.code, &line["type"], &line["found"]), (0, &"tour".into(), &true.into()));
}

#[test]
fn a_check_of_many_invalid_tours_is_short_and_adds_up() {
    let ran = feed("check", &"a1 a2\n".repeat(25));
    assert_eq!((ran.code, ran.out.lines().count()), (1, 21), "{}", ran.out);
    assert_eq!(ran.out.lines().last(), Some("and 5 more"));
    assert!(ran.err.ends_with("25 tours: 0 valid, 25 invalid\n"), "{}", ran.err);
    let ran = feed("check --json", &"a1 a2\n".repeat(25));
    assert_eq!((ran.code, ran.out.lines().count()), (1, 26));
}
