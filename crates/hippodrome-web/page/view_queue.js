// A queue of partial tours: how many of each length wait, and which one is extended.

import { commonLength, isNextStep, last } from "./events.js";
import { FigureCanvas, label } from "./figure.js";
import { grouped, short } from "./numbers.js";
import { addMove, beginStrokes, disc, endStrokes } from "./shapes.js";

/** @type {import("./scene.js").View} */
export const queueView = {
  kinds: ["queue", "extend"],
  legend: [
    { sample: "dot", text: "Where this partial tour can go on" },
    { sample: "faint", text: "The partial tour before it, now in the queue", colour: "soft" },
    { sample: "bar", text: "Partial tours waiting, by length" },
  ],
  under({ on, palette, neighbours, whole }, seen) {
    const { path, before } = seen;
    const taken = new Set(path);
    if (before && isNextStep(seen) && path.length < whole) {
      on.ctx.globalAlpha = 0.4;
      beginStrokes(on, palette.soft, 0.05);
      for (let time = Math.max(1, commonLength(path, before.path)); time < before.path.length; time++) addMove(on, before.path[time - 1], before.path[time]);
      endStrokes(on);
      on.ctx.globalAlpha = 1;
    }
    if (path.length === 0) return;
    const head = path[path.length - 1];
    const free = neighbours(head).filter((near) => !taken.has(near));
    beginStrokes(on, palette.soft, 0.025, [0.02, 0.09]);
    for (const near of free) addMove(on, head, near);
    endStrokes(on);
    on.ctx.globalAlpha = 0.6;
    for (const near of free) disc(on, near, 0.12, palette.accent);
    on.ctx.globalAlpha = 1;
  },
  figure() {
    const figure = new FigureCanvas();
    return {
      node: figure.node,
      draw({ whole }, { frame, path, context }) {
        const plate = figure.begin(() => 172);
        if (!plate) return;
        const { ctx, width, palette } = plate;
        const queue = context?.queue ?? [];
        const [base, high] = [140, 104];
        const step = width / (whole + 1);
        const most = queue.reduce((a, b) => Math.max(a, b), 1);
        const all = queue.reduce((a, b) => a + b, 0) || (last(frame, "extend")?.waiting ?? 0);
        const here = path.length;
        for (let length = 1; length < queue.length; length++) {
          if (!queue[length]) continue;
          // Roots, so that a few long partial tours are visible beside thousands of short ones.
          const tall = Math.max(2, high * Math.sqrt(queue[length] / most));
          ctx.fillStyle = palette.accent;
          ctx.globalAlpha = length === here ? 1 : 0.55;
          ctx.fillRect(length * step, base - tall, Math.max(0.8, step - 1), tall);
        }
        ctx.globalAlpha = 1;
        ctx.fillStyle = palette.soft;
        ctx.fillRect(0, base, width, 1);
        // The head of the queue.
        const x = (here + 0.5) * step;
        ctx.fillStyle = palette.ink;
        ctx.beginPath();
        ctx.moveTo(x, base + 2);
        ctx.lineTo(x - 6, base + 12);
        ctx.lineTo(x + 6, base + 12);
        ctx.fill();
        const aside = x > width / 2;
        label(plate, `extended now: ${here}`, aside ? x - 10 : x + 10, base + 9, { colour: palette.ink, bold: true, align: aside ? "right" : "left" });
        label(plate, "1 square", 0, base + 25);
        label(plate, `${whole} squares`, width, base + 25, { align: "right" });
        label(plate, `${grouped(all)} partial tours wait`, 0, 12, { colour: palette.ink, bold: true, size: 15 });
        label(plate, `most of one length: ${short(most)}`, width, 12, { align: "right" });
        figure.say("The queue by length of path, on a root scale. Next is the most promising one: long, with few ways to go on.",
          `The queue: ${grouped(all)} partial tours wait; one of ${here} of ${whole} squares is extended`);
      },
    };
  },
};
