// Watch a method: the form, the job, and what is to be seen of it.

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

/** Names of the ways to end. */
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
    /** The board that the search is on; the form may be on another by now. */
    this.ground = setup.ground;
    /** What was said last of the two boards. */
    this.boardChanged = "";
    /** The number of the tour that was told last. */
    this.told = 0;
    /** Whether the visitor is told that the search waits for them. */
    this.still = false;
    this.form = new MethodForm(solvers, parseMethod(presets.watch), () => this.moved());
    /** What the rounds of the search are called. @type {string | null} */
    this.rounds = null;
    this.seed = el("input", { type: "number", min: "0", max: "9007199254740991", value: "1", onchange: () => this.moved() });
    this.rest = el("input", { type: "checkbox", checked: true, onchange: () => void this.job?.changePace({ rest: this.rest.checked }) });
    this.numbers = el("input", { type: "checkbox", onchange: () => this.redraw() });
    this.trails = el("input", { type: "checkbox", checked: true, onchange: () => this.redraw() });
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
          el("label", { className: "tick" }, this.rest, "Pause at each tour"),
          el("label", { className: "tick" }, this.numbers, "Numbers"),
          el("label", { className: "tick" }, this.trails, "Show the method's memory"),
          el("label", { className: "tick", title: "Continues when this page is closed" }, this.pin, "Keep running in the background"))),
      el("div", { className: "card" }, el("h2", {}, "What is counted"), this.message, this.scene.counters, this.scene.insight),
    );
    this.scene.count(null, null);
    this.message.append(notice("plain", "Nothing runs yet.", "Choose a method and press Watch."));
  }

  /** A search in the background is found again by its address. */
  pinned() {
    void this.job?.changePace({ pin: this.pin.checked });
    this.moved();
  }

  /** Another part of the page is shown: the search pauses, unless it runs in the background. */
  leave() {
    if (this.player.mode === "running" && !this.pin.checked) this.pause(true);
  }

  /** The setup changed: the address follows. */
  moved() {
    updateAddress("watch");
  }

  /** What the address says of this tab. */
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
   * @returns {string[]} sentences on what was not understood
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
    if (!/^[0-9a-f]{32}$/.test(job)) return [...remarks, "The search in the address is none; press Watch to begin one."];
    // What was watched before goes on, if it was to.
    if (this.pin.checked) this.job?.leave();
    this.clear();
    this.pin.checked = true;
    this.listen(job, false);
    return remarks;
  }

  /** Forgets the search before. */
  clear() {
    this.starter.cancel();
    this.job?.end();
    this.job = null;
    this.told = 0;
    this.still = false;
    get("found", HTMLDivElement).hidden = true;
    this.history = new History();
    this.scene.clear();
    this.index = -1;
    this.live = true;
    this.ground = setup.ground;
    this.tell(null);
  }

  async start() {
    this.clear();
    showImpossible(null);
    if (!setup.isPainted()) {
      this.tell(notice("wrong", "This board is too large to watch.", "Choose sides up to 60, or find a tour as an image."));
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
        rest_at_tours: this.rest.checked,
        pinned: this.pin.checked,
      });
      if (answer === null) return;
      if (answer.impossible) {
        this.player.setMode("idle");
        showImpossible(answer.impossible);
        this.tell(notice("impossible", "There is nothing to search for.", `${answer.impossible.reason} (${answer.impossible.theorem}).`));
      } else if (answer.id) {
        this.listen(answer.id, true);
        this.moved();
        this.still = still;
        if (still) this.tell(notice("plain", "Reduced motion: the search waits for you.", "Step through it, or press Play."));
      }
    } catch (error) {
      this.player.setMode("idle");
      const busy = error instanceof RequestError && error.status === 429;
      if (busy) void refreshJobList();
      this.tell(notice("wrong", busy ? "The machine is busy." : "The search was not started.", error instanceof Error ? error.message : ""));
    }
    this.redraw();
  }

  /**
   * @param {string} id
   * @param {boolean} own whether this page began it
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
        this.tell(notice("wrong", "Connection lost.", "The search has ended, or 'hippo serve' has stopped."));
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
        this.tell(null);
      }
    } else if (state.state === "failed") {
      this.player.setMode("done", "Failed");
      this.tell(notice("wrong", "The solver does not support this problem.", state.reason ?? ""));
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

  /** One step on: in what was seen, or else in the search. */
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
   * Shows an earlier state; the search is paused meanwhile.
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
    if (tour.number === this.told) return;
    this.told = tour.number ?? 0;
    const place = get("found", HTMLDivElement);
    place.hidden = false;
    const { ground } = this;
    const open = el("button", { type: "button", onclick: () => openTour(tour, ground) }, "Look at it, take it home");
    const label = `Tour ${grouped(tour.number ?? 1)}`;
    place.replaceChildren(el("div", { className: "row" }, el("strong", {}, label), tags(tour)), el("div", { className: "row" }, open));
    announce(`${label} found`);
  }

  /**
   * @param {Node | null} node
   */
  tell(node) {
    this.message.replaceChildren(...(node ? [node] : []));
  }

  /** Says so when the search is of another board than the one that is shown. */
  showBoardChanged() {
    const place = get("board-changed", HTMLDivElement);
    const { ground } = this;
    const any = this.history.length > 0 || (this.job !== null && !this.job.over);
    const other = any && !isSameGround(ground, setup.ground);
    const goes = this.job !== null && !this.job.over ? "goes on with" : "was for";
    const drawn = hasSameSquares(ground, setup.ground) ? "" : " It is not drawn on this one.";
    const text = other ? `The search ${goes} ${groundName(ground)}, as it was begun.${drawn} 'Start anew' searches what is shown.` : "";
    if (text === this.boardChanged) return;
    this.boardChanged = text;
    place.hidden = text === "";
    const back = el("button", { type: "button", onclick: () => setup.change({ ...ground }) }, "Back to its board");
    const said = notice("plain", "The board was changed.", text);
    said.append(el("div", { className: "row" }, back));
    place.replaceChildren(...(other ? [said] : []));
  }

  draw() {
    const seen = this.history.at(this.index);
    this.showBoardChanged();
    this.player.setPlace(this.index, this.history.length, seen?.frame.n ?? 0);
    this.scene.count(seen, this.rounds);
    this.scene.draw(seen, this.ground, setup.ground, { knows: this.trails.checked, numbers: this.numbers.checked });
  }
}
