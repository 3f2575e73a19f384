//! Reports the events of a job on standard error.
//!
//! In builds with debug assertions, `HIPPO_HOLD=PHASE:N` stops the command when a phase (write, sort, merge,
//! rename) begins for the N-th time. The command prints `held` and waits, so that tests can kill it at a
//! known point. Release builds do not read the variable.

use crate::OutputMode;
use hippodrome::store::{JobEvent, JobPhase};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Returns a listener that reports damaged files and stops at the phase named by `HIPPO_HOLD`.
pub fn trace(mode: OutputMode) -> impl Fn(JobEvent<'_>) + Sync {
    let (hold, seen) = (hold(), AtomicU64::new(0));
    move |event| match event {
        JobEvent::Damaged(error) => mode.remark(&format!("{error}; recreating it")),
        JobEvent::Phase(phase, _) => {
            let Some((held, count)) = hold else { return };
            if held == phase && seen.fetch_add(1, Relaxed) + 1 == count {
                let _ = writeln!(std::io::stderr(), "held");
                loop {
                    std::thread::park();
                }
            }
        }
        JobEvent::Done(_) => {}
    }
}

/// Returns the phase to stop at, and N if the command must stop when it begins for the N-th time.
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
