// What races: the forms of the methods in the settings, the budget, and the presets.

import { el, get } from "./dom.js";
import { formatMethod, MethodForm, seedOf } from "./form.js";
import { readNumber } from "./link.js";
import { counted, methodName } from "./names.js";
import { parseBudget, parseMethod, parseReal, parseSeed, parseWhole, parseWithin } from "./parse.js";
import { setup, shortGroundName } from "./setup.js";
import { UNIFORM, WITHOUT_TABLE } from "./table_size.js";

/** Most methods in a race: the server's limit. */
const MAX_ENTRANTS = 8;
/** Fewest methods in a race. */
const MIN_ENTRANTS = 2;
/** Most runs of each method: the server's limit. */
const MAX_RUNS = 20;

/** Most moves of a run that ends at a tour: a method that never finds one ends too. */
const MOST_MOVES = "50M";

/**
 * A kind of race: its name, what it asks for, and its budget. `uniform` makes uniform sampling take part.
 * @typedef {{ name: string, help: string, amount: string, limit: string, runs: number, uniform?: boolean }} Preset
 */
const PRESETS = /** @type {Preset[]} */ ([
  { name: "First to one tour", help: `Every run ends with its first tour, or after ${MOST_MOVES} moves`, amount: "1", limit: "tours", runs: 3 },
  { name: "Most distinct in 10 s", help: "Each method runs alone for 10 seconds", amount: "10", limit: "seconds", runs: 1 },
  {
    name: "Spread against uniform", help: "Which start squares occur, compared with all tours of 6x6",
    amount: "20k", limit: "attempts", runs: 3, uniform: true,
  },
]);

/** The methods and the budget of a race. */
export class RaceSetup {
  /**
   * @param {import("./api.js").Registry} registry
   * @param {{ change: () => void, changed: () => void, scale: (logarithmic: boolean) => void }} actions
   */
  constructor({ solvers, presets }, { change, changed, scale }) {
    this.solvers = solvers;
    this.changed = () => {
      this.show();
      changed();
    };
    /** @type {MethodForm[]} */
    this.forms = [];
    const edited = () => this.changed();
    this.limit = el("select", { onchange: edited },
      ...["attempts", "moves", "tours", "seconds"].map((value) => el("option", { value }, value)));
    this.amount = el("input", { type: "text", value: "20k", size: 8, onchange: edited });
    this.runs = el("input", { type: "number", min: "1", max: String(MAX_RUNS), value: "3", onchange: edited });
    this.seed = el("input", { type: "number", min: "0", max: "9007199254740991", value: "1", onchange: edited });
    const log = el("input", { type: "checkbox", onchange: () => scale(log.checked) });
    this.text = el("span", {});
    this.change = el("button", { type: "button", onclick: change, "aria-expanded": "false", "aria-controls": "drawer" }, "Change");
    const enter = () => {
      this.enter(parseMethod(presets.race_add));
      this.changed();
    };
    this.adders = [0, 1].map(() => el("button", { type: "button", onclick: enter }, "Add a method"));
    this.presets = PRESETS.map((preset) =>
      el("button", { type: "button", title: preset.help, "aria-pressed": "false", onclick: () => this.choose(preset) }, preset.name));
    this.places = el("div", { className: "entrants" });
    get("race-settings", HTMLElement).append(
      el("h3", {}, "Methods"), this.places, el("div", { className: "row" }, this.adders[0]),
      el("h3", {}, "Budget of each run"),
      el("div", { className: "row" }, el("label", {}, "At most ", this.amount), el("label", {}, "of ", this.limit)),
      el("div", { className: "row" }, el("label", {}, "Runs of each method ", this.runs), el("label", {}, "Seed ", this.seed)),
      el("label", { className: "tick" }, log, "Powers of ten on the chart"));
    for (const method of presets.race) this.enter(parseMethod(method));
    this.show();
  }

  /**
   * Adds a method.
   * @param {import("./api.js").Method} method
   * @returns {string[]} messages about invalid values
   */
  enter(method) {
    if (this.forms.length >= MAX_ENTRANTS) return [];
    const form = new MethodForm(this.solvers, { solver: this.solvers[0].name, params: {} }, this.changed);
    const remarks = form.set(method);
    form.select.setAttribute("aria-label", "Method");
    const remove = el("button", { type: "button", className: "quiet", onclick: () => this.remove(form) }, "Remove");
    this.forms.push(form);
    this.places.append(el("div", { className: "entrant" }, el("div", { className: "row" }, form.select, remove), form.more));
    return remarks;
  }

  /**
   * @param {MethodForm} form
   */
  remove(form) {
    if (this.forms.length <= MIN_ENTRANTS) return;
    const at = this.forms.indexOf(form);
    this.forms.splice(at, 1);
    this.places.children[at].remove();
    this.changed();
  }

  /** Whether enough methods would be left. */
  isRemovable() {
    return this.forms.length > MIN_ENTRANTS;
  }

  /** Removes all methods. */
  clear() {
    this.forms = [];
    this.places.replaceChildren();
  }

  /**
   * Sets up a kind of race.
   * @param {Preset} preset
   */
  choose({ amount, limit, runs, uniform }) {
    [this.amount.value, this.limit.value, this.runs.value] = [amount, limit, String(runs)];
    if (uniform) {
      if (!this.hasUniform()) {
        if (this.forms.length >= MAX_ENTRANTS) this.remove(this.forms[MAX_ENTRANTS - 1]);
        this.enter({ solver: UNIFORM, params: {} });
      }
      // The table of this board is built at once.
      setup.edit({ rows: 6, cols: 6, holes: new Set(), leaper: "1,2", closed: false, start: null, end: null });
    }
    this.changed();
  }

  /**
   * Names a method of the race.
   * @param {number} index
   */
  name(index) {
    return methodName(this.solvers, this.forms[index].method());
  }

  /** Removes uniform sampling, for which a table is built. */
  leaveUniform() {
    if (this.forms.length <= MIN_ENTRANTS) this.enter({ solver: WITHOUT_TABLE, params: {} });
    for (const form of this.forms.filter(({ solver }) => solver.name === UNIFORM)) this.remove(form);
    this.changed();
  }

  hasUniform() {
    return this.forms.some((form) => form.solver.name === UNIFORM);
  }

  /** The methods, as the server expects them. */
  methods() {
    return this.forms.map((form) => form.method());
  }

  /** The request that starts the race. */
  request() {
    const { value: unit } = this.limit;
    return {
      kind: "race",
      entrants: this.methods(),
      spending: {
        ...(unit === "seconds" ? { seconds: parseReal(this.amount.value.trim()) } : { [unit]: this.amount.value.trim() }),
        ...(unit === "tours" ? { moves: MOST_MOVES } : {}),
      },
      runs: parseWhole(this.runs.value) || 1,
      seed: seedOf(this.seed),
    };
  }

  /** The budget of a run: a number, and of what. */
  budget() {
    const text = this.amount.value.trim();
    return { most: (this.limit.value === "seconds" ? parseReal(text) : parseWhole(text)) ?? 0, unit: this.limit.value };
  }

  /** Shows the setup in one line, and on the presets. */
  show() {
    const { most, unit } = this.budget();
    const amount = this.amount.value.trim();
    const limit = unit === "tours" ? `until ${most === 1 ? "1 tour" : `${amount} tours`}` : `${amount} ${most === 1 ? unit.slice(0, -1) : unit}`;
    const text = `${counted(this.forms.length, "method")} · ${shortGroundName(setup.ground)} · ${limit}, ${counted(parseWhole(this.runs.value) ?? 1, "run")}`;
    if (this.text.textContent !== text) this.text.textContent = text;
    for (const button of this.adders) button.disabled = this.forms.length >= MAX_ENTRANTS;
    for (const button of this.places.querySelectorAll("button.quiet")) button.toggleAttribute("disabled", !this.isRemovable());
    PRESETS.forEach((preset, at) => {
      const same = preset.limit === unit && preset.amount === amount && String(preset.runs) === this.runs.value && (preset.uniform ?? false) === this.hasUniform();
      this.presets[at].setAttribute("aria-pressed", String(same));
    });
  }

  /** Returns the parameters of this tab in the address. */
  parts() {
    return {
      solvers: this.methods().map(formatMethod).join(";"),
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
      this.clear();
      for (const name of names.slice(0, MAX_ENTRANTS)) remarks.push(...this.enter(parseMethod(name)));
      if (names.length > MAX_ENTRANTS) remarks.push(`A race has at most ${MAX_ENTRANTS} methods; the first ${MAX_ENTRANTS} are used.`);
    }
    const text = query.get("budget");
    const budget = parseBudget(text ?? "");
    if (budget) [this.amount.value, this.limit.value] = [budget.amount, budget.limit];
    else if (text !== null) remarks.push(`Invalid budget '${text}': expected a number and a unit, as in 20k_attempts; ${this.amount.value} ${this.limit.value} is used.`);
    remarks.push(...readNumber(query, "runs", this.runs, (runs) => parseWithin(runs, 1, MAX_RUNS)));
    remarks.push(...readNumber(query, "seed", this.seed, parseSeed));
    this.show();
    return remarks;
  }
}
