// A small chart of curves over the rounds of a method.

import { ticks } from "./chart.js";
import { label } from "./figure.js";
import { short } from "./numbers.js";

/**
 * @typedef {{ name: string, colour: string, dash: number[], width?: number, at: 1 | 2 }} Line
 * The line's values are entry `at` of each point.
 */

/**
 * Paints curves into a rectangle of a figure. Points beyond the round shown are left out.
 * @param {import("./figure.js").Plate} plate
 * @param {{ x: number, y: number, width: number, height: number }} place
 * @param {[number, number, number][]} points `[round, first, second]`, in the order of the rounds
 * @param {{ round: number, whole: number, lines: Line[], unit: string }} style `whole` is the value that a tour has
 */
export function paintCurve(plate, place, points, { round, whole, lines, unit }) {
  const { ctx, palette } = plate;
  const [left, right, top, bottom] = [26, 72, 8, 18];
  const [wide, high] = [place.width - left - right, place.height - top - bottom];
  if (wide < 20 || high < 20) return;
  let count = points.length;
  while (count > 0 && points[count - 1][0] > round) count -= 1;
  const end = Math.max(1, count > 0 ? points[count - 1][0] : 1);
  const begin = count > 0 ? Math.min(points[0][0], end - 1) : 0;
  const x = (/** @type {number} */ at) => place.x + left + (wide * (at - begin)) / Math.max(1, end - begin);
  const y = (/** @type {number} */ value) => place.y + top + high * (1 - value / Math.max(1, whole));
  ctx.lineWidth = 1;
  for (const value of [0, whole]) {
    ctx.beginPath();
    ctx.moveTo(place.x + left, y(value));
    ctx.lineTo(place.x + left + wide, y(value));
    ctx.strokeStyle = palette.soft;
    ctx.globalAlpha = value === 0 ? 0.7 : 0.45;
    ctx.setLineDash(value === 0 ? [] : [2, 3]);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.setLineDash([]);
    label(plate, short(value), place.x + left - 5, y(value), { align: "right", size: 11 });
  }
  for (const value of ticks(end, wide > 200 ? 4 : 3)) {
    if (value > end || value < begin || x(value) > place.x + place.width - 8 * unit.length - 10) continue;
    label(plate, short(value), x(value), place.y + place.height - 8, { align: "center", size: 11 });
  }
  label(plate, unit, place.x + place.width, place.y + place.height - 8, { align: "right", size: 11 });
  if (count === 0) return;
  // Names stand beside the ends of their lines, apart where they would overlap.
  let above = -Infinity;
  for (const { name, colour, dash, width = 2, at } of lines) {
    ctx.beginPath();
    for (let i = 0; i < count; i++) ctx.lineTo(x(points[i][0]), y(Math.min(whole, points[i][at])));
    if (count === 1) ctx.lineTo(x(points[0][0]) + 2, y(points[0][at]));
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.setLineDash(dash);
    ctx.stroke();
    ctx.setLineDash([]);
    const value = points[count - 1][at];
    above = Math.max(y(Math.min(whole, value)), above + 13);
    label(plate, `${name} ${short(value)}`, place.x + left + wide + 5, above, { colour, bold: true, size: 11 });
  }
}
