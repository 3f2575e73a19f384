//! Limits on what clients can use.

use std::time::Duration;

/// Maximum side of a board that can be painted or watched. On a larger board, a square is too narrow to show
/// the line of the tour. A frame with the longest path takes 100 kB.
pub const MAX_SIDE: u32 = 128;
/// Maximum side of a board of a race or a gallery, whose messages contain dozens of paths at once.
pub const MAX_RACE_SIDE: u32 = 60;
/// Maximum side of a board whose tour can be shown as an image. At this side, a square is two pixels wide in
/// the largest image.
pub const MAX_IMAGE_SIDE: u32 = 2000;
/// Maximum size of a request in bytes. The names of all squares and holes of the largest board that can be
/// painted take half of it.
pub const MAX_BODY: usize = 256 << 10;
/// Maximum number of solvers in a race: the number of line styles on the page.
pub const MAX_ENTRANTS: usize = 8;
/// Maximum number of runs of each solver in a race. More runs would hardly narrow the confidence interval.
pub const MAX_RUNS: u64 = 20;
/// Maximum number of tours in a gallery: the largest choice on the page.
pub const MAX_GALLERY_TOURS: u64 = 48;

/// Limits that depend on the machine, or that tests lower.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of jobs that run at once.
    pub running: usize,
    /// Maximum number of jobs that wait for their turn.
    pub waiting: usize,
    /// Maximum number of searches that rest. A resting search uses memory but no CPU time.
    pub resting: usize,
    /// Maximum number of finished jobs whose results are kept for late viewers.
    pub kept: usize,
    /// Maximum number of open connections.
    pub connections: usize,
    /// Maximum number of open event streams.
    pub streams: usize,
    /// Maximum number of pages that receive pulses. They are counted apart from the event streams, so that
    /// idle pages do not prevent a search from being watched.
    pub pulses: usize,
    /// Maximum number of requests that draw an image or find a tour at once.
    pub drawings: usize,
    /// How long a job waits for its first viewer before it ends.
    pub grace: Duration,
    /// How long a job is kept after its last viewer has left. In the meantime, a search rests.
    pub absence: Duration,
    /// Time limit for drawing the tours of a gallery, and for a run of a race that is limited only by tours.
    pub drawing: Duration,
    /// How long a connection may block writes, and how long it may take to send the head of a request.
    pub stall: Duration,
    /// Maximum number of bytes for the tables of solvers, and for the distinct tours of a job.
    pub memory: usize,
}

impl Default for Limits {
    /// Returns limits with one running job per core; the others are chosen for one user with several open
    /// pages.
    fn default() -> Limits {
        Limits {
            running: hippodrome::search::cores(),
            waiting: 8,
            resting: 12,
            kept: 16,
            connections: 512,
            streams: 256,
            pulses: 64,
            drawings: 2,
            grace: Duration::from_secs(10),
            absence: Duration::from_secs(180),
            drawing: Duration::from_secs(30),
            stall: Duration::from_secs(30),
            memory: 2 << 30,
        }
    }
}
