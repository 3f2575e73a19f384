// All views, and which of them a solver has.

import { choiceView } from "./view_choice.js";
import { cyclesView } from "./view_cycles.js";
import { deadEndView } from "./view_dead_end.js";
import { divisionView } from "./view_division.js";
import { edgesView } from "./view_edges.js";
import { layerView } from "./view_layer.js";
import { membersView } from "./view_members.js";
import { pheromoneView } from "./view_pheromone.js";
import { queueView } from "./view_queue.js";
import { reversalView } from "./view_reversal.js";
import { stackView } from "./view_stack.js";

/** Every view, in the order in which they are painted. @type {import("./scene.js").View[]} */
export const VIEWS = [
  divisionView, layerView, pheromoneView, cyclesView, edgesView, reversalView, queueView, membersView, stackView,
  choiceView, deadEndView,
];

/**
 * Returns the views of a solver: those with a kind of event that it sends.
 * @param {{ events?: string[] } | null} solver
 */
export function viewsFor(solver) {
  const events = solver?.events ?? [];
  return VIEWS.filter(({ kinds }) => kinds.some((kind) => events.includes(kind)));
}
