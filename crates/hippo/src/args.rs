//! Arguments that several commands share.

use crate::fail::Fail;
use crate::graphs::load_graph;
use crate::remedy::quoted;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hippodrome::board::graph_format::GraphFormat;
use hippodrome::board::{Board, BoardError, Graph, Leaper};
use hippodrome::problem::{Goal, Problem};
use hippodrome::search::{Budget, cores, number};
use hippodrome::solvers::registry::Choice;
use std::fs;
use std::time::Duration;

/// Help heading of the options that most commands share.
pub const COMMON: &str = "Common options";
/// Help heading of the options that limit a run.
pub const BUDGET: &str = "Budget (the first limit reached ends the run)";

/// The board that a command works on.
#[derive(Args)]
pub struct BoardArgs {
    /// Rows x columns, rows first: 8x8, 5x6, 3x10
    #[arg(value_name = "BOARD", help_heading = None::<&str>)]
    pub board: Option<String>,
    #[command(flatten)]
    pub shape: ShapeArgs,
    /// Graph instead of a board: a file, - or a generator such as cube:8
    #[arg(long, value_name = "GRAPH", help_heading = "Board", conflicts_with_all = ["holes", "mask", "leaper"])]
    pub graph: Option<String>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// The format of a graph file.
#[derive(Args)]
pub struct FormatArgs {
    /// Format of the graph file, as in csv, dot, graphml [default: detected]
    #[arg(long, value_name = "NAME", help_heading = "Board", requires = "graph")]
    pub graph_format: Option<GraphFormat>,
}

/// The holes of the board, and the piece that moves on it.
#[derive(Args)]
#[command(next_help_heading = "Board")]
pub struct ShapeArgs {
    /// Missing squares, as in c3,d4
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    pub holes: Vec<String>,
    /// Text file, one line per row from the top: '.' is a square, '#' a hole
    #[arg(long, value_name = "FILE")]
    pub mask: Option<String>,
    /// Piece, as A,B; join several with +, as in 1,2+0,1
    #[arg(long, value_name = "A,B", default_value = "1,2")]
    pub leaper: String,
}

/// Reads a text file.
pub fn read_file(path: &str) -> Result<String, Fail> {
    fs::read_to_string(path).map_err(|e| Fail::file("read", path, &e))
}

/// Parses a board. If the text is invalid, the error suggests the board or option that was probably meant.
fn parse_board(text: &str) -> Result<Board, Fail> {
    Board::parse(text).map_err(|error| {
        let near = intended_board(text).filter(|near| !near.eq_ignore_ascii_case(text));
        match near.or_else(|| file_option(text)) {
            Some(near) => Fail::usage(format!("'{text}' is not a board; did you mean {near}?")),
            None => error.into(),
        }
    })
}

/// Returns the board, as in `8x8`, that a text such as `8`, `8 8`, `8*8` or `8 by 8` probably means.
pub fn intended_board(text: &str) -> Option<String> {
    let is_digit = |c: char| c.is_ascii_digit();
    let between = text.trim_matches(is_digit);
    let sides: Vec<&str> = text.split(|c: char| !is_digit(c)).filter(|s| !s.is_empty()).collect();
    match sides[..] {
        [side] if side == text && side != "0" => Some(format!("{side}x{side}")),
        [rows, cols] if [" ", "x", "X", " x ", "*", "×", ",", ", ", " by "].contains(&between) => {
            Some(format!("{rows}x{cols}"))
        }
        _ => None,
    }
}

/// Returns the option that takes this file, if a file was given in place of a board.
fn file_option(text: &str) -> Option<String> {
    let path = std::path::Path::new(text);
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let known = [
        "hcp", "tsp", "g6", "s6", "graph", "edges", "edgelist", "adjlist", "txt", "csv", "tsv",
        "dot", "gv", "gml", "graphml", "json", "col", "mask",
    ];
    if !path.is_file() && !known.contains(&&*extension) {
        return None;
    }
    let mask =
        || fs::read_to_string(path).is_ok_and(|t| t.trim().chars().all(|c| ".#\r\n".contains(c)));
    let option = if extension == "mask" || mask() { "--mask" } else { "--graph" };
    Some(format!("{option} {}", quoted(text)))
}

impl ShapeArgs {
    /// Returns the board with its holes, or `None` if neither a board nor a mask is given.
    pub fn board(&self, text: Option<&str>) -> Result<Option<Board>, Fail> {
        let mut board = text.map(parse_board).transpose()?;
        if let Some(path) = &self.mask {
            let masked = Board::from_mask(&read_file(path)?).map_err(|e| match e {
                BoardError::Empty(_) => Fail::run_time(format!(
                    "mask file {path} is empty; write one line per row, '.' for a square and '#' for a hole"
                )),
                e => Fail::run_time(format!("mask file {path}: {e}")),
            })?;
            if let Some(given) = board.filter(|b| b.shape() != masked.shape()) {
                let (mask, board) = (masked.shape(), given.shape());
                return Err(BoardError::MaskShape { mask, board }.into());
            }
            board = Some(masked);
        }
        match board {
            Some(board) if !self.holes.is_empty() => {
                let holes = self.holes.iter().map(|name| board.place(name.trim()));
                Ok(Some(board.with_holes(holes.collect::<Result<Vec<_>, _>>()?)?))
            }
            None if !self.holes.is_empty() => {
                Err(Fail::usage("--holes needs a board; give one, as in 8x8"))
            }
            board => Ok(board),
        }
    }

    /// Returns the piece.
    pub fn piece(&self) -> Result<Leaper, Fail> {
        Ok(self.leaper.parse()?)
    }
}

impl BoardArgs {
    /// Returns the graph given by `--graph`, or the graph of the board.
    pub fn graph(&self) -> Result<Graph, Fail> {
        if let Some(path) = &self.graph {
            if let Some(board) = &self.board {
                return Err(Fail::usage(format!(
                    "both board {board} and --graph {path} are given; leave one out"
                )));
            }
            return load_graph(path, self.format.graph_format);
        }
        match self.shape.board(self.board.as_deref())? {
            Some(board) => Ok(Graph::leaper(board, self.shape.piece()?)),
            None => Err(Fail::usage(
                "no board is given; write ROWSxCOLS, as in 8x8, or give --mask or --graph",
            )),
        }
    }
}

/// The kind of tour to look for, and the board.
#[derive(Args)]
pub struct ProblemArgs {
    /// Closed tours only: the last square attacks the first
    #[arg(long, help_heading = "Tour")]
    pub closed: bool,
    /// First square (or vertex)
    #[arg(long, value_name = "SQ", help_heading = "Tour")]
    pub start: Option<String>,
    /// Last square (or vertex)
    #[arg(long, value_name = "SQ", help_heading = "Tour")]
    pub end: Option<String>,
    #[command(flatten)]
    pub board: BoardArgs,
}

impl ProblemArgs {
    /// Returns the problem that the arguments describe.
    pub fn problem(&self) -> Result<Problem, Fail> {
        self.on(self.board.graph()?)
    }

    /// Returns the problem that the arguments describe, on the given graph.
    pub fn on(&self, graph: Graph) -> Result<Problem, Fail> {
        let vertex = |name: &Option<String>| name.as_ref().map(|n| graph.vertex(n)).transpose();
        let (start, end) = (vertex(&self.start)?, vertex(&self.end)?);
        let goal = if self.closed { Goal::Closed } else { Goal::Open };
        Ok(Problem::new(graph, goal, start, end)?)
    }
}

/// The limits of a run.
#[derive(Args)]
#[command(next_help_heading = BUDGET)]
pub struct BudgetArgs {
    /// Time, as in 30s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration, allow_negative_numbers = true)]
    pub time: Option<Duration>,
    /// Total attempts, split evenly over the start squares, as in 20k, 1M
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub attempts: Option<u64>,
    /// Attempts from each start square
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub attempts_per_start: Option<u64>,
    /// Total moves
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub moves: Option<u64>,
}

impl BudgetArgs {
    /// Returns the budget, with an optional limit on distinct tours.
    pub fn budget(&self, tours: Option<u64>) -> Budget {
        let BudgetArgs { attempts, attempts_per_start, moves, time } = *self;
        Budget { attempts, attempts_per_start, tours, moves, time }
    }
}

/// The random seed and the number of threads.
#[derive(Args)]
#[command(next_help_heading = COMMON)]
pub struct WorkArgs {
    /// Random seed; the same seed gives the same result
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed, allow_negative_numbers = true)]
    pub seed: u64,
    #[command(flatten)]
    threads: ThreadArgs,
}

impl WorkArgs {
    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.threads.get()
    }
}

/// The number of threads.
#[derive(Args, Clone, Copy, Default)]
#[command(next_help_heading = COMMON)]
pub struct ThreadArgs {
    /// Threads; the result does not depend on them [default: all cores]
    #[arg(long, value_name = "N", value_parser = |n: &str| within(n, 1, 1024), allow_negative_numbers = true)]
    threads: Option<u64>,
}

impl ThreadArgs {
    /// Returns the number of threads.
    pub fn get(self) -> usize {
        self.threads.map_or_else(cores, |n| n as usize)
    }
}

/// Finds a solver by name. Its parameters come from `--param`, or from a name of the form `name:param=value`.
pub fn choose(solver: &str, params: &[String]) -> Result<Choice, Fail> {
    let (name, all) = named(solver, params);
    Ok(Choice::new(name, &all)?)
}

/// Returns the name of a solver and its parameters, as typed.
pub fn named<'a>(solver: &'a str, params: &'a [String]) -> (&'a str, Vec<&'a str>) {
    let mut parts = solver.split(':');
    let name = parts.next().unwrap_or(solver);
    (name, parts.chain(params.iter().map(String::as_str)).collect())
}

/// Returns a parser that accepts the words in a table with rows of the form (word, value, meaning).
pub fn one_of<T: Copy + Send + Sync + 'static>(
    table: &'static [(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let words = table.iter().map(|(word, _, help)| PossibleValue::new(*word).help(*help));
    PossibleValuesParser::new(words)
        .map(move |word| table.iter().find(|row| row.0 == word).map_or(table[0].1, |row| row.1))
}

/// Parses a whole number with an optional suffix, as in 20k or 1M.
pub fn whole(text: &str) -> Result<u64, String> {
    match number(text) {
        Some(0) => Err("write a number of at least 1, such as 1000, 20k or 172.8M".into()),
        Some(n) => Ok(n),
        None => Err("write a whole number, such as 1000, 20k or 172.8M".into()),
    }
}

/// Parses a whole number from `least` to `most`, both included.
pub fn within(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let value = number(text).filter(|n| (least..=most).contains(n));
    value.ok_or_else(|| format!("write a whole number from {least} to {most}"))
}

/// Parses a seed.
pub fn seed(text: &str) -> Result<u64, String> {
    number(text).ok_or_else(|| "write a whole number of at least 0, such as 42".into())
}

/// Parses a number of bytes such as `512M` or `2G`; suffixes are powers of 1024.
pub fn bytes(text: &str) -> Result<usize, String> {
    let text = text.trim_end_matches('B').trim_end_matches('i');
    let (digits, shift) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 10),
        Some((at, 'M')) => (&text[..at], 20),
        Some((at, 'G')) => (&text[..at], 30),
        _ => (text, 0),
    };
    let value = digits.parse::<f64>().ok().filter(|v| (0.0..1e15).contains(v));
    value
        .map(|v| (v * (1u64 << shift) as f64) as usize)
        .ok_or_else(|| "write an amount of memory, as in 512M or 2G".into())
}

fn duration(text: &str) -> Result<Duration, String> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let scale = match &text[unit..] {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let value = text[..unit].parse::<f64>().unwrap_or(f64::NAN) * scale;
    if value > 0.0 && value < 1e9 {
        Ok(Duration::from_secs_f64(value))
    } else {
        Err("write a time, as in 30s, 500ms, 5m or 1h".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_guessed_from_other_ways_to_write_them() {
        for text in ["8x9", "8 9", "8*9", "8×9", "8,9", "8 by 9", "8 x 9"] {
            assert_eq!(intended_board(text).as_deref(), Some("8x9"), "{text}");
        }
        assert_eq!(intended_board("8").as_deref(), Some("8x8"));
        for text in ["", "0", "x", "8x", "5 x", "8x8x8", "4x-3", "eight", "a1"] {
            assert_eq!(intended_board(text), None, "{text}");
        }
        assert_eq!(file_option("petersen.hcp").as_deref(), Some("--graph petersen.hcp"));
        assert_eq!(file_option("my ring.mask").as_deref(), Some("--mask 'my ring.mask'"));
        assert_eq!(file_option("eight"), None);
    }

    #[test]
    fn amounts_are_read_as_people_write_them() {
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(bytes("2G"), Ok(2 << 30));
        assert_eq!(bytes("1.5KiB"), Ok(1536));
        for wrong in ["", "s", "-3s", "5 days", "1e99h", "nan"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert!(bytes("many").is_err() && whole("0").is_err() && whole("x").is_err());
    }
}
