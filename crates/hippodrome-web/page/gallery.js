// The Gallery tab: some dozen tours, uniform or by any method, optionally of one kind only.

import { historic, Job, post, Starter } from "./api.js";
import { announce, el, get, notice } from "./dom.js";
import { saveSheet } from "./export.js";
import { showImpossible } from "./facts.js";
import { formatMethod, MethodForm, seedOf } from "./form.js";
import { isRare, KINDS, sheetTitle, summary, wordOf } from "./gallery_text.js";
import { historicEntry, Wall } from "./gallery_wall.js";
import { refreshJobList } from "./job_list.js";
import { copy, linkTo, readNumber, registerParts, tourPart, updateAddress } from "./link.js";
import { counted, methodName, plain } from "./names.js";
import { parseMethod, parseSeed, parseWhole } from "./parse.js";
import { groundJson, hasSameSquares, setup, shortGroundName } from "./setup.js";
import { tableNotice } from "./table_progress.js";
import { isTableLarge, TableConsent, tableBytes, UNIFORM, WITHOUT_TABLE } from "./table_size.js";
import { openTour } from "./tourview.js";

/**
 * @typedef {import("./tourview.js").Tour} Tour
 * @typedef {import("./setup.js").Ground} Ground
 * @typedef {import("./gallery_text.js").Kind} Kind
 * @typedef {import("./gallery_text.js").Drawn} Drawn
 */

/** The numbers of tours to choose from; the last is the server's limit. */
const COUNTS = [12, 24, 48];
/** The Gallery tab. */
export class Gallery {
  /**
   * @param {import("./api.js").Registry} registry
   * @param {(open?: boolean) => void} drawer
   */
  constructor({ solvers, presets }, drawer) {
    this.solvers = solvers;
    /** @type {Job | null} */
    this.job = null;
    /** The kind that was asked for, by a button or the address. @type {Kind | null} */
    this.asked = null;
    this.consent = new TableConsent();
    /** What is drawn. @type {Drawn | null} */
    this.drawn = null;
    /** The tour in the large view, as written in the address. @type {string | null} */
    this.opened = null;
    const changed = () => this.changed();
    this.form = new MethodForm(solvers, parseMethod(presets.gallery), changed);
    this.seed = el("input", { type: "number", min: "0", max: "9007199254740991", value: "1", onchange: changed });
    this.many = el("select", { onchange: changed }, ...COUNTS.map((n) => el("option", { value: String(n) }, String(n))));
    this.start = el("button", { type: "button", className: "main", onclick: () => void this.draw() }, "▶ Draw tours");
    this.another = el("button", { type: "button", onclick: () => this.next() }, "Another dozen");
    this.stop = el("button", { type: "button", onclick: () => this.end(), hidden: true }, "Stop");
    this.starter = new Starter([this.start, this.another]);
    this.text = el("span", {});
    this.kinds = KINDS.map(([kind, label]) => el("button", { type: "button", "aria-pressed": "false", onclick: () => this.choose(kind) }, label));
    this.sheet = el("div", { className: "sheet", role: "group", "aria-label": "Save all as a sheet" }, el("span", { className: "soft" }, "Sheet"),
      ...(/** @type {const} */ (["pdf", "svg", "png"])).map((form) =>
        el("button", { type: "button", title: `Save all tours shown as one ${form.toUpperCase()}`, onclick: () => void this.save(form) }, form.toUpperCase())));
    this.message = el("div", { className: "message-list" });
    this.wall = new Wall((index) => this.open(index));
    this.build(drawer);
    registerParts("gallery", () => this.parts());
  }

  /**
   * @param {(open?: boolean) => void} drawer
   */
  build(drawer) {
    const link = el("button", { type: "button", className: "quiet" }, "Copy link");
    link.addEventListener("click", () => copy(link, linkTo("gallery")));
    const change = el("button", { type: "button", onclick: () => drawer(), "aria-expanded": "false", "aria-controls": "drawer" }, "Change");
    get("gallery", HTMLElement).append(
      el("div", { className: "setup-line gallery-line" }, this.start, this.another, this.stop,
        el("div", { className: "presets kinds", role: "group", "aria-label": "Kind of tours" }, ...this.kinds),
        this.text, change, link),
      el("div", { id: "gallery-messages", className: "messages" }, this.message),
      this.wall.node);
    get("gallery-settings", HTMLElement).append(
      el("h3", {}, "Method"),
      el("div", { className: "row" }, el("label", {}, "Method ", this.form.select), el("label", {}, "Seed ", this.seed), el("label", {}, "Tours ", this.many)),
      el("p", { className: "hint" }, "With uniform sampling, every tour of the board is as likely as any other, on boards of up to 8 rows or columns. Other methods find some tours more often than others."),
      this.form.about, this.form.more);
    this.changed();
  }

  /**
   * The kind of the tours. All tours of 8x8 need a table of 1.8 GB and most of a minute; the table of its closed tours
   * takes a tenth of that and three seconds. So unless a kind was asked for, boards like that show closed tours.
   * @returns {Kind}
   */
  kind() {
    if (this.asked) return this.asked;
    const large = this.form.solver.name === UNIFORM && !setup.ground.closed && isTableLarge(setup.ground);
    return large && !isTableLarge({ ...setup.ground, closed: true }) ? "closed" : "all";
  }

  /** The board of the tours to draw. */
  ground() {
    return { ...setup.ground, closed: setup.ground.closed || this.kind() === "closed" };
  }

  changed() {
    updateAddress("gallery");
    this.show();
  }

  /** Shows the setup in one line, and the kind on its button. */
  show() {
    const kind = this.kind();
    const text = `${counted(Number(this.many.value), "tour")} · ${shortGroundName(this.ground())} · ${methodName(this.solvers, this.form.method())}`;
    if (this.text.textContent !== text) this.text.textContent = text;
    KINDS.forEach(([name], at) => this.kinds[at].setAttribute("aria-pressed", String(name === kind)));
    const many = Number(this.many.value);
    this.another.textContent = many === 12 ? "Another dozen" : `Another ${many}`;
  }

  /**
   * Chooses a kind, and draws tours of it.
   * @param {Kind} kind
   */
  choose(kind) {
    this.asked = kind;
    this.changed();
    void this.draw();
  }

  parts() {
    /** @type {Record<string, string>} */
    const parts = { n: this.many.value, seed: this.seed.value, solver: formatMethod(this.form.method()) };
    parts.kind = this.kind();
    if (this.opened) parts.tour = this.opened;
    return parts;
  }

  /**
   * @param {URLSearchParams} query
   * @returns {string[]} messages about invalid parameters
   */
  read(query) {
    const solver = query.get("solver");
    const wrong = solver ? this.form.set(parseMethod(solver)) : [];
    const kind = query.get("kind");
    const known = KINDS.find(([name]) => name === kind)?.[0] ?? null;
    if (kind !== null && known === null) wrong.push(`There is no kind of tour '${kind}'; all kinds are drawn.`);
    // A full link sets the kind, and asks for all tours if it names none; the name of the tab alone leaves it unchanged.
    if (kind !== null || query.has("board")) this.asked = known ?? "all";
    wrong.push(...readNumber(query, "n", this.many, (text) => COUNTS.find((n) => n === parseWhole(text)) ?? null));
    wrong.push(...readNumber(query, "seed", this.seed, parseSeed));
    const before = this.opened;
    this.opened = query.get("tour");
    if (this.opened && this.opened !== before) void this.openLinked(this.opened);
    else if (!this.opened && before) get("tourview", HTMLDialogElement).close();
    this.show();
    if (this.wall.entries.length === 0 && this.job === null) void this.showHistoric();
    return wrong;
  }

  /** Fills an empty wall with the tours that ship with the program. */
  async showHistoric() {
    if (this.wall.entries.length) return;
    this.say(notice("plain", "Tours of three centuries.", "A click shows one large; ▶ draws new ones."));
    const tours = await historic().catch(() => []);
    if (this.wall.entries.length || this.job || this.drawn) return;
    this.wall.add(tours.map(historicEntry));
    if (tours.length === 0) this.say(notice("plain", "No tours yet.", "▶ fills this wall; a click on a tour shows it large."));
  }

  /**
   * @param {HTMLElement | null} message
   */
  say(message) {
    this.message.replaceChildren(...(message ? [message] : []));
  }

  /**
   * Shows a message about the tours drawn, with buttons that save them.
   * @param {HTMLElement} message
   */
  conclude(message) {
    if (this.drawn && this.wall.entries.length) message.append(this.sheet);
    this.say(message);
  }

  /**
   * Opens a tour of the wall in the large view; the address contains it while it is open.
   * @param {number} index
   */
  open(index) {
    const { entries } = this.wall;
    const shown = (/** @type {number} */ at) => {
      const { tour, ground } = entries[at];
      // Historic tours may be on other boards than the page's.
      this.opened = hasSameSquares(ground, setup.ground) ? tourPart(tour, ground.cols) : null;
      updateAddress("gallery");
    };
    shown(index);
    openTour(entries[index].tour, entries[index].ground, () => this.close(), { entries, index, shown });
  }

  /** Takes the tour out of the address. */
  close() {
    this.opened = null;
    updateAddress("gallery");
  }

  /**
   * Verifies and opens a tour from the address.
   * @param {string} text
   */
  async openLinked(text) {
    const { ground } = setup;
    const board = { ...groundJson(ground), start: null, end: null, closed: false };
    try {
      const tour = /** @type {Tour} */ (await post("/api/tour", { ground: board, tour: text.replaceAll("_", " ") }));
      if (this.opened === text) openTour(tour, ground, () => this.close());
    } catch (error) {
      this.close();
      this.say(notice("wrong", "The link contains no valid tour of this board.", plain(error instanceof Error ? error.message : String(error))));
    }
  }

  next() {
    const seed = parseSeed(this.seed.value || "0");
    if (seed !== null) this.seed.value = String(seed + 1);
    updateAddress("gallery");
    void this.draw();
  }

  /** Draws tours. */
  async draw() {
    this.reset();
    const [ground, kind] = [this.ground(), this.kind()];
    let method = this.form.method();
    const rare = isRare(kind);
    if (method.solver === UNIFORM && this.consent.isMissing(ground)) {
      // Hardly any uniform tour is of a rare kind, so a large table is not worth a question.
      if (rare) {
        method = { solver: WITHOUT_TABLE, params: {} };
      } else {
        this.ask(ground, tableBytes(ground) ?? 0);
        return;
      }
    }
    showImpossible(null);
    this.say(notice("loading", "Starting…"));
    try {
      const answer = await this.starter.submit({
        kind: "sample", ground: groundJson(ground), method, seed: seedOf(this.seed), tours: Number(this.many.value), keep: rare ? kind : null,
      });
      if (answer === null) return;
      if (answer.impossible) {
        showImpossible(answer.impossible);
        this.say(null);
      } else if (answer.id) {
        this.drawn = { ground, method, kind, seed: this.seed.value, isInstead: method.solver !== this.form.solver.name };
        this.listen(answer.id);
      }
    } catch (error) {
      void refreshJobList();
      this.say(notice("wrong", "The gallery was not started.", plain(error instanceof Error ? error.message : "")));
    }
  }

  /**
   * Asks whether to build a large table.
   * @param {Ground} ground
   * @param {number} bytes
   */
  ask(ground, bytes) {
    const title = this.solvers.find(({ name }) => name === WITHOUT_TABLE)?.title ?? WITHOUT_TABLE;
    this.say(this.consent.ask(ground, bytes, {
      build: () => void this.draw(),
      other: () => {
        this.form.set({ solver: WITHOUT_TABLE, params: {} });
        this.changed();
        void this.draw();
      },
      name: `Draw with ${title} instead`,
    }));
  }

  /**
   * @param {string} id
   */
  listen(id) {
    this.stop.hidden = false;
    this.job = new Job(id, {
      state: (state) => this.showState(state),
      frame: (/** @type {{ drawn: number, wanted: number, tours: Tour[] }} */ frame) => {
        const { ground } = this.drawn ?? { ground: setup.ground };
        this.wall.add(frame.tours.slice(this.wall.entries.length).map((tour) => ({ tour, ground })));
        this.show();
      },
      lost: () => {
        this.stop.hidden = true;
        this.say(notice("wrong", "Connection lost.", "The drawing has ended, or hippo serve has stopped."));
      },
    });
  }

  /**
   * @param {import("./api.js").State} state
   */
  showState(state) {
    this.stop.hidden = state.state === "done" || state.state === "failed";
    if (state.state === "waiting") {
      this.say(notice("loading", "Waiting for its turn…", `${counted(state.running ?? 0, "search is", "searches are")} running.`));
    } else if (state.state === "running") {
      const ground = this.drawn?.ground ?? setup.ground;
      if (this.consent.isExceeded(ground, state)) {
        this.reset();
        this.ask(ground, state.bytes ?? 0);
      } else {
        this.say(tableNotice(state) ?? notice("loading", "Drawing…"));
      }
    } else if (state.state === "failed") {
      this.say(notice("wrong", "The method does not support this problem.", plain(state.reason ?? "")));
    } else {
      if (this.drawn) this.conclude(summary(state, this.wall.entries.map(({ tour }) => tour), this.drawn, this.solvers));
      announce(counted(this.wall.entries.length, "tour"));
    }
    this.show();
  }

  /**
   * Saves all tours shown as one file.
   * @param {"pdf" | "svg" | "png"} form
   */
  async save(form) {
    if (!this.drawn) return;
    const { ground, kind } = this.drawn;
    const tours = this.wall.entries.map(({ tour }) => tour);
    const title = sheetTitle(tours, this.drawn, this.solvers);
    this.say(notice("loading", "Drawing the sheet…"));
    try {
      this.conclude(notice("plain", await saveSheet(tours, ground, form, { title, kind: wordOf(kind) || (ground.closed ? "closed" : "open") })));
    } catch (error) {
      this.conclude(notice("wrong", "The sheet was not drawn.", plain(error instanceof Error ? error.message : String(error))));
    }
  }

  /** Stops, and keeps the tours drawn so far. */
  end() {
    this.starter.cancel();
    this.job?.end();
    this.stop.hidden = true;
    const { length } = this.wall.entries;
    this.conclude(notice("plain", "Stopped.", `${length === 0 ? "No tour was" : length === 1 ? "1 tour was" : `${length} tours were`} drawn.`));
  }

  /** Repaints all thumbnails, because the colours have changed. */
  repaint() {
    this.wall.repaint();
  }

  /** Removes the tours drawn, because the board has changed. */
  clear() {
    // Historic tours are on boards of their own.
    if (this.drawn || this.job || this.wall.entries.length === 0) this.reset();
    this.show();
    if (document.body.dataset.tab === "gallery") void this.showHistoric();
  }

  /** Removes all tours. */
  reset() {
    this.starter.cancel();
    this.job?.end();
    this.job = null;
    this.drawn = null;
    this.stop.hidden = true;
    this.wall.clear();
    this.say(null);
    this.show();
  }
}
