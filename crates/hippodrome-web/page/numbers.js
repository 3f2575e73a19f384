// Numbers for people.

const whole = new Intl.NumberFormat("en-GB");

/**
 * A whole number in groups of three digits.
 * @param {number} n
 */
export function grouped(n) {
  return whole.format(n);
}

/**
 * A short form for axes: 1.5k, 20M.
 * @param {number} n
 */
export function short(n) {
  const units = /** @type {[number, string][]} */ ([[1e9, "G"], [1e6, "M"], [1e3, "k"]]);
  for (const [size, name] of units) {
    if (n >= size) return `${Number((n / size).toPrecision(3))}${name}`;
  }
  return String(Number(n.toPrecision(3)));
}

/**
 * A share, with as many digits as say something.
 * @param {number} share
 */
export function ratio(share) {
  if (!Number.isFinite(share)) return "–";
  if (share === 0) return "0";
  if (share < 1e-4) return share.toExponential(2);
  return share.toPrecision(3);
}

/**
 * @param {number} seconds
 */
export function lasting(seconds) {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 90) return `${seconds.toFixed(1)} s`;
  return `${Math.round(seconds / 60)} min`;
}

/**
 * A whole number as the library reads it: digits, `_` anywhere, and a fraction where `k`, `M` or `G` makes it
 * whole; null for anything else.
 * @param {string} text
 */
export function wholeNumber(text) {
  const parts = /^([0-9]+)(?:\.([0-9]*))?([kKMG]?)$/.exec(text.replaceAll("_", ""));
  if (!parts) return null;
  const zeros = /** @type {Record<string, number>} */ ({ "": 0, k: 3, K: 3, M: 6, G: 9 })[parts[3]];
  const fraction = (parts[2] ?? "").replace(/0+$/, "");
  const digits = parts[1] + fraction.padEnd(zeros, "0");
  return fraction.length > zeros || BigInt(digits) >= 2n ** 64n ? null : Number(digits);
}

/**
 * A real number as the library reads it: no suffix, and no `_`; null for anything else.
 * @param {string} text
 */
export function realNumber(text) {
  return /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : null;
}
