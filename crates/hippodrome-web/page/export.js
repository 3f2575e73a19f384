// Taking a tour along: images and texts to save, an image or a text on the clipboard, a sheet of several tours.

import { postForFile, RequestError } from "./api.js";
import { isDark } from "./colours.js";
import { el } from "./dom.js";
import { plain } from "./names.js";
import { squareName } from "./squares.js";

/**
 * @typedef {import("./api.js").Tour} Tour
 * @typedef {import("./setup.js").Ground} Ground
 * How a tour is drawn: with its numbers, and with a text below it.
 * @typedef {{ numbers: boolean, caption: string | null }} Look
 */

/** Images: label, and the name for the server, which is the extension. */
const IMAGES = /** @type {[string, string][]} */ ([["PNG", "png"], ["SVG", "svg"], ["PDF", "pdf"], ["GIF", "gif"]]);
/** Texts: label, name for the server, extension. */
const TEXTS = /** @type {[string, string, string][]} */ ([
  ["Moves", "moves", "txt"], ["Digits", "digits", "txt"], ["Grid", "grid", "txt"], ["Numbers", "numbers", "txt"], ["Coordinates", "coords", "txt"],
  ["CSV", "csv", "csv"], ["JSON", "json", "json"], ["LaTeX", "latex", "tex"], ["TSPLIB", "tsplib", "tour"],
]);
/** Widths of a PNG in pixels. */
const SIZES = [512, 1024, 2048];
/** What is chosen stays chosen for the next tour. */
const chosen = { size: "1024", text: "moves" };

/**
 * Returns the request body that draws a tour.
 * @param {Tour} tour
 * @param {Ground} ground
 */
export function drawing(tour, ground) {
  return { ground: free(ground), tour: names(tour, ground) };
}

/** @param {Ground} ground */
function free({ rows, cols, holes, leaper }) {
  return { board: `${rows}x${cols}`, holes: [...holes].map((hole) => squareName(hole, cols)), leaper };
}

/**
 * @param {Tour} tour
 * @param {Ground} ground
 */
function names(tour, { cols }) {
  return tour.squares.map((square) => squareName(square, cols)).join(" ");
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
 * Names a file by what it contains: tour-8x8-closed-numbers-1024.png, tour-8x8-open-moves.txt.
 * @param {Tour} tour
 * @param {Ground} ground
 * @param {(string | false | null)[]} details
 * @param {string} ending
 */
function fileName(tour, { rows, cols }, details, ending) {
  return `${["tour", `${rows}x${cols}`, tour.closed ? "closed" : "open", ...details.filter((word) => word)].join("-")}.${ending}`;
}

/** @param {unknown} error */
function reason(error) {
  return plain(error instanceof RequestError ? error.message : String(error));
}

/**
 * Creates the controls that copy and save a tour.
 * @param {Tour} tour
 * @param {Ground} ground
 * @param {() => Promise<Look>} look
 * @param {(text: string) => void} showStatus
 */
export function exports(tour, ground, look, showStatus) {
  const size = el("select", { "aria-label": "Width of the PNG in pixels", onchange: () => (chosen.size = size.value) },
    ...SIZES.map((side) => el("option", { value: String(side), selected: String(side) === chosen.size }, `${side} px`)));
  const text = el("select", { "aria-label": "Notation", onchange: () => (chosen.text = text.value) },
    ...TEXTS.map(([label, form]) => el("option", { value: form, selected: form === chosen.text }, label)));

  /** @param {string} form */
  const image = async (form) => {
    const how = await look();
    const options = { numbers: how.numbers, dark: form !== "svg" && form !== "pdf" && isDark(), ...(form === "png" ? { size: Number(size.value) } : {}) };
    // Animations have no caption.
    const below = how.caption !== null && form !== "gif" ? { caption: how.caption } : {};
    const file = await postForFile("/api/draw", { ...drawing(tour, ground), form, look: { ...options, ...below } });
    const details = [how.numbers && "numbers", how.caption !== null && form !== "gif" && "caption", form === "png" && size.value];
    return { file, name: fileName(tour, ground, details, form) };
  };
  const notation = () => TEXTS.find(([, form]) => form === text.value) ?? TEXTS[0];
  const written = () => postForFile("/api/draw", { ...drawing(tour, ground), form: notation()[1], look: {} });

  const action = (/** @type {string} */ label, /** @type {() => Promise<string>} */ act, /** @type {string} */ title = label) => {
    const node = el("button", { type: "button", title, "aria-label": title });
    node.append(label);
    node.addEventListener("click", async () => {
      node.disabled = true;
      showStatus(await act().catch(reason));
      node.disabled = false;
      if (document.activeElement === document.body) node.focus();
    });
    return node;
  };

  const copyImage = action("Copy image", async () => {
    if (typeof ClipboardItem === "undefined" || !navigator.clipboard?.write) return "This browser cannot copy images; save the PNG instead.";
    try {
      // Browsers want the item at once; the image may follow.
      await navigator.clipboard.write([new ClipboardItem({ "image/png": image("png").then(({ file }) => file) })]);
      return "The image is on the clipboard.";
    } catch (error) {
      if (error instanceof RequestError) throw error;
      return "This browser did not allow copying the image; save the PNG instead.";
    }
  });
  const copyText = action("Copy", async () => {
    const content = await (await written()).text();
    try {
      await navigator.clipboard.writeText(content.trimEnd());
      return `${notation()[0]} copied.`;
    } catch {
      return "This browser did not allow copying; save the text instead.";
    }
  }, "Copy as text");
  const saveText = action("Save", async () => {
    const [label, form, ending] = notation();
    save(await written(), fileName(tour, ground, [form !== ending && form], ending));
    return `${label} saved.`;
  }, "Save as text");
  const images = IMAGES.map(([label, form]) => action(label, async () => {
    const { file, name } = await image(form);
    save(file, name);
    return `${name} saved.`;
  }, `Save as ${label}`));
  return {
    copyImage,
    images: el("div", { className: "exports" }, ...images, size),
    texts: el("div", { className: "exports" }, text, copyText, saveText),
  };
}

/**
 * Saves several tours of one board as a sheet.
 * @param {Tour[]} tours
 * @param {Ground} ground
 * @param {"pdf" | "svg" | "png"} form
 * @param {{ title: string, kind: string }} about `kind` goes into the name of the file
 */
export async function saveSheet(tours, ground, form, { title, kind }) {
  const look = form === "png" ? { size: 2048, dark: isDark() } : {};
  const file = await postForFile("/api/sheet", { ground: free(ground), tours: tours.map((tour) => tour.digits ?? names(tour, ground)), form, title, look });
  const name = ["tours", `${ground.rows}x${ground.cols}`, kind, String(tours.length)].filter((word) => word !== "").join("-");
  save(file, `${name}.${form}`);
  return `${name}.${form} saved.`;
}
