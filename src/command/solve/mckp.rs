//! `isx solve mckp`.

use super::each_file::{check_certificate, not_understood};
use super::many::each_file;
use super::place::{Place, Problem, Site};
use crate::arguments::{Computation, Integers, check_capacity, set_capacity};
use crate::failure::{Failure, Outcome};
use crate::files::read_text;
use crate::proofs::certified;
use clap::Args;
use isx_certificate::{best_of_mckp, front_of_mckp, most_bytes_of_mckp};
use isx_mckp::{Mckp as Family, Wanted};
use isx_problems::mckp::Choice;
use isx_problems::mckp::text::{MckpText, parse};
use isx_report::solution::{Front, Points, Solved, write_infeasible};
use isx_solve::{Options, Solution, SolveError, solve};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The multiple-choice knapsack problem
///
/// FILE: a line `m C` (classes, capacity), then for each class a line with its number of items n and n lines `value
/// weight`. Exactly one item per class is taken, with --optional at most one. Exit code 1: nothing fits. Of several
/// files, an invalid one does not stop the others; the exit code is 2 if any was invalid, else 1 if for any of them
/// nothing fits.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Mckp {
    /// The problem, a text file, or - for standard input; several files give a line of JSON each, in order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Solve for this capacity instead of the file's
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    capacity: Option<String>,

    /// Report the whole front: the best value of every capacity
    #[arg(long)]
    all_capacities: bool,

    /// Report the items, with --all-capacities those of every point
    #[arg(long)]
    picks: bool,

    /// A class may give no item
    #[arg(long)]
    optional: bool,

    /// Do not remove dominated items first
    #[arg(long, hide_short_help = true)]
    no_reduce: bool,

    /// Print the solution as JSON
    #[arg(long)]
    json: bool,

    /// Prove the solution, and write the proof to a file that `isx verify` checks
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    #[command(flatten)]
    computation: Computation<Family, Integers>,
}

impl Mckp {
    pub fn run(&self) -> Result<Outcome, Failure> {
        check_capacity(self.capacity.as_deref())?;
        check_certificate(self.certificate.as_deref(), self.files.len())?;
        let machine = self.computation.machine();
        let hardware = self.computation.hardware();
        each_file(&self.files, self.json, hardware, machine, &|file| Ok(vec![self.read(file)?]))
    }

    fn read(&self, file: &Path) -> Result<Problem<'_>, Failure> {
        let started = Instant::now();
        let choice = if self.optional { Choice::Optional } else { Choice::ExactlyOne };
        let text = read_text(file)?;
        let parsed = parse(&text, choice);
        let mut text = parsed.map_err(|problem| not_understood(file, &text, &problem, "mckp"))?;
        set_capacity(&mut text.problem.capacity, self.capacity.as_deref(), text.weight_places)?;
        let read = started.elapsed();
        let solve = Box::new(move |site: &Site<'_>, place: Place<'_>| self.solve(&text, read, site, place));
        Ok(Problem { instance: None, solve })
    }

    fn solve(
        &self,
        text: &MckpText,
        read: Duration,
        site: &Site<'_>,
        place: Place<'_>,
    ) -> Result<Outcome, Failure> {
        let Site { machine, turn, bar } = *site;
        let machine = match self.certificate {
            Some(_) => machine.clone().keeping_free(most_bytes_of_mckp(&text.problem, self.all_capacities)),
            None => machine.clone(),
        };
        let max_bytes = machine.max_memory();
        let options = Options {
            raw: self.no_reduce,
            wanted: self.wanted(),
            machine,
            turn,
            ..self.computation.solving(site.progress())
        };
        let solved = solve(&text.problem, &options);
        bar.iter().for_each(|bar| bar.finish());
        let solution = match solved {
            Ok(solution) => Some(solution),
            Err(SolveError::Infeasible(_)) => None,
            Err(error) => return Err(error.into()),
        };
        if let Some(certificate) = &self.certificate {
            let claim = solution.as_ref().map(|solution| &solution.claim);
            certified(Some(certificate), |out| match claim {
                Some(claim) if self.all_capacities => front_of_mckp(&text.problem, claim, max_bytes, out),
                claim => best_of_mckp(&text.problem, claim, max_bytes, out),
            })?;
        }
        let Some(Solution { claim, account }) = solution else {
            place.write(&mut |json, out| match json {
                true => write_infeasible(self.all_capacities, self.picks, read, out),
                false => writeln!(out, "infeasible: no selection fits the capacity"),
            })?;
            return Ok(Outcome::Negative);
        };
        let answer = Front {
            points: Points::Mckp(&claim),
            value_places: text.value_places,
            weight_places: text.weight_places,
            all: self.all_capacities,
            picks: self.picks,
            ids: None,
            by_ids: false,
            stated: None,
        };
        place.print(&Solved { answer: &answer, account: &account, read })
    }

    fn wanted(&self) -> Wanted {
        if self.all_capacities && (self.picks || self.certificate.is_some()) {
            Wanted::AllPicks
        } else {
            Wanted::BestPicks
        }
    }
}
