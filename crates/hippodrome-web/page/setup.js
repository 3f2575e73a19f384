// The current board, shared by all tabs.

import { parseBoard, parseSquare } from "./parse.js";
import { squareName } from "./squares.js";

/** Longest side of a board that is painted; larger boards are shown as an image. */
export const MAX_SIDE = 128;
/** Longest side of a board that is shown as an image. */
export const MAX_IMAGE_SIDE = 2000;

/**
 * @typedef {{ rows: number, cols: number, holes: Set<number>, leaper: string, closed: boolean,
 *   start: number | null, end: number | null }} Ground
 */

/** Boards that can be restored by undo. */
const MAX_UNDO = 200;
/** Changes that follow one another within this time, in milliseconds, are undone together: a stroke of the brush. */
const STROKE = 500;

/** Holds the board, and notifies listeners when it changes. */
class Setup {
  constructor() {
    /** Boards before the changes made by hand, the latest last. @type {Ground[]} */
    this.past = [];
    this.changedAt = 0;
    /** @type {Ground} */
    this.ground = { rows: 8, cols: 8, holes: new Set(), leaper: "1,2", closed: false, start: null, end: null };
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /**
   * @param {() => void} listener
   */
  listen(listener) {
    this.listeners.add(listener);
  }

  /**
   * @param {Partial<Ground>} change
   */
  change(change) {
    this.apply(change);
    this.notify();
  }

  notify() {
    for (const listener of this.listeners) listener();
  }

  /**
   * @param {Partial<Ground>} change
   */
  apply(change) {
    const before = this.ground;
    const next = { ...before, ...change };
    if (next.rows !== before.rows || next.cols !== before.cols) moveSquares(before, next, change);
    if (next.start !== null && next.holes.has(next.start)) next.start = null;
    if (next.end !== null && (next.holes.has(next.end) || next.end === next.start)) next.end = null;
    this.ground = next;
  }

  /**
   * Changes the board by hand, so that it can be undone.
   * @param {Partial<Ground>} change
   */
  edit(change) {
    const before = this.ground;
    const now = performance.now();
    this.apply(change);
    if (isSameGround(before, this.ground)) return;
    if (now - this.changedAt > STROKE || this.past.length === 0) this.past.push(before);
    if (this.past.length > MAX_UNDO) this.past.shift();
    this.changedAt = now;
    this.notify();
  }

  /** Restores the board before the last change made by hand. */
  undo() {
    const before = this.past.pop();
    this.changedAt = 0;
    if (before) this.change(before);
    return before !== undefined;
  }

  /** Whether the board is painted rather than shown as an image. */
  isPainted() {
    return Math.max(this.ground.rows, this.ground.cols) <= MAX_SIDE;
  }
}

/**
 * Keeps squares with the same names when the size changes.
 * @param {Ground} before
 * @param {Ground} next
 * @param {Partial<Ground>} given
 */
function moveSquares(before, next, given) {
  const moved = (/** @type {number} */ square) => parseSquare(squareName(square, before.cols), next.rows, next.cols);
  if (!given.holes) {
    next.holes = new Set([...before.holes].map(moved).filter((square) => square !== null));
    if (next.holes.size >= next.rows * next.cols) next.holes = new Set();
  }
  if (given.start === undefined) next.start = before.start === null ? null : moved(before.start);
  if (given.end === undefined) next.end = before.end === null ? null : moved(before.end);
}

export const setup = new Setup();

/**
 * Returns a ground as JSON for the server.
 * @param {Ground} [ground]
 * @returns {import("./api.js").GroundJson}
 */
export function groundJson(ground = setup.ground) {
  const name = (/** @type {number | null} */ square) => (square === null ? null : squareName(square, ground.cols));
  return {
    board: `${ground.rows}x${ground.cols}`,
    holes: [...ground.holes].sort((a, b) => a - b).map((hole) => squareName(hole, ground.cols)),
    leaper: ground.leaper,
    closed: ground.closed,
    start: name(ground.start),
    end: name(ground.end),
  };
}

/**
 * Parses a ground from the server.
 * @param {import("./api.js").GroundJson} json
 * @returns {Ground}
 */
export function groundFrom(json) {
  const { rows, cols } = parseBoard(json.board) ?? { rows: 1, cols: 1 };
  const square = (/** @type {string | null} */ name) => (name ? parseSquare(name, rows, cols) : null);
  const holes = new Set(json.holes.map(square).filter((hole) => hole !== null));
  return { rows, cols, holes, leaper: json.leaper ?? "1,2", closed: json.closed, start: square(json.start), end: square(json.end) };
}

/**
 * Whether two grounds define the same problem.
 * @param {Ground} one
 * @param {Ground} other
 */
export function isSameGround(one, other) {
  return JSON.stringify(groundJson(one)) === JSON.stringify(groundJson(other));
}

/**
 * Whether a path on one board can be drawn on another.
 * @param {Ground} one
 * @param {Ground} other
 */
export function hasSameSquares(one, other) {
  const free = { closed: false, start: null, end: null };
  return isSameGround({ ...one, ...free }, { ...other, ...free });
}

/**
 * Names a ground as briefly as possible: 8x8 open.
 * @param {Ground} ground
 */
export function shortGroundName({ rows, cols, holes, leaper, closed, start, end }) {
  const words = [`${rows}x${cols} ${closed ? "closed" : "open"}`];
  if (holes.size) words.push(holes.size === 1 ? "1 hole" : `${holes.size} holes`);
  if (leaper !== "1,2") words.push(`piece ${leaper}`);
  if (start !== null) words.push(`from ${squareName(start, cols)}`);
  if (end !== null) words.push(`to ${squareName(end, cols)}`);
  return words.join(", ");
}

/**
 * Describes a ground in a few words.
 * @param {Ground} ground
 */
export function groundName({ rows, cols, holes, leaper, closed, start, end }) {
  const words = [`${closed ? "closed" : "open"} tours of ${rows}x${cols}`];
  if (holes.size) words.push(holes.size === 1 ? "with a hole" : `with ${holes.size} holes`);
  if (leaper !== "1,2") words.push(`by the piece ${leaper}`);
  if (start !== null) words.push(`from ${squareName(start, cols)}`);
  if (end !== null) words.push(`to ${squareName(end, cols)}`);
  return words.join(" ");
}
