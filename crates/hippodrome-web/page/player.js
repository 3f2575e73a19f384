// The player below the board: one button to play, steps, speed, position in the history, the live state.

import { el, iconButton, prefersReducedMotion } from "./dom.js";
import { grouped } from "./numbers.js";

const PLAY = "M7 4.5v15l12-7.5z";
const PAUSE = "M6 4.5h4v15H6zM14 4.5h4v15h-4z";
const STEP = "M5 4.5v15l9-7.5zM16 4.5h3v15h-3z";
const BACK = "M19 4.5v15l-9-7.5zM5 4.5h3v15H5z";
const STOP = "M6 6h12v12H6z";

/** Speeds in steps per second, with a word for each; null is full speed. The ratios are about the same. */
const SPEEDS = /** @type {[number | null, string][]} */ ([
  [1, "one by one"], [3, "slow"], [10, "steady"], [30, "brisk"], [60, "fast"],
  [300, "faster than the eye"], [3000, "in leaps"], [100000, "in great leaps"], [null, "full speed"],
]);
/** The number of speeds: digits on the keyboard choose them. */
export const SPEED_COUNT = SPEEDS.length;

/**
 * @typedef {"idle" | "waiting" | "running" | "paused" | "done"} Mode
 * @typedef {{ play: () => void, stop: () => void, step: () => void, back: () => void, live: () => void,
 *   speed: (speed: number | null) => void, scrub: (index: number) => void }} Actions
 */

/**
 * Returns the position of the slider for a speed: that of the nearest one, if it is not among them.
 * @param {number | null} speed
 */
function positionOf(speed) {
  if (speed === null) return SPEEDS.length - 1;
  let best = 0;
  SPEEDS.forEach(([known], at) => {
    if (known !== null && Math.abs(Math.log(known / speed)) < Math.abs(Math.log((SPEEDS[best][0] ?? 1) / speed))) best = at;
  });
  return best;
}

/** The buttons below the board. */
export class Player {
  /**
   * @param {HTMLElement} place
   * @param {Actions} actions
   */
  constructor(place, actions) {
    /** @type {Mode} */
    this.mode = "idle";
    this.playing = false;
    this.play = iconButton("Play", PLAY, actions.play);
    this.play.classList.add("main");
    this.back = iconButton("Step back", BACK, actions.back);
    this.step = iconButton("Step", STEP, actions.step);
    this.stop = iconButton("Stop", STOP, actions.stop);
    this.live = el("button", { type: "button", className: "live", title: "Go to the latest step", onclick: actions.live }, "Live");
    this.speed = el("input", { type: "range", min: "0", max: String(SPEEDS.length - 1), step: "1", "aria-label": "Speed",
      oninput: () => {
        this.showSpeed();
        actions.speed(this.perSecond());
      } });
    this.word = el("span", { className: "speed-word" });
    this.scrub = el("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": "Go back to an earlier step",
      oninput: () => actions.scrub(Number(this.scrub.value)) });
    this.where = el("span", { className: "step-number" }, "");
    this.what = el("span", { className: "status", role: "status" }, "");
    place.append(
      el("div", { className: "bar" }, this.back, this.play, this.step, this.stop,
        el("div", { className: "speed" }, this.speed, this.word)),
      el("div", { className: "bar" }, this.scrub, this.live, this.what, this.where),
    );
    this.setSpeed(prefersReducedMotion() ? 1 : 10);
    this.setMode("idle");
  }

  /** Returns steps per second; null is full speed. */
  perSecond() {
    return SPEEDS[Number(this.speed.value)][0];
  }

  /**
   * @param {number | null} speed
   */
  setSpeed(speed) {
    this.speed.value = String(positionOf(speed));
    this.showSpeed();
  }

  showSpeed() {
    const [speed, word] = SPEEDS[Number(this.speed.value)];
    const text = speed === null ? word : `${grouped(speed)} ${speed === 1 ? "step" : "steps"} per second, ${word}`;
    this.speed.setAttribute("aria-valuetext", text);
    this.word.textContent = speed === null ? word : `${grouped(speed)}/s, ${word}`;
  }

  /**
   * @param {Mode} mode
   * @param {string} [text]
   */
  setMode(mode, text = "") {
    this.mode = mode;
    this.stop.disabled = mode === "idle" || mode === "done";
    this.step.disabled = mode === "waiting";
    const status = text || { idle: "", waiting: "Waiting for its turn…", running: "Running", paused: "Paused", done: "" }[mode];
    if (this.what.textContent !== status) this.what.textContent = status;
    this.setPlaying(mode === "running");
  }

  /**
   * Shows whether the button plays or pauses.
   * @param {boolean} playing
   */
  setPlaying(playing) {
    this.playing = playing;
    const name = playing ? "Pause" : "Play";
    if (this.play.title === name) return;
    this.play.title = name;
    this.play.setAttribute("aria-label", name);
    this.play.querySelector("path")?.setAttribute("d", playing ? PAUSE : PLAY);
  }

  /**
   * @param {number} index
   * @param {number} length
   * @param {number} n
   */
  setPlace(index, length, n) {
    // A single state is the latest one: the right end.
    const most = String(Math.max(1, length - 1));
    if (this.scrub.max !== most) this.scrub.max = most;
    const at = String(length === 1 ? 1 : Math.max(0, index));
    if (this.scrub.value !== at) this.scrub.value = at;
    this.scrub.disabled = length < 2;
    this.scrub.setAttribute("aria-valuetext", `step ${n}`);
    this.back.disabled = index <= 0;
    const isLive = index >= length - 1;
    this.live.disabled = length === 0 || isLive;
    this.live.setAttribute("aria-pressed", String(length > 0 && isLive && this.mode === "running"));
    const text = length ? `Step ${grouped(n)}` : "";
    if (this.where.textContent !== text) this.where.textContent = text;
  }
}
