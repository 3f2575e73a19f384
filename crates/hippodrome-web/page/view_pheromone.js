// Pheromone: lines on the board, a small board for each move as in Figure 2 of Hingston & Kendall (2004), and the learning curve.

import { paintCurve } from "./curve.js";
import { FigureCanvas, label } from "./figure.js";
import { short } from "./numbers.js";
import { FULL_DETAIL } from "./paint.js";
import { xOf, yOf } from "./shapes.js";
import { leaperMoves } from "./squares.js";

/**
 * Levels from 0 to 255 for each move of each square; `has` is 0 where the move leaves the board.
 * @typedef {{ levels: Uint8Array, has: Uint8Array, moves: [number, number][] }} Pheromone
 */

/**
 * Decodes levels of pheromone: two hexadecimal digits per move of each square, dots where there is no move.
 * @param {string} text
 * @param {[number, number][]} moves
 * @returns {Pheromone}
 */
export function decodePheromone(text, moves) {
  const count = text.length / 2;
  const laid = { levels: new Uint8Array(count), has: new Uint8Array(count), moves };
  for (let i = 0; i < count; i++) {
    if (text[2 * i] === ".") continue;
    laid.has[i] = 1;
    laid.levels[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  }
  return laid;
}

/**
 * Paints pheromone as lines, stronger where there is more; the two directions of a move are side by side.
 * @param {import("./scene.js").Stage} stage
 * @param {Pheromone} laid
 */
function paintLines({ on, palette }, { levels, has, moves }) {
  const { ctx, cell, cols, fine } = on;
  // As much on every move says nothing, and would cover the board.
  let [least, most] = [255, 0];
  for (let i = 0; i < levels.length; i++) {
    if (has[i] === 0) continue;
    least = Math.min(least, levels[i]);
    most = Math.max(most, levels[i]);
  }
  if (most - least < 3) return;
  // On a large board only the strong moves are drawn, which are few.
  const faint = Math.max(on.rows, on.cols) > FULL_DETAIL ? 0.3 : 0.02;
  ctx.strokeStyle = palette.trail;
  for (let i = 0; i < levels.length; i++) {
    const share = levels[i] / 255;
    if (share < faint) continue;
    const [up, right] = moves[i % moves.length];
    const from = Math.floor(i / moves.length);
    const to = from + up * cols + right;
    const [x, y] = [xOf(on, from), yOf(on, from)];
    const [dx, dy] = [xOf(on, to) - x, yOf(on, to) - y];
    const off = (0.05 * cell) / Math.hypot(dx, dy);
    ctx.beginPath();
    ctx.moveTo(x - off * dy, y + off * dx);
    ctx.lineTo(x + dx - off * dy, y + dy + off * dx);
    ctx.globalAlpha = 0.06 + 0.6 * share ** 0.7;
    ctx.lineWidth = Math.max(fine, (0.02 + 0.075 * share) * cell);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

/**
 * Draws a small board for each move.
 * @param {import("./figure.js").Plate} plate
 * @param {Pheromone} laid
 * @param {{ rows: number, cols: number }} ground
 * @param {{ across: number, cell: number }} place
 */
function paintBoards(plate, { levels, has, moves }, { rows, cols }, { across, cell }) {
  const { ctx, palette } = plate;
  moves.forEach(([up, right], code) => {
    const x = (code % across) * (cols * cell + GAP);
    const y = Math.floor(code / across) * (rows * cell + LABEL + GAP);
    const arrow = `${Math.abs(up)}${up > 0 ? "↑" : "↓"} ${Math.abs(right)}${right > 0 ? "→" : "←"}`;
    label(plate, arrow, x, y + 7, { size: 11 });
    ctx.fillStyle = palette.ink;
    for (let square = 0; square < rows * cols; square++) {
      const at = square * moves.length + code;
      if (!has[at] || levels[at] < 3) continue;
      ctx.globalAlpha = (levels[at] / 255) ** 0.8;
      ctx.fillRect(x + (square % cols) * cell, y + LABEL + (rows - 1 - Math.floor(square / cols)) * cell, cell, cell);
    }
    ctx.globalAlpha = 1;
    ctx.lineWidth = 1;
    ctx.strokeStyle = palette.soft;
    ctx.strokeRect(x + 0.5, y + LABEL + 0.5, cols * cell - 1, rows * cell - 1);
  });
}

const [GAP, LABEL, CURVE] = [7, 15, 92];
/** Greatest height of the small boards together. */
const BOARDS = 154;

/** @returns {import("./scene.js").View} */
function fresh() {
  /** What was decoded last. @type {{ context: unknown, laid: Pheromone } | null} */
  let kept = null;
  /**
   * @param {import("./scene.js").Backdrop} backdrop
   * @param {import("./scene.js").Seen} seen
   */
  const read = ({ ground }, { context }) => {
    if (!context?.laid) return null;
    if (kept?.context !== context) kept = { context, laid: decodePheromone(context.laid, leaperMoves(ground.leaper)) };
    return kept.laid;
  };
  return {
    ...pheromoneView,
    under(stage, seen) {
      const laid = read(stage, seen);
      if (laid) paintLines(stage, laid);
    },
    figure() {
      const figure = new FigureCanvas();
      /** What the figure shows; the ants of a cycle share it. @type {unknown[]} */
      let shown = [];
      return {
        node: figure.node,
        draw(backdrop, seen) {
          const laid = read(backdrop, seen);
          const { context } = seen;
          const { ground, whole, palette } = backdrop;
          const state = [context, palette, figure.width, ground];
          if (state.every((part, at) => part === shown[at]) && figure.width > 0) return;
          shown = state;
          const count = laid?.moves.length ?? 8;
          const across = 4;
          const down = Math.ceil(count / across);
          const cellFor = (/** @type {number} */ width) => Math.max(1, Math.min(
            (width - (across - 1) * GAP) / (across * ground.cols),
            ((BOARDS + GAP) / down - LABEL - GAP) / ground.rows));
          const boards = (/** @type {number} */ width) => down * (ground.rows * cellFor(width) + LABEL + GAP);
          const plate = figure.begin((width) => boards(width) + CURVE);
          if (!plate) return;
          const { ctx, width } = plate;
          const [cell, top] = [cellFor(width), boards(width)];
          if (laid) paintBoards(plate, laid, ground, { across, cell });
          // The key of the shades, if there is room beside the boards.
          const x = across * (ground.cols * cell + GAP) + 10;
          if (laid && width - x > 70) {
            for (let step = 0; step <= 10; step++) {
              ctx.globalAlpha = (step / 10) ** 0.8;
              ctx.fillStyle = palette.ink;
              ctx.fillRect(x, 30 + 8 * (10 - step), 14, 8);
            }
            ctx.globalAlpha = 1;
            ctx.strokeStyle = palette.soft;
            ctx.strokeRect(x + 0.5, 30.5, 13, 87);
            label(plate, "pheromone", x, 18, { size: 11 });
            label(plate, short(context?.most ?? 0), x + 20, 36, { size: 11 });
            label(plate, "0", x + 20, 114, { size: 11 });
          }
          const curve = context?.curve ?? [];
          paintCurve(plate, { x: 0, y: top, width, height: CURVE }, curve, {
            round: Infinity, whole: context?.whole ?? whole, unit: "cycle",
            lines: [{ name: "longest", colour: palette.ink, dash: [], at: 1 }, { name: "mean", colour: palette.trail, dash: [5, 3], at: 2 }],
          });
          const end = curve[curve.length - 1];
          figure.say(`Pheromone on each move, by square (as Figure 2 of Hingston & Kendall 2004), and the squares that ants reach, by cycle.`,
            `Pheromone: a small board for each move, at most ${short(context?.most ?? 0)}${end ? `; cycle ${end[0]}: longest ${short(end[1])}, mean ${short(end[2])} of ${whole} squares` : ""}`);
        },
      };
    },
  };
}

/** @type {import("./scene.js").View} */
export const pheromoneView = {
  kinds: ["move-weights", "cycle"],
  legend: [{ sample: "faint", text: "Pheromone: stronger where more ants went far", colour: "trail" }],
  fresh,
};
