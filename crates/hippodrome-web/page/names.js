// Names of methods for people: the title, and the parameters that differ from the defaults.

import { parseMethod } from "./parse.js";

/** @typedef {import("./api.js").Solver} Solver */

/**
 * Names a method: "Warnsdorff's rule (ties random)".
 * @param {Solver[]} solvers
 * @param {import("./api.js").Method} method
 */
export function methodName(solvers, { solver, params }) {
  const title = solvers.find(({ name }) => name === solver)?.title ?? solver;
  const words = Object.entries(params).map(([name, value]) => `${name} ${value}`);
  return words.length ? `${title} (${words.join(", ")})` : title;
}

/**
 * Names a method that is written as on the command line.
 * @param {Solver[]} solvers
 * @param {string} typed
 */
export function typedName(solvers, typed) {
  return methodName(solvers, parseMethod(typed));
}

/**
 * Replaces methods as written on the command line by their names.
 * @param {Solver[]} solvers
 * @param {string} text
 * @param {string[]} typed the methods that the text may contain
 */
export function withNames(solvers, text, typed) {
  // Longer ones first: "mace:rho=0.1" contains "mace".
  const known = [...new Set(typed)].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (known.length === 0) return text;
  return text.replace(new RegExp(`(?<![\\w-])(?:${known.join("|")})(?![\\w:-])`, "g"), (name) => typedName(solvers, name));
}

/**
 * Writes a number of things: "1 tour", "3 tours".
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export function counted(n, one, many = `${one}s`) {
  return `${n.toLocaleString("en-GB")} ${n === 1 ? one : many}`;
}

/**
 * Removes the marks of code from a text.
 * @param {string} text
 */
export function plain(text) {
  return text.replaceAll("`", "");
}
