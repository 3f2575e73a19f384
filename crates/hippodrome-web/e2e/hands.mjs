// What tests do with the page: open it, press its buttons, read what it shows.

import path from "node:path";
import { assert, DESKTOP, target, TIMEOUT, until } from "./stage.mjs";

/**
 * Opens the page at an address, and collects its errors.
 * @param {import("./page.mjs").House} house
 */
export async function open(house, context, hash = "", { url = house.server.url, init = null } = {}) {
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(`${message.text()} ${message.location().url}`));
  if (init) await page.addInitScript(init);
  await page.goto(url + hash);
  await until(`the page has started ${errors.join("\n")}`, () => page.evaluate(() => document.body.dataset.ready === "yes"));
  return { page, errors };
}

/**
 * Runs a test on a page of its own browser context, and fails if the page logged an error. `allow` is a pattern of
 * errors that the test causes.
 */
export async function on(house, hash, run, { screen = DESKTOP, allow = null, init = null, url = house.server.url, ...more } = {}) {
  const context = await house.chromium.newContext({ ...screen, ...more });
  try {
    const { page, errors } = await open(house, context, hash, { url, init });
    await run(page, context);
    const left = errors.filter((error) => !allow?.test(error));
    assert(left.length === 0, `errors on the console: ${left.join("\n")}`);
  } finally {
    await context.close();
    await house.server.endJobs().catch(() => null);
  }
}

/** Goes to another address of the same page, as a click on a link does. */
export async function go(page, hash) {
  await page.evaluate((to) => (location.hash = to), hash);
  await until(`the page is at ${hash}`, () => page.evaluate((tab) => document.body.dataset.tab === tab, hash.slice(1).split("?")[0]));
}

/** Returns the text of an element, hidden or not. */
export async function text(page, selector) {
  return (await page.locator(selector).allTextContents()).join(" ");
}

/** Returns a button of the player. */
export const button = (page, name) => page.locator("#player").getByRole("button", { name, exact: true });
/** Returns a button beside the board. */
export const tool = (page, name) => page.locator("#watch").getByRole("button", { name, exact: true });
/** Returns a square of the board. */
export const cell = (page, name) => page.getByRole("gridcell", { name: new RegExp(`^${name}($|,)`) });

export const stepNumber = async (page) => Number((await text(page, "#player .step-number")).replace(/[^0-9]/g, ""));
export const narration = (page) => text(page, "#narration");
export const headline = (page) => text(page, "#watch .headline");
export const messages = (page) => text(page, "#messages");
export const status = (page) => text(page, "#player .status");

/** Returns a counter, or null if it is not there; of "26 of 36" the first number. */
export async function counter(page, name) {
  const value = await page.locator("#watch .counters div", { has: page.locator(`dt:text-is("${name}")`) }).first().locator("dd").textContent({ timeout: 500 }).catch(() => null);
  return value === null ? null : Number(value.split(" ")[0].replaceAll(",", ""));
}

/** Sets the speed by the position of its slider, from 0. The last one is full speed. */
export const setSpeed = (page, position) => page.getByLabel("Speed").fill(String(position));
export const FULL_SPEED = 8;

/** Opens the settings. */
export async function openSettings(page) {
  if (await page.locator("#drawer").isVisible()) return;
  await page.locator('[aria-controls="drawer"]:visible').first().click();
  await page.waitForSelector("#drawer:not([hidden])");
}

export async function closeSettings(page) {
  if (await page.locator("#drawer").isVisible()) await page.locator("#drawer-close").click();
}

/** Changes settings in the drawer, and closes it. */
export async function withSettings(page, change) {
  await openSettings(page);
  await change(page.locator("#drawer"));
  await closeSettings(page);
}

/** Fills a number of the settings. */
export async function fill(page, selector, value) {
  await page.fill(selector, String(value));
  await page.press(selector, "Tab");
}

/** Unticks "Pause at each tour". */
export const runOn = (page) => withSettings(page, (drawer) => drawer.getByLabel("Pause at each tour").uncheck());

/** Starts a search and waits until it has made a step. */
export async function play(page) {
  await button(page, "Play").click();
  await until("it runs", async () => (await stepNumber(page)) > 0);
}

/** Waits until the step number no longer changes. */
export async function settled(page) {
  let before = -1;
  await until("it has stopped", async () => {
    const now = await stepNumber(page);
    const same = now === before;
    before = now;
    if (!same) await page.waitForTimeout(100);
    return same;
  });
  return before;
}

/** Returns the number of pixels of the board's canvas that are not empty. */
export const ink = (page) => page.evaluate(() => {
  const canvas = document.querySelector("#board canvas");
  if (!canvas?.width) return 0;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let inked = 0;
  for (let at = 3; at < data.length; at += 4) inked += data[at] > 0 ? 1 : 0;
  return inked;
});

/** Makes a page note the texts that are written on its board; `written` returns those of the last picture. */
export const NOTE_TEXTS = () => {
  const plain = CanvasRenderingContext2D.prototype;
  const { fillText, clearRect } = plain;
  const isBoard = (ctx) => ctx.canvas.parentElement?.id === "board";
  Reflect.set(window, "written", []);
  plain.clearRect = function (...args) {
    if (isBoard(this)) Reflect.set(window, "written", []);
    return clearRect.apply(this, args);
  };
  plain.fillText = function (...args) {
    const at = this.getTransform().transformPoint({ x: args[1], y: args[2] });
    if (isBoard(this)) Reflect.get(window, "written").push([String(args[0]), at.x / this.canvas.width, at.y / this.canvas.height]);
    return fillText.apply(this, args);
  };
};
export const written = (page) => page.evaluate(() => Reflect.get(window, "written"));

/** Returns the jobs of the server. */
export const jobs = async (house) => (await house.server.get("/api/jobs")).jobs;

export async function shot(page, name) {
  await page.screenshot({ path: path.join(target, "shots", `${name}.png`), fullPage: false });
}

/** Waits until no transition runs, so that colours are final. */
export async function still(page) {
  await until("nothing moves", () => page.evaluate(() =>
    document.getAnimations().every((one) => one.playState !== "running" || one.effect?.getComputedTiming().iterations === Infinity)));
}
