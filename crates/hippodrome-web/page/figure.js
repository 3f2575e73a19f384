// A figure beside the board: a canvas with a caption, which keeps its nodes from state to state.

import { palette } from "./colours.js";
import { el } from "./dom.js";

/**
 * What a figure is drawn on; lengths are CSS pixels.
 * @typedef {{ ctx: CanvasRenderingContext2D, width: number, height: number, fine: number,
 *   palette: import("./colours.js").Palette }} Plate
 */

/** A canvas with a caption. */
export class FigureCanvas {
  constructor() {
    this.canvas = el("canvas", { role: "img" });
    this.caption = el("figcaption", {});
    this.node = el("figure", { className: "insight" }, this.caption, this.canvas);
    this.width = 0;
    this.label = "";
    new ResizeObserver(([entry]) => (this.width = entry.contentRect.width)).observe(this.node);
  }

  /**
   * Clears the canvas and returns it, or null while the figure is not visible.
   * @param {(width: number) => number} height for a width
   * @returns {Plate | null}
   */
  begin(height) {
    const width = Math.floor(this.width || this.node.clientWidth);
    const ctx = this.canvas.getContext("2d");
    if (!ctx || width === 0) return null;
    const fine = Math.min(3, devicePixelRatio || 1);
    const high = Math.round(height(width));
    const [w, h] = [Math.round(width * fine), Math.round(high * fine)];
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
    ctx.setTransform(fine, 0, 0, fine, 0, 0);
    ctx.globalAlpha = 1;
    ctx.setLineDash([]);
    ctx.lineCap = "butt";
    ctx.lineJoin = "round";
    ctx.clearRect(0, 0, width, high);
    return { ctx, width, height: high, fine, palette: palette() };
  }

  /**
   * Sets the caption, and what a screen reader says for the picture.
   * @param {string} caption
   * @param {string} [label] the caption by default
   */
  say(caption, label = caption) {
    if (this.caption.textContent !== caption) this.caption.textContent = caption;
    if (this.label !== label) this.canvas.setAttribute("aria-label", label);
    this.label = label;
  }
}

/**
 * Writes a text on a figure.
 * @param {Plate} plate
 * @param {string} text
 * @param {number} x
 * @param {number} y of its middle
 * @param {{ colour?: string, align?: CanvasTextAlign, bold?: boolean, size?: number }} [style]
 */
export function label({ ctx, palette }, text, x, y, { colour = palette.soft, align = "left", bold = false, size = 12 } = {}) {
  ctx.font = `${bold ? 650 : 400} ${size}px system-ui, sans-serif`;
  ctx.textAlign = align;
  ctx.textBaseline = "middle";
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
}

/**
 * Draws a small board with a path.
 * @param {Plate} plate
 * @param {{ x: number, y: number, cell: number }} place
 * @param {{ rows: number, cols: number, holes: Set<number> }} ground
 * @param {ArrayLike<number>} path
 */
export function miniBoard({ ctx, palette, fine }, { x, y, cell }, { rows, cols, holes }, path) {
  ctx.globalAlpha = 0.1;
  ctx.fillStyle = palette.ink;
  for (let square = 0; square < rows * cols; square++) {
    const [row, col] = [Math.floor(square / cols), square % cols];
    if (holes.has(square)) ctx.globalAlpha = 0.6;
    else if ((row + col) % 2 === 1) continue;
    ctx.fillRect(x + col * cell, y + (rows - 1 - row) * cell, cell, cell);
    ctx.globalAlpha = 0.1;
  }
  ctx.globalAlpha = 1;
  ctx.lineWidth = 1 / fine;
  ctx.strokeStyle = palette.soft;
  ctx.strokeRect(x, y, cols * cell, rows * cell);
  const midX = (/** @type {number} */ square) => x + (square % cols + 0.5) * cell;
  const midY = (/** @type {number} */ square) => y + (rows - 0.5 - Math.floor(square / cols)) * cell;
  const { ramp } = palette;
  const whole = rows * cols - holes.size;
  ctx.lineWidth = Math.max(1, 0.12 * cell);
  for (let time = 1; time < path.length; time++) {
    ctx.beginPath();
    ctx.moveTo(midX(path[time - 1]), midY(path[time - 1]));
    ctx.lineTo(midX(path[time]), midY(path[time]));
    ctx.strokeStyle = ramp[Math.min(ramp.length - 1, Math.floor((time * ramp.length) / whole))];
    ctx.stroke();
  }
  if (path.length === 0) return;
  ctx.beginPath();
  ctx.arc(midX(path[0]), midY(path[0]), Math.max(1.5, 0.24 * cell), 0, 7);
  ctx.fillStyle = palette.ink;
  ctx.fill();
}
