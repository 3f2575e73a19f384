//! Large jobs on disk: folders of units that can be stopped at any instant and gone on with.
//!
//! A [`Job`] is a list of numbered, independent, idempotent units and a way to merge their results;
//! it may be an enumeration, a count or anything else, and knows no solver. A [`JobFolder`] keeps it:
//!
//! ```text
//! DIR/job.json        what identifies the job, its budget, the version of the format
//! DIR/lock            held while a process works here
//! DIR/units/N.unit    the result of unit N: sections and a note, each with a checksum
//! DIR/parts/P.part    part P of all units merged, where that is done apart, until all is merged
//! DIR/parts/P.rows    the rows of the table that begin in part P, where they are encoded apart
//! DIR/tours.parquet   all tours of an enumeration, merged
//! DIR/record.json     what ran, and what came of it; of a count, the number of each class of ends
//! DIR/curve.csv       attempts, tours, distinct, repeated and closed ones, unit by unit
//! ```
//!
//! Every file is written by [`durable`](crate::durable), so that it is whole or not there. A file that is
//! cut or altered is noticed by its checksum when it is read, and named; if it is a unit's, the unit is done
//! again. A sync that fails is fatal: what the disk holds is then not known, and trying again would not tell.

mod counts;
mod enumeration;
mod error;
mod identity;
mod job;
mod keys;
mod monitor;
mod record;
mod runs;
mod sealed;
mod set;
mod sketch;
mod table;

pub use counts::{CountJob, CountJobSummary};
pub use enumeration::{EnumerationJob, JobChange, Merged, encode_part, merge_part};
pub use error::StoreError;
pub use identity::{enumeration, identity, restated};
pub use job::{
    FORMAT, Identity, Job, JobFolder, MissingUnits, Ran, UnitResult, UnitState, complete,
    run_missing, run_unit,
};
pub use monitor::{JobEvent, JobMonitor, JobPhase};
pub use record::check_record;
pub use runs::PARTS;
pub use sealed::{Sealed, SealedWriter, Section};
pub use set::{Checked, SetOperation, TourSet};
