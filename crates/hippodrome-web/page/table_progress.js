// The progress of a job that first needs the table of uniform tours.

import { notice } from "./dom.js";
import { short } from "./numbers.js";

/**
 * Describes the table that a job waits for; null if it does not wait for one.
 * @param {import("./api.js").State} state
 */
export function tableNotice({ doing, bytes, share, seconds }) {
  if (doing === "turn") return notice("loading", "Waiting for another table…", "Tables are built one at a time.");
  if (doing !== "table") return null;
  const done = share === null || share === undefined ? "" : ` ${Math.round(100 * share)}% done.`;
  const size = bytes ? ` It takes about ${short(bytes / 1e6)} MB of memory.` : "";
  const time = seconds ? ` ${Math.round(seconds)} s so far.` : "";
  return notice("loading", "Building the table of tours…", `It is built once, then every draw is fast.${size}${done}${time}`);
}
