//! `isx solve`: the engines on plain problems, with one file per family.

mod each_file;
mod knapsack;
mod lcs;
mod many;
mod mckp;
mod multidim;
mod place;
mod tsp;

use crate::failure::{Failure, Outcome, Ways};
use clap::{Args, Subcommand};

/// Solve a plain problem exactly: a knapsack, a longest common subsequence, a shortest tour
#[derive(Args)]
pub struct Solve {
    #[command(subcommand)]
    problem: Family,
}

#[derive(Subcommand)]
enum Family {
    Mckp(mckp::Mckp),
    Knapsack(knapsack::Knapsack),
    Multidim(multidim::Multidim),
    Lcs(lcs::Lcs),
    Tsp(tsp::Tsp),
}

impl Solve {
    pub fn run(&self) -> Result<Outcome, Failure> {
        match &self.problem {
            Family::Mckp(mckp) => mckp.run(),
            Family::Knapsack(knapsack) => knapsack.run(),
            Family::Multidim(multidim) => multidim.run(),
            Family::Lcs(lcs) => lcs.run(),
            Family::Tsp(tsp) => tsp.run(),
        }
    }

    /// The flags that help after a failure.
    pub fn ways(&self) -> Ways {
        let smaller = match &self.problem {
            // The capacities are in the file.
            Family::Multidim(_) => None,
            Family::Lcs(lcs) => lcs.smaller(),
            Family::Tsp(_) => Some(tsp::ELSEWHERE),
            _ => Some("lower --capacity"),
        };
        Ways { smaller, engine: true, ..Ways::default() }
    }
}
