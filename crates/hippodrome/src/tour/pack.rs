//! Tours packed into words: each move is a number. A knight's move takes 3 bits, so a tour of 8x8 takes 24
//! bytes.
//!
//! The first move is in the highest bits, and no move is split between words: 21 moves of a knight
//! fit into one word, and the 63 moves of 8x8 into three. Therefore packed tours are ordered by their moves,
//! and a move is read with one shift and one mask.
//!
//! The start square is not stored. No finite set of squares is mapped to itself by a shift, so the moves
//! alone determine where the path lies: the sum of its square numbers must equal the sum of the numbers of
//! all squares on the board. Graphs from a file have no move numbers; their vertices are stored, including
//! the start.

use crate::board::{Board, Graph, Square};
use thiserror::Error;

/// An error: the given words are not a packed tour.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error("the data is not a packed tour of {0}")]
pub struct Unpackable(String);

impl crate::error::Diagnostic for Unpackable {}

/// Packs and unpacks the tours of one graph.
pub struct Packer {
    graph: Graph,
    bits: usize,
    symbols: usize,
    /// The amount by which each move changes the square number.
    jumps: Vec<i64>,
    /// Sum of the numbers of all squares.
    sum: i64,
    /// Move numbers indexed by the squares left and reached, for graphs whose square numbers are below 64.
    codes: Option<Box<[[u16; 64]; 64]>>,
}

impl Packer {
    /// Creates a packer for one graph.
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
                    codes[u.index()][v.index()] = graph.code(u, v).unwrap_or(0) as u16;
                }
            }
            codes
        });
        let moves = graph.piece().map_or(&[][..], |piece| piece.moves());
        let cols = graph.board().map_or(0, |board| i64::from(board.cols()));
        let jumps = moves.iter().map(|&(up, right)| i64::from(up) * cols + i64::from(right));
        let missing: i64 = graph
            .board()
            .into_iter()
            .flat_map(Board::holes)
            .map(|hole| i64::from(hole.number()))
            .sum();
        let len = graph.len() as i64;
        let sum = len * (len - 1) / 2 - missing;
        Packer { graph: graph.clone(), bits, symbols, jumps: jumps.collect(), sum, codes }
    }

    /// Returns the number of words in a packed tour.
    pub fn words(&self) -> usize {
        self.symbols.div_ceil(self.per_word()).max(1)
    }

    /// Returns the number of bits per symbol. A symbol is a move number or, in a graph from a file, a vertex.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Returns the number of symbols per word.
    pub fn per_word(&self) -> usize {
        64 / self.bits
    }

    /// Packs the squares of a tour into `out`, which is cleared first.
    pub fn pack(&self, squares: &[Square], out: &mut Vec<u64>) {
        out.clear();
        let next = squares.get(1..).unwrap_or(&[]);
        match (&self.codes, self.graph.board()) {
            (Some(codes), _) => {
                let code = |u: Square, v: Square| codes[u.index() & 63][v.index() & 63].into();
                match self.bits {
                    // A constant width lets the compiler optimise.
                    3 => self.fill(3, squares, next, code, out),
                    bits => self.fill(bits, squares, next, code, out),
                }
            }
            (None, Some(_)) => {
                let code = |u, v| self.graph.code(u, v).unwrap_or(0) as u64;
                self.fill(self.bits, squares, next, code, out);
            }
            (None, None) => self.fill(self.bits, squares, squares, |v, _| v.number().into(), out),
        }
    }

    /// Packs one symbol for each pair of corresponding squares in the two lists.
    #[inline(always)]
    fn fill(
        &self,
        bits: usize,
        squares: &[Square],
        next: &[Square],
        code: impl Fn(Square, Square) -> u64,
        out: &mut Vec<u64>,
    ) {
        let each = 64 / bits;
        let squares = &squares[..next.len().min(squares.len())];
        for (from, to) in squares.chunks(each).zip(next.chunks(each)) {
            let symbols = from.iter().zip(to).map(|(&u, &v)| code(u, v));
            let word = symbols.fold(0, |word, symbol| (word << bits) + symbol);
            out.push(word << ((each - from.len()) * bits));
        }
        if out.is_empty() {
            out.push(0);
        }
    }

    /// Passes the symbols of packed words to `see`, in order.
    #[inline(always)]
    fn each_symbol(&self, bits: usize, words: &[u64], mut see: impl FnMut(usize)) {
        let (each, mask) = (64 / bits, (1u64 << bits) - 1);
        let mut left = self.symbols;
        for &word in words {
            let here = left.min(each);
            left -= here;
            let mut rest = word << (64 - each * bits);
            for _ in 0..here {
                rest = rest.rotate_left(bits as u32);
                see((rest & mask) as usize);
            }
        }
    }

    /// Unpacks the squares of a tour. They are not verified.
    pub fn unpack(&self, words: &[u64]) -> Result<Vec<Square>, Unpackable> {
        let mut squares = Vec::with_capacity(self.graph.order());
        self.unpack_into(words, &mut squares)?;
        Ok(squares)
    }

    /// Unpacks the squares into `squares`, which is cleared first; see [`Packer::unpack`].
    pub fn unpack_into(&self, words: &[u64], squares: &mut Vec<Square>) -> Result<(), Unpackable> {
        squares.clear();
        let wrong = || Unpackable(self.graph.to_string());
        if words.len() != self.words() {
            return Err(wrong());
        }
        if self.graph.board().is_none() {
            self.each_symbol(self.bits, words, |symbol| squares.push(Square::from_index(symbol)));
            return Ok(());
        }
        // Square numbers relative to the first; those of a tour sum to those of the board.
        let (mut number, mut sum, mut strange) = (0i64, 0i64, false);
        squares.resize(self.symbols + 1, Square::default());
        let mut places = squares[1..].iter_mut();
        let see = |symbol: usize| {
            let jump = self.jumps.get(symbol);
            strange |= jump.is_none();
            number += jump.unwrap_or(&0);
            sum += number;
            if let Some(place) = places.next() {
                *place = Square::new(number as u32);
            }
        };
        match self.bits {
            3 => self.each_symbol(3, words, see),
            bits => self.each_symbol(bits, words, see),
        }
        if strange {
            return Err(wrong());
        }
        let first = (self.sum - sum) / squares.len() as i64;
        let mut most = 0;
        for square in squares.iter_mut() {
            *square = Square::new(square.number().wrapping_add(first as u32));
            most = most.max(square.index());
        }
        if most >= self.graph.len() { Err(wrong()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn packing_keeps_every_move_for_any_number_of_moves() {
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
            // Any path will do: packing does not check that it is a tour.
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
