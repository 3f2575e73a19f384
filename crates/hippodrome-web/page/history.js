// The latest states of a search, to step back to.

/**
 * @typedef {import("./api.js").Frame} Frame
 * @typedef {import("./api.js").Context} Context
 * @typedef {{ frame: Frame, path: Uint16Array, context: Context | null, size: number }} HistoryEntry
 */

/** Most squares in all paths and contexts together. */
const MAX_SQUARES = 1 << 21;
/** Most states. */
const MAX_STATES = 4000;

/**
 * Returns the approximate size of a context, in squares.
 * @param {Context | null} context
 */
function sizeOf(context) {
  return 8 * (context?.moves?.length ?? 0) + 4 * (context?.fitness?.length ?? 0) + (context?.laid?.length ?? 0);
}

/** The last states of a search, the oldest first. */
export class History {
  constructor() {
    /** @type {HistoryEntry[]} */
    this.states = [];
    this.squares = 0;
    /** @type {Context | null} */
    this.context = null;
  }

  get length() {
    return this.states.length;
  }

  /**
   * Sets the method's memory for the states that follow.
   * @param {Context} context
   */
  learn(context) {
    this.context = context;
  }

  /**
   * Adds a state. It replaces the last one if both have the same step number.
   * @param {Frame} frame
   */
  add(frame) {
    const path = Uint16Array.from(frame.path);
    if (this.states.at(-1)?.frame.n === frame.n) this.squares -= this.states.pop()?.size ?? 0;
    const shared = this.states.at(-1)?.context === this.context;
    const size = path.length + (shared ? 0 : sizeOf(this.context));
    this.states.push({ frame, path, context: this.context, size });
    this.squares += size;
    while (this.states.length > 1 && (this.squares > MAX_SQUARES || this.states.length > MAX_STATES)) {
      this.squares -= this.states.shift()?.size ?? 0;
    }
  }

  /**
   * @param {number} index
   */
  at(index) {
    return this.states[index] ?? null;
  }
}
