// The fields of the board in the settings, bound to the board in both directions.

import { el, get } from "./dom.js";
import { parseWithin } from "./parse.js";
import { setup, MAX_IMAGE_SIDE } from "./setup.js";

/** Returns the selected tool. */
export function tool() {
  const chosen = document.querySelector('input[name="tool"]:checked');
  return /** @type {import("./board.js").Tool} */ (chosen instanceof HTMLInputElement ? chosen.value : "start");
}

/**
 * Selects a tool.
 * @param {import("./board.js").Tool} name
 */
export function chooseTool(name) {
  for (const input of document.querySelectorAll('input[name="tool"]')) {
    if (input instanceof HTMLInputElement) input.checked = input.value === name;
  }
  document.body.dataset.tool = name;
}

/** Binds the fields for size, piece and goal. */
export function bindFields() {
  const [rows, cols] = [get("rows", HTMLInputElement), get("cols", HTMLInputElement)];
  const leaper = get("leaper", HTMLSelectElement);
  const wrong = get("size-wrong", HTMLParagraphElement);
  const check = () => {
    const bad = [rows, cols].filter((input) => input.getAttribute("aria-invalid") === "true");
    wrong.hidden = bad.length === 0;
    const names = bad.map((input) => (input === rows ? "Rows" : "Columns")).join(", ");
    wrong.textContent = bad.length ? `${names}: enter a whole number from 1 to ${MAX_IMAGE_SIDE}.` : "";
  };
  const resize = (/** @type {HTMLInputElement} */ input, /** @type {"rows" | "cols"} */ name) => {
    const value = parseWithin(input.value, 1, MAX_IMAGE_SIDE);
    input.setAttribute("aria-invalid", String(value === null));
    check();
    if (value !== null) setup.edit({ [name]: value });
  };
  rows.addEventListener("change", () => resize(rows, "rows"));
  cols.addEventListener("change", () => resize(cols, "cols"));
  leaper.addEventListener("change", () => setup.edit({ leaper: leaper.value }));
  for (const goal of document.querySelectorAll('input[name="goal"]')) {
    goal.addEventListener("change", () => {
      if (goal instanceof HTMLInputElement && goal.checked) setup.edit({ closed: goal.value === "closed" });
    });
  }
  for (const input of document.querySelectorAll('input[name="tool"]')) {
    input.addEventListener("change", () => (document.body.dataset.tool = tool()));
  }
  get("clear", HTMLButtonElement).addEventListener("click", () => setup.edit({ holes: new Set(), start: null, end: null }));
  let before = setup.ground;
  setup.listen(() => {
    const ground = setup.ground;
    const follow = (/** @type {HTMLInputElement} */ input, /** @type {"rows" | "cols"} */ name) => {
      // An invalid value stays in its field until it is corrected or the board changes.
      if (ground[name] !== before[name]) input.setAttribute("aria-invalid", "false");
      if (input.getAttribute("aria-invalid") !== "true") input.value = String(ground[name]);
    };
    follow(rows, "rows");
    follow(cols, "cols");
    before = ground;
    check();
    if (![...leaper.options].some((option) => option.value === ground.leaper)) {
      leaper.append(el("option", { value: ground.leaper }, ground.leaper));
    }
    leaper.value = ground.leaper;
    for (const goal of document.querySelectorAll('input[name="goal"]')) {
      if (goal instanceof HTMLInputElement) goal.checked = (goal.value === "closed") === ground.closed;
    }
  });
}
