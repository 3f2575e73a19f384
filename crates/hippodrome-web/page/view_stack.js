// The stack of a backtracking search: the squares still to be tried at each depth.

import { FigureCanvas, label } from "./figure.js";
import { grouped } from "./numbers.js";
import { addMove, beginStrokes, disc, endStrokes, write, xOf, yOf } from "./shapes.js";
import { squareName } from "./squares.js";

/** Number of levels whose untried squares are shown on the board. */
const LEVELS = 8;
/** Number of squares at the end of the path that are named. */
const NAMES = 8;

/**
 * Calls back for each untried square of the last levels. Only their number is known, so the squares are known only
 * where none or all but the one entered are untried.
 * @param {import("./scene.js").Stage} stage
 * @param {import("./scene.js").Seen} seen
 * @param {(from: number, to: number) => void} found
 * @param {(from: number, count: number) => void} counted
 */
function lastLevels({ neighbours }, { frame: { untried = [] }, path }, found, counted) {
  const earlier = new Set(path);
  for (let depth = path.length - 1; depth >= Math.max(0, path.length - LEVELS); depth--) {
    const from = path[depth];
    // Squares that were free when this level began: those of later levels, and those off the path.
    if (depth + 1 < path.length) earlier.delete(path[depth + 1]);
    const count = untried[depth] ?? 0;
    if (count === 0) continue;
    const free = neighbours(from).filter((near) => !earlier.has(near) && near !== path[depth + 1]);
    if (free.length === count) for (const to of free) found(from, to);
    if (depth + 1 < path.length) counted(from, count);
  }
}

/** @type {import("./scene.js").View} */
export const stackView = {
  kinds: ["stack"],
  legend: [
    { sample: "dot", text: "Still to be tried" },
    { sample: "badge", text: "How many are left to try from there", colour: "soft" },
  ],
  under(stage, seen) {
    const { on, palette } = stage;
    beginStrokes(on, palette.soft, 0.025, [0.02, 0.09]);
    lastLevels(stage, seen, (from, to) => addMove(on, from, to), () => {});
    endStrokes(on);
    on.ctx.globalAlpha = 0.6;
    lastLevels(stage, seen, (_, to) => disc(on, to, 0.12, palette.accent), () => {});
    on.ctx.globalAlpha = 1;
  },
  over(stage, seen) {
    const { on, palette } = stage;
    if (on.cell < 24 * on.fine || seen.path.length === stage.whole) return;
    lastLevels(stage, seen, () => {}, (from, count) => {
      const [x, y] = [xOf(on, from) + 0.3 * on.cell, yOf(on, from) - 0.3 * on.cell];
      on.ctx.beginPath();
      on.ctx.arc(x, y, 0.14 * on.cell, 0, 7);
      on.ctx.fillStyle = palette.soft;
      on.ctx.fill();
      write(on, x, y, String(count), 0.18, palette.page);
    });
  },
  figure() {
    const figure = new FigureCanvas();
    return {
      node: figure.node,
      draw({ whole, ground }, { frame: { untried = [] }, path }) {
        const plate = figure.begin(() => 132);
        if (!plate) return;
        const { ctx, width, palette } = plate;
        const [base, high, most] = [104, 84, 8];
        const step = width / Math.max(1, whole);
        ctx.fillStyle = palette.accent;
        let open = 0;
        for (let depth = 0; depth < untried.length; depth++) {
          const tall = (high * Math.min(untried[depth], most)) / most;
          open += untried[depth];
          ctx.fillRect(depth * step, base - tall, Math.max(0.6, step - 1), tall);
        }
        ctx.fillStyle = palette.soft;
        ctx.fillRect(0, base, width, 1);
        ctx.fillStyle = palette.ink;
        ctx.fillRect(0, base + 2, step * untried.length, 4);
        label(plate, "start", 0, base + 17);
        label(plate, `${whole} squares`, width, base + 17, { align: "right" });
        label(plate, "untried squares per move", 0, 8);
        const tail = Array.from(path.slice(-NAMES), (square) => squareName(square, ground.cols)).join(" ");
        figure.say(
          `The stack: ${untried.length} of ${whole} squares deep, ${grouped(open)} still to be tried. ${path.length > NAMES ? "… " : ""}${tail}`,
          `The stack: depth ${untried.length} of ${whole}, ${open} squares to be tried`,
        );
      },
    };
  },
};
