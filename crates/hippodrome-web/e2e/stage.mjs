// Helpers for tests: a server, a browser, screens, assertions.

import { spawn, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../..");
export const target = path.join(root, "target/e2e");
const require = createRequire(path.join(target, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const hippo = process.env.HIPPO ?? path.join(root, "target/debug/hippo");
/** Timeout in milliseconds of everything that a test waits for, on a machine that may be busy. */
export const TIMEOUT = Number(process.env.E2E_TIMEOUT ?? 30_000);
/** Limits of times that are measured are this many times the target, because the machine may be busy. */
export const BUSY = 8;

mkdirSync(path.join(target, "shots"), { recursive: true });
// Each server is ended with the process.
process.setMaxListeners(0);

/**
 * Starts `hippo serve`, on a free port by default. Returns its address, requests with its token, and functions that
 * end it.
 */
export async function serve({ port = 0 } = {}) {
  const child = spawn(hippo, ["serve", "--port", String(port), "--json", "--memory", "512M"], { stdio: ["ignore", "pipe", "ignore"] });
  // A run that breaks off leaves no server.
  process.once("exit", () => child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
  const line = await new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve(String(data)));
    child.once("exit", (code) => reject(new Error(`hippo serve ended with ${code}`)));
  });
  const { url } = JSON.parse(line);
  const token = /name="hippodrome-token" content="([^"]*)"/.exec(await (await fetch(url)).text())?.[1] ?? "";
  const headers = { "x-hippodrome-token": token, "content-type": "application/json", origin: new URL(url).origin };
  /** Sends a request of the API; `body` makes it a POST. */
  const ask = async (route, body, method = body === undefined ? "GET" : "POST") =>
    fetch(new URL(route, url), { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  return {
    url,
    pid: child.pid,
    ask,
    get: async (route) => (await ask(route)).json(),
    post: async (route, body) => (await ask(route, body)).json(),
    /** Ends all jobs. */
    async endJobs() {
      const { jobs } = await (await ask("/api/jobs")).json();
      for (const { id } of jobs) await ask(`/api/jobs/${id}`, undefined, "DELETE");
    },
    /** Ends the server as Ctrl-C does, and returns its exit code. */
    async end() {
      child.kill("SIGINT");
      return ended;
    },
    /** Ends the server without a chance to say so. */
    async kill() {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

/** Launches the browser of the system. */
export async function browser() {
  const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((file) => spawnSync("test", ["-x", file]).status === 0);
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

/** The sizes of windows that the page is made for. */
export const SIZES = [[1920, 1080], [1280, 720], [1024, 768], [390, 844]].map(([width, height]) => ({ width, height }));
export const THEMES = /** @type {const} */ (["light", "dark"]);

/** What contexts of the browser are made with. */
export const DESKTOP = { viewport: { width: 1280, height: 720 }, acceptDownloads: true };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, acceptDownloads: true };
export const SCREENS = { desktop: DESKTOP, phone: PHONE };

/** Returns all findings of axe, of any impact. */
export async function findings(page) {
  // The page's policy forbids foreign scripts, but the debugger may run one.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const result = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  return result.violations.map((v) => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => `${n.target.join(" ")} ${n.any[0]?.message ?? ""}`).join("; ")}`);
}

export function assert(is, what) {
  if (!is) throw new Error(what);
}

/** Waits until a condition holds. Every wait of the tests is one of these. */
export async function until(what, is, timeout = TIMEOUT) {
  const begun = Date.now();
  for (;;) {
    if (await is()) return;
    assert(Date.now() - begun < timeout, `timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Waits for a time. Only for tests of what must not happen, or of times. */
export function rest(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Reads the rows of a table that the library's tests use too. */
export function table(name) {
  const text = readFileSync(path.resolve(import.meta.dirname, "../../hippodrome/tests/data", name), "utf8");
  const rows = text.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t"));
  assert(rows.length > 10, `${name} has rows`);
  return rows;
}

/** The tests of a part: runs them one after another, and prints how each ended. */
export class Suite {
  passed = 0;
  failed = 0;
  /** @type {string[]} */
  failures = [];
  /** Only tests whose names contain this run. */
  only = process.env.E2E_ONLY ?? "";

  /** @param {string} part */
  constructor(part) {
    this.part = part;
  }

  async test(name, run) {
    if (!name.includes(this.only)) return;
    const begun = Date.now();
    try {
      await run();
      this.passed += 1;
      console.log(`  ok   ${this.part}: ${name} (${Date.now() - begun} ms)`);
    } catch (error) {
      this.failed += 1;
      this.failures.push(`${this.part}: ${name}`);
      console.log(`  FAIL ${this.part}: ${name} (${Date.now() - begun} ms)\n${String(error?.stack ?? error).replace(/^/gm, "       ")}`);
    }
  }
}
