// The Race tab: methods under the same budget, on boards side by side, with a chart of distinct tours.

import { Job, Starter } from "./api.js";
import { announce, el, get, notice, oncePerFrame, prefersReducedMotion } from "./dom.js";
import { showImpossible } from "./facts.js";
import { refreshJobList } from "./job_list.js";
import { copy, linkTo, registerParts, updateAddress } from "./link.js";
import { counted, plain } from "./names.js";
import { duration } from "./numbers.js";
import { RaceResults } from "./race_results.js";
import { RaceSetup } from "./race_setup.js";
import { verdict } from "./race_table.js";
import { groundJson, setup, shortGroundName } from "./setup.js";
import { tableNotice } from "./table_progress.js";
import { TableConsent, tableBytes } from "./table_size.js";

/**
 * @typedef {import("./race_table.js").RaceFrame} RaceFrame
 * @typedef {import("./race_boards.js").Trace} Trace
 */

/** Milliseconds that a race is shown at least. */
const SHOW = 5000;
/** Milliseconds between two pictures of the show. */
const PICTURE = 33;
/** Longest side of a board of a race: the server's limit. */
const MAX_SIDE = 60;

/** The Race tab. */
export class Race {
  /**
   * @param {import("./api.js").Registry} registry
   * @param {(open?: boolean) => void} drawer
   */
  constructor(registry, drawer) {
    this.solvers = registry.solvers;
    /** @type {Job | null} */
    this.job = null;
    /** @type {RaceFrame | null} */
    this.frame = null;
    /** What was asked for, and on which board. @type {{ request: string, methods: string, ground: import("./setup.js").Ground, budget: { unit: string, most: number } } | null} */
    this.raced = null;
    /** When the show began; null if it has not. @type {number | null} */
    this.begun = null;
    this.isDone = false;
    this.isOver = false;
    this.drawnAt = 0;
    this.consent = new TableConsent();
    this.setup = new RaceSetup(registry, {
      change: () => drawer(),
      changed: () => {
        updateAddress("race");
        this.changed();
      },
      scale: (logarithmic) => {
        this.results.isLogarithmic = logarithmic;
        this.draw();
      },
    });
    this.start = el("button", { type: "button", className: "main", onclick: () => void this.run() }, "▶ Start");
    this.stop = el("button", { type: "button", className: "stop", onclick: () => this.end(), hidden: true }, "■ Stop");
    this.skip = el("button", { type: "button", onclick: () => this.finishShow(), title: "Show the result now" }, "Skip");
    this.again = el("button", { type: "button", onclick: () => this.showAgain() }, "Show again");
    this.starter = new Starter([this.start]);
    this.message = el("div", { className: "message-list" });
    this.results = new RaceResults(this.solvers);
    this.redraw = oncePerFrame(() => this.draw());
    this.build();
    registerParts("race", () => this.setup.parts());
  }

  build() {
    const link = el("button", { type: "button", className: "quiet" }, "Copy link");
    link.addEventListener("click", () => copy(link, linkTo("race")));
    const { boards, chartPlace, verdict: conclusion, table: standings, remarks: notes } = this.results;
    get("race", HTMLElement).append(
      el("div", { className: "setup-line race-line" }, this.start, this.stop, this.setup.text, this.setup.change, link),
      el("div", { className: "setup-line race-line" }, this.setup.adders[1],
        el("div", { className: "presets", role: "group", "aria-label": "Kinds of race" }, ...this.setup.presets)),
      boards.node,
      el("div", { id: "race-messages", className: "messages" }, this.message),
      chartPlace, conclusion, standings, notes);
    this.changed();
  }

  /**
   * @param {URLSearchParams} query
   * @returns {string[]} messages about invalid parameters
   */
  read(query) {
    const wrong = this.setup.read(query);
    this.changed();
    return wrong;
  }

  /** Shows the setup; without a race, on empty boards. */
  changed() {
    this.setup.show();
    const running = this.job !== null && !this.job.over;
    // The boards are those of the methods chosen.
    if (this.raced && !running && this.raced.methods !== JSON.stringify(this.setup.methods())) this.forget();
    if (!this.raced) this.prepare();
    else if (this.isOver) this.say(this.ended());
    this.redraw();
  }

  /** Shows empty boards for the methods chosen. */
  prepare() {
    const { ground } = setup;
    const fits = Math.max(ground.rows, ground.cols) <= MAX_SIDE;
    const names = this.setup.methods().map((_, at) => this.setup.name(at));
    const remove = (/** @type {number} */ index) => {
      this.setup.remove(this.setup.forms[index]);
      if (this.setup.isRemovable()) this.results.boards.focus(index);
      else this.setup.adders[1].focus();
    };
    if (fits) this.results.boards.build(names, ground, remove);
    this.results.boards.node.hidden = !fits;
    this.say(fits ? notice("plain", "All methods get the same budget and the same seeds.", "▶ starts the race.")
      : notice("wrong", "This board is too large to race on.", `Choose sides of up to ${MAX_SIDE} squares.`));
  }

  /**
   * @param {HTMLElement | null} message
   */
  say(message) {
    this.message.replaceChildren(...(message ? [message] : []));
  }

  /** Removes the race that is shown. */
  forget() {
    this.job?.end();
    this.job = null;
    this.frame = null;
    this.raced = null;
    this.isDone = this.isOver = false;
    this.begun = null;
  }

  /** Starts the race. */
  async run() {
    this.forget();
    showImpossible(null);
    this.prepare();
    this.draw();
    const { ground } = setup;
    if (this.results.boards.node.hidden) return;
    if (this.setup.hasUniform() && this.consent.isMissing(ground)) {
      this.ask(ground, tableBytes(ground) ?? 0);
      return;
    }
    this.say(notice("loading", "Starting…"));
    try {
      const request = { ...this.setup.request(), ground: groundJson(ground) };
      const answer = await this.starter.submit(request);
      if (answer === null) return;
      if (answer.impossible) {
        showImpossible(answer.impossible);
        this.say(null);
      } else if (answer.id) {
        this.raced = { request: JSON.stringify(request), methods: JSON.stringify(request.entrants), ground, budget: this.setup.budget() };
        this.listen(answer.id);
      }
    } catch (error) {
      void refreshJobList();
      this.say(notice("wrong", "The race was not started.", plain(error instanceof Error ? error.message : "")));
    }
    this.draw();
  }

  /**
   * Asks whether to build a large table.
   * @param {import("./setup.js").Ground} ground
   * @param {number} bytes
   */
  ask(ground, bytes) {
    this.say(this.consent.ask(ground, bytes, {
      build: () => void this.run(),
      other: () => {
        this.setup.leaveUniform();
        void this.run();
      },
      name: "Race without it",
    }));
  }

  /**
   * @param {string} id
   */
  listen(id) {
    this.job = new Job(id, {
      state: (state) => this.showState(state),
      context: (context) => {
        this.results.boards.traces = /** @type {{ traces?: (Trace | null)[] }} */ (context).traces ?? [];
        this.begin();
      },
      frame: (/** @type {RaceFrame} */ frame) => {
        this.frame = frame;
        this.begin();
      },
      lost: () => {
        this.finish();
        this.say(notice("wrong", "Connection lost.", "The race has ended, or hippo serve has stopped."));
      },
    });
  }

  /** Begins the show, once there is something to show. */
  begin() {
    this.begun ??= performance.now();
    this.redraw();
  }

  /** Stops, and shows the results so far. */
  end() {
    this.starter.cancel();
    this.job?.end();
    this.finishShow(true);
    this.say(notice("plain", "Stopped.", this.frame ? "The results so far are shown." : ""));
  }

  /**
   * @param {import("./api.js").State} state
   */
  showState(state) {
    if (state.state === "waiting") {
      this.say(notice("loading", "Waiting for its turn…", `${counted(state.running ?? 0, "search is", "searches are")} running.`));
    } else if (state.state === "running") {
      const { ground } = this.raced ?? setup;
      if (this.consent.isExceeded(ground, state)) {
        this.job?.end();
        this.raced = null;
        this.ask(ground, state.bytes ?? 0);
      } else {
        this.say(tableNotice(state) ?? notice("loading", "Running…"));
      }
    } else if (state.state === "failed") {
      this.raced = null;
      this.say(notice("wrong", "The race failed.", plain(state.reason ?? "")));
    } else {
      this.seconds = state.seconds ?? 0;
      this.finish();
    }
    this.redraw();
  }

  /** Takes note that all results are there. The show may go on. */
  finish() {
    this.isDone = true;
    if (prefersReducedMotion() || this.begun === null) {
      this.finishShow();
    } else if (!this.isOver) {
      const message = notice("plain", `Raced in ${duration(this.seconds ?? 0)}.`, `Shown in slow motion, all methods under one clock. ${this.frame ? this.results.shown(this.frame) : ""}`);
      message.append(this.skip);
      this.say(message);
    }
    this.redraw();
  }

  /**
   * Ends the show: everything is drawn as far as it is known.
   * @param {boolean} [done] whether no more results will come
   */
  finishShow(done = this.isDone) {
    this.isDone = done;
    this.begun = -Infinity;
    this.draw();
  }

  /** Shows the race again from its start. */
  showAgain() {
    this.isOver = false;
    this.begun = performance.now();
    this.finish();
  }

  /** The message after a race. */
  ended() {
    if (!this.raced || !this.frame) return null;
    let request = "";
    try {
      request = JSON.stringify({ ...this.setup.request(), ground: groundJson() });
    } catch {
      // An invalid field differs from what was raced.
    }
    const other = request !== this.raced.request;
    const runs = this.frame.standings.reduce((sum, { done }) => sum + done, 0);
    const message = other ? notice("plain", "The settings have changed.", `The race shown is for ${shortGroundName(this.raced.ground)}; ▶ starts another.`)
      : notice("plain", "The race is over:", `${counted(runs, "run")} in ${duration(this.seconds ?? 0)}.`);
    if (!prefersReducedMotion()) message.append(this.again);
    return message;
  }

  /** Repaints, because the colours have changed. */
  repaint() {
    this.setup.show();
    this.results.boards.forget();
    this.draw();
  }

  /**
   * Shows one of the buttons that start and stop. The focus moves from one to the other.
   * @param {boolean} running
   */
  showButtons(running) {
    const focused = document.activeElement === (running ? this.start : this.stop);
    this.stop.hidden = !running;
    this.start.hidden = running;
    this.results.boards.allowRemoval(!running && this.setup.isRemovable());
    if (focused) (running ? this.stop : this.start).focus();
  }

  /** How much of the show has passed, from 0 to 1. */
  share() {
    if (this.begun === null) return 0;
    return prefersReducedMotion() ? 1 : Math.min(1, (performance.now() - this.begun) / SHOW);
  }

  draw() {
    if (document.body.dataset.tab !== "race") return;
    const { frame, raced } = this;
    const share = this.share();
    const running = this.job !== null && !this.job.over;
    if (frame && this.isDone && share === 1 && !this.isOver) {
      this.isOver = true;
      this.say(this.ended());
      announce(raced ? verdict(frame, this.solvers, raced.budget) : "");
    }
    this.showButtons(running);
    this.results.fit(get("race-messages", HTMLElement).offsetHeight);
    if (!frame || !raced) {
      this.results.drawEmpty(this.setup.budget());
      return;
    }
    this.results.draw(frame, raced.budget, { share, isDone: this.isDone, isOver: this.isOver });
    if (share < 1 && this.begun !== null) {
      // The show runs at a bounded rate, and rests while another tab is shown.
      const wait = Math.max(0, PICTURE - (performance.now() - this.drawnAt));
      clearTimeout(this.timer);
      this.timer = window.setTimeout(this.redraw, wait);
    }
    this.drawnAt = performance.now();
  }
}
