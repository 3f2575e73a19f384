//! Tests of puzzles: brute force counts the tours that have the clues.

use super::*;
use crate::board::{Board, Csr};
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

fn knight(board: &str) -> Graph {
    Graph::knight(Board::parse(board).unwrap())
}

/// All tours of a graph, by plain backtracking.
fn all_tours(graph: &Graph) -> Vec<Vec<Square>> {
    fn go(graph: &Graph, path: &mut Vec<Square>, all: &mut Vec<Vec<Square>>) {
        if path.len() == graph.order() {
            all.push(path.clone());
            return;
        }
        let here = path[path.len() - 1];
        for next in graph.neighbours(here) {
            if !path.contains(&next) {
                path.push(next);
                go(graph, path, all);
                path.pop();
            }
        }
    }
    let mut all = Vec::new();
    for start in graph.vertices() {
        go(graph, &mut vec![start], &mut all);
    }
    all
}

/// Small boards and graphs with all their tours.
static OPEN: LazyLock<Vec<(Graph, Vec<Vec<Square>>)>> = LazyLock::new(|| {
    let holed = Board::from_mask("....\n.#..\n...#\n....").unwrap();
    let king = Graph::leaper(Board::parse("3x3").unwrap(), "0,1+1,1".parse().unwrap());
    let names = (0..6).map(|v| v.to_string()).collect();
    let prism = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)];
    let prism = Graph::File(Arc::new(Csr::new("prism".into(), names, &prism)));
    let graphs = [knight("3x4"), knight("4x5"), knight("5x5"), Graph::knight(holed), king, prism];
    graphs.into_iter().map(|graph| (graph.clone(), all_tours(&graph))).collect()
});

/// The tours with the given numbers.
fn matching<'a>(
    graph: &'a Graph,
    tours: &'a [Vec<Square>],
    closed: bool,
    clues: &'a [(usize, Square)],
) -> impl Iterator<Item = &'a Vec<Square>> {
    let closes =
        |tour: &Vec<Square>| tour.len() > 2 && graph.adjacent(tour[0], tour[tour.len() - 1]);
    tours.iter().filter(move |tour| {
        (!closed || closes(tour))
            && clues.iter().all(|&(number, square)| tour[number - 1] == square)
    })
}

const NEVER: &dyn Fn() -> bool = &|| false;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn solutions_are_the_tours_with_the_clues(
        which in 0usize..6, closed: bool, from_tour: bool, picks in proptest::collection::vec((0usize..1000, 0usize..1000), 1..9), tour in 0usize..10_000,
    ) {
        let (graph, tours) = &OPEN[which];
        let order = graph.order();
        let squares: Vec<Square> = graph.vertices().collect();
        // Clues of a tour, which have a solution, or any clues, which rarely have.
        let clues: Vec<(usize, Square)> = picks.iter().map(|&(number, square)| {
            let number = 1 + number % order;
            match tours.get(tour % tours.len().max(1)).filter(|_| from_tour) {
                Some(tour) => (number, tour[number - 1]),
                None => (number, squares[square % order]),
            }
        }).collect();
        let mut expected: Vec<_> = matching(graph, tours, closed, &clues).cloned().collect();
        let mut all = ClueSet::new(graph, closed, &clues).count(usize::MAX, u64::MAX, NEVER);
        prop_assert!(all.complete);
        all.found.sort();
        expected.sort();
        prop_assert_eq!(&all.found, &expected);
        let two = ClueSet::new(graph, closed, &clues).count(2, u64::MAX, NEVER);
        prop_assert_eq!(two.found.len(), expected.len().min(2));
        let other = ClueSet::new(graph, closed, &clues[1..]).excluding(clues[0]).count(1, u64::MAX, NEVER);
        let elsewhere = matching(graph, tours, closed, &clues[1..]).filter(|t| t[clues[0].0 - 1] != clues[0].1).count();
        prop_assert_eq!(other.found.is_empty(), elsewhere == 0);
    }
}

#[test]
fn without_clues_every_tour_is_a_solution() {
    let counts: Vec<usize> = OPEN.iter().map(|(_, tours)| tours.len()).collect();
    assert_eq!(counts[..3], [16, 164, 1728]);
    for (graph, tours) in OPEN.iter().filter(|(graph, _)| graph.order() < 20) {
        let all = ClueSet::new(graph, false, &[]).count(usize::MAX, u64::MAX, NEVER);
        assert!(all.complete && all.found.len() == tours.len(), "{graph}");
    }
}

fn made(problem: Problem, clues: Option<usize>, seed: u64) -> Puzzle {
    let search = PuzzleSearch { problem, clues, seed, nodes: DEFAULT_NODES };
    match search.run(&Control::default()).unwrap() {
        PuzzleOutcome::Made(puzzle) => *puzzle,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_puzzle_has_one_solution_among_all_tours() {
    for seed in 0..6 {
        let puzzle = made(Problem::open(knight("5x5")), Some(5), seed);
        let (graph, tours) = &OPEN[2];
        let solutions: Vec<_> = matching(graph, tours, false, &puzzle.clues).collect();
        assert_eq!(puzzle.clues.len(), 5);
        assert_eq!(solutions, [puzzle.solution.squares()], "seed {seed}");
        assert!(puzzle.search >= 1);
    }
    let king = Graph::leaper(Board::parse("3x3").unwrap(), "0,1+1,1".parse().unwrap());
    let puzzle = made(Problem::closed(king), Some(5), 2);
    let (graph, tours) = &OPEN[4];
    assert_eq!(matching(graph, tours, true, &puzzle.clues).count(), 1);
    assert!(puzzle.solution.is_closed() && puzzle.instructions().contains("9 and 1 as well"));
}

#[test]
fn a_seed_gives_one_puzzle_and_another_seed_another() {
    let of = |seed| made(Problem::open(knight("5x6")), Some(9), seed);
    assert_eq!(of(3).describe(), of(3).describe());
    assert_ne!(of(3).describe(), of(4).describe());
}

#[test]
fn as_few_clues_as_possible_are_left_without_a_number() {
    let puzzle = made(Problem::open(knight("5x5")), None, 1);
    let (graph, tours) = &OPEN[2];
    for index in 0..puzzle.clues.len() {
        let mut fewer = puzzle.clues.clone();
        fewer.remove(index);
        assert!(matching(graph, tours, false, &fewer).count() > 1, "clue {index} is not needed");
    }
}

#[test]
fn wrong_requests_and_boards_without_tours_are_reported() {
    let run = |board: &str, clues: usize, nodes: u64| {
        let problem = Problem::open(knight(board));
        PuzzleSearch { problem, clues: Some(clues), seed: 1, nodes }.run(&Control::default())
    };
    let said = |board: &str, clues: usize| run(board, clues, 1000).unwrap_err().to_string();
    assert!(said("5x5", 0).contains("from 1 to 25") && said("5x5", 26).contains("clues 26"));
    assert!(said("30x30", 50).contains("at most 400"));
    assert!(matches!(run("4x4", 3, 1000), Ok(PuzzleOutcome::Impossible(_))));
    match run("5x5", 1, 2000) {
        Ok(PuzzleOutcome::Limit { fewest: Some(fewest) }) => assert!((2..12).contains(&fewest)),
        other => panic!("{other:?}"),
    }
}
