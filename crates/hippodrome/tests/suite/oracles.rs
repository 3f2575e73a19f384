//! Compares lists of all tours with the known numbers of `data/known-counts.tsv`, where listing is fast.

use crate::lab::{choice, closed, count, open};
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::search::Status;
use hippodrome::tour::Distinct;

/// Maximum number of tours listed here; 6x6 is listed once, in `papers.rs` (Table 3).
const MOST_TOURS: u64 = 1_300_000;
/// Maximum number of closed tours, which are harder to find.
const MOST_CYCLES: u64 = 1_100_000;

struct Line<'t> {
    board: &'t str,
    kind: &'t str,
    count: u64,
}

fn lines() -> Vec<Line<'static>> {
    let text = include_str!("../../data/known-counts.tsv");
    let content = text.lines().filter(|line| !line.starts_with('#'));
    let parsed = content.map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
        // Numbers above u64::MAX belong to kinds that are not listed here.
        [board, kind, count, _source] => {
            Line { board, kind, count: count.parse().unwrap_or(u64::MAX) }
        }
        _ => panic!("four columns, please: {line}"),
    });
    parsed.collect()
}

/// Checks all lines of one kind up to a count; returns the boards checked.
fn check(kind: &str, most: u64) -> Vec<&'static str> {
    let mut checked = Vec::new();
    for line in lines().iter().filter(|line| line.kind == kind && line.count <= most) {
        let (problem, distinct) = match kind {
            "open" => (open(line.board), Distinct::Directed),
            "closed" => (closed(line.board), Distinct::Cycle),
            other => panic!("no kind {other}"),
        };
        let run = Enumeration::new(problem, choice::<&str>("exact", &[]));
        let summary = count(&Enumeration { threads: 2, all: true, distinct, ..run });
        assert_eq!(summary.total.distinct, line.count, "{} {kind}", line.board);
        assert_eq!(summary.status, Status::Complete, "{} {kind}", line.board);
        checked.push(line.board);
    }
    checked
}

#[test]
fn open_tours_agree_with_the_known_numbers() {
    let boards = ["3x4", "3x7", "3x8", "3x10", "4x5", "4x6", "4x7", "4x8", "5x5", "5x6", "5x7"];
    assert_eq!(check("open", MOST_TOURS), boards);
}

#[test]
fn closed_tours_agree_with_the_known_numbers() {
    assert_eq!(check("closed", MOST_CYCLES), ["3x10", "3x12", "5x6", "5x8", "6x6", "6x7"]);
}

#[test]
fn rotated_boards_have_equally_many_tours() {
    for (board, turned) in [("3x7", "7x3"), ("4x6", "6x4"), ("5x6", "6x5"), ("3x10", "10x3")] {
        let total = |problem| {
            let run = Enumeration::new(problem, choice::<&str>("exact", &[]));
            count(&Enumeration { threads: 2, all: true, ..run }).total
        };
        let (here, there) = (total(open(board)), total(open(turned)));
        assert_eq!((here.tours, here.closed), (there.tours, there.closed), "{board}");
        assert_eq!(total(closed(board)).tours, here.closed, "{board}");
    }
}
