//! Tests that the command can read what it writes.

use crate::common::{feed, file, folder, hippo, run};
use serde_json::Value;

const FORMATS: [&str; 10] =
    ["grid", "moves", "digits", "json", "tsplib", "csv", "coords", "numbers", "latex", "svg"];

/// Returns the squares of the only tour in a text.
fn squares(text: &str, hints: &str) -> Vec<String> {
    let ran = feed(&format!("convert --quiet --format moves {hints}"), text);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{text}");
    ran.out.split_whitespace().map(String::from).collect()
}

#[test]
fn every_text_format_is_read_back_as_the_same_tour() {
    for (board, hints) in [
        ("8x8", ""),
        ("8x8 --closed", ""),
        ("5x6 --start c3", "--board 5x6"),
        ("6x6 --holes a1,a6", "--board 6x6 --holes a1,a6"),
        ("5x5 --leaper 0,1", "--board 5x5 --leaper 0,1"),
        ("30x30", ""),
    ] {
        let json = run(&format!("find {board} --json")).out;
        let found: Value = serde_json::from_str(&json).expect(board);
        let expected: Vec<&str> =
            found["squares"].as_array().expect(board).iter().map(|s| s.as_str().unwrap()).collect();
        for format in FORMATS {
            let text = run(&format!("find {board} --format {format}")).out;
            assert_eq!(squares(&text, hints), expected, "{board} as {format}");
            let checked = feed(&format!("check {hints}"), &text);
            assert_eq!(checked.code, 0, "{board} as {format}: {}", checked.out);
            assert_eq!(checked.out.contains("valid closed"), found["closed"] == true);
        }
    }
}

#[test]
fn convert_translates_every_format_to_every_other_and_back() {
    let hints = "--board 6x6 --holes a1,a6";
    let tour = |format: &str| run(&format!("find 6x6 --holes a1,a6 --format {format}")).out;
    for from in FORMATS {
        for to in FORMATS {
            let ran = feed(&format!("convert --quiet {hints} --format {to}"), &tour(from));
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{from} to {to}");
            assert_eq!(squares(&ran.out, hints), squares(&tour("moves"), hints), "{from} to {to}");
        }
    }
}

#[test]
fn notations_that_name_their_board_need_no_hints() {
    for format in ["grid", "json", "tsplib", "svg"] {
        let text = run(&format!("find 5x6 --holes a1,b1 --format {format}")).out;
        let ran = feed("check", &text);
        assert!(ran.out.contains("tour of 5x6 with 2 holes"), "{format}: {}", ran.out);
    }
}

#[test]
fn many_tours_are_read_back_from_every_notation() {
    for format in FORMATS.iter().filter(|format| **format != "svg") {
        let text = run(&format!("enumerate 5x5 --tours 20 --print --quiet --format {format}")).out;
        let ran = feed("check --json", &text);
        assert_eq!((ran.code, ran.out.lines().count()), (0, 21), "{format}");
        assert!(ran.out.contains("\"tours\":20,\"type\":\"summary\""), "{format}");
        assert!(ran.out.lines().take(20).all(|line| line.contains("\"valid\":true")), "{format}");
    }
}

#[test]
fn a_tour_of_a_graph_is_read_back_with_its_graph() {
    let prism = "a b\nb c\nc a\nd e\ne f\nf d\na d\nb e\nc f\n";
    let graph = file("prism.edges", prism);
    for format in ["moves", "json", "tsplib", "svg"] {
        let tour = run(&format!("find --graph {graph} --closed --format {format}")).out;
        let ran = feed(&format!("check --graph {graph}"), &tour);
        assert!(ran.code == 0 && ran.out.contains("valid closed tour"), "{format}: {}", ran.out);
    }
}

#[test]
fn the_name_of_the_output_chooses_the_format() {
    let folder = folder("names");
    for (name, begins) in [
        ("tour.svg", &b"<svg"[..]),
        ("tour.png", b"\x89PNG"),
        ("tour.json", b"{"),
        ("tour.tour", b"NAME"),
    ] {
        let path = folder.join(name);
        assert_eq!(run(&format!("find 5x5 -o {}", path.display())).code, 0);
        assert!(std::fs::read(&path).expect(name).starts_with(begins), "{name}");
    }
    let picture = folder.join("drawn.gif");
    let mut draw = hippo(&format!("draw --size 128 -o {}", picture.display()));
    assert!(draw.write_stdin(run("find 5x5").out).output().expect("it runs").status.success());
    assert!(std::fs::read(&picture).expect("a file").starts_with(b"GIF89a"));
}

#[test]
fn the_printed_chromosomes_of_gordon_and_slocum_are_tours_and_the_second_is_closed() {
    let figure_2 = "e4 436503601672471233367072352466 3671602124642256571064102143461072";
    let figure_3 = "e4 436503601672471233361472565714 2761602124570254301603452070565417";
    for (text, closed) in [(figure_2, false), (figure_3, true)] {
        let (start, digits) = text.split_once(' ').expect("a start");
        let text = format!("{start} {}\n", digits.replace(' ', ""));
        let ran = feed("check --json --from digits", &text);
        let first = ran.out.lines().next().expect("a line");
        let verdict: Value = serde_json::from_str(first).expect("an object");
        assert_eq!((&verdict["valid"], &verdict["closed"]), (&true.into(), &closed.into()));
        assert_eq!(verdict["board"], "8x8");
        assert_eq!(feed("check", &text).code, 0);
    }
}

#[test]
fn a_tour_with_one_move_changed_is_invalid_at_that_step() {
    let text = run("find 8x8 --format moves --seed 3").out;
    let mut squares: Vec<&str> = text.split_whitespace().collect();
    squares.swap(20, 40);
    let ran = feed("check", &squares.join(" "));
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("line 1: invalid: step 21: "), "{}", ran.out);
}

#[test]
fn pheromone_is_written_and_drawn_as_one_board_per_move() {
    let laid = folder("pheromone").join("laid.json");
    let laid = laid.to_str().unwrap();
    let ran = run(&format!("enumerate 5x5 --solver ace --param cycles=84 --pheromone {laid}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let written: Value = serde_json::from_str(&std::fs::read_to_string(laid).unwrap()).unwrap();
    assert_eq!(written["pheromone"].as_array().unwrap().len(), 96, "directed moves of 5x5");
    let picture = run(&format!("draw --pheromone {laid}"));
    assert_eq!((picture.code, picture.err.as_str()), (0, ""));
    assert_eq!(picture.out.matches("class=\"move\"").count(), 8);
    // After learning, the moves have different shades of grey.
    let greys: std::collections::HashSet<&str> = picture
        .out
        .lines()
        .filter(|line| line.starts_with("<path fill="))
        .map(|l| &l[..20])
        .collect();
    assert!(greys.len() > 8, "{greys:?}");
    let refused = run(&format!("enumerate 5x5 --solver exact --pheromone {laid}"));
    assert_eq!((refused.code, refused.err.contains("use one of ace, mace")), (2, true));
    let refused = run("enumerate 5x5 --solver ace --pheromone /nonexistent/laid.json --json");
    assert!(refused.code == 1 && refused.out.lines().count() == 1, "{}", refused.out);
    let object: serde_json::Value = serde_json::from_str(&refused.out).expect("one object");
    assert_eq!(object["status"], "error", "before the run");
    let refused = run(&format!("enumerate 5x5 --solver ace --curve {laid} --pheromone {laid}"));
    assert_eq!(refused.code, 2, "{}", refused.err);
    let full = format!("enumerate 6x6 --solver mace --memory 10k --pheromone {laid}.full");
    assert!(run(&full).err.contains("not written"));
    assert!(!std::path::Path::new(&format!("{laid}.full")).exists());
    let refused = run(&format!("draw --pheromone {laid} --format gif"));
    assert_eq!((refused.code, refused.err.contains("svg or png")), (2, true));
}
