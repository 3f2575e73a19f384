// The boards of a race, side by side: each replays the beginning of its method's first run under one clock.

import { swatch } from "./chart.js";
import { el } from "./dom.js";
import { grouped, short } from "./numbers.js";
import { paintThumbnail } from "./thumbnail.js";

/**
 * A state of a run: its counters, and the path on the board.
 * @typedef {{ at: number, moves: number, tours: number, distinct: number, path: number[], closed: boolean }} TraceState
 * The states of a first run, in order. `clock` is the counter that orders them; `whole` says whether they reach the end.
 * @typedef {{ name: string, clock: "attempts" | "moves", states: TraceState[], whole: boolean }} Trace
 * @typedef {import("./setup.js").Ground} Ground
 * @typedef {{ attempts: number | null, tours: number | null, distinct: number | null }} Counters
 * @typedef {{ node: HTMLElement, canvas: HTMLCanvasElement, name: HTMLElement, cross: HTMLButtonElement, values: HTMLElement[], drawn: unknown }} Card
 */

/** Names of the counters. */
const COUNTERS = ["Attempts", "Tours", "Distinct"];
/** Height of a board's name, height of its counters below it (in three lines, the name in two), width of them beside it. */
const NAME = 28;
const BELOW = 34;
const BELOW_NARROW = 62;
const BESIDE = 96;
/** Gap between boards, in CSS pixels. */
const GAP = 12;
/** Boards narrower than this have their counters in three lines. */
const NARROW = 170;
/** Narrowest and widest board, and most boards in a row. */
const NARROWEST = 76;
const WIDEST = 460;
const MOST_IN_ROW = 4;

/** The boards of a race. */
export class RaceBoards {
  constructor() {
    this.node = el("div", { className: "race-boards" });
    /** @type {Card[]} */
    this.cards = [];
    /** @type {(Trace | null)[]} */
    this.traces = [];
    /** @type {Ground | null} */
    this.ground = null;
  }

  /**
   * Shows empty boards.
   * @param {string[]} names
   * @param {Ground} ground
   * @param {(index: number) => void} remove takes a method out of the race
   */
  build(names, ground, remove) {
    this.ground = ground;
    this.traces = [];
    this.cards = names.map((name, index) => {
      const canvas = el("canvas", { role: "img", "aria-label": `Board of ${name}` });
      const values = COUNTERS.map(() => el("dd", {}, "–"));
      const label = el("span", {}, name);
      const cross = el("button", { type: "button", title: `Remove ${name}`, "aria-label": `Remove ${name}`, onclick: () => remove(index) }, "×");
      const node = el("figure", { className: "race-board" },
        el("figcaption", { title: name }, swatch(index), label, cross), canvas,
        el("dl", {}, ...COUNTERS.map((counter, at) => el("div", {}, el("dt", {}, counter), values[at]))));
      return { node, canvas, name: label, cross, values, drawn: null };
    });
    this.node.replaceChildren(...this.cards.map(({ node }) => node));
    delete this.node.dataset.fit;
  }

  /**
   * Chooses how many boards stand in a row, so that all fit a height and are as large as possible.
   * @param {number} width
   * @param {number} height
   */
  fit(width, height) {
    const { ground, cards } = this;
    if (!ground || cards.length === 0 || width <= 0) return;
    const ratio = ground.rows / ground.cols;
    let best = { columns: 1, size: 0, beside: false };
    for (let columns = 1; columns <= Math.min(MOST_IN_ROW, cards.length); columns++) {
      const lines = Math.ceil(cards.length / columns);
      const wide = (width - GAP * (columns - 1)) / columns;
      const high = (height - GAP * (lines - 1)) / lines - NAME;
      const below = Math.min(wide, (high - (wide < NARROW ? BELOW_NARROW : BELOW)) / ratio, WIDEST);
      const beside = Math.min(wide - BESIDE, high / ratio, WIDEST);
      const size = Math.floor(Math.max(below, beside));
      // One row less is worth a little of the size.
      if (size >= 0.9 * best.size) best = { columns, size, beside: beside > below };
    }
    const size = Math.max(NARROWEST, best.size);
    const fit = JSON.stringify([best, ratio, width]);
    if (this.node.dataset.fit === fit) return;
    this.node.dataset.fit = fit;
    // Names need more room than a small board.
    const column = Math.max(size + (best.beside ? BESIDE : 0), Math.min(230, (width - GAP * (best.columns - 1)) / best.columns));
    this.node.style.gridTemplateColumns = `repeat(${best.columns}, ${Math.floor(column)}px)`;
    this.node.classList.toggle("counters-right", best.beside);
    this.node.classList.toggle("narrow", !best.beside && size < NARROW);
    for (const card of cards) {
      card.canvas.style.width = `${size}px`;
      card.canvas.style.height = `${Math.round(size * ratio)}px`;
      card.drawn = null;
    }
  }

  /**
   * Whether methods can be taken out of the race.
   * @param {boolean} can
   */
  allowRemoval(can) {
    for (const { cross } of this.cards) cross.hidden = !can;
  }

  /**
   * Moves the focus to the cross of a board, or to another one after the last was removed.
   * @param {number} index
   */
  focus(index) {
    this.cards[Math.min(index, this.cards.length - 1)]?.cross.focus();
  }

  /** Forgets what is painted, because the colours have changed. */
  forget() {
    for (const card of this.cards) card.drawn = null;
  }

  /**
   * Returns the last value of the clock of a trace; null without one.
   * @param {number} index
   */
  endOf(index) {
    const trace = this.traces[index];
    const last = trace?.states.at(-1);
    return trace && last ? valueOf(trace, last) : null;
  }

  /**
   * Shows a board at a position of the clock.
   * @param {number} index
   * @param {number} value of the trace's clock
   * @param {Counters} counters what is known without a trace
   */
  draw(index, value, counters) {
    const card = this.cards[index];
    const trace = this.traces[index];
    if (!card || !this.ground) return;
    const state = trace ? stateAt(trace, value) : null;
    const end = this.endOf(index);
    const numbers = state ? [state.at, state.tours, state.distinct] : [counters.attempts, counters.tours, counters.distinct];
    // The run goes on beyond a trace that was cut.
    const more = trace && !trace.whole && end !== null && value > end ? "+" : "";
    numbers.forEach((n, at) => {
      const text = n === null ? "–" : (n < 1_000_000 ? grouped(n) : short(n)) + more;
      const node = card.values[at];
      if (node.textContent !== text) node.textContent = text;
    });
    const shown = state ?? this.ground;
    if (card.drawn === shown) return;
    card.drawn = shown;
    const path = state?.path ?? [];
    const whole = this.ground.rows * this.ground.cols - this.ground.holes.size;
    const full = path.length === whole;
    card.node.classList.toggle("tour", full);
    paintThumbnail(card.canvas, this.ground, path, { closed: full && (state?.closed ?? false), knight: true });
    const what = path.length === 0 ? "no path yet" : full ? "a tour" : `a path of ${path.length} of ${whole} squares`;
    card.canvas.setAttribute("aria-label", `Board of ${card.name.textContent}: ${what}`);
  }
}

/**
 * @param {Trace} trace
 * @param {TraceState} state
 */
function valueOf(trace, state) {
  return trace.clock === "moves" ? state.moves : state.at;
}

/**
 * Returns the last state that is not later than a position of the clock, or the first state.
 * @param {Trace} trace
 * @param {number} value
 */
function stateAt(trace, value) {
  let [low, high] = [0, trace.states.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueOf(trace, trace.states[middle]) <= value) low = middle + 1;
    else high = middle;
  }
  return trace.states[Math.max(0, low - 1)] ?? null;
}
