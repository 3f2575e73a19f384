//! Compares chromosomes, repair and evolution with the papers' examples and a plain program.

use super::chromosome::{Gene, GeneGraph, LargeGeneGraph, SmallGeneGraph, draw};
use super::edges::Edges;
use super::evaluate::{Course, Decoder, Target};
use super::heuristic::{FewestMoves, HeuristicParams};
use super::repair::{LowestGene, NoRepair, Repair};
use crate::board::graph_file::read_graph;
use crate::board::{Board, Graph, Square};
use crate::lab::enumerate::{Dedup, Enumeration, Summary};
use crate::problem::{Goal, Problem};
use crate::search::{Budget, Control, Params, Reading, Resources, Solver, Status};
use crate::solvers::registry::Choice;
use crate::tour::verify;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;

/// Figure 2 of Gordon & Slocum, from e4.
const FIGURE_2: &str = "4365036016724712333670723524663671602124642256571064102143461072";
/// Figure 3: a closed tour.
const FIGURE_3: &str = "4365036016724712333614725657142761602124570254301603452070565417";

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn leaper(board: &str, leaper: &str) -> Graph {
    Graph::leaper(Board::parse(board).unwrap(), leaper.parse().unwrap())
}

fn knight(board: &str) -> Graph {
    leaper(board, "1,2")
}

fn digits(text: &str) -> Vec<Gene> {
    text.bytes().map(|b| Gene::from(b - b'0')).collect()
}

fn fewest(graph: &Graph, params: &[&str]) -> FewestMoves {
    let choice = Choice::new("heuristic-only", params).unwrap();
    FewestMoves::new(graph, &HeuristicParams::from_values(&choice.values)).unwrap()
}

/// Follows a chromosome from a square; returns the visited squares.
fn follow<F: GeneGraph, M: Repair>(
    field: &F,
    repair: &M,
    problem: &Problem,
    start: Square,
    genes: &mut [Gene],
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<Square> {
    let walk = Decoder::new(field, repair, Target::new(problem));
    let mut path = vec![field.place(start); genes.len() + 1];
    let mut course = Course::new(genes, &mut path, 0, Default::default());
    walk.begin(&mut course);
    assert!(!walk.advance(&mut course, usize::MAX, rng));
    walk.finish(&mut course, rng);
    let moves = course.head.moves;
    path[..=moves].iter().map(|&place| field.square(place)).collect()
}

/// Follows a chromosome on 8x8; squares are given and returned by their algebraic names. Missing
/// genes are zeros.
fn named<M: Repair>(
    repair: &M,
    start: &str,
    text: &str,
    squares: usize,
) -> (Vec<String>, Vec<Gene>) {
    let graph = knight("8x8");
    let mut genes = digits(text);
    genes.resize(64, 0);
    let field = *SmallGeneGraph::new(&graph).unwrap();
    let start = graph.vertex(start).unwrap();
    let problem = Problem::open(graph.clone());
    let path = follow(&field, repair, &problem, start, &mut genes, &mut generator(1));
    genes.truncate(text.len());
    (path.iter().take(squares).map(|&s| graph.name(s)).collect(), genes)
}

#[test]
fn the_2004_example_has_four_legal_moves_and_continues_when_repaired() {
    let (path, genes) = named(&NoRepair, "e4", "66125", 64);
    assert_eq!(path, ["e4", "c3", "a2", "c1", "e2"]);
    assert_eq!(genes, digits("66125"));
    let (path, genes) = named(&LowestGene, "e4", "66125", 6);
    assert_eq!(path, ["e4", "c3", "a2", "c1", "e2", "g1"]);
    assert_eq!(genes, digits("66121"), "000 leads off the board, 001 to g1");
}

#[test]
fn the_2007_example_goes_to_the_square_with_five_legal_moves() {
    // The paper numbers squares from 1, top row first.
    let name = |n: usize| format!("{}{}", (b'a' + ((n - 1) % 8) as u8) as char, 8 - (n - 1) / 8);
    let rule = fewest(&knight("8x8"), &[]);
    // The example prints 101 for the third move, but its Figure 2 has 110.
    let (path, genes) = named(&rule, &name(50), "2460", 5);
    assert_eq!(path, [50, 44, 27, 33, 18].map(name));
    assert_eq!(genes, digits("2463"));
    let (path, _) = named(&NoRepair, &name(50), "2460", 5);
    assert_eq!(path.len(), 4, "fitness 3");
}

#[test]
fn the_printed_chromosomes_are_tours_and_their_last_gene_is_unused() {
    let graph = knight("8x8");
    let start = graph.vertex("e4").unwrap();
    for (text, closed) in [(FIGURE_2, false), (FIGURE_3, true)] {
        for last in 0..8 {
            let mut genes = digits(text);
            genes[63] = last;
            let before = genes.clone();
            let field = *SmallGeneGraph::new(&graph).unwrap();
            let problem = Problem::open(graph.clone());
            let path = follow(&field, &NoRepair, &problem, start, &mut genes, &mut generator(1));
            assert_eq!(genes, before);
            let tour = verify(&graph, path.clone()).unwrap();
            assert_eq!(tour.is_closed(), closed);
            // If the tour must close, the last gene is the closing move, or is repaired.
            let problem = Problem::closed(graph.clone());
            let path = follow(&field, &LowestGene, &problem, start, &mut genes, &mut generator(1));
            assert_eq!(path.len(), 64 + usize::from(closed));
            let closing = graph.code(path[63], start).map_or(last, |code| code as Gene);
            assert_eq!(genes[63], closing);
        }
    }
}

/// Decodes a chromosome by a plain program, with rows, columns and branches.
fn plain(
    graph: &Graph,
    start: Square,
    genes: &mut [Gene],
    choose: impl Fn(&[Square], &[(Gene, Square)]) -> Option<Gene>,
) -> Vec<Square> {
    let mut path = vec![start];
    for gene in &mut genes[..graph.order() - 1] {
        let here = path[path.len() - 1];
        let legal: Vec<(Gene, Square)> = match graph.move_count() {
            Some(moves) => (0..moves as Gene)
                .filter_map(|g| graph.step(here, g as usize).map(|to| (g, to)))
                .filter(|(_, to)| !path.contains(to))
                .collect(),
            None => {
                (0..).zip(graph.neighbours(here)).filter(|(_, to)| !path.contains(to)).collect()
            }
        };
        if !legal.iter().any(|(g, _)| g == gene) {
            match choose(&path, &legal) {
                Some(better) => *gene = better,
                None => return path,
            }
        }
        path.extend(legal.iter().find(|(g, _)| g == gene).map(|(_, to)| *to));
    }
    path
}

fn grounds() -> Vec<Graph> {
    let holed = Board::parse("7x6").unwrap().with_holes([3, 20, 29].map(Square::new)).unwrap();
    let wheel: String =
        (1..=19).map(|i| format!("rim{i} rim{}\nhub rim{i}\n", i % 19 + 1)).collect();
    vec![
        knight("8x8"),
        knight("1x1"),
        knight("9x10"),
        Graph::knight(holed),
        leaper("5x5", "0,1"),
        leaper("6x6", "1,2+0,1"),
        leaper("6x7", "1,2+0,1+1,1+2,2+0,3+1,4+2,3+1,5+2,5"),
        read_graph("wheel", &wheel).unwrap(),
    ]
}

/// Follows two chromosomes in parallel; they must match the expected ones.
fn race<F: GeneGraph, M: Repair>(
    field: &F,
    repair: &M,
    problem: &Problem,
    start: Square,
    before: [&[Gene]; 2],
    expected: [&[Gene]; 2],
    rng: &mut Xoshiro256PlusPlus,
) {
    let walk = Decoder::new(field, repair, Target::new(problem));
    let mut genes = before.map(<[Gene]>::to_vec);
    let mut paths = [(); 2].map(|()| vec![field.place(start); problem.graph().order() + 1]);
    let ([one, two], [first, second]) = (&mut genes, &mut paths);
    let mut one = Course::new(one, first, 0, Default::default());
    let mut two = Course::new(two, second, 0, Default::default());
    walk.begin(&mut one);
    walk.begin(&mut two);
    walk.race(&mut one, &mut two, rng);
    assert_eq!(genes, expected, "{}: side by side", problem.graph());
}

/// Compares both graphs with the plain program, on random chromosomes from every square.
fn agrees<M: Repair>(
    graph: &Graph,
    repair: &M,
    choose: impl Fn(&[Square], &[(Gene, Square)]) -> Option<Gene> + Copy,
) {
    let (small, large) = (SmallGeneGraph::new(graph), LargeGeneGraph::new(graph));
    let problem = Problem::open(graph.clone());
    let mut rng = generator(5);
    for start in graph.vertices() {
        let (mut last, mut after) = (vec![0; graph.order()], vec![0; graph.order()]);
        plain(graph, start, &mut after, choose);
        for _ in 0..8 {
            let mut genes = vec![0; graph.order()];
            draw(&mut genes, large.bits(), &mut rng);
            let (mut by_small, mut by_large) = (genes.clone(), genes.clone());
            let expected = plain(graph, start, &mut genes, choose);
            let path = follow(&large, repair, &problem, start, &mut by_large, &mut rng);
            assert_eq!((path, by_large), (expected.clone(), genes.clone()), "{graph}, large");
            if let Some(small) = &small {
                let problem = &problem;
                race(
                    &**small,
                    repair,
                    problem,
                    start,
                    [&by_small, &last],
                    [&genes, &after],
                    &mut rng,
                );
                (last, after) = (by_small.clone(), genes.clone());
                let path = follow(&**small, repair, problem, start, &mut by_small, &mut rng);
                assert_eq!((path, by_small), (expected, genes), "{graph}, small");
            }
        }
    }
}

#[test]
fn repair_does_what_a_plain_program_does() {
    for graph in grounds() {
        agrees(&graph, &NoRepair, |_, _| None);
        agrees(&graph, &LowestGene, |_, legal| legal.first().map(|(gene, _)| *gene));
    }
}

#[test]
fn the_heuristic_does_what_a_plain_program_does() {
    for graph in grounds() {
        let live = |path: &[Square], v: Square| {
            graph.neighbours(v).filter(|to| !path.contains(to)).count()
        };
        let first = |legal: &[(Gene, Square)], key: &dyn Fn(Square) -> usize| {
            legal.iter().min_by_key(|(_, to)| key(*to)).map(|(gene, _)| *gene)
        };
        agrees(&graph, &fewest(&graph, &[]), |path, legal| first(legal, &|to| live(path, to)));
        agrees(&graph, &fewest(&graph, &["degree=static"]), |_, legal| {
            first(legal, &|to| graph.degree(to))
        });
        agrees(&graph, &fewest(&graph, &["ties=last"]), |path, legal| {
            let backwards: Vec<_> = legal.iter().rev().copied().collect();
            first(&backwards, &|to| live(path, to))
        });
        agrees(&graph, &fewest(&graph, &["heuristic=pohl"]), |path, legal| {
            first(legal, &|to| {
                let free = graph.neighbours(to).filter(|v| !path.contains(v));
                1000 * live(path, to) + free.map(|v| live(path, v)).sum::<usize>()
            })
        });
        let Some(board) = graph.board() else { continue };
        let (rows, cols) = (f64::from(board.rows()), f64::from(board.cols()));
        agrees(&graph, &fewest(&graph, &["heuristic=roth"]), |path, legal| {
            first(legal, &|to| {
                let (row, col) = (f64::from(board.row(to)), f64::from(board.col(to)));
                let far = (2.0 * row + 1.0 - rows).powi(2) + (2.0 * col + 1.0 - cols).powi(2);
                10_000 * live(path, to) + 9999 - far as usize
            })
        });
    }
}

#[test]
fn random_ties_take_every_equal_square() {
    let graph = knight("8x8");
    let rule = fewest(&graph, &["ties=random"]);
    let field = *SmallGeneGraph::new(&graph).unwrap();
    let problem = Problem::open(graph.clone());
    let mut rng = generator(3);
    // Gene 0 leads off the board from a1, and b3 and c2 are equally good.
    let second =
        |rng: &mut _| follow(&field, &rule, &problem, Square::new(0), &mut [0; 64], rng)[1];
    let seen: HashSet<String> = (0..100).map(|_| graph.name(second(&mut rng))).collect();
    assert_eq!(seen, HashSet::from(["b3".to_string(), "c2".to_string()]));
}

#[test]
fn a_gene_has_three_bits_or_more_if_the_moves_need_them() {
    let bits = |graph: &Graph| LargeGeneGraph::new(graph).bits();
    assert_eq!(bits(&leaper("5x5", "0,1")), 3);
    assert_eq!(bits(&knight("8x8")), 3);
    assert_eq!(bits(&leaper("5x5", "1,2+0,1")), 4);
    assert_eq!(bits(&leaper("5x5", "1,2+1,3")), 4);
    assert_eq!(bits(&leaper("5x5", "1,2+1,3+0,1")), 5);
    let star: String = (1..=9).map(|i| format!("hub {i}\n")).collect();
    assert_eq!(bits(&read_graph("star", &star).unwrap()), 4, "nine neighbours");
}

#[test]
fn edge_recombination_of_a_tour_with_itself_gives_the_tour() {
    let graph = knight("8x8");
    let field = *SmallGeneGraph::new(&graph).unwrap();
    let genes = digits(FIGURE_2);
    let problem = Problem::open(graph.clone());
    let start = graph.vertex("e4").unwrap();
    let path = follow(&field, &NoRepair, &problem, start, &mut genes.clone(), &mut generator(1));
    let path: Vec<u32> = path.into_iter().map(|square| field.place(square)).collect();
    let mut edges = Edges::new(field.places());
    edges.learn([&path, &path]);
    let mut child = vec![0; 64];
    let heritage = edges.breed(&field, &mut 0, path[0], &mut child, &mut generator(1));
    assert_eq!(child[..63], genes[..63]);
    assert_eq!((heritage.moves, heritage.inherited), (63, 63));
}

#[test]
fn edge_recombination_uses_and_counts_the_parents_moves() {
    for graph in grounds().into_iter().filter(|g| g.order() > 1) {
        let field = LargeGeneGraph::new(&graph);
        let problem = Problem::open(graph.clone());
        let mut rng = generator(2);
        let (mut edges, mut free) = (Edges::new(field.places()), Default::default());
        for round in 0..200 {
            let start = graph.vertices().nth(round % graph.order()).unwrap();
            let mut parent = || {
                let mut genes = vec![0; graph.order()];
                draw(&mut genes, field.bits(), &mut rng);
                follow(&field, &LowestGene, &problem, start, &mut genes, &mut rng)
            };
            let parents = [parent(), parent()];
            let places = parents
                .each_ref()
                .map(|path| path.iter().map(|&square| field.place(square)).collect::<Vec<u32>>());
            edges.learn([&places[0], &places[1]]);
            let mut genes = vec![0; graph.order()];
            let heritage = edges.breed(&field, &mut free, field.place(start), &mut genes, &mut rng);
            let made = heritage.moves as usize;
            let path = plain(&graph, start, &mut genes.clone(), |_, _| None);
            assert!(path.len() > made, "{graph}: its genes are moves");
            let stuck = graph.neighbours(path[made]).all(|to| path[..=made].contains(&to));
            assert!(stuck, "{graph}: it ends where there is no free square");
            let steps = |path: &[Square]| -> HashSet<(Square, Square)> {
                path.windows(2).map(|w| (w[0].min(w[1]), w[0].max(w[1]))).collect()
            };
            let known: HashSet<_> = parents.iter().flat_map(|p| steps(p)).collect();
            let inherited = steps(&path[..=made]).intersection(&known).count() as u64;
            assert_eq!(heritage.inherited, inherited, "{graph}");
        }
    }
}

fn enumeration(board: &str, solver: &str, params: &[&str]) -> Enumeration {
    let choice = Choice::new(solver, params).unwrap();
    let problem = Problem::open(knight(board));
    Enumeration { threads: 2, ..Enumeration::new(problem, choice) }
}

fn count(run: &Enumeration) -> Summary {
    run.run(&Control::default(), None).unwrap()
}

fn number(summary: &Summary, name: &str) -> (u64, f64, f64) {
    match summary.readings.iter().find(|(n, _)| *n == name).unwrap().1 {
        Reading::Count(n) => (n, 0.0, 0.0),
        Reading::Spread { times, sum, max, .. } => (times, sum, max),
    }
}

#[test]
fn a_run_makes_population_times_generations_attempts_and_ends_by_itself() {
    for solver in ["ga", "ga-repair", "ga-heuristic", "repair-only", "heuristic-only"] {
        let params = ["runs=3", "population=7", "generations=11"];
        let summary = count(&enumeration("5x5", solver, &params));
        assert_eq!(summary.total.attempts, 25 * 3 * 7 * 11, "{solver}");
        assert_eq!(summary.status, Status::Limit);
        assert_eq!(number(&summary, "runs").0, 75);
        let (runs, strings, _) = number(&summary, "strings_of_a_run");
        assert!(runs == 75 && strings <= 75.0 * 77.0);
        let fresh = solver.ends_with("only");
        assert_eq!(strings == 75.0 * 77.0, fresh, "{solver}: only children repeat strings");
    }
}

#[test]
fn budgets_shorten_runs_or_add_more() {
    let mut run = enumeration("5x5", "ga-heuristic", &["runs=0", "generations=4"]);
    run.budget = Budget { attempts: Some(25 * 1100), ..Budget::UNLIMITED };
    let summary = count(&run);
    assert_eq!(summary.total.attempts, 25 * 1100);
    assert_eq!(number(&summary, "runs").0, 25 * 6, "five whole runs and half of one");
    run.budget = Budget { moves: Some(500_000), ..Budget::UNLIMITED };
    let summary = count(&run);
    assert!((500_000..500_000 + 25 * 25).contains(&summary.total.moves), "{:?}", summary.total);
    assert!(number(&summary, "runs").0 > 25);
}

#[test]
fn statistics_of_runs_agree_with_what_was_found() {
    let run = enumeration("5x5", "ga-heuristic", &["runs=1", "generations=30"]);
    let summary = count(&Enumeration { by_start: true, ..run });
    let total = summary.total;
    let (runs, tours, _) = number(&summary, "tours_of_a_run");
    assert_eq!((runs, tours), (25, total.distinct as f64), "one run from each square");
    let found = summary.by_start.values().filter(|tally| tally.distinct > 0).count() as u64;
    assert_eq!(number(&summary, "failed_runs").0, 25 - found);
    let (succeeded, _, last) = number(&summary, "generation_of_first_tour");
    assert!(succeeded == found && last <= 30.0);
    let at_once = number(&summary, "runs_with_a_tour_in_generation_1").0;
    assert!(0 < at_once && at_once <= found);
    let most = number(&summary, "most_tours_in_a_generation").2;
    let new = number(&summary, "most_new_tours_in_a_generation").2;
    assert!(1.0 <= new && new <= most && most <= 50.0);
}

#[test]
fn repair_and_the_heuristic_find_tours_of_the_chessboard_and_evolution_finds_more() {
    let distinct = |solver, params: &[&str], attempts| {
        let mut run = enumeration("8x8", solver, params);
        run.budget.attempts = Some(attempts);
        (count(&run).total.distinct, run)
    };
    let (alone, _) = distinct("heuristic-only", &[], 160_000);
    let (evolved, _) = distinct("ga-heuristic", &["replace=elitist"], 160_000);
    assert!((2000..3700).contains(&alone), "1.8% of 160,000: {alone}");
    assert!(evolved > alone + alone / 4, "{evolved} against {alone}");
    let (repaired, _) = distinct("repair-only", &[], 3_000_000);
    assert!((1..30).contains(&repaired), "about three in a million: {repaired}");
    let (plain, mut run) = distinct("ga", &[], 1_000_000);
    assert_eq!(plain, 0);
    run.dedup = Dedup::None;
    run.choice = Choice::new("ga-repair", &["runs=1"]).unwrap();
    run.problem = Problem::new(knight("8x8"), Goal::Open, Some(Square::new(0)), None).unwrap();
    let summary = count(&run);
    let tours = number(&summary, "tours_of_a_run").2;
    assert!(tours > 60.0, "from a1, about 375: {tours}");
    let strings = number(&summary, "strings_of_a_run").2;
    assert!(
        (100_000.0..990_000.0).contains(&strings),
        "considerably less than a million: {strings}"
    );
}

#[test]
fn a_population_that_is_too_large_is_rejected() {
    let problem = Problem::open(knight("2000x2000"));
    let choice = Choice::new::<&str>("ga-repair", &[]).unwrap();
    let error = super::GA_REPAIR
        .prepare(&problem, &choice.values, &Resources::on(1))
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("population of 50") && error.contains("use a smaller"), "{error}");
}
