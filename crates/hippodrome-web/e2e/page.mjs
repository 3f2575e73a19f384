// Tests of the page in a browser. Without arguments all parts run, in two lanes beside each other, and what measures times
// runs last; `node page.mjs watch links` runs two parts one after the other.

import { browser, serve, Suite } from "./stage.mjs";

/**
 * What the tests of a part share: every lane has a server of its own, because tests count its jobs.
 * @typedef {{ suite: Suite, server: Awaited<ReturnType<typeof serve>>, chromium: Awaited<ReturnType<typeof browser>> }} House
 */

/** Parts that run beside each other; each list in its order. */
const LANES = [["layout", "stories", "race", "gallery", "access"], ["methods", "watch", "safety", "links", "limits"]];
/** Parts that need the machine for themselves. */
const LAST = ["times"];
const PARTS = [...LANES.flat(), ...LAST];

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !PARTS.includes(name));
if (unknown !== undefined) {
  console.error(`page.mjs: unknown part '${unknown}'; expected some of ${PARTS.join(", ")}`);
  process.exit(2);
}

const chromium = await browser();
/** @type {Suite[]} */
const suites = [];

/**
 * Runs parts one after the other.
 * @param {string[]} parts
 */
async function lane(parts) {
  if (parts.length === 0) return;
  const server = await serve();
  for (const name of parts) {
    const suite = new Suite(name);
    suites.push(suite);
    const begun = Date.now();
    const { default: run } = await import(`./${name}.mjs`);
    await run({ suite, server, chromium });
    console.log(`${name}: ${suite.passed} passed, ${suite.failed} failed in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  }
  await server.kill();
}

const begun = Date.now();
if (asked.length) {
  await lane(asked);
} else {
  await Promise.all(LANES.map(lane));
  await lane(LAST);
}
await chromium.close();
const [passed, failed] = ["passed", "failed"].map((word) => suites.reduce((sum, suite) => sum + suite[word], 0));
for (const suite of suites) for (const name of suite.failures) console.log(`FAIL ${name}`);
console.log(`${passed} passed, ${failed} failed in ${Math.round((Date.now() - begun) / 1000)} s`);
process.exit(failed ? 1 : 0);
