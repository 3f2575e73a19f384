// A check of the stories' data: lengths, stops, tours and solvers that exist.

import { readFileSync } from "node:fs";
import path from "node:path";
import { STORIES, wordsOf } from "../page/stories_data.js";

const FIGURES = ["sums", "piles", "colours", "ring", "parts"];
const KINDS = ["historic", "symmetric", "semi-magic"];

/** Returns the rows of historic.tsv. */
export function historicRows() {
  const file = path.join(import.meta.dirname, "../data/historic.tsv");
  const lines = readFileSync(file, "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
  return lines.map((line) => {
    const [id, title, year, author, source, board, kind, tour, ...rest] = line.split("\t");
    return { id, title, year, author, source, board, kind, tour: tour?.split(" ") ?? [], rest };
  });
}

/** Returns what is wrong with historic.tsv. */
export function historicFaults(rows = historicRows()) {
  const faults = [];
  for (const row of rows) {
    const [height, width] = (row.board ?? "").split("x").map(Number);
    if (!row.source || !row.author || !row.title || !row.year || row.rest.length) faults.push(`${row.id}: a column is missing, or there is one too many`);
    if (!KINDS.includes(row.kind)) faults.push(`${row.id}: unknown kind ${row.kind}`);
    if (row.tour.length !== height * width || new Set(row.tour).size !== row.tour.length) faults.push(`${row.id}: not every square of ${row.board} once`);
    const at = row.tour.map((name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1]);
    if (at.some(([col, line]) => col < 0 || col >= width || line < 0 || line >= height)) faults.push(`${row.id}: a square outside ${row.board}`);
    at.slice(1).forEach(([col, line], index) => {
      const product = Math.abs((col - at[index][0]) * (line - at[index][1]));
      if (product !== 2) faults.push(`${row.id}: move ${index + 1} is not a knight's move`);
    });
  }
  if (new Set(rows.map((row) => row.id)).size !== rows.length) faults.push("two tours have the same id");
  return faults;
}

/**
 * Returns what is wrong with the stories.
 * @param {{ solvers: { name: string, params: { name: string }[] }[] }} registry the answer of /api/solvers
 */
export function storyFaults(registry, stories = STORIES) {
  const faults = [];
  const tours = new Map(historicRows().map((row) => [row.id, row]));
  if (stories.length !== 9) faults.push(`${stories.length} stories instead of nine`);
  if (new Set(stories.map((story) => story.id)).size !== stories.length) faults.push("two stories have the same id");
  for (const story of stories) {
    const words = wordsOf(story);
    if (words < 60 || words > 100) faults.push(`${story.id}: ${words} words instead of 60 to 100`);
    if (story.stops.length < 3 || story.stops.length > 5) faults.push(`${story.id}: ${story.stops.length} stops instead of three to five`);
    story.stops.forEach((stop, index) => {
      const at = `${story.id}, stop ${index + 1}`;
      if (!stop.ground) faults.push(`${at}: no board`);
      if (stop.tour && stop.watch) faults.push(`${at}: a tour and a search`);
      if (stop.show && !FIGURES.includes(stop.show)) faults.push(`${at}: unknown figure ${stop.show}`);
      if (stop.show === "sums" && !stop.tour) faults.push(`${at}: sums without a tour`);
      if (stop.tour && tours.get(stop.tour)?.board !== stop.ground?.board) faults.push(`${at}: no tour ${stop.tour} of ${stop.ground?.board}`);
      if (!stop.watch) return;
      const solver = registry.solvers.find((known) => known.name === stop.watch.solver);
      if (!solver) faults.push(`${at}: no solver ${stop.watch.solver}`);
      for (const name of Object.keys(stop.watch.params ?? {})) {
        if (solver && !solver.params.some((param) => param.name === name)) faults.push(`${at}: ${solver.name} has no parameter ${name}`);
      }
    });
  }
  return faults;
}
