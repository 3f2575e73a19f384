// Parsers with the rules of the library: numbers, boards, squares, pieces, budgets, methods.

/**
 * Parses a whole number: digits, `_` anywhere, and a fraction if `k`, `M` or `G` makes it whole; null if invalid.
 * @param {string} text
 */
export function parseWhole(text) {
  const parts = /^([0-9]+)(?:\.([0-9]*))?([kKMG]?)$/.exec(text.replaceAll("_", ""));
  if (!parts) return null;
  const zeros = /** @type {Record<string, number>} */ ({ "": 0, k: 3, K: 3, M: 6, G: 9 })[parts[3]];
  const fraction = (parts[2] ?? "").replace(/0+$/, "");
  const digits = parts[1] + fraction.padEnd(zeros, "0");
  return fraction.length > zeros || BigInt(digits) >= 2n ** 64n ? null : Number(digits);
}

/**
 * Parses a whole number within a range; null if invalid.
 * @param {string} text
 * @param {number} least
 * @param {number} most
 */
export function parseWithin(text, least, most) {
  const number = parseWhole(text);
  return number !== null && number >= least && number <= most ? number : null;
}

/**
 * Parses a real number without suffix or `_`; null if invalid.
 * @param {string} text
 */
export function parseReal(text) {
  return /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : null;
}

/**
 * Parses a seed, a whole number that JavaScript represents exactly; null if invalid.
 * @param {string} text
 */
export function parseSeed(text) {
  return parseWithin(text, 0, Number.MAX_SAFE_INTEGER);
}

/**
 * Parses a board such as `8x8`; null if invalid.
 * @param {string} text
 * @returns {{ rows: number, cols: number } | null}
 */
export function parseBoard(text) {
  const parts = /^([0-9]+)[xX×]([0-9]+)$/.exec(text);
  if (!parts) return null;
  const [rows, cols] = [Number(parts[1]), Number(parts[2])];
  return rows > 0 && cols > 0 ? { rows, cols } : null;
}

/**
 * Returns the number of the square with a name, hole or not; null if there is none. Squares are numbered row by
 * row from a1.
 * @param {string} name
 * @param {number} rows
 * @param {number} cols
 */
export function parseSquare(name, rows, cols) {
  const parts = /^([a-z]+)([0-9]+)$/i.exec(name);
  if (!parts) return null;
  let col = 0;
  for (const letter of parts[1].toLowerCase()) col = col * 26 + letter.charCodeAt(0) - 96;
  const row = Number(parts[2]);
  return row > 0 && row <= rows && col <= cols ? (row - 1) * cols + col - 1 : null;
}

/**
 * Parses names of squares, separated by commas. Returns the squares, and the unknown names.
 * @param {string} text
 * @param {number} rows
 * @param {number} cols
 */
export function parseSquares(text, rows, cols) {
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  const squares = names.map((name) => parseSquare(name, rows, cols));
  return {
    squares: new Set(squares.filter((square) => square !== null)),
    unknown: names.filter((_, at) => squares[at] === null),
  };
}

/**
 * Parses a piece such as `1,2` or `1,2+0,1` into pairs, the smaller number first; null if invalid.
 * @param {string} text
 * @returns {[number, number][] | null}
 */
export function parseLeaper(text) {
  /** @type {[number, number][]} */
  const pairs = [];
  for (const pair of text.split("+")) {
    const parts = /^ *([0-9]+) *, *([0-9]+) *$/.exec(pair);
    const [one, two] = [Number(parts?.[1]), Number(parts?.[2])];
    if (!parts || Math.max(one, two) >= 32768 || one + two === 0) return null;
    pairs.push([Math.min(one, two), Math.max(one, two)]);
  }
  return pairs;
}

/**
 * Parses the budget of a link such as `20k_attempts`, and keeps the amount as text; null if invalid.
 * @param {string} text
 * @returns {{ amount: string, limit: string } | null}
 */
export function parseBudget(text) {
  const at = text.lastIndexOf("_");
  const [amount, limit] = [text.slice(0, at), text.slice(at + 1)];
  if (!["attempts", "moves", "tours", "seconds"].includes(limit)) return null;
  const number = limit === "seconds" ? parseReal(amount) : parseWhole(amount);
  return number === null ? null : { amount, limit };
}

/**
 * Parses a solver with parameters such as `name:param=value`.
 * @param {string} text
 * @returns {import("./api.js").Method}
 */
export function parseMethod(text) {
  const [solver, ...pairs] = text.split(":");
  /** @type {Record<string, string>} */
  const params = {};
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at > 0) params[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return { solver, params };
}
