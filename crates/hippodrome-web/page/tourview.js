// The large view of one tour: its picture, its facts, and what can be taken along.

import { postForFile } from "./api.js";
import { caption, kindName } from "./caption.js";
import { isDark } from "./colours.js";
import { el, get } from "./dom.js";
import { drawing, exports } from "./export.js";
import { copy, linkToTour } from "./link.js";
import { plain } from "./names.js";
import { grouped } from "./numbers.js";
import { squareName } from "./squares.js";

/**
 * @typedef {import("./api.js").Tour & { shipped?: string }} Tour
 * @typedef {import("./setup.js").Ground} Ground
 * A tour, its board, and what it is called.
 * @typedef {{ tour: Tour, ground: Ground, name?: string, note?: string, source?: string }} Entry
 * The tours before and after one. `shown` is called when another is shown.
 * @typedef {{ entries: Entry[], index: number, shown?: (index: number) => void }} Among
 */

/** What is chosen stays chosen for the next tour. */
const chosen = { numbers: true, caption: false };
/** Counts the tours shown, so that a late picture of an earlier one is not shown. */
let turn = 0;

/**
 * Creates tags for the properties of a tour.
 * @param {Tour} tour
 */
export function tags(tour) {
  const words = [tour.closed ? "closed" : "open"];
  if (tour.symmetry !== "none") words.push(tour.symmetry);
  if (tour.magic === "semi") words.push("semi-magic");
  if (tour.magic === "full") words.push("magic");
  return el("span", { className: "tags" }, ...words.map((word) => el("span", { className: "tag" }, word)));
}

/**
 * @param {Tour} tour
 * @param {number} cols
 */
function properties(tour, cols) {
  const [first, last] = [tour.squares[0], tour.squares[tour.squares.length - 1]];
  const rows = /** @type {[string, string][]} */ ([
    ["From", squareName(first, cols)],
    ["To", squareName(last, cols)],
    ["Symmetry", tour.symmetry],
    ["Sums", { none: "none", semi: "semi-magic", full: "magic" }[tour.magic] ?? tour.magic],
  ]);
  if (tour.turns !== null) rows.push(["Turns", grouped(tour.turns)]);
  if (tour.crossings !== null) rows.push(["Crossings", grouped(tour.crossings)]);
  return el("dl", { className: "counters" }, ...rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

/**
 * Opens the large view.
 * @param {Tour} tour
 * @param {Ground} ground the board of the tour
 * @param {() => void} [closed] called when the view is closed
 * @param {Among} [among] the tours among which the view goes back and forth
 */
export function openTour(tour, ground, closed, among) {
  const dialog = get("tourview", HTMLDialogElement);
  const entries = among?.entries ?? [{ tour, ground }];
  let index = among?.index ?? 0;
  /** @param {number} step @param {string} focus */
  const move = (step, focus) => {
    const next = index + step;
    if (next < 0 || next >= entries.length) return;
    index = next;
    among?.shown?.(index);
    render(dialog, entries, index, move);
    const button = dialog.querySelector(`[data-move="${focus}"]:not(:disabled)`) ?? dialog.querySelector("[data-move]:not(:disabled)");
    if (button instanceof HTMLElement) button.focus();
  };
  dialog.onclose = () => {
    turn += 1;
    release(dialog);
    closed?.();
  };
  dialog.onkeydown = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement) return;
    if (event.key === "ArrowLeft") move(-1, "back");
    else if (event.key === "ArrowRight") move(1, "next");
    else return;
    event.preventDefault();
  };
  render(dialog, entries, index, move);
  if (!dialog.open) dialog.showModal();
}

/**
 * Frees the memory of the picture that is shown.
 * @param {HTMLDialogElement} dialog
 */
function release(dialog) {
  const shown = dialog.querySelector("img.picture");
  if (shown instanceof HTMLImageElement && shown.src.startsWith("blob:")) URL.revokeObjectURL(shown.src);
}

/**
 * Fills the view.
 * @param {HTMLDialogElement} dialog
 * @param {Entry[]} entries
 * @param {number} index
 * @param {(step: number, focus: string) => void} move
 */
function render(dialog, entries, index, move) {
  const { tour, ground, name, note, source = entries[index].tour.shipped } = entries[index];
  const shown = ++turn;
  const kind = kindName(tour, ground);
  const title = name ?? `${kind[0].toUpperCase()}${kind.slice(1)}`;
  const picture = el("img", { className: "picture", alt: `${kind}, from ${squareName(tour.squares[0], ground.cols)}` });
  const status = el("p", { className: "hint", role: "status" }, "Drawing…");
  const facts = el("p", { className: "facts-line" }, `${kind[0].toUpperCase()}${kind.slice(1)}.`);
  const said = caption(tour, ground);
  void said.then((text) => (facts.textContent = text));
  const tick = (/** @type {"numbers" | "caption"} */ which) => {
    const input = el("input", { type: "checkbox", checked: chosen[which] });
    input.addEventListener("change", () => {
      chosen[which] = input.checked;
      void draw();
    });
    return input;
  };
  const look = async () => ({ numbers: chosen.numbers, caption: chosen.caption ? await said : null });
  const draw = async () => {
    try {
      const how = await look();
      const file = await postForFile("/api/draw", {
        ...drawing(tour, ground), form: "svg",
        look: { numbers: how.numbers, dark: isDark(), ...(how.caption === null ? {} : { caption: how.caption }) },
      });
      if (shown !== turn) return;
      release(dialog);
      picture.src = URL.createObjectURL(file);
      status.textContent = "";
    } catch (error) {
      if (shown === turn) status.textContent = plain(error instanceof Error ? error.message : String(error));
    }
  };
  const link = el("button", { type: "button" }, "Copy link");
  link.addEventListener("click", () => copy(link, linkToTour(tour, ground)));
  const close = el("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const arrow = (/** @type {string} */ label, /** @type {number} */ step, /** @type {string} */ focus, /** @type {string} */ sign) =>
    el("button", {
      type: "button", "aria-label": label, title: `${label} (${sign})`, "data-move": focus,
      disabled: index + step < 0 || index + step >= entries.length, onclick: () => move(step, focus),
    }, sign);
  const many = entries.length > 1;
  const place = many ? el("span", { className: "soft" }, `${index + 1} of ${entries.length}`) : null;
  const { copyImage, images, texts } = exports(tour, ground, look, (text) => (status.textContent = text));
  release(dialog);
  dialog.replaceChildren(el("div", { className: "inner" },
    el("div", { className: "head" }, el("h2", { id: "tourview-title" }, title),
      el("div", { className: "moves" }, place, many ? arrow("Previous tour", -1, "back", "←") : null, many ? arrow("Next tour", 1, "next", "→") : null, close)),
    el("div", { className: "picture-place" }, picture),
    el("div", { className: "about" },
      facts,
      note ? el("p", { className: "hint" }, note) : null,
      source ? el("p", { className: "hint" }, `Source: ${source}`) : null,
      properties(tour, ground.cols),
      el("div", { className: "row choice" },
        el("label", { className: "tick" }, tick("numbers"), "Numbers"),
        el("label", { className: "tick" }, tick("caption"), "Caption in the picture")),
      el("div", { className: "exports" }, copyImage, link),
      el("h3", {}, "Save the picture"), images,
      el("h3", {}, "As text"), texts,
      status)));
  void draw();
}
