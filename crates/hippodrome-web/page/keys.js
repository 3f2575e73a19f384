// Keys that work everywhere on the page, and the dialog that lists them.

import { el, get } from "./dom.js";

/**
 * @typedef {{ play: () => void, step: () => void, back: () => void, live: () => void, first: () => void,
 *   speed: (digit: number) => void, numbers: () => void, present: () => void, undo: () => void, escape: () => boolean }} KeyActions
 */

/** What the dialog lists: keys, and what they do. */
const HELP = [
  ["Space", "Play or pause"],
  ["← →", "One step back or forward; in a story, the stop before or after"],
  ["Home, L", "The first step; the latest step"],
  ["1 to 9", "Speed, from one step per second to full speed"],
  ["N", "Step numbers"],
  ["F", "Present: the board fills the window"],
  ["U", "Undo a change of the board"],
  ["?", "This list"],
  ["On the board", "Arrows choose a square, Enter places the knight, H makes a hole, S the start, E the end"],
  ["Mouse", "A click places the knight, Shift and a click make a hole, a click on a finished tour shows it large"],
];

/** Opens the list of keys. */
function showHelp() {
  const dialog = get("help-dialog", HTMLDialogElement);
  const rows = HELP.flatMap(([keys, text]) => [el("dt", {}, el("kbd", {}, keys)), el("dd", {}, text)]);
  const close = el("button", { type: "button", onclick: () => dialog.close() }, "Close");
  dialog.replaceChildren(el("div", { className: "inner" },
    el("div", { className: "row head" }, el("h2", { id: "help-title" }, "Keyboard and mouse"), close), el("dl", {}, ...rows)));
  dialog.showModal();
}

/**
 * Whether an element uses keys itself.
 * @param {EventTarget | null} target
 */
function isField(target) {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/**
 * Listens for keys.
 * @param {KeyActions} actions
 */
export function startKeys(actions) {
  get("help-button", HTMLButtonElement).addEventListener("click", showHelp);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") {
      if (actions.escape()) event.preventDefault();
      return;
    }
    if (isField(event.target) || document.body.dataset.tab !== "watch") return;
    // Space and Enter press a button that has the focus.
    const isButton = event.target instanceof HTMLElement && event.target.closest("button, a, summary") !== null;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowRight: actions.step,
      ArrowLeft: actions.back,
      Home: actions.first,
      l: actions.live,
      n: actions.numbers,
      f: actions.present,
      u: actions.undo,
      "?": showHelp,
    };
    if (!isButton) keys[" "] = actions.play;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = /^[1-9]$/.test(key) ? () => actions.speed(Number(key)) : keys[key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
