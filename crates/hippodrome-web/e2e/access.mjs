// Access: the keyboard alone, screen readers, reduced motion, forced colours.

import {
  button, cell, counter, headline, ink, messages, narration, NOTE_TEXTS, on, play, settled, shot, status, stepNumber, still, text, written,
} from "./hands.mjs";
import { assert, findings, rest, until } from "./stage.mjs";

/** Presses Tab until an element has the focus. Returns how many presses it took. */
async function tabTo(page, what, is, key = "Tab") {
  for (let presses = 1; presses <= 80; presses++) {
    await page.keyboard.press(key);
    if (await page.evaluate(is)) {
      const seen = await page.evaluate(() => {
        const node = document.activeElement;
        const style = getComputedStyle(node);
        return style.outlineStyle !== "none" || style.boxShadow !== "none";
      });
      assert(seen, `${what}: the focus is visible`);
      return presses;
    }
  }
  throw new Error(`${what} has no focus after 80 presses of Tab`);
}
const named = (name) => `document.activeElement?.getAttribute("aria-label") === ${JSON.stringify(name)} || document.activeElement?.textContent?.trim() === ${JSON.stringify(name)}`;

/** Returns what is seen of the board: how many colours, and whether it is more than one plain colour. */
const colours = (page, selector) => page.locator(selector).evaluate(async (node) => node.getBoundingClientRect().toJSON()).then(async (box) => {
  const image = await page.screenshot({ clip: { x: box.x, y: box.y, width: box.width, height: box.height } });
  return page.evaluate(async (data) => {
    // The page's policy forbids to fetch a data URL.
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data: bytes } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const count = {};
    for (let at = 0; at < bytes.length; at += 4) {
      const colour = `${bytes[at]},${bytes[at + 1]},${bytes[at + 2]}`;
      count[colour] = (count[colour] ?? 0) + 1;
    }
    return count;
  }, image.toString("base64"));
});

export default async function access(house) {
  const { suite } = house;

  await suite.test("a search is set up, watched, stepped and its tour viewed with the keyboard alone", () => on(house, "", async (page) => {
    await tabTo(page, "Change", named("Change"));
    await page.keyboard.press("Enter");
    await until("the settings open and have the focus", () => page.evaluate(() => document.activeElement?.id === "drawer-close"));
    await tabTo(page, "Rows", "document.activeElement?.id === 'rows'");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("6");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("6");
    await page.keyboard.press("Tab");
    await until("a board of 6x6", async () => (await page.locator(".cell").count()) === 36);
    await page.keyboard.press("Escape");
    await until("the settings are closed and the focus is back", () => page.evaluate(() => document.getElementById("drawer").hidden && document.activeElement?.textContent === "Change"));
    await tabTo(page, "the board", "document.activeElement?.getAttribute('role') === 'gridcell'", "Shift+Tab");
    for (const key of ["ArrowUp", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    const square = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    await page.keyboard.press("s");
    await until("the knight is placed and said", async () => (await cell(page, square.split(",")[0]).getAttribute("aria-label")).includes("knight") && /knight (is|starts) on/i.test(await text(page, "#say")));
    await tabTo(page, "Play", named("Play"));
    await page.keyboard.press("Enter");
    await until("it runs", async () => (await stepNumber(page)) > 1);
    await page.keyboard.press("Enter");
    await until("it rests", async () => (await status(page)) === "Paused");
    const at = await settled(page);
    await page.keyboard.press("ArrowRight");
    await until("a step", async () => (await stepNumber(page)) === at + 1);
    await page.keyboard.press("9");
    await page.keyboard.press("Enter");
    await until("the tour is found", async () => (await messages(page)).includes("Tour found:"));
    await tabTo(page, "View and export", named("View and export"), "Shift+Tab");
    await page.keyboard.press("Enter");
    await until("the tour is shown large", () => page.locator("#tourview[open] .picture").isVisible());
    assert(await page.evaluate(() => document.getElementById("tourview").contains(document.activeElement)), "the focus is in the view");
    await page.keyboard.press("Escape");
    await until("it is closed, and the focus is back", () => page.evaluate(() => !document.getElementById("tourview").open && document.activeElement?.textContent === "View and export"));
  }));

  await suite.test("tabs, race, gallery and stories are reached with the keyboard alone", () => on(house, "#watch?board=5x5", async (page) => {
    await tabTo(page, "Race", named("Race"));
    await page.keyboard.press("Enter");
    await until("the race", () => page.locator("#race").isVisible());
    await tabTo(page, "▶ Start", named("▶ Start"));
    await page.keyboard.press("Enter");
    await until("it runs", async () => /Running|Raced|over/.test(await text(page, "#race-messages")));
    await tabTo(page, "Skip", named("Skip"));
    await page.keyboard.press("Enter");
    await until("it is over", async () => /The race is over/.test(await text(page, "#race-messages")));
    await tabTo(page, "Gallery", named("Gallery"), "Shift+Tab");
    await page.keyboard.press("Enter");
    await until("the gallery", async () => (await page.locator(".thumb").count()) > 3);
    await tabTo(page, "a tour", "document.activeElement?.classList.contains('thumb')");
    await page.keyboard.press("Enter");
    await until("the tour is large", () => page.locator("#tourview[open] .picture").isVisible());
    await page.keyboard.press("Escape");
    await until("the focus is back on the tour", () => page.evaluate(() => document.activeElement?.classList.contains("thumb")));
    await tabTo(page, "Watch", named("Watch"), "Shift+Tab");
    await page.keyboard.press("Enter");
    await tabTo(page, "Stories", named("Stories"));
    await page.keyboard.press("Enter");
    await until("the cards", async () => (await page.locator(".story-card:visible").count()) === 9);
    await tabTo(page, "a card", "document.activeElement?.classList.contains('story-card')");
    await page.keyboard.press("Enter");
    await until("the story is read", async () => (await text(page, ".story-reader + [aria-live], .story-place [aria-live]")).length > 20);
    await page.keyboard.press("ArrowRight");
    await until("the next stop", async () => (await text(page, ".story-count")).startsWith("2 of"));
  }));

  await suite.test("with reduced motion the picture is still, and a search starts paused", () => on(house, "#watch?board=6x6&solver=backtrack", async (page) => {
    await until("a whole tour at once", async () => (await ink(page)) > 500);
    const before = await ink(page);
    await rest(400);
    assert((await ink(page)) === before, "nothing moves");
    await button(page, "Play").click();
    await until("it waits", async () => (await messages(page)).includes("Reduced motion"));
    await rest(400);
    assert((await stepNumber(page)) <= 1, "it stands at its first step");
    const moving = await page.evaluate(() => document.getAnimations().filter((one) => one.playState === "running").length);
    assert(moving === 0, `${moving} animations run`);
    await button(page, "Play").click();
    await until("it continues", async () => (await stepNumber(page)) > 1);
    assert(!(await messages(page)).includes("Reduced motion"), "the message is gone");
    const found = await findings(page);
    assert(found.length === 0, found.join("\n"));
  }, { reducedMotion: "reduce" }));

  await suite.test("with forced colours the board, the knight and the badges are seen", () => on(house, "#watch?board=6x6&start=c3&solver=warnsdorff&seed=1&speed=3", async (page) => {
    await play(page);
    await until("badges are written", async () => (await counter(page, "Visited")) > 3 && (await written(page)).some(([word]) => /^[1-8]$/.test(word)));
    await button(page, "Pause").click();
    await settled(page);
    await still(page);
    const system = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      const read = (name) => {
        probe.style.color = name;
        return getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).join();
      };
      const known = ["Canvas", "CanvasText", "LinkText", "Highlight"].map(read);
      probe.remove();
      return known;
    });
    const seen = await colours(page, "#board");
    const [canvas, text_] = system;
    assert((seen[canvas] ?? 0) > 500, `the canvas colour ${canvas}: ${seen[canvas]}`);
    assert((seen[text_] ?? 0) > 300, `lines in the text colour ${text_}: ${seen[text_]}`);
    assert(Object.values(seen).filter((count) => count > 400).length >= 3, "squares of two shades, and what is on them");
    const inked = await page.evaluate(() => {
      const node = document.querySelector("#board canvas");
      const { data } = node.getContext("2d").getImageData(0, 0, node.width, node.height);
      const opaque = new Set();
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) opaque.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
      return [...opaque].slice(0, 400);
    });
    assert(inked.includes(text_), `the canvas is drawn in system colours: ${inked.slice(0, 10).join(" ")}`);
    const knight = await colours(page, `#board .cell[aria-label^="${(await headline(page)) ? await page.evaluate(() => [...document.querySelectorAll(".cell")].map((one) => one.getAttribute("aria-label")).find((name) => name.includes("knight"))) : "c3"}"]`);
    assert(Object.keys(knight).length > 1, "the start is marked");
    for (const selector of ["#player .main", "nav a[aria-current]", ".counters.three div:first-child"]) {
      const shown = await colours(page, selector);
      assert(Object.keys(shown).length > 1, `${selector} is seen`);
    }
    const found = await findings(page);
    assert(found.length === 0, found.join("\n"));
    await shot(page, "forced-colours");
  }, { forcedColors: "active", init: NOTE_TEXTS }));

  await suite.test("the theme is chosen and kept, and the board is drawn anew in it", () => on(house, "#watch?board=6x6", async (page) => {
    const looks = () => page.evaluate(() => [getComputedStyle(document.body).backgroundColor, document.querySelector("#board canvas").toDataURL().slice(-200)].join());
    await until("the tour is drawn", async () => (await ink(page)) > 500 && (await narration(page)) !== "");
    const light = await looks();
    await page.selectOption("#theme", "dark");
    await until("another look", async () => (await looks()).split(",rgb")[0] !== light.split(",rgb")[0] && (await looks()) !== light);
    await page.reload();
    await until("the choice is kept", async () => (await page.locator("html").getAttribute("data-theme")) === "dark");
  }));

  await suite.test("every control has a name, and messages are announced", () => on(house, "", async (page) => {
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, input, a")].filter((node) => {
      if (!node.checkVisibility()) return false;
      const label = node.getAttribute("aria-label") || node.getAttribute("title") || node.textContent || (node.labels && [...node.labels].map((one) => one.textContent).join(""));
      return !label?.trim();
    }).map((node) => node.outerHTML.slice(0, 80)));
    assert(nameless.length === 0, nameless.join("\n"));
    await play(page);
    const roles = await page.evaluate(() => [...document.querySelectorAll("[role=status], [role=alert], [aria-live]")].length);
    assert(roles >= 2, `${roles} live regions`);
    await until("the search is announced when it rests", async () => {
      await page.keyboard.press("Space");
      return (await text(page, "#say")).length > 5;
    });
  }));
}
