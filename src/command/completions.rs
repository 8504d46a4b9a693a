//! `isx completions SHELL`.

use super::Isx;
use super::failure::{Failure, Outcome};
use clap::{Args, CommandFactory};
use std::io::Write;

/// Print a completion script for a shell
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Completions {
    /// The shell to write for
    shell: clap_complete::Shell,
}

impl Completions {
    pub fn run(&self) -> Result<Outcome, Failure> {
        // Into memory first: the generator panics where a pipe is closed.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Isx::command(), "isx", &mut script);
        std::io::stdout().write_all(&script)?;
        Ok(Outcome::Done)
    }
}
