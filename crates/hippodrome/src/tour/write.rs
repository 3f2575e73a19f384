//! Writes tours as text.
//!
//! A tour may have 10^8 squares, so the output goes through one buffer that is flushed in pieces, and
//! no square needs an allocation. A grid needs the time of every square at once: 4 bytes per square.
//! TSPLIB files number squares like [`Numbering`] and record the board in comments.

use super::{GridOrigin, Notation, NotationError, Verified};
use crate::board::graph_file::{Numbering, write_origin};
use crate::board::{Board, Graph, Square};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Length above which the buffer is flushed.
const PIECE: usize = 1 << 16;

/// Writes tours one after another in one notation; grids and tables are separated by a blank line.
pub struct TourWriter<'w> {
    notation: Notation,
    out: Pieces<'w>,
    times: Vec<u32>,
    started: bool,
}

/// What surrounds the numbers of a grid.
struct GridMarks {
    between: &'static [u8],
    end: &'static [u8],
    hole: &'static [u8],
    aligned: bool,
    one_line: bool,
}

const GRID: GridMarks =
    GridMarks { between: b" ", end: b"\n", hole: b"#", aligned: true, one_line: false };
const CSV: GridMarks = GridMarks { between: b",", aligned: false, ..GRID };
const NUMBERS: GridMarks = GridMarks { aligned: false, one_line: true, ..GRID };
const LATEX: GridMarks = GridMarks { between: b" & ", end: b" \\\\\n", hole: b"\\#", ..GRID };

/// Buffered output.
struct Pieces<'w> {
    out: &'w mut dyn Write,
    buffer: Vec<u8>,
}

/// Writes one tour; see [`TourWriter`] for many.
pub fn write_tour(
    tour: &Verified<'_>,
    notation: Notation,
    out: &mut dyn Write,
) -> Result<(), NotationError> {
    TourWriter::new(notation, out).write(tour)
}

impl<'w> TourWriter<'w> {
    /// Creates a writer.
    pub fn new(notation: Notation, out: &'w mut dyn Write) -> TourWriter<'w> {
        let out = Pieces { out, buffer: Vec::new() };
        TourWriter { notation, out, times: Vec::new(), started: false }
    }

    /// Writes one tour as complete lines and flushes the buffer.
    pub fn write(&mut self, tour: &Verified<'_>) -> Result<(), NotationError> {
        self.notation.supports(tour.graph())?;
        match (self.notation, tour.graph().board()) {
            (Notation::Grid, Some(board)) => self.grid(tour, board, &GRID)?,
            (Notation::Csv, Some(board)) => self.grid(tour, board, &CSV)?,
            (Notation::Latex, Some(board)) => self.latex(tour, board)?,
            (Notation::Numbers, Some(board)) => self.grid(tour, board, &NUMBERS)?,
            (Notation::Coords, Some(board)) => self.coords(tour, board)?,
            (Notation::Digits, Some(_)) => self.out.digits(tour)?,
            (Notation::Json, _) => self.out.json(tour)?,
            (Notation::Tsplib, _) => self.out.tsplib(tour)?,
            _ => self.out.moves(tour)?,
        }
        self.started = true;
        Ok(self.out.hand_on()?)
    }

    fn grid(&mut self, tour: &Verified<'_>, board: &Board, marks: &GridMarks) -> io::Result<()> {
        tour.times_into(&mut self.times);
        if self.started && !marks.one_line {
            self.out.buffer.push(b'\n');
        }
        let width = if marks.aligned { tour.squares().len().to_string().len() } else { 1 };
        for row in (0..board.rows()).rev() {
            for col in 0..board.cols() {
                if col > 0 {
                    self.out.buffer.extend(marks.between);
                }
                match self.times[board.at(row, col).index()] {
                    0 => {
                        self.out.buffer.extend((marks.hole.len()..width).map(|_| b' '));
                        self.out.buffer.extend(marks.hole);
                    }
                    time => push_number(&mut self.out.buffer, u64::from(time), width),
                }
                self.out.relieve()?;
            }
            self.out.buffer.extend(if marks.one_line && row > 0 { b" " } else { marks.end });
        }
        Ok(())
    }

    fn latex(&mut self, tour: &Verified<'_>, board: &Board) -> io::Result<()> {
        let started = std::mem::take(&mut self.started);
        if started {
            self.out.buffer.push(b'\n');
        }
        writeln!(self.out.buffer, "\\begin{{tabular}}{{*{{{}}}{{r}}}}", board.cols())?;
        self.grid(tour, board, &LATEX)?;
        self.out.buffer.extend(b"\\end{tabular}\n");
        Ok(())
    }

    /// Writes coordinates from [`GridOrigin::WRITTEN`], which a comment states.
    fn coords(&mut self, tour: &Verified<'_>, board: &Board) -> io::Result<()> {
        let buffer = &mut self.out.buffer;
        if !self.started {
            writeln!(buffer, "# origin {}", GridOrigin::WRITTEN)?;
        }
        for (index, &square) in tour.squares().iter().enumerate() {
            let buffer = &mut self.out.buffer;
            buffer.extend_from_slice(if index > 0 { b" (" } else { b"(" });
            push_number(buffer, u64::from(board.rows() - 1 - board.row(square)), 1);
            buffer.push(b',');
            push_number(buffer, u64::from(board.col(square)), 1);
            buffer.push(b')');
            self.out.relieve()?;
        }
        self.out.buffer.push(b'\n');
        Ok(())
    }
}

impl Pieces<'_> {
    fn hand_on(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    #[inline]
    fn relieve(&mut self) -> io::Result<()> {
        if self.buffer.len() < PIECE { Ok(()) } else { self.hand_on() }
    }

    fn moves(&mut self, tour: &Verified<'_>) -> io::Result<()> {
        for (index, &square) in tour.squares().iter().enumerate() {
            if index > 0 {
                self.buffer.push(b' ');
            }
            push_name(&mut self.buffer, tour.graph(), square);
            self.relieve()?;
        }
        self.buffer.push(b'\n');
        Ok(())
    }

    fn digits(&mut self, tour: &Verified<'_>) -> io::Result<()> {
        let (graph, squares) = (tour.graph(), tour.squares());
        push_name(&mut self.buffer, graph, squares[0]);
        if squares.len() > 1 {
            self.buffer.push(b' ');
        }
        let digit = |from, to| b'0' + graph.code(from, to).unwrap_or(0) as u8;
        for pair in squares.windows(2) {
            self.buffer.push(digit(pair[0], pair[1]));
            self.relieve()?;
        }
        if tour.is_closed() {
            self.buffer.push(digit(squares[squares.len() - 1], squares[0]));
        }
        self.buffer.push(b'\n');
        Ok(())
    }

    /// Writes the object of [`tour_json`] without building it.
    fn json(&mut self, tour: &Verified<'_>) -> io::Result<()> {
        let graph = tour.graph();
        self.buffer.push(b'{');
        match (graph.board(), graph.piece()) {
            (Some(board), Some(piece)) => {
                write!(self.buffer, "\"board\":\"{}\",", board.shape())?;
                if !board.is_full() {
                    self.names("holes", graph, board.holes())?;
                    self.buffer.push(b',');
                }
                if !piece.is_knight() {
                    write!(self.buffer, "\"leaper\":\"{piece}\",")?;
                }
            }
            _ => {
                self.buffer.extend(b"\"graph\":");
                serde_json::to_writer(&mut self.buffer, &graph.to_string())?;
                self.buffer.push(b',');
            }
        }
        write!(self.buffer, "\"closed\":{},\"schema\":1,", tour.is_closed())?;
        self.names("squares", graph, tour.squares().iter().copied())?;
        self.buffer.extend(b",\"type\":\"tour\"}\n");
        Ok(())
    }

    fn names(
        &mut self,
        key: &str,
        graph: &Graph,
        squares: impl Iterator<Item = Square>,
    ) -> io::Result<()> {
        write!(self.buffer, "\"{key}\":")?;
        let mut before = b'[';
        for square in squares {
            self.buffer.push(before);
            before = b',';
            match graph {
                Graph::File(file) => {
                    let name = file.names().get(square.index()).map_or("", String::as_str);
                    serde_json::to_writer(&mut self.buffer, name)?;
                }
                Graph::Leaper(_) => {
                    self.buffer.push(b'"');
                    push_name(&mut self.buffer, graph, square);
                    self.buffer.push(b'"');
                }
            }
            self.relieve()?;
        }
        self.buffer.push(b']');
        Ok(())
    }

    fn tsplib(&mut self, tour: &Verified<'_>) -> io::Result<()> {
        let graph = tour.graph();
        write_origin(graph, "tour", &mut self.buffer)?;
        write!(self.buffer, "TYPE : TOUR\nDIMENSION : {}\nTOUR_SECTION\n", graph.order())?;
        let numbering = Numbering::new(graph);
        for &square in tour.squares() {
            push_number(&mut self.buffer, numbering.number(square), 1);
            self.buffer.push(b'\n');
            self.relieve()?;
        }
        self.buffer.extend(b"-1\nEOF\n");
        Ok(())
    }
}

/// Appends a number, right-aligned in `width` columns.
pub(crate) fn push_number(buffer: &mut Vec<u8>, number: u64, width: usize) {
    let mut digits = [b' '; 20];
    let (mut at, mut rest) = (20, number);
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    buffer.extend_from_slice(&digits[at.min(20 - width.min(20))..]);
}

/// Appends the name of a square, as returned by [`Graph::name`].
fn push_name(buffer: &mut Vec<u8>, graph: &Graph, square: Square) {
    match graph {
        Graph::Leaper(_) => {
            let Some(board) = graph.board() else { return };
            let mut letters = [0; 8];
            let (mut at, mut rest) = (8, Some(board.col(square)));
            while let Some(col) = rest {
                at -= 1;
                letters[at] = b'a' + (col % 26) as u8;
                rest = (col / 26).checked_sub(1);
            }
            buffer.extend_from_slice(&letters[at..]);
            push_number(buffer, u64::from(board.row(square)) + 1, 1);
        }
        Graph::File(file) => {
            buffer.extend(file.names().get(square.index()).map_or("", String::as_str).bytes());
        }
    }
}

/// Returns the tour as a JSON object that can be read back: board or graph, holes and leaper if
/// needed, whether it is closed, and the names of its squares.
pub fn tour_json(tour: &Verified<'_>) -> Value {
    let graph = tour.graph();
    let squares: Vec<String> = tour.squares().iter().map(|&s| graph.name(s)).collect();
    let mut object = json!({
        "schema": 1, "type": "tour", "closed": tour.is_closed(), "squares": squares,
    });
    graph.describe_in(&mut object);
    object
}
