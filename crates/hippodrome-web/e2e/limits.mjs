// Limits and edges: double clicks, hidden pages, large and impossible boards, parsing, the heap.

import {
  button, counter, FULL_SPEED, ink, jobs, messages, on, open, openSettings, play, runOn, setSpeed, status, stepNumber, text, withSettings,
} from "./hands.mjs";
import { assert, DESKTOP, findings, serve, table, until } from "./stage.mjs";
import { heapOver } from "./measure.mjs";

export default async function limits(house) {
  const { suite, server } = house;

  await suite.test("a double click starts one search, one race, one gallery", () => on(house, "#watch?board=8x8&solver=ants-random", async (page) => {
    const posted = [];
    page.on("request", (request) => request.method() === "POST" && request.url().endsWith("/api/jobs") && posted.push(request.postDataJSON().kind));
    await page.route("**/api/jobs", async (route) => {
      if (route.request().method() === "POST") await new Promise((resolve) => setTimeout(resolve, 250));
      await route.continue();
    });
    await button(page, "Play").dblclick();
    await until("it runs", async () => (await stepNumber(page)) > 1);
    await button(page, "Stop").click();
    await page.click('nav a[data-tab="race"]');
    await page.getByRole("button", { name: "▶ Start", exact: true }).dblclick();
    await until("the race runs", async () => /Running|Raced|The race is over/.test(await text(page, "#race-messages")));
    await page.goto(`${server.url}#gallery?board=6x6&closed=1&seed=3`);
    await page.getByRole("button", { name: "▶ Draw tours" }).dblclick();
    await until("a dozen", async () => (await page.locator(".thumb").count()) === 12);
    assert(posted.join() === "watch,race,sample", posted.join());
  }));

  await suite.test("a hidden page holds no stream, and its search pauses", () => on(house, "#watch?board=8x8&solver=ants-random&speed=full", async (page, context) => {
    const other = await open(house, context, "#gallery");
    await runOn(page);
    await play(page);
    await until("it runs", async () => (await stepNumber(page)) > 1000);
    const see = (hidden) => page.evaluate((is) => {
      Object.defineProperty(document, "hidden", { value: is, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
    await see(true);
    await until("the server has nobody watching", async () => (await jobs(house)).some(({ viewers, over, resting }) => !over && viewers === 0 && resting));
    await until("another page lists it", async () => /other search/.test(await text(other.page, "#job-badge")));
    await other.page.locator("#job-badge").click();
    await until("as paused", async () => (await text(other.page, "#jobs-dialog")).includes("is paused"));
    const at = await stepNumber(page);
    await see(false);
    await until("it continues", async () => (await stepNumber(page)) > at);
    await until("another page can stop it", async () => {
      await other.page.locator("#jobs-dialog").getByRole("button", { name: /^Stop / }).last().click({ timeout: 500 }).catch(() => null);
      return (await status(page)).includes("Stopped");
    });
    assert(other.errors.length === 0, other.errors.join("\n"));
  }));

  await suite.test("an impossible board names the theorem, and no search is started", () => on(house, "#watch?board=5x5&closed=1", async (page) => {
    await until("the theorem is shown", async () => (await messages(page)).includes("Impossible (theorem):"));
    assert(!(await page.locator("body").innerText()).includes("no theorem decides"), "it does not contradict itself");
    await openSettings(page);
    await until("the facts agree", async () => /Closed tours: none/.test(await text(page, "#facts")) && !/Closed tours: .*not decided/.test(await text(page, "#facts")));
    await page.locator("#drawer-close").click();
    await button(page, "Play").click();
    await until("it is said again", async () => (await messages(page)).includes("Impossible (theorem):"));
    assert((await stepNumber(page)) === 0 && (await jobs(house)).every(({ over }) => over), "no search");
  }));

  await suite.test("a complete search without a tour says so", () => on(house, "#watch?board=3x4&closed=1&solver=backtrack&speed=full", async (page) => {
    await button(page, "Play").click();
    await until("none", async () => /Impossible \((theorem|complete search)\)/.test(await messages(page)));
  }));

  await suite.test("one square, a row of squares and an empty start are worded right", () => on(house, "#watch?board=1x1", async (page) => {
    await openSettings(page);
    await until("one square", async () => /1 square,/.test(await text(page, "#facts")) && !/\b1 (squares|moves)\b/.test(await text(page, "#facts")));
  }));

  await suite.test("a large board is shown as an image", () => on(house, "#watch?board=150x140", async (page) => {
    await page.locator("#messages").getByRole("button", { name: "Find a tour at once" }).click();
    await until("the image is there", () => page.locator("#image").evaluate((image) => !image.hidden && image.naturalWidth > 200));
    await button(page, "Play").click();
    await until("▶ finds a tour as an image too", async () => (await messages(page)).includes("Colours run from dark to light"));
    const found = await findings(page);
    assert(found.length === 0, found.join("\n"));
  }));

  await suite.test("numbers are written only where there is room", async () => {
    for (const [board, written] of [["8x8", true], ["60x60", false]]) {
      await on(house, `#watch?board=${board}&solver=warnsdorff&step=40`, async (page) => {
        await until("it is drawn", async () => (await counter(page, "Visited")) >= 40 && (await ink(page)) > 500);
        const picture = () => page.locator("#board canvas").evaluate((canvas) => canvas.toDataURL());
        // The picture moves for a moment after a step.
        await page.waitForTimeout(1000);
        const without = await picture();
        await page.keyboard.press("n");
        await until("numbers are on", async () => (await page.getByRole("button", { name: "Numbers", exact: true }).getAttribute("aria-pressed")) === "true");
        await page.waitForTimeout(300);
        assert(((await picture()) !== without) === written, `${board}: numbers are ${written ? "not " : ""}written`);
      });
    }
  });

  await suite.test("a wrong seed or parameter is said and starts nothing", () => on(house, "#watch?board=6x6&solver=mace", async (page) => {
    await withSettings(page, async (drawer) => {
      await drawer.locator("#watch-settings input[type=number]").first().fill("-3");
      await page.keyboard.press("Tab");
    });
    await button(page, "Play").click();
    await until("it is said", async () => (await messages(page)).includes("Invalid seed"));
    await withSettings(page, async (drawer) => {
      await drawer.locator("#watch-settings input[type=number]").first().fill("3");
      await page.keyboard.press("Tab");
      await drawer.locator("#watch-settings details summary").click();
      await drawer.locator("#watch-settings").getByLabel("rho", { exact: true }).fill("7");
      await page.keyboard.press("Tab");
    });
    await button(page, "Play").click();
    await until("the parameter too", async () => /rho/.test(await messages(page)) && !(await messages(page)).includes("`"));
    assert((await jobs(house)).every(({ over }) => over), `nothing runs: ${JSON.stringify(await jobs(house))}`);
  }, { allow: /status of 4/ }));

  await suite.test("the page parses numbers and squares like the library", () => on(house, "#race?board=5x5&solvers=mace:cycles=1e6;mace:cycles=1.5k", async (page) => {
    const warnings = await messages(page);
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
  }));

  await suite.test("the heap stays flat while a search is watched at full speed", async () => {
    const { second, third } = await heapOver(house, { seconds: 30 });
    assert(third < Math.max(1.1 * second, second + 2) * 1.2, `${second.toFixed(1)} MB, then ${third.toFixed(1)} MB`);
  });

  await suite.test("the server stops on a signal", async () => {
    const own = await serve();
    const context = await house.chromium.newContext(DESKTOP);
    const { page } = await open(house, context, "#watch?board=8x8&solver=ants-random", { url: own.url });
    await setSpeed(page, FULL_SPEED);
    await play(page);
    const code = await own.end();
    assert(code === 130, `exit code ${code}`);
    await context.close();
  });
}
