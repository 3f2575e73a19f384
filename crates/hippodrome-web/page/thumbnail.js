// Small pictures of boards: thumbnails of the gallery, boards of a race.

import { isDark } from "./colours.js";
import { paintPath, paintSquares, sheet } from "./paint.js";

/** Colours of the squares, as in base.css. */
const LIGHT = { light: "#f6f3ec", dark: "#e6e0d3", hole: "#86827a" };
const DARK = { light: "#262a32", dark: "#1c1f26", hole: "#07080a" };

/**
 * Paints a board and a path on it.
 * @param {HTMLCanvasElement} canvas
 * @param {import("./setup.js").Ground} ground
 * @param {ArrayLike<number>} path
 * @param {{ width?: number, closed?: boolean, knight?: boolean }} [style] `width` is in CSS pixels; by default it is the
 *   width in the layout
 */
export function paintThumbnail(canvas, { rows, cols, holes }, path, { width = canvas.clientWidth, closed = false, knight = false } = {}) {
  const on = sheet(canvas, rows, cols, width);
  if (!on) return;
  paintSquares(on, holes, isDark() ? DARK : LIGHT);
  paintPath(on, path, rows * cols - holes.size, { closed, knight });
}
