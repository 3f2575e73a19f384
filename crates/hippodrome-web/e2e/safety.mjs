// Safe hands: clicks, undo, back and forward, refresh, a dead server, searches of other pages.

import {
  button, cell, counter, FULL_SPEED, headline, ink, jobs, messages, narration, on, open, openSettings, play, runOn, setSpeed,
  settled, status, stepNumber, text, tool, withSettings,
} from "./hands.mjs";
import { assert, DESKTOP, PHONE, rest, serve, until } from "./stage.mjs";

const label = (page, square) => page.locator(`.cell[data-number="${square}"]`).getAttribute("aria-label");
const holes = (page) => page.locator(".cell.hole").count();
const address = (page) => new URL(page.url()).hash;

export default async function safety(house) {
  const { suite, chromium } = house;

  await suite.test("a click places the knight, and the pointer shows its moves", () => on(house, "", async (page) => {
    await cell(page, "d4").hover();
    await until("its moves are marked", async () => (await page.locator(".cell.reach").count()) === 8);
    const marked = await page.locator(".cell.reach").evaluateAll((cells) => cells.map((one) => one.getAttribute("aria-label")).sort().join());
    assert(marked === "b3,b5,c2,c6,e2,e6,f3,f5", marked);
    await page.locator("#narration").hover();
    await until("the marks are gone", async () => (await page.locator(".cell.reach").count()) === 0);
    // The page shows a finished tour at first; without it, a click sets up the board.
    await tool(page, "Put the knight somewhere Choose its first square").or(page.locator(".choices button").nth(1)).first().click();
    await cell(page, "d4").click();
    await until("the knight is there", async () => (await label(page, 27)) === "d4, knight");
    assert(address(page).includes("start=d4"), address(page));
    assert((await narration(page)).includes("d4"), await narration(page));
    await until("it is drawn", async () => (await ink(page)) > 50);
    await play(page);
    await until("the search starts there", async () => (await headline(page)).includes("from d4"));
    assert((await holes(page)) === 0, "no holes");
  }));

  await suite.test("Shift and a click, the brush and H make holes, and undo takes back each change", () => on(house, "#watch?board=6x7", async (page) => {
    await page.locator(".choices button").nth(1).click();
    const undo = tool(page, "Undo");
    assert(await undo.isDisabled(), "nothing to undo at first");
    const changed = async (what, is) => {
      await until(what, is);
      // Changes that follow at once are one stroke.
      await rest(550);
    };
    await cell(page, "a1").click({ modifiers: ["Shift"] });
    await changed("a hole by Shift", async () => (await holes(page)) === 1);
    await tool(page, "Holes").click();
    const [from, to] = await Promise.all(["b3", "e3"].map((name) => cell(page, name).boundingBox()));
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 10, to.y + 10, { steps: 12 });
    await page.mouse.up();
    await changed("a stroke of holes", async () => (await holes(page)) === 5);
    await tool(page, "Holes").click();
    await cell(page, "g6").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("h");
    await changed("a hole by H", async () => (await holes(page)) === 6);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("s");
    await changed("a start by S", async () => (await label(page, 33)) === "f5, knight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("e");
    await changed("an end by E", async () => (await label(page, 26)) === "f4, end");
    await cell(page, "c1").click();
    await changed("the knight by a click", async () => (await label(page, 2)) === "c1, knight");
    await openSettings(page);
    await page.fill("#rows", "7");
    await page.press("#rows", "Tab");
    await changed("another size", async () => (await page.locator(".cell").count()) === 49);
    await page.selectOption("#leaper", "1,3");
    await changed("another piece", async () => address(page).includes("leaper=1,3"));
    await page.getByLabel("Closed", { exact: true }).check();
    await changed("closed tours", async () => address(page).includes("closed=1"));
    await page.getByRole("button", { name: "Clear the board" }).click();
    await changed("an empty board", async () => (await holes(page)) === 0);
    await page.locator("#drawer-close").click();
    const back = [
      ["the holes return", async () => (await holes(page)) === 6],
      ["open tours", async () => !address(page).includes("closed=1")],
      ["the knight", async () => !address(page).includes("leaper=")],
      ["the size", async () => (await page.locator(".cell").count()) === 42],
      ["the start", async () => (await label(page, 33)) === "f5, knight"],
      ["no end", async () => !address(page).includes("end=")],
      ["no start", async () => !address(page).includes("start=")],
      ["the hole of H", async () => (await holes(page)) === 5],
      ["the stroke at once", async () => (await holes(page)) === 1],
      ["all", async () => (await holes(page)) === 0],
    ];
    for (const [what, is] of back) {
      await undo.click();
      await until(`undo: ${what}`, is);
    }
    assert(await undo.isDisabled(), "nothing is left to undo");
    await page.goBack();
    await until("the browser goes back to a board before", async () => (await holes(page)) > 0);
  }));

  await suite.test("a click on a finished tour opens the large view and keeps the tour", () => on(house, "#watch?board=6x6&solver=warnsdorff&seed=1&speed=full", async (page) => {
    await play(page);
    await until("the tour is found", async () => (await messages(page)).includes("Tour found:"));
    const before = await ink(page);
    await cell(page, "c3").click();
    await until("the large view opens", () => page.locator("#tourview[open]").isVisible());
    await until("with its picture", () => page.locator(".picture").evaluate((image) => image.complete && image.naturalWidth > 100));
    await page.locator("#tourview").getByRole("button", { name: "Close" }).click();
    await until("it is closed", async () => !(await page.locator("#tourview").isVisible()));
    assert((await holes(page)) === 0 && !address(page).includes("holes"), "no hole");
    assert(!address(page).includes("start="), `no start: ${address(page)}`);
    assert(Math.abs((await ink(page)) - before) < before / 10, "the tour is still drawn");
    assert((await messages(page)).includes("Tour found:"), "and still said");
  }));

  await suite.test("a search is drawn only on its own board", () => on(house, "#watch?board=5x6&solver=warnsdorff&speed=full", async (page) => {
    await play(page);
    await until("the tour is found", async () => (await messages(page)).includes("Tour found:"));
    await until("it is drawn", async () => (await ink(page)) > 100);
    await cell(page, "e1").click({ modifiers: ["Shift"] });
    await until("a message offers the new board", async () => /▶ starts .*1 hole/.test(await messages(page)));
    await until("nothing is drawn", async () => (await ink(page)) === 0);
    assert(!(await messages(page)).includes("Tour found"), "the tour of the other board is not announced");
    await page.locator("#messages").getByRole("button", { name: "Keep" }).click();
    await until("it is drawn again", async () => (await ink(page)) > 100);
    assert((await holes(page)) === 0, "the hole is gone");
  }));

  await suite.test("back and forward follow links and the stops of a story", () => on(house, "#watch?board=5x5", async (page) => {
    const boards = ["6x6", "7x7", "5x8"];
    for (const board of boards) {
      await page.evaluate((to) => (location.hash = `#watch?board=${to}&solver=${to === "7x7" ? "mace" : "exact"}`), board);
      await until(`${board} is shown`, async () => address(page).includes(`board=${board}`) && address(page).includes("seed="));
    }
    for (const [move, board] of [["goBack", "7x7"], ["goBack", "6x6"], ["goForward", "7x7"], ["goForward", "5x8"]]) {
      await page[move]();
      await until(`${move} to ${board}`, async () => address(page).includes(`board=${board}`));
    }
    await page.evaluate(() => (location.hash = "#watch?story=beverley"));
    const count = async () => page.locator(".story-count").innerText();
    await until("the first stop", async () => (await count()) === "1 of 4");
    for (const stop of [2, 3]) {
      await page.getByRole("button", { name: "Next", exact: true }).click();
      await until(`stop ${stop}`, async () => (await count()) === `${stop} of 4` && address(page).includes(`stop=${stop}`));
    }
    for (const stop of [2, 1]) {
      await page.goBack();
      await until(`back to stop ${stop}`, async () => (await count()) === `${stop} of 4`);
    }
    await page.goBack();
    await until("the board before the story", async () => address(page).includes("board=5x8") && !(await page.locator(".story-reader").isVisible()));
    await page.goForward();
    await until("the story again", async () => (await count()) === "1 of 4");
    await page.evaluate(() => (location.hash = "#watch?board=6x6&solver=mace"));
    await until("a link leaves the story", async () => address(page).includes("board=6x6") && address(page).includes("solver=mace") && (await page.locator(".cell").count()) === 36);
  }));

  await suite.test("back and forward follow the settings", () => on(house, "#watch?board=6x6&solver=backtrack", async (page) => {
    await withSettings(page, (drawer) => drawer.locator("#watch-settings select").first().selectOption("warnsdorff"));
    await page.click('nav a[data-tab="race"]');
    await until("the race", () => page.locator("#race").isVisible());
    await page.click('nav a[data-tab="gallery"]');
    await until("the gallery", () => page.locator("#gallery").isVisible());
    await page.goBack();
    await until("the race again", () => page.locator("#race").isVisible());
    await page.goBack();
    await until("Warnsdorff's rule again", async () => address(page).includes("solver=warnsdorff") && (await page.locator("#watch").isVisible()));
    await page.goBack();
    await until("the first method again", async () => address(page).includes("solver=backtrack"));
    await page.goForward();
    await until("forward", async () => address(page).includes("solver=warnsdorff"));
  }));

  await suite.test("a refresh follows the search that runs", () => on(house, "#watch?board=8x8&solver=ants-random&seed=5&speed=30", async (page) => {
    await runOn(page);
    await play(page);
    await until("it runs", async () => (await stepNumber(page)) > 20);
    const [before] = (await jobs(house)).filter(({ over }) => !over);
    const n = await stepNumber(page);
    await page.reload();
    await until("it goes on", async () => (await stepNumber(page)) > n + 5);
    const after = (await jobs(house)).filter(({ over }) => !over);
    assert(after.length === 1 && after[0].id === before.id, `the same job: ${JSON.stringify(after)}`);
    assert((await status(page)) === "Running", await status(page));
    assert((await headline(page)).includes("Ants that do not learn"), await headline(page));
  }));

  await suite.test("a dead server is said within two seconds, and a new one is taken up", async () => {
    let own = await serve();
    const { port } = new URL(own.url);
    const context = await chromium.newContext(DESKTOP);
    const { page } = await open(house, context, "#watch?board=8x8&solver=ants-random&seed=5&speed=30", { url: own.url });
    try {
      await runOn(page);
      await play(page);
      await until("the pulse beats", async () => (await stepNumber(page)) > 20);
      await own.kill();
      const begun = Date.now();
      await until("it is said", async () => (await messages(page)).includes("hippo serve is not answering"));
      assert(Date.now() - begun < 3500, `said after ${Date.now() - begun} ms`);
      assert(/trying again/i.test(await messages(page)), await messages(page));
      const squares = await counter(page, "Visited");
      await until("a new server starts", async () => (own = await serve({ port }).catch(() => null)) !== null);
      await until("the page takes it up", async () => !(await messages(page)).includes("not answering"));
      assert(squares !== null && (await stepNumber(page)) > 0, "what was on the page stays");
      await button(page, "Play").click();
      await until("a search runs on the new server", async () => (await own.get("/api/jobs")).jobs.some(({ over }) => !over) && (await status(page)) === "Running");
    } finally {
      await context.close();
      await own?.kill();
    }
  });

  await suite.test("searches of other pages are a badge in the header", () => on(house, "#watch?board=8x8&solver=ants-random&seed=5&speed=30", async (page, context) => {
    await runOn(page);
    await play(page);
    const other = await open(house, context, "#watch?board=6x6");
    const badge = other.page.locator("#job-badge");
    await until("the badge counts one", async () => (await badge.isVisible()) && (await badge.textContent()) === "1 other search");
    assert((await badge.boundingBox()).y < 60, "in the header");
    assert(await page.locator("#job-badge").isHidden(), "not on its own page");
    await badge.click();
    await until("it is listed", async () => (await text(other.page, "#jobs-dialog")).includes("ants-random"));
    await other.page.locator("#jobs-dialog").getByRole("button", { name: /^Stop/ }).click();
    await until("it has stopped", async () => (await status(page)).includes("Stopped"));
    await until("the badge is gone", () => badge.isHidden());
    assert(other.errors.length === 0, other.errors.join("\n"));
  }));

  await suite.test("a touch that scrolls over the board changes nothing, and a tap places the knight", () => on(house, "#watch?board=8x8", async (page, context) => {
    await page.locator(".choices button").nth(1).tap();
    const box = await page.locator("#board").boundingBox();
    const finger = await context.newCDPSession(page);
    const touch = (type, touchPoints) => finger.send("Input.dispatchTouchEvent", { type, touchPoints });
    const x = box.x + box.width / 2;
    let y = box.y + box.height - 30;
    await touch("touchStart", [{ x, y }]);
    for (let i = 0; i < 12; i++) await touch("touchMove", [{ x, y: (y -= 14) }]);
    await touch("touchEnd", []);
    assert((await holes(page)) === 0 && !address(page).includes("start="), "nothing is changed");
    await page.locator('.cell[data-number="9"]').tap();
    await until("the knight", async () => (await label(page, 9)) === "b2, knight");
    await tool(page, "Holes").tap();
    await page.locator('.cell[data-number="12"]').tap();
    await until("a hole", async () => (await holes(page)) === 1);
  }, { screen: PHONE }));

  await suite.test("a full-speed search ends with Stop at once", () => on(house, "#watch?board=8x8&solver=backtrack&seed=3", async (page) => {
    await setSpeed(page, FULL_SPEED);
    await runOn(page);
    await play(page);
    await until("it runs", async () => (await counter(page, "Dead ends")) > 100);
    await button(page, "Stop").click();
    await until("it is stopped", async () => (await status(page)) === "Stopped");
    const n = await settled(page);
    assert(n > 100, String(n));
    await until("the server has no job", async () => (await jobs(house)).every(({ over }) => over));
  }));
}
