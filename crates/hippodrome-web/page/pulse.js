// Whether `hippo serve` answers. A stream brings a pulse every second; a page that misses two says so, keeps trying, and
// takes up a server that was started in the meantime.

import { renewToken } from "./api.js";
import { notice } from "./dom.js";
import { say } from "./messages.js";

/** Milliseconds without a pulse after which the server is said to be gone. */
const SILENCE = 1900;
/** Milliseconds between two attempts to reach it. */
const RETRY = 700;

/** The pages of one browser share a stream, because a browser opens only six connections to a server. */
const LOCK = "hippodrome-pulse";
const channel = new BroadcastChannel(LOCK);

/** The stream, if this page is the one that listens for all. @type {EventSource | null} */
let source = null;
/** Lets another page listen. @type {(() => void) | null} */
let release = null;
/** Ends the wait to be the page that listens. @type {AbortController | null} */
let waiting = null;
let server = "";
let jobs = -1;
/** @type {number | undefined} */
let timer;
let lost = false;

/** @type {{ restarted: () => void, jobsChanged: () => void }} */
let listeners = { restarted() {}, jobsChanged() {} };

/** Stops listening, and lets another page listen. */
function close() {
  clearTimeout(timer);
  source?.close();
  source = null;
  waiting?.abort();
  release?.();
  waiting = release = null;
}

/** The server is silent: says so, and tries again. */
function silence() {
  clearTimeout(timer);
  if (document.hidden) return;
  lost = true;
  say("server", notice("wrong", "hippo serve is not answering.", "Trying again. What is on the page stays."));
  if (!source) return;
  source.close();
  timer = window.setTimeout(listen, RETRY);
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

function listen() {
  clearTimeout(timer);
  timer = window.setTimeout(silence, SILENCE);
  source = new EventSource("/api/pulse");
  source.addEventListener("pulse", (event) => {
    const pulse = JSON.parse(/** @type {MessageEvent} */ (event).data);
    channel.postMessage(pulse);
    void beat(pulse);
  });
  source.onerror = () => {
    // A server that answers, but refuses the stream, is not gone: other pages have taken all its pulses.
    if (source?.readyState === EventSource.CLOSED && !lost) void fetch("/api/solvers").then(() => clearTimeout(timer), silence);
    else silence();
  };
}

/** Listens to the server, or to the page that does. */
function open() {
  close();
  if (document.hidden) return;
  timer = window.setTimeout(silence, SILENCE);
  // Locks need a secure context, which a server on another machine is not.
  if (!navigator.locks) {
    listen();
    return;
  }
  waiting = new AbortController();
  const hold = () => new Promise((done) => {
    waiting = null;
    release = () => done(undefined);
    listen();
  });
  navigator.locks.request(LOCK, { signal: waiting.signal }, hold).catch(() => {});
}

/**
 * Listens to the server while the page is visible.
 * @param {{ restarted: () => void, jobsChanged: () => void }} given
 */
export function startPulse(given) {
  listeners = given;
  channel.addEventListener("message", ({ data }) => {
    if (!document.hidden && !source) void beat(data);
  });
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  open();
}
