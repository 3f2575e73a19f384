//! Determines the graph of a tour that is read: from its text, from the hints, or the smallest square
//! board that fits.

use super::reading::failing_step;
use super::{Hints, ReadFault};
use crate::board::graph_file::shorten;
use crate::board::{Board, BoardError, Graph, Leaper, Square, VertexError};
use crate::tour::Verifier;
use std::borrow::Cow;
use std::collections::HashMap;

/// Maximum squares of a board from a text, unless the tour visits a large part of it.
const VAST: usize = 1 << 22;

/// The information in the text of a tour besides its squares.
#[derive(Clone, Default)]
pub(super) struct Said {
    pub(super) board: Option<String>,
    pub(super) holes: Option<Vec<String>>,
    pub(super) leaper: Option<String>,
    pub(super) graph: Option<String>,
}

/// The hints, prepared for name lookups.
pub(super) struct Ground<'h> {
    board: Option<&'h Board>,
    leaper: Option<&'h Leaper>,
    file: Option<(&'h Graph, HashMap<&'h str, Square>)>,
    /// The board of the last tour; the next tour usually has the same.
    last: Option<Graph>,
    verifier: Option<(Graph, Verifier)>,
}

impl<'h> Ground<'h> {
    pub(super) fn new(hints: &'h Hints) -> Ground<'h> {
        let graph = hints.graph.as_ref();
        let file = match graph {
            Some(graph @ Graph::File(csr)) => Some((
                graph,
                csr.names().iter().map(String::as_str).zip((0..).map(Square::new)).collect(),
            )),
            _ => None,
        };
        Ground {
            board: graph.and_then(Graph::board).or(hints.board.as_ref()),
            leaper: graph.and_then(Graph::piece).or(hints.leaper.as_ref()),
            file,
            last: None,
            verifier: None,
        }
    }

    /// Returns whether a list is a closed tour, or the step before the one at which it fails.
    pub(super) fn progress(&mut self, graph: &Graph, squares: &[Square]) -> Result<bool, usize> {
        if !self.verifier.as_ref().is_some_and(|(known, _)| known.is(graph)) {
            self.verifier = None;
        }
        let new = || (graph.clone(), Verifier::new(graph));
        let (_, verifier) = self.verifier.get_or_insert_with(new);
        let checked = verifier.check(Cow::Borrowed(squares));
        checked.map(|tour| tour.is_closed()).map_err(|e| failing_step(&e).saturating_sub(1))
    }

    /// Returns the graph from a file, if one was given.
    pub(super) fn file(&self) -> Option<&'h Graph> {
        self.file.as_ref().map(|(graph, _)| *graph)
    }

    /// Returns whether a graph from a file was given and has such a vertex.
    pub(super) fn file_has(&self, name: &str) -> bool {
        self.file.as_ref().is_some_and(|(_, numbers)| numbers.contains_key(name))
    }

    /// Rejects a text about a board if a graph file was given, and vice versa.
    pub(super) fn agree_on_file(&self, said: &Said) -> Result<(), ReadFault> {
        match (self.file(), &said.board, &said.graph) {
            (Some(graph), Some(board), _) => {
                Err(disagree("board", board, &format!("the graph {graph}")))
            }
            (None, _, Some(graph)) => Err(ReadFault::NeedsGraph(shorten(graph))),
            _ => Ok(()),
        }
    }

    /// Returns the board from the text or the hints, if any; `listed` is the number of listed squares.
    pub(super) fn board(&self, said: &Said, listed: usize) -> Result<Option<Board>, ReadFault> {
        self.agree_on_file(said)?;
        let Some(shape) = &said.board else { return Ok(self.board.cloned()) };
        let shape = shape.split_whitespace().next().unwrap_or_default();
        let board = Board::parse(&shorten(shape))?;
        if let Some(given) = self.board.filter(|given| given.shape() != board.shape()) {
            return Err(disagree_on_boards(&board, given));
        }
        let Some(holes) = &said.holes else {
            return match self.board {
                Some(given) => Ok(Some(given.clone())),
                None => modest(board, listed).map(Some),
            };
        };
        let board = modest(board, listed + holes.len())?;
        let missing = holes.iter().map(|name| board.place(&shorten(name)));
        let board = board.with_holes(missing.collect::<Result<Vec<_>, _>>()?)?;
        match self.board.filter(|given| **given != board) {
            Some(given) => Err(disagree_on_boards(&board, given)),
            None => Ok(Some(board)),
        }
    }

    /// Returns the graph of a board, with the leaper from the text or the hints.
    pub(super) fn graph(&mut self, board: Board, said: &Said) -> Result<Graph, ReadFault> {
        let own = said.leaper.as_ref().map(|text| text.parse::<Leaper>()).transpose()?;
        let leaper = match (own, self.leaper) {
            (Some(own), Some(given)) if own != *given => {
                return Err(disagree("leaper", &own.to_string(), &given.to_string()));
            }
            (Some(own), _) => own,
            (None, given) => given.cloned().unwrap_or_else(Leaper::knight),
        };
        if let Some(last) = &self.last
            && last.board() == Some(&board)
            && last.piece() == Some(&leaper)
        {
            return Ok(last.clone());
        }
        Ok(self.last.insert(Graph::leaper(board, leaper)).clone())
    }

    /// Returns the graph and the squares of a list of names.
    pub(super) fn named<'t>(
        &mut self,
        said: &Said,
        names: impl Iterator<Item = &'t str> + Clone,
    ) -> Result<(Graph, Vec<Square>), ReadFault> {
        self.agree_on_file(said)?;
        if let Some((graph, numbers)) = &self.file {
            let unknown = |step: usize, name: &str| {
                let source = graph.vertex(name).map_err(|mut source| {
                    if let VertexError::Unknown { name, .. } = &mut source {
                        *name = shorten(name);
                    }
                    source
                });
                source.map_err(|source| ReadFault::Name { step, source })
            };
            let number = |(step, name): (usize, &str)| {
                numbers.get(name).copied().map_or_else(|| unknown(step, name), Ok)
            };
            let squares = (1..).zip(names).map(number).collect::<Result<_, _>>()?;
            return Ok(((*graph).clone(), squares));
        }
        let listed = names.clone().count();
        let board = match self.board(said, listed)? {
            Some(board) => board,
            None => {
                let widest = Board::new(65535, 65535)?;
                let mut side = 1;
                for (step, name) in (1..).zip(names.clone()) {
                    let square = place(&widest, step, name)?;
                    side = side.max(widest.row(square) + 1).max(widest.col(square) + 1);
                }
                smallest(listed, side)?
            }
        };
        let mut squares = Vec::with_capacity(listed);
        for (step, name) in (1..).zip(names) {
            squares.push(place(&board, step, name)?);
        }
        Ok((self.graph(board, said)?, squares))
    }
}

/// Returns the smallest square board for `listed` squares whose side is at least `side`.
pub(super) fn smallest(listed: usize, side: u32) -> Result<Board, ReadFault> {
    let board = Board::smallest_square(listed.max(1))?;
    let side = u64::from(side.max(board.rows()));
    modest(Board::new(side, side)?, listed)
}

/// Returns the board, unless too few of its squares are listed.
fn modest(board: Board, listed: usize) -> Result<Board, ReadFault> {
    if board.len() > VAST && board.len() / 16 > listed {
        return Err(ReadFault::Vast { listed, board: board.shape() });
    }
    Ok(board)
}

fn disagree(what: &'static str, said: &str, given: &str) -> ReadFault {
    ReadFault::Disagrees { what, said: shorten(said), given: given.to_string() }
}

/// Creates the error for two different boards; names the holes if only these differ.
pub(super) fn disagree_on_boards(said: &Board, given: &Board) -> ReadFault {
    if said.to_string() != given.to_string() {
        return disagree("board", &said.to_string(), &given.to_string());
    }
    let outline = |board: &Board| {
        let holes: Vec<String> = board.holes().take(4).map(|s| board.name(s)).collect();
        let more = if board.holes().nth(4).is_some() { ",…" } else { "" };
        format!("{} without {}{more}", board.shape(), holes.join(","))
    };
    ReadFault::Disagrees { what: "board", said: outline(said), given: outline(given) }
}

/// Returns the square with a name, which may be a hole.
fn place(board: &Board, step: usize, name: &str) -> Result<Square, ReadFault> {
    board.place(name).map_err(|error| {
        let short = shorten(name);
        let error = if short == name { error } else { BoardError::SquareSyntax(short) };
        ReadFault::Name { step, source: VertexError::Board(error) }
    })
}
