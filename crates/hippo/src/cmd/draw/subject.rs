//! What `hippo draw` draws: tours, some of their numbers, or blank boards.

use super::Draw;
use crate::OutputMode;
use crate::cmd::convert::valid_tours;
use crate::fail::Fail;
use crate::graphs::load_graph;
use crate::ranges::Ranges;
use hippodrome::board::{Graph, Square, text_grid};
use hippodrome::tour::Tour;
use std::io::{self, BufRead, IsTerminal};

/// Most squares of a blank board as text.
const TEXT_SQUARES: usize = 1_000_000;

/// The figures to draw.
pub enum Subject {
    /// Tours with their numbers in the file.
    Tours(Vec<(u64, Tour)>),
    /// Boards with some numbers; at least one.
    Numbers(Vec<NumberedBoard>),
}

/// A board with some numbers.
pub struct NumberedBoard {
    pub graph: Graph,
    pub texts: Vec<(Square, String)>,
    /// The tour that the numbers are from, and its number in the file.
    pub tour: Option<(u64, Tour)>,
}

impl NumberedBoard {
    /// Returns the board as text.
    pub fn text(&self) -> Result<String, Fail> {
        let board = self.graph.board().ok_or_else(|| {
            Fail::usage(format!("{} is not a board and has no text; use --format svg", self.graph))
        })?;
        if board.len() > TEXT_SQUARES {
            return Err(Fail::usage(format!(
                "{} is too large for text; try a smaller board",
                self.graph
            )));
        }
        Ok(text_grid(board, &self.texts))
    }

    /// Shows some numbers of a tour.
    fn of(n: u64, tour: Tour, show: &Ranges) -> Result<NumberedBoard, Fail> {
        let (graph, order) = (tour.graph().clone(), tour.squares().len());
        let shown = |number: u64| {
            let square = tour.squares().get(number as usize - 1).ok_or_else(|| {
                Fail::usage(format!(
                    "there is no number {number} on {graph}; choose --show from 1 to {order}"
                ))
            })?;
            Ok((*square, number.to_string()))
        };
        let texts = show.iter().map(shown).collect::<Result<_, Fail>>()?;
        Ok(NumberedBoard { graph, texts, tour: Some((n, tour)) })
    }
}

impl Subject {
    /// Returns the number of figures.
    pub fn count(&self) -> usize {
        match self {
            Subject::Tours(tours) => tours.len(),
            Subject::Numbers(boards) => boards.len(),
        }
    }

    /// Returns whether the first figure has a board.
    pub fn has_board(&self) -> bool {
        let graph = match self {
            Subject::Tours(tours) => tours.first().map(|(_, tour)| tour.graph()),
            Subject::Numbers(boards) => boards.first().map(|board| &board.graph),
        };
        graph.is_some_and(|graph| graph.board().is_some())
    }
}

impl Draw {
    /// Reads what to draw.
    pub(super) fn subject(&self, mode: OutputMode) -> Result<Subject, Fail> {
        if let Some(copies) = self.blank_boards(mode)? {
            return Ok(Subject::Numbers(copies));
        }
        let tours = self.chosen(mode)?;
        match &self.show {
            None => Ok(Subject::Tours(tours)),
            Some(show) => {
                let boards = tours.into_iter().map(|(n, tour)| NumberedBoard::of(n, tour, show));
                Ok(Subject::Numbers(boards.collect::<Result<_, _>>()?))
            }
        }
    }

    /// Returns blank boards if they are asked for, or if a board is given and there are no tours to read.
    fn blank_boards(&self, mode: OutputMode) -> Result<Option<Vec<NumberedBoard>>, Fail> {
        let source = &self.source;
        let copies = match self.blank {
            Some(copies) => copies,
            None => {
                let named = source.board.is_some() || source.shape.mask.is_some();
                let wanted = source.file.is_none() && named && source.from.is_none();
                if !wanted || !(io::stdin().is_terminal() || is_empty(&mut io::stdin().lock())?) {
                    return Ok(None);
                }
                if self.show.is_some() || self.tours.is_some() {
                    return Err(Fail::usage(
                        "there is no tour on standard input; give a FILE of tours",
                    ));
                }
                mode.remark("no tour is given: drawing a blank board");
                1
            }
        };
        let graph = match &source.graph {
            Some(graph) => load_graph(graph, source.format.graph_format)?,
            None => {
                let board = source.shape.board(source.board.as_deref())?.ok_or_else(|| {
                    Fail::usage("no board is given; write --board ROWSxCOLS, as in --board 5x5")
                })?;
                Graph::leaper(board, source.shape.piece()?)
            }
        };
        let blank = || NumberedBoard { graph: graph.clone(), texts: Vec::new(), tour: None };
        Ok(Some((0..copies).map(|_| blank()).collect()))
    }

    /// Reads the chosen tours.
    fn chosen(&self, mode: OutputMode) -> Result<Vec<(u64, Tour)>, Fail> {
        let tours = valid_tours(&self.source)?;
        let (count, name) = (tours.len(), self.source.name());
        let missing = |n: u64, option: &str| {
            Fail::usage(format!(
                "there is no tour {n} in {name}, which contains {count}; choose {option} from 1 to {count}"
            ))
        };
        let all = (1..).zip(tours);
        let Some(chosen) = &self.tours else {
            if count > 1 && self.tour == 1 {
                mode.remark(&format!(
                    "drawing the first of {count} tours; --tour N draws another, --tours 1-{count} all"
                ));
            }
            let one = all.skip(self.tour as usize - 1).take(1).collect::<Vec<_>>();
            return if one.is_empty() { Err(missing(self.tour, "--tour")) } else { Ok(one) };
        };
        if chosen.last() > count as u64 {
            return Err(missing(chosen.last(), "--tours"));
        }
        let tours: Vec<(u64, Tour)> = all.collect();
        Ok(chosen.iter().map(|n| tours[n as usize - 1].clone()).collect())
    }
}

/// Returns whether a stream has ended; consumes nothing.
fn is_empty(input: &mut dyn BufRead) -> Result<bool, Fail> {
    match input.fill_buf() {
        Ok(bytes) => Ok(bytes.is_empty()),
        Err(error) => Err(Fail::file("read", "standard input", &error)),
    }
}
