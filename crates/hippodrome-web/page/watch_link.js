// The address of the Watch tab: what it says of the setup, the search and the tour that are shown, and how it is opened.

import { jobs as listJobs } from "./api.js";
import { readNumber, tourPart } from "./link.js";
import { parseSeed, parseWhole } from "./parse.js";
import { groundFrom, isSameGround, setup } from "./setup.js";

/** @typedef {import("./watch.js").Watch} Watch */

/** Where a page that is reloaded finds its search. */
const JOB_KEY = "hippodrome-job";

/**
 * Remembers the search of this page for a reload; null forgets it.
 * @param {string | null} id
 */
export function rememberJob(id) {
  if (id === null) sessionStorage.removeItem(JOB_KEY);
  else sessionStorage.setItem(JOB_KEY, id);
}

/** The part of the address that belongs to one Watch tab. */
export class WatchLink {
  /**
   * @param {Watch} watch
   */
  constructor(watch) {
    this.watch = watch;
    /** What the address shows besides the setup, until it is shown. @type {Record<string, string> | null} */
    this.pending = null;
  }

  /** Returns the parameters of this tab in the address. */
  parts() {
    const { form, seed, player, pin, job, still, tour, running, reel } = this.watch;
    const { solver, params } = form.method();
    /** @type {Record<string, string>} */
    const parts = { solver, seed: seed.value };
    for (const [name, value] of Object.entries(params)) parts[`p.${name}`] = value;
    if (player.perSecond() !== 10) parts.speed = String(player.perSecond() ?? "full");
    if (this.watch.numbers) parts.numbers = "1";
    if (pin.checked && job && !job.over) parts.job = job.id;
    const linked = still.linked();
    const isShown = running !== null && !this.watch.differs();
    if (this.pending) Object.assign(parts, this.pending);
    else if (linked) parts.tour = tourPart(linked.tour, linked.ground.cols);
    else if (tour && isShown && this.watch.isTourShown()) parts.tour = tourPart(tour.tour, tour.ground.cols);
    else if (isShown && player.mode !== "running" && reel.seen) parts.step = String(reel.seen.frame.n);
    return parts;
  }

  /**
   * Sets up the tab from an address, and opens what it shows.
   * @param {URLSearchParams} query
   * @returns {string[]} messages about invalid parameters
   */
  read(query) {
    const { watch } = this;
    const { form, player } = watch;
    /** @type {Record<string, string>} */
    const params = {};
    for (const [name, value] of query) if (name.startsWith("p.")) params[name.slice(2)] = value;
    const solver = query.get("solver") ?? (Object.keys(params).length ? form.solver.name : null);
    const remarks = solver ? form.set({ solver, params }) : [];
    remarks.push(...readNumber(query, "seed", watch.seed, parseSeed));
    const speed = query.get("speed");
    if (speed !== null) {
      const value = speed === "full" ? null : parseWhole(speed);
      if (speed !== "full" && (value === null || value < 1)) remarks.push(`speed=${speed} is invalid: expected steps per second, or full.`);
      else player.setSpeed(value);
    }
    if (query.has("board")) watch.showNumbers(query.get("numbers") === "1", false);
    const job = query.get("job");
    if (job !== null && job !== watch.job?.id) {
      if (!/^[0-9a-f]{32}$/.test(job)) return [...remarks, "The link has an invalid search id; press ▶ to start a search."];
      // A pinned search continues without this page.
      if (watch.pin.checked) watch.job?.leave();
      watch.clear();
      watch.pin.checked = true;
      watch.listen(job);
      return remarks;
    }
    if (watch.running && watch.differs() && player.mode === "done") watch.clear();
    const pending = Object.fromEntries(["tour", "step"].map((name) => [name, query.get(name) ?? ""]).filter(([, value]) => value !== ""));
    this.pending = pending;
    void this.open(query).then(() => {
      // Another address may have been opened in the meantime.
      if (this.pending !== pending) return;
      this.pending = null;
      watch.moved();
    });
    return remarks;
  }

  /**
   * Opens what the address shows besides the setup: the search of this page, a tour, or a step of a search.
   * @param {URLSearchParams} query
   */
  async open(query) {
    const { watch } = this;
    const { tour: found, still } = watch;
    if (!watch.job && !watch.running && await this.attach()) return;
    const tour = query.get("tour");
    if (tour !== null) {
      const shown = found && watch.isTourShown() ? tourPart(found.tour, found.ground.cols) : null;
      if (shown === tour || await still.openLinked(tour)) return;
    }
    if (watch.job || watch.running) return;
    const step = parseWhole(query.get("step") ?? "");
    if (step !== null && step > 0) await watch.start({ step });
    else if (!still.isShown()) await still.demonstrate();
    watch.redraw();
  }

  /** Follows the search that this page ran before it was reloaded. Returns whether it is still there. */
  async attach() {
    const id = sessionStorage.getItem(JOB_KEY);
    if (!id) return false;
    rememberJob(null);
    const known = await listJobs().catch(() => []);
    const job = known.find((other) => other.id === id && other.kind === "watch");
    if (!job || !isSameGround(groundFrom(job.ground), setup.ground)) return false;
    this.watch.clear();
    this.watch.listen(id);
    return true;
  }
}
