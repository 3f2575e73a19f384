use super::*;
use crate::board::{Board, Graph};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn bits(graph: &Graph) -> Bits {
    Bits::new(graph).unwrap()
}

fn knight(board: &str) -> Graph {
    Graph::knight(Board::parse(board).unwrap())
}

/// Returns boards of all sizes, a board with holes, and a board without moves.
fn graphs() -> Vec<Graph> {
    let mut graphs: Vec<Graph> =
        ["8x8", "6x6", "5x5", "5x8", "3x4", "4x16", "1x1", "2x2"].map(knight).into();
    let masks =
        ["..####..\n.######.\n########\n########\n########\n########\n.######.\n..####..\n"];
    graphs.extend(masks.map(|mask| Graph::knight(Board::from_mask(mask).unwrap())));
    graphs.push(Graph::leaper(Board::parse("6x7").unwrap(), "1,1".parse().unwrap()));
    graphs
}

fn stream(seed: u64) -> RandomStream {
    RandomStream::new(&mut Xoshiro256PlusPlus::seed_from_u64(seed))
}

/// Returns the paper's deposits.
fn paper(n: usize, q: f64) -> DepositTable {
    DepositTable::new(n, |moves, i| q * (moves - i as f64) / (n - 1 - i) as f64)
}

/// Runs one cycle; `done` receives the tours it found.
fn cycle(
    kernel: &mut Kernel,
    ants: usize,
    stream: &mut RandomStream,
    mut done: impl FnMut(&[Square]),
) -> u64 {
    let moves = kernel.cycle(ants, stream);
    let flow = kernel.paths(kernel.field.n, |tour| {
        done(tour);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    moves
}

fn colony(graph: &Graph) -> Kernel {
    let bits = bits(graph);
    let starts: Vec<Square> = graph.vertices().collect();
    Kernel::new(&bits, &starts, 1e-6, 0.25, paper(bits.n, 1.0)).unwrap()
}

/// Returns the tours, moves and pheromone of the first cycles.
fn history(
    mut kernel: Kernel,
    ants: usize,
    cycles: usize,
    seed: u64,
) -> (Vec<Square>, u64, Vec<u64>) {
    let (mut stream, mut tours, mut moves) = (stream(seed), vec![], 0);
    for _ in 0..cycles {
        moves += cycle(&mut kernel, ants, &mut stream, |tour| tours.extend(tour));
    }
    (tours, moves, kernel.pheromone().map(|(_, _, level)| level.to_bits()).collect())
}

#[test]
fn vector_and_plain_code_agree_bit_by_bit() {
    for graph in graphs() {
        let order = graph.order();
        for (ants, seed) in [(order, 1), (order, 2), (order / 2 + 1, 3), (1, 4)] {
            let fast = history(colony(&graph), ants, 700, seed);
            let plain = history(colony(&graph).portable(), ants, 700, seed);
            assert!(fast == plain, "{graph}, {ants} ants");
        }
    }
}

#[test]
fn delivered_paths_are_tours_from_the_start_squares() {
    let mut found = 0;
    for graph in graphs() {
        let (mut kernel, mut stream) = (colony(&graph), stream(5));
        for _ in 0..300 {
            cycle(&mut kernel, 64, &mut stream, |tour| {
                found += 1;
                crate::tour::verify(&graph, tour.to_vec()).unwrap();
            });
        }
    }
    assert!(found > 1_000, "{found}");
}

#[test]
fn ants_start_on_the_given_squares_as_often_as_listed() {
    let b = bits(&knight("5x5"));
    let mut kernel = Kernel::new(
        &b,
        &[Square::new(24), Square::new(0), Square::new(24)],
        1.0,
        0.0,
        paper(1, 0.0),
    )
    .unwrap();
    let (mut stream, mut at) = (stream(6), [0.0; 25]);
    for _ in 0..40_000 {
        cycle(&mut kernel, 3, &mut stream, |tour| at[tour[0].index()] += 1.0);
    }
    let expected = 40_000.0 * chance(&b, 0, b.all() & !1);
    for (square, expected) in [(0, expected), (24, 2.0 * expected)] {
        assert!((at[square] - expected).abs() < 4.0 * expected.sqrt(), "{at:?} {expected}");
    }
    assert_eq!(at[0] + at[24], at.iter().sum::<f64>());
}

#[test]
fn graphs_and_amounts_beyond_the_limits_are_rejected() {
    let usual = || paper(64, 1.0);
    assert!(Bits::new(&knight("8x9")).is_none());
    let camel = Graph::leaper(Board::parse("8x8").unwrap(), "1,2+0,1".parse().unwrap());
    assert!(Kernel::new(&bits(&camel), &[Square::new(0)], 1.0, 0.25, usual()).is_none());
    let b = bits(&knight("8x8"));
    assert!(Kernel::new(&b, &[Square::new(64)], 1.0, 0.25, usual()).is_none());
    assert!(Kernel::new(&b, &[Square::new(0); 65], 1.0, 0.25, usual()).is_none());
    assert!(Kernel::new(&b, &[Square::new(0)], f64::NAN, 0.25, usual()).is_none());
    assert!(Kernel::new(&b, &[Square::new(0)], 1.0, 1.5, usual()).is_none());
    assert!(Kernel::new(&b, &[Square::new(0)], 1.0, 0.25, paper(64, 1e30)).is_none());
    assert!(Kernel::new(&b, &[], 1.0, 0.25, usual()).is_some());
}

#[test]
fn deposits_obey_the_formula() {
    for graph in graphs() {
        for mut kernel in [colony(&graph), colony(&graph).portable()] {
            let mut stream = stream(9);
            for _ in 0..40 {
                let mut expected: Vec<f64> =
                    kernel.field.level.iter().map(|level| level * 0.75).collect();
                kernel.cycle(64, &mut stream);
                let ends = &kernel.ants.ends;
                kernel.ants.retrace(0, |ant, i, edge| {
                    let m = usize::from(ends[ant].moves);
                    if i < m {
                        expected[edge] += (m - i) as f64 / (graph.order() - 1 - i) as f64;
                    }
                });
                for (level, expected) in kernel.field.level.iter().zip(&expected) {
                    assert!((level - expected).abs() <= 1e-12 * expected, "{level} {expected}");
                }
            }
        }
    }
}

/// Returns the chi-square statistic of the first moves of 64 ants that all start on one square, whose edges
/// have the pheromone `levels`.
fn first_moves(levels: [f64; 8], portable: bool) -> (f64, [f64; 8]) {
    let graph = knight("8x8");
    let mut kernel =
        Kernel::new(&bits(&graph), &[Square::new(27); 64], 1.0, 0.0, paper(1, 0.0)).unwrap();
    kernel.portable = portable;
    kernel.field.level[27 * 8..27 * 8 + 8].copy_from_slice(&levels);
    let (mut stream, mut seen) = (stream(11), [0.0; 8]);
    for _ in 0..4000 {
        kernel.cycle(64, &mut stream);
        for edge in kernel.ants.path[0].as_flattened() {
            assert_eq!(edge / 8, 27);
            seen[usize::from(edge % 8)] += 1.0;
        }
    }
    let all = if levels.iter().all(|&level| level == 0.0) { [1.0; 8] } else { levels };
    let total: f64 = all.iter().sum();
    let expected = all.map(|level| level / total * 64.0 * 4000.0);
    let terms = seen.iter().zip(expected).filter(|(_, e)| *e > 0.0);
    (terms.map(|(s, e)| (s - e).powi(2) / e).sum(), seen)
}

#[test]
fn a_step_chooses_in_proportion_to_the_pheromone_however_faint() {
    let levels = [3.0, 0.0, 1.0, 0.5, 0.0, 10.0, 0.01, 2.0];
    // The fourth scale is partly below f32's range, the last almost zero.
    for scale in [1.0, 1e-6, 1e12, 1e-30, 1e-36, 1e-200] {
        for portable in [false, true] {
            let (chi_square, seen) = first_moves(levels.map(|level| level * scale), portable);
            // With five degrees of freedom, chi-square exceeds 25.7 once in 10,000 tests.
            assert!(chi_square < 25.7, "{scale}: {chi_square} {seen:?}");
            assert!(seen[1] == 0.0 && seen[4] == 0.0);
        }
    }
}

#[test]
fn without_pheromone_the_choice_is_uniform() {
    for portable in [false, true] {
        let (chi_square, seen) = first_moves([0.0; 8], portable);
        // With seven degrees of freedom, chi-square exceeds 29.9 once in 10,000 tests.
        assert!(chi_square < 29.9, "{chi_square} {seen:?}");
    }
}

/// Returns the probability that an ant that chooses uniformly completes its tour.
fn chance(bits: &Bits, here: usize, unvisited: u64) -> f64 {
    let mut free = bits.attacks[here] & unvisited;
    if free == 0 {
        return if unvisited == 0 { 1.0 } else { 0.0 };
    }
    let (choices, mut sum) = (f64::from(free.count_ones()), 0.0);
    while free != 0 {
        let next = free.trailing_zeros() as usize;
        sum += chance(bits, next, unvisited & !(1 << next));
        free &= free - 1;
    }
    sum / choices
}

#[test]
fn a_colony_without_deposits_continues_after_all_has_evaporated() {
    let graph = knight("5x5");
    let b = bits(&graph);
    let starts: Vec<Square> = graph.vertices().collect();
    let colony = || Kernel::new(&b, &starts, 1e-6, 0.25, paper(1, 0.0)).unwrap();
    let fast = history(colony(), 25, 4000, 1);
    assert!(fast.2.iter().all(|&level| level == 0));
    assert!(fast == history(colony().portable(), 25, 4000, 1));
    // With almost no pheromone all edges are equal; the probability of a tour can be computed.
    let chance = (0..25).map(|v| chance(&b, v, b.all() & !(1 << v))).sum::<f64>() / 25.0;
    let (tours, expected) = (fast.0.len() as f64 / 25.0, chance * 25.0 * 4000.0);
    assert!((tours - expected).abs() < 4.0 * expected.sqrt(), "{tours} {expected}");
    let mut kernel = colony();
    kernel.cycle(25, &mut stream(1));
    kernel.reset();
    assert!(kernel.pheromone().all(|(_, _, level)| level == 1e-6));
    assert_eq!(kernel.pheromone().count() as u64, 2 * graph.edges());
}

#[test]
fn learns_at_the_rate_of_the_paper() {
    let graph = knight("6x6");
    let (mut rates, runs) = (0.0, 300);
    for seed in 0..runs {
        let (mut kernel, mut stream) = (colony(&graph), stream(seed));
        let mut seen = std::collections::HashSet::new();
        for _ in 0..260 {
            cycle(&mut kernel, 36, &mut stream, |tour| _ = seen.insert(tour.to_vec()));
        }
        rates += seen.len() as f64 / (260.0 * 36.0);
    }
    // The paper has 0.0467; a plain f64 colony has 0.0483, with deviation 0.015 per run.
    let rate = rates / runs as f64;
    assert!((0.045..0.0515).contains(&rate), "{rate}");
}

#[test]
fn planted_faults_are_found() {
    let graph = knight("6x6");
    let sound = || {
        let mut kernel = colony(&graph);
        let mut stream = stream(7);
        (0..5).for_each(|_| _ = kernel.cycle(36, &mut stream));
        kernel
    };
    assert_eq!(sound().sanity(), Ok(()));
    type Planted = fn(&mut Kernel);
    let faults: [(Planted, &str); 9] = [
        (|k| k.field.to.swap(16, 17), "edge 16 leads"),
        (|k| k.field.attacks[3] ^= 1, "another graph"),
        (|k| k.field.level[7] = 1.0, "leads nowhere"),
        (|k| k.field.level[EDGES + 1] = 1.0, "second half"),
        (|k| k.field.level[0] = f64::NAN, "holds NaN"),
        (|k| k.field.level[0] = -1e-9, "holds -"),
        (|k| k.field.weight[0] = 1e-35, "weights of 0"),
        (|k| k.ants.path[2].as_flattened_mut().swap(0, 1), "ant"),
        (|k| k.ants.ends.swap(0, 35), "order"),
    ];
    for (fault, named) in faults {
        let mut kernel = sound();
        fault(&mut kernel);
        let found = kernel.sanity().unwrap_err();
        assert!(found.contains(named), "{found}");
    }
    let (mut kernel, mut stream) = (sound(), stream(8));
    kernel.place(36);
    let before = kernel.snapshot(&stream);
    kernel.cycle(36, &mut stream);
    assert_eq!(kernel.agrees(before.clone(), &stream), Ok(()));
    kernel.field.level[0] *= 1.0 + f64::EPSILON;
    assert!(kernel.agrees(before, &stream).unwrap_err().contains("pheromone"));
}
