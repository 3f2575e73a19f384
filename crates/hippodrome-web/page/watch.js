// The Watch tab: the search that runs, its history and its replay. What is drawn without a search is in still.js.

import { Job, RequestError, Starter } from "./api.js";
import { announce, el, get, notice, oncePerFrame, prefersReducedMotion } from "./dom.js";
import { findTour, showImpossible } from "./facts.js";
import { formatMethod, MethodForm, seedOf } from "./form.js";
import { refreshJobList } from "./job_list.js";
import { linkTo, copy, registerParts, updateAddress } from "./link.js";
import { say } from "./messages.js";
import { endName, sayFound, sayNoTour, sayTours, tourSentence, walkSentence } from "./outcome.js";
import { Panel } from "./panel.js";
import { parseMethod } from "./parse.js";
import { Player, SPEED_COUNT } from "./player.js";
import { Reel } from "./reel.js";
import { Scene } from "./scene.js";
import { groundFrom, groundJson, hasSameSquares, isSameGround, setup, shortGroundName } from "./setup.js";
import { Still } from "./still.js";
import { tableNotice } from "./table_progress.js";
import { TableConsent, tableBytes, UNIFORM, WITHOUT_TABLE } from "./table_size.js";
import { openTour } from "./tourview.js";
import { rememberJob, WatchLink } from "./watch_link.js";

/**
 * @typedef {import("./setup.js").Ground} Ground
 * @typedef {import("./api.js").Method} Method
 * @typedef {{ ground: Ground, method: Method, seed: number }} Running
 */

/** The Watch tab. */
export class Watch {
  /**
   * @param {import("./api.js").Registry} registry
   * @param {import("./board.js").BoardView} board
   * @param {{ drawer: (open?: boolean) => void, brush: () => void, present: (on?: boolean) => void, stories: () => void, place: () => void }} shell
   */
  constructor({ solvers, presets }, board, shell) {
    this.solvers = solvers;
    this.board = board;
    this.reel = new Reel();
    /** @type {Job | null} */
    this.job = null;
    /** What the history is about. @type {Running | null} */
    this.running = null;
    /** Whether a tour paused the search. */
    this.isFound = false;
    /** The last tour found, and its board. @type {{ tour: import("./api.js").Tour, ground: Ground } | null} */
    this.tour = null;
    this.consent = new TableConsent();
    /** The state that was drawn last, and since when. @type {import("./history.js").HistoryEntry | null} */
    this.seen = null;
    this.seenAt = 0;
    /** The id of the job whose views are in use. */
    this.shownJob = "";
    /** The settings that were last offered. */
    this.offered = "";
    /** Whether the search runs on when the history is left. */
    this.resume = false;
    this.form = new MethodForm(solvers, parseMethod(presets.watch), () => this.moved(true));
    this.seed = el("input", { type: "number", min: "0", max: "9007199254740991", value: "1", onchange: () => this.moved(true) });
    this.pauseAtTours = el("input", { type: "checkbox", checked: true, onchange: () => void this.job?.changePace({ rest: this.pauseAtTours.checked }) });
    this.memory = el("input", { type: "checkbox", checked: true, onchange: () => this.redraw() });
    this.pin = el("input", { type: "checkbox", onchange: () => this.pinned() });
    this.numbers = false;
    this.redraw = oncePerFrame(() => this.draw());
    this.panel = new Panel({
      change: () => shell.drawer(),
      undo: () => void setup.undo(),
      brush: shell.brush,
      numbers: () => this.showNumbers(!this.numbers),
      link: (button) => void copy(button, linkTo("watch")),
      present: () => shell.present(),
      stories: shell.stories,
      think: () => this.think(),
      place: shell.place,
    });
    this.scene = new Scene(board.canvas, this.panel.figure, this.panel.legend);
    this.still = new Still(board.canvas, () => this.redraw());
    this.player = new Player(get("player", HTMLDivElement), {
      play: () => this.play(),
      stop: () => this.stop(),
      step: () => this.step(),
      back: () => this.goTo(this.reel.index - 1),
      live: () => this.goLive(),
      speed: (speed) => {
        void this.job?.changePace({ speed });
        if (this.reel.isReplaying()) this.replay();
        this.moved();
      },
      scrub: (index) => this.goTo(index),
    });
    this.starter = new Starter([this.player.play]);
    this.build();
    this.link = new WatchLink(this);
    registerParts("watch", () => this.link.parts());
  }

  build() {
    get("watch-settings", HTMLElement).append(
      el("h3", {}, "Method"),
      el("div", { className: "row" }, el("label", {}, "Method ", this.form.select), el("label", {}, "Seed ", this.seed)),
      this.form.about, this.form.more,
      el("div", { className: "row" },
        el("label", { className: "tick" }, this.pauseAtTours, "Pause at each tour"),
        el("label", { className: "tick" }, this.memory, "Show the method's memory"),
        el("label", { className: "tick", title: "Continues when this page is closed" }, this.pin, "Keep running in the background")));
  }

  /** Returns the solver of the search, or the one chosen in the form. */
  get solver() {
    const name = this.running?.method.solver ?? this.form.solver.name;
    return this.solvers.find((known) => known.name === name) ?? this.form.solver;
  }

  /** Pins or unpins the search. The address of a pinned search has its id. */
  pinned() {
    void this.job?.changePace({ pin: this.pin.checked });
    this.moved();
  }

  /** Pauses the search when another tab is shown, unless it runs in the background. */
  leave() {
    this.reel.stop();
    if (this.player.mode === "running" && !this.pin.checked) this.pause(true);
  }

  /**
   * Updates the address, and what names the setup.
   * @param {boolean} [entry] whether the browser's Back returns to the address before
   */
  moved(entry = false) {
    updateAddress("watch", entry);
    this.redraw();
  }

  /** Removes the previous search, or the tour shown without one. */
  clear() {
    this.starter.cancel();
    this.reel.clear();
    this.job?.end();
    this.job = null;
    this.running = null;
    this.tour = null;
    this.isFound = false;
    this.resume = false;
    this.still.clear();
    this.scene.use(null);
    rememberJob(null);
    for (const matter of /** @type {const} */ (["found", "changed", "wait", "wrong", "hint"])) say(matter, null);
  }

  /** Lets the method of the settings think; Warnsdorff's rule slowly. */
  think() {
    if (!this.form.solver.events.includes("choice")) {
      void this.start();
      return;
    }
    this.form.set({ solver: this.solvers.find(({ events }) => events.includes("choice"))?.name ?? this.solver.name, params: {} });
    this.player.setSpeed(3);
    void this.start();
  }

  /**
   * Starts a search with the settings.
   * @param {{ step?: number }} [options] the step at which it pauses
   */
  async start({ step } = {}) {
    this.clear();
    showImpossible(null);
    if (!setup.isPainted()) {
      void findTour();
      return;
    }
    if (this.asksForTable()) return;
    this.player.setMode("waiting", "Starting…");
    // A step by request is not motion.
    const still = prefersReducedMotion() && step === undefined;
    try {
      const running = { ground: setup.ground, method: this.form.method(), seed: seedOf(this.seed) };
      const answer = await this.starter.submit({
        kind: "watch",
        ground: groundJson(),
        method: running.method,
        seed: running.seed,
        speed: this.player.perSecond(),
        paused: still,
        step: step ?? null,
        rest_at_tours: this.pauseAtTours.checked,
        pinned: this.pin.checked,
      });
      if (answer === null) return;
      if (answer.impossible) {
        this.player.setMode("idle");
        showImpossible(answer.impossible);
        announce(`No such tour exists: ${answer.impossible.reason}`);
      } else if (answer.id) {
        this.running = running;
        this.listen(answer.id);
        if (still) say("hint", notice("plain", "Reduced motion: the search is paused.", "Press Step or Play."));
      }
    } catch (error) {
      this.player.setMode("idle");
      const busy = error instanceof RequestError && error.status === 429;
      if (busy) void refreshJobList();
      say("wrong", notice("wrong", busy ? "The machine is busy." : "The search was not started.", error instanceof Error ? error.message : ""));
    }
    this.moved();
  }

  /**
   * Asks before a large table is built. Returns whether it asks.
   * @param {number} [bytes] its size, if it became known while it was built
   */
  asksForTable(bytes) {
    const { ground } = setup;
    if (bytes === undefined && (this.form.solver.name !== UNIFORM || !this.consent.isMissing(ground))) return false;
    say("wait", this.consent.ask(ground, bytes ?? tableBytes(ground) ?? 0, {
      build: () => void this.start(),
      other: () => {
        this.form.set({ solver: WITHOUT_TABLE, params: {} });
        void this.start();
      },
      name: "Use a Markov chain instead",
    }));
    this.player.setMode("idle");
    return true;
  }

  /**
   * @param {string} id
   */
  listen(id) {
    const job = new Job(id, {
      state: (state) => this.showState(state),
      about: (about) => {
        const isNew = this.shownJob !== id;
        this.shownJob = id;
        this.running = { ground: groundFrom(about.ground), method: parseMethod(about.methods[0] ?? ""), seed: about.seed };
        this.pin.checked = about.pinned;
        // The message comes again when the search is pinned or the stream reopened.
        if (isNew) this.scene.use(this.solver);
        this.moved();
      },
      context: (context) => this.reel.history.learn(context),
      frame: (/** @type {import("./api.js").Frame} */ frame) => {
        this.scene.learn(frame);
        this.reel.add(frame);
        this.redraw();
      },
      tour: (tour) => {
        if (this.running) this.tour = { tour, ground: this.running.ground };
        this.redraw();
      },
      lost: () => {
        this.player.setMode("done", "Connection lost");
        say("wrong", notice("wrong", "This search has ended.", "The server does not know it any more; ▶ starts it again."));
      },
    });
    this.job = job;
    rememberJob(id);
  }

  /** Whether the state shown is a finished tour. */
  isTourShown() {
    const seen = this.reel.seen;
    return this.tour !== null && seen !== null && this.running !== null && seen.path.length === this.whole() && (this.isFound || this.player.mode === "done");
  }

  whole() {
    const { rows, cols, holes } = this.running?.ground ?? setup.ground;
    return rows * cols - holes.size;
  }

  /**
   * @param {import("./api.js").State} state
   */
  showState(state) {
    const table = tableNotice(state);
    say("wait", table);
    if (table && this.running && this.consent.isExceeded(this.running.ground, state)) {
      this.stop();
      this.asksForTable(state.bytes ?? 0);
      return;
    }
    this.isFound = state.found === true;
    if (!this.isFound) say("found", null);
    if (state.state === "waiting") {
      this.player.setMode("waiting", `Waiting for its turn: ${state.running} running, ${state.ahead} ahead`);
    } else if (state.state === "running" && table) {
      this.player.setMode("waiting", "Preparing");
    } else if (state.state === "running") {
      this.player.setMode(state.paused ? "paused" : "running", this.isFound ? "Tour found" : "");
      if (state.paused === false) say("hint", null);
      if (this.isFound) this.sayFound();
    } else if (state.state === "failed") {
      this.player.setMode("done", "Not supported");
      say("wrong", notice("wrong", `${this.solver.title} does not support this problem.`, state.reason ?? ""));
    } else {
      rememberJob(null);
      this.player.setMode("done", endName(state));
      this.sayEnd(state);
      announce(endName(state));
    }
    this.moved();
  }

  /**
   * Says what the search has found when it has ended.
   * @param {import("./api.js").State} state
   */
  sayEnd(state) {
    const none = state.status === "complete" && state.distinct === 0;
    if (none && this.running && isSameGround(this.running.ground, setup.ground)) {
      showImpossible({ theorem: "complete search", reason: "The complete search found no such tour" });
    } else if ((state.tours ?? 0) > 1) {
      sayTours(state);
    } else if (this.tour && this.reel.latest?.path.length === this.whole()) {
      this.sayFound();
    } else {
      sayNoTour(state);
    }
  }

  sayFound() {
    const { latest } = this.reel;
    if (latest && this.tour) sayFound(this.tour, latest.frame, this.hasDeadEnds());
  }

  hasDeadEnds() {
    return this.solver.events.includes("dead-end");
  }

  /** Shows a finished tour large. Returns whether there is one. */
  enlarge() {
    const shown = this.still.finished() ?? (this.isTourShown() && this.isShown() ? this.tour : null);
    if (!shown || !isSameGround({ ...shown.ground, start: null, end: null, closed: false }, { ...setup.ground, start: null, end: null, closed: false })) return false;
    openTour(shown.tour, shown.ground);
    return true;
  }

  stop() {
    this.reel.stop();
    this.starter.cancel();
    this.job?.end();
    rememberJob(null);
    say("wait", null);
    this.player.setMode(this.reel.length ? "done" : "idle", this.reel.length ? "Stopped" : "");
    this.moved();
  }

  /** Starts, pauses, goes on, or replays from an earlier state. */
  play() {
    if (this.player.mode !== "running" && this.differs()) {
      void this.start();
    } else if (this.reel.isReplaying()) {
      this.reel.stop();
      this.resume = false;
    } else if (this.reel.index < this.reel.length - 1) {
      this.replay();
    } else if (this.player.mode === "running") {
      this.pause(true);
    } else if (this.player.mode === "paused") {
      this.pause(false);
    } else if (this.player.mode !== "waiting") {
      void this.start();
    }
    this.redraw();
  }

  /**
   * @param {boolean} paused
   */
  pause(paused) {
    this.player.setMode(paused ? "paused" : "running");
    if (!paused) say("found", null);
    void this.job?.changePace({ pause: paused });
    this.moved();
  }

  /** Goes one step forward: in the history if there is a later state, otherwise in the search. */
  step() {
    if (this.reel.index < this.reel.length - 1) {
      this.goTo(this.reel.index + 1);
    } else if (this.job && !this.job.over) {
      say("found", null);
      void this.job.changePace({ step: 1 });
    } else {
      void this.start({ step: 1 });
    }
  }

  /**
   * Shows an earlier state and pauses the search.
   * @param {number} index
   */
  goTo(index) {
    if (this.reel.length === 0) return;
    this.reel.goTo(index);
    if (this.player.mode === "running") {
      this.resume = true;
      void this.job?.changePace({ pause: true });
    }
    this.moved();
  }

  /** Shows the latest state; the search runs on if looking back paused it. */
  goLive() {
    this.reel.goLive();
    if (this.resume && this.player.mode === "paused") this.pause(false);
    this.resume = false;
    this.moved();
  }

  /** Plays the history from the state shown, and then the search. */
  replay() {
    this.reel.replay(this.player.perSecond() ?? 3000, () => this.redraw(), () => this.goLive());
    this.redraw();
  }

  /**
   * @param {boolean} on
   * @param {boolean} [moved]
   */
  showNumbers(on, moved = true) {
    this.numbers = on;
    this.panel.numbers.setAttribute("aria-pressed", String(on));
    if (moved) this.moved();
  }

  /** Whether the settings are for another search than the one that runs or ran. */
  differs() {
    if (!this.running) return false;
    const { ground, method, seed } = this.running;
    return !isSameGround(ground, setup.ground) || formatMethod(method) !== formatMethod(this.form.method()) || String(seed) !== this.seed.value;
  }

  /** Whether the search is shown: one that rests gives way to another board. */
  isShown() {
    if (!this.running) return false;
    return this.player.mode === "running" || this.player.mode === "waiting" || hasSameSquares(this.running.ground, setup.ground);
  }

  /** Offers to switch when the settings are for another search than the one shown. */
  offerSwitch() {
    if (!this.running || !this.differs()) {
      say("changed", null);
      this.offered = "";
      return;
    }
    say("found", null);
    const { ground, method, seed } = this.running;
    const next = `${this.form.solver.title}, ${shortGroundName(setup.ground)}, seed ${this.seed.value}`;
    const runs = this.player.mode === "running";
    const text = runs ? `${next}.` : `▶ starts ${next}.`;
    if (this.offered === text) return;
    this.offered = text;
    const message = notice("plain", "The settings have changed:", text);
    const keep = () => {
      this.form.set(method);
      this.seed.value = String(seed);
      setup.change({ ...ground });
      this.moved();
    };
    message.append(el("div", { className: "row" },
      el("button", { type: "button", className: "main", onclick: () => void this.start() }, "Switch"),
      el("button", { type: "button", title: "Go back to the settings of the search shown", onclick: keep }, "Keep")));
    say("changed", message);
  }

  /**
   * Chooses a speed by its number on the keyboard, from 1.
   * @param {number} digit
   */
  chooseSpeed(digit) {
    if (digit < 1 || digit > SPEED_COUNT) return;
    this.player.speed.value = String(digit - 1);
    this.player.speed.dispatchEvent(new Event("input"));
  }

  draw() {
    const { panel, player } = this;
    this.offerSwitch();
    const running = this.isShown() ? this.running : null;
    const { seen, before } = running ? this.reel : { seen: null, before: null };
    const ground = running?.ground ?? setup.ground;
    player.setPlaying(player.mode === "running" || this.reel.isReplaying());
    player.setPlace(this.reel.index, this.reel.length, this.reel.seen?.frame.n ?? 0);
    const still = this.still.shownTour();
    const inStory = document.body.classList.contains("story");
    if (inStory) panel.name("Stories", running ? `${this.solver.title}, ${shortGroundName(ground)}` : shortGroundName(ground));
    else if (running) panel.name(this.solver.title, `${shortGroundName(ground)}, seed ${running.seed}`, this.solver.summary);
    else if (still) panel.name(this.still.title(), `${this.form.solver.title} · ${shortGroundName(setup.ground)}`, `▶ starts ${this.form.solver.title}.`);
    else panel.name(this.form.solver.title, shortGroundName(setup.ground), this.form.solver.summary);
    panel.undo.disabled = setup.past.length === 0;
    panel.choices.hidden = this.running !== null || inStory;
    panel.suggest(this.form.solver, this.form.solver.events.includes("choice"));
    panel.count(seen, this.whole(), this.solver.rounds, this.hasDeadEnds(), seen && this.scene.progress(seen, before, ground));
    for (const place of [panel.counters, panel.figure, panel.legend, panel.more.parentElement]) place?.toggleAttribute("hidden", running === null);
    const resting = player.mode !== "running" && !this.reel.isReplaying();
    if (seen) panel.tell(this.tour && this.isTourShown() ? tourSentence(this.tour.tour) : seen.frame.text || walkSentence(seen, this.whole()), { resting, speed: player.perSecond() });
    else panel.tell(inStory ? "" : this.still.sentence(), { resting: true, speed: null });
    panel.narration.hidden = !running && inStory;
    if (!running) {
      this.still.draw(this.numbers);
      return;
    }
    this.scene.draw(seen, before, ground, setup.ground, { numbers: this.numbers, memory: this.memory.checked, phase: this.phase(seen, before) });
  }

  /**
   * Returns how far the picture of a state has moved, from 0 to 1, and draws again until it is 1.
   * @param {import("./history.js").HistoryEntry | null} seen
   * @param {import("./history.js").HistoryEntry | null} before
   */
  phase(seen, before) {
    const now = performance.now();
    if (seen !== this.seen) {
      this.seen = seen;
      this.seenAt = now;
    }
    const speed = this.player.perSecond();
    const length = this.scene.moving(seen, before);
    const still = prefersReducedMotion() || length === 0 || (this.player.mode === "running" && (speed === null || speed > 10));
    if (still) return 1;
    const phase = Math.min(1, (now - this.seenAt) / length);
    if (phase < 1) this.redraw();
    return phase;
  }
}
