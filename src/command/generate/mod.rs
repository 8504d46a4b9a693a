//! `isx generate`: random inputs from seeded recipes.

mod classics;
mod knapsacks;
mod taskset;

use crate::failure::{Failure, Outcome};
use crate::files::deliver;
use crate::terminal;
use clap::{Args, Subcommand};
use std::fmt::Display;
use std::io;
use std::path::Path;

/// Make random inputs: the same flags and seed give the same file on every machine
#[derive(Args)]
pub struct Generate {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Taskset(Box<taskset::TaskSet>),
    Mckp(knapsacks::Mckp),
    Knapsack(knapsacks::Knapsack),
    Multidim(classics::Multidim),
    Lcs(classics::Lcs),
    Tsp(classics::Tsp),
}

impl Generate {
    pub fn run(self) -> Result<Outcome, Failure> {
        match self.what {
            What::Taskset(recipe) => recipe.run(),
            What::Mckp(recipe) => recipe.run(),
            What::Knapsack(recipe) => recipe.run(),
            What::Multidim(recipe) => recipe.run(),
            What::Lcs(recipe) => recipe.run(),
            What::Tsp(recipe) => recipe.run(),
        }?;
        Ok(Outcome::Done)
    }
}

/// A usage error from an error that begins with the name of a recipe's field: the flag has the same name.
fn wrong_flag(error: impl Display) -> Failure {
    Failure::Usage(format!("--{error}"))
}

/// Writes a problem, and notes the command that makes it on standard error, since the format has no comments.
fn deliver_text(
    command: impl Display,
    output: Option<&Path>,
    write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
) -> Result<(), Failure> {
    terminal::note(&format!("isx generate {command}"));
    let mut text = Vec::new();
    write(&mut text)?;
    deliver(output, |out| out.write_all(&text))
}
