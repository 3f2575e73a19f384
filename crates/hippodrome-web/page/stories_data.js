// The nine stories: what each stop says, and what the stage shows meanwhile.

/**
 * @typedef {{ board: string, closed?: boolean, holes?: string[], start?: string }} StopGround
 * @typedef {{ solver: string, params?: Record<string, string>, seed: number, speed?: number, step?: number }} StopWatch
 * @typedef {"sums" | "piles" | "colours" | "ring" | "parts"} Figure
 * @typedef {{ text: string, ground?: StopGround, watch?: StopWatch, tour?: string, numbers?: boolean, show?: Figure }} Stop
 * @typedef {{ id: string, title: string, year: string, line: string, stops: Stop[] }} Story
 */

/** Steps per second at which a watched stop can be followed. */
const SLOW = 4;

/** @type {Story[]} */
export const STORIES = [
  {
    id: "euler",
    title: "Euler mends a walk",
    year: "1759",
    line: "What to do when the knight is stuck.",
    stops: [
      {
        text: "Leonhard Euler analysed the problem in 1759. He moved the knight about at random until it was stuck.",
        ground: { board: "8x8" },
        watch: { solver: "ants-random", seed: 1, speed: SLOW },
      },
      {
        text: "Then he reversed the end of the path: join its last square to an earlier one, cut one move, and another square becomes the end.",
        ground: { board: "8x8" },
        watch: { solver: "backbite", seed: 1, speed: SLOW },
      },
      {
        text: "Such steps let in the squares left over, and closed this tour.",
        ground: { board: "8x8", closed: true },
        tour: "euler-method",
      },
      {
        text: "He also found symmetry. Here 1 to 32 fill the lower half, and squares opposite through the centre differ by 32.",
        ground: { board: "8x8", closed: true },
        tour: "euler-half",
        numbers: true,
      },
    ],
  },
  {
    id: "turk",
    title: "The Turk's knight",
    year: "1770",
    line: "A false machine leads a real knight.",
    stops: [
      {
        text: "In 1770 Wolfgang von Kempelen presented a chess automaton, the Turk. It also led a knight over every square. A hidden chess player did the thinking.",
        ground: { board: "8x8" },
      },
      {
        text: "One closed tour is enough for such a show. It ends a move from its start, so it is a ring.",
        ground: { board: "8x8", closed: true },
        tour: "euler-turned",
      },
      {
        text: "Name a square, and the ring starts there: e4.",
        ground: { board: "8x8", closed: true, start: "e4" },
        tour: "euler-turned",
        numbers: true,
      },
      {
        text: "Or h1. Only the numbers change. This ring is attributed to Euler. The Turk's own route is not shown: no citable source was found.",
        ground: { board: "8x8", closed: true, start: "h1" },
        tour: "euler-turned",
        numbers: true,
      },
    ],
  },
  {
    id: "warnsdorff",
    title: "Warnsdorff's rule",
    year: "1823",
    line: "Go where the fewest ways lead on.",
    stops: [
      {
        text: "Warnsdorff's rule: enter the free square with the fewest onward moves. Squares that are easily cut off come first.",
        ground: { board: "8x8", start: "e4" },
        watch: { solver: "warnsdorff", params: { ties: "random" }, seed: 1, speed: SLOW },
      },
      {
        text: "The first move is a tie: f2, g3, g5 and d2 have five each. Warnsdorff thought that any of them would do.",
        ground: { board: "8x8", start: "e4" },
        watch: { solver: "warnsdorff", params: { ties: "random" }, seed: 1, step: 2 },
      },
      {
        text: "It is not so. From e6, with ties broken in a fixed order, the knight is stuck on a5: 60 of 64 squares.",
        ground: { board: "8x8", start: "e6" },
        watch: { solver: "warnsdorff", params: { ties: "fixed" }, seed: 1, step: 60 },
      },
      {
        text: "Random ties succeed in 98 of 100 attempts on 8x8, but in fewer than five beyond 200x200.",
        ground: { board: "40x40", start: "a1" },
        watch: { solver: "warnsdorff", params: { ties: "random" }, seed: 1, speed: 100 },
      },
    ],
  },
  {
    id: "beverley",
    title: "Beverley's 260",
    year: "1848",
    line: "A tour that is nearly a magic square.",
    stops: [
      {
        text: "William Beverley's tour appeared in 1848. Number the squares from 1 to 64, in the order of the knight's visits.",
        ground: { board: "8x8" },
        tour: "beverley",
        numbers: true,
      },
      {
        text: "Now add up any row or any column. The sum is always 260.",
        ground: { board: "8x8" },
        tour: "beverley",
        numbers: true,
        show: "sums",
      },
      {
        text: "Its diagonals miss. Exactly 2,240 numberings of 8x8 have equal rows and columns; none has equal diagonals too.",
        ground: { board: "8x8" },
        tour: "beverley",
        numbers: true,
      },
      {
        text: "Wenzelides had the same idea. His tour is closed, and a half-turn leaves its line unchanged.",
        ground: { board: "8x8", closed: true },
        tour: "wenzelides",
        numbers: true,
        show: "sums",
      },
    ],
  },
  {
    id: "no-tour",
    title: "Boards without a tour",
    year: "1991",
    line: "Proofs that fit in a sentence.",
    stops: [
      {
        text: "A knight changes colour at each move: dark, light, dark, light.",
        ground: { board: "5x5", closed: true },
        show: "colours",
      },
      {
        text: "A closed tour needs as many of both. Sort the squares of 5x5: 13 dark, 12 light. There is none.",
        ground: { board: "5x5", closed: true },
        show: "piles",
      },
      {
        text: "On 4x4 both a1 and d4 have only the moves to b3 and c2. A closed tour needs all four, but they form a ring without the rest.",
        ground: { board: "4x4", closed: true },
        show: "ring",
      },
      {
        text: "An open tour fails too: without the four centre squares 4x4 falls into six parts, but a path cut at four squares has at most five.",
        ground: { board: "4x4" },
        show: "parts",
      },
    ],
  },
  {
    id: "ants",
    title: "Ants learn the board",
    year: "2004",
    line: "A colony remembers good moves.",
    stops: [
      {
        text: "Hingston and Kendall start one ant from every square. Moves with more pheromone are likelier; an ant without a free square stops.",
        ground: { board: "8x8" },
        watch: { solver: "ace", seed: 3, speed: SLOW },
      },
      {
        text: "After each cycle a quarter of the pheromone evaporates. Every ant then marks its moves, more strongly if its path was longer.",
        ground: { board: "8x8" },
        watch: { solver: "ace", seed: 3, speed: 2000 },
      },
      {
        text: "This colony makes its first tour in cycle 51, with the first 3,264 ants.",
        ground: { board: "8x8" },
        watch: { solver: "ace", seed: 3 },
      },
      {
        text: "It keeps learning. The paper's colonies found 488,245 different tours on average, in 100,000 cycles.",
        ground: { board: "8x8" },
        watch: { solver: "ace", seed: 3, speed: 100_000 },
      },
    ],
  },
  {
    id: "evolution",
    title: "Repair and evolution",
    year: "2004, 2007",
    line: "Tours bred from strings of bits.",
    stops: [
      {
        text: "Write each move in three bits, and breed such strings. Gordon and Slocum bred millions; none was a tour.",
        ground: { board: "8x8", start: "e4" },
        watch: { solver: "ga", seed: 1, speed: SLOW },
      },
      {
        text: "So they repaired: an illegal move is replaced by the first legal one, and the walk goes on.",
        ground: { board: "8x8", start: "e4" },
        watch: { solver: "ga-repair", seed: 1, speed: 20 },
      },
      {
        text: "Their first tour came in generation 60, this closed one in generation 99.",
        ground: { board: "8x8", closed: true, start: "e4" },
        tour: "gordon-slocum-99",
      },
      {
        text: "Al-Gharaibeh and others repaired by Warnsdorff's rule in 2007. Here that finds a tour within 139 strings.",
        ground: { board: "8x8", start: "e4" },
        watch: { solver: "ga-heuristic", seed: 1, speed: SLOW },
      },
    ],
  },
  {
    id: "network",
    title: "The network's cycles",
    year: "2020",
    line: "Two moves for every square.",
    stops: [
      {
        text: "Each possible move has a neuron. Neurons switch on and off until every square has exactly two active moves. Takefuji proposed it; a Dublin project tested it in 2020.",
        ground: { board: "8x8", closed: true },
        watch: { solver: "neural", seed: 14, speed: SLOW },
      },
      {
        text: "The network rests. Every square is on a cycle, but there are six of them: no tour.",
        ground: { board: "8x8", closed: true },
        watch: { solver: "neural", seed: 14, step: 38 },
      },
      {
        text: "A second trial ends with three cycles.",
        ground: { board: "8x8", closed: true },
        watch: { solver: "neural", seed: 14, step: 78 },
      },
      {
        text: "The third ends with one: a closed tour. On 8x8 about one trial in five does.",
        ground: { board: "8x8", closed: true },
        watch: { solver: "neural", seed: 14, step: 110 },
      },
    ],
  },
  {
    id: "uniform",
    title: "A tour drawn fairly",
    year: "Today",
    line: "Every tour has the same chance.",
    stops: [
      {
        text: "Give every square two moves and you get a cover: one ring or several. The 8x8 board has 56,691,832,946,529 covers, counted without listing them.",
        ground: { board: "6x6", closed: true },
        watch: { solver: "uniform", seed: 9, speed: SLOW },
      },
      {
        text: "Counts make fair draws. Each move is chosen in proportion to the covers that it leaves possible; 6x6 is shown.",
        ground: { board: "6x6", closed: true },
        watch: { solver: "uniform", seed: 9, speed: 1 },
      },
      {
        text: "Several rings: draw again. One ring: keep it.",
        ground: { board: "6x6", closed: true },
        watch: { solver: "uniform", seed: 9, speed: 20 },
      },
      {
        text: "On 8x8 nearly a quarter of the covers are tours. Every one is equally likely.",
        ground: { board: "6x6", closed: true },
        watch: { solver: "uniform", seed: 9, step: 31 },
      },
    ],
  },
];

/**
 * Counts the words that a reader of a story reads: its introduction and its stops.
 * @param {Story} story
 */
export function wordsOf(story) {
  return [story.line, ...story.stops.map((stop) => stop.text)].join(" ").trim().split(/\s+/).length;
}
