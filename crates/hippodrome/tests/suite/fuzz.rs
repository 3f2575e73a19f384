//! Mutated tours through the reader: no panic, no hang, bounded memory, and no tour that the verifier rejects.
//!
//! The number of texts is that of `HIPPODROME_FUZZ`, or 3000.

use hippodrome::board::{Board, Graph, Square};
use hippodrome::tour::{Hints, Notation, Tour, TourTextReader, verify, write_tour};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::{Duration, Instant};

/// Pieces that are inserted: what the notations are made of, and what they are not.
const SCRAPS: [&str; 48] = [
    " ",
    "\n",
    "\n\n",
    "\t",
    ",",
    ";",
    "|",
    "&",
    "\\\\",
    "\\hline",
    "\\begin{tabular}{|c|}",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "[[",
    "]]",
    "\"",
    "#",
    "# origin top,row,0\n",
    "-",
    "->",
    "→",
    "│",
    "+---+\n",
    "0",
    "1",
    "64",
    "99999999999",
    "-1",
    "a1",
    "Na1",
    "a1c2",
    "zz9",
    "e4 4365",
    "Tour 12, 8x8\n",
    "{\"squares\":[\"a1\"]}\n",
    "NAME : x\n",
    "TOUR_SECTION\n",
    "EOF\n",
    "<metadata",
    "é",
    "\u{feff}",
    "...",
    "1. ",
    "null",
];

fn tours() -> Vec<Tour> {
    let knight = Graph::knight(Board::parse("3x4").unwrap());
    let names = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3";
    let squares = names.split(' ').map(|name| knight.vertex(name).unwrap()).collect();
    let wazir = Graph::leaper(Board::parse("4x4").unwrap(), "0,1".parse().unwrap());
    let row = |r: u32| (0..4).map(move |c| r * 4 + if r % 2 == 1 { 3 - c } else { c });
    let ring = (0..4).flat_map(row).map(Square::new).collect();
    vec![verify(&knight, squares).unwrap(), verify(&wazir, ring).unwrap()]
}

/// Returns texts in every notation, one or three tours each.
fn seeds() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for tour in tours() {
        for notation in Notation::ALL {
            let mut text = Vec::new();
            write_tour(&tour.view(), notation, &mut text).unwrap();
            all.push(text.repeat(3));
            all.push(text);
        }
        let names: Vec<String> = tour.squares().iter().map(|&s| tour.graph().name(s)).collect();
        all.push(names.join(" -> ").into_bytes());
        all.push(names.join("\n").into_bytes());
        all.push(format!("[\"{}\"]", names.join("\", \"")).into_bytes());
    }
    all
}

fn mutate(text: &mut Vec<u8>, rng: &mut Xoshiro256PlusPlus) {
    for _ in 0..rng.random_range(1..6) {
        let at = rng.random_range(0..=text.len());
        let end = (at + rng.random_range(0..8)).min(text.len());
        match rng.random_range(0..5) {
            0 => {
                text.splice(at..end, []);
            }
            1 => {
                let scrap = SCRAPS[rng.random_range(0..SCRAPS.len())];
                text.splice(at..at, scrap.bytes());
            }
            2 => {
                let part = text[at..end].to_vec();
                let to = rng.random_range(0..=text.len());
                text.splice(to..to, part);
            }
            3 => {
                if let Some(byte) = text.get_mut(at) {
                    *byte = rng.random_range(0..=255);
                }
            }
            _ => {
                let scrap = SCRAPS[rng.random_range(0..SCRAPS.len())];
                let times = rng.random_range(1..40);
                text.splice(at..end, scrap.repeat(times).into_bytes());
            }
        }
    }
}

#[test]
fn mutated_tours_neither_panic_nor_hang() {
    let count = std::env::var("HIPPODROME_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let seeds = seeds();
    let board = |shape| Some(Board::parse(shape).unwrap());
    let leaper = "0,1".parse().ok();
    let mut hints = vec![
        Hints::default(),
        Hints { board: board("3x4"), ..Hints::default() },
        Hints { board: board("4x4"), leaper, up_to_symmetry: true, ..Hints::default() },
    ];
    hints.extend(Notation::ALL.map(|n| Hints { notation: Some(n), ..Hints::default() }));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1848);
    let (mut read, mut valid, mut slowest) = (0u64, 0u64, Duration::ZERO);
    for _ in 0..count {
        let mut text = seeds[rng.random_range(0..seeds.len())].clone();
        mutate(&mut text, &mut rng);
        let hints = &hints[rng.random_range(0..hints.len())];
        let begun = Instant::now();
        for claim in TourTextReader::new(&text[..], hints) {
            read += 1;
            if let Ok(claim) = claim {
                assert!(claim.squares.len() <= text.len(), "{:?}", String::from_utf8_lossy(&text));
                let squares = claim.graph.len();
                assert!(claim.squares.iter().all(|s| s.index() < squares));
                valid += u64::from(verify(&claim.graph, claim.squares).is_ok());
            }
        }
        slowest = slowest.max(begun.elapsed());
    }
    assert!(slowest < Duration::from_secs(10), "{slowest:?}");
    assert!(valid * 20 > read, "{valid} of {read}");
    eprintln!("{count} texts, {read} claims, {valid} tours, slowest {slowest:?}");
}
