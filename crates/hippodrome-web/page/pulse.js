// Whether `hippo serve` answers. A stream brings a pulse every second; a page that misses two says so, keeps trying, and
// takes up a server that was started in the meantime.

import { renewToken } from "./api.js";
import { notice } from "./dom.js";
import { say } from "./messages.js";

/** Milliseconds without a pulse after which the server is said to be gone. */
const SILENCE = 1900;
/** Milliseconds between two attempts to reach it. */
const RETRY = 700;

/** @type {EventSource | null} */
let source = null;
let server = "";
let jobs = -1;
/** @type {number | undefined} */
let timer;
let lost = false;

/** @type {{ restarted: () => void, jobsChanged: () => void }} */
let listeners = { restarted() {}, jobsChanged() {} };

function close() {
  clearTimeout(timer);
  source?.close();
  source = null;
}

/** The server is silent: says so, and tries again. */
function silence() {
  close();
  if (document.hidden) return;
  lost = true;
  say("server", notice("wrong", "hippo serve is not answering.", "Trying again. What is on the page stays."));
  timer = window.setTimeout(open, RETRY);
}

/**
 * @param {{ server: string, jobs: number }} pulse
 */
async function beat(pulse) {
  clearTimeout(timer);
  timer = window.setTimeout(silence, SILENCE);
  if (server !== "" && pulse.server !== server) {
    await renewToken();
    listeners.restarted();
    jobs = -1;
  }
  server = pulse.server;
  if (lost) {
    lost = false;
    say("server", null);
  }
  if (pulse.jobs !== jobs) {
    jobs = pulse.jobs;
    listeners.jobsChanged();
  }
}

function open() {
  close();
  if (document.hidden) return;
  timer = window.setTimeout(silence, SILENCE);
  source = new EventSource("/api/pulse");
  source.addEventListener("pulse", (event) => void beat(JSON.parse(/** @type {MessageEvent} */ (event).data)));
  source.onerror = silence;
}

/** Whether the server has been silent. */
export function isServerLost() {
  return lost;
}

/**
 * Listens to the server while the page is visible.
 * @param {{ restarted: () => void, jobsChanged: () => void }} given
 */
export function startPulse(given) {
  listeners = given;
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  open();
}
