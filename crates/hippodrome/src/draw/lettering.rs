//! Lines of text that fit a width.

use super::colour::Rgb;
use super::glyph::{text, text_width};
use super::pen::{Pen, Point, Stroke};
use std::io;

/// Height of the smallest readable letters in pixels: 4 points.
const READABLE: f32 = 5.3;
/// Distance of two lines, in heights of letters.
const LEADING: f32 = 1.75;

/// A text broken into lines.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Lettering {
    lines: Vec<String>,
    /// Height of a digit.
    pub(super) letter: f32,
}

/// Returns the number of lines with letters of a height that fit a height, at least one.
pub(super) fn lines_at(letter: f32, height: f32) -> usize {
    (1.0 + (height - letter) / (LEADING * letter)).max(1.0) as usize
}

impl Lettering {
    /// Breaks a text into at most `most` lines of a width; letters are smaller than `letter` if they have to be.
    pub(super) fn fit(text: &str, letter: f32, width: f32, most: usize) -> Option<Lettering> {
        let mut letter = letter;
        while letter >= READABLE {
            if let Some(lines) = broken(text, letter, width).filter(|lines| lines.len() <= most) {
                return Some(Lettering { lines, letter });
            }
            letter *= 0.94;
        }
        None
    }

    /// Returns the height of all lines.
    pub(super) fn height(&self) -> f32 {
        self.letter * (1.0 + LEADING * (self.lines.len() as f32 - 1.0))
    }

    /// Paints the lines centred below a point.
    pub(super) fn paint(&self, pen: &mut dyn Pen, (x, top): Point, ink: Rgb) -> io::Result<()> {
        let line = Stroke::solid(ink, 0.11 * self.letter);
        for (number, words) in self.lines.iter().enumerate() {
            let y = top + self.letter * (0.5 + LEADING * number as f32);
            pen.stroke(&text(words, (x, y), self.letter), &line)?;
        }
        Ok(())
    }
}

/// Breaks a text at blanks; `None` if a word is wider than the width.
fn broken(text: &str, letter: f32, width: f32) -> Option<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        if text_width(word, letter) > width {
            return None;
        }
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), letter) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_broken_or_made_smaller_until_it_fits() {
        let text = "No. 8888, mirror and half-turn, closed";
        let wide = Lettering::fit(text, 10.0, 400.0, 3).unwrap();
        assert_eq!((wide.lines.len(), wide.letter), (1, 10.0));
        let narrow = Lettering::fit(text, 10.0, 110.0, 3).unwrap();
        assert!(narrow.lines.len() > 1 && narrow.lines.join(" ") == text, "{narrow:?}");
        assert!(narrow.lines.iter().all(|line| text_width(line, narrow.letter) <= 110.0));
        assert_eq!(Lettering::fit(text, 10.0, 20.0, 3), None);
        assert_eq!(lines_at(10.0, narrow.height() * 10.0 / narrow.letter), narrow.lines.len());
    }
}
