// What a race shows: boards, chart, verdict and table, sized so that boards and chart fit the window.

import { el } from "./dom.js";
import { typedName } from "./names.js";
import { RaceBoards } from "./race_boards.js";
import { RaceChart } from "./race_chart.js";
import { remarks, table, verdict } from "./race_table.js";

/**
 * @typedef {import("./race_table.js").RaceFrame} RaceFrame
 * @typedef {{ unit: string, most: number }} Budget
 */

/** Heights in CSS pixels: the least of the chart and its highest, and what the verdict and the gaps take. */
const CHART = { least: 150, most: 320 };
const BELOW = 42;
const GAPS = 34;

/** The results of a race. */
export class RaceResults {
  /**
   * @param {import("./api.js").Solver[]} solvers
   */
  constructor(solvers) {
    this.solvers = solvers;
    this.isLogarithmic = false;
    this.boards = new RaceBoards();
    this.chart = new RaceChart();
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
    this.boards.cards.forEach((_, at) => this.boards.draw(at, 0, { attempts: "–", tours: "–", distinct: "–" }));
    const axis = { most: unit === "attempts" || unit === "seconds" ? most || 1 : 1000, shown: 0, unit: unit === "seconds" ? unit : "attempts", logarithmic: false };
    this.chart.grow([], axis, this.room());
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
    this.chart.grow(series, { most, shown, unit, logarithmic: this.isLogarithmic }, this.room());
    this.drawBoards(frame, shown, share);
    this.showTable(isOver);
    if (!isOver) return;
    const said = verdict(frame, this.solvers, budget);
    this.verdict.textContent = said;
    this.table.replaceChildren(table(frame, this.solvers));
    this.remarks.replaceChildren(...remarks(frame, this.solvers, { traced: this.boards.traces.length > 0, verdict: said }));
  }

  /**
   * Draws the first run of each method.
   * @param {RaceFrame} frame
   * @param {number} shown the position of the clock on the horizontal axis
   * @param {number} share
   */
  drawBoards({ standings, unit, runs }, shown, share) {
    const count = (/** @type {[number, number][][]} */ laps) => Math.max(1, laps.length);
    const mostMoves = Math.max(1, ...standings.map(({ moves, laps }) => moves / count(laps)));
    standings.forEach(({ laps, attempts, tours, moves, done }, index) => {
      const first = laps[0] ?? [];
      const end = first.at(-1)?.[0] ?? 0;
      const x = Math.min(shown, end);
      // How much of the first run the clock has passed: seconds are not in the traces.
      const part = end > 0 ? x / end : 0;
      const made = unit === "attempts" ? x : (part * attempts) / count(laps);
      const clock = this.boards.traces[index]?.clock;
      const value = clock !== "moves" ? made : unit === "attempts" ? share * mostMoves : (part * moves) / count(laps);
      const known = runs === 1 && done === 1 && part === 1;
      this.boards.draw(index, value, {
        attempts: String(Math.round(made)),
        distinct: String(first.findLast(([at]) => at <= x)?.[1] ?? 0),
        tours: known ? String(tours) : "–",
      });
    });
  }
}
