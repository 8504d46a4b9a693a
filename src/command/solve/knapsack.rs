//! `isx solve knapsack`.

use super::each_file::{Place, check_capacity, check_certificate, each_file, set_capacity};
use crate::arguments::{Computation, Narrowest};
use crate::failure::{Failure, Outcome};
use crate::files::{read_text, unreadable};
use crate::proofs::certified;
use crate::terminal::progress::Ending;
use clap::Args;
use isx_certificate::{best_of_knapsack, most_bytes_of_knapsack};
use isx_knapsack::{Knapsack as Family, Wanted};
use isx_machine::Machine;
use isx_problems::knapsack::text::parse;
use isx_report::solution::{Front, Points, Solved};
use isx_solve::knapsack::{Options, Solution, enough_bytes, solve, with_items_of_the_best};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The 0-1 knapsack problem
///
/// FILE: a line `n C` (items, capacity) and n lines `profit weight`; or, as in public instance sets, a line `n`, n lines
/// `id profit weight` and a line `C`. Every item is taken once or not at all. Items are numbered from 0 in file order. Of
/// several files one that is bad does not stop the others; the exit code is 2 then.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Knapsack {
    /// The problem, a text file, or - for standard input; several files give a line of JSON each, in order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Solve for this capacity instead of the file's
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    capacity: Option<String>,

    /// Report the whole front: the most profit of every capacity
    #[arg(long)]
    all_capacities: bool,

    /// Report the items, with --all-capacities those of every point
    #[arg(long)]
    picks: bool,

    /// Keep items that better ones leave no room for
    #[arg(long)]
    no_reduce: bool,

    /// Print the solution as JSON
    #[arg(long)]
    json: bool,

    /// Prove the solution, and write the proof to a file that `isx verify` checks
    #[arg(long, value_name = "FILE", conflicts_with = "all_capacities")]
    certificate: Option<PathBuf>,

    #[command(flatten)]
    computation: Computation<Family, Narrowest>,
}

impl Knapsack {
    pub fn run(&self) -> Result<Outcome, Failure> {
        check_capacity(self.capacity.as_deref())?;
        check_certificate(self.certificate.as_deref(), self.files.len())?;
        let machine = self.computation.machine();
        each_file(&self.files, self.json, &machine, &|file, machine, progress, place| {
            self.solve(file, machine, progress, place)
        })
    }

    fn solve(
        &self,
        file: &Path,
        machine: &Machine,
        progress: &dyn Ending,
        place: Place<'_>,
    ) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let mut text = parse(&read_text(file)?).map_err(|problem| unreadable(file, &problem))?;
        set_capacity(&mut text.problem.capacity, self.capacity.as_deref(), text.weight_places)?;
        let read = started.elapsed();

        let machine = match self.certificate {
            Some(_) => machine.clone().keeping_free(most_bytes_of_knapsack(&text.problem)),
            None => machine.clone(),
        };
        let options = Options {
            engine: self.computation.engine(),
            raw: self.no_reduce,
            wanted: self.wanted(),
            machine: machine.clone(),
            progress: progress.heard(),
            ..Options::default()
        };
        let solved = match options.wanted {
            Wanted::AllValues => solve(&text.problem, &options)
                .and_then(|front| with_items_of_the_best(&text.problem, &options, front))
                .map_err(|error| {
                    let best = Options { wanted: Wanted::Best, ..options.clone() };
                    error.needing_more(|| enough_bytes(&text.problem, &best))
                }),
            _ => solve(&text.problem, &options),
        };
        progress.end();
        let Solution { claim, account } = solved?;
        if let Some(certificate) = &self.certificate {
            certified(Some(certificate), |out| {
                best_of_knapsack(&text.problem, &claim, machine.max_memory(), out)
            })?;
        }
        let answer = Front {
            points: Points::Knapsack(&claim),
            value_places: text.profit_places,
            weight_places: text.weight_places,
            all: self.all_capacities,
            picks: self.picks,
        };
        place.print(&Solved { answer: &answer, account: &account, read })
    }

    fn wanted(&self) -> Wanted {
        match (self.all_capacities, self.picks) {
            (false, _) => Wanted::Best,
            (true, false) => Wanted::AllValues,
            (true, true) => Wanted::AllPicks,
        }
    }
}
