// Colours of drawings. The ramp along a tour is the same as in the library: a curve in Oklch whose lightness
// always rises, so that it works for every kind of colour blindness.

/**
 * @typedef {{ page: string, ink: string, soft: string, accent: string, warn: string, tint: string, trail: string,
 *   cycles: string[], ramp: string[] }} Palette
 */

const STEPS = 64;

/**
 * @param {number} l
 * @param {number} chroma
 * @param {number} hue in degrees
 */
function rgb(l, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const cube = (/** @type {number} */ x) => x * x * x;
  const long = cube(l + 0.39633778 * a + 0.21580376 * b);
  const middle = cube(l - 0.105561346 * a - 0.06385417 * b);
  const brief = cube(l - 0.08948418 * a - 1.2914855 * b);
  const byte = (/** @type {number} */ x) => {
    const y = Math.min(1, Math.max(0, x));
    return Math.round(255 * (y <= 0.0031308 ? 12.92 * y : 1.055 * y ** (1 / 2.4) - 0.055));
  };
  const red = byte(4.0767417 * long - 3.3077116 * middle + 0.23096994 * brief);
  const green = byte(-1.268438 * long + 2.6097574 * middle - 0.34131938 * brief);
  const blue = byte(-0.0041960863 * long - 0.7034186 * middle + 1.7076147 * brief);
  return `rgb(${red} ${green} ${blue})`;
}

/**
 * @param {number} low
 * @param {number} high
 * @param {number} vivid
 */
function ramp(low, high, vivid) {
  return Array.from({ length: STEPS }, (_, i) => {
    const t = i / (STEPS - 1);
    return rgb(low + (high - low) * t, 0.13 + vivid * Math.sin(Math.PI * t), 278 + 165 * t);
  });
}

/** @type {Palette} */
const LIGHT = {
  page: "#fdfcfa", ink: "#1c1e24", soft: "#5c5850", accent: "#2456a6", warn: "#b3261e", tint: "#2456a6", trail: "#00607a",
  cycles: ["#0067a8", "#cf4a00", "#007a55", "#a8509a", "#806200", "#1a9aa8", "#7a2e2e", "#5a49c4"],
  ramp: ramp(0.33, 0.735, 0.06),
};
/** @type {Palette} */
const DARK = {
  page: "#131519", ink: "#f7f5ef", soft: "#a9acb5", accent: "#8fb3e8", warn: "#ff8a75", tint: "#8fb3e8", trail: "#78d6f0",
  cycles: ["#56b4e9", "#ff9a4d", "#2fcf9f", "#e79ad0", "#e8d94a", "#4fe0e6", "#ff8a80", "#b3a6ff"],
  ramp: ramp(0.52, 0.89, 0.045),
};

/** Whether the page is dark. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

const forced = matchMedia("(forced-colors: active)");
/** The palette of the system's forced colours, until they change. @type {Palette | null} */
let system = null;
for (const query of [forced, matchMedia("(prefers-color-scheme: dark)")]) {
  query.addEventListener("change", () => (system = null));
}

/** Reads the system's colours; canvases take part in forced colours only through them. @returns {Palette} */
function systemPalette() {
  const probe = document.createElement("i");
  document.body.append(probe);
  const read = (/** @type {string} */ name) => {
    probe.style.color = name;
    return getComputedStyle(probe).color;
  };
  const [page, ink, accent, link] = ["Canvas", "CanvasText", "Highlight", "LinkText"].map(read);
  probe.remove();
  const cycles = [ink, link, accent, ink, link, accent, ink, link];
  // Grey text is for what is disabled, so quiet text has the colour of any text.
  return { page, ink, soft: ink, accent: link, warn: ink, tint: accent, trail: link, cycles, ramp: new Array(STEPS).fill(ink) };
}

/** @returns {Palette} */
export function palette() {
  if (forced.matches) return (system ??= systemPalette());
  return isDark() ? DARK : LIGHT;
}

/**
 * Line styles, which differ in colour (Okabe & Ito) and in dashes.
 * @type {{ light: string, dark: string, dash: string }[]}
 */
export const LINES = [
  { light: "#0072b2", dark: "#56b4e9", dash: "" },
  { light: "#b34700", dark: "#e69f00", dash: "7 4" },
  { light: "#00795a", dark: "#2fcf9f", dash: "2 4" },
  { light: "#9a4d80", dark: "#e08fbd", dash: "10 4 2 4" },
  { light: "#6b5b00", dark: "#f0e442", dash: "4 3" },
  { light: "#3b3b3b", dark: "#d8d8d8", dash: "1 3" },
  { light: "#7a2e2e", dark: "#ff9d7a", dash: "12 3" },
  { light: "#34507c", dark: "#9fb8ff", dash: "6 2 1 2" },
];

/**
 * Returns the colour of a line.
 * @param {number} index
 */
export function lineColour(index) {
  const line = LINES[index % LINES.length];
  return isDark() ? line.dark : line.light;
}
