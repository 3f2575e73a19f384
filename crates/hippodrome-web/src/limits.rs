//! Limits of what clients can use.

use std::time::Duration;

/// The longest side of a board that is painted, watched and raced on: a square is wide enough for its line.
pub const MAX_SIDE: u32 = 60;
/// The longest side of a board whose tour is shown as an image: a square is two pixels wide at the largest size.
pub const MAX_IMAGE_SIDE: u32 = 2000;
/// The most bytes of a request: the names of all squares and holes of the largest painted board take a fifth.
pub const MAX_BODY: usize = 256 << 10;
/// The most solvers in a race: the page has this many line styles.
pub const MAX_ENTRANTS: usize = 8;
/// The most runs of each solver in a race: more would hardly narrow the confidence interval.
pub const MAX_RUNS: u64 = 20;
/// The most tours of a gallery: the largest choice on the page.
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
    /// How long a gallery is drawn at most.
    pub drawing: Duration,
    /// How long a connection may block writes, or take to send the head of a request.
    pub stall: Duration,
    /// Bytes for the tables of solvers, and for the distinct tours of a job.
    pub memory: usize,
}

impl Default for Limits {
    /// One running job per core; the other limits suit one person with several pages.
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
