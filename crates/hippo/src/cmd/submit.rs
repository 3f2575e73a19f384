//! `hippo job submit` runs a job folder on a Dask cluster, using the driver of the Python package.

use crate::OutputMode;
use crate::args::bytes;
use crate::fail::Fail;
use clap::Args;
use hippodrome::store::JobFolder;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Exit code of the Python interpreter if the package is missing.
const MISSING: i32 = 77;
/// The Python program that starts the driver. It distinguishes a missing package from other errors.
const RUN: &str = "import sys
# A file in the current folder is not the package.
sys.path = [place for place in sys.path if place]
try:
    from hippodrome._command import main
except ModuleNotFoundError:
    sys.exit(77)
except ImportError as error:
    sys.exit(f'hippo: the package hippodrome cannot be loaded: {error}; install it again')
except KeyboardInterrupt:
    sys.exit(130)
sys.exit(main(attended=True))";
/// Interval between checks for signals and for the end of the driver.
const LOOK: Duration = Duration::from_millis(20);
/// Period during which several signals count as one; the driver has the same rule.
const TOGETHER: Duration = Duration::from_secs(1);
/// Time after which a driver that was interrupted twice is killed.
const AT_ONCE: Duration = Duration::from_secs(5);

#[derive(Args)]
#[command(
    after_help = "Needs the Python package: pip install './crates/hippodrome-py[dask]'.\n\nExample:\n  hippo job submit six --scheduler tcp://127.0.0.1:8786"
)]
pub struct Submit {
    /// Job folder, on storage that all workers share
    #[arg(value_name = "DIR")]
    folder: String,
    /// Address of the scheduler
    #[arg(long, value_name = "ADDRESS")]
    scheduler: String,
    /// Retries of a unit that fails
    #[arg(long, value_name = "N", default_value = "3", value_parser = |n: &str| crate::args::within(n, 0, 1000), allow_negative_numbers = true)]
    retries: u64,
    /// Memory per unit [default: 512M; for counts, the worker's share]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<usize>,
    /// Seconds to wait for a connection to the scheduler
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = |n: &str| crate::args::within(n, 1, 1_000_000), allow_negative_numbers = true)]
    timeout: u64,
    /// Python interpreter that has the package
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: String,
}

impl Submit {
    /// Runs the driver on the folder, and returns the exit code of the driver.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        // Report an invalid folder here, with the error messages of the command.
        JobFolder::look(Path::new(&self.folder))?;
        let signal = Arc::new(AtomicUsize::new(0));
        for number in [SIGINT, SIGTERM] {
            // If the handler cannot be set, a signal ends the command, and the closed pipe ends the driver.
            let _ = flag::register_usize(number, Arc::clone(&signal), number as usize);
        }
        let mut driver = Command::new(&self.python);
        driver.args(["-c", RUN, "--scheduler", &self.scheduler]);
        driver.args(["--retries", &self.retries.to_string()]);
        driver.args(["--timeout", &self.timeout.to_string()]);
        driver.args(self.memory.iter().flat_map(|bytes| ["--memory".into(), bytes.to_string()]));
        driver.args(["--python", &self.python]);
        driver.args(mode.json.then_some("--json"));
        driver.args(mode.quiet.then_some("--quiet"));
        driver.args(["--", &self.folder]);
        let spawned = driver.stdin(Stdio::piped()).spawn();
        let ended = spawned.and_then(|driver| attend(driver, &signal)).map_err(|error| {
            let error = error.to_string();
            let why = error.split(" (os error").next().unwrap_or(&error).to_lowercase();
            Fail::run_time(format!(
                "cannot run '{}': {why}; give a Python interpreter with --python",
                self.python
            ))
        })?;
        let (ended, last) = ended;
        match ended.code() {
            Some(MISSING) => Err(Fail::run_time(format!(
                "the interpreter '{}' has no package hippodrome with Dask; install it with \"pip install './crates/hippodrome-py[dask]'\", or give another interpreter with --python",
                self.python
            ))),
            Some(code) => Ok(u8::try_from(code).unwrap_or(crate::fail::RUN_TIME)),
            None if last > 0 => Ok(128 + last),
            None => Err(Fail::run_time(
                "the driver was killed; nothing is lost, so submit the folder again",
            )),
        }
    }
}

/// Waits for the driver, and forwards each signal as a byte on the driver's standard input. The pipe closes
/// when the command ends, so the driver never outlives the command. Returns the driver's exit status, and the
/// last signal or 0.
fn attend(mut driver: Child, signal: &AtomicUsize) -> io::Result<(ExitStatus, u8)> {
    let (mut last, mut first, mut again) = (0, None::<Instant>, None::<Instant>);
    loop {
        if let Some(ended) = driver.try_wait()? {
            return Ok((ended, last));
        }
        let came = signal.swap(0, SeqCst) as u8;
        if came > 0 {
            last = came;
            if let Some(pipe) = &mut driver.stdin {
                // This fails if the driver has just ended.
                let _ = pipe.write_all(&[came]);
            }
            if first.get_or_insert_with(Instant::now).elapsed() > TOGETHER {
                again.get_or_insert_with(Instant::now);
            }
        }
        if again.is_some_and(|again| again.elapsed() > AT_ONCE) {
            driver.kill()?;
        }
        sleep(LOOK);
    }
}
