// The result of a race: the verdict in a sentence, the table, and how to read it.

import { swatch } from "./chart.js";
import { el } from "./dom.js";
import { counted, plain, typedName, withNames } from "./names.js";
import { duration, grouped, ratio } from "./numbers.js";
import { parseMethod } from "./parse.js";
import { UNIFORM } from "./table_size.js";

/**
 * @typedef {{ value: number, low: number | null, high: number | null }} Interval
 * @typedef {{ name: string, done: number, attempts: number, moves: number, tours: number,
 *   distinct: number, closed: number, failed: number | null, hit_ratio: Interval | null,
 *   bias: { value: number, chance: number } | null, first: number | null,
 *   laps: [number, number][][] }} Standing
 * @typedef {{ unit: string, runs: number, standings: Standing[], law: string | null, verdicts: string[] }} RaceFrame
 * @typedef {import("./api.js").Solver} Solver
 */

/**
 * Describes the result in a sentence.
 * @param {RaceFrame} frame
 * @param {Solver[]} solvers
 * @param {{ unit: string, most: number }} budget
 */
export function verdict(frame, solvers, { unit, most }) {
  const name = (/** @type {Standing} */ standing) => typedName(solvers, standing.name);
  const { standings } = frame;
  if (unit === "tours" && most === 1) {
    const sorted = standings.filter(({ tours, done }) => tours > 0 && done > 0).sort((a, b) => a.attempts / a.done - b.attempts / b.done);
    const [first, ...others] = sorted;
    if (!first) return "No method found a tour.";
    const cost = (/** @type {Standing} */ s) => counted(Math.round(s.attempts / s.done), "attempt");
    const more = others.map((s) => `${name(s)} ${cost(s)}`);
    const none = standings.filter(({ tours }) => tours === 0).map(name);
    return `${name(first)} needs the fewest attempts: ${cost(first)}${more.length ? `; ${more.join(", ")}` : ""}${none.length ? `; no tour: ${none.join(", ")}` : ""}.`;
  }
  const all = standings.filter(({ bias }) => bias !== null);
  // That uniform tours are closest to uniform tours is no news.
  const others = all.filter((standing) => parseMethod(standing.name).solver !== UNIFORM);
  const biased = (others.length > 1 ? others : all).sort((a, b) => (a.bias?.value ?? 0) - (b.bias?.value ?? 0));
  const [near, far] = [biased[0], biased.at(-1)];
  if (biased.length > 1 && near.bias && far?.bias) {
    return `The start squares of ${name(near)} are closest to those of uniform tours (distance ${near.bias.value.toFixed(2)}); `
      + `those of ${name(far)} are farthest (${far.bias.value.toFixed(2)}).`;
  }
  const best = standings.toSorted((a, b) => b.distinct - a.distinct)[0];
  if (frame.runs === 1 && best?.distinct > 0) {
    return `${name(best)} found the most distinct tours: ${grouped(best.distinct)}. With one run of each method, that may be chance.`;
  }
  return sentences(frame, solvers)[0] ?? "";
}

/**
 * Returns which methods are shown to be ahead of others, the best first.
 * @param {RaceFrame} frame
 * @param {Solver[]} solvers
 */
function sentences({ verdicts, standings }, solvers) {
  return verdicts.map((words) => {
    const listed = words.replace(/, (?=[^,]*$)/, " and ");
    const text = plain(withNames(solvers, listed, standings.map(({ name }) => name))).replace("no solver", "no method");
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  });
}

/**
 * Explains the columns of the table.
 * @param {RaceFrame} frame
 * @param {Solver[]} solvers
 * @param {{ boards: string, verdict: string }} said
 */
export function remarks(frame, solvers, { boards, verdict: said }) {
  const { standings, law, unit } = frame;
  const texts = frame.runs === 1 ? [] : sentences(frame, solvers).filter((text) => text !== said);
  if (boards) texts.push(boards);
  if (standings.some(({ hit_ratio: hit }) => hit)) texts.push("Hit ratio: distinct tours per attempt, with its 95% interval over the runs.");
  if (standings.some(({ bias }) => bias)) texts.push("Start bias: distance of the start squares from those of uniform tours; in brackets, the distance expected by chance.");
  if (law) texts.push(plain(law));
  texts.push(unit === "seconds" ? "The link repeats the race; with a time limit, the numbers depend on the machine."
    : "The link repeats the race: the same seeds give the same numbers.");
  return texts.map((text) => el("li", {}, text));
}

/**
 * Creates the table.
 * @param {RaceFrame} frame
 * @param {Solver[]} solvers
 */
export function table(frame, solvers) {
  const biased = frame.standings.some(({ bias }) => bias !== null);
  const head = ["Method", "Runs", "Attempts", "Tours", "Distinct", "Closed", "Hit ratio", "First tour", ...(biased ? ["Start bias"] : [])];
  const row = (/** @type {Standing} */ s, /** @type {number} */ index) => {
    const hit = s.hit_ratio;
    const spread = hit && hit.high !== null ? ` ± ${Number((hit.high - hit.value).toPrecision(2))}` : "";
    const name = el("th", { scope: "row", title: s.name }, swatch(index), typedName(solvers, s.name));
    const cells = [
      `${s.done} of ${frame.runs}`, grouped(s.attempts), grouped(s.tours), grouped(s.distinct), grouped(s.closed),
      hit ? `${ratio(hit.value)}${spread}` : s.attempts ? ratio(s.distinct / s.attempts) : "–",
      s.first === null ? "–" : s.first < 0.001 ? "< 1 ms" : duration(s.first),
    ];
    if (biased) cells.push(s.bias ? `${s.bias.value.toFixed(2)} (${s.bias.chance.toFixed(2)})` : "–");
    return el("tr", {}, name, ...cells.map((text) => el("td", {}, text)));
  };
  return el("table", {},
    el("caption", { className: "unseen" }, `Standings after ${counted(frame.runs, "run")} of each method`),
    el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, ...frame.standings.map(row)));
}
