// Forms built from the registry: a solver, and one field per parameter.

import { el } from "./dom.js";
import { parseReal, parseSeed, parseWhole } from "./parse.js";

/**
 * @typedef {import("./api.js").Solver} Solver
 * @typedef {import("./api.js").Param} Param
 * @typedef {import("./api.js").Method} Method
 */

let fields = 0;

/**
 * Returns the trimmed text of a valid value, or null if it is invalid.
 * @param {Param} param
 * @param {string} text
 */
function checked(param, text) {
  const value = text.trim();
  if (param.kind === "choice") return param.choices?.some(({ word }) => word === value) ? value : null;
  if (param.kind === "order") return value;
  const number = param.kind === "real" ? parseReal(value) : parseWhole(value);
  if (number === null) return null;
  return number >= Number(param.min) && number <= Number(param.max) ? value : null;
}

/** Names of the families of methods, in the order of the list. */
const FAMILIES = /** @type {[string, string][]} */ ([
  ["rules", "Rules"], ["search", "Search"], ["nature", "Nature"], ["construction", "Construction"], ["random", "Random"],
]);

/**
 * Creates the options of a list of methods, grouped by family.
 * @param {Solver[]} solvers
 */
function families(solvers) {
  return FAMILIES.map(([family, label]) => el("optgroup", { label },
    ...solvers.filter((solver) => solver.family === family).map((solver) => el("option", { value: solver.name }, solver.title))));
}

/** A solver and its parameters, to choose and fill in. */
export class MethodForm {
  /**
   * @param {Solver[]} solvers
   * @param {Method} method
   * @param {() => void} changed
   */
  constructor(solvers, method, changed) {
    this.solvers = solvers;
    this.changed = changed;
    this.select = el("select", {}, ...families(solvers));
    this.about = el("p", { className: "hint" });
    this.params = el("div", { className: "params" });
    this.more = el("details", {}, el("summary", {}, "Parameters"), this.params);
    /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
    this.inputs = new Map();
    this.select.addEventListener("change", () => {
      this.fill({});
      this.changed();
    });
    this.set(method);
  }

  /** The solver chosen. */
  get solver() {
    return this.solvers.find((solver) => solver.name === this.select.value) ?? this.solvers[0];
  }

  /**
   * @param {Method} method
   * @returns {string[]} messages about invalid values
   */
  set(method) {
    const known = this.solvers.find((solver) => solver.name === method.solver);
    if (known) this.select.value = known.name;
    const remarks = known ? [] : [`There is no method '${method.solver}'; ${this.solver.title} is used.`];
    /** @type {Record<string, string>} */
    const params = {};
    for (const [name, value] of known ? Object.entries(method.params) : []) {
      const param = known?.params.find((other) => other.name === name);
      if (param && checked(param, value) !== null) params[name] = value;
      else if (param) remarks.push(`${name}=${value} is invalid for ${method.solver}: expected ${param.range}; ${param.default} is used.`);
      else remarks.push(`${method.solver} has no parameter '${name}'; it is ignored.`);
    }
    this.fill(params);
    this.more.open = Object.keys(params).length > 0;
    return remarks;
  }

  /**
   * Creates a field for each parameter.
   * @param {Record<string, string>} values
   */
  fill(values) {
    const { name, summary, good_for: goodFor, source, params } = this.solver;
    this.about.replaceChildren(`${summary} Good for: ${goodFor}. Paper: ${source}. On the command line: ${name}.`);
    this.inputs.clear();
    this.params.replaceChildren(...params.map((param) => this.field(param, values[param.name] ?? param.default)));
    this.more.hidden = params.length === 0;
  }

  /**
   * @param {Param} param
   * @param {string} value
   */
  field(param, value) {
    const id = `param-${++fields}`;
    const help = el("p", { id: `${id}-help` }, `${param.help} ${param.kind === "choice" ? "" : `Takes ${param.range}. `}Default ${param.default}.`);
    const input = param.kind === "choice" ? this.choice(param, value) : el("input", { type: "text", value });
    input.id = id;
    input.setAttribute("aria-describedby", help.id);
    const sentence = el("p", {});
    const explain = () => (sentence.textContent = param.choices?.find((choice) => choice.word === input.value)?.help ?? "");
    input.addEventListener("change", () => {
      const wrong = checked(param, input.value) === null;
      input.setAttribute("aria-invalid", String(wrong));
      explain();
      this.changed();
    });
    explain();
    this.inputs.set(param.name, input);
    return el("div", { className: "param" }, el("label", { htmlFor: id }, param.name), input, help, sentence);
  }

  /**
   * @param {Param} param
   * @param {string} value
   */
  choice(param, value) {
    const select = el("select", {}, ...(param.choices ?? []).map(({ word, help }) => el("option", { value: word, title: help }, word)));
    select.value = value;
    return select;
  }

  /**
   * Returns the solver with the values that differ from the defaults.
   * @returns {Method}
   */
  method() {
    /** @type {Record<string, string>} */
    const params = {};
    for (const param of this.solver.params) {
      const value = this.inputs.get(param.name)?.value.trim() ?? "";
      if (value !== "" && value !== param.default) params[param.name] = value;
    }
    return { solver: this.solver.name, params };
  }
}

/**
 * Returns the seed in a field; throws an error if it is invalid.
 * @param {HTMLInputElement} input
 */
export function seedOf(input) {
  const seed = parseSeed(input.value);
  input.setAttribute("aria-invalid", String(seed === null));
  if (seed === null) throw new Error("Invalid seed: expected a whole number, 0 or more.");
  return seed;
}

/**
 * Formats a solver with its parameters as on the command line: name:param=value.
 * @param {Method} method
 */
export function formatMethod(method) {
  return [method.solver, ...Object.entries(method.params).map(([name, value]) => `${name}=${value}`)].join(":");
}
