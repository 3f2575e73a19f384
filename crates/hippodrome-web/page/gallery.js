// The gallery: tours by the dozen, uniform or by any solver, those of a kind only.

import { Job, post, Refused, submit } from "./api.js";
import { isDark } from "./colours.js";
import { el, get, notice, say } from "./dom.js";
import { tellImpossible } from "./facts.js";
import { MethodForm, readTyped, typed } from "./form.js";
import { copy, keepAddress, linkTo, tells } from "./link.js";
import { grouped, lasting } from "./numbers.js";
import { paintPath, paintSquares, sheet } from "./paint.js";
import { groundJson, setup } from "./setup.js";
import { openTour, tags } from "./tourview.js";

/** @typedef {import("./api.js").Tour} Tour */

/** The width of a small picture, in pixels of the page. */
const WIDTH = 190;

/** The Gallery tab. */
export class Gallery {
  /**
   * @param {import("./api.js").Solver[]} solvers
   */
  constructor(solvers) {
    /** @type {Job | null} */
    this.job = null;
    const changed = () => keepAddress("gallery");
    this.form = new MethodForm(solvers, { solver: "uniform", params: {} }, changed);
    this.seed = el("input", { type: "number", min: "0", max: "9007199254740991", value: "1", onchange: changed });
    this.many = el("select", { onchange: changed }, ...[12, 24, 48].map((n) => el("option", { value: String(n) }, String(n))));
    this.keep = el("select", { onchange: changed },
      el("option", { value: "" }, "All"), el("option", { value: "closed" }, "Closed"),
      el("option", { value: "symmetric" }, "Symmetric"), el("option", { value: "semi-magic" }, "Semi-magic"));
    this.start = el("button", { type: "button", className: "main", onclick: () => this.draw() }, "Draw tours");
    this.another = el("button", { type: "button", onclick: () => this.next() }, "Another dozen");
    this.message = el("div", {});
    this.thumbs = el("ul", { className: "thumbs" });
    /** @type {Tour[]} */
    this.tours = [];
    this.lay();
    tells("gallery", () => this.parts());
  }

  lay() {
    const link = el("button", { type: "button", className: "quiet" }, "Copy link");
    link.addEventListener("click", () => copy(link, linkTo("gallery")));
    get("gallery", HTMLElement).append(el("div", { className: "card" },
      el("h2", {}, "Tours by the dozen"),
      el("p", { className: "hint" }, "With the solver uniform, every tour of the board is as likely as any other: up to 8 rows or columns. Others show what they are inclined to find."),
      el("div", { className: "row" },
        el("label", {}, "Tours ", this.many), el("label", {}, "Kind ", this.keep),
        el("label", {}, "Solver ", this.form.select), el("label", {}, "Seed ", this.seed)),
      this.form.more,
      el("div", { className: "row" }, this.start, this.another, link),
      this.message));
    get("results", HTMLElement).append(el("div", { className: "only-gallery" }, this.thumbs));
    this.showEmpty();
  }

  showEmpty() {
    this.message.replaceChildren(el("p", { className: "empty" }, "No tours yet. 'Draw tours' fills this wall; click on one to see it large."));
  }

  parts() {
    /** @type {Record<string, string>} */
    const parts = { n: this.many.value, seed: this.seed.value, solver: typed(this.form.method()) };
    if (this.keep.value) parts.kind = this.keep.value;
    return parts;
  }

  /**
   * @param {URLSearchParams} query
   */
  read(query) {
    const solver = query.get("solver");
    if (solver) this.form.set(readTyped(solver));
    this.keep.value = query.get("kind") ?? "";
    if (this.keep.selectedIndex < 0) this.keep.value = "";
    const many = query.get("n");
    if (many && ["12", "24", "48"].includes(many)) this.many.value = many;
    const seed = query.get("seed");
    if (seed && /^[0-9]{1,16}$/.test(seed)) this.seed.value = seed;
    const tour = query.get("tour");
    if (tour) void this.openLinked(tour.replaceAll("_", " "));
  }

  /**
   * A tour that came with the address is read, verified and shown.
   * @param {string} text
   */
  async openLinked(text) {
    try {
      openTour(/** @type {Tour} */ (await post("/api/tour", { ground: { ...groundJson(), start: null, end: null, closed: false }, tour: text })));
    } catch (error) {
      this.message.replaceChildren(notice("wrong", "The link holds no tour of this board.", error instanceof Refused ? error.message : String(error)));
    }
  }

  next() {
    this.seed.value = String((Number(this.seed.value) || 0) + 1);
    keepAddress("gallery");
    void this.draw();
  }

  async draw() {
    this.job?.end();
    this.tours = [];
    this.thumbs.replaceChildren();
    tellImpossible(null);
    this.message.replaceChildren(notice("loading", "Starting…"));
    try {
      const answer = await submit({
        kind: "sample",
        ground: { ...groundJson(), closed: setup.ground.closed || this.keep.value === "closed" },
        method: this.form.method(),
        seed: Number(this.seed.value) || 0,
        tours: Number(this.many.value),
        keep: this.keep.value === "closed" ? null : this.keep.value,
      });
      if (answer.impossible) {
        tellImpossible(answer.impossible);
        this.message.replaceChildren(notice("impossible", "There is no such tour.", `${answer.impossible.reason} (${answer.impossible.theorem}).`));
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
    this.job = new Job(id, {
      state: (state) => this.hear(state),
      frame: (/** @type {{ drawn: number, wanted: number, tours: Tour[] }} */ frame) => this.show(frame),
      lost: () => this.message.replaceChildren(notice("wrong", "The server does not answer.", "Is 'hippo serve' still running?")),
    });
  }

  /**
   * @param {import("./api.js").State} state
   */
  hear(state) {
    const kind = this.keep.selectedOptions[0]?.textContent?.toLowerCase() ?? "";
    if (state.state === "waiting") {
      this.message.replaceChildren(notice("loading", "Waiting for its turn…", `${state.running} searches are running.`));
    } else if (state.state === "running") {
      const table = state.doing === "table";
      this.message.replaceChildren(notice("loading", table ? "Counting covers…" : "Drawing…",
        table ? "The table that uniform tours are drawn from is made once; open tours of 8x8 take a minute or two." : ""));
    } else if (state.state === "failed") {
      this.message.replaceChildren(notice("wrong", "This does not serve here.", state.reason ?? ""));
    } else {
      const [drawn, seconds] = [grouped(state.drawn ?? 0), lasting(state.seconds ?? 0)];
      const few = this.tours.length === 0
        ? notice("plain", `None of the ${drawn} tours drawn in ${seconds} is ${kind}.`, "Such tours are rare here: try a smaller board, closed tours, or another kind.")
        : notice("plain", `${this.tours.length} tours`, this.keep.value ? ` of ${drawn} drawn in ${seconds}.` : ` drawn in ${seconds}.`);
      this.message.replaceChildren(few);
      say(`${this.tours.length} tours`);
    }
  }

  /**
   * @param {{ drawn: number, wanted: number, tours: Tour[] }} frame
   */
  show(frame) {
    const fresh = frame.tours.slice(this.tours.length);
    this.tours = frame.tours;
    const first = this.thumbs.childElementCount;
    this.thumbs.append(...fresh.map((tour, i) => el("li", {}, this.thumb(tour, first + i + 1))));
  }

  /**
   * @param {Tour} tour
   * @param {number} number
   */
  thumb(tour, number) {
    const canvas = el("canvas", { "aria-hidden": "true" });
    const button = el("button", { type: "button", className: "thumb", onclick: () => openTour(tour) },
      canvas, el("span", {}, `No. ${number}`), tags(tour));
    button.dataset.tour = tour.digits ?? "";
    this.paint(canvas, tour);
    return button;
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Tour} tour
   */
  paint(canvas, tour) {
    const { rows, cols, holes } = setup.ground;
    const on = sheet(canvas, rows, cols, WIDTH);
    if (!on) return;
    const colours = isDark() ? { light: "#262a32", dark: "#1c1f26", hole: "#07080a" } : { light: "#f6f3ec", dark: "#e6e0d3", hole: "#86827a" };
    paintSquares(on, holes, colours);
    paintPath(on, tour.squares, tour.squares.length, { closed: tour.closed });
  }

  /** Paints everything again, as the colours have changed. */
  repaint() {
    const canvases = this.thumbs.querySelectorAll("canvas");
    this.tours.forEach((tour, i) => {
      if (canvases[i]) this.paint(canvases[i], tour);
    });
  }

  /** The board has changed: what is shown is of another. */
  clear() {
    this.job?.end();
    this.tours = [];
    this.thumbs.replaceChildren();
    this.showEmpty();
  }
}
