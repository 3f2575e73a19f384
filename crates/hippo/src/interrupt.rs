//! Handles Ctrl-C and SIGTERM. The first signal asks the search to stop; another signal at least a second
//! later ends the command immediately. Signals less than a second apart count as one, because a terminal and
//! a parent process may both send one.

use crate::fail::Fail;
use hippodrome::search::Control;
use hippodrome::store::StoreError;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

/// Period during which several signals count as one.
const TOGETHER: Duration = Duration::from_secs(1);
/// Interval between checks for a signal.
const LOOK: Duration = Duration::from_millis(50);

/// The signal that was received, if any.
pub struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Returns a control that a signal stops, and the signals.
    pub fn control() -> (Arc<Control>, Signals) {
        let control = Arc::<Control>::default();
        let signals = Signals::set(&control.interrupt);
        (control, signals)
    }

    /// Makes signals set `interrupt`. If the handlers cannot be installed, a signal ends the command as
    /// usual.
    pub fn set(interrupt: &Arc<AtomicBool>) -> Signals {
        let which = Arc::new(AtomicUsize::new(0));
        let impatient = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            let code = 128 + signal;
            let _ = flag::register_conditional_shutdown(signal, code, Arc::clone(&impatient));
            let _ = flag::register(signal, Arc::clone(interrupt));
            let _ = flag::register_usize(signal, Arc::clone(&which), code as usize);
        }
        let interrupt = Arc::clone(interrupt);
        std::thread::spawn(move || {
            while !interrupt.load(SeqCst) {
                std::thread::sleep(LOOK);
            }
            std::thread::sleep(TOGETHER);
            impatient.store(true, SeqCst);
        });
        Signals(which)
    }

    /// Returns the exit code of an interrupted command: 130 for Ctrl-C, 143 for SIGTERM.
    pub fn code(&self) -> u8 {
        match self.0.load(SeqCst) {
            0 => 130,
            code => code as u8,
        }
    }

    /// Returns the value, or, if a signal stopped the work, a failure with the exit code for that signal.
    pub fn unless_stopped<T>(&self, result: Result<T, StoreError>) -> Result<T, Fail> {
        match result {
            Err(StoreError::Stopped) => Err(Fail::silent(self.code())),
            result => Ok(result?),
        }
    }
}
