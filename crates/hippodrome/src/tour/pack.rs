//! Tours packed into words: a move number a move, 3 bits for the knight, so 24 bytes for 8x8.
//!
//! The start square needs no room. No finite set of squares maps onto itself under a shift, so the
//! moves alone fix where the path lies: its lowest row and leftmost column are the board's. Graphs
//! from a file have no move numbers; their vertices are written out, start included.

use crate::board::Square;
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
        Packer { graph: graph.clone(), bits, symbols, codes }
    }

    /// Words a packed tour takes.
    pub fn words(&self) -> usize {
        (self.symbols * self.bits).div_ceil(64)
    }

    /// Packs the squares of a tour into `out`, which is cleared first.
    pub fn pack(&self, squares: &[Square], out: &mut Vec<u64>) {
        out.clear();
        let (mut word, mut filled) = (0u64, 0);
        let mut put = |symbol: u64| {
            word |= symbol << filled;
            filled += self.bits;
            if filled >= 64 {
                out.push(word);
                filled -= 64;
                word = if filled == 0 { 0 } else { symbol >> (self.bits - filled) };
            }
        };
        match (&self.codes, self.graph.board()) {
            (Some(codes), _) => {
                for pair in squares.windows(2) {
                    put(u64::from(codes[pair[0] as usize & 63][pair[1] as usize & 63]));
                }
            }
            (None, Some(_)) => {
                for pair in squares.windows(2) {
                    put(self.graph.code(pair[0], pair[1]).unwrap_or(0) as u64);
                }
            }
            (None, None) => squares.iter().for_each(|&v| put(u64::from(v))),
        }
        if filled > 0 {
            out.push(word);
        }
    }

    /// The squares that were packed. They are as good as what was packed: verify them.
    pub fn unpack(&self, words: &[u64]) -> Result<Vec<Square>, Unpackable> {
        let wrong = || Unpackable(self.graph.to_string());
        if words.len() != self.words() {
            return Err(wrong());
        }
        let symbol = |index: usize| {
            let (at, shift) = (index * self.bits / 64, index * self.bits % 64);
            let low = words[at] >> shift;
            let high = if shift + self.bits > 64 { words[at + 1] << (64 - shift) } else { 0 };
            ((low | high) & ((1 << self.bits) - 1)) as usize
        };
        let (Some(board), Some(piece)) = (self.graph.board(), self.graph.piece()) else {
            return Ok((0..self.symbols).map(|i| symbol(i) as Square).collect());
        };
        let mut place = (0i64, 0i64);
        let mut places = vec![place];
        for index in 0..self.symbols {
            let &(up, right) = piece.moves().get(symbol(index)).ok_or_else(wrong)?;
            place = (place.0 + i64::from(up), place.1 + i64::from(right));
            places.push(place);
        }
        let lowest = |of: fn(&(i64, i64)) -> i64| places.iter().map(of).min().unwrap_or(0);
        let bottom = board.iter().map(|s| board.row(s)).min().unwrap_or(0);
        let left = board.iter().map(|s| board.col(s)).min().unwrap_or(0);
        let (up, right) = (i64::from(bottom) - lowest(|p| p.0), i64::from(left) - lowest(|p| p.1));
        let square = |&(r, c): &(i64, i64)| {
            let (row, col) = (u32::try_from(r + up).ok()?, u32::try_from(c + right).ok()?);
            (row < board.rows() && col < board.cols()).then(|| board.at(row, col))
        };
        places.iter().map(square).collect::<Option<_>>().ok_or_else(wrong)
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
