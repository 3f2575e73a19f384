//! Tests of pictures: every square in order, both ends marked, the tour in the metadata.

use super::*;
use crate::board::{Csr, Square};
use crate::error::{Argument, Diagnostic, Remedy};
use crate::tour::{Tour, verify};
use layout::PictureLayout;
use std::sync::Arc;
use tiny_skia::Pixmap;

fn knight(board: &str) -> Graph {
    Graph::knight(Board::parse(board).unwrap())
}

/// Finds a tour by Warnsdorff's rule with backtracking.
fn tour(graph: &Graph, closed: bool) -> Tour {
    fn go(graph: &Graph, closed: bool, path: &mut Vec<Square>, seen: &mut [bool]) -> bool {
        let here = path[path.len() - 1];
        if path.len() == graph.order() {
            return !closed || graph.adjacent(here, path[0]);
        }
        let free =
            |v: Square, seen: &[bool]| graph.neighbours(v).filter(|&u| !seen[u.index()]).count();
        let mut next: Vec<Square> = graph.neighbours(here).filter(|&v| !seen[v.index()]).collect();
        next.sort_by_key(|&v| free(v, seen));
        if closed && path.len() > 1 && !next.is_empty() && free(path[0], seen) == 0 {
            return false;
        }
        next.into_iter().any(|v| {
            path.push(v);
            seen[v.index()] = true;
            go(graph, closed, path, seen) || {
                seen[v.index()] = false;
                path.pop().is_none()
            }
        })
    }
    let start = graph.vertices().next().unwrap();
    let (mut path, mut seen) = (vec![start], vec![false; graph.len()]);
    seen[start.index()] = true;
    assert!(go(graph, closed, &mut path, &mut seen), "no tour of {graph}");
    verify(graph, path).unwrap()
}

/// A row-by-row tour of the piece that steps to adjacent squares.
fn furrows(rows: u32, cols: u32) -> Tour {
    let board = Board::new(rows.into(), cols.into()).unwrap();
    let turn = |row: u32, col: u32| if row.is_multiple_of(2) { col } else { cols - 1 - col };
    let squares = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, turn(row, col))));
    let squares = squares.map(|(row, col)| board.at(row, col)).collect();
    verify(&Graph::leaper(board.clone(), "0,1".parse().unwrap()), squares).unwrap()
}

fn svg_of(tour: &Tour, style: &Style) -> String {
    let mut out = Vec::new();
    svg(&tour.view(), style, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn png_of(tour: &Tour, style: &Style) -> Pixmap {
    let mut out = Vec::new();
    png(&tour.view(), style, &mut out).unwrap();
    Pixmap::decode_png(&out).unwrap()
}

fn pdf_of(tour: &Tour, style: &Style) -> Vec<u8> {
    let mut out = Vec::new();
    pdf(&tour.view(), style, &mut out).unwrap();
    out
}

fn layout_of(tour: &Tour, style: &Style) -> PictureLayout {
    PictureLayout::new(&Drawable::Tour(&tour.view()), style, Space::Alone(None)).unwrap()
}

fn numbered() -> Style {
    Style { numbers: true, ..Style::default() }
}

/// The content of a group of an SVG.
fn part<'a>(svg: &'a str, name: &str) -> &'a str {
    let from = svg.find(&format!("<g class=\"{name}\">")).unwrap();
    &svg[from..from + svg[from..].find("</g>").unwrap()]
}

/// Corners of the solid lines of a group, without duplicates.
fn corners(part: &str) -> Vec<(f32, f32)> {
    let solid = part.lines().filter(|l| l.starts_with("<path") && !l.contains("linecap=\"butt\""));
    let mut points: Vec<(f32, f32)> = solid
        .flat_map(|line| {
            line.split(" d=\"").nth(1).unwrap().trim_end_matches("\"/>").split(['M', 'L'])
        })
        .filter_map(|pair| pair.split_once(' '))
        .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
        .collect();
    points.dedup();
    points
}

#[test]
fn the_path_runs_through_the_centre_of_every_square_in_order() {
    for board in ["5x5", "6x7", "40x35"] {
        let tour = tour(&knight(board), false);
        let layout = layout_of(&tour, &Style::default());
        let centres: Vec<_> = tour.squares().iter().map(|&s| layout.centre(s)).collect();
        let svg = svg_of(&tour, &Style::default());
        assert_eq!(corners(part(&svg, "path")), centres, "{board}");
    }
}

#[test]
fn only_a_closed_tour_has_a_dashed_move() {
    let dashes = |tour: &Tour| svg_of(tour, &Style::default()).matches("stroke-dasharray").count();
    assert_eq!(dashes(&tour(&knight("6x6"), true)), 1);
    assert_eq!(dashes(&tour(&knight("5x5"), false)), 0);
}

#[test]
fn the_start_is_a_disc_and_the_end_a_ring() {
    let tour = tour(&knight("5x5"), false);
    let svg = svg_of(&tour, &Style::default());
    let layout = layout_of(&tour, &Style::default());
    let ink = colour::Palette::of(Theme::Light).ink;
    let inked: Vec<&str> =
        part(&svg, "ends").lines().filter(|l| l.contains(&ink.to_string())).collect();
    let at = |square: Square| {
        let (x, y) = layout.centre(square);
        format!("cx=\"{x}\" cy=\"{y}\"")
    };
    assert!(inked[0].contains(&at(tour.squares()[24])) && inked[0].contains("stroke-width"));
    assert!(inked[1].contains(&at(tour.squares()[0])) && inked[1].contains("fill="));
}

#[test]
fn the_ring_of_an_end_beside_the_start_stays_visible() {
    let path = furrows(400, 2);
    let board = path.graph().board().unwrap().clone();
    let closed = (0..400).map(|r| board.at(r, 0)).chain((0..400).rev().map(|r| board.at(r, 1)));
    let tour = verify(path.graph(), closed.collect()).unwrap();
    let svg = svg_of(&tour, &Style { size: Some(400), ..Style::default() });
    let radii: Vec<f32> = part(&svg, "ends")
        .lines()
        .filter_map(|l| l.split(" r=\"").nth(1)?.split('"').next()?.parse().ok())
        .collect();
    let [_, ring, disc_ground, _] = radii[..] else { panic!("{radii:?}") };
    assert!(ring > disc_ground, "{radii:?}");
}

#[test]
fn the_metadata_holds_the_tour() {
    let names = ["a&b", "<c>", "d", "e"].map(String::from).to_vec();
    let square = Csr::new("x < y & z".into(), names, &[(0, 1), (1, 2), (2, 3), (3, 0)]);
    let graph = Graph::File(Arc::new(square));
    let holed = Graph::knight(Board::from_mask("...\n.#.\n...").unwrap());
    let tours =
        [tour(&knight("5x5"), false), tour(&holed, true), tour(&graph, true), furrows(130, 130)];
    for tour in tours {
        let svg = svg_of(&tour, &Style::default());
        let (_, rest) = svg.split_once("<metadata id=\"hippodrome-tour\">").unwrap();
        let (json, _) = rest.split_once("</metadata>").unwrap();
        let json = json.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        let object: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(object, tour_json(&tour.view()));
    }
}

#[test]
fn a_png_has_the_requested_size() {
    let tour = tour(&knight("5x8"), false);
    for size in [64, 333, 1000] {
        let pixels = png_of(&tour, &Style { size: Some(size), ..Style::default() });
        assert!(pixels.width().abs_diff(size) <= 2, "{} for {size}", pixels.width());
        assert!(pixels.height() < pixels.width());
    }
    for asked in [0, 63, 8193, u32::MAX] {
        let style = Style { size: Some(asked), ..Style::default() };
        let error = png(&tour.view(), &style, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("from 64 to 8192"), "{error}");
    }
}

#[test]
fn numbers_are_drawn_where_they_are_readable() {
    let small = tour(&knight("5x5"), false);
    assert!(numbered().shows_numbers(&small.view()));
    assert!(!Style::default().shows_numbers(&small.view()));
    assert!(!Style { size: Some(80), ..numbered() }.shows_numbers(&small.view()));
    assert!(numbered().shows_numbers(&furrows(50, 50).view()));
    assert!(!numbered().shows_numbers(&furrows(300, 300).view()));
    let strokes = |style: &Style| part(&svg_of(&small, style), "squares").matches("<path").count();
    assert_eq!((strokes(&numbered()), strokes(&Style::default())), (25, 0));
}

#[test]
fn a_large_board_is_coloured_by_the_time_of_the_visit() {
    let tour = furrows(200, 150);
    let style = Style { size: Some(210), ..Style::default() };
    let pixels = png_of(&tour, &style);
    let layout = layout_of(&tour, &style);
    let ramp = colour::Ramp::of(Theme::Light);
    for time in [5000, 15000, 25000] {
        let (x, y) = layout.centre(tour.squares()[time]);
        let pixel = pixels.pixel(x as u32, y as u32).unwrap();
        let colour::Rgb(wanted) = ramp.colour(ramp.step(time, 30000));
        assert_eq!([pixel.red(), pixel.green(), pixel.blue()], wanted, "{time}");
    }
}

#[test]
fn many_squares_share_a_pixel_on_a_small_picture() {
    let pixels = png_of(&furrows(1000, 1000), &Style { size: Some(100), ..Style::default() });
    assert!(pixels.width() <= 100 && pixels.width() == pixels.height(), "{}", pixels.width());
}

#[test]
fn holes_are_neither_light_nor_dark_squares() {
    let graph = Graph::knight(Board::from_mask("...\n.#.\n...").unwrap());
    let tour = tour(&graph, true);
    let layout = layout_of(&tour, &Style::default());
    let corner = layout.corner(Square::new(4));
    let pixel =
        png_of(&tour, &Style::default()).pixel(corner.0 as u32 + 4, corner.1 as u32 + 4).unwrap();
    let palette = colour::Palette::of(Theme::Light);
    assert_eq!([pixel.red(), pixel.green(), pixel.blue()], palette.hole.0);
}

#[test]
fn a_graph_without_a_board_is_its_tour_as_a_circle_with_chords() {
    let names = (1..=9).map(|i| i.to_string()).collect();
    let step = |far: u32| (0..9).map(move |i| (i, (i + far) % 9));
    let edges: Vec<(u32, u32)> = step(2).chain(step(4)).collect();
    let graph = Graph::File(Arc::new(Csr::new("star".into(), names, &edges)));
    let tour = tour(&graph, true);
    let svg = svg_of(&tour, &Style::default());
    let points = corners(part(&svg, "path"));
    assert_eq!(points.len(), 9);
    let sides = points.windows(2).map(|w| (w[0].0 - w[1].0).hypot(w[0].1 - w[1].1));
    let sides: Vec<f32> = sides.collect();
    assert!(
        sides.iter().all(|side| (side - sides[0]).abs() < 0.1),
        "the tour goes round: {sides:?}"
    );
    let chords = part(&svg, "board").matches('M').count();
    assert_eq!(chords, 9, "18 edges, 9 in the tour");
    let radii = points.iter().map(|(x, y)| (x - 400.0).hypot(y - 400.0));
    let radii: Vec<f32> = radii.collect();
    assert!(radii.iter().all(|r| (r - radii[0]).abs() < 0.1 && *r > 300.0), "{radii:?}");
    assert_eq!(part(&svg, "coordinates").matches("<path").count(), 9);
}

#[test]
fn a_gif_grows_to_the_whole_tour_and_pauses() {
    for (board, frames) in [("5x5", 26), ("12x12", 128)] {
        let tour = tour(&knight(board), false);
        let mut out = Vec::new();
        gif(&tour.view(), &numbered(), &mut out).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(out.as_slice()).unwrap();
        assert!(decoder.width() <= 600 && decoder.height() <= 600);
        let width = usize::from(decoder.width());
        let mut screen = vec![0; 4 * width * usize::from(decoder.height())];
        let (mut count, mut delay) = (0, 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (i, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, p)| p[3] > 0) {
                let [w, left, top] = [frame.width, frame.left, frame.top].map(usize::from);
                let at = 4 * ((top + i / w) * width + left + i % w);
                screen[at..at + 4].copy_from_slice(pixel);
            }
            (count, delay) = (count + 1, frame.delay);
        }
        assert_eq!(
            (count, delay, decoder.repeat()),
            (frames, 200, gif::Repeat::Infinite),
            "{board}"
        );
        let whole = png_of(&tour, &Style { size: Some(600), ..numbered() });
        let far = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 48;
        let differing = screen.iter().zip(whole.data()).filter(|&pair| far(pair)).count();
        assert!(differing * 100 < screen.len(), "{board}: {differing} of {}", screen.len());
    }
}

#[test]
fn a_board_too_large_for_a_gif_is_refused_with_png_as_remedy() {
    let error = gif(&furrows(200, 200).view(), &Style::default(), &mut Vec::new()).unwrap_err();
    let message = error.to_string();
    assert!(message.starts_with("200x200") && message.contains("not be visible"), "{message}");
    assert_eq!(error.remedies(), [Remedy::Set(Argument::Format, &["png"])]);
}

#[test]
fn boards_of_odd_shapes_are_drawn() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 300), (300, 1), (1, 5000), (2, 399), (121, 121)] {
        let tour = furrows(rows, cols);
        for size in [None, Some(64), Some(500)] {
            let style = Style { size, ..numbered() };
            png_of(&tour, &style);
            svg_of(&tour, &style);
            let _ = gif(&tour.view(), &style, &mut Vec::new());
        }
    }
}

#[test]
fn the_same_tour_gives_the_same_bytes() {
    let tour = tour(&knight("6x6"), true);
    let bytes = || {
        let mut out = svg_of(&tour, &numbered()).into_bytes();
        png(&tour.view(), &numbered(), &mut out).unwrap();
        gif(&tour.view(), &numbered(), &mut out).unwrap();
        out
    };
    assert_eq!(bytes(), bytes());
}

#[test]
fn positions_of_a_graph_place_its_vertices() {
    let placed = |positions: &[(f64, f64)]| {
        let names = (1..=4).map(|i| i.to_string()).collect();
        let ring = Csr::new("ring".into(), names, &[(0, 1), (1, 2), (2, 3), (3, 0)]);
        tour(&Graph::File(Arc::new(ring.with_positions(Some(positions.to_vec())))), true)
    };
    let ring = placed(&[(0.0, 0.0), (10.0, 0.0), (10.0, 5.0), (0.0, 5.0)]);
    let layout = layout_of(&ring, &Style::default());
    let [a, b, c, _] = [0, 1, 2, 3].map(|v| layout.centre(Square::new(v)));
    assert!(a.1 == b.1 && b.0 == c.0 && b.0 > a.0 && c.1 < b.1, "{a:?} {b:?} {c:?}");
    assert!(((b.0 - a.0) / (b.1 - c.1) - 2.0).abs() < 0.01);
    // Equal and infinite positions do not panic.
    let odd = placed(&[(1.0, f64::NAN), (1.0, 1.0), (f64::INFINITY, 1.0), (1.0, 1.0)]);
    svg_of(&odd, &Style::default());
}

#[test]
fn holes_outside_the_shape_are_blank_and_coordinates_follow_it() {
    let board = Board::from_mask("#..#\n....\n....\n#..#").unwrap();
    let graph = Graph::leaper(board, "0,1".parse().unwrap());
    let names = "b1 c1 c2 d2 d3 c3 c4 b4 b3 a3 a2 b2".split(' ');
    let squares = names.map(|n| graph.vertex(n).unwrap()).collect();
    let cross = verify(&graph, squares).unwrap();
    let layout = layout_of(&cross, &Style::default());
    let corner = layout.corner(Square::new(0));
    let pixel = png_of(&cross, &Style::default()).pixel(corner.0 as u32 + 2, corner.1 as u32 + 2);
    let pixel = pixel.unwrap();
    assert_eq!(
        [pixel.red(), pixel.green(), pixel.blue()],
        colour::Palette::of(Theme::Light).page.0
    );
    let svg = svg_of(&cross, &Style::default());
    assert!(!part(&svg, "board").contains(&colour::Palette::of(Theme::Light).hole.to_string()));
    assert_eq!(part(&svg, "coordinates").matches("<path").count(), 8);
    // The file of column a is below a2, a row higher than those of b and c.
    let lines: Vec<&str> =
        part(&svg, "coordinates").lines().filter(|l| l.contains("<path")).collect();
    let high = |line: &str| -> f32 {
        let numbers = line.split(" d=\"M").nth(1).unwrap();
        numbers.split(['L', 'C', 'M']).next().unwrap().split(' ').nth(1).unwrap().parse().unwrap()
    };
    assert!(high(lines[1]) > high(lines[0]) + 0.8 * layout.cell, "{lines:?}");
}

#[test]
fn catalogue_figures_have_neither_ends_nor_colours_nor_coordinates() {
    let tour = tour(&knight("6x6"), true);
    let style = Style { ends: false, coordinates: false, theme: Theme::Mono, ..Style::default() };
    let svg = svg_of(&tour, &style);
    assert!(!svg.contains("class=\"ends\"") && !svg.contains("stroke-dasharray"));
    assert_eq!(part(&svg, "coordinates").matches("<path").count(), 0);
    let colours: std::collections::BTreeSet<&str> =
        svg.match_indices('#').map(|(at, _)| &svg[at..at + 7]).collect();
    let grey = |c: &&str| c[1..3] == c[3..5] && c[3..5] == c[5..7];
    assert!(colours.iter().all(grey), "{colours:?}");
}

#[test]
fn a_board_without_a_tour_shows_the_given_texts() {
    let graph = knight("5x5");
    let texts = [(0, "1"), (24, "25")].map(|(s, text)| (Square::new(s), text.to_string()));
    let draw = |figure: Drawable<'_>| {
        let mut out = Vec::new();
        svg(figure, &Style::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let shown = draw(Drawable::Board(&graph, &texts));
    assert_eq!(part(&shown, "squares").matches("<path").count(), 2);
    assert!(!shown.contains("class=\"path\"") && !shown.contains("<metadata"));
    assert!(!draw(Drawable::Board(&graph, &[])).contains("class=\"squares\""));
    let large = knight("300x300");
    let error = svg(Drawable::Board(&large, &[]), &Style::default(), &mut Vec::new()).unwrap_err();
    assert!(error.to_string().starts_with("300x300 is too large"), "{error}");
    let style = Style { size: Some(64), ..Style::default() };
    let error =
        png(Drawable::Board(&knight("12x12"), &texts), &style, &mut Vec::new()).unwrap_err();
    assert!(error.to_string().contains("too small"), "{error}");
}

/// Returns the content streams of a PDF.
fn streams(pdf: &[u8]) -> Vec<String> {
    let find = |from: usize, word: &[u8]| {
        pdf[from..].windows(word.len()).position(|w| w == word).map(|at| from + at)
    };
    let (mut all, mut from) = (Vec::new(), 0);
    while let Some(start) = find(from, b"stream\n").map(|at| at + 7) {
        let end = find(start, b"\nendstream").unwrap();
        let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&pdf[start..end]).unwrap();
        all.push(String::from_utf8_lossy(&bytes).into_owned());
        from = end + 10;
    }
    all
}

#[test]
fn a_pdf_has_the_strokes_of_the_svg() {
    for style in [Style::default(), numbered(), Style { theme: Theme::Dark, ..Style::default() }] {
        let tour = tour(&knight("6x6"), true);
        let svg = svg_of(&tour, &style);
        let [page] = &streams(&pdf_of(&tour, &style))[..] else { panic!("one page") };
        let strokes = page.split_whitespace().filter(|&word| word == "S").count();
        assert_eq!(strokes, svg.matches("stroke-width").count());
        let layout = layout_of(&tour, &style);
        for &square in tour.squares() {
            let (x, y) = layout.centre(square);
            let drawn = |op: &str| page.contains(&format!("{x} {y} {op}"));
            assert!(drawn("l") || drawn("m"), "{x} {y}: {page}");
        }
    }
    let large = pdf_of(&furrows(200, 150), &Style::default());
    assert_eq!(streams(&large).len(), 2, "a page and an image");
}
