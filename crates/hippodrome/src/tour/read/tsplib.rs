//! Reads TSPLIB tour files: keywords, then the numbers of the vertices, ended by -1.
//!
//! Comments in the format of our writer specify board, holes and leaper. Squares are numbered as in
//! [`Numbering`], from 1 and without the holes; if a list has larger numbers, holes are assumed to
//! be numbered, too. A file may contain several tours.

use super::ground::{Ground, Said, smallest};
use super::reading::Form;
use super::source::TextSource;
use super::{Queue, ReadError, ReadFault, claim_at};
use crate::board::graph_file::{Numbering, keyword, shorten};
use crate::board::{Graph, Square};
use thiserror::Error;

/// Errors in a TSPLIB tour file.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum TsplibFault {
    /// Another type of file.
    #[error("TYPE is {0}; give a file that says TYPE : TOUR")]
    Type(String),
    /// Not a number where a number is expected.
    #[error("'{0}' is not a vertex number; list numbers from 1 after TOUR_SECTION, then -1")]
    Number(String),
    /// A number beyond the graph.
    #[error("step {step}: {number} is not a vertex of {graph}; its numbers run from 1 to {last}")]
    Beyond {
        /// Position in the list, from 1.
        step: usize,
        /// The number.
        number: u64,
        /// The graph.
        graph: String,
        /// The highest number.
        last: usize,
    },
    /// A file without a tour.
    #[error("there is no TOUR_SECTION; list the vertex numbers after one, then -1")]
    NoSection,
}

/// The state of reading a file.
#[derive(Default)]
pub(super) struct TsplibReader {
    /// Line of its first keyword; 0 before.
    line: usize,
    said: Said,
    section: bool,
    numbers: Vec<u64>,
    fault: Option<ReadError>,
    /// Number of tours and errors reported so far.
    reported: usize,
}

impl TsplibReader {
    /// Reads a piece. Returns whether there may be more.
    pub(super) fn advance(
        &mut self,
        source: &mut TextSource<'_>,
        ground: &mut Ground<'_>,
        queue: &mut Queue,
    ) -> Result<bool, ReadError> {
        let Some(piece) = source.next()? else {
            self.end(ground, queue);
            return Ok(false);
        };
        let line = piece.line;
        if piece.text.trim().is_empty() {
            return Ok(true);
        }
        match keyword(&piece.text) {
            Some(("EOF", _)) => self.end(ground, queue),
            Some((word, value)) => {
                if self.section || word == "NAME" {
                    self.end(ground, queue);
                }
                self.line = if self.line == 0 { line } else { self.line };
                self.header(line, word, value);
            }
            None => {
                for word in piece.text.split_whitespace() {
                    self.line = if self.line == 0 { line } else { self.line };
                    match word.parse() {
                        Ok(number) if self.section => self.numbers.push(number),
                        _ if self.section && word == "-1" => self.tour(ground, queue),
                        _ => self.fail(line, TsplibFault::Number(shorten(word))),
                    }
                }
            }
        }
        Ok(true)
    }

    fn fail(&mut self, line: usize, fault: TsplibFault) {
        self.fault.get_or_insert(ReadError { line, fault: fault.into() });
    }

    fn header(&mut self, line: usize, word: &str, value: &str) {
        match word {
            "TYPE" if value.split_whitespace().next() != Some("TOUR") => {
                self.fail(line, TsplibFault::Type(shorten(value)));
            }
            "TOUR_SECTION" => self.section = true,
            "COMMENT" => match value.split_once(' ') {
                Some(("board", board)) => self.said.board = Some(board.to_string()),
                Some(("holes", holes)) => {
                    let holes = holes.split(',').map(|hole| hole.trim().to_string());
                    self.said.holes.get_or_insert_default().extend(holes);
                }
                Some(("leaper", leaper)) => self.said.leaper = Some(leaper.to_string()),
                Some(("graph", graph)) => self.said.graph = Some(graph.to_string()),
                _ => {}
            },
            _ => {}
        }
    }

    /// Reports the collected numbers as a tour; a single -1 ends a section without a tour.
    fn tour(&mut self, ground: &mut Ground<'_>, queue: &mut Queue) {
        let numbers = std::mem::take(&mut self.numbers);
        if let Some(fault) = self.fault.take() {
            queue.push_back(Err(fault));
        } else if !numbers.is_empty() {
            queue.push_back(claim_at(
                self.line,
                Form::Tsplib,
                squares(&numbers, &self.said, ground),
            ));
        } else {
            return;
        }
        self.reported += 1;
        self.line = 0;
    }

    /// Ends the file; the -1 after the last tour is optional.
    fn end(&mut self, ground: &mut Ground<'_>, queue: &mut Queue) {
        self.tour(ground, queue);
        if self.line > 0 && self.reported == 0 {
            let fault =
                if self.section { ReadFault::Nothing } else { TsplibFault::NoSection.into() };
            queue.push_back(Err(ReadError { line: self.line, fault }));
        }
        *self = TsplibReader::default();
    }
}

fn squares(
    numbers: &[u64],
    said: &Said,
    ground: &mut Ground<'_>,
) -> Result<(Graph, Vec<Square>), ReadFault> {
    ground.agree_on_file(said)?;
    let highest = numbers.iter().copied().max().unwrap_or(0);
    let graph = match (ground.file(), ground.board(said, numbers.len())?) {
        (Some(graph), _) => graph.clone(),
        (None, Some(board)) => ground.graph(board, said)?,
        (None, None) => {
            let side = u32::try_from(highest.isqrt()).unwrap_or(u32::MAX);
            let side = side.saturating_add(u32::from(u64::from(side).pow(2) < highest));
            ground.graph(smallest(numbers.len(), side)?, said)?
        }
    };
    let numbering = Numbering::new(&graph);
    let with_holes = highest > graph.order() as u64 && highest <= graph.len() as u64;
    let last = if with_holes { graph.len() } else { graph.order() };
    let square = |(step, &number): (usize, &u64)| {
        let square = match number.checked_sub(1) {
            Some(counted) if with_holes => Some(Square::new(counted as u32)),
            _ => numbering.vertex(number),
        };
        let beyond = || TsplibFault::Beyond { step, number, graph: graph.to_string(), last };
        square.ok_or_else(beyond)
    };
    let squares = (1..).zip(numbers).map(square).collect::<Result<_, _>>()?;
    Ok((graph, squares))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tour::read::Claims;
    use crate::tour::{Hints, read_tours};

    fn read(text: &str) -> Claims {
        read_tours(text, &Hints::default())
    }

    #[test]
    fn one_file_may_hold_several_tours() {
        let text = "NAME : x\nTYPE : TOUR\nTOUR_SECTION\n1 2\n3\n-1\n4 3\n-1\n-1\nEOF\nTYPE:TOUR\nTOUR_SECTION\n9\n";
        let tours: Vec<_> = read(text).into_iter().map(|c| c.unwrap()).collect();
        let number = |squares: Vec<Square>| squares.iter().map(|s| s.number()).collect::<Vec<_>>();
        let tours: Vec<_> = tours.into_iter().map(|c| (c.line, number(c.squares))).collect();
        assert_eq!(tours, [(1, vec![0, 1, 2]), (7, vec![3, 2]), (11, vec![8])]);
    }

    #[test]
    fn holes_may_be_counted_or_not() {
        let head = "TYPE : TOUR\nCOMMENT : board 2x3\nCOMMENT : holes b1\nTOUR_SECTION\n";
        for numbers in ["1 5 2 3 4", "1 6 3 4 5"] {
            let claim = read(&format!("{head}{numbers}\n-1\n")).remove(0).unwrap();
            assert_eq!(claim.squares, [0, 5, 2, 3, 4].map(Square::new), "{numbers}");
            assert_eq!(claim.graph.to_string(), "2x3 with 1 hole");
        }
    }

    #[test]
    fn faults_name_their_line_and_the_next_file_is_read() {
        let good = "NAME : y\nTYPE : TOUR\nTOUR_SECTION\n1\n-1\nEOF\n";
        let board = "NAME : x\nTYPE : TOUR\nCOMMENT : board 2x2\nTOUR_SECTION\n";
        let cases = [
            ("NAME : x\nTYPE : HCP\n".to_string(), 2, "TYPE is HCP"),
            ("NAME : x\nTYPE : TOUR\nEOF\n".to_string(), 1, "no TOUR_SECTION"),
            (format!("{board}1\n2 x\n-1\nEOF\n"), 6, "'x' is not a vertex number"),
            (format!("{board}1 5\n-1\nEOF\n"), 1, "step 2: 5 is not a vertex of 2x2"),
            (format!("{board}0\n-1\nEOF\n"), 1, "step 1: 0 is not a vertex"),
            (format!("{board}-1\nEOF\n"), 1, "no tour here"),
            ("NAME : x\nTOUR_SECTION\n1 18446744073709551615\n-1\n".to_string(), 1, "too"),
        ];
        for (text, line, part) in cases {
            let claims = read(&format!("{text}{good}"));
            let error = claims[0].as_ref().unwrap_err();
            assert_eq!(error.line, line, "{text}: {error}");
            assert!(error.to_string().contains(part), "{error}");
            assert_eq!(claims[1].as_ref().unwrap().squares, [Square::new(0)], "{text}");
            assert_eq!(claims.len(), 2, "{text}");
        }
    }
}
