// The sums of the rows and columns of a numbered tour.

import { svg } from "./dom.js";
import { cornerOf, figure, rimOf, squaresOf, text } from "./small_board.js";

/**
 * Returns the numbers of a tour's squares, and the sums of its rows from the top and of its columns from the left.
 * @param {number[]} tour squares in the order of the visits
 * @param {number} rows
 * @param {number} cols
 */
export function sumsOf(tour, rows, cols) {
  /** @type {number[]} */
  const numbers = Array(rows * cols).fill(0);
  tour.forEach((square, index) => (numbers[square] = index + 1));
  /** @type {number[]} */
  const ofRows = Array(rows).fill(0);
  /** @type {number[]} */
  const ofCols = Array(cols).fill(0);
  numbers.forEach((number, square) => {
    const [col, row] = cornerOf(square, rows, cols);
    ofRows[row] = (ofRows[row] ?? 0) + number;
    ofCols[col] = (ofCols[col] ?? 0) + number;
  });
  return { numbers, ofRows, ofCols };
}

/**
 * Says sums in words: "260 each", or all of them.
 * @param {number[]} sums
 */
function inWords(sums) {
  return new Set(sums).size === 1 ? `${sums[0]} each` : sums.join(", ");
}

/**
 * Creates a numbered board with the sum of each row at its right, and of each column below it.
 * @param {number[]} tour
 * @param {number} rows
 * @param {number} cols
 */
export function sumsFigure(tour, rows, cols) {
  const { numbers, ofRows, ofCols } = sumsOf(tour, rows, cols);
  const digits = numbers.map((number, square) => {
    const [x, y] = cornerOf(square, rows, cols);
    return text(String(number), x + 0.5, y + 0.5, "number");
  });
  const rim = rimOf(rows, cols);
  const sums = svg("g", { class: "fig-sums" });
  ofRows.forEach((sum, row) => sums.append(text(String(sum), cols + 0.6, row + 0.5, "total")));
  ofCols.forEach((sum, col) => sums.append(text(String(sum), col + 0.5, rows + 0.95, "total")));
  const says = `A numbered tour of the ${rows}x${cols} board. Sums of the rows: ${inWords(ofRows)}. Sums of the columns: ${inWords(ofCols)}.`;
  return figure("sums", [-0.7, -0.2, cols + 2, rows + 1.7], says, rim, ...squaresOf(rows, cols), ...digits, sums);
}
