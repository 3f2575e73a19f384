// What the gallery says about the tours it has drawn.

import { notice } from "./dom.js";
import { counted, methodName } from "./names.js";
import { duration, grouped } from "./numbers.js";
import { memory, tableBytes } from "./table_size.js";

/**
 * @typedef {import("./tourview.js").Tour} Tour
 * @typedef {import("./api.js").Solver} Solver
 * @typedef {"all" | "closed" | "symmetric" | "semi-magic"} Kind
 * What tours were drawn. `isInstead` says that the method chosen would have needed a large table.
 * @typedef {{ ground: import("./setup.js").Ground, method: import("./api.js").Method, kind: Kind, seed: string, isInstead: boolean }} Drawn
 */

/** Kinds of tours: for the address, on buttons, in sentences. */
export const KINDS = /** @type {[Kind, string, string][]} */ ([
  ["all", "All", ""], ["closed", "Closed", "closed"], ["symmetric", "Symmetric", "symmetric"], ["semi-magic", "Semi-magic", "semi-magic"],
]);

/** How a drawing may have ended before it was complete. */
const ENDS = /** @type {Record<string, string>} */ ({
  interrupted: " Stopped.", limit: " Time limit reached.", exhausted: " Search space exhausted.",
});

/**
 * Returns the word for a kind in sentences; empty for all tours.
 * @param {Kind} kind
 */
export function wordOf(kind) {
  return KINDS.find(([name]) => name === kind)?.[2] ?? "";
}

/**
 * Whether hardly any tour is of a kind.
 * @param {Kind} kind
 */
export function isRare(kind) {
  return kind === "symmetric" || kind === "semi-magic";
}

/**
 * Describes the result.
 * @param {import("./api.js").State} state
 * @param {Tour[]} tours
 * @param {Drawn} drawing
 * @param {Solver[]} solvers
 */
export function summary({ drawn = 0, seconds = 0, status }, tours, { ground, method, kind, isInstead }, solvers) {
  const time = seconds < 0.001 ? "less than 1 ms" : duration(seconds);
  const word = wordOf(kind);
  const ended = ENDS[status ?? ""] ?? "";
  const instead = isInstead ? ` A table for uniform tours would take ${memory(tableBytes(ground) ?? 0)}, so ${methodName(solvers, method)} searched.` : "";
  if (tours.length === 0) {
    return drawn === 0 ? notice("plain", `No tour was found in ${time}.`, `${ended} Try another method, or another board.`)
      : notice("plain", `None of the ${counted(drawn, "tour")} drawn in ${time} is ${word}.`, `Such tours are rare here: try a smaller board, closed tours, or another kind.${instead}`);
  }
  const title = counted(tours.length, `${word} tour`.trim());
  const shipped = tours.filter((tour) => tour.shipped).length;
  if (shipped > 0) {
    const [some, found] = shipped === tours.length ? ["All", "none"] : [`${shipped} of them`, "too few"];
    return notice("plain", `${title}.`, `${some} published or constructed, because the search found ${found}.${instead}`);
  }
  return notice("plain", title, `${isRare(kind) ? `among ${grouped(drawn)} ` : ""}drawn in ${time}.${instead}${ended}`);
}

/**
 * Names a sheet of the tours.
 * @param {Tour[]} tours
 * @param {Drawn} drawing
 * @param {Solver[]} solvers
 */
export function sheetTitle(tours, { ground, method, kind, seed }, solvers) {
  const shipped = tours.every((tour) => tour.shipped);
  const how = shipped ? "" : `, ${methodName(solvers, method)}, seed ${seed}`;
  return `${counted(tours.length, `${wordOf(kind)} tour`.trim())} of ${ground.rows}x${ground.cols}${how}`;
}
