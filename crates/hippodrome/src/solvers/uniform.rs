//! `uniform`: draws tours from the exactly uniform distribution, in which all tours are equally
//! likely.
//!
//! A closed tour is a set of moves, two at every square, that form one cycle. A set that may form several
//! cycles is called a *cover*. One sweep over the board, with states of sixteen digits, counts the covers
//! exactly; a second sweep draws a uniform cover from these counts. Covers with several cycles are rejected;
//! on 8x8 the 23.4% that remain are uniform among the closed tours. For open tours an extra vertex is
//! adjacent to every square; a cycle through it is a path on the board.
//! Source: counting 2-factors by a frontier (broken profile) is folklore; drawing from such counts is
//! from Nijenhuis & Wilf (1978), and rejection from von Neumann (1951). The application to tours is ours.
//! Cost: 8x8 has 4 million states and 20 million arcs for closed tours; see METHODOLOGY.
//! Limits: at most 8 rows or 8 columns (any board, piece or graph whose states describe at most 16
//! squares), fewer than 10^32 covers. The share of covers that are tours falls slowly as the board grows.
//! Exactness: all counts are integers; see `draw.rs` for the argument. Each tour is uniformly distributed and
//! independent of the others, so duplicates occur at random.
//!
//! A closed tour begins on a random square and in a random direction, unless its start is given.

use crate::problem::Problem;
use crate::problem::theorems::known;
use crate::search::{
    EventKind, Family, Info, Params, Preparation, Resources, Solver, Unsupported, Values, params,
};
use crate::uniform::{COVERS, NAME, TOURS, TableError, outline, shared_table};

/// The registry entry.
pub struct Uniform;

static INFO: Info = Info {
    name: NAME,
    title: "Uniform sampling",
    family: Family::Random,
    summary: "Draws sets of cycles from exact counts until one is a single cycle: every tour is equally likely.",
    source: "this project (counts with a frontier), and Nijenhuis & Wilf 1978 (draws from counts)",
    good_for: "exactly uniform tours of boards with at most 8 rows or columns, open and closed",
    params: UniformParams::PARAMS,
    events: &[EventKind::Path, EventKind::Moves, EventKind::Cover],
    measures: &[COVERS, TOURS],
    rounds: Some("covers"),
    table_memory: Some("memory"),
    ..Info::PLAIN
};

params! {
    /// Parameters of `uniform`.
    struct UniformParams {
        memory: u64 = "6144" in 64..=1 << 24, "Maximum MiB for the table of counts; 8x8 needs about 250 for closed tours and 1,500 for open ones.";
    }
}

impl Solver for Uniform {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(
        &self,
        problem: &Problem,
        values: &Values,
        resources: &Resources<'_>,
    ) -> Preparation {
        if known(problem).is_impossible() {
            return outline(problem);
        }
        let memory = UniformParams::from_values(values).memory.saturating_mul(1 << 20) as usize;
        let made = shared_table(problem, &Resources { memory, ..*resources });
        let refused = |error: TableError| match error {
            TableError::Memory { .. } => {
                Unsupported(format!("{error}; raise its parameter memory, or use solver backbite"))
            }
            error => Unsupported(error.to_string()),
        };
        Ok(made.map_err(refused)?.prepared())
    }

    fn outline(&self, problem: &Problem, _: &Values) -> Preparation {
        outline(problem)
    }
}
