//! Tests of graphs from files and generators: which files are read, which edges are dropped, and which input
//! is rejected.

use super::common::{feed, file, finish, folder, hippo, json, run};
use super::documents::root;
use hippodrome::board::generators::GENERATORS;

#[test]
fn a_generator_is_a_graph_in_every_command() {
    let found = json("find --graph cube:4 --closed --json");
    assert_eq!((&found["status"], &found["graph"]), (&"found".into(), &"cube:4".into()));
    assert_eq!(found["squares"].as_array().map(Vec::len), Some(16));
    assert_eq!(json("count --graph cube:4 --closed --json")["undirected"], "1344");
    assert_eq!(json("enumerate --graph cube:3 --all --json")["distinct"], 144);
    let board = json("board --graph random-regular:100,3 --json");
    assert_eq!(board["graph"], "random-regular:100,3,1");
    let tour = run("sample --graph petersen:5,2 -n 1 --seed 3 --quiet");
    assert_eq!(tour.code, 0, "{}", tour.err);
    let checked = feed("check --graph petersen:5,2", &tour.out);
    assert_eq!(checked.code, 0, "{}", checked.err);
    let ran = run("find --graph grid:3x4 --start 1 --end 12");
    assert!(
        ran.code == 0 && ran.out.starts_with("1 ") && ran.out.ends_with(" 12\n"),
        "{}",
        ran.out
    );
    assert_eq!(run("find --graph petersen:5,2 --closed").code, 3);
}

#[test]
fn a_file_comes_before_a_generator_of_its_name() {
    let place = folder("file-before-generator");
    let order = || {
        let mut command = hippo("find --graph path:3 --json");
        command.current_dir(&place);
        let ran = finish(command);
        let found: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        found["squares"].as_array().map(Vec::len)
    };
    assert_eq!(order(), Some(3));
    std::fs::write(place.join("path:3"), "a b\nb c\nc d\n").unwrap();
    assert_eq!(order(), Some(4));
}

#[test]
fn generators_are_refused_in_a_sentence() {
    for (graph, code, said) in [
        (
            "petersn:5,2",
            2,
            "there is no file petersn:5,2, and there is no generator 'petersn'; did you mean petersen:N,K?",
        ),
        (
            "petersen:5",
            2,
            "'petersen:5' is not of the form petersen:N,K; write whole numbers, as in petersen:101,2",
        ),
        (
            "flower:4",
            2,
            "invalid graph flower:4: N must be odd and at least 3; write flower:N, as in flower:5",
        ),
        (
            "complete:50000",
            2,
            "complete:50000 has 50,000 vertices and 1,249,975,000 edges; the limit is",
        ),
        ("cube:40", 2, "cube:40 has 1,099,511,627,776 vertices"),
        ("petersen.txt", 1, "cannot read petersen.txt: no such file"),
        ("no/such:file", 1, "cannot read no/such:file: no such file"),
    ] {
        for command in ["find", "board", "check"] {
            let ran = run(&format!("{command} --graph {graph}"));
            assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{graph}: {}", ran.err);
            assert!(ran.err.contains(said) && ran.err.lines().count() == 1, "{graph}: {}", ran.err);
        }
    }
}

#[test]
fn every_kind_of_dimacs_header_is_read() {
    for head in ["p edge 4 4", "p col 4 4", "p 4 4"] {
        let square =
            file("square.col", format!("c a square\n{head}\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n"));
        let ran = run(&format!("count --graph {square} --closed --json"));
        assert!(ran.out.contains("\"undirected\":\"1\""), "{head}: {} {}", ran.out, ran.err);
    }
}

#[test]
fn dropped_edges_are_said_once_unless_quiet() {
    let twice = file("twice.txt", "1 2\n2 1\n2 3\n3 1\n1 2\n3 3\n");
    for command in ["find", "find --closed", "count", "enumerate --all", "board", "sample -n 1"] {
        let ran = run(&format!("{command} --graph {twice}"));
        let said = "twice.txt: dropped 1 loop and 2 repeated edges";
        assert_eq!(
            ran.err.lines().filter(|line| *line == said).count(),
            1,
            "{command}: {}",
            ran.err
        );
        assert_eq!(ran.code, 0, "{command}: {}", ran.err);
        let quiet = run(&format!("{command} --graph {twice} --quiet"));
        assert!(!quiet.err.contains("dropped"), "{command}: {}", quiet.err);
    }
    let both = file("both.txt", "1 2\n2 1\n2 3\n3 2\n");
    assert_eq!(
        run(&format!("board --graph {both}")).err,
        "both.txt: read 3 vertices, 2 edges as edge list\n"
    );
}

#[test]
fn a_header_that_contradicts_its_edges_is_no_proof() {
    for (text, said) in [
        (
            "p edge 3 3\ne 1 2\ne 2 3\n",
            "line 1: the header announces 3 edges, but 2 follow; give the whole file",
        ),
        ("c\np 3 1\ne 1 2\ne 2 3\n", "line 2: the header announces 1 edge, but 2 follow"),
        (
            "p edge 100000 1000000000\ne 1 2\n",
            "line 1: 1,000,000,000 edges are too many; the limit is 500,000,000",
        ),
        ("p edge 99999999999 3\n", "line 1: 99,999,999,999 vertices are too many"),
        (
            "p edge 3\ne 1 2\n",
            "line 1: 'p edge 3' is not a DIMACS header; write 'p edge VERTICES EDGES'",
        ),
        ("e 1 2\np edge 3 1\n", "line 1: an edge comes before the header"),
        ("p edge 0 0\n", "line 1: the file has no vertices"),
    ] {
        let graph = file("header.col", text);
        for goal in ["", "--closed"] {
            let ran = run(&format!("find --graph {graph} {goal}"));
            assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{text}: {}", ran.err);
            assert!(ran.err.contains(said) && ran.err.lines().count() == 1, "{text}: {}", ran.err);
        }
    }
}

/// A file that is larger than the memory limit is not read. The test uses a sparse file.
#[cfg(target_os = "linux")]
#[test]
fn a_file_larger_than_the_memory_is_refused_by_its_size() {
    let path = file("huge.txt", "1 2\n");
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    if file.set_len(1 << 43).is_err() {
        return;
    }
    let ran = run(&format!("find --graph {path}"));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("has 8.0 TiB and ") && ran.err.lines().count() == 1, "{}", ran.err);
}

#[test]
fn graphs_of_few_vertices_have_the_tours_they_have() {
    let two = "p edge 2 1\ne 1 2\n";
    for (text, goal, code, said) in [
        ("p edge 1 0\n", "", 0, "1\n"),
        ("p edge 1 0\n", "--closed", 3, "a closed tour needs at least 3 vertices"),
        (two, "", 0, "1 2\n"),
        (two, "--closed", 3, "a closed tour needs at least 3 vertices"),
        ("p edge 2 0\n", "", 3, "there is no edge between 1 and 2"),
        ("p edge 2 0\n", "--closed", 3, "at least 3 vertices"),
        ("a b\nb c\nc a\nd e\ne f\nf d\n", "", 3, "connect"),
        ("a b\nb c\nc a\nd e\ne f\nf d\n", "--closed", 3, "connect"),
        ("", "", 1, "the file has no vertices"),
        ("", "--closed", 1, "the file has no vertices"),
    ] {
        let graph = file("few.col", text);
        let ran = run(&format!("find --graph {graph} {goal}"));
        assert_eq!(ran.code, code, "{text} {goal}: {}", ran.err);
        assert!(
            format!("{}{}", ran.out, ran.err).contains(said),
            "{text} {goal}: {}{}",
            ran.out,
            ran.err
        );
    }
}

#[test]
fn the_answer_to_an_unknown_generator_and_the_guide_list_them_all() {
    let answer = run("find --graph unknown:1").err;
    let guide = std::fs::read_to_string(root().join("docs/guide/developers.md")).unwrap();
    for generator in GENERATORS {
        let form = generator.form();
        assert!(answer.contains(&form), "{form}: {answer}");
        let row = format!("| `{form}` | {} | {} |", generator.summary, generator.vertices);
        assert!(guide.contains(&row), "the guide lacks the row {row}");
    }
}
