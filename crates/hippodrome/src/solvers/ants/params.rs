//! The parameters of the ants, declared once, and the cycles of a colony where none are given.

use super::colony::{Aids, Hopeless};
use crate::search::{Measure, Param, ParamKind, Values};

pub(super) const CYCLES_OF_ACE: Param = Param {
    name: "cycles",
    default: "100k",
    kind: ParamKind::Int { min: 1, max: 1_000_000_000_000 },
    help: "Cycles of the colony.",
};

pub(super) const CYCLES_OF_MACE: Param = Param {
    name: "cycles",
    default: "0",
    kind: ParamKind::Int { min: 0, max: 1_000_000_000_000 },
    help: "Cycles before a new colony begins; 0 for the paper's 84 on 5x5, 260 on 6x6, 27,000 on 8x8, and the like on other boards.",
};

pub(super) const ALPHA: Param = Param {
    name: "alpha",
    default: "1",
    kind: ParamKind::Real { min: 0.0, max: 10.0 },
    help: "Power of the pheromone in a choice: 0 ignores it, more follows it more closely.",
};

pub(super) const RHO: Param = Param {
    name: "rho",
    default: "0.25",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    help: "Share of the pheromone that evaporates in a cycle.",
};

pub(super) const Q: Param = Param {
    name: "q",
    default: "1",
    kind: ParamKind::Real { min: 0.0, max: 1000.0 },
    help: "Pheromone that a complete tour lays on each of its moves.",
};

pub(super) const INITIAL: Param = Param {
    name: "initial",
    default: "0.000001",
    kind: ParamKind::Real { min: 0.0, max: 1000.0 },
    help: "Pheromone on every move at the outset.",
};

pub(super) const DEPOSIT: Param = Param {
    name: "deposit",
    default: "paper",
    kind: ParamKind::Choice(&[
        ("paper", "q (moves - i) / (squares - 1 - i) for move i from 0: more for early moves"),
        ("constant", "q, however long the path"),
        ("length", "q moves / (squares - 1): in proportion to the length"),
        ("tcd2020", "q (moves - i) / (squares - i), as the 2020 comparison has it"),
    ]),
    help: "What an ant lays on the moves it made.",
};

pub(super) const BETA: Param = Param {
    name: "beta",
    default: "0",
    kind: ParamKind::Real { min: 0.0, max: 10.0 },
    help: "Power of Warnsdorff's factor 1 / (1 + onward moves) in a choice: 0 as in the paper; 1 finds more tours of 5x5 and 6x6, less evenly spread.",
};

pub(super) const KERNEL: Param = Param {
    name: "kernel",
    default: "fast",
    kind: ParamKind::Choice(&[
        (
            "fast",
            "by vectors, where the graph has at most 64 squares with at most 8 moves each, alpha is 0 or 1, beta 0, and ants get no help",
        ),
        (
            "portable",
            "as fast, but without vectors, as on processors that have none: the same tours",
        ),
        ("plain", "the paper's own steps, one ant after the other"),
    ]),
    help: "How the cycles are computed; tours differ, their statistics do not.",
};

pub(super) const HOPELESS: Param = Param {
    name: "hopeless",
    default: "off",
    kind: ParamKind::Choice(&[
        ("off", "ants go on until they are stuck, as in the paper"),
        ("dead-ends", "too many free squares have one free neighbour or none"),
        ("connected", "that, or the free squares do not hang together"),
    ]),
    help: "When an ant is stopped because its path cannot become a tour.",
};

pub(super) const LOCAL: Param = Param {
    name: "local",
    default: "off",
    kind: ParamKind::Choice(&[
        ("off", "a stuck ant is done, as in the paper"),
        (
            "rotation",
            "the end of its path is turned about an earlier square, and it goes on from there",
        ),
    ]),
    help: "Local search when an ant is stuck. An ant stopped as hopeless is not stuck, and on most boards all that fail are stopped before, so use one or the other.",
};

pub(super) const ROTATIONS: Param = Param {
    name: "rotations",
    default: "8",
    kind: ParamKind::Int { min: 1, max: 1_000 },
    help: "Turns that an ant may make with local=rotation, each counted as one move.",
};

pub(super) const STOPPED: Measure =
    Measure { name: "stopped", help: "Ants stopped as hopeless while they could still move." };

pub(super) const STOPPED_LEFT: Measure = Measure {
    name: "stopped_left",
    help: "Squares that those ants had not visited; how many moves they would have made is not known.",
};

pub(super) const TURNS: Measure = Measure { name: "rotations", help: "Turns of stuck paths." };

pub(super) const TURNED_TOURS: Measure = Measure {
    name: "rotated_tours",
    help: "Paths over all squares, repeats included, of ants that had made a turn, whether the problem asks for them or not.",
};

/// The aids that the parameters ask for.
pub(super) fn aids(values: &Values) -> Aids {
    Aids {
        hopeless: match values.word("hopeless") {
            "dead-ends" => Hopeless::DeadEnds,
            "connected" => Hopeless::Connected,
            _ => Hopeless::Off,
        },
        rotations: if values.word("local") == "rotation" { values.int("rotations") } else { 0 },
    }
}

/// Squares and cycles per restart that the 2005 paper found best.
pub(super) const PAPER_CYCLES: [(f64, f64); 3] = [(25.0, 84.0), (36.0, 260.0), (64.0, 27_000.0)];

/// Most cycles per restart where none are given: as long as the runs of the 2004 paper.
pub(super) const MOST_CYCLES: f64 = 100_000.0;

/// Cycles per restart where none are given.
pub(crate) fn usual_cycles(squares: usize) -> u64 {
    let squares = squares as f64;
    let [small, middle, large] = PAPER_CYCLES;
    let (from, to) = if squares <= middle.0 { (small, middle) } else { (middle, large) };
    let slope = (to.1 / from.1).ln() / (to.0 - from.0);
    let cycles = from.1 * (slope * (squares - from.0)).exp();
    cycles.clamp(1.0, MOST_CYCLES).round() as u64
}

/// The parameters of a colony, after a solver's own.
macro_rules! with_colony_params {
    ($($own:expr),* $(,)?) => {
        &[$($own,)* ALPHA, RHO, Q, INITIAL, DEPOSIT, BETA, HOPELESS, LOCAL, ROTATIONS, KERNEL]
    };
}
pub(super) use with_colony_params;
