//! `isx generate`: random inputs from seeded recipes.

mod deliver;
mod knapsacks;
mod taskset;

use crate::failure::{Failure, Outcome};
use clap::{Args, Subcommand};

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
}

impl Generate {
    pub fn run(self) -> Result<Outcome, Failure> {
        match self.what {
            What::Taskset(recipe) => recipe.run(),
            What::Mckp(recipe) => recipe.run(),
            What::Knapsack(recipe) => recipe.run(),
        }?;
        Ok(Outcome::Done)
    }
}
