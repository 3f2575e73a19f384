//! The graph that a tour visits: a leaper on a board, or a graph that is read from a file or generated.
//!
//! On a board, neighbours are computed instead of stored, because a board may have 10^8 squares. A graph from
//! a file is stored as compressed sparse rows. Holes of a board keep their numbers and have no edges.

use crate::board::dropped_edges::DroppedEdges;
use crate::board::graph_format::GraphReading;
use crate::board::{Board, BoardError, Leaper, Square};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// The graph of a problem. Cloning is cheap.
#[derive(Clone, Debug)]
pub enum Graph {
    /// The graph of a leaper on a board.
    Leaper(Implicit),
    /// A graph read from a file or generated.
    File(Arc<Csr>),
}

/// The graph of a leaper on a board, computed on demand.
#[derive(Clone, Debug)]
pub struct Implicit {
    board: Board,
    leaper: Arc<Leaper>,
}

/// An undirected graph in compressed sparse rows, with neighbours in ascending order.
#[derive(Debug)]
pub struct Csr {
    title: String,
    names: Vec<String>,
    offsets: Vec<u32>,
    targets: Vec<Square>,
    dropped: DroppedEdges,
    positions: Option<Vec<(f64, f64)>>,
    reading: Option<GraphReading>,
}

/// An error in the name of a vertex.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum VertexError {
    /// The name is not that of a square of the board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The name is not that of a vertex of the graph.
    #[error("'{name}' is not a vertex of graph {graph}; {example}")]
    Unknown {
        /// The name that was given.
        name: String,
        /// The title of the graph.
        graph: String,
        /// A clause that lists names that exist.
        example: String,
    },
}

impl crate::error::Diagnostic for VertexError {}

impl Csr {
    /// Builds the graph from undirected edges. Repeated edges and loops are dropped and counted.
    pub fn new(title: String, names: Vec<String>, edges: &[(u32, u32)]) -> Csr {
        let mut arcs: Vec<(u32, u32)> =
            edges.iter().filter(|(u, v)| u != v).flat_map(|&(u, v)| [(u, v), (v, u)]).collect();
        arcs.sort_unstable();
        arcs.dedup();
        let mut offsets = vec![0; names.len() + 1];
        for &(u, _) in &arcs {
            offsets[u as usize + 1] += 1;
        }
        for v in 0..names.len() {
            offsets[v + 1] += offsets[v];
        }
        let targets: Vec<Square> = arcs.into_iter().map(|(_, v)| Square::new(v)).collect();
        let dropped = DroppedEdges::count(edges, targets.len() / 2);
        Csr { title, names, offsets, targets, dropped, positions: None, reading: None }
    }

    /// Sets the positions of the vertices in the plane, in the order of the names.
    ///
    /// Positions that are not one per vertex are left out.
    pub fn with_positions(mut self, positions: Option<Vec<(f64, f64)>>) -> Csr {
        self.positions = positions.filter(|all| all.len() == self.names.len());
        self
    }

    /// Sets how the file of the graph was read.
    pub fn with_reading(mut self, reading: GraphReading) -> Csr {
        self.reading = Some(reading);
        self
    }

    /// Returns the numbers of loops and repeated edges that were dropped.
    pub fn dropped(&self) -> DroppedEdges {
        self.dropped
    }

    /// Returns the names of the vertices, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    fn neighbours(&self, v: Square) -> &[Square] {
        &self.targets[self.offsets[v.index()] as usize..self.offsets[v.index() + 1] as usize]
    }
}

/// An iterator over the neighbours of one vertex; see [`Graph::neighbours`].
pub enum Neighbours<'a> {
    /// Neighbours that are computed from a leaper's moves.
    Leaper {
        /// The board.
        board: &'a Board,
        /// The row of the vertex.
        row: u32,
        /// The column of the vertex.
        col: u32,
        /// The moves not yet tried.
        moves: std::slice::Iter<'a, (i32, i32)>,
    },
    /// Neighbours that are read from a table.
    File(std::slice::Iter<'a, Square>),
}

#[inline]
fn leap(board: &Board, row: u32, col: u32, (up, right): (i32, i32)) -> Option<Square> {
    let row = row.checked_add_signed(up).filter(|&r| r < board.rows())?;
    let col = col.checked_add_signed(right).filter(|&c| c < board.cols())?;
    Some(board.at(row, col)).filter(|&s| board.is_full() || board.has(s))
}

impl Iterator for Neighbours<'_> {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        match self {
            Neighbours::Leaper { board, row, col, moves } => {
                moves.find_map(|&m| leap(board, *row, *col, m))
            }
            Neighbours::File(targets) => targets.next().copied(),
        }
    }
}

impl Graph {
    /// Adds to a JSON object the board with its holes and leaper, or the title of a graph without a board.
    pub fn describe_in(&self, object: &mut serde_json::Value) {
        let (Some(board), Some(piece)) = (self.board(), self.piece()) else {
            object["graph"] = self.to_string().into();
            return;
        };
        object["board"] = board.shape().into();
        if !board.is_full() {
            object["holes"] = board.holes().map(|s| board.name(s)).collect();
        }
        if !piece.is_knight() {
            object["leaper"] = piece.to_string().into();
        }
    }

    /// Creates the graph of a leaper on a board.
    pub fn leaper(board: Board, leaper: Leaper) -> Graph {
        Graph::Leaper(Implicit { board, leaper: Arc::new(leaper) })
    }

    /// Creates the graph of a knight on a board.
    pub fn knight(board: Board) -> Graph {
        Graph::leaper(board, Leaper::knight())
    }

    /// Returns the number of vertices, holes included. All vertex numbers are below this.
    #[expect(clippy::len_without_is_empty, reason = "a graph always has a vertex")]
    pub fn len(&self) -> usize {
        match self {
            Graph::Leaper(g) => g.board.len(),
            Graph::File(g) => g.names.len(),
        }
    }

    /// Returns the number of vertices that a tour visits, holes excluded.
    pub fn order(&self) -> usize {
        match self {
            Graph::Leaper(g) => g.board.squares(),
            Graph::File(g) => g.names.len(),
        }
    }

    /// Returns whether a number is that of a vertex and not of a hole.
    #[inline]
    pub fn has(&self, v: Square) -> bool {
        match self {
            Graph::Leaper(g) => g.board.has(v),
            Graph::File(g) => v.index() < g.names.len(),
        }
    }

    /// Returns all vertices in ascending order, without the holes.
    pub fn vertices(&self) -> impl Iterator<Item = Square> + '_ {
        Square::below(self.len()).filter(|&v| self.has(v))
    }

    /// Returns the neighbours of a vertex: in the order of the leaper's moves or, for a graph from a file, in
    /// ascending order.
    #[inline]
    pub fn neighbours(&self, v: Square) -> Neighbours<'_> {
        match self {
            Graph::Leaper(g) => Neighbours::Leaper {
                board: &g.board,
                row: g.board.row(v),
                col: g.board.col(v),
                moves: if g.board.has(v) { g.leaper.moves().iter() } else { [].iter() },
            },
            Graph::File(g) => Neighbours::File(g.neighbours(v).iter()),
        }
    }

    /// Returns the number of neighbours of a vertex.
    pub fn degree(&self, v: Square) -> usize {
        self.neighbours(v).count()
    }

    /// Counts the undirected edges. This visits the whole graph.
    pub fn edges(&self) -> u64 {
        self.vertices().map(|v| self.degree(v) as u64).sum::<u64>() / 2
    }

    /// Returns whether two vertices are adjacent. The answer is computed independently of
    /// [`Graph::neighbours`].
    #[inline]
    pub fn adjacent(&self, u: Square, v: Square) -> bool {
        match self {
            Graph::Leaper(g) => {
                let b = &g.board;
                let (rows, cols) = (b.row(u).abs_diff(b.row(v)), b.col(u).abs_diff(b.col(v)));
                g.leaper.leaps(rows, cols) && b.has(u) && b.has(v)
            }
            Graph::File(g) => {
                u.index() < g.names.len() && g.neighbours(u).binary_search(&v).is_ok()
            }
        }
    }

    /// Returns the numbers of loops and repeated edges that were dropped when the graph was built.
    pub fn dropped(&self) -> DroppedEdges {
        match self {
            Graph::Leaper(_) => DroppedEdges::default(),
            Graph::File(g) => g.dropped(),
        }
    }

    /// Returns the positions (x, y) of the vertices in the plane, in vertex order, if the file of the graph has one
    /// for each. The y axis points as in the file, and units are those of the file.
    pub fn positions(&self) -> Option<&[(f64, f64)]> {
        match self {
            Graph::Leaper(_) => None,
            Graph::File(g) => g.positions.as_deref(),
        }
    }

    /// Returns how the file of the graph was read; `None` for boards and generated graphs.
    pub fn reading(&self) -> Option<&GraphReading> {
        match self {
            Graph::Leaper(_) => None,
            Graph::File(g) => g.reading.as_ref(),
        }
    }

    /// Returns whether this is a clone of the other graph. Equal graphs created separately are not clones.
    pub fn is(&self, other: &Graph) -> bool {
        match (self, other) {
            (Graph::Leaper(a), Graph::Leaper(b)) => {
                Arc::ptr_eq(&a.leaper, &b.leaper) && a.board.is(&b.board)
            }
            (Graph::File(a), Graph::File(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Returns the square that the move with number `code` reaches from `v`, if that square is on the board.
    pub fn step(&self, v: Square, code: usize) -> Option<Square> {
        let Graph::Leaper(g) = self else { return None };
        let &jump = g.leaper.moves().get(code)?;
        leap(&g.board, g.board.row(v), g.board.col(v), jump)
    }

    /// Returns the number of the leaper's move from `u` to `v`, if there is one.
    pub fn code(&self, u: Square, v: Square) -> Option<usize> {
        let Graph::Leaper(g) = self else { return None };
        let b = &g.board;
        let jump = (b.row(v).wrapping_sub(b.row(u)) as i32, b.col(v).wrapping_sub(b.col(u)) as i32);
        g.leaper.moves().iter().position(|&m| m == jump)
    }

    /// Returns the number of moves of the leaper; `None` for a graph from a file.
    pub fn move_count(&self) -> Option<usize> {
        self.piece().map(|leaper| leaper.moves().len())
    }

    /// Returns the board, unless the graph is from a file.
    pub fn board(&self) -> Option<&Board> {
        match self {
            Graph::Leaper(g) => Some(&g.board),
            Graph::File(_) => None,
        }
    }

    /// Returns the leaper, unless the graph is from a file.
    pub fn piece(&self) -> Option<&Leaper> {
        match self {
            Graph::Leaper(g) => Some(&g.leaper),
            Graph::File(_) => None,
        }
    }

    /// Returns the name of a vertex: the algebraic name of a square on a board, otherwise the name in the
    /// file.
    pub fn name(&self, v: Square) -> String {
        match self {
            Graph::Leaper(g) => g.board.name(v),
            Graph::File(g) => {
                g.names.get(v.index()).cloned().unwrap_or_else(|| format!("#{}", v.number()))
            }
        }
    }

    /// Returns the vertex with the given name.
    pub fn vertex(&self, name: &str) -> Result<Square, VertexError> {
        match self {
            Graph::Leaper(g) => Ok(g.board.square(name)?),
            Graph::File(g) => {
                let found = g.names.iter().position(|n| n == name);
                found.map(Square::from_index).ok_or_else(|| VertexError::Unknown {
                    name: name.to_string(),
                    graph: g.title.clone(),
                    example: match g.names.as_slice() {
                        [only] => format!("its only vertex is {only}"),
                        [first, .., last] => format!("its vertices include {first} and {last}"),
                        [] => "it has no vertex".to_string(),
                    },
                })
            }
        }
    }
}

/// Formats the board and, unless it is the knight, the leaper; or the title of a graph from a file.
impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Graph::Leaper(g) if g.leaper.is_knight() => g.board.fmt(f),
            Graph::Leaper(g) => write!(f, "{} for the {}-leaper", g.board, g.leaper),
            Graph::File(g) => f.write_str(&g.title),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knight(board: &str) -> Graph {
        Graph::knight(Board::parse(board).unwrap())
    }

    #[test]
    fn neighbours_and_adjacent_agree_on_every_pair() {
        let holed = Board::parse("6x5").unwrap().with_holes([7, 11].map(Square::new)).unwrap();
        let leapers = ["1,2", "0,1", "1,1", "1,3", "1,2+0,1", "0,2+1,3"];
        let mut graphs: Vec<Graph> =
            leapers.iter().map(|l| Graph::leaper(holed.clone(), l.parse().unwrap())).collect();
        graphs.push(knight("3x9"));
        graphs.push(knight("1x7"));
        for g in graphs {
            for u in Square::below(g.len()) {
                let listed: Vec<Square> = g.neighbours(u).collect();
                for v in Square::below(g.len()) {
                    assert_eq!(listed.contains(&v), g.adjacent(u, v), "{g}: {u:?} {v:?}");
                    if g.adjacent(u, v) {
                        assert_eq!(g.step(u, g.code(u, v).unwrap()), Some(v));
                    }
                }
            }
        }
    }

    #[test]
    fn the_chessboard_has_168_knight_moves() {
        let g = knight("8x8");
        assert_eq!(g.edges(), 168);
        let degrees: Vec<usize> =
            ["a1", "b1", "b2", "c2", "d4"].map(|s| g.degree(g.vertex(s).unwrap())).to_vec();
        assert_eq!(degrees, [2, 3, 4, 6, 8]);
    }

    #[test]
    fn a_file_graph_drops_loops_and_duplicates() {
        let names = ["x", "y", "z"].map(String::from).to_vec();
        let g =
            Graph::File(Arc::new(Csr::new("t".into(), names, &[(0, 1), (1, 0), (2, 2), (1, 2)])));
        assert_eq!(g.edges(), 2);
        let [x, y, z, none] = [0, 1, 2, 9].map(Square::new);
        assert_eq!(g.neighbours(y).collect::<Vec<_>>(), [x, z]);
        assert!(g.adjacent(z, y) && !g.adjacent(x, z) && !g.adjacent(none, x));
        assert_eq!(g.vertex("z"), Ok(z));
        assert!(g.vertex("e4").unwrap_err().to_string().contains("include x and z"));
    }
}
