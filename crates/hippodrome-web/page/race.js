// Let methods race: the same budget, live lines of distinct tours, a table.

import { Job, submit } from "./api.js";
import { Chart, swatch } from "./chart.js";
import { el, get, notice, onceAFrame, say } from "./dom.js";
import { tellImpossible } from "./facts.js";
import { MethodForm, readTyped, typed } from "./form.js";
import { copy, keepAddress, linkTo, tells } from "./link.js";
import { grouped, lasting, ratio, short } from "./numbers.js";
import { groundJson, setup } from "./setup.js";

/** The most solvers in a race. */
const MOST = 8;

/**
 * @typedef {{ value: number, low: number | null, high: number | null }} Interval
 * @typedef {{ name: string, done: number, attempts: number, moves: number, tours: number,
 *   distinct: number, closed: number, failed: number, hit_ratio: Interval | null,
 *   bias: { value: number, chance: number } | null, first: number | null,
 *   laps: [number, number][][] }} Standing
 * @typedef {{ unit: string, runs: number, standings: Standing[], law: string | null, verdicts: string[] }} Frame
 */

/** The Race tab. */
export class Race {
  /**
   * @param {import("./api.js").Solver[]} solvers
   */
  constructor(solvers) {
    this.solvers = solvers;
    /** @type {Job | null} */
    this.job = null;
    /** @type {Frame | null} */
    this.frame = null;
    /** @type {MethodForm[]} */
    this.forms = [];
    const changed = () => keepAddress("race");
    this.entrants = el("div", { className: "entrants" });
    this.limit = el("select", { onchange: changed },
      el("option", { value: "attempts" }, "attempts"), el("option", { value: "moves" }, "moves"), el("option", { value: "seconds" }, "seconds"));
    this.amount = el("input", { type: "text", value: "20k", size: 8, onchange: changed });
    this.runs = el("input", { type: "number", min: "1", max: "20", value: "3", onchange: changed });
    this.seed = el("input", { type: "number", min: "0", max: "9007199254740991", value: "1", onchange: changed });
    this.log = el("input", { type: "checkbox", onchange: () => this.redraw() });
    this.start = el("button", { type: "button", className: "main", onclick: () => this.run() }, "Start the race");
    this.stop = el("button", { type: "button", disabled: true, onclick: () => this.end() }, "Stop");
    this.add = el("button", { type: "button", onclick: () => this.enter({ solver: "ga-repair", params: {} }) }, "Add a method");
    this.message = el("div", {});
    this.chart = new Chart();
    this.table = el("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Standings" });
    this.said = el("ul", { className: "soft" });
    this.result = el("div", { className: "card only-race" }, el("h2", {}, "Distinct tours"), this.message);
    this.redraw = onceAFrame(() => this.draw());
    for (const name of ["warnsdorff:ties=random", "mace", "ga-heuristic"]) this.enter(readTyped(name));
    this.lay();
    tells("race", () => this.parts());
  }

  lay() {
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
    this.result.append(el("label", { className: "tick" }, this.log, "Powers of ten"), chart, this.table, this.said);
    get("results", HTMLElement).append(this.result);
    this.message.append(el("p", { className: "empty" }, "No race yet. Every run of a method has a line; all methods get the same budget and the same seeds."));
    this.draw();
  }

  /**
   * @param {import("./api.js").Method} method
   */
  enter(method) {
    if (this.forms.length >= MOST) return;
    const form = new MethodForm(this.solvers, method, () => keepAddress("race"));
    form.select.setAttribute("aria-label", "Solver");
    const remove = el("button", { type: "button", className: "quiet", "aria-label": "Remove this method" }, "Remove");
    const box = el("div", { className: "entrant" }, el("div", { className: "row" }, form.select, remove), form.more);
    remove.addEventListener("click", () => {
      if (this.forms.length < 2) return;
      this.forms = this.forms.filter((other) => other !== form);
      box.remove();
      this.add.disabled = false;
      keepAddress("race");
    });
    this.forms.push(form);
    this.entrants.append(box);
    this.add.disabled = this.forms.length >= MOST;
  }

  parts() {
    return {
      solvers: this.forms.map((form) => typed(form.method())).join(";"),
      budget: `${this.amount.value} ${this.limit.value}`.replace(" ", "_"),
      runs: this.runs.value,
      seed: this.seed.value,
    };
  }

  /**
   * @param {URLSearchParams} query
   */
  read(query) {
    const names = query.get("solvers");
    if (names) {
      this.forms = [];
      this.entrants.replaceChildren();
      for (const name of names.split(";").slice(0, MOST)) this.enter(readTyped(name));
    }
    const budget = /^([0-9._kMG]{1,12})_(attempts|moves|seconds)$/.exec(query.get("budget") ?? "");
    if (budget) [this.amount.value, this.limit.value] = [budget[1], budget[2]];
    const runs = query.get("runs");
    if (runs && /^[0-9]{1,2}$/.test(runs)) this.runs.value = runs;
    const seed = query.get("seed");
    if (seed && /^[0-9]{1,16}$/.test(seed)) this.seed.value = seed;
  }

  async run() {
    this.job?.end();
    this.frame = null;
    tellImpossible(null);
    this.draw();
    this.message.replaceChildren(notice("loading", "Starting…"));
    if (!setup.isPainted()) {
      this.message.replaceChildren(notice("wrong", "This board is too large to race on.", "Choose sides up to 60."));
      return;
    }
    const seconds = this.limit.value === "seconds";
    try {
      const answer = await submit({
        kind: "race",
        ground: groundJson(),
        entrants: this.forms.map((form) => form.method()),
        spending: seconds ? { seconds: Number(this.amount.value) } : { [this.limit.value]: this.amount.value },
        runs: Number(this.runs.value) || 1,
        seed: Number(this.seed.value) || 0,
      });
      if (answer.impossible) {
        tellImpossible(answer.impossible);
        this.message.replaceChildren(notice("impossible", "There is nothing to race for.", `${answer.impossible.reason} (${answer.impossible.theorem}).`));
      } else if (answer.id) {
        this.listen(answer.id);
      }
    } catch (error) {
      this.message.replaceChildren(notice("wrong", "That does not work.", error instanceof Error ? error.message : ""));
    }
  }

  /**
   * @param {string} id
   */
  listen(id) {
    this.stop.disabled = false;
    this.job = new Job(id, {
      state: (state) => this.hear(state),
      frame: (/** @type {Frame} */ frame) => {
        this.frame = frame;
        this.redraw();
      },
      lost: () => this.message.replaceChildren(notice("wrong", "The server does not answer.", "Is 'hippo serve' still running?")),
    });
  }

  end() {
    this.job?.end();
    this.stop.disabled = true;
    this.message.replaceChildren(notice("plain", "Stopped.", "What was found until then is below."));
  }

  /**
   * @param {import("./api.js").State} state
   */
  hear(state) {
    if (state.state === "waiting") {
      this.message.replaceChildren(notice("loading", "Waiting for its turn…", `${state.running} searches are running.`));
    } else if (state.state === "running") {
      this.message.replaceChildren(notice("loading", "They are off."));
    } else if (state.state === "failed") {
      this.stop.disabled = true;
      this.message.replaceChildren(notice("wrong", "This race cannot be run.", state.reason ?? ""));
    } else {
      this.stop.disabled = true;
      this.draw();
      const text = state.status === "interrupted" ? "Stopped." : "The race is over";
      this.message.replaceChildren(notice("plain", `${text}, ${lasting(state.seconds ?? 0)}.`, "The link repeats it: the same seeds give the same numbers."));
      say(text);
    }
  }

  /** Paints again, as the colours have changed. */
  repaint() {
    this.draw();
  }

  draw() {
    const frame = this.frame;
    this.chart.logarithmic = this.log.checked;
    for (const node of [this.chart.node.parentElement, this.table, this.log.parentElement]) node?.toggleAttribute("hidden", !frame);
    if (!frame) {
      this.said.replaceChildren();
      return;
    }
    this.chart.draw(frame.standings.map(({ name, laps }) => ({ name, laps })), frame.unit);
    this.table.replaceChildren(this.rows(frame));
    const biased = frame.standings.some((standing) => standing.bias);
    const remarks = [...frame.verdicts];
    if (frame.standings.some((standing) => standing.hit_ratio)) remarks.push("Hit ratio: distinct tours an attempt, with its 95% interval over the runs.");
    if (biased) remarks.push("Start bias: how far the start squares are from those of uniform tours, and in brackets what chance alone makes.");
    if (frame.law) remarks.push(frame.law);
    this.said.replaceChildren(...remarks.map((text) => el("li", {}, text)));
  }

  /**
   * @param {Frame} frame
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
        s.first === null ? "–" : lasting(s.first),
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
