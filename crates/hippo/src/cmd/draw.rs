//! `hippo draw`: tours and boards as pictures.

mod subject;

use crate::OutputMode;
use crate::args::{one_of, whole, within};
use crate::fail::{DONE, Fail};
use crate::output::Output;
use crate::pictures::{PaperArgs, StyleArgs, mind_numbers, report_sheet};
use crate::ranges::Ranges;
use crate::tours::{Format, SourceArgs, write_one};
use clap::Args;
use hippodrome::board::move_weights::MoveWeights;
use hippodrome::draw::{self, Drawable, SheetFormat, SheetWriter, Style};
use hippodrome::tour::TourWriter;
use std::fs;
use std::io::{self, IsTerminal, Write};
use subject::Subject;

/// Draw tours or boards as SVG, PDF, PNG, animated GIF or text
#[derive(Args)]
#[command(after_help = after_help())]
pub struct Draw {
    #[command(flatten)]
    source: SourceArgs,
    /// File to write instead of standard output; its extension sets the format
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<String>,
    /// svg, pdf, png, gif or text [default: svg; on a terminal text]
    #[arg(long, value_name = "FORMAT", help_heading = "Output", value_parser = one_of(PICTURES), hide_possible_values = true)]
    format: Option<Format>,
    /// Number of the tour in the file, from 1
    #[arg(long, value_name = "N", help_heading = "Output", default_value = "1", value_parser = whole, allow_negative_numbers = true)]
    tour: u64,
    /// Tours of a sheet, as in 1-24 or 3,5,9
    #[arg(long, value_name = "RANGES", help_heading = "Sheet", value_parser = Ranges::parse, conflicts_with = "tour", allow_hyphen_values = true)]
    tours: Option<Ranges>,
    /// Figures per row of a sheet [default: fitting the page]
    #[arg(long, value_name = "N", help_heading = "Sheet", value_parser = |n: &str| within(n, 1, 1000).map(|n| n as u32), allow_negative_numbers = true)]
    columns: Option<u32>,
    /// Caption of each tour, with placeholders: see below
    #[arg(long, value_name = "TEXT", help_heading = "Sheet")]
    caption: Option<String>,
    #[command(flatten)]
    paper: PaperArgs,
    #[command(flatten)]
    style: StyleArgs,
    /// Show only these numbers of the tour, as in 1,64
    #[arg(long, value_name = "NUMBERS", help_heading = "Picture", value_parser = Ranges::parse, conflicts_with_all = ["numbers", "plain"], allow_hyphen_values = true)]
    show: Option<Ranges>,
    /// Draw N blank boards instead of tours
    #[arg(long, value_name = "N", help_heading = "Picture", value_parser = |n: &str| within(n, 1, 10_000), allow_negative_numbers = true, conflicts_with_all = ["file", "from", "tour", "tours", "show", "caption", "numbers", "plain"])]
    blank: Option<u64>,
    /// Draw the pheromone of 'hippo enumerate --pheromone' instead of a tour
    #[arg(long, value_name = "FILE", help_heading = "Picture", conflicts_with_all = ["file", "board", "holes", "mask", "leaper", "graph", "from", "tour", "numbers", "plain", "tours", "columns", "caption", "paper", "landscape", "title", "show", "blank"])]
    pheromone: Option<String>,
}

const PICTURES: &[(&str, Format, &str)] = &[
    ("svg", Format::Svg, "Lines that scale; the file carries its tours"),
    ("pdf", Format::Pdf, "Pages to print"),
    ("png", Format::Png, "Pixels"),
    ("gif", Format::Gif, "The tour, animated"),
    ("text", Format::GRID, "Numbers on the board"),
];

/// The end of the help page: placeholders of captions, and examples.
fn after_help() -> String {
    // The library of the command line takes "{n}" in a help text for a line break.
    let known = draw::PLACEHOLDERS.iter().map(|p| format!("  {:<10} {}\n", p.name, p.help));
    format!(
        "Placeholders of --caption, written in braces, as in 'Tour from {{start}}, {{closed}}'\n{}\n\
         A sheet as PDF has as many pages as it needs. As SVG or PNG it is one page of --paper, or without\n\
         --paper one long picture. Without a tour, --board draws a blank board.\n\n\
         Example:\n  hippo find 8x8 --closed | hippo draw --numbers -o tour.png\n  \
         hippo draw --board 5x5 --blank 6 --columns 2 -o worksheet.pdf",
        known.collect::<String>()
    )
}

impl Draw {
    /// Draws tours, boards or pheromone.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        if let Some(file) = &self.pheromone {
            return self.draw_pheromone(file, mode);
        }
        let subject = self.subject(mode)?;
        let format = self.format(&subject)?;
        let style = self.style.style();
        if let Subject::Tours(tours) = &subject {
            tours.iter().try_for_each(|(_, tour)| format.check(tour.graph()))?;
        }
        let sheet = self.is_sheet(&subject);
        let as_sheet = match format.of_sheet() {
            None if sheet && format == Format::Gif => {
                return Err(Fail::usage(
                    "an animation shows one tour; use --tour N, or --format svg, png or pdf",
                ));
            }
            as_sheet => as_sheet.filter(|_| sheet),
        };
        let mut out = Output::open(self.output.as_deref(), format.is_binary())?;
        match as_sheet {
            Some(as_sheet) => self.draw_sheet(&subject, as_sheet, style, &mut out, mode)?,
            None => draw_alone(&subject, format, &style, &mut out, mode)?,
        }
        out.finish(mode)?;
        Ok(DONE)
    }

    /// Returns whether options or several figures ask for a sheet.
    fn is_sheet(&self, subject: &Subject) -> bool {
        let asked = self.tours.is_some() || self.columns.is_some() || self.caption.is_some();
        asked || self.paper.is_given() || subject.count() > 1
    }

    fn draw_sheet(
        &self,
        subject: &Subject,
        format: SheetFormat,
        style: Style,
        out: &mut Output,
        mode: OutputMode,
    ) -> Result<(), Fail> {
        let sheet = self.paper.sheet(self.columns, self.caption.as_deref(), style)?;
        let caption = sheet.caption.clone();
        let mut writer = SheetWriter::new(sheet, format, out)?;
        match subject {
            Subject::Tours(tours) => {
                tours.iter().try_for_each(|(n, tour)| writer.add(&tour.view(), *n))?;
            }
            Subject::Numbers(boards) => {
                for board in boards {
                    let text = caption.as_ref().zip(board.tour.as_ref());
                    let text =
                        text.map_or(String::new(), |(c, (n, tour))| c.fill(&tour.view(), *n));
                    writer.add_board(&board.graph, &board.texts, &text)?;
                }
            }
        }
        report_sheet(mode, writer.finish()?);
        Ok(())
    }

    /// Returns the format: given, named by the ending of the file, or text on a terminal.
    fn format(&self, subject: &Subject) -> Result<Format, Fail> {
        let output = self.output.as_deref().filter(|&path| path != "-");
        if let Some(format) = self.format {
            return format.as_named(output);
        }
        let text = if subject.has_board() { Format::GRID } else { Format::MOVES };
        match output {
            Some(path) => Ok(match Format::of_file(Some(path))? {
                Some(format) => format,
                None if fs::metadata(path).is_ok_and(|file| !file.is_file()) => Format::Svg,
                None if path.rsplit('/').next().is_some_and(|name| name.contains('.')) => text,
                None => Format::Svg,
            }),
            None if io::stdout().is_terminal() => Ok(text),
            None => Ok(Format::Svg),
        }
    }

    fn draw_pheromone(&self, file: &str, mode: OutputMode) -> Result<u8, Fail> {
        let format = match self.format {
            Some(format) => format.as_named(self.output.as_deref())?,
            None => Format::of_file(self.output.as_deref())?.unwrap_or(Format::Svg),
        };
        let draw = match format {
            Format::Svg => draw::move_weights_svg,
            Format::Png => draw::move_weights_png,
            _ => return Err(Fail::usage("pheromone is drawn with --format svg or png")),
        };
        let read = match file {
            "-" => io::read_to_string(io::stdin()),
            file => fs::read_to_string(file),
        };
        let text = read.map_err(|e| Fail::file("read", file, &e))?;
        let weights = MoveWeights::read(&text).map_err(|e| Fail::inside(file, &e))?;
        let mut out = Output::open(self.output.as_deref(), format.is_binary())?;
        draw(&weights, &self.style.style(), &mut out)?;
        out.finish(mode)?;
        Ok(DONE)
    }
}

/// Draws a figure without a sheet, or every tour or board as text.
fn draw_alone(
    subject: &Subject,
    format: Format,
    style: &Style,
    out: &mut Output,
    mode: OutputMode,
) -> Result<(), Fail> {
    match (subject, format.notation()) {
        (Subject::Tours(tours), Some(notation)) => {
            let mut writer = TourWriter::new(notation, out);
            tours.iter().try_for_each(|(_, tour)| writer.write(&tour.view()))?;
        }
        (Subject::Tours(tours), None) => {
            for (_, tour) in tours {
                mind_numbers(mode, &tour.view(), format, style);
                write_one(&tour.view(), format, style, out)?;
            }
        }
        (Subject::Numbers(boards), Some(_)) => {
            for (index, board) in boards.iter().enumerate() {
                let between = if index == 0 { "" } else { "\n" };
                write!(out, "{between}{}", board.text()?)?;
            }
        }
        (Subject::Numbers(boards), None) => {
            let Some(board) = boards.first() else { return Ok(()) };
            let figure = Drawable::Board(&board.graph, &board.texts);
            match format {
                Format::Png => draw::png(figure, style, out)?,
                Format::Pdf => draw::pdf(figure, style, out)?,
                Format::Gif => {
                    return Err(Fail::usage(
                        "an animation needs a tour; leave out --show and --blank, or use --format svg",
                    ));
                }
                _ => draw::svg(figure, style, out)?,
            }
        }
    }
    Ok(())
}
