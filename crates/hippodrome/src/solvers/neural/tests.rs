//! Compares the network with the paper's equations, its implementations with each other, and later steps with
//! a plain recount.

use super::blocks::blocks;
use super::lanes::{Ended, Lanes};
use super::net::{BoardNetwork, NetworkGoal, NeuralNet, Order, generator};
use super::plain::PlainTrial;
use super::sparse::SparseTrial;
use super::trials::{LONGEST, NetworkTrial};
use crate::board::graph_file::read_graph;
use crate::board::{Board, Graph, Square};
use crate::search::StopCheck;
use crate::solvers::two_factor::{CycleJoiner, Joined, NONE, TwoFactor, join};
use rand::RngExt;
use std::ops::ControlFlow;

fn knight(board: &str) -> Graph {
    Graph::knight(Board::parse(board).unwrap())
}

fn field(board: &str, shape: NetworkGoal) -> BoardNetwork {
    field_of(&knight(board), shape, Order::Tcd)
}

fn field_of(graph: &Graph, shape: NetworkGoal, order: Order) -> BoardNetwork {
    BoardNetwork::new(graph, Square::new(0), shape, order, &StopCheck::endless())
        .continue_value()
        .unwrap()
}

fn begin(trial: &mut impl NetworkTrial, number: u64) {
    assert!(trial.begin(&mut generator(77, number), &StopCheck::endless()).is_continue());
}

fn swept(trial: &mut impl NetworkTrial) -> bool {
    trial.sweep(&StopCheck::endless()).continue_value().unwrap()
}

/// Runs the first trials one at a time; returns for each the sweeps, whether it came to rest, and
/// the active neurons.
fn one_by_one(
    net: &NeuralNet,
    mut trial: impl NetworkTrial,
    trials: u64,
    limit: u64,
) -> Vec<(u64, bool, Vec<u32>)> {
    let run = |number| {
        begin(&mut trial, number);
        let (mut sweeps, mut rest) = (0, false);
        while !rest && sweeps < limit {
            rest = swept(&mut trial);
            sweeps += 1;
        }
        let active = (0..net.neurons() as u32).filter(|&n| trial.is_active(n)).collect();
        (sweeps, rest, active)
    };
    (0..trials).map(run).collect()
}

fn side_by_side(
    net: &NeuralNet,
    synchronous: bool,
    trials: u64,
    limit: u64,
) -> Vec<(u64, bool, Vec<u32>)> {
    let mut all = Vec::new();
    let take = |Ended { sweeps, rest, active, .. }| {
        all.push((sweeps, rest, active));
        ControlFlow::Continue(())
    };
    let check_limits = || ControlFlow::Continue(());
    let flow = Lanes::new(net, synchronous).run(77, trials, limit, check_limits, take);
    assert!(flow.is_continue());
    all
}

/// Returns the 2-factors of the trials that converge.
fn factors(net: &NeuralNet, trials: u64) -> Vec<TwoFactor> {
    let all = side_by_side(net, false, trials, 300).into_iter();
    all.filter_map(
        |(_, rest, active)| if rest { TwoFactor::new(&net.graph, &active) } else { None },
    )
    .collect()
}

fn mend(net: &NeuralNet, active: &[u32]) -> Option<Vec<u32>> {
    net.graph.factor_near(active.iter().copied(), &StopCheck::endless())
}

fn cycles(factor: &TwoFactor) -> usize {
    let mut seen = vec![false; factor.mates.len()];
    let ends = (0..seen.len()).filter(|&v| factor.mates[v][1] == NONE);
    let mut number = 0;
    for v in ends.chain(0..seen.len()) {
        if !seen[v] {
            number += 1;
            factor
                .along(v as u32, factor.mates[v][0])
                .iter()
                .for_each(|&w| seen[w as usize] = true);
        }
    }
    number
}

#[test]
fn all_kernels_go_through_the_same_states() {
    let boards = ["3x4", "5x6", "6x6", "8x8", "7x7"];
    for board in boards {
        for shape in
            [NetworkGoal::Closed, NetworkGoal::Open(None), NetworkGoal::Open(Some(Square::new(1)))]
        {
            for synchronous in [false, true] {
                let net = &field(board, shape).net;
                let what = format!("{board} {shape:?} {synchronous}");
                let plain = one_by_one(net, PlainTrial::new(net, synchronous), 100, 150);
                let sparse = one_by_one(net, SparseTrial::new(net, synchronous), 100, 150);
                assert!(plain == sparse, "{what}: sparse");
                assert!(plain == side_by_side(net, synchronous, 100, 150), "{what}: lanes");
                let rests = plain.iter().filter(|trial| trial.1).count();
                let few = synchronous || ["3x4", "7x7"].contains(&board);
                assert!(few || rests > 20, "{what}: {rests} at rest");
            }
        }
    }
}

/// The equations as printed, on a full matrix of neurons, with unbounded inputs.
#[test]
fn the_network_is_that_of_the_paper() {
    let (graph, field) = (knight("6x6"), field("6x6", NetworkGoal::Closed));
    let p = 36;
    let (mut least, mut most) = (0i64, 0i64);
    for number in 0..40 {
        let mut v = vec![vec![0i64; p]; p];
        field.net.draw(&mut generator(77, number), |neuron| {
            let [i, j] = field.net.graph.ends[neuron].map(|v| v as usize);
            (v[i][j], v[j][i]) = (1, 1);
        });
        let mut u = vec![vec![0i64; p]; p];
        let (mut sweeps, mut rest) = (0, false);
        while !rest && sweeps < 150 {
            rest = true;
            for &[i, j] in &field.net.graph.ends {
                let (i, j) = (i as usize, j as usize);
                assert!(graph.adjacent(Square::from_index(i), Square::from_index(j)));
                let row: i64 = v[i].iter().sum();
                let column: i64 = (0..p).map(|k| v[k][j]).sum();
                let change = -(row - 2) - (column - 2);
                rest &= change == 0;
                u[i][j] += change;
                (least, most) = (least.min(u[i][j]), most.max(u[i][j]));
                if u[i][j] > 3 || u[i][j] < 0 {
                    let active = i64::from(u[i][j] > 3);
                    (v[i][j], v[j][i]) = (active, active);
                }
            }
            sweeps += 1;
        }
        let active = |neuron: &u32| {
            let [i, j] = field.net.graph.ends[*neuron as usize];
            v[i as usize][j as usize] == 1
        };
        let active: Vec<u32> = (0..field.net.neurons() as u32).filter(active).collect();
        let ours = &one_by_one(&field.net, PlainTrial::new(&field.net, false), number + 1, 150)
            [number as usize];
        assert_eq!(ours, &(sweeps, rest, active), "trial {number}");
    }
    assert!(least < -4 && -20 < least && 4 < most && most < 20, "inputs from {least} to {most}");
}

#[test]
fn at_rest_every_square_of_a_board_has_two_moves() {
    for board in ["6x6", "8x8", "5x6"] {
        let net = &field(board, NetworkGoal::Closed).net;
        let ended = side_by_side(net, false, 300, 300);
        let rests: Vec<_> = ended.iter().filter(|trial| trial.1).collect();
        assert!(rests.len() > 250);
        let factor = |active: &[u32]| TwoFactor::new(&net.graph, active).unwrap();
        let several = rests.iter().filter(|trial| cycles(&factor(&trial.2)) > 1).count();
        assert!(several > 100 && several < rests.len(), "{several} of several cycles");
    }
}

/// Two squares keep the wrong number of moves, for example one too many and one too few, and the states
/// repeat forever.
#[test]
fn trials_that_never_rest_are_periodic() {
    let net = &field("8x8", NetworkGoal::Closed).net;
    let mut trial = PlainTrial::new(net, false);
    let mut periods = Vec::new();
    for number in 0..300 {
        begin(&mut trial, number);
        if (0..2000).any(|_| swept(&mut trial)) {
            continue;
        }
        let before = (trial.state.u.clone(), trial.state.v.clone());
        let round = (1..5000).find(|_| {
            swept(&mut trial);
            trial.state.u == before.0 && trial.state.v == before.1
        });
        periods.push(round.unwrap());
    }
    periods.sort_unstable();
    assert!((5..30).contains(&periods.len()), "{} of 300", periods.len());
    assert!(periods[periods.len() / 2] < 20, "{periods:?}");
}

/// The centre has three active moves and each leaf one: 3 + 1 = 4, so no input changes.
#[test]
fn a_star_comes_to_rest_without_cycles() {
    let star = read_graph("star", "m a\nm b\nm c\n").unwrap();
    let net = &field_of(&star, NetworkGoal::Closed, Order::Ascending).net;
    let ended = side_by_side(net, false, 20, 100);
    assert!(ended.iter().any(|trial| trial.1 && trial.2.len() == 3));
    assert!(ended.iter().all(|trial| TwoFactor::new(&net.graph, &trial.2).is_none()));
    assert!(mend(net, &[0, 1, 2]).is_none());
}

#[test]
fn a_random_state_is_repaired_if_there_is_a_factor() {
    let shapes =
        [NetworkGoal::Closed, NetworkGoal::Open(None), NetworkGoal::Open(Some(Square::new(1)))];
    for (board, shape) in ["6x6", "8x8", "9x10"].iter().flat_map(|b| shapes.map(|s| (b, s))) {
        let net = &field(board, shape).net;
        for number in 0..20 {
            let mut active = Vec::new();
            net.draw(&mut generator(3, number), |neuron| active.push(neuron as u32));
            let mended = mend(net, &active).unwrap();
            assert!(TwoFactor::new(&net.graph, &mended).is_some(), "{board} {shape:?}");
        }
    }
    for board in ["3x3", "5x5", "4x1"] {
        assert!(mend(&field(board, NetworkGoal::Closed).net, &[]).is_none(), "{board}");
    }
    // Not bipartite: a path may use a move twice, which must be rejected.
    let wheel = (1..=7).map(|i| format!("rim{i} rim{}\nhub rim{i}\n", i % 7 + 1));
    let wheel = read_graph("wheel", &wheel.collect::<String>()).unwrap();
    let net = &field_of(&wheel, NetworkGoal::Closed, Order::Ascending).net;
    let mended = mend(net, &[0]).unwrap();
    assert!(TwoFactor::new(&net.graph, &mended).is_some());
}

#[test]
fn joined_factors_are_one_cycle_of_the_same_graph() {
    for (board, shape, many) in [
        ("8x8", NetworkGoal::Closed, false),
        ("8x8", NetworkGoal::Open(None), false),
        ("12x12", NetworkGoal::Closed, false),
        ("3x10", NetworkGoal::Closed, true),
    ] {
        let net = &field(board, shape).net;
        let mut longer = 0;
        for factor in factors(net, 200) {
            let before = cycles(&factor) as u64;
            let joined = join(&net.graph, factor, LONGEST, &StopCheck::endless());
            let Joined { factor: joined, is_one, effort } = joined.continue_value().unwrap();
            assert_eq!(effort.cycles, before);
            assert!(is_one);
            longer += effort.longer;
            assert_eq!(cycles(&joined), 1, "{board} {shape:?}");
            for (v, mates) in joined.mates.iter().enumerate() {
                let number = mates.iter().filter(|&&m| m != NONE).count();
                assert_eq!(number, usize::from(net.graph.targets[v]));
                assert!(mates.iter().all(|&m| m == NONE || net.graph.joins(v as u32, m)));
            }
        }
        // A board of three rows has few parallel moves.
        let expected = if many { 20..u64::MAX } else { 0..20 };
        assert!(expected.contains(&longer), "{longer} longer exchanges on {board}");
    }
}

/// Draws a random closed trail whose moves alternate between inside and outside the factor.
fn random_trail(
    net: &NeuralNet,
    factor: &TwoFactor,
    rng: &mut impl rand::Rng,
    moves: usize,
) -> Option<Vec<u32>> {
    let mut trail = Vec::new();
    let mut next = rng.random_range(0..net.graph.order() as u32);
    while trail.len() < 2 * moves {
        let mate = factor.mates[next as usize][rng.random_range(0..2)];
        if mate == NONE || trail.contains(&next) || trail.contains(&mate) || next == mate {
            return None;
        }
        trail.extend([next, mate]);
        let arcs = net.graph.arcs(mate);
        next = arcs[rng.random_range(0..arcs.len())].0;
        if factor.mates[mate as usize].contains(&next) {
            return None;
        }
        if trail.len() == 2 * moves && next != trail[0] {
            return None;
        }
    }
    Some(trail)
}

#[test]
fn the_effect_of_an_exchange_is_predicted() {
    for shape in [NetworkGoal::Closed, NetworkGoal::Open(None)] {
        let net = &field("8x8", shape).net;
        let mut rng = generator(1, 1);
        let (mut fewer, mut not) = (0, 0);
        for factor in factors(net, 60) {
            let stop_check = StopCheck::endless();
            let mut state = CycleJoiner::new(&net.graph, factor, &stop_check);
            for draw in 0..40_000 {
                let moves = 2 + draw % 3;
                let Some(trail) = random_trail(net, &state.factor, &mut rng, moves) else {
                    continue;
                };
                let before = cycles(&state.factor);
                let predicted = state.leaves_fewer(&trail);
                state.factor.exchange(&trail);
                let after = cycles(&state.factor);
                assert_eq!(predicted, after < before, "{trail:?} makes {after} of {before}");
                let mut back = trail.clone();
                back.rotate_left(1);
                state.factor.exchange(&back);
                assert_eq!(cycles(&state.factor), before);
                if predicted { fewer += 1 } else { not += 1 }
            }
        }
        assert!(fewer > 50 && not > 500, "{shape:?}: {fewer} fewer, {not} not");
    }
}

#[test]
fn blocks_cover_the_board_and_are_even_if_it_is() {
    for (rows, cols, side) in [
        (50, 50, 8),
        (20, 30, 6),
        (13, 40, 8),
        (100, 6, 1),
        (37, 41, 7),
        (5, 5, 9),
        (6, 100_001, 6),
    ] {
        let board = Board::new(rows.into(), cols.into()).unwrap();
        let field = field_of(&Graph::knight(board.clone()), NetworkGoal::Closed, Order::Tcd);
        let blocks = blocks(&field, &board, side);
        let mut all: Vec<u32> = blocks.iter().flatten().copied().collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..rows * cols));
        let odd = blocks.iter().filter(|block| block.len() % 2 == 1).count();
        assert_eq!(odd, (rows * cols % 2) as usize, "{rows}x{cols} by {side}");
        for block in &blocks {
            let span = |of: fn(&Board, Square) -> u32| {
                let at: Vec<u32> = block.iter().map(|&v| of(&board, Square::new(v))).collect();
                at.iter().max().unwrap() - at.iter().min().unwrap() + 1
            };
            let (high, wide) = (span(Board::row), span(Board::col));
            assert_eq!(high * wide, block.len() as u32);
            assert!(high >= rows.min(5) && wide >= cols.min(5), "{high}x{wide}");
        }
    }
}

/// On a dense graph one sweep takes seconds, and so do the longer exchanges.
#[test]
fn a_time_limit_holds_within_a_sweep() {
    let order = 700;
    let edges: Vec<_> = (0..order).flat_map(|u| (u + 1..order).map(move |v| (u, v))).collect();
    let names = (0..order).map(|v| v.to_string()).collect();
    let csr = crate::board::Csr::new("complete".to_string(), names, &edges);
    let graph = Graph::File(std::sync::Arc::new(csr));
    let time = std::time::Duration::from_millis(50);
    for name in ["neural", "neural-join"] {
        let problem = crate::problem::Problem::closed(graph.clone());
        let choice = crate::solvers::registry::Choice::new::<&str>(name, &[]).unwrap();
        let budget = crate::search::Budget { time: Some(time), ..Default::default() };
        let run = crate::lab::enumerate::Enumeration {
            budget,
            ..crate::lab::enumerate::Enumeration::new(problem, choice)
        };
        let begun = std::time::Instant::now();
        let cut = run.run(&crate::search::Control::default(), None).unwrap();
        assert_eq!(cut.status, crate::search::Status::Limit);
        assert!(begun.elapsed() < 20 * time, "{name}: {:?}", begun.elapsed());
    }
}
