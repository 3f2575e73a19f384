//! The parts that all searches share: the solver interface, units of work, budgets, threads and parameters.
//!
//! Nothing here names a particular solver; the registry is in [`solvers`](crate::solvers).

mod artifact;
mod budget;
mod driver;
mod event;
mod info;
mod measure;
pub mod memory;
pub mod narrate;
mod params;
mod resources;
mod run;
mod solver;
mod stages;
mod status;
mod threads;
mod typed;

pub use artifact::{Artifact, ArtifactKind, ArtifactRequest};
pub use budget::{Allotment, Budget};
pub use driver::{BadClaim, Consumer, Driver, Moment, RunReport};
pub use event::{
    CycleReport, EventKind, FactorSource, ForcedEdge, GenerationReport, Link, MoveOption,
    SearchEvent, ShortVertex, TieBreaker,
};
pub use info::{Family, Footprint, Info, Offer, Purpose, Tunable};
pub use measure::{Measure, Reading, Readings};
pub(crate) use params::ParamType;
pub use params::{Param, ParamError, ParamKind, ParamValue, Values, nearest, number};
pub use resources::{Progress, Resources};
pub use run::{Control, End, Observer, Run, Stats, StopCheck, seeds};
pub(crate) use run::{Sink, break_if};
pub use solver::{Preparation, Prepared, Promise, Solver, Unsupported};
pub use stages::{FirstTour, Stage, StageError, StageReport, StagedSearch};
pub(crate) use status::Ends;
pub use status::Status;
pub use threads::cores;
pub(crate) use threads::{beside, in_order, on_each, try_each};
pub(crate) use typed::{Params, choice, params};
