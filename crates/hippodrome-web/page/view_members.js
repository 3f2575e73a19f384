// A population: three of its members as boards, the fitness of all, and the curve of the generations.

import { paintCurve } from "./curve.js";
import { FigureCanvas, label, miniBoard } from "./figure.js";
import { grouped } from "./numbers.js";

const EMPTY = /** @type {number[]} */ ([]);

/** @type {import("./scene.js").View} */
export const membersView = {
  kinds: ["members", "population", "generation"],
  legend: [{ sample: "bar", text: "Legal moves of each chromosome" }],
  figure() {
    const figure = new FigureCanvas();
    return {
      node: figure.node,
      draw(backdrop, { context }) {
        const { whole, ground, palette } = backdrop;
        const { rows, cols } = ground;
        const fitness = context?.fitness ?? EMPTY;
        const members = context?.members;
        const cell = (/** @type {number} */ width) => Math.min((width - 32) / (3 * cols), 108 / rows);
        const boards = (/** @type {number} */ width) => (members ? rows * cell(width) + 22 : 0);
        const plate = figure.begin((width) => boards(width) + 112);
        if (!plate) return;
        const { ctx, width } = plate;
        if (members) {
          const side = cell(width);
          const apart = (width - 3 * cols * side) / 2;
          /** @type {[string, number[]][]} */
          const named = [["best", members.best], ["median", members.median], ["worst", members.worst]];
          named.forEach(([name, path], at) => {
            const x = at * (cols * side + apart);
            label(plate, `${name}: ${path.length ? path.length - 1 : 0} moves`, x, 8, { colour: palette.ink, bold: at === 0 });
            miniBoard(plate, { x, y: 18, cell: side }, ground, path);
          });
        }
        const top = boards(width);
        const [best, mean] = [fitness[0] ?? 0, context?.mean ?? 0];
        const bars = Math.round(0.36 * width);
        const [base, high] = [top + 92, 84];
        const step = bars / Math.max(1, fitness.length);
        ctx.fillStyle = palette.accent;
        ctx.globalAlpha = 0.6;
        fitness.forEach((moves, at) => {
          const tall = (high * moves) / Math.max(1, whole - 1);
          ctx.fillRect(at * step, base - tall, Math.max(0.5, step > 3 ? step - 1 : step), tall);
        });
        ctx.globalAlpha = 1;
        ctx.fillStyle = palette.soft;
        ctx.fillRect(0, base, bars, 1);
        label(plate, "all, best first", 0, top + 103, { size: 11 });
        paintCurve(plate, { x: bars + 8, y: top, width: width - bars - 8, height: 112 }, context?.curve ?? [], {
          round: context?.round ?? 0, whole: context?.whole ?? whole - 1, unit: "generation",
          lines: [{ name: "best", colour: palette.ink, dash: EMPTY, at: 1 }, { name: "mean", colour: palette.accent, dash: [5, 3], at: 2 }],
        });
        const size = context?.size ?? fitness.length;
        if (size === 0) {
          figure.say("The first generation is being drawn.", "No generation yet");
          return;
        }
        figure.say(`${grouped(size)} chromosomes; fitness is the number of legal moves, and a tour has ${whole - 1}.`,
          `Fitness of ${grouped(size)} chromosomes: best ${best}, mean ${mean.toFixed(1)} of ${whole - 1} moves`);
      },
    };
  },
};
