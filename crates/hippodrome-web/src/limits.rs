//! How much the server lets others take.

use std::time::Duration;

/// The longest side of a board that is painted, watched and raced on.
pub const SIDE: u32 = 60;
/// The longest side of a board whose tour is shown as an image.
pub const IMAGE_SIDE: u32 = 2000;
/// The most bytes of a request.
pub const BODY: usize = 256 << 10;
/// The most solvers in a race.
pub const ENTRANTS: usize = 8;
/// The most runs of each solver in a race.
pub const RUNS: u64 = 20;
/// The most tours of a gallery.
pub const GALLERY: u64 = 48;

/// Limits that depend on the machine, or that tests shorten.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Jobs that run at a time.
    pub running: usize,
    /// Jobs that wait for their turn.
    pub waiting: usize,
    /// Searches that rest; they take no processor, but memory.
    pub resting: usize,
    /// Jobs that are done and whose results are kept for those who come late.
    pub kept: usize,
    /// Connections at a time.
    pub connections: usize,
    /// Streams of news at a time.
    pub streams: usize,
    /// Pictures drawn, and tours found at once, at a time.
    pub drawings: usize,
    /// How long a job is kept that nobody has come to watch.
    pub grace: Duration,
    /// How long a job is kept that nobody watches any more; a search rests meanwhile.
    pub absence: Duration,
    /// How long a gallery is drawn at, with or without tours.
    pub drawing: Duration,
    /// How long a connection may take nothing of what is sent to it, or take over the head of a request.
    pub stall: Duration,
    /// Bytes for the tables of uniform tours, and for the distinct tours of a job.
    pub memory: usize,
}

impl Default for Limits {
    /// As many jobs as cores.
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
