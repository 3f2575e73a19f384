// Stories: nine cards, and a reader that tells the stage what to show at each stop.

import { historic } from "./api.js";
import { el } from "./dom.js";
import { parseBoard, parseSquare, parseSquares } from "./parse.js";
import { coloursFigure, partsFigure, pilesFigure, ringFigure } from "./piles.js";
import { STORIES } from "./stories_data.js";
import { sumsFigure } from "./sums.js";

/**
 * @typedef {import("./setup.js").Ground} Ground
 * @typedef {import("./api.js").Tour} Tour
 * @typedef {import("./stories_data.js").Story} Story
 * @typedef {import("./stories_data.js").Stop} Stop
 * What the shell shows: a tour (null: the empty board), a search, a figure over the board, a note.
 * @typedef {{
 *   showTour: (tour: Tour | null, ground: Ground, options: { numbers: boolean }) => void,
 *   watch: (search: { ground: Ground, solver: string, params: Record<string, string>, seed: number,
 *     speed: number | null, step: number | null }) => void,
 *   overlay: (node: HTMLElement | null) => void,
 *   note: (text: string) => void,
 * }} Stage
 */

/**
 * Returns the board of a stop, as the rest of the page knows it.
 * @param {import("./stories_data.js").StopGround} ground
 * @returns {Ground}
 */
export function groundOf(ground) {
  const { rows, cols } = parseBoard(ground.board) ?? { rows: 8, cols: 8 };
  const { squares: holes } = parseSquares((ground.holes ?? []).join(","), rows, cols);
  const start = ground.start ? parseSquare(ground.start, rows, cols) : null;
  return { rows, cols, holes, leaper: "1,2", closed: ground.closed ?? false, start, end: null };
}

/**
 * Returns a tour from another start. Only a closed tour can be turned; others are returned as they are.
 * @param {Tour} tour
 * @param {number | null} start
 * @returns {Tour}
 */
export function startedAt(tour, start) {
  const at = start === null ? 0 : tour.squares.indexOf(start);
  if (!tour.closed || at < 1) return tour;
  return { ...tour, squares: [...tour.squares.slice(at), ...tour.squares.slice(0, at)], digits: null };
}

/** The list of stories, and the reader. */
export class Stories {
  /** Called when the open story or its stop changes, so that the address can hold it. */
  onchange = () => {};

  /** @type {{ story: Story, stop: number } | null} */
  #open = null;
  /** @type {Promise<import("./api.js").Historic[]> | null} */
  #tours = null;
  /** The number of the latest stop shown; an answer for an earlier one is dropped. */
  #shown = 0;

  /**
   * @param {HTMLElement} place
   * @param {Stage} stage
   */
  constructor(place, stage) {
    this.stage = stage;
    this.cards = el("ul", { className: "story-cards" }, ...STORIES.map((story) => this.#card(story)));
    this.heading = el("h2", { className: "story-title", tabIndex: -1 });
    this.text = el("p", { className: "story-text" });
    // The live region is apart from the text: it also says which stop it is.
    this.spoken = el("p", { className: "unseen", "aria-live": "polite" });
    this.count = el("span", { className: "story-count" });
    this.backButton = el("button", { type: "button", onclick: () => this.back() }, "Back");
    this.nextButton = el("button", { type: "button", className: "main", onclick: () => this.next() }, "Next");
    const closing = el("button", { type: "button", className: "story-close", onclick: () => this.close() }, "All stories");
    const buttons = el("div", { className: "story-buttons" }, this.backButton, this.nextButton, this.count, closing);
    this.reader = el("section", { className: "story-reader", "aria-label": "Story", hidden: true }, this.heading, this.text, buttons);
    place.append(this.cards, this.reader, this.spoken);
  }

  /** Returns the open story and stop, from 1; null while the list is shown. */
  current() {
    return this.#open ? { id: this.#open.story.id, stop: this.#open.stop + 1 } : null;
  }

  /**
   * Opens a story at a stop, from 1. Returns whether there is such a story; an invalid stop is the nearest one.
   * @param {string} id
   * @param {number} [stop]
   */
  open(id, stop = 1) {
    const story = STORIES.find((known) => known.id === id);
    if (!story) return false;
    const opened = this.#open?.story !== story;
    this.#open = { story, stop: Math.max(0, Math.min(story.stops.length, Math.floor(stop) || 1) - 1) };
    this.#show(opened);
    return true;
  }

  /** Goes to the next stop. Returns whether there is one. */
  next() {
    return this.#go(1);
  }

  /** Goes to the stop before. Returns whether there is one. */
  back() {
    return this.#go(-1);
  }

  /** Closes the story and shows the list. */
  close() {
    const was = this.#open?.story.id;
    if (was === undefined) return;
    this.#open = null;
    this.#shown += 1;
    this.reader.hidden = true;
    this.cards.hidden = false;
    this.spoken.textContent = "";
    this.stage.overlay(null);
    this.stage.note("");
    /** @type {HTMLElement | null} */ (this.cards.querySelector(`[data-story="${was}"]`))?.focus();
    this.onchange();
  }

  /**
   * @param {Story} story
   */
  #card(story) {
    const open = () => this.open(story.id);
    const button = el("button", { type: "button", className: "story-card", "data-story": story.id, onclick: open },
      el("span", { className: "story-year" }, story.year),
      el("strong", {}, story.title),
      el("span", { className: "story-line" }, story.line));
    return el("li", {}, button);
  }

  /**
   * @param {number} step
   */
  #go(step) {
    if (!this.#open) return false;
    const stop = this.#open.stop + step;
    if (stop < 0 || stop >= this.#open.story.stops.length) return false;
    this.#open.stop = stop;
    this.#show(false);
    return true;
  }

  /**
   * @param {boolean} opened whether the story was not open before
   */
  #show(opened) {
    if (!this.#open) return;
    const { story, stop } = this.#open;
    const now = story.stops[stop];
    if (!now) return;
    const last = story.stops.length;
    this.cards.hidden = true;
    this.reader.hidden = false;
    this.heading.textContent = `${story.title}, ${story.year}`;
    this.text.textContent = now.text;
    this.count.textContent = `${stop + 1} of ${last}`;
    this.spoken.textContent = `${stop + 1} of ${last}. ${now.text}`;
    // A disabled button would lose the focus.
    this.backButton.setAttribute("aria-disabled", String(stop === 0));
    this.nextButton.setAttribute("aria-disabled", String(stop + 1 === last));
    if (opened) this.heading.focus({ preventScroll: true });
    this.#shown += 1;
    void this.#stageStop(story, now, this.#shown);
    this.onchange();
  }

  /**
   * Shows a stop on the stage.
   * @param {Story} story
   * @param {Stop} stop
   * @param {number} shown
   */
  async #stageStop(story, stop, shown) {
    const ground = groundOf(stop.ground ?? { board: "8x8" });
    const { rows, cols } = ground;
    if (stop.watch) {
      const { solver, params = {}, seed, speed = null, step = null } = stop.watch;
      this.stage.overlay(null);
      this.stage.note(story.line);
      this.stage.watch({ ground, solver, params, seed, speed, step });
      return;
    }
    const found = stop.tour ? await this.#tour(stop.tour) : null;
    if (shown !== this.#shown) return;
    const tour = found?.tour ? startedAt(found.tour, ground.start) : null;
    this.stage.showTour(tour, ground, { numbers: stop.numbers ?? false });
    this.stage.overlay(this.#figure(stop, tour, rows, cols));
    this.stage.note(found ? `${found.title}. Source: ${found.source}.` : story.line);
  }

  /**
   * @param {Stop} stop
   * @param {Tour | null} tour
   * @param {number} rows
   * @param {number} cols
   */
  #figure(stop, tour, rows, cols) {
    switch (stop.show) {
      case "sums":
        return tour && sumsFigure(tour.squares, rows, cols);
      case "piles":
        return pilesFigure(rows, cols);
      case "colours":
        return coloursFigure(rows, cols);
      case "ring":
        return ringFigure();
      case "parts":
        return partsFigure();
      default:
        return null;
    }
  }

  /**
   * Returns a historic tour; null if the server does not answer.
   * @param {string} id
   */
  async #tour(id) {
    this.#tours ??= historic();
    try {
      return (await this.#tours).find((known) => known.id === id) ?? null;
    } catch {
      // The next stop asks again.
      this.#tours = null;
      return null;
    }
  }
}
