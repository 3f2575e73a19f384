// The Gallery tab: tours of every kind, the large view, and what is taken along.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { jobs, on, open, still, text } from "./hands.mjs";
import { assert, findings, hippo, PHONE, target, until } from "./stage.mjs";

const said = (page) => text(page, "#gallery-messages");
const thumbs = (page) => page.locator(".thumb");
const view = (page) => page.locator("#tourview");
const drawn = (page) => until("the picture is there", () => view(page).locator(".picture").evaluate((image) => image.complete && image.naturalWidth > 100));
/** Downloads what a press gives. Returns its name and its bytes. */
async function download(page, press) {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  const name = file.suggestedFilename();
  const saved = path.join(target, name);
  await file.saveAs(saved);
  return { name, saved, bytes: readFileSync(saved) };
}

export default async function gallery(house) {
  const { suite } = house;

  await suite.test("before anything is drawn, the wall shows historic tours with their sources", () => on(house, "#gallery", async (page) => {
    await until("tours", async () => (await thumbs(page).count()) >= 5);
    const all = await text(page, ".thumbs");
    assert(/Beverley/.test(all) && /1848/.test(all) && /Euler/.test(all), all);
    await thumbs(page).first().click();
    await drawn(page);
    assert(/Source: ./.test(await text(page, "#tourview")), "its source");
    await page.keyboard.press("ArrowRight");
    await until("the next tour", async () => (await text(page, "#tourview")).includes("2 of "));
  }));

  await suite.test("a dozen tours are drawn, and another dozen differs", () => on(house, "#gallery?board=6x6&closed=1&seed=3", async (page) => {
    const tours = () => thumbs(page).evaluateAll((list) => list.map((node) => node.dataset.tour));
    await page.getByRole("button", { name: "▶ Draw tours" }).click();
    await until("a dozen", async () => (await thumbs(page).count()) === 12 && /12 (closed )?tours/.test(await said(page)));
    const first = await tours();
    await page.getByRole("button", { name: "Another dozen" }).dblclick();
    await until("another", async () => (await thumbs(page).count()) === 12 && (await tours()).join() !== first.join());
    assert(page.url().includes("seed=4"), `one press, not two: ${page.url()}`);
    const found = await findings(page);
    assert(found.length === 0, found.join("\n"));
  }));

  await suite.test("no kind of the gallery is ever empty on 8x8", () => on(house, "#gallery?board=8x8&seed=2", async (page) => {
    for (const kind of ["Closed", "Symmetric", "Semi-magic"]) {
      await page.locator("#gallery .kinds").getByRole("button", { name: kind, exact: true }).click();
      await until(`${kind} tours`, async () => (await thumbs(page).count()) > 0 && / tours?/.test(await said(page)) && !/Drawing|Starting|Building/.test(await said(page)), 90_000);
      const tags = await page.locator(".thumb .tags").allTextContents();
      const word = { "Closed": /closed/, "Symmetric": /rotation|reflection|symmetr|half-turn|quarter|180|90/i, "Semi-magic": /magic/ }[kind];
      assert(tags.every((tag) => word.test(tag)), `${kind}: ${tags.join(" / ")}`);
      if (kind !== "Closed" && /published/.test(await said(page))) assert((await page.locator(".thumb-source").count()) > 0, `${kind}: the source is told`);
    }
  }));

  await suite.test("a tour is viewed, exported, copied and shared", () => on(house, "#gallery?board=6x6&closed=1&seed=3", async (page, context) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "▶ Draw tours" }).click();
    await until("a dozen", async () => (await thumbs(page).count()) === 12);
    const tour = await thumbs(page).first().getAttribute("data-tour");
    await thumbs(page).first().click();
    await drawn(page);
    assert((await text(page, "#tourview")).includes("Crossings"), "crossings are counted");
    await until("the facts", async () => /one of 19,724 directed closed tours\./.test(await text(page, ".facts-line")));
    await still(page);
    for (const what of await findings(page)) assert(false, what);
    for (const [button, start] of [["PNG", "\x89PNG"], ["GIF", "GIF8"], ["PDF", "%PDF"], ["SVG", "<svg"]]) {
      const { name, bytes } = await download(page, () => view(page).getByRole("button", { name: `Save as ${button}`, exact: true }).click());
      assert(new RegExp(`^tour-6x6-closed.*\\.${button.toLowerCase()}$`).test(name), name);
      assert(bytes.subarray(0, 200).toString("latin1").includes(start), `${button}: ${bytes.subarray(0, 20)}`);
    }
    for (const [form, ending] of [["moves", "txt"], ["grid", "txt"], ["json", "json"], ["digits", "txt"]]) {
      await view(page).getByLabel("Notation").selectOption(form);
      const { name, saved } = await download(page, () => view(page).getByRole("button", { name: "Save as text" }).click());
      assert(name === (form === ending ? `tour-6x6-closed.${ending}` : `tour-6x6-closed-${form}.${ending}`), name);
      const checked = spawnSync(hippo, ["check", saved, "--json"], { encoding: "utf8" });
      assert(checked.status === 0, `hippo check ${saved}: ${checked.stderr}`);
      const report = JSON.parse(checked.stdout.split("\n")[0]);
      assert(report.valid && report.closed, checked.stdout);
    }
    await view(page).getByLabel("Notation").selectOption("digits");
    await view(page).getByRole("button", { name: "Copy as text" }).click();
    await until("the digits are copied", async () => (await page.evaluate(() => navigator.clipboard.readText())).includes(tour.split(" ")[1].slice(0, 20)));
    await view(page).getByRole("button", { name: "Copy image" }).click();
    await until("the image is copied", async () => (await text(page, "#tourview [role=status]")).includes("The image is on the clipboard"));
    const types = await page.evaluate(async () => (await navigator.clipboard.read()).flatMap((item) => item.types));
    assert(types.includes("image/png"), types.join());
    await view(page).getByRole("button", { name: "Copy link" }).click();
    await until("the link is copied", async () => (await page.evaluate(() => navigator.clipboard.readText().catch(() => ""))).includes("#gallery"));
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const shared = await open(house, context, new URL(link).hash);
    await until("the shared tour opens", async () => (await shared.page.locator("#tourview[open] .picture").count()) === 1);
    assert(link.includes(tour.split(" ")[1].slice(0, 20)), `${link} holds ${tour}`);
    assert(shared.errors.length === 0, shared.errors.join("\n"));
  }));

  await suite.test("a PNG has the width chosen, up to 2048 pixels, and a caption with facts", () => on(house, "#gallery?board=6x6&closed=1&seed=3", async (page) => {
    await page.getByRole("button", { name: "▶ Draw tours" }).click();
    await until("a dozen", async () => (await thumbs(page).count()) === 12);
    await thumbs(page).first().click();
    await drawn(page);
    const png = () => download(page, () => view(page).getByRole("button", { name: "Save as PNG", exact: true }).click());
    for (const width of [512, 2048]) {
      await view(page).getByLabel("Width of the PNG in pixels").selectOption(String(width));
      const { name, bytes } = await png();
      assert(Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) === width, `${name}: ${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`);
      assert(name.includes(String(width)), name);
    }
    await view(page).getByLabel("Width of the PNG in pixels").selectOption("512");
    const plain = (await png()).bytes;
    await view(page).getByLabel("Caption in the picture").check();
    const { name, bytes } = await png();
    assert(name.includes("caption") && !bytes.equals(plain), `${name} differs`);
    const svg = await download(page, () => view(page).getByRole("button", { name: "Save as SVG", exact: true }).click());
    const sizeOf = (file) => /viewBox="([^"]*)"/.exec(file.toString())?.[1];
    assert(/caption/.test(svg.name) && sizeOf(svg.bytes), svg.name);
    await view(page).getByLabel("Caption in the picture").uncheck();
    const bare = await download(page, () => view(page).getByRole("button", { name: "Save as SVG", exact: true }).click());
    assert(sizeOf(bare.bytes) !== sizeOf(svg.bytes), `the caption has room: ${sizeOf(bare.bytes)} and ${sizeOf(svg.bytes)}`);
  }));

  await suite.test("a caption names how many tours there are on 8x8", () => on(house, "#watch?board=8x8&closed=1&solver=cuts&speed=full", async (page) => {
    await page.locator("#player").getByRole("button", { name: "Play" }).click();
    await page.getByRole("button", { name: "View and export" }).click();
    await until("the exact count", async () => (await text(page, ".facts-line")).includes("one of 26,534,728,821,064 directed closed tours"));
  }));

  await suite.test("a sheet of the gallery is saved as PDF, SVG and PNG", () => on(house, "#gallery?board=6x6&closed=1&seed=3", async (page) => {
    await page.getByRole("button", { name: "▶ Draw tours" }).click();
    await until("a dozen", async () => (await thumbs(page).count()) === 12 && (await page.locator("#gallery .sheet").isVisible()));
    for (const [form, start] of [["PDF", "%PDF"], ["SVG", "<svg"], ["PNG", "\x89PNG"]]) {
      const { name, bytes } = await download(page, () => page.locator("#gallery .sheet").getByRole("button", { name: form, exact: true }).click());
      assert(name === `tours-6x6-closed-12.${form.toLowerCase()}`, name);
      assert(bytes.subarray(0, 200).toString("latin1").includes(start) && bytes.length > 5000, `${name}: ${bytes.length} bytes`);
      await until("the buttons return", () => page.locator("#gallery .sheet").isVisible());
    }
  }));

  await suite.test("a large table is asked about before the gallery builds it", () => on(house, "#gallery?board=8x8&kind=all", async (page) => {
    await page.getByRole("button", { name: "▶ Draw tours" }).click();
    await until("it is asked", async () => /need a large table.*1\.8 GB/.test(await said(page)));
    assert((await jobs(house)).every(({ over }) => over), "nothing is built yet");
    await page.locator("#gallery-messages").getByRole("button", { name: /^Draw with/ }).click();
    await until("a dozen without it", async () => (await thumbs(page).count()) === 12);
  }));

  await suite.test("the gallery fits a phone", () => on(house, "#gallery?board=6x6&closed=1&seed=3", async (page) => {
    await page.getByRole("button", { name: "▶ Draw tours" }).tap();
    await until("a dozen", async () => (await thumbs(page).count()) === 12);
    await thumbs(page).first().tap();
    await drawn(page);
    const wide = await page.evaluate(() => [document.documentElement, document.getElementById("tourview")].map((node) => node.scrollWidth - node.clientWidth));
    assert(wide.every((pixels) => pixels <= 0), `too wide: ${wide}`);
    await still(page);
    const found = await findings(page);
    assert(found.length === 0, found.join("\n"));
  }, { screen: PHONE }));
}
