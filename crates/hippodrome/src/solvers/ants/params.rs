//! The parameters of the ants, and the default number of cycles of a colony.

use super::colony::{Aids, ColonyRule, Hopeless};
use crate::problem::Problem;
use crate::search::{Measure, choice, params};

choice! {
    /// Which implementation runs the cycles.
    pub(super) enum Computing {
        Fast = "fast", "vectorised, if the graph has at most 64 squares with at most 8 moves each, alpha is 0 or 1, beta is 0, hopeless and local are off; otherwise plain";
        Portable = "portable", "like fast, but without vector instructions: the same tours";
        Plain = "plain", "the steps of the paper, one ant at a time";
    }
}

choice! {
    /// What to do with a stuck ant.
    pub(super) enum LocalSearch {
        Off = "off", "a stuck ant stops, as in the paper";
        Rotation = "rotation", "the end of its path is reversed (Pósa's rotation), and the ant continues from the new end";
    }
}

params! {
    /// Parameters that all ants have.
    pub(super) struct AntParams {
        hopeless: Hopeless = Off, "When an ant is stopped because its path cannot become a tour.";
        local: LocalSearch = Off, "Local search when an ant is stuck. An ant stopped as hopeless is not rotated; on most boards hopeless stops all failing ants early, so use only one of the two.";
        rotations: u64 = "8" in 1..=1_000, "Maximum rotations per ant with local=rotation; each counts as one move.";
        kernel: Computing = Fast, "Implementation of the cycles. The tours differ, their statistics do not.";
    }
}

params! {
    /// Parameters of `ace`.
    pub(super) struct AceParams {
        cycles: u64 = "100k" in 1..=1_000_000_000_000, "Cycles of the colony.";
        rule: ColonyRule;
        ants: AntParams;
    }
}

params! {
    /// Parameters of colonies that restart, as in `mace`.
    pub(super) struct MaceParams {
        cycles: u64 = "0" in 0..=1_000_000_000_000, "Cycles before a new colony starts; 0 for the paper's 84 on 5x5, 260 on 6x6, 27,000 on 8x8, and interpolated values on other boards.";
        rule: ColonyRule;
        ants: AntParams;
    }
}

impl AntParams {
    /// Returns the requested aids.
    pub(super) fn aids(&self) -> Aids {
        let rotations = match self.local {
            LocalSearch::Off => 0,
            LocalSearch::Rotation => self.rotations,
        };
        Aids { hopeless: self.hopeless, rotations }
    }
}

impl MaceParams {
    /// Returns the number of cycles that a colony runs before the next colony starts.
    pub(super) fn cycles(&self, problem: &Problem) -> u64 {
        match self.cycles {
            0 => usual_cycles(problem.graph().order()),
            given => given,
        }
    }
}

pub(super) const STOPPED: Measure =
    Measure { name: "stopped", help: "Ants stopped as hopeless while they could still move." };

pub(super) const STOPPED_LEFT: Measure = Measure {
    name: "stopped_left",
    help: "Unvisited squares of the stopped ants, summed; the moves that they would have made are unknown.",
};

pub(super) const TURNS: Measure = Measure { name: "rotations", help: "Rotations of stuck paths." };

pub(super) const TURNED_TOURS: Measure = Measure {
    name: "rotated_tours",
    help: "Complete paths, duplicates included, of ants with at least one rotation, even if they do not solve the problem.",
};

/// Number of squares of each of the 2005 paper's boards, and the number of cycles per restart found best for
/// it.
pub(super) const PAPER_CYCLES: [(f64, f64); 3] = [(25.0, 84.0), (36.0, 260.0), (64.0, 27_000.0)];

/// Maximum of the default number of cycles per restart: the length of the runs in the 2004 paper.
pub(super) const MOST_CYCLES: f64 = 100_000.0;

/// Returns the default number of attempts before a colony restarts.
pub(super) fn learned(problem: &Problem) -> u64 {
    usual_cycles(problem.graph().order()).saturating_mul(problem.start_count() as u64)
}

/// Returns the default number of cycles per restart.
pub(super) fn usual_cycles(squares: usize) -> u64 {
    let squares = squares as f64;
    let [small, middle, large] = PAPER_CYCLES;
    let (from, to) = if squares <= middle.0 { (small, middle) } else { (middle, large) };
    let slope = (to.1 / from.1).ln() / (to.0 - from.0);
    let cycles = from.1 * (slope * (squares - from.0)).exp();
    cycles.clamp(1.0, MOST_CYCLES).round() as u64
}
