//! `hippo job submit`: a job folder on a Dask cluster, by the driver in the Python package.

use crate::Manner;
use crate::args::bytes;
use crate::fail::Fail;
use crate::interrupt::Signals;
use clap::Args;
use std::process::Command;

/// The interpreter's exit code where the package is missing.
const MISSING: i32 = 77;
/// Tells a missing package from everything else that may go wrong.
const RUN: &str = "import sys
try:
    from hippodrome.dask import main
except ImportError:
    sys.exit(77)
sys.exit(main())";

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
    pub fn run(self, manner: Manner) -> Result<u8, Fail> {
        // Ctrl-C reaches the driver as well, which ends in order.
        let signals = Signals::set(&std::sync::Arc::default());
        let mut driver = Command::new(&self.python);
        driver.args(["-c", RUN, &self.folder, "--scheduler", &self.scheduler]);
        driver.args(["--retries", &self.retries.to_string()]);
        driver.args(["--timeout", &self.timeout.to_string()]);
        driver.args(self.memory.iter().flat_map(|bytes| ["--memory".into(), bytes.to_string()]));
        driver.args(manner.json.then_some("--json"));
        driver.args(manner.quiet.then_some("--quiet"));
        let ended = driver.status().map_err(|error| {
            let error = error.to_string();
            let why = error.split(" (os error").next().unwrap_or(&error).to_lowercase();
            Fail::run_time(format!(
                "'{}' cannot be run: {why}; name a Python interpreter with --python",
                self.python
            ))
        })?;
        match ended.code() {
            Some(MISSING) => Err(Fail::run_time(format!(
                "'{}' has no package hippodrome with Dask; install it with \"pip install './crates/hippodrome-py[dask]'\", or name another interpreter with --python",
                self.python
            ))),
            Some(code) => Ok(u8::try_from(code).unwrap_or(crate::fail::RUN_TIME)),
            None => Ok(signals.code()),
        }
    }
}
