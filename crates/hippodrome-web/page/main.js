// The page: its tabs, its address, its theme, and what the tabs share.

import { loseJobs, registry } from "./api.js";
import { BoardView } from "./board.js";
import { get, notice, oncePerFrame } from "./dom.js";
import { startFacts } from "./facts.js";
import { bindFields, chooseTool, tool } from "./fields.js";
import { Gallery } from "./gallery.js";
import { refreshJobList, startJobList } from "./job_list.js";
import { startKeys } from "./keys.js";
import { here, registerParts, updateAddress, readGround } from "./link.js";
import { moveMessages, say, sayClosable } from "./messages.js";
import { startPulse } from "./pulse.js";
import { Race } from "./race.js";
import { groundJson, setup } from "./setup.js";
import { StoryStage } from "./story_stage.js";
import { Watch } from "./watch.js";

const TABS = ["watch", "race", "gallery"];
let tab = "watch";

/** Parameters of the address, by tab. */
const PARAMETERS = /** @type {Record<string, string[]>} */ ({
  watch: ["solver", "seed", "job", "speed", "numbers", "step", "tour", "story", "stop"],
  race: ["solvers", "budget", "runs", "seed"],
  gallery: ["solver", "seed", "n", "kind", "tour"],
});

/**
 * Returns messages about unknown parameters of an address.
 * @param {string} name
 * @param {URLSearchParams} query
 */
function unknownParts(name, query) {
  const known = ["board", "holes", "leaper", "closed", "start", "end", "present", ...(PARAMETERS[tab] ?? [])];
  const strange = [...new Set(query.keys())].filter((word) => !known.includes(word) && !(tab === "watch" && word.startsWith("p.")));
  const remarks = strange.map((word) => `Unknown parameter '${word}'; it is ignored.`);
  if (name !== "" && name !== tab) remarks.unshift(`There is no tab '${name}'; Watch is shown.`);
  return remarks;
}

/**
 * Shows a tab.
 * @param {string} name
 */
function show(name) {
  tab = TABS.includes(name) ? name : "watch";
  document.body.dataset.tab = tab;
  moveMessages(get(`${tab}-messages`, HTMLElement));
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
  matchMedia("(forced-colors: active)").addEventListener("change", repaint);
  apply();
}

/** What had the focus before the settings were opened. @type {Element | null} */
let opener = null;

/**
 * Opens or closes the settings. Without an argument it does the other one.
 * @param {boolean} [open]
 */
function drawer(open) {
  const node = get("drawer", HTMLElement);
  const show = open ?? node.hidden;
  if (show === !node.hidden) return;
  if (show) opener = document.activeElement;
  node.hidden = !show;
  for (const button of document.querySelectorAll('[aria-controls="drawer"]')) button.setAttribute("aria-expanded", String(show));
  if (show) get("drawer-close", HTMLButtonElement).focus();
  else if (opener instanceof HTMLElement) opener.focus();
}

async function begin() {
  const known = await registry();
  const board = new BoardView(get("board", HTMLDivElement), { tool, enlarge: () => watch.enlarge() });
  const brush = () => {
    chooseTool(tool() === "hole" ? "start" : "hole");
    watch.panel.brush.setAttribute("aria-pressed", String(tool() === "hole"));
  };
  const present = (on = !document.body.classList.contains("present")) => {
    document.body.classList.toggle("present", on);
    drawer(false);
    board.fit();
    updateAddress(tab);
    watch.redraw();
  };
  const place = () => {
    chooseTool("start");
    watch.clear();
    say("hint", notice("plain", "Click a square:", "the knight starts there. Moving the pointer shows its moves."));
    watch.redraw();
  };
  /** Whether an address is being read, which is in the history of the browser already. */
  let isReading = false;
  /** @type {Watch} */
  const watch = new Watch(known, board, { drawer, brush, present, stories: () => stories.list(), place });
  const stories = new StoryStage(watch, () => updateAddress("watch", !isReading));
  const parts = { race: new Race(known, drawer), gallery: new Gallery(known, drawer) };
  const readers = { watch: watch.link, ...parts };
  registerParts("page", () => ({
    ...(document.body.classList.contains("present") ? { present: "1" } : {}),
    ...(tab === "watch" ? stories.parts() : {}),
  }));
  bindFields();
  const paint = oncePerFrame(() => {
    if (tab === "watch") watch.draw();
  });
  let shape = JSON.stringify(groundJson());
  setup.listen(() => {
    if (setup.isPainted()) board.show();
    const now = JSON.stringify(groundJson());
    if (now !== shape) {
      parts.gallery.clear();
      updateAddress(tab, !isReading && !stories.isStaging);
      watch.still.edited();
    }
    shape = now;
    parts.race.changed();
    paint();
  });
  const go = () => {
    isReading = true;
    const { tab: name, query } = here();
    show(name);
    const opened = get("tourview", HTMLDialogElement);
    if (tab !== "gallery" && opened.open) opened.close();
    if (tab !== "watch") watch.leave();
    const remarks = [...unknownParts(name, query), ...readGround(query)];
    remarks.push(...stories.read(query));
    if (!stories.isOpen() || tab !== "watch") remarks.push(...readers[/** @type {"watch" | "race" | "gallery"} */ (tab)].read(query));
    if (remarks.length) sayClosable("link", "Parts of the link are invalid.", remarks.join(" "));
    else say("link", null);
    if (query.has("board") || query.has("present")) present(tab === "watch" && query.get("present") === "1");
    if (!query.has("board") || remarks.length > 0) setup.change({});
    isReading = false;
    updateAddress(tab);
    board.fit();
    paint();
  };
  addEventListener("popstate", go);
  addEventListener("resize", () => {
    board.fit();
    parts.race.redraw();
    paint();
  });
  new ResizeObserver(paint).observe(board.place);
  bindTheme(() => {
    paint();
    parts.gallery.repaint();
    parts.race.repaint();
  });
  get("drawer-close", HTMLButtonElement).addEventListener("click", () => drawer(false));
  startKeys({
    play: () => watch.play(),
    step: () => (stories.isOpen() ? stories.next() : watch.step()),
    back: () => (stories.isOpen() ? stories.back() : watch.goTo(watch.reel.index - 1)),
    live: () => watch.goLive(),
    first: () => watch.goTo(0),
    speed: (digit) => watch.chooseSpeed(digit),
    numbers: () => watch.showNumbers(!watch.numbers),
    present: () => present(),
    undo: () => void setup.undo(),
    escape: () => {
      if (!get("drawer", HTMLElement).hidden) drawer(false);
      else if (document.body.classList.contains("present")) present(false);
      else if (stories.isOpen()) stories.close();
      else return false;
      return true;
    },
  });
  startFacts();
  startJobList();
  startPulse({
    restarted: () => loseJobs(),
    jobsChanged: () => void refreshJobList(),
  });
  go();
  document.body.dataset.ready = "yes";
}

begin().catch((error) => {
  document.querySelector("main")?.prepend(notice("wrong", "The page could not start.", String(error?.message ?? error)));
});
