// Layout: in every state, on every size of window, light and dark, nothing essential is below the fold, nothing is wider
// than the window, and axe finds nothing.

import {
  button, cell, closeSettings, counter, FULL_SPEED, headline, messages, on, openSettings, play, runOn, setSpeed, shot, status, still, stepNumber, text, tool,
} from "./hands.mjs";
import { assert, findings, rest, SIZES, THEMES, until } from "./stage.mjs";

/**
 * Returns what is wrong with the layout: the essential parts must be in the window.
 * @param {string[]} essential selectors
 */
const faults = (page, essential) => page.evaluate((essential) => {
  const wrong = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) wrong.push(`${root.scrollWidth - root.clientWidth} pixels wider than the window`);
  for (const selector of essential) {
    const node = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());
    const box = node?.getBoundingClientRect();
    if (!node || !box || box.width === 0 || box.height === 0) wrong.push(`${selector} is not shown`);
    else if (box.bottom > innerHeight + 1 || box.top < -1 || box.right > innerWidth + 1 || box.left < -1) {
      wrong.push(`${selector} is outside the window: ${Math.round(box.left)} to ${Math.round(box.right)}, ${Math.round(box.top)} to ${Math.round(box.bottom)} of ${innerWidth}x${innerHeight}`);
    }
  }
  const scrolls = root.scrollHeight > root.clientHeight + 1;
  for (const node of document.querySelectorAll("main *, header *")) {
    const style = getComputedStyle(node);
    if (scrolls && /auto|scroll/.test(style.overflowY) && node.scrollHeight > node.clientHeight + 1 && node.checkVisibility()) {
      wrong.push(`${node.id || node.className} scrolls inside a page that scrolls`);
    }
  }
  for (const tile of document.querySelectorAll(".counters dd, .race-board dd")) {
    if (tile.checkVisibility() && tile.scrollWidth > tile.clientWidth + 1) wrong.push(`${tile.textContent} overflows its tile`);
  }
  for (const button of document.querySelectorAll("button, select, a, input")) {
    if (!button.checkVisibility() || button.closest("#board, #watch-settings") || button.matches(".unseen *")) continue;
    const box = button.getBoundingClientRect();
    if (box.width > 0 && box.right > innerWidth + 1) wrong.push(`${button.textContent || button.id} reaches out of the window`);
  }
  return wrong;
}, essential);

const STAGE = ["#board", "#player", "#watch .headline", "#narration"];
const COUNTED = [...STAGE, "#watch .counters.three"];

/** Widths at which axe looks at every state: on both sides of the breakpoint. */
const AXE_WIDTHS = process.env.E2E_FULL ? SIZES.map(({ width }) => width) : [1280, 390];

/** Checks a state of a page at every size and theme. */
async function everywhere(page, state, { essential = STAGE } = {}) {
  const wrong = [];
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      await still(page);
      let found = [];
      // The board fits itself to the window after messages have wrapped.
      for (let tries = 0; tries < 20; tries++) {
        found = await faults(page, essential);
        if (found.length === 0) break;
        await rest(50);
      }
      if (AXE_WIDTHS.includes(size.width)) found.push(...await findings(page));
      wrong.push(...found.map((what) => `${state}, ${size.width}x${size.height}, ${colorScheme}: ${what}`));
      if (found.length || process.env.E2E_SHOTS) await shot(page, `layout-${state.replace(/\W+/g, "-")}-${size.width}-${colorScheme}`);
    }
  }
  await page.setViewportSize(SIZES[1]);
  await page.emulateMedia({ colorScheme: "light" });
  assert(wrong.length === 0, wrong.join("\n"));
}

/** The states of the page: an address, how the state is reached, and what must be in the window. */
const STATES = [
  { name: "at load", hash: "", reach: async (page) => until("it draws", async () => (await headline(page)).includes("knight's tour")), essential: [...STAGE, ".choices button:nth-of-type(3)"] },
  {
    name: "while Warnsdorff's rule runs", hash: "#watch?board=8x8&start=e4&solver=warnsdorff&p.ties=random&speed=3", essential: COUNTED,
    reach: async (page) => {
      await play(page);
      await until("it moves", async () => (await counter(page, "Visited")) > 2);
      await button(page, "Pause").click();
    },
  },
  {
    name: "while ants run", hash: "#watch?board=8x8&solver=mace&seed=7&speed=3000", essential: COUNTED,
    reach: async (page) => {
      await runOn(page);
      await play(page);
      await until("a cycle is told", async () => (await text(page, "#narration")).startsWith("Cycle"));
    },
  },
  {
    name: "with a tour found", hash: "#watch?board=8x8&solver=warnsdorff&seed=1&speed=full", essential: [...COUNTED, "#messages .notice"],
    reach: async (page) => {
      await play(page);
      await until("the tour is found", async () => (await messages(page)).includes("Tour found:"));
    },
  },
  {
    name: "with a changed setup", hash: "#watch?board=8x8&solver=warnsdorff&seed=1&speed=full", essential: [...STAGE, "#messages .notice"],
    reach: async (page) => {
      await play(page);
      await until("the tour is found", async () => (await messages(page)).includes("Tour found:"));
      await cell(page, "a1").click({ modifiers: ["Shift"] });
      await until("it is said", async () => (await messages(page)).includes("settings have changed"));
    },
  },
  { name: "with wrong parts of a link", hash: "#watch?board=8x8&seed=x&bord=6x6", reach: async (page) => until("it is said", async () => (await messages(page)).includes("invalid")), essential: [...STAGE, "#messages .notice"] },
  { name: "on an impossible board", hash: "#watch?board=5x5&closed=1", reach: async (page) => until("the theorem is named", async () => (await messages(page)).includes("Impossible (theorem):")), essential: [...STAGE, "#messages .notice"] },
  { name: "on a large board", hash: "#watch?board=60x60", essential: STAGE },
  { name: "on a low board", hash: "#watch?board=3x30", essential: STAGE },
  { name: "on a high board", hash: "#watch?board=30x3", essential: STAGE },
  { name: "with the settings", hash: "#watch?board=8x8&solver=mace", reach: openSettings, essential: ["#drawer-close"] },
  {
    name: "with the list of keys", hash: "#watch?board=8x8", essential: ["#help-dialog"],
    reach: async (page) => {
      await page.keyboard.press("?");
      await until("it opens", () => page.locator("#help-dialog[open]").isVisible());
    },
  },
  {
    name: "with a tour shown large", hash: "#watch?board=8x8&solver=warnsdorff&seed=1&speed=full", essential: ["#tourview .picture"],
    reach: async (page) => {
      await play(page);
      await until("the tour is found", async () => (await messages(page)).includes("Tour found:"));
      await page.locator("#messages").getByRole("button", { name: "View and export" }).click();
      await until("the picture is there", () => page.locator("#tourview .picture").evaluate((image) => image.complete && image.naturalWidth > 100));
    },
  },
  { name: "with the list of stories", hash: "#watch?board=8x8", reach: async (page) => {
    await tool(page, "Stories").first().click();
    await until("nine cards", async () => (await page.locator(".story-card:visible").count()) === 9);
  }, essential: ["#board"] },
  { name: "in a story", hash: "#watch?story=beverley&stop=2", reach: async (page) => until("the sums are there", async () => (await text(page, "#overlay")).includes("260")), essential: ["#overlay", ".story-text", ".story-buttons"] },
  { name: "before a race", hash: "#race?board=6x6", essential: ["#race .main", ".race-boards", ".race-chart"] },
  { name: "before the gallery is drawn", hash: "#gallery?board=6x6", reach: async (page) => until("tours are there", async () => (await page.locator(".thumb").count()) > 3), essential: ["#gallery .main", ".thumb"] },
];

export default async function layout(house) {
  const { suite } = house;
  for (const { name, hash, reach, essential } of STATES) {
    await suite.test(`${name}, all fits and axe finds nothing at every size and theme`, () => on(house, hash, async (page) => {
      await reach?.(page);
      await everywhere(page, name, { essential });
    }));
  }

  await suite.test("the board is as large as the window allows", () => on(house, "", async (page) => {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const wanted = size.width < 700 ? size.width - 40 : 0.78 * Math.min(size.height - 144, 0.58 * size.width);
      await until(`at ${size.width}x${size.height} the board is ${Math.round(wanted)} pixels wide`, async () => (await page.locator("#board").boundingBox()).width >= wanted, 3000);
    }
  }));

  await suite.test("present mode fills the window with the board", () => on(house, "#watch?board=8x8&solver=warnsdorff&seed=1&speed=10&present=1", async (page) => {
    await play(page);
    for (const size of SIZES.slice(0, 3)) {
      await page.setViewportSize(size);
      await until(`the board has 85% of ${size.height} pixels`, async () => (await page.locator("#board").boundingBox()).height >= 0.85 * Math.min(size.height, 0.66 / 0.85 * size.width), 3000);
      await until("all fits", async () => (await faults(page, COUNTED)).length === 0, 3000).catch(async () => assert(false, (await faults(page, COUNTED)).join("\n")));
    }
    const large = await page.evaluate(() => parseFloat(getComputedStyle(document.querySelector("#narration")).fontSize));
    assert(large >= 20, `large narration: ${large} pixels`);
    assert(await page.locator(".top").isHidden() && (await page.locator(".setup-line:visible").count()) === 0, "the board and the player only");
    const found = await findings(page);
    assert(found.length === 0, found.join("\n"));
    await page.keyboard.press("Escape");
    await until("Escape leaves it", () => page.locator(".top").isVisible());
    assert((await stepNumber(page)) > 0 && (await status(page)) !== "", "the search goes on");
    await setSpeed(page, FULL_SPEED);
    await closeSettings(page);
  }));
}
