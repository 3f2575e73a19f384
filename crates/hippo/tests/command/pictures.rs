//! Tests that render pictures with another program.

use crate::common::{feed, file, folder, json, run};
use hippodrome::draw::chart::{Axis, Line, LineChart, Mark, Row, RowChart};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

fn parsed(svg: &str) -> Tree {
    Tree::from_str(svg, &Options::default()).unwrap_or_else(|e| panic!("{e}: {svg}"))
}

#[test]
fn pictures_are_svg_that_others_read() {
    let square = file("names.graph", "a&b <c>\n<c> d\nd e\ne a&b\n");
    let ring = file("ring.mask", "...\n.#.\n...\n");
    for arguments in [
        "5x5".into(),
        "130x130".into(),
        format!("--mask {ring} --closed"),
        format!("--graph {square} --closed"),
    ] {
        let ran = run(&format!("find {arguments} --format svg"));
        assert_eq!(ran.code, 0, "{arguments}: {}", ran.err);
        parsed(&ran.out);
    }
}

#[test]
fn png_and_svg_show_the_same_picture() {
    let place = folder("same-picture");
    for style in ["--numbers", "--dark"] {
        let path = place.join(format!("{style}.png"));
        let find = format!("find 6x6 --closed --seed 1 {style}");
        assert_eq!(run(&format!("{find} --format png -o {}", path.display())).code, 0);
        let ours = Pixmap::decode_png(&std::fs::read(path).expect("a picture")).expect("a PNG");
        let tree = parsed(&run(&format!("{find} --format svg")).out);
        let mut theirs = Pixmap::new(ours.width(), ours.height()).expect("a size");
        resvg::render(&tree, Transform::identity(), &mut theirs.as_mut());
        let far = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 24;
        let differing = ours.data().iter().zip(theirs.data()).filter(|&pair| far(pair)).count();
        assert!(differing * 1000 < ours.data().len(), "{differing} of {}", ours.data().len());
    }
}

#[test]
fn charts_are_svg_that_others_read() {
    let line =
        |name: &str, points: &[(f64, f64)]| Line { name: name.into(), points: points.to_vec() };
    let lines = |axes, lines| LineChart { title: "A & B <over> time".into(), axes, lines };
    let logarithmic = (Axis::logarithmic("seconds"), Axis::logarithmic("tours"));
    let several = vec![
        line("a", &[(0.0, 0.0), (0.001, 1.0), (10.0, 1e6)]),
        line("never", &[]),
        line("flat", &[(0.001, 0.0)]),
    ];
    let rows = RowChart {
        title: "rows".into(),
        axis: Axis::linear("share"),
        rows: vec![
            Row { name: "x".into(), mark: Mark::Quartiles([0.1, 0.2, 0.3, 0.4, 0.5]) },
            Row { name: "y".into(), mark: Mark::Interval { value: 0.2, around: None } },
            Row { name: "z".into(), mark: Mark::Nothing },
        ],
    };
    let empty = lines((Axis::linear("x"), Axis::linear("y")), Vec::new());
    for svg in [lines(logarithmic, several).svg(), rows.svg(), empty.svg()] {
        parsed(&svg);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

/// A file of the five first tours of 5x5, and a folder beside it.
fn five_tours(name: &str) -> (String, std::path::PathBuf) {
    let tours = run("enumerate 5x5 --tours 5 --print --format moves --quiet").out;
    let tours: String = tours.lines().take(5).map(|line| format!("{line}\n")).collect();
    let file = file(&format!("{name}.txt"), &tours);
    let place = std::path::Path::new(&file).parent().expect("a folder").to_path_buf();
    (file, place)
}

#[test]
fn a_sheet_is_one_picture_or_pages() {
    let (tours, place) = five_tours("sheet");
    let sheet = |ending: &str, options: &str| {
        let path = place.join(format!("sheet.{ending}"));
        let ran = run(&format!("draw {tours} --tours 1-3,5 {options} -o {}", path.display()));
        assert_eq!(ran.code, 0, "{ending}: {}", ran.err);
        std::fs::read(path).expect("a file")
    };
    let svg = String::from_utf8(sheet("svg", "--columns 2 --caption {n}:{start}")).expect("text");
    parsed(&svg);
    assert_eq!(svg.matches("class=\"figure\"").count(), 4);
    let moves = feed("convert --format moves", &svg).out;
    let wanted: Vec<String> =
        std::fs::read_to_string(&tours).expect("a file").lines().map(String::from).collect();
    assert_eq!(moves.lines().collect::<Vec<_>>(), [&wanted[0], &wanted[1], &wanted[2], &wanted[4]]);
    assert!(Pixmap::decode_png(&sheet("png", "--mono --no-ends --no-coordinates")).is_ok());
    let pdf = String::from_utf8_lossy(&sheet("pdf", "--columns 1 --paper letter --title Four"))
        .into_owned();
    assert!(
        pdf.starts_with("%PDF-1.7") && pdf.contains("/Count 4") && pdf.contains("612"),
        "{pdf}"
    );
    let text = String::from_utf8(sheet("txt", "")).expect("text");
    assert_eq!(text.lines().filter(|line| line.is_empty()).count(), 3, "{text}");
}

#[test]
fn a_pdf_is_written_where_pictures_are() {
    let place = folder("pdf");
    let path = place.join("tour.pdf").display().to_string();
    for command in
        ["find 5x5", "sample 3x4", "sample 3x4 -n 30", "draw --board 5x5", "puzzle 5x5 --clues 6"]
    {
        let ran = run(&format!("{command} -o {path}"));
        assert_eq!(ran.code, 0, "{command}: {}", ran.err);
        let pdf = std::fs::read(&path).expect("a file");
        assert!(pdf.starts_with(b"%PDF-1.7") && pdf.ends_with(b"%%EOF\n"), "{command}");
    }
}

#[test]
fn boards_are_blank_or_show_some_numbers() {
    let (tours, _) = five_tours("shown");
    assert_eq!(run("draw --board 2x3 --holes a1 --format text").out, ". . .\n# . .\n");
    assert_eq!(run("draw --board 2x2 --blank 2 --format text").out, ". .\n. .\n\n. .\n. .\n");
    let shown = run(&format!("draw {tours} --board 5x5 --show 1,25 --format text"));
    let numbers: Vec<&str> = shown.out.split_whitespace().filter(|&cell| cell != ".").collect();
    assert_eq!((numbers.len(), shown.out.split_whitespace().count()), (2, 25), "{}", shown.out);
    let svg = run("draw --board 5x5").out;
    parsed(&svg);
    assert!(!svg.contains("class=\"path\""));
}

#[test]
fn the_ending_of_a_picture_decides_its_format() {
    let place = folder("endings");
    let at = |name: &str| place.join(name).display().to_string();
    let tour = run("find 5x5 --format moves").out;
    assert_eq!(feed(&format!("draw -o {}", at("x.txt")), &tour).code, 0);
    let text = std::fs::read_to_string(at("x.txt")).expect("a file");
    assert!(!text.contains("<svg") && text.lines().count() == 5, "{text}");
    let ran = feed(&format!("draw --format png -o {}", at("x.svg")), &tour);
    assert!(ran.code == 2 && ran.err.contains("is not that of the format"), "{}", ran.err);
    let ran = run(&format!("find 5x5 --format grid -o {}", at("y.png")));
    assert!(ran.code == 2 && ran.err.contains("is not that of the format"), "{}", ran.err);
    assert_eq!(feed(&format!("draw -o {}", at("x.xyz")), &tour).code, 2);
}

#[test]
fn a_faster_animation_is_shorter() {
    let place = folder("speed");
    let frames = |speed: &str| {
        let path = place.join(format!("{speed}.gif"));
        assert_eq!(
            run(&format!("find 5x5 --size 64 --speed {speed} -o {}", path.display())).code,
            0
        );
        std::fs::read(path).expect("a file")
    };
    // The delay follows the header of each graphic control extension.
    let delay = |gif: &[u8]| {
        gif.windows(4).find(|w| w[..3] == [0x21, 0xf9, 4]).map(|_| {
            let at = gif.windows(3).position(|w| w == [0x21, 0xf9, 4]).expect("a frame");
            u16::from_le_bytes([gif[at + 4], gif[at + 5]])
        })
    };
    assert_eq!((delay(&frames("1")), delay(&frames("5"))), (Some(25), Some(5)));
}

#[test]
fn bad_sheets_are_refused_with_a_sentence() {
    let (tours, _) = five_tours("refused");
    let sheet = format!("draw {tours} --format pdf");
    for (arguments, said) in [
        (format!("{sheet} --tours 5-900"), "there is no tour 900"),
        (format!("{sheet} --tours 24-1"), "write 1-24"),
        (format!("{sheet} --tours 0"), "numbers start at 1"),
        (format!("{sheet} --tours x"), "write numbers and ranges"),
        (format!("{sheet} --tours 1-5 --columns 60"), "60 columns do not fit"),
        (format!("{sheet} --tours 1-5 --columns 0"), "from 1 to 1000"),
        (format!("{sheet} --tours 1-5 --paper a5"), "a4"),
        (format!("{sheet} --tours 1-5 --caption {{number}}"), "unknown placeholder {number}"),
        (format!("{sheet} --tours 1-5 --caption {{n"), "unbalanced brace"),
        (format!("{sheet} --tours 1-5 --title \u{4e00}"), "cannot be drawn"),
        (format!("{sheet} --tours 1-5 --title {}", "w".repeat(300)), "no room for the text"),
        (format!("draw {tours} --show 99"), "there is no number 99 on 5x5"),
        (format!("draw {tours} --tours 1-5 --format gif"), "an animation shows one tour"),
        ("draw --board 900x900".into(), "too large for a board without a tour"),
        ("draw --board 5x5 --show 1".into(), "there is no tour on standard input"),
        ("draw --blank 3".into(), "no board is given"),
        ("find 5x5 --speed 0".into(), "from 0.1 to 10"),
        ("find 5x5 --dark --mono".into(), "--mono"),
    ] {
        let ran = run(&arguments);
        assert!(ran.code == 2 && ran.err.contains(said), "{arguments}: {} {}", ran.code, ran.err);
        assert_eq!(
            ran.err.trim_end().lines().filter(|l| l.starts_with("hippo:")).count(),
            1,
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_puzzle_and_its_solution_are_written() {
    let place = folder("puzzle");
    let [puzzle, solution] = ["p.svg", "s.txt"].map(|name| place.join(name).display().to_string());
    let ran = run(&format!("puzzle 5x5 --clues 6 --seed 2 -o {puzzle} --solution {solution}"));
    assert!(ran.code == 0 && ran.err.contains("6 clues: one solution, proved in"), "{}", ran.err);
    parsed(&std::fs::read_to_string(puzzle).expect("a picture"));
    let object = json("puzzle 5x5 --clues 6 --seed 2 --json");
    assert_eq!((&object["schema"], &object["board"]), (&1.into(), &"5x5".into()));
    let squares = object["solution"].as_array().expect("a list");
    for (number, square) in object["clues"].as_object().expect("an object") {
        assert_eq!(&squares[number.parse::<usize>().expect("a number") - 1], square);
    }
    assert_eq!(object["clues"].as_object().map(serde_json::Map::len), Some(6));
    assert!(object["search"].as_u64() >= Some(1));
    let grid = std::fs::read_to_string(solution).expect("a grid");
    assert_eq!(feed("check", &grid).code, 0, "{grid}");
    let text = run("puzzle 5x5 --clues 6 --seed 2").out;
    assert_eq!(text.split_whitespace().filter(|&cell| cell != ".").count(), 6, "{text}");
}

#[test]
fn impossible_puzzles_say_why() {
    for (arguments, code, said) in [
        ("5x5 --clues 0", 2, "from 1 to 25"),
        ("5x5 --clues 26", 2, "from 1 to 25"),
        ("5x5 --clues x", 2, "write a whole number"),
        ("4x4", 3, "impossible"),
        ("5x5 --closed", 3, "13 dark and 12 light squares"),
        ("100x100", 2, "at most"),
        ("5x5 --clues 1 --nodes 500", 4, "are enough: use --clues"),
        ("--graph petersen:5,2", 2, "write a picture with -o"),
        ("5x5 -o x.gif", 2, "not animated"),
    ] {
        let ran = run(&format!("puzzle {arguments}"));
        assert!(
            ran.code == code && ran.err.contains(said),
            "{arguments}: {} {}",
            ran.code,
            ran.err
        );
    }
}
