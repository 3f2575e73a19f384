//! The declaration of a solver, from which commands, forms and experiments are generated.

use crate::problem::Problem;
use crate::search::{ArtifactKind, EventKind, Measure, Param};

/// The declaration of a solver.
#[derive(Debug)]
pub struct Info {
    /// Name, unique in the registry.
    pub name: &'static str,
    /// One sentence: what it does.
    pub summary: &'static str,
    /// Publications it comes from.
    pub source: &'static str,
    /// What to use it for.
    pub good_for: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Measures that it reports.
    pub measures: &'static [Measure],
    /// Artifacts that its first unit can export; see [`Run::leave`](crate::search::Run::leave).
    pub artifacts: &'static [ArtifactKind],
    /// Kinds of events that it sends while it is watched.
    pub events: &'static [EventKind],
    /// Plural noun for its rounds: the events that show its memory.
    pub rounds: Option<&'static str>,
    /// Memory per square.
    pub footprint: Footprint,
    /// Purposes for which it is selected when no solver is named.
    pub offers: &'static [Offer],
    /// Returns whether it constructs a tour of a problem without searching, for solvers that can.
    pub constructs: Option<fn(&Problem) -> bool>,
    /// Whether it searches for closed tours even if open ones are accepted.
    pub prefers_closed: bool,
    /// The parameter that limits its tables, in MiB, if it builds tables before it runs.
    pub table_memory: Option<&'static str>,
    /// Default tuning of its parameters.
    pub tuning: Option<&'static Tunable>,
}

impl Info {
    /// Default values of all fields.
    pub const PLAIN: Info = Info {
        name: "",
        summary: "",
        source: "",
        good_for: "",
        params: &[],
        measures: &[],
        artifacts: &[],
        events: &[],
        rounds: None,
        footprint: Footprint::PATH,
        offers: &[],
        constructs: None,
        prefers_closed: false,
        table_memory: None,
        tuning: None,
    };

    /// Returns the declaration of a parameter.
    pub fn param(&self, name: &str) -> Option<&'static Param> {
        self.params.iter().find(|param| param.name == name)
    }
}

/// Approximate bytes per square that a solver needs, tours excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// Shared by all threads.
    pub shared: u64,
    /// Per thread.
    pub per_thread: u64,
}

impl Footprint {
    /// A path and the set of visited squares.
    pub const PATH: Footprint = Footprint { shared: 0, per_thread: 5 };

    /// Returns the bytes per square on `threads` threads.
    pub fn on(self, threads: u128) -> u128 {
        u128::from(self.shared) + u128::from(self.per_thread) * threads
    }
}

/// Purposes for which a solver can be selected without being named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// One tour, quickly.
    OneTour,
    /// Every tour of a small board.
    EveryTour,
    /// Move weights that lead random walks to tours.
    MoveWeights,
}

/// An offer of a solver for a purpose.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// The purpose.
    pub purpose: Purpose,
    /// Offers are tried in ascending order of rank.
    pub rank: u32,
    /// Parameters that differ from the defaults, each `name=value`.
    pub params: &'static [&'static str],
    /// Attempts before the next offer is tried; `None` for no limit.
    pub attempts: Option<u64>,
    /// Returns whether the offer is worth trying for a problem.
    pub suits: fn(&Problem) -> bool,
}

impl Offer {
    /// Creates an offer to find one tour.
    pub const fn one_tour(
        rank: u32,
        params: &'static [&'static str],
        attempts: Option<u64>,
        suits: fn(&Problem) -> bool,
    ) -> Offer {
        Offer { purpose: Purpose::OneTour, rank, params, attempts, suits }
    }

    /// Creates an offer that suits every problem.
    pub const fn always(purpose: Purpose, params: &'static [&'static str]) -> Offer {
        Offer { purpose, rank: 0, params, attempts: None, suits: |_| true }
    }

    /// Graphs with at most as many squares are searched to the end. Chosen by hand: a search for a proof
    /// that takes longer than seconds there is rare.
    pub const SMALL: usize = 64;

    /// On boards with more squares, constructing a tour is preferred to searching.
    pub const LARGE: usize = 2_500;
}

/// Default tuning of a solver that learns.
#[derive(Debug)]
pub struct Tunable {
    /// The varied parameter and its values, as typed.
    pub vary: &'static str,
    /// The parameter that ends a run; by default set to what the attempts allow.
    pub length: &'static str,
    /// The parameter that changes the attempts per cycle, if there is one.
    pub cycle: Option<&'static str>,
    /// Returns the attempts after which it has learned a problem.
    pub learned: fn(&Problem) -> u64,
}
