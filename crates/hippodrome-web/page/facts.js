// What is known about the board without a search, updated as it changes; and a button that finds one tour.

import { post, postForFile, RequestError } from "./api.js";
import { isDark } from "./colours.js";
import { el, get, notice, debounce } from "./dom.js";
import { grouped, duration } from "./numbers.js";
import { groundJson, groundName, isSameGround, setup } from "./setup.js";
import { openTour } from "./tourview.js";

/**
 * @typedef {{ exists?: import("./api.js").Finding, impossible?: import("./api.js").Finding } | "open"} Verdict
 * @typedef {{ squares: number, moves: number, title: string, open: Verdict, closed: Verdict,
 *   impossible: import("./api.js").Finding | null }} Facts
 */

const place = get("facts", HTMLDivElement);
const verdict = get("verdict", HTMLParagraphElement);
const image = get("image", HTMLImageElement);
/** The board of the current image, if any. @type {import("./setup.js").Ground | null} */
let pictured = null;
/** @type {AbortController | undefined} */
let asking;

/**
 * Creates one line: a sign and a sentence.
 * @param {string} kind
 * @param {Verdict} known
 */
function line(kind, known) {
  const parts =
    known === "open"
      ? ["ask", "?", "not decided by a theorem; a search may find one"]
      : known.exists
        ? ["yes", "✓", `exist (${known.exists.theorem})`]
        : ["no", "✗", `none: ${known.impossible?.reason} (${known.impossible?.theorem})`];
  const [name, sign, text] = parts;
  return el("p", { className: name }, el("span", { className: "sign", "aria-hidden": "true" }, sign), el("span", {}, `${kind}: ${text}.`));
}

/**
 * Shows below the board why the requested tour is impossible; null clears the message.
 * @param {import("./api.js").Finding | null} finding
 */
export function showImpossible(finding) {
  verdict.className = finding ? "verdict impossible" : "verdict";
  const title = finding?.theorem === "complete search" ? "Impossible (complete search):" : "Impossible (theorem):";
  verdict.replaceChildren(...(finding ? [el("strong", {}, `${title} `), `${finding.reason}. `, el("span", { className: "soft" }, finding.theorem)] : []));
}

/** Explains how to see a tour of a board that is too large to paint. */
function hint() {
  if (setup.isPainted() || !image.hidden) return;
  verdict.className = "verdict";
  verdict.textContent = "A board of this size is shown as an image: 'Find a tour at once' makes one.";
}

const look = debounce(150, async () => {
  asking?.abort();
  asking = new AbortController();
  try {
    const facts = /** @type {Facts} */ (await post("/api/board", groundJson(), asking.signal));
    const size = `${facts.title}: ${grouped(facts.squares)} squares, ${grouped(facts.moves)} moves between them.`;
    place.replaceChildren(el("p", {}, size), line("Open tours", facts.open), line("Closed tours", facts.closed));
    // A message about the image stays while the image is shown.
    if (facts.impossible || image.hidden) showImpossible(facts.impossible);
    if (!facts.impossible) hint();
  } catch (error) {
    if (error instanceof RequestError) {
      place.replaceChildren(notice("wrong", "Invalid board.", error.message));
      showImpossible(null);
    }
  }
});

/** Finds a tour with a solver that the server chooses, and shows it. */
async function find() {
  const button = get("find", HTMLButtonElement);
  button.disabled = true;
  verdict.className = "verdict loading";
  verdict.textContent = "Looking for a tour…";
  try {
    if (setup.isPainted()) await findSquares();
    else await findImage();
  } catch (error) {
    verdict.className = "verdict";
    verdict.textContent = error instanceof RequestError ? error.message : String(error);
  }
  button.disabled = false;
}

async function findSquares() {
  const seed = Math.floor(Math.random() * 1e6);
  const ground = setup.ground;
  const found = await post("/api/find", { ground: groundJson(ground), seed });
  verdict.className = "verdict";
  if (!isSameGround(ground, setup.ground)) {
    verdict.textContent = found.tour ? `The board has changed; the tour found is for ${groundName(ground)}.` : "The board has changed; find a tour again.";
    if (found.tour) openTour(found.tour, ground);
  } else if (found.impossible) {
    showImpossible(found.impossible);
  } else if (found.tour) {
    verdict.textContent = `Found by ${found.solver} in ${duration(found.seconds)}, ${grouped(found.moves)} moves.`;
    openTour(found.tour, ground);
  } else {
    verdict.textContent = `No tour found in ${duration(found.seconds)}; watch another method, or change the board.`;
  }
}

async function findImage() {
  const ground = setup.ground;
  const { rows, cols } = ground;
  const file = await postForFile("/api/find", { ground: groundJson(ground), seed: 1, image: { dark: isDark(), size: 1280 } });
  verdict.className = "verdict";
  if (!isSameGround(ground, setup.ground)) {
    verdict.textContent = "The board has changed; find a tour again.";
    return;
  }
  if (file.type !== "image/png") {
    const answer = JSON.parse(await file.text());
    if (answer.impossible) showImpossible(answer.impossible);
    else verdict.textContent = "No tour found within the time limit.";
    return;
  }
  if (image.src) URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(file);
  image.alt = `A tour of ${rows}x${cols}; every square is coloured by when it is visited`;
  image.hidden = false;
  pictured = ground;
  verdict.textContent = "Boards of this size are shown as an image; colours run from dark to light along the tour.";
}

/** Shows the facts now, and after every change of the board. */
export function startFacts() {
  get("find", HTMLButtonElement).addEventListener("click", find);
  setup.listen(() => {
    const painted = setup.isPainted();
    get("board", HTMLDivElement).hidden = !painted;
    if (!pictured || !isSameGround(pictured, setup.ground)) image.hidden = true;
    hint();
    look();
  });
  look();
}
