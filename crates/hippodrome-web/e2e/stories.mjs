// Stories: all nine, through every stop, each with its text and with what it says on the stage.

import { headline, ink, NOTE_TEXTS, on, open, status, stepNumber, text, tool, written } from "./hands.mjs";
import { assert, DESKTOP, findings, until } from "./stage.mjs";
import { historicFaults, storyFaults } from "./stories_check.mjs";
import { STORIES } from "../page/stories_data.js";

/** Parts of figures over the board, by the names of the stories' data. */
const FIGURES = { sums: ".sums", piles: ".piles", colours: ".colours", ring: ".ring, .story-figure", parts: ".parts, .story-figure" };

const inWindow = (page, selector) => page.locator(selector).first().evaluate((node) => {
  const box = node.getBoundingClientRect();
  return box.width > 0 && box.top >= -1 && box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1;
});

/** Waits until the stage shows what a stop says. */
async function stageShows(page, at, stop, solvers) {
  const [rows, cols] = stop.ground.board.split("x").map(Number);
  const cells = rows * cols;
  if (Math.max(rows, cols) <= 40) await until(`${at}: a board of ${stop.ground.board}`, async () => (await page.locator("#board .cell").count()) === cells);
  if (stop.watch) {
    const { title } = solvers.find(({ name }) => name === stop.watch.solver);
    await until(`${at}: ${title} runs`, async () => (await headline(page)).includes(title) && (await stepNumber(page)) > 0);
    assert((await headline(page)).includes(`${stop.ground.board} ${stop.ground.closed ? "closed" : "open"}`), `${at}: ${await headline(page)}`);
    const { step = null } = stop.watch;
    if (step !== null) {
      await until(`${at}: it rests at step ${step}`, async () => (await stepNumber(page)) === step && /Paused|Tour found/.test(await status(page)));
    }
    await until(`${at}: a path is drawn`, async () => (await ink(page)) > 20);
    await until(`${at}: progress is counted`, async () => /^[1-9]/.test(await text(page, "#watch .counters.three div:first-child dd")));
    assert((await text(page, "#narration")).length > 10 || step === null, `${at}: the step is told`);
  } else if (stop.show) {
    await until(`${at}: its figure`, async () => (await page.locator("#overlay").isVisible()) && (await page.locator(`#overlay ${FIGURES[stop.show].split(",")[0]} svg, #overlay .story-figure svg`).count()) > 0);
    assert(await inWindow(page, "#overlay svg"), `${at}: the figure is in the window`);
  } else if (stop.tour) {
    await until(`${at}: the whole tour is drawn`, async () => (await headline(page)).includes(stop.ground.board) && (await ink(page)) > 500);
    assert(/Source: ./.test(await text(page, "#messages")), `${at}: the source: ${await text(page, "#messages")}`);
    if (stop.numbers) await until(`${at}: numbers 1 to ${cells}`, async () => {
      const numbers = new Set((await written(page)).map(([word]) => word));
      return Array.from({ length: cells }, (_, n) => String(n + 1)).every((n) => numbers.has(n));
    });
    if (stop.ground.start && stop.numbers) {
      const [, x, y] = (await written(page)).find(([word]) => word === "1");
      const name = "abcdefgh"[Math.floor(8 * x)] + (8 - Math.floor(8 * y));
      assert(name === stop.ground.start, `${at}: 1 is on ${name}`);
    }
  }
}

export default async function stories(house) {
  const { suite, server, chromium } = house;
  const registry = await server.get("/api/solvers");

  await suite.test("stories have 60 to 100 words, three to five stops, and tours that are in the data", async () => {
    const faults = [...storyFaults(registry), ...historicFaults()];
    assert(faults.length === 0, faults.join("\n"));
    const shipped = await server.get("/api/historic");
    const tours = Array.isArray(shipped) ? shipped : shipped.tours;
    assert(tours.every(({ source, year, author }) => source && year && author), "every tour has a source");
  });

  const context = await chromium.newContext(DESKTOP);
  const { page, errors } = await open(house, context, "", { init: NOTE_TEXTS });
  await suite.test("the nine stories are cards, and a card opens its story", async () => {
    await tool(page, "Stories").first().click();
    await until("nine cards", async () => (await page.locator(".story-card:visible").count()) === 9);
    assert(new URL(page.url()).hash.startsWith("#watch"), page.url());
    for (const { title, year } of STORIES) assert((await text(page, ".story-cards")).includes(title) && (await text(page, ".story-cards")).includes(year), title);
    await page.locator(".story-card").nth(1).click();
    await until("the story opens", async () => (await text(page, ".story-title")).includes(STORIES[1].title));
    await page.getByRole("button", { name: "All stories" }).click();
    await until("the list returns", async () => (await page.locator(".story-card:visible").count()) === 9);
  });

  for (const story of STORIES) {
    await suite.test(`"${story.title}" shows at each of its ${story.stops.length} stops what the stop says`, async () => {
      if (!(await page.locator(".story-cards").isVisible())) await tool(page, "Stories").first().click();
      await page.locator(`[data-story="${story.id}"]`).click();
      for (const [index, stop] of story.stops.entries()) {
        const at = `${story.id}, stop ${index + 1}`;
        if (index > 0) await page.locator(".story-buttons").getByRole("button", { name: "Next" }).click();
        await until(`${at}: its text`, async () => (await text(page, ".story-text")) === stop.text);
        assert(await inWindow(page, ".story-text") && await inWindow(page, ".story-buttons"), `${at}: the text is in the window`);
        assert((await text(page, ".story-count")) === `${index + 1} of ${story.stops.length}`, `${at}: ${await text(page, ".story-count")}`);
        await stageShows(page, at, stop, registry.solvers);
        await until(`${at}: the address`, async () => page.url().includes(`story=${story.id}`) && page.url().includes(`stop=${index + 1}`));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert(wide <= 0, `${at}: ${wide} pixels too wide`);
        assert(errors.length === 0, `${at}: ${errors.join("\n")}`);
      }
      const found = await findings(page);
      assert(found.length === 0, found.join("\n"));
      await page.locator(".story-buttons").getByRole("button", { name: "Back" }).click();
      await until("Back goes back", async () => (await text(page, ".story-text")) === story.stops.at(-2).text);
      await page.getByRole("button", { name: "All stories" }).click();
      await server.endJobs();
    });
    if (await page.locator(".story-reader").isVisible()) await page.getByRole("button", { name: "All stories" }).click();
  }
  await context.close();

  await suite.test("the rows and columns of Beverley's tour sum to 260", () => on(house, "#watch?story=beverley&stop=2", async (one) => {
    await until("the sums", async () => (await one.locator("#overlay .fig-sums text").count()) === 16);
    const sums = await one.locator("#overlay .fig-sums text").allTextContents();
    assert(sums.every((sum) => sum === "260"), sums.join());
    const numbers = (await one.locator("#overlay text.number").allTextContents()).map(Number).sort((a, b) => a - b);
    assert(numbers.length === 64 && numbers.every((n, at) => n === at + 1), `1 to 64: ${numbers}`);
  }));

  await suite.test("arrows go through a story, Escape leaves it, and its link survives a refresh", () => on(house, "#watch?story=turk&stop=2", async (one) => {
    const turk = STORIES.find(({ id }) => id === "turk");
    await until("the second stop", async () => (await text(one, ".story-text")) === turk.stops[1].text);
    await one.keyboard.press("ArrowRight");
    await until("the third", async () => (await text(one, ".story-text")) === turk.stops[2].text);
    await one.reload();
    await until("after a refresh", async () => (await text(one, ".story-text")) === turk.stops[2].text);
    await one.keyboard.press("ArrowLeft");
    await until("back", async () => (await text(one, ".story-text")) === turk.stops[1].text);
    await one.keyboard.press("Escape");
    await until("the page as at load", async () => (await one.locator(".choices").isVisible()) && (await ink(one)) > 100);
  }));
}
