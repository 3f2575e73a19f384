// The view of a search: lines on the board, counters, and a figure of the method's memory.

import { el } from "./dom.js";
import { FitnessFigure, StackFigure, PheromoneFigure } from "./figures.js";
import { grouped, ratio } from "./numbers.js";
import { paintPheromone, paintMoves, paintPath, decodePheromone, sheet } from "./paint.js";
import { hasSameSquares } from "./setup.js";
import { leaperMoves } from "./squares.js";

/**
 * @typedef {import("./history.js").HistoryEntry} HistoryEntry
 * @typedef {import("./setup.js").Ground} Ground
 */

/** Draws states of a search. */
export class Scene {
  /**
   * @param {HTMLCanvasElement} canvas
   */
  constructor(canvas) {
    this.canvas = canvas;
    this.counters = el("dl", { className: "counters" });
    this.insight = el("div", {});
    this.figures = { trail: new PheromoneFigure(), fitness: new FitnessFigure(), stack: new StackFigure() };
    /** The pheromone that was decoded last, and its context. */
    this.laid = { context: /** @type {unknown} */ (null), laid: /** @type {import("./paint.js").Pheromone | null} */ (null) };
  }

  /** Clears the figures. */
  clear() {
    this.figures.fitness.past = [];
    this.insight.replaceChildren();
  }

  /**
   * Shows the counters, with the papers' definitions.
   * @param {HistoryEntry | null} seen
   * @param {string | null} rounds name of the solver's rounds
   */
  count(seen, rounds) {
    const frame = seen?.frame;
    const context = seen?.context;
    const known = context?.laid || context?.fitness || context?.moves;
    const rows = /** @type {[string, string][]} */ ([
      ["Attempts", grouped(frame?.attempts ?? 0)],
      ["Moves", grouped(frame?.moves ?? 0)],
      ["Tours", grouped(frame?.tours ?? 0)],
      ["Distinct", grouped(frame?.distinct ?? 0)],
      ["Closed", grouped(frame?.closed ?? 0)],
      ["Hit ratio", frame && frame.attempts ? ratio(frame.distinct / frame.attempts) : "–"],
    ]);
    if (rounds && known && frame) rows.push([rounds[0].toUpperCase() + rounds.slice(1), grouped(frame.round)]);
    this.counters.replaceChildren(...rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
  }

  /**
   * Draws a state, on the board only if both boards have the same squares.
   * @param {HistoryEntry | null} seen
   * @param {Ground} ground the board of the search
   * @param {Ground} shown the board on the page
   * @param {{ memory: boolean, numbers: boolean }} style
   */
  draw(seen, ground, shown, { memory, numbers }) {
    const { rows, cols, holes } = ground;
    const on = sheet(this.canvas, shown.rows, shown.cols);
    if (!seen) return;
    const whole = rows * cols - holes.size;
    const { context, path } = seen;
    const laid = this.read(context, ground);
    this.show(seen, laid, ground, whole);
    if (!on || !hasSameSquares(ground, shown)) return;
    if (memory && laid) paintPheromone(on, laid);
    if (memory && context?.moves) paintMoves(on, context.moves);
    // Chosen moves include the path, so the path is drawn only when it is complete.
    if (!(memory && context?.moves && path.length < whole)) {
      paintPath(on, path, whole, { numbers, closed: path.length === whole && closes(path, ground) });
    }
  }

  /**
   * @param {import("./api.js").Context | null} context
   * @param {Ground} ground
   */
  read(context, ground) {
    if (!context?.laid) return null;
    if (this.laid.context !== context) {
      this.laid = { context, laid: decodePheromone(context.laid, context.most ?? 0, leaperMoves(ground.leaper)) };
    }
    return this.laid.laid;
  }

  /**
   * Shows the figure of a state.
   * @param {HistoryEntry} seen
   * @param {import("./paint.js").Pheromone | null} laid
   * @param {Ground} ground
   * @param {number} whole
   */
  show({ frame, context, path }, laid, { rows, cols }, whole) {
    const { trail, fitness, stack } = this.figures;
    const shown = laid ? trail : context?.fitness ? fitness : frame.untried ? stack : null;
    if (shown === null) this.insight.replaceChildren();
    else if (this.insight.firstChild !== shown.node) this.insight.replaceChildren(shown.node);
    if (laid) trail.draw(laid, rows, cols);
    else if (context?.fitness) fitness.draw(context.fitness, context.mean ?? 0, context.size ?? 0, context.round, whole - 1);
    else if (frame.untried) stack.draw(frame.untried, path, whole, cols);
  }
}

/**
 * Whether the last square of a path attacks its first.
 * @param {ArrayLike<number>} path
 * @param {Ground} ground
 */
function closes(path, { cols, leaper }) {
  const [first, last] = [path[0], path[path.length - 1]];
  const [up, right] = [Math.floor(first / cols) - Math.floor(last / cols), (first % cols) - (last % cols)];
  return leaperMoves(leaper).some(([u, r]) => u === up && r === right);
}
