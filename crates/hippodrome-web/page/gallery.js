// The Gallery tab: some dozen tours, uniform or by any solver, optionally of one kind only.

import { tableProgress } from "./table_progress.js";
import { Job, post, RequestError, Starter } from "./api.js";
import { isDark } from "./colours.js";
import { el, get, notice, announce } from "./dom.js";
import { showImpossible } from "./facts.js";
import { formatMethod, MethodForm, seedOf } from "./form.js";
import { refreshJobList } from "./job_list.js";
import { copy, updateAddress, linkTo, readNumber, registerParts, tourPart } from "./link.js";
import { duration, grouped } from "./numbers.js";
import { paintPath, paintSquares, sheet } from "./paint.js";
import { parseMethod, parseSeed, parseWhole } from "./parse.js";
import { groundJson, setup } from "./setup.js";
import { openTour, tags } from "./tourview.js";

/** @typedef {import("./api.js").Tour} Tour */

/** The numbers of tours to choose from; the last is the server's limit. */
const COUNTS = [12, 24, 48];
/** Width of a thumbnail, in CSS pixels. */
const WIDTH = 190;

/** The Gallery tab. */
export class Gallery {
  /**
   * @param {import("./api.js").Registry} registry
   */
  constructor({ solvers, presets }) {
    /** @type {Job | null} */
    this.job = null;
    const changed = () => updateAddress("gallery");
    this.form = new MethodForm(solvers, parseMethod(presets.gallery), changed);
    this.seed = el("input", { type: "number", min: "0", max: "9007199254740991", value: "1", onchange: changed });
    this.many = el("select", { onchange: changed }, ...COUNTS.map((n) => el("option", { value: String(n) }, String(n))));
    this.keep = el("select", { onchange: changed },
      el("option", { value: "" }, "All"), el("option", { value: "closed" }, "Closed"),
      el("option", { value: "symmetric" }, "Symmetric"), el("option", { value: "semi-magic" }, "Semi-magic"));
    this.start = el("button", { type: "button", className: "main", onclick: () => this.draw() }, "Draw tours");
    this.another = el("button", { type: "button", onclick: () => this.next() }, "Another dozen");
    this.stop = el("button", { type: "button", disabled: true, onclick: () => this.end() }, "Stop");
    this.starter = new Starter([this.start, this.another]);
    /** The board of the tours. */
    this.ground = setup.ground;
    /** The requested kind of tour as a word; empty for all kinds. */
    this.kind = "";
    /** The tour in the large view, as written in the address. @type {string | null} */
    this.opened = null;
    this.message = el("div", {});
    this.thumbs = el("ul", { className: "thumbs" });
    /** @type {Tour[]} */
    this.tours = [];
    this.build();
    registerParts("gallery", () => this.parts());
  }

  build() {
    const link = el("button", { type: "button", className: "quiet" }, "Copy link");
    link.addEventListener("click", () => copy(link, linkTo("gallery")));
    get("gallery", HTMLElement).append(el("div", { className: "card" },
      el("h2", {}, "Tours by the dozen"),
      el("p", { className: "hint" }, "With the solver uniform, every tour of the board is as likely as any other: up to 8 rows or columns. Others show what they are inclined to find."),
      el("div", { className: "row" },
        el("label", {}, "Tours ", this.many), el("label", {}, "Kind ", this.keep),
        el("label", {}, "Solver ", this.form.select), el("label", {}, "Seed ", this.seed)),
      this.form.more,
      el("div", { className: "row" }, this.start, this.another, this.stop, link),
      this.message));
    get("results", HTMLElement).append(el("div", { className: "only-gallery" }, this.thumbs));
    this.showEmpty();
  }

  showEmpty() {
    this.message.replaceChildren(el("p", { className: "empty" }, "No tours yet. 'Draw tours' fills this wall; click on one to see it large."));
  }

  parts() {
    /** @type {Record<string, string>} */
    const parts = { n: this.many.value, seed: this.seed.value, solver: formatMethod(this.form.method()) };
    if (this.keep.value) parts.kind = this.keep.value;
    if (this.opened) parts.tour = this.opened;
    return parts;
  }

  /**
   * @param {URLSearchParams} query
   * @returns {string[]} messages about invalid parameters
   */
  read(query) {
    const solver = query.get("solver");
    const remarks = solver ? this.form.set(parseMethod(solver)) : [];
    const kind = query.get("kind");
    // A full link sets the kind; the name of the tab alone leaves it unchanged.
    if (kind !== null || query.has("board")) this.keep.value = kind ?? "";
    if (this.keep.selectedIndex < 0) {
      this.keep.value = "";
      remarks.push(`There is no kind of tour '${kind}'; all kinds are drawn.`);
    }
    remarks.push(...readNumber(query, "n", this.many, (text) => COUNTS.find((n) => n === parseWhole(text)) ?? null));
    remarks.push(...readNumber(query, "seed", this.seed, parseSeed));
    this.opened = query.get("tour");
    if (this.opened) void this.openLinked(this.opened);
    return remarks;
  }

  /**
   * Opens a tour in the large view; the address contains it while it is open.
   * @param {Tour} tour
   * @param {import("./setup.js").Ground} ground
   */
  open(tour, ground) {
    this.opened = tourPart(tour, ground.cols);
    updateAddress("gallery");
    openTour(tour, ground, () => {
      this.opened = null;
      updateAddress("gallery");
    });
  }

  /**
   * Verifies and opens a tour from the address.
   * @param {string} text
   */
  async openLinked(text) {
    const ground = setup.ground;
    const board = { ...groundJson(ground), start: null, end: null, closed: false };
    try {
      const tour = /** @type {Tour} */ (await post("/api/tour", { ground: board, tour: text.replaceAll("_", " ") }));
      if (this.opened === text) this.open(tour, ground);
    } catch (error) {
      this.opened = null;
      updateAddress("gallery");
      this.message.replaceChildren(notice("wrong", "The link contains no valid tour of this board.", error instanceof RequestError ? error.message : String(error)));
    }
  }

  next() {
    const seed = parseSeed(this.seed.value || "0");
    if (seed !== null) this.seed.value = String(seed + 1);
    updateAddress("gallery");
    void this.draw();
  }

  async draw() {
    this.clear();
    this.ground = setup.ground;
    this.kind = this.keep.value ? this.keep.selectedOptions[0]?.textContent?.toLowerCase() ?? "" : "";
    showImpossible(null);
    this.message.replaceChildren(notice("loading", "Starting…"));
    try {
      const answer = await this.starter.submit({
        kind: "sample",
        ground: { ...groundJson(), closed: setup.ground.closed || this.keep.value === "closed" },
        method: this.form.method(),
        seed: seedOf(this.seed),
        tours: Number(this.many.value),
        keep: this.keep.value === "closed" ? null : this.keep.value,
      });
      if (answer === null) return;
      if (answer.impossible) {
        showImpossible(answer.impossible);
        this.message.replaceChildren(notice("impossible", "No such tour exists.", `${answer.impossible.reason} (${answer.impossible.theorem}).`));
      } else if (answer.id) {
        this.listen(answer.id);
      }
    } catch (error) {
      void refreshJobList();
      this.message.replaceChildren(notice("wrong", "The gallery was not started.", error instanceof Error ? error.message : ""));
    }
  }

  /**
   * @param {string} id
   */
  listen(id) {
    this.stop.disabled = false;
    this.job = new Job(id, {
      state: (state) => this.showState(state),
      frame: (/** @type {{ drawn: number, wanted: number, tours: Tour[] }} */ frame) => this.show(frame),
      lost: () => {
        this.stop.disabled = true;
        this.message.replaceChildren(notice("wrong", "Connection lost.", "The gallery has ended, or 'hippo serve' has stopped."));
      },
    });
  }

  /**
   * @param {import("./api.js").State} state
   */
  showState(state) {
    this.stop.disabled = state.state === "done" || state.state === "failed";
    if (state.state === "waiting") {
      this.message.replaceChildren(notice("loading", "Waiting for its turn…", `${state.running} searches are running.`));
    } else if (state.state === "running") {
      const [title, text] = tableProgress(state.doing) ?? ["Drawing…", ""];
      this.message.replaceChildren(notice("loading", title, text));
    } else if (state.state === "failed") {
      this.message.replaceChildren(notice("wrong", "The solver does not support this problem.", state.reason ?? ""));
    } else {
      this.message.replaceChildren(this.summary(state));
      announce(`${this.tours.length} tours`);
    }
  }

  /**
   * Describes the result.
   * @param {import("./api.js").State} state
   */
  summary({ drawn = 0, seconds = 0, status }) {
    const [many, time] = [grouped(drawn), duration(seconds)];
    const ended = { interrupted: " Stopped.", limit: " Time limit reached.", exhausted: " Search space exhausted." }[status ?? ""] ?? "";
    if (drawn === 0) return notice("plain", `No tour was found in ${time}.`, `${ended} Try another solver, or another board.`);
    if (this.tours.length === 0) {
      return notice("plain", `None of the ${many} tours drawn in ${time} is ${this.kind}.`, "Such tours are rare here: try a smaller board, closed tours, or another kind.");
    }
    return notice("plain", `${this.tours.length} tours`, `${this.kind ? ` of ${many} drawn in ${time}.` : ` drawn in ${time}.`}${ended}`);
  }

  /** Stops, and keeps the tours drawn so far. */
  end() {
    this.starter.cancel();
    this.job?.end();
    this.stop.disabled = true;
    this.message.replaceChildren(notice("plain", "Stopped.", this.tours.length ? `${this.tours.length} tours were drawn.` : "No tour was drawn."));
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
    const { ground } = this;
    const canvas = el("canvas", { "aria-hidden": "true" });
    const button = el("button", { type: "button", className: "thumb", onclick: () => this.open(tour, ground) },
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
    const { rows, cols, holes } = this.ground;
    const on = sheet(canvas, rows, cols, WIDTH);
    if (!on) return;
    const colours = isDark() ? { light: "#262a32", dark: "#1c1f26", hole: "#07080a" } : { light: "#f6f3ec", dark: "#e6e0d3", hole: "#86827a" };
    paintSquares(on, holes, colours);
    paintPath(on, tour.squares, tour.squares.length, { closed: tour.closed });
  }

  /** Repaints all thumbnails, because the colours have changed. */
  repaint() {
    const canvases = this.thumbs.querySelectorAll("canvas");
    this.tours.forEach((tour, i) => {
      if (canvases[i]) this.paint(canvases[i], tour);
    });
  }

  /** Removes all tours, because the board has changed. */
  clear() {
    this.starter.cancel();
    this.job?.end();
    this.stop.disabled = true;
    this.tours = [];
    this.thumbs.replaceChildren();
    this.showEmpty();
  }
}
