// Pictures of every method's view at 1280x720, for people to look at: target/e2e/shots/method-NAME.png. Parts of names on
// the command line choose some: `node shots.mjs ga uniform`.

import { browser, DESKTOP, rest, serve, until } from "./stage.mjs";
import { button, closeSettings, counter, messages, open, openSettings, play, shot, still, stepNumber, text } from "./hands.mjs";

const CLOSED = "board=8x8&closed=1";
/**
 * What is watched, and when the picture is taken: `at` is a step at which the search rests, `speed` and `until` describe
 * a state of a running search.
 * @type {Record<string, { hash: string, at?: number, speed?: string, until?: (page: any) => Promise<boolean>, tours?: boolean }>}
 */
const VIEWS = {
  "backtrack": { hash: "board=8x8&seed=3", at: 160 },
  "scan": { hash: "board=8x8&seed=3", at: 215 },
  "warnsdorff": { hash: "board=8x8&start=e4&p.ties=random&seed=1", at: 12 },
  "best-first": { hash: "board=8x8&seed=1", at: 60 },
  "exact": { hash: `${CLOSED}&seed=1`, at: 12 },
  "frontier": { hash: "board=6x6&seed=1", at: 20 },
  "cuts": { hash: `board=10x10&closed=1&seed=1`, at: 2 },
  "divide": { hash: "board=20x20&seed=1", at: 6 },
  "ace": { hash: "board=8x8&seed=3", speed: "full", until: async (page) => (await counter(page, "Attempts")) > 5000 },
  "mace": { hash: "board=8x8&seed=7", speed: "full", until: async (page) => (await counter(page, "Attempts")) > 5000 },
  "ants-random": { hash: "board=8x8&seed=7", speed: "full", until: async (page) => (await counter(page, "Attempts")) > 1000 },
  "colonies": { hash: "board=8x8&seed=7", speed: "full", until: async (page) => (await counter(page, "Attempts")) > 5000 },
  "neural": { hash: `${CLOSED}&seed=14`, at: 38 },
  "neural-join": { hash: `${CLOSED}&seed=1`, at: 60 },
  "ga": { hash: "board=8x8&start=e4&seed=1", speed: "full", until: async (page) => (await counter(page, "Attempts")) > 3000 },
  "ga-repair": { hash: "board=8x8&start=e4&seed=1", speed: "3000", until: async (page) => (await counter(page, "Attempts")) > 1000 },
  "ga-heuristic": { hash: "board=8x8&start=e4&seed=1", at: 60 },
  "repair-only": { hash: "board=8x8&start=e4&seed=1", speed: "3000", until: async (page) => (await counter(page, "Attempts")) > 1000 },
  "heuristic-only": { hash: "board=8x8&start=e4&seed=1", at: 60 },
  "uniform": { hash: "board=6x6&closed=1&seed=9", at: 12 },
  "backbite": { hash: "board=8x8&seed=1", at: 300 },
};

const house = { server: await serve(), chromium: await browser() };
const asked = process.argv.slice(2);
const names = Object.keys(VIEWS).filter((name) => asked.length === 0 || asked.some((part) => name.includes(part)));
for (const name of names) {
  const { hash, at, speed, until: is } = VIEWS[name];
  const context = await house.chromium.newContext({ ...DESKTOP, colorScheme: "light" });
  const { page } = await open(house, context, `#watch?solver=${name}&${hash}${at ? `&step=${at}&speed=3` : `&speed=${speed}`}`);
  try {
    if (at) {
      await until(`${name} is at step ${at}`, async () => (await stepNumber(page)) >= at || (await messages(page)).includes("Tour found"));
    } else {
      await openSettings(page);
      await page.locator("#drawer").getByLabel("Pause at each tour").uncheck();
      await closeSettings(page);
      await play(page);
      if (is) await until(`${name} has worked`, () => is(page));
      await button(page, "Pause").click();
    }
    // Flashes and flips come to rest.
    await rest(1200);
    await still(page);
    console.log(`${name}: step ${await stepNumber(page)}: ${await text(page, "#narration")}`);
  } catch (error) {
    console.log(`${name}: ${error.message}`);
  }
  await shot(page, `method-${name}`);
  await context.close();
  await house.server.endJobs();
}
await house.chromium.close();
await house.server.kill();
