// Names of squares, and moves of pieces: a1 is bottom left, squares are numbered row by row from there.

import { parseLeaper } from "./parse.js";

/**
 * Returns the letters of a column: a to z, then aa, ab and so on.
 * @param {number} col
 */
export function fileName(col) {
  let text = "";
  for (let rest = col; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    text = String.fromCharCode(97 + (rest % 26)) + text;
  }
  return text;
}

/**
 * Returns the name of a square.
 * @param {number} square
 * @param {number} cols
 */
export function squareName(square, cols) {
  return fileName(square % cols) + (Math.floor(square / cols) + 1);
}

/**
 * Returns the moves of a piece as [rows up, columns right], in the order of the server.
 * @param {string} leaper
 * @returns {[number, number][]}
 */
export function leaperMoves(leaper) {
  /** @type {[number, number][]} */
  const moves = [];
  for (const [a, b] of parseLeaper(leaper) ?? []) {
    for (const [up, right] of [[-b, a], [-a, b], [a, b], [b, a], [b, -a], [a, -b], [-a, -b], [-b, -a]]) {
      if (!moves.some(([u, r]) => u === up && r === right)) moves.push([up, right]);
    }
  }
  return moves;
}
