// The chart of a race: its size in CSS pixels follows its place, and its axes stay while the lines grow.

import { Chart, ticks } from "./chart.js";
import { svg } from "./dom.js";
import { short } from "./numbers.js";

/**
 * @typedef {import("./chart.js").Series} Series
 * @typedef {{ most: number, shown: number, unit: string, logarithmic: boolean }} Axis
 * `most` is the end of the horizontal axis, `shown` the value up to which lines are drawn.
 */

/** Height at which there is room for more than a few labels. */
const TALL = 180;

/** The chart of distinct tours of a race. */
export class RaceChart extends Chart {
  /**
   * Draws the lines up to the position of the clock.
   * @param {Series[]} series
   * @param {Axis} axis
   * @param {{ width: number, height: number }} room
   */
  grow(series, { most, shown, unit, logarithmic }, { width, height }) {
    const narrow = width < 560;
    const right = narrow ? 118 : Math.min(190, Math.round(0.2 * width));
    this.size = { width, height, left: narrow ? 38 : 52, right, top: 10, bottom: 34 };
    const { left, top, bottom } = this.size;
    this.node.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const mostY = Math.max(1, ...series.flatMap(({ laps }) => laps.flat()).map(([, y]) => y));
    const count = height < TALL ? 2 : 4;
    const ys = logarithmic ? powers(mostY, count) : ticks(mostY, count).filter((y) => Number.isInteger(y));
    const xs = ticks(most, narrow ? 3 : 6);
    const [endX, endY] = [xs[xs.length - 1], ys[ys.length - 1]];
    const [wide, high] = [width - left - right, height - top - bottom];
    const x = (/** @type {number} */ value) => left + (wide * value) / endX;
    const share = (/** @type {number} */ value) => (logarithmic ? Math.log10(Math.max(1, value)) / Math.log10(endY) : value / endY);
    const y = (/** @type {number} */ value) => top + high * (1 - share(value));
    const parts = [];
    for (const value of ys) {
      parts.push(svg("line", { x1: left, x2: left + wide, y1: y(value), y2: y(value), class: "grid" }));
      parts.push(svg("text", { x: left - 7, y: y(value) + 4, "text-anchor": "end" }, short(value)));
    }
    for (const value of xs) parts.push(svg("text", { x: x(value), y: height - bottom + 16, "text-anchor": "middle" }, short(value)));
    parts.push(svg("line", { x1: left, x2: left + wide, y1: top + high, y2: top + high, class: "axis" }));
    parts.push(svg("text", { x: left + wide / 2, y: height - 4, "text-anchor": "middle" }, `distinct tours by ${unit}`));
    const letters = Math.floor((right - 10) / 7.6);
    const brief = (/** @type {string} */ name) => (name.length > letters ? `${name.slice(0, letters - 1)}…` : name);
    const begun = series.map(({ name, laps }) => ({ name: brief(name), laps: laps.map((lap) => upTo(lap, shown)) }));
    parts.push(...this.lines(begun, x, y), ...this.names(begun, x, y));
    this.node.replaceChildren(...parts);
    const totals = series.map(({ name, laps }) => `${name} ${Math.max(0, ...laps.flat().map(([, v]) => v))}`);
    this.node.setAttribute("aria-label", `Distinct tours by ${unit}: ${totals.join(", ")}. The table has the numbers.`);
  }
}

/**
 * Returns the part of a curve up to a value, with its last point there.
 * @param {[number, number][]} lap
 * @param {number} shown
 */
function upTo(lap, shown) {
  const before = lap.filter(([x]) => x <= shown);
  const next = lap[before.length];
  const [x, y] = before.at(-1) ?? [0, 0];
  if (next && next[0] > x) before.push([shown, y + ((next[1] - y) * (shown - x)) / (next[0] - x)]);
  return before;
}

/**
 * Returns powers of ten from 1 to beyond the maximum, at most `count` + 1 of them.
 * @param {number} most
 * @param {number} count
 */
function powers(most, count) {
  const last = Math.max(1, Math.ceil(Math.log10(Math.max(most, 2))));
  const step = Math.ceil(last / count);
  return Array.from({ length: Math.ceil(last / step) + 1 }, (_, i) => 10 ** (i * step));
}
