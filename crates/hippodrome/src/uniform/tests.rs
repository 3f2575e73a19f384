//! Tests of uniformity against complete lists, of exact numbers of covers, of independence from the number of
//! threads, and of damaged files.

use super::arc::threshold;
use super::draw::below;
use super::*;
use crate::board::{Board, Graph, Square};
use crate::lab::chi_square::{Distance, distance};
use crate::lab::enumerate::Enumeration;
use crate::problem::{Goal, Problem};
use crate::search::{Control, Resources};
use crate::solvers::registry::Choice;
use crate::tour::{Distinct, Verified};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

fn knight(board: &str) -> Graph {
    Graph::knight(Board::parse(board).unwrap())
}

fn problem(board: &str, closed: bool) -> Problem {
    if closed { Problem::closed(knight(board)) } else { Problem::open(knight(board)) }
}

fn sampler(problem: &Problem) -> Arc<Sampler> {
    Arc::new(Sampler::new(problem, &Resources::default()).unwrap())
}

/// Maps every tour of a problem, listed by `exact`, to its index.
fn list(problem: &Problem, distinct: Distinct) -> HashMap<Vec<Square>, usize> {
    let choice = Choice::new::<&str>("exact", &[]).unwrap();
    let run = Enumeration { all: true, distinct, ..Enumeration::new(problem.clone(), choice) };
    let mut canon = problem.canon(distinct);
    let mut all = HashMap::new();
    let mut take = |tour: Verified<'_>| {
        let place = all.len();
        all.insert(canon.form(&tour).to_vec(), place);
        ControlFlow::Continue(())
    };
    run.run(&Control::default(), Some(&mut take)).unwrap();
    all
}

/// Draws tours and counts how often each occurs.
fn count(
    sampler: &Arc<Sampler>,
    all: &HashMap<Vec<Square>, usize>,
    distinct: Distinct,
    stream: TourStream,
) -> Vec<u64> {
    let mut canon = sampler.problem().canon(distinct);
    let mut counts = vec![0; all.len()];
    let mut take = |tour: Verified<'_>| {
        counts[all[canon.form(&tour)]] += 1;
        ControlFlow::Continue(())
    };
    stream.run(sampler, &Control::default(), &mut take).unwrap();
    counts
}

fn uniformity(problem: &Problem, distinct: Distinct, tours: u64, seed: u64) -> (usize, Distance) {
    let all = list(problem, distinct);
    let stream = TourStream { tours, seed, threads: 2 };
    let counts = count(&sampler(problem), &all, distinct, stream);
    assert_eq!(counts.iter().sum::<u64>(), tours);
    if tours > 25 * all.len() as u64 {
        assert!(counts.iter().all(|&n| n > 0), "every tour appears");
    }
    (all.len(), distance(&counts, &vec![1.0; all.len()]))
}

#[test]
fn every_tour_of_a_small_board_is_equally_likely() {
    let d = Distinct::Directed;
    let from = |board, start: &str, end: Option<&str>| {
        let graph = knight(board);
        let vertex = |name: &str| graph.vertex(name).unwrap();
        let ends = (Some(vertex(start)), end.map(vertex));
        Problem::new(graph.clone(), Goal::Open, ends.0, ends.1).unwrap()
    };
    let to = |board, end: &str| {
        let graph = knight(board);
        let end = graph.vertex(end).unwrap();
        Problem::new(graph, Goal::Open, None, Some(end)).unwrap()
    };
    let cases = [
        ("5x5", problem("5x5", false), d, 1728, 100_000),
        ("5x6 closed", problem("5x6", true), d, 480, 50_000),
        ("6x6 closed", problem("6x6", true), Distinct::Cycle, 9862, 150_000),
        ("5x6", problem("5x6", false), d, 37_568, 300_000),
        ("5x5 from a1", from("5x5", "a1", None), d, 304, 30_000),
        ("5x5 to c3", to("5x5", "c3"), d, 64, 10_000),
        ("5x6 from a1 to b1", from("5x6", "a1", Some("b1")), d, 458, 20_000),
    ];
    for (name, problem, distinct, known, tours) in cases {
        let (all, distance) = uniformity(&problem, distinct, tours, 5);
        assert_eq!(all, known, "{name}");
        assert!((1e-3..0.999).contains(&distance.p_value), "{name}: {distance:?}");
    }
}

#[test]
fn a_sampler_with_perturbed_weights_fails_the_test() {
    let problem = problem("5x5", false);
    let all = list(&problem, Distinct::Directed);
    for (percent, fails) in [(0, false), (3, true)] {
        let mut perturbed = Sampler::new(&problem, &Resources::default()).unwrap();
        perturbed.perturb(percent);
        let stream = TourStream { tours: 200_000, seed: 1, threads: 2 };
        let counts = count(&Arc::new(perturbed), &all, Distinct::Directed, stream);
        let p = distance(&counts, &vec![1.0; all.len()]).p_value;
        assert_eq!(p < 1e-6, fails, "{percent}%: p = {p}");
    }
}

#[test]
fn the_numbers_of_covers_are_the_known_ones() {
    let text = include_str!("../../data/known-counts.tsv");
    let mut checked = 0;
    for line in text.lines() {
        let [board, kind, count, ..] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let closed = match kind {
            "two-factors" => true,
            "path-covers" => false,
            _ => continue,
        };
        // The benchmark covers the longer boards.
        if !["8x10", "8x8"].contains(&board) {
            let made = sampler(&problem(board, closed));
            assert_eq!(made.covers(), count.parse::<u128>().unwrap(), "{board} {kind}");
            checked += 1;
        }
    }
    assert_eq!(checked, 5);
}

#[test]
fn closed_8x8_is_accepted_as_often_as_is_known() {
    let made = sampler(&problem("8x8", true));
    assert_eq!(made.covers(), 56_691_832_946_529);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (covers, share) = (400_000, 13_267_364_410_532.0 / 56_691_832_946_529.0);
    let tours = made.tours_among(covers, &mut rng) as f64;
    let error = (covers as f64 * share * (1.0 - share)).sqrt();
    assert!((tours - covers as f64 * share).abs() < 3.0 * error, "{tours}");
}

#[test]
fn the_share_of_closed_tours_is_right() {
    // 36 starts and 2 directions for each of 9,862 cycles, among 6,637,920 tours.
    let (mut closed, tours, share) = (0u64, 200_000, 710_064.0 / 6_637_920.0);
    let mut take = |tour: Verified<'_>| {
        closed += u64::from(tour.is_closed());
        ControlFlow::Continue(())
    };
    let stream = TourStream { tours, seed: 1, threads: 2 };
    stream.run(&sampler(&problem("6x6", false)), &Control::default(), &mut take).unwrap();
    let error = (tours as f64 * share * (1.0 - share)).sqrt();
    assert!((closed as f64 - tours as f64 * share).abs() < 3.0 * error, "{closed}");
}

#[test]
fn the_same_seed_gives_the_same_tours_on_any_number_of_threads() {
    for closed in [false, true] {
        let made = sampler(&problem("6x6", closed));
        let draw = |seed, threads| {
            let mut tours = Vec::new();
            let mut take = |tour: Verified<'_>| {
                tours.push(tour.squares().to_vec());
                ControlFlow::Continue(())
            };
            let stream = TourStream { tours: 5000, seed, threads };
            stream.run(&made, &Control::default(), &mut take).unwrap();
            tours
        };
        let one = draw(7, 1);
        assert_eq!(one, draw(7, 2));
        assert_eq!(one, draw(7, 3));
        assert_ne!(one, draw(8, 1));
    }
}

#[test]
fn the_table_does_not_depend_on_threads() {
    let problem = problem("6x6", false);
    let arcs = |threads| {
        let made = Sampler::new(&problem, &Resources { threads, ..Resources::default() }).unwrap();
        made.arcs()
    };
    assert_eq!(arcs(1), arcs(3));
}

#[test]
fn a_damaged_file_is_replaced() {
    let folder = std::env::temp_dir().join(format!("hippodrome-cache-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let problem = problem("6x7", false);
    let resources = Resources { cache: Some(&folder), ..Resources::default() };
    let made = || Sampler::new(&problem, &resources).unwrap();
    let first = made();
    let origin = first.origin().clone();
    let file = origin.file.clone().unwrap();
    assert!(!origin.read && origin.trouble.is_none() && origin.bytes > 1 << 20);
    let second = made();
    assert!(second.origin().read && second.arcs() == first.arcs());
    let listed = cached_tables(&folder).unwrap();
    let content = Some(TableContent { squares: 42, open: true });
    assert_eq!(listed, [CachedTable { path: file.clone(), bytes: origin.bytes, content }]);
    let whole = std::fs::read(&file).unwrap();
    let flip = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        bytes
    };
    let (size, shorter) = (whole.len(), whole[..whole.len() / 2].to_vec());
    let longer = [&whole[..], &[0]].concat();
    for bytes in [flip(3), flip(20), flip(size / 3), flip(size - 1), shorter, longer, Vec::new()] {
        std::fs::write(&file, bytes).unwrap();
        let again = made();
        assert!(!again.origin().read && again.origin().trouble.is_some());
        assert!(again.arcs() == first.arcs() && std::fs::read(&file).unwrap() == whole);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn clearing_the_cache_removes_tables_and_nothing_else() {
    let folder = std::env::temp_dir().join(format!("hippodrome-clear-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    assert_eq!(cached_tables(&folder).unwrap(), []);
    assert_eq!(clear_cache(&folder).unwrap(), (0, 0));
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["short.table", "notes.txt", ".left.table.7-1-0.part"] {
        std::fs::write(folder.join(name), "12345").unwrap();
    }
    let listed = cached_tables(&folder).unwrap();
    assert_eq!((listed.len(), listed[0].bytes, listed[0].content), (1, 5, None));
    assert_eq!(clear_cache(&folder).unwrap(), (1, 5));
    let left: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["notes.txt"]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_board_too_large_is_rejected_with_advice() {
    for large in ["1000x1000", "3x1000"] {
        assert!(Sampler::new(&problem(large, false), &Resources::default()).is_err());
    }
    let wide = Sampler::new(&problem("9x9", false), &Resources::default()).err().unwrap();
    assert!(wide.to_string().contains("at most 8 rows or 8 columns"), "{wide}");
    let resources = Resources { memory: 1 << 20, ..Resources::default() };
    let large = Sampler::new(&problem("8x8", true), &resources).err().unwrap();
    assert!(matches!(large, TableError::Memory { .. }), "{large}");
    let stopped = Resources { stop: &|| true, ..Resources::default() };
    let stopped = Sampler::new(&problem("6x6", true), &stopped).err();
    assert_eq!(stopped, Some(TableError::Stopped));
}

#[test]
fn thresholds_and_random_numbers_are_exact() {
    for (covers, whole) in
        [(1u128, 3u128), (2, 3), (1, u128::MAX >> 21), (7 << 80, 9 << 80), (5, 5)]
    {
        let scaled = covers << 20;
        assert_eq!(u128::from(threshold(covers, whole)), scaled / whole, "{covers}/{whole}");
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut counts = [0; 7];
    (0..70_000).for_each(|_| counts[below(&mut rng, 7) as usize] += 1);
    assert!(distance(&counts, &[1.0; 7]).p_value > 1e-3);
    assert_eq!(below(&mut rng, 1), 0);
    let large = u128::MAX >> 3;
    assert!((0..100).all(|_| below(&mut rng, large) < large));
}
