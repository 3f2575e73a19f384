//! `hippo count`: how many tours there are.

use crate::Manner;
use crate::args::{ProblemArgs, WorkArgs};
use crate::cmd::estimate::EstimateArgs;
use crate::fail::Fail;
use clap::Args;

/// Estimate how many tours there are
#[derive(Args)]
#[command(after_help = "Example:\n  hippo count 6x8 --closed --estimate")]
pub struct Count {
    #[command(flatten)]
    problem: ProblemArgs,
    #[command(flatten)]
    estimate: EstimateArgs,
    #[command(flatten)]
    work: WorkArgs,
}

impl Count {
    /// Estimates.
    pub fn run(self, manner: Manner) -> Result<u8, Fail> {
        if !self.estimate.estimate {
            return Err(Fail::usage(
                "numbers are estimated only: give --estimate, or list all tours with 'hippo enumerate --all'",
            ));
        }
        let problem = self.problem.problem()?;
        self.estimate.run(&problem, (self.work.seed, self.work.threads()), manner)
    }
}
