// The Watch tab: its form, its job, and the view of the search.

import { tableProgress } from "./table_progress.js";
import { Job, RequestError, Starter } from "./api.js";
import { el, get, notice, oncePerFrame, announce, prefersReducedMotion } from "./dom.js";
import { showImpossible } from "./facts.js";
import { MethodForm, seedOf } from "./form.js";
import { refreshJobList } from "./job_list.js";
import { History } from "./history.js";
import { copy, updateAddress, linkTo, readNumber, registerParts } from "./link.js";
import { duration, grouped } from "./numbers.js";
import { parseMethod, parseSeed } from "./parse.js";
import { Player } from "./player.js";
import { Scene } from "./scene.js";
import { groundFrom, groundJson, groundName, hasSameSquares, isSameGround, setup } from "./setup.js";
import { openTour, tags } from "./tourview.js";

/** Texts of the final statuses. */
const ENDS = /** @type {Record<string, string>} */ ({
  complete: "Search complete",
  exhausted: "Search space exhausted",
  limit: "Budget reached",
  interrupted: "Stopped",
  full: "Memory full",
  displaced: "Stopped: too many paused searches",
});

/** The Watch tab. */
export class Watch {
  /**
   * @param {import("./api.js").Registry} registry
   * @param {import("./board.js").BoardView} board
   */
  constructor({ solvers, presets }, board) {
    this.solvers = solvers;
    this.history = new History();
    this.index = -1;
    /** Whether the latest state is shown. */
    this.live = true;
    /** @type {Job | null} */
    this.job = null;
    /** The board of the search; the form may show another by now. */
    this.ground = setup.ground;
    /** The last message about a changed board. */
    this.boardChanged = "";
    /** The number of the tour that was announced last. */
    this.announced = 0;
    /** Whether the page says that the search is paused for reduced motion. */
    this.still = false;
    this.form = new MethodForm(solvers, parseMethod(presets.watch), () => this.moved());
    /** The name of the search's rounds. @type {string | null} */
    this.rounds = null;
    this.seed = el("input", { type: "number", min: "0", max: "9007199254740991", value: "1", onchange: () => this.moved() });
    this.pauseAtTours = el("input", { type: "checkbox", checked: true, onchange: () => void this.job?.changePace({ rest: this.pauseAtTours.checked }) });
    this.numbers = el("input", { type: "checkbox", onchange: () => this.redraw() });
    this.memory = el("input", { type: "checkbox", checked: true, onchange: () => this.redraw() });
    this.pin = el("input", { type: "checkbox", onchange: () => this.pinned() });
    this.scene = new Scene(board.canvas);
    this.message = el("div", {});
    this.redraw = oncePerFrame(() => this.draw());
    this.player = new Player(get("player", HTMLDivElement), {
      start: () => this.start(),
      stop: () => this.stop(),
      pause: (paused) => this.pause(paused),
      step: () => this.step(),
      back: () => this.goTo(this.index - 1),
      speed: (speed) => void this.job?.changePace({ speed }),
      scrub: (index) => this.goTo(index),
    });
    this.starter = new Starter([this.player.start]);
    this.build();
    registerParts("watch", () => this.parts());
  }

  build() {
    const link = el("button", { type: "button", className: "quiet" }, "Copy link");
    link.addEventListener("click", () => copy(link, linkTo("watch")));
    get("watch", HTMLElement).append(
      el("div", { className: "card" },
        el("h2", {}, "Method"),
        el("div", { className: "row" }, el("label", {}, "Solver ", this.form.select), el("label", {}, "Seed ", this.seed), link),
        this.form.about, this.form.more,
        el("div", { className: "row" },
          el("label", { className: "tick" }, this.pauseAtTours, "Pause at each tour"),
          el("label", { className: "tick" }, this.numbers, "Numbers"),
          el("label", { className: "tick" }, this.memory, "Show the method's memory"),
          el("label", { className: "tick", title: "Continues when this page is closed" }, this.pin, "Keep running in the background"))),
      el("div", { className: "card" }, el("h2", {}, "What is counted"), this.message, this.scene.counters, this.scene.insight),
    );
    this.scene.count(null, null);
    this.message.append(notice("plain", "Nothing runs yet.", "Choose a method and press Watch."));
  }

  /** Pins or unpins the search. The address of a pinned search has its id. */
  pinned() {
    void this.job?.changePace({ pin: this.pin.checked });
    this.moved();
  }

  /** Pauses the search when another tab is shown, unless it runs in the background. */
  leave() {
    if (this.player.mode === "running" && !this.pin.checked) this.pause(true);
  }

  /** Updates the address when the setup has changed. */
  moved() {
    updateAddress("watch");
  }

  /** Returns the parameters of this tab in the address. */
  parts() {
    const { solver, params } = this.form.method();
    /** @type {Record<string, string>} */
    const parts = { solver, seed: this.seed.value };
    for (const [name, value] of Object.entries(params)) parts[`p.${name}`] = value;
    if (this.pin.checked && this.job && !this.job.over) parts.job = this.job.id;
    return parts;
  }

  /**
   * @param {URLSearchParams} query
   * @returns {string[]} messages about invalid parameters
   */
  read(query) {
    /** @type {Record<string, string>} */
    const params = {};
    for (const [name, value] of query) if (name.startsWith("p.")) params[name.slice(2)] = value;
    const solver = query.get("solver") ?? (Object.keys(params).length ? this.form.solver.name : null);
    const remarks = solver ? this.form.set({ solver, params }) : [];
    remarks.push(...readNumber(query, "seed", this.seed, parseSeed));
    const job = query.get("job");
    if (job === null || job === this.job?.id) return remarks;
    if (!/^[0-9a-f]{32}$/.test(job)) return [...remarks, "The link has an invalid search id; press Watch to start a search."];
    // A pinned search continues without this page.
    if (this.pin.checked) this.job?.leave();
    this.clear();
    this.pin.checked = true;
    this.listen(job, false);
    return remarks;
  }

  /** Removes the previous search. */
  clear() {
    this.starter.cancel();
    this.job?.end();
    this.job = null;
    this.announced = 0;
    this.still = false;
    get("found", HTMLDivElement).hidden = true;
    this.history = new History();
    this.scene.clear();
    this.index = -1;
    this.live = true;
    this.ground = setup.ground;
    this.showMessage(null);
  }

  async start() {
    this.clear();
    showImpossible(null);
    if (!setup.isPainted()) {
      this.showMessage(notice("wrong", "This board is too large to watch.", "Choose sides up to 60, or find a tour as an image."));
      return;
    }
    this.player.setMode("waiting", "Starting…");
    const still = prefersReducedMotion();
    try {
      const answer = await this.starter.submit({
        kind: "watch",
        ground: groundJson(),
        method: this.form.method(),
        seed: seedOf(this.seed),
        speed: this.player.perSecond(),
        paused: still,
        rest_at_tours: this.pauseAtTours.checked,
        pinned: this.pin.checked,
      });
      if (answer === null) return;
      if (answer.impossible) {
        this.player.setMode("idle");
        showImpossible(answer.impossible);
        this.showMessage(notice("impossible", "No such tour exists.", `${answer.impossible.reason} (${answer.impossible.theorem}).`));
      } else if (answer.id) {
        this.listen(answer.id, true);
        this.moved();
        this.still = still;
        if (still) this.showMessage(notice("plain", "Reduced motion: the search is paused.", "Press Step or Play."));
      }
    } catch (error) {
      this.player.setMode("idle");
      const busy = error instanceof RequestError && error.status === 429;
      if (busy) void refreshJobList();
      this.showMessage(notice("wrong", busy ? "The machine is busy." : "The search was not started.", error instanceof Error ? error.message : ""));
    }
    this.redraw();
  }

  /**
   * @param {string} id
   * @param {boolean} own whether this page started it
   */
  listen(id, own) {
    const job = new Job(id, {
      state: (state) => this.showState(state),
      about: (about) => {
        this.ground = groundFrom(about.ground);
        const { solver } = parseMethod(about.methods[0] ?? "");
        this.rounds = this.solvers.find((known) => known.name === solver)?.rounds ?? null;
        this.pin.checked = about.pinned;
        this.moved();
        this.redraw();
      },
      context: (context) => this.history.learn(context),
      frame: (/** @type {import("./api.js").Frame} */ frame) => {
        this.history.add(frame);
        if (this.live) this.index = this.history.length - 1;
        this.redraw();
      },
      tour: (tour) => this.found(tour),
      lost: () => {
        this.player.setMode("done", "Connection lost");
        this.showMessage(notice("wrong", "Connection lost.", "The search has ended, or 'hippo serve' has stopped."));
      },
    }, own);
    this.job = job;
  }

  /**
   * @param {import("./api.js").State} state
   */
  showState(state) {
    if (state.state === "waiting") {
      this.player.setMode("waiting", `Waiting for its turn: ${state.running} running, ${state.ahead} ahead`);
    } else if (state.state === "running" && tableProgress(state.doing)) {
      this.player.setMode("waiting", tableProgress(state.doing)?.join(" "));
    } else if (state.state === "running") {
      this.player.setMode(state.paused ? "paused" : "running");
      if (this.still && state.paused === false) {
        this.still = false;
        this.showMessage(null);
      }
    } else if (state.state === "failed") {
      this.player.setMode("done", "Failed");
      this.showMessage(notice("wrong", "The solver does not support this problem.", state.reason ?? ""));
    } else {
      const end = ENDS[state.status ?? ""] ?? "Done";
      this.player.setMode("done", `${end}${state.seconds ? `, ${duration(state.seconds)}` : ""}`);
      if (state.status === "complete" && state.distinct === 0 && isSameGround(this.ground, setup.ground)) {
        showImpossible({ theorem: "complete search", reason: "the complete search found no such tour" });
      }
      announce(end);
    }
    this.redraw();
  }

  stop() {
    this.starter.cancel();
    this.job?.end();
    this.player.setMode("done", "Stopped");
  }

  /**
   * @param {boolean} paused
   */
  pause(paused) {
    this.live = true;
    this.index = this.history.length - 1;
    this.player.setMode(paused ? "paused" : "running");
    this.job?.changePace({ pause: paused });
    this.redraw();
  }

  /** Goes one step forward: in the history if there is a later state, otherwise in the search. */
  step() {
    if (this.index < this.history.length - 1) {
      this.goTo(this.index + 1);
      return;
    }
    if (this.player.mode === "done") return;
    this.live = true;
    this.job?.changePace({ step: 1 });
  }

  /**
   * Shows an earlier state and pauses the search.
   * @param {number} index
   */
  goTo(index) {
    this.index = Math.max(0, Math.min(this.history.length - 1, index));
    this.live = this.index === this.history.length - 1;
    if (this.player.mode === "running") this.job?.changePace({ pause: true });
    this.redraw();
  }

  /**
   * @param {import("./api.js").Tour} tour
   */
  found(tour) {
    // A reopened stream repeats the last tour.
    if (tour.number === this.announced) return;
    this.announced = tour.number ?? 0;
    const place = get("found", HTMLDivElement);
    place.hidden = false;
    const { ground } = this;
    const open = el("button", { type: "button", onclick: () => openTour(tour, ground) }, "View and export");
    const label = `Tour ${grouped(tour.number ?? 1)}`;
    place.replaceChildren(el("div", { className: "row" }, el("strong", {}, label), tags(tour)), el("div", { className: "row" }, open));
    announce(`${label} found`);
  }

  /**
   * @param {Node | null} node
   */
  showMessage(node) {
    this.message.replaceChildren(...(node ? [node] : []));
  }

  /** Shows a message when the search is for another board than the one on the page. */
  showBoardChanged() {
    const place = get("board-changed", HTMLDivElement);
    const { ground } = this;
    const any = this.history.length > 0 || (this.job !== null && !this.job.over);
    const other = any && !isSameGround(ground, setup.ground);
    const is = this.job !== null && !this.job.over ? "is" : "was";
    const drawn = hasSameSquares(ground, setup.ground) ? "" : " It is not drawn on this board.";
    const text = other ? `The search ${is} for ${groundName(ground)}.${drawn} 'Start anew' searches the board shown.` : "";
    if (text === this.boardChanged) return;
    this.boardChanged = text;
    place.hidden = text === "";
    const back = el("button", { type: "button", onclick: () => setup.change({ ...ground }) }, "Back to its board");
    const message = notice("plain", "The board has changed.", text);
    message.append(el("div", { className: "row" }, back));
    place.replaceChildren(...(other ? [message] : []));
  }

  /**
   * Shows what the search has just done. Screen readers hear it only while the search rests.
   * @param {string} text
   */
  narrate(text) {
    const line = get("narration", HTMLParagraphElement);
    line.setAttribute("aria-live", this.player.mode === "running" ? "off" : "polite");
    if (line.textContent !== text) line.textContent = text;
  }

  draw() {
    const seen = this.history.at(this.index);
    this.showBoardChanged();
    this.player.setPlace(this.index, this.history.length, seen?.frame.n ?? 0);
    this.narrate(seen?.frame.text ?? "");
    this.scene.count(seen, this.rounds);
    this.scene.draw(seen, this.ground, setup.ground, { memory: this.memory.checked, numbers: this.numbers.checked });
  }
}
