//! `isx solve`: the engines by themselves, on plain problems. A file a family.

mod knapsack;
mod lcs;
mod mckp;
mod multidim;
mod tsp;

use crate::arguments::wrong_capacity;
use crate::failure::{Failure, Outcome, Ways};
use clap::{Args, Subcommand};
use isx_problems::text::{TextError, parse_capacity};
use isx_report::lines;
use isx_report::solution::{self, Solved};
use std::io::{BufWriter, Write};
use std::path::Path;

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

    /// The flags that lead out of a failure.
    pub fn ways(&self) -> Ways {
        let smaller = match &self.problem {
            // The capacities stand in the file.
            Problem::Multidim(_) => None,
            Problem::Lcs(lcs) => lcs.smaller(),
            Problem::Tsp(_) => Some(tsp::ELSEWHERE),
            _ => Some("lower --capacity"),
        };
        Ways { smaller, engine: true, ..Ways::default() }
    }
}

/// Where a solution goes.
enum Place<'a> {
    /// To standard output, as JSON or as text.
    Alone {
        /// As JSON.
        json: bool,
    },
    /// On a line of its own, with the file's name.
    Line(&'a Path, &'a mut Vec<u8>),
}

/// Prints a solution; `None`: nothing fits.
fn deliver(
    solved: Option<Solved<'_>>,
    how: &solution::Options,
    place: Place<'_>,
) -> Result<Outcome, Failure> {
    match place {
        Place::Alone { json } => {
            let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
            if json {
                solution::write_json(solved, how, &mut out)?;
            } else {
                solution::write_text(solved, how, &mut out)?;
            }
            out.flush()?;
        }
        Place::Line(file, out) => {
            lines::write(&file.to_string_lossy(), out, |line| solution::write_json(solved, how, line))?;
        }
    }
    Ok(if solved.is_some() { Outcome::Done } else { Outcome::Negative })
}

/// Refuses a capacity that is none, whatever the files hold.
fn check_capacity(capacity: Option<&str>) -> Result<(), Failure> {
    let wrong = |capacity| match parse_capacity(capacity, 0) {
        Err(problem @ TextError::Number { .. }) => Some(wrong_capacity(capacity, &problem)),
        _ => None,
    };
    capacity.and_then(wrong).map_or(Ok(()), Err)
}
