// What a search has just done, as the server sends it with a state: `{ kind, of }`.

/**
 * Two vertices of a move; null is a vertex added to close open tours, so the other one is an end of the tour.
 * @typedef {[number | null, number | null]} Link
 * @typedef {{ square: number, onward: number, second: number | null }} MoveOption
 * @typedef {{ step: number, from: number, options: MoveOption[], chosen: number, ties: string }} Choice
 * @typedef {{ number: number, colony: number | null, ants: number, longest: number, mean: number, whole: number }} Cycle
 * @typedef {{ end: number, added: [number, number], cut: [number, number], reversed?: number[] }} Reversal
 * The content of each kind of event.
 * @typedef {{
 *   "choice": Choice,
 *   "retry": { step: number, from: number, chosen: number, left: number },
 *   "dead-end": { square: number, visited: number },
 *   "back": { moves: number, to: number },
 *   "start": { square: number },
 *   "extend": { length: number, square: number, evaluation: number, added: number, waiting: number },
 *   "branch": { vertex: number | null, left: number, needs: number, edge: Link, depth: number },
 *   "forced": { at: number | null, edge: Link }[],
 *   "contradiction": { short: { vertex: number | null, left: number, needs: number } | null },
 *   "exclude": { edge: Link, depth: number },
 *   "cycle": Cycle,
 *   "sweep": { number: number, active: number, satisfied: number, cycles: number },
 *   "mended": { before: number, kept: number },
 *   "factor": { cycles: number, source: string },
 *   "joined": { cycles: number, pairs: number, longer: number, left: number },
 *   "cover": { decided: number, closed: number | null },
 *   "division": { parts: [number[], number[]] },
 *   "crossing": { step: number, squares: [number, number], block: [number, number], back: [number, number] | null },
 *   "reversal": Reversal,
 *   "tour": { closed: boolean },
 *   "layer": { number: number, square: number, states: number, finished?: number[] },
 * }} Contents
 * @typedef {keyof Contents} EventKind
 * @typedef {{ [K in EventKind]: { kind: K, of: Contents[K] } }[EventKind]} SearchEvent
 */

/**
 * Returns the content of the last event of a kind, or null.
 * @template {EventKind} K
 * @param {import("./api.js").Frame} frame
 * @param {K} kind
 * @returns {Contents[K] | null}
 */
export function last(frame, kind) {
  const events = frame.events;
  if (!events) return null;
  for (let i = events.length - 1; i >= 0; i--) {
    const event = events[i];
    if (event.kind === kind) return /** @type {Contents[K]} */ (event.of);
  }
  return null;
}

/**
 * Returns the length of the common beginning of two paths.
 * @param {ArrayLike<number>} one
 * @param {ArrayLike<number>} other
 */
export function commonLength(one, other) {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}

/**
 * Whether the state before a state is the step before it, so that their difference is what the step did.
 * @param {import("./scene.js").Seen} seen
 */
export function isNextStep({ frame, before }) {
  return before !== null && before.frame.n + 1 === frame.n;
}
