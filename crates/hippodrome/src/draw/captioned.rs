//! One figure with a caption below it, as SVG, PNG or PDF.

use super::glyph::first_unknown;
use super::layout::Space;
use super::lettering::Lettering;
use super::markup::SvgPen;
use super::pdf::PdfFile;
use super::pen::Pen;
use super::picture::Picture;
use super::{DrawError, Drawable, SheetFormat, Style, write_png};
use crate::tour::{Verified, tour_json};
use std::io::Write;

/// Height of the letters as a share of the width, and its bounds in pixels.
const LETTER: (f32, f32, f32) = (0.024, 9.0, 40.0);
/// Most lines of a caption.
const LINES: usize = 3;
/// Share of the width that lines may take.
const MEASURE: f32 = 0.94;

/// Writes a tour with a text below it. The picture is as wide as without the text, and higher.
pub fn captioned(
    tour: &Verified<'_>,
    caption: &str,
    style: &Style,
    format: SheetFormat,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let caption = caption.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(c) = first_unknown(&caption) {
        return Err(DrawError::Character(c));
    }
    let figure = Drawable::from(tour);
    let picture = Picture::new(figure, style, Space::Alone(None))?;
    let (width, board) = picture.layout.size;
    let (share, least, most) = LETTER;
    let letter = (share * width as f32).clamp(least, most);
    let letters = Lettering::fit(&caption, letter, MEASURE * width as f32, LINES)
        .ok_or_else(|| DrawError::NoRoom { text: caption.clone() })?;
    let height = board + (letters.height() + 2.0 * letter).ceil() as u32;
    let paint = |pen: &mut dyn Pen| {
        picture.paint(pen)?;
        let strip = (0.0, board as f32);
        pen.rect(strip, (width as f32, (height - board) as f32), picture.palette.page)?;
        let top = (width as f32 / 2.0, board as f32 + 0.6 * letter);
        pen.begin("caption")?;
        letters.paint(pen, top, picture.palette.ink)?;
        Ok(pen.end()?)
    };
    match format {
        SheetFormat::Svg => {
            let mut pen =
                SvgPen::open(out, (width, height), &format!("{}. {caption}", figure.title()))?;
            pen.metadata(&tour_json(tour), 0)?;
            paint(&mut pen)?;
            Ok(pen.close()?)
        }
        SheetFormat::Png => write_png(out, (width, height), paint),
        SheetFormat::Pdf => {
            let mut file = PdfFile::open(out, &figure.title())?;
            file.page((width as f32, height as f32), paint)?;
            Ok(file.close()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Graph};
    use crate::draw::svg;
    use crate::tour::{Tour, verify};

    fn tour() -> Tour {
        let board = Board::parse("3x4").unwrap();
        let names = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split(' ');
        let squares = names.map(|name| board.square(name).unwrap()).collect();
        verify(&Graph::knight(board), squares).unwrap()
    }

    fn drawn(caption: &str, format: SheetFormat, size: u32) -> Result<Vec<u8>, DrawError> {
        let style = Style { size: Some(size), ..Style::default() };
        let mut out = Vec::new();
        captioned(&tour().view(), caption, &style, format, &mut out)?;
        Ok(out)
    }

    #[test]
    fn a_caption_is_drawn_below_the_board_and_escaped_in_the_title() {
        let text = "<b>14 crossings</b> & \"half-turn\"";
        let captioned = String::from_utf8(drawn(text, SheetFormat::Svg, 400).unwrap()).unwrap();
        assert!(captioned.contains("class=\"caption\""));
        assert!(captioned.contains("&lt;b&gt;14 crossings") && !captioned.contains("<b>"));
        let mut plain = Vec::new();
        let style = Style { size: Some(400), ..Style::default() };
        svg(&tour().view(), &style, &mut plain).unwrap();
        let height = |svg: &str| -> u32 {
            let rest = svg.split_once("height=\"").unwrap().1;
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        let plain = String::from_utf8(plain).unwrap();
        assert!(height(&captioned) > height(&plain), "{captioned}");
    }

    #[test]
    fn captions_fit_small_and_large_pictures_of_every_format() {
        let text = "Closed tour of 8x8, one of 26,534,728,821,064";
        for size in [240, 2048] {
            assert!(drawn(text, SheetFormat::Png, size).unwrap().starts_with(b"\x89PNG"));
            assert!(drawn(text, SheetFormat::Pdf, size).unwrap().starts_with(b"%PDF"));
        }
        assert!(matches!(
            drawn(&"long ".repeat(200), SheetFormat::Png, 240),
            Err(DrawError::NoRoom { .. })
        ));
        assert!(matches!(drawn("№", SheetFormat::Svg, 240), Err(DrawError::Character('№'))));
        drawn("two\nlines", SheetFormat::Svg, 240).unwrap();
    }
}
