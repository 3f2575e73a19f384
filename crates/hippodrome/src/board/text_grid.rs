//! A board as text: one line per row, top row first.

use super::{Board, Square};

/// Writes a board with texts in some squares, `.` in the others and `#` for holes, in columns of equal width.
///
/// ```
/// use hippodrome::board::{Board, text_grid};
/// let board = Board::parse("2x3").unwrap().with_holes([hippodrome::board::Square::new(2)]).unwrap();
/// let a1 = board.square("a1").unwrap();
/// assert_eq!(text_grid(&board, &[(a1, "10".into())]), " .  .  .\n10  .  #\n");
/// ```
pub fn text_grid(board: &Board, texts: &[(Square, String)]) -> String {
    let mut cells = vec!["."; board.len()];
    board.holes().for_each(|hole| cells[hole.index()] = "#");
    for (square, text) in texts.iter().filter(|(square, _)| board.has(*square)) {
        cells[square.index()] = text;
    }
    let wide = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(1);
    let mut grid = String::new();
    for row in (0..board.rows()).rev() {
        for col in 0..board.cols() {
            let cell = cells[board.at(row, col).index()];
            let blank = if col == 0 { "" } else { " " };
            grid.push_str(&format!("{blank}{cell:>wide$}"));
        }
        grid.push('\n');
    }
    grid
}
