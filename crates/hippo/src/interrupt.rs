//! Ctrl-C and SIGTERM: the first asks the search to stop, the second ends the command at once.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

/// Which signal came, if any.
pub struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Lets signals set `interrupt`. Where handlers cannot be set, signals end the command as usual.
    pub fn set(interrupt: &Arc<AtomicBool>) -> Signals {
        let which = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM] {
            let code = 128 + signal;
            // Order matters: the shutdown looks at the flag before this signal sets it.
            let _ = flag::register_conditional_shutdown(signal, code, Arc::clone(interrupt));
            let _ = flag::register(signal, Arc::clone(interrupt));
            let _ = flag::register_usize(signal, Arc::clone(&which), code as usize);
        }
        Signals(which)
    }

    /// The exit code of an interrupted command: 130 or 143.
    pub fn code(&self) -> u8 {
        match self.0.load(SeqCst) {
            0 => 130,
            code => code as u8,
        }
    }
}
