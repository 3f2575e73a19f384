//! Exact counts, each asserted: `cargo bench -- count`.
//!
//! `--quick` counts all boards of at most 40 squares, and 6x8. Without it, the bench also counts 7x8, 8x8,
//! open tours of 7x7 and covers of 8x8, and measures the growth from 5 to 8 rows. `--strict` fails if a count
//! takes too long.

use crate::lab::{self, expect, knight, median, seconds};
use hippodrome::count::{Count, CountKind, CountMonitor, Counted};
use std::sync::atomic::Ordering::Relaxed;

pub fn main() {
    let quick = lab::is_quick();
    for (kind, most) in [("closed", 0.5), ("open", 12.0)] {
        all_small_boards(kind, most);
    }
    let repeats = if quick { 3 } else { 11 };
    timed("6x6", "closed", repeats, 0.02);
    timed("6x6", "open", repeats, 0.5);
    timed("6x8", "closed", 1, 2.0);
    timed("3x1000", "closed", 1, 2.0);
    timed("8x8", "two-factors", 1, 60.0);
    if quick {
        return;
    }
    timed("6x7", "open", 1, 10.0);
    timed("6x8", "open", 1, 60.0);
    timed("7x7", "path-covers", 1, 60.0);
    timed("7x8", "closed", 1, 60.0);
    timed("8x8", "closed", 1, 600.0);
    timed("8x10", "two-factors", 1, 300.0);
    timed("7x7", "open", 1, 600.0);
    timed("8x8", "path-covers", 1, 600.0);
    growth();
    for ends in [["d4", "e4"], ["c3", "c4"], ["a1", "b1"]] {
        one_class(ends, 300.0);
    }
}

/// Counts the open tours of 8x8 for one class of ends, like one unit of the full count.
fn one_class(ends: [&str; 2], most: f64) {
    let graph = knight("8x8");
    let square = |name: &str| graph.vertices().find(|&s| graph.name(s) == name);
    let [start, end] = ends.map(square);
    let watch = CountMonitor { memory: 12 << 30, ..CountMonitor::default() };
    let count = Count { threads: 2, start, end, ..Count::new(graph.clone(), CountKind::Open) };
    let (time, counted) = seconds(|| count.run(&watch).expect("a count"));
    expect(time <= most, &format!("8x8 between {ends:?} in {most} s"));
    println!(
        "8x8 between {ends:?}: {} tours, {time:.1} s, {} states, {:.1} MiB of them at a time",
        counted.undirected,
        watch.states.load(Relaxed),
        watch.peak.load(Relaxed) as f64 / (1 << 20) as f64
    );
}

fn count(board: &str, kind: &str) -> (Counted, CountMonitor) {
    let kind = CountKind::CHOICES.iter().find(|row| row.0 == kind).expect("a kind").1;
    let watch = CountMonitor { memory: 12 << 30, ..CountMonitor::default() };
    // Count up to symmetry as well, where that number is known.
    let classes = kind == CountKind::Closed && known(board, "closed-classes").is_some();
    let counted = Count { threads: 2, classes, ..Count::new(knight(board), kind) }.run(&watch);
    (counted.expect("a count"), watch)
}

/// Returns the known number of a board, if there is one.
fn known(board: &str, kind: &str) -> Option<&'static str> {
    let lines = include_str!("../data/known-counts.tsv").lines();
    lines
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .find(|words| words[0] == board && words.get(1) == Some(&kind))
        .map(|words| words[2])
}

fn assert_known(board: &str, kind: &str, counted: &Counted) {
    let number = match (&counted.directed, kind) {
        (Some(directed), "open") => directed,
        _ => &counted.undirected,
    };
    if let Some(known) = known(board, kind) {
        assert_eq!(number.to_string(), known, "{board} {kind}");
    }
    if let Some(classes) = &counted.classes {
        assert_eq!(Some(&classes.to_string()[..]), known(board, "closed-classes"), "{board}");
    }
}

fn timed(board: &str, kind: &str, repeats: usize, most: f64) {
    let mut times = Vec::new();
    let mut last = None;
    for _ in 0..repeats {
        let (time, (counted, watch)) = seconds(|| count(board, kind));
        assert_known(board, kind, &counted);
        times.push(time);
        last = Some((counted, watch));
    }
    let time = median(times);
    let Some((counted, watch)) = last else { return };
    expect(time <= most, &format!("{board} {kind} in {most} s"));
    println!(
        "{board} {kind}: {time:.3} s with all checks, {} states, {:.1} MiB of them at a time, by {}, {} checks",
        watch.states.load(Relaxed),
        watch.peak.load(Relaxed) as f64 / (1 << 20) as f64,
        counted.method,
        counted.checks.len()
    );
}

fn all_small_boards(kind: &str, most: f64) {
    let (time, boards) = seconds(|| {
        let sides = (1..=6).flat_map(|rows| (rows..=40 / rows).map(move |cols| (rows, cols)));
        sides
            .map(|(rows, cols)| {
                let board = format!("{rows}x{cols}");
                let (counted, _) = count(&board, kind);
                assert_known(&board, kind, &counted);
            })
            .count()
    });
    expect(time <= most, &format!("all boards of 40 squares, {kind}, in {most} s"));
    println!("{kind} tours of all {boards} boards of at most 40 squares: {time:.2} s");
}

fn growth() {
    println!("closed tours of n rows and 8 columns: states of all steps, bytes at a time, seconds");
    for rows in 5..=8 {
        let board = format!("{rows}x8");
        let (time, (_, watch)) = seconds(|| count(&board, "closed"));
        println!(
            "  {board}: {} states, {} bytes, {time:.2} s",
            watch.states.load(Relaxed),
            watch.peak.load(Relaxed)
        );
    }
}
