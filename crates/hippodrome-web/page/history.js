// What was seen of a search, to go back to: as many states as there is room for.

/**
 * @typedef {import("./api.js").Frame} Frame
 * @typedef {import("./api.js").Context} Context
 * @typedef {{ frame: Frame, path: Uint16Array, context: Context | null, size: number }} HistoryEntry
 */

/** Squares of all paths, and what contexts hold, together. */
const MAX_SQUARES = 1 << 21;
/** The most states. */
const MAX_STATES = 4000;

/**
 * About how much a context holds, in squares.
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
   * What the method knows from now on.
   * @param {Context} context
   */
  learn(context) {
    this.context = context;
  }

  /**
   * Adds a state; states that were seen already are not seen twice.
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
