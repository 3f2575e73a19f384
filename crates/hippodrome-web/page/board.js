// The board: a grid of squares to paint and to navigate with the keyboard, and a canvas above it for lines.

import { el, announce } from "./dom.js";
import { setup } from "./setup.js";
import { fileName, leaperMoves, squareName } from "./squares.js";

/** @typedef {"hole" | "start" | "end"} Tool */

/** A touch that moves less than this, in CSS pixels, is a tap. */
const TAP_RADIUS = 10;
/** Heights of a message of one line on wide and on narrow screens, in CSS pixels: `.messages` in stage.css. */
const [MESSAGE, MESSAGE_NARROW] = [42, 26];
/** Height in CSS pixels of what is read below the player on a narrow screen: headline, narration, counters. */
const READ_BELOW = 205;
/** Longest side of a board whose squares are elements; larger boards have a faint grid on the canvas. */
export const MAX_GRID_SIDE = 40;

/**
 * Whether the squares of a board are elements.
 * @param {{ rows: number, cols: number }} size
 */
export function hasGrid({ rows, cols }) {
  return Math.max(rows, cols) <= MAX_GRID_SIDE;
}

/** A board of squares. */
export class BoardView {
  /**
   * @param {HTMLElement} place
   * @param {{ tool: () => Tool, enlarge: () => boolean }} actions `enlarge` shows a finished tour, and returns whether
   *   there is one
   */
  constructor(place, actions) {
    this.place = place;
    this.actions = actions;
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.cells = el("div", { className: "cells", role: "grid", "aria-label": "Squares of the board" });
    place.append(this.cells, this.canvas);
    /** @type {HTMLElement[]} */
    this.byNumber = [];
    this.shape = "";
    this.focused = 0;
    /** The squares that the knight attacks from the square under the pointer. @type {number[]} */
    this.reached = [];
    /** Whether the current stroke makes holes (true) or fills them (false); null if there is no stroke. */
    this.painting = /** @type {boolean | null} */ (null);
    /** Where a touch began; it may become a scroll. */
    this.touched = /** @type {{ id: number, x: number, y: number } | null} */ (null);
    this.listen();
    this.follow();
  }

  listen() {
    this.cells.addEventListener("pointerdown", (event) => this.press(event));
    this.cells.addEventListener("pointerover", (event) => this.drag(event));
    this.cells.addEventListener("pointerleave", () => this.reach(null));
    addEventListener("pointerup", (event) => this.lift(event));
    addEventListener("pointercancel", () => this.drop());
    this.cells.addEventListener("keydown", (event) => this.key(event));
    this.cells.addEventListener("focusin", (event) => {
      const number = this.numberOf(event);
      if (number !== null) this.focused = number;
    });
  }

  /** Keeps the board in the window when the messages change, and returns to the same width without them. */
  follow() {
    const messages = document.getElementById("watch-messages");
    if (messages) new ResizeObserver(() => this.fit()).observe(messages);
  }

  /**
   * Sets the width of the column, in which the board, a line of messages and the player fit the window; and the width of
   * the board, which makes room for more messages. The messages are as wide as the column, so they do not wrap otherwise
   * when the board changes.
   */
  fit() {
    const { rows, cols } = setup.ground;
    const ratio = cols / rows;
    const wide = innerWidth >= 700;
    const present = document.body.classList.contains("present");
    const player = document.getElementById("player")?.offsetHeight ?? 80;
    const top = this.place.getBoundingClientRect().top + scrollY;
    const messages = document.getElementById("watch-messages")?.offsetHeight ?? MESSAGE;
    // The gaps around messages and player, and the padding of the page.
    const high = innerHeight - top - player - 22;
    const most = wide ? innerWidth * (present ? 0.66 : 0.58) : document.documentElement.clientWidth - 16;
    // Even the shorter side of a narrow board can be seen.
    const least = 120 * Math.min(1, ratio);
    const within = (/** @type {number} */ height) => Math.floor(Math.max(least, Math.min(most, height * ratio)));
    const column = within(wide ? high - (present ? 0 : MESSAGE) : Math.max(high - MESSAGE_NARROW - READ_BELOW, innerHeight * 0.3));
    const board = Math.min(column, within(wide ? high - messages : Math.max(high - messages - READ_BELOW, innerHeight * 0.3)));
    document.documentElement.style.setProperty("--column", `${column}px`);
    document.documentElement.style.setProperty("--board", `${board}px`);
  }

  /** Shows the current board. */
  show() {
    const { rows, cols, holes, start, end } = setup.ground;
    const shape = `${rows}x${cols}`;
    if (shape !== this.shape) this.build(rows, cols);
    this.shape = shape;
    for (const [number, cell] of this.byNumber.entries()) {
      const hole = holes.has(number);
      const mark = number === start ? ", knight" : number === end ? ", end" : "";
      if (cell.classList.contains("hole") !== hole) cell.classList.toggle("hole", hole);
      const label = squareName(number, cols) + (hole ? ", hole" : mark);
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
    }
    this.reach(null);
  }

  /**
   * @param {number} rows
   * @param {number} cols
   */
  build(rows, cols) {
    this.place.style.aspectRatio = `${cols} / ${rows}`;
    this.fit();
    this.focused = Math.min(this.focused, rows * cols - 1);
    this.byNumber = [];
    this.cells.setAttribute("aria-rowcount", String(rows));
    this.cells.setAttribute("aria-colcount", String(cols));
    if (!hasGrid({ rows, cols })) {
      this.cells.style.gridTemplate = "1fr / 1fr";
      const label = `${rows} by ${cols} squares; arrows choose one, Enter places the knight`;
      this.cells.replaceChildren(el("div", { role: "row" }, el("div", { role: "gridcell", tabIndex: 0, className: "cell whole", "aria-label": label })));
      return;
    }
    this.byNumber = new Array(rows * cols);
    this.cells.style.gridTemplate = `repeat(${rows}, 1fr) / repeat(${cols}, 1fr)`;
    const lines = [];
    // Names along two edges, if there is room.
    const named = cols <= 20 && rows <= 30;
    for (let row = rows - 1; row >= 0; row--) {
      const line = el("div", { role: "row" });
      for (let col = 0; col < cols; col++) {
        const number = row * cols + col;
        const dark = (row + col) % 2 === 0;
        const cell = el("div", { className: dark ? "cell dark" : "cell", role: "gridcell", tabIndex: number === this.focused ? 0 : -1 });
        cell.dataset.number = String(number);
        if (named && row === 0) cell.dataset.file = fileName(col);
        if (named && col === 0) cell.dataset.rank = String(row + 1);
        this.byNumber[number] = cell;
        line.append(cell);
      }
      lines.push(line);
    }
    this.cells.replaceChildren(...lines);
  }

  /**
   * Returns the square of an event; null if there is none.
   * @param {Event} event
   */
  numberOf(event) {
    const { target } = event;
    if (!(target instanceof HTMLElement)) return null;
    if (target.dataset.number !== undefined) return Number(target.dataset.number);
    if (!target.classList.contains("whole")) return null;
    if (!(event instanceof PointerEvent)) return this.focused;
    const { rows, cols } = setup.ground;
    const box = target.getBoundingClientRect();
    const col = Math.floor(((event.clientX - box.left) / box.width) * cols);
    const row = rows - 1 - Math.floor(((event.clientY - box.top) / box.height) * rows);
    return col >= 0 && col < cols && row >= 0 && row < rows ? row * cols + col : null;
  }

  /**
   * Marks the squares that the piece attacks from a square; null removes the marks.
   * @param {number | null} number
   */
  reach(number) {
    for (const square of this.reached) this.byNumber[square]?.classList.remove("reach");
    const { rows, cols, holes, leaper } = setup.ground;
    this.reached = [];
    if (number === null || this.byNumber.length === 0 || holes.has(number)) return;
    const [row, col] = [Math.floor(number / cols), number % cols];
    for (const [up, right] of leaperMoves(leaper)) {
      const [r, c] = [row + up, col + right];
      if (r >= 0 && r < rows && c >= 0 && c < cols && !holes.has(r * cols + c)) this.reached.push(r * cols + c);
    }
    for (const square of this.reached) this.byNumber[square].classList.add("reach");
  }

  /**
   * @param {PointerEvent} event
   */
  press(event) {
    const number = this.numberOf(event);
    if (number === null || event.button !== 0) return;
    if (event.target instanceof HTMLElement && event.target.hasPointerCapture(event.pointerId)) {
      event.target.releasePointerCapture(event.pointerId);
    }
    if (event.pointerType === "touch") {
      // One finger taps or scrolls; more fingers are ignored.
      const first = this.touched === null && event.isPrimary;
      this.touched = first ? { id: event.pointerId, x: event.clientX, y: event.clientY } : null;
      return;
    }
    this.focus(number, false);
    const tool = event.shiftKey ? "hole" : this.actions.tool();
    if (tool !== "hole" && this.actions.enlarge()) return;
    if (tool === "hole") this.painting = !setup.ground.holes.has(number);
    this.apply(tool, number, this.painting);
  }

  /**
   * Applies the tool if a touch ends where it began: that is a tap.
   * @param {PointerEvent} event
   */
  lift(event) {
    const { touched } = this;
    this.drop();
    if (!touched || touched.id !== event.pointerId) return;
    const number = this.numberOf(event);
    const still = Math.hypot(event.clientX - touched.x, event.clientY - touched.y) < TAP_RADIUS;
    if (number === null || !still) return;
    this.focus(number, false);
    const tool = this.actions.tool();
    if (tool === "hole" || !this.actions.enlarge()) this.apply(tool, number);
  }

  /** Ends a stroke, or a touch. */
  drop() {
    this.painting = null;
    this.touched = null;
  }

  /**
   * @param {PointerEvent} event
   */
  drag(event) {
    const number = this.numberOf(event);
    if (this.painting !== null && number !== null) this.apply("hole", number, this.painting);
    else if (event.pointerType !== "touch") this.reach(this.actions.tool() === "hole" ? null : number);
  }

  /**
   * @param {Tool} tool
   * @param {number} number
   * @param {boolean | null} [makeHole]
   */
  apply(tool, number, makeHole = null) {
    const { holes, start, end, rows, cols } = setup.ground;
    const name = squareName(number, cols);
    if (tool === "hole") {
      const make = makeHole ?? !holes.has(number);
      if (make === holes.has(number) || (make && holes.size + 1 >= rows * cols)) return;
      const next = new Set(holes);
      if (make) next.add(number);
      else next.delete(number);
      setup.edit({ holes: next });
      announce(`${name} is ${make ? "a hole" : "a square again"}`);
      return;
    }
    if (holes.has(number)) {
      announce(`${name} is a hole; it can be neither start nor end`);
      return;
    }
    if (tool === "start") {
      setup.edit({ start: start === number ? null : number });
      announce(start === number ? "The start is free" : `The knight is on ${name}`);
    } else if (start === number) {
      announce(`${name} is the start; choose another square for the end`);
    } else {
      setup.edit({ end: end === number ? null : number });
      announce(end === number ? "The end is free" : `The tour ends on ${name}`);
    }
  }

  /**
   * @param {number} number
   * @param {boolean} really
   */
  focus(number, really = true) {
    const before = this.byNumber[this.focused];
    if (before) before.tabIndex = -1;
    this.focused = number;
    const cell = this.byNumber[number];
    if (!cell) {
      announce(squareName(number, setup.ground.cols));
      return;
    }
    cell.tabIndex = 0;
    if (really) cell.focus();
    if (really) this.reach(number);
  }

  /**
   * @param {KeyboardEvent} event
   */
  key(event) {
    const number = this.numberOf(event);
    if (number === null || event.ctrlKey || event.altKey || event.metaKey) return;
    const { rows, cols } = setup.ground;
    const [row, col] = [Math.floor(number / cols), number % cols];
    const to = (/** @type {number} */ r, /** @type {number} */ c) =>
      this.focus(Math.min(rows - 1, Math.max(0, r)) * cols + Math.min(cols - 1, Math.max(0, c)));
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowUp: () => to(row + 1, col),
      ArrowDown: () => to(row - 1, col),
      ArrowLeft: () => to(row, col - 1),
      ArrowRight: () => to(row, col + 1),
      Home: () => to(row, 0),
      End: () => to(row, cols - 1),
      PageUp: () => to(rows - 1, col),
      PageDown: () => to(0, col),
      Enter: () => {
        const tool = this.actions.tool();
        if (tool === "hole" || !this.actions.enlarge()) this.apply(tool, number);
      },
      h: () => this.apply("hole", number),
      s: () => this.apply("start", number),
      e: () => this.apply("end", number),
    };
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }
}
