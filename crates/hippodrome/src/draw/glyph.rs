//! A small stroke font: ASCII, and the accented letters of Western and Central European languages.
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
#[rustfmt::skip]
const GLYPHS: &[(char, f32, &str)] = &[
    ('0', 4.0, "M2 0C.7 0 0 1.2 0 3C0 4.8 .7 6 2 6C3.3 6 4 4.8 4 3C4 1.2 3.3 0 2 0"),
    ('1', 2.4, "M.3 1.3L1.9 0L1.9 6"),
    ('2', 4.0, "M.2 1.5C.3 .5 1 0 2 0C3.1 0 3.9 .7 3.9 1.7C3.9 2.6 3.3 3.2 2.4 4L0 6L4 6"),
    ('3', 4.0, "M.3 1C.6 .4 1.2 0 2 0C3.1 0 3.8 .6 3.8 1.5C3.8 2.4 3.1 2.9 2 2.9C3.2 2.9 4 3.5 4 4.4C4 5.4 3.2 6 2 6C1 6 .4 5.6 0 4.9"),
    ('4', 4.0, "M3 6L3 0L0 4.3L4 4.3"),
    ('5', 4.0, "M3.7 0L.7 0L.4 2.8C.8 2.4 1.4 2.2 2 2.2C3.2 2.2 4 3 4 4.1C4 5.2 3.2 6 2 6C1.1 6 .4 5.7 0 5.1"),
    ('6', 4.0, "M3.5 .6C3.1 .2 2.6 0 2.1 0C.7 0 0 1.4 0 3.4C0 5 .8 6 2 6C3.2 6 4 5.2 4 4.1C4 3 3.2 2.3 2 2.3C1 2.3 .2 3 0 3.8"),
    ('7', 4.0, "M0 0L4 0L1.4 6"),
    ('8', 4.0, "M2 0C1 0 .3 .6 .3 1.4C.3 2.3 1 2.8 2 2.8C3 2.8 3.7 2.3 3.7 1.4C3.7 .6 3 0 2 0M2 2.8C.8 2.8 0 3.5 0 4.4C0 5.4 .8 6 2 6C3.2 6 4 5.4 4 4.4C4 3.5 3.2 2.8 2 2.8"),
    ('9', 4.0, "M4 2.2C3.8 3 3 3.7 2 3.7C.8 3.7 0 3 0 1.9C0 .8 .8 0 2 0C3.2 0 4 1 4 2.6C4 4.6 3.3 6 1.9 6C1.4 6 .9 5.8 .5 5.4"),
    ('a', 3.2, "M3.2 2L3.2 6M3.2 4C3.2 2.8 2.6 2 1.6 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.6 6C2.6 6 3.2 5.2 3.2 4"),
    ('b', 3.2, "M0 0L0 6M0 4C0 2.8 .6 2 1.6 2C2.6 2 3.2 2.8 3.2 4C3.2 5.2 2.6 6 1.6 6C.6 6 0 5.2 0 4"),
    ('c', 3.0, "M3 2.7C2.7 2.2 2.2 2 1.6 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.6 6C2.2 6 2.7 5.8 3 5.3"),
    ('d', 3.2, "M3.2 0L3.2 6M3.2 4C3.2 2.8 2.6 2 1.6 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.6 6C2.6 6 3.2 5.2 3.2 4"),
    ('e', 3.2, "M0 3.9L3.2 3.9C3.2 2.7 2.6 2 1.6 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.7 6C2.3 6 2.8 5.8 3.1 5.3"),
    ('f', 2.2, "M2.2 .1C1.2 -.2 .8 .4 .8 1.3L.8 6M0 2.2L2 2.2"),
    ('g', 3.2, "M3.2 4C3.2 2.8 2.6 2 1.6 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.6 6C2.6 6 3.2 5.2 3.2 4M3.2 2L3.2 6.4C3.2 7.5 2.6 8 1.6 8C1 8 .5 7.8 .2 7.5"),
    ('h', 3.1, "M0 0L0 6M0 3.8C0 2.7 .6 2 1.6 2C2.6 2 3.1 2.6 3.1 3.7L3.1 6"),
    ('i', 0.4, "M.2 2L.2 6M.2 .2L.2 .4"),
    ('j', 1.0, "M.9 2L.9 6.8C.9 7.6 .5 8 -.1 8M.9 .2L.9 .4"),
    ('k', 3.0, "M0 0L0 6M2.8 2L0 4.5M1.1 3.5L3 6"),
    ('l', 0.4, "M.2 0L.2 6"),
    ('m', 4.8, "M0 2L0 6M0 3.6C0 2.6 .5 2 1.3 2C2.1 2 2.4 2.6 2.4 3.6L2.4 6M2.4 3.6C2.4 2.6 2.9 2 3.7 2C4.5 2 4.8 2.6 4.8 3.6L4.8 6"),
    ('n', 3.1, "M0 2L0 6M0 3.8C0 2.7 .6 2 1.6 2C2.6 2 3.1 2.6 3.1 3.7L3.1 6"),
    ('o', 3.4, "M1.7 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.7 6C2.8 6 3.4 5.2 3.4 4C3.4 2.8 2.8 2 1.7 2"),
    ('p', 3.2, "M0 2L0 8M0 4C0 2.8 .6 2 1.6 2C2.6 2 3.2 2.8 3.2 4C3.2 5.2 2.6 6 1.6 6C.6 6 0 5.2 0 4"),
    ('q', 3.2, "M3.2 2L3.2 8M3.2 4C3.2 2.8 2.6 2 1.6 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.6 6C2.6 6 3.2 5.2 3.2 4"),
    ('r', 2.0, "M0 2L0 6M0 3.8C0 2.7 .7 1.9 1.9 2.1"),
    ('s', 2.8, "M2.7 2.6C2.4 2.2 2 2 1.4 2C.6 2 .1 2.4 .1 3C.1 3.7 .7 3.9 1.4 4C2.2 4.1 2.8 4.4 2.8 5C2.8 5.6 2.2 6 1.4 6C.7 6 .3 5.8 0 5.3"),
    ('t', 2.1, "M.8 .6L.8 4.9C.8 5.8 1.3 6.1 2.1 5.9M0 2L2 2"),
    ('u', 3.1, "M0 2L0 4.3C0 5.4 .6 6 1.5 6C2.5 6 3.1 5.3 3.1 4.2M3.1 2L3.1 6"),
    ('v', 3.0, "M0 2L1.5 6L3 2"),
    ('w', 4.6, "M0 2L1.1 6L2.3 2.4L3.5 6L4.6 2"),
    ('x', 3.0, "M0 2L3 6M3 2L0 6"),
    ('y', 3.0, "M0 2L1.5 6M3 2L1.2 7.2C1 7.8 .6 8 0 8"),
    ('z', 2.9, "M0 2L2.8 2L0 6L2.9 6"),
    ('-', 2.4, "M0 3.6L2.4 3.6"),
    ('_', 3.2, "M0 6.6L3.2 6.6"),
    ('.', 0.4, "M.2 5.8L.2 6"),
    (',', 0.6, "M.4 5.8L.4 6L.1 7"),
    (' ', 2.0, ""),
    ('A', 4.4, "M0 6L2.2 0L4.4 6M.8 4L3.6 4"),
    ('B', 3.8, "M0 0L0 6L2.2 6C3.2 6 3.8 5.4 3.8 4.4C3.8 3.5 3.2 2.9 2.2 2.9L0 2.9M2.2 2.9C3 2.9 3.5 2.3 3.5 1.5C3.5 .6 3 0 2 0L0 0"),
    ('C', 4.2, "M4.2 1.2C3.8 .4 3.1 0 2.3 0C.9 0 0 1.2 0 3C0 4.8 .9 6 2.3 6C3.1 6 3.8 5.6 4.2 4.8"),
    ('D', 4.1, "M0 0L0 6L1.8 6C3.3 6 4.1 4.8 4.1 3C4.1 1.2 3.3 0 1.8 0L0 0"),
    ('E', 3.5, "M3.5 0L0 0L0 6L3.5 6M0 2.9L2.9 2.9"),
    ('F', 3.4, "M3.4 0L0 0L0 6M0 2.9L2.8 2.9"),
    ('G', 4.3, "M4.2 1.2C3.8 .4 3.1 0 2.3 0C.9 0 0 1.2 0 3C0 4.8 .9 6 2.3 6C3.4 6 4.3 5.3 4.3 4.1L4.3 3.3L2.6 3.3"),
    ('H', 4.0, "M0 0L0 6M4 0L4 6M0 2.9L4 2.9"),
    ('I', 0.4, "M.2 0L.2 6"),
    ('J', 2.8, "M2.8 0L2.8 4.2C2.8 5.4 2.3 6 1.4 6C.6 6 .1 5.5 0 4.7"),
    ('K', 3.9, "M0 0L0 6M3.7 0L0 3.7M1.4 2.4L3.9 6"),
    ('L', 3.3, "M0 0L0 6L3.3 6"),
    ('M', 4.8, "M0 6L0 0L2.4 4L4.8 0L4.8 6"),
    ('N', 4.0, "M0 6L0 0L4 6L4 0"),
    ('O', 4.6, "M2.3 0C.9 0 0 1.2 0 3C0 4.8 .9 6 2.3 6C3.7 6 4.6 4.8 4.6 3C4.6 1.2 3.7 0 2.3 0"),
    ('P', 3.7, "M0 6L0 0L2.1 0C3.1 0 3.7 .7 3.7 1.7C3.7 2.7 3.1 3.4 2.1 3.4L0 3.4"),
    ('Q', 4.6, "M2.3 0C.9 0 0 1.2 0 3C0 4.8 .9 6 2.3 6C3.7 6 4.6 4.8 4.6 3C4.6 1.2 3.7 0 2.3 0M2.9 4.4L4.6 6.3"),
    ('R', 3.8, "M0 6L0 0L2.1 0C3.1 0 3.7 .7 3.7 1.6C3.7 2.6 3.1 3.2 2.1 3.2L0 3.2M1.9 3.2L3.8 6"),
    ('S', 3.8, "M3.6 1.1C3.3 .4 2.7 0 1.9 0C.9 0 .2 .6 .2 1.5C.2 2.5 1 2.7 1.9 2.9C2.9 3.1 3.8 3.4 3.8 4.5C3.8 5.4 3 6 1.9 6C1 6 .3 5.6 0 4.8"),
    ('T', 4.0, "M0 0L4 0M2 0L2 6"),
    ('U', 4.0, "M0 0L0 3.9C0 5.2 .7 6 2 6C3.3 6 4 5.2 4 3.9L4 0"),
    ('V', 4.2, "M0 0L2.1 6L4.2 0"),
    ('W', 5.8, "M0 0L1.4 6L2.9 1L4.4 6L5.8 0"),
    ('X', 4.0, "M0 0L4 6M4 0L0 6"),
    ('Y', 4.0, "M0 0L2 3L4 0M2 3L2 6"),
    ('Z', 3.8, "M0 0L3.8 0L0 6L3.8 6"),
    ('ß', 3.3, "M0 6L0 1.6C0 .6 .6 0 1.5 0C2.4 0 2.9 .5 2.9 1.3C2.9 2.2 1.8 2.3 1.8 3C1.8 3.7 3.3 3.7 3.3 4.9C3.3 5.6 2.8 6 2.1 6C1.7 6 1.4 5.9 1.2 5.7"),
    ('æ', 5.4, "M2.7 3C2.6 2.3 2.1 2 1.5 2C.9 2 .4 2.2 .2 2.7M2.7 3L2.7 5C2.4 5.7 1.8 6 1.2 6C.5 6 0 5.6 0 5C0 4 1.2 3.9 2.7 3.9L5.4 3.9C5.4 2.7 4.9 2 4 2C3.3 2 2.8 2.5 2.7 3M2.7 5C2.9 5.7 3.4 6 4.1 6C4.6 6 5 5.8 5.3 5.3"),
    ('ø', 3.4, "M1.7 2C.6 2 0 2.8 0 4C0 5.2 .6 6 1.7 6C2.8 6 3.4 5.2 3.4 4C3.4 2.8 2.8 2 1.7 2M3.3 1.7L.1 6.3"),
    ('Ø', 4.6, "M2.3 0C.9 0 0 1.2 0 3C0 4.8 .9 6 2.3 6C3.7 6 4.6 4.8 4.6 3C4.6 1.2 3.7 0 2.3 0M4.2 -.3L.4 6.3"),
    (':', 0.4, "M.2 2.4L.2 2.6M.2 5.8L.2 6"),
    (';', 0.6, "M.4 2.4L.4 2.6M.4 5.8L.4 6L.1 7"),
    ('!', 0.4, "M.2 0L.2 4M.2 5.8L.2 6"),
    ('?', 3.2, "M.1 1.4C.2 .5 .8 0 1.6 0C2.5 0 3.1 .6 3.1 1.4C3.1 2.5 1.6 2.6 1.6 4M1.6 5.8L1.6 6"),
    ('\'', 0.4, "M.2 0L.2 1.6"),
    ('’', 0.6, "M.4 0L.4 .5L.1 1.5"),
    ('‘', 0.6, "M.2 1.5L.2 1L.5 0"),
    ('"', 1.6, "M.2 0L.2 1.6M1.4 0L1.4 1.6"),
    ('“', 1.8, "M.2 1.5L.2 1L.5 0M1.4 1.5L1.4 1L1.7 0"),
    ('”', 1.8, "M.4 0L.4 .5L.1 1.5M1.6 0L1.6 .5L1.3 1.5"),
    ('(', 1.4, "M1.4 -.4C.4 .8 0 1.8 0 3.2C0 4.6 .4 5.6 1.4 6.8"),
    (')', 1.4, "M0 -.4C1 .8 1.4 1.8 1.4 3.2C1.4 4.6 1 5.6 0 6.8"),
    ('[', 1.2, "M1.2 -.3L0 -.3L0 6.7L1.2 6.7"),
    (']', 1.2, "M0 -.3L1.2 -.3L1.2 6.7L0 6.7"),
    ('{', 1.6, "M1.6 -.3C.8 -.3 .7 .2 .7 1L.7 2.4C.7 2.9 .4 3.2 0 3.2C.4 3.2 .7 3.5 .7 4L.7 5.4C.7 6.2 .8 6.7 1.6 6.7"),
    ('}', 1.6, "M0 -.3C.8 -.3 .9 .2 .9 1L.9 2.4C.9 2.9 1.2 3.2 1.6 3.2C1.2 3.2 .9 3.5 .9 4L.9 5.4C.9 6.2 .8 6.7 0 6.7"),
    ('/', 2.4, "M2.4 -.2L0 6.4"),
    ('\\', 2.4, "M0 -.2L2.4 6.4"),
    ('|', 0.4, "M.2 -.4L.2 7"),
    ('+', 3.2, "M0 3.4L3.2 3.4M1.6 1.8L1.6 5"),
    ('=', 3.0, "M0 2.6L3 2.6M0 4.2L3 4.2"),
    ('*', 2.4, "M1.2 .4L1.2 2.8M.2 1L2.2 2.2M2.2 1L.2 2.2"),
    ('&', 4.4, "M4.4 6L1 1.8C.5 1.1 .8 0 1.8 0C2.8 0 3 1.2 2.2 1.8L1.2 2.6C.3 3.2 0 3.7 0 4.4C0 5.4 .7 6 1.7 6C3 6 3.9 5 4.2 3.4"),
    ('%', 4.6, "M4.2 0L.4 6M1 0C.4 0 0 .5 0 1.3C0 2.1 .4 2.6 1 2.6C1.6 2.6 2 2.1 2 1.3C2 .5 1.6 0 1 0M3.6 3.4C3 3.4 2.6 3.9 2.6 4.7C2.6 5.5 3 6 3.6 6C4.2 6 4.6 5.5 4.6 4.7C4.6 3.9 4.2 3.4 3.6 3.4"),
    ('#', 3.8, "M1.2 .4L.8 5.6M3 .4L2.6 5.6M.2 2.1L3.8 2.1M0 3.9L3.6 3.9"),
    ('$', 3.8, "M3.6 1.1C3.3 .4 2.7 0 1.9 0C.9 0 .2 .6 .2 1.5C.2 2.5 1 2.7 1.9 2.9C2.9 3.1 3.8 3.4 3.8 4.5C3.8 5.4 3 6 1.9 6C1 6 .3 5.6 0 4.8M1.9 -.7L1.9 6.7"),
    ('@', 5.0, "M3.6 2.2L3.6 4C3.6 4.7 4 4.9 4.4 4.6C5 4.2 5 3.2 5 2.9C5 1.2 4 0 2.5 0C1 0 0 1.2 0 3.1C0 4.9 1 6.1 2.6 6.1C3.3 6.1 3.8 5.9 4.2 5.6M3.6 3.1C3.6 2.4 3.1 1.9 2.5 1.9C1.8 1.9 1.4 2.4 1.4 3.1C1.4 3.9 1.8 4.4 2.5 4.4C3.1 4.4 3.6 3.9 3.6 3.1"),
    ('<', 2.8, "M2.8 1.6L0 3.4L2.8 5.2"),
    ('>', 2.8, "M0 1.6L2.8 3.4L0 5.2"),
    ('~', 3.2, "M0 3.8C.3 2.9 1 2.8 1.6 3.3C2.2 3.8 2.9 3.7 3.2 2.8"),
    ('^', 2.4, "M0 1.4L1.2 0L2.4 1.4"),
    ('`', 0.9, "M0 0L.9 1.1"),
    ('–', 3.4, "M0 3.6L3.4 3.6"),
    ('—', 5.4, "M0 3.6L5.4 3.6"),
    ('×', 2.8, "M0 2L2.8 4.8M2.8 2L0 4.8"),
    ('°', 1.6, "M.8 0C.3 0 0 .4 0 .8C0 1.2 .3 1.6 .8 1.6C1.3 1.6 1.6 1.2 1.6 .8C1.6 .4 1.3 0 .8 0"),
    ('…', 3.4, "M.2 5.8L.2 6M1.7 5.8L1.7 6M3.2 5.8L3.2 6"),
];

/// Letters with an accent, their base letters, and the accent.
const ACCENTED: &[(&str, &str, &str)] = &[
    ("áéíóúýÁÉÍÓÚÝ", "aeiouyAEIOUY", "M-.4 1L.5 0"),
    ("àèìòùÀÈÌÒÙ", "aeiouAEIOU", "M.4 1L-.5 0"),
    ("âêîôûÂÊÎÔÛ", "aeiouAEIOU", "M-.8 1L0 0L.8 1"),
    ("äëïöüÿÄËÏÖÜ", "aeiouyAEIOU", "M-.8 .5L-.8 .7M.8 .5L.8 .7"),
    ("ãñõÃÑÕ", "anoANO", "M-1 .8C-.7 .1 -.3 .2 0 .5C.3 .8 .7 .9 1 .2"),
    ("åÅ", "aA", "M0 -.3C-.5 -.3 -.7 0 -.7 .3C-.7 .7 -.4 1 0 1C.4 1 .7 .7 .7 .3C.7 0 .5 -.3 0 -.3"),
    ("čšžřěňČŠŽŘĚŇ", "cszrenCSZREN", "M-.8 0L0 1L.8 0"),
    ("çÇ", "cC", CEDILLA),
];
/// The accent below its letter.
const CEDILLA: &str = "M0 0L0 .4C.7 .5 .8 1.5 -.4 1.4";

/// The glyph of unknown characters: a box.
const BOX: (f32, &str) = (3.2, "M0 0L3.2 0L3.2 6L0 6L0 0");

/// Returns the base letter and the accent of an accented letter.
fn parts(c: char) -> Option<(char, &'static str)> {
    ACCENTED.iter().find_map(|(letters, bases, accent)| {
        let at = letters.chars().position(|letter| letter == c)?;
        Some((bases.chars().nth(at)?, *accent))
    })
}

/// Returns width and path of a character, without its accent; `None` if it has no glyph.
fn known_glyph(c: char) -> Option<(f32, &'static str)> {
    let base = parts(c).map_or(c, |(base, _)| base);
    GLYPHS.iter().find(|entry| entry.0 == base).map(|&(_, width, path)| (width, path))
}

fn glyph(c: char) -> (f32, &'static str) {
    known_glyph(c).unwrap_or(BOX)
}

/// Returns the first character of a text that has no glyph.
pub(super) fn first_unknown(text: &str) -> Option<char> {
    text.chars().find(|&c| known_glyph(c).is_none())
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
        if let Some((base, accent)) = parts(c) {
            let above = match (accent, base.is_uppercase()) {
                (CEDILLA, _) => TALL,
                (_, true) => -1.7,
                (_, false) => 0.2,
            };
            let place = |x, y| (left + (width / 2.0 + x) * scale, top + (above + y) * scale);
            trace(accent, place, &mut path);
        }
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
        let accented = ACCENTED.iter().flat_map(|(letters, ..)| letters.chars());
        for c in GLYPHS.iter().map(|entry| entry.0).chain(accented).filter(|&c| c != ' ') {
            let drawn = text(&c.to_string(), (0.0, 0.0), 6.0);
            assert!(!drawn.0.is_empty() && drawn != unknown, "{c}");
            let accent = parts(c).map_or("", |(_, accent)| accent);
            let commands = format!("{}{accent}", glyph(c).1);
            let commands = commands.matches(['M', 'L', 'C']).count();
            assert_eq!(drawn.0.len(), commands, "a command of {c} has a wrong number of arguments");
        }
    }

    #[test]
    fn every_printable_ascii_character_has_a_glyph_of_its_own() {
        assert_eq!(first_unknown(&(' '..='~').collect::<String>()), None);
        assert_eq!(first_unknown("Rösselsprung №"), Some('№'));
        let mut strokes: Vec<&str> = GLYPHS.iter().map(|entry| entry.2).collect();
        strokes.sort_unstable();
        strokes.dedup();
        // A capital I is drawn as a small l.
        assert_eq!(strokes.len(), GLYPHS.len() - 1);
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
