//! Ctrl-C and SIGTERM: the first asks the search to stop; another one at least a second later ends the
//! command immediately. Signals within a second count as one, because a terminal and a parent process may
//! both send one.

use crate::fail::Fail;
use hippodrome::search::Control;
use hippodrome::store::StoreError;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

/// Signals within this time count as one.
const TOGETHER: Duration = Duration::from_secs(1);
/// Interval of checks for a signal.
const LOOK: Duration = Duration::from_millis(50);

/// The signal that was received, if any.
pub struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Returns a control for a search, which a signal stops.
    pub fn control() -> (Arc<Control>, Signals) {
        let control = Arc::<Control>::default();
        let signals = Signals::set(&control.interrupt);
        (control, signals)
    }

    /// Makes signals set `interrupt`. If handlers cannot be set, signals end the command as usual.
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

    /// Returns the exit code of an interrupted command: 130 or 143.
    pub fn code(&self) -> u8 {
        match self.0.load(SeqCst) {
            0 => 130,
            code => code as u8,
        }
    }

    /// Returns the value, or a failure with the exit code of the signal that stopped the work.
    pub fn unless_stopped<T>(&self, result: Result<T, StoreError>) -> Result<T, Fail> {
        match result {
            Err(StoreError::Stopped) => Err(Fail::silent(self.code())),
            result => Ok(result?),
        }
    }
}
