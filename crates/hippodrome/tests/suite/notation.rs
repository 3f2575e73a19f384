//! Tests that every notation can read what it writes, and that no text makes the readers panic.

use hippodrome::board::graph_file::{read_graph, write_hcp};
use hippodrome::board::{Board, Graph, Square};
use hippodrome::tour::{
    Claim, Hints, Notation, NotationError, ReadError, Tour, TourWriter, read_tours, tour_json,
    verify, write_tour,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::sync::LazyLock;

/// Finds a tour by backtracking that tries squares with the fewest onward moves first.
fn tour_from(graph: &Graph, start: Square) -> Option<Tour> {
    fn go(graph: &Graph, path: &mut Vec<Square>, seen: &mut [bool], fuel: &mut u32) -> bool {
        if path.len() == graph.order() || *fuel == 0 {
            return *fuel > 0;
        }
        *fuel -= 1;
        let free = |v: Square, seen: &[bool]| {
            graph.neighbours(v).filter(|&n| !seen[n.index()]).collect::<Vec<_>>()
        };
        let mut next = free(path[path.len() - 1], seen);
        next.sort_by_key(|&n| free(n, seen).len());
        next.into_iter().any(|n| {
            path.push(n);
            seen[n.index()] = true;
            let found = go(graph, path, seen, fuel);
            if !found {
                path.pop();
                seen[n.index()] = false;
            }
            found
        })
    }
    let mut seen = vec![false; graph.len()];
    seen[start.index()] = true;
    let mut path = vec![start];
    go(graph, &mut path, &mut seen, &mut 20_000).then(|| verify(graph, path).unwrap())
}

fn board(shape: &str, holes: &[&str], leaper: &str) -> Graph {
    let board = Board::parse(shape).unwrap();
    let holes: Vec<Square> = holes.iter().map(|h| board.place(h).unwrap()).collect();
    Graph::leaper(board.with_holes(holes).unwrap(), leaper.parse().unwrap())
}

fn wheel() -> Graph {
    let rim = (1..=9).map(|i| format!("rim{i} rim{}\nhub rim{i}\n", i % 9 + 1));
    read_graph("wheel \"9\" & <hub>", &rim.collect::<String>()).unwrap()
}

/// Returns tours of every kind of graph, some of them closed.
static TOURS: LazyLock<Vec<Tour>> = LazyLock::new(|| {
    let graphs = [
        board("1x1", &[], "1,2"),
        board("5x5", &[], "1,2"),
        board("3x10", &[], "1,2"),
        board("6x6", &[], "1,2"),
        board("6x7", &["c3", "d3"], "1,2"),
        board("6x7", &["a1", "a2", "a3", "a4", "a5", "a6"], "1,2"),
        board("4x30", &[], "1,2"),
        board("5x5", &["a1"], "1,2+0,1"),
        board("7x7", &[], "1,3+0,1"),
        board("5x6", &[], "1,1+0,1"),
        board("4x5", &[], "0,1"),
        wheel(),
    ];
    let some = |g: &Graph| {
        let tours: Vec<Tour> = g.vertices().filter_map(|s| tour_from(g, s)).take(4).collect();
        assert!(!tours.is_empty(), "no tour of {g}");
        tours
    };
    graphs.iter().flat_map(some).collect()
});

fn tours_of(graph: &str) -> Vec<&'static Tour> {
    TOURS.iter().filter(|t| t.graph().to_string() == graph).collect()
}

fn written(tour: &Tour, notation: Notation) -> Option<String> {
    let mut text = Vec::new();
    match write_tour(&tour.view(), notation, &mut text) {
        Ok(()) => Some(String::from_utf8(text).unwrap()),
        Err(NotationError::Unavailable(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

fn full_hints(graph: &Graph) -> Hints {
    Hints { graph: Some(graph.clone()), ..Hints::default() }
}

fn assert_read(claim: &Result<Claim, ReadError>, tour: &Tour, text: &str) {
    let claim = claim.as_ref().unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(claim.squares, tour.squares(), "{}\n{text}", tour.graph());
    assert_eq!(claim.graph.to_string(), tour.graph().to_string(), "{text}");
    let again = verify(&claim.graph, claim.squares.clone()).unwrap();
    assert_eq!(again.is_closed(), tour.is_closed());
}

#[test]
fn every_notation_reads_back_the_same_squares() {
    assert!(TOURS.len() > 30 && TOURS.iter().any(Tour::is_closed));
    let mut read = 0;
    for tour in TOURS.iter() {
        for notation in Notation::ALL {
            let Some(text) = written(tour, notation) else { continue };
            for notation in [None, Some(notation)] {
                let claims = read_tours(&text, &Hints { notation, ..full_hints(tour.graph()) });
                assert_eq!(claims.len(), 1, "{text}");
                assert_read(&claims[0], tour, &text);
            }
            read += 1;
        }
    }
    assert!(read > 4 * TOURS.len(), "{read}");
}

#[test]
fn grid_json_and_tsplib_record_their_board() {
    for tour in TOURS.iter().filter(|t| t.graph().board().is_some()) {
        for notation in [Notation::Grid, Notation::Json, Notation::Tsplib] {
            let text = written(tour, notation).unwrap();
            let piece = tour.graph().piece().filter(|_| notation == Notation::Grid);
            let claims = read_tours(&text, &Hints { leaper: piece.cloned(), ..Hints::default() });
            assert_read(&claims[0], tour, &text);
        }
    }
}

#[test]
fn square_boards_need_no_hint_in_any_notation() {
    for tour in tours_of("5x5").into_iter().chain(tours_of("6x6")) {
        for notation in Notation::ALL {
            let text = written(tour, notation).unwrap().replace('\n', "\r\n");
            assert_read(&read_tours(&format!("\u{feff}{text}"), &Hints::default())[0], tour, &text);
        }
    }
}

#[test]
fn many_tours_in_one_text_are_read_in_order() {
    let tours = tours_of("3x10");
    assert!(tours.len() > 1);
    for notation in Notation::ALL {
        let mut text = Vec::new();
        let mut writer = TourWriter::new(notation, &mut text);
        for tour in &tours {
            writer.write(&tour.view()).unwrap();
        }
        let text = String::from_utf8(text).unwrap();
        let claims = read_tours(&text, &full_hints(tours[0].graph()));
        assert_eq!(claims.len(), tours.len(), "{text}");
        for (claim, tour) in claims.iter().zip(&tours) {
            assert_read(claim, tour, &text);
        }
    }
}

#[test]
fn a_small_tour_looks_like_this() {
    let graph = board("3x4", &[], "1,2");
    let names = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3";
    let squares = names.split(' ').map(|n| graph.vertex(n).unwrap()).collect();
    let tour = verify(&graph, squares).unwrap();
    let text = |notation| written(&tour, notation).unwrap();
    assert_eq!(text(Notation::Grid), " 3  6  9 12\n 8 11  2  5\n 1  4  7 10\n");
    assert_eq!(text(Notation::Moves), format!("{names}\n"));
    assert_eq!(text(Notation::Digits), "a1 25025052052\n");
    assert_eq!(
        text(Notation::Tsplib),
        "NAME : 3x4.tour\nCOMMENT : board 3x4\nTYPE : TOUR\nDIMENSION : 12\nTOUR_SECTION\n\
         1\n7\n9\n2\n8\n10\n3\n5\n11\n4\n6\n12\n-1\nEOF\n"
    );
}

#[test]
fn holes_are_right_aligned_in_a_grid_and_leave_no_gap_in_tsplib() {
    let tour = tours_of("6x7 with 2 holes")[0];
    let grid = written(tour, Notation::Grid).unwrap();
    let rows: Vec<&str> = grid.lines().collect();
    assert!(rows.iter().all(|row| row.len() == 7 * 3 - 1), "{grid}");
    assert_eq!((&rows[3][6..8], &rows[3][9..11]), (" #", " #"), "{grid}");
    let tsplib = written(tour, Notation::Tsplib).unwrap();
    assert!(tsplib.contains("DIMENSION : 40\n") && tsplib.contains("COMMENT : holes c3,d3\n"));
    let mut numbers: Vec<u32> = tsplib.lines().filter_map(|line| line.parse().ok()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
}

#[test]
fn closed_tours_have_one_digit_more() {
    for tour in TOURS.iter() {
        let Some(text) = written(tour, Notation::Digits) else { continue };
        let digits = text.split_whitespace().nth(1).unwrap_or_default();
        let order = tour.graph().order();
        assert_eq!(digits.len(), if tour.is_closed() { order } else { order - 1 }, "{text}");
    }
}

#[test]
fn written_json_equals_the_object() {
    for tour in TOURS.iter() {
        let text = written(tour, Notation::Json).unwrap();
        assert_eq!(text.lines().count(), 1);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value, tour_json(&tour.view()));
    }
}

#[test]
fn long_tours_are_written_in_pieces() {
    let graph = board("3x40000", &[], "0,1");
    let row = |r: u32| (0..40_000).map(move |c| r * 40_000 + if r == 1 { 39_999 - c } else { c });
    let tour = verify(&graph, (0..3).flat_map(row).map(Square::new).collect()).unwrap();
    for notation in Notation::ALL {
        let text = written(&tour, notation).unwrap();
        // The numbers of this tour in one list are another tour as numbers of squares.
        let hints = Hints { notation: Some(notation), ..full_hints(&graph) };
        let claims = read_tours(&text, &hints);
        assert!(claims[0].as_ref().unwrap().squares == tour.squares(), "{notation}");
    }
}

#[test]
fn errors_on_a_file_graph_name_the_supported_notations() {
    let graph = wheel();
    let tour = tour_from(&graph, Square::new(0)).unwrap();
    for notation in [Notation::Grid, Notation::Digits] {
        let error = write_tour(&tour.view(), notation, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("wheel") && error.contains("moves, json or tsplib"), "{error}");
        let text = if notation == Notation::Grid { "1 2\n" } else { "a1 2\n" };
        let hints = Hints { notation: Some(notation), ..full_hints(&graph) };
        let error = read_tours(text, &hints).remove(0).unwrap_err().to_string();
        assert!(error.contains("moves, json or tsplib"), "{error}");
    }
    let error = read_tours("hub rim1 spoke\n", &full_hints(&graph)).remove(0).unwrap_err();
    assert!(error.to_string().contains("step 3: 'spoke' is not a vertex"), "{error}");
}

#[test]
fn a_tour_found_on_a_written_board_is_read_on_that_board() {
    let graph = tours_of("6x7 with 2 holes")[0].graph();
    let mut hcp = Vec::new();
    write_hcp(graph, &mut hcp).unwrap();
    let other = read_graph("other", std::str::from_utf8(&hcp).unwrap()).unwrap();
    let tour = other.vertices().find_map(|s| tour_from(&other, s)).unwrap();
    let text = written(&tour, Notation::Tsplib).unwrap().replace("COMMENT : graph other\n", "");
    let claim = read_tours(&text, &full_hints(graph)).remove(0).unwrap();
    assert!(verify(graph, claim.squares).is_ok());
}

/// Returns hints of every kind.
fn some_hints() -> impl Strategy<Value = Hints> {
    let notations = Notation::ALL.into_iter().map(Some).chain([None]).collect::<Vec<_>>();
    (select(notations), 0..4u8).prop_map(|(notation, kind)| {
        let graph = match kind {
            0 => Some(wheel()),
            1 => Some(board("5x5", &["c3"], "1,2")),
            _ => None,
        };
        let board = (kind == 2).then(|| Board::parse("3x4").unwrap());
        Hints { notation, graph, board, ..Hints::default() }
    })
}

/// Reads and verifies whatever can be read.
fn endure(text: &str, hints: &Hints) {
    let claims = read_tours(text, hints);
    assert!(!claims.is_empty());
    let lines = text.lines().count().max(1);
    for claim in claims {
        match claim {
            Err(error) => assert!((1..=lines).contains(&error.line), "{error}: {text:?}"),
            Ok(claim) => {
                assert!((1..=lines).contains(&claim.line), "{text:?}");
                assert!(claim.squares.iter().all(|&s| s.index() < claim.graph.len()), "{text:?}");
                let _ = verify(&claim.graph, claim.squares);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn arbitrary_text_never_panics(
        text in "\\PC*|[a-h1-8# \r\n]{0,80}|[0-9 \n#-]{0,80}|[\\[\\]{}\":,a-z0-9 \n]{0,80}|<[a-z <>/&;]{0,40}",
        hints in some_hints(),
    ) {
        endure(&text, &hints);
        endure(&format!("{{\"squares\":[\"{text}"), &hints);
        endure(&format!("TYPE : TOUR\nTOUR_SECTION\n{text}"), &hints);
        endure(&format!("<metadata hippodrome-tour>{text}"), &hints);
    }

    #[test]
    fn arbitrary_bytes_never_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        hints in some_hints(),
    ) {
        endure(&String::from_utf8_lossy(&bytes), &hints);
    }

    #[test]
    fn damaged_tours_never_panic(
        pick in any::<Index>(),
        notation in select(Notation::ALL.to_vec()),
        damage in proptest::collection::vec(
            (any::<Index>(), "[ -~\n]|99999999999|é|", 0..6usize),
            1..5,
        ),
        own in any::<bool>(),
        hints in some_hints(),
    ) {
        let tour = pick.get(&TOURS);
        let Some(text) = written(tour, notation) else { return Ok(()) };
        let mut text: Vec<char> = text.chars().collect();
        for (at, patch, drop) in damage {
            let at = at.index(text.len() + 1);
            let end = (at + drop).min(text.len());
            text.splice(at..end, patch.chars());
        }
        let text: String = text.into_iter().collect();
        endure(&text, &if own { full_hints(tour.graph()) } else { hints });
    }
}
