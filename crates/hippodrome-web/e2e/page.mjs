// Tests of the page in a browser, on wide and narrow screens.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { assert, browser, findings, hippo, SCREENS, serve, TIMEOUT, Suite, target } from "./stage.mjs";

const suite = new Suite();
const server = await serve();
const chromium = await browser();

const text = (page, selector) => page.locator(selector).innerText();
const counter = async (page, name) => {
  const value = await page.locator(".counters div", { has: page.locator(`dt:text-is("${name}")`) }).first().locator("dd").innerText();
  return Number(value.replaceAll(",", ""));
};
/** Returns a button of the player. */
const button = (page, name) => page.locator("#player").getByRole("button", { name, exact: true });
const stepNumber = async (page) => Number((await text(page, ".player .where span:last-child")).replace(/[^0-9]/g, ""));

/** Waits until a condition holds. */
async function until(what, is) {
  const begun = Date.now();
  while (!(await is())) {
    assert(Date.now() - begun < TIMEOUT, `timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Opens the page at an address, and collects its errors. */
async function open(context, hash = "") {
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(server.url + hash);
  await page.waitForSelector('body[data-ready="yes"]');
  return { page, errors };
}

async function shot(page, name) {
  await page.screenshot({ path: path.join(target, "shots", `${name}.png`), fullPage: false });
}

/** Runs the tests that must pass on every screen. */
async function onScreen(name, screen) {
  console.log(name);
  const context = await chromium.newContext({ ...screen, acceptDownloads: true });
  const cell = (page, square) => page.getByRole("gridcell", { name: new RegExp(`^${square}($|,)`) });

  await suite.test(`${name}: a board with holes is painted, with pointer and keyboard`, async () => {
    const { page, errors } = await open(context);
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
    assert((await page.locator(".cell.hole").count()) === 3, "a third, with the keyboard");
    assert((await cell(page, "f5").getAttribute("aria-label")) === "f5, start", "the start");
    await cell(page, "g6").click();
    assert(new URL(page.url()).hash.includes("holes=a1,f6"), `the address says so: ${page.url()}`);
    await until("facts are shown", async () => (await text(page, "#facts")).includes("40 squares"));
    assert(errors.length === 0, errors.join("\n"));
    await page.close();
  });

  await suite.test(`${name}: ants are watched, paused, and stepped forward and back`, async () => {
    const { page, errors } = await open(context, "#watch?board=6x6&solver=mace&seed=7");
    await page.selectOption(".player select", "null");
    await page.getByLabel("Pause at each tour").uncheck();
    await button(page, "Watch").click();
    await until("ants have found tours", async () => (await counter(page, "Tours")) > 3);
    await until("their trails are shown", async () => (await page.locator(".insight canvas").count()) === 1);
    await button(page, "Pause").click();
    await until("it is paused", async () => (await button(page, "Play").count()) === 1);
    await until("it has stopped", async () => {
      const before = await stepNumber(page);
      await page.waitForTimeout(150);
      return before === (await stepNumber(page));
    });
    await until("the cycle is told", async () => /^(cycle|found)/.test(await text(page, "#narration")));
    const at = await stepNumber(page);
    await button(page, "Step").click();
    await until("one step on", async () => (await stepNumber(page)) === at + 1);
    await button(page, "Step back").click();
    await until("one step back", async () => (await stepNumber(page)) === at);
    await page.getByLabel("Go back to an earlier step").fill("0");
    await until("the first state of the history", async () => (await stepNumber(page)) < at);
    assert((await findings(page)).length === 0, (await findings(page)).join("\n"));
    await shot(page, `${name}-ants`);
    await button(page, "Stop").click();
    assert(errors.length === 0, errors.join("\n"));
    await page.close();
  });

  await suite.test(`${name}: stacks, networks and populations are shown`, async () => {
    for (const [solver, shown] of [["backtrack", "The stack"], ["ga-repair", "Legal moves"], ["neural", null]]) {
      const { page } = await open(context, `#watch?board=6x6&solver=${solver}&seed=2`);
      await page.selectOption(".player select", "3000");
      await page.getByLabel("Pause at each tour").uncheck();
      await button(page, "Watch").click();
      await until(`${solver} moves`, async () => (await counter(page, "Moves")) > 100);
      if (shown) await until(`${solver} shows ${shown}`, async () => (await page.locator(".insight figcaption").allInnerTexts()).join().includes(shown));
      else await until("sweeps are counted", async () => (await counter(page, "Sweeps").catch(() => 0)) > 0);
      await button(page, "Stop").click();
      await page.close();
    }
  });

  await suite.test(`${name}: three methods race, and the link repeats it`, async () => {
    const { page, errors } = await open(context, "#race?board=5x5");
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
    assert(errors.length === 0, errors.join("\n"));
    await page.close();
    await again.page.close();
  });

  await suite.test(`${name}: a gallery is drawn, and a tour is viewed, exported and shared`, async () => {
    const { page, errors } = await open(context, "#gallery?board=6x6&closed=1&seed=3");
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
      const report = JSON.parse(checked.stdout.split("\n")[0]);
      assert(report.valid && report.closed, checked.stdout);
    }
    await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => null);
    await page.locator(".tourview").getByRole("button", { name: "Copy link" }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const shared = await open(context, new URL(link).hash);
    await until("the shared tour opens", async () => (await shared.page.locator(".tourview[open] .picture").count()) === 1);
    assert(link.includes(first.split(" ")[1].slice(0, 20)), `${link} holds ${first}`);
    assert(errors.length + shared.errors.length === 0, [...errors, ...shared.errors].join("\n"));
    await page.close();
    await shared.page.close();
  });

  await suite.test(`${name}: an impossible board names the theorem`, async () => {
    const { page } = await open(context, "#watch?board=5x5&closed=1");
    await until("the theorem is shown", async () => (await text(page, "#verdict")).includes("Impossible (theorem):"));
    await button(page, "Watch").click();
    await until("no search is started", async () => (await text(page, "#watch")).includes("No such tour exists"));
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

await suite.test("with reduced motion a search starts paused", async () => {
  const context = await chromium.newContext({ ...SCREENS.desktop, reducedMotion: "reduce" });
  const { page } = await open(context, "#watch?board=6x6&solver=backtrack");
  await button(page, "Watch").click();
  await until("it waits", async () => (await text(page, "#watch")).includes("Reduced motion"));
  await page.waitForTimeout(400);
  assert((await stepNumber(page)) === 1, "it stands at its first step");
  await button(page, "Play").click();
  await until("it continues", async () => (await stepNumber(page)) > 1);
  assert(!(await text(page, "#watch")).includes("Reduced motion"), "the message is gone");
  await context.close();
});

await suite.test("a double click starts one search, one race, one gallery", async () => {
  const context = await chromium.newContext(SCREENS.desktop);
  const { page, errors } = await open(context, "#watch?board=8x8&solver=ants-random");
  const posted = [];
  page.on("request", (request) => request.method() === "POST" && request.url().endsWith("/api/jobs") && posted.push(request.postDataJSON().kind));
  await page.route("**/api/jobs", async (route) => {
    if (route.request().method() === "POST") await new Promise((resolve) => setTimeout(resolve, 250));
    await route.continue();
  });
  await button(page, "Watch").dblclick();
  await until("it runs", async () => (await stepNumber(page)) > 1);
  await button(page, "Stop").click();
  await page.click('nav a[data-tab="race"]');
  await page.getByRole("button", { name: "Start the race" }).dblclick();
  await until("the race runs", async () => /Running|The race is over/.test(await text(page, "#results")));
  await page.goto(`${server.url}#gallery?board=6x6&closed=1&seed=3`);
  await page.getByRole("button", { name: "Another dozen" }).dblclick();
  await until("a dozen", async () => (await page.locator(".thumb").count()) === 12);
  assert(posted.join() === "watch,race,sample", posted.join());
  assert(page.url().includes("seed=4"), page.url());
  assert(errors.length === 0, errors.join("\n"));
  await context.close();
});

await suite.test("a touch that scrolls over the board paints nothing, and a tap paints", async () => {
  const context = await chromium.newContext(SCREENS.phone);
  const { page } = await open(context);
  const box = await page.locator("#board").boundingBox();
  const finger = await context.newCDPSession(page);
  const touch = (type, touchPoints) => finger.send("Input.dispatchTouchEvent", { type, touchPoints });
  const x = box.x + box.width / 2;
  let y = box.y + box.height - 30;
  await touch("touchStart", [{ x, y }]);
  for (let i = 0; i < 12; i++) await touch("touchMove", [{ x, y: (y -= 14) }]);
  await touch("touchEnd", []);
  await until("the page scrolls", () => page.evaluate(() => scrollY > 20));
  assert((await page.locator(".cell.hole").count()) === 0, "nothing is painted");
  await page.locator('.cell[data-number="9"]').tap();
  await until("a hole", async () => (await page.locator(".cell.hole").count()) === 1);
  await context.close();
});

await suite.test("a search is drawn only on its own board", async () => {
  const context = await chromium.newContext(SCREENS.desktop);
  const { page, errors } = await open(context, "#watch?board=5x6&solver=warnsdorff");
  const inked = () => page.locator("#board canvas").evaluate((canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte > 0));
  await page.selectOption(".player select", "null");
  await button(page, "Watch").click();
  await page.waitForSelector("#found:not([hidden])");
  await until("it is drawn", inked);
  await page.locator('.cell[data-number="4"]').click();
  await until("a message says so", async () => (await text(page, "#board-changed")).includes("open tours of 5x6"));
  await until("nothing is drawn", async () => !(await inked()));
  await page.getByRole("button", { name: "View and export" }).click();
  await until("the tour is of its own board", async () => (await text(page, "#tourview")).includes("tour of 5x6"));
  await until("and is drawn", () => page.locator(".picture").evaluate((image) => image.complete && image.naturalWidth > 100));
  await page.locator("#tourview").getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Back to its board" }).click();
  await until("it is drawn again", inked);
  assert(await page.locator("#board-changed").isHidden(), "the message is gone");
  assert(errors.length === 0, errors.join("\n"));
  await context.close();
});

await suite.test("errors in a link are shown, and the link of a tour persists", async () => {
  const context = await chromium.newContext(SCREENS.desktop);
  const { page } = await open(context, "#watch?board=6x6&holes=a1,z9&start=a1&solver=dijkstra&seed=-5&bord=8x8");
  for (const part of ["z9", "'a1' is not a free square", "no solver 'dijkstra'", "seed=-5", "'bord'"]) {
    assert((await text(page, "#link-errors")).includes(part), `${part}: ${await text(page, "#link-errors")}`);
  }
  assert((await findings(page)).length === 0, (await findings(page)).join("\n"));
  const race = await open(context, "#race?board=5x5&budget=5K_attempts&solvers=mace:rho=7;warnsdorff");
  assert((await race.page.getByLabel("Budget of a run").inputValue()) === "5K", "5K");
  assert((await text(race.page, "#link-errors")).includes("rho=7"), "rho");
  const ground = { board: "6x6", holes: [], leaper: "1,2", closed: false, start: null, end: null };
  const squares = await page.evaluate(async (ground) => {
    const token = document.querySelector('meta[name="hippodrome-token"]').content;
    const headers = { "content-type": "application/json", "x-hippodrome-token": token };
    return (await (await fetch("/api/find", { method: "POST", headers, body: JSON.stringify({ ground }) })).json()).tour.digits;
  }, ground);
  const linked = await open(context, `#gallery?board=6x6&tour=${squares.replaceAll(" ", "_")}`);
  await until("the tour opens", async () => (await linked.page.locator("#tourview[open] .picture").count()) === 1);
  await linked.page.reload();
  await until("and again", async () => (await linked.page.locator("#tourview[open] .picture").count()) === 1);
  await linked.page.locator("#tourview").getByRole("button", { name: "Close" }).click();
  await until("it stays closed", () => !linked.page.url().includes("tour="));
  await context.close();
});

await suite.test("links of version 0.1.0 still give the same setup", async () => {
  const links = JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../../hippo/tests/fixtures/links.json"), "utf8"));
  assert(links.length > 10, "links");
  const context = await chromium.newContext(SCREENS.desktop);
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
  const start = { watch: "Watch", race: "Start the race", gallery: "Draw tours" };
  for (const { link, sets: { part, ...sets } } of links) {
    asked = null;
    const { page } = await open(context, link);
    assert((await page.evaluate(() => document.body.dataset.tab)) === part, `${link}: not ${part}`);
    assert((await text(page, "#link-errors")) === "", `${link}: ${await text(page, "#link-errors")}`);
    if (sets.tour) await until(`${link}: the tour opens`, async () => (await page.locator("#tourview[open] .picture").count()) === 1);
    else await page.getByRole("button", { name: start[part], exact: true }).click();
    await until(`${link}: the server is asked`, () => asked !== null);
    for (const [name, value] of Object.entries(sets)) {
      const [is, should] = [asked[name], value].map((value) => JSON.stringify(value));
      assert(is === should, `${link}: ${name} is ${is}, not ${should}`);
    }
    await page.close();
  }
  await context.close();
});

/** Reads the rows of a table that the library's tests use too. */
function table(name) {
  const text = readFileSync(path.resolve(import.meta.dirname, "../../hippodrome/tests/data", name), "utf8");
  const rows = text.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t"));
  assert(rows.length > 10, `${name} has rows`);
  return rows;
}

await suite.test("the page parses numbers and squares like the library", async () => {
  const context = await chromium.newContext(SCREENS.desktop);
  const { page } = await open(context, "#race?board=5x5&solvers=mace:cycles=1e6;mace:cycles=1.5k");
  const warnings = await text(page, "#link-errors");
  assert(warnings.includes("cycles=1e6") && !warnings.includes("1.5k"), warnings);
  const parsed = (name, texts) => page.evaluate(async ([name, texts]) => {
    const parse = await import("/page/parse.js");
    return texts.map((args) => parse[name](...args));
  }, [name, texts]);
  const expect = (rows, read) => rows.forEach((row, at) => {
    const expected = row.at(-1) === "-" ? null : Number(row.at(-1));
    assert(read[at] === expected, `${row}: ${read[at]}, not ${expected}`);
  });
  const numbers = table("numbers.tsv");
  expect(numbers, await parsed("parseWhole", numbers.map(([written]) => [written])));
  const reals = table("reals.tsv");
  const read = await parsed("parseReal", reals.map(([written]) => [written]));
  expect(reals, read.map((number) => (number !== null && number >= 0 && number <= 1 ? number : null)));
  const squares = table("squares.tsv");
  const boards = await parsed("parseBoard", squares.map(([board]) => [board]));
  expect(squares, await parsed("parseSquare", squares.map(([, name], at) => [name, boards[at]?.rows ?? 0, boards[at]?.cols ?? 0])));
  const names = await page.evaluate(async (squares) => {
    const { squareName } = await import("/page/squares.js");
    return squares.map(([square, cols]) => squareName(square, cols));
  }, squares.map(([, , square], at) => [Number(square), boards[at]?.cols ?? 1]));
  squares.forEach(([, name, square], at) => {
    const plain = name.toLowerCase().replace(/([a-z])0+/, "$1");
    assert(square === "-" || names[at] === plain, `${name}: ${names[at]}`);
  });
  const holes = await page.evaluate(async () => {
    const { parseSquares } = await import("/page/parse.js");
    const { squares, unknown } = parseSquares("a1, H8,,z9,a1", 8, 8);
    return JSON.stringify([[...squares], unknown]);
  });
  assert(holes === '[[0,63],["z9"]]', holes);
  const leapers = [["1,2", "[[1,2]]"], ["2,1+0,1", "[[1,2],[0,1]]"], ["0,0", "null"], ["1", "null"], ["1,2,3", "null"], ["1,2+", "null"], ["-1,2", "null"], ["1,99999", "null"], ["a,b", "null"], ["", "null"]];
  const pieces = await parsed("parseLeaper", leapers.map(([written]) => [written]));
  leapers.forEach(([written, pairs], at) => assert(JSON.stringify(pieces[at]) === pairs, `${written}: ${JSON.stringify(pieces[at])}`));
  const seeds = await parsed("parseSeed", [["0"], ["9007199254740991"], ["9007199254740992"], ["-1"], [""]]);
  assert(JSON.stringify(seeds) === "[0,9007199254740991,null,null,null]", String(seeds));
  const budgets = await parsed("parseBudget", [["20k_attempts"], ["1_000_moves"], ["2.5_seconds"], ["1.5_moves"], ["20k"], ["_attempts"], ["5_days"]]);
  assert(budgets.map((budget) => budget && budget.amount).join("|") === "20k|1_000|2.5||||", JSON.stringify(budgets));
  await context.close();
});

await suite.test("a hidden page holds no stream, and its search pauses", async () => {
  const context = await chromium.newContext(SCREENS.desktop);
  const { page, errors } = await open(context, "#watch?board=8x8&solver=ants-random");
  const other = await open(context, "#gallery");
  await page.selectOption(".player select", "null");
  await page.getByLabel("Pause at each tour").uncheck();
  await button(page, "Watch").click();
  await until("it runs", async () => (await stepNumber(page)) > 1000);
  const see = (hidden) => page.evaluate((is) => {
    Object.defineProperty(document, "hidden", { value: is, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
  await see(true);
  await until("another page lists it", async () => (await text(other.page, "#job-list").catch(() => "")).includes("ants-random: open tours of 8x8 (is paused)"));
  const at = await stepNumber(page);
  await see(false);
  await until("it continues", async () => (await stepNumber(page)) > at);
  await until("another page can stop it", async () => {
    const stop = other.page.locator("#job-list").getByRole("button", { name: /^Stop ants-random/ }).last();
    await stop.click({ timeout: 500 }).catch(() => null);
    return (await text(page, ".player .where")).includes("Stopped");
  });
  assert(errors.length === 0, errors.join("\n"));
  await context.close();
});

await suite.test("the address of a background search opens it again", async () => {
  const context = await chromium.newContext(SCREENS.desktop);
  const { page } = await open(context, "#watch?board=8x8&solver=ants-random");
  await page.selectOption(".player select", "null");
  await page.getByLabel("Pause at each tour").uncheck();
  await page.getByLabel("Keep running in the background").check();
  await button(page, "Watch").click();
  await until("it runs", async () => (await stepNumber(page)) > 1000);
  const hash = new URL(page.url()).hash;
  assert(hash.includes("job="), hash);
  const at = await stepNumber(page);
  await page.close();
  const again = await open(context, hash);
  await until("it has continued", async () => (await stepNumber(again.page)) > at);
  await button(again.page, "Stop").click();
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

await suite.test("the server stops on a signal", async () => {
  const code = await server.end();
  assert(code === 130, `exit code ${code}`);
});
await chromium.close();
suite.finish();
