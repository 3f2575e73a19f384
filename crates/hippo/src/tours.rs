//! Reading and writing tours: formats and sources.

use crate::OutputMode;
use crate::args::{FormatArgs, ShapeArgs};
use crate::fail::Fail;
use crate::graphs::{is_standard_input, load_graph};
use clap::Args;
use hippodrome::board::Graph;
use hippodrome::draw::{self, SheetFormat, Style};
use hippodrome::tour::{Claim, Hints, Notation, ReadError, TourWriter, Verified, read_tours};
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// The format of a tour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A text notation.
    Text(Notation),
    /// A picture that carries its tour and can be read back.
    Svg,
    /// A picture.
    Png,
    /// An animated picture of the tour.
    Gif,
    /// A page, or pages with many tours.
    Pdf,
}

impl Format {
    /// Numbers on the board.
    pub const GRID: Format = Format::Text(Notation::Grid);
    /// Names of squares, one tour per line.
    pub const MOVES: Format = Format::Text(Notation::Moves);
    /// JSON objects.
    pub const JSON: Format = Format::Text(Notation::Json);

    /// The formats by name, each with its meaning.
    pub const CHOICES: &[(&str, Format, &str)] = &[
        ("grid", Format::GRID, "Numbers on the board"),
        ("moves", Format::MOVES, "Names of squares, one tour per line"),
        ("digits", Format::Text(Notation::Digits), "Start square, then one octal digit per move"),
        ("json", Format::JSON, "One JSON object per line"),
        ("tsplib", Format::Text(Notation::Tsplib), "A TSPLIB tour file"),
        ("svg", Format::Svg, "A picture that carries its tour and can be read back"),
        ("png", Format::Png, "A picture"),
        ("gif", Format::Gif, "An animated picture of the tour"),
        ("pdf", Format::Pdf, "A page to print"),
    ];

    /// Returns the text notation, unless the format is a picture.
    pub fn notation(self) -> Option<Notation> {
        match self {
            Format::Text(notation) => Some(notation),
            Format::Svg | Format::Png | Format::Gif | Format::Pdf => None,
        }
    }

    /// Returns the format of a sheet of many tours, if it is a picture that has one.
    pub fn of_sheet(self) -> Option<SheetFormat> {
        match self {
            Format::Svg => Some(SheetFormat::Svg),
            Format::Png => Some(SheetFormat::Png),
            Format::Pdf => Some(SheetFormat::Pdf),
            Format::Gif | Format::Text(_) => None,
        }
    }

    /// Returns the text notation, or rejects a picture, which shows one tour.
    pub fn of_many(self) -> Result<Notation, Fail> {
        self.notation().ok_or_else(|| {
            Fail::usage("pictures show one tour; use --format moves, digits, grid, json or tsplib")
        })
    }

    /// Rejects a format that cannot show tours of the graph.
    pub fn check(self, graph: &Graph) -> Result<(), Fail> {
        Ok(self.notation().map_or(Ok(()), |notation| notation.supports(graph))?)
    }

    /// Returns whether the format is binary.
    pub fn is_binary(self) -> bool {
        matches!(self, Format::Png | Format::Gif | Format::Pdf)
    }

    /// Returns the format given by `--format`, by `--json` or by the name of the output.
    pub fn asked(
        given: Option<Format>,
        output: Option<&str>,
        mode: OutputMode,
    ) -> Result<Option<Format>, Fail> {
        match (given, mode.json) {
            (None | Some(Format::JSON), true) => Ok(Some(Format::JSON)),
            (Some(_), true) => {
                Err(Fail::usage("--json and --format do not go together; leave one out"))
            }
            (None, false) => Format::of_file(output),
            (Some(format), false) => format.as_named(output).map(Some),
        }
    }

    /// Returns the format, or an error if it is a picture and the file is named as another, or the reverse.
    pub fn as_named(self, output: Option<&str>) -> Result<Format, Fail> {
        let named = Format::of_file(output).ok().flatten();
        match (named, output) {
            (Some(named), Some(path))
                if named != self && (self.notation().is_none() || named.notation().is_none()) =>
            {
                Err(Fail::usage(format!(
                    "the ending of {path} is not that of the format; rename the file, or leave out --format"
                )))
            }
            _ => Ok(self),
        }
    }

    /// Returns the format that the extension of a file names.
    pub fn of_file(path: Option<&str>) -> Result<Option<Format>, Fail> {
        let Some(path) = path else { return Ok(None) };
        let ending = Path::new(path).extension().map(|e| e.to_string_lossy().to_lowercase());
        Ok(Some(match ending.as_deref() {
            None | Some("txt" | "text" | "dat" | "out") => return Ok(None),
            Some("svg") => Format::Svg,
            Some("png") => Format::Png,
            Some("gif") => Format::Gif,
            Some("pdf") => Format::Pdf,
            Some("json" | "jsonl") => Format::JSON,
            Some("tour" | "tsp") => Format::Text(Notation::Tsplib),
            Some(other) => {
                return Err(Fail::usage(format!(
                    "{path}: there is no format for .{other}; end the name in .svg, .png, .gif, .pdf, .json, .tour or .txt, or give --format"
                )));
            }
        }))
    }
}

/// Writes one tour in any format.
pub fn write_one(
    tour: &Verified<'_>,
    format: Format,
    style: &Style,
    out: &mut dyn Write,
) -> Result<(), Fail> {
    match format {
        Format::Text(notation) => TourWriter::new(notation, out).write(tour)?,
        Format::Svg => draw::svg(tour, style, out)?,
        Format::Png => draw::png(tour, style, out)?,
        Format::Gif => draw::gif(tour, style, out)?,
        Format::Pdf => draw::pdf(tour, style, out)?,
    }
    Ok(())
}

/// Continues after a successful write; keeps an error and breaks.
pub fn unless_failed<E>(written: Result<(), E>, failed: &mut Option<E>) -> ControlFlow<()> {
    match written {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            *failed = Some(error);
            ControlFlow::Break(())
        }
    }
}

/// A file of tours, and the board and piece that its notation may not name.
#[derive(Args)]
pub struct SourceArgs {
    /// File of tours in any text format [default: standard input, also as -]
    #[arg(value_name = "FILE")]
    pub file: Option<String>,
    /// Board, if the notation does not name it [default: smallest square]
    #[arg(long, value_name = "BOARD", help_heading = "Board")]
    pub board: Option<String>,
    #[command(flatten)]
    pub shape: ShapeArgs,
    /// Graph of the tours, instead of a board: a file, - or a generator
    #[arg(long, value_name = "GRAPH", help_heading = "Board", conflicts_with_all = ["board", "holes", "mask", "leaper"])]
    pub graph: Option<String>,
    #[command(flatten)]
    pub format: FormatArgs,
    /// Notation: grid, moves, digits, json or tsplib [default: detected]
    #[arg(long, value_name = "NOTATION", help_heading = "Board")]
    pub from: Option<Notation>,
}

impl SourceArgs {
    /// Reads the tours of the file: claims to be verified, and errors of those that cannot be read.
    pub fn read(&self) -> Result<Vec<Result<Claim, ReadError>>, Fail> {
        let standard_input = self.graph.as_deref().is_some_and(is_standard_input);
        if standard_input && self.file.as_deref().is_none_or(is_standard_input) {
            return Err(Fail::usage(
                "graph and tours are both read from standard input; give a file for one of them",
            ));
        }
        let knight = self.shape.leaper == "1,2";
        let graph = self.graph.as_deref();
        let hints = Hints {
            notation: self.from,
            board: self.shape.board(self.board.as_deref())?,
            leaper: if knight { None } else { Some(self.shape.piece()?) },
            graph: graph.map(|graph| load_graph(graph, self.format.graph_format)).transpose()?,
        };
        Ok(read_tours(&self.text()?, &hints))
    }

    /// Returns the name of the file for messages.
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
