// What stands beside the board on the Watch tab: what runs, the setup in one line, narration, counters, figure, legend.

import { el, get, announce } from "./dom.js";
import { duration, grouped, ratio, short } from "./numbers.js";

/** Milliseconds between two sentences for screen readers while a slow search runs. */
const SPOKEN = 4000;

/** Writes a number so that it fits a tile. @param {number} n */
function brief(n) {
  return n < 10_000_000 ? grouped(n) : short(n);
}

/** The panel beside the board. */
export class Panel {
  /**
   * @param {{ change: () => void, undo: () => void, brush: () => void, numbers: () => void, link: (button: HTMLButtonElement) => void,
   *   present: () => void, stories: () => void, think: () => void, place: () => void }} actions
   */
  constructor(actions) {
    this.title = el("h2", {}, "");
    this.where = el("span", { className: "soft" }, "");
    this.idea = el("p", { className: "idea soft" });
    this.change = el("button", { type: "button", onclick: actions.change, "aria-expanded": "false", "aria-controls": "drawer" }, "Change");
    this.undo = el("button", { type: "button", onclick: actions.undo, disabled: true, title: "Undo the last change of the board (U)" }, "Undo");
    this.brush = el("button", { type: "button", onclick: actions.brush, "aria-pressed": "false", title: "Paint holes on the board (Shift and a click do the same)" }, "Holes");
    this.numbers = el("button", { type: "button", onclick: actions.numbers, "aria-pressed": "false", title: "Show step numbers (N)" }, "Numbers");
    const link = el("button", { type: "button", className: "quiet", onclick: () => actions.link(link) }, "Copy link");
    const present = el("button", { type: "button", onclick: actions.present, title: "Fill the window with the board (F)" }, "Present");
    const stories = el("button", { type: "button", onclick: actions.stories }, "Stories");
    this.narration = el("p", { id: "narration", className: "narration" });
    this.spoken = 0;
    const choice = (/** @type {string} */ name, /** @type {string} */ text, /** @type {() => void} */ action) =>
      el("button", { type: "button", onclick: action }, el("strong", {}, name), el("span", {}, text));
    this.think = el("span", {});
    this.choices = el("div", { className: "choices" },
      el("button", { type: "button", onclick: actions.think }, el("strong", {}, "Watch a method think"), this.think),
      choice("Put the knight somewhere", "Choose its first square", actions.place),
      choice("Stories", "From Euler to ants and networks", actions.stories));
    this.leave = el("button", { type: "button", className: "leave", onclick: actions.present }, "Leave (F)");
    this.counters = el("dl", { className: "counters three" });
    this.more = el("dl", { className: "counters" });
    this.figure = el("div", { className: "insight-place" });
    this.legend = el("div", { className: "legend-place" });
    this.story = el("div", { className: "story-place", hidden: true });
    get("watch", HTMLElement).append(
      el("div", { className: "headline" }, this.title, this.where, this.change, this.leave),
      this.idea,
      el("div", { className: "setup-line tools" }, this.undo, this.brush, this.numbers, stories, present, link),
      this.story, this.narration, this.choices, this.counters, this.figure, this.legend,
      el("details", { className: "more-numbers" }, el("summary", {}, "More numbers"), this.more));
    this.count(null, 0, null, false);
  }

  /**
   * Says which method the first choice shows.
   * @param {import("./api.js").Solver} solver
   * @param {boolean} slowly
   */
  suggest({ title }, slowly) {
    const text = slowly ? `${title}, step by step` : title;
    if (this.think.textContent !== text) this.think.textContent = text;
  }

  /**
   * Names what runs, also in the title of the window.
   * @param {string} title
   * @param {string} where
   * @param {string} [idea] what the method does
   */
  name(title, where, idea = "") {
    if (this.idea.textContent !== idea) this.idea.textContent = idea;
    if (this.title.textContent !== title) this.title.textContent = title;
    if (this.where.textContent !== where) this.where.textContent = where;
    const whole = `${title}, ${where} – Hippodrome`;
    if (document.title !== whole) document.title = whole;
  }

  /**
   * Shows a sentence. Screen readers hear it at once while the search rests, every few seconds while it runs slowly,
   * and not while it runs fast.
   * @param {string} text as the library words it
   * @param {{ resting: boolean, speed: number | null }} pace
   */
  tell(text, { resting, speed }) {
    const sentence = text === "" ? "" : `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
    if (this.narration.textContent === sentence) return;
    this.narration.textContent = sentence;
    const now = performance.now();
    const bearable = speed !== null && speed <= 3 && now - this.spoken > SPOKEN;
    if (sentence !== "" && (resting || bearable)) {
      this.spoken = now;
      announce(sentence);
    }
  }

  /**
   * Shows the counters, with the papers' definitions.
   * @param {import("./history.js").HistoryEntry | null} seen
   * @param {number} whole number of squares
   * @param {string | null} rounds name of the solver's rounds
   * @param {boolean} deadEnds whether every failed attempt is a dead end
   * @param {[string, string] | null} [progress] how far the method is, if squares on a path do not say so
   */
  count(seen, whole, rounds, deadEnds, progress = null) {
    const frame = seen?.frame;
    const failed = frame ? frame.attempts - frame.tours : 0;
    this.fill(this.counters, [
      progress ?? ["Visited", seen ? `${brief(seen.path.length)} of ${brief(whole)}` : "–"],
      deadEnds ? ["Dead ends", brief(Math.max(0, failed))] : ["Attempts", brief(frame?.attempts ?? 0)],
      ["Tours", brief(frame?.tours ?? 0)],
    ]);
    const least = frame?.distinct_at_least ? "≥ " : "";
    const rows = /** @type {[string, string][]} */ ([
      ["Attempts", brief(frame?.attempts ?? 0)],
      ["Moves", brief(frame?.moves ?? 0)],
      ["Distinct", least + brief(frame?.distinct ?? 0)],
      ["Closed", least + brief(frame?.closed ?? 0)],
      ["Hit ratio", frame && frame.attempts ? least + ratio(frame.distinct / frame.attempts) : "–"],
      ["Search time", frame ? duration(frame.seconds ?? 0) : "–"],
    ]);
    if (rounds) rows.push([rounds[0].toUpperCase() + rounds.slice(1), brief(frame?.round ?? 0)]);
    this.fill(this.more, rows);
  }

  /**
   * @param {HTMLElement} list
   * @param {[string, string][]} rows
   */
  fill(list, rows) {
    const names = rows.map(([name]) => name).join();
    if (list.dataset.names !== names) {
      list.dataset.names = names;
      list.replaceChildren(...rows.map(([name]) => el("div", {}, el("dt", {}, name), el("dd", {}))));
    }
    rows.forEach(([, value], at) => {
      const place = list.children[at].lastElementChild;
      if (place && place.textContent !== value) place.textContent = value;
    });
  }
}
