// The player below the board: play, pause, step, speed, position.

import { el, iconButton, prefersReducedMotion } from "./dom.js";
import { grouped } from "./numbers.js";

const PLAY = "M7 4.5v15l12-7.5z";
const PAUSE = "M6 4.5h4v15H6zM14 4.5h4v15h-4z";
const STEP = "M5 4.5v15l9-7.5zM16 4.5h3v15h-3z";
const BACK = "M19 4.5v15l-9-7.5zM5 4.5h3v15H5z";
const STOP = "M6 6h12v12H6z";

/** Speeds: label, and steps per second; null is full speed. */
const SPEEDS = /** @type {[string, number | null][]} */ ([
  ["1 per second", 1], ["3 per second", 3], ["10 per second", 10], ["30 per second", 30], ["60 per second", 60],
  ["300 per second", 300], ["3,000 per second", 3000], ["100,000 per second", 100000], ["Full speed", null],
]);

/**
 * @typedef {"idle" | "waiting" | "running" | "paused" | "done"} Mode
 * @typedef {{ start: () => void, stop: () => void, pause: (paused: boolean) => void, step: () => void,
 *   back: () => void, speed: (speed: number | null) => void, scrub: (index: number) => void }} Actions
 */

/** The buttons below the board. */
export class Player {
  /**
   * @param {HTMLElement} place
   * @param {Actions} actions
   */
  constructor(place, actions) {
    this.actions = actions;
    /** @type {Mode} */
    this.mode = "idle";
    this.start = el("button", { type: "button", className: "main", onclick: actions.start }, "Watch");
    this.play = iconButton("Play", PLAY, () => actions.pause(this.mode === "running"));
    this.back = iconButton("Step back", BACK, actions.back);
    this.step = iconButton("Step", STEP, actions.step);
    this.stop = iconButton("Stop", STOP, actions.stop);
    this.speed = el("select", { onchange: () => actions.speed(this.perSecond()) },
      ...SPEEDS.map(([name, value]) => el("option", { value: String(value) }, name)));
    this.speed.value = prefersReducedMotion() ? "1" : "10";
    this.scrub = el("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": "Go back to an earlier step",
      oninput: () => actions.scrub(Number(this.scrub.value)) });
    this.where = el("span", {}, "");
    this.what = el("span", { role: "status" }, "");
    place.append(
      el("div", { className: "bar" }, this.start, this.back, this.play, this.step, this.stop,
        el("label", { className: "speed" }, "Steps ", this.speed)),
      this.scrub,
      el("div", { className: "where" }, this.what, this.where),
    );
    this.setMode("idle");
  }

  /** Returns steps per second; null is full speed. */
  perSecond() {
    return this.speed.value === "null" ? null : Number(this.speed.value);
  }

  /**
   * @param {Mode} mode
   * @param {string} [text]
   */
  setMode(mode, text) {
    this.mode = mode;
    const alive = mode === "running" || mode === "paused";
    const runs = mode === "running";
    this.start.textContent = mode === "idle" ? "Watch" : "Start anew";
    this.play.disabled = !alive;
    this.step.disabled = mode === "idle" || mode === "waiting";
    this.stop.disabled = !(alive || mode === "waiting");
    const name = runs ? "Pause" : "Play";
    this.play.title = name;
    this.play.setAttribute("aria-label", name);
    this.play.querySelector("path")?.setAttribute("d", runs ? PAUSE : PLAY);
    this.what.textContent = text ?? { idle: "", waiting: "Waiting for its turn…", running: "", paused: "Paused", done: "" }[mode];
  }

  /**
   * @param {number} index
   * @param {number} length
   * @param {number} n
   */
  setPlace(index, length, n) {
    this.scrub.max = String(Math.max(0, length - 1));
    this.scrub.value = String(index);
    this.scrub.disabled = length < 2;
    this.scrub.setAttribute("aria-valuetext", `step ${n}`);
    this.back.disabled = index <= 0;
    this.where.textContent = length ? `Step ${grouped(n)}` : "";
  }
}
