//! Graph files of every format: the same graphs, their verdicts, and damaged texts.
//!
//! The files are in `tests/data/graphs`. Most are written by networkx 3.6 and pydot; the others list the same edges.

use hippodrome::board::graph_file::{read_graph, read_graph_as};
use hippodrome::board::graph_format::GraphFormat;
use hippodrome::board::{Graph, Square};
use hippodrome::lab::find::{Outcome, TourSearch};
use hippodrome::problem::Problem;
use hippodrome::search::Control;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/graphs")
}

/// All files as name and text, sorted.
fn all() -> Vec<(String, String)> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<(String, String)> = entries
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// The edges with vertices in numeric order of their names, counted from 0.
fn edges_of(graph: &Graph) -> Vec<(u32, u32)> {
    let number = |v: Square| graph.name(v).parse::<u32>().unwrap();
    let least = graph.vertices().map(number).min().unwrap();
    let arcs = graph.vertices().flat_map(|u| graph.neighbours(u).map(move |v| (u, v)));
    let mut edges: Vec<(u32, u32)> =
        arcs.map(|(u, v)| (number(u) - least, number(v) - least)).filter(|(u, v)| u < v).collect();
    edges.sort_unstable();
    edges
}

#[rustfmt::skip]
const PETERSEN: [(u32, u32); 15] = [
    (0, 1), (0, 4), (0, 5), (1, 2), (1, 6), (2, 3), (2, 7), (3, 4), (3, 8), (4, 9),
    (5, 7), (5, 8), (6, 8), (6, 9), (7, 9),
];

fn cube() -> Vec<(u32, u32)> {
    let mut edges: Vec<(u32, u32)> =
        (0..8u32).flat_map(|v| [1, 2, 4].map(|bit| (v, v ^ bit))).filter(|(u, v)| u < v).collect();
    edges.sort_unstable();
    edges
}

fn found(problem: Problem) -> bool {
    match TourSearch::new(problem).run(&Control::default()).unwrap().outcome {
        Outcome::Found(_) => true,
        Outcome::Impossible(_) => false,
        _ => panic!("undecided"),
    }
}

/// The format that each file must be read as.
fn expected_format(name: &str) -> GraphFormat {
    match name.rsplit('.').next().unwrap() {
        "hcp" => GraphFormat::Tsplib,
        "col" => GraphFormat::Dimacs,
        "edgelist" | "txt" => GraphFormat::EdgeList,
        "csv" | "tsv" => GraphFormat::Csv,
        "adjlist" | "adj" => GraphFormat::AdjacencyList,
        "matrix" => GraphFormat::AdjacencyMatrix,
        "g6" => GraphFormat::Graph6,
        "s6" => GraphFormat::Sparse6,
        "dot" => GraphFormat::Dot,
        "graphml" => GraphFormat::GraphMl,
        "gml" => GraphFormat::Gml,
        "json" => GraphFormat::NodeLink,
        other => panic!("{other}"),
    }
}

#[test]
fn every_format_gives_the_same_graph_and_verdict() {
    let mut formats = Vec::new();
    for (name, text) in all() {
        let graph = read_graph(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        let format = graph.reading().unwrap().format;
        assert_eq!(format, expected_format(&name), "{name}");
        formats.push(format);
        let (expected, cycle) = match name.split('.').next().unwrap() {
            "petersen" => (PETERSEN.to_vec(), false),
            "cube" => (cube(), true),
            "grid" => {
                assert_eq!((graph.order(), graph.edges()), (12, 17), "{name}");
                let corner = ["(2, 3)", "(2,3)"].map(|name| graph.vertex(name).is_ok());
                assert!(corner.contains(&true), "{name}");
                continue;
            }
            other => panic!("{other}"),
        };
        assert_eq!(edges_of(&graph), expected, "{name}");
        assert!(found(Problem::open(graph.clone())), "{name}");
        assert_eq!(found(Problem::closed(graph)), cycle, "{name}");
    }
    assert!(GraphFormat::all().all(|format| formats.contains(&format)), "{formats:?}");
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    for (name, text) in all() {
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        let graph = read_graph(&name, &windows).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(graph.edges(), read_graph(&name, &text).unwrap().edges(), "{name}");
    }
}

#[test]
fn positions_are_read_where_a_file_has_them() {
    for name in ["petersen.positions.graphml", "petersen.positions.gml", "petersen.positions.json"]
    {
        let graph = read_graph(name, &fs::read_to_string(folder().join(name)).unwrap()).unwrap();
        let positions = graph.positions().unwrap_or_else(|| panic!("{name} has none"));
        assert_eq!((positions.len(), positions[0]), (10, (1.0, 0.0)), "{name}");
    }
    let name = "petersen.graphviz.dot";
    let graph = read_graph(name, &fs::read_to_string(folder().join(name)).unwrap()).unwrap();
    let nine = graph.vertex("9").unwrap();
    assert_eq!(graph.positions().unwrap()[nine.index()], (62.0, 112.0));
    let name = "petersen.graphml";
    let graph = read_graph(name, &fs::read_to_string(folder().join(name)).unwrap()).unwrap();
    assert_eq!(graph.positions(), None);
}

/// Lines that are not part of a graph, before or after its edges: an error, or the same graph.
#[test]
fn a_stray_line_is_an_error_or_changes_nothing() {
    let expected = cube();
    let list: String = expected.iter().map(|(u, v)| format!("{u} {v}\n")).collect();
    let both: String = expected.iter().map(|(u, v)| format!("{u} {v}\n{v} {u}\n")).collect();
    let from_one: String = expected.iter().map(|(u, v)| format!("{} {}\n", u + 1, v + 1)).collect();
    let csv: String = expected.iter().map(|(u, v)| format!("{u},{v}\n")).collect();
    let words: String = expected.iter().map(|(u, v)| format!("v{u} v{v}\n")).collect();
    let texts = [list, both, from_one, csv, words];
    #[rustfmt::skip]
    let stray = [
        "source target", "source,target", "Source;Target", "from\tto", "u v", "u,v", "a,b", "foo bar", "foo,bar",
        "8 12", "8,12", "8", "12", "12 8", "8 8 12", "8 24", "n m", "n 8", "vertices 8", "edges 12", "cube", "the cube",
        "a graph of mine", "node1 node2 weight", "source,target,weight", "EOF", "end", "-1", "0 1 0.5", "0,1,7",
        "# a comment", "% a comment", "c a comment of mine", "0.5 1.5", "1 -> 2", "1;2", "1-2", "{", "}", "[0, 1]",
        "graph {", "\"0\" \"1\"", "0 1 {}", "00 1", "\u{200b}0 1", "x y z", "NAME cube", "DIMENSION 8",
    ];
    let mut refused = 0;
    for text in &texts {
        for line in stray {
            // After the edges, numbers among numbers and words among words are edges and vertices.
            let numbers = line.bytes().all(|b| b.is_ascii_digit() || b == b' ' || b == b',');
            let words = text.starts_with('v');
            let after = (!numbers && !words).then(|| format!("{text}{line}\n"));
            for whole in [format!("{line}\n{text}")].into_iter().chain(after) {
                let Ok(graph) = read_graph("g", &whole) else {
                    refused += 1;
                    continue;
                };
                let known = ["00 1", "0 1 {}"].contains(&line);
                let name = |v| graph.name(v).trim_start_matches('v').parse::<u32>().ok();
                let (vertices, edges) = (graph.order(), graph.edges());
                assert!(graph.vertices().all(|v| name(v).is_some()), "{whole}");
                // The numbers from 1 have neither 0 1 nor a vertex 0.
                let from_one = text.starts_with("1 2");
                assert!(
                    (vertices, edges) == (8, 12)
                        || known && from_one && (vertices, edges) == (9, 13),
                    "{vertices} vertices and {edges} edges: {whole}"
                );
            }
        }
    }
    assert!(refused > 300, "{refused}");
}

/// Inputs that the readers did not expect: pieces of other formats, numbers, signs.
#[rustfmt::skip]
const PIECES: [&str; 34] = [
    "\n", "\r", "\0", " ", "\t", ",", ";", ":", "{", "}", "[", "]", "\"", "<", ">", "--", "->", "-1", "0", "1", "999999999999",
    "18446744073709551616", "1e9", "é", "\u{feff}", "#", "&#x110000;", "~", "~~", "graph", "node", "EOF", "p edge 3 2\n", "null",
];

/// Changes a text in one to eight places.
fn damaged(rng: &mut Xoshiro256PlusPlus, texts: &[(String, String)]) -> String {
    let mut bytes = texts[rng.random_range(0..texts.len())].1.clone().into_bytes();
    for _ in 0..rng.random_range(1..=8) {
        let at = rng.random_range(0..=bytes.len());
        let end = (at + rng.random_range(0..40)).min(bytes.len());
        match rng.random_range(0..6) {
            0 if at < bytes.len() => bytes[at] = (rng.next_u64() % 128) as u8,
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].to_vec();
                let to = rng.random_range(0..=bytes.len());
                bytes.splice(to..to, copy);
            }
            3 => bytes.truncate(at.max(1)),
            4 => {
                let piece = PIECES[rng.random_range(0..PIECES.len())];
                bytes.splice(at..at, piece.bytes());
            }
            _ => {
                let other = texts[rng.random_range(0..texts.len())].1.as_bytes();
                let from = rng.random_range(0..other.len());
                let to = (from + 60).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Peak memory of this process in KiB, where the system says it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Damaged texts through every reader: no panic, no hang, bounded memory. `HIPPO_DAMAGED_GRAPHS` sets their number.
#[test]
fn damaged_texts_are_errors_or_graphs() {
    let count: u64 = std::env::var("HIPPO_DAMAGED_GRAPHS").map_or(4000, |n| n.parse().unwrap());
    let texts = all();
    let formats: Vec<GraphFormat> = GraphFormat::all().collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2026);
    let (mut graphs, mut slowest) = (0u64, Duration::ZERO);
    let before = peak();
    for number in 0..count {
        let text = damaged(&mut rng, &texts);
        let begun = Instant::now();
        let named = formats[rng.random_range(0..formats.len())];
        for format in [None, Some(named)] {
            match read_graph_as("damaged", &text, format) {
                Ok(graph) => {
                    graphs += 1;
                    assert!(graph.vertices().all(|v| graph.neighbours(v).all(|u| graph.has(u))));
                }
                Err(error) => {
                    let lines = text.lines().count().max(1);
                    assert!(
                        error.place.line >= 1 && error.place.line <= lines + 1,
                        "{error}: {text}"
                    );
                    assert!(error.to_string().len() < 600, "{error}");
                }
            }
        }
        slowest = slowest.max(begun.elapsed());
        assert!(slowest < Duration::from_secs(20), "input {number} took {slowest:?}: {text}");
    }
    eprintln!(
        "{count} texts, {graphs} graphs, slowest {slowest:?}, peak {before:?} to {:?} KiB",
        peak()
    );
    assert!(graphs > count / 20, "{graphs} of {count}");
    assert!(peak().is_none_or(|peak| peak < 4 << 20), "{:?} KiB", peak());
}
