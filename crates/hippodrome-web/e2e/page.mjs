// Tests of the page in a browser. Without arguments all parts run; `node page.mjs watch links` runs two of them.

import { browser, serve, Suite } from "./stage.mjs";

/**
 * What all parts share.
 * @typedef {{ suite: Suite, server: Awaited<ReturnType<typeof serve>>, chromium: Awaited<ReturnType<typeof browser>> }} House
 */

const PARTS = ["layout", "watch", "methods", "stories", "race", "gallery", "links", "safety", "access", "limits"];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !PARTS.includes(name));
if (unknown.length) {
  console.error(`page.mjs: unknown part '${unknown[0]}'; expected some of ${PARTS.join(", ")}`);
  process.exit(2);
}

const house = { suite: new Suite(), server: await serve(), chromium: await browser() };
for (const name of PARTS.filter((part) => asked.length === 0 || asked.includes(part))) {
  const begun = Date.now();
  console.log(name);
  const { default: run } = await import(`./${name}.mjs`);
  await run(house);
  console.log(`  ${name}: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}
await house.chromium.close();
await house.server.kill();
house.suite.finish();
