//! Known facts about the generated graphs.

use super::*;
use crate::board::Square;
use crate::count::{Count, CountKind};
use std::collections::HashSet;
use std::time::{Duration, Instant};

fn made(text: &str) -> Graph {
    generate(text, None).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str) -> String {
    generate(text, None).map(|graph| graph.to_string()).unwrap_err().to_string()
}

/// Distances from a vertex; `None` for other parts.
fn distances(graph: &Graph, from: Square) -> Vec<Option<u32>> {
    let mut distance = vec![None; graph.len()];
    distance[from.index()] = Some(0);
    let mut queue = vec![from];
    let mut at = 0;
    while let Some(&here) = queue.get(at) {
        at += 1;
        for next in graph.neighbours(here) {
            if distance[next.index()].is_none() {
                distance[next.index()] = distance[here.index()].map(|d| d + 1);
                queue.push(next);
            }
        }
    }
    distance
}

fn is_connected(graph: &Graph) -> bool {
    distances(graph, Square::new(0)).iter().all(Option::is_some)
}

fn diameter(graph: &Graph) -> Option<u32> {
    let far =
        |from| distances(graph, from).into_iter().collect::<Option<Vec<u32>>>()?.into_iter().max();
    graph.vertices().map(far).collect::<Option<Vec<u32>>>()?.into_iter().max()
}

/// The length of a shortest cycle: from each vertex the least sum over edges that a search does not use.
fn girth(graph: &Graph) -> Option<u32> {
    let shortest = |root: Square| {
        let distance = distances(graph, root);
        let at = |v: Square| distance[v.index()];
        let parents =
            |v| graph.neighbours(v).filter(move |&u| at(u).map(|d| d + 1) == at(v)).count();
        let even = graph.vertices().filter(|&v| parents(v) > 1).filter_map(|v| Some(2 * at(v)?));
        let level = |u, v| u < v && at(u).is_some() && at(u) == at(v);
        let odd = graph.vertices().filter(|&u| graph.neighbours(u).any(|v| level(u, v)));
        even.chain(odd.filter_map(|v| Some(2 * at(v)? + 1))).min()
    };
    graph.vertices().filter_map(shortest).min()
}

fn is_bipartite(graph: &Graph) -> bool {
    let distance = distances(graph, Square::new(0));
    let parity = |v: Square| distance[v.index()].map(|d| d % 2);
    graph.vertices().all(|u| graph.neighbours(u).all(|v| parity(u) != parity(v)))
}

/// Hamiltonian cycles and paths.
fn tours(text: &str) -> (String, String) {
    let count = |kind| Count::new(made(text), kind).run(&Default::default()).unwrap();
    (count(CountKind::Closed).undirected.to_string(), count(CountKind::Open).undirected.to_string())
}

#[test]
fn orders_sizes_degrees_and_girths_are_the_known_ones() {
    // Text, vertices, edges, least and largest degree, girth, bipartite, diameter.
    let table = [
        ("petersen:5,2", 10, 15, 3, 3, Some(5), false, 2),
        ("petersen:4,1", 8, 12, 3, 3, Some(4), true, 3),
        ("petersen:8,3", 16, 24, 3, 3, Some(6), true, 4),
        ("petersen:10,2", 20, 30, 3, 3, Some(5), false, 5),
        ("petersen:12,5", 24, 36, 3, 3, Some(6), true, 4),
        ("cube:1", 2, 1, 1, 1, None, true, 1),
        ("cube:3", 8, 12, 3, 3, Some(4), true, 3),
        ("cube:8", 256, 1024, 8, 8, Some(4), true, 8),
        ("grid:1x1", 1, 0, 0, 0, None, true, 0),
        ("grid:1x5", 5, 4, 1, 2, None, true, 4),
        ("grid:3x4", 12, 17, 2, 4, Some(4), true, 5),
        ("flower:3", 12, 18, 3, 3, Some(3), false, 3),
        ("flower:5", 20, 30, 3, 3, Some(5), false, 4),
        ("flower:7", 28, 42, 3, 3, Some(6), false, 5),
        ("flower:9", 36, 54, 3, 3, Some(6), false, 6),
        ("coxeter", 28, 42, 3, 3, Some(7), false, 4),
        ("tutte", 46, 69, 3, 3, Some(4), false, 8),
        ("meredith", 70, 140, 4, 4, Some(4), false, 8),
        ("grid:2x2x2", 8, 12, 3, 3, Some(4), true, 3),
        ("torus:3x3", 9, 18, 4, 4, Some(3), false, 2),
        ("torus:5x6", 30, 60, 4, 4, Some(4), false, 5),
        ("torus:3x4x5", 60, 180, 6, 6, Some(3), false, 5),
        ("knight:3x4", 12, 14, 2, 3, Some(6), true, 5),
        ("knight:8x8", 64, 168, 2, 8, Some(4), true, 6),
        ("knight:4x4x4", 64, 288, 6, 12, Some(4), true, 4),
        ("king:1x5", 5, 4, 1, 2, None, true, 4),
        ("king:3x3", 9, 20, 3, 8, Some(3), false, 2),
        ("king:8x8", 64, 210, 3, 8, Some(3), false, 7),
        ("queen:3x3", 9, 28, 6, 8, Some(3), false, 2),
        ("queen:8x8", 64, 728, 21, 27, Some(3), false, 2),
        ("rook:3x3", 9, 18, 4, 4, Some(3), false, 2),
        ("rook:2x5", 10, 25, 5, 5, Some(3), false, 2),
        ("cycle:3", 3, 3, 2, 2, Some(3), false, 1),
        ("cycle:12", 12, 12, 2, 2, Some(12), true, 6),
        ("path:1", 1, 0, 0, 0, None, true, 0),
        ("path:12", 12, 11, 1, 2, None, true, 11),
        ("complete:1", 1, 0, 0, 0, None, true, 0),
        ("complete:7", 7, 21, 6, 6, Some(3), false, 1),
        ("bipartite:1,3", 4, 3, 1, 3, None, true, 2),
        ("bipartite:4,3", 7, 12, 3, 4, Some(4), true, 2),
    ];
    for (text, order, edges, least, most, cycle, two, across) in table {
        let graph = made(text);
        assert_eq!(graph.to_string(), text);
        assert_eq!((graph.order(), graph.edges()), (order, edges), "{text}");
        let degrees: Vec<usize> = graph.vertices().map(|v| graph.degree(v)).collect();
        let ends = (degrees.iter().min(), degrees.iter().max());
        assert_eq!(ends, (Some(&least), Some(&most)), "{text}");
        assert_eq!((girth(&graph), is_bipartite(&graph)), (cycle, two), "{text}");
        assert_eq!(diameter(&graph), Some(across), "{text}");
    }
}

#[test]
fn a_size_is_that_of_the_graph_and_nothing_is_dropped() {
    for generator in GENERATORS {
        let (name, arguments) = parts(generator.example);
        assert_eq!(name, generator.name);
        let values = generator.values(arguments).unwrap();
        let size = (generator.size)(&values).unwrap();
        let graph = made(generator.example);
        let built = (graph.order() as u128, u128::from(graph.edges()));
        assert_eq!((size.vertices, size.edges), built, "{name}");
        assert!(graph.dropped().is_none(), "{name}");
        assert_eq!(made(&graph.to_string()).to_string(), graph.to_string());
        let last = Square::from_index(graph.len() - 1);
        assert_eq!(
            (graph.name(Square::new(0)), graph.name(last)),
            ("1".into(), graph.len().to_string())
        );
    }
}

#[test]
fn vertices_are_numbered_as_the_table_says() {
    let joined = |text: &str, from: &str| {
        let graph = made(text);
        let vertex = graph.vertex(from).unwrap();
        graph.neighbours(vertex).map(|v| graph.name(v)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(joined("petersen:101,2", "1"), "2 101 102");
    assert_eq!(joined("petersen:101,2", "102"), "1 104 201");
    assert_eq!(joined("grid:3x4", "6"), "2 5 7 10");
    assert_eq!(joined("cube:3", "1"), "2 3 5");
    assert_eq!(joined("torus:3x4", "1"), "2 4 5 9");
    assert_eq!(joined("knight:3x4", "1"), "7 10");
    assert_eq!(joined("knight:2x3x3", "1"), "6 8 12 16");
    assert_eq!(joined("king:3x4", "1"), "2 5 6");
    assert_eq!(joined("bishop:3x4", "6"), "1 3 9 11");
    assert_eq!(joined("flower:5", "1"), "6 11 16");
    assert_eq!(joined("flower:5", "15"), "5 14 16");
    assert_eq!(joined("bipartite:2,3", "1"), "3 4 5");
    assert_eq!(joined("meredith", "1"), "5 6 7 8");
}

#[test]
fn the_named_graphs_have_no_hamiltonian_cycle() {
    for text in
        ["petersen:5,2", "petersen:11,2", "flower:3", "flower:5", "flower:9", "coxeter", "tutte"]
    {
        let (cycles, paths) = tours(text);
        assert_eq!(cycles, "0", "{text}");
        assert_ne!(paths, "0", "{text}");
    }
    let closed = Count::new(made("meredith"), CountKind::Closed).run(&Default::default()).unwrap();
    assert_eq!(closed.undirected.to_string(), "0");
}

#[test]
fn numbers_of_hamiltonian_cycles_and_paths_are_the_known_ones() {
    let both = |cycles: &str, paths: &str| (cycles.to_string(), paths.to_string());
    assert_eq!(tours("petersen:5,2"), both("0", "120"));
    assert_eq!(tours("cube:3"), both("6", "72"));
    assert_eq!(tours("cube:4").0, "1344");
    assert_eq!(tours("grid:6x6").0, "1072");
    assert_eq!(tours("complete:6"), both("60", "360"));
    assert_eq!(tours("bipartite:3,3"), both("6", "36"));
    assert_eq!(tours("cycle:9"), both("1", "9"));
    assert_eq!(tours("path:9"), both("0", "1"));
    // A torus of sides 4 is a hypercube, and a rook of sides 3 walks on a torus.
    assert_eq!(tours("torus:4x4").0, "1344");
    assert_eq!(tours("rook:3x3"), tours("torus:3x3"));
    assert_eq!(tours("grid:2x2x2"), tours("cube:3"));
    assert_eq!(tours("king:2x2"), tours("complete:4"));
    assert_eq!((tours("king:3x3").0, tours("king:4x4").0), ("16".into(), "2830".into()));
    assert_eq!(tours("knight:3x4"), both("0", "8"));
    assert_eq!(tours("knight:3x10").0, "16");
    assert_eq!(tours("bishop:3x3").1, "0");
    // petersen:N,2 has a cycle unless N leaves the remainder 5 when divided by 6.
    assert_ne!(tours("petersen:9,2").0, "0");
}

/// Hamiltonian cycles by plain recursion, each once.
fn cycles_by_recursion(graph: &Graph) -> usize {
    fn extend(graph: &Graph, path: &mut Vec<Square>) -> usize {
        let (first, here) = (path[0], path[path.len() - 1]);
        if path.len() == graph.order() {
            return usize::from(graph.adjacent(here, first));
        }
        let next: Vec<Square> = graph.neighbours(here).filter(|v| !path.contains(v)).collect();
        let mut found = 0;
        for vertex in next {
            path.push(vertex);
            found += extend(graph, path);
            path.pop();
        }
        found
    }
    extend(graph, &mut vec![Square::new(0)]) / 2
}

#[test]
fn pieces_and_tori_have_the_cycles_of_plain_recursion() {
    for text in [
        "king:2x4",
        "king:3x3",
        "queen:2x4",
        "queen:3x3",
        "rook:2x4",
        "rook:3x3",
        "torus:3x3",
        "torus:3x4",
        "knight:3x3x2",
        "grid:2x2x3",
    ] {
        assert_eq!(tours(text).0, cycles_by_recursion(&made(text)).to_string(), "{text}");
    }
}

#[test]
fn diagonals_are_counted_by_their_formula() {
    for rows in 1..=7u64 {
        for cols in 1..=7u64 {
            for piece in ["king", "queen", "rook", "bishop"] {
                let graph = made(&format!("{piece}:{rows}x{cols}"));
                let (_, arguments) = parts(graph.to_string().leak());
                let generator = named(piece).unwrap();
                let size = (generator.size)(&generator.values(arguments).unwrap()).unwrap();
                assert_eq!(size.edges, u128::from(graph.edges()), "{graph}");
            }
        }
    }
}

#[test]
fn random_graphs_are_simple_and_regular() {
    for order in 2..=14u64 {
        for degree in 1..order {
            for seed in 0..5 {
                if order * degree % 2 == 1 {
                    continue;
                }
                let graph = made(&format!("random-regular:{order},{degree},{seed}"));
                assert!(graph.dropped().is_none(), "{graph}");
                assert!(graph.vertices().all(|v| graph.degree(v) == degree as usize), "{graph}");
            }
        }
    }
    for text in ["random-regular:1001,500,3", "random-regular:1000,499,3", "random-regular:300,297"]
    {
        let graph = made(text);
        assert_eq!(
            graph.edges() * 2,
            graph.vertices().map(|v| graph.degree(v) as u64).sum::<u64>()
        );
        let degrees: HashSet<usize> = graph.vertices().map(|v| graph.degree(v)).collect();
        assert_eq!(degrees.len(), 1, "{text}");
    }
}

#[test]
fn a_seed_gives_one_random_graph() {
    let listed = |text: &str| {
        let graph = made(text);
        let arcs = graph.vertices().flat_map(|u| graph.neighbours(u).map(move |v| (u, v)));
        let edges = arcs.filter(|(u, v)| u < v);
        edges
            .map(|(u, v)| format!("{}-{}", u.number() + 1, v.number() + 1))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(made("random-regular:10,3").to_string(), "random-regular:10,3,1");
    assert_eq!(listed("random-regular:10,3"), listed("random-regular:10,3,1"));
    assert_ne!(listed("random-regular:10,3,2"), listed("random-regular:10,3,1"));
    assert_eq!(
        listed("random-regular:10,3,1"),
        "1-4 1-7 1-8 2-3 2-5 2-9 3-6 3-7 4-5 4-6 5-10 6-9 7-10 8-9 8-10"
    );
}

#[test]
fn a_random_cubic_graph_of_ten_thousand_vertices_is_made_quickly_and_connected() {
    let begun = Instant::now();
    let graph = made("random-regular:10000,3");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert_eq!(graph.edges(), 15_000);
    let connected =
        (1..=50).filter(|seed| is_connected(&made(&format!("random-regular:100,3,{seed}"))));
    assert!(connected.count() >= 48 && is_connected(&graph));
}

#[test]
fn graphs_that_are_too_large_are_refused_with_their_size() {
    let said = refused("complete:50000");
    assert!(
        said.starts_with("complete:50000 has 50,000 vertices and 1,249,975,000 edges; "),
        "{said}"
    );
    for text in [
        "complete:18446744073709551615",
        "bipartite:18446744073709551615,18446744073709551615",
        "grid:18446744073709551615x18446744073709551615",
        "petersen:18446744073709551615,2",
        "random-regular:18446744073709551615,18446744073709551614",
        "flower:18446744073709551615",
        "cube:63",
        "cube:24",
        "cycle:10000001",
        "grid:10000x10000",
        "grid:18446744073709551615x18446744073709551615x18446744073709551615",
        "torus:18446744073709551615x18446744073709551615x18446744073709551615",
        "knight:18446744073709551615x18446744073709551615x18446744073709551615",
        "king:18446744073709551615x18446744073709551615",
        "queen:18446744073709551615x18446744073709551615",
        "rook:18446744073709551615x18446744073709551615",
        "bishop:18446744073709551615x18446744073709551614",
    ] {
        let said = refused(text);
        assert!(said.contains("the limit is 10,000,000 vertices"), "{said}");
    }
    let error = generate("complete:10000", Some(1 << 30)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Memory);
    assert_eq!(
        error.to_string(),
        "complete:10000 has 49,995,000 edges and needs about 1.9 GiB of memory, but only 1.0 GiB is available; choose a smaller graph"
    );
}

#[test]
fn an_invalid_generator_is_answered_with_what_to_write() {
    for (text, said) in [
        ("petersn:5,2", "there is no generator 'petersn'; did you mean petersen:N,K?"),
        (
            "petersen",
            "'petersen' is not of the form petersen:N,K; write whole numbers, as in petersen:101,2",
        ),
        ("petersen:5", "'petersen:5' is not of the form petersen:N,K"),
        ("petersen:5,2,1", "not of the form"),
        ("petersen:5,-2", "not of the form"),
        ("petersen:5x2", "not of the form"),
        ("coxeter:3", "'coxeter:3' is not of the form coxeter;"),
        ("grid:3,4", "not of the form grid:RxC[x…]; write whole numbers, as in grid:10x10"),
        ("cycle:99999999999999999999", "not of the form"),
        ("random-regular:10", "not of the form random-regular:N,D[,SEED]"),
        (
            "petersen:4,2",
            "invalid graph petersen:4,2: N must be at least 3, and K at least 1 and less than half of N; write petersen:N,K",
        ),
        (
            "flower:4",
            "invalid graph flower:4: N must be odd and at least 3; write flower:N, as in flower:5",
        ),
        ("flower:1", "N must be odd"),
        (
            "random-regular:5,3",
            "invalid graph random-regular:5,3,1: D must be at least 1 and less than N, and one of them even",
        ),
        ("random-regular:4,4", "less than N"),
        ("cycle:2", "N must be at least 3"),
        ("complete:0", "N must be at least 1"),
        ("path:0", "N must be at least 1"),
        ("bipartite:0,3", "at least 1"),
        ("grid:0x3", "every side must be at least 1"),
        ("cube:64", "D must be from 1 to 63"),
        ("torus:2x3", "invalid graph torus:2x3: every side must be at least 3"),
        ("knight:4", "'knight:4' is not of the form knight:RxC[x…]"),
        ("knight:4x0x4", "every side must be at least 1"),
        ("king:8x8x8", "not of the form king:RxC;"),
        ("queen:0x8", "both sides must be at least 1"),
        ("cube:0", "D must be from 1 to 63"),
    ] {
        let error = refused(text);
        assert!(error.contains(said), "{text}: {error}");
    }
    let all = refused("something:else");
    assert!(GENERATORS.iter().all(|generator| all.contains(&generator.form())), "{all}");
}

#[test]
fn only_names_without_a_path_are_generators() {
    for text in ["petersen:5,2", "coxeter", "petersen", "petersn:5,2", "nothing:"] {
        assert!(is_generator(text), "{text}");
    }
    for text in [
        "petersen.txt",
        "no-such-file",
        "C:\\graph",
        "C:graph",
        "a/b:c",
        "file:///g.txt",
        "x:g.txt",
        "-",
        "",
    ] {
        assert!(!is_generator(text), "{text}");
    }
}
