// The whole setup in the address: #watch?board=8x8&solver=mace&p.rho=0.25&seed=7

import { setup } from "./setup.js";
import { nameOf, squareOf } from "./squares.js";

/**
 * @typedef {{ tab: string, query: URLSearchParams }} Place
 */

/** @type {Map<string, () => Record<string, string>>} */
const tellers = new Map();

/**
 * Lets a tab say what belongs to its setup.
 * @param {string} tab
 * @param {() => Record<string, string>} teller
 */
export function tells(tab, teller) {
  tellers.set(tab, teller);
}

/** @returns {Place} */
export function here() {
  const [tab, query] = location.hash.slice(1).split("?", 2);
  return { tab, query: new URLSearchParams(query ?? "") };
}

/** The board as parts of an address; what is usual is left out. */
function groundParts() {
  const { rows, cols, holes, leaper, closed, start, end } = setup.ground;
  /** @type {Record<string, string>} */
  const parts = { board: `${rows}x${cols}` };
  if (holes.size) parts.holes = [...holes].sort((a, b) => a - b).map((hole) => nameOf(hole, cols)).join(",");
  if (leaper !== "1,2") parts.leaper = leaper;
  if (closed) parts.closed = "1";
  if (start !== null) parts.start = nameOf(start, cols);
  if (end !== null) parts.end = nameOf(end, cols);
  return parts;
}

/**
 * Sets the board up as an address says; what is wrong is left as usual.
 * @param {URLSearchParams} query
 */
export function readGround(query) {
  const size = /^([1-9][0-9]{0,3})x([1-9][0-9]{0,3})$/.exec(query.get("board") ?? "");
  if (!size) return;
  const [rows, cols] = [Math.min(2000, Number(size[1])), Math.min(2000, Number(size[2]))];
  const square = (/** @type {string | null} */ name) => (name ? squareOf(name, rows, cols) : null);
  const holes = (query.get("holes") ?? "").split(",").map(square).filter((hole) => hole !== null);
  const leaper = query.get("leaper") ?? "1,2";
  setup.change({
    rows,
    cols,
    holes: new Set(holes.length < rows * cols ? holes : []),
    leaper: /^[0-9]+,[0-9]+(\+[0-9]+,[0-9]+)*$/.test(leaper) ? leaper : "1,2",
    closed: query.get("closed") === "1",
    start: square(query.get("start")),
    end: square(query.get("end")),
  });
}

/**
 * @param {Record<string, string>} parts
 */
function written(parts) {
  // Commas, colons and plus signs may stand as they are; people read these addresses.
  return new URLSearchParams(parts).toString().replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%3D/g, "=");
}

/**
 * The address of the present setup of a tab.
 * @param {string} tab
 */
export function linkTo(tab) {
  const parts = { ...groundParts(), ...(tellers.get(tab)?.() ?? {}) };
  return `${location.origin}${location.pathname}#${tab}?${written(parts)}`;
}

/**
 * The address of a tour.
 * @param {import("./api.js").Tour} tour
 */
export function linkToTour(tour) {
  const { rows, cols } = setup.ground;
  const line = tour.digits ?? tour.squares.map((square) => nameOf(square, cols)).join(" ");
  const parts = groundParts();
  delete parts.start;
  delete parts.end;
  delete parts.closed;
  parts.board = `${rows}x${cols}`;
  return `${location.origin}${location.pathname}#gallery?${written({ ...parts, tour: line.replaceAll(" ", "_") })}`;
}

/**
 * Keeps the address up to date without a new entry in the history.
 * @param {string} tab
 */
export function keepAddress(tab) {
  history.replaceState(null, "", linkTo(tab));
}

/**
 * Copies an address, and says so on a button.
 * @param {HTMLButtonElement} button
 * @param {string} address
 */
export async function copy(button, address) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(address);
    button.textContent = "Copied";
  } catch {
    location.href = address;
    button.textContent = "It is in the address bar";
  }
  setTimeout(() => (button.textContent = before), 1600);
}
