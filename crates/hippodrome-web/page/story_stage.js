// Plays stories on the stage: shows the tours, boards and searches that their stops name.

import { el, get } from "./dom.js";
import { say } from "./messages.js";
import { parseWhole } from "./parse.js";
import { setup } from "./setup.js";
import { Stories } from "./stories.js";

/**
 * @typedef {import("./setup.js").Ground} Ground
 * @typedef {import("./api.js").Tour} Tour
 */

/** Stories on the Watch tab. */
export class StoryStage {
  /**
   * @param {import("./watch.js").Watch} watch
   * @param {() => void} changed called when the address should change
   */
  constructor(watch, changed) {
    this.watchTab = watch;
    this.changed = changed;
    this.overlaid = get("overlay", HTMLElement);
    this.place = watch.panel.story;
    /** The setup before the stories. @type {{ ground: Ground, method: import("./api.js").Method, seed: string, speed: number | null } | null} */
    this.kept = null;
    /** Whether a stop sets up the board, which adds no entry to the history of the browser. */
    this.isStaging = false;
    const leave = el("button", { type: "button", className: "quiet story-leave", onclick: () => this.close() }, "Close the stories");
    this.stories = new Stories(this.place, this);
    this.place.append(leave);
    this.stories.onchange = () => {
      this.show(true);
      changed();
    };
  }

  /** Whether the list of stories or a story is shown. */
  isOpen() {
    return !this.place.hidden;
  }

  /** Keeps the setup, so that it is there again after the stories. */
  keep() {
    const { form, seed, player } = this.watchTab;
    this.kept ??= { ground: setup.ground, method: form.method(), seed: seed.value, speed: player.perSecond() };
  }

  restore() {
    const { form, seed, player } = this.watchTab;
    if (!this.kept) return;
    form.set(this.kept.method);
    seed.value = this.kept.seed;
    player.setSpeed(this.kept.speed);
    setup.change(this.kept.ground);
    this.kept = null;
  }

  /**
   * @param {boolean} open
   */
  show(open) {
    if (open) this.keep();
    this.place.hidden = !open;
    document.body.classList.toggle("story", open);
    document.body.classList.toggle("story-list", open && this.stories.current() === null);
    this.watchTab.redraw();
  }

  /** Shows the list, or leaves the stories. */
  list() {
    if (this.isOpen()) {
      this.close();
      return;
    }
    this.show(true);
    this.changed();
  }

  next() {
    this.stories.next();
  }

  back() {
    this.stories.back();
  }

  /** Leaves the stories, and returns to the setup before them. */
  close() {
    this.leave();
    this.restore();
    void this.watchTab.still.demonstrate();
    this.changed();
  }

  /** Leaves the stories, and what they showed. */
  leave() {
    this.stories.close();
    this.show(false);
    this.overlay(null);
    this.watchTab.clear();
    this.watchTab.player.setMode("idle");
  }

  /**
   * Sets up the board of a stop.
   * @param {Ground} ground
   */
  setUp(ground) {
    this.isStaging = true;
    setup.change(ground);
    this.isStaging = false;
  }

  /** Returns the parameters of the address. */
  parts() {
    const current = this.stories.current();
    /** @type {Record<string, string>} */
    const parts = {};
    if (current) Object.assign(parts, { story: current.id, stop: String(current.stop) });
    return parts;
  }

  /**
   * Opens the story of an address, or closes the one that is open.
   * @param {URLSearchParams} query
   * @returns {string[]} messages about invalid parameters
   */
  read(query) {
    const id = query.get("story");
    if (id === null) {
      // The address has the setup.
      this.kept = null;
      if (this.isOpen()) this.leave();
      return [];
    }
    const stop = parseWhole(query.get("stop") ?? "1") ?? 1;
    const current = this.stories.current();
    if (current?.id === id && current.stop === stop) return [];
    return this.stories.open(id, stop) ? [] : [`There is no story '${id}'.`];
  }

  // What follows is called by the stories.

  /**
   * Shows a tour, or the empty board.
   * @param {Tour | null} tour
   * @param {Ground} ground
   * @param {{ numbers: boolean }} options
   */
  showTour(tour, ground, { numbers }) {
    this.watchTab.clear();
    this.watchTab.player.setMode("idle");
    this.setUp(ground);
    if (tour) this.watchTab.still.show(tour, ground, { kind: "story", title: "A tour of the story", numbers });
    else this.watchTab.redraw();
  }

  /**
   * Starts a search.
   * @param {{ ground: Ground, solver: string, params: Record<string, string>, seed: number, speed: number | null,
   *   step: number | null }} search
   */
  watch({ ground, solver, params, seed, speed, step }) {
    const { watchTab } = this;
    watchTab.clear();
    this.setUp(ground);
    watchTab.form.set({ solver, params });
    watchTab.seed.value = String(seed);
    watchTab.player.setSpeed(speed);
    void watchTab.start(step === null ? {} : { step });
  }

  /**
   * Lays a figure over the board; null removes it.
   * @param {HTMLElement | null} node
   */
  overlay(node) {
    this.overlaid.replaceChildren(...(node ? [node] : []));
    this.overlaid.hidden = node === null;
    get("board", HTMLElement).style.visibility = node ? "hidden" : "";
  }

  /**
   * Shows a note below the board; an empty text removes it.
   * @param {string} text
   */
  note(text) {
    say("hint", text ? el("p", { className: "notice plain" }, text) : null);
  }
}
