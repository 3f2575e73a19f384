// The states of a search that were shown, to step back to and to replay. When they become too many, every second state
// of the older half is dropped, so that the history of a long run spans all of it.

/**
 * @typedef {import("./api.js").Frame} Frame
 * @typedef {import("./api.js").Context} Context
 * @typedef {{ frame: Frame, path: Uint16Array, context: Context | null, size: number, at: number }} HistoryEntry
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
  if (!context) return 0;
  const { moves, fitness, laid, members, edges, curve, queue } = context;
  const lists = members ? Object.values(members) : [];
  const links = edges ? edges.forced.length + edges.chosen.length + edges.excluded.length : 0;
  return 8 * ((moves?.length ?? 0) + links) + 4 * (fitness?.length ?? 0) + (laid?.length ?? 0)
    + 4 * lists.reduce((sum, list) => sum + list.length, 0) + 12 * (curve?.length ?? 0) + 4 * (queue?.length ?? 0);
}

/** The states of a search, the oldest first. */
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
   * Adds a state. It replaces the last one if both have the same step number. Returns how many earlier states were
   * dropped.
   * @param {Frame} frame
   */
  add(frame) {
    const path = Uint16Array.from(frame.path);
    frame.path = [];
    if (this.states.at(-1)?.frame.n === frame.n) this.squares -= this.states.pop()?.size ?? 0;
    const shared = this.states.at(-1)?.context === this.context;
    const size = path.length + 16 + (shared ? 0 : sizeOf(this.context));
    this.states.push({ frame, path, context: this.context, size, at: performance.now() });
    this.squares += size;
    const before = this.states.length;
    while (this.states.length > 4 && (this.squares > MAX_SQUARES || this.states.length > MAX_STATES)) this.thin();
    return before - this.states.length;
  }

  /** Drops every second state of the older half. */
  thin() {
    const half = this.states.length >> 1;
    const kept = this.states.filter((_, at) => at >= half || at % 2 === 0);
    this.states = kept;
    /** @type {Context | null} */
    let last = null;
    this.squares = 0;
    for (const state of kept) {
      state.size = state.path.length + 16 + (state.context === last ? 0 : sizeOf(state.context));
      last = state.context;
      this.squares += state.size;
    }
  }

  /**
   * @param {number} index
   */
  at(index) {
    return this.states[index] ?? null;
  }

  /**
   * Returns the index of the last state that is no later than a step.
   * @param {number} step
   */
  indexOf(step) {
    let at = this.states.length - 1;
    while (at > 0 && this.states[at].frame.n > step) at -= 1;
    return at;
  }
}
