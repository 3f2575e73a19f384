// Chosen moves as cycles: each closed cycle in its own colour, open strands in a neutral one.

import { isNextStep, last } from "./events.js";
import { FigureCanvas, label } from "./figure.js";
import { addMove, beginStrokes, endStrokes, xOf, yOf } from "./shapes.js";

/**
 * A connected set of chosen moves. Its colour is a number from 0, or -1 for an open strand.
 * @typedef {{ squares: number[], moves: [number, number][], colour: number }} Part
 */

/** Number of hues; cycles beyond it repeat them, dashed. */
const HUES = 8;
/** Most numbers of cycles that are written in the figure. */
const MOST_NUMBERS = 10;

/**
 * Divides moves into their connected parts.
 * @param {[number, number][]} moves
 * @returns {Part[]}
 */
function partsOf(moves) {
  /** @type {Map<number, [number, number][]>} */
  const at = new Map();
  for (const move of moves) {
    for (const square of move) {
      const here = at.get(square);
      if (here) here.push(move);
      else at.set(square, [move]);
    }
  }
  /** @type {Part[]} */
  const parts = [];
  const seen = new Set();
  for (const first of at.keys()) {
    if (seen.has(first)) continue;
    /** @type {Part} */
    const part = { squares: [], moves: [], colour: -1 };
    const waiting = [first];
    seen.add(first);
    let closed = true;
    for (let square = waiting.pop(); square !== undefined; square = waiting.pop()) {
      const here = at.get(square) ?? [];
      part.squares.push(square);
      closed &&= here.length === 2;
      for (const move of here) {
        if (move[0] === square) part.moves.push(move);
        const near = move[0] === square ? move[1] : move[0];
        if (!seen.has(near)) {
          seen.add(near);
          waiting.push(near);
        }
      }
    }
    part.colour = closed ? 0 : -1;
    parts.push(part);
  }
  return parts.sort((a, b) => b.squares.length - a.squares.length);
}

/** Finds the cycles of chosen moves. A cycle keeps its colour while it grows. */
class Cycles {
  constructor() {
    /** @type {WeakMap<object, Part[]>} */
    this.known = new WeakMap();
    /** The colour that each square had last. @type {Map<number, number>} */
    this.colours = new Map();
  }

  /**
   * Returns the parts of chosen moves, the largest first.
   * @param {[number, number][]} moves
   */
  of(moves) {
    const known = this.known.get(moves);
    if (known) return known;
    const parts = partsOf(moves);
    const taken = new Set();
    const closed = parts.filter(({ colour }) => colour >= 0);
    /** @type {Part[]} */
    const without = [];
    for (const part of closed) {
      /** @type {Map<number, number>} */
      const votes = new Map();
      for (const square of part.squares) {
        const colour = this.colours.get(square);
        if (colour !== undefined && !taken.has(colour)) votes.set(colour, (votes.get(colour) ?? 0) + 1);
      }
      const best = [...votes].sort((a, b) => b[1] - a[1])[0];
      if (best && 2 * best[1] >= part.squares.length / 2) taken.add((part.colour = best[0]));
      else without.push(part);
    }
    for (const part of without) {
      let colour = 0;
      while (taken.has(colour)) colour += 1;
      taken.add((part.colour = colour));
    }
    this.colours = new Map(closed.flatMap(({ squares, colour }) => squares.map((square) => [square, colour])));
    this.known.set(moves, parts);
    return parts;
  }
}

/**
 * Marks a square in a colour, with a shape that differs between neighbouring colours.
 * @param {import("./paint.js").Sheet} on
 * @param {number} square
 * @param {number} colour
 */
function addMark(on, square, colour) {
  const { ctx, cell, fine } = on;
  const [x, y, size] = [xOf(on, square), yOf(on, square), Math.max(1.6 * fine, 0.11 * cell)];
  const shape = colour % 4;
  if (shape === 0) {
    ctx.moveTo(x + size, y);
    ctx.arc(x, y, size, 0, 7);
    return;
  }
  const corners = shape === 1 ? [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]] : shape === 2 ? [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]] : [[0, -1.3], [1.15, 0.8], [-1.15, 0.8]];
  corners.forEach(([dx, dy], at) => (at ? ctx.lineTo(x + dx * size, y + dy * size) : ctx.moveTo(x + dx * size, y + dy * size)));
  ctx.closePath();
}

/**
 * Returns the chosen moves of a state, unless they have become its tour.
 * @param {import("./scene.js").Seen} seen
 */
function movesOf(seen) {
  return seen.context?.moves && !isTour(seen) ? seen.context.moves : null;
}

/**
 * Whether a state is a verified tour; a strand over all squares is none.
 * @param {import("./scene.js").Seen} seen
 */
function isTour({ frame }) {
  return last(frame, "tour") !== null;
}

/**
 * Strikes out the cycle that closed too early, which rejects a cover.
 * @param {import("./paint.js").Sheet} on
 * @param {Part[]} parts
 * @param {number} size its squares; 0 if there is none
 * @param {import("./colours.js").Palette} palette
 */
function paintRejected(on, parts, size, palette) {
  const part = parts.find(({ squares, colour }) => colour >= 0 && squares.length === size);
  if (!part) return;
  beginStrokes(on, palette.warn, 0.16);
  on.ctx.globalAlpha = 0.45;
  for (const [from, to] of part.moves) addMove(on, from, to);
  endStrokes(on);
  on.ctx.globalAlpha = 1;
}

/** @returns {import("./scene.js").View} */
function fresh() {
  const cycles = new Cycles();
  return {
    ...cyclesView,
    under({ on, palette, phase }, seen) {
      const moves = movesOf(seen);
      if (!moves) return;
      const { ctx } = on;
      for (const { squares, moves: own, colour } of cycles.of(moves)) {
        const shade = colour < 0 ? palette.soft : palette.cycles[colour % HUES];
        const dashed = colour >= HUES;
        ctx.globalAlpha = colour < 0 ? 0.55 : 1;
        beginStrokes(on, shade, colour < 0 ? 0.045 : 0.08, dashed ? [0.2, 0.14] : undefined);
        for (const [from, to] of own) addMove(on, from, to);
        endStrokes(on);
        ctx.beginPath();
        ctx.fillStyle = shade;
        for (const square of squares) addMark(on, square, Math.max(0, colour));
        ctx.fill();
      }
      ctx.globalAlpha = 1;
      paintRejected(on, cycles.of(moves), last(seen.frame, "cover")?.closed ?? 0, palette);
      // Moves that an exchange has removed.
      const before = seen.before?.context?.moves;
      if (!before || before === moves || !isNextStep(seen) || !(last(seen.frame, "joined") || last(seen.frame, "mended"))) return;
      const key = (/** @type {[number, number]} */ [u, v]) => Math.min(u, v) * 65536 + Math.max(u, v);
      const kept = new Set(moves.map(key));
      ctx.globalAlpha = 0.9 - 0.4 * phase;
      beginStrokes(on, palette.ink, 0.03, [0.03, 0.09]);
      for (const move of before) if (!kept.has(key(move))) addMove(on, ...move);
      endStrokes(on);
      ctx.globalAlpha = 1;
    },
    figure() {
      const figure = new FigureCanvas();
      return {
        node: figure.node,
        draw({ whole, palette }, seen) {
          const plate = figure.begin(() => 92);
          if (!plate) return;
          const { context } = seen;
          const { ctx, width } = plate;
          const moves = movesOf(seen);
          const parts = moves ? cycles.of(moves) : [];
          const closed = parts.filter(({ colour }) => colour >= 0);
          const now = moves ? closed.length : 1;
          const past = context?.cycles ?? [];
          const numbers = past.length > 0 ? past : isTour(seen) ? [1] : [now];
          const shown = numbers.slice(-MOST_NUMBERS);
          const text = (numbers.length > shown.length ? "… → " : "") + shown.join(" → ");
          const latest = numbers[numbers.length - 1];
          label(plate, `${text} ${latest === 1 && numbers.length === 1 ? "cycle" : "cycles"}`, 0, 16, { colour: palette.ink, bold: true, size: 20 });
          // One bar for all squares, divided by cycle.
          let [x, inCycles] = [0, 0];
          const scale = width / Math.max(1, whole);
          if (!moves && isTour(seen)) {
            ctx.fillStyle = palette.ramp[palette.ramp.length >> 1];
            ctx.fillRect(0, 38, width, 26);
            inCycles = whole;
          }
          for (const { squares, colour } of closed) {
            const long = squares.length * scale;
            ctx.fillStyle = palette.cycles[colour % HUES];
            ctx.globalAlpha = colour >= HUES ? 0.6 : 1;
            ctx.fillRect(x, 38, Math.max(1, long - 1.5), 26);
            ctx.globalAlpha = 1;
            if (long > 20) label(plate, String(squares.length), x + long / 2, 52, { colour: palette.page, align: "center", bold: true });
            x += long;
            inCycles += squares.length;
          }
          if (inCycles < whole) {
            ctx.lineWidth = 1;
            ctx.strokeStyle = palette.soft;
            ctx.strokeRect(x + 0.5, 38.5, Math.max(0, width - x - 1), 25);
          }
          label(plate, "squares of each cycle", 0, 80);
          label(plate, inCycles < whole ? `${whole - inCycles} not in a cycle yet` : `${whole} squares`, width, 80, { align: "right" });
          const caption = inCycles === whole && now === 1 ? "One cycle through all squares: a closed tour." : "A tour is one cycle through all squares; several cycles must be joined or drawn again.";
          figure.say(caption, `Cycles: ${numbers.join(", then ")}; ${inCycles} of ${whole} squares are in closed cycles`);
        },
      };
    },
  };
}

/** @type {import("./scene.js").View} */
export const cyclesView = {
  kinds: ["sweep", "cover", "factor", "joined", "mended", "moves"],
  moving: 400,
  moves: ({ frame }) => last(frame, "joined") !== null || last(frame, "mended") !== null,
  legend: [
    { sample: "cycles", text: "Closed cycles, each in its colour" },
    { sample: "faint", text: "Moves not in a cycle yet", colour: "soft" },
    { sample: "dash", text: "Moves exchanged", colour: "ink" },
    { sample: "bold", text: "Closed too early: rejected", colour: "warn" },
  ],
  progress(seen, whole) {
    const moves = movesOf(seen);
    if (!moves) return null;
    const degree = new Map();
    for (const square of moves.flat()) degree.set(square, (degree.get(square) ?? 0) + 1);
    return ["Squares with two moves", `${[...degree.values()].filter((count) => count === 2).length} of ${whole}`];
  },
  hidesPath: (seen) => movesOf(seen) !== null,
  fresh,
};
