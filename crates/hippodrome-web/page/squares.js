// Names of squares: a1 is bottom left, squares are numbered row by row from there.

/**
 * @param {number} col
 */
function file(col) {
  let text = "";
  for (let rest = col; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    text = String.fromCharCode(97 + (rest % 26)) + text;
  }
  return text;
}

/**
 * The name of a square.
 * @param {number} square
 * @param {number} cols
 */
export function nameOf(square, cols) {
  return file(square % cols) + (Math.floor(square / cols) + 1);
}

/**
 * The square with a name, or null.
 * @param {string} name
 * @param {number} rows
 * @param {number} cols
 */
export function squareOf(name, rows, cols) {
  const parts = /^([a-z]+)([1-9][0-9]*)$/i.exec(name.trim());
  if (!parts) return null;
  let col = 0;
  for (const letter of parts[1].toLowerCase()) col = col * 26 + letter.charCodeAt(0) - 96;
  const row = Number(parts[2]);
  return row <= rows && col <= cols ? (row - 1) * cols + col - 1 : null;
}

/**
 * The moves of a piece as [rows up, columns right], numbered as the server numbers them.
 * @param {string} leaper
 * @returns {[number, number][]}
 */
export function movesOf(leaper) {
  /** @type {[number, number][]} */
  const moves = [];
  for (const pair of leaper.split("+")) {
    const [one, two] = pair.split(",").map(Number);
    const [a, b] = [Math.min(one, two), Math.max(one, two)];
    for (const [up, right] of [[-b, a], [-a, b], [a, b], [b, a], [b, -a], [a, -b], [-a, -b], [-b, -a]]) {
      if (!moves.some(([u, r]) => u === up && r === right)) moves.push([up, right]);
    }
  }
  return moves;
}
