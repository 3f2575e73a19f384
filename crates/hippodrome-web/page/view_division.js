// A board divided into blocks: the blocks that the path has reached, and the joints between them.

import { last } from "./events.js";
import { addMove, beginStrokes, endStrokes, xOf, yOf } from "./shapes.js";

/**
 * The two moves that join two blocks, in both directions. The way back is null until it is known, and it is reported with
 * the way out or found when the path takes it. The joint appears at `time`.
 * @typedef {{ out: [number, number], back: [number, number] | null, taken: boolean, time: number }} Joint
 */

/** The blocks of a board. */
class Blocks {
  /**
   * @param {[number[], number[]]} parts heights of the rows of blocks, and widths of their columns
   * @param {number} cols
   */
  constructor([heights, widths], cols) {
    this.columns = widths.length;
    this.cols = cols;
    this.byRow = heights.flatMap((height, at) => new Array(height).fill(at));
    this.byCol = widths.flatMap((width, at) => new Array(width).fill(at));
    /** Row, column, height and width of each block. */
    this.boxes = heights.flatMap((height, up) =>
      widths.map((width, right) => [this.byRow.indexOf(up), this.byCol.indexOf(right), height, width]));
  }

  /** @param {number} square */
  of(square) {
    return this.byRow[Math.floor(square / this.cols)] * this.columns + this.byCol[square % this.cols];
  }
}

/**
 * Returns when the path reaches each block, and its joints. A way back belongs to the last way out that it closes.
 * @param {Blocks} blocks
 * @param {ArrayLike<number>} path
 * @param {(square: number) => number[]} neighbours
 * @param {Map<number, [number, number]>} backs ways back that were reported, by the first square of the way out
 */
function follow(blocks, path, neighbours, backs) {
  const reached = new Map([[blocks.of(path[0]), 0]]);
  /** @type {Joint[]} */
  const joints = [];
  for (let time = 1; time < path.length; time++) {
    const [u, v] = [path[time - 1], path[time]];
    const [from, to] = [blocks.of(u), blocks.of(v)];
    if (from === to) continue;
    if (!reached.has(to)) reached.set(to, time);
    const open = joints.findLast(({ out, back, taken }) => !taken && (!back || (back[0] === u && back[1] === v)) && blocks.of(out[0]) === to && blocks.of(out[1]) === from
      && neighbours(out[0]).includes(v) && neighbours(out[1]).includes(u));
    if (open) {
      if (!open.back) open.time = time;
      open.back = [u, v];
      open.taken = true;
    } else {
      joints.push({ out: [u, v], back: backs.get(u) ?? null, taken: false, time });
    }
  }
  return { reached, joints };
}

/**
 * Adds a line that turns around its beginning, from one end to another.
 * @param {import("./paint.js").Sheet} on
 * @param {number} pivot
 * @param {number} from
 * @param {number} to
 * @param {number} share
 */
function addTurn(on, pivot, from, to, share) {
  const [x, y] = [xOf(on, pivot), yOf(on, pivot)];
  const [x0, y0, x1, y1] = [xOf(on, from) - x, yOf(on, from) - y, xOf(on, to) - x, yOf(on, to) - y];
  const begin = Math.atan2(y0, x0);
  let turn = Math.atan2(y1, x1) - begin;
  if (turn > Math.PI) turn -= 2 * Math.PI;
  if (turn < -Math.PI) turn += 2 * Math.PI;
  const long = Math.hypot(x0, y0) * (1 - share) + Math.hypot(x1, y1) * share;
  on.ctx.moveTo(x, y);
  on.ctx.lineTo(x + long * Math.cos(begin + share * turn), y + long * Math.sin(begin + share * turn));
}

/** @returns {import("./scene.js").View} */
function fresh() {
  /** @type {Map<number, [number, number]>} */
  const backs = new Map();
  /** @type {{ parts: unknown, cols: number, blocks: Blocks } | null} */
  let kept = null;
  /** @type {{ path: unknown, found: ReturnType<typeof follow> } | null} */
  let followed = null;
  /**
   * @param {import("./scene.js").Stage} stage
   * @param {import("./scene.js").Seen} seen
   */
  const find = ({ ground, neighbours }, { path, context }) => {
    const { rows, cols } = ground;
    const parts = context?.parts;
    const sum = (/** @type {number[]} */ lengths) => lengths.reduce((a, b) => a + b, 0);
    if (!parts || path.length === 0 || sum(parts[0]) !== rows || sum(parts[1]) !== cols) return null;
    if (kept?.parts !== parts || kept.cols !== cols) kept = { parts, cols, blocks: new Blocks(parts, cols) };
    if (followed?.path !== path) followed = { path, found: follow(kept.blocks, path, neighbours, backs) };
    return { blocks: kept.blocks, ...followed.found };
  };
  return {
    ...divisionView,
    learn(frame) {
      for (const event of frame.events ?? []) {
        if (event.kind === "division") backs.clear();
        else if (event.kind === "crossing" && event.of.back) backs.set(event.of.squares[0], event.of.back);
      }
    },
    under(stage, seen) {
      const found = find(stage, seen);
      if (!found) return;
      const { on: { ctx, cell, rows, fine }, palette, phase } = stage;
      const { blocks, reached } = found;
      blocks.boxes.forEach(([row, col, height, width], block) => {
        const since = reached.get(block);
        const [x, y, wide, high] = [col * cell, (rows - row - height) * cell, width * cell, height * cell];
        const shown = since === undefined ? 0 : since === seen.path.length - 1 ? phase : 1;
        ctx.globalAlpha = 0.11 * shown;
        ctx.fillStyle = palette.tint;
        ctx.fillRect(x, y, wide, high);
        ctx.globalAlpha = 0.35 + 0.65 * shown;
        ctx.lineWidth = (1 + shown) * fine;
        ctx.strokeStyle = since === undefined ? palette.soft : palette.tint;
        ctx.setLineDash(since === undefined ? [4 * fine, 4 * fine] : []);
        const inside = Math.max(2 * fine, 0.05 * cell);
        ctx.strokeRect(x + inside, y + inside, wide - 2 * inside, high - 2 * inside);
      });
      ctx.setLineDash([]);
      ctx.globalAlpha = 1;
    },
    over(stage, seen) {
      const found = find(stage, seen);
      if (!found) return;
      const { on, palette, phase, neighbours } = stage;
      const now = seen.path.length - 1;
      const reported = last(seen.frame, "crossing")?.squares[0];
      const width = Math.max(0.1, (2.2 * on.fine) / on.cell);
      for (const { out, back, taken, time } of found.joints) {
        // A crossing is reported with the step that makes it or with the next one.
        const share = time === now || out[0] === reported ? phase : 1;
        const lines = [[palette.page, 2.1 * width], [palette.ink, width]];
        for (const [colour, wide] of /** @type {[string, number][]} */ (lines)) {
          beginStrokes(on, colour, wide);
          if (back && share < 1 && neighbours(out[0]).includes(back[1]) && neighbours(out[1]).includes(back[0])) {
            // Two moves inside the blocks turn into the two moves between them.
            addTurn(on, out[0], back[1], out[1], share);
            addTurn(on, back[0], out[1], back[1], share);
          } else {
            addMove(on, out[0], out[1], back ? 1 : share);
            if (taken && back) addMove(on, back[0], back[1]);
          }
          endStrokes(on);
          if (!back || taken || share < 1) continue;
          on.ctx.globalAlpha = 0.45;
          beginStrokes(on, colour, wide);
          addMove(on, back[0], back[1]);
          endStrokes(on);
          on.ctx.globalAlpha = 1;
        }
        if (!back) continue;
        on.ctx.globalAlpha = 0.8;
        beginStrokes(on, palette.ink, 0.6 * width, [0.1, 0.16]);
        // Of the moves inside the blocks, only those that a knight can make.
        for (const [one, other] of [[out[0], back[1]], [out[1], back[0]]]) if (neighbours(one).includes(other)) addMove(on, one, other);
        endStrokes(on);
        on.ctx.globalAlpha = 1;
      }
    },
  };
}

/** @type {import("./scene.js").View} */
export const divisionView = {
  kinds: ["division", "crossing"],
  moving: 500,
  moves: ({ frame }) => last(frame, "crossing") !== null || last(frame, "division") !== null,
  legend: [
    { sample: "block", text: "Block that the tour has reached" },
    { sample: "bold", text: "Joint: the moves there and back between two blocks", colour: "ink" },
    { sample: "dash", text: "Move of a block that they replace", colour: "ink" },
  ],
  fresh,
};
