//! What happens to a job, told on standard error.
//!
//! In builds with debug assertions, `HIPPO_HOLD=PHASE:N` stops the command at the N-th start of a phase
//! (write, sort, merge, rename), prints `held`, and waits, which lets tests kill it at a known point.
//! Release builds do not read the variable.

use crate::OutputMode;
use hippodrome::store::{JobEvent, JobPhase};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Tells people of damage, and holds where it is asked to.
pub struct Trace {
    mode: OutputMode,
    hold: Option<(JobPhase, u64)>,
    seen: AtomicU64,
}

impl Trace {
    /// As the environment asks.
    pub fn new(mode: OutputMode) -> Trace {
        Trace { mode, hold: hold(), seen: AtomicU64::new(0) }
    }

    /// Something happens.
    pub fn tell(&self, event: JobEvent<'_>) {
        match event {
            JobEvent::Damaged(error) => {
                self.mode.remark(&format!("{error}; what it held is made again"));
            }
            JobEvent::Phase(phase, _) => self.hold_at(phase),
            JobEvent::Done(_) => {}
        }
    }

    fn hold_at(&self, phase: JobPhase) {
        let Some((held, count)) = self.hold else { return };
        if held == phase && self.seen.fetch_add(1, Relaxed) + 1 == count {
            let _ = writeln!(std::io::stderr(), "held");
            loop {
                std::thread::park();
            }
        }
    }
}

/// The phase, and which of its starts, to stop at.
#[cfg(debug_assertions)]
fn hold() -> Option<(JobPhase, u64)> {
    let asked = std::env::var("HIPPO_HOLD").ok()?;
    let (phase, count) = asked.split_once(':')?;
    let phase = match phase {
        "write" => JobPhase::Write,
        "sort" => JobPhase::Sort,
        "merge" => JobPhase::Merge,
        "rename" => JobPhase::Rename,
        _ => return None,
    };
    Some((phase, count.parse().ok()?))
}

#[cfg(not(debug_assertions))]
fn hold() -> Option<(JobPhase, u64)> {
    None
}
