// Links: setups, tours, steps, speeds and background searches survive copying and a fresh browser.

import { readFileSync } from "node:fs";
import path from "node:path";
import {
  button, cell, counter, headline, ink, messages, on, open, play, runOn, setSpeed, settled, status, stepNumber, text, tool, withSettings,
} from "./hands.mjs";
import { assert, DESKTOP, until } from "./stage.mjs";

const hash = (page) => new URL(page.url()).hash;
/** What the page shows of its setup. */
const shownSetup = (page) => page.evaluate(() => [
  document.querySelectorAll(".cell").length, document.querySelectorAll(".cell.hole").length,
  [...document.querySelectorAll(".cell")].map((cell) => cell.getAttribute("aria-label")).filter((label) => /knight|end/.test(label ?? "")).join(),
  document.querySelector("#watch-settings select")?.value, document.querySelector("#watch-settings input[type=number]")?.value,
  document.querySelector("#player input")?.getAttribute("aria-valuetext"),
].join("; "));

/** Copies the link that a button copies. */
async function copied(page, context, link) {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await link.click();
  let address = "";
  await until("the link is copied", async () => (address = await page.evaluate(() => navigator.clipboard.readText())) !== "");
  return address;
}

export default async function links(house) {
  const { suite, chromium, server } = house;
  /** Opens an address in a fresh browser context. */
  const fresh = (address, run, more) => on(house, new URL(address).hash, run, more);

  await suite.test("the link of a setup gives the same in a fresh browser, after back, forward and refresh", () => on(house, "", async (page, context) => {
    await withSettings(page, async (drawer) => {
      await page.fill("#rows", "6");
      await page.press("#rows", "Tab");
      await page.fill("#cols", "7");
      await page.press("#cols", "Tab");
      await drawer.locator("#watch-settings select").first().selectOption("mace");
      await drawer.locator("#watch-settings input[type=number]").first().fill("7");
      await page.locator("#watch-settings input[type=number]").first().press("Tab");
    });
    await page.locator(".choices button").nth(1).click();
    await cell(page, "a1").click({ modifiers: ["Shift"] });
    await cell(page, "b1").click();
    await setSpeed(page, 3);
    await tool(page, "Numbers").click();
    await until("the address holds all", async () => ["board=6x7", "holes=a1", "start=b1", "solver=mace", "seed=7", "speed=30", "numbers=1"].every((part) => hash(page).includes(part)));
    const address = await copied(page, context, tool(page, "Copy link"));
    assert(address.endsWith(hash(page)), `${address} is not ${hash(page)}`);
    const setup = await shownSetup(page);
    await fresh(address, async (other) => {
      assert((await shownSetup(other)) === setup, `${await shownSetup(other)} is not ${setup}`);
      assert((await tool(other, "Numbers").getAttribute("aria-pressed")) === "true", "numbers");
      await other.reload();
      await until("after a refresh", async () => (await shownSetup(other)) === setup);
      await other.click('nav a[data-tab="race"]');
      await until("the race", () => other.locator("#race").isVisible());
      await other.goBack();
      await until("after back", async () => (await other.locator("#watch").isVisible()) && (await shownSetup(other)) === setup);
      await other.goForward();
      await until("after forward", () => other.locator("#race").isVisible());
      await other.goBack();
      await until("and back", async () => (await other.locator("#watch").isVisible()) && (await shownSetup(other)) === setup);
    });
  }));

  await suite.test("the link of a finished tour shows it in a fresh browser, after back, forward and refresh", () => on(house, "#watch?board=6x6&solver=warnsdorff&seed=2&speed=full", async (page, context) => {
    await play(page);
    await until("the tour is found", async () => (await messages(page)).includes("Tour found:"));
    await until("the address holds it", async () => hash(page).includes("tour="));
    const address = await copied(page, context, tool(page, "Copy link"));
    const shows = async (other) => (await headline(other)).includes("Open tour") && (await ink(other)) > 500;
    await fresh(address, async (other) => {
      await until("the tour is shown", () => shows(other));
      await other.reload();
      await until("after a refresh", () => shows(other));
      await other.click('nav a[data-tab="race"]');
      await until("the race", () => other.locator("#race").isVisible());
      await other.goBack();
      await until("after back", () => shows(other));
      await other.goForward();
      await other.goBack();
      await until("after forward and back", () => shows(other));
      assert(hash(other).includes("tour="), hash(other));
      await cell(other, "c3").click();
      await until("a click shows it large", () => other.locator("#tourview[open] .picture").isVisible());
    });
  }));

  await suite.test("a link holds the step at which a search rests", () => on(house, "#watch?board=8x8&solver=backtrack&seed=3&speed=60", async (page) => {
    await play(page);
    await until("it runs", async () => (await stepNumber(page)) > 40);
    await button(page, "Pause").click();
    await until("it rests", async () => (await status(page)) === "Paused");
    const n = await settled(page);
    await until("the address has the step", async () => new RegExp(`step=${n}(&|$)`).test(hash(page)));
    const visited = await counter(page, "Visited");
    await fresh(page.url(), async (other) => {
      await until("the same step", async () => (await stepNumber(other)) === n);
      assert((await counter(other, "Visited")) === visited, "the same path");
      await until("it rests there", async () => (await status(other)) === "Paused");
    });
  }));

  await suite.test("a link opens in present mode", () => on(house, "#watch?board=6x6&solver=warnsdorff&present=1", async (page) => {
    assert(await page.evaluate(() => document.body.classList.contains("present")), "present");
    await page.keyboard.press("f");
    await until("F leaves it", () => page.evaluate(() => !document.body.classList.contains("present")));
    await until("the address too", async () => !hash(page).includes("present"));
    await page.keyboard.press("f");
    await until("F returns", async () => hash(page).includes("present=1"));
  }));

  await suite.test("the address of a background search opens it again", async () => {
    const context = await chromium.newContext(DESKTOP);
    const { page } = await open(house, context, "#watch?board=8x8&solver=ants-random&speed=full");
    await withSettings(page, async (drawer) => {
      await drawer.getByLabel("Pause at each tour").uncheck();
      await drawer.getByLabel("Keep running in the background").check();
    });
    await play(page);
    await until("it runs", async () => (await stepNumber(page)) > 1000);
    await until("the address holds it", async () => hash(page).includes("job="));
    const address = page.url();
    const at = await stepNumber(page);
    await page.close();
    const again = await open(house, context, new URL(address).hash);
    await until("it has continued", async () => (await stepNumber(again.page)) > at);
    await button(again.page, "Stop").click();
    assert(again.errors.length === 0, again.errors.join("\n"));
    await context.close();
    await server.endJobs();
  });

  await suite.test("errors in a link are shown", () => on(house, "#watch?board=6x6&holes=a1,z9&start=a1&solver=dijkstra&seed=-5&bord=8x8&speed=0&story=x", async (page) => {
    const said = await messages(page);
    for (const part of ["z9", "'a1' is not a free square", "'bord'", "no story 'x'"]) assert(said.includes(part), `${part}: ${said}`);
    await page.goto(`${server.url}#watch?board=6x6&holes=a1,z9&solver=dijkstra&seed=-5&speed=0`);
    await until("the solver, the seed and the speed", async () => ["no method 'dijkstra'", "seed=-5", "speed=0"].every(((now) => (part) => now.includes(part))(await messages(page))));
    assert(!(await page.locator("body").innerText()).includes("`"), "no backticks");
    await page.locator("#messages").getByRole("button", { name: "Close" }).click();
    await until("the message closes", async () => !(await messages(page)).includes("invalid"));
    await page.goto(`${server.url}#race?board=5x5&budget=5K_attempts&solvers=mace:rho=7;warnsdorff`);
    await until("the race has errors of its own", async () => (await messages(page)).includes("rho=7"));
    await page.goto(`${server.url}#gallery?board=6x6&tour=a1_a2`);
    await until("an invalid tour is said", async () => /no valid tour/.test(await text(page, "main")));
  }, { allow: /status of 4/ }));

  await suite.test("the link of a tour in the gallery persists, and stays closed", async () => {
    const ground = { board: "6x6", holes: [], leaper: "1,2", closed: false, start: null, end: null };
    const { tour } = await server.post("/api/find", { ground, seed: 1 });
    await on(house, `#gallery?board=6x6&tour=${tour.digits.replaceAll(" ", "_")}`, async (page) => {
      await until("the tour opens", async () => (await page.locator("#tourview[open] .picture").count()) === 1);
      await page.reload();
      await until("and again", async () => (await page.locator("#tourview[open] .picture").count()) === 1);
      await page.locator("#tourview").getByRole("button", { name: "Close" }).click();
      await until("it stays closed", async () => !hash(page).includes("tour="));
    });
  });

  await suite.test("links of version 0.1.0 still give the same setup", async () => {
    const links = JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../../hippo/tests/fixtures/links.json"), "utf8"));
    assert(links.length > 10, "links");
    const context = await chromium.newContext(DESKTOP);
    /** The last request of the page, with the keys of the fixture. */
    let asked = null;
    const solver = ({ solver, params }) => [solver, ...Object.entries(params).map(([name, value]) => `${name}=${value}`).sort()].join(" ");
    await context.route("**/api/jobs", (route) => {
      if (route.request().method() !== "POST") return route.continue();
      const { ground, method, entrants, spending, runs, seed, tours, keep } = route.request().postDataJSON();
      const budget = Object.entries(spending ?? {}).map(([what, amount]) => `${amount} ${what}`).join();
      asked = { ...ground, solvers: (entrants ?? [method]).map(solver), budget, runs, seed, tours, kind: keep || null };
      // Answer without a search.
      const answer = { schema: 1, impossible: { reason: "It is a test", theorem: "none" } };
      return route.fulfill({ contentType: "application/json", body: JSON.stringify(answer) });
    });
    await context.route("**/api/tour", (route) => {
      const { ground, tour } = route.request().postDataJSON();
      asked = { ...ground, tour };
      return route.continue();
    });
    const start = { watch: "Play", race: "▶ Start", gallery: "▶ Draw tours" };
    for (const { link, sets: { part, ...sets } } of links) {
      const { page } = await open(house, context, link);
      assert((await page.evaluate(() => document.body.dataset.tab)) === part, `${link}: not ${part}`);
      assert(!(await messages(page)).includes("invalid"), `${link}: ${await messages(page)}`);
      if (sets.tour) await until(`${link}: the tour opens`, async () => (await page.locator("#tourview[open] .picture").count()) === 1);
      else {
        asked = null;
        await page.getByRole("button", { name: start[part], exact: true }).click();
        // A large table is built only when that is asked for.
        const build = page.locator("main").getByRole("button", { name: "Build it" });
        await until(`${link}: it starts or asks`, async () => asked !== null || (await build.isVisible()));
        if (asked === null) await build.click();
      }
      await until(`${link}: the server is asked`, () => asked !== null);
      for (const [name, value] of Object.entries(sets)) {
        const [is, should] = [asked[name], value].map((one) => JSON.stringify(one));
        assert(is === should, `${link}: ${name} is ${is}, not ${should}`);
      }
      await page.close();
      asked = null;
    }
    await context.close();
  });

  await suite.test("a paused search in a background tab keeps its link", () => on(house, "#watch?board=6x6&solver=mace&seed=7&speed=30", async (page) => {
    await runOn(page);
    await play(page);
    await until("it runs", async () => (await stepNumber(page)) > 10);
    await page.click('nav a[data-tab="race"]');
    await until("the race", () => page.locator("#race").isVisible());
    await page.goBack();
    await until("the search rests", async () => (await status(page)) === "Paused");
    assert(hash(page).includes("solver=mace"), hash(page));
    await button(page, "Play").click();
    await until("it goes on", async () => (await status(page)) === "Running");
  }));
}
