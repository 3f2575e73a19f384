// Why some boards have no tour: colours, two piles, a ring that closes too early, parts that are too many.

import { prefersReducedMotion, svg } from "./dom.js";
import { cornerOf, figure, isDark, lineThrough, rimOf, squareNumber, squaresOf, text } from "./small_board.js";

/** Size of a square on a pile. */
const PILED = 0.5;

/**
 * Creates the board with its colours, and a knight's moves that change them.
 * @param {number} rows
 * @param {number} cols
 */
export function coloursFigure(rows, cols) {
  const walk = ["a1", "b3", "d2", "e4", "c5"].map((name) => squareNumber(name, cols));
  const line = lineThrough(walk, rows, cols, false);
  const marks = walk.map((square, index) => {
    const [x, y] = cornerOf(square, rows, cols);
    return text(String(index + 1), x + 0.5, y + 0.5, isDark(square, cols) ? "on-dark" : "on-light");
  });
  const discs = walk.map((square) => {
    const [x, y] = cornerOf(square, rows, cols);
    return svg("circle", { class: `fig-disc ${isDark(square, cols) ? "dark" : "light"}`, cx: x + 0.5, cy: y + 0.5, r: 0.32 });
  });
  const says = `A ${rows}x${cols} board. A knight goes from a1 to b3, d2, e4 and c5: dark, light, dark, light, dark.`;
  return figure("colours", [-0.7, -0.2, cols + 0.9, rows + 1], says, rimOf(rows, cols), ...squaresOf(rows, cols), line, ...discs, ...marks);
}

/**
 * Creates the board whose squares fly onto two piles, one for each colour. With reduced motion the piles are
 * complete from the start.
 * @param {number} rows
 * @param {number} cols
 * @param {boolean} [still] whether nothing moves
 */
export function pilesFigure(rows, cols, still = prefersReducedMotion()) {
  const outlines = svg("g", { class: "fig-outlines" });
  const flying = svg("g", {});
  const count = { dark: 0, light: 0 };
  const height = Math.max(rows, Math.ceil((rows * cols) / 2) * PILED);
  const floor = Math.max(rows, height);
  const left = cols + 1;
  const squares = squaresOf(rows, cols);
  squares.forEach((square, index) => {
    const [x, y] = cornerOf(index, rows, cols);
    const drop = floor - rows;
    outlines.append(svg("rect", { class: "fig-outline", x: x + 0.02, y: y + drop + 0.02, width: 0.96, height: 0.96, rx: 0.06 }));
    const side = isDark(index, cols) ? "dark" : "light";
    const to = [left + (side === "dark" ? 0 : 1.5), floor - (count[side] + 1) * PILED];
    count[side] += 1;
    square.setAttribute("x", "0.02");
    square.setAttribute("y", "0.02");
    const before = `translate(${x}px, ${y + drop}px)`;
    const after = `translate(${to[0]}px, ${to[1]}px) scale(${PILED})`;
    square.style.transform = still ? after : before;
    if (!still) {
      square.style.transition = `transform .7s ease-in-out ${0.6 + index * 0.09}s`;
      // Two frames: the first shows the square on the board, the second sends it off.
      requestAnimationFrame(() => requestAnimationFrame(() => (square.style.transform = after)));
    }
    flying.append(square);
  });
  const totals = svg("g", {});
  totals.append(text(String(count.dark), left + PILED / 2, floor + 0.4, "total"), text(String(count.light), left + 1.5 + PILED / 2, floor + 0.4, "total"));
  totals.append(text("dark", left + PILED / 2, floor + 0.85), text("light", left + 1.5 + PILED / 2, floor + 0.85));
  if (!still) {
    totals.classList.add("appearing");
    totals.style.animationDelay = `${1.3 + rows * cols * 0.09}s`;
  }
  const says = `The squares of the ${rows}x${cols} board on two piles: ${count.dark} dark, ${count.light} light.`;
  return figure("piles", [-0.2, -0.2, left + 2.9, floor + 1.4], says, outlines, flying, totals);
}

/** Creates the 4x4 board with the ring that its corners a1 and d4 force. */
export function ringFigure() {
  const ring = ["a1", "c2", "d4", "b3"].map((name) => squareNumber(name, 4));
  const discs = ring.map((square, index) => {
    const [x, y] = cornerOf(square, 4, 4);
    return svg("circle", { class: index % 2 === 0 ? "fig-disc corner" : "fig-disc", cx: x + 0.5, cy: y + 0.5, r: 0.2 });
  });
  const says = "The 4x4 board. The moves a1-c2, c2-d4, d4-b3 and b3-a1 form a ring of four squares; twelve squares are left out.";
  return figure("ring", [-0.7, -0.2, 4.9, 5], says, rimOf(4, 4), ...squaresOf(4, 4), lineThrough(ring, 4, 4, true), ...discs);
}

/** The parts of 4x4 without its four centre squares, joined by knight's moves. */
const PARTS = [["a1"], ["b1", "d2", "c4", "a3"], ["c1", "a2", "b4", "d3"], ["d1"], ["a4"], ["d4"]];

/** Creates the 4x4 board without its centre, and the six parts that are left. */
export function partsFigure() {
  const squares = squaresOf(4, 4);
  for (const name of ["b2", "c2", "b3", "c3"]) squares[squareNumber(name, 4)]?.setAttribute("class", "fig-square removed");
  const marks = PARTS.flatMap((part, index) => {
    const numbers = part.map((name) => squareNumber(name, 4));
    const other = index === 2 ? " other" : "";
    const line = lineThrough(numbers, 4, 4, true);
    line.setAttribute("class", `fig-line${other}`);
    const discs = numbers.flatMap((square) => {
      const [x, y] = cornerOf(square, 4, 4);
      return [svg("circle", { class: `fig-disc${other}`, cx: x + 0.5, cy: y + 0.5, r: 0.3 }), text(String(index + 1), x + 0.5, y + 0.5, "on-disc")];
    });
    return [line, ...discs];
  });
  const says = "The 4x4 board without b2, c2, b3 and c3 falls into six parts: four single corners, and two rings of four squares.";
  return figure("parts", [-0.7, -0.2, 4.9, 5], says, rimOf(4, 4), ...squares, ...marks);
}
