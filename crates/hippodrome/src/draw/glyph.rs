//! A small stroke font: digits for move numbers, lower-case letters for files.
//!
//! The rasteriser has no fonts, and the fonts of an SVG viewer are unknown, so text is drawn as paths.
//! A glyph is a path in a box with top 0 and baseline 6 (letters descend to 8), with absolute SVG commands:
//! M to move, L for a line, C for a cubic curve.

use super::pen::{Op, Path, Point};

/// Height of a digit in glyph units.
const TALL: f32 = 6.0;
/// Space between glyphs in glyph units.
const GAP: f32 = 1.5;

/// One entry per character: the character, its width and its path.
const GLYPHS: &[&str] = &[
    "0 4.0 M2 0C.7 0 0 1.2 0 3C0 4.8 .7 6 2 6C3.3 6 4 4.8 4 3C4 1.2 3.3 0 2 0",
    "1 2.4 M.3 1.3L1.9 0L1.9 6",
    "2 4.0 M.2 1.5C.3 .5 1 0 2 0C3.1 0 3.9 .7 3.9 1.7C3.9 2.6 3.3 3.2 2.4 4L0 6L4 6",
    "3 4.0 M.3 1C.6 .4 1.2 0 2 0C3.1 0 3.8 .6 3.8 1.5C3.8 2.4 3.1 2.9 2 2.9C3.2 2.9 4 3.5 4 4.4C4 5.4 3.2 6 2 6C1 6 .4 5.6 0 4.9",
    "4 4.0 M3 6L3 0L0 4.3L4 4.3",
    "5 4.0 M3.7 0L.7 0L.4 2.8C.8 2.4 1.4 2.2 2 2.2C3.2 2.2 4 3 4 4.1C4 5.2 3.2 6 2 6C1.1 6 .4 5.7 0 5.1",
    "6 4.0 M3.5 .6C3.1 .2 2.6 0 2.1 0C.7 0 0 1.4 0 3.4C0 5 .8 6 2 6C3.2 6 4 5.2 4 4.1C4 3 3.2 2.3 2 2.3C1 2.3 .2 3 0 3.8",
    "7 4.0 M0 0L4 0L1.4 6",
    "8 4.0 M2 0C1 0 .3 .6 .3 1.4C.3 2.3 1 2.8 2 2.8C3 2.8 3.7 2.3 3.7 1.4C3.7 .6 3 0 2 0M2 2.8C.8 2.8 0 3.5 0 4.4C0 5.4 .8 6 2 6C3.2 6 4 5.4 4 4.4C4 3.5 3.2 2.8 2 2.8",
    "9 4.0 M4 2.2C3.8 3 3 3.7 2 3.7C.8 3.7 0 3 0 1.9C0 .8 .8 0 2 0C3.2 0 4 1 4 2.6C4 4.6 3.3 6 1.9 6C1.4 6 .9 5.8 .5 5.4",
    "a 3.2 M3.2 2L3.2 6M3.2 4C3.2 2.8 2.6 2 1.6 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.6 6C2.6 6 3.2 5.2 3.2 4",
    "b 3.2 M0 0L0 6M0 4C0 2.8 .6 2 1.6 2C2.6 2 3.2 2.8 3.2 4C3.2 5.2 2.6 6 1.6 6C.6 6 0 5.2 0 4",
    "c 3.0 M3 2.7C2.7 2.2 2.2 2 1.6 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.6 6C2.2 6 2.7 5.8 3 5.3",
    "d 3.2 M3.2 0L3.2 6M3.2 4C3.2 2.8 2.6 2 1.6 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.6 6C2.6 6 3.2 5.2 3.2 4",
    "e 3.2 M0 3.9L3.2 3.9C3.2 2.7 2.6 2 1.6 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.7 6C2.3 6 2.8 5.8 3.1 5.3",
    "f 2.2 M2.2 .1C1.2 -.2 .8 .4 .8 1.3L.8 6M0 2.2L2 2.2",
    "g 3.2 M3.2 4C3.2 2.8 2.6 2 1.6 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.6 6C2.6 6 3.2 5.2 3.2 4M3.2 2L3.2 6.4C3.2 7.5 2.6 8 1.6 8C1 8 .5 7.8 .2 7.5",
    "h 3.1 M0 0L0 6M0 3.8C0 2.7 .6 2 1.6 2C2.6 2 3.1 2.6 3.1 3.7L3.1 6",
    "i 0.4 M.2 2L.2 6M.2 .2L.2 .4",
    "j 1.0 M.9 2L.9 6.8C.9 7.6 .5 8 -.1 8M.9 .2L.9 .4",
    "k 3.0 M0 0L0 6M2.8 2L0 4.5M1.1 3.5L3 6",
    "l 0.4 M.2 0L.2 6",
    "m 4.8 M0 2L0 6M0 3.6C0 2.6 .5 2 1.3 2C2.1 2 2.4 2.6 2.4 3.6L2.4 6M2.4 3.6C2.4 2.6 2.9 2 3.7 2C4.5 2 4.8 2.6 4.8 3.6L4.8 6",
    "n 3.1 M0 2L0 6M0 3.8C0 2.7 .6 2 1.6 2C2.6 2 3.1 2.6 3.1 3.7L3.1 6",
    "o 3.4 M1.7 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.7 6C2.8 6 3.4 5.2 3.4 4C3.4 2.8 2.8 2 1.7 2",
    "p 3.2 M0 2L0 8M0 4C0 2.8 .6 2 1.6 2C2.6 2 3.2 2.8 3.2 4C3.2 5.2 2.6 6 1.6 6C.6 6 0 5.2 0 4",
    "q 3.2 M3.2 2L3.2 8M3.2 4C3.2 2.8 2.6 2 1.6 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.6 6C2.6 6 3.2 5.2 3.2 4",
    "r 2.0 M0 2L0 6M0 3.8C0 2.7 .7 1.9 1.9 2.1",
    "s 2.8 M2.7 2.6C2.4 2.2 2 2 1.4 2C.6 2 .1 2.4 .1 3C.1 3.7 .7 3.9 1.4 4C2.2 4.1 2.8 4.4 2.8 5C2.8 5.6 2.2 6 1.4 6C.7 6 .3 5.8 0 5.3",
    "t 2.1 M.8 .6L.8 4.9C.8 5.8 1.3 6.1 2.1 5.9M0 2L2 2",
    "u 3.1 M0 2L0 4.3C0 5.4 .6 6 1.5 6C2.5 6 3.1 5.3 3.1 4.2M3.1 2L3.1 6",
    "v 3.0 M0 2L1.5 6L3 2",
    "w 4.6 M0 2L1.1 6L2.3 2.4L3.5 6L4.6 2",
    "x 3.0 M0 2L3 6M3 2L0 6",
    "y 3.0 M0 2L1.5 6M3 2L1.2 7.2C1 7.8 .6 8 0 8",
    "z 2.9 M0 2L2.8 2L0 6L2.9 6",
    "- 2.4 M0 3.6L2.4 3.6",
    "_ 3.2 M0 6.6L3.2 6.6",
    ". 0.4 M.2 5.8L.2 6",
    ", 0.4 M.2 5.8L.2 6",
    "  2.0 ",
];

/// The glyph of unknown characters: a box.
const BOX: &str = "? 3.2 M0 0L3.2 0L3.2 6L0 6L0 0";

/// Returns width and path of a character; capitals are drawn as lower-case letters.
fn glyph(c: char) -> (f32, &'static str) {
    let known = GLYPHS.iter().find(|entry| entry.starts_with(c.to_ascii_lowercase()));
    let (width, path) = known.unwrap_or(&BOX)[2..].split_once(' ').unwrap_or_default();
    (width.parse().unwrap_or_default(), path)
}

/// Returns the width of a text with digits `height` tall.
pub(super) fn text_width(text: &str, height: f32) -> f32 {
    let units: f32 = text.chars().map(|c| glyph(c).0 + GAP).sum();
    (units - GAP).max(0.0) * height / TALL
}

/// Returns the strokes of a text centred on a point, with digits `height` tall.
pub(super) fn text(text: &str, centre: Point, height: f32) -> Path {
    let scale = height / TALL;
    let mut left = centre.0 - text_width(text, height) / 2.0;
    let top = centre.1 - height / 2.0;
    let mut path = Path::default();
    for c in text.chars() {
        let (width, strokes) = glyph(c);
        trace(strokes, |x, y| (left + x * scale, top + y * scale), &mut path);
        left += (width + GAP) * scale;
    }
    path
}

/// Appends the commands of a glyph; a command with missing numbers is dropped.
fn trace(strokes: &str, place: impl Fn(f32, f32) -> Point, path: &mut Path) {
    let mut rest = strokes;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(['M', 'L', 'C']).map_or(rest.len(), |i| i + 1);
        let numbers: Vec<f32> = rest[1..end].split(' ').filter_map(|n| n.parse().ok()).collect();
        match (command, numbers.as_slice()) {
            ('M', &[x, y]) => path.0.push(Op::Move(place(x, y))),
            ('L', &[x, y]) => path.0.push(Op::Line(place(x, y))),
            ('C', &[a, b, c, d, x, y]) => {
                path.0.push(Op::Curve(place(a, b), place(c, d), place(x, y)));
            }
            _ => {}
        }
        rest = &rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_and_letter_is_drawn_and_differs_from_the_box() {
        let unknown = text("§", (0.0, 0.0), 6.0);
        for c in ('0'..='9').chain('a'..='z') {
            let drawn = text(&c.to_string(), (0.0, 0.0), 6.0);
            assert!(!drawn.0.is_empty() && drawn != unknown, "{c}");
            let commands = glyph(c).1.matches(['M', 'L', 'C']).count();
            assert_eq!(drawn.0.len(), commands, "a command of {c} has a wrong number of arguments");
        }
    }

    #[test]
    fn a_number_fits_its_text_width() {
        let width = text_width("2048", 12.0);
        for op in text("2048", (100.0, 50.0), 12.0).0 {
            let (x, y) = op.end();
            assert!((x - 100.0).abs() <= width / 2.0 + 0.01 && (y - 50.0).abs() <= 6.01, "{x} {y}");
        }
    }
}
