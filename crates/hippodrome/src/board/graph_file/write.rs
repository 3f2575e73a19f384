//! Writes graphs and boards as TSPLIB files, for other solvers.
//!
//! TSPLIB numbers the vertices 1, 2, ... without gaps, and a vertex without edges would make the
//! problem unsolvable. So squares are numbered in board order without the holes; on a board without
//! holes that is the square's number plus 1. Comments record board, holes and leaper.

use crate::board::{Graph, Square};
use std::io::{self, Write};

/// The numbers, from 1, of a graph's vertices in TSPLIB files.
pub struct Numbering {
    len: usize,
    /// The squares in order, if the board has holes.
    squares: Option<Vec<Square>>,
}

impl Numbering {
    /// Creates the numbering of a graph.
    pub fn new(graph: &Graph) -> Numbering {
        let holed = graph.order() < graph.len();
        Numbering { len: graph.len(), squares: holed.then(|| graph.vertices().collect()) }
    }

    /// Returns the number of a vertex; 0 for a hole.
    pub fn number(&self, vertex: Square) -> u64 {
        match &self.squares {
            None => u64::from(vertex.number()) + 1,
            Some(squares) => squares.binary_search(&vertex).map_or(0, |at| at as u64 + 1),
        }
    }

    /// Returns the vertex with a number.
    pub fn vertex(&self, number: u64) -> Option<Square> {
        let at = usize::try_from(number.checked_sub(1)?).ok()?;
        match &self.squares {
            None => (at < self.len).then(|| Square::from_index(at)),
            Some(squares) => squares.get(at).copied(),
        }
    }
}

/// Writes the graph as a TSPLIB file of type HCP, edge by edge.
pub fn write_hcp(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let out = &mut io::BufWriter::with_capacity(1 << 16, out);
    write_origin(graph, "hcp", out)?;
    writeln!(out, "TYPE : HCP\nDIMENSION : {}", graph.order())?;
    writeln!(out, "EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION")?;
    let numbering = Numbering::new(graph);
    for u in graph.vertices() {
        for v in graph.neighbours(u).filter(|&v| u < v) {
            writeln!(out, "{} {}", numbering.number(u), numbering.number(v))?;
        }
    }
    out.write_all(b"-1\nEOF\n")?;
    out.flush()
}

/// Writes the NAME line of a TSPLIB file, and comments that describe its board.
pub(crate) fn write_origin(graph: &Graph, suffix: &str, out: &mut dyn Write) -> io::Result<()> {
    let (Some(board), Some(piece)) = (graph.board(), graph.piece()) else {
        let title: String =
            graph.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        return writeln!(out, "NAME : {title}.{suffix}\nCOMMENT : graph {title}");
    };
    writeln!(out, "NAME : {0}.{suffix}\nCOMMENT : board {0}", board.shape())?;
    if !board.is_full() {
        for (index, hole) in board.holes().enumerate() {
            let before = if index == 0 { "COMMENT : holes " } else { "," };
            write!(out, "{before}{}", board.name(hole))?;
        }
        writeln!(out)?;
    }
    if !piece.is_knight() {
        writeln!(out, "COMMENT : leaper {piece}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::board::graph_file::read_graph;

    #[test]
    fn a_board_written_as_hcp_is_read_back_as_the_same_graph() {
        let full = Board::parse("4x5").unwrap();
        let holed = full.with_holes([3, 11].map(Square::new)).unwrap();
        for (board, leaper) in [(full, "1,2"), (holed.clone(), "1,2"), (holed, "1,3+0,1")] {
            let graph = Graph::leaper(board, leaper.parse().unwrap());
            let mut text = Vec::new();
            write_hcp(&graph, &mut text).unwrap();
            let read = read_graph("back", std::str::from_utf8(&text).unwrap()).unwrap();
            assert_eq!((read.order(), read.edges()), (graph.order(), graph.edges()));
            let numbering = Numbering::new(&graph);
            let name = |v| numbering.number(v).to_string();
            for u in graph.vertices() {
                assert_eq!(numbering.vertex(numbering.number(u)), Some(u));
                for v in graph.neighbours(u) {
                    let ends = (read.vertex(&name(u)).unwrap(), read.vertex(&name(v)).unwrap());
                    assert!(read.adjacent(ends.0, ends.1), "{graph}: {u:?} {v:?}");
                }
            }
        }
    }

    #[test]
    fn holes_leave_no_gaps_in_the_numbering() {
        let board = Board::parse("2x3").unwrap().with_holes([1].map(Square::new)).unwrap();
        let numbering = Numbering::new(&Graph::knight(board));
        let numbers: Vec<u64> = Square::below(6).map(|s| numbering.number(s)).collect();
        assert_eq!(numbers, [1, 0, 2, 3, 4, 5]);
        assert_eq!(
            (numbering.vertex(0), numbering.vertex(6), numbering.vertex(2)),
            (None, None, Some(Square::new(2)))
        );
    }
}
