// The facts of a tour in a sentence: its symmetry, its crossings, and how many such tours there are.

import { post } from "./api.js";
import { tourCount } from "./facts.js";
import { counted } from "./names.js";
import { groundJson } from "./setup.js";
import { squareName } from "./squares.js";

/**
 * @typedef {import("./api.js").Tour & { shipped?: string }} Tour
 * @typedef {import("./setup.js").Ground} Ground
 */

/** Numbers of tours that were asked for, by board. @type {Map<string, Promise<{ open?: string, closed?: string }>>} */
const asked = new Map();

/**
 * Returns the number of directed tours of a board as text; null if it is not known.
 * @param {Ground} ground
 * @param {boolean} closed
 * @returns {Promise<string | null>}
 */
async function countOf(ground, closed) {
  const known = tourCount(ground, closed);
  if (known !== null) return known;
  const board = groundJson({ ...ground, closed: false, start: null, end: null });
  const key = JSON.stringify(board);
  const request = asked.get(key) ?? post("/api/board", board).then((facts) => facts.counts ?? {}, () => ({}));
  asked.set(key, request);
  return (await request)[closed ? "closed" : "open"] ?? null;
}

/**
 * Names the kind of a tour: "closed tour of 8x8".
 * @param {Tour} tour
 * @param {Ground} ground
 */
export function kindName({ closed }, { rows, cols }) {
  return `${closed ? "closed" : "open"} tour of ${rows}x${cols}`;
}

/** Words for the sums of rows and columns. */
const MAGIC = /** @type {Record<string, string>} */ ({ semi: "semi-magic", full: "magic" });

/**
 * Describes a tour.
 * @param {Tour} tour
 * @param {Ground} ground
 */
export async function caption(tour, ground) {
  const { closed, symmetry, magic, crossings, squares } = tour;
  const words = [`${closed ? "Closed" : "Open"} tour of ${ground.rows}x${ground.cols}`];
  if (!closed) words.push(`from ${squareName(squares[0], ground.cols)} to ${squareName(squares[squares.length - 1], ground.cols)}`);
  const facts = [words.join(" ")];
  if (crossings !== null) facts.push(counted(crossings, "crossing"));
  facts.push(symmetry === "none" ? "no symmetry" : `${symmetry} symmetry`);
  if (MAGIC[magic]) facts.push(MAGIC[magic]);
  const count = await countOf(ground, closed);
  if (count !== null) facts.push(`one of ${BigInt(count).toLocaleString("en-GB")} directed ${closed ? "closed" : "open"} tours`);
  return `${facts.join(", ")}.`;
}
