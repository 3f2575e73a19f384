//! One tour in every spelling that is read, and spellings that are refused.

use hippodrome::board::{Board, Graph, Square};
use hippodrome::tour::{Claim, GridOrigin, Hints, Notation, Tour, read_tours, verify};

/// William Beverley's semi-magic tour of 1848.
const BEVERLEY: &str = include_str!("../../../../docs/beverley.txt");

fn beverley() -> Tour {
    let claim = read_tours(BEVERLEY, &Hints::default()).remove(0).unwrap();
    verify(&claim.graph, claim.squares).unwrap()
}

/// A closed tour of 6x6.
fn closed() -> Tour {
    let graph = Graph::knight(Board::parse("6x6").unwrap());
    let names = "c4 a5 c6 e5 f3 e1 c2 a1 b3 c1 a2 b4 a6 c5 e6 d4 e2 f4 \
                 d3 f2 d1 b2 a4 b6 d5 f6 e4 d6 f5 e3 f1 d2 b1 c3 b5 a3";
    let squares = names.split_whitespace().map(|name| graph.vertex(name).unwrap());
    verify(&graph, squares.collect()).unwrap()
}

/// The parts from which spellings are made.
struct Parts {
    tour: Tour,
    side: u32,
}

impl Parts {
    fn of(tour: Tour) -> Parts {
        let side = tour.graph().board().unwrap().rows();
        Parts { tour, side }
    }

    fn names(&self) -> Vec<String> {
        self.tour.squares().iter().map(|&s| self.tour.graph().name(s)).collect()
    }

    /// Numbers from `from`, top row first.
    fn rows(&self, from: u32) -> Vec<Vec<u32>> {
        let board = self.tour.graph().board().unwrap();
        let times = self.tour.view().times();
        let row = |r| (0..self.side).map(|c| times[board.at(r, c).index()] - 1 + from).collect();
        (0..self.side).rev().map(row).collect()
    }

    fn lines(&self, from: u32, between: &str) -> Vec<String> {
        let words = |row: &Vec<u32>| row.iter().map(u32::to_string).collect::<Vec<_>>();
        self.rows(from).iter().map(|row| words(row).join(between)).collect()
    }

    /// Rows and columns from 0 in order, rows from the top.
    fn places(&self) -> Vec<(u32, u32)> {
        let board = self.tour.graph().board().unwrap();
        let place = |&s: &Square| (self.side - 1 - board.row(s), board.col(s));
        self.tour.squares().iter().map(place).collect()
    }

    fn each(&self, spell: impl Fn((u32, u32)) -> String, between: &str) -> String {
        self.places().into_iter().map(spell).collect::<Vec<_>>().join(between)
    }
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Returns spellings that need no hint, each with a name.
fn spellings(parts: &Parts) -> Vec<(&'static str, String)> {
    let n = parts.names();
    let (side, lines) = (parts.side, |from, between: &str| parts.lines(from, between));
    let rule = |joint: &str| vec!["----"; side as usize].join(joint);
    let letters: Vec<String> = (0..side).map(|c| char::from(b'a' + c as u8).to_string()).collect();
    let boxed = |left: &str, right: &str| {
        let rows = lines(1, " | ");
        (rows.iter().zip((1..=side).rev()))
            .map(|(row, rank)| {
                left.replace('R', &rank.to_string()) + row + &right.replace('R', &rank.to_string())
            })
            .collect::<Vec<_>>()
    };
    let bordered = |rows: &[String], rule: &str| {
        rows.iter().fold(format!("{rule}\n"), |text, row| format!("{text}{row}\n{rule}\n"))
    };
    let numbered = |between: &str| {
        let square = |(step, name): (usize, &String)| format!("{step}.{between}{name}");
        (1..).zip(&n).map(square).collect::<Vec<_>>()
    };
    let capital: Vec<String> = n.iter().map(|name| name.to_uppercase()).collect();
    let knight = |ordinal: &str| {
        let one = |(step, name): (usize, &String)| format!("{step}{ordinal}N{name}");
        (1..).zip(&n).map(one).collect::<Vec<_>>().join(" ")
    };
    let moves = |between: &str| {
        n.windows(2).map(|w| format!("{}{between}{}", w[0], w[1])).collect::<Vec<_>>()
    };
    let json_rows = |from| {
        let rows: Vec<String> = lines(from, ", ").iter().map(|row| format!("[{row}]")).collect();
        rows.join(", ")
    };
    let aligned = |from| -> Vec<String> {
        let row = |row: &Vec<u32>| row.iter().map(|x| format!("{x:>2}")).collect::<Vec<_>>();
        parts.rows(from).iter().map(|r| row(r).join(" ")).collect()
    };
    let quoted = format!("[\"{}\"]", n.join("\",\""));
    let wrapped: String = n.chunks(10).map(|part| part.join(" ") + "\n").collect();
    let flat = |from| lines(from, " ").join(" ");
    let all: Vec<(&'static str, String)> = vec![
        ("grid, spaces", joined(&lines(1, " "))),
        ("grid from 0", joined(&lines(0, " "))),
        ("grid, aligned", joined(&aligned(1))),
        ("grid, tabs", joined(&lines(1, "\t"))),
        ("grid, commas", joined(&lines(1, ","))),
        ("grid from 0, commas and spaces", joined(&lines(0, ", "))),
        ("grid, semicolons", joined(&lines(1, ";"))),
        ("grid, bars", joined(&lines(1, "|"))),
        ("grid, bars and borders", joined(&boxed("| ", " |"))),
        ("grid, ampersands", joined(&lines(1, " & "))),
        ("grid, CRLF", joined(&lines(1, " ")).replace('\n', "\r\n")),
        ("grid, byte order mark", format!("\u{feff}{}", joined(&lines(1, " ")))),
        ("grid, title", format!("Beverley's tour\n{}", joined(&lines(1, " ")))),
        ("grid, title with numbers", format!("Tour 12, 8x8\n\n{}", joined(&lines(1, " ")))),
        ("grid, comment", format!("# 1848: the first\n{}", joined(&lines(1, " ")))),
        ("grid, ranks at the left", joined(&boxed("R ", "")).replace(" | ", " ")),
        ("grid, ranks at both sides", joined(&boxed("R | ", " | R"))),
        (
            "grid, ranks and files",
            format!("{}   {}\n", joined(&boxed("R ", "")).replace(" | ", " "), letters.join("  ")),
        ),
        (
            "grid, files above",
            format!("   {}\n{}", letters.join("  "), joined(&boxed("R | ", " |"))),
        ),
        (
            "grid, column numbers",
            format!(
                "{}\n{}",
                (1..=side).map(|c| c.to_string()).collect::<Vec<_>>().join(" "),
                joined(&boxed("R ", "")).replace(" | ", " ")
            ),
        ),
        ("grid, ASCII borders", bordered(&boxed("| ", " |"), &format!("+{}+", rule("+")))),
        (
            "grid, box drawing",
            bordered(&boxed("| ", " |"), &format!("├{}┤", rule("┼"))).replace('|', "│"),
        ),
        (
            "grid, box drawing and ranks",
            bordered(&boxed("R | ", " |"), &format!("  ├{}┤", rule("┼").replace('-', "─")))
                .replace('|', "│"),
        ),
        (
            "grid, Markdown",
            format!("| {} |\n|{}|\n{}", letters.join(" | "), rule("|"), joined(&boxed("| ", " |"))),
        ),
        ("JSON grid", format!("[{}]", json_rows(1))),
        ("JSON grid from 0", format!("[{}]", json_rows(0))),
        ("JSON grid, pretty", format!("[{}]", json_rows(1)).replace("], ", "],\n  ")),
        ("JSON list of grids", format!("[[{}]]", json_rows(1))),
        ("numpy print", format!("[[{}]]", aligned(1).join("]\n ["))),
        ("numpy print from 0", format!("[[{}]]", aligned(0).join("]\n ["))),
        ("numpy repr", format!("array([{}])", json_rows(1)).replace("], [", "],\n       [")),
        ("numpy floats", format!("[[{}.]]", lines(1, ". ").join(".]\n ["))),
        ("Python assignment", format!("board = [{}]", json_rows(1))),
        (
            "C array",
            format!(
                "int board[8][8] = {{\n{}}};",
                joined(&lines(1, ", "))
                    .lines()
                    .map(|l| format!("  {{{l}}},\n"))
                    .collect::<String>()
            ),
        ),
        ("Matlab", format!("[{}]", lines(1, " ").join("; "))),
        (
            "LaTeX tabular",
            format!(
                "\\begin{{tabular}}{{|c|c|}}\n\\hline\n{}\\end{{tabular}}\n",
                lines(1, " & ").iter().map(|l| format!("{l} \\\\ \\hline\n")).collect::<String>()
            ),
        ),
        (
            "LaTeX pmatrix",
            format!("$\\begin{{pmatrix}} {} \\end{{pmatrix}}$", lines(1, " & ").join(" \\\\ ")),
        ),
        ("numbers in one line", flat(1)),
        ("numbers in one line, from 0", flat(0)),
        ("numbers in one line, commas", flat(1).replace(' ', ",")),
        ("numbers, JSON", format!("[{}]", flat(1).replace(' ', ", "))),
        ("numbers, one per line", flat(1).replace(' ', "\n")),
        ("squares, spaces", n.join(" ")),
        ("squares, commas", n.join(", ")),
        ("squares, semicolons", n.join("; ")),
        ("squares, capitals", capital.join(" ")),
        ("squares, dashes", n.join("-")),
        ("squares, dashes and spaces", n.join(" - ")),
        ("squares, arrows", n.join(" -> ")),
        ("squares, glued arrows", n.join("->")),
        ("squares, Unicode arrows", n.join(" → ")),
        ("squares, glued Unicode arrows", n.join("→")),
        ("squares, en dashes", n.join("–")),
        ("squares, bars", n.join(" | ")),
        ("squares, one per line", n.join("\n")),
        ("squares, wrapped lines", wrapped),
        ("squares, numbered", numbered(" ").join(" ")),
        ("squares, numbered lines", numbered(" ").join("\n")),
        ("squares, title", format!("Tour 12, 8x8:\n\n{}\n", n.join(" "))),
        ("squares, brackets", format!("[{}]", n.join(", "))),
        ("squares, JSON", quoted.clone()),
        ("squares, list of lists", format!("[{quoted}]")),
        ("squares, Python tuple", format!("tour = ({})", n.join(", "))),
        ("knight moves", knight(". ")),
        ("knight moves, glued", knight(".")),
        ("knight moves without numbers", n.iter().map(|s| format!("N{s} ")).collect()),
        ("chess symbols", n.iter().map(|s| format!("♘{s} ")).collect()),
        ("steps and squares", (1..).zip(&n).map(|(i, s): (u32, _)| format!("{i} {s}\n")).collect()),
        (
            "CSV of steps and squares",
            format!(
                "step,square\n{}",
                (1..).zip(&n).map(|(i, s): (u32, _)| format!("{i},{s}\n")).collect::<String>()
            ),
        ),
        ("from-to, glued", moves("").join(" ")),
        ("from-to, dashes", moves("-").join(" ")),
        ("from-to, lines", moves(" ").join("\n")),
        ("JSON object", format!("{{\"squares\":{quoted}}}")),
    ];
    all
}

fn only(text: &str, hints: &Hints) -> Result<Claim, String> {
    let mut claims = read_tours(text, hints);
    if claims.len() != 1 {
        return Err(format!("{} claims, {:?}", claims.len(), claims[0]));
    }
    claims.remove(0).map_err(|error| error.to_string())
}

#[test]
fn every_spelling_is_read_as_the_same_tour() {
    for tour in [beverley(), closed()] {
        let parts = Parts::of(tour);
        let all = spellings(&parts);
        assert!(all.len() > 70, "{}", all.len());
        let mut wrong = Vec::new();
        for (name, text) in &all {
            for text in [text.clone(), format!("\n{}\n\n", text.trim_end())] {
                match only(&text, &Hints::default()) {
                    Ok(claim) if claim.squares == parts.tour.squares() => {}
                    Ok(claim) => wrong.push(format!("{name}: another tour, {}", claim.reading)),
                    Err(error) => wrong.push(format!("{name}: {error}")),
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

#[test]
fn two_tours_in_one_file_are_read_in_every_spelling() {
    let parts = Parts::of(beverley());
    let mut wrong = Vec::new();
    for (name, text) in spellings(&parts) {
        let claims = read_tours(&format!("{text}\n\n{text}\n"), &Hints::default());
        let right = |claim: &Result<Claim, _>| {
            claim.as_ref().is_ok_and(|claim| claim.squares == parts.tour.squares())
        };
        if claims.len() != 2 || !claims.iter().all(right) {
            wrong.push(format!("{name}: {} claims", claims.len()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn lists_with_one_tour_per_line_need_no_blank_lines() {
    let parts = Parts::of(beverley());
    let n = parts.names();
    let lines = [
        n.join(" "),
        n.join("-"),
        parts.lines(1, " ").join(" "),
        format!("[\"{}\"]", n.join("\",\"")),
        format!("[{}]", parts.lines(0, ",").join(",")),
    ];
    for line in lines {
        let claims = read_tours(&format!("{line}\n{line}\n{line}\n"), &Hints::default());
        assert_eq!(claims.len(), 3, "{line}");
        for (number, claim) in (1..).zip(claims) {
            let claim = claim.unwrap();
            assert_eq!((claim.line, &claim.squares[..]), (number, parts.tour.squares()), "{line}");
        }
    }
    let grid = joined(&parts.lines(1, " "));
    assert_eq!(read_tours(&format!("{grid}{grid}{grid}"), &Hints::default()).len(), 3);
    let titled = format!("Tour 1\n{grid}Tour 2\n{grid}");
    assert_eq!(read_tours(&titled, &Hints::default()).len(), 2);
}

#[test]
fn coordinates_are_read_with_every_origin() {
    let parts = Parts::of(beverley());
    let last = parts.side - 1;
    let mut tried = 0;
    for (top, row_first, base) in [true, false]
        .into_iter()
        .flat_map(|t| [(t, true, 0), (t, true, 1), (t, false, 0), (t, false, 1)])
    {
        let origin = GridOrigin { top: Some(top), row_first: Some(row_first), base: Some(base) };
        let pair = |(row, col): (u32, u32)| {
            let row = if top { row } else { last - row } + base;
            let col = col + base;
            if row_first { (row, col) } else { (col, row) }
        };
        let with = |open: &str, between: &str, close: &str, joint: &str| {
            let spell = |place| {
                let (a, b) = pair(place);
                format!("{open}{a}{between}{b}{close}")
            };
            parts.each(spell, joint)
        };
        let texts = [
            with("(", ",", ")", " "),
            with("(", ", ", ")", ", "),
            format!("[{}]", with("(", ", ", ")", ", ")),
            format!("[{}]", with("[", ",", "]", ",")),
            with("", ",", "", " "),
            with("", " ", "", "\n"),
            with("", ",", "", "\n"),
            with("(", ",", ")", "\n"),
            with("(", ",", ")", " -> "),
        ];
        let hints = Hints { origin, ..Hints::default() };
        for text in texts {
            let claim = only(&text, &hints).unwrap_or_else(|e| panic!("{origin}: {e}\n{text}"));
            assert_eq!(claim.squares, parts.tour.squares(), "{origin}: {text}");
            // Without an origin, mirror images are tours as well.
            let error = only(&text, &Hints::default()).unwrap_err();
            assert!(error.contains("one tour as coordinates (row,column)"), "{error}");
            let relaxed = Hints { up_to_symmetry: true, ..Hints::default() };
            assert!(only(&text, &relaxed).is_ok(), "{text}");
            tried += 1;
        }
    }
    assert_eq!(tried, 72);
}

#[test]
fn numbers_of_squares_need_an_origin() {
    let parts = Parts::of(beverley());
    for (origin, top, base) in [("top", true, 0), ("bottom", false, 0), ("top", true, 1)] {
        let last = parts.side - 1;
        let spell = |(row, col): (u32, u32)| {
            let row = if top { row } else { last - row };
            (row * parts.side + col + base).to_string()
        };
        for between in [" ", ",", "\n", " -> "] {
            let text = parts.each(spell, between);
            let hints = Hints { origin: origin.parse().unwrap(), ..Hints::default() };
            assert_eq!(only(&text, &hints).unwrap().squares, parts.tour.squares(), "{text}");
            let error = only(&text, &Hints::default()).unwrap_err();
            assert!(error.contains("numbers of squares in order"), "{error}");
        }
    }
}

#[test]
fn a_board_with_one_side_longer_leaves_fewer_readings() {
    let graph = Graph::knight(Board::parse("3x4").unwrap());
    let text = "(0,0) (1,2) (2,0) (0,1) (1,3) (2,1) (0,2) (1,0) (2,2) (0,3) (1,1) (2,3)";
    let hints = Hints { graph: Some(graph), ..Hints::default() };
    let error = only(text, &hints).unwrap_err();
    assert!(error.contains("from the top") && error.contains("from the bottom"), "{error}");
    assert!(!error.contains("(column,row)"), "{error}");
    let hints = Hints { origin: "bottom".parse().unwrap(), ..hints };
    assert_eq!(only(text, &hints).unwrap().squares[1], Square::new(6));
}

#[test]
fn closed_tours_may_return_to_their_start() {
    let parts = Parts::of(closed());
    let mut n = parts.names();
    n.push(n[0].clone());
    let moves = |between: &str| {
        n.windows(2).map(|w| format!("{}{between}{}", w[0], w[1])).collect::<Vec<_>>().join(" ")
    };
    for text in [n.join(" "), n.join(" → "), moves(""), moves("-")] {
        let claim = only(&text, &Hints::default()).unwrap();
        assert_eq!(claim.squares, parts.tour.squares(), "{text}");
        assert!(claim.reading.to_string().ends_with("with the return to the start"));
    }
    // An open tour cannot return.
    let open = Parts::of(beverley());
    let mut n = open.names();
    n.push(n[0].clone());
    let claim = only(&n.join(" "), &Hints::default()).unwrap();
    assert!(verify(&claim.graph, claim.squares).is_err());
}

#[test]
fn holes_are_read_in_every_grid() {
    let graph = Graph::knight(Board::parse("3x3").unwrap().with_holes([Square::new(4)]).unwrap());
    for text in [
        "1 6 3\n4 # 8\n7 2 5\n",
        "1,6,3\n4,,8\n7,2,5\n",
        "1,6,3\n4,#,8\n7,2,5\n",
        "| 1 | 6 | 3 |\n| 4 |   | 8 |\n| 7 | 2 | 5 |\n",
        "1 & 6 & 3 \\\\\n4 & & 8 \\\\\n7 & 2 & 5 \\\\\n",
        "1 6 3\n4 . 8\n7 2 5\n",
        "1 6 3\n4 - 8\n7 2 5\n",
        "1 6 3\n4 -1 8\n7 2 5\n",
        "[[1,6,3],[4,null,8],[7,2,5]]",
        "[[ 1  6  3]\n [ 4 -1  8]\n [ 7  2  5]]",
        "1 6 3 4 # 8 7 2 5\n",
    ] {
        let claim = only(text, &Hints::default()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(claim.graph.to_string(), graph.to_string(), "{text}");
        assert!(verify(&graph, claim.squares).is_ok(), "{text}");
    }
    let zeros = "0 1 6 3 0\n0 4 0 8 0\n0 7 2 5 0\n";
    let claim = only(zeros, &Hints::default()).unwrap();
    assert_eq!(claim.graph.to_string(), "3x5 with 7 holes");
}

/// Bad texts, each with a part of the error.
const BAD: &[(&str, &str)] = &[
    ("", "there is no tour here"),
    ("\n\n# nothing\n", "there is no tour here"),
    ("hello world\n", "'hello' is not a square"),
    ("Tour 12, 8x8\n", "'Tour' is not a square"),
    ("1 2\n3\n", "this row has 1 entries, but the first row of the grid has 2"),
    ("1,2,3\n4,5\n", "this row has 2 entries, but the first row of the grid has 3"),
    ("1 2 3\n4 5 6\n7 8 8\n", "8 stands on b1 and on c1"),
    ("1 2 3\n4 5 6\n7 8 10\n", "10 is out of place in a grid of 9 squares"),
    ("0 1 2\n3 4 5\n6 7 9\n", "9 is out of place in a grid of 9 squares; number them from 0 to 8"),
    ("1 2\n3 x\n", "'x' is not an entry of a grid"),
    ("a1 b3 zz\n", "step 3: 'zz' is not a square"),
    ("a1 b3 c5 hello\n", "step 4: 'hello' is not a square"),
    ("(0,0,0) (1,2,3)\n", "3 numbers in brackets are not the coordinates of a square"),
    ("(0) (1)\n", "1 numbers in brackets"),
    ("[[[[[1]]]]]", "lists are nested 5 deep"),
    ("[[1 2 ... 7 8]\n ...\n [9 10 ... 15 16]]", "a part is left out"),
    ("1 a1 2\n", "numbers and names of squares alternate"),
    ("{\"squares\":[\"a1\",", "this is not a tour in JSON"),
    ("{\"squares\":[[\"a1\"]]}", "this is not a tour in JSON"),
    ("[\"a1\",\"b3\",\"nowhere\"]", "step 3: 'nowhere' is not a square"),
    ("<svg></svg>", "carries no tour"),
    ("436503601672471233\n", "no start square"),
    ("a1 a60000\n", "far too few for the 60000x60000 board"),
    ("1 2 -7\n", "'-7' is not an entry of a grid"),
    ("\u{1}\u{2}", "is not text"),
];

#[test]
fn bad_texts_are_refused_with_their_reason() {
    for (text, part) in BAD {
        let error = read_tours(text, &Hints::default()).remove(0);
        let error = error.map(|claim| claim.reading.to_string()).unwrap_err().to_string();
        assert!(error.contains(part), "{text:?}: {error}");
    }
    let board = Some(Board::parse("4x4").unwrap());
    let hints = Hints { board, origin: "top,row,0".parse().unwrap(), ..Hints::default() };
    let error = only("(0,0) (1,2) (9,3)", &hints).unwrap_err();
    assert!(error.contains("step 3: (9,3) is not on the 4x4 board"), "{error}");
}

#[test]
fn a_second_notation_in_a_file_is_an_error() {
    let parts = Parts::of(beverley());
    let grid = joined(&parts.lines(1, " "));
    let mixed = format!("{grid}\n{}\n", parts.names().join(" "));
    let claims = read_tours(&mixed, &Hints::default());
    assert!(claims[0].is_ok());
    let error = claims[1].as_ref().unwrap_err();
    assert_eq!(error.line, 10);
    assert!(error.to_string().contains("keep one notation per file"), "{error}");
}

#[test]
fn the_notation_asked_for_decides() {
    // The identity of a 2x2 wazir board is a tour as a grid in one list, and another as numbers of squares.
    let graph = Graph::leaper(Board::parse("3x3").unwrap(), "0,1".parse().unwrap());
    let text = "1 2 3 6 5 4 7 8 9";
    let hints = Hints { graph: Some(graph), ..Hints::default() };
    let error = only(text, &hints).unwrap_err();
    assert!(error.contains("one tour as") && error.contains("and another as"), "{error}");
    let with = |notation, origin: &str| {
        let origin = origin.parse().unwrap();
        only(text, &Hints { notation: Some(notation), origin, ..hints.clone() })
    };
    let flat = with(Notation::Numbers, "1").unwrap();
    assert_eq!(flat.squares[0], Square::new(6), "the top left square is the first");
    let order = with(Notation::Moves, "bottom").unwrap();
    assert_eq!(order.squares[0], Square::new(0));
}
