// Plays stories on the stage: shows the tours, boards and searches that their stops name.

import { el, get, notice } from "./dom.js";
import { say } from "./messages.js";
import { parseWhole } from "./parse.js";
import { groundFrom, setup } from "./setup.js";
import { Stories } from "./stories.js";

/**
 * @typedef {import("./api.js").Tour} Tour
 * @typedef {{ id: string, title: string, year: string, author: string, source: string, board: string, kind: string, tour: Tour }} Historic
 * @typedef {{ board: string, closed?: boolean, holes?: string[], start?: string, leaper?: string }} GroundOfStop
 * @typedef {{ ground?: GroundOfStop, solver: string, params?: Record<string, string>, seed: number, speed?: number | null, step?: number }} WatchOfStop
 */

/** The tours that ship with the program, once they are needed. @type {Promise<Historic[]> | null} */
let historic = null;

function historicTours() {
  historic ??= fetch("/api/historic").then((answer) => answer.json()).then((answer) => answer.tours ?? answer);
  return historic;
}

/**
 * @param {GroundOfStop} given
 */
function groundOf({ board, closed = false, holes = [], start, leaper = "1,2" }) {
  return groundFrom({ board, closed, holes, leaper, start: start ?? null, end: null });
}

/** Stories on the Watch tab. */
export class StoryStage {
  /**
   * @param {import("./watch.js").Watch} watch
   * @param {() => void} changed called when the address should change
   */
  constructor(watch, changed) {
    this.watch = watch;
    this.overlaid = get("overlay", HTMLElement);
    const place = watch.panel.story;
    this.stories = new Stories(place, this);
    this.stories.onchange = () => {
      const open = this.isOpen();
      document.body.classList.toggle("story", open);
      place.hidden = !open;
      if (!open) this.leave();
      changed();
      watch.redraw();
    };
  }

  /** Whether the list of stories or a story is shown. */
  isOpen() {
    return this.stories.isOpen();
  }

  /** Shows the list. */
  list() {
    this.stories.list();
  }

  next() {
    this.stories.next();
  }

  back() {
    this.stories.back();
  }

  close() {
    this.stories.close();
  }

  /** Clears the stage of what a story showed. */
  leave() {
    this.overlay(null);
    this.watch.clear();
    void this.watch.still.demonstrate();
  }

  /** Returns the parameters of the address. */
  parts() {
    const current = this.stories.current();
    /** @type {Record<string, string>} */
    const parts = {};
    if (current) Object.assign(parts, { story: current.id, stop: String(current.stop + 1) });
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
      if (this.isOpen()) this.stories.close();
      return [];
    }
    const stop = (parseWhole(query.get("stop") ?? "1") ?? 1) - 1;
    const current = this.stories.current();
    if (current?.id === id && current.stop === stop) return [];
    return this.stories.open(id, stop) ? [] : [`There is no story '${id}'.`];
  }

  // What follows is called by the stories.

  /**
   * Shows a board and nothing on it.
   * @param {GroundOfStop} ground
   */
  showBoard(ground) {
    this.watch.clear();
    setup.change(groundOf(ground));
    this.watch.redraw();
  }

  /**
   * Shows a tour that ships with the program.
   * @param {string} id
   * @param {{ numbers?: boolean }} [options]
   */
  async showTour(id, { numbers = false } = {}) {
    this.watch.clear();
    const turn = this.watch.still.turn;
    const found = (await historicTours().catch(() => [])).find((entry) => entry.id === id);
    if (turn !== this.watch.still.turn) return null;
    if (!found) {
      say("wrong", notice("wrong", "This tour could not be loaded."));
      return null;
    }
    const ground = groundOf({ board: found.board });
    setup.change(ground);
    this.watch.still.show(found.tour, ground, { kind: "story", title: found.title, numbers });
    return found;
  }

  /**
   * Starts a search.
   * @param {WatchOfStop} search
   */
  async run({ ground, solver, params = {}, seed, speed, step }) {
    const { watch } = this;
    watch.clear();
    if (ground) setup.change(groundOf(ground));
    watch.form.set({ solver, params });
    watch.seed.value = String(seed);
    if (speed !== undefined) watch.player.setSpeed(speed);
    await watch.start(step === undefined ? {} : { step });
  }

  /**
   * Lays a figure over the board; null removes it.
   * @param {Node | null} node
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
    say("hint", text ? el("div", { className: "notice plain" }, text) : null);
  }
}
