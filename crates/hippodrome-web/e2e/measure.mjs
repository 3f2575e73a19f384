// Measures the page and its server: `node measure.mjs [MINUTES]`. The targets are printed beside the figures.

import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import { browser, DESKTOP, rest, serve } from "./stage.mjs";
import { open, play, runOn, setSpeed, FULL_SPEED } from "./hands.mjs";

/** Position of the slider nearest to 100 steps per second. */
const NEAR_HUNDRED = 4;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * Returns the medians in milliseconds from navigation to the first paint, which has the pattern of the board, and to the
 * squares that can be clicked.
 */
export async function firstBoard(house, { loads = 5 } = {}) {
  const [painted, squares] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let load = 0; load < loads; load++) {
    const context = await house.chromium.newContext(DESKTOP);
    const page = await context.newPage();
    await page.addInitScript(() => {
      const look = () => {
        // The task after the frame that shows the squares begins when it is painted.
        if (document.querySelector("#board .cell")) requestAnimationFrame(() => setTimeout(() => Reflect.set(window, "boardAt", performance.now())));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(house.server.url);
    await page.waitForFunction(() => Reflect.get(window, "boardAt") > 0);
    squares.push(await page.evaluate(() => Reflect.get(window, "boardAt")));
    painted.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    await context.close();
  }
  return { painted: median(painted), squares: median(squares) };
}

/** Opens a search that runs on and on, as fast as asked for. */
async function watching(house, hash, position) {
  const context = await house.chromium.newContext(DESKTOP);
  const { page } = await open(house, context, hash);
  await runOn(page);
  await setSpeed(page, position);
  await play(page);
  const cdp = await context.newCDPSession(page);
  const metrics = async () => Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, value]));
  // Time of the thread, not of the clock: a busy machine does not count.
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const end = async () => {
    await context.close();
    await house.server.endJobs();
  };
  return { page, cdp, metrics, end };
}

/** Returns the milliseconds of the main thread per frame while 8x8 is watched. */
export async function frameWork(house, { seconds = 10, position = NEAR_HUNDRED } = {}) {
  const { page, metrics, end } = await watching(house, "#watch?board=8x8&solver=backtrack&seed=3", position);
  await page.evaluate(() => {
    Reflect.set(window, "frames", 0);
    const count = () => {
      Reflect.set(window, "frames", Reflect.get(window, "frames") + 1);
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  await rest(500);
  const frames = () => page.evaluate(() => Reflect.get(window, "frames"));
  const [begun, first] = [await metrics(), await frames()];
  await rest(seconds * 1000);
  const [ended, last] = [await metrics(), await frames()];
  await end();
  return { perFrame: (1000 * (ended.TaskDuration - begun.TaskDuration)) / (last - first), frames: last - first };
}

/** Returns the megabytes of the heap, the median of the second and of the last third of a watch. */
export async function heapOver(house, { seconds = 300 } = {}) {
  const { cdp, metrics, end } = await watching(house, "#watch?board=8x8&solver=mace&seed=7", FULL_SPEED);
  const sizes = [];
  const begun = Date.now();
  while (Date.now() - begun < seconds * 1000) {
    await rest(Math.max(1000, seconds * 1000 / 60));
    await cdp.send("HeapProfiler.collectGarbage");
    sizes.push((await metrics()).JSHeapUsedSize / 1e6);
  }
  await end();
  const part = Math.floor(sizes.length / 3);
  return { first: median(sizes.slice(0, part)), second: median(sizes.slice(part, 2 * part)), third: median(sizes.slice(2 * part)), sizes };
}

/** Returns the seconds of processor time that a process has used. */
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Returns the share of one processor that the server uses over some seconds. */
async function serverShare(server, seconds) {
  const before = processorTime(server.pid);
  await rest(seconds * 1000);
  return (processorTime(server.pid) - before) / seconds;
}

/** Returns the share of one processor that the server uses for ten viewers of one search at ten steps per second. */
async function tenViewers(house, seconds) {
  const { server } = house;
  const ground = { board: "8x8", holes: [], leaper: "1,2", closed: false, start: null, end: null };
  const { id } = await server.post("/api/jobs", { kind: "watch", ground, method: { solver: "backtrack", params: {} }, seed: 3, speed: 10, rest_at_tours: false, pinned: true });
  const stop = new AbortController();
  let received = 0;
  for (let viewer = 0; viewer < 10; viewer++) {
    void fetch(new URL(`/api/jobs/${id}/events`, server.url), { signal: stop.signal }).then(async ({ body }) => {
      for await (const part of body) received += part.length;
    }).catch(() => null);
  }
  await rest(500);
  const share = await serverShare(server, seconds);
  stop.abort();
  await server.endJobs();
  return { share, received };
}

async function main() {
  const minutes = Number(process.argv[2] ?? 5);
  const house = { server: await serve(), chromium: await browser() };
  const line = (what, figure, target) => console.log(`${what.padEnd(58)} ${figure.padStart(24)}   ${target}`);
  console.log(`${cpus().length} processors, ${cpus()[0].model}`);
  const { painted, squares } = await firstBoard(house);
  line("first contentful paint after navigation, median of 5", `${Math.round(painted)} ms`, "target 300 ms: it has the board's pattern");
  line("squares of the board after navigation, median of 5", `${Math.round(squares)} ms`, "");
  for (const [position, rate] of [[NEAR_HUNDRED, 60], [NEAR_HUNDRED + 1, 300]]) {
    const { perFrame, frames } = await frameWork(house, { position });
    line(`main thread per frame, 8x8 at ${rate} steps per second`, `${perFrame.toFixed(2)} ms (${frames} frames)`, "target 8 ms");
  }
  const viewers = await tenViewers(house, 10);
  line("server, ten viewers of a search at 10 steps per second", `${(100 * viewers.share).toFixed(1)}% of a core`, `${(viewers.received / 1e4).toFixed(0)} kB per second in all`);
  line("server without pages", `${(100 * await serverShare(house.server, 10)).toFixed(2)}% of a core`, "");
  const context = await house.chromium.newContext(DESKTOP);
  await open(house, context);
  await rest(1000);
  line("server with an idle page", `${(100 * await serverShare(house.server, 10)).toFixed(2)}% of a core`, "");
  await context.close();
  const { first, second, third } = await heapOver(house, { seconds: 60 * minutes });
  line(`heap over ${minutes} min at full speed, medians of thirds`, [first, second, third].map((size) => size.toFixed(1)).join(", ") + " MB", "last within 10% or 2 MB of the second");
  await house.chromium.close();
  await house.server.kill();
}

if (path.resolve(process.argv[1]) === import.meta.filename) await main();
