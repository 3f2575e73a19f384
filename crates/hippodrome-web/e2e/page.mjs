// The page as a visitor uses it, in a browser, wide and narrow.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { assert, browser, findings, hippo, SCREENS, serve, SOON, Suite, target } from "./stage.mjs";

const suite = new Suite();
const server = await serve();
const chromium = await browser();

const text = (page, selector) => page.locator(selector).innerText();
const counter = async (page, name) => {
  const value = await page.locator(".counters div", { has: page.locator(`dt:text-is("${name}")`) }).first().locator("dd").innerText();
  return Number(value.replaceAll(",", ""));
};
const stepNumber = async (page) => Number((await text(page, ".player .where span:last-child")).replace(/[^0-9]/g, ""));

/** Waits until something is so; tells what was not. */
async function until(what, is) {
  const begun = Date.now();
  while (!(await is())) {
    assert(Date.now() - begun < SOON, `${what}: does not come about`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Opens the page at an address, with what goes wrong in it collected. */
async function open(context, hash = "") {
  const page = await context.newPage();
  page.setDefaultTimeout(SOON);
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  await page.goto(server.url + hash);
  await page.waitForSelector('body[data-ready="yes"]');
  return { page, troubles };
}

async function shot(page, name) {
  await page.screenshot({ path: path.join(target, "shots", `${name}.png`), fullPage: false });
}

/** What every screen must allow. */
async function onScreen(name, screen) {
  console.log(name);
  const context = await chromium.newContext({ ...screen, acceptDownloads: true });
  const cell = (page, square) => page.getByRole("gridcell", { name: new RegExp(`^${square}($|,)`) });

  await suite.test(`${name}: a board with holes is painted, by pointer and by keys`, async () => {
    const { page, troubles } = await open(context);
    await page.fill("#rows", "6");
    await page.press("#rows", "Tab");
    await page.fill("#cols", "7");
    await page.press("#cols", "Tab");
    await until("the board has 42 squares", async () => (await page.locator(".cell").count()) === 42);
    await cell(page, "a1").click();
    await cell(page, "g6").click();
    assert((await page.locator(".cell.hole").count()) === 2, "two holes");
    await cell(page, "g6").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("s");
    assert((await page.locator(".cell.hole").count()) === 3, "a third, by the keyboard");
    assert((await cell(page, "f5").getAttribute("aria-label")) === "f5, start", "the start");
    await cell(page, "g6").click();
    assert(new URL(page.url()).hash.includes("holes=a1,f6"), `the address says so: ${page.url()}`);
    await until("what is known is told", async () => (await text(page, "#facts")).includes("40 squares"));
    assert(troubles.length === 0, troubles.join("\n"));
    await page.close();
  });

  await suite.test(`${name}: ants are watched, paused, stepped and gone back through`, async () => {
    const { page, troubles } = await open(context, "#watch?board=6x6&solver=mace&seed=7");
    await page.selectOption(".player select", "null");
    await page.getByLabel("Rest at every tour").uncheck();
    await page.getByRole("button", { name: "Watch" }).click();
    await until("ants have found tours", async () => (await counter(page, "Tours")) > 3);
    await until("their trails are shown", async () => (await page.locator(".insight canvas").count()) === 1);
    await page.getByRole("button", { name: "Pause" }).click();
    await until("it rests", async () => (await page.getByRole("button", { name: "Play" }).count()) === 1);
    await until("it has come to rest", async () => {
      const before = await stepNumber(page);
      await page.waitForTimeout(150);
      return before === (await stepNumber(page));
    });
    const at = await stepNumber(page);
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await until("one step on", async () => (await stepNumber(page)) === at + 1);
    await page.getByRole("button", { name: "Step back" }).click();
    await until("one step back", async () => (await stepNumber(page)) === at);
    await page.getByLabel("Go back to an earlier step").fill("0");
    await until("the first that is kept", async () => (await stepNumber(page)) < at);
    assert((await findings(page)).length === 0, (await findings(page)).join("\n"));
    await shot(page, `${name}-ants`);
    await page.getByRole("button", { name: "Stop" }).click();
    assert(troubles.length === 0, troubles.join("\n"));
    await page.close();
  });

  await suite.test(`${name}: stacks, networks and populations are shown`, async () => {
    for (const [solver, shown] of [["backtrack", "The stack"], ["ga-repair", "Legal moves"], ["neural", null]]) {
      const { page } = await open(context, `#watch?board=6x6&solver=${solver}&seed=2`);
      await page.selectOption(".player select", "3000");
      await page.getByLabel("Rest at every tour").uncheck();
      await page.getByRole("button", { name: "Watch" }).click();
      await until(`${solver} moves`, async () => (await counter(page, "Moves")) > 100);
      if (shown) await until(`${solver} shows ${shown}`, async () => (await page.locator(".insight figcaption").allInnerTexts()).join().includes(shown));
      else await until("sweeps are counted", async () => (await counter(page, "Sweeps").catch(() => 0)) > 0);
      await page.getByRole("button", { name: "Stop" }).click();
      await page.close();
    }
  });

  await suite.test(`${name}: three methods race, and the link repeats it`, async () => {
    const { page, troubles } = await open(context, "#race?board=5x5");
    const setUp = async (p) => {
      await p.getByRole("button", { name: "Start the race" }).click();
      await until("the race is over", async () => (await text(p, "main")).includes("The race is over"));
      return p.locator("#results tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].slice(0, 6).map((c) => c.textContent).join("|")));
    };
    await page.getByLabel("Budget of a run").fill("5k");
    await page.getByLabel("Budget of a run").press("Tab");
    await page.getByLabel("Runs each").fill("2");
    await page.getByLabel("Runs each").press("Tab");
    const first = await setUp(page);
    assert(first.length === 3, `three rows: ${first}`);
    assert(first.every((row) => row.includes("2/2")), first.join("\n"));
    assert((await page.locator(".chart polyline").count()) === 6, "a line for each run");
    assert((await findings(page)).length === 0, (await findings(page)).join("\n"));
    await page.locator("#results").scrollIntoViewIfNeeded();
    await shot(page, `${name}-race`);
    const again = await open(context, new URL(page.url()).hash);
    const second = await setUp(again.page);
    assert(JSON.stringify(first) === JSON.stringify(second), `the same numbers:\n${first.join("\n")}\n${second.join("\n")}`);
    assert(troubles.length === 0, troubles.join("\n"));
    await page.close();
    await again.page.close();
  });

  await suite.test(`${name}: a gallery is drawn, a tour looked at, taken home and shared`, async () => {
    const { page, troubles } = await open(context, "#gallery?board=6x6&closed=1&seed=3");
    await page.getByRole("button", { name: "Draw tours" }).click();
    await until("a dozen", async () => (await page.locator(".thumb").count()) === 12);
    await shot(page, `${name}-gallery`);
    assert((await findings(page)).length === 0, (await findings(page)).join("\n"));
    const first = await page.locator(".thumb").first().getAttribute("data-tour");
    await page.locator(".thumb").first().click();
    await until("the picture is there", () => page.locator(".picture").evaluate((image) => image.complete && image.naturalWidth > 100));
    assert((await text(page, ".tourview")).includes("Crossings"), "crossings are counted");
    assert((await findings(page)).length === 0, (await findings(page)).join("\n"));
    await shot(page, `${name}-tour`);
    for (const [button, ending] of [["SVG", "svg"], ["PNG", "png"], ["GIF", "gif"], ["JSON", "json"], ["Grid", "txt"]]) {
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button, exact: true }).click()]);
      const saved = path.join(target, `tour-${name}.${ending}`);
      await file.saveAs(saved);
      if (button === "PNG" || button === "GIF") {
        assert(readFileSync(saved).subarray(0, 4).toString("latin1").includes(button === "PNG" ? "PNG" : "GIF"), button);
        continue;
      }
      const checked = spawnSync(hippo, ["check", saved, "--json"], { encoding: "utf8" });
      assert(checked.status === 0, `hippo check ${saved}: ${checked.stderr}`);
      const told = JSON.parse(checked.stdout.split("\n")[0]);
      assert(told.valid && told.closed, checked.stdout);
    }
    await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => null);
    await page.locator(".tourview").getByRole("button", { name: "Copy link" }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const shared = await open(context, new URL(link).hash);
    await until("the shared tour opens", async () => (await shared.page.locator(".tourview[open] .picture").count()) === 1);
    assert(link.includes(first.split(" ")[1].slice(0, 20)), `${link} holds ${first}`);
    assert(troubles.length + shared.troubles.length === 0, [...troubles, ...shared.troubles].join("\n"));
    await page.close();
    await shared.page.close();
  });

  await suite.test(`${name}: an impossible board says which theorem`, async () => {
    const { page } = await open(context, "#watch?board=5x5&closed=1");
    await until("the theorem is told", async () => (await text(page, "#verdict")).includes("Impossible (theorem):"));
    await page.getByRole("button", { name: "Watch" }).click();
    await until("no search is begun", async () => (await text(page, "#watch")).includes("nothing to search for"));
    assert((await findings(page)).length === 0, (await findings(page)).join("\n"));
    await shot(page, `${name}-impossible`);
    await page.close();
  });

  await suite.test(`${name}: nothing is wider than the screen`, async () => {
    for (const hash of ["#watch?board=60x60", "#race", "#gallery", "#watch?board=3x30"]) {
      const { page } = await open(context, hash);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert(wider <= 0, `${hash} is ${wider} pixels too wide`);
      await page.close();
    }
  });
  await context.close();
}

for (const [name, screen] of Object.entries(SCREENS)) await onScreen(name, screen);

await suite.test("dark pages pass axe as well", async () => {
  const context = await chromium.newContext({ ...SCREENS.desktop, colorScheme: "dark" });
  for (const hash of ["#watch", "#race", "#gallery", "#watch?board=5x5&closed=1"]) {
    const { page } = await open(context, hash);
    assert((await findings(page)).length === 0, `${hash}: ${(await findings(page)).join("\n")}`);
    await page.close();
  }
  await context.close();
});

await suite.test("who wants no motion gets none until they ask for it", async () => {
  const context = await chromium.newContext({ ...SCREENS.desktop, reducedMotion: "reduce" });
  const { page } = await open(context, "#watch?board=6x6&solver=backtrack");
  await page.getByRole("button", { name: "Watch" }).click();
  await until("it waits", async () => (await text(page, "#watch")).includes("waits for you"));
  await page.waitForTimeout(400);
  assert((await stepNumber(page)) === 1, "it stands at its first step");
  await context.close();
});

await suite.test("a search that goes on unwatched is found again by its address", async () => {
  const context = await chromium.newContext(SCREENS.desktop);
  const { page } = await open(context, "#watch?board=8x8&solver=ants-random");
  await page.selectOption(".player select", "null");
  await page.getByLabel("Rest at every tour").uncheck();
  await page.getByLabel("Goes on unwatched").check();
  await page.getByRole("button", { name: "Watch" }).click();
  await until("it runs", async () => (await stepNumber(page)) > 1000);
  const hash = new URL(page.url()).hash;
  assert(hash.includes("job="), hash);
  const at = await stepNumber(page);
  await page.close();
  const again = await open(context, hash);
  await until("it has gone on", async () => (await stepNumber(again.page)) > at);
  await again.page.getByRole("button", { name: "Stop" }).click();
  await context.close();
});

await suite.test("a large board is shown as an image", async () => {
  const context = await chromium.newContext(SCREENS.desktop);
  const { page } = await open(context, "#watch?board=120x100");
  await page.getByRole("button", { name: "Find a tour at once" }).click();
  await until("the image is there", () => page.locator("#image").evaluate((image) => !image.hidden && image.naturalWidth > 200));
  await shot(page, "large");
  await context.close();
});

await suite.test("the server ends when it is told to", async () => {
  const code = await server.end();
  assert(code === 130, `exit code ${code}`);
});
await chromium.close();
suite.finish();
