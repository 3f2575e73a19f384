// The board: a grid of squares to paint and to navigate with the keyboard, and a canvas above it for lines.

import { el, announce } from "./dom.js";
import { setup } from "./setup.js";
import { fileName, squareName } from "./squares.js";

/** @typedef {"hole" | "start" | "end"} Tool */

/** A touch that moves less than this, in CSS pixels, is a tap. */
const TAP_RADIUS = 10;

/** A board of squares. */
export class BoardView {
  /**
   * @param {HTMLElement} place
   * @param {() => Tool} tool
   */
  constructor(place, tool) {
    this.place = place;
    this.tool = tool;
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.cells = el("div", { className: "cells", role: "grid", "aria-label": "Squares of the board" });
    place.append(this.cells, this.canvas);
    /** @type {HTMLElement[]} */
    this.byNumber = [];
    this.shape = "";
    this.focused = 0;
    /** Whether the current stroke makes holes (true) or fills them (false); null if there is no stroke. */
    this.painting = /** @type {boolean | null} */ (null);
    /** Where a touch began; it may become a scroll. */
    this.touched = /** @type {{ id: number, x: number, y: number } | null} */ (null);
    this.listen();
  }

  listen() {
    this.cells.addEventListener("pointerdown", (event) => this.press(event));
    this.cells.addEventListener("pointerover", (event) => this.drag(event));
    addEventListener("pointerup", (event) => this.lift(event));
    addEventListener("pointercancel", () => this.drop());
    this.cells.addEventListener("keydown", (event) => this.key(event));
    this.cells.addEventListener("focusin", (event) => {
      const number = this.numberOf(event.target);
      if (number !== null) this.focused = number;
    });
  }

  /** Shows the current board. */
  show() {
    const { rows, cols, holes, start, end } = setup.ground;
    const shape = `${rows}x${cols}`;
    if (shape !== this.shape) this.build(rows, cols);
    this.shape = shape;
    for (const [number, cell] of this.byNumber.entries()) {
      const hole = holes.has(number);
      const mark = number === start ? "S" : number === end ? "E" : "";
      if (cell.classList.contains("hole") !== hole) cell.classList.toggle("hole", hole);
      if ((cell.dataset.mark ?? "") !== mark) {
        cell.classList.toggle("mark", mark !== "");
        if (mark) cell.dataset.mark = mark;
        else delete cell.dataset.mark;
      }
      const label = squareName(number, cols) + (hole ? ", hole" : mark === "S" ? ", start" : mark === "E" ? ", end" : "");
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
    }
  }

  /**
   * @param {number} rows
   * @param {number} cols
   */
  build(rows, cols) {
    this.byNumber = new Array(rows * cols);
    this.cells.style.gridTemplate = `repeat(${rows}, 1fr) / repeat(${cols}, 1fr)`;
    this.place.style.aspectRatio = `${cols} / ${rows}`;
    // Tall boards stay within the window.
    this.place.style.maxWidth = `min(100%, calc(66vh * ${cols / rows}))`;
    this.focused = Math.min(this.focused, rows * cols - 1);
    const lines = [];
    for (let row = rows - 1; row >= 0; row--) {
      const line = el("div", { role: "row" });
      for (let col = 0; col < cols; col++) {
        const number = row * cols + col;
        const dark = (row + col) % 2 === 0;
        const cell = el("div", { className: dark ? "cell dark" : "cell", role: "gridcell", tabIndex: number === this.focused ? 0 : -1 });
        cell.dataset.number = String(number);
        // Names along two edges, if there is room.
        if (cols <= 20 && row === 0) cell.dataset.file = fileName(col);
        if (cols <= 20 && rows <= 30 && col === 0 && row > 0) cell.dataset.rank = String(row + 1);
        this.byNumber[number] = cell;
        line.append(cell);
      }
      lines.push(line);
    }
    this.cells.replaceChildren(...lines);
    this.cells.setAttribute("aria-rowcount", String(rows));
    this.cells.setAttribute("aria-colcount", String(cols));
  }

  /**
   * @param {EventTarget | null} target
   */
  numberOf(target) {
    const number = target instanceof HTMLElement ? target.dataset.number : undefined;
    return number === undefined ? null : Number(number);
  }

  /**
   * @param {PointerEvent} event
   */
  press(event) {
    const number = this.numberOf(event.target);
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
    const tool = this.tool();
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
    const number = this.numberOf(event.target);
    const still = Math.hypot(event.clientX - touched.x, event.clientY - touched.y) < TAP_RADIUS;
    if (number === null || !still) return;
    this.focus(number, false);
    this.apply(this.tool(), number);
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
    const number = this.numberOf(event.target);
    if (this.painting !== null && number !== null) this.apply("hole", number, this.painting);
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
      setup.change({ holes: next });
      announce(`${name} is ${make ? "a hole" : "a square again"}`);
      return;
    }
    if (holes.has(number)) {
      announce(`${name} is a hole; it can be neither start nor end`);
      return;
    }
    if (tool === "start") {
      setup.change({ start: start === number ? null : number });
      announce(start === number ? "The start is free" : `The tour starts on ${name}`);
    } else if (start === number) {
      announce(`${name} is the start; choose another square for the end`);
    } else {
      setup.change({ end: end === number ? null : number });
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
    cell.tabIndex = 0;
    if (really) cell.focus();
  }

  /**
   * @param {KeyboardEvent} event
   */
  key(event) {
    const number = this.numberOf(event.target);
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
      " ": () => this.apply("hole", number),
      Enter: () => this.apply(this.tool(), number),
      s: () => this.apply("start", number),
      e: () => this.apply("end", number),
    };
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
