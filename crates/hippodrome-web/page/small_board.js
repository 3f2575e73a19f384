// A small board as SVG, on which the figures of the stories are drawn.

import { el, svg } from "./dom.js";
import { fileName, squareName } from "./squares.js";

/**
 * Whether a square is dark, like a1.
 * @param {number} square
 * @param {number} cols
 */
export function isDark(square, cols) {
  return (Math.floor(square / cols) + (square % cols)) % 2 === 0;
}

/**
 * Returns the top left corner of a square; the top row is 0.
 * @param {number} square
 * @param {number} rows
 * @param {number} cols
 * @returns {[number, number]}
 */
export function cornerOf(square, rows, cols) {
  return [square % cols, rows - 1 - Math.floor(square / cols)];
}

/**
 * Creates the squares of a board, one unit wide, without their place in the document.
 * @param {number} rows
 * @param {number} cols
 */
export function squaresOf(rows, cols) {
  return Array.from({ length: rows * cols }, (_, square) => {
    const [x, y] = cornerOf(square, rows, cols);
    const side = isDark(square, cols) ? "dark" : "light";
    return svg("rect", { class: `fig-square ${side}`, x: x + 0.02, y: y + 0.02, width: 0.96, height: 0.96, rx: 0.06 });
  });
}

/**
 * Creates the letters and numbers at the rim of a board.
 * @param {number} rows
 * @param {number} cols
 */
export function rimOf(rows, cols) {
  const rim = svg("g", { class: "fig-rim" });
  for (let col = 0; col < cols; col += 1) rim.append(text(fileName(col), col + 0.5, rows + 0.35));
  for (let row = 0; row < rows; row += 1) rim.append(text(String(row + 1), -0.3, rows - row - 0.5));
  return rim;
}

/**
 * Creates a text that is centred on a point.
 * @param {string} words
 * @param {number} x
 * @param {number} y
 * @param {string} [kind]
 */
export function text(words, x, y, kind = "") {
  return svg("text", { class: `fig-text ${kind}`, x, y, "text-anchor": "middle", "dominant-baseline": "central" }, words);
}

/**
 * Creates the frame of a figure: an image for screen readers, with a caption that says the same.
 * @param {string} kind
 * @param {[number, number, number, number]} view
 * @param {string} says
 * @param {...Node} parts
 */
export function figure(kind, view, says, ...parts) {
  const image = svg("svg", { viewBox: view.join(" "), role: "img", "aria-label": says }, ...parts);
  return el("figure", { className: `story-figure ${kind}` }, image);
}

/**
 * Creates a line through the centres of squares.
 * @param {number[]} squares
 * @param {number} rows
 * @param {number} cols
 * @param {boolean} closed
 */
export function lineThrough(squares, rows, cols, closed) {
  const points = squares.map((square) => cornerOf(square, rows, cols).map((at) => at + 0.5).join(","));
  return svg(closed ? "polygon" : "polyline", { class: "fig-line", points: points.join(" ") });
}

/**
 * Returns the number of a square by its name, as on the board of the figure.
 * @param {string} name
 * @param {number} cols
 */
export function squareNumber(name, cols) {
  for (let square = 0; square < cols * 64; square += 1) if (squareName(square, cols) === name) return square;
  throw new Error(`no square '${name}'`);
}
