// Requests with the page's token, and event streams of jobs.

/**
 * @typedef {{ theorem: string, reason: string }} Finding
 * @typedef {{ squares: number[], closed: boolean, symmetry: string, magic: string,
 *   turns: number | null, crossings: number | null, digits: string | null, number?: number }} Tour
 * @typedef {{ board: string, holes: string[], leaper: string, closed: boolean,
 *   start: string | null, end: string | null }} GroundJson
 * @typedef {{ solver: string, params: Record<string, string> }} Method
 * @typedef {{ word: string, help: string }} Word
 * @typedef {{ name: string, default: string, range: string, help: string,
 *   kind: "int" | "real" | "choice" | "order", min?: string, max?: string, choices?: Word[] }} Param
 * @typedef {{ name: string, summary: string, good_for: string, source: string, pheromone: boolean,
 *   rounds: string | null, events?: string[], params: Param[] }} Solver
 * @typedef {{ watch: string, race: string[], race_add: string, gallery: string }} Presets
 * @typedef {{ solvers: Solver[], presets: Presets }} Registry
 * @typedef {{ n: number, path: number[], attempts: number, moves: number, tours: number,
 *   distinct: number, closed: number, round: number, text: string,
 *   untried?: number[], events?: import("./events.js").SearchEvent[] }} Frame
 * @typedef {{ round: number, moves?: [number, number][], fitness?: number[], size?: number, mean?: number,
 *   laid?: string, most?: number, members?: { best: number[], median: number[], worst: number[] },
 *   curve?: [number, number, number][], whole?: number, queue?: number[], cycles?: number[],
 *   edges?: { forced: Link[], chosen: Link[], excluded: Link[] } }} Context
 * @typedef {import("./events.js").Link} Link
 * @typedef {{ kind: string, ground: GroundJson, methods: string[], seed: number, pinned: boolean }} About
 * @typedef {About & { id: string, viewers: number, over: boolean, resting: boolean }} Listed
 * @typedef {{ state: "waiting" | "running" | "done" | "failed", ahead?: number, running?: number,
 *   paused?: boolean, doing?: string, status?: string, reason?: string, seconds?: number,
 *   attempts?: number, moves?: number, tours?: number, distinct?: number, closed?: number,
 *   drawn?: number }} State
 */

/** A failed request, with the server's message. */
export class RequestError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const token = document.querySelector('meta[name="hippodrome-token"]')?.getAttribute("content") ?? "";

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @param {boolean} [keepalive] whether it is sent even while the page closes
 * @returns {Promise<Response>}
 */
async function ask(method, path, body, signal, keepalive = false) {
  /** @type {Record<string, string>} */
  const headers = { "x-hippodrome-token": token };
  if (body !== undefined) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null, keepalive });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new RequestError(0, "The server does not answer; is 'hippo serve' still running?");
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({ error: `HTTP status ${response.status}` }));
  throw new RequestError(response.status, String(answer.error));
}

/**
 * Posts a request and returns its JSON.
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function post(path, body, signal) {
  const response = await ask("POST", path, body, signal);
  return response.status === 204 ? null : response.json();
}

/**
 * Posts a request and returns its file.
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<Blob>}
 */
export async function postForFile(path, body) {
  return (await ask("POST", path, body)).blob();
}

/** Returns the solvers, and the presets of the forms. @returns {Promise<Registry>} */
export async function registry() {
  return (await ask("GET", "/api/solvers")).json();
}

/** Returns all jobs. @returns {Promise<Listed[]>} */
export async function jobs() {
  return (await (await ask("GET", "/api/jobs")).json()).jobs;
}

/**
 * Ends a job.
 * @param {string} id
 * @param {boolean} [keepalive]
 */
export function endJob(id, keepalive) {
  return ask("DELETE", `/api/jobs/${id}`, undefined, undefined, keepalive).then(() => null, () => null);
}

/** Jobs whose streams this page follows. @type {Set<Job>} */
const openJobs = new Set();

/** Returns the ids of the jobs whose streams this page follows. */
export function ownJobs() {
  return new Set([...openJobs].map((job) => job.id));
}

// Browsers limit the connections to one server: a hidden page closes its streams.
document.addEventListener("visibilitychange", () => {
  for (const job of openJobs) {
    if (document.hidden) job.disconnect();
    else job.open();
  }
});
addEventListener("pagehide", (event) => {
  if (event.persisted) return;
  for (const job of openJobs) if (job.own && !job.pinned) void endJob(job.id, true);
});

/**
 * A job on the server, and its event stream.
 */
export class Job {
  /**
   * @param {string} id
   * @param {{ state: (s: State) => void, frame: (f: any) => void, about?: (a: About) => void,
   *   context?: (c: Context) => void, tour?: (t: Tour) => void, lost: () => void }} handlers
   * @param {boolean} [own] whether this page started it, so that it ends with the page
   */
  constructor(id, handlers, own = true) {
    this.id = id;
    this.own = own;
    this.handlers = handlers;
    this.over = false;
    /** Whether it continues without this page. */
    this.pinned = false;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {number | undefined} */
    this.reconnectTimer = undefined;
    openJobs.add(this);
    dispatchEvent(new Event("own-jobs"));
    this.open();
  }

  /** Opens the stream. */
  open() {
    if (this.over || this.source) return;
    const { handlers } = this;
    const source = new EventSource(`/api/jobs/${this.id}/events`);
    this.source = source;
    const listen = (/** @type {string} */ name, /** @type {(value: any) => void} */ take) =>
      source.addEventListener(name, (event) => {
        if (!this.over && this.source === source) take(JSON.parse(/** @type {MessageEvent} */ (event).data));
      });
    listen("about", (/** @type {About} */ about) => {
      this.pinned = about.pinned;
      handlers.about?.(about);
    });
    listen("state", (/** @type {State} */ state) => {
      // The last state comes after everything else.
      if (state.state === "done" || state.state === "failed") this.leave();
      handlers.state(state);
      if (document.hidden) this.disconnect();
    });
    listen("frame", handlers.frame);
    if (handlers.context) listen("context", handlers.context);
    if (handlers.tour) listen("tour", handlers.tour);
    const lost = () => {
      if (this.over || this.source !== source) return;
      this.leave();
      handlers.lost();
    };
    source.onopen = () => clearTimeout(this.reconnectTimer);
    source.onerror = () => {
      clearTimeout(this.reconnectTimer);
      // The browser reconnects by itself; allow it a few seconds.
      this.reconnectTimer = window.setTimeout(lost, source.readyState === EventSource.CLOSED ? 0 : 5000);
    };
  }

  /** Closes the stream; it may be opened again. */
  disconnect() {
    clearTimeout(this.reconnectTimer);
    this.source?.close();
    this.source = null;
  }

  /**
   * @param {Record<string, unknown>} what
   */
  changePace(what) {
    return post(`/api/jobs/${this.id}/pace`, what).catch(() => null);
  }

  /** Closes the stream permanently. */
  leave() {
    this.over = true;
    openJobs.delete(this);
    dispatchEvent(new Event("own-jobs"));
    this.disconnect();
  }

  /** Ends the job. */
  end() {
    if (this.over) return;
    this.leave();
    void endJob(this.id);
  }
}

/**
 * Starts a job.
 * @param {Record<string, unknown>} what
 * @returns {Promise<{ id?: string, impossible?: Finding }>}
 */
function submit(what) {
  return post("/api/jobs", what);
}

/** Starts one job at a time, and ends a job whose start was cancelled. */
export class Starter {
  /**
   * @param {HTMLButtonElement[]} buttons to disable while a request is pending
   */
  constructor(buttons) {
    this.buttons = buttons;
    this.turn = 0;
  }

  /** Ignores the answer of the pending request. */
  cancel() {
    this.turn += 1;
    for (const button of this.buttons) button.disabled = false;
  }

  /**
   * Returns the answer, or null if the start was cancelled.
   * @param {Record<string, unknown>} what
   * @returns {Promise<{ id?: string, impossible?: Finding } | null>}
   */
  async submit(what) {
    this.cancel();
    const turn = this.turn;
    for (const button of this.buttons) button.disabled = true;
    try {
      const answer = await submit(what);
      if (turn === this.turn) return answer;
      if (answer.id) void endJob(answer.id);
    } catch (error) {
      if (turn === this.turn) throw error;
    } finally {
      if (turn === this.turn) this.cancel();
    }
    return null;
  }
}
