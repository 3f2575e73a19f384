//! What a solver declares of itself. Commands, forms and the laboratory know solvers by this alone.

use crate::problem::Problem;
use crate::search::{ArtifactKind, Measure, Param};

/// What is known of a solver without running it.
#[derive(Debug)]
pub struct Info {
    /// Name, unique in the registry.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What it is good for, in a sentence.
    pub good_for: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// What it measures of itself.
    pub measures: &'static [Measure],
    /// What its first unit leaves behind when asked, see [`Run::leave`](crate::search::Run::leave).
    pub artifacts: &'static [ArtifactKind],
    /// What its events other than paths are counted as, in the plural.
    pub rounds: Option<&'static str>,
    /// Memory it takes for each square.
    pub footprint: Footprint,
    /// Purposes for which it is picked where no solver is named.
    pub offers: &'static [Offer],
    /// Tells whether it surely writes down a tour of a problem without any search, if it can do so.
    pub constructs: Option<fn(&Problem) -> bool>,
    /// Whether it looks for closed tours even where open ones would do.
    pub prefers_closed: bool,
    /// The parameter that limits its tables, in MiB, if it makes tables before it runs.
    pub table_memory: Option<&'static str>,
    /// How its parameters are tuned by default.
    pub tuning: Option<&'static Tunable>,
}

impl Info {
    /// The declaration of a solver that has nothing special, to fill in.
    pub const PLAIN: Info = Info {
        name: "",
        summary: "",
        source: "",
        good_for: "",
        params: &[],
        measures: &[],
        artifacts: &[],
        rounds: None,
        footprint: Footprint::PATH,
        offers: &[],
        constructs: None,
        prefers_closed: false,
        table_memory: None,
        tuning: None,
    };

    /// The declaration of a parameter.
    pub fn param(&self, name: &str) -> Option<&'static Param> {
        self.params.iter().find(|param| param.name == name)
    }
}

/// Bytes per square that a solver takes, roughly; its tours aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// Once, whatever the number of threads.
    pub shared: u64,
    /// For each thread.
    pub per_thread: u64,
}

impl Footprint {
    /// A path, and which squares are visited.
    pub const PATH: Footprint = Footprint { shared: 0, per_thread: 5 };

    /// Bytes per square on this number of threads.
    pub fn on(self, threads: u128) -> u128 {
        u128::from(self.shared) + u128::from(self.per_thread) * threads
    }
}

/// Purposes for which a solver may be picked without being named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// One tour, soon.
    OneTour,
    /// Every tour of a small board.
    EveryTour,
    /// Weights on moves that make walks find tours.
    MoveWeights,
}

/// A solver's offer to serve a purpose.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// The purpose.
    pub purpose: Purpose,
    /// Offers are tried by rank, the lowest first.
    pub rank: u32,
    /// Parameters that differ from the defaults, each `name=value`.
    pub params: &'static [&'static str],
    /// Attempts before the next offer is tried; `None` for no limit.
    pub attempts: Option<u64>,
    /// Tells whether the offer is worth trying for a problem.
    pub suits: fn(&Problem) -> bool,
}

impl Offer {
    /// An offer to find one tour.
    pub const fn one_tour(
        rank: u32,
        params: &'static [&'static str],
        attempts: Option<u64>,
        suits: fn(&Problem) -> bool,
    ) -> Offer {
        Offer { purpose: Purpose::OneTour, rank, params, attempts, suits }
    }

    /// An offer for a purpose that one solver serves, whatever the problem.
    pub const fn always(purpose: Purpose, params: &'static [&'static str]) -> Offer {
        Offer { purpose, rank: 0, params, attempts: None, suits: |_| true }
    }

    /// Boards with more squares are better built than searched, where that is possible.
    pub const LARGE: usize = 2_500;
}

/// How a solver that learns is tuned where nothing else is said.
#[derive(Debug)]
pub struct Tunable {
    /// What is varied: a parameter and its values, as typed.
    pub vary: &'static str,
    /// The parameter that ends a run; left open, it is set to what the attempts allow.
    pub length: &'static str,
    /// The parameter that changes the number of attempts of a cycle, if there is one.
    pub cycle: Option<&'static str>,
    /// Attempts in which it has learnt a problem.
    pub learned: fn(&Problem) -> u64,
}
