// The Race tab: methods under the same budget, a live chart of distinct tours, a table.

import { tableProgress } from "./table_progress.js";
import { Job, Starter } from "./api.js";
import { Chart, swatch } from "./chart.js";
import { el, get, notice, oncePerFrame, announce } from "./dom.js";
import { showImpossible } from "./facts.js";
import { formatMethod, MethodForm, seedOf } from "./form.js";
import { refreshJobList } from "./job_list.js";
import { copy, updateAddress, linkTo, readNumber, registerParts } from "./link.js";
import { duration, grouped, ratio, short } from "./numbers.js";
import { parseBudget, parseMethod, parseReal, parseSeed, parseWhole, parseWithin } from "./parse.js";
import { groundJson, groundName, isSameGround, setup } from "./setup.js";

/** Most solvers in a race: the server's limit. */
const MAX_ENTRANTS = 8;
/** Most runs of each solver: the server's limit. */
const MAX_RUNS = 20;

/**
 * @typedef {{ value: number, low: number | null, high: number | null }} Interval
 * @typedef {{ name: string, done: number, attempts: number, moves: number, tours: number,
 *   distinct: number, closed: number, failed: number, hit_ratio: Interval | null,
 *   bias: { value: number, chance: number } | null, first: number | null,
 *   laps: [number, number][][] }} Standing
 * @typedef {{ unit: string, runs: number, standings: Standing[], law: string | null, verdicts: string[] }} RaceFrame
 */

/** The Race tab. */
export class Race {
  /**
   * @param {import("./api.js").Registry} registry
   */
  constructor({ solvers, presets }) {
    this.solvers = solvers;
    /** @type {Job | null} */
    this.job = null;
    /** @type {RaceFrame | null} */
    this.frame = null;
    /** The board of the race; the page may show another by now. */
    this.ground = setup.ground;
    /** @type {MethodForm[]} */
    this.forms = [];
    const changed = () => updateAddress("race");
    this.entrants = el("div", { className: "entrants" });
    this.limit = el("select", { onchange: changed },
      el("option", { value: "attempts" }, "attempts"), el("option", { value: "moves" }, "moves"), el("option", { value: "seconds" }, "seconds"));
    this.amount = el("input", { type: "text", value: "20k", size: 8, onchange: changed });
    this.runs = el("input", { type: "number", min: "1", max: String(MAX_RUNS), value: "3", onchange: changed });
    this.seed = el("input", { type: "number", min: "0", max: "9007199254740991", value: "1", onchange: changed });
    this.log = el("input", { type: "checkbox", onchange: () => this.redraw() });
    this.start = el("button", { type: "button", className: "main", onclick: () => this.run() }, "Start the race");
    this.stop = el("button", { type: "button", disabled: true, onclick: () => this.end() }, "Stop");
    this.add = el("button", { type: "button", onclick: () => this.enter(parseMethod(presets.race_add)) }, "Add a method");
    this.starter = new Starter([this.start]);
    this.message = el("div", {});
    this.of = el("p", { className: "soft", role: "status" });
    this.chart = new Chart();
    this.table = el("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Standings" });
    this.remarks = el("ul", { className: "soft" });
    this.result = el("div", { className: "card only-race" }, el("h2", {}, "Distinct tours"), this.message, this.of);
    this.redraw = oncePerFrame(() => this.draw());
    for (const method of presets.race) this.enter(parseMethod(method));
    this.build();
    registerParts("race", () => this.parts());
  }

  build() {
    const link = el("button", { type: "button", className: "quiet" }, "Copy link");
    link.addEventListener("click", () => copy(link, linkTo("race")));
    get("race", HTMLElement).append(el("div", { className: "card" },
      el("h2", {}, "Who races"),
      this.entrants,
      el("div", { className: "row" }, this.add),
      el("div", { className: "row" },
        el("label", {}, "Budget of a run ", this.amount), el("label", {}, "of ", this.limit),
        el("label", {}, "Runs each ", this.runs), el("label", {}, "Seed ", this.seed)),
      el("div", { className: "row" }, this.start, this.stop, link)));
    const chart = el("div", { className: "scroll" });
    chart.append(this.chart.node);
    this.result.append(el("label", { className: "tick" }, this.log, "Powers of ten"), chart, this.table, this.remarks);
    get("results", HTMLElement).append(this.result);
    this.message.append(el("p", { className: "empty" }, "No race yet. Every run of a method has a line; all methods get the same budget and the same seeds."));
    this.draw();
  }

  /**
   * @param {import("./api.js").Method} method
   * @returns {string[]} messages about invalid values
   */
  enter(method) {
    if (this.forms.length >= MAX_ENTRANTS) return [];
    const form = new MethodForm(this.solvers, { solver: this.solvers[0].name, params: {} }, () => updateAddress("race"));
    const remarks = form.set(method);
    form.select.setAttribute("aria-label", "Solver");
    const remove = el("button", { type: "button", className: "quiet", "aria-label": "Remove this method" }, "Remove");
    const box = el("div", { className: "entrant" }, el("div", { className: "row" }, form.select, remove), form.more);
    remove.addEventListener("click", () => {
      if (this.forms.length < 2) return;
      this.forms = this.forms.filter((other) => other !== form);
      box.remove();
      this.add.disabled = false;
      updateAddress("race");
    });
    this.forms.push(form);
    this.entrants.append(box);
    this.add.disabled = this.forms.length >= MAX_ENTRANTS;
    return remarks;
  }

  parts() {
    return {
      solvers: this.forms.map((form) => formatMethod(form.method())).join(";"),
      budget: `${this.amount.value.replaceAll(" ", "")}_${this.limit.value}`,
      runs: this.runs.value,
      seed: this.seed.value,
    };
  }

  /**
   * @param {URLSearchParams} query
   * @returns {string[]} messages about invalid parameters
   */
  read(query) {
    /** @type {string[]} */
    const remarks = [];
    const names = query.get("solvers")?.split(";").filter((name) => name !== "") ?? [];
    if (names.length) {
      this.forms = [];
      this.entrants.replaceChildren();
      for (const name of names.slice(0, MAX_ENTRANTS)) remarks.push(...this.enter(parseMethod(name)));
      if (names.length > MAX_ENTRANTS) remarks.push(`A race has at most ${MAX_ENTRANTS} methods; the first ${MAX_ENTRANTS} are used.`);
    }
    const text = query.get("budget");
    const budget = parseBudget(text ?? "");
    if (budget) [this.amount.value, this.limit.value] = [budget.amount, budget.limit];
    else if (text !== null) remarks.push(`Invalid budget '${text}': expected a number and a unit, as in 20k_attempts; ${this.amount.value} ${this.limit.value} is used.`);
    remarks.push(...readNumber(query, "runs", this.runs, (runs) => parseWithin(runs, 1, MAX_RUNS)));
    remarks.push(...readNumber(query, "seed", this.seed, parseSeed));
    return remarks;
  }

  /** Shows the board of the results, which may differ from the current one. */
  changed() {
    const any = this.frame !== null || (this.job !== null && !this.job.over);
    const other = any && !isSameGround(this.ground, setup.ground);
    const text = other
      ? `The board has changed: this race is for ${groundName(this.ground)}. 'Start the race' and the link use the board shown.`
      : any ? `A race for ${groundName(this.ground)}.` : "";
    if (this.of.textContent !== text) this.of.textContent = text;
  }

  async run() {
    this.job?.end();
    this.job = null;
    this.frame = null;
    this.ground = setup.ground;
    showImpossible(null);
    this.draw();
    this.message.replaceChildren(notice("loading", "Starting…"));
    if (!setup.isPainted()) {
      this.message.replaceChildren(notice("wrong", "This board is too large to race on.", "Choose sides up to 60."));
      return;
    }
    const seconds = this.limit.value === "seconds";
    try {
      const answer = await this.starter.submit({
        kind: "race",
        ground: groundJson(),
        entrants: this.forms.map((form) => form.method()),
        spending: seconds ? { seconds: parseReal(this.amount.value.trim()) } : { [this.limit.value]: this.amount.value },
        runs: parseWhole(this.runs.value) || 1,
        seed: seedOf(this.seed),
      });
      if (answer === null) return;
      if (answer.impossible) {
        showImpossible(answer.impossible);
        this.message.replaceChildren(notice("impossible", "No such tour exists.", `${answer.impossible.reason} (${answer.impossible.theorem}).`));
      } else if (answer.id) {
        this.listen(answer.id);
        this.changed();
      }
    } catch (error) {
      void refreshJobList();
      this.message.replaceChildren(notice("wrong", "The race was not started.", error instanceof Error ? error.message : ""));
    }
  }

  /**
   * @param {string} id
   */
  listen(id) {
    this.stop.disabled = false;
    this.job = new Job(id, {
      state: (state) => this.showState(state),
      frame: (/** @type {RaceFrame} */ frame) => {
        this.frame = frame;
        this.redraw();
      },
      lost: () => {
        this.stop.disabled = true;
        this.message.replaceChildren(notice("wrong", "Connection lost.", "The race has ended, or 'hippo serve' has stopped."));
      },
    });
  }

  end() {
    this.starter.cancel();
    this.job?.end();
    this.stop.disabled = true;
    this.message.replaceChildren(notice("plain", "Stopped.", "The results so far are below."));
  }

  /**
   * @param {import("./api.js").State} state
   */
  showState(state) {
    if (state.state === "waiting") {
      this.message.replaceChildren(notice("loading", "Waiting for its turn…", `${state.running} searches are running.`));
    } else if (state.state === "running") {
      this.message.replaceChildren(notice("loading", ...(tableProgress(state.doing) ?? ["Running…", ""])));
    } else if (state.state === "failed") {
      this.stop.disabled = true;
      this.message.replaceChildren(notice("wrong", "The race failed.", state.reason ?? ""));
    } else {
      this.stop.disabled = true;
      this.draw();
      const stopped = state.status === "interrupted";
      const text = stopped ? "Stopped" : "The race is over";
      const again = stopped ? "The results so far are below."
        : this.frame?.unit === "seconds" ? "The link repeats it; with a time limit, the numbers depend on the machine."
        : "The link repeats it: the same seeds give the same numbers.";
      this.message.replaceChildren(notice("plain", `${text}, ${duration(state.seconds ?? 0)}.`, again));
      announce(text);
    }
  }

  /** Repaints, because the colours have changed. */
  repaint() {
    this.draw();
  }

  draw() {
    const frame = this.frame;
    this.changed();
    this.chart.logarithmic = this.log.checked;
    for (const node of [this.chart.node.parentElement, this.table, this.log.parentElement]) node?.toggleAttribute("hidden", !frame);
    if (!frame) {
      this.remarks.replaceChildren();
      return;
    }
    this.chart.draw(frame.standings.map(({ name, laps }) => ({ name, laps })), frame.unit);
    this.table.replaceChildren(this.rows(frame));
    const biased = frame.standings.some((standing) => standing.bias);
    const remarks = [...frame.verdicts];
    if (frame.standings.some((standing) => standing.hit_ratio)) remarks.push("Hit ratio: distinct tours per attempt, with its 95% interval over the runs.");
    if (biased) remarks.push("Start bias: distance of the start squares from those of uniform tours; in brackets, the distance expected by chance.");
    if (frame.law) remarks.push(frame.law);
    this.remarks.replaceChildren(...remarks.map((text) => el("li", {}, text)));
  }

  /**
   * @param {RaceFrame} frame
   */
  rows(frame) {
    const head = ["Method", "Runs", "Attempts", "Tours", "Distinct", "Closed", "Hit ratio", "First tour", "Start bias"];
    const row = (/** @type {Standing} */ s, /** @type {number} */ index) => {
      const hit = s.hit_ratio;
      const spread = hit && hit.high !== null ? ` ± ${Number((hit.high - hit.value).toPrecision(2))}` : "";
      const name = el("th", { scope: "row" });
      name.append(swatch(index), s.name);
      const cells = [
        `${s.done}/${frame.runs}`, grouped(s.attempts), grouped(s.tours), grouped(s.distinct), grouped(s.closed),
        hit ? `${ratio(hit.value)}${spread}` : s.attempts ? ratio(s.distinct / s.attempts) : "–",
        s.first === null ? "–" : duration(s.first),
        s.bias ? `${s.bias.value.toFixed(2)} (${s.bias.chance.toFixed(2)})` : "–",
      ];
      return el("tr", {}, name, ...cells.map((text) => el("td", {}, text)));
    };
    return el("table", {},
      el("caption", { className: "unseen" }, `Standings after ${short(frame.runs)} runs of each`),
      el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, ...frame.standings.map(row)));
  }
}
