// Shapes on the canvas of a board: discs, rings, strokes, badges, and the knight.

/** @typedef {import("./paint.js").Sheet} Sheet */

/**
 * Returns the horizontal centre of a square.
 * @param {Sheet} on
 * @param {number} square
 */
export function xOf({ cols, cell }, square) {
  return (square % cols + 0.5) * cell;
}

/**
 * Returns the vertical centre of a square.
 * @param {Sheet} on
 * @param {number} square
 */
export function yOf({ rows, cols, cell }, square) {
  return (rows - 0.5 - Math.floor(square / cols)) * cell;
}

/**
 * Fills a disc on a square. The radius is in squares.
 * @param {Sheet} on
 * @param {number} square
 * @param {number} radius
 * @param {string} colour
 */
export function disc(on, square, radius, colour) {
  on.ctx.beginPath();
  on.ctx.arc(xOf(on, square), yOf(on, square), radius * on.cell, 0, 7);
  on.ctx.fillStyle = colour;
  on.ctx.fill();
}

/**
 * Strokes a ring on a square. Radius and width are in squares.
 * @param {Sheet} on
 * @param {number} square
 * @param {number} radius
 * @param {string} colour
 * @param {number} [width]
 */
export function ring(on, square, radius, colour, width = 0.06) {
  on.ctx.beginPath();
  on.ctx.arc(xOf(on, square), yOf(on, square), radius * on.cell, 0, 7);
  on.ctx.lineWidth = Math.max(1.2 * on.fine, width * on.cell);
  on.ctx.strokeStyle = colour;
  on.ctx.stroke();
}

/**
 * Begins strokes of one style. The width and the dashes are in squares.
 * @param {Sheet} on
 * @param {string} colour
 * @param {number} width
 * @param {number[]} [dashes]
 */
export function beginStrokes({ ctx, cell, fine }, colour, width, dashes) {
  ctx.beginPath();
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(fine, width * cell);
  ctx.setLineDash(dashes ? dashes.map((dash) => Math.max(1.5 * fine, dash * cell)) : []);
}

/**
 * Adds the line of a move to the strokes, or a part of it.
 * @param {Sheet} on
 * @param {number} from
 * @param {number} to
 * @param {number} [share] how much of the line, from its beginning
 */
export function addMove(on, from, to, share = 1) {
  const [x, y] = [xOf(on, from), yOf(on, from)];
  on.ctx.moveTo(x, y);
  on.ctx.lineTo(x + share * (xOf(on, to) - x), y + share * (yOf(on, to) - y));
}

/**
 * Adds a short stub for an end of a tour: a line to the upper right of a square.
 * @param {Sheet} on
 * @param {number} square
 */
export function addEnd(on, square) {
  const [x, y] = [xOf(on, square), yOf(on, square)];
  on.ctx.moveTo(x, y);
  on.ctx.lineTo(x + 0.3 * on.cell, y - 0.3 * on.cell);
}

/**
 * Draws the strokes.
 * @param {Sheet} on
 */
export function endStrokes({ ctx }) {
  ctx.stroke();
  ctx.setLineDash([]);
}

/**
 * Writes a text centred on a point. The size is in squares.
 * @param {Sheet} on
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {number} size
 * @param {string} colour
 * @param {string} [halo] colour of an outline that separates the text from what is below it
 */
export function write({ ctx, cell, fine }, x, y, text, size, colour, halo) {
  const pixels = Math.max(9 * fine, size * cell);
  ctx.font = `600 ${pixels.toFixed(1)}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  if (halo) {
    ctx.strokeStyle = halo;
    ctx.lineWidth = 0.3 * pixels;
    ctx.strokeText(text, x, y);
  }
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y + 0.05 * pixels);
}

/**
 * Draws a number in a disc. On small squares, only the disc.
 * @param {Sheet} on
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {{ fill: string, ink: string, edge: string, radius?: number }} style
 */
export function badge(on, x, y, text, { fill, ink, edge, radius = 0.27 }) {
  const { ctx, cell, fine } = on;
  const readable = cell >= 18 * fine;
  const size = readable ? Math.max(7 * fine, radius * cell) : 0.2 * cell;
  ctx.beginPath();
  ctx.arc(x, y, size, 0, 7);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.lineWidth = Math.max(1.2 * fine, 0.035 * cell);
  ctx.strokeStyle = edge;
  ctx.stroke();
  if (readable) write(on, x, y, text, 1.15 * (size / cell), ink);
}

/** A knight in a square of side 100. */
const KNIGHT = new Path2D(
  "M 27 80 C 27 66 36 59 45 52 C 47.5 50 48.5 47.5 48 44.5 C 43 50.5 37.5 52 32.5 53.5 C 30 57.5 26.5 61 22 60.5 "
  + "C 16.5 60 13 55 14.5 50 C 15.5 46.5 20.5 41 23 36 C 25.5 30.5 28 26 33.5 22.5 C 33 18 34 13.5 37 9 "
  + "C 40 11.5 42.5 14 44.5 17.5 C 47 13 50.5 10 55 8.5 C 55 12.5 55.5 15.5 57 18.5 C 74 25 83 48 82 80 Z "
  + "M 21 84 L 87 84 C 89 84 90 85 90 87 L 90 93 L 18 93 L 18 87 C 18 85 19 84 21 84 Z",
);
const EYE = new Path2D("M 35 31.5 a 3.4 3.4 0 1 0 6.8 0 a 3.4 3.4 0 1 0 -6.8 0 Z");

/**
 * Draws a knight centred on a point.
 * @param {Sheet} on
 * @param {number} x
 * @param {number} y
 * @param {number} size in squares
 * @param {{ ink: string, page: string }} colours
 */
export function paintKnight({ ctx, cell }, x, y, size, { ink, page }) {
  const scale = (size * cell) / 100;
  ctx.save();
  ctx.translate(x - 51 * scale, y - 51 * scale);
  ctx.scale(scale, scale);
  ctx.lineWidth = 13;
  ctx.strokeStyle = page;
  ctx.stroke(KNIGHT);
  ctx.fillStyle = ink;
  ctx.fill(KNIGHT);
  ctx.fillStyle = page;
  ctx.fill(EYE);
  ctx.restore();
}
