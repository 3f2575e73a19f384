// The wall of the gallery: thumbnails of tours that open in the large view.

import { el } from "./dom.js";
import { groundFrom } from "./setup.js";
import { paintThumbnail } from "./thumbnail.js";
import { tags } from "./tourview.js";

/** @typedef {import("./tourview.js").Entry} Entry */

/** Width of a thumbnail, in CSS pixels. */
const WIDTH = 190;

/**
 * Returns a tour that ships with the program, on its own board.
 * @param {import("./api.js").Historic} historic
 * @returns {Entry}
 */
export function historicEntry({ tour, board, title, author, year, source }) {
  const ground = groundFrom({ board, holes: [], leaper: "1,2", closed: false, start: null, end: null });
  return { tour, ground, name: title, note: `${author}, ${year}`, source };
}

/** Thumbnails in rows. */
export class Wall {
  /**
   * @param {(index: number) => void} open
   */
  constructor(open) {
    this.open = open;
    this.node = el("ul", { className: "thumbs" });
    /** @type {Entry[]} */
    this.entries = [];
    /** @type {HTMLCanvasElement[]} */
    this.canvases = [];
  }

  clear() {
    this.entries = [];
    this.canvases = [];
    this.node.replaceChildren();
  }

  /**
   * Adds tours after those that are shown.
   * @param {Entry[]} entries
   */
  add(entries) {
    for (const entry of entries) {
      const index = this.entries.push(entry) - 1;
      const canvas = el("canvas", { "aria-hidden": "true" });
      const { tour, name = `No. ${index + 1}`, note } = entry;
      const source = tour.shipped ? `${tour.shipped[0].toUpperCase()}${tour.shipped.slice(1)}` : note ?? "";
      const button = el("button", { type: "button", className: "thumb", title: source || null, onclick: () => this.open(index) },
        canvas, el("span", { className: "thumb-name" }, name), tags(tour), source ? el("span", { className: "thumb-source" }, source) : null);
      button.dataset.tour = tour.digits ?? "";
      this.canvases.push(canvas);
      this.node.append(el("li", {}, button));
      this.paint(index);
    }
  }

  /**
   * @param {number} index
   */
  paint(index) {
    const { tour, ground } = this.entries[index];
    paintThumbnail(this.canvases[index], ground, tour.squares, { width: WIDTH, closed: tour.closed });
  }

  /** Repaints all thumbnails, because the colours have changed. */
  repaint() {
    this.entries.forEach((_, index) => this.paint(index));
  }
}
