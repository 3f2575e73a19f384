// Every method: what it says, what it draws on the board and beside it, and that it never says it is paused at a tour.

import { button, headline, messages, NOTE_TEXTS, on, play, settled, status, stepNumber, text, withSettings, written } from "./hands.mjs";
import { assert, until } from "./stage.mjs";

const SQUARE = "[a-z]\\d+";
const CYCLE = /^Cycle \d+(?: of colony \d+)?: 36 ants, longest path \d+ of 36, mean [\d.]+, .*pheromone/;
const GENERATION = /^Generation \d+: .*best \d+ of 35 moves, mean [\d.]+/;

/**
 * What is seen of each method. `says`: sentences; `legend` and `figure`: texts beside the board; `writes`: texts on the
 * board. The default board is 6x6, the default speed 60 steps per second.
 * @type {Record<string, { address?: string, says: RegExp[], legend: RegExp, figure?: RegExp, writes?: RegExp, tour?: boolean }>}
 */
const METHODS = {
  "backtrack": { says: [new RegExp(`Move \\d+: ${SQUARE} to ${SQUARE}, with \\d+ options?`), new RegExp(`Dead end on ${SQUARE}: \\d+ of 36 squares visited; go back \\d+ moves?, to ${SQUARE}`)], legend: /Still to be tried.*Dead end/, figure: /^The stack: \d+ of 36 squares deep/, writes: /^\d$/ },
  "scan": { says: [/Dead end on /], legend: /Still to be tried/, figure: /^The stack/ },
  "warnsdorff": { address: "board=8x8&start=e4&p.ties=random&speed=10", says: [new RegExp(`^Move \\d+: from ${SQUARE}, ${SQUARE} has \\d onward moves?, ${SQUARE} .*; go to ${SQUARE}`), new RegExp(`have \\d onward moves? each.*; a random choice takes ${SQUARE}`)], legend: /Fewest onward moves.*More onward moves.*Chosen/, figure: /^Onward moves of the squares that .* attacks: /, writes: /^[1-8]$/ },
  "best-first": { says: [new RegExp(`Extend the path of \\d+ squares? that ends on ${SQUARE} \\(evaluation .*\\): \\d+ new paths?, \\d+ in the queue`)], legend: /partial tour.*waiting, by length/i, figure: /^The queue by length/, tour: true },
  "exact": { address: "board=6x6&closed=1&speed=3", says: [/forced, because no other move is left: /i], legend: /Move tried.*Move forced.*Move removed/, figure: /^The 80 moves of the board/ },
  "frontier": { says: [/Layer \d+: [\d,]+ states of the frontier before /], legend: /Finished squares.*Frontier/, figure: /^A state is one way to meet the frontier/, tour: true },
  "cuts": { address: "board=8x8&closed=1&speed=3", says: [/a matching gives every square two moves: \d+ cycles?|2-factor|cycles/i], legend: /Closed cycles, each in its colour/, figure: /tour is one cycle|closed tour/i, tour: true },
  "divide": { address: "board=20x20&speed=3", says: [/^Divide 20x20 into \d+ blocks: rows .*, columns /], legend: /Block.*Joint/, tour: true },
  "ace": { address: "board=6x6&speed=3000", says: [CYCLE], legend: /Pheromone/, figure: /^Pheromone on each move/ },
  "mace": { address: "board=6x6&speed=3000", says: [CYCLE], legend: /Pheromone/, figure: /^Pheromone on each move/ },
  "ants-random": { address: "board=6x6&speed=3000", says: [CYCLE], legend: /Pheromone/, figure: /^Pheromone on each move/ },
  "colonies": { address: "board=6x6&speed=3000", says: [CYCLE], legend: /Pheromone/, figure: /^Pheromone on each move/ },
  "neural": { address: "board=8x8&closed=1&seed=14&speed=30", says: [/^Sweep \d+: \d+ active moves, \d+ of 64 squares have two, \d+ cycles? closed/, /\d+ cycles/], legend: /Closed cycles, each in its colour/, figure: /one cycle through all squares/i },
  "neural-join": { address: "board=8x8&closed=1&speed=60", says: [/^Sweep \d+: \d+ active moves/], legend: /Closed cycles, each in its colour.*Moves exchanged/, figure: /one cycle through all squares/i, tour: true },
  "ga": { address: "board=6x6&speed=300", says: [GENERATION], legend: /chromosome/, figure: /chromosomes; fitness is the number of legal moves, and a tour has 35/ },
  "ga-repair": { address: "board=6x6&speed=300", says: [/^Generation \d+: .*pairs crossed, repair changed \d+ genes?; best \d+ of 35 moves, mean/], legend: /chromosome/, figure: /chromosomes; fitness/, tour: true },
  "ga-heuristic": { says: [/^Attempt|^Found|chromosome|^Walk|tour/i], legend: /chromosome/, tour: true },
  "repair-only": { address: "board=6x6&speed=300", says: [GENERATION], legend: /chromosome/, figure: /chromosomes; fitness/ },
  "heuristic-only": { says: [/^Attempt|^Found|chromosome|^Walk|tour/i], legend: /chromosome/, tour: true },
  "uniform": { address: "board=6x6&closed=1&seed=9&speed=10", says: [/^Cover \d+: .*(rejected|cycles|closed off)/], legend: /Closed cycles, each in its colour/, figure: /one cycle through all squares/i, tour: true },
  "backbite": { address: "board=6x6&speed=30", says: [new RegExp(`From the end ${SQUARE} add ${SQUARE}-${SQUARE}, cut ${SQUARE}-${SQUARE}, reverse \\d+ squares?`)], legend: /Move added.*Move cut.*run through backwards/ },
};

const NOTE = () => addEventListener("DOMContentLoaded", () => {
  const said = new Set();
  Reflect.set(window, "said", said);
  const look = () => {
    const sentence = document.getElementById("narration")?.textContent;
    if (sentence) said.add(sentence);
  };
  new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
});
const said = (page) => page.evaluate(() => [...Reflect.get(window, "said")]);
const pictures = (page) => page.evaluate(() => [...document.querySelectorAll("#board canvas, #watch .insight canvas")].map((canvas) =>
  canvas.checkVisibility() ? canvas.toDataURL().length + canvas.toDataURL().slice(-400) : "").join("|"));

export default async function methods(house) {
  const { suite, server } = house;
  const { solvers } = await server.get("/api/solvers");

  await suite.test("every method is in the table of these tests, with a title and a family", async () => {
    const [names, known] = [solvers.map(({ name }) => name), Object.keys(METHODS)].map((list) => list.sort().join());
    assert(names === known, `${names} are not ${known}`);
    for (const { name, title, family, events } of solvers) {
      assert(/^[A-Z]/.test(title) && title !== name, `${name}: ${title}`);
      assert(["rules", "search", "nature", "construction", "random"].includes(family) && events.length > 0, `${name}: ${family}`);
    }
  });

  for (const [name, { address = "board=6x6&speed=60", says, legend, figure, writes, tour }] of Object.entries(METHODS)) {
    const hash = `#watch?solver=${name}&seed=1&${address}`.replace(/seed=1&(.*seed=)/, "$1");
    await suite.test(`${name} says and draws its idea`, () => on(house, hash, async (page) => {
      await play(page);
      assert((await headline(page)).startsWith(solvers.find((solver) => solver.name === name).title), await headline(page));
      const heard = [];
      const digits = new Set();
      await until(`it says ${says.join(" and ")}`, async () => {
        heard.splice(0, heard.length, ...await said(page));
        for (const [word] of await written(page)) digits.add(word);
        return says.every((pattern) => heard.some((sentence) => pattern.test(sentence)));
      }).catch((error) => assert(false, `${error.message}; it said ${heard.slice(-6).join(" / ")}`));
      const odd = heard.find((sentence) => /`|\b1 (squares|cycles|moves|ants|states|blocks)\b|undefined|NaN/.test(sentence));
      assert(!odd, `odd: ${odd}`);
      const row = await text(page, "#watch .legend");
      assert(legend.test(row), `legend: ${row}`);
      if (figure) await until(`its figure: ${figure}`, async () => figure.test((await page.locator("#watch .insight:visible figcaption").allTextContents()).join(" ")));
      if (writes) await until("it writes on the board", async () => {
        for (const [word] of await written(page)) digits.add(word);
        return [...digits].some((word) => writes.test(word));
      });
      if (tour) {
        await page.getByLabel("Speed").fill("8");
        await until("its tour is said", async () => (await messages(page)).includes("Tour found:"));
        const found = await messages(page);
        assert(/Tour found:\s*\d+ of \d+ in [\d.]+ (ms|s|min) after [\d,]+ (dead ends?|attempts?|[a-z ]+)\./.test(found), found);
        assert((await status(page)) === "Tour found", await status(page));
      } else if ((await button(page, "Pause").count()) > 0) {
        await button(page, "Pause").click();
        await settled(page);
      }
      const shown = await pictures(page);
      await withSettings(page, (drawer) => drawer.getByLabel("Show the method's memory").uncheck());
      if (!tour || figure) await until("the picture is another without the method's memory", async () => (await pictures(page)) !== shown);
      assert((await stepNumber(page)) > 0, "steps are counted");
    }, { init: `(${NOTE})(); (${NOTE_TEXTS})();` }));
  }
}
