//! The declaration of a solver, from which the commands, forms and experiments take all they need to know.

use crate::problem::Problem;
use crate::search::{ArtifactKind, EventKind, Measure, Param};
use serde::Serialize;

/// The declaration of a solver.
#[derive(Debug)]
pub struct Info {
    /// Name of the solver, unique in the registry.
    pub name: &'static str,
    /// Human name of the solver, unique in the registry, such as `Warnsdorff's rule`.
    pub title: &'static str,
    /// Group in which lists show the solver.
    pub family: Family,
    /// One sentence that says what the solver does.
    pub summary: &'static str,
    /// Publications on which the solver is based.
    pub source: &'static str,
    /// What the solver is good for.
    pub good_for: &'static str,
    /// Parameters of the solver.
    pub params: &'static [Param],
    /// Measures that the solver reports.
    pub measures: &'static [Measure],
    /// Artifacts that the solver's first unit can export; see [`Run::leave`](crate::search::Run::leave).
    pub artifacts: &'static [ArtifactKind],
    /// Kinds of events that the solver sends while it is watched.
    pub events: &'static [EventKind],
    /// Plural noun for the events that show the memory of the solver, such as `cycles` or `generations`.
    pub rounds: Option<&'static str>,
    /// Memory that the solver needs per square.
    pub footprint: Footprint,
    /// Purposes for which the solver is selected when no solver is named.
    pub offers: &'static [Offer],
    /// Function that returns whether the solver constructs a tour of the problem without searching; `None` if
    /// it never does.
    pub constructs: Option<fn(&Problem) -> bool>,
    /// Whether the solver searches for closed tours even if open ones are accepted.
    pub prefers_closed: bool,
    /// Name of the parameter that limits the memory for tables, in MiB; `None` if the solver builds no tables
    /// before it runs.
    pub table_memory: Option<&'static str>,
    /// How the solver is tuned by default, if it can be tuned.
    pub tuning: Option<&'static Tunable>,
}

impl Info {
    /// A declaration in which every field has its default value.
    pub const PLAIN: Info = Info {
        name: "",
        title: "",
        family: Family::Search,
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

    /// Returns the declaration of the parameter called `name`, if there is one.
    pub fn param(&self, name: &str) -> Option<&'static Param> {
        self.params.iter().find(|param| param.name == name)
    }
}

/// Groups of solvers, by their idea.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// A rule picks every move.
    Rules,
    /// A systematic search, which undoes wrong choices.
    Search,
    /// Methods that imitate ants, evolution or neurons, and their controls.
    Nature,
    /// A tour is put together from parts.
    Construction,
    /// Tours are drawn at random.
    Random,
}

/// Approximate number of bytes per square that a solver needs, not counting tours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes per square that all threads share.
    pub shared: u64,
    /// Bytes per square that each thread needs.
    pub per_thread: u64,
}

impl Footprint {
    /// The footprint of a solver that stores only a path and the set of visited squares.
    pub const PATH: Footprint = Footprint { shared: 0, per_thread: 5 };

    /// Returns the number of bytes per square that the solver needs on `threads` threads.
    pub fn on(self, threads: u128) -> u128 {
        u128::from(self.shared) + u128::from(self.per_thread) * threads
    }
}

/// A purpose for which a solver can be selected without being named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Find one tour quickly.
    OneTour,
    /// Find every tour of a small board.
    EveryTour,
    /// Learn move weights that guide random walks to tours.
    MoveWeights,
}

/// A purpose for which a solver can be selected, with the settings to use.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// The purpose.
    pub purpose: Purpose,
    /// Rank of the offer. Offers are tried in ascending order of rank.
    pub rank: u32,
    /// Parameters that differ from their defaults, each as `name=value`.
    pub params: &'static [&'static str],
    /// Maximum number of attempts before the next offer is tried; `None` for no limit.
    pub attempts: Option<u64>,
    /// Function that returns whether the offer is worth trying for the problem.
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

    /// Maximum number of squares of a graph that is searched exhaustively. Chosen by hand: on such graphs a
    /// complete search rarely takes more than a few seconds.
    pub const SMALL: usize = 64;

    /// Number of squares above which constructing a tour is preferred to searching for one.
    pub const LARGE: usize = 2_500;
}

/// How a solver that learns is tuned by default.
#[derive(Debug)]
pub struct Tunable {
    /// Name of the parameter that is varied, and its values, as typed.
    pub vary: &'static str,
    /// Name of the parameter that sets the length of a run. Unless it is given, a run is as long as the
    /// number of attempts allows.
    pub length: &'static str,
    /// Name of the parameter that changes the number of attempts per cycle, if there is one.
    pub cycle: Option<&'static str>,
    /// Function that returns the number of attempts that the solver needs to learn the problem.
    pub learned: fn(&Problem) -> u64,
}
