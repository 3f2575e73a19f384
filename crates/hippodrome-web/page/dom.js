// Helpers for elements: create, find, announce, schedule.

/**
 * Creates an element. Properties of the element are set; others become attributes; `on*` are listeners;
 * null and undefined are skipped.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [props]
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("on")) {
      node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name in node && !name.includes("-") && name !== "list") {
      Reflect.set(node, name, value);
    } else {
      node.setAttribute(name, String(value));
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/**
 * Creates an SVG element.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/**
 * Returns the element with an id; throws an error unless it is of the given class.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function get(id, kind) {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) throw new Error(`no element '${id}'`);
  return node;
}

/**
 * Creates a button with an icon and a name.
 * @param {string} name
 * @param {string} path
 * @param {() => void} action
 */
export function iconButton(name, path, action) {
  const button = el("button", { type: "button", className: "icon", title: name, "aria-label": name, onclick: action });
  button.append(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path })));
  return button;
}

/**
 * Announces a text to screen readers.
 * @param {string} text
 */
export function announce(text) {
  get("say", HTMLParagraphElement).textContent = text;
}

/**
 * Creates a message box.
 * @param {"loading" | "wrong" | "impossible" | "plain" | "good"} kind
 * @param {string} title
 * @param {string} [text]
 */
export function notice(kind, title, text = "") {
  const inner = el("span", {}, el("strong", {}, title), text);
  const role = kind === "wrong" || kind === "impossible" ? "alert" : "status";
  return el("div", { className: `notice ${kind}`, role }, inner);
}

/**
 * Returns a function that runs `draw` before the next frame, once for any number of calls.
 * @param {() => void} draw
 */
export function oncePerFrame(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}

/**
 * Returns a function that runs `action` once it was not called for `delay` milliseconds.
 * @template {unknown[]} A
 * @param {number} delay
 * @param {(...args: A) => void} action
 * @returns {(...args: A) => void}
 */
export function debounce(delay, action) {
  /** @type {number | undefined} */
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => action(...args), delay);
  };
}

/** Whether the user prefers reduced motion. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
