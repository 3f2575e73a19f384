//! `hippo draw`: a tour as a picture.

use crate::OutputMode;
use crate::args::{one_of, whole};
use crate::cmd::convert::valid_tours;
use crate::fail::{DONE, Fail};
use crate::output::Output;
use crate::tours::{Format, SourceArgs, StyleArgs, mind_numbers, write_one};
use clap::Args;
use hippodrome::board::move_weights::MoveWeights;
use hippodrome::draw;
use std::{fs, io};

/// Draw a tour as SVG, PNG, animated GIF or text
#[derive(Args)]
#[command(after_help = "Example:\n  hippo find 8x8 --closed | hippo draw --numbers -o tour.png")]
pub struct Draw {
    /// File to write instead of standard output; its extension sets the format
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<String>,
    /// svg, png, gif or text [default: svg]
    #[arg(long, value_name = "FORMAT", help_heading = "Output", value_parser = one_of(PICTURES), hide_possible_values = true)]
    format: Option<Format>,
    /// Number of the tour in the file, from 1
    #[arg(long, value_name = "N", help_heading = "Output", default_value = "1", value_parser = whole, allow_negative_numbers = true)]
    tour: u64,
    #[command(flatten)]
    style: StyleArgs,
    /// Draw the pheromone of 'hippo enumerate --pheromone' instead of a tour
    #[arg(long, value_name = "FILE", help_heading = "Picture", conflicts_with_all = ["file", "board", "holes", "mask", "leaper", "graph", "from", "tour", "numbers", "plain"])]
    pheromone: Option<String>,
    #[command(flatten)]
    source: SourceArgs,
}

const PICTURES: &[(&str, Format, &str)] = &[
    ("svg", Format::Svg, "Lines that scale; the file carries its tour"),
    ("png", Format::Png, "Pixels"),
    ("gif", Format::Gif, "The tour, animated"),
    ("text", Format::GRID, "Numbers on the board"),
];

impl Draw {
    /// Draws the tour or the pheromone.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        if let Some(file) = &self.pheromone {
            return self.draw_pheromone(file, mode);
        }
        let tours = valid_tours(&self.source)?;
        let Some(tour) = tours.get(self.tour as usize - 1) else {
            return Err(Fail::usage(format!(
                "there is no tour {} in {}, which contains {}; choose --tour from 1 to {}",
                self.tour,
                self.source.name(),
                tours.len(),
                tours.len()
            )));
        };
        if tours.len() > 1 && self.tour == 1 {
            mode.remark(&format!(
                "drawing the first of {} tours; --tour N draws another",
                tours.len()
            ));
        }
        let format = self.format()?;
        format.check(tour.graph())?;
        let (view, style) = (tour.view(), self.style.style());
        mind_numbers(mode, &view, format, &style);
        let mut out = Output::open(self.output.as_deref(), format.is_binary())?;
        write_one(&view, format, &style, &mut out)?;
        out.finish(mode)?;
        Ok(DONE)
    }

    fn format(&self) -> Result<Format, Fail> {
        match self.format {
            Some(format) => Ok(format),
            None => Ok(Format::of_file(self.output.as_deref())?.unwrap_or(Format::Svg)),
        }
    }

    fn draw_pheromone(&self, file: &str, mode: OutputMode) -> Result<u8, Fail> {
        let draw = match self.format()? {
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
        let binary = self.format()?.is_binary();
        let mut out = Output::open(self.output.as_deref(), binary)?;
        draw(&weights, &self.style.style(), &mut out)?;
        out.finish(mode)?;
        Ok(DONE)
    }
}
