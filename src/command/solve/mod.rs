//! `isx solve`: the engines on plain problems, with one file per family.

mod each_file;
mod knapsack;
mod lcs;
mod mckp;
mod multidim;
mod tsp;

use crate::failure::{Failure, Outcome, Ways};
use clap::{Args, Subcommand};

/// Solve a plain problem exactly: a knapsack, a longest common subsequence, a shortest tour
#[derive(Args)]
pub struct Solve {
    #[command(subcommand)]
    problem: Problem,
}

#[derive(Subcommand)]
enum Problem {
    Mckp(mckp::Mckp),
    Knapsack(knapsack::Knapsack),
    Multidim(multidim::Multidim),
    Lcs(lcs::Lcs),
    Tsp(tsp::Tsp),
}

impl Solve {
    pub fn run(&self) -> Result<Outcome, Failure> {
        match &self.problem {
            Problem::Mckp(mckp) => mckp.run(),
            Problem::Knapsack(knapsack) => knapsack.run(),
            Problem::Multidim(multidim) => multidim.run(),
            Problem::Lcs(lcs) => lcs.run(),
            Problem::Tsp(tsp) => tsp.run(),
        }
    }

    /// The flags that help after a failure.
    pub fn ways(&self) -> Ways {
        let smaller = match &self.problem {
            // The capacities are in the file.
            Problem::Multidim(_) => None,
            Problem::Lcs(lcs) => lcs.smaller(),
            Problem::Tsp(_) => Some(tsp::ELSEWHERE),
            _ => Some("lower --capacity"),
        };
        Ways { smaller, engine: true, ..Ways::default() }
    }
}
