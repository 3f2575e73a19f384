// What a race shows: boards, chart, verdict and table, sized so that boards and chart fit the window.

import { el } from "./dom.js";
import { typedName } from "./names.js";
import { short } from "./numbers.js";
import { RaceBoards } from "./race_boards.js";
import { Chart } from "./chart.js";
import { remarks, table, verdict } from "./race_table.js";

/**
 * @typedef {import("./race_table.js").RaceFrame} RaceFrame
 * @typedef {{ unit: string, most: number }} Budget
 */

/** Heights in CSS pixels: the least of the chart and its highest, and what the verdict and the gaps take. */
const CHART = { least: 150, most: 320 };
const BELOW = 60;
const GAPS = 34;
/** Least part of the longest run that the boards show, even if the trace of a slow method is shorter. */
const LEAST_SHOWN = 0.25;

/** The results of a race. */
export class RaceResults {
  /**
   * @param {import("./api.js").Solver[]} solvers
   */
  constructor(solvers) {
    this.solvers = solvers;
    this.isLogarithmic = false;
    this.boards = new RaceBoards();
    this.chart = new Chart();
    this.chartPlace = el("div", { className: "race-chart" });
    this.chartPlace.append(this.chart.node);
    this.height = CHART.least;
    this.verdict = el("p", { className: "verdict" });
    this.table = el("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Standings", hidden: true });
    this.remarks = el("ul", { className: "soft remarks" });
  }

  /**
   * Sizes boards and chart so that both fit the window.
   * @param {number} messages their height
   */
  fit(messages) {
    const { node } = this.boards;
    // On phones, innerHeight includes what can be zoomed out to.
    const window = document.documentElement.clientHeight;
    const top = node.getBoundingClientRect().top + scrollY;
    this.boards.fit(node.clientWidth, window - top - Math.max(30, messages) - CHART.least - BELOW - GAPS);
    const begin = this.chartPlace.getBoundingClientRect().top + scrollY;
    this.height = Math.round(Math.min(CHART.most, Math.max(CHART.least, window - begin - BELOW)));
    this.chartPlace.style.height = `${this.height}px`;
  }

  /** The place of the chart. */
  room() {
    return { width: Math.max(200, this.chartPlace.clientWidth), height: this.height };
  }

  /**
   * Shows a race that has not begun: empty boards and axes.
   * @param {Budget} budget
   */
  drawEmpty({ unit, most }) {
    this.boards.cards.forEach((_, at) => this.boards.draw(at, 0, { attempts: null, tours: null, distinct: null }));
    const axis = { most: unit === "attempts" || unit === "seconds" ? most || 1 : 1000, shown: 0, unit: unit === "seconds" ? unit : "attempts", logarithmic: false };
    this.chart.draw([], axis, this.room());
    this.showTable(false);
  }

  /** @param {boolean} is */
  showTable(is) {
    this.table.hidden = this.remarks.hidden = !is;
    if (!is) this.verdict.textContent = "";
  }

  /**
   * Draws everything at a position of the clock.
   * @param {RaceFrame} frame
   * @param {Budget} budget
   * @param {{ share: number, isDone: boolean, isOver: boolean }} clock `share` is how much of the show has passed, from 0 to 1
   */
  draw(frame, budget, { share, isDone, isOver }) {
    const { standings, unit } = frame;
    const reached = Math.max(0, ...standings.flatMap(({ laps }) => laps.flat()).map(([x]) => x));
    const planned = budget.unit === unit && !isDone ? budget.most : 0;
    const most = Math.max(reached, planned) || 1;
    const shown = share * most;
    const series = standings.map(({ name, laps }) => ({ name: typedName(this.solvers, name), laps }));
    this.chart.draw(series, { most, shown, unit, logarithmic: this.isLogarithmic }, this.room());
    this.drawBoards(frame, { most, shown, share, isDone });
    this.showTable(isOver);
    if (!isOver) return;
    const said = verdict(frame, this.solvers, budget);
    this.verdict.textContent = said;
    this.table.replaceChildren(table(frame, this.solvers));
    this.remarks.replaceChildren(...remarks(frame, this.solvers, { boards: this.shown(frame), verdict: said }));
  }

  /**
   * Draws the first run of each method, all at the same position of one clock.
   * @param {RaceFrame} frame
   * @param {{ most: number, shown: number, share: number, isDone: boolean }} clock `most` is the end of the horizontal axis
   */
  drawBoards(frame, { most, shown, share, isDone }) {
    const { standings, unit, runs } = frame;
    const { end } = this.clock(frame);
    standings.forEach(({ laps, attempts, tours, done }, index) => {
      const first = laps[0] ?? [];
      const last = first.at(-1)?.[0] ?? 0;
      const x = Math.min(shown, last);
      // While a run is under way, its board is not ahead of it.
      const part = isDone ? share : Math.min(share, last / most);
      const made = unit === "attempts" ? x : (x / (last || 1)) * (attempts / Math.max(1, laps.length));
      const isEnd = runs === 1 && done === 1 && x === last;
      this.boards.draw(index, part * (end ?? this.boards.endOf(index) ?? 0), {
        attempts: Math.round(made),
        distinct: first.findLast(([at]) => at <= x)?.[1] ?? 0,
        tours: isEnd ? tours : null,
      });
    });
  }

  /**
   * Returns where the clock of the boards ends: all boards at the same number of attempts or moves; in a race against
   * time, each at the end of its trace, because all traces take the same time. Traces of slow methods are cut, and
   * so the boards may show the beginning of the runs only.
   * @param {RaceFrame} frame
   * @returns {{ end: number | null, unit: string, isWhole: boolean }}
   */
  clock({ standings, unit }) {
    const traces = this.boards.traces.filter((trace) => trace !== null);
    if (unit === "seconds" || traces.length === 0) return { end: null, unit: "seconds", isWhole: false };
    const { clock } = traces[0];
    const ends = this.boards.traces.map((trace, index) => ({ end: this.boards.endOf(index) ?? 0, isCut: trace !== null && !trace.whole }));
    const cut = ends.filter(({ isCut }) => isCut).map(({ end }) => end);
    const run = standings.map(({ laps, moves }) => (clock === "moves" ? moves / Math.max(1, laps.length) : laps[0]?.at(-1)?.[0] ?? 0));
    const full = Math.max(1, ...run, ...ends.map(({ end }) => end));
    const end = cut.length === 0 ? Math.max(1, ...ends.map((known) => known.end)) : Math.max(Math.min(...cut), LEAST_SHOWN * full);
    return { end: Math.round(end), unit: clock, isWhole: cut.length === 0 };
  }

  /**
   * Says what the boards show; empty without traces.
   * @param {RaceFrame} frame
   */
  shown(frame) {
    if (!this.boards.traces.some((trace) => trace !== null)) return "";
    const { end, unit, isWhole } = this.clock(frame);
    if (isWhole) return "The boards show the first run of each method.";
    return end === null ? "The boards show the beginning of each method's first run, in slow motion."
      : `The boards show the first ${short(end)} ${unit} of each method's first run.`;
  }
}
