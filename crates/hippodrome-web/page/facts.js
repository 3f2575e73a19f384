// What is known about the board without a search, updated as it changes; and a button that finds one tour.

import { post, postForFile, RequestError } from "./api.js";
import { isDark } from "./colours.js";
import { el, get, notice, debounce } from "./dom.js";
import { say } from "./messages.js";
import { grouped, duration } from "./numbers.js";
import { groundJson, groundName, isSameGround, setup } from "./setup.js";
import { openTour } from "./tourview.js";

/**
 * @typedef {{ exists?: import("./api.js").Finding, impossible?: import("./api.js").Finding } | "open"} Verdict
 * @typedef {{ squares: number, moves: number, title: string, open: Verdict, closed: Verdict,
 *   impossible: import("./api.js").Finding | null, counts?: { open?: string, closed?: string }, counts_source?: string }} Facts
 */

const place = get("facts", HTMLDivElement);
const image = get("image", HTMLImageElement);
/** The board of the current image, if any. @type {import("./setup.js").Ground | null} */
let pictured = null;
/** @type {AbortController | undefined} */
let asking;
/** The facts of the board, and the board. @type {{ facts: Facts, ground: import("./setup.js").Ground } | null} */
let known = null;

/**
 * Creates one line: a sign and a sentence.
 * @param {string} kind
 * @param {Verdict} verdict
 * @param {string | undefined} count
 */
function line(kind, verdict, count) {
  const number = count ? ` ${BigInt(count).toLocaleString("en-GB")} of them, directed` : "";
  const parts =
    verdict === "open"
      ? ["ask", "?", "not decided by a theorem; a search may find one"]
      : verdict.exists
        ? ["yes", "✓", `exist (${verdict.exists.theorem})${number}`]
        : ["no", "✗", `none: ${verdict.impossible?.reason} (${verdict.impossible?.theorem})`];
  const [name, sign, text] = parts;
  return el("p", { className: name }, el("span", { className: "sign", "aria-hidden": "true" }, sign), el("span", {}, `${kind}: ${text}.`));
}

/**
 * Shows why the requested tour is impossible; null clears the message.
 * @param {import("./api.js").Finding | null} finding
 */
export function showImpossible(finding) {
  if (!finding) {
    say("impossible", null);
    return;
  }
  const title = finding.theorem === "complete search" ? "Impossible (complete search):" : "Impossible (theorem):";
  const message = notice("impossible", title, `${finding.reason}.`);
  if (finding.theorem !== "complete search") message.append(el("span", { className: "soft" }, finding.theorem));
  say("impossible", message);
}

/** Explains how to see a tour of a board that is too large to paint. */
function hint() {
  if (setup.isPainted() || !image.hidden) return;
  const find = el("button", { type: "button", className: "main", onclick: () => void findTour(find) }, "Find a tour at once");
  const message = notice("plain", "A board of this size is shown as an image.", "");
  message.append(find);
  say("hint", message);
}

/**
 * Returns the number of directed tours of a board, if it is known and the board is the one on the page.
 * @param {import("./setup.js").Ground} ground
 * @param {boolean} closed
 */
export function tourCount(ground, closed) {
  const free = { start: null, end: null, closed: false };
  if (!known || !isSameGround({ ...known.ground, ...free }, { ...ground, ...free })) return null;
  return (closed ? known.facts.counts?.closed : known.facts.counts?.open) ?? null;
}

const look = debounce(150, async () => {
  asking?.abort();
  asking = new AbortController();
  const ground = setup.ground;
  try {
    const facts = /** @type {Facts} */ (await post("/api/board", groundJson(ground), asking.signal));
    known = { facts, ground };
    const size = `${facts.title}: ${grouped(facts.squares)} ${facts.squares === 1 ? "square" : "squares"}, ${grouped(facts.moves)} ${facts.moves === 1 ? "move" : "moves"} between them.`;
    const asked = facts.impossible ? { impossible: facts.impossible } : null;
    const find = el("button", { type: "button", onclick: () => void findTour(find) }, "Find a tour at once");
    place.replaceChildren(el("p", {}, size),
      line("Open tours", (!ground.closed && asked) || facts.open, facts.counts?.open),
      line("Closed tours", (ground.closed && asked) || facts.closed, facts.counts?.closed),
      ...(facts.counts_source ? [el("p", { className: "soft" }, `Counts: ${facts.counts_source}.`)] : []),
      el("div", { className: "row" }, find));
    showImpossible(facts.impossible);
    if (!facts.impossible) hint();
  } catch (error) {
    if (error instanceof RequestError && error.status !== 0) {
      place.replaceChildren(notice("wrong", "Invalid board.", error.message));
      showImpossible(null);
    }
  }
});

/**
 * Finds a tour with a solver that the server chooses, and shows it.
 * @param {HTMLButtonElement} [button] disabled meanwhile
 */
export async function findTour(button) {
  if (button) button.disabled = true;
  say("wait", notice("loading", "Looking for a tour…"));
  try {
    const message = setup.isPainted() ? await findSquares() : await findImage();
    say("hint", message === "" ? null : notice("plain", message));
  } catch (error) {
    say("wrong", notice("wrong", "No tour was found.", error instanceof RequestError ? error.message : String(error)));
  }
  say("wait", null);
  if (button) button.disabled = false;
}

/** Returns a message. */
async function findSquares() {
  const seed = Math.floor(Math.random() * 1e6);
  const ground = setup.ground;
  const found = await post("/api/find", { ground: groundJson(ground), seed });
  if (!isSameGround(ground, setup.ground)) {
    if (found.tour) openTour(found.tour, ground);
    return found.tour ? `The board has changed; the tour found is for ${groundName(ground)}.` : "The board has changed; find a tour again.";
  }
  if (found.impossible) {
    showImpossible(found.impossible);
    return "";
  }
  if (!found.tour) return `No tour found in ${duration(found.seconds)}; watch another method, or change the board.`;
  openTour(found.tour, ground);
  return `Found by ${found.solver} in ${duration(found.seconds)}, ${grouped(found.moves)} moves.`;
}

/** Returns a message. */
async function findImage() {
  const ground = setup.ground;
  const { rows, cols } = ground;
  const file = await postForFile("/api/find", { ground: groundJson(ground), seed: 1, image: { dark: isDark(), size: 1280 } });
  if (!isSameGround(ground, setup.ground)) return "The board has changed; find a tour again.";
  if (file.type !== "image/png") {
    const answer = JSON.parse(await file.text());
    if (!answer.impossible) return "No tour found within the time limit.";
    showImpossible(answer.impossible);
    return "";
  }
  if (image.src) URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(file);
  image.alt = `A tour of ${rows}x${cols}; every square is coloured by when it is visited`;
  image.hidden = false;
  pictured = ground;
  return "Colours run from dark to light along the tour.";
}

/** Shows the facts now, and after every change of the board. */
export function startFacts() {
  setup.listen(() => {
    get("board", HTMLDivElement).hidden = !setup.isPainted();
    if (!pictured || !isSameGround(pictured, setup.ground)) image.hidden = true;
    if (setup.isPainted()) say("hint", null);
    hint();
    look();
  });
  look();
}
