//! Corrupted tours are never accepted by the plain verifier, by a reused verifier, or as a trail. The
//! reference is a naive check that shares only the graph with the verifiers.

use crate::lab::{choice, collect, graph, open};
use hippodrome::board::{Graph, Square};
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::search::Budget;
use hippodrome::tour::{TourFault, Trail, Verifier, verify};
use proptest::prelude::*;
use proptest::sample::Index;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Graphs with at most 64 squares, with more squares, with holes, with other pieces, and from files.
const GRAPHS: &[&str] = &[
    "1x1",
    "1x2/0,1",
    "3x4",
    "5x5",
    "5x6",
    "6x6",
    "8x8",
    "7x9",
    "8x8-a1-b1",
    "6x6-c3-d3",
    "4x4-a1-d1",
    "8x9",
    "9x9",
    "10x10-e5-e6",
    "3x3/1,2+0,1",
    "petersen",
    "wheel",
];

/// Tours of one graph. Neighbouring tours in the list begin with many of the same squares.
struct Ground {
    graph: Graph,
    tours: Vec<Vec<Square>>,
}

static GROUNDS: LazyLock<Vec<Ground>> = LazyLock::new(|| {
    let ground = |name: &&str| {
        let run = Enumeration::new(open(name), choice::<&str>("exact", &[]));
        let budget = Budget { tours: Some(300), ..Budget::UNLIMITED };
        let (mut tours, _) = collect(&Enumeration { budget, threads: 1, ..run });
        assert!(!tours.is_empty(), "{name}");
        tours.sort();
        Ground { graph: graph(name), tours }
    };
    GRAPHS.iter().map(ground).collect()
});

/// The verdict of the naive check: a tour, the first wrong step counted from 1, or a list that is only too
/// short.
#[derive(Debug, PartialEq)]
enum Judgement {
    Tour { closed: bool },
    WrongAt(usize),
    Short,
}

fn naive(graph: &Graph, list: &[Square]) -> Judgement {
    for (at, &square) in list.iter().enumerate() {
        let known = square.index() < graph.len() && graph.has(square);
        let moved = at == 0 || (known && graph.adjacent(list[at - 1], square));
        if !known || !moved || list[..at].contains(&square) {
            return Judgement::WrongAt(at + 1);
        }
    }
    if list.len() < graph.vertices().count() {
        return Judgement::Short;
    }
    let (first, last) = (list[0], list[list.len() - 1]);
    Judgement::Tour { closed: list.len() > 2 && graph.adjacent(last, first) }
}

/// A way to corrupt a tour.
#[derive(Clone, Debug)]
enum Harm {
    Nothing,
    Swap(Index, Index),
    Replace(Index, Index),
    Duplicate(Index),
    Drop(Index),
    Append(Index),
    Cut(Index),
    Reverse(Index, Index),
    Rotate(Index),
    Shift(i8),
    OffBoard(Index, u32),
    Graft(Index, Index),
}

fn harm() -> impl Strategy<Value = Harm> {
    let at = any::<Index>;
    prop_oneof![
        3 => Just(Harm::Nothing),
        1 => (at(), at()).prop_map(|(a, b)| Harm::Swap(a, b)),
        1 => (at(), at()).prop_map(|(a, b)| Harm::Replace(a, b)),
        1 => at().prop_map(Harm::Duplicate),
        1 => at().prop_map(Harm::Drop),
        1 => at().prop_map(Harm::Append),
        1 => at().prop_map(Harm::Cut),
        2 => (at(), at()).prop_map(|(a, b)| Harm::Reverse(a, b)),
        1 => at().prop_map(Harm::Rotate),
        1 => prop_oneof![Just(-1i8), Just(1i8)].prop_map(Harm::Shift),
        1 => (at(), prop_oneof![0..200u32, Just(u32::MAX), Just(64), Just(1 << 31)])
            .prop_map(|(a, n)| Harm::OffBoard(a, n)),
        2 => (at(), at()).prop_map(|(a, b)| Harm::Graft(a, b)),
    ]
}

fn apply(harm: &Harm, tour: &[Square], ground: &Ground) -> Vec<Square> {
    let mut list = tour.to_vec();
    let n = list.len();
    match harm {
        Harm::Nothing => {}
        Harm::Swap(a, b) => list.swap(a.index(n), b.index(n)),
        // Any number of the graph, including holes.
        Harm::Replace(a, b) => list[a.index(n)] = Square::from_index(b.index(ground.graph.len())),
        Harm::Duplicate(a) => list.insert(a.index(n), tour[a.index(n)]),
        Harm::Drop(a) => drop(list.remove(a.index(n))),
        Harm::Append(a) => list.push(Square::from_index(a.index(ground.graph.len()))),
        Harm::Cut(a) => list.truncate(a.index(n)),
        Harm::Reverse(a, b) => {
            let (a, b) = (a.index(n), b.index(n));
            list[a.min(b)..=a.max(b)].reverse();
        }
        Harm::Rotate(a) => list.rotate_left(a.index(n)),
        Harm::Shift(by) => {
            let moved = |s: &Square| Square::new(s.number().wrapping_add_signed(i32::from(*by)));
            list.iter_mut().for_each(|s| *s = moved(s));
        }
        Harm::OffBoard(a, number) => list[a.index(n)] = Square::new(*number),
        // Joins the beginning of this tour to the end of another.
        Harm::Graft(a, other) => {
            let other = &ground.tours[other.index(ground.tours.len())];
            list.truncate(a.index(n));
            list.extend_from_slice(&other[list.len()..]);
        }
    }
    list
}

/// Asserts that the fault names the step and the square that the naive check found.
fn fits(graph: &Graph, list: &[Square], fault: &TourFault, judgement: &Judgement) {
    let name = |step: usize| graph.name(list[step - 1]);
    match (fault, judgement) {
        (TourFault::NotASquare { step, square, .. }, Judgement::WrongAt(at)) => {
            assert_eq!((*step, square), (*at, &name(*at)));
            assert!(!graph.has(list[at - 1]));
        }
        (TourFault::Repeat { step, square, earlier }, Judgement::WrongAt(at)) => {
            assert_eq!((*step, square), (*at, &name(*at)));
            assert!(earlier < step && list[earlier - 1] == list[step - 1]);
        }
        (TourFault::NotAMove { step, from, to }, Judgement::WrongAt(at)) => {
            assert_eq!((*step, from, to), (*at, &name(at - 1), &name(*at)));
        }
        (TourFault::Short { step, square, missing, order }, Judgement::Short) => {
            assert_eq!((*step, square), (list.len(), &name(list.len())));
            assert_eq!((*missing + list.len(), *order), (*order, graph.vertices().count()));
        }
        (TourFault::Empty, Judgement::Short) => assert!(list.is_empty()),
        other => panic!("{other:?} of {list:?}"),
    }
}

/// A verifier and a trail that are reused.
struct Worn {
    verifier: Verifier,
    trail: Option<Trail>,
}

impl Worn {
    fn new(graph: &Graph) -> Worn {
        Worn { verifier: Verifier::new(graph), trail: Trail::new(graph) }
    }

    /// Records the list, from the first square that differs from the current trail, as a search does.
    fn lay(&mut self, list: &[Square]) -> Option<Result<bool, TourFault>> {
        let trail = self.trail.as_mut().filter(|_| (1..=64).contains(&list.len()))?;
        let alike = trail.squares().iter().zip(list).take_while(|(a, b)| a == b).count();
        for (index, &square) in list.iter().enumerate().skip(alike.min(list.len() - 1)) {
            trail.step(index, square.index());
        }
        Some(trail.tour().map(|tour| tour.is_closed()))
    }
}

/// Compares all verifiers with the naive check.
fn judge(ground: &Ground, worn: &mut Worn, list: &[Square]) -> bool {
    let graph = &ground.graph;
    if list.iter().all(|&square| square < Square::new(64))
        && let Some(laid) = worn.lay(list)
    {
        assert_eq!(laid, verify(graph, list.to_vec()).map(|t| t.is_closed()), "{graph}: {list:?}");
    }
    let verifier = &worn.verifier;
    let judgement = naive(graph, list);
    let plain = verify(graph, list.to_vec()).map(|t| t.is_closed());
    let reused = verifier.check(Cow::Borrowed(list)).map(|t| t.is_closed());
    assert_eq!(plain, reused, "{graph}: {list:?}");
    match plain {
        Ok(closed) => assert_eq!(judgement, Judgement::Tour { closed }, "{graph}: {list:?}"),
        Err(fault) => fits(graph, list, &fault, &judgement),
    }
    matches!(judgement, Judgement::Tour { .. })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spoiled_tours_are_judged_as_the_naive_check_judges_them(
        which in any::<Index>(),
        lists in proptest::collection::vec((any::<Index>(), harm()), 1..40),
        near in any::<bool>(),
    ) {
        let ground = &GROUNDS[which.index(GROUNDS.len())];
        let mut worn = Worn::new(&ground.graph);
        let from = lists[0].0.index(ground.tours.len());
        for (step, (tour, harm)) in lists.iter().enumerate() {
            // Adjacent tours share their first squares.
            let number = if near { from + step } else { tour.index(ground.tours.len()) };
            let tour = &ground.tours[number % ground.tours.len()];
            let mut list = apply(harm, tour, ground);
            let accepted = judge(ground, &mut worn, &list);
            prop_assert!(accepted || !matches!(harm, Harm::Nothing));
            // A rejected list is rejected again, and so is a list with the same beginning.
            prop_assert_eq!(judge(ground, &mut worn, &list), accepted);
            let end = list.len().saturating_sub(3);
            list[end..].reverse();
            judge(ground, &mut worn, &list);
        }
    }
}

#[test]
fn every_single_replacement_is_judged_correctly() {
    for name in ["5x5", "8x8", "8x8-a1-b1", "8x9"] {
        let ground = &GROUNDS[GRAPHS.iter().position(|g| g == &name).unwrap()];
        let mut worn = Worn::new(&ground.graph);
        let tour = &ground.tours[0];
        for at in 0..tour.len() {
            for square in Square::below(ground.graph.len() + 3) {
                let mut list = tour.clone();
                list[at] = square;
                let accepted = judge(ground, &mut worn, &list);
                assert_eq!(accepted, square == tour[at], "{name}: {square:?} at {at}");
                if square.number() % 5 == 0 {
                    assert!(judge(ground, &mut worn, tour));
                }
            }
        }
    }
}

#[test]
fn a_trail_with_a_gap_is_not_a_tour() {
    let ground = &GROUNDS[GRAPHS.iter().position(|g| g == &"5x5").unwrap()];
    let tour = &ground.tours[0];
    let mut trail = Trail::new(&ground.graph).unwrap();
    let mut lay = |indices: std::ops::Range<usize>| {
        indices.for_each(|index| trail.step(index, tour[index].index()));
        trail.tour().is_ok()
    };
    assert!(lay(0..25));
    assert!(!lay(0..5), "too short");
    // Squares after the gap were recorded earlier, possibly on another path.
    assert!(!lay(10..25), "a gap");
    assert!(!lay(8..25), "a gap behind a gap");
    assert!(lay(0..25));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_trail_is_a_tour_only_if_its_squares_are(
        steps in proptest::collection::vec((0..27usize, 0..8u8, any::<Index>()), 1..60),
    ) {
        let ground = &GROUNDS[GRAPHS.iter().position(|g| g == &"5x5").unwrap()];
        let mut trail = Trail::new(&ground.graph).unwrap();
        for (index, kind, pick) in steps {
            let tour = &ground.tours[pick.index(ground.tours.len())];
            match kind {
                // Mostly record the rest of a tour, so that complete tours occur; otherwise one step.
                0..6 => (index.min(24)..25).for_each(|i| trail.step(i, tour[i].index())),
                _ => trail.step(index, tour[pick.index(25)].index()),
            }
            let squares = trail.squares().to_vec();
            prop_assert_eq!(trail.tour().is_ok(), verify(&ground.graph, squares).is_ok());
        }
    }
}

#[test]
fn the_verifier_shares_no_code_with_the_solvers() {
    let source = include_str!("../../src/tour/verify.rs");
    let code = source.split("#[cfg(test)]").next().unwrap();
    let mut crate_uses: Vec<&str> =
        code.lines().map(str::trim).filter(|line| line.contains("crate::")).collect();
    crate_uses.sort_unstable();
    assert_eq!(crate_uses, ["use crate::board::{Graph, Square};"]);
    let uses: Vec<&str> = code.lines().filter(|line| line.contains("super::")).collect();
    assert_eq!(uses, ["use super::{Tour, Verified};"]);
    // It uses only the graph's adjacency test, not the move lists that solvers use.
    assert!(code.contains("graph.adjacent("));
    for shared in [".neighbours(", ".step(", ".code(", ".degree("] {
        assert!(!code.contains(shared), "{shared}");
    }
}
