// A sweep over the board: the squares that are finished, the frontier, and the number of states.

import { last } from "./events.js";
import { FigureCanvas, label } from "./figure.js";
import { grouped, short } from "./numbers.js";
import { beginStrokes, disc, endStrokes, ring } from "./shapes.js";

/** @returns {import("./scene.js").View} */
function fresh() {
  /** The squares finished, in order; every layer tells all of them. @type {number[]} */
  let finished = [];
  /** States of the frontier before each layer. @type {number[]} */
  const states = [];
  /** The last layer of each frame. @type {WeakMap<object, number>} */
  const reached = new WeakMap();
  let latest = 0;
  /** @param {import("./scene.js").Frame} frame */
  const learn = (frame) => {
    for (const event of frame.events ?? []) {
      if (event.kind !== "layer") continue;
      const { number } = event.of;
      // A new sweep begins.
      if (number < latest) states.length = 0;
      // On a large board the event may lack the squares.
      const known = event.of.finished ?? [];
      if (number < latest || known.length > finished.length) finished = known;
      states[number] = event.of.states;
      latest = number;
    }
    reached.set(frame, latest);
  };
  const layerOf = (/** @type {import("./scene.js").Seen} */ { frame }) => last(frame, "layer")?.number ?? reached.get(frame) ?? latest;
  return {
    ...layerView,
    learn,
    under({ on, palette, neighbours, whole }, seen) {
      if (seen.path.length === whole) return;
      const done = new Set(finished.slice(0, layerOf(seen)));
      const { ctx, cell, rows, cols, fine } = on;
      const box = (/** @type {number} */ square) => /** @type {const} */ ([(square % cols) * cell, (rows - 1 - Math.floor(square / cols)) * cell]);
      ctx.fillStyle = palette.accent;
      ctx.globalAlpha = 0.42;
      for (const square of done) ctx.fillRect(...box(square), cell, cell);
      ctx.globalAlpha = 1;
      // The frontier: squares that are not finished, a move away from one that is.
      /** @type {Set<number>} */
      const frontier = new Set();
      for (const square of done) for (const near of neighbours(square)) if (!done.has(near)) frontier.add(near);
      beginStrokes(on, palette.ink, 0.045, [0.1, 0.1]);
      const inside = Math.max(1.5 * fine, 0.08 * cell);
      for (const square of frontier) {
        const [x, y] = box(square);
        ctx.rect(x + inside, y + inside, cell - 2 * inside, cell - 2 * inside);
      }
      endStrokes(on);
    },
    over({ on, palette, whole }, { frame, path }) {
      const layer = last(frame, "layer");
      if (!layer || path.length === whole) return;
      ring(on, layer.square, 0.32, palette.ink, 0.09);
      disc(on, layer.square, 0.09, palette.ink);
    },
    progress: (seen, whole) => ["Finished", `${layerOf(seen)} of ${whole}`],
    figure() {
      const figure = new FigureCanvas();
      return {
        node: figure.node,
        draw({ whole }, seen) {
          const plate = figure.begin(() => 150);
          if (!plate) return;
          const { ctx, width, palette } = plate;
          const layer = layerOf(seen);
          const now = states[layer] ?? 0;
          const most = states.reduce((a, b) => Math.max(a, b ?? 0), 10);
          const [base, high] = [126, 92];
          const step = width / Math.max(1, whole);
          for (let number = 1; number < states.length; number++) {
            if (!states[number]) continue;
            const tall = (high * Math.log10(1 + states[number])) / Math.log10(1 + most);
            ctx.fillStyle = palette.accent;
            ctx.globalAlpha = number === layer ? 1 : number < layer ? 0.5 : 0.15;
            ctx.fillRect((number - 1) * step, base - tall, Math.max(0.6, step - 1), tall);
          }
          ctx.globalAlpha = 1;
          ctx.fillStyle = palette.soft;
          ctx.fillRect(0, base, width, 1);
          label(plate, `${grouped(now)} ${now === 1 ? "state" : "states"}`, 0, 12, { colour: palette.ink, bold: true, size: 17 });
          label(plate, `most so far: ${short(most)}`, width, 12, { align: "right" });
          label(plate, `square ${layer} of ${whole}`, 0, base + 14);
          label(plate, "height: logarithm", width, base + 14, { align: "right" });
          figure.say("A state is one way to meet the frontier; partial tours that meet it in the same way are counted together.",
            `Square ${layer} of ${whole}: ${grouped(now)} states of the frontier`);
        },
      };
    },
  };
}

/** @type {import("./scene.js").View} */
export const layerView = {
  kinds: ["layer"],
  legend: [
    { sample: "block", text: "Finished squares" },
    { sample: "dash", text: "Frontier: a move away from finished ones", colour: "ink" },
    { sample: "ring", text: "Square finished now", colour: "ink" },
  ],
  hidesPath: ({ path }, { whole }) => path.length < whole,
  fresh,
};
