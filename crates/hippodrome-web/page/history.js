// What was seen of a search, to go back to: as many states as there is room for.

/**
 * @typedef {import("./api.js").Frame} Frame
 * @typedef {import("./api.js").Context} Context
 * @typedef {{ frame: Frame, path: Uint16Array, context: Context | null }} Seen
 */

/** Squares of all paths together. */
const ROOM = 1 << 21;
/** The most states, and the most different contexts. */
const STATES = 4000;

/** The last states of a search, the oldest first. */
export class History {
  constructor() {
    /** @type {Seen[]} */
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
    const last = this.states.at(-1);
    if (last && last.frame.n === frame.n) {
      this.squares += path.length - last.path.length;
      this.states[this.states.length - 1] = { frame, path, context: this.context };
      return;
    }
    this.states.push({ frame, path, context: this.context });
    this.squares += path.length;
    while (this.states.length > 1 && (this.squares > ROOM || this.states.length > STATES)) {
      const gone = this.states.shift();
      this.squares -= gone?.path.length ?? 0;
    }
  }

  /**
   * @param {number} index
   */
  at(index) {
    return this.states[index] ?? null;
  }
}
