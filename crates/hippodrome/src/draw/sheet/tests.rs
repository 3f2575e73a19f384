//! Tests of sheets: pages, room for every figure and text, and tours that can be read back.

use super::*;
use crate::board::Board;
use crate::error::Diagnostic;
use crate::tour::{Hints, read_tours, verify};

/// A row-by-row tour of the piece that steps to adjacent squares.
fn furrows(rows: u32, cols: u32) -> Tour {
    let board = Board::new(rows.into(), cols.into()).unwrap();
    let turn = |row: u32, col: u32| if row.is_multiple_of(2) { col } else { cols - 1 - col };
    let squares = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, turn(row, col))));
    let squares = squares.map(|(row, col)| board.at(row, col)).collect();
    verify(&Graph::leaper(board.clone(), "0,1".parse().unwrap()), squares).unwrap()
}

fn captioned(caption: &str) -> Sheet {
    Sheet { caption: Some(Caption::parse(caption).unwrap()), ..Sheet::new(Style::default()) }
}

fn written(
    sheet: Sheet,
    format: SheetFormat,
    tours: &[Tour],
) -> Result<(Vec<u8>, SheetReport), DrawError> {
    let mut out = Vec::new();
    let mut writer = SheetWriter::new(sheet, format, &mut out)?;
    for (n, tour) in (1..).zip(tours) {
        writer.add(&tour.view(), n)?;
    }
    let report = writer.finish()?;
    Ok((out, report))
}

#[test]
fn pages_of_a_pdf_leave_before_the_end() {
    let tour = furrows(6, 6);
    let mut out = Vec::new();
    let sheet = Sheet { columns: Some(8), ..captioned("No. {n}") };
    let mut writer = SheetWriter::new(sheet, SheetFormat::Pdf, &mut out).unwrap();
    for n in 1..=1000 {
        writer.add(&tour.view(), n).unwrap();
        assert!(writer.page.len() <= 96, "{}", writer.page.len());
    }
    let report = writer.finish().unwrap();
    assert!((10..25).contains(&report.pages) && report.figures == 1000, "{report:?}");
    let text = String::from_utf8_lossy(&out);
    assert!(text.contains(&format!("/Count {}", report.pages)));
    assert_eq!(text.matches("/Type/Page/").count() as u64, report.pages);
}

#[test]
fn the_tours_of_an_svg_sheet_are_read_back() {
    let tours = [furrows(3, 4), furrows(4, 3), furrows(5, 5)];
    let (svg, _) = written(captioned("{board}"), SheetFormat::Svg, &tours).unwrap();
    let read = read_tours(std::str::from_utf8(&svg).unwrap(), &Hints::default());
    let squares: Vec<_> = read.into_iter().map(|claim| claim.unwrap().squares).collect();
    assert_eq!(squares, tours.map(|tour| tour.squares().to_vec()));
}

#[test]
fn figures_and_captions_stay_within_the_page_and_apart() {
    for (rows, cols) in [(5, 5), (1, 30), (30, 1), (3, 10), (20, 20)] {
        let tour = furrows(rows, cols);
        for paper in [None, Some(Paper::A4), Some(Paper::Letter)] {
            for (columns, landscape) in [(1, false), (3, true), (8, false)] {
                let sheet = Sheet {
                    paper,
                    landscape,
                    columns: Some(columns),
                    title: Some("A title".into()),
                    ..captioned("No. {n}, {symmetry}")
                };
                let mut out = Vec::new();
                let format = if paper.is_some() { SheetFormat::Pdf } else { SheetFormat::Svg };
                let mut writer = SheetWriter::new(sheet, format, &mut out).unwrap();
                writer.add(&tour.view(), 1).unwrap();
                let grid = writer.grid.clone().unwrap();
                let figures = grid.per_page().unwrap_or(20);
                let (width, height) = grid.size(figures);
                let boxes: Vec<(Point, Point)> = (0..figures)
                    .map(|index| {
                        let (x, y) = grid.corner(index);
                        ((x, y), (x + grid.figure.0, y + grid.figure.1 + grid.caption))
                    })
                    .collect();
                let inside = |&((x, y), (right, low)): &(Point, Point)| {
                    x >= 20.0 && y >= 20.0 && right <= width - 20.0 && low <= height - 20.0
                };
                let place = format!("{rows}x{cols} {paper:?} {columns} {grid:?}");
                assert!(boxes.iter().all(inside), "{place}");
                let apart = |a: &(Point, Point), b: &(Point, Point)| {
                    a.1.0 < b.0.0 || b.1.0 < a.0.0 || a.1.1 < b.0.1 || b.1.1 < a.0.1
                };
                for (index, one) in boxes.iter().enumerate() {
                    assert!(boxes[..index].iter().all(|other| apart(one, other)), "{place}");
                }
                writer.finish().unwrap();
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let tours = vec![furrows(6, 6); 60];
    let said = |sheet: Sheet, format: SheetFormat| {
        let error = written(sheet, format, &tours).unwrap_err();
        format!("{error}; {:?}", error.remedies())
    };
    let plain = || Sheet::new(Style::default());
    let columns = said(Sheet { columns: Some(40), ..plain() }, SheetFormat::Pdf);
    assert!(columns.contains("40 columns do not fit") && columns.contains("1 to 1"), "{columns}");
    let paper = said(Sheet { paper: Some(Paper::A4), ..plain() }, SheetFormat::Svg);
    assert!(paper.contains("one page has room for") && paper.contains("pdf"), "{paper}");
    let title =
        |title: &str| said(Sheet { title: Some(title.into()), ..plain() }, SheetFormat::Pdf);
    assert!(title("\u{738b}").contains("cannot be drawn"), "{}", title("\u{738b}"));
    assert!(title(&"long ".repeat(90)).contains("no room for the text"));
    let caption = said(
        Sheet { columns: Some(8), ..captioned("Incomprehensibilities{n}{n}{n}") },
        SheetFormat::Pdf,
    );
    assert!(caption.contains("no room for the text"), "{caption}");
    let empty = written(plain(), SheetFormat::Pdf, &[]).unwrap_err();
    assert_eq!(empty.to_string(), "there is nothing to draw on the sheet");
    let long = vec![furrows(30, 2); 200];
    let sheet = Sheet { columns: Some(1), ..plain() };
    let error = written(sheet, SheetFormat::Png, &long).unwrap_err();
    assert!(error.to_string().contains("has at most"), "{error}");
}

#[test]
fn captions_of_any_length_up_to_the_longest_fit() {
    let tour = furrows(12, 12);
    for caption in ["{n}", "No. {n}, {symmetry}, {closed}", "{start}-{end} {turns} {crossings}"] {
        for columns in 1..=6 {
            let sheet = Sheet { columns: Some(columns), ..captioned(caption) };
            let (pdf, report) = written(sheet, SheetFormat::Pdf, &vec![tour.clone(); 30]).unwrap();
            assert!(pdf.len() > 1000 && report.figures == 30);
        }
    }
}
