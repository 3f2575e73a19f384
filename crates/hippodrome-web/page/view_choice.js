// A choice by onward moves: the candidates with their numbers of onward moves.

import { last } from "./events.js";
import { FigureCanvas, label } from "./figure.js";
import { addMove, badge, beginStrokes, endStrokes, ring, write, xOf, yOf } from "./shapes.js";
import { squareName } from "./squares.js";

/** @type {Record<string, string>} */
const TIES = {
  random: "a random choice",
  order: "the order of the moves",
  ascending: "the order of the squares",
  pohl: "the onward moves one move later",
  roth: "the distance from the centre",
};

/**
 * Returns the choice that led to a state.
 * @param {import("./scene.js").Seen} seen
 */
function choiceOf({ frame, path }) {
  const choice = last(frame, "choice");
  return choice && path[path.length - 1] === choice.chosen && choice.options.length > 0 ? choice : null;
}

/**
 * Returns the fewest onward moves of the candidates.
 * @param {import("./events.js").Choice} choice
 */
function fewest({ options }) {
  return options.reduce((least, { onward }) => Math.min(least, onward), Infinity);
}

/**
 * Returns the next square of several, after others have failed.
 * @param {import("./scene.js").Seen} seen
 */
function retryOf({ frame, path }) {
  const retry = last(frame, "retry");
  return retry && path[path.length - 1] === retry.chosen ? retry : null;
}

/** @type {import("./scene.js").View} */
export const choiceView = {
  kinds: ["choice", "retry"],
  legend: [
    { sample: "badge", text: "Fewest onward moves" },
    { sample: "open-badge", text: "More onward moves", colour: "soft" },
    { sample: "ring", text: "Chosen" },
  ],
  under({ on, palette }, seen) {
    const choice = choiceOf(seen);
    if (!choice) return;
    beginStrokes(on, palette.soft, 0.025, [0.02, 0.09]);
    for (const { square } of choice.options) if (square !== choice.chosen) addMove(on, choice.from, square);
    endStrokes(on);
  },
  over({ on, palette }, seen) {
    const { accent, page, soft, ink } = palette;
    const retry = retryOf(seen);
    if (retry) {
      ring(on, retry.chosen, 0.44, accent, 0.055);
      if (retry.left > 0 && on.cell >= 18 * on.fine) {
        write(on, xOf(on, retry.from), yOf(on, retry.from) + 0.33 * on.cell, `${retry.left} left`, 0.2, ink, page);
      }
    }
    const choice = choiceOf(seen);
    if (!choice) return;
    const least = fewest(choice);
    for (const { square, onward, second } of choice.options) {
      const style = onward === least ? { fill: accent, ink: page, edge: page } : { fill: page, ink, edge: soft };
      let [x, y] = [xOf(on, square), yOf(on, square)];
      if (square === choice.chosen) {
        ring(on, square, 0.44, accent, 0.055);
        // The knight stands here, so the badge is in the corner.
        [x, y] = [x + 0.3 * on.cell, y - 0.3 * on.cell];
        badge(on, x, y, String(onward), { ...style, radius: 0.19 });
      } else {
        badge(on, x, y, String(onward), style);
      }
      if (second === null || on.cell < 36 * on.fine) continue;
      // The value that decides ties; beside the knight's ring, or below the badge.
      const aside = square === choice.chosen ? 0.36 * on.cell : 0;
      write(on, xOf(on, square) + aside, yOf(on, square) + 0.4 * on.cell, String(second), 0.17, ink, page);
    }
  },
  figure() {
    const figure = new FigureCanvas();
    return {
      node: figure.node,
      draw({ ground }, seen) {
        const choice = choiceOf(seen);
        const line = 21;
        const plate = figure.begin(() => 8 * line);
        if (!plate) return;
        const name = (/** @type {number} */ square) => squareName(square, ground.cols);
        if (!choice) {
          const retry = retryOf(seen);
          figure.say(retry ? `Back on ${name(retry.from)}, ${name(retry.chosen)} is tried next; ${retry.left} more are left there.` : "The squares that the knight attacks, by their onward moves.");
          return;
        }
        const least = fewest(choice);
        const sorted = choice.options.toSorted((a, b) => a.onward - b.onward);
        const most = Math.max(1, sorted[sorted.length - 1].onward);
        const { ctx, palette, width } = plate;
        const wide = Math.min(260, width - 170);
        sorted.forEach(({ square, onward, second }, at) => {
          const [y, chosen] = [(at + 0.5) * line, square === choice.chosen];
          label(plate, name(square), 0, y, { colour: palette.ink, bold: chosen, size: 13 });
          ctx.fillStyle = ctx.strokeStyle = onward === least ? palette.accent : palette.soft;
          const length = (wide * onward) / most;
          ctx.lineWidth = 1.5;
          if (onward === least) ctx.fillRect(40, y - 7, Math.max(2, length), 14);
          else ctx.strokeRect(40.75, y - 6.25, Math.max(0.5, length - 1.5), 12.5);
          const tie = second === null ? "" : ` (${second})`;
          label(plate, `${onward}${tie}${chosen ? "  ← chosen" : ""}`, 48 + length, y, { colour: palette.ink, bold: chosen, size: 13 });
        });
        const ties = sorted.filter(({ onward }) => onward === least).length;
        const why = ties > 1 ? `${ties} are tied; ${TIES[choice.ties] ?? choice.ties} decides` : "the fewest wins";
        const list = sorted.map(({ square, onward }) => `${name(square)} ${onward}`).join(", ");
        figure.say(`Onward moves of the squares that ${name(choice.from)} attacks: ${why}.`, `Onward moves: ${list}; ${name(choice.chosen)} is chosen.`);
      },
    };
  },
};
