//! Limits of what clients can use.

use std::time::Duration;

/// The longest side of a board that can be painted, watched and raced on: on longer sides a square is too
/// narrow to show the tour's line.
pub const MAX_SIDE: u32 = 60;
/// The longest side of a board whose tour can be shown as an image: a square is then two pixels wide in the
/// largest image.
pub const MAX_IMAGE_SIDE: u32 = 2000;
/// The maximum size of a request in bytes: the names of all squares and holes of the largest painted board
/// take a fifth of it.
pub const MAX_BODY: usize = 256 << 10;
/// The maximum number of solvers in a race, which is the number of line styles on the page.
pub const MAX_ENTRANTS: usize = 8;
/// The maximum number of runs of each solver in a race: more would hardly narrow the confidence interval.
pub const MAX_RUNS: u64 = 20;
/// The maximum number of tours in a gallery: the largest choice on the page.
pub const MAX_GALLERY_TOURS: u64 = 48;

/// Limits that depend on the machine, or that tests shorten.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Jobs that run at a time.
    pub running: usize,
    /// Jobs that wait for their turn.
    pub waiting: usize,
    /// Searches that rest; they use memory but no CPU time.
    pub resting: usize,
    /// Finished jobs whose results are kept for late viewers.
    pub kept: usize,
    /// Connections at a time.
    pub connections: usize,
    /// Maximum number of concurrent event streams.
    pub streams: usize,
    /// Images drawn and tours found by direct requests at a time.
    pub drawings: usize,
    /// How long a job waits for its first viewer before it ends.
    pub grace: Duration,
    /// How long a job is kept after its last viewer has left; a search rests meanwhile.
    pub absence: Duration,
    /// Time limit for drawing the tours of a gallery.
    pub drawing: Duration,
    /// How long a connection may block writes, or may take to send the head of a request.
    pub stall: Duration,
    /// Bytes for the tables of solvers, and for the distinct tours of a job.
    pub memory: usize,
}

impl Default for Limits {
    /// One running job per core; the other limits are chosen for one user with several pages.
    fn default() -> Limits {
        Limits {
            running: hippodrome::search::cores(),
            waiting: 8,
            resting: 12,
            kept: 16,
            connections: 512,
            streams: 256,
            drawings: 2,
            grace: Duration::from_secs(10),
            absence: Duration::from_secs(180),
            drawing: Duration::from_secs(30),
            stall: Duration::from_secs(30),
            memory: 2 << 30,
        }
    }
}
