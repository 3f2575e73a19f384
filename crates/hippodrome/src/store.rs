//! Large jobs on disk, stored in folders: a job can be interrupted at any time and resumed.
//!
//! A [`Job`] is a list of numbered, independent, idempotent units and a way to merge their results.
//! Enumerations and counts are jobs; a job does not depend on solvers. A [`JobFolder`] stores a job:
//!
//! ```text
//! DIR/job.json        the job's identity, its budget, and the version of the format
//! DIR/lock            locked while a process works here
//! DIR/units/N.unit    the result of unit N: sections and a note, each with a checksum
//! DIR/parts/P.part    part P of all units, if parts are merged separately; removed after the merge
//! DIR/parts/P.rows    the rows that begin in part P, if parts are encoded separately
//! DIR/tours.parquet   all tours of an enumeration, merged
//! DIR/record.json     the job, the machine and the results; for a count, the tours of each class of ends
//! DIR/curve.csv       attempts, tours, and distinct, duplicate and closed tours, unit by unit
//! ```
//!
//! Every file is written by [`durable`](crate::durable), so it is complete or absent. Checksums detect
//! truncated and altered files on reading, and errors name the file; a damaged unit is run again. A failed
//! sync is fatal: afterwards the contents of the disk are unknown, and a second sync may report success
//! without having written them.

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
