// The jobs that other pages started: their number in the header, and a list with buttons to watch and stop them.

import { endJob, jobs, ownJobs } from "./api.js";
import { el, get } from "./dom.js";
import { linkToSearch } from "./link.js";
import { parseMethod } from "./parse.js";
import { groundFrom, groundName } from "./setup.js";

/** @typedef {import("./api.js").Listed} Listed */

const badge = get("job-badge", HTMLButtonElement);
const dialog = get("jobs-dialog", HTMLDialogElement);
const list = el("ul", { className: "jobs" });
/** @type {Listed[]} */
let all = [];
let shown = "[]";

/**
 * Returns the address that watches a search on this page.
 * @param {Listed} job
 */
function address({ id, ground, methods, seed }) {
  const { solver, params } = parseMethod(methods[0] ?? "");
  /** @type {Record<string, string>} */
  const parts = { solver, seed: String(seed) };
  for (const [name, value] of Object.entries(params)) parts[`p.${name}`] = value;
  return linkToSearch(groundFrom(ground), { ...parts, job: id });
}

/**
 * @param {Listed} job
 */
function line(job) {
  const name = `${{ race: "Race of ", sample: "Gallery by " }[job.kind] ?? ""}${job.methods.join(", ")}: ${groundName(groundFrom(job.ground))}`;
  const how = job.resting ? "is paused" : job.viewers ? "is watched on another page" : "runs in the background";
  const open = () => {
    dialog.close();
    location.hash = address(job);
  };
  const watch = el("button", { type: "button", "aria-label": `Watch ${name}`, onclick: open }, "Watch");
  const stop = el("button", { type: "button", "aria-label": `Stop ${name}` }, "Stop");
  stop.addEventListener("click", async () => {
    stop.disabled = true;
    await endJob(job.id);
    await refreshJobList();
  });
  return el("li", { className: "row" }, el("span", {}, `${name} (${how})`), job.kind === "watch" ? watch : null, stop);
}

function render() {
  const own = ownJobs();
  const others = all.filter((job) => !job.over && !own.has(job.id));
  const text = JSON.stringify(others);
  if (text === shown) return;
  shown = text;
  badge.hidden = others.length === 0;
  badge.replaceChildren(String(others.length), el("span", {}, others.length === 1 ? " other search" : " other searches"));
  if (others.length === 0) dialog.close();
  list.replaceChildren(...others.map(line));
}

/** Fetches the jobs of the server, and shows those of other pages. */
export async function refreshJobList() {
  if (document.hidden) return;
  try {
    all = await jobs();
  } catch {
    return;
  }
  render();
}

/** Shows how many jobs there are in the header, and lists them in a dialog. */
export function startJobList() {
  const close = el("button", { type: "button", onclick: () => dialog.close() }, "Close");
  dialog.append(el("div", { className: "inner" },
    el("div", { className: "row head" }, el("h2", { id: "jobs-title" }, "Other searches"), close), list));
  badge.addEventListener("click", () => dialog.showModal());
  addEventListener("own-jobs", render);
}
