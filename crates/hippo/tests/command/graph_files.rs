//! Graph files of every format through the command: what is said, and exit codes.

use super::common::{feed, file, run};
use super::documents::root;
use hippodrome::board::graph_format::GraphFormat;

/// The graph files that the library's tests read.
fn known(name: &str) -> String {
    root().join("crates/hippodrome/tests/data/graphs").join(name).display().to_string()
}

const FILES: [(&str, &str); 12] = [
    ("petersen.hcp", "TSPLIB"),
    ("petersen.col", "DIMACS"),
    ("petersen.edgelist", "edge list"),
    ("petersen.csv", "CSV"),
    ("petersen.adjlist", "adjacency list"),
    ("petersen.matrix", "adjacency matrix"),
    ("petersen.g6", "graph6"),
    ("petersen.s6", "sparse6"),
    ("petersen.dot", "DOT"),
    ("petersen.graphml", "GraphML"),
    ("petersen.gml", "GML"),
    ("petersen.links.json", "JSON"),
];

#[test]
fn every_format_is_read_and_named() {
    for (name, format) in FILES {
        let graph = known(name);
        let said = format!("{name}: read 10 vertices, 15 edges as {format}\n");
        let ran = run(&format!("find --graph {graph} --json"));
        assert_eq!((ran.code, ran.err), (0, said), "{name}");
        assert!(ran.out.contains("\"status\":\"found\""), "{name}: {}", ran.out);
        let ran = run(&format!("find --graph {graph} --closed --quiet"));
        assert_eq!(ran.code, 3, "{name}: {}", ran.err);
        assert!(!ran.err.contains("read 10"), "{name}: {}", ran.err);
    }
    assert_eq!(FILES.len(), GraphFormat::all().count());
}

#[test]
fn standard_input_is_a_graph_in_every_command() {
    let text = std::fs::read_to_string(known("cube.gml")).unwrap();
    let said = "standard input: read 8 vertices, 12 edges as GML\n";
    for command in [
        "find --closed",
        "count",
        "board",
        "enumerate --all",
        "sample -n 1",
        "count --closed --estimate",
        "race --solvers exact,backtrack --attempts 10",
    ] {
        let ran = feed(&format!("{command} --graph -"), &text);
        assert_eq!(ran.code, 0, "{command}: {}", ran.err);
        assert_eq!(ran.err.matches(said).count(), 1, "{command}: {}", ran.err);
    }
    let tour = file("cube-tour.txt", feed("find --graph - --quiet", &text).out);
    assert_eq!(feed(&format!("check {tour} --graph -"), &text).code, 0);
    let ran = feed("check --graph -", &text);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("both read from standard input; give a file"), "{}", ran.err);
}

#[test]
fn a_named_format_overrides_the_content() {
    let rows = file("rows.txt", "0 1 2\n1 2 0\n2 0 1\n");
    let ran = run(&format!("find --graph {rows}"));
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("name the format adjacency-list"), "{}", ran.err);
    let ran = run(&format!("find --graph {rows} --graph-format adjacency-list --closed"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = run(&format!("find --graph {} --graph-format dot", known("cube.csv")));
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(
        ran.err.contains("DOT line 1: expected graph or digraph, but found 'source'"),
        "{}",
        ran.err
    );
    let ran = run("find --graph cube:3 --graph-format csv");
    assert!(ran.code == 1 && ran.err.contains("cannot read cube:3"), "{}", ran.err);
    let ran = run(&format!("find --graph {rows} --graph-format jsn"));
    assert!(ran.code == 2 && ran.err.contains("did you mean json?"), "{}", ran.err);
    let ran = run("find 5x5 --graph-format csv");
    assert!(ran.code == 2 && ran.err.contains("--graph"), "{}", ran.err);
}

/// A triangle has a cycle; no misreading of these files may prove that it has none.
#[test]
fn no_misread_triangle_is_a_proof() {
    for text in [
        "source,target\n1,2\n2,3\n3,1\n",
        "Source;Target\n1;2\n2;3\n3;1\n",
        "from\tto\n1\t2\n2\t3\n3\t1\n",
        "source target\na b\nb c\nc a\n",
        "source,target,weight\na,b,1\nb,c,2\nc,a,3\n",
        "u,v\n1,2\n2,3\n3,1\n",
        "1;2\n2;3\n3;1\n",
        "graph { 1 -- 2 -- 3 -- 1 }",
        "digraph { 1 -> 2 -> 3 -> 1; 1 -> 3 -> 2 -> 1 }",
        "1 2 {}\n2 3 {'weight': 1}\n3 1 {}\n",
        "1: 2 3\n2: 1 3\n3: 1 2\n",
        "0 1 1\n1 0 1\n1 1 0\n",
        "011\n101\n110\n",
        ":BcN\n",
        "Bw\n",
        "{\"nodes\": [1, 2, 3], \"edges\": [[1, 2], [2, 3], [3, 1]]}",
    ] {
        let ran = feed("find --closed --graph -", text);
        assert_eq!(ran.code, 0, "{text}: {}", ran.err);
    }
    for (text, said) in [
        (
            "1 -> 2\n2 -> 3\n3 -> 1\n",
            "edge list line 1: '->' is not a vertex name; write one edge per line",
        ),
        ("1->2\n2->3\n3->1\n", "edge list line 1: '1->2' is not a vertex name"),
        ("1 - 2\n2 - 3\n3 - 1\n", "edge list line 1: '-' is not a vertex name"),
        ("1-2\n2-3\n3-1\n", "edge list line 1: no line has two vertex names"),
        (
            "person,friend\nann,bob\nbob,cat\ncat,ann\n",
            "CSV line 1: 'person friend' is a header or an edge",
        ),
        ("3 3\n0 1\n1 2\n2 0\n", "line 1: '3 3' could be an edge, or a header with the numbers"),
        ("3 3\n2 3\n1 3\n1 2\n", "line 1: '3 3' could be an edge, or a header with the numbers"),
        ("3\n0 1\n1 2\n2 0\n", "line 1: '3' stands alone"),
        ("triangle\n1 2\n2 3\n3 1\n", "line 1: 'triangle' stands alone"),
        ("1 2 0.5\n2 3 0.5\n3 1 0.5\n", "three words per line are an edge with a weight"),
        (
            "1 2 0.5\n1 3 0.5\n2 3\n",
            "line 1: found 3 words, but an edge is two vertex names; remove further columns such as weights",
        ),
        (
            "1,2,5\n2,3,5\n3,1,5\n",
            "CSV line 1: found 3 columns, but an edge is two vertex names; remove further columns such as weights",
        ),
        ("a,b\nb,c\nc\n", "CSV line 3: found 1, but line 1 has 2"),
        ("digraph {\n1 -> 2 -> 3 -> 1 }", "DOT line 2: there is an edge from 1 to 2 but none back"),
        ("graph {\n1 -- 2 -- 3 -> 1 }", "DOT line 2: expected '--' in a graph"),
        ("<graphml>\n<graph><node id='1'></graph></graphml>", "GraphML line 2: "),
        (
            "graph [\nnode [ id 1 ]\nedge [ source 1 target 2 ] ]",
            "GML line 3: there is no vertex '2'",
        ),
        (
            "{\"nodes\": [1, 2, 3],\n\"edges\": [[1, 2], [2, 4]]}",
            "JSON line 2: there is no vertex '4'",
        ),
        (
            "0 1 1\n1 0 1\n1 1\n",
            "adjacency matrix line 3: found 2 entries, but the matrix has 3 rows",
        ),
        ("0 1 1\n0 0 1\n1 1 0\n", "adjacency matrix line 2: row 2 and column 1 differ"),
        ("1: 2 3\n2: 1\n3: 1 2\n", "adjacency list line 3: 3 lists 2, but 2 does not list 3"),
        ("1: 2 3\n2: 3\n", "adjacency list line 1: vertex '3' has no line"),
        (":B\n:B\n", "sparse6 line 2: a second graph begins"),
        ("Bww\n", "graph6 line 1: a graph6 line for 3 vertices needs 1 characters"),
        (
            "p edge 3 3\ne 0 1\ne 1 2\ne 2 0\n",
            "DIMACS line 2: '0' is not a vertex; write a number from 1 to 3",
        ),
        ("e 1 2\ne 2 3\ne 3 1\n", "DIMACS line 1: an edge comes before the header"),
        (
            "TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2 -1\n2 3 -1\n3 1 -1\n-1\nEOF\n",
            "TSPLIB line 5: '2 3 -1' follows the -1",
        ),
        ("Dear reader,\nthis is a letter\nabout graphs.\n", "line 1: "),
        ("<html><body>1 2</body></html>", "GraphML line 1: expected <graphml>, but found <html>"),
        ("1\u{0}2\n", "hidden character"),
        ("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 1\n3 2\n", "line 2: "),
    ] {
        for goal in ["", "--closed"] {
            let ran = feed(&format!("find --graph - {goal}"), text);
            assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{text}: {}", ran.err);
            assert!(ran.err.contains(said) && ran.err.lines().count() == 1, "{text}: {}", ran.err);
        }
    }
}

#[test]
fn boards_of_chess_pieces_and_boxes_are_generated() {
    for (graph, code) in
        [("king:3x3", 0), ("queen:3x3", 0), ("rook:3x3", 0), ("torus:5x6", 0), ("bishop:3x3", 3)]
    {
        let ran = run(&format!("find --graph {graph} --closed"));
        assert_eq!(ran.code, code, "{graph}: {}", ran.err);
    }
    let tour = run("find --graph knight:4x4x4 --closed --quiet");
    assert_eq!(tour.code, 0, "{}", tour.err);
    let checked = feed("check --graph knight:4x4x4 --json", &tour.out);
    assert!(checked.out.contains("\"closed\":true"), "{}", checked.out);
}

#[test]
fn graphs_have_vertices_and_no_squares() {
    let ran = run("board --graph petersen:5,2");
    assert!(
        ran.out.contains("not bipartite: some cycle has an odd number of edges"),
        "{}",
        ran.out
    );
    let ran = run("find --graph petersen:5,2 --start paris");
    assert!(ran.err.contains("its vertices include 1 and 10"), "{}", ran.err);
    let ran = run("count --graph petersen:5,2 --json");
    assert!(!ran.out.contains("order of the squares"), "{}", ran.out);
}

#[test]
fn the_guide_lists_every_format() {
    let guide = std::fs::read_to_string(root().join("docs/guide/graphs.md")).unwrap();
    for format in GraphFormat::all() {
        let row = format!("| `{}` | `{}` | ", format.name(), format.example());
        assert!(guide.contains(&row), "the guide lacks the row {row}");
    }
}
