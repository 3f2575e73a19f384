//! Compares counts with known numbers, with complete lists, and with each other.

use crate::lab::{choice, count, graph};
use hippodrome::board::graph_file::read_graph;
use hippodrome::board::{Board, Graph, Square};
use hippodrome::count::{BigUint, By, Count, CountKind, CountMonitor, Counted};
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::problem::Problem;
use hippodrome::tour::Distinct;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Maximum number of squares of the boards counted here, by kind; the bench counts larger boards.
const MOST: [(&str, usize); 5] = [
    ("open", 40),
    ("closed", 48),
    ("two-factors", 80),
    ("path-covers", 49),
    ("closed-classes", 36),
];

fn run(graph: Graph, kind: CountKind) -> Counted {
    Count { threads: 2, ..Count::new(graph, kind) }.run(&CountMonitor::default()).unwrap()
}

#[test]
fn counts_agree_with_the_known_numbers() {
    let mut checked = 0;
    for line in include_str!("../../data/known-counts.tsv").lines().filter(|l| !l.starts_with('#'))
    {
        let [board, kind, known, _] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns, please: {line}");
        };
        let graph = graph(board);
        if MOST.iter().any(|&(name, most)| name == kind && graph.order() <= most) {
            let classes = kind == "closed-classes";
            let name = if classes { "closed" } else { kind };
            let kind = CountKind::CHOICES.iter().find(|row| row.0 == name).unwrap().1;
            let counted = Count { threads: 2, classes, ..Count::new(graph, kind) };
            let counted = counted.run(&CountMonitor::default()).unwrap();
            let number = match (kind, classes) {
                (CountKind::Open, _) => counted.directed.unwrap(),
                (_, true) => counted.classes.unwrap(),
                _ => counted.undirected,
            };
            assert_eq!(number.to_string(), known, "{line}");
            checked += 1;
        }
    }
    assert_eq!(checked, 12 + 1 + 7 + 4 + 3 + 1);
}

/// Returns a small random graph: a leaper on a board with holes, or an arbitrary graph.
fn random_graph(rng: &mut Xoshiro256PlusPlus) -> Graph {
    if rng.random_range(0..5) == 0 {
        let order = rng.random_range(3..9);
        let mut text: String = (1..order).map(|v| format!("{} {v}\n", v - 1)).collect();
        for u in 0..order {
            for v in u + 2..order {
                if rng.random_range(0..2) == 0 {
                    text.push_str(&format!("{u} {v}\n"));
                }
            }
        }
        return read_graph("random", &text).unwrap();
    }
    let leapers =
        [("1,2", 24), ("1,2", 24), ("0,1", 20), ("1,3+0,1", 14), ("1,2+1,1", 14), ("1,1+0,1", 11)];
    let (leaper, most) = leapers[rng.random_range(0..leapers.len())];
    loop {
        let (rows, cols) = (rng.random_range(1..7), rng.random_range(1..9));
        let board = Board::new(rows, cols).unwrap();
        let holes = rng.random_range(0..4.min(board.len()));
        let holes: Vec<Square> =
            (0..holes).map(|_| Square::new(rng.random_range(0..board.len() as u32))).collect();
        let board = board.with_holes(holes).unwrap();
        if board.squares() <= most {
            return Graph::leaper(board, leaper.parse().unwrap());
        }
    }
}

#[test]
fn counts_of_five_hundred_random_graphs_agree_with_lists() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut some = [0; 2];
    for number in 0..500 {
        let graph = random_graph(&mut rng);
        let listed = |problem, distinct| {
            let run = Enumeration::new(problem, choice::<&str>("exact", &[]));
            count(&Enumeration { all: true, distinct, ..run }).total.distinct
        };
        let open = listed(Problem::open(graph.clone()), Distinct::Directed);
        let closed = listed(Problem::closed(graph.clone()), Distinct::Cycle);
        let name = || match graph.board() {
            Some(board) => format!("{number}: {graph}\n{}", board.mask()),
            None => format!("{number}"),
        };
        let counted = run(graph.clone(), CountKind::Open);
        assert_eq!(counted.directed, Some(BigUint::from(open)), "{}", name());
        let counted = run(graph.clone(), CountKind::Closed);
        assert_eq!(counted.undirected, BigUint::from(closed), "{}", name());
        some[0] += usize::from(open > 0);
        some[1] += usize::from(closed > 0);
    }
    assert!(some[0] > 100 && some[1] > 40, "tours are there to be counted: {some:?}");
}

#[test]
fn breakdowns_agree_with_a_list() {
    for name in ["5x5", "3x4", "4x5-a1", "3x5/1,2+0,1", "wheel", "petersen"] {
        let graph = graph(name);
        let by = |by| {
            let all =
                Count { by: Some(by), threads: 2, ..Count::new(graph.clone(), CountKind::Open) };
            all.run(&CountMonitor::default()).unwrap()
        };
        let enumeration =
            Enumeration::new(Problem::open(graph.clone()), choice::<&str>("exact", &[]));
        let (tours, _) = crate::lab::collect(&Enumeration { all: true, ..enumeration });
        for (square, number) in by(By::Start).by_start.unwrap() {
            let listed = tours.iter().filter(|t| t[0] == square).count();
            assert_eq!(number, BigUint::from(listed), "{name} {square:?}");
        }
        for class in by(By::Ends).by_ends.unwrap() {
            let fits = |t: &&Vec<Square>| [t[0], t[t.len() - 1]] == class.ends;
            let listed = tours.iter().filter(fits).count();
            assert_eq!(class.tours, BigUint::from(listed), "{name} {:?}", class.ends);
        }
        for (start, end) in
            [(tours.first(), None), (None, tours.last()), (tours.first(), tours.first())]
        {
            let (start, end) = (start.map(|t| t[0]), end.map(|t| t[t.len() - 1]));
            let fixed = Count { start, end, ..Count::new(graph.clone(), CountKind::Open) };
            let number = fixed.run(&CountMonitor::default()).unwrap().directed.unwrap();
            let fits = |t: &&Vec<Square>| {
                start.is_none_or(|s| t[0] == s) && end.is_none_or(|e| t[t.len() - 1] == e)
            };
            assert_eq!(number, BigUint::from(tours.iter().filter(fits).count()), "{name}");
        }
    }
}

#[test]
fn classes_agree_with_a_list() {
    for name in [
        "5x6",
        "3x10",
        "6x6",
        "3x3-b2",
        "2x2/0,1",
        "4x4/0,1",
        "4x5/0,1",
        "3x4/1,2+0,1",
        "4x4/1,1+0,1-",
    ] {
        let graph = graph(name.trim_end_matches('-'));
        let run = Enumeration::new(Problem::closed(graph.clone()), choice::<&str>("exact", &[]));
        let listed = count(&Enumeration { all: true, distinct: Distinct::Symmetry, ..run }).total;
        let counted = Count { classes: true, ..Count::new(graph, CountKind::Closed) };
        let classes = counted.run(&CountMonitor::default()).unwrap().classes.unwrap();
        assert_eq!(classes, BigUint::from(listed.distinct), "{name}");
    }
    // No tour of a square board with even side is its own image, rotated or reversed.
    let open = Count { classes: true, threads: 2, ..Count::new(graph("6x6"), CountKind::Open) };
    let classes = open.run(&CountMonitor::default()).unwrap().classes.unwrap();
    assert_eq!(classes, BigUint::from(6_637_920u32 / 16));
}

#[test]
fn threads_do_not_change_a_count() {
    for (board, kind) in
        [("6x6", CountKind::Open), ("6x7", CountKind::Closed), ("6x7", CountKind::PathCovers)]
    {
        let on = |threads| {
            let count = Count { threads, ..Count::new(graph(board), kind) };
            let counted = count.run(&CountMonitor::default()).unwrap();
            (counted.undirected, counted.checks)
        };
        assert_eq!(on(1), on(3), "{board}");
    }
}

const PRIME: u64 = (1 << 61) - 1;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn power(base: u64, exponent: u64) -> u64 {
    let half = if exponent == 0 { return 1 } else { power(times(base, base), exponent / 2) };
    if exponent % 2 == 1 { times(half, base) } else { half }
}

/// Returns the shortest linear recurrence of a sequence, by Berlekamp and Massey: s[n] = sum of
/// c[i] s[n-1-i].
fn recurrence(terms: &[u64]) -> Vec<u64> {
    let (mut now, mut before): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
    let (mut fault_at, mut fault) = (0, 0);
    for n in 0..terms.len() {
        let guess =
            now.iter().enumerate().fold(0, |s, (i, &c)| (s + times(c, terms[n - 1 - i])) % PRIME);
        let delta = (terms[n] + PRIME - guess) % PRIME;
        if delta == 0 {
            continue;
        }
        if now.is_empty() {
            now = vec![0; n + 1];
            (fault_at, fault) = (n, delta);
            continue;
        }
        let factor = times(delta, power(fault, PRIME - 2));
        let mut next = vec![0; n - fault_at - 1];
        next.push(factor);
        next.extend(before.iter().map(|&c| (PRIME - times(factor, c)) % PRIME));
        if next.len() < now.len() {
            next.resize(now.len(), 0);
        }
        for (new, &old) in next.iter_mut().zip(&now) {
            *new = (*new + old) % PRIME;
        }
        if n as isize - now.len() as isize > fault_at as isize - before.len() as isize {
            (before, fault_at, fault) = (now.clone(), n, delta);
        }
        now = next;
    }
    now
}

#[test]
fn three_by_a_thousand_follows_the_recurrence_of_shorter_boards() {
    let cycles = |length: usize| {
        let board = Board::new(3, length as u64).unwrap();
        run(Graph::knight(board), CountKind::Closed).undirected
    };
    let residue = |number: BigUint| (number % PRIME).try_into().unwrap();
    let mut terms: Vec<u64> = (1..=75).map(|half| residue(cycles(2 * half))).collect();
    let law = recurrence(&terms);
    assert!(law.len() < 30, "there are far more terms than unknowns: {}", law.len());
    while terms.len() < 500 {
        let next =
            law.iter().zip(terms.iter().rev()).fold(0, |s, (&c, &t)| (s + times(c, t)) % PRIME);
        terms.push(next);
    }
    let whole = cycles(1000);
    assert!(whole.bits() > 1000);
    assert_eq!(residue(whole), terms[499]);
}
