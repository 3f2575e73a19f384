// The picture of a search: its path on the board, what the views of its method add, their figures and the legend.

import { palette } from "./colours.js";
import { el, oncePerFrame } from "./dom.js";
import { Legend } from "./legend.js";
import { FULL_DETAIL, paintEnds, paintGrid, paintLine, sheet } from "./paint.js";
import { hasSameSquares } from "./setup.js";
import { leaperMoves } from "./squares.js";
import { viewsFor } from "./views.js";

/**
 * @typedef {import("./api.js").Frame} Frame
 * @typedef {import("./history.js").HistoryEntry} HistoryEntry
 * @typedef {import("./setup.js").Ground} Ground
 */

/**
 * A state, and the one before it in the history.
 * @typedef {Pick<HistoryEntry, "frame" | "path" | "context"> & { before: HistoryEntry | null }} Seen
 */

/**
 * What figures are drawn for. `whole` is the number of squares of a tour. `phase` rises from 0 to 1 after a state has
 * appeared; at 1 the picture is still, and is complete.
 * @typedef {{ ground: Ground, whole: number, palette: import("./colours.js").Palette, phase: number,
 *   neighbours: (square: number) => number[] }} Backdrop
 */

/**
 * What views are painted on.
 * @typedef {Backdrop & { on: import("./paint.js").Sheet }} Stage
 */

/**
 * A figure beside the board. It keeps its nodes from state to state.
 * @typedef {{ node: HTMLElement, draw: (stage: Backdrop, seen: Seen) => void }} Figure
 */

/**
 * A small renderer. A solver has it if it sends one of its kinds of events.
 * @typedef {{
 *   kinds: string[],
 *   legend: import("./legend.js").LegendRow[],
 *   hidesPath?: (seen: Seen, stage: Stage) => boolean,
 *   under?: (stage: Stage, seen: Seen) => void,
 *   over?: (stage: Stage, seen: Seen) => void,
 *   figure?: () => Figure,
 *   moving?: number,
 *   moves?: (seen: Seen) => boolean,
 *   learn?: (frame: Frame) => void,
 *   fresh?: () => View,
 *   progress?: (seen: Seen, whole: number) => [string, string] | null,
 * }} View
 * `under` and `over` paint below and above the path. `moving` is how long `phase` takes, in milliseconds, for the states
 * for which `moves` is true. A view that remembers earlier frames makes itself anew with `fresh`, and gets every frame
 * through `learn`. `progress` says how far the method is, where squares on a path do not.
 */

/** Draws states of a search. */
export class Scene {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLElement | null} [figurePlace] gets the figures
   * @param {HTMLElement | null} [legendPlace] gets the legend
   */
  constructor(canvas, figurePlace = null, legendPlace = null) {
    this.canvas = canvas;
    this.figure = el("div", { className: "figures" });
    this.key = new Legend();
    /** The list of the legend. */
    this.legend = this.key.node;
    figurePlace?.append(this.figure);
    legendPlace?.append(this.legend);
    /** @type {View[]} */
    this.views = [];
    /** @type {Figure[]} */
    this.figures = [];
    /** The kinds of events that the views were picked for. */
    this.kinds = "";
    /** The number of the last frame that was learnt. */
    this.learnt = -1;
    /** What depends on the board alone. @type {{ ground: Ground, backdrop: Backdrop } | null} */
    this.kept = null;
    /** The arguments of the last call of `draw`. @type {Parameters<Scene["draw"]> | null} */
    this.drawn = null;
    const again = oncePerFrame(() => {
      if (this.drawn) this.draw(...this.drawn);
    });
    const sizes = new ResizeObserver(again);
    for (const node of [canvas, this.figure]) sizes.observe(node);
  }

  /**
   * Picks the views of a solver, and forgets the search before it.
   * @param {{ events?: string[] } | null} solver
   */
  use(solver) {
    this.views = viewsFor(solver).map((view) => view.fresh?.() ?? view);
    this.learnt = -1;
    const kinds = (solver?.events ?? []).join();
    if (kinds !== this.kinds || this.legend.childElementCount === 0) {
      /** @type {import("./legend.js").LegendRow[]} */
      const path = [{ sample: "path", text: "The path, dark to light from its start" }, { sample: "knight", text: "The knight" }, { sample: "closing", text: "Closing move" }];
      const pathless = this.views.some(({ hidesPath }) => hidesPath);
      this.key.show([...(pathless ? [] : path), ...this.views.flatMap(({ legend }) => legend)]);
    }
    this.kinds = kinds;
    this.figures = this.views.map((view) => view.figure?.()).filter((figure) => figure !== undefined);
    this.figure.replaceChildren(...this.figures.map(({ node }) => node));
  }

  /**
   * Takes note of a frame as it arrives, drawn or not: blocks and layers are reported only once.
   * @param {Frame} frame
   */
  learn(frame) {
    // Earlier states that are drawn again were learnt before.
    if (frame.n <= this.learnt) return;
    this.learnt = frame.n;
    for (const view of this.views) view.learn?.(frame);
  }

  /**
   * Returns how far the method is, by name and value; null if the squares on the path say so.
   * @param {HistoryEntry} entry
   * @param {HistoryEntry | null} before
   * @param {Ground} ground
   * @returns {[string, string] | null}
   */
  progress(entry, before, ground) {
    const seen = { frame: entry.frame, path: entry.path, context: entry.context, before };
    const { whole } = this.backdrop(ground);
    if (seen.path.length === whole) return null;
    for (const view of this.views) {
      const progress = view.progress?.(seen, whole);
      if (progress) return progress;
    }
    return null;
  }

  /**
   * Returns how long the picture of a state moves, in milliseconds: how long `phase` takes from 0 to 1.
   * @param {HistoryEntry | null} entry
   * @param {HistoryEntry | null} before
   */
  moving(entry, before) {
    if (!entry) return 0;
    const seen = { frame: entry.frame, path: entry.path, context: entry.context, before };
    let most = 0;
    for (const { moving = 0, moves } of this.views) if (moving > most && (moves?.(seen) ?? true)) most = moving;
    return most;
  }

  /**
   * Draws a state, on the board only if both boards have the same squares.
   * @param {HistoryEntry | null} entry
   * @param {HistoryEntry | null} before the state before it, if it is known
   * @param {Ground} ground the board of the search
   * @param {Ground} shownGround the board on the page
   * @param {{ numbers?: boolean, memory?: boolean, phase?: number }} [style] `memory` is whether the views are shown
   */
  draw(entry, before, ground, shownGround, style = {}) {
    this.drawn = [entry, before, ground, shownGround, style];
    const { numbers = false, memory = true, phase = 1 } = style;
    const on = sheet(this.canvas, shownGround.rows, shownGround.cols);
    if (on && Math.max(on.rows, on.cols) > FULL_DETAIL) paintGrid(on, shownGround.holes);
    this.key.draw();
    this.figure.hidden = !entry || !memory;
    if (!entry) return;
    this.learn(entry.frame);
    const backdrop = this.backdrop(ground);
    backdrop.palette = palette();
    backdrop.phase = phase;
    const seen = { frame: entry.frame, path: entry.path, context: entry.context, before };
    if (memory) for (const figure of this.figures) figure.draw(backdrop, seen);
    if (!on || !hasSameSquares(ground, shownGround)) return;
    const stage = { ...backdrop, on };
    const views = memory ? this.views : [];
    const { path } = seen;
    for (const view of views) view.under?.(stage, seen);
    const hidden = views.some((view) => view.hidesPath?.(seen, stage));
    if (!hidden) {
      const closed = path.length === stage.whole && path.length > 2 && stage.neighbours(path[path.length - 1]).includes(path[0]);
      paintLine(on, path, stage.whole, { numbers, closed });
    }
    for (const view of views) view.over?.(stage, seen);
    if (!hidden) paintEnds(on, path, { numbers, knight: true });
  }

  /**
   * Returns what depends on the board, made once per board.
   * @param {Ground} ground
   */
  backdrop(ground) {
    if (this.kept?.ground === ground) return this.kept.backdrop;
    const { rows, cols, holes } = ground;
    const moves = leaperMoves(ground.leaper);
    /** @type {number[][]} */
    const known = [];
    const find = (/** @type {number} */ square) => {
      const [row, col] = [Math.floor(square / cols), square % cols];
      return moves
        .filter(([up, right]) => row + up >= 0 && row + up < rows && col + right >= 0 && col + right < cols)
        .map(([up, right]) => square + up * cols + right)
        .filter((near) => !holes.has(near));
    };
    const backdrop = {
      ground, whole: rows * cols - holes.size, palette: palette(), phase: 1,
      neighbours: (/** @type {number} */ square) => (known[square] ??= find(square)),
    };
    this.kept = { ground, backdrop };
    return backdrop;
  }
}
