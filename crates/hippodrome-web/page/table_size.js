// The memory that tables of uniform tours take, and the question whether to build a large one.

import { el, notice } from "./dom.js";
import { isSameGround, shortGroundName } from "./setup.js";

/** The solver that draws uniform tours from a table. */
export const UNIFORM = "uniform";
/** The solver that draws nearly uniform tours without a table. */
export const WITHOUT_TABLE = "backbite";
/** Tables beyond this size, in bytes, are built only when that is asked for. */
const LARGE_TABLE = 500e6;

/**
 * Memory in megabytes of the tables of boards by their shorter side: of the square board, and for each further column.
 * Measured with `hippo sample BOARD --no-cache --threads 1`.
 */
const MEASURED = /** @type {Record<string, Record<number, [number, number]>>} */ ({
  open: { 7: [72, 120], 8: [1830, 1800] },
  closed: { 7: [20, 25], 8: [214, 225] },
});

/**
 * Estimates the memory of the table of a board in bytes; null if it is not known.
 * @param {import("./setup.js").Ground} ground
 */
export function tableBytes({ rows, cols, closed, leaper }) {
  if (leaper !== "1,2") return null;
  const [side, length] = [Math.min(rows, cols), Math.max(rows, cols)];
  if (side < 7) return length <= 12 ? 60e6 : null;
  const known = MEASURED[closed ? "closed" : "open"][side];
  return known ? 1e6 * (known[0] + (length - side) * known[1]) : null;
}

/**
 * Whether a table is to be built only when that is asked for.
 * @param {import("./setup.js").Ground} ground
 */
export function isTableLarge(ground) {
  return (tableBytes(ground) ?? 0) > LARGE_TABLE;
}

/**
 * Writes a size: "214 MB", "1.8 GB".
 * @param {number} bytes
 */
export function memory(bytes) {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}

/** Which large table may be built. */
export class TableConsent {
  constructor() {
    /** @type {import("./setup.js").Ground | null} */
    this.accepted = null;
  }

  /**
   * Whether the table of a board is large, and was not accepted.
   * @param {import("./setup.js").Ground} ground
   */
  isMissing(ground) {
    return isTableLarge(ground) && !this.isFor(ground);
  }

  /**
   * Whether a table that is being built turns out to be large, and was not accepted.
   * @param {import("./setup.js").Ground} ground
   * @param {import("./api.js").State} state
   */
  isExceeded(ground, { bytes }) {
    return tableBytes(ground) === null && (bytes ?? 0) > LARGE_TABLE && !this.isFor(ground);
  }

  /**
   * @param {import("./setup.js").Ground} ground
   */
  isFor(ground) {
    return this.accepted !== null && isSameGround(this.accepted, ground);
  }

  /**
   * Asks whether to build a table.
   * @param {import("./setup.js").Ground} ground
   * @param {number} bytes
   * @param {{ build: () => void, other: () => void, name: string }} actions `name` says what `other` does
   */
  ask(ground, bytes, { build, other, name }) {
    const accept = () => {
      this.accepted = ground;
      build();
    };
    const message = notice("plain", `Uniform tours of ${shortGroundName(ground)} need a large table.`, `It takes about ${memory(bytes)} of memory, and up to a minute.`);
    message.append(el("div", { className: "row" },
      el("button", { type: "button", className: "main", onclick: other }, name),
      el("button", { type: "button", onclick: accept }, "Build it")));
    return message;
  }
}
