//! `hippo job submit`: a job folder on a Dask cluster, by the driver in the Python package.

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

/// The interpreter's exit code where the package is missing.
const MISSING: i32 = 77;
/// Tells a missing package from everything else that may go wrong.
const RUN: &str = "import sys
# A file that lies where the command is run is not to be taken for a package.
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
/// How often to look whether the driver has ended or a signal has come.
const LOOK: Duration = Duration::from_millis(20);
/// Signals within this time are one, for the driver too.
const TOGETHER: Duration = Duration::from_secs(1);
/// How long a driver that is to end at once may take for it.
const AT_ONCE: Duration = Duration::from_secs(5);

#[derive(Args)]
#[command(
    after_help = "Needs the Python package: pip install './crates/hippodrome-py[dask]'.\n\nExample:\n  hippo job submit six --scheduler tcp://127.0.0.1:8786"
)]
pub struct Submit {
    /// The job's folder, on storage that all workers share
    #[arg(value_name = "DIR")]
    folder: String,
    /// The scheduler's address
    #[arg(long, value_name = "ADDRESS")]
    scheduler: String,
    /// How often a unit that fails is tried again
    #[arg(long, value_name = "N", default_value = "3", value_parser = |n: &str| crate::args::within(n, 0, 1000), allow_negative_numbers = true)]
    retries: u64,
    /// Memory of each unit, as in 512M or 2G [default: 512M, for counts what the worker has for a thread]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<usize>,
    /// Seconds to wait for the scheduler, at first and when it is lost
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = |n: &str| crate::args::within(n, 1, 1_000_000), allow_negative_numbers = true)]
    timeout: u64,
    /// The Python interpreter that has the package
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: String,
}

impl Submit {
    /// Hands the folder to the driver, whose exit code and messages are those of the command.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        // A wrong folder is told here, in the words of the command.
        JobFolder::look(Path::new(&self.folder))?;
        let signal = Arc::new(AtomicUsize::new(0));
        for number in [SIGINT, SIGTERM] {
            // Where handlers cannot be set, signals end the command, and its end that of the driver.
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
                "'{}' cannot be run: {why}; name a Python interpreter with --python",
                self.python
            ))
        })?;
        let (ended, last) = ended;
        match ended.code() {
            Some(MISSING) => Err(Fail::run_time(format!(
                "'{}' has no package hippodrome with Dask; install it with \"pip install './crates/hippodrome-py[dask]'\", or name another interpreter with --python",
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

/// Waits for the driver, and hands signals on: a byte on its standard input is one. So it ends with the
/// command in any case, and ends in order. Also tells the last signal that came, or 0.
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
                // One that has just ended hears nothing more.
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
