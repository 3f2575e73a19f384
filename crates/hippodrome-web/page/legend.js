// The legend of the board: a sample of each mark, and what it means.

import { palette } from "./colours.js";
import { el } from "./dom.js";
import { badge, beginStrokes, disc, endStrokes, paintKnight, ring } from "./shapes.js";

/**
 * @typedef {"path" | "knight" | "closing" | "badge" | "open-badge" | "line" | "bold" | "dash" | "faint" | "disc" | "dot" | "ring" | "alarm" | "cross" | "stub"
 *   | "bar" | "block" | "cycles"} Sample
 * @typedef {{ sample: Sample, text: string, colour?: "ink" | "soft" | "accent" | "warn" | "trail" }} LegendRow
 */

const [WIDE, HIGH] = [30, 18];

/** A list of samples with their meanings. */
export class Legend {
  constructor() {
    this.node = el("ul", { className: "legend", "aria-label": "Legend" });
    /** @type {{ row: LegendRow, canvas: HTMLCanvasElement }[]} */
    this.samples = [];
    /** The palette that the samples are drawn in. @type {import("./colours.js").Palette | null} */
    this.palette = null;
  }

  /**
   * Shows rows.
   * @param {LegendRow[]} rows
   */
  show(rows) {
    this.samples = rows.map((row) => ({ row, canvas: el("canvas", { "aria-hidden": "true" }) }));
    this.node.replaceChildren(...this.samples.map(({ row, canvas }) => el("li", {}, canvas, el("span", {}, row.text))));
    this.palette = null;
    this.draw();
  }

  /** Draws the samples again if the colours have changed. */
  draw() {
    const colours = palette();
    if (colours === this.palette) return;
    this.palette = colours;
    for (const { row, canvas } of this.samples) drawSample(canvas, row, colours);
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {LegendRow} row
 * @param {import("./colours.js").Palette} colours
 */
function drawSample(canvas, { sample, colour = "accent" }, colours) {
  const ctx = canvas.getContext("2d");
  if (!ctx) return;
  const fine = Math.max(1, Math.min(3, devicePixelRatio || 1));
  [canvas.width, canvas.height] = [WIDE * fine, HIGH * fine];
  const { ink, page, ramp, cycles } = colours;
  const shade = colours[colour];
  // The sample is drawn on a board of one square around its middle.
  const cell = 28 * fine;
  ctx.lineCap = "round";
  const on = { rows: 1, cols: 1, cell, fine, ctx };
  ctx.translate((canvas.width - cell) / 2, (canvas.height - cell) / 2);
  const middle = cell / 2;
  const line = (/** @type {string} */ tone, /** @type {number} */ width, /** @type {number[]} */ dashes = [], y = middle, from = 0, to = cell) => {
    beginStrokes(on, tone, width, dashes);
    ctx.moveTo(from, y);
    ctx.lineTo(to, y);
    endStrokes(on);
  };
  /** @type {Record<Sample, () => void>} */
  const samples = {
    path: () => {
      for (let part = 0; part < 6; part++) line(ramp[part * 12], 0.11, [], middle, (part * cell) / 6, ((part + 1) * cell) / 6);
      disc(on, 0, 0.001, ink);
      ctx.beginPath();
      ctx.arc(0.08 * cell, middle, 0.16 * cell, 0, 7);
      ctx.fill();
    },
    closing: () => line(ramp[ramp.length - 1], 0.11, [0.2, 0.15]),
    knight: () => paintKnight(on, middle, middle, 0.62, { ink, page }),
    badge: () => badge(on, middle, middle, "2", { fill: shade, ink: page, edge: shade, radius: 0.29 }),
    "open-badge": () => badge(on, middle, middle, "5", { fill: page, ink, edge: shade, radius: 0.29 }),
    line: () => line(shade, 0.1),
    bold: () => line(shade, 0.17),
    dash: () => line(shade, 0.07, [0.12, 0.14]),
    faint: () => {
      ctx.globalAlpha = 0.45;
      line(shade, 0.09);
      ctx.globalAlpha = 1;
    },
    disc: () => disc(on, 0, 0.24, shade),
    dot: () => {
      ctx.globalAlpha = 0.6;
      disc(on, 0, 0.12, shade);
      ctx.globalAlpha = 1;
    },
    ring: () => ring(on, 0, 0.26, shade, 0.1),
    alarm: () => {
      ctx.globalAlpha = 0.3;
      disc(on, 0, 0.28, shade);
      ctx.globalAlpha = 1;
      ring(on, 0, 0.28, shade, 0.1);
    },
    cross: () => {
      beginStrokes(on, shade, 0.11);
      const arm = 0.2 * cell;
      ctx.moveTo(middle - arm, middle - arm);
      ctx.lineTo(middle + arm, middle + arm);
      ctx.moveTo(middle - arm, middle + arm);
      ctx.lineTo(middle + arm, middle - arm);
      endStrokes(on);
    },
    stub: () => {
      disc(on, 0, 0.13, shade);
      beginStrokes(on, shade, 0.12);
      ctx.moveTo(middle, middle);
      ctx.lineTo(middle + 0.26 * cell, middle - 0.22 * cell);
      endStrokes(on);
    },
    bar: () => {
      ctx.fillStyle = shade;
      for (const [at, high] of [[0.1, 0.25], [0.37, 0.55], [0.64, 0.4]]) ctx.fillRect(at * cell, (0.78 - high) * cell, 0.2 * cell, high * cell);
    },
    block: () => {
      ctx.globalAlpha = 0.25;
      ctx.fillStyle = shade;
      ctx.fillRect(0.05 * cell, 0.24 * cell, 0.9 * cell, 0.52 * cell);
      ctx.globalAlpha = 1;
      ctx.lineWidth = 1.5 * fine;
      ctx.strokeStyle = shade;
      ctx.strokeRect(0.05 * cell, 0.24 * cell, 0.9 * cell, 0.52 * cell);
    },
    cycles: () => [0, 1, 2].forEach((at) => line(cycles[at], 0.1, [], (0.3 + 0.2 * at) * cell)),
  };
  samples[sample]();
}
