//! Tours packed into words: a move number a move, 3 bits for the knight, so 24 bytes for 8x8.
//!
//! The first move stands highest, and no move is split between words: of the knight's 21 fit into one,
//! and the 63 moves of 8x8 into three. So packed tours sort by their moves, and a move is a shift and a
//! mask away.
//!
//! The start square needs no room. No finite set of squares maps onto itself under a shift, so the
//! moves alone fix where the path lies: its lowest row and leftmost column are the board's. Graphs
//! from a file have no move numbers; their vertices are written out, start included.

use crate::board::{Board, Square};
use crate::graph::Graph;
use thiserror::Error;

/// Why words do not unpack.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error("these words are not a packed tour of {0}")]
pub struct Unpackable(String);

/// Packs and unpacks the tours of one graph.
pub struct Packer {
    graph: Graph,
    bits: usize,
    symbols: usize,
    /// Lowest row and leftmost column that hold a square.
    corner: (i64, i64),
    /// Move numbers by (from, to), for graphs numbered below 64.
    codes: Option<Box<[[u16; 64]; 64]>>,
}

impl Packer {
    /// A packer for one graph.
    pub fn new(graph: &Graph) -> Packer {
        let width = |values: usize| (usize::BITS - (values.max(2) - 1).leading_zeros()) as usize;
        let (bits, symbols) = match graph.move_count() {
            Some(moves) => (width(moves), graph.order() - 1),
            None => (width(graph.len()), graph.order()),
        };
        let few = graph.move_count().is_some_and(|moves| moves < 1 << 16);
        let codes = (graph.len() <= 64 && few).then(|| {
            let mut codes = Box::new([[0; 64]; 64]);
            for u in graph.vertices() {
                for v in graph.neighbours(u) {
                    codes[u as usize][v as usize] = graph.code(u, v).unwrap_or(0) as u16;
                }
            }
            codes
        });
        let least = |of: fn(&Board, Square) -> u32| {
            let board = graph.board()?;
            board.iter().map(|s| of(board, s)).min().map(i64::from)
        };
        // On a board without holes there is no need to look at all its squares.
        let corner = match graph.board() {
            Some(board) if !board.is_full() => {
                (least(Board::row).unwrap_or(0), least(Board::col).unwrap_or(0))
            }
            _ => (0, 0),
        };
        Packer { graph: graph.clone(), bits, symbols, corner, codes }
    }

    /// Words a packed tour takes.
    pub fn words(&self) -> usize {
        self.symbols.div_ceil(self.per_word()).max(1)
    }

    /// Bits of a symbol: a move number, or a vertex of a graph from a file.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Symbols that fit into a word.
    pub fn per_word(&self) -> usize {
        64 / self.bits
    }

    /// Packs the squares of a tour into `out`, which is cleared first.
    pub fn pack(&self, squares: &[Square], out: &mut Vec<u64>) {
        out.clear();
        match (&self.codes, self.graph.board()) {
            (Some(codes), _) => {
                let code = |pair: &[Square]| {
                    u64::from(codes[pair[0] as usize & 63][pair[1] as usize & 63])
                };
                self.fill(squares.windows(2).map(code), out);
            }
            (None, Some(_)) => {
                let code = |pair: &[Square]| self.graph.code(pair[0], pair[1]).unwrap_or(0) as u64;
                self.fill(squares.windows(2).map(code), out);
            }
            (None, None) => self.fill(squares.iter().map(|&v| u64::from(v)), out),
        }
    }

    fn fill(&self, symbols: impl Iterator<Item = u64>, out: &mut Vec<u64>) {
        let (mut word, mut room) = (0u64, self.per_word());
        for symbol in symbols {
            if room == 0 {
                out.push(word);
                (word, room) = (0, self.per_word());
            }
            room -= 1;
            word |= symbol << (room * self.bits);
        }
        out.push(word);
    }

    /// The squares that were packed. They are as good as what was packed: verify them.
    pub fn unpack(&self, words: &[u64]) -> Result<Vec<Square>, Unpackable> {
        let mut squares = Vec::with_capacity(self.graph.order());
        self.unpack_into(words, &mut squares)?;
        Ok(squares)
    }

    /// As [`Packer::unpack`], into `squares`, which is cleared first.
    pub fn unpack_into(&self, words: &[u64], squares: &mut Vec<Square>) -> Result<(), Unpackable> {
        squares.clear();
        let wrong = || Unpackable(self.graph.to_string());
        if words.len() != self.words() {
            return Err(wrong());
        }
        let per_word = self.per_word();
        let mask = (1u64 << self.bits) - 1;
        let symbols = (0..self.symbols).map(|index| {
            let shift = (per_word - 1 - index % per_word) * self.bits;
            (words[index / per_word] >> shift & mask) as usize
        });
        let (Some(board), Some(piece)) = (self.graph.board(), self.graph.piece()) else {
            squares.extend(symbols.map(|symbol| symbol as Square));
            return Ok(());
        };
        // Where each square lies from the first: found, shifted onto the board, and only then squares.
        let (mut row, mut col) = (0i64, 0i64);
        let (mut lowest, mut leftmost) = (0, 0);
        for symbol in symbols.clone() {
            let &(up, right) = piece.moves().get(symbol).ok_or_else(wrong)?;
            (row, col) = (row + i64::from(up), col + i64::from(right));
            (lowest, leftmost) = (lowest.min(row), leftmost.min(col));
        }
        (row, col) = (self.corner.0 - lowest, self.corner.1 - leftmost);
        let square = |row: i64, col: i64| {
            let (row, col) = (u32::try_from(row).ok()?, u32::try_from(col).ok()?);
            (row < board.rows() && col < board.cols()).then(|| board.at(row, col))
        };
        squares.push(square(row, col).ok_or_else(wrong)?);
        for symbol in symbols {
            let (up, right) = piece.moves()[symbol];
            (row, col) = (row + i64::from(up), col + i64::from(right));
            squares.push(square(row, col).ok_or_else(wrong)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn packing_keeps_every_move_however_many_there_are() {
        let many: Vec<String> = (1..=40).map(|n| format!("1,{}", 100 + n)).collect();
        let piece = format!("0,1+{}+1,1", many.join("+"));
        for (shape, piece, words) in [
            ("8x8", "1,2", 3),
            ("3x4", piece.as_str(), 2),
            ("9x9", "0,1", 3),
            ("2x3", "0,1+1,1", 1),
        ] {
            let board = Board::parse(shape).unwrap();
            let graph = Graph::leaper(board.clone(), piece.parse().unwrap());
            let packer = Packer::new(&graph);
            assert_eq!(packer.words(), words, "{shape}");
            assert!(packer.bits() * packer.per_word() <= 64);
            // A path of any moves, for packing does not ask whether it is a tour.
            let mut rows: Vec<Square> = board.iter().collect();
            if piece != "1,2" {
                let cols = board.cols() as usize;
                rows.chunks_mut(cols).skip(1).step_by(2).for_each(|row| row.reverse());
                let mut packed = Vec::new();
                packer.pack(&rows, &mut packed);
                assert_eq!(packer.unpack(&packed), Ok(rows), "{shape}");
            }
        }
    }
}
