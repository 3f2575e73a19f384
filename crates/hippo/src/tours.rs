//! Tours in and out: formats, files that appear whole or not at all, and reading back.

use crate::args::{ShapeArgs, load_graph};
use crate::fail::Fail;
use clap::{Args, ValueEnum};
use hippodrome::draw::{self, DrawError, Style, Theme};
use hippodrome::graph::Graph;
use hippodrome::tour::{
    Claim, Hints, Notation, NotationError, ReadError, TourWriter, Verified, read_tours,
};
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

/// How a tour is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Numbers on the board
    Grid,
    /// Names of squares, one tour a line
    Moves,
    /// Start, then one octal digit a move
    Digits,
    /// One JSON object a line
    Json,
    /// A TSPLIB tour file
    Tsplib,
    /// A picture that carries its tour and can be read back
    Svg,
    /// A picture
    Png,
}

impl Format {
    /// The text notation, unless it is a picture.
    pub fn notation(self) -> Option<Notation> {
        match self {
            Format::Grid => Some(Notation::Grid),
            Format::Moves => Some(Notation::Moves),
            Format::Digits => Some(Notation::Digits),
            Format::Json => Some(Notation::Json),
            Format::Tsplib => Some(Notation::Tsplib),
            Format::Svg | Format::Png => None,
        }
    }

    /// Refuses a format that does not serve for the graph, before any work is done.
    pub fn check(self, graph: &Graph) -> Result<(), Fail> {
        match self.notation() {
            Some(notation) => notation.serves(graph).map_err(Fail::usage),
            None => Ok(()),
        }
    }

    /// The format a file's name asks for.
    pub fn of_file(path: &str) -> Option<Format> {
        match Path::new(path).extension()?.to_str()? {
            "svg" => Some(Format::Svg),
            "png" => Some(Format::Png),
            "json" | "jsonl" => Some(Format::Json),
            "tour" | "tsp" => Some(Format::Tsplib),
            _ => None,
        }
    }
}

/// How pictures look.
#[derive(Args, Clone)]
pub struct StyleArgs {
    /// Number the squares of a picture
    #[arg(long)]
    pub numbers: bool,
    /// Longer side of a picture in pixels
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(Style::SMALLEST as i64..=Style::LARGEST as i64))]
    pub size: Option<u32>,
    /// Light lines on a dark board
    #[arg(long)]
    pub dark: bool,
    /// One colour in place of colour along the path
    #[arg(long)]
    pub plain: bool,
}

impl StyleArgs {
    /// The style.
    pub fn style(&self) -> Style {
        Style {
            numbers: self.numbers,
            size: self.size,
            theme: if self.dark { Theme::Dark } else { Theme::Light },
            coloured: !self.plain,
            ..Style::default()
        }
    }
}

impl From<NotationError> for Fail {
    fn from(error: NotationError) -> Fail {
        match error {
            NotationError::Io(error) => error.into(),
            wrong => Fail::usage(wrong),
        }
    }
}

impl From<DrawError> for Fail {
    fn from(error: DrawError) -> Fail {
        match error {
            DrawError::Io(error) => error.into(),
            wrong => Fail::usage(wrong),
        }
    }
}

/// Writes one tour in any format.
pub fn write_one(
    tour: &Verified<'_>,
    format: Format,
    style: &Style,
    out: &mut dyn Write,
) -> Result<(), Fail> {
    match format.notation() {
        Some(notation) => TourWriter::new(notation, out).write(tour)?,
        None if format == Format::Png => draw::png(tour, style, out)?,
        None => draw::svg(tour, style, out)?,
    }
    Ok(())
}

/// Standard output, or a file that appears only when it is complete.
pub struct Output {
    target: Option<(PathBuf, PathBuf)>,
    writer: BufWriter<Box<dyn Write>>,
}

impl Output {
    /// Opens the output; binary data is not sent to a terminal.
    pub fn open(path: Option<&str>, binary: bool) -> Result<Output, Fail> {
        let Some(path) = path.filter(|&p| p != "-") else {
            if binary && io::stdout().is_terminal() {
                return Err(Fail::usage(
                    "this format is not for a terminal; write it to a file with -o FILE",
                ));
            }
            let writer: Box<dyn Write> = Box::new(io::stdout().lock());
            return Ok(Output { target: None, writer: BufWriter::with_capacity(1 << 16, writer) });
        };
        let target = PathBuf::from(path);
        let Some(name) = target.file_name().filter(|_| !target.is_dir()) else {
            return Err(Fail::usage(format!(
                "{path} is not the name of a file; give one, as in tour.svg"
            )));
        };
        let temporary = target.with_file_name(format!(
            ".{}.{}.part",
            name.to_string_lossy(),
            std::process::id()
        ));
        let file = File::create(&temporary).map_err(|e| Fail::file("write", path, &e))?;
        let writer: Box<dyn Write> = Box::new(file);
        Ok(Output {
            target: Some((temporary, target)),
            writer: BufWriter::with_capacity(1 << 16, writer),
        })
    }

    /// Makes the file appear under its name; without this nothing is left of it.
    pub fn finish(mut self) -> Result<(), Fail> {
        let Some((temporary, target)) = self.target.take() else { return Ok(self.writer.flush()?) };
        let path = target.display().to_string();
        let renamed = self
            .writer
            .flush()
            .and_then(|()| File::open(&temporary)?.sync_all())
            .and_then(|()| fs::rename(&temporary, &target));
        renamed.map_err(|e| {
            let _ = fs::remove_file(&temporary);
            Fail::file("write", &path, &e)
        })
    }
}

impl Write for Output {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.writer.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some((temporary, _)) = &self.target {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// A file of tours, and what its notation may leave open.
#[derive(Args)]
pub struct SourceArgs {
    /// A file of tours in any text format; standard input if left out or -
    #[arg(value_name = "FILE")]
    pub file: Option<String>,
    /// The board, where the notation does not say it [default: the smallest square that fits]
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
    #[command(flatten)]
    pub shape: ShapeArgs,
    /// The graph that the tours are on, in place of a board
    #[arg(long, value_name = "FILE", conflicts_with_all = ["board", "holes", "mask", "leaper"])]
    pub graph: Option<String>,
    /// The notation of the file, where it shall not be found out: grid, moves, digits, json, tsplib
    #[arg(long, value_name = "NOTATION")]
    pub from: Option<Notation>,
}

impl SourceArgs {
    /// The tours of the file; each is a claim still to be verified, or says why it cannot be read.
    pub fn read(&self) -> Result<Vec<Result<Claim, ReadError>>, Fail> {
        let knight = self.shape.leaper == "1,2";
        let hints = Hints {
            notation: self.from,
            board: self.shape.board(self.board.as_deref())?,
            leaper: if knight { None } else { Some(self.shape.piece()?) },
            graph: self.graph.as_deref().map(load_graph).transpose()?,
        };
        Ok(read_tours(&self.text()?, &hints))
    }

    /// What stands for the file in messages.
    pub fn name(&self) -> &str {
        self.file.as_deref().filter(|&f| f != "-").unwrap_or("standard input")
    }

    fn text(&self) -> Result<String, Fail> {
        let mut bytes = Vec::new();
        let read = match self.file.as_deref().filter(|&f| f != "-") {
            Some(path) => File::open(path).and_then(|mut f| f.read_to_end(&mut bytes)),
            None => {
                if io::stdin().is_terminal() {
                    eprintln!("reading tours from the terminal; end with Ctrl-D");
                }
                io::stdin().lock().read_to_end(&mut bytes)
            }
        };
        read.map_err(|e| Fail::file("read", self.name(), &e))?;
        String::from_utf8(bytes).map_err(|_| {
            Fail::run_time(format!(
                "{} is not text; give tours as grid, moves, digits, json, tsplib or svg",
                self.name()
            ))
        })
    }
}
