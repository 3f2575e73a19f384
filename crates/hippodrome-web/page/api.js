// Talking to the server: requests with the page's token, and streams of news.

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
 *   params: Param[] }} Solver
 * @typedef {{ n: number, path: number[], attempts: number, moves: number, tours: number,
 *   distinct: number, closed: number, round: number, untried?: number[] }} Frame
 * @typedef {{ round: number, moves?: [number, number][], fitness?: number[], laid?: string, most?: number }} Context
 * @typedef {{ state: "waiting" | "running" | "done" | "failed", ahead?: number, running?: number,
 *   paused?: boolean, doing?: string, status?: string, reason?: string, seconds?: number,
 *   attempts?: number, moves?: number, tours?: number, distinct?: number, closed?: number,
 *   drawn?: number }} State
 */

/** A request that was refused, with the server's sentence. */
export class Refused extends Error {
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
    throw new Refused(0, "The server does not answer; is 'hippo serve' still running?");
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => ({ error: `status ${response.status}` }));
  throw new Refused(response.status, String(told.error));
}

/**
 * Asks for JSON.
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
 * Asks for a file.
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<Blob>}
 */
export async function postForFile(path, body) {
  return (await ask("POST", path, body)).blob();
}

/** @returns {Promise<Solver[]>} */
export async function solvers() {
  return (await (await ask("GET", "/api/solvers")).json()).solvers;
}

/**
 * A job on the server, and its news.
 */
export class Job {
  /**
   * @param {string} id
   * @param {{ state: (s: State) => void, frame: (f: any) => void, context?: (c: Context) => void,
   *   tour?: (t: Tour) => void, lost: () => void }} hear
   */
  constructor(id, hear) {
    this.id = id;
    this.over = false;
    this.source = new EventSource(`/api/jobs/${id}/events`);
    const listen = (/** @type {string} */ name, /** @type {(value: any) => void} */ take) =>
      this.source.addEventListener(name, (event) => {
        if (!this.over) take(JSON.parse(/** @type {MessageEvent} */ (event).data));
      });
    listen("state", (/** @type {State} */ state) => {
      // The last state comes after everything else.
      if (state.state === "done" || state.state === "failed") this.leave();
      hear.state(state);
    });
    listen("frame", hear.frame);
    if (hear.context) listen("context", hear.context);
    if (hear.tour) listen("tour", hear.tour);
    /** @type {number | undefined} */
    let patience;
    const lost = () => {
      if (this.over) return;
      this.leave();
      hear.lost();
    };
    this.source.onopen = () => clearTimeout(patience);
    this.source.onerror = () => {
      clearTimeout(patience);
      // The browser tries again by itself; that is given some seconds.
      patience = window.setTimeout(lost, this.source.readyState === EventSource.CLOSED ? 0 : 5000);
    };
  }

  /**
   * @param {Record<string, unknown>} what
   */
  order(what) {
    return post(`/api/jobs/${this.id}/pace`, what).catch(() => null);
  }

  /** No longer listens. */
  leave() {
    this.over = true;
    this.source.close();
  }

  /** Ends the job. */
  end() {
    if (this.over) return;
    this.leave();
    ask("DELETE", `/api/jobs/${this.id}`).catch(() => null);
  }
}

/**
 * Starts a job.
 * @param {Record<string, unknown>} what
 * @returns {Promise<{ id?: string, impossible?: Finding }>}
 */
export function submit(what) {
  return post("/api/jobs", what);
}
