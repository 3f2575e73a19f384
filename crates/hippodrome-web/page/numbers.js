// Numbers as text: grouped, short, ratios, durations.

const whole = new Intl.NumberFormat("en-GB");

/**
 * Formats a whole number in groups of three digits.
 * @param {number} n
 */
export function grouped(n) {
  return whole.format(n);
}

/**
 * Formats a number for axes: 1.5k, 20M.
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
 * Formats a ratio with three significant digits.
 * @param {number} share
 */
export function ratio(share) {
  if (!Number.isFinite(share)) return "–";
  if (share === 0) return "0";
  if (share < 1e-4) return share.toExponential(2);
  return share.toPrecision(3);
}

/**
 * Formats a duration in milliseconds, seconds or minutes.
 * @param {number} seconds
 */
export function duration(seconds) {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 90) return `${seconds.toFixed(1)} s`;
  return `${Math.round(seconds / 60)} min`;
}
