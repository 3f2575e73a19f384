// The Watch tab: alive at load, the player, the history, the headline.

import {
  button, cell, counter, FULL_SPEED, headline, ink, messages, narration, NOTE_TEXTS, on, play, runOn, setSpeed, settled,
  status, stepNumber, text, withSettings, written,
} from "./hands.mjs";
import { assert, rest, until } from "./stage.mjs";

/** Notes, from the start of the page, how many pixels of the board are painted and when. */
const NOTE_INK = () => {
  const seen = [];
  Reflect.set(window, "inkSeen", seen);
  const look = () => {
    const canvas = document.querySelector("#board canvas");
    if (canvas?.width) {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let inked = 0;
      for (let at = 3; at < data.length; at += 4) inked += data[at] > 0 ? 1 : 0;
      if (inked > 0 && seen.at(-1)?.inked !== inked) seen.push({ inked, at: performance.now() });
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};
const inkSeen = (page) => page.evaluate(() => Reflect.get(window, "inkSeen"));

export default async function watch(house) {
  const { suite } = house;

  await suite.test("a tour draws itself within a second of the load", () => on(house, "", async (page) => {
    await until("the tour is whole", async () => (await inkSeen(page)).length > 1 && (await text(page, "#narration")).length > 20);
    await until("the picture rests", async () => {
      const seen = await inkSeen(page);
      return seen.length > 2 && (await page.evaluate(() => performance.now())) - seen.at(-1).at > 300;
    });
    const seen = await inkSeen(page);
    const loaded = await page.evaluate(() => performance.getEntriesByType("navigation")[0].loadEventEnd);
    assert(seen[0].at - loaded < 2000, `the first line appears ${Math.round(seen[0].at - loaded)} ms after the load`);
    assert(seen.at(-1).inked > 2 * seen[0].inked, `it grows: ${seen.map(({ inked }) => inked).join(" ")}`);
  }, { init: NOTE_INK }));

  await suite.test("the page says what a knight's tour is, and offers three choices", () => on(house, "", async (page) => {
    await until("the sentence is there", async () => /knight's tour visits every square .* once/.test(await narration(page)));
    const choices = await page.locator("#watch .choices button:visible strong").allTextContents();
    assert(choices.join("|") === "Watch a method think|Put the knight somewhere|Stories", choices.join("|"));
    await page.locator(".choices button", { hasText: "Put the knight somewhere" }).click();
    await until("the page asks for a square", async () => (await messages(page)).includes("Click a square"));
    await cell(page, "c3").click();
    await until("the knight is on it", async () => (await cell(page, "c3").getAttribute("aria-label"))?.includes("knight"));
    await page.locator(".choices button", { hasText: "Watch a method think" }).click();
    await until("Warnsdorff's rule runs slowly", async () => (await stepNumber(page)) > 1 && (await headline(page)).includes("Warnsdorff's rule"));
    assert(await page.locator(".choices").isHidden(), "the choices are gone");
  }));

  await suite.test("one press of ▶ starts a search, and the tour is said", () => on(house, "", async (page) => {
    await button(page, "Play").click();
    await until("it runs", async () => (await stepNumber(page)) > 2);
    assert((await status(page)) === "Running", await status(page));
    await setSpeed(page, FULL_SPEED);
    await until("the tour is found", async () => (await messages(page)).includes("Tour found:"));
    const said = await messages(page);
    assert(/Tour found:\s*64 of 64 in [\d.]+ (ms|s|min) after [\d,]+ dead ends?\./.test(said), said);
    assert((await status(page)) === "Tour found", await status(page));
    assert(!(await page.locator("main").innerText()).includes("Paused"), "nowhere Paused");
    assert((await counter(page, "Visited")) === 64 && (await counter(page, "Tours")) === 1, "the counters agree");
    await until("screen readers hear it", async () => /Tour found|tour/i.test(await text(page, "#say")));
  }));

  await suite.test("steps go forward and back, and the history is scrubbed and replayed", () => on(house, "#watch?board=8x8&solver=backtrack&seed=3&speed=30", async (page) => {
    await play(page);
    await until("it runs", async () => (await stepNumber(page)) > 25);
    await button(page, "Pause").click();
    const at = await settled(page);
    assert((await status(page)) === "Paused", await status(page));
    await button(page, "Step").click();
    await until("one step on", async () => (await stepNumber(page)) === at + 1);
    await button(page, "Step back").click();
    await until("one step back", async () => (await stepNumber(page)) === at);
    const scrub = page.getByLabel("Go back to an earlier step");
    const before = await narration(page);
    await scrub.fill("0");
    await until("the first step", async () => (await stepNumber(page)) <= 2);
    assert((await narration(page)) !== before, "its sentence is another");
    assert((await button(page, "Live").getAttribute("aria-pressed")) === "false", "not live");
    await setSpeed(page, 3);
    await page.evaluate(() => {
      Reflect.set(window, "steps", []);
      const node = document.querySelector("#player .step-number");
      new MutationObserver(() => Reflect.get(window, "steps").push(Number(node?.textContent?.replace(/\D/g, "")))).observe(node, { childList: true, characterData: true, subtree: true });
    });
    await button(page, "Play").click();
    await until("the history is replayed", async () => (await stepNumber(page)) > at);
    const seen = await page.evaluate(() => Reflect.get(window, "steps"));
    assert(seen.filter((n) => n > 2 && n < at).length > 5, `steps between are shown: ${seen.join(" ")}`);
    const end = await settled(page);
    assert((await status(page)) === "Paused", "a search that was paused stays paused after the replay");
    await scrub.fill("1");
    await until("an early step", async () => (await stepNumber(page)) < 5);
    await button(page, "Live").click();
    await until("the latest step", async () => (await stepNumber(page)) >= end);
    await button(page, "Stop").click();
    await until("it is stopped", async () => (await status(page)) === "Stopped");
  }));

  await suite.test("a replay goes on as the search once its end is reached", () => on(house, "#watch?board=8x8&solver=ants-random&seed=3&speed=60", async (page) => {
    await runOn(page);
    await play(page);
    await until("it runs", async () => (await stepNumber(page)) > 40);
    await page.getByLabel("Go back to an earlier step").fill("3");
    const end = Number(await page.getByLabel("Go back to an earlier step").getAttribute("max"));
    await until("the search rests", async () => (await button(page, "Play").count()) === 1);
    await button(page, "Play").click();
    await until("it goes beyond", async () => (await stepNumber(page)) > end + 60);
  }));

  await suite.test("the speed is a slider with numbers and words", () => on(house, "", async (page) => {
    const slider = page.getByLabel("Speed");
    const words = [];
    for (let at = 0; at <= FULL_SPEED; at++) {
      await setSpeed(page, at);
      words.push(await slider.getAttribute("aria-valuetext"));
      assert((await text(page, ".speed-word")).length > 3, "the word is beside it");
    }
    assert(words[0] === "1 step per second, one by one", words[0]);
    assert(words.at(-1) === "full speed", words.at(-1));
    const rates = words.slice(0, -1).map((word) => Number(word.split(" ")[0].replaceAll(",", "")));
    rates.slice(1).forEach((rate, at) => assert(rate / rates[at] >= 1.5 && rate / rates[at] <= 50, `logarithmic: ${rates}`));
    assert(new Set(words).size === words.length, words.join("; "));
  }));

  await suite.test("space, arrows, digits and ? work", () => on(house, "#watch?board=8x8&solver=backtrack&seed=3&speed=30", async (page) => {
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
    await page.keyboard.press("Space");
    await until("it runs", async () => (await stepNumber(page)) > 3);
    await page.keyboard.press("Space");
    await until("it rests", async () => (await status(page)) === "Paused");
    const at = await settled(page);
    await page.keyboard.press("ArrowRight");
    await until("one step on", async () => (await stepNumber(page)) === at + 1);
    await page.keyboard.press("ArrowLeft");
    await until("one step back", async () => (await stepNumber(page)) === at);
    await page.keyboard.press("Home");
    await until("the first step", async () => (await stepNumber(page)) <= 2);
    await page.keyboard.press("l");
    await until("the latest step", async () => (await stepNumber(page)) > at);
    await page.keyboard.press("1");
    assert((await page.getByLabel("Speed").getAttribute("aria-valuetext"))?.startsWith("1 step per second"), "the slowest");
    await page.keyboard.press("9");
    assert((await page.getByLabel("Speed").getAttribute("aria-valuetext")) === "full speed", "the fastest");
    await page.keyboard.press("n");
    await until("numbers are on", async () => (await page.locator('#watch button:text-is("Numbers")').getAttribute("aria-pressed")) === "true");
    await page.keyboard.press("?");
    await until("the keys are listed", () => page.locator("#help-dialog[open]").isVisible());
    for (const key of ["Space", "← →", "1 to 9", "?"]) assert((await text(page, "#help-dialog")).includes(key), `${key} is listed`);
    await page.keyboard.press("Escape");
    await until("the list is closed", async () => !(await page.locator("#help-dialog").isVisible()));
  }));

  await suite.test("the history of a run at full speed spans the run", () => on(house, "#watch?board=8x8&solver=ants-random&seed=7&speed=full", async (page) => {
    await runOn(page);
    await play(page);
    await until("a hundred states were shown", async () => Number(await page.getByLabel("Go back to an earlier step").getAttribute("max")) > 60);
    await button(page, "Pause").click();
    await until("it rests", async () => (await status(page)) === "Paused");
    const end = await settled(page);
    const scrub = page.getByLabel("Go back to an earlier step");
    const most = Number(await scrub.getAttribute("max"));
    const at = [];
    for (const share of [0, 0.25, 0.5, 0.75]) {
      await scrub.fill(String(Math.round(share * most)));
      await until("the scrubbed step is shown", async () => (await scrub.getAttribute("aria-valuetext")) === `step ${await stepNumber(page)}`);
      at.push(await stepNumber(page));
    }
    assert(at[0] < end / 20, `from the start: ${at} of ${end}`);
    assert(at[2] > end / 10 && at[2] < 0.9 * end && at[3] > at[2] && at[2] > at[1], `over the run: ${at} of ${end}`);
    assert(end > 1000, `at full speed: ${end} steps`);
  }));

  await suite.test("the headline names what runs, and changed settings offer Switch and Keep", () => on(house, "#watch?board=6x6&solver=backtrack&seed=1&speed=3", async (page) => {
    await play(page);
    assert(/Depth-first search.*6x6 open, seed 1/.test(await headline(page)), await headline(page));
    await withSettings(page, (drawer) => drawer.locator("#watch-settings select").first().selectOption("warnsdorff"));
    await until("a switch is offered", async () => /The settings have changed.*Warnsdorff's rule, 6x6 open/.test(await messages(page)));
    assert((await headline(page)).includes("Depth-first search"), `still what runs: ${await headline(page)}`);
    assert((await page.title()).includes("Depth-first search"), await page.title());
    const n = await stepNumber(page);
    await until("it runs on", async () => (await stepNumber(page)) > n);
    await page.locator("#messages").getByRole("button", { name: "Keep" }).click();
    await until("nothing is offered", async () => !(await messages(page)).includes("settings have changed"));
    await withSettings(page, (drawer) => drawer.locator("#watch-settings select").first().selectOption("warnsdorff"));
    await page.locator("#messages").getByRole("button", { name: "Switch" }).click();
    await until("the other method runs", async () => (await headline(page)).includes("Warnsdorff's rule") && (await stepNumber(page)) > 0);
    assert(!(await messages(page)).includes("settings have changed"), await messages(page));
  }));

  await suite.test("rank 1 is named, and numbers 1 and 64 are written", () => on(house, "#watch?board=8x8&solver=warnsdorff&seed=1&speed=full&numbers=1", async (page) => {
    const rim = await page.evaluate(() => [...document.querySelectorAll(".cell")].map((cell) =>
      [getComputedStyle(cell, "::after").content, getComputedStyle(cell, "::before").content].map((word) => word.replaceAll('"', ""))));
    const words = rim.flat();
    for (const word of ["1", "8", "a", "h"]) assert(words.filter((other) => other === word).length === 1, `${word} stands once at the rim: ${words}`);
    await play(page);
    await until("the tour is found", async () => (await messages(page)).includes("Tour found:"));
    await until("all numbers are written", async () => new Set((await written(page)).map(([word]) => word)).size >= 64);
    const numbers = (await written(page)).filter(([word]) => /^\d+$/.test(word));
    for (let n = 1; n <= 64; n++) assert(numbers.some(([word, x, y]) => word === String(n) && x > 0 && x < 1 && y > 0 && y < 1), `${n} is on the board`);
    const places = new Set(numbers.filter(([word]) => word === "1" || word === "64").map(([, x, y]) => `${Math.floor(8 * x)},${Math.floor(8 * y)}`));
    assert(places.size === 2, "1 and 64 stand on squares of their own");
  }, { init: NOTE_TEXTS }));

  await suite.test("a board of 100x100 has a faint grid and is watched", () => on(house, "#watch?board=100x100&solver=warnsdorff&seed=1&speed=full", async (page) => {
    await until("the grid is there", async () => (await ink(page)) > 1000);
    const painted = () => page.evaluate(() => document.querySelector("#board canvas").toDataURL());
    const grid = await painted();
    await play(page);
    await until("many squares are visited", async () => (await counter(page, "Visited")) > 500);
    await until("the path is drawn", async () => (await painted()) !== grid);
    await button(page, "Stop").click().catch(() => null);
    assert(!(await messages(page)).includes("too large"), await messages(page));
  }));

  await suite.test("nothing is announced faster than it can be heard", () => on(house, "#watch?board=8x8&solver=backtrack&seed=3&speed=60", async (page) => {
    await page.evaluate(() => {
      Reflect.set(window, "said", []);
      const node = document.getElementById("say");
      new MutationObserver(() => Reflect.get(window, "said").push(node?.textContent)).observe(node, { childList: true, characterData: true, subtree: true });
    });
    await play(page);
    await rest(2500);
    const said = await page.evaluate(() => Reflect.get(window, "said"));
    assert(said.length <= 2, `at 60 steps per second: ${said.join(" / ")}`);
    await button(page, "Pause").click();
    await until("it rests", async () => (await status(page)) === "Paused");
    await settled(page);
    await button(page, "Step").click();
    await until("a single step is announced", async () => (await text(page, "#say")) === (await narration(page)));
  }));
}
