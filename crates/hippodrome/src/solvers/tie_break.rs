//! Second criteria of Warnsdorff's rule that several solvers share.

use crate::board::{Graph, Square};
use crate::search::Unsupported;

/// Roth's criterion: among squares with equally few onward moves, it prefers the one farthest from the centre
/// of the board.
#[derive(Clone, Copy)]
pub(crate) struct RothDistance {
    rows: u32,
    cols: u32,
}

impl RothDistance {
    /// Creates the criterion for a board. Fails for a graph from a file, which has no centre. `param` is the name of
    /// the parameter that selects it.
    pub(crate) fn new(graph: &Graph, param: &str) -> Result<RothDistance, Unsupported> {
        let board = graph.board().ok_or_else(|| {
            Unsupported(format!("{param}=roth measures the distance from the centre of a board, which a graph from a file does not have; use {param}=pohl"))
        })?;
        Ok(RothDistance { rows: board.rows(), cols: board.cols() })
    }

    /// Returns the squared distance of a square from the centre. The unit is half a square's side,
    /// so the result is an integer on every board.
    #[inline]
    pub(crate) fn of(self, square: Square) -> u64 {
        let off = |at: u32, size: u32| u64::from((2 * at).abs_diff(size - 1)).pow(2);
        let square = square.number();
        off(square / self.cols, self.rows) + off(square % self.cols, self.cols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn corners_are_farthest_and_the_centre_is_nearest() {
        let roth = RothDistance::new(&Graph::knight(Board::new(5, 8).unwrap()), "ties").unwrap();
        let distances: Vec<u64> = Square::below(40).map(|square| roth.of(square)).collect();
        assert_eq!([0, 7, 32, 39].map(|corner| distances[corner]), [16 + 49; 4]);
        assert_eq!(distances.iter().max(), Some(&65));
        assert_eq!((distances.iter().min(), distances[19], distances[20]), (Some(&1), 1, 1));
    }
}
