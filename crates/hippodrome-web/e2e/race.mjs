// The Race tab: boards side by side under one clock, the chart, the verdict, presets.

import { jobs, messages, on, text } from "./hands.mjs";
import { assert, findings, SIZES, THEMES, PHONE, until } from "./stage.mjs";

const start = (page) => page.getByRole("button", { name: "▶ Start", exact: true });
const said = async (page) => text(page, "#race-messages");
const isOver = async (page) => (await said(page)).includes("The race is over");
const rows = (page) => page.locator("#race table tbody tr").evaluateAll((list) =>
  list.map((row) => [...row.children].slice(0, 6).map((one) => one.textContent).join("|")));
/** The boards' pictures, one text each. */
const boards = (page) => page.locator(".race-board canvas").evaluateAll((list) => list.map((canvas) => canvas.toDataURL().slice(-300)));

export default async function race(house) {
  const { suite } = house;
  const SMALL = "#race?board=5x5&solvers=backtrack;warnsdorff;mace&budget=5k_attempts&runs=2&seed=1";

  await suite.test("methods race on boards side by side for at least five seconds", () => on(house, SMALL, async (page) => {
    await until("three boards", async () => (await page.locator(".race-board canvas").count()) === 3);
    const places = await page.locator(".race-board").evaluateAll((list) => list.map((node) => node.getBoundingClientRect()).map(({ x, y }) => [x, y]));
    assert(new Set(places.map(([, y]) => Math.round(y))).size === 1 && new Set(places.map(([x]) => Math.round(x))).size === 3, `side by side: ${JSON.stringify(places)}`);
    const chart = await page.locator(".race-chart").boundingBox();
    assert(chart.y > places[0][1] && chart.y + chart.height <= 721, "the chart is below, in the window");
    const empty = await boards(page);
    const begun = Date.now();
    await start(page).click();
    const seen = [new Set(), new Set(), new Set()];
    await until("all boards move", async () => {
      (await boards(page)).forEach((picture, at) => seen[at].add(picture));
      return seen.every((set) => set.size > 3);
    });
    assert(!(await isOver(page)), "the race goes on");
    assert(seen.every((set, at) => [...set].some((picture) => picture !== empty[at])), "the boards are drawn on");
    await until("it is over", async () => {
      (await boards(page)).forEach((picture, at) => seen[at].add(picture));
      return isOver(page);
    });
    assert(Date.now() - begun >= 5000, `the show takes ${Date.now() - begun} ms`);
    const verdict = await text(page, "#race .verdict");
    assert(/^[A-Z].{20,}\.$/.test(verdict) && !/`|undefined|NaN/.test(verdict), `a sentence: ${verdict}`);
    const first = await rows(page);
    assert(first.length === 3 && first.every((row) => row.includes("2 of 2")), first.join("\n"));
    assert((await page.locator(".race-chart polyline").count()) >= 3, "a line for each method");
    const found = await findings(page);
    assert(found.length === 0, found.join("\n"));
    // The link repeats the race.
    await page.reload();
    await start(page).click();
    await page.getByRole("button", { name: "Skip" }).click();
    await until("it is over again", () => isOver(page));
    const again = await rows(page);
    assert(JSON.stringify(first) === JSON.stringify(again), `the same numbers:\n${first.join("\n")}\n${again.join("\n")}`);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await until(`nothing is wider than ${size.width}`, () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), 3000);
        await until(`the boards are in the window of ${size.height}`, () => page.locator(".race-boards").evaluate((node) => node.getBoundingClientRect().bottom + scrollY <= innerHeight + 1), 3000);
        if (size.width === 1280 || size.width === 390) {
          const wrong = await findings(page);
          assert(wrong.length === 0, `${size.width}, ${colorScheme}: ${wrong.join("\n")}`);
        }
      }
    }
  }));

  await suite.test("with reduced motion the result of a race is shown at once", () => on(house, SMALL, async (page) => {
    const begun = Date.now();
    await start(page).click();
    await until("it is over", () => isOver(page));
    assert(Date.now() - begun < 5000, "without a show");
    assert((await rows(page)).length === 3, "with its table");
  }, { reducedMotion: "reduce" }));

  await suite.test("presets set up three kinds of race", () => on(house, "#race?board=6x6", async (page) => {
    const preset = (name) => page.locator("#race .presets").getByRole("button", { name });
    const line = () => text(page, "#race .setup-line");
    await preset("First to one tour").click();
    await until("until one tour", async () => /until 1 tour/.test(await line()) && page.url().includes("1_tours"));
    await preset("Most distinct in 10 s").click();
    await until("ten seconds", async () => /10 seconds/.test(await line()) && page.url().includes("10_seconds"));
    await preset("Spread against uniform").click();
    await until("with uniform sampling", async () => (await text(page, ".race-boards")).includes("Uniform sampling"));
    assert((await preset("Spread against uniform").getAttribute("aria-pressed")) === "true", "it is marked");
    await preset("First to one tour").click();
    await start(page).click();
    await page.getByRole("button", { name: "Skip" }).click();
    await until("it is over", () => isOver(page));
    assert(/needs the fewest attempts|No method found a tour/.test(await text(page, "#race .verdict")), await text(page, "#race .verdict"));
    await page.goBack().catch(() => null);
  }));

  await suite.test("methods are added and removed, and Stop shows the results so far", () => on(house, "#race?board=6x6&solvers=backtrack;mace&budget=20_seconds&runs=1&seed=1", async (page) => {
    await page.locator("#race").getByRole("button", { name: "Add a method" }).click();
    await until("three boards", async () => (await page.locator(".race-board").count()) === 3);
    await page.locator("#race").getByRole("button", { name: /^Remove / }).last().click();
    await until("two boards", async () => (await page.locator(".race-board").count()) === 2);
    await start(page).click();
    await until("it runs", async () => (await jobs(house)).some(({ over }) => !over));
    await until("something is found", async () => (await page.locator(".race-board dd").allTextContents()).some((value) => Number(value.replace(/\D/g, "")) > 0));
    await page.locator("#race").getByRole("button", { name: "Stop" }).click();
    await until("it is stopped", async () => /Stopped|over/.test(await said(page)));
    await until("the server has no job", async () => (await jobs(house)).every(({ over }) => over));
  }));

  await suite.test("a large table is asked about before a race builds it", () => on(house, "#race?board=8x8&solvers=uniform;warnsdorff&budget=100_attempts&runs=1", async (page) => {
    await start(page).click();
    await until("it is asked", async () => /need a large table.*1\.8 GB|1\.8 GB.*memory/.test(await said(page)));
    assert((await jobs(house)).every(({ over }) => over), "nothing is built yet");
    await page.getByRole("button", { name: "Race without it" }).click();
    await until("it races without", async () => (await text(page, ".race-boards")).includes("backbite") && /Running|Raced|over/.test(await said(page)));
  }));

  await suite.test("a race runs on a phone, and a race on an impossible board names the theorem", () => on(house, "#race?board=5x5&solvers=backtrack;warnsdorff&budget=1k_attempts&runs=1", async (page) => {
    await start(page).tap();
    await page.getByRole("button", { name: "Skip" }).tap();
    await until("it is over", () => isOver(page));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert(wide <= 0, `${wide} pixels too wide`);
    await page.goto(`${house.server.url}#race?board=5x5&closed=1&solvers=backtrack;warnsdorff&budget=1k_attempts`);
    await start(page).tap();
    await until("the theorem", async () => (await messages(page)).includes("Impossible (theorem):"));
  }, { screen: PHONE }));
}
