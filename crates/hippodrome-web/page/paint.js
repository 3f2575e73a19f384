// Drawing on canvases: squares, paths, chosen moves, pheromone.

import { palette } from "./colours.js";

/**
 * @typedef {{ rows: number, cols: number, cell: number, ctx: CanvasRenderingContext2D }} Sheet
 * @typedef {{ levels: Uint8Array, has: Uint8Array, most: number, moves: [number, number][] }} Pheromone
 */

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
  ctx.clearRect(0, 0, wide, high);
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  return { rows, cols, cell: wide / cols, ctx };
}

/**
 * Returns the centre of a square.
 * @param {Sheet} on
 * @param {number} square
 * @returns {[number, number]}
 */
function middle({ rows, cols, cell }, square) {
  return [(square % cols + 0.5) * cell, (rows - 0.5 - Math.floor(square / cols)) * cell];
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
 * Paints a path, coloured along its length, with a disc at its start and a ring at its head.
 * @param {Sheet} on
 * @param {ArrayLike<number>} path
 * @param {number} whole number of squares of a tour
 * @param {{ closed?: boolean, numbers?: boolean, head?: boolean }} [style]
 */
export function paintPath(on, path, whole, style = {}) {
  const { ctx, cell } = on;
  const { ramp, ink, page } = palette();
  if (path.length === 0) return;
  const colour = (/** @type {number} */ time) =>
    ramp[Math.min(ramp.length - 1, Math.floor((time * ramp.length) / Math.max(1, whole)))];
  ctx.lineWidth = Math.max(1.2, 0.085 * cell);
  // Consecutive moves of one colour are one stroke.
  let time = 0;
  while (time < path.length - 1) {
    const shade = colour(time);
    ctx.beginPath();
    ctx.moveTo(...middle(on, path[time]));
    do {
      time += 1;
      ctx.lineTo(...middle(on, path[time]));
    } while (time < path.length - 1 && colour(time) === shade);
    ctx.strokeStyle = shade;
    ctx.stroke();
  }
  if (style.closed) {
    ctx.beginPath();
    ctx.setLineDash([0.2 * cell, 0.15 * cell]);
    ctx.moveTo(...middle(on, path[path.length - 1]));
    ctx.lineTo(...middle(on, path[0]));
    ctx.strokeStyle = colour(whole - 1);
    ctx.stroke();
    ctx.setLineDash([]);
  }
  if (style.numbers && cell >= 20) paintNumbers(on, path, colour);
  const radius = Math.max(2, 0.17 * cell);
  disc(on, path[0], radius * 1.25, page);
  disc(on, path[0], radius, ink);
  if (path.length > 1) {
    const [x, y] = middle(on, path[path.length - 1]);
    disc(on, path[path.length - 1], radius * 1.35, page);
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 7);
    ctx.lineWidth = Math.max(1.5, 0.08 * cell);
    ctx.strokeStyle = ink;
    ctx.stroke();
  }
}

/**
 * @param {Sheet} on
 * @param {number} square
 * @param {number} radius
 * @param {string} colour
 */
function disc(on, square, radius, colour) {
  on.ctx.beginPath();
  on.ctx.arc(...middle(on, square), radius, 0, 7);
  on.ctx.fillStyle = colour;
  on.ctx.fill();
}

/**
 * @param {Sheet} on
 * @param {ArrayLike<number>} path
 * @param {(time: number) => string} colour
 */
function paintNumbers(on, path, colour) {
  const { ctx, cell } = on;
  const { page, ink } = palette();
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.font = `600 ${0.28 * cell}px system-ui, sans-serif`;
  for (let time = 1; time < path.length; time++) {
    const [x, y] = middle(on, path[time]);
    disc(on, path[time], 0.27 * cell, colour(time));
    disc(on, path[time], 0.24 * cell, page);
    ctx.fillStyle = ink;
    ctx.fillText(String(time + 1), x, y);
  }
}

/**
 * Paints chosen moves in one colour.
 * @param {Sheet} on
 * @param {[number, number][]} moves
 */
export function paintMoves(on, moves) {
  const { ctx, cell } = on;
  ctx.beginPath();
  for (const [from, to] of moves) {
    ctx.moveTo(...middle(on, from));
    ctx.lineTo(...middle(on, to));
  }
  ctx.strokeStyle = palette().moves;
  ctx.lineWidth = Math.max(1.2, 0.07 * cell);
  ctx.stroke();
}

/**
 * Decodes levels of pheromone: two hexadecimal digits per move of each square, dots where there is no move.
 * @param {string} text
 * @param {number} most
 * @param {[number, number][]} moves
 * @returns {Pheromone}
 */
export function decodePheromone(text, most, moves) {
  const count = text.length / 2;
  const laid = { levels: new Uint8Array(count), has: new Uint8Array(count), most, moves };
  for (let i = 0; i < count; i++) {
    if (text[2 * i] === ".") continue;
    laid.has[i] = 1;
    laid.levels[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  }
  return laid;
}

/**
 * Paints pheromone as lines, stronger where there is more; the two directions of a move are side by side.
 * @param {Sheet} on
 * @param {Pheromone} laid
 */
export function paintPheromone(on, { levels, moves }) {
  const { ctx, cell, cols } = on;
  const [red, green, blue] = palette().trail;
  for (let i = 0; i < levels.length; i++) {
    const share = levels[i] / 255;
    if (share < 0.02) continue;
    const [up, right] = moves[i % moves.length];
    const from = Math.floor(i / moves.length);
    const [x, y] = middle(on, from);
    const [toX, toY] = middle(on, from + up * cols + right);
    const [dx, dy] = [toX - x, toY - y];
    const off = 0.05 / Math.hypot(dx / cell, dy / cell);
    ctx.beginPath();
    ctx.moveTo(x - off * dy, y + off * dx);
    ctx.lineTo(toX - off * dy, toY + off * dx);
    ctx.strokeStyle = `rgb(${red} ${green} ${blue} / ${0.06 + 0.6 * share ** 0.7})`;
    ctx.lineWidth = Math.max(1, (0.02 + 0.075 * share) * cell);
    ctx.stroke();
  }
}
