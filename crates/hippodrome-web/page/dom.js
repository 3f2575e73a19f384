// Elements: making them, finding them, saying things aloud.

/**
 * Makes an element. Properties that the element has are set; the rest become attributes; `on*` are
 * listeners; null and undefined are left out.
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
 * Makes an element of SVG.
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
 * The element with an id, which must be of a kind.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function get(id, kind) {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) throw new Error(`no ${id}`);
  return node;
}

/**
 * A button that shows a picture and has a name.
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
 * A remark in a box.
 * @param {"loading" | "wrong" | "impossible" | "plain"} kind
 * @param {string} title
 * @param {string} [text]
 */
export function notice(kind, title, text = "") {
  const inner = el("span", {}, el("strong", {}, title), text);
  const role = kind === "wrong" || kind === "impossible" ? "alert" : "status";
  return el("div", { className: `notice ${kind}`, role }, inner);
}

/**
 * Runs `draw` once before the next picture, however often it is asked for.
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
 * Runs `action` when it has not been asked for during some milliseconds.
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

/** Whether the visitor wants things to stand still. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
