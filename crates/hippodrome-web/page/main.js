// The page: its tabs, its address and its theme.

import { registry } from "./api.js";
import { BoardView } from "./board.js";
import { el, get, notice, oncePerFrame } from "./dom.js";
import { startFacts } from "./facts.js";
import { Gallery } from "./gallery.js";
import { startJobList } from "./job_list.js";
import { here, updateAddress, readGround } from "./link.js";
import { parseWithin } from "./parse.js";
import { Race } from "./race.js";
import { groundJson, setup, MAX_IMAGE_SIDE } from "./setup.js";
import { Watch } from "./watch.js";

const TABS = ["watch", "race", "gallery"];
let tab = "watch";

/** Returns the selected tool. */
function tool() {
  const chosen = document.querySelector('input[name="tool"]:checked');
  return /** @type {import("./board.js").Tool} */ (chosen instanceof HTMLInputElement ? chosen.value : "hole");
}

/** Binds the fields for size, piece and goal to the board, in both directions. */
function bindFields() {
  const [rows, cols] = [get("rows", HTMLInputElement), get("cols", HTMLInputElement)];
  const leaper = get("leaper", HTMLSelectElement);
  const wrong = get("size-wrong", HTMLParagraphElement);
  const check = () => {
    const bad = [rows, cols].filter((input) => input.getAttribute("aria-invalid") === "true");
    wrong.hidden = bad.length === 0;
    const names = bad.map((input) => (input === rows ? "Rows" : "Columns")).join(", ");
    wrong.textContent = bad.length ? `${names}: enter a whole number from 1 to ${MAX_IMAGE_SIDE}.` : "";
  };
  const resize = (/** @type {HTMLInputElement} */ input, /** @type {"rows" | "cols"} */ name) => {
    const value = parseWithin(input.value, 1, MAX_IMAGE_SIDE);
    input.setAttribute("aria-invalid", String(value === null));
    check();
    if (value !== null) setup.change({ [name]: value });
  };
  rows.addEventListener("change", () => resize(rows, "rows"));
  cols.addEventListener("change", () => resize(cols, "cols"));
  leaper.addEventListener("change", () => setup.change({ leaper: leaper.value }));
  for (const goal of document.querySelectorAll('input[name="goal"]')) {
    goal.addEventListener("change", () => {
      if (goal instanceof HTMLInputElement && goal.checked) setup.change({ closed: goal.value === "closed" });
    });
  }
  get("clear", HTMLButtonElement).addEventListener("click", () => setup.change({ holes: new Set(), start: null, end: null }));
  let before = setup.ground;
  setup.listen(() => {
    const ground = setup.ground;
    const follow = (/** @type {HTMLInputElement} */ input, /** @type {"rows" | "cols"} */ name) => {
      // An invalid value stays in its field until it is corrected or the board changes.
      if (ground[name] !== before[name]) input.setAttribute("aria-invalid", "false");
      if (input.getAttribute("aria-invalid") !== "true") input.value = String(ground[name]);
    };
    follow(rows, "rows");
    follow(cols, "cols");
    before = ground;
    check();
    if (![...leaper.options].some((option) => option.value === ground.leaper)) {
      leaper.append(el("option", { value: ground.leaper }, ground.leaper));
    }
    leaper.value = ground.leaper;
    for (const goal of document.querySelectorAll('input[name="goal"]')) {
      if (goal instanceof HTMLInputElement) goal.checked = (goal.value === "closed") === ground.closed;
    }
  });
}

/** Parameters of the address, by tab. */
const PARAMETERS = /** @type {Record<string, string[]>} */ ({
  watch: ["solver", "seed", "job"],
  race: ["solvers", "budget", "runs", "seed"],
  gallery: ["solver", "seed", "n", "kind", "tour"],
});

/**
 * Returns messages about unknown parameters of an address.
 * @param {string} name
 * @param {URLSearchParams} query
 */
function unknownParts(name, query) {
  const known = ["board", "holes", "leaper", "closed", "start", "end", ...(PARAMETERS[tab] ?? [])];
  const strange = [...new Set(query.keys())].filter((word) => !known.includes(word) && !(tab === "watch" && word.startsWith("p.")));
  const remarks = strange.map((word) => `Unknown parameter '${word}'; it is ignored.`);
  if (name !== "" && name !== tab) remarks.unshift(`There is no tab '${name}'; Watch is shown.`);
  return remarks;
}

/**
 * Shows messages about invalid parts of an address.
 * @param {string[]} remarks
 */
function showLinkErrors(remarks) {
  const place = get("link-errors", HTMLDivElement);
  place.replaceChildren();
  if (remarks.length === 0) return;
  const message = notice("wrong", "Parts of the link are invalid.", remarks.join(" "));
  message.append(el("button", { type: "button", onclick: () => place.replaceChildren() }, "Close"));
  place.append(message);
}

/**
 * Shows a tab.
 * @param {string} name
 */
function show(name) {
  tab = TABS.includes(name) ? name : "watch";
  document.body.dataset.tab = tab;
  for (const link of document.querySelectorAll("nav a")) {
    if (link instanceof HTMLAnchorElement && link.dataset.tab === tab) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/**
 * Applies and stores the selected theme.
 * @param {() => void} repaint
 */
function bindTheme(repaint) {
  const select = get("theme", HTMLSelectElement);
  const apply = () => {
    document.documentElement.dataset.theme = select.value;
    repaint();
  };
  select.value = localStorage.getItem("theme") ?? "auto";
  if (select.selectedIndex < 0) select.value = "auto";
  select.addEventListener("change", () => {
    localStorage.setItem("theme", select.value);
    apply();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  apply();
}

async function begin() {
  const known = await registry();
  const board = new BoardView(get("board", HTMLDivElement), tool);
  const parts = { watch: new Watch(known, board), race: new Race(known), gallery: new Gallery(known) };
  bindFields();
  const paint = oncePerFrame(() => parts.watch.draw());
  let shape = JSON.stringify(groundJson());
  setup.listen(() => {
    if (setup.isPainted()) board.show();
    const now = JSON.stringify(groundJson());
    if (now !== shape) parts.gallery.clear();
    shape = now;
    parts.race.changed();
    updateAddress(tab);
    paint();
  });
  const go = () => {
    const { tab: name, query } = here();
    show(name);
    if (tab !== "watch") parts.watch.leave();
    const remarks = [...unknownParts(name, query), ...readGround(query)];
    remarks.push(...parts[/** @type {"watch" | "race" | "gallery"} */ (tab)].read(query));
    showLinkErrors(remarks);
    if (!query.has("board")) setup.change({});
    updateAddress(tab);
    paint();
  };
  addEventListener("hashchange", go);
  new ResizeObserver(paint).observe(board.place);
  addEventListener("resize", () => parts.race.redraw());
  bindTheme(() => {
    paint();
    parts.gallery.repaint();
    parts.race.repaint();
  });
  startFacts();
  startJobList();
  go();
  document.body.dataset.ready = "yes";
}

begin().catch((error) => {
  document.querySelector("main")?.prepend(notice("wrong", "The page could not start.", String(error?.message ?? error)));
});
