// Helpers for tests: a server, a browser, assertions.

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
/** Timeout of everything that a test waits for, on a machine that may be busy. */
export const TIMEOUT = 60_000;

mkdirSync(path.join(target, "shots"), { recursive: true });

/** Starts `hippo serve`. Returns its address, and a function that ends it. */
export async function serve() {
  const child = spawn(hippo, ["serve", "--port", "0", "--json", "--memory", "512M"], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve(String(data)));
    child.once("exit", (code) => reject(new Error(`hippo serve ended with ${code}`)));
  });
  const ended = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
  return {
    url: JSON.parse(line).url,
    async end() {
      child.kill("SIGINT");
      return ended;
    },
  };
}

/** Launches the browser of the system. */
export async function browser() {
  const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((file) => spawnSync("test", ["-x", file]).status === 0);
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

/** Wide and narrow screens. */
export const SCREENS = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};

/** Returns the findings of axe that are serious or critical. */
export async function findings(page) {
  // The page's policy forbids foreign scripts, but the debugger may run one.
  await page.evaluate(axe);
  const result = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  return result.violations
    .filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join("; ")}`);
}

export function assert(is, what) {
  if (!is) throw new Error(what);
}

/** Runs tests one after another, and prints the number that passed. */
export class Suite {
  passed = 0;
  failed = 0;

  async test(name, run) {
    const begun = Date.now();
    try {
      await run();
      this.passed += 1;
      console.log(`  ok   ${name} (${Date.now() - begun} ms)`);
    } catch (error) {
      this.failed += 1;
      console.log(`  FAIL ${name}\n${String(error?.stack ?? error).replace(/^/gm, "       ")}`);
    }
  }

  finish() {
    console.log(`${this.passed} passed, ${this.failed} failed`);
    process.exitCode = this.failed ? 1 : 0;
  }
}
