// The chart of distinct tours of a race. Lines differ in colour and dashes, and have their names beside them. Its size in
// CSS pixels follows its place, and its axes stay while the lines grow.

import { LINES, lineColour } from "./colours.js";
import { svg } from "./dom.js";
import { short } from "./numbers.js";

/**
 * @typedef {{ name: string, laps: [number, number][][] }} Series
 * @typedef {{ most: number, shown: number, unit: string, logarithmic: boolean }} Axis
 * `most` is the end of the horizontal axis, `shown` the value up to which lines are drawn.
 */

/** Height at which there is room for more than a few labels. */
const TALL = 180;
/** Height of a name. */
const LINE = 15;

/**
 * Returns round numbers from 0 to a little beyond the maximum.
 * @param {number} most
 * @param {number} [count]
 */
export function ticks(most, count = 5) {
  if (!(most > 0)) return [0, 1];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
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

/** The chart of a race. */
export class Chart {
  constructor() {
    this.node = svg("svg", { class: "chart", role: "img" });
    this.size = { width: 0, height: 0, left: 0, right: 0, top: 0, bottom: 0 };
  }

  /**
   * Draws the lines up to the position of the clock.
   * @param {Series[]} series
   * @param {Axis} axis
   * @param {{ width: number, height: number }} room
   */
  draw(series, { most, shown, unit, logarithmic }, { width, height }) {
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

  /**
   * @param {Series[]} series
   * @param {(v: number) => number} x
   * @param {(v: number) => number} y
   */
  lines(series, x, y) {
    return series.flatMap(({ laps }, index) =>
      laps.filter((lap) => lap.length > 0).map((lap) => {
        const line = [[0, 0], ...lap].map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`);
        const width = laps.length > 1 ? 1.6 : 2.4;
        return svg("polyline", { points: line.join(" "), fill: "none", stroke: lineColour(index), "stroke-width": width, "stroke-dasharray": LINES[index % LINES.length].dash });
      }));
  }

  /**
   * Places names at the ends of the lines, moved apart where they would overlap.
   * @param {Series[]} series
   * @param {(v: number) => number} x
   * @param {(v: number) => number} y
   */
  names(series, x, y) {
    const ends = series.map(({ name, laps }, index) => {
      const lasts = laps.filter((lap) => lap.length > 0).map((lap) => lap[lap.length - 1]);
      const mean = lasts.reduce((sum, [, value]) => sum + value, 0) / Math.max(1, lasts.length);
      const far = Math.max(0, ...lasts.map(([at]) => at));
      return { name, index, x: x(far) + 8, y: y(mean), any: lasts.length > 0 };
    }).filter(({ any }) => any).sort((a, b) => a.y - b.y);
    const { width, height, right, bottom } = this.size;
    let above = -Infinity;
    for (const end of ends) {
      end.y = Math.max(end.y, above + LINE);
      above = end.y;
    }
    // Names below the bottom edge move up, and push up the names above them.
    let below = height - bottom + LINE;
    for (const end of ends.toReversed()) {
      end.y = Math.min(end.y, below - LINE);
      below = end.y;
    }
    const letters = Math.floor(right / 7);
    return ends.map((end) => {
      const name = end.name.length > letters ? `${end.name.slice(0, letters - 1)}…` : end.name;
      const text = svg("text", { x: Math.min(end.x, width - right + 8), y: end.y + 4, class: "name" }, name);
      text.setAttribute("fill", lineColour(end.index));
      return text;
    });
  }
}

/**
 * Returns a sample of a line, for tables.
 * @param {number} index
 */
export function swatch(index) {
  const line = svg("line", { x1: 0, x2: 26, y1: 6, y2: 6, stroke: lineColour(index), "stroke-width": 3, "stroke-dasharray": LINES[index % LINES.length].dash });
  return svg("svg", { viewBox: "0 0 26 12", class: "swatch", "aria-hidden": "true" }, line);
}
