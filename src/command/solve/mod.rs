//! `isx solve`: the engines on plain problems, with one file per family.

mod each_file;
mod knapsack;
mod many;
mod mckp;
mod place;

use crate::failure::{Failure, Outcome};
use clap::{Args, Subcommand};

/// Solve a plain knapsack problem exactly
#[derive(Args)]
pub struct Solve {
    #[command(subcommand)]
    problem: Family,
}

#[derive(Subcommand)]
enum Family {
    Mckp(mckp::Mckp),
    Knapsack(knapsack::Knapsack),
}

impl Solve {
    pub fn run(&self) -> Result<Outcome, Failure> {
        match &self.problem {
            Family::Mckp(mckp) => mckp.run(),
            Family::Knapsack(knapsack) => knapsack.run(),
        }
    }
}
