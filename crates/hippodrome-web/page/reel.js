// What the player plays: the history of a search, the state of it that is shown, and its replay.

import { History } from "./history.js";

/** @typedef {import("./history.js").HistoryEntry} HistoryEntry */

/** Frames per second of a replay that leaves out states. */
const REPLAY_RATE = 30;

/** The history of a search, and the state that is shown. */
export class Reel {
  constructor() {
    this.history = new History();
    this.index = -1;
    /** The timer of a replay. @type {number | undefined} */
    this.timer = undefined;
  }

  /** Forgets the search. */
  clear() {
    this.stop();
    this.history = new History();
    this.index = -1;
  }

  get length() {
    return this.history.length;
  }

  /** The state that is shown. */
  get seen() {
    return this.history.at(this.index);
  }

  /** The state before the one that is shown. */
  get before() {
    return this.history.at(this.index - 1);
  }

  get latest() {
    return this.history.at(this.length - 1);
  }

  /** Whether the latest state is shown, and not by a replay. */
  isLive() {
    return this.index >= this.length - 1 && !this.isReplaying();
  }

  isReplaying() {
    return this.timer !== undefined;
  }

  /**
   * Adds a state, and shows it unless an earlier one is looked at.
   * @param {import("./api.js").Frame} frame
   */
  add(frame) {
    const live = this.isLive();
    const n = this.seen?.frame.n ?? 0;
    this.history.add(frame);
    this.index = live ? this.length - 1 : this.history.indexOf(n);
  }

  /**
   * Shows a state.
   * @param {number} index
   */
  goTo(index) {
    this.stop();
    this.index = Math.max(0, Math.min(this.length - 1, index));
  }

  goLive() {
    this.stop();
    this.index = this.length - 1;
  }

  /**
   * Plays the history from the state shown.
   * @param {number} speed in steps per second
   * @param {() => void} shown called for each state
   * @param {() => void} ended called at the latest state
   */
  replay(speed, shown, ended) {
    this.stop();
    const stride = Math.max(1, Math.round(speed / REPLAY_RATE));
    const pause = 1000 / Math.min(speed, REPLAY_RATE);
    const tick = () => {
      const due = (this.seen?.frame.n ?? 0) + stride;
      this.index = Math.max(this.index + 1, this.history.indexOf(due));
      if (this.index >= this.length - 1) {
        this.goLive();
        ended();
        return;
      }
      this.timer = window.setTimeout(tick, pause);
      shown();
    };
    this.timer = window.setTimeout(tick, pause);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
