//! `hippo draw`: a tour as a picture.

use crate::Manner;
use crate::args::whole;
use crate::cmd::convert::valid_tours;
use crate::fail::{DONE, Fail};
use crate::output::Output;
use crate::tours::{Format, SourceArgs, StyleArgs, write_one};
use clap::{Args, ValueEnum};
use hippodrome::draw;
use std::path::Path;

/// Draw a tour as SVG, PNG, animated GIF or text
#[derive(Args)]
#[command(after_help = "Example:\n  hippo find 8x8 --closed | hippo draw --numbers -o tour.png")]
pub struct Draw {
    #[command(flatten)]
    source: SourceArgs,
    /// The kind of picture [default: by the name of the output, else svg]
    #[arg(long, help_heading = "Output", value_enum)]
    format: Option<Picture>,
    /// Write to a file in place of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<String>,
    /// Which tour of the file, from 1
    #[arg(long, value_name = "N", help_heading = "Output", default_value = "1", value_parser = whole, allow_negative_numbers = true)]
    tour: u64,
    #[command(flatten)]
    style: StyleArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Picture {
    /// Lines that scale; the file carries its tour
    Svg,
    /// Pixels
    Png,
    /// The tour growing, animated
    Gif,
    /// Numbers on the board
    Text,
}

impl Draw {
    /// Draws.
    pub fn run(self, manner: Manner) -> Result<u8, Fail> {
        let tours = valid_tours(&self.source)?;
        let Some(tour) = tours.get(self.tour as usize - 1) else {
            return Err(Fail::usage(format!(
                "there is no tour {} in {}, which holds {}; choose --tour from 1 to {}",
                self.tour,
                self.source.name(),
                tours.len(),
                tours.len()
            )));
        };
        if tours.len() > 1 && self.tour == 1 {
            manner.remark(&format!(
                "drawing the first of {} tours; --tour N draws another",
                tours.len()
            ));
        }
        let named = self.output.as_deref().and_then(|path| Path::new(path).extension()?.to_str());
        let picture = self.format.unwrap_or(match named {
            Some("png") => Picture::Png,
            Some("gif") => Picture::Gif,
            Some("txt") => Picture::Text,
            _ => Picture::Svg,
        });
        let (view, style) = (tour.view(), self.style.style());
        if style.numbers && !style.shows_numbers(&view) {
            manner.remark("the squares are too small for numbers; a larger --size may help");
        }
        let binary = matches!(picture, Picture::Png | Picture::Gif);
        let mut out = Output::open(self.output.as_deref(), binary)?;
        match picture {
            Picture::Svg => write_one(&view, Format::Svg, &style, &mut out)?,
            Picture::Png => write_one(&view, Format::Png, &style, &mut out)?,
            Picture::Gif => draw::gif(&view, &style, &mut out)?,
            Picture::Text => write_one(&view, Format::Grid, &style, &mut out)?,
        }
        out.finish()?;
        Ok(DONE)
    }
}
