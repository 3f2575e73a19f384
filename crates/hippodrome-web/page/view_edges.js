// Edges chosen, forced and excluded by a search that decides edges, with what the last step did.

import { last } from "./events.js";
import { FigureCanvas, label } from "./figure.js";
import { addEnd, addMove, beginStrokes, disc, endStrokes, ring, write, xOf, yOf } from "./shapes.js";

/** @typedef {import("./events.js").Link} Link */

/**
 * Strokes links; one with an added vertex is a stub at the end of the tour.
 * @param {import("./scene.js").Stage} stage
 * @param {Link[]} links
 * @param {string} colour
 * @param {number} width
 * @param {number[]} [dashes]
 */
function strokeLinks({ on }, links, colour, width, dashes) {
  beginStrokes(on, colour, width, dashes);
  for (const [u, v] of links) if (u !== null && v !== null) addMove(on, u, v);
  endStrokes(on);
  if (dashes) return;
  beginStrokes(on, colour, width);
  for (const [u, v] of links) if ((u === null) !== (v === null)) addEnd(on, u ?? v ?? 0);
  endStrokes(on);
}

/** @param {Link[]} links */
function movesIn(links) {
  return links.reduce((sum, [u, v]) => sum + Number(u !== null && v !== null), 0);
}

/** @type {import("./scene.js").View} */
export const edgesView = {
  kinds: ["edges", "forced", "branch", "exclude", "contradiction"],
  moving: 350,
  moves: ({ frame }) => last(frame, "contradiction") !== null,
  legend: [
    { sample: "bold", text: "Move tried", colour: "ink" },
    { sample: "line", text: "Move forced: no other is left" },
    { sample: "dash", text: "Move removed", colour: "soft" },
    { sample: "stub", text: "End of the tour", colour: "ink" },
    { sample: "ring", text: "Square with the fewest moves left", colour: "ink" },
    { sample: "alarm", text: "Contradiction: too few moves are left", colour: "warn" },
  ],
  progress({ context }, whole) {
    if (!context?.edges) return null;
    return ["Moves decided", `${movesIn(context.edges.forced) + movesIn(context.edges.chosen)} of ${whole}`];
  },
  hidesPath: ({ context, path }, { whole }) => Boolean(context?.edges) && path.length < whole,
  under(stage, { context, path }) {
    const edges = context?.edges;
    if (!edges || path.length === stage.whole) return;
    const { on, palette } = stage;
    on.ctx.globalAlpha = 0.6;
    strokeLinks(stage, edges.excluded, palette.soft, 0.02, [0.05, 0.09]);
    on.ctx.globalAlpha = 1;
    strokeLinks(stage, edges.forced, palette.accent, 0.075);
    strokeLinks(stage, edges.chosen, palette.ink, 0.12);
    const radius = on.cell >= 18 * on.fine ? 0.085 : 0.12;
    const used = new Set([...edges.forced, ...edges.chosen].flat());
    for (const square of used) if (square !== null) disc(on, square, radius, palette.ink);
  },
  over({ on, palette, phase, whole }, { frame, path }) {
    if (path.length === whole) return;
    const branch = last(frame, "branch");
    if (branch && branch.vertex !== null) ring(on, branch.vertex, 0.3, palette.ink, 0.045);
    const short = last(frame, "contradiction")?.short;
    if (!short || short.vertex === null) return;
    const glow = Math.sin(Math.PI * Math.min(1, phase));
    on.ctx.globalAlpha = 0.18 + 0.3 * glow;
    disc(on, short.vertex, 0.46, palette.warn);
    on.ctx.globalAlpha = 1;
    ring(on, short.vertex, 0.46, palette.warn, 0.07);
    if (on.cell >= 36 * on.fine) {
      const text = `${short.left} of ${short.needs}`;
      write(on, xOf(on, short.vertex), yOf(on, short.vertex) + 0.25 * on.cell, text, 0.2, palette.ink, palette.page);
    }
  },
  figure() {
    const figure = new FigureCanvas();
    /** Number of moves of the board. @type {{ ground: unknown, moves: number }} */
    let board = { ground: null, moves: 0 };
    return {
      node: figure.node,
      draw({ ground, neighbours }, { context }) {
        if (board.ground !== ground) {
          let ends = 0;
          for (let square = 0; square < ground.rows * ground.cols; square++) if (!ground.holes.has(square)) ends += neighbours(square).length;
          board = { ground, moves: ends / 2 };
        }
        const edges = context?.edges ?? { forced: [], chosen: [], excluded: [] };
        const plate = figure.begin(() => 116);
        if (!plate) return;
        const { ctx, width, palette } = plate;
        const [tried, forced, removed] = [edges.chosen, edges.forced, edges.excluded].map(movesIn);
        const open = Math.max(0, board.moves - tried - forced - removed);
        const rows = /** @type {[string, number, string, number][]} */ ([
          ["tried", tried, palette.ink, 1], ["forced", forced, palette.accent, 1],
          ["removed", removed, palette.soft, 0.45], ["undecided", open, palette.soft, 0.12],
        ]);
        const wide = width - 130;
        rows.forEach(([name, count, colour, alpha], at) => {
          const y = 14 + 27 * at;
          label(plate, name, 0, y, { colour: palette.ink, size: 13 });
          ctx.globalAlpha = alpha;
          ctx.fillStyle = colour;
          const length = (wide * count) / Math.max(1, board.moves);
          ctx.fillRect(78, y - 8, length, 16);
          ctx.globalAlpha = 1;
          ctx.lineWidth = 1;
          ctx.strokeStyle = palette.soft;
          if (alpha < 0.2) ctx.strokeRect(78.5, y - 7.5, Math.max(0, length - 1), 15);
          label(plate, String(count), 86 + length, y, { colour: palette.ink, bold: true, size: 13 });
        });
        figure.say(`The ${board.moves} moves of the board: a tour uses two at every square, so one decision forces others.`,
          `Moves: ${rows.map(([name, count]) => `${count} ${name}`).join(", ")}, of ${board.moves}`);
      },
    };
  },
};
