// Figures of a method's memory besides its path: pheromone as in Figure 2 of the 2004 paper, the fitness of a
// population, the stack of a backtracking search.

import { isDark, palette } from "./colours.js";
import { el, svg } from "./dom.js";
import { grouped, short } from "./numbers.js";
import { squareName } from "./squares.js";

/** Number of squares at the end of the path that are written out. */
const NAMES = 12;

/**
 * One small board per move of the piece. Shades show the amount of pheromone on that move from each square.
 */
export class PheromoneFigure {
  constructor() {
    this.canvas = el("canvas", { role: "img", "aria-label": "Pheromone: a small board for each move" });
    this.caption = el("figcaption", {});
    this.node = el("figure", { className: "insight" }, this.canvas, this.caption);
  }

  /**
   * @param {import("./paint.js").Pheromone} laid
   * @param {number} rows
   * @param {number} cols
   */
  draw({ levels, has, moves, most }, rows, cols) {
    const ctx = this.canvas.getContext("2d");
    const width = this.node.clientWidth;
    if (!ctx || !width) return;
    const fine = devicePixelRatio || 1;
    const across = 4;
    const down = Math.ceil(moves.length / across);
    const gap = 14 * fine;
    const label = 18 * fine;
    const cell = (width * fine - gap * (across - 1)) / (across * cols);
    this.canvas.width = width * fine;
    this.canvas.height = down * (rows * cell + label) + (down - 1) * gap;
    const { ink, page } = palette();
    const [from, to] = isDark() ? [38, 247] : [240, 28];
    ctx.font = `${12 * fine}px system-ui, sans-serif`;
    ctx.textBaseline = "top";
    moves.forEach(([up, right], code) => {
      const x = (code % across) * (cols * cell + gap);
      const y = Math.floor(code / across) * (rows * cell + label + gap);
      ctx.fillStyle = ink;
      const arrow = `${Math.abs(up)}${up > 0 ? "↑" : "↓"} ${Math.abs(right)}${right > 0 ? "→" : "←"}`;
      ctx.fillText(arrow, x, y);
      ctx.fillStyle = page;
      ctx.fillRect(x, y + label, cols * cell, rows * cell);
      for (let square = 0; square < rows * cols; square++) {
        const at = square * moves.length + code;
        if (!has[at]) continue;
        const grey = Math.round(from + (to - from) * (levels[at] / 255) ** 0.8);
        ctx.fillStyle = `rgb(${grey} ${grey} ${grey})`;
        ctx.fillRect(x + (square % cols) * cell, y + label + (rows - 1 - Math.floor(square / cols)) * cell, cell + 0.4, cell + 0.4);
      }
      ctx.strokeStyle = palette().soft;
      ctx.strokeRect(x + 0.5, y + label + 0.5, cols * cell - 1, rows * cell - 1);
    });
    this.caption.textContent = `Figure 2 of Hingston & Kendall (2004): a board for each move, ${isDark() ? "lighter" : "darker"} where more pheromone lies on that move from a square; the most is ${short(most)}.`;
  }
}

/** The fitness of a population, and its history. */
export class FitnessFigure {
  constructor() {
    this.svg = svg("svg", { viewBox: "0 0 480 200", class: "chart", role: "img" });
    this.caption = el("figcaption", {});
    this.node = el("figure", { className: "insight" }, el("div", {}), this.caption);
    this.node.firstElementChild?.append(this.svg);
    /** @type {{ round: number, best: number, mean: number }[]} */
    this.past = [];
  }

  /**
   * @param {number[]} sorted fitness of the population, or of a part evenly spread over it, best first
   * @param {number} mean
   * @param {number} size of the population
   * @param {number} round
   * @param {number} whole number of moves of a tour
   */
  draw(sorted, mean, size, round, whole) {
    const best = sorted[0] ?? 0;
    // For an earlier state, show only the generations up to it.
    if (round > (this.past.at(-1)?.round ?? -1)) this.past.push({ round, best, mean });
    if (this.past.length > 400) this.past = this.past.filter((_, i) => i % 2 === 0);
    const past = this.past.filter((entry) => entry.round <= round);
    const step = 480 / sorted.length;
    const high = (/** @type {number} */ f) => 180 * (f / Math.max(1, whole));
    const parts = [svg("line", { x1: 0, x2: 480, y1: 10, y2: 10, class: "grid" })];
    sorted.forEach((f, i) => {
      parts.push(svg("rect", { x: i * step, y: 190 - high(f), width: Math.max(0.5, step - 1), height: high(f), fill: "var(--accent)", opacity: 0.55 }));
    });
    const last = Math.max(1, past.length - 1);
    for (const [key, dash] of /** @type {["best" | "mean", string][]} */ ([["best", ""], ["mean", "5 4"]])) {
      const points = past.map((entry, i) => `${(480 * i) / last},${190 - high(entry[key])}`);
      parts.push(svg("polyline", { points: points.join(" "), fill: "none", stroke: "var(--ink)", "stroke-width": 2, "stroke-dasharray": dash }));
    }
    this.svg.setAttribute("aria-label", `Fitness: best ${best}, mean ${mean.toFixed(1)} of ${whole} moves`);
    this.svg.replaceChildren(...parts);
    const whose = sorted.length < size ? `${sorted.length} of ${grouped(size)} chromosomes, evenly spread,` : "each chromosome,";
    this.caption.textContent = `Legal moves of ${whose} best first (bars), and the best (line) and the mean (dashes) of the generations so far: best ${best}, mean ${mean.toFixed(1)}, a tour has ${whole}.`;
  }
}

/** The stack of a backtracking search: the number of untried squares at each depth. */
export class StackFigure {
  constructor() {
    this.svg = svg("svg", { viewBox: "0 0 480 110", class: "chart", role: "img" });
    this.names = el("code", {});
    this.caption = el("figcaption", {});
    this.node = el("figure", { className: "insight" }, el("div", {}), this.caption, this.names);
    this.node.firstElementChild?.append(this.svg);
  }

  /**
   * @param {number[]} untried
   * @param {ArrayLike<number>} path
   * @param {number} whole
   * @param {number} cols
   */
  draw(untried, path, whole, cols) {
    const step = 480 / Math.max(whole, 1);
    const most = 8;
    const bars = untried.map((count, depth) => {
      const high = (90 * Math.min(count, most)) / most;
      return svg("rect", { x: depth * step, y: 100 - high, width: Math.max(0.6, step - 1), height: high, fill: "var(--accent)" });
    });
    const reach = svg("rect", { x: 0, y: 102, width: step * untried.length, height: 5, fill: "var(--ink)" });
    this.svg.replaceChildren(svg("line", { x1: 0, x2: 480, y1: 101, y2: 101, class: "axis" }), ...bars, reach);
    const open = untried.reduce((sum, count) => sum + count, 0);
    this.svg.setAttribute("aria-label", `The stack: depth ${untried.length} of ${whole}, ${open} squares to be tried`);
    this.caption.textContent = `The stack: depth ${untried.length} of ${whole}; bars are squares still to be tried at each depth, ${grouped(open)} in all.`;
    const tail = Array.from(path).slice(-NAMES).map((square) => squareName(square, cols));
    this.names.textContent = (path.length > NAMES ? "… " : "") + tail.join(" ");
  }
}
