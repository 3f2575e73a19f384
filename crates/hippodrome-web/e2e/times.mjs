// Times, with generous limits for a machine that is busy; measure.mjs prints the figures that the targets are for.

import { firstBoard, frameWork } from "./measure.mjs";
import { assert, BUSY } from "./stage.mjs";

export default async function times(house) {
  const { suite } = house;

  await suite.test("the board is there soon after navigation", async () => {
    const { painted, squares } = await firstBoard(house, { loads: 3 });
    assert(painted < 300 * BUSY, `painted after ${Math.round(painted)} ms; the target is 300 ms`);
    assert(squares < 500 * BUSY, `squares after ${Math.round(squares)} ms`);
  });

  await suite.test("watching 8x8 at 60 steps per second takes little work per frame", async () => {
    const { perFrame, frames } = await frameWork(house, { seconds: 3 });
    assert(frames > 20 && perFrame < 8 * BUSY, `${perFrame.toFixed(1)} ms in ${frames} frames; the target is 8 ms`);
  });
}
