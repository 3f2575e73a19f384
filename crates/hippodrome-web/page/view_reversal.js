// A reversal: an end of the tour is linked to a square within it, a move is cut, and the part between is reversed.

import { last } from "./events.js";
import { addMove, beginStrokes, disc, endStrokes, ring } from "./shapes.js";

/**
 * Returns the reversal that made a path, with the places of the first and the last square of the reversed part.
 * @param {import("./scene.js").Seen} seen
 */
function reversalOf({ frame, path }) {
  const step = last(frame, "reversal");
  // On a large board the event may lack the reversed part.
  if (!step?.reversed?.length) return null;
  const { cut, added, reversed } = step;
  const from = path.indexOf(reversed[0]);
  const to = from + reversed.length - 1;
  return from >= 0 && path[to] === reversed[reversed.length - 1] ? { cut, added, from, to } : null;
}

/** @type {import("./scene.js").View} */
export const reversalView = {
  kinds: ["reversal", "reversals"],
  moving: 500,
  moves: (seen) => reversalOf(seen) !== null,
  legend: [
    { sample: "bold", text: "Move added", colour: "ink" },
    { sample: "dash", text: "Move cut", colour: "warn" },
    { sample: "line", text: "Part now run through backwards" },
    { sample: "ring", text: "New end of the tour" },
  ],
  under({ on, palette, phase }, seen) {
    const step = reversalOf(seen);
    if (!step) return;
    const { cut } = step;
    on.ctx.globalAlpha = 1 - 0.35 * phase;
    beginStrokes(on, palette.warn, 0.075, [0.1, 0.14]);
    addMove(on, cut[0], cut[1]);
    endStrokes(on);
    on.ctx.globalAlpha = 1;
  },
  over({ on, palette, phase }, seen) {
    const step = reversalOf(seen);
    if (!step) return;
    const { path } = seen;
    const { cut, added, from, to } = step;
    // The reversed part fills from the old end of the tour to the new one.
    const filled = Math.round((to - from) * Math.min(1, 2 * phase));
    const forward = path[to] === cut[1];
    for (const [colour, width] of /** @type {[string, number][]} */ ([[palette.page, 0.15], [palette.accent, 0.1]])) {
      beginStrokes(on, colour, width);
      for (let i = 0; i < filled; i++) {
        const at = forward ? from + i : to - i - 1;
        addMove(on, path[at], path[at + 1]);
      }
      endStrokes(on);
    }
    for (const [colour, width] of /** @type {[string, number][]} */ ([[palette.page, 0.24], [palette.ink, 0.15]])) {
      beginStrokes(on, colour, width);
      addMove(on, added[0], added[1], Math.min(1, 2 * phase));
      endStrokes(on);
    }
    const end = cut[1];
    for (const square of added) if (square !== end) disc(on, square, 0.12, palette.ink);
    ring(on, end, 0.43, palette.accent, 0.06);
  },
};
