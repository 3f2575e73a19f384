//! Evaluation and repair of chromosomes, compared with a plain program: `cargo bench -- genetic`.
//!
//! Every timing asserts its answer. Ratios are medians of interleaved blocks, because machines are
//! noisy; `--quick` takes fewer, and `--strict` fails if a ratio misses its threshold.

use crate::lab::{expect, is_quick, knight, median, seconds};
use hippodrome::board::{Graph, Square};
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::problem::Problem;
use hippodrome::search::Control;
use hippodrome::solvers::genetic::Evaluator;
use hippodrome::solvers::registry::Choice;

/// Moves as (rows up, columns right), numbered as in Gordon & Slocum's Figure 1.
const MOVES: [(i32, i32); 8] =
    [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)];

/// Chromosomes per block; the two programs evaluate blocks alternately.
const BLOCK: usize = 2048;

pub fn main() {
    let (passes, chromosomes) = if is_quick() { (2, 204_800) } else { (11, 1_024_000) };
    let graph = knight("8x8");
    let ratio = repair(&graph, "random", &random(chromosomes), passes);
    expect(ratio >= 4.0, "4 times as fast as the plain program");
    repair(&graph, "repaired before, one to three bits flipped", &bred(chromosomes), passes);
    whole_runs(&graph, if is_quick() { 1000 } else { 20_000 });
}

/// SplitMix64.
fn words(mut seed: u64) -> impl FnMut() -> u64 {
    move || {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

fn random(count: usize) -> Vec<[u8; 64]> {
    let mut next = words(1);
    (0..count).map(|_| std::array::from_fn(|_| (next() & 7) as u8)).collect()
}

/// Creates chromosomes as they occur in a run: repaired, with some bits flipped.
fn bred(count: usize) -> Vec<[u8; 64]> {
    let mut next = words(2);
    let mut bytes = random(count);
    for (at, genes) in bytes.iter_mut().enumerate() {
        plain(at % 64, genes);
        for _ in 0..1 + next() % 3 {
            let bit = next() % 192;
            genes[(bit / 3) as usize] ^= 1 << (bit % 3);
        }
    }
    bytes
}

/// The plain program: one byte per gene, a branch for each edge of the board and each square.
fn plain(start: usize, genes: &mut [u8; 64]) -> usize {
    let mut visited = [false; 64];
    visited[start] = true;
    let mut here = start;
    for (moves, gene) in genes[..63].iter_mut().enumerate() {
        let legal = |code: u8, visited: &[bool; 64]| {
            let (up, right) = MOVES[code as usize];
            let (row, col) = ((here / 8) as i32 + up, (here % 8) as i32 + right);
            if !(0..8).contains(&row) || !(0..8).contains(&col) {
                return None;
            }
            let to = (row * 8 + col) as usize;
            if visited[to] { None } else { Some(to) }
        };
        let mut to = legal(*gene, &visited);
        let mut code = 0;
        while to.is_none() && code < 8 {
            to = legal(code, &visited);
            if to.is_some() {
                *gene = code;
            }
            code += 1;
        }
        let Some(to) = to else { return moves };
        visited[to] = true;
        here = to;
    }
    63
}

/// Prints the times of the plain program and ours, and returns the ratio of the first to the second, as
/// medians over blocks. Blocks fit in the cache and are short, so that other load on the machine disturbs few
/// of them.
fn repair(graph: &Graph, what: &str, bytes: &[[u8; 64]], passes: usize) -> f64 {
    let mut evaluator = Evaluator::new(graph).expect("a small board");
    let mut once = |block: &[[u8; 64]]| {
        let mut theirs = block.to_vec();
        let mut ours: Vec<[u16; 64]> = block.iter().map(|genes| genes.map(u16::from)).collect();
        let expected = seconds(|| {
            let each = theirs.iter_mut().enumerate().map(|(at, genes)| plain(at % 64, genes));
            each.sum::<usize>()
        });
        let found = seconds(|| {
            let pairs = ours.chunks_exact_mut(2).enumerate().map(|(at, pair)| {
                let [one, two] = pair else { unreachable!("pairs") };
                let first = (2 * at % 64) as u32;
                evaluator
                    .repair([first, first + 1].map(Square::new), [one, two])
                    .iter()
                    .sum::<usize>()
            });
            pairs.sum::<usize>()
        });
        assert_eq!(found.1, expected.1, "moves");
        let wide = theirs.iter().map(|genes| genes.map(u16::from));
        assert!(wide.eq(ours), "chromosomes");
        let each = 1e9 / block.len() as f64;
        (each * expected.0, each * found.0)
    };
    let blocks = (0..passes).flat_map(|_| bytes.chunks(BLOCK));
    let times: Vec<(f64, f64)> = blocks.map(&mut once).collect();
    let ratio = median(times.iter().map(|t| t.0 / t.1).collect());
    println!(
        "{} chromosomes of 8x8, {what}\n  plain {:.0} ns each  ours {:.0} ns each  ratio {ratio:.2}",
        bytes.len(),
        median(times.iter().map(|t| t.0).collect()),
        median(times.iter().map(|t| t.1).collect()),
    );
    ratio
}

/// Times a quarter of a run from each square, on all cores.
fn whole_runs(graph: &Graph, generations: u64) {
    for solver in ["ga-repair", "repair-only"] {
        let params = ["runs=1".to_string(), format!("generations={generations}")];
        let choice = Choice::new(solver, &params).expect("a solver");
        let mut run = Enumeration::new(Problem::open(graph.clone()), choice);
        run.budget.attempts_per_start = Some(50 * generations / 4);
        let (time, summary) = seconds(|| run.run(&Control::default(), None).expect("a run"));
        let made = summary.total.attempts;
        assert_eq!(made, 64 * (50 * generations / 4));
        let whole = time / made as f64 * 320e6;
        expect(whole <= 300.0, "the 320 million chromosomes of Figure 4 in five minutes");
        println!(
            "{solver}, {made} chromosomes on {} threads: {time:.2} s, so 320 M take {:.0} s",
            run.threads, whole
        );
    }
}
