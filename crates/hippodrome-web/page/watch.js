// Watch a method: the form, the job, and what is to be seen of it.

import { Job, Refused, submit } from "./api.js";
import { el, get, notice, onceAFrame, say, wantsStillness } from "./dom.js";
import { tellImpossible } from "./facts.js";
import { MethodForm } from "./form.js";
import { History } from "./history.js";
import { copy, keepAddress, linkTo, tells } from "./link.js";
import { grouped, lasting } from "./numbers.js";
import { Player } from "./player.js";
import { Scene } from "./scene.js";
import { groundJson, setup } from "./setup.js";
import { openTour, tags } from "./tourview.js";

/** How an end is told. */
const ENDS = /** @type {Record<string, string>} */ ({
  complete: "Everything was searched",
  exhausted: "The method has seen all it can see",
  limit: "The budget is spent",
  interrupted: "Stopped",
  full: "No room for more distinct tours",
});

/** The Watch tab. */
export class Watch {
  /**
   * @param {import("./api.js").Solver[]} solvers
   * @param {import("./board.js").BoardView} board
   */
  constructor(solvers, board) {
    this.history = new History();
    this.index = -1;
    /** Whether the latest state is shown. */
    this.live = true;
    /** @type {Job | null} */
    this.job = null;
    /** The board that the search is on; the form may be on another by now. */
    this.ground = setup.ground;
    this.form = new MethodForm(solvers, { solver: "warnsdorff", params: {} }, () => this.moved());
    this.seed = el("input", { type: "number", min: "0", max: "9007199254740991", value: "1", onchange: () => this.moved() });
    this.rest = el("input", { type: "checkbox", checked: true });
    this.numbers = el("input", { type: "checkbox", onchange: () => this.redraw() });
    this.trails = el("input", { type: "checkbox", checked: true, onchange: () => this.redraw() });
    this.pin = el("input", { type: "checkbox", onchange: () => this.pinned() });
    this.scene = new Scene(board.canvas);
    this.message = el("div", {});
    this.redraw = onceAFrame(() => this.draw());
    this.player = new Player(get("player", HTMLDivElement), {
      start: () => this.start(),
      stop: () => this.stop(),
      pause: (paused) => this.pause(paused),
      step: () => this.step(),
      back: () => this.goTo(this.index - 1),
      speed: (speed) => void this.job?.order({ speed }),
      scrub: (index) => this.goTo(index),
    });
    this.lay();
    tells("watch", () => this.parts());
  }

  lay() {
    const link = el("button", { type: "button", className: "quiet" }, "Copy link");
    link.addEventListener("click", () => copy(link, linkTo("watch")));
    get("watch", HTMLElement).append(
      el("div", { className: "card" },
        el("h2", {}, "Method"),
        el("div", { className: "row" }, el("label", {}, "Solver ", this.form.select), el("label", {}, "Seed ", this.seed), link),
        this.form.about, this.form.more,
        el("div", { className: "row" },
          el("label", { className: "tick" }, this.rest, "Rest at every tour"),
          el("label", { className: "tick" }, this.numbers, "Numbers"),
          el("label", { className: "tick" }, this.trails, "What it knows"),
          el("label", { className: "tick", title: "Goes on when this page is closed" }, this.pin, "Goes on unwatched"))),
      el("div", { className: "card" }, el("h2", {}, "What is counted"), this.message, this.scene.counters, this.scene.insight),
    );
    this.scene.count(null, "");
    this.message.append(notice("plain", "Nothing runs yet.", "Choose a method and press Watch."));
  }

  /** A search that goes on unwatched is found again by the address. */
  pinned() {
    void this.job?.order({ pin: this.pin.checked });
    this.moved();
  }

  /** Another part of the page is shown: the search rests, unless it is to go on unwatched. */
  leave() {
    if (this.player.mode === "running" && !this.pin.checked) this.pause(true);
  }

  /** The setup changed: the address follows. */
  moved() {
    keepAddress("watch");
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
   */
  read(query) {
    /** @type {Record<string, string>} */
    const params = {};
    for (const [name, value] of query) if (name.startsWith("p.")) params[name.slice(2)] = value;
    const solver = query.get("solver");
    if (solver) this.form.set({ solver, params });
    const seed = query.get("seed");
    if (seed && /^[0-9]{1,16}$/.test(seed)) this.seed.value = seed;
    const job = query.get("job");
    if (job && /^[0-9a-f]{32}$/.test(job) && job !== this.job?.id) {
      this.clear();
      this.pin.checked = true;
      this.listen(job);
    }
  }

  /** Forgets the search before. */
  clear() {
    this.job?.end();
    this.job = null;
    this.history = new History();
    this.scene.clear();
    this.index = -1;
    this.live = true;
    this.ground = setup.ground;
    this.tell(null);
  }

  async start() {
    this.clear();
    get("found", HTMLDivElement).hidden = true;
    tellImpossible(null);
    if (!setup.isPainted()) {
      this.tell(notice("wrong", "This board is too large to watch.", "Choose sides up to 60, or find a tour as an image."));
      return;
    }
    this.player.setMode("waiting", "Starting…");
    const still = wantsStillness();
    try {
      const answer = await submit({
        kind: "watch",
        ground: groundJson(),
        method: this.form.method(),
        seed: Number(this.seed.value) || 0,
        speed: this.player.perSecond(),
        paused: still,
        rest_at_tours: this.rest.checked,
      });
      if (answer.impossible) {
        this.player.setMode("idle");
        tellImpossible(answer.impossible);
        this.tell(notice("impossible", "There is nothing to search for.", `${answer.impossible.reason} (${answer.impossible.theorem}).`));
      } else if (answer.id) {
        const job = this.listen(answer.id);
        if (this.pin.checked) void job.order({ pin: true });
        this.moved();
        if (still) this.tell(notice("plain", "Reduced motion: the search waits for you.", "Step through it, or press Play."));
      }
    } catch (error) {
      this.player.setMode("idle");
      const busy = error instanceof Refused && error.status === 429;
      this.tell(notice("wrong", busy ? "The machine is busy." : "That does not work.", error instanceof Error ? error.message : ""));
    }
    this.redraw();
  }

  /**
   * @param {string} id
   */
  listen(id) {
    const job = new Job(id, {
      state: (state) => this.hear(state),
      context: (context) => this.history.learn(context),
      frame: (/** @type {import("./api.js").Frame} */ frame) => {
        this.history.add(frame);
        if (this.live) this.index = this.history.length - 1;
        this.redraw();
      },
      tour: (tour) => this.found(tour),
      lost: () => {
        this.player.setMode("done", "The connection was lost");
        this.tell(notice("wrong", "This search cannot be heard any more.", "It has ended long ago, or 'hippo serve' has."));
      },
    });
    this.job = job;
    return job;
  }

  /**
   * @param {import("./api.js").State} state
   */
  hear(state) {
    if (state.state === "waiting") {
      this.player.setMode("waiting", `Waiting for its turn: ${state.running} running, ${state.ahead} ahead`);
    } else if (state.state === "running") {
      this.player.setMode(state.paused ? "paused" : "running");
    } else if (state.state === "failed") {
      this.player.setMode("done", "Not possible");
      this.tell(notice("wrong", "This method does not serve here.", state.reason ?? ""));
    } else {
      const end = ENDS[state.status ?? ""] ?? "Done";
      this.player.setMode("done", `${end}${state.seconds ? `, ${lasting(state.seconds)}` : ""}`);
      if (state.status === "complete" && state.distinct === 0) {
        tellImpossible({ theorem: "complete search", reason: "the search has seen everything and there is no such tour" });
      }
      say(end);
    }
    this.redraw();
  }

  stop() {
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
    this.job?.order({ pause: paused });
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
    this.job?.order({ step: 1 });
  }

  /**
   * Shows an earlier state; the search rests meanwhile.
   * @param {number} index
   */
  goTo(index) {
    this.index = Math.max(0, Math.min(this.history.length - 1, index));
    this.live = this.index === this.history.length - 1;
    if (this.player.mode === "running") this.job?.order({ pause: true });
    this.redraw();
  }

  /**
   * @param {import("./api.js").Tour} tour
   */
  found(tour) {
    const place = get("found", HTMLDivElement);
    place.hidden = false;
    const open = el("button", { type: "button", onclick: () => openTour(tour) }, "Look at it, take it home");
    const label = `Tour ${grouped(tour.number ?? 1)}`;
    place.replaceChildren(el("div", { className: "row" }, el("strong", {}, label), tags(tour)), el("div", { className: "row" }, open));
    say(`${label} found`);
  }

  /**
   * @param {Node | null} node
   */
  tell(node) {
    this.message.replaceChildren(...(node ? [node] : []));
  }

  draw() {
    const seen = this.history.at(this.index);
    this.player.setPlace(this.index, this.history.length, seen?.frame.n ?? 0);
    this.scene.count(seen, this.form.solver.name);
    this.scene.draw(seen, this.ground, setup.ground, { knows: this.trails.checked, numbers: this.numbers.checked });
  }
}
