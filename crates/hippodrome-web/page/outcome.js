// What a search has found, in words: messages at its end, and sentences about states of which the library says nothing.

import { announce, el, notice } from "./dom.js";
import { say } from "./messages.js";
import { duration, grouped } from "./numbers.js";
import { openTour } from "./tourview.js";

/**
 * @typedef {import("./history.js").HistoryEntry} HistoryEntry
 * @typedef {{ tour: import("./api.js").Tour, ground: import("./setup.js").Ground }} FoundTour
 */

/** Texts of the final statuses. */
const ENDS = /** @type {Record<string, string>} */ ({
  complete: "Search complete",
  exhausted: "Search space exhausted",
  limit: "Budget reached",
  interrupted: "Stopped",
  displaced: "Stopped: too many paused searches",
});

/**
 * Names how a search ended.
 * @param {import("./api.js").State} state
 */
export function endName({ status }) {
  return ENDS[status ?? ""] ?? "Done";
}

/**
 * Says that the search ended without a tour, if another one may find one.
 * @param {import("./api.js").State} state
 */
export function sayNoTour(state) {
  if (state.status !== "exhausted" && state.status !== "limit") return;
  say("found", notice("plain", `${endName(state)} without a tour.`, "Another seed or another method may find one."));
}

/**
 * Says how many tours a search found until it ended.
 * @param {import("./api.js").State} state
 */
export function sayTours(state) {
  const { tours = 0, distinct = 0, attempts = 0 } = state;
  const text = `${grouped(tours)} tours, ${grouped(distinct)} of them distinct, in ${grouped(attempts)} attempts. ▶ starts again.`;
  say("found", notice("good", `${endName(state)}:`, text));
}

/**
 * Says what was found, and what it cost.
 * @param {FoundTour} found
 * @param {import("./api.js").Frame} frame
 * @param {boolean} deadEnds whether every failed attempt is a dead end
 */
export function sayFound({ tour, ground }, frame, deadEnds) {
  const whole = grouped(tour.squares.length);
  const counted = (/** @type {number} */ n, /** @type {string} */ noun) => `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
  const effort = deadEnds ? counted(frame.attempts - frame.tours, "dead end") : counted(frame.attempts, "attempt");
  const text = `${whole} of ${whole} in ${duration(frame.seconds ?? 0)} after ${effort}.`;
  const message = notice("good", "Tour found:", text);
  message.append(el("button", { type: "button", onclick: () => openTour(tour, ground) }, "View and export"));
  say("found", message);
  announce(`Tour found: ${text}`);
}

/**
 * Describes a state of which the library says nothing: a walk before the first report.
 * @param {HistoryEntry} seen
 * @param {number} whole
 */
export function walkSentence({ path }, whole) {
  return `${grouped(path.length)} of ${grouped(whole)} squares visited`;
}

/**
 * Describes a tour.
 * @param {import("./api.js").Tour} tour
 */
export function tourSentence(tour) {
  const kind = tour.closed ? "A closed tour: its last square attacks its first" : "An open tour";
  const more = [tour.symmetry !== "none" ? tour.symmetry : "", tour.crossings !== null ? `${grouped(tour.crossings)} crossings` : ""];
  return [kind, ...more.filter((word) => word !== "")].join(", ");
}
