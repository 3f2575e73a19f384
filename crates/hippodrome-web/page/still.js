// What the board shows without a search: a tour that draws itself, a linked tour, the knight on its square.

import { post } from "./api.js";
import { prefersReducedMotion } from "./dom.js";
import { sayClosable } from "./messages.js";
import { grouped } from "./numbers.js";
import { hasGrid } from "./board.js";
import { palette } from "./colours.js";
import { paintGrid, paintPath, sheet } from "./paint.js";
import { groundJson, hasSameSquares, isSameGround, setup } from "./setup.js";
import { paintKnight, ring, xOf, yOf } from "./shapes.js";
import { squareName } from "./squares.js";

/**
 * @typedef {import("./setup.js").Ground} Ground
 * @typedef {import("./api.js").Tour} Tour
 */

/** Milliseconds in which a tour draws itself. */
const DRAWING = 500;

/** A tour without a search, or the setup of the board. */
export class Still {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {() => void} redraw
   */
  constructor(canvas, redraw) {
    this.canvas = canvas;
    this.redraw = redraw;
    /** @type {{ tour: Tour, ground: Ground, kind: "demo" | "linked" | "story", title: string, begun: number, numbers: boolean } | null} */
    this.shown = null;
    /** The request for a tour that is under way. */
    this.turn = 0;
  }

  clear() {
    this.turn += 1;
    this.shown = null;
  }

  isShown() {
    return this.shown !== null;
  }

  /** Returns the tour that is shown on its own board, if there is one. */
  shownTour() {
    return this.shown && hasSameSquares(this.shown.ground, setup.ground) ? this.shown : null;
  }

  /** Returns the tour that a click shows large: not the one that only greets. */
  finished() {
    return this.shown?.kind === "demo" ? null : this.shownTour();
  }

  /** Gives way to the board when it is changed by hand. */
  edited() {
    if (this.shown && this.shown.kind !== "story") this.clear();
  }

  /** Returns the tour that the address should contain. */
  linked() {
    return this.shown?.kind === "linked" ? this.shownTour() : null;
  }

  title() {
    return this.shown?.title ?? "A knight's tour";
  }

  /**
   * Shows a tour.
   * @param {Tour} tour
   * @param {Ground} ground
   * @param {{ kind: "demo" | "linked" | "story", title: string, numbers?: boolean }} how
   */
  show(tour, ground, { kind, title, numbers = false }) {
    this.turn += 1;
    this.shown = { tour, ground, kind, title, numbers, begun: performance.now() };
    this.redraw();
  }

  /** Shows some tour of the board, so that the page is never empty. */
  async demonstrate() {
    const ground = setup.ground;
    if (!setup.isPainted() || ground.rows * ground.cols > 2500) return;
    const turn = ++this.turn;
    const found = await post("/api/find", { ground: groundJson(ground), seed: 1 }).catch(() => null);
    if (turn !== this.turn || !found?.tour || !isSameGround(ground, setup.ground)) return;
    this.show(found.tour, ground, { kind: "demo", title: "A knight's tour" });
  }

  /**
   * Verifies and shows a tour from the address. Returns whether it is one.
   * @param {string} text
   */
  async openLinked(text) {
    const turn = ++this.turn;
    const ground = setup.ground;
    const board = { ...groundJson(ground), start: null, end: null, closed: false };
    try {
      const tour = /** @type {Tour} */ (await post("/api/tour", { ground: board, tour: text.replaceAll("_", " ") }));
      if (turn !== this.turn) return true;
      this.show(tour, ground, { kind: "linked", title: `${tour.closed ? "Closed" : "Open"} tour` });
      return true;
    } catch (error) {
      sayClosable("link", "The link contains no valid tour of this board.", error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** A sentence about what is shown. */
  sentence() {
    const { start, cols } = setup.ground;
    const shown = this.shownTour();
    if (shown?.kind === "linked") {
      const { tour } = shown;
      const crossings = tour.crossings === null ? "" : `, ${grouped(tour.crossings)} crossings`;
      return `${tour.closed ? "a closed" : "an open"} tour from ${squareName(tour.squares[0], cols)}${crossings}; click on the board to see it large`;
    }
    if (shown?.kind === "story") return "";
    if (start !== null && !shown) return `the knight starts on ${squareName(start, cols)}; ▶ lets it run`;
    return "a knight's tour visits every square of a board once, by the knight's move";
  }

  /**
   * @param {boolean} numbers
   */
  draw(numbers) {
    const { rows, cols, holes, start, end } = setup.ground;
    const on = sheet(this.canvas, rows, cols);
    if (!on) return;
    if (!hasGrid(setup.ground)) paintGrid(on, holes);
    const shown = this.shownTour();
    if (shown) {
      const { tour, begun } = shown;
      const whole = tour.squares.length;
      const share = prefersReducedMotion() ? 1 : Math.min(1, (performance.now() - begun) / DRAWING);
      const drawn = Math.max(1, Math.round(whole * share));
      paintPath(on, tour.squares.slice(0, drawn), whole, { numbers: numbers || shown.numbers, closed: drawn === whole && tour.closed });
      if (drawn < whole) this.redraw();
      return;
    }
    const colours = palette();
    if (end !== null) ring(on, end, 0.3, colours.ink);
    if (start !== null) paintKnight(on, xOf(on, start), yOf(on, start), 0.8, colours);
  }
}
