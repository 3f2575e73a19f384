//! `uniform`: tours that are exactly uniform: every one is as likely as any other.
//!
//! A closed tour is a set of moves, two at every square, that form one cycle. Sets that may form
//! several cycles, *covers*, can be counted exactly by going over the board with a state of sixteen
//! digits, and drawn uniformly by going over it again and choosing by these counts. Covers that are
//! not one cycle are dropped; on 8x8 the 23.4% that remain are uniform among the closed tours. For
//! open tours one more vertex is joined to every square, and a cycle through it is a path.
//! Source: counting 2-factors by a frontier (broken profile) is folklore; drawing from such counts is
//! Nijenhuis & Wilf 1978, and rejection von Neumann 1951. Its use for tours is ours.
//! Cost: 8x8 has 4 million states and 20 million arcs for closed tours; see METHODOLOGY.
//! Limits: at most 8 rows or 8 columns (any board, piece or graph whose states tell of at most 16
//! squares), fewer than 10^32 covers. The share of covers that are tours falls slowly with the board.
//! Exactness: all counts are whole numbers; see `draw.rs` for the argument. What is uniform is the
//! law of each tour; tours are independent, so that repeats come as chance has them.
//!
//! A closed tour begins anywhere, and goes either way, with equal chance, unless its start is given.

use crate::problem::Problem;
use crate::problem::theorems::known;
use crate::search::{Info, Params, Preparation, Resources, Solver, Unsupported, Values, params};
use crate::uniform::{COVERS, NAME, TOURS, TableError, outline, shared_table};

/// The registry entry.
pub struct Uniform;

static INFO: Info = Info {
    name: NAME,
    summary: "Draws sets of cycles from exact counts until one is a single cycle: every tour is equally likely.",
    source: "this project; counts by a frontier, Nijenhuis & Wilf 1978 for drawing from them",
    good_for: "exactly uniform tours of boards with at most 8 rows or columns, open and closed",
    params: UniformParams::PARAMS,
    measures: &[COVERS, TOURS],
    rounds: Some("covers"),
    table_memory: Some("memory"),
    ..Info::PLAIN
};

params! {
    /// Parameters of `uniform`.
    struct UniformParams {
        memory: u64 = "6144" in 64..=1 << 24, "MiB that the table of counts may take; 8x8 takes about 250 for closed tours and 1,500 for open ones.";
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
