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
 *   title: string, family: string, events: string[], rounds: string | null, params: Param[] }} Solver
 * @typedef {{ watch: string, race: string[], race_add: string, gallery: string }} Presets
 * @typedef {{ solvers: Solver[], presets: Presets }} Registry
 * @typedef {import("./events.js").SearchEvent} SearchEvent
 * @typedef {import("./events.js").Link} Link
 * @typedef {{ n: number, path: number[], attempts: number, moves: number, tours: number,
 *   distinct: number, distinct_at_least?: boolean, closed: number, round: number, text: string,
 *   seconds: number, events: SearchEvent[], untried?: number[] }} Frame
 * @typedef {{ round: number, moves?: [number, number][], fitness?: number[], size?: number, mean?: number,
 *   members?: { best: number[], median: number[], worst: number[] }, curve?: [number, number, number][], whole?: number,
 *   edges?: { forced: Link[], chosen: Link[], excluded: Link[] }, queue?: number[], cycles?: number[],
 *   parts?: [number[], number[]],
 *   laid?: string, most?: number }} Context
 * @typedef {{ kind: string, ground: GroundJson, methods: string[], seed: number, pinned: boolean }} About
 * @typedef {About & { id: string, viewers: number, over: boolean, resting: boolean }} Listed
 * @typedef {{ id: string, title: string, year: string, author: string, source: string, board: string,
 *   kind: "historic" | "symmetric" | "semi-magic", tour: Tour }} Historic
 * @typedef {{ state: "waiting" | "running" | "done" | "failed", ahead?: number, running?: number,
 *   paused?: boolean, found?: boolean, doing?: string, bytes?: number, share?: number | null, status?: string, reason?: string, seconds?: number,
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

/**
 * @param {Document} page
 */
function tokenOf(page) {
  return page.querySelector('meta[name="hippodrome-token"]')?.getAttribute("content") ?? "";
}

let token = tokenOf(document);

/** Reads the token of a server that was started after the page was loaded. */
export async function renewToken() {
  const text = await (await fetch("/")).text();
  token = tokenOf(new DOMParser().parseFromString(text, "text/html"));
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function ask(method, path, body, signal) {
  /** @type {Record<string, string>} */
  const headers = { "x-hippodrome-token": token };
  if (body !== undefined) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new RequestError(0, "hippo serve is not answering");
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({ error: `HTTP status ${response.status}` }));
  throw new RequestError(response.status, String(answer.error).replaceAll("`", "'"));
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

/** Returns the historic tours that ship with the program. @returns {Promise<Historic[]>} */
export async function historic() {
  return (await ask("GET", "/api/historic")).json();
}

/** Returns all jobs. @returns {Promise<Listed[]>} */
export async function jobs() {
  return (await (await ask("GET", "/api/jobs")).json()).jobs;
}

/**
 * Ends a job.
 * @param {string} id
 */
export function endJob(id) {
  return ask("DELETE", `/api/jobs/${id}`).then(() => null, () => null);
}

/** Jobs whose streams this page follows. @type {Set<Job>} */
const openJobs = new Set();

/** Gives up all jobs: the server that ran them is gone. */
export function loseJobs() {
  for (const job of openJobs) job.lose();
}

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

/**
 * A job on the server, and its event stream.
 */
export class Job {
  /**
   * @param {string} id
   * @param {{ state: (s: State) => void, frame: (f: any) => void, about?: (a: About) => void,
   *   context?: (c: Context) => void, tour?: (t: Tour) => void, lost: () => void }} handlers
   */
  constructor(id, handlers) {
    this.id = id;
    this.handlers = handlers;
    this.over = false;
    /** Whether it continues without this page. */
    this.pinned = false;
    /** @type {EventSource | null} */
    this.source = null;
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
    source.onerror = () => {
      // A server that refuses the stream does not know the job. One that is silent may return: the browser retries.
      if (source.readyState === EventSource.CLOSED && this.source === source) this.lose();
    };
  }

  /** Gives up a job that the server does not know. */
  lose() {
    if (this.over) return;
    this.leave();
    this.handlers.lost();
  }

  /** Closes the stream; it may be opened again. */
  disconnect() {
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
    // A disabled button loses the focus.
    const focused = this.buttons.find((button) => button === document.activeElement);
    for (const button of this.buttons) button.disabled = true;
    try {
      const answer = await submit(what);
      if (turn === this.turn) return answer;
      if (answer.id) void endJob(answer.id);
    } catch (error) {
      if (turn === this.turn) throw error;
    } finally {
      if (turn === this.turn) this.cancel();
      if (document.activeElement === document.body) focused?.focus();
    }
    return null;
  }
}
