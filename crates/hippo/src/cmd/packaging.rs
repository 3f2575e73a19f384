//! `hippo completions` and `hippo man`: for packagers.

use crate::fail::{DONE, Fail};
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::{self, Write};

/// Print a completion script for a shell
#[derive(Args)]
#[command(after_help = "Example:\n  hippo completions bash > hippo.bash")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Prints the script.
    pub fn run(self, mut command: Command) -> Result<u8, Fail> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "hippo", &mut script);
        io::stdout().lock().write_all(&script)?;
        Ok(DONE)
    }
}

/// Print the manual page, of hippo or of one of its commands
#[derive(Args)]
#[command(after_help = "Example:\n  hippo man find | man -l -")]
pub struct Man {
    /// The command; all of hippo if left out
    #[arg(value_name = "COMMAND")]
    of: Option<String>,
}

impl Man {
    /// Prints the page.
    pub fn run(self, mut command: Command) -> Result<u8, Fail> {
        command.build();
        let page = match &self.of {
            None => clap_mangen::Man::new(command),
            Some(name) => {
                let found = command.find_subcommand(name).cloned();
                clap_mangen::Man::new(found.ok_or_else(|| {
                    Fail::usage(format!("there is no command '{name}'; see 'hippo --help'"))
                })?)
            }
        };
        let mut text = Vec::new();
        page.render(&mut text)?;
        io::stdout().lock().write_all(&text)?;
        Ok(DONE)
    }
}
