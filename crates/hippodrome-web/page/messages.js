// Messages between the board and the player: one per matter, the most urgent first, at most two at a time.

import { el, get, notice } from "./dom.js";

/**
 * Matters, the most urgent first.
 * @typedef {"server" | "link" | "wrong" | "impossible" | "found" | "changed" | "wait" | "hint"} Matter
 */
const ORDER = /** @type {Matter[]} */ (["server", "link", "wrong", "impossible", "found", "changed", "wait", "hint"]);

/** Matters of every tab; the others belong to Watch. */
const SHARED = /** @type {Matter[]} */ (["server", "link", "impossible"]);

/** Messages shown at a time. */
const SHOWN = 2;

/** @type {Map<Matter, HTMLElement>} */
const current = new Map();

function render() {
  const list = get("messages", HTMLElement);
  const order = document.body.dataset.tab === "watch" ? ORDER : SHARED;
  const shown = order.map((matter) => current.get(matter)).filter((node) => node !== undefined).slice(0, SHOWN);
  if (shown.length === list.childElementCount && shown.every((node, at) => list.children[at] === node)) return;
  list.replaceChildren(...shown);
}

/**
 * Shows a message on a matter, in place of the one before; null removes it.
 * @param {Matter} matter
 * @param {HTMLElement | null} node
 */
export function say(matter, node) {
  if (node) current.set(matter, node);
  else if (!current.delete(matter)) return;
  render();
}

/**
 * Shows a message that can be closed.
 * @param {Matter} matter
 * @param {string} title
 * @param {string} text
 */
export function sayClosable(matter, title, text) {
  const message = notice("wrong", title, text);
  message.append(el("button", { type: "button", onclick: () => say(matter, null) }, "Close"));
  say(matter, message);
}

/**
 * Moves the messages to the tab that is shown.
 * @param {HTMLElement} place
 */
export function moveMessages(place) {
  place.append(get("messages", HTMLElement));
  render();
}
