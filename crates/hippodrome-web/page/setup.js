// The board that is set up, shared by all parts of the page.

import { nameOf, squareOf } from "./squares.js";

/** The longest side of a board that is painted; larger ones are shown as an image. */
export const SIDE = 60;

/**
 * @typedef {{ rows: number, cols: number, holes: Set<number>, leaper: string, closed: boolean,
 *   start: number | null, end: number | null }} Ground
 */

/** Keeps the board, and tells whoever listens when it changes. */
class Setup {
  constructor() {
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
    const before = this.ground;
    const next = { ...before, ...change };
    if (next.rows !== before.rows || next.cols !== before.cols) moveSquares(before, next, change);
    if (next.start !== null && next.holes.has(next.start)) next.start = null;
    if (next.end !== null && (next.holes.has(next.end) || next.end === next.start)) next.end = null;
    this.ground = next;
    for (const listener of this.listeners) listener();
  }

  /** Whether the board is painted rather than shown as an image. */
  isPainted() {
    return Math.max(this.ground.rows, this.ground.cols) <= SIDE;
  }
}

/**
 * Keeps squares by their names when the size changes.
 * @param {Ground} before
 * @param {Ground} next
 * @param {Partial<Ground>} given
 */
function moveSquares(before, next, given) {
  const moved = (/** @type {number} */ square) => squareOf(nameOf(square, before.cols), next.rows, next.cols);
  if (!given.holes) {
    next.holes = new Set([...before.holes].map(moved).filter((square) => square !== null));
    if (next.holes.size >= next.rows * next.cols) next.holes = new Set();
  }
  if (given.start === undefined) next.start = before.start === null ? null : moved(before.start);
  if (given.end === undefined) next.end = before.end === null ? null : moved(before.end);
}

export const setup = new Setup();

/**
 * The ground as the server takes it.
 * @param {Ground} [ground]
 * @returns {import("./api.js").GroundJson}
 */
export function groundJson(ground = setup.ground) {
  const name = (/** @type {number | null} */ square) => (square === null ? null : nameOf(square, ground.cols));
  return {
    board: `${ground.rows}x${ground.cols}`,
    holes: [...ground.holes].sort((a, b) => a - b).map((hole) => nameOf(hole, ground.cols)),
    leaper: ground.leaper,
    closed: ground.closed,
    start: name(ground.start),
    end: name(ground.end),
  };
}
