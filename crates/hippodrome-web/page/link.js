// The whole setup in the address: #watch?board=8x8&solver=mace&p.rho=0.25&seed=7

import { parseBoard, parseLeaper, parseSquare, parseSquares } from "./parse.js";
import { setup, MAX_IMAGE_SIDE } from "./setup.js";
import { squareName } from "./squares.js";

/**
 * @typedef {{ tab: string, query: URLSearchParams }} Place
 */

/** @type {Map<string, () => Record<string, string>>} */
const partsOf = new Map();

/**
 * Registers what a tab adds to its address; `page` is for what belongs to every tab.
 * @param {string} tab
 * @param {() => Record<string, string>} parts
 */
export function registerParts(tab, parts) {
  partsOf.set(tab, parts);
}

/** @returns {Place} */
export function here() {
  const [tab, query] = location.hash.slice(1).split("?", 2);
  return { tab, query: new URLSearchParams(query ?? "") };
}

/**
 * Returns a board as parameters of an address, without defaults.
 * @param {import("./setup.js").Ground} ground
 */
function groundParts({ rows, cols, holes, leaper, closed, start, end }) {
  /** @type {Record<string, string>} */
  const parts = { board: `${rows}x${cols}` };
  if (holes.size) parts.holes = [...holes].sort((a, b) => a - b).map((hole) => squareName(hole, cols)).join(",");
  if (leaper !== "1,2") parts.leaper = leaper;
  if (closed) parts.closed = "1";
  if (start !== null) parts.start = squareName(start, cols);
  if (end !== null) parts.end = squareName(end, cols);
  return parts;
}

/**
 * Sets up the board from an address; invalid parameters get their defaults.
 * @param {URLSearchParams} query
 * @returns {string[]} messages about invalid parameters
 */
export function readGround(query) {
  const board = query.get("board");
  if (board === null) return [];
  const size = parseBoard(board);
  if (!size) {
    const { rows, cols } = setup.ground;
    return [`Invalid board '${board}': expected rows and columns, as in 8x8; ${rows}x${cols} is shown.`];
  }
  /** @type {string[]} */
  const remarks = [];
  const [rows, cols] = [size.rows, size.cols].map((side) => Math.min(MAX_IMAGE_SIDE, side));
  if (rows !== size.rows || cols !== size.cols) remarks.push(`The largest side is ${MAX_IMAGE_SIDE}; ${rows}x${cols} is shown.`);
  let { squares: holes, unknown } = parseSquares(query.get("holes") ?? "", rows, cols);
  if (unknown.length) remarks.push(`${unknown.slice(0, 5).join(", ")}${unknown.length > 5 ? ", …" : ""}: not squares of the board; these holes are ignored.`);
  if (holes.size >= rows * cols) {
    remarks.push("All squares are holes; the holes are ignored.");
    holes = new Set();
  }
  const end = (/** @type {"start" | "end"} */ which, /** @type {number | null} */ taken) => {
    const name = query.get(which);
    if (!name) return null;
    const number = parseSquare(name.trim(), rows, cols);
    if (number !== null && !holes.has(number) && number !== taken) return number;
    remarks.push(`The ${which} '${name}' is not a free square; the ${which} is ignored.`);
    return null;
  };
  const start = end("start", null);
  // A plus sign that is not encoded as %2B is decoded as a space.
  const leaper = (query.get("leaper") ?? "1,2").replaceAll(" ", "+");
  const known = parseLeaper(leaper) !== null;
  if (!known) remarks.push(`Invalid piece '${leaper}': expected two numbers, as in 1,2; the knight is used.`);
  const closed = query.get("closed");
  if (closed !== null && closed !== "1" && closed !== "0") remarks.push(`closed=${closed} is invalid: expected 0 or 1; open tours are searched.`);
  setup.change({ rows, cols, holes, leaper: known ? leaper : "1,2", closed: closed === "1", start, end: end("end", start) });
  return remarks;
}

/**
 * Reads a number from an address into a field.
 * @param {URLSearchParams} query
 * @param {string} name
 * @param {HTMLInputElement | HTMLSelectElement} field
 * @param {(text: string) => number | null} parse
 * @returns {string[]} a message if it is invalid
 */
export function readNumber(query, name, field, parse) {
  const text = query.get(name);
  if (text === null) return [];
  const number = parse(text);
  if (number !== null) {
    field.value = String(number);
    return [];
  }
  return [`${name}=${text} is invalid; ${field.value} is used.`];
}

/**
 * @param {Record<string, string>} parts
 */
function written(parts) {
  // Commas, colons and equals signs are valid in a fragment, and more readable unencoded.
  return new URLSearchParams(parts).toString().replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%3D/g, "=");
}

/**
 * Returns the address of the current setup of a tab.
 * @param {string} tab
 */
export function linkTo(tab) {
  const parts = { ...groundParts(setup.ground), ...(partsOf.get(tab)?.() ?? {}), ...(partsOf.get("page")?.() ?? {}) };
  return `${location.origin}${location.pathname}#${tab}?${written(parts)}`;
}

/**
 * Returns the address of a running search.
 * @param {import("./setup.js").Ground} ground
 * @param {Record<string, string>} parts
 */
export function linkToSearch(ground, parts) {
  return `#watch?${written({ ...groundParts(ground), ...parts })}`;
}

/**
 * Formats a tour for an address.
 * @param {import("./api.js").Tour} tour
 * @param {number} cols
 */
export function tourPart(tour, cols) {
  const line = tour.digits ?? tour.squares.map((square) => squareName(square, cols)).join(" ");
  return line.replaceAll(" ", "_");
}

/**
 * Returns the address of a tour.
 * @param {import("./api.js").Tour} tour
 * @param {import("./setup.js").Ground} ground
 */
export function linkToTour(tour, ground) {
  const parts = groundParts({ ...ground, start: null, end: null, closed: false });
  return `${location.origin}${location.pathname}#gallery?${written({ ...parts, tour: tourPart(tour, ground.cols) })}`;
}

/**
 * Keeps the address up to date.
 * @param {string} tab
 * @param {boolean} [entry] whether the browser's Back returns to the address before
 */
export function updateAddress(tab, entry = false) {
  // A tab that is no longer shown must not change the address.
  if (document.body.dataset.tab !== tab) return;
  const address = linkTo(tab);
  if (address === location.href) return;
  if (entry) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/**
 * Copies an address, and confirms it on a button.
 * @param {HTMLButtonElement} button
 * @param {string} address
 */
export async function copy(button, address) {
  const name = (button.dataset.name ??= button.textContent ?? "");
  try {
    await navigator.clipboard.writeText(address);
    button.textContent = "Copied";
  } catch {
    location.href = address;
    button.textContent = "See the address bar";
  }
  clearTimeout(Number(button.dataset.timer));
  button.dataset.timer = String(setTimeout(() => (button.textContent = name), 1600));
}
