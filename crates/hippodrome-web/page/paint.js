// Drawing boards on canvases: their squares, and paths over them.

import { palette } from "./colours.js";
import { addMove, beginStrokes, disc, endStrokes, paintKnight, ring, write, xOf, yOf } from "./shapes.js";

/**
 * A canvas with a board: the side of a square, and the pixels of the screen per CSS pixel.
 * @typedef {{ rows: number, cols: number, cell: number, fine: number, ctx: CanvasRenderingContext2D }} Sheet
 */

/** Boards with a longer side are drawn with less detail. */
export const FULL_DETAIL = 40;
/** Side of a square, in CSS pixels, from which every number is written, and from which every tenth. */
const EVERY_NUMBER = 18;
const EVERY_TENTH = 9;

/**
 * Prepares a canvas at the resolution of the screen, and returns it with the size of a square.
 * @param {HTMLCanvasElement} canvas
 * @param {number} rows
 * @param {number} cols
 * @param {number} [width] in CSS pixels; by default the width in the layout
 * @returns {Sheet | null}
 */
export function sheet(canvas, rows, cols, width = canvas.clientWidth) {
  const ctx = canvas.getContext("2d");
  if (!ctx || width === 0) return null;
  const fine = Math.min(3, devicePixelRatio || 1);
  const wide = Math.round(width * fine);
  const high = Math.round((width * fine * rows) / cols);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.globalAlpha = 1;
  ctx.clearRect(0, 0, wide, high);
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  return { rows, cols, cell: wide / cols, fine, ctx };
}

/**
 * Paints the squares of a board that has no grid of elements.
 * @param {Sheet} on
 * @param {Set<number>} holes
 * @param {{ light: string, dark: string, hole: string }} colours
 */
export function paintSquares({ rows, cols, cell, ctx }, holes, colours) {
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const dark = (row + col) % 2 === 0;
      ctx.fillStyle = holes.has(row * cols + col) ? colours.hole : dark ? colours.dark : colours.light;
      ctx.fillRect(col * cell, (rows - 1 - row) * cell, cell + 0.5, cell + 0.5);
    }
  }
}

/**
 * Paints a faint grid and the holes, for boards with too many squares for a grid of elements.
 * @param {Sheet} on
 * @param {Set<number>} holes
 */
export function paintGrid({ rows, cols, cell, fine, ctx }, holes) {
  const { soft, page } = palette();
  const [wide, high] = [cols * cell, rows * cell];
  ctx.fillStyle = page;
  ctx.fillRect(0, 0, wide, high);
  ctx.fillStyle = ctx.strokeStyle = soft;
  // Lines of squares that are too small for them are left out; every tenth line is stronger.
  const closest = cell >= 4 * fine ? 1 : 10;
  for (const [alpha, apart] of [[0.16, closest], [0.3, 10]]) {
    ctx.globalAlpha = alpha;
    ctx.lineWidth = fine;
    ctx.beginPath();
    for (let col = apart; col < cols; col += apart) {
      ctx.moveTo(col * cell, 0);
      ctx.lineTo(col * cell, high);
    }
    for (let row = apart; row < rows; row += apart) {
      ctx.moveTo(0, high - row * cell);
      ctx.lineTo(wide, high - row * cell);
    }
    ctx.stroke();
  }
  ctx.globalAlpha = 0.6;
  for (const hole of holes) {
    ctx.fillRect((hole % cols) * cell, (rows - 1 - Math.floor(hole / cols)) * cell, cell, cell);
  }
  ctx.globalAlpha = 1;
}

/**
 * Returns every how many squares a number is written: all of them, every tenth or none (0), as there is room.
 * @param {Sheet} on
 * @param {boolean} wanted
 */
function numbersApart({ rows, cols, cell, fine }, wanted) {
  if (!wanted || Math.max(rows, cols) > FULL_DETAIL || cell < EVERY_TENTH * fine) return 0;
  return cell < EVERY_NUMBER * fine ? 10 : 1;
}

/**
 * Paints a path, coloured along its length, with a disc at its start and a ring at its head.
 * @param {Sheet} on
 * @param {ArrayLike<number>} path
 * @param {number} whole number of squares of a tour
 * @param {{ closed?: boolean, numbers?: boolean, knight?: boolean }} [style]
 */
export function paintPath(on, path, whole, style = {}) {
  paintLine(on, path, whole, style);
  paintEnds(on, path, style);
}

/**
 * Paints a path without its ends.
 * @param {Sheet} on
 * @param {ArrayLike<number>} path
 * @param {number} whole number of squares of a tour
 * @param {{ closed?: boolean, numbers?: boolean }} [style]
 */
export function paintLine(on, path, whole, style = {}) {
  if (path.length === 0) return;
  const { ctx, cell, fine } = on;
  const { ramp } = palette();
  const colour = (/** @type {number} */ time) =>
    ramp[Math.min(ramp.length - 1, Math.floor((time * ramp.length) / Math.max(1, whole)))];
  const fineDetail = Math.max(on.rows, on.cols) <= FULL_DETAIL;
  const width = fineDetail ? Math.max(1.2 * fine, 0.085 * cell) : Math.max(0.8 * fine, 0.12 * cell);
  ctx.lineWidth = width;
  // Consecutive moves of one colour are one stroke.
  let time = 0;
  while (time < path.length - 1) {
    const shade = colour(time);
    ctx.beginPath();
    ctx.moveTo(xOf(on, path[time]), yOf(on, path[time]));
    do {
      time += 1;
      ctx.lineTo(xOf(on, path[time]), yOf(on, path[time]));
    } while (time < path.length - 1 && colour(time) === shade);
    ctx.strokeStyle = shade;
    ctx.stroke();
  }
  if (style.closed && path.length > 2) {
    beginStrokes(on, colour(whole - 1), width / cell, [0.22, 0.19]);
    addMove(on, path[path.length - 1], path[0]);
    endStrokes(on);
  }
  const apart = numbersApart(on, style.numbers ?? false);
  if (apart > 0) paintNumbers(on, path, colour, apart);
}

/**
 * Paints the disc at the start of a path, and the knight or the ring at its head.
 * @param {Sheet} on
 * @param {ArrayLike<number>} path
 * @param {{ numbers?: boolean, knight?: boolean }} [style]
 */
export function paintEnds(on, path, { numbers = false, knight = false } = {}) {
  if (path.length === 0) return;
  const numbered = numbersApart(on, numbers) > 0;
  const { cell, fine } = on;
  const { ink, page } = palette();
  const [first, head] = [path[0], path[path.length - 1]];
  const readable = cell >= EVERY_NUMBER * fine;
  // Squares of large boards are smaller than a mark must be.
  const least = Math.max(1, (3 * fine) / (0.17 * cell));
  if (path.length > 1 || !knight) {
    const radius = numbered && readable ? 0.3 : 0.17 * least;
    disc(on, first, 1.2 * radius, page);
    disc(on, first, radius, ink);
    if (numbered) writeNumber(on, first, 1, readable ? page : ink, readable ? undefined : page);
  }
  if (knight) {
    const size = Math.max(0.72, Math.min((18 * fine) / cell, 4));
    const aside = numbered && readable ? 0.08 * cell : 0;
    paintKnight(on, xOf(on, head) - aside, yOf(on, head) - aside, numbered && readable ? 0.66 : size, { ink, page });
    if (numbered && readable) {
      write(on, xOf(on, head) + 0.3 * cell, yOf(on, head) + 0.34 * cell, String(path.length), 0.27, ink, page);
    }
  } else if (path.length > 1) {
    const radius = numbered && readable ? 0.3 : 0.17 * least;
    disc(on, head, 1.3 * radius, page);
    ring(on, head, radius, ink, 0.08);
    if (numbered) writeNumber(on, head, path.length, ink, readable ? undefined : page);
  }
}

/**
 * @param {Sheet} on
 * @param {ArrayLike<number>} path
 * @param {(time: number) => string} colour
 * @param {number} apart every how many squares
 */
function paintNumbers(on, path, colour, apart) {
  const { page, ink } = palette();
  const ringed = on.cell >= 26 * on.fine;
  for (let time = apart - 1; time < path.length - 1; time += apart) {
    if (time === 0) continue;
    if (ringed) disc(on, path[time], 0.29, colour(time));
    if (apart === 1) disc(on, path[time], ringed ? 0.255 : 0.36, page);
    writeNumber(on, path[time], time + 1, ink, apart === 1 ? undefined : page);
  }
}

/**
 * @param {Sheet} on
 * @param {number} square
 * @param {number} number
 * @param {string} colour
 * @param {string} [halo]
 */
function writeNumber(on, square, number, colour, halo) {
  const size = number < 100 ? 0.3 : number < 1000 ? 0.24 : 0.2;
  write(on, xOf(on, square), yOf(on, square), String(number), size, colour, halo);
}
