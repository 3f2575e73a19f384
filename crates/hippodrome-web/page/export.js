// Export of tours: SVG, PNG, GIF, PDF, text, JSON.

import { postForFile, RequestError } from "./api.js";
import { isDark } from "./colours.js";
import { el } from "./dom.js";
import { squareName } from "./squares.js";

/** Formats: label, name for the server, file extension. */
const FORMS = /** @type {[string, string, string][]} */ ([
  ["SVG", "svg", "svg"], ["PNG", "png", "png"], ["GIF", "gif", "gif"], ["PDF", "pdf", "pdf"],
  ["Grid", "grid", "txt"], ["Moves", "moves", "txt"], ["Digits", "digits", "txt"], ["JSON", "json", "json"], ["TSPLIB", "tsplib", "tour"],
]);

/**
 * Returns the request body that draws a tour.
 * @param {import("./api.js").Tour} tour
 * @param {import("./setup.js").Ground} ground
 */
export function drawing(tour, ground) {
  const hole = (/** @type {number} */ square) => squareName(square, ground.cols);
  return {
    ground: { board: `${ground.rows}x${ground.cols}`, holes: [...ground.holes].map(hole), leaper: ground.leaper },
    tour: tour.squares.map(hole).join(" "),
  };
}

/**
 * Downloads a file.
 * @param {Blob} file
 * @param {string} name
 */
function save(file, name) {
  const address = URL.createObjectURL(file);
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Creates a button for each format.
 * @param {import("./api.js").Tour} tour
 * @param {import("./setup.js").Ground} ground
 * @param {() => boolean} numbers
 * @param {(text: string) => void} showStatus
 */
export function exports(tour, ground, numbers, showStatus) {
  const button = ([label, form, ending] = ["", "", ""]) => {
    const node = el("button", { type: "button" }, label);
    node.addEventListener("click", async () => {
      node.disabled = true;
      try {
        const look = { numbers: numbers(), dark: form !== "svg" && form !== "pdf" && isDark() };
        const file = await postForFile("/api/draw", { ...drawing(tour, ground), form, look });
        save(file, `tour-${ground.rows}x${ground.cols}.${ending}`);
        showStatus(`${label} saved.`);
      } catch (error) {
        showStatus(error instanceof RequestError ? error.message : String(error));
      }
      node.disabled = false;
    });
    return node;
  };
  return el("div", { className: "exports" }, ...FORMS.map(button));
}
