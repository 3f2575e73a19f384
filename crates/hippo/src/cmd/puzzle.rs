//! `hippo puzzle`: a board with some numbers and exactly one solution.

use crate::OutputMode;
use crate::args::{BoardArgs, COMMON, seed, whole};
use crate::fail::{DONE, Fail, LIMIT, complain};
use crate::interrupt::Signals;
use crate::output::{Output, impossible, with_board};
use crate::pictures::{PaperArgs, StyleArgs};
use crate::tours::{Format, write_one};
use clap::Args;
use hippodrome::board::text_grid;
use hippodrome::draw::{self, Drawable, SheetFormat, SheetWriter, Style};
use hippodrome::lab::puzzle::{DEFAULT_NODES, Puzzle, PuzzleOutcome, PuzzleSearch};
use hippodrome::numerals::counted;
use hippodrome::problem::{Goal, Problem};
use serde_json::json;
use std::io::Write;

/// Make a puzzle: some numbers of a tour, and exactly one solution
#[derive(Args)]
#[command(
    after_help = "A complete search proves that there is one solution; its size in nodes is the difficulty.\n\nExample:\n  hippo puzzle 6x6 --clues 10 --seed 3 -o puzzle.pdf --solution solution.pdf"
)]
pub struct PuzzleCommand {
    #[command(flatten)]
    board: BoardArgs,
    /// Only closed tours are solutions
    #[arg(long, help_heading = "Puzzle")]
    closed: bool,
    /// Numbers given [default: as few as the first try leaves]
    #[arg(long, value_name = "N", value_parser = clues, allow_negative_numbers = true, help_heading = "Puzzle")]
    clues: Option<usize>,
    /// Search nodes after which to give up
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, default_value_t = DEFAULT_NODES, help_heading = "Puzzle")]
    nodes: u64,
    /// File to write instead of standard output: .svg, .pdf, .png, .txt or .json
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<String>,
    /// File for the solution: .svg, .pdf, .png, .txt or .json
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    solution: Option<String>,
    #[command(flatten)]
    paper: PaperArgs,
    #[command(flatten)]
    style: StyleArgs,
    /// Random seed; the same seed gives the same puzzle
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed, allow_negative_numbers = true, help_heading = COMMON)]
    seed: u64,
}

/// The board decides whether the number is possible.
fn clues(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "write a whole number, as in 8".into())
}

impl PuzzleCommand {
    /// Makes the puzzle, and writes it and its solution.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let goal = if self.closed { Goal::Closed } else { Goal::Open };
        let problem = Problem::new(self.board.graph()?, goal, None, None)?;
        let format = picture_format(self.output.as_deref(), mode)?;
        let solution_format =
            picture_format(self.solution.as_deref(), OutputMode { json: false, ..mode })?;
        if problem.graph().board().is_none() && format == Format::GRID {
            return Err(Fail::usage(
                "a graph is not a board and has no text; write a picture with -o puzzle.svg",
            ));
        }
        let mut out = Output::open(self.output.as_deref(), format.is_binary())?;
        let search =
            PuzzleSearch { problem, clues: self.clues, seed: self.seed, nodes: self.nodes };
        let (control, signals) = Signals::control();
        let puzzle = match search.run(&control)? {
            PuzzleOutcome::Made(puzzle) => puzzle,
            PuzzleOutcome::Impossible(finding) => {
                let object =
                    json!({ "schema": 1, "status": "impossible", "reason": finding.to_string() });
                let object = with_board(object, search.problem.graph());
                return impossible(finding, mode, object, out);
            }
            PuzzleOutcome::Limit { fewest } => {
                let reason = self.without_puzzle(&search, fewest);
                complain(&reason);
                if mode.json {
                    let object = json!({ "schema": 1, "status": "limit", "reason": reason, "fewest_clues": fewest });
                    writeln!(out, "{}", with_board(object, search.problem.graph()))?;
                    out.finish(mode)?;
                }
                return Ok(LIMIT);
            }
            PuzzleOutcome::Interrupted => {
                complain("interrupted");
                return Ok(signals.code());
            }
        };
        self.write(&puzzle, format, &mut out)?;
        out.finish(mode)?;
        if let Some(path) = &self.solution {
            let mut out = Output::open(Some(path), solution_format.is_binary())?;
            self.write_solution(&puzzle, solution_format, &mut out)?;
            out.finish(mode)?;
        }
        mode.remark(&format!(
            "{} with {}: one solution, proved in {} ({})",
            puzzle.graph(),
            counted(puzzle.clues.len() as u64, "clue"),
            counted(puzzle.search, "node"),
            puzzle.difficulty(),
        ));
        Ok(DONE)
    }

    /// Returns why there is no puzzle, and what to type instead.
    fn without_puzzle(&self, search: &PuzzleSearch, fewest: Option<usize>) -> String {
        let (graph, asked) = (search.problem.graph(), self.clues.unwrap_or(1));
        match fewest {
            Some(fewest) if fewest > asked => format!(
                "no puzzle of {graph} with {} was found in {}; {fewest} are enough: use --clues {fewest}, another --seed or more --nodes",
                counted(asked as u64, "clue"),
                counted(self.nodes, "node"),
            ),
            _ => format!("no tour of {graph} was found; try another --seed or another board"),
        }
    }

    fn write(&self, puzzle: &Puzzle, format: Format, out: &mut Output) -> Result<(), Fail> {
        let (graph, texts) = (puzzle.graph(), puzzle.texts());
        let style = self.style.style();
        if let Some(sheet) = self.sheet_format(format) {
            let mut writer = self.sheet(sheet, "Knight's tour puzzle", style, out)?;
            writer.add_board(graph, &texts, &puzzle.instructions())?;
            writer.finish()?;
            return Ok(());
        }
        let figure = Drawable::Board(graph, &texts);
        match format {
            Format::JSON => writeln!(out, "{}", puzzle.describe())?,
            Format::Svg => draw::svg(figure, &style, out)?,
            Format::Png => draw::png(figure, &style, out)?,
            _ => {
                let text = graph.board().map(|board| text_grid(board, &texts));
                out.write_all(text.unwrap_or_default().as_bytes())?;
            }
        }
        Ok(())
    }

    fn write_solution(
        &self,
        puzzle: &Puzzle,
        format: Format,
        out: &mut Output,
    ) -> Result<(), Fail> {
        let style = Style { numbers: true, ..self.style.style() };
        let tour = puzzle.solution.view();
        match self.sheet_format(format) {
            Some(sheet) => {
                let mut writer = self.sheet(sheet, "Solution", style, out)?;
                writer.add(&tour, 1)?;
                writer.finish()?;
                Ok(())
            }
            None => write_one(&tour, format, &style, out),
        }
    }

    /// Returns the format of the sheet if one is asked for; a PDF always is one.
    fn sheet_format(&self, format: Format) -> Option<SheetFormat> {
        format.of_sheet().filter(|&sheet| sheet == SheetFormat::Pdf || self.paper.is_given())
    }

    fn sheet<'a>(
        &self,
        format: SheetFormat,
        title: &str,
        style: Style,
        out: &'a mut Output,
    ) -> Result<SheetWriter<'a>, Fail> {
        let mut sheet = self.paper.sheet(Some(1), None, style)?;
        sheet.title = sheet.title.or_else(|| Some(title.into()));
        Ok(SheetWriter::new(sheet, format, out)?)
    }
}

/// Returns the format that the ending of a file names: text without one.
fn picture_format(output: Option<&str>, mode: OutputMode) -> Result<Format, Fail> {
    match Format::asked(None, output, mode)?.unwrap_or(Format::GRID) {
        Format::Gif => Err(Fail::usage(
            "a puzzle is not animated; end the name in .svg, .pdf, .png, .txt or .json",
        )),
        format => Ok(format),
    }
}
