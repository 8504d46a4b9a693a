//! `isx solve mckp`.

use super::{Place, check_capacity, deliver};
use crate::arguments::{Computation, Integers, wrong_capacity};
use crate::failure::{Failure, Outcome};
use crate::files::several::print_lines;
use crate::files::{read_text, unreadable};
use crate::proofs::{certified, refuse_several};
use crate::terminal::progress::{Bar, Ending};
use crate::terminal::{Talk, talk};
use clap::Args;
use isx_certificate::{best_of_mckp, front_of_mckp, most_bytes_of_mckp};
use isx_engine::NoProgress;
use isx_mckp::{Mckp as Family, Wanted};
use isx_problems::mckp::Choice;
use isx_problems::mckp::text::{self as mckp_text, MckpText};
use isx_problems::text::parse_capacity;
use isx_report::files::check_place;
use isx_report::solution::{self, Solved};
use isx_solve::{Solution, SolveError};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The multiple-choice knapsack problem
///
/// FILE: a line `m C` (classes, capacity), then for each class a line with its number of items n and n lines
/// `value weight`. Exactly one item a class is taken, with --optional at most one. Exit code 1: nothing fits. Of several files
/// one that is bad does not stop the others; the exit code is 2 if any was bad, else 1 if nothing fits one of them.
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

    /// Look at every item, dominated or not
    #[arg(long)]
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
        refuse_several(self.certificate.as_deref(), self.files.len())?;
        self.certificate.iter().try_for_each(|file| check_place(file))?;
        let bar = Bar::new();
        let options = self.computation.solving(&bar);
        if let [file] = &self.files[..] {
            return self.solve(file, &options, &bar, Place::Alone { json: self.json });
        }
        bar.finish();
        let options = isx_solve::Options { progress: &NoProgress, ..options };
        print_lines(&self.files, &options.machine, 0, |file, share, line| {
            let options = isx_solve::Options { machine: share.machine.clone(), ..options.clone() };
            Ok(self.solve(file, &options, &NoProgress, Place::Line(file, line))?.into())
        })
    }

    fn solve(
        &self,
        file: &Path,
        options: &isx_solve::Options,
        progress: &dyn Ending,
        place: Place<'_>,
    ) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let text = self.read(file)?;
        let read = started.elapsed();

        let mut options =
            isx_solve::Options { raw: self.no_reduce, wanted: self.wanted(), ..options.clone() };
        if self.certificate.is_some() {
            options.machine =
                options.machine.keeping_free(most_bytes_of_mckp(&text.problem, self.all_capacities));
        }
        let solved = isx_solve::solve(&text.problem, &options);
        progress.end();
        let solution = match solved {
            Ok(solution) => Some(solution),
            Err(SolveError::Infeasible(_)) => None,
            Err(error) => return Err(error.into()),
        };
        if let Some(certificate) = &self.certificate {
            let claim = solution.as_ref().map(|solution| &solution.claim);
            let max_bytes = options.machine.max_memory();
            certified(Some(certificate), |out| match claim {
                Some(claim) if self.all_capacities => front_of_mckp(&text.problem, claim, max_bytes, out),
                claim => best_of_mckp(&text.problem, claim, max_bytes, out),
            })?;
        }
        let how = solution::Options {
            problem: "mckp",
            value_places: text.value_places,
            weight_places: text.weight_places,
            front: self.all_capacities,
            picks: self.picks,
            account: talk() == Talk::Verbose,
            read,
        };
        let solved = solution.as_ref().map(|Solution { claim, account }| Solved { claim, account });
        deliver(solved, &how, place)
    }

    fn read(&self, file: &Path) -> Result<MckpText, Failure> {
        let text = read_text(file)?;
        let choice = if self.optional { Choice::Optional } else { Choice::ExactlyOne };
        let mut read = mckp_text::parse(&text, choice).map_err(|problem| unreadable(file, &problem))?;
        if let Some(capacity) = &self.capacity {
            read.problem.capacity = parse_capacity(capacity, read.weight_places)
                .map_err(|problem| wrong_capacity(capacity, &problem))?;
        }
        Ok(read)
    }

    fn wanted(&self) -> Wanted {
        if self.all_capacities && (self.picks || self.certificate.is_some()) {
            Wanted::AllPicks
        } else {
            Wanted::BestPicks
        }
    }
}
