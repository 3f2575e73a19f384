// The large view of one tour: its image, its properties, and export.

import { postForFile, RequestError } from "./api.js";
import { isDark } from "./colours.js";
import { el, get } from "./dom.js";
import { drawing, exports } from "./export.js";
import { copy, linkToTour } from "./link.js";
import { grouped } from "./numbers.js";
import { squareName } from "./squares.js";

/** @typedef {import("./api.js").Tour} Tour */

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
function kinds(tour, cols) {
  const [first, last] = [tour.squares[0], tour.squares[tour.squares.length - 1]];
  const rows = /** @type {[string, string][]} */ ([
    ["From", squareName(first, cols)],
    ["To", squareName(last, cols)],
    ["Kind", tour.closed ? "closed" : "open"],
    ["Symmetry", tour.symmetry],
    ["Sums", { none: "not magic", semi: "semi-magic", full: "magic" }[tour.magic] ?? tour.magic],
  ]);
  if (tour.turns !== null) rows.push(["Turns", grouped(tour.turns)]);
  if (tour.crossings !== null) rows.push(["Crossings", grouped(tour.crossings)]);
  return el("dl", { className: "counters" }, ...rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

/**
 * Opens the large view.
 * @param {Tour} tour
 * @param {import("./setup.js").Ground} ground the board of the tour
 * @param {() => void} [closed] called when the view is closed
 */
export function openTour(tour, ground, closed) {
  const dialog = get("tourview", HTMLDialogElement);
  dialog.onclose = closed ?? null;
  const title = `${tour.closed ? "Closed" : "Open"} tour of ${ground.rows}x${ground.cols}`;
  const picture = el("img", { className: "picture", alt: `${title}, from ${squareName(tour.squares[0], ground.cols)}`, width: 640, height: Math.round((640 * ground.rows) / ground.cols) });
  const status = el("p", { className: "hint", role: "status" }, "Drawing…");
  const numbers = el("input", { type: "checkbox", checked: true });
  const draw = async () => {
    try {
      const look = { numbers: numbers.checked, dark: isDark() };
      const file = await postForFile("/api/draw", { ...drawing(tour, ground), form: "svg", look });
      if (picture.src) URL.revokeObjectURL(picture.src);
      picture.src = URL.createObjectURL(file);
      status.textContent = "";
    } catch (error) {
      status.textContent = error instanceof RequestError ? error.message : String(error);
    }
  };
  numbers.addEventListener("change", draw);
  const link = el("button", { type: "button", className: "quiet" }, "Copy link");
  link.addEventListener("click", () => copy(link, linkToTour(tour, ground)));
  const close = el("button", { type: "button", onclick: () => dialog.close() }, "Close");
  dialog.replaceChildren(el("div", { className: "inner" },
    el("div", { className: "head" }, el("h2", { id: "tourview-title" }, title), close),
    picture,
    el("div", { className: "about" },
      kinds(tour, ground.cols),
      el("label", { className: "tick" }, numbers, "Numbers"),
      el("h3", {}, "Export"),
      exports(tour, ground, () => numbers.checked, (text) => (status.textContent = text)),
      el("div", { className: "row" }, link),
      status)));
  void draw();
  if (!dialog.open) dialog.showModal();
}
