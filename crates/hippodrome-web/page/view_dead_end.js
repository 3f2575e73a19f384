// A dead end: its square flashes, and the moves that are undone fade out one at a time.

import { commonLength, isNextStep, last } from "./events.js";
import { addMove, beginStrokes, disc, endStrokes, ring, xOf, yOf } from "./shapes.js";

/**
 * Returns the dead end before a state, and the moves undone.
 * @param {import("./scene.js").Seen} seen
 */
function deadEndOf(seen) {
  const { frame, path, before } = seen;
  const dead = last(frame, "dead-end");
  if (!dead) return null;
  // The path of the dead end is known only if it is the state before.
  const known = isNextStep(seen) && before !== null && before.path[before.path.length - 1] === dead.square;
  return { square: dead.square, undone: known ? before.path : NONE, common: known ? commonLength(path, before.path) : 0 };
}

const NONE = new Uint16Array();

/**
 * Marks the square of a dead end. It lies below the path, which may have come back to the square.
 * @param {import("./paint.js").Sheet} on
 * @param {number} square
 * @param {import("./colours.js").Palette} palette
 * @param {number} phase
 */
function paintCross(on, square, palette, phase) {
  const { ctx, cell } = on;
  // One swell, never a series of flashes.
  const glow = Math.sin(Math.PI * Math.min(1, 2 * phase));
  if (glow > 0.01) {
    ctx.globalAlpha = 0.35 * glow;
    disc(on, square, 0.48, palette.warn);
    ctx.globalAlpha = 1;
    ring(on, square, 0.3 + 0.16 * glow, palette.warn, 0.05);
  }
  const [x, y, arm] = [xOf(on, square), yOf(on, square), 0.17 * cell];
  for (const [colour, width] of /** @type {[string, number][]} */ ([[palette.page, 0.16], [palette.warn, 0.085]])) {
    beginStrokes(on, colour, width);
    ctx.moveTo(x - arm, y - arm);
    ctx.lineTo(x + arm, y + arm);
    ctx.moveTo(x - arm, y + arm);
    ctx.lineTo(x + arm, y - arm);
    endStrokes(on);
  }
}

/** @type {import("./scene.js").View} */
export const deadEndView = {
  kinds: ["dead-end", "back"],
  moving: 600,
  moves: (seen) => last(seen.frame, "dead-end") !== null,
  legend: [
    { sample: "cross", text: "Dead end", colour: "warn" },
    { sample: "faint", text: "Moves undone", colour: "warn" },
  ],
  over({ on, palette, whole }, { frame, path }) {
    // A search that keeps its untried squares is at a dead end before it says so.
    const stuck = frame.untried && frame.untried.length === path.length && frame.untried[path.length - 1] === 0;
    if (stuck && path.length < whole) paintCross(on, path[path.length - 1], palette, 1);
  },
  under({ on, palette, phase }, seen) {
    const dead = deadEndOf(seen);
    if (!dead) return;
    const { undone, common } = dead;
    const count = undone.length - common;
    const { ctx } = on;
    // From the dead end back, one move after another; what is undone stays faintly visible.
    for (let back = 0; back < count; back++) {
      const time = undone.length - 1 - back;
      if (time < 1) break;
      const gone = Math.min(1, Math.max(0, phase * (count + 1) - back));
      ctx.globalAlpha = 0.85 - 0.6 * gone;
      beginStrokes(on, palette.warn, 0.07, gone < 1 ? undefined : [0.05, 0.12]);
      addMove(on, undone[time - 1], undone[time]);
      endStrokes(on);
    }
    ctx.globalAlpha = 1;
    paintCross(on, dead.square, palette, phase);
  },
};
